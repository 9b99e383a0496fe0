"""Any Python value as plain JSON.

Here: ``jsonable``, and the JSON text that a model reads. Not here: blocks and results (``blocks``, ``results``), bytes (``codec``).

What comes out is exact dict, list, str, int, float, bool, None; finite; at most 100 levels deep. How values are written (the same
forms that ``signature`` reads): Enum: its value. datetime, date, time: ISO 8601. timedelta: seconds. UUID, Path: text. Decimal:
text, since a number would lose digits. Dataclass, NamedTuple, mapping: object. list, tuple, range, deque, set: array (a set is
sorted). Keys of an object: text; whole numbers and the above types are written as their text. All else is refused.
"""
from __future__ import annotations

from ..codec import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

JSON_DEPTH_LIMIT = 100


class ContentError(ValueError):
    """A Python value that cannot be sent. path: JSON Pointer to the place, "" for the whole; message: what to do; wanted: what
    may be said to somebody else, without the value that came and its class."""

    def __init__(self, path: str, message: str, wanted: str = "") -> None:
        super().__init__(at_place(path, message))
        self.path = path
        self.message = message
        self.wanted = at_place(path, wanted or "this cannot be written as JSON")


def at_place(path: str, message: str) -> str:
    shown = path if len(path) <= 120 else path[:100] + "..."
    return shown + ": " + message if path else message


def jsonable(value: Any, path: str = "") -> Any:
    """The value as plain JSON, by the table at the head of this module; the very same object when it is plain already.

    path: JSON Pointer put before the place in errors. Raises ContentError for bytes, NaN, Infinity, an unsupported type
    or key, more than 100 levels, and a container that contains itself."""
    kind = value.__class__
    if kind is str or kind is int or kind is bool or value is None or json_is_plain(value, JSON_DEPTH_LIMIT):
        return value
    try:
        return convert_to_json(value, [])
    except ContentError as error:
        raise ContentError(path + error.path, error.message) from None


def is_iterator(value: Any) -> bool:
    """Whether a value yields its items once, as a generator does; a file does too, but is none: its text is wanted."""
    return hasattr(type(value), "__next__") and not hasattr(value, "read")


def json_is_plain(value: Any, depth: int) -> bool:
    """Whether a value needs no conversion; one call for each container, none for its strings and numbers."""
    kind = value.__class__
    if kind is dict:
        for key in value:
            if key.__class__ is not str:
                return False
        value = value.values()
    elif kind is float:
        return bool(value - value == 0.0)
    elif kind is not list:
        return kind is str or kind is int or kind is bool or value is None
    if depth <= 0:
        return False
    for item in value:
        kind = item.__class__
        if kind is str or kind is int or kind is bool or item is None:
            continue
        if not json_is_plain(item, depth - 1):
            return False
    return True


def convert_to_json(value: Any, parents: list[Any]) -> Any:
    """jsonable's work. parents: the containers around the value, outermost first. Errors carry the path from here."""
    kind = type(value)
    if kind is str or kind is int or kind is bool or value is None:
        return value
    if is_enum_class(kind):
        return convert_to_json(value.value, parents)
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return int.__add__(value, 0)
    if isinstance(value, float):
        if value - value != 0.0:
            raise ContentError("", "%r is not JSON; use None or a str" % float(value))
        return float.__add__(value, 0.0)
    scalar = scalar_to_json(value, kind)
    if scalar is not None:
        return scalar
    if len(parents) >= JSON_DEPTH_LIMIT:
        cyclic = any(parent is value for parent in parents)
        raise ContentError("", "contains itself" if cyclic else "nested deeper than %d levels" % JSON_DEPTH_LIMIT)
    parents.append(value)
    try:
        return container_to_json(value, kind, parents)
    finally:
        parents.pop()


def scalar_to_json(value: Any, kind: type) -> Any:
    """The JSON scalar of a standard library value, None if it is not one of these. Classes are known by module and
    name: importing theirs would cost a program that does not use them milliseconds."""
    for base in kind.__mro__:
        module = base.__module__
        if module == "datetime":
            if base.__name__ == "timedelta":
                seconds = value.total_seconds()
                return int(seconds) if seconds == int(seconds) else seconds
            if base.__name__ in ("date", "time"):  # date is a base of datetime
                return value.isoformat()
        elif module == "uuid" and base.__name__ == "UUID":
            return str(value)
        elif base.__name__ == "Decimal" and module == "decimal":
            if not value.is_finite():
                raise ContentError("", "%s is not JSON; use None or a str" % value)
            return str(value)
    if hasattr(kind, "__fspath__"):
        path = value.__fspath__()
        if isinstance(path, str):
            return path
    return None


def container_to_json(value: Any, kind: type, parents: list[Any]) -> Any:
    from _collections_abc import Mapping, MappingView, Sequence, Set

    if isinstance(value, dict):
        return pairs_to_json(value.items(), parents)
    if isinstance(value, tuple) and hasattr(kind, "_fields"):
        return pairs_to_json(zip(kind._fields, value), parents)
    if isinstance(value, (list, tuple)):
        return items_to_json(value, parents)
    if isinstance(value, (bytes, bytearray, memoryview)):
        raise ContentError("", "bytes are not JSON; return image(), audio() or embedded(), or base64 as a str")
    if hasattr(kind, "__dataclass_fields__"):
        from dataclasses import fields

        return pairs_to_json(((field.name, getattr(value, field.name)) for field in fields(value)), parents)
    if isinstance(value, Mapping):
        return pairs_to_json(value.items(), parents)
    if isinstance(value, Set) and not isinstance(value, MappingView):
        try:
            return items_to_json(sorted(value), parents)
        except TypeError:  # nothing orders the members: their JSON text does
            return sorted(items_to_json(list(value), parents), key=encode)
    if isinstance(value, (Sequence, MappingView)):
        return items_to_json(value, parents)
    if kind.__name__ in ("generator", "map", "filter", "zip", "coroutine"):
        raise ContentError("", "a %s is not JSON; make it a list" % kind.__name__)
    raise ContentError("", "%s is not JSON; use dict, list, str, int, float, bool, None, a dataclass or a NamedTuple"
                       % kind.__name__)


def pairs_to_json(pairs: Any, parents: list[Any]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, item in pairs:
        name = key if key.__class__ is str else key_to_json(key)
        if name in made:
            raise ContentError("", 'two keys are written "%s"' % name)
        try:
            made[name] = convert_to_json(item, parents)
        except ContentError as error:
            raise ContentError("/" + name.replace("~", "~0").replace("/", "~1") + error.path, error.message) from None
    return made


def key_to_json(key: Any) -> str:
    if not isinstance(key, bool):
        name = None
        if is_enum_class(type(key)) or isinstance(key, (str, int)):
            name = convert_to_json(key, [])
        elif key is not None and not isinstance(key, (float, tuple)):
            name = scalar_to_json(key, type(key))
        if isinstance(name, str):
            return name
        if isinstance(name, int) and not isinstance(name, bool) and isinstance(key, int):
            return str(name)
    raise ContentError("", "the key %r is not JSON; a key must be a str" % (key,))


def items_to_json(items: Any, parents: list[Any]) -> list[Any]:
    made = []
    for index, item in enumerate(items):
        try:
            made.append(convert_to_json(item, parents))
        except ContentError as error:
            raise ContentError("/%d%s" % (index, error.path), error.message) from None
    return made


def is_enum_class(kind: type) -> bool:
    """Whether a class is an Enum, without importing enum."""
    return any(base.__name__ == "Enum" and base.__module__ == "enum" for base in kind.__mro__)


def readable_json(value: Any) -> str:
    """Compact JSON in which characters beyond ASCII stand as they are: this text is what a model reads. (On the wire it
    is a string inside a message, where codec escapes it.)"""
    encoded = encode(value)
    if "\\u" not in encoded:
        return encoded
    pieces = encoded.split("\\u")
    out = [pieces[0]]
    high = 0
    for index, piece in enumerate(pieces[1:]):
        before = pieces[index]
        backslashes = len(before) - len(before.rstrip("\\"))
        if backslashes % 2:  # an escaped backslash, followed by the letter u
            out.append("\\u" + piece)
            continue
        code = int(piece[:4], 16)
        if 0xD800 <= code < 0xDC00:  # codec lets only whole pairs through
            high = code
        elif 0xDC00 <= code < 0xE000:
            out.append(chr(0x10000 + ((high - 0xD800) << 10) + code - 0xDC00) + piece[4:])
        else:
            out.append(chr(code) + piece[4:] if code >= 0x80 else "\\u" + piece)
    return "".join(out)
