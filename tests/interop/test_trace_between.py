"""`mcplite trace` between a real host and a server changes no byte: what one tap sees before it, another sees behind it.

Slow, and in need of the environments that environments.py makes. A peer that is not installed skips its tests and says why.
"""

from __future__ import annotations

import glob
import os
import subprocess
import sys

import pytest
from trace_helpers import raw_lines

from mcplite.cli.trace.conversation import understand
from mcplite.cli.trace.page import session_page
from mcplite.cli.trace.reading import parse_trace

from . import environments, scenarios
from .driving import DRIVERS, REPOSITORY, drive, inventory, is_modern, named_steps, not_found, server_environment

pytestmark = [pytest.mark.slow, pytest.mark.interop,
              pytest.mark.skipif(os.name == "nt", reason="the taps need POSIX signals")]
TAP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "byte_tap.py")


def tapped(folder, command, *options):
    """The command line of a server behind tap, trace and tap."""
    trace = [sys.executable, "-m", "mcplite", "trace", "-o", os.path.join("{folder}", "recording"), "--no-mask", *options]
    return ([sys.executable, TAP, "outer", str(folder), "--"] + trace
            + ["--", sys.executable, TAP, "inner", "{folder}", "--"] + command)


def read(folder, name):
    with open(os.path.join(folder, name), "rb") as file:
        return file.read()


def check_taps(folder):
    """Every session in `folder` passed and was recorded unchanged; gives back their conversations."""
    sessions = sorted(glob.glob(os.path.join(str(folder), "process-*")))
    assert sessions
    conversations = []
    for session in sessions:
        assert read(session, "outer.in") == read(session, "inner.in")
        assert read(session, "outer.out") == read(session, "inner.out")
        recorded = raw_lines(os.path.join(session, "recording"))
        assert (recorded["host"], recorded["server"]) == (read(session, "outer.in"), read(session, "outer.out"))
        (parsed,) = parse_trace(read(session, "recording"))
        session_page(parsed)
        conversations.append(understand(parsed))
    return conversations


@pytest.fixture
def taps(tmp_path):
    folder = tmp_path / "taps"
    folder.mkdir()
    return folder


CURRENT = [driver for driver in sorted(DRIVERS) if not driver[-1].isdigit() or driver in ("py1", "ts1")]
THREADED = ("py1", "ts2-auto")


@pytest.mark.parametrize("driver, options", [(name, ()) for name in CURRENT] + [(name, ("--threads",)) for name in THREADED])
def test_no_byte_changes_between_an_sdk_and_a_server(driver, options, taps, tmp_path):
    steps = scenarios.lists_and_reads(is_modern(driver), not_found(driver))
    report = drive(driver, named_steps(steps), tapped(taps, inventory(tmp_path), *options), tmp_path)
    assert report.get("failed") is None and len(report["steps"]) == len(steps)
    for conversation in check_taps(taps):
        assert [entry for entry in conversation.entries if entry["kind"] in ("junk", "invalid")] == []
        assert conversation.unanswered() == []


@pytest.mark.parametrize("driver", ["py2-auto", "ts2-auto", "py1", "ts1"])
def test_questions_are_seen(driver, taps, tmp_path):
    prices = tmp_path / "prices"
    prices.mkdir()
    for name in ("spring.csv", "autumn.csv", "notes.txt"):
        (prices / name).write_text("sku,price\n", encoding="utf-8")
    steps = scenarios.questions(is_modern(driver), not_found(driver), prices.as_uri())
    report = drive(driver, named_steps(steps), tapped(taps, inventory(tmp_path)), tmp_path)
    assert report.get("failed") is None
    entries = [entry for conversation in check_taps(taps) for entry in conversation.entries]
    if is_modern(driver):
        assert max(entry.get("round", 0) for entry in entries) >= 2
    else:
        assert [entry for entry in entries if entry.get("method") == "elicitation/create" and entry["depth"] == 1]


@pytest.mark.parametrize("server", ["server-everything", "server-filesystem", "server-memory", "server-time", "server-git"])
def test_no_byte_changes_between_the_inspector_and_other_servers(server, taps, tmp_path):
    for peer in ("inspector", server):
        reason = environments.missing(peer)
        if reason:
            pytest.skip(reason)
    words = {"server-filesystem": [str(tmp_path)]}.get(server, [])
    command = [environments.program("inspector"), "--cli", "-q", "--format", "json", "--method", "tools/list",
               "-e", "PYTHONPATH=" + server_environment().get("PYTHONPATH", REPOSITORY)]
    done = subprocess.run(
        command + ["--"] + tapped(taps, [environments.program(server)] + words), stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=90,
        env=dict(environments.quiet_environment(), HOME=str(tmp_path)))
    assert done.returncode == 0, done.stderr
    methods = {entry.get("method") for conversation in check_taps(taps) for entry in conversation.entries}
    assert "tools/list" in methods
