"""The checker checked: official examples pass, and every rule of ``Conversation`` is broken once and must be reported.

Here: good stories of every revision, then planted faults. A fault is a story and one line that breaks a rule; the whole
first line of the failure text is compared, so that a fault reported for another reason does not count.
"""
from __future__ import annotations

import glob
import json
import os
import re

import official
import pytest
from official import Conversation, check_members, check_message, check_no_newer, check_result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple, TypeVar

    Test = TypeVar("Test", bound=Callable[..., None])

OLD, BATCHED, MIDDLE, LAST, NEW = official.REVISIONS
NAMED = {"name": "n", "version": "1"}
ALL_CLIENT: Dict[str, Any] = {"roots": {}, "sampling": {}}
ALL_SERVER: Dict[str, Any] = {"tools": {"listChanged": True}, "prompts": {}, "resources": {"subscribe": True},
                              "logging": {}}


@pytest.fixture
def schemas() -> None:
    if official.why_no_schemas():
        pytest.skip(str(official.why_no_schemas()))


def examples() -> Iterator[Tuple[str, str, Any]]:
    """definition, file name, value"""
    for path in sorted(glob.glob(os.path.join(official.SPEC, "examples-2026-07-28", "*", "*.json"))):
        with open(path, encoding="utf-8") as file:
            yield os.path.basename(os.path.dirname(path)), os.path.basename(path), json.load(file)


def table(names: str, rows: List[Any]) -> Callable[[Test], Test]:
    """Parametrize by rows whose first column is the id."""
    return pytest.mark.parametrize(names, [row[1:] for row in rows], ids=[row[0] for row in rows])


def assert_fails(call: Callable[[], Any], text: str) -> None:
    """``call`` fails with ``text``; what follows "as <definition>, " is jsonschema's wording: compared with it only."""
    found = first_line(call)
    if official.judge_name() != "jsonschema":
        found, text = (re.sub(r"( as \w+, ).*", r"\1", words) for words in (found, text))
    assert found == text


def first_line(call: Callable[[], Any]) -> str:
    with pytest.raises(AssertionError) as caught:
        call()
    return str(caught.value).split("\n")[0]


# ---- what the checker stands on

def test_the_official_schemas_are_asked() -> None:
    if official.why_no_schemas():
        pytest.skip(str(official.why_no_schemas()))
    assert official.judge_name() in ("jsonschema", "mcplite")


def test_without_schemas_nothing_is_judged_by_them_and_the_reason_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(official, "SPEC", os.path.join("no", "such", "folder"))
    monkeypatch.setattr(official, "skips", {})
    check_message({"jsonrpc": "2.0", "id": 1, "method": "tools/call"}, LAST, "client")
    check_result("tools/list", {"tools": 5}, LAST)
    check_no_newer({"jsonrpc": "2.0", "id": 1, "result": {"tools": [{"title": "x"}]}}, OLD, "tools/list")
    reason = "official schemas not checked: 2024-11-05.json is not in ../shared/spec (or MCPLITE_SHARED/spec)"
    assert official.skips == {reason: 2}


def test_without_schemas_a_conversation_still_counts_replies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(official, "SPEC", os.path.join("no", "such", "folder"))
    conv = Conversation()
    shake(conv, LAST)
    conv.client(request(2, "ping"))
    assert first_line(conv.finish) == "the server has not answered client line 4 (ping, id 2)"


@pytest.mark.parametrize("number", range(len(official.CORRECTIONS)))
def test_every_correction_of_a_schema_is_needed(schemas: None, number: int) -> None:
    revision, place, forgotten = official.CORRECTIONS[number]
    document = official.original(revision)
    assert not set(place(document.get("$defs") or document["definitions"])["type"]) & set(forgotten)


def test_every_official_example_is_valid(schemas: None) -> None:
    values = list(examples())
    assert len(values) > 100
    for name, file, value in values:
        assert official.problems_as(name, value, NEW) == [], file


def test_official_example_messages_are_valid_as_messages(schemas: None) -> None:
    checked = 0
    for _, _, value in examples():
        if isinstance(value, dict) and value.get("jsonrpc") == "2.0":
            from_client = any(value.get("method") in official.sent_methods(NEW, "client", kind)
                              for kind in ("request", "notification"))
            check_message(value, NEW, "client" if from_client else "server")
            check_members(value, NEW)
            checked += 1
    assert checked > 30


def test_official_example_results_are_valid_as_results_of_their_method(schemas: None) -> None:
    wrong = []
    for name, file, value in examples():
        if name.endswith(("Result", "ResultResponse")):
            request_name = name.replace("Response", "")[:-len("Result")] + "Request"
            for method, definition in official.method_definitions(NEW).items():
                if definition == request_name:
                    result = value["result"] if name.endswith("Response") else value
                    if official.result_problems(method, result, NEW):
                        wrong.append(file)
                    check_members({"result": result}, NEW, method)
    # This one has neither ttlMs nor cacheScope, which ReadResourceResult requires; it passes as an InputRequiredResult.
    assert wrong == ["read-resource-result-response.json"]


def test_mcplite_and_jsonschema_agree_on_every_example_and_on_every_example_spoilt(schemas: None) -> None:
    pytest.importorskip("jsonschema")
    try:
        from mcplite.schema import Validator  # noqa: F401
    except ImportError:
        pytest.skip("mcplite.schema is not there yet")
    for name, file, value in examples():
        for spoilt in [value, *spoil(value)]:
            verdicts = [bool(official.new_judge(judge, NEW, name)(spoilt)) for judge in ("jsonschema", "mcplite")]
            assert verdicts[0] == verdicts[1], (file, spoilt, verdicts)


def spoil(value: Any) -> Iterator[Any]:
    """``value`` with one member or element missing, replaced by null, or by a value of another type."""
    if isinstance(value, dict):
        for key, member in value.items():
            yield {other: value[other] for other in value if other != key}
            for changed in [None, 0.5, *spoil(member)]:
                yield dict(value, **{key: changed})
    elif isinstance(value, list):
        for index, member in enumerate(value):
            for changed in [None, *spoil(member)]:
                yield value[:index] + [changed] + value[index + 1:]


# ---- one message

def request(request_id: Any, method: str, params: Optional[Dict[str, Any]] = None) -> Dict[str, Any]:
    return dict(notification(method, params), id=request_id)


def result(request_id: Any, value: Any) -> Dict[str, Any]:
    return {"jsonrpc": "2.0", "id": request_id, "result": value}


def error(request_id: Any, code: int = -32603, message: str = "no", **more: Any) -> Dict[str, Any]:
    return {"jsonrpc": "2.0", "id": request_id, "error": dict({"code": code, "message": message}, **more)}


def notification(method: str, params: Optional[Dict[str, Any]] = None) -> Dict[str, Any]:
    return dict({"jsonrpc": "2.0", "method": method}, **({} if params is None else {"params": params}))


def cancel(request_id: Any) -> Dict[str, Any]:
    return notification("notifications/cancelled", {"requestId": request_id})


def log(level: str) -> Dict[str, Any]:
    return notification("notifications/message", {"level": level, "data": 1})


TOOL = {"name": "add", "inputSchema": {"type": "object"}}

MESSAGES: List[Tuple[str, Dict[str, Any], str, str]] = [
    ("a method of another direction", request(1, "tools/list"), LAST,
     "server message in 2025-11-25: tools/list is no request that a server sends in 2025-11-25"),
    ("a method of a later revision", request(1, "elicitation/create", {}), BATCHED,
     "server message in 2025-03-26: elicitation/create is no request that a server sends in 2025-03-26"),
    ("a method of an earlier revision", request(1, "ping", {}), NEW,
     "server message in 2026-07-28: ping is no request that a server sends in 2026-07-28"),
    ("a notification as a request", request(1, "notifications/progress", {}), LAST,
     "server message in 2025-11-25: notifications/progress is no request that a server sends in 2025-11-25"),
    ("a missing member of params", notification("notifications/message", {"level": "info"}), LAST,
     "server message in 2025-11-25: as LoggingMessageNotification, /params: 'data' is a required property"),
    ("a constant", log("loud"), OLD,
     "server message in 2024-11-05: as LoggingMessageNotification, /params/level: 'loud' is not one of ['alert', "
     "'critical', 'debug', 'emergency', 'error', 'info', 'notice', 'warning']"),
    ("an error code of another revision", error(1, -32022, data={"supported": [], "requested": ""}), LAST,
     "server message in 2025-11-25: error code -32022 is not one of 2025-11-25"),
    ("data that belongs to a code", error(1, -32022), NEW,
     "server message in 2026-07-28: as UnsupportedProtocolVersionError, /error: 'data' is a required property"),
    ("an error code that is no integer", {"jsonrpc": "2.0", "id": 1, "error": {"code": "x", "message": "no"}}, OLD,
     "server message in 2024-11-05: as JSONRPCError, /error/code: 'x' is not of type 'integer'"),
    ("a null id in a later revision", error(None), LAST,
     'server message in 2025-11-25: an error without a readable id has no "id" member in 2025-11-25'),
    ("no id in an earlier revision", {"jsonrpc": "2.0", "error": {"code": 1, "message": "no"}}, MIDDLE,
     'server message in 2025-06-18: an error without a readable id has "id": null in 2025-06-18'),
    ("a result in 2026-07-28 without resultType", result(1, {}), NEW,
     "server message in 2026-07-28: as JSONRPCResponse, /result: 'resultType' is a required property"),
]


@table("message, revision, text", MESSAGES)
def test_a_wrong_message_is_reported(schemas: None, message: Dict[str, Any], revision: str, text: str) -> None:
    assert_fails(lambda: check_message(message, revision, "server"), text)


@pytest.mark.parametrize("revision", official.REVISIONS)
def test_a_method_of_no_revision_is_an_extension(schemas: None, revision: str) -> None:
    check_message(request(1, "acme/echo", {"any": 1}), revision, "client")
    check_result("acme/echo", {"ok": True, "resultType": "complete"}, revision)


def test_null_is_the_id_of_an_unreadable_line_in_earlier_revisions(schemas: None) -> None:
    check_message(error(None), OLD, "server")
    check_message({"jsonrpc": "2.0", "error": {"code": 1, "message": "no"}}, NEW, "server")


RESULTS: List[Tuple[str, str, Any, str, str]] = [
    ("a result that only the union takes", "tools/list", {"prompts": []}, LAST,
     "result of tools/list in 2025-11-25: as ListToolsResult, /: 'tools' is a required property"),
    ("a tool without inputSchema", "tools/list", {"tools": [{"name": "x"}]}, OLD,
     "result of tools/list in 2024-11-05: as ListToolsResult, /tools/0: 'inputSchema' is a required property"),
    ("content of a later revision", "tools/call", {"content": [{"type": "audio", "data": "", "mimeType": "a/b"}]}, OLD,
     "result of tools/call in 2024-11-05: as CallToolResult, /content/0: is none of the kinds known here ('image', "
     "'resource', 'text')"),
    ("the member that was meant", "tools/call", {"content": [{"type": "image", "data": "", "mimeType": 5}]}, LAST,
     "result of tools/call in 2025-11-25: as CallToolResult, /content/0/mimeType: 5 is not of type 'string'"),
    ("a method of another revision", "server/discover", {}, LAST,
     "result of server/discover in 2025-11-25: server/discover is no method of 2025-11-25: it can only fail"),
    ("an unknown resultType", "tools/call", {"content": [], "resultType": "task"}, NEW,
     "result of tools/call in 2026-07-28: /resultType: is 'task', not 'complete'"),
    ("input_required where it may not be", "tools/list",
     {"tools": [], "resultType": "input_required", "ttlMs": 0, "cacheScope": "private"}, NEW,
     "result of tools/list in 2026-07-28: /resultType: is 'input_required', not 'complete'"),
    ("an empty question", "tools/call", {"resultType": "input_required"}, NEW,
     "result of tools/call in 2026-07-28: an InputRequiredResult has inputRequests, requestState or both"),
    ("a missing caching hint", "tools/list", {"tools": [], "resultType": "complete", "ttlMs": 1}, NEW,
     "result of tools/list in 2026-07-28: as ListToolsResult, /: 'cacheScope' is a required property"),
    ("a client's result", "roots/list", {"roots": [{"name": "x"}]}, LAST,
     "result of roots/list in 2025-11-25: as ListRootsResult, /roots/0: 'uri' is a required property"),
]


@table("method, value, revision, text", RESULTS)
def test_a_wrong_result_is_reported(schemas: None, method: str, value: Any, revision: str, text: str) -> None:
    assert_fails(lambda: check_result(method, value, revision), text)


NEWER: List[Tuple[str, str, Any, str, str]] = [
    ("title of a tool", "tools/list", {"tools": [dict(TOOL, title="Add")]}, OLD,
     "/result/tools/0/title: 2024-11-05 does not define it, but 2025-06-18, 2025-11-25, 2026-07-28"),
    ("annotations of a tool", "tools/list", {"tools": [dict(TOOL, annotations={})]}, OLD,
     "/result/tools/0/annotations: 2024-11-05 does not define it, but 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28"),
    ("structuredContent", "tools/call", {"content": [], "structuredContent": {}}, BATCHED,
     "/result/structuredContent: 2025-03-26 does not define it, but 2025-06-18, 2025-11-25, 2026-07-28"),
    ("icons of a tool", "tools/list", {"tools": [dict(TOOL, icons=[])]}, MIDDLE,
     "/result/tools/0/icons: 2025-06-18 does not define it, but 2025-11-25, 2026-07-28"),
    ("execution of a tool, before", "tools/list", {"tools": [dict(TOOL, execution={})]}, MIDDLE,
     "/result/tools/0/execution: 2025-06-18 does not define it, but 2025-11-25"),
    ("execution of a tool, after", "tools/list", {"tools": [dict(TOOL, execution={})]}, NEW,
     "/result/tools/0/execution: 2026-07-28 does not define it, but 2025-11-25"),
    ("_meta of a content block", "tools/call", {"content": [{"type": "text", "text": "", "_meta": {}}]}, BATCHED,
     "/result/content/0/_meta: 2025-03-26 does not define it, but 2025-06-18, 2025-11-25, 2026-07-28"),
    ("lastModified", "resources/list",
     {"resources": [{"uri": "a:b", "name": "n", "annotations": {"lastModified": ""}}]}, OLD,
     "/result/resources/0/annotations/lastModified: 2024-11-05 does not define it, but 2025-06-18, 2025-11-25, "
     "2026-07-28"),
    ("a capability", "initialize", {"protocolVersion": OLD, "capabilities": {"completions": {}},
                                    "serverInfo": NAMED}, OLD,
     "/result/capabilities/completions: 2024-11-05 does not define it, but 2025-03-26, 2025-06-18, 2025-11-25"),
    ("title of serverInfo", "initialize", {"protocolVersion": OLD, "capabilities": {},
                                           "serverInfo": {"name": "n", "version": "1", "title": "T"}}, BATCHED,
     "/result/serverInfo/title: 2025-03-26 does not define it, but 2025-06-18, 2025-11-25"),
    ("resultType", "tools/list", {"tools": [], "resultType": "complete"}, LAST,
     "/result/resultType: 2025-11-25 does not define it, but 2026-07-28"),
    ("serverInfo in _meta", "tools/list", {"tools": [], "_meta": {"io.modelcontextprotocol/serverInfo": {}}}, LAST,
     "/result/_meta/io.modelcontextprotocol/serverInfo: 2025-11-25 does not define it, but 2026-07-28"),
    ("_meta of an embedded resource", "prompts/get", {"messages": [
        {"role": "user", "content": {"type": "resource", "resource": {"uri": "a:b", "text": "", "_meta": {}}}}]}, OLD,
     "/result/messages/0/content/resource/_meta: 2024-11-05 does not define it, but 2025-06-18, 2025-11-25, "
     "2026-07-28"),
]


@table("method, value, revision, text", NEWER)
def test_a_member_of_another_revision_is_reported(schemas: None, method: str, value: Any, revision: str, text: str
                                                  ) -> None:
    text = "members unknown to %s: %s" % (revision, text)
    assert_fails(lambda: check_no_newer(result(1, value), revision, method), text)


NEWER_PARAMS: List[Tuple[str, Dict[str, Any], str, str]] = [
    ("message of progress",
     notification("notifications/progress", {"progressToken": 1, "progress": 1, "message": ""}), OLD,
     "/params/message: 2024-11-05 does not define it, but 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28"),
    ("mode of an elicitation", request(1, "elicitation/create", {
        "mode": "form", "message": "", "requestedSchema": {"type": "object", "properties": {}}}), MIDDLE,
     "/params/mode: 2025-06-18 does not define it, but 2025-11-25, 2026-07-28"),
    ("default of a string in an elicitation", request(1, "elicitation/create", {
        "message": "",
        "requestedSchema": {"type": "object", "properties": {"a": {"type": "string", "default": ""}}}}), MIDDLE,
     "/params/requestedSchema/properties/a/default: 2025-06-18 does not define it, but 2025-11-25, 2026-07-28"),
    ("tools for sampling", request(1, "sampling/createMessage", {"maxTokens": 1, "messages": [], "tools": []}), MIDDLE,
     "/params/tools: 2025-06-18 does not define it, but 2025-11-25, 2026-07-28"),
]


@table("message, revision, text", NEWER_PARAMS)
def test_a_parameter_of_another_revision_is_reported(schemas: None, message: Dict[str, Any], revision: str, text: str
                                                     ) -> None:
    assert_fails(lambda: check_no_newer(message, revision), "members unknown to %s: %s" % (revision, text))


@pytest.mark.parametrize("revision", official.REVISIONS)
def test_what_is_open_stays_open(schemas: None, revision: str) -> None:
    """JSON Schemas, _meta, capabilities, arguments and values hold what their owners like."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "title": "T", "x-mine": None,
              "properties": {"title": {"title": "T", "default": None}}}
    check_members(result(1, {"tools": [{"name": "n", "inputSchema": schema}], "_meta": {"acme.example/x": None}}),
                  revision, "tools/list")
    check_members(request(1, "tools/call", {"name": "n", "arguments": {"title": None, "_meta": {}},
                                            "_meta": {"progressToken": 1, "traceparent": ""}}), revision)
    check_members(result(1, {"capabilities": {"experimental": {"acme": {"listChanged": None}}, "acme": {"a": None}}}),
                  revision, "server/discover" if revision == NEW else "initialize")


def test_null_is_a_value_of_structured_content_in_2026_07_28(schemas: None) -> None:
    check_members(result(1, {"content": [], "structuredContent": None, "resultType": "complete"}), NEW, "tools/call")


MEMBER_FAULTS: List[Tuple[str, str, Dict[str, Any], str]] = [
    ("an invented member", "tools/list", result(1, {"tools": [], "next_cursor": "x"}),
     "/result/next_cursor: no revision defines it"),
    ("an invented member deep inside", "tools/list", result(1, {"tools": [dict(TOOL, annotations={"readonly": True})]}),
     "/result/tools/0/annotations/readonly: no revision defines it"),
    ("nextCursor null", "tools/list", result(1, {"tools": [], "nextCursor": None}),
     "/result/nextCursor: an optional member without a value is left out, never null"),
    ("description null", "tools/list", result(1, {"tools": [dict(TOOL, description=None)]}),
     "/result/tools/0/description: an optional member without a value is left out, never null"),
    ("_meta null", "tools/list", result(1, {"tools": [], "_meta": None}),
     "/result/_meta: an optional member without a value is left out, never null"),
    ("data null", "tools/list", error(1, data=None),
     "/error/data: an optional member without a value is left out, never null"),
    ("bad base64", "tools/call", result(1, {"content": [{"type": "image", "data": "a-_b", "mimeType": "image/png"}]}),
     "/result/content/0/data: is not base64: 'a-_b'"),
    ("a path for a URI", "resources/list", result(1, {"resources": [{"name": "n", "uri": "/etc/x"}]}),
     "/result/resources/0/uri: is not a URI: '/etc/x'"),
]


@table("method, message, text", MEMBER_FAULTS)
def test_a_bad_member_is_reported(schemas: None, method: str, message: Dict[str, Any], text: str) -> None:
    assert_fails(lambda: check_members(message, LAST, method), "members in 2025-11-25: " + text)


# ---- conversations that are right

def shake(conv: Conversation, revision: str, client: Any = None, server: Any = None, asked: Optional[str] = None
          ) -> None:
    """The handshake, three lines."""
    conv.client(request(0, "initialize", {"protocolVersion": asked or revision, "clientInfo": NAMED,
                                          "capabilities": ALL_CLIENT if client is None else client}))
    conv.server(result(0, {"protocolVersion": revision, "serverInfo": NAMED,
                           "capabilities": ALL_SERVER if server is None else server}))
    conv.client(notification("notifications/initialized"))


def stateless(request_id: Any, method: str, params: Optional[Dict[str, Any]] = None, capabilities: Any = None,
              **meta: Any) -> Dict[str, Any]:
    """A request of 2026-07-28."""
    fields = {official.VERSION_KEY: NEW, official.CAPABILITIES_KEY: capabilities or {}}
    return request(request_id, method, dict(params or {}, _meta=dict(fields, **meta)))


def complete(request_id: Any, **members: Any) -> Dict[str, Any]:
    return result(request_id, dict(members, resultType="complete"))


def started(revision: str, **options: Any) -> Conversation:
    conv = Conversation()
    shake(conv, revision, **options)
    return conv


def asking() -> Conversation:
    """2026-07-28; request 1 is a call in flight, with token "t" and log level "warning"."""
    conv = Conversation()
    conv.client(stateless(1, "tools/call", {"name": "n"}, {"elicitation": {}}, progressToken="t",
                          **{official.LOG_LEVEL_KEY: "warning"}))
    return conv


def listening() -> Conversation:
    """2026-07-28; request "l" listens for changed tools and one resource, the server grants both."""
    conv = Conversation()
    asked = {"toolsListChanged": True, "resourceSubscriptions": ["file:///a"]}
    conv.client(stateless("l", "subscriptions/listen", {"notifications": asked}))
    conv.server(notification("notifications/subscriptions/acknowledged", {"notifications": asked, "_meta": SUBSCRIBED}))
    return conv


SUBSCRIBED = {official.SUBSCRIPTION_KEY: "l"}
QUESTION = {"method": "elicitation/create", "params": {
    "message": "Size?", "mode": "form",
    "requestedSchema": {"type": "object", "properties": {"size": {"type": "number"}}}}}



@pytest.mark.parametrize("revision", official.HANDSHAKE)
def test_a_handshake_story_passes(schemas: None, revision: str) -> None:
    conv = Conversation()
    conv.client(request("early", "ping"))
    conv.server(result("early", {}))
    shake(conv, revision)
    conv.client(request(1, "tools/list"))
    conv.client(request("1", "tools/call", {"name": "add", "arguments": {"a": 1}, "_meta": {"progressToken": 0}}))
    conv.server(notification("notifications/progress", {"progressToken": 0, "progress": 0}))
    conv.server(request(1, "roots/list"))
    conv.server(notification("notifications/progress", {"progressToken": 0, "progress": 0.5, "total": 1}))
    conv.server(result(1, {"tools": [TOOL]}))
    conv.client(result(1, {"roots": [{"uri": "file:///a"}]}))
    conv.server(notification("notifications/tools/list_changed"))
    conv.server(result("1", {"content": [{"type": "text", "text": "3"}]}))
    conv.client(request(2, "tools/call", {"name": "slow"}))
    conv.client(cancel(2))
    conv.client(request(3, "nothing/known"))
    conv.server(error(3, -32601))
    conv.client("{", wrong=True)
    unreadable = error(None, -32700)
    if revision == LAST:
        del unreadable["id"]
    conv.server(unreadable)
    conv.client({"jsonrpc": "2.0", "id": None, "method": "ping"}, wrong=True)
    conv.server(unreadable)
    conv.client({"jsonrpc": "2.0", "id": 9}, wrong=True)
    conv.server(error(9, -32600))
    conv.client({"jsonrpc": "2.0", "id": 9}, wrong=True)
    conv.server(unreadable)
    conv.client({"jsonrpc": "2.0", "method": 5}, wrong=True)
    conv.client("\n", wrong=True)
    conv.client(request(10, "tools/list"))
    conv.finish(open_ids=(10,))


def test_a_stateless_story_passes(schemas: None) -> None:
    conv = Conversation()
    conv.client(stateless(0, "server/discover"))
    conv.server(complete(0, supportedVersions=[NEW], ttlMs=0, cacheScope="private",
                         capabilities={"tools": {"listChanged": True}, "logging": {}}))
    ask = {"name": "n", "arguments": {}}
    conv.client(stateless(1, "tools/call", ask, {"elicitation": {}}, progressToken="t", **LEVEL_INFO))
    conv.server(notification("notifications/progress", {"progressToken": "t", "progress": 1}))
    conv.server(notification("notifications/message", {"level": "error", "data": None}))
    conv.server(result(1, {"resultType": "input_required", "inputRequests": {"q": QUESTION}, "requestState": "sealed"}))
    answer = {"q": {"action": "accept", "content": {"size": 1.5}}}
    conv.client(stateless(1, "tools/call", dict(ask, requestState="sealed", inputResponses=answer)))
    conv.server(complete(1, content=[], structuredContent=[1]))
    conv.client(stateless("l", "subscriptions/listen", {"notifications": {"toolsListChanged": True}}))
    conv.server(notification("notifications/subscriptions/acknowledged",
                             {"notifications": {"toolsListChanged": True}, "_meta": SUBSCRIBED}))
    conv.server(notification("notifications/tools/list_changed", {"_meta": SUBSCRIBED}))
    conv.client(stateless("m", "subscriptions/listen", {"notifications": {}}))
    conv.server(complete("l", _meta=SUBSCRIBED))
    conv.client(request(5, "tools/list"), wrong=True)
    conv.server(error(5, -32602))
    conv.client(stateless(6, "tools/list", **FUTURE), wrong=True)
    conv.server(error(6, -32022, data={"supported": [NEW], "requested": "2099-01-01"}))
    conv.client("[]", wrong=True)
    conv.server({"jsonrpc": "2.0", "error": {"code": -32600, "message": "no"}})
    conv.finish()


def test_a_method_that_is_no_string_may_be_complained_about(schemas: None) -> None:
    conv = started(OLD)
    conv.client({"jsonrpc": "2.0", "method": 5}, wrong=True)
    conv.server(error(None, -32600))
    conv.finish()


def test_requests_may_follow_initialize_at_once(schemas: None) -> None:
    conv = started_by(OLD)
    conv.client(request(1, "tools/list"))
    conv.server(result(0, {"protocolVersion": OLD, "serverInfo": NAMED, "capabilities": {"tools": {}}}))
    conv.server(result(1, {"tools": []}))
    conv.finish()


def test_completion_needs_no_capability_in_2024_11_05(schemas: None) -> None:
    conv = started(OLD, server={})
    conv.client(request(1, "completion/complete", {"ref": {"type": "ref/prompt", "name": "p"},
                                                   "argument": {"name": "a", "value": ""}}))


def test_a_server_may_end_a_subscription_by_cancelling_it(schemas: None) -> None:
    conv = listening()
    conv.server(cancel("l"))
    assert first_line(lambda: conv.server(TOOLS_CHANGED)) == (
        "server line 4 is wrong (2026-07-28), about line 1 (subscriptions/listen, id 'l'): "
        "notifications/tools/list_changed for subscription 'l', which is not open")


def test_a_server_may_grant_a_part_of_what_was_asked(schemas: None) -> None:
    conv = Conversation()
    asked = {"promptsListChanged": True, "resourceSubscriptions": ["file:///a", "file:///b"]}
    conv.client(stateless("l", "subscriptions/listen", {"notifications": asked}))
    conv.server(notification("notifications/subscriptions/acknowledged",
                             {"notifications": {"resourceSubscriptions": ["file:///b"]}, "_meta": SUBSCRIBED}))
    conv.server(notification("notifications/resources/updated", {"uri": "file:///b/c", "_meta": SUBSCRIBED}))


def test_both_eras_in_one_conversation_pass(schemas: None) -> None:
    conv = Conversation()
    conv.client(stateless(1, "server/discover"))
    conv.server(error(1, -32601))
    shake(conv, MIDDLE, asked="2030-01-01")
    conv.client(stateless(1, "tools/list"))
    conv.client(request(2, "tools/list"))
    conv.server(complete(1, tools=[], ttlMs=0, cacheScope="private"))
    conv.server(result(2, {"tools": [dict(TOOL, title="Add")]}))
    shake_again = request(3, "initialize", {"protocolVersion": OLD, "clientInfo": NAMED,
                                            "capabilities": {}})
    conv.client(shake_again)
    conv.server(result(3, {"protocolVersion": OLD, "serverInfo": NAMED, "capabilities": {}}))
    assert conv.revision == OLD
    conv.finish()


def test_a_batch_passes(schemas: None) -> None:
    conv = started(BATCHED)
    conv.client([request(1, "ping"), notification("notifications/initialized"), request(2, "tools/list"),
                 request(3, "ping")])
    conv.client(cancel(3))
    conv.server([result(2, {"tools": []}), result(1, {})])
    conv.client([notification("notifications/initialized")])
    conv.client([1, {}], wrong=True)
    conv.server([error(None, -32600), error(None, -32600)])
    conv.finish()


def test_lines_may_be_bytes_text_or_values(schemas: None) -> None:
    conv = started(LAST)
    assert conv.client(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n') == request(1, "ping")
    assert conv.server_output(b'{"jsonrpc":"2.0","id":1,"result":{}}\n') == [result(1, {})]
    conv.finish()


def test_a_foreign_peer_is_followed_and_not_judged(schemas: None) -> None:
    conv = Conversation(ours="client")
    shake(conv, LAST, server={"tools": {}, "extra": None})
    conv.server('not json \u00e9')
    conv.server(notification("notifications/message", {"level": "loud"}))
    conv.client(request(1, "tools/list"))
    conv.server('{"result": {"tools": [{"name": 1}]}, "id": 1, "error": null}')
    conv.server(result(7, {}))
    conv.client(request(2, "tools/list"))
    conv.server(result(2, 5))
    conv.client({"jsonrpc": "2.0", "error": {"code": -32700, "message": "no"}})
    conv.finish()


def test_a_revision_can_be_preset(schemas: None) -> None:
    conv = Conversation(revision=OLD)
    conv.client(request(1, "tools/list"))
    assert first_line(lambda: conv.server(result(1, {"tools": [dict(TOOL, title="Add")]}))) == (
        "server line 2 is wrong (2024-11-05), about line 1 (tools/list, id 1): /result/tools/0/title: 2024-11-05 "
        "does not "
        "define it, but 2025-06-18, 2025-11-25, 2026-07-28")


def test_a_failure_shows_the_last_lines() -> None:
    conv = started(LAST)
    with pytest.raises(AssertionError) as caught:
        conv.server(result(5, {}))
    assert [line[:62] for line in str(caught.value).split("\n")[1:]] == [
        '      1 -> {"jsonrpc": "2.0", "method": "initialize", "params"',
        '      2 <- {"jsonrpc": "2.0", "id": 0, "result": {"protocolVer',
        '      3 -> {"jsonrpc": "2.0", "method": "notifications/initial',
        '      4 <- {"jsonrpc": "2.0", "id": 5, "result": {}}']


# ---- planted faults: rule, story so far, writer of the wrong line, the line, what must be said

def in_flight(revision: str, *messages: Dict[str, Any], **options: Any) -> Callable[[], Conversation]:
    """A started conversation in which the client has written ``messages``."""
    def build() -> Conversation:
        conv = started(revision, **options)
        for message in messages:
            conv.client(message)
        return conv
    return build


def after(build: Callable[[], Conversation], *messages: Dict[str, Any]) -> Callable[[], Conversation]:
    """The same, and the server has written ``messages``."""
    def extended() -> Conversation:
        conv = build()
        for message in messages:
            conv.server(message)
        return conv
    return extended


def cancelled(build: Callable[[], Conversation], request_id: Any) -> Callable[[], Conversation]:
    def extended() -> Conversation:
        conv = build()
        conv.client(cancel(request_id))
        return conv
    return extended


PING = in_flight(LAST, request(1, "ping"))
CALL = in_flight(LAST, request(1, "tools/call", {"name": "n", "_meta": {"progressToken": 7}}))
BATCH = in_flight(BATCHED, [request(1, "ping"), request(2, "ping")])  # type: ignore[arg-type]
PROGRESS = notification("notifications/progress", {"progressToken": 7, "progress": 1})
PROGRESS_T = notification("notifications/progress", {"progressToken": "t", "progress": 1})
TOOLS_CHANGED = notification("notifications/tools/list_changed", {"_meta": SUBSCRIBED})
NO_ID = {"jsonrpc": "2.0", "error": {"code": 1, "message": "m"}}
FUTURE: Dict[str, Any] = {official.VERSION_KEY: "2099-01-01"}
LEVEL_INFO: Dict[str, Any] = {official.LOG_LEVEL_KEY: "info"}
STATE = {"resultType": "input_required", "inputRequests": {"q": QUESTION}, "requestState": "sealed"}
SAMPLE = {"maxTokens": 1, "messages": []}
URL = {"mode": "url", "message": "m", "url": "https://a.example/", "elicitationId": "e"}
FORM = {"message": "m", "requestedSchema": {"type": "object", "properties": {}}}

FAULTS: List[Tuple[str, Callable[[], Conversation], str, Any, str]] = [
    ("1 not JSON", PING, "server", "hello",
     "server line 5 is wrong: not one JSON value: Expecting value: line 1 column 1 (char 0)"),
    ("1 not ASCII", PING, "server", '{"jsonrpc":"2.0","id":1,"result":{"a":"\u00e9"}}',
     "server line 5 is wrong: the line is not all ASCII"),
    ("1 bytes not ASCII", PING, "server", b'"\xff"\n', "server line 5 is wrong: the line is not all ASCII"),
    ("1 two lines", PING, "server", '{"jsonrpc":"2.0",\n"id":1,"result":{}}\n',
     "server line 5 is wrong: a line break inside the line"),
    ("1 carriage return", PING, "server", '{"jsonrpc":"2.0","id":1,"result":{}}\r\n',
     "server line 5 is wrong: a line break inside the line"),
    ("1 blank", PING, "server", "\n", "server line 5 is wrong: blank, or blanks around the message"),
    ("1 blanks around", PING, "server", ' {"jsonrpc":"2.0","id":1,"result":{}}',
     "server line 5 is wrong: blank, or blanks around the message"),
    ("1 NaN", PING, "server", '{"jsonrpc":"2.0","id":1,"result":{"a":NaN}}',
     "server line 5 is wrong: not one JSON value: NaN is no JSON"),
    ("1 two messages", PING, "server", '{"jsonrpc":"2.0","id":1,"result":{}}{}',
     "server line 5 is wrong: not one JSON value: Extra data: line 1 column 37 (char 36)"),
    ("1 twice the same member", PING, "server", '{"jsonrpc":"2.0","id":1,"id":1,"result":{}}',
     "server line 5 is wrong: not one JSON value: member 'id' is there twice"),
    ("1 lone surrogate", PING, "server", '{"jsonrpc":"2.0","id":1,"result":{"a":"\\ud800"}}',
     "server line 5 is wrong: a lone surrogate in a string (Python clients hang on it)"),
    ("2 result and error", PING, "server", dict(result(1, {}), error=None),
     "server line 5 is wrong (2025-11-25), about line 4 (ping, id 1): a result has the members id, jsonrpc, result, "
     "this one has error, id, jsonrpc, result"),
    ("2 no jsonrpc", PING, "server", {"id": 1, "result": {}},
     "server line 5 is wrong (2025-11-25), about line 4 (ping, id 1): a result has the members id, jsonrpc, result, "
     "this one has "
     'id, result; "jsonrpc" is not "2.0"'),
    ("2 an extra member of a request", PING, "client", dict(request(2, "ping"), trace=1),
     "client line 5 is wrong (2025-11-25): a request has the members id, jsonrpc, method and may have params, this "
     "one has id, jsonrpc, method, trace"),
    ("2 an id that is a float", PING, "client", request(2.5, "ping"),
     "client line 5 is wrong: the id is 2.5: an id is a string or an integer; as JSONRPCRequest, /id: 2.5 is not of "
     "type 'string', 'integer'"),
    ("2 an id that is a boolean", PING, "client", request(True, "ping"),
     "client line 5 is wrong: the id is True: an id is a string or an integer; as JSONRPCRequest, /id: True is not of "
     "type 'string', 'integer'"),
    ("2 not an object", PING, "server", 5,
     "server line 5 is wrong: is neither a request, nor a notification, nor a response"),
    ("2 an object that is nothing", PING, "server", {"jsonrpc": "2.0"},
     "server line 5 is wrong: is neither a request, nor a notification, nor a response"),
    ("2 a method that is no string", PING, "client", {"jsonrpc": "2.0", "method": 5},
     "client line 5 is wrong: as JSONRPCNotification, /method: 5 is not of type 'string'"),
    ("3 a request", PING, "client", request(2, "tools/call", {}),
     "client line 5 is wrong (2025-11-25): as CallToolRequest, /params: 'name' is a required property"),
    ("3 a result", CALL, "server", result(1, {}),
     "server line 5 is wrong (2025-11-25), about line 4 (tools/call, id 1): as CallToolResult, /: 'content' is a "
     "required property"),
    ("3 an error", CALL, "server", {"jsonrpc": "2.0", "id": 1, "error": {"code": 1}},
     "server line 5 is wrong (2025-11-25), about line 4 (tools/call, id 1): as JSONRPCErrorResponse, /error: "
     "'message' is a required property"),
    ("3 a notification", PING, "server", notification("notifications/resources/updated", {}),
     "server line 5 is wrong (2025-11-25): as ResourceUpdatedNotification, /params: 'uri' is a required property"),
    ("3 initialize in the revision agreed on", lambda: started_by(OLD), "server",
     result(0, {"protocolVersion": NEW, "serverInfo": NAMED, "capabilities": {}}),
     "server line 2 is wrong (2024-11-05), about line 1 (initialize, id 0): protocolVersion '2026-07-28' is none with "
     "a handshake"),
    ("4 a newer member", CALL, "server", result(1, {"content": [], "resultType": "complete"}),
     "server line 5 is wrong (2025-11-25), about line 4 (tools/call, id 1): /result/resultType: 2025-11-25 does not "
     "define it, but 2026-07-28"),
    ("4 the revision answered counts, not the one asked for", lambda: started_by(LAST), "server",
     result(0, {"protocolVersion": OLD, "serverInfo": {"name": "s", "version": "1", "title": "T"}, "capabilities": {}}),
     "server line 2 is wrong (2024-11-05), about line 1 (initialize, id 0): /result/serverInfo/title: 2024-11-05 does "
     "not define it, but 2025-06-18, 2025-11-25"),
    ("4 null", CALL, "server", result(1, {"content": [], "isError": None}),
     "server line 5 is wrong (2025-11-25), about line 4 (tools/call, id 1): /result/isError: an optional member "
     "without a value is left out, never null; as CallToolResult, /isError: None is not of type 'boolean'"),
    ("4 invented", PING, "server", notification("notifications/tools/list_changed", {"tool": "x"}),
     "server line 5 is wrong (2025-11-25): /params/tool: no revision defines it"),
    ("5 a second reply", after(PING, result(1, {})), "server", result(1, {}),
     "server line 6 is wrong: a second reply to line 4 (ping, id 1)"),
    ("5 a reply to nothing", PING, "server", result(2, {}),
     "server line 5 is wrong: a reply to 2, which is no id of a request in flight"),
    ("5 an id of another type", PING, "server", result("1", {}),
     "server line 5 is wrong: a reply to '1', which is no id of a request in flight"),
    ("5 a reply to a notification", PING, "server", error(None),
     "server line 5 is wrong: an error without id, though every line of the client could be read"),
    ("5 a reply of the one who asked", PING, "client", result(1, {}),
     "client line 5 is wrong: a reply to 1, which is no id of a request in flight"),
    ("5 two errors for an unreadable line", lambda: after_garbage(1), "server", NO_ID,
     "server line 6 is wrong: an error without id, though every line of the client could be read"),
    ("5 a null id where there is none", lambda: after_garbage(0), "server", error(None),
     'server line 5 is wrong (2025-11-25): an error without a readable id has no "id" member in 2025-11-25'),
    ("5 no id before the handshake", lambda: garbage_first(), "server", NO_ID,
     'server line 2 is wrong (2024-11-05): an error without a readable id has "id": null in 2024-11-05'),
    ("5 an id in flight", PING, "client", request(1, "ping"),
     "client line 5 is wrong (2025-11-25): id 1 is in flight already"),
    ("5 an id used before", after(PING, result(1, {})), "client", request(1, "ping"),
     "client line 6 is wrong (2025-11-25): id 1 was used before"),
    ("5 an id in flight, stateless", asking, "client", stateless(1, "tools/list"),
     "client line 2 is wrong (2026-07-28): id 1 is in flight already"),
    ("6 an unknown token", CALL, "server",
     notification("notifications/progress", {"progressToken": "7", "progress": 1}),
     "server line 5 is wrong (2025-11-25): progress for token '7', which is of no request in flight"),
    ("6 progress after the result", after(CALL, result(1, {"content": []})), "server", PROGRESS,
     "server line 6 is wrong (2025-11-25): progress for token 7, which is of no request in flight"),
    ("6 the same progress again", after(CALL, PROGRESS), "server", PROGRESS,
     "server line 6 is wrong (2025-11-25), about line 4 (tools/call, id 1): progress 1 after 1: it only increases"),
    ("6 a token in flight", CALL, "client", request(2, "ping", {"_meta": {"progressToken": 7}}),
     "client line 5 is wrong (2025-11-25): progressToken 7 is in flight already"),
    ("7 a reply after the cancellation", cancelled(asking, 1), "server", complete(1, content=[]),
     "server line 3 is wrong (2026-07-28), about line 1 (tools/call, id 1): a reply to line 1 (tools/call, id 1), "
     "which was cancelled"),
    ("7 progress after the cancellation", cancelled(asking, 1), "server", PROGRESS_T,
     "server line 3 is wrong (2026-07-28), about line 1 (tools/call, id 1): progress for line 1 (tools/call, id 1), "
     "which was cancelled"),
    ("7 a log message after the cancellation", cancelled(asking, 1), "server", log("error"),
     "server line 3 is wrong (2026-07-28): a log message, though no request in flight asks for any"),
    ("7 cancelling nothing", PING, "client", cancel("1"),
     "client line 5 is wrong (2025-11-25): cancels '1', which is no request of the client"),
    ("7 cancelling initialize", lambda: started_by(LAST), "client", cancel(0),
     "client line 2 is wrong (2025-11-25), about line 1 (initialize, id 0): initialize is never cancelled"),
    ("7 a server cancelling the client's request", CALL, "server", cancel(1),
     "server line 5 is wrong (2025-11-25): cancels 1, which is no request of the server"),
    ("7 a stateless server cancelling a call", asking, "server", cancel(1),
     "server line 2 is wrong (2026-07-28): cancels 1, which is no request of the server"),
    ("8 an array in another revision", PING, "server", [result(1, {})],
     "server line 5 is wrong: an array, in 2025-11-25: batches are in 2025-03-26 only, and never empty"),
    ("8 an empty array", BATCH, "server", [],
     "server line 5 is wrong: an array, in 2025-03-26: batches are in 2025-03-26 only, and never empty"),
    ("8 a reply outside the array", BATCH, "server", result(1, {}),
     "server line 5 is wrong (2025-03-26), about line 4 (ping, id 1): the reply came alone, line 4 (ping, id 1) was "
     "in an array"),
    ("8 a reply inside an array", in_flight(BATCHED, request(1, "ping")), "server", [result(1, {})],
     "server line 5 is wrong (2025-03-26), about line 4 (ping, id 1): the reply is in an array, line 4 (ping, id 1) "
     "came alone"),
    ("8 half an answer", BATCH, "server", [result(1, {})],
     "server line 5 is wrong: one array answers all of a batch; missing: line 4 (ping, id 2)"),
    ("8 replies among requests", BATCH, "server", [result(1, {}), result(2, {}), request(1, "ping")],
     "server line 5 is wrong: responses and requests in one array"),
    ("8 initialize in a batch", in_flight(BATCHED), "client", [request(1, "initialize", {})],
     "client line 4 is wrong: initialize is never part of a batch"),
    ("8 a wrong message in a batch", BATCH, "client", [request(3, "tools/call", {})],
     "client line 5 is wrong (2025-03-26): as CallToolRequest, /params: 'name' is a required property"),
    ("9 roots of a client without", in_flight(LAST, client={}), "server", request(1, "roots/list"),
     "server line 4 is wrong (2025-11-25): the client has not declared roots"),
    ("9 URL mode", in_flight(LAST, client={"elicitation": {}}), "server", request(1, "elicitation/create", URL),
     "server line 4 is wrong (2025-11-25): the client has not declared elicitation.url"),
    ("9 form mode", in_flight(LAST, client={"elicitation": {"url": {}}}), "server",
     request(1, "elicitation/create", FORM),
     "server line 4 is wrong (2025-11-25): the client has not declared elicitation.form"),
    ("9 tools for sampling", in_flight(LAST), "server", request(1, "sampling/createMessage", dict(SAMPLE, tools=[])),
     "server line 4 is wrong (2025-11-25): the client has not declared sampling.tools"),
    ("9 a list of a server without", in_flight(LAST, server={}), "client", request(1, "prompts/list"),
     "client line 4 is wrong (2025-11-25): the server has not declared prompts"),
    ("9 subscribing", in_flight(LAST, server={"resources": {}}), "client",
     request(1, "resources/subscribe", {"uri": "a:b"}),
     "client line 4 is wrong (2025-11-25): the server has not declared resources.subscribe"),
    ("9 what server/discover did not declare", lambda: discovered(), "client",
     stateless(2, "tools/list"),
     "client line 3 is wrong (2026-07-28): the server has not declared tools"),
    ("9 a request after a refused initialize", lambda: refused(), "client", request(1, "tools/list"),
     "client line 3 is wrong (2025-11-25): a request with neither handshake nor "
     "io.modelcontextprotocol/protocolVersion in _meta"),
    ("9 a change notification", in_flight(LAST), "server", notification("notifications/prompts/list_changed"),
     "server line 4 is wrong (2025-11-25): the server has not declared prompts.listChanged"),
    ("9 changed roots", in_flight(LAST), "client", notification("notifications/roots/list_changed"),
     "client line 4 is wrong (2025-11-25): the client has not declared roots.listChanged"),
    ("9 a question within a result", asking, "server", result(1, {"resultType": "input_required", "inputRequests": {
        "r": {"method": "roots/list"}}}),
     "server line 2 is wrong (2026-07-28), about line 1 (tools/call, id 1): inputRequests 'r': the client has not "
     "declared roots"),
    ("9 neither handshake nor version", Conversation, "client", request(1, "tools/list"),
     "client line 1 is wrong (2025-11-25): a request with neither handshake nor "
     "io.modelcontextprotocol/protocolVersion in _meta"),
    ("9 a question before the handshake", Conversation, "server", request(1, "roots/list"),
     "server line 1 is wrong (2025-11-25): the server asks before the handshake, or without one; the client has not "
     "declared roots"),
    ("10 a request of a stateless server", asking, "server", request(1, "roots/list"),
     "server line 2 is wrong (2026-07-28): the server asks before the handshake, or without one; roots/list is no "
     "request that a server sends in 2026-07-28; the client has not declared roots"),
    ("10 a response of a stateless client", lambda: asked_by_a_stranger(), "client", error(1, -32601),
     "client line 3 is wrong (2025-11-25), about line 2 (roots/list, id 1): a client writes no responses in "
     "2026-07-28"),
    ("10 an unasked log message", lambda: quiet(), "server", log("error"),
     "server line 2 is wrong (2026-07-28): a log message, though no request in flight asks for any"),
    ("10 a log message below the level", asking, "server", log("info"),
     "server line 2 is wrong (2026-07-28), about line 1 (tools/call, id 1): a log message of level 'info', though "
     "'warning' was asked for"),
    ("10 a log message below the level, handshake", lambda: levelled(), "server",
     log("info"),
     "server line 6 is wrong (2025-11-25): a log message of level 'info', though 'error' was asked for"),
    ("10 a log message on a subscription", listening, "server",
     notification("notifications/message", {"level": "error", "data": 1, "_meta": SUBSCRIBED}),
     "server line 3 is wrong (2026-07-28), about line 1 (subscriptions/listen, id 'l'): a log message on a "
     "subscription"),
    ("10 a change without subscription", asking, "server", notification("notifications/tools/list_changed"),
     "server line 2 is wrong (2026-07-28): notifications/tools/list_changed for subscription None, which is not open"),
    ("10 a change before the acknowledgment", lambda: unacknowledged(), "server", TOOLS_CHANGED,
     "server line 2 is wrong (2026-07-28), about line 1 (subscriptions/listen, id 'l'): "
     "notifications/tools/list_changed before subscription 'l' was acknowledged"),
    ("10 granting another resource", lambda: unacknowledged(), "server",
     notification("notifications/subscriptions/acknowledged",
                  {"notifications": {"resourceSubscriptions": ["file:///b"]}, "_meta": SUBSCRIBED}),
     "server line 2 is wrong (2026-07-28), about line 1 (subscriptions/listen, id 'l'): acknowledges "
     "resourceSubscriptions, which was not asked for"),
    ("10 a change outside the filter", listening, "server",
     notification("notifications/prompts/list_changed", {"_meta": SUBSCRIBED}),
     "server line 3 is wrong (2026-07-28), about line 1 (subscriptions/listen, id 'l'): "
     "notifications/prompts/list_changed is not part of subscription 'l'"),
    ("10 another resource", listening, "server",
     notification("notifications/resources/updated", {"uri": "file:///b", "_meta": SUBSCRIBED}),
     "server line 3 is wrong (2026-07-28), about line 1 (subscriptions/listen, id 'l'): file:///b is not a resource "
     "of subscription 'l'"),
    ("10 granting what was not asked for", lambda: unacknowledged(), "server",
     notification("notifications/subscriptions/acknowledged",
                  {"notifications": {"promptsListChanged": True}, "_meta": SUBSCRIBED}),
     "server line 2 is wrong (2026-07-28), about line 1 (subscriptions/listen, id 'l'): acknowledges "
     "promptsListChanged, which was not asked for"),
    ("10 acknowledging twice", listening, "server",
     notification("notifications/subscriptions/acknowledged", {"notifications": {}, "_meta": SUBSCRIBED}),
     "server line 3 is wrong (2026-07-28), about line 1 (subscriptions/listen, id 'l'): line 1 (subscriptions/listen, "
     "id 'l') is acknowledged already"),
    ("10 a change after the subscription was cancelled", cancelled(listening, "l"), "server", TOOLS_CHANGED,
     "server line 4 is wrong (2026-07-28), about line 1 (subscriptions/listen, id 'l'): "
     "notifications/tools/list_changed for subscription 'l', which is not open"),
    ("10 closing another subscription", listening, "server", complete("l", _meta={official.SUBSCRIPTION_KEY: "m"}),
     "server line 3 is wrong (2026-07-28), about line 1 (subscriptions/listen, id 'l'): the subscription closed is "
     "'m', not 'l'"),
    ("10 a requestState of nobody", after(asking, result(1, STATE)), "client",
     stateless(2, "tools/call", {"name": "n", "requestState": "other"}),
     "client line 3 is wrong (2026-07-28): requestState was not handed out for tools/call"),
    ("10 a requestState of another method", after(asking, result(1, STATE)), "client",
     stateless(2, "prompts/get", {"name": "n", "requestState": "sealed"}),
     "client line 3 is wrong (2026-07-28): requestState was not handed out for prompts/get"),
    ("10 an answer to nothing", after(asking, result(1, STATE)), "client",
     stateless(2, "tools/call", {"name": "n", "requestState": "sealed", "inputResponses": {"r": {"action": "cancel"}}}),
     "client line 3 is wrong (2026-07-28): inputResponses has 'r', which was not asked"),
    ("10 an answer of another kind", after(asking, result(1, STATE)), "client",
     stateless(2, "tools/call", {"name": "n", "requestState": "sealed", "inputResponses": {"q": {"roots": []}}}),
     "client line 3 is wrong (2026-07-28): inputResponses 'q': as ElicitResult, /: 'action' is a required property"),
]


def started_by(revision: str) -> Conversation:
    """Only initialize is written."""
    conv = Conversation()
    conv.client(request(0, "initialize", {"protocolVersion": revision, "clientInfo": NAMED,
                                          "capabilities": {}}))
    return conv


def after_garbage(errors: int) -> Conversation:
    conv = started(LAST)
    conv.client(b"\xff\xfe", wrong=True)
    for _ in range(errors):
        conv.server({"jsonrpc": "2.0", "error": {"code": -32700, "message": "no"}})
    return conv


def garbage_first() -> Conversation:
    conv = Conversation()
    conv.client("hello", wrong=True)
    return conv


def discovered() -> Conversation:
    conv = Conversation()
    conv.client(stateless(1, "server/discover"))
    conv.server(complete(1, supportedVersions=[NEW], capabilities={}, ttlMs=0, cacheScope="private"))
    return conv


def refused() -> Conversation:
    conv = started_by(LAST)
    conv.server(error(0, -32602))
    return conv


def asked_by_a_stranger() -> Conversation:
    conv = quiet()
    conv.server(request(1, "roots/list"), wrong=True)
    return conv


def quiet() -> Conversation:
    conv = Conversation()
    conv.client(stateless(1, "tools/list"))
    return conv


def levelled() -> Conversation:
    conv = started(LAST)
    conv.client(request(1, "logging/setLevel", {"level": "error"}))
    conv.server(result(1, {}))
    return conv


def unacknowledged() -> Conversation:
    conv = Conversation()
    conv.client(stateless("l", "subscriptions/listen", {"notifications": {"toolsListChanged": True,
                                                                         "resourceSubscriptions": ["file:///a"]}}))
    return conv


@table("build, writer, line, text", FAULTS)
def test_a_planted_fault_is_reported(schemas: None, build: Callable[[], Conversation], writer: str, line: Any, text: str
                                     ) -> None:
    conv = build()
    assert_fails(lambda: getattr(conv, writer)(line), text)


@table("build, writer, line, text", FAULTS)
def test_the_same_fault_is_not_judged_where_it_is_made_on_purpose(
        schemas: None, build: Callable[[], Conversation], writer: str, line: Any, text: str) -> None:
    conv = build()
    getattr(conv, writer)(line, wrong=True)


def test_every_rule_has_its_fault() -> None:
    assert {row[0].split()[0] for row in FAULTS} == {str(number) for number in range(1, 11)}


@pytest.mark.parametrize("build, text", [
    (PING, "the server has not answered client line 4 (ping, id 1)"),
    (asking, "the server has not answered client line 1 (tools/call, id 1)"),
    (BATCH, "the server has not answered client line 4 (ping, id 1), client line 4 (ping, id 2)"),
    (after(CALL, request(0, "roots/list"), result(1, {"content": []})),
     "the client has not answered server line 5 (roots/list, id 0)"),
    (lambda: after_garbage(0), "the server has not answered 1 unreadable line(s) of the client with an error"),
], ids=["a request", "a stateless request", "a batch", "a question", "an unreadable line"])
def test_finish_reports_what_was_not_answered(build: Callable[[], Conversation], text: str) -> None:
    assert first_line(build().finish) == text


def test_open_ids_are_compared_with_their_type() -> None:
    assert_fails(lambda: PING().finish(open_ids=("1",)), "the server has not answered client line 4 (ping, id 1)")


def test_output_must_end_with_a_line_feed() -> None:
    assert first_line(lambda: PING().server_output(b'{"jsonrpc":"2.0","id":1,"result":{}}')) == (
        "the output does not end with a line feed: b'{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}'")
