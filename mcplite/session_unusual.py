"""The unusual lines: what is no JSON or no message, lines over a megabyte, arrays of messages (2025-03-26).

Here: the event of each, and the one place where whatever goes wrong while a line is read becomes an event, on both ends
(rule 1 of ``session``). Not here: plain messages (``session``), a client's events (``client``).

Pages: basic/index, "Responses" and "Error Responses"; basic/index, "Batching" (2025-03-26); JSON-RPC 2.0, sections 5.1 and 6.

1. What is no JSON is answered once, without an id: nothing in such a line can be trusted.
2. What is JSON, but cannot be held, is refused under its id and has no effect; in an array this is the fate of that member alone.
3. An answer to a question of ours that cannot be read ends the question; it is not answered.
"""
from .codec import DecodeError, NumberRangeError, decode_boxed
from .errors import INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST, PARSE_ERROR
from .jsonrpc import is_id, new_error
from .jsonrpc_lines import OverlongLine, UnterminatedLine
from .session import BYTE_ORDER_MARK, LINE_BLANKS, Batch, Request, Response

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Union

    from .session import Event, Session


def receive_unreadable(session: "Session", box: "List[Any]", error: Exception) -> "Event":
    """Return the event of a line whose reading has raised ``error``, whatever that is. Raises nothing itself.

    ``box`` holds the line, or its text where it was too large to keep both.
    """
    try:
        return receive_again(session, box[0], error)
    except Exception:                                       # no memory or no stack for a second look
        return session.reply_without_id(PARSE_ERROR, "Parse error: the line cannot be read")


def receive_again(session: "Session", line: "Any", error: Exception) -> "Event":
    """The second look at a line: what can be told of it in spite of ``error``."""
    first, session.lines_seen = session.style is None and not session.lines_seen, True
    if line.__class__ is OverlongLine:
        return session.receive_overlong(line, DecodeError("the line is longer than the limit of %d bytes" % line.limit))
    if first and line[:3] == BYTE_ORDER_MARK:
        return session.receive(line[len(BYTE_ORDER_MARK):])
    if first and line[:1] == "\ufeff":
        return receive_large(session, [line[1:].encode()])
    if line.__class__ is not str and not line.strip(LINE_BLANKS):
        return None
    if not isinstance(error, NumberRangeError):
        return session.receive_undecodable(line, error)
    from .codec_tolerant import decode_tolerantly, find_unholdable

    try:
        message = decode_tolerantly(line if line.__class__ is str else line.decode())
    except DecodeError as worse:                            # behind the number it goes on as no JSON does
        return session.receive_undecodable(line, worse)
    if message.__class__ is list:
        return session.receive_array(message)
    if message.__class__ is dict:
        return session.receive_unholdable(message, find_unholdable(message) or error, line)
    return session.reply_without_id(INVALID_REQUEST, "a message is a JSON object, not a number")


def reply_undecodable(session: "Session", line: "Union[bytes, str]", error: Exception) -> "Event":
    if line.__class__ is UnterminatedLine:
        return None
    if session.last_id:                                     # we have asked: it may be the answer (3)
        from .jsonrpc_answers import read_members

        members, _ = read_members(line if isinstance(line, str) else line.decode("utf-8", "surrogateescape"))
        response = end_question(session, members, str(error))
        if response is not None:
            return response
    if not isinstance(error, DecodeError):
        return session.reply_without_id(INTERNAL_ERROR, "Internal error: the line could not be read")
    return session.reply_without_id(PARSE_ERROR, "Parse error: %s" % error)


def end_question(session: "Session", message: "Dict[str, Any]", reason: str = "") -> "Optional[Response]":
    """Return what ends our own question where ``message`` is an answer to one that cannot be taken (3), else None; ``reason`` is
    what is wrong with it where that is not its frame."""
    if not session.last_id:
        return None
    from .jsonrpc_answers import answer_problem, answered_id, is_answer

    answered = answered_id(message) if is_answer(message) else None
    if answered.__class__ is not int or not 0 < answered <= session.last_id:
        return None
    return Response(answered, None, {"code": INTERNAL_ERROR, "message": "the answer cannot be read: %s" % (
        reason or answer_problem(message))})


def reply_unholdable(session: "Session", message: "Dict[str, Any]", error: "DecodeError") -> "Event":
    """Refuse a request by its id; no handler may see the number, and the session is as it was before (2)."""
    method, request_id = message.get("method"), message.get("id")
    if message.get("jsonrpc") != "2.0" or method.__class__ is not str:
        return end_question(session, message, str(error)) or session.receive_without_method(message)
    if "id" not in message:
        return None
    text = "Invalid params: %s" % error
    if method == "initialize" and is_id(request_id):
        return new_error(request_id, INVALID_PARAMS, text)
    style = session.style
    event = session.receive_message(message)
    session.style = style
    if not isinstance(event, Request):
        return event
    if method != "tools/call":
        return new_error(request_id, INVALID_PARAMS, text)
    return session.result_line(event, {"content": [{"type": "text", "text": text}], "isError": True})


def receive_large(session: "Session", box: "List[Any]") -> "Event":
    """As ``receive``, for a line so large that memory counts: it comes in a list, and is freed before it is parsed."""
    try:
        message = decode_boxed(box)
        if message.__class__ is dict:
            return session.receive_message(message)
        return session.receive_array(message) if message.__class__ is list else session.reply_without_id(
            INVALID_REQUEST, "a message is a JSON object")
    except Exception as error:
        return receive_unreadable(session, box, error)


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
    from .codec_tolerant import find_unholdable

    error = find_unholdable(message)
    return session.receive_message(message) if error is None else session.receive_unholdable(message, error)


def reply_invalid(session: "Session", message: "Dict[str, Any]", text: str) -> "Event":
    """Answer an object that is no message, by its id if it has one.

    What looks like a response ends the question that it names, else it is left, as a notification is (rule 4 of ``session``).
    """
    request_id = message.get("id")
    if "result" in message or "error" in message:
        return end_question(session, message)
    if "id" not in message and message.get("method").__class__ is str:
        return None
    if is_id(request_id):
        return new_error(request_id, INVALID_REQUEST, "Invalid request: %s" % text)
    return session.reply_without_id(INVALID_REQUEST, "Invalid request: %s" % text)
