"""What runs on each interpreter of this machine: `make matrix`.

Here: the rows (which interpreters, how each is found and started), the columns (what is run in each), the table. Not here: the checks
themselves (the fast tests; matrix/smoke.py where no test runner fits).

    python tests/matrix.py                      # everything that is found; half an hour on two cores
    python tests/matrix.py --quick              # without the fast tests: a minute
    python tests/matrix.py 3.8 pypy             # these rows only
    python tests/matrix.py --markdown FILE      # the table once more, for the documentation

Works on a copy of the checkout in $MCPLITE_MATRIX, or `mcplite-matrix` in the temporary directory, where the environments stay for the
next run; writes nothing in the checkout. A row whose interpreter is missing says so. Each step has a time limit. Exit status 1 when
anything failed.
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
REPO = os.path.dirname(HERE)
ROOT = os.environ.get("MCPLITE_MATRIX") or os.path.join(tempfile.gettempdir(), "mcplite-matrix")
TREE = os.path.join(ROOT, "tree")               # the copy of the checkout
SINGLE = os.path.join(ROOT, "single")           # the folder of the single file
LOGS = os.path.join(ROOT, "logs")
SMOKE = os.path.join(TREE, "tests", "matrix", "smoke.py")
FLOOR = os.path.join(TREE, "tests", "matrix", "floor.py")
HELLO = os.path.join(TREE, "examples", "hello.py")

CPYTHONS = ["3.%d" % minor for minor in range(8, 14)]
SUITE_SECONDS, INSTALL_SECONDS, SMOKE_SECONDS = 1200, 600, 180
START_ROUNDS = 11
COLUMNS = ["interpreter", "version", "fast tests", "smoke, package", "smoke, one file", "as a process", "start, × floor"]


class Missing(Exception):
    """The interpreter or a tool is not there; the text says what would bring it."""


def run(command, seconds, log=None, cwd=None, env=None):
    """Run one command; return (exit status, output). A command over its time is ended: status 124."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=cwd, env=env,
                               start_new_session=True, preexec_fn=default_signals)
    try:
        output, status = process.communicate(timeout=seconds)[0], process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        output, status = process.communicate()[0] + b"\nended after %d s" % seconds, 124
    text = output.decode("utf-8", "replace")
    if log:
        with open(os.path.join(LOGS, log + ".txt"), "w", encoding="utf-8") as file:
            file.write(text)
    return status, text


def default_signals():
    """A job in the background may have been told to ignore these, and so would every server that a test sends one to."""
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def clean_environment(**more):
    """This process's environment without what would reach into another interpreter."""
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith(("PYTHON", "NODE_", "VIRTUAL_ENV", "MCPLITE_", "PYTEST"))}
    return dict(kept, **more)


# The copy


def prepare():
    """Make the copy of the checkout and the single file."""
    os.makedirs(ROOT, exist_ok=True)
    for folder in (TREE, SINGLE, LOGS):
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
    for name in checkout_files():
        target = os.path.join(TREE, name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copy2(os.path.join(REPO, name), target)
    status, text = run([sys.executable, "-m", "mcplite", "bundle", "-o", os.path.join(SINGLE, "mcplite.py")], 60, cwd=TREE,
                       env=clean_environment())
    if status:
        sys.exit("the single file could not be made: %s" % text.strip())


def checkout_files():
    """The files that git would take; without git, all but caches and what make made."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=REPO, stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL)
    if listed.returncode == 0 and listed.stdout:
        names = listed.stdout.decode("utf-8").split("\0")
        return [name for name in names if name and os.path.isfile(os.path.join(REPO, name))]
    found = []
    for folder, folders, files in os.walk(REPO):
        folders[:] = [name for name in folders if name not in ("__pycache__", "build", "dist") and not name.startswith(".")]
        found += [os.path.relpath(os.path.join(folder, name), REPO) for name in files]
    return found


# Rows: each kind of interpreter finds itself, and says how it runs a script


class Row:
    """One interpreter. ``start(script)`` is the command that runs a script in it; ``python`` may be None (no venv, no tests)."""

    def __init__(self, name, python=None, start=None, find=None):
        self.name, self.python, self.find = name, python, find
        self.start = start or (lambda script: [self.python, script])
        self.version = ""


def cpython_row(version):
    row = Row("CPython " + version)

    def find():
        row.python = find_cpython(version)
        row.version = ask_version(row.python)
    row.find = find
    return row


def find_cpython(version):
    """Return the path of this version: python3.N on the PATH, or pyenv's newest."""
    candidates = [shutil.which("python" + version)]
    versions = os.path.join(os.environ.get("PYENV_ROOT") or os.path.expanduser("~/.pyenv"), "versions")
    if os.path.isdir(versions):
        found = [name for name in os.listdir(versions) if re.match(re.escape(version) + r"\.\d+$", name)]
        candidates += [os.path.join(versions, name, "bin", "python") for name in
                       sorted(found, key=lambda name: int(name.split(".")[2]), reverse=True)]
    for candidate in filter(None, candidates):
        try:
            if ask_version(candidate).startswith(version + "."):
                return ask(candidate, "sys.executable")         # not a script that finds it: that would count in the start
        except (OSError, Missing):
            pass
    raise Missing("no python%s on the PATH or from pyenv" % version)


def ask_version(python):
    return ask(python, "platform.python_version()")


def ask(python, expression):
    status, text = run([python, "-c", "import platform, sys; print(%s)" % expression], 30, env=clean_environment())
    if status:
        raise Missing("%s does not run" % python)
    return text.strip()


def pypy_row():
    row = Row("PyPy")

    def find():
        row.python = shutil.which("pypy3")
        if row.python is None:
            raise Missing("no pypy3 on the PATH (Debian: pypy3 pypy3-venv)")
        row.version = ask_version(row.python)
    row.find = find
    return row


def gdb_row():
    gdb = shutil.which("gdb")
    row = Row("gdb's Python", start=lambda script: [gdb, "-nx", "-batch", "-x", script])

    def find():
        if gdb is None:
            raise Missing("no gdb on the PATH (Debian: gdb)")
        code = "python import platform; print(platform.python_version())"
        status, text = run([gdb, "-nx", "-batch", "-ex", code], 30, env=clean_environment())
        if status or not text.startswith("3."):
            raise Missing("this gdb has no Python 3")
        row.version = text.strip()
    row.find = find
    return row


def pyodide_row():
    row = Row("Pyodide in Node")

    def find():
        node, npm = shutil.which("node"), shutil.which("npm")
        if node is None or npm is None:
            raise Missing("no node and npm on the PATH")
        folder = os.path.join(ROOT, "pyodide")
        row.module = os.path.join(folder, "node_modules", "pyodide", "pyodide.mjs")
        if not os.path.isfile(row.module):
            os.makedirs(folder, exist_ok=True)
            with open(os.path.join(folder, "package.json"), "w", encoding="utf-8") as file:
                file.write('{"name": "mcplite-matrix", "private": true}')
            status, text = run([npm, "install", "--no-audit", "--no-fund", "pyodide"], INSTALL_SECONDS, log="pyodide-install", cwd=folder)
            if status:
                raise Missing("npm could not install pyodide: %s" % text.strip().split("\n")[-1])
        row.node = node
    row.find = find
    row.start = None
    return row


def streamless_row():
    """A host that gives its interpreter no standard streams, as programs without a console do."""
    python = sys.executable
    row = Row("no standard streams", start=lambda script: ["/bin/sh", "-c", 'exec "$0" "$1" <&- >&- 2>&-', python, script])

    def find():
        if os.name != "posix":
            raise Missing("descriptors can be closed on POSIX only")
        row.version = ask_version(python)
    row.find = find
    return row


ROWS = [cpython_row(version) for version in CPYTHONS] + [pypy_row(), pyodide_row(), gdb_row(), streamless_row()]


# Columns: each returns (text of the cell, whether it failed)


def fast_tests(row):
    """The test suite in an environment of its own."""
    if row.python is None:
        return "–", False
    name = row.name.replace(" ", "-")
    folder = os.path.join(ROOT, "env-" + name)
    python = os.path.join(folder, "bin", "python")
    requirements = dev_requirements(row)
    stamp, wanted = os.path.join(folder, "installed"), "\n".join([row.python, row.version] + requirements)
    if not os.path.isfile(stamp) or open(stamp, encoding="utf-8").read() != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        for command in ([row.python, "-m", "venv", folder],
                        [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--prefer-binary"] + requirements):
            status, text = run(command, INSTALL_SECONDS, log=name + "-install", env=clean_environment())
            if status:
                return "not run: no pytest (%s)" % " ".join(text.strip().split("\n")[-1].split())[:60], False
        with open(stamp, "w", encoding="utf-8") as file:
            file.write(wanted)
    shared = os.environ.get("MCPLITE_SHARED") or os.path.join(REPO, "..", "shared")
    status, text = run([python, "-m", "pytest", "-p", "no:cacheprovider"], SUITE_SECONDS, log=name + "-tests", cwd=TREE,
                       env=clean_environment(MCPLITE_SHARED=os.path.abspath(shared)))
    found = re.findall(r"(\d+) (passed|failed|skipped|errors?)", text.strip().split("\n")[-1])
    if not found:
        return "ended with %d" % status, True
    return ", ".join("%s %s" % pair for pair in sorted(found, key=lambda pair: ["passed", "failed", "error", "errors",
                                                                                "skipped"].index(pair[1]))), status != 0


def dev_requirements(row):
    """What the fast tests import, from setup.cfg; linters and what PyPy would have to compile are left out."""
    import configparser

    config = configparser.ConfigParser()
    config.read(os.path.join(REPO, "setup.cfg"), encoding="utf-8")
    lines = [line.strip() for line in config["options.extras_require"]["dev"].split("\n") if line.strip()]
    left_out = {"ruff", "coverage", "build", "twine"} | ({"jsonschema", "mypy"} if row.name == "PyPy" else set())
    return [line for line in lines if re.split(r"[ ><=~]", line)[0] not in left_out] + ["typing-extensions"]


def smoke(row, runtime, what):
    report = os.path.join(LOGS, "%s-%s-report" % (row.name.replace(" ", "-"), what))
    if row.start is None:
        folder = report + "s"
        os.makedirs(folder)
        report = os.path.join(folder, "report")
        command = [row.node, os.path.join(TREE, "tests", "matrix", "pyodide_host.mjs"), row.module,
                   os.path.join(TREE, "tests", "matrix"), runtime, folder]
        status, text = run(command, SMOKE_SECONDS, log=os.path.basename(folder), env=clean_environment())
        if os.path.isfile(os.path.join(folder, "version")):
            row.version = open(os.path.join(folder, "version"), encoding="utf-8").read()
    else:
        status, text = run(row.start(SMOKE), SMOKE_SECONDS, log=os.path.basename(report),
                           env=clean_environment(MCPLITE_SMOKE=runtime, MCPLITE_SMOKE_REPORT=report))
    if not os.path.isfile(report):
        return "ended with %d" % status, True
    with open(report, encoding="utf-8") as file:
        lines = file.read().strip().split("\n")
    for line in lines:
        if line.startswith("FAILED"):
            print("  %s, %s: %s" % (row.name, what, line), flush=True)
    return lines[-1].replace(", 0 failed", "").replace(", 0 skipped", ""), " 0 failed" not in lines[-1]


def smoke_package(row):
    return smoke(row, TREE, "package")


def smoke_single(row):
    return smoke(row, SINGLE, "one-file")


def as_a_process(row):
    """The server over its own stdin and stdout, with this package's client at the other end, in both eras."""
    if row.start is None or row.name == "no standard streams":
        return "–", False
    sys.path.insert(0, TREE)
    done = 0
    try:
        for revision in ("2025-11-25", "2026-07-28"):
            for step in process_steps(row, revision):
                done += bool(step)
    except Exception as error:
        print("  %s, as a process: %s: %s" % (row.name, type(error).__name__, error), flush=True)
        return "%d passed, 1 failed" % done, True
    finally:
        sys.path.remove(TREE)
    return "%d passed" % done, False


def process_steps(row, revision):
    """Yield True after each thing that was right; raise for what was not."""
    from mcplite import Client, McpError

    environment = clean_environment(MCPLITE_SMOKE=TREE, MCPLITE_SMOKE_SERVE="1")
    own = {name: None for name in os.environ if name not in environment}
    own.update(environment)
    client = Client(row.start(SMOKE), env=own, revision=revision, on_elicit=lambda *request: {"action": "accept", "content": {
        "size": "large"}}, timeout=60)
    with client:
        yield check_equal(client.revision, revision)
        yield check_equal(len(list(client.list_tools())), 6)
        yield check_equal(words(client.call_tool("noisy", {})), "caf\u00e9 \u2713 \U0001f600 \ufffd")
        yield check_equal(words(client.call_tool("order", {"item": "tea"})), "large tea")
        yield check_equal(client.call_tool("leave", {})["isError"], True)
        begun = time.monotonic()
        try:
            client.request("tools/call", {"name": "nap", "arguments": {"seconds": 30}}, timeout=0.5)
            raise AssertionError("the nap was not cancelled")
        except McpError:
            pass
        yield check_equal(client.call_tool("add", {"a": 1})["structuredContent"], {"sum": 3})
        took = time.monotonic() - begun
        if took > 5:                                    # the server naps on: it did not hear the cancellation
            raise AssertionError("a cancelled tool held the server for %.1f s" % took)
        yield True
        process = client._connection.link.process
    yield check_equal(process.returncode, 0)


def check_equal(found, wanted):
    if found != wanted:
        raise AssertionError("%r is not %r" % (found, wanted))
    return True


def words(result):
    return result["content"][0]["text"]


INITIALIZE = (b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},'
              b'"clientInfo":{"name":"matrix","version":"0"}}}\n')


def start_ratio(row):
    """Spawn to the initialize reply of examples/hello.py, over that of a hand-written loop: the median of pairs."""
    if row.start is None or row.name == "no standard streams":
        return "–", False
    start, ratios = row.start, []
    if row.python is not None:                          # in a bare environment: what this machine's site loads is not ours
        folder = os.path.join(ROOT, "bare-" + row.name.replace(" ", "-"))
        bare = os.path.join(folder, "bin", "python")
        if os.path.isfile(bare) or not run([row.python, "-m", "venv", "--without-pip", folder], 60, env=clean_environment())[0]:
            def start(script):
                return [bare, script]
    for number in range(START_ROUNDS + 2):
        ours, floor = time_start(start(HELLO)), time_start(start(FLOOR))
        if ours is None or floor is None:
            return "no reply", True
        if number > 1:                                  # the first two fill the caches
            ratios.append(ours / floor)
    return "%.2f" % sorted(ratios)[len(ratios) // 2], False


def time_start(command):
    begun = time.perf_counter()
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               env=clean_environment(PYTHONPATH=TREE))
    try:
        process.stdin.write(INITIALIZE)
        process.stdin.flush()
        reply = process.stdout.readline()
        took = time.perf_counter() - begun
        process.stdin.close()
        process.wait(20)
        return took if b'"result"' in reply else None
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        process.stdout.close()


def ways_to_start(rows):
    """The second table, for the newest CPython of the rows."""
    pythons = [row for row in rows if row.python is not None and row.version and row.name.startswith("CPython")]
    if not pythons:
        return ""
    bare = os.path.join(ROOT, "bare-" + pythons[-1].name.replace(" ", "-"), "bin", "python")
    status, text = run([bare if os.path.isfile(bare) else pythons[-1].python, os.path.join(TREE, "tests", "matrix", "ways.py"), TREE], 180,
                       log="ways", env=clean_environment())
    return "\nWays to start, CPython %s:\n\n%s" % (pythons[-1].version, text if status == 0 else "could not be measured\n")


# The table


def main(arguments):
    quick = "--quick" in arguments
    markdown = None
    if "--markdown" in arguments:
        at = arguments.index("--markdown")
        markdown = arguments[at + 1]
        del arguments[at:at + 2]
    wanted = [word.lower() for word in arguments if not word.startswith("-")]
    rows = [row for row in ROWS if not wanted or any(word in row.name.lower() for word in wanted)]
    if not rows:
        sys.exit("no such row; there are: %s" % ", ".join(row.name for row in ROWS))
    print("works in %s; logs in %s" % (ROOT, LOGS), flush=True)
    prepare()
    steps = [("start", start_ratio), ("package", smoke_package), ("single", smoke_single), ("process", as_a_process)] + (
        [] if quick else [("tests", fast_tests)])
    table, failures = [], 0
    for row in rows:
        try:
            row.find()
        except Missing as reason:
            print("%s: skipped: %s" % (row.name, reason), flush=True)
            table.append([row.name, "–", "skipped: %s" % reason, "", "", "", ""])
            continue
        cells = {"tests": "–"}
        for name, step in steps:
            cells[name], failed = step(row)
            failures += failed
            print("%s %s: %s: %s%s" % (row.name, row.version, name, cells[name], "  <-- FAILED" if failed else ""), flush=True)
        table.append([row.name, row.version, cells["tests"], cells["package"], cells["single"], cells["process"], cells["start"]])
    print()
    widths = [max(len(line[at]) for line in [COLUMNS] + table if not line[2].startswith("skipped") or at == 0) for at in range(7)]
    for line in [COLUMNS] + table:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())
    ways = ways_to_start(rows)
    print(ways)
    if markdown:
        with open(markdown, "w", encoding="utf-8") as file:
            for line in [COLUMNS, ["---"] * 7] + table:
                file.write("| %s |\n" % " | ".join(line))
            file.write(ways)
    print("\n%s" % ("%d cells failed; the logs in %s say why" % (failures, LOGS) if failures else "nothing failed"))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
