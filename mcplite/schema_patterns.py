r"""Regular expressions as JSON Schema means them: ECMA-262, found anywhere in the text, with bounded work.

Here: a parser of ECMA-262 patterns (Unicode mode, with the leniences of its annex B that people use), the translation
to Python's ``re``, and the judgement whether matching can take too long. Not here: what ``pattern`` does with it.

Pages: ECMA-262 22.2; json-schema.org/draft/2020-12 core 6.4.

1. What both dialects say differently is translated (\d, \w and \s, ``$`` at the very end, ``.``, \uXXXX, \p{...}, named
   groups, ``[]`` and ``[^]``); what Python cannot do, or what is Python's own, is refused with a reason.
2. A pattern that can take exponential time (``(a+)+$``) is refused. The test is exact for the positions of the pattern:
   is there a loop that reads the same text in two ways?
3. A pattern that can take polynomial time (``\s+$``) is matched by ``re`` up to a length that keeps it cheap, and by a
   table of states in linear time beyond; a text beyond that which needs look-around or back references does not match.
4. Parsing needs no ``re``: that is loaded at the first match.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, FrozenSet, List, Optional, Set, Tuple

    Ranges = Tuple[Tuple[int, int], ...]
    PatternNode = Tuple[Any, ...]

LAST_CODE = 0x10FFFF
MAX_PATTERN_LENGTH = 20000
MAX_PATTERN_DEPTH = 50
MAX_REPEAT_COUNT = 100000
MAX_POSITIONS = 1500        # of a pattern, its counted parts written out
MAX_PAIR_STEPS = 300000     # of the test for exponential time
MAX_CHOICES = 16            # two to this power ways to read a text outside of loops
MANY_TURNS = 10             # of a counted repetition
MATCH_STEPS = 1000000       # that one match by ``re`` may take
MAX_TABLE = 20000           # transitions remembered by ``StateTable``, and places in its states, times ten
MAX_TABLE_STEPS = 100000000     # letters of the text times transitions of the pattern

DIGITS = ((48, 57),)
WORD = ((48, 57), (65, 90), (95, 95), (97, 122))
SPACE = ((9, 13), (32, 32), (160, 160), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029), (0x202F, 0x202F),
         (0x205F, 0x205F), (0x3000, 0x3000), (0xFEFF, 0xFEFF))
LINE_ENDS = ((10, 10), (13, 13), (0x2028, 0x2029))
ANY_CODE = ((0, LAST_CODE),)
CLASS_ESCAPES: Dict[str, Ranges] = {"d": DIGITS, "w": WORD, "s": SPACE}
CONTROL_ESCAPES = {"t": 9, "n": 10, "v": 11, "f": 12, "r": 13}
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
CATEGORIES = frozenset("L LC Lu Ll Lt Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po S Sm Sc Sk So Z Zs Zl Zp "
                       "C Cc Cf Cs Co Cn".split())
CATEGORY_RANGES: Dict[str, List[Tuple[int, int]]] = {}      # filled at the first \p
READ_PATTERNS: Dict[str, ReadPattern] = {}


EXPONENTIAL = ("can take exponential time: a repetition in it can match one text in several ways, as in (a+)+; "
               "write it so that there is one way")


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
    if short not in CATEGORIES:
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
        self.names: Dict[str, int] = {}
        self.groups, self.total = 0, count_groups(text)
        self.backs: List[Tuple[str, List[int]]] = []

    def parse(self) -> PatternNode:
        node = self.alternatives()
        if self.place < len(self.text):
            raise PatternError("has a ) too many")
        return self.named_backs(node)

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
        node: PatternNode
        if not self.take("?"):
            self.groups += 1
            number = self.groups
            node = ("group", self.alternatives(), number)
        elif self.take(":"):
            node = self.alternatives()
        elif self.take("="):
            node = ("look", self.alternatives(), False, False)
        elif self.take("!"):
            node = ("look", self.alternatives(), False, True)
        elif self.take("<="):
            node = ("look", self.alternatives(), True, False)
        elif self.take("<!"):
            node = ("look", self.alternatives(), True, True)
        elif self.take("<"):
            name = self.text[self.place:].partition(">")[0]
            self.place += len(name) + 1
            if not name.replace("$", "_").isidentifier() or name in self.names:
                raise PatternError('has a bad or repeated group name "%s"' % name[:40])
            self.groups += 1
            number = self.names[name] = self.groups
            node = ("group", self.alternatives(), number)
        else:
            rest = self.text[self.place - 2:self.place + 2]
            raise PatternError('has "%s", which is not ECMA-262%s' % (
                rest, ": write (?<name>...)" if rest.startswith("(?P<") else ""))
        if not self.take(")"):
            raise PatternError("lacks a )")
        return node

    def escape(self) -> PatternNode:
        letter = self.peek()
        if letter in ("b", "B"):
            self.place += 1
            return ("at", letter)
        if letter == "k" and self.names_ahead():
            self.place += 1
            name = self.text[self.place + 1:].partition(">")[0] if self.peek() == "<" else ""
            if not name:
                raise PatternError("has \\k without <name>")
            self.place += len(name) + 2
            number: List[int] = []
            self.backs.append((name, number))
            return ("back", number)
        if letter in "123456789" and letter:
            number_text = self.digits()
            if int(number_text) > self.total:
                raise PatternError("refers back to group %s, which is not there" % number_text)
            return ("back", [int(number_text)])
        return ("set", self.class_escape())

    def names_ahead(self) -> bool:
        return "(?<" in self.text

    def named_backs(self, node: PatternNode) -> PatternNode:
        for name, number in self.backs:
            if name not in self.names:
                raise PatternError('refers back to group "%s", which is not there' % name[:40])
            number.append(self.names[name])
        return node

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


def count_groups(text: str) -> int:
    """How many groups a pattern captures: a back reference may come before its group."""
    count, place, inside = 0, 0, False
    while place < len(text):
        letter = text[place]
        if letter == "\\":
            place += 1
        elif inside:
            inside = letter != "]"
        elif letter == "[":
            inside = True
        elif letter == "(":
            after = text[place + 1:place + 4]
            count += not after.startswith("?") or after.startswith("?<") and after[2:] not in ("=", "!")
        place += 1
    return count


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
        number = kept[node[1][0]]
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


def parts_of(node: PatternNode) -> List[PatternNode]:
    if node[0] in ("seq", "alt"):
        return list(node[1])
    return [node[1]] if node[0] in ("repeat", "group", "look") else []


def walk_pattern(node: PatternNode) -> List[PatternNode]:
    found = [node]
    for part in parts_of(node):
        found += walk_pattern(part)
    return found


def check_backs(node: PatternNode, inside: bool, ended: Set[int], repeated: Set[int]) -> None:
    """Refuse back references that the two dialects understand differently: ECMA-262 forgets a group at each turn of a
    loop, and one that has not ended matches nothing."""
    if node[0] == "back":
        number = node[1][0]
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


# -- how long matching can take ------------------------------------------------------------------------------------

class PositionGraph:
    """The characters of a pattern as positions, and which can follow which, with the number of ways."""

    def __init__(self, exact: bool) -> None:
        self.exact = exact
        self.sets: List[Ranges] = []
        self.follow: List[Dict[int, int]] = []

    def add(self, node: PatternNode) -> Tuple[bool, List[int], List[int]]:
        """Take a node in; can it be empty, where can it begin, where can it end."""
        kind = node[0]
        if kind == "set":
            self.sets.append(node[1])
            self.follow.append({})
            if len(self.sets) > MAX_POSITIONS:
                raise OverflowError
            return False, [len(self.sets) - 1], [len(self.sets) - 1]
        if kind == "seq":
            return self.chain([self.add(part) for part in node[1]])
        if kind == "alt":
            made = [self.add(part) for part in node[1]]
            return (any(part[0] for part in made), [p for part in made for p in part[1]],
                    [p for part in made for p in part[2]])
        if kind == "group":
            return self.add(node[1])
        if kind == "repeat":
            return self.repeat(node[1], node[2], node[3])
        if kind == "back":          # could be anything, or nothing
            return (True,) + self.add(("set", ANY_CODE))[1:]
        return True, [], []         # "at", "look": no character of their own

    def chain(self, made: List[Tuple[bool, List[int], List[int]]]) -> Tuple[bool, List[int], List[int]]:
        empty = True
        first: List[int] = []
        last: List[int] = []
        for part_empty, part_first, part_last in made:
            self.connect(last, part_first)
            first = first + part_first if empty else first
            last = last + part_last if part_empty else part_last
            empty = empty and part_empty
        return empty, first, last

    def connect(self, ends: List[int], starts: List[int]) -> None:
        for p in ends:
            for q in starts:
                self.follow[p][q] = self.follow[p].get(q, 0) + 1

    def repeat(self, node: PatternNode, low: int, high: Optional[int]) -> Tuple[bool, List[int], List[int]]:
        size = sum(1 for part in walk_pattern(node) if part[0] == "set")
        if high == 0:
            return True, [], []
        if high is not None and (self.exact or low == high and size * high <= 64 or high <= 3):
            made: Tuple[bool, List[int], List[int]] = (True, [], [])
            for count in range(high, 0, -1):        # x{1,3} is x(x(x)?)?: no two ways to leave one out
                made = self.chain([self.add(node), made])
                if count > low:
                    made = (True, made[1], made[2])
            return made
        copies = [self.add(node) for _ in range(low - 1 if self.exact else 0)]
        empty, first, last = self.add(node)
        self.connect(last, first)
        return self.chain(copies + [(empty or low == 0, first, last)])

    def loops(self) -> List[List[int]]:
        """The strongly connected parts that hold a loop, each before those it leads to (Tarjan, without recursion)."""
        order: Dict[int, int] = {}
        low: Dict[int, int] = {}
        stack: List[int] = []
        on_stack: Set[int] = set()
        found: List[List[int]] = []
        for root in range(len(self.sets)):
            if root in order:
                continue
            work = [(root, iter(self.follow[root]))]
            order[root] = low[root] = len(order)
            stack.append(root)
            on_stack.add(root)
            while work:
                p, rest = work[-1]
                q = next(rest, None)
                if q is None:
                    work.pop()
                    if work:
                        low[work[-1][0]] = min(low[work[-1][0]], low[p])
                    if low[p] == order[p]:
                        part = []
                        while True:
                            r = stack.pop()
                            on_stack.discard(r)
                            part.append(r)
                            if r == p:
                                break
                        if len(part) > 1 or p in self.follow[p]:
                            found.append(part)
                elif q not in order:
                    order[q] = low[q] = len(order)
                    stack.append(q)
                    on_stack.add(q)
                    work.append((q, iter(self.follow[q])))
                elif q in on_stack:
                    low[p] = min(low[p], order[q])
        return found[::-1]

    def meet(self, p: int, q: int) -> bool:
        return self.sets[p] == self.sets[q] or ranges_meet(self.sets[p], self.sets[q])

    def reads_twice(self, loop: List[int]) -> bool:
        """Can this loop read one text in two ways? Then n turns have 2**n, and all are tried before giving up."""
        inside = set(loop)
        for p in loop:
            if any(ways > 1 and q in inside for q, ways in self.follow[p].items()):
                return True
        steps = 0
        after: Dict[Tuple[int, int], List[Tuple[int, int]]] = {}
        todo = [(p, p) for p in loop]
        seen = set(todo)
        while todo:             # pairs of places that one text can lead to from one place
            pair = todo.pop()
            reached = after[pair] = []
            for p in self.follow[pair[0]]:
                for q in self.follow[pair[1]] if p in inside else ():
                    steps += 1
                    if q in inside and self.meet(p, q):
                        other = (p, q) if p <= q else (q, p)
                        reached.append(other)
                        if other not in seen:
                            seen.add(other)
                            todo.append(other)
            if steps > MAX_PAIR_STEPS:
                raise OverflowError
        before: Dict[Tuple[int, int], List[Tuple[int, int]]] = {}
        for pair, reached in after.items():
            for other in reached:
                before.setdefault(other, []).append(pair)
        todo = [(p, p) for p in loop]
        back = set(todo)
        while todo:             # those that can come together again
            for pair in before.get(todo.pop(), ()):
                if pair not in back:
                    if pair[0] != pair[1]:
                        return True
                    back.add(pair)
                    todo.append(pair)
        return False

    def degree(self, loops: List[List[int]]) -> int:
        """How many loops in a row can share one text: the power of its length that matching can take."""
        best = [1] * len(loops)
        place = {p: index for index, loop in enumerate(loops) for p in loop}
        for index in range(len(loops) - 1, -1, -1):
            inside = set(loops[index])
            todo = [(p, p) for p in loops[index]]
            seen = set(todo)
            while todo:             # one reader stays in the loop while the other goes on, with the same text
                stays, goes = todo.pop()
                for p in self.follow[stays]:
                    for q in self.follow[goes] if p in inside else ():
                        if (p, q) not in seen and self.meet(p, q):
                            seen.add((p, q))
                            todo.append((p, q))
                            if place.get(q, index) != index:
                                best[index] = max(best[index], best[place[q]] + 1)
                if len(seen) > MAX_PAIR_STEPS:
                    raise OverflowError
        return max(best) if loops else 0

    def choices(self, first: List[int], loops: List[List[int]]) -> float:
        """The binary logarithm of the ways to read one text outside of loops: ``a?a?a?aaa`` has one for each ``?``."""
        looping = {p for loop in loops for p in loop}
        best = [0.0] * len(self.sets)
        steps = 0
        for p in range(len(self.sets) - 1, -2, -1):         # -1 stands for the start
            follow = dict.fromkeys(first, 1) if p < 0 else self.follow[p]
            steps += len(follow) ** 2
            if steps > MAX_PAIR_STEPS:
                raise OverflowError
            after = max([best[q] for q in follow if q > p] or [0.0])
            ways = 1
            if p not in looping:
                ways = max([sum(follow[r] for r in follow if self.meet(q, r)) for q in follow] or [1])
            if p < 0:
                return after + ways.bit_length() - 1
            best[p] = after + ways.bit_length() - 1
        return 0.0


class ReadPattern:
    """A pattern that has been read: its translation, and how it may be matched."""
    __slots__ = ("node", "python", "degree", "plain")

    def __init__(self, text: str) -> None:
        if len(text) > MAX_PATTERN_LENGTH:
            raise PatternError("is longer than %d characters" % MAX_PATTERN_LENGTH)
        parser = PatternParser(text)
        self.node = parser.parse()
        nodes = walk_pattern(self.node)
        wanted = sorted({part[1][0] for part in nodes if part[0] == "back"})
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


def loop_degree(node: PatternNode) -> int:
    """The degree of a pattern; raises PatternError if its time is exponential."""
    graph = PositionGraph(False)
    _, first, _ = graph.add(node)
    loops = graph.loops()
    if any(graph.reads_twice(loop) for loop in loops) or graph.choices(first, loops) > MAX_CHOICES:
        raise PatternError(EXPONENTIAL)
    return graph.degree(loops)


def check_counts(node: PatternNode, times: int) -> None:
    """A counted repetition of something that can be read in two ways is as bad as an endless one."""
    if node[0] == "repeat" and node[3] is not None:
        times *= node[3]
        if times >= MANY_TURNS and node[3] > 1 and node[1][0] != "set":
            loop_degree(("repeat", node[1], 0, None))
            if PositionGraph(False).add(node[1])[0]:        # each turn can be left out
                raise PatternError(EXPONENTIAL)
    for part in parts_of(node):
        check_counts(part, times)


def begins_at_start(node: PatternNode) -> bool:
    if node[0] == "seq":
        for part in node[1]:
            if part[0] != "look":
                return begins_at_start(part)
        return False
    if node[0] == "alt":
        return all(begins_at_start(part) for part in node[1])
    return node == ("at", "^") or node[0] == "group" and begins_at_start(node[1])


# -- matching ------------------------------------------------------------------------------------------------------

class StateTable:
    """Matching in linear time, for long texts: all places the pattern can be in at once, as one state."""

    def __init__(self, node: PatternNode) -> None:
        branches = node[1] if node[0] == "alt" else [node]
        self.graph = PositionGraph(True)
        self.start: Set[int] = set()        # where a match can begin, anywhere
        self.anchored: Set[int] = set()     # where one can begin at the start of the text
        self.done: Set[int] = set()         # where one may end, anywhere
        self.done_at_end: Set[int] = set()
        self.empty = self.empty_at_end = False
        for branch in branches:
            parts = list(branch[1]) if branch[0] == "seq" else [branch]
            at_start = bool(parts) and parts[0] == ("at", "^")
            parts = parts[1:] if at_start else parts
            at_end = bool(parts) and parts[-1] == ("at", "$")
            parts = parts[:-1] if at_end else parts
            if any(part[0] == "at" for part in walk_pattern(("seq", parts))):
                raise OverflowError         # an anchor in the middle
            empty, first, last = self.graph.add(("seq", parts))
            (self.anchored if at_start else self.start).update(first)
            (self.done_at_end if at_end else self.done).update(last)
            if empty and at_start and at_end:
                self.empty_at_end = True
            elif empty:
                self.empty = True           # matches nothing somewhere: always
        self.numbers: Dict[FrozenSet[int], int] = {}
        self.states: List[FrozenSet[int]] = []
        self.table: Dict[Tuple[int, str], int] = {}
        self.size = 0
        self.edges = 1 + sum(map(len, self.graph.follow))

    def number(self, state: FrozenSet[int]) -> int:
        known = self.numbers.get(state)
        if known is None:
            known = self.numbers[state] = len(self.states)
            self.states.append(state)
            self.size += len(state)
        return known

    def found(self, text: str) -> bool:
        if self.empty or not text and self.empty_at_end:
            return True
        if len(text) * self.edges > MAX_TABLE_STEPS:
            return False
        state = -1
        for letter in text:
            following = self.table.get((state, letter))
            if following is None:
                following = self.step(state, letter)
            if following == -2:
                return True
            state = following
        return bool(self.states[state] & self.done_at_end) if state >= 0 else False

    def step(self, state: int, letter: str) -> int:
        if len(self.table) > MAX_TABLE or self.size > 10 * MAX_TABLE:
            self.table.clear()
            self.size = 0
            current = self.states[state] if state >= 0 else frozenset()
            self.numbers, self.states = {}, []
            state = self.number(current) if state >= 0 else -1
        code = ord(letter)
        begin = self.start | self.anchored if state == -1 else self.start
        reached = set(begin)
        for p in self.states[state] if state >= 0 else ():
            reached.update(self.graph.follow[p])
        here = frozenset(p for p in reached if any(low <= code <= high for low, high in self.graph.sets[p]))
        following = -2 if here & self.done else self.number(here)
        self.table[state, letter] = following
        return following


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
    table: List[Optional[StateTable]] = []

    def found(value: str) -> bool:
        if len(value) <= limit:
            return search(value) is not None
        if not table:
            try:
                table.append(StateTable(read.node) if read.plain else None)
            except OverflowError:
                table.append(None)
        return table[0] is not None and table[0].found(value)
    return found
