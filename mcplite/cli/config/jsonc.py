"""JSON with comments, edited as text: one entry goes in, everything else stays byte for byte.

Here: reading JSONC with positions, putting a member into an object; the rules are those of `edit`. Not here: files (`files`),
what an entry looks like (`hosts`).
"""
from __future__ import annotations

from .edit import ConfigSyntaxError, holds_entry, line_end, nested_object, not_put_in, syntax_error_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Sequence


class JsoncNode:
    """One value with its place: text[start:end]. `members` of an object are (key, value node); None where it is no object."""

    __slots__ = ("end", "members", "start", "value")

    def __init__(self, start: int) -> None:
        self.start = self.end = start
        self.value: Any = None
        self.members: list[tuple[str, JsoncNode]] | None = None

    def member(self, key: str, text: str) -> JsoncNode | None:
        """The value of `key`. One that is there twice is refused: readers differ in which of them counts."""
        found = [node for name, node in self.members or [] if name == key]
        if len(found) > 1:
            raise syntax_error_at(text, found[1].start, "%s is there twice; keep one of them" % key)
        return found[0] if found else None


JSONC_BLANK = r"(?:[ \t\r\n]+|//[^\r\n]*|/\*.*?\*/)*"
JSONC_STRING = r'"(?:[^"\\\n]|\\.)*"'
JSONC_WORD = r"(?=(true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?))\1(?!\w)"  # \1: all of it, or nothing


class JsoncReader:
    """A recursive reader over the text from `at` on; `is_plain`: comments and a comma before a closing bracket are refused."""

    def __init__(self, text: str, at: int = 0, is_plain: bool = False) -> None:
        self.text = text
        self.at = at
        self.is_plain = is_plain

    def read_document(self) -> JsoncNode:
        self.skip()
        try:
            node = self.read_value()
        except RecursionError:
            raise self.fail("nested too deeply") from None
        self.skip()
        if self.at < len(self.text):
            raise self.fail("text after the end of the value")
        return node

    def fail(self, what: str) -> ConfigSyntaxError:
        return syntax_error_at(self.text, self.at, what)

    def take(self, pattern: str) -> str | None:
        """Go past what fits the pattern, and return it; None where nothing does."""
        import re

        found = re.compile(pattern, re.S).match(self.text, self.at)
        if found is None:
            return None
        self.at = found.end()
        return found.group()

    def skip(self) -> None:
        """Go past blanks and comments."""
        blanks = self.take(JSONC_BLANK) or ""
        if self.is_plain and blanks.strip():
            self.at -= len(blanks.lstrip())
            raise self.fail("a comment, which this host's plain JSON does not have")
        if self.text.startswith("/*", self.at):
            raise self.fail("this comment has no end")

    def passes(self, mark: str) -> bool:
        """Go past blanks, comments, and the mark where it comes next."""
        self.skip()
        found = self.text.startswith(mark, self.at)
        self.at += len(mark) if found else 0
        return found

    def read_value(self) -> JsoncNode:
        node = JsoncNode(self.at)
        first = self.text[self.at:self.at + 1]
        if first == "{":
            node.value, node.members = {}, []
            self.read_items("}", lambda: self.read_member(node))
        elif first == "[":
            node.value = []
            self.read_items("]", lambda: node.value.append(self.read_value().value))
        else:
            node.value = self.read_string() if first == '"' else self.read_word()
        node.end = self.at
        return node

    def read_items(self, closing: str, read_item: Callable[[], None]) -> None:
        """Read what stands between two brackets, and the commas."""
        self.at += 1
        while not self.passes(closing):
            read_item()
            comma = self.passes(",")
            if not comma and not self.text.startswith(closing, self.at):
                raise self.fail('expected "," or "%s"' % closing)
            self.skip()
            if self.is_plain and comma and self.text.startswith(closing, self.at):
                raise self.fail("a comma before this bracket, which this host's plain JSON does not have")

    def read_member(self, node: JsoncNode) -> None:
        if not self.text.startswith('"', self.at):
            at_end = self.at >= len(self.text)
            raise self.fail('the end, but "}" is missing' if at_end else 'expected a key in double quotes or "}"')
        key = self.read_string()
        if not self.passes(":"):
            raise self.fail('expected ":" after the key')
        self.skip()
        value = self.read_value()
        node.value[key] = value.value
        if node.members is not None:
            node.members.append((key, value))

    def read_string(self) -> str:
        import json

        start = self.at
        text = self.take(JSONC_STRING)
        if text is None:
            raise self.fail("this string has no end")
        try:
            return str(json.loads(text))
        except ValueError:
            self.at = start
            raise self.fail("this string has an escape or a control character that JSON does not allow") from None

    def read_word(self) -> Any:
        import json

        word = self.take(JSONC_WORD)
        if word is None:
            raise self.fail("expected a value" if self.at < len(self.text) else "the end, but a value is missing")
        try:
            return json.loads(word)
        except ValueError:  # more digits than Python takes for an integer
            return word


def read_jsonc(text: str) -> JsoncNode:
    """The document; an empty text is an empty object. Raises ConfigSyntaxError."""
    return JsoncReader(text if text.strip() else "{}").read_document()


def check_plain_json(text: str) -> str:
    """Return `text`; raises ConfigSyntaxError where it has what JSONC has and JSON has not."""
    if text.strip():
        JsoncReader(text, is_plain=True).read_document()
    return text


def find_jsonc_entry(text: str, keys: Sequence[str], name: str) -> Any:
    """The entry of that name, None where there is none; refuses a key on the way to it that is there twice."""
    node: JsoncNode | None = read_jsonc(text)
    for key in (*keys, name):
        node = node.member(key, text) if node is not None else None
    if node is None:
        return None  # what is wrong on the way is said when the entry is put in
    return False if node.value is None else node.value  # null is an entry, too: a different one


def jsonc_entry_text(keys: Sequence[str], name: str, entry: dict[str, Any]) -> str:
    """The entry as it stands in an empty file."""
    return json_text(nested_object(keys, name, entry), "  ", "", "\n")


def set_jsonc_entry(text: str, keys: Sequence[str], name: str, entry: dict[str, Any]) -> str:
    """Return `text` with `entry` as member `name` of the object that `keys` lead to; what is missing on the way is made."""
    eol = line_end(text)
    if not text.strip():
        return json_text(nested_object(keys, name, entry), "  ", "", eol) + eol
    root = read_jsonc(text)
    unit = indent_unit(text, root)
    node, done = root, 0
    while True:
        if node.members is None:
            where = ".".join(keys[:done]) or "the file"
            raise syntax_error_at(text, node.start, "%s is not an object" % where)
        child = node.member(keys[done], text) if done < len(keys) else None
        if child is None:
            break
        node, done = child, done + 1
    if done < len(keys):
        edited = insert_member(text, node, keys[done], nested_object(keys[done + 1:], name, entry), unit, eol)
    else:
        old = node.member(name, text)
        if old is None:
            edited = insert_member(text, node, name, entry, unit, eol)
        else:
            edited = text[:old.start] + json_text(entry, unit, line_indent(text, old.start), eol) + text[old.end:]
    if not holds_entry(read_jsonc(edited).value, root.value, keys, name, entry):
        raise not_put_in(1)
    return edited


def insert_member(text: str, node: JsoncNode, key: str, value: Any, unit: str, eol: str) -> str:
    """Put a member at the end of an object."""
    import json

    outer = line_indent(text, node.start)
    head = json.dumps(key, ensure_ascii=False) + ": "
    if not node.members:
        inner = text[node.start + 1:node.end - 1]
        indent = outer + unit
        kept = inner.rstrip()
        return (text[:node.start + 1] + kept + eol + indent + head + json_text(value, unit, indent, eol) + eol + outer
                + text[node.end - 1:])
    first, last = node.members[0][1], node.members[-1][1]
    reader = JsoncReader(text, last.end)
    comma = reader.at if reader.passes(",") else None
    if "\n" not in text[node.start:first.start]:  # on one line
        addition = " " + head + json.dumps(value, ensure_ascii=False)
        if comma is None:
            return text[:last.end] + "," + addition + text[last.end:]
        return text[:comma] + addition + "," + text[comma:]
    indent = line_indent(text, first.start)
    addition = eol + indent + head + json_text(value, unit, indent, eol) + ("," if comma is not None else "")
    if comma is None:
        text = text[:last.end] + "," + text[last.end:]
        comma = last.end + 1
    at = end_of_remark(text, comma)
    return text[:at] + addition + text[at:]


def end_of_remark(text: str, at: int) -> int:
    """Where the comment on the same line, after a member's comma, ends; `at` when there is none."""
    import re

    found = re.compile(r"[ \t]*(?:/\*[^\n]*?\*/[ \t]*)*(?://[^\r\n]*)?").match(text, at)
    return found.start() + len(found.group().rstrip(" \t")) if found else at


def line_indent(text: str, at: int) -> str:
    """The blanks at the start of the line of position `at`."""
    start = text.rfind("\n", 0, at) + 1
    line = text[start:at]
    return line[:len(line) - len(line.lstrip(" \t"))]


def indent_unit(text: str, root: JsoncNode) -> str:
    """One step of indentation, as the file has it: that of its first member, else two blanks."""
    for _, node in root.members or []:
        indent = line_indent(text, node.start)
        if indent and "\n" in text[root.start:node.start]:
            return indent
    return "  "


def json_text(value: Any, unit: str, indent: str, eol: str) -> str:
    """JSON over several lines; `indent` is that of the line it begins on. Short lists of plain values stay on one line."""
    import json

    flat = json.dumps(value, ensure_ascii=False)
    inner = indent + unit
    if isinstance(value, dict) and value:
        lines = [inner + json.dumps(key, ensure_ascii=False) + ": " + json_text(each, unit, inner, eol)
                 for key, each in value.items()]
        return "{" + eol + ("," + eol).join(lines) + eol + indent + "}"
    if isinstance(value, list) and value and (len(flat) > 80 or any(isinstance(each, (dict, list)) for each in value)):
        lines = [inner + json_text(each, unit, inner, eol) for each in value]
        return "[" + eol + ("," + eol).join(lines) + eol + indent + "]"
    return flat
