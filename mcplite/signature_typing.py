"""The hints that are not plain, as JSON Schema and converters: typing, enum, TypedDict, dataclass, NamedTuple.

Here: everything that signature leaves to be imported only when a program uses it. Not here: the plain cases, and the
order in which parameters are looked at (signature); names in text (signature_names); dates and the like
(signature_values).

Specification: JSON Schema 2020-12; PEP 484, 586, 589, 593, 604, 613, 655, 695. Invariants:

1. A hint becomes a pair: a schema, and a converter from a JSON value that satisfies it (None: the value stays).
2. Schemas are closed and inlined; "$defs" only for a type that contains itself.

JSON forms (content writes the same ones): Enum, Literal: the value. Dataclass, TypedDict, NamedTuple: object. list,
set, tuple, Sequence, Iterable: array. bytes: refused.
"""
from __future__ import annotations

from .signature import (
    GENERIC_ALIAS,
    HINT_ABSENT,
    NONE_CLASS,
    PLAIN_HINTS,
    ArgumentError,
    UnresolvedHint,
    clean_docstring,
    escape_pointer,
    json_to_float,
    json_to_int,
    new_dict_converter,
    new_list_converter,
    new_nullable_converter,
)
from .signature_names import (
    HintScope,
    forward_annotations,
    forward_module,
    hint_is_union,
    hint_names_context,
    hint_special,
    module_names,
    resolve_text,
    show_hint,
    text_looks_like_context,
)
from .signature_values import (
    STANDARD_CLASSES,
    json_among,
    json_default,
    json_fits,
    json_same,
    new_call_converter,
    path_converter,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from .signature import Converter, Described


# --- describing -------------------------------------------------------------------------------------------------------


def describe_parameter(scope: HintScope, name: str, hint: Any) -> Described | None:
    """The schema and converter of a parameter; None when it takes the Context."""
    scope.parameter = name
    if type(hint) is str:
        try:
            hint = resolve_text(hint, scope, scope.module)
        except UnresolvedHint:
            if text_looks_like_context(hint):
                return None
            raise
    if hint_names_context(hint):
        return None
    schema, convert = describe_hint(hint, scope, scope.module)
    return dict(schema), convert  # a default will be put in: never into a schema that is shared


def describe_result(scope: HintScope, hint: Any) -> dict[str, Any] | None:
    """The output schema of a return hint; None when it names no structure (see signature.UNSTRUCTURED)."""
    if type(hint) is str:
        if hint.rpartition(".")[2] in BLOCK_TYPE_NAMES:
            return None
        hint = resolve_text(hint, scope, scope.module)
    if hint_is_content(hint):
        return None
    if hint.__class__.__name__ == "TypeVar" or hint_special(hint) in ("Any", "NoReturn", "Never", "LiteralString"):
        return None
    schema, _ = describe_hint(hint, scope, scope.module)
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
    return schema.get("type") == "object" and ("properties" in schema or "additionalProperties" in schema
                                               or "propertyNames" in schema)


BLOCK_TYPE_NAMES = frozenset(("TextContent", "ImageContent", "AudioContent", "ResourceLink", "EmbeddedResource",
                              "ContentBlock", "CallToolResult", "ToolResult"))


def hint_is_content(hint: Any) -> bool:
    """Whether a return hint is a content block, a whole result, a list or union of these: content, not data."""
    if isinstance(hint, type) and type(hint) is not GENERIC_ALIAS:
        package = __name__.rpartition(".")[0] or __name__
        return hint.__name__ in BLOCK_TYPE_NAMES and (hint.__module__ + ".").startswith(package + ".")
    if hint.__class__.__name__ == "ForwardRef":
        return hint.__forward_arg__.rpartition(".")[2] in BLOCK_TYPE_NAMES
    if type(hint) is str:
        return hint.rpartition(".")[2] in BLOCK_TYPE_NAMES
    arguments = getattr(hint, "__args__", None) or ()
    return any(hint_is_content(item) for item in arguments)


def describe_hint(hint: Any, scope: HintScope, module: dict[str, Any]) -> Described:
    """The schema and converter of any hint. module: where the names of text inside it are looked up first."""
    if hint is None or hint is NONE_CLASS:
        return {"type": "null"}, None
    if type(hint) is str:
        return describe_hint(resolve_text(hint, scope, module), scope, module)
    if type(hint) is type and hint in PLAIN_HINTS:
        name = PLAIN_HINTS[hint]
        convert = json_to_int if name == "integer" else json_to_float if name == "number" else None
        return ({"type": name} if name else {}), convert
    if hasattr(hint, "__metadata__"):
        return describe_annotated(hint, scope, module)
    if hint_is_union(hint):
        return describe_union(hint.__args__, scope, module)
    if hasattr(hint, "__supertype__"):
        return describe_hint(hint.__supertype__, scope, module)
    origin = getattr(hint, "__origin__", None)
    if origin is not None:
        return describe_generic(hint, origin, scope, module)
    kind = hint.__class__.__name__
    if kind == "ForwardRef":
        return describe_hint(resolve_text(hint.__forward_arg__, scope, forward_module(hint, module)), scope, module)
    if kind == "TypeVar":
        return describe_typevar(hint, scope, module)
    if kind == "TypeAliasType":
        return describe_named(hint, hint.__name__, scope, lambda: describe_hint(hint.__value__, scope, module))
    special = hint_special(hint)
    if special == "Any":
        return {}, None
    if special in ("LiteralString", "Text"):
        return {"type": "string"}, None
    if special in CONTAINERS and not isinstance(hint, type):  # typing.List on some Pythons
        return describe_container(special, (), scope, module)
    if isinstance(hint, type):
        return describe_class(hint, scope, module)
    raise scope.refuse("the hint %s has no JSON form" % show_hint(hint))


def describe_annotated(hint: Any, scope: HintScope, module: dict[str, Any]) -> Described:
    schema, convert = describe_hint(hint.__origin__, scope, module)
    return add_keywords(schema, hint.__metadata__), convert


def add_keywords(schema: dict[str, Any], metadata: Any) -> dict[str, Any]:
    """What stands beside X in Annotated[X, ...]: a str is the description, a dict holds keywords; other objects are not
    ours, but for typing_extensions.Doc and those that have a `description`."""
    extra: dict[str, Any] = {}
    for item in metadata:
        if isinstance(item, str):
            extra["description"] = clean_docstring(item) or ""
        elif isinstance(item, dict):
            extra.update(item)
        else:
            words = getattr(item, "documentation", None) or getattr(item, "description", None)
            if isinstance(words, str):
                extra["description"] = words
    return dict(schema, **extra) if extra else schema


def describe_typevar(hint: Any, scope: HintScope, module: dict[str, Any]) -> Described:
    if hint in scope.typevars:
        return describe_hint(scope.typevars[hint], scope, module)
    if hint.__constraints__:
        return describe_union(hint.__constraints__, scope, module)
    if hint.__bound__ is not None:
        return describe_hint(hint.__bound__, scope, module)
    return {}, None


def describe_generic(hint: Any, origin: Any, scope: HintScope, module: dict[str, Any]) -> Described:
    special = hint_special(origin)
    arguments = tuple(getattr(hint, "__args__", None) or ())
    if special == "Literal":
        return describe_literal(hint, scope)
    if special in ("Final", "Required", "NotRequired", "ReadOnly"):
        return describe_hint(arguments[0], scope, module)
    if origin.__class__.__name__ == "TypeAliasType":
        return describe_parametrised(origin, origin.__type_params__, arguments, scope,
                                     lambda: describe_hint(origin.__value__, scope, module))
    name = getattr(origin, "__name__", None) or special
    if name in CONTAINERS and getattr(origin, "__module__", None) in CONTAINER_MODULES:
        if origin is tuple and not arguments and hasattr(hint, "__args__") and not getattr(hint, "_special", False):
            arguments = ((),)  # Tuple[()]; 3.8 writes it like this, and marks the bare Tuple as special
        return describe_container(name, arguments, scope, module)
    if isinstance(origin, type) and (hasattr(origin, "__parameters__") or hasattr(origin, "__fspath__")):
        return describe_parametrised(origin, getattr(origin, "__parameters__", ()), arguments, scope,
                                     lambda: describe_class(origin, scope, module))
    raise scope.refuse("the hint %s has no JSON form" % show_hint(hint))


def describe_parametrised(origin: Any, parameters: Any, arguments: tuple[Any, ...], scope: HintScope,
                          make: Callable[[], Described]) -> Described:
    """A generic class or alias with its type parameters filled in."""
    before = scope.typevars
    resolved = [before.get(item, item) if item.__class__.__name__ == "TypeVar" else item for item in arguments]
    scope.typevars = dict(before)
    scope.typevars.update(zip(parameters, resolved))
    try:
        return make()
    finally:
        scope.typevars = before


# How a container arrives: the class that is made of the list or dict.
CONTAINERS: dict[str, Any] = {
    "list": None, "List": None, "Sequence": None, "MutableSequence": None, "Iterable": None, "Collection": None,
    "Container": None, "Reversible": None,
    "tuple": tuple, "Tuple": tuple,
    "set": set, "Set": set, "MutableSet": set, "AbstractSet": set,
    "frozenset": frozenset, "FrozenSet": frozenset,
    "dict": None, "Dict": None, "Mapping": None, "MutableMapping": None,
}

CONTAINER_MODULES = ("builtins", "typing", "typing_extensions", "collections.abc", "collections", "_collections_abc")

MAPPINGS = ("dict", "Dict", "Mapping", "MutableMapping")


def describe_container(name: str, arguments: tuple[Any, ...], scope: HintScope, module: dict[str, Any]) -> Described:
    if name in MAPPINGS:
        return describe_mapping(arguments, scope, module)
    make = CONTAINERS[name]
    if make is tuple and arguments and not (len(arguments) == 2 and arguments[1] is Ellipsis):
        return describe_fixed_tuple(arguments, scope, module)
    schema: dict[str, Any] = {"type": "array"}
    convert = None
    if arguments and not unfilled_typevar(arguments[0], scope):
        items, convert = describe_hint(arguments[0], scope, module)
        if items:
            schema["items"] = items
    return schema, new_collection_converter(make, convert)


def unfilled_typevar(hint: Any, scope: HintScope) -> bool:
    """On 3.8 typing.List is List[T]."""
    return hint.__class__.__name__ == "TypeVar" and hint not in scope.typevars


def new_collection_converter(make: Any, convert: Converter | None) -> Converter | None:
    if make is None:
        return new_list_converter(convert)
    if convert is None:
        return make if make is tuple else new_set_converter(make)
    items = new_list_converter(convert)
    assert items is not None
    return (lambda value: tuple(items(value))) if make is tuple else new_set_converter(make, items)


def new_set_converter(make: Any, items: Converter | None = None) -> Converter:
    def convert_set(value: Any) -> Any:
        try:
            return make(value if items is None else items(value))
        except TypeError:
            raise ArgumentError("", "the items of a set must be strings, numbers, booleans or null") from None

    return convert_set


def describe_fixed_tuple(arguments: tuple[Any, ...], scope: HintScope, module: dict[str, Any]) -> Described:
    if arguments == ((),):
        arguments = ()
    parts = [describe_hint(item, scope, module) for item in arguments]
    schema: dict[str, Any] = {"type": "array"}
    schemas = [part[0] for part in parts]
    # "items": false would close it, but a draft-07 reader, which does not know prefixItems, takes that for all items.
    if schemas and all(item == schemas[0] for item in schemas):
        schema["items"] = schemas[0]
    elif schemas:
        schema["prefixItems"] = schemas
    schema["minItems"] = schema["maxItems"] = len(parts)
    converters = [part[1] for part in parts]

    def convert_tuple(values: Any) -> Any:
        made = []
        for index, (value, convert) in enumerate(zip(values, converters)):
            try:
                made.append(value if convert is None else convert(value))
            except ArgumentError as error:
                raise ArgumentError("/%d%s" % (index, error.path), error.message) from None
        return tuple(made)

    return schema, convert_tuple


def describe_mapping(arguments: tuple[Any, ...], scope: HintScope, module: dict[str, Any]) -> Described:
    schema: dict[str, Any] = {"type": "object"}
    if len(arguments) != 2 or unfilled_typevar(arguments[0], scope):
        return schema, None
    keys, convert_key = describe_hint(arguments[0], scope, module)
    values, convert = describe_hint(arguments[1], scope, module)
    if not key_is_text(keys, scope):
        raise scope.refuse("the keys of %s are not strings, and those of a JSON object are: hint dict[str, ...]"
                           % show_hint(arguments[0]))
    if "enum" in keys:
        schema["propertyNames"] = {"enum": keys["enum"]}
    if values:
        schema["additionalProperties"] = values
    if convert_key is None:
        return schema, new_dict_converter(convert)
    return schema, new_keyed_converter(convert_key, convert)


def key_is_text(keys: dict[str, Any], scope: HintScope) -> bool:
    if "enum" in keys:
        return all(isinstance(item, str) for item in keys["enum"])
    return not keys or keys.get("type") == "string" or (scope.output and keys.get("type") == "integer")


def new_keyed_converter(convert_key: Converter, convert: Converter | None) -> Converter:
    def convert_mapping(values: Any) -> Any:
        made = {}
        for name, value in values.items():
            try:
                made[convert_key(name)] = value if convert is None else convert(value)
            except ArgumentError as error:
                raise ArgumentError("/" + escape_pointer(name) + error.path, error.message) from None
        return made

    return convert_mapping


# --- unions and literals ----------------------------------------------------------------------------------------------


def describe_union(members: Any, scope: HintScope, module: dict[str, Any]) -> Described:
    flat = [describe_hint(item, scope, module) for item in flatten_union(members)]
    branches: list[Described] = []
    for schema, convert in flat:
        if all(schema != other for other, _ in branches):
            branches.append((schema, convert))
    if len(branches) == 1:
        return branches[0]
    if any(not schema for schema, _ in branches):  # Any makes the rest superfluous
        return {}, None
    enums = [schema["enum"] for schema, _ in branches if "enum" in schema and not schema.keys() - {"enum", "type"}]
    schema = {"anyOf": [branch for branch, _ in branches]}
    if len(enums) == len(branches):  # Literal and None, or several Enums: one list is easier to read
        values: list[Any] = []
        for enum in enums:
            values.extend(value for value in enum if not json_among(value, values))
        schema = new_enum_schema(values)
    return schema, new_union_converter(branches, scope)


def flatten_union(members: Any) -> Iterator[Any]:
    for item in members:
        if item is not None and hint_is_union(item):
            yield from flatten_union(item.__args__)
        else:
            yield item


def new_union_converter(branches: list[Described], scope: HintScope) -> Converter | None:
    """Convert by the first branch whose schema takes the value and whose converter does not object."""
    converters = [convert for _, convert in branches]
    if all(convert is None for convert in converters):
        return None
    classes = [schema.get("type") for schema, _ in branches]
    if "integer" in classes and "number" in classes:  # int and float: a number is what it is
        branches = [(schema, None if schema == {"type": "integer"} or schema == {"type": "number"} else convert)
                    for schema, convert in branches]
    if len(branches) == 2 and "null" in classes and {} not in [schema for schema, _ in branches]:
        return new_nullable_converter(converters[1 - classes.index("null")])
    definitions = scope.definitions

    def convert_union(value: Any) -> Any:
        problem = None
        for schema, convert in branches:
            if not json_fits(schema, value, definitions):
                continue
            if convert is None:
                return value
            try:
                return convert(value)
            except ArgumentError as error:
                problem = problem or error
        if problem is not None:
            raise problem
        return value

    return convert_union


def describe_literal(hint: Any, scope: HintScope) -> Described:
    table: list[tuple[Any, Any]] = []
    for value in flatten_literal(hint):
        shown = value.value if is_enum(type(value)) else value
        if not (shown is None or isinstance(shown, (str, int))):
            raise scope.refuse("the literal %r has no JSON form" % (value,))
        if all(not json_same(shown, other) for other, _ in table):
            table.append((shown, value))
    return new_enum_schema([shown for shown, _ in table]), new_choice_converter(table)


def flatten_literal(hint: Any) -> Iterator[Any]:
    for value in hint.__args__:
        if hint_special(getattr(value, "__origin__", None)) == "Literal":  # nested, on 3.8
            yield from flatten_literal(value)
        else:
            yield value


def new_enum_schema(values: list[Any]) -> dict[str, Any]:
    schema: dict[str, Any] = {}
    for name, kind in (("string", str), ("boolean", bool), ("integer", int)):
        if values and all(value.__class__ is kind for value in values):
            schema["type"] = name
    schema["enum"] = values
    return schema


def new_choice_converter(table: list[tuple[Any, Any]]) -> Converter | None:
    """From the JSON value of a choice to its Python value. 1, 1.0 and True are one dict key, hence the class in it."""
    if all(shown is value and shown.__class__ in (str, bool, NONE_CLASS) for shown, value in table):
        return None
    choices = {choice_key(shown): value for shown, value in table}
    return lambda value: choices.get(choice_key(value), value)


def choice_key(value: Any) -> tuple[bool, Any]:
    return value.__class__ is bool, value


# --- classes ----------------------------------------------------------------------------------------------------------


def is_enum(kind: type) -> bool:
    return any(base.__name__ == "Enum" and base.__module__ == "enum" for base in kind.__mro__)


def describe_class(hint: Any, scope: HintScope, module: dict[str, Any]) -> Described:
    if hint_names_context(hint):
        raise scope.refuse("the Context can only be a parameter of its own")
    if is_enum(hint):
        return describe_enum(hint, scope)
    if hasattr(hint, "__total__") and issubclass(hint, dict):
        return describe_named(hint, hint.__name__, scope, lambda: describe_typed_dict(hint, scope))
    if hasattr(hint, "__dataclass_fields__"):
        return describe_named(hint, hint.__name__, scope, lambda: describe_dataclass(hint, scope))
    if issubclass(hint, tuple) and hasattr(hint, "_fields"):
        return describe_named(hint, hint.__name__, scope, lambda: describe_named_tuple(hint, scope))
    for base in hint.__mro__:
        described = STANDARD_CLASSES.get((base.__module__, base.__name__))
        if described is not None:
            return described(hint, scope)
    if hasattr(hint, "__fspath__"):
        return {"type": "string"}, path_converter(hint)
    if hint.__name__ in CONTAINERS and hint.__module__ in CONTAINER_MODULES:
        return describe_container(hint.__name__, (), scope, module)
    for base in (str, int, float):
        if issubclass(hint, base):
            return {"type": PLAIN_HINTS[base]}, new_call_converter(hint)
    if issubclass(hint, (bytes, bytearray, memoryview)):
        raise scope.refuse("bytes have no JSON form: take a str that holds base64, or a Path")
    raise scope.refuse('the class "%s" has no JSON form: use a dataclass, TypedDict or NamedTuple, or give the schema '
                       "yourself (input_schema=)" % hint.__qualname__)


def describe_named(key: Any, name: str, scope: HintScope, make: Callable[[], Described]) -> Described:
    """Describe a type that may contain itself; only then it gets a place in "$defs"."""
    identity = (key, tuple(scope.typevars.items())) if scope.typevars else key
    if identity in scope.cache:
        return scope.cache[identity]
    box = scope.opened.get(identity)
    if box is not None:
        if identity not in scope.names:
            taken = scope.names.values()
            free, count = name, 1
            while free in taken:
                count += 1
                free = "%s_%d" % (name, count)
            scope.names[identity] = free
        return {"$ref": "#/$defs/" + scope.names[identity]}, new_late_converter(box)
    box = scope.opened[identity] = [None]
    try:
        schema, convert = make()
    finally:
        del scope.opened[identity]
    box[0] = convert
    if identity in scope.names:
        scope.definitions[scope.names[identity]] = schema
        schema = {"$ref": "#/$defs/" + scope.names[identity]}
    scope.cache[identity] = schema, convert
    return schema, convert


def new_late_converter(box: list[Converter | None]) -> Converter:
    """The converter of a type inside itself: it is known only when the type has been described."""

    def convert_late(value: Any) -> Any:
        convert = box[0]
        return value if convert is None else convert(value)

    return convert_late


def describe_enum(hint: Any, scope: HintScope) -> Described:
    table = []
    for member in hint:
        value = member.value
        if value is not None and value.__class__ not in (str, int, bool, float):
            raise scope.refuse("the value of %s.%s is a %s, and only strings, numbers, booleans and null have a JSON "
                               "form" % (hint.__name__, member.name, type(value).__name__))
        table.append((value, member))
    if not table:
        raise scope.refuse('the Enum "%s" has no members' % hint.__name__)
    return new_enum_schema([value for value, _ in table]), new_choice_converter(table)


class HintField:
    """One member of an object type. default: HINT_ABSENT for none."""

    __slots__ = ("convert", "name", "required", "schema")

    def __init__(self, name: str, described: Described, required: bool, default: Any = HINT_ABSENT) -> None:
        self.name = name
        self.schema, self.convert = described
        self.required = required
        if default is not HINT_ABSENT:
            self.schema = with_default(self.schema, default)


def with_default(schema: dict[str, Any], default: Any) -> dict[str, Any]:
    found = json_default(default)
    if found is HINT_ABSENT or (found is None and not json_fits(schema, None, {})):
        return schema
    return dict(schema, default=found)


def describe_field(value: Any, hint: Any, name: str, scope: HintScope, module: dict[str, Any]) -> tuple[str, Described]:
    """A field's hint: "Required", "NotRequired" or "" as it says itself, and its description."""
    qualifier = ""
    metadata: list[Any] = []
    while True:  # Required, ReadOnly and Annotated come in any order, text in any of them
        if value.__class__ is str:
            value = resolve_field(value, hint, name, scope, module)
        elif value.__class__.__name__ == "ForwardRef":
            value = resolve_field(value.__forward_arg__, hint, name, scope, forward_module(value, module))
        elif value.__class__.__name__ == "InitVar":
            value = value.type
        elif hasattr(value, "__metadata__"):
            metadata = list(value.__metadata__) + metadata
            value = value.__origin__
        else:
            special = hint_special(getattr(value, "__origin__", None))
            if special not in ("Required", "NotRequired", "ReadOnly"):
                break
            qualifier = qualifier if special == "ReadOnly" else special
            value = value.__args__[0]
    schema, convert = ({}, None) if value is HINT_ABSENT else describe_hint(value, scope, module)
    return qualifier, (add_keywords(schema, metadata), convert)


def resolve_field(text: str, hint: Any, name: str, scope: HintScope, module: dict[str, Any]) -> Any:
    try:
        return resolve_text(text, scope, module)
    except UnresolvedHint as error:
        made = UnresolvedHint('%s (field "%s" of %s)' % (error, name, hint.__qualname__))
        made.frame = scope.frame
        raise made from None


def class_hints(kind: Any) -> dict[str, Any]:
    """The hints of a class, its bases included if it is a TypedDict; text and ForwardRef unresolved."""
    try:
        found: dict[str, Any] = kind.__annotations__
    except NameError:  # 3.14
        return forward_annotations(kind)
    except AttributeError:
        return {}
    return found


def field_module(hint: Any, name: str, scope: HintScope) -> dict[str, Any]:
    """The names of the module in whose class the field is written."""
    for base in hint.__mro__:
        own = vars(base)
        # 3.14 keeps a function in the class until somebody asks for the hints.
        if name in (class_hints(base) if "__annotate_func__" in own else own.get("__annotations__", ())):
            return module_names(base.__module__, scope.module)
    return module_names(hint.__module__, scope.module)


def describe_typed_dict(hint: Any, scope: HintScope) -> Described:
    fields = []
    required = getattr(hint, "__required_keys__", None)
    module = module_names(hint.__module__, scope.module)
    for name, value in class_hints(hint).items():
        qualifier, described = describe_field(value, hint, name, scope, module)
        # __required_keys__ knows nothing of qualifiers in text, and typing of 3.8 has none.
        needed = name in required if required is not None else hint.__total__
        fields.append(HintField(name, described, qualifier == "Required" or (needed and qualifier != "NotRequired")))
    return new_object_schema(hint, fields), new_object_converter(fields, None)


def describe_dataclass(hint: Any, scope: HintScope) -> Described:
    from dataclasses import MISSING

    fields = []
    for name, field in hint.__dataclass_fields__.items():
        kind = field._field_type.name
        if kind == "_FIELD_CLASSVAR" or (kind == "_FIELD_INITVAR" if scope.output else not field.init):
            continue
        _, described = describe_field(field.type, hint, name, scope, field_module(hint, name, scope))
        given = field.default is not MISSING
        needed = scope.output or (not given and field.default_factory is MISSING)
        fields.append(HintField(name, described, needed, field.default if given and not scope.output else HINT_ABSENT))
    return new_object_schema(hint, fields), new_object_converter(fields, hint)


def describe_named_tuple(hint: Any, scope: HintScope) -> Described:
    hints: dict[str, Any] = {}
    for base in reversed(hint.__mro__[:-2]):
        hints.update(class_hints(base))
    defaults = {} if scope.output else hint._field_defaults
    fields = []
    for name in hint._fields:
        _, described = describe_field(hints.get(name, HINT_ABSENT), hint, name, scope, field_module(hint, name, scope))
        fields.append(HintField(name, described, name not in defaults, defaults.get(name, HINT_ABSENT)))
    return new_object_schema(hint, fields), new_object_converter(fields, hint)


def new_object_schema(hint: Any, fields: list[HintField]) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object"}
    doc = clean_docstring(hint.__dict__.get("__doc__"))
    if doc and not doc.startswith(hint.__name__ + "("):  # what dataclass and NamedTuple write by themselves
        schema["description"] = doc
    schema["properties"] = {field.name: field.schema for field in fields}
    required = [field.name for field in fields if field.required]
    if required:
        schema["required"] = required
    schema["additionalProperties"] = False
    return schema


def new_object_converter(fields: list[HintField], make: Any) -> Converter | None:
    """From a JSON object to a dict (make None) or to an instance of the class `make`."""
    converters = [(field.name, field.convert) for field in fields if field.convert is not None]
    if make is None and not converters:
        return None
    build = None if make is None else new_call_converter(make, True)

    def convert_object(values: Any) -> Any:
        made = dict(values)
        for name, convert in converters:
            if name in made:
                try:
                    made[name] = convert(made[name])
                except ArgumentError as error:
                    raise ArgumentError("/" + escape_pointer(name) + error.path, error.message) from None
        return made if build is None else build(made)

    return convert_object
