"""Results for people and for machines: tables, contents, files.

Here: dicts of the protocol in, lines of text out, files for what is no text. Not here: asking (`command`). Rules:

1. For people: the width of the terminal, nothing that could steer it. What is typed again (a name, an address) is
   never broken; a long description is cut in a table of many, and whole where one thing is shown in full.
2. For machines (--json): the result as the server sent it, one JSON document.
3. Bytes are never printed on a terminal: they go to a file (-o), or, alone and into a pipe, as they are.
"""
from __future__ import annotations

import os
import sys

from ..terminal import CliError, column_width, compact_json, printable, size_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CELL_SHARE = 0.4                # of the width that a column may take, but for the last
LAST_CELL = 24                  # columns that the last one has at least
TABLE_LINES = 3                 # of a cell in a table of many
ENDINGS = {"image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif", "image/webp": ".webp",
           "image/svg+xml": ".svg",
           "audio/wav": ".wav", "audio/x-wav": ".wav", "audio/mpeg": ".mp3", "audio/ogg": ".ogg", "audio/flac": ".flac",
           "application/pdf": ".pdf", "application/json": ".json", "text/plain": ".txt", "text/csv": ".csv",
           "text/markdown": ".md", "text/html": ".html", "application/zip": ".zip"}
HINT_WORDS = (("readOnlyHint", True, "changes nothing"), ("readOnlyHint", False, "may change something"),
              ("destructiveHint", True, "may destroy something"), ("destructiveHint", False, "only adds"),
              ("idempotentHint", True, "twice is as good as once"),
              ("openWorldHint", True, "reaches into the outside world"),
              ("openWorldHint", False, "stays inside its own world"))


# Text

def print_json(value: Any) -> None:
    """Rule 2."""
    import json

    encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower().replace("-", "")
    print(json.dumps(value, indent=2, ensure_ascii=encoding not in ("utf8", "utf16", "utf32")))


def safe_text(text: str, at_terminal: bool) -> str:
    """A text as it is; on a terminal without what could steer it."""
    if not at_terminal:
        return text
    return "\n".join("\t".join(printable(part) for part in line.split("\t")) for line in text.replace("\r\n",
                                                                                                      "\n").split("\n"))


def wrapped_cell(text: str, width: int) -> list[str]:
    import textwrap

    lines: list[str] = []
    for paragraph in text.strip().split("\n"):
        lines += textwrap.wrap(printable(paragraph), width, break_on_hyphens=False) or [""]
    while lines and not lines[-1]:
        lines.pop()
    return lines or [""]


def cut_cell(text: str, width: int, limit: int | None) -> list[str]:
    """A cell in at most `limit` lines; three dots where there was more."""
    lines = wrapped_cell(text, width)
    if limit is not None and len(lines) > limit:
        lines = lines[:limit]
        last = lines[-1]
        if column_width(last) > width - 3:
            last = last[:width - 3].rsplit(" ", 1)[0]
        lines[-1] = last.rstrip(" .,;:") + "..."
    return lines


def table_lines(heads: list[str], rows: list[list[str]], width: int, indent: str = "", limit: int | None = None
                ) -> list[tuple[str, bool]]:
    """A table as (line, whether it is the head). The first column is never broken; where it is long, the others stand
    below it. The last takes what is left; a cell has at most `limit` lines."""
    used = [number for number in range(len(heads)) if any(row[number] for row in rows)] or [0]
    first, rest = used[0], used[1:]
    first_width = max(column_width(printable(row[first])) for row in [heads] + rows)
    stacked = bool(rest) and first_width > (width - len(indent)) // 2
    start = indent + " " * (4 if stacked or not rest else first_width + 2)
    widths = column_widths(heads, rows, rest, width - len(start))
    lines: list[tuple[str, bool]] = []
    for row in [heads] + rows:
        name = indent + printable(row[first])
        below = cell_lines(row, widths, start, limit)
        if stacked or not below:
            lines += [(line, row is heads) for line in [name] + below]
        else:
            lines.append((name + below[0][column_width(name):] if below[0] else name, row is heads))
            lines += [(line, row is heads) for line in below[1:]]
    return lines


def column_widths(heads: list[str], rows: list[list[str]], used: list[int], room: int) -> dict[int, int]:
    cell_limit = max(8, int(room * CELL_SHARE))
    widths = {number: min(cell_limit, max(column_width(printable(row[number])) for row in [heads] + rows)) for number in used}
    if used:
        widths[used[-1]] = max(LAST_CELL, room - sum(widths[number] + 2 for number in used[:-1]))
    return widths


def cell_lines(row: list[str], widths: dict[int, int], start: str, limit: int | None) -> list[str]:
    """Some cells of a row side by side."""
    cells = [cut_cell(row[number], width, limit) for number, width in widths.items()]
    lines = []
    for height in range(max(map(len, cells), default=0)):
        parts = [cell[height] if height < len(cell) else "" for cell in cells]
        padded = [part + " " * (width - column_width(part)) for part, width in zip(parts, widths.values())]
        lines.append((start + "  ".join(padded)).rstrip())
    return lines


def print_table(heads: list[str], rows: list[list[str]], width: int, colour: bool, indent: str = "",
                limit: int | None = None) -> None:
    for line, is_head in table_lines(heads, rows, width, indent, limit):
        print("\033[1m%s\033[0m" % line if colour and is_head else line)


def first_paragraph(text: Any) -> str:
    return text.strip().split("\n\n")[0].replace("\n", " ") if isinstance(text, str) else ""


# Schemas in words

def type_words(schema: Any, depth: int = 0) -> str:
    """A schema in a few words: `string`, `list of integer`, `"a" or "b"`."""
    if not isinstance(schema, dict) or depth > 4:
        return "anything"
    if "const" in schema:
        return compact_json(schema["const"])
    if isinstance(schema.get("enum"), list):
        return " or ".join(map(compact_json, schema["enum"]))
    for keyword in ("anyOf", "oneOf"):
        if isinstance(schema.get(keyword), list):
            return " or ".join(dict.fromkeys(type_words(part, depth + 1) for part in schema[keyword]))
    kind = schema.get("type")
    if isinstance(kind, list):
        return " or ".join(map(str, kind))
    if kind == "array":
        return "list of " + type_words(schema["items"], depth + 1) if isinstance(schema.get("items"), dict) else "list"
    if kind is None and "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[-1]
    return str(kind) if kind is not None else "anything"


def argument_rows(schema: Any) -> list[list[str]]:
    """[name, type, needed, meaning] of every property."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    needed = schema.get("required") if isinstance(schema, dict) else None
    rows = []
    for name, prop in (properties if isinstance(properties, dict) else {}).items():
        prop = prop if isinstance(prop, dict) else {}
        words = [first_paragraph(prop.get("description"))]
        if "default" in prop:
            words.append("default: %s" % compact_json(prop["default"]))
        rows.append([name, type_words(prop), "yes" if isinstance(needed, list) and name in needed else "no",
                     "; ".join(word for word in words if word)])
    return rows


def argument_summary(rows: list[list[str]]) -> str:
    """`sku [warehouse]`: what may be left out in brackets."""
    return " ".join(name if needed == "yes" else "[%s]" % name for name, _, needed, _ in rows)


def prompt_rows(prompt: dict[str, Any]) -> list[list[str]]:
    rows = []
    for argument in prompt.get("arguments") or []:
        if isinstance(argument, dict):
            rows.append([str(argument.get("name")), "string", "yes" if argument.get("required") is True else "no",
                         first_paragraph(argument.get("description"))])
    return rows


def example_words(rows: list[list[str]]) -> str:
    """The arguments of an example call: what is needed, with a place for each value."""
    return "".join(" %s=..." % name for name, _, needed, _ in rows if needed == "yes")


def print_details(kind: str, entry: dict[str, Any], rows: list[list[str]], width: int, colour: bool) -> None:
    """One tool or prompt in full."""
    name, title = str(entry.get("name")), entry.get("title")
    head = printable(name + (" (%s)" % title if isinstance(title, str) and title else ""))
    print("\033[1m%s\033[0m" % head if colour else head)
    if isinstance(entry.get("description"), str):
        for line in wrapped_cell(entry["description"], width - 2):
            print(("  " + line).rstrip())
    if rows:
        print()
        print_table(["ARGUMENT", "TYPE", "NEEDED", "MEANING"], rows, width, colour, "  ")
    gives = argument_rows(entry.get("outputSchema"))
    if gives:
        print()
        print_table(["RESULT", "TYPE", "", "MEANING"], [[row[0], row[1], "", row[3]] for row in gives], width, colour,
                    "  ")
    hints = entry.get("annotations")
    said = [words for member, value, words in HINT_WORDS if isinstance(hints, dict) and hints.get(member) is value]
    if said:
        print("\n  It says that it: " + ", ".join(said) + ".")
    verb = "call" if kind == "tool" else "prompt"
    print("\n  mcplite %s %s%s -- CMD" % (verb, printable(name), example_words(rows)))


# Contents

class BinaryPart:
    """Bytes in a result: where they were, their type, the bytes (None where the base64 is wrong)."""

    def __init__(self, what: str, mime_type: Any, data: Any, uri: Any = None) -> None:
        self.what, self.uri = what, uri
        self.mime_type = mime_type if isinstance(mime_type, str) else ""
        self.base64 = data if isinstance(data, str) else ""
        self.data = decode_base64(data)
        self.size = None if self.data is None else len(self.data)

    def describe(self) -> str:
        size = "wrong base64" if self.size is None else size_words(self.size)
        return " ".join(word for word in (self.what, self.mime_type, size) if word)

    def ending(self) -> str:
        return ENDINGS.get(self.mime_type.split(";")[0].strip(), ".bin")


def decode_base64(data: Any) -> bytes | None:
    from base64 import b64decode

    try:
        return b64decode(data, validate=True)
    except (TypeError, ValueError):
        return None


def content_parts(content: Any) -> list[Any]:
    """Each block of a content list as a text or a BinaryPart."""
    blocks = content if isinstance(content, list) else [content]
    return [content_part(block) for block in blocks]


def content_part(block: Any) -> Any:
    if not isinstance(block, dict):
        return compact_json(block)
    kind = block.get("type")
    if kind == "text" and isinstance(block.get("text"), str):
        return block["text"]
    if kind in ("image", "audio"):
        return BinaryPart(kind, block.get("mimeType"), block.get("data"))
    if kind == "resource":
        return resource_part(block.get("resource"))
    if kind == "resource_link":
        words = [str(block.get("uri")), str(block.get("title") or block.get("name") or ""),
                 str(block.get("mimeType") or "")]
        return "[link] " + "  ".join(word for word in words if word)
    return compact_json(block)


def resource_part(item: Any) -> Any:
    """The contents of one resource, as `resources/read` and embedded resources have them."""
    if isinstance(item, dict):
        if isinstance(item.get("text"), str):
            return item["text"]
        if "blob" in item:
            return BinaryPart("blob", item.get("mimeType"), item["blob"], item.get("uri"))
    return compact_json(item)


def print_parts(parts: list[Any], output: str | None, at_terminal: bool, command: str, note: Any,
                alone: bool = True) -> None:
    """Print texts, save bytes (rule 3). `alone`: nothing else will be printed."""
    binaries = [part for part in parts if isinstance(part, BinaryPart)]
    if output is None and not at_terminal and alone and len(parts) == 1 and binaries and binaries[0].data is not None:
        sys.stdout.flush()
        sys.stdout.buffer.write(binaries[0].data)
        return
    for part in parts:
        if not isinstance(part, BinaryPart):
            print(safe_text(part, at_terminal))
        elif output is None:
            note("not shown", "%s; -o FILE saves it" % part.describe())
    if output is not None:
        if not binaries:
            note("nothing to save", "the result holds no image, audio or blob; -o was ignored")
        for number, part in enumerate(binaries):
            save_part(part, numbered_path(output, number, part), command, note)


def numbered_path(output: str, number: int, part: BinaryPart) -> str:
    """Where the part goes: FILE, then FILE-2; inside a folder a name of its own."""
    if os.path.isdir(output) or output.endswith(("/", os.sep)):
        name = os.path.basename(part.uri.rstrip("/")) if isinstance(part.uri, str) else ""
        safe = "".join(letter for letter in name if letter.isalnum() or letter in "._-").lstrip(".")
        if not safe:
            safe = part.what + part.ending()
        output = os.path.join(output, safe)
    if number == 0:
        return output
    base, ending = os.path.splitext(output)
    return "%s-%d%s" % (base, number + 1, ending)


def save_part(part: BinaryPart, path: str, command: str, note: Any) -> None:
    if part.data is None:
        raise CliError("%s: the %s in the result is not valid base64: the server must encode its bytes so"
                       % (command, part.what), status=2)
    write_result_file(path, part.data, command)
    note("saved", "%s (%s)" % (path, part.describe()))


def write_result_file(path: str, data: bytes, command: str) -> None:
    try:
        with open(path, "wb") as file:
            file.write(data)
    except OSError as error:
        raise CliError("%s: cannot write %s: %s" % (command, path, error.strerror)) from None


def is_json_of(text: Any, value: Any) -> bool:
    """True where a text is the JSON of a value: then one of the two is enough for a person."""
    import json

    try:
        return isinstance(text, str) and bool(json.loads(text) == value)
    except (ValueError, RecursionError):
        return False


def says_the_same(texts: list[str], value: Any) -> bool:
    """True for `{"result": text}` and the like, which some servers wrap around each text that they return."""
    if not isinstance(value, dict) or len(value) != 1 or len(texts) != 1:
        return False
    [inner] = value.values()
    return texts[0] == inner or is_json_of(texts[0], inner)


def without_bytes(value: Any, parts: list[Any]) -> Any:
    """Structured content as it is shown: bytes that are in the content already are not shown once more."""
    known = {part.base64 for part in parts if isinstance(part, BinaryPart) and part.base64}
    if not known:
        return value
    if isinstance(value, dict):
        return {name: without_bytes(item, parts) for name, item in value.items()}
    if isinstance(value, list):
        return [without_bytes(item, parts) for item in value]
    return "(the bytes above)" if isinstance(value, str) and value in known else value
