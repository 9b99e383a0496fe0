"""The rules that keep the house standing: layers, names, imports, comments at the head of each module."""
import ast
import functools
import os
import re
import sys

import pytest
from harness import REPO

PACKAGE = os.path.join(REPO, "mcplite")

# The table of DESIGN section 3: a module imports only from its own line or those above. A module in a folder stands on the
# line of the folder; one whose name begins with another's and an underscore (stdio_process) is part of that one, likewise.
LAYERS = ["errors", "revisions", "codec", "jsonrpc", "answers", "schema", "uritemplate", "content", "signature", "catalog",
          "session", "stdio", "system", "peer", "asking", "context", "logbridge", "outcomes", "subscriptions", "handlers", "server",
          "client", "testing"]
PURE_ABOVE = {"asking", "context"}      # pure as what stands up to the session is; a peer that they are given does the talking
IMPURE_MODULES = {"os", "sys", "io", "select", "signal", "_signal", "subprocess", "time", "random", "socket", "threading"}
LIGHT = {"__future__", "sys", "os", "time", "_json"}
STANDARD = set(getattr(sys, "stdlib_module_names", ()))


def modules():
    found = []
    for folder, _, files in os.walk(PACKAGE):
        for name in files:
            if name.endswith(".py"):
                path = os.path.join(folder, name)
                found.append(os.path.relpath(path, PACKAGE).replace(os.sep, ".")[:-3])
    return sorted(found)


@functools.lru_cache(maxsize=None)
def parse(module):
    with open(os.path.join(PACKAGE, module.replace(".", os.sep) + ".py"), encoding="utf-8") as file:
        return ast.parse(file.read())


def is_type_checking(node):
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def walk_run_time(node):
    """Every node but those that only type checkers see."""
    for child in ast.iter_child_nodes(node):
        if is_type_checking(child):
            continue
        yield child
        yield from walk_run_time(child)


@functools.lru_cache(maxsize=None)
def package_imports(module):
    return [node for node in walk_run_time(parse(module)) if isinstance(node, ast.ImportFrom) and node.level]


ALL = set(modules())
CORE = [module for module in modules() if module.split(".")[0] not in ("cli", "wiretypes", "__init__", "__main__")]


def layer(module):
    """The name of the line of the table on which a module stands."""
    top = module.split(".")[0]
    return top if top in LAYERS else top.split("_")[0]


def rank(module):
    assert layer(module) in LAYERS, "give %s its place in the table of layers, here and in the README" % module
    return LAYERS.index(layer(module))


def imported_modules(module):
    """The module that each import inside the package means, as a dotted name in it; a folder's own name is its ``__init__``."""
    folder = module.split(".")[:-1]
    for node in package_imports(module):
        yield ".".join(folder[:len(folder) - (node.level - 1)] + [node.module])


def test_there_are_modules():
    assert len(CORE) > 12


@pytest.mark.parametrize("module", CORE)
def test_a_module_imports_only_from_above(module):
    """At once, inside a function, or for type checkers only; ``wiretypes`` is for these alone and imports nothing."""
    for other in set(all_targets(module)) - {"wiretypes"}:
        assert rank(other) <= rank(module), "%s imports %s, which stands below it" % (module, other)


def shown_outside(folder):
    """The modules that a folder's head lets others import, where loading the whole folder would cost a start: "From outside: ``a``, ``b``."."""
    head = ast.get_docstring(parse(folder + ".__init__")) or ""
    return set(re.findall("``(\\w+)``", head.partition("From outside:")[2].partition(".")[0]))


@pytest.mark.parametrize("module", modules())
def test_what_is_inside_a_folder_is_imported_from_the_folder(module):
    """``from .schema import Validator``, not ``from .schema.validator``: what a folder does not show is its own."""
    for other in imported_modules(module):
        folder, _, name = other.rpartition(".")
        assert folder in ("", "cli") or module.startswith(folder + ".") or name in shown_outside(folder), \
            "%s imports %s" % (module, other)


# Arrows run one way


def all_targets(module):
    """The modules that ``module`` imports, at once, inside a function, or for type checkers only."""
    folder = module.split(".")[:-1]
    for node in ast.walk(parse(module)):
        if isinstance(node, ast.ImportFrom) and node.level:
            name = ".".join(folder[:len(folder) - (node.level - 1)] + [node.module])
            yield name if name in ALL else name + ".__init__"


def find_circles():
    """The groups of modules that can be reached from each other (Tarjan's strongly connected components), each sorted."""
    numbers, lowest, stack, circles = {}, {}, [], []

    def visit(module):
        numbers[module] = lowest[module] = len(numbers)
        stack.append(module)
        for other in all_targets(module):
            if other not in numbers:
                visit(other)
            if other in stack:
                lowest[module] = min(lowest[module], lowest[other])
        if lowest[module] == numbers[module]:
            group = stack[stack.index(module):]
            del stack[-len(group):]
            if len(group) > 1:
                circles.append(sorted(group))
    for module in sorted(ALL):
        if module not in numbers:
            visit(module)
    return sorted(circles)


def test_no_modules_import_each_other_in_a_circle():
    """Imports inside functions and those for types included: what two modules need of each other is a third thing below both."""
    assert find_circles() == []


def test_server_and_client_never_see_each_other():
    for module in CORE:
        forbidden = {"server": "client", "client": "server"}.get(layer(module))
        assert forbidden not in [layer(other) for other in imported_modules(module)]


def test_nothing_imports_the_command_line():
    for module in CORE:
        assert "cli" not in [other.split(".")[0] for other in imported_modules(module)]


@pytest.mark.parametrize("module", [module for module in CORE if rank(module) <= LAYERS.index("session")
                                    or layer(module) in PURE_ABOVE])
def test_the_core_is_pure(module):
    for node in walk_run_time(parse(module)):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else \
            [node.module] if isinstance(node, ast.ImportFrom) and not node.level else []
        assert not IMPURE_MODULES.intersection(names), "%s is pure and imports %s" % (module, names)


@pytest.mark.parametrize("module", [module for module in modules() if module != "wiretypes"])
def test_module_level_imports_are_light(module):
    for node in parse(module).body:
        if isinstance(node, ast.Import):
            assert LIGHT.issuperset(alias.name for alias in node.names), "%s: line %d" % (module, node.lineno)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            assert node.module in LIGHT, "%s: line %d" % (module, node.lineno)


@pytest.mark.parametrize("module", modules())
def test_imports_inside_the_package_can_be_merged_into_one_file(module):
    for node in ast.walk(parse(module)):
        if isinstance(node, ast.ImportFrom) and node.level:
            assert node.module, "%s line %d: write from .module import Name" % (module, node.lineno)
            assert all(alias.name != "*" for alias in node.names)
            if module != "__init__":        # the package's own __init__ alone: __version__
                assert all(alias.asname is None for alias in node.names), "%s line %d" % (module, node.lineno)


def top_level_names(module):
    for node in parse(module).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                for name in ast.walk(target):
                    if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store):
                        yield name.id
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id


def test_top_level_names_are_unique_across_the_package():
    owners = {}
    for module in modules():
        if module in ("wiretypes", "__init__", "__main__"):
            continue
        for name in set(top_level_names(module)) - {"TYPE_CHECKING", "__all__"}:
            owners.setdefault(name, []).append(module)
    clashes = {name: where for name, where in owners.items() if len(where) > 1}
    assert not clashes


@pytest.mark.parametrize("module", modules())
def test_every_module_says_what_lives_there(module):
    text = ast.get_docstring(parse(module)) or ""
    assert len(text) > 40, "%s has no head" % module


@pytest.mark.skipif(not STANDARD, reason="this Python does not list its standard modules (before 3.10)")
def test_no_module_has_a_standard_modules_name():
    assert not STANDARD.intersection(module.split(".")[-1] for module in modules() if not module.endswith("__"))


def test_no_machine_paths_or_hosts_in_tracked_files():
    import subprocess

    listed = subprocess.run(["git", "ls-files"], cwd=REPO, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    if listed.returncode:
        pytest.skip("not a git checkout: no list of tracked files")
    pattern = re.compile(r"(^|[^A-Za-z0-9_.:/-])/(work|root|farm|home/[a-z]+)/")
    for name in listed.stdout.decode().split("\n"):
        path = os.path.join(REPO, name)
        if name.endswith((".py", ".md", ".cfg", ".toml", "Makefile", "run", ".mjs")) and os.path.isfile(path):
            with open(path, encoding="utf-8") as file:
                for number, line in enumerate(file, 1):
                    assert not pattern.search(line) or "re.compile" in line, "%s:%d: %s" % (name, number, line)
