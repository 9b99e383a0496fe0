"""What one end of a conversation knows, either role: a line in, an event out; something to send in, a line out.

Here: parsing and checking of messages, the era of each request, negotiation, ids of our own requests, log level,
subscriptions. Not here: bytes on descriptors (``stdio``), the order in which events are served (``peer``), what a method
does (``handlers``, ``client``). Pure: no descriptor, clock or randomness.

Pages: basic/index, basic/lifecycle, basic/transports (2024-11-05 to 2025-11-25); basic/index, basic/versioning,
basic/transports/stdio (2026-07-28).

1. ``receive`` never raises for what a peer sent: any bytes give an event, or None where there is nothing to do. All of it
   stands in one ``try``, and ``receive_unreadable`` makes an event of whatever goes wrong there.
2. The era is read off each request: ``_meta`` with a protocol version means stateless, anything else belongs to the handshake.
3. ``initialize`` takes effect when it is read, not when it is served: the lines behind it are read under its revision.
4. A notification and a response are never answered, however wrong they are.
5. What is refused has no effect: nothing is kept of a message before the last check of it has passed.
6. What is no JSON is answered once, without an id: nothing in such a line can be trusted. What is JSON, but cannot be held, is
   refused under its id; in an array this is the fate of that member alone.
7. An answer to a question of ours that cannot be read ends the question; it is not answered.
"""
from .codec import DecodeError, NumberRangeError, decode, decode_boxed, encode
from .errors import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    PARSE_ERROR,
    UNSUPPORTED_VERSION,
    InvalidResult,
)
from .jsonrpc import (
    Batch,
    Notification,
    OverlongLine,
    Request,
    Response,
    UnterminatedLine,
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

    from .jsonrpc import Event
    from .revisions import Revision

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
LINE_BLANKS = b" \t\r\n"
NO_META: "Dict[str, Any]" = {}


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
            return self.receive_unreadable([line], error)

    def receive_large(self, box: "List[Any]") -> "Event":
        """As ``receive``, for a line so large that memory counts: it comes in a list, and is freed before it is parsed."""
        try:
            message = decode_boxed(box)
            if message.__class__ is dict:
                return self.receive_message(message)
            return self.receive_array(message) if message.__class__ is list else self.reply_without_id(
                INVALID_REQUEST, "a message is a JSON object")
        except Exception as error:
            return self.receive_unreadable(box, error)

    def receive_unreadable(self, box: "List[Any]", error: Exception) -> "Event":
        """Return the event of a line whose reading has raised ``error``, whatever that is (1). Raises nothing itself.

        ``box`` holds the line, or its text where it was too large to keep both.
        """
        try:
            return self.receive_again(box[0], error)
        except Exception:                                   # no memory or no stack for a second look
            return self.reply_without_id(PARSE_ERROR, "Parse error: the line cannot be read")

    def receive_again(self, line: "Any", error: Exception) -> "Event":
        """The second look at a line: what can be told of it in spite of ``error``."""
        first, self.lines_seen = self.style is None and not self.lines_seen, True
        if line.__class__ is OverlongLine:
            return self.receive_overlong(line, DecodeError("the line is longer than the limit of %d bytes" % line.limit))
        if first and line[:3] == BYTE_ORDER_MARK:
            return self.receive(line[len(BYTE_ORDER_MARK):])
        if first and line[:1] == "\ufeff":
            return self.receive_large([line[1:].encode()])
        if line.__class__ is not str and not line.strip(LINE_BLANKS):
            return None
        if not isinstance(error, NumberRangeError):
            return self.receive_undecodable(line, error)
        from .codec_numbers import decode_tolerantly, find_unholdable

        try:
            message = decode_tolerantly(line if line.__class__ is str else line.decode())
        except DecodeError as worse:                        # behind the number it goes on as no JSON does
            return self.receive_undecodable(line, worse)
        if message.__class__ is list:
            return self.receive_array(message)
        if message.__class__ is dict:
            return self.receive_unholdable(message, find_unholdable(message) or error, line)
        return self.reply_without_id(INVALID_REQUEST, "a message is a JSON object, not a number")

    # What is unusual, as a server takes it; a client overrides these. ``receive_unreadable`` catches what they raise.

    def receive_overlong(self, line: "OverlongLine", error: "DecodeError") -> "Event":
        return self.receive_undecodable(line.beginning, error)

    def receive_undecodable(self, line: "Union[bytes, str]", error: Exception) -> "Event":
        """A line that is no JSON (6): ``line`` is its text, or its bytes where they are no UTF-8."""
        if line.__class__ is UnterminatedLine:
            return None
        if self.last_id:                                    # we have asked: it may be the answer (7)
            from .answers import read_members

            members, _ = read_members(line if isinstance(line, str) else line.decode("utf-8", "surrogateescape"))
            response = self.end_question(members, str(error))
            if response is not None:
                return response
        if not isinstance(error, DecodeError):
            return self.reply_without_id(INTERNAL_ERROR, "Internal error: the line could not be read")
        return self.reply_without_id(PARSE_ERROR, "Parse error: %s" % error)

    def receive_unholdable(self, message: "Dict[str, Any]", error: "DecodeError", line: "Union[bytes, str]" = b"") -> "Event":
        """An object that is JSON, but holds a number that no float can hold; ``line`` where the object is all of it.

        A request is refused by its id; no handler may see the number, and the session is as it was before (5).
        """
        method, request_id = message.get("method"), message.get("id")
        if message.get("jsonrpc") != "2.0" or method.__class__ is not str:
            return self.end_question(message, str(error)) or self.receive_without_method(message)
        if "id" not in message:
            return None
        text = "Invalid params: %s" % error
        if method == "initialize" and is_id(request_id):
            return new_error(request_id, INVALID_PARAMS, text)
        style = self.style
        event = self.receive_message(message)
        self.style = style
        if not isinstance(event, Request):
            return event
        if method != "tools/call":
            return new_error(request_id, INVALID_PARAMS, text)
        return self.result_line(event, {"content": [{"type": "text", "text": text}], "isError": True})

    def receive_array(self, messages: "List[Any]") -> "Event":
        """An array of messages (2025-03-26, basic/index, "Batching"; JSON-RPC 2.0, section 6)."""
        if self.row is None or not self.row.batches:
            return self.reply_without_id(INVALID_REQUEST, "a message is a JSON object; arrays of messages exist in 2025-03-26 only")
        if not messages:
            return self.reply_without_id(INVALID_REQUEST, "an array of messages must not be empty")
        events = [self.receive_member(message) for message in messages]
        return Batch([event for event in events if event is not None])

    def receive_member(self, message: "Any") -> "Event":
        if message.__class__ is not dict:
            return self.reply_without_id(INVALID_REQUEST, "a message is a JSON object")
        if message.get("method") == "initialize":
            return self.refuse_invalid(message, "initialize must not be part of an array")
        from .codec_numbers import find_unholdable

        error = find_unholdable(message)
        return self.receive_message(message) if error is None else self.receive_unholdable(message, error)

    def refuse_invalid(self, message: "Dict[str, Any]", text: str) -> "Event":
        """An object that is no message: answered by its id if it has one (4).

        What looks like a response ends the question that it names, else it is left, as a notification is.
        """
        request_id = message.get("id")
        if "result" in message or "error" in message:
            return self.end_question(message)
        if "id" not in message and message.get("method").__class__ is str:
            return None
        if is_id(request_id):
            return new_error(request_id, INVALID_REQUEST, "Invalid request: %s" % text)
        return self.reply_without_id(INVALID_REQUEST, "Invalid request: %s" % text)

    def end_question(self, message: "Dict[str, Any]", reason: str = "") -> "Optional[Response]":
        """Return what ends our own question where ``message`` is an answer to one that cannot be taken (7), else None.

        ``reason`` is what is wrong with it where that is not its frame.
        """
        if not self.last_id:
            return None
        from .answers import answer_problem, answered_id, is_answer

        answered = answered_id(message) if is_answer(message) else None
        if answered.__class__ is not int or not 0 < answered <= self.last_id:
            return None
        return Response(answered, None, {"code": INTERNAL_ERROR, "message": "the answer cannot be read: %s" % (
            reason or answer_problem(message))})

    # Plain messages

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
        if message.get("jsonrpc") != "2.0":
            return self.refuse_invalid(message, 'the member "jsonrpc" must be "2.0"')
        if "method" not in message and ("result" in message or "error" in message) and message.get("id").__class__ is not float:
            return Response(message.get("id"), message.get("result"), message.get("error"))
        return self.refuse_invalid(message, 'the member "method" must be a string')

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
        row = request._row
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
