"""Content blocks, results, and Python values as JSON."""
from __future__ import annotations

import collections
import dataclasses
import datetime
import decimal
import enum
import fractions
import itertools
import json
import os
import pathlib
import types
import typing
import uuid

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcplite import Server, revisions
from mcplite.client.callbacks import new_roots
from mcplite.codec import encode
from mcplite.content import (
    ContentError,
    audio,
    downgrade_block,
    downgrade_prompt,
    downgrade_tool_result,
    embedded,
    icon,
    image,
    jsonable,
    readable_json,
    resource_link,
    text,
    to_completion_result,
    to_prompt_messages,
    to_prompt_result,
    to_resource_contents,
    to_resource_result,
    to_tool_result,
    tool_result,
)
from mcplite.content.blocks import BLOCK_MEMBERS, CONTENTS_MEMBERS, is_content_block
from mcplite.content.older import CONTENT_FEATURES
from mcplite.content.results import is_tool_result

SHARED = os.environ.get("MCPLITE_SHARED") or os.path.join(os.path.dirname(__file__), "..", "..", "shared")


def message_of(function, *arguments, **keywords):
    with pytest.raises((ValueError, TypeError)) as caught:
        function(*arguments, **keywords)
    return type(caught.value).__name__ + ": " + str(caught.value)


# --- blocks ---------------------------------------------------------------------------------------------------------

FULL = {"annotations": {"audience": ["user"], "priority": 0.5, "lastModified": "2025-01-12T15:00:58Z"}, "meta": {"a/b": 1}}
WIRE = {"annotations": FULL["annotations"], "_meta": {"a/b": 1}}


@pytest.mark.parametrize("made, expected", [
    (text("hi"), {"type": "text", "text": "hi"}),
    (text("", **FULL), {"type": "text", "text": "", **WIRE}),
    (image(b"\x00\xff", "image/png"), {"type": "image", "data": "AP8=", "mimeType": "image/png"}),
    (image(bytearray(b"a"), "image/png", **FULL), {"type": "image", "data": "YQ==", "mimeType": "image/png", **WIRE}),
    (audio(memoryview(b"a"), "audio/wav"), {"type": "audio", "data": "YQ==", "mimeType": "audio/wav"}),
    (resource_link("memo://a", "a"), {"type": "resource_link", "uri": "memo://a", "name": "a"}),
    (resource_link("memo://a", "a", "A", "d", "text/plain", 0, [icon("https://x.test/i.png")], **FULL),
     {"type": "resource_link", "uri": "memo://a", "name": "a", "title": "A", "description": "d", "mimeType": "text/plain",
      "size": 0, "icons": [{"src": "https://x.test/i.png"}], **WIRE}),
    (embedded("memo://a", "t"), {"type": "resource", "resource": {"uri": "memo://a", "text": "t"}}),
    (embedded("memo://a", b"t", "text/plain", **FULL),
     {"type": "resource", "resource": {"uri": "memo://a", "mimeType": "text/plain", "blob": "dA=="}, **WIRE}),
    (icon("https://x.test/i.png", "image/png", ["48x48", "any"], "dark"),
     {"src": "https://x.test/i.png", "mimeType": "image/png", "sizes": ["48x48", "any"], "theme": "dark"}),
])
def test_blocks(made, expected):
    assert made == expected
    assert type(made) is dict


@pytest.mark.parametrize("call, message", [
    (lambda: text(7), "TypeError: text() takes a str, got int"),
    (lambda: image("iVBOR", "image/png"), "TypeError: image() takes bytes, got str; read the file in binary mode"),
    (lambda: image(b"", None), 'TypeError: image() needs a MIME type, as in "image/png", got NoneType'),
    (lambda: image(b"", "png"), "ValueError: image(): 'png' is no MIME type; one looks like \"image/png\""),
    (lambda: audio("", "audio/wav"), "TypeError: audio() takes bytes, got str; read the file in binary mode"),
    (lambda: audio(b"", "audio/"), "ValueError: audio(): 'audio/' is no MIME type; one looks like \"image/png\""),
    (lambda: resource_link("a", "n"),
     'UriError: resource_link() uri "a" is not absolute: it needs a scheme, as in "memo://notes/1"'),
    (lambda: resource_link("m:a", ""), "ValueError: resource_link() needs a name, a non-empty str"),
    (lambda: resource_link("m:a", "n", title=1), "TypeError: resource_link() title must be a str, got int"),
    (lambda: resource_link("m:a", "n", size=-1), "ValueError: resource_link() size must be a number of bytes, got -1"),
    (lambda: resource_link("m:a", "n", size=True), "ValueError: resource_link() size must be a number of bytes, got True"),
    (lambda: resource_link("m:a", "n", icons=["x"]),
     'TypeError: an icon must be what icon() returns, {"src": ...}, got str'),
    (lambda: embedded("m:a", 7), "TypeError: embedded() takes str or bytes, got int"),
    (lambda: icon("i.png"), 'UriError: icon src "i.png" is not absolute: it needs a scheme, as in "memo://notes/1"'),
    (lambda: icon("m:a", sizes="48x48"), 'ContentError: icon() sizes must be a list, as in ["48x48"]; got str'),
    (lambda: icon("m:a", sizes=[48]), 'ValueError: icon sizes must be a list as ["48x48"] or ["any"], got [48]'),
    (lambda: icon("m:a", theme="red"), "ValueError: icon theme must be \"light\" or \"dark\", got 'red'"),
    (lambda: text("", annotations=[]), "TypeError: annotations must be a dict, got list"),
    (lambda: text("", annotations={"audience": "user"}),
     "ValueError: annotations: audience must be a list of \"user\" and \"assistant\", got 'user'"),
    (lambda: text("", annotations={"audience": ["system"]}),
     "ValueError: annotations: audience must be a list of \"user\" and \"assistant\", got ['system']"),
    (lambda: text("", annotations={"priority": 2}), "ValueError: annotations: priority must be a number from 0 to 1, got 2"),
    (lambda: text("", annotations={"priority": True}),
     "ValueError: annotations: priority must be a number from 0 to 1, got True"),
    (lambda: text("", annotations={"lastModified": "today"}),
     "ValueError: annotations: lastModified must be ISO 8601, as in \"2025-01-12T15:00:58Z\", got 'today'"),
    (lambda: text("", annotations={"color": 1}),
     "ValueError: annotations: unknown name 'color'; known are audience, priority, lastModified"),
    (lambda: text("", meta=1), "TypeError: meta must be a dict, got int"),
    (lambda: text("", meta={"a": {1.5: 2}}), "ContentError: /_meta/a: the key 1.5 is not JSON; a key must be a str"),
])
def test_blocks_refuse(call, message):
    assert message_of(call) == message


def test_last_modified_may_be_a_datetime():
    stamp = datetime.datetime(2025, 1, 12, 15, 0, 58, tzinfo=datetime.timezone.utc)
    assert text("", annotations={"lastModified": stamp})["annotations"] == {"lastModified": "2025-01-12T15:00:58+00:00"}


def test_tool_result_of_everything():
    made = tool_result("a", text("b"), structured={"d": datetime.date(2025, 1, 2)}, is_error=True, meta={"m": 1})
    assert made == {"content": [text("a"), text("b")], "structuredContent": {"d": "2025-01-02"}, "isError": True,
                    "_meta": {"m": 1}}


def test_tool_result_writes_structured_content_as_text_too():
    assert tool_result(structured={"é": [1]}) == {"content": [text('{"é":[1]}')], "structuredContent": {"é": [1]}}
    assert tool_result(structured="s") == {"content": [text("s")], "structuredContent": "s"}


def test_tool_result_of_nothing():
    assert tool_result() == {"content": []}


@pytest.mark.parametrize("block, message", [
    (7, "/content/1: tool_result() takes content blocks or str, got int"),
    ({"a": 1}, "/content/1: tool_result() takes content blocks or str, got a dict that is no content block"),
    ({"type": "video"}, "/content/1: tool_result() takes content blocks or str, got a dict of the unknown type 'video'"),
    ({"type": "image", "data": ""},
     '/content/1: tool_result() takes content blocks or str, got a "image" block without data and mimeType'),
    ({"type": "text", "text": "", "size": 1},
     '/content/1: tool_result() takes content blocks or str, got a "text" block with the unknown member "size"'),
    ({"type": "resource", "resource": {"uri": "m:a"}},
     '/content/1: tool_result() takes content blocks or str, got a "resource" block without uri and text or blob'),
])
def test_tool_result_refuses(block, message):
    assert message_of(tool_result, "a", block) == "ContentError: " + message


# --- results --------------------------------------------------------------------------------------------------------

class Color(enum.Enum):
    RED = "red"


class Level(enum.IntEnum):
    LOW = 1


class Shout(str):
    def __str__(self):
        return "changed"


class Number(int):
    def __int__(self):
        return 0


class Real(float): ...


class BytesPath:
    def __fspath__(self):
        return b"/a"


@dataclasses.dataclass
class Leg:
    port: str
    when: datetime.date


class Point(typing.NamedTuple):
    x: int
    y: typing.Any = None


BLOCK = {"type": "text", "text": "hi"}


@pytest.mark.parametrize("value, expected", [
    (None, {"content": []}),
    ("", {"content": [text("")]}),
    ("plain", {"content": [text("plain")]}),
    (Shout("loud"), {"content": [text("loud")]}),
    (Color.RED, {"content": [text("red")]}),
    ([], {"content": [text("[]")]}),
    ({}, {"content": [text("{}")], "structuredContent": {}}),
    (0, {"content": [text("0")]}),
    (False, {"content": [text("false")]}),
    (1.5, {"content": [text("1.5")]}),
    ([1, "é"], {"content": [text('[1,"é"]')]}),
    ({"a": None}, {"content": [text('{"a":null}')], "structuredContent": {"a": None}}),
    (Leg("x", datetime.date(2025, 1, 2)),
     {"content": [text('{"port":"x","when":"2025-01-02"}')], "structuredContent": {"port": "x", "when": "2025-01-02"}}),
    (Point(1), {"content": [text('{"x":1,"y":null}')], "structuredContent": {"x": 1, "y": None}}),
    (BLOCK, {"content": [BLOCK]}),
    ([BLOCK, BLOCK], {"content": [BLOCK, BLOCK]}),
    ((BLOCK, "and"), {"content": [BLOCK, text("and")]}),
    (["only", "text"], {"content": [text('["only","text"]')]}),
    ([BLOCK, 1], {"content": [text('[{"type":"text","text":"hi"},1]')]}),
    ({"type": "text"}, {"content": [text('{"type":"text"}')], "structuredContent": {"type": "text"}}),
    ({"type": "text", "text": "hi", "author": "me"},
     {"content": [text('{"type":"text","text":"hi","author":"me"}')],
      "structuredContent": {"type": "text", "text": "hi", "author": "me"}}),
    ({"type": "text", "text": 7},
     {"content": [text('{"type":"text","text":7}')], "structuredContent": {"type": "text", "text": 7}}),
    (Point(BLOCK, BLOCK), {"content": [text('{"x":{"type":"text","text":"hi"},"y":{"type":"text","text":"hi"}}')],
                           "structuredContent": {"x": BLOCK, "y": BLOCK}}),
    (tool_result("a", is_error=True), {"content": [text("a")], "isError": True}),
    ({"content": [BLOCK], "isError": False}, {"content": [BLOCK], "isError": False}),
    ({"content": [BLOCK]}, {"content": [BLOCK]}),
    ({"content": [], "resultType": "complete"}, {"content": [], "resultType": "complete"}),
    ({"content": []}, {"content": [text('{"content":[]}')], "structuredContent": {"content": []}}),
    ({"content": ["x"]}, {"content": [text('{"content":["x"]}')], "structuredContent": {"content": ["x"]}}),
])
def test_tool_results(value, expected):
    made = to_tool_result(value)
    assert made == expected
    assert type(made) is dict


@pytest.mark.parametrize("value, expected", [
    (None, {"content": [], "structuredContent": None}),
    ("plain", {"content": [text("plain")], "structuredContent": "plain"}),
    ([1], {"content": [text("[1]")], "structuredContent": [1]}),
    ([], {"content": [text("[]")], "structuredContent": []}),
    (0, {"content": [text("0")], "structuredContent": 0}),
    (BLOCK, {"content": [text('{"type":"text","text":"hi"}')], "structuredContent": BLOCK}),
    ([BLOCK], {"content": [text('[{"type":"text","text":"hi"}]')], "structuredContent": [BLOCK]}),
    (tool_result("a"), {"content": [text("a")]}),
    ({"content": [BLOCK], "structuredContent": {"a": 1}}, {"content": [BLOCK], "structuredContent": {"a": 1}}),
    ({"content": [BLOCK]},
     {"content": [text('{"content":[{"type":"text","text":"hi"}]}')], "structuredContent": {"content": [BLOCK]}}),
])
def test_tool_results_with_an_output_schema(value, expected):
    assert to_tool_result(value, True) == expected


@pytest.mark.parametrize("value, message", [
    (b"x", "bytes are not JSON; return image(), audio() or embedded(), or base64 as a str"),
    ({"a": [1, {"b/c": b"x"}]}, "/a/1/b~1c: bytes are not JSON; return image(), audio() or embedded(), or base64 as a str"),
    ({"a": float("nan")}, "/a: nan is not JSON; use None or a str"),
    (float("-inf"), "-inf is not JSON; use None or a str"),
    (decimal.Decimal("NaN"), "NaN is not JSON; use None or a str"),
    ((i for i in ()), "a generator is not JSON; make it a list"),
    (map(str, ()), "a map is not JSON; make it a list"),
    (object(), "object is not JSON; use dict, list, str, int, float, bool, None, a dataclass or a NamedTuple"),
    ([Leg], "/0: type is not JSON; use dict, list, str, int, float, bool, None, a dataclass or a NamedTuple"),
    (fractions.Fraction(1, 3), "Fraction is not JSON; use dict, list, str, int, float, bool, None, a dataclass or a NamedTuple"),
    (BytesPath(), "BytesPath is not JSON; use dict, list, str, int, float, bool, None, a dataclass or a NamedTuple"),
    ({None: 1}, "the key None is not JSON; a key must be a str"),
    ({True: 1}, "the key True is not JSON; a key must be a str"),
    ({(1, 2): 1}, "the key (1, 2) is not JSON; a key must be a str"),
    ({1: 1, "1": 2}, 'two keys are written "1"'),
    ([text("a"), {"type": "image", "data": "", "mimeType": "a/b", "_meta": {"x": b""}}],
     "/content/1/_meta/x: bytes are not JSON; return image(), audio() or embedded(), or base64 as a str"),
])
def test_what_json_cannot_hold(value, message):
    assert message_of(to_tool_result, value) == "ContentError: " + message


@pytest.mark.parametrize("value, expected", [
    (Color.RED, "red"), (Level.LOW, 1), (Number(7), 7), (Real(1.5), 1.5), (Shout("a"), "a"), (True, True), (2 ** 70, 2 ** 70),
    (datetime.datetime(2025, 1, 2, 3, 4, 5), "2025-01-02T03:04:05"),
    (datetime.datetime(2025, 1, 2, tzinfo=datetime.timezone.utc), "2025-01-02T00:00:00+00:00"),
    (datetime.date(2025, 1, 2), "2025-01-02"), (datetime.time(3, 4), "03:04:00"),
    (datetime.timedelta(minutes=1), 60), (datetime.timedelta(milliseconds=1500), 1.5),
    (uuid.UUID(int=1), "00000000-0000-0000-0000-000000000001"),
    (pathlib.PurePosixPath("/a/b"), "/a/b"), (decimal.Decimal("1.10"), "1.10"), (decimal.Decimal("1E+3"), "1E+3"),
    ((1, 2), [1, 2]), (range(3), [0, 1, 2]), (collections.deque([1]), [1]), ({"a": 1}.keys(), ["a"]), ({"a": 1}.values(), [1]),
    ({3, 1, 2}, [1, 2, 3]), (frozenset(["b", "a"]), ["a", "b"]), ({"b", 1, None}, ["b", 1, None]),
    (collections.OrderedDict(a=(1,)), {"a": [1]}), (types.MappingProxyType({"a": {1}}), {"a": [1]}),
    (collections.Counter("aab"), {"a": 2, "b": 1}),
    ({2: "a", Color.RED: "b", datetime.date(2025, 1, 2): "c"}, {"2": "a", "red": "b", "2025-01-02": "c"}),
    ({Level.LOW: "d", uuid.UUID(int=1): 1}, {"1": "d", "00000000-0000-0000-0000-000000000001": 1}),
    ([Point(1, Leg("x", datetime.date(2025, 1, 2)))], [{"x": 1, "y": {"port": "x", "when": "2025-01-02"}}]),
])
def test_jsonable(value, expected):
    made = jsonable(value)
    assert made == expected
    assert json.loads(encode(made)) == expected
    assert only_exact_classes(made)


def only_exact_classes(value):
    if type(value) is dict:
        return all(type(key) is str and only_exact_classes(item) for key, item in value.items())
    if type(value) is list:
        return all(only_exact_classes(item) for item in value)
    return value is None or type(value) in (str, int, float, bool)


def test_a_plain_value_is_not_copied():
    value = {"a": [1, 2.5, None, {"b": "c"}]}
    assert jsonable(value) is value


def test_the_deepest_value():
    value = []
    for _ in range(99):
        value = [value]
    assert jsonable(value) is value
    assert jsonable([(value[0][0],)]) == [[value[0][0]]]


def test_a_value_too_deep():
    value = ()
    for _ in range(100):
        value = {"a": value}
    assert message_of(jsonable, value) == "ContentError: " + "/a" * 50 + "...: nested deeper than 100 levels"


def test_a_value_that_contains_itself():
    value = {}
    value["me"] = value
    assert message_of(jsonable, value).endswith("...: contains itself")


def test_a_path_before_the_place():
    assert message_of(jsonable, {"a": b""}, "/x").startswith("ContentError: /x/a: bytes")


@pytest.mark.parametrize("value, expected", [
    ("é", '"é"'), ("\n\x00", '"\\n\\u0000"'), ("\\u00e9", '"\\\\u00e9"'), ("\\é", '"\\\\é"'), ("𝄞é", '"𝄞é"'),
    (["\u2028", "\x7f"], '["\u2028","\\u007f"]'), ("\ud800", '"\ufffd"'), ("a\\\\u0041", '"a\\\\\\\\u0041"'),
])
def test_readable_json(value, expected):
    assert readable_json(value) == expected


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner,
                                                                max_size=3),
    max_leaves=8)


@settings(max_examples=50, deadline=None)
@given(PLAIN)
def test_readable_json_reads_back(value):
    assert json.loads(readable_json(value)) == value


ODD = st.recursive(
    PLAIN | st.dates() | st.datetimes() | st.times() | st.timedeltas() | st.uuids() | st.decimals() | st.floats()
    | st.binary(max_size=2)
    | st.sampled_from([Color.RED, Level.LOW, Point(1), pathlib.PurePosixPath("a"), object(), Shout("x")])
    | st.frozensets(st.integers() | st.text(max_size=2), max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.tuples(inner, inner) | st.dictionaries(
        st.text(max_size=2) | st.integers() | st.dates() | st.booleans() | st.none(), inner, max_size=3),
    max_leaves=8)


@settings(max_examples=50, deadline=None)
@given(ODD)
def test_any_value_becomes_json_or_is_refused(value):
    try:
        made = jsonable(value)
    except ContentError:
        return
    assert only_exact_classes(made)
    encode(made)


@settings(max_examples=50, deadline=None)
@given(ODD, st.booleans())
def test_any_value_becomes_a_result_or_is_refused(value, structured):
    try:
        made = to_tool_result(value, structured)
    except ContentError:
        return
    assert all(is_content_block(block) for block in made["content"])
    encode(made)


@pytest.mark.parametrize("value, expected", [
    (tool_result(), True), ({"content": []}, False), ({"content": [], "isError": True}, True), ({"content": [BLOCK]}, True),
    ({"content": [BLOCK], "more": 1}, False), ({"content": "x"}, False), ([], False)])
def test_whole_results_by_their_shape(value, expected):
    assert is_tool_result(value) is expected


# --- resources and prompts ------------------------------------------------------------------------------------------

@pytest.mark.parametrize("value, mime_type, expected", [
    ("a,b", "text/csv", [{"uri": "m:a", "mimeType": "text/csv", "text": "a,b"}]),
    ("", None, [{"uri": "m:a", "text": ""}]),
    (b"\x89PNG", "image/png", [{"uri": "m:a", "mimeType": "image/png", "blob": "iVBORw=="}]),
    (b"utf-8", None, [{"uri": "m:a", "blob": "dXRmLTg="}]),
    (bytearray(b""), None, [{"uri": "m:a", "blob": ""}]),
    ({"é": (1,)}, None, [{"uri": "m:a", "mimeType": "application/json", "text": '{"é":[1]}'}]),
    ([], "text/x", [{"uri": "m:a", "mimeType": "text/x", "text": "[]"}]),
    (0, None, [{"uri": "m:a", "mimeType": "application/json", "text": "0"}]),
    (Color.RED, None, [{"uri": "m:a", "mimeType": "application/json", "text": '"red"'}]),
    ({"uri": "m:b", "text": "x"}, "text/x", [{"uri": "m:b", "text": "x"}]),
    ({"uri": "m:b", "text": "x", "blob": "y"}, None,
     [{"uri": "m:a", "mimeType": "application/json", "text": '{"uri":"m:b","text":"x","blob":"y"}'}]),
    ([{"uri": "m:b", "text": "x"}, embedded("m:c", b"")], None, [{"uri": "m:b", "text": "x"}, {"uri": "m:c", "blob": ""}]),
])
def test_resource_contents(value, mime_type, expected):
    assert to_resource_contents(value, "m:a", mime_type) == expected


@pytest.mark.parametrize("value, message", [
    (None, "a resource function returned None; return str, bytes, or data for JSON"),
    ({"a": b""}, "/a: bytes are not JSON; return image(), audio() or embedded(), or base64 as a str"),
])
def test_resource_contents_refuse(value, message):
    assert message_of(to_resource_contents, value, "m:a") == "ContentError: " + message


def user(block):
    return {"role": "user", "content": block}


@pytest.mark.parametrize("value, expected", [
    ("hi", [user(text("hi"))]),
    (BLOCK, [user(BLOCK)]),
    ({"role": "assistant", "content": "hi"}, [{"role": "assistant", "content": text("hi")}]),
    ({"role": "user", "content": image(b"", "a/b")}, [user(image(b"", "a/b"))]),
    ({"role": "user", "content": ["a", BLOCK]}, [user(text("a")), user(BLOCK)]),
    (["a", BLOCK, {"role": "assistant", "content": "b"}],
     [user(text("a")), user(BLOCK), {"role": "assistant", "content": text("b")}]),
    ((), []),
])
def test_prompt_messages(value, expected):
    assert to_prompt_messages(value) == expected


KINDS = 'a prompt returns a str, a content block, a message {"role", "content"}, a list of these, or a whole result {"messages": [...]}; got '


@pytest.mark.parametrize("value, message", [
    (None, KINDS + "None"),
    (7, KINDS + "int"),
    (["a", 7], "/1: " + KINDS + "int"),
    (["a", ["b"]], "/1: " + KINDS + "list"),
    ({"a": 1}, KINDS + "a dict that is no content block"),
    ({"role": "system", "content": "x"}, "/role: a role is \"user\" or \"assistant\", got 'system'"),
    ([{"role": "user"}], "/0/content: " + KINDS + "None"),
    ([{"role": "user", "content": "x", "name": "n"}], '/0: a message has "role" and "content" only, got "name"'),
    ({"role": "user", "content": ["a", {"type": "text"}]}, "/content/1: " + KINDS + 'a "text" block without text'),
])
def test_prompt_messages_refuse(value, message):
    assert message_of(to_prompt_messages, value) == "ContentError: " + message


# --- older revisions ------------------------------------------------------------------------------------------------

ROWS = {date: row.features for date, row in revisions.REVISIONS.items()}
LINK = resource_link("memo://a", "a", "A", "about a", "text/plain", 3, [icon("m:i")], **FULL)
SOUND = audio(b"x", "audio/wav", **FULL)
INNER = {"type": "resource", "resource": {"uri": "m:a", "text": "t", "_meta": {"x": 1}}, **WIRE}
OLD = {"annotations": {"audience": ["user"], "priority": 0.5}}


@pytest.mark.parametrize("block, revision, expected", [
    (LINK, "2026-07-28", LINK),
    (LINK, "2025-11-25", LINK),
    (LINK, "2025-06-18", {name: value for name, value in LINK.items() if name != "icons"}),
    (LINK, "2025-03-26", {"type": "text", "text": "A (text/plain): memo://a\nabout a", **OLD}),
    (LINK, "2024-11-05", {"type": "text", "text": "A (text/plain): memo://a\nabout a", **OLD}),
    (resource_link("m:a", "n"), "2024-11-05", {"type": "text", "text": "n: m:a"}),
    (SOUND, "2025-06-18", SOUND),
    (SOUND, "2025-03-26", {"type": "audio", "data": "eA==", "mimeType": "audio/wav", **OLD}),
    (SOUND, "2024-11-05",
     {"type": "resource", "resource": {"uri": "mcplite:audio", "mimeType": "audio/wav", "blob": "eA=="}, **OLD}),
    (INNER, "2025-06-18", INNER),
    (INNER, "2025-03-26", {"type": "resource", "resource": {"uri": "m:a", "text": "t"}, **OLD}),
    (text("a", **FULL), "2024-11-05", {"type": "text", "text": "a", **OLD}),
    (text("a", annotations={"lastModified": "2025-01-01"}), "2024-11-05", {"type": "text", "text": "a"}),
    (image(b"x", "image/png", **FULL), "2024-11-05", {"type": "image", "data": "eA==", "mimeType": "image/png", **OLD}),
])
def test_downgrade_block(block, revision, expected):
    before = json.dumps(block)
    assert downgrade_block(block, ROWS[revision]) == expected
    assert json.dumps(block) == before


def test_downgrade_block_keeps_the_object_when_nothing_changes():
    block = text("a", annotations={"priority": 1})
    for features in ROWS.values():
        assert downgrade_block(block, features) is block


@pytest.mark.parametrize("revision, expected", [
    ("2026-07-28", {"content": [LINK], "structuredContent": [1]}),
    ("2025-11-25", {"content": [LINK], "structuredContent": {"result": [1]}}),
    ("2025-06-18", {"content": [{name: value for name, value in LINK.items() if name != "icons"}],
                    "structuredContent": {"result": [1]}}),
    ("2025-03-26", {"content": [{"type": "text", "text": "A (text/plain): memo://a\nabout a", **OLD}]}),
])
def test_downgrade_tool_result(revision, expected):
    result = {"content": [LINK], "structuredContent": [1]}
    assert downgrade_tool_result(result, ROWS[revision]) == expected
    assert result == {"content": [LINK], "structuredContent": [1]}


def test_downgrade_tool_result_keeps_an_object():
    result = {"content": [], "structuredContent": {"a": 1}, "isError": True}
    assert downgrade_tool_result(result, ROWS["2025-11-25"]) is result
    assert downgrade_tool_result(result, ROWS["2025-06-18"]) == result
    assert downgrade_tool_result(result, ROWS["2025-03-26"]) == {"content": [], "isError": True}


def test_downgrade_prompt():
    result = {"messages": [{"role": "user", "content": SOUND}], "description": "d"}
    assert downgrade_tool_result({"content": []}, ROWS["2024-11-05"]) == {"content": []}
    assert downgrade_prompt(result, ROWS["2025-11-25"]) is result
    assert downgrade_prompt(result, ROWS["2025-03-26"]) == {
        "messages": [{"role": "user", "content": {"type": "audio", "data": "eA==", "mimeType": "audio/wav", **OLD}}],
        "description": "d"}


def official_members(revision, name):
    path = os.path.join(SHARED, "spec", revision + ".json")
    if not os.path.exists(path):
        pytest.skip("the official schemas are not there: " + SHARED)
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    found = (document.get("$defs") or document["definitions"]).get(name)
    return None if found is None else set(found["properties"])


@pytest.mark.parametrize("revision", sorted(ROWS))
@pytest.mark.parametrize("kind, name", [
    ("text", "TextContent"), ("image", "ImageContent"), ("audio", "AudioContent"), ("resource_link", "ResourceLink"),
    ("resource", "EmbeddedResource")])
def test_the_table_of_members_is_that_of_the_official_schemas(revision, kind, name):
    official = official_members(revision, name)
    if official is None:
        assert kind not in ROWS[revision]
        return
    ours = {member for member, feature in BLOCK_MEMBERS[kind].items() if feature is None or feature in ROWS[revision]}
    assert ours == official


@pytest.mark.parametrize("revision", sorted(ROWS))
def test_resource_contents_have_the_official_members(revision):
    official = official_members(revision, "TextResourceContents") | official_members(revision, "BlobResourceContents")
    ours = {member for member in CONTENTS_MEMBERS if member != "_meta" or "resource_meta" in ROWS[revision]}
    assert ours == official


def test_every_feature_of_the_table_is_one_of_the_newest_revision():
    assert CONTENT_FEATURES <= ROWS["2026-07-28"]


# --- whole results --------------------------------------------------------------------------------------------------

MESSAGE = user(text("hi"))


@pytest.mark.parametrize("value, expected", [
    ("hi", {"messages": [MESSAGE]}),
    ({"messages": [MESSAGE]}, {"messages": [MESSAGE]}),
    ({"messages": []}, {"messages": []}),
    ({"description": "d", "messages": (MESSAGE,), "_meta": {"a": 1}, "resultType": "complete"},
     {"description": "d", "messages": [MESSAGE], "_meta": {"a": 1}}),
    ({"description": None, "messages": iter(["hi", MESSAGE]), "_meta": None}, {"messages": [MESSAGE, MESSAGE]}),
    ({"messages": [{"role": "user", "content": [text("hi"), text("hi")]}]}, {"messages": [MESSAGE, MESSAGE]}),
    ((word for word in ("hi", "hi")), {"messages": [MESSAGE, MESSAGE]}),
    ({"role": "user", "content": map(str, ["hi"])}, {"messages": [MESSAGE]}),
])
def test_prompt_results(value, expected):
    assert to_prompt_result(value) == expected


PROMPT_MEMBERS = "a prompt's result has the members _meta, description, messages only"


@pytest.mark.parametrize("value, wanted, came", [
    ({"foo": 1}, KINDS[:-6], "; got a dict that is no content block"),
    (b"hi", KINDS[:-6], "; got bytes"),
    ({"hi"}, KINDS[:-6], "; got set"),
    ({"messages": "hi"}, "/messages: messages must be a list", "; got str"),
    ({"messages": None}, "/messages: messages must be a list", "; got None"),
    ({"messages": MESSAGE}, "/messages: messages must be a list", "; got a dict"),
    ({"messages": {"hi"}}, "/messages: messages must be a list", "; got set"),
    ({"messages": [{"role": "system", "content": "x"}]}, '/messages/0/role: a role is "user" or "assistant"', ", got 'system'"),
    ({"messages": ["hi", 5]}, "/messages/1: " + KINDS[:-6], "; got int"),
    ({"messages": [user({"type": "text"})]}, "/messages/0/content: " + KINDS[:-6], '; got a "text" block without text'),
    ({"messages": [user(dict(BLOCK, annotations=[]))]}, "/messages/0/content: " + KINDS[:-6],
     '; got a "text" block whose member "annotations" is list'),
    ({"messages": [], "description": 5}, "/description: description must be a string", "; got int"),
    ({"messages": [], "_meta": "x"}, "/_meta: _meta must be an object (a dict)", "; got str"),
    ({"messages": [], "_meta": {"x": b""}}, "/_meta/x: this cannot be written as JSON", None),
    ({"messages": [], "resultType": "input_required"},
     '/resultType: resultType must be "complete": a question is asked with ctx.elicit, ctx.sample or ctx.roots', "; got str"),
    ({"messages": [], "nextCursor": "x"}, PROMPT_MEMBERS, ', got "nextCursor"'),
    ({"messages": [], "role": "user"}, PROMPT_MEMBERS, ', got "role"'),
])
def test_prompt_results_refuse(value, wanted, came):
    """``wanted`` is what the client is told, ``came`` what only the developer is."""
    with pytest.raises(ContentError) as caught:
        to_prompt_result(value)
    assert caught.value.wanted == wanted
    assert came is None or str(caught.value) == wanted + came


ENTRY = {"uri": "m:b", "text": "x"}


@pytest.mark.parametrize("value, expected", [
    ("x", {"contents": [{"uri": "m:a", "text": "x"}]}),
    ({"contents": [ENTRY]}, {"contents": [ENTRY]}),
    ({"contents": []}, {"contents": []}),
    ({"contents": (ENTRY, embedded("m:c", b"")), "_meta": {"a": 1}, "ttlMs": 0, "cacheScope": "public", "resultType": "complete"},
     {"contents": [ENTRY, {"uri": "m:c", "blob": ""}], "_meta": {"a": 1}, "ttlMs": 0, "cacheScope": "public"}),
    ({"contents": [ENTRY], "pages": 3},
     {"contents": [{"uri": "m:a", "mimeType": "application/json", "text": '{"contents":[{"uri":"m:b","text":"x"}],"pages":3}'}]}),
    ({"_meta": {}}, {"contents": [{"uri": "m:a", "mimeType": "application/json", "text": '{"_meta":{}}'}]}),
    ([dict(ENTRY, mimeType=5)], {"contents": [{"uri": "m:a", "mimeType": "application/json",
                                               "text": '[{"uri":"m:b","text":"x","mimeType":5}]'}]}),
])
def test_resource_results(value, expected):
    assert to_resource_result(value, "m:a") == expected


ENTRY_WANTED = 'an entry of contents is {"uri", "text" or "blob" (base64), "mimeType"?, "_meta"?}, all of them strings but _meta'
LIST_WANTED = "/contents: contents must be a list (for data of your own, return its JSON text)"


@pytest.mark.parametrize("value, wanted, came", [
    ({"contents": 5}, LIST_WANTED, "; got int"), ({"contents": None}, LIST_WANTED, "; got None"),
    ({"contents": "x"}, LIST_WANTED, "; got str"), ({"contents": ENTRY}, LIST_WANTED, "; got a dict"),
    ({"contents": ["x"]}, "/contents/0: " + ENTRY_WANTED, "; got str"),
    ({"contents": [ENTRY, {"uri": "m:b"}]}, "/contents/1: " + ENTRY_WANTED, "; got a dict of uri"),
    ({"contents": [dict(ENTRY, blob="")]}, "/contents/0: " + ENTRY_WANTED, "; got a dict of uri, text, blob"),
    ({"contents": [{"uri": "m:b", "blob": b""}]}, "/contents/0: " + ENTRY_WANTED, "; got a dict of uri, blob"),
    ({"contents": [dict(ENTRY, mimeType=None)]}, "/contents/0: " + ENTRY_WANTED, "; got a dict of uri, text, mimeType"),
    ({"contents": [dict(ENTRY, _meta=5)]}, "/contents/0: " + ENTRY_WANTED, "; got a dict of uri, text, _meta"),
    ({"contents": [], "ttlMs": -1}, "/ttlMs: ttlMs must be a whole number of milliseconds, 0 or more", "; got int"),
    ({"contents": [], "ttlMs": True}, "/ttlMs: ttlMs must be a whole number of milliseconds, 0 or more", "; got bool"),
    ({"contents": [], "cacheScope": "all"}, '/cacheScope: cacheScope must be "private" or "public"', "; got str"),
])
def test_resource_results_refuse(value, wanted, came):
    with pytest.raises(ContentError) as caught:
        to_resource_result(value, "m:a")
    assert (caught.value.wanted, str(caught.value)) == (wanted, wanted + came)


MANY = ["v%d" % number for number in range(250)]


def whole(values, **more):
    return {"completion": dict({"values": values}, **more)}


@pytest.mark.parametrize("value, expected", [
    ("red", whole(["red"], total=1, hasMore=False)),
    ("", whole([""], total=1, hasMore=False)),
    (None, whole([], total=0, hasMore=False)),
    ([], whole([], total=0, hasMore=False)),
    (["red", 5, 1.5, Color.RED], whole(["red", "5", "1.5", "red"], total=4, hasMore=False)),
    (("red",), whole(["red"], total=1, hasMore=False)),
    ({"red", "blue"}, whole(["blue", "red"], total=2, hasMore=False)),
    ({"red": 1}.keys(), whole(["red"], total=1, hasMore=False)),
    (range(2), whole(["0", "1"], total=2, hasMore=False)),
    ((word for word in ("red", "blue")), whole(["red", "blue"], total=2, hasMore=False)),
    (MANY, whole(MANY[:100], total=250, hasMore=True)),
    (iter(MANY), whole(MANY[:100], hasMore=True)),
    (map("v%d".__mod__, itertools.count()), whole(MANY[:100], hasMore=True)),
    ({"values": ["red"]}, whole(["red"])),
    ({"values": "red"}, whole(["red"])),
    ({"values": None, "total": None}, whole([])),
    ({"values": ["red"], "total": 7, "hasMore": True}, whole(["red"], total=7, hasMore=True)),
    ({"values": MANY, "total": 300, "hasMore": False}, whole(MANY[:100], total=300, hasMore=True)),
    ({"values": iter(MANY)}, whole(MANY[:100], hasMore=True)),
    ({"completion": {"values": ["red"]}, "_meta": {"a": 1}}, dict(whole(["red"]), _meta={"a": 1})),
])
def test_completion_results(value, expected):
    assert to_completion_result(value) == expected


VALUES = 'a completion returns a str, a list of these, None, or {"values": [...], "total"?, "hasMore"?}'


@pytest.mark.parametrize("value, wanted, came", [
    (5, VALUES, "; got int"), (b"red", VALUES, "; got bytes"), ({"red": "Red"}, VALUES, "; got a dict without values"),
    ({"completion": ["red"]}, "/completion: completion must be an object (a dict)", "; got list"),
    ({"completion": {}}, "/completion: " + VALUES, "; got a dict without values"),
    ([None], "/0: a completion's value must be a string", "; got None"),
    ([["red"]], "/0: a completion's value must be a string", "; got list"),
    ([True], "/0: a completion's value must be a string", "; got bool"),
    ({"values": {"red": 1}}, "/values: values must be a list of strings", "; got a dict"),
    ({"values": ["red"], "total": "1"}, "/total: total must be a whole number, 0 or more", "; got str"),
    ({"values": ["red"], "total": True}, "/total: total must be a whole number, 0 or more", "; got bool"),
    ({"values": ["red"], "hasMore": 1}, "/hasMore: hasMore must be true or false", "; got int"),
    ({"completion": {"values": [], "more": 1}}, "/completion: a completion has the members hasMore, total, values only", ', got "more"'),
])
def test_completion_results_refuse(value, wanted, came):
    with pytest.raises(ContentError) as caught:
        to_completion_result(value)
    assert (caught.value.wanted, str(caught.value)) == (wanted, wanted + came)


# --- every place that takes a list ------------------------------------------------------------------------------------

ICON = icon("m:i")
# The place → a call with the value, one good item, how the items come back out of it.
LIST_PLACES = {
    "audience": (lambda value: text("", annotations={"audience": value}), "user", lambda made: made["annotations"]["audience"]),
    "icon sizes": (lambda value: icon("m:i", sizes=value), "any", lambda made: made["sizes"]),
    "icons of a link": (lambda value: resource_link("m:a", "n", icons=value), ICON, lambda made: made["icons"]),
    "icons of a server": (lambda value: Server("s", icons=value), ICON, lambda made: made.info["icons"]),
    "messages": (lambda value: to_prompt_result({"messages": value}), MESSAGE, lambda made: made["messages"]),
    "contents": (lambda value: to_resource_result({"contents": value}, "m:a"), ENTRY, lambda made: made["contents"]),
}


@pytest.mark.parametrize("place", LIST_PLACES)
def test_a_list_a_tuple_and_an_iterator_are_their_items(place):
    call, item, find = LIST_PLACES[place]
    for value in ([item, item], (item, item), iter([item, item]), (each for each in [item, item])):
        assert find(call(value)) == [item, item]


@pytest.mark.parametrize("place", LIST_PLACES)
@pytest.mark.parametrize("value", ["user", "", b"any", {"user": 1}, {}, {"any"}, 5, open], ids=repr)
def test_what_is_no_list_is_not_taken_for_one(place, value):
    with pytest.raises((ValueError, TypeError)) as caught:
        LIST_PLACES[place][0](value)
    assert "must be a list" in str(caught.value)


@pytest.mark.parametrize("value", [[BLOCK], (BLOCK,), iter([BLOCK])], ids=["list", "tuple", "iterator"])
def test_blocks_of_a_tool_result_stand_alone(value):
    assert message_of(tool_result, value).endswith("; write tool_result(*blocks)")


def test_a_tool_that_returns_a_generator_is_told_to_make_it_a_list():
    assert message_of(to_tool_result, (each for each in "ab")) == "ContentError: a generator is not JSON; make it a list"


def test_a_file_is_not_its_lines():
    with open(__file__, encoding="utf-8") as file:
        assert message_of(to_prompt_result, file).endswith("; got TextIOWrapper")


@pytest.mark.parametrize("value, roots", [
    ("/a", ["/a"]), (pathlib.PurePosixPath("/a"), ["/a"]), ({"uri": "file:///a", "name": "A"}, [{"uri": "file:///a", "name": "A"}]),
    (["/a", "file:///b"], ["/a", "file:///b"]), (("/a",), ["/a"]), ([], []), (lambda: None, []), (lambda: "/a", ["/a"]), (lambda: iter(["/a"]), ["/a"])])
def test_roots_of_a_client(value, roots):
    expected = [dict(root) if isinstance(root, dict) else {"uri": root if "://" in root else "file://" + root} for root in roots]
    assert new_roots(value, lambda path: "file://" + str(path)) == expected


@pytest.mark.parametrize("value", [None, 5, b"/a", {"/a"}, iter(["/a"]), lambda: 5])
def test_roots_that_are_no_list(value):
    assert message_of(new_roots, value, str).startswith("TypeError: roots are a list of paths")


@pytest.mark.parametrize("options, words", [
    ({"meta": "x"}, "meta must be a dict, not 'x'"), ({"title": 5}, "title must be a str, not 5"), ({"execution": ["x"]}, "execution must be a dict"),
    ({"annotations": ["x"]}, "annotations must be a dict"), ({"description": ["x"]}, "description must be a str")])
def test_members_of_a_tool_have_their_types(options, words):
    assert "tool 'go': " + words in message_of(Server("s").tool, lambda: None, name="go", **options)


@pytest.mark.parametrize("options, words", [
    ({"instructions": 5}, "instructions must be a str"), ({"extensions": ["x"]}, "extensions must be a dict"), ({"title": b"x"}, "title must be a str")])
def test_members_of_a_server_have_their_types(options, words):
    assert "server: " + words in message_of(Server, "s", **options)


@pytest.mark.parametrize("options", [{"meta": "x"}, {"title": 5}, {"description": 5}])
def test_members_of_resources_and_prompts_have_their_types(options):
    assert "resource 'm:a': " in message_of(Server("s").resource("m:a", name="a", **options), lambda: None)
    assert "prompt 'go': " in message_of(Server("s").prompt(name="go", **options), lambda: None)
