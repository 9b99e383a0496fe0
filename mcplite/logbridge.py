"""Python's own log records as MCP log messages.

Here: the ``logging.Handler`` behind ``Server.logging_handler``. Loaded only by a server that asks for it, since ``logging``
costs 13 ms to import. Not here: which messages a client wants (``context``).

Pages: server/utilities/logging of every revision.

1. A record never breaks what is running: whatever goes wrong while sending is left to ``logging``'s own error handling.
2. The peer belongs to one thread: a record from another thread waits until the loop comes round.
"""
from __future__ import annotations

from .context import LOG_RANKS, find_log_rank, new_log_message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from logging import Handler, LogRecord
    from typing import Any, Callable, List, Tuple

    from .peer import Peer

# lowest number of Python's levels → the protocol's name
RECORD_LEVELS = ((50, "critical"), (40, "error"), (30, "warning"), (25, "notice"), (20, "info"), (0, "debug"))


def find_record_level(number: int) -> str:
    return next((name for least, name in RECORD_LEVELS if number >= least), "debug")


def new_logging_handler(level: int, connections: "List[Any]", before_wait: "List[Callable[[], Any]]") -> "Handler":
    """Return a handler that sends each record to the client of the request being served, or to every handshake session.

    ``connections`` and ``before_wait`` are the server's: whom it serves, and what is run each time before it waits.
    """
    import logging
    from threading import get_ident

    class McpLoggingHandler(logging.Handler):
        def __init__(self) -> None:
            super().__init__(level)
            self.waiting: "List[Tuple[str, str, str]]" = []
            self.thread = get_ident()

        def emit(self, record: "LogRecord") -> None:
            try:
                item = find_record_level(record.levelno), self.format(record), record.name
                if get_ident() != self.thread:
                    self.waiting.append(item)
                    return
                self.send_waiting()
                self.send_to_all(*item)
            except Exception:
                self.handleError(record)

        def send_waiting(self) -> None:
            while self.waiting:
                self.send_to_all(*self.waiting.pop(0))

        def send_to_all(self, name: str, text: str, logger: str) -> None:
            for connection in list(connections):
                send_record(connection.peer, name, text, logger)

    handler = McpLoggingHandler()
    before_wait.append(handler.send_waiting)
    return handler


def send_record(peer: "Peer", level: str, text: str, logger: str) -> None:
    """Send one record: with the running request where there is one, else on the session's level."""
    if peer.running:
        wanted = find_log_rank(peer.running[-1])
    elif peer.session.row is not None:
        wanted = LOG_RANKS[peer.session.log_level]
    else:
        return
    if LOG_RANKS[level] >= wanted:
        peer.send(new_log_message(level, text, logger))
