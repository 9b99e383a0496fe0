"""Questions of a server: answered on the command line, at a terminal, or by nobody."""
from __future__ import annotations

import json
import os
import sys

import pytest
from harness import MODERN, SOURCE, environment
from terminal_helpers import run_on_terminal
from test_cli_calls import INVENTORY, run

from mcplite.cli.calls.questions import FormField, form_choices, range_words
from mcplite.cli.calls.screen import bar_text

RETURN = ["call", "return_item", "order_id=1001", "sku=KB-201"]
BOTH = pytest.mark.parametrize("revision", ["handshake", MODERN])
TERMINAL = pytest.mark.skipif(os.name == "nt", reason="needs a POSIX terminal")


@pytest.fixture
def form(tmp_path):
    """A function that makes the command of a server whose tool `ask` shows a form and returns the answer as JSON."""
    def make(properties, required=(), message="Tell me"):
        path = tmp_path / "server.py"
        path.write_text("""
import json
from mcplite import Context, Server
s = Server('test', version='1')
@s.tool
def ask(ctx: Context) -> str:
    return json.dumps(ctx.elicit(%r, {'type': 'object', 'properties': %r, 'required': %r}))
@s.tool
def visit(ctx: Context) -> str:
    return json.dumps(ctx.elicit_url('Sign in', 'https://example.com/sign-in?a=b'))
s.run()
""" % (message, properties, list(required)), encoding="utf-8")
        return [sys.executable, str(path)]
    return make


def on_terminal(*words, server=INVENTORY, typing=(), **env):
    return run_on_terminal([sys.executable, "-m", "mcplite", *words, "--", *server],
                           environment(TERM="xterm", NO_COLOR="1", **env), typing, cwd=SOURCE)


# Without a terminal

@BOTH
def test_answers_of_the_command_line(revision):
    assert run(*RETURN, "--answer", "reason=damaged", "--answer", "confirm=yes", "--revision", revision) == (
        0, "KB-201 of order 1001 is returned: damaged.\n",
        "[question] Why does KB-201 go back? -- answered\n[question] Return KB-201 as 'damaged'? -- answered\n")


@BOTH
def test_nobody_answers(revision):
    status, out, err = run(*RETURN, "--revision", revision)
    assert (status, out) == (2, "")
    assert err.split("\n")[-2] == ('mcplite: call: the server asks "Why does KB-201 go back?" and nobody is there to answer: add '
                                   "--answer reason=... (damaged, wrong item, not needed), or --decline")


@BOTH
def test_declined(revision):
    assert run(*RETURN, "--decline", "--revision", revision) == (
        0, "Nothing was returned.\n", "[question] Why does KB-201 go back? -- declined\n")


def test_an_answer_that_does_not_fit():
    assert run(*RETURN, "--answer", "reason=bored") == (
        2, "", 'mcplite: call: --answer reason does not fit the question "Why does KB-201 go back?": choose one of: damaged, '
               "wrong item, not needed\n")
    assert run(*RETURN, "--answer", 'reason:="bored"')[2].startswith(
        'mcplite: call: --answer reason does not fit the question "Why does KB-201 go back?": expected one of ')


def test_what_is_not_needed_may_be_missing(form):
    command = form({"a": {"type": "string"}, "b": {"type": "integer", "default": 5}, "c": {"type": "boolean", "default": True}},
                   required=["b"])
    status, out, _ = run("call", "ask", server=command)
    assert (status, json.loads(out)) == (0, {"action": "accept", "content": {"b": 5, "c": True}})


def test_every_kind_of_field(form):
    command = form({
        "text": {"type": "string"}, "n": {"type": "integer"}, "x": {"type": "number"}, "yes": {"type": "boolean"},
        "one": {"type": "string", "oneOf": [{"const": "r", "title": "Red"}, {"const": "b", "title": "Blue"}]},
        "old": {"type": "string", "enum": ["s", "m"], "enumNames": ["Small", "Medium"]},
        "many": {"type": "array", "items": {"anyOf": [{"const": "a", "title": "A"}, {"const": "c", "title": "C"}]}},
        "plain": {"type": "array", "items": {"type": "string", "enum": ["p", "q"]}}})
    words = ["text=5", "n=5", "x=0.5", "yes=n", "one=Blue", "old=small", "many=a,C", 'plain:=["q"]']
    status, out, _ = run("call", "ask", *[part for word in words for part in ("--answer", word)], server=command)
    assert (status, json.loads(out)["content"]) == (0, {
        "text": "5", "n": 5, "x": 0.5, "yes": False, "one": "b", "old": "s", "many": ["a", "c"], "plain": ["q"]})


def test_one_field_asked_twice_takes_two_answers(tmp_path):
    path = tmp_path / "server.py"
    path.write_text("""
from mcplite import Context, Server
s = Server('test', version='1')
@s.tool
def ask(ctx: Context) -> str:
    form = {'type': 'object', 'properties': {'n': {'type': 'integer'}}, 'required': ['n']}
    return ' '.join(str(ctx.elicit('number %d' % i, form)['content']['n']) for i in range(3))
s.run()
""")
    for revision in ("handshake", MODERN):
        assert run("call", "ask", "--answer", "n=1", "--answer", "n=2", "--revision", revision,
                   server=[sys.executable, str(path)])[1] == "1 2 2\n"


@BOTH
def test_a_page_is_declined_without_a_terminal(form, revision):
    status, out, err = run("call", "visit", "--revision", revision, server=form({}))
    assert (status, json.loads(out)["action"]) == (0, "decline")
    assert err == ("[question] Sign in\n[open this page] https://example.com/sign-in?a=b\n"
                   "[question] declined: nobody is there to open it\n")


TRANSLATE = ["call", "translate_name", "sku=KB-201", "language=German"]
FOR_THE_MODEL = "[for the model] user: Translate into German, answer with the words only: Quiet keyboard\n"
REFUSED = "[for the model] refused: there is no model here; --sample TEXT answers in its place\n"


@BOTH
def test_a_sample_of_the_command_line(revision):
    assert run(*TRANSLATE, "--sample", "Leise Tastatur", "--revision", revision) == (
        0, "Quiet keyboard: Leise Tastatur\n", FOR_THE_MODEL)


def test_a_sample_is_refused():
    assert run(*TRANSLATE) == (2, "", FOR_THE_MODEL + REFUSED + "mcplite: call: the server needs a message of a model to go on; "
                                                               "--sample TEXT answers in its place\n")
    status, out, err = run(*TRANSLATE, "-q", "--revision", "handshake")
    assert (status, out) == (1, "")
    assert err == FOR_THE_MODEL + REFUSED + "mcplite: call: translate_name failed: User rejected sampling request\n"


# At a terminal

@TERMINAL
@BOTH
def test_asked_until_it_fits(revision):
    assert on_terminal(*RETURN, "--revision", revision, typing=[
        ("Reason: ", "bored\n"), ("Reason: ", "2\n"), ("Remark", "\n"), ("return it", "perhaps\n"),
        ("return it", "y\n")]) == (0, """\
[question] Why does KB-201 go back?
  1. damaged
  2. wrong item
  3. not needed
  Reason: bored
  choose one of: damaged, wrong item, not needed; /decline refuses, /cancel leaves
  Reason: 2
  Remark (at most 200 characters, may be empty):{space}
[question] Return KB-201 as 'wrong item'?
  Yes, return it (yes or no, empty for no): perhaps
  answer yes or no; /decline refuses, /cancel leaves
  Yes, return it (yes or no, empty for no): y
KB-201 of order 1001 is returned: wrong item.
""".format(space=" "))


@TERMINAL
@pytest.mark.parametrize("typed, action", [("/decline\n", "decline"), ("/cancel\n", "cancel"), ("\x04", "cancel")])
def test_refusing_and_leaving(form, typed, action):
    status, out = on_terminal("call", "ask", server=form({"n": {"type": "integer"}}, ["n"]), typing=[("n (whole number): ", typed)])
    assert status == 0 and out.endswith('{"action": "%s"}\n' % action)


@TERMINAL
def test_what_the_command_line_says_is_not_asked(form):
    command = form({"a": {"type": "string"}, "b": {"type": "integer", "minimum": 1, "maximum": 9, "description": "How many"}},
                   ["b"])
    assert on_terminal("call", "ask", "--answer", "a=x", "--answer", "b=99", server=command,
                       typing=[("1 to 9): ", "3\n")]) == (0, """\
[question] Tell me
[question] --answer b: expected at most 9, got 99
  How many
  b (whole number, 1 to 9): 3
{"action": "accept", "content": {"a": "x", "b": 3}}
""")


@TERMINAL
@pytest.mark.parametrize("typed, action", [("what\n  ", None), ("yes\n", "accept"), ("n\n", "decline")])
def test_a_question_without_fields(form, typed, action):
    typing = [("Agree? (yes or no): ", typed)] if action else [("Agree? (yes or no): ", "what\n"),
                                                               ("Agree? (yes or no): ", "yes\n")]
    status, out = on_terminal("call", "ask", server=form({}), typing=typing)
    assert status == 0 and '{"action": "%s"' % (action or "accept") in out


@TERMINAL
@BOTH
def test_a_page_is_agreed_to(form, revision):
    status, out = on_terminal("call", "visit", "--revision", revision, server=form({}),
                              typing=[("Do you open it? (yes or no): ", "y\n")])
    assert status == 0 and "[open this page] https://example.com/sign-in?a=b\n" in out and '"action": "accept"' in out


@TERMINAL
def test_a_person_in_the_models_place():
    assert on_terminal(*TRANSLATE, typing=[("(empty refuses): ", "Leise\n")]) == (
        0, FOR_THE_MODEL + "  Answer in the model's place (empty refuses): Leise\nQuiet keyboard: Leise\n")
    assert on_terminal(*TRANSLATE, typing=[("(empty refuses): ", "\n")])[0] == 2


@TERMINAL
def test_the_bar_and_what_is_left_of_it():
    status, out = on_terminal("call", "count_stock", "pause=0.01")
    shown = [part for part in out.split("\r") if part.strip()]
    assert status == 0
    assert shown[0] == "[####....................]  17%  KB-201 in BER"
    assert shown[-2] == "[########################] 100%  MS-110 in LIS"
    assert shown[-1] == "Counted 90 pieces on 6 shelves.\n"


@TERMINAL
def test_the_bar_keeps_to_the_width():
    out = on_terminal("call", "count_stock", "pause=0.01", COLUMNS="40")[1]
    assert max(len(part) for part in out.split("\r")) == 39


@TERMINAL
def test_ctrl_c_ends_a_call_quietly():
    status, out = on_terminal("call", "count_stock", "pause=5", typing=[("17%", "\x03")])
    assert (status, out.count("Traceback")) == (130, 0)


@TERMINAL
def test_ctrl_c_at_a_question():
    status, out = on_terminal(*RETURN, typing=[("Reason: ", "\x03")])
    assert (status, out.count("Traceback")) == (130, 0)


@TERMINAL
def test_colour_and_the_hint_at_a_terminal():
    status, out = run_on_terminal([sys.executable, "-m", "mcplite", "tools", "--", *INVENTORY], environment(TERM="xterm"))
    assert status == 0 and out.startswith("\x1b[1mTOOL ") and out.endswith("\nOne in full: mcplite tools check_inventory -- CMD\n")


# The parts

@pytest.mark.parametrize("schema, text, value", [
    ({"type": "string"}, " as it is ", " as it is "), ({"type": "integer"}, " 7 ", 7), ({"type": "number"}, "7", 7),
    ({"type": "boolean"}, "Y", True), ({"type": "string", "enum": ["2", "1"]}, "1", "1"), ({"enum": ["a", "b"]}, "2", "b"),
    ({"type": "array", "items": {"enum": ["a", "b"]}}, "2, a", ["b", "a"]), ({"type": "array", "items": {"enum": ["a"]}}, "", []),
    ({"type": "array", "items": {"enum": ["a"]}}, '["a"]', ["a"]),
])
def test_fields_take(schema, text, value):
    assert FormField("f", schema, True).parse(text) == value


@pytest.mark.parametrize("schema, text, problem", [
    ({"type": "integer"}, "x", "a number is needed"), ({"type": "integer"}, "1.5", "expected integer, got number 1.5"),
    ({"type": "integer", "maximum": 3}, "4", "expected at most 3, got 4"), ({"type": "boolean"}, "", "answer yes or no"),
    ({"type": "string", "minLength": 2}, "a", "expected at least 2 characters, got 1"),
    ({"enum": ["a", "b"]}, "3", "choose one of: a, b"),
    ({"type": "array", "minItems": 1, "items": {"enum": ["a"]}}, "", "expected at least 1 item, got 0"),
])
def test_fields_refuse(schema, text, problem):
    with pytest.raises(ValueError) as caught:
        FormField("f", schema, True).parse(text)
    assert str(caught.value) == problem


@pytest.mark.parametrize("format_name, good, bad", [
    ("email", "a@example.com", "a"), ("uri", "https://example.com/", "no uri"), ("date", "2026-07-28", "28.7.2026"),
    ("date-time", "2026-07-28T10:00:00Z", "today")])
def test_fields_know_formats(format_name, good, bad):
    field = FormField("f", {"type": "string", "format": format_name}, True)
    assert field.parse(good) == good and field.describe() == format_name
    with pytest.raises(ValueError):
        field.parse(bad)


@pytest.mark.parametrize("schema, needed, words", [
    ({"type": "string"}, True, ""), ({"type": "string"}, False, "may be empty"),
    ({"type": "string", "minLength": 1, "maxLength": 5}, True, "1 to 5 characters"),
    ({"type": "integer", "minimum": 0}, True, "whole number, at least 0"),
    ({"type": "boolean", "default": False}, True, "yes or no, empty for no"),
    ({"type": "array", "items": {"enum": ["a"]}, "maxItems": 1, "default": ["a"]}, True,
     "several, with commas, at most 1 choice, empty for a"),
])
def test_what_may_be_typed(schema, needed, words):
    assert FormField("f", schema, needed).describe() == words


def test_choices_with_names_that_do_not_match():
    assert form_choices({"enum": [1, 2], "enumNames": ["one"]}) == [(1, "1"), (2, "2")]
    assert form_choices({"oneOf": [{"const": 1}]}) == [(1, "1")]
    assert form_choices({"type": "string"}) == []


def test_ranges():
    assert [range_words(1, 2, " x"), range_words(None, 2, ""), range_words(0, None, ""), range_words(None, None, "")] == [
        "1 to 2 x", "at most 2", "at least 0", ""]


@pytest.mark.parametrize("progress, total, message, text", [
    (1, 2, "half", "[############............]  50%  half"), (5, 2, None, "[########################] 100%"),
    (-1, 2, "a\nb", "[........................]   0%  a\\nb"), (3.5, None, "x", "[~~~~~~~~~~~~~~~~~~~~~~~~] 3.5  x"),
    (3, 0, None, "[~~~~~~~~~~~~~~~~~~~~~~~~] 3")])
def test_bars(progress, total, message, text):
    assert bar_text(progress, total, message) == text
