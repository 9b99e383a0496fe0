"""Where a keyword's schemas meet the value: one function per keyword that has schemas under it.

Here: the descents, written once; judging (``vocabulary``), what is left for ``unevaluated*``, and explaining (``explain``)
all walk them. Not here: the everyday keywords' own tests (``keywords``), which say the same in a faster form.

1. ``keyword(node, children)`` gives ``places(value)``, which yields ``(child, item, token, step)``: this child must accept
   this item; ``token`` is the item's name or index in the value, None where it is the value itself; ``step`` leads from the
   keyword to the child in the schema. Values it is not about yield nothing.
2. What a place with a token shows is evaluated: ``unevaluated*`` ask for nothing else (``add_evaluated``).

Pages: json-schema.org/draft/2020-12 core 10 and 11.
"""
from __future__ import annotations

from .tree import SchemaNode, is_array, is_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Iterator, Optional, Set, Tuple

    from .tree import Test

    Place = Tuple[SchemaNode, Any, Any, Any]
    Places = Callable[[Any], Iterator[Place]]


def each_place(places: Places) -> Test:
    """The test of a keyword that asks for nothing but its places."""
    def test(value: Any) -> bool:
        for child, item, _, _ in places(value):
            if not child.test(item):
                return False
        return True
    return test


# -- objects -------------------------------------------------------------------------------------------------------

def property_places(node: SchemaNode, children: Any) -> Places:
    """``properties``."""
    def places(value: Any) -> Iterator[Place]:
        if is_object(value):
            for name, child in children.items():
                if name in value:
                    yield child, value[name], name, name
    return places


def pattern_properties(node: SchemaNode, children: Any) -> Places:
    """``{"patternProperties": {"^x-": {"type": "string"}}}``: {"x-a": ""} passes, {"x-a": 1} does not."""
    from .patterns import compile_pattern
    patterns = [(compile_pattern(text), child, text) for text, child in children.items()]

    def places(value: Any) -> Iterator[Place]:
        for name in value if is_object(value) else ():
            for found, child, text in patterns:
                if found(name):
                    yield child, value[name], name, text
    return places


def additional_places(node: SchemaNode, children: Any) -> Places:
    """``additionalProperties``: every property that neither ``properties`` nor ``patternProperties`` beside it knows."""
    known, patterns = frozenset(node.schema.get("properties", ())), node.schema.get("patternProperties", ())
    if patterns:
        from .patterns import compile_pattern
        patterns = [compile_pattern(text) for text in patterns]

    def places(value: Any) -> Iterator[Place]:
        for name in value if is_object(value) else ():
            if name not in known and not any(found(name) for found in patterns):
                yield children[None], value[name], name, None
    return places


def name_places(node: SchemaNode, children: Any) -> Places:
    """``propertyNames``."""
    def places(value: Any) -> Iterator[Place]:
        for name in value if is_object(value) else ():
            yield children[None], name, None, None
    return places


def dependent_schemas(node: SchemaNode, children: Any) -> Places:
    """``{"dependentSchemas": {"a": {"minProperties": 2}}}``: {"b": 0} passes, {"a": 0} does not."""
    def places(value: Any) -> Iterator[Place]:
        for name, child in children.items() if is_object(value) else ():
            if name in value:
                yield child, value, None, name
    return places


# -- arrays --------------------------------------------------------------------------------------------------------

def prefix_items(node: SchemaNode, children: Any) -> Places:
    """``{"prefixItems": [{"type": "integer"}]}``: [1, "a"] and [] pass, ["a"] does not. So does an array in ``items`` of
    draft-07."""
    def places(value: Any) -> Iterator[Place]:
        for index, item in zip(children, value if is_array(value) else ()):
            yield children[index], item, index, index
    return places


def item_places(node: SchemaNode, children: Any) -> Places:
    """``items``, and ``additionalItems`` of draft-07: ``{"prefixItems": [true], "items": {"type": "string"}}``: [1, "a"] passes,
    [1, 2] does not."""
    if None not in children:
        return prefix_items(node, children)

    from itertools import repeat
    child, start = children[None], -1       # the other rules are made by the first call

    def places(value: Any) -> Iterator[Place]:
        nonlocal start
        if start < 0:
            start = prefix_length(node)
        if not is_array(value):
            return iter(())
        return zip(repeat(child), value[start:] if start else value, range(start, len(value)), repeat(None))
    return places


def prefix_length(node: SchemaNode) -> int:
    """How many items have a schema of their own here."""
    for _, keyword, _, _, children in node.rules:
        if keyword == "prefixItems" or keyword == "items" and None not in children:
            return len(children)
    return 0


def contained_places(node: SchemaNode, children: Any) -> Places:
    """The items that ``contains`` has found: they are evaluated."""
    def places(value: Any) -> Iterator[Place]:
        for index, item in enumerate(value if is_array(value) else ()):
            if children[None].test(item):
                yield children[None], item, index, None
    return places


# -- the same value ------------------------------------------------------------------------------------------------

def same_places(node: SchemaNode, children: Any) -> Places:
    """``allOf``, ``$ref``, ``$dynamicRef``: the schemas under them judge the same value."""
    def places(value: Any) -> Iterator[Place]:
        for step, child in children.items():
            yield child, value, None, step
    return places


def passing_places(node: SchemaNode, children: Any) -> Places:
    """``anyOf``, ``oneOf``: those that the value passes."""
    def places(value: Any) -> Iterator[Place]:
        for step, child in children.items():
            if child.test(value):
                yield child, value, None, step
    return places


def condition_places(node: SchemaNode, children: Any) -> Places:
    """``if``, with ``then`` and ``else``: the condition too where it is met, since what it has seen counts."""
    def places(value: Any) -> Iterator[Place]:
        passed = children["if"].test(value)
        if passed:
            yield children["if"], value, None, "if"
        branch = "then" if passed else "else"
        if branch in children:
            yield children[branch], value, None, branch
    return places


# -- what no other rule has seen -----------------------------------------------------------------------------------

def unevaluated_properties(node: SchemaNode, children: Any) -> Places:
    """``{"allOf": [{"properties": {"a": true}}], "unevaluatedProperties": false}``: {"a": 0} passes, {"b": 0} does not."""
    def places(value: Any) -> Iterator[Place]:
        return left_places(node, children[None], value, value if is_object(value) else ())
    return places


def unevaluated_items(node: SchemaNode, children: Any) -> Places:
    """``{"contains": {"type": "integer"}, "unevaluatedItems": false}``: [1, 2] passes, [1, ""] does not."""
    def places(value: Any) -> Iterator[Place]:
        return left_places(node, children[None], value, range(len(value) if is_array(value) else 0))
    return places


def left_places(node: SchemaNode, child: SchemaNode, value: Any, tokens: Any) -> Iterator[Place]:
    seen: Set[Any] = set()
    if tokens:
        add_evaluated(node, value, seen, {id(node)}, node)
    for token in tokens:
        if token not in seen:
            yield child, value[token], token, None


def add_evaluated(node: SchemaNode, value: Any, seen: Set[Any], visited: Set[int], origin: SchemaNode) -> None:
    """Collect the names or indexes that the rules of a node have seen in a value that passes it."""
    for _, keyword, _, _, children in node.rules:
        if keyword in ("unevaluatedProperties", "unevaluatedItems"):
            if node is not origin and is_object(value) == (keyword == "unevaluatedProperties"):
                seen.update(value if is_object(value) else range(len(value)))
            continue
        for child, item, token, _ in places_of(node, keyword, children)(value) if keyword in PLACES else ():
            if token is not None:
                seen.add(token)
            elif item is value and id(child) not in visited:
                visited.add(id(child))
                add_evaluated(child, value, seen, visited, origin)


PLACES: Dict[str, Callable[[SchemaNode, Any], Places]] = {
    "properties": property_places, "patternProperties": pattern_properties, "additionalProperties": additional_places,
    "propertyNames": name_places, "dependentSchemas": dependent_schemas, "dependencies": dependent_schemas,
    "prefixItems": prefix_items, "items": item_places, "additionalItems": item_places, "contains": contained_places,
    "allOf": same_places, "$ref": same_places, "$dynamicRef": same_places, "anyOf": passing_places, "oneOf": passing_places,
    "if": condition_places, "unevaluatedProperties": unevaluated_properties, "unevaluatedItems": unevaluated_items,
}


def places_of(node: SchemaNode, keyword: str, children: Any) -> Places:
    """The places of one rule, made once."""
    if node.places is None:
        node.places = {}
    found: Optional[Places] = node.places.get(keyword)
    if found is None:
        found = node.places[keyword] = PLACES[keyword](node, children)
    return found
