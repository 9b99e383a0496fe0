"""Field reports, kind 2: standard input and output belong to the protocol while a server runs, and to nobody else."""
import io
import json
import os
import subprocess
import sys

import pytest
from harness import INITIALIZED, PING, PONG, SINGLE, ServerProcess, call, environment, initialize, request, run_server

START = [initialize(), INITIALIZED]
HEAD = "import os, subprocess, sys\nfrom mcplite import Server\nserver = Server('probe')\n\n"


def tool_script(body, before="", after="server.run()\n"):
    return HEAD + before + "@server.tool\ndef t() -> str:\n" + "".join("    %s\n" % line for line in body.splitlines()) + "\n" + after


def text_of(outcome):
    return outcome.result(2)["content"][0]["text"]


@pytest.mark.parametrize("noise", [
    'print("noise")',
    'sys.stdout.write("noise")',
    'sys.stdout.buffer.write(b"noise")',
    'os.write(1, b"noise")',
    'os.system("echo noise")',
    'subprocess.run([sys.executable, "-c", "print(\'noise\')"])',
    'import logging; logging.StreamHandler(sys.stdout).emit(logging.makeLogRecord({"msg": "noise"}))',
    'import ctypes; ctypes.CDLL(None).puts(b"noise"); ctypes.CDLL(None).fflush(None)',
    'pid = os.fork()\nif not pid:\n    print("noise", flush=True)\n    os._exit(0)\nos.waitpid(pid, 0)',
    'import multiprocessing; p = multiprocessing.get_context("fork").Process(target=print, args=("noise",)); p.start(); p.join()',
])
def test_fr011_nothing_a_tool_writes_reaches_the_wire(script, noise):
    outcome = run_server(script(tool_script(noise + '\nreturn "ok"')), START + [call("t", {}), PING])
    assert text_of(outcome) == "ok"
    assert "noise" in outcome.stderr and b"noise" not in outcome.raw
    assert outcome.replies[-1] == PONG


def test_fr011_printed_text_that_the_locale_lacks_does_not_raise(script):
    outcome = run_server(script(tool_script('print("\\u2713"); return "ok"')), START + [call("t", {})],
                         PYTHONIOENCODING="ascii:strict", LC_ALL="C")
    assert text_of(outcome) == "ok" and "\\u2713" in outcome.stderr


def test_fr012_a_banner_that_is_still_in_the_buffer_goes_to_stderr(script):
    source = tool_script('return "ok"', before='print("starting", end="")\n')
    outcome = run_server(script(source), START + [call("t", {})])
    assert outcome.raw[:1] == b"{" and "starting" in outcome.stderr


def test_fr014_a_child_reads_the_end_of_input_at_once(script):
    body = 'r = subprocess.run([sys.executable, "-c", "import sys; print(len(sys.stdin.read()))"], capture_output=True)\n' \
           'return r.stdout.decode().strip()'
    outcome = run_server(script(tool_script(body)), START + [call("t", {}), PING])
    assert text_of(outcome) == "0"
    assert outcome.replies[-1] == PONG


def test_fr014_input_in_a_tool_is_at_its_end(script):
    outcome = run_server(script(tool_script('try:\n    return input()\nexcept EOFError:\n    return "end"')), START + [call("t", {}), PING])
    assert text_of(outcome) == "end"
    assert outcome.replies[-1] == PONG


@pytest.mark.parametrize("body", [
    'return subprocess.run([sys.executable, "-c", "import sys; print(len(sys.stdin.read()))"], capture_output=True, timeout=5).stdout.decode().strip()',
    'return str(len(os.read(0, 100)))'])
def test_fr014_the_input_is_out_of_reach_while_the_host_keeps_it_open(script, body):
    """All lines at once would prove nothing: the server has read them before the tool runs."""
    with ServerProcess(script(tool_script(body))) as server:
        server.start()
        assert server.ask(call("t", {}))["result"]["content"][0]["text"] == "0"
        assert server.ask(PING) == PONG


NO_STREAMS = '''
import io, sys
sys.stdin = sys.stdout = None
from mcplite import Server
server = Server("probe")
reader = io.BytesIO(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\\n')
writer = io.BytesIO()
server.serve(reader, writer)
print(writer.getvalue().decode(), end="", file=sys.stderr)
try:
    server.run()
except RuntimeError as error:
    print(error, file=sys.stderr)
'''


def test_fr016_without_standard_streams_explicit_ones_work_and_run_says_so(script):
    done = subprocess.run([sys.executable, script(NO_STREAMS)], stderr=subprocess.PIPE, env=environment(), timeout=20)
    assert done.stderr.decode().splitlines() == [
        '{"jsonrpc":"2.0","id":1,"result":{}}',
        "run() needs a standard input and output, and this interpreter has none: "
        "use serve(reader, writer) with two binary streams"]


@pytest.mark.parametrize("descriptor", [0, 1])
def test_fr016_a_descriptor_closed_by_the_script_is_one_clear_error(script, descriptor):
    """Python still has its stream objects: only the descriptor tells."""
    path = script(HEAD + "os.close(%d)\nserver.run()\n" % descriptor)
    done = subprocess.run([sys.executable, path], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=environment(), timeout=20)
    assert done.returncode != 0
    assert "RuntimeError: run() needs a standard input and output" in done.stderr.decode()


@pytest.mark.parametrize("closing", ["0<&-", "1>&-"])
def test_fr016_a_closed_descriptor_is_one_clear_error(script, closing):
    path = script(HEAD + "server.run()\n")
    done = subprocess.run("exec %s %s %s" % (sys.executable, path, closing), shell=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(), timeout=20)
    assert done.returncode == 1
    assert done.stderr.decode().splitlines()[-1].startswith("RuntimeError: run() needs a standard input and output")


def test_a_server_without_stderr_serves_and_stays_pure(script):
    path = script(tool_script('print("noise"); os.write(1, b"noise"); return "ok"'))
    lines = b"".join(json.dumps(m).encode() + b"\n" for m in START + [call("t", {})])
    done = subprocess.run("exec %s %s 2>&-" % (sys.executable, path), shell=True, input=lines, stdout=subprocess.PIPE,
                          env=environment(), timeout=20)
    assert done.returncode == 0 and b"noise" not in done.stdout and done.stdout.count(b"\n") == 2


def test_run_gives_everything_back(script):
    source = tool_script('return "ok"', after='''
before = os.fstat(0), os.fstat(1), sys.stdout.errors, sys.stdout.line_buffering
server.run()
assert (os.fstat(0), os.fstat(1), sys.stdout.errors, sys.stdout.line_buffering) == before
print("after")
print("read:", repr(sys.stdin.read()))
''')
    path = script(source)
    lines = b"".join(json.dumps(m).encode() + b"\n" for m in START + [call("t", {})])
    done = subprocess.run([sys.executable, path], input=lines, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(), timeout=20)
    assert done.stderr == b"" and done.returncode == 0
    assert done.stdout.decode().splitlines()[-2:] == ["after", "read: ''"]


def test_serve_works_over_bytes_in_memory():
    from mcplite import Server

    writer = io.BytesIO()
    Server("probe").serve(io.BytesIO(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n' * 3), writer)
    assert writer.getvalue() == b'{"jsonrpc":"2.0","id":1,"result":{}}\n' * 3


def pipe_pair(kind):
    import socket

    if kind == "pipe":
        read_fd, write_fd = os.pipe()
        return os.fdopen(read_fd, "rb"), os.fdopen(write_fd, "wb")
    if kind == "raw pipe":
        read_fd, write_fd = os.pipe()
        return os.fdopen(read_fd, "rb", 0), os.fdopen(write_fd, "wb", 0)
    left, right = socket.socketpair()
    streams = left.makefile("rb"), right.makefile("wb")
    left.close()
    right.close()
    return streams


@pytest.mark.parametrize("kind", ["pipe", "raw pipe", "socket"])
def test_serve_works_over_every_kind_of_stream(kind):
    from mcplite import Server

    reader, feed = pipe_pair(kind)
    result, writer = pipe_pair(kind)
    feed.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n{"jsonrpc":"2.0","id":2,"method":"ping"}')
    feed.close()
    server = Server("probe")
    ticks = []
    server.every(0.01, lambda: ticks.append(1))
    server.serve(reader, writer)
    writer.close()
    assert result.read() == b'{"jsonrpc":"2.0","id":1,"result":{}}\n{"jsonrpc":"2.0","id":2,"result":{}}\n'
    for stream in (reader, result):
        stream.close()


def test_a_socket_as_standard_streams(script):
    import socket

    ours, theirs = socket.socketpair()
    process = subprocess.Popen([sys.executable, script(tool_script('return "ok"'))], stdin=theirs, stdout=theirs,
                               stderr=subprocess.PIPE, env=environment())
    theirs.close()
    ours.sendall(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    assert ours.recv(1000) == b'{"jsonrpc":"2.0","id":1,"result":{}}\n'
    ours.shutdown(socket.SHUT_WR)
    assert process.wait(10) == 0
    assert process.stderr.read() == b""
    process.stderr.close()
    ours.close()


def test_non_blocking_pipes_from_the_host_work(script):
    path = script(tool_script('return "x" * 3000000'))
    read_fd, write_fd = os.pipe()
    os.set_blocking(write_fd, False)
    in_read, in_write = os.pipe()
    os.set_blocking(in_read, False)
    process = subprocess.Popen([sys.executable, path], stdin=in_read, stdout=write_fd, stderr=subprocess.PIPE, env=environment())
    os.close(write_fd)
    os.close(in_read)
    os.write(in_write, b"".join(json.dumps(m).encode() + b"\n" for m in START + [call("t", {})]))
    os.close(in_write)
    with os.fdopen(read_fd, "rb") as output:
        data = output.read()
    assert process.wait(10) == 0 and process.stderr.read() == b""
    process.stderr.close()
    assert data.count(b"\n") == 2 and data.count(b"x") >= 3000000


POLLING = '''
import sys, time
from mcplite import Server
server = Server("probe")
steps = 0
while server.poll(0.05):
    steps += 1
print("steps", steps > 2, file=sys.stderr)
'''


def test_poll_serves_inside_another_loop(script):
    with ServerProcess(script(POLLING)) as server:
        server.start()
        assert server.ask(PING) == PONG
        server.receive_none(0.3)
        assert server.ask(PING) == PONG
        assert server.close() == 0
        assert server.stderr.strip() == "steps True"


TIMERS = HEAD + '''
count = []
def tick():
    count.append(1)
    if len(count) == 2:
        raise ValueError("once")
server.every(0.05, tick)

@server.tool
def ticks() -> int:
    return len(count)

server.run()
'''


def test_every_runs_between_messages_and_survives_an_exception(script):
    import time

    with ServerProcess(script(TIMERS)) as server:
        server.start()
        time.sleep(0.5)
        seen = int(server.ask(call("ticks", {}))["result"]["content"][0]["text"])
        assert 4 <= seen <= 11
        assert server.close() == 0
        assert "ValueError: once" in server.stderr and server.stderr.count("Traceback") == 1


WATCHING = HEAD + '''
state = {"n": 0}

@server.resource("memo://n")
def n(): return str(state["n"])

@server.tool
def watch() -> str:
    def look():
        state["n"] += 1
        if state["n"] == 1:
            server.resource_updated("memo://n")
            server.tool(lambda: "x", name="found")
    server.every(0.2, look)
    server.every(30, lambda: None)
    return "watching"

server.run()
'''


def test_a_timer_begun_by_a_tool_runs_and_what_it_changes_is_told_at_once(script):
    with ServerProcess(script(WATCHING)) as server:
        server.start()
        server.ask(request("resources/subscribe", {"uri": "memo://n"}, 3))
        server.ask(call("watch", {}, 4))
        assert [server.receive(2)["method"] for _ in range(2)] == ["notifications/resources/updated", "notifications/tools/list_changed"]


def test_the_collector_is_left_as_it_was(script):
    for state, expected in (("enable", "True"), ("disable", "False")):
        path = script("import gc\ngc.%s()\nfrom mcplite import Server, text\nprint(gc.isenabled())\n" % state)
        done = subprocess.run([sys.executable, path], stdout=subprocess.PIPE, env=environment(), timeout=20)
        assert done.stdout.decode().strip() == expected


def test_importing_the_runtime_loads_nothing_heavy(script):
    path = script("import sys, os, time, _json, gc\nbefore = set(sys.modules)\nfrom mcplite import Server\nserver = Server('x')\n"
                  "server.tool(name='t')(lambda: 'x')\n"
                  "print(sorted(name for name in set(sys.modules) - before if not name.startswith('mcplite')))\n")
    done = subprocess.run([sys.executable, "-S", path], stdout=subprocess.PIPE, env=environment(), timeout=20)
    expected = ["__future__"] if SINGLE else []      # the single file's annotations are unquoted in places; it costs 0.1 ms
    assert done.stdout.decode().strip() == repr(expected), done.stdout
