"""The frame of the command line: finds the command, loads its module, turns its outcome into an exit status.

No command lives here, and nothing of a command is imported before it has been asked for, so `mcplite --version`
costs no more than starting Python. Rules:

1. What follows the first `--` is the server's command line. It arrives as `arguments.server_command`, a list of
   strings, empty when there was none. The row says whether it is needed; `run_NAME` need not check.
2. Exit status: 0 well, 1 it failed, 2 called wrongly, 130 interrupted, 141 the reader of our output went away.
3. An error is one line on stderr that says what to do. A command raises `CliError` for it.
"""
from __future__ import annotations

import os
import sys

from ..errors import VERSION
from .commands import COMMANDS, NEEDED, NO_SERVER, first_example, new_command_parser
from .terminal import CliError, did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from .commands import AddArguments, RunCommand


def load_completion_command() -> tuple[AddArguments, RunCommand]:
    from .completion import add_completion_arguments, run_completion
    return add_completion_arguments, run_completion


COMMANDS["completion"] = (
    NO_SERVER, "print the completion script of a shell",
    ("mcplite completion bash\n"
     "mcplite completion fish > ~/.config/fish/completions/mcplite.fish"), load_completion_command)


def cli_main(argv: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit status; `argv` is without the program's name (default: `sys.argv`)."""
    words = list(sys.argv[1:] if argv is None else argv)
    soften_output_encoding()
    try:
        status = run_command_line(words)
        if sys.stdout is not None:
            sys.stdout.flush()  # here, so that a reader who left is noticed where we can be quiet about it
        return status
    except CliError as error:
        print("mcplite: " + " ".join(error.text.split("\n")), file=sys.stderr)
        return error.status
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        drop_standard_output()
        return 141


def run_command_line(words: Sequence[str]) -> int:
    """`cli_main` without the handling of errors."""
    first = words[0] if words else None
    if first in ("--version", "-V"):
        print("mcplite " + VERSION)
        return 0
    if first == "help" and len(words) > 1:
        return run_command_line([words[1], "--help"])
    if first is None or first in ("--help", "-h", "help"):
        print(overview_text())
        return 0 if words else 2
    if first not in COMMANDS:
        raise CliError(unknown_command_text(first), status=2)
    return run_one_command(first, words[1:])


def run_one_command(name: str, words: Sequence[str]) -> int:
    """Parse the words of the command `name`, check rule 1 and run it."""
    server, _, _, load = COMMANDS[name]
    own_words, server_command = split_at_dashes(words)
    add_arguments, run = load()
    parser = new_command_parser(name, add_arguments)
    try:
        arguments = parser.parse_args(own_words)
    except SystemExit as leaving:  # argparse leaves after --help
        return leaving.code if isinstance(leaving.code, int) else 0
    if server == NEEDED and not server_command:
        raise CliError('%s: no server: put its command line after "--", as in: %s'
                       % (name, first_example(name)), status=2)
    if server == NO_SERVER and server_command:
        raise CliError('%s: takes no server command: leave out "--" and what follows' % name, status=2)
    arguments.server_command = server_command
    return run(arguments)


def split_at_dashes(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """The command's own words, and the server's command line: what follows the first `--`."""
    words = list(words)
    if "--" not in words:
        return words, []
    at = words.index("--")
    return words[:at], words[at + 1:]


def overview_text() -> str:
    """What `mcplite --help` prints."""
    width = max(map(len, COMMANDS))
    lines = ["usage: mcplite COMMAND [options] [-- CMD ...]", "",
             "MCP over stdio in plain Python: try, check, watch and pack servers. CMD is the command line of a server.",
             "",
             "commands:"]
    lines += ["  %s  %s" % (name.ljust(width), row[1]) for name, row in COMMANDS.items()]
    lines += ["", "examples:"]
    lines += ["  " + first_example(name) for name in COMMANDS]
    lines += ["", "mcplite COMMAND --help tells more; mcplite --version says which mcplite this is."]
    return "\n".join(lines)


def unknown_command_text(word: str) -> str:
    """One line: what was not understood, what was probably meant, where to look."""
    kind = "option" if word.startswith("-") else "command"
    return 'no %s "%s"%s mcplite --help lists the commands' % (kind, word, did_you_mean(word, COMMANDS))


def soften_output_encoding() -> None:
    """Let no character a server sends break our output on a terminal that cannot show it."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def drop_standard_output() -> None:
    """Point descriptor 1 at the null device, so that Python's flush at exit has nothing to complain about."""
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)
    except (AttributeError, OSError, ValueError):
        pass
