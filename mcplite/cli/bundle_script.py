"""A script that takes the runtime along: one file, the runtime in front as readable text, the script after it as it was.

Here: where the runtime goes in, the few lines that make it importable, taking it out again. Not here: making the
runtime (`bundle_source`), files and arguments (`bundle`).

1. The script's own lines are copied as they are, before and after the runtime; its shebang, docstring and
   `from __future__` lines stay in front, since Python wants them there.
2. The runtime is a module of its own, named mcplite, so no name of the script can meet one of the runtime's. Its text
   is a raw string: readable, searchable, and byte for byte what `mcplite bundle` writes.
3. Line numbers tell the truth: the runtime is compiled as lines of this file.
4. Python never caches the main script, and compiling the runtime takes about 0.2 s. So its compiled form is kept in
   `__pycache__`, where and how Python keeps that of an imported file; without a writable place it is compiled each time.
Rejected: the runtime's definitions in the script's own namespace (a user's `text` would replace ours); the script
imported by itself under a second name (everything compiled twice); a zip behind a script (nothing to read).
"""
from __future__ import annotations

from .bundle_source import BundleError, is_docstring

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BEGIN_MARK = "# >>> mcplite "
END_MARK = "# <<< mcplite "

# The lines after the runtime's text; FIRST_LINE is the line of the file where the text begins.
LOADER_TEMPLATE = """

def load_mcplite(text, first_line):
    # Makes the text importable as mcplite. Its compiled form is kept in __pycache__, as that of any imported file.
    import sys

    place = globals().get("__file__") or "<mcplite>"
    source = "\\n" * (first_line - 1) + text            # so that a traceback shows the true lines of this file
    code = kept = None
    try:
        import _frozen_importlib_external as files      # what "import" itself uses; loaded always
        import _imp
        import marshal
        import os
        stamp = files.MAGIC_NUMBER + _imp.source_hash(first_line, (place + source).encode("utf-8"))
        kept = files.cache_from_source((place[:-3] if place[-3:] == ".py" else place) + ".mcplite.py")
        with open(kept, "rb") as stream:
            data = stream.read()
        if data[:len(stamp)] == stamp:
            code = marshal.loads(data[len(stamp):])
    except Exception:                                   # nothing kept yet, or a Python that keeps nothing
        pass
    if code is None:
        code = compile(source, place, "exec", dont_inherit=True)
        try:
            if kept and os.path.isfile(place) and not sys.dont_write_bytecode:
                os.makedirs(os.path.dirname(kept), exist_ok=True)
                files._write_atomic(kept, stamp + marshal.dumps(code))
        except Exception:                               # no writable place: compiled again next time
            pass
    module = type(sys)("mcplite")
    module.__file__ = place
    sys.modules["mcplite"] = module
    exec(code, module.__dict__)


load_mcplite(MCPLITE_TEXT, FIRST_LINE)
del MCPLITE_TEXT, load_mcplite
"""


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
    literal = raw_literal(runtime)
    intro_size = 6
    first = len(front) + intro_size + 1                         # the line of TEXT_BEGIN; the text proper begins below it
    last = first + runtime.count("\n")
    loader = LOADER_TEMPLATE.replace("FIRST_LINE", str(first)).strip("\n")
    rest_line = last + 1 + 2 + loader.count("\n") + 1 + 1 + 1
    intro = ["",
             "%s%s: the runtime that this script imports, put inside by: mcplite bundle %s" % (BEGIN_MARK, version, script_name),
             "# %s goes on at line %d. Lines %d to %d are, byte for byte, the file that this writes:"
             % (script_name, rest_line, first + 1, last),
             "#     mcplite bundle%s -o mcplite.py" % options,
             "# To compare: sed -n '%d,%dp' THIS_FILE | sha256sum   must give" % (first + 1, last),
             "#     %s" % sha256_hex(runtime)]
    end = "%s%s: from here on it is %s again" % (END_MARK, version, script_name)
    head = "\n".join(front + intro) + "\nMCPLITE_TEXT = " + literal + "\n\n\n" + loader + "\n" + end + "\n"
    if head.count("\n") + 1 != rest_line:
        raise AssertionError("miscounted: %d, %d" % (head.count("\n") + 1, rest_line))
    return head + "\n".join(lines[at:])


def raw_literal(runtime: str) -> str:
    """A raw string literal, over many lines, whose value is a line feed and the runtime."""
    import ast

    quotes = "'" * 3
    pieces = ("\n" + runtime).split(quotes)
    joint = "%s \"%s\" r%s" % (quotes, quotes, quotes)
    literal = "r" + quotes + joint.join(pieces) + quotes
    try:
        good = ast.literal_eval(literal) == "\n" + runtime
    except (SyntaxError, ValueError):
        good = False
    if not good:
        raise BundleError("the runtime cannot be written as a raw string (a backslash before three quotes)")
    return literal


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
