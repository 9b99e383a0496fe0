"""`mcplite pack`: a server as an MCPB bundle, the file that desktop hosts install with a click.

Here: arguments, which files go in, the archive. Not here: the manifest (`manifest`), asking the server what it offers (`offer`),
the one-file runtime (the folder `bundle`).

1. Everything the server needs is inside: the script, the runtime as one readable file beside it, what --include names.
   Nothing is fetched when it is installed. To be sure, the server is started from the very files that go in, with the
   standard library alone.
2. The same input gives the same bytes: files in order of name, stored uncompressed (compressors differ by version), with
   the time of SOURCE_DATE_EPOCH or 1980-01-01.
Format: https://github.com/modelcontextprotocol/mcpb, MANIFEST.md.
"""
from __future__ import annotations

import os
import sys

from ..bundle import (
    BEGIN_MARK,
    BundleError,
    modules_beside,
    read_script,
    runtime_text,
    runtime_uses,
    sibling_imports,
    size_text,
    source_date,
)
from ..terminal import CliError
from .manifest import (
    MANIFEST_VERSIONS,
    check_bundle_name,
    check_bundle_version,
    new_manifest,
    parse_author,
    parse_user_settings,
    placeholder_command,
)
from .offer import ListingError, read_offer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SERVER_FOLDER = "server/"
RUNTIME_NAME = "mcplite.py"
SKIPPED_NAMES = frozenset(["__pycache__", ".git", ".hg", ".svn", ".DS_Store", ".mypy_cache", ".pytest_cache", ".ruff_cache"])


def add_pack_arguments(parser: Any) -> None:
    parser.add_argument("script", metavar="SCRIPT", help="the server script")
    parser.add_argument("-o", "--output", metavar="FILE", help="the bundle to write (default: NAME-VERSION.mcpb)")
    parser.add_argument("--author", required=True, metavar="WHO", help='"Name", "Name <mail>" or "Name <mail> (https://page)"')
    parser.add_argument("--name", help="name for machines (default: from the server)")
    parser.add_argument("--version", help="such as 1.2.0 (default: from the server)")
    parser.add_argument("--display-name", metavar="TEXT", help="name for people (default: the server's title)")
    parser.add_argument("--description", metavar="TEXT", help="one line (default: from the script's docstring)")
    parser.add_argument("--license", metavar="ID", help="such as MIT")
    parser.add_argument("--icon", metavar="PNG", help="a PNG, best 512x512")
    parser.add_argument("--homepage", metavar="URL")
    parser.add_argument("--keyword", metavar="WORD", action="append", default=[], help="may be repeated")
    parser.add_argument("--platform", metavar="OS", action="append", default=[], choices=["darwin", "win32", "linux"],
                        help="darwin, win32 or linux; may be repeated (default: all)")
    parser.add_argument("--include", metavar="PATH", action="append", default=[],
                        help="a file or folder to lay beside the script; may be repeated; PATH=NAME gives it another name")
    parser.add_argument("--config", metavar="SPEC", action="append", default=[],
                        help="a setting to ask the user for: name:type[:title[:default]]; type: string, number, boolean, "
                             "secret, directory, file, directories, files; without a default it must be filled in; may be "
                             "repeated")
    parser.add_argument("--arg", metavar="TEXT", action="append", default=[],
                        help="an argument for the server; {name} becomes that setting; write --arg=--root for one with dashes")
    parser.add_argument("--env", metavar="K=TEXT", action="append", default=[],
                        help="an environment variable; {name} becomes that setting")
    parser.add_argument("--no-run", action="store_true", help="do not start the server to see what it offers")
    parser.add_argument("--timeout", metavar="SECONDS", type=float, default=20.0,
                        help="how long it may take to answer (default 20)")
    parser.add_argument("--manifest-version", default=MANIFEST_VERSIONS[0], choices=MANIFEST_VERSIONS,
                        help="default %s, which every current host knows" % MANIFEST_VERSIONS[0])
    parser.epilog = ("A setting that no --arg and no --env mentions is passed as an environment variable, its name in capitals.\n"
                     "The server runs with the user's own Python: python3, on Windows python.\n\n"
                     "exit status: 0 written; 1 it cannot be packed (the reason is printed); 2 called wrongly")


def run_pack(arguments: Any) -> int:
    try:
        return write_pack(arguments)
    except BundleError as error:
        raise CliError("pack: %s" % error) from None
    except OSError as error:
        raise CliError("pack: %s: %s" % (error.filename, error.strerror or error)) from None


def write_pack(arguments: Any) -> int:
    import json

    author = parse_author(arguments.author)
    settings = parse_user_settings(arguments.config, arguments.arg, arguments.env)
    script = read_script(arguments.script, "pack")
    files = bundle_files(arguments, script)
    warn_of_siblings(arguments.script, script, files)
    entry_point = SERVER_FOLDER + os.path.basename(arguments.script)
    offer: dict[str, Any] = {"server": {}, "tools": None, "prompts": None}
    if not arguments.no_run:
        offer = run_staged(files, entry_point, settings, arguments.timeout)
    name = arguments.name or default_name(offer, arguments.script)
    version = arguments.version or offer["server"].get("version") or ""
    check_bundle_name(name)
    check_bundle_version(version)
    manifest = new_manifest(arguments, name, version, author, entry_point, settings, offer, first_line_of_docstring(script))
    files["manifest.json"] = ((json.dumps(manifest, indent=2, ensure_ascii=False) + "\n").encode("utf-8"), 0o644)
    output = arguments.output or "%s-%s.mcpb" % (name, version)
    data = archive_bytes(files)
    replace_output(output, data)
    report_pack(output, data, files, manifest)
    return 0


def bundle_files(arguments: Any, script: str) -> dict[str, tuple[bytes, int]]:
    """Path in the archive to (bytes, mode)."""
    base = os.path.basename(arguments.script)
    if base == RUNTIME_NAME:
        raise CliError("pack: %s has the name of the runtime that goes beside it; rename it" % arguments.script)
    uses, needs_client = runtime_uses(script)
    if not uses:
        raise CliError("pack: %s does not import mcplite: only servers made with it can be packed" % arguments.script)
    files = {SERVER_FOLDER + base: (script.encode("utf-8"), 0o644)}
    if BEGIN_MARK not in script:
        text = runtime_text(server_only=not needs_client and "BUNDLED_MODULES" not in globals(), date=source_date())[0]
        files[SERVER_FOLDER + RUNTIME_NAME] = (text.encode("utf-8"), 0o644)
    for spec in arguments.include:
        path, equals, target = spec.partition("=")
        add_included(files, path, target if equals else os.path.basename(os.path.normpath(path)))
    if arguments.icon:
        files["icon.png"] = (read_icon(arguments.icon), 0o644)
    return files


def add_included(files: dict[str, tuple[bytes, int]], path: str, target: str) -> None:
    """Lay a file or a folder beside the script."""
    parts = target.replace("\\", "/").split("/")
    if not target or target.startswith("/") or ".." in parts or ":" in parts[0]:
        raise CliError("pack: --include cannot go to %r: give a name below the script's folder" % target, status=2)
    if os.path.isdir(path):
        for entry in sorted(os.listdir(path)):
            if entry not in SKIPPED_NAMES and not entry.endswith((".pyc", ".pyo")):
                add_included(files, os.path.join(path, entry), "%s/%s" % (target, entry))
        return
    place = SERVER_FOLDER + "/".join(parts)
    if place in files:
        raise CliError("pack: two files would be %s in the bundle; give one another name with --include PATH=NAME" % place)
    with open(path, "rb") as stream:
        files[place] = (stream.read(), 0o755 if os.stat(path).st_mode & 0o100 else 0o644)


def read_icon(path: str) -> bytes:
    with open(path, "rb") as stream:
        data = stream.read()
    if not data.startswith(b"\x89PNG\r\n\x1a\n"):
        raise CliError("pack: %s is not a PNG, the only kind of icon that bundles take" % path)
    size = (int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big"))
    if size != (512, 512):
        print("mcplite: pack: note: the icon is %dx%d; 512x512 looks best" % size, file=sys.stderr)
    return data


def warn_of_siblings(path: str, script: str, files: dict[str, tuple[bytes, int]]) -> None:
    for name in sibling_imports(script, modules_beside(path)):
        inside = SERVER_FOLDER + name
        if inside + ".py" not in files and not any(each.startswith(inside + "/") for each in files):
            print("mcplite: pack: note: %s imports %s, which lies beside it: add it with --include" % (path, name),
                  file=sys.stderr)


def run_staged(files: dict[str, tuple[bytes, int]], entry_point: str, settings: Any, timeout: float) -> dict[str, Any]:
    """Start the server from a copy of the bundle, with the standard library alone, and ask what it offers (1)."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="mcplite-pack-") as folder:
        for place, (data, mode) in files.items():
            path = os.path.join(folder, *place.split("/"))
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as stream:
                stream.write(data)
            os.chmod(path, mode)
        script = os.path.join(folder, *entry_point.split("/"))
        args, environment = placeholder_command(settings, folder, script)
        command = [sys.executable, "-E", "-s", "-S", "-B", script, *args]
        try:
            return read_offer(command, folder, environment, timeout)
        except ListingError as error:
            raise CliError("pack: the server does not start from what the bundle holds: %s (--include adds files; --no-run packs "
                           "without starting it)" % error) from None


def default_name(offer: dict[str, Any], script: str) -> str:
    import re

    stem = os.path.splitext(os.path.basename(script))[0]
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", str(offer["server"].get("name") or stem)).strip("-._")
    return name or stem


def first_line_of_docstring(script: str) -> str:
    import ast

    return (ast.get_docstring(ast.parse(script)) or "").strip().split("\n")[0]


def archive_bytes(files: dict[str, tuple[bytes, int]]) -> bytes:
    """The zip: the same bytes for the same files (2), the manifest first."""
    import io
    import zipfile

    when = archive_time()
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for place in sorted(files, key=lambda each: (each != "manifest.json", each)):
            data, mode = files[place]
            member = zipfile.ZipInfo(place, when)
            member.create_system = 3
            member.external_attr = (0o100000 | mode) << 16
            archive.writestr(member, data)
    return stream.getvalue()


def archive_time() -> tuple[int, int, int, int, int, int]:
    import time

    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    moment = time.gmtime(int(epoch) if epoch.isdigit() else 0)
    return max((1980, 1, 1, 0, 0, 0), moment[:6])       # the oldest a zip can say


def replace_output(path: str, data: bytes) -> None:
    temporary = "%s.%d.tmp" % (path, os.getpid())
    try:
        with open(temporary, "wb") as stream:
            stream.write(data)
        os.replace(temporary, path)
    finally:
        if os.path.exists(temporary):
            os.unlink(temporary)


def report_pack(path: str, data: bytes, files: dict[str, tuple[bytes, int]], manifest: dict[str, Any]) -> None:
    print("%s: %s %s, {:,} KB".format((len(data) + 512) // 1024) % (path, manifest["name"], manifest["version"]))
    for place in sorted(files):
        print("  %-32s %s" % (place, size_text(files[place][0].count(b"\n"), len(files[place][0]))))
    for kind in ("tools", "prompts"):
        if kind in manifest:
            print("  %-32s %s" % (kind, ", ".join(each["name"] for each in manifest[kind])))
    for name, setting in manifest.get("user_config", {}).items():
        print("  %-32s %s" % ("asks for " + name, setting["title"]))
