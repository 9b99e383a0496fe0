"""What a message and each of its fields mean, in one sentence, and where the specification says so.

One function walks a message along the tables of `protocol`. No rendering here, and no sentence on a method or a field.
What is in no table is told to be unknown.
"""
from __future__ import annotations

from ...revisions import NEWEST_HANDSHAKE
from .protocol import (
    FIELD_SINCE,
    FIELD_UNTIL,
    METHOD_SINCE,
    METHOD_TABLE,
    METHOD_UNTIL,
    SPEC_PAGES,
    TRACE_REVISIONS,
    TYPE_TABLE,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SPEC_ADDRESS = "https://modelcontextprotocol.io/specification/%s/%s"
UNKNOWN_REVISION = NEWEST_HANDSHAKE.date  # a message whose revision nobody said is explained by this one
ENVELOPES = {"request": "Request", "notification": "Notification", "response": "Response", "error": "Response"}
DEEPEST_LEVEL = 30

# kind: (what to say where no method is known, page)
KIND_SENTENCES = {
    "request": ("No method of the specification: an extension, or a mistake.", "requests"),
    "notification": ("No method of the specification: an extension, or a mistake.", "notifications"),
    "stderr": ("The server's standard error is for its log: the protocol gives it no meaning.", "stdio"),
    "junk": ("Only messages may stand here: each a JSON object on a line of its own.", "stdio"),
    "invalid": ("Only messages may stand here: each a JSON object on a line of its own.", "stdio"),
    "event": ("What happened to the processes.", "stdio"),
}


def known_revision(revision: str) -> str:
    return revision if revision in TRACE_REVISIONS else UNKNOWN_REVISION


def spec_link(page: str, revision: str) -> str:
    """The address of the page `page` in `revision`, or in the nearest revision that has it."""
    place = TRACE_REVISIONS.index
    rows, wanted = SPEC_PAGES[page], place(known_revision(revision))
    at = max((number for number, row in enumerate(rows) if place(row[0]) <= wanted), default=0)
    since, path = rows[at]
    if not path:  # the subject has left: its last revision
        return SPEC_ADDRESS % (TRACE_REVISIONS[place(since) - 1], rows[at - 1][1])
    return SPEC_ADDRESS % (TRACE_REVISIONS[max(place(since), wanted)], path)


def find_field(type_name: str, field: str) -> tuple[str, str, str, str] | None:
    """(the type that has it, sentence, type of the value, page) of a field; None when no table has it."""
    page, fields = TYPE_TABLE[type_name]
    if field in fields and field:
        row = fields[field]
        sentence, value_type = (row, "") if isinstance(row, str) else row
        return type_name, sentence, value_type, page
    for base in fields.get("", "").split():
        found = find_field(base, field)
        if found is not None:
            return found
    return None


def with_validity(sentence: str, since: str | None, until: str | None, revision: str) -> str:
    """`sentence`, and when that came or went; stronger when the revision in force does not have it."""
    place = TRACE_REVISIONS.index
    if since and until:
        said = "in %s only" % since if since == until else "from %s to %s" % (since, until)
    elif since or until:
        said = "since %s" % since if since else "until %s" % until
    else:
        return sentence
    if (since and place(revision) < place(since)) or (until and place(revision) > place(until)):
        return "%s Not part of %s: %s." % (sentence, revision, said)
    return "%s %s%s." % (sentence, said[0].upper(), said[1:])


class MessageExplainer:
    """Walks one message along the tables; `rows` are (sentence, page address) of each path."""

    def __init__(self, revision: str) -> None:
        self.revision = known_revision(revision)
        self.rows: dict[str, tuple[str, str]] = {}

    def walk(self, value: Any, type_name: str, path: str, depth: int = 0) -> None:
        if depth > DEEPEST_LEVEL:
            return
        if isinstance(value, list):
            for item in value:
                self.walk(item, type_name, path + "[]", depth + 1)
        elif isinstance(value, dict) and type_name.startswith("*"):
            for item in value.values():
                self.walk(item, type_name[1:], path + ".*", depth + 1)
        elif isinstance(value, dict):
            for field, item in value.items():
                self.walk_field(value, field, item, type_name, path + "." + field if path else field, depth)

    def walk_field(self, owner: dict[str, Any], field: str, value: Any, type_name: str, path: str, depth: int) -> None:
        found = find_field(type_name, field)
        if found is None:
            if type_name in ("Meta", "ErrorData"):
                sentence = "Somebody's own: the specification leaves room for it here."
            else:
                sentence = "The specification of %s has no such field here: an extension, or a mistake." % self.revision
            self.rows.setdefault(path, (sentence, spec_link(TYPE_TABLE[type_name][0], self.revision)))
            return
        home, sentence, value_type, page = found
        key = home + "." + field
        sentence = with_validity(sentence, FIELD_SINCE.get(key), FIELD_UNTIL.get(key), self.revision)
        self.rows.setdefault(path, (sentence, spec_link(page, self.revision)))
        if type_name == "InputRequest" and field == "params":
            asked = METHOD_TABLE.get(str(owner.get("method")))
            value_type = asked[2] if asked else ""
        if value_type:
            self.walk(value, value_type, path, depth + 1)


def explain_message(kind: str, method: str | None, message: Any, revision: str) -> list[tuple[str, str, str]]:
    """(path, sentence, address of the specification's page) for every field of a message.

    `kind` is request, notification, response or error; `method` that of the message, or of the request it answers. A path
    is dotted; `[]` is each item of an array, `*` each member under a name somebody chose.
    """
    if kind not in ENVELOPES or not isinstance(message, dict):
        return []
    explainer = MessageExplainer(revision)
    explainer.walk(message, ENVELOPES[kind], "")
    _, _, params_type, result_type = METHOD_TABLE.get(method or "", ("", "", "", ""))
    if kind in ("request", "notification") and params_type:
        explainer.walk(message.get("params"), params_type, "params")
    if kind == "response":
        explainer.walk(message.get("result"), result_type or "Result", "result")
    return [(path, sentence, link) for path, (sentence, link) in explainer.rows.items()]


def explain_method(kind: str, method: str | None, revision: str) -> tuple[str, str]:
    """(sentence, address of the page) for a whole message or line; `kind` as `Conversation` tells them apart."""
    revision, method = known_revision(revision), method or ""
    known, page, _, _ = METHOD_TABLE.get(method, ("", "", "", ""))
    if kind in ("response", "error"):
        said = "The answer to %s" % method if method else "An answer to no request that was seen"
        said += ": it could not be done." if kind == "error" else "."
        page = "errors" if kind == "error" else page or "responses"
        return (said + " " + known).rstrip(), spec_link(page, revision)
    if known:
        return with_validity(known, METHOD_SINCE.get(method), METHOD_UNTIL.get(method), revision), spec_link(page, revision)
    said, page = KIND_SENTENCES[kind]
    return said, spec_link(page, revision)
