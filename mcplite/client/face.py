"""The client's face: every request of the protocol as a method, callbacks for what servers ask and tell.

Here: ``Client``. Not here: how the revision is found (``negotiation``), how a request travels (``connection``), what callbacks
may return (``callbacks``), what servers tell (``news``), what a result must hold (``results``).

Pages: basic/lifecycle, basic/utilities/*, server/*, client/* (2024-11-05 to 2025-11-25); basic/versioning, basic/patterns/*,
server/discover, server/utilities/caching, basic/transports/stdio (2026-07-28).

1. What the server has not declared is not asked for by the methods here (``request`` asks for anything).
2. Results are the server's own dicts, with every member that it sent.
3. A server's fault does not cost the user the result: what can be used is returned, and the fault told once, on ``on_log`` or as
   a warning; an exception under ``strict``. Where a member is missing that the method needs (``results``) there is no result,
   and ``ServerFault`` names the member; what came all the same is its ``result``.
4. What a user may touch has no underscore; everything else lives in the objects that a client is made of.
"""
from __future__ import annotations

from ..errors import INVALID_PARAMS, METHOD_NOT_FOUND, RESOURCE_NOT_FOUND, VERSION, LocalProtocolError, McpError
from ..revisions import LOG_LEVELS
from ..stdio import DEFAULT_LINE_LIMIT, monotonic
from .callbacks import OwnSide
from .connection import ClientConnection
from .faults import ResourceNotFound, ServerFault, Teller
from .links import new_link
from .negotiation import Negotiation, check_wanted_revision
from .news import ServerNews
from .results import NEEDED_IN_ENTRIES, OutputSchemas, check_needed_members, shape_problem
from .store import ResultCache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional

    from ..wiretypes import (
        CallToolResult,
        CompleteResult,
        GetPromptResult,
        Prompt,
        ReadResourceResult,
        Resource,
        ResourceTemplate,
        Tool,
    )
    from .callbacks import Callback
    from .news import Subscription

    Meta = Optional[Dict[str, Any]]
    Seconds = Optional[float]

REQUEST_SECONDS = 60.0
PROBE_SECONDS = 5.0
CLOSE_SECONDS = 2.0
CLIENT_ROUND_LIMIT = 10         # answers to questions inside one request (2026-07-28)
LIST_PAGE_LIMIT = 1000
DEFAULT_LOG_LEVEL = "info"      # asked for where there is an on_log and nobody has said which (2026-07-28)


class Client:
    """A connection to one MCP server, blocking, for one thread. A context manager; ``close`` ends it.

    ``target`` is the argument list of a server to start (never a shell; ``npx`` and the like are found on PATH, on Windows
    with PATHEXT), a pair ``(reader, writer)`` of binary streams (they are left open), a ``Server`` object, which then runs in
    this thread, or a function that makes the link itself (a ``ChildProcess`` of ``mcplite.system.child``, perhaps watched).

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

    Attributes: ``server_info``, ``capabilities`` (dicts), ``revision`` (a date), ``instructions`` (text or None), ``timeout`` and
    ``check_results`` (they may be set), ``noise``, ``noise_count`` (see ``strict``),
    ``handlers`` and ``notified`` (the dispatch tables, plain dicts: ``notified["notifications/elicitation/complete"] = function``
    takes any other notification), ``unmatched`` (answers that nobody waited for).

    Raises ``McpError`` when no connection comes about; ``TypeError`` and ``ValueError`` for wrong arguments. No process is
    left behind then. Pages: basic/lifecycle; basic/versioning and basic/transports/stdio of 2026-07-28.
    """

    def __init__(self, target: "Any", *, roots: "Any" = None, on_elicit: "Callback" = None,
                 on_elicit_url: "Callback" = None, on_sample: "Callback" = None,
                 on_log: "Callback" = None, on_list_changed: "Callback" = None,
                 on_updated: "Callback" = None, log_level: "Optional[str]" = None,
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
        info: "Dict[str, Any]" = {"name": name, "version": version}
        if title is not None:
            info["title"] = title
        details = dict(capabilities or {})
        if extensions is not None:
            details["extensions"] = extensions
        ours = OwnSide(info, details, roots, on_elicit, on_elicit_url, on_sample)
        self.timeout, self.check_results = timeout, check_results
        self._close_timeout, self._max_pages = close_timeout, max_pages
        self._teller = Teller(on_log, strict)
        self._schemas = OutputSchemas(self.list_tools, self._teller)
        self._news = ServerNews(on_list_changed, on_updated, self._schemas.forget)
        self.notified: "Dict[str, Callable[[Dict[str, Any]], Any]]" = dict(
            self._news.new_notified(), **{"notifications/message": self._teller.notifications_message})
        level = log_level or (DEFAULT_LOG_LEVEL if on_log is not None else None)
        link = new_link(target, env, inherit_env, cwd, stderr, line_limit)
        self._connection = connection = self._news.connection = ClientConnection(
            link, ours, self.notified, strict, level, ResultCache() if cache else None, max_rounds)
        self.handlers = connection.handlers
        try:
            connection.attach()
            Negotiation(connection, revision, timeout, probe_timeout, close_timeout).connect()
            self.capabilities, self.server_info = connection.capabilities, connection.server_info
            self.instructions, self.revision = connection.instructions, connection.row.date
            if log_level is not None and not connection.row.stateless:
                self.set_log_level(log_level)
            self._news.listen_for_lists()
        except BaseException:
            self.close()
            raise

    # What went by

    @property
    def noise(self) -> "List[str]":
        """The newest lines of the server's output that were no messages."""
        return self._connection.peer.noise

    @property
    def noise_count(self) -> int:
        """How many lines of the server's output were no messages."""
        return self._connection.peer.noise_count

    @property
    def unmatched(self) -> int:
        """How many answers came that nobody waited for."""
        return self._connection.peer.unmatched

    def read_stderr(self) -> str:
        """Return the end of what the server wrote on standard error, where that is captured."""
        return str(self._connection.link.read_tail())

    # Ending

    def close(self) -> None:
        """End the connection: end of input, wait, terminate, kill, each bounded. A second call does nothing."""
        self._connection.close(self._close_timeout)

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *failure: "Any") -> None:
        self.close()

    # Anything

    def request(self, method: str, params: "Meta" = None, *, timeout: "Seconds" = None, on_progress: "Callback" = None,
                meta: "Meta" = None) -> "Dict[str, Any]":
        """Send any request and return its result.

        ``params`` is an object; what 2026-07-28 wants in its ``_meta`` is added, and ``meta`` (trace context, for example).
        ``timeout`` in seconds (None: the client's own; ``float("inf")``: for ever). ``on_progress(progress, total, message)`` is
        called as the server reports. Questions that come in a result are answered by the callbacks and the request is sent again
        (2026-07-28, basic/patterns/mrtr). Raises ``McpError`` for an error, after a time-out (-32001) and when the server has
        ended (-32000); ``LocalProtocolError`` for a method that the revision in force does not have.
        """
        return self._connection.request(method, params, self._limit_of(timeout), on_progress, meta)

    def notify(self, method: str, params: "Meta" = None) -> None:
        """Send any notification. Raises ``McpError`` (-32000) when the server reads no more, ``LocalProtocolError`` for one that
        the revision in force does not have."""
        self._connection.notify(method, params, self.timeout)

    def poll(self, timeout: float = 0) -> bool:
        """Take in what the server has sent by itself, and call the callbacks; waits at most ``timeout`` seconds for something.

        Returns False once the server has ended. Every other method does this while it waits for its answer.
        """
        peer = self._connection.peer
        if self._connection.is_closed:
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

    def _limit_of(self, timeout: "Seconds") -> "Seconds":
        """Return the time limit of one request: what is said, else the client's own; None for for ever."""
        limit = self.timeout if timeout is None else timeout
        return None if limit == float("inf") else limit

    def _ask_declared(self, method: str, params: "Dict[str, Any]", timeout: "Seconds", on_progress: "Callback" = None,
                      meta: "Meta" = None) -> "Any":
        """Ask for what the server has declared (1), and see that the result can be used (3)."""
        self._connection.check_declared(method)
        result = self._connection.request(method, params, self._limit_of(timeout), on_progress, meta)
        check_needed_members(method, result)
        return result

    # Tools (server/tools)

    def list_tools(self, *, timeout: "Seconds" = None, meta: "Meta" = None) -> "Iterator[Tool]":
        """Yield every tool of the server, page by page. Raises as ``request`` does, and ``ServerFault`` for a list that cannot go
        on (a cursor that comes twice): what was yielded is its ``result``."""
        return self._walk_pages("tools/list", "tools", timeout, meta)

    def call_tool(self, name: str, arguments: "Meta" = None, *, on_progress: "Callback" = None, timeout: "Seconds" = None,
                  meta: "Meta" = None) -> "CallToolResult":
        """Call a tool; return its result, a dict with ``content`` and perhaps ``structuredContent`` and ``isError``.

        A failed tool is a result with ``isError`` true. Structured results are checked against the tool's output schema (the
        list is fetched when the tool is not known yet). Raises as ``request`` does, ``ServerFault`` for a result that does not fit,
        or has no ``content``: what came is its ``result``, since the tool has acted. A schema that cannot be used is told (3);
        under ``strict`` that is found out before the call.
        """
        checks = self.check_results and "structured_content" in self._connection.row.features
        if checks and self._teller.strict:
            self._connection.check_declared("tools/call")
            self._schemas.find_validator(name)
        try:
            result: "CallToolResult" = self._ask_declared(
                "tools/call", {"name": name, "arguments": {} if arguments is None else arguments}, timeout, on_progress, meta)
        except McpError as error:
            if error.code in (INVALID_PARAMS, METHOD_NOT_FOUND) and self._connection.cache is not None:
                self._connection.cache.drop_list("tools")       # what was listed may be gone
            raise
        if checks and not result.get("isError"):
            try:
                self._schemas.check(name, result)  # type: ignore[arg-type]
            except ServerFault as fault:                        # the tool has acted, whatever the list says of it
                fault.result = result
                raise
        return result

    # Resources (server/resources)

    def list_resources(self, *, timeout: "Seconds" = None, meta: "Meta" = None) -> "Iterator[Resource]":
        """Yield every resource of the server; as ``list_tools``."""
        return self._walk_pages("resources/list", "resources", timeout, meta)

    def list_resource_templates(self, *, timeout: "Seconds" = None, meta: "Meta" = None) -> "Iterator[ResourceTemplate]":
        """Yield every resource template of the server; as ``list_tools``."""
        return self._walk_pages("resources/templates/list", "resourceTemplates", timeout, meta)

    def read_resource(self, uri: str, *, on_progress: "Callback" = None, timeout: "Seconds" = None, meta: "Meta" = None
                      ) -> "ReadResourceResult":
        """Read a resource; return a dict with ``contents``. Raises ``ResourceNotFound`` where there is none, else as
        ``request``."""
        try:
            result: "ReadResourceResult" = self._ask_declared("resources/read", {"uri": uri}, timeout, on_progress, meta)
        except McpError as error:
            if error.code == RESOURCE_NOT_FOUND or error.code == INVALID_PARAMS and isinstance(error.data, dict) \
                    and error.data.get("uri") == uri:
                raise ResourceNotFound(error.code, error.message, error.data) from None
            raise
        return result

    def subscribe(self, uri: str, *, timeout: "Seconds" = None) -> None:
        """Be told by ``on_updated`` when a resource changes (server/resources; a ``listen`` of its own in 2026-07-28)."""
        self._news.resources_subscribe(uri, self._limit_of(timeout))

    def unsubscribe(self, uri: str, *, timeout: "Seconds" = None) -> None:
        """Be told no more."""
        self._news.resources_unsubscribe(uri, self._limit_of(timeout))

    def listen(self, *, tools: bool = False, prompts: bool = False, resources: bool = False, uris: "Iterable[str]" = (),
               on_change: "Callback" = None, timeout: "Seconds" = None) -> "Subscription":
        """Open a stream of changes (2026-07-28, basic/patterns/subscriptions): of the lists said, and of the resources ``uris``.
        Returns it, agreed to by the server.

        ``on_change(method, params)`` is called for what comes on it, before ``on_list_changed`` and ``on_updated``. Changes come
        in while a method waits for its answer, and in ``poll``. Raises ``LocalProtocolError`` up to 2025-11-25, where changes of
        lists come unasked and ``subscribe`` does the rest; else as ``request`` does.
        """
        return self._news.subscriptions_listen({"tools": tools, "prompts": prompts, "resources": resources}, uris, on_change,
                                                  self._limit_of(timeout))

    # Prompts and completion (server/prompts, server/utilities/completion)

    def list_prompts(self, *, timeout: "Seconds" = None, meta: "Meta" = None) -> "Iterator[Prompt]":
        """Yield every prompt of the server; as ``list_tools``."""
        return self._walk_pages("prompts/list", "prompts", timeout, meta)

    def get_prompt(self, name: str, arguments: "Optional[Dict[str, str]]" = None, *, on_progress: "Callback" = None,
                   timeout: "Seconds" = None, meta: "Meta" = None) -> "GetPromptResult":
        """Return a prompt filled in: a dict with ``messages``. ``arguments`` are texts; anything else raises ``TypeError``."""
        for argument, value in (arguments or {}).items():
            if not isinstance(value, str):
                raise TypeError("argument %r of prompt %s must be a text, not %r" % (argument, name, value))
        params: "Dict[str, Any]" = {"name": name}
        if arguments is not None:
            params["arguments"] = arguments
        result: "GetPromptResult" = self._ask_declared("prompts/get", params, timeout, on_progress, meta)
        return result

    def complete(self, ref: "Any", name: str, value: str, arguments: "Optional[Dict[str, str]]" = None, *,
                 timeout: "Seconds" = None) -> "CompleteResult":
        """Ask how the argument ``name``, typed as far as ``value``, may go on; return a dict with ``completion``.

        ``ref`` is ``{"type": "ref/prompt", "name": ...}`` or ``{"type": "ref/resource", "uri": ...}``, or in short a prompt's name
        or a template's URI. ``arguments`` are those filled in already (from 2025-06-18 on).
        """
        if isinstance(ref, str):
            ref = {"type": "ref/resource", "uri": ref} if "://" in ref or "{" in ref else {"type": "ref/prompt", "name": ref}
        params: "Dict[str, Any]" = {"ref": ref, "argument": {"name": name, "value": value}}
        if arguments is not None and "completion_context" in self._connection.row.features:
            params["context"] = {"arguments": arguments}
        result: "CompleteResult" = self._ask_declared("completion/complete", params, timeout)
        return result

    # Lists (server/utilities/pagination)

    def _walk_pages(self, method: str, member: str, timeout: "Seconds", meta: "Meta") -> "Iterator[Any]":
        """Yield the entries of every page; a cursor that is missing, null or "" ends the list, as it does for the official clients.

        An entry without what it is called by is left out and told (3). Raises ``ServerFault`` where the list cannot go on:
        what has been yielded is its ``result``.
        """
        connection = self._connection
        connection.check_declared(method)
        seen: "Dict[str, bool]" = {}
        params: "Optional[Dict[str, Any]]" = None
        received: "List[Dict[str, Any]]" = []
        for _ in range(self._max_pages):
            try:
                result = connection.request(method, params, self._limit_of(timeout), None, meta)
            except McpError as error:
                if params is not None and error.code == INVALID_PARAMS and connection.cache is not None:
                    connection.cache.drop_methods(method)     # a cursor that is good no more: pages that were kept are not, either
                raise
            entries, cursor = result.get(member), result.get("nextCursor")
            if not isinstance(entries, list):
                raise ServerFault("%s was answered without a list of %s" % (method, member), result=received)
            usable = [entry for index, entry in enumerate(entries)
                      if self._is_usable(method, entry, "%s[%d]" % (member, index), received)]
            if member == "tools":
                self._schemas.note(usable)
            for entry in usable:
                received.append(entry)
                yield entry
            if cursor is None or cursor == "":
                if member == "tools":
                    self._schemas.complete = True
                return
            if not isinstance(cursor, str):
                raise ServerFault("%s was answered with the cursor %r: a cursor is a string" % (method, cursor), result=received)
            if cursor in seen:
                raise ServerFault("%s came back to the cursor %r: the list would never end" % (method, cursor), result=received)
            seen[cursor] = True
            params = {"cursor": cursor}
        raise ServerFault("%s has more than %d pages (max_pages)" % (method, self._max_pages), result=received)

    def _is_usable(self, method: str, entry: "Any", path: str, received: "List[Dict[str, Any]]") -> bool:
        problem = shape_problem(entry, NEEDED_IN_ENTRIES[method], path)
        if problem is not None:
            self._teller.tell_fault("%s was answered with an entry that cannot be used: %s" % (method, problem), received)
        return problem is None

    # Utilities

    def ping(self, *, timeout: "Seconds" = None) -> "Dict[str, Any]":
        """See that the server answers (basic/utilities/ping; 2026-07-28 has no ping: ``server/discover`` is asked instead)."""
        method = "server/discover" if self._connection.row.stateless else "ping"
        return self._connection.ask(method, None, self._limit_of(timeout))

    def set_log_level(self, level: "Optional[str]") -> None:
        """Ask for log messages from ``level`` on, one of the eight from "debug" to "emergency" (server/utilities/logging).

        In 2026-07-28 it goes with every later request; None asks for none there. Raises ``ValueError`` for another level.
        """
        check_log_level(level)
        connection = self._connection
        if connection.row.stateless:
            connection.log_level = level
            if level is None:
                self._teller.on_log = None
        elif level is None:
            raise ValueError("revision %s knows no level below which nothing is sent: use one of %s"
                             % (self.revision, ", ".join(LOG_LEVELS)))
        else:
            connection.check_declared("logging/setLevel")
            self.request("logging/setLevel", {"level": level})

    def set_roots(self, roots: "Any") -> None:
        """Replace the roots, and tell the server (client/roots). Only where ``roots`` was given at the start: else
        ``LocalProtocolError``, since the server was told that there are none."""
        ours = self._connection.ours
        if ours.roots is None:
            raise LocalProtocolError("this client was made without roots=, and the server was told so")
        ours.set_roots(roots)
        if not self._connection.row.stateless:
            self.notify("notifications/roots/list_changed")


def check_log_level(level: "Optional[str]") -> None:
    if level is not None and level not in LOG_LEVELS:
        raise ValueError("log level %r is none of %s" % (level, ", ".join(LOG_LEVELS)))
