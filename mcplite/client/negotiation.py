"""Which revision both ends speak: the first messages of a conversation.

Here: ``Negotiation``. Not here: what revisions there are (``revisions``), how a request travels (``connection``).

Pages: basic/lifecycle, "Initialization" (2024-11-05 to 2025-11-25); basic/versioning, server/discover, basic/transports/stdio,
"Backward Compatibility" (2026-07-28).

Connecting in sentences:
  1. Ask ``server/discover``. An answer that names a stateless revision settles it, so does error -32022 that names one.
  2. Any other answer, one that cannot be read, or none in ``probe_timeout``, means a handshake: ``initialize`` on the same
     process with our newest.
  3. A process that ended at the question is started again, and gets ``initialize``.
  4. Where the answer to 1 comes late and ``initialize`` is refused, the late answer counts; so does an error (to either) whose
     data names a stateless revision, unless a revision is pinned.
"""
from __future__ import annotations

from ..errors import UNSUPPORTED_VERSION, McpError
from ..jsonrpc import new_request
from ..revisions import HANDSHAKE_DATES, NEWEST_HANDSHAKE, NEWEST_STATELESS, REVISIONS, SERVER_INFO_KEY, choose_stateless
from ..stdio import monotonic
from .faults import ServerFault, ServerGone
from .results import check_needed_members

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional

    from ..revisions import Revision
    from .connection import ClientConnection

HANDSHAKE_MODE = "handshake"
PROBE_EXIT_SECONDS = 1.0              # how long a process that closed its output at the question may take to end


class Negotiation:
    """Settles ``connection.row``. ``wanted`` is None, HANDSHAKE_MODE or a date, which then is the only one accepted."""

    def __init__(self, connection: "ClientConnection", wanted: "Optional[str]", timeout: "Optional[float]", probe_timeout: float,
                 close_timeout: float) -> None:
        self.connection, self.wanted, self.timeout, self.close_timeout = connection, wanted, timeout, close_timeout
        self.pinned: "Optional[Revision]" = REVISIONS.get(wanted) if wanted is not None else None
        self.probe_timeout = self.probe_limit = probe_timeout
        if timeout is not None and (timeout < probe_timeout or self.pinned is not None):
            self.probe_limit = timeout
        self.probes: "List[int]" = []                       # ids of server/discover; the first one's answer counts when it is late

    def connect(self) -> None:
        """Find the revision that both speak. Raises ``McpError`` where there is none."""
        if self.wanted is not None and (self.pinned is None or not self.pinned.stateless):
            self.initialize(self.pinned or NEWEST_HANDSHAKE)
        else:
            self.probe()
        self.connection.peer.connecting = False

    def probe(self) -> None:
        """Ask, and take the step that the answer means."""
        link, peer = self.connection.link, self.connection.peer
        try:
            answer = self.server_discover()
            (NEXT_STEP if self.pinned is None else NEXT_STEP_PINNED)[find_outcome(answer)](self, answer)
        except ServerGone:
            if self.pinned is not None or link.kind != "process" or not link.has_exited(PROBE_EXIT_SECONDS):
                raise
            link.restart(self.close_timeout)
            self.connection.attach()
            self.initialize(NEWEST_HANDSHAKE)
        finally:
            for request_id in self.probes:
                peer.answers.pop(request_id, None)
                peer.attempts.pop(request_id, None)

    # Requests

    def server_discover(self) -> "Any":
        """``server/discover``: return the answer, whatever it is; None when the time is up, and it may still come."""
        peer, request_id = self.connection.peer, self.connection.session.new_id()
        self.probes.append(request_id)
        peer.answers[request_id] = None
        peer.send_request(new_request(request_id, "server/discover", self.connection.new_params(None)), "server/discover")
        return peer.await_response(request_id, "server/discover", self.probe_limit)

    def initialize(self, row: "Revision") -> None:
        """``initialize``: shake hands, offering ``row`` (basic/lifecycle, "Initialization"). It is never cancelled.

        What the server says of itself (``capabilities``, ``serverInfo``) may be missing; its version may not.
        """
        connection, session = self.connection, self.connection.session
        connection.row = row
        params = {"protocolVersion": row.date, "capabilities": connection.ours.capabilities_for(row),
                  "clientInfo": connection.ours.info_for(row)}
        result = connection.peer.ask_as(session.new_id(), "initialize", params, self.timeout, cancellable=False)
        check_needed_members("initialize", result)
        answered = result["protocolVersion"]
        if answered not in HANDSHAKE_DATES or self.pinned is not None and answered != self.pinned.date:
            raise self.no_common_version([answered], row.date)
        connection.row = session.row = session.style = REVISIONS[answered]
        connection.introduce(result, result.get("serverInfo"))
        connection.notify("notifications/initialized", None, self.timeout)

    # Steps: what to do after ``server/discover``

    def stay(self, answer: "Any") -> None:
        row = choose_discovered(answer)
        assert row is not None
        self.begin_stateless(row, answer.result)

    def ask_again(self, answer: "Any") -> None:
        """It refuses, and offers a revision of ours: where that settles nothing, it is as good as any refusal (basic/versioning,
        "Protocol Version Negotiation")."""
        again = self.server_discover()
        self.connection.peer.answers.pop(self.probes.pop(), None)
        if choose_discovered(again) is not None:
            self.stay(again)
        elif self.pinned is None:
            self.shake_hands(answer)
        else:
            self.refuse(answer)

    def shake_hands(self, answer: "Any") -> None:
        """Shake hands, unless that is refused and the probe's answer, or the refusal, says that a stateless conversation is what
        the server wants (4)."""
        try:
            self.initialize(NEWEST_HANDSHAKE)
        except ServerGone:
            raise
        except McpError as error:
            answer = self.connection.peer.answers[self.probes[0]]
            offered = choose_stateless(supported_in_data(error.data) + supported_in_answer(answer))
            if choose_discovered(answer) is not None:
                self.stay(answer)
            elif offered is not None:
                self.discover_again(offered)
            elif isinstance(error, ServerFault) or answer is None:
                raise
            else:
                raise self.explain_refusal(answer, error) from None

    def discover_again(self, row: "Revision") -> None:
        """An error named ``row``. Ask for the introduction once more; a server that has none is used without."""
        connection = self.connection
        connection.row = row
        try:
            result = connection.peer.ask_as(connection.session.new_id(), "server/discover", connection.new_params(None),
                                            self.probe_timeout)
        except ServerGone:
            raise
        except McpError:
            result = {}
        connection.is_introduced = is_discover_result(result)
        self.begin_stateless(row, result)

    def begin_stateless(self, row: "Revision", result: "Dict[str, Any]") -> None:
        connection, meta = self.connection, result.get("_meta")
        connection.row, connection.session.stateless = row, True
        connection.introduce(result, meta.get(SERVER_INFO_KEY) if isinstance(meta, dict) else None)
        if connection.cache is not None:
            connection.cache.keep("server/discover", None, result, monotonic(), connection.cache.changes)

    def time_out(self, answer: "Any") -> None:
        raise self.connection.peer.new_timeout(self.probes[0], "server/discover", self.probe_limit)

    def refuse(self, answer: "Any") -> None:
        """The one revision wanted is not what the server speaks."""
        assert self.pinned is not None
        date, supported = self.pinned.date, supported_in_answer(answer)
        if supported or is_discover_result(getattr(answer, "result", None)):
            raise self.no_common_version(supported, date)
        try:
            self.connection.peer.read_answer(answer, "server/discover")
        except ServerFault:
            raise
        except McpError as error:
            raise McpError(error.code, "the server does not speak %s: it answered server/discover with the error: %s"
                           % (date, error.message), error.data) from None
        raise ServerFault("the server does not speak %s: it answered server/discover without supportedVersions" % date)

    # Texts

    def explain_refusal(self, probe: "Any", error: McpError) -> McpError:
        """Return what to raise where neither the probe nor ``initialize`` led to a revision."""
        supported = supported_in_answer(probe)
        if supported and not any(date in HANDSHAKE_DATES for date in supported):
            return self.no_common_version(supported, NEWEST_STATELESS.date)
        try:
            self.connection.peer.read_answer(probe, "server/discover")
        except ServerFault as fault:
            return ServerFault("%s; then %s" % (fault.message, error.message))
        except McpError:
            pass
        return error

    def no_common_version(self, theirs: "List[Any]", asked: str) -> McpError:
        ours = [asked] if self.pinned is not None else list(REVISIONS)
        return McpError(UNSUPPORTED_VERSION, "no common protocol version: the server speaks %s, this client %s%s" % (
            ", ".join(map(str, theirs)) or "none that it names", ", ".join(ours), self.connection.link.details()),
            {"supported": theirs, "requested": asked})


# What an answer to ``server/discover`` is → the next step; without a pinned revision, and with one.
NEXT_STEP: "Dict[str, Callable[[Negotiation, Any], None]]" = {
    "discovered": Negotiation.stay, "offered": Negotiation.ask_again, "refused": Negotiation.shake_hands,
    "silent": Negotiation.shake_hands}
NEXT_STEP_PINNED = dict(NEXT_STEP, refused=Negotiation.refuse, silent=Negotiation.time_out)


def find_outcome(answer: "Any") -> str:
    """Return what an answer to ``server/discover`` is, a key of NEXT_STEP; None is no answer in time."""
    if answer is None:
        return "silent"
    if choose_discovered(answer) is not None:
        return "discovered"
    is_error = getattr(answer, "error", None) is not None
    return "offered" if is_error and choose_stateless(supported_in_answer(answer)) is not None else "refused"


def choose_discovered(answer: "Any") -> "Optional[Revision]":
    """Return the stateless revision that the answer to ``server/discover`` settles; None where it settles none."""
    result: "Any" = getattr(answer, "result", None)
    refused = getattr(answer, "error", None) is not None
    return choose_stateless(result["supportedVersions"]) if not refused and is_discover_result(result) else None


def is_discover_result(result: "Any") -> bool:
    return isinstance(result, dict) and isinstance(result.get("supportedVersions"), list)


def supported_in_answer(answer: "Any") -> "List[Any]":
    """Return the versions that an answer to ``server/discover`` names, a result or an error -32022 (basic/versioning)."""
    result: "Any" = getattr(answer, "result", None)
    error = getattr(answer, "error", None)
    if error is None:
        return list(result["supportedVersions"]) if is_discover_result(result) else []
    return supported_in_data(error.get("data")) if isinstance(error, dict) and error.get("code") == UNSUPPORTED_VERSION else []


def supported_in_data(data: "Any") -> "List[Any]":
    supported = data.get("supported") if isinstance(data, dict) else None
    return list(supported) if isinstance(supported, list) else []


def check_wanted_revision(revision: "Optional[str]") -> None:
    if revision is not None and revision != HANDSHAKE_MODE and revision not in REVISIONS:
        raise ValueError("revision %r is none of %s, %s; None finds the newest that both know"
                         % (revision, HANDSHAKE_MODE, ", ".join(REVISIONS)))
