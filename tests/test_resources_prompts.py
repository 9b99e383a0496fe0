"""Resources, prompts and completion from outside: field reports 6, subscriptions, what each revision sees."""
import base64

import pytest
from harness import HANDSHAKE_DATES, INITIALIZED, MODERN, ServerProcess, call, initialize, modern, request, run_server

START = [initialize(), INITIALIZED]
HEAD = '''
import json
from typing import *
from mcplite import (Context, McpError, Server, audio, embedded, image, resource_link, text)
server = Server("probe")
'''
RUN = "\nserver.run()\n"


def make(script, body, head=HEAD):
    return script(head + body + RUN)


def read(uri, request_id=2):
    return request("resources/read", {"uri": uri}, request_id)


def get(name, arguments=None, request_id=2):
    return request("prompts/get", {"name": name} if arguments is None else {"name": name, "arguments": arguments}, request_id)


RESOURCES = '''
@server.resource("memo://one", mime_type="text/plain", title="One", description="The first", size=3,
                 annotations={"audience": ["user"], "priority": 1, "lastModified": "2026-01-01T00:00:00Z"}, meta={"m": 1})
def one(): return "one"
@server.resource("memo://{topic}/{n}")
def page(topic, n: int, ctx): return json.dumps([topic, n, ctx.params["uri"]])
@server.resource("memo://picture", mime_type="image/png")
def picture(): return b"\\x89PNG"
@server.resource("memo://table", mime_type="text/csv")
def table(): return "a,b"
@server.resource("memo://raw")
def raw(): return b"plain text"
@server.resource("memo://data")
def data(): return {"a": [1]}
@server.resource("memo://many")
def many(): return [{"uri": "memo://many/1", "text": "1"}, {"uri": "memo://many/2", "blob": "Mg==", "mimeType": "x/y", "_meta": {"k": 1}}]
@server.resource("memo://broken")
def broken(): raise KeyError("inside")
@server.resource("memo://nothing")
def nothing(): return None
@server.resource("memo://refusing")
def refusing(): raise McpError(-5, "closed on Sundays")
'''


@pytest.mark.parametrize("revision", HANDSHAKE_DATES + (MODERN,))
@pytest.mark.parametrize("uri", ["gone://x", "memo://nothing"])
def test_fr047_an_unknown_resource(script, revision, uri):
    path = make(script, RESOURCES)
    lines = [modern("resources/read", {"uri": uri})] if revision == MODERN else [initialize(revision), read(uri)]
    error = run_server(path, lines).error(2)
    assert error == {"code": -32602 if revision == MODERN else -32002, "message": "Resource not found: %s" % uri, "data": {"uri": uri}}


def test_fr047_a_reader_that_raises_is_an_internal_error_without_trace(script):
    outcome = run_server(make(script, RESOURCES), START + [read("memo://broken"), read("memo://refusing", 3)], judge=False)
    assert outcome.error(2) == {"code": -32603, "message": "Internal error"}
    assert outcome.error(3) == {"code": -5, "message": "closed on Sundays"}
    assert "KeyError: 'inside'" in outcome.stderr


@pytest.mark.parametrize("uri, values", [
    ("memo://caf%C3%A9%20au%20lait/1", ["caf\u00e9 au lait", 1]), ("memo://a+b/2", ["a+b", 2]), ("memo://x%2520y/3", ["x%20y", 3])])
def test_fr048_variables_are_decoded_once(script, uri, values):
    import json

    result = run_server(make(script, RESOURCES), START + [read(uri)]).result(2)
    assert json.loads(result["contents"][0]["text"]) == values + [uri]
    assert result["contents"][0]["uri"] == uri


@pytest.mark.parametrize("uri", ["memo://bad%GG/4", "memo://%FF/5", "memo://a/seven"])
def test_fr048_malformed_escapes_and_values_are_invalid_params(script, uri):
    assert run_server(make(script, RESOURCES), START + [read(uri)], wrong=(2,)).error(2)["code"] == -32602


@pytest.mark.parametrize("name, contents", [
    ("picture", {"mimeType": "image/png", "blob": base64.b64encode(b"\x89PNG").decode()}), ("table", {"mimeType": "text/csv", "text": "a,b"}),
    ("raw", {"blob": base64.b64encode(b"plain text").decode()}), ("data", {"mimeType": "application/json", "text": '{"a":[1]}'})])
def test_fr050_the_python_type_decides(script, name, contents):
    result = run_server(make(script, RESOURCES), START + [read("memo://" + name)]).result(2)
    assert result == {"contents": [dict(contents, uri="memo://" + name)]}


def test_several_contents_and_meta_by_revision(script):
    path = make(script, RESOURCES)
    new = run_server(path, [initialize("2025-06-18"), read("memo://many")]).result(2)["contents"]
    old = run_server(path, [initialize("2025-03-26"), read("memo://many")]).result(2)["contents"]
    assert new == [{"uri": "memo://many/1", "text": "1"}, {"uri": "memo://many/2", "blob": "Mg==", "mimeType": "x/y", "_meta": {"k": 1}}]
    assert old[1] == {"uri": "memo://many/2", "blob": "Mg==", "mimeType": "x/y"}


def test_lists_of_resources_and_templates(script):
    outcome = run_server(make(script, RESOURCES), START + [request("resources/list", None, 3), request("resources/templates/list", None, 4)])
    listed = outcome.result(3)["resources"]
    assert [entry["name"] for entry in listed] == ["one", "picture", "table", "raw", "data", "many", "broken", "nothing", "refusing"]
    assert listed[0] == {"uri": "memo://one", "name": "one", "title": "One", "description": "The first", "mimeType": "text/plain", "size": 3,
                         "annotations": {"audience": ["user"], "priority": 1, "lastModified": "2026-01-01T00:00:00Z"}, "_meta": {"m": 1}}
    assert outcome.result(4) == {"resourceTemplates": [{"uriTemplate": "memo://{topic}/{n}", "name": "page"}]}


def test_an_old_client_sees_a_resource_without_the_newer_members(script):
    outcome = run_server(make(script, RESOURCES), [initialize("2024-11-05"), request("resources/list", None, 3)])
    assert outcome.result(3)["resources"][0] == {"uri": "memo://one", "name": "one", "description": "The first", "mimeType": "text/plain",
                                                 "size": 3, "annotations": {"audience": ["user"], "priority": 1}}


def test_an_exact_uri_comes_before_templates(script):
    body = '''
@server.resource("memo://{name}")
def any(name): return "template"
@server.resource("memo://exact")
def exact(): return "exact"
'''
    outcome = run_server(make(script, body), START + [read("memo://exact"), read("memo://other", 3)])
    assert [outcome.result(number)["contents"][0]["text"] for number in (2, 3)] == ["exact", "template"]


@pytest.mark.parametrize("params", [None, {}, {"uri": 5}, {"uri": None}])
def test_a_read_without_uri_is_invalid_params(script, params):
    assert run_server(make(script, RESOURCES), START + [request("resources/read", params)], wrong=(2,)).error(2)["code"] == -32602


CHANGING = RESOURCES + '''
@server.tool
def touch(uri: str) -> str:
    server.resource_updated(uri)
    server.resource_updated(uri)
    return "touched"
@server.tool
def grow() -> str:
    server.resource("memo://new", name="new")(lambda: "new")
    return "grown"
@server.tool
def shrink() -> str:
    server.remove_resource("memo://new")
    server.remove_prompt("p")
    return "shrunk"
@server.prompt
def p(): return "x"
'''


def test_subscriptions(script):
    with ServerProcess(make(script, CHANGING)) as server:
        server.start()
        assert server.ask(request("resources/subscribe", {"uri": "memo://one"}, 2))["result"] == {}
        server.ask(call("touch", {"uri": "memo://one"}, 3))
        assert server.receive() == {"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": {"uri": "memo://one"}}
        server.ask(call("touch", {"uri": "memo://raw"}, 4))
        server.receive_none(0.2)
        assert server.ask(request("resources/unsubscribe", {"uri": "memo://one"}, 5))["result"] == {}
        server.ask(call("touch", {"uri": "memo://one"}, 6))
        server.receive_none(0.2)
        assert server.ask(request("resources/subscribe", {"uri": "gone://x"}, 7))["error"]["code"] == -32002


def test_list_changes_of_resources_and_prompts(script):
    with ServerProcess(make(script, CHANGING)) as server:
        server.start()
        server.ask(call("grow", {}, 2))
        assert server.receive()["method"] == "notifications/resources/list_changed"
        assert server.ask(request("resources/list", None, 3))["result"]["resources"][-1]["uri"] == "memo://new"
        server.ask(call("shrink", {}, 4))
        assert [server.receive()["method"] for _ in range(2)] == ["notifications/resources/list_changed", "notifications/prompts/list_changed"]
        assert server.ask(request("prompts/list", None, 5))["result"] == {"prompts": []}


@pytest.mark.parametrize("body, words", [
    ("@server.resource('relative')\ndef f(): pass\n", "'relative'"), ("@server.resource('memo://a b')\ndef f(): pass\n", "memo://a b"),
    ("@server.resource('memo://{x')\ndef f(x): pass\n", "{x"), ("@server.resource('memo://{x}')\ndef f(): pass\n", "'x'"),
    ("@server.resource('memo://{x}')\ndef f(x, y): pass\n", "'y'"), ("@server.resource('memo://x')\ndef f(y): pass\n", "'y'"),
    ("@server.resource('memo://x', annotations={'priority': 2})\ndef f(): pass\n", "priority"),
    ("@server.resource('memo://x', size=-1)\ndef f(): pass\n", "size"),
    ("@server.resource('memo://x')\ndef f(): pass\n@server.resource('memo://x')\ndef g(): pass\n", "registered already"),
    ("@server.completion('nope', 'x')\ndef f(value): pass\n", "'nope'"),
    ("@server.prompt\ndef p(a): pass\n@server.completion('p', 'b')\ndef f(value): pass\n", "'b'")])
def test_registration_refuses_what_cannot_work(script, body, words):
    outcome = run_server(make(script, body), START, judge=False)
    last = outcome.stderr.strip().splitlines()[-1]
    assert outcome.status == 1 and "RegistrationError" in last and words in last, outcome.stderr


PROMPTS = '''
@server.prompt(title="P", argument_titles={"topic": "Topic"})
def p(topic: str, n: int = 3):
    """About a topic."""
    return "%s %r" % (topic, n)
@server.prompt
def blocks(): return [text("t"), {"role": "assistant", "content": image(b"\\x00", "image/png")}, audio(b"\\x01", "audio/wav"),
                      embedded("memo://1", "one"), resource_link("memo://2", "two")]
@server.prompt
def wrong(): return 5
@server.prompt
def unset(): return {"role": "system", "content": text("x")}
'''


def test_fr051_prompt_arguments_are_strings(script):
    lines = [get("p", {"topic": "x", "n": "7"}, 2), get("p", {"topic": "x", "n": 7}, 3), get("p", {"n": "7"}, 4), get("p", {"topic": "x", "n": "seven"}, 5),
             get("nope", {}, 6), get("p", None, 7), get("p", {"topic": "x", "zzz": "1"}, 8), get("p", [], 9), request("prompts/list", None, 10)]
    outcome = run_server(make(script, PROMPTS), START + lines, wrong=(3, 9))
    assert outcome.result(2) == {"description": "About a topic.", "messages": [{"role": "user", "content": {"type": "text", "text": "x 7"}}]}
    assert [outcome.error(number)["code"] for number in range(3, 10)] == [-32602] * 7
    assert outcome.error(6)["message"] == "Unknown prompt: nope"
    assert outcome.result(10)["prompts"][0] == {"name": "p", "title": "P", "description": "About a topic.", "arguments": [
        {"name": "topic", "title": "Topic", "required": True}, {"name": "n", "required": False}]}


def test_fr051_a_list_is_no_string_even_where_the_hint_is_one(script):
    body = "@server.prompt\ndef tagged(tags: List[str], more: Optional[Dict[str, int]] = None): return repr(tags)\n"
    lines = [get("tagged", {"tags": ["x"]}, 2), get("tagged", {"tags": '["x"]'}, 3), get("tagged", {"tags": '["x"]', "more": {"a": 1}}, 4)]
    outcome = run_server(make(script, body), START + lines, wrong=(2, 4))
    assert outcome.error(2)["code"] == outcome.error(4)["code"] == -32602
    assert outcome.result(3)["messages"][0]["content"]["text"] == "['x']"


@pytest.mark.parametrize("revision, kinds", [
    ("2024-11-05", ["text", "image", "resource", "resource", "text"]), ("2025-03-26", ["text", "image", "audio", "resource", "text"]),
    ("2025-06-18", ["text", "image", "audio", "resource", "resource_link"])])
def test_messages_of_either_role_with_every_content(script, revision, kinds):
    messages = run_server(make(script, PROMPTS), [initialize(revision), get("blocks")]).result(2)["messages"]
    assert [message["content"]["type"] for message in messages] == kinds
    assert [message["role"] for message in messages] == ["user", "assistant", "user", "user", "user"]


def test_a_prompt_that_returns_nonsense_is_an_internal_error(script):
    outcome = run_server(make(script, PROMPTS), START + [get("wrong"), get("unset", None, 3)])
    head = "Prompt %s returned what cannot be its result: %s"
    wanted = 'a prompt returns a str, a content block, a message {"role", "content"}, a list of these, or a whole result {"messages": [...]}'
    assert outcome.error(2) == {"code": -32603, "message": head % ("wrong", wanted)}
    assert outcome.error(3) == {"code": -32603, "message": head % ("unset", '/role: a role is "user" or "assistant"')}
    assert head % ("wrong", wanted + "; got int") in outcome.stderr and "got 'system'" in outcome.stderr
    assert "Traceback" not in outcome.stderr


def test_an_old_client_sees_prompts_without_titles(script):
    prompt = run_server(make(script, PROMPTS), [initialize("2025-03-26"), request("prompts/list")]).result(2)["prompts"][0]
    assert prompt == {"name": "p", "description": "About a topic.", "arguments": [{"name": "topic", "required": True}, {"name": "n", "required": False}]}


COMPLETIONS = '''
@server.prompt
def p(color: str, shade: str = ""): return "x"
@server.resource("memo://{name}")
def r(name): return "x"
@server.completion("p", "color")
def colors(value, arguments): return [c for c in ("red", "green", "grey") if c.startswith(value)]
@server.completion("p", "shade")
def shades(value, arguments, ctx): return [arguments.get("color", "none") + " " + ctx.revision]
@server.completion("memo://{name}", "name")
def names(value): return ["%s%d" % (value, n) for n in range(250)]
'''


def complete(reference, name, value, request_id=2, **more):
    return request("completion/complete", dict({"ref": reference, "argument": {"name": name, "value": value}}, **more), request_id)


def test_completion(script):
    prompt, template = {"type": "ref/prompt", "name": "p"}, {"type": "ref/resource", "uri": "memo://{name}"}
    lines = [complete(prompt, "color", "gr"), complete(prompt, "shade", "", 3, context={"arguments": {"color": "red"}}), complete(template, "name", "x", 4),
             complete(prompt, "other", "", 5), complete({"type": "ref/prompt", "name": "q"}, "a", "", 6), complete({"type": "ref/x"}, "a", "", 7),
             request("completion/complete", {"ref": prompt}, 8)]
    outcome = run_server(make(script, COMPLETIONS), START + lines, wrong=(7, 8))
    assert outcome.result(2)["completion"] == {"values": ["green", "grey"], "total": 2, "hasMore": False}
    assert outcome.result(3)["completion"]["values"] == ["red 2025-11-25"]
    assert outcome.result(4)["completion"] == {"values": ["x%d" % n for n in range(100)], "total": 250, "hasMore": True}
    assert outcome.result(5)["completion"]["values"] == []
    assert [outcome.error(number)["code"] for number in (6, 7, 8)] == [-32602] * 3


@pytest.mark.parametrize("revision, declared", [("2024-11-05", False), ("2025-03-26", True), ("2025-11-25", True)])
def test_completions_are_declared_where_the_capability_exists(script, revision, declared):
    outcome = run_server(make(script, COMPLETIONS), [initialize(revision)])
    assert ("completions" in outcome.result(1)["capabilities"]) is declared


# --- whole results, as they are on the wire ---

WHOLE = """
@server.prompt(description="registered")
def whole(): return {"description": "its own", "messages": [{"role": "assistant", "content": audio(b"x", "audio/wav")}], "_meta": {"a/b": 1}}
@server.prompt(description="registered")
def bare(): return {"messages": [{"role": "user", "content": {"type": "text", "text": "hi"}}]}
@server.prompt
def yielding(): return (item for item in ["one", {"role": "assistant", "content": "two"}])
@server.prompt
def asking(ctx): return (ctx.elicit(question, FORM)["content"]["name"] for question in ["Name?"])
FORM = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
@server.resource("memo://whole", mime_type="a/b", ttl_ms=5000)
def whole_resource(): return {"contents": [{"uri": "memo://part", "mimeType": "text/plain", "text": "x", "_meta": {"k": 1}}], "_meta": {"a/b": 1}}
@server.resource("memo://hinted", ttl_ms=5000)
def hinted(): return {"contents": [{"uri": "memo://hinted", "blob": "eA=="}], "ttlMs": 7, "cacheScope": "public"}
@server.resource("memo://data")
def data(): return {"contents": ["chapter one"], "pages": 3}
@server.prompt
def p(color: str, n: str = "", other: str = "", broken: str = ""): return "x"
@server.completion("p", "color")
def color(value): return "red"
@server.completion("p", "n")
def n(value): return {"values": ["1", "2"], "total": 7, "hasMore": True}
@server.completion("p", "other")
def other(value): return {"completion": {"values": ("3",)}, "_meta": {"a/b": 1}}
@server.completion("p", "broken")
def broken(value): return {"values": [], "total": "many"}
@server.prompt
def no_list(): return {"messages": "hi"}
@server.prompt
def nothing_known(): return {"foo": Secret()}
@server.prompt
def none(): return None
@server.prompt
def raw(): return b"x"
@server.resource("memo://no-list")
def no_contents(): return {"contents": 5}
@server.resource("memo://no-entry")
def no_entry(): return {"contents": [{"uri": "memo://x", "text": Secret()}]}
class Secret: pass
"""
ALL_DATES = HANDSHAKE_DATES + (MODERN,)


def ask_all(script, revision, *questions):
    """The replies to requests ``(method, params)`` of one revision."""
    lines = [modern(method, params, 2 + number) if revision == MODERN else request(method, params, 2 + number)
             for number, (method, params) in enumerate(questions)]
    start = [] if revision == MODERN else [initialize(revision), INITIALIZED]
    outcome = run_server(make(script, WHOLE), start + lines)
    return outcome, [outcome.by_id(2 + number) for number in range(len(questions))]


def without_server_info(result):
    """A result without what 2026-07-28 adds to every one."""
    meta = {name: value for name, value in result.get("_meta", {}).items() if not name.endswith("/serverInfo")}
    rest = {name: value for name, value in result.items() if name not in ("_meta", "resultType")}
    return dict(rest, _meta=meta) if meta else rest


@pytest.mark.parametrize("revision", ALL_DATES)
def test_a_prompt_in_wire_form(script, revision):
    outcome, replies = ask_all(script, revision, ("prompts/get", {"name": "whole"}), ("prompts/get", {"name": "bare"}))
    result = without_server_info(replies[0]["result"])
    kind = "resource" if revision == "2024-11-05" else "audio"
    assert (result["description"], result["_meta"], result["messages"][0]["role"], result["messages"][0]["content"]["type"]) == (
        "its own", {"a/b": 1}, "assistant", kind)
    assert without_server_info(replies[1]["result"]) == {"description": "registered", "messages": [{"role": "user", "content": {"type": "text", "text": "hi"}}]}
    assert ("_meta" in replies[1]["result"]) is (revision == MODERN)
    assert outcome.stderr == ""


@pytest.mark.parametrize("revision", ALL_DATES)
def test_a_resource_in_wire_form(script, revision):
    outcome, replies = ask_all(script, revision, *(("resources/read", {"uri": "memo://" + name}) for name in ("whole", "hinted", "data")))
    entry = {"uri": "memo://part", "mimeType": "text/plain", "text": "x"}
    if revision >= "2025-06-18":
        entry["_meta"] = {"k": 1}
    hints = [{"ttlMs": 5000, "cacheScope": "private"}, {"ttlMs": 7, "cacheScope": "public"}] if revision == MODERN else [{}, {}]
    assert without_server_info(replies[0]["result"]) == dict(hints[0], contents=[entry], _meta={"a/b": 1})
    assert without_server_info(replies[1]["result"]) == dict(hints[1], contents=[{"uri": "memo://hinted", "blob": "eA=="}])
    assert replies[2]["result"]["contents"] == [{"uri": "memo://data", "mimeType": "application/json", "text": '{"contents":["chapter one"],"pages":3}'}]
    assert outcome.stderr == ""


@pytest.mark.parametrize("revision", ALL_DATES[1:])
def test_completions_of_every_form(script, revision):
    _, replies = ask_all(script, revision, *(("completion/complete", {"ref": {"type": "ref/prompt", "name": "p"}, "argument": {"name": name, "value": ""}})
                                             for name in ("color", "n", "other", "broken")))
    assert [without_server_info(reply["result"]) for reply in replies[:3]] == [
        {"completion": {"values": ["red"], "total": 1, "hasMore": False}}, {"completion": {"values": ["1", "2"], "total": 7, "hasMore": True}},
        {"completion": {"values": ["3"]}, "_meta": {"a/b": 1}}]
    assert replies[3]["error"] == {"code": -32603, "message": "Completion of broken of p returned what cannot be its result: "
                                                              "/total: total must be a whole number, 0 or more"}


def test_a_prompt_that_returns_a_generator(script):
    _, [reply] = ask_all(script, "2025-11-25", ("prompts/get", {"name": "yielding"}))
    assert [(message["role"], message["content"]["text"]) for message in reply["result"]["messages"]] == [("user", "one"), ("assistant", "two")]


def test_a_prompt_that_asks_in_its_generator(script):
    """That runs once the function has returned; under 2026-07-28 the question is the result all the same."""
    with ServerProcess(make(script, WHOLE)) as server:
        asked = server.ask(modern("prompts/get", {"name": "asking"}, clientCapabilities={"elicitation": {"form": {}}}))["result"]
        [key] = asked["inputRequests"]
        answers = {"name": "asking", "requestState": asked["requestState"], "inputResponses": {key: {"action": "accept", "content": {"name": "Ann"}}}}
        result = server.ask(modern("prompts/get", answers, 3, clientCapabilities={"elicitation": {"form": {}}}))["result"]
    assert result["messages"] == [{"role": "user", "content": {"type": "text", "text": "Ann"}}]


@pytest.mark.parametrize("method, params, handler, member", [
    ("prompts/get", {"name": "no_list"}, "Prompt no_list", "/messages: messages must be a list"),
    ("prompts/get", {"name": "nothing_known"}, "Prompt nothing_known", "a prompt returns a str, "),
    ("prompts/get", {"name": "none"}, "Prompt none", "a prompt returns a str, "), ("prompts/get", {"name": "raw"}, "Prompt raw", "a prompt returns a str, "),
    ("resources/read", {"uri": "memo://no-list"}, "Resource memo://no-list", "/contents: contents must be a list"),
    ("resources/read", {"uri": "memo://no-entry"}, "Resource memo://no-entry", "/contents/0: an entry of contents is ")])
@pytest.mark.parametrize("revision", [ALL_DATES[0], MODERN])
def test_what_cannot_be_a_result_is_named_to_both_sides(script, revision, method, params, handler, member):
    outcome, [reply] = ask_all(script, revision, (method, params))
    message = reply["error"]["message"]
    assert reply["error"]["code"] == -32603 and message.startswith("%s returned what cannot be its result: %s" % (handler, member))
    assert "got" not in message and "Secret" not in message
    assert message in outcome.stderr and "; got " in outcome.stderr and "Traceback" not in outcome.stderr


STEPS_OUT = ["docs://v1.2/..%2F..%2Fkey", "docs://v1.2/%2E%2E", "docs://v1.2/..%5Ckey", "docs://v1.2/key%00", "docs://v1.2/.."]


@pytest.mark.parametrize("revision", ALL_DATES)
def test_a_segment_that_steps_out_is_no_resource(script, revision):
    path = make(script, "@server.resource('docs://v1.2/{name}')\ndef doc(name): raise SystemExit(name)\n")
    new, lines = (modern, []) if revision == MODERN else (request, [initialize(revision)])
    outcome = run_server(path, lines + [new("resources/read", {"uri": uri}, number) for number, uri in enumerate(STEPS_OUT, 2)])
    assert [outcome.error(number) for number in range(2, 2 + len(STEPS_OUT))] == [
        {"code": -32602 if revision == MODERN else -32002, "message": "Resource not found: %s" % uri, "data": {"uri": uri}} for uri in STEPS_OUT]


def test_subscribing_to_a_malformed_uri_is_invalid_params(script):
    outcome = run_server(make(script, RESOURCES), START + [request("resources/subscribe", {"uri": "memo://bad%GG/4"})])
    assert outcome.error(2)["code"] == -32602 and outcome.stderr == ""


PATHS = """
from mcplite import safe_path
@server.resource("files:///{+path}")
def file(path): return open(safe_path(ROOT, path)).read()
@server.prompt
def about(path): return safe_path(ROOT, path)
@server.tool
def show(path: str) -> str: return open(safe_path(ROOT, path)).read()
"""


@pytest.mark.parametrize("revision", ["2024-11-05", "2025-11-25", MODERN])
def test_a_path_that_leads_out_is_the_clients_error(script, tmp_path, revision):
    """In a resource it is "not found" in the words of the revision; neither side sees the directory, and no trace is written."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("inside")
    (tmp_path / "key").write_text("secret")
    uris = ["files:///a.txt", "files:///../key", "files:///%2e%2e%2Fkey", "files:////etc/passwd"]
    questions = [("resources/read", {"uri": uri}) for uri in uris] + [("prompts/get", {"name": "about", "arguments": {"path": "../key"}}),
                                                                      ("tools/call", {"name": "show", "arguments": {"path": "../key"}})]
    lines = [modern(method, params, 2 + number) if revision == MODERN else request(method, params, 2 + number)
             for number, (method, params) in enumerate(questions)]
    path = make(script, "ROOT = %r\n" % str(tmp_path / "in") + PATHS)
    outcome = run_server(path, ([] if revision == MODERN else [initialize(revision)]) + lines)
    assert outcome.result(2)["contents"][0]["text"] == "inside"
    code = -32602 if revision == MODERN else -32002
    assert [outcome.error(3 + number) for number in range(3)] == [{"code": code, "message": "Resource not found: " + uri, "data": {"uri": uri}}
                                                                  for uri in uris[1:]]
    assert outcome.error(6) == {"code": -32602, "message": "Invalid params: the path '../key' leads out of its directory"}
    assert outcome.result(7)["content"] == [{"type": "text", "text": "the path '../key' leads out of its directory"}] and outcome.result(7)["isError"]
    assert outcome.stderr == "" and str(tmp_path).encode() not in outcome.raw


@pytest.mark.parametrize("result, came", [("5", "5"), ("[1]", "[1]"), ("None", "None"), ("'hello'", "'hello'"), ("'[1]'", "[1]"), ("'{hello}'", "'{hello}'")])
@pytest.mark.parametrize("revision", ["2025-11-25", MODERN])
def test_a_handler_whose_result_is_no_object(script, revision, result, came):
    path = make(script, "server.handlers['acme/x'] = lambda params, ctx: %s\n" % result)
    lines = [modern("acme/x")] if revision == MODERN else [initialize(revision), request("acme/x")]
    outcome = run_server(path, lines, judge=False)
    assert outcome.error(2) == {"code": -32603, "message": "Internal error: the handler of acme/x must return an object (a dict)"}
    assert "the handler of acme/x must return an object (a dict), not %s" % came in outcome.stderr and "Traceback" not in outcome.stderr


@pytest.mark.parametrize("revision", ["2025-11-25", MODERN])
def test_a_handler_may_pass_on_the_text_of_ours_or_its_own(script, revision):
    body = """
@server.tool
def hi() -> str: return "h\u00e9"
ours = server.handlers["tools/call"]
server.handlers["tools/call"] = lambda params, ctx: ours(params, ctx)
server.handlers["acme/text"] = lambda params, ctx: json.dumps({"a": 1}, indent=2)
"""
    path = make(script, body)
    lines = [modern("tools/call", {"name": "hi"}), modern("acme/text", {}, 3)] if revision == MODERN else [
        initialize(revision), call("hi", {}), request("acme/text", None, 3)]
    outcome = run_server(path, lines, judge=False)
    assert outcome.result(2)["content"] == [{"type": "text", "text": "h\u00e9"}]
    assert outcome.result(3)["a"] == 1


def test_check_server_compares_whole_results():
    from mcplite import Server, text
    from mcplite.testing import check_server

    server = Server("whole")
    server.prompt(name="p")(lambda: {"messages": [{"role": "user", "content": text("hi")}], "_meta": {"a/b": 1}})
    server.resource("memo://a", name="a")(lambda: {"contents": [{"uri": "memo://a", "text": "x", "_meta": {"k": 1}}], "_meta": {"a/b": 1}, "ttlMs": 9})
    assert check_server(server, "prompts/get", {"name": "p"}) == {"messages": [{"role": "user", "content": {"type": "text", "text": "hi"}}], "_meta": {"a/b": 1}}
    assert check_server(server, "resources/read", {"uri": "memo://a"}) == {
        "contents": [{"uri": "memo://a", "text": "x", "_meta": {"k": 1}}], "_meta": {"a/b": 1}}
