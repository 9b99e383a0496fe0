"""One line of a server to one event, for the asking end: what is no message is never answered.

Here: ``ClientSession``; what it makes of lines that are no messages: junk, or a bad answer. Not here: what becomes of them
(``loop``), how an answer that cannot be read is told from junk (``answers``).

Page: basic/index, "Messages" and "Responses" of every revision.
"""
from ..codec import DecodeError, decode, encode
from ..errors import INVALID_PARAMS
from ..jsonrpc import Notification, Request, Response, is_id, new_error
from ..session import NO_META, Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Union

    from ..jsonrpc import OverlongLine

NOISE_CHARACTERS = 200      # of a line that is no message: what is kept for error texts


class Junk:
    """A line that is no message: a print that went astray, or worse. ``text`` is its first characters.

    ``reason`` says what is wrong with it, where that is known; ``is_attempt`` is true where it is clearly meant as (a piece
    of) an answer whose id cannot be told.
    """

    __slots__ = ("is_attempt", "reason", "text")

    def __init__(self, text: str, reason: str = "", is_attempt: bool = False) -> None:
        self.text = cut_beginning(text)
        self.reason, self.is_attempt = reason, is_attempt


class BadAnswer:
    """A line that is clearly the answer to our request ``id`` but cannot be read: ``reason`` says what is wrong (one clause),
    ``beginning`` is its first characters."""

    __slots__ = ("beginning", "id", "reason")

    def __init__(self, answered_id: "Any", reason: str, beginning: str) -> None:
        self.id, self.reason = answered_id, reason
        self.beginning = cut_beginning(beginning)


def cut_beginning(text: str) -> str:
    return text if len(text) <= NOISE_CHARACTERS else text[:NOISE_CHARACTERS] + "..."


def read_beginning(line: "Union[bytes, str]") -> str:
    """Return the first characters of a line that may be no UTF-8."""
    beginning = line[:4 * NOISE_CHARACTERS]
    return (beginning if isinstance(beginning, str) else beginning.decode("utf-8", "backslashreplace")).strip()


def response_beginning(response: Response) -> str:
    """Return the first characters of a response, with its members in one order."""
    outcome = {"result": response.result} if response.error is None else {"error": response.error}
    try:
        return cut_beginning(encode({"jsonrpc": "2.0", "id": response.id, **outcome}))
    except ValueError:                                      # nested too deeply to be written
        return cut_beginning(encode({"jsonrpc": "2.0", "id": response.id}))


def new_bad_answer(messages: "List[Any]", reason: str, text: str) -> "Union[BadAnswer, Junk]":
    """Return the bad answer where one of ``messages`` is meant as one and its request can be told, else junk."""
    from ..answers import answered_id, is_answer

    answers = [message for message in messages if message.__class__ is dict and is_answer(message)]
    if len(answers) == 1 and answered_id(answers[0]) is not None:
        return BadAnswer(answered_id(answers[0]), reason, text)
    return Junk(text, reason, bool(answers))


class ClientSession(Session):
    """What the client's end knows. ``stateless`` is true once the server has turned out to speak 2026-07-28."""

    def __init__(self, our_info: "Dict[str, Any]") -> None:
        super().__init__("client", our_info)
        self.stateless = False

    def receive(self, line: bytes) -> "Any":
        """Return the event of one line of bytes; None for a blank one, ``BadAnswer`` for an answer that cannot be read, ``Junk``
        for what is no message."""
        try:
            message = decode(line)
            if message.__class__ is dict:
                return self.receive_message(message)
            if message.__class__ is list:
                return self.receive_array(message)
            return Junk(encode(message))
        except Exception as error:
            return self.receive_unreadable([line], error)

    def receive_overlong(self, line: "OverlongLine", error: DecodeError) -> "Any":
        """The answer to the request that its beginning names, else an attempt at one."""
        from ..answers import answered_id, is_answer, read_members

        members, _ = read_members(line.beginning.decode("utf-8", "surrogateescape"))
        if is_answer(members) and answered_id(members) is not None:
            return BadAnswer(answered_id(members), str(error), read_beginning(line.beginning))
        return Junk("a line over the limit of %d bytes" % line.limit, "it is too long", True)

    def receive_undecodable(self, line: "Union[bytes, str]", error: Exception) -> "Any":
        """A line that is no JSON, or cannot be held: the answer to the request that it names, or junk."""
        from ..answers import is_answer, looks_like_answer, read_members

        beginning = read_beginning(line)
        if not isinstance(line, str):
            line = line.decode("utf-8", "surrogateescape")
        members, end = read_members(line)
        reason = str(error) if isinstance(error, DecodeError) else "it cannot be read"
        if not is_answer(members):
            return Junk(beginning, reason, members.get("method").__class__ is not str and looks_like_answer(beginning))
        if line.startswith("\ufeff"):
            reason = "it begins with a byte order mark"
        elif end < 0:
            reason = "it is cut off: %s" % reason
        return new_bad_answer([members], reason, beginning)

    def receive_unholdable(self, message: "Dict[str, Any]", error: DecodeError, line: "Union[bytes, str]" = b"") -> "Any":
        """An object with a number that no float can hold: its request fails, and none other."""
        return new_bad_answer([message], str(error), read_beginning(line))

    def receive_array(self, messages: "List[Any]") -> "Any":
        """An array of messages; where the revision has none, what it was meant to answer is told."""
        if self.row is not None and self.row.batches:
            return super().receive_array(messages)
        return new_bad_answer(messages, "it came in an array, and this revision has no arrays of messages", encode(messages))

    def reply_without_id(self, code: int, message: str) -> "Any":
        return Junk(message)

    def receive_message(self, message: "Dict[str, Any]") -> "Any":
        """Classify one object; what is no message is junk (basic/index, "Messages")."""
        self.lines_seen = True
        method, params, has_id = message.get("method"), message.get("params"), "id" in message
        if message.get("jsonrpc") == "2.0":
            if method.__class__ is str:
                if not has_id:
                    return Notification(method, params if params.__class__ is dict else {})
                if is_id(message["id"]):
                    return self.receive_request(message["id"], method, params)
            elif "method" not in message and ("result" in message or "error" in message):
                answered = message.get("id")
                if is_id(answered) or answered is None and message.get("error") is not None:
                    return Response(answered, message.get("result"), message.get("error"))
        return self.receive_invalid(message)

    def receive_invalid(self, message: "Dict[str, Any]") -> "Any":
        """An object that is no message by the letter: an answer whose request can be told, or junk."""
        from ..answers import answer_problem

        text = encode(message)
        if not {"method", "result", "error"}.intersection(message) and message.get("jsonrpc") == "2.0" and is_id(message.get("id")):
            return BadAnswer(message["id"], 'it has neither "result" nor "error"', text)
        return new_bad_answer([message], answer_problem(message) or "it is no response", text)

    def receive_request(self, request_id: "Any", method: str, params: "Any") -> "Any":
        if params is None:
            params = {}
        elif params.__class__ is not dict and not self.stateless:
            return new_error(request_id, INVALID_PARAMS, "Invalid params: params must be an object")
        meta = params.get("_meta") if params.__class__ is dict else None
        return Request(request_id, method, params, self.row, meta if meta.__class__ is dict else NO_META)
