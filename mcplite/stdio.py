"""Descriptors, clocks and signals: only this module and the folder ``system`` touch the operating system.

Here: the channel over descriptors (bytes in, lines out), taking standard input and output away from everybody else. What Windows
needs for it is in ``stdio_windows``. Not here: the interval timer (``stdio_timer``), processes and other channels (``system``),
what a line means.

Pages: basic/transports (stdio) of every revision.

1. Lines end at byte 0A and nowhere else. A line over the limit is skipped with bounded memory and reported once.
2. While a process is owned, descriptor 0 is the null device and descriptor 1 is standard error: a ``print``, C code, a child or
   a forked worker can neither write on the wire nor read from it. They are given back at the end.
3. No byte is copied more often than needed: a 50 MB line is held once as bytes, once as text, never both for longer than the
   decoding takes.
4. ``read`` returns a list of lines, ``[]`` when the time was up, ``None`` at the end of input.
5. A forked copy of this process has no part in the conversation: the wire and the signals are not its own, and it holds no
   descriptor of the wire open.
"""
import os
import sys
import time

from .codec import bound_nesting
from .errors import Shutdown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, List, Optional, Tuple

ON_WINDOWS = os.name == "nt"
CHUNK_SIZE = 65536
BEGINNING_SIZE = 1000       # bytes of a line over the limit that are kept: enough to tell which request it answers
DEFAULT_LINE_LIMIT = 64 * 1024 * 1024
EIO = 5                     # of a terminal that is gone
STUCK_SECONDS = 0.2         # how long a standard error that nobody reads may hold up the end

if sys.platform in ("emscripten", "wasi"):
    bound_nesting(1000)

monotonic = time.monotonic
wall_clock = time.time
random_bytes = os.urandom


class LineSplitter:
    """Cuts a stream of bytes into lines at 0A; holds what is unfinished, at most ``limit`` bytes of it (1)."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.parts: "List[bytes]" = []
        self.held = 0
        self.skipping = False
        self.beginning = b""                        # of the line that is skipped

    def feed(self, chunk: bytes) -> "List[bytes]":
        """Return the lines that ``chunk`` completes."""
        lines = chunk.split(b"\n")
        if len(lines) == 1:
            self.hold(chunk)
            return []
        if self.held or self.skipping:
            del chunk
            lines[0] = self.finish(lines[0])
        tail = lines.pop()
        if tail:
            self.hold(tail)
        if CHUNK_SIZE > self.limit:
            lines = [line if len(line) <= self.limit else self.new_overlong(line) for line in lines]
        return lines

    def hold(self, part: bytes) -> None:
        if self.skipping:
            return
        self.parts.append(part)
        self.held += len(part)
        if self.held > self.limit:
            self.skipping = True
            self.beginning = b"".join(self.parts[:BEGINNING_SIZE])[:BEGINNING_SIZE]
            self.parts.clear()
            self.held = 0

    def finish(self, last: bytes) -> bytes:
        """Return the whole line that ends with ``last``."""
        self.hold(last)
        if self.skipping:
            self.skipping = False
            return self.new_overlong(self.beginning)
        line = b"".join(self.parts)
        self.parts.clear()
        self.held = 0
        return line

    def new_overlong(self, beginning: bytes) -> bytes:
        from .jsonrpc import OverlongLine

        line = OverlongLine()
        line.limit, line.beginning = self.limit, beginning[:BEGINNING_SIZE]
        return line

    def end(self) -> "List[bytes]":
        """Return what stood before the end of input without a line feed, as one ``UnterminatedLine``, or nothing."""
        if not self.held:
            return []
        from .jsonrpc import UnterminatedLine

        return [UnterminatedLine(self.finish(b""))]


class FdChannel:
    """A channel over two descriptors of this process: pipes, sockets, files, terminals."""

    def __init__(self, read_fd: int, write_fd: int, limit: int = DEFAULT_LINE_LIMIT) -> None:
        self.read_fd, self.write_fd = read_fd, write_fd
        self.splitter = LineSplitter(limit)
        self.at_end = self.write_failed = False

    def read(self, timeout: "Optional[float]" = None) -> "Optional[List[bytes]]":
        """Wait for lines, at most ``timeout`` seconds (None: for ever). See (4)."""
        if self.at_end:
            return None
        if timeout is not None and not wait_readable(self.read_fd, timeout):
            return []
        try:
            chunk = os.read(self.read_fd, CHUNK_SIZE)
        except BlockingIOError:                             # the host handed over a non-blocking pipe
            if timeout is None:
                wait_readable(self.read_fd, None)
            return []
        except OSError:                                     # a terminal or pipe that is gone: the same as its end
            chunk = b""
        if chunk:
            return self.splitter.feed(chunk)
        self.at_end = True
        return self.splitter.end()

    def write(self, data: bytes) -> None:
        """Write all of ``data``; raises ``BrokenPipeError`` when nobody reads any more."""
        if self.write_failed:
            raise BrokenPipeError("the other end has closed")
        try:
            written = os.write(self.write_fd, data)
            if written < len(data):
                self.write_rest(memoryview(data), written)
        except BlockingIOError:
            self.write_rest(memoryview(data), 0)
        except OSError as error:
            self.fail_write(error)

    def write_rest(self, view: "memoryview", written: int) -> None:
        while written < len(view):
            try:
                written += os.write(self.write_fd, view[written:])
            except BlockingIOError:
                wait_writable(self.write_fd)
            except OSError as error:
                self.fail_write(error)

    def fail_write(self, error: OSError) -> None:
        """Nobody reads any more (EPIPE, on Windows EINVAL too), and there is nobody to tell; a full disk is told (stderr)."""
        self.write_failed = True
        if not ON_WINDOWS and not isinstance(error, (BrokenPipeError, ConnectionError)) and error.errno != EIO:
            complain("the output cannot be written, so this server ends: %s" % error)
        raise BrokenPipeError("the other end has closed") from error

    def close(self) -> None:
        os.close(self.read_fd)
        os.close(self.write_fd)


def wait_readable(descriptor: int, timeout: "Optional[float]") -> bool:
    """Wait until ``descriptor`` has bytes or its end, at most ``timeout`` seconds (None: for ever)."""
    if ON_WINDOWS:
        from .stdio_windows import wait_readable_windows

        return wait_readable_windows(descriptor, timeout)
    import select

    try:
        poll = select.poll()
    except AttributeError:                                  # no poll() on this platform
        return bool(select.select([descriptor], [], [], timeout)[0])
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(None if timeout is None else max(0, int(timeout * 1000 + 0.999))))


def wait_writable(descriptor: int) -> None:
    if ON_WINDOWS:
        time.sleep(0.005)
        return
    import select

    select.select([], [descriptor], [])


FORK_LEAVERS: "List[Callable[[], Any]]" = []    # what a forked copy of this process does before anything else (5)
FORKS_WATCHED: "List[bool]" = []


def watch_forks(leave: "Callable[[], Any]") -> None:
    """Call ``leave`` in every copy of this process that ``os.fork`` makes, until ``unwatch_forks``."""
    FORK_LEAVERS.append(leave)
    if not FORKS_WATCHED and hasattr(os, "register_at_fork"):
        FORKS_WATCHED.append(True)                          # once: it cannot be taken back
        os.register_at_fork(before=hold_signals, after_in_parent=release_signals, after_in_child=leave_forked)


def unwatch_forks(leave: "Callable[[], Any]") -> None:
    if leave in FORK_LEAVERS:
        FORK_LEAVERS.remove(leave)


def leave_forked() -> None:
    while FORK_LEAVERS:
        FORK_LEAVERS.pop()()
    release_signals()


HELD_SIGNALS: "List[Any]" = []      # the masks to go back to, of forks under way


def hold_signals() -> None:
    """Python forgets a signal that a copy gets before it is ready; held back, it meets the handler that the copy then has."""
    import _signal  # type: ignore[import-not-found,unused-ignore]

    if FORK_LEAVERS and hasattr(_signal, "pthread_sigmask"):
        HELD_SIGNALS.append(_signal.pthread_sigmask(_signal.SIG_BLOCK, (_signal.SIGTERM, _signal.SIGINT)))


def release_signals() -> None:
    if HELD_SIGNALS:
        import _signal  # type: ignore[import-not-found,unused-ignore]

        _signal.pthread_sigmask(_signal.SIG_SETMASK, HELD_SIGNALS.pop())


class OwnedStdio:
    """Standard input and output taken for the protocol (2). ``take`` at once, ``give_back`` at the end."""

    def __init__(self) -> None:
        self.read_fd = self.write_fd = -1
        self.stdout_settings: "Optional[Tuple[Any, Any]]" = None

    @classmethod
    def take(cls) -> "OwnedStdio":
        """Raises ``RuntimeError`` where this interpreter has no standard input or output."""
        owned = cls()
        if TAKEN:
            raise RuntimeError("standard input and output serve a client already: one run() or poll() at a time")
        if sys.stdin is None or sys.stdout is None:
            raise RuntimeError(NO_STDIO_TEXT)
        null = os.open(os.devnull, os.O_RDWR)               # lands on 0, 1 or 2 where that is closed
        try:
            if null < 2:
                raise OSError("descriptor %d is closed" % null)
            owned.read_fd = os.dup(0)
            owned.write_fd = os.dup(1)
        except OSError as error:
            os.close(null)
            if owned.read_fd >= 0:
                os.close(owned.read_fd)
            raise RuntimeError(NO_STDIO_TEXT) from error
        os.dup2(null, 0)
        os.dup2(2, 1)
        if null > 2:                                        # else there was no standard error: now it is the null device
            os.close(null)
        if ON_WINDOWS:
            from .stdio_windows import set_binary_mode

            set_binary_mode(owned.read_fd, owned.write_fd)
        owned.redirect_python()
        TAKEN.append(owned)
        watch_forks(owned.leave)
        return owned

    def leave(self) -> None:
        """In a forked copy: what it still writes goes nowhere, and the host sees the end when we end, whoever lives on."""
        null = os.open(os.devnull, os.O_RDWR)
        for descriptor in (self.read_fd, self.write_fd):
            os.dup2(null, descriptor, False)
        os.close(null)

    def redirect_python(self) -> None:
        """What Python has pending goes to standard error now, and what it prints later goes there line by line and never raises."""
        flush_quietly(sys.stdout)
        if hasattr(sys.stdout, "reconfigure"):
            self.stdout_settings = (sys.stdout.errors, sys.stdout.line_buffering)
            reconfigure_quietly(sys.stdout, "backslashreplace", True)

    def give_back(self) -> None:
        unwatch_forks(self.leave)
        TAKEN.remove(self)
        flush_or_drop(sys.stdout, 1)                        # standard error is full or gone: what was printed is lost, not sent
        flush_or_drop(sys.stderr, 2)                        # else the interpreter waits for it at its end
        if self.stdout_settings is not None and hasattr(sys.stdout, "reconfigure"):
            reconfigure_quietly(sys.stdout, *self.stdout_settings)
        os.dup2(self.read_fd, 0)
        os.dup2(self.write_fd, 1)
        os.close(self.read_fd)
        os.close(self.write_fd)


NO_STDIO_TEXT = ("run() needs a standard input and output, and this interpreter has none: "
                 "use serve(reader, writer) with two binary streams")


TAKEN: "List[OwnedStdio]" = []      # the one that has them


def complain(text: str) -> None:
    """One line on standard error, where that takes it at once."""
    line = ("mcplite: %s\n" % text).encode("utf-8", "backslashreplace")
    try:
        without_waiting(2, lambda: os.write(2, line))
    except OSError:
        pass


def flush_or_drop(stream: "Any", descriptor: int) -> None:
    """Flush ``stream``; where ``descriptor`` is full, gone or closed, what it holds goes nowhere, so that nothing waits for it."""
    until = monotonic() + STUCK_SECONDS
    kept = -1
    try:
        while not without_waiting(descriptor, lambda: flush_quietly(stream)):
            if monotonic() >= until:
                break
            time.sleep(0.01)
        else:
            return
        kept = os.dup(descriptor)
    except OSError:                                         # it is closed
        pass
    null = os.open(os.devnull, os.O_RDWR)
    if null != descriptor:
        os.dup2(null, descriptor)
        os.close(null)
    flush_quietly(stream)
    if kept >= 0:
        os.dup2(kept, descriptor)
        os.close(kept)


def without_waiting(descriptor: int, function: "Callable[[], Any]") -> "Any":
    """Call ``function`` while ``descriptor`` takes only what has room: a pipe or socket, whose end here nobody else waits on."""
    kind = os.fstat(descriptor).st_mode & 0o170000
    if ON_WINDOWS or kind not in (0o010000, 0o140000) or not os.get_blocking(descriptor):
        return function()
    os.set_blocking(descriptor, False)
    try:
        return function()
    finally:
        os.set_blocking(descriptor, True)


def flush_quietly(stream: "Any") -> bool:
    """Return false when the stream could not get rid of what it holds."""
    try:
        stream.flush()
    except Exception:                                       # whatever a tool has put there
        return False
    return True


def reconfigure_quietly(stream: "Any", errors: str, line_buffering: bool) -> None:
    """In two steps: where standard output was a file and is now a pipe, Python sets ``errors``, then fails to ask its position."""
    for settings in ({"errors": errors}, {"line_buffering": line_buffering}):
        try:
            stream.reconfigure(**settings)
        except (OSError, ValueError):                       # ValueError: it was closed
            pass


class TermSignals:
    """While a process serves, SIGTERM ends it like Ctrl+C does: one signal, quietly, through every ``finally``."""

    def __init__(self) -> None:
        self.saved: "List[Tuple[int, Any]]" = []

    def take(self) -> None:
        import _signal  # type: ignore[import-not-found,unused-ignore]

        for name in ("SIGTERM", "SIGINT"):
            number = getattr(_signal, name, None)
            if number is None:
                continue
            try:
                previous = _signal.getsignal(number)
                if previous is _signal.default_int_handler or previous == _signal.SIG_DFL:
                    self.saved.append((number, _signal.signal(number, raise_shutdown)))
            except ValueError:                              # not the main thread: signals are somebody else's
                return
        watch_forks(self.give_back)

    def give_back(self) -> None:
        """Put back the handlers that were there; in a forked copy too, which ends as any process does (5)."""
        unwatch_forks(self.give_back)
        STOP_ASKED.clear()
        if self.saved:
            import _signal  # type: ignore[import-not-found,unused-ignore]

            while self.saved:
                number, previous = self.saved.pop()
                _signal.signal(number, previous)


STOP_ASKED: "List[int]" = []        # exit statuses that signals ask for: a tool's bare ``except:`` does not make them undone


def raise_shutdown(signum: int, frame: "Any") -> None:
    STOP_ASKED.append(128 + signum)
    raise Shutdown(128 + signum)
