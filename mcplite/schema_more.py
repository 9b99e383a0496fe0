"""JSON Schema beyond the everyday: the rest of 2020-12, draft-07, and schemas of several documents.

Here: the remaining keywords, ``$id``/``$anchor``/``$dynamicRef``, ``$vocabulary``, dialects that change inside, schemas
handed over as ``documents``. Loaded only for a schema that needs it. Not here: fetching (never), regular expressions,
formats, metaschemas (modules of their own), messages.

Pages: json-schema.org/draft/2020-12 core 7-13, validation 6-9; draft-07; RFC 3986 section 5.2.

1. The dynamic scope is resolved while compiling: a subschema is compiled once for each scope it can be reached in
   (``FullTree.node``), so that judging is the plain ``test(value)`` as everywhere, and $dynamicRef costs nothing.
2. Of the dynamic scope only resources with a ``$dynamicAnchor`` matter, and for each name only the outermost.
3. unevaluated* ask afterwards what the other rules of the same place have seen (``evaluated_names``,
   ``evaluated_items``).
"""
from __future__ import annotations

from .schema import (
    DIALECT_07,
    DIALECT_2020_12,
    KEYWORDS,
    MAX_COMPARED,
    MAX_SCHEMA_DEPTH,
    MAX_SCHEMA_NODES,
    SHAPES,
    SHAPES_07,
    SchemaError,
    SchemaNode,
    SchemaTree,
    enum,
    every_test,
    is_array,
    is_boolean,
    is_integer,
    is_number,
    is_object,
    items,
    refuse_schema,
    remembered,
    shape_array,
    shape_boolean,
    shape_count,
    shape_names,
    shape_schema,
    shape_schema_list,
    shape_schema_map,
    shape_string,
    step_trail,
)
from .schema_refs import check_loops, step_pointer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Set, Tuple

    from .schema import Trail

MAX_COMPILED_NODES = 2 * MAX_SCHEMA_NODES
VOCABULARY = "https://json-schema.org/draft/2020-12/vocab/"


# -- URIs ----------------------------------------------------------------------------------------------------------

def split_uri(uri: str) -> Tuple[str, Optional[str], str, Optional[str], Optional[str]]:
    """scheme, authority, path, query, fragment; None is absent, as RFC 3986 appendix B tells them apart."""
    rest, mark, fragment = uri.partition("#")
    maybe_fragment = fragment if mark else None
    rest, mark, query = rest.partition("?")
    maybe_query = query if mark else None
    scheme, mark, after = rest.partition(":")
    if mark and scheme and "/" not in scheme:
        rest = after
    else:
        scheme = ""
    if rest.startswith("//"):
        authority, slash, path = rest[2:].partition("/")
        return scheme, authority, slash + path, maybe_query, maybe_fragment
    return scheme, None, rest, maybe_query, maybe_fragment


def join_uri(base: str, uri: str) -> str:
    """A reference resolved against a base, without its fragment (RFC 3986, 5.2.2)."""
    scheme, authority, path, query, _ = split_uri(uri)
    if not scheme:
        scheme, base_authority, base_path, base_query, _ = split_uri(base)
        if authority is None:
            authority = base_authority
            if not path:
                path, query = base_path, base_query if query is None else query
            elif not path.startswith("/"):
                path = base_path[:base_path.rfind("/") + 1] + path
                if authority is not None and not path.startswith("/"):
                    path = "/" + path
    path = remove_dots(path)
    return ((scheme + ":" if scheme else "") + ("" if authority is None else "//" + authority) + path
            + ("" if query is None else "?" + query))


def remove_dots(path: str) -> str:
    if "." not in path:
        return path
    kept: List[str] = []
    parts = path.split("/")
    for part in parts:
        if part == "..":
            if kept:
                kept.pop()
        elif part != ".":
            kept.append(part)
    if parts[-1] in (".", ".."):
        kept.append("")
    if path.startswith("/") and (not kept or kept[0] != ""):
        kept.insert(0, "")
    return "/".join(kept)


def unquote_fragment(fragment: str) -> str:
    if "%" not in fragment:
        return fragment
    from urllib.parse import unquote
    return unquote(fragment)


# -- values --------------------------------------------------------------------------------------------------------

def copy_schema(value: Any, depth: int, left: List[int]) -> Any:
    """A copy in which every part is an object of its own: parts are told apart by ``id``."""
    left[0] -= 1
    if depth > 2 * MAX_SCHEMA_DEPTH or left[0] < 0:
        raise SchemaError("", "nested too deeply" if left[0] >= 0 else "too large")
    if isinstance(value, dict):
        return {name: copy_schema(item, depth + 1, left) for name, item in value.items()}
    if isinstance(value, list):
        return [copy_schema(item, depth + 1, left) for item in value]
    return value


def canonical_text(value: Any) -> str:
    """A text that two JSON values share exactly when they are equal. Texts, since numbers can be chosen to collide."""
    if isinstance(value, str):
        return "%d:%s" % (len(value), value)
    if value is None or is_boolean(value):
        return "n" if value is None else "t" if value else "f"
    if isinstance(value, (int, float)):
        return "i%x" % int(value) if is_integer(value) else "d%r" % value
    if isinstance(value, list):
        return "[%s]" % ",".join(map(canonical_text, value))
    return "{%s}" % ",".join(sorted(canonical_text(name) + "=" + canonical_text(item) for name, item in value.items()))


def decimal_parts(number: Any) -> Tuple[int, int]:
    """An integer and a power of ten: exactly the number that its shortest text says (0.1 is 1 and -1)."""
    if isinstance(number, int):
        return number, 0
    digits, _, exponent = repr(number).partition("e")
    whole, _, fraction = digits.partition(".")
    return int(whole + fraction), int(exponent or 0) - len(fraction)


def is_multiple(value: Any, of: Any) -> bool:
    """0.3 is a multiple of 0.1: computed with the decimal texts, without rounding."""
    if isinstance(value, int) and isinstance(of, int):
        return value % of == 0
    (a, x), (b, y) = decimal_parts(value), decimal_parts(of)
    low = min(x, y)
    return int(a * 10 ** (x - low)) % int(b * 10 ** (y - low)) == 0


# -- keywords: as in ``schema`` ------------------------------------------------------------------------------------

def multiple_of(tree: Any, of: Any, schema: Any) -> Any:
    """``{"multipleOf": 0.01}``: 19.99 passes, 0.001 does not."""
    return (lambda value: not is_number(value) or is_multiple(value, of)), None


def unique_items(tree: Any, wanted: Any, schema: Any) -> Any:
    """``{"uniqueItems": true}``: [1, true] passes, [1, 1.0] does not."""
    def test(value: Any) -> bool:
        if not is_array(value) or len(value) < 2:
            return True
        return len(frozenset(map(canonical_text, value))) == len(value)
    return (test, None) if wanted else None


def enum_of_many(tree: Any, values: Any, schema: Any) -> Any:
    """An enum of many arrays, objects or huge numbers: looked up by text, not compared one by one."""
    if len(values) <= MAX_COMPARED:
        return enum(tree, values, schema)
    texts = frozenset(map(canonical_text, values))
    return (lambda value: canonical_text(value) in texts), None


def prefix_items(tree: Any, schemas: Any, schema: Any) -> Any:
    """``{"prefixItems": [{"type": "integer"}]}``: [1, "a"] and [] pass, ["a"] does not."""
    children = [tree.node(child) for child in schemas]
    tests = tuple(child.test for child in children)

    def test(value: Any) -> bool:
        if is_array(value):
            for judge, item in zip(tests, value):
                if not judge(item):
                    return False
        return True
    return test, children


def later_items(tree: Any, each: Any, start: int) -> Any:
    """Judges the items from one index on."""
    child = tree.node(each)
    judge = child.test

    def test(value: Any) -> bool:
        if is_array(value):
            for index in range(start, len(value)):
                if not judge(value[index]):
                    return False
        return True
    return test, child


def items_after_prefix(tree: Any, each: Any, schema: Any) -> Any:
    """2020-12: the items after those of ``prefixItems``."""
    start = len(schema.get("prefixItems", ())) if "prefixItems" in tree.keywords else 0
    return later_items(tree, each, start) if start else items(tree, each, schema)


def items_07(tree: Any, each: Any, schema: Any) -> Any:
    """draft-07: one schema for every item, or one for each place."""
    return prefix_items(tree, each, schema) if isinstance(each, list) else items(tree, each, schema)


def additional_items(tree: Any, each: Any, schema: Any) -> Any:
    """draft-07: the items after those of an array in ``items``; means nothing without one."""
    return later_items(tree, each, len(schema["items"])) if isinstance(schema.get("items"), list) else None


def contains(tree: Any, wanted: Any, schema: Any) -> Any:
    """``{"contains": {"type": "integer"}}``: ["a", 1] passes, ["a"] does not. Counted if minContains or maxContains
    stand beside it."""
    child = tree.node(wanted)
    judge = child.test
    low = schema.get("minContains", 1) if "minContains" in tree.shapes else 1
    high = schema.get("maxContains") if "minContains" in tree.shapes else None

    def test(value: Any) -> bool:
        if not is_array(value):
            return True
        count = 0
        for item in value:
            if judge(item):
                count += 1
                if high is None and count >= low or high is not None and count > high:
                    break
        return count >= low and (high is None or count <= high)
    return test, child


def pattern_properties(tree: Any, schemas: Any, schema: Any) -> Any:
    """``{"patternProperties": {"^x-": {"type": "string"}}}``: {"x-a": ""} passes, {"x-a": 1} does not."""
    from .schema_patterns import compile_pattern
    children = {text: (compile_pattern(text), tree.node(child)) for text, child in schemas.items()}
    pairs = tuple((found, child.test) for found, child in children.values())

    def test(value: Any) -> bool:
        if is_object(value):
            for name, item in value.items():
                for found, judge in pairs:
                    if found(name) and not judge(item):
                        return False
        return True
    return test, children


def additional_to_patterns(tree: Any, extra: Any, schema: Any) -> Any:
    """Judges every property that neither ``properties`` nor ``patternProperties`` beside it knows."""
    from .schema_patterns import compile_pattern
    child = tree.node(extra)
    known, judge = frozenset(schema.get("properties", ())), child.test
    patterns = tuple(map(compile_pattern, schema.get("patternProperties", ())))

    def test(value: Any) -> bool:
        if is_object(value):
            for name, item in value.items():
                if name not in known and not any(found(name) for found in patterns) and not judge(item):
                    return False
        return True
    return test, child


def dependent_required(tree: Any, dependents: Any, schema: Any) -> Any:
    """``{"dependentRequired": {"a": ["b"]}}``: {"a": 0, "b": 0} and {} pass, {"a": 0} does not."""
    def test(value: Any) -> bool:
        if is_object(value):
            for name, names in dependents.items():
                if name in value:
                    for other in names:
                        if other not in value:
                            return False
        return True
    return test, None


def dependent_schemas(tree: Any, dependents: Any, schema: Any) -> Any:
    """``{"dependentSchemas": {"a": {"minProperties": 2}}}``: {"b": 0} passes, {"a": 0} does not."""
    children = {name: tree.node(child) for name, child in dependents.items()}

    def test(value: Any) -> bool:
        if is_object(value):
            for name, child in children.items():
                if name in value and not child.test(value):
                    return False
        return True
    return test, children


def dependencies(tree: Any, dependents: Any, schema: Any) -> Any:
    """draft-07: ``dependentRequired`` and ``dependentSchemas`` in one, told apart by the form."""
    names = {name: needed for name, needed in dependents.items() if isinstance(needed, list)}
    judge_names, _ = dependent_required(tree, names, schema)
    judge_schemas, children = dependent_schemas(tree, {name: child for name, child in dependents.items()
                                                       if name not in names}, schema)
    return every_test([judge_names, judge_schemas]), children


def if_(tree: Any, condition: Any, schema: Any) -> Any:
    """``{"if": A, "then": B, "else": C}``: what passes A must pass B, the rest C."""
    children = {name: tree.node(schema[name]) for name in ("if", "then", "else") if name in schema}
    judge = children["if"].test
    then = children["then"].test if "then" in children else None
    other = children["else"].test if "else" in children else None

    def test(value: Any) -> bool:
        if judge(value):
            return then is None or then(value)
        return other is None or other(value)
    return test, children


def format_(tree: Any, name: Any, schema: Any) -> Any:
    """Only with ``formats=True``, or where the format-assertion vocabulary is in force."""
    if not tree.formats and not tree.resource.dialect.formats:
        return None
    from .schema_formats import FORMATS
    judge = FORMATS[name]
    return (lambda value: not isinstance(value, str) or judge(value)), None


def unevaluated_properties(tree: Any, extra: Any, schema: Any) -> Any:
    """Judges the properties that no other rule for the same object has seen, those in allOf, $ref, ... included."""
    child, node = tree.node(extra), tree.compiling
    judge = child.test

    def test(value: Any) -> bool:
        if is_object(value):
            for name in left_names(node, value):
                if not judge(value[name]):
                    return False
        return True
    return test, child


def unevaluated_items(tree: Any, each: Any, schema: Any) -> Any:
    """The same for the items of an array."""
    child, node = tree.node(each), tree.compiling
    judge = child.test

    def test(value: Any) -> bool:
        if is_array(value):
            for index in left_items(node, value):
                if not judge(value[index]):
                    return False
        return True
    return test, child


def left_names(node: SchemaNode, value: Any) -> List[str]:
    """The properties that ``unevaluatedProperties`` of this node has to judge."""
    names: Set[str] = set()
    if evaluated_names(node, value, names, {id(node)}, node):
        return []
    return [name for name in value if name not in names]


def evaluated_names(node: SchemaNode, value: Any, names: Set[str], visited: Set[int],
                    origin: Optional[SchemaNode]) -> bool:
    """Collect the properties that a node has seen in an object that passes it; True when it has seen them all."""
    for _, keyword, _, _, children in node.rules:
        if keyword == "properties":
            names.update(name for name in value if name in children)
        elif keyword == "patternProperties":
            names.update(name for name in value if any(found(name) for found, _ in children.values()))
        elif keyword == "additionalProperties" or keyword == "unevaluatedProperties" and node is not origin:
            return True
        else:
            for child in applied_in_place(keyword, children, value):
                if id(child) not in visited:
                    visited.add(id(child))
                    if evaluated_names(child, value, names, visited, origin):
                        return True
    return False


def left_items(node: SchemaNode, value: Any) -> List[int]:
    """The indexes that ``unevaluatedItems`` of this node has to judge."""
    seen: Set[int] = set()
    if evaluated_items(node, value, seen, {id(node)}, node):
        return []
    return [index for index in range(len(value)) if index not in seen]


def evaluated_items(node: SchemaNode, value: Any, seen: Set[int], visited: Set[int],
                    origin: Optional[SchemaNode]) -> bool:
    """The same as ``evaluated_names`` for the items of an array."""
    for _, keyword, _, _, children in node.rules:
        if keyword == "prefixItems" or keyword == "items" and isinstance(children, list):
            seen.update(range(min(len(children), len(value))))
        elif keyword in ("items", "additionalItems") or keyword == "unevaluatedItems" and node is not origin:
            return True
        elif keyword == "contains":
            seen.update(index for index, item in enumerate(value) if children.test(item))
        else:
            for child in applied_in_place(keyword, children, value):
                if id(child) not in visited:
                    visited.add(id(child))
                    if evaluated_items(child, value, seen, visited, origin):
                        return True
    return False


def applied_in_place(keyword: str, children: Any, value: Any) -> List[SchemaNode]:
    """The subschemas whose findings about the same value count: those that it passes."""
    if keyword == "$ref" or keyword == "$dynamicRef":
        return [children]
    if keyword == "allOf":
        return list(children)
    if keyword == "anyOf" or keyword == "oneOf":
        return [child for child in children if child.test(value)]
    if keyword == "if":
        passed = children["if"].test(value)
        return ([children["if"]] if passed else []) + [children[name] for name in ("then" if passed else "else",)
                                                       if name in children]
    if keyword == "dependentSchemas" or keyword == "dependencies":
        return [child for name, child in children.items() if is_object(value) and name in value]
    return []


def dynamic_ref(tree: Any, uri: Any, schema: Any) -> Any:
    """A $ref whose target may be replaced by the outermost schema with the same $dynamicAnchor."""
    target = tree.resolve(uri, None)
    name = unquote_fragment(uri.partition("#")[2])
    home = tree.home.get(id(target))
    if name and home is not None and home.dynamic.get(name) is target:
        for resource in tree.scope:
            if name in resource.dynamic:
                target = resource.dynamic[name]
                break
    child = tree.node(target)
    return remembered(tree, child), child


MORE_KEYWORDS: Dict[str, Tuple[int, Callable[..., Any]]] = dict(KEYWORDS, **{
    "multipleOf": (3, multiple_of), "enum": (2, enum_of_many), "dependentRequired": (4, dependent_required), "format": (8, format_),
    "prefixItems": (7, prefix_items), "items": (7, items_after_prefix), "contains": (9, contains),
    "uniqueItems": (9, unique_items), "patternProperties": (8, pattern_properties),
    "additionalProperties": (6, additional_to_patterns), "dependentSchemas": (10, dependent_schemas),
    "dependencies": (10, dependencies), "if": (11, if_), "$dynamicRef": (9, dynamic_ref),
    "unevaluatedProperties": (12, unevaluated_properties), "unevaluatedItems": (12, unevaluated_items),
})
KEYWORDS_07 = {name: entry for name, entry in MORE_KEYWORDS.items() if name not in (
    "dependentRequired", "prefixItems", "dependentSchemas", "$dynamicRef", "unevaluatedProperties",
    "unevaluatedItems")}
KEYWORDS_07.update(items=(7, items_07), additionalItems=(7, additional_items))


# -- shapes: as in ``schema`` --------------------------------------------------------------------------------------

def shape_factor(tree: Any, value: Any, trail: Trail) -> None:
    if not is_number(value) or value <= 0:
        refuse_schema(trail, "must be a number above 0")


def shape_dependents(tree: Any, value: Any, trail: Trail) -> None:
    if not isinstance(value, dict):
        refuse_schema(trail, "must be an object of name lists")
    for name, names in value.items():
        shape_names(tree, names, step_trail(trail, name))


def shape_dependencies(tree: Any, value: Any, trail: Trail) -> None:
    if not isinstance(value, dict):
        refuse_schema(trail, "must be an object of schemas or name lists")
    for name, item in value.items():
        (shape_names if isinstance(item, list) else shape_schema)(tree, item, step_trail(trail, name))


def shape_patterns(tree: Any, value: Any, trail: Trail) -> None:
    shape_schema_map(tree, value, trail)
    for text in value:
        SHAPES["pattern"](tree, text, step_trail(trail, text))


def shape_items_07(tree: Any, value: Any, trail: Trail) -> None:
    (shape_schema_list if isinstance(value, list) else shape_schema)(tree, value, trail)


def shape_items_2020(tree: Any, value: Any, trail: Trail) -> None:
    if isinstance(value, list):
        refuse_schema(trail, "must be a schema; an array of schemas is draft-07: write prefixItems")
    shape_schema(tree, value, trail)


def shape_full_ref(tree: Any, value: Any, trail: Trail) -> None:
    shape_string(tree, value, trail)
    tree.full_refs.append((value, trail, tree.resource))


def shape_foreign(tree: Any, value: Any, trail: Trail) -> None:
    refuse_schema(trail, "is a keyword of 2019-09; in 2020-12 write $dynamicRef and $dynamicAnchor")


def shape_vocabulary(tree: Any, value: Any, trail: Trail) -> None:
    if not isinstance(value, dict) or not all(isinstance(uri, str) and is_boolean(value[uri]) for uri in value):
        refuse_schema(trail, "must be an object of URIs and booleans")


def shape_format(tree: Any, value: Any, trail: Trail) -> None:
    shape_string(tree, value, trail)
    if tree.formats or tree.resource.dialect.formats:
        try:
            from .schema_formats import FORMATS
        except ImportError:
            refuse_schema(trail, '"format" needs the module schema_formats, which this copy of mcplite lacks')
        if value not in FORMATS:
            refuse_schema(trail, "the format %s cannot be asserted; known: %s" % (value, ", ".join(sorted(FORMATS))))


MORE_SHAPES: Dict[str, Callable[[Any, Any, Trail], None]] = dict(SHAPES, **{
    "if": shape_schema, "then": shape_schema, "else": shape_schema, "contains": shape_schema,
    "uniqueItems": shape_boolean, "multipleOf": shape_factor, "patternProperties": shape_patterns,
    "dependencies": shape_dependencies, "prefixItems": shape_schema_list, "items": shape_items_2020,
    "minContains": shape_count, "maxContains": shape_count, "dependentRequired": shape_dependents,
    "dependentSchemas": shape_schema_map, "unevaluatedItems": shape_schema, "unevaluatedProperties": shape_schema,
    "contentSchema": shape_schema, "$id": shape_string, "$schema": shape_string, "$anchor": shape_string,
    "$dynamicAnchor": shape_string, "$ref": shape_full_ref, "$dynamicRef": shape_full_ref,
    "$vocabulary": shape_vocabulary, "$recursiveRef": shape_foreign, "$recursiveAnchor": shape_foreign,
    "format": shape_format, "enum": shape_array,
})
MORE_SHAPES_07 = {name: MORE_SHAPES[name] for name in SHAPES_07 if name in MORE_SHAPES}
MORE_SHAPES_07.update({"items": shape_items_07, "additionalItems": shape_schema, "then": shape_schema,
                       "else": shape_schema})


# -- dialects ------------------------------------------------------------------------------------------------------

class SchemaDialect:
    """Which keywords are in force, and how they are written."""

    def __init__(self, shapes: Any, keywords: Any, draft_07: bool = False, formats: bool = False) -> None:
        self.shapes, self.keywords, self.draft_07, self.formats = shapes, keywords, draft_07, formats


MORE_DIALECTS = {DIALECT_2020_12: SchemaDialect(MORE_SHAPES, MORE_KEYWORDS),
                 DIALECT_07: SchemaDialect(MORE_SHAPES_07, KEYWORDS_07, draft_07=True)}
# The vocabularies of 2020-12 that a metaschema can leave out, and the keywords that go with them.
VOCABULARIES = {
    "core": (), "meta-data": (), "format-annotation": (), "content": (), "format-assertion": (),
    "applicator": ("prefixItems", "items", "contains", "additionalProperties", "properties", "patternProperties",
                   "dependentSchemas", "propertyNames", "if", "allOf", "anyOf", "oneOf", "not", "dependencies"),
    "unevaluated": ("unevaluatedItems", "unevaluatedProperties"),
    "validation": ("type", "const", "enum", "multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum",
                   "maxLength", "minLength", "pattern", "maxItems", "minItems", "uniqueItems", "maxContains",
                   "minContains", "maxProperties", "minProperties", "required", "dependentRequired"),
}


def dialect_of_vocabulary(vocabulary: Any, trail: Trail) -> SchemaDialect:
    """The dialect that a metaschema's ``$vocabulary`` declares."""
    left_out: Set[str] = set()
    for name, keywords in VOCABULARIES.items():
        if VOCABULARY + name not in vocabulary:
            left_out.update(keywords)
    for uri, needed in vocabulary.items():
        if needed and (not uri.startswith(VOCABULARY) or uri[len(VOCABULARY):] not in VOCABULARIES):
            refuse_schema(trail, 'needs the vocabulary "%s", which is not known here' % uri)
    return SchemaDialect({name: shape for name, shape in MORE_SHAPES.items() if name not in left_out},
                         {name: entry for name, entry in MORE_KEYWORDS.items() if name not in left_out},
                         formats=VOCABULARY + "format-assertion" in vocabulary)


class SchemaResource:
    """A schema with a URI of its own, and the names it gives to places inside."""
    __slots__ = ("uri", "root", "dialect", "anchors", "dynamic")

    def __init__(self, uri: str, root: Any, dialect: SchemaDialect) -> None:
        self.uri, self.root, self.dialect = uri, root, dialect
        self.anchors: Dict[str, Any] = {}
        self.dynamic: Dict[str, Any] = {}


# -- the tree ------------------------------------------------------------------------------------------------------

class FullTree(SchemaTree):
    """A schema of any kind, with the documents it may refer to."""

    def __init__(self, schema: Any, documents: Dict[str, Any], formats: bool) -> None:
        super().__init__(copy_schema(schema, 0, [20 * MAX_SCHEMA_NODES]))
        self.formats = formats
        if not all(isinstance(uri, str) for uri in documents):
            raise SchemaError("", "documents must be an object of schemas by their URIs")
        self.documents = {uri.partition("#")[0]: document for uri, document in documents.items()}
        self.resources: Dict[str, SchemaResource] = {}
        self.home: Dict[int, SchemaResource] = {}       # id of a subschema: the resource it is part of
        self.full_refs: List[Tuple[str, Trail, SchemaResource]] = []
        self.scope: Tuple[SchemaResource, ...] = ()
        self.kept: List[Any] = []                       # keeps every id in use
        self.default_dialect = MORE_DIALECTS[DIALECT_2020_12]
        self.resource = SchemaResource("", self.root, self.default_dialect)
        self.compiling: Optional[SchemaNode] = None

    def check_all(self) -> None:
        """Refuse the schema, and what it refers to, unless all of it is right; then compile it."""
        if isinstance(self.root, dict) and "$schema" in self.root:
            self.default_dialect = self.find_dialect(self.root["$schema"], (None, "$schema", 1))
        self.resource = self.add_document("", self.root)
        position = 0
        while position < len(self.full_refs):
            uri, trail, self.resource = self.full_refs[position]
            self.resolve(uri, trail)
            position += 1
        self.node(self.root)
        check_loops(self)

    def add_document(self, uri: str, schema: Any) -> SchemaResource:
        """Walk a document: find its resources and anchors, check every keyword."""
        self.resource = SchemaResource(uri, schema, self.default_dialect)
        self.resources[uri] = self.resource
        self.kept.append(schema)
        self.check(schema, None)
        return self.home.get(id(schema), self.resource)

    def find_dialect(self, uri: Any, trail: Trail) -> SchemaDialect:
        if not isinstance(uri, str):
            refuse_schema(trail, "must be a string")
        uri = uri[:-1] if uri.endswith("#") else uri
        dialect = MORE_DIALECTS.get(uri)
        if dialect is None:
            metaschema = self.documents.get(uri)
            if not isinstance(metaschema, dict):
                refuse_schema(trail, 'the dialect "%s" is not supported; 2020-12 and draft-07 are' % uri)
            base = metaschema.get("$schema", DIALECT_2020_12)
            vocabulary = metaschema.get("$vocabulary")
            if base in (uri, uri + "#"):
                refuse_schema(trail, 'the dialect "%s" describes itself; it must build on 2020-12 or draft-07' % uri)
            dialect = self.find_dialect(base, trail)
            if vocabulary is not None and not dialect.draft_07:
                shape_vocabulary(self, vocabulary, trail)
                dialect = dialect_of_vocabulary(vocabulary, trail)
        return dialect

    def check(self, schema: Any, trail: Trail) -> None:
        if not isinstance(schema, dict):
            super().check(schema, trail)
            return
        outer = self.resource, self.shapes
        dialect = self.resource.dialect
        if "$schema" in schema:
            dialect = self.find_dialect(schema["$schema"], step_trail(trail, "$schema"))
        self.enter(schema, dialect, trail)
        self.home[id(schema)] = self.resource
        self.shapes = dialect.shapes
        super().check(schema, trail)
        self.resource, self.shapes = outer

    def enter(self, schema: Any, dialect: SchemaDialect, trail: Trail) -> None:
        """Find the resource a subschema belongs to, its own if it has an ``$id``, and note its anchors."""
        if dialect is not self.resource.dialect:
            fresh = SchemaResource(self.resource.uri, self.resource.root, dialect)
            fresh.anchors, fresh.dynamic = self.resource.anchors, self.resource.dynamic
            if self.resource.root is schema:
                self.resources[self.resource.uri] = fresh
            self.resource = fresh
        if "$id" in schema and not (dialect.draft_07 and "$ref" in schema):
            own = schema["$id"]
            shape_string(self, own, step_trail(trail, "$id"))
            plain, _, fragment = own.partition("#")
            if fragment and not dialect.draft_07:
                refuse_schema(step_trail(trail, "$id"), "must not have a fragment; write $anchor")
            if plain or not fragment:
                uri = join_uri(self.resource.uri, own)
                known = self.resources.get(uri)
                if known is not None and known.root is not schema:
                    refuse_schema(step_trail(trail, "$id"), 'two schemas have the URI "%s"' % uri)
                self.resource = self.resources[uri] = SchemaResource(uri, schema, dialect)
            if fragment:
                self.name(fragment, schema, self.resource.anchors, step_trail(trail, "$id"))
        if not dialect.draft_07:
            for keyword in ("$anchor", "$dynamicAnchor"):
                if keyword in schema:
                    here = step_trail(trail, keyword)
                    name = schema[keyword]
                    shape_string(self, name, here)
                    if not name[:1].replace("_", "a").isalpha() or not name.isascii() \
                            or not name.replace("-", "").replace(".", "").replace("_", "a").isalnum():
                        refuse_schema(here, "must be a letter or _, then letters, digits, -, _ or .")
                    self.name(name, schema, self.resource.anchors, here)
                    if keyword == "$dynamicAnchor":
                        self.resource.dynamic[name] = schema

    def name(self, name: str, schema: Any, names: Dict[str, Any], trail: Trail) -> None:
        if names.setdefault(name, schema) is not schema:
            refuse_schema(trail, 'two places have the name "%s"' % name)

    def find_resource(self, uri: str, trail: Trail) -> SchemaResource:
        """The resource of an absolute URI without fragment: from this schema, the documents, or the metaschemas."""
        found = self.resources.get(uri)
        if found is None and uri in self.documents:
            found = self.load(uri, self.documents[uri])
        if found is None and uri.startswith(("https://json-schema.org/draft/2020-12/", "http://json-schema.org/draft-07/")):
            try:
                from .schema_meta import METASCHEMAS
            except ImportError:
                refuse_schema(trail, '"%s" needs the module schema_meta, which this copy of mcplite lacks' % uri)
            if uri in METASCHEMAS:
                found = self.load(uri, METASCHEMAS[uri])
        if found is None:                   # a document may hold it under an $id of its own
            for other, document in self.documents.items():
                if other not in self.resources:
                    try:
                        self.load(other, document)
                    except SchemaError:     # wrong, but nobody has asked for it
                        continue
                    if uri in self.resources:
                        return self.resources[uri]
            refuse_schema(trail, '"%s" is not known here and never fetched; hand it over in documents' % uri)
        return found

    def load(self, uri: str, document: Any) -> SchemaResource:
        outer = self.resource, self.shapes
        try:
            self.resources[uri] = self.add_document(uri, copy_schema(document, 0, [20 * MAX_SCHEMA_NODES]))
        except SchemaError as error:
            raise SchemaError(error.path, 'in the document "%s": %s' % (uri, error.reason)) from None
        finally:
            self.resource, self.shapes = outer
        return self.resources[uri]

    def resolve(self, uri: str, trail: Trail) -> Any:
        """The schema that a reference in the current resource means."""
        _, mark, fragment = uri.partition("#")
        absolute = join_uri(self.resource.uri, uri)
        resource = self.resource if absolute == self.resource.uri else self.find_resource(absolute, trail)
        if not fragment:
            return resource.root
        if not fragment.startswith("/"):
            name = unquote_fragment(fragment)
            if name not in resource.anchors:
                refuse_schema(trail, '"%s" leads nowhere: there is no anchor "%s"' % (uri, name))
            return resource.anchors[name]
        target = resource.root
        for token in fragment[1:].split("/"):
            resource = self.home.get(id(target), resource)
            target = step_pointer(target, token, uri, trail)
        if isinstance(target, dict) and id(target) in self.home:
            return target
        outer, self.resource = self.resource, resource      # a place where no schema was expected: check it now
        self.check(target, trail)
        self.resource = outer
        return target

    def node(self, schema: Any) -> SchemaNode:
        resource = self.home.get(id(schema), self.resource)
        scope = self.scope
        if resource.dynamic:        # only the outermost of each name counts: what adds none changes nothing
            known = {name for outer_resource in scope for name in outer_resource.dynamic}
            if not known.issuperset(resource.dynamic):
                scope += (resource,)
        key = schema if is_boolean(schema) else (id(schema), scope)
        found = self.nodes.get(key)
        if found is None:
            found = self.nodes[key] = SchemaNode(schema, self)
            if len(self.nodes) > MAX_COMPILED_NODES:
                raise SchemaError("", "too many subschemas, each counted once for every $dynamicAnchor it can see")
            outer = self.scope, self.resource, self.compiling, self.shapes, self.keywords, self.draft_07
            dialect = resource.dialect
            self.scope, self.resource, self.compiling = scope, resource, found
            self.shapes, self.keywords, self.draft_07 = dialect.shapes, dialect.keywords, dialect.draft_07
            self.compile(found)
            self.scope, self.resource, self.compiling, self.shapes, self.keywords, self.draft_07 = outer
            if isinstance(schema, dict) and ("unevaluatedProperties" in schema or "unevaluatedItems" in schema):
                inner = SchemaNode(schema)          # may be asked many times about one value: by each level above
                inner.test = found.test
                found.test = remembered(self, inner)
        return found


def new_full_tree(schema: Any, documents: Dict[str, Any], formats: bool) -> FullTree:
    tree = FullTree(schema, documents, formats)
    tree.check_all()
    return tree
