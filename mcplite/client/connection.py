"""One conversation with one server: the link to it, its session and loop, and the way of one request.

Here: ``ClientConnection``: what is in force (revision, capabilities), what goes with a request, questions inside results, the
store, errors that say what became of the server, the end. Not here: how the revision is found (``negotiation``), the methods
(``face``).

Pages: basic/index, basic/lifecycle (2024-11-05 to 2025-11-25); basic/index, basic/patterns/mrtr, server/utilities/caching
(2026-07-28).

1. In a stateless conversation everything travels with the request: version, capabilities, log level; no responses are sent.
2. A question inside a result is answered by the same table of handlers as one that comes as a request.
"""
from __future__ import annotations

from ..errors import CapabilityError, LocalProtocolError
from ..jsonrpc import new_notification
from ..revisions import CLIENT_CAPABILITIES_KEY, CLIENT_INFO_KEY, CORE_REQUESTS, LOG_LEVEL_KEY, NEWEST_STATELESS, VERSION_KEY
from ..stdio import monotonic
from .faults import ServerFault, ServerGone
from .lines import ClientSession
from .links import Link
from .loop import ClientPeer
from .store import CACHEABLE_METHODS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Optional, Tuple

    from ..revisions import Revision
    from .callbacks import Callback, OwnSide
    from .store import ResultCache

    Params = Optional[Dict[str, Any]]

ROUND_METHODS = ("tools/call", "prompts/get", "resources/read")
REMOVED_NOTIFICATIONS = ("notifications/initialized", "notifications/roots/list_changed")
# method → the path of the capability that a server declares for it
NEEDED_CAPABILITY = {
    "tools/list": ("tools",), "tools/call": ("tools",), "prompts/list": ("prompts",), "prompts/get": ("prompts",),
    "resources/list": ("resources",), "resources/templates/list": ("resources",), "resources/read": ("resources",),
    "resources/subscribe": ("resources", "subscribe"), "resources/unsubscribe": ("resources", "subscribe"),
    "logging/setLevel": ("logging",), "completion/complete": ("completions",)}


class ClientConnection:
    """The asking end at work. ``attach`` begins, ``negotiation`` settles ``row``, ``close`` ends it."""

    session: ClientSession
    peer: ClientPeer

    def __init__(self, link: "Any", ours: "OwnSide", notified: "Dict[str, Callable[[Dict[str, Any]], Any]]", strict: bool,
                 log_level: "Optional[str]", cache: "Optional[ResultCache]", max_rounds: int) -> None:
        self.link, self.ours, self.strict = link, ours, strict
        self.handlers, self.notified = ours.new_handlers(), notified
        self.log_level, self.cache, self.max_rounds = log_level, cache, max_rounds
        self.row: "Revision" = NEWEST_STATELESS         # in force; while connecting, the one being tried
        self.capabilities: "Dict[str, Any]" = {}
        self.server_info: "Dict[str, Any]" = {}
        self.instructions: "Optional[str]" = None
        self.is_introduced = True                       # the server has said what it can do
        self.is_closed = False

    def attach(self) -> None:
        """Join a new session to the link's channel."""
        self.session = ClientSession(self.ours.info)
        self.peer = ClientPeer(self.session, self.link.channel, self.handlers, self.notified, self.strict)
        self.peer.explain_end, self.peer.explain_silence = self.new_server_gone, self.describe_silence
        if self.link.kind == "memory":
            self.link.channel.step = self.peer.run_step

    def close(self, seconds: float) -> None:
        """End the connection: end of input, wait, terminate, kill, each bounded. A second call does nothing."""
        if self.is_closed:
            return
        self.is_closed = True
        link, self.link = self.link, Link()
        if hasattr(self, "peer"):
            self.peer.at_end = True
            self.peer.inbox.clear()
        link.close(seconds)
        self.link.tail = link.read_tail()

    def introduce(self, result: "Dict[str, Any]", info: "Any") -> None:
        """Note what the server says of itself; what has another type than it should is as good as missing."""
        capabilities, instructions = result.get("capabilities"), result.get("instructions")
        self.capabilities = self.session.their_capabilities = capabilities if isinstance(capabilities, dict) else {}
        self.server_info = self.session.their_info = info if isinstance(info, dict) else {}
        self.instructions = instructions if isinstance(instructions, str) else None

    # Requests

    def request(self, method: str, params: "Params", limit: "Optional[float]", on_progress: "Callback" = None, meta: "Params" = None
                ) -> "Dict[str, Any]":
        """Return the result of a request, from the store where it is fresh there; its questions are answered."""
        if method in CORE_REQUESTS and method not in self.row.requests:
            raise LocalProtocolError("%s does not exist in revision %s" % (method, self.row.date))
        if not self.row.stateless:
            return self.ask(method, params, limit, on_progress, meta)
        cache = self.cache if method in CACHEABLE_METHODS else None
        if cache is None:
            return self.ask_rounds(method, params, limit, on_progress, meta)[0]
        kept = cache.find(method, params, monotonic())
        if kept is not None and not self.is_closed:
            return kept
        changes = cache.changes
        result, rounds = self.ask_rounds(method, params, limit, on_progress, meta)
        if rounds == 0:
            cache.keep(method, params, result, monotonic(), changes)
        return result

    def ask_rounds(self, method: str, params: "Params", limit: "Optional[float]", on_progress: "Callback", meta: "Params"
                   ) -> "Tuple[Dict[str, Any], int]":
        """Send a request until its result is complete; return it and the number of answered rounds (basic/patterns/mrtr)."""
        sent = params
        for rounds in range(self.max_rounds + 1):
            result = self.ask(method, sent, limit, on_progress, meta)
            kind = result.get("resultType")
            if kind is None or kind == "complete":
                return result, rounds
            if kind != "input_required":                    # basic/index: an unknown type is to be taken for an error
                raise ServerFault("%s was answered with a result of the unknown type %r" % (method, kind), result=result)
            if method not in ROUND_METHODS:
                raise ServerFault("%s was answered with a question, which only %s may be" % (method, ", ".join(ROUND_METHODS)),
                                  result=result)
            if rounds < self.max_rounds:
                sent = dict(params or {}, **self.new_inputs(method, result))
        raise ServerFault("%s asked more than %d times: the server never has enough" % (method, self.max_rounds))

    def new_inputs(self, method: str, result: "Dict[str, Any]") -> "Dict[str, Any]":
        """Answer the questions of an ``input_required`` result; return the members of the retry."""
        questions = result.get("inputRequests")
        inputs: "Dict[str, Any]" = {}
        if "requestState" in result:
            if not isinstance(result["requestState"], str):
                raise ServerFault("%s was answered with a requestState that is no string" % method)
            inputs["requestState"] = result["requestState"]
        if questions is not None:
            if not isinstance(questions, dict) or not all(isinstance(question, dict) for question in questions.values()):
                raise ServerFault("%s was answered with inputRequests that are no map of requests" % method)
            inputs["inputResponses"] = {key: self.answer_question(question) for key, question in questions.items()}
        if not inputs:
            raise ServerFault("%s was answered with input_required, but with neither inputRequests nor requestState" % method)
        return inputs

    def answer_question(self, question: "Dict[str, Any]") -> "Any":
        """Return the result for a question inside a result. An exception leaves the call: the server waits for nothing."""
        method, params = question.get("method"), question.get("params")
        handler = self.handlers.get(method) if isinstance(method, str) and method != "ping" else None
        if handler is None:
            raise ServerFault("the server asked for %s, which this client has not declared" % (method,))
        return handler(params if isinstance(params, dict) else {}, None)

    def ask(self, method: str, params: "Params", limit: "Optional[float]", on_progress: "Callback" = None, meta: "Params" = None
            ) -> "Dict[str, Any]":
        """Send one request with what belongs to it, and return the result as it is."""
        self.check_open(method)
        self.link.rest()
        request_id = self.session.new_id()
        whole = self.new_params(params, meta, None if on_progress is None else request_id)
        if on_progress is not None:
            self.peer.progress[request_id] = on_progress
        try:
            return self.peer.ask_as(request_id, method, whole, limit, method != "initialize")
        finally:
            self.peer.progress.pop(request_id, None)

    def new_params(self, params: "Params", meta: "Params" = None, token: "Optional[int]" = None, with_log_level: bool = True
                   ) -> "Params":
        """Return ``params`` with everything that belongs in ``_meta`` (basic/index, "Per-request protocol fields")."""
        if not self.row.stateless and meta is None and token is None:
            return params
        whole = dict(params or {})
        members: "Dict[str, Any]" = {}
        if self.row.stateless:
            members = {VERSION_KEY: self.row.date, CLIENT_INFO_KEY: self.ours.info_for(self.row),
                       CLIENT_CAPABILITIES_KEY: self.ours.capabilities_for(self.row)}
            if self.log_level is not None and "logging" in self.capabilities and with_log_level:
                members[LOG_LEVEL_KEY] = self.log_level
        members.update(whole.get("_meta") or {})
        members.update(meta or {})
        if token is not None:
            members["progressToken"] = token
        whole["_meta"] = members
        return whole

    def notify(self, method: str, params: "Params", limit: "Optional[float]") -> None:
        """Send a notification, and see that it leaves within ``limit`` seconds."""
        if self.row.stateless and method in REMOVED_NOTIFICATIONS:
            raise LocalProtocolError("%s does not exist in revision %s" % (method, self.row.date))
        self.check_open(method)
        if not self.peer.notify_now(new_notification(method, params), limit):
            raise self.new_server_gone(method)

    # What may be sent

    def check_open(self, method: str) -> None:
        if self.is_closed:
            raise ServerGone("%s cannot be sent: this client is closed" % method)
        if self.peer.at_end and not self.peer.inbox:
            raise self.new_server_gone(method)

    def check_declared(self, method: str) -> None:
        """Raises ``CapabilityError`` for what the server has not declared."""
        path = NEEDED_CAPABILITY[method]
        if not self.is_introduced or path[0] == "completions" and "completions" not in self.row.features:
            return
        declared: "Any" = self.capabilities
        for step in path:
            declared = declared.get(step) if isinstance(declared, dict) else None
            if declared is None or declared is False:
                raise CapabilityError("%s cannot be sent: the server has not declared %s" % (method, ".".join(path)),
                                      {path[0]: {path[1]: True} if len(path) > 1 else {}})

    # What became of the server

    def new_server_gone(self, method: str) -> ServerGone:
        link = self.link
        what = link.describe() if not self.peer.channel.write_failed or self.peer.at_end else "the server reads no more"
        return ServerGone("%s before %s was answered%s" % (what, method, self.describe_silence()), link.data())

    def describe_silence(self) -> str:
        """What helps to find out why no answer comes: the link's details, and lines that were no messages."""
        count, told = self.peer.noise_count, str(self.link.details())
        return told if not count else told + "; %d line%s on its output %s no message, the last: %r" % (
            count, "s" if count > 1 else "", "were" if count > 1 else "was", self.peer.noise[-1])
