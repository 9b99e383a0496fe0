"""The keywords beyond the everyday: the rest of 2020-12, and draft-07.

Here: their rules and shapes, as in ``keywords``, and the table of each dialect. Most of them ask for nothing but their
places: what they mean is there, in ``places``. Not here: what makes several documents one schema (``documents``).

Pages: json-schema.org/draft/2020-12 core 8-11, validation 6; draft-07.
"""
from __future__ import annotations

from .keywords import (
    EVERYDAY,
    EVERYDAY_07,
    MAX_COMPARED,
    additional_properties,
    enum,
    items,
    new_shape,
    shape_array,
    shape_boolean,
    shape_count,
    shape_items,
    shape_names,
    shape_pattern,
    shape_ref,
    shape_schema,
    shape_schema_list,
    shape_schema_map,
    shape_string,
)
from .places import each_place, places_of
from .tree import (
    every_test,
    is_array,
    is_boolean,
    is_integer,
    is_number,
    is_object,
    refuse_schema,
    refuse_without,
    remembered,
    step_trail,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Tuple

    from .tree import Keywords, SchemaNode, Trail


# -- values --------------------------------------------------------------------------------------------------------

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


# -- keywords ------------------------------------------------------------------------------------------------------

def multiple_of(tree: Any, of: Any, node: SchemaNode) -> Any:
    """``{"multipleOf": 0.01}``: 19.99 passes, 0.001 does not."""
    return (lambda value: not is_number(value) or is_multiple(value, of)), None


def unique_items(tree: Any, wanted: Any, node: SchemaNode) -> Any:
    """``{"uniqueItems": true}``: [1, true] passes, [1, 1.0] does not."""
    def test(value: Any) -> bool:
        if not is_array(value) or len(value) < 2:
            return True
        return len(frozenset(map(canonical_text, value))) == len(value)
    return (test, None) if wanted else None


def enum_of_many(tree: Any, values: Any, node: SchemaNode) -> Any:
    """An enum of many arrays, objects or huge numbers: looked up by text, not compared one by one."""
    if len(values) <= MAX_COMPARED:
        return enum(tree, values, node)
    texts = frozenset(map(canonical_text, values))
    return (lambda value: canonical_text(value) in texts), None


def dependent_required(tree: Any, dependents: Any, node: SchemaNode) -> Any:
    """``{"dependentRequired": {"a": ["b"]}}``: {"a": 0, "b": 0} and {} pass, {"a": 0} does not."""
    return (lambda value: not is_object(value) or all(
        other in value for name, names in dependents.items() if name in value for other in names)), None


def format_(tree: Any, name: Any, node: SchemaNode) -> Any:
    """``{"format": "date"}``: "2024-02-29" passes, "2023-02-29" does not. Only with ``formats=True``, or where the
    format-assertion vocabulary is in force."""
    if not tree.formats and not tree.resource.dialect.formats:
        return None
    from .formats import FORMATS
    judge = FORMATS[name]
    return (lambda value: not isinstance(value, str) or judge(value)), None


def contains(tree: Any, wanted: Any, node: SchemaNode) -> Any:
    """``{"contains": {"type": "integer"}}``: ["a", 1] passes, ["a"] does not. Counted if minContains or maxContains
    stand beside it: with ``"maxContains": 1``, [1, 2] does not pass."""
    child = tree.node(wanted)
    judge, counted = child.test, "minContains" in tree.keywords
    low = node.schema.get("minContains", 1) if counted else 1
    high = node.schema.get("maxContains") if counted else None

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
    return test, {None: child}


def if_(tree: Any, condition: Any, node: SchemaNode) -> Any:
    """``{"if": {"type": "integer"}, "then": {"minimum": 5}}``: 6 and "" pass, 4 does not. ``else`` is for the rest."""
    children = {name: tree.node(node.schema[name]) for name in ("if", "then", "else") if name in node.schema}
    judge, others = children["if"].test, {name == "then": child.test for name, child in children.items() if name != "if"}

    def test(value: Any) -> bool:
        branch = others.get(judge(value))
        return branch is None or branch(value)
    return test, children


def dynamic_ref(tree: Any, uri: Any, node: SchemaNode) -> Any:
    """``{"$dynamicRef": "#node"}``: as ``$ref``, but the outermost schema with the same ``$dynamicAnchor`` takes its place."""
    child = tree.node(tree.resolve_dynamic(uri))
    return remembered(tree, child), {None: child}


# What asks for nothing but its places, by the form of its argument

def by_places(keyword: str) -> Any:
    def rule(tree: Any, argument: Any, node: SchemaNode) -> Any:
        children: Dict[Any, SchemaNode]
        if isinstance(argument, list):
            children = {index: tree.node(child) for index, child in enumerate(argument)}
        elif keyword in ("patternProperties", "dependentSchemas", "dependencies"):
            children = {name: tree.node(child) for name, child in argument.items() if not isinstance(child, list)}
        else:
            children = {None: tree.node(argument)}
        return each_place(places_of(node, keyword, children)), children
    return rule


each_additional, each_item, each_dependent = by_places("additionalProperties"), by_places("items"), by_places("dependencies")


def additional_to_patterns(tree: Any, extra: Any, node: SchemaNode) -> Any:
    return (each_additional if "patternProperties" in node.schema else additional_properties)(tree, extra, node)


def items_anywhere(tree: Any, each: Any, node: SchemaNode) -> Any:
    """2020-12: the items after those of ``prefixItems``. draft-07: also one schema for each place."""
    return (each_item if isinstance(each, list) or "prefixItems" in node.schema else items)(tree, each, node)


def additional_items(tree: Any, each: Any, node: SchemaNode) -> Any:
    """draft-07: ``{"items": [true], "additionalItems": false}``: [1] passes, [1, 2] does not; means nothing without an
    array in ``items``."""
    return by_places("additionalItems")(tree, each, node) if isinstance(node.schema.get("items"), list) else None


def dependencies(tree: Any, dependents: Any, node: SchemaNode) -> Any:
    """draft-07: ``{"dependencies": {"a": ["b"], "c": {"minProperties": 2}}}``: {"b": 0} passes, {"a": 0} and {"c": 0} do not.
    ``dependentRequired`` and ``dependentSchemas`` in one, told apart by the form."""
    names = {name: needed for name, needed in dependents.items() if isinstance(needed, list)}
    judge_schemas, children = each_dependent(tree, dependents, node)
    return every_test([dependent_required(tree, names, node)[0], judge_schemas]), children


# -- shapes --------------------------------------------------------------------------------------------------------

shape_factor = new_shape(lambda value: is_number(value) and value > 0, "a number above 0")
shape_vocabulary = new_shape(lambda value: is_object(value) and all(
    isinstance(uri, str) and is_boolean(value[uri]) for uri in value), "an object of URIs and booleans")


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
        shape_pattern(tree, text, step_trail(trail, text))


def shape_items_07(tree: Any, value: Any, trail: Trail) -> None:
    (shape_schema_list if isinstance(value, list) else shape_schema)(tree, value, trail)


def shape_foreign(tree: Any, value: Any, trail: Trail) -> None:
    refuse_schema(trail, "is a keyword of 2019-09; in 2020-12 write $dynamicRef and $dynamicAnchor")


def shape_format(tree: Any, value: Any, trail: Trail) -> None:
    shape_string(tree, value, trail)
    if tree.formats or tree.resource.dialect.formats:
        try:
            from .formats import FORMATS
        except ImportError:
            refuse_without("formats", "format", trail)
        if value not in FORMATS:
            refuse_schema(trail, "the format %s cannot be asserted; known: %s" % (value, ", ".join(sorted(FORMATS))))


WHOLE: Keywords = dict(EVERYDAY, **{
    "enum": (2, enum_of_many, shape_array), "multipleOf": (3, multiple_of, shape_factor),
    "dependentRequired": (6, dependent_required, shape_dependents),
    "additionalProperties": (6, additional_to_patterns, shape_schema),
    "prefixItems": (7, by_places("prefixItems"), shape_schema_list), "items": (7, items_anywhere, shape_items),
    "patternProperties": (8, by_places("patternProperties"), shape_patterns), "format": (8, format_, shape_format),
    "uniqueItems": (9, unique_items, shape_boolean), "contains": (9, contains, shape_schema),
    "minContains": (0, None, shape_count), "maxContains": (0, None, shape_count),
    "$dynamicRef": (9, dynamic_ref, shape_ref),
    "dependentSchemas": (10, by_places("dependentSchemas"), shape_schema_map),
    "dependencies": (10, dependencies, shape_dependencies),
    "if": (11, if_, shape_schema), "then": (0, None, shape_schema), "else": (0, None, shape_schema),
    "unevaluatedProperties": (12, by_places("unevaluatedProperties"), shape_schema),
    "unevaluatedItems": (12, by_places("unevaluatedItems"), shape_schema),
    "contentSchema": (0, None, shape_schema), "$id": (0, None, shape_string), "$schema": (0, None, shape_string),
    "$anchor": (0, None, shape_string), "$dynamicAnchor": (0, None, shape_string),
    "$vocabulary": (0, None, shape_vocabulary), "$recursiveRef": (0, None, shape_foreign),
    "$recursiveAnchor": (0, None, shape_foreign),
})
WHOLE_07: Keywords = {name: WHOLE[name] for name in EVERYDAY_07 if name in WHOLE}
WHOLE_07.update(items=(7, items_anywhere, shape_items_07), additionalItems=(7, additional_items, shape_schema))

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
