"""Running a server under the drivers, and comparing what they report with what a scenario expects.

What lives here: which driver runs in which mode, how it is started, the comparison. What must not: what a particular
server is to do (scenarios.py and the tests).
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest

from . import environments, scenarios

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(os.path.dirname(HERE))
MODERN = "2026-07-28"
HANDSHAKE = "2025-11-25"

# Which program drives, in which mode, and which revision must come of it.
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
for old in ("2024-11-05", "2025-03-26", "2025-06-18"):
    DRIVERS["py1-" + old] = ("py1", "drive_py1.py", old, old)
    DRIVERS["ts2-" + old] = ("ts2", "drive_ts2.mjs", old, old)


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


def named_steps(scenario):
    """The steps of a scenario as a driver wants them."""
    return [dict(step, name=name) for name, step, _ in scenario]


def check_steps(driver, scenario, report):
    """Demand that the report of a driver holds what it must for each step of this scenario."""
    assert report.get("failed") is None, report
    wrong = []
    for name, _, expected in scenario:
        sentences = differences(scenarios.as_in(DRIVERS[driver][3], expected), report["steps"][name])
        wrong += ["%s: %s" % (name, sentence) for sentence in sentences]
    assert wrong == [], "\n".join(wrong)


def asked_for(question, wanted):
    """A question of the report, reduced to the members that are compared."""
    flat = dict(question["params"], method=question["method"])
    return {name: flat.get(name) for name in wanted}


def check(driver, scenario, command, folder, complaint=""):
    """Run a scenario; demand that every step gave what it must, and that the server left in time.

    On standard error it must have been quiet, or have said nothing after the one traceback that ends in `complaint`.
    """
    report = drive(driver, named_steps(scenario), command, folder)
    check_steps(driver, scenario, report)
    said = report["stderr"].splitlines()
    assert (said[-1:], len([line for line in said if line.startswith("Traceback")])) == (
        ([complaint], 1) if complaint else ([], 0)), report["stderr"]
    assert report["closed_in_time"] is True
    return report


def is_modern(driver):
    """Whether a driver's connection speaks 2026-07-28."""
    return DRIVERS[driver][3] == MODERN


def not_found(driver):
    """The code for an unknown resource: -32602 in 2026-07-28; the TypeScript SDK 2.x makes it so in every revision."""
    return -32602 if is_modern(driver) or DRIVERS[driver][0] == "ts2" else -32002


def sees_last_progress(driver):
    """Whether a driver sees progress that arrives just before its result; the TypeScript clients lose it."""
    return DRIVERS[driver][0].startswith("py")
