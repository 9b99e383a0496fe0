r"""Patterns as JSON Schema uses them: found anywhere in the text, with bounded work.

Here: what a pattern that has been read can do. Not here: reading (``parser``), Python's dialect (``translation``), how long
it can take (``positions``), and what ``pattern`` does with it.

A pattern that can take polynomial time (``\s+$``) is matched by ``re`` up to a length that keeps it cheap, and by a table of
states in linear time beyond; a text beyond that which needs look-around or back references does not match.

Pages: json-schema.org/draft/2020-12 core 6.4.
"""
from __future__ import annotations

from .parser import PatternError, PatternParser, walk_pattern
from .positions import begins_at_start, check_counts, loop_degree
from .translation import check_backs, python_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional


MAX_PATTERN_LENGTH = 20000
MATCH_STEPS = 1000000       # that one match by ``re`` may take
READ_PATTERNS: Dict[str, ReadPattern] = {}


class ReadPattern:
    """A pattern that has been read: its translation, and how it may be matched."""
    __slots__ = ("node", "python", "degree", "plain")

    def __init__(self, text: str) -> None:
        if len(text) > MAX_PATTERN_LENGTH:
            raise PatternError("is longer than %d characters" % MAX_PATTERN_LENGTH)
        parser = PatternParser(text)
        self.node = parser.parse()
        nodes = walk_pattern(self.node)
        wanted = sorted({part[1] for part in nodes if part[0] == "back"})
        if wanted:
            check_backs(self.node, False, set(), set())
        self.python = python_pattern(self.node, {number: index + 1 for index, number in enumerate(wanted)})
        self.plain = not any(part[0] in ("back", "look") or part[0] == "at" and part[1] in ("b", "B") for part in nodes)
        try:
            check_counts(self.node, 1)
            self.degree = max(loop_degree(part) for part in [self.node] + [
                part[1] for part in nodes if part[0] == "look"])
        except OverflowError:
            raise PatternError("is too large to be sure that matching ends soon") from None
        if self.degree and not begins_at_start(self.node):
            self.degree += 1            # it is tried from each character


def read_pattern(text: str) -> ReadPattern:
    known = READ_PATTERNS.get(text)
    if known is None:
        if len(READ_PATTERNS) > 500:
            READ_PATTERNS.clear()
        known = READ_PATTERNS[text] = ReadPattern(text)
    return known


def pattern_problem(text: str) -> Optional[str]:
    """Why a pattern cannot be used; None when it can."""
    try:
        read_pattern(text)
    except PatternError as error:
        return "the pattern %s" % error
    except RecursionError:
        return "the pattern is nested too deeply"
    return None


def pattern_search(text: str) -> Optional[Callable[[str], object]]:
    """The ``search`` of ``re`` for a pattern that takes linear time; None for others."""
    read = read_pattern(text)
    if read.degree > 1:
        return None
    import re
    return re.compile(read.python, re.ASCII).search


def is_pattern(text: str) -> bool:
    """Is this ECMA-262? Also where it cannot be matched here, unless it is too long to be read at all."""
    try:
        return len(text) <= MAX_PATTERN_LENGTH and PatternParser(text).parse() is not None
    except (PatternError, RecursionError):
        return False


def compile_pattern(text: str) -> Callable[[str], bool]:
    """``found(text)``: does it hold what the pattern says? Never slow, whatever the text."""
    import re
    read = read_pattern(text)
    search = re.compile(read.python, re.ASCII).search
    if read.degree <= 1:
        return lambda value: search(value) is not None
    limit, ways = 1, 1.0
    while ways < MATCH_STEPS:           # the ways to choose as many places in the text as there are loops
        limit += 1
        ways *= (limit + read.degree) / limit
    table: List[Any] = []

    def found(value: str) -> bool:
        if len(value) <= limit:
            return search(value) is not None
        if not table:
            from .states import StateTable
            try:
                table.append(StateTable(read.node) if read.plain else None)
            except OverflowError:
                table.append(None)
        return table[0] is not None and table[0].found(value)
    return found
