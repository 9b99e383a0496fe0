"""`mcplite config HOST`: the entry that makes a host start a server, printed or written into the host's file.

Here: arguments, making the command absolute, reading and replacing the file, what is printed. Not here: the hosts
(`hosts`), editing text (`jsonc`, `yaml`, `toml`).

1. Nothing is written without --write; nothing else in the file changes; what it was is kept beside it first.
2. The new file replaces the old one in one step, keeps its mode, and goes where a symbolic link points. A file that
   changed while we looked is left alone: some hosts rewrite theirs at any time.
3. An entry that says the same is left as it is, whatever else stands in it. One that says something else is replaced only
   with --force, and keeps the settings that are not ours (such as "disabled" or "alwaysAllow").
4. Hosts start servers with a bare environment in some other folder: the program and files named become absolute paths.
"""
from __future__ import annotations

import os
import sys

from ..terminal import CliError, nearest_name
from .hosts import CONFIG_HOSTS, config_path
from .jsonc import (
    ConfigSyntaxError,
    check_keys_once,
    json_text,
    nested_object,
    read_jsonc,
    set_jsonc_entry,
    syntax_error_at,
)

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
    environment = parse_env_options(arguments.env)
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
        near = nearest_name(name, CONFIG_HOSTS)
        raise CliError('config: no host "%s"%s mcplite config --list shows them'
                       % (name, '; did you mean "%s"?' % near if near else "."), status=2)
    return CONFIG_HOSTS[name]


def parse_env_options(options: list[str]) -> dict[str, str]:
    values = {}
    for option in options:
        key, equals, value = option.partition("=")
        if not equals or not key or "\0" in option:
            raise CliError("config: --env takes NAME=VALUE, not %r" % option, status=2)
        values[key] = value
    return values


def absolute_command(words: list[str], directory: str, environment: Mapping[str, str]) -> tuple[str, list[str]]:
    """The program and its arguments with absolute paths (4): the program from PATH, files and folders that are meant as such."""
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


def entry_text(host: ConfigHost, name: str, entry: dict[str, Any]) -> str:
    """The entry as it would stand in an empty file."""
    if host.file_format == "yaml":
        from .yaml import yaml_item_lines
        return "\n".join([host.keys[0] + ":", *yaml_item_lines(entry, 2)])
    if host.file_format == "toml":
        from .toml import toml_table
        return "\n".join(toml_table(host.keys[0], name, entry))
    return json_text(nested_object(host.keys, name, entry), "  ", "", "\n")


def print_config_entry(host: ConfigHost, path: str, name: str, entry: dict[str, Any], as_json: bool, notes: list[str]) -> None:
    if as_json:
        print_machine_line({"host": host.name, "file": path, "name": name, "entry": entry, "text": entry_text(host, name, entry),
                            "notes": notes})
        return
    print("%s, %s:\n" % (host.title, path))
    print(entry_text(host, name, entry))
    print("\nTo write it there: the same command with --write. Then: %s." % host.then)
    print_config_notes(notes)


def print_config_notes(notes: list[str]) -> None:
    for note in notes:
        print("mcplite: config: note: " + note, file=sys.stderr)


def print_machine_line(value: Any) -> None:
    import json

    print(json.dumps(value, ensure_ascii=False))


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


def write_config_entry(host: ConfigHost, path: str, name: str, entry: dict[str, Any], force: bool,
                       block_file: bool) -> tuple[str, str | None]:
    """Put the entry into the file; ("added", "replaced" or "unchanged", the backup's path or None)."""
    target = os.path.realpath(path)
    before = read_config_bytes(target)
    mark = b"\xef\xbb\xbf" if before is not None and before.startswith(b"\xef\xbb\xbf") else b""
    text = decode_config((before or b"")[len(mark):])
    old = existing_entry(host, text, name)
    if old is not None and same_entry(old, entry):
        return "unchanged", None
    if old is not None and not force:
        raise CliError('config: %s has a different entry "%s": --force replaces it, --name chooses another name; '
                       "the file was left alone" % (path, name))
    if isinstance(old, dict):
        entry = {**entry, **{key: value for key, value in old.items() if key not in entry and key not in OWN_ENTRY_KEYS}}
    edited = edited_config(host, text, name, entry, block_file)
    check_writable(path, target)
    backup = keep_backup(target, before) if before is not None else None
    try:
        replace_config(target, mark + edited.encode("utf-8"), before)
    except BaseException:               # nothing was written: nothing is left beside it
        if backup is not None:
            os.unlink(backup)
        raise
    return ("added" if old is None else "replaced"), backup


OWN_ENTRY_KEYS = frozenset(["type", "command", "args", "env", "environment", "url", "name", "cwd"])


def check_writable(path: str, target: str) -> None:
    """Raise CliError for a file that says it is not to be written, even where we could."""
    if os.path.exists(target) and not (os.access(target, os.W_OK) and os.stat(target).st_mode & 0o222):
        raise CliError("config: %s is write-protected; the file was left alone" % path)


def read_config_bytes(path: str) -> bytes | None:
    if os.path.exists(path) and not os.path.isfile(path):       # a pipe would let us wait for ever
        raise CliError("config: %s is not a file; name one with --file" % path)
    try:
        with open(path, "rb") as stream:
            return stream.read()
    except FileNotFoundError:
        return None


def decode_config(data: bytes) -> str:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in data[:2]:
        raise ConfigSyntaxError("line 1, column 1: the file is UTF-16; save it as UTF-8")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        good = data[:error.start].decode("utf-8")
        raise ConfigSyntaxError("line %d, column %d: not UTF-8 (byte %02X); save it as UTF-8" % (
            good.count("\n") + 1, len(good) - good.rfind("\n"), data[error.start])) from None
    if "\0" in text:
        raise syntax_error_at(text, text.index("\0"), "a NUL character, which no text has; the file may be damaged")
    return text


def existing_entry(host: ConfigHost, text: str, name: str) -> Any:
    """The entry of that name, or None; raises ConfigSyntaxError for a text that cannot be read."""
    if host.file_format == "yaml":
        from .yaml import read_yaml_list
        items = read_yaml_list(text, host.keys[0]).items
        unknown = [start for start, _, value in items if value is None]
        if unknown:
            raise ConfigSyntaxError("line %d, column 1: an item that is not understood; add the entry by hand" % (unknown[0] + 1))
        same = [(start, value) for start, _, value in items if value.get("name") == name]
        if len(same) > 1:
            raise ConfigSyntaxError("line %d, column 1: %s is there twice; keep one of them" % (same[1][0] + 1, name))
        return same[0][1] if same else None
    if host.file_format == "toml":
        from .toml import read_toml
        value: Any = read_toml(text)
    else:
        check_keys_once(text, host.keys, name)
        value, _ = read_jsonc(text)
    for key in (*host.keys, name):
        if not isinstance(value, dict) or key not in value:
            return None                     # what is wrong here is said when the entry is put in
        value = value[key]
    return False if value is None else value    # null is an entry, too: a different one


def same_entry(old: Any, new: dict[str, Any]) -> bool:
    """Whether an entry starts the same server (3): an absent "type" is the usual one, absent args and env are empty."""
    if not isinstance(old, dict):
        return False
    for key in OWN_ENTRY_KEYS:
        empty: Any = {"type": new.get("type"), "args": [], "env": {}, "environment": {}}.get(key)
        if (old.get(key, empty) or empty) != (new.get(key, empty) or empty):
            return False
    return True


def edited_config(host: ConfigHost, text: str, name: str, entry: dict[str, Any], block_file: bool) -> str:
    if host.file_format == "yaml":
        from .yaml import set_yaml_item, yaml_scalar
        if block_file and not text.strip():
            text = "name: %s\nversion: 0.0.1\nschema: v1\n" % yaml_scalar(name)
            return set_yaml_item(text, host.keys[0], entry).replace("schema: v1\n\n", "schema: v1\n")
        return set_yaml_item(text, host.keys[0], entry)
    if host.file_format == "toml":
        from .toml import set_toml_table
        return set_toml_table(text, host.keys[0], name, entry)
    return set_jsonc_entry(text, host.keys, name, entry)


def keep_backup(path: str, data: bytes) -> str:
    """Keep the old bytes beside the file, under the first free name."""
    number = 0
    while True:
        backup = path + (".bak" if not number else ".bak%d" % number)
        try:
            descriptor = os.open(backup, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0),
                                 os.stat(path).st_mode & 0o777)
            break
        except FileExistsError:
            number += 1
    with open(descriptor, "wb") as stream:
        stream.write(data)
    return backup


def replace_config(path: str, data: bytes, before: bytes | None) -> None:
    """Replace the file in one step (2); a new one may be read by its owner only, since entries hold secrets."""
    if before is None:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        mode = 0o600
    else:
        mode = os.stat(path).st_mode & 0o777
    temporary = "%s.%d.tmp" % (path, os.getpid())
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        with open(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, mode)
        if read_config_bytes(path) != before:
            raise CliError("config: %s changed while it was being read; try again; the file was left alone" % path)
        os.replace(temporary, path)
    finally:
        if os.path.exists(temporary):
            os.unlink(temporary)
