"""What only 2026-07-28 has: discovery, _meta on every request, versions by request, subscriptions, removed methods.

Here: opening a lane without a handshake, and the steps of that era. Not here: the steps that both eras share
(`steps`).

Pages: server/discover, basic/index, basic/versioning, basic/transports/stdio, basic/patterns/subscriptions,
changelog of 2026-07-28.
"""

from __future__ import annotations

from ...codec import encode
from ...revisions import CLIENT_CAPABILITIES_KEY, REVISIONS, SUBSCRIPTION_KEY, VERSION_KEY
from .handshake import note_start, shake_hands_with
from .lane import CheckLane, CheckSettings, LaneOver, id_mark, stateless_meta
from .steps import LISTS, SHARED_STEPS, ServerFacts, judge_refused, run_check_steps
from .table import shorten_evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .lane import PendingAsk
    from .steps import CheckStep
    from .table import Findings

NEVER_SUPPORTED = "1900-01-01"
REMOVED_METHODS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("ping", {}),
    ("logging/setLevel", {"level": "error"}),
    ("resources/subscribe", {"uri": "mcplite-check://x"}),
    ("resources/unsubscribe", {"uri": "mcplite-check://x"}),
)
LISTEN_ID = "mcplite-listen"


def try_stateless_lane(
    settings: CheckSettings, findings: Findings, facts: ServerFacts, date: str, handshake: str | None
) -> bool:
    """Probe with server/discover as new clients do; where it is served, try everything. False: the server has no 2026-07-28.

    `handshake`: the date to shake hands with after a refusal, None where the server has no handshake.
    """
    lane = CheckLane(settings, findings, date)
    lane.trying("discover-refusal")
    try:
        limit = settings.start_timeout if handshake is None else settings.timeout + 2 * (facts.seconds or 0)
        asked = lane.ask("server/discover", None, 1, limit)
    except LaneOver as over:
        if handshake is not None:
            lane.report("discover-refusal", "%s at server/discover" % over, lane.last_sent)
        lane.finish(judged=False)
        return False
    except BaseException:
        lane.finish(judged=False)
        raise
    if asked.answer is not None:
        facts.spoke = True
    note_start(lane, facts)
    if not speaks_stateless(asked):
        judge_refusal(lane, facts, asked, handshake)
        return False
    facts.revisions.append(date)
    judge_discovery(lane, facts, asked, date)
    first = [lane]

    def open_lane() -> CheckLane | None:
        if first:
            return first.pop()
        again = CheckLane(settings, findings, date)
        try:
            if again.ask("server/discover", None, 1, settings.start_timeout).result() is not None:
                again.capabilities = lane.capabilities
                return again
        except LaneOver:
            pass
        again.finish(judged=False)
        return None

    run_check_steps(open_lane, STATELESS_STEPS, facts)
    try_first_request(settings, findings, lane, date)
    return True


def speaks_stateless(asked: PendingAsk) -> bool:
    """A result with versions, in whatever form, is a server of this era; so is -32022."""
    result = asked.result()
    return result is not None and ("supportedVersions" in result or "capabilities" in result or "resultType" in result)


def judge_refusal(lane: CheckLane, facts: ServerFacts, asked: PendingAsk, handshake: str | None) -> None:
    """A server of the older era: it must say no, and then shake hands in the same process, as Python clients do."""
    try:
        if handshake is None:
            return
        if asked.answer is None:
            lane.report(
                "discover-refusal",
                "server/discover is not answered within %g s" % lane.settings.timeout,
                lane.last_sent,
                None,
                "discover-silent",
            )
        elif asked.result() is not None:
            what = "server/discover gets a result that says nothing of versions"
            lane.report("discover-refusal", what, asked.answer, None, "discover-result")
        lane.forget(asked)
        lane.date, lane.row, lane.marker = handshake, REVISIONS[handshake], "ping"
        again = shake_hands_with(lane, facts, handshake, 2)
        if again.result() is None:
            lane.report(
                "discover-refusal",
                "initialize after server/discover %s"
                % ("gets an error" if again.answer is not None else "is not answered"),
                again.answer or lane.last_sent,
                None,
                "discover-spoils",
            )
    except LaneOver as over:
        what = "%s at initialize after server/discover" % over
        lane.report("discover-refusal", what, lane.last_sent, None, "discover-spoils")
    finally:
        lane.finish(judged=False)


def judge_discovery(lane: CheckLane, facts: ServerFacts, asked: PendingAsk, date: str) -> None:
    lane.findings.tries("discover-result")
    result = asked.result() or {}
    versions = result.get("supportedVersions")
    if isinstance(versions, list) and date not in versions:
        lane.report("discover-result", "supportedVersions does not name %s, which is served" % date, result)
    capabilities = result.get("capabilities")
    lane.capabilities = capabilities if isinstance(capabilities, dict) else None
    info = (result.get("_meta") or {}).get("io.modelcontextprotocol/serverInfo")
    if isinstance(info, dict) and not facts.name:
        facts.name, facts.version = str(info.get("name", "")), str(info.get("version", ""))


# -- steps


def list_method(lane: CheckLane) -> str:
    """A method that the server serves."""
    return next((method for method in LISTS if LISTS[method][0] in (lane.capabilities or {})), "server/discover")


def try_meta(lane: CheckLane, facts: ServerFacts) -> None:
    """Requests that lack what every request must have."""
    lane.trying("meta-required")
    whole = stateless_meta(lane.date)
    method = list_method(lane)
    for what, params in (
        ("without _meta", None),
        ("without _meta in params", {}),
        ("without protocolVersion", {"_meta": {key: whole[key] for key in whole if key != VERSION_KEY}}),
        ("without clientCapabilities", {"_meta": {key: whole[key] for key in whole if key != CLIENT_CAPABILITIES_KEY}}),
    ):
        asked = send_as_it_is(lane, method, params)
        if asked.answer is None:
            lane.report_unanswered("meta-required", "%s %s is not answered" % (method, what))
        elif asked.code() is None:
            lane.report("meta-required", "%s %s gets a result" % (method, what), asked.answer)
        elif asked.code() != -32602:
            said = "%s %s gets the code %s, not -32602" % (method, what, asked.code())
            lane.report("meta-required", said, asked.answer, None, "meta-code")


def send_as_it_is(lane: CheckLane, method: str, params: dict[str, Any] | None) -> PendingAsk:
    """Ask without adding _meta."""
    request_id = lane.next_id()
    message: dict[str, Any] = {"jsonrpc": "2.0", "id": request_id, "method": method}
    if params is not None:
        message["params"] = params
    asked = lane.expect(request_id, "", params)  # no method: whatever comes is not judged as a result
    lane.send_line(encode(message).encode())
    lane.wait_for(asked, lane.settings.timeout)
    return asked


def try_unsupported_version(lane: CheckLane, facts: ServerFacts) -> None:
    lane.trying("unsupported-version")
    meta = dict(stateless_meta(lane.date), **{VERSION_KEY: NEVER_SUPPORTED})
    for method in dict.fromkeys(("server/discover", list_method(lane))):
        asked = send_as_it_is(lane, method, {"_meta": meta})
        if asked.answer is None:
            lane.report_unanswered("unsupported-version", "%s with an unsupported version is not answered" % method)
        elif asked.code() != -32022:
            lane.report(
                "unsupported-version",
                "%s with an unsupported version gets %s"
                % (method, "a result" if asked.code() is None else "the code %s, not -32022" % asked.code()),
                asked.answer,
                None,
                "version-served" if asked.code() is None else "",
            )
        else:
            data = asked.answer["error"].get("data")
            supported = data.get("supported") if isinstance(data, dict) else None
            if not isinstance(supported, list) or not all(isinstance(version, str) for version in supported):
                lane.report(
                    "unsupported-version",
                    "the error does not name the supported versions in data.supported",
                    asked.answer,
                )
            elif lane.date not in supported:
                lane.report(
                    "unsupported-version", "data.supported does not name %s, which is served" % lane.date, asked.answer
                )
            if not isinstance(data, dict) or data.get("requested") != NEVER_SUPPORTED:
                lane.report(
                    "unsupported-version",
                    "the error does not name the requested version in data.requested",
                    asked.answer,
                    None,
                    "requested-missing",
                )


def try_removed_methods(lane: CheckLane, facts: ServerFacts) -> None:
    lane.trying("removed-methods")
    for method, params in REMOVED_METHODS:
        asked = send_as_it_is(lane, method, dict(params, _meta=stateless_meta(lane.date)))
        if asked.answer is None:
            lane.report_unanswered("removed-methods", "%s is not answered" % method)
        else:
            judge_refused(lane, "removed-methods", asked, method, (-32601,))


def try_listen(lane: CheckLane, facts: ServerFacts) -> None:
    """Open a stream, see its acknowledgment, close it by cancelling, and see that nothing more comes."""
    lane.trying("listen")
    wanted = {"toolsListChanged": True, "promptsListChanged": True}
    asked = lane.start_ask("subscriptions/listen", {"notifications": wanted}, LISTEN_ID)
    mark = id_mark(LISTEN_ID)
    lane.settle()
    if asked.code() is not None:
        case = "listen-refused" if any_list_changed(lane) else "listen-undeclared"
        lane.report("listen", "subscriptions/listen gets an error", asked.answer, None, case)
        return
    granted = lane.subscriptions.get(mark)
    if granted is None:
        lane.report("listen", "subscriptions/listen is not acknowledged", lane.last_sent)
    else:
        unasked = [name for name, value in granted.items() if value and wanted.get(name) != value]
        if unasked:
            what = "more is acknowledged than was asked for: %s" % ", ".join(unasked)
            lane.report("listen", what, granted, None, "listen-more")
    if asked.answer is not None:
        return
    heard = len(lane.notes)
    lane.notify("notifications/cancelled", {"requestId": LISTEN_ID, "reason": "mcplite check"})
    lane.settle()
    if asked.answer is not None:
        what = "a cancelled subscriptions/listen gets an answer"
        lane.report("listen", what, asked.answer, "warning", "listen-after")
    late = [
        note
        for note in lane.notes[heard:]
        if ((note.get("params") or {}).get("_meta") or {}).get(SUBSCRIPTION_KEY) == LISTEN_ID
    ]
    if late:
        lane.report(
            "listen",
            "a cancelled subscription goes on: %s" % shorten_evidence(late[0].get("method"), 60),
            late[0],
            None,
            "listen-after",
        )
    lane.forget(asked)


def any_list_changed(lane: CheckLane) -> bool:
    return any(
        isinstance(value, dict) and (value.get("listChanged") or value.get("subscribe"))
        for value in (lane.capabilities or {}).values()
    )


def try_first_request(settings: CheckSettings, findings: Findings, before: CheckLane, date: str) -> None:
    """A fresh process gets something else than server/discover first."""
    method = list_method(before)
    lane = CheckLane(settings, findings, date)
    lane.trying("first-request")
    try:
        lane.capabilities = before.capabilities
        asked = lane.ask(method, None, None, settings.start_timeout)
        if asked.result() is None:
            lane.report(
                "first-request",
                "%s as the first request %s" % (method, "is not answered" if asked.answer is None else "gets an error"),
                asked.answer or lane.last_sent,
            )
    except LaneOver as over:
        lane.report("first-request", "%s at %s as the first request" % (over, method), lane.last_sent)
    except BaseException:
        lane.finish(judged=False)
        raise
    lane.finish(judged=not lane.over)


STATELESS_STEPS: tuple[CheckStep, ...] = (
    *SHARED_STEPS[:9],
    try_meta,
    try_unsupported_version,
    try_removed_methods,
    try_listen,
    *SHARED_STEPS[9:],
)
