"""What each way of starting a server costs: spawn to the initialize reply, of the server of examples/hello.py.

    PYTHON tests/matrix/ways.py FOLDER_OF_THE_PACKAGE       # the second part of what `make matrix` prints

Medians of alternating rounds, in milliseconds over the fastest way, and as a ratio to it. Works in a temporary directory.
"""
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile

ROUNDS = 15
INITIALIZE = (b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},'
              b'"clientInfo":{"name":"ways","version":"0"}}}\n')
CONSOLE_SCRIPT = """#!%s
import re
import sys
from hello_app import main
if __name__ == '__main__':
    sys.argv[0] = re.sub(r'(-script\\.pyw|\\.exe)?$', '', sys.argv[0])
    sys.exit(main())
"""


def copy_package(repo, folder):
    shutil.copytree(os.path.join(repo, "mcplite"), os.path.join(folder, "mcplite"), ignore=shutil.ignore_patterns("__pycache__"))


def new_ways(repo, root):
    """Return {name: (command, environment)}; lays out what each needs below ``root``."""
    with open(os.path.join(repo, "examples", "hello.py"), encoding="utf-8") as file:
        hello = file.read()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    application = hello.replace('if __name__ == "__main__":', "def main():")
    folders = {name: os.path.join(root, name) for name in ("beside", "single", "inside", "sealed", "zip", "sealed_single", "sealed_inside")}
    for folder in folders.values():
        os.makedirs(folder)
    copy_package(repo, folders["beside"])
    copy_package(repo, folders["sealed"])
    written = {
        os.path.join(folders["beside"], "hello.py"): hello,
        os.path.join(folders["beside"], "hello_app.py"): application,
        os.path.join(folders["beside"], "hello-script"): CONSOLE_SCRIPT % sys.executable,
        os.path.join(folders["beside"], "hello_typing.py"): "import typing, json, dataclasses\n" + hello,
        os.path.join(folders["sealed"], "hello.py"): hello,
        os.path.join(folders["single"], "hello.py"): hello,
    }
    for path, text in written.items():
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    bundle = [sys.executable, "-m", "mcplite", "bundle", "--server-only", "-o"]
    more = dict(environment, PYTHONPATH=repo, PYTHONDONTWRITEBYTECODE="1")
    for words in ([os.path.join(folders["single"], "mcplite.py")],
                  [os.path.join(folders["inside"], "hello.py"), os.path.join(repo, "examples", "hello.py")]):
        subprocess.run(bundle + words, cwd=root, env=more, check=True, stdout=subprocess.DEVNULL)
    with zipfile.ZipFile(os.path.join(folders["zip"], "hello.pyz"), "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("__main__.py", hello)
        for place, _, names in os.walk(os.path.join(folders["sealed"], "mcplite")):
            for name in names:
                archive.write(os.path.join(place, name), os.path.relpath(os.path.join(place, name), folders["sealed"]))
    for name in ("single", "inside"):
        for file in os.listdir(folders[name]):
            shutil.copy(os.path.join(folders[name], file), folders["sealed_" + name])
    sealed = dict(environment, PYTHONDONTWRITEBYTECODE="1")

    def at(folder, name):
        return os.path.join(folders[folder], name)
    return {
        "the package beside the script": ([sys.executable, at("beside", "hello.py")], environment),
        "the single file beside the script": ([sys.executable, at("single", "hello.py")], environment),
        "the runtime inside the script": ([sys.executable, at("inside", "hello.py")], environment),
        "python -m hello": ([sys.executable, "-m", "hello"], environment),
        "a console script that imports re": ([sys.executable, at("beside", "hello-script")], environment),
        "the server imports typing, json, dataclasses": ([sys.executable, at("beside", "hello_typing.py")], environment),
        "no compiled files, the package": ([sys.executable, at("sealed", "hello.py")], sealed),
        "no compiled files, the single file": ([sys.executable, at("sealed_single", "hello.py")], sealed),
        "no compiled files, the runtime inside": ([sys.executable, at("sealed_inside", "hello.py")], sealed),
        "a zipapp of .py files": ([sys.executable, at("zip", "hello.pyz")], environment),
    }, folders["beside"]


def time_start(command, environment, folder):
    begun = time.perf_counter()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, cwd=folder) as process:
        process.stdin.write(INITIALIZE)
        process.stdin.flush()
        reply = process.stdout.readline()
        took = time.perf_counter() - begun
        process.stdin.close()
        process.wait(20)
    if b'"result"' not in reply:
        raise RuntimeError("%s answered %r" % (" ".join(command), reply))
    return took * 1000


def main(repo):
    with tempfile.TemporaryDirectory(prefix="mcplite-ways-") as root:
        ways, folder = new_ways(os.path.abspath(repo), root)
        times = {name: [] for name in ways}
        for number in range(ROUNDS + 2):
            for name, (command, environment) in ways.items():
                took = time_start(command, environment, folder)
                if number > 1:                          # the first two fill the caches
                    times[name].append(took)
    medians = {name: sorted(found)[len(found) // 2] for name, found in times.items()}
    best = min(medians.values())
    print("| how a server is started | ms over the fastest | × the fastest |")
    print("| --- | --- | --- |")
    for name, median in sorted(medians.items(), key=lambda pair: pair[1]):
        print("| %s | %.1f | %.2f |" % (name, median - best, median / best))


if __name__ == "__main__":
    main(sys.argv[1])
