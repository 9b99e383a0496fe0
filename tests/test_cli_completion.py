"""`mcplite completion`: the scripts, used by the shells themselves."""
from __future__ import annotations

import shutil
import subprocess
import sys

import pytest
from harness import environment
from terminal_helpers import run_on_terminal

from mcplite.cli.commands import COMMANDS
from mcplite.cli.completion import SHELL_SCRIPTS, CompletedCommand, shell_quoted
from mcplite.cli.main import cli_main


def needs(shell):
    return pytest.mark.skipif(shutil.which(shell) is None, reason="needs the shell %s" % shell)


@pytest.fixture(scope="module")
def scripts(tmp_path_factory):
    """shell → path of its script."""
    folder, found = tmp_path_factory.mktemp("completion"), {}
    for shell in SHELL_SCRIPTS:
        done = subprocess.run([sys.executable, "-m", "mcplite", "completion", shell], stdout=subprocess.PIPE, env=environment(),
                              timeout=60)
        assert done.returncode == 0
        found[shell] = str(folder / ("mcplite." + shell))
        (folder / ("mcplite." + shell)).write_bytes(done.stdout)
    return found


CASES = [
    ("mcplite comp", {"complete", "completion"}),
    ("mcplite call --ans", {"--answer"}),
    ("mcplite call --revision 2025-0", {"2025-03-26", "2025-06-18"}),
    ("mcplite tools --log-level e", {"error", "emergency"}),
    ("mcplite config claude", {"claude-desktop", "claude-code"}),
    ("mcplite completion ", {"bash", "zsh", "fish"}),
    ("mcplite demo --tr", {"--trace"}),
    ("mcplite call --timeout ", set()),
    ("mcplite demo -", {"-h", "--help", "--full", "--trace"}),
]


@needs("bash")
@pytest.mark.parametrize("line, words", CASES)
def test_bash(scripts, line, words):
    code = ('source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _mcplite_complete; '
            'for word in "${COMPREPLY[@]}"; do echo "$word"; done')
    done = subprocess.run(["bash", "-c", code, "bash", scripts["bash"], *line.split(" ")], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, env=environment(), timeout=60)
    assert set(done.stdout.decode().split()) == words and done.stderr == b""


@needs("bash")
def test_bash_after_the_dashes(scripts):
    code = ('source "$1"; COMP_WORDS=(mcplite call x -- ech); COMP_CWORD=4; _mcplite_complete; echo "${COMPREPLY[@]}"; '
            'COMP_WORDS=(mcplite call x -- echo --he); COMP_CWORD=5; _mcplite_complete; echo "${#COMPREPLY[@]}"')
    done = subprocess.run(["bash", "-c", code, "bash", scripts["bash"]], stdout=subprocess.PIPE, env=environment(), timeout=60)
    programs, rest = done.stdout.decode().strip().split("\n")
    assert "echo" in programs.split() and rest == "0"


@needs("fish")
@pytest.mark.parametrize("line, words", CASES)
def test_fish(scripts, line, words, tmp_path):
    done = subprocess.run(["fish", "--no-config", "-c", "source $argv[1]; complete -C $argv[2]", scripts["fish"], line],
                          stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, env=environment(HOME=str(tmp_path)), timeout=60)
    assert {found.split("\t")[0] for found in done.stdout.decode().splitlines()} == words and done.stderr == b""


@needs("zsh")
@pytest.mark.parametrize("line, completed", [
    ("mcplite compl", "mcplite complet"), ("mcplite call --ans", "mcplite call --answer "),
    ("mcplite call --revision 2026", "2026-07-28 "),
    ("mcplite config vsc", "mcplite config vscode "), ("mcplite demo --tr", "mcplite demo --trace ")])
def test_zsh(scripts, line, completed, tmp_path):
    setup = "PS1='> '; unsetopt beep; autoload -Uz compinit; compinit -u -D; source %s; echo rea''dy\n" % scripts["zsh"]
    status, out = run_on_terminal(["zsh", "-f", "-i"], environment(TERM="dumb", HOME=str(tmp_path)), columns=160, typing=[
        ("", setup), ("ready", line + "\t"), (completed, "\x15exit\n")])
    assert status == 0, out


@needs("zsh")
def test_zsh_describes_commands(scripts, tmp_path):
    setup = "PS1='> '; autoload -Uz compinit; compinit -u -D; source %s; echo rea''dy\n" % scripts["zsh"]
    run_on_terminal(["zsh", "-f", "-i"], environment(TERM="dumb", HOME=str(tmp_path)), columns=160, typing=[
        ("", setup), ("ready", "mcplite pr\t\t"), ("prompts  -- list the prompts of a server", "\x15exit\n")])


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_option_of_every_command_is_there(scripts, name):
    command = CompletedCommand(name)
    flags = [flag for option in command.options for flag in option.flags if flag.startswith("--")]
    assert "--help" in flags
    texts = {}
    for shell, path in scripts.items():
        with open(path, encoding="utf-8") as file:
            texts[shell] = file.read()
    for flag in flags:
        assert " %s" % flag in texts["bash"].replace("'", " ") and "'%s:" % flag in texts["zsh"]
        assert "-l %s" % flag[2:] in "\n".join(line for line in texts["fish"].split("\n") if "'__mcplite_is %s'" % name in line)


def test_the_shell_of_the_user(monkeypatch, capsys):
    monkeypatch.setenv("SHELL", "/usr/bin/fish")
    assert cli_main(["completion"]) == 0
    assert capsys.readouterr().out.startswith("# fish completion of mcplite. Once:  mcplite completion fish > ")


def test_an_unknown_shell(monkeypatch, capsys):
    monkeypatch.setenv("SHELL", "/bin/sh")
    assert cli_main(["completion"]) == 2
    assert capsys.readouterr().err == "mcplite: completion: say for which shell: bash, zsh, fish\n"
    assert cli_main(["completion", "bsh"]) == 2
    assert capsys.readouterr().err == ('mcplite: completion: no completion for "bsh"; did you mean "bash"? there is: bash, zsh, '
                                       "fish\n")


def test_quotes():
    assert shell_quoted("it's") == "'it'\\''s'" and shell_quoted("it's", "\\'") == "'it\\'s'"
