"""One module of the package as text: its names, its imports, and the text without them.

Here: reading a module's syntax tree, and its section in the one file. Not here: which modules there are, their order, what
two of them must not share (`one_file`).

1. Nothing is rewritten but imports: comments, docstrings, annotations are copied as they stand.
2. Every rule that makes a module joinable is checked here, with the line that breaks it.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping
    from typing import Any

CHEAP_IMPORTS = frozenset(["_json", "_signal", "builtins", "errno", "os", "sys", "time"])


class BundleError(ValueError):
    """The modules cannot become one file; the text names the module and says what to change in it."""


class PackageImport:
    """One `from .module import names` inside the package: its lines, its column, the dotted name of its module, and the chain
    of functions and classes around it (`path`, empty at module level)."""

    def __init__(self, node: Any, target: str, path: tuple[str, ...]) -> None:
        self.first, self.last, self.column = node.lineno, node.end_lineno, node.col_offset
        self.target, self.path = target, path
        self.names = [alias.name for alias in node.names]


class BundledModule:
    """What one module's text says. `is_folder`: it is the `__init__` of a folder."""

    def __init__(self, name: str, text: str, is_folder: bool = False) -> None:
        import ast

        self.name = name
        self.folder = name if is_folder else name.rpartition(".")[0]
        self.file = "mcplite/%s%s.py" % (name.replace(".", "/"), "/__init__" if is_folder and name != "__init__" else "")
        self.text = text.replace("\r\n", "\n").lstrip("\ufeff")
        self.lines = self.text.split("\n")
        try:
            self.tree = ast.parse(self.text)
        except SyntaxError as error:
            raise BundleError("%s: line %s: %s" % (name, error.lineno, error.msg)) from None
        self.docstring = ast.get_docstring(self.tree) or ""
        self.defined: dict[str, int] = {}               # top-level name: line
        self.eager: list[PackageImport] = []            # at module level
        self.lazy: list[PackageImport] = []             # inside functions
        self.typed: list[PackageImport] = []            # for type checkers
        self.aliases: list[tuple[str, str]] = []        # `from .x import A as B` of the package's own __init__: (B, A)
        self.plain_imports: dict[str, str] = {}         # bound name: the import statement that binds it
        self.type_imports: dict[str, str] = {}          # the same, under TYPE_CHECKING
        self.header: list[tuple[int, int]] = []         # lines of what one file says once: __future__, plain imports, the flag
        self.type_blocks: list[tuple[int, int]] = []    # lines that only checkers read: blocks, imports in them, a folder's __all__
        self.alone: dict[int, str] = {}                 # line of an import that is all of its block: what stands there instead
        read_module(self)

    @property
    def summary(self) -> str:
        """The first sentence of the module's docstring."""
        if self.name == "__init__":
            return "The public names"
        first = self.docstring.split("\n\n")[0].replace("\n", " ").replace("``", "").replace("`", "")
        return first.split(". ")[0].rstrip(". ")

    def targets(self) -> set[str]:
        """The modules that it imports when it runs, now or later."""
        return {each.target for each in self.eager + self.lazy}

    def fail(self, line: int, text: str) -> BundleError:
        return BundleError("%s: line %d: %s" % (self.file, line, text))


# Reading


def read_module(module: BundledModule) -> None:
    import ast

    for node in module.tree.body:
        if isinstance(node, ast.ImportFrom) and node.level:
            module.eager.append(package_import(module, node, ()))
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            if getattr(node, "module", None) != "__future__":
                read_plain_import(module, node)
            module.header.append(own_lines(module, node))
        elif is_type_checking_flag(node):
            module.header.append(own_lines(module, node))
        elif is_type_checking_block(node):
            read_type_checking_block(module, node)
        elif module.name != "__init__" and [name for name, _ in bound_names(node)] == ["__all__"]:
            module.type_blocks.append(own_lines(module, node))      # what a folder shows: its modules' names are there
        else:
            read_definition(module, node)
            read_inner_imports(module, node, ())


def package_import(module: BundledModule, node: Any, path: tuple[str, ...]) -> PackageImport:
    own_lines(module, node)
    for alias in node.names:
        if alias.name == "*":
            raise module.fail(node.lineno, "write the names in place of *")
        if alias.asname is not None and alias.asname != alias.name:
            if module.name != "__init__" or path:
                raise module.fail(node.lineno, 'import "%s" by its own name' % alias.name)
            module.aliases.append((alias.asname, alias.name))
    return PackageImport(node, imported_module(module, node), path)


def imported_module(module: BundledModule, node: Any) -> str:
    """The module that a relative import names, as a dotted name inside the package."""
    if node.module is None:
        raise module.fail(node.lineno, 'write "from .module import Name" in place of "from . import"')
    base = module.folder.split(".") if module.folder and module.name != "__init__" else []
    up = node.level - 1
    if up > len(base):
        raise module.fail(node.lineno, "the import leaves the package")
    return ".".join(base[:len(base) - up] + node.module.split("."))


def read_plain_import(module: BundledModule, node: Any) -> None:
    for name, statement in plain_import_statements(module, node):
        root = statement.split()[1].split(".")[0]
        if root == "mcplite":
            raise module.fail(node.lineno, 'write "from .module import Name" inside the package')
        if root not in CHEAP_IMPORTS:
            raise module.fail(node.lineno, "%s is imported at module level; import it inside the function that needs it"
                              % statement.split()[1])
        module.plain_imports[name] = statement


def read_type_checking_block(module: BundledModule, block: Any) -> None:
    import ast

    imports = [node for node in block.body if isinstance(node, (ast.Import, ast.ImportFrom))]
    for node in imports:
        if isinstance(node, ast.ImportFrom) and node.level:
            module.typed.append(package_import(module, node, ()))
        else:
            module.type_imports.update(plain_import_statements(module, node))
        module.type_blocks.append(own_lines(module, node))
    for node in block.body:
        if node not in imports:
            read_definition(module, node)
    if len(imports) == len(block.body):
        module.type_blocks.append((block.lineno, block.end_lineno))


def read_definition(module: BundledModule, node: Any) -> None:
    for name, line in bound_names(node):
        module.defined.setdefault(name, line)


def read_inner_imports(module: BundledModule, node: Any, path: tuple[str, ...]) -> None:
    """Find the imports inside the package below `node`; `path` is the chain of functions and classes around it."""
    import ast

    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        path = path + (node.name,)
    for field in ("body", "orelse", "finalbody", "handlers"):
        children = getattr(node, field, None)
        if not isinstance(children, list):
            continue
        inner = [child for child in children if isinstance(child, ast.ImportFrom) and child.level]
        for child in inner:
            if isinstance(node, ast.ClassDef) or not path:
                raise module.fail(child.lineno, "a relative import may stand at the top of the module or inside a function")
            module.lazy.append(package_import(module, child, path))
        if inner and len(inner) == len(children):
            module.alone[inner[0].lineno] = " " * inner[0].col_offset + "pass"
        for child in children:
            read_inner_imports(module, child, path)


def own_lines(module: BundledModule, node: Any) -> tuple[int, int]:
    """The first and last line of a statement that must be alone on them."""
    line = module.lines[node.lineno - 1]
    rest = module.lines[node.end_lineno - 1].encode("utf-8")[node.end_col_offset:].decode("utf-8").strip()
    if line[:node.col_offset].strip() or (rest and not rest.startswith("#")):
        raise module.fail(node.lineno, "put this statement on a line of its own")
    return node.lineno, node.end_lineno


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


# Writing


def module_section(module: BundledModule, late: Container[str], left_out: Mapping[str, str]) -> str:
    """The module's text as it stands in one file.

    An import of a `late` module becomes the call that loads it, one of a module that is `left_out` (name: reason) a `raise`,
    any other import inside the package goes: its names are there. An early module leaves its header to the file.
    """
    is_late = module.name in late
    edits: dict[int, tuple[int, str | None]] = {}               # first line: (last line, the line instead of them)
    for first, last in module.type_blocks:
        edits[first] = last, None
    if not is_late:
        for first, last in module.header:
            edits[first] = last, None
    for each in module.eager + module.lazy:
        instead = None
        if each.target in left_out:
            instead = "raise ImportError(%s)" % quote_python(left_out_text(each.target, left_out[each.target]))
        elif each.target in late:
            instead = "load_bundled(%s)" % quote_python(each.target)
        edits[each.first] = each.last, module.alone.get(each.first) if instead is None else " " * each.column + instead
    if module.name == "__init__":
        edit_exports(module, edits, left_out)
    return edited_text(module.lines, edits)


def edited_text(lines: list[str], edits: Mapping[int, tuple[int, str | None]]) -> str:
    out: list[str] = []
    at = 1
    while at <= len(lines):
        if at not in edits:
            out.append(lines[at - 1])
            at += 1
            continue
        last, instead = edits[at]
        at = last + 1
        if instead is not None:
            out.append(instead)
        elif out and (not out[-1].strip() or out[-1].rstrip().endswith(":")):
            while at <= len(lines) and not lines[at - 1].strip():           # no gap where the import was
                at += 1
    return "\n".join(out).strip("\n")


def edit_exports(module: BundledModule, edits: dict[int, tuple[int, str | None]], left_out: Mapping[str, str]) -> None:
    """In one file the public names are plain names: `__getattr__`, `__dir__` and the tables and functions that only they use are
    left out, and `__all__` names what is there."""
    import ast

    missing = {name for each in module.typed if each.target in left_out for name in each.names}
    dropped = {"__getattr__", "__dir__"}
    by_name = {name: node for node in module.tree.body for name, _ in bound_names(node)}
    for name in ("__getattr__", "__dir__"):
        if name in by_name:
            dropped |= {each.id for each in ast.walk(by_name[name]) if isinstance(each, ast.Name) and each.id in by_name}
    for name, node in by_name.items():
        if name == "__all__":
            names = [quote_python(each) for each in ast.literal_eval(node.value) if each not in missing]  # type: ignore[attr-defined]
            edits[node.lineno] = node.end_lineno or node.lineno, wrapped_list("__all__ = [", names, "]")
        elif name in dropped and not module.aliases.count((name, name)):
            edits[node.lineno] = node.end_lineno or node.lineno, None
            module.defined.pop(name, None)
    if module.aliases:
        first = min(each.first for each in module.eager)
        edits[first] = edits[first][0], "\n".join("%s = %s" % alias for alias in module.aliases)


def left_out_text(name: str, reason: str) -> str:
    return "mcplite.%s is not in this one-file mcplite: %s" % (name, reason)


def quote_python(text: str) -> str:
    return '"%s"' % text.replace("\\", "\\\\").replace('"', '\\"')


def wrapped_list(head: str, items: list[str], tail: str, width: int = 118) -> str:
    lines, line = [], head
    indent = " " * len(head)
    for item in items:
        if len(line) + len(item) + 2 > width:
            lines.append(line.rstrip())
            line = indent
        line += item + ", "
    return "\n".join(lines + [line.rstrip().rstrip(",") + tail])
