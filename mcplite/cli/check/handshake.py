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
from .facts import ServerFacts
from .findings import shorten_evidence
from .lane import TRACEBACK_HEAD, CheckLane, LaneOver
from .steps import SHARED_STEPS, report_not_served, run_check_steps, try_lists, try_refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .facts import CheckSettings
    from .findings import Findings
    from .messages import PendingAsk
    from .steps import CheckStep

UNKNOWN_DATE = "2099-01-01"
SLOW_START, VERY_SLOW_START = 2.0, 5.0
CRASH_SIGNALS = (-6, -11, -4, -7)  # abort, segmentation fault, illegal instruction, bus error


def initialize_params(date: str) -> dict[str, Any]:
    return {"protocolVersion": date, "capabilities": {}, "clientInfo": {"name": "mcplite check", "version": "1"}}


def send_initialize(lane: CheckLane, date: str, request_id: Any = 1) -> PendingAsk:
    lane.number = max(lane.number, 1)
    params = initialize_params(date)
    lane.send_line(encode({"jsonrpc": "2.0", "id": request_id, "method": "initialize", "params": params}).encode())
    return lane.expect(request_id, "initialize", params)


def shake_hands_with(lane: CheckLane, facts: ServerFacts, date: str, request_id: Any = 1) -> PendingAsk:
    """Send initialize; from its answer on, the lane speaks the revision that was agreed upon."""
    asked = send_initialize(lane, date, request_id)
    lane.wait_for(asked, lane.settings.start_timeout)
    facts.spoke = facts.spoke or asked.answer is not None
    result = asked.result()
    if result is not None:
        version, capabilities = result.get("protocolVersion"), result.get("capabilities")
        lane.capabilities = capabilities if isinstance(capabilities, dict) else None
        facts.take_server_info(result.get("serverInfo"))
        if date in REVISIONS and isinstance(version, str):
            facts.agreed[date] = version
        if version in HANDSHAKE_DATES:
            lane.speak(version)
            if version not in facts.revisions:
                facts.revisions.append(version)
    return asked


def note_start(lane: CheckLane, facts: ServerFacts) -> None:
    """How long the server took to answer for the first time."""
    if facts.seconds is None and lane.answer_at is not None:
        lane.findings.tries("start-time")
        facts.seconds = lane.answer_at - lane.since
        for limit, weight in ((VERY_SLOW_START, ""), (SLOW_START, "note")):
            if facts.seconds > limit:
                what = "the first answer comes after more than %g s" % limit
                lane.report("start-time", what, "%.1f s" % facts.seconds, weight)
                break


def try_handshake_lane(settings: CheckSettings, findings: Findings, facts: ServerFacts, date: str) -> bool:
    """The long lane: everything, in the newest handshake revision that is wanted. False when the server has no handshake."""
    with CheckLane(settings, findings, date) as lane:
        lane.trying("initialize", "initialize-result")
        try:
            asked = shake_hands_with(lane, facts, date)
        except LaneOver as over:
            facts.ending, facts.last_words = str(over), lane.last_words()
            return False
        note_start(lane, facts)
        if asked.result() is None:
            return False
        judge_version(lane, asked, date)
        run_check_steps(lane, lambda fresh: is_shaken(fresh, facts, date), HANDSHAKE_STEPS, facts)
    return True


def is_shaken(lane: CheckLane, facts: ServerFacts, date: str) -> bool:
    if shake_hands_with(lane, facts, date).result() is None:
        return False
    lane.notify("notifications/initialized")
    return True


def judge_version(lane: CheckLane, asked: PendingAsk, date: str) -> None:
    """The version that came back for `date`."""
    lane.findings.tries("version")
    version = (asked.result() or {}).get("protocolVersion")
    if not isinstance(version, str) or version in HANDSHAKE_DATES:
        return
    check = "version-unknown" if date == UNKNOWN_DATE else "version"
    if version == date:
        lane.report(check, "an unknown version is taken for known", asked.answer, "version-echo")
    elif date in REVISIONS or not any(name == "version" for name, _ in lane.findings.found):
        lane.report(check, "the version %s is answered, which no client knows" % shorten_evidence(version, 40), asked.answer)


# -- steps


def try_before_initialized(lane: CheckLane, facts: ServerFacts) -> None:
    lane.trying("before-initialized", "ping")
    early = [lane.start_ask("ping")]
    if lane.has_declared("logging"):
        early.append(lane.start_ask("logging/setLevel", {"level": "warning"}))
    lane.notify("notifications/initialized")
    later = lane.need("ping", "ping")
    if later.answer is None:
        lane.marker = "tools/list"
    elif later.code() is not None:
        lane.report("ping", "ping gets an error", later.answer)
    elif any(asked.answer is None for asked in early):
        lane.settle()
        if any(asked.answer is None for asked in early):
            what = "a request before notifications/initialized is not answered"
            lane.report("before-initialized", what, lane.request_line(2, "ping"))
    if (later.result() or {}).keys() - {"_meta"}:
        lane.report("ping", "the result of ping is not empty", later.answer, "ping-result")
    lane.forget(*early)


def try_initialized(lane: CheckLane, facts: ServerFacts) -> None:
    """A host may say initialized again; nothing comes back."""
    lane.trying("notification-reply")
    lane.settle()


def try_log_level(lane: CheckLane, facts: ServerFacts) -> None:
    if not lane.has_declared("logging"):
        return
    lane.trying("log-level", "declared-served")
    asked = lane.need("log-level", "logging/setLevel", {"level": "error"})
    if asked.code() == -32601:
        report_not_served(lane, asked, "logging")
        return
    if asked.code() is not None:
        lane.report("log-level", "logging/setLevel error gets an error", asked.answer)
    try_refusal(lane, "log-level")


def try_subscribe(lane: CheckLane, facts: ServerFacts) -> None:
    resources = (lane.capabilities or {}).get("resources")
    uri = next((entry["uri"] for entry in facts.listed("resources") if isinstance(entry.get("uri"), str)), None)
    if not isinstance(resources, dict) or resources.get("subscribe") is not True or uri is None:
        return
    lane.trying("subscribe")
    for method in ("resources/subscribe", "resources/unsubscribe"):
        asked = lane.need("subscribe", method, {"uri": uri})
        if asked.code() is not None:
            report_not_served(lane, asked, "subscribe", "subscribe", "" if asked.code() == -32601 else "warning")


def try_batch(lane: CheckLane, facts: ServerFacts) -> None:
    """An array: two answers in one at 2025-03-26, an error (or nothing) elsewhere, and in any case the server goes on."""
    lane.trying("batch")
    first, second = lane.next_id(), lane.next_id()
    asks = [lane.expect(first, "ping"), lane.expect(second, "ping")]
    lane.no_id_allowed += 1
    lane.batch_open = True
    lane.send_line(encode([
        {"jsonrpc": "2.0", "id": first, "method": "ping"},
        {"jsonrpc": "2.0", "method": "notifications/mcplite"},
        {"jsonrpc": "2.0", "id": second, "method": "ping"},
    ]).encode())
    line = lane.last_sent
    lane.hear_marker()
    lane.hear(lane.settings.grace_seconds)
    lane.batch_open, lane.no_id_allowed = False, 0
    if lane.row.batches and any(asked.answer is None for asked in asks):
        lane.report("batch", "a batch is not answered at 2025-03-26", line, "batch-unanswered")
    lane.take_strays("batch")
    lane.forget(*asks)


HANDSHAKE_STEPS: tuple[CheckStep, ...] = (
    try_before_initialized, try_initialized, *SHARED_STEPS[:8], try_log_level, try_subscribe, *SHARED_STEPS[8:], try_batch)


# -- short lanes


def try_other_date(settings: CheckSettings, findings: Findings, facts: ServerFacts, date: str) -> None:
    """Shake hands with another date (with the id 0, as many clients do), list, and leave."""
    with CheckLane(settings, findings, date) as lane:
        lane.trying("version")
        try:
            asked = shake_hands_with(lane, facts, date, 0)
        except LaneOver as over:
            lane.report("version", "%s at initialize with %s" % (over, date), lane.last_words(), "version-refused")
            return
        if asked.result() is None:
            what = "initialize with %s %s" % (date, asked.fate())
            lane.report("version", what, asked.answer or lane.last_sent, "version-refused")
            return
        judge_version(lane, asked, date)
        lane.notify("notifications/initialized")
        steps = (try_short_lists, try_batch) if date == "2025-03-26" else (try_short_lists,)
        run_check_steps(lane, lambda fresh: False, steps, facts)


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
    with CheckLane(settings, findings, date) as lane:
        lane.trying("version-unknown")
        try:
            asked = shake_hands_with(lane, facts, UNKNOWN_DATE)
            if asked.result() is None:
                what = "initialize with an unknown version %s" % asked.fate()
                lane.report("version-unknown", what, asked.answer or lane.last_sent)
                return
            judge_version(lane, asked, UNKNOWN_DATE)
            lane.notify("notifications/initialized")
            lane.trying("reader-gone")
            judge_reader_gone(lane)
        except LaneOver as over:
            lane.report(lane.blame, "%s at initialize with an unknown version" % over, lane.last_sent, "error")


def judge_reader_gone(lane: CheckLane) -> None:
    """Close our end of the server's output, make it write, then end its input: it must end too, without a crash."""
    if os.name == "nt":
        return
    lane.child.channel.end_output(lane.child.process.stdout.close)
    lane.over = True
    lane.notify("notifications/mcplite/unknown")
    lane.send_line(lane.request_line(3, "ping"))
    lane.child.channel.drain(0.2)
    lane.child.has_exited(0.2)
    lane.end_input()
    if not lane.child.has_exited(1.5 * lane.settings.exit_seconds):
        lane.report("reader-gone", "the server goes on running when nobody reads its output and its input has ended")
    elif TRACEBACK_HEAD in lane.child.read_tail() or (lane.child.process.returncode or 0) in CRASH_SIGNALS:
        lane.report("reader-gone", "the server crashes when nobody reads its output", lane.last_words(), "reader-crash")


def try_early_end(settings: CheckSettings, findings: Findings, facts: ServerFacts, date: str) -> None:
    """End of input before a word is said; and right behind the first requests, which are still to be answered."""
    patience = 1.5 * settings.exit_seconds + 2 * (facts.seconds or 0)  # it may still be starting
    with CheckLane(settings, findings, date) as lane:
        lane.trying("exit-at-end", "exit-status")
        since = monotonic()
        lane.end_input()
        if lane.wait_exit(patience) is None:
            lane.report("exit-at-end", "the server does not end when its input is empty", "%.1f s" % (monotonic() - since))
    with CheckLane(settings, findings, date) as lane:
        lane.trying("last-answers")
        asks = [send_initialize(lane, date), lane.expect(2, "ping")]
        lane.notify("notifications/initialized")
        lane.send_line(lane.request_line(2, "ping"))
        lane.end_input()
        lane.wait_exit(patience)
        missing = [asked.method for asked in asks if asked.answer is None]
        if missing:
            what = "a request that was sent before the end of input is not answered"
            lane.report("last-answers", what, "unanswered: " + ", ".join(missing))
        lane.forget(*asks)
