r"""Patterns as JSON Schema uses them: found anywhere in the text, with bounded work.

Here: a pattern in the dialect of Python's ``re``, and how it is matched. Not here: reading (``parser``), how long it can take
(``positions``), and what ``pattern`` does with it.

1. What both dialects say differently is translated (\d, \w and \s, ``$`` at the very end, ``.``, \uXXXX, \p{...}, named groups,
   ``[]`` and ``[^]``); what Python cannot do is refused with a reason.
2. ``re`` is loaded at the first match.
3. A pattern that can take polynomial time (``\s+$``) is matched by ``re`` up to a length that keeps it cheap, and by a table of
   states in linear time beyond (``states``); a text beyond that which needs look-around or back references does not match.

Pages: json-schema.org/draft/2020-12 core 6.4.
"""
from __future__ import annotations

from .parser import ANY_CODE, LAST_CODE, PatternError, PatternParser, other_ranges, parts_of, walk_pattern
from .positions import begins_at_start, check_counts, loop_degree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Set

    from .parser import PatternNode, Ranges

MAX_PATTERN_LENGTH = 20000
MATCH_STEPS = 1000000       # that one match by ``re`` may take
READ_PATTERNS: Dict[str, ReadPattern] = {}


# -- translation ---------------------------------------------------------------------------------------------------

def python_pattern(node: PatternNode, kept: Dict[int, int]) -> str:
    """The same in Python's dialect. ``kept``: the groups that something refers to, and their numbers there."""
    kind = node[0]
    if kind == "set":
        return python_set(node[1])
    if kind == "seq":
        return "".join(python_pattern(part, kept) if part[0] != "alt" else "(?:%s)" % python_pattern(part, kept)
                       for part in node[1])
    if kind == "alt":
        return "|".join(python_pattern(part, kept) for part in node[1])
    if kind == "repeat":
        _, part, low, high = node
        text = python_pattern(part, kept)
        if part[0] != "set" and not (part[0] == "group" and part[2] in kept):
            text = "(?:%s)" % text
        if (low, high) in ((0, None), (1, None), (0, 1)):
            return text + {(0, None): "*", (1, None): "+", (0, 1): "?"}[low, high]
        return text + ("{%d}" % low if low == high else "{%d,%s}" % (low, "" if high is None else high))
    if kind == "group":
        return "%s%s)" % ("(" if node[2] in kept else "(?:", python_pattern(node[1], kept))
    if kind == "back":      # a group that has not matched refers to nothing, and nothing matches
        number = kept[node[1]]
        return "(?(%d)\\%d)" % (number, number)
    if kind == "at":
        return {"^": "^", "$": "\\Z", "b": "\\b", "B": "(?!\\b)"}[node[1]]
    _, part, behind, negative = node
    if not behind:
        return "(?%s%s)" % ("!" if negative else "=", python_pattern(part, kept))
    texts = []
    for branch in part[1] if part[0] == "alt" else [part]:
        if fixed_width(branch) is None:
            raise PatternError("looks behind at something without a fixed length, which Python cannot")
        texts.append("(?<%s%s)" % ("!" if negative else "=", python_pattern(branch, kept)))
    return "".join(texts) if negative else "(?:%s)" % "|".join(texts)


def python_set(ranges: Ranges) -> str:
    if not ranges:
        return "(?!)"
    if ranges == ANY_CODE:
        return "(?s:.)"
    if len(ranges) == 1 and ranges[0][0] == ranges[0][1]:
        return python_character(ranges[0][0])
    negative = ranges[-1][1] == LAST_CODE
    return "[%s%s]" % ("^" if negative else "", "".join(
        python_character(low) if low == high else python_character(low) + "-" + python_character(high)
        for low, high in (other_ranges(ranges) if negative else ranges)))


def python_character(code: int) -> str:
    if 48 <= code <= 57 or 65 <= code <= 90 or 97 <= code <= 122 or code == 95:
        return chr(code)
    return "\\x%02x" % code if code < 256 else "\\u%04x" % code if code < 0x10000 else "\\U%08x" % code


def fixed_width(node: PatternNode) -> Optional[int]:
    """How many characters a node matches, when that is always the same."""
    kind = node[0]
    if kind == "set":
        return 1
    if kind in ("at", "look"):
        return 0
    if kind == "group":
        return fixed_width(node[1])
    if kind == "repeat" and node[2] == node[3]:
        width = fixed_width(node[1])
        return None if width is None else width * int(node[2])
    if kind in ("seq", "alt"):
        widths = [fixed_width(part) for part in node[1]]
        if None in widths or kind == "alt" and len(set(widths)) > 1:
            return None
        return sum(width or 0 for width in widths) if kind == "seq" else widths[0]
    return None


def check_backs(node: PatternNode, inside: bool, ended: Set[int], repeated: Set[int]) -> None:
    """Refuse back references that the two dialects understand differently: ECMA-262 forgets a group at each turn of a
    loop, and one that has not ended matches nothing."""
    if node[0] == "back":
        number = node[1]
        if number not in ended:
            raise PatternError("refers back to a group that has not ended")
        if number in repeated:
            raise PatternError("refers back to a group inside a repetition")
    for part in parts_of(node):
        check_backs(part, inside or node[0] == "repeat" and node[3] != 1, ended, repeated)
    if node[0] == "group":
        ended.add(node[2])
        if inside:
            repeated.add(node[2])


# -- matching ------------------------------------------------------------------------------------------------------

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
