r"""A pattern of ECMA-262 read as a tree.

Here: sets of characters, and a parser (Unicode mode, with the leniences of annex B that people use). What is Python's own
or wrong is refused with a reason. Not here: what the tree is for. Parsing needs no ``re``.

Pages: ECMA-262 22.2.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Tuple

    Ranges = Tuple[Tuple[int, int], ...]
    PatternNode = Tuple[Any, ...]

LAST_CODE = 0x10FFFF
MAX_PATTERN_DEPTH = 50
MAX_REPEAT_COUNT = 100000

DIGITS = ((48, 57),)
WORD = ((48, 57), (65, 90), (95, 95), (97, 122))
SPACE = ((9, 13), (32, 32), (160, 160), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029), (0x202F, 0x202F),
         (0x205F, 0x205F), (0x3000, 0x3000), (0xFEFF, 0xFEFF))
LINE_ENDS = ((10, 10), (13, 13), (0x2028, 0x2029))
ANY_CODE = ((0, LAST_CODE),)
CLASS_ESCAPES: Dict[str, Ranges] = {"d": DIGITS, "w": WORD, "s": SPACE}
CONTROL_ESCAPES = {"t": 9, "n": 10, "v": 11, "f": 12, "r": 13}
LOOKS = {"=": (False, False), "!": (False, True), "<=": (True, False), "<!": (True, True)}     # behind, negative
FOREIGN_ESCAPES = {"A": "write ^", "Z": "write $", "z": "write $", "h": "write [0-9a-fA-F]",
                   "a": "write \\x07", "e": "write \\x1b"}
# General categories under their long names; the short ones are Unicode's own.
CATEGORY_NAMES = {
    "Letter": "L", "Cased_Letter": "LC", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll", "Titlecase_Letter": "Lt",
    "Modifier_Letter": "Lm", "Other_Letter": "Lo", "Mark": "M", "Combining_Mark": "M", "Nonspacing_Mark": "Mn",
    "Spacing_Mark": "Mc", "Enclosing_Mark": "Me", "Number": "N", "Decimal_Number": "Nd", "digit": "Nd",
    "Letter_Number": "Nl", "Other_Number": "No", "Punctuation": "P", "punct": "P", "Connector_Punctuation": "Pc",
    "Dash_Punctuation": "Pd", "Open_Punctuation": "Ps", "Close_Punctuation": "Pe", "Initial_Punctuation": "Pi",
    "Final_Punctuation": "Pf", "Other_Punctuation": "Po", "Symbol": "S", "Math_Symbol": "Sm", "Currency_Symbol": "Sc",
    "Modifier_Symbol": "Sk", "Other_Symbol": "So", "Separator": "Z", "Space_Separator": "Zs", "Line_Separator": "Zl",
    "Paragraph_Separator": "Zp", "Other": "C", "Control": "Cc", "cntrl": "Cc", "Format": "Cf", "Surrogate": "Cs",
    "Private_Use": "Co", "Unassigned": "Cn",
}
CATEGORY_RANGES: Dict[str, List[Tuple[int, int]]] = {}      # filled at the first \p


class PatternError(ValueError):
    """A pattern that is wrong, or that cannot be matched here; the text says why."""


# -- sets of characters --------------------------------------------------------------------------------------------

def join_ranges(ranges: Any) -> Ranges:
    """Sorted, without overlaps."""
    joined: List[Tuple[int, int]] = []
    for low, high in sorted(ranges):
        if joined and low <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(high, joined[-1][1]))
        else:
            joined.append((low, high))
    return tuple(joined)


def other_ranges(ranges: Ranges) -> Ranges:
    """Everything else."""
    others, start = [], 0
    for low, high in ranges:
        if low > start:
            others.append((start, low - 1))
        start = high + 1
    if start <= LAST_CODE:
        others.append((start, LAST_CODE))
    return tuple(others)


def ranges_meet(a: Ranges, b: Ranges) -> bool:
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i][1] < b[j][0]:
            i += 1
        elif b[j][1] < a[i][0]:
            j += 1
        else:
            return True
    return False


def category_ranges(name: str) -> Ranges:
    """The characters of a Unicode property; raises PatternError for one that Python does not know."""
    if name.startswith(("General_Category=", "gc=")):
        name = name.partition("=")[2]
    if name in ("Any", "ASCII", "Assigned"):
        return ANY_CODE if name == "Any" else ((0, 127),) if name == "ASCII" else other_ranges(category_ranges("Cn"))
    short = CATEGORY_NAMES.get(name, name)
    if short not in CATEGORY_NAMES.values():
        raise PatternError("uses the Unicode property \\p{%s}; only general categories are supported" % name[:40])
    if not CATEGORY_RANGES:
        from unicodedata import category
        for first, last in ((0, 0x3FFFF), (0xE0000, 0xE0FFF)):      # the rest holds nothing but Cn and Co
            start, current = first, category(chr(first))
            for code in range(first + 1, last + 2):
                found = category(chr(code)) if code <= last else ""
                if found != current:
                    CATEGORY_RANGES.setdefault(current, []).append((start, code - 1))
                    start, current = code, found
        for low, high, name in ((0x40000, 0xDFFFF, "Cn"), (0xE1000, 0xEFFFF, "Cn"), (0xF0000, 0xFFFFD, "Co"),
                                (0xFFFFE, 0xFFFFF, "Cn"), (0x100000, 0x10FFFD, "Co"), (0x10FFFE, 0x10FFFF, "Cn")):
            CATEGORY_RANGES.setdefault(name, []).append((low, high))
    members = ("Lu", "Ll", "Lt") if short == "LC" else [known for known in CATEGORY_RANGES if known.startswith(short)]
    return join_ranges([pair for known in members for pair in CATEGORY_RANGES.get(known, ())])


# -- parsing -------------------------------------------------------------------------------------------------------
# A node is ("set", ranges), ("seq", nodes), ("alt", nodes), ("repeat", node, low, high or None),
# ("group", node, number), ("look", node, behind, negative), ("at", "^" or "$" or "b" or "B") or ("back", number).

class PatternParser:
    """One pattern read from left to right."""

    def __init__(self, text: str) -> None:
        self.text, self.place, self.depth = text, 0, 0
        self.names = group_names(text)          # a back reference may come before its group
        self.groups, self.total = 0, len(self.names)

    def parse(self) -> PatternNode:
        node = self.alternatives()
        if self.place < len(self.text):
            raise PatternError("has a ) too many")
        return node

    def peek(self) -> str:
        return self.text[self.place:self.place + 1]

    def take(self, expected: str) -> bool:
        if self.text.startswith(expected, self.place):
            self.place += len(expected)
            return True
        return False

    def alternatives(self) -> PatternNode:
        self.depth += 1
        if self.depth > MAX_PATTERN_DEPTH:
            raise PatternError("is nested too deeply")
        branches = [self.sequence()]
        while self.take("|"):
            branches.append(self.sequence())
        self.depth -= 1
        return branches[0] if len(branches) == 1 else ("alt", branches)

    def sequence(self) -> PatternNode:
        nodes: List[PatternNode] = []
        while self.place < len(self.text) and self.peek() not in "|)":
            nodes.append(self.quantified(self.atom()))
        return ("seq", nodes)

    def quantified(self, node: PatternNode) -> PatternNode:
        bounds = self.quantifier()
        if bounds is None:
            return node
        if node[0] in ("at", "look"):
            raise PatternError("repeats something that has no width")
        self.take("?")
        if self.peek() in ("*", "+", "?") and self.peek():
            raise PatternError("repeats a repetition" if self.peek() != "+" else
                               "has a possessive repetition, which is not ECMA-262")
        low, high = bounds
        if max(low, high or 0) > MAX_REPEAT_COUNT:
            raise PatternError("has a count above %d" % MAX_REPEAT_COUNT)
        if high is not None and high < low:
            raise PatternError("has a count {%d,%d} out of order" % (low, high))
        return ("repeat", node, low, high)

    def quantifier(self) -> Optional[Tuple[int, Optional[int]]]:
        for mark, bounds in (("*", (0, None)), ("+", (1, None)), ("?", (0, 1))):
            if self.take(mark):
                return bounds
        start = self.place
        if self.take("{"):
            low, comma, high = self.digits(), self.take(","), self.digits()
            if low and self.take("}"):
                return int(low), int(high) if high else None if comma else int(low)
            self.place = start              # a brace like any other character
        return None

    def digits(self) -> str:
        start = self.place
        while self.peek() in "0123456789" and self.peek():
            self.place += 1
        if self.place - start > 9:
            raise PatternError("has a count above %d" % MAX_REPEAT_COUNT)
        return self.text[start:self.place]

    def atom(self) -> PatternNode:
        letter = self.peek()
        self.place += 1
        if letter == "(":
            return self.group()
        if letter == "[":
            return ("set", self.bracket())
        if letter == ".":
            return ("set", other_ranges(LINE_ENDS))
        if letter in "^$":
            return ("at", letter)
        if letter in "*+?":
            raise PatternError("repeats nothing, at character %d" % self.place)
        if letter == "\\":
            return self.escape()
        return ("set", ((ord(letter), ord(letter)),))

    def group(self) -> PatternNode:
        look, number = None, 0
        if not self.take("?"):
            self.groups += 1
            number = self.groups
        elif not self.take(":"):
            look = next((sides for mark, sides in LOOKS.items() if self.take(mark)), None)
            if look is None:
                number = self.named_group()
        node = self.alternatives()
        if not self.take(")"):
            raise PatternError("lacks a )")
        return ("look", node) + look if look is not None else ("group", node, number) if number else node

    def named_group(self) -> int:
        if not self.take("<"):
            rest = self.text[self.place - 2:self.place + 2]
            raise PatternError('has "%s", which is not ECMA-262%s' % (
                rest, ": write (?<name>...)" if rest.startswith("(?P<") else ""))
        name = self.text[self.place:].partition(">")[0]
        self.place += len(name) + 1
        self.groups += 1
        if not name.replace("$", "_").isidentifier() or self.names.index(name) != self.groups - 1:
            raise PatternError('has a bad or repeated group name "%s"' % name[:40])
        return self.groups

    def escape(self) -> PatternNode:
        letter = self.peek()
        if letter in ("b", "B"):
            self.place += 1
            return ("at", letter)
        if letter == "k" and "(?<" in self.text:
            self.place += 1
            name = self.text[self.place + 1:].partition(">")[0] if self.peek() == "<" else ""
            if not name:
                raise PatternError("has \\k without <name>")
            self.place += len(name) + 2
            if name not in self.names:
                raise PatternError('refers back to group "%s", which is not there' % name[:40])
            return ("back", self.names.index(name) + 1)
        if letter in "123456789" and letter:
            number_text = self.digits()
            if int(number_text) > self.total:
                raise PatternError("refers back to group %s, which is not there" % number_text)
            return ("back", int(number_text))
        return ("set", self.class_escape())

    def class_escape(self) -> Ranges:
        """What follows a backslash, inside brackets or not, as a set."""
        letter = self.peek()
        self.place += 1
        if not letter:
            raise PatternError("ends in a backslash")
        if letter in CLASS_ESCAPES:
            return CLASS_ESCAPES[letter]
        if letter.lower() in CLASS_ESCAPES:
            return other_ranges(CLASS_ESCAPES[letter.lower()])
        if letter in "pP":
            name = self.text[self.place:].partition("}")[0]
            if not name.startswith("{"):
                raise PatternError("has \\%s without {property}" % letter)
            self.place += len(name) + 1
            ranges = category_ranges(name[1:])
            return ranges if letter == "p" else other_ranges(ranges)
        code = CONTROL_ESCAPES.get(letter, -1)
        if letter == "c":
            control = self.peek()
            self.place += 1
            if not (control.isascii() and control.isalpha()):
                raise PatternError("has \\c without a letter")
            code = ord(control) % 32
        elif letter == "0":
            if self.peek().isdigit():
                raise PatternError("has an octal escape, which is not ECMA-262: write \\xHH")
            code = 0
        elif letter == "x":
            code = self.hex_digits(2)
        elif letter == "u":
            code = self.unicode_escape()
        elif letter == "-" or letter == "_" or not letter.isalnum():
            code = ord(letter)
        if code < 0:
            hint = FOREIGN_ESCAPES.get(letter)
            raise PatternError("has \\%s, which is not ECMA-262%s" % (letter, "" if hint is None else ": " + hint))
        return ((code, code),)

    def hex_digits(self, count: int) -> int:
        digits = self.text[self.place:self.place + count]
        self.place += count
        if len(digits) != count or not all(digit in "0123456789abcdefABCDEF" for digit in digits):
            raise PatternError("has an escape that lacks %d hexadecimal digits" % count)
        return int(digits, 16)

    def unicode_escape(self) -> int:
        if self.take("{"):
            digits = self.text[self.place:].partition("}")[0]
            self.place += len(digits) + 1
            if not 0 < len(digits) <= 8 or not all(digit in "0123456789abcdefABCDEF" for digit in digits) \
                    or int(digits, 16) > LAST_CODE:
                raise PatternError("has a bad \\u{...}")
            return int(digits, 16)
        code = self.hex_digits(4)
        if 0xD800 <= code <= 0xDBFF and self.text.startswith("\\u", self.place):
            place, self.place = self.place, self.place + 2
            low = self.hex_digits(4) if self.peek() != "{" else 0
            if 0xDC00 <= low <= 0xDFFF:
                return 0x10000 + (code - 0xD800) * 0x400 + low - 0xDC00
            self.place = place
        return code

    def bracket(self) -> Ranges:
        """A character class, after its opening bracket."""
        negative = self.take("^")
        ranges: List[Tuple[int, int]] = []
        while not self.take("]"):
            low = self.bracket_part()
            if self.peek() == "-" and self.text[self.place + 1:self.place + 2] not in ("]", ""):
                self.place += 1
                high = self.bracket_part()
                if len(low) == 1 == len(high) and low[0][0] == low[0][1] and high[0][0] == high[0][1]:
                    if low[0][0] > high[0][0]:
                        raise PatternError("has a range out of order in brackets")
                    ranges.append((low[0][0], high[0][0]))
                else:                       # [\w-.]: the hyphen is one of the characters
                    ranges += list(low) + [(45, 45)] + list(high)
            else:
                ranges += low
        joined = join_ranges(ranges)
        return other_ranges(joined) if negative else joined

    def bracket_part(self) -> Ranges:
        letter = self.peek()
        if not letter:
            raise PatternError("lacks a ]")
        self.place += 1
        if letter != "\\":
            return ((ord(letter), ord(letter)),)
        if self.take("b"):
            return ((8, 8),)
        if self.peek() in "123456789" and self.peek():
            raise PatternError("has an octal escape, which is not ECMA-262: write \\xHH")
        return self.class_escape()


def group_names(text: str) -> List[str]:
    """The groups that a pattern captures, in their order: the name of each, "" where it has none."""
    names: List[str] = []
    place, inside = 0, False
    while place < len(text):
        letter = text[place]
        if letter == "\\":
            place += 1
        elif inside:
            inside = letter != "]"
        elif letter == "[":
            inside = True
        elif letter == "(" and text[place + 1:place + 2] != "?":
            names.append("")
        elif letter == "(" and text.startswith("?<", place + 1) and text[place + 3:place + 4] not in ("=", "!"):
            names.append(text[place + 3:].partition(">")[0])
        place += 1
    return names


def parts_of(node: PatternNode) -> List[PatternNode]:
    if node[0] in ("seq", "alt"):
        return list(node[1])
    return [node[1]] if node[0] in ("repeat", "group", "look") else []


def walk_pattern(node: PatternNode) -> List[PatternNode]:
    found = [node]
    for part in parts_of(node):
        found += walk_pattern(part)
    return found
