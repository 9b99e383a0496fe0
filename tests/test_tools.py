"""Tools from outside: field reports 4 and 5, errors, what each revision sees, pages, changes of the list."""
import json

import pytest
from harness import HANDSHAKE_DATES, INITIALIZED, MODERN, PING, PONG, ServerProcess, call, initialize, modern, request, run_server

START = [initialize(), INITIALIZED]
HEAD = '''
from __future__ import annotations
import datetime, decimal, enum, json, pathlib, sys, uuid
from typing import *
from mcplite import (Context, McpError, RegistrationError, Server, ToolError, audio, embedded, icon, image, resource_link, text, tool_result)
server = Server("probe")
'''
RUN = "\nserver.run()\n"


def text_of(result):
    return "".join(block["text"] for block in result["content"])


def make(script, body, head=HEAD):
    return script(head + body + RUN)


def schemas(outcome, request_id=9):
    return {tool["name"]: tool["inputSchema"] for tool in outcome.result(request_id)["tools"]}


LIST = request("tools/list", None, 9)

# Arguments


def test_fr029_a_stringified_object_is_refused_and_a_text_stays_text(script):
    path = make(script, '''
@server.tool(input_schema={"type": "object", "properties": {"user": {"type": "object"}}})
def f(arguments): return "ran"
@server.tool(input_schema={"type": "object", "properties": {"body": {"type": "string"}}})
def g(arguments): return arguments["body"]
''')
    outcome = run_server(path, START + [call("f", {"user": "{\"name\":\"Z\"}"}), call("g", {"body": "{\"a\":1}"}, 3)])
    assert outcome.result(2)["isError"] is True
    assert "/user" in text_of(outcome.result(2)) and "object" in text_of(outcome.result(2))
    assert text_of(outcome.result(3)) == '{"a":1}'


def test_fr029_repair_is_opt_in_and_must_validate(script):
    body = '''
@server.tool
def f(user: Dict[str, int], note: str, either: Union[str, List[int]] = "") -> str: return repr((user, note, either))
'''
    path = make(script, body, HEAD.replace('Server("probe")', 'Server("probe", repair=True)'))
    outcome = run_server(path, START + [call("f", {"user": '{"a":1}', "note": '{"b":2}', "either": "[1]"}),
                                        call("f", {"user": '{"a":"x"}', "note": ""}, 3), call("f", {"user": "{", "note": ""}, 4)])
    assert text_of(outcome.result(2)) == "({'a': 1}, '{\"b\":2}', '[1]')"
    assert outcome.result(3)["isError"] is outcome.result(4)["isError"] is True


def test_fr030_null_for_unset_options(script):
    path = make(script, '''
@server.tool
def f(q: str, after: Optional[int] = None, n: int = 5) -> str: return repr((q, after, n))
''')
    outcome = run_server(path, START + [LIST, call("f", {"q": "a", "after": None}, 2), call("f", {"q": "a"}, 3), call("f", {"q": "a", "n": None}, 4)])
    assert schemas(outcome)["f"]["required"] == ["q"]
    assert text_of(outcome.result(2)) == text_of(outcome.result(3)) == "('a', None, 5)"
    assert outcome.result(4)["isError"] is True
    assert "/n" in text_of(outcome.result(4)) and "omit" in text_of(outcome.result(4))


def test_fr031_omitted_and_malformed_arguments(script):
    path = make(script, '''
@server.tool
def f() -> str: return "ran"
''')
    lines = [request("tools/call", {"name": "f"}, 2), call("f", None, 3), call("f", [], 4), call("f", "x", 5), request("tools/call", {"arguments": {}}, 6),
             request("tools/call", {"name": ["f"]}, 7), request("tools/call", {"name": 5}, 8)]
    outcome = run_server(path, START + lines, wrong=(3, 4, 5, 6, 7, 8))
    assert text_of(outcome.result(2)) == text_of(outcome.result(3)) == "ran"
    assert [outcome.error(number)["code"] for number in (4, 5, 6, 7, 8)] == [-32602] * 5


def test_fr032_a_misspelt_argument_is_named_and_extras_pass_a_handwritten_schema(script):
    path = make(script, '''
@server.tool
def f(max_depth: int = 3) -> str: return "ran"
@server.tool(input_schema={"type": "object", "properties": {"a": {}}})
def g(arguments): return json.dumps(arguments)
''')
    outcome = run_server(path, START + [call("f", {"depth": 1}), call("g", {"a": 1, "b": 2}, 3)])
    assert outcome.result(2)["isError"] is True
    assert "depth" in text_of(outcome.result(2)) and "max_depth" in text_of(outcome.result(2))
    assert json.loads(text_of(outcome.result(3))) == {"a": 1, "b": 2}


def test_arguments_that_a_type_refuses_read_like_those_that_a_schema_refuses(script):
    path = make(script, '''
@server.tool
def f(day: datetime.date, ids: Optional[List[uuid.UUID]] = None) -> str: return "ran"
''')
    outcome = run_server(path, START + [call("f", {"day": "2026-02-30"}), call("f", {"day": 5}, 3)])
    assert outcome.result(2)["isError"] is outcome.result(3)["isError"] is True
    assert text_of(outcome.result(2)).startswith("Invalid arguments for tool f: /day: ")
    assert text_of(outcome.result(3)).startswith("Invalid arguments for tool f: /day: ")
    assert outcome.stderr == ""


def test_fr033_a_number_with_zero_fraction_is_an_integer(script):
    path = make(script, '''
@server.tool
def f(n: int) -> str: return repr(list(range(n)))
''')
    lines = [json.dumps(call("f", {"n": 1}, number)).replace('"n": 1', '"n": ' + text).encode() for number, text in ((2, "3.0"), (3, "3e0"), (4, "3.5"), (5, "true"))]
    outcome = run_server(path, START + lines)
    assert text_of(outcome.result(2)) == text_of(outcome.result(3)) == "[0, 1, 2]"
    assert outcome.result(4)["isError"] is outcome.result(5)["isError"] is True


def test_fr035_published_schemas_have_type_and_properties(script):
    path = make(script, '''
@server.tool
def a(): pass
for name, schema in (("b", {}), ("c", {"properties": {}}), ("d", {"type": "object"}), ("e", {"required": ["x"]})):
    server.tool(name=name, input_schema=schema)(lambda arguments: "ran")
refused = []
for schema in ({"type": "array"}, True, [], "x", {"properties": []}, {"type": ["object", "null"]}):
    try:
        server.tool(name="z", input_schema=schema)(lambda arguments: "ran")
    except RegistrationError as error:
        refused.append(str(error))
server.tool(name="refused")(lambda: refused)
''')
    outcome = run_server(path, START + [LIST, call("refused", {})])
    for name, schema in schemas(outcome).items():
        assert schema["type"] == "object" and isinstance(schema["properties"], dict), name
    assert json.loads(text_of(outcome.result(2))) == [
        "tool 'z': inputSchema must have \"type\": \"object\", not 'array'",
        "tool 'z': inputSchema must be an object (a dict), not True", "tool 'z': inputSchema must be an object (a dict), not []",
        "tool 'z': inputSchema must be an object (a dict), not 'x'", "tool 'z': inputSchema: properties must be an object (a dict)",
        "tool 'z': inputSchema must have \"type\": \"object\", not ['object', 'null']"]


def test_fr036_references(script):
    path = make(script, '''
import dataclasses
@dataclasses.dataclass
class Leg:
    port: str
class Tree(TypedDict):
    name: str
    kids: List["Tree"]
@server.tool
def sail(first: Leg, second: Leg) -> str: return first.port + second.port
@server.tool
def plant(tree: Tree) -> str: return tree["kids"][0]["name"]
problems = []
for reference in ("#/$defs/Gone", "https://example.org/schema.json"):
    try:
        server.tool(name="z", input_schema={"type": "object", "properties": {"x": {"$ref": reference}}})(lambda arguments: "ran")
    except RegistrationError as error:
        problems.append(reference in str(error))
server.tool(name="problems")(lambda: problems)
kept = {"type": "object", "properties": {"x": {"$ref": "#/$defs/n"}}, "$defs": {"n": {"type": "integer"}}}
server.tool(name="kept", input_schema=kept)(lambda arguments: "ran")
''')
    outcome = run_server(path, START + [LIST, call("problems", {}), call("sail", {"first": {"port": "a"}, "second": {"port": "b"}}, 3),
                                        call("plant", {"tree": {"name": "t", "kids": [{"name": "k", "kids": []}]}}, 4)])
    found = schemas(outcome)
    assert "$defs" not in found["sail"] and found["sail"]["properties"]["first"]["properties"] == {"port": {"type": "string"}}
    assert list(found["plant"]["$defs"]) == ["Tree"]
    assert found["kept"] == {"type": "object", "properties": {"x": {"$ref": "#/$defs/n"}}, "$defs": {"n": {"type": "integer"}}}
    assert json.loads(text_of(outcome.result(2))) == [True, True]
    assert text_of(outcome.result(3)) == "ab" and text_of(outcome.result(4)) == "k"


def test_fr037_a_class_defined_below_its_tool(script):
    path = make(script, '''
@server.tool
def f(later: Later) -> str: return later["x"]
class Later(TypedDict):
    x: str
''')
    outcome = run_server(path, START + [LIST, call("f", {"later": {"x": "here"}})])
    assert schemas(outcome)["f"]["properties"]["later"]["required"] == ["x"]
    assert text_of(outcome.result(2)) == "here"


def test_fr037_a_class_defined_below_its_prompt_or_resource(script):
    path = make(script, '''
@server.prompt(argument_titles={"later": "Later"})
def p(later: Later) -> str:
    """A prompt."""
    return later.name
@server.resource("memo://{later}", description="A memo")
def r(later: Later): return later.name
@server.resource("memo://plain")
def plain(later: Later = None):
    """Plain."""
    return repr(later)
@server.completion("p", "later")
def complete(value): return ["a"]
@server.tool
def more() -> str:
    @server.prompt
    def q(later: Latest) -> str: return later.name
    server.resource("more://{later}", name="more")(q)
    class Latest(enum.Enum):
        B = "b"
    globals()["Latest"] = Latest
    return "registered"
class Later(enum.Enum):
    A = "a"
''')
    outcome = run_server(path, START + [
        request("prompts/list", None, 2), request("prompts/get", {"name": "p", "arguments": {"later": "a"}}, 3),
        request("prompts/get", {"name": "p", "arguments": {"later": "z"}}, 4), request("resources/read", {"uri": "memo://a"}, 5),
        request("resources/read", {"uri": "memo://plain"}, 6), request("resources/read", {"uri": "memo://z"}, 7),
        request("resources/templates/list", None, 8), request("resources/list", None, 9), call("more", {}, 10),
        request("prompts/get", {"name": "q", "arguments": {"later": "b"}}, 11), request("resources/read", {"uri": "more://b"}, 12)])
    assert outcome.result(2)["prompts"] == [
        {"name": "p", "description": "A prompt.", "arguments": [{"name": "later", "title": "Later", "required": True}]}]
    assert outcome.result(3)["messages"][0]["content"]["text"] == "A"
    assert outcome.error(4)["code"] == outcome.error(7)["code"] == -32602
    assert outcome.result(5)["contents"][0]["text"] == "A" and outcome.result(6)["contents"][0]["text"] == "None"
    assert outcome.result(8)["resourceTemplates"] == [{"uriTemplate": "memo://{later}", "name": "r", "description": "A memo"}]
    assert outcome.result(9)["resources"] == [{"uri": "memo://plain", "name": "plain", "description": "Plain."}]
    assert outcome.result(11)["messages"][0]["content"]["text"] == "B" and outcome.result(12)["contents"][0]["text"] == "B"


@pytest.mark.parametrize("register", ["@server.tool", "@server.prompt", "@server.resource('memo://{x}')"])
def test_fr037_a_name_that_never_comes_is_one_clear_error(script, register):
    outcome = run_server(make(script, register + '''
def f(x: Nowhere) -> str: return x
'''), START, judge=False)
    assert outcome.status == 1 and outcome.raw == b""
    last = outcome.stderr.strip().splitlines()[-1]
    assert "RegistrationError" in last or "UnresolvedHint" in last
    assert '"f"' in last and '"x"' in last and "Nowhere" in last


REGISTERED_LATE = """
from mcplite import Server
server = Server("s")
@server.tool
def register() -> str:
    exec("def late(x: 'Nowhere') -> int: return x", globals())
    server.tool(late)
    return "registered"
@server.tool
def define() -> str:
    globals()["Nowhere"] = int
    return "defined"
server.run()
"""


def test_a_tool_registered_while_serving_whose_hint_means_nothing_costs_no_list(script):
    lines = [initialize(), INITIALIZED, call("register", {}), request("tools/list", None, 3), call("late", {"x": 1}, 4),
             request("tools/list", None, 5), call("define", {}, 6), request("tools/list", None, 7), call("late", {"x": 1}, 8), PING]
    outcome = run_server(script(REGISTERED_LATE), lines)
    names = [[tool["name"] for tool in outcome.result(number)["tools"]] for number in (3, 5, 7)]
    assert names == [["register", "define"], ["register", "define"], ["register", "define", "late"]]
    assert outcome.result(4)["isError"] and "Nowhere" in outcome.result(4)["content"][0]["text"]
    assert outcome.result(8)["content"][0]["text"] == "1"
    assert "Nowhere" in outcome.stderr


def test_fr039_what_json_cannot_fill_is_refused(script):
    path = make(script, '''
import functools
class Cls:
    def method(self, a: int) -> str: return "method %d" % a
    def __call__(self, a: int) -> str: return "object %d" % a
def f(x, /): pass
def g(*a): pass
def h(x: int, **kw) -> str: return json.dumps({"x": x, **kw})
def k(x: int, y: int) -> str: return "%d %d" % (x, y)
refused = []
for function in (f, g, Cls.method, lambda: 1):
    try:
        server.tool(function)
        refused.append("taken")
    except RegistrationError as error:
        refused.append(str(error))
server.tool(h)
server.tool(functools.partial(k, y=10), name="partial")
server.tool(Cls().method)
server.tool(Cls(), name="object")
server.tool(lambda a: a, name="lambda")
server.tool(name="refused")(lambda: refused)
''')
    outcome = run_server(path, START + [LIST, call("refused", {}), call("h", {"x": 1, "z": 2}, 3), call("partial", {"x": 1}, 4),
                                        call("method", {"a": 1}, 5), call("object", {"a": 1}, 6), call("lambda", {"a": "v"}, 7)])
    refused = json.loads(text_of(outcome.result(2)))
    assert "taken" not in refused and len(refused) == 4
    found = schemas(outcome)
    assert found["h"]["additionalProperties"] is True
    assert list(found["partial"]["properties"]) == ["x"] and list(found["method"]["properties"]) == ["a"]
    assert json.loads(text_of(outcome.result(3))) == {"x": 1, "z": 2}
    assert [text_of(outcome.result(number)) for number in (4, 5, 6, 7)] == ["1 10", "method 1", "object 1", "v"]


# Results

RESULTS = '''
@server.tool(output_schema={"type": "object", "properties": {"t": {"type": "integer"}}, "required": ["t"]})
def measured(kind: str):
    if kind == "raise": raise ValueError("broken")
    return {"good": {"t": 4}, "bad": {"t": "hot"}, "text": "plain", "none": None, "nan": {"t": float("nan")}}[kind]
'''


def test_fr041_an_output_schema_is_enforced(script):
    path = make(script, RESULTS)
    kinds = ("good", "bad", "text", "none", "nan", "raise")
    outcome = run_server(path, START + [call("measured", {"kind": kind}, number) for number, kind in enumerate(kinds, 2)])
    assert outcome.result(2) == {"content": [{"type": "text", "text": '{"t":4}'}], "structuredContent": {"t": 4}}
    for number in range(3, 8):
        assert outcome.result(number)["isError"] is True and "structuredContent" not in outcome.result(number)
    assert "/t" in text_of(outcome.result(3)) and "output schema" in text_of(outcome.result(3))
    assert "/t" in text_of(outcome.result(6))
    assert text_of(outcome.result(7)) == "broken"


@pytest.mark.parametrize("revision", HANDSHAKE_DATES + (MODERN,))
def test_fr042_output_schemas_that_are_no_objects(script, revision):
    path = make(script, '''
@server.tool
def numbers() -> List[int]: return [1, 2]
@server.tool(output_schema={"type": ["array", "null"]})
def maybe(): return [3]
@server.tool(output_schema={"type": ["object", "array"]})
def either(): return {"a": 1}
''')
    names = ("numbers", "maybe", "either")
    if revision == MODERN:
        lines = [modern("tools/list", None, 9)] + [modern("tools/call", {"name": name}, number) for number, name in enumerate(names, 2)]
    else:
        lines = [initialize(revision), LIST] + [call(name, {}, number) for number, name in enumerate(names, 2)]
    outcome = run_server(path, lines)
    listed = {tool["name"]: tool.get("outputSchema") for tool in outcome.result(9)["tools"]}
    structured = [outcome.result(number).get("structuredContent", "absent") for number in (2, 3, 4)]
    if revision == MODERN:
        assert listed["numbers"]["type"] == "array" and structured == [[1, 2], [3], {"a": 1}]
    elif revision in ("2025-06-18", "2025-11-25"):
        assert all(schema["type"] == "object" and schema["required"] == ["result"] for schema in listed.values())
        assert structured == [{"result": [1, 2]}, {"result": [3]}, {"result": {"a": 1}}]
    else:
        assert set(listed.values()) == {None} and structured == ["absent"] * 3
    assert text_of(outcome.result(2)) == "[1,2]"


def test_fr044_every_value_but_none_has_content(script):
    path = make(script, '''
VALUES = {"none": None, "list": [], "text": "", "dict": {}, "zero": 0, "false": False, "float": 1.5, "tuple": (1, "a")}
@server.tool
def give(name: str): return VALUES[name]
''')
    names = ("none", "list", "text", "dict", "zero", "false", "float", "tuple")
    outcome = run_server(path, START + [call("give", {"name": name}, number) for number, name in enumerate(names, 2)])
    found = [[block["text"] for block in outcome.result(number)["content"]] for number in range(2, 10)]
    assert found == [[], ["[]"], [""], ["{}"], ["0"], ["false"], ["1.5"], ['[1,"a"]']]
    assert not any(outcome.result(number).get("isError") for number in range(2, 10))
    assert outcome.result(5)["structuredContent"] == {}


def test_fr045_three_outcomes_never_blur(script):
    path = make(script, '''
@server.tool
def f(city: str) -> str:
    if city == "key": return {}["x"]
    if city == "tool": raise ToolError("exactly this")
    if city == "empty": raise RuntimeError
    raise ValueError("no such city")
''')
    outcome = run_server(path, START + [call("nope", {}, 2), call("f", {}, 3), call("f", {"city": "Atlantis"}, 4), request("tools/nope", None, 5),
                                        call("f", {"city": "tool"}, 6), call("f", {"city": "key"}, 7), call("f", {"city": "empty"}, 8)], wrong=(5,))
    assert outcome.error(2) == {"code": -32602, "message": "Unknown tool: nope"}
    assert outcome.result(3)["isError"] is True and "city" in text_of(outcome.result(3))
    assert outcome.result(4) == {"content": [{"type": "text", "text": "no such city"}], "isError": True}
    assert outcome.error(5)["code"] == -32601
    assert outcome.result(6) == {"content": [{"type": "text", "text": "exactly this"}], "isError": True}
    assert text_of(outcome.result(7)) == "KeyError: 'x'" and text_of(outcome.result(8)) == "RuntimeError"
    assert "no such city" in outcome.stderr and "exactly this" not in outcome.stderr


CONTENT = '''
@server.tool
def everything():
    return [text("t", annotations={"audience": ["user"], "priority": 0.5, "lastModified": "2026-01-01T00:00:00Z"}, meta={"a": 1}),
            image(b"\\x00", "image/png"), audio(b"\\x01", "audio/wav"),
            resource_link("memo://1", "one", title="One", description="first", mime_type="text/plain", size=3),
            embedded("memo://2", "two", "text/plain"), embedded("memo://3", b"\\x02")]
@server.tool
def whole(): return tool_result(text("t"), structured={"n": 1}, is_error=True, meta={"m": 1})
@server.tool
def unsendable(): return {"a": [1, object()]}
@server.tool
def endless():
    value = []
    value.append(value)
    return value
'''


@pytest.mark.parametrize("revision, kinds", [
    ("2024-11-05", ["text", "image", "resource", "text", "resource", "resource"]),
    ("2025-03-26", ["text", "image", "audio", "text", "resource", "resource"]),
    ("2025-06-18", ["text", "image", "audio", "resource_link", "resource", "resource"]),
    ("2025-11-25", ["text", "image", "audio", "resource_link", "resource", "resource"])])
def test_all_content_types_as_each_revision_can_read_them(script, revision, kinds):
    outcome = run_server(make(script, CONTENT), [initialize(revision), call("everything", {}), call("whole", {}, 3)])
    blocks = outcome.result(2)["content"]
    assert [block["type"] for block in blocks] == kinds
    assert ("_meta" in blocks[0]) is (revision >= "2025-06-18")
    assert ("lastModified" in blocks[0]["annotations"]) is (revision >= "2025-06-18")
    assert outcome.result(3)["isError"] is True and outcome.result(3)["_meta"] == {"m": 1}
    assert outcome.result(3).get("structuredContent") == ({"n": 1} if revision >= "2025-06-18" else None)


def test_what_cannot_be_written_is_a_tool_error_naming_the_path(script):
    outcome = run_server(make(script, CONTENT), START + [call("unsendable", {}), call("endless", {}, 3), PING])
    assert outcome.result(2)["isError"] is outcome.result(3)["isError"] is True
    assert "/a/1" in text_of(outcome.result(2))
    assert outcome.replies[-1] == PONG


# The list

FULL = '''
@server.tool(title="T", annotations={"readOnlyHint": True}, icons=[icon("https://example.org/i.png", sizes=["48x48"])], meta={"m": 1},
             execution={"taskSupport": "forbidden"})
def f(x: int) -> Dict[str, int]:
    """Does it.

    More.
        Indented.
    """
    return {"x": x}
'''


@pytest.mark.parametrize("revision, members", [
    ("2024-11-05", {"name", "description", "inputSchema"}),
    ("2025-03-26", {"name", "description", "inputSchema", "annotations"}),
    ("2025-06-18", {"name", "description", "inputSchema", "annotations", "title", "outputSchema", "_meta"}),
    ("2025-11-25", {"name", "description", "inputSchema", "annotations", "title", "outputSchema", "_meta", "icons", "execution"})])
def test_a_revision_sees_of_a_tool_what_it_knows(script, revision, members):
    outcome = run_server(make(script, FULL), [initialize(revision), LIST])
    (tool,) = outcome.result(9)["tools"]
    assert set(tool) == members
    assert tool["description"] == "Does it.\n\nMore.\n    Indented."


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_pages(script, size):
    path = make(script, '''
for n in range(7):
    server.tool(lambda: "x", name="tool%d" % n)
''', HEAD.replace('Server("probe")', 'Server("probe", page_size=%d)' % size))
    with ServerProcess(path) as server:
        server.start()
        names, cursor, pages = [], None, 0
        while True:
            result = server.ask(request("tools/list", {"cursor": cursor} if cursor is not None else None, 10 + pages))["result"]
            names += [tool["name"] for tool in result["tools"]]
            pages += 1
            if "nextCursor" not in result:
                break
            cursor = result["nextCursor"]
        assert names == ["tool%d" % n for n in range(7)] and pages == -(-7 // size)


def test_a_cursor_survives_changes_between_pages(script):
    path = make(script, '''
for n in range(4):
    server.tool(lambda: "x", name="tool%d" % n)
@server.tool
def change() -> str:
    server.remove_tool("tool1")
    server.tool(lambda: "x", name="new")
    return "changed"
''', HEAD.replace('Server("probe")', 'Server("probe", page_size=2)'))
    with ServerProcess(path) as server:
        server.start()
        cursor = server.ask(request("tools/list", None, 10))["result"]["nextCursor"]
        server.ask(call("change", {}, 11))
        assert server.receive()["method"] == "notifications/tools/list_changed"
        assert [tool["name"] for tool in server.ask(request("tools/list", {"cursor": cursor}, 12))["result"]["tools"]] == ["tool2", "tool3"]


@pytest.mark.parametrize("cursor", ["", "x", "dG9vbHM6MQ", "cHJvbXB0czox", "\u00e9", "dG9vbHM6MDAx", 5, True])
def test_a_bad_cursor_is_invalid_params(script, cursor):
    outcome = run_server(make(script, FULL), START + [request("tools/list", {"cursor": cursor})], wrong=(2,))
    assert outcome.error(2)["code"] == -32602


def test_changes_are_told_once_after_the_call(script):
    path = make(script, '''
@server.tool
def grow() -> str:
    for n in range(50):
        server.tool(lambda: "x", name="tool%d" % n)
    return "grown"
''')
    outcome = run_server(path, START + [call("grow", {}), LIST])
    assert [reply.get("method", reply.get("id")) for reply in outcome.replies] == [1, 2, "notifications/tools/list_changed", 9]
    assert len(outcome.result(9)["tools"]) == 51


def test_a_server_without_tools_does_not_declare_them(script):
    outcome = run_server(make(script, ""), START + [LIST, call("f", {})], wrong=(2, 3))
    assert outcome.result(1)["capabilities"] == {"logging": {}}
    assert outcome.error(9)["code"] == outcome.error(2)["code"] == -32601


@pytest.mark.parametrize("body, text", [
    ("@server.tool\ndef f(): pass\n@server.tool(name='f')\ndef g(): pass\n", "tool 'f' is registered already"),
    ("@server.tool(name='a b')\ndef f(): pass\n", "tool name 'a b': use 1 to 128 of"),
    ("@server.tool(name='x' * 129)\ndef f(): pass\n", "use 1 to 128 of"),
    ("@server.tool(annotations={'readOnly': True})\ndef f(): pass\n", "annotations has no member 'readOnly'"),
    ("@server.tool(annotations={'readOnlyHint': 1})\ndef f(): pass\n", "annotation readOnlyHint must be a bool"),
    ("@server.tool(timeout=0)\ndef f(): pass\n", "timeout must be a number of seconds above 0"),
    ("@server.tool(output_schema={'type': 'strange'})\ndef f(): pass\n", "outputSchema"),
    ("@server.tool(input_schema={'properties': {'a': {'minimum': 'x'}}})\ndef f(arguments): pass\n", "/properties/a/minimum"),
    ("@server.tool(input_schema={'$schema': 'http://json-schema.org/draft-04/schema#'})\ndef f(arguments): pass\n", "draft-04"),
    ("Server('')\n", "a server needs a name"),
    ("Server('x', page_size=0)\n", "page_size must be"),
    ("Server('x', key=b'short')\n", "key must be bytes"),
])
def test_registration_refuses_what_no_client_could_use(script, body, text):
    outcome = run_server(make(script, body), START, judge=False)
    last = outcome.stderr.strip().splitlines()[-1]
    assert outcome.status == 1 and "RegistrationError" in last and text in last, outcome.stderr


def test_what_users_catch_are_public_names(script):
    """A client without elicitation is met by ``except CapabilityError``; ``except Exception`` swallows no time limit."""
    path = make(script, '''
import time
from mcplite import Cancelled, CapabilityError, LocalProtocolError, TimeLimit
@server.tool
def ask(ctx) -> str:
    try:
        return ctx.elicit("Sure?", {"type": "object", "properties": {}})["action"]
    except CapabilityError as error:
        return "not asked: %s" % error.data["requiredCapabilities"]
@server.tool(timeout=0.3)
def clean() -> str:
    try:
        time.sleep(20)
    except Exception:
        return "swallowed"
    except TimeLimit:
        print("cleaned up", file=sys.stderr)
        raise
@server.tool
def bases(): return [issubclass(kind, Exception) for kind in (Cancelled, TimeLimit, LocalProtocolError, CapabilityError)]
''')
    outcome = run_server(path, START + [call("ask", {}), call("clean", {}, 3), call("bases", {}, 4)])
    assert text_of(outcome.result(2)) == "not asked: {'elicitation': {}}"
    assert outcome.error(3)["code"] == -32001 and "cleaned up" in outcome.stderr
    assert json.loads(text_of(outcome.result(4))) == [False, False, True, True]
