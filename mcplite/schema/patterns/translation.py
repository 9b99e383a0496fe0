r"""A pattern of ECMA-262 in the dialect of Python's ``re``.

Here: what both dialects say differently (\d, \w and \s, ``$`` at the very end, ``.``, \uXXXX, \p{...}, named groups, ``[]``
and ``[^]``); what Python cannot do is refused with a reason. Not here: matching.
"""
from __future__ import annotations

from .parser import ANY_CODE, LAST_CODE, PatternError, other_ranges, parts_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict, Optional, Set

    from .parser import PatternNode, Ranges


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
