"""The frame of the command line: finds the command, loads its module, turns its outcome into an exit status.

No command lives here, and nothing of a command is imported before it has been asked for, so `mcplite --version`
costs no more than starting Python. Rules:

1. A command is one row of COMMANDS and one loader. Its module offers `add_NAME_arguments(parser)`, which adds to an
   argparse parser, and `run_NAME(arguments) -> int`, which returns the exit status.
2. What follows the first `--` is the server's command line. It arrives as `arguments.server_command`, a list of
   strings, empty when there was none. The row says whether it is needed; `run_NAME` need not check.
3. Exit status: 0 well, 1 it failed, 2 called wrongly, 130 interrupted, 141 the reader of our output went away.
4. An error is one line on stderr that says what to do. A command raises `CliError` for it.
"""
from __future__ import annotations

import os
import sys

from ..errors import VERSION
from .terminal import CliError, nearest_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Sequence

    AddArguments = Callable[[Any], None]
    RunCommand = Callable[[Any], int]
    CommandLoader = Callable[[], tuple[AddArguments, RunCommand]]
    CommandRow = tuple[str, str, str, CommandLoader]


def load_demo_command() -> tuple[AddArguments, RunCommand]:
    from .demo import add_demo_arguments, run_demo
    return add_demo_arguments, run_demo


def load_tools_command() -> tuple[AddArguments, RunCommand]:
    from .calls import add_tools_arguments, run_tools
    return add_tools_arguments, run_tools


def load_resources_command() -> tuple[AddArguments, RunCommand]:
    from .calls import add_resources_arguments, run_resources
    return add_resources_arguments, run_resources


def load_prompts_command() -> tuple[AddArguments, RunCommand]:
    from .calls import add_prompts_arguments, run_prompts
    return add_prompts_arguments, run_prompts


def load_call_command() -> tuple[AddArguments, RunCommand]:
    from .calls import add_call_arguments, run_call
    return add_call_arguments, run_call


def load_read_command() -> tuple[AddArguments, RunCommand]:
    from .calls import add_read_arguments, run_read
    return add_read_arguments, run_read


def load_prompt_command() -> tuple[AddArguments, RunCommand]:
    from .calls import add_prompt_arguments, run_prompt
    return add_prompt_arguments, run_prompt


def load_complete_command() -> tuple[AddArguments, RunCommand]:
    from .calls import add_complete_arguments, run_complete
    return add_complete_arguments, run_complete


def load_check_command() -> tuple[AddArguments, RunCommand]:
    from .checks import add_check_arguments, run_check
    return add_check_arguments, run_check


def load_trace_command() -> tuple[AddArguments, RunCommand]:
    from .trace import add_trace_arguments, run_trace
    return add_trace_arguments, run_trace


def load_bundle_command() -> tuple[AddArguments, RunCommand]:
    from .bundle import add_bundle_arguments, run_bundle
    return add_bundle_arguments, run_bundle


def load_pack_command() -> tuple[AddArguments, RunCommand]:
    from .pack import add_pack_arguments, run_pack
    return add_pack_arguments, run_pack


def load_config_command() -> tuple[AddArguments, RunCommand]:
    from .config import add_config_arguments, run_config
    return add_config_arguments, run_config


def load_new_command() -> tuple[AddArguments, RunCommand]:
    from .starter import add_new_arguments, run_new
    return add_new_arguments, run_new


def load_completion_command() -> tuple[AddArguments, RunCommand]:
    from .completion import add_completion_arguments, run_completion
    return add_completion_arguments, run_completion


NEEDED, OPTIONAL, NO_SERVER = "needed", "optional", "none"

# name: (does it take a server command, one line of help, examples, loader). To add a command: its loader above, its row
# here. A row commented out waits for its module.
COMMANDS: dict[str, CommandRow] = {
    "demo": (NO_SERVER, "the whole protocol between an example server and a client, annotated, in seconds",
             ("mcplite demo\n"
              "mcplite demo --trace demo.jsonl"), load_demo_command),
    "tools": (NEEDED, "list the tools of a server, or show some in full",
              ("mcplite tools -- python server.py\n"
               "mcplite tools add -- python server.py\n"
               "mcplite tools --json -- python server.py"), load_tools_command),
    "resources": (NEEDED, "list the resources and resource templates of a server",
                  "mcplite resources -- python server.py", load_resources_command),
    "prompts": (NEEDED, "list the prompts of a server, or show some in full",
                "mcplite prompts -- python server.py", load_prompts_command),
    "call": (NEEDED, "call a tool and print its result",
             ("mcplite call add a=1 b=2 -- python server.py\n"
              "mcplite call draw shape=circle -o circle.png -- python server.py\n"
              "mcplite call delete id=7 --answer sure=yes --json -- npx -y some-server"), load_call_command),
    "read": (NEEDED, "read a resource",
             ("mcplite read file:///notes.txt -- python server.py\n"
              "mcplite read photos://7 -o seven.jpg -- python server.py"), load_read_command),
    "prompt": (NEEDED, "fetch a prompt, filled in",
               "mcplite prompt review language=python -- python server.py", load_prompt_command),
    "complete": (NEEDED, "ask for completions of a prompt's or a template's argument",
                 ("mcplite complete review language py -- python server.py\n"
                  "mcplite complete 'notes://{number}' number 1 -- python server.py"), load_complete_command),
    "check": (OPTIONAL, "try a server as the strictest host would, and say what is wrong, why and by which rule",
              ("mcplite check -- python server.py\n"
               "mcplite check --call 'add={\"a\": 1, \"b\": 2}' --junit report.xml -- python server.py\n"
               "mcplite check --json --call-all --revision 2026-07-28 -- python server.py"), load_check_command),
    "trace": (OPTIONAL, "stand between a host and a server and record every byte; show a recording",
              ("mcplite trace -o session.jsonl -- python server.py\n"
               "mcplite trace --view session.jsonl\n"
               "mcplite trace --view session.jsonl --html session.html"), load_trace_command),
    "bundle": (NO_SERVER, "the runtime, or a script with the runtime inside, as one file",
               ("mcplite bundle server.py -o server_single.py\n"
                "mcplite bundle -o mcplite.py\n"
                "mcplite bundle --server-only --check -o mcplite.py"), load_bundle_command),
    "pack": (NO_SERVER, "a one-click bundle for desktop hosts that take MCPB",
             ("mcplite pack server.py --author \"Your Name\" -o server.mcpb\n"
              "mcplite pack notes.py --author You --config root:directory:Folder --arg=--root --arg {root} --config token:secret"),
             load_pack_command),
    "config": (OPTIONAL, "the configuration entry that makes a host start a server",
               ("mcplite config claude-desktop -- python server.py\n"
                "mcplite config vscode --project --write -- python server.py\n"
                "mcplite config codex --name files --env ROOT=/data --write -- python server.py\n"
                "mcplite config --list"), load_config_command),
    "new": (NO_SERVER, "write a commented starter server, to begin from",
            "mcplite new notes", load_new_command),
    "completion": (NO_SERVER, "print the completion script of a shell",
                   ("mcplite completion bash\n"
                    "mcplite completion fish > ~/.config/fish/completions/mcplite.fish"), load_completion_command),
}


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
    """Parse the words of the command `name`, check rule 2 and run it."""
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


def new_command_parser(name: str, add_arguments: AddArguments) -> Any:
    """The argparse parser of one command, with its examples, the `-- CMD` in its usage, and one-line errors."""
    import argparse

    class OneLineParser(argparse.ArgumentParser):
        def error(self, message: str) -> Any:
            raise CliError("%s: %s (mcplite %s --help shows how)" % (name, message, name), status=2)

    server, summary, examples, _ = COMMANDS[name]
    parser = OneLineParser(prog="mcplite " + name, description=summary[0].upper() + summary[1:] + ".",
                           formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    lines = "\n".join("  " + line for line in examples.split("\n"))
    parser.epilog = "examples:\n" + lines + ("\n\n" + parser.epilog if parser.epilog else "")
    suffix = {NEEDED: " -- CMD ...", OPTIONAL: " [-- CMD ...]", NO_SERVER: ""}[server]
    parser.color = False  # type: ignore[attr-defined,unused-ignore]  # Python 3.14 would put escape sequences into the usage we take apart here
    usage = parser.format_usage()
    parser.usage = usage[usage.index(":") + 1:].strip().replace("%", "%%") + suffix
    return parser


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


def first_example(name: str) -> str:
    return COMMANDS[name][2].split("\n")[0]


def unknown_command_text(word: str) -> str:
    """One line: what was not understood, what was probably meant, where to look."""
    near = nearest_name(word, COMMANDS)
    kind = "option" if word.startswith("-") else "command"
    guess = '; did you mean "%s"?' % near if near else "."
    return 'no %s "%s"%s mcplite --help lists the commands' % (kind, word, guess)


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
