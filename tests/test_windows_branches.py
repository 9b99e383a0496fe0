"""What is written for Windows, run here with stand-ins for its modules (docs/windows.md lists the branches).

A stand-in behaves as Microsoft documents the call; that Windows itself does so is not tested anywhere yet. Tests of batch files,
taskkill and the channel with threads are in test_client_faults, of the hosts' paths in test_cli_config.
"""
from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
import types

import pytest
from harness import INITIALIZED, MODERN, PING, PONG, SOURCE, ServerProcess, call, initialize, modern, run_server

import mcplite.stdio as stdio
import mcplite.system.child as child
import mcplite.system.duplex as duplex
import mcplite.system.streams as streams

pytestmark = pytest.mark.skipif(os.name == "nt", reason="stand-ins for Windows are for other systems")

# Put before a server's source: the modules of Windows over POSIX pipes, nothing that Windows lacks.
STAND_INS = '''
import array, fcntl, os, select, sys, termios, types
calls = []
msvcrt, _winapi = types.ModuleType("msvcrt"), types.ModuleType("_winapi")


def get_osfhandle(descriptor):
    os.fstat(descriptor)                            # OSError for what is no descriptor
    return descriptor + 1000


def PeekNamedPipe(handle, size):
    assert size == 0
    if not select.select([handle - 1000], [], [], 0)[0]:
        return (0, 0)
    there = array.array("i", [0])
    fcntl.ioctl(handle - 1000, termios.FIONREAD, there)
    if not there[0]:
        raise BrokenPipeError(109, "The pipe has been ended")
    return (there[0], there[0])


msvcrt.get_osfhandle, _winapi.PeekNamedPipe = get_osfhandle, PeekNamedPipe
msvcrt.setmode = lambda descriptor, mode: calls.append((descriptor, mode))
sys.modules["msvcrt"], sys.modules["_winapi"] = msvcrt, _winapi
os.O_BINARY = 0x8000
import _signal
for name in ("SIGALRM", "setitimer", "getitimer", "ITIMER_REAL"):
    delattr(_signal, name)
for name in ("set_blocking", "get_blocking", "fork", "killpg"):
    delattr(os, name)
select.poll = None
del select.poll
import mcplite.stdio
mcplite.stdio.ON_WINDOWS = True
'''
SERVER = '''
import time
from mcplite import Server
server = Server("windows", version="1")
ticks = []


@server.tool
def add(a: int, b: int) -> str:
    print("printed")
    return str(a + b)


@server.tool
def modes() -> list:
    return [list(pair) for pair in calls]


@server.tool
def work(ctx, how: str) -> str:
    until = time.monotonic() + 20
    while time.monotonic() < until:
        time.sleep(0.02)
        if how == "progress":
            ctx.progress(time.monotonic())
        elif how == "log":
            ctx.log("debug", "working")
        else:
            ctx.checkpoint()
    return "never told"


@server.tool
def ask(ctx) -> str:
    return ctx.elicit("Which?", {"type": "object", "properties": {"size": {"type": "string"}}})["action"]


@server.tool
def count() -> str:
    return str(len(ticks))


if __name__ == "__main__":
    server.run()
'''


@pytest.fixture
def windows(script):
    """The path of the server, with the stand-ins before it."""
    return script(STAND_INS + SERVER)


def test_a_conversation(windows):
    outcome = run_server(windows, [initialize(), INITIALIZED, call("add", {"a": 1, "b": 2}), modern("tools/call", {
        "name": "add", "arguments": {"a": 3, "b": 4}}, 3), PING])
    assert [outcome.result(number)["content"][0]["text"] for number in (2, 3)] == ["3", "7"]
    assert outcome.replies[-1] == PONG and outcome.status == 0
    assert outcome.stderr == "printed\nprinted\n"


def test_both_private_descriptors_are_set_to_binary_mode(windows):
    outcome = run_server(windows, [initialize(), INITIALIZED, call("modes", {})])
    found = eval(outcome.result(2)["content"][0]["text"])
    assert len(found) == 2 and found[0][0] != found[1][0]
    assert all(descriptor > 2 and mode == 0x8000 for descriptor, mode in found)


def test_line_by_line(windows):
    with ServerProcess(windows) as server:
        server.start()
        assert server.ask(call("add", {"a": 1, "b": 1}))["result"]["content"][0]["text"] == "2"
        assert server.ask(PING) == PONG
        assert server.close() == 0


@pytest.mark.parametrize("how", ["progress", "log", "checkpoint"])
def test_without_an_interval_timer_a_tool_hears_of_its_cancellation_when_it_calls_its_context(windows, how):
    with ServerProcess(windows) as server:
        server.start()
        server.send(call("work", {"how": how}))
        time.sleep(0.3)
        server.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}})
        begun = time.monotonic()
        assert server.ask(PING) == PONG
        assert time.monotonic() - begun < 5
        assert server.close() == 0


def test_a_question_waits_for_its_answer(windows):
    with ServerProcess(windows) as server:
        server.start(capabilities={"elicitation": {}})
        server.send(call("ask", {}))
        question = server.receive()
        assert question["method"] == "elicitation/create"
        assert server.ask(PING) == PONG
        reply = server.ask({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "decline"}})
        assert reply["result"]["content"][0]["text"] == "decline"
        assert server.close() == 0


def test_timers_run_while_nothing_comes(script):
    path = script(STAND_INS + SERVER.replace("    server.run()", "    server.every(0.05, lambda: ticks.append(1))\n    server.run()"))
    with ServerProcess(path) as server:
        server.start()
        time.sleep(0.6)
        assert 3 <= int(server.ask(call("count", {}))["result"]["content"][0]["text"]) <= 13
        assert server.close() == 0


def test_buffered_streams_with_a_time_limit(script):
    """serve() over sys.stdin.buffer, with a timer: nothing here may ask Windows whether a descriptor blocks."""
    source = SERVER.replace("    server.run()", "    reader, writer = open(os.dup(0), 'rb'), open(os.dup(1), 'wb')\n    os.dup2(2, 1)\n"
                                                "    server.every(0.05, lambda: ticks.append(1))\n    server.serve(reader, writer)")
    path = script(STAND_INS + source)
    with ServerProcess(path) as server:
        server.start()
        time.sleep(0.3)
        assert server.ask(call("add", {"a": 1, "b": 1}))["result"]["content"][0]["text"] == "2"
        assert server.close() == 0


# Waiting for a pipe


class Clock:
    """Time that passes only by sleeping; ``slept`` holds the pauses."""

    def __init__(self):
        self.now, self.slept = 100.0, []

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def pipe(monkeypatch):
    """A pipe of Windows: ``pipe.answers`` are what PeekNamedPipe returns (or raises), the last one for ever."""
    clock = Clock()
    clock.answers, clock.handles = [(0, 0)], []

    def peek(handle, size):
        clock.handles.append((handle, size))
        answer = clock.answers.pop(0) if len(clock.answers) > 1 else clock.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer

    msvcrt, winapi = types.ModuleType("msvcrt"), types.ModuleType("_winapi")
    msvcrt.get_osfhandle, winapi.PeekNamedPipe = lambda descriptor: descriptor * 4, peek
    monkeypatch.setitem(sys.modules, "msvcrt", msvcrt)
    monkeypatch.setitem(sys.modules, "_winapi", winapi)
    monkeypatch.setattr(stdio, "ON_WINDOWS", True)
    monkeypatch.setattr(stdio.time, "monotonic", lambda: clock.now)
    monkeypatch.setattr(stdio.time, "sleep", clock.sleep)
    return clock


def test_bytes_in_the_pipe_are_seen_at_once(pipe):
    pipe.answers = [(12, 0)]
    assert stdio.wait_readable(7, 5.0) is True
    assert (pipe.handles, pipe.slept) == ([(28, 0)], [])


def test_the_end_of_a_pipe_is_for_reading_to_tell(pipe):
    pipe.answers = [(0, 0), BrokenPipeError(109, "The pipe has been ended")]
    assert stdio.wait_readable(7, None) is True


def test_an_empty_pipe_is_looked_into_less_often_the_longer_it_is_empty(pipe):
    assert stdio.wait_readable(7, 1.0) is False
    assert pipe.slept[0] == 0.001 and max(pipe.slept) == 0.02
    assert sum(pipe.slept) == pytest.approx(1.0) and len(pipe.slept) < 65


def test_no_time_at_all_is_one_look(pipe):
    assert stdio.wait_readable(7, 0) is False
    assert (len(pipe.handles), pipe.slept) == (1, [])


def test_for_ever_ends_when_bytes_come(pipe):
    pipe.answers = [(0, 0)] * 40 + [(1, 1)]
    assert stdio.wait_readable(7, None) is True
    assert len(pipe.handles) == 41


def test_what_is_no_descriptor_is_a_socket(pipe, monkeypatch):
    def refuse(descriptor):
        raise OSError(9, "Bad file descriptor")

    monkeypatch.setattr(sys.modules["msvcrt"], "get_osfhandle", refuse)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        assert stdio.wait_readable(ours.fileno(), 0) is False
        theirs.send(b"x")
        assert stdio.wait_readable(ours.fileno(), 0) is True


def test_a_full_pipe_is_tried_again_soon(pipe):
    stdio.wait_writable(7)
    assert pipe.slept == [0.005]


def test_a_write_that_fails_with_windows_own_error_is_a_reader_that_has_gone(monkeypatch):
    """Writing into a pipe whose reader has gone is EINVAL there."""
    def refuse(descriptor, data):
        raise OSError(22, "Invalid argument")

    channel = stdio.FdChannel(0, 1)
    monkeypatch.setattr(stdio.os, "write", refuse)
    for _ in range(2):
        with pytest.raises(BrokenPipeError):
            channel.write(b"x\n")


def test_what_was_read_ahead_is_not_asked_for(monkeypatch):
    monkeypatch.setattr(streams, "wait_readable", lambda descriptor, timeout: False)
    monkeypatch.delattr(os, "set_blocking")
    assert streams.has_buffered(object(), 0) is False


# The client


@pytest.fixture
def windows_client(monkeypatch):
    """The client takes every branch for Windows; ``started`` holds what Popen was given, ``ended`` the calls of taskkill."""
    found = types.SimpleNamespace(started=[], ended=[])
    real = subprocess.Popen

    def start(arguments, **options):
        found.started.append((arguments, options))
        options = {name: value for name, value in options.items() if name != "creationflags"}
        return real(arguments, **options)

    def end(arguments, **options):
        found.ended.append(arguments)
        return 0

    for module in (child, duplex):
        monkeypatch.setattr(module, "ON_WINDOWS", True)
    monkeypatch.setattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0x200, raising=False)
    monkeypatch.setattr(subprocess, "Popen", start)
    monkeypatch.setattr(subprocess, "call", end)
    return found


HERE = os.path.dirname(os.path.abspath(__file__))
FAKE = os.path.join(HERE, "fake_servers", "handshake.py")


def test_a_client_starts_talks_and_closes(windows_client, script):
    from mcplite import Client

    path = script("import sys\nsys.stderr.write('said before the end'); sys.stderr.flush()\n" + SERVER)
    for revision in ("2025-11-25", MODERN):
        with Client([sys.executable, path], revision=revision, env={"PYTHONPATH": SOURCE},
                    timeout=20) as client:
            assert client.call_tool("add", {"a": 1, "b": 2})["content"][0]["text"] == "3"
            assert type(client._connection.link.channel).__name__ == "ThreadChannel"
            capture = client._connection.link.capture.path
            assert os.path.exists(capture)              # Windows does not let go of an open file's name
            assert "said before the end" in client._connection.link.read_tail()
        assert not os.path.exists(capture)
    options = windows_client.started[0][1]
    assert options["creationflags"] == 0x200 and "start_new_session" not in options
    assert windows_client.ended == []                   # the end of its input was enough


def test_a_server_that_does_not_end_is_ended_with_its_tree(windows_client, script):
    from mcplite import Client

    path = script(SERVER + "    time.sleep(60)\n")
    client = Client([sys.executable, path], env={"PYTHONPATH": SOURCE}, timeout=20,
                    close_timeout=0.2, revision="2025-11-25")
    process = client._connection.link.process
    begun = time.monotonic()
    client.close()
    pid = str(process.pid)
    assert windows_client.ended == [["taskkill", "/PID", pid, "/T"], ["taskkill", "/PID", pid, "/T", "/F"]]
    assert process.returncode is not None and time.monotonic() - begun < 10


def test_a_captured_file_that_somebody_holds_open_is_left(windows_client, monkeypatch):
    capture = child.StderrCapture()

    def refuse(path):
        raise PermissionError(13, "The process cannot access the file")

    with monkeypatch.context() as patch:
        patch.setattr(child.os, "unlink", refuse)
        capture.close()
    os.unlink(capture.path)
    assert capture.path.startswith(tempfile.gettempdir())


def test_a_captured_file_is_not_cut_while_a_process_writes_to_it(windows_client, monkeypatch):
    monkeypatch.setattr(child, "CAPTURE_LIMIT", 10)
    capture = child.StderrCapture()
    os.write(capture.write_fd, b"x" * 100)
    capture.limit_size()
    assert len(capture.tail()) == 100
    capture.close()


def test_no_group_is_asked_for(windows_client):
    assert child.is_group_alive(os.getpid()) is False
    assert duplex.can_watch() is False
