"""Many modules to one file: pure text work, from a dict of module texts to one module's text.

Here: reading a module's imports and names, the order, the checks, the joined text. Not here: files, dates, arguments
(`bundle`), and how a script takes the runtime along (`bundle_script`).

1. Nothing is rewritten. Imports between the modules are left out, imports of the standard library at module level move
   to the top (each once), everything else is copied as it stands: comments, docstrings, annotations.
2. A module comes after those it imports at module level; where that leaves a choice, the order of LAYER_ORDER decides.
3. All modules share one set of global names. Two modules that define the same name are an error, and so is a name that
   hides a builtin, or a function that assigns a name it used to import.
4. Left out means ImportError: an import of a module that is not in the file becomes a `raise ImportError` that says so.
5. The file must be cheap to import: at module level nothing but CHEAP_IMPORTS may be imported.
6. The same input gives the same bytes.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterable, Iterator, Mapping

LAYER_ORDER = ("errors", "revisions", "codec", "jsonrpc", "schema", "uritemplate", "content", "signature", "sealing", "catalog",
               "session", "questions", "context", "stdio", "peer", "logbridge", "server", "client", "testing")
CHEAP_IMPORTS = frozenset(["_json", "_signal", "builtins", "errno", "os", "sys", "time"])
NEVER_INSIDE = {"wiretypes": "it is for type checkers; install the package to use it"}
CLI_PREFIX = "cli"
SECTION_RULE = "# " + "=" * 118


class BundleError(ValueError):
    """The modules cannot become one file; the text names the module and says what to change in it."""


class BundledModule:
    """What one module's text says: its names, its imports, and the line edits that leave its imports out."""

    def __init__(self, name: str, text: str, is_folder: bool = False) -> None:
        import ast

        self.name, self.is_folder = name, is_folder
        self.text = text.replace("\r\n", "\n").lstrip("\ufeff")
        self.lines = self.text.split("\n")
        try:
            self.tree = ast.parse(self.text)
        except SyntaxError as error:
            raise BundleError("%s: line %s: %s" % (name, error.lineno, error.msg)) from None
        self.defined: dict[str, int] = {}           # top-level name: line
        self.plain_imports: dict[str, str] = {}     # bound name: the import statement that binds it
        self.type_imports: dict[str, str] = {}      # the same, under TYPE_CHECKING
        self.eager: dict[str, int] = {}             # module imported at module level: line
        self.lazy: dict[str, int] = {}              # module imported inside a function: line
        self.wanted: list[tuple[str, str, int]] = []            # (module, name, line) of every relative import
        self.function_imports: list[tuple[tuple[str, ...], str, int]] = []  # (path of function, name, line)
        self.aliases: list[tuple[str, str]] = []    # `from .x import A as B` of __init__: (B, A)
        self.deleted: dict[int, int] = {}           # first line: last line
        self.replaced: dict[int, str] = {}          # first line: text instead
        self.left_out_imports: list[tuple[int, str]] = []       # (first line, module)
        self.docstring = ast.get_docstring(self.tree) or ""
        ModuleReader(self).read()

    @property
    def summary(self) -> str:
        """The first sentence of the module's docstring."""
        if self.name == "__init__":
            return "The public names"
        first = self.docstring.split("\n\n")[0].replace("\n", " ").replace("``", "").replace("`", "")
        return first.split(". ")[0].rstrip(". ")

    def fail(self, line: int, text: str) -> BundleError:
        return BundleError("%s: line %d: %s" % (module_file(self.name), line, text))


def module_file(name: str) -> str:
    """`cli.main` to `mcplite/cli/main.py`."""
    return "mcplite/%s.py" % name.replace(".", "/")


class ModuleReader:
    """One walk over a module's syntax tree; fills the fields of a BundledModule."""

    def __init__(self, module: BundledModule) -> None:
        self.module = module
        self.package = module.name if module.is_folder else module.name.rpartition(".")[0]

    def read(self) -> None:
        import ast

        body = self.module.tree.body
        for node in body:
            if isinstance(node, ast.ImportFrom) and node.module == "__future__":
                self.delete(node)                           # one line for all stands at the head of the file
            elif isinstance(node, ast.ImportFrom) and node.level:
                self.eager_import(node)
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                self.plain_import(node)
            elif is_type_checking_flag(node):
                self.delete(node)
            elif is_type_checking_block(node):
                self.type_checking_block(node)
            else:
                self.define(node)
                self.walk(node, ())

    def resolve(self, node: Any) -> str:
        """The module a relative import names, as a dotted name inside the package."""
        if node.module is None:
            raise self.module.fail(node.lineno, 'write "from .module import Name" in place of "from . import"')
        base = self.package.split(".") if self.package else []
        up = node.level - 1
        if up > len(base):
            raise self.module.fail(node.lineno, "the import leaves the package")
        return ".".join(base[:len(base) - up] + node.module.split("."))

    def relative_names(self, node: Any, aliases: bool = False) -> str:
        target = self.resolve(node)
        for alias in node.names:
            if alias.name == "*":
                raise self.module.fail(node.lineno, "write the names in place of *")
            if alias.asname is not None and alias.asname != alias.name:
                if not aliases:
                    raise self.module.fail(node.lineno, 'import "%s" by its own name' % alias.name)
                self.module.aliases.append((alias.asname, alias.name))
            self.module.wanted.append((target, alias.name, node.lineno))
        return target

    def eager_import(self, node: Any) -> None:
        target = self.relative_names(node, aliases=self.module.name == "__init__")
        self.module.eager.setdefault(target, node.lineno)
        self.delete(node)

    def plain_import(self, node: Any) -> None:
        for name, statement in plain_import_statements(self.module, node):
            root = statement.split()[1].split(".")[0]
            if root == "mcplite":
                raise self.module.fail(node.lineno, 'write "from .module import Name" inside the package')
            if root not in CHEAP_IMPORTS:
                raise self.module.fail(node.lineno, "%s is imported at module level; import it inside the function that needs it"
                                       % statement.split()[1])
            self.module.plain_imports[name] = statement
        self.delete(node)

    def type_checking_block(self, node: Any) -> None:
        import ast

        kept = 0
        for child in node.body:
            if isinstance(child, ast.ImportFrom) and child.level:
                self.relative_names(child)
                self.delete(child)
            elif isinstance(child, (ast.Import, ast.ImportFrom)):
                for name, statement in plain_import_statements(self.module, child):
                    self.module.type_imports[name] = statement
                self.delete(child)
            else:
                kept += 1
                self.define(child)
        if not kept:
            self.module.deleted = {first: last for first, last in self.module.deleted.items()
                                   if not node.lineno <= first <= node.end_lineno}
            self.delete(node)

    def define(self, node: Any) -> None:
        for name, line in bound_names(node):
            self.module.defined.setdefault(name, line)

    def walk(self, node: Any, path: tuple[str, ...]) -> None:
        """Find the relative imports below `node`; `path` is the chain of functions and classes around it."""
        import ast

        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            path = path + (node.name,)
        for field in ("body", "orelse", "finalbody", "handlers"):
            children = getattr(node, field, None)
            if not isinstance(children, list):
                continue
            inner = [child for child in children if isinstance(child, ast.ImportFrom) and child.level]
            for child in inner:
                self.inner_import(child, path, isinstance(node, ast.ClassDef))
            if inner and len(inner) == len(children):
                self.module.replaced[inner[0].lineno] = " " * inner[0].col_offset + "pass"
            for child in children:
                self.walk(child, path)

    def inner_import(self, node: Any, path: tuple[str, ...], in_class: bool) -> None:
        if in_class or not path:
            raise self.module.fail(node.lineno, "a relative import may stand at the top of the module or inside a function")
        target = self.relative_names(node)
        self.module.lazy.setdefault(target, node.lineno)
        for alias in node.names:
            self.module.function_imports.append((path, alias.name, node.lineno))
        self.module.left_out_imports.append((node.lineno, target))
        self.delete(node)

    def delete(self, node: Any) -> None:
        line = self.module.lines[node.lineno - 1]
        rest = self.module.lines[node.end_lineno - 1].encode("utf-8")[node.end_col_offset:].decode("utf-8").strip()
        if line[:node.col_offset].strip() or (rest and not rest.startswith("#")):
            raise self.module.fail(node.lineno, "put this statement on a line of its own")
        self.module.deleted[node.lineno] = node.end_lineno


def is_docstring(node: Any) -> bool:
    import ast

    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def is_type_checking_flag(node: Any) -> bool:
    import ast

    return (isinstance(node, ast.Assign) and [getattr(target, "id", None) for target in node.targets] == ["TYPE_CHECKING"]
            and isinstance(node.value, ast.Constant) and node.value.value is False)


def is_type_checking_block(node: Any) -> bool:
    import ast

    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING" and not node.orelse


def plain_import_statements(module: BundledModule, node: Any) -> Iterator[tuple[str, str]]:
    """(bound name, statement) for every name that an import of the standard library binds."""
    import ast

    for alias in node.names:
        if alias.name == "*":
            raise module.fail(node.lineno, "write the names in place of *")
        ending = " as " + alias.asname if alias.asname else ""
        if isinstance(node, ast.Import):
            yield alias.asname or alias.name.split(".")[0], "import %s%s" % (alias.name, ending)
        else:
            yield alias.asname or alias.name, "from %s import %s%s" % (node.module, alias.name, ending)


def bound_names(node: Any) -> Iterator[tuple[str, int]]:
    """The names that a statement at module level binds there, with their lines."""
    import ast

    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name, node.lineno
        return
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        for alias in node.names:
            yield (alias.asname or alias.name).split(".")[0], node.lineno
        return
    if isinstance(node, ast.ExceptHandler) and node.name:
        yield node.name, node.lineno
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id, node.lineno
    if isinstance(node, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        return                                                  # a scope of its own
    for child in ast.iter_child_nodes(node):
        yield from bound_names(child)


class Bundle:
    """The joined text and what is in it.

    `text` is the module, `modules` its modules in order, `lines_of` the lines of each, `left_out` what is not inside
    (module: reason), `missing` the modules that are imported somewhere and exist nowhere.
    """

    def __init__(self) -> None:
        self.text = ""
        self.modules: list[str] = []
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
        for name in modules:
            if name not in kept and name != "__main__":
                bundle.left_out[name] = "made with --server-only"
        modules = {name: module for name, module in modules.items() if name in kept}
    bundle.missing = sorted({target for module in modules.values() for target in list(module.eager) + list(module.lazy)
                             if target not in modules and target not in bundle.left_out})
    for name in bundle.missing:
        bundle.left_out[name] = "it does not exist"
    check_eager_imports(modules, bundle)
    check_top_level_names(modules)
    check_wanted_names(modules, bundle)
    order = reading_order(modules)
    parts = [(name, module_section(modules[name], bundle)) for name in order]
    bundle.modules = [name for name, _ in parts]
    bundle.text = join_bundle(parts, modules, sources, bundle, version, date, server_only)
    check_function_scopes(bundle.text, modules)
    return bundle


def server_modules(modules: Mapping[str, BundledModule]) -> set[str]:
    """What a server can come to need: everything reachable from the public names, the client and the command line apart."""
    import ast

    strings = {node.value for node in ast.walk(modules["__init__"].tree)
               if isinstance(node, ast.Constant) and isinstance(node.value, str)}   # the table of lazily loaded names
    found: set[str] = set()
    todo = ["__init__"] + [name for name in modules if name in strings or name in ("server", "schema", "content", "errors")]
    while todo:
        name = todo.pop()
        if name in found or name not in modules or name.split(".")[0] in ("client", "__main__", CLI_PREFIX):
            continue
        found.add(name)
        todo += list(modules[name].eager) + list(modules[name].lazy)
    return found


def is_cli(name: str) -> bool:
    return name == CLI_PREFIX or name.startswith(CLI_PREFIX + ".")


def check_eager_imports(modules: Mapping[str, BundledModule], bundle: Bundle) -> None:
    for module in modules.values():
        for target, line in module.eager.items():
            if target in bundle.missing:
                raise module.fail(line, "there is no module %s" % module_file(target))
            if target not in modules:
                raise module.fail(line, "imports %s, which is left out (%s)" % (module_file(target), bundle.left_out.get(target)))


def check_top_level_names(modules: Mapping[str, BundledModule]) -> None:
    import builtins

    owner: dict[str, str] = {}
    clashes: list[str] = []
    imports: dict[str, tuple[str, str]] = {}
    for name in sorted(modules):
        module = modules[name]
        for bound, statement in module.plain_imports.items():
            other = imports.setdefault(bound, (statement, name))
            if other[0] != statement:
                raise BundleError("%s has %r and %s has %r: use one of them in both"
                                  % (module_file(other[1]), other[0], module_file(name), statement))
    for name in sorted(modules):
        module = modules[name]
        for bound, line in module.defined.items():
            if bound.startswith("__") and bound.endswith("__"):
                if name != "__init__":
                    raise module.fail(line, "%s at module level would become %s of the whole file; do without" % (bound, bound))
                continue
            if hasattr(builtins, bound):
                raise module.fail(line, 'the name "%s" would hide the builtin for every module; call it something else' % bound)
            other_module = owner.setdefault(bound, name)
            if other_module != name:
                clashes.append("%s (%s and %s)" % (bound, module_file(other_module), module_file(name)))
            if bound in imports:
                raise BundleError('the name "%s" is defined in %s and imported in %s; rename the definition'
                                  % (bound, module_file(name), module_file(imports[bound][1])))
    if clashes:
        raise BundleError("the same name is defined in two modules; rename one of each: " + ", ".join(clashes))


def check_wanted_names(modules: Mapping[str, BundledModule], bundle: Bundle) -> None:
    defined = {bound for module in modules.values() for bound in list(module.defined) + list(module.plain_imports)}
    for module in modules.values():
        for target, name, line in module.wanted:
            if target in modules and name not in defined:
                raise module.fail(line, "%s defines no %s" % (module_file(target), name))


def reading_order(modules: Mapping[str, BundledModule]) -> list[str]:
    """Every module after those it imports at module level (2); `__init__` and `__main__` come last."""
    waiting = {name: {target for target in module.eager if target in modules} for name, module in modules.items()
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
    """A module of a folder stands where the folder does, `schema_more` behind `schema`; another module that LAYER_ORDER does
    not know behind the first layer that imports it; the command line is last."""
    ranks: dict[str, tuple[float, str]] = {}
    for name in modules:
        if is_cli(name):
            ranks[name] = (1000.0, name)
            continue
        users = [layer for layer in LAYER_ORDER if layer in modules and name in (*modules[layer].eager, *modules[layer].lazy)]
        if name in LAYER_ORDER:
            ranks[name] = (float(LAYER_ORDER.index(name)), name)
        elif layer_of(name) in LAYER_ORDER:
            ranks[name] = (LAYER_ORDER.index(layer_of(name)) + 0.5, name)
        else:
            ranks[name] = (LAYER_ORDER.index(users[0]) + 0.5 if users else 500.0, name)
    return ranks


def layer_of(name: str) -> str:
    return name.split(".")[0].split("_")[0]


def module_section(module: BundledModule, bundle: Bundle) -> str:
    """The module's text without its imports (1); imports of what is left out become a `raise` (4)."""
    deleted, replaced = dict(module.deleted), dict(module.replaced)
    for line, target in module.left_out_imports:
        if target in bundle.left_out:
            indent = module.lines[line - 1][:len(module.lines[line - 1]) - len(module.lines[line - 1].lstrip())]
            replaced[line] = "%sraise ImportError(%s)" % (indent, python_string(left_out_text(target, bundle.left_out[target])))
    if module.name == "__init__":
        drop_lazy_exports(module, deleted, replaced, bundle)
    out: list[str] = []
    at = 1
    while at <= len(module.lines):
        if at not in deleted:
            out.append(module.lines[at - 1])
            at += 1
            continue
        if at in replaced:
            out.append(replaced[at])
            at = deleted[at] + 1
            continue
        at = deleted[at] + 1
        if out and (not out[-1].strip() or out[-1].rstrip().endswith(":")):
            while at <= len(module.lines) and not module.lines[at - 1].strip():         # no gap where the import was
                at += 1
    return "\n".join(out).strip("\n")


def left_out_text(module: str, reason: str) -> str:
    return "mcplite.%s is not in this one-file mcplite: %s" % (module, reason)


def python_string(text: str) -> str:
    return '"%s"' % text.replace("\\", "\\\\").replace('"', '\\"')


def drop_lazy_exports(module: BundledModule, deleted: dict[int, int], replaced: dict[int, str], bundle: Bundle) -> None:
    """In one file the public names are plain names: `__getattr__`, `__dir__` and the tables they read are left out."""
    import ast

    dropped = [node for node in module.tree.body if getattr(node, "name", None) in ("__getattr__", "__dir__")]
    read = {each.id for node in dropped for each in ast.walk(node) if isinstance(each, ast.Name)}
    for node in module.tree.body:
        targets = [getattr(target, "id", "") for target in getattr(node, "targets", [])]
        is_table = len(targets) == 1 and targets[0] in read and not targets[0].startswith("__")
        if node in dropped or is_table:
            deleted[node.lineno] = node.end_lineno or node.lineno
            module.defined.pop(targets[0] if is_table else node.name, None)   # type: ignore[attr-defined]
        elif targets == ["__all__"]:
            public = ast.literal_eval(node.value)  # type: ignore[attr-defined]
            names = [name for name in public if not is_left_out(name, bundle, module)]
            deleted[node.lineno] = node.end_lineno or node.lineno
            replaced[node.lineno] = wrapped_list("__all__ = [", [python_string(name) for name in names], "]")
    if module.aliases:
        replaced[min(module.eager.values())] = "\n".join("%s = %s" % alias for alias in module.aliases)


def is_left_out(name: str, bundle: Bundle, init: BundledModule) -> bool:
    """Whether a public name belongs to a module that is left out, by the imports for type checkers in `__init__`."""
    return any(wanted == name and target in bundle.left_out for target, wanted, _ in init.wanted)


def wrapped_list(head: str, items: Iterable[str], tail: str, width: int = 118) -> str:
    lines, line = [], head
    indent = " " * len(head)
    for item in items:
        if len(line) + len(item) + 2 > width:
            lines.append(line.rstrip())
            line = indent
        line += item + ", "
    return "\n".join(lines + [line.rstrip().rstrip(",") + tail])


def check_function_scopes(text: str, modules: Mapping[str, BundledModule]) -> None:
    """A name that a function imported must be the global one now (3)."""
    try:
        import symtable
    except ImportError:             # PyPy
        raise BundleError("this Python cannot tell a module's names (no symtable): run mcplite bundle or pack with CPython; "
                          "what it makes runs here too") from None

    wanted: dict[tuple[str, ...], list[tuple[str, int, BundledModule]]] = {}
    for module in modules.values():
        for path, name, line in module.function_imports:
            wanted.setdefault(path, []).append((name, line, module))

    def visit(table: Any, path: tuple[str, ...]) -> None:
        names = set(table.get_identifiers())
        for name, line, module in wanted.get(path, ()):
            if name in names and not table.lookup(name).is_global() and table.get_type() == "function":
                raise module.fail(line, '%s also assigns "%s", which it imports; use another name' % (".".join(path), name))
        for child in table.get_children():
            visit(child, path + (child.get_name(),))

    visit(symtable.symtable(text, "mcplite.py", "exec"), ())


def join_bundle(parts: list[tuple[str, str]], modules: Mapping[str, BundledModule], sources: Mapping[str, str],
                bundle: Bundle, version: str, date: str | None, server_only: bool) -> str:
    """Head, imports, sections, tail."""
    sections = []
    for name, text in parts:
        if name == "__init__":
            text = without_docstring(text)
        if name == "__main__" or not text.strip():
            continue
        sections.append((name, "%s\n# %s\n%s\n%s" % (SECTION_RULE, module_file(name), SECTION_RULE, text)))
    opening = opening_lines(modules)
    tail = tail_text(bundle, modules, "__main__" in modules)

    def joined(starts: Mapping[str, int]) -> str:
        head = head_lines(sections, modules, bundle, version, date, server_only, starts)
        return "\n".join(head + opening) + "\n\n\n" + "\n\n\n".join(text for _, text in sections) + "\n\n\n" + tail

    text = joined({})
    starts = {}
    for name, section in sections:
        starts[name] = text[:text.index(section)].count("\n") + 1
        bundle.lines_of[name], bundle.bytes_of[name] = section.count("\n") + 3, len(section.encode("utf-8")) + 3
    return joined(starts)


def opening_lines(modules: Mapping[str, BundledModule]) -> list[str]:
    """The docstring of the package, and every import of the standard library."""
    init = modules["__init__"]
    lines = init.lines[:init.tree.body[0].end_lineno] if init.docstring else ['"""mcplite in one file."""']
    lines = [line for line in lines if not line.startswith("#")] + ["from __future__ import annotations", ""]
    imports = import_lines(module.plain_imports for module in modules.values())
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


def head_lines(sections: list[tuple[str, str]], modules: Mapping[str, BundledModule], bundle: Bundle, version: str,
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
              "#          other are left out, those of the standard library stand at the top. Change the package, not this file.",
              "# Check:   mcplite bundle%s --check -o THIS_FILE   (with the same mcplite installed: is it exactly that?)" % options]
    without = sorted(name for name in bundle.left_out if name not in bundle.missing and (not is_cli(name) or name == CLI_PREFIX))
    if without:
        lines += ["# Left out: " + ", ".join(without)]
    lines += ["#", "# Reading order, with the line where each module begins:"]
    width = max([len(name) for name, _ in sections] or [0])
    for name, _ in sections:
        summary = cut_to_width(modules[name].summary, 106 - width)
        lines += [("#   %6s  %s  %s" % (starts.get(name, ""), name.ljust(width), summary)).rstrip()]
    lines += ["#"]
    lines += [("# " + line).rstrip() for line in LICENCE_TEXT.rstrip("\n").split("\n")]
    return lines


def cut_to_width(text: str, width: int) -> str:
    return text if len(text) <= width else text[:width - 3].rsplit(" ", 1)[0] + " ..."


def tail_text(bundle: Bundle, modules: Mapping[str, BundledModule], runs: bool) -> str:
    """The end of the file: every module name leads to this one module, and `python mcplite.py` runs the command line."""
    inside = [name for name in bundle.modules if name not in ("__init__", "__main__")]
    outside = {name: left_out_text(name, reason) for name, reason in sorted(bundle.left_out.items())}
    names = {}
    for name, reason in sorted(bundle.left_out.items()):
        for target, wanted, _ in modules["__init__"].wanted:
            if target == name:
                names[wanted] = "mcplite.%s is not in this one-file mcplite: %s" % (wanted, reason)
    lines = [SECTION_RULE, "# The modules by their names: from mcplite.schema import Validator works here too", SECTION_RULE,
             wrapped_list("BUNDLED_MODULES = (", [python_string(name) for name in inside], ",)" if len(inside) == 1 else ")"),
             "LEFT_OUT_OF_BUNDLE = {"]
    lines += ["    %s: %s," % (python_string(name), python_string(text)) for name, text in {**outside, **names}.items()]
    lines += ["}", "", "",
              "def register_bundled_modules() -> None:",
              '    """Let every module of the package be imported by its name: each of them is this one module."""',
              "    for name in BUNDLED_MODULES:",
              "        sys.modules[__name__ + \".\" + name] = sys.modules[__name__]",
              "    for name, text in LEFT_OUT_OF_BUNDLE.items():",
              "        sys.modules[__name__ + \".\" + name] = new_left_out_module(name, text)", "", "",
              "def new_left_out_module(name: str, text: str) -> object:",
              '    """A stand-in whose every name is an ImportError that says why."""',
              "    def refuse(wanted: str) -> object:",
              "        if wanted[:2] == \"__\":",
              "            raise AttributeError(wanted)",
              "        raise ImportError(text)",
              "",
              "    module = type(sys)(__name__ + \".\" + name)",
              "    module.__dict__[\"__getattr__\"] = refuse",
              "    return module", "", "",
              "def __getattr__(name: str) -> object:",
              "    if name in BUNDLED_MODULES or \"cli.\" + name in BUNDLED_MODULES:",
              "        return sys.modules[__name__]",
              "    if name in LEFT_OUT_OF_BUNDLE:",
              "        raise ImportError(LEFT_OUT_OF_BUNDLE[name])",
              "    raise AttributeError(\"module %r has no attribute %r\" % (__name__, name))", "", "",
              "if __name__ != \"__main__\":",
              "    register_bundled_modules()"]
    if runs:
        lines += ["else:", "    sys.exit(cli_main())"]
    return "\n".join(lines) + "\n"
