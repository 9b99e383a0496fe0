"""Values of signatures: classes of the standard library, defaults, and the strings that prompts get.

Here: what stands between a JSON value, or a text, and the Python value of a hint. Not here: what a hint is
(signature_typing), judging arguments by a schema from outside (schema).

Specification: RFC 3339; server/prompts ("Getting a Prompt"). Forms (content writes the same ones): datetime, date,
time: ISO 8601. timedelta: seconds. UUID, Path: text. Decimal: text, or a number in arguments. On output, "format" is
left out for datetime and time: TypeScript clients enforce it and want a time zone, which Python's need not have.
"""
from __future__ import annotations

from .errors import RegistrationError
from .signature import HINT_ABSENT, NONE_CLASS, ArgumentError, SignatureTarget, new_list_converter
from .signature_names import show_hint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from .signature import Converter, Described
    from .signature_names import HintScope


# --- classes of the standard library ----------------------------------------------------------------------------------


def describe_datetime(hint: Any, scope: HintScope) -> Described:
    def convert_datetime(value: Any) -> Any:
        date, time = parse_iso_date(value[:10]), parse_iso_time(value[11:])
        if date is None or time is None or value[10:11] not in ("T", "t", " "):
            raise expected_text('a date and time as "2026-01-31T15:30:00Z"', value)
        return call_or_expect(lambda: hint(*date, *time[:4], tzinfo=new_timezone(time[4])),
                              'a date and time as "2026-01-31T15:30:00Z"', value)

    return ({"type": "string"} if scope.output else {"type": "string", "format": "date-time"}), convert_datetime


def describe_date(hint: Any, scope: HintScope) -> Described:
    def convert_date(value: Any) -> Any:
        date = parse_iso_date(value)
        if date is None:
            raise expected_text('a date as "2026-01-31"', value)
        return call_or_expect(lambda: hint(*date), 'a date as "2026-01-31"', value)

    return {"type": "string", "format": "date"}, convert_date


def describe_time(hint: Any, scope: HintScope) -> Described:
    def convert_time(value: Any) -> Any:
        time = parse_iso_time(value)
        if time is None:
            raise expected_text('a time as "15:30:00"', value)
        return call_or_expect(lambda: hint(*time[:4], tzinfo=new_timezone(time[4])), 'a time as "15:30:00"', value)

    return ({"type": "string"} if scope.output else {"type": "string", "format": "time"}), convert_time


def describe_timedelta(hint: Any, scope: HintScope) -> Described:
    def convert_timedelta(value: Any) -> Any:
        try:
            return hint(seconds=value)
        except OverflowError:
            raise ArgumentError("", "the number of seconds is too large") from None

    return {"type": "number", "description": "seconds"}, convert_timedelta


def describe_uuid(hint: Any, scope: HintScope) -> Described:
    def convert_uuid(value: Any) -> Any:
        return call_or_expect(lambda: hint(value), 'a UUID as "123e4567-e89b-12d3-a456-426614174000"', value)

    return {"type": "string", "format": "uuid"}, convert_uuid


def describe_decimal(hint: Any, scope: HintScope) -> Described:
    def convert_decimal(value: Any) -> Any:
        try:
            made = hint(repr(value) if value.__class__ is float else value)
            finite = made.is_finite()
        except ArithmeticError:
            finite = False
        if not finite:
            raise expected_text('a decimal number as "12.50"', value)
        return made

    if scope.output:
        return {"type": "string"}, convert_decimal
    return {"anyOf": [{"type": "number"}, {"type": "string"}]}, convert_decimal


STANDARD_CLASSES: dict[tuple[str, str], Callable[[Any, HintScope], Described]] = {
    ("datetime", "datetime"): describe_datetime,
    ("datetime", "date"): describe_date,
    ("datetime", "time"): describe_time,
    ("datetime", "timedelta"): describe_timedelta,
    ("uuid", "UUID"): describe_uuid,
    ("decimal", "Decimal"): describe_decimal,
}


def path_converter(hint: Any) -> Converter:
    if hint.__module__ == "os":  # os.PathLike itself
        from pathlib import Path

        hint = Path
    return new_call_converter(hint)


def new_call_converter(make: Any, keywords: bool = False) -> Converter:
    """Call a class; what it objects to (`__post_init__`, `__new__`) is an error of the argument."""

    def convert_call(value: Any) -> Any:
        try:
            return make(**value) if keywords else make(value)
        except (ValueError, TypeError) as error:
            raise ArgumentError("", str(error).split("\n")[0] or type(error).__name__) from None

    return convert_call


def call_or_expect(make: Callable[[], Any], expected: str, value: Any) -> Any:
    try:
        return make()
    except (ValueError, OverflowError):
        raise expected_text(expected, value) from None


def expected_text(expected: str, value: Any) -> ArgumentError:
    return ArgumentError("", "expected %s, got %s" % (expected, show_json(value)))


def show_json(value: Any) -> str:
    """A value in an error: its JSON, cut at 60 characters."""
    from .content import readable_json

    shown = readable_json(value)
    return shown if len(shown) <= 60 else shown[:57] + "..."


def ascii_digits(text: str) -> bool:
    return text.isdigit() and text.isascii()


def parse_iso_date(text: str) -> tuple[int, int, int] | None:
    """RFC 3339 full-date. datetime.fromisoformat takes more or less, depending on the Python."""
    if len(text) != 10 or text[4] != "-" or text[7] != "-" or not ascii_digits(text[:4] + text[5:7] + text[8:]):
        return None
    return int(text[:4]), int(text[5:7]), int(text[8:])


def parse_iso_time(text: str) -> tuple[int, int, int, int, int | None] | None:
    """RFC 3339 partial-time with or without seconds and offset: hour, minute, second, microsecond, offset in
    minutes."""
    offset: int | None = None
    if text[-1:] in ("Z", "z"):
        text, offset = text[:-1], 0
    elif len(text) > 6 and text[-6] in "+-":
        zone = text[-5:]
        if zone[2] != ":" or not ascii_digits(zone[:2] + zone[3:]) or int(zone[:2]) > 23 or int(zone[3:]) > 59:
            return None
        offset = (int(zone[:2]) * 60 + int(zone[3:])) * (-1 if text[-6] == "-" else 1)
        text = text[:-6]
    text, dot, fraction = text.partition(".")
    parts = text.split(":")
    if len(parts) not in (2, 3) or not all(len(part) == 2 and ascii_digits(part) for part in parts):
        return None
    if dot and not (len(parts) == 3 and ascii_digits(fraction)):
        return None
    second = int(parts[2]) if len(parts) == 3 else 0
    return int(parts[0]), int(parts[1]), second, int((fraction + "000000")[:6]), offset


def new_timezone(minutes: int | None) -> Any:
    if minutes is None:
        return None
    from datetime import timedelta, timezone

    return timezone.utc if minutes == 0 else timezone(timedelta(minutes=minutes))


# --- a short judge ----------------------------------------------------------------------------------------------------


def json_same(one: Any, other: Any) -> bool:
    """JSON equality of scalars: true is not 1."""
    return (one.__class__ is bool) == (other.__class__ is bool) and bool(one == other)


def json_among(value: Any, values: list[Any]) -> bool:
    return any(json_same(value, item) for item in values)


JSON_TYPE_CLASSES: dict[str, tuple[type, ...]] = {
    "string": (str,), "number": (int, float), "boolean": (bool,), "null": (NONE_CLASS,), "object": (dict,),
    "array": (list,)}


def json_has_type(name: str, value: Any) -> bool:
    if name == "integer":
        return value.__class__ is int or (value.__class__ is float and value.is_integer())
    return value.__class__ in JSON_TYPE_CLASSES.get(name, ())


def json_fits(schema: Any, value: Any, definitions: dict[str, Any]) -> bool:
    """Whether a JSON value satisfies a schema that was generated here, as far as types and shapes go: enough to choose
    the branch of a union. (Keywords from Annotated are the validator's.)"""
    if schema is True or schema is False:
        return bool(schema)
    if "$ref" in schema and not json_fits(definitions.get(schema["$ref"][8:], {}), value, definitions):
        return False
    if "anyOf" in schema and not any(json_fits(branch, value, definitions) for branch in schema["anyOf"]):
        return False
    if "enum" in schema and not json_among(value, schema["enum"]):
        return False
    name = schema.get("type")
    if name is not None and not (json_has_type(name, value) if isinstance(name, str)
                                 else any(json_has_type(item, value) for item in name)):
        return False
    if value.__class__ is list:
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            return False
        parts = schema.get("prefixItems") or [schema.get("items", {})] * len(value)
        return all(json_fits(part, item, definitions) for part, item in zip(parts, value))
    if value.__class__ is dict:
        properties, rest = schema.get("properties", {}), schema.get("additionalProperties", True)
        names = schema.get("propertyNames", {}).get("enum")
        return (all(key in value for key in schema.get("required", ()))
                and (names is None or all(key in names for key in value))
                and all(json_fits(properties.get(key, rest), item, definitions) for key, item in value.items()))
    return True


# --- defaults ---------------------------------------------------------------------------------------------------------


def json_default(default: Any) -> Any:
    """A default as JSON, HINT_ABSENT when it has no JSON form (an object that stands for "not given")."""
    from .codec import decode_text, encode
    from .content import ContentError, jsonable

    try:
        found = jsonable(default)
    except ContentError:
        return HINT_ABSENT
    # A copy: the function may change its own default, but not what is published.
    return decode_text(encode(found)) if found.__class__ in (list, dict) else found


def check_default(schema: dict[str, Any], convert: Converter | None, default: Any, hint: Any, scope: HintScope | None,
                  target: SignatureTarget, name: str) -> None:
    """Publish the default of a parameter, or refuse it: it must fit the schema, and be what the converter would
    make."""
    found = json_default(default)
    if found is HINT_ABSENT:
        return
    fits = json_fits(schema, found, scope.definitions if scope is not None else {})
    if fits and convert is not None:
        try:
            made = convert(found)
        except ArgumentError:
            fits = False
        else:
            fits = type(made) in EXACT_CLASSES or isinstance(default, type(made))
    if not fits:
        shown = hint if type(hint) is str else show_hint(hint)
        raise RegistrationError('%s, parameter "%s": its default %r does not fit its hint %s'
                                % (target.label, name, default, shown))
    schema["default"] = found


EXACT_CLASSES = (str, int, float, bool, NONE_CLASS, list, tuple, dict, set, frozenset)


# --- strings as arguments: prompts and resources ----------------------------------------------------------------------

WRITTEN_HERE = frozenset((
    "type", "enum", "anyOf", "items", "prefixItems", "minItems", "maxItems", "properties", "required",
    "additionalProperties", "propertyNames", "format", "description", "default", "title"))


def new_text_converter(schema: dict[str, Any], convert: Converter | None, scope: HintScope | None,
                       optional: bool) -> Converter:
    """From the string that a host sends for a prompt's argument (a list of them for `{x*}` of a resource) to the value
    that the hint names. An empty string for an optional argument that is no string is what hosts send for "not filled
    in": it counts as absent (HINT_ABSENT comes back)."""
    definitions = scope.definitions if scope is not None else {}
    judge: list[Any] = []

    def convert_found(found: Any) -> Any:
        if not judge:
            judge.append(None if schema_is_simple(schema) else new_judge(schema, definitions))
        if judge[0] is not None:
            for problem in judge[0].problems(found):
                raise ArgumentError(problem["path"], problem["message"])
        return found if convert is None else convert(found)

    def convert_text(value: Any) -> Any:
        if value.__class__ is not str:
            return convert_found(texts_to_array(schema, value, scope))
        problem = None
        for found in text_candidates(schema, value, definitions):
            if json_fits(schema, found, definitions):
                try:
                    return convert_found(found)
                except ArgumentError as error:
                    problem = problem or error
        if not value and optional:
            return HINT_ABSENT
        raise problem or expected_text(" or ".join(expected_kinds(schema, definitions)), value)

    return convert_text


def texts_to_array(schema: dict[str, Any], texts: list[str], scope: HintScope | None) -> Any:
    """The list of strings of an exploded variable, as the array that its hint wants."""
    definitions = scope.definitions if scope is not None else {}
    if json_fits(schema, texts, definitions):
        return texts
    if schema.get("type") != "array" or "items" not in schema:
        raise expected_text(" or ".join(expected_kinds(schema, definitions)), texts)
    items = new_list_converter(new_text_converter(schema["items"], None, scope, False))
    assert items is not None
    return items(texts)


def schema_is_simple(schema: Any) -> bool:
    """Whether json_fits has judged all of a schema: there is no keyword in it that Annotated brought."""
    if not isinstance(schema, dict):
        return True
    parts = [*schema.get("properties", {}).values(), *schema.get("anyOf", ()), *schema.get("prefixItems", ()),
             schema.get("items"), schema.get("additionalProperties")]
    return WRITTEN_HERE.issuperset(schema) and all(schema_is_simple(part) for part in parts)


def new_judge(schema: dict[str, Any], definitions: dict[str, Any]) -> Any:
    from .schema import Validator

    return Validator(dict(schema, **{"$defs": definitions}) if definitions else schema)


def text_candidates(schema: dict[str, Any], text: str, definitions: dict[str, Any]) -> Iterator[Any]:
    """The JSON values that a text may stand for, by a schema, most likely first."""
    if "$ref" in schema:
        schema = definitions.get(schema["$ref"][8:], {})
    if "anyOf" in schema:
        for branch in schema["anyOf"]:
            yield from text_candidates(branch, text, definitions)
        return
    if "enum" in schema:
        for value in schema["enum"]:
            if text == value or (not isinstance(value, str) and text == show_json(value)):
                yield value
        return
    names = schema.get("type", "string")
    for name in [names] if isinstance(names, str) else names:
        if name == "string":
            yield text
        elif name == "boolean":
            if text.strip().lower() in ("true", "false"):
                yield text.strip().lower() == "true"
        elif name == "null":
            if text.strip() in ("", "null"):
                yield None
        else:
            value = parse_text(text.strip())
            if json_has_type(name, value):
                yield value


def parse_text(text: str) -> Any:
    """The JSON value of a text; HINT_ABSENT when it is none. Leading zeros and a plus sign are forgiven."""
    from .codec import DecodeError, decode_text

    digits = text.lstrip("+-")
    try:
        if ascii_digits(digits) and len(text) - len(digits) <= 1:
            return int(text)
        return decode_text(text)
    except (DecodeError, ValueError):
        return HINT_ABSENT


EXPECTED_KINDS = {"string": "a string", "integer": "an integer", "number": "a number", "boolean": '"true" or "false"',
                  "null": '"null"', "array": "the JSON text of an array", "object": "the JSON text of an object"}


def expected_kinds(schema: dict[str, Any], definitions: dict[str, Any]) -> list[str]:
    if "$ref" in schema:
        schema = definitions.get(schema["$ref"][8:], {})
    if "anyOf" in schema:
        return [words for branch in schema["anyOf"] for words in expected_kinds(branch, definitions)]
    if "enum" in schema:
        return ["one of " + ", ".join(show_json(value) for value in schema["enum"])]
    names = schema.get("type", "string")
    return [EXPECTED_KINDS.get(name, str(name)) for name in ([names] if isinstance(names, str) else names)]
