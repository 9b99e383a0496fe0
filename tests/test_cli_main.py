"""The frame of the command line: finding commands, help, errors of one line, exit statuses."""
from __future__ import annotations

import os
import subprocess
import sys

import pytest

from mcplite.cli import main as cli_frame
from mcplite.cli.commands import COMMANDS, NEEDED, NO_SERVER, OPTIONAL
from mcplite.cli.main import cli_main
from mcplite.cli.terminal import CliError, terminal_width, wants_colour
from mcplite.errors import VERSION

REPOSITORY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def run_module(*words, **options):
    return subprocess.run([sys.executable, "-m", "mcplite", *words], cwd=REPOSITORY, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60, **options)


@pytest.fixture
def probe(monkeypatch):
    """A command `probe` that records what it was given; `probe.outcome` may be a function to run."""
    class Probe:
        arguments = None
        outcome = staticmethod(lambda: 0)

    def add_probe_arguments(parser):
        parser.add_argument("name", nargs="?")
        parser.add_argument("-o")

    def run_probe(arguments):
        Probe.arguments = arguments
        return Probe.outcome()

    def register(server):
        row = (server, "look at 100% of it", "mcplite probe -o 100%", lambda: (add_probe_arguments, run_probe))
        monkeypatch.setitem(COMMANDS, "probe", row)
        return Probe
    return register


def test_version(capsys):
    assert cli_main(["--version"]) == 0
    assert capsys.readouterr().out == "mcplite %s\n" % VERSION


def test_version_imports_nothing_slow():
    code = ("import sys; from mcplite.cli.main import cli_main; before = set(sys.modules); cli_main(['--version']);"
            "print(sorted({'argparse', 'json', 're', 'typing', 'subprocess', 'difflib', 'inspect'} & set(sys.modules)))")
    done = subprocess.run([sys.executable, "-S", "-E", "-c", code], cwd=REPOSITORY, stdout=subprocess.PIPE, timeout=60)
    assert done.stdout.decode().split("\n")[1].strip() == "[]"


def test_module_and_overview():
    done = run_module("--help")
    assert done.returncode == 0 and done.stderr == b""
    for name in COMMANDS:
        assert ("\n  %s " % name) in done.stdout.decode()


def test_bare_call_shows_the_overview_and_fails(capsys):
    assert cli_main([]) == 2
    assert capsys.readouterr().out.startswith("usage: mcplite COMMAND")


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_has_help_with_an_example(name, capsys):
    assert cli_main([name, "--help"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("usage: mcplite " + name)
    assert "\nexamples:\n  mcplite " + name in out
    assert cli_main(["help", name]) == 0
    assert capsys.readouterr().out == out


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_usage_says_whether_a_server_is_needed(name, capsys):
    cli_main([name, "--help"])
    usage = capsys.readouterr().out.split("\n\n")[0].rstrip()
    ending = {NEEDED: " -- CMD ...", OPTIONAL: " [-- CMD ...]", NO_SERVER: ""}[COMMANDS[name][0]]
    assert usage.endswith(ending) and ("CMD" in usage) == bool(ending)


@pytest.mark.parametrize("words, text", [
    (["trase"], 'mcplite: no command "trase"; did you mean "trace"? mcplite --help lists the commands\n'),
    (["zzzzzz"], 'mcplite: no command "zzzzzz". mcplite --help lists the commands\n'),
    (["--zzzzz"], 'mcplite: no option "--zzzzz". mcplite --help lists the commands\n'),
])
def test_unknown_command(words, text, capsys):
    assert cli_main(words) == 2
    assert capsys.readouterr() == ("", text)


def test_unknown_option_of_a_command_is_one_line(probe, capsys):
    probe(OPTIONAL)
    assert cli_main(["probe", "--colour"]) == 2
    assert capsys.readouterr() == ("",
                                   "mcplite: probe: unrecognized arguments: --colour (mcplite probe --help shows how)\n")


def test_percent_signs_in_help(probe, capsys):
    probe(NO_SERVER)
    assert cli_main(["probe", "--help"]) == 0
    assert capsys.readouterr().out.endswith("examples:\n  mcplite probe -o 100%\n")


def test_server_command_is_what_follows_the_first_dashes(probe):
    seen = probe(NEEDED)
    assert cli_main(["probe", "x", "-o", "f", "--", "sh", "-c", "--", "y"]) == 0
    assert (seen.arguments.name, seen.arguments.o, seen.arguments.server_command) == ("x", "f", ["sh", "-c", "--", "y"])


def test_missing_server(probe, capsys):
    probe(NEEDED)
    assert cli_main(["probe"]) == 2
    assert capsys.readouterr().err == ('mcplite: probe: no server: put its command line after "--", as in: mcplite probe -o 100%\n')


def test_server_where_none_is_taken(probe, capsys):
    probe(NO_SERVER)
    assert cli_main(["probe", "--", "x"]) == 2
    assert capsys.readouterr().err == 'mcplite: probe: takes no server command: leave out "--" and what follows\n'


def test_exit_status_is_the_command_s(probe):
    probe(OPTIONAL).outcome = staticmethod(lambda: 7)
    assert cli_main(["probe"]) == 7


def raising(error):
    def outcome():
        raise error
    return staticmethod(outcome)


def test_cli_error_is_one_line(probe, capsys):
    probe(OPTIONAL).outcome = raising(CliError("first\nsecond", status=3))
    assert cli_main(["probe"]) == 3
    assert capsys.readouterr() == ("", "mcplite: first second\n")


def test_interrupt_is_quiet(probe, capsys):
    probe(OPTIONAL).outcome = raising(KeyboardInterrupt())
    assert cli_main(["probe"]) == 130
    assert capsys.readouterr() == ("", "")


def test_broken_pipe_is_quiet(probe, monkeypatch, capsys):
    monkeypatch.setattr(cli_frame, "drop_standard_output", lambda: None)
    probe(OPTIONAL).outcome = raising(BrokenPipeError())
    assert cli_main(["probe"]) == 141
    assert capsys.readouterr() == ("", "")


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX pipe")
def test_reader_that_left():
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([sys.executable, "-m", "mcplite", "--help"], cwd=REPOSITORY, stdout=write,
                          stderr=subprocess.PIPE, timeout=60)
    os.close(write)
    assert (done.returncode, done.stderr) == (141, b"")


def test_output_that_the_terminal_cannot_show():
    code = "import sys; from mcplite.cli.main import soften_output_encoding; soften_output_encoding(); print('\\u2192')"
    done = subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY, stdout=subprocess.PIPE, timeout=60,
                          env=dict(os.environ, PYTHONIOENCODING="ascii"))
    assert done.stdout.strip() == b"\\u2192"


class FakeTerminal:
    def isatty(self):
        return True


@pytest.mark.parametrize("environment, wanted", [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)])
def test_colour(environment, wanted, monkeypatch):
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert wants_colour(FakeTerminal()) is wanted


def test_no_colour_when_piped(tmp_path):
    with open(str(tmp_path / "out"), "w") as stream:
        assert wants_colour(stream) is False
    assert wants_colour(stream) is False  # closed
    assert wants_colour(object()) is False


def test_width_from_columns(monkeypatch):
    monkeypatch.setenv("COLUMNS", "72")
    assert terminal_width() == 72
    monkeypatch.setenv("COLUMNS", "0")
    assert terminal_width(88) in (88, terminal_width(88))
