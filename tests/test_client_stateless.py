"""The client in 2026-07-28: the probe, per-request metadata, questions in results, subscriptions, caching."""
from __future__ import annotations

import json
import time

import pytest
from client_helpers import MODERN, handshake, judge_log, stateless

from mcplite import Client, McpError
from mcplite.errors import CapabilityError, LocalProtocolError

KEY = "io.modelcontextprotocol/"


def answer(result):
    return result["content"][0]["text"]


@pytest.fixture
def log(tmp_path):
    return tmp_path / "log"


def connect(story, log=None, *arguments, **options):
    env = {} if log is None else {"FAKE_LOG": str(log)}
    return Client(stateless(story, *arguments), env=env, timeout=options.pop("timeout", 10), **options)


# The probe


@pytest.mark.parametrize("revision", [None, MODERN])
def test_a_discover_result_settles_the_revision(revision, log):
    with connect("everything", log, revision=revision) as client:
        assert client.revision == MODERN
        assert client.server_info == {"name": "fake", "version": "0"}
        assert client.instructions == "be kind"
        assert client.capabilities["tools"] == {"listChanged": True}
    assert [message["method"] for message in judge_log(log)] == ["server/discover"]


@pytest.mark.parametrize("how", ["result", "error"])
@pytest.mark.parametrize("listed", [["2025-11-25"], ["2024-11-05", "2025-06-18"], ["2027-01-01", "2025-11-25"]])
def test_only_handshake_revisions_in_the_answer_lead_to_a_handshake(how, listed):
    with connect("versions", None, how, *listed) as client:
        assert client.revision == "2025-11-25"
        assert client.server_info["name"] == "both"


@pytest.mark.parametrize("how", ["result", "error"])
def test_only_unknown_revisions_in_the_answer_lead_to_a_handshake(how):
    with connect("versions", None, how, "2027-01-01", "2028-01-01") as client:
        assert client.revision == "2025-11-25"


@pytest.mark.parametrize("probe", [
    {"result": {"supportedVersions": ["2027-01-01", "2028-01-01"], "capabilities": {}}},
    {"error": {"code": -32022, "message": "no", "data": {"supported": ["2027-01-01", "2028-01-01"]}}}])
def test_unknown_revisions_and_a_refused_handshake_are_an_error_that_names_both(probe):
    with pytest.raises(McpError) as caught:
        connect("refuses", None, json.dumps(probe), '{"error": {"code": -32601, "message": "no"}}')
    assert caught.value.code == -32022
    assert caught.value.message.startswith("no common protocol version: the server speaks 2027-01-01, 2028-01-01, this client "
                                           "2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28; ")
    assert caught.value.data == {"supported": ["2027-01-01", "2028-01-01"], "requested": MODERN}


def test_our_revision_among_others_in_a_result_is_taken():
    with connect("versions", None, "result", "2027-01-01", MODERN, "2025-11-25") as client:
        assert client.revision == MODERN


@pytest.mark.parametrize("revision", [None, MODERN])
def test_our_revision_in_a_refusal_is_tried_again(revision, log):
    """basic/versioning: a client should select a version of those offered, and send the request again."""
    with connect("versions", log, "once", "2027-01-01", MODERN, revision=revision) as client:
        assert client.revision == MODERN
    assert [message["method"] for message in judge_log(log)] == ["server/discover", "server/discover"]


def test_a_server_that_refuses_the_very_revision_that_it_names_gets_a_handshake():
    with connect("versions", None, "error", MODERN) as client:
        assert client.revision == "2025-11-25"


OFFER = '{"error": {"code": %d, "message": "Unsupported protocol version", "data": {"supported": ["2026-07-28"]}}}'
NOT_FOUND = '{"error": {"code": -32601, "message": "Method not found"}}'


@pytest.mark.parametrize("probe, shaking", [
    (NOT_FOUND, OFFER % -32022), (NOT_FOUND, OFFER % -32602), (OFFER % -32022, NOT_FOUND), (OFFER % -32022, OFFER % -32022)])
@pytest.mark.parametrize("again", ["then answered", "never answered"])
def test_2026_07_28_offered_in_an_errors_data_is_used(probe, shaking, again):
    with connect("refuses", None, probe, shaking, *again.split()[:1]) as client:
        assert client.revision == MODERN
        assert answer(client.call_tool("any"))
        assert bool(client.capabilities) is (again == "then answered")


def test_2026_07_28_offered_to_a_pinned_handshake_is_not_used():
    with pytest.raises(McpError) as caught:
        connect("refuses", None, OFFER % -32022, NOT_FOUND, revision="2025-11-25")
    assert caught.value.message.startswith(
        "initialize was answered with error -32022: Unsupported protocol version; command: ")
    assert caught.value.data == {"supported": [MODERN]}


def test_a_refused_handshake_is_told_where_the_probe_named_handshake_revisions():
    probe = '{"error": {"code": -32022, "message": "no", "data": {"supported": ["2025-11-25"]}}}'
    with pytest.raises(McpError) as caught:
        connect("refuses", None, probe, '{"error": {"code": -32000, "message": "no licence"}}')
    assert caught.value.message.startswith("initialize was answered with error -32000: no licence; command: ")


def test_members_that_hold_what_they_may_not_cost_no_result():
    with connect("odd_meta") as client:
        assert client.server_info == {}
        assert answer(client.call_tool("any")) == "good"
        assert client.read_resource("memo://1")["contents"][0]["text"] == "one"


@pytest.mark.parametrize("how", ["result", "error"])
def test_a_pinned_revision_does_not_shake_hands(how):
    with pytest.raises(McpError) as caught:
        connect("versions", None, how, "2025-11-25", revision=MODERN)
    assert caught.value.message.startswith("no common protocol version: the server speaks 2025-11-25, this client 2026-07-28; ")


def test_a_pinned_revision_that_an_old_server_does_not_know():
    with pytest.raises(McpError) as caught:
        Client(handshake("everything"), revision=MODERN)
    assert (caught.value.code, caught.value.message) == (
        -32601, "the server does not speak 2026-07-28: it answered server/discover with the error: Method not found")


def test_a_late_answer_to_the_probe_counts_when_initialize_is_refused():
    with connect("late_probe", probe_timeout=0.1) as client:
        assert client.revision == MODERN
        assert [tool["name"] for tool in client.list_tools()] == ["steps"]


def test_the_handshake_mode_does_not_probe(log):
    with pytest.raises(McpError) as caught:
        connect("everything", log, revision="handshake")
    assert caught.value.code == -32602
    assert caught.value.message.startswith("initialize was answered with error -32602: every request needs _meta; command: ")
    assert b'"initialize"' in log.read_bytes().splitlines()[0]


# Per-request metadata


def test_every_request_carries_version_capabilities_and_info(log):
    with connect("everything", log, name="me", version="7", title="Me", on_sample=len, on_elicit=len, on_elicit_url=len,
                 roots=["/tmp"], extensions={"com.example/x": {}}) as client:
        list(client.list_tools())
        list(client.list_resources())
        list(client.list_resource_templates())
        list(client.list_prompts())
        client.call_tool("any")
        client.read_resource("memo://1")
        client.get_prompt("greet", {"who": "x"})
        client.complete("memo://{n}", "n", "1", {"m": "2"})
        client.ping()
    messages = judge_log(log)
    assert [message["method"] for message in messages] == [
        "server/discover", "tools/list", "resources/list", "resources/templates/list", "prompts/list", "tools/call",
        "resources/read",
        "prompts/get", "completion/complete", "server/discover"]
    for message in messages:
        assert message["params"]["_meta"] == {
            KEY + "protocolVersion": MODERN, KEY + "clientInfo": {"name": "me", "version": "7", "title": "Me"},
            KEY + "clientCapabilities": {"roots": {}, "sampling": {}, "elicitation": {"form": {}, "url": {}},
                                         "extensions": {"com.example/x": {}}}}


def test_meta_of_the_caller_travels_beside_it(log):
    with connect("everything", log) as client:
        meta = json.loads(answer(client.call_tool("any", meta={"traceparent": "00-x"})))["_meta"]
        assert meta["traceparent"] == "00-x" and meta[KEY + "protocolVersion"] == MODERN
        client.request("tools/call", {"name": "any", "_meta": {"com.example/a": 1}})
    assert judge_log(log)[-1]["params"]["_meta"]["com.example/a"] == 1


def test_progress_comes_by_token(log):
    steps = []
    with connect("everything", log) as client:
        client.call_tool("steps", on_progress=lambda *values: steps.append(values))
    assert steps == [(1, 2, None), (2, 2, None)]
    judge_log(log)


def level_of(client):
    return json.loads(answer(client.call_tool("any")))["_meta"].get(KEY + "logLevel")


def test_no_log_level_is_asked_for_without_a_callback(log):
    with connect("everything", log) as client:
        assert level_of(client) is None


def test_a_log_callback_asks_for_info():
    told = []
    with connect("everything", on_log=told.append) as client:
        assert level_of(client) == "info"
        client.call_tool("steps", on_progress=lambda *values: None)
    assert told == [{"level": "info", "data": "half"}]


def test_a_log_level_goes_with_every_later_request(log):
    with connect("everything", log, log_level="error") as client:
        assert level_of(client) == "error"
        client.set_log_level("debug")
        assert level_of(client) == "debug"
        client.set_log_level(None)
        assert level_of(client) is None
    assert "logging/setLevel" not in [message["method"] for message in judge_log(log)]


@pytest.mark.parametrize("method", ["ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe", "initialize"])
def test_methods_that_this_revision_removed_are_not_sent(method, log):
    with connect("everything", log) as client:
        with pytest.raises(LocalProtocolError) as caught:
            client.request(method)
        assert str(caught.value) == "%s does not exist in revision 2026-07-28" % method
    assert len(judge_log(log)) == 1


@pytest.mark.parametrize("method", ["notifications/initialized", "notifications/roots/list_changed"])
def test_notifications_that_this_revision_removed_are_not_sent(method):
    with connect("everything") as client, pytest.raises(LocalProtocolError):
        client.notify(method)


def test_new_roots_are_not_told(log):
    with connect("everything", log, roots=["/a"]) as client:
        client.set_roots(["/b"])
        client.ping()
    judge_log(log)


def test_a_resource_that_does_not_exist():
    from mcplite.client import ResourceNotFound

    with connect("everything") as client, pytest.raises(ResourceNotFound) as caught:
        client.read_resource("memo://gone")
    assert caught.value.code == -32602


def test_fr064_a_request_of_the_server_is_not_answered_and_costs_no_result(log):
    with connect("sends_requests", log, check_results=False) as client:
        assert answer(client.call_tool("any")) == "good"
        assert client.noise == ["the request ping"]
    messages = [json.loads(line[2:]) for line in log.read_bytes().splitlines() if line.startswith(b"C ")]
    assert [message.get("method") for message in messages] == ["server/discover", "tools/call"]


def test_fr064_a_request_of_the_server_is_an_error_under_strict(log):
    with connect("sends_requests", log, check_results=False, strict=True) as client:
        with pytest.raises(McpError) as caught:
            client.call_tool("any")
        assert caught.value.message == ("the server broke the protocol: it sent the request ping, but a server of this revision "
                                        "sends none; it asks in its results")
    messages = [json.loads(line[2:]) for line in log.read_bytes().splitlines() if line.startswith(b"C ")]
    assert [message.get("method") for message in messages] == ["server/discover", "tools/call", "notifications/cancelled"]


# Questions in results


def test_all_questions_of_a_result_are_answered_together(log):
    with connect("rounds", log, on_elicit=lambda params: {"size": "L"}, on_sample=lambda params: "hi", roots=["/tmp"]) as client:
        retried = json.loads(answer(client.call_tool("all", {"a": 1})))
    assert {name: value for name, value in retried.items() if name != "_meta"} == {
        "name": "all", "arguments": {"a": 1}, "requestState": "s-1", "inputResponses": {
            "size": {"action": "accept", "content": {"size": "L"}}, "roots": {"roots": [{"uri": "file:///tmp"}]},
            "text": {"role": "assistant", "model": "unknown", "content": {"type": "text", "text": "hi"}}}}
    calls = [message for message in judge_log(log) if message["method"] == "tools/call"]
    assert len({message["id"] for message in calls}) == len(calls) == 2


def test_rounds_go_on_with_the_newest_state_only(log):
    asked = []
    with connect("rounds", log, on_elicit=lambda params: asked.append(params["message"]) or {"size": "L"}) as client:
        assert answer(client.call_tool("steps")) == "after 3"
    assert asked == ["Size?"] * 3
    assert [message["params"].get("requestState") for message in judge_log(log) if message["method"] == "tools/call"] == [
        None, "1", "2", "3"]


def test_a_retry_has_no_state_where_none_came():
    with connect("rounds", roots=[]) as client:
        assert json.loads(answer(client.call_tool("stateless"))) == ["_meta", "arguments", "inputResponses", "name"]


def test_a_retry_has_no_answers_where_nothing_was_asked():
    with connect("rounds") as client:
        assert json.loads(answer(client.call_tool("state only"))) == ["_meta", "arguments", "name", "requestState"]


def test_prompts_and_resources_ask_too():
    with connect("rounds", roots=[]) as client:
        assert answer(client.get_prompt("stateless"))
        assert client.read_resource("memo://asks")["contents"] == [{"uri": "memo://asks", "text": "x"}]


def test_declining_is_an_answer():
    with connect("rounds", on_elicit=lambda params: None, on_sample=lambda params: "x", roots=[]) as client:
        assert json.loads(answer(client.call_tool("all")))["inputResponses"]["size"] == {"action": "decline"}


def test_ten_rounds_and_no_more(log):
    with connect("rounds", log) as client:
        with pytest.raises(McpError) as caught:
            client.call_tool("for ever")
    assert caught.value.message == "tools/call asked more than 10 times: the server never has enough"
    assert len([message for message in judge_log(log) if message["method"] == "tools/call"]) == 11


def test_the_number_of_rounds_is_an_argument():
    asked = []
    with connect("rounds", max_rounds=2, on_elicit=lambda params: asked.append(1) or {"size": "L"}) as client, \
            pytest.raises(McpError) as caught:
        client.call_tool("steps")
    assert len(asked) == 2
    assert caught.value.message == "tools/call asked more than 2 times: the server never has enough"


@pytest.mark.parametrize("name, text", [
    ("nothing", "tools/call was answered with input_required, but with neither inputRequests nor requestState"),
    ("number", "tools/call was answered with a requestState that is no string"),
    ("list", "tools/call was answered with inputRequests that are no map of requests"),
    ("new type", "tools/call was answered with a result of the unknown type 'acme/task'"),
    ("stateless", "the server asked for roots/list, which this client has not declared")])
def test_results_that_break_the_protocol(name, text):
    with connect("rounds") as client:
        with pytest.raises(McpError) as caught:
            client.call_tool(name)
        assert caught.value.message == text
        assert client.ping()


def test_a_question_where_none_may_be():
    with connect("rounds") as client, pytest.raises(McpError) as caught:
        list(client.list_tools())
    assert caught.value.message == (
        "tools/list was answered with a question, which only tools/call, prompts/get, resources/read may be")


def test_a_result_without_type_is_complete():
    with connect("rounds", check_results=False) as client:
        assert answer(client.call_tool("no type")) == "plain"


def test_an_exception_in_a_callback_leaves_the_call():
    def fail(params):
        raise OSError("nobody there")

    with connect("rounds", on_elicit=fail) as client:
        with pytest.raises(OSError, match="nobody there"):
            client.call_tool("steps")
        assert client.ping()


# Subscriptions


def test_a_stream_is_acknowledged_and_delivers(log):
    told, seen = [], []
    with connect("streams", log, on_list_changed=None, on_updated=told.append) as client:
        with client.listen(tools=True, prompts=True, uris=["memo://1"], on_change=lambda method,
                           params: seen.append(method)) as stream:
            assert stream.agreed == {"toolsListChanged": True, "resourceSubscriptions": ["memo://1"]}
            client.call_tool("tools change", {"stream": 0})
            client.call_tool("updated", {"stream": 0, "uri": "memo://1"})
        assert stream.ended and stream.reason == "closed by this client"
        assert json.loads(answer(client.call_tool("none"))) == [stream.id, "cancelled %d" % stream.id]
    assert seen == ["notifications/tools/list_changed", "notifications/resources/updated"]
    assert told == ["memo://1"]
    judge_log(log)


def test_streams_are_told_apart_by_their_id(log):
    one, two = [], []
    with connect("streams", log) as client:
        client.listen(tools=True, on_change=lambda method, params: one.append(method))
        client.listen(tools=True, on_change=lambda method, params: two.append(method))
        client.call_tool("tools change", {"stream": 1})
    assert (one, two) == ([], ["notifications/tools/list_changed"])
    judge_log(log)


@pytest.mark.parametrize("name", ["untagged", "foreign"])
def test_what_comes_on_no_stream_of_ours_is_not_delivered(name):
    seen, changed = [], []
    with connect("streams", on_list_changed=changed.append) as client:
        client.listen(tools=True, on_change=lambda method, params: seen.append(method))
        client.call_tool(name)
        assert client.noise_count == 0
    assert seen == changed == []


def test_on_list_changed_opens_a_stream_of_its_own(log):
    changed = []
    with connect("streams", log, on_list_changed=changed.append) as client:
        client.call_tool("tools change", {"stream": 0})
    assert changed == ["tools"]
    assert judge_log(log)[1]["params"]["notifications"] == {
        "toolsListChanged": True, "promptsListChanged": True, "resourcesListChanged": True}


def test_a_stream_that_the_server_refuses_is_an_error():
    with connect("streams") as client, pytest.raises(McpError) as caught:
        client.listen(uris=["memo://refused"])
    assert (caught.value.code, caught.value.message) == (-32602, "no such resource")


def test_a_server_without_streams_does_not_disturb_on_list_changed():
    with connect("everything", on_list_changed=len) as client:
        assert client.ping()
        with pytest.raises(McpError) as caught:
            client.listen(tools=True)
        assert caught.value.code == -32601


@pytest.mark.parametrize("name, reason", [("end", "closed by the server"), ("tear down", "cancelled by the server")])
def test_a_stream_that_the_server_ends(name, reason):
    with connect("streams") as client:
        stream = client.listen(tools=True)
        client.call_tool(name, {"stream": 0})
        assert (stream.ended, stream.reason, stream.error) == (True, reason, None)
        stream.close()
        assert json.loads(answer(client.call_tool("none"))) == [stream.id]


def test_subscribe_and_unsubscribe_are_streams_here(log):
    told = []
    with connect("streams", log, on_updated=told.append) as client:
        client.subscribe("memo://1")
        client.subscribe("memo://1")
        client.call_tool("updated", {"stream": 0, "uri": "memo://1"})
        client.unsubscribe("memo://1")
        client.unsubscribe("memo://1")
        assert len(json.loads(answer(client.call_tool("none")))) == 2
    assert told == ["memo://1"]
    judge_log(log)


def test_a_subscription_that_is_not_agreed_to_is_an_error():
    with connect("streams") as client, pytest.raises(McpError) as caught:
        client.subscribe("memo://unknown")
    assert caught.value.message == "the server has not agreed to tell about changes of memo://unknown"


def test_streams_end_with_the_connection(log):
    client = connect("closes_late", log)
    stream = client.listen(tools=True)
    client.close()
    stream.close()
    assert stream.reason == "closed by this client"
    judge_log(log)


def test_a_stream_that_is_never_acknowledged_costs_the_timeout(log):
    with connect("never_acknowledges", log) as client:
        with pytest.raises(McpError) as caught:
            client.listen(tools=True, timeout=0.2)
        assert (caught.value.code, caught.value.message) == (
            -32001, "subscriptions/listen was not acknowledged within 0.2 seconds")
        assert client.ping()
    assert [message["method"] for message in judge_log(log)] == [
        "server/discover", "subscriptions/listen", "notifications/cancelled", "server/discover"]


# Caching


def first_name(entries):
    return next(iter(entries))["name"]


def test_a_fresh_list_is_not_asked_for_again():
    with connect("caching") as client:
        assert [first_name(client.list_resources()) for _ in range(3)] == ["1", "1", "1"]


def test_each_page_is_kept_by_its_cursor():
    with connect("caching") as client:
        assert [[tool["name"] for tool in client.list_tools()] for _ in range(2)] == [["1", "1"], ["1", "1"]]


def test_the_cache_can_be_turned_off():
    with connect("caching", cache=False) as client:
        assert [first_name(client.list_resources()) for _ in range(3)] == ["1", "2", "3"]


@pytest.mark.parametrize("uri, counts", [("memo://long", ["1", "1"]), ("memo://zero", ["1", "2"]), ("memo://negative", ["1", "2"]),
                                         ("memo://text", ["1", "2"]), ("memo://none", ["1", "2"])])
def test_the_lifetime_says_what_is_kept(uri, counts):
    with connect("caching") as client:
        assert [client.read_resource(uri)["contents"][0]["name"] for _ in range(2)] == counts


def test_a_stale_result_is_asked_for_again():
    with connect("caching") as client:
        assert client.read_resource("memo://short")["contents"][0]["name"] == "1"
        time.sleep(0.06)
        assert client.read_resource("memo://short")["contents"][0]["name"] == "2"


def test_results_are_kept_by_their_parameters():
    with connect("caching") as client:
        client.read_resource("memo://long")
        assert client.read_resource("memo://zero")["contents"][0]["name"] == "1"


def test_a_caller_may_change_what_it_got():
    with connect("caching") as client:
        client.read_resource("memo://long")["contents"].clear()
        client.read_resource("memo://long")["contents"].clear()
        assert client.read_resource("memo://long")["contents"][0]["name"] == "1"


def test_a_change_makes_a_list_stale():
    with connect("caching") as client:
        list(client.list_tools())
        list(client.list_resources())
        client.call_tool("changes")
        assert first_name(client.list_tools()) == "2"
        assert first_name(client.list_resources()) == "1"


def test_an_unknown_tool_makes_the_list_stale():
    with connect("caching") as client:
        list(client.list_tools())
        with pytest.raises(McpError):
            client.call_tool("unknown")
        assert first_name(client.list_tools()) == "2"


def test_an_update_makes_a_resource_stale():
    with connect("streams") as client:
        client.subscribe("memo://1")
        client.read_resource("memo://1")
        client.read_resource("memo://2")
        assert len(client._connection.cache.entries) == 3               # server/discover is kept, too
        client.call_tool("updated", {"stream": 0, "uri": "memo://1/part"})
        assert [key[1] for key in client._connection.cache.entries if key[0] == "resources/read"] == ['{"uri":"memo://2"}']


def test_a_list_that_changed_on_its_way_is_not_kept():
    with connect("changed_meanwhile") as client:
        assert [first_name(client.list_tools()) for _ in range(2)] == ["1", "2"]


def test_an_answer_that_needed_inputs_is_not_kept():
    asked = []
    with connect("rounds", roots=lambda: asked.append(1) or []) as client:
        asked.clear()
        client.read_resource("memo://asks")
        client.read_resource("memo://asks")
    assert len(asked) == 2


def test_discover_is_kept_but_ping_asks(log):
    with connect("everything", log) as client:
        client.request("server/discover")
        client.ping()
    assert [message["method"] for message in judge_log(log)] == ["server/discover", "server/discover"]


def test_a_closed_client_answers_nothing_from_its_cache():
    client = connect("everything")
    client.close()
    with pytest.raises(McpError):
        client.request("server/discover")


def test_the_store_is_bounded():
    from mcplite.client.store import ENTRY_LIMIT, ResultCache

    cache = ResultCache()
    for number in range(ENTRY_LIMIT + 10):
        cache.keep("resources/read", {"uri": str(number)}, {"ttlMs": 1000}, 0.0, 0)
    assert len(cache.entries) == ENTRY_LIMIT
    assert cache.find("resources/read", {"uri": "9"}, 0.5) is None
    assert cache.find("resources/read", {"uri": "10"}, 0.5) == {"ttlMs": 1000}
    assert cache.find("resources/read", {"uri": "10"}, 1.0) is None


# Capabilities


def test_what_is_not_declared_is_not_used():
    with connect("versions", None, "result", MODERN) as client:
        client.capabilities.clear()
        with pytest.raises(CapabilityError):
            client.subscribe("memo://1")
