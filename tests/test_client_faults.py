"""The client against servers that misbehave: field reports of kind 8, faults injected in the middle, no process left behind.

Every fake server is a small script in fake_servers/ that knows nothing of mcplite.
"""
from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from client_helpers import handshake, judge_log, read_pids, stateless, wait_dead

from mcplite import Client, McpError


def answer(result):
    return result["content"][0]["text"]


def open_fds():
    return len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0


@pytest.fixture(autouse=True)
def nothing_left():
    """No test leaves a child process or a descriptor behind."""
    before = open_fds()
    yield
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)
    assert open_fds() == before


def test_an_answer_over_the_line_limit_ends_its_request_at_once():
    """Its bytes are skipped, but for its beginning, which says whose answer it is."""
    with Client(handshake("long_line"), revision="handshake", line_limit=100000) as client:
        with pytest.raises(McpError) as caught:
            client.call_tool("any", timeout=60)
        assert caught.value.message.startswith(
            "tools/call (request 2) was answered with a line that cannot be read: the line is longer than the limit of 100000 bytes; the line begins: "
            '{"jsonrpc": "2.0", "id": 2, "result": {')


def test_an_answer_under_an_id_that_nobody_sent_is_named_when_the_time_is_up():
    with Client(handshake("foreign_id"), revision="handshake") as client:
        with pytest.raises(McpError) as caught:
            client.call_tool("any", timeout=0.3)
        assert caught.value.message.startswith(
            "tools/call was not answered within 0.3 seconds; a line that looks like its answer could not be read: its id is 77, which is no "
            'request\'s: {"jsonrpc":"2.0","id":77,"result":{"content":[')


# FR-059: noise on standard output


def test_fr059_noise_is_skipped_and_the_reply_delivered():
    with Client(handshake("noise"), revision="handshake") as client:
        assert answer(client.call_tool("any")) == "through"


def test_fr059_noise_is_counted_and_kept():
    with Client(handshake("noise"), revision="handshake") as client:
        client.call_tool("any")
        assert client.noise_count == 7
        assert client.noise[:4] == ["ready!", "\\x92\\xff", '{"status":200}', "Content-Length: 20"]


def test_fr059_the_session_goes_on_after_noise():
    with Client(handshake("noise"), revision="handshake") as client:
        client.call_tool("any")
        assert client.ping() == {}


def test_fr059_noise_and_a_byte_order_mark_before_the_handshake():
    with Client(handshake("early_noise")) as client:
        assert client.revision == "2025-11-25"
        assert client.noise == ["Loading...", "Warning: offline"]


def test_fr059_strict_makes_noise_an_error():
    with Client(handshake("noise"), revision="handshake", strict=True) as client:
        with pytest.raises(McpError) as caught:
            client.call_tool("any")
        assert caught.value.message == "the server wrote a line that is no message: ready!"


def test_fr059_an_error_without_id_is_noise_and_answers_nothing():
    with Client(handshake("null_error"), revision="handshake") as client:
        assert client.ping() == {}
        assert client.noise == ['an error without id: {"code":-32601,"message":"unknown notification"}']


def test_noise_kept_is_bounded():
    with Client(handshake("noise"), revision="handshake") as client:
        for number in range(30):
            client._connection.peer.note_noise("line %d" % number)
        assert client.noise == ["line %d" % number for number in range(10, 30)]
        assert client.noise_count == 30


def test_an_id_as_a_string_answers_no_request_of_ours():
    """A stray "2" before the answer to request 2: the answer is the result."""
    with Client(handshake("answers", '{"jsonrpc":"2.0","id":"%(id)d","result":{"content":[]}}'), revision="handshake") as client:
        assert answer(client.call_tool("any")) == "good"
        assert client.unmatched == 1


def test_an_id_as_a_string_is_named_when_the_time_is_up():
    with Client(handshake("string_ids"), revision="handshake") as client:
        with pytest.raises(McpError) as caught:
            client.call_tool("any", timeout=0.3)
    assert caught.value.message.startswith(
        'tools/call was not answered within 0.3 seconds; a line that looks like its answer could not be read: its id is the string '
        '"2", that of the request is the number 2: {"jsonrpc":"2.0","id":"2","result":{"content":[{"type":"text","text":"s"}]}}; command: ')


# Answers that cannot be read, and answers that are off


@pytest.mark.parametrize("line, reason", [
    ('{"jsonrpc":"2.0","id":%(id)d,"result":{"x":NaN}}', "NaN"), ('{"id":%(id)d,"result":{}}', 'it has no member "jsonrpc"'),
    ('{"jsonrpc":"1.0","id":%(id)d,"result":{}}', 'its "jsonrpc" is "1.0", not "2.0"'),
    ('{"jsonrpc":"2.0","id":%(id)d.0,"result":{}}', "its id is 2.0"), ('[{"jsonrpc":"2.0","id":%(id)d,"result":{}}]', "array"),
    ('{"jsonrpc":"2.0","id":%(id)d,"result":{"x":"\udc92"}}', "UTF-8"), ("deep", "deep"),
    ('{\n  "jsonrpc": "2.0",\n  "id": %(id)d,\n  "result": {\n    "content": []\n  }\n}', "it is spread over several lines")])
def test_an_answer_that_cannot_be_read_ends_its_request_at_once(line, reason):
    with Client(handshake("answers", line, "alone"), revision="handshake") as client:
        with pytest.raises(McpError) as caught:
            client.call_tool("any")
        assert caught.value.code == -32603
        assert caught.value.message.startswith("tools/call (request 2) was answered with a line that cannot be read: ")
        assert reason in caught.value.message
        assert "; the line begins: " in caught.value.message
        assert client.ping() == {}


def test_an_answer_whose_request_cannot_be_told_is_noise_and_named_when_the_time_is_up():
    with Client(handshake("answers", '{"jsonrpc":"2.0","result":{"content":[]}}', "alone"), revision="handshake") as client:
        with pytest.raises(McpError) as caught:
            client.call_tool("any", timeout=0.3)
        assert caught.value.message.startswith("tools/call was not answered within 0.3 seconds; a line that looks like its answer "
                                               "could not be read: it has no id: {")
        assert client.noise_count == 1


HELLO = '"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"x","version":"0"}}}'


@pytest.mark.parametrize("line, reason", [
    ('{"jsonrpc":"1.0","id":%(id)d,' + HELLO, 'its "jsonrpc" is "1.0", not "2.0"'),
    ('{"id":%(id)d,' + HELLO, 'it has no member "jsonrpc"'), ('{"jsonrpc":"2.0","id":%(id)d.0,' + HELLO, "its id is "),
    ('{"jsonrpc":"2.0","id":"%(id)d",' + HELLO, "its id is the string "), ('[{"jsonrpc":"2.0","id":%(id)d,' + HELLO + "]", "array"),
    ('{\n"jsonrpc":"2.0",\n"id":%(id)d,\n' + HELLO, "it is spread over several lines"),
    ('{"jsonrpc":"2.0",' + HELLO, "it has no id"),
    ('{\n"jsonrpc":"2.0",\n"id":%(id)d,\n"result":\n{\n"instructions":"' + "x" * 999 + '"\n}\n}', '"jsonrpc":"2.0",')])
@pytest.mark.parametrize("revision", [None, "handshake", "2026-07-28"])
def test_an_answer_that_is_off_while_connecting_is_told_by_name(line, reason, revision):
    with pytest.raises(McpError) as caught:
        Client(handshake("answers_all", line), revision=revision)
    assert caught.value.code == -32603
    method = "server/discover (request 1)" if revision == "2026-07-28" else "initialize (request %d)" % (1 if revision else 2)
    assert caught.value.message.startswith(method + " was answered with a line that cannot be read: ")
    assert reason in caught.value.message


def test_a_probe_that_was_answered_badly_leads_to_a_handshake():
    with Client(handshake("bad_probe")) as client:
        assert client.revision == "2025-11-25"


def test_a_probe_that_was_answered_badly_is_told_where_the_handshake_is_refused():
    with pytest.raises(McpError) as caught:
        Client(handshake("bad_probe", "refuse"))
    assert caught.value.message.startswith('server/discover (request 1) was answered with a line that cannot be read: it has no '
                                           'member "jsonrpc"; the line begins: {"id":1,"result":{}}; then initialize was answered ')


@pytest.mark.parametrize("error, text", [
    ('{"code":-32000}', "ping was answered with error -32000, which has no message; command: "),
    ('{"code":-32000,"message":null}', "ping was answered with error -32000, which has no message; command: "),
    ('{"code":-32000,"message":""}', "ping was answered with error -32000, which has no message; command: "),
    ('{"code":-32000,"message":"why"}', "why")])
def test_an_error_without_message_says_code_method_and_command(error, text):
    with Client(handshake("answers", '{"jsonrpc":"2.0","id":%(id)d,"error":' + error + "}", "alone"), revision="handshake") as client:
        with pytest.raises(McpError) as caught:
            client.ping()
    assert caught.value.code == -32000
    assert caught.value.message.startswith(text)


def test_an_error_without_message_in_answer_to_initialize_says_code_method_and_command():
    with pytest.raises(McpError) as caught:
        Client(handshake("answers_all", '{"jsonrpc":"2.0","id":%(id)d,"error":{"code":-32000}}'))
    assert caught.value.message.startswith("initialize was answered with error -32000, which has no message; command: ")


def test_an_answer_to_initialize_without_version_names_the_member():
    with pytest.raises(McpError) as caught:
        Client(handshake("answers_all", '{"jsonrpc":"2.0","id":%(id)d,"result":{"capabilities":{}}}'))
    assert caught.value.message == "initialize was answered with a result that cannot be used: it has no member protocolVersion"


# Results without what their method needs

USES = {"tools/call": lambda client: client.call_tool("any"), "prompts/get": lambda client: client.get_prompt("any"),
        "resources/read": lambda client: client.read_resource("memo://1"),
        "completion/complete": lambda client: client.complete("any", "a", ""),
        "tools/list": lambda client: list(client.list_tools())}


@pytest.mark.parametrize("method, result, problem", [
    ("tools/call", {}, "it has no member content"), ("tools/call", {"structuredContent": {}}, "it has no member content"),
    ("tools/call", {"content": {}}, "content is an object, not a list"), ("tools/call", {"content": None}, "content is null, not a list"),
    ("tools/call", {"content": ["x"]}, "content[0] is a string, not an object"),
    ("tools/call", {"content": [{"text": "x"}]}, "content[0] has no member type"),
    ("tools/call", {"content": [{"type": "text"}]}, "content[0] has no member text"),
    ("tools/call", {"content": [{"type": "text", "text": 1}]}, "content[0].text is a number, not a string"),
    ("tools/call", {"content": [{"type": "image", "mimeType": "image/png"}]}, "content[0] has no member data"),
    ("tools/call", {"content": [{"type": "audio"}]}, "content[0] has no member data"),
    ("tools/call", {"content": [{"type": "resource"}]}, "content[0] has no member resource"),
    ("tools/call", {"content": [{"type": "resource_link"}]}, "content[0] has no member uri"),
    ("prompts/get", {}, "it has no member messages"), ("prompts/get", {"messages": {}}, "messages is an object, not a list"),
    ("prompts/get", {"messages": [{"role": "user"}]}, "messages[0] has no member content"),
    ("prompts/get", {"messages": [{"role": "user", "content": [{"type": "text", "text": "x"}]}]},
     "messages[0].content is a list, not an object"),
    ("prompts/get", {"messages": [{"role": "user", "content": "x"}]}, "messages[0].content is a string, not an object"),
    ("prompts/get", {"messages": [{"content": {"type": "text", "text": "x"}}]}, "messages[0] has no member role"),
    ("resources/read", {}, "it has no member contents"), ("resources/read", {"contents": {}}, "contents is an object, not a list"),
    ("resources/read", {"contents": [{"text": "x"}]}, "contents[0] has no member uri"),
    ("completion/complete", {}, "it has no member completion"),
    ("completion/complete", {"completion": []}, "completion is a list, not an object"),
    ("completion/complete", {"completion": {}}, "completion has no member values"),
    ("completion/complete", {"completion": {"values": [True]}}, "completion.values[0] is true, not a string")])
def test_a_result_without_what_its_method_needs_names_the_member(method, result, problem):
    with Client(handshake("results", json.dumps(result)), revision="handshake") as client:
        with pytest.raises(McpError) as caught:
            USES[method](client)
        assert caught.value.message == "%s was answered with a result that cannot be used: %s" % (method, problem)
        assert (caught.value.code, caught.value.result) == (-32603, result)


@pytest.mark.parametrize("method, result", [
    ("tools/call", {"content": [{"type": "acme/new"}], "isError": None}), ("tools/call", {"content": [], "_meta": None}),
    ("tools/call", {"content": [{"type": "image", "data": ""}]}), ("prompts/get", {"messages": [], "description": None}),
    ("resources/read", {"contents": [{"uri": "x", "text": "", "blob": ""}]})])
def test_a_result_that_can_be_used_is_returned_as_it_came(method, result):
    with Client(handshake("results", json.dumps(result)), revision="handshake") as client:
        assert USES[method](client) == result


def test_a_raw_request_returns_what_came():
    with Client(handshake("results", '{"task":{}}'), revision="handshake") as client:
        assert client.request("tools/call", {"name": "x", "task": {}}) == {"task": {}}


def test_an_entry_without_name_is_left_out_and_told():
    told, tools = [], '{"tools":[{"name":"a"},{"title":"b"},5,{"name":"c"}]}'
    with Client(handshake("results", tools), revision="handshake", on_log=told.append) as client:
        assert [tool["name"] for tool in client.list_tools()] == ["a", "c"]
    assert [params["data"] for params in told] == [
        "tools/list was answered with an entry that cannot be used: tools[1] has no member name",
        "tools/list was answered with an entry that cannot be used: tools[2] is a number, not an object"]


def test_an_entry_without_name_is_an_error_under_strict():
    with Client(handshake("results", '{"tools":[{"title":"b"}]}'), revision="handshake", strict=True) as client:
        with pytest.raises(McpError) as caught:
            list(client.list_tools())
    assert caught.value.message == "tools/list was answered with an entry that cannot be used: tools[0] has no member name"


def test_a_list_that_is_none_names_the_member():
    with Client(handshake("results", '{"tools":{}}'), revision="handshake") as client:
        with pytest.raises(McpError) as caught:
            list(client.list_tools())
    assert caught.value.message == "tools/list was answered without a list of tools"


# Output schemas that cannot be used

BAD_SCHEMAS = [{"$schema": "http://json-schema.org/draft-04/schema#"}, {"$schema": "https://acme.example/dialect"},
               {"type": "object", "properties": {"a": {"pattern": "("}}}, {"$ref": "https://acme.example/schema"},
               {"$ref": "#/nowhere"}, {"type": 5}, 5, [], "object"]


@pytest.mark.parametrize("schema", BAD_SCHEMAS)
@pytest.mark.parametrize("listed", [True, False])
def test_an_output_schema_that_cannot_be_used_costs_no_result(schema, listed):
    told = []
    with Client(handshake("output_schema", json.dumps(schema)), revision="handshake", on_log=told.append) as client:
        if listed:
            list(client.list_tools())
        for _ in range(2):
            assert answer(client.call_tool("any")) == "acted"
    assert len(told) == 1
    assert (told[0]["level"], told[0]["logger"]) == ("warning", "mcplite")
    assert told[0]["data"].startswith("the results of tool any are unchecked: its output schema cannot be used: ")


def test_an_output_schema_that_cannot_be_used_is_a_warning_where_there_is_no_on_log():
    with Client(handshake("output_schema", '{"$ref":"#/nowhere"}'), revision="handshake") as client:
        with pytest.warns(RuntimeWarning, match="the results of tool any are unchecked: ") as warned:
            for _ in range(2):
                assert answer(client.call_tool("any")) == "acted"
    assert len(warned) == 1


def test_a_list_that_cannot_be_had_costs_no_result():
    """The tool is in no list yet: it is fetched after the call, and the callback that is asked meanwhile raises."""
    def fail(params):
        raise OSError("nobody there")

    with Client(handshake("asks_in_list"), revision="handshake", on_sample=fail) as client:
        assert answer(client.call_tool("any")) == "acted"


def test_an_on_log_that_raises_costs_no_result(capsys):
    def fail(params):
        raise OSError("disk full")

    with Client(handshake("output_schema", '{"$ref":"#/nowhere"}'), revision="handshake", on_log=fail) as client:
        assert answer(client.call_tool("any")) == "acted"
    assert "disk full" in capsys.readouterr().err


@pytest.mark.parametrize("schema", BAD_SCHEMAS[:5])
def test_an_output_schema_that_cannot_be_used_is_an_error_before_the_call_under_strict(schema, tmp_path):
    env = {"FAKE_LOG": str(tmp_path / "log")}
    with Client(handshake("output_schema", json.dumps(schema)), revision="handshake", strict=True, env=env) as client:
        with pytest.raises(McpError) as caught:
            client.call_tool("any")
    assert caught.value.message.startswith("the results of tool any are unchecked: its output schema cannot be used: ")
    assert b"tools/call" not in (tmp_path / "log").read_bytes()


def test_a_result_that_does_not_fit_its_schema_is_kept_in_the_fault():
    schema = '{"type":"object","required":["n"]}'
    with Client(handshake("output_schema", schema), revision="handshake") as client:
        with pytest.raises(McpError) as caught:
            client.call_tool("any")
    assert answer(caught.value.result) == "acted"


def test_a_second_reply_is_ignored():
    with Client(handshake("twice"), revision="handshake") as client:
        assert [answer(client.call_tool("any")) for _ in range(3)] == ["first"] * 3
        assert client.unmatched >= 2


def test_a_number_that_no_float_holds_fails_its_own_request_only():
    with Client(handshake("huge_number"), revision="handshake", timeout=5) as client:
        with pytest.raises(McpError) as caught:
            client.call_tool("any")
        assert caught.value.message == (
            'tools/call (request 2) was answered with a line that cannot be read: the number 1e999 is too large; the line begins: '
            '{"jsonrpc":"2.0","id":2,"result":{"content":[],"x":1e999}}')
        assert client.ping() == {}


@pytest.mark.parametrize("count, text", [
    (0, "ping was answered with a result that is no object: [1]"), (1, "ping was answered with a malformed error: 'bad'"),
    (2, "ping was answered with a result that is no object: None"),
    (3, "ping was answered with a malformed error: {'message': 'no code'}")])
def test_a_malformed_response_is_an_error_at_once(count, text):
    with Client(handshake("malformed"), revision="handshake", timeout=5) as client:
        for _ in range(count):
            with pytest.raises(McpError):
                client.ping()
        with pytest.raises(McpError) as caught:
            client.ping()
        assert (caught.value.code, caught.value.message) == (-32603, text)


# FR-060: the server dies, or never comes to life


@pytest.mark.parametrize("revision", [None, "handshake", "2026-07-28"])
def test_fr060_exit_status_and_last_words_are_in_the_error(revision):
    command = handshake("boom")
    with pytest.raises(McpError) as caught:
        Client(command, revision=revision)
    method = "server/discover" if revision == "2026-07-28" else "initialize"
    assert caught.value.code == -32000
    assert caught.value.message == ("the server ended with exit status 3 before %s was answered; command: %s; "
                                    "its standard error ends with: first | boom" % (method, " ".join(command)))
    assert caught.value.data == {"command": command, "status": 3, "stderr": "first\nboom\n"}


def test_fr060_a_command_that_does_not_exist():
    with pytest.raises(McpError) as caught:
        Client(["no-such-command-anywhere", "-x"])
    assert caught.value.message == ("cannot start the server: there is no command 'no-such-command-anywhere' on PATH "
                                    "(command: no-such-command-anywhere -x)")


def test_fr060_a_path_that_does_not_exist(tmp_path):
    path = str(tmp_path / "gone")
    with pytest.raises(McpError) as caught:
        Client([path])
    assert caught.value.message == "cannot start the server: %s: No such file or directory (command: %s)" % (path, path)


def test_fr060_a_file_that_is_no_program(tmp_path):
    path = tmp_path / "server.py"
    path.write_text("print()")
    with pytest.raises(McpError) as caught:
        Client([str(path)])
    assert caught.value.message == "cannot start the server: %s: Permission denied (command: %s)" % (path, path)


def test_fr060_a_folder_that_does_not_exist(tmp_path):
    with pytest.raises(McpError) as caught:
        Client(handshake("everything"), cwd=str(tmp_path / "gone"))
    assert caught.value.message.startswith("cannot start the server: there is no folder '%s' to start it in" % (tmp_path / "gone"))


@pytest.mark.parametrize("story", ["silent", "sleeper"])
def test_fr060_a_silent_server_ends_at_the_timeout(story):
    since = time.monotonic()
    with pytest.raises(McpError) as caught:
        Client(handshake(story), timeout=0.3, probe_timeout=0.2, close_timeout=0.2)
    assert time.monotonic() - since < 2.5
    assert caught.value.code == -32001
    assert caught.value.message.startswith("initialize was not answered within 0.3 seconds; command: ")


def test_fr060_a_server_that_closes_its_output_but_lives():
    since = time.monotonic()
    with pytest.raises(McpError) as caught:
        Client(handshake("closes_stdout"), close_timeout=0.2)
    assert time.monotonic() - since < 3
    assert caught.value.message.startswith("the server closed its output but is still running before server/discover was answered")


def test_initialize_is_never_cancelled(tmp_path):
    with pytest.raises(McpError):
        Client(handshake("silent"), timeout=0.2, probe_timeout=0.1, close_timeout=0.5, env={"FAKE_LOG": str(tmp_path / "log")})
    methods = [json.loads(line[2:])["method"] for line in (tmp_path / "log").read_text().splitlines()]
    assert methods == ["server/discover", "initialize"]


# In the middle of a call


def test_a_server_killed_in_a_call():
    with Client(handshake("dies_in_call"), revision="handshake") as client:
        with pytest.raises(McpError) as caught:
            client.call_tool("any")
        assert caught.value.code == -32000
        assert caught.value.message.startswith("the server was ended by signal 9 (SIGKILL) before tools/call was answered; ")
        assert caught.value.message.endswith("; its standard error ends with: Traceback: out of memory")


def test_calls_after_a_server_died_fail_at_once():
    with Client(handshake("dies_in_call"), revision="handshake") as client:
        for _ in range(2):
            with pytest.raises(McpError) as caught:
                client.call_tool("any")
        assert caught.value.code == -32000


def test_a_modern_server_that_exits_in_a_call():
    with Client(stateless("exits_in_call")) as client:
        with pytest.raises(McpError) as caught:
            client.call_tool("any")
        assert caught.value.message.startswith("the server ended with exit status 7 before tools/call was answered; ")


def test_half_a_line_is_no_answer():
    with Client(handshake("half_a_line"), revision="handshake") as client:
        with pytest.raises(McpError) as caught:
            client.call_tool("any")
        assert caught.value.message.startswith("the server ended with exit status 0 before tools/call was answered; ")
        assert client.noise_count == 1


def test_a_whole_answer_without_line_end_counts():
    with Client(handshake("last_line_without_end"), revision="handshake") as client:
        assert answer(client.call_tool("any")) == "whole"


def test_a_server_that_hangs_costs_the_timeout_and_no_more():
    with Client(handshake("hangs"), revision="handshake", close_timeout=0.2) as client:
        since = time.monotonic()
        with pytest.raises(McpError) as caught:
            client.call_tool("any", timeout=0.2)
        assert 0.2 <= time.monotonic() - since < 1
        assert caught.value.code == -32001
        assert caught.value.message.startswith("tools/call was not answered within 0.2 seconds; command: ")


def test_a_large_request_to_a_server_that_does_not_read_costs_the_timeout_and_no_more():
    with Client(handshake("hangs"), revision="handshake", close_timeout=0.2) as client:
        since = time.monotonic()
        with pytest.raises(McpError) as caught:
            client.call_tool("any", {"s": "x" * (4 << 20)}, timeout=0.2)
        assert time.monotonic() - since < 1.5
        assert caught.value.code == -32001


def test_a_server_that_reads_no_more_is_an_error_soon():
    told = []
    with Client(handshake("deaf"), revision="handshake", close_timeout=0.2, on_log=told.append) as client:
        while not told:
            client.poll(1)
        since = time.monotonic()
        with pytest.raises(McpError) as caught:
            client.call_tool("any", timeout=30)
        assert time.monotonic() - since < 3
        assert caught.value.message.startswith("the server reads no more before tools/call was answered; command: ")
        with pytest.raises(McpError):
            client.notify("notifications/acme")


def test_a_timeout_is_told_and_the_late_answer_ignored(tmp_path):
    with Client(handshake("late"), revision="handshake", env={"FAKE_LOG": str(tmp_path / "log")}) as client:
        with pytest.raises(McpError) as caught:
            client.call_tool("any", timeout=0.1)
        assert caught.value.code == -32001
        told = json.loads(answer(client.call_tool("any")))
        assert told == {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2, "reason": "timed out"}}
        assert client.ping() == {}
        assert client.unmatched == 1
    judge_log(tmp_path / "log")


def test_a_timeout_in_a_stateless_conversation_is_told_and_the_late_answer_ignored(tmp_path):
    with Client(stateless("slow"), env={"FAKE_LOG": str(tmp_path / "log")}) as client:
        with pytest.raises(McpError):
            client.call_tool("slow", timeout=0.1)
        assert answer(client.call_tool("next", timeout=5)) == "[2, 2]"
    judge_log(tmp_path / "log")


def test_ctrl_c_in_a_call_cancels_it(tmp_path):
    with Client(handshake("late"), revision="handshake") as client:
        previous = signal.signal(signal.SIGALRM, signal.default_int_handler)
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        try:
            with pytest.raises(KeyboardInterrupt):
                client.call_tool("any")
        finally:
            signal.signal(signal.SIGALRM, previous)
        assert json.loads(answer(client.call_tool("any")))["params"] == {"requestId": 2, "reason": "the caller has given up"}


# FR-061: full pipes


def test_fr061_a_mebibyte_on_standard_error_blocks_nothing():
    with Client(handshake("stderr_flood"), revision="handshake", timeout=10) as client:
        assert answer(client.call_tool("any")) == "survived"
        assert client.read_stderr() == "f" * 4096


def test_fr061_four_mebibytes_both_ways_do_not_lock():
    logged = []
    with Client(handshake("both_ways"), revision="handshake", timeout=20, on_log=logged.append) as client:
        assert answer(client.call_tool("any", {"s": "x" * (4 << 20)})) == str(4 << 20)
    assert len(logged) == 64 and all(len(params["data"]) == 65536 for params in logged)


@pytest.mark.parametrize("stderr", ["discard", "inherit"])
def test_fr061_standard_error_discarded_or_inherited(stderr, capfd):
    with Client(handshake("stderr_flood"), revision="handshake", stderr=stderr) as client:
        assert answer(client.call_tool("any")) == "survived"
        assert client.read_stderr() == ""
    assert len(capfd.readouterr().err) == (2 << 20 if stderr == "inherit" else 0)


def test_standard_error_to_a_file_of_the_caller(tmp_path):
    with open(str(tmp_path / "err"), "wb") as file, pytest.raises(McpError):
        Client(handshake("boom"), stderr=file)
    assert (tmp_path / "err").read_text() == "first\nboom\nfirst\nboom\n"


def test_captured_standard_error_is_bounded():
    from mcplite.system.child import StderrCapture

    capture = StderrCapture()
    try:
        os.write(capture.write_fd, b"a" * (5 << 20))
        capture.limit_size()
        os.write(capture.write_fd, b"last words")
        assert capture.tail() == "last words"
    finally:
        capture.close()


# FR-062: cursors


@pytest.mark.parametrize("kind, names, text", [
    ("same", ["t1", "t2"], "tools/list came back to the cursor 'a': the list would never end"),
    ("cycle", ["t1", "t2", "t3"], "tools/list came back to the cursor 'a': the list would never end"),
    ("new", ["t%d" % number for number in range(1, 6)], "tools/list has more than 5 pages (max_pages)"),
    ("number", ["t1"], "tools/list was answered with the cursor 5: a cursor is a string")])
def test_fr062_a_cursor_that_does_not_advance_is_an_error(kind, names, text):
    found = []
    with Client(handshake("cursors", kind), revision="handshake", max_pages=5) as client:
        with pytest.raises(McpError) as caught:
            for tool in client.list_tools():
                found.append(tool["name"])
    assert found == names
    assert caught.value.message == text
    assert [tool["name"] for tool in caught.value.result] == names


@pytest.mark.parametrize("kind", ["null", "empty"])
def test_a_null_or_empty_cursor_is_the_end(kind):
    with Client(handshake("cursors", kind), revision="handshake") as client:
        assert [tool["name"] for tool in client.list_tools()] == ["t1"]


# FR-065: commands and closing


def test_fr065_arguments_are_literal():
    arguments = ["a b", 'say "hi"', "$HOME", "*", "a\\", "", "&& exit", "é★"]
    with Client(handshake("show_command", *arguments), revision="handshake") as client:
        assert json.loads(answer(client.call_tool("any")))["arguments"] == arguments


def test_fr065_a_command_is_found_on_the_path_of_the_child(tmp_path):
    script = tmp_path / "my-server"
    script.write_text("#!%s -SE\nimport runpy, sys\nsys.path.insert(0, %r)\nsys.argv = ['x', 'show_command', 'found']\n"
                      "runpy.run_path(%r, run_name='__main__')\n" % (
                          sys.executable, os.path.dirname(handshake("x")[3]), handshake("x")[3]))
    script.chmod(0o755)
    with Client(["my-server"], revision="handshake", env={"PATH": str(tmp_path) + os.pathsep + os.environ["PATH"]}) as client:
        assert json.loads(answer(client.call_tool("any")))["arguments"] == ["found"]


def test_fr065_a_wrapper_and_its_stubborn_child_are_both_gone(tmp_path):
    client = Client(handshake("wrapper"), revision="handshake", close_timeout=0.3, env={"FAKE_PIDS": str(tmp_path / "pids")})
    pids = read_pids(tmp_path / "pids")
    assert len(pids) == 2
    since = time.monotonic()
    client.close()
    assert time.monotonic() - since < 3
    assert wait_dead(pids) == []


def test_fr065_a_server_that_ignores_end_of_input_and_sigterm_is_killed(tmp_path):
    client = Client(handshake("stubborn"), revision="handshake", close_timeout=0.2, env={"FAKE_PIDS": str(tmp_path / "pids")})
    since = time.monotonic()
    client.close()
    assert time.monotonic() - since < 2
    assert wait_dead(read_pids(tmp_path / "pids")) == []


def test_fr065_what_a_server_leaves_behind_is_ended(tmp_path):
    with Client(handshake("leaves_a_child"), revision="handshake", env={"FAKE_PIDS": str(tmp_path / "pids")}):
        pass
    assert wait_dead(read_pids(tmp_path / "pids")) == []


def test_fr065_a_server_that_still_writes_may_come_to_its_end(tmp_path):
    with Client(handshake("talks_at_the_end"), revision="handshake", env={"FAKE_PIDS": str(tmp_path / "pids")}) as client:
        pid = client._connection.link.process.pid
    assert read_pids(tmp_path / "pids") == [pid]


def test_fr065_a_second_close_is_harmless():
    client = Client(handshake("everything"), revision="handshake")
    client.close()
    client.close()
    with pytest.raises(McpError) as caught:
        client.ping()
    assert caught.value.message == "ping cannot be sent: this client is closed"
    assert client.poll() is False
    assert client.read_stderr() == ""


def test_closing_after_a_server_died_is_quick():
    client = Client(handshake("dies_in_call"), revision="handshake", close_timeout=5)
    with pytest.raises(McpError):
        client.call_tool("any")
    since = time.monotonic()
    client.close()
    assert time.monotonic() - since < 1


def test_a_callback_that_raises_while_connecting_leaves_no_process(tmp_path):
    with pytest.raises(ValueError):
        Client(handshake("everything"), log_level="loud")
    with pytest.raises(McpError):
        Client(handshake("version", "1999-01-01"))


def test_ctrl_c_while_closing_kills_the_server(tmp_path):
    client = Client(handshake("stubborn"), revision="handshake", close_timeout=30, env={"FAKE_PIDS": str(tmp_path / "pids")})
    previous = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        with pytest.raises(KeyboardInterrupt):
            client.close()
    finally:
        signal.signal(signal.SIGALRM, previous)
    assert wait_dead(read_pids(tmp_path / "pids")) == []


# Commands, environment, folder


def test_a_command_line_as_one_string_is_refused():
    with pytest.raises(TypeError) as caught:
        Client("python server.py")
    assert str(caught.value) == ("a server command is a list of arguments, like [sys.executable, 'server.py'], not "
                                 "'python server.py'; shlex.split() splits a command line")


def test_an_unknown_word_for_standard_error_is_refused():
    with pytest.raises(ValueError) as caught:
        Client(handshake("everything"), stderr="quiet")
    assert str(caught.value) == "stderr is 'capture', 'inherit', 'discard' or a file, not 'quiet'"


def test_an_empty_command_is_refused():
    with pytest.raises(ValueError):
        Client([])


def test_the_environment_is_ours_with_additions(monkeypatch):
    monkeypatch.setenv("MCPLITE_TEST_OURS", "1")
    monkeypatch.setenv("MCPLITE_TEST_AWAY", "1")
    with Client(handshake("show_command"), revision="handshake", env={"MCPLITE_TEST_MORE": "é",
            "MCPLITE_TEST_AWAY": None}) as client:
        env = json.loads(answer(client.call_tool("any")))["env"]
    assert {name: value for name, value in env.items() if name.startswith("MCPLITE_TEST")} == {
        "MCPLITE_TEST_OURS": "1", "MCPLITE_TEST_MORE": "é"}


def test_the_environment_of_a_strict_host(monkeypatch):
    monkeypatch.setenv("MCPLITE_TEST_OURS", "1")
    with Client(handshake("show_command"), revision="handshake", inherit_env=False, env={"KEY": "k"}) as client:
        env = json.loads(answer(client.call_tool("any")))["env"]
    assert set(env) - {"LC_CTYPE"} <= {"HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "KEY"}
    assert env["KEY"] == "k" and env["PATH"] == os.environ["PATH"]


def test_the_folder_is_the_one_given(tmp_path):
    with Client(handshake("show_command"), revision="handshake", cwd=tmp_path) as client:
        assert json.loads(answer(client.call_tool("any")))["cwd"] == os.path.realpath(str(tmp_path))


def test_a_server_is_not_hit_by_ctrl_c_in_the_terminal():
    with Client(handshake("everything"), revision="handshake") as client:
        assert os.getsid(client._connection.link.process.pid) == client._connection.link.process.pid


# A server that exited at the probe


def test_a_server_that_exits_at_the_probe_is_started_again(tmp_path):
    with Client(handshake("exit_at_probe"), env={"FAKE_COUNT": str(tmp_path / "count")}) as client:
        assert client.revision == "2025-06-18"
        assert client.server_info == {"name": "old", "version": "0"}
    assert (tmp_path / "count").read_text() == "xx"


def test_a_pinned_stateless_client_does_not_start_it_again(tmp_path):
    with pytest.raises(McpError) as caught:
        Client(handshake("exit_at_probe"), revision="2026-07-28", env={"FAKE_COUNT": str(tmp_path / "count")})
    assert caught.value.message.startswith("the server ended with exit status 1 before server/discover was answered; ")
    assert (tmp_path / "count").read_text() == "x"


@pytest.mark.slow
def test_a_soak_of_200_000_calls_leaves_memory_flat():
    """Both ends; the server is the package's own."""
    source = "from mcplite import Server\ns = Server('soak')\n@s.tool\ndef add(a: int, b: int) -> int:\n    return a + b\ns.run()"

    def resident(pid):
        with open("/proc/%d/statm" % pid) as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for revision in ("2025-11-25", "2026-07-28"):
        with Client([sys.executable, "-c", source], revision=revision, env={"PYTHONPATH": root}) as client:
            for _ in range(2000):
                client.call_tool("add", {"a": 1, "b": 2})
            pids = os.getpid(), client._connection.link.process.pid
            before = [resident(pid) for pid in pids]
            for number in range(100000):
                assert answer(client.call_tool("add", {"a": number, "b": 1})) == str(number + 1)
            grown = [resident(pid) - old for pid, old in zip(pids, before)]
            assert max(grown) < 200 * 1024, (revision, grown)


# The same with the threads that stand in for watched pipes on Windows


@pytest.fixture
def threads(monkeypatch):
    import mcplite.system.duplex as duplex

    monkeypatch.setattr(duplex, "can_watch", lambda: False)


def test_threads_serve_calls_and_large_messages_both_ways(threads):
    with Client(handshake("both_ways"), revision="handshake", timeout=20) as client:
        assert answer(client.call_tool("any", {"s": "x" * (4 << 20)})) == str(4 << 20)
        assert type(client._connection.link.channel).__name__ == "ThreadChannel"


def test_threads_time_out_and_close(threads):
    client = Client(handshake("hangs"), revision="handshake", close_timeout=0.2)
    with pytest.raises(McpError) as caught:
        client.call_tool("any", {"s": "x" * (4 << 20)}, timeout=0.2)
    assert caught.value.code == -32001
    since = time.monotonic()
    client.close()
    assert time.monotonic() - since < 3


def test_threads_notice_a_death(threads):
    with Client(handshake("dies_in_call"), revision="handshake") as client:
        with pytest.raises(McpError) as caught:
            client.call_tool("any")
        assert caught.value.message.startswith("the server was ended by signal 9 (SIGKILL) before tools/call was answered; ")


def test_threads_notify(threads):
    with Client(handshake("everything"), revision="handshake", roots=[]) as client:
        client.set_roots(["/tmp"])
        assert client.ping() == {}


# Windows, by its parts


def test_windows_finds_a_batch_file_and_quotes_for_it(monkeypatch):
    from mcplite.system.command_line import resolve_command

    monkeypatch.setattr("shutil.which", lambda name, path=None: "C:\\Program Files\\nodejs\\%s.CMD" % name)
    assert resolve_command(["npx", "-y", "@scope/pkg", "a b", "c&d", "e\\"], {}, True) == (
        '"C:\\Program Files\\nodejs\\npx.CMD" -y @scope/pkg "a b" "c&d" e\\')


def test_windows_finds_a_program(monkeypatch):
    from mcplite.system.command_line import resolve_command

    monkeypatch.setattr("shutil.which", lambda name, path=None: "C:\\%s.exe" % name)
    assert resolve_command(["node", 'a"b'], {}, True) == ["C:\\node.exe", 'a"b']


@pytest.mark.parametrize("argument", ['a"b', "%PATH%", "a!b", "a\nb"])
def test_windows_refuses_what_cmd_would_read(argument):
    from mcplite.system.command_line import new_batch_command_line

    with pytest.raises(ValueError) as caught:
        new_batch_command_line("C:\\npx.cmd", [argument])
    assert str(caught.value) == ('cannot pass %r to the batch file C:\\npx.cmd: cmd.exe would read the characters " %% ! '
                                 "and line ends in it" % argument)


def test_windows_ends_the_tree(monkeypatch):
    import mcplite.system.child as module

    called = []
    monkeypatch.setattr(subprocess, "call", lambda command, **more: called.append(command))

    class Process:
        pid = 77

        def kill(self):
            called.append("kill")

    module.end_tree_windows(Process(), False)
    module.end_tree_windows(Process(), True)
    assert called == [["taskkill", "/PID", "77", "/T"], ["taskkill", "/PID", "77", "/T", "/F"], "kill"]
