"""examples/gdb_server.py from outside: gdb as a host spawns it, with a C program that is compiled here."""
from __future__ import annotations

import ast
import base64
import json
import os
import shutil
import subprocess
import sys
import time

import pytest
from client_helpers import wait_dead
from harness import HANDSHAKE_DATES, PING, PONG, REPO, SOURCE, ServerProcess, call, environment, modern, request

from mcplite import Client
from mcplite.cli.main import cli_main

EXAMPLE = os.path.join(REPO, "examples", "gdb_server.py")
PROGRAM = r"""
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
struct point { int x, y; };
static volatile unsigned long spins;
static int twice(int number) {
    int result = number * 2;
    return result;
}
static void crash(struct point *where) {
    where->x = 1;
}
void spin(void) {
    for (;;)
        spins++;
}
static void *rest(void *nothing) {
    spin();
    return nothing;
}
int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "";
    char secret[] = "the secret";
    char line[100];
    printf("begin\n");
    if (!strcmp(mode, "crash"))
        crash(NULL);
    if (!strcmp(mode, "spin"))
        spin();
    if (!strcmp(mode, "stubborn")) {
        sigset_t all;
        sigfillset(&all);
        sigprocmask(SIG_BLOCK, &all, NULL);
        spin();
    }
    if (!strcmp(mode, "threads")) {
        pthread_t other;
        pthread_create(&other, NULL, rest, NULL);
        pthread_join(other, NULL);
    }
    if (!strcmp(mode, "noise")) {
        for (int fd = 0; fd < 30; fd++)
            dprintf(fd, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{}}\n", fd);
        for (int many = 0; many < 20000; many++)
            printf("%08d\n", many);
    }
    if (!strcmp(mode, "read"))
        while (fgets(line, sizeof line, stdin))
            printf("read %s", line);
    if (!strcmp(mode, "words"))
        for (int word = 2; word < argc; word++)
            printf("[%s]\n", argv[word]);
    fprintf(stderr, "%d %d\n", twice(21), (int)strlen(secret));
    return 3;
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """The compiled program; a skip that says what is missing."""
    if shutil.which("gdb") is None:
        pytest.skip("no gdb on the PATH")
    if shutil.which("gcc") is None:
        pytest.skip("no gcc on the PATH")
    folder = tmp_path_factory.mktemp("program")
    (folder / "target.c").write_text(PROGRAM)
    path = str(folder / "target")
    subprocess.run(["gcc", "-g", "-O0", "-pthread", "-o", path, str(folder / "target.c")], check=True)
    probe = subprocess.run(["gdb", "-nx", "-batch", "-ex", "python print(1)", "-ex", "run", path], stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if b"exited with code 03" not in probe.stdout:
        pytest.skip("this gdb has no Python, or may not trace: %r" % probe.stdout[-200:].decode("utf-8", "replace"))
    return path


def gdb_command(*words):
    return ["-batch", "-x", EXAMPLE, *words]


def start_gdb(*words, **env):
    return ServerProcess("-nx", *gdb_command(*words), python="gdb", **env)


@pytest.fixture
def debugger(program):
    """gdb on the program, after the handshake."""
    with start_gdb("--args", program) as server:
        server.start()
        yield server


def tool(server, name, **arguments):
    """The structured content of a call that must succeed."""
    result = server.ask(call(name, arguments), timeout=30)["result"]
    assert not result.get("isError"), result
    return result.get("structuredContent") or result["content"][0]["text"]


def refusal(server, name, **arguments):
    """The text of a call that must fail."""
    result = server.ask(call(name, arguments), timeout=30)["result"]
    assert result.get("isError"), result
    return result["content"][0]["text"]


def read(server, uri):
    [contents] = server.ask(request("resources/read", {"uri": uri}))["result"]["contents"]
    return contents


def run_into_spin(server, mode="spin"):
    """Run to the endless loop, however slow the machine is."""
    tool(server, "set_breakpoint", location="spin", temporary=True)
    assert tool(server, "run", arguments=[mode])["frame"]["function"] == "spin"


def functions(server):
    return [frame["function"] for frame in tool(server, "backtrace")["frames"]]


# Outside gdb


def test_a_plain_python_is_told_what_to_do():
    done = subprocess.run([sys.executable, EXAMPLE], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=environment(), timeout=30)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == ("gdb_server.py runs inside gdb: gdb -nx -batch -x %s --args ./program\n" % EXAMPLE)


def test_it_can_be_imported_without_gdb():
    code = "import importlib.util as u, sys; s = u.spec_from_file_location('x', sys.argv[1]); m = u.module_from_spec(s); " \
           "s.loader.exec_module(m); print(m.gdb, m.server.info['name'], m.watch.thread.is_alive())"
    done = subprocess.run([sys.executable, "-c", code, EXAMPLE], stdout=subprocess.PIPE, env=environment(), timeout=30)
    assert done.stdout.decode() == "None gdb False\n"


def test_it_is_written_for_python_3_8_and_imports_public_names():
    with open(EXAMPLE, encoding="utf-8") as file:
        tree = ast.parse(file.read(), feature_version=(3, 8))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module == "mcplite"
             for alias in node.names}
    modules = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert names == {"Context", "McpError", "Server", "ToolError"}
    assert modules == {"gdb", "os", "select", "shlex", "signal", "sys", "termios", "threading", "time"}


# The whole way


def test_from_breakpoint_to_the_end(debugger, program):
    assert tool(debugger, "set_breakpoint", location="twice") == {
        "number": 1, "place": "twice", "enabled": True, "hits": 0, "temporary": False}
    stop = tool(debugger, "run")
    assert (stop["state"], stop["reason"], stop["output"]) == ("stopped", "Breakpoint 1", "begin\n")
    assert (stop["frame"]["function"], stop["frame"]["file"], stop["source"]) == (
        "twice", program + ".c", "%d      int result = number * 2;" % stop["frame"]["line"])
    inner, outer = tool(debugger, "backtrace")["frames"]
    assert (inner["function"], inner["variables"]["number"]) == ("twice", "21")
    assert (outer["function"], outer["level"], outer["variables"]["secret"]) == ("main", 1, '"the secret"')
    assert tool(debugger, "evaluate", expression="number + 1") == {"value": "22", "type": "int"}
    assert tool(debugger, "evaluate", expression="number", hexadecimal=True) == {"value": "0x15", "type": "int"}
    assert tool(debugger, "step")["source"].endswith("return result;")
    assert tool(debugger, "evaluate", expression="result") == {"value": "42", "type": "int"}
    ended = tool(debugger, "finish")
    assert (ended["reason"], ended["returned"], ended["frame"]["function"]) == ("The function returned", "42", "main")
    assert tool(debugger, "next")["output"] == "42 10\n"
    done = tool(debugger, "continue")
    assert done == {"state": "exited", "reason": "The program ended with exit status 3", "exitCode": 3, "output": ""}
    assert read(debugger, "gdb://program/output")["text"] == "begin\n42 10\n"
    assert json.loads(read(debugger, "gdb://breakpoints")["text"])[0]["hits"] == 1
    assert debugger.close() == 0
    assert "Traceback" not in debugger.stderr and "Fatal" not in debugger.stderr


@pytest.mark.parametrize("revision", HANDSHAKE_DATES)
def test_every_revision(program, revision):
    with start_gdb("--args", program) as server:
        server.start(revision)
        for method in ("tools/list", "resources/list", "resources/templates/list", "prompts/list"):
            assert server.ask(request(method))["result"]
        server.ask(call("run", {"stop_at_main": True}))
        result = server.ask(call("backtrace", {}))["result"]
        assert json.loads(result["content"][0]["text"])["frames"][0]["function"] == "main"
        assert ("structuredContent" in result) == (revision >= "2025-06-18")
        assert "main" in read(server, "gdb://source")["text"]
        assert server.close() == 0


def test_the_stateless_revision(program):
    with start_gdb("--args", program) as server:
        for method in ("server/discover", "tools/list", "resources/list", "prompts/list"):
            assert server.ask(modern(method))["result"]
        result = server.ask(modern("tools/call", {"name": "run", "arguments": {"arguments": ["crash"]}}))["result"]
        assert result["structuredContent"]["signal"] == "SIGSEGV"
        assert server.close() == 0


def test_with_our_client(program):
    with Client(["gdb", "-nx", *gdb_command("--args", program)], env=environment(), inherit_env=False) as client:
        client.call_tool("set_breakpoint", {"location": "twice"})
        assert client.call_tool("run", {})["structuredContent"]["reason"] == "Breakpoint 1"
        seen = []
        client.call_tool("evaluate", {"expression": "spin()", "seconds": 2.5}, on_progress=lambda *values: seen.append(values))
        assert len(seen) >= 1
        assert client.call_tool("backtrace", {})["structuredContent"]["frames"][0]["function"] == "twice"


def test_nothing_is_wrong_with_it(program, capsys):
    status = cli_main(["check", "--json", "--strict", "--call-all", "--env", "PYTHONPATH=" + SOURCE, "--", "gdb", "-nx",
                       *gdb_command("--args", program)])
    report = json.loads(capsys.readouterr().out)
    assert (status, report["findings"], len(report["revisions"])) == (0, [], 5)


def test_memory_is_a_blob(debugger):
    run_into_spin(debugger)
    tool(debugger, "select_frame", level=1)
    address = tool(debugger, "evaluate", expression="(long) &secret")["value"]
    for written in (address, hex(int(address))):
        contents = read(debugger, "gdb://memory/%s/11" % written)
        assert (base64.b64decode(contents["blob"]), contents["mimeType"]) == (b"the secret\0", "application/octet-stream")
    for uri, code, text in [
            ("gdb://memory/0/8", -32603, "Cannot access memory at address 0x0"),
            ("gdb://memory/main/8", -32602, "address must be a number like 0x7fffe010, not 'main'"),
            ("gdb://memory/1/0", -32602, "count must be 1 to 1048576 bytes, and address one of 64 bits")]:
        error = debugger.ask(request("resources/read", {"uri": uri}))["error"]
        assert (error["code"], error["message"]) == (code, text)
    ref = {"type": "ref/resource", "uri": "gdb://memory/{address}/{count}"}
    found = debugger.ask(request("completion/complete", {"ref": ref, "argument": {"name": "address", "value": "0x7f"}}))
    [stack] = found["result"]["completion"]["values"]
    assert len(base64.b64decode(read(debugger, "gdb://memory/%s/64" % stack)["blob"])) == 64


def test_a_crash_is_described(debugger):
    stop = tool(debugger, "run", arguments=["crash"])
    assert (stop["state"], stop["reason"], stop["signal"], stop["frame"]["function"]) == (
        "stopped", "Signal SIGSEGV", "SIGSEGV", "crash")
    assert stop["source"].endswith("where->x = 1;")
    prompt = debugger.ask(request("prompts/get", {"name": "explain_crash", "arguments": {"question": "Who passes NULL?"}}))
    text = prompt["result"]["messages"][0]["content"]["text"]
    for part in ("Who passes NULL?", "Signal SIGSEGV.", "#0 crash ", "    where = 0x0", "#1 main ", "where->x = 1;", "begin"):
        assert part in text, text
    gone = tool(debugger, "continue")
    assert (gone["state"], gone["reason"]) == ("exited", "The program was ended by a signal")
    assert functions_after_new_start(debugger) == ["main"]


def functions_after_new_start(server):
    tool(server, "run", arguments=[], stop_at_main=True)
    return functions(server)


def test_registers_and_instructions(debugger):
    tool(debugger, "run", stop_at_main=True)
    assert " <main+" in tool(debugger, "registers")
    assert len(tool(debugger, "disassemble", count=3).splitlines()) == 3


def test_threads(debugger):
    run_into_spin(debugger, "threads")
    tool(debugger, "select_thread", number=1)
    found = tool(debugger, "threads")["threads"]
    assert [thread["number"] for thread in found] == [1, 2]
    assert found[1]["frame"]["function"] == "spin"
    tool(debugger, "select_thread", number=2)
    assert functions(debugger)[:2] == ["spin", "rest"]
    assert [thread["selected"] for thread in tool(debugger, "threads")["threads"]] == [False, True]
    assert refusal(debugger, "select_thread", number=9) == "Unknown thread 9."


def test_conditions_and_watchpoints(debugger):
    tool(debugger, "set_breakpoint", location="twice", condition="number == 21", temporary=True)
    assert tool(debugger, "run")["frame"]["function"] == "twice"
    assert tool(debugger, "list_breakpoints") == {"breakpoints": []}
    watched = tool(debugger, "set_watchpoint", expression="result")
    assert watched["place"] == "result"
    assert tool(debugger, "continue")["reason"] == "Breakpoint %d" % watched["number"]
    assert tool(debugger, "delete_breakpoint", number=watched["number"]) == "Removed."
    assert tool(debugger, "continue")["exitCode"] == 3


def test_arguments_reach_the_program_as_they_are(debugger):
    words = ["a b", "", "$HOME", "'\"", "*", ">x", "ä"]
    assert tool(debugger, "run", arguments=["words"] + words)["output"] == (
        "begin\n" + "".join("[%s]\n" % word for word in words) + "42 10\n")
    assert "[a b]" in tool(debugger, "run")["output"]        # the ones of the last time


def test_another_program_can_be_loaded(program):
    with start_gdb() as server:
        server.start()
        nothing = "No program is loaded: call load_program, or start gdb with --args ./program."
        assert refusal(server, "run") == refusal(server, "backtrace") == refusal(server, "set_breakpoint", location="main") == nothing
        assert "No such file or directory" in refusal(server, "load_program", path="/no/such/program")
        assert tool(server, "load_program", path=program) == "Loaded %s." % program
        assert tool(server, "run")["exitCode"] == 3


# What is refused


def test_what_cannot_work_yet_says_what_to_do(debugger):
    for name in ("continue", "step", "next", "finish", "backtrace", "threads", "registers", "kill"):
        assert refusal(debugger, name) == "The program has not been started yet: call run first."
    tool(debugger, "run")
    assert refusal(debugger, "backtrace") == "The program ended with exit status 3: call run first."
    assert debugger.ask(request("resources/read", {"uri": "gdb://source"}))["error"]["code"] == -32002
    assert json.loads(read(debugger, "gdb://backtrace")["text"]) == []
    text = debugger.ask(request("prompts/get", {"name": "explain_crash"}))["result"]["messages"][0]["content"]["text"]
    assert "It is not running now" in text
    tool(debugger, "run", stop_at_main=True)
    assert tool(debugger, "kill") == "Killed."
    assert refusal(debugger, "step") == "The program was killed: call run first."


def test_what_gdb_refuses_comes_in_its_own_words(debugger):
    tool(debugger, "run", stop_at_main=True)
    assert refusal(debugger, "evaluate", expression="1 +") == "A syntax error in expression, near `'."
    assert refusal(debugger, "evaluate", expression="nothing") == 'No symbol "nothing" in current context.'
    assert refusal(debugger, "evaluate", expression="1\nshell echo noise") == (
        "A syntax error in expression, near `shell echo noise'.")
    assert refusal(debugger, "evaluate", expression="1\0") == "embedded null character"
    assert refusal(debugger, "set_breakpoint", location="nowhere") == 'Function "nowhere" not defined.'
    assert refusal(debugger, "set_breakpoint", location="main", condition="((") == "A syntax error in expression, near `'."
    assert refusal(debugger, "set_watchpoint", expression="nothing") == 'No symbol "nothing" in current context.'
    assert refusal(debugger, "delete_breakpoint", number=9) == "There is no breakpoint 9, only: none."
    assert refusal(debugger, "select_frame", level=99) == "No frame at level 99."
    assert functions(debugger) == ["main"]
    assert debugger.close() == 0
    assert "Traceback" not in debugger.stderr


# A program that does not stop


def test_a_cancelled_run_interrupts_the_program_where_it_is(debugger):
    debugger.send(call("run", {"arguments": ["spin"], "seconds": 600}, request_id=7, _meta={"progressToken": "p"}))
    assert debugger.receive()["params"]["message"] == "The program is running"
    debugger.send(PING)
    assert debugger.receive() == PONG                          # answered while the program runs
    debugger.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}})
    assert functions(debugger) == ["spin", "main"]             # and no answer to 7 came before this one
    program = json.loads(read(debugger, "gdb://program")["text"])
    assert (program["state"], program["reason"]) == ("stopped", "Interrupted, the call was cancelled")
    assert tool(debugger, "run", arguments=[])["exitCode"] == 3
    assert debugger.close() == 0
    assert "Traceback" not in debugger.stderr and "Fatal" not in debugger.stderr


def test_an_endless_function_that_is_evaluated_can_be_cancelled(debugger):
    tool(debugger, "run", stop_at_main=True)
    debugger.send(call("evaluate", {"expression": "spin()", "seconds": 600}, request_id=7))
    time.sleep(0.3)
    debugger.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}})
    assert functions(debugger) == ["main"]


@pytest.mark.parametrize("mode, name", [("spin", "SIGINT"), ("stubborn", "SIGSTOP")])
def test_a_run_that_takes_too_long_is_interrupted(debugger, mode, name):
    run_into_spin(debugger, mode)
    stop = tool(debugger, "continue", seconds=0.3)
    assert (stop["signal"], stop["frame"]["function"]) == (name, "spin")
    assert stop["reason"] == "Interrupted, it was still running after 0.3 s"
    assert tool(debugger, "continue", seconds=0.3)["frame"]["function"] == "spin"


def test_the_end_of_input_ends_gdb_and_the_program(debugger):
    run_into_spin(debugger)
    pid = json.loads(read(debugger, "gdb://program")["text"])["pid"]
    assert debugger.close() == 0
    assert wait_dead([pid]) == []


def test_a_request_that_was_read_is_answered_after_the_end_of_input(debugger):
    run_into_spin(debugger)
    debugger.send(call("continue", {"seconds": 0.5}))
    assert debugger.close() == 0
    assert [message["result"]["structuredContent"]["signal"] for message in debugger.rest] == ["SIGINT"]


def test_sigterm_ends_gdb_and_the_program(debugger):
    """The signal is gdb's own, which ends with status 0. (What Ctrl+C does is up to gdb: it may interrupt the program only.)"""
    run_into_spin(debugger)
    pid = json.loads(read(debugger, "gdb://program")["text"])["pid"]
    debugger.send(call("continue", {"seconds": 600}, request_id=7, _meta={"progressToken": 1}))
    debugger.receive()                                          # its first progress: it runs
    debugger.signal()
    debugger.open_ids = (7,)
    assert debugger.process.wait(20) in (0, 143)
    assert wait_dead([pid]) == []
    error = debugger.process.stderr.read().decode()
    assert "Traceback" not in error and "Fatal" not in error


# The program and the wire


def test_the_program_cannot_write_on_the_wire(debugger):
    stop = tool(debugger, "run", arguments=["noise"])           # the judge has read every line
    assert stop["exitCode"] == 3
    assert stop["output"].count('"jsonrpc"') == 3               # its own descriptors 0, 1 and 2, none else was open
    assert "00019999\n42 10\n" in stop["output"]
    assert debugger.ask(PING) == PONG


def test_the_program_reads_what_it_is_given(debugger):
    assert tool(debugger, "write_input", line="hello there") == "Written."
    assert tool(debugger, "write_input", line="", end=True) == "Written."
    assert tool(debugger, "run", arguments=["read"])["output"] == "begin\nread hello there\n42 10\n"
    waiting = tool(debugger, "run", seconds=2)
    assert (waiting["state"], waiting["output"]) == ("stopped", "begin\n")
    tool(debugger, "write_input", line="more", end=True)
    assert tool(debugger, "continue")["output"] == "read more\n42 10\n"


def test_subscribers_hear_that_the_program_moved(debugger):
    debugger.ask(request("resources/subscribe", {"uri": "gdb://backtrace"}))
    tool(debugger, "run", stop_at_main=True)
    debugger.ask(PING)
    assert {"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": {"uri": "gdb://backtrace"}} in debugger.seen


# Other ways to start


def test_a_core_file(program, tmp_path):
    core = str(tmp_path / "core")
    subprocess.run(["gdb", "-nx", "-batch", "-ex", "run", "-ex", "generate-core-file " + core, "--args", program, "crash"],
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)
    if not os.path.exists(core):
        pytest.skip("gdb cannot write a core file here")
    with start_gdb() as server:
        server.start()
        assert tool(server, "load_program", path=program, core=core) == "Loaded %s." % program
        assert functions(server) == ["crash", "main"]
        assert tool(server, "evaluate", expression="where") == {"value": "(struct point *) 0x0", "type": "struct point *"}
        assert refusal(server, "continue") == "The program is not being run."
        assert server.close() == 0


def test_with_the_single_file_beside_it(program, tmp_path):
    subprocess.run([sys.executable, "-m", "mcplite", "bundle", "-o", str(tmp_path / "mcplite.py")], check=True, env=environment(PYTHONPATH=REPO),
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)
    copy = shutil.copy(EXAMPLE, str(tmp_path))
    with ServerProcess("-nx", "-batch", "-x", copy, "--args", program, python="gdb", PYTHONPATH="") as server:
        server.start()
        assert tool(server, "run")["exitCode"] == 3
        assert server.close() == 0
