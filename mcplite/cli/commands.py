"""The commands: one row each, and the parser that a row makes.

No command lives here, and nothing of a command is imported before it has been asked for. Rules:

1. A command is one row of COMMANDS and one loader. Its module offers `add_NAME_arguments(parser)`, which adds to an
   argparse parser, and `run_NAME(arguments) -> int`, which returns the exit status; `calls` makes both from a table.
2. `main` adds the row of `completion`, which reads this table: what is below it cannot name it.
"""
from __future__ import annotations

from .terminal import CliError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

    AddArguments = Callable[[Any], None]
    RunCommand = Callable[[Any], int]
    CommandLoader = Callable[[], tuple[AddArguments, RunCommand]]
    CommandRow = tuple[str, str, str, CommandLoader]


def load_demo_command() -> tuple[AddArguments, RunCommand]:
    from .demo import add_demo_arguments, run_demo
    return add_demo_arguments, run_demo


def request_loader(name: str) -> CommandLoader:
    """The loader of a command that makes one request to a server."""
    def load_request_command() -> tuple[AddArguments, RunCommand]:
        from .calls import request_command
        return request_command(name)
    return load_request_command


def load_check_command() -> tuple[AddArguments, RunCommand]:
    from .check import add_check_arguments, run_check
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
               "mcplite tools --json -- python server.py"), request_loader("tools")),
    "resources": (NEEDED, "list the resources and resource templates of a server",
                  "mcplite resources -- python server.py", request_loader("resources")),
    "prompts": (NEEDED, "list the prompts of a server, or show some in full",
                "mcplite prompts -- python server.py", request_loader("prompts")),
    "call": (NEEDED, "call a tool and print its result",
             ("mcplite call add a=1 b=2 -- python server.py\n"
              "mcplite call draw shape=circle -o circle.png -- python server.py\n"
              "mcplite call delete id=7 --answer sure=yes --json -- npx -y some-server"), request_loader("call")),
    "read": (NEEDED, "read a resource",
             ("mcplite read file:///notes.txt -- python server.py\n"
              "mcplite read photos://7 -o seven.jpg -- python server.py"), request_loader("read")),
    "prompt": (NEEDED, "fetch a prompt, filled in",
               "mcplite prompt review language=python -- python server.py", request_loader("prompt")),
    "complete": (NEEDED, "ask for completions of a prompt's or a template's argument",
                 ("mcplite complete review language py -- python server.py\n"
                  "mcplite complete 'notes://{number}' number 1 -- python server.py"), request_loader("complete")),
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
}


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


def first_example(name: str) -> str:
    return COMMANDS[name][2].split("\n")[0]
