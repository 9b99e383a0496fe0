"""What only 2026-07-28 has: discovery, _meta on every request, versions by request, subscriptions, removed methods.

Here: opening a lane without a handshake, and the steps of that era. Not here: the steps that both eras share
(`steps`).

Pages: server/discover, basic/index, basic/versioning, basic/transports/stdio, basic/patterns/subscriptions,
changelog of 2026-07-28.
"""
from __future__ import annotations

from ...codec import encode
from ...revisions import CLIENT_CAPABILITIES_KEY, SUBSCRIPTION_KEY, VERSION_KEY
from .findings import shorten_evidence
from .handshake import note_start, shake_hands_with
from .lane import CheckLane, LaneOver, stateless_meta
from .messages import id_mark
from .steps import SHARED_STEPS, judge_refused, run_check_steps, served_list

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .facts import CheckSettings, ServerFacts
    from .findings import Findings
    from .messages import PendingAsk
    from .steps import CheckStep

NEVER_SUPPORTED = "1900-01-01"
REMOVED_METHODS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("ping", {}),
    ("logging/setLevel", {"level": "error"}),
    ("resources/subscribe", {"uri": "mcplite-check://x"}),
    ("resources/unsubscribe", {"uri": "mcplite-check://x"}),
)
META_LACKS = (  # what is missing in the request, the params without it: None, or the key that _meta lacks
    ("without _meta", None), ("without _meta in params", "_meta"), ("without protocolVersion", VERSION_KEY),
    ("without clientCapabilities", CLIENT_CAPABILITIES_KEY))
LISTEN_ID = "mcplite-listen"


def try_stateless_lane(settings: CheckSettings, findings: Findings, facts: ServerFacts, date: str, handshake: str | None) -> None:
    """Probe with server/discover as new clients do; where it is served, try everything.

    `handshake`: the date to shake hands with after a refusal, None where the server has no handshake.
    """
    with CheckLane(settings, findings, date) as lane:
        lane.trying("discover-refusal")
        try:
            limit = settings.start_timeout if handshake is None else settings.timeout + 2 * (facts.seconds or 0)
            asked = lane.ask("server/discover", None, 1, limit)
        except LaneOver as over:
            if handshake is not None:
                lane.report("discover-refusal", "%s at server/discover" % over, lane.last_sent)
            return
        facts.spoke = facts.spoke or asked.answer is not None
        note_start(lane, facts)
        if not speaks_stateless(asked):
            if handshake is not None:
                judge_refusal(lane, facts, asked, handshake)
            return
        facts.revisions.append(date)
        judge_discovery(lane, facts, asked)
        run_check_steps(lane, lambda fresh: is_discovered(fresh, lane), STATELESS_STEPS, facts)
    try_first_request(settings, findings, lane, date)


def speaks_stateless(asked: PendingAsk) -> bool:
    """A result with versions, in whatever form, is a server of this era; so is -32022."""
    result = asked.result()
    return result is not None and ("supportedVersions" in result or "capabilities" in result or "resultType" in result)


def is_discovered(lane: CheckLane, before: CheckLane) -> bool:
    lane.capabilities = before.capabilities
    return lane.ask("server/discover", None, 1, lane.settings.start_timeout).result() is not None


def judge_refusal(lane: CheckLane, facts: ServerFacts, asked: PendingAsk, handshake: str) -> None:
    """A server of the older era: it must say no, and then shake hands in the same process, as Python clients do."""
    if asked.answer is None:
        what = "server/discover is not answered within %g s" % lane.settings.timeout
        lane.report("discover-refusal", what, lane.last_sent, "discover-silent")
    elif asked.result() is not None:
        what = "server/discover gets a result that says nothing of versions"
        lane.report("discover-refusal", what, asked.answer, "discover-result")
    lane.forget(asked)
    lane.speak(handshake)
    lane.marker = "ping"
    try:
        again = shake_hands_with(lane, facts, handshake, 2)
        if again.result() is None:
            what = "initialize after server/discover %s" % again.fate()
            lane.report("discover-refusal", what, again.answer or lane.last_sent, "discover-spoils")
    except LaneOver as over:
        lane.report("discover-refusal", "%s at initialize after server/discover" % over, lane.last_sent, "discover-spoils")


def judge_discovery(lane: CheckLane, facts: ServerFacts, asked: PendingAsk) -> None:
    lane.findings.tries("discover-result")
    result = asked.result() or {}
    versions, capabilities = result.get("supportedVersions"), result.get("capabilities")
    if isinstance(versions, list) and lane.date not in versions:
        lane.report("discover-result", "supportedVersions does not name %s, which is served" % lane.date, result)
    lane.capabilities = capabilities if isinstance(capabilities, dict) else None
    facts.take_server_info((result.get("_meta") or {}).get("io.modelcontextprotocol/serverInfo"))


# -- steps


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


def report_silence(lane: CheckLane, check: str, what: str) -> None:
    lane.report(check, "%s is not answered" % what, lane.last_sent, "unanswered")


def try_meta(lane: CheckLane, facts: ServerFacts) -> None:
    """Requests that lack what every request must have."""
    lane.trying("meta-required")
    method = served_list(lane, "server/discover")
    for how, lacking in META_LACKS:
        whole = {"_meta": {key: value for key, value in stateless_meta(lane.date).items() if key != lacking}}
        asked = send_as_it_is(lane, method, None if lacking is None else {} if lacking == "_meta" else whole)
        what = "%s %s" % (method, how)
        if asked.answer is None:
            report_silence(lane, "meta-required", what)
        elif asked.code() is None:
            lane.report("meta-required", "%s gets a result" % what, asked.answer)
        elif asked.code() != -32602:
            lane.report("meta-required", "%s gets the code %s, not -32602" % (what, asked.code()), asked.answer, "meta-code")


def try_unsupported_version(lane: CheckLane, facts: ServerFacts) -> None:
    lane.trying("unsupported-version")
    meta = dict(stateless_meta(lane.date), **{VERSION_KEY: NEVER_SUPPORTED})
    for method in dict.fromkeys(("server/discover", served_list(lane, "server/discover"))):
        asked = send_as_it_is(lane, method, {"_meta": meta})
        what = "%s with an unsupported version" % method
        if asked.answer is None:
            report_silence(lane, "unsupported-version", what)
        elif asked.code() is None:
            lane.report("unsupported-version", what + " gets a result", asked.answer, "version-served")
        elif asked.code() != -32022:
            lane.report("unsupported-version", "%s gets the code %s, not -32022" % (what, asked.code()), asked.answer)
        else:
            judge_version_error(lane, asked.answer)


def judge_version_error(lane: CheckLane, answer: dict[str, Any]) -> None:
    """The data of an error -32022: the supported versions, and the one that was requested."""
    data = answer["error"].get("data")
    data = data if isinstance(data, dict) else {}
    supported = data.get("supported")
    if not isinstance(supported, list) or not all(isinstance(version, str) for version in supported):
        lane.report("unsupported-version", "the error does not name the supported versions in data.supported", answer)
    elif lane.date not in supported:
        lane.report("unsupported-version", "data.supported does not name %s, which is served" % lane.date, answer)
    if data.get("requested") != NEVER_SUPPORTED:
        what = "the error does not name the requested version in data.requested"
        lane.report("unsupported-version", what, answer, "requested-missing")


def try_removed_methods(lane: CheckLane, facts: ServerFacts) -> None:
    lane.trying("removed-methods")
    for method, params in REMOVED_METHODS:
        asked = send_as_it_is(lane, method, dict(params, _meta=stateless_meta(lane.date)))
        if asked.answer is None:
            report_silence(lane, "removed-methods", method)
        else:
            judge_refused(lane, "removed-methods", asked, method, -32601)


def try_listen(lane: CheckLane, facts: ServerFacts) -> None:
    """Open a stream, see its acknowledgment, close it by cancelling, and see that nothing more comes."""
    lane.trying("listen")
    wanted = {"toolsListChanged": True, "promptsListChanged": True}
    asked = lane.start_ask("subscriptions/listen", {"notifications": wanted}, LISTEN_ID)
    lane.settle()
    if asked.code() is not None:
        case = "listen-refused" if any_list_changed(lane) else "listen-undeclared"
        lane.report("listen", "subscriptions/listen gets an error", asked.answer, case)
        return
    granted = lane.subscriptions.get(id_mark(LISTEN_ID))
    unasked = [name for name, value in (granted or {}).items() if value and wanted.get(name) != value]
    if granted is None:
        lane.report("listen", "subscriptions/listen is not acknowledged", lane.last_sent)
    elif unasked:
        lane.report("listen", "more is acknowledged than was asked for: %s" % ", ".join(unasked), granted, "listen-more")
    if asked.answer is not None:
        return
    heard = len(lane.notes)
    lane.notify("notifications/cancelled", {"requestId": LISTEN_ID, "reason": "mcplite check"})
    lane.settle()
    if asked.answer is not None:
        lane.report("listen", "a cancelled subscriptions/listen gets an answer", asked.answer, "listen-answered")
    for note in lane.notes[heard:]:
        if ((note.get("params") or {}).get("_meta") or {}).get(SUBSCRIPTION_KEY) == LISTEN_ID:
            what = "a cancelled subscription goes on: %s" % shorten_evidence(note.get("method"), 60)
            lane.report("listen", what, note, "listen-after")
            break
    lane.forget(asked)


def any_list_changed(lane: CheckLane) -> bool:
    return any(isinstance(value, dict) and (value.get("listChanged") or value.get("subscribe"))
               for value in (lane.capabilities or {}).values())


def try_first_request(settings: CheckSettings, findings: Findings, before: CheckLane, date: str) -> None:
    """A fresh process gets something else than server/discover first."""
    method = served_list(before, "server/discover")
    with CheckLane(settings, findings, date) as lane:
        lane.trying("first-request")
        lane.capabilities = before.capabilities
        try:
            asked = lane.ask(method, None, None, settings.start_timeout)
            if asked.result() is None:
                lane.report("first-request", "%s as the first request %s" % (method, asked.fate()), asked.answer or lane.last_sent)
            lane.judged = True
        except LaneOver as over:
            lane.report("first-request", "%s at %s as the first request" % (over, method), lane.last_sent)


STATELESS_STEPS: tuple[CheckStep, ...] = (
    *SHARED_STEPS[:9], try_meta, try_unsupported_version, try_removed_methods, try_listen, *SHARED_STEPS[9:])
