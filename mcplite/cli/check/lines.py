"""The judge of lines: what comes on standard output as bytes, until it is a JSON value.

Here: encoding, line ends, noise, messages over several lines, numbers and texts that only some readers take. Not here: what the
value says (`messages`), where lines come from (`lane`).

Pages: basic/transports (stdio) of 2025-11-25, basic/transports/stdio of 2026-07-28.

1. A fault is noted and then forgiven: a byte order mark is dropped, lines are joined. So one fault is one finding, and what
   comes after it is still tried.
"""
from __future__ import annotations

from ...codec import DecodeError, decode_text
from ...jsonrpc import OverlongLine, UnterminatedLine
from ...revisions import REVISIONS
from .findings import shorten_evidence
from .table import SEVERITIES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .findings import Findings

UTF8_MARK = b"\xef\xbb\xbf"
LONG_LINE = 10 * 1000 * 1000
DEEP_LEVELS = 500
JOINED_LINES = 200  # after so many, only a bracket at the start of a line is taken for the end of a message
LINE_CHECKS_MADE = ("stdout-noise", "utf8", "bom", "one-line", "blank-lines", "crlf", "nan", "lone-surrogate", "raw-separators",
                    "line-length", "nesting")


class LineJudge:
    """Judges line by line and hands on each JSON value. `date` is the revision that is spoken (it changes with `initialize`)."""

    def __init__(self, findings: Findings, date: str) -> None:
        self.findings = findings
        self.speak(date)
        self.partial: list[bytes] = []  # lines that may be one message together

    def speak(self, date: str) -> None:
        self.date, self.row = date, REVISIONS[date]

    def report(self, name: str, what: str, evidence: Any = "", weight: str = "") -> None:
        """Note a finding of the check `name`; `weight` is a severity or a row of CASES, where the check's own does not hold."""
        severity = weight if weight in SEVERITIES else None
        self.findings.add(name, what, shorten_evidence(evidence), self.date, severity, "" if severity else weight)

    def take_value(self, value: Any, line: bytes) -> None:
        raise NotImplementedError

    def take_line(self, line: bytes) -> None:
        """Judge one line, and what it says."""
        self.findings.tries(*LINE_CHECKS_MADE)
        if isinstance(line, OverlongLine):
            self.report("line-length", "a line has more than %d bytes" % line.limit)
            return
        if isinstance(line, UnterminatedLine) and split_messages(line):
            self.report("one-line", "a message is not ended by a line feed", line)
            for message in split_messages(line):
                self.take_line(message)
            return
        if line.startswith(UTF8_MARK):
            self.report("bom", "a line begins with a byte order mark", line)
            line = line[len(UTF8_MARK):]
            if not line:
                return
        if line.endswith(b"\r"):
            self.report("crlf", "lines end in CR LF", line)
            line = line[:-1]
        if not line.strip() and not self.partial:
            self.report("blank-lines", "a line is empty", line)
            return
        if len(line) > LONG_LINE:
            self.report("line-length", "a line is longer than 10 MB", line)
        broken = False
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError as error:
            self.report("utf8", "a line is not UTF-8: byte %02X" % line[error.start], line)
            text, broken = line.decode("utf-8", "replace"), True
        if self.partial and b'"jsonrpc"' not in line.partition(b":")[0]:
            self.join_lines(line)  # in the middle of a message, a line may be JSON by itself
            return
        value = self.parse_text(text, line)
        if value is not None:
            self.drop_partial()
            self.take_value(value[0], line)
        elif not broken:
            self.join_lines(line)

    def parse_text(self, text: str, line: bytes) -> tuple[Any] | None:
        """The JSON value in a tuple, None where there is none. What only a lenient reader takes is reported."""
        if any(character in text for character in "\u2028\u2029\x85"):
            self.report("raw-separators", "a line holds U+2028, U+2029 or U+0085 as it is", line)
        try:
            value = decode_text(text)
        except DecodeError:
            found: list[str] = []
            read = parse_leniently(text, found)
            if read is None:
                return None
            if read[0] == ():
                self.report("nesting", "a message is nested too deeply", line)
            elif found:
                self.report("nan", "a message holds %s" % found[0], line)
            else:
                self.report("message-form", "a text holds a control character as it is", line)
            return read
        if "\\ud" in text.lower() and has_lone_surrogate(value):
            self.report("lone-surrogate", "a text holds half a surrogate pair", line)
        if text.count("[") + text.count("{") > DEEP_LEVELS and json_depth(value) > DEEP_LEVELS:
            self.report("nesting", "a message is nested more than %d levels deep" % DEEP_LEVELS, line)
        return (value,)

    def join_lines(self, line: bytes) -> None:
        """A line that is no JSON by itself: part of a message over several lines, or noise."""
        if not self.partial and line.lstrip()[:1] not in (b"{", b"["):
            self.report("stdout-noise", "standard output carries a line that is no message", line)
            return
        self.partial.append(line)
        closes = line[:1] in (b"}", b"]") or line.rstrip()[-1:] in (b"}", b"]") and len(self.partial) < JOINED_LINES
        if not closes:
            return
        whole = b"\n".join(self.partial)
        value = parse_leniently(whole.decode("utf-8", "replace"), [])
        if value is not None and isinstance(value[0], (dict, list)) and len(self.partial) > 1:
            self.report("one-line", "a message is spread over several lines", whole)
            self.partial.clear()
            self.take_value(value[0], whole)

    def drop_partial(self) -> None:
        for line in self.partial:
            if line.strip():
                self.report("stdout-noise", "standard output carries a line that is no message", line)
        self.partial.clear()


def parse_leniently(text: str, found: list[str]) -> tuple[Any] | None:
    """Read what Python's json reads: NaN and Infinity, which are put into `found`. None where that is no JSON either."""
    import json

    def take_float(digits: str) -> float:
        number = float(digits)
        if number in (float("inf"), float("-inf")):
            found.append("the number %s" % digits)
        return number

    try:
        return (json.loads(text, parse_constant=found.append, parse_float=take_float, strict=False),)
    except RecursionError:
        return ((),)  # no value that JSON has
    except ValueError:
        return None


def split_messages(data: bytes) -> list[bytes]:
    """The JSON objects that stand behind each other in `data` without a line feed; none where it is anything else."""
    import json

    try:
        text, found = data.decode("utf-8").strip(), []
        while text:
            value, end = json.JSONDecoder().raw_decode(text)
            if not isinstance(value, dict):
                return []
            found.append(text[:end].encode("utf-8"))
            text = text[end:].strip()
    except (ValueError, RecursionError):
        return []
    return found


def has_lone_surrogate(value: Any) -> bool:
    import json

    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def json_depth(value: Any) -> int:
    """How many arrays and objects lie in each other."""
    depth, level = 0, [value]
    while level:
        below: list[Any] = []
        for item in level:
            if isinstance(item, dict):
                below.extend(item.values())
            elif isinstance(item, list):
                below.extend(item)
        depth, level = depth + 1, below
    return depth
