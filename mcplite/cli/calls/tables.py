"""What a server has, as tables and descriptions for people.

Here: tools, prompts and schemas of the protocol in, lines of text out. Not here: the contents of results (`contents`), asking
(`command`). Rules:

1. The width is that of the terminal, and nothing could steer it. What is typed again (a name, an address) is never broken; a
   long description is cut in a table of many, and whole where one thing is shown in full.
"""
from __future__ import annotations

from ..terminal import column_width, compact_json, printable, styled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CELL_SHARE = 0.4                # of the width that a column may take, but for the last
LAST_CELL = 24                  # columns that the last one has at least
TABLE_LINES = 3                 # of a cell in a table of many
HINT_WORDS = (("readOnlyHint", True, "changes nothing"), ("readOnlyHint", False, "may change something"),
              ("destructiveHint", True, "may destroy something"), ("destructiveHint", False, "only adds"),
              ("idempotentHint", True, "twice is as good as once"),
              ("openWorldHint", True, "reaches into the outside world"),
              ("openWorldHint", False, "stays inside its own world"))


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


def table_lines(heads: list[str], rows: list[list[str]], width: int, indent: str = "",
                limit: int | None = None) -> list[tuple[str, bool]]:
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
        print(styled(line, "1", colour and is_head))


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
    print(styled(head, "1", colour))
    if isinstance(entry.get("description"), str):
        for line in wrapped_cell(entry["description"], width - 2):
            print(("  " + line).rstrip())
    if rows:
        print()
        print_table(["ARGUMENT", "TYPE", "NEEDED", "MEANING"], rows, width, colour, "  ")
    gives = argument_rows(entry.get("outputSchema"))
    if gives:
        print()
        print_table(["RESULT", "TYPE", "", "MEANING"], [[row[0], row[1], "", row[3]] for row in gives], width, colour, "  ")
    hints = entry.get("annotations")
    said = [words for member, value, words in HINT_WORDS if isinstance(hints, dict) and hints.get(member) is value]
    if said:
        print("\n  It says that it: " + ", ".join(said) + ".")
    verb = "call" if kind == "tool" else "prompt"
    print("\n  mcplite %s %s%s -- CMD" % (verb, printable(name), example_words(rows)))
