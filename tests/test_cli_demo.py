"""`mcplite demo`: the whole story comes out, every message valid, and what is wrong is noticed."""
from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import pytest
from harness import REPO, environment
from official import Conversation

from mcplite.cli import demo as demo_module
from mcplite.cli.demo import find_example_server, fitted_json, two_lines
from mcplite.cli.main import cli_main
from mcplite.cli.terminal import CliError

pytestmark = pytest.mark.skipif(bool(os.environ.get("MCPLITE_SINGLE")), reason="the single file does not hold the "
                                                                               "example server")

EVERY_METHOD = (
    "initialize", "notifications/initialized", "ping", "tools/list", "tools/call", "logging/setLevel", "resources/list",
    "resources/templates/list", "resources/read", "resources/subscribe", "resources/unsubscribe", "prompts/list",
    "prompts/get", "completion/complete", "elicitation/create", "sampling/createMessage", "roots/list",
    "notifications/progress", "notifications/message", "notifications/cancelled", "notifications/resources/updated",
    "notifications/resources/list_changed", "server/discover", "subscriptions/listen",
    "notifications/subscriptions/acknowledged")


def run_demo_script(*words, **env):
    done = subprocess.run([sys.executable, os.path.join(REPO, "examples", "demo.py"), *words], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(**env), timeout=60)
    return done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8")


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """One run: its output at 80 columns, and its recording."""
    path = str(tmp_path_factory.mktemp("demo") / "demo.jsonl")
    status, out, err = run_demo_script("--trace", path, COLUMNS="80")
    assert (status, err) == (0, "")
    return out, path


def test_it_ends_well(told):
    assert re.search(r"^\d+ messages, \d+ checks, all as expected, in \d+\.\d s\.\n"
                     r"Recorded\. See it with: mcplite trace --view .*demo\.jsonl --html demo\.html\n\Z", told[0], re.M)


def test_every_method_is_shown(told):
    for method in EVERY_METHOD:
        assert '"method": "%s"' % method in told[0].replace("\n     ", ""), method


def test_it_keeps_to_the_width(told):
    assert max(map(len, told[0].split("\n")[:-3])) <= 80


def test_no_colour_when_piped(told):
    assert "\033" not in told[0]


def test_a_message_takes_two_lines_and_one_of_explanation(told):
    """After an arrow: at most one more line of the message, then the sentence; then the next arrow or a blank line."""
    for block in re.split(r"^  (?:-->|<--) ", told[0], flags=re.M)[2:]:
        lines = block.split("\n\n")[0].rstrip("\n").split("\n")
        message = 1 if lines[0].endswith("}") and not lines[1].endswith("}") else 2
        assert len(lines) == message + 1, block


def test_every_message_is_valid(told):
    """The recording holds both sessions; each is judged by the official schemas of its revision."""
    conversations, lines = [], []
    with open(told[1], encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    for record in lines:
        if "mcplite_trace" in record:
            conversations.append(Conversation())
        elif record.get("from") == "host":
            conversations[-1].client(json.dumps(record["message"]))
        elif record.get("from") == "server":
            conversations[-1].server(json.dumps(record["message"]))
    assert len(conversations) == 2
    conversations[0].finish(open_ids=(23,))     # the cancelled call
    conversations[1].finish(open_ids=(6,))      # the stream that the client closed


def test_the_recording_can_be_viewed(told, capsys):
    assert cli_main(["trace", "--view", told[1], "--session", "0"]) == 0
    out = capsys.readouterr().out
    assert out.count("trace of:") == 2 and "no answer" not in out and "exited with status 0" in out


def test_full_shows_the_whole_messages():
    status, out, _ = run_demo_script("--full")
    assert status == 0 and '\n          "clientInfo": {\n            "name": "mcplite demo",\n' in out.replace("      {", "    {")


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX terminal")
@pytest.mark.parametrize("env, coloured", [({}, True), ({"NO_COLOR": "1"}, False)])
def test_colour_on_a_terminal(env, coloured):
    from terminal_helpers import run_on_terminal

    status, out = run_on_terminal([sys.executable, os.path.join(REPO, "examples", "demo.py")], environment(TERM="xterm", **env))
    assert status == 0 and ("\033[" in out) is coloured and "all as expected" in out


def changed_example(tmp_path, monkeypatch, old, new):
    """The demo's server is a copy of the example with one thing changed."""
    with open(find_example_server(), encoding="utf-8") as file:
        source = file.read()
    assert source.count(old) == 1
    path = tmp_path / "inventory.py"
    path.write_text(source.replace(old, new), encoding="utf-8")
    monkeypatch.setattr(demo_module, "find_example_server", lambda: str(path))


def test_a_wrong_answer_is_noticed(tmp_path, monkeypatch, capsys):
    changed_example(tmp_path, monkeypatch, "('KB-201', 'BER', 12)", "('KB-201', 'BER', 13)")
    assert cli_main(["demo"]) == 1
    out = capsys.readouterr().out
    assert "   NOT AS EXPECTED: 16 pieces of KB-201 are in stock\n" in out
    assert re.search(r"^2 of \d+ checks failed; \d+ messages in \d+\.\d s\.\n\Z", out, re.M)


def test_a_server_that_dies_ends_the_story(tmp_path, monkeypatch, capsys):
    line = '    found = rows("SELECT sku, name, price'
    changed_example(tmp_path, monkeypatch, line, "    os._exit(3)\n" + line)
    assert cli_main(["demo"]) == 1
    out = capsys.readouterr().out
    assert ("   NOT AS EXPECTED: no error; the story ends here: the server ended with exit status 3 before "
            "prompts/get was "
            "answered" in out)
    assert "2026-07-28" not in out


def test_no_example_server(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(demo_module, "__file__", str(tmp_path / "package" / "cli" / "demo.py"))
    with pytest.raises(CliError) as caught:
        find_example_server()
    assert caught.value.text == ("demo: the example server is not here, since a copied file does not hold it: "
                                 "install mcplite with pip, or run make demo in a checkout")


def test_the_installed_example_is_found_inside_the_package(tmp_path, monkeypatch):
    monkeypatch.setattr(demo_module, "__file__", str(tmp_path / "package" / "cli" / "demo.py"))
    for folder in (tmp_path / "package" / "examples", tmp_path / "examples"):      # the second may be anybody's
        folder.mkdir(parents=True)
        (folder / "inventory.py").write_text("")
    assert find_example_server() == str(tmp_path / "package" / "examples" / "inventory.py")


def test_a_recording_that_is_none_is_left_alone(tmp_path, capsys):
    path = tmp_path / "notes.txt"
    path.write_text("mine")
    assert cli_main(["demo", "--trace", str(path)]) == 1
    assert capsys.readouterr().err == ("mcplite: demo: %s exists and is not a recording: nothing was done; choose "
                                       "another name for "
                                       "--trace\n" % path)
    assert path.read_text() == "mine"


@pytest.mark.parametrize("value, width, shown", [
    ({}, 40, "{}"),
    ({"a": [1, True, None, "x"]}, 40, '{"a": [1, true, null, "x"]}'),
    ({"a": {"b": {"c": 1}}}, 17, '{"a": {...}}'),
    ({"a": [1, 2, 3, 4, 5, 6, 7, 8, 9]}, 20, '{"a": [1, 2, ...]}'),
    ({"id": 1, "method": "a-name-that-is-longer-than-the-shortest-strings", "params": {"x": "y" * 99}}, 116,
     '{"id": 1, "method": "a-name-that-is-longer-than-the-shortest-strings", "params": {"x": '
     '"yyyyyyyyyyyyyyyyyyyyy..."}}'),
    ({"text": "z" * 100}, 60, '{"text": "' + "z" * 41 + '..."}'),
    ({"text": "one\ntwo \u001b[31m"}, 60, '{"text": "one\\ntwo \\u001b[31m"}'),
    ({"a": 1, "b": 2}, 4, "{...}"),
])
def test_fitted_json(value, width, shown):
    assert fitted_json(value, width) == shown


def test_two_lines_break_at_a_space():
    assert two_lines({"a": "one two", "b": "three four"}, 24) == ['{"a": "one two", "b":', '"three four"}']
