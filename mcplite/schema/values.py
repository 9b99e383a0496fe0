"""JSON values as Python holds them: types, equality, and how a wrong schema is reported.

Here: what every part of this folder needs and nothing needs twice. Not here: keywords.

Pages: json-schema.org/draft/2020-12 core 4.2; RFC 6901.

1. Python's equality is not JSON's: ``true`` is not ``1`` (``same_json``), and infinity is no number.
2. Exact classes are tested first; only what fails that test pays for the complete one.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, NoReturn, Tuple

    Test = Callable[[Any], bool]
    Trail = Any                     # None at the root, else (trail of the parent, token, depth)

MAX_REASON = 400            # characters in the reason of a ``SchemaError``: it may quote what a schema holds


class SchemaError(ValueError):
    """A schema that is wrong, or that asks for something this copy cannot judge.

    ``path`` is the JSON Pointer of the place in the schema ("" is its root), ``reason`` says what is wrong there;
    the text of the exception is both.
    """

    def __init__(self, path: str, reason: str) -> None:
        super().__init__("%s: %s" % (path or "schema", reason))
        self.path, self.reason = path, reason


def pointer_of(trail: Trail) -> str:
    """A trail as a JSON Pointer."""
    tokens = []
    while trail is not None:
        tokens.append("/" + str(trail[1]).replace("~", "~0").replace("/", "~1"))
        trail = trail[0]
    return "".join(reversed(tokens))


def step_trail(trail: Trail, token: Any) -> Trail:
    return (trail, token, 1 if trail is None else trail[2] + 1)


def refuse_schema(trail: Trail, reason: str) -> NoReturn:
    raise SchemaError(pointer_of(trail), reason if len(reason) <= MAX_REASON else reason[:MAX_REASON] + "...")


def refuse_without(module: str, word: str, trail: Trail) -> NoReturn:
    """A copy of mcplite may leave parts of this folder out: what needs one is refused by name."""
    refuse_schema(trail, '"%s" needs the module schema.%s, which this copy of mcplite lacks' % (word, module))


def is_array(value: Any) -> bool:
    return value.__class__ is list or isinstance(value, list)


def is_boolean(value: Any) -> bool:
    return value is True or value is False


def is_integer(value: Any) -> bool:
    """Any number with a zero fraction: 3 and 3.0, but not true."""
    if value.__class__ is int:
        return True
    if isinstance(value, float):
        return value.is_integer()
    return isinstance(value, int) and not is_boolean(value)


def is_null(value: Any) -> bool:
    return value is None


def is_number(value: Any) -> bool:
    """A finite number: JSON has no NaN and no infinity (infinity minus infinity is NaN)."""
    if value.__class__ is int:
        return True
    if isinstance(value, float):
        return value - value == 0.0
    return isinstance(value, int) and not is_boolean(value)


def is_object(value: Any) -> bool:
    return value.__class__ is dict or isinstance(value, dict)


def is_string(value: Any) -> bool:
    return value.__class__ is str or isinstance(value, str)


TYPE_TESTS: Dict[str, Test] = {
    "array": is_array, "boolean": is_boolean, "integer": is_integer, "null": is_null, "number": is_number,
    "object": is_object, "string": is_string,
}


def same_json(a: Any, b: Any) -> bool:
    """JSON equality: 1 equals 1.0, but true equals only true."""
    if a is None or b is None or is_boolean(a) or is_boolean(b):
        return a is b
    if isinstance(a, dict) and isinstance(b, dict):
        return len(a) == len(b) and all(name in b and same_json(a[name], b[name]) for name in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same_json, a, b))
    return bool(a == b)


def split_choices(values: Any) -> Tuple[Any, Any, List[Any]]:
    """The members of an enum: strings and everyday numbers, which are looked up, and the others, which are compared.
    Large integers are not looked up: they can be chosen so that looking up takes long."""
    strings = frozenset(value for value in values if is_string(value))
    numbers = frozenset(value for value in values if is_everyday_number(value))
    return strings, numbers, [value for value in values if not is_string(value) and not is_everyday_number(value)]


def is_everyday_number(value: Any) -> bool:
    return is_number(value) and -2 ** 53 < value < 2 ** 53
