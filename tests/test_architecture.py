"""docs/architecture.md: the picture is what the imports say, and every function that the page names is there."""
import importlib
import os
import re
import subprocess
import sys

import pytest
from harness import REPO

PAGE = os.path.join(REPO, "docs", "architecture.md")

with open(PAGE, encoding="utf-8") as file:
    TEXT = file.read()

NAMED = sorted(set(re.findall(r"`((?:\w+\.)+\w+)`", TEXT)))


def test_the_picture_is_what_the_imports_say():
    done = subprocess.run([sys.executable, os.path.join(REPO, "docs", "draw_architecture.py"), "--check"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=60)
    assert done.returncode == 0, (done.stdout + done.stderr).decode()


def test_the_page_names_functions():
    assert len(NAMED) > 12


@pytest.mark.parametrize("name", [name for name in NAMED if not name.endswith((".py", ".svg", ".md"))])
def test_every_function_of_the_page_is_there(name):
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found = importlib.import_module("mcplite." + ".".join(parts[:length]))
            break
        except ImportError:
            continue
    for part in parts[length:]:
        found = getattr(found, part)


def test_every_file_of_the_page_is_there():
    for path in re.findall(r"`((?:docs|tests|mcplite)/[\w/.]*)`", TEXT):
        assert os.path.exists(os.path.join(REPO, path)), path
