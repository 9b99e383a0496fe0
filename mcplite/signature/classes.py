"""The classes that a hint may name: object types, scalars of the standard library, types that contain themselves.

Here: TypedDict, dataclass, NamedTuple: their fields as one table, their schema and what is made of an object; dates, UUID,
Decimal, Path: made of text. Not here: what the hint of a field is (hints), Enum (choices), writing values (content).

Specification: PEP 557, 589, 655; JSON Schema 2020-12 ("$defs"); RFC 3339. Forms (content writes the same ones): object types:
object. datetime, date, time: ISO 8601. timedelta: seconds. UUID, Path: text. Decimal: text, or a number in arguments. On
output, "format" is left out for datetime and time: TypeScript clients enforce it and want a time zone, which Python's need
not have.
"""
from __future__ import annotations

from .choices import describe_enum, is_enum
from .judge import expected_text, with_default
from .names import (
    HintScope,
    add_keywords,
    forward_annotations,
    forward_module,
    hint_names_context,
    hint_special,
    module_names,
    resolve_text,
)
from .plain import (
    HINT_ABSENT,
    PLAIN_HINTS,
    ArgumentError,
    UnresolvedHint,
    clean_docstring,
    convert_members,
    new_call_converter,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from .plain import Converter, Described

    HintField = tuple[str, Any, bool, Any]  # name, hint, whether it is required, default (HINT_ABSENT: none)


def describe_class(hint: Any, scope: HintScope) -> Described:
    if hint_names_context(hint):
        raise scope.refuse("the Context can only be a parameter of its own")
    if is_enum(hint):
        return describe_enum(hint, scope)
    described = describe_object(hint, scope) or describe_standard_class(hint, scope)
    if described is not None:
        return described
    for base in (str, int, float):
        if issubclass(hint, base):
            return {"type": PLAIN_HINTS[base]}, new_call_converter(hint)
    if issubclass(hint, (bytes, bytearray, memoryview)):
        raise scope.refuse("bytes have no JSON form: take a str that holds base64, or a Path")
    raise scope.refuse('the class "%s" has no JSON form: use a dataclass, TypedDict or NamedTuple, or give the schema '
                       "yourself (input_schema=)" % hint.__qualname__)


# --- object types ---------------------------------------------------------------------------------------------------


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


# --- scalars of the standard library ---------------------------------------------------------------------------------


def describe_standard_class(hint: Any, scope: HintScope) -> Described | None:
    """The schema and converter of a class of the standard library or derived from one; None for all else."""
    for base in hint.__mro__:
        found = STANDARD_CLASSES.get((base.__module__, base.__name__))
        if found is not None:
            make, expected, schema, output = found
            return dict(output if scope.output else schema), new_standard_converter(hint, make, expected)
    if not hasattr(hint, "__fspath__"):
        return None
    if hint.__module__ == "os":  # os.PathLike itself
        from pathlib import Path

        hint = Path
    return {"type": "string"}, new_call_converter(hint)


def new_standard_converter(hint: Any, make: Any, expected: str) -> Converter:
    def convert_standard(value: Any) -> Any:
        try:
            return make(hint, value)
        except ArgumentError:
            raise
        except (ValueError, ArithmeticError):
            raise expected_text(expected, value) from None

    return convert_standard


# What makes an instance of the class, which may be derived from the standard one, raises ValueError or ArithmeticError.


def make_datetime(hint: Any, text: str) -> Any:
    if text[10:11] not in ("T", "t", " "):
        raise ValueError
    return hint(*parse_iso_date(text[:10]), *parse_iso_time(text[11:]))


def make_timedelta(hint: Any, seconds: Any) -> Any:
    try:
        return hint(seconds=seconds)
    except OverflowError:
        raise ArgumentError("", "the number of seconds is too large") from None


def make_decimal(hint: Any, value: Any) -> Any:
    made = hint(repr(value) if value.__class__ is float else value)
    if not made.is_finite():
        raise ValueError
    return made


TEXT_SCHEMA = {"type": "string"}
DATE_SCHEMA = {"type": "string", "format": "date"}
UUID_SCHEMA = {"type": "string", "format": "uuid"}
SECONDS_SCHEMA = {"type": "number", "description": "seconds"}
# What makes it, what is expected, the schema of an argument and of a result.
STANDARD_CLASSES: dict[tuple[str, str], tuple[Callable[[Any, Any], Any], str, dict[str, Any], dict[str, Any]]] = {
    ("datetime", "datetime"): (
        make_datetime, 'a date and time as "2026-01-31T15:30:00Z"', {"type": "string", "format": "date-time"}, TEXT_SCHEMA),
    ("datetime", "date"): (
        lambda hint, text: hint(*parse_iso_date(text)), 'a date as "2026-01-31"', DATE_SCHEMA, DATE_SCHEMA),
    ("datetime", "time"): (
        lambda hint, text: hint(*parse_iso_time(text)), 'a time as "15:30:00"', {"type": "string", "format": "time"}, TEXT_SCHEMA),
    ("datetime", "timedelta"): (make_timedelta, "a number of seconds", SECONDS_SCHEMA, SECONDS_SCHEMA),
    ("uuid", "UUID"): (
        lambda hint, text: hint(text), 'a UUID as "123e4567-e89b-12d3-a456-426614174000"', UUID_SCHEMA, UUID_SCHEMA),
    ("decimal", "Decimal"): (
        make_decimal, 'a decimal number as "12.50"', {"anyOf": [{"type": "number"}, {"type": "string"}]}, TEXT_SCHEMA),
}


def check_digits(text: str) -> None:
    if not (text.isdigit() and text.isascii()):
        raise ValueError


def parse_iso_date(text: str) -> tuple[int, int, int]:
    """RFC 3339 full-date. datetime.fromisoformat takes more or less, depending on the Python."""
    check_digits(text[:4] + text[5:7] + text[8:])
    if len(text) != 10 or text[4] != "-" or text[7] != "-":
        raise ValueError
    return int(text[:4]), int(text[5:7]), int(text[8:])


def parse_iso_time(text: str) -> tuple[int, int, int, int, Any]:
    """RFC 3339 partial-time with or without seconds and offset: hour, minute, second, microsecond, time zone."""
    offset: int | None = None
    if text[-1:] in ("Z", "z"):
        text, offset = text[:-1], 0
    elif len(text) > 6 and text[-6] in "+-":
        text, sign, zone = text[:-6], text[-6], text[-5:]
        check_digits(zone[:2] + zone[3:])
        if zone[2] != ":" or int(zone[:2]) > 23 or int(zone[3:]) > 59:
            raise ValueError
        offset = (int(zone[:2]) * 60 + int(zone[3:])) * (-1 if sign == "-" else 1)
    text, dot, fraction = text.partition(".")
    parts = text.split(":")
    check_digits("".join(parts) + fraction)
    if len(parts) not in (2, 3) or any(len(part) != 2 for part in parts) or (dot and not (fraction and len(parts) == 3)):
        raise ValueError
    second = int(parts[2]) if len(parts) == 3 else 0
    return int(parts[0]), int(parts[1]), second, int((fraction + "000000")[:6]), new_timezone(offset)


def new_timezone(minutes: int | None) -> Any:
    if minutes is None:
        return None
    from datetime import timedelta, timezone

    return timezone.utc if minutes == 0 else timezone(timedelta(minutes=minutes))
