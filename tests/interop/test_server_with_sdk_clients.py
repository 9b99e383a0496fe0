"""examples/inventory.py, driven through every feature by the official SDK clients, each step compared by exact value.

Slow, and in need of the environments that environments.py makes: `make interop` runs both. A peer that is not
installed skips its tests and says why.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest

from . import environments, scenarios

pytestmark = [pytest.mark.slow, pytest.mark.interop]

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(os.path.dirname(HERE))
MODERN = "2026-07-28"
HANDSHAKE = "2025-11-25"

# Which program drives, in which mode, and which revision must come of it. The TypeScript clients lose progress that
# arrives just before its result, so only the Python ones are asked to see the last one.
DRIVERS = {
    "py1": ("py1", "drive_py1.py", "legacy", HANDSHAKE),
    "py2-legacy": ("py2", "drive_py2.py", "legacy", HANDSHAKE),
    "py2-auto": ("py2", "drive_py2.py", "auto", MODERN),
    "py2-pinned": ("py2", "drive_py2.py", MODERN, MODERN),
    "ts1": ("ts1", "drive_ts1.mjs", "legacy", HANDSHAKE),
    "ts2-legacy": ("ts2", "drive_ts2.mjs", "legacy", HANDSHAKE),
    "ts2-auto": ("ts2", "drive_ts2.mjs", "auto", MODERN),
    "ts2-pinned": ("ts2", "drive_ts2.mjs", MODERN, MODERN),
}


def server_environment():
    """The variables that a spawned server needs to find mcplite, whatever allow list its client has."""
    return {"PYTHONPATH": os.environ.get("MCPLITE_SERVER_PATH", REPOSITORY)}


def server_command(*arguments):
    """The command line of a Python server."""
    return [os.environ.get("MCPLITE_SERVER_PYTHON", sys.executable)] + list(arguments)


def inventory(folder):
    """The command line of the inventory server, with its shop in a folder."""
    return server_command(os.path.join(REPOSITORY, "examples", "inventory.py"), os.path.join(str(folder), "shop.db"))


def drive(driver, steps, command, folder):
    """Run one driver over these steps; gives back its report."""
    peer, script, mode, _ = DRIVERS[driver]
    reason = environments.missing(peer)
    if reason:
        pytest.skip(reason)
    scenario = os.path.join(str(folder), "scenario.json")
    with open(scenario, "w", encoding="utf-8") as file:
        json.dump({"mode": mode, "env": server_environment(), "steps": steps}, file)
    for name in (script, "drive_common" + os.path.splitext(script)[1]):
        shutil.copy(os.path.join(HERE, name), environments.home(peer))  # node finds the SDK only from there
    done = subprocess.run(
        [environments.program(peer), os.path.join(environments.home(peer), script), scenario] + command,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=90,
        env=environments.quiet_environment(),
    )
    assert done.stdout, "the driver %s wrote nothing: %s" % (script, done.stderr.decode("utf-8", "replace"))
    return json.loads(done.stdout.decode("utf-8"))


def on_the_wire(result):
    """A result without what 2026-07-28 adds to every one, and without isError false, which Python SDKs fill in."""
    added = ("_meta", "resultType", "ttlMs", "cacheScope") + (() if result.get("isError") else ("isError",))
    return {name: value for name, value in result.items() if name not in added}


def differences(expected, outcome):
    """What is wrong with the outcome of one step: a list of sentences."""
    wrong = []
    if "result" in expected:
        result = on_the_wire(outcome.get("result") or {}) if "result" in outcome else outcome.get("error")
        if result != expected["result"]:
            wrong.append("gave %s instead of %s" % (json.dumps(result), json.dumps(expected["result"])))
    elif "error" in expected:  # its code and data; the words are for people
        error = outcome.get("error") or {}
        if dict(expected["error"], message=error.get("message")) != error or not error["message"]:
            wrong.append("gave %s instead of the error %s" % (json.dumps(outcome), json.dumps(expected["error"])))
    elif "code" in expected:
        if outcome.get("error", {}).get("code") != expected["code"]:
            wrong.append("gave %s instead of an error %d" % (json.dumps(outcome), expected["code"]))
    elif "refused" in expected:
        result = outcome.get("result") or {}
        words = (result.get("content") or [{}])[0].get("text", "")
        if result.get("isError") is not True or not all(part in words for part in expected["refused"]):
            wrong.append("gave %s instead of a tool error about %s" % (json.dumps(outcome), expected["refused"]))
    elif "refers" in expected:
        words = (outcome.get("result", {}).get("content") or [{}])[0].get("text", "")
        if not words.startswith(expected["refers"]):
            wrong.append("gave %s instead of %r..." % (json.dumps(outcome), expected["refers"]))
    if outcome["events"] != expected.get("events", {}):
        wrong.append("brought the events %s instead of %s" % (
            json.dumps(outcome["events"]), json.dumps(expected.get("events", {}))))
    questions = expected.get("questions", [])
    asked = [asked_for(question, wanted) for question, wanted in zip(outcome["questions"], questions)]
    if asked != questions or len(outcome["questions"]) != len(questions):
        wrong.append("asked %s instead of %s" % (json.dumps(outcome["questions"]), json.dumps(questions)))
    return wrong


def asked_for(question, wanted):
    """A question of the report, reduced to the members that are compared."""
    flat = dict(question["params"], method=question["method"])
    return {name: flat.get(name) for name in wanted}


def check(driver, scenario, command, folder):
    """Run a scenario and demand that every step gave what it must, and that the server was quiet and left in time."""
    rows = [(dict(step, name=name), expected) for name, step, expected in scenario]
    report = drive(driver, [step for step, _ in rows], command, folder)
    assert report.get("failed") is None, report
    wrong = []
    for step, expected in rows:
        sentences = differences(expected, report["steps"][step["name"]])
        wrong += ["%s: %s" % (step["name"], sentence) for sentence in sentences]
    assert wrong == [], "\n".join(wrong)
    assert report["stderr"] == ""
    assert report["closed_in_time"] is True
    return report


@pytest.fixture(params=sorted(DRIVERS))
def driver(request):
    """Each driver in turn."""
    return request.param


def is_modern(driver):
    return DRIVERS[driver][3] == MODERN


def not_found(driver):
    """The code for an unknown resource: -32602 in 2026-07-28; the TypeScript SDK 2.x makes it so in every revision."""
    return -32602 if is_modern(driver) or DRIVERS[driver][0] == "ts2" else -32002


def sees_last_progress(driver):
    return DRIVERS[driver][0].startswith("py")


def test_connecting_tells_who_the_server_is(driver, tmp_path):
    report = check(driver, [], inventory(tmp_path), tmp_path)
    changes = {"listChanged": True}
    expected = {
        "protocolVersion": DRIVERS[driver][3],
        "serverInfo": {"name": "inventory", "title": "Shop inventory", "version": "1.0.0"},
        "instructions": "Look a product up with check_inventory before you order it with place_order.",
        "capabilities": {"tools": changes, "prompts": changes, "resources": dict(changes, subscribe=True),
                         "logging": {}, "completions": {}},
    }
    if driver == "py2-pinned":  # it asks nothing before the first real request
        expected = {"protocolVersion": MODERN, "capabilities": {}}
    assert on_the_wire(report["connect"]) == expected


def test_lists_calls_reads_prompts_and_completion(driver, tmp_path):
    check(driver, scenarios.lists_and_reads(is_modern(driver), not_found(driver)), inventory(tmp_path), tmp_path)


def test_logs_progress_updates_list_changes_and_cancellation(driver, tmp_path):
    check(driver, scenarios.changes(is_modern(driver), sees_last_progress(driver)), inventory(tmp_path), tmp_path)


def test_questions_to_the_client(driver, tmp_path):
    prices = tmp_path / "prices"
    prices.mkdir()
    for name in ("spring.csv", "autumn.csv", "notes.txt"):
        (prices / name).write_text("sku,price\n", encoding="utf-8")
    scenario = scenarios.questions(is_modern(driver), not_found(driver), prices.as_uri())
    check(driver, scenario, inventory(tmp_path), tmp_path)
