"""A script that takes the runtime along: one file, the runtime in front as readable text, the script after it as it was.

Here: where the runtime goes in, reading a script, what it uses. Not here: making the runtime (`one_file`), the lines that make
it importable (`late_loader`), files and arguments (`command`).

1. The script's own lines are copied as they are, before and after the runtime; its shebang, docstring and
   `from __future__` lines stay in front, since Python wants them there.
2. The runtime is a module of its own, named mcplite, so no name of the script can meet one of the runtime's. Its text
   is a raw string: readable, searchable, and byte for byte what `mcplite bundle` writes.
3. Line numbers tell the truth: the runtime is compiled as lines of this file.
4. Python never caches the main script. So the runtime's compiled form is kept as `late_loader` says.
Rejected: the runtime's definitions in the script's own namespace (a user's `text` would replace ours); the script
imported by itself under a second name (everything compiled twice); a zip behind a script (nothing to read).
"""
from __future__ import annotations

from .late_loader import KEEPER, LATE_BEGIN, LATE_END, SCRIPT_LOADER, raw_literal
from .module_text import BundleError, is_docstring

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BEGIN_MARK = "# >>> mcplite "
END_MARK = "# <<< mcplite "
INTRO_LINES = 6


def embed_runtime(script: str, script_name: str, runtime: str, version: str, options: str) -> str:
    """Return the text of `script` with `runtime` inside.

    `script`: without BOM, lines ended by LF. `script_name`: its file name, for comments and errors. `options`: those of
    `mcplite bundle` that make `runtime` alone. Raises BundleError.
    """
    if BEGIN_MARK in script:
        raise BundleError("%s has the runtime inside already; bundle the script it was made from" % script_name)
    lines = script.split("\n")
    at = insertion_line(script, script_name)
    front = lines[:at]
    if not front or not front[0].startswith("#!"):
        front = ["#!/usr/bin/env python3"] + front
    first = len(front) + INTRO_LINES + 1                        # the line of MCPLITE_TEXT
    inside, ranges, late_line = runtime_lines(runtime, first)
    loader = SCRIPT_LOADER.replace("FIRST_LINE", str(first)).replace("LATE_LINE", str(late_line))
    body = "\n".join(inside) + "\n\n\n" + KEEPER + "\n\n" + loader + "%s%s: from here on it is %s again\n" % (
        END_MARK, version, script_name)
    rest_line = first + body.count("\n")
    intro = ["",
             "%s%s: the runtime that this script imports, put inside by: mcplite bundle %s" % (BEGIN_MARK, version, script_name),
             "# %s goes on at line %d. Lines %s are, byte for byte, the file that this writes:"
             % (script_name, rest_line, ", ".join("%d to %d" % each for each in ranges)),
             "#     mcplite bundle%s -o mcplite.py" % options,
             "# To compare: sed -n '%s' THIS_FILE | sha256sum   must give" % ";".join("%d,%dp" % each for each in ranges),
             "#     %s" % sha256_hex(runtime)]
    return "\n".join(front + intro) + "\n" + body + "\n".join(lines[at:])


def runtime_lines(runtime: str, first: int) -> tuple[list[str], list[tuple[int, int]], int]:
    """The runtime as lines of a script, from line `first` on: its code and its end as raw strings, its late parts, which are one
    already, between them. Also: the ranges of lines that are the runtime's own, and the line where the late parts begin."""
    lines = runtime.split("\n")
    if LATE_BEGIN not in lines:
        inside = ["MCPLITE_TEXT = " + raw_literal(runtime), 'BUNDLED_TEXT = MCPLITE_END = ""']
        return inside, [(first + 1, first + runtime.count("\n"))], 0
    begin = lines.index(LATE_BEGIN)
    end = lines.index(LATE_END, begin) + 1
    late = first + begin + 2
    rest = late + end - begin
    inside = ["MCPLITE_TEXT = " + raw_literal("\n".join(lines[:begin]) + "\n"), *lines[begin:end],
              "MCPLITE_END = " + raw_literal("\n".join(lines[end:]))]
    return inside, [(first + 1, first + begin), (late, rest - 1), (rest + 1, rest + len(lines) - end - 1)], late


def sha256_hex(text: str) -> str:
    import hashlib

    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def insertion_line(script: str, script_name: str) -> int:
    """How many lines of the script stay in front of the runtime: shebang, encoding, docstring, `from __future__` (1)."""
    import ast

    tree = parse_script_syntax(script, script_name)
    at = 0
    for line in script.split("\n")[:2]:
        if line.startswith("#!") or is_encoding_line(line):
            at += 1
        else:
            break
    for number, node in enumerate(tree.body):
        is_future = isinstance(node, ast.ImportFrom) and node.module == "__future__" and not node.level
        if not is_future and not (number == 0 and is_docstring(node)):
            break
        at = max(at, node.end_lineno or 0)
    return at


def parse_script_syntax(script: str, script_name: str) -> Any:
    import ast

    try:
        return ast.parse(script)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 1
        raise BundleError("%s: line %s: %s" % (script_name, line, getattr(error, "msg", error))) from None


def is_encoding_line(line: str) -> bool:
    import re

    return re.match(r"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)", line) is not None


def parse_script(data: bytes, script_name: str) -> str:
    """The script's text from its bytes, whatever encoding it declares; the result is written as UTF-8."""
    import io
    import re
    import tokenize

    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        text = data.decode(encoding)
    except (SyntaxError, UnicodeDecodeError, LookupError) as error:
        raise BundleError("%s: %s" % (script_name, error)) from None
    text = text.replace("\r\n", "\n").replace("\r", "\n").lstrip("\ufeff")
    if encoding not in ("utf-8", "utf-8-sig"):
        lines = text.split("\n")
        for number in (0, 1):
            if number < len(lines) and is_encoding_line(lines[number]):
                lines[number] = re.sub(r"coding([:=][ \t]*)[-\w.]+", r"coding\1utf-8", lines[number], count=1)
        text = "\n".join(lines)
    parse_script_syntax(text, script_name)
    return text


def runtime_uses(script: str) -> tuple[bool, bool]:
    """(does the script import mcplite, does it use the client or the command line)."""
    import ast

    uses = needs_client = False
    for node in ast.walk(ast.parse(script)):
        modules: list[str] = []
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            modules = [node.module] + ["%s.%s" % (node.module, alias.name) for alias in node.names]
        for name in modules:
            if name.split(".")[0] == "mcplite":
                uses = True
                needs_client = needs_client or name.lower().startswith(("mcplite.client", "mcplite.cli"))
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", None) == "mcplite" and node.attr == "Client":
            needs_client = True
    return uses, needs_client


def sibling_imports(script: str, names: Any) -> list[str]:
    """Modules the script imports that lie beside it (`names`: what is there); they are not inside."""
    import ast

    found = set()
    for node in ast.walk(ast.parse(script)):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            found.add(node.module.split(".")[0])
    return sorted(found & set(names) - {"mcplite"})
