"""One line and one message: what a message may look like, how one is built, and what one is once it was read.

Here: ids; the texts of results, errors, requests and notifications; the events that a line comes to, either role.
Not here: how a line comes to be one of them, which revision is in force (``session``), what a method means.

Pages: basic/index ("Messages") of every revision; JSON-RPC 2.0, sections 4 and 5.

1. Every text built here is one message and ends in LF. A response has ``jsonrpc``, ``id`` and ``result`` or ``error``, nothing
   else: some clients silently drop a response with any further member, and wait for it for ever.
2. An id is a string or an integer and goes back with the same value and type. ``0`` and ``""`` are ids: no truth tests. What
   cannot go back so (a float, a string with half of a surrogate pair) is no id: no answer carries an id that nobody sent.
3. A handler holds its ``Request`` (as a ``Context``): what begins with an underscore there is for this package alone.
"""
from .codec import encode, quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Union

    from .revisions import Revision


def is_id(value: "Any") -> bool:
    """True for what may be a request id or a progress token: a string, or an integer (a bool is none); see rule 2."""
    return value.__class__ is int or value.__class__ is str and (value.isascii() or is_whole_text(value))


def is_whole_text(text: str) -> bool:
    """False for text with a lone surrogate: it would leave as another text."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def same_id(one: "Any", other: "Any") -> bool:
    """True where both are the same id: ``1`` and ``"1"`` are two."""
    return one.__class__ is other.__class__ and bool(one == other)


def encode_id(value: "Any") -> str:
    return "%d" % value if value.__class__ is int else quote(value)


def new_result(request_id: "Any", result: str) -> str:
    """Return the response line; ``result`` is JSON text already."""
    if request_id.__class__ is not int:
        request_id = quote(request_id)
    return f'{{"jsonrpc":"2.0","id":{request_id},"result":{result}}}\n'


def new_error(request_id: "Any", code: int, message: str, data: "Any" = None) -> str:
    """Return the error response line to a request whose id could be read."""
    return '{"jsonrpc":"2.0","id":%s,"error":%s}\n' % (encode_id(request_id), encode(new_error_object(code, message, data)))


def new_error_without_id(code: int, message: str, null_id: bool) -> str:
    """Return the error line where no id could be read: ``"id": null`` up to 2025-06-18, no id member from 2025-11-25 on."""
    return '{"jsonrpc":"2.0",%s"error":%s}\n' % ('"id":null,' if null_id else "", encode(new_error_object(code, message, None)))


def new_error_object(code: int, message: str, data: "Any") -> "Dict[str, Any]":
    error: "Dict[str, Any]" = {"code": code, "message": message}
    if data is not None:
        error["data"] = data
    return error


def new_request(request_id: "Any", method: str, params: "Optional[Dict[str, Any]]") -> str:
    """Return the request line; ``params`` None leaves the member out."""
    if params is None:
        return '{"jsonrpc":"2.0","id":%s,"method":%s}\n' % (encode_id(request_id), quote(method))
    return '{"jsonrpc":"2.0","id":%s,"method":%s,"params":%s}\n' % (encode_id(request_id), quote(method), encode(params))


def new_notification(method: str, params: "Optional[Dict[str, Any]]" = None) -> str:
    """Return the notification line; ``params`` None leaves the member out."""
    if params is None:
        return '{"jsonrpc":"2.0","method":%s}\n' % quote(method)
    return '{"jsonrpc":"2.0","method":%s,"params":%s}\n' % (quote(method), encode(params))


# What comes in: the events of one line


class Request:
    """A request of the peer: its ``id``, ``method``, ``params``, the ``_row`` of its revision, its ``meta``."""

    __slots__ = ("_batch", "_cancelled", "_deadline", "_ended", "_last_progress", "_peer", "_rounds", "_row", "_timed_out",
                 "id", "meta", "method", "params")

    if TYPE_CHECKING:
        _peer: "Any"                                        # set when its handler is about to run

    def __init__(self, request_id: "Any", method: str, params: "Dict[str, Any]", row: "Optional[Revision]",
                 meta: "Dict[str, Any]") -> None:
        self.id = request_id
        self.method = method
        self.params = params
        self.meta = meta
        self._row = row
        self._ended = False
        self._cancelled = False
        self._batch: "Optional[Batch]" = None
        self._last_progress: "Optional[float]" = None
        self._deadline: "Optional[float]" = None            # on the monotonic clock, in seconds
        self._timed_out = False                             # TimeLimit was raised, whatever became of it
        self._rounds: "Any" = None                          # questions and answers that travel across requests (2026-07-28)


class Notification:
    __slots__ = ("method", "params")

    def __init__(self, method: str, params: "Dict[str, Any]") -> None:
        self.method, self.params = method, params


class Response:
    """An answer to a request of ours: ``result``, or ``error`` (a dict) where that is not None."""

    __slots__ = ("error", "id", "result")

    def __init__(self, response_id: "Any", result: "Any", error: "Any") -> None:
        self.id, self.result, self.error = response_id, result, error


class Batch:
    """The messages of one array (2025-03-26 only): its ``events``, and their answers as they come in."""

    __slots__ = ("events", "texts", "waiting")

    def __init__(self, events: "List[Event]") -> None:
        self.events = events
        self.waiting = sum(isinstance(event, (Request, str)) for event in events)
        self.texts: "List[str]" = []
        for event in events:
            if isinstance(event, Request):
                event._batch = self

    def add(self, text: str) -> str:
        """Take one answer (a line; empty for a cancelled request); return the whole line with the last one, else an empty text."""
        if text:
            self.texts.append(text.rstrip("\n"))
        self.waiting -= 1
        return "[%s]\n" % ",".join(self.texts) if self.waiting == 0 and self.texts else ""


if TYPE_CHECKING:
    # str: a line to be written back at once, the error for a message that was no message
    Event = Union[Request, Notification, Response, Batch, str, None]


# What a channel hands over in place of a whole line (basic/transports, stdio)


class UnterminatedLine(bytes):
    """The last bytes before the end of input, without a line feed: a message, or one that was cut off."""


class OverlongLine(bytes):
    """Stands, empty, for a line over the limit whose bytes were skipped; ``limit`` says the limit in bytes, ``beginning`` is
    what was kept of it."""

    limit = 0
    beginning = b""
