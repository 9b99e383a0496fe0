"""Schemas of real MCP servers: each loads by the everyday module alone, and is judged as by jsonschema."""

import copy
import os
import random

import pytest
from schema_helpers import SHARED, judge, load_json, need_shared

from mcplite.schema import SchemaTree, Validator

CORPUS = os.path.join(SHARED, "schema-corpus.json")
need_shared(CORPUS)


def corpus():
    schemas = {}
    for package in load_json(CORPUS)["packages"]:
        for tool in package["tools"]:
            for key in ("inputSchema", "outputSchema"):
                if key in tool:
                    schemas["%s %s %s" % (package["package"], tool["name"], key)] = tool[key]
    return schemas


SCHEMAS = corpus()
SCALARS = [None, True, False, 0, 1, -1, 3, 3.0, 2.5, 10 ** 20, "", "a", "abc", "2024-01-01", [], {}, [1], ["a"], {"a": 1}]


def resolve(root, schema):
    while isinstance(schema, dict) and schema.get("$ref", "").startswith("#/"):
        target = root
        for token in schema["$ref"][2:].split("/"):
            target = target[token]
        schema = target
    return schema


def make_value(root, schema, chance, depth=0):
    """A value that the schema probably accepts."""
    schema = resolve(root, schema)
    if not isinstance(schema, dict) or depth > 12:
        return chance.choice(SCALARS)
    if "const" in schema:
        return copy.deepcopy(schema["const"])
    if "enum" in schema:
        return copy.deepcopy(chance.choice(schema["enum"]))
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            return make_value(root, chance.choice(schema[keyword]), chance, depth + 1)
    kind = schema.get("type")
    kind = chance.choice(kind) if isinstance(kind, list) else kind
    if kind == "object" or "properties" in schema:
        value = {}
        for name, part in schema.get("properties", {}).items():
            if name in schema.get("required", ()) or chance.random() < 0.5:
                value[name] = make_value(root, part, chance, depth + 1)
        extra = schema.get("additionalProperties")
        if isinstance(extra, dict):
            value["extra"] = make_value(root, extra, chance, depth + 1)
        return value
    if kind == "array":
        return [make_value(root, schema.get("items", {}), chance, depth + 1)
                for _ in range(max(schema.get("minItems", 0), chance.randrange(3)))]
    if kind in ("integer", "number"):
        low = schema.get("minimum", schema.get("exclusiveMinimum", 0))
        return low + chance.randrange(3) if kind == "integer" else low + chance.choice([0, 0.5, 1])
    if kind == "string":
        text = chance.choice(["a", "abc", "https://host/x", "2024-01-01", "TOKEN-1", "é", "\U0001f600"])
        return text * max(1, schema.get("minLength", 1)) if chance.random() < 0.5 else text
    return {"boolean": chance.random() < 0.5, "null": None}.get(kind, chance.choice(SCALARS))


def spoil(value, chance):
    """The value with one thing changed."""
    value = copy.deepcopy(value)
    place = value
    while isinstance(place, (dict, list)) and place:
        key = chance.choice(sorted(place)) if isinstance(place, dict) else chance.randrange(len(place))
        if chance.random() < 0.5 or not isinstance(place[key], (dict, list)) or not place[key]:
            if isinstance(place, dict) and chance.random() < 0.3:
                del place[key]
            elif isinstance(place, dict) and chance.random() < 0.3:
                place[key + "x"] = 1
            else:
                place[key] = copy.deepcopy(chance.choice(SCALARS))
            return value
        place = place[key]
    return chance.choice(SCALARS)


def test_the_corpus_is_all_there():
    assert len(SCHEMAS) == 841


def test_every_schema_loads_by_the_everyday_module_alone():
    for schema in SCHEMAS.values():
        assert type(Validator(schema)._tree) is SchemaTree


@pytest.mark.parametrize("part", range(8))
def test_values_are_judged_as_by_jsonschema(part):
    jsonschema = pytest.importorskip("jsonschema")
    verdicts = {True: 0, False: 0}
    for name in sorted(SCHEMAS)[part::8]:
        schema = SCHEMAS[name]
        chance = random.Random(name)
        ours = Validator(schema)
        theirs = jsonschema.validators.validator_for(schema, default=jsonschema.Draft202012Validator)(schema)
        for _ in range(6):
            value = make_value(schema, schema, chance)
            for candidate in (value, spoil(value, chance)):
                verdict = judge(ours, candidate)
                assert verdict is theirs.is_valid(candidate), (name, candidate)
                verdicts[verdict] += 1
    assert min(verdicts.values()) > 100         # both kinds came up
