"""mcplite.wiretypes against the official schemas of all five revisions, member by member, and against the examples.

Here: a walk of each schema with its type beside it (nothing missing, nothing invented, required where every revision
requires it, the same constants, comments that tell the revisions); a small checker that accepts a value as a type; mypy
on the official examples written as literals.
"""
from __future__ import annotations

import ast
import collections.abc
import glob
import json
import os
import re
import subprocess
import sys

import official
import pytest

if os.environ.get("MCPLITE_SINGLE"):
    pytest.skip("the single file leaves wiretypes out: type checkers read the package", allow_module_level=True)
typing_extensions = pytest.importorskip("typing_extensions")
from typing_extensions import get_args, get_origin, get_type_hints, is_typeddict  # noqa: E402

from mcplite import wiretypes  # noqa: E402

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterator, List, Set, Tuple

if official.why_no_schemas():
    pytest.skip(str(official.why_no_schemas()), allow_module_level=True)

from typing import Union  # noqa: E402

NEWEST = official.STATELESS
OLDER = official.REVISIONS[:3]          # where params stand inside the request, and the envelope apart from it
TYPES: Dict[str, Any] = {name: value for name, value in vars(wiretypes).items() if not name.startswith("_")}
CLASSES = {name: value for name, value in TYPES.items() if is_typeddict(value) and name == value.__name__}
BASES_OF_OURS = {"Envelope", "NotificationEnvelope"}
# an object in older revisions, a union or of another name in newer ones
RENAMED = {"JSONRPCResponse": "JSONRPCResultResponse", "JSONRPCError": "JSONRPCErrorResponse",
           "EnumSchema": "LegacyTitledEnumSchema"}


# ---- the walk: which schemas stand for which class

def hints_of(cls: Any) -> Dict[str, Any]:
    """member → type, with Required and NotRequired taken off."""
    return dict(get_type_hints(cls))


def schema_of(schema: Any, revision: str) -> Any:
    """References followed, ``allOf`` merged."""
    schema = official.resolve(schema, revision)
    if "allOf" not in schema:
        return schema
    merged: Dict[str, Any] = {"type": "object", "properties": {}, "required": []}
    for part in schema["allOf"]:
        part = schema_of(part, revision)
        merged["properties"].update(part.get("properties", {}))
        merged["required"] += part.get("required", [])
    return merged


class Walk:
    """What the schemas say about each class: ``shapes[class][revision]`` is a list of object schemas."""

    def __init__(self) -> None:
        self.shapes: Dict[str, Dict[str, List[Any]]] = {}
        self.literals: Dict[Tuple[str, str], Set[Any]] = {}     # (class, member) → constants seen
        self.used: Dict[Any, Set[str]] = {}                     # union → those of its parts that were seen
        self.faults: List[str] = []
        self.where: Tuple[str, str] = ("", "")

    def match(self, schema: Any, hint: Any, revision: str, path: str) -> None:
        """Note a fault where ``hint`` is not what ``schema`` says."""
        name = schema.get("$ref", "").rsplit("/", 1)[-1]
        schema = schema_of(schema, revision)
        if schema.get("properties"):
            schema = with_envelope(name, schema, revision)
        origin, arguments = get_origin(hint), get_args(hint)
        options = schema.get("anyOf") or schema.get("oneOf")
        if not options and isinstance(schema.get("type"), list):
            kinds = set(schema["type"])
            if {"integer", "number"} <= kinds:
                kinds.discard("integer")
            options = [{"type": kind} for kind in sorted(kinds)]
        if options and hint is not Any_:
            for option in options:
                self.match(option, hint, revision, path)
        elif origin is Union:
            fitting = [argument for argument in arguments if fits(schema, argument, revision)]
            fitting.sort(key=lambda argument: (
                getattr(argument, "__name__", "") not in (name, RENAMED.get(name)),
                is_typeddict(argument) and not schema.get("properties")))
            if not fitting:
                self.faults.append("%s: %r is in no part of the union" % (path, schema))
            for argument in fitting[:1]:
                self.used.setdefault(hint, set()).add(str(argument))
                # the older twin of a class (ResourceReference) is its own class, though it fits the newer one
                twin = CLASSES.get(name, argument) if name not in RENAMED and is_typeddict(argument) else argument
                self.match(schema, twin, revision, path)
        elif is_typeddict(hint):
            self.match_class(schema, hint, revision, path)
        elif hint is Any_:
            if set(schema) - {"description"} and self.where[1] != "structuredContent":      # an object up to 2025-11-25
                self.faults.append("%s: Any for %r" % (path, schema))
        elif not fits(schema, hint, revision):
            self.faults.append("%s: %r is not %r" % (path, hint, schema))
        elif origin is list:
            self.match(schema.get("items", {}), arguments[0], revision, path + "[]")
        elif str(origin).endswith("Literal"):
            constants = schema.get("enum") or [schema["const"]]
            self.literals.setdefault(self.where, set()).update(constants)
        elif origin is dict and schema.get("additionalProperties") not in (None, True, {}):
            self.match(schema["additionalProperties"], arguments[1], revision, path + "{}")

    def match_class(self, schema: Any, cls: Any, revision: str, path: str) -> None:
        name = cls.__name__
        if schema in self.shapes.setdefault(name, {}).setdefault(revision, []):
            return
        self.shapes[name][revision].append(schema)
        hints = hints_of(cls)
        for member, below in schema.get("properties", {}).items():
            if member not in hints:
                self.faults.append("%s.%s is missing (%s, %s)" % (name, member, revision, path))
                continue
            outer, self.where = self.where, (name, member)
            if member in ("inputSchema", "outputSchema"):
                assert hints[member] == wiretypes.JSONSchema
            else:
                self.match(below, hints[member], revision, "%s.%s" % (path, member))
            self.where = outer


Any_ = hints_of(CLASSES["CallToolResult"])["structuredContent"]


def fits(schema: Any, hint: Any, revision: str) -> bool:
    """Shallow: may ``hint`` stand for ``schema``?"""
    schema = schema_of(schema, revision)
    if "anyOf" in schema:
        return all(fits(option, hint, revision) for option in schema["anyOf"])
    kind, origin = schema.get("type"), get_origin(hint)
    if origin is Union:
        return any(fits(schema, argument, revision) for argument in get_args(hint))
    if str(origin).endswith("Literal"):
        constants = schema.get("enum") or [schema.get("const")]
        return set(constants) <= set(get_args(hint))
    if is_typeddict(hint):
        hints = hints_of(hint)
        return kind == "object" and set(schema.get("properties", {})) <= set(hints) and all(
            fits(member, hints[name], revision) for name, member in schema.get("properties", {}).items()
            if "const" in member or "enum" in member) and set(schema.get("required", ())) <= set(hints)
    if "const" in schema or "enum" in schema:
        return False
    if origin is dict or origin is collections.abc.Mapping:
        return kind == "object" and (not schema.get("properties") or (      # any params, as JSONRPCRequest has them
            list(schema["properties"]) == ["_meta"] and "additionalProperties" in schema))
    if origin is collections.abc.Sequence:
        return bool(kind == "array")
    if origin is list:
        return bool(kind == "array" and fits(schema["items"], get_args(hint)[0], revision))
    if isinstance(kind, list):
        return hint in (str, int, float, bool)
    expected = {"string": str, "integer": int, "number": float, "boolean": bool, "null": type(None)}
    return bool(hint is expected.get(kind) or (hint is float and kind == "integer"))


def with_envelope(name: str, schema: Any, revision: str) -> Any:
    """Up to 2025-06-18 a request's schema leaves out jsonrpc, id and the _meta of params: JSONRPCRequest has them."""
    kind = re.search("(Request|Notification)$", name)
    if revision not in OLDER or not kind or name == kind.group(0) or name.startswith(("JSONRPC", "Paginated")):
        return schema
    envelope = official.definitions_of(revision)["JSONRPC" + kind.group(0)]
    properties = dict(envelope["properties"], **schema["properties"])
    if properties["params"].get("properties") is not None and name != "JSONRPC" + kind.group(0):
        params = schema["properties"].get("params", {})
        properties["params"] = dict(params, properties=dict(envelope["properties"]["params"]["properties"],
                                                            **params.get("properties", {})))
    return dict(schema, properties=properties, required=sorted(set(envelope["required"]) | set(schema["required"])))


@pytest.fixture(scope="module")
def walked() -> Walk:
    walk = Walk()
    for revision in official.REVISIONS:
        for name, schema in official.definitions_of(revision).items():
            hint = TYPES.get(name)
            if hint is None:
                walk.faults.append("%s of %s has no type" % (name, revision))
                continue
            if name in RENAMED and schema.get("type") == "object":
                hint = TYPES[RENAMED[name]]
            if official.method_of(schema) and get_origin(hint) is Union:    # ClientNotification with one member
                continue
            walk.where = (name, "")
            walk.match({"$ref": "#/" + name}, hint, revision, name)
    return walk


def test_every_definition_of_every_revision_has_a_type_with_its_members(walked: Walk) -> None:
    assert not walked.faults, "\n".join(walked.faults)


def test_no_class_is_invented(walked: Walk) -> None:
    assert set(CLASSES) - set(walked.shapes) == BASES_OF_OURS


def test_no_member_is_invented(walked: Walk) -> None:
    for name, shapes in walked.shapes.items():
        known = {member for schemas in shapes.values() for schema in schemas for member in schema.get("properties", ())}
        assert set(hints_of(CLASSES[name])) == known, name


def test_a_member_is_required_where_every_revision_requires_it(walked: Walk) -> None:
    for name, shapes in walked.shapes.items():
        schemas = [schema for found in shapes.values() for schema in found]
        required = set.intersection(*[set(schema.get("required", ())) for schema in schemas])
        assert set(CLASSES[name].__required_keys__) == required, name


def test_constants_are_those_of_the_schemas(walked: Walk) -> None:
    seen = 0
    for name in walked.shapes:
        for member, hint in hints_of(CLASSES[name]).items():
            if str(get_origin(hint)).endswith("Literal"):
                assert set(get_args(hint)) == walked.literals[name, member], (name, member)
                seen += 1
    assert seen > 100
    assert set(get_args(wiretypes.LoggingLevel)) == set(official.LEVELS)


def test_unions_have_no_more_than_the_schemas(walked: Walk) -> None:
    assert len(walked.used) > 20
    for union, used in walked.used.items():
        if wiretypes.MetaObject not in get_args(union):     # a _meta is open besides
            assert {str(argument) for argument in get_args(union)} == used


@pytest.mark.parametrize("direction, kind", [(d, k) for d in ("client", "server") for k in ("request", "notification")])
def test_the_method_tables_are_those_of_the_schemas(direction: str, kind: str) -> None:
    table = TYPES["%s_%sS" % (direction.upper(), kind.upper())]
    expected: Dict[str, Any] = {}
    for revision in official.REVISIONS:
        for method in official.sent_methods(revision, direction, kind):
            name = official.method_definitions(revision)[method]
            params = hints_of(CLASSES[name])["params"]
            expected[method] = params
            if kind == "request":
                expected[method] = (params, TYPES[str(official.result_definition(method, {}, revision))])
    assert table == expected


def test_everything_sent_is_in_the_unions() -> None:
    for direction in ("client", "server"):
        for kind in ("request", "notification"):
            names = {official.method_definitions(revision)[method] for revision in official.REVISIONS
                     for method in official.sent_methods(revision, direction, kind)}
            union = TYPES[direction.capitalize() + kind.capitalize()]
            assert {member.__name__ for member in get_args(union)} == names


# ---- comments and docstrings tell the revisions

def availability(revisions: Any, within: Any) -> str:
    """ "" for all of ``within``, "since ...", "up to ...", "... only", "... to ..." """
    here = [revision for revision in official.REVISIONS if revision in revisions]
    span = [revision for revision in official.REVISIONS if revision in within]
    if here == span:
        return ""
    if here == [NEWEST] or (here[-1] == span[-1] and len(here) > 1):
        return "since " + here[0]
    if len(here) == 1:
        return here[0] + " only"
    return "up to " + here[-1] if here[0] == span[0] else "%s to %s" % (here[0], here[-1])


def written() -> Iterator[Tuple[str, str, Dict[str, str]]]:
    """(class, what its docstring or comment says, member → comment) from the source."""
    with open(str(wiretypes.__file__), encoding="utf-8") as file:
        source = file.read()
    lines = source.split("\n")

    def comment(number: int) -> str:
        return lines[number - 1].partition("    # ")[2]

    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef) and node.name in CLASSES:
            members = {item.target.id: comment(item.lineno) for item in node.body
                       if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name)}
            yield node.name, str(ast.get_docstring(node)), members
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            keys = node.value.args[1].keys  # type: ignore[attr-defined]
            yield node.targets[0].id, lines[node.lineno - 2], {  # type: ignore[attr-defined]
                key.value: comment(key.lineno) for key in keys}


def test_comments_and_docstrings_tell_the_revisions(walked: Walk) -> None:
    seen = 0
    for name, text, members in written():
        if name in BASES_OF_OURS:
            continue
        shapes = walked.shapes[name]
        where = availability(shapes, official.REVISIONS)
        assert text.endswith(("." + " " + where[:1].upper() + where[1:] + ".") if where else ".")
        if not where:
            assert not re.search(r"(Since|Up to) \S+\.$|only\.$", text), name
        for member, comment in members.items():
            having = [revision for revision, schemas in shapes.items()
                      if any(member in schema.get("properties", ()) for schema in schemas)]
            assert comment == availability(having, shapes), (name, member)
            seen += 1
    assert seen > 400


# ---- values

def accepts(hint: Any, value: Any) -> bool:
    """True where a strict type checker would take ``value`` as ``hint``."""
    if isinstance(hint, str):
        hint = TYPES[hint]
    origin, arguments = get_origin(hint), get_args(hint)
    if hint is Any_:
        return True
    if type(hint).__name__ == "ForwardRef":
        return accepts(hint.__forward_arg__, value)
    if origin is Union:
        return any(accepts(argument, value) for argument in arguments)
    if str(origin).endswith("Literal"):
        return any(value == argument and type(value) is type(argument) for argument in arguments)
    if is_typeddict(hint):
        hints = hints_of(hint)
        return (isinstance(value, dict) and set(hint.__required_keys__) <= set(value) <= set(hints)
                and all(accepts(hints[name], member) for name, member in value.items()))
    if origin is dict or origin is collections.abc.Mapping:
        return isinstance(value, dict) and all(accepts(arguments[1], member) for member in value.values())
    if origin is list or origin is collections.abc.Sequence:
        return isinstance(value, list) and all(accepts(arguments[0], element) for element in value)
    if hint is float:
        return type(value) in (int, float)
    return type(value) is (type(None) if hint is None else hint)


def examples() -> List[Tuple[str, str, Any]]:
    found = []
    for path in sorted(glob.glob(os.path.join(official.SPEC, "examples-2026-07-28", "*", "*.json"))):
        with open(path, encoding="utf-8") as file:
            found.append((os.path.basename(os.path.dirname(path)), os.path.basename(path), json.load(file)))
    assert len(found) > 100
    return found


def test_every_official_example_is_accepted() -> None:
    assert [file for name, file, value in examples() if not accepts(TYPES[name], value)] == []


@pytest.mark.parametrize("name, value", [
    ("Tool", {"name": "n"}),                                                                # a member is missing
    ("Tool", {"name": "n", "inputSchema": {}, "titel": "T"}),                               # a member is invented
    ("TextContent", {"type": "texts", "text": ""}),                                         # another constant
    ("CallToolResult", {"content": [{"type": "text", "text": 1}]}),                         # a type, deep inside
    ("ElicitResult", {"action": "accept", "content": {"a": None}}),                         # no part of the union
    ("ListRootsResult", {"roots": {"uri": "file:///"}}),                                    # no list
], ids=["missing", "invented", "constant", "deep", "union", "list"])
def test_a_wrong_value_is_not_accepted(name: str, value: Any) -> None:
    assert not accepts(TYPES[name], value)


USE = '''
from typing import List, cast

from mcplite import wiretypes as w

def judge(block: w.ContentBlock) -> str:
    if block["type"] == "text":
        return block["text"]
    if block["type"] == "resource_link":
        return block["uri"]
    return ""

def use(ask: w.TypedRequest) -> List[w.Tool]:
    result = ask("tools/call", {"name": "n", "arguments": {"a": [1]}, "_meta": {"progressToken": 0, "acme/x": None}})
    text: str = judge(result["content"][0])
    roots: w.ListRootsResult = {"roots": [{"uri": "file:///a"}]}
    return ask("tools/list")["tools"]
'''


MISUSE = USE + '''
tool: w.Tool = {"name": "n", "inputSchema": {}, "titel": "T"}
def misuse(ask: w.TypedRequest, result: w.CallToolResult) -> None:
    ask("tools/call", {"arguments": {}})
    result["contents"]
    result["content"] = [{"type": "text"}]
'''


@pytest.fixture(scope="module")
def mypy_errors(tmp_path_factory: Any) -> Dict[str, List[str]]:
    """file → what mypy --strict says about it; one run for all files."""
    pytest.importorskip("mypy")
    literals = ["example_%d: w.%s = %s  # %s" % (number, name, value, file)
                for number, (name, file, value) in enumerate(examples())]
    sources = {"examples.py": "from mcplite import wiretypes as w\n" + "\n".join(literals) + "\n", "use.py": USE,
               "misuse.py": MISUSE}
    folder = tmp_path_factory.mktemp("mypy")
    for name, source in sources.items():
        (folder / name).write_text(source, encoding="utf-8")
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--config-file=",
                           "--cache-dir", str(folder / "cache"), *sorted(sources)], cwd=str(folder), timeout=300,
                          env=dict(os.environ, MYPYPATH=root), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    lines = done.stdout.decode().splitlines()
    assert done.returncode in (0, 1), lines
    return {name: [line for line in lines if line.startswith(name + ":") and ": error: " in line] for name in sources}


@pytest.mark.parametrize("name", ["examples.py", "use.py"])
def test_mypy_takes_every_official_example_and_plain_use(mypy_errors: Dict[str, List[str]], name: str) -> None:
    assert mypy_errors[name] == []


def test_mypy_reports_misuse(mypy_errors: Dict[str, List[str]]) -> None:
    assert [re.findall(r"\[([a-z-]+)\]$", line)[0] for line in mypy_errors["misuse.py"]] == [
        "typeddict-unknown-key", "call-overload", "typeddict-item", "list-item"]
