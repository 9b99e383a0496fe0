"""`mcplite pack`: what goes in, what the manifest says, the same bytes each time; and the official tool's opinion."""
from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile

import pytest

from mcplite.cli.bundle import runtime_text
from mcplite.cli.main import cli_main
from mcplite.cli.pack import command as pack_command
from mcplite.cli.pack.command import archive_bytes
from mcplite.cli.pack.manifest import (
    parse_author,
    parse_user_settings,
    placeholder_command,
)
from mcplite.cli.pack.offer import ListingError, read_offer
from mcplite.cli.terminal import CliError

of_the_package = pytest.mark.skipif(bool(os.environ.get("MCPLITE_SINGLE")), reason="the one-file mcplite has no modules to bundle")
AUTHOR = "Ann Example <ann@example.org> (https://example.org)"
SERVER = '''#!/usr/bin/env python3
"""Notes in a folder.

More about it.
"""
import os
import sys

from mcplite import Server

server = Server("notes", version="1.2.0", title="Notes")


@server.tool
def list_notes() -> list:
    """List the notes."""
    return sorted(os.listdir(sys.argv[2]))


@server.tool
def settings() -> dict:
    """Tell the settings."""
    return {"token": os.environ.get("TOKEN"), "args": sys.argv[1:]}


@server.prompt
def summarise(topic: str) -> str:
    """Summarise a topic."""
    return "Summarise everything about %s." % topic


@server.prompt
def shout(word: str) -> str:
    return word.upper()


if __name__ == "__main__":
    server.run()
'''
SETTINGS = ["--config", "root:directory:Folder:${HOME}/Notes", "--arg=--root", "--arg", "{root}", "--config", "token:secret"]


RUNTIMES = {}


def remembered_runtime(server_only, date):
    """Making the runtime takes a second; once is enough for this file."""
    key = (server_only, date)
    if key not in RUNTIMES:
        RUNTIMES[key] = runtime_text(server_only, date)
    return RUNTIMES[key]


@pytest.fixture
def script(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(pack_command, "runtime_text", remembered_runtime)
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    path = tmp_path / "notes.py"
    path.write_text(SERVER)
    return path


def pack(script, *words):
    return cli_main(["pack", str(script), "--author", AUTHOR, *words])


def unpacked(path):
    with zipfile.ZipFile(str(path)) as archive:
        return {info.filename: archive.read(info) for info in archive.infolist()}


# -- settings ---------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("spec, name, option", [
    ("key:string", "key", {"type": "string", "title": "Key", "description": "Key", "required": True}),
    ("api_key:secret:Your key", "api_key",
     {"type": "string", "title": "Your key", "description": "Your key", "required": True, "sensitive": True}),
    ("url:string::http://x:80/", "url",
     {"type": "string", "title": "Url", "description": "Url", "default": "http://x:80/", "required": False}),
    ("n:number:N:3", "n", {"type": "number", "title": "N", "description": "N", "default": 3, "required": False}),
    ("n:number:N:0.5", "n", {"type": "number", "title": "N", "description": "N", "default": 0.5, "required": False}),
    ("b:boolean:B:false", "b", {"type": "boolean", "title": "B", "description": "B", "default": False, "required": False}),
    ("f:file:F:", "f", {"type": "file", "title": "F", "description": "F", "default": "", "required": False}),
])
def test_settings(spec, name, option):
    settings = parse_user_settings([spec], [], [])
    assert settings.options == {name: option}
    assert settings.env == {name.upper(): "${user_config.%s}" % name} and settings.args == []


def test_settings_in_arguments_and_environment():
    settings = parse_user_settings(["a:string", "d:directories", "c:secret"], ["--a={a}", "{d}", "{{x}}"], ["C=Bearer {c}",
                                                                                                            "K=v=w"])
    assert settings.args == ["--a=${user_config.a}", "${user_config.d}", "{x}"]
    assert settings.env == {"C": "Bearer ${user_config.c}", "K": "v=w"}
    assert settings.options["d"]["multiple"] is True


@pytest.mark.parametrize("specs, args, env, message", [
    (["a"], [], [], "--config takes name:type[:title[:default]] with a name of letters, digits and _, not 'a'"),
    (["a-b:string"], [], [], "--config takes name:type[:title[:default]] with a name of letters, digits and _, not 'a-b:string'"),
    (["a:text"], [], [],
     "--config a: no type 'text'; there are string, secret, number, boolean, directory, directories, file, files"),
    (["a:boolean:A:yes"], [], [], "--config a: the default must be true or false, not 'yes'"),
    (["a:number:A:x"], [], [], "--config a: the default must be a number, not 'x'"),
    (["a:number:A:nan"], [], [], "--config a: the default must be a number, not 'nan'"),
    (["a:string", "a:string"], [], [], '--config "a" is there twice'),
    ([], ["{a}"], [], "'{a}' in '{a}' is no --config setting (write {{ and }} for braces)"),
    ([], ["{"], [], "'{' in '{' is no --config setting (write {{ and }} for braces)"),
    (["a:secret"], ["{a}"], [], '"a" is a secret, and arguments can be read by every program: pass it with --env'),
    (["a:files"], [], [], '"a" can be several: pass it with --arg {a}'),
    (["a:files"], ["-f{a}"], [], '"a" can be several: pass it with --arg {a}, alone'),
    (["a:files"], [], ["A={a}"], '"a" can be several: pass it with --arg {a}, alone'),
    (["a:string"], [], ["A=x"], '"a" would be passed as A, which --env sets; say how with --arg or --env'),
    ([], [], ["A"], "--env takes NAME=TEXT, not 'A'"),
])
def test_settings_that_make_no_sense(specs, args, env, message):
    with pytest.raises(CliError) as caught:
        parse_user_settings(specs, args, env)
    assert caught.value.text == "pack: " + message and caught.value.status == 2


def test_placeholders_for_a_trial_start():
    settings = parse_user_settings(["d:directories", "f:file", "n:number", "b:boolean", "s:string:S:x"],
                                   ["{d}", "{f}", "{n}", "{b}", "--s={s}"], [])
    assert placeholder_command(settings, "/tmp/x", "/tmp/x/s.py")[0] == ["/tmp/x", "/tmp/x/s.py", "1", "false", "--s=x"]


@pytest.mark.parametrize("text, author", [
    ("Ann", {"name": "Ann"}), ("Ann B <a@b.c>", {"name": "Ann B", "email": "a@b.c"}),
    ("Ann (https://x.y)", {"name": "Ann", "url": "https://x.y"}),
    (AUTHOR, {"name": "Ann Example", "email": "ann@example.org", "url": "https://example.org"}),
])
def test_author(text, author):
    assert parse_author(text) == author


# -- the bundle -------------------------------------------------------------------------------------------------------

@of_the_package
def test_manifest_and_files(script, tmp_path, capsys):
    assert pack(script, *SETTINGS, "--license", "MIT", "--keyword", "notes", "--homepage", "https://example.org") == 0
    out = capsys.readouterr()
    assert out.err == "" and out.out.startswith("notes-1.2.0.mcpb: notes 1.2.0, ")
    files = unpacked(tmp_path / "notes-1.2.0.mcpb")
    assert list(files) == ["manifest.json", "server/mcplite.py", "server/notes.py"]
    assert files["server/notes.py"].decode() == SERVER
    assert files["server/mcplite.py"].startswith(b"#!/usr/bin/env python3\n# mcplite ")
    assert json.loads(files["manifest.json"].decode()) == {
        "manifest_version": "0.3",
        "name": "notes",
        "display_name": "Notes",
        "version": "1.2.0",
        "description": "Notes in a folder.",
        "author": {"name": "Ann Example", "email": "ann@example.org", "url": "https://example.org"},
        "homepage": "https://example.org",
        "server": {
            "type": "python",
            "entry_point": "server/notes.py",
            "mcp_config": {
                "command": "python3",
                "args": ["${__dirname}/server/notes.py", "--root", "${user_config.root}"],
                "env": {"TOKEN": "${user_config.token}"},
                "platform_overrides": {"win32": {"command": "python"}},
            },
        },
        "tools": [{"name": "list_notes", "description": "List the notes."}, {"name": "settings",
                                                                             "description": "Tell the settings."}],
        "prompts": [{"name": "summarise", "description": "Summarise a topic.", "arguments": ["topic"],
                     "text": "Summarise everything about ${arguments.topic}."}],
        "prompts_generated": True,
        "keywords": ["notes"],
        "license": "MIT",
        "compatibility": {"platforms": ["darwin", "win32", "linux"], "runtimes": {"python": ">=3.8"}},
        "user_config": {
            "root": {"type": "directory", "title": "Folder", "description": "Folder", "default": "${HOME}/Notes",
                     "required": False},
            "token": {"type": "string", "title": "Token", "description": "Token", "required": True, "sensitive": True},
        },
    }


@of_the_package
def test_the_same_bytes_each_time(script, tmp_path):
    assert pack(script, "-o", "a.mcpb") == 0
    os.utime(str(script), (1, 1))
    assert pack(script, "-o", "b.mcpb") == 0
    assert (tmp_path / "a.mcpb").read_bytes() == (tmp_path / "b.mcpb").read_bytes()


def test_archive_is_stored_with_fixed_times_and_modes(monkeypatch):
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    files = {"server/z.py": (b"z", 0o644), "manifest.json": (b"{}", 0o644), "server/a.sh": (b"a", 0o755)}
    with zipfile.ZipFile(io.BytesIO(archive_bytes(files))) as archive:
        rows = [(info.filename, info.date_time, info.compress_type, info.external_attr >> 16) for info in archive.infolist()]
    start = (1980, 1, 1, 0, 0, 0)
    assert rows == [("manifest.json", start, 0, 0o100644), ("server/a.sh", start, 0, 0o100755), ("server/z.py", start, 0, 0o100644)]
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")
    with zipfile.ZipFile(io.BytesIO(archive_bytes(files))) as archive:
        assert {info.date_time for info in archive.infolist()} == {(2001, 9, 9, 1, 46, 40)}


@of_the_package
def test_includes(script, tmp_path):
    folder = tmp_path / "data"
    (folder / "__pycache__").mkdir(parents=True)
    (folder / "__pycache__" / "x.pyc").write_text("")
    (folder / "sub").mkdir()
    (folder / "sub" / "a.txt").write_text("A")
    run = folder / "run.sh"
    run.write_text("#!/bin/sh\n")
    run.chmod(0o755)
    (tmp_path / "helper.py").write_text("X = 1\n")
    script.write_text(SERVER.replace("import os\n", "import os\nimport helper\n", 1))
    assert pack(script, "--include", "data", "--include", "helper.py", "--include", "helper.py=more/other.py", "-o", "x.mcpb") == 0
    assert list(unpacked(tmp_path / "x.mcpb")) == [
        "manifest.json", "server/data/run.sh", "server/data/sub/a.txt", "server/helper.py", "server/mcplite.py",
        "server/more/other.py", "server/notes.py"]


@of_the_package
def test_what_is_missing_inside_is_found(script, tmp_path, capsys):
    (tmp_path / "helper.py").write_text("X = 1\n")
    script.write_text(SERVER.replace("import os\n", "import os\nimport helper\n", 1))
    assert pack(script, "-o", "x.mcpb") == 1
    assert capsys.readouterr().err == (
        "mcplite: pack: note: %s imports helper, which lies beside it: add it with --include\n"
        "mcplite: pack: the server does not start from what the bundle holds: it ended with status 1 at initialize: "
        "ModuleNotFoundError: No module named 'helper' (--include adds files; --no-run packs without starting it)\n" % script)
    assert not (tmp_path / "x.mcpb").exists()


@of_the_package
def test_without_starting_the_server(script, tmp_path):
    script.write_text(SERVER.replace("import os\n", "import os\nimport no_such_module\n", 1))
    assert pack(script, "--no-run", "--version", "2.0.0-rc.1", "-o", "x.mcpb") == 0
    manifest = json.loads(unpacked(tmp_path / "x.mcpb")["manifest.json"].decode())
    assert (manifest["name"], manifest["version"]) == ("notes", "2.0.0-rc.1")
    assert manifest["tools_generated"] is True and manifest["prompts_generated"] is True
    assert "tools" not in manifest and "prompts" not in manifest


@of_the_package
def test_icon(script, tmp_path, capsys):
    (tmp_path / "i.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x40\0\0\0\x20")
    assert pack(script, "--icon", "i.png", "--no-run", "--version", "1.0.0", "-o", "x.mcpb") == 0
    assert capsys.readouterr().err == "mcplite: pack: note: the icon is 64x32; 512x512 looks best\n"
    files = unpacked(tmp_path / "x.mcpb")
    assert json.loads(files["manifest.json"].decode())["icon"] == "icon.png" and "icon.png" in files


@of_the_package
@pytest.mark.parametrize("words, status, message", [
    (["--version", "1.0", "--no-run"], 2, "the version '1.0' is not of the form 1.2.3 that bundles need: give one with --version"),
    (["--version", "01.0.0", "--no-run"], 2,
     "the version '01.0.0' is not of the form 1.2.3 that bundles need: give one with --version"),
    (["--no-run"], 2, "the version '' is not of the form 1.2.3 that bundles need: give one with --version"),
    (["--version", "1.0.0", "--name", "a b", "--no-run"], 2,
     "the name 'a b' is not good for machines: letters, digits, dot, - and _, at most 64 (--name)"),
    (["--icon", "notes.py"], 1, "notes.py is not a PNG, the only kind of icon that bundles take"),
    (["--include", "nowhere"], 1, "nowhere: No such file or directory"),
    (["--include", "notes.py=../x"], 2, "--include cannot go to '../x': give a name below the script's folder"),
    (["--include", "notes.py=mcplite.py"], 1,
     "two files would be server/mcplite.py in the bundle; give one another name with --include PATH=NAME"),
])
def test_called_wrongly(words, status, message, script, capsys):
    assert pack("notes.py", *words) == status
    assert capsys.readouterr() == ("", "mcplite: pack: " + message + "\n")


def test_author_is_needed(script, capsys):
    assert cli_main(["pack", "notes.py"]) == 2
    assert capsys.readouterr().err == ("mcplite: pack: the following arguments are required: --author (mcplite pack --help "
    "shows how)\n")
    assert cli_main(["pack", "notes.py", "--author", "<x>"]) == 2
    assert capsys.readouterr().err == ('mcplite: pack: --author takes "Name", "Name <mail>" or "Name <mail> (https://page)", '
    'not \'<x>\'\n')


def test_script_that_is_no_mcplite_server(script, tmp_path, capsys):
    (tmp_path / "plain.py").write_text("print(1)\n")
    assert pack("plain.py") == 1
    assert capsys.readouterr().err == "mcplite: pack: plain.py does not import mcplite: only servers made with it can be packed\n"
    (tmp_path / "mcplite.py").write_text("")
    assert pack("mcplite.py") == 1
    assert capsys.readouterr().err == "mcplite: pack: mcplite.py has the name of the runtime that goes beside it; rename it\n"


# -- asking a server --------------------------------------------------------------------------------------------------

FAKE = """
import json, sys, time
def out(value): sys.stdout.write(json.dumps(value) + "\\n"); sys.stdout.flush()
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message: continue
    method, id = message["method"], message["id"]
    {body}
"""
INITIALIZE = 'if method == "initialize": out({"id": id, "result": {"capabilities": {"tools": {}}, "serverInfo": {"name": "n"}}})'


def offer(tmp_path, body, timeout=20):
    path = tmp_path / "fake.py"
    path.write_text(FAKE.replace("{body}", body))
    return read_offer([sys.executable, "-S", str(path)], str(tmp_path), {}, timeout)


def test_pages_notifications_and_questions(tmp_path):
    found = offer(tmp_path, INITIALIZE + """
    elif method == "tools/list":
        out({"method": "notifications/message", "params": {}})
        out({"id": "q", "method": "roots/list"})
        answer = json.loads(sys.stdin.readline())
        cursor = message["params"].get("cursor")
        if cursor is None: out({"id": id, "result": {"tools": [{"name": "a"}], "nextCursor": ""}})
        else: out({"id": id, "result": {"tools": [{"name": repr((cursor, answer["error"]["code"]))}]}})
""")
    assert found == {"server": {"name": "n"}, "tools": [{"name": "a"}, {"name": "('', -32601)"}], "prompts": []}


@pytest.mark.parametrize("body, message", [
    ("sys.stderr.write('one\\ntwo\\n'); sys.exit(3)", "it ended with status 3 at initialize: two"),
    ("print('hello', flush=True)", "it writes something that is not JSON: b'hello\\n'"),
    ('out({"id": id, "error": {"code": 1, "message": "no"}})', "it refuses to be initialized"),
    (INITIALIZE + '\n    else: out({"id": id, "error": {}})', "it answers tools/list with an error"),
    (INITIALIZE + '\n    else: out({"id": id, "result": {"tools": [], "nextCursor": "x"}})', "tools/list has no end"),
])
def test_servers_that_do_not_say(tmp_path, body, message):
    with pytest.raises(ListingError) as caught:
        offer(tmp_path, body)
    assert str(caught.value).replace("\r", "") == message


def test_server_that_never_answers(tmp_path):
    with pytest.raises(ListingError) as caught:
        offer(tmp_path, "time.sleep(30)", timeout=0.5)
    assert str(caught.value) == "no answer to initialize within 0.5 seconds"


# -- the official tool ------------------------------------------------------------------------------------------------

def official_tool():
    """(node, cli.js of npm @anthropic-ai/mcpb), or None."""
    node = shutil.which("node")
    root = os.environ.get("MCPLITE_INTEROP") or os.path.join(tempfile.gettempdir(), "mcplite-interop")
    places = [os.environ.get("MCPLITE_MCPB", ""), os.path.join(root, "mcpb", "node_modules", "@anthropic-ai", "mcpb")]
    for place in places:
        if node and place and os.path.isfile(os.path.join(place, "dist", "cli", "cli.js")):
            return node, place
    return None


ASK_FOR_CONFIG = """
import { getMcpConfigForManifest } from %s;
import { readFileSync } from "fs";
const manifest = JSON.parse(readFileSync(process.argv[2] + "/manifest.json", "utf8"));
const config = await getMcpConfigForManifest({ manifest, extensionPath: process.argv[2], systemDirs: { HOME: "/nowhere" },
  userConfig: JSON.parse(process.argv[3]), pathSeparator: "/" });
console.log(JSON.stringify(config ?? null));
"""


@pytest.mark.interop
@of_the_package
@pytest.mark.parametrize("version", ["0.3", "0.4"])
def test_official_tool_accepts_it_and_the_server_runs(version, script, tmp_path):
    found = official_tool()
    if found is None:
        pytest.skip("npm @anthropic-ai/mcpb is not installed: name its folder in MCPLITE_MCPB")
    node, place = found
    tool = [node, os.path.join(place, "dist", "cli", "cli.js")]
    assert pack(script, *SETTINGS, "--manifest-version", version, "-o", "x.mcpb") == 0
    run = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "timeout": 120}
    done = subprocess.run([*tool, "info", "x.mcpb"], **run)
    assert done.returncode == 0 and b"File: x.mcpb" in done.stdout
    folder = str(tmp_path / "installed")
    assert subprocess.run([*tool, "unpack", "x.mcpb", folder], **run).returncode == 0
    done = subprocess.run([*tool, "validate", folder], **run)
    assert (done.returncode, done.stdout.strip()) == (0, b"Manifest schema validation passes!")

    # what a host makes of it, by the tool's own code; then the server is started so
    asker = tmp_path / "ask.mjs"
    asker.write_text(ASK_FOR_CONFIG % json.dumps("file://" + os.path.join(place, "dist", "index.js")))
    done = subprocess.run([node, str(asker), folder, "{}"], **run)
    assert done.stdout.strip().split(b"\n")[-1] == b"null"                     # the token is required
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "todo.txt").write_text("")
    done = subprocess.run([node, str(asker), folder, json.dumps({"root": str(tmp_path / "mine"), "token": "s3"})], **run)
    config = json.loads(done.stdout.decode().strip().split("\n")[-1])
    assert config["env"] == {"TOKEN": "s3"} and config["args"][1:] == ["--root", str(tmp_path / "mine")]
    lines = [{"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {},
                                                          "clientInfo": {"name": "t", "version": "1"}}},
             {"method": "notifications/initialized"},
             {"id": 2, "method": "tools/call", "params": {"name": "list_notes", "arguments": {}}},
             {"id": 3, "method": "tools/call", "params": {"name": "settings", "arguments": {}}}]
    text = "".join(json.dumps(dict(line, jsonrpc="2.0")) + "\n" for line in lines)
    done = subprocess.run([sys.executable, "-S", "-E", *config["args"]], input=text.encode(), stdout=subprocess.PIPE, timeout=60,
                          env=dict(os.environ, **config["env"]))
    answers = [json.loads(line) for line in done.stdout.decode().split("\n") if line]
    assert "todo.txt" in answers[1]["result"]["content"][0]["text"]
    assert '"token":"s3"' in answers[2]["result"]["content"][0]["text"].replace(" ", "")
