"""Arguments from the command line: how words become values, and what is refused before anything is sent."""
from __future__ import annotations

import io
import sys

import pytest

from mcplite.cli.calls.arguments import check_call_arguments, fill_arguments, parse_argument_words
from mcplite.cli.terminal import CliError

SCHEMA = {
    "type": "object",
    "properties": {
        "text": {"type": "string"}, "count": {"type": "integer", "minimum": 1}, "share": {"type": "number"},
        "flag": {"type": "boolean"}, "maybe": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "both": {"type": ["string", "integer"]}, "tags": {"type": "array", "items": {"type": "string"}},
        "sizes": {"type": "array", "items": {"type": "integer"}}, "more": {"type": "object"}, "colour": {"enum": ["red", "blue"]},
        "level": {"enum": [1, 2]}, "any": {}, "shape": {"$ref": "#/$defs/shape"}, "nothing": {"type": "null"},
        "flags": {"type": "array", "items": {"type": "boolean"}}},
    "$defs": {"shape": {"type": "object", "properties": {"sides": {"type": "integer"}}, "required": ["sides"]}},
    "additionalProperties": False}


def filled(*words, schema=SCHEMA, json_text=None):
    return fill_arguments(parse_argument_words("call", list(words), json_text), schema)


def refusal(function, *arguments, **more):
    with pytest.raises(CliError) as caught:
        function(*arguments, **more)
    assert caught.value.status == 2
    return caught.value.text


@pytest.mark.parametrize("word, value", [
    ("text=hello", "hello"), ("text=5", "5"), ("text=true", "true"), ("text=", ""), ("text=a=b", "a=b"), ("text=null", "null"),
    ("text={}", "{}"),
    ("count=5", 5), ("count=0", 0), ("count=five", "five"), ("count=5.0", 5.0), ("count=NaN", "NaN"), ("count=yes", "yes"),
    ("share=0.5", 0.5), ("share=1e3", 1000.0), ("share=2", 2),
    ("flag=true", True), ("flag=no", False), ("flag=On", True), ("flag=1", True), ("flag=perhaps", "perhaps"),
    ("maybe=7", 7), ("maybe=null", None), ("both=5", "5"),
    ("tags=a", ["a"]), ('tags=["a","b"]', ["a", "b"]), ("tags=a,b", ["a,b"]),
    ("sizes=3", [3]), ("sizes=[3,4]", [3, 4]), ("sizes=x", "x"), ("sizes=[x]", "[x]"),
    ('more={"a":1}', {"a": 1}), ("more=a", "a"),
    ("colour=red", "red"), ("colour=green", "green"), ("level=2", 2), ("level=3", 3),
    ("any=5", "5"), ("any:=5", 5), ("text:=5", 5), ("text:=\"5\"", "5"), ("count:=null", None),
    ('shape={"sides":3}', {"sides": 3}), ("nothing=null", None),
])
def test_one_word(word, value):
    [found] = filled(word).values()
    assert found == value and type(found) is type(value)


@pytest.mark.parametrize("words, value", [
    (("tags=a", "tags=b"), ["a", "b"]), (("sizes=1", "sizes=2"), [1, 2]), (("flags=yes", "flags=no"), [True, False]),
    (("tags=a", 'tags:="b"'), ["a", "b"]), (("any=1", "any:=2"), ["1", 2])])
def test_a_list_takes_its_key_several_times(words, value):
    [found] = filled(*words).values()
    assert found == value


def test_a_key_that_takes_one_value_is_given_once():
    assert refusal(filled, "text=a", "text=b") == "call: text is given 2 times, and takes one value"


def test_several_kinds_together(tmp_path):
    path = tmp_path / "more.json"
    path.write_text('{"count": 2, "share": 1}')
    assert filled("text=x", "@%s" % path, "share=3", json_text='{"count": 1, "flag": true}') == {
        "count": 2, "flag": True, "share": 3, "text": "x"}


def test_the_text_of_a_file(tmp_path):
    path = tmp_path / "note.txt"
    path.write_bytes("caf\u00e9\n42".encode())
    assert filled("text=@%s" % path, "any:=[1]") == {"text": "caf\u00e9\n42", "any": [1]}


def test_the_json_of_a_file(tmp_path):
    path = tmp_path / "shape.json"
    path.write_text('{"sides": 4}')
    assert filled("shape:=@%s" % path) == {"shape": {"sides": 4}}


def test_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"text": "typed"}')))
    assert filled("@-") == {"text": "typed"}


def test_an_object_as_a_word():
    assert filled('{"text": "whole"}', "text=last") == {"text": "last"}
    assert filled('{"text": "whole"}') == {"text": "whole"}


def test_without_a_schema_words_are_texts():
    assert filled("a=1", "b:=2", schema=None) == {"a": "1", "b": 2}


def test_a_schema_that_cannot_be_used_takes_texts():
    assert filled("a=1", schema={"properties": {"a": {"type": "nonsense"}}}) == {"a": "1"}


@pytest.mark.parametrize("word, text", [
    ("hello", "'hello' is no argument: write key=value, key:=json, '{...}', or @file for a file with a JSON object"),
    ("=5", "'=5' is no argument: write key=value, key:=json, '{...}', or @file for a file with a JSON object"),
    (":=5", "':=5' is no argument: write key=value, key:=json, '{...}', or @file for a file with a JSON object"),
    ("a:=x", "the value of a:=x is not JSON: Expecting value: line 1 column 1 (char 0) (a text needs quotes: "
             "key:='\"text\"', or "
             "key=text)"),
    ("a:=NaN", "the value of a:=NaN is not JSON: NaN is not JSON (a text needs quotes: key:='\"text\"', or key=text)"),
    ("{bad", "the object of arguments is not JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
    ("@no-such-file", "cannot read the file of @no-such-file: No such file or directory"),
    ("a=@no-such-file", "cannot read the file of a=@no-such-file: No such file or directory"),
])
def test_words_that_are_none(word, text):
    assert refusal(filled, word) == "call: " + text


def test_arguments_that_are_no_object():
    assert refusal(filled, json_text="[1]") == 'call: --arguments must be a JSON object, as in {"key": "value"}'
    assert refusal(filled, json_text="nothing") == "call: --arguments is not JSON: Expecting value: line 1 column 1 (char 0)"


def test_a_file_that_is_no_text(tmp_path):
    path = tmp_path / "picture.png"
    path.write_bytes(b"\x89PNG\xff")
    assert refusal(filled, "text=@%s" % path) == ("call: the file of text=@%s is not UTF-8 text; a tool that takes "
                                                  "bytes takes them as "
                                                  "base64" % path)


def test_the_check_has_the_text_of_the_server():
    assert refusal(check_call_arguments, "call", "paint", SCHEMA, {"colur": "red", "count": 0}) == (
        'call: Invalid arguments for tool paint: /count: expected at least 1, got 0; /colur: unknown property "colur"; '
        'known: "text", "count", "share", "flag", "maybe", "both", "tags", "sizes", "more", "colour", "level", "any", '
        '"shape", '
        '"nothing", "flags"; did you mean "colour"? (see: mcplite tools paint -- CMD; --no-check sends them anyway)')


def test_good_arguments_pass():
    assert check_call_arguments("call", "paint", SCHEMA, {"count": 1}) is None
    assert check_call_arguments("call", "paint", None, {"count": 1}) is None


def test_a_schema_that_cannot_be_used_is_a_remark():
    remark = check_call_arguments("call", "paint", {"type": "nonsense"}, {})
    assert remark.startswith("the arguments are sent unchecked, since the tool's schema cannot be used: ")


def test_deep_json_is_refused():
    assert "is not JSON" in refusal(filled, "a:=" + "[" * 100000)
