"""`mcplite new`: what it writes runs and does everything it says; nothing is overwritten; what follows can be typed."""
from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys

import pytest
from harness import HANDSHAKE_DATES, INITIALIZED, call, initialize, modern, request, run_server

from mcplite.cli import starter
from mcplite.cli.main import COMMANDS, cli_main


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def written(folder, capsys):
    """The starter called notes, as it was written, and what was said."""
    assert cli_main(["new", "notes"]) == 0
    return str(folder / "notes.py"), capsys.readouterr().out


def test_what_it_says(written, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["/usr/bin/mcplite"])
    monkeypatch.setattr(starter, "python_word", lambda: "python3")
    assert cli_main(["new", "diary"]) == 0
    assert capsys.readouterr() == ("""\
Wrote diary.py: a server with three tools, two resources and a prompt, every part explained.

See what it offers:
  mcplite tools -- python3 diary.py
Call a tool, read a resource:
  mcplite call add_note words="Buy milk" -- python3 diary.py
  mcplite read notes://all -- python3 diary.py
Then open diary.py, change it, and try again. When it does what you want:
  mcplite check -- python3 diary.py    is it what the strictest host expects?
  mcplite config claude-desktop -- python3 diary.py    the entry for a host; config --list names all
""", "")


def test_the_commands_it_names_exist(written):
    named = re.findall(r"^  .*? -m mcplite (\w+) ", written[1], re.M) or re.findall(r"^  mcplite (\w+) ", written[1], re.M)
    assert named == ["tools", "call", "read", "check", "config"]
    assert set(named) <= set(COMMANDS)


@pytest.mark.parametrize("revision", HANDSHAKE_DATES)
def test_it_does_all_it_offers(written, revision):
    outcome = run_server(written[0], [
        initialize(revision), INITIALIZED, request("tools/list"), call("add_note", {"words": " Buy milk", "urgent": True}, 3),
        call("add_note", {"words": " "}, 4), call("find_notes", {"words": "milk"}, 5),
        call("add_note", {"words": "call ann about friday"}, 6),
        call("tidy_up", {}, 7, _meta={"progressToken": "t"}), request("resources/read", {"uri": "notes://all"}, 8),
        request("resources/read", {"uri": "notes://note/2"}, 9), request("resources/read", {"uri": "notes://note/9"}, 10),
        request("prompts/get", {"name": "plan_day", "arguments": {"hours": "4"}}, 11)])
    assert (outcome.status, outcome.stderr) == (0, "tidied up\n")
    assert [tool["name"] for tool in outcome.result(2)["tools"]] == ["add_note", "find_notes", "tidy_up"]
    assert outcome.result(3)["content"][0]["text"] == "Note 3 is written."
    assert outcome.result(4) == {"isError": True, "content": [
        {"type": "text", "text": "The note is empty: put what should be remembered into words."}]}
    assert json.loads(outcome.result(5)["content"][0]["text"]) == ["URGENT: Buy milk"]
    assert outcome.result(7)["content"][0]["text"] == "3 of 4 notes are left."
    assert [params["progress"] for params in outcome.notifications("notifications/progress")] == [1, 2, 3, 4]
    assert outcome.result(8)["contents"][0]["text"] == "1. Water the plants\n2. Call Ann about Friday\n3. URGENT: Buy milk"
    assert outcome.result(9)["contents"][0]["text"] == "Call Ann about Friday"
    assert outcome.error(10)["code"] == -32002
    assert outcome.result(11)["messages"][0]["content"]["text"].startswith("I have 4 hours. Make a plan of these "
                                                                           "notes:\n1. Water")


def test_it_runs_in_the_stateless_revision(written):
    outcome = run_server(written[0], [modern("server/discover"), modern("tools/call", {"name": "find_notes", "arguments": {}}, 3)])
    assert outcome.status == 0
    assert json.loads(outcome.result(3)["content"][0]["text"]) == ["Water the plants", "Call Ann about Friday"]


def test_the_name_is_the_server_s(written):
    outcome = run_server(written[0], [initialize()])
    assert outcome.result(1)["serverInfo"] == {"name": "notes", "version": "0.1.0"}


def test_nothing_is_overwritten(written, capsys):
    with open(written[0], "w", encoding="utf-8") as file:
        file.write("mine")
    assert cli_main(["new", "notes"]) == 1
    assert capsys.readouterr() == ("", "mcplite: new: notes.py is there already, and was left as it is: choose "
                                       "another name, or "
                                       "-o FILE\n")
    with open(written[0], encoding="utf-8") as file:
        assert file.read() == "mine"


def test_the_ending_may_be_typed(folder):
    assert cli_main(["new", "weather.py"]) == 0
    assert os.listdir(str(folder)) == ["weather.py"]


def test_another_place(folder, capsys):
    assert cli_main(["new", "weather", "-o", "somewhere else.py"]) == 0
    assert "-- %s 'somewhere else.py'\n" % starter.python_word() in capsys.readouterr().out
    with open("somewhere else.py", encoding="utf-8") as file:
        assert file.read().startswith('"""weather: a server')


def test_a_place_that_is_not_there(folder, capsys):
    assert cli_main(["new", "weather", "-o", "no/such/place.py"]) == 1
    assert capsys.readouterr().err == "mcplite: new: cannot write no/such/place.py: No such file or directory\n"


@pytest.mark.parametrize("name", ["", "9lives", "my server", "a/b", "-", "x" * 65, "caf\u00e9"])
def test_names_that_are_none(folder, name, capsys):
    assert cli_main(["new", name] if name != "-" else ["new", "--", "-"]) == 2
    assert name == "-" or capsys.readouterr().err == (
        'mcplite: new: "%s" is no name for a server: use letters, digits, "-" and "_", with a letter first, such as '
        'weather '
        "(-o says where the file goes)\n" % name)
    assert os.listdir(str(folder)) == []


@pytest.mark.parametrize("name", ["json", "mcplite", "sys", "asyncio", "typing"])
def test_names_that_would_hide_a_module(folder, name, capsys):
    assert cli_main(["new", name]) == 2
    assert capsys.readouterr().err == ('mcplite: new: %s.py would hide the module "%s" that Python needs: choose '
                                       'another '
                                       "name, such as %s_server\n" % (name, name, name))


@pytest.mark.parametrize("name, standard", [("json", True), ("asyncio", True), ("sys", True), ("pytest", False), ("no_such", False),
                                            ("a.b", False), ("my-notes", False)])
def test_standard_modules_without_a_list(name, standard):
    from importlib.util import find_spec

    assert starter.is_standard_module(name, find_spec) is standard


def test_the_python_named_is_this_one():
    command = [*shlex.split(starter.python_word()), "-c", "import sys; print(sys.prefix)"]
    done = subprocess.run(command, stdout=subprocess.PIPE, timeout=60)
    assert done.stdout.decode().strip() == sys.prefix


@pytest.mark.parametrize("argv, program", [("/usr/bin/mcplite", "mcplite"), ("C:\\x\\mcplite.exe", "mcplite"),
                                           ("/x/mcplite/__main__.py", "python -m mcplite")])
def test_how_we_were_called(argv, program, monkeypatch):
    monkeypatch.setattr(sys, "argv", [argv.replace("\\", os.sep)])
    monkeypatch.setattr(starter, "python_word", lambda: "python")
    assert starter.own_program() == program
