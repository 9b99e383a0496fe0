"""The ways to a server: what a client holds at its end, whatever is at the other.

Here: a link over two streams, one to a ``Server`` object in this process, what is left of a closed one; which of them a target
means. Not here: a process (``system.child``), what a line means (``lines``).

Pages: basic/transports (stdio; custom transports) of every revision.

1. A link has a ``channel``, says what became of the other end (``describe``, ``details``, ``data``), and closes what is its own.
"""
from __future__ import annotations

from ..stdio import CHUNK_SIZE
from ..system.child import ChildProcess  # at once: it must be there when descriptors run out
from ..system.duplex import PollChannel, can_watch
from ..system.streams import PatientMemory, StreamChannel, find_descriptor, has_buffered, new_memory_pair

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict


class Link:
    """What links have in common; ``ChildProcess`` has the same methods, and more to say."""

    kind = "closed"
    ending = "this client was closed"
    tail = ""
    channel: "Any" = None

    def describe(self) -> str:
        """Say in a few words what has become of the server."""
        return self.ending

    def details(self) -> str:
        """What helps to find out why, for an error text."""
        return ""

    def data(self) -> "Dict[str, Any]":
        """The same for programs."""
        return {}

    def read_tail(self) -> str:
        """Return the end of the server's standard error."""
        return self.tail

    def rest(self) -> None:
        """Called now and then: nothing grows here."""

    def close(self, seconds: float) -> None:
        """Close what is our own; waits at most ``seconds`` for each step."""


class StreamPair(Link):
    """A server at the other end of two binary streams, which belong to the caller: closing leaves them open."""

    kind = "streams"
    ending = "the server closed its output"

    def __init__(self, reader: "Any", writer: "Any", limit: int) -> None:
        read_fd, write_fd = find_descriptor(reader), find_descriptor(writer)
        self.streams = reader, writer                       # kept: their descriptors are in use
        if read_fd is None or write_fd is None or not can_watch():
            self.channel = StreamChannel(reader, writer, limit)
            return
        first = b""
        if hasattr(reader, "peek") and has_buffered(reader, read_fd):
            first = reader.read1(CHUNK_SIZE)
        if hasattr(writer, "flush"):
            writer.flush()
        self.channel = PollChannel(read_fd, write_fd, limit, first)

    def close(self, seconds: float) -> None:
        if hasattr(self.channel, "give_back"):
            self.channel.drain(seconds)
            self.channel.give_back()


class ServerInMemory(Link):
    """A ``Server`` object in this process and thread: reading from it runs it one step."""

    kind = "memory"
    ending = "the server has ended"

    def __init__(self, server: "Any") -> None:
        self.server = server
        self.channel, theirs = new_memory_pair(PatientMemory())
        self.connection = server._core.connect(theirs)
        theirs.step = lambda: self.connection.peer.serve_once(0)

    def close(self, seconds: float) -> None:
        self.channel.close()
        if self.connection in self.server._core.connections:
            self.server._core.connections.remove(self.connection)
            self.connection.end()
            self.connection.peer.stop_ticking()


def new_link(target: "Any", env: "Any", inherit_env: bool, cwd: "Any", stderr: "Any", line_limit: int) -> "Any":
    """Return the way to ``target``: a process, a pair of streams, a server in this process, or what a function makes."""
    if callable(target):
        return target()
    if isinstance(target, tuple) and len(target) == 2 and hasattr(target[0], "read") and hasattr(target[1], "write"):
        return StreamPair(target[0], target[1], line_limit)
    if hasattr(target, "_core"):
        return ServerInMemory(target)
    return ChildProcess(target, env, inherit_env, cwd, stderr, line_limit)
