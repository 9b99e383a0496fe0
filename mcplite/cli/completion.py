"""`mcplite completion bash | zsh | fish`: the script that lets a shell complete mcplite's commands and options.

Here: what can be completed, taken from the very parsers of the commands, and one function per shell that writes it down.
Rules:

1. A script is complete in itself: completing starts no Python, and no server.
2. What follows `--` is another program's command line: a program first, then files.
3. Texts from help go into single quotes; a quote in them is written as the shell wants it.
"""
from __future__ import annotations

import os

from .commands import COMMANDS, NO_SERVER, new_command_parser
from .terminal import CliError, did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

FILE_METAVARS = frozenset(["FILE", "DIR", "PATH", "OUT", "PNG", "SCRIPT", "PAGE"])


class CompletedOption:
    """One option or positional of a command: its flags, the words its value may be, whether that is a file."""

    def __init__(self, action: Any, words: list[str]) -> None:
        self.flags: list[str] = list(action.option_strings)
        self.takes_value = action.nargs != 0
        self.words = words or [str(choice) for choice in action.choices or ()]
        self.is_file = not self.words and (action.metavar or action.dest.upper()) in FILE_METAVARS
        help_text = " ".join((action.help or "").replace("%%", "%").split())
        self.help = help_text if len(help_text) <= 70 else help_text[:67].rstrip() + "..."


class CompletedCommand:
    """One command: its help, its options and positionals, whether a server's command line may follow."""

    def __init__(self, name: str) -> None:
        server, self.help, _, load = COMMANDS[name]
        self.name = name
        self.takes_server = server != NO_SERVER
        self.options: list[CompletedOption] = []
        self.words: list[str] = []              # of the positionals
        self.takes_file = False
        for action in new_command_parser(name, load()[0])._actions:
            if action.help == "==SUPPRESS==":
                continue
            option = CompletedOption(action, known_words(name, action))
            if option.flags:
                self.options.append(option)
            else:
                self.words += option.words
                self.takes_file = self.takes_file or option.is_file


def known_words(command: str, action: Any) -> list[str]:
    """The words of a value that its parser does not list as choices."""
    if action.dest == "revision":
        from ..client import HANDSHAKE_MODE
        from ..revisions import REVISIONS

        return [*REVISIONS, HANDSHAKE_MODE]
    if command == "config" and action.dest == "host":
        from .config import CONFIG_HOSTS

        return list(CONFIG_HOSTS)
    return list(SHELL_SCRIPTS) if command == "completion" and action.dest == "shell" else []


def shell_quoted(text: str, escape: str = "'\\''") -> str:
    """Rule 3."""
    return "'" + text.replace("'", escape) + "'"


# bash, from 3.2 on (macOS)

def bash_script(commands: list[CompletedCommand]) -> str:
    lines = [
        '# bash completion of mcplite. In ~/.bashrc:  eval "$(mcplite completion bash)"',
        "_mcplite_complete() {",
        '    local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" command="${COMP_WORDS[1]}"',
        '    local words="" flags="" i',
        "    COMPREPLY=()",
        "    for ((i = 1; i < COMP_CWORD; i++)); do",
        '        if [ "${COMP_WORDS[i]}" = "--" ]; then',
        '            if [ "$i" -eq "$((COMP_CWORD - 1))" ]; then COMPREPLY=($(compgen -c -- "$word")); fi',
        "            return  # nothing: bash completes files",
        "        fi",
        "    done",
        '    if [ "$COMP_CWORD" -eq 1 ]; then',
        "        words=%s" % shell_quoted(" ".join(command.name for command in commands) + " --help --version"),
        '        COMPREPLY=($(compgen -W "$words" -- "$word"))',
        "        return",
        "    fi",
        '    case "$command $before" in',
    ]
    for command in commands:
        for option in command.options:
            if option.takes_value:
                patterns = " | ".join(shell_quoted("%s %s" % (command.name, flag)) for flag in option.flags)
                offer = ('COMPREPLY=($(compgen -W %s -- "$word")); ' % shell_quoted(" ".join(option.words))
                         if option.words else "" if option.is_file else "COMPREPLY=(); compopt +o default 2>/dev/null; ")
                lines.append("        %s) %sreturn ;;" % (patterns, offer))
    lines += ["    esac", '    case "$command" in']
    for command in commands:
        flags = [flag for option in command.options for flag in option.flags] + (["--"] if command.takes_server else [])
        lines.append("        %s) flags=%s" % (command.name, shell_quoted(" ".join(flags))))
        # a blank fits nothing, and then bash completes files
        words = '" "' if command.takes_file else shell_quoted(" ".join(command.words))
        lines.append("            words=%s ;;" % words)
    lines += [
        "        help) words=%s ;;" % shell_quoted(" ".join(command.name for command in commands)),
        "    esac",
        '    case "$word" in -*) words="$flags" ;; esac',
        '    COMPREPLY=($(compgen -W "${words:-$flags}" -- "$word"))',
        "}",
        "complete -o default -F _mcplite_complete mcplite",
    ]
    return "\n".join(lines)


# zsh

def zsh_script(commands: list[CompletedCommand]) -> str:
    lines = [
        "#compdef mcplite",
        '# zsh completion of mcplite. In ~/.zshrc, after compinit:  eval "$(mcplite completion zsh)"',
        "# or save it as _mcplite in a folder of $fpath.",
        "_mcplite() {",
        "    local -a commands options values",
        "    local i",
        "    for ((i = 2; i < CURRENT; i++)); do",
        "        if [[ $words[i] == -- ]]; then",
        "            if ((i == CURRENT - 1)); then _command_names -e; else _files; fi",
        "            return",
        "        fi",
        "    done",
        "    if ((CURRENT == 2)); then",
        "        commands=(",
    ]
    lines += ["            %s" % shell_quoted("%s:%s" % (command.name, command.help)) for command in commands]
    lines += ["        )", "        _describe command commands", "        return", "    fi",
              '    case "$words[2] $words[CURRENT-1]" in']
    for command in commands:
        for option in command.options:
            if option.takes_value:
                patterns = "|".join(shell_quoted("%s %s" % (command.name, flag)) for flag in option.flags)
                offer = ("values=(%s); compadd -a values; " % " ".join(map(shell_quoted, option.words)) if option.words
                         else "_files; " if option.is_file else "_message value; ")
                lines.append("        %s) %sreturn ;;" % (patterns, offer))
    lines += ["    esac", "    case $words[2] in"]
    for command in commands:
        flags = [shell_quoted("%s:%s" % (flag, option.help.replace(":", ";"))) for option in command.options
                 for flag in option.flags]
        if command.takes_server:
            flags.append(shell_quoted("--:what follows is the server's command line"))
        lines += ["        %s)" % command.name, "            options=("] + ["                " + flag for flag in flags]
        lines += ["            )", "            values=(%s)" % " ".join(map(shell_quoted, command.words)), "            ;;"]
    lines += [
        "        help) values=(%s) ;;" % " ".join(command.name for command in commands),
        "    esac",
        "    if [[ $words[CURRENT] == -* ]]; then",
        "        _describe -o option options",
        "    elif (($#values)); then",
        "        compadd -a values",
        "    else",
        "        _files",
        "    fi",
        "}",
        'if [[ "$funcstack[1]" == _mcplite ]]; then _mcplite "$@"; else compdef _mcplite mcplite; fi',
    ]
    return "\n".join(lines)


# fish

def fish_script(commands: list[CompletedCommand]) -> str:
    lines = [
        "# fish completion of mcplite. Once:  mcplite completion fish > ~/.config/fish/completions/mcplite.fish",
        "function __mcplite_is",
        "    set -l words (commandline -opc)",
        "    not contains -- -- $words; and test (count $words) -gt 1; and test $words[2] = $argv[1]",
        "end",
        "complete -c mcplite -f",
        "complete -c mcplite -n 'contains -- -- (commandline -opc)' -F",
        "complete -c mcplite -n 'test (count (commandline -opc)) -eq 1' -l help -d 'what there is'",
        "complete -c mcplite -n 'test (count (commandline -opc)) -eq 1' -l version -d 'which mcplite this is'",
    ]
    for command in commands:
        lines.append("complete -c mcplite -n 'test (count (commandline -opc)) -eq 1' -a %s -d %s"
                     % (command.name, shell_quoted(command.help, "\\'")))
        start = "complete -c mcplite -n '__mcplite_is %s'" % command.name
        for option in command.options:
            flags = " ".join("-l " + flag[2:] if flag.startswith("--") else "-s " + flag[1:] for flag in option.flags)
            value = (" -x -a %s" % shell_quoted(" ".join(option.words)) if option.words
                     else " -r -F" if option.is_file else " -x" if option.takes_value else "")
            lines.append("%s %s%s -d %s" % (start, flags, value, shell_quoted(option.help, "\\'")))
        if command.words:
            lines.append("%s -a %s" % (start, shell_quoted(" ".join(command.words))))
        if command.takes_file:
            lines.append("%s -F" % start)
        if command.takes_server:
            lines.append("%s -a -- -d %s" % (start, shell_quoted("the server's command line follows", "\\'")))
    return "\n".join(lines)


SHELL_SCRIPTS: dict[str, Callable[[list[CompletedCommand]], str]] = {
    "bash": bash_script, "zsh": zsh_script, "fish": fish_script}


def add_completion_arguments(parser: Any) -> None:
    parser.add_argument("shell", metavar="SHELL", nargs="?", help="bash, zsh or fish (default: the one of $SHELL)")
    parser.epilog = ("To use it:\n"
                     '  bash   eval "$(mcplite completion bash)"       in ~/.bashrc\n'
                     '  zsh    eval "$(mcplite completion zsh)"        in ~/.zshrc, after compinit\n'
                     "  fish   mcplite completion fish > ~/.config/fish/completions/mcplite.fish    once\n\n"
                     "exit status: 0 printed; 2 called wrongly")


def run_completion(arguments: Any) -> int:
    shell = arguments.shell
    if shell is None:
        shell = os.path.basename(os.environ.get("SHELL", ""))
        if shell not in SHELL_SCRIPTS:
            raise CliError("completion: say for which shell: %s" % ", ".join(SHELL_SCRIPTS), status=2)
    if shell not in SHELL_SCRIPTS:
        raise CliError('completion: no completion for "%s"%s there is: %s'
                       % (shell, did_you_mean(shell, SHELL_SCRIPTS, ";"), ", ".join(SHELL_SCRIPTS)), status=2)
    print(SHELL_SCRIPTS[shell]([CompletedCommand(name) for name in COMMANDS]))
    return 0
