"""A server as a child process, and the other channels of a client: what ``stdio`` is to a server, for the asking end.

Here: spawning and ending a process, channels that read and write at the same time, a ``Server`` object joined in memory.
Not here: what a line means (``session``), what is asked (``client``). Only clients load this module.

Pages: basic/transports (stdio) and basic/lifecycle, "Shutdown" (2024-11-05 to 2025-11-25); basic/transports/stdio (2026-07-28).

1. Reading and writing never wait for each other: ``write`` takes the bytes and returns, ``read`` moves both directions.
2. Standard error of a server is a file, ours, or nobody's; never a pipe, which would fill up and stop the server.
3. A command is an argument list, found on PATH (with PATHEXT on Windows), and never goes through a shell.
4. Closing is: end of input, wait, terminate, wait, kill. Each wait is bounded, and the whole process group is meant: a
   wrapper's children go with it. Whatever fails, no process stays and none is left unreaped.
5. A forked copy of this process keeps nothing of a server open, and closing its copy of the client ends nothing.
"""
from __future__ import annotations

import os
import time

from .errors import CONNECTION_CLOSED, McpError
from .stdio import (
    CHUNK_SIZE,
    DEFAULT_LINE_LIMIT,
    ON_WINDOWS,
    LineSplitter,
    monotonic,
)
from .stdio_streams import StreamChannel, find_descriptor, has_buffered, new_memory_pair

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Sequence, Union

    Command = Sequence[Union[str, "os.PathLike[str]"]]

TAIL_BYTES = 4096               # of standard error: what an error text is made from
TAIL_CHARACTERS = 400
CAPTURE_LIMIT = 4 * 1024 * 1024     # of standard error kept on disk; then the file starts again
STATUS_SECONDS = 0.5            # how long a process that closed its output may take to end
ENFILE, EMFILE = 23, 24         # too many open files: the one at hand is not the reason
KILL_SECONDS = 5.0              # how long the system may take to end a process that was killed
GROUP_SECONDS = 0.5             # how long children may outlive the process that started them
QUEUED_CHUNKS = 64
POLL_SECONDS = 86400.0          # poll() counts milliseconds in a C int: a longer time is waited in parts

# What hosts hand down when they keep their own environment to themselves, as the official clients do
HOST_VARIABLES = (
    ("APPDATA", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATH", "PATHEXT", "PROCESSOR_ARCHITECTURE", "SYSTEMDRIVE", "SYSTEMROOT",
     "TEMP", "USERNAME", "USERPROFILE") if ON_WINDOWS else ("HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"))


# Channels


class DuplexChannel:
    """A channel over two descriptors that are watched together (1); POSIX. They are made non-blocking until ``give_back``."""

    def __init__(self, read_fd: int, write_fd: int, limit: int = DEFAULT_LINE_LIMIT, first: bytes = b"") -> None:
        self.read_fd, self.write_fd = read_fd, write_fd
        self.splitter = LineSplitter(limit)
        self.lines: "List[bytes]" = self.splitter.feed(first) if first else []
        self.unwritten: "List[memoryview]" = []
        self.at_end = self.write_failed = False
        self.blocking = [(descriptor, os.get_blocking(descriptor)) for descriptor in (read_fd, write_fd)]
        for descriptor, _ in self.blocking:
            os.set_blocking(descriptor, False)

    def give_back(self) -> None:
        for descriptor, blocking in self.blocking:
            try:
                os.set_blocking(descriptor, blocking)
            except OSError:                                 # closed meanwhile
                pass

    def read(self, timeout: "Optional[float]" = None) -> "Optional[List[bytes]]":
        """Wait for lines at most ``timeout`` seconds (None: for ever); ``[]`` when the time was up, ``None`` at the end."""
        until = None if timeout is None else monotonic() + timeout
        while not self.lines:
            if self.at_end:
                return None
            left = None if until is None else until - monotonic()
            if not self.move(left) and (left is None or left <= POLL_SECONDS):
                return []
        lines, self.lines = self.lines, []
        return lines

    def write(self, data: bytes) -> None:
        """Take ``data`` and write as much of it as fits; ``read`` and ``drain`` write the rest."""
        if not self.write_failed:
            self.unwritten.append(memoryview(data))
            self.pump_out()

    def drain(self, timeout: "Optional[float]" = None) -> bool:
        """Write what is unwritten, reading meanwhile; false when the time was up or nobody reads any more."""
        until = None if timeout is None else monotonic() + timeout
        while self.unwritten and not self.at_end:
            if not self.move(None if until is None else until - monotonic()):
                return False
        return not self.unwritten and not self.write_failed

    def move(self, timeout: "Optional[float]") -> bool:
        """Wait until bytes can go in or out, and move them; false when the time was up."""
        import select

        wanted: "Dict[int, int]" = {}
        if not self.at_end:
            wanted[self.read_fd] = select.POLLIN
        if self.unwritten:
            wanted[self.write_fd] = wanted.get(self.write_fd, 0) | select.POLLOUT
        poll = select.poll()
        for descriptor, mask in wanted.items():
            poll.register(descriptor, mask)
        ready = poll.poll(None if timeout is None else max(0, int(min(timeout, POLL_SECONDS) * 1000 + 0.999)))
        for descriptor, flags in ready:
            if descriptor == self.write_fd and self.unwritten and flags & ~select.POLLIN:
                self.pump_out()
            if descriptor == self.read_fd and flags & ~select.POLLOUT:
                self.pump_in()
        return bool(ready)

    def pump_in(self) -> None:
        try:
            chunk = os.read(self.read_fd, CHUNK_SIZE)
        except BlockingIOError:
            return
        except OSError:                                     # a terminal or socket that is gone: the same as its end
            chunk = b""
        if chunk:
            self.lines += self.splitter.feed(chunk)
        else:
            self.at_end = True
            self.lines += self.splitter.end()

    def pump_out(self) -> None:
        while self.unwritten:
            view = self.unwritten[0]
            try:
                written = os.write(self.write_fd, view)
            except BlockingIOError:
                return
            except OSError:                                 # nobody reads any more: the end of input will say why
                self.write_failed = True
                self.unwritten.clear()
                return
            if written < len(view):
                self.unwritten[0] = view[written:]
            else:
                del self.unwritten[0]

    def end_input(self, close: "Callable[[], Any]") -> None:
        """Close our writing end with ``close``; what is unwritten is dropped."""
        self.unwritten.clear()
        self.write_failed = True
        close()

    def end_output(self, close: "Callable[[], Any]") -> None:
        """Close our reading end with ``close``; nothing is read any more."""
        self.at_end = True
        close()


class ThreadChannel:
    """The same over two descriptors that cannot be watched (pipes on Windows): one thread reads, one writes (1)."""

    def __init__(self, read_fd: int, write_fd: int, limit: int = DEFAULT_LINE_LIMIT) -> None:
        import queue
        import threading

        self.read_fd, self.write_fd = read_fd, write_fd
        self.splitter = LineSplitter(limit)
        self.lines: "List[bytes]" = []
        self.at_end = self.write_failed = False
        self.incoming: "queue.Queue[bytes]" = queue.Queue(QUEUED_CHUNKS)
        self.outgoing: "queue.Queue[Any]" = queue.Queue()       # bytes, functions to call, None for the end
        self.no_chunk = queue.Empty
        self.new_event = threading.Event
        self.close_output: "Optional[Callable[[], Any]]" = None
        self.reading, self.writing = (threading.Thread(target=function, name="mcplite client", daemon=True)
                                      for function in (self.read_on, self.write_on))
        self.reading.start()
        self.writing.start()

    def read_on(self) -> None:
        chunk = b"-"
        while chunk:
            try:
                chunk = os.read(self.read_fd, CHUNK_SIZE)
            except OSError:
                chunk = b""
            self.incoming.put(chunk)
        if self.close_output is not None:
            self.close_output()

    def write_on(self) -> None:
        while True:
            data = self.outgoing.get()
            if data is None:
                return
            if not isinstance(data, bytes):
                data()
                continue
            view = memoryview(data)
            while len(view) and not self.write_failed:
                try:
                    view = view[os.write(self.write_fd, view):]
                except OSError:
                    self.write_failed = True

    def read(self, timeout: "Optional[float]" = None) -> "Optional[List[bytes]]":
        """As ``DuplexChannel.read``."""
        until = None if timeout is None else monotonic() + timeout
        while not self.lines:
            if self.at_end:
                return None
            left = None if until is None else until - monotonic()
            if not self.take(left) and left is not None and left <= 0:
                return []
        lines, self.lines = self.lines, []
        return lines

    def take(self, timeout: "Optional[float]") -> bool:
        """Take in one chunk; waits in slices, since Windows does not let Ctrl+C interrupt a wait for a lock."""
        try:
            if timeout is not None and timeout <= 0:
                chunk = self.incoming.get(False)
            else:
                chunk = self.incoming.get(True, 0.1 if timeout is None else min(timeout, 0.1))
        except self.no_chunk:
            return False
        if chunk:
            self.lines += self.splitter.feed(chunk)
        else:
            self.at_end = True
            self.lines += self.splitter.end()
        return True

    def write(self, data: bytes) -> None:
        """As ``DuplexChannel.write``."""
        if not self.write_failed:
            self.outgoing.put(data)

    def drain(self, timeout: "Optional[float]" = None) -> bool:
        """As ``DuplexChannel.drain``."""
        written = self.new_event()
        self.outgoing.put(written.set)
        until = None if timeout is None else monotonic() + timeout
        while not written.wait(0.005):
            if self.at_end or until is not None and monotonic() >= until:
                return False
            self.take(0)
        return not self.write_failed

    def end_input(self, close: "Callable[[], Any]") -> None:
        """As ``DuplexChannel.end_input``; the thread that writes closes, since it may be writing."""
        self.write_failed = True
        self.outgoing.put(close)
        self.outgoing.put(None)

    def end_output(self, close: "Callable[[], Any]") -> None:
        """As ``DuplexChannel.end_output``; where the thread that reads cannot stop yet, it closes later."""
        self.at_end, self.close_output = True, close
        until = monotonic() + STATUS_SECONDS
        self.writing.join(STATUS_SECONDS)
        while self.reading.is_alive() and monotonic() < until:
            try:
                self.incoming.get(True, 0.01)               # it may wait for room
            except self.no_chunk:
                pass
        if not self.reading.is_alive():
            close()


def new_duplex(read_fd: int, write_fd: int, limit: int, threads: bool) -> "Union[DuplexChannel, ThreadChannel]":
    """Return the channel for two descriptors: watched where the platform can, else with threads."""
    if threads or not can_watch():
        return ThreadChannel(read_fd, write_fd, limit)
    return DuplexChannel(read_fd, write_fd, limit)


def can_watch() -> bool:
    if ON_WINDOWS:
        return False
    import select

    return hasattr(select, "poll")


# A child process


class ChildProcess:
    """A server that this process started. ``channel`` speaks to it; ``close`` ends it (4)."""

    kind = "process"

    def __init__(self, command: "Command", env: "Optional[Dict[str, Optional[str]]]" = None, inherit_env: bool = True,
                 cwd: "Any" = None, stderr: "Any" = "capture", limit: int = DEFAULT_LINE_LIMIT, threads: bool = ON_WINDOWS) -> None:
        self.command = check_command(command)
        self.environment = new_environment(env, inherit_env)
        if isinstance(stderr, str) and stderr not in ("capture", "inherit", "discard"):
            raise ValueError("stderr is 'capture', 'inherit', 'discard' or a file, not %r" % stderr)
        self.cwd, self.stderr, self.limit, self.threads = cwd, stderr, limit, threads
        self.process: "Any" = None
        self.capture: "Optional[StderrCapture]" = None
        self.status: "Optional[int]" = None
        self.tail = ""
        self.start()

    def start(self) -> None:
        """Raises ``McpError`` (-32000) when the command cannot be started."""
        import subprocess

        arguments = resolve_command(self.command, self.environment)
        self.capture = None
        group: "Dict[str, Any]" = {"start_new_session": True}
        if ON_WINDOWS:
            group = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}  # type: ignore[attr-defined,unused-ignore]
        try:
            if self.stderr == "capture":
                self.capture = StderrCapture()
                error_file: "Any" = self.capture.write_fd
            else:
                error_file = {"inherit": None, "discard": subprocess.DEVNULL}.get(self.stderr, self.stderr)
            self.process = subprocess.Popen(arguments, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=error_file,
                                            env=self.environment, cwd=self.cwd, **group)
        except (OSError, ValueError) as error:
            self.drop_capture()
            raise McpError(CONNECTION_CLOSED, "cannot start the server: %s (command: %s)"
                           % (explain_start(error, self.cwd), self.command_text()), {"command": self.command}) from None
        self.status, self.tail = None, ""
        self.channel = new_duplex(self.process.stdout.fileno(), self.process.stdin.fileno(), self.limit, self.threads)
        note_started(self)

    def leave(self) -> None:
        """In a forked copy of this process: the server is the parent's (5)."""
        process, self.process, self.status = self.process, None, None
        if process is not None:
            self.channel.end_output(process.stdout.close)
            self.channel.end_input(process.stdin.close)
            process.returncode = 0                          # not ours to wait for, nor to warn of
            self.drop_capture()

    def command_text(self) -> str:
        import shlex

        return " ".join(shlex.quote(word) for word in self.command)

    def has_exited(self, seconds: float) -> bool:
        """True when the process has ended; waits at most ``seconds`` for that."""
        return self.process is None or self.wait_until(lambda: self.process.poll() is not None, seconds, False)

    def describe(self) -> str:
        """Say in a few words what has become of the process."""
        if self.process is None and self.status is None:
            return "this process was forked, and the server stayed with its parent,"
        if self.process is not None and not self.has_exited(STATUS_SECONDS):
            return "the server closed its output but is still running"
        status = self.process.returncode if self.process is not None else self.status
        if status is not None and status < 0:
            return "the server was ended by signal %d%s" % (-status, signal_name(-status))
        return "the server ended with exit status %s" % status

    def details(self) -> str:
        """What helps to find out why: the command, and the last words on standard error."""
        tail = shorten_tail(self.read_tail())
        return "; command: %s%s" % (self.command_text(), "; its standard error ends with: %s" % tail if tail else "")

    def data(self) -> "Dict[str, Any]":
        """The same for programs."""
        status = self.process.poll() if self.process is not None else self.status
        found: "Dict[str, Any]" = {"command": self.command, "stderr": self.read_tail()}
        if status is not None:
            found["status"] = status
        return found

    def read_tail(self) -> str:
        """Return the end of what the server wrote on its standard error, at most TAIL_BYTES of it."""
        return self.capture.tail() if self.capture is not None else self.tail

    def rest(self) -> None:
        """Called now and then: keep the captured standard error small."""
        if self.capture is not None:
            self.capture.limit_size()

    def restart(self, seconds: float) -> None:
        """End what is left of the process and start it again."""
        self.close(seconds)
        self.start()

    def close(self, seconds: float) -> None:
        """End the process (4); waits at most ``seconds`` for each step. A second call does nothing."""
        process = self.process
        if process is None:
            return
        try:
            self.channel.end_input(process.stdin.close)
            if not self.wait_gone(seconds):
                self.signal_group(False)
                if not self.wait_gone(seconds):
                    self.signal_group(True)
        except BaseException:                               # Ctrl+C while waiting: no more patience
            self.signal_group(True)
            raise
        finally:
            self.wait_until(lambda: process.poll() is not None, KILL_SECONDS, False)
            self.channel.end_output(process.stdout.close)
            self.status, self.tail, self.process = process.returncode, self.read_tail(), None
            self.drop_capture()

    def drop_capture(self) -> None:
        if self.capture is not None:
            self.capture.close()
            self.capture = None

    def wait_gone(self, seconds: float) -> bool:
        """Wait until the process and its group are gone; what it still writes is read and dropped, so that it can end."""
        if not self.wait_until(lambda: self.process.poll() is not None, seconds, True):
            return False
        return self.wait_until(lambda: not is_group_alive(self.process.pid), min(seconds, GROUP_SECONDS), False)

    def wait_until(self, condition: "Callable[[], bool]", seconds: float, reading: bool) -> bool:
        until, pause = monotonic() + seconds, 0.001
        while not condition():
            left = until - monotonic()
            if left <= 0:
                return False
            if not reading or self.channel.read(min(pause, left)) is None:
                time.sleep(min(pause, left))
            pause = min(pause * 2, 0.02)
        return True

    def signal_group(self, kill: bool) -> None:
        """Ask the process and its children to end (SIGTERM), or end them."""
        if ON_WINDOWS:
            end_tree_windows(self.process, kill)
            return
        import signal

        try:
            os.killpg(self.process.pid, signal.SIGKILL if kill else signal.SIGTERM)
        except (ProcessLookupError, PermissionError):       # gone; or (macOS) nothing but zombies
            pass


STARTED: "List[Any]" = []       # the one set of the children that run, held weakly: made at the first


def note_started(child: "ChildProcess") -> None:
    """See that a forked copy of this process lets go of ``child`` (5)."""
    if not STARTED:
        import weakref

        STARTED.append(weakref.WeakSet())
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=leave_started)
    STARTED[0].add(child)


def leave_started() -> None:
    for child in list(STARTED[0]):
        child.leave()


class StderrCapture:
    """A file that collects standard error of a server (2): it never fills up like a pipe, and its end can be read at any time."""

    def __init__(self) -> None:
        import tempfile

        descriptor, self.path = tempfile.mkstemp(prefix="mcplite-", suffix=".stderr")
        os.close(descriptor)
        self.write_fd = -1
        try:
            self.write_fd = os.open(self.path, os.O_WRONLY | os.O_APPEND)
            self.reader = open(self.path, "rb")
        except OSError:                                     # no more descriptors
            if self.write_fd >= 0:
                os.close(self.write_fd)
            os.unlink(self.path)
            raise
        if not ON_WINDOWS:                                  # there it goes when it is closed
            os.unlink(self.path)

    def tail(self) -> str:
        size = os.fstat(self.reader.fileno()).st_size
        self.reader.seek(max(0, size - TAIL_BYTES))
        return self.reader.read(TAIL_BYTES).decode("utf-8", "replace")

    def limit_size(self) -> None:
        if not ON_WINDOWS and os.fstat(self.reader.fileno()).st_size > CAPTURE_LIMIT:
            os.ftruncate(self.write_fd, 0)

    def close(self) -> None:
        os.close(self.write_fd)
        self.reader.close()
        if ON_WINDOWS:
            try:
                os.unlink(self.path)
            except OSError:                                 # a process that outlived the server has it open
                pass


def shorten_tail(tail: str) -> str:
    """Return the last lines of ``tail`` in one line, for an error text."""
    lines = [line.strip() for line in tail.splitlines() if line.strip()]
    text = " | ".join(lines[-5:])
    return text if len(text) <= TAIL_CHARACTERS else "..." + text[-TAIL_CHARACTERS:]


def signal_name(number: int) -> str:
    import signal

    try:
        return " (%s)" % signal.Signals(number).name
    except ValueError:
        return ""


def is_group_alive(group: int) -> bool:
    """True while any process of the group is there, zombies that nobody reaps included."""
    if ON_WINDOWS:
        return False
    try:
        os.killpg(group, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def end_tree_windows(process: "Any", kill: bool) -> None:
    """Windows has no process groups to signal: taskkill walks the tree. Not run on Windows yet."""
    import subprocess

    subprocess.call(["taskkill", "/PID", str(process.pid), "/T"] + (["/F"] if kill else []), stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if kill:
        process.kill()


# Commands (3)


def check_command(command: "Command") -> "List[str]":
    """Return the argument list as strings. Raises ``TypeError`` for a single string: no shell will split it."""
    if isinstance(command, (str, bytes)) or not isinstance(command, (list, tuple)):
        raise TypeError("a server command is a list of arguments, like [sys.executable, 'server.py'], not %r; "
                        "shlex.split() splits a command line" % (command,))
    if not command:
        raise ValueError("the server command is empty: the first argument is the program")
    return [os.fspath(word) for word in command]


def new_environment(env: "Optional[Dict[str, Optional[str]]]", inherit: bool) -> "Dict[str, str]":
    """Return the child's environment: ours (or what hosts hand down), ``env`` on top; a value None takes a variable away."""
    found = {name: value for name, value in os.environ.items() if inherit or name.upper() in HOST_VARIABLES}
    for name, value in (env or {}).items():
        if value is None:
            found.pop(name, None)
        else:
            found[name] = value
    return found


def resolve_command(command: "List[str]", environment: "Dict[str, str]", on_windows: bool = ON_WINDOWS) -> "Union[List[str], str]":
    """Return what to start: the program's full path and the arguments as they are; for a batch file of Windows its command line.

    ``npx`` is ``npx.cmd`` there, which only a search with PATHEXT finds. Raises ``McpError`` when there is no such program.
    """
    import shutil

    program = command[0]
    if not on_windows and os.path.dirname(program):
        return command                                      # a path: relative to the child's folder, as the system has it
    found = shutil.which(program, path=environment.get("PATH"))
    if found is None:
        if os.path.dirname(program):
            found = program
        else:
            raise McpError(CONNECTION_CLOSED, "cannot start the server: there is no command %r on PATH (command: %s)"
                           % (program, " ".join(command)), {"command": command})
    if on_windows and found.lower().endswith((".cmd", ".bat")):
        return new_batch_command_line(found, command[1:])
    return [found] + command[1:]


PLAIN_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./\\:@+,=")


def new_batch_command_line(program: str, arguments: "List[str]") -> str:
    """Return the command line for a batch file: Windows runs it with cmd.exe, so every argument that it could read is quoted.

    Raises ``ValueError`` for characters that no quoting keeps from cmd.exe.
    """
    words = ['"%s"' % program]
    for argument in arguments:
        if not argument or not PLAIN_CHARACTERS.issuperset(argument):
            if any(character in '"%!\r\n\0' for character in argument):
                raise ValueError("cannot pass %r to the batch file %s: cmd.exe would read the characters \" %% ! and line ends "
                                 "in it" % (argument, program))
            argument = '"%s"' % (argument + "\\" if argument.endswith("\\") else argument)
        words.append(argument)
    return " ".join(words)


def explain_start(error: "Union[OSError, ValueError]", cwd: "Any") -> str:
    if cwd is not None and not os.path.isdir(cwd):
        return "there is no folder %r to start it in" % os.fspath(cwd)
    reason = getattr(error, "strerror", None) or str(error)
    name = getattr(error, "filename", None)
    if getattr(error, "errno", None) in (ENFILE, EMFILE):
        name = None
    return reason if name is None else "%s: %s" % (name, reason)


def file_uri(path: "Any") -> str:
    """Return the ``file://`` URI of a path; a relative one counts from the current folder."""
    from pathlib import Path

    return Path(os.path.abspath(os.fspath(path))).as_uri()


# Streams and memory


class StreamPair:
    """A server at the other end of two binary streams, which belong to the caller: closing leaves them open."""

    kind = "streams"
    command: "List[str]" = []

    def __init__(self, reader: "Any", writer: "Any", limit: int) -> None:
        read_fd, write_fd = find_descriptor(reader), find_descriptor(writer)
        self.streams = reader, writer                       # kept: their descriptors are in use
        self.channel: "Any"
        if read_fd is None or write_fd is None or not can_watch():
            self.channel = StreamChannel(reader, writer, limit)
            return
        first = b""
        if hasattr(reader, "peek") and has_buffered(reader, read_fd):
            first = reader.read1(CHUNK_SIZE)
        if hasattr(writer, "flush"):
            writer.flush()
        self.channel = DuplexChannel(read_fd, write_fd, limit, first)

    def describe(self) -> str:
        return "the server closed its output"

    def details(self) -> str:
        return ""

    def data(self) -> "Dict[str, Any]":
        return {}

    def read_tail(self) -> str:
        return ""

    def rest(self) -> None:
        """Nothing grows here."""

    def close(self, seconds: float) -> None:
        if isinstance(self.channel, DuplexChannel):
            self.channel.drain(seconds)
            self.channel.give_back()


class ServerInMemory:
    """A ``Server`` object in this process and thread: reading from it runs it one step."""

    kind = "memory"
    command: "List[str]" = []

    def __init__(self, server: "Any") -> None:
        ours, theirs = new_memory_pair()
        self.server, self.channel = server, PatientMemory(ours)
        self.connection = server._core.connect(theirs)
        theirs.step = lambda: self.connection.peer.serve_once(0)

    def describe(self) -> str:
        return "the server has ended"

    def details(self) -> str:
        return ""

    def data(self) -> "Dict[str, Any]":
        return {}

    def read_tail(self) -> str:
        return ""

    def rest(self) -> None:
        """Nothing grows here."""

    def close(self, seconds: float) -> None:
        self.channel.inner.close()
        if self.connection in self.server._core.connections:
            self.server._core.connections.remove(self.connection)
            self.connection.end()
            self.connection.peer.stop_ticking()


class PatientMemory:
    """Our end of the pair: where the server has nothing to say now, its timers are given time."""

    write_failed = False
    read_fd = None

    def __init__(self, inner: "Any") -> None:
        self.inner = inner

    def read(self, timeout: "Optional[float]" = None) -> "Optional[List[bytes]]":
        until = None if timeout is None else monotonic() + timeout
        while True:
            lines: "Optional[List[bytes]]" = self.inner.read(timeout)
            if lines or lines is None:
                return lines
            if until is not None and monotonic() >= until:
                return []
            time.sleep(0.001)

    def take_waiting(self) -> "List[bytes]":
        """Return the lines that are there, without running the server."""
        lines = b"".join(self.inner.inbox).split(b"\n")[:-1]
        self.inner.inbox.clear()
        return lines

    def write(self, data: bytes) -> None:
        self.inner.write(data)
