"""The validator from outside: exact texts of what it says about values and about schemas, and how it is loaded."""

import os
import subprocess
import sys

import pytest
from schema_helpers import DRAFT_07, REPO, judge, texts

from mcplite.schema import HOT_CALLS, SchemaError, Validator, problem_text


def thing(properties, required=(), **more):
    return dict({"type": "object", "properties": properties, "required": list(required)}, **more)


INTEGER, STRING, NUMBER = {"type": "integer"}, {"type": "string"}, {"type": "number"}


@pytest.mark.parametrize("schema, value, expected", [
    (thing({"quantity": INTEGER}), {"quantity": "3"}, '/quantity type expected integer, got string "3"'),
    (thing({"n": INTEGER}), {"n": None}, '/n type expected integer, got null; omit "n" instead of sending null'),
    (thing({"n": INTEGER}, ["n"]), {"n": None}, "/n type expected integer, got null"),
    (thing({"n": INTEGER}, ["n"]), {}, ' required required property "n" is missing'),
    (thing({"user": {"type": "object"}}), {"user": '{"a":1}'},
     '/user type expected object, got string "{\\"a\\":1}"; send the object itself, not its JSON in a string'),
    (thing({"max_depth": INTEGER, "q": STRING}, additionalProperties=False), {"depth": 3},
     '/depth additionalProperties unknown property "depth"; known: "max_depth", "q"; did you mean "max_depth"?'),
    (thing({"q": STRING}, additionalProperties=False), {"zzzz": 3},
     '/zzzz additionalProperties unknown property "zzzz"; known: "q"'),
    ({"additionalProperties": False}, {"a": 3},
     '/a additionalProperties unknown property "a"; no properties are allowed here'),
    ({"enum": ["read", "write"]}, "raed", ' enum expected one of "read", "write", got string "raed"; did you mean "read"?'),
    ({"enum": []}, 1, " enum expected nothing (no value is allowed here), got integer 1"),
    ({"const": 1}, True, " const expected 1, got boolean true"),
    ({"enum": list(range(25))}, "a", " enum expected one of " + ", ".join(map(str, range(20))) + ', and 5 more, got string "a"'),
    (thing({"abcdefghijkl": STRING, "path_x": STRING}, additionalProperties=False), {"path": 3},
     '/path additionalProperties unknown property "path"; known: "abcdefghijkl", "path_x"; did you mean "path_x"?'),
    (thing({"output_directory": STRING, "output_dir_2": STRING}, additionalProperties=False), {"out": 3},
     '/out additionalProperties unknown property "out"; known: "output_directory", "output_dir_2"; did you mean "output_dir_2"?'),
    ({"minimum": 1}, 0, " minimum expected at least 1, got 0"),
    ({"maximum": 1}, 1.5, " maximum expected at most 1, got 1.5"),
    ({"exclusiveMinimum": 1}, 1, " exclusiveMinimum expected more than 1, got 1"),
    ({"exclusiveMaximum": 1}, 1, " exclusiveMaximum expected less than 1, got 1"),
    ({"multipleOf": 0.01}, 0.001, " multipleOf expected a multiple of 0.01, got 0.001"),
    ({"minLength": 2}, "\U0001f600", " minLength expected at least 2 characters, got 1"),
    ({"maxLength": 1}, "ab", " maxLength expected at most 1 character, got 2"),
    ({"pattern": "^a"}, "b", ' pattern expected text that matches "^a", got "b"'),
    ({"minItems": 1}, [], " minItems expected at least 1 item, got 0"),
    ({"maxItems": 1}, [1, 2], " maxItems expected at most 1 item, got 2"),
    ({"minProperties": 2}, {}, " minProperties expected at least 2 properties, got 0"),
    ({"maxProperties": 0}, {"a": 1}, " maxProperties expected at most 0 properties, got 1"),
    ({"uniqueItems": True}, [1, True, 1.0], " uniqueItems items 0 and 2 are equal; every item must differ"),
    ({"contains": STRING, "minContains": 2}, [1, "a"],
     ' contains expected at least 2 of the items to match "contains", got 1 of 2'),
    ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, ' dependentRequired property "b" is required when "a" is there'),
    ({"propertyNames": {"maxLength": 1}}, {"ab": 1}, ' maxLength property name "ab": expected at most 1 character, got 2'),
    ({"not": {"type": "null"}}, None, " not must not be null"),
    ({"not": {"required": ["a", "b"]}}, {"a": 1, "b": 1}, ' not must not have "a" and "b" together'),
    ({"items": False}, [1], " items expected at most 0 items, got 1"),
    ({"prefixItems": [INTEGER], "items": STRING}, ["a", 1],
     "/0 type expected integer, got string \"a\"\n/1 type expected string, got integer 1"),
    ({"properties": {"a": False}}, {"a": 1}, "/a false nothing is allowed here, got integer 1"),
    ({"if": INTEGER, "then": {"minimum": 5}}, 3, " minimum expected at least 5, got 3"),
    ({"allOf": [thing({"a": INTEGER})], "unevaluatedProperties": False}, {"a": 1, "b": 2},
     '/b unevaluatedProperties unknown property "b"'),
    ({"prefixItems": [True], "unevaluatedItems": False}, [1, 2], "/1 unevaluatedItems no schema here allows for this item"),
    ({"patternProperties": {"^x": INTEGER}}, {"x/y": "a"}, '/x~1y type expected integer, got string "a"'),
    (NUMBER, float("inf"), " type expected number, got number inf; JSON numbers are finite"),
    (STRING, ["a"], " type expected string, got array of 1 item"),
    ({"type": ["string", "null", "boolean"]}, {}, " type expected string, null or boolean, got object"),
])
def test_what_it_says_about_a_value(schema, value, expected):
    assert "\n".join(texts(schema, value)) == expected
    validator = Validator(schema)
    for _ in range(150):            # hot, the texts are the same
        found = validator.problems(value)
    assert "\n".join("%s %s %s" % (problem["path"], problem["keyword"], problem["message"]) for problem in found) == expected
    assert judge(validator, value) is False


SHAPES = {"oneOf": [
    thing({"kind": {"const": "circle"}, "r": NUMBER}, ["kind", "r"]),
    thing({"kind": {"const": "box"}, "w": NUMBER, "h": NUMBER}, ["kind", "w", "h"]),
    {"type": "null"},
]}


@pytest.mark.parametrize("value, expected", [
    ({"kind": "box", "w": 1, "h": "2"}, ['/h type expected number, got string "2" (the closest of 2 forms)']),
    ({"kind": "cube"}, ['/kind oneOf expected "circle" or "box", got string "cube"']),
    (3, [" oneOf expected object or null, got integer 3"]),
])
def test_the_branch_that_came_closest(value, expected):
    assert texts(SHAPES, value) == expected


def test_more_than_one_form():
    assert texts({"oneOf": [NUMBER, {"minimum": 5}, STRING]}, 6) == [
        " oneOf matches 2 of the allowed forms (oneOf/0, oneOf/1); exactly one may match"]


def test_an_optional_that_is_wrong_names_its_own_problem():
    schema = thing({"a": {"anyOf": [{"type": "array", "items": STRING}, {"type": "null"}]}})
    assert texts(schema, {"a": ["x", 2]}) == ["/a/1 type expected string, got integer 2"]


def test_paths_into_the_schema_go_through_refs():
    schema = {"$ref": "#/$defs/n", "$defs": {"n": thing({"kids": {"type": "array", "items": {"$ref": "#/$defs/n"}}})}}
    assert Validator(schema).problems({"kids": [{"kids": 1}]}) == [{
        "path": "/kids/0/kids", "keyword": "type", "message": "expected array, got integer 1",
        "schema_path": "/$ref/properties/kids/items/$ref/properties/kids/type"}]


def test_problems_of_a_right_value_are_none():
    assert Validator(thing({"a": INTEGER})).problems({"a": 3.0}) == []


def test_an_integer_too_long_for_python_to_write():
    assert texts(STRING, 10 ** 5000) == [" type expected string, got integer (a huge integer)"]


def test_problem_text_shows_five_and_counts_the_rest():
    validator = Validator({"items": STRING})
    assert problem_text(validator.problems([1])) == "/0: expected string, got integer 1"
    text = problem_text(validator.problems(list(range(8))))
    assert text == "; ".join("/%d: expected string, got integer %d" % (n, n) for n in range(5)) + "; and 3 more"


@pytest.mark.parametrize("schema, path, reason", [
    (3, "", "must be a schema: an object, true or false"),
    ({"type": "int"}, "/type",
     "must be one of array, boolean, integer, null, number, object, string, or a non-empty array of them"),
    ({"type": []}, "/type",
     "must be one of array, boolean, integer, null, number, object, string, or a non-empty array of them"),
    ({"properties": {"a/b": {"minLength": -1}}}, "/properties/a~1b/minLength", "must be an integer, 0 or more"),
    ({"required": True}, "/required", "must be an array of strings"),
    ({"required": ["a", "a"]}, "/required", "must not name a property twice"),
    ({"exclusiveMinimum": True}, "/exclusiveMinimum", "must be a number; a bound of its own since draft-06"),
    ({"items": [{}]}, "/items", "must be a schema; an array of schemas is draft-07: write prefixItems"),
    ({"anyOf": []}, "/anyOf", "must be a non-empty array of schemas"),
    ({"enum": "a"}, "/enum", "must be an array"),
    ({"multipleOf": 0}, "/multipleOf", "must be a number above 0"),
    ({"minimum": float("nan")}, "/minimum", "must be a number"),
    ({"$ref": "#/$defs/Gone"}, "/$ref", '"#/$defs/Gone" leads nowhere in this schema'),
    ({"allOf": [True], "$ref": "#/allOf/\u00b2"}, "/$ref", '"#/allOf/\u00b2" leads nowhere in this schema'),
    ({"allOf": [True, True], "$ref": "#/allOf/01"}, "/$ref", '"#/allOf/01" leads nowhere in this schema'),
    ({"allOf": [True], "$ref": "#/allOf/4294967296"}, "/$ref", '"#/allOf/4294967296" leads nowhere in this schema'),
    ({"$ref": "#gone"}, "/$ref", '"#gone" leads nowhere: there is no anchor "gone"'),
    ({"$ref": "https://example.com/s"}, "/$ref",
     '"https://example.com/s" is not known here and never fetched; hand it over in documents'),
    ({"$ref": "#"}, "", 'refers to itself without end (through "#")'),
    ({"$defs": {"a": {"allOf": [{"$ref": "#/$defs/a"}]}}, "$ref": "#/$defs/a"}, "",
     'refers to itself without end (through "#/$defs/a")'),
    ({"$schema": "http://json-schema.org/draft-04/schema#"}, "/$schema",
     'the dialect "http://json-schema.org/draft-04/schema" is not supported; 2020-12 and draft-07 are'),
    ({"properties": {"a": {"$schema": "https://json-schema.org/draft/2019-09/schema"}}}, "/properties/a/$schema",
     'the dialect "https://json-schema.org/draft/2019-09/schema" is not supported; 2020-12 and draft-07 are'),
    ({"$recursiveRef": "#"}, "/$recursiveRef", "is a keyword of 2019-09; in 2020-12 write $dynamicRef and $dynamicAnchor"),
    ({"$anchor": "1"}, "/$anchor", "must be a letter or _, then letters, digits, -, _ or ."),
    ({"$id": "a#b"}, "/$id", "must not have a fragment; write $anchor"),
    ({"pattern": "a\\Z"}, "/pattern", "the pattern has \\Z, which is not ECMA-262: write $"),
])
def test_what_it_says_about_a_schema(schema, path, reason):
    with pytest.raises(SchemaError) as error:
        Validator(schema)
    assert (error.value.path, error.value.reason) == (path, reason)
    assert str(error.value) == "%s: %s" % (path or "schema", reason)
    assert isinstance(error.value, ValueError)


@pytest.mark.parametrize("keyword", ["unevaluatedItems", "if", "multipleOf", "$id", "patternProperties", "$dynamicRef"])
def test_a_copy_without_the_other_modules_refuses_by_name(keyword, monkeypatch):
    if os.environ.get("MCPLITE_SINGLE"):
        pytest.skip("the single file has every module")
    monkeypatch.setitem(sys.modules, "mcplite.schema.documents", None)
    with pytest.raises(SchemaError) as error:
        Validator({"properties": {"a": {keyword: {}}}})
    assert str(error.value) == '/properties/a/%s: "%s" needs the module schema.documents, which this copy of mcplite lacks' % (
        keyword, keyword)


@pytest.mark.parametrize("keyword, module", [("pattern", "schema.patterns"), ("$ref", "schema.references")])
def test_a_copy_without_patterns_or_references_refuses_them(keyword, module, monkeypatch):
    if os.environ.get("MCPLITE_SINGLE"):
        pytest.skip("the single file has every module")
    monkeypatch.setitem(sys.modules, "mcplite." + module, None)
    with pytest.raises(SchemaError) as error:
        Validator({keyword: "#/a", "a": True})
    assert str(error.value) == '/%s: "%s" needs the module %s, which this copy of mcplite lacks' % (keyword, keyword, module)


def test_a_copy_without_explanations_and_generated_code_still_judges(monkeypatch):
    if os.environ.get("MCPLITE_SINGLE"):
        pytest.skip("the single file has every module")
    monkeypatch.setitem(sys.modules, "mcplite.schema.explain", None)
    monkeypatch.setitem(sys.modules, "mcplite.schema.generated", None)
    validator = Validator(INTEGER)
    assert [validator.is_valid(1) for _ in range(HOT_CALLS + 5)] == [True] * (HOT_CALLS + 5)
    assert validator.problems("a") == [
        {"path": "", "keyword": "", "schema_path": "", "message": "does not match the schema"}]


def test_a_hot_schema_gets_generated_code():
    validator = Validator(thing({"a": INTEGER}))
    first = validator.is_valid
    for _ in range(HOT_CALLS + 1):
        assert validator.is_valid({"a": 1})
    assert validator.is_valid is not first
    assert validator.is_valid.__code__.co_filename == "<schema>"


def test_a_large_array_makes_a_schema_hot_at_once():
    validator = Validator({"items": INTEGER})
    assert validator.is_valid(list(range(2000)))
    assert validator.is_valid([1])
    assert validator.is_valid.__code__.co_filename == "<schema>"


def test_everyday_schemas_load_no_other_module():
    code = ("import sys; sys.path.insert(0, %r); from mcplite.schema import Validator;"
            "v = Validator({'$schema': %r, 'type': 'object', 'properties': {'a': {'anyOf': [{'type': 'integer'},"
            "{'enum': ['x']}]}, 'b': {'items': {'type': 'string', 'maxLength': 3}}}, 'required': ['a']});"
            "assert v.is_valid({'a': 'x'}) and not v.is_valid({});"
            "print(sorted(m for m in sys.modules if m in ('re', 'json', 'enum', 'typing') or m.startswith('mcplite.schema.')))"
            % (REPO, DRAFT_07))
    if os.environ.get("MCPLITE_SINGLE"):
        pytest.skip("the single file has every module")
    done = subprocess.run([sys.executable, "-S", "-c", code], stdout=subprocess.PIPE, check=True)
    everyday = ["mcplite.schema." + name for name in ("keywords", "tree")]
    assert done.stdout.decode().strip() == repr(everyday)


def test_the_schema_is_kept_as_it_was():
    schema = {"$id": "http://x/", "properties": {"a": {"$ref": "#/$defs/b"}}, "$defs": {"b": INTEGER}}
    before = repr(schema)
    validator = Validator(schema)
    validator.is_valid({"a": 1})
    assert validator.schema is schema and repr(schema) == before


def test_documents_are_found_by_uri_and_by_their_own_id():
    schema = {"properties": {"a": {"$ref": "http://x/int"}, "b": {"$ref": "http://y/own#s"}}}
    documents = {"http://x/int": INTEGER, "http://z/": {"$id": "http://y/own", "$defs": {"q": {"$anchor": "s", "type": "string"}}}}
    validator = Validator(schema, documents=documents)
    assert judge(validator, {"a": 1, "b": "x"}) is True
    assert judge(validator, {"a": "1"}) is False
    assert judge(validator, {"b": 1}) is False


def test_a_wrong_document_is_named():
    with pytest.raises(SchemaError) as error:
        Validator({"$ref": "http://x/a"}, documents={"http://x/a": {"type": "int"}})
    assert str(error.value).startswith('/type: in the document "http://x/a": must be one of')


def test_a_dialect_may_be_described_by_a_document_with_its_vocabularies():
    meta = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "http://x/meta",
            "$vocabulary": {"https://json-schema.org/draft/2020-12/vocab/core": True,
                            "https://json-schema.org/draft/2020-12/vocab/applicator": True}}
    schema = {"$schema": "http://x/meta", "properties": {"a": {"minimum": 5}, "b": False}}
    validator = Validator(schema, documents={"http://x/meta": meta})
    assert judge(validator, {"a": 1}) is True
    assert judge(validator, {"b": 1}) is False
    meta["$vocabulary"]["http://x/unknown"] = True
    with pytest.raises(SchemaError, match='needs the vocabulary "http://x/unknown", which is not known here'):
        Validator(schema, documents={"http://x/meta": meta})


@pytest.mark.parametrize("schema, good, bad", [
    ({"$schema": DRAFT_07, "definitions": {"w": STRING}, "properties": {"k": {"$ref": "#/definitions/w", "minLength": 3}}},
     {"k": "ab"}, {"k": 1}),
    ({"definitions": {"w": STRING}, "properties": {"k": {"$ref": "#/definitions/w", "minLength": 3}}},
     {"k": "abc"}, {"k": "ab"}),
    ({"$schema": DRAFT_07, "items": [INTEGER], "additionalItems": False}, [1], [1, 2]),
    ({"$schema": DRAFT_07, "items": [INTEGER], "additionalItems": STRING}, [1, "a"], [1, 2]),
    ({"$schema": DRAFT_07, "items": INTEGER, "additionalItems": False}, [1, 2], ["a"]),
    ({"$schema": DRAFT_07, "dependencies": {"a": ["b"]}}, {"a": 1, "b": 1}, {"a": 1}),
    ({"$schema": DRAFT_07, "dependencies": {"a": {"maxProperties": 1}}}, {"a": 1}, {"a": 1, "b": 1}),
    ({"$schema": DRAFT_07, "if": INTEGER, "then": {"minimum": 2}, "else": STRING}, "a", 1),
    ({"$schema": DRAFT_07, "contains": INTEGER}, ["a", 1], ["a"]),
    ({"$schema": DRAFT_07, "prefixItems": [INTEGER], "type": "array"}, ["a"], {}),         # no keyword of draft-07
    ({"$schema": DRAFT_07, "definitions": {"a": {"$id": "#here", "type": "null"}}, "$ref": "#here"}, None, 1),
    ({"$schema": DRAFT_07, "$id": "http://x/a/b", "definitions": {"c": {"$id": "c", "type": "null"}},
      "properties": {"p": {"$ref": "http://x/a/c"}}}, {"p": None}, {"p": 1}),
    ({"properties": {"old": {"$schema": DRAFT_07, "$id": "http://x/old", "items": [INTEGER]}, "new": {
        "prefixItems": [STRING]}}}, {"old": [1], "new": ["a"]}, {"old": ["a"]}),            # the dialect changes inside
])
def test_draft_07_and_what_it_reads_differently(schema, good, bad):
    validator = Validator(schema)
    assert judge(validator, good) is True
    assert judge(validator, bad) is False


@pytest.mark.parametrize("schema, good, bad", [
    ({"enum": [1]}, 1.0, True), ({"const": False}, False, 0), ({"enum": [[0], {"a": 1}]}, [0.0], [False]),
    ({"enum": [{"a": 1}]}, {"a": 1.0}, {"a": True}), ({"uniqueItems": True}, [1, True], [1, 1.0]),
    ({"uniqueItems": True}, [[1], [True]], [[1], [1.0]]), ({"uniqueItems": True}, [{"a": 0}, {"a": False}], [{}, {}]),
    ({"uniqueItems": True}, ["1", 1, "i1", None, "n"], ["a", "a"]), (INTEGER, 8.0, 8.5), (INTEGER, 10 ** 400, True),
    ({"multipleOf": 0.1}, 0.3, 0.35), ({"multipleOf": 0.01}, 19.99, 19.999), ({"multipleOf": 1e-8}, 12391239123, 1e-9),
    ({"multipleOf": 3}, 10 ** 30 - 1, 10 ** 30), ({"maximum": 2 ** 53}, 2 ** 53, 2 ** 53 + 1),
    ({"maxLength": 1}, "\U0001f600", "é" * 2), ({"pattern": "^[a-z]{2}$"}, "ab", "ab\n"), (NUMBER, 1e308, float("inf")),
    ({"const": [1]}, [1.0], [1, 2]), ({"const": [1, 2]}, [1, 2], [1]), ({"const": {"a": 1}}, {"a": 1}, {"a": 1, "b": 2}),
    ({"$ref": "#/$defs/~01", "$defs": {"~1": INTEGER, "/": STRING}}, 1, "a"),
    ({"$ref": "#/$defs/a%20b%25", "$defs": {"a b%": INTEGER}}, 1, "a"),
    ({"properties": {"a": {"type": "integer"}}, "required": ["__class__"]}, {"__class__": 1, "a": 1}, {"a": 1}),
])
def test_exactness(schema, good, bad):
    validator = Validator(schema)
    assert judge(validator, good) is True
    assert judge(validator, bad) is False


def test_a_const_that_its_type_forbids_is_never_met():
    schema = {"anyOf": [{"type": "string", "const": ["a"]}, {"type": "integer"}]}
    assert judge(Validator(schema), ["a"]) is False


def test_cheap_keywords_come_before_patterns_and_those_before_composition():
    schema = {"not": {"const": "b"}, "pattern": "a", "maxLength": 3, "enum": ["a"], "$ref": "#/$defs/a", "type": "string",
              "$defs": {"a": True}}
    tree = Validator(schema)._tree
    assert [rule[1] for rule in tree.node(tree.root).rules] == ["type", "enum", "maxLength", "pattern", "$ref", "not"]


@pytest.mark.parametrize("base, reference", [
    ("http://x/a/b", "../c"), ("http://x/a/b", "./../c"), ("http://x/a", "../../c"), ("http://x", "c"), ("http://x/y/z", "/a/../c"),
])
def test_relative_references_are_resolved_as_uris_are(base, reference):
    schema = {"$id": base, "$ref": reference, "$defs": {"c": {"$id": "http://x/c", "type": "integer"}}}
    assert judge(Validator(schema), 1) is True
    assert judge(Validator(schema), "a") is False


@pytest.mark.parametrize("schema, documents, message", [
    ({"$id": "http://x/", "$defs": {"a": {"$id": "a"}, "b": {"$id": "a"}}}, None, '/$defs/b/$id: two schemas have the URI "http://x/a"'),
    ({"$schema": "http://x/m"}, {"http://x/m": {"$schema": "http://x/m"}},
     '/$schema: the dialect "http://x/m" describes itself; it must build on 2020-12 or draft-07'),
])
def test_uris_that_mislead_are_refused(schema, documents, message):
    with pytest.raises(SchemaError) as error:
        Validator(schema, documents=documents)
    assert str(error.value) == message


def test_a_wrong_document_that_nobody_asks_for_does_no_harm():
    documents = {"http://w/": {"type": 3}, "http://z/": {"$id": "http://y/own", "type": "integer"}, "http://f/#": {"type": "null"}}
    assert judge(Validator({"$ref": "http://y/own"}, documents=documents), 1) is True
    assert judge(Validator({"$ref": "http://f/"}, documents=documents), 1) is False


@pytest.mark.parametrize("schema, good, bad", [
    ({"contains": STRING, "maxContains": 2, "minContains": 1}, ["a", "b"], ["a", "b", "c"]),
    ({"$schema": DRAFT_07, "deprecated": 3, "unevaluatedItems": False, "multipleOf": 2}, [1], 1),
    ({"$schema": DRAFT_07, "$id": "http://x/", "definitions": {"a": {"$id": "http://y/", "$ref": "b"}, "b": {"$id": "b", "type": "null"}},
      "properties": {"p": {"$ref": "#/definitions/a"}}}, {"p": None}, {"p": 1}),
    ({"type": ["number", "integer"]}, 1.5, "a"),
    ({"allOf": [{"properties": {"a": {"properties": {"b": {"properties": {"c": {"properties": {"d": {"properties": {"e": {"properties": {
        "f": {"properties": {"g": {"properties": {"h": {"properties": {"i": {"properties": {"j": {"properties": {"k": {"properties": {
            "l": {"properties": {"m": INTEGER}}}}}}}}}}}}}}}}}}}}}}}}}}]},
     {}, {"a": {"b": {"c": {"d": {"e": {"f": {"g": {"h": {"i": {"j": {"k": {"l": {"m": "x"}}}}}}}}}}}}}),
])
def test_corners_of_keywords(schema, good, bad):
    validator = Validator(schema)
    assert judge(validator, good) is True
    assert judge(validator, bad) is False


SAMPLES = [None, True, 0, 1, -1, 1.5, 2.0, "", "a", "object", [], [1], ["a"], ["a", "a"], ["string", "null"], [True],
           {}, {"a": 1}, {"a": True}, {"a": ["b"]}, {"a": {"type": "nope"}}, {"a": []}]


@pytest.mark.parametrize("uri", ["https://json-schema.org/draft/2020-12/schema", DRAFT_07])
def test_schemas_are_refused_exactly_where_their_metaschema_says_so(uri):
    from mcplite.schema.metaschemas import METASCHEMAS

    metaschema = Validator({"$ref": uri})
    keywords = set()
    for base, document in METASCHEMAS.items():
        if ("2020-12" in base) == ("2020-12" in uri):
            keywords.update(document["properties"])
    assert len(keywords) > 40
    for keyword in sorted(keywords - {"$schema", "$ref", "$dynamicRef", "$recursiveRef", "$recursiveAnchor", "$id",
                                      "$vocabulary", "$anchor", "$dynamicAnchor"}):
        for value in SAMPLES:
            schema = {"$schema": uri, keyword: value}
            try:
                Validator(schema)
                accepted = True
            except SchemaError:
                accepted = False
            assert accepted is metaschema.is_valid(schema), schema
