"""What users hit on their machines: folders that cannot be written, odd paths, locales, flags, no environment, lean interpreters.

Each test starts a real server process under one condition and compares its whole conversation with that of an ordinary start. Not
here: how the package is built and installed (test_packaging), what runs on which interpreter (matrix.py).
"""
from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile

import pytest
from harness import INITIALIZED, PING, SOURCE, call, environment, initialize, modern, run_server, to_line

SINGLE = os.environ.get("MCPLITE_SINGLE")
of_the_package = pytest.mark.skipif(bool(SINGLE), reason="about the package's own files")
posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX descriptors and permissions")

SERVER = '''\
import sys
from mcplite import Server

server = Server("conditions", version="1")


@server.tool
def greet(name: str, times: int = 1) -> str:
    """Greet \\u00e9verybody."""
    print("printed", flush=True)
    return " ".join(["Hello, %s! \\u2713" % name] * times)


@server.tool
def order(item: str, ctx) -> str:
    return ctx.elicit("Which?", {"type": "object", "properties": {"size": {"type": "string"}}})["action"]


if __name__ == "__main__":
    server.run()
'''
LINES = [initialize(), INITIALIZED, call("greet", {"name": "J\u00f6rg", "times": 2}), call("greet", {"times": "x"}, 3),
         modern("tools/call", {"name": "greet", "arguments": {"name": "x"}}, 4), PING]
INPUT = b"\n".join(to_line(line) for line in LINES) + b"\n"


def converse(command, env=None, **options):
    """Run a server on INPUT; return what it wrote, after the checks that hold everywhere: exit 0, and no complaint on stderr."""
    done = subprocess.run(command, input=INPUT, stdout=subprocess.PIPE, stderr=options.pop("stderr", subprocess.PIPE), timeout=60,
                          env=environment() if env is None else env, **options)
    complaint = (done.stderr or b"").decode("utf-8", "replace").replace("printed", "").split()
    assert (done.returncode, complaint) == (0, [])
    return done.stdout


@pytest.fixture(scope="module")
def ordinary(tmp_path_factory):
    """The conversation of an ordinary start, looked at once by its content."""
    path = tmp_path_factory.mktemp("ordinary") / "server.py"
    path.write_text(SERVER, encoding="utf-8")
    raw = converse([sys.executable, str(path)])
    replies = {reply["id"]: reply for reply in map(json.loads, raw.splitlines())}
    assert replies[2]["result"]["content"][0]["text"] == "Hello, J\u00f6rg! \u2713 Hello, J\u00f6rg! \u2713"
    assert replies[3]["result"]["isError"] and replies[4]["result"]["resultType"] == "complete" and replies[99]["result"] == {}
    return raw


def copy_runtime(folder):
    """Copy the package, or the single file, into a folder, without compiled files; return the folder."""
    os.makedirs(str(folder), exist_ok=True)
    if SINGLE:
        shutil.copy(SINGLE, str(folder))
    else:
        shutil.copytree(os.path.join(SOURCE, "mcplite"), os.path.join(str(folder), "mcplite"),
                        ignore=shutil.ignore_patterns("__pycache__"))
    return str(folder)


def runs_alone(**more):
    """An environment in which the package has to lie beside the script, and compiled files may be written."""
    env = environment()
    del env["PYTHONPATH"]
    return dict(env, **more)


@pytest.fixture(scope="module")
def one_file(tmp_path_factory):
    """The folder of a fresh single file, and of a script with the runtime inside."""
    from mcplite.cli.main import cli_main

    folder = tmp_path_factory.mktemp("one_file")
    script = folder / "script.py"
    script.write_text(SERVER, encoding="utf-8")
    assert cli_main(["bundle", "-o", str(folder / "mcplite.py")]) == 0
    assert cli_main(["bundle", str(script), "-o", str(folder / "alone" / "script.py")]) == 0
    return folder


# Flags


@pytest.mark.parametrize("flags", [["-O"], ["-OO"], ["-B"], ["-E"], ["-u"], ["-W", "error"], ["-bb", "-X", "dev"], ["-X", "utf8=0"],
                                   ["-X", "utf8=1"], ["-S"], ["-v"]], ids=" ".join)
def test_any_flag(ordinary, tmp_path, flags):
    path = tmp_path / "server.py"
    path.write_text(SERVER, encoding="utf-8")
    copy_runtime(tmp_path)
    stderr = subprocess.DEVNULL if flags == ["-v"] else subprocess.PIPE
    raw = converse([sys.executable, *flags, str(path)], runs_alone(), stderr=stderr)
    if flags == ["-OO"]:                                # docstrings are gone: nothing of this conversation shows them
        assert b"everybody" not in raw
    assert raw == ordinary


def test_without_docstrings_a_tool_has_no_description(tmp_path):
    path = tmp_path / "server.py"
    path.write_text(SERVER, encoding="utf-8")
    outcome = run_server(str(path), [initialize(), INITIALIZED, {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}], flags=["-OO"])
    assert "description" not in outcome.result(2)["tools"][0]


@of_the_package
def test_isolated_with_the_single_file(ordinary, one_file):
    code = "import sys; sys.path.insert(0, %r); exec(compile(open(%r, encoding='utf-8').read(), 'server.py', 'exec'))"
    code %= str(one_file), str(one_file / "script.py")
    assert converse([sys.executable, "-I", "-S", "-c", code], {}) == ordinary


@of_the_package
def test_isolated_with_the_runtime_inside_the_script(ordinary, one_file):
    for _ in range(2):                                  # the second start finds the compiled runtime
        assert converse([sys.executable, "-I", "-S", str(one_file / "alone" / "script.py")], {}) == ordinary


# Folders


@pytest.mark.parametrize("name", ["with space", "\u00fcml\u00e4ut \u6771\u4eac \U0001f600", "quote'\"$HOME;&", "dot.py", "-dash",
                                  "%41%"])
def test_any_folder_name(ordinary, tmp_path, name):
    folder = copy_runtime(tmp_path / name)
    with open(os.path.join(folder, "my server.py"), "w", encoding="utf-8") as file:
        file.write(SERVER)
    assert converse([sys.executable, os.path.join(folder, "my server.py")], runs_alone()) == ordinary


@posix
def test_a_folder_name_that_is_no_text(ordinary, tmp_path):
    folder = os.path.join(os.fsencode(str(tmp_path)), b"latin\xe9")
    try:
        os.mkdir(folder)
    except OSError:
        pytest.skip("this file system takes no such name")
    copy_runtime(os.fsdecode(folder))
    with open(os.path.join(folder, b"server.py"), "w", encoding="utf-8") as file:
        file.write(SERVER)
    assert converse([sys.executable, os.path.join(folder, b"server.py")], runs_alone()) == ordinary


@posix
def test_nothing_can_be_written(ordinary, tmp_path):
    """A read-only folder: for root, whom permissions do not stop, a __pycache__ that is a file does it."""
    folder = copy_runtime(tmp_path / "fixed")
    with open(os.path.join(folder, "server.py"), "w", encoding="utf-8") as file:
        file.write(SERVER)
    places = [folder] + [place for place, _, _ in os.walk(folder) if place != folder]
    for place in places:
        open(os.path.join(place, "__pycache__"), "w").close()
        os.chmod(place, 0o555)
    try:
        before = sorted(os.listdir(folder))
        assert converse([sys.executable, os.path.join(folder, "server.py")], runs_alone(), cwd=folder) == ordinary
        assert sorted(os.listdir(folder)) == before
    finally:
        for place in places:
            os.chmod(place, 0o755)


def test_compiled_files_somewhere_else(ordinary, tmp_path):
    folder = copy_runtime(tmp_path / "app")
    with open(os.path.join(folder, "server.py"), "w", encoding="utf-8") as file:
        file.write(SERVER)
    for _ in range(2):
        raw = converse([sys.executable, os.path.join(folder, "server.py")], runs_alone(PYTHONPYCACHEPREFIX=str(tmp_path / "cache")))
        assert raw == ordinary
    assert "__pycache__" not in os.listdir(folder) and os.path.isdir(str(tmp_path / "cache"))


@posix
def test_a_broken_compiled_file_is_made_anew(ordinary, tmp_path):
    """A start that was killed while writing, a full disk: what lies there is not the module."""
    folder = copy_runtime(tmp_path / "app")
    with open(os.path.join(folder, "server.py"), "w", encoding="utf-8") as file:
        file.write(SERVER)
    converse([sys.executable, os.path.join(folder, "server.py")], runs_alone())
    cached = [os.path.join(place, name) for place, _, names in os.walk(folder) for name in names if name.endswith(".pyc")]
    assert cached
    for path in cached:
        with open(path, "wb") as file:
            file.write(b"\0" * 7)
    assert converse([sys.executable, os.path.join(folder, "server.py")], runs_alone()) == ordinary


@posix
def test_the_working_directory_is_gone(ordinary, tmp_path):
    path = tmp_path / "server.py"
    path.write_text(SERVER, encoding="utf-8")
    gone = tmp_path / "gone"
    gone.mkdir()
    command = 'cd "$1" && rmdir "$1" && exec "$2" "$3"'
    assert converse(["/bin/sh", "-c", command, "sh", str(gone), sys.executable, str(path)]) == ordinary


def test_a_very_long_search_path(ordinary, tmp_path):
    folder = copy_runtime(tmp_path / "last")
    path = tmp_path / "server.py"
    path.write_text(SERVER, encoding="utf-8")
    parts = [os.path.join(str(tmp_path), "none", "x" * 100 + str(number)) for number in range(400)]
    assert converse([sys.executable, str(path)], runs_alone(PYTHONPATH=os.pathsep.join(parts + [folder]))) == ordinary


def test_files_with_the_names_of_standard_modules_beside_the_script(ordinary, tmp_path):
    """A folder of experiments: none of these may be imported by the runtime before it is needed, and none is needed here."""
    copy_runtime(tmp_path)
    for name in ("json", "re", "typing", "enum", "select", "signal", "random", "test", "queue", "string", "email", "calendar",
                 "logging"):
        (tmp_path / (name + ".py")).write_text("raise RuntimeError('not the standard module')\n")
    path = tmp_path / "server.py"
    path.write_text(SERVER, encoding="utf-8")
    lines = [initialize(), INITIALIZED, call("greet", {"name": "J\u00f6rg", "times": 2}), PING]
    done = subprocess.run([sys.executable, "-S", str(path)], input=b"\n".join(map(to_line, lines)) + b"\n", stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=60, env=runs_alone())
    assert (done.returncode, done.stderr) == (0, b"printed\n")
    assert done.stdout.splitlines() == [ordinary.splitlines()[number] for number in (0, 1, 4)]


# Archives


@of_the_package
@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED], ids=["stored", "deflated"])
def test_a_zipapp(ordinary, tmp_path, compression):
    with zipfile.ZipFile(str(tmp_path / "app.pyz"), "w", compression) as archive:
        archive.writestr("__main__.py", SERVER)
        for place, _, names in os.walk(os.path.join(SOURCE, "mcplite")):
            for name in names:
                if name.endswith(".py"):
                    archive.write(os.path.join(place, name), os.path.relpath(os.path.join(place, name), SOURCE))
    assert converse([sys.executable, str(tmp_path / "app.pyz")], runs_alone()) == ordinary


@of_the_package
def test_the_command_line_from_an_archive(tmp_path):
    with zipfile.ZipFile(str(tmp_path / "mcplite.pyz"), "w") as archive:
        archive.writestr("__main__.py", "import sys\nfrom mcplite.cli.main import cli_main\nsys.exit(cli_main())\n")
        for place, _, names in os.walk(os.path.join(SOURCE, "mcplite")):
            for name in names:
                if name.endswith(".py"):
                    archive.write(os.path.join(place, name), os.path.relpath(os.path.join(place, name), SOURCE))
    done = subprocess.run([sys.executable, str(tmp_path / "mcplite.pyz"), "bundle", "--server-only",
                           "-o", str(tmp_path / "mcplite.py")],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60, env=runs_alone())
    assert (done.returncode, done.stderr) == (0, b"")
    compile((tmp_path / "mcplite.py").read_text(encoding="utf-8"), "mcplite.py", "exec")


# The environment


@posix
def test_no_environment_at_all(ordinary, tmp_path):
    copy_runtime(tmp_path)
    path = tmp_path / "server.py"
    path.write_text(SERVER, encoding="utf-8")
    assert converse([sys.executable, str(path)], {}) == ordinary


@pytest.mark.parametrize("settings", [
    {"LC_ALL": "C"}, {"LC_ALL": "POSIX", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}, {"LC_ALL": "C.UTF-8"},
    {"LANG": "de_DE.ISO-8859-1"}, {"LC_ALL": "tr_TR.UTF-8"}, {"LC_ALL": "no_SUCH.locale"}, {"LC_ALL": "", "LANG": ""}, {"PYTHONIOENCODING": "utf-16"},
    {"PYTHONIOENCODING": "ascii:strict"}, {"PYTHONIOENCODING": "cp1252"}, {"PYTHONIOENCODING": ":surrogateescape"},
    {"PYTHONIOENCODING": "cp037"}, {"PYTHONUTF8": "1"}, {"PYTHONUNBUFFERED": "1"}, {"PYTHONOPTIMIZE": "2"}, {"PYTHONHASHSEED": "0"},
    {"PYTHONWARNINGS": "error"}, {"PYTHONNOUSERSITE": "1"}, {"PYTHONSAFEPATH": "1"}, {"PYTHONDEVMODE": "1"},
    {"PYTHONLEGACYWINDOWSSTDIO": "1"},
    {"PYTHONWARNDEFAULTENCODING": "1"}, {"PYTHONINSPECT": ""}, {"TZ": "Nowhere/Land"}, {"TMPDIR": "/nowhere"}, {"HOME": "/nowhere"},
    {"COLUMNS": "x"}, {"TERM": ""}, {"PATH": ""}],
    ids=lambda settings: " ".join("%s=%s" % pair for pair in settings.items()))
def test_any_setting_of_the_environment(ordinary, tmp_path, settings):
    path = tmp_path / "server.py"
    path.write_text(SERVER, encoding="utf-8")
    done = subprocess.run([sys.executable, str(path)], input=INPUT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60,
                          env=environment(**settings))
    assert (done.returncode, done.stdout) == (0, ordinary)
    assert b"Traceback" not in done.stderr and b"Warning" not in done.stderr


# Streams


@posix
def test_a_closed_stderr(ordinary, tmp_path):
    path = tmp_path / "server.py"
    path.write_text(SERVER, encoding="utf-8")
    assert converse(["/bin/sh", "-c", 'exec "$1" "$2" 2>&-', "sh", sys.executable, str(path)]) == ordinary


RAISING = SERVER.replace('    print("printed", flush=True)\n', "    if times == 2:\n        print('printed')\n"
                         "    if times == 3:\n        raise KeyError('three')\n")


def unwritable(kind):
    if kind == "reader gone":
        reader, writer = os.pipe()
        os.close(reader)
        return writer
    if kind == "disk full" and not os.path.exists("/dev/full"):
        pytest.skip("this system has no /dev/full")
    return os.open("/dev/full", os.O_WRONLY) if kind == "disk full" else os.open(os.devnull, os.O_RDONLY)


@posix
@pytest.mark.parametrize("kind", ["disk full", "not for writing", "reader gone"])
def test_nothing_can_be_written_to_stderr(tmp_path, kind):
    """A print may fail then; the session goes on, and what could not be printed never comes out on the wire."""
    path = tmp_path / "server.py"
    path.write_text(RAISING, encoding="utf-8")
    lines = [initialize(), INITIALIZED] + [call("greet", {"name": "x", "times": times}, 10 + times) for times in (1, 2, 3)] + [PING]
    stderr = unwritable(kind)
    try:
        done = subprocess.run([sys.executable, str(path)], input=b"\n".join(map(to_line, lines)) + b"\n", stdout=subprocess.PIPE,
                              stderr=stderr, timeout=60, env=environment())
    finally:
        os.close(stderr)
    replies = {reply["id"]: reply for reply in map(json.loads, done.stdout.splitlines())}
    assert sorted(replies) == [1, 11, 12, 13, 99]
    assert replies[11]["result"]["content"][0]["text"] == "Hello, x! \u2713"
    assert replies[12]["result"]["isError"]                                     # the print itself failed
    assert replies[13]["result"]["content"][0]["text"] == "KeyError: 'three'"
    assert done.returncode in (0, 120)                                          # 120: Python could not flush at its very end


@posix
def test_files_as_streams(ordinary, tmp_path):
    (tmp_path / "server.py").write_text(SERVER, encoding="utf-8")
    (tmp_path / "in").write_bytes(INPUT)
    with open(str(tmp_path / "in"), "rb") as reader, open(str(tmp_path / "out"), "wb") as writer:
        done = subprocess.run([sys.executable, str(tmp_path / "server.py")], stdin=reader, stdout=writer, stderr=subprocess.PIPE,
                              timeout=60, env=environment())
    assert (done.returncode, (tmp_path / "out").read_bytes()) == (0, ordinary)


def test_module_and_package_as_the_program(ordinary, tmp_path):
    """python -m with a user's module and with a user's package."""
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "__init__.py").write_text("")
    (tmp_path / "shop" / "__main__.py").write_text(SERVER, encoding="utf-8")
    (tmp_path / "stall.py").write_text(SERVER, encoding="utf-8")
    for name in ("shop", "stall"):
        assert converse([sys.executable, "-m", name], cwd=str(tmp_path)) == ordinary


def test_python_m_mcplite(tmp_path):
    done = subprocess.run([sys.executable, "-m", "mcplite", "--version"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=60, env=environment(), cwd=str(tmp_path))
    from mcplite import __version__

    assert (done.returncode, done.stdout.decode(), done.stderr) == (0, "mcplite %s\n" % __version__, b"")


@pytest.mark.parametrize("source", ["-", "-c"])
def test_a_server_without_a_file(tmp_path, source):
    """python -c and python < script: hints still resolve, though there is no source to look at."""
    if source == "-":
        code = "import os\n" + SERVER.replace("server.run()", "import io; out = io.BytesIO(); server.serve(io.BytesIO(%r), out); "
                                                              "os.write(1, out.getvalue())" % INPUT)
        done = subprocess.run([sys.executable, "-"], input=code.encode("utf-8"), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=60, env=environment())
    else:
        done = subprocess.run([sys.executable, "-c", SERVER], input=INPUT, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=60, env=environment())
    assert done.returncode == 0 and b"Traceback" not in done.stderr
    assert b"Hello, J\\u00f6rg! \\u2713 Hello" in done.stdout


# Lean interpreters, by what they lack


LACKING = {
    "no _json": "import sys; sys.modules['_json'] = None",
    "no interval timer": "import _signal\nfor name in ('setitimer', 'getitimer', 'ITIMER_REAL'):\n    delattr(_signal, name)",
    "no SIGALRM": "import _signal\ndel _signal.SIGALRM",
    "no typing_extensions": "import sys; sys.modules['typing_extensions'] = None",
    "no select.poll": "import select\ndel select.poll",
    "no subprocess": "import sys; sys.modules['subprocess'] = sys.modules['_posixsubprocess'] = None",
    "no ssl, hashlib": "import sys; sys.modules['ssl'] = sys.modules['_ssl'] = sys.modules['_hashlib'] = None",
}


@pytest.mark.parametrize("lack", sorted(LACKING))
def test_a_lean_interpreter(ordinary, tmp_path, lack):
    path = tmp_path / "server.py"
    path.write_text("%s\n%s" % (LACKING[lack], SERVER), encoding="utf-8")
    assert converse([sys.executable, str(path)]) == ordinary


@pytest.mark.parametrize("depth, refused", [(900, False), (1000, True), (200000, True)])
def test_in_webassembly_nesting_is_bounded_before_the_scanner_sees_it(tmp_path, depth, refused):
    """There the C stack is the host's, and running over it ends the interpreter."""
    path = tmp_path / "server.py"
    path.write_text("import sys\nsys.platform = 'emscripten'\n" + SERVER, encoding="utf-8")
    strings = ', "s": "' + "[" * 2000 + '\\\\", "t": "\\"' + "{" * 2000 + '"'
    line = b'{"jsonrpc":"2.0","id":1,"method":"ping","params":' + b"[" * depth + b"]" * depth + strings.encode() + b"}"
    outcome = run_server(str(path), [line, PING], judge=False)
    assert outcome.replies[-1]["id"] == 99
    if refused:
        assert outcome.replies[0]["error"] == {"code": -32700, "message": "Parse error: nested too deeply"}
    else:
        assert outcome.replies[0]["id"] == 1


# -- the tests themselves ---------------------------------------------------------------------------------------------

@posix
@pytest.mark.parametrize("name", ["SIGINT", "SIGHUP"])
def test_the_tests_hear_a_signal_that_their_shell_ignores(name):
    """A shell has them ignored for what runs in its background, nohup too; what a test starts must be as anywhere else."""
    child = "import signal; print(signal.getsignal(signal.%s) == signal.SIG_IGN)" % name
    code = ("import signal, subprocess, sys; sys.path.insert(0, %r); signal.signal(signal.%s, signal.SIG_IGN); import conftest; "
            "subprocess.run([sys.executable, '-c', %r], check=True)" % (os.path.dirname(os.path.abspath(__file__)), name, child))
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=True, timeout=60)
    assert done.stdout == b"False\n"
