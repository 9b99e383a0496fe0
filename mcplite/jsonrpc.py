"""One line and one message: what a message may look like, and how one is built.

Here: ids, and the texts of results, errors, requests and notifications.
Not here: what a method means, which revision is in force (``session``).

Pages: basic/index ("Messages") of every revision; JSON-RPC 2.0, sections 4 and 5.

1. Every text built here is one message and ends in LF. A response has ``jsonrpc``, ``id`` and ``result`` or ``error``, nothing
   else: some clients silently drop a response with any further member, and wait for it for ever.
2. An id is a string or an integer and goes back with the same value and type. ``0`` and ``""`` are ids: no truth tests. What
   cannot go back so (a float, a string with half of a surrogate pair) is no id: no answer carries an id that nobody sent.
"""
from .codec import encode, quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Optional


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
