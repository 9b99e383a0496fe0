"""What the Python drivers share: recording what arrives, walking through the steps, the report.

A driver is a small program that runs in a peer's own interpreter:

    python drive_py1.py SCENARIO.json COMMAND ARGUMENT...

It starts the server with the peer's official client, does the scenario's steps in order and prints one JSON report.
It judges nothing: the report says what the SDK handed over, and the test that started the driver compares.

The scenario is {"mode": ..., "env": {...}, "steps": [step, ...]}. A step has a unique "name", a verb "do", the verb's
own members, and optionally "events" (how many notifications to wait for after it) and "answers"
({method: [result, ...]}, handed out in order to the questions that the server asks during the step).

The report is {"connect": ..., "steps": {name: {"result" or "error", "events", "questions"}}, "stderr": ...}: results as
they were on the wire (members without a value left out), events as {method: [params, ...]}.

Python 3.10 and newer, as the SDKs themselves.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time

import anyio

EVENT_PATIENCE = 5.0  # seconds to wait for the events that a step is to bring
STEP_PATIENCE = 10.0  # seconds to wait for a step
WHOLE_PATIENCE = 60.0  # seconds for everything


def plain(model):
    """A pydantic model as the JSON that was on the wire."""
    return model.model_dump(by_alias=True, mode="json", exclude_none=True)


class Recorder:
    """What the server sent by itself, and the answers it gets."""

    def __init__(self):
        self.events, self.questions, self.answers = {}, [], {}

    def event(self, method, params):
        """Keep one notification, without its _meta."""
        params = {key: value for key, value in (params or {}).items() if key != "_meta"}
        self.events.setdefault(method, []).append(params)

    def answer(self, method, params):
        """Keep one question, and give back the next answer that the step has for it."""
        params = {key: value for key, value in (params or {}).items() if key != "_meta"}
        self.questions.append({"method": method, "params": params})
        return self.answers[method].pop(0)

    async def wait_for(self, count):
        """Wait until that many events are there."""
        deadline = time.monotonic() + EVENT_PATIENCE
        while sum(map(len, self.events.values())) < count and time.monotonic() < deadline:
            await anyio.sleep(0.01)

    async def progress(self, progress, total, message):
        """The SDKs' progress callback."""
        params = {"progress": progress, "total": total, "message": message}
        self.event("notifications/progress", {key: value for key, value in params.items() if value is not None})


async def do_step(verbs, recorder, step):
    """One step; gives back its part of the report."""
    recorder.events, recorder.questions = {}, []
    recorder.answers = step.get("answers", {})
    outcome = {}
    try:
        with anyio.fail_after(STEP_PATIENCE):
            outcome["result"] = await getattr(verbs, step["do"])(step)
    except verbs.protocol_error as problem:
        outcome["error"] = verbs.error_of(problem)
    except Exception as problem:  # the SDK refused what the server sent
        outcome["error"] = {"raised": type(problem).__name__, "text": str(problem)}
    await recorder.wait_for(step.get("events", 0))
    outcome["events"], outcome["questions"] = recorder.events, recorder.questions
    return outcome


def main(drive):
    """Run `drive(scenario, command, recorder, errlog, report)`, which connects and does the steps; print the report."""
    with open(sys.argv[1], encoding="utf-8") as file:
        scenario = json.load(file)
    report = {"steps": {}}

    async def bounded(errlog):
        with anyio.fail_after(WHOLE_PATIENCE):
            await drive(scenario, sys.argv[2:], Recorder(), errlog, report)

    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as errlog:
        try:
            anyio.run(bounded, errlog)
        except BaseException as problem:  # printed below with all that was done before it
            while getattr(problem, "exceptions", None):
                problem = problem.exceptions[0]
            report["failed"] = "%s: %s" % (type(problem).__name__, problem)
        errlog.seek(0)
        report["stderr"] = errlog.read()
    print(json.dumps(report))
