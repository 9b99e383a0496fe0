"""Many modules to one file: pure text work, from a dict of module texts to one module's text.

Here: which modules, their order, what no two may share, the joined text. Not here: what one module says (`module_text`), files,
dates, arguments (`command`), how a script takes the runtime along (`script`).

1. A module comes after those it imports at module level; where that leaves a choice, the order of LAYER_ORDER decides.
2. What the server imports at module level is early: plain code. Every other module is late: text that is compiled when it is
   first used (`late_loader`), behind the early ones, in the same order.
3. All modules share one set of global names. Two modules that define the same name are an error, and so is a name that
   hides a builtin, or a function that assigns a name it used to import.
4. Left out means ImportError: an import of a module that is not in the file becomes a `raise ImportError` that says so.
5. The file must be cheap to import: at module level nothing but CHEAP_IMPORTS may be imported.
6. The same input gives the same bytes.
"""
from __future__ import annotations

from .late_loader import KEEPER, LATE_BEGIN, LATE_LOADER, raw_literal
from .module_text import BundledModule, BundleError, is_docstring, left_out_text, module_section, quote_python, wrapped_list

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

LAYER_ORDER = ("errors", "revisions", "codec", "jsonrpc", "answers", "schema", "uritemplate", "content", "signature", "catalog",
               "session", "stdio", "system", "peer", "asking", "context", "logbridge", "outcomes", "subscriptions", "handlers",
               "server", "client", "testing")
NEVER_INSIDE = {"wiretypes": "it is for type checkers; install the package to use it"}
CLI_PREFIX = "cli"
NOT_FOR_SERVERS = ("client", CLI_PREFIX, "__main__")          # what a server can do without
SECTION_RULE = "# " + "=" * 118


class Bundle:
    """The joined text and what is in it.

    `text` is the module, `modules` its modules in order, `late` those that are text in it, `lines_of` the lines of each,
    `left_out` what is not inside (module: reason), `missing` the modules that are imported somewhere and exist nowhere.
    """

    def __init__(self) -> None:
        self.text = ""
        self.modules: list[str] = []
        self.late: list[str] = []
        self.lines_of: dict[str, int] = {}
        self.bytes_of: dict[str, int] = {}
        self.left_out: dict[str, str] = {}
        self.missing: list[str] = []


def new_bundle(sources: Mapping[str, str], version: str, date: str | None = None, server_only: bool = False) -> Bundle:
    """Join the modules of the package into one.

    `sources`: dotted module name (`__init__`, `errors`, `cli` for `cli/__init__.py`, `cli.main`, `__main__`) to text.
    `date`: of the source, YYYY-MM-DD, or None. `server_only`: without client and command line. Raises BundleError.
    """
    folders = {name.rpartition(".")[0] for name in sources}
    modules = {name: BundledModule(name, text, name in folders) for name, text in sources.items() if name not in NEVER_INSIDE}
    if "__init__" not in modules:
        raise BundleError("mcplite/__init__.py is missing")
    bundle = Bundle()
    bundle.left_out = {name: reason for name, reason in NEVER_INSIDE.items() if name in sources}
    if server_only:
        kept = server_modules(modules)
        bundle.left_out.update({name: "made with --server-only" for name in modules if name not in kept and name != "__main__"})
        modules = {name: module for name, module in modules.items() if name in kept}
    bundle.missing = sorted({target for module in modules.values() for target in module.targets()
                             if target not in modules and target not in bundle.left_out})
    bundle.left_out.update(dict.fromkeys(bundle.missing, "it does not exist"))
    check_eager_imports(modules, bundle)
    check_top_level_names(modules)
    check_wanted_names(modules)
    check_function_scopes(modules)
    early = imported_at_once(modules, "server", "__init__")
    order = reading_order(modules)
    bundle.modules = [name for name in order if name in early] + [name for name in order if name not in early]
    bundle.late = [name for name in order if name not in early and name not in ("__init__", "__main__")]
    bundle.text = joined_text(modules, bundle, version, date, server_only)
    return bundle


def server_modules(modules: Mapping[str, BundledModule]) -> set[str]:
    """What a server can come to need: everything reachable from the public names, the client and the command line apart."""
    found: set[str] = set()
    todo = ["__init__", "schema"] + [each.target for each in modules["__init__"].typed]
    while todo:
        name = todo.pop()
        if name not in found and name in modules and name.split(".")[0] not in NOT_FOR_SERVERS:
            found.add(name)
            todo += modules[name].targets()
    return found


def imported_at_once(modules: Mapping[str, BundledModule], *names: str) -> set[str]:
    """These modules, and all that they import at module level."""
    found: set[str] = set()
    todo = list(names)
    while todo:
        name = todo.pop()
        if name not in found and name in modules:
            found.add(name)
            todo += [each.target for each in modules[name].eager]
    return found


# Checks


def check_eager_imports(modules: Mapping[str, BundledModule], bundle: Bundle) -> None:
    for module in modules.values():
        for each in module.eager:
            if each.target in bundle.missing:
                raise module.fail(each.first, "there is no module mcplite/%s.py" % each.target.replace(".", "/"))
            if each.target not in modules:
                raise module.fail(each.first, "imports mcplite/%s.py, which is left out (%s)"
                                  % (each.target.replace(".", "/"), bundle.left_out.get(each.target)))


def check_top_level_names(modules: Mapping[str, BundledModule]) -> None:
    imports: dict[str, tuple[str, BundledModule]] = {}          # bound name: the statement, and a module that has it
    for _, module in sorted(modules.items()):
        for bound, statement in module.plain_imports.items():
            other, owner = imports.setdefault(bound, (statement, module))
            if other != statement:
                raise BundleError("%s has %r and %s has %r: use one of them in both" % (owner.file, other, module.file, statement))
    owners: dict[str, BundledModule] = {}
    clashes: list[str] = []
    for _, module in sorted(modules.items()):
        for bound, line in module.defined.items():
            if bound[:2] == bound[-2:] == "__":
                if module.name != "__init__":
                    raise module.fail(line, "%s at module level would become %s of the whole file; do without" % (bound, bound))
                continue
            check_name(module, bound, line, imports)
            if owners.setdefault(bound, module) is not module:
                clashes.append("%s (%s and %s)" % (bound, owners[bound].file, module.file))
    if clashes:
        raise BundleError("the same name is defined in two modules; rename one of each: " + ", ".join(clashes))


def check_name(module: BundledModule, bound: str, line: int, imports: Mapping[str, tuple[str, BundledModule]]) -> None:
    import builtins

    if hasattr(builtins, bound):
        raise module.fail(line, 'the name "%s" would hide the builtin for every module; call it something else' % bound)
    if bound in imports:
        raise BundleError('the name "%s" is defined in %s and imported in %s; rename the definition'
                          % (bound, module.file, imports[bound][1].file))


def check_wanted_names(modules: Mapping[str, BundledModule]) -> None:
    defined = {bound for module in modules.values() for bound in list(module.defined) + list(module.plain_imports)}
    for module in modules.values():
        for each in module.eager + module.lazy + module.typed:
            for name in each.names:
                if each.target in modules and name not in defined:
                    raise module.fail(each.first, "%s defines no %s" % (modules[each.target].file, name))


def check_function_scopes(modules: Mapping[str, BundledModule]) -> None:
    """A name that a function imported must be the global one now (3): nothing else in the function may assign it."""
    import ast

    for module in modules.values():
        functions = functions_by_path(module.tree, ())
        for each in module.lazy:
            for node in (node for function in functions.get(each.path, ()) for node in ast.walk(function)):
                name = node.arg if isinstance(node, ast.arg) else node.id if isinstance(node, ast.Name) else None
                if name in each.names and not isinstance(getattr(node, "ctx", None), ast.Load):
                    raise module.fail(each.first, '%s also assigns "%s", which it imports; use another name'
                                      % (".".join(each.path), name))


def functions_by_path(node: Any, path: tuple[str, ...]) -> dict[tuple[str, ...], list[Any]]:
    """The functions and classes below a node, by the names of those around them and their own."""
    import ast

    found: dict[tuple[str, ...], list[Any]] = {}
    for child in ast.iter_child_nodes(node):
        inner = path
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            inner = path + (child.name,)
            found.setdefault(inner, []).append(child)
        for key, nodes in functions_by_path(child, inner).items():
            found.setdefault(key, []).extend(nodes)
    return found


# Order


def reading_order(modules: Mapping[str, BundledModule]) -> list[str]:
    """Every module after those it imports at module level (1); `__init__` and `__main__` come last."""
    waiting = {name: {each.target for each in module.eager if each.target in modules} for name, module in modules.items()
               if name not in ("__init__", "__main__")}
    ranks = module_ranks(modules)
    order: list[str] = []
    while waiting:
        ready = [name for name, needs in waiting.items() if not needs & waiting.keys()]
        if not ready:
            raise BundleError("these modules import each other in a circle: " + ", ".join(sorted(waiting)))
        name = min(ready, key=lambda each: ranks[each])
        order.append(name)
        del waiting[name]
    return order + [name for name in ("__init__", "__main__") if name in modules]


def module_ranks(modules: Mapping[str, BundledModule]) -> dict[str, tuple[float, str]]:
    """A module of a folder stands where the folder does; one that LAYER_ORDER does not know behind the first layer that imports
    it; the command line is last."""
    ranks: dict[str, tuple[float, str]] = {}
    for name in modules:
        layer = name.split(".")[0].split("_")[0]
        users = [each for each in LAYER_ORDER if each in modules and name in modules[each].targets()]
        if layer == CLI_PREFIX:
            place = 1000.0
        elif layer in LAYER_ORDER:
            place = LAYER_ORDER.index(layer) + (0.0 if name == layer else 0.5)
        else:
            place = LAYER_ORDER.index(users[0]) + 0.5 if users else 500.0
        ranks[name] = place, name
    return ranks


# Text


def joined_text(modules: Mapping[str, BundledModule], bundle: Bundle, version: str, date: str | None, server_only: bool) -> str:
    """Head, imports, early modules, what loads the late ones, the late ones, the end."""
    sections = {}
    for name in bundle.modules:
        text = module_section(modules[name], bundle.late, bundle.left_out)
        text = without_docstring(text) if name == "__init__" else text
        if name != "__main__" and text.strip():
            sections[name] = heading_text(modules[name]) + text
            bundle.lines_of[name] = sections[name].count("\n") + 3
            bundle.bytes_of[name] = len(sections[name].encode("utf-8")) + 3
    early = [text for name, text in sections.items() if name not in bundle.late]
    late = [text for name, text in sections.items() if name in bundle.late]
    opening = "\n".join(opening_lines(modules, bundle.late))

    def whole(starts: Mapping[str, int]) -> str:
        head = "\n".join(head_lines(sections, modules, bundle, version, date, server_only, starts))
        code = "\n\n\n".join([head + "\n" + opening] + early + [loading_text(bundle, modules, starts.get("", 0))])
        return "%s\n\n\nBUNDLED_TEXT = %s\n%s" % (code, raw_literal("\n\n\n".join(late + [SECTION_RULE]) + "\n"),
                                                 end_text("__main__" in modules))

    text = whole({})
    starts = {name: text[:text.index(heading_text(modules[name]))].count("\n") + 1 for name in sections}
    starts[""] = text[:text.index("\n%s\n" % LATE_BEGIN)].count("\n") + 2
    return whole(starts)


def heading_text(module: BundledModule) -> str:
    return "%s\n# %s\n%s\n" % (SECTION_RULE, module.file, SECTION_RULE)


def opening_lines(modules: Mapping[str, BundledModule], late: list[str]) -> list[str]:
    """The docstring of the package, and every import of the standard library of an early module."""
    init = modules["__init__"]
    lines = init.lines[:init.tree.body[0].end_lineno] if init.docstring else ['"""mcplite in one file."""']
    lines = [line for line in lines if not line.startswith("#")] + ["from __future__ import annotations", ""]
    imports = import_lines(module.plain_imports for name, module in modules.items() if name not in late)
    lines += sorted(set(imports) | {"import sys"}) + ["", "TYPE_CHECKING = False"]
    types = import_lines(module.type_imports for module in modules.values())
    if types:
        lines += ["if TYPE_CHECKING:"] + ["    " + line.replace("\n", "\n    ") for line in types]
    return lines


def without_docstring(text: str) -> str:
    import ast

    tree = ast.parse(text)
    if tree.body and is_docstring(tree.body[0]):
        return "\n".join(text.split("\n")[tree.body[0].end_lineno:]).strip("\n")
    return text


def import_lines(tables: Iterable[Mapping[str, str]]) -> list[str]:
    """One line for each module imported from; the names of `from` imports joined. A name that is bound twice keeps its
    first origin in the order of the statements (only imports for type checkers may differ)."""
    chosen: dict[str, str] = {}
    for table in tables:
        for name, statement in table.items():
            if name not in chosen or rank_of_import(statement) < rank_of_import(chosen[name]):
                chosen[name] = statement
    grouped: dict[str, list[str]] = {}
    lines = []
    for statement in chosen.values():
        if statement.startswith("import "):
            lines.append(statement)
        else:
            origin, _, names = statement.partition(" import ")
            grouped.setdefault(origin, []).append(names)
    for origin, names_of in grouped.items():
        lines.append(wrapped_list("%s import " % origin, sorted(set(names_of)), ""))
    return sorted(lines) if all("\n" not in line for line in lines) else sorted(unwrapped(line) for line in lines)


def unwrapped(line: str) -> str:
    """A long `from` import, in brackets."""
    if "\n" not in line:
        return line
    origin, _, names = " ".join(line.split()).partition(" import ")
    return wrapped_list("%s import (" % origin, names.split(", "), ")")


def rank_of_import(statement: str) -> tuple[bool, str]:
    return not statement.startswith("from typing "), statement


LICENCE_TEXT = """\
MIT License

Copyright (c) 2026 the mcplite developers

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
"""


def head_lines(sections: Mapping[str, str], modules: Mapping[str, BundledModule], bundle: Bundle, version: str,
               date: str | None, server_only: bool, starts: Mapping[str, int]) -> list[str]:
    """The comment at the top: what this is, from when, how made, how to check it, under which licence, what is where."""
    options = " --server-only" if server_only else ""
    lines = ["#!/usr/bin/env python3",
             "# mcplite %s in one file: the Model Context Protocol over stdio. Python 3.8 or newer, nothing else." % version,
             "#",
             "# Use:     put this file beside your script and write: from mcplite import Server"]
    if not server_only:
        lines += ["#          or run it, as the command mcplite: python mcplite.py --help"]
    lines += ["# Source:  mcplite %s%s" % (version, " of " + date if date else ""),
              "# Made by: mcplite bundle%s" % options,
              "#          The modules of the package one after the other, as they are. Only their imports changed: those of each",
              "#          other are left out, or load the module if it is one that waits as text until it is used (marked +).",
              "#          Change the package, not this file.",
              "# Check:   mcplite bundle%s --check -o THIS_FILE   (with the same mcplite installed: is it exactly that?)" % options]
    without = sorted(name for name in bundle.left_out if name not in bundle.missing and "." not in name)
    if without:
        lines += ["# Left out: " + ", ".join(without)]
    lines += ["#", "# Reading order, with the line where each module begins:"]
    width = max([len(name) for name in sections] or [0])
    for name in sections:
        summary = cut_to_width(modules[name].summary, 106 - width)
        mark = "+" if name in bundle.late else " "
        lines += [("#   %6s%s %s  %s" % (starts.get(name, ""), mark, name.ljust(width), summary)).rstrip()]
    lines += ["#"]
    lines += [("# " + line).rstrip() for line in LICENCE_TEXT.rstrip("\n").split("\n")]
    return lines


def cut_to_width(text: str, width: int) -> str:
    return text if len(text) <= width else text[:width - 3].rsplit(" ", 1)[0] + " ..."


def loading_text(bundle: Bundle, modules: Mapping[str, BundledModule], late_line: int) -> str:
    """The tables of what is inside, and the lines that load it (`late_loader`)."""
    inside = [quote_python(name) for name in bundle.modules if name not in ("__init__", "__main__")]
    public = {name: late for late in bundle.late for name in modules[late].defined
              if name in {wanted for each in modules["__init__"].typed for wanted in each.names}}
    left_out = {name: left_out_text(name, reason) for name, reason in sorted(bundle.left_out.items())}
    for each in modules["__init__"].typed:
        if each.target in bundle.left_out:
            left_out.update({name: left_out_text(name, bundle.left_out[each.target]) for name in each.names})
    return "\n".join([
        SECTION_RULE, "# The modules by their names: from mcplite.schema import Validator works here too", SECTION_RULE,
        wrapped_list("BUNDLED_MODULES = (", inside, ",)" if len(inside) == 1 else ")"),
        table_text("BUNDLED_LATE", {name: modules[name].file for name in bundle.late}),
        table_text("BUNDLED_NAMES", public),
        table_text("LEFT_OUT_OF_BUNDLE", left_out),
        "BUNDLED_LINE = %d" % late_line,
        "\n\n" + KEEPER, "", LATE_LOADER.rstrip("\n")])


def table_text(name: str, table: Mapping[str, str]) -> str:
    if not table:
        return "%s = {}" % name
    return "\n".join(["%s = {" % name] + ["    %s: %s," % (quote_python(key), quote_python(value)) for key, value in table.items()]
                     + ["}"])


def end_text(runs: bool) -> str:
    """The end of the file: every module name leads to this one module, and `python mcplite.py` runs the command line."""
    lines = ["", 'if __name__ != "__main__":', "    register_bundled()"]
    if runs:
        lines += ["else:", '    load_bundled("cli.main")', "    sys.exit(cli_main())"]
    return "\n".join(lines) + "\n"
