"""A session as text: a header, one line for each entry of the conversation, and a summary.

What is printed cannot steer a terminal: all of it goes through `printable`.
"""
from __future__ import annotations

from ..terminal import (
    column_width,
    compact_json,
    duration_words,
    printable,
    shortened,
    size_words,
    styled,
    terminal_width,
    wants_colour,
)
from .conversation import Conversation, understand
from .reading import TraceReader, TraceSession
from .words import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ARROWS = {"host": "-->", "server": "<--", "stderr": "err", "event": " * "}
COLOURS = {"request": "1", "response": "32", "error": "31", "tool error": "31", "notification": "36", "invalid": "33",
           "junk": "33", "stderr": "2", "event": "2"}  # by outcome or by kind


def entry_words(entry: dict[str, Any]) -> str:
    """One entry without time, arrow and size."""
    outcome = ""
    if "outcome" in entry:
        outcome = words("ERROR" if entry["outcome"] == "error" else entry["outcome"],
                        duration_words(entry["took"]) if "took" in entry else "")
        if "message" in entry and entry.get("summary"):
            outcome += ":"
    rounds = entry.get("round", 0)
    return words("#" + compact_json(entry["id"]) if "id" in entry else "", entry.get("method"), entry.get("label"),
                 "(round %d)" % rounds if rounds > 1 or (rounds == 1 and "outcome" in entry) else "", outcome,
                 "[%s]" % "; ".join(entry["flags"]) if entry["flags"] else "", entry.get("summary"))


def entry_line(entry: dict[str, Any], width: int, colour: bool = False) -> str:
    """One entry as one line of at most `width` columns."""
    size = size_words(entry["bytes"]) if entry["bytes"] else ""
    line = "%9.3f  %s  %s" % (entry["at"], ARROWS[entry["from"]], "  " * entry["depth"])
    line += shortened(printable(entry_words(entry)), max(12, width - len(line) - len(size) - 2))
    if size:
        line += " " * max(1, width - column_width(line) - len(size)) + size
    return styled(line, COLOURS.get(entry.get("outcome", "")) or COLOURS[entry["kind"]], colour)


def pretty_lines(entry: dict[str, Any]) -> list[str]:
    """The whole message, indented, one printable line at a time."""
    import json
    text = json.dumps(entry["message"], indent=2, ensure_ascii=False) if "message" in entry else entry["text"]
    return ["%18s%s" % ("", printable(line)) for line in text.split("\n")]


def header_lines(session: TraceSession, number: int, total: int) -> list[str]:
    header = session.header
    started = str(header.get("started", "?")).replace("T", " ")[:19]
    which = "session %d of %d, " % (number, total) if total > 1 else ""
    return [printable("trace of: " + session.command_text()),
            printable("%s%s UTC, mcplite %s on %s" % (which, started, header.get("version"), header.get("platform"))),
            "", "     time  --> from the host, <-- from the server"]


def summary_lines(session: TraceSession, conversation: Conversation) -> list[str]:
    lines = ["", conversation.count_words() or "nothing was said"]
    for entry in conversation.unanswered():
        lines.append(printable("no answer: %s" % entry_words(dict(entry, flags=[]))))
    if session.unreadable:
        lines.append("records that could not be read: %d (a crash in the middle of a write, or a damaged file)"
                     % session.unreadable)
    return lines


def session_text(session: TraceSession, number: int, total: int, width: int, colour: bool = False,
                 full: bool = False) -> str:
    """A whole session as text."""
    lines = header_lines(session, number, total)
    conversation = understand(session)
    for entry in conversation.entries:
        lines.append(entry_line(entry, width, colour))
        if full and (entry["text"] or "message" in entry):
            lines += pretty_lines(entry)
    lines += summary_lines(session, conversation)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def follow_recording(stream: Any, full: bool, pause: float = 0.1) -> None:
    """Print what is in the file `stream` and what is added to it, until interrupted."""
    import time
    reader = TraceReader()
    conversations: dict[int, Conversation] = {}
    begun = 0
    rest = b""
    while True:
        *lines, rest = (rest + stream.read(1 << 20)).split(b"\n")
        for line in lines:
            found = reader.feed_line(line)
            if len(reader.sessions) > begun:
                print(("\n" if begun else "") + "\n".join(header_lines(reader.sessions[-1], 1, 1)), flush=True)
                begun = len(reader.sessions)
            if found is None:
                continue
            session, record = found
            for entry in conversations.setdefault(id(session), Conversation()).add(record):
                print(entry_line(entry, terminal_width(), wants_colour()), flush=True)
                if full:
                    print("\n".join(pretty_lines(entry)), flush=True)
        if not lines:
            time.sleep(pause)
