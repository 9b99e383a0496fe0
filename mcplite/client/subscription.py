"""One open stream of changes (2026-07-28).

Here: ``Subscription``, and the two ways in which a server ends one. Not here: how one is opened, what comes on it (``news``).

Page: basic/patterns/subscriptions (2026-07-28).
"""
from ..errors import McpError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Optional

    from .callbacks import Callback


class Subscription:
    """One open ``subscriptions/listen``: ``id``; ``agreed``, the filter that the server serves (None before it has said so);
    ``ended``; ``reason``, why; ``error``, an ``McpError`` where the server refused. A context manager."""

    def __init__(self, peer: "Any", stream_id: int, on_change: "Callback") -> None:
        self._peer, self.id, self._on_change = peer, stream_id, on_change
        self.agreed: "Optional[Dict[str, Any]]" = None
        self.ended = False
        self.reason = ""
        self.error: "Optional[McpError]" = None

    def close(self) -> None:
        """Cancel it; a second call does nothing."""
        if not self.ended:
            end_stream(self, "closed by this client")
            if not self._peer.at_end:
                self._peer.cancel(self.id, "no longer wanted")

    def __enter__(self) -> "Subscription":
        return self

    def __exit__(self, *failure: "Any") -> None:
        self.close()


def end_stream(stream: Subscription, reason: str) -> None:
    stream.ended, stream.reason = True, reason
    stream._peer.streams.pop(stream.id, None)


def take_end(stream: Subscription, response: "Any") -> None:
    """The server has answered: it closes the stream ("Graceful Closure"), or it never opened it."""
    try:
        stream._peer.read_answer(response, "subscriptions/listen")
        end_stream(stream, "closed by the server")
    except McpError as error:
        stream.error = error
        end_stream(stream, "refused by the server" if stream.agreed is None else "closed by the server with an error")
