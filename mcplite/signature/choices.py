"""One of several: unions, Literal, Enum.

Here: their schemas, and which branch or member a JSON value means. Not here: what the branches are (hints), whether a value
fits one (judge).

Specification: PEP 484, 586, 604; JSON Schema 2020-12 ("anyOf", "enum").
"""
from __future__ import annotations

from .names import HintScope, hint_is_union, hint_special
from .plain import NONE_CLASS, ArgumentError, new_nullable_converter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from .plain import Converter, Described


def describe_union(members: Any, scope: HintScope) -> Described:
    branches: list[Described] = []
    for schema, convert in [scope.describe(item) for item in flatten_union(members)]:
        if all(schema != other for other, _ in branches):
            branches.append((schema, convert))
    if len(branches) == 1:
        return branches[0]
    if any(not schema for schema, _ in branches):  # Any makes the rest superfluous
        return {}, None
    schema = {"anyOf": [branch for branch, _ in branches]}
    if all("enum" in branch and not branch.keys() - {"enum", "type"} for branch, _ in branches):
        values: list[Any] = []  # Literal and None, or several Enums: one list is easier to read
        for branch, _ in branches:
            values.extend(value for value in branch["enum"] if choice_key(value) not in map(choice_key, values))
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
    if all(convert is None for _, convert in branches):
        return None
    classes = [schema.get("type") for schema, _ in branches]
    if len(branches) == 2 and "null" in classes:
        return new_nullable_converter(branches[1 - classes.index("null")][1])
    if "integer" in classes and "number" in classes:  # int and float: a number is what it is
        branches = [(schema, None if schema in ({"type": "integer"}, {"type": "number"}) else convert)
                    for schema, convert in branches]
    from .judge import HintJudge

    judged = [(HintJudge(schema, scope.definitions), convert) for schema, convert in branches]

    def convert_union(value: Any) -> Any:
        problem = None
        for judge, convert in judged:
            if not judge.fits(value):
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
        if choice_key(shown) not in [choice_key(other) for other, _ in table]:
            table.append((shown, value))
    return describe_choice(table)


def flatten_literal(hint: Any) -> Iterator[Any]:
    for value in hint.__args__:
        if hint_special(getattr(value, "__origin__", None)) == "Literal":  # nested, on 3.8
            yield from flatten_literal(value)
        else:
            yield value


def is_enum(kind: type) -> bool:
    return any(base.__name__ == "Enum" and base.__module__ == "enum" for base in kind.__mro__)


def describe_enum(hint: Any, scope: HintScope) -> Described:
    for member in hint:
        if member.value is not None and member.value.__class__ not in (str, int, bool, float):
            raise scope.refuse("the value of %s.%s is a %s, and only strings, numbers, booleans and null have a JSON "
                               "form" % (hint.__name__, member.name, type(member.value).__name__))
    if not len(hint):
        raise scope.refuse('the Enum "%s" has no members' % hint.__name__)
    return describe_choice([(member.value, member) for member in hint])


def describe_choice(table: list[tuple[Any, Any]]) -> Described:
    """One of the first of each pair in JSON, the second in Python."""
    schema = new_enum_schema([shown for shown, _ in table])
    if all(shown is value and shown.__class__ in (str, bool, NONE_CLASS) for shown, value in table):
        return schema, None
    choices = {choice_key(shown): value for shown, value in table}
    return schema, lambda value: choices.get(choice_key(value), value)


def choice_key(value: Any) -> tuple[bool, Any]:
    """JSON equality: true is not 1, and 1.0 is; to Python all three are one key of a dict."""
    return value.__class__ is bool, value


def new_enum_schema(values: list[Any]) -> dict[str, Any]:
    schema: dict[str, Any] = {}
    for name, kind in (("string", str), ("boolean", bool), ("integer", int)):
        if values and all(value.__class__ is kind for value in values):
            schema["type"] = name
    schema["enum"] = values
    return schema
