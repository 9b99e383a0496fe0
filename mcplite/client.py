"""The client's face: connecting to a server, every request of the protocol as a method, callbacks for what servers ask and tell.

Here: ``Client`` and ``Subscription``. Not here: the loop and its time limits (``client_wire``), processes and pipes
(``stdio_process``), what callbacks may return (``client_answers``), the store of results (``client_cache``).

Pages: basic/lifecycle, basic/utilities/*, server/*, client/* (2024-11-05 to 2025-11-25); basic/versioning, basic/patterns/*,
server/discover, server/utilities/caching, basic/transports/stdio (2026-07-28).

Connecting in sentences:
  1. Ask ``server/discover``. An answer that names a stateless revision settles it, so does error -32022 that names one.
  2. Any other answer, one that cannot be read, or none in ``probe_timeout``, means a handshake: ``initialize`` on the same
     process with our newest.
  3. A process that ended at the question is started again, and gets ``initialize``.
  4. Where the answer to 1 comes late and ``initialize`` is refused, the late answer counts; so does an error (to either) whose
     data names a stateless revision, unless a revision is pinned.

Rules:
  a. What the server has not declared is not asked for by the methods here (``request`` asks for anything).
  b. In a stateless conversation everything travels with the request: version, capabilities, log level; no responses are sent.
  c. Results are the server's own dicts, with every member that it sent.
  d. A server's fault does not cost the user the result: what can be used is returned, and the fault told once, on ``on_log`` or as
     a warning; an exception under ``strict``. Where a member is missing that the method needs (``client_results``) there is no
     result, and ``ServerFault`` names the member; what came all the same is its ``result``.
"""
from __future__ import annotations

from .client_answers import answer_elicitation, answer_sampling, new_client_capabilities, new_roots
from .client_cache import CACHEABLE_METHODS, ResultCache
from .client_results import NEEDED_IN_ENTRIES, result_problem, shape_problem
from .client_wire import ClientPeer, ClientSession, RequestTimeout, ServerFault, ServerGone
from .errors import (
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    RESOURCE_NOT_FOUND,
    UNSUPPORTED_VERSION,
    VERSION,
    CapabilityError,
    LocalProtocolError,
    McpError,
)
from .jsonrpc import new_notification, new_request
from .peer import report_exception
from .revisions import (
    CLIENT_CAPABILITIES_KEY,
    CLIENT_INFO_KEY,
    CORE_REQUESTS,
    HANDSHAKE_DATES,
    LOG_LEVEL_KEY,
    LOG_LEVELS,
    NEWEST_HANDSHAKE,
    NEWEST_STATELESS,
    REVISIONS,
    SERVER_INFO_KEY,
    SUBSCRIPTION_KEY,
    VERSION_KEY,
    choose_stateless,
)
from .stdio import DEFAULT_LINE_LIMIT, monotonic
from .stdio_process import ChildProcess, ServerInMemory, StreamPair, file_uri

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Tuple

    from .revisions import Revision
    from .wiretypes import (
        CallToolResult,
        CompleteResult,
        GetPromptResult,
        Prompt,
        ReadResourceResult,
        Resource,
        ResourceTemplate,
        Tool,
    )

REQUEST_SECONDS = 60.0
PROBE_SECONDS = 5.0
CLOSE_SECONDS = 2.0
CLIENT_ROUND_LIMIT = 10                # answers to questions inside one request (2026-07-28)
LIST_PAGE_LIMIT = 1000
DEFAULT_LOG_LEVEL = "info"      # asked for where there is an on_log and nobody has said which (2026-07-28)

HANDSHAKE_MODE = "handshake"
ROUND_METHODS = ("tools/call", "prompts/get", "resources/read")
CHANGE_KINDS = {"notifications/%s/list_changed" % kind: kind for kind in ("tools", "resources", "prompts")}
FILTER_BY_KIND = {"tools": "toolsListChanged", "prompts": "promptsListChanged", "resources": "resourcesListChanged"}
REMOVED_NOTIFICATIONS = ("notifications/initialized", "notifications/roots/list_changed")
# method → the path of the capability that a server declares for it
NEEDED_CAPABILITY = {
    "tools/list": ("tools",), "tools/call": ("tools",), "prompts/list": ("prompts",), "prompts/get": ("prompts",),
    "resources/list": ("resources",), "resources/templates/list": ("resources",), "resources/read": ("resources",),
    "resources/subscribe": ("resources", "subscribe"), "resources/unsubscribe": ("resources", "subscribe"),
    "logging/setLevel": ("logging",), "completion/complete": ("completions",)}


class ResourceNotFound(McpError):
    """The server has no such resource: code -32002 up to 2025-11-25, -32602 with the URI in its data in 2026-07-28."""


class Client:
    """A connection to one MCP server, blocking, for one thread. A context manager; ``close`` ends it.

    ``target`` is the argument list of a server to start (never a shell; ``npx`` and the like are found on PATH, on Windows
    with PATHEXT), a pair ``(reader, writer)`` of binary streams (they are left open), or a ``Server`` object, which then
    runs in this thread.

    Callbacks, each optional; the server is told what is there and nothing else:

    ``roots``: paths, ``file://`` URIs or dicts ``{"uri", "name"}``, or a function that returns a list of these.
    ``on_elicit(params)``: ask the user; see ``new_elicit_result`` for what it may return: a dict of values, None to decline,
    "cancel", or a whole result. ``on_elicit_url(params)``: show ``params["url"]`` and ask for consent; True or None.
    ``on_sample(params)``: a text, a content block, a list of blocks, a whole result, or None to refuse.
    ``on_log(params)``: a log message, a dict with level, data and perhaps logger. ``on_list_changed(kind)``: "tools",
    "resources" or "prompts". ``on_updated(uri)``: a resource that ``subscribe`` named.
    An exception in a callback that answers a question is told to the server as error -32603 where that waits, and leaves the
    call that is open; ``McpError`` is told as it is. One in ``on_progress`` leaves its call, which is cancelled; one in any
    other callback goes to standard error.

    Times in seconds: ``timeout`` of each request (None: for ever), ``probe_timeout`` of the question for the revision,
    ``close_timeout`` of each step of closing. ``env`` is added to this process's environment (a value None takes a variable
    away); ``inherit_env=False`` hands down only what the official clients do (HOME, PATH, ...). ``stderr`` of the server:
    "capture" (a temporary file; its end is in error texts, see ``read_stderr``), "inherit", "discard", or a file.
    ``revision``: None for the newest that both know, "handshake" for the newest with ``initialize``, or a date, which then is
    the only one accepted. ``strict=True`` makes a line that is no message an error; else such lines are skipped, counted in
    ``noise_count`` and kept in ``noise`` (the newest 20); and so it does with other faults that leave a result to be used (an
    output schema that is none, a list's entry without name), which are else told once: to ``on_log``, with the logger "mcplite",
    or as a ``RuntimeWarning``. ``check_results=False`` turns off checking structured results
    against the tool's output schema, ``cache=False`` turns off keeping results that the server marks as fresh (2026-07-28).
    ``log_level`` is asked for at the start. ``max_rounds`` bounds the questions inside one request, ``max_pages`` the pages
    of a list. ``name``, ``version``, ``title`` introduce this client; ``capabilities`` adds members or details (for example
    ``{"sampling": {"tools": {}}}``), ``extensions`` declares extensions. ``line_limit`` in bytes.

    Attributes: ``server_info``, ``capabilities`` (dicts), ``revision`` (a date), ``instructions`` (text or None),
    ``handlers`` and ``notified`` (the dispatch tables, plain dicts: ``notified["notifications/elicitation/complete"] = function``
    takes any other notification), ``unmatched`` (answers that nobody waited for).

    Raises ``McpError`` when no connection comes about; ``TypeError`` and ``ValueError`` for wrong arguments. No process is
    left behind then. Pages: basic/lifecycle; basic/versioning and basic/transports/stdio of 2026-07-28.
    """

    def __init__(self, target: "Any", *, roots: "Any" = None, on_elicit: "Optional[Callable[..., Any]]" = None,
                 on_elicit_url: "Optional[Callable[..., Any]]" = None, on_sample: "Optional[Callable[..., Any]]" = None,
                 on_log: "Optional[Callable[..., Any]]" = None, on_list_changed: "Optional[Callable[..., Any]]" = None,
                 on_updated: "Optional[Callable[..., Any]]" = None, log_level: "Optional[str]" = None,
                 timeout: "Optional[float]" = REQUEST_SECONDS, probe_timeout: float = PROBE_SECONDS,
                 close_timeout: float = CLOSE_SECONDS, env: "Optional[Dict[str, Optional[str]]]" = None, inherit_env: bool = True,
                 cwd: "Any" = None, stderr: "Any" = "capture", revision: "Optional[str]" = None, strict: bool = False,
                 check_results: bool = True, cache: bool = True, max_rounds: int = CLIENT_ROUND_LIMIT,
                 max_pages: int = LIST_PAGE_LIMIT,
                 name: str = "mcplite", version: str = VERSION, title: "Optional[str]" = None,
                 capabilities: "Optional[Dict[str, Any]]" = None, extensions: "Optional[Dict[str, Any]]" = None,
                 line_limit: int = DEFAULT_LINE_LIMIT) -> None:
        check_wanted_revision(revision)
        check_log_level(log_level)
        self.link: "Any" = None
        self.given_roots, self.on_elicit, self.on_elicit_url, self.on_sample = roots, on_elicit, on_elicit_url, on_sample
        if roots is not None:
            new_roots(roots, file_uri)
        self.on_log, self.on_list_changed, self.on_updated = on_log, on_list_changed, on_updated
        self.timeout, self.probe_timeout, self.close_timeout = timeout, probe_timeout, close_timeout
        self.wanted, self.strict, self.check_results = revision, strict, check_results
        self.cache = ResultCache() if cache else None
        self.max_rounds, self.max_pages = max_rounds, max_pages
        self.info: "Dict[str, Any]" = {"name": name, "version": version}
        if title is not None:
            self.info["title"] = title
        self.more_capabilities = dict(capabilities or {})
        if extensions is not None:
            self.more_capabilities["extensions"] = extensions
        self.log_level = log_level
        self.row: "Revision" = NEWEST_STATELESS         # in force; while connecting, the one being tried
        self.capabilities: "Dict[str, Any]" = {}
        self.server_info: "Dict[str, Any]" = {}
        self.instructions: "Optional[str]" = None
        self.handlers = self.new_handlers()
        self.notified: "Dict[str, Callable[[Dict[str, Any]], Any]]" = {
            "notifications/message": self.take_log, "notifications/resources/updated": self.take_updated,
            "notifications/subscriptions/acknowledged": self.take_acknowledged}
        for method, kind in CHANGE_KINDS.items():
            self.notified[method] = self.new_change_taker(method, kind)
        self.subscriptions: "Dict[int, Subscription]" = {}
        self.subscribed: "Dict[str, Subscription]" = {}             # URI → the stream of subscribe() (2026-07-28)
        self.output_schemas: "Dict[str, Any]" = {}                  # of the tools that a list has shown
        self.result_validators: "Dict[str, Any]" = {}
        self.tools_known = False                                    # a whole list has been seen since the last change
        self.told_faults: "Dict[str, bool]" = {}
        self.is_introduced = True                                   # the server has said what it can do
        self.link = new_link(target, env, inherit_env, cwd, stderr, line_limit)
        try:
            self.attach()
            self.connect()
        except BaseException:
            self.close()
            raise

    # Connecting

    def attach(self) -> None:
        """Join a new session to the link's channel."""
        self.session = ClientSession(self.info)
        self.peer = ClientPeer(self.session, self.link.channel, self.handlers, self.notified, self.strict)
        self.peer.explain_end = self.new_server_gone
        self.peer.explain_silence = self.describe_silence
        self.peer.on_cancelled = self.take_cancelled
        if self.link.kind == "memory":
            self.link.channel.inner.step = self.peer.run_step

    def connect(self) -> None:
        """Find the revision that both speak (module head)."""
        wanted = REVISIONS.get(self.wanted) if self.wanted is not None else None
        if wanted is not None and wanted.stateless or self.wanted is None:
            self.probe(wanted)
        else:
            self.initialize(wanted or NEWEST_HANDSHAKE)
        self.peer.connecting = False
        if self.log_level is not None and not self.row.stateless:
            self.set_log_level(self.log_level)
        if self.row.stateless and self.on_list_changed is not None:
            self.listen_for_lists()

    def probe(self, pinned: "Optional[Revision]") -> None:
        """Ask ``server/discover``, and stay with what the answer says (basic/transports/stdio, "Backward Compatibility")."""
        peer, limit = self.peer, self.probe_timeout
        if self.timeout is not None and self.timeout < limit or pinned is not None:
            limit = self.timeout if self.timeout is not None else limit
        request_id = self.session.new_id()
        peer.answers[request_id] = None
        try:
            peer.send_request(new_request(request_id, "server/discover", self.new_params(None)), "server/discover")
            response = self.ask_offered(peer.await_response(request_id, "server/discover", limit), limit)
            if response is None and pinned is not None:
                raise peer.new_timeout(request_id, "server/discover", limit)
            if response is None:
                self.initialize_or_recall(request_id)
            else:
                self.judge_probe(response, pinned)
        except ServerGone:
            if pinned is not None or self.link.kind != "process" or not self.link.has_exited(1.0):
                raise
            self.link.restart(self.close_timeout)
            self.attach()
            self.initialize(NEWEST_HANDSHAKE)
        finally:
            peer.answers.pop(request_id, None)
            peer.attempts.pop(request_id, None)

    def initialize_or_recall(self, request_id: int) -> None:
        """The probe got no answer in time, or one that names no revision of ours: shake hands, unless that is refused and the
        probe's answer, or the refusal, says that a stateless conversation is what the server wants."""
        try:
            self.initialize(NEWEST_HANDSHAKE)
        except ServerGone:
            raise
        except McpError as error:
            probe = self.peer.answers.get(request_id)
            if probe is not None and choose_discovered(probe) is not None:
                self.judge_probe(probe, None)
                return
            row = choose_stateless(supported_in_data(error.data) + supported_in_answer(probe))
            if row is not None:
                self.discover_again(row)
            elif isinstance(error, ServerFault) or probe is None:
                raise
            else:
                raise self.explain_refusal(probe, error) from None

    def discover_again(self, row: "Revision") -> None:
        """An error named ``row``. Ask for the introduction once more; a server that has none is used without."""
        self.row = row
        request_id = self.session.new_id()
        try:
            result = self.peer.ask_as(request_id, "server/discover", self.new_params(None), self.probe_timeout)
        except ServerGone:
            raise
        except McpError:
            result = {}
        self.is_introduced = is_discover_result(result)
        self.begin_stateless(row, result)

    def judge_probe(self, response: "Any", pinned: "Optional[Revision]") -> None:
        """Act on the answer to ``server/discover``: stay, shake hands, or give up."""
        row = choose_discovered(response)
        if row is not None:
            self.begin_stateless(row, response.result)
        elif pinned is None:
            self.initialize_or_recall(response.id)
        else:
            supported = supported_in_answer(response)
            if not supported and not is_discover_result(getattr(response, "result", None)):
                raise self.refuse_pinned(response, pinned)
            raise self.no_common_version(supported, pinned.date)

    def explain_refusal(self, probe: "Any", error: McpError) -> McpError:
        """Return what to raise where neither the probe nor ``initialize`` led to a revision."""
        supported = supported_in_answer(probe)
        if supported and not any(date in HANDSHAKE_DATES for date in supported):
            return self.no_common_version(supported, NEWEST_STATELESS.date)
        try:
            self.peer.read_answer(probe, "server/discover")
        except ServerFault as fault:
            return ServerFault("%s; then %s" % (fault.message, error.message))
        except McpError:
            pass
        return error

    def refuse_pinned(self, response: "Any", pinned: "Revision") -> McpError:
        """Return what to raise where the one revision wanted is not what the server speaks."""
        try:
            self.peer.read_answer(response, "server/discover")
        except ServerFault as fault:
            return fault
        except McpError as error:
            return McpError(error.code, "the server does not speak %s: it answered server/discover with the error: %s"
                            % (pinned.date, error.message), error.data)
        return ServerFault("the server does not speak %s: it answered server/discover without supportedVersions" % pinned.date)

    def ask_offered(self, response: "Any", limit: float) -> "Any":
        """Return the answer to ``server/discover``: ``response``, or where that refuses and offers a revision of ours, what
        comes when it is asked again, if that settles it (basic/versioning, "Protocol Version Negotiation")."""
        if getattr(response, "error", None) is None or choose_stateless(supported_in_answer(response)) is None:
            return response
        request_id = self.session.new_id()
        self.peer.answers[request_id] = None
        try:
            self.peer.send_request(new_request(request_id, "server/discover", self.new_params(None)), "server/discover")
            again = self.peer.await_response(request_id, "server/discover", limit)
        finally:
            del self.peer.answers[request_id]
        return response if choose_discovered(again) is None else again

    def begin_stateless(self, row: "Revision", result: "Dict[str, Any]") -> None:
        self.row, self.session.stateless = row, True
        meta = result.get("_meta")
        self.take_introduction(result, meta.get(SERVER_INFO_KEY) if isinstance(meta, dict) else None)
        if self.cache is not None:
            self.cache.keep("server/discover", None, result, monotonic(), self.cache.changes)

    def take_introduction(self, result: "Dict[str, Any]", info: "Any") -> None:
        capabilities, instructions = result.get("capabilities"), result.get("instructions")
        self.capabilities = capabilities if isinstance(capabilities, dict) else {}
        self.server_info = info if isinstance(info, dict) else {}
        self.instructions = instructions if isinstance(instructions, str) else None
        self.session.their_capabilities, self.session.their_info = self.capabilities, self.server_info

    def initialize(self, row: "Revision") -> None:
        """Shake hands, offering ``row`` (basic/lifecycle, "Initialization"). It is never cancelled.

        What the server says of itself (``capabilities``, ``serverInfo``) may be missing; its version may not.
        """
        self.row = row
        params = {"protocolVersion": row.date, "capabilities": self.own_capabilities(), "clientInfo": self.own_info()}
        result = self.peer.ask_as(self.session.new_id(), "initialize", params, self.timeout, cancellable=False)
        self.check_members("initialize", result)
        answered = result["protocolVersion"]
        pinned = self.wanted if self.wanted in REVISIONS else None
        if answered not in HANDSHAKE_DATES or pinned is not None and answered != pinned:
            raise self.no_common_version([answered], pinned or row.date)
        self.row = self.session.row = self.session.style = REVISIONS[answered]
        self.take_introduction(result, result.get("serverInfo"))
        self.notify("notifications/initialized")

    def no_common_version(self, theirs: "List[Any]", asked: str) -> McpError:
        ours = [asked] if self.wanted in REVISIONS else list(REVISIONS)
        return McpError(UNSUPPORTED_VERSION, "no common protocol version: the server speaks %s, this client %s%s" % (
            ", ".join(map(str, theirs)) or "none that it names", ", ".join(ours), self.link.details()),
            {"supported": theirs, "requested": asked})

    @property
    def revision(self) -> str:
        return self.row.date

    # What went by

    @property
    def noise(self) -> "List[str]":
        return self.peer.noise

    @property
    def noise_count(self) -> int:
        return self.peer.noise_count

    @property
    def unmatched(self) -> int:
        return self.peer.unmatched

    def read_stderr(self) -> str:
        """Return the end of what the server wrote on standard error, where that is captured."""
        return str(self.link.read_tail())

    def new_server_gone(self, method: str) -> McpError:
        link = self.link
        what = link.describe() if not self.peer.channel.write_failed or self.peer.at_end else "the server reads no more"
        return ServerGone("%s before %s was answered%s" % (what, method, link.details() + self.describe_noise()), link.data())

    def describe_silence(self) -> str:
        return str(self.link.details()) + self.describe_noise()

    def describe_noise(self) -> str:
        if not self.noise_count:
            return ""
        return "; %d line%s on its output %s no message, the last: %r" % (
            self.noise_count, "s" if self.noise_count > 1 else "", "were" if self.noise_count > 1 else "was", self.noise[-1])

    # Ending

    def close(self) -> None:
        """End the connection: end of input, wait, terminate, kill, each bounded. A second call does nothing."""
        link, self.link = self.link, ClosedLink() if self.link is not None else None
        if link is not None and not isinstance(link, ClosedLink):
            self.link.tail = ""
            if hasattr(self, "peer"):
                self.peer.at_end = True
                self.peer.inbox.clear()
            link.close(self.close_timeout)
            self.link.tail = link.read_tail()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *failure: "Any") -> None:
        self.close()

    # Sending

    def request(self, method: str, params: "Optional[Dict[str, Any]]" = None, *, timeout: "Optional[float]" = None,
                on_progress: "Optional[Callable[..., Any]]" = None, meta: "Optional[Dict[str, Any]]" = None) -> "Dict[str, Any]":
        """Send any request and return its result.

        ``params`` is an object; what 2026-07-28 wants in its ``_meta`` is added, and ``meta`` (trace context, for example).
        ``timeout`` in seconds (None: the client's own; ``float("inf")``: for ever). ``on_progress(progress, total, message)`` is
        called as the server reports. Questions that come in a result are answered by the callbacks and the request is sent again
        (2026-07-28, basic/patterns/mrtr). Raises ``McpError`` for an error, after a time-out (-32001) and when the server has
        ended (-32000); ``LocalProtocolError`` for a method that the revision in force does not have.
        """
        row = self.row
        if method in CORE_REQUESTS and method not in row.requests:
            raise LocalProtocolError("%s does not exist in revision %s" % (method, row.date))
        limit = self.limit_of(timeout)
        if not row.stateless:
            return self.send_once(method, params, limit, on_progress, meta)
        cache = self.cache if method in CACHEABLE_METHODS else None
        if cache is None:
            return self.send_rounds(method, params, limit, on_progress, meta)[0]
        kept = cache.find(method, params, monotonic())
        if kept is not None and not isinstance(self.link, ClosedLink):
            return kept
        changes = cache.changes
        result, rounds = self.send_rounds(method, params, limit, on_progress, meta)
        if rounds == 0:
            cache.keep(method, params, result, monotonic(), changes)
        return result

    def limit_of(self, timeout: "Optional[float]") -> "Optional[float]":
        """Return the time limit of one request: what is said, else the client's own; None for for ever."""
        limit = self.timeout if timeout is None else timeout
        return None if limit == float("inf") else limit

    def send_rounds(self, method: str, params: "Optional[Dict[str, Any]]", limit: "Optional[float]",
                    on_progress: "Optional[Callable[..., Any]]", meta: "Optional[Dict[str, Any]]") -> "Tuple[Dict[str, Any], int]":
        """Send a request until its result is complete; return it and the number of answered rounds (basic/patterns/mrtr)."""
        sent = params
        for rounds in range(self.max_rounds + 1):
            result = self.send_once(method, sent, limit, on_progress, meta)
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

    def send_once(self, method: str, params: "Optional[Dict[str, Any]]", limit: "Optional[float]",
                  on_progress: "Optional[Callable[..., Any]]", meta: "Optional[Dict[str, Any]]") -> "Dict[str, Any]":
        self.check_open(method)
        self.link.rest()
        request_id = self.session.new_id()
        whole = self.new_params(params, meta, None if on_progress is None else request_id)
        if on_progress is None:
            return self.peer.ask_as(request_id, method, whole, limit, method != "initialize")
        self.peer.progress[request_id] = on_progress
        try:
            return self.peer.ask_as(request_id, method, whole, limit, method != "initialize")
        finally:
            del self.peer.progress[request_id]

    def check_open(self, method: str) -> None:
        if isinstance(self.link, ClosedLink):
            raise ServerGone("%s cannot be sent: this client is closed" % method)
        if self.peer.at_end and not self.peer.inbox:
            raise self.new_server_gone(method)

    def new_params(self, params: "Optional[Dict[str, Any]]", meta: "Optional[Dict[str, Any]]" = None, token: "Optional[int]" = None,
                   with_log_level: bool = True) -> "Optional[Dict[str, Any]]":
        """Return ``params`` with everything that belongs in ``_meta`` (basic/index, "Per-request protocol fields")."""
        if not self.row.stateless and meta is None and token is None:
            return params
        whole = dict(params or {})
        members: "Dict[str, Any]" = {}
        if self.row.stateless:
            members = {VERSION_KEY: self.row.date, CLIENT_INFO_KEY: self.own_info(),
                       CLIENT_CAPABILITIES_KEY: self.own_capabilities()}
            level = self.log_level or (DEFAULT_LOG_LEVEL if self.on_log is not None else None)
            if level is not None and "logging" in self.capabilities and with_log_level:
                members[LOG_LEVEL_KEY] = level
        members.update(whole.get("_meta") or {})
        members.update(meta or {})
        if token is not None:
            members["progressToken"] = token
        whole["_meta"] = members
        return whole

    def notify(self, method: str, params: "Optional[Dict[str, Any]]" = None) -> None:
        """Send any notification. Raises ``McpError`` (-32000) when the server reads no more, ``LocalProtocolError`` for one that
        the revision in force does not have."""
        if self.row.stateless and method in REMOVED_NOTIFICATIONS:
            raise LocalProtocolError("%s does not exist in revision %s" % (method, self.row.date))
        self.check_open(method)
        if not self.peer.notify_now(new_notification(method, params), self.timeout):
            raise self.new_server_gone(method)

    def poll(self, timeout: float = 0) -> bool:
        """Take in what the server has sent by itself, and call the callbacks; waits at most ``timeout`` seconds for something.

        Returns False once the server has ended. Every other method does this while it waits for its answer.
        """
        peer = self.peer
        if isinstance(self.link, ClosedLink):
            return False
        until = monotonic() + timeout
        left = timeout
        while not peer.serve_waiting() and peer.take_input(max(0.0, left)) and left > 0:
            left = until - monotonic()
        while peer.serve_waiting():
            pass
        drain = getattr(peer.channel, "drain", None)
        if drain is not None and not peer.at_end:
            drain(self.timeout)
        return not peer.at_end

    def check_declared(self, method: str) -> None:
        """Raises ``CapabilityError`` for what the server has not declared (rule a)."""
        path = NEEDED_CAPABILITY[method]
        if not self.is_introduced:
            return
        if path[0] == "completions" and "completions" not in self.row.features:
            return
        declared: "Any" = self.capabilities
        for step in path:
            declared = declared.get(step) if isinstance(declared, dict) else None
            if declared is None or declared is False:
                raise CapabilityError("%s cannot be sent: the server has not declared %s" % (method, ".".join(path)),
                                      {path[0]: {path[1]: True} if len(path) > 1 else {}})

    # Tools (server/tools)

    def list_tools(self, *, timeout: "Optional[float]" = None, meta: "Optional[Dict[str, Any]]" = None) -> "Iterator[Tool]":
        """Yield every tool of the server, page by page. Raises as ``request`` does, and ``ServerFault`` for a list that cannot go
        on (a cursor that comes twice): what was yielded is its ``result``."""
        return self.walk_pages("tools/list", "tools", timeout, meta)

    def call_tool(self, name: str, arguments: "Optional[Dict[str, Any]]" = None, *,
                  on_progress: "Optional[Callable[..., Any]]" = None,
                  timeout: "Optional[float]" = None, meta: "Optional[Dict[str, Any]]" = None) -> "CallToolResult":
        """Call a tool; return its result, a dict with ``content`` and perhaps ``structuredContent`` and ``isError``.

        A failed tool is a result with ``isError`` true. Structured results are checked against the tool's output schema (the
        list is fetched when the tool is not known yet). Raises as ``request`` does, ``ServerFault`` for a result that does not fit,
        or has no ``content``: what came is its ``result``, since the tool has acted. A schema that cannot be used is told (rule d);
        under ``strict`` that is found out before the call.
        """
        self.check_declared("tools/call")
        checks = self.check_results and "structured_content" in self.row.features
        if checks and self.strict:
            self.find_result_validator(name)
        try:
            result = self.request("tools/call", {"name": name, "arguments": {} if arguments is None else arguments},
                                  timeout=timeout, on_progress=on_progress, meta=meta)
        except McpError as error:
            if error.code in (INVALID_PARAMS, METHOD_NOT_FOUND) and self.cache is not None:
                self.cache.drop_list("tools")           # what was listed may be gone
            raise
        self.check_members("tools/call", result)
        if checks and not result.get("isError"):
            try:
                self.check_result(name, result)
            except ServerFault as fault:                    # the tool has acted, whatever the list says of it
                fault.result = result
                raise
        return result  # type: ignore[return-value]

    def check_result(self, name: str, result: "Dict[str, Any]") -> None:
        """Check a structured result (server/tools, "Output Schema"): clients SHOULD."""
        validator = self.find_result_validator(name)
        if validator is None:
            return
        if "structuredContent" not in result:
            raise ServerFault("tool %s has an output schema, but its result has no structuredContent" % name, {"result": result},
                              result)
        problems = validator.problems(result["structuredContent"])
        if problems:
            from .schema import problem_text

            raise ServerFault("the result of tool %s does not fit its output schema: %s" % (name, problem_text(problems)),
                              {"result": result, "problems": problems}, result)

    def find_result_validator(self, name: str) -> "Any":
        """Return the validator of a tool's results, None where it has no output schema, none that can be used, or is in no list."""
        if name not in self.output_schemas and not self.tools_known:
            try:
                for _ in self.list_tools():
                    pass
            except Exception as error:                      # a list that fails does not make a good result bad
                if self.strict and isinstance(error, ServerFault):
                    raise
                if not isinstance(error, McpError):         # of a callback that was asked something meanwhile
                    report_exception(error)
            self.tools_known = True
        schema = self.output_schemas.get(name)
        if schema is None:
            return None
        if name not in self.result_validators:
            from .schema import SchemaError, Validator

            try:
                self.result_validators[name] = Validator(schema)
            except SchemaError as error:
                self.result_validators[name] = None
                self.tell_fault("the results of tool %s are unchecked: its output schema cannot be used: %s" % (name, error))
        return self.result_validators[name]

    def check_members(self, method: str, result: "Dict[str, Any]") -> None:
        """Raises ``ServerFault`` for a result that lacks what its method needs."""
        problem = result_problem(method, result)
        if problem is not None:
            raise ServerFault("%s was answered with a result that cannot be used: %s" % (method, problem), result=result)

    def tell_fault(self, text: str, result: "Any" = None) -> None:
        """Tell, once, a fault of the server that leaves the result to be used; an exception under ``strict`` (rule d)."""
        if self.strict:
            raise ServerFault(text, result=result)
        if text in self.told_faults:
            return
        self.told_faults[text] = True
        if self.on_log is None:
            import warnings

            warnings.warn(text, RuntimeWarning, stacklevel=4)
            return
        try:
            self.on_log({"level": "warning", "logger": "mcplite", "data": text})
        except Exception as error:
            report_exception(error)

    def forget_tools(self) -> None:
        self.output_schemas.clear()
        self.result_validators.clear()
        self.tools_known = False

    def note_tools(self, tools: "List[Dict[str, Any]]") -> None:
        for tool in tools:
            name = tool.get("name")
            if isinstance(name, str):
                schema = tool.get("outputSchema")
                if self.output_schemas.get(name) != schema:
                    self.result_validators.pop(name, None)
                self.output_schemas[name] = schema

    # Resources (server/resources)

    def list_resources(self, *, timeout: "Optional[float]" = None, meta: "Optional[Dict[str, Any]]" = None
                       ) -> "Iterator[Resource]":
        """Yield every resource of the server; as ``list_tools``."""
        return self.walk_pages("resources/list", "resources", timeout, meta)

    def list_resource_templates(self, *, timeout: "Optional[float]" = None, meta: "Optional[Dict[str, Any]]" = None
                                ) -> "Iterator[ResourceTemplate]":
        """Yield every resource template of the server; as ``list_tools``."""
        return self.walk_pages("resources/templates/list", "resourceTemplates", timeout, meta)

    def read_resource(self, uri: str, *, on_progress: "Optional[Callable[..., Any]]" = None, timeout: "Optional[float]" = None,
                      meta: "Optional[Dict[str, Any]]" = None) -> "ReadResourceResult":
        """Read a resource; return a dict with ``contents``. Raises ``ResourceNotFound`` where there is none, else as
        ``request``."""
        self.check_declared("resources/read")
        try:
            result = self.request("resources/read", {"uri": uri}, timeout=timeout, on_progress=on_progress, meta=meta)
        except McpError as error:
            if error.code == RESOURCE_NOT_FOUND or error.code == INVALID_PARAMS and isinstance(error.data, dict) \
                    and error.data.get("uri") == uri:
                raise ResourceNotFound(error.code, error.message, error.data) from None
            raise
        self.check_members("resources/read", result)
        return result  # type: ignore[return-value]

    def subscribe(self, uri: str, *, timeout: "Optional[float]" = None) -> None:
        """Be told by ``on_updated`` when a resource changes (server/resources; a ``listen`` of its own in 2026-07-28)."""
        self.check_declared("resources/subscribe")
        if not self.row.stateless:
            self.request("resources/subscribe", {"uri": uri}, timeout=timeout)
        elif uri not in self.subscribed or self.subscribed[uri].ended:
            stream = self.listen(uris=[uri], timeout=timeout)
            agreed = (stream.agreed or {}).get("resourceSubscriptions")
            if not isinstance(agreed, list) or uri not in agreed:
                stream.close()
                raise ServerFault("the server has not agreed to tell about changes of %s" % uri)
            self.subscribed[uri] = stream

    def unsubscribe(self, uri: str, *, timeout: "Optional[float]" = None) -> None:
        """Be told no more."""
        if not self.row.stateless:
            self.check_declared("resources/unsubscribe")
            self.request("resources/unsubscribe", {"uri": uri}, timeout=timeout)
        elif uri in self.subscribed:
            self.subscribed.pop(uri).close()

    # Prompts and completion (server/prompts, server/utilities/completion)

    def list_prompts(self, *, timeout: "Optional[float]" = None, meta: "Optional[Dict[str, Any]]" = None) -> "Iterator[Prompt]":
        """Yield every prompt of the server; as ``list_tools``."""
        return self.walk_pages("prompts/list", "prompts", timeout, meta)

    def get_prompt(self, name: str, arguments: "Optional[Dict[str, str]]" = None, *,
                   on_progress: "Optional[Callable[..., Any]]" = None,
                   timeout: "Optional[float]" = None, meta: "Optional[Dict[str, Any]]" = None) -> "GetPromptResult":
        """Return a prompt filled in: a dict with ``messages``. ``arguments`` are texts; anything else raises ``TypeError``."""
        self.check_declared("prompts/get")
        for argument, value in (arguments or {}).items():
            if not isinstance(value, str):
                raise TypeError("argument %r of prompt %s must be a text, not %r" % (argument, name, value))
        params: "Dict[str, Any]" = {"name": name}
        if arguments is not None:
            params["arguments"] = arguments
        result = self.request("prompts/get", params, timeout=timeout, on_progress=on_progress, meta=meta)
        self.check_members("prompts/get", result)
        return result  # type: ignore[return-value]

    def complete(self, ref: "Any", name: str, value: str, arguments: "Optional[Dict[str, str]]" = None, *,
                 timeout: "Optional[float]" = None) -> "CompleteResult":
        """Ask how the argument ``name``, typed as far as ``value``, may go on; return a dict with ``completion``.

        ``ref`` is ``{"type": "ref/prompt", "name": ...}`` or ``{"type": "ref/resource", "uri": ...}``, or in short a prompt's name
        or a template's URI. ``arguments`` are those filled in already (from 2025-06-18 on).
        """
        self.check_declared("completion/complete")
        if isinstance(ref, str):
            ref = {"type": "ref/resource", "uri": ref} if "://" in ref or "{" in ref else {"type": "ref/prompt", "name": ref}
        params: "Dict[str, Any]" = {"ref": ref, "argument": {"name": name, "value": value}}
        if arguments is not None and "completion_context" in self.row.features:
            params["context"] = {"arguments": arguments}
        result = self.request("completion/complete", params, timeout=timeout)
        self.check_members("completion/complete", result)
        return result  # type: ignore[return-value]

    # Lists (server/utilities/pagination)

    def walk_pages(self, method: str, member: str, timeout: "Optional[float]", meta: "Optional[Dict[str, Any]]"
                   ) -> "Iterator[Any]":
        """Yield the entries of every page; a cursor that is missing, null or "" ends the list, as it does for the official clients.

        An entry without what it is called by is left out and told (rule d). Raises ``ServerFault`` where the list cannot go on:
        what has been yielded is its ``result``.
        """
        self.check_declared(method)
        seen: "Dict[str, bool]" = {}
        params: "Optional[Dict[str, Any]]" = None
        received: "List[Dict[str, Any]]" = []
        for _ in range(self.max_pages):
            try:
                result = self.request(method, params, timeout=timeout, meta=meta)
            except McpError as error:
                if params is not None and error.code == INVALID_PARAMS and self.cache is not None:
                    self.cache.drop_methods(method)     # a cursor that is good no more: pages that were kept are not, either
                raise
            entries, cursor = result.get(member), result.get("nextCursor")
            if not isinstance(entries, list):
                raise ServerFault("%s was answered without a list of %s" % (method, member), result=received)
            usable = [entry for index, entry in enumerate(entries)
                      if self.is_usable(method, entry, "%s[%d]" % (member, index), received)]
            if member == "tools":
                self.note_tools(usable)
            for entry in usable:
                received.append(entry)
                yield entry
            if cursor is None or cursor == "":
                if member == "tools":
                    self.tools_known = True
                return
            if not isinstance(cursor, str):
                raise ServerFault("%s was answered with the cursor %r: a cursor is a string" % (method, cursor), result=received)
            if cursor in seen:
                raise ServerFault("%s came back to the cursor %r: the list would never end" % (method, cursor), result=received)
            seen[cursor] = True
            params = {"cursor": cursor}
        raise ServerFault("%s has more than %d pages (max_pages)" % (method, self.max_pages), result=received)

    def is_usable(self, method: str, entry: "Any", path: str, received: "List[Dict[str, Any]]") -> bool:
        problem = shape_problem(entry, NEEDED_IN_ENTRIES[method], path)
        if problem is not None:
            self.tell_fault("%s was answered with an entry that cannot be used: %s" % (method, problem), received)
        return problem is None

    # Utilities

    def ping(self, *, timeout: "Optional[float]" = None) -> "Dict[str, Any]":
        """See that the server answers (basic/utilities/ping; 2026-07-28 has no ping: ``server/discover`` is asked instead)."""
        if not self.row.stateless:
            return self.request("ping", timeout=timeout)
        return self.send_once("server/discover", None, self.limit_of(timeout), None, None)

    def set_log_level(self, level: "Optional[str]") -> None:
        """Ask for log messages from ``level`` on, one of the eight from "debug" to "emergency" (server/utilities/logging).

        In 2026-07-28 it goes with every later request; None asks for none there. Raises ``ValueError`` for another level.
        """
        check_log_level(level)
        if self.row.stateless:
            self.log_level = level
            if level is None:
                self.on_log = None
        elif level is None:
            raise ValueError("revision %s knows no level below which nothing is sent: use one of %s"
                             % (self.row.date, ", ".join(LOG_LEVELS)))
        else:
            self.check_declared("logging/setLevel")
            self.request("logging/setLevel", {"level": level})
            self.log_level = level

    def set_roots(self, roots: "Any") -> None:
        """Replace the roots, and tell the server (client/roots). Only where ``roots`` was given at the start: else
        ``LocalProtocolError``, since the server was told that there are none."""
        if self.given_roots is None:
            raise LocalProtocolError("this client was made without roots=, and the server was told so")
        new_roots(roots, file_uri)
        self.given_roots = roots
        if not self.row.stateless:
            self.notify("notifications/roots/list_changed")

    # Subscriptions (2026-07-28, basic/patterns/subscriptions)

    def listen(self, *, tools: bool = False, prompts: bool = False, resources: bool = False, uris: "Iterable[str]" = (),
               on_change: "Optional[Callable[..., Any]]" = None, timeout: "Optional[float]" = None) -> "Subscription":
        """Open a stream of changes: of the lists said, and of the resources ``uris``. Returns it, agreed to by the server.

        ``on_change(method, params)`` is called for what comes on it, before ``on_list_changed`` and ``on_updated``. Changes come
        in while a method waits for its answer, and in ``poll``. Raises ``LocalProtocolError`` up to 2025-11-25, where changes of
        lists come unasked and ``subscribe`` does the rest; else as ``request`` does.
        """
        wanted: "Dict[str, Any]" = {FILTER_BY_KIND[kind]: True for kind, asked in
                                    (("tools", tools), ("prompts", prompts), ("resources", resources)) if asked}
        if uris:
            wanted["resourceSubscriptions"] = list(uris)
        stream = self.open_stream(wanted, on_change)
        limit = self.limit_of(timeout)
        try:
            until = None if limit is None else monotonic() + limit
            while stream.agreed is None and not stream.ended:
                left = None if until is None else until - monotonic()
                if left is not None and left <= 0:
                    raise RequestTimeout("subscriptions/listen was not acknowledged within %g seconds" % (limit or 0))
                if not self.peer.serve_waiting() and not self.peer.take_input(left):
                    raise self.new_server_gone("subscriptions/listen")
        except BaseException:
            stream.close()
            raise
        if stream.error is not None:
            raise stream.error
        return stream

    def open_stream(self, wanted: "Dict[str, Any]", on_change: "Optional[Callable[..., Any]]") -> "Subscription":
        """Send ``subscriptions/listen`` and go on: what comes of it is served like everything else."""
        if not self.row.stateless:
            raise LocalProtocolError("subscriptions/listen does not exist in revision %s: changes of lists come unasked there, "
                                     "and subscribe() asks for those of a resource" % self.row.date)
        self.check_open("subscriptions/listen")
        stream = Subscription(self, self.session.new_id(), on_change)
        self.subscriptions[stream.id] = stream
        self.peer.streams[stream.id] = stream.take_end
        params = self.new_params({"notifications": wanted}, with_log_level=False)
        self.peer.send_request(new_request(stream.id, "subscriptions/listen", params), "subscriptions/listen")
        return stream

    def listen_for_lists(self) -> None:
        """There is an ``on_list_changed``: open a stream for the lists whose changes the server tells."""
        wanted = {FILTER_BY_KIND[kind]: True for kind in FILTER_BY_KIND
                  if isinstance(self.capabilities.get(kind), dict) and self.capabilities[kind].get("listChanged") is True}
        if wanted:
            self.open_stream(wanted, None)

    def find_stream(self, params: "Dict[str, Any]") -> "Optional[Subscription]":
        """Return the stream that a notification came on (by its subscriptionId: all share one channel), or None."""
        meta = params.get("_meta")
        given = meta.get(SUBSCRIPTION_KEY) if isinstance(meta, dict) else None
        return self.subscriptions.get(self.peer.find_open(given, self.subscriptions))

    # What servers tell

    def take_log(self, params: "Dict[str, Any]") -> None:
        if self.on_log is not None:
            self.on_log(params)

    def new_change_taker(self, method: str, kind: str) -> "Callable[[Dict[str, Any]], Any]":
        def take_list_changed(params: "Dict[str, Any]") -> None:
            if self.cache is not None:
                self.cache.drop_list(kind)
            if kind == "tools":
                self.forget_tools()
            if self.is_wanted(method, params) and self.on_list_changed is not None:
                self.on_list_changed(kind)

        return take_list_changed

    def take_updated(self, params: "Dict[str, Any]") -> None:
        uri = params.get("uri")
        if not isinstance(uri, str):
            return
        if self.cache is not None:
            self.cache.drop_resource(uri)
        if self.is_wanted("notifications/resources/updated", params) and self.on_updated is not None:
            self.on_updated(uri)

    def is_wanted(self, method: str, params: "Dict[str, Any]") -> bool:
        """Tell the stream that a change came on; in a stateless conversation, what comes on none is not for us."""
        if not self.row.stateless:
            return True
        stream = self.find_stream(params)
        if stream is None:
            return False
        if stream.on_change is not None:
            try:
                stream.on_change(method, params)
            except Exception as error:
                report_exception(error)
        return True

    def take_acknowledged(self, params: "Dict[str, Any]") -> None:
        stream, agreed = self.find_stream(params), params.get("notifications")
        if stream is not None and stream.agreed is None:
            stream.agreed = agreed if isinstance(agreed, dict) else {}

    def take_cancelled(self, request_id: "Any") -> None:
        """The server tears a stream down (2026-07-28, basic/patterns/cancellation)."""
        stream = self.subscriptions.get(self.peer.find_open(request_id, self.subscriptions))
        if stream is not None:
            stream.end("cancelled by the server")

    # What servers ask

    def new_handlers(self) -> "Dict[str, Callable[[Dict[str, Any], Any], Any]]":
        """Return the dispatch table: what there is a callback for, and ``ping``. All else is -32601."""
        found: "Dict[str, Callable[[Dict[str, Any], Any], Any]]" = {"ping": lambda params, request: {}}
        if self.given_roots is not None:
            found["roots/list"] = lambda params, request: {"roots": new_roots(self.given_roots, file_uri)}
        if self.on_sample is not None:
            found["sampling/createMessage"] = self.sampling_create_message
        if self.on_elicit is not None or self.on_elicit_url is not None:
            found["elicitation/create"] = found["elicitation/request"] = self.elicitation_create
        return found

    def elicitation_create(self, params: "Dict[str, Any]", request: "Any") -> "Dict[str, Any]":
        return answer_elicitation(params, self.on_elicit, self.on_elicit_url)

    def sampling_create_message(self, params: "Dict[str, Any]", request: "Any") -> "Dict[str, Any]":
        declared = self.own_capabilities().get("sampling")
        assert self.on_sample is not None
        return answer_sampling(params, self.on_sample, isinstance(declared, dict) and "tools" in declared)

    def own_capabilities(self) -> "Dict[str, Any]":
        return new_client_capabilities(self.row, self.given_roots is not None, self.on_elicit is not None,
                                       self.on_elicit_url is not None, self.on_sample is not None, self.more_capabilities)

    def own_info(self) -> "Dict[str, Any]":
        return {member: value for member, value in self.info.items() if member != "title" or "title" in self.row.features}


class Subscription:
    """One open ``subscriptions/listen``: ``id``; ``agreed``, the filter that the server serves (None before it has said so);
    ``ended``; ``reason``, why; ``error``, an ``McpError`` where the server refused. A context manager."""

    def __init__(self, client: Client, stream_id: int, on_change: "Optional[Callable[..., Any]]") -> None:
        self.client, self.id, self.on_change = client, stream_id, on_change
        self.agreed: "Optional[Dict[str, Any]]" = None
        self.ended = False
        self.reason = ""
        self.error: "Optional[McpError]" = None

    def end(self, reason: str) -> None:
        self.ended, self.reason = True, reason
        self.client.subscriptions.pop(self.id, None)
        self.client.peer.streams.pop(self.id, None)

    def take_end(self, response: "Any") -> None:
        """The server has answered: it closes the stream ("Graceful Closure"), or it never opened it."""
        try:
            self.client.peer.read_answer(response, "subscriptions/listen")
            self.end("closed by the server")
        except McpError as error:
            self.error = error
            self.end("refused by the server" if self.agreed is None else "closed by the server with an error")

    def close(self) -> None:
        """Cancel it; a second call does nothing."""
        if not self.ended:
            self.end("closed by this client")
            if not self.client.peer.at_end:
                self.client.peer.cancel(self.id, "no longer wanted")

    def __enter__(self) -> "Subscription":
        return self

    def __exit__(self, *failure: "Any") -> None:
        self.close()


class ClosedLink:
    """What is left of a connection that was closed."""

    kind = "closed"
    tail = ""

    def describe(self) -> str:
        return "this client was closed"

    def data(self) -> "Dict[str, Any]":
        return {}

    def read_tail(self) -> str:
        return self.tail

    def details(self) -> str:
        return ""


def new_link(target: "Any", env: "Any", inherit_env: bool, cwd: "Any", stderr: "Any", line_limit: int) -> "Any":
    """Return the way to ``target``: a process, a pair of streams, or a server in this process."""
    if isinstance(target, tuple) and len(target) == 2 and hasattr(target[0], "read") and hasattr(target[1], "write"):
        return StreamPair(target[0], target[1], line_limit)
    if hasattr(target, "_core"):
        return ServerInMemory(target)
    return ChildProcess(target, env, inherit_env, cwd, stderr, line_limit)


def is_discover_result(result: "Any") -> bool:
    return isinstance(result, dict) and isinstance(result.get("supportedVersions"), list)


def choose_discovered(answer: "Any") -> "Optional[Revision]":
    """Return the stateless revision that the answer to ``server/discover`` settles; None where it settles none."""
    result: "Any" = getattr(answer, "result", None)
    refused = getattr(answer, "error", None) is not None
    return choose_stateless(result["supportedVersions"]) if not refused and is_discover_result(result) else None


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


def check_log_level(level: "Optional[str]") -> None:
    if level is not None and level not in LOG_LEVELS:
        raise ValueError("log level %r is none of %s" % (level, ", ".join(LOG_LEVELS)))
