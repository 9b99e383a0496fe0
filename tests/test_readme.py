"""What is documented runs: the README's and the docs' blocks, the targets and modules they name."""
import glob
import os
import re
import subprocess
import sys

import pytest
from harness import REPO, environment

PAGES = [os.path.join(REPO, "README.md")] + sorted(glob.glob(os.path.join(REPO, "docs", "*.md")))


def blocks(language):
    found = []
    for page in PAGES:
        with open(page, encoding="utf-8") as file:
            text = file.read()
        for number, match in enumerate(re.finditer(r"^```%s\n(.*?)^```$" % language, text, re.M | re.S), 1):
            found.append(pytest.param(match.group(1), id="%s-%d" % (os.path.basename(page), number)))
    return found


def test_there_are_blocks():
    assert len(blocks("python")) >= 2 and len(blocks("sh")) >= 1


@pytest.mark.parametrize("source", blocks("python"))
def test_a_python_block_runs(source, tmp_path):
    path = tmp_path / "block.py"
    path.write_text(source, encoding="utf-8")
    done = subprocess.run([sys.executable, str(path)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=environment(), timeout=60, cwd=str(tmp_path))
    assert (done.returncode, done.stderr.decode()) == (0, "")


def commands(source):
    return [line.split("#")[0].strip() for line in source.replace("\\\n", " ").splitlines() if line.split("#")[0].strip()]


@pytest.fixture(scope="module")
def workplace(tmp_path_factory):
    """A folder with the examples, and a PATH on which `mcplite` and `python` are the ones under test."""
    folder = tmp_path_factory.mktemp("workplace")
    (folder / "examples").symlink_to(os.path.join(REPO, "examples"))
    (folder / "bin").mkdir()
    for name, words in (("mcplite", "-m mcplite"), ("python", "")):
        path = folder / "bin" / name
        path.write_text('#!/bin/sh\nexec "%s" %s "$@"\n' % (sys.executable, words), encoding="utf-8")
        path.chmod(0o755)
    return folder


@pytest.mark.parametrize("source", blocks("sh"))
def test_a_shell_block_does_what_it_says(source, workplace):
    """`make` targets must exist; `mcplite` commands run, one after the other, in one folder."""
    with open(os.path.join(REPO, "Makefile"), encoding="utf-8") as file:
        targets = set(re.findall(r"^([a-z]+):", file.read(), re.M))
    env = environment(PATH="%s%s%s" % (workplace / "bin", os.pathsep, os.environ["PATH"]))
    for command in commands(source):
        words = command.split()
        if words[0] == "make":
            assert targets.issuperset(words[1:]), command
        elif words[0] == "mcplite":
            done = subprocess.run(command, shell=True, cwd=str(workplace), env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, timeout=120)
            assert done.returncode == 0, "%s: %s%s" % (command, done.stdout.decode(), done.stderr.decode())


def test_a_bare_checkout_needs_one_line(tmp_path):
    """The README's `export`, then the first command, on a Python without installed packages."""
    with open(PAGES[0], encoding="utf-8") as file:
        text = file.read()
    export = re.search("`(export PYTHONPATH=.*?)`", text).group(1)
    command = re.search("^mcplite (tools .*)$", text, re.M).group(1)
    path = tmp_path / "python"
    path.write_text('#!/bin/sh\nexec "%s" -S "$@"\n' % sys.executable, encoding="utf-8")
    path.chmod(0o755)
    env = environment(PATH="%s%s%s" % (tmp_path, os.pathsep, os.environ["PATH"]), PYTHONPATH="")
    done = subprocess.run("%s; python -m mcplite %s" % (export, command), shell=True, cwd=REPO, env=env, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    assert (done.returncode, done.stderr.decode()) == (0, "")
    assert done.stdout.startswith(b"TOOL ")


def test_make_demo_runs_without_installing_anything():
    done = subprocess.run(["make", "-s", "demo", "PYTHON=" + sys.executable], cwd=REPO, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, env=environment(), timeout=120)
    assert done.returncode == 0, done.stderr.decode()
    text = done.stdout.decode("utf-8")
    for method in ("initialize", "tools/call", "resources/read", "prompts/get", "completion/complete", "notifications/message"):
        assert method in text


def test_the_readme_lists_the_modules_that_exist():
    with open(PAGES[0], encoding="utf-8") as file:
        named = set(re.findall(r"^\| (`.*?) \|", file.read().split("## How it is built")[1], re.M))
    named = {name for cell in named for name in re.findall(r"`(\w+)`", cell)}
    folder = os.path.join(REPO, "mcplite")
    there = {name[:-3] for name in os.listdir(folder) if name.endswith(".py")}
    there |= {name for name in os.listdir(folder) if os.path.exists(os.path.join(folder, name, "__init__.py"))}
    there = {name for name in there if not name.startswith("__") and name.split("_")[0] not in {other for other in there if other != name}}
    assert named == there
