"""Classes of the standard library that are scalars in JSON: dates, UUID, Decimal, Path.

Here: their schemas, and making them of text. Not here: writing them (content).

Specification: RFC 3339. Forms (content writes the same ones): datetime, date, time: ISO 8601. timedelta: seconds. UUID,
Path: text. Decimal: text, or a number in arguments. On output, "format" is left out for datetime and time: TypeScript
clients enforce it and want a time zone, which Python's need not have.
"""
from __future__ import annotations

from .plain import ArgumentError, new_call_converter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .names import HintScope
    from .plain import Converter, Described


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


def expected_text(expected: str, value: Any) -> ArgumentError:
    return ArgumentError("", "expected %s, got %s" % (expected, show_json(value)))


def show_json(value: Any) -> str:
    """A value in an error: its JSON, cut at 60 characters."""
    from ..content import readable_json

    shown = readable_json(value)
    return shown if len(shown) <= 60 else shown[:57] + "..."


# Each makes an instance of the class, which may be derived from the standard one, and raises ValueError or ArithmeticError.


def make_datetime(hint: Any, text: str) -> Any:
    if text[10:11] not in ("T", "t", " "):
        raise ValueError
    return hint(*parse_iso_date(text[:10]), *parse_iso_time(text[11:]))


def make_date(hint: Any, text: str) -> Any:
    return hint(*parse_iso_date(text))


def make_time(hint: Any, text: str) -> Any:
    return hint(*parse_iso_time(text))


def make_timedelta(hint: Any, seconds: Any) -> Any:
    try:
        return hint(seconds=seconds)
    except OverflowError:
        raise ArgumentError("", "the number of seconds is too large") from None


def make_uuid(hint: Any, text: str) -> Any:
    return hint(text)


def make_decimal(hint: Any, value: Any) -> Any:
    made = hint(repr(value) if value.__class__ is float else value)
    if not made.is_finite():
        raise ValueError
    return made


TEXT_SCHEMA = {"type": "string"}
# How it is made, what is expected, the schema of an argument and of a result.
STANDARD_CLASSES: dict[tuple[str, str], tuple[Any, str, dict[str, Any], dict[str, Any]]] = {
    ("datetime", "datetime"): (make_datetime, 'a date and time as "2026-01-31T15:30:00Z"',
                               {"type": "string", "format": "date-time"}, TEXT_SCHEMA),
    ("datetime", "date"): (make_date, 'a date as "2026-01-31"', {"type": "string", "format": "date"},
                           {"type": "string", "format": "date"}),
    ("datetime", "time"): (make_time, 'a time as "15:30:00"', {"type": "string", "format": "time"}, TEXT_SCHEMA),
    ("datetime", "timedelta"): (make_timedelta, "seconds", {"type": "number", "description": "seconds"},
                                {"type": "number", "description": "seconds"}),
    ("uuid", "UUID"): (make_uuid, 'a UUID as "123e4567-e89b-12d3-a456-426614174000"',
                       {"type": "string", "format": "uuid"}, {"type": "string", "format": "uuid"}),
    ("decimal", "Decimal"): (make_decimal, 'a decimal number as "12.50"',
                             {"anyOf": [{"type": "number"}, {"type": "string"}]}, TEXT_SCHEMA),
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
