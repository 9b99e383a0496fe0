"""The everyday keywords: what nearly every tool writes.

Here: one small function per keyword (read three, and you know them all), the shape that each must have in a schema, and
the table of both. Not here: the rest of 2020-12 and draft-07 (``vocabulary``), which is loaded only for a schema that has
it; ``$ref`` (one real tool in twenty) and ``pattern`` load ``references`` and ``patterns``.

Pages: json-schema.org/draft/2020-12 core and validation; draft-07 where the schema says so.

1. A keyword's function is named after it: ``keyword(tree, argument, node)``, see ``tree`` for what it gives.
2. Keywords that compare a number or a size with a limit are rows of ``BOUNDS``, written once for all that judge, generate
   code, or explain.
"""
from __future__ import annotations

from .tree import (
    BIG_ARRAY,
    DIALECT_07,
    DIALECT_2020_12,
    TYPE_TESTS,
    BeyondEveryday,
    every_test,
    is_array,
    is_boolean,
    is_integer,
    is_number,
    is_object,
    is_string,
    refuse_schema,
    refuse_without,
    remembered,
    same_json,
    split_choices,
    step_trail,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Tuple

    from .tree import Keywords, SchemaNode, SchemaTree, Test, Trail

MAX_COMPARED = 50           # enum members that each value is compared with, one by one, by the everyday ``enum``

# keyword: what it is about, how that must compare with the limit, and what is counted (nothing: the number itself)
BOUNDS = {
    "minimum": ("number", ">=", ""),                    # {"minimum": 2}: 2 passes, 1.5 does not
    "maximum": ("number", "<=", ""),                    # {"maximum": 2}: 2 passes, 2.5 does not
    "exclusiveMinimum": ("number", ">", ""),            # {"exclusiveMinimum": 2}: 2.1 passes, 2 does not
    "exclusiveMaximum": ("number", "<", ""),            # {"exclusiveMaximum": 2}: 1.9 passes, 2 does not
    "minLength": ("string", ">=", "character"),         # {"minLength": 2}: "ab" passes, "a" does not; an emoji counts one
    "maxLength": ("string", "<=", "character"),         # {"maxLength": 2}: "ab" passes, "abc" does not
    "minItems": ("array", ">=", "item"),                # {"minItems": 1}: [0] passes, [] does not
    "maxItems": ("array", "<=", "item"),                # {"maxItems": 1}: [0] passes, [0, 0] does not
    "minProperties": ("object", ">=", "property"),      # {"minProperties": 1}: {"a": 0} passes, {} does not
    "maxProperties": ("object", "<=", "property"),      # {"maxProperties": 0}: {} passes, {"a": 0} does not
}
COMPARE: Dict[str, Callable[[Any, Any], bool]] = {
    ">=": lambda size, limit: size >= limit, "<=": lambda size, limit: size <= limit,
    ">": lambda size, limit: size > limit, "<": lambda size, limit: size < limit,
}


def bound(keyword: str) -> Any:
    """The function of a keyword in ``BOUNDS``."""
    about, operator, counted = BOUNDS[keyword]
    is_about, fits = TYPE_TESTS[about], COMPARE[operator]
    if counted:
        return lambda tree, limit, node: ((lambda value: not is_about(value) or fits(len(value), limit)), None)
    return lambda tree, limit, node: ((lambda value: not is_about(value) or fits(value, limit)), None)


def type_(tree: SchemaTree, wanted: Any, node: SchemaNode) -> Any:
    """``{"type": "integer"}``: 3 and 3.0 pass, "3" and true do not. A list of types passes any of them."""
    if isinstance(wanted, str):
        return TYPE_TESTS[wanted], None
    return any_test(tuple(TYPE_TESTS[name] for name in wanted)), None


def enum(tree: SchemaTree, values: Any, node: SchemaNode) -> Any:
    """``{"enum": ["a", 1, null]}``: "a", 1.0 and null pass, "b" and true do not."""
    strings, numbers, others = split_choices(values)

    def test(value: Any) -> bool:
        if is_string(value):
            return value in strings
        if is_number(value) and value in numbers:
            return True
        for allowed in others:
            if same_json(value, allowed):
                return True
        return False
    return test, None


def const(tree: SchemaTree, wanted: Any, node: SchemaNode) -> Any:
    """``{"const": 1}``: 1 and 1.0 pass, true does not."""
    return (lambda value: same_json(value, wanted)), None


def pattern(tree: SchemaTree, text: Any, node: SchemaNode) -> Any:
    """``{"pattern": "^a"}``: "ab" passes, "ba" does not. ECMA-262, found anywhere unless anchored."""
    from .patterns import compile_pattern
    found = compile_pattern(text)
    return (lambda value: not is_string(value) or found(value)), None


def required(tree: SchemaTree, names: Any, node: SchemaNode) -> Any:
    """``{"required": ["a"]}``: {"a": null} passes, {} does not."""
    names = tuple(names)

    def test(value: Any) -> bool:
        if is_object(value):
            for name in names:
                if name not in value:
                    return False
        return True
    return test, None


def properties(tree: SchemaTree, schemas: Any, node: SchemaNode) -> Any:
    """``{"properties": {"a": {"type": "integer"}}}``: {"a": 1} and {"b": ""} pass, {"a": ""} does not."""
    children = {name: tree.node(child) for name, child in schemas.items()}
    find = {name: child.test for name, child in children.items()}.get

    def test(value: Any) -> bool:
        if is_object(value):
            for name, item in value.items():
                judge = find(name)
                if judge is not None and not judge(item):
                    return False
        return True
    return test, children


def additional_properties(tree: SchemaTree, extra: Any, node: SchemaNode) -> Any:
    """``{"additionalProperties": false}``: {} passes, {"a": 0} does not, unless ``properties`` beside it names "a"."""
    child = tree.node(extra)
    known, judge = frozenset(node.schema.get("properties", ())), child.test

    def test(value: Any) -> bool:
        if is_object(value):
            for name, item in value.items():
                if name not in known and not judge(item):
                    return False
        return True
    return test, {None: child}


def property_names(tree: SchemaTree, names: Any, node: SchemaNode) -> Any:
    """``{"propertyNames": {"maxLength": 1}}``: {"a": 0} passes, {"ab": 0} does not."""
    child = tree.node(names)
    judge = child.test
    return (lambda value: not is_object(value) or all(map(judge, value))), {None: child}


def items(tree: SchemaTree, each: Any, node: SchemaNode) -> Any:
    """``{"items": {"type": "integer"}}``: [1, 2] and [] pass, [1, ""] does not."""
    child = tree.node(each)
    judge = child.test

    def test(value: Any) -> bool:
        if is_array(value):
            if len(value) > BIG_ARRAY:
                tree.big = True
            for item in value:
                if not judge(item):
                    return False
        return True
    return test, {None: child}


def all_of(tree: SchemaTree, schemas: Any, node: SchemaNode) -> Any:
    """``{"allOf": [{"type": "integer"}, {"minimum": 5}]}``: 6 passes, 4 does not."""
    children = [tree.node(child) for child in schemas]
    return every_test([child.test for child in children]), dict(enumerate(children))


def any_of(tree: SchemaTree, schemas: Any, node: SchemaNode) -> Any:
    """``{"anyOf": [{"type": "integer"}, {"type": "null"}]}``: 1 and null pass, "" does not."""
    children = [tree.node(child) for child in schemas]
    return any_test(tuple(child.test for child in children)), dict(enumerate(children))


def any_test(tests: Tuple[Test, ...]) -> Test:
    def test(value: Any) -> bool:
        for judge in tests:
            if judge(value):
                return True
        return False
    return test


def one_of(tree: SchemaTree, schemas: Any, node: SchemaNode) -> Any:
    """``{"oneOf": [{"type": "number"}, {"minimum": 5}]}``: 1 and "" pass, 6 does not, since both pass it."""
    children = [tree.node(child) for child in schemas]
    tests = tuple(child.test for child in children)

    def test(value: Any) -> bool:
        matched = False
        for judge in tests:
            if judge(value):
                if matched:
                    return False
                matched = True
        return matched
    return test, dict(enumerate(children))


def not_(tree: SchemaTree, forbidden: Any, node: SchemaNode) -> Any:
    """``{"not": {"type": "null"}}``: 1 passes, null does not."""
    child = tree.node(forbidden)
    judge = child.test
    return (lambda value: not judge(value)), {None: child}


def ref(tree: SchemaTree, uri: Any, node: SchemaNode) -> Any:
    """``{"$ref": "#/$defs/a"}``: judged as the schema found there. Recursion is allowed while it consumes input."""
    child = tree.node(tree.resolve(uri, None))
    return remembered(tree, child), {None: child}


# -- what a schema may write under a keyword: shape(tree, argument, trail) ------------------------------------------

def shape_any(tree: SchemaTree, value: Any, trail: Trail) -> None:
    pass


def new_shape(fits: Test, wanted: str) -> Callable[[SchemaTree, Any, Trail], None]:
    """The shape of what is right by itself."""
    def shape(tree: SchemaTree, value: Any, trail: Trail) -> None:
        if not fits(value):
            refuse_schema(trail, "must be " + wanted)
    return shape


shape_string = new_shape(is_string, "a string")
shape_boolean = new_shape(is_boolean, "true or false")
shape_array = new_shape(is_array, "an array")
shape_count = new_shape(lambda value: is_integer(value) and value >= 0, "an integer, 0 or more")


def shape_enum(tree: SchemaTree, value: Any, trail: Trail) -> None:
    shape_array(tree, value, trail)
    if len(value) > MAX_COMPARED and len(split_choices(value)[2]) > MAX_COMPARED:
        raise BeyondEveryday("enum", trail)


def shape_number(tree: SchemaTree, value: Any, trail: Trail) -> None:
    if not is_number(value):
        refuse_schema(trail, "must be a number" + ("; a bound of its own since draft-06" if is_boolean(value) else ""))


def shape_names(tree: SchemaTree, value: Any, trail: Trail) -> None:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        refuse_schema(trail, "must be an array of strings")
    if len(frozenset(value)) != len(value):
        refuse_schema(trail, "must not name a property twice")


def shape_type(tree: SchemaTree, value: Any, trail: Trail) -> None:
    if value.__class__ is str and value in TYPE_TESTS:
        return
    if not isinstance(value, list) or not value:
        refuse_schema(trail, "must be one of %s, or a non-empty array of them" % ", ".join(TYPE_TESTS))
    if not all(isinstance(name, str) and name in TYPE_TESTS for name in value):
        refuse_schema(trail, "must name types out of " + ", ".join(TYPE_TESTS))
    if len(frozenset(value)) != len(value):
        refuse_schema(trail, "must not name a type twice")


def shape_schema(tree: SchemaTree, value: Any, trail: Trail) -> None:
    tree.check(value, trail)


def shape_items(tree: SchemaTree, value: Any, trail: Trail) -> None:
    if isinstance(value, list):
        if tree.draft_07:
            raise BeyondEveryday("items", trail)
        refuse_schema(trail, "must be a schema; an array of schemas is draft-07: write prefixItems")
    tree.check(value, trail)


def shape_schema_map(tree: SchemaTree, value: Any, trail: Trail) -> None:
    if not isinstance(value, dict):
        refuse_schema(trail, "must be an object of schemas")
    for name, schema in value.items():
        if not isinstance(name, str):
            refuse_schema(trail, "must have strings as names")
        tree.check(schema, step_trail(trail, name))


def shape_schema_list(tree: SchemaTree, value: Any, trail: Trail) -> None:
    if not isinstance(value, list) or not value:
        refuse_schema(trail, "must be a non-empty array of schemas")
    for index, schema in enumerate(value):
        tree.check(schema, step_trail(trail, index))


def shape_ref(tree: SchemaTree, value: Any, trail: Trail) -> None:
    shape_string(tree, value, trail)
    try:
        from .references import step_pointer  # noqa: F401
    except ImportError:
        refuse_without("references", "$ref", trail)
    tree.refs.append((value, trail, tree.resource))


def shape_pattern(tree: SchemaTree, value: Any, trail: Trail) -> None:
    shape_string(tree, value, trail)
    try:
        from .patterns import pattern_problem
    except ImportError:
        refuse_without("patterns", "pattern", trail)
    problem = pattern_problem(value)
    if problem is not None:
        refuse_schema(trail, problem)


def shape_dialect(tree: SchemaTree, value: Any, trail: Trail) -> None:
    if trail[0] is not None:            # a schema may change dialect inside
        raise BeyondEveryday("$schema", trail)


def shape_beyond(tree: SchemaTree, value: Any, trail: Trail) -> None:
    raise BeyondEveryday(trail[1], trail)


# Cheap and telling keywords first; patterns after everything that could make them needless.
EVERYDAY: Keywords = {
    "type": (0, type_, shape_type), "const": (1, const, shape_any), "enum": (2, enum, shape_enum),
    "required": (4, required, shape_names), "properties": (5, properties, shape_schema_map),
    "additionalProperties": (6, additional_properties, shape_schema), "items": (7, items, shape_items),
    "propertyNames": (7, property_names, shape_schema), "pattern": (8, pattern, shape_pattern),
    "$ref": (9, ref, shape_ref), "allOf": (10, all_of, shape_schema_list), "anyOf": (11, any_of, shape_schema_list),
    "oneOf": (11, one_of, shape_schema_list), "not": (11, not_, shape_schema),
    "$defs": (0, None, shape_schema_map), "definitions": (0, None, shape_schema_map), "$schema": (0, None, shape_dialect),
    "title": (0, None, shape_string), "description": (0, None, shape_string), "$comment": (0, None, shape_string),
    "format": (0, None, shape_string), "contentEncoding": (0, None, shape_string),
    "contentMediaType": (0, None, shape_string), "examples": (0, None, shape_array),
    "deprecated": (0, None, shape_boolean), "readOnly": (0, None, shape_boolean), "writeOnly": (0, None, shape_boolean),
}
for _word, _row in BOUNDS.items():
    EVERYDAY[_word] = (6 if _row[0] == "object" else 3, bound(_word), shape_count if _row[2] else shape_number)
for _word in ("$id", "if", "then", "else", "contains", "uniqueItems", "multipleOf", "patternProperties", "dependencies"):
    EVERYDAY[_word] = (0, None, shape_beyond)
EVERYDAY_07: Keywords = dict(EVERYDAY, additionalItems=(0, None, shape_beyond))
for _word in ("deprecated", "$defs"):
    del EVERYDAY_07[_word]
for _word in ("$anchor", "$dynamicAnchor", "$dynamicRef", "$vocabulary", "$recursiveRef", "$recursiveAnchor", "prefixItems",
              "minContains", "maxContains", "dependentRequired", "dependentSchemas", "unevaluatedItems",
              "unevaluatedProperties", "contentSchema"):
    EVERYDAY[_word] = (0, None, shape_beyond)

EVERYDAY_DIALECTS = {DIALECT_2020_12: EVERYDAY, DIALECT_07: EVERYDAY_07}
