"""A recording as one self-contained page: a sequence diagram that can be searched, and every message explained.

Python prepares the data (`conversation` says what each line is, `explain` what its fields mean); the script in the page
(`template`) only draws. No data is ever HTML: it stands in the page as JSON without `<`. The page loads nothing (its
Content-Security-Policy forbids it).
"""
from __future__ import annotations

from ...revisions import CLIENT_INFO_KEY, SERVER_INFO_KEY
from ..terminal import compact_json, printable
from .conversation import Conversation, understand
from .explain import UNKNOWN_REVISION, explain_message, explain_method
from .reading import TraceSession
from .template import TRACE_PAGE, TRACE_PAGE_SCRIPT, TRACE_PAGE_STYLE
from .words import member, person

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SUMMARY_LENGTH = 300


class RowTable:
    """Numbers for things that repeat: the page holds each once."""

    def __init__(self) -> None:
        self.rows: list[Any] = []
        self.numbers: dict[Any, int] = {}

    def number(self, row: Any) -> int:
        if row not in self.numbers:
            self.numbers[row] = len(self.rows)
            self.rows.append(row)
        return self.numbers[row]


def session_page(session: TraceSession, number: int = 1, total: int = 1) -> str:
    """The page of one session, `number` of `total` in its recording."""
    import json
    import re
    from html import escape
    data = json.dumps(page_data(session, number, total), separators=(",", ":")).replace("<", "\\u003c")
    title = escape(printable("trace of " + session.command_text()), quote=False)
    title = title.encode("ascii", "xmlcharrefreplace").decode("ascii")
    parts = {"@STYLE@": TRACE_PAGE_STYLE, "@SCRIPT@": TRACE_PAGE_SCRIPT, "@TITLE@": title, "@DATA@": data}
    return re.sub("@[A-Z]+@", lambda match: parts[match.group(0)], TRACE_PAGE)


def page_data(session: TraceSession, number: int, total: int) -> dict[str, Any]:
    """Everything the script needs, as plain JSON."""
    conversation = understand(session)
    sentences, shapes, methods = RowTable(), RowTable(), RowTable()
    entries = []
    for entry in conversation.entries:
        revision = entry.get("revision") or conversation.revision or UNKNOWN_REVISION
        fields = explain_message(entry["kind"], entry.get("method"), entry.get("message"), revision)
        shape = tuple((path, sentences.number((sentence, link))) for path, sentence, link in fields)
        about = explain_method(entry["kind"], entry.get("method"), revision)
        entries.append(dict(page_entry(entry), x=shapes.number(shape), e=methods.number(about)))
    host, server = speaker_names(conversation)
    return {
        "command": printable(session.command_text()), "started": session.header.get("started"),
        "version": session.header.get("version"), "platform": session.header.get("platform"),
        "number": number, "total": total, "unreadable": session.unreadable, "traffic": conversation.count_words(),
        "host": printable(host), "server": printable(server),
        "entries": entries, "sentences": sentences.rows, "shapes": shapes.rows, "methods": methods.rows,
    }


def page_entry(entry: dict[str, Any]) -> dict[str, Any]:
    """One entry with the script's short names; what is empty is left out."""
    row = {
        "a": round(entry["at"], 6), "f": entry["from"], "k": entry["kind"], "b": entry["bytes"], "d": entry["depth"],
        "j": entry["text"], "m": printable(entry.get("method") or ""),
        "l": printable(entry.get("label") or "")[:SUMMARY_LENGTH], "s": printable(entry.get("summary") or "")[:SUMMARY_LENGTH],
        "p": entry.get("partner"), "o": entry.get("parent"), "t": entry.get("took"), "c": entry.get("chain"),
        "r": entry.get("round"), "v": entry.get("revision"), "g": entry["flags"] or None, "w": entry.get("outcome"),
        "i": printable(compact_json(entry["id"])) if "id" in entry else None,
        "h": "message" in entry or None, "n": entry.get("cancelled"),
    }
    return {name: value for name, value in row.items() if value is not None and value != ""}


def speaker_names(conversation: Conversation) -> tuple[str, str]:
    """What host and server call themselves, "" where nobody said."""
    host = server = None
    for entry in conversation.entries:
        params, result = member(entry.get("message"), "params"), member(entry.get("message"), "result")
        host = host or member(params, "clientInfo") or member(params, "_meta", CLIENT_INFO_KEY)
        server = server or member(result, "serverInfo") or member(result, "_meta", SERVER_INFO_KEY)
    return person(host), person(server)
