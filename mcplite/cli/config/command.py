"""The command `mcplite config HOST`: its arguments, making the server's command absolute, what is printed.

Here: from the command line to an entry and its place. Not here: the hosts (`hosts`), the text of an entry (`formats`), the file
(`files`).

1. Nothing is written without --write.
2. Hosts start servers with a bare environment in some other folder: the program and files named become absolute paths.
"""
from __future__ import annotations

import os
import sys

from ..terminal import CliError, did_you_mean, parse_environment
from .edit import ConfigSyntaxError
from .files import write_config_entry
from .formats import config_entry_text
from .hosts import CONFIG_HOSTS, config_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Mapping

    from .hosts import ConfigHost


def add_config_arguments(parser: Any) -> None:
    parser.add_argument("host", nargs="?", metavar="HOST", help="one of: " + ", ".join(CONFIG_HOSTS))
    parser.add_argument("--list", action="store_true", help="list the hosts and their files")
    parser.add_argument("--name", help="the server's name in the host (default: from the command)")
    parser.add_argument("--env", metavar="K=V", action="append", default=[],
                        help="an environment variable for the server; may be repeated")
    scope = parser.add_mutually_exclusive_group()
    scope.add_argument("--user", action="store_true", help="the user's own file (the default where the host has one)")
    scope.add_argument("--project", action="store_true", help="the file of the project in the current folder")
    parser.add_argument("--file", metavar="PATH", help="this file in place of the host's own")
    parser.add_argument("--write", action="store_true", help="put the entry into the file, keeping all else and a backup")
    parser.add_argument("--force", action="store_true", help="with --write: replace a different entry of the same name")
    parser.add_argument("--json", action="store_true", help="print for machines")
    parser.epilog = ("Without --write, the entry is printed with the place where it goes.\n\n"
                     "exit status: 0 printed, written, or there already; 1 the file was left alone (the reason is printed);\n"
                     "2 called wrongly")


def run_config(arguments: Any) -> int:
    if arguments.list:
        return list_config_hosts(arguments)
    host = chosen_host(arguments.host)
    if not arguments.server_command:
        raise CliError('config: no server: put its command line after "--", as in: mcplite config %s -- python server.py'
                       % host.name, status=2)
    environment = parse_environment("config", arguments.env)
    command, args = absolute_command(arguments.server_command, os.getcwd(), os.environ)
    name = arguments.name if arguments.name is not None else server_name_from(arguments.server_command)
    check_config_name(name)
    path = arguments.file or path_for_scope(host, arguments, name)
    entry = host.build(command, args, environment)
    if host.file_format == "yaml":
        entry = {"name": name, **entry}
    notes = config_notes(host, arguments, command, args, environment)
    if not arguments.write:
        print_config_entry(host, path, name, entry, arguments.json, notes)
        return 0
    try:
        outcome, backup = write_config_entry(host, path, name, entry, arguments.force, is_block_file(host, arguments))
    except ConfigSyntaxError as error:
        advice = "" if "by hand" in str(error) else "; correct it there and try again"
        raise CliError("config: %s: %s; the file was left alone%s" % (path, error, advice)) from None
    except OSError as error:
        raise CliError("config: %s: %s; the file was left alone" % (error.filename or path, error.strerror or error)) from None
    report_config_write(host, path, name, entry, outcome, backup, arguments.json, notes)
    return 0


def chosen_host(name: str | None) -> ConfigHost:
    if name is None:
        raise CliError("config: which host? mcplite config --list shows them", status=2)
    if name not in CONFIG_HOSTS:
        raise CliError('config: no host "%s"%s mcplite config --list shows them' % (name, did_you_mean(name, CONFIG_HOSTS)),
                       status=2)
    return CONFIG_HOSTS[name]


def absolute_command(words: list[str], directory: str, environment: Mapping[str, str]) -> tuple[str, list[str]]:
    """The program and its arguments with absolute paths (2): the program from PATH, files and folders that are meant as such."""
    import shutil

    program = words[0]
    if os.sep in program or (os.altsep and os.altsep in program):
        program = os.path.normpath(os.path.join(directory, program))
    else:
        found = shutil.which(program, path=environment.get("PATH"))
        program = os.path.abspath(found) if found else program
    args = []
    for word in words[1:]:
        looks_like_path = os.sep in word or word in (".", "..") or ("." in word and os.path.isfile(os.path.join(directory, word)))
        if looks_like_path and not word.startswith("-") and os.path.exists(os.path.join(directory, word)):
            word = os.path.normpath(os.path.join(directory, word))
        args.append(word)
    return program, args


def server_name_from(words: list[str]) -> str:
    """A name for the server: that of its script or module, else of the program."""
    import re

    name = os.path.basename(words[0])
    rest = iter(words[1:])
    for word in rest:
        if word == "-m":
            name = next(rest, name).split(".")[0]
            break
        if word.endswith((".py", ".pyz", ".js", ".mjs")):
            name = os.path.basename(word)
            break
    name = re.sub(r"\.(?:py|pyz|js|mjs|exe|cmd|bat|sh)$", "", name)
    return re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-") or "server"


def check_config_name(name: str) -> None:
    import re

    if not re.match(r"^[A-Za-z0-9_-]{1,64}$", name):
        raise CliError("config: the name %r is not good for every host: use letters, digits, - and _, at most 64 (--name)" % name,
                       status=2)


def path_for_scope(host: ConfigHost, arguments: Any, name: str) -> str:
    scope = "project" if arguments.project or (host.user_path is None and not arguments.user) else "user"
    path = config_path(host, scope, sys.platform, os.environ, os.getcwd(), name)
    if path is None:
        raise CliError("config: %s has no documented file for a %s: use --%s, or name one with --file"
                       % (host.title, scope, "user" if scope == "project" else "project"), status=2)
    return os.path.expanduser(path)


def is_block_file(host: ConfigHost, arguments: Any) -> bool:
    """Continue keeps each project server in a file of its own, with a head."""
    return host.file_format == "yaml" and bool(arguments.project) and not arguments.file


def config_notes(host: ConfigHost, arguments: Any, command: str, args: list[str],
                 environment: Mapping[str, str]) -> list[str]:
    notes = []
    if not os.path.isabs(command):
        notes.append("%s was not found on PATH; %s may not find it either" % (command, host.title))
    if host.expands and any("$" in text or "{env:" in text for text in [command, *args, *environment.values()]):
        notes.append("%s replaces %s in what it reads here" % (host.title, host.expands))
    if host.name == "claude-code" and not arguments.project and not arguments.file:
        notes.append("Claude Code rewrites this file while it runs: close it first, or let it do the work: "
                     "claude mcp add --scope user")
    if arguments.project and environment:
        notes.append("the file of a project is usually shared: keep secrets out of --env")
    return notes


def print_config_entry(host: ConfigHost, path: str, name: str, entry: dict[str, Any], as_json: bool, notes: list[str]) -> None:
    text = config_entry_text(host, name, entry)
    if as_json:
        print_machine_line({"host": host.name, "file": path, "name": name, "entry": entry, "text": text, "notes": notes})
        return
    print("%s, %s:\n" % (host.title, path))
    print(text)
    print("\nTo write it there: the same command with --write. Then: %s." % host.then)
    print_config_notes(notes)


def report_config_write(host: ConfigHost, path: str, name: str, entry: dict[str, Any], outcome: str, backup: str | None,
                        as_json: bool, notes: list[str]) -> None:
    if as_json:
        print_machine_line({"host": host.name, "file": path, "name": name, "entry": entry, "outcome": outcome, "backup": backup,
                            "notes": notes})
        return
    if outcome == "unchanged":
        print("%s: %s is there already; nothing was changed" % (path, name))
    else:
        print("%s: %s %s%s. Then: %s." % (path, name, outcome, "; before: %s" % backup if backup else "", host.then))
    print_config_notes(notes)


def print_config_notes(notes: list[str]) -> None:
    for note in notes:
        print("mcplite: config: note: " + note, file=sys.stderr)


def print_machine_line(value: Any) -> None:
    import json

    print(json.dumps(value, ensure_ascii=False))


def list_config_hosts(arguments: Any) -> int:
    rows = []
    for host in CONFIG_HOSTS.values():
        paths = {scope: config_path(host, scope, sys.platform, os.environ, ".", "NAME") for scope in ("user", "project")}
        rows.append({"host": host.name, "title": host.title, "format": host.file_format, **paths, "documentation": host.page})
    if arguments.json:
        print_machine_line(rows)
        return 0
    for row in rows:
        print("%-15s %s (%s)" % (row["host"], row["title"], row["format"]))
        for scope in ("user", "project"):
            if row[scope]:
                print("    %-8s %s" % (scope + ":", row[scope]))
        print("    %-8s %s" % ("from:", row["documentation"]))
    return 0
