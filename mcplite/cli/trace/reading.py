"""A recording read again: the bytes of the file to its sessions and their records.

What the file looks like stands in `recording`; what its messages mean is `conversation`'s business. Records are separated by LF
only (a verbatim message may hold U+2028). One that cannot be read is counted, not fatal.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    TraceRecord = dict[str, Any]


class TraceSession:
    """One run of a server in a recording: its header, its records, and how many records could not be read."""

    def __init__(self, header: TraceRecord) -> None:
        self.header = header
        self.records: list[TraceRecord] = []
        self.unreadable = 0

    def command_text(self) -> str:
        """The server's command line, as a shell would take it."""
        from shlex import quote
        command = self.header.get("command")
        return " ".join(quote(str(word)) for word in command) if isinstance(command, list) else "?"


class TraceReader:
    """Sorts the lines of a recording into sessions. `sessions` grows as lines are fed."""

    def __init__(self) -> None:
        self.sessions: list[TraceSession] = []
        self.running: dict[str, TraceSession] = {}  # by pid, whatever stands there

    def feed_line(self, line: bytes) -> tuple[TraceSession, TraceRecord] | None:
        """The session and the record of one line; None for a header or what is not a record."""
        import json
        try:
            record = json.loads(line.decode("utf-8"))
        except (ValueError, RecursionError):
            record = None
        pid = repr(record.get("pid")) if isinstance(record, dict) else ""
        if isinstance(record, dict) and "mcplite_trace" in record:
            self.running[pid] = TraceSession(record)
            self.sessions.append(self.running[pid])
            return None
        owner = self.running.get(pid)
        if owner is None or not is_trace_record(record):
            if self.sessions:
                self.sessions[-1].unreadable += 1
            return None
        if "message" in record:
            record["text"] = message_text(line)
        owner.records.append(record)
        return owner, record


def is_trace_record(record: TraceRecord) -> bool:
    at, event = record.get("at"), record.get("event")
    if not isinstance(at, (int, float)) or isinstance(at, bool):
        return False
    if isinstance(event, str):
        return True
    return (record.get("from") in ("host", "server", "stderr") and isinstance(record.get("bytes"), int)
            and ("message" in record or isinstance(record.get("text"), str)))


def message_text(line: bytes) -> str:
    """The verbatim message in a record: the recorder writes it last."""
    start = line.find(b'"message":')
    return line[start + len(b'"message":'):line.rindex(b"}")].decode("utf-8", "replace").strip()


def parse_trace(data: bytes) -> list[TraceSession]:
    """All sessions in the bytes of a recording; within a session in the order of time."""
    reader = TraceReader()
    for line in data.split(b"\n"):
        if line.strip():
            reader.feed_line(line)
    for session in reader.sessions:
        session.records.sort(key=lambda record: float(record["at"]))
    return reader.sessions
