"""The hints that are not plain, as JSON Schema and converters: typing, generics, containers, classes.

Here: describe_hint, which tells what a hint is and leads to what describes it. Not here: the plain cases (plain);
names in text (names); one of several (choices); classes (classes).

Specification: JSON Schema 2020-12; PEP 484, 586, 589, 593, 604, 613, 655, 695. Schemas are closed and inlined; "$defs" only
for a type that contains itself.

JSON forms (content writes the same ones): Enum, Literal: the value. Dataclass, TypedDict, NamedTuple: object. list,
set, tuple, Sequence, Iterable: array. bytes: refused.
"""
from __future__ import annotations

from .choices import describe_literal, describe_union
from .names import (
    CONTEXT_HINT,
    HintScope,
    add_keywords,
    forward_module,
    hint_is_union,
    hint_special,
    resolve_parameter,
    resolve_text,
    show_hint,
)
from .plain import (
    GENERIC_ALIAS,
    NONE_CLASS,
    PACKAGE_NAME,
    PLAIN_HINTS,
    ArgumentError,
    describe_dict,
    describe_json_class,
    describe_list,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .plain import Converter, Described, SignatureTarget


def describe_unplain(target: SignatureTarget, name: str, hint: Any) -> Described | None:
    """The schema and converter of a parameter; None when it takes the Context."""
    scope: HintScope = target.scope or HintScope(target, describe_hint)
    target.scope, scope.parameter = scope, name
    hint = resolve_parameter(hint, scope)
    if hint is CONTEXT_HINT:
        return None
    schema, convert = describe_hint(hint, scope)
    return dict(schema), convert  # a default will be put in: never into a schema that is shared


def describe_result(target: SignatureTarget, hint: Any) -> dict[str, Any] | None:
    """The output schema of a return hint; None when it names no structure (see parameters.UNSTRUCTURED)."""
    if hint_is_content(hint):
        return None
    scope = HintScope(target, describe_hint, output=True)
    if type(hint) is str:
        hint = resolve_text(hint, scope)
    if (hint_is_content(hint) or hint.__class__.__name__ == "TypeVar"
            or hint_special(hint) in ("Any", "NoReturn", "Never", "LiteralString")):
        return None
    schema, _ = describe_hint(hint, scope)
    if not schema_is_structured(schema, scope.definitions):
        return None
    if "$ref" in schema:  # the root itself recurs: the root is inlined, for hosts that look for its "type"
        schema = scope.definitions[schema["$ref"][8:]]
    schema = dict(schema)
    if "anyOf" in schema and all(item.get("type") == "object" for item in schema["anyOf"]):
        schema = dict({"type": "object"}, **schema)
    if scope.definitions:
        schema["$defs"] = scope.definitions
    return schema


def schema_is_structured(schema: dict[str, Any], definitions: dict[str, Any]) -> bool:
    if "$ref" in schema:
        schema = definitions[schema["$ref"][8:]]
    if "anyOf" in schema:  # a union with null has no form that every client takes
        return all(schema_is_structured(item, definitions) for item in schema["anyOf"])
    if schema.get("type") == "array":
        items = schema.get("items")
        return "prefixItems" in schema or bool(items and items != {"type": "object"})
    return schema.get("type") == "object" and not schema.keys().isdisjoint(
        ("properties", "additionalProperties", "propertyNames"))


BLOCK_TYPE_NAMES = frozenset(("TextContent", "ImageContent", "AudioContent", "ResourceLink", "EmbeddedResource",
                              "ContentBlock", "CallToolResult", "ToolResult"))


def hint_is_content(hint: Any) -> bool:
    """Whether a return hint is a content block, a whole result, a list or union of these: content, not data."""
    if isinstance(hint, type) and type(hint) is not GENERIC_ALIAS:
        return hint.__name__ in BLOCK_TYPE_NAMES and (hint.__module__ + ".").startswith(PACKAGE_NAME + ".")
    text = hint if type(hint) is str else getattr(hint, "__forward_arg__", "")
    if text:
        return text.rpartition(".")[2] in BLOCK_TYPE_NAMES
    return any(hint_is_content(item) for item in getattr(hint, "__args__", None) or ())


def describe_hint(hint: Any, scope: HintScope) -> Described:
    """The schema and converter of any hint."""
    if hint is None or hint is NONE_CLASS:
        return {"type": "null"}, None
    if type(hint) is str:
        return describe_hint(resolve_text(hint, scope), scope)
    if type(hint) is type and hint in PLAIN_HINTS:
        return describe_json_class(hint)
    if hasattr(hint, "__metadata__"):
        schema, convert = describe_hint(hint.__origin__, scope)
        return add_keywords(schema, hint.__metadata__), convert
    if hint_is_union(hint):
        return describe_union(hint.__args__, scope)
    if hasattr(hint, "__supertype__"):
        return describe_hint(hint.__supertype__, scope)
    origin = getattr(hint, "__origin__", None)
    if origin is not None:
        return describe_generic(hint, origin, scope)
    kind = hint.__class__.__name__
    if kind == "ForwardRef":
        return describe_hint(hint.__forward_arg__, scope.inner(module=forward_module(hint, scope.module)))
    if kind == "TypeVar":
        return describe_typevar(hint, scope)
    if kind == "TypeAliasType":
        from .classes import describe_named

        return describe_named(hint, scope, lambda: describe_hint(hint.__value__, scope))
    special = hint_special(hint)
    if special == "Any":
        return {}, None
    if special in ("LiteralString", "Text"):
        return {"type": "string"}, None
    name = special or getattr(hint, "__name__", "")
    if name in CONTAINERS and hint.__module__ in CONTAINER_MODULES:
        return describe_container(name, (), scope)
    if isinstance(hint, type):
        from .classes import describe_class

        return describe_class(hint, scope)
    raise scope.refuse("the hint %s has no JSON form" % show_hint(hint))


def describe_typevar(hint: Any, scope: HintScope) -> Described:
    if hint in scope.typevars:
        return describe_hint(scope.typevars[hint], scope)
    if hint.__constraints__:
        return describe_union(hint.__constraints__, scope)
    if hint.__bound__ is not None:
        return describe_hint(hint.__bound__, scope)
    return {}, None


def describe_generic(hint: Any, origin: Any, scope: HintScope) -> Described:
    special = hint_special(origin)
    arguments = tuple(getattr(hint, "__args__", None) or ())
    if special == "Literal":
        return describe_literal(hint, scope)
    if special in ("Final", "Required", "NotRequired", "ReadOnly"):
        return describe_hint(arguments[0], scope)
    if origin.__class__.__name__ == "TypeAliasType":
        return describe_hint(origin.__value__, fill_typevars(scope, origin.__type_params__, arguments))
    name = getattr(origin, "__name__", None) or special
    if name in CONTAINERS and getattr(origin, "__module__", None) in CONTAINER_MODULES:
        if origin is tuple and not arguments and hasattr(hint, "__args__") and not getattr(hint, "_special", False):
            arguments = ((),)  # Tuple[()]; 3.8 writes it like this, and marks the bare Tuple as special
        return describe_container(name, arguments, scope)
    if isinstance(origin, type) and (hasattr(origin, "__parameters__") or hasattr(origin, "__fspath__")):
        from .classes import describe_class

        return describe_class(origin, fill_typevars(scope, getattr(origin, "__parameters__", ()), arguments))
    raise scope.refuse("the hint %s has no JSON form" % show_hint(hint))


def fill_typevars(scope: HintScope, parameters: Any, arguments: tuple[Any, ...]) -> HintScope:
    """The scope inside a generic class or alias, with its type parameters filled in."""
    known = scope.typevars
    given = [known.get(item, item) if item.__class__.__name__ == "TypeVar" else item for item in arguments]
    return scope.inner(typevars={**known, **dict(zip(parameters, given))})


# --- containers -------------------------------------------------------------------------------------------------------

# The class that is made of the array, None for a list; "dict": an object.
CONTAINERS: dict[str, Any] = {
    "list": None, "List": None, "Sequence": None, "MutableSequence": None, "Iterable": None, "Collection": None,
    "Container": None, "Reversible": None,
    "tuple": tuple, "Tuple": tuple,
    "set": set, "Set": set, "MutableSet": set, "AbstractSet": set,
    "frozenset": frozenset, "FrozenSet": frozenset,
    "dict": dict, "Dict": dict, "Mapping": dict, "MutableMapping": dict,
}
CONTAINER_MODULES = ("builtins", "typing", "typing_extensions", "collections.abc", "collections", "_collections_abc")


def describe_container(name: str, arguments: tuple[Any, ...], scope: HintScope) -> Described:
    make = CONTAINERS[name]
    # On 3.8 typing.List is List[T].
    bare = not arguments or (arguments[0].__class__.__name__ == "TypeVar" and arguments[0] not in scope.typevars)
    if make is dict:
        return ({"type": "object"}, None) if bare or len(arguments) != 2 else describe_mapping(*arguments, scope)
    if make is tuple and arguments and not (len(arguments) == 2 and arguments[1] is Ellipsis):
        return describe_fixed_tuple(() if arguments == ((),) else arguments, scope)
    schema, convert = describe_list(({}, None) if bare else describe_hint(arguments[0], scope))
    return schema, convert if make is None else new_collection_converter(make, convert)


def new_collection_converter(make: Any, convert: Converter | None) -> Converter:
    """From an array to a tuple or set. convert: what makes a list of it first."""

    def convert_collection(values: Any) -> Any:
        try:
            return make(values if convert is None else convert(values))
        except TypeError:
            raise ArgumentError("", "the items of a set must be strings, numbers, booleans or null") from None

    return convert_collection


def describe_fixed_tuple(arguments: tuple[Any, ...], scope: HintScope) -> Described:
    parts = [describe_hint(item, scope) for item in arguments]
    schema: dict[str, Any] = {"type": "array"}
    schemas = [part for part, _ in parts]
    # "items": false would close it, but a draft-07 reader, which does not know prefixItems, takes that for all items.
    if schemas and all(item == schemas[0] for item in schemas):
        schema["items"] = schemas[0]
    elif schemas:
        schema["prefixItems"] = schemas
    schema["minItems"] = schema["maxItems"] = len(parts)

    def convert_tuple(values: Any) -> Any:
        made: list[Any] = []
        try:
            for value, (_, convert) in zip(values, parts):
                made.append(value if convert is None else convert(value))
        except ArgumentError as error:
            raise error.under(str(len(made))) from None
        return tuple(made)

    return schema, convert_tuple


def describe_mapping(key: Any, value: Any, scope: HintScope) -> Described:
    keys, convert_key = describe_hint(key, scope)
    schema, convert = describe_dict(describe_hint(value, scope))
    if not key_is_text(keys, scope):
        raise scope.refuse("the keys of %s are not strings, and those of a JSON object are: hint dict[str, ...]"
                           % show_hint(key))
    if "enum" in keys:
        schema = dict({"type": "object", "propertyNames": {"enum": keys["enum"]}}, **schema)
    return schema, convert if convert_key is None else new_key_converter(convert_key, convert)


def key_is_text(keys: dict[str, Any], scope: HintScope) -> bool:
    if "enum" in keys:
        return all(isinstance(item, str) for item in keys["enum"])
    return not keys or keys.get("type") == "string" or (scope.output and keys.get("type") == "integer")


def new_key_converter(convert_key: Converter, convert: Converter | None) -> Converter:
    """convert: what makes a dict of the object, its values converted."""

    def convert_keys(values: Any) -> Any:
        made = {}
        name = ""
        values = values if convert is None else convert(values)
        try:
            for name, value in values.items():
                made[convert_key(name)] = value
        except ArgumentError as error:
            raise error.under(name) from None
        return made

    return convert_keys
