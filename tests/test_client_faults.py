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
            client.peer.note_noise("line %d" % number)
        assert client.noise == ["line %d" % number for number in range(10, 30)]
        assert client.noise_count == 30


def test_ids_that_come_back_as_strings_are_known():
    with Client(handshake("string_ids"), revision="handshake") as client:
        assert answer(client.call_tool("any")) == "s"


def test_a_second_reply_is_ignored():
    with Client(handshake("twice"), revision="handshake") as client:
        assert [answer(client.call_tool("any")) for _ in range(3)] == ["first"] * 3
        assert client.unmatched >= 2


def test_a_number_that_no_float_holds_fails_its_own_request_only():
    with Client(handshake("huge_number"), revision="handshake", timeout=5) as client:
        with pytest.raises(McpError) as caught:
            client.call_tool("any")
        assert caught.value.message == "the answer cannot be read: the number 1e999 is too large"
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
    from mcplite.stdio_process import StderrCapture

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
    ("number", [], "tools/list was answered with the cursor 5: a cursor is a string")])
def test_fr062_a_cursor_that_does_not_advance_is_an_error(kind, names, text):
    found = []
    with Client(handshake("cursors", kind), revision="handshake", max_pages=5) as client:
        with pytest.raises(McpError) as caught:
            for tool in client.list_tools():
                found.append(tool["name"])
    assert found == names
    assert caught.value.message == text


def test_a_null_cursor_is_the_end():
    with Client(handshake("cursors", "null"), revision="handshake") as client:
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
        pid = client.link.process.pid
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
        assert os.getsid(client.link.process.pid) == client.link.process.pid


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
            pids = os.getpid(), client.link.process.pid
            before = [resident(pid) for pid in pids]
            for number in range(100000):
                assert answer(client.call_tool("add", {"a": number, "b": 1})) == str(number + 1)
            grown = [resident(pid) - old for pid, old in zip(pids, before)]
            assert max(grown) < 200 * 1024, (revision, grown)


# The same with the threads that stand in for watched pipes on Windows


@pytest.fixture
def threads(monkeypatch):
    import mcplite.stdio_process

    monkeypatch.setattr(mcplite.stdio_process, "can_watch", lambda: False)


def test_threads_serve_calls_and_large_messages_both_ways(threads):
    with Client(handshake("both_ways"), revision="handshake", timeout=20) as client:
        assert answer(client.call_tool("any", {"s": "x" * (4 << 20)})) == str(4 << 20)
        assert type(client.link.channel).__name__ == "ThreadChannel"


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
    from mcplite.stdio_process import resolve_command

    monkeypatch.setattr("shutil.which", lambda name, path=None: "C:\\Program Files\\nodejs\\%s.CMD" % name)
    assert resolve_command(["npx", "-y", "@scope/pkg", "a b", "c&d", "e\\"], {}, True) == (
        '"C:\\Program Files\\nodejs\\npx.CMD" -y @scope/pkg "a b" "c&d" e\\')


def test_windows_finds_a_program(monkeypatch):
    from mcplite.stdio_process import resolve_command

    monkeypatch.setattr("shutil.which", lambda name, path=None: "C:\\%s.exe" % name)
    assert resolve_command(["node", 'a"b'], {}, True) == ["C:\\node.exe", 'a"b']


@pytest.mark.parametrize("argument", ['a"b', "%PATH%", "a!b", "a\nb"])
def test_windows_refuses_what_cmd_would_read(argument):
    from mcplite.stdio_process import new_batch_command_line

    with pytest.raises(ValueError) as caught:
        new_batch_command_line("C:\\npx.cmd", [argument])
    assert str(caught.value) == ('cannot pass %r to the batch file C:\\npx.cmd: cmd.exe would read the characters " %% ! '
                                 "and line ends in it" % argument)


def test_windows_ends_the_tree(monkeypatch):
    import mcplite.stdio_process as module

    called = []
    monkeypatch.setattr(subprocess, "call", lambda command, **more: called.append(command))

    class Process:
        pid = 77

        def kill(self):
            called.append("kill")

    module.end_tree_windows(Process(), False)
    module.end_tree_windows(Process(), True)
    assert called == [["taskkill", "/PID", "77", "/T"], ["taskkill", "/PID", "77", "/T", "/F"], "kill"]
