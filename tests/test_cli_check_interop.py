"""`mcplite check` against servers that nobody here wrote: no errors, unless they are wrong by the specification.

Slow, and in need of the environments of tests/interop/environments.py: `make interop` makes them. A server that is not
installed skips its test and says why.
"""
from __future__ import annotations

import json
import os
import sys

import pytest
from harness import REPO

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "interop"))
import environments

from mcplite.cli.main import cli_main

pytestmark = [pytest.mark.slow, pytest.mark.interop]
SERVERS = {
    "server-everything": [], "server-filesystem": ["{folder}"], "server-memory": [], "server-sequential-thinking": [],
    "server-time": [], "server-git": ["--repository", "{repo}"], "py2": [os.path.join(REPO, "tests", "fake_servers", "official_py2.py")],
}


@pytest.mark.parametrize("name", SERVERS)
def test_no_errors(name, tmp_path, capsys):
    reason = environments.missing(name)
    if reason:
        pytest.skip(reason)
    words = [word.format(folder=tmp_path, repo=REPO) for word in SERVERS[name]]
    options = ["--json", "--env", "MEMORY_FILE_PATH=%s" % (tmp_path / "memory.json")]
    status = cli_main(["check", *options, "--", environments.program(name), *words])
    report = json.loads(capsys.readouterr().out)
    errors = [finding for finding in report["findings"] if finding["severity"] == "error"]
    assert (status, errors) == (0, [])
    assert "2025-11-25" in report["revisions"]
    assert sum(1 for row in report["checks"] if row["outcome"] == "passed") > 35
