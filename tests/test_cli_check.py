"""`mcplite check` as a command: what it prints, JSON, JUnit, exit status, what it calls and what it leaves alone."""
from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest
from harness import REPO, SOURCE

from mcplite.cli.check.command import parse_check_call
from mcplite.cli.check.facts import ServerFacts
from mcplite.cli.check.findings import Findings, shorten_evidence
from mcplite.cli.check.handshake import HANDSHAKE_STEPS
from mcplite.cli.check.lines import parse_leniently, split_messages
from mcplite.cli.check.processes import processes_left
from mcplite.cli.check.report import verdict_of, without_controls
from mcplite.cli.check.schemas import json_schema_problems, minimal_arguments, wrong_arguments
from mcplite.cli.check.shapes import CHECK_SHAPES, JSON_FORMS, RESULT_SHAPES
from mcplite.cli.check.stateless import STATELESS_STEPS
from mcplite.cli.check.steps import SHARED_STEPS
from mcplite.cli.check.table import CASES, CHECKS, SEVERITIES
from mcplite.cli.main import cli_main

BAD_SERVER = os.path.join(REPO, "tests", "bad_servers", "bad_server.py")
CASE_USERS = ["check/%s.py" % part for part in ("command", "handshake", "lane", "messages", "schemas", "stateless", "steps")]
ADDRESS = "https://modelcontextprotocol.io/specification/2025-11-25/"

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the bad servers need POSIX")


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")


def check(fault, *options, quick=True):
    words = ["check", "--timeout", "2", "--start-timeout", "5", "--revision", "2025-11-25", *(["--quick"] if quick else []), *options]
    return cli_main([*words, "--", sys.executable, "-I", "-S", BAD_SERVER, fault])


def test_a_right_server(capsys):
    assert check("none", "--call-all") == 0
    out, err = capsys.readouterr()
    lines = out.split("\n")
    assert lines[0].startswith("bad 1; speaks 2025-11-25; 3 tools, 1 resource, 1 resource template, 1 prompt; first answer after ")
    assert lines[1] == "It works in hosts."
    assert lines[3].startswith("0 errors, 0 warnings, 0 notes; ")
    assert err == ""


def test_a_finding_says_what_why_and_where(capsys):
    assert check("empty-inputSchema") == 1
    out = capsys.readouterr().out.split("\n")
    assert out[1] == 'It will not work in every host: tool "double": inputSchema has not "type": "object".'
    assert out[3:8] == [
        'error   input-schema: inputSchema is an object with "type": "object"',
        '        found tool "double": inputSchema has not "type": "object"',
        "        seen  {}",
        "        why   All clients but Python 1.x reject the whole list.",
        "        in    2025-11-25",
    ]
    assert out[8] == "        rule  " + ADDRESS + "server/tools#tool"
    assert out[10].startswith("1 error, 0 warnings, 0 notes; ")
    assert out[11] == "No tool was called. --call NAME=JSON calls one; --call-all calls those that say they are read-only."


def test_warnings_do_not_fail_unless_strict(capsys):
    assert check("no-description") == 0
    assert check("no-description", "--strict") == 1


def test_quiet_leaves_notes_out(capsys):
    assert check("crlf") == 0
    assert "note    crlf: lines end in CR LF. " in capsys.readouterr().out
    assert check("crlf", "--quiet") == 0
    assert "note    crlf: lines end in CR LF. " not in capsys.readouterr().out


def test_json(capsys):
    assert check("dup-name", "--json", "--call", 'double={"n": 2}') == 0
    report = json.loads(capsys.readouterr().out)
    assert list(report) == ["mcplite", "command", "server", "revisions", "firstAnswerSeconds", "lists", "works", "summary",
                            "counts", "findings", "checks"]
    assert report["server"] == {"name": "bad", "version": "1"}
    assert report["works"] == "with cautions"
    assert report["summary"] == 'It works in hosts, with these cautions: two tools are called "double".'
    assert report["counts"] == {"error": 0, "warning": 1, "note": 0}
    assert report["lists"] == {"tools": 4, "resources": 1, "resourceTemplates": 1, "prompts": 1}
    found, = report["findings"]
    assert found.pop("evidence").startswith('{"name":"double"')
    assert found == {
        "check": "tool-duplicate", "severity": "warning", "what": 'two tools are called "double"',
        "why": "Of two tools with one name hosts show or call either.", "revisions": ["2025-11-25"], "count": 1,
        "rule": {"revision": "2025-11-25", "page": "server/tools#tool-names", "address": ADDRESS + "server/tools#tool-names"}}
    outcomes = {row["name"]: row["outcome"] for row in report["checks"]}
    assert list(outcomes) == list(CHECKS)
    assert outcomes["tool-duplicate"] == "warning"
    assert outcomes["ping"] == outcomes["structured-content"] == "passed"
    assert outcomes["discover-result"] == outcomes["listen"] == "not tried"


def test_a_note_is_one_line(capsys):
    assert check("unknown-tool-error") == 0
    out = capsys.readouterr().out.split("\n")
    assert out[1:5] == [
        "It works in hosts.",
        "",
        "note    unknown-tool: an unknown tool gets a tool error, not -32602. The model sees an error either way; the page has a "
        "protocol error for it.",
        "",
    ]


def test_a_server_that_nobody_can_connect_to_works_in_no_host(capsys):
    assert check("initialize-error", "--json") == 1
    report = json.loads(capsys.readouterr().out)
    assert (report["works"], report["summary"]) == ("no", "It will work in no host: initialize gets an error.")


def test_the_summary_names_the_worst_and_counts_the_rest():
    findings, facts = Findings(), ServerFacts([], False)
    facts.revisions.append("2025-11-25")
    for name in ("log-unasked", "start-time", "late-output", "orphans"):
        findings.add(name, name + " is odd", "", "2025-11-25")
    assert verdict_of(findings, facts) == (
        "with cautions",
        "It works in hosts, with these cautions: start-time is odd; orphans is odd; log-unasked is odd (and 1 more warning).")
    for name in ("ping", "bom", "large-input"):
        findings.add(name, name + " is wrong", "", "2025-11-25")
    assert verdict_of(findings, facts) == ("no", "It will not work in every host: bom is wrong (and 2 more errors).")


def test_junit(tmp_path, capsys):
    path = tmp_path / "report.xml"
    assert check("null-title", "--junit", str(path)) == 1
    suites = ElementTree.parse(str(path)).getroot()
    assert suites.tag == "testsuites"
    suite, = suites
    cases = {case.get("name"): case for case in suite}
    assert suite.get("name") == "mcplite check bad"
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == (str(len(CHECKS)), "1", "0")
    assert list(cases) == list(CHECKS)
    failure, = cases["null-member"]
    assert (failure.tag, failure.get("type"), failure.get("message")) == ("failure", "error", "tools/list: tools[].title is null")
    assert "rule: " + ADDRESS + "schema" in failure.text
    assert cases["call-result"][0].get("message") == "no tool was called: --call NAME=JSON, --call-all"
    assert int(suite.get("skipped")) == sum(1 for case in suite if len(case) and case[0].tag == "skipped")
    assert len(cases["ping"]) == 0


def test_junit_into_a_folder_that_is_not_there(tmp_path, capsys):
    assert check("none", "--junit", str(tmp_path / "no" / "x.xml")) == 2
    assert capsys.readouterr().err == "mcplite: check: cannot write %s: No such file or directory\n" % (tmp_path / "no" / "x.xml")


def test_xml_has_no_control_characters():
    assert without_controls("a\x00\x1b\ud800\ufffe\n\u00e9\U0001f3b5") == "a????\n\u00e9\U0001f3b5"


def test_only_named_tools_are_called(capfd):
    assert check("none", "--call", "erase={}", "--json") == 0
    outcome = {row["name"]: row["outcome"] for row in json.loads(capfd.readouterr().out)["checks"]}
    assert outcome["call-result"] == "warning"              # the tool refuses, but it was called
    assert check("none", "--json") == 0
    outcome = {row["name"]: row["outcome"] for row in json.loads(capfd.readouterr().out)["checks"]}
    assert outcome["call-result"] == outcome["bad-arguments"] == "not tried"


COUNTING = """
import sys
sys.path.insert(0, %r)
from one_fault import Server

class Counting(Server):
    def tools_call(self, message):
        name = self.params.get("name")
        if name in ("double", "steps", "erase"):
            with open(%r, "a") as file:
                file.write(name + "\\n")
        if name == "erase":
            return {"content": []}
        return super().tools_call(message)

Counting({}).run()
"""


@pytest.mark.parametrize("options, called", [
    ((), []),
    (("--call-all",), ["double", "double", "steps", "double", "double", "steps"]),  # in both eras, double also with wrong arguments
    (("--call", "erase"), ["erase"]),                                               # once, though there are two eras
])
def test_what_runs_in_the_server(options, called, tmp_path, capsys):
    script, log = tmp_path / "server.py", tmp_path / "log"
    script.write_text(COUNTING % (os.path.dirname(BAD_SERVER), str(log)))
    assert cli_main(["check", "--quick", *options, "--", sys.executable, str(script)]) == 0
    assert (log.read_text().split() if log.exists() else []) == called


@pytest.mark.parametrize("words, text", [
    (["--call", "add={", "--", "x"],
     "check: --call add: the arguments are not JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
    (["--call", "add=[]", "--", "x"], """check: --call takes NAME=JSON with a JSON object, as in add={"a": 1}, not 'add=[]'"""),
    (["--call", "={}", "--", "x"], """check: --call takes NAME=JSON with a JSON object, as in add={"a": 1}, not '={}'"""),
    (["--env", "A", "--", "x"], "check: --env takes NAME=VALUE, not 'A'"),
    (["--timeout", "0", "--", "x"], "check: a time limit must be more than 0 seconds"),
    ([], 'check: no server: put its command line after "--", as in: mcplite check -- python server.py'),
])
def test_called_wrongly(words, text, capsys):
    assert cli_main(["check", *words]) == 2
    assert capsys.readouterr() == ("", "mcplite: " + text + "\n")


def test_an_unknown_tool_is_a_mistake_of_the_caller(capsys):
    assert check("none", "--call", "dobule") == 2
    out, err = capsys.readouterr()
    assert "0 errors" in out
    assert err == "mcplite: check: the server has no tool dobule; it has double, erase, steps\n"


def test_a_command_that_does_not_exist(capsys):
    assert cli_main(["check", "--", "no-such-command-anywhere"]) == 3
    assert capsys.readouterr() == ("", "mcplite: check: cannot start the server: there is no command 'no-such-command-anywhere' on PATH "
                                       "(command: no-such-command-anywhere)\n")


def test_a_server_that_ends_at_once(capsys):
    assert cli_main(["check", "--", sys.executable, "-I", "-S", "-c", "import sys; sys.exit('boom')"]) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("mcplite: check: the server cannot be started: the server ended with exit status 1; command: ")
    assert err.endswith("; its standard error ends with: boom\n")


def test_a_server_that_falls_at_the_first_request(capsys):
    code = "import sys; sys.stdin.readline(); sys.exit('no such option: initialize')"
    assert cli_main(["check", "--", sys.executable, "-I", "-S", "-c", code]) == 1
    out = capsys.readouterr().out
    assert "found initialize is not answered: the server ends\n        seen  no such option: initialize" in out


def test_a_server_without_2026_07_28_where_only_that_is_wanted(capsys):
    assert cli_main(["check", "--revision", "2026-07-28", "--json", "--", sys.executable, "-I", "-S", BAD_SERVER, "discover-breaks"]) == 1
    findings = json.loads(capsys.readouterr().out)["findings"]
    assert [(one["check"], one["what"]) for one in findings] == [("discover-result", "server/discover gets an error")]


def test_variables_for_the_server(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("FROM_THE_USER", "here")
    script = tmp_path / "server.py"
    script.write_text("import os, sys\nsys.path.insert(0, %r)\nfrom one_fault import Server, INFO\n"
                      "INFO['name'] = '%%s %%s' %% (os.environ.get('FROM_THE_USER'), os.environ.get('ADDED'))\nServer({}).run()\n"
                      % os.path.dirname(BAD_SERVER))
    command = ["check", "--quick", "--revision", "2025-11-25", "--json", "--env", "ADDED=too"]
    assert cli_main([*command, "--", sys.executable, str(script)]) == 0
    assert json.loads(capsys.readouterr().out)["server"]["name"] == "here too"
    assert cli_main([*command, "--host-env", "--", sys.executable, str(script)]) == 0
    assert json.loads(capsys.readouterr().out)["server"]["name"] == "None too"


def test_no_process_is_left_and_ctrl_c_is_quiet(tmp_path):
    """Interrupted in the middle of a wait: the server, which ignores the end of its input, is gone."""
    import signal

    mark = tmp_path / "pid"
    script = tmp_path / "server.py"
    script.write_text("import os, signal, time\nopen(%r, 'w').write(str(os.getpid()))\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
                      "time.sleep(60)\n" % str(mark))
    process = subprocess.Popen([sys.executable, "-m", "mcplite", "check", "--", sys.executable, str(script)], cwd=REPO,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    until = time.monotonic() + 20
    while not (mark.exists() and mark.read_text()) and time.monotonic() < until:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (130, b"", b"")
    assert processes_left(int(mark.read_text())) == []


def test_list_names_every_check(capsys):
    assert cli_main(["check", "--list"]) == 0
    out = capsys.readouterr().out
    assert [line.split()[0] for line in out.split("\n") if line and line[0] != " "] == list(CHECKS)
    assert out.count("https://modelcontextprotocol.io/specification/2") == len(CHECKS)


# The tables

def test_the_table_is_whole():
    for name, row in CHECKS.items():
        assert row.name == name and row.severity in SEVERITIES and row.pages, name
        assert row.title and not row.title.endswith(".") and row.why.endswith("."), name
        assert list(row.pages) == sorted(row.pages), name


def test_every_case_has_a_severity_and_a_reason_and_is_used():
    source = "".join((Path(REPO) / "mcplite" / "cli" / name).read_text(encoding="utf-8") for name in CASE_USERS)
    for name, (severity, why) in CASES.items():
        assert severity in SEVERITIES and why.endswith("."), name
        assert '"%s"' % name in source, name


def test_a_case_takes_the_place_of_severity_and_reason():
    found = Findings().add("unknown-tool", "x", "", "2025-11-25", None, "tool-error")
    assert (found.severity, found.why) == CASES["tool-error"]


def test_what_weighs_more_in_another_revision_is_reported_so():
    findings = Findings()
    findings.add("unknown-resource", "x", "", "2025-11-25", None, "other-code")
    found = findings.add("unknown-resource", "x", "", "2026-07-28", "warning", "other-code")
    assert (found.severity, found.count, found.revisions) == ("warning", 2, ["2025-11-25", "2026-07-28"])


def test_shapes_refer_to_shapes():
    forms = {form.strip("[]") for members in CHECK_SHAPES.values() for form in members.values()}
    assert forms <= set(CHECK_SHAPES) | set(JSON_FORMS) | {"content", "base64"}
    assert {definition for _, definition in RESULT_SHAPES.values()} <= set(CHECK_SHAPES)
    assert {name for name, _ in RESULT_SHAPES.values()} <= set(CHECKS)


def test_every_shared_step_runs_in_both_eras():
    assert set(SHARED_STEPS) <= set(HANDSHAKE_STEPS)
    assert set(SHARED_STEPS) <= set(STATELESS_STEPS)


@pytest.mark.parametrize("revision, cited", [
    ("2024-11-05", ("2024-11-05", "basic/messages#responses")), ("2025-03-26", ("2025-03-26", "basic#responses")),
    ("2026-07-28", ("2026-07-28", "basic#responses"))])
def test_the_page_is_the_one_of_the_revision(revision, cited):
    assert CHECKS["id-echo"].cite(revision) == cited


def test_a_rule_that_came_later_is_cited_where_it_stands():
    assert CHECKS["tool-name"].cite("2024-11-05") == ("2025-11-25", "server/tools#tool-names")


def test_the_same_finding_is_counted_once():
    findings = Findings()
    for revision in ("2025-11-25", "2025-11-25", "2024-11-05"):
        findings.add("ping", "ping gets an error", "x", revision)
    found, = findings.sorted()
    assert (found.count, found.revisions, found.severity) == (3, ["2025-11-25", "2024-11-05"], "error")


# Pieces

@pytest.mark.parametrize("value, shown", [
    (b"caf\xc3\xa9", "caf\u00e9"), (b"a\xff\x00", "a\\xff\\x00"), ("a\tb\u2028", "a\\tb\\u2028"), ({"a": [1]}, '{"a":[1]}'),
    (float("nan"), "nan"), ("x" * 300, "x" * 196 + " ...")])
def test_evidence_is_one_short_line(value, shown):
    assert shorten_evidence(value) == shown


@pytest.mark.parametrize("text, found", [
    ('{"a": NaN}', ["NaN"]), ("[1e999]", ["the number 1e999"]), ('"a\tb"', []), ("{", None), ("[" * 100000, None)])
def test_what_a_lenient_reader_takes(text, found):
    seen = []
    value = parse_leniently(text, seen)
    assert (None if value is None or value == ((),) else seen) == found


@pytest.mark.parametrize("data, messages", [
    (b'{"a":1}{"b":2}', [b'{"a":1}', b'{"b":2}']), (b' {"a":1} ', [b'{"a":1}']), (b"", []), (b'{"a":1}x', []), (b"[1]", []), (b"\xff", [])])
def test_messages_without_line_feeds(data, messages):
    assert split_messages(data) == messages


def schema(**properties):
    return {"type": "object", "properties": properties, "required": list(properties)}


@pytest.mark.parametrize("given, arguments", [
    (schema(), {}),
    (schema(a={"type": "string"}, b={"type": "integer", "minimum": 5}, c={"type": "boolean"}), {"a": "x", "b": 5, "c": False}),
    (schema(a={"type": "string", "minLength": 3}, b={"enum": ["k"]}, c={"type": "array", "items": {}}), {"a": "xxx", "b": "k", "c": []}),
    (schema(a={"type": "number", "maximum": -2}, b={"const": None}), {"a": -2, "b": None}),
    (schema(a={"type": "string", "format": "uri"}), None),          # would be guessing
    (schema(a={"type": "string", "pattern": "^a"}), None),
    (schema(a={}), None),
    (schema(a={"type": "integer", "minimum": 3, "maximum": 2}), None),
    ({"type": "object", "required": ["gone"]}, None),
])
def test_arguments_are_the_smallest_or_none(given, arguments):
    assert minimal_arguments(given) == arguments


@pytest.mark.parametrize("given, wrong", [
    (schema(a={"type": "string"}), ({}, "without the required a")),
    ({"type": "object", "properties": {"a": {"type": "integer"}}}, ({"a": {"wrong": []}}, "with an object for a")),
    ({"type": "object", "properties": {"a": {}}}, None),
    ({"type": "strange"}, None),
])
def test_wrong_arguments(given, wrong):
    assert wrong_arguments(given) == wrong


@pytest.mark.parametrize("given, name", [
    ({"type": "object"}, None),
    ({"$schema": "https://json-schema.org/draft/2019-09/schema", "type": "objec"}, "schema"),
    ({"properties": {"pattern": {"type": "string", "default": {"pattern": "("}}}}, None),
    ({"allOf": [{"pattern": "\\p{L}"}]}, "schema-pattern"),
    ({"$ref": "#"}, "schema"),
])
def test_which_trouble_a_schema_is(given, name):
    found = [problem[0] for problem in json_schema_problems(given, "x")]
    assert found[-1:] == ([name] if name else [])


def test_a_call_without_arguments():
    assert parse_check_call("list") == ("list", {})
    assert parse_check_call('add={"a": "x=y"}') == ("add", {"a": "x=y"})


# Servers that are right

@pytest.mark.parametrize("example", ["hello.py", "inventory.py"])
def test_nothing_is_wrong_with_the_examples(example, capsys):
    status = cli_main(["check", "--json", "--strict", "--call-all", "--env", "PYTHONPATH=" + SOURCE, "--", sys.executable,
                       os.path.join(REPO, "examples", example)])
    report = json.loads(capsys.readouterr().out)
    assert (status, report["findings"]) == (0, [])
    assert len(report["revisions"]) == 5
