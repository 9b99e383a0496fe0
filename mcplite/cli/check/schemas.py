"""Tools as hosts and models read them: names, descriptions, and the JSON Schemas of arguments and results.

Here: what may be wrong with one entry of tools/list beyond its form. Not here: its form (`shapes`), calling
it.

Pages: server/tools ("Tool", "Tool Names"), basic ("JSON Schema Usage") of 2025-11-25 and 2026-07-28.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterator, Mapping

    from ...revisions import Revision

    ToolProblem = tuple[str, str, Any, str]  # check, what, evidence, case

TOOL_NAME_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.")
MODEL_NAME_CHARACTERS = TOOL_NAME_CHARACTERS - {"."}
MODEL_NAME_LENGTH = 64
LONG_DESCRIPTION = 4000  # characters; every one is read by the model in every turn
OUTPUT_CASES = {  # clients compile an outputSchema, and few an inputSchema
    "schema": "output-schema",
    "schema-reference": "output-reference",
    "schema-dialect": "output-dialect",
    "schema-pattern": "output-pattern",
}
COMPOSITION_KEYWORDS = ("anyOf", "oneOf", "allOf")


def tool_problems(tool: dict[str, Any], row: Revision) -> Iterator[ToolProblem]:
    """What a host or a model may stumble over in one tool."""
    name = tool.get("name")
    label = 'tool "%s"' % name
    if isinstance(name, str):
        yield from tool_name_problems(name, label)
    description = tool.get("description")
    if description is None and "description" not in tool or isinstance(description, str) and not description.strip():
        yield "tool-description", "%s has no description" % label, tool, ""
    elif isinstance(description, str) and len(description) > LONG_DESCRIPTION:
        what = "%s has a description of %d characters" % (label, len(description))
        yield "tool-description", what, description, "long-description"
    yield from input_schema_problems(tool, label)
    output = tool.get("outputSchema")
    if isinstance(output, dict):
        if output.get("type") != "object" and not row.stateless:
            yield "output-schema-root", '%s: outputSchema has not "type": "object"' % label, output, ""
        yield from json_schema_problems(output, label + ": outputSchema", OUTPUT_CASES)
    elif output is not None:
        yield "schema", "%s: outputSchema must be an object" % label, tool, "output-schema-form"


def tool_name_problems(name: str, label: str) -> Iterator[ToolProblem]:
    if not 1 <= len(name) <= 128:
        yield "tool-name", "%s has %d characters in its name" % (label, len(name)), name, ""
    elif not TOOL_NAME_CHARACTERS.issuperset(name):
        odd = "".join(sorted(set(name) - TOOL_NAME_CHARACTERS))
        yield ("tool-name", "%s has characters in its name that are not allowed: %s" % (label, " ".join(map(repr, odd))), name, "")
    elif len(name) > MODEL_NAME_LENGTH or not MODEL_NAME_CHARACTERS.issuperset(name):
        yield "tool-name", "%s has a name that hosts must change before a model can be given it" % label, name, "long-name"


def input_schema_problems(tool: dict[str, Any], label: str) -> Iterator[ToolProblem]:
    if "inputSchema" not in tool:
        yield "input-schema", "%s has no inputSchema" % label, tool, ""
        return
    schema = tool["inputSchema"]
    if not isinstance(schema, dict):
        yield "input-schema", "%s: inputSchema must be an object" % label, tool, ""
        return
    if schema.get("type") != "object":
        yield "input-schema", '%s: inputSchema has not "type": "object"' % label, schema, ""
        return
    if "properties" not in schema:
        yield "input-properties", "%s: inputSchema has no properties" % label, schema, ""
    yield from json_schema_problems(schema, label + ": inputSchema")
    yield from model_schema_problems(schema, label)


def json_schema_problems(schema: dict[str, Any], label: str, cases: Mapping[str, str] = {}) -> Iterator[ToolProblem]:
    """Try to load the schema; say which kind of trouble it is. `cases`: the case of each check, where it has one."""
    from ...schema import SchemaError, Validator

    try:
        Validator(schema)
    except SchemaError as error:
        check = check_of_place(error.path)
        yield check, "%s: %s" % (label, error), schema, cases.get(check, "")
        if check == "schema-dialect" and str(schema.get("$schema")).startswith("https://json-schema.org/draft/2019-09/"):
            rest = {key: value for key, value in schema.items() if key != "$schema"}
            yield from json_schema_problems(rest, label, cases)  # what 2020-12 has in common with it
        return
    for path, pattern in patterns_in(schema, ""):
        if not compiles_in_python(pattern):
            what = "%s: %s: Python's re cannot compile it" % (label, path)
            yield "schema-pattern", what, pattern, cases.get("schema-pattern", "")


def check_of_place(path: str) -> str:
    """The check that a schema fails by where its fault stands."""
    keyword = path.rsplit("/", 1)[-1]
    if keyword == "pattern" or "/patternProperties" in path and keyword not in ("$schema", "$ref", "$dynamicRef"):
        return "schema-pattern"
    return {"$schema": "schema-dialect", "$ref": "schema-reference", "$dynamicRef": "schema-reference"}.get(keyword, "schema")


def patterns_in(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """Every pattern of a schema with its place. A property that is called "pattern" holds a schema, not a text."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "pattern" and isinstance(inner, str):
                yield path + "/pattern", inner
            elif key not in ("const", "default", "enum", "examples"):
                yield from patterns_in(inner, "%s/%s" % (path, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from patterns_in(inner, "%s/%d" % (path, number))


def compiles_in_python(pattern: str) -> bool:
    import re
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            re.compile(pattern)
        except (re.error, RecursionError, OverflowError):
            return False
    return True


def model_schema_problems(schema: dict[str, Any], label: str) -> Iterator[ToolProblem]:
    found = [keyword for keyword in COMPOSITION_KEYWORDS if keyword in schema]
    if found:
        yield "model-schema", "%s: inputSchema has %s at its top" % (label, ", ".join(found)), schema, ""
    if "$defs" in schema or "definitions" in schema:
        yield "model-schema", "%s: inputSchema keeps parts in $defs" % label, schema, "model-defs"
    properties = schema.get("properties")
    required = schema.get("required")
    if isinstance(properties, dict) and isinstance(required, list):
        missing = [name for name in required if name not in properties]
        if missing:
            names = ", ".join(map(str, missing))
            what = "%s: inputSchema requires %s, which properties does not describe" % (label, names)
            yield "model-schema", what, schema, "model-required"


def minimal_arguments(schema: Any) -> dict[str, Any] | None:
    """The smallest arguments that a schema takes, or None where guessing would be needed."""
    from ...schema import SchemaError, Validator

    try:
        value = minimal_value(schema)
        if isinstance(value, dict) and Validator(schema).is_valid(value):
            return value
    except (LookupError, SchemaError, TypeError, ValueError, AttributeError, RecursionError):
        pass
    return None


def minimal_value(schema: Any) -> Any:
    """A value for a plain schema; raises LookupError for what would be guessing (a pattern, a format, a $ref ...)."""
    for keyword in ("const", "default"):
        if keyword in schema:
            return schema[keyword]
    for keyword in ("enum", "examples"):
        if schema.get(keyword):
            return schema[keyword][0]
    for keyword in ("pattern", "format", "$ref", "not", "if", *COMPOSITION_KEYWORDS):
        if keyword in schema:
            raise LookupError(keyword)
    kind = schema["type"]
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object":
        return {name: minimal_value(schema["properties"][name]) for name in schema.get("required", ())}
    if kind == "array":
        least = schema.get("minItems", 0)
        return [minimal_value(schema["items"])] * least if least else []
    if kind == "string":
        return "x" * max(1, schema.get("minLength", 1))
    if kind in ("integer", "number"):
        return max(1, schema.get("minimum", 1)) if schema.get("maximum", 1) >= 1 else schema["maximum"]
    return {"boolean": False, "null": None}[kind]


def wrong_arguments(schema: Any) -> tuple[dict[str, Any], str] | None:
    """Arguments that the schema does not take, and what is wrong with them; None where everything is allowed."""
    from ...schema import SchemaError, Validator

    try:
        validator = Validator(schema)
        required = schema.get("required") or []
        if required and not validator.is_valid({}):
            return {}, "without the required %s" % required[0]
        for name in schema.get("properties", {}):
            if not validator.is_valid({name: {"wrong": []}}):
                return {name: {"wrong": []}}, "with an object for %s" % name
    except (SchemaError, TypeError, AttributeError):
        pass
    return None
