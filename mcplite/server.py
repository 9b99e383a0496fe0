"""The server's face: registration, the handlers of every method a client may call, ``run``.

Here: ``Server``. Not here: the loop (``peer``), descriptors (``stdio``), what may be registered (``catalog``), questions
to the client (``questions``).

Pages: basic/lifecycle, basic/utilities/*, server/* (2024-11-05 to 2025-11-25); basic/*, server/discover, server/*,
basic/patterns/* (2026-07-28).

One ``tools/call``: ``stdio`` yields a line → ``session`` finds message and revision → ``peer`` looks the method up in
``handlers`` → ``tools_call`` finds the tool, ``schema`` judges the arguments → your function → ``map_error`` or
``tool_result_for`` makes the outcome a result → ``session`` makes one line → ``stdio`` writes it.

1. A handler takes ``(params, ctx)`` and returns the result object, or its JSON text where that is at hand.
2. It reads the members it needs and ignores what it does not know; a malformed one is a ``Refusal`` (-32602).
3. Three outcomes of a tool call never blur: refused request (error), failed tool (``isError``), result.
"""
from .catalog import (
    INFO_MEMBERS,
    PROMPT_MEMBERS,
    RESOURCE_MEMBERS,
    TOOL_MEMBERS,
    Catalog,
    check_cache_scope,
    check_icons,
    check_seconds,
    check_ttl_ms,
    select_members,
    select_page,
    view_entry,
)
from .codec import encode, quote
from .context import LOG_RANKS, Context
from .errors import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    REQUEST_TIMEOUT,
    CapabilityError,
    McpError,
    RegistrationError,
    Shutdown,
    TimeLimit,
    ToolError,
)
from .jsonrpc import new_error, new_notification, new_result, same_id
from .peer import NO_REPLY, Peer, default_map_error, report_exception
from .revisions import (
    LOG_LEVELS,
    NEWEST_STATELESS,
    SERVER_INFO_KEY,
    STATELESS_DATES,
    SUBSCRIPTION_KEY,
)
from .session import Session
from .signature import ArgumentError
from .stdio import (
    DEFAULT_LINE_LIMIT,
    FdChannel,
    OwnedStdio,
    TermSignals,
    monotonic,
    random_bytes,
    unwatch_forks,
    wall_clock,
    watch_forks,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Tuple, TypeVar, Union, overload

    from .catalog import ToolEntry
    from .sealing import Sealer

    Function = TypeVar("Function", bound=Callable[..., Any])

if not TYPE_CHECKING:
    def overload(function):                                 # typing's, without importing it: only type checkers need it
        return function

SERVER_VERSION_DEFAULT = "0"
COMPLETION_LIMIT = 100
LIST_KINDS = {"tools": "toolsListChanged", "resources": "resourcesListChanged", "prompts": "promptsListChanged"}


class Refusal(McpError):
    """A request that is malformed or asks for something that does not exist: an error, never a tool's outcome (3)."""


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
        info: "Dict[str, Any]" = {"name": name, "version": version}
        for member, value in (("title", title), ("description", description), ("websiteUrl", website_url),
                              ("icons", check_icons(icons, "server"))):
            if value is not None:
                info[member] = value
        self.info, self.instructions = info, instructions
        self.page_size, self.line_limit, self.interrupt, self.repair = page_size, line_limit, interrupt, repair
        self.timeout = check_seconds(timeout, "timeout")
        self.cache = (check_ttl_ms(ttl_ms, "server"), check_cache_scope(cache_scope, "server"))
        check_seconds(state_seconds, "state_seconds")
        self.key, self.state_seconds = key, state_seconds
        self.sealer: "Optional[Sealer]" = None                      # made when the first question needs it
        self.extensions, self.experimental = extensions, experimental
        self.catalog = Catalog()
        self.handlers: "Dict[str, Callable[[Dict[str, Any], Context], Any]]" = {
            "initialize": self.initialize, "ping": self.ping,
            "tools/list": self.tools_list, "tools/call": self.tools_call,
            "resources/list": self.resources_list, "resources/templates/list": self.resources_templates_list,
            "resources/read": self.resources_read,
            "resources/subscribe": self.resources_subscribe, "resources/unsubscribe": self.resources_unsubscribe,
            "prompts/list": self.prompts_list, "prompts/get": self.prompts_get,
            "completion/complete": self.completion_complete, "logging/setLevel": self.logging_set_level,
            "server/discover": self.server_discover, "subscriptions/listen": self.subscriptions_listen,
        }
        self.notified: "Dict[str, Callable[[Dict[str, Any]], Any]]" = {}
        self.list_texts: "Dict[Tuple[str, str, Any], str]" = {}     # (kind, revision, cursor) → the result, made once
        self.timers: "List[Timer]" = []
        self.before_wait: "List[Callable[[], Any]]" = []            # run each time before the loop waits
        self.connections: "List[Connection]" = []
        self.polled: "Optional[Tuple[OwnedStdio, Connection]]" = None

    # Registration

    @overload
    def tool(self, function: "Function", *, name: "Optional[str]" = ..., title: "Optional[str]" = ...,
             description: "Optional[str]" = ..., input_schema: "Optional[Dict[str, Any]]" = ...,
             output_schema: "Optional[Dict[str, Any]]" = ..., annotations: "Optional[Dict[str, Any]]" = ...,
             icons: "Optional[List[Dict[str, Any]]]" = ..., meta: "Optional[Dict[str, Any]]" = ...,
             timeout: "Optional[float]" = ..., execution: "Optional[Dict[str, Any]]" = ...) -> "Function": ...

    @overload
    def tool(self, function: None = None, *, name: "Optional[str]" = ..., title: "Optional[str]" = ...,  # noqa: F811
             description: "Optional[str]" = ..., input_schema: "Optional[Dict[str, Any]]" = ...,
             output_schema: "Optional[Dict[str, Any]]" = ..., annotations: "Optional[Dict[str, Any]]" = ...,
             icons: "Optional[List[Dict[str, Any]]]" = ..., meta: "Optional[Dict[str, Any]]" = ...,
             timeout: "Optional[float]" = ..., execution: "Optional[Dict[str, Any]]" = ...) -> "Callable[[Function], Function]": ...

    def tool(self, function: "Optional[Function]" = None, *, name: "Optional[str]" = None, title: "Optional[str]" = None,  # noqa: F811
             description: "Optional[str]" = None, input_schema: "Optional[Dict[str, Any]]" = None,
             output_schema: "Optional[Dict[str, Any]]" = None, annotations: "Optional[Dict[str, Any]]" = None,
             icons: "Optional[List[Dict[str, Any]]]" = None, meta: "Optional[Dict[str, Any]]" = None,
             timeout: "Optional[float]" = None, execution: "Optional[Dict[str, Any]]" = None) -> "Any":
        """Register a function as a tool; a decorator with or without parentheses, or a call with the function.

        Without ``input_schema`` the function's signature gives the schema, its docstring the description, and arguments
        arrive as the hinted types. With it the function gets the arguments dict as it came, as its first parameter.
        ``output_schema`` (JSON Schema of the structured result) is enforced; a TypedDict, dataclass or list as return hint
        gives one. ``annotations``: readOnlyHint, destructiveHint, idempotentHint, openWorldHint, title. ``timeout`` in
        seconds. Returns the function. Raises ``RegistrationError``. Page: server/tools.
        """

        def register(function: "Function") -> "Function":
            self.catalog.add_tool(function, name, title, description, input_schema, output_schema, annotations, icons, meta,
                                  timeout, execution)
            self.list_changed("tools")
            return function

        return register if function is None else register(function)

    def resource(self, uri: str, *, name: "Optional[str]" = None, title: "Optional[str]" = None,
                 description: "Optional[str]" = None, mime_type: "Optional[str]" = None,
                 annotations: "Optional[Dict[str, Any]]" = None, size: "Optional[int]" = None,
                 icons: "Optional[List[Dict[str, Any]]]" = None, meta: "Optional[Dict[str, Any]]" = None,
                 ttl_ms: "Optional[int]" = None, cache_scope: "Optional[str]" = None) -> "Callable[[Function], Function]":
        """Register the function below as reader of ``uri``, or of every URI that fits it as a template (RFC 6570).

        The function returns ``str`` (sent as text), ``bytes`` (sent as a blob), content dicts, anything JSON, or None where
        there is no such resource; a template's variables are its parameters. ``size`` in bytes; ``annotations``:
        audience, priority, lastModified;
        ``ttl_ms`` and ``cache_scope`` as for ``Server``. Raises ``RegistrationError``. Page: server/resources.
        """

        def register(function: "Function") -> "Function":
            self.catalog.add_resource(function, uri, name, title, description, mime_type, annotations, size, icons, meta,
                                      ttl_ms, cache_scope)
            self.list_changed("resources")
            return function

        return register

    @overload
    def prompt(self, function: "Function", *, name: "Optional[str]" = ..., title: "Optional[str]" = ...,
               description: "Optional[str]" = ..., icons: "Optional[List[Dict[str, Any]]]" = ...,
               meta: "Optional[Dict[str, Any]]" = ..., argument_titles: "Optional[Dict[str, str]]" = ...) -> "Function": ...

    @overload
    def prompt(self, function: None = None, *, name: "Optional[str]" = ..., title: "Optional[str]" = ...,  # noqa: F811
               description: "Optional[str]" = ..., icons: "Optional[List[Dict[str, Any]]]" = ...,
               meta: "Optional[Dict[str, Any]]" = ...,
               argument_titles: "Optional[Dict[str, str]]" = ...) -> "Callable[[Function], Function]": ...

    def prompt(self, function: "Optional[Function]" = None, *, name: "Optional[str]" = None, title: "Optional[str]" = None,  # noqa: F811
               description: "Optional[str]" = None, icons: "Optional[List[Dict[str, Any]]]" = None,
               meta: "Optional[Dict[str, Any]]" = None, argument_titles: "Optional[Dict[str, str]]" = None) -> "Any":
        """Register a function as a prompt; its parameters are the arguments, which clients fill with strings.

        It returns a string, a content block, a message ``{"role", "content"}``, or a list of these. Returns the function.
        Raises ``RegistrationError``. Page: server/prompts.
        """

        def register(function: "Function") -> "Function":
            self.catalog.add_prompt(function, name, title, description, icons, meta, argument_titles)
            self.list_changed("prompts")
            return function

        return register if function is None else register(function)

    def completion(self, reference: str, argument: str) -> "Callable[[Function], Function]":
        """Register the function below as completion of a prompt's argument or of a template's variable.

        ``reference`` is the prompt's name or the template's URI. The function takes the value typed so far and the
        arguments filled in already, and returns strings; the first 100 are sent. Page: server/utilities/completion.
        """

        def register(function: "Function") -> "Function":
            self.catalog.add_completion(function, reference, argument)
            return function

        return register

    def remove_tool(self, name: str) -> None:
        """Take a tool away; clients are told. Raises ``KeyError`` when there is none of that name."""
        del self.catalog.tools[name]
        self.list_changed("tools")

    def remove_resource(self, uri: str) -> None:
        """Take a resource or template away; clients are told. Raises ``KeyError`` when there is none of that URI."""
        del (self.catalog.templates if uri in self.catalog.templates else self.catalog.resources)[uri]
        self.list_changed("resources")

    def remove_prompt(self, name: str) -> None:
        """Take a prompt away; clients are told. Raises ``KeyError`` when there is none of that name."""
        del self.catalog.prompts[name]
        self.list_changed("prompts")

    def every(self, seconds: float, function: "Callable[[], Any]") -> "Callable[[], Any]":
        """Call ``function`` every so many ``seconds`` in the loop, between messages; its exceptions go to standard error."""
        check_seconds(seconds, "every")
        self.timers.append(Timer(seconds, function))
        for connection in self.connections:                 # a timer begun while serving
            connection.peer.on_idle = connection.idle
        return function

    # Changes

    def list_changed(self, kind: str) -> None:
        """Note that a list ("tools", "resources", "prompts") has changed; clients hear of it once the current message is done."""
        for key in [key for key in self.list_texts if key[0].startswith(kind)]:
            del self.list_texts[key]
        for connection in self.connections:
            connection.note("notifications/%s/list_changed" % kind, None)

    def resource_updated(self, uri: str) -> None:
        """Tell clients that subscribed to ``uri`` that its contents have changed (server/resources, "Subscriptions")."""
        for connection in self.connections:
            connection.note("notifications/resources/updated", uri)

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
            self.serve_channel(FdChannel(owned.read_fd, owned.write_fd, self.line_limit))
        except Shutdown as stop:
            raise SystemExit(stop.status) from None
        except KeyboardInterrupt:
            raise SystemExit(130) from None
        finally:
            signals.give_back()
            owned.give_back()

    def serve(self, reader: "Any", writer: "Any") -> None:
        """Serve on two binary streams until ``reader`` ends: ``io.BytesIO``, a socket's makefile, pipes. Touches nothing else."""
        from .stdio_streams import StreamChannel

        self.serve_channel(StreamChannel(reader, writer, self.line_limit))

    def serve_channel(self, channel: "Any") -> None:
        connection = self.connect(channel)
        try:
            connection.peer.serve()
            connection.end()
        finally:
            self.connections.remove(connection)

    def poll(self, timeout: float = 0) -> bool:
        """Serve what has arrived on standard input, and return: for a host program with a loop of its own.

        Waits at most ``timeout`` seconds. Returns False once the input has ended, True before. The first call takes
        standard input and output as ``run`` does, the end of input gives them back.
        """
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
            peer.timer.restore()
        if connection in self.connections:
            self.connections.remove(connection)
            unwatch_forks(peer.leave)
            owned.give_back()
        return False

    def connect(self, channel: "Any") -> "Connection":
        """Return a new connection over ``channel``, ready to serve."""
        self.catalog.resolve_pending()
        self.catalog.check_completions()
        connection = Connection(self, channel)
        self.connections.append(connection)
        return connection

    def run_timers(self) -> "Optional[float]":
        """Run what is due; return the seconds until the next is."""
        for function in self.before_wait:
            function()
        now = monotonic()
        for timer in list(self.timers):
            if timer.due <= now:
                timer.due = now + timer.seconds
                try:
                    timer.function()
                except Exception as error:
                    report_exception(error)
        return max(0.0, min(timer.due for timer in self.timers) - monotonic()) if self.timers else None

    def find_sealer(self) -> "Sealer":
        """Return what seals the questions of this server; without a ``key`` they are good in this process only."""
        if self.sealer is None:
            from .sealing import Sealer

            key = random_bytes(32) if self.key is None else self.key
            self.sealer = Sealer(key, self.state_seconds, wall_clock, random_bytes)
        return self.sealer

    # Lifecycle (basic/lifecycle; server/discover)

    def capabilities(self, ctx: "Context") -> "Dict[str, Any]":
        """Declared from what is registered; logging always."""
        declared, features = self.catalog.declared, ctx.row.features if ctx.row is not None else frozenset()
        found: "Dict[str, Any]" = {"logging": {}}
        for kind in ("prompts", "resources", "tools"):
            if kind in declared:
                found[kind] = {"listChanged": True}
        if "resources" in declared:
            found["resources"]["subscribe"] = True
        if "completions" in declared and "completions" in features:
            found["completions"] = {}
        if self.experimental is not None:
            found["experimental"] = self.experimental
        if self.extensions is not None and "extensions" in features:
            found["extensions"] = self.extensions
        return found

    def initialize(self, params: "Dict[str, Any]", ctx: "Context") -> "Dict[str, Any]":
        check_handshake("initialize", ctx)
        assert ctx.row is not None
        result: "Dict[str, Any]" = {"protocolVersion": ctx.row.date, "capabilities": self.capabilities(ctx),
                                    "serverInfo": select_members(self.info, ctx.row, INFO_MEMBERS)}
        if self.instructions is not None:
            result["instructions"] = self.instructions
        return result

    def server_discover(self, params: "Dict[str, Any]", ctx: "Context") -> "Dict[str, Any]":
        check_stateless("server/discover", ctx)
        result: "Dict[str, Any]" = {"supportedVersions": list(STATELESS_DATES), "capabilities": self.capabilities(ctx),
                                    "_meta": {SERVER_INFO_KEY: self.info}}
        if self.instructions is not None:
            result["instructions"] = self.instructions
        return self.add_cache_hints(result, ctx, self.cache)

    def ping(self, params: "Dict[str, Any]", ctx: "Context") -> str:
        check_handshake("ping", ctx)
        return "{}"

    def add_cache_hints(self, result: "Dict[str, Any]", ctx: "Context",
                        cache: "Tuple[Optional[int], Optional[str]]") -> "Dict[str, Any]":
        """Add ``ttlMs`` and ``cacheScope`` where the revision has them (2026-07-28, server/utilities/caching)."""
        if ctx.row is not None and ctx.row.stateless:
            result["ttlMs"] = cache[0] if cache[0] is not None else self.cache[0]
            result["cacheScope"] = cache[1] if cache[1] is not None else self.cache[1]
        return result

    # Lists (server/utilities/pagination)

    def list_entries(self, kind: str, member: str, table: "Dict[Any, Any]", members: "Dict[str, str]",
                     params: "Dict[str, Any]", ctx: "Context") -> str:
        """Return one page of a list as JSON text; made once, until something of its kind is registered or removed."""
        assert ctx.row is not None
        if kind.split("/")[0] not in self.catalog.declared:
            raise Refusal(METHOD_NOT_FOUND, "Method not found: %s/list: this server has no %s" % (kind, kind.split("/")[0]))
        cursor = params.get("cursor")
        if cursor is not None and cursor.__class__ is not str:
            raise Refusal(INVALID_PARAMS, "Invalid params: cursor must be a string")
        key = (kind, ctx.row.date, cursor)
        text = self.list_texts.get(key)
        if text is None:
            self.catalog.resolve_pending()
            entries, following = select_page(list(table.values()), cursor, self.page_size, kind)
            result: "Dict[str, Any]" = {member: [view_entry(entry, ctx.row, members) for entry in entries]}
            if following is not None:
                result["nextCursor"] = following
            text = self.list_texts[key] = encode(self.add_cache_hints(result, ctx, self.cache))
        return text

    def tools_list(self, params: "Dict[str, Any]", ctx: "Context") -> str:
        return self.list_entries("tools", "tools", self.catalog.tools, TOOL_MEMBERS, params, ctx)

    def resources_list(self, params: "Dict[str, Any]", ctx: "Context") -> str:
        return self.list_entries("resources", "resources", self.catalog.resources, RESOURCE_MEMBERS, params, ctx)

    def resources_templates_list(self, params: "Dict[str, Any]", ctx: "Context") -> str:
        return self.list_entries("resources/templates", "resourceTemplates", self.catalog.templates, RESOURCE_MEMBERS, params, ctx)

    def prompts_list(self, params: "Dict[str, Any]", ctx: "Context") -> str:
        return self.list_entries("prompts", "prompts", self.catalog.prompts, PROMPT_MEMBERS, params, ctx)

    # Tools (server/tools)

    def tools_call(self, params: "Dict[str, Any]", ctx: "Context") -> "Union[Dict[str, Any], str]":
        name = params.get("name")
        entry = self.catalog.tools.get(name) if name.__class__ is str else None
        if entry is None:
            raise self.refuse_tool(name)
        if "requestState" in params or "inputResponses" in params:
            take_round(ctx)
        arguments = params.get("arguments")
        if arguments.__class__ is not dict:
            arguments = check_arguments(arguments)
        validator = entry.input_validator
        if validator is None:
            validator = self.prepare_tool(entry)
        if not validator.is_valid(arguments):
            repaired = self.repair_arguments(entry, arguments) if self.repair else None
            if repaired is None:
                return explain_arguments(entry, arguments)
            arguments = repaired
        if entry.timeout is not None or self.timeout is not None:
            self.limit_time(ctx, entry.timeout)
        value = entry.call(arguments, ctx)
        if ctx.rounds is not None:
            ctx.rounds.check_answered(ctx)
        if entry.is_untyped:                                # the two commonest results, as text at once
            if value.__class__ is str:
                return f'{{"content":[{{"type":"text","text":{quote(value)}}}]}}'
            if value.__class__ is int:
                return f'{{"content":[{{"type":"text","text":"{value}"}}]}}'
        return tool_result_for(entry, value, ctx)

    def refuse_tool(self, name: "Any") -> "Refusal":
        if name.__class__ is not str:
            return Refusal(INVALID_PARAMS, "Invalid params: name must be a string, the name of a tool")
        if "tools" not in self.catalog.declared:
            return Refusal(METHOD_NOT_FOUND, "Method not found: tools/call: this server has no tools")
        return Refusal(INVALID_PARAMS, "Unknown tool: %s" % name)

    def prepare_tool(self, entry: "ToolEntry") -> "Any":
        if entry.pending is not None:
            entry.pending()
        return entry.find_input_validator()

    def repair_arguments(self, entry: "ToolEntry", arguments: "Dict[str, Any]") -> "Optional[Dict[str, Any]]":
        """Decode objects and arrays that came as strings, where only that makes the arguments valid; None where it does not."""
        from .codec import DecodeError, decode_text

        validator, repaired = entry.find_input_validator(), dict(arguments)
        for problem in validator.problems(arguments):
            name = problem["path"][1:].replace("~1", "/").replace("~0", "~")
            value = repaired.get(name)
            if value.__class__ is str and value.lstrip()[:1] in ("{", "["):
                try:
                    repaired[name] = decode_text(value)
                except DecodeError:
                    return None
        return repaired if validator.is_valid(repaired) else None

    def limit_time(self, ctx: "Context", limit: "Optional[float]") -> None:
        if limit is None:
            limit = self.timeout
        if limit is not None:
            ctx.deadline = monotonic() + limit

    # Resources (server/resources)

    def resources_read(self, params: "Dict[str, Any]", ctx: "Context") -> "Dict[str, Any]":
        uri = check_string(params, "uri")
        from .content import downgrade_contents, to_resource_contents
        from .uritemplate import UriError

        try:
            entry, values = self.catalog.find_resource(uri)
        except UriError as error:
            raise Refusal(INVALID_PARAMS, "Invalid params: uri: %s" % error, {"uri": uri}) from None
        assert ctx.row is not None
        if entry is None:
            if "resources" not in self.catalog.declared:
                raise Refusal(METHOD_NOT_FOUND, "Method not found: resources/read: this server has no resources")
            raise refuse_resource(uri, ctx)
        if entry.pending is not None:
            entry.pending()
        if "requestState" in params or "inputResponses" in params:
            take_round(ctx)
        self.limit_time(ctx, None)
        value = self.call_for_arguments(entry, values, ctx)
        if value is None:                                   # the function's way to say that there is no such thing
            raise refuse_resource(uri, ctx)
        contents = to_resource_contents(value, uri, entry.wire.get("mimeType"))
        result = {"contents": [downgrade_contents(item, ctx.row.features) for item in contents]}
        return self.add_cache_hints(result, ctx, entry.cache)

    def call_for_arguments(self, entry: "Any", arguments: "Dict[str, str]", ctx: "Context") -> "Any":
        """Call a resource's or prompt's function with string arguments; one that does not fit its hint is the client's error."""
        if entry.convert is not None:
            try:
                arguments = entry.convert(arguments)
            except ArgumentError as error:
                raise Refusal(INVALID_PARAMS, "Invalid params: %s" % error) from None
        if entry.context_name is not None:
            value = entry.function(**arguments, **{entry.context_name: ctx})
        else:
            value = entry.function(**arguments)
        if ctx.rounds is not None:
            ctx.rounds.check_answered(ctx)
        return value

    def resources_subscribe(self, params: "Dict[str, Any]", ctx: "Context") -> str:
        check_handshake("resources/subscribe", ctx)
        uri = check_string(params, "uri")
        if self.catalog.find_resource(uri)[0] is None:
            raise refuse_resource(uri, ctx)
        ctx.peer.session.subscribed[uri] = True
        return "{}"

    def resources_unsubscribe(self, params: "Dict[str, Any]", ctx: "Context") -> str:
        check_handshake("resources/unsubscribe", ctx)
        ctx.peer.session.subscribed.pop(check_string(params, "uri"), None)
        return "{}"

    # Prompts and completion (server/prompts, server/utilities/completion)

    def prompts_get(self, params: "Dict[str, Any]", ctx: "Context") -> "Dict[str, Any]":
        from .content import downgrade_prompt, to_prompt_messages

        name = check_string(params, "name")
        entry = self.catalog.prompts.get(name)
        if entry is None:
            if "prompts" not in self.catalog.declared:
                raise Refusal(METHOD_NOT_FOUND, "Method not found: prompts/get: this server has no prompts")
            raise Refusal(INVALID_PARAMS, "Unknown prompt: %s" % name)
        if entry.pending is not None:
            entry.pending()
        if "requestState" in params or "inputResponses" in params:
            take_round(ctx)
        arguments = check_prompt_arguments(entry.wire.get("arguments", ()), params.get("arguments"), name)
        self.limit_time(ctx, None)
        result: "Dict[str, Any]" = {"messages": to_prompt_messages(self.call_for_arguments(entry, arguments, ctx))}
        if "description" in entry.wire:
            result["description"] = entry.wire["description"]
        assert ctx.row is not None
        return downgrade_prompt(result, ctx.row.features)

    def completion_complete(self, params: "Dict[str, Any]", ctx: "Context") -> "Dict[str, Any]":
        reference, argument = check_object(params, "ref"), check_object(params, "argument")
        target = find_reference(reference)
        name, value = check_string(argument, "name"), check_string(argument, "value")
        if target not in self.catalog.prompts and target not in self.catalog.templates and target not in self.catalog.resources:
            raise Refusal(INVALID_PARAMS, "Invalid params: ref: no prompt or resource template is called %r" % target)
        entry = self.catalog.completions.get((target, name))
        if entry is None:
            return {"completion": {"values": [], "total": 0, "hasMore": False}}
        filled = params.get("context")
        known = filled.get("arguments") if filled.__class__ is dict else None
        values = call_completion(entry, value, known if known.__class__ is dict else {}, ctx)
        total = len(values)
        return {"completion": {"values": values[:COMPLETION_LIMIT], "total": total, "hasMore": total > COMPLETION_LIMIT}}

    # Logging (server/utilities/logging)

    def logging_set_level(self, params: "Dict[str, Any]", ctx: "Context") -> str:
        check_handshake("logging/setLevel", ctx)
        level = params.get("level")
        if level.__class__ is not str or level not in LOG_RANKS:
            raise Refusal(INVALID_PARAMS, "Invalid params: level must be one of %s" % ", ".join(LOG_LEVELS))
        ctx.peer.session.log_level = level
        return "{}"

    def logging_handler(self, level: int = 0) -> "Any":
        """Return a ``logging.Handler`` that sends Python's log records to the client, as ``Context.log`` does.

        ``level`` is the lowest numeric level it takes. A record logged while no request runs goes out in a handshake
        session only; one from another thread waits for the loop. Page: server/utilities/logging.
        """
        from .logbridge import new_logging_handler

        return new_logging_handler(self, level)

    # Subscriptions (2026-07-28, basic/patterns/subscriptions)

    def subscriptions_listen(self, params: "Dict[str, Any]", ctx: "Context") -> "Any":
        check_stateless("subscriptions/listen", ctx)
        wanted = check_object(params, "notifications")
        for connection in self.connections:
            if connection.peer is ctx.peer:
                connection.listen(ctx.id, self.agreed_filter(wanted))
        return NO_REPLY

    def agreed_filter(self, wanted: "Dict[str, Any]") -> "Dict[str, Any]":
        """Return the part of a notification filter that this server serves: what it has declared."""
        agreed: "Dict[str, Any]" = {}
        for kind, member in LIST_KINDS.items():
            if wanted.get(member) is True and kind in self.catalog.declared:
                agreed[member] = True
        uris = wanted.get("resourceSubscriptions")
        if uris.__class__ is list and "resources" in self.catalog.declared:
            agreed["resourceSubscriptions"] = [uri for uri in uris if uri.__class__ is str]
        return agreed

    # Outcomes

    def map_error(self, request: "Context", error: BaseException) -> str:
        """Return the reply for a handler that ended with ``error`` (the table of outcomes, DESIGN section 5)."""
        row = request.row
        if request.timed_out and isinstance(error, Exception):      # C code between us and the handler, say, made another of it
            error = TimeLimit("the time limit of this request has passed")
        if request.rounds is not None and request.rounds.is_waiting():
            return request.rounds.reply(request.id, request.peer.session.brief_info)
        if isinstance(error, Refusal) or isinstance(error, CapabilityError) and row is not None and row.stateless:
            return new_error(request.id, error.code, error.message, error.data)
        if isinstance(error, TimeLimit) and (row is None or row.time_limit_is_error):
            return new_error(request.id, REQUEST_TIMEOUT, "Request timed out: its time limit has passed")
        if request.method == "tools/call":
            return self.map_tool_error(request, error)
        if isinstance(error, CapabilityError):          # its code is one of 2026-07-28
            return new_error(request.id, INTERNAL_ERROR, error.message)
        if isinstance(error, TimeLimit):
            return new_error(request.id, INTERNAL_ERROR, "Request timed out: its time limit has passed")
        return default_map_error(request, error)

    def map_tool_error(self, request: "Context", error: BaseException) -> str:
        """Return the ``isError`` result of a failed tool (3); the trace of what nobody foresaw goes to standard error."""
        if isinstance(error, TimeLimit):
            text = "The tool's time limit has passed"
        elif isinstance(error, ArgumentError):          # the schema allows it, the type does not: February 30th
            text = "Invalid arguments for tool %s: %s" % (request.params["name"], error)
        else:
            text = describe_exception(error)
            if not isinstance(error, (ToolError, InvalidResult, CapabilityError)):
                report_exception(error)
        session = request.peer.session
        return session.result_line(request, '{"content":[{"type":"text","text":%s}],"isError":true}' % quote(text))


class Timer:
    __slots__ = ("due", "function", "seconds")

    def __init__(self, seconds: float, function: "Callable[[], Any]") -> None:
        self.seconds, self.function = seconds, function
        self.due = monotonic() + seconds


class Connection:
    """One client being served: its peer, its open subscriptions, and the changes it has yet to hear of."""

    def __init__(self, server: "Server", channel: "Any") -> None:
        self.server = server
        session = Session("server", server.info, Context)
        self.peer = peer = Peer(session, channel, server.handlers, server.notified, server.interrupt)
        peer.map_error = server.map_error
        peer.on_cancelled = self.cancelled
        peer.find_sealer = server.find_sealer
        peer.after_event = None
        if server.timers or server.before_wait:
            peer.on_idle = self.idle
        self.listens: "Dict[Any, Dict[str, Any]]" = {}      # id of subscriptions/listen → the agreed filter
        self.changes: "List[Tuple[str, Optional[str]]]" = []

    def note(self, method: str, uri: "Optional[str]") -> None:
        """Remember a change; it is told after the current message, and once however often it happened."""
        if (method, uri) not in self.changes:
            self.changes.append((method, uri))
        self.peer.after_event = self.tell_changes
        if not self.peer.running:
            self.peer.on_idle = self.idle

    def idle(self) -> "Optional[float]":
        """Before each wait: run what is due, tell what changed; return the seconds until the next timer."""
        due = self.server.run_timers()
        self.tell_changes()
        return due

    def tell_changes(self) -> None:
        if self.peer.running:                               # a nested request: the outer one tells
            return
        changes, self.changes = self.changes, []
        self.peer.after_event = None
        for method, uri in changes:
            self.tell_handshake(method, uri)
            self.tell_listeners(method, uri)

    def tell_handshake(self, method: str, uri: "Optional[str]") -> None:
        session = self.peer.session
        if session.row is not None and (uri is None or uri in session.subscribed):
            self.peer.held.append(new_notification(method, None if uri is None else {"uri": uri}))

    def tell_listeners(self, method: str, uri: "Optional[str]") -> None:
        for listen_id, agreed in self.listens.items():
            if uri is None and agreed.get(LIST_KINDS[method.split("/")[1]]):
                self.peer.held.append(new_notification(method, {"_meta": {SUBSCRIPTION_KEY: listen_id}}))
            elif uri is not None and uri in agreed.get("resourceSubscriptions", ()):
                self.peer.held.append(new_notification(method, {"_meta": {SUBSCRIPTION_KEY: listen_id}, "uri": uri}))

    def listen(self, listen_id: "Any", agreed: "Dict[str, Any]") -> None:
        """Open a stream; its acknowledgement is its first message (basic/patterns/subscriptions)."""
        self.tell_changes_so_far()
        self.listens[listen_id] = agreed
        self.peer.held.append(new_notification("notifications/subscriptions/acknowledged",
                                               {"_meta": {SUBSCRIPTION_KEY: listen_id}, "notifications": agreed}))

    def tell_changes_so_far(self) -> None:
        """What changed before a stream was opened is no news to it."""
        for method, uri in self.changes:
            self.tell_handshake(method, uri)
            self.tell_listeners(method, uri)
        self.changes.clear()

    def cancelled(self, request_id: "Any") -> None:
        for listen_id in list(self.listens):
            if same_id(listen_id, request_id):
                del self.listens[listen_id]

    def end(self) -> None:
        """The input has ended: every stream that is still open is closed with its result ("Graceful Closure")."""
        peer = self.peer
        try:
            for listen_id in self.listens:
                meta = {SUBSCRIPTION_KEY: listen_id, SERVER_INFO_KEY: self.server.info}
                result = {"resultType": "complete", "_meta": meta}
                peer.held.append(new_result(listen_id, encode(result)))
            peer.flush()
        except BrokenPipeError:
            pass
        self.listens.clear()


class InvalidResult(ValueError):
    """A tool's value that does not fit its own output schema, or that JSON cannot hold."""


# What handlers share


def check_handshake(method: str, ctx: "Context") -> None:
    if ctx.row is not None and ctx.row.stateless:
        raise Refusal(METHOD_NOT_FOUND, "Method not found: %s does not exist in revision %s" % (method, ctx.row.date))


def check_stateless(method: str, ctx: "Context") -> None:
    if ctx.row is None or not ctx.row.stateless:
        raise Refusal(METHOD_NOT_FOUND, "Method not found: %s exists from revision %s on" % (method, NEWEST_STATELESS.date))


def check_string(params: "Dict[str, Any]", member: str) -> str:
    value = params.get(member)
    if value.__class__ is not str:
        raise Refusal(INVALID_PARAMS, "Invalid params: %s must be a string" % member)
    return value


def check_object(params: "Dict[str, Any]", member: str) -> "Dict[str, Any]":
    value = params.get(member)
    if value.__class__ is not dict:
        raise Refusal(INVALID_PARAMS, "Invalid params: %s must be an object" % member)
    return value


def refuse_resource(uri: str, ctx: "Context") -> "Refusal":
    """-32002 up to 2025-11-25, -32602 from 2026-07-28 on; the URI goes along (server/resources, "Error Handling")."""
    assert ctx.row is not None
    return Refusal(ctx.row.resource_not_found, "Resource not found: %s" % uri, {"uri": uri})


def take_round(ctx: "Context") -> None:
    """A further round: check what it brings, whether its handler asks again or not (2026-07-28, basic/patterns/mrtr)."""
    if ctx.row is not None and ctx.row.stateless:
        from .questions import open_rounds
        from .sealing import StateError

        try:
            open_rounds(ctx)
        except StateError as error:
            raise Refusal(INVALID_PARAMS, "Invalid params: %s" % error) from None


def check_arguments(arguments: "Any") -> "Dict[str, Any]":
    """Absent, and leniently null, is no arguments at all: the tool's own schema decides. Anything else is malformed."""
    if arguments is None:
        return {}
    raise Refusal(INVALID_PARAMS, "Invalid params: arguments must be an object")


def explain_arguments(entry: "ToolEntry", arguments: "Dict[str, Any]") -> "Dict[str, Any]":
    """Return the tool error for arguments that its schema forbids, written for the model that has to call again."""
    from .schema import problem_text

    text = problem_text(entry.find_input_validator().problems(arguments))
    text = "Invalid arguments for tool %s: %s" % (entry.wire["name"], text)
    return {"content": [{"type": "text", "text": text}], "isError": True}


def tool_result_for(entry: "ToolEntry", value: "Any", ctx: "Context") -> "Dict[str, Any]":
    """Return the result for what a tool returned: checked against its output schema, as the client's revision can read it."""
    from .content import ContentError, downgrade_tool_result, to_tool_result

    validator = entry.find_output_validator()
    try:
        result = to_tool_result(value, validator is not None)
    except ContentError as error:
        raise InvalidResult("The result of tool %s cannot be sent: %s" % (entry.wire["name"], error)) from error
    if validator is not None and not result.get("isError"):
        check_structured(entry, validator, result)
    assert ctx.row is not None
    result = downgrade_tool_result(result, ctx.row.features)
    if "structuredContent" in result and validator is not None and "structured_any" not in ctx.row.features \
            and not entry.has_object_output() and isinstance(value, dict):
        result = dict(result, structuredContent={"result": result["structuredContent"]})
    return result


def check_structured(entry: "ToolEntry", validator: "Any", result: "Dict[str, Any]") -> None:
    """Servers must provide results that fit the output schema (server/tools, "Output Schema")."""
    if "structuredContent" not in result:
        raise InvalidResult("Tool %s has an output schema but returned no structured result" % entry.wire["name"])
    if not validator.is_valid(result["structuredContent"]):
        from .schema import problem_text

        text = problem_text(validator.problems(result["structuredContent"]))
        raise InvalidResult("The result of tool %s does not fit its output schema: %s" % (entry.wire["name"], text))


def describe_exception(error: BaseException) -> str:
    """Return the text that goes on the wire for an exception: its message and nothing else (no trace)."""
    if isinstance(error, SystemExit):
        return "The tool called sys.exit(%s)" % ("" if error.code is None else error.code)
    if isinstance(error, McpError):
        return error.message
    try:
        text = str.__str__(str(error))
    except Exception:                               # it cannot say what it is
        text = ""
    if not text or isinstance(error, KeyError):
        return "%s: %s" % (type(error).__name__, text) if text else type(error).__name__
    return text


def check_prompt_arguments(declared: "Any", arguments: "Any", name: str) -> "Dict[str, str]":
    """Prompt arguments are a map of strings; the required ones must be there (server/prompts)."""
    if arguments is None:
        arguments = {}
    if arguments.__class__ is not dict:
        raise Refusal(INVALID_PARAMS, "Invalid params: arguments must be an object")
    names = [item["name"] for item in declared]
    for argument, value in arguments.items():
        if argument not in names:
            raise Refusal(INVALID_PARAMS, "Invalid params: prompt %s has no argument %r, only %s"
                          % (name, argument, ", ".join(names) or "none"))
        if value.__class__ is not str:
            raise Refusal(INVALID_PARAMS, "Invalid params: argument %r of prompt %s must be a string" % (argument, name))
    for item in declared:
        if item.get("required") and item["name"] not in arguments:
            raise Refusal(INVALID_PARAMS, "Invalid params: prompt %s needs the argument %r" % (name, item["name"]))
    return arguments


def find_reference(reference: "Dict[str, Any]") -> str:
    member = {"ref/prompt": "name", "ref/resource": "uri"}.get(str(reference.get("type")))
    if member is None:
        raise Refusal(INVALID_PARAMS, 'Invalid params: ref.type must be "ref/prompt" or "ref/resource"')
    return check_string(reference, member)


def call_completion(entry: "Any", value: str, known: "Dict[str, Any]", ctx: "Context") -> "List[str]":
    """Call a completion function with as many of (value, arguments) as it takes, and the context if it wants it."""
    more = {} if entry.context_name is None else {entry.context_name: ctx}
    function = getattr(entry.function, "__func__", entry.function)
    code = getattr(function, "__code__", None)
    takes = 2
    if code is not None and not code.co_flags & 0x04:       # no *args: count what it has
        takes = code.co_argcount - (function is not entry.function) - (entry.context_name is not None)
    values = entry.function(*(value, known)[:takes], **more)
    return [str(item) for item in values or ()]
