"""What one end of a conversation knows, either role: a line in, an event out; something to send in, a line out.

Here: parsing and checking of messages, the era of each request, negotiation, ids of our own requests, log level,
subscriptions. Not here: bytes on descriptors (``stdio``), the order in which events are served (``peer``), what a method
does (``server``, ``client``). Pure: no descriptor, clock or randomness.

Pages: basic/index, basic/lifecycle, basic/transports (2024-11-05 to 2025-11-25); basic/index, basic/versioning,
basic/transports/stdio (2026-07-28).

1. ``receive`` never raises for what a peer sent: any bytes give an event, or None where there is nothing to do. All of it
   stands in one ``try``, and ``session_unusual.receive_unreadable`` makes an event of whatever goes wrong there.
2. The era is read off each request: ``_meta`` with a protocol version means stateless, anything else belongs to the handshake.
3. ``initialize`` takes effect when it is read, not when it is served: the lines behind it are read under its revision.
4. A notification and a response are never answered, however wrong they are.
5. What is refused has no effect: nothing is kept of a message before the last check of it has passed.
"""
from .codec import decode, encode
from .errors import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    UNSUPPORTED_VERSION,
    InvalidResult,
)
from .jsonrpc import (
    is_id,
    new_error,
    new_error_without_id,
    new_result,
)
from .revisions import (
    CLIENT_CAPABILITIES_KEY,
    CLIENT_INFO_KEY,
    LOG_LEVEL_KEY,
    LOG_LEVELS,
    SERVER_INFO_KEY,
    STATELESS_DATES,
    VERSION_KEY,
    find_stateless,
    negotiate_handshake,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Union

    from .codec import DecodeError
    from .jsonrpc_lines import OverlongLine
    from .revisions import Revision

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
LINE_BLANKS = b" \t\r\n"
NO_META: "Dict[str, Any]" = {}


class Request:
    """A request of the peer: its ``id``, ``method``, ``params``, the ``row`` of its revision, its ``meta``."""

    __slots__ = ("batch", "cancelled", "deadline", "ended", "id", "last_progress", "meta", "method", "params", "peer", "rounds",
                 "row", "timed_out")

    if TYPE_CHECKING:
        peer: "Any"                                         # set when its handler is about to run

    def __init__(self, request_id: "Any", method: str, params: "Dict[str, Any]", row: "Optional[Revision]",
                 meta: "Dict[str, Any]") -> None:
        self.id = request_id
        self.method = method
        self.params = params
        self.row = row
        self.meta = meta
        self.ended = False
        self.cancelled = False
        self.batch: "Optional[Batch]" = None
        self.last_progress: "Optional[float]" = None
        self.deadline: "Optional[float]" = None             # on the monotonic clock, in seconds
        self.timed_out = False                              # TimeLimit was raised, whatever became of it
        self.rounds: "Any" = None                           # questions and answers that travel across requests (2026-07-28)


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
                event.batch = self

    def add(self, text: str) -> str:
        """Take one answer (a line; empty for a cancelled request); return the whole line with the last one, else an empty text."""
        if text:
            self.texts.append(text.rstrip("\n"))
        self.waiting -= 1
        return "[%s]\n" % ",".join(self.texts) if self.waiting == 0 and self.texts else ""


if TYPE_CHECKING:
    # str: a line to be written back at once, the error for a message that was no message
    Event = Union[Request, Notification, Response, Batch, str, None]


class Session:
    """One end. ``our_info`` is our Implementation; ``new_request`` makes the event of a request (a server's: a ``Context``)."""

    def __init__(self, role: str, our_info: "Dict[str, Any]", new_request: "Callable[..., Request]" = Request) -> None:
        self.role, self.our_info, self.new_request = role, our_info, new_request
        self.new_initialize: "Callable[..., Request]" = Request
        self.row: "Optional[Revision]" = None           # of the handshake; None before one, and in a stateless conversation
        self.style: "Optional[Revision]" = None         # of the last request that could be placed: how an error without id looks
        self.their_info: "Dict[str, Any]" = {}
        self.their_capabilities: "Dict[str, Any]" = {}
        self.log_level = "info"                         # of logging/setLevel; until then the server's choice
        self.subscribed: "Dict[str, bool]" = {}         # URIs of resources/subscribe, in order
        self.lines_seen = False
        self.last_id = 0
        # What every result of 2026-07-28 carries is brief: icons can be long, and server/discover tells all of it.
        self.brief_info = {name: our_info[name] for name in ("name", "version", "title") if name in our_info}
        self.stateless_tail = '"resultType":"complete","_meta":%s}' % encode({SERVER_INFO_KEY: self.brief_info})

    # Lines in

    def receive(self, line: bytes) -> "Event":
        """Return the event of one line of bytes without its line feed; None for a blank line (1)."""
        try:
            message = decode(line)
            if message.__class__ is dict:
                row = self.row
                if row is not None:                     # the commonest line, by the shortest way: a plain request of a session
                    try:
                        method, params, request_id = message["method"], message["params"], message["id"]
                        if (method.__class__ is str and params.__class__ is dict and "_meta" not in params
                                and method != "initialize" and message["jsonrpc"] == "2.0"
                                and (request_id.__class__ is int or request_id.__class__ is str and request_id.isascii())):
                            return self.new_request(request_id, method, params, row, NO_META)
                    except KeyError:
                        pass
                return self.receive_message(message)
            if message.__class__ is list:
                return self.receive_array(message)
            return self.reply_without_id(INVALID_REQUEST, "a message is a JSON object, not %s" % encode(message)[:40])
        except Exception as error:
            from .session_unusual import receive_unreadable

            return receive_unreadable(self, [line], error)

    # What is unusual, as a server takes it; a client overrides these. ``receive_unreadable`` catches what they raise.

    def receive_array(self, messages: "List[Any]") -> "Event":
        from .session_unusual import receive_batch

        return receive_batch(self, messages)

    def receive_overlong(self, line: "OverlongLine", error: "DecodeError") -> "Event":
        return self.receive_undecodable(line.beginning, error)

    def receive_undecodable(self, line: "Union[bytes, str]", error: Exception) -> "Event":
        """A line that is no JSON: ``line`` is its text, or its bytes where they are no UTF-8."""
        from .session_unusual import reply_undecodable

        return reply_undecodable(self, line, error)

    def receive_unholdable(self, message: "Dict[str, Any]", error: "DecodeError", line: "Union[bytes, str]" = b"") -> "Event":
        """An object that is JSON, but holds a number that no float can hold; ``line`` where the object is all of it."""
        from .session_unusual import reply_unholdable

        return reply_unholdable(self, message, error)

    def receive_message(self, message: "Dict[str, Any]") -> "Event":
        """Classify one message object: request, notification or response."""
        method = message.get("method")
        if message.get("jsonrpc") != "2.0" or method.__class__ is not str:
            return self.receive_without_method(message)
        params = message.get("params")
        if "id" not in message:
            return Notification(method, params if params.__class__ is dict else {})
        request_id = message["id"]
        if not is_id(request_id):
            return self.reply_without_id(INVALID_REQUEST, "the id of a request must be a string or an integer%s" % (
                ", and this string holds half of a surrogate pair" if request_id.__class__ is str else ""))
        if params is None:
            params = {}
        elif params.__class__ is not dict:
            return new_error(request_id, INVALID_PARAMS, "Invalid params: params must be an object")
        meta = params.get("_meta")
        if meta.__class__ is not dict:
            if meta is not None:
                return new_error(request_id, INVALID_PARAMS, "Invalid params: _meta must be an object")
            meta = NO_META
        elif VERSION_KEY in meta:
            return self.receive_stateless(request_id, method, params, meta)
        if method == "initialize" and self.role == "server":
            return self.receive_initialize(request_id, params, meta)
        row = self.row
        if row is None and method != "ping" and self.role == "server":
            return new_error(request_id, INVALID_PARAMS, NO_VERSION_TEXT % method)
        return self.new_request(request_id, method, params, row, meta)

    def receive_without_method(self, message: "Dict[str, Any]") -> "Event":
        """A response, or no message at all."""
        from .session_unusual import reply_invalid

        if message.get("jsonrpc") != "2.0":
            return reply_invalid(self, message, 'the member "jsonrpc" must be "2.0"')
        if "method" not in message and ("result" in message or "error" in message) and message.get("id").__class__ is not float:
            return Response(message.get("id"), message.get("result"), message.get("error"))
        return reply_invalid(self, message, 'the member "method" must be a string')

    def receive_stateless(self, request_id: "Any", method: str, params: "Dict[str, Any]", meta: "Dict[str, Any]") -> "Event":
        """A request that carries its protocol version (2026-07-28, basic/index, "Per-request protocol fields")."""
        version = meta[VERSION_KEY]
        row = find_stateless(version)
        if row is None and self.row is not None and version == self.row.date:
            return self.new_request(request_id, method, params, self.row, meta)
        if version.__class__ is not str:
            return new_error(request_id, INVALID_PARAMS, "Invalid params: _meta %s must be a string" % VERSION_KEY)
        if row is None:
            return new_error(request_id, UNSUPPORTED_VERSION, "Unsupported protocol version",
                             {"supported": list(STATELESS_DATES), "requested": version})
        capabilities, info = meta.get(CLIENT_CAPABILITIES_KEY), meta.get(CLIENT_INFO_KEY)
        if capabilities.__class__ is not dict:
            return new_error(request_id, INVALID_PARAMS, "Invalid params: every request needs %s in _meta, an object"
                             % CLIENT_CAPABILITIES_KEY)
        if info is not None and info.__class__ is not dict:
            return new_error(request_id, INVALID_PARAMS, "Invalid params: _meta %s must be an object" % CLIENT_INFO_KEY)
        if LOG_LEVEL_KEY in meta and meta[LOG_LEVEL_KEY] not in LOG_LEVELS:
            return new_error(request_id, INVALID_PARAMS, "Invalid params: _meta %s must be one of %s"
                             % (LOG_LEVEL_KEY, ", ".join(LOG_LEVELS)))
        if self.row is None:
            self.style = row
        return self.new_request(request_id, method, params, row, meta)

    def receive_initialize(self, request_id: "Any", params: "Dict[str, Any]", meta: "Dict[str, Any]") -> "Event":
        """Negotiate (lifecycle, "Version Negotiation"); a second ``initialize`` negotiates anew (3)."""
        version = params.get("protocolVersion")
        if version.__class__ is not str:
            return new_error(request_id, INVALID_PARAMS, "Invalid params: protocolVersion must be a string, "
                             'for example "2025-11-25"')
        self.row = self.style = negotiate_handshake(version)
        capabilities, info = params.get("capabilities"), params.get("clientInfo")
        self.their_capabilities = capabilities if capabilities.__class__ is dict else {}
        self.their_info = info if info.__class__ is dict else {}
        return self.new_initialize(request_id, "initialize", params, self.row, meta)

    # Replies to what was no message

    def reply_without_id(self, code: int, message: str) -> str:
        return new_error_without_id(code, message, self.style is None or self.style.null_id)

    # Lines out

    def result_line(self, request: "Request", result: "Union[Dict[str, Any], str]") -> str:
        """Return the response line for a handler's ``result``: an object, or the text of one that is JSON already.

        Under a stateless row it gets ``resultType`` and our ``serverInfo`` (2026-07-28, basic/index). Raises ``ValueError``
        or ``TypeError`` for a result that JSON cannot hold, ``InvalidResult`` for one that is no object.
        """
        row = request.row
        if row is not None and row.stateless:
            result = self.complete_stateless(request, result)
        return new_result(request.id, result if result.__class__ is str else encode(check_result(request, result)))

    def complete_stateless(self, request: "Request", result: "Union[Dict[str, Any], str]") -> str:
        if isinstance(result, str):
            return (result[:-1] + "," if len(result) > 2 else "{") + self.stateless_tail
        check_result(request, result)
        meta = dict(result.get("_meta") or NO_META)
        meta.setdefault(SERVER_INFO_KEY, self.brief_info)
        whole = dict(result, _meta=meta)
        whole.setdefault("resultType", "complete")
        return encode(whole)

    def new_id(self) -> int:
        """Return the id of our next own request; the two directions count on their own."""
        self.last_id += 1
        return self.last_id


def check_result(request: "Request", result: "Any") -> "Dict[str, Any]":
    """A result is an object, whatever the method (basic/index, "Responses")."""
    if not isinstance(result, dict):
        wanted = "the handler of %s must return an object (a dict)" % request.method
        raise InvalidResult("%s, not %.200r" % (wanted, result), "Internal error: " + wanted)
    return result


NO_VERSION_TEXT = ("Invalid params: %%s came before initialize and without %s in _meta: send initialize first, "
                   "or send the version and %s with every request" % (VERSION_KEY, CLIENT_CAPABILITIES_KEY))
