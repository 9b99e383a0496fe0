"""Random schemas and values: plain functions, generated code and problems agree, with each other and with jsonschema."""

import os
from zlib import crc32

import pytest
from schema_helpers import DRAFT_07, judge, make_hot

from mcplite.schema import SchemaError, Validator

hypothesis = pytest.importorskip("hypothesis")
from hypothesis import HealthCheck, given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

RUNS = int(os.environ.get("MCPLITE_RUNS", "150"))
common = settings(max_examples=RUNS, deadline=None, derandomize=RUNS == 150,
                  suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])

names = st.sampled_from(["a", "b", "c", "~/", "é"])
scalars = st.one_of(st.none(), st.booleans(), st.integers(-3, 3), st.sampled_from([0.0, 1.0, -1.0, 0.5, 1.5, 1e300, 10 ** 20]),
                    st.sampled_from(["", "a", "b", "aa", "ab", "\U0001f600", "1"]))
values = st.recursive(scalars, lambda inner: st.one_of(st.lists(inner, max_size=4),
                                                        st.dictionaries(names, inner, max_size=4)), max_leaves=12)
counts = st.integers(0, 3)
numbers = st.sampled_from([-1, 0, 1, 2, 0.5, 1.0, 1.5])
types = st.sampled_from(["array", "boolean", "integer", "null", "number", "object", "string"])


def keyword_strategies(schema):
    lists = st.lists(schema, min_size=1, max_size=3)
    maps = st.dictionaries(names, schema, max_size=3)
    some_names = st.lists(names, max_size=2, unique=True)
    patterns = st.sampled_from(["^a", "b$", ".", "^[ab]+$", "\\d"])
    return {
        "type": st.one_of(types, st.lists(types, min_size=1, max_size=3, unique=True)),
        "const": values, "enum": st.lists(values, max_size=3), "minimum": numbers, "maximum": numbers,
        "exclusiveMinimum": numbers, "exclusiveMaximum": numbers, "multipleOf": st.sampled_from([1, 2, 0.5, 0.1]),
        "minLength": counts, "maxLength": counts, "pattern": patterns, "minItems": counts, "maxItems": counts,
        "uniqueItems": st.booleans(), "minProperties": counts, "maxProperties": counts, "required": some_names,
        "properties": maps, "additionalProperties": schema, "patternProperties": st.dictionaries(patterns, schema, max_size=2),
        "propertyNames": schema, "items": schema, "contains": schema, "allOf": lists, "anyOf": lists, "oneOf": lists,
        "not": schema, "if": schema, "then": schema, "else": schema,
        "$ref": st.sampled_from(["#/$defs/x", "#/$defs/y"]),
    }


def new_2020(schema):
    keywords = dict(keyword_strategies(schema), prefixItems=st.lists(schema, min_size=1, max_size=3), minContains=counts, maxContains=counts, dependentRequired=st.dictionaries(names, st.lists(names, max_size=2, unique=True), max_size=2), dependentSchemas=st.dictionaries(names, schema, max_size=2), unevaluatedItems=schema, unevaluatedProperties=schema)
    return st.one_of(st.booleans(), st.fixed_dictionaries({}, optional=keywords).map(trim))


def new_07(schema):
    keywords = dict(keyword_strategies(schema), items=st.one_of(schema, st.lists(schema, min_size=1, max_size=3)), additionalItems=schema, dependencies=st.dictionaries(names, st.one_of(schema, st.lists(names, max_size=2, unique=True)), max_size=2))
    del keywords["$ref"]
    return st.one_of(st.booleans(), st.fixed_dictionaries({}, optional=keywords).map(trim))


def trim(schema):
    """A few keywords of the many: schemas that have all of them accept nothing."""
    chosen = sorted(schema, key=lambda keyword: crc32(("%s %d" % (keyword, len(repr(schema)))).encode()))[:1 + len(repr(schema)) % 4]
    return {keyword: schema[keyword] for keyword in chosen}


base = st.one_of(st.booleans(), types.map(lambda name: {"type": name}), numbers.map(lambda number: {"minimum": number}))
schemas_2020 = st.recursive(base, new_2020, max_leaves=6)
schemas_07 = st.recursive(base, new_07, max_leaves=6)


def with_defs(schema, x, y):
    return dict(schema, **{"$defs": {"x": x, "y": y}}) if isinstance(schema, dict) else schema


@common
@given(schemas_2020, schemas_2020, schemas_2020, st.lists(values, min_size=1, max_size=6))
def test_2020_12_agrees_with_itself_and_with_jsonschema(schema, x, y, samples):
    jsonschema = pytest.importorskip("jsonschema")
    schema = with_defs(schema, x, y)
    try:
        validator = Validator(schema)
    except SchemaError as error:
        assert "without end" in error.reason        # a circle of $refs: jsonschema would recurse
        return
    other = jsonschema.Draft202012Validator(schema)
    verdicts = [judge(validator, value) for value in samples]
    cold = [validator.problems(value) for value in samples]
    make_hot(validator)
    assert [validator.problems(value) for value in samples] == cold
    assert [validator.is_valid(value) for value in samples] == verdicts
    if not knows_better(schema):
        assert verdicts == [other.is_valid(value) for value in samples]


def knows_better(schema):
    """Where jsonschema is known to be wrong: multipleOf by floating division, unevaluated* beside other keywords."""
    text = repr(schema)
    return "multipleOf" in text


@common
@given(schemas_07, st.lists(values, min_size=1, max_size=6))
def test_draft_07_agrees_with_itself_and_with_jsonschema(schema, samples):
    jsonschema = pytest.importorskip("jsonschema")
    if isinstance(schema, dict):
        schema = dict({"$schema": DRAFT_07}, **schema)
    validator = Validator(schema)
    other = jsonschema.Draft7Validator(schema)
    for value in samples:
        verdict = judge(validator, value)
        if "multipleOf" not in repr(schema):
            assert verdict is other.is_valid(value), value


@common
@given(st.recursive(scalars, lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(
    st.sampled_from(["type", "properties", "items", "enum", "$ref", "$id", "$schema", "anyOf", "pattern", "required", "a",
                     "$dynamicRef", "$anchor", "if", "unevaluatedItems", "format", "minContains", "$defs"]),
    inner, max_size=4)), max_leaves=15), st.booleans())
def test_any_json_as_a_schema_loads_or_raises_schema_error(schema, formats):
    try:
        validator = Validator(schema, formats=formats)
    except SchemaError as error:
        assert error.reason and str(error).startswith(error.path or "schema")
    else:
        assert validator.is_valid({"a": [1]}) in (True, False)
