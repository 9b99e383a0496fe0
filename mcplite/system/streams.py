"""Channels that are no pair of descriptors: over binary streams, and between two ends in one thread.

Here: ``StreamChannel`` (``serve(reader, writer)``), ``MemoryChannel`` (tests, and a client with a server in the same process).
Loaded only where one is needed: most servers run over descriptors. Not here: what a line means.

Pages: basic/transports (stdio; custom transports) of every revision.

1. ``read`` and ``write`` keep the rules at the head of ``stdio``.
2. In memory nobody waits: reading from an empty inbox runs the other end one step.
"""
from __future__ import annotations

import os
import sys
import time

from ..stdio import CHUNK_SIZE, DEFAULT_LINE_LIMIT, LineSplitter, monotonic, wait_readable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, List, Optional, Tuple


class StreamChannel:
    """A channel over a pair of binary streams: ``io.BytesIO``, a socket's ``makefile``, raw files, anything with read and write."""

    def __init__(self, reader: "Any", writer: "Any", limit: int = DEFAULT_LINE_LIMIT) -> None:
        self.reader, self.writer = reader, writer
        self.splitter = LineSplitter(limit)
        self.at_end = self.write_failed = False
        self.read_some = find_read_some(reader)
        self.read_fd = find_descriptor(reader)

    def read(self, timeout: "Optional[float]" = None) -> "Optional[List[bytes]]":
        """Wait for lines. A stream without a descriptor cannot be waited for: then ``timeout`` is not kept."""
        if self.at_end:
            return None
        if timeout is not None and not self.is_ready(timeout):
            return []
        chunk = self.read_some()
        if chunk is None:                                   # a raw stream in non-blocking mode
            if timeout is None and self.read_fd is not None:
                wait_readable(self.read_fd, None)
            return []
        if chunk:
            return self.splitter.feed(chunk)
        self.at_end = True
        return self.splitter.end()

    def is_ready(self, timeout: float) -> bool:
        if self.read_fd is None:
            return timeout > 0 or self.reader.__class__.__name__ == "BytesIO"
        peek = getattr(self.reader, "peek", None)
        if peek is not None and has_buffered(self.reader, self.read_fd):
            return True
        return wait_readable(self.read_fd, timeout)

    def write(self, data: bytes) -> None:
        if self.write_failed:
            raise BrokenPipeError("the other end has closed")
        try:
            view = memoryview(data)
            written = self.writer.write(view)
            while written is not None and written < len(view):
                view = view[written:]
                written = self.writer.write(view)
            flush = getattr(self.writer, "flush", None)
            if flush is not None:
                flush()
        except (OSError, ValueError) as error:              # ValueError: the stream was closed
            self.write_failed = True
            raise BrokenPipeError("the other end has closed") from error

    def close(self) -> None:
        """The streams belong to the caller: nothing to do."""


class MemoryChannel:
    """One end of a conversation inside one process and thread: reading from an empty inbox runs the other end one step."""

    read_fd = None

    def __init__(self) -> None:
        self.inbox: "List[bytes]" = []
        self.other: "Optional[MemoryChannel]" = None
        self.step: "Callable[[], Any]" = lambda: None       # runs this end once; set by whoever joins the two
        self.closed = False

    def read(self, timeout: "Optional[float]" = None) -> "Optional[List[bytes]]":
        other = self.other
        assert other is not None
        if not self.inbox and not other.closed:
            other.step()
        if self.inbox:
            return self.take_lines()
        return None if other.closed else []

    def take_lines(self) -> "List[bytes]":
        """Return the lines that are there, without running the other end."""
        lines = b"".join(self.inbox).split(b"\n")[:-1]
        self.inbox.clear()
        return lines

    def write(self, data: bytes) -> None:
        other = self.other
        assert other is not None
        if other.closed:
            raise BrokenPipeError("the other end has closed")
        other.inbox.append(data)

    def close(self) -> None:
        self.closed = True


class PatientMemory(MemoryChannel):
    """The end of a client: where the server has nothing to say now, its timers are given time."""

    write_failed = False

    def read(self, timeout: "Optional[float]" = None) -> "Optional[List[bytes]]":
        until = None if timeout is None else monotonic() + timeout
        while True:
            lines = super().read(timeout)
            if lines or lines is None:
                return lines
            if until is not None and monotonic() >= until:
                return []
            time.sleep(0.001)


def new_memory_pair(ours: "Optional[MemoryChannel]" = None) -> "Tuple[MemoryChannel, MemoryChannel]":
    """Return two joined ends: ``ours``, or a plain one, and the other."""
    one, two = MemoryChannel() if ours is None else ours, MemoryChannel()
    one.other, two.other = two, one
    return one, two


def find_read_some(reader: "Any") -> "Callable[[], Any]":
    """Return a function that blocks for the next bytes of ``reader`` and returns those there are (b"" at the end)."""
    for name in ("read1", "recv"):
        function = getattr(reader, name, None)
        if function is not None:
            return lambda: function(CHUNK_SIZE)
    if isinstance_raw(reader):
        return lambda: reader.read(CHUNK_SIZE)
    if hasattr(reader, "readline"):
        return lambda: reader.readline()
    return lambda: reader.read(1)


def isinstance_raw(reader: "Any") -> bool:
    """True for an unbuffered stream, whose ``read(n)`` returns as soon as there is anything."""
    io = sys.modules.get("io")
    return io is not None and isinstance(reader, io.RawIOBase)


def find_descriptor(stream: "Any") -> "Optional[int]":
    try:
        descriptor = stream.fileno()
    except (AttributeError, OSError, ValueError):
        return None
    return descriptor if descriptor.__class__ is int and descriptor >= 0 else None


def has_buffered(reader: "Any", read_fd: int) -> bool:
    """True where a buffered reader already holds bytes; ``peek`` may read once from a descriptor that is ready, and no more.

    Windows cannot ask without waiting: there, what somebody read ahead before us comes with the next bytes that arrive.
    """
    if not wait_readable(read_fd, 0):
        if not hasattr(os, "set_blocking"):
            return False
        blocking = os.get_blocking(read_fd)
        os.set_blocking(read_fd, False)
        try:
            return bool(reader.peek(1))
        finally:
            os.set_blocking(read_fd, blocking)
    return True
