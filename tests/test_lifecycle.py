"""Field reports, kind 3: lifecycle, versions, ids; what ends a server and how."""
import json
import os
import signal
import subprocess
import sys
import time

import pytest
from harness import (
    HANDSHAKE_DATES,
    INITIALIZED,
    PING,
    PONG,
    ServerProcess,
    call,
    environment,
    initialize,
    modern,
    request,
    run_server,
)

START = [initialize(), INITIALIZED]
SOURCE = '''
import sys, time
from mcplite import Server
server = Server("probe", version="1.2", title="Probe", description="For tests", website_url="https://example.org/",
                instructions="Be gentle.", icons=[{"src": "https://example.org/i.png"}])

@server.tool
def slow(seconds: float) -> str:
    time.sleep(seconds)
    return "slept"

@server.tool
def leave() -> str:
    sys.exit(3)

@server.tool
def interrupted() -> str:
    raise KeyboardInterrupt

server.run()
'''


@pytest.fixture
def probe(script):
    return script(SOURCE)


def test_fr017_no_input_at_all_ends_at_once(probe):
    outcome = run_server(probe, [], end=b"")
    assert (outcome.raw, outcome.stderr, outcome.status) == (b"", "", 0)


def test_fr017_end_of_input_ends_the_process_without_spinning(probe):
    before = os.times()
    with ServerProcess(probe) as server:
        server.start()
        started = time.monotonic()
        assert server.close() == 0
        assert time.monotonic() - started < 2 and server.stderr == ""
    after = os.times()
    assert after.children_user + after.children_system - before.children_user - before.children_system < 1


def test_fr017_waiting_takes_no_processor_time(probe):
    before = os.times()
    with ServerProcess(probe) as server:
        server.start()
        server.receive_none(1.5)
        assert server.close() == 0
    after = os.times()
    assert after.children_user + after.children_system - before.children_user - before.children_system < 1


def test_fr017_a_running_tool_is_answered_before_the_end(probe):
    outcome = run_server(probe, START + [call("slow", {"seconds": 1})])
    assert outcome.result(2)["content"][0]["text"] == "slept"
    assert (outcome.status, outcome.stderr) == (0, "")


def test_fr018_a_reader_that_is_gone_ends_the_server_quietly(probe):
    process = subprocess.Popen([sys.executable, probe], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               env=environment())
    process.stdout.close()
    process.stdin.write(json.dumps(PING).encode() + b"\n")
    process.stdin.flush()
    status = process.wait(10)
    stderr = process.stderr.read()
    process.stderr.close()
    try:
        process.stdin.close()
    except BrokenPipeError:
        pass
    assert (status, stderr) == (0, b"")


@pytest.mark.parametrize("asked, answered", [(date, date) for date in HANDSHAKE_DATES] + [
    ("2099-01-01", "2025-11-25"), ("2026-07-28", "2025-11-25"), ("1.0", "2025-11-25"), ("", "2025-11-25")])
def test_fr020_initialize_never_fails_for_its_version(probe, asked, answered):
    outcome = run_server(probe, [initialize(asked)])
    assert outcome.result(1)["protocolVersion"] == answered


@pytest.mark.parametrize("version", [None, 20251125, ["2025-11-25"]])
def test_a_version_that_is_no_string_is_invalid_params(probe, version):
    message = initialize()
    message["params"]["protocolVersion"] = version
    without = initialize(request_id=2)
    del without["params"]["protocolVersion"]
    outcome = run_server(probe, [message, without, initialize(request_id=3), PING], wrong=(0, 1))
    assert outcome.error(1)["code"] == outcome.error(2)["code"] == -32602
    assert outcome.result(3)["protocolVersion"] == "2025-11-25"


def test_a_second_initialize_negotiates_anew(probe):
    outcome = run_server(probe, [initialize("2024-11-05"), initialize("2025-06-18", 2), request("tools/list", None, 3)])
    assert outcome.result(2)["protocolVersion"] == "2025-06-18"
    assert outcome.result(3)["tools"][0]["name"] == "slow"


@pytest.mark.parametrize("revision, members", [
    ("2024-11-05", {"name", "version"}), ("2025-03-26", {"name", "version"}), ("2025-06-18", {"name", "version", "title"}),
    ("2025-11-25", {"name", "version", "title", "description", "icons", "websiteUrl"})])
def test_the_server_introduces_itself_as_its_revision_allows(probe, revision, members):
    result = run_server(probe, [initialize(revision)]).result(1)
    assert set(result["serverInfo"]) == members
    assert result["instructions"] == "Be gentle."
    assert result["capabilities"] == {"logging": {}, "tools": {"listChanged": True}}


def test_fr022_notifications_and_responses_are_never_answered(probe):
    silent = [INITIALIZED, {"jsonrpc": "2.0", "method": "notifications/roots/list_changed"},
              {"jsonrpc": "2.0", "method": "notifications/zzz"}, {"jsonrpc": "2.0", "method": "initialize", "params": {}},
              {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "leave", "arguments": {}}},
              {"jsonrpc": "2.0", "id": 77, "result": {}}, {"jsonrpc": "2.0", "id": 78, "error": {"code": 1, "message": "x"}},
              {"jsonrpc": "2.0", "id": None, "error": {"code": 1, "message": "x"}},
              {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": []}]
    outcome = run_server(probe, START + silent + [PING], wrong=tuple(range(2, 11)))
    assert outcome.replies[1:] == [PONG]
    assert outcome.stderr == ""


def test_fr022_a_notification_handler_that_raises_is_not_answered(script):
    source = SOURCE.replace("server.run()", "server.notified['acme/boom'] = lambda params: 1 / 0\nserver.run()")
    outcome = run_server(script(source), START + [{"jsonrpc": "2.0", "method": "acme/boom"}, PING], wrong=(2,))
    assert outcome.replies[1:] == [PONG]
    assert "ZeroDivisionError" in outcome.stderr


@pytest.mark.parametrize("request_id", ["1", 1, "", "007", 0, -5, 9007199254740993, "\u00e9\u2028", 10 ** 30])
def test_fr023_ids_come_back_with_value_and_type(probe, request_id):
    outcome = run_server(probe, [initialize(request_id="first"), request("ping", None, request_id)])
    reply = outcome.replies[1]
    assert reply["id"] == request_id and type(reply["id"]) is type(request_id)


def test_fr025_requests_before_initialized_are_answered(probe):
    outcome = run_server(probe, [initialize(), request("logging/setLevel", {"level": "error"}, 2), request("tools/list", None, 3), INITIALIZED])
    assert outcome.result(2) == {}
    assert len(outcome.result(3)["tools"]) == 3


def test_fr025_discover_as_the_very_first_line_then_initialize(probe):
    outcome = run_server(probe, [modern("server/discover", request_id=5), initialize(), PING])
    assert outcome.result(5)["supportedVersions"] == ["2026-07-28"]
    assert outcome.result(1)["protocolVersion"] == "2025-11-25"
    assert outcome.replies[-1] == PONG


def test_fr025_a_bare_request_first_is_refused_and_initialize_still_works(probe):
    outcome = run_server(probe, [request("tools/list", None, 7), initialize()], wrong=(0,))
    assert outcome.error(7) == {"code": -32602, "message":
                                "Invalid params: tools/list came before initialize and without io.modelcontextprotocol/protocolVersion "
                                "in _meta: send initialize first, or send the version and io.modelcontextprotocol/clientCapabilities "
                                "with every request"}
    assert outcome.result(1)["protocolVersion"] == "2025-11-25"


def test_ping_is_answered_before_anything(probe):
    assert run_server(probe, [PING]).replies == [PONG]


ARRAY = [PING, INITIALIZED, {"jsonrpc": "2.0", "id": 5, "method": "nope"}]


@pytest.mark.parametrize("revision", ["2024-11-05", "2025-06-18", "2025-11-25"])
def test_fr027_arrays_are_refused_where_they_do_not_exist(probe, revision):
    lines = [initialize(revision)] + [json.dumps(array).encode() for array in (ARRAY, [], [1])] + [PING]
    outcome = run_server(probe, lines, wrong=(1, 2, 3))
    assert [reply["error"]["code"] for reply in outcome.replies[1:4]] == [-32600] * 3
    assert outcome.replies[4:] == [PONG]


def test_fr027_arrays_work_in_the_revision_that_has_them(probe):
    lines = [initialize("2025-03-26"), json.dumps(ARRAY).encode(), b"[]", b"[1]", json.dumps([INITIALIZED]).encode(),
             json.dumps([initialize(request_id=8)]).encode(),
             json.dumps([call("slow", {"seconds": 0}, 11), call("leave", {}, 12), request("tools/list", None, 13)]).encode(), PING]
    outcome = run_server(probe, lines, judge=False)
    first = outcome.replies[1]
    assert sorted((reply["id"], "error" in reply) for reply in first) == [(5, True), (99, False)]
    assert outcome.replies[2]["error"]["code"] == -32600
    assert [reply["error"]["code"] for reply in outcome.replies[3]] == [-32600]
    assert [(reply["id"], reply["error"]["code"]) for reply in outcome.replies[4]] == [(8, -32600)]
    assert [reply["id"] for reply in outcome.replies[5]] == [11, 12, 13]
    assert outcome.replies[6:] == [PONG]


def test_fr027_an_array_before_initialize_is_refused(probe):
    outcome = run_server(probe, [json.dumps([initialize()]).encode(), initialize(request_id=3)], wrong=(0,))
    assert outcome.replies[0] == {"jsonrpc": "2.0", "id": None, "error": {
        "code": -32600, "message": "a message is a JSON object; arrays of messages exist in 2025-03-26 only"}}
    assert outcome.result(3)["protocolVersion"] == "2025-11-25"


@pytest.mark.parametrize("number, status", [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
@pytest.mark.parametrize("busy", [False, True])
def test_one_signal_ends_it_quietly(probe, number, status, busy):
    with ServerProcess(probe, judge=False) as server:
        server.start()
        if busy:
            server.send(call("slow", {"seconds": 30}))
            time.sleep(0.3)
        server.signal(number)
        assert server.process.wait(5) == status
        assert server.process.stderr.read() == b""


def test_a_signal_runs_the_cleanup_of_tool_and_script(script):
    source = '''
import sys, time
from mcplite import Server
server = Server("probe")
@server.tool
def slow() -> str:
    try:
        time.sleep(30)
    except Exception:
        print("swallowed", file=sys.stderr)
    finally:
        print("tool cleaned", file=sys.stderr)
try:
    server.run()
finally:
    print("script cleaned", file=sys.stderr)
'''
    with ServerProcess(script(source), judge=False) as server:
        server.start()
        server.send(call("slow", {}))
        time.sleep(0.3)
        server.signal(signal.SIGTERM)
        assert server.process.wait(5) == 143
        assert server.process.stderr.read().decode().splitlines() == ["tool cleaned", "script cleaned"]


def test_sys_exit_in_a_tool_is_a_tool_error(probe):
    outcome = run_server(probe, START + [call("leave", {}), PING])
    assert outcome.result(2) == {"content": [{"type": "text", "text": "The tool called sys.exit(3)"}], "isError": True}
    assert outcome.replies[-1] == PONG


def test_an_unknown_method_is_32601(probe):
    outcome = run_server(probe, START + [request("tools/nope"), request("tasks/list", None, 3), request("server/discover", None, 4)],
                         wrong=(2, 3, 4))
    assert outcome.error(2) == {"code": -32601, "message": "Method not found: tools/nope"}
    assert outcome.error(3)["code"] == outcome.error(4)["code"] == -32601


def test_the_dispatch_table_is_open(script):
    source = SOURCE.replace("server.run()", '''
server.handlers["acme/echo"] = lambda params, ctx: {"params": params, "revision": ctx.revision}
server.handlers["acme/bug"] = lambda params, ctx: 1 / 0
server.handlers["acme/unsendable"] = lambda params, ctx: {"x": float("nan")}
from mcplite import McpError
def refuse(params, ctx):
    raise McpError(-1, "no", {"why": "because"})
server.handlers["acme/refuse"] = refuse
server.run()''')
    outcome = run_server(script(source), START + [request("acme/echo", {"a": 1}), request("acme/bug", None, 3),
                                                  request("acme/unsendable", None, 4), request("acme/refuse", None, 5)], judge=False)
    assert outcome.result(2) == {"params": {"a": 1}, "revision": "2025-11-25"}
    assert outcome.error(3) == {"code": -32603, "message": "Internal error"}
    assert outcome.error(4)["code"] == -32603
    assert outcome.error(5) == {"code": -1, "message": "no", "data": {"why": "because"}}
    assert "ZeroDivisionError" in outcome.stderr


REPLACED = """
import sys
from mcplite import Server
server = Server("s")
%s
def initialize(params, ctx):
    ctx.log("info", "never sent: nothing is negotiated yet")
    return {"protocolVersion": ctx.revision, "capabilities": {}, "serverInfo": {"name": ctx.client_info["name"], "version": "1"}}
server.handlers["initialize"] = initialize
print("ready", file=sys.stderr, flush=True)
%s
"""


@pytest.mark.parametrize("before, after", [("", "server.run()"), ("server.poll(0)", "while server.poll(1): pass")])
def test_a_handler_in_the_place_of_initialize_gets_a_context(script, before, after):
    """Also where it is put there when a connection is open already."""
    with ServerProcess(script(REPLACED % (before, after))) as server:
        assert server.process.stderr.readline() == b"ready\n"
        assert server.start()["result"]["serverInfo"]["name"] == initialize()["params"]["clientInfo"]["name"]
        assert server.ask(PING) == PONG
        assert server.close() == 0
