"""The unusual lines: what is no JSON or no message, lines over a megabyte, arrays of messages (2025-03-26).

Here: the event of each. Not here: plain messages (``session``).

Pages: basic/index, "Responses" and "Error Responses"; basic/index, "Batching" (2025-03-26).
"""
from .codec import DecodeError, NumberRangeError, decode_boxed, encode
from .errors import INVALID_PARAMS, INVALID_REQUEST, PARSE_ERROR
from .jsonrpc import is_id, new_error
from .jsonrpc_lines import OverlongLine, UnterminatedLine
from .session import BYTE_ORDER_MARK, LINE_BLANKS, Batch, Request

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List

    from .session import Event, Session


def receive_undecodable(session: "Session", line: bytes, error: "DecodeError") -> "Event":
    first, session.lines_seen = session.style is None and not session.lines_seen, True
    if line.__class__ is OverlongLine:
        return session.reply_without_id(PARSE_ERROR, "Parse error: the line is longer than the limit of %d bytes"
                                        % getattr(line, "limit", 0))
    if first and line.startswith(BYTE_ORDER_MARK):
        return session.receive(line[len(BYTE_ORDER_MARK):])
    if not line.strip(LINE_BLANKS) or line.__class__ is UnterminatedLine:
        return None
    if isinstance(error, NumberRangeError):
        return receive_number_out_of_range(session, error)
    return session.reply_without_id(PARSE_ERROR, "Parse error: %s" % error)


def receive_number_out_of_range(session: "Session", error: NumberRangeError) -> "Event":
    """JSON by its grammar, so its sender can be told by id; but no handler may see the number."""
    import json

    event = session.receive(encode(json.loads(error.text, parse_float=lambda digits: 0)).encode())
    if not isinstance(event, Request):
        return event if isinstance(event, str) else None
    text = "Invalid params: %s" % error
    if event.method != "tools/call":
        return new_error(event.id, INVALID_PARAMS, text)
    return session.result_line(event, {"content": [{"type": "text", "text": text}], "isError": True})


def receive_large(session: "Session", box: "List[bytes]") -> "Event":
    """As ``receive``, for a line so large that memory counts: it comes in a list, and is freed before it is parsed."""
    try:
        message = decode_boxed(box)
    except NumberRangeError as error:
        return receive_number_out_of_range(session, error)
    except DecodeError as error:
        return session.reply_without_id(PARSE_ERROR, "Parse error: %s" % error)
    if message.__class__ is dict:
        return session.receive_message(message)
    return receive_batch(session, message) if message.__class__ is list else session.reply_without_id(
        INVALID_REQUEST, "a message is a JSON object")


def receive_batch(session: "Session", messages: "List[Any]") -> "Event":
    if session.row is None or not session.row.batches:
        return session.reply_without_id(INVALID_REQUEST, "a message is a JSON object; arrays of messages exist in 2025-03-26 only")
    if not messages:
        return session.reply_without_id(INVALID_REQUEST, "an array of messages must not be empty")
    events = [receive_member(session, message) for message in messages]
    return Batch([event for event in events if event is not None])


def receive_member(session: "Session", message: "Any") -> "Event":
    if message.__class__ is not dict:
        return session.reply_without_id(INVALID_REQUEST, "a message is a JSON object")
    if message.get("method") == "initialize":
        return reply_invalid(session, message, "initialize must not be part of an array")
    return session.receive_message(message)


def reply_invalid(session: "Session", message: "Dict[str, Any]", text: str) -> "Event":
    """Answer an object that is no message, by its id if it has one.

    What looks like a response or a notification is left (rule 4 of ``session``).
    """
    request_id = message.get("id")
    if "result" in message or "error" in message:
        return None
    if "id" not in message and message.get("method").__class__ is str:
        return None
    if is_id(request_id):
        return new_error(request_id, INVALID_REQUEST, "Invalid request: %s" % text)
    return session.reply_without_id(INVALID_REQUEST, "Invalid request: %s" % text)
