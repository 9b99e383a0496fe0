"""Field reports, kind 7: progress, cancellation, logging; and a server that stays reachable while a tool works."""
import json
import time

import pytest
from harness import INITIALIZED, PING, PONG, ServerProcess, call, initialize, modern, request, run_server

START = [initialize(), INITIALIZED]
SOURCE = '''
import os, subprocess, sys, time, signal
from mcplite import Server
server = Server("probe")
kept = []

@server.tool
def steps(ctx) -> str:
    ctx.progress(0.5, 1.0, "half")
    ctx.progress(1.0, 1.0)
    return "done"

@server.tool
def backwards(ctx) -> str:
    for value in (1, 3, 2, 3, 3.5):
        ctx.progress(value)
    return "done"

@server.tool
def keep(ctx) -> str:
    if kept:
        kept[0].progress(9)
        kept[0].log("error", "late")
    kept.append(ctx)
    return "kept"
server.every(0.05, lambda: [(ctx.progress(10), ctx.log("error", "later")) for ctx in kept])

@server.tool
def levels(ctx) -> str:
    for level in ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"):
        ctx.log(level, {"at": level}, logger="probe")
    return "done"

@server.tool
def odd_data(ctx) -> str:
    ctx.log("error", {1, 2})
    ctx.log("error", object)
    ctx.log("error", float("nan"))
    ctx.log("error", 10 ** 5000)
    ctx.log("error", {"a": Textless()})
    nested = []
    for _ in range(100000):
        nested = [nested]
    ctx.log("error", nested)
    return "done"

class Textless:
    def __str__(self): raise RuntimeError("no text")
    __repr__ = __str__

@server.tool
def bad_level(ctx) -> str:
    ctx.log("WARN", "x")

@server.tool
def wrong_reports(ctx) -> str:
    found = []
    for report in (lambda: ctx.progress("half"), lambda: ctx.progress(True), lambda: ctx.progress(float("nan")),
                   lambda: ctx.progress(1, float("inf")), lambda: ctx.progress(1, message=5), lambda: ctx.progress(None),
                   lambda: ctx.log(["info"], "x"), lambda: ctx.log("error", "x", logger=5)):
        try:
            report()
            found.append("taken")
        except ValueError as error:
            found.append(str(error))
    ctx.progress(0.5)
    return "\\n".join(found)

@server.tool
def sleep(seconds: float) -> str:
    time.sleep(seconds)
    return "slept"

@server.tool
def compute(seconds: float) -> str:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        pass
    return "computed"

@server.tool
def child(seconds: float) -> str:
    subprocess.run(["sleep", str(seconds)])
    return "waited"

@server.tool
def listen_socket(seconds: float) -> str:
    import socket
    one, two = socket.socketpair()
    one.settimeout(seconds)
    try:
        one.recv(1)
    except socket.timeout:
        return "timed out"

@server.tool
def stubborn(seconds: float) -> str:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            time.sleep(0.05)
        except Exception:
            pass
    return "stubborn"

@server.tool
def deaf(seconds: float) -> str:
    try:
        time.sleep(seconds)
    except BaseException:
        pass
    return "deaf"

@server.tool(timeout=0.3)
def limited(seconds: float) -> str:
    time.sleep(seconds)
    return "slept"

@server.tool(timeout=0.3)
def limited_in_c() -> int:
    import sqlite3
    database = sqlite3.connect(":memory:")
    database.set_progress_handler(lambda: 0, 1000)      # C code calls this and drops what is raised in it
    sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    return database.execute(sql).fetchone()[0]

@server.tool
def own_alarm() -> str:
    hits = []
    signal.signal(signal.SIGALRM, lambda *a: hits.append(1))
    signal.alarm(1)
    time.sleep(1.3)
    signal.alarm(0)
    return "%d" % len(hits)

server.run()
'''


@pytest.fixture
def probe(script):
    return script(SOURCE)


def text_of(result):
    return result["content"][0]["text"]


@pytest.mark.parametrize("token, sent", [(0, True), ("", True), ("a", True), (7, True), (1.5, False), (None, False), (True, False), ([1], False)])
def test_fr053_tokens_zero_and_empty_are_tokens(probe, token, sent):
    message = call("steps", {}, 0, _meta={"progressToken": token})
    outcome = run_server(probe, START + [message], wrong=() if sent else (2,))
    expected = [{"progressToken": token, "progress": 0.5, "total": 1.0, "message": "half"},
                {"progressToken": token, "progress": 1.0, "total": 1.0}]
    seen = outcome.notifications("notifications/progress")
    assert seen == (expected if sent else [])
    assert all(type(params["progressToken"]) is type(token) for params in seen)
    assert text_of(outcome.result(0)) == "done"


def test_fr053_without_a_token_nothing_is_sent(probe):
    outcome = run_server(probe, START + [call("steps", {})])
    assert outcome.notifications("notifications/progress") == []


def test_fr053_request_zero_can_be_cancelled(probe):
    with ServerProcess(probe) as server:
        server.start()
        server.send(call("sleep", {"seconds": 20}, 0))
        time.sleep(0.1)
        server.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 0}})
        assert server.ask(PING) == PONG
        server.open_ids = (0,)
        assert server.ask(call("steps", {}, 1000))["id"] == 1000        # served at once, not after the 20 s


def test_progress_messages_are_kept_from_the_oldest_revision(probe):
    message = call("steps", {}, 2, _meta={"progressToken": 1})
    outcome = run_server(probe, [initialize("2024-11-05"), message])
    assert outcome.notifications("notifications/progress")[0] == {"progressToken": 1, "progress": 0.5, "total": 1.0}


def test_progress_only_increases(probe):
    outcome = run_server(probe, START + [call("backwards", {}, 2, _meta={"progressToken": 1})])
    assert [params["progress"] for params in outcome.notifications("notifications/progress")] == [1, 3, 3.5]


def test_fr054_a_kept_context_is_dead(probe):
    with ServerProcess(probe) as server:
        server.start()
        assert text_of(server.ask(call("keep", {}, 2, _meta={"progressToken": 1}))["result"]) == "kept"
        server.receive_none(0.3)
        assert text_of(server.ask(call("keep", {}, 3))["result"]) == "kept"
        assert server.seen == []


def cancelled(request_id, **more):
    return {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": dict({"requestId": request_id}, **more)}


def test_fr056_cancelling_what_is_not_running_writes_nothing(probe):
    lines = [cancelled(12345), cancelled("2"), cancelled(1), {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {}},
             {"jsonrpc": "2.0", "method": "notifications/cancelled"}, cancelled(None), cancelled([2]), cancelled(2.0), cancelled(True)]
    outcome = run_server(probe, START + [call("steps", {})] + lines + [PING], wrong=tuple(range(3, 12)))
    assert [reply["id"] for reply in outcome.replies] == [1, 2, 99]


@pytest.mark.parametrize("request_id, other", [(2, "2"), ("2", 2), (2, 2.0), (1, True)])
def test_fr056_an_id_of_another_type_cancels_nothing(probe, request_id, other):
    first = initialize(request_id="first")
    outcome = run_server(probe, [first, INITIALIZED, call("sleep", {"seconds": 0.6}, request_id), cancelled(other), PING], wrong=(3,))
    assert text_of(outcome.result(request_id)) == "slept"


def test_fr056_a_tool_that_swallows_its_cancellation_is_not_answered(probe):
    with ServerProcess(probe) as server:
        server.start()
        server.send(call("deaf", {"seconds": 20}))
        time.sleep(0.3)
        server.send(cancelled(2))
        assert server.ask(call("steps", {}, 3))["id"] == 3
        server.open_ids = (2,)
        assert server.close() == 0


@pytest.mark.parametrize("tool", ["sleep", "compute", "child", "listen_socket", "stubborn"])
def test_fr056_a_working_tool_is_cancelled_within_half_a_second(probe, tool):
    with ServerProcess(probe) as server:
        server.start()
        server.send(call(tool, {"seconds": 20}))
        time.sleep(0.4)
        started = time.monotonic()
        server.send(cancelled(2, reason="the user did"), PING)
        assert server.receive() == PONG
        assert text_of(server.ask(call("steps", {}, 3), 5)["result"]) == "done"
        assert time.monotonic() - started < 1.5
        server.open_ids = (2,)
        assert server.close() == 0
        assert server.stderr == ""


@pytest.mark.parametrize("tool", ["sleep", "compute", "child", "listen_socket"])
def test_a_ping_is_answered_while_a_tool_works(probe, tool):
    with ServerProcess(probe) as server:
        server.start()
        server.send(call(tool, {"seconds": 1.5}))
        time.sleep(0.3)
        started = time.monotonic()
        server.send(PING)
        assert server.receive() == PONG
        assert time.monotonic() - started < 0.8
        assert server.receive()["id"] == 2


def test_a_queued_request_can_be_cancelled_before_it_runs(probe):
    with ServerProcess(probe) as server:
        server.start()
        server.send(call("sleep", {"seconds": 0.7}), call("steps", {}, 3), call("steps", {}, 4), cancelled(3))
        assert server.receive()["id"] == 2
        assert server.receive()["id"] == 4
        server.receive_none(0.2)
        server.open_ids = (3,)


def test_cancel_in_the_same_write_as_its_request(probe):
    with ServerProcess(probe) as server:
        server.start()
        server.send(call("sleep", {"seconds": 20}), cancelled(2), PING)
        assert server.receive() == PONG
        server.open_ids = (2,)


def test_the_time_limit_of_a_tool(probe):
    outcome = run_server(probe, START + [call("limited", {"seconds": 10}), call("limited", {"seconds": 0}, 3), PING])
    assert outcome.error(2) == {"code": -32001, "message": "Request timed out: its time limit has passed"}
    assert text_of(outcome.result(3)) == "slept"
    assert PONG in outcome.replies


def test_the_time_limit_of_a_tool_in_2026_07_28(probe):
    outcome = run_server(probe, [modern("tools/call", {"name": "limited", "arguments": {"seconds": 10}})])
    result = outcome.result(2)
    assert result["isError"] is True and text_of(result) == "The tool's time limit has passed"


def test_the_time_limit_of_a_tool_that_c_code_made_an_error_of_its_own(probe):
    pytest.importorskip("sqlite3")
    outcome = run_server(probe, START + [call("limited_in_c", {})])
    assert outcome.error(2) == {"code": -32001, "message": "Request timed out: its time limit has passed"}
    outcome = run_server(probe, [modern("tools/call", {"name": "limited_in_c", "arguments": {}})])
    assert text_of(outcome.result(2)) == "The tool's time limit has passed"


def test_the_time_limit_of_the_server(script):
    outcome = run_server(script(SOURCE.replace('Server("probe")', 'Server("probe", timeout=0.3)')), START + [call("sleep", {"seconds": 10})])
    assert outcome.error(2)["code"] == -32001


def test_a_tool_that_uses_sigalrm_itself_works_and_the_server_recovers(probe):
    with ServerProcess(probe) as server:
        server.start()
        assert text_of(server.ask(call("own_alarm", {}), 10)["result"]) == "1"
        server.send(call("sleep", {"seconds": 20}, 3))
        time.sleep(0.4)
        server.send(cancelled(3), PING)
        assert server.receive(3) == PONG
        server.open_ids = (3,)


RESTORED = SOURCE.replace("server.run()", '''
def mine(*a):
    print("my alarm", file=sys.stderr)
signal.signal(signal.SIGALRM, mine)
signal.setitimer(signal.ITIMER_REAL, 1000, 2000)
server.run()
assert signal.getsignal(signal.SIGALRM) is mine
left, interval = signal.getitimer(signal.ITIMER_REAL)
assert 900 < left <= 1000 and interval == 2000, (left, interval)
assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
''')


def test_the_users_alarm_and_handlers_are_put_back(script):
    outcome = run_server(script(RESTORED), START + [call("sleep", {"seconds": 0.5})])
    assert (outcome.status, outcome.stderr) == (0, "")


WITHOUT_TICK = '''
import time, threading
from mcplite import Server
server = Server("probe", interrupt=INTERRUPT)

@server.tool
def work(ctx) -> str:
    for step in range(100):
        time.sleep(0.05)
        POINT
    return "worked"

START
'''


@pytest.mark.parametrize("point", ["ctx.checkpoint()", "ctx.progress(step)", "ctx.log('debug', step)"])
@pytest.mark.parametrize("interrupt, start", [
    ("False", "server.run()"),
    ("True", "thread = threading.Thread(target=server.run); thread.start(); thread.join()")])
def test_without_a_tick_the_checkpoints_notice(script, point, interrupt, start):
    path = script(WITHOUT_TICK.replace("INTERRUPT", interrupt).replace("POINT", point).replace("START", start))
    with ServerProcess(path) as server:
        server.start()
        server.send(call("work", {}))
        time.sleep(0.3)
        server.send(PING)
        assert server.receive(2) == PONG
        server.send(cancelled(2), PING)
        assert server.receive(2) == PONG
        server.open_ids = (2,)
        assert server.close() == 0


def test_fr057_levels_filter(probe):
    lines = START + [request("logging/setLevel", {"level": "warning"}, 2), call("levels", {}, 3),
                     request("logging/setLevel", {"level": "WARN"}, 4), request("logging/setLevel", {"level": 3}, 5), call("levels", {}, 6)]
    outcome = run_server(probe, lines, wrong=(4, 5))
    seen = outcome.notifications("notifications/message")
    wanted = [{"level": level, "logger": "probe", "data": {"at": level}} for level in ("warning", "error", "critical", "alert", "emergency")]
    assert seen == wanted + wanted
    assert outcome.error(4)["code"] == outcome.error(5)["code"] == -32602
    order = [reply.get("id", "log") for reply in outcome.replies]
    assert order == [1, 2] + ["log"] * 5 + [3, 4, 5] + ["log"] * 5 + [6]


def test_fr057_data_that_is_not_json_never_breaks_the_call(probe):
    outcome = run_server(probe, START + [call("odd_data", {})])
    assert text_of(outcome.result(2)) == "done"
    seen = [params["data"] for params in outcome.notifications("notifications/message")]
    assert seen[:3] == [[1, 2], "<class 'object'>", "nan"] and seen[4] == "<dict without a text>"
    assert len(seen) == 6               # the 5000 digits and the 100000 levels: as each interpreter can


def test_a_level_that_does_not_exist_is_the_tools_error(probe):
    outcome = run_server(probe, START + [call("bad_level", {})])
    assert outcome.result(2)["isError"] is True
    assert text_of(outcome.result(2)) == "log level 'WARN' is none of debug, info, notice, warning, error, critical, alert, emergency"


@pytest.mark.parametrize("meta", [{}, {"progressToken": 1}])
def test_wrong_reports_are_errors_of_one_line_and_send_nothing(probe, meta):
    outcome = run_server(probe, START + [call("wrong_reports", {}, 2, _meta=meta)])
    number, levels = "must be a finite number, int or float, not ", "is none of debug, info, notice, warning, error, critical, alert, emergency"
    assert text_of(outcome.result(2)).splitlines() == [
        "progress " + number + "'half'", "progress " + number + "True", "progress " + number + "nan", "total " + number + "inf",
        "message must be a text or None, not 5", "progress " + number + "None", "log level ['info'] " + levels,
        "logger must be a text or None, not 5"]
    sent = [{"progressToken": 1, "progress": 0.5}] if meta else []
    assert outcome.notifications("notifications/progress") == sent and outcome.notifications("notifications/message") == []


def test_fr057_modern_requests_log_only_what_they_ask_for(probe):
    outcome = run_server(probe, [modern("tools/call", {"name": "levels", "arguments": {}}),
                                 modern("tools/call", {"name": "levels", "arguments": {}}, 3, logLevel="alert")])
    assert [params["level"] for params in outcome.notifications("notifications/message")] == ["alert", "emergency"]


LOGGING = '''
import logging, threading
from mcplite import Server
server = Server("probe")
logging.basicConfig(level=logging.DEBUG, handlers=[server.logging_handler()], format="%(message)s")

@server.tool
def work() -> str:
    logging.getLogger("acme").warning("stock of %s is low", "KB-201")
    logging.getLogger("acme").debug("not wanted")
    thread = threading.Thread(target=logging.error, args=("from a thread",))
    thread.start()
    thread.join()
    return "done"

server.every(0.05, lambda: None)
server.run()
'''


def test_python_log_records_reach_the_client(script):
    with ServerProcess(script(LOGGING)) as server:
        server.start()
        server.ask(call("work", {}))
        assert [message["params"] for message in server.seen] == [
            {"level": "warning", "logger": "acme", "data": "stock of KB-201 is low"}]
        assert server.receive()["params"] == {"level": "error", "logger": "root", "data": "from a thread"}


def test_replies_do_not_wait_for_a_slow_neighbour(probe):
    with ServerProcess(probe) as server:
        server.start()
        started = time.monotonic()
        server.send(call("steps", {}, 2), call("sleep", {"seconds": 0.15}, 3), call("sleep", {"seconds": 1.5}, 4))
        assert server.receive()["id"] == 2
        assert server.receive()["id"] == 3
        assert time.monotonic() - started < 1.2
        assert server.receive()["id"] == 4


def test_progress_leaves_at_once_and_alone(probe):
    source = json.dumps(call("steps", {}, 2, _meta={"progressToken": 1}))
    with ServerProcess(probe) as server:
        server.start()
        server.send(source.encode())
        assert [server.receive().get("method") for _ in range(3)] == ["notifications/progress"] * 2 + [None]
