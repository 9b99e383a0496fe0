"""A server as a child process: what ``stdio`` is to a server, for the asking end.

Here: starting and ending a process and its group, its standard error. Not here: the command (``command_line``), its pipes
(``duplex``), what is asked (``client``). Only clients load this module.

Pages: basic/transports (stdio) and basic/lifecycle, "Shutdown" (2024-11-05 to 2025-11-25); basic/transports/stdio (2026-07-28).

1. Standard error of a server is a file, ours, or nobody's; never a pipe, which would fill up and stop the server.
2. Closing is: end of input, wait, terminate, wait, kill. Each wait is bounded, and the whole process group is meant: a
   wrapper's children go with it. Whatever fails, no process stays and none is left unreaped.
3. A forked copy of this process keeps nothing of a server open, and closing its copy of the client ends nothing.
"""
from __future__ import annotations

import os
import time

from ..errors import CONNECTION_CLOSED, McpError
from ..stdio import DEFAULT_LINE_LIMIT, ON_WINDOWS, monotonic
from .command_line import check_command, explain_start, new_environment, resolve_command
from .duplex import new_duplex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional

    from .command_line import Command

TAIL_BYTES = 4096               # of standard error: what an error text is made from
TAIL_CHARACTERS = 400
CAPTURE_LIMIT = 4 * 1024 * 1024     # of standard error kept on disk; then the file starts again
STATUS_SECONDS = 0.5            # how long a process that closed its output may take to end
KILL_SECONDS = 5.0              # how long the system may take to end a process that was killed
GROUP_SECONDS = 0.5             # how long children may outlive the process that started them


class ChildProcess:
    """A server that this process started. ``channel`` speaks to it; ``close`` ends it (2)."""

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
        """In a forked copy of this process: the server is the parent's (3)."""
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
        """End the process (2); waits at most ``seconds`` for each step. A second call does nothing."""
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
    """See that a forked copy of this process lets go of ``child`` (3)."""
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
    """A file that collects standard error of a server (1): it never fills up like a pipe, and its end can be read at any time."""

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
