"""Channels that read and write at the same time: what a client needs, whose server may write while it reads.

Here: the two kinds, over descriptors that can be watched together and over those that cannot. Not here: what a line means
(``session``), the channel of a server (``stdio``).

Page: basic/transports (stdio) of every revision.

1. Reading and writing never wait for each other: ``write`` takes the bytes and returns, ``read`` moves both directions.
2. Who owns the descriptors closes them: ``end_input`` and ``end_output`` are given the function that does.
"""
import os

from ..stdio import CHUNK_SIZE, DEFAULT_LINE_LIMIT, ON_WINDOWS, LineSplitter, monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Union

STOP_SECONDS = 0.5              # how long a thread that reads may take to stop
QUEUED_CHUNKS = 64
POLL_SECONDS = 86400.0          # poll() counts milliseconds in a C int: a longer time is waited in parts


class DuplexChannel:
    """What both kinds are: lines out of chunks; ``move`` waits until something has moved, false when the time was up."""

    def __init__(self, read_fd: int, write_fd: int, limit: int = DEFAULT_LINE_LIMIT, first: bytes = b"") -> None:
        self.read_fd, self.write_fd = read_fd, write_fd
        self.splitter = LineSplitter(limit)
        self.lines: "List[bytes]" = self.splitter.feed(first) if first else []
        self.at_end = self.write_failed = False

    def read(self, timeout: "Optional[float]" = None) -> "Optional[List[bytes]]":
        """Wait for lines at most ``timeout`` seconds (None: for ever); ``[]`` when the time was up, ``None`` at the end."""
        until = None if timeout is None else monotonic() + timeout
        while not self.lines:
            if self.at_end:
                return None
            left = None if until is None else until - monotonic()
            if not self.move(left) and left is not None and left <= 0:
                return []
        lines, self.lines = self.lines, []
        return lines

    def take_chunk(self, chunk: bytes) -> None:
        """Cut what was read into lines; nothing is the end."""
        if chunk:
            self.lines += self.splitter.feed(chunk)
        else:
            self.at_end = True
            self.lines += self.splitter.end()

    def move(self, timeout: "Optional[float]") -> bool:
        raise NotImplementedError


class PollChannel(DuplexChannel):
    """Both descriptors are watched with ``poll``; POSIX. They are made non-blocking until ``give_back``."""

    def __init__(self, read_fd: int, write_fd: int, limit: int = DEFAULT_LINE_LIMIT, first: bytes = b"") -> None:
        super().__init__(read_fd, write_fd, limit, first)
        self.unwritten: "List[memoryview]" = []
        self.blocking = [(descriptor, os.get_blocking(descriptor)) for descriptor in (read_fd, write_fd)]
        for descriptor, _ in self.blocking:
            os.set_blocking(descriptor, False)

    def give_back(self) -> None:
        for descriptor, blocking in self.blocking:
            try:
                os.set_blocking(descriptor, blocking)
            except OSError:                                 # closed meanwhile
                pass

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
        self.take_chunk(chunk)

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


class ThreadChannel(DuplexChannel):
    """The same over two descriptors that cannot be watched (pipes on Windows): one thread reads, one writes (1)."""

    def __init__(self, read_fd: int, write_fd: int, limit: int = DEFAULT_LINE_LIMIT) -> None:
        import queue
        import threading

        super().__init__(read_fd, write_fd, limit)
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

    def move(self, timeout: "Optional[float]") -> bool:
        """Take in one chunk; waits in slices, since Windows does not let Ctrl+C interrupt a wait for a lock."""
        try:
            if timeout is not None and timeout <= 0:
                chunk = self.incoming.get(False)
            else:
                chunk = self.incoming.get(True, 0.1 if timeout is None else min(timeout, 0.1))
        except self.no_chunk:
            return False
        self.take_chunk(chunk)
        return True

    def write(self, data: bytes) -> None:
        """As ``PollChannel.write``."""
        if not self.write_failed:
            self.outgoing.put(data)

    def drain(self, timeout: "Optional[float]" = None) -> bool:
        """As ``PollChannel.drain``."""
        written = self.new_event()
        self.outgoing.put(written.set)
        until = None if timeout is None else monotonic() + timeout
        while not written.wait(0.005):
            if self.at_end or until is not None and monotonic() >= until:
                return False
            self.move(0)
        return not self.write_failed

    def end_input(self, close: "Callable[[], Any]") -> None:
        """As ``PollChannel.end_input``; the thread that writes closes, since it may be writing."""
        self.write_failed = True
        self.outgoing.put(close)
        self.outgoing.put(None)

    def end_output(self, close: "Callable[[], Any]") -> None:
        """As ``PollChannel.end_output``; where the thread that reads cannot stop yet, it closes later."""
        self.at_end, self.close_output = True, close
        until = monotonic() + STOP_SECONDS
        self.writing.join(STOP_SECONDS)
        while self.reading.is_alive() and monotonic() < until:
            try:
                self.incoming.get(True, 0.01)               # it may wait for room
            except self.no_chunk:
                pass
        if not self.reading.is_alive():
            close()


def new_duplex(read_fd: int, write_fd: int, limit: int, threads: bool) -> "Union[PollChannel, ThreadChannel]":
    """Return the channel for two descriptors: watched where the platform can, else with threads."""
    if threads or not can_watch():
        return ThreadChannel(read_fd, write_fd, limit)
    return PollChannel(read_fd, write_fd, limit)


def can_watch() -> bool:
    if ON_WINDOWS:
        return False
    import select

    return hasattr(select, "poll")
