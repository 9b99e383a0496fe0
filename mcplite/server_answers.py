"""What a server answers: the handler of every request but ``initialize``, and what becomes of a handler that fails.

Here: ``ServerAnswers``. Not here: registration and ``initialize`` (``server``), what a client is told unasked (``server_changes``),
what is on offer and in which revision (``catalog``), questions to the client (``questions``).

Pages: server/*, basic/utilities/ping (2024-11-05 to 2025-11-25); server/*, server/discover, basic/patterns/* (2026-07-28).

1. A handler takes ``(params, ctx)`` and returns the result object, or its JSON text where that is at hand.
2. It reads the members it needs and ignores what it does not know; a malformed one is a ``Refusal`` (-32602).
3. Three outcomes of a tool call never blur: refused request (error), failed tool (``isError``), result.
4. This module is loaded by the first request behind ``initialize``, or while the client reads the answer to that (rule 1 of
   ``server``): a host waits for the first answer of every server that it starts.
"""
from .codec import encode, quote
from .context import LOG_RANKS
from .errors import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    REQUEST_TIMEOUT,
    CapabilityError,
    InvalidResult,
    McpError,
    PathError,
    TimeLimit,
    ToolError,
)
from .jsonrpc import new_error
from .peer import NO_REPLY, default_map_error, report_exception
from .revisions import LOG_LEVELS, NEWEST_STATELESS, SERVER_INFO_KEY, STATELESS_DATES
from .session import check_result
from .signature import ArgumentError
from .stdio import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Optional, Tuple, Union

    from .catalog import ToolEntry
    from .content import ContentError
    from .context import Context
    from .revisions import Revision
    from .server import Server
    from .session import Session


class Refusal(McpError):
    """A request that is malformed or asks for something that does not exist: an error, never a tool's outcome (3)."""


class ServerAnswers:
    """The handlers of one server: ``handlers`` maps each method to its function."""

    def __init__(self, server: "Server") -> None:
        self.server, self.catalog = server, server.catalog
        self.handlers: "Dict[str, Callable[[Dict[str, Any], Context], Any]]" = {
            "ping": self.ping,
            "tools/list": self.tools_list, "tools/call": self.tools_call,
            "resources/list": self.resources_list, "resources/templates/list": self.resources_templates_list,
            "resources/read": self.resources_read,
            "resources/subscribe": self.resources_subscribe, "resources/unsubscribe": self.resources_unsubscribe,
            "prompts/list": self.prompts_list, "prompts/get": self.prompts_get,
            "completion/complete": self.completion_complete, "logging/setLevel": self.logging_set_level,
            "server/discover": self.server_discover, "subscriptions/listen": self.subscriptions_listen,
        }

    # Lifecycle (basic/utilities/ping; server/discover)

    def ping(self, params: "Dict[str, Any]", ctx: "Context") -> str:
        check_handshake("ping", ctx.row)
        return "{}"

    def server_discover(self, params: "Dict[str, Any]", ctx: "Context") -> "Dict[str, Any]":
        check_stateless("server/discover", ctx.row)
        result: "Dict[str, Any]" = {"supportedVersions": list(STATELESS_DATES), "capabilities": self.server.capabilities(ctx),
                                    "_meta": {SERVER_INFO_KEY: self.server.info}}
        if self.server.instructions is not None:
            result["instructions"] = self.server.instructions
        return self.add_cache_hints(result, ctx, self.server.cache)

    def add_cache_hints(self, result: "Dict[str, Any]", ctx: "Context",
                        cache: "Tuple[Optional[int], Optional[str]]") -> "Dict[str, Any]":
        """Add ``ttlMs`` and ``cacheScope`` where the revision has them (2026-07-28, server/utilities/caching)."""
        if ctx.row is not None and ctx.row.stateless:
            result["ttlMs"] = cache[0] if cache[0] is not None else self.server.cache[0]
            result["cacheScope"] = cache[1] if cache[1] is not None else self.server.cache[1]
        return result

    # Lists (server/utilities/pagination)

    def list_entries(self, kind: str, member: str, table: "Dict[Any, Any]", params: "Dict[str, Any]",
                     ctx: "Context") -> str:
        """Return one page of a list as JSON text; made once, until something of its kind is registered or removed."""
        assert ctx.row is not None
        if kind.split("/")[0] not in self.catalog.declared:
            raise Refusal(METHOD_NOT_FOUND, "Method not found: %s/list: this server has no %s" % (kind, kind.split("/")[0]))
        cursor = params.get("cursor")
        if cursor is not None and cursor.__class__ is not str:
            raise Refusal(INVALID_PARAMS, "Invalid params: cursor must be a string")
        key = (kind, ctx.row.date, cursor)
        text = self.server.list_texts.get(key)
        if text is None:
            from .catalog_pages import VARYING_MEMBERS, select_page, view_entry

            # One that was registered while serving, and names in a hint what does not exist, must not cost the list of all.
            is_whole = self.catalog.resolve_pending(report_exception)
            known = [entry for entry in table.values() if entry.pending is None]
            entries, following = select_page(known, cursor, self.server.page_size, kind)
            result: "Dict[str, Any]" = {member: [view_entry(entry, ctx.row, VARYING_MEMBERS[kind]) for entry in entries]}
            if following is not None:
                result["nextCursor"] = following
            text = encode(self.add_cache_hints(result, ctx, self.server.cache))
            if is_whole:
                self.server.list_texts[key] = text
        return text

    def tools_list(self, params: "Dict[str, Any]", ctx: "Context") -> str:
        return self.list_entries("tools", "tools", self.catalog.tools, params, ctx)

    def resources_list(self, params: "Dict[str, Any]", ctx: "Context") -> str:
        return self.list_entries("resources", "resources", self.catalog.resources, params, ctx)

    def resources_templates_list(self, params: "Dict[str, Any]", ctx: "Context") -> str:
        return self.list_entries("resources/templates", "resourceTemplates", self.catalog.templates, params, ctx)

    def prompts_list(self, params: "Dict[str, Any]", ctx: "Context") -> str:
        return self.list_entries("prompts", "prompts", self.catalog.prompts, params, ctx)

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
            repaired = self.repair_arguments(entry, arguments) if self.server.repair else None
            if repaired is None:
                return explain_arguments(entry, arguments)
            arguments = repaired
        if entry.timeout is not None or self.server.timeout is not None:
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
            limit = self.server.timeout
        if limit is not None:
            ctx.deadline = monotonic() + limit

    # Resources (server/resources)

    def resources_read(self, params: "Dict[str, Any]", ctx: "Context") -> "Dict[str, Any]":
        uri = check_string(params, "uri")
        from .content import ContentError, downgrade_contents, to_resource_result

        entry, values = self.find_resource(uri, ctx)
        assert ctx.row is not None
        if entry.pending is not None:
            entry.pending()
        if "requestState" in params or "inputResponses" in params:
            take_round(ctx)
        self.limit_time(ctx, None)
        value = self.call_for_arguments(entry, values, ctx)
        if value is None:                                   # the function's way to say that there is no such thing
            raise refuse_resource(uri, ctx)
        try:
            result = to_resource_result(value, uri, entry.wire.get("mimeType"))
        except ContentError as error:
            raise new_invalid_result("Resource %s" % uri, error) from None
        result["contents"] = [downgrade_contents(item, ctx.row.features) for item in result["contents"]]
        own = result.pop("ttlMs", entry.cache[0]), result.pop("cacheScope", entry.cache[1])
        return self.add_cache_hints(result, ctx, own)

    def find_resource(self, uri: str, ctx: "Context") -> "Tuple[Any, Dict[str, Any]]":
        """Return the entry that reads ``uri`` and its variables; there is one, or this is a ``Refusal``."""
        from .catalog_resources import find_resource
        from .uritemplate import UriError

        try:
            entry, values = find_resource(self.catalog, uri)
        except UriError as error:
            raise Refusal(INVALID_PARAMS, "Invalid params: uri: %s" % error, {"uri": uri}) from None
        if entry is None:
            if "resources" not in self.catalog.declared:
                raise Refusal(METHOD_NOT_FOUND, "Method not found: %s: this server has no resources" % ctx.method)
            raise refuse_resource(uri, ctx)
        return entry, values

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
        if hasattr(value, "__next__"):                      # a generator: its body runs here, before anything counts as answered
            from .content import is_iterator

            value = list(value) if is_iterator(value) else value
        if ctx.rounds is not None:
            ctx.rounds.check_answered(ctx)
        return value

    def resources_subscribe(self, params: "Dict[str, Any]", ctx: "Context") -> str:
        check_handshake("resources/subscribe", ctx.row)
        uri = check_string(params, "uri")
        self.find_resource(uri, ctx)
        ctx.peer.session.subscribed[uri] = True
        return "{}"

    def resources_unsubscribe(self, params: "Dict[str, Any]", ctx: "Context") -> str:
        check_handshake("resources/unsubscribe", ctx.row)
        ctx.peer.session.subscribed.pop(check_string(params, "uri"), None)
        return "{}"

    # Prompts and completion (server/prompts, server/utilities/completion)

    def prompts_get(self, params: "Dict[str, Any]", ctx: "Context") -> "Dict[str, Any]":
        from .content import ContentError, downgrade_prompt, to_prompt_result

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
        value = self.call_for_arguments(entry, arguments, ctx)
        try:
            result = to_prompt_result(value)
        except ContentError as error:
            raise new_invalid_result("Prompt %s" % name, error) from None
        if "description" in entry.wire:
            result.setdefault("description", entry.wire["description"])
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
        from .content import ContentError, to_completion_result

        found = call_completion(entry, value, known if known.__class__ is dict else {}, ctx)
        try:
            return to_completion_result(found)
        except ContentError as error:
            raise new_invalid_result("Completion of %s of %s" % (name, target), error) from None

    # Logging (server/utilities/logging)

    def logging_set_level(self, params: "Dict[str, Any]", ctx: "Context") -> str:
        check_handshake("logging/setLevel", ctx.row)
        level = params.get("level")
        if level.__class__ is not str or level not in LOG_RANKS:
            raise Refusal(INVALID_PARAMS, "Invalid params: level must be one of %s" % ", ".join(LOG_LEVELS))
        ctx.peer.session.log_level = level
        return "{}"

    # Subscriptions (2026-07-28, basic/patterns/subscriptions)

    def subscriptions_listen(self, params: "Dict[str, Any]", ctx: "Context") -> "Any":
        check_stateless("subscriptions/listen", ctx.row)
        wanted = check_object(params, "notifications")
        for connection in self.server.connections:
            if connection.peer is ctx.peer:
                connection.find_changes().listen(ctx.id, self.agreed_filter(wanted))
        return NO_REPLY

    def agreed_filter(self, wanted: "Dict[str, Any]") -> "Dict[str, Any]":
        """Return the part of a notification filter that this server serves: what it has declared."""
        from .server_changes import LIST_FILTERS

        agreed: "Dict[str, Any]" = {}
        for kind, member in LIST_FILTERS.items():
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
        if isinstance(error, PathError):                # the client named something that it may not have
            if request.method == "resources/read":
                return self.map_error(request, refuse_resource(request.params["uri"], request))
            return new_error(request.id, INVALID_PARAMS, "Invalid params: %s" % error)
        return default_map_error(request, error)

    def map_tool_error(self, request: "Context", error: BaseException) -> str:
        """Return the ``isError`` result of a failed tool (3); the trace of what nobody foresaw goes to standard error."""
        if isinstance(error, TimeLimit):
            text = "The tool's time limit has passed"
        elif isinstance(error, ArgumentError):          # the schema allows it, the type does not: February 30th
            text = "Invalid arguments for tool %s: %s" % (request.params["name"], error)
        else:
            text = describe_exception(error)
            if not isinstance(error, (ToolError, InvalidResult, CapabilityError, PathError)):
                report_exception(error)
        session = request.peer.session
        return session.result_line(request, '{"content":[{"type":"text","text":%s}],"isError":true}' % quote(text))


def new_invalid_result(handler: str, error: "ContentError") -> "InvalidResult":
    text = "%s returned what cannot be its result: %%s" % handler.replace("%", "%%")
    return InvalidResult(text % error, text % error.wanted)


def new_result_line(server: "Server", session: "Session") -> "Any":
    """Return the session's ``result_line``, but for the texts of handlers that are not ours: those are read, and must be an
    object's, since what is no JSON, or is spread over lines, would break the conversation."""
    own = server.find_answers().handlers

    def result_line(request: "Context", result: "Any") -> str:
        if result.__class__ is str and server.loaded.get(request.method) is not own.get(request.method):
            from .codec import DecodeError, decode_text

            try:
                result = decode_text(result)
            except DecodeError:
                pass                                # a text is no object: the session says so
            result = check_result(request, result)
        return type(session).result_line(session, request, result)

    return result_line


# What handlers share


def check_handshake(method: str, row: "Optional[Revision]") -> None:
    if row is not None and row.stateless:
        raise Refusal(METHOD_NOT_FOUND, "Method not found: %s does not exist in revision %s" % (method, row.date))


def check_stateless(method: str, row: "Optional[Revision]") -> None:
    if row is None or not row.stateless:
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


def call_completion(entry: "Any", value: str, known: "Dict[str, Any]", ctx: "Context") -> "Any":
    """Call a completion function with as many of (value, arguments) as it takes, and the context if it wants it."""
    more = {} if entry.context_name is None else {entry.context_name: ctx}
    function = getattr(entry.function, "__func__", entry.function)
    code = getattr(function, "__code__", None)
    takes = 2
    if code is not None and not code.co_flags & 0x04:       # no *args: count what it has
        takes = code.co_argcount - (function is not entry.function) - (entry.context_name is not None)
    return entry.function(*(value, known)[:takes], **more)
