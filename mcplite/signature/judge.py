"""Whether a JSON value fits a hint: the branches of a union, texts, defaults.

Here: the validator of a described hint, made when it is first asked; defaults. Not here: judging arguments (the server
does, by schema); what fits only may still be refused by a converter.
"""
from __future__ import annotations

from ..errors import RegistrationError
from .names import show_hint
from .plain import HINT_ABSENT, NONE_CLASS, ArgumentError, schema_allows_null

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .plain import Converter, SignatureTarget

# What a hint itself asks for. All other keywords come from Annotated; "" is the problem that nobody explains.
HINT_KEYWORDS = frozenset((
    "", "type", "enum", "anyOf", "items", "prefixItems", "minItems", "maxItems", "properties", "required",
    "additionalProperties", "propertyNames"))


class HintJudge:
    """The validator of a described hint. definitions: "$defs", complete once the first value comes."""

    __slots__ = ("definitions", "schema", "validator")

    def __init__(self, schema: dict[str, Any], definitions: dict[str, Any]) -> None:
        self.schema = schema
        self.definitions = definitions
        self.validator: Any = None

    def fits(self, value: Any) -> bool:
        if self.validator is None:
            from ..schema import Validator

            definitions = {"$defs": self.definitions} if self.definitions else {}
            self.validator = Validator(dict(self.schema, **definitions))
        found: bool = self.validator.is_valid(value)
        return found

    def problems(self, value: Any) -> list[dict[str, str]]:
        """What is wrong with a value; the first is what a reader should mend."""
        return [] if self.fits(value) else self.validator.problems(value)


def is_other_kind(problems: list[dict[str, str]]) -> bool:
    """Whether a value is not what the hint names at all, rather than outside the bounds that Annotated sets."""
    return any(problem["keyword"] in HINT_KEYWORDS for problem in problems)


def expected_text(expected: str, value: Any) -> ArgumentError:
    return ArgumentError("", "expected %s, got %s" % (expected, show_json(value)))


def show_json(value: Any) -> str:
    """A value in an error: its JSON, cut at 60 characters."""
    from ..content import readable_json

    shown = readable_json(value)
    return shown if len(shown) <= 60 else shown[:57] + "..."


def json_default(default: Any) -> Any:
    """A default as JSON, HINT_ABSENT when it has no JSON form (an object that stands for "not given")."""
    from ..codec import decode_text, encode
    from ..content import ContentError, jsonable

    try:
        found = jsonable(default)
    except ContentError:
        return HINT_ABSENT
    # A copy: the function may change its own default, but not what is published.
    return decode_text(encode(found)) if found.__class__ in (list, dict) else found


def with_default(schema: dict[str, Any], default: Any) -> dict[str, Any]:
    """The schema of a field with its default, where that is JSON."""
    found = json_default(default)
    if found is HINT_ABSENT or (found is None and not schema_allows_null(schema)):
        return schema
    return dict(schema, default=found)


def check_default(schema: dict[str, Any], convert: Converter | None, default: Any, hint: Any, target: SignatureTarget,
                  name: str) -> None:
    """Publish the default of a parameter, or refuse it: it must fit the schema, and be what the converter would
    make."""
    found = json_default(default)
    if found is HINT_ABSENT:
        return
    from ..schema import SchemaError

    try:
        fits = not is_other_kind(HintJudge(schema, target.definitions).problems(found))
    except SchemaError as error:
        raise RegistrationError('%s, parameter "%s": its schema is wrong: %s' % (target.label, name, error)) from None
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
