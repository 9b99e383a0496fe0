"""Field reports, kind 9: what other validators got wrong."""
import pytest
from schema_helpers import DRAFT_07, judge

from mcplite.schema import SchemaError, Validator


def verdict(schema, value):
    return judge(Validator(schema), value)


@pytest.mark.parametrize("schema, value, valid", [
    ({"enum": [1]}, True, False), ({"const": False}, 0, False), ({"enum": [[0], {"a": 1}]}, [False], False),
    ({"enum": [[0], {"a": 1}]}, {"a": True}, False), ({"enum": [[0], {"a": 1}]}, [0.0], True), ({"enum": [1]}, 1.0, True),
    ({"uniqueItems": True}, [1, True], True), ({"uniqueItems": True}, [[1], [True]], True), ({"uniqueItems": True}, [1, 1.0], False),
    ({"uniqueItems": True}, [{"a": 0}, {"a": False}], True), ({"uniqueItems": True}, [{"a": 0}, {"a": 0.0}], False),
    ({"type": "integer"}, 8.0, True), ({"type": "integer"}, 8.5, False), ({"type": "integer"}, True, False)])
def test_fr068_equality_is_that_of_json(schema, value, valid):
    assert verdict(schema, value) is valid


@pytest.mark.parametrize("pattern, text, valid", [
    ("^[a-z]{2}$", "ab", True), ("^[a-z]{2}$", "ab\n", False), ("^[a-z]{2}$", "ab\n\n", False), ("b+", "abc", True),
    ("b+", "ac", False), ("[$]", "$", True), ("[$]", "x", False), ("\\$", "5$", True), ("\\$", "5", False)])
def test_fr070_patterns_are_those_of_ecma_262(pattern, text, valid):
    assert verdict({"pattern": pattern}, text) is valid


BESIDE = {"$defs": {"w": {"type": "string"}}, "properties": {"k": {"$ref": "#/$defs/w", "minLength": 3}}}
BESIDE_07 = {"$schema": DRAFT_07, "definitions": {"w": {"type": "string"}},
             "properties": {"k": {"$ref": "#/definitions/w", "minLength": 3}}}


def test_fr073_keywords_beside_a_reference_count_by_dialect():
    assert verdict(BESIDE, {"k": "ab"}) is False and verdict(BESIDE, {"k": "abc"}) is True
    assert verdict(BESIDE_07, {"k": "ab"}) is True and verdict(BESIDE_07, {"k": 5}) is False


def test_fr073_an_unknown_dialect_is_refused_at_load():
    with pytest.raises(SchemaError, match="dialect|\\$schema"):
        Validator(dict(BESIDE, **{"$schema": "http://json-schema.org/draft-04/schema#"}))


TREE = {"$defs": {"n": {"type": "object", "properties": {"name": {"type": "string"}, "kids": {
    "type": "array", "items": {"$ref": "#/$defs/n"}}}, "required": ["name"]}}, "$ref": "#/$defs/n"}


def tree(depth, leaf):
    for _ in range(depth):
        leaf = {"name": "n", "kids": [leaf]}
    return leaf


@pytest.mark.parametrize("depth", [1, 50])
def test_fr074_a_recursive_schema_judges_to_the_leaf(depth):
    assert verdict(TREE, tree(depth, {"name": "leaf"})) is True
    assert verdict(TREE, tree(depth, {"kids": []})) is False


def test_fr074_a_value_that_is_too_deep_is_a_problem_not_a_crash():
    validator = Validator(TREE)
    deep = tree(5000, {"name": "leaf"})
    assert validator.is_valid(deep) is False
    assert any("deep" in problem["message"] for problem in validator.problems(deep))


@pytest.mark.parametrize("schema", [
    {"$defs": {"a": {"allOf": [{"$ref": "#/$defs/a"}]}}, "$ref": "#/$defs/a"}, {"$ref": "#"}])
def test_fr074_a_reference_that_leads_nowhere_else_is_refused(schema):
    with pytest.raises(SchemaError):
        Validator(schema)


@pytest.mark.parametrize("reference", ["#/$defs/a~1b", "#/$defs/c~0d", "#/$defs/e%25f", "#/$defs/g%20h"])
def test_fr074_pointers_are_decoded(reference):
    kinds = {name: {"type": "integer"} for name in ("a/b", "c~d", "e%f", "g h")}
    assert verdict({"$defs": kinds, "$ref": reference}, 1) is True
    assert verdict({"$defs": kinds, "$ref": reference}, "1") is False
