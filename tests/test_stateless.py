"""Revision 2026-07-28 on the server: every request stands for itself (issue 5, "Server" and "Multi-round-trip requests")."""
import json
import os
import signal
import time

import pytest
from harness import INITIALIZED, MODERN, SINGLE, ServerProcess, call, initialize, modern, modern_meta, request, run_server
from memory import META, call_params, exchange, talk, text_of

from mcplite import McpError, RegistrationError, Server, tool_result
from mcplite.context import find_log_rank
from mcplite.testing import MemoryClient

NAME_FORM = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
ACCEPT = {"action": "accept", "content": {"name": "Ann"}}
ROOTS = {"roots": [{"uri": "file:///srv"}]}
KEY = b"sixteen bytes or more"


def new_server(**options):
    server = Server("probe", "1.2", **options)

    @server.tool
    def greet(name: str = "you") -> str:
        return "Hello, " + name

    @server.resource("memo://a", name="a", ttl_ms=50, cache_scope="public")
    def memo():
        return "A"

    @server.resource("memo://b/{x}", name="b")
    def template(x: str):
        return "B" + x

    @server.prompt
    def ask():
        return "Why?"
    return server


def refused(client, method, params=None, meta=None):
    with pytest.raises(McpError) as caught:
        client.request_once(method, params, meta)
    return caught.value


# What every request brings


@pytest.mark.parametrize("missing", ["clientCapabilities", "protocolVersion"])
def test_version_and_capabilities_are_required(missing):
    message = modern("tools/list", {})
    del message["params"]["_meta"][META + missing]
    reply, = exchange(new_server(), message)
    assert reply["error"]["code"] == -32602
    assert META + missing in reply["error"]["message"]


@pytest.mark.parametrize("params", [None, {}, {"_meta": {}}, {"_meta": {"progressToken": 1}}])
def test_a_request_without_meta_is_told_what_to_send(params):
    reply, = exchange(new_server(), request("tools/list", params))
    assert reply["error"] == {"code": -32602, "message": (
        "Invalid params: tools/list came before initialize and without io.modelcontextprotocol/protocolVersion in _meta: send "
        "initialize first, or send the version and io.modelcontextprotocol/clientCapabilities with every request")}


@pytest.mark.parametrize("member, value", [
    ("clientCapabilities", None), ("clientCapabilities", []), ("clientCapabilities", "all"), ("clientInfo", "me"),
    ("clientInfo", [1]),
    ("protocolVersion", 20260728), ("protocolVersion", None), ("protocolVersion", ["2026-07-28"]), ("logLevel", "loud"),
    ("logLevel", 3),
    ("logLevel", None), ("logLevel", ["info"]), ("logLevel", "")])
def test_a_malformed_member_of_meta_is_refused(member, value):
    message = modern("tools/list", {})
    message["params"]["_meta"][META + member] = value
    reply, = exchange(new_server(), message)
    assert reply["error"]["code"] == -32602
    assert META + member in reply["error"]["message"]


def test_client_info_is_optional():
    message = modern("tools/call", call_params("greet"))
    del message["params"]["_meta"][META + "clientInfo"]
    reply, = exchange(new_server(), message)
    assert reply["result"]["content"] == [{"type": "text", "text": "Hello, you"}]


@pytest.mark.parametrize("version", ["2025-11-25", "2024-11-05", "1900-01-01", "2027-01-01", "", "DRAFT-2026-v1"])
@pytest.mark.parametrize("method", ["tools/list", "server/discover", "nothing/like/it"])
def test_an_unsupported_version_is_named_with_those_supported(version, method):
    reply, = exchange(new_server(), modern(method, {}, protocolVersion=version))
    assert reply["error"] == {"code": -32022, "message": "Unsupported protocol version",
                              "data": {"supported": ["2026-07-28"], "requested": version}}


def test_nothing_is_remembered_from_request_to_request():
    """Capabilities, log level and client are those of the request at hand."""
    server = new_server()
    seen = []

    @server.tool
    def look(ctx):
        seen.append((ctx.client_capabilities, ctx.client_info, find_log_rank(ctx), ctx.revision))
    info = {"name": "other", "version": "2"}
    exchange(server, modern("tools/call", call_params("look"), 1, clientCapabilities={"roots": {}}, logLevel="debug"),
             modern("tools/call", call_params("look"), 2, **{META + "clientInfo": info}))
    assert seen == [({"roots": {}}, {"name": "probe", "version": "0"}, 0, MODERN), ({}, info, 8, MODERN)]


def test_the_same_id_may_come_again():
    replies = exchange(new_server(), *[modern("tools/call", call_params("greet"), 7)] * 2)
    assert [reply["id"] for reply in replies] == [7, 7]


def test_trace_context_reaches_the_handler():
    server = new_server()
    trace = {"traceparent": "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01", "tracestate": "vendor=1",
             "baggage": "user=ann"}

    @server.tool
    def look(ctx):
        return {name: ctx.meta[name] for name in trace}
    with talk(server) as client:
        assert client.request("tools/call", call_params("look"), trace)["structuredContent"] == trace


# server/discover


def test_discover():
    with talk(new_server(instructions="Be kind.", title="Probe")) as client:
        result = client.request("server/discover")
    assert result == {
        "resultType": "complete", "supportedVersions": ["2026-07-28"], "instructions": "Be kind.", "ttlMs": 0,
        "cacheScope": "private",
        "capabilities": {"logging": {}, "prompts": {"listChanged": True}, "tools": {"listChanged": True},
                         "resources": {"listChanged": True, "subscribe": True}},
        "_meta": {META + "serverInfo": {"name": "probe", "version": "1.2", "title": "Probe"}}}


def test_discover_of_an_empty_server():
    with talk(Server("empty", "0")) as client:
        assert client.request("server/discover")["capabilities"] == {"logging": {}}


def test_extensions_and_experimental_are_declared():
    extensions = {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}, "com.example/x": {}}
    server = new_server(extensions=extensions, experimental={"acme": {"a": 1}})
    with talk(server) as client:
        capabilities = client.request("server/discover")["capabilities"]
    assert capabilities["extensions"] == extensions
    assert capabilities["experimental"] == {"acme": {"a": 1}}
    with talk(server, "2025-11-25") as client:
        assert "extensions" not in client.initialize_result["capabilities"]


def test_discover_does_not_exist_in_a_handshake_session():
    with talk(new_server(), "2025-11-25", ours="server") as client:
        error = refused(client, "server/discover")
    assert (error.code, error.message) == (-32601, "Method not found: server/discover exists from revision 2026-07-28 on")


# What every result has


@pytest.mark.parametrize("method, params", [
    ("server/discover", {}), ("tools/list", {}), ("tools/call", call_params("greet")), ("resources/list", {}),
    ("resources/templates/list", {}), ("resources/read", {"uri": "memo://a"}), ("prompts/list", {}),
    ("prompts/get", {"name": "ask"}),
    ("completion/complete", {"ref": {"type": "ref/prompt", "name": "ask"}, "argument": {"name": "x", "value": ""}})])
def test_result_type_and_server_info_are_on_every_result(method, params):
    with talk(new_server(), ours="server") as client:
        result = client.request(method, params)
    assert result["resultType"] == "complete"
    assert result["_meta"] == {META + "serverInfo": {"name": "probe", "version": "1.2"}}


def test_a_failed_tool_has_them_too():
    server = new_server()
    server.tool(lambda: 1 // 0, name="fail")
    with talk(server) as client:
        for params in (call_params("fail"), call_params("greet", name=3)):
            result = client.request("tools/call", params)
            assert (result["isError"], result["resultType"]) == (True, "complete")
            assert META + "serverInfo" in result["_meta"]


def test_the_meta_of_a_tool_is_kept_beside_it():
    server = Server("probe", "1")
    server.tool(lambda: tool_result("x", meta={"com.example/cost": 3}), name="f")
    with talk(server) as client:
        assert client.request("tools/call", call_params("f"))["_meta"] == {
            "com.example/cost": 3, META + "serverInfo": {"name": "probe", "version": "1"}}


def test_a_method_of_ones_own_has_them_too():
    server = Server("probe", "1")
    server.handlers["acme/echo"] = lambda params, ctx: {"echo": params["x"]}
    with talk(server, ours="server") as client:
        assert client.request("acme/echo", {"x": 1}) == {
            "echo": 1, "resultType": "complete", "_meta": {META + "serverInfo": {"name": "probe", "version": "1"}}}


CACHEABLE = [("server/discover", {}), ("tools/list", {}), ("prompts/list", {}), ("resources/list", {}),
             ("resources/templates/list", {}),
             ("resources/read", {"uri": "memo://b/1"})]


@pytest.mark.parametrize("method, params", CACHEABLE)
def test_caching_hints_of_the_server(method, params):
    with talk(new_server()) as client:
        result = client.request(method, params)
    assert (result["ttlMs"], result["cacheScope"]) == (0, "private")
    with talk(new_server(ttl_ms=60000, cache_scope="public")) as client:
        result = client.request(method, params)
    assert (result["ttlMs"], result["cacheScope"]) == (60000, "public")


def test_caching_hints_of_a_resource():
    with talk(new_server(ttl_ms=1000)) as client:
        result = client.request("resources/read", {"uri": "memo://a"})
        assert (result["ttlMs"], result["cacheScope"]) == (50, "public")
        result = client.request("resources/read", {"uri": "memo://b/x"})
        assert (result["ttlMs"], result["cacheScope"]) == (1000, "private")


@pytest.mark.parametrize("method, params", [("tools/call", call_params("greet")), ("prompts/get", {"name": "ask"})])
def test_no_other_result_has_caching_hints(method, params):
    with talk(new_server()) as client:
        assert not {"ttlMs", "cacheScope"} & client.request(method, params).keys()


@pytest.mark.parametrize("method, params", CACHEABLE[1:])
def test_handshake_revisions_have_no_caching_hints(method, params):
    with talk(new_server(), "2025-11-25") as client:
        assert not {"ttlMs", "cacheScope", "resultType", "_meta"} & client.request(method, params).keys()


def test_every_page_has_the_same_scope():
    server = Server("probe", "1", page_size=1, cache_scope="public")
    for name in "abc":
        server.tool(lambda: "x", name=name)
    with talk(server) as client:
        first = client.request("tools/list")
        second = client.request("tools/list", {"cursor": first["nextCursor"]})
    assert first["cacheScope"] == second["cacheScope"] == "public"


def test_wrong_hints_are_refused_when_the_server_is_made():
    for options in ({"ttl_ms": -1}, {"ttl_ms": 1.5}, {"cache_scope": "shared"}, {"state_seconds": 0}, {"key": b"short"},
                    {"key": "text"}):
        with pytest.raises(RegistrationError):
            Server("probe", **options)


# Tools and resources


@pytest.mark.parametrize("value", [1, 1.5, "text", True, False, None, [], [1, {"a": None}], {}])
def test_any_json_value_is_structured_content(value):
    server = Server("probe", "1")
    server.tool(lambda: value, name="f", output_schema={"enum": [value]})
    with talk(server) as client:
        assert client.request("tools/list")["tools"][0]["outputSchema"] == {"enum": [value]}
        result = client.request("tools/call", call_params("f"))
    assert result["structuredContent"] == value and type(result["structuredContent"]) is type(value)


@pytest.mark.parametrize("schema", [{"type": "array", "items": {"type": "integer"}}, {"type": "integer"},
                                    {"oneOf": [{"const": 1}]}, {}])
def test_an_output_schema_of_any_type_is_listed_as_it_is(schema):
    server = Server("probe", "1")
    server.tool(lambda: 1, name="f", output_schema=schema)
    with talk(server) as client:
        assert client.request("tools/list")["tools"][0]["outputSchema"] == schema


def test_a_resource_not_found_is_invalid_params():
    with talk(new_server()) as client:
        error = refused(client, "resources/read", {"uri": "memo://none"})
    assert (error.code, error.message, error.data) == (-32602, "Resource not found: memo://none", {"uri": "memo://none"})


def test_the_list_of_tools_is_that_of_every_connection():
    server = new_server()
    with talk(server) as one, talk(server, capabilities={}) as two:
        one.request("tools/call", call_params("greet"))
        assert one.request("tools/list") == two.request("tools/list")


@pytest.mark.parametrize("method, params", [
    ("initialize", {"protocolVersion": MODERN, "capabilities": {}, "clientInfo": {"name": "x", "version": "0"}}), ("ping", {}),
    ("logging/setLevel", {"level": "info"}), ("resources/subscribe", {"uri": "memo://a"}),
    ("resources/unsubscribe", {"uri": "memo://a"}),
    ("roots/list", {}), ("tasks/get", {"taskId": "1"}), ("acme/unknown", {})])
def test_removed_and_unknown_methods(method, params):
    with talk(new_server(), ours="server") as client:
        error = refused(client, method, params)
    assert error.code == -32601
    assert method in error.message


# Logging


def logger():
    server = Server("probe", "1")

    @server.tool
    def work(ctx):
        for level in ("debug", "info", "warning", "emergency"):
            ctx.log(level, level)
    return server


@pytest.mark.parametrize("level, told", [
    (None, []), ("debug", ["debug", "info", "warning", "emergency"]), ("notice", ["warning", "emergency"]),
    ("emergency", ["emergency"])])
def test_log_messages_come_for_the_request_that_asked(level, told):
    with talk(logger()) as client:
        client.request("tools/call", call_params("work"), None if level is None else {META + "logLevel": level})
        assert [message["params"]["level"] for message in client.notifications] == told
        client.notifications.clear()
        client.request("tools/call", call_params("work"))
        assert client.notifications == []


# subscriptions/listen


def listening(*filters, server=None):
    client = MemoryClient(server or new_server())
    ids = [client.send_request("subscriptions/listen", {"notifications": wanted}, request_id=name) for name, wanted in filters]
    return client, ids


def told(client):
    return [(message["method"], message["params"].get("_meta", {}).get(META + "subscriptionId"), message["params"].get("uri"))
            for message in client.notifications]


ACK = "notifications/subscriptions/acknowledged"
ALL_KINDS = {"toolsListChanged": True, "resourcesListChanged": True, "promptsListChanged": True,
             "resourceSubscriptions": ["memo://a"]}


@pytest.mark.parametrize("name", [5, "listen:0", 0, ""])
def test_the_acknowledgement_comes_first_and_carries_the_id(name):
    client, _ = listening((name, ALL_KINDS))
    assert client.notifications == [{"jsonrpc": "2.0", "method": ACK, "params": {
        "_meta": {META + "subscriptionId": name}, "notifications": ALL_KINDS}}]
    client.close()


@pytest.mark.parametrize("wanted, granted", [
    ({}, {}), ({"toolsListChanged": True}, {"toolsListChanged": True}), ({"toolsListChanged": False}, {}),
    ({"toolsListChanged": 1}, {}),
    ({"promptsListChanged": True, "acmeChanged": True}, {"promptsListChanged": True}),
    ({"resourceSubscriptions": []}, {"resourceSubscriptions": []}),
    ({"resourceSubscriptions": ["memo://a", 3, None]}, {"resourceSubscriptions": ["memo://a"]}),
    ({"resourceSubscriptions": "memo://a"}, {})])
def test_the_filter_is_granted_as_far_as_it_is_served(wanted, granted):
    client, _ = listening((1, wanted))
    assert client.notifications[0]["params"]["notifications"] == granted
    client.close()


def test_what_is_not_declared_is_not_granted():
    server = Server("probe", "1")
    server.tool(lambda: "x", name="f")
    client, _ = listening((1, ALL_KINDS), server=server)
    assert client.notifications[0]["params"]["notifications"] == {"toolsListChanged": True}
    client.close()


@pytest.mark.parametrize("params", [{}, {"notifications": None}, {"notifications": []}, {"notifications": "all"}])
def test_the_filter_is_required(params):
    with talk(new_server(), ours="server") as client:
        error = refused(client, "subscriptions/listen", params)
    assert (error.code, error.message) == (-32602, "Invalid params: notifications must be an object")


def test_every_subscription_gets_what_it_asked_for_under_its_own_id():
    server = new_server()
    with talk(server) as client:
        client.send_request("subscriptions/listen", {"notifications": {"toolsListChanged": True}}, request_id="t")
        client.send_request("subscriptions/listen", {"notifications": {"resourceSubscriptions": ["memo://a", "memo://b/1"]}},
                            request_id=2)
        client.send_request("subscriptions/listen", {"notifications": ALL_KINDS}, request_id=3)
        client.notifications.clear()
        server.tool(lambda: "x", name="new")
        server.resource_updated("memo://a")
        server.resource_updated("memo://b/1")
        server.resource_updated("memo://c")
        server.remove_prompt("ask")
        client.run()
        assert told(client) == [
            ("notifications/tools/list_changed", "t", None), ("notifications/tools/list_changed", 3, None),
            ("notifications/resources/updated", 2, "memo://a"), ("notifications/resources/updated", 3, "memo://a"),
            ("notifications/resources/updated", 2, "memo://b/1"), ("notifications/prompts/list_changed", 3, None)]


def test_a_change_made_by_a_tool_is_told():
    server = new_server()

    @server.tool
    def touch() -> str:
        server.resource_updated("memo://a")
        return "done"
    with talk(server) as client:
        client.send_request("subscriptions/listen", {"notifications": ALL_KINDS}, request_id=9)
        client.request("tools/call", call_params("touch"))
        client.run()
        assert told(client)[1:] == [("notifications/resources/updated", 9, "memo://a")]


def test_nobody_listens_nothing_is_told():
    server = new_server()
    with talk(server) as client:
        server.tool(lambda: "x", name="new")
        server.resource_updated("memo://a")
        client.request("tools/list")
        assert client.notifications == []


def test_a_change_before_the_stream_opened_is_no_news():
    server = new_server()
    with talk(server) as client:
        server.tool(lambda: "x", name="new")
        client.send_request("subscriptions/listen", {"notifications": ALL_KINDS}, request_id=1)
        client.run()
        assert [method for method, _, _ in told(client)] == [ACK]


def test_a_cancelled_subscription_is_silent_and_the_others_are_not():
    server = new_server()
    with talk(server) as client:
        for name in (1, "1"):
            client.send_request("subscriptions/listen", {"notifications": ALL_KINDS}, request_id=name)
        client.notify("notifications/cancelled", {"requestId": "1"})
        client.notifications.clear()
        server.resource_updated("memo://a")
        client.run()
        assert told(client) == [("notifications/resources/updated", 1, "memo://a")]
    assert list(client.responses) == [1]                # no reply to the cancelled one, not even at the end


def test_the_end_of_the_input_closes_every_stream_with_a_result():
    with talk(new_server()) as client:
        client.send_request("subscriptions/listen", {"notifications": ALL_KINDS}, request_id="a")
        client.send_request("subscriptions/listen", {"notifications": {}}, request_id=0)
    assert {name: message["result"] for name, message in client.responses.items()} == {
        name: {"resultType": "complete", "_meta": {META + "subscriptionId": name,
                                                   META + "serverInfo": {"name": "probe", "version": "1.2"}}}
        for name in ("a", 0)}


def test_a_closed_connection_leaves_nothing_behind():
    server = new_server()
    with talk(server) as client:
        client.send_request("subscriptions/listen", {"notifications": ALL_KINDS})
    assert server._core.connections == []
    server.resource_updated("memo://a")                 # nobody is there: nothing happens


def test_requests_are_served_while_a_stream_is_open():
    with talk(new_server()) as client:
        client.send_request("subscriptions/listen", {"notifications": ALL_KINDS})
        assert text_of(client.request("tools/call", call_params("greet"))) == "Hello, you"


def test_listening_does_not_exist_in_a_handshake_session():
    with talk(new_server(), "2025-11-25", ours="server") as client:
        assert refused(client, "subscriptions/listen", {"notifications": {}}).code == -32601


def test_a_stateless_stream_and_a_handshake_subscription_in_one_process():
    server = new_server()
    with talk(server, "2025-11-25") as old, talk(server) as new:
        old.request("resources/subscribe", {"uri": "memo://a"})
        new.send_request("subscriptions/listen", {"notifications": {"resourceSubscriptions": ["memo://a"]}}, request_id=4)
        server.resource_updated("memo://a")
        old.run()
        new.run()
        assert told(old) == [("notifications/resources/updated", None, "memo://a")]
        assert told(new)[1:] == [("notifications/resources/updated", 4, "memo://a")]


# Both eras in one process


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="no SIGALRM on this platform")
@pytest.mark.parametrize("order", [(1, 0), (0, 1)])
def test_two_connections_leave_the_alarm_as_it_was(order):
    """Once: the second timer set the first one going again, and nobody stopped it before the default handler was back."""
    alarms = []
    found = signal.signal(signal.SIGALRM, lambda number, frame: alarms.append(number))
    before = signal.getsignal(signal.SIGALRM)
    clients = [MemoryClient(new_server()), MemoryClient(new_server())]
    for _ in range(2):
        for client in clients:
            client.request("tools/list")
    clients[0].run()                                        # notices that the alarm is another's now
    for number in order:
        clients[number].close()
    try:
        for _ in range(3):
            if signal.getitimer(signal.ITIMER_REAL)[0]:     # at the worst one tick more, which finds nothing to do
                time.sleep(0.25)
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
        if order == (1, 0):
            assert signal.getsignal(signal.SIGALRM) is before
        assert alarms == []
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, found)


def test_both_eras_on_one_connection():
    messages = [initialize(), INITIALIZED, call("greet", {}, 2), modern("tools/call", call_params("greet"), 3),
                request("ping", None, 4), modern("ping", {}, 5), call("greet", {}, 6), modern("server/discover", {}, 7)]
    replies = {reply["id"]: reply for reply in exchange(new_server(), *messages)}
    assert replies[2]["result"] == replies[6]["result"] == {"content": [{"type": "text", "text": "Hello, you"}]}
    assert replies[3]["result"]["resultType"] == "complete"
    assert replies[4]["result"] == {} and replies[5]["error"]["code"] == -32601
    assert replies[7]["result"]["supportedVersions"] == [MODERN]


def test_a_probe_and_then_a_handshake():
    """What dual-era clients of old servers do, on the same process."""
    replies = exchange(new_server(), modern("server/discover", {}, 1), initialize("2025-11-25", 2), INITIALIZED,
                       call("greet", {}, 3))
    assert replies[1]["result"]["protocolVersion"] == "2025-11-25"
    assert text_of(replies[2]["result"]) == "Hello, you"


# Rounds


def asker(**options):
    server = Server("asker", "1", **options)

    @server.tool
    def greet(ctx, polite: bool = True) -> str:
        return ("Good day, " if polite else "Hi ") + ctx.elicit("Who?", NAME_FORM)["content"]["name"]

    @server.tool
    def other(ctx, polite: bool = True) -> str:
        return "other " + ctx.elicit("Who?", NAME_FORM)["content"]["name"]

    @server.tool
    def silent() -> str:
        return "asks nothing"

    @server.prompt(name="greet")
    def greeting(ctx):
        return "Greet " + ctx.elicit("Who?", NAME_FORM)["content"]["name"]
    return server


def ask_once(client, tool="greet", **arguments):
    """The first round; return the params of a retry that answers everything with ``ACCEPT``."""
    params = call_params(tool, **arguments)
    result = client.request_once("tools/call", params)
    assert result["resultType"] == "input_required"
    return dict(params, requestState=result["requestState"], inputResponses=dict.fromkeys(result["inputRequests"], ACCEPT))


def test_the_first_round_ends_with_the_question_alone():
    with talk(asker()) as client:
        result = client.request_once("tools/call", call_params("greet"))
    state = result.pop("requestState")
    assert state.startswith("m1.")
    assert result == {
        "resultType": "input_required", "_meta": {META + "serverInfo": {"name": "asker", "version": "1"}},
        "inputRequests": {"q1": {"method": "elicitation/create", "params": {
            "mode": "form", "message": "Who?", "requestedSchema": NAME_FORM}}}}


def test_the_second_round_ends_with_the_answer():
    with talk(asker()) as client:
        result = client.request_once("tools/call", ask_once(client))
    assert result["resultType"] == "complete" and text_of(result) == "Good day, Ann"
    assert "requestState" not in result and "inputRequests" not in result


def test_an_unasked_answer_under_a_counted_key_does_not_count():
    with talk(asker(), ours="server") as client:
        params = call_params("greet")
        result = client.request_once("tools/call", dict(params, inputResponses={"q1": ACCEPT}))
    assert result["resultType"] == "input_required"


def keyed_asker():
    """A server with a tool for each kind of question, asked under keys of its author."""
    server = Server("asker", "1")
    server.tool(lambda ctx: ctx.elicit("Who?", NAME_FORM, key="who")["content"]["name"], name="form")
    server.tool(lambda ctx: ctx.elicit_url("Pay.", "https://pay.example/1", key="who")["action"], name="url")
    server.tool(lambda ctx: ctx.sample("Hi", 5, key="who")["content"]["text"], name="sample")
    server.tool(lambda ctx: ctx.roots(key="who")["roots"][0]["uri"], name="roots")
    return server


SAMPLED = {"role": "assistant", "content": {"type": "text", "text": "Hello"}, "model": "m"}


@pytest.mark.parametrize("tool, answer, text", [
    ("form", ACCEPT, "Ann"), ("url", {"action": "accept"}, "accept"), ("sample", SAMPLED, "Hello"),
    ("roots", ROOTS, "file:///srv")])
def test_an_unasked_answer_under_a_key_of_the_author_counts(tool, answer, text):
    with talk(keyed_asker(), ours="server") as client:
        result = client.request_once("tools/call", dict(call_params(tool), inputResponses={
            "who": answer, "unknown": {"action": "accept", "content": {"foo": "bar"}}, "another": 3}))
    assert result["resultType"] == "complete" and text_of(result) == text


@pytest.mark.parametrize("tool, answer", [
    ("form", 12345), ("form", None), ("form", ROOTS), ("form", {"action": "yes"}),
    ("form", {"action": "accept", "content": {"name": 1}}), ("form", {"action": "accept"}),
    ("url", {"action": "opened"}), ("sample", ACCEPT), ("sample", dict(SAMPLED, content={"type": "video"})),
    ("roots", ACCEPT), ("roots", {"roots": [{}]})])
def test_an_unasked_answer_that_does_not_fit_does_not_count(tool, answer):
    """Nobody asked for it, so it is no error of the round: the question is asked (basic/patterns/mrtr, "Error Handling")."""
    with talk(keyed_asker(), ours="server") as client:
        result = client.request_once("tools/call", dict(call_params(tool), inputResponses={"who": answer}))
    assert result["resultType"] == "input_required" and list(result["inputRequests"]) == ["who"]


def test_an_unasked_answer_that_does_not_fit_can_be_given_when_asked():
    with talk(keyed_asker(), ours="server") as client:
        params = call_params("form")
        first = client.request_once("tools/call", dict(params, inputResponses={"who": 3}))
        assert text_of(client.request_once("tools/call", dict(
            params, requestState=first["requestState"], inputResponses={"who": ACCEPT}))) == "Ann"


@pytest.mark.parametrize("method, params", [("prompts/get", {"name": "asking"}), ("resources/read", {"uri": "memo://asking"})])
def test_an_unasked_answer_counts_in_prompts_and_resources(method, params):
    server = Server("asker", "1")
    server.prompt(lambda ctx: ctx.roots(key="who")["roots"][0]["uri"], name="asking")
    server.resource("memo://asking", name="asking")(lambda ctx: ctx.roots(key="who")["roots"][0]["uri"])
    with talk(server, ours="server") as client:
        result = client.request_once(method, dict(params, inputResponses={"who": ROOTS}))
    assert result["resultType"] == "complete" and "file:///srv" in json.dumps(result)


def test_an_unasked_answer_under_a_name_that_looks_counted_counts_where_the_author_gave_it():
    server = Server("asker", "1")
    server.tool(lambda ctx: ctx.roots(key="q1")["roots"][0]["uri"], name="named")
    with talk(server, ours="server") as client:
        assert text_of(client.request_once("tools/call", dict(
            call_params("named"), inputResponses={"q1": ROOTS}))) == "file:///srv"


def test_an_unasked_answer_that_counts_is_an_answer_in_every_further_round():
    server = Server("asker", "1")

    @server.tool
    def two(ctx):
        answers = ctx.ask_all({"a": {"method": "roots/list"}, "b": {"method": "roots/list"}})
        return [answers[key]["roots"][0]["uri"] for key in "ab"] + [ctx.roots(key="c")["roots"][0]["uri"]]
    given = {key: {"roots": [{"uri": "file:///" + key}]} for key in "abc"}
    with talk(server, ours="server") as client:
        params = call_params("two")
        first = client.request_once("tools/call", dict(params, inputResponses={"a": given["a"], "x": given["b"]}))
        assert list(first["inputRequests"]) == ["b"]
        second = client.request_once("tools/call", dict(params, requestState=first["requestState"],
                                                        inputResponses={"b": given["b"]}))
        assert list(second["inputRequests"]) == ["c"]
        third = client.request_once("tools/call", dict(params, requestState=second["requestState"],
                                                       inputResponses={"c": given["c"]}))
    assert json.loads(text_of(third)) == ["file:///a", "file:///b", "file:///c"]


def test_an_unasked_answer_of_the_first_round_is_gone_in_the_second_where_its_question_came_later():
    """What no question took is not kept: with a state, only what the state lists as asked counts."""
    server = Server("asker", "1")

    @server.tool
    def two(ctx):
        return [ctx.roots()["roots"][0]["uri"], ctx.roots(key="b")["roots"][0]["uri"]]
    with talk(server, ours="server") as client:
        params = call_params("two")
        first = client.request_once("tools/call", dict(params, inputResponses={"b": ROOTS}))
        assert list(first["inputRequests"]) == ["q1"]
        second = client.request_once("tools/call", dict(params, requestState=first["requestState"],
                                                        inputResponses={"q1": ROOTS, "b": ROOTS}))
    assert list(second["inputRequests"]) == ["b"]


def test_an_unasked_answer_is_no_result_of_once():
    server = Server("asker", "1")
    runs = []

    @server.tool
    def charge(ctx):
        paid = ctx.once("paid", lambda: runs.append(1) or "by card")
        return [paid, ctx.roots(key="who")["roots"][0]["uri"]]
    with talk(server, ours="server") as client:
        result = client.request_once("tools/call", dict(call_params("charge"), inputResponses={"paid": "free", "who": ROOTS}))
    assert (json.loads(text_of(result)), runs) == (["by card", "file:///srv"], [1])


def test_an_unasked_answer_does_not_stand_for_a_capability():
    with talk(keyed_asker(), ours="server") as client:
        error = refused(client, "tools/call", dict(call_params("roots"), inputResponses={"who": ROOTS}),
                        {META + "clientCapabilities": {}})
    assert (error.code, error.data) == (-32021, {"requiredCapabilities": {"roots": {}}})


def test_an_unasked_answer_comes_with_no_state_that_is_refused():
    with talk(keyed_asker(), ours="server") as client:
        error = refused(client, "tools/call", dict(call_params("roots"), requestState="m1.x.y", inputResponses={"who": ROOTS}))
    assert error.code == -32602 and error.message.startswith("Invalid params: requestState is none of this server's")


def test_a_kept_answer_that_does_not_fit_is_asked_again():
    """It was never taken in the round that brought it; refusing the state that holds it would leave no way on."""
    server = Server("asker", "1")
    extra = []

    @server.tool
    def growing(ctx):
        if extra:
            ctx.roots(key="between")
        return ctx.elicit("Who?", NAME_FORM, key="who")["content"]["name"]
    with talk(server, ours="server") as client:
        params = ask_once(client, "growing")
        extra.append(1)
        second = client.request_once("tools/call", dict(params, inputResponses={"who": {"action": "yes"}}))
        assert list(second["inputRequests"]) == ["between"]
        third = client.request_once("tools/call", dict(params, requestState=second["requestState"],
                                                       inputResponses={"between": ROOTS}))
        assert list(third["inputRequests"]) == ["who"]
        assert text_of(client.request_once("tools/call", dict(params, requestState=third["requestState"]))) == "Ann"


def test_what_the_client_was_not_told_makes_no_other_question():
    """The id of an elicitation by URL is not sent here: a new one in every run is still the same question."""
    server = Server("asker", "1")
    ids = iter("abc")
    server.tool(lambda ctx: ctx.elicit_url("Pay.", "https://pay.example/1", elicitation_id=next(ids))["action"], name="pay")
    with talk(server, ours="server") as client:
        params = ask_once(client, "pay")
        result = client.request_once("tools/call", dict(params, inputResponses={"q1": {"action": "accept"}}))
    assert text_of(result) == "accept"


def test_an_answer_to_what_was_not_asked_does_not_count():
    server = Server("asker", "1")

    @server.tool
    def two(ctx):
        return [ctx.roots(key="a")["roots"], ctx.roots(key="b")["roots"]]
    with talk(server, ours="server") as client:
        first = client.request_once("tools/call", call_params("two"))
        assert list(first["inputRequests"]) == ["a"]
        second = client.request_once("tools/call", dict(call_params("two"), requestState=first["requestState"],
                                                        inputResponses={"a": ROOTS, "b": ROOTS, "c": 3}))
        assert list(second["inputRequests"]) == ["b"]


def test_a_missing_answer_is_asked_again():
    with talk(asker()) as client:
        params = ask_once(client)
        again = client.request_once("tools/call", dict(params, inputResponses={}))
        assert list(again["inputRequests"]) == ["q1"]
        del params["inputResponses"]
        assert list(client.request_once("tools/call", dict(params, requestState=again["requestState"]))["inputRequests"]) == ["q1"]


def test_of_several_questions_the_missing_ones_are_asked_again():
    server = Server("asker", "1")

    @server.tool
    def several(ctx):
        answers = ctx.ask_all(dict.fromkeys("abc", {"method": "roots/list"}))
        return [answers[key]["roots"][0]["uri"] for key in "abc"]
    with talk(server) as client:
        params = call_params("several")
        first = client.request_once("tools/call", params)
        assert list(first["inputRequests"]) == ["a", "b", "c"]
        answers = {key: {"roots": [{"uri": "file:///" + key}]} for key in "abc"}
        second = client.request_once("tools/call", dict(params, requestState=first["requestState"],
                                                        inputResponses={"b": answers["b"]}))
        assert list(second["inputRequests"]) == ["a", "c"]
        third = client.request_once("tools/call", dict(params, requestState=second["requestState"],
                                                       inputResponses={"a": answers["a"], "c": answers["c"]}))
    assert json.loads(text_of(third)) == ["file:///a", "file:///b", "file:///c"]


def test_answers_travel_through_many_rounds():
    server = Server("asker", "1")
    runs = []

    @server.tool
    def many(ctx):
        runs.append(1)
        return [ctx.roots()["roots"][0]["uri"] for _ in range(8)]
    with talk(server, answers=[{"roots": [{"uri": "file:///%d" % number}]} for number in range(8)]) as client:
        result = client.request("tools/call", call_params("many"))
    assert json.loads(text_of(result)) == ["file:///%d" % number for number in range(8)]
    assert len(runs) == 9


def test_a_changed_question_is_asked_again():
    server = Server("asker", "1")
    words = ["Who?", "Who, please?", "Who, please?"]

    @server.tool
    def fickle(ctx):
        return ctx.elicit(words.pop(0), NAME_FORM)["content"]["name"]
    with talk(server) as client:
        params = ask_once(client, "fickle")
        second = client.request_once("tools/call", params)
        assert second["inputRequests"]["q1"]["params"]["message"] == "Who, please?"
        third = client.request_once("tools/call", dict(params, requestState=second["requestState"]))
    assert text_of(third) == "Ann"


def test_a_question_with_the_same_words_in_another_order_is_the_same():
    server = Server("asker", "1")
    schemas = [{"type": "object", "properties": {"n": {"type": "integer", "minimum": 1.0}}},
               {"properties": {"n": {"minimum": 1, "type": "integer"}}}]

    @server.tool
    def same(ctx):
        return ctx.elicit("?", schemas.pop(0))["content"]["n"]
    with talk(server, answers=[{"action": "accept", "content": {"n": 2}}]) as client:
        assert text_of(client.request("tools/call", call_params("same"))) == "2"


def test_an_answer_given_under_a_key_stays_when_another_question_comes_between():
    server = Server("asker", "1")
    extra = []

    @server.tool
    def growing(ctx):
        if extra:
            ctx.roots(key="between")
        return ctx.elicit("Who?", NAME_FORM, key="who")["content"]["name"]
    with talk(server) as client:
        params = ask_once(client, "growing")
        extra.append(1)
        second = client.request_once("tools/call", params)
        assert list(second["inputRequests"]) == ["between"]
        third = client.request_once("tools/call", dict(params, requestState=second["requestState"],
                                                       inputResponses={"between": ROOTS}))
    assert text_of(third) == "Ann"


@pytest.mark.parametrize("value", [None, [], "x", 3])
def test_input_responses_are_an_object(value):
    with talk(asker(), ours="server") as client:
        params = ask_once(client)
        error = refused(client, "tools/call", dict(params, inputResponses=value))
        assert (error.code, error.message) == (-32602, "Invalid params: inputResponses must be an object")
        error = refused(client, "tools/call", dict(call_params("silent"), inputResponses=value))
        assert error.code == -32602


@pytest.mark.parametrize("value", [None, [], {}, 3, True])
def test_a_state_is_a_string(value):
    with talk(asker(), ours="server") as client:
        error = refused(client, "tools/call", dict(call_params("silent"), requestState=value))
    assert (error.code, error.message) == (-32602, "Invalid params: requestState must be a string")


@pytest.mark.parametrize("method, params", [
    ("tools/call", call_params("silent")), ("prompts/get", {"name": "ask"}), ("resources/read", {"uri": "memo://a"})])
def test_a_bad_state_is_refused_whether_the_handler_asks_or_not(method, params):
    server = new_server()
    server.tool(lambda: "ran", name="silent")
    with talk(server, ours="server") as client:
        error = refused(client, method, dict(params, requestState="m1.AAAA.BBBB"))
    assert (error.code, error.message) == (-32602, "Invalid params: requestState is none of this server's, or was changed")


def test_a_bad_state_runs_nothing():
    ran = []
    server = Server("asker", "1")
    server.tool(lambda: ran.append(1), name="f")
    with talk(server, ours="server") as client:
        refused(client, "tools/call", dict(call_params("f"), requestState="x"))
    assert ran == []


def test_a_tampered_state():
    with talk(asker(), ours="server") as client:
        params = ask_once(client)
        state = params["requestState"]
        for place in (0, 1, 5, len(state) // 2, len(state) - 40, len(state) - 1):
            changed = state[:place] + ("x" if state[place] != "x" else "y") + state[place + 1:]
            error = refused(client, "tools/call", dict(params, requestState=changed))
            assert error.code == -32602
            assert error.message.startswith("Invalid params: requestState is none of this server's")
        assert text_of(client.request_once("tools/call", params)) == "Good day, Ann"       # what was not changed still works


def test_an_expired_state(monkeypatch):
    server = asker(state_seconds=30)
    with talk(server, ours="server") as client:
        params = ask_once(client)
        sealed_at = server._core.sealer.clock()
        server._core.sealer.clock = lambda: sealed_at + 31
        error = refused(client, "tools/call", params)
    assert (error.code, error.message) == (-32602, "Invalid params: requestState has expired: send the request again without it")


def test_a_state_that_is_used_a_second_time():
    with talk(asker(), ours="server") as client:
        params = ask_once(client)
        assert text_of(client.request_once("tools/call", params)) == "Good day, Ann"
        error = refused(client, "tools/call", params)
    assert (error.code, error.message) == (
        -32602, "Invalid params: requestState was used already: send the request again without it")


def test_a_state_is_used_by_the_next_round_too():
    with talk(asker(), ours="server") as client:
        params = ask_once(client)
        client.request_once("tools/call", dict(params, inputResponses={}))
        assert "was used already" in refused(client, "tools/call", params).message


def test_a_malformed_answer_can_be_mended():
    with talk(asker(), ours="server") as client:
        params = ask_once(client)
        error = refused(client, "tools/call", dict(params, inputResponses={"q1": {"action": "yes"}}))
        assert error.code == -32602
        assert text_of(client.request_once("tools/call", params)) == "Good day, Ann"


@pytest.mark.parametrize("method, other", [
    ("tools/call", {"name": "other", "arguments": {}}), ("tools/call", {"name": "greet", "arguments": {"polite": False}}),
    ("tools/call", {"name": "greet"}), ("prompts/get", {"name": "greet"}), ("tools/call", {"name": "silent", "arguments": {}})])
def test_a_state_swapped_to_another_request(method, other):
    with talk(asker(), ours="server") as client:
        params = ask_once(client)
        error = refused(client, method, dict(params, **other) if "arguments" in other else dict(
            other, requestState=params["requestState"], inputResponses=params["inputResponses"]))
    assert (error.code, error.message) == (-32602, "Invalid params: requestState belongs to another request")


def test_a_state_of_another_server():
    with talk(asker(key=KEY), ours="server") as client:
        params = ask_once(client)
    stranger = Server("stranger", "1", key=KEY)
    stranger.tool(lambda ctx, polite=True: ctx.elicit("Who?", NAME_FORM)["content"]["name"], name="greet")
    with talk(stranger, ours="server") as client:
        assert refused(client, "tools/call", params).message == "Invalid params: requestState belongs to another request"


def test_a_server_without_a_key_knows_its_own_states_only():
    with talk(asker(), ours="server") as client:
        params = ask_once(client)
    with talk(asker(), ours="server") as client:
        message = refused(client, "tools/call", params).message
    assert message == "Invalid params: requestState is none of this server's, or was changed"


def test_meta_may_differ_between_rounds():
    with talk(asker()) as client:
        params = call_params("greet")
        first = client.request_once("tools/call", params, {"progressToken": 1, "traceparent": "a"})
        retry = dict(params, requestState=first["requestState"], inputResponses={"q1": ACCEPT})
        assert text_of(client.request_once("tools/call", retry, {"progressToken": 2})) == "Good day, Ann"


def test_numbers_may_be_spelt_otherwise_in_the_next_round():
    server = Server("asker", "1")
    server.tool(lambda arguments, ctx: ctx.elicit("Who?", NAME_FORM)["content"]["name"], name="f", input_schema={"type": "object"})
    with talk(server) as client:
        params = ask_once(client, "f", a=1, b={"x": 2.0, "y": 3})
        params["arguments"] = {"b": {"y": 3.0, "x": 2}, "a": 1.0}
        assert text_of(client.request_once("tools/call", params)) == "Ann"


def test_a_question_is_not_asked_of_a_client_that_stopped_declaring_it():
    """Capabilities are those of the request at hand, in every round."""
    with talk(asker(), ours="server") as client:
        params = ask_once(client)
        error = refused(client, "tools/call", params, {META + "clientCapabilities": {}})
    assert (error.code, error.data) == (-32021, {"requiredCapabilities": {"elicitation": {}}})


# A handler cannot break it


def swallow_exception(ctx):
    try:
        return "answered " + ctx.elicit("Who?", NAME_FORM)["content"]["name"]
    except Exception:
        return "swallowed"


def swallow_everything(ctx):
    try:
        return "answered " + ctx.elicit("Who?", NAME_FORM)["content"]["name"]
    except BaseException:
        return "swallowed"


def swallow_in_finally(ctx):
    try:
        name = ctx.elicit("Who?", NAME_FORM)["content"]["name"]
        return "answered " + name
    finally:
        if "name" not in locals():
            return "swallowed"  # noqa: B012


def raise_another(ctx):
    try:
        return "answered " + ctx.elicit("Who?", NAME_FORM)["content"]["name"]
    except BaseException as error:
        raise RuntimeError("cleaning up failed") from error


def exit_instead(ctx):
    try:
        return "answered " + ctx.elicit("Who?", NAME_FORM)["content"]["name"]
    except BaseException:
        raise SystemExit(1) from None


def ask_on(ctx):
    try:
        return "answered " + ctx.elicit("Who?", NAME_FORM)["content"]["name"]
    except BaseException:
        ctx.once("late", lambda: 1 // 0)
        return ctx.roots(key="more")


@pytest.mark.parametrize("handler", [swallow_exception, swallow_everything, swallow_in_finally, raise_another, exit_instead,
                                     ask_on])
def test_a_handler_that_swallows_exceptions(handler):
    server = Server("asker", "1")
    server.tool(handler, name="f")
    server.prompt(handler, name="p")
    server.resource("memo://f", name="f")(handler)
    for method, params in (("tools/call", call_params("f")), ("prompts/get", {"name": "p"}),
                           ("resources/read", {"uri": "memo://f"})):
        with talk(server) as client:
            first = client.request_once(method, params)
            assert list(first["inputRequests"]) == ["q1"]
            second = client.request_once(method, dict(params, requestState=first["requestState"], inputResponses={"q1": ACCEPT}))
            assert second["resultType"] == "complete" and "answered Ann" in json.dumps(second)


# once


def test_once_is_kept_over_the_rounds():
    server = Server("asker", "1")
    runs = []

    @server.tool
    def pay(ctx):
        number = ctx.once("pay", lambda: runs.append(1) or {"receipt": len(runs)})
        ctx.roots()
        ctx.roots()
        return number
    with talk(server, answers=[ROOTS, ROOTS]) as client:
        assert client.request("tools/call", call_params("pay"))["structuredContent"] == {"receipt": 1}
    assert runs == [1]


def test_once_between_questions():
    server = Server("asker", "1")
    log = []

    @server.tool
    def pay(ctx):
        ctx.roots()
        ctx.once("first", lambda: log.append("first"))
        ctx.roots()
        ctx.once("second", lambda: log.append("second"))
        return "done"
    with talk(server, answers=[ROOTS, ROOTS]) as client:
        client.request("tools/call", call_params("pay"))
    assert log == ["first", "second"]


def test_once_uses_the_state_even_when_the_handler_fails_later():
    server = Server("asker", "1")
    runs = []

    @server.tool
    def pay(ctx):
        ctx.roots()
        ctx.once("pay", lambda: runs.append(1))
        raise ValueError("later")
    with talk(server, ours="server") as client:
        params = call_params("pay")
        first = client.request_once("tools/call", params)
        params = dict(params, requestState=first["requestState"], inputResponses={"q1": ROOTS})
        assert client.request_once("tools/call", params)["isError"] is True
        assert "was used already" in refused(client, "tools/call", params).message
    assert runs == [1]


def test_a_result_of_once_cannot_be_forged_by_the_client():
    """The state is readable, but not writable."""
    import base64

    server = Server("asker", "1")

    @server.tool
    def price(ctx):
        cents = ctx.once("price", lambda: 990)
        ctx.roots()
        return cents
    with talk(server, ours="server") as client:
        first = client.request_once("tools/call", call_params("price"))
        form, body, seal = first["requestState"].split(".")
        content = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
        assert content["kept"] == {"price": 990}
        content["kept"]["price"] = 1
        forged = base64.urlsafe_b64encode(json.dumps(content).encode()).decode().rstrip("=")
        error = refused(client, "tools/call", dict(call_params("price"), requestState=".".join((form, forged, seal)),
                                                   inputResponses={"q1": ROOTS}))
    assert error.message == "Invalid params: requestState is none of this server's, or was changed"


def test_what_is_too_much_to_keep_is_an_error_that_says_so():
    server = Server("asker", "1")

    @server.tool
    def big(ctx):
        ctx.once("big", lambda: "x" * 5000000)
        ctx.roots()
    with talk(server) as client:
        error = refused(client, "tools/call", call_params("big"))
    assert error.code == -32603
    assert error.message.startswith("Internal error: answers and once() results are too much to keep: ")


# Processes

RESTARTED = '''
import sys
from mcplite import Server
server = Server("shop", "1", key=b"a key that both processes have")

@server.tool
def order(item: str, ctx) -> str:
    number = ctx.once("number", lambda: 41)
    size = ctx.elicit("Which size?", {"properties": {"size": {"type": "string", "enum": ["S", "M"]}}, "required": ["size"]})
    sure = ctx.elicit("Sure?", {"properties": {"yes": {"type": "boolean"}}})
    return "%s %s %s %s" % (number, item, size["content"]["size"], sure["action"])
server.run()
'''


def test_a_restarted_process_with_the_same_key_goes_on(script):
    path = script(RESTARTED)
    params, capabilities = call_params("order", item="cap"), {"elicitation": {"form": {}}}
    answers = [{"q1": {"action": "accept", "content": {"size": "M"}}}, {"q2": {"action": "decline"}}]
    for number in range(3):
        outcome = run_server(path, [modern("tools/call", params, number, clientCapabilities=capabilities)], judge=number == 0)
        result = outcome.result(number)
        if number < 2:
            assert result["resultType"] == "input_required"
            params = dict(params, requestState=result["requestState"], inputResponses=answers[number])
    assert text_of(result) == "41 cap M decline"


def test_a_real_process_end_to_end(script):
    path = script(RESTARTED.replace(', key=b"a key that both processes have"', ""))
    capabilities = {"elicitation": {}}
    with ServerProcess(path) as server:
        params = call_params("order", item="cap")
        for number, answers in enumerate([{"q1": {"action": "accept", "content": {"size": "S"}}}, {"q2": {"action": "cancel"}},
                                          None]):
            result = server.ask(modern("tools/call", params, number, clientCapabilities=capabilities))["result"]
            if answers is not None:
                params = dict(params, requestState=result["requestState"], inputResponses=answers)
        assert text_of(result) == "41 cap S cancel"
        server.send(modern("subscriptions/listen", {"notifications": {"toolsListChanged": True}}, "listen-1"))
        assert server.receive()["method"] == ACK
        assert server.close() == 0
        assert server.rest[-1]["result"]["_meta"][META + "subscriptionId"] == "listen-1"
        assert server.stderr == ""


def test_questions_cost_a_server_that_never_asks_nothing(script):
    path = script('''
import sys
before = set(sys.modules)
from mcplite import Server
server = Server("plain")
@server.tool
def loaded() -> list: return sorted(name for name in set(sys.modules) - before if name in (
    "hmac", "hashlib", "json", "re", "mcplite.asking", "mcplite.testing"))
server.run()
''')
    outcome = run_server(path, [modern("tools/call", call_params("loaded"))])
    loaded = json.loads(text_of(outcome.result(2)))
    assert [name for name in loaded if not (SINGLE and name.startswith("mcplite."))] == []      # one file holds every module


# The official examples


EXAMPLES = os.path.join(os.environ.get("MCPLITE_SHARED") or os.path.join(os.path.dirname(__file__), "..", "..", "shared"),
                        "spec", "examples-2026-07-28")


def examples(kind):
    folder = os.path.join(EXAMPLES, kind)
    if not os.path.isdir(folder):
        pytest.skip("the official examples are not in ../shared/spec/examples-2026-07-28 (or MCPLITE_SHARED)")
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            yield name, json.load(file)


def test_the_official_questions_are_ours_too():
    """Every official example of a question passes our checks unchanged, and asks the client in the same words."""
    from mcplite.asking.questions import check_question

    seen = 0
    for _, example in [pair for kind in ("ElicitRequest", "CreateMessageRequest", "ListRootsRequest") for pair in examples(kind)]:
        example.pop("id", None)             # one is written as a request: questions are none any more
        assert check_question(example) == example
        seen += 1
    for _, example in examples("InputRequests"):
        for question in example.values():
            checked = check_question(question)
            assert dict(checked, params=dict(question["params"], mode=checked["params"]["mode"])
                        if "mode" in checked["params"] else checked["params"]) == checked
            seen += 1
    assert seen >= 5


@pytest.mark.parametrize("kind", [
    "StringSchema", "NumberSchema", "BooleanSchema", "UntitledSingleSelectEnumSchema", "TitledSingleSelectEnumSchema",
    "UntitledMultiSelectEnumSchema", "TitledMultiSelectEnumSchema"])
def test_the_official_fields_are_ours_too(kind):
    from mcplite.asking.questions import check_form

    for _, field in examples(kind):
        assert check_form({"type": "object", "properties": {"x": field}})["properties"]["x"] == field


def test_the_official_answers_are_taken():
    from mcplite.asking.questions import check_answer, check_question, new_elicit, new_sample

    form = check_question(new_elicit("?", {"properties": {}}))
    for _, answer in examples("ElicitResult"):
        assert check_answer(form, answer)["action"] == answer["action"]
    for _, answer in examples("CreateMessageResult"):
        assert check_answer(check_question(new_sample("x", 5)), answer) == answer
    for _, answer in examples("ListRootsResult"):
        assert check_answer({"method": "roots/list"}, answer) == answer


def test_modern_meta_is_what_the_harness_sends():
    assert set(modern_meta()) == {META + "protocolVersion", META + "clientCapabilities", META + "clientInfo"}


# Anything a client may send


def any_json():
    from hypothesis import strategies

    words = strategies.sampled_from(["accept", "decline", "user", "assistant", "text", "file:///x"])
    leaves = strategies.none() | strategies.booleans() | strategies.integers() | strategies.text(max_size=5) | words
    names = strategies.sampled_from(["q1", "q2", "action", "content", "name", "roots", "uri", "role", "model", "type", "text"])
    return strategies.recursive(leaves, lambda inner: strategies.lists(inner, max_size=3) | strategies.dictionaries(names,
                                                                                                                    inner,
                                                                                                                    max_size=4),
                                max_leaves=12)


def test_whatever_comes_back_is_answered_or_refused():
    hypothesis = pytest.importorskip("hypothesis")
    server = asker()

    @server.tool
    def everything(ctx) -> str:
        ctx.ask_all({"q1": {"method": "roots/list"},
                     "q2": {"method": "sampling/createMessage", "params": {"messages": "x", "maxTokens": 1}}})
        return ctx.elicit("Who?", NAME_FORM, key="name")["action"]

    @hypothesis.settings(max_examples=150, deadline=None)
    @hypothesis.given(any_json(), any_json(), hypothesis.strategies.none() | any_json())
    def run(one, two, state):
        with talk(server, ours="server") as client:
            params = call_params("everything")
            first = client.request_once("tools/call", params)
            params = dict(params, requestState=first["requestState"] if state is None else state,
                          inputResponses={"q1": one, "q2": two})
            try:
                assert client.request_once("tools/call", params)["resultType"] == "input_required"
            except McpError as error:
                assert error.code == -32602
    run()
