"""Answers to our requests: the result or the error of one that can be read, and what can be told of one that cannot.

Here: ``read_response``; the top level of an object, read without the rest, and which request it answers all the same.
Not here: lines that can be read (``jsonrpc``, ``session``), who waits for an answer (``client``, ``asking``).

Pages: basic/index, "Responses" of every revision; JSON-RPC 2.0, section 5.

1. Only the object's own members count: what stands inside ``result`` is passed over by its brackets and strings, one step each,
   and not more than STEP_LIMIT of them.
2. An id is told where it stands whole in the line, and is not guessed: no id in a string that cannot be said back.
"""
from .codec import decode_text, encode
from .errors import INTERNAL_ERROR, McpError
from .jsonrpc import is_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Optional, Tuple

    from .jsonrpc import Response

STEP_LIMIT = 4000000
NESTED: "Any" = ("an object or an array that was passed over",)
UNREAD: "Any" = ("a value that is not JSON",)
STRING = r'"[^"\\]*(?:\\.[^"\\]*)*"'


def read_members(text: str) -> "Tuple[Dict[Any, Any], int]":
    """Return the members of the object that ``text`` begins with, and where it ends; -1 where it is cut off, or is none.

    Values that are objects or arrays are ``NESTED``, those that are no JSON ``UNREAD``. Raises nothing for any text.
    """
    import re

    members: "Dict[Any, Any]" = {}
    name_at = re.compile(r"(?s)\s*(%s)\s*:\s*" % STRING).match
    plain_at = re.compile(r'(?s)%s|[^][{},:"\s]+' % STRING).match
    divider_at = re.compile(r"\s*([,}])").match
    opening = re.compile(r"\ufeff?\s*\{").match(text)
    at = opening.end() if opening else -1
    while at >= 0:
        named = name_at(text, at)
        if named is None:
            divider = divider_at(text, at)
            return members, divider.end() if divider and divider.group(1) == "}" else -1
        name, at = read_plain(named.group(1)), named.end()
        if text[at:at + 1] in ("{", "["):
            value = members[name] = NESTED
            at = find_end(text, at)
        else:
            plain = plain_at(text, at)
            value, at = (read_plain(plain.group()), plain.end()) if plain else (UNREAD, -1)
        divider = divider_at(text, at) if at >= 0 else None
        if divider is None:                                 # a value that may go on is none yet
            break
        members[name] = value
        at = divider.end()
        if divider.group(1) == "}":
            return members, at
    return members, -1


def read_plain(text: str) -> "Any":
    try:
        return decode_text(text)
    except ValueError:
        return UNREAD


def find_end(text: str, at: int) -> int:
    """Return where the object or array that opens at ``at`` ends; -1 where it does not, or not within STEP_LIMIT steps (1)."""
    import re

    depth = steps = 0
    for found in re.compile(r"(?s)%s?|[][{}]" % STRING).finditer(text, at):
        opened = found.group()
        depth += 1 if opened in "{[" else -1 if opened in "}]" else 0
        steps += 1
        if depth == 0:
            return found.end()
        if steps == STEP_LIMIT:
            break
    return -1


def is_answer(message: "Dict[Any, Any]") -> bool:
    """True for an object that can only be meant as a response."""
    return ("result" in message or "error" in message) and message.get("method").__class__ is not str


def answered_id(message: "Dict[Any, Any]") -> "Any":
    """Return the id of the request that is answered, ``1`` for ``1.0``; None where it cannot be told (2)."""
    answered = message.get("id")
    if answered.__class__ is float and answered.is_integer() and abs(answered) < 2 ** 53:
        return int(answered)
    return answered if is_id(answered) else None


def answer_problem(message: "Dict[Any, Any]") -> "Optional[str]":
    """Return what is wrong with the frame of a response that is JSON; None where nothing is."""
    if "jsonrpc" not in message:
        return 'it has no member "jsonrpc"'
    version, answered = message["jsonrpc"], message.get("id")
    if version != "2.0":
        return 'its "jsonrpc" is %s, not "2.0"' % show(version)
    if "method" in message:
        return 'it has a member "method", %s' % show(message["method"])
    if answered is None:
        return None if message.get("error") is not None else "it has no id"
    if not is_id(answered):
        return "its id is %s: not the one of the request, which is a string or an integer" % show(answered)
    return None


def show(value: "Any") -> str:
    """Return ``value`` as it may stand in an error text: as JSON, its first characters."""
    try:
        text = encode(value)
    except (TypeError, ValueError):
        text = "one that cannot be read"
    return text if len(text) <= 40 else text[:40] + "..."


def looks_like_answer(text: str) -> bool:
    """True for the first characters of a line that is no JSON and yet part of a message: cut off, or of several lines."""
    text = text.strip()
    return text in ("{", "[", "[{") or '"jsonrpc"' in text or "'jsonrpc'" in text


def read_response(response: "Response", method: str) -> "Dict[str, Any]":
    """Return the result of ``response``; raises ``McpError`` for an error, and for a response that is none."""
    problem, error = response_problem(response, method), response.error
    if problem is not None:
        raise McpError(INTERNAL_ERROR, problem)
    if error is not None:
        text = error_text(error)
        raise McpError(error["code"], text if text else "%s was answered with error %d, which has no message"
                       % (method, error["code"]), error.get("data"))
    result: "Dict[str, Any]" = response.result
    return result


def response_problem(response: "Response", method: str) -> "Optional[str]":
    """Return what keeps a response from being one, its result no object or its error without code; else None."""
    error = response.error
    if error is not None:
        if error.__class__ is not dict or error.get("code").__class__ is not int:
            return "%s was answered with a malformed error: %.200r" % (method, error)
        return None
    if response.result.__class__ is not dict:
        return "%s was answered with a result that is no object: %.200r" % (method, response.result)
    return None


def error_text(error: "Dict[str, Any]") -> str:
    """Return the message of an error, empty where it has none."""
    message = error.get("message")
    return "" if message is None else str(message).strip() and str(message)
