"""What only the handshake revisions have: initialize in all its forms, ping, logging/setLevel, subscriptions, batches,
the end.

Here: opening a lane by handshake, the short lanes (other dates, an unknown date, the end of input at once). Not
here: the steps that both eras share (`steps`).

Pages: basic/lifecycle, basic/utilities/ping, server/utilities/logging, server/resources ("Subscriptions"), basic
("Batching", 2025-03-26).
"""

from __future__ import annotations

import os

from ...codec import encode
from ...revisions import HANDSHAKE_DATES, REVISIONS
from ...stdio import monotonic
from .lane import TRACEBACK_HEAD, CheckLane, CheckSettings, LaneOver
from .steps import SHARED_STEPS, ServerFacts, refusal, request_line, run_check_steps, try_lists
from .table import shorten_evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .lane import PendingAsk
    from .steps import CheckStep
    from .table import Findings

UNKNOWN_DATE = "2099-01-01"
SLOW_START, VERY_SLOW_START = 2.0, 5.0


def initialize_params(date: str) -> dict[str, Any]:
    return {"protocolVersion": date, "capabilities": {}, "clientInfo": {"name": "mcplite check", "version": "1"}}


def shake_hands_with(lane: CheckLane, facts: ServerFacts, date: str, request_id: Any = 1) -> PendingAsk:
    """Send initialize; from its answer on, the lane speaks the revision that was agreed upon."""
    lane.number = max(lane.number, 1)
    asked = lane.expect(request_id, "initialize", initialize_params(date))
    lane.send_line(
        encode({"jsonrpc": "2.0", "id": request_id, "method": "initialize", "params": initialize_params(date)}).encode()
    )
    lane.wait_for(asked, lane.settings.start_timeout)
    result = asked.result()
    if result is not None:
        facts.spoke = True
        version, capabilities, info = (result.get(name) for name in ("protocolVersion", "capabilities", "serverInfo"))
        lane.capabilities = capabilities if isinstance(capabilities, dict) else None
        if isinstance(info, dict) and not facts.name:
            facts.name, facts.version = str(info.get("name", "")), str(info.get("version", ""))
        if date in REVISIONS and isinstance(version, str):
            facts.agreed[date] = version
        if version in HANDSHAKE_DATES:
            lane.date, lane.row = version, REVISIONS[version]
            if version not in facts.revisions:
                facts.revisions.append(version)
    elif asked.answer is not None:
        facts.spoke = True
    return asked


def note_start(lane: CheckLane, facts: ServerFacts) -> None:
    """How long the server took to answer for the first time."""
    if facts.seconds is None and lane.answer_at is not None:
        lane.findings.tries("start-time")
        facts.seconds = lane.answer_at - lane.since
        if facts.seconds > SLOW_START:
            lane.report(
                "start-time",
                "the first answer comes after more than %g s"
                % (VERY_SLOW_START if facts.seconds > VERY_SLOW_START else SLOW_START),
                "%.1f s" % facts.seconds,
                None if facts.seconds > VERY_SLOW_START else "note",
            )


def try_handshake_lane(settings: CheckSettings, findings: Findings, facts: ServerFacts, date: str) -> bool:
    """The long lane: everything, in the newest handshake revision that is wanted. False when the server has no handshake."""
    lane = CheckLane(settings, findings, date)
    lane.trying("initialize", "initialize-result")
    try:
        asked = shake_hands_with(lane, facts, date)
    except LaneOver as over:
        facts.ending, facts.last_words = str(over), lane.child.read_tail()[-200:]
        lane.finish(judged=False)
        return False
    except BaseException:
        lane.finish(judged=False)
        raise
    note_start(lane, facts)
    if asked.result() is None:
        lane.finish(judged=False)
        return False
    judge_version(lane, asked, date)
    first = [lane]

    def open_lane() -> CheckLane | None:
        if first:
            return first.pop()
        again = CheckLane(settings, findings, date)
        try:
            if shake_hands_with(again, facts, date).result() is not None:
                again.notify("notifications/initialized")
                return again
        except LaneOver:
            pass
        again.finish(judged=False)
        return None

    run_check_steps(open_lane, HANDSHAKE_STEPS, facts)
    return True


def judge_version(lane: CheckLane, asked: PendingAsk, date: str) -> None:
    """The version that came back for `date`."""
    lane.findings.tries("version")
    version = (asked.result() or {}).get("protocolVersion")
    known = {one.evidence for one in lane.findings.found.values() if one.check.name == "version"}
    if (
        isinstance(version, str)
        and version not in HANDSHAKE_DATES
        and (date in REVISIONS or version == date or not known)
    ):
        lane.report(
            "version-unknown" if date == UNKNOWN_DATE else "version",
            "the version %s is answered, which no client knows" % shorten_evidence(version, 40)
            if version != date
            else "an unknown version is taken for known",
            asked.answer,
            None,
            "version-echo" if version == date else "",
        )


# -- steps


def try_before_initialized(lane: CheckLane, facts: ServerFacts) -> None:
    lane.trying("before-initialized", "ping")
    asked = lane.start_ask("ping")
    level = lane.start_ask("logging/setLevel", {"level": "warning"}) if "logging" in (lane.capabilities or {}) else None
    lane.notify("notifications/initialized")
    later = lane.ask("ping")
    if later.answer is None:
        lane.report_unanswered("ping", "ping is not answered within %g s" % lane.settings.timeout)
        lane.marker = "tools/list"
    elif later.code() is not None:
        lane.report("ping", "ping gets an error", later.answer)
    elif asked.answer is None or level is not None and level.answer is None:
        lane.settle()
        if asked.answer is None or level is not None and level.answer is None:
            lane.report(
                "before-initialized",
                "a request before notifications/initialized is not answered",
                request_line(lane, 2, "ping"),
            )
    if (later.result() or {}).keys() - {"_meta"}:
        lane.report("ping", "the result of ping is not empty", later.answer, None, "ping-result")
    lane.forget(asked, later, *([level] if level is not None else []))


def try_initialized(lane: CheckLane, facts: ServerFacts) -> None:
    """A host may say initialized again; nothing comes back."""
    lane.trying("notification-reply")
    lane.settle()


def try_log_level(lane: CheckLane, facts: ServerFacts) -> None:
    if "logging" not in (lane.capabilities or {}):
        return
    lane.trying("log-level", "declared-served")
    asked = lane.need("log-level", "logging/setLevel", {"level": "error"})
    if asked.code() == -32601:
        lane.report("declared-served", "logging is declared, but logging/setLevel gets an error", asked.answer)
        return
    if asked.code() is not None:
        lane.report("log-level", "logging/setLevel error gets an error", asked.answer)
    refusal(lane, "log-level", "logging/setLevel", {"level": "mcplite"}, "an unknown log level", (-32602,), "lenient-level")


def try_subscribe(lane: CheckLane, facts: ServerFacts) -> None:
    resources = (lane.capabilities or {}).get("resources")
    uri = next((entry["uri"] for entry in facts.listed("resources") if isinstance(entry.get("uri"), str)), None)
    if not isinstance(resources, dict) or resources.get("subscribe") is not True or uri is None:
        return
    lane.trying("subscribe")
    for method in ("resources/subscribe", "resources/unsubscribe"):
        asked = lane.need("subscribe", method, {"uri": uri})
        if asked.code() is not None:
            lane.report(
                "subscribe",
                "subscribe is declared, but %s gets an error" % method,
                asked.answer,
                None if asked.code() == -32601 else "warning",
            )


def try_batch(lane: CheckLane, facts: ServerFacts) -> None:
    """An array: two answers in one at 2025-03-26, an error (or nothing) elsewhere, and in any case the server goes on."""
    lane.trying("batch")
    first, second = lane.next_id(), lane.next_id()
    asks = [lane.expect(first, "ping"), lane.expect(second, "ping")]
    lane.no_id_allowed += 1
    lane.batch_open, lane.batch_reply = True, None
    lane.send_line(
        encode(
            [
                {"jsonrpc": "2.0", "id": first, "method": "ping"},
                {"jsonrpc": "2.0", "method": "notifications/mcplite"},
                {"jsonrpc": "2.0", "id": second, "method": "ping"},
            ]
        ).encode()
    )
    line = lane.last_sent
    marker = lane.ask(lane.marker)
    if marker.answer is None:
        raise LaneOver("the server answers nothing any more")
    lane.hear(lane.settings.grace_seconds)
    lane.batch_open, lane.no_id_allowed = False, 0
    if lane.row.batches and any(asked.answer is None for asked in asks):
        lane.report("batch", "a batch is not answered at 2025-03-26", line, None, "batch-unanswered")
    lane.strays = [pair for pair in lane.strays if pair[1] != "batch"]
    lane.forget(*asks)


HANDSHAKE_STEPS: tuple[CheckStep, ...] = (
    try_before_initialized,
    try_initialized,
    *SHARED_STEPS[:8],
    try_log_level,
    try_subscribe,
    *SHARED_STEPS[8:],
    try_batch,
)


# -- short lanes


def try_other_date(settings: CheckSettings, findings: Findings, facts: ServerFacts, date: str) -> None:
    """Shake hands with another date (with the id 0, as many clients do), list, and leave."""
    lane = CheckLane(settings, findings, date)
    steps: list[CheckStep] = [try_short_lists]
    if date == "2025-03-26":
        steps.append(try_batch)
    check = "version-unknown" if date not in REVISIONS else "version"
    lane.trying(check)
    try:
        asked = shake_hands_with(lane, facts, date, 0)
    except LaneOver as over:
        what = "%s at initialize with %s" % (over, date)
        lane.report(check, what, lane.child.read_tail()[-200:], None, "version-refused")
        lane.finish(judged=False)
        return
    except BaseException:
        lane.finish(judged=False)
        raise
    if asked.result() is None:
        lane.report(
            check,
            "initialize with %s %s" % (date, "gets an error" if asked.answer is not None else "is not answered"),
            asked.answer or lane.last_sent,
            None,
            "version-refused",
        )
        lane.finish(judged=False)
        return
    judge_version(lane, asked, date)
    lane.notify("notifications/initialized")
    first = [lane]
    run_check_steps(lambda: first.pop() if first else None, tuple(steps), facts)


def try_short_lists(lane: CheckLane, facts: ServerFacts) -> None:
    lane.trying("newer-members")
    try_lists(lane, ServerFacts([], False))


def judge_agreed(findings: Findings, facts: ServerFacts) -> None:
    """A date that the server answers at all must be answered when it is asked for."""
    for asked, version in facts.agreed.items():
        if version != asked and asked in facts.revisions:
            what = "%s is answered with %s, though the server has it" % (asked, version)
            findings.add("version", what, "", asked, None, "version-agreed")


def try_unknown_date(settings: CheckSettings, findings: Findings, facts: ServerFacts, date: str) -> None:
    """A version from the future; and then nobody reads any more."""
    findings.tries("version-unknown")
    lane = CheckLane(settings, findings, date)
    lane.trying("version-unknown")
    try:
        asked = shake_hands_with(lane, facts, UNKNOWN_DATE)
        if asked.result() is None:
            lane.report(
                "version-unknown",
                "initialize with an unknown version %s"
                % ("gets an error" if asked.answer is not None else "is not answered"),
                asked.answer or lane.last_sent,
            )
            return
        judge_version(lane, asked, UNKNOWN_DATE)
        lane.notify("notifications/initialized")
        lane.trying("reader-gone")
        judge_reader_gone(lane)
    except LaneOver as over:
        lane.report(lane.blame, "%s at initialize with an unknown version" % over, lane.last_sent, "error")
    finally:
        lane.finish(judged=False)


def judge_reader_gone(lane: CheckLane) -> None:
    """Close our end of the server's output, make it write, then end its input: it must end too, without a crash."""
    if os.name == "nt":
        return
    lane.child.channel.end_output(lane.child.process.stdout.close)
    lane.over = True
    lane.notify("notifications/mcplite/unknown")
    lane.send_line(request_line(lane, 3, "ping").encode())
    lane.child.channel.drain(0.2)
    lane.child.has_exited(0.2)
    lane.end_input()
    if not lane.child.has_exited(1.5 * lane.settings.exit_seconds):
        lane.report("reader-gone", "the server goes on running when nobody reads its output and its input has ended")
    elif TRACEBACK_HEAD in lane.child.read_tail() or (lane.child.process.returncode or 0) in CRASH_SIGNALS:
        what = "the server crashes when nobody reads its output"
        lane.report("reader-gone", what, lane.child.read_tail()[-200:], None, "reader-crash")


CRASH_SIGNALS = (-6, -11, -4, -7)  # abort, segmentation fault, illegal instruction, bus error


def try_early_end(settings: CheckSettings, findings: Findings, facts: ServerFacts, date: str) -> None:
    """End of input before a word is said; and right behind the first requests, which are still to be answered."""
    patience = 1.5 * settings.exit_seconds + 2 * (facts.seconds or 0)  # it may still be starting
    lane = CheckLane(settings, findings, date)
    try:
        lane.trying("exit-at-end", "exit-status")
        since = monotonic()
        lane.end_input()
        if lane.wait_exit(patience) is None:
            lane.report(
                "exit-at-end", "the server does not end when its input is empty", "%.1f s" % (monotonic() - since)
            )
    finally:
        lane.finish(judged=False)
    lane = CheckLane(settings, findings, date)
    try:
        lane.trying("last-answers")
        asks = [lane.expect(1, "initialize", initialize_params(date)), lane.expect(2, "ping")]
        lane.send_line(
            encode({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize_params(date)}).encode()
        )
        lane.notify("notifications/initialized")
        lane.send_line(request_line(lane, 2, "ping").encode())
        lane.end_input()
        lane.wait_exit(patience)
        if any(asked.answer is None for asked in asks):
            lane.report(
                "last-answers",
                "a request that was sent before the end of input is not answered",
                "unanswered: " + ", ".join(asked.method for asked in asks if asked.answer is None),
            )
        lane.forget(*asks)
    finally:
        lane.finish(judged=False)
