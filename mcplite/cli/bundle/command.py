"""The command itself: arguments, reading the package's own source, the date, writing, `--check`, what is printed.

Not here: the text work (`one_file`, `script`).

1. The date in the head is SOURCE_DATE_EPOCH when set, else the newest commit that touched the package when it lies in
   a git checkout, else there is none. Never the clock, never a file's time: the same source gives the same bytes.
2. `--check` compares with the date of the file at hand, so that a copy made elsewhere from the same source is up to date.
"""
from __future__ import annotations

import os
import sys

from ...errors import VERSION
from ..terminal import CliError
from .module_text import BundleError
from .one_file import new_bundle
from .script import embed_runtime, parse_script, runtime_uses, sibling_imports

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Mapping

    from .one_file import Bundle


def add_bundle_arguments(parser: Any) -> None:
    parser.add_argument("script", nargs="?", metavar="SCRIPT", help="a server script to put the runtime into; without it, "
                                                                    "the runtime alone is written")
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="the file to write; - writes to standard output")
    parser.add_argument("--server-only", action="store_true",
                        help="leave out the client and the command line (with a script: done unless it uses them)")
    parser.add_argument("--full", action="store_true", help="with a script: put the client and the command line inside too")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 when FILE is not what would be written")
    parser.epilog = ("The runtime stays readable text. mcplite.py goes beside a script, or anywhere Python finds modules;\n"
                     "every import works as with the package: from mcplite import Server, from mcplite.schema import Validator.\n"
                     "A script with the runtime inside keeps its compiled runtime in __pycache__, as imported files do; where\n"
                     "nothing can be written, each start takes about 0.05 s longer.\n\n"
                     "exit status: 0 written, or up to date; 1 not up to date, or it cannot be done; 2 called wrongly")


def run_bundle(arguments: Any) -> int:
    try:
        return write_bundle(arguments)
    except BundleError as error:
        raise CliError("bundle: %s" % error) from None


def write_bundle(arguments: Any) -> int:
    if arguments.full and arguments.server_only:
        raise CliError("bundle: --full and --server-only exclude each other", status=2)
    if arguments.full and not arguments.script:
        raise CliError("bundle: --full is for a script: without one, everything is inside unless --server-only is given", status=2)
    if arguments.check and arguments.output == "-":
        raise CliError("bundle: --check needs a file to compare: name it with -o", status=2)
    existing = read_existing(arguments.output) if arguments.check else None
    date = date_inside(existing) if existing is not None else source_date()
    script = read_script(arguments.script) if arguments.script else None
    server_only = bool(arguments.server_only)
    if script is not None:
        uses, needs_client = runtime_uses(script)
        if not uses:
            raise CliError('bundle: %s does not import mcplite: there is nothing to put inside' % arguments.script)
        server_only = not (arguments.full or (needs_client and not arguments.server_only)) and not bundled_text()
        for name in sibling_imports(script, modules_beside(arguments.script)):
            print("mcplite: bundle: note: %s imports %s, which lies beside it and is not put inside"
                  % (arguments.script, name), file=sys.stderr)
    runtime, bundle = runtime_text(server_only, date)
    text = runtime
    if script is not None:
        text = embed_runtime(script, os.path.basename(arguments.script), runtime, VERSION, " --server-only" if server_only else "")
    data = text.encode("utf-8")
    if arguments.check:
        return report_check(arguments.output, existing or "", text)
    if arguments.output == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    else:
        write_whole(arguments.output, data, arguments.script)
    report_sizes(arguments.output, text, bundle, date, sys.stderr if arguments.output == "-" else sys.stdout)
    return 0


def runtime_text(server_only: bool, date: str | None) -> tuple[str, Bundle | None]:
    """The runtime as one file; from the one file itself when that is what is running."""
    own = bundled_text()
    if own is not None:
        if server_only:
            raise CliError("bundle: the one-file mcplite cannot leave anything out: install the package for --server-only")
        return own, None
    bundle = new_bundle(package_sources(), VERSION, date, server_only)
    for name in bundle.missing:
        print("mcplite: bundle: note: a module imports mcplite.%s, which does not exist" % name, file=sys.stderr)
    return bundle.text, bundle


def bundled_text() -> str | None:
    """The text of the one-file mcplite, when this function is part of one."""
    if "BUNDLED_MODULES" not in globals():
        return None
    with open(globals()["__file__"], encoding="utf-8", newline="\n") as stream:
        return stream.read()


def package_sources() -> dict[str, str]:
    """The text of every module of the package, by its dotted name inside it; also from a zip."""
    import importlib.util
    import pkgutil

    root = __name__.split(".")[0]
    names = [root]
    folders = [(root + ".", sys.modules[root].__path__[0])]
    for prefix, folder in folders:                      # grows as folders are found
        for found in pkgutil.iter_modules([folder], prefix):
            names.append(found.name)
            if found.ispkg:
                folders.append((found.name + ".", os.path.join(folder, found.name.rpartition(".")[2])))
    sources = {}
    for name in names:
        spec = importlib.util.find_spec(name)
        text = spec.loader.get_source(name) if spec and spec.loader else None  # type: ignore[attr-defined]
        if text is None:
            raise BundleError("the source of %s is not installed" % name)
        sources[name[len(root) + 1:] or "__init__"] = text
    return sources


def source_date() -> str | None:
    """The date of the source, YYYY-MM-DD in UTC, or None (1)."""
    import time

    seconds = os.environ.get("SOURCE_DATE_EPOCH", "") or newest_commit_time()
    try:
        return time.strftime("%Y-%m-%d", time.gmtime(int(seconds))) if seconds else None
    except (ValueError, OverflowError, OSError):
        raise CliError("bundle: SOURCE_DATE_EPOCH must be a number of seconds, not %r" % seconds) from None


def newest_commit_time() -> str:
    import subprocess

    folder = os.path.dirname(os.path.abspath(str(sys.modules[__name__.split(".")[0]].__file__)))
    if not os.path.exists(os.path.join(os.path.dirname(folder), ".git")):
        return ""                                               # installed somewhere inside a stranger's checkout, or nowhere
    try:
        done = subprocess.run(["git", "log", "-1", "--format=%ct", "--", "."], cwd=folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=20)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.decode("ascii", "replace").strip() if done.returncode == 0 else ""


def date_inside(text: str) -> str | None:
    """The date that the head of a bundle names (2)."""
    import re

    found = re.search(r"^# Source:  mcplite \S+ of (\d{4}-\d\d-\d\d)$", text, re.MULTILINE)
    return found.group(1) if found else None


def read_script(path: str, command: str = "bundle") -> str:
    try:
        with open(path, "rb") as stream:
            return parse_script(stream.read(), os.path.basename(path))
    except OSError as error:
        raise CliError("%s: cannot read %s: %s; name the script of your server"
                       % (command, path, error.strerror or error)) from None


def read_existing(path: str) -> str:
    try:
        with open(path, "rb") as stream:
            return stream.read().decode("utf-8", "replace")
    except OSError as error:
        raise CliError("bundle: cannot read %s: %s" % (path, error.strerror or error)) from None


def modules_beside(script: str) -> set[str]:
    """Names that `import` would find in the script's own folder."""
    folder = os.path.dirname(os.path.abspath(script))
    names = set()
    for entry in os.listdir(folder):
        if entry.endswith(".py"):
            names.add(entry[:-3])
        elif os.path.isfile(os.path.join(folder, entry, "__init__.py")):
            names.add(entry)
    return names - {os.path.basename(script)[:-3]}


def write_whole(path: str, data: bytes, script: str | None) -> None:
    """Write the file in one step; it may be executed when the script it was made from may."""
    try:
        if script is not None and os.path.exists(path) and os.path.samefile(script, path):
            raise CliError("bundle: %s would overwrite the script it is made from; write to another file" % path)
        os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
        temporary = "%s.%d.tmp" % (path, os.getpid())
        try:
            with open(temporary, "wb") as stream:
                stream.write(data)
            if script is not None:
                os.chmod(temporary, os.stat(script).st_mode & 0o777)
            os.replace(temporary, path)
        finally:
            if os.path.exists(temporary):
                os.unlink(temporary)
    except OSError as error:
        raise CliError("bundle: cannot write %s: %s" % (path, error.strerror or error)) from None


def report_check(path: str, existing: str, wanted: str) -> int:
    """Say whether the file is what would be written now; 0 or 1."""
    if existing == wanted:
        print("%s is up to date" % path)
        return 0
    old, new = existing.split("\n"), wanted.split("\n")
    line = next((number for number, pair in enumerate(zip(old, new), 1) if pair[0] != pair[1]), min(len(old), len(new)) + 1)
    print("%s is not up to date: it differs from line %d on; make it anew with the same command without --check" % (path, line))
    return 1


def report_sizes(path: str, text: str, bundle: Bundle | None, date: str | None, stream: Any) -> None:
    """Lines and KB of the file, and of its parts."""
    print("%s: %s" % (path, size_text(text.count("\n"), len(text.encode("utf-8")))), file=stream)
    if bundle is None:
        return
    for title, wanted in (("server", is_server_part), ("client", is_client_part), ("command line", is_command_part)):
        names = [name for name in bundle.modules if name in bundle.lines_of and wanted(name)]
        if names:
            print("  %-13s %s, %d modules" % (title, size_text(sum_of(bundle.lines_of, names), sum_of(bundle.bytes_of, names)),
                                             len(names)), file=stream)
    print("  source        mcplite %s%s" % (VERSION, " of " + date if date else ", undated"), file=stream)


def is_client_part(name: str) -> bool:
    return name.split(".")[0] == "client" or name in ("system.child", "system.command_line", "system.duplex")


def is_command_part(name: str) -> bool:
    return name.split(".")[0] == "cli"


def is_server_part(name: str) -> bool:
    return not is_client_part(name) and not is_command_part(name)


def sum_of(table: Mapping[str, int], names: list[str]) -> int:
    return sum(table[name] for name in names)


def size_text(lines: int, octets: int) -> str:
    return "{:,} lines, {:,} KB".format(lines, (octets + 512) // 1024)
