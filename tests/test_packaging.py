"""Wheel and sdist: they build, hold what they should and nothing else, install and go without a trace.

The builds are made once, in a copy of the checkout. Fresh environments (slow) need the package index, for typing-extensions. Not here:
the single file (test_cli_bundle), what happens at run time (test_conditions).
"""
from __future__ import annotations

import ast
import configparser
import email
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from importlib.util import find_spec

import pytest
from harness import REPO, environment

pytestmark = pytest.mark.skipif(bool(os.environ.get("MCPLITE_SINGLE")), reason="about the package, not the single file")

BUILT = ("LICENSE", "README.md", "pyproject.toml", "setup.cfg")


def setup_cfg():
    config = configparser.ConfigParser()
    config.read(os.path.join(REPO, "setup.cfg"), encoding="utf-8")
    return config


def version_literal():
    """The one place where the version is written."""
    with open(os.path.join(REPO, "mcplite", "errors.py"), encoding="utf-8") as file:
        return re.search(r'^VERSION = "(\d+\.\d+\.\d+)"$', file.read(), re.M).group(1)


def run(*command, cwd=None, env=None, **more):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300, cwd=cwd,
                          env=env or environment(PYTHONPATH="", **more))
    assert done.returncode == 0, done.stdout.decode("utf-8", "replace")[-2000:]
    return done.stdout.decode("utf-8", "replace")


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """What a build needs, copied: a build leaves folders behind."""
    folder = tmp_path_factory.mktemp("source")
    for name in BUILT:
        shutil.copy(os.path.join(REPO, name), str(folder))
    for name in ("mcplite", "examples", "tests"):
        shutil.copytree(os.path.join(REPO, name), str(folder / name), ignore=shutil.ignore_patterns("__pycache__", ".*", "lab"))
    return folder


def setuptools_major():
    try:
        import setuptools
    except ImportError:
        return 0
    return int(setuptools.__version__.split(".")[0])


@pytest.fixture(scope="module")
def built(source):
    """(wheel, sdist), built once."""
    if find_spec("build") is None:
        pytest.skip("the build tool is not installed (dev extra)")
    isolated = [] if find_spec("wheel") is None or setuptools_major() < 64 else ["--no-isolation"]
    done = subprocess.run([sys.executable, "-m", "build"] + isolated, cwd=str(source), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=300, env=environment(PYTHONPATH=""))
    text = done.stdout.decode("utf-8", "replace")
    if done.returncode and not isolated and re.search("No matching distribution|ConnectionError|NewConnectionError|ProxyError", text):
        pytest.skip("setuptools is not installed and there is no package index to take it from")
    assert done.returncode == 0, text[-2000:]
    names = sorted(os.listdir(str(source / "dist")))
    assert len(names) == 2
    return str(source / "dist" / names[0]), str(source / "dist" / names[1])


def names_in(wheel):
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


def metadata_of(wheel):
    with zipfile.ZipFile(wheel) as archive:
        name = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return email.message_from_string(archive.read(name).decode("utf-8"))


# What setup.cfg says


def test_the_version_is_one_literal():
    found = []
    for folder, _, names in os.walk(os.path.join(REPO, "mcplite")):
        for name in names:
            if name.endswith(".py"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    tree = ast.parse(file.read())
                found += [name for node in ast.walk(tree) if isinstance(node, ast.Constant) and node.value == version_literal()]
    assert found == ["errors.py"]
    config = setup_cfg()
    assert config["metadata"]["version"] == "attr: mcplite.errors.VERSION"


def test_typing_extensions_is_the_only_requirement():
    config = setup_cfg()
    assert config["options"]["install_requires"].split() == ["typing-extensions", ">=", "4.7"]


def test_typing_extensions_is_not_loaded_by_a_server_that_does_not_use_it():
    code = ("import sys; from mcplite import Server; s = Server('x')\n@s.tool\ndef t(a: int, b: str = 'x') -> dict:\n    return {}\n"
            "import mcplite.schema, mcplite.content, mcplite.testing\nfrom mcplite import Client\n"
            "print(sorted({'typing_extensions', 'asyncio', 'logging', 'importlib.metadata', 'pkg_resources'} & set(sys.modules)))")
    done = subprocess.run([sys.executable, "-S", "-c", code], stdout=subprocess.PIPE, timeout=60, env=environment())
    assert done.stdout.decode().strip() == "[]"


def test_the_function_of_the_console_script_loads_nothing_slow():
    """pip's script around it may: many versions write one that imports re, some 6 ms (docs/running-everywhere.md)."""
    target = setup_cfg()["options.entry_points"]["console_scripts"].split("=")[1].strip()
    module, function = target.split(":")
    code = ("import sys; from %s import %s; print(sorted({'re', 'json', 'typing', 'argparse', 'enum', 'subprocess', 'inspect', "
            "'collections', 'functools'} & set(sys.modules)))" % (module, function))
    done = subprocess.run([sys.executable, "-S", "-c", code], stdout=subprocess.PIPE, timeout=60, env=environment())
    assert done.stdout.decode().strip() == "[]"


# What was built


def test_the_wheel_holds_the_package_and_nothing_else(built):
    ours = []
    for folder, _, names in os.walk(os.path.join(REPO, "mcplite")):
        ours += [os.path.relpath(os.path.join(folder, name), REPO).replace(os.sep, "/") for name in names
                 if name.endswith(".py") or name == "py.typed"]
    ours += ["mcplite/examples/" + name for name in os.listdir(os.path.join(REPO, "examples")) if name.endswith(".py")]
    names = names_in(built[0])
    assert sorted(name for name in names if ".dist-info/" not in name) == sorted(ours)
    assert "mcplite/py.typed" in names and not [name for name in names if "test_" in name or name.startswith("tests")]
    licences = [name for name in names if name.endswith("LICENSE")]
    assert len(licences) == 1 and os.path.basename(built[0]) == "mcplite-%s-py3-none-any.whl" % version_literal()


def test_the_metadata_of_the_wheel(built):
    found = metadata_of(built[0])
    assert (found["Name"], found["Version"], found["Requires-Python"]) == ("mcplite", version_literal(), ">=3.8")
    needed = [line for line in found.get_all("Requires-Dist") if "extra" not in line]
    assert [line.replace(" ", "").replace("(", "").replace(")", "") for line in needed] == ["typing-extensions>=4.7"]
    with open(os.path.join(REPO, "README.md"), encoding="utf-8") as file:
        assert found.get_payload().strip() == file.read().strip()


def test_the_entry_point_of_the_wheel(built):
    with zipfile.ZipFile(built[0]) as archive:
        name = next(name for name in archive.namelist() if name.endswith("entry_points.txt"))
        assert archive.read(name).decode().split() == ["[console_scripts]", "mcplite", "=", "mcplite.cli.main:cli_main"]


def test_the_sdist_builds_the_same_wheel(built):
    with tarfile.open(built[1]) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
    assert set(BUILT) <= names
    wheel = {name for name in names_in(built[0]) if ".dist-info/" not in name}
    assert {re.sub("^mcplite/examples/", "examples/", name) for name in wheel} <= names
    assert not [name for name in names if name.endswith(".pyc")]


def test_the_index_would_take_both(built):
    if find_spec("twine") is None:
        pytest.skip("twine is not installed (dev extra)")
    assert run(sys.executable, "-m", "twine", "--no-color", "check", "--strict", *built).count("PASSED") == 2


# Fresh environments


PYTHONS = ["3.8", "3.13"]


def find_python(version):
    from matrix import Missing, find_cpython

    try:
        return find_cpython(version)
    except Missing as reason:
        pytest.skip(str(reason))


def files_under(folder):
    return {os.path.relpath(os.path.join(place, name), folder) for place, _, names in os.walk(folder) for name in names}


@pytest.mark.slow
@pytest.mark.parametrize("kind", [0, 1], ids=["wheel", "sdist"])
@pytest.mark.parametrize("version", PYTHONS)
def test_a_clean_install_works_and_goes_without_a_trace(built, tmp_path, version, kind):
    folder = str(tmp_path / "env")
    run(find_python(version), "-m", "venv", folder)
    python, pip = os.path.join(folder, "bin", "python"), [os.path.join(folder, "bin", "python"), "-m", "pip"]
    run(*pip, "install", "-q", "typing-extensions>=4.7", "--disable-pip-version-check")
    run(*pip, "list")                                   # whatever pip compiles on its first uses is there now
    before = {name for name in files_under(folder) if not name.endswith(".pyc")}
    run(*pip, "install", "-q", "--disable-pip-version-check", built[kind])
    assert run(*pip, "check").strip() == "No broken requirements found."
    ready = environment(PYTHONPATH="")
    assert run(os.path.join(folder, "bin", "mcplite"), "--version", env=ready, cwd=str(tmp_path)) == "mcplite %s\n" % version_literal()
    assert run(python, "-m", "mcplite", "--version", env=ready, cwd=str(tmp_path)) == "mcplite %s\n" % version_literal()
    shown = run(os.path.join(folder, "bin", "mcplite"), "demo", env=ready, cwd=str(tmp_path))
    assert "tools/call" in shown and "Traceback" not in shown
    run(*pip, "uninstall", "-q", "-y", "mcplite")
    after = {name for name in files_under(folder) if not name.endswith(".pyc")}
    assert after == before
    assert not [name for name in files_under(folder) if "mcplite" in name]


@pytest.mark.slow
def test_installed_types_are_seen_by_a_type_checker(built, tmp_path):
    """py.typed does its work: mypy follows the installed package."""
    pytest.importorskip("mypy")
    folder = str(tmp_path / "site")
    run(sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--disable-pip-version-check", "--target", folder, built[0])
    (tmp_path / "use.py").write_text("from mcplite import Server\nserver = Server('x')\nreveal_type(server)\nServer(1)\n")
    done = subprocess.run([sys.executable, "-m", "mypy", "--no-incremental", "--strict", "use.py"], cwd=str(tmp_path),
                          stdout=subprocess.PIPE, timeout=300, env=environment(PYTHONPATH="", MYPYPATH=folder))
    text = done.stdout.decode()
    assert "mcplite.server.Server" in text and 'Argument 1 to "Server" has incompatible type "int"' in text
