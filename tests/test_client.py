"""The client in the handshake revisions: every method, callbacks, questions, structured results; and against Server objects."""
from __future__ import annotations

import io
import json
import os
import socket
import sys
import threading

import pytest
from client_helpers import HANDSHAKE_DATES, MODERN, handshake, judge_log
from official import Conversation

from mcplite import Client, McpError, Server
from mcplite.errors import CapabilityError, LocalProtocolError


def answer(result):
    return result["content"][0]["text"]


@pytest.fixture
def log(tmp_path):
    return tmp_path / "log"


def connect(story, log=None, *arguments, **options):
    options.setdefault("revision", "handshake")
    env = dict(options.pop("env", {}), **({} if log is None else {"FAKE_LOG": str(log)}))
    return Client(handshake(story, *arguments), env=env, timeout=10, **options)


# The handshake


@pytest.mark.parametrize("revision", HANDSHAKE_DATES)
def test_a_pinned_handshake_revision_is_offered_and_accepted(revision, log):
    with connect("everything", log, revision=revision) as client:
        assert client.revision == revision
        assert client.server_info == {"name": "fake", "version": "0"}
        assert client.instructions == "be kind"
        assert client.capabilities["logging"] == {}
    offered = judge_log(log)[0]["params"]
    assert offered == {"protocolVersion": revision, "capabilities": {}, "clientInfo": offered["clientInfo"]}


@pytest.mark.parametrize("revision", HANDSHAKE_DATES)
def test_any_handshake_revision_we_know_is_accepted_in_the_answer(revision):
    with connect("version", None, revision) as client:
        assert client.revision == revision


@pytest.mark.parametrize("revision", ["1999-01-01", "2026-07-28"])
def test_another_revision_in_the_answer_is_an_error_that_names_both(revision):
    with pytest.raises(McpError) as caught:
        connect("version", None, revision)
    assert caught.value.code == -32022
    assert caught.value.message.startswith("no common protocol version: the server speaks %s, this client 2024-11-05, 2025-03-26, "
                                           "2025-06-18, 2025-11-25, 2026-07-28; command: " % revision)


def test_a_pinned_revision_accepts_no_other():
    with pytest.raises(McpError) as caught:
        connect("version", None, "2025-03-26", revision="2025-11-25")
    assert caught.value.message.startswith("no common protocol version: the server speaks 2025-03-26, this client 2025-11-25; ")
    assert caught.value.data == {"supported": ["2025-03-26"], "requested": "2025-11-25"}


def test_auto_falls_back_on_the_same_process(log):
    with connect("everything", log, revision=None) as client:
        assert client.revision == "2025-11-25"
    assert [message["method"] for message in judge_log(log)] == ["server/discover", "initialize", "notifications/initialized"]


def test_auto_falls_back_whatever_the_error_code(log):
    with connect("newest_of_2024", log, revision=None) as client:
        assert client.revision == "2024-11-05"
        assert [tool["name"] for tool in client.list_tools()] == ["steps", "fails"]


def test_auto_falls_back_after_silence(log):
    with connect("silent_at_probe", log, revision=None, probe_timeout=0.2) as client:
        assert client.server_info["name"] == "mute"
    judge_log(log, open_ids=(1,))


def test_a_revision_that_does_not_exist_is_refused():
    with pytest.raises(ValueError) as caught:
        Client(handshake("everything"), revision="2025-01-01")
    assert str(caught.value) == ("revision '2025-01-01' is none of handshake, 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25, "
                                 "2026-07-28; None finds the newest that both know")


def test_the_client_introduces_itself(log):
    with connect("everything", log, name="me", version="7", title="Me"):
        pass
    assert judge_log(log)[0]["params"]["clientInfo"] == {"name": "me", "version": "7", "title": "Me"}


def test_an_older_revision_gets_no_title(log):
    with connect("everything", log, name="me", version="7", title="Me", revision="2025-03-26"):
        pass
    assert judge_log(log)[0]["params"]["clientInfo"] == {"name": "me", "version": "7"}


# Capabilities of the client


def declared(log, **options):
    with connect("everything", log, **options):
        pass
    return judge_log(log)[0]["params"]["capabilities"]


def test_only_what_a_callback_was_given_for_is_declared(log):
    assert declared(log, on_sample=len) == {"sampling": {}}


def test_all_callbacks_are_declared(log):
    assert declared(log, on_sample=len, on_elicit=len, on_elicit_url=len, roots=[]) == {
        "roots": {"listChanged": True}, "sampling": {}, "elicitation": {"form": {}, "url": {}}}


def test_elicitation_before_url_mode_has_no_modes(log):
    assert declared(log, revision="2025-06-18", on_elicit=len, on_elicit_url=len) == {"elicitation": {}}


def test_url_mode_alone_is_nothing_before_it_existed(log):
    assert declared(log, revision="2025-06-18", on_elicit_url=len) == {}


def test_elicitation_before_it_existed_is_not_declared(log):
    assert declared(log, revision="2025-03-26", on_elicit=len) == {}


def test_details_can_be_added(log):
    assert declared(log, on_sample=len, capabilities={"sampling": {"tools": {}}, "experimental": {"x": {}}}) == {
        "sampling": {"tools": {}}, "experimental": {"x": {}}}


def test_extensions_are_for_the_revision_that_has_them(log):
    assert declared(log, extensions={"acme/x": {}}) == {}


# Every method, in every handshake revision, each message judged by the official schema


@pytest.mark.parametrize("revision", HANDSHAKE_DATES)
def test_every_method_in_every_revision(revision, log):
    updated, changed = [], []
    with connect("everything", log, revision=revision, roots=["/tmp"], on_updated=updated.append,
                 on_list_changed=changed.append) as client:
        assert [tool["name"] for tool in client.list_tools()] == ["steps", "fails"]
        assert [item["uri"] for item in client.list_resources()] == ["memo://1"]
        assert [item["uriTemplate"] for item in client.list_resource_templates()] == ["memo://{n}"]
        assert [item["name"] for item in client.list_prompts()] == ["greet"]
        assert client.read_resource("memo://1") == {"contents": [{"uri": "memo://1", "text": "one"}]}
        assert client.get_prompt("greet", {"who": "you"})["messages"][0]["content"]["text"] == "hello you"
        completed = json.loads(client.complete("greet", "who", "a", {"b": "c"})["completion"]["values"][0])
        client.complete("memo://{n}", "n", "1")
        client.subscribe("memo://1")
        client.unsubscribe("memo://1")
        client.set_log_level("warning")
        assert client.ping() == {}
        client.set_roots(["/tmp", "/"])
        assert client.call_tool("fails") == {"content": [{"type": "text", "text": "no such city"}], "isError": True}
        client.call_tool("changes")
    judge_log(log)
    assert updated == ["memo://1"]
    assert changed == ["tools", "resources", "prompts"]
    expected = {"ref": {"type": "ref/prompt", "name": "greet"}, "argument": {"name": "who", "value": "a"}}
    if revision in ("2025-06-18", "2025-11-25"):
        expected["context"] = {"arguments": {"b": "c"}}
    assert completed == expected


def test_params_are_left_out_where_there_are_none(log):
    with connect("everything", log) as client:
        list(client.list_prompts())
        client.ping()
    assert judge_log(log)[2:] == [{"jsonrpc": "2.0", "id": 2, "method": "prompts/list"},
                                  {"jsonrpc": "2.0", "id": 3, "method": "ping"}]


def test_no_arguments_are_an_empty_object(log):
    with connect("everything", log) as client:
        assert json.loads(answer(client.call_tool("arguments"))) == {"arguments": {}, "name": "arguments"}


def test_meta_travels(log):
    with connect("everything", log) as client:
        sent = json.loads(answer(client.call_tool("arguments", {"a": 1}, meta={"traceparent": "00-1"})))
        assert sent == {"arguments": {"a": 1}, "name": "arguments", "_meta": {"traceparent": "00-1"}}


def test_a_request_and_a_notification_of_ones_own():
    with connect("everything") as client:
        client.notify("notifications/acme", {"x": 1})
        assert client.request("ping") == {}
        with pytest.raises(McpError) as caught:
            client.request("acme/echo", {})
        assert (caught.value.code, caught.value.message) == (-32601, "Method not found")


def test_an_error_answer_is_an_exception_with_its_code_and_data():
    with connect("everything") as client:
        with pytest.raises(McpError) as caught:
            client.call_tool("nope")
        assert (caught.value.code, caught.value.message, caught.value.data) == (-32602, "Unknown tool: nope", None)


def test_a_resource_that_does_not_exist_has_its_own_exception():
    from mcplite.client import ResourceNotFound

    with connect("everything") as client, pytest.raises(ResourceNotFound) as caught:
        client.read_resource("memo://gone")
    assert (caught.value.code, caught.value.data) == (-32002, {"uri": "memo://gone"})


def test_a_method_of_the_other_era_is_refused_here():
    with connect("everything") as client:
        with pytest.raises(LocalProtocolError) as caught:
            client.request("server/discover")
        assert str(caught.value) == "server/discover does not exist in revision 2025-11-25"
        with pytest.raises(LocalProtocolError) as caught:
            client.listen(tools=True)
        assert str(caught.value).startswith("subscriptions/listen does not exist in revision 2025-11-25: ")


@pytest.mark.parametrize("function, text", [
    (lambda client: next(client.list_tools()), "tools/list cannot be sent: the server has not declared tools"),
    (lambda client: client.call_tool("x"), "tools/call cannot be sent: the server has not declared tools"),
    (lambda client: next(client.list_resources()), "resources/list cannot be sent: the server has not declared resources"),
    (lambda client: next(client.list_resource_templates()),
     "resources/templates/list cannot be sent: the server has not declared resources"),
    (lambda client: client.read_resource("x:y"), "resources/read cannot be sent: the server has not declared resources"),
    (lambda client: client.subscribe("x:y"), "resources/subscribe cannot be sent: the server has not declared resources.subscribe"),
    (lambda client: client.unsubscribe("x:y"),
     "resources/unsubscribe cannot be sent: the server has not declared resources.subscribe"),
    (lambda client: next(client.list_prompts()), "prompts/list cannot be sent: the server has not declared prompts"),
    (lambda client: client.get_prompt("x"), "prompts/get cannot be sent: the server has not declared prompts"),
    (lambda client: client.complete("x", "y", "z"), "completion/complete cannot be sent: the server has not declared completions"),
    (lambda client: client.set_log_level("info"), "logging/setLevel cannot be sent: the server has not declared logging")])
def test_what_is_not_declared_is_not_used(function, text):
    with connect("undeclared") as client:
        with pytest.raises(CapabilityError) as caught:
            function(client)
        assert caught.value.message == text
        assert client.ping() == {}


def test_completion_needs_no_capability_in_2024(log):
    with connect("everything", log, revision="2024-11-05") as client:
        assert "completions" not in client.capabilities
        client.complete("greet", "who", "a")


def test_prompt_arguments_are_texts():
    with connect("everything") as client, pytest.raises(TypeError) as caught:
        client.get_prompt("greet", {"who": 5})
    assert str(caught.value) == "argument 'who' of prompt greet must be a text, not 5"


def test_arguments_that_json_cannot_hold_are_refused_before_anything_is_sent(log):
    with connect("everything", log) as client:
        with pytest.raises(TypeError):
            client.call_tool("arguments", {"a": object()})
        with pytest.raises(ValueError):
            client.call_tool("arguments", {"a": float("nan")})
        assert client.ping() == {}
    assert [message["method"] for message in judge_log(log)] == ["initialize", "notifications/initialized", "ping"]


def test_no_time_limit_at_all():
    with connect("everything") as client:
        assert client.request("ping", timeout=float("inf")) == {}
        assert client.request("ping", timeout=10.0 ** 12) == {}
        client.timeout = None
        assert client.ping() == {}


def test_notifications_of_ones_own_choice():
    news = []
    with connect("asks_at_once") as client:
        client.notified["notifications/acme/news"] = news.append
        client.call_tool("x")
    assert news == [{}]


def test_a_callback_may_close_the_client():
    with connect("everything", on_list_changed=lambda kind: client.close()) as client, pytest.raises(McpError) as caught:
        client.call_tool("changes")
    assert caught.value.message == "this client was closed before tools/call was answered"


def test_an_unknown_log_level_is_refused_here():
    with connect("everything") as client, pytest.raises(ValueError):
        client.set_log_level("loud")


def test_a_log_level_is_set_at_the_start(log):
    with connect("everything", log, log_level="error"):
        pass
    assert judge_log(log)[2]["params"] == {"level": "error"}


# Progress, logs, changes


def test_progress_and_logs_come_before_the_result_in_order():
    seen = []
    with connect("everything", on_log=seen.append) as client:
        result = client.call_tool("steps", on_progress=lambda *values: seen.append(values))
        seen.append(answer(result))
    assert seen == [(1, 2, None), {"level": "info", "data": "half"}, (2, 2, None), "done"]


def test_the_progress_token_is_sent_only_when_asked(log):
    with connect("everything", log, check_results=False) as client:
        assert "_meta" not in json.loads(answer(client.call_tool("arguments")))
        assert json.loads(answer(client.call_tool("arguments", on_progress=print)))["_meta"] == {"progressToken": 3}


def test_an_exception_in_on_progress_leaves_the_call_and_cancels_it(log):
    def refuse(progress, total, message):
        raise KeyError("enough")

    with connect("everything", log) as client:
        with pytest.raises(KeyError):
            client.call_tool("steps", on_progress=refuse)
        assert client.ping() == {}


def test_an_exception_in_on_log_goes_to_standard_error(capsys):
    with connect("everything", on_log=lambda params: 1 / 0) as client:
        assert answer(client.call_tool("steps", on_progress=lambda *values: None)) == "done"
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_unasked_notifications_are_ignored_quietly(capsys):
    with connect("asks_at_once") as client:
        assert json.loads(answer(client.call_tool("x")))["error"] == {"code": -32601, "message": "Method not found: roots/list"}
        assert client.noise_count == 0
    assert capsys.readouterr().err == ""


def test_poll_takes_in_what_came():
    told = []
    with connect("asks_at_once", on_log=told.append) as client:
        assert client.poll(2) is True
        assert [params["data"] for params in told] == list(range(16))


def test_poll_says_when_the_server_has_ended():
    with connect("dies_in_call") as client:
        assert client.poll(0) is True
        client.notify("notifications/acme")
        assert client.poll(5) is False


# FR-064: questions of the server


def ask_everything(**callbacks):
    with connect("questions", **callbacks) as client:
        return json.loads(answer(client.call_tool("any"))), client.unmatched


def test_fr064_questions_without_callbacks_are_refused_at_once():
    replies, unmatched = ask_everything()
    assert replies == {
        "ping": {"jsonrpc": "2.0", "id": 2, "result": {}},
        **{method: {"jsonrpc": "2.0", "id": 2, "error": {"code": -32601, "message": "Method not found: %s" % method}}
           for method in ("roots/list", "sampling/createMessage", "elicitation/create", "elicitation/request", "acme/unknown")}}
    assert unmatched == 0


def test_fr064_questions_are_answered_by_callbacks_under_the_servers_id():
    replies, unmatched = ask_everything(roots=["/tmp", "file:///x", {"uri": "file:///y", "name": "Y"}],
                                        on_sample=lambda params: "said %d" % params["maxTokens"],
                                        on_elicit=lambda params: {"size": "L"} if "size" in params["requestedSchema"]["properties"]
                                        else {})
    assert {method: reply.get("result") for method, reply in replies.items()} == {
        "roots/list": {"roots": [{"uri": "file:///tmp"}, {"uri": "file:///x"}, {"uri": "file:///y", "name": "Y"}]},
        "sampling/createMessage": {"role": "assistant", "model": "unknown", "content": {"type": "text", "text": "said 5"}},
        "elicitation/create": {"action": "accept", "content": {"size": "L", "count": 1}},
        "elicitation/request": {"action": "accept", "content": {}}, "ping": {}, "acme/unknown": None}
    assert all(reply["id"] == 2 for reply in replies.values())
    assert unmatched == 0


def test_fr064_a_conversation_with_questions_is_valid(log):
    with connect("questions", log, roots=[], on_sample=lambda params: "s", on_elicit=lambda params: {"size": "L"}) as client:
        client.call_tool("any")
    # (elicitation/request is no method of any revision: only its envelope is judged)
    judge_log(log)


def test_questions_before_our_own_first_request_are_answered(log):
    with connect("asks_at_once", log, roots=["/tmp"]) as client:
        assert json.loads(answer(client.call_tool("x"))) == {
            "jsonrpc": "2.0", "id": "r-0", "result": {"roots": [{"uri": "file:///tmp"}]}}


def test_several_questions_in_one_write_are_all_answered():
    with connect("two_questions_in_one_write", roots=[]) as client:
        assert json.loads(answer(client.call_tool("x"))) == [1, 2, 3]


def test_a_question_with_malformed_params_is_refused():
    with connect("bad_params", roots=[]) as client:
        assert json.loads(answer(client.call_tool("x"))) == {
            "jsonrpc": "2.0", "id": "p", "error": {"code": -32602, "message": "Invalid params: params must be an object"}}


def ask_one(method, params, **callbacks):
    with connect("one_question", **callbacks) as client:
        reply = json.loads(answer(client.call_tool("x", {"method": method, "params": params})))
    assert reply["id"] == "q"
    return reply.get("result", reply.get("error"))


FORM = {"message": "Size?", "requestedSchema": {"type": "object", "properties": {
    "size": {"type": "string", "enum": ["S", "L"]}, "count": {"type": "integer", "default": 3}}, "required": ["size"]}}
DEFAULTS = {"message": "Count?", "requestedSchema": {"type": "object", "properties": {"count": {"type": "integer", "default": 3}}}}


@pytest.mark.parametrize("returned, result", [
    ({"size": "S"}, {"action": "accept", "content": {"size": "S", "count": 3}}),
    ({"size": "S", "count": 9}, {"action": "accept", "content": {"size": "S", "count": 9}}),
    ({"action": "accept", "content": {"size": "L"}}, {"action": "accept", "content": {"size": "L", "count": 3}}),
    ({"action": "decline"}, {"action": "decline"}), ({"action": "cancel", "content": {}}, {"action": "cancel"}),
    (None, {"action": "decline"}), (False, {"action": "decline"}), ("decline", {"action": "decline"}),
    ("cancel", {"action": "cancel"})])
def test_what_an_elicitation_callback_may_return(returned, result):
    assert ask_one("elicitation/create", FORM, on_elicit=lambda params: returned) == result


@pytest.mark.parametrize("returned", [True, "accept", {}])
def test_accepting_a_form_gives_its_defaults(returned):
    assert ask_one("elicitation/create", DEFAULTS, on_elicit=lambda params: returned) == {"action": "accept",
            "content": {"count": 3}}


def test_a_form_with_a_field_called_action():
    form = {"message": "?", "requestedSchema": {"type": "object", "properties": {"action": {"type": "string"}}}}
    assert ask_one("elicitation/create", form, on_elicit=lambda params: {"action": "decline"}) == {
        "action": "accept", "content": {"action": "decline"}}


def test_an_elicitation_callback_gets_the_servers_params():
    seen = []
    ask_one("elicitation/create", FORM, on_elicit=seen.append)
    assert seen == [FORM]


def test_url_mode_has_its_own_callback():
    params = {"mode": "url", "message": "Go", "url": "https://example.com/x", "elicitationId": "e"}
    assert ask_one("elicitation/create", params, on_elicit_url=lambda params: params["url"] == "https://example.com/x") == {
        "action": "accept"}


@pytest.mark.parametrize("callbacks, params, mode", [
    ({"on_elicit": len}, {"mode": "url", "message": "", "url": "https://e.x"}, "url"),
    ({"on_elicit_url": len}, FORM, "form"), ({"on_elicit": len}, {"mode": "voice", "message": ""}, "voice")])
def test_a_mode_that_was_not_declared_is_refused(callbacks, params, mode):
    assert ask_one("elicitation/create", params, **callbacks) == {
        "code": -32602, "message": "Invalid params: this client has not declared elicitation in mode '%s'" % mode}


def test_values_that_do_not_fit_the_form_are_not_sent():
    with connect("one_question", on_elicit=lambda params: {"size": "XXL"}) as client:
        with pytest.raises(ValueError) as caught:
            client.call_tool("x", {"method": "elicitation/create", "params": FORM})
        assert str(caught.value).startswith("the answer to 'Size?' does not fit its form: ")


def test_an_elicitation_callback_that_returns_nonsense():
    with connect("one_question", on_elicit=lambda params: 5) as client, pytest.raises(TypeError) as caught:
        client.call_tool("x", {"method": "elicitation/create", "params": FORM})
    assert str(caught.value) == ("an elicitation callback returns a dict of values, a result with an action, True, None, or one of "
                                 "accept, decline, cancel; not 5")


SAMPLE = {"messages": [{"role": "user", "content": {"type": "text", "text": "hi"}}], "maxTokens": 9}
BLOCK = {"type": "text", "text": "x"}


@pytest.mark.parametrize("returned, result", [
    ("x", {"role": "assistant", "model": "unknown", "content": BLOCK}),
    (BLOCK, {"role": "assistant", "model": "unknown", "content": BLOCK}),
    ([BLOCK], {"role": "assistant", "model": "unknown", "content": [BLOCK]}),
    ({"content": BLOCK, "model": "m", "stopReason": "endTurn"},
     {"role": "assistant", "model": "m", "content": BLOCK, "stopReason": "endTurn"}),
    (None, {"code": -1, "message": "User rejected sampling request"})])
def test_what_a_sampling_callback_may_return(returned, result):
    assert ask_one("sampling/createMessage", SAMPLE, on_sample=lambda params: returned) == result


def test_tools_in_sampling_need_to_be_declared():
    params = dict(SAMPLE, tools=[])
    assert ask_one("sampling/createMessage", params, on_sample=lambda params: "x") == {
        "code": -32602, "message": "Invalid params: this client has not declared sampling with tools"}
    assert ask_one("sampling/createMessage", params, on_sample=lambda params: "x",
                   capabilities={"sampling": {"tools": {}}})["content"] == BLOCK


def test_an_exception_in_a_callback_is_told_and_leaves_the_call(log):
    def fail(params):
        raise OSError("no model")

    with connect("one_question", log, on_sample=fail) as client:
        with pytest.raises(OSError, match="no model"):
            client.call_tool("x", {"method": "sampling/createMessage", "params": SAMPLE})
        assert answer(client.call_tool("x", {"method": "ping", "params": {}})) == '{"jsonrpc": "2.0", "id": "q", "result": {}}'
    replies = [message for message in judge_log(log) if "error" in message]
    assert replies[0]["error"] == {"code": -32603, "message": "the callback for sampling/createMessage failed: OSError"}


def test_an_mcp_error_in_a_callback_is_the_answer_and_the_call_goes_on():
    def refuse(params):
        raise McpError(-7, "not today", {"why": "tired"})

    assert ask_one("sampling/createMessage", SAMPLE, on_sample=refuse) == {"code": -7, "message": "not today",
            "data": {"why": "tired"}}


def test_the_clock_stands_still_while_a_person_answers():
    import time

    def think(params):
        time.sleep(0.4)
        return "x"

    with connect("one_question", on_sample=think) as client:
        result = client.call_tool("x", {"method": "sampling/createMessage", "params": SAMPLE}, timeout=0.3)
        assert "result" in json.loads(answer(result))


def test_a_callback_may_call_the_server():
    fetched = []
    with connect("everything",
                 on_list_changed=lambda kind: fetched.extend(client.list_tools()) if kind == "tools" else None) as client:
        client.call_tool("changes")
    assert [tool["name"] for tool in fetched] == ["steps", "fails"]


def test_callbacks_that_call_the_server_nest_to_a_bounded_depth():
    deepest = []

    def fetch(kind):
        deepest.append(client._connection.peer.depth)
        list(client.list_tools())

    with connect("nests", on_list_changed=fetch) as client:
        client._connection.peer.notified["notifications/tools/list_changed"] = lambda params: len(deepest) < 30 and fetch("tools")
        assert answer(client.call_tool("x")) == "done"
    assert max(deepest) == 8


def test_roots_from_a_function_are_asked_each_time():
    answers = [["/a"], ["/b"], ["/c"]]
    with connect("one_question", roots=lambda: answers.pop(0)) as client:
        for path in ("/b", "/c"):
            reply = json.loads(answer(client.call_tool("x", {"method": "roots/list", "params": {}})))
            assert reply["result"] == {"roots": [{"uri": "file://" + path}]}


@pytest.mark.parametrize("root", ["https://example.com", {"uri": "http://x"}, {"name": "x"}])
def test_a_root_that_is_no_file_uri_is_refused(root):
    with pytest.raises(ValueError) as caught:
        Client(handshake("everything"), roots=[root])
    assert str(caught.value) == "a root is a path, a file:// URI or a dict with one as its uri, not %r" % (root,)


def test_roots_cannot_be_set_where_none_were_declared():
    with connect("everything") as client, pytest.raises(LocalProtocolError):
        client.set_roots(["/tmp"])


# Structured results


@pytest.mark.parametrize("arguments", [{"structuredContent": {"n": 1}}, {"structuredContent": {"n": 1.0, "more": True}},
                                       {"isError": True}, {"isError": True, "structuredContent": {"n": "x"}}])
def test_a_structured_result_that_fits_is_returned(arguments):
    with connect("structured") as client:
        assert client.call_tool("integer", arguments) == dict({"content": []}, **arguments)


@pytest.mark.parametrize("arguments, text", [
    ({"structuredContent": {"n": "x"}}, "the result of tool integer does not fit its output schema: "),
    ({"structuredContent": {}}, "the result of tool integer does not fit its output schema: "),
    ({}, "tool integer has an output schema, but its result has no structuredContent")])
def test_a_structured_result_that_does_not_fit_is_an_error(arguments, text):
    with connect("structured") as client:
        with pytest.raises(McpError) as caught:
            client.call_tool("integer", arguments)
        assert caught.value.message.startswith(text)
        assert caught.value.data["result"] == dict({"content": []}, **arguments)


def test_checking_can_be_turned_off():
    with connect("structured", check_results=False) as client:
        client.call_tool("integer", {"structuredContent": {"n": "x"}})
        assert answer(client.call_tool("lists")) == "0"


def test_the_list_is_fetched_once_and_again_after_a_change():
    with connect("structured") as client:
        for _ in range(3):
            client.call_tool("plain")
        assert answer(client.call_tool("lists")) == "1"
        client.call_tool("change")
        client.call_tool("plain")
        assert answer(client.call_tool("lists")) == "2"


def test_a_list_walked_by_the_caller_is_not_fetched_again():
    with connect("structured") as client:
        list(client.list_tools())
        client.call_tool("plain")
        assert answer(client.call_tool("lists")) == "1"


def test_revisions_without_output_schemas_are_not_checked():
    with connect("structured", revision="2025-03-26") as client:
        client.call_tool("integer", {"structuredContent": {"n": "x"}})
        assert answer(client.call_tool("lists")) == "0"


def test_an_output_schema_in_an_unknown_dialect_is_reported():
    told = []
    with connect("structured", on_log=told.append) as client:
        assert client.call_tool("dialect", {"structuredContent": {}}) == {"content": [], "structuredContent": {}}
    assert [params["data"][:71] for params in told] == [
        "the results of tool dialect are unchecked: its output schema cannot be used: "[:71]]


def test_arrays_of_messages_of_2025_03_26_are_read():
    told = []
    with connect("batches", revision="2025-03-26", on_log=told.append) as client:
        assert answer(client.call_tool("x")) == "from an array"
    assert told == [{"level": "info", "data": "in an array"}]


# Other ways to a server


def new_server():
    server = Server("inv", version="1.0", instructions="count well")

    @server.tool
    def add(a: int, b: int) -> int:
        return a + b

    @server.tool
    def order(ctx) -> str:
        size = ctx.elicit("Size?", {"type": "object", "properties": {"size": {"type": "string"}}, "required": ["size"]})
        name = ctx.sample("a name, please", 10)["content"]["text"]
        return "%s %s in %s" % (size["content"]["size"], name, ctx.roots()["roots"][0]["uri"])

    @server.tool
    def steps(ctx) -> str:
        ctx.progress(1, 2)
        ctx.log("warning", "careful")
        return "done"

    @server.tool
    def slow(ctx) -> str:
        import time
        for _ in range(200):
            time.sleep(0.01)
            ctx.checkpoint()
        return "slow"

    @server.tool
    def grow() -> str:
        server.tool(lambda: "new", name="new%d" % len(server._core.catalog.tools))
        return "grown"

    @server.resource("memo://1")
    def memo():
        return "one"

    @server.prompt
    def greet(who: str):
        return "hello " + who

    return server


class Recorded:
    """A server whose every connection is judged."""

    def __init__(self, server):
        self.server, self.connections, self._core = server._core, server._core.connections, self
        self.conversation = Conversation()

    def connect(self, channel):
        conversation = self.conversation
        read, write = channel.read, channel.write

        def judged_read(timeout=None):
            lines = read(timeout)
            for line in lines or ():
                conversation.client(line)
            return lines

        def judged_write(data):
            conversation.server_output(data)
            write(data)
        channel.read, channel.write = judged_read, judged_write
        return self.server.connect(channel)


@pytest.mark.parametrize("revision", HANDSHAKE_DATES + (MODERN, None))
def test_a_server_object_in_memory(revision):
    told, changed, steps = [], [], []
    recorded = Recorded(new_server())
    with Client(recorded, revision=revision, roots=["/tmp"], on_elicit=lambda params: {"size": "L"}, on_log=told.append,
                on_sample=lambda params: "Jo", on_list_changed=changed.append) as client:
        assert client.revision == (revision or MODERN)
        assert client.server_info == {"name": "inv", "version": "1.0"}
        assert client.instructions == "count well"
        assert answer(client.call_tool("add", {"a": 1, "b": 2})) == "3"
        if revision not in HANDSHAKE_DATES[:2]:
            assert answer(client.call_tool("order")) == "L Jo in file:///tmp"
        assert answer(client.call_tool("steps", on_progress=lambda *values: steps.append(values))) == "done"
        assert client.read_resource("memo://1")["contents"][0]["text"] == "one"
        assert client.get_prompt("greet", {"who": "you"})["messages"][0]["content"]["text"] == "hello you"
        client.call_tool("grow")
        client.poll()
        assert client.ping() is not None
        assert client.noise_count == 0 and client.unmatched == 0
    assert steps == [(1, 2, None)]
    assert [params["data"] for params in told] == ["careful"]
    assert changed == ["tools"]
    recorded.conversation.finish()
    assert recorded.server.connections == []


def test_a_time_limit_in_memory():
    with Client(new_server(), revision="handshake") as client:
        with pytest.raises(McpError) as caught:
            client.call_tool("slow", timeout=0.3)
        assert caught.value.code == -32001
        assert answer(client.call_tool("add", {"a": 1, "b": 2})) == "3"


def test_a_closed_server_in_memory():
    client = Client(new_server())
    client.close()
    with pytest.raises(McpError) as caught:
        client.call_tool("add")
    assert caught.value.message == "tools/call cannot be sent: this client is closed"


def serve_in_thread(server, reader, writer):
    thread = threading.Thread(target=server.serve, args=(reader, writer), daemon=True)
    thread.start()
    return thread


@pytest.mark.parametrize("revision", [None, "handshake"])
def test_a_pair_of_pipes(revision):
    their_read, our_write = os.pipe()
    our_read, their_write = os.pipe()
    with os.fdopen(their_read, "rb") as theirs_in, os.fdopen(their_write, "wb") as theirs_out, \
            os.fdopen(our_read, "rb") as ours_in, os.fdopen(our_write, "wb") as ours_out:
        thread = serve_in_thread(new_server(), theirs_in, theirs_out)
        with Client((ours_in, ours_out), revision=revision) as client:
            assert answer(client.call_tool("add", {"a": 1, "b": 2})) == "3"
            assert os.get_blocking(ours_in.fileno()) is False
        assert os.get_blocking(ours_in.fileno()) is True
        assert not ours_in.closed and not ours_out.closed
        ours_out.close()
        thread.join(5)
        assert not thread.is_alive()


def test_a_socket():
    ours, theirs = socket.socketpair()
    with ours, theirs, ours.makefile("rb") as ours_in, ours.makefile("wb") as ours_out, \
            theirs.makefile("rb") as theirs_in, theirs.makefile("wb") as theirs_out:
        thread = serve_in_thread(new_server(), theirs_in, theirs_out)
        with Client((ours_in, ours_out)) as client:
            assert answer(client.call_tool("add", {"a": 1, "b": 2})) == "3"
        ours.shutdown(socket.SHUT_WR)
        thread.join(5)


def test_streams_without_descriptors():
    class Answers(io.BytesIO):
        def write(self, data):
            message = json.loads(bytes(data))
            if "id" in message:
                reader.lines.append(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": {
                    "protocolVersion": "2025-11-25", "capabilities": {},
                    "serverInfo": {"name": "x", "version": "0"}}}).encode() + b"\n")
            return len(data)

    class Lines(io.RawIOBase):
        lines = []

        def readable(self):
            return True

        def read(self, size=-1):
            return self.lines.pop(0) if self.lines else b""

    reader = Lines()
    with Client((reader, Answers()), revision="handshake") as client:
        assert client.ping()["serverInfo"]["name"] == "x"
        assert reader.lines == []


def test_what_a_pair_had_buffered_is_read_first():
    our_read, their_write = os.pipe()
    their_read, our_write = os.pipe()
    first = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "early"}}
    reply = {"jsonrpc": "2.0", "id": 1, "result": {"protocolVersion": "2025-11-25", "capabilities": {}}}
    os.write(their_write, b"a banner\n" + json.dumps(first).encode() + b"\n" + json.dumps(reply).encode() + b"\n")
    told = []
    with os.fdopen(our_read, "rb") as ours_in, os.fdopen(our_write, "wb") as ours_out:
        assert ours_in.readline() == b"a banner\n"
        with Client((ours_in, ours_out), revision="handshake", on_log=told.append):
            pass
    os.close(their_read)
    os.close(their_write)
    assert [params["data"] for params in told] == ["early"]


def test_nothing_heavy_is_loaded_for_a_server():
    """The client's modules load only where a client is used."""
    import subprocess

    code = "import sys; sys.path.insert(0, %r); import mcplite; mcplite.Server; print('mcplite.client' in sys.modules)" % (
        os.path.dirname(os.path.dirname(os.path.abspath(__file__))),)
    assert subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=True).stdout.strip() == b"False"
