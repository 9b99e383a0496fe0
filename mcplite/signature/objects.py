"""Types that are objects in JSON: TypedDict, dataclass, NamedTuple; and types that contain themselves.

Here: their fields, as one table of the three, their schema and what is made of an object. Not here: what the hint of a
field is (hints).

Specification: PEP 557, 589, 655; JSON Schema 2020-12 ("$defs").
"""
from __future__ import annotations

from .names import HintScope, add_keywords, forward_annotations, forward_module, hint_special, module_names, resolve_text
from .plain import HINT_ABSENT, UnresolvedHint, clean_docstring, convert_members, new_call_converter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from .plain import Converter, Described

    HintField = tuple[str, Any, bool, Any]  # name, hint, whether it is required, default (HINT_ABSENT: none)


def describe_object(hint: Any, scope: HintScope) -> Described | None:
    """The schema and converter of an object type; None for a class that is none."""
    if hasattr(hint, "__total__") and issubclass(hint, dict):
        fields, make = typed_dict_fields, None
    elif hasattr(hint, "__dataclass_fields__"):
        fields, make = dataclass_fields, hint
    elif issubclass(hint, tuple) and hasattr(hint, "_fields"):
        fields, make = named_tuple_fields, hint
    else:
        return None
    return describe_named(hint, scope, lambda: describe_fields(hint, scope, fields(hint, scope), make))


def describe_named(key: Any, scope: HintScope, make: Callable[[], Described]) -> Described:
    """Describe a type that may contain itself; only then it gets a place in "$defs"."""
    identity = (key, tuple(scope.typevars.items())) if scope.typevars else key
    if identity in scope.cache:
        return scope.cache[identity]
    box = scope.opened.get(identity)
    if box is not None:
        if identity not in scope.names:
            free, count = key.__name__, 1
            while free in scope.names.values():
                count += 1
                free = "%s_%d" % (key.__name__, count)
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


def describe_fields(hint: Any, scope: HintScope, fields: Iterator[HintField], make: Any) -> Described:
    """make: the class of which an instance is made; None for a dict."""
    properties: dict[str, Any] = {}
    required: list[str] = []
    converters: list[tuple[str, Converter]] = []
    for name, value, needed, default in fields:
        qualifier, (schema, convert) = describe_field(value, hint, name, scope)
        if default is not HINT_ABSENT:
            from .judge import with_default

            schema = with_default(schema, default)
        properties[name] = schema
        # __required_keys__ knows nothing of qualifiers in text, and typing of 3.8 has none.
        if qualifier == "Required" or (needed and qualifier != "NotRequired"):
            required.append(name)
        if convert is not None:
            converters.append((name, convert))
    schema = {"type": "object"}
    doc = clean_docstring(hint.__dict__.get("__doc__"))
    if doc and not doc.startswith(hint.__name__ + "("):  # what dataclass and NamedTuple write by themselves
        schema["description"] = doc
    schema["properties"] = properties
    if required:
        schema["required"] = required
    schema["additionalProperties"] = False
    return schema, new_object_converter(converters, make)


def new_object_converter(converters: list[tuple[str, Converter]], make: Any) -> Converter | None:
    """From an object to a dict (make None) or to an instance of the class `make`."""
    if make is None:
        return (lambda values: convert_members(dict(values), converters)) if converters else None
    build = new_call_converter(lambda values: make(**values))
    return lambda values: build(convert_members(dict(values), converters))


def describe_field(value: Any, hint: Any, name: str, scope: HintScope) -> tuple[str, Described]:
    """A field's hint: "Required", "NotRequired" or "" as it says itself, and its description."""
    scope = scope.inner(module=field_module(hint, name, scope))
    qualifier = ""
    metadata: list[Any] = []
    while True:  # Required, ReadOnly and Annotated come in any order, text in any of them
        if value.__class__.__name__ == "ForwardRef":
            scope, value = scope.inner(module=forward_module(value, scope.module)), value.__forward_arg__
        if value.__class__ is str:
            try:
                value = resolve_text(value, scope)
            except UnresolvedHint as error:
                raise UnresolvedHint('%s (field "%s" of %s)' % (error, name, hint.__qualname__), scope.frame) from None
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
    schema, convert = ({}, None) if value is HINT_ABSENT else scope.describe(value)
    return qualifier, (add_keywords(schema, metadata), convert)


def field_module(hint: Any, name: str, scope: HintScope) -> dict[str, Any]:
    """The names of the module in whose class the field is written."""
    for base in hint.__mro__:
        own = vars(base)
        # 3.14 keeps a function in the class until somebody asks for the hints.
        if name in (class_hints(base) if "__annotate_func__" in own else own.get("__annotations__", ())):
            return module_names(base.__module__, scope.module)
    return module_names(hint.__module__, scope.module)


def class_hints(kind: Any) -> dict[str, Any]:
    """The hints of a class, its bases included if it is a TypedDict; text and ForwardRef unresolved."""
    try:
        found: dict[str, Any] = kind.__annotations__
    except NameError:  # 3.14
        return forward_annotations(kind)
    except AttributeError:
        return {}
    return found


def typed_dict_fields(hint: Any, scope: HintScope) -> Iterator[HintField]:
    hints = class_hints(hint)
    required = getattr(hint, "__required_keys__", hints if hint.__total__ else ())
    for name, value in hints.items():
        yield name, value, name in required, HINT_ABSENT


def dataclass_fields(hint: Any, scope: HintScope) -> Iterator[HintField]:
    from dataclasses import MISSING

    for name, field in hint.__dataclass_fields__.items():
        kind = field._field_type.name
        if kind == "_FIELD_CLASSVAR" or (kind == "_FIELD_INITVAR" if scope.output else not field.init):
            continue
        given = field.default is not MISSING
        needed = scope.output or (not given and field.default_factory is MISSING)
        yield name, field.type, needed, field.default if given and not scope.output else HINT_ABSENT


def named_tuple_fields(hint: Any, scope: HintScope) -> Iterator[HintField]:
    hints: dict[str, Any] = {}
    for base in reversed(hint.__mro__[:-2]):
        hints.update(class_hints(base))
    defaults = {} if scope.output else hint._field_defaults
    for name in hint._fields:
        yield name, hints.get(name, HINT_ABSENT), name not in defaults, defaults.get(name, HINT_ABSENT)
