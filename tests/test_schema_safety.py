"""Hostile schemas and hostile values: an answer in bounded time, and never another exception than SchemaError at load."""

import time

import pytest
from schema_helpers import make_hot

from mcplite.schema import SchemaError, Validator

SECONDS = 8         # far above what any of these takes, far below what they would take without bounds


@pytest.fixture(autouse=True)
def in_time():
    start = time.time()
    yield
    assert time.time() - start < SECONDS


def nested(levels, inner=None):
    value = inner
    for _ in range(levels):
        value = [value]
    return value


def chain(keyword, count=60, **more):
    """2**count tests of one value, written in count lines."""
    defs = {"a%d" % n: {keyword: [{"$ref": "#/$defs/a%d" % (n + 1)}] * 2} for n in range(count)}
    defs["a%d" % count] = {"type": "integer"}
    return dict({"$defs": defs, "$ref": "#/$defs/a0"}, **more)


@pytest.mark.parametrize("schema, value, verdict", [
    (chain("allOf"), 1, True), (chain("allOf"), "x", False), (chain("anyOf"), "x", False), (chain("oneOf"), 1, False),
    (chain("allOf", unevaluatedProperties=False), 1, True),
    ({"anyOf": [{"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]},
                {"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a", "b"]}, {"type": "integer"}]},
     {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": "x"}}}}}}}}}}}}}}}},
     False),
    ({"$defs": {"n": {"contains": {"$ref": "#/$defs/n"}, "items": {"$ref": "#/$defs/n"}}}, "$ref": "#/$defs/n"},
     nested(60, []), False),
])
def test_composition_does_a_bounded_amount_of_work(schema, value, verdict):
    validator = Validator(schema)
    assert validator.is_valid(value) is verdict
    assert (validator.problems(value) == []) is verdict
    make_hot(validator)
    for _ in range(3):
        assert validator.is_valid(value) is verdict
    from mcplite.schema.generated import generate_test
    assert generate_test(validator._tree, validator._tree.node(validator._tree.root))(value) is verdict


def test_what_was_remembered_of_a_value_is_forgotten_before_the_next():
    schema = {"anyOf": [{"$ref": "#/$defs/a0"}, {"$ref": "#/$defs/last"}], "$defs": chain("anyOf")["$defs"]}
    schema["$defs"]["last"] = {"items": {"type": "integer"}}
    validator, value = Validator(schema), [1, "x"]
    assert validator.is_valid(value) is False
    value.pop()
    assert validator.is_valid(value) is True


def test_unevaluated_in_unevaluated_in_unevaluated():
    schema = True
    for n in range(40):
        schema = {"unevaluatedProperties": False, "allOf": [schema], "properties": {"p%d" % n: True}}
    assert Validator(schema).is_valid({}) is True
    assert Validator(schema).is_valid({"q": 1}) is False


def test_dynamic_scopes_do_not_multiply():
    defs = {"d%d" % n: {"$id": "d%d" % n, "$dynamicAnchor": "n", "properties": {
        "k": {"anyOf": [{"$ref": "d%d" % other} for other in range(12) if other != n]}}} for n in range(12)}
    schema = {"$id": "http://x/", "$dynamicAnchor": "n", "$defs": defs, "$ref": "d0",
              "properties": {"a": {"$dynamicRef": "#n"}}}
    assert Validator(schema).is_valid({"k": {"k": {"a": 1}}}) is True


def endless():
    schema = {}
    schema["allOf"] = [schema]
    return schema


def doubled():
    schema = True
    for _ in range(60):
        schema = {"allOf": [schema, schema]}
    return schema


def deep():
    schema = {"type": "integer"}
    for _ in range(20000):
        schema = {"not": schema}
    return schema


@pytest.mark.parametrize("make", [endless, doubled, deep])
@pytest.mark.parametrize("more", [{}, {"$id": "http://x/"}])
def test_schemas_without_end_are_refused(make, more):
    with pytest.raises(SchemaError, match="nested too deeply|too many subschemas|too large"):
        Validator(dict(make(), **more))


@pytest.mark.parametrize("more", [{}, {"$id": "http://x/"}])
def test_how_deep_a_schema_may_be(more):
    for levels, fits in ((150, True), (250, False)):
        schema = {"type": "integer"}
        for _ in range(levels):
            schema = {"not": schema}
        if fits:
            assert Validator(dict(schema, **more)).is_valid(1) is True
        else:
            with pytest.raises(SchemaError, match="nested too deeply"):
                Validator(dict(schema, **more))


@pytest.mark.parametrize("schema", [
    {"items": {"$ref": "#"}}, {"uniqueItems": True, "maxItems": 0}, {"const": nested(100000)},
    {"type": "object"}, {"items": {"anyOf": [{"type": "null"}, {"$ref": "#"}]}, "type": "array"},
    {"$dynamicAnchor": "n", "items": {"$dynamicRef": "#n"}},
])
def test_a_bomb_of_depth_is_not_valid(schema):
    validator = Validator(schema)
    bomb = nested(100000)
    assert validator.is_valid(bomb) is False
    assert len(validator.problems(bomb)) == 1


def test_depths_that_people_use_are_judged():
    schema = {"$ref": "#/$defs/n", "$defs": {"n": {"type": "object", "properties": {"kids": {
        "type": "array", "items": {"$ref": "#/$defs/n"}}}}}}
    validator = Validator(schema)
    for depth, verdict in ((1, True), (50, True), (5000, False)):
        value = {}
        for _ in range(depth):
            value = {"kids": [value]}
        assert validator.is_valid(value) is verdict
    assert validator.problems(value)[0]["message"] == (
        "does not match the schema; it is nested too deeply, or not plain JSON, to say where")


def test_a_value_that_holds_itself_is_not_valid():
    value = []
    value.append(value)
    assert Validator({"items": {"$ref": "#"}}).is_valid(value) is False


class Odd:
    """A Python object that answers nothing."""
    __hash__ = None

    @property
    def __class__(self):
        raise RuntimeError

    def __eq__(self, other):
        raise RuntimeError

    def __repr__(self):
        raise RuntimeError


class OddDict(dict):
    def items(self):
        raise RuntimeError

    def __iter__(self):
        raise RuntimeError

    def __contains__(self, name):
        raise RuntimeError


class OddList(list):
    def __len__(self):
        raise RuntimeError

    def __iter__(self):
        raise RuntimeError


@pytest.mark.parametrize("schema", [
    {"const": 1}, {"enum": ["a", 1, None]}, {"type": "object", "required": ["a"]}, {"properties": {"a": {"type": "string"}}},
    {"uniqueItems": True}, {"multipleOf": 2}, {"minLength": 1}, {"anyOf": [{"type": "string"}, {"const": 1}]},
    {"additionalProperties": False}, {"items": {"type": "integer"}}, {"unevaluatedProperties": False}, {"pattern": "a"},
    {"propertyNames": {"pattern": "a"}}, {"contains": {"const": 1}}, {"not": {"const": 1}}, {"minItems": 1},
])
@pytest.mark.parametrize("make", [Odd, lambda: [Odd(), Odd()], lambda: {"a": Odd(), 1: 2}, lambda: OddDict(a=1),
                                  lambda: OddList([1]), lambda: {1, 2}, lambda: b"a", lambda: float("nan"), object])
def test_odd_values_never_raise(schema, make):
    validator = Validator(schema)
    value = make()
    verdict = validator.is_valid(value)
    assert verdict is True or verdict is False
    assert isinstance(validator.problems(value), list)
    make_hot(validator)
    assert validator.is_valid(value) is verdict
    assert isinstance(validator.problems(value), list)


def test_numbers_chosen_to_collide_are_still_told_apart_quickly():
    assert Validator({"uniqueItems": True}).is_valid([n * (2 ** 61 - 1) for n in range(50000)]) is True


def test_explaining_is_bounded():
    validator = Validator({"items": {"type": "string"}})
    assert len(validator.problems(list(range(100000)))) == 50
    names = {"abcdef%d" % n: {} for n in range(2000)}
    closed = Validator({"properties": names, "additionalProperties": False})
    assert len(closed.problems({"abcdeg%d" % n: 1 for n in range(2000)})) == 50


def test_deep_and_wide_values_are_explained_in_time():
    value = ["x"] * 50000
    for _ in range(100):
        value = [1, value]
    validator = Validator({"anyOf": [{"type": "array", "items": {"$ref": "#"}}, {"type": "integer"}]})
    assert validator.is_valid(value) is False
    assert validator.problems(value) != []


WIDE = [[7] * 500 + [n] for n in range(400)]


@pytest.mark.parametrize("schema, value, verdict", [
    ({"items": {"enum": list(range(50000))}}, list(range(49999, 0, -1)), True),
    ({"items": {"enum": [[n] for n in range(20000)]}}, [[n] for n in range(19999, -1, -1)], True),
    ({"items": {"enum": [[n] for n in range(20000)]}}, [[n] for n in range(20001)], False),
    ({"items": {"enum": [n * (2 ** 61 - 1) for n in range(20000)]}}, [n * (2 ** 61 - 1) for n in range(20000)], True),
    ({"uniqueItems": True}, WIDE, True), ({"uniqueItems": True}, WIDE + [WIDE[-1]], False),
    ({"format": "regex"}, "\\p{L}" * 200000, False),
    ({"additionalProperties": False, "properties": {"ab" * 18 + "%04d" % n: True for n in range(200)}},
     {"ba" * 18 + "%04d" % n: 1 for n in range(200)}, False),
])
def test_what_grows_with_the_schema_and_the_value_does_not_multiply(schema, value, verdict):
    validator = Validator(schema, formats="format" in schema)
    assert validator.is_valid(value) is verdict
    assert (validator.problems(value) == []) is verdict
    make_hot(validator)
    assert validator.is_valid(value) is verdict


@pytest.mark.parametrize("values, good, bad", [
    ([10 ** 20, 1, "a"], 10 ** 20, 10 ** 20 + 1), ([2 ** 60, 2], 2.0 ** 60, 2 ** 60 + 1), ([2.0 ** 60, 2, 3], 2 ** 60, 2 ** 60 + 1),
    ([float(n) for n in range(90)], 89, True), ([[n] for n in range(90)] + ["a", 3], [89.0], [True]),
    ([[n] for n in range(90)] + [True], True, 1), ([{"a": n} for n in range(90)] + [None], None, {}),
])
def test_members_of_an_enum_however_they_are_looked_up(values, good, bad):
    validator = Validator({"enum": values})
    for _ in range(2):
        assert validator.is_valid(good) is True and validator.is_valid(bad) is False
        assert validator.problems(good) == [] and validator.problems(bad) != []
        make_hot(validator)
        from mcplite.schema.generated import generate_test
        validator.is_valid = generate_test(validator._tree, validator._tree.node(validator._tree.root))


class Unhashable(str):
    __hash__ = None


@pytest.mark.parametrize("schema", [
    OddDict(type="string"), {"properties": OddDict(a=1)}, {"type": [Unhashable("string")]}, {"required": [Unhashable("a")]},
    {"pattern": Unhashable("a")}, {"$id": "http://x/", "const": OddDict(a=1)}, {"enum": OddList([1])},
])
def test_odd_objects_in_a_schema_are_a_schema_error(schema):
    with pytest.raises(SchemaError, match="is not plain JSON: reading it ends in (Runtime|Type)Error"):
        Validator(schema)


def test_documents_without_uris_are_refused():
    with pytest.raises(SchemaError, match="documents must be an object of schemas by their URIs"):
        Validator({"$ref": "http://x/"}, documents={1: True})


def test_a_reason_is_short_whatever_the_schema_holds():
    with pytest.raises(SchemaError) as error:
        Validator({"$ref": "x" * 100000})
    assert len(str(error.value)) < 500
