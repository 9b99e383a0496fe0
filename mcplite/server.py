"""The server's face: registration, ``initialize``, ``run``.

Here: ``Server``, and what stands behind it. Not here: the handlers of all other methods (``handlers``), what clients are told
unasked (``subscriptions``), the loop (``peer``), descriptors (``stdio``), what may be registered (``catalog``).

Pages: basic/lifecycle, server/* (2024-11-05 to 2025-11-25); basic/index, server/* (2026-07-28).

One ``tools/call``: ``stdio`` yields a line → ``session`` finds message and revision → ``peer`` looks the method up in
the table of handlers → ``Handlers.tools_call`` finds the tool, ``schema`` judges the arguments → your function → ``map_error`` or
``tool_result_for`` (``outcomes``) makes the outcome a result → ``session`` makes one line → ``stdio`` writes it.

1. Until ``initialize`` is answered only what it takes is loaded: this module and those it imports below. What the next
   request takes is loaded while the client reads that answer, or when the request is there (``Connection.get_ready``).
   It is a third of the code, and 5 % of the time from the start of the process to the first answer.
"""
from .catalog import (
    INFO_MEMBERS,
    Catalog,
    check_cache_scope,
    check_icons,
    check_members,
    check_seconds,
    check_ttl_ms,
    select_members,
)
from .errors import METHOD_NOT_FOUND, McpError, RegistrationError, Shutdown
from .peer import Peer
from .session import Session
from .stdio import (
    DEFAULT_LINE_LIMIT,
    FdChannel,
    OwnedStdio,
    TermSignals,
    random_bytes,
    unwatch_forks,
    wall_clock,
    watch_forks,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Tuple, TypeVar, overload

    from typing_extensions import Unpack

    from .asking import Sealer
    from .catalog import ToolOptions
    from .catalog_prompts import PromptOptions
    from .catalog_resources import ResourceOptions
    from .context import Context
    from .handlers import Handlers
    from .jsonrpc import Request
    from .server_timers import Timer
    from .subscriptions import Changes

    Function = TypeVar("Function", bound=Callable[..., Any])

SERVER_VERSION_DEFAULT = "0"


class Server:
    """An MCP server over stdio, for all five protocol revisions.

    ``name`` and ``version`` introduce it, ``title``, ``description``, ``website_url`` and ``icons`` to people,
    ``instructions`` to the model. ``page_size`` is the number of entries on one page of a list (None: all on one).
    ``timeout`` limits every request, in seconds. ``line_limit`` is the longest line read, in bytes. ``interrupt=False``
    turns the interval timer off (see ``Context.checkpoint``). ``repair=True`` decodes an object or array that came as a
    string where the tool's schema has no place for a string. ``ttl_ms`` (milliseconds) and ``cache_scope`` ("private",
    "public") are the caching hints of 2026-07-28, for all lists and resources; each resource may have its own.
    ``key`` (bytes, 16 or more) seals questions that wait across requests, so that another process with the same key can
    go on; ``state_seconds`` is how long they stay good. ``extensions`` and ``experimental`` go into the capabilities.
    Raises ``RegistrationError`` for a wrong argument. Pages: basic/lifecycle, server/discover.
    """

    def __init__(self, name: str, version: str = SERVER_VERSION_DEFAULT, title: "Optional[str]" = None,
                 instructions: "Optional[str]" = None, description: "Optional[str]" = None,
                 website_url: "Optional[str]" = None, icons: "Optional[List[Dict[str, Any]]]" = None,
                 page_size: "Optional[int]" = 1000, timeout: "Optional[float]" = None, line_limit: int = DEFAULT_LINE_LIMIT,
                 interrupt: bool = True, repair: bool = False, ttl_ms: int = 0, cache_scope: str = "private",
                 key: "Optional[bytes]" = None, state_seconds: float = 3600.0,
                 extensions: "Optional[Dict[str, Any]]" = None, experimental: "Optional[Dict[str, Any]]" = None) -> None:
        if name.__class__ is not str or not name or version.__class__ is not str:
            raise RegistrationError("a server needs a name and a version, both texts, not %r and %r" % (name, version))
        if page_size is not None and (page_size.__class__ is not int or page_size < 1):
            raise RegistrationError("page_size must be a whole number above 0, or None for everything on one page")
        if key is not None and (not isinstance(key, bytes) or len(key) < 16):
            raise RegistrationError("key must be bytes, at least 16 of them (secrets.token_bytes(32))")
        check_members("server", {"title": title, "instructions": instructions, "description": description,
                                 "website_url": website_url, "extensions": extensions, "experimental": experimental})
        info: "Dict[str, Any]" = {"name": name, "version": version}
        for member, value in (("title", title), ("description", description), ("websiteUrl", website_url),
                              ("icons", check_icons(icons, "server"))):
            if value is not None:
                info[member] = value
        check_seconds(state_seconds, "state_seconds")
        self.info = info
        self.notified: "Dict[str, Callable[[Dict[str, Any]], Any]]" = {}
        catalog = Catalog()
        catalog.info, catalog.instructions, catalog.page_size, catalog.repair = info, instructions, page_size, repair
        catalog.timeout = check_seconds(timeout, "timeout")
        catalog.cache = (check_ttl_ms(ttl_ms, "server"), check_cache_scope(cache_scope, "server"))
        catalog.extensions, catalog.experimental = extensions, experimental
        self._core = ServerCore(catalog, self.notified, line_limit, interrupt, key, state_seconds)

    # Registration

    if TYPE_CHECKING:
        @overload
        def tool(self, function: "Function", **options: "Unpack[ToolOptions]") -> "Function": ...

        @overload
        def tool(self, function: None = None, **options: "Unpack[ToolOptions]") -> "Callable[[Function], Function]": ...

    def tool(self, function: "Optional[Function]" = None, **options: "Unpack[ToolOptions]") -> "Any":
        """Register a function as a tool; a decorator with or without parentheses, or a call with the function.

        Without ``input_schema`` the function's signature gives the schema, its docstring the description, and arguments
        arrive as the hinted types. With it the function gets the arguments dict as it came, as its first parameter.
        It returns a str (text), content blocks or a list of them with str between (as they are), ``tool_result(...)`` or a whole
        result in wire form, None (no content), or data: anything else goes as its JSON, a dict as structured content, too. A
        generator is no data: return a list. ``output_schema`` (JSON Schema of the structured result) is enforced; a TypedDict,
        dataclass or list as return hint gives one. ``annotations``: readOnlyHint, destructiveHint, idempotentHint,
        openWorldHint, title. ``timeout`` in seconds. ``name``, ``title``, ``description``, ``icons``, ``meta``, ``execution`` are
        listed as they are. Returns the function. Raises ``RegistrationError``. Page: server/tools.
        """

        def register(function: "Function") -> "Function":
            self._core.catalog.add_tool(function, options)
            self._core.list_changed("tools")
            return function

        return register if function is None else register(function)

    def resource(self, uri: str, **options: "Unpack[ResourceOptions]") -> "Callable[[Function], Function]":
        """Register the function below as reader of ``uri``, or of every URI that fits it as a template (RFC 6570).

        The function returns ``str`` (sent as text), ``bytes`` (sent as a blob), an entry of ``contents`` (``{"uri", "text"
        or "blob", "mimeType"?}``) or a list or iterator of these, a whole result in wire form ``{"contents": [...],
        "_meta"?, "ttlMs"?, "cacheScope"?}``, other data (sent as its JSON text; so is a dict with ``contents`` and members
        that no result has), or None where there is no such resource. A value that is none of these is -32603, which names
        the member; standard error says more.

        A template's variables are its parameters, decoded once. ``{name}`` is one segment: what comes never holds a slash, a
        backslash or a zero byte, and is never ``.`` or ``..``, however it was escaped; the client is told that there is no such
        resource. ``{+path}``, ``{#x}`` and ``{?x}`` hold anything, ``../../key`` too: where it names a file, refusing that is your
        function's part, and ``safe_path(root, path)`` does it.

        ``name``, ``title``, ``description``, ``mime_type``, ``icons``, ``meta`` are listed as they are. ``size`` in bytes;
        ``annotations``: audience, priority, lastModified; ``ttl_ms`` and ``cache_scope`` as for ``Server``.
        Raises ``RegistrationError``. Page: server/resources.
        """

        def register(function: "Function") -> "Function":
            from .catalog_resources import add_resource

            add_resource(self._core.catalog, function, uri, options)
            self._core.list_changed("resources")
            return function

        return register

    if TYPE_CHECKING:
        @overload
        def prompt(self, function: "Function", **options: "Unpack[PromptOptions]") -> "Function": ...

        @overload
        def prompt(self, function: None = None, **options: "Unpack[PromptOptions]") -> "Callable[[Function], Function]": ...

    def prompt(self, function: "Optional[Function]" = None, **options: "Unpack[PromptOptions]") -> "Any":
        """Register a function as a prompt; its parameters are the arguments, which clients fill with strings.

        It returns a string, a content block, a message ``{"role", "content"}``, a list or iterator of these, or a whole result
        in wire form ``{"messages": [...], "description"?, "_meta"?}``; its description then goes before the one registered. A value
        that is none of these is -32603, which names the member; standard error says more. ``name``, ``title``, ``description``,
        ``icons``, ``meta`` are listed as they are, ``argument_titles`` (``{argument: title}``) with the arguments. Returns the
        function. Raises ``RegistrationError``. Page: server/prompts.
        """

        def register(function: "Function") -> "Function":
            from .catalog_prompts import add_prompt

            add_prompt(self._core.catalog, function, options)
            self._core.list_changed("prompts")
            return function

        return register if function is None else register(function)

    def completion(self, reference: str, argument: str) -> "Callable[[Function], Function]":
        """Register the function below as completion of a prompt's argument or of a template's variable.

        ``reference`` is the prompt's name or the template's URI. The function takes the value typed so far and the
        arguments filled in already (both are any text of the client's). It returns a list, tuple or iterator of strings, a set
        (sent sorted), one string (one value), None (no value), or in wire form ``{"values": [...], "total"?, "hasMore"?}``; the
        first 100 values are sent, and an iterator is read no further. Anything else is -32603, which names the member; standard
        error says more. Page: server/utilities/completion.
        """

        def register(function: "Function") -> "Function":
            from .catalog_prompts import add_completion

            add_completion(self._core.catalog, function, reference, argument)
            return function

        return register

    def remove_tool(self, name: str) -> None:
        """Take a tool away; clients are told. Raises ``KeyError`` when there is none of that name."""
        del self._core.catalog.tools[name]
        self._core.list_changed("tools")

    def remove_resource(self, uri: str) -> None:
        """Take a resource or template away; clients are told. Raises ``KeyError`` when there is none of that URI."""
        catalog = self._core.catalog
        del (catalog.templates if uri in catalog.templates else catalog.resources)[uri]
        self._core.list_changed("resources")

    def remove_prompt(self, name: str) -> None:
        """Take a prompt away; clients are told. Raises ``KeyError`` when there is none of that name."""
        del self._core.catalog.prompts[name]
        self._core.list_changed("prompts")

    def resource_updated(self, uri: str) -> None:
        """``notifications/resources/updated``: tell clients that subscribed to ``uri`` that its contents have changed
        (server/resources, "Subscriptions")."""
        self._core.note("notifications/resources/updated", uri)

    def every(self, seconds: float, function: "Callable[[], Any]") -> "Callable[[], Any]":
        """Call ``function`` every so many ``seconds`` in the loop, between messages; its exceptions go to standard error."""
        from .server_timers import Timer

        check_seconds(seconds, "every")
        self._core.timers.append(Timer(seconds, function))
        self._core.wake_connections()
        return function

    def logging_handler(self, level: int = 0) -> "Any":
        """Return a ``logging.Handler`` that sends Python's log records to the client, as ``Context.log`` does.

        ``level`` is the lowest numeric level it takes. A record logged while no request runs goes out in a handshake
        session only; one from another thread waits for the loop. Page: server/utilities/logging.
        """
        from .logbridge import new_logging_handler

        handler = new_logging_handler(level, self._core.connections, self._core.before_wait)
        self._core.wake_connections()
        return handler

    @property
    def handlers(self) -> "Dict[str, Callable[[Dict[str, Any], Context], Any]]":
        """The dispatch table, method → ``function(params, ctx)``: add methods of your own, or replace one.

        A handler returns the result object (a dict with wire names, sent as it is; the JSON text of one, as some of ours do, is
        read first), or raises ``McpError`` to answer with an error. Anything else is -32603, and a line on standard error.
        Page: basic/index.
        """
        return self._core.open_handlers()

    # Serving

    def run(self) -> None:
        """Serve on this process's standard input and output until the input ends.

        Meanwhile nothing else can write on them: what tools print goes to standard error. One SIGTERM or Ctrl+C ends it with
        ``SystemExit`` 143 or 130. Raises ``RuntimeError`` where there is no standard input or output,
        ``RegistrationError`` for a signature or completion that still cannot be resolved. Page: basic/transports (stdio).
        """
        owned = OwnedStdio.take()
        signals = TermSignals()
        try:
            signals.take()
            self._core.serve_channel(FdChannel(owned.read_fd, owned.write_fd, self._core.line_limit))
        except Shutdown as stop:
            raise SystemExit(stop.status) from None
        except KeyboardInterrupt:
            raise SystemExit(130) from None
        finally:
            signals.give_back()
            owned.give_back()

    def serve(self, reader: "Any", writer: "Any") -> None:
        """Serve on two binary streams until ``reader`` ends: ``io.BytesIO``, a socket's makefile, pipes. Touches nothing else."""
        from .system.streams import StreamChannel

        self._core.serve_channel(StreamChannel(reader, writer, self._core.line_limit))

    def poll(self, timeout: float = 0) -> bool:
        """Serve what has arrived on standard input, and return: for a host program with a loop of its own.

        Waits at most ``timeout`` seconds. Returns False once the input has ended, True before. The first call takes
        standard input and output as ``run`` does, the end of input gives them back.
        """
        return self._core.poll(timeout)


class ServerCore:
    """What stands behind a ``Server``: what it offers, its handlers, the clients that it serves."""

    def __init__(self, catalog: "Catalog", notified: "Dict[str, Callable[[Dict[str, Any]], Any]]", line_limit: int,
                 interrupt: bool, key: "Optional[bytes]", state_seconds: float) -> None:
        self.catalog, self.notified, self.line_limit, self.interrupt = catalog, notified, line_limit, interrupt
        self.key, self.state_seconds = key, state_seconds
        self.table: "Dict[str, Callable[[Dict[str, Any], Context], Any]]" = {"initialize": self.initialize}
        self.handlers: "Optional[Handlers]" = None                  # made by the first request behind initialize (1)
        self.are_handlers_known = False                             # to our user, who may have put in some
        self.timers: "List[Timer]" = []
        self.before_wait: "List[Callable[[], Any]]" = []            # run each time before the loop waits
        self.connections: "List[Connection]" = []
        self.polled: "Optional[Tuple[OwnedStdio, Connection]]" = None
        self.sealer: "Optional[Sealer]" = None                      # made when the first question needs it

    # Lifecycle (basic/lifecycle)

    def initialize(self, params: "Dict[str, Any]", ctx: "Request") -> "Dict[str, Any]":
        """``initialize``: say who we are, and what we offer; the revision was settled when the line was read."""
        if ctx._row is None or ctx._row.stateless:
            raise McpError(METHOD_NOT_FOUND, "Method not found: initialize does not exist in revision %s"
                           % (ctx._row and ctx._row.date))
        result: "Dict[str, Any]" = {"protocolVersion": ctx._row.date, "capabilities": self.catalog.capabilities(ctx._row),
                                    "serverInfo": select_members(self.catalog.info, ctx._row, INFO_MEMBERS)}
        if self.catalog.instructions is not None:
            result["instructions"] = self.catalog.instructions
        return result

    # Serving

    def connect(self, channel: "Any") -> "Connection":
        """Return a new connection over ``channel``, ready to serve."""
        self.catalog.resolve_pending()
        if self.catalog.completions:
            from .catalog_prompts import check_completions

            check_completions(self.catalog)
        connection = Connection(self, channel)
        self.connections.append(connection)
        return connection

    def serve_channel(self, channel: "Any") -> None:
        connection = self.connect(channel)
        try:
            connection.peer.serve()
            connection.end()
        finally:
            self.connections.remove(connection)

    def poll(self, timeout: float) -> bool:
        """``Server.poll``."""
        if self.polled is None:
            owned = OwnedStdio.take()
            self.polled = owned, self.connect(FdChannel(owned.read_fd, owned.write_fd, self.line_limit))
            watch_forks(self.polled[1].peer.leave)
        owned, connection = self.polled
        peer = connection.peer
        try:
            if not peer.at_end and peer.serve_once(timeout) and not peer.at_end:
                return True
            connection.end()
        except BrokenPipeError:
            peer.at_end = True
        finally:
            peer.stop_ticking()
        if connection in self.connections:
            self.connections.remove(connection)
            unwatch_forks(peer.leave)
            owned.give_back()
        return False

    def run_due(self) -> "Optional[float]":
        """Run what is to be run before a wait; return the seconds until the next timer."""
        for function in self.before_wait:
            function()
        if not self.timers:
            return None
        from .server_timers import run_timers

        return run_timers(self.timers)

    def wake_connections(self) -> None:
        """Have those that are being served look at what there is to do before each wait, begun while they are."""
        for connection in self.connections:
            connection.peer.on_idle = connection.idle

    def find_sealer(self) -> "Sealer":
        """Return what seals the questions of this server; without a ``key`` they are good in this process only."""
        if self.sealer is None:
            from .asking import Sealer

            key = random_bytes(32) if self.key is None else self.key
            self.sealer = Sealer(key, self.state_seconds, wall_clock, random_bytes)
        return self.sealer

    # Changes

    def list_changed(self, kind: str) -> None:
        """``notifications/*/list_changed``: a list ("tools", "resources", "prompts") is another than it was; clients hear of it
        once the current message is done."""
        self.catalog.drop_list_texts(kind)
        self.note("notifications/%s/list_changed" % kind, None)

    def note(self, method: str, uri: "Optional[str]") -> None:
        for connection in self.connections:
            connection.note(method, uri)

    # Answering

    def open_handlers(self) -> "Dict[str, Callable[[Dict[str, Any], Context], Any]]":
        """``Server.handlers``: our user has the table in hand from now on."""
        self.find_handlers()
        self.are_handlers_known = True
        for connection in self.connections:
            connection.check_texts()
        return self.table

    def find_handlers(self) -> "Handlers":
        """Return the handlers of everything but ``initialize``, which are loaded when they are first needed (1)."""
        if self.handlers is None:
            from .handlers import Handlers

            self.handlers = Handlers(self.catalog)
            self.table.update(self.handlers.table)
            for connection in self.connections:             # initialize may be replaced now, by one that wants a Context
                connection.get_ready()
        return self.handlers

    def map_error(self, request: "Any", error: BaseException) -> str:
        """Return the reply for a handler that ended with ``error``."""
        from .outcomes import map_error

        return map_error(request, error)


class Connection:
    """One client being served: its peer, and the changes it has to hear of."""

    def __init__(self, core: "ServerCore", channel: "Any") -> None:
        self.core = core
        self.changes: "Optional[Changes]" = None            # made when there is something to tell
        self.is_ready = False
        session = Session("server", core.catalog.info, self.new_first_request)
        self.peer = peer = Peer(session, channel, core.table, core.notified, core.interrupt)
        peer.map_error = core.map_error
        peer.find_sealer, peer.find_changes = core.find_sealer, self.find_changes
        peer.on_idle = self.idle
        if core.handlers is not None:                       # loaded already, so initialize may have been replaced
            self.get_ready()
        if core.are_handlers_known:
            self.check_texts()

    def check_texts(self) -> None:
        """From now on read what a handler of the user's returns as text, before it goes out as a result."""
        from .outcomes import new_result_line

        session, own = self.peer.session, self.core.find_handlers().table
        session.result_line = new_result_line(session, self.core.table, own)  # type: ignore[method-assign]

    def get_ready(self) -> None:
        """Load what any request but ``initialize`` takes: the handlers, and what they hold (1)."""
        from .context import Context

        self.is_ready = True
        self.peer.session.new_request = self.peer.session.new_initialize = Context
        self.core.find_handlers()

    def new_first_request(self, *members: "Any") -> "Request":
        """Make the event of the first request behind ``initialize``, where that was not given the time to ``get_ready``."""
        self.get_ready()
        return self.peer.session.new_request(*members)

    def idle(self) -> "Optional[float]":
        """Before each wait: run what is due, tell what changed; return the seconds until the next timer."""
        if not self.is_ready and self.peer.session.row is not None:
            self.get_ready()
        due = self.core.run_due()
        if self.changes is not None:
            self.changes.tell()
        if self.is_ready and not self.core.timers and not self.core.before_wait:
            self.peer.on_idle = None                        # until there is something again
        return due

    def find_changes(self) -> "Changes":
        if self.changes is None:
            from .subscriptions import Changes

            self.changes = Changes(self.peer, self.core.catalog.info)
        return self.changes

    def note(self, method: str, uri: "Optional[str]") -> None:
        """Remember a change; it is told after the current message, and once however often it happened."""
        self.find_changes().note(method, uri)
        if not self.peer.running:
            self.peer.on_idle = self.idle

    def end(self) -> None:
        """The input has ended: what is open is closed."""
        if self.changes is not None:
            self.changes.close_all()
