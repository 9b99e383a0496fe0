"""Attempts to break a server or a client from outside: tools that fork, exceptions that cannot be told, hosts that do strange things.

Here: what no other file of tests tries. Each case ends with a session that lives, or with one clear error.
"""
from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest
from client_helpers import wait_dead
from harness import INITIALIZED, PING, PONG, SOURCE, ServerProcess, call, environment, initialize, run_server, to_line

from mcplite import Client, McpError

START = [initialize(), INITIALIZED]
HEAD = "import os, signal, sys, threading, time\nfrom mcplite import Context, Server, ToolError, McpError\nserver = Server('probe')\n"

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")


def tool_script(body, before="", after="server.run()"):
    lines = "".join("    %s\n" % line for line in body.splitlines())
    return "%s%s\n@server.tool\ndef t():\n%s\n%s\n" % (HEAD, before, lines, after)


def outcome_of(script, body, **more):
    """Call the tool and ping after it; the session must live. Return the tool's result and the outcome."""
    outcome = run_server(script(tool_script(body, **more)), START + [call("t", {}), PING])
    assert outcome.by_id(99) == PONG and outcome.status == 0, outcome.stderr
    return outcome.result(2), outcome


# Forks: a copy of the server has no part in the conversation


@pytest.mark.parametrize("child", ["return 'child'", "sys.exit(0)", "raise ValueError('child')", "raise ToolError('child')"])
def test_a_forked_child_that_comes_back_answers_nothing(script, child):
    body = "if os.fork() == 0:\n    %s\nos.wait()\nreturn 'parent'" % child
    result, outcome = outcome_of(script, body)
    assert result["content"][0]["text"] == "parent"
    assert [reply["id"] for reply in outcome.replies if reply["id"] != 99] == [1, 2]


def test_a_forked_child_ends_with_the_status_it_asked_for(script):
    result, outcome = outcome_of(script, "if os.fork() == 0:\n    sys.exit(7)\nreturn os.WEXITSTATUS(os.wait()[1])")
    assert result["content"][0]["text"] == "7" and "Traceback" not in outcome.stderr


def test_a_forked_child_does_not_run_the_requests_that_wait(script):
    before = "@server.tool\ndef note():\n    os.write(2, b'noted;')\n"
    path = script(tool_script("if os.fork() == 0:\n    return\nos.wait()", before))
    outcome = run_server(path, START + [call("t", {}), call("note", {}, 3)])
    assert outcome.stderr.count("noted;") == 1 and len(outcome.replies) == 3


def test_a_forked_child_that_lives_on_does_not_keep_the_hosts_pipe_open(script, tmp_path):
    note = str(tmp_path / "pid")
    body = "pid = os.fork()\nif pid == 0:\n    time.sleep(30)\n    os._exit(0)\nopen(%r, 'w').write(str(pid))" % note
    with open(os.devnull, "wb") as nothing:
        process = subprocess.Popen([sys.executable, script(tool_script(body))], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=nothing, env=environment())
    try:
        output, _ = process.communicate(b"\n".join(map(to_line, START + [call("t", {})])), timeout=15)
        assert output.count(b"\n") == 2
    finally:
        with open(note) as file:
            os.kill(int(file.read()), signal.SIGKILL)


def test_a_forked_worker_is_ended_like_any_process(script):
    body = ("import multiprocessing\nworker = multiprocessing.get_context('fork').Process(target=time.sleep, args=(30,))\n"
            "worker.start()\nworker.terminate()\nworker.join()\nreturn worker.exitcode")
    result, outcome = outcome_of(script, body)
    assert result["content"][0]["text"] == str(-signal.SIGTERM) and outcome.stderr == ""


POLLED_FORK = tool_script("if os.fork() == 0:\n    return 'child'\nos.wait()\nreturn 'parent'",
                          after="while server.poll(0.05):\n    pass\n")


def test_a_fork_inside_another_programs_loop(script):
    outcome = run_server(script(POLLED_FORK), START + [call("t", {}), PING])
    assert [reply["id"] for reply in outcome.replies if reply["id"] != 99] == [1, 2] and outcome.by_id(99) == PONG


FORKED_STREAMS = tool_script("if os.fork() == 0:\n    return 'child'\nos.wait()\nreturn 'parent'",
                             after="server.serve(sys.stdin.buffer, sys.stdout.buffer)\n")


def test_a_fork_while_serving_streams(script):
    outcome = run_server(script(FORKED_STREAMS), START + [call("t", {}), PING])
    assert sorted(reply["id"] for reply in outcome.replies) == [1, 2, 99]


SERVER = "import sys\nfrom mcplite import Server\nserver = Server('x')\n\n@server.tool\ndef t(): return 'hi'\n\nserver.run()\n"


def run_forked(function):
    """Run ``function`` in a forked copy of this process; return its exit status."""
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            status = function()
        finally:
            os._exit(status)
    return os.WEXITSTATUS(os.waitpid(pid, 0)[1])


def test_a_forked_copy_of_a_client_ends_nothing(script):
    def try_and_close():
        with client:
            try:
                client.call_tool("t")
            except McpError as error:
                return 5 if "forked" in str(error) else 6
        return 7

    with Client([sys.executable, script(SERVER)], env={"PYTHONPATH": SOURCE}) as client:
        assert run_forked(try_and_close) == 5
        assert client.call_tool("t")["content"][0]["text"] == "hi"


def test_a_forked_copy_of_a_client_does_not_keep_its_server_alive(script):
    client = Client([sys.executable, script(SERVER)], env={"PYTHONPATH": SOURCE}, close_timeout=20)
    server = client._connection.link.process.pid
    pid = os.fork()
    if pid == 0:
        time.sleep(30)
        os._exit(0)
    try:
        since = time.monotonic()
        client.close()
        assert time.monotonic() - since < 10 and wait_dead([server]) == []
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


# Exceptions that cannot be told, hooks that end the process


@pytest.mark.parametrize("body, text", [
    ("raise GeneratorExit()", "GeneratorExit"),
    ("class Mute(Exception):\n    def __str__(self): raise ValueError('no')\nraise Mute()", "Mute"),
    ("class Mute(Exception):\n    def __str__(self): return 5\nraise Mute()", "Mute"),
    ("sys.excepthook = lambda *about: sys.exit(3)\nraise ValueError('told')", "told"),
    ("sys.excepthook = lambda *about: 1 / 0\nraise ValueError('told')", "told"),
    ("sys.excepthook = None\nraise ValueError('told')", "told"),
    ("del sys.excepthook\nraise ValueError('told')", "told"),
])
def test_any_exception_is_a_tool_error(script, body, text):
    result, outcome = outcome_of(script, body)
    assert result["isError"] and result["content"][0]["text"] == text


@pytest.mark.parametrize("member", ["def __str__(self): sys.exit(1)", "@property\n    def __class__(self): raise ValueError"])
def test_an_exception_that_fights_back_is_an_error_and_the_server_lives(script, member):
    outcome = run_server(script(tool_script("class Hostile(Exception):\n    %s\nraise Hostile()" % member)), START + [call("t", {}), PING])
    assert outcome.error(2)["code"] == -32603 and outcome.by_id(99) == PONG and outcome.status == 0


# Hosts that read nothing, signals that a tool swallows, outputs that take nothing


def test_a_signal_that_a_tool_swallows_still_ends_it(script):
    with ServerProcess(script(tool_script("os.write(2, b'here')\ntry:\n    time.sleep(20)\nexcept BaseException:\n    return"))) as server:
        server.start()
        server.open_ids = (2,)
        server.send(call("t", {}))
        assert server.peek_stderr() == "here"
        server.signal(signal.SIGTERM)
        assert server.process.wait(10) == 128 + signal.SIGTERM


@pytest.mark.parametrize("how", ["end of input", "signal"])
def test_a_standard_error_that_nobody_reads_does_not_hold_up_the_end(script, how):
    body = "for _ in range(1000):\n    print('x' * 1000)"
    process = subprocess.Popen([sys.executable, script(tool_script(body))], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, env=environment())
    with process:
        try:
            process.stdin.write(b"\n".join(map(to_line, START + [call("t", {})])) + b"\n")
            process.stdin.flush()
            process.stdout.readline()
            time.sleep(0.3)                             # now it stands in a print
            process.stdin.write(to_line({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}}) + b"\n")
            process.stdin.write(to_line(PING) + b"\n")
            process.stdin.flush()
            assert b'"id":99' in process.stdout.readline()
            if how == "signal":
                process.send_signal(signal.SIGTERM)
            else:
                process.stdin.close()
            assert process.wait(10) == (143 if how == "signal" else 0)
        finally:
            process.kill()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_an_output_that_is_full_is_told_once(script):
    with open("/dev/full", "wb") as full:
        done = subprocess.run([sys.executable, script(tool_script("return 1"))], input=b"\n".join(map(to_line, START + [PING, PING])),
                              stdout=full, stderr=subprocess.PIPE, env=environment(), timeout=20)
    lines = done.stderr.decode().splitlines()
    assert len(lines) == 1 and lines[0].startswith("mcplite: the output cannot be written") and "space" in lines[0]


@pytest.mark.parametrize("again", ["server.run()", "server.poll()", "Server('other').run()"])
def test_a_second_owner_of_the_standard_streams_is_refused(script, again):
    result, _ = outcome_of(script, again)
    assert result["isError"] and "serve a client already" in result["content"][0]["text"]


def test_run_after_poll_is_refused(script):
    outcome = run_server(script(tool_script("return 1", after="server.poll(5)\nserver.run()")), START, end=b"")
    assert outcome.status == 1 and outcome.stderr.splitlines()[-1].startswith("RuntimeError: standard input and output serve a client already")


@pytest.mark.parametrize("body", ["sys.stdout.write('noise'); os.close(1)", "sys.stderr.write('noise'); os.close(1); os.close(2)",
                                  "os.close(0); os.close(1); os.close(2); sys.stdout.write('noise')"])
def test_text_left_over_for_a_closed_descriptor_never_reaches_the_wire(script, body):
    outcome = run_server(script(tool_script(body)), START + [call("t", {}), PING])
    assert outcome.by_id(99) == PONG and len(outcome.replies) == 3 and b"noise" not in outcome.raw


# Clients


STORY = """import json, sys
for line in sys.stdin:
    message = json.loads(line)
    method, answer = message.get("method"), None
    if method == "initialize":
        answer = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "x", "version": "0"}}
    elif method == "tools/call":
        print(json.dumps({"jsonrpc": "2.0", "id": "q", "method": "elicitation/create", "params": {
            "message": "?", "requestedSchema": {"type": "object", "properties": {}}}}), flush=True)
    elif method == "ping":
        answer = {}
    if answer is not None:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": answer}), flush=True)
"""


@pytest.mark.parametrize("error", [SystemExit(3), KeyboardInterrupt(), GeneratorExit()])
def test_what_ends_a_program_leaves_a_callback_and_the_call(script, error):
    def ask(params):
        raise error

    with Client([sys.executable, script(STORY)], on_elicit=ask, revision="handshake", timeout=20) as client:
        with pytest.raises(type(error)):
            client.call_tool("t")
        client.ping()


def test_a_callback_that_closes_the_client_is_told(script):
    with Client([sys.executable, script(STORY)], on_elicit=lambda params: client.close(), revision="handshake") as client:
        with pytest.raises(McpError, match="closed before tools/call"):
            client.call_tool("t")


NO_DESCRIPTORS = """
import glob, os, resource, sys, tempfile
from mcplite import Client, McpError
import subprocess, shutil, shlex
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
LEAKY = sys.version_info < (3, 11)       # there subprocess.Popen itself keeps pipes it made before it ran out
before = sorted(os.listdir("/proc/self/fd"))
texts = set()
for more in range(12):
    resource.setrlimit(resource.RLIMIT_NOFILE, (3 + more, hard))
    try:
        Client([sys.executable, "-c", ""]).close()
    except McpError as error:
        texts.add(str(error).split(" (")[0])
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
assert LEAKY or sorted(os.listdir("/proc/self/fd")) == before
assert os.listdir(tempfile.gettempdir()) == [], os.listdir(tempfile.gettempdir())
assert "cannot start the server: Too many open files" in texts, texts
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="no /proc here: open descriptors cannot be counted")
def test_a_client_without_descriptors_says_so_and_leaves_nothing(script, tmp_path):
    (tmp_path / "temporary").mkdir()
    done = subprocess.run([sys.executable, script(NO_DESCRIPTORS)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60,
                          env=environment(TMPDIR=str(tmp_path / "temporary")))
    assert done.returncode == 0, done.stdout.decode()
