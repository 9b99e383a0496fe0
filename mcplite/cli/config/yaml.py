"""One list in a YAML file, edited as text: an item goes into the list under a top-level key, everything else stays.

Here: as much YAML as is needed to find the list, to know its items and to write one. The rules are
those of `edit`. Not here: files (`files`).

1. This is no YAML reader. It knows the block style that people write into settings; flow style, anchors, several documents
   and tabs at the key in question are refused with the line, never guessed at.
2. Strings that could be read as something else are written in double quotes, where YAML and JSON agree.
"""
from __future__ import annotations

from .edit import line_end, not_put_in, syntax_error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


TOP_LEVEL_KEY = r"""(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s"'#{}\[\],&*!|>%@`-][^#{}\[\]]*?|-[^\s#][^#]*?)\s*:(?:\s|$)"""
NOT_BARE = frozenset(["y", "n", "yes", "no", "on", "off", "true", "false", "null"])


class YamlList:
    """The list under the key: lines[first:end] are its items, each (start, end, value or None when it is not plain)."""

    def __init__(self) -> None:
        self.key_line = -1              # index of the line of the key; -1: there is none
        self.inline_empty = False       # `key: []`
        self.indent = 2
        self.items: list[tuple[int, int, Any]] = []


def read_yaml_list(text: str, key: str) -> YamlList:
    """Find the list under the top-level `key`; raises ConfigSyntaxError for what is not understood (1)."""
    import re

    found, begun = YamlList(), False
    lines = [line.rstrip("\r") for line in text.split("\n")]
    check_yaml_closed(lines)
    for number, line in enumerate(lines, 1):
        blank = indent_of(line)
        if line.strip() and line[blank] == "\t":
            raise syntax_error(number, blank + 1, "a tab; YAML indents with blanks")
        if blank or says_nothing(line):
            continue
        if line == "...":
            raise syntax_error(number, 1, "the document ends here; add the entry by hand")
        if line.startswith("---") and any(each.strip() and not each.startswith(("#", "%")) for each in lines[:number - 1]):
            raise syntax_error(number, 1, "a second document begins here; add the entry by hand")
        if is_yaml_item(line) and not begun:
            raise syntax_error(number, 1, 'the file is a list; expected a "key:" here')
        if is_yaml_item(line) or line.startswith(("---", "%")):
            continue
        if not re.match(TOP_LEVEL_KEY, line):
            raise syntax_error(number, 1, 'expected a "key:" here')
        begun = True
        match = re.match(r"""(["']?)%s\1\s*:\s*(.*?)\s*(?:(?<=\s)#.*)?$""" % re.escape(key), line)
        if match:
            if found.key_line >= 0:
                raise syntax_error(number, 1, "%s is there twice" % key)
            found.key_line = number - 1
            rest = match.group(2)
            found.inline_empty = rest.replace(" ", "") == "[]"
            if rest and not found.inline_empty and rest not in ("null", "~") and not rest.startswith("#"):
                raise syntax_error(number, line.index(rest) + 1, "%s is not a list in block style; add the entry by hand" % key)
    if found.key_line >= 0 and not found.inline_empty:
        read_yaml_items(lines, found, key)
    return found


YAML_VALUE = r"""( *)(?:- +)*(?:(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s"'#{}\[\],&*!|>%@`-][^#{}\[\]:]*?)\s*:\s+)?(["'\[{|>].*)$"""
YAML_TEXT = r""""(?:[^"\\]|\\.)*"|'(?:[^']|'')*'(?!')"""


def check_yaml_closed(lines: list[str]) -> None:
    """Refuse a quote or a bracket that is not closed before the next key: the rest of the file may be anything."""
    import re

    at = 0
    while at < len(lines):
        match = re.match(YAML_VALUE, lines[at])
        stop = at + 1
        if match and not lines[at].lstrip().startswith("#"):
            width = len(match.group(1))
            while stop < len(lines) and (not lines[stop].strip() or indent_of(lines[stop]) > width
                                         or match.group(2)[0] in "[{" and lines[stop].lstrip()[:1] in ("]", "}")):
                stop += 1
            value = match.group(2)
            if value[0] not in "|>" and not is_yaml_closed("\n".join([value, *lines[at + 1:stop]])):
                kind = "text" if value[0] in "\"'" else "bracket"
                raise syntax_error(at + 1, match.start(2) + 1, "this %s is not closed" % kind)
            if value[0] not in "|>" and is_yaml_closed(value):
                stop = at + 1
        at = stop


def is_yaml_closed(text: str) -> bool:
    import re

    if text[0] in "\"'":
        return re.match(YAML_TEXT, text, re.S) is not None
    depth = 0
    for mark in re.findall(r"[\[\]{}]", re.sub(r"(?m)(?:^|\s)#.*$", "", re.sub(YAML_TEXT, "", text, flags=re.S))):
        depth += 1 if mark in "[{" else -1
    return depth == 0


def read_yaml_items(lines: list[str], found: YamlList, key: str) -> None:
    starts, end = [], found.key_line + 1
    indent = None
    for at in range(found.key_line + 1, len(lines)):
        line, blank = lines[at], indent_of(lines[at])
        if says_nothing(line):
            continue
        if indent is None:
            if not is_yaml_item(line):
                if blank:
                    raise syntax_error(at + 1, blank + 1, "%s is not a list; add the entry by hand" % key)
                break
            indent = found.indent = blank
        if blank < indent or (blank == indent and not is_yaml_item(line)):
            if blank:
                raise syntax_error(at + 1, blank + 1, "this line belongs to nothing")
            break
        if blank == indent:
            starts.append(at)
        end = at + 1
    for start, stop in zip(starts, [*starts[1:], end]):
        while stop > start + 1 and says_nothing(lines[stop - 1]):
            stop -= 1
        found.items.append((start, stop, read_yaml_item(lines[start:stop])))


def says_nothing(line: str) -> bool:
    """Whether a line is blank or a comment."""
    return not line.strip() or line.lstrip().startswith("#")


def is_yaml_item(line: str) -> bool:
    return line.lstrip().startswith("- ") or line.strip() == "-"


def read_yaml_item(lines: list[str]) -> Any:
    """The value of one item when it is a plain mapping of strings, lists of strings and mappings of strings; else None."""
    offset = lines[0].index("-")
    inner = lines[0][offset + 1:]
    width = offset + 1 + indent_of(inner)
    body = [" " * width + inner.strip()] + lines[1:]
    try:
        return read_yaml_mapping([line for line in body if not says_nothing(line)], width)
    except ValueError:
        return None


def read_yaml_mapping(lines: list[str], width: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    at = 0
    while at < len(lines):
        line = lines[at]
        if indent_of(line) != width or ":" not in line:
            raise ValueError(line)
        key, _, rest = line.strip().partition(":")
        if rest and rest[0] != " ":
            raise ValueError(line)
        stop = at + 1
        while stop < len(lines) and belongs_below(lines[stop], width):
            stop += 1
        below = lines[at + 1:stop]
        if below and rest.strip():
            raise ValueError(line)
        name = str(read_yaml_scalar(key))
        if not below:
            value[name] = read_yaml_scalar(rest.strip())
        elif below[0].lstrip().startswith("- "):
            value[name] = [read_yaml_scalar(each.strip()[2:].strip()) for each in below]
        else:
            value[name] = read_yaml_mapping(below, indent_of(below[0]))
        at = stop
    return value


def belongs_below(line: str, width: int) -> bool:
    """Whether a line continues the key at column `width`: deeper, or an item of its list, which may stand as far left."""
    return indent_of(line) > width or (indent_of(line) == width and line.lstrip().startswith("- "))


def indent_of(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def read_yaml_scalar(text: str) -> Any:
    import json
    import re

    remark = re.match(r"""(%s|[^"'\[{#].*?)\s+#.*$""" % YAML_TEXT, text) or re.match(r"()#.*$", text)
    text = remark.group(1) if remark else text
    if text.startswith(('"', "[", "{")):
        return json.loads(text)
    if text.startswith("'"):
        if len(text) < 2 or not text.endswith("'"):
            raise ValueError(text)
        return text[1:-1].replace("''", "'")
    if text[:1] in ("&", "*", "!", "|", ">", "%", "@", "`") or " #" in text or ": " in text:
        raise ValueError(text)
    return text


def find_yaml_entry(text: str, key: str, name: str) -> Any:
    """The item of that name, None where there is none."""
    items = read_yaml_list(text, key).items
    for start, _, value in items:
        if value is None:
            raise syntax_error(start + 1, 1, "an item that is not understood; add the entry by hand")
    same = [(start, value) for start, _, value in items if value.get("name") == name]
    if len(same) > 1:
        raise syntax_error(same[1][0] + 1, 1, "%s is there twice; keep one of them" % name)
    return same[0][1] if same else None


def yaml_scalar(text: str) -> str:
    """A string as YAML: bare when no reader could take it for anything else, else in double quotes."""
    import json
    import re

    if re.match(r"^[A-Za-z_./][A-Za-z0-9_./+=@-]*$", text) and text.lower() not in NOT_BARE:
        return text
    return json.dumps(text, ensure_ascii=False)


def yaml_item_lines(entry: dict[str, Any], indent: int) -> list[str]:
    """One item of a list: a mapping of strings, lists of strings and mappings of strings."""
    lines = []
    inner = " " * (indent + 2)
    for key, value in entry.items():
        if isinstance(value, dict):
            lines.append("%s%s:" % (inner, key))
            lines += ["%s  %s: %s" % (inner, yaml_scalar(name), yaml_scalar(each)) for name, each in value.items()]
        elif isinstance(value, list):
            lines.append("%s%s:" % (inner, key) if value else "%s%s: []" % (inner, key))
            lines += ["%s  - %s" % (inner, yaml_scalar(each)) for each in value]
        else:
            lines.append("%s%s: %s" % (inner, key, yaml_scalar(value)))
    lines[0] = " " * indent + "- " + lines[0][indent + 2:]
    return lines


def set_yaml_item(text: str, key: str, entry: dict[str, Any]) -> str:
    """Return `text` with `entry` in the list under `key`, in place of the item of the same name when there is one."""
    tail = line_end(text)[:-1]
    found = read_yaml_list(text, key)
    lines = text.split("\n")
    new = [line + tail for line in yaml_item_lines(entry, found.indent)]
    if found.key_line < 0:
        while lines and not lines[-1].strip():
            lines.pop()
        gap = [tail] if lines else []
        if lines and tail and not lines[-1].endswith("\r"):
            lines[-1] += tail
        lines = lines + gap + [key + ":" + tail] + new + [""]
    elif found.inline_empty:
        head, _, rest = lines[found.key_line].partition("[")
        lines[found.key_line] = head.rstrip() + rest.partition("]")[2]
        lines[found.key_line + 1:found.key_line + 1] = new
    else:
        same = [item for item in found.items if isinstance(item[2], dict) and item[2].get("name") == entry["name"]]
        start, stop = (same[0][0], same[0][1]) if same else 2 * ((found.items[-1][1] if found.items else found.key_line + 1),)
        if start == len(lines):
            new = [*new, ""]
        lines[start:stop] = new
    edited = "\n".join(lines)
    before = [value for _, _, value in found.items if not (isinstance(value, dict) and value.get("name") == entry["name"])]
    after = [value for _, _, value in read_yaml_list(edited, key).items]
    if entry not in after or [value for value in after if value != entry] != before:
        raise not_put_in(found.key_line + 1)
    return edited


def new_yaml_block(name: str) -> str:
    """The head of a file that holds the servers of one block."""
    return "name: %s\nversion: 0.0.1\nschema: v1\n" % yaml_scalar(name)
