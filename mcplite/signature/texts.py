"""The arguments of prompts and resources: strings, converted to what the parameters are hinted as.

Here: the `arguments` of a Prompt; the function that converts and checks them all; what a text may mean by a schema. Not
here: converting JSON values (plain, hints).

Specification: server/prompts ("Prompt", "Getting a Prompt"); server/resources ("Resource Templates").
"""
from __future__ import annotations

from .judge import HintJudge, expected_text, is_other_kind, show_json
from .plain import HINT_ABSENT, ArgumentError, new_list_converter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .plain import Converter


def new_texts_converter(known: tuple[str, ...], required: tuple[str, ...], converters: dict[str, Converter], is_open: bool,
                        convert_extra: Callable[[dict[str, Any]], None] | None) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """The convert() of a prompt or resource: arguments are strings (lists of them for `{x*}`), and nobody has judged
    them. is_open: the function takes **kw."""

    def convert_one(name: str, value: Any) -> Any:
        if name not in known and not is_open:
            raise ArgumentError("", "unknown argument; " + ("known are " + ", ".join(known) if known else "there are none"))
        if not isinstance(value, str if name in known and name not in converters else (str, list)):
            raise ArgumentError("", "expected a string, got " + json_kind(value))
        return converters[name](value) if name in converters else value

    def convert_texts(arguments: dict[str, Any]) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for name, value in arguments.items():
            try:
                found = convert_one(name, value)
            except ArgumentError as error:
                raise error.under(name) from None
            if found is not HINT_ABSENT:
                made[name] = found
        for name in required:
            if name not in made:
                raise ArgumentError("", "required argument is missing").under(name)
        if convert_extra is not None:
            convert_extra(made)
        return made

    return convert_texts


def new_prompt_arguments(properties: dict[str, Any], required: list[str]) -> list[dict[str, Any]]:
    """The `arguments` of a Prompt: name, description if there is one, required."""
    made = []
    for name, schema in properties.items():
        argument: dict[str, Any] = {"name": name}
        if isinstance(schema.get("description"), str):
            argument["description"] = schema["description"]
        argument["required"] = name in required
        made.append(argument)
    return made


JSON_KINDS: dict[Any, str] = {str: "a string", int: "an integer", float: "a number", bool: "a boolean",
                              dict: "an object", list: "an array", type(None): "null"}


def json_kind(value: Any) -> str:
    return JSON_KINDS.get(value.__class__) or str(type(value).__name__)


# --- one text ---------------------------------------------------------------------------------------------------------


def new_text_converter(schema: dict[str, Any], convert: Converter | None, definitions: dict[str, Any],
                       optional: bool) -> Converter | None:
    """From the string that a host sends for a prompt's argument (a list of them for `{x*}` of a resource) to the value
    that the hint names; None where that is any string. An empty string for an optional argument that is no string is
    what hosts send for "not filled in": it counts as absent (HINT_ABSENT comes back)."""
    if convert is None and schema == {"type": "string"}:
        return None
    judge = HintJudge(schema, definitions)

    def convert_found(found: Any) -> Any:
        for problem in judge.problems(found):
            raise ArgumentError(problem["path"], problem["message"])
        return found if convert is None else convert(found)

    def convert_text(value: Any) -> Any:
        forms = text_forms(schema, definitions)
        problem = None
        if value.__class__ is not str:
            if judge.fits(value):
                return convert_found(value)
            if schema.get("type") == "array" and "items" in schema:
                items = new_list_converter(new_text_converter(schema["items"], None, definitions, False))
                return convert_found(value if items is None else items(value))
        else:
            for found in [found for kind, values in forms for found in read_form(kind, values, value)]:
                if not is_other_kind(judge.problems(found)):
                    try:
                        return convert_found(found)
                    except ArgumentError as error:
                        problem = problem or error
            if not value and optional:
                return HINT_ABSENT
        raise problem or expected_text(" or ".join(words_of_form(kind, values) for kind, values in forms), value)

    return convert_text


def text_forms(schema: dict[str, Any], definitions: dict[str, Any]) -> list[tuple[str, list[Any]]]:
    """The forms of JSON that a schema takes, most likely first: the type, or "enum" and its values."""
    if "$ref" in schema:
        schema = definitions.get(schema["$ref"][8:], {})
    if "anyOf" in schema:
        return [form for branch in schema["anyOf"] for form in text_forms(branch, definitions)]
    if "enum" in schema:
        return [("enum", schema["enum"])]
    names = schema.get("type", "string")
    return [(name, []) for name in ([names] if isinstance(names, str) else names)]


EXPECTED_FORMS = {"string": "a string", "integer": "an integer", "number": "a number", "boolean": '"true" or "false"',
                  "null": '"null"', "array": "the JSON text of an array", "object": "the JSON text of an object"}
PARSED_CLASSES = {"integer": (int, float), "number": (int, float), "array": (list,), "object": (dict,)}


def words_of_form(kind: str, values: list[Any]) -> str:
    if kind == "enum":
        return "one of " + ", ".join(show_json(value) for value in values)
    return EXPECTED_FORMS.get(kind, kind)


def read_form(kind: str, values: list[Any], text: str) -> list[Any]:
    """What a text may stand for in one form: one value or none. Whether it fits the schema is judged afterwards."""
    bare = text.strip()
    if kind == "string":
        return [text]
    if kind == "enum":
        return [value for value in values if text == (value if isinstance(value, str) else show_json(value))]
    if kind == "boolean":
        return [bare.lower() == "true"] if bare.lower() in ("true", "false") else []
    if kind == "null":
        return [None] if bare in ("", "null") else []
    found = parse_text(bare)
    return [found] if found.__class__ in PARSED_CLASSES.get(kind, ()) else []


def parse_text(text: str) -> Any:
    """The JSON value of a text; HINT_ABSENT when it is none. Leading zeros and a plus sign are forgiven."""
    from ..codec import DecodeError, decode_text

    digits = text.lstrip("+-")
    try:
        if digits.isdigit() and digits.isascii() and len(text) - len(digits) <= 1:
            return int(text)
        return decode_text(text)
    except (DecodeError, ValueError):
        return HINT_ABSENT
