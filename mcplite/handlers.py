"""The handler of every request but ``initialize``: each method's function is named after it.

Here: ``Handlers``. Not here: registration and ``initialize`` (``server``), what becomes of a handler that fails (``outcomes``),
what a client is told unasked (``subscriptions``), what is on offer and in which revision (``catalog``), questions to the client
(``asking``).

Pages: server/*, basic/utilities/ping (2024-11-05 to 2025-11-25); server/*, server/discover, basic/patterns/* (2026-07-28).

1. A handler takes ``(params, ctx)`` and returns the result object, or its JSON text where that is at hand.
2. It reads the members it needs and ignores what it does not know; a malformed one is a ``Refusal`` (-32602).
3. This module is loaded by the first request behind ``initialize``, or while the client reads the answer to that (rule 1 of
   ``server``): a host waits for the first answer of every server that it starts.
"""
from .codec import encode, quote
from .context import LOG_RANKS
from .errors import INVALID_PARAMS, METHOD_NOT_FOUND
from .outcomes import Refusal, explain_arguments, new_invalid_result, refuse_resource, tool_result_for
from .peer import NO_REPLY, report_exception
from .revisions import LOG_LEVELS, NEWEST_STATELESS, SERVER_INFO_KEY, STATELESS_DATES
from .signature import ArgumentError
from .stdio import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Optional, Tuple, Union

    from .catalog import Catalog, ToolEntry
    from .context import Context


class Handlers:
    """The handlers of one server: ``table`` maps each method to its function."""

    def __init__(self, catalog: "Catalog") -> None:
        self.catalog = catalog
        self.table: "Dict[str, Callable[[Dict[str, Any], Context], Any]]" = {
            "ping": self.ping,
            "tools/list": self.tools_list, "tools/call": self.tools_call,
            "resources/list": self.resources_list, "resources/templates/list": self.resources_templates_list,
            "resources/read": self.resources_read,
            "resources/subscribe": self.resources_subscribe, "resources/unsubscribe": self.resources_unsubscribe,
            "prompts/list": self.prompts_list, "prompts/get": self.prompts_get,
            "completion/complete": self.completion_complete, "logging/setLevel": self.logging_set_level,
            "server/discover": self.server_discover, "subscriptions/listen": self.subscriptions_listen,
        }

    # Lists (server/utilities/pagination)

    def tools_list(self, params: "Dict[str, Any]", ctx: "Context") -> str:
        """``tools/list``: one page of the tools."""
        return self.list_entries("tools", "tools", self.catalog.tools, params, ctx)

    def resources_list(self, params: "Dict[str, Any]", ctx: "Context") -> str:
        """``resources/list``: one page of the resources."""
        return self.list_entries("resources", "resources", self.catalog.resources, params, ctx)

    def resources_templates_list(self, params: "Dict[str, Any]", ctx: "Context") -> str:
        """``resources/templates/list``: one page of the resource templates."""
        return self.list_entries("resources/templates", "resourceTemplates", self.catalog.templates, params, ctx)

    def prompts_list(self, params: "Dict[str, Any]", ctx: "Context") -> str:
        """``prompts/list``: one page of the prompts."""
        return self.list_entries("prompts", "prompts", self.catalog.prompts, params, ctx)

    def list_entries(self, kind: str, member: str, table: "Dict[Any, Any]", params: "Dict[str, Any]",
                     ctx: "Context") -> str:
        """Return one page of a list as JSON text; made once, until something of its kind is registered or removed."""
        assert ctx._row is not None
        self.check_declared(kind.split("/")[0], ctx)
        cursor = params.get("cursor")
        if cursor is not None and cursor.__class__ is not str:
            raise Refusal(INVALID_PARAMS, "Invalid params: cursor must be a string")
        key, texts = (kind, ctx._row.date, cursor), self.catalog.list_texts
        text = texts.get(key)
        if text is None:
            from .catalog_pages import VARYING_MEMBERS, select_page, view_entry

            # One that was registered while serving, and names in a hint what does not exist, must not cost the list of all.
            is_whole = self.catalog.resolve_pending(report_exception)
            known = [entry for entry in table.values() if entry.pending is None]
            entries, following = select_page(known, cursor, self.catalog.page_size, kind)
            result: "Dict[str, Any]" = {member: [view_entry(entry, ctx._row, VARYING_MEMBERS[kind]) for entry in entries]}
            if following is not None:
                result["nextCursor"] = following
            text = encode(self.add_cache_hints(result, ctx, self.catalog.cache))
            if is_whole:
                texts[key] = text
        return text

    # Tools (server/tools)

    def tools_call(self, params: "Dict[str, Any]", ctx: "Context") -> "Union[Dict[str, Any], str]":
        """``tools/call``: judge the arguments, call the tool, make a result of what it returns."""
        name = params.get("name")
        entry = self.catalog.tools.get(name) if name.__class__ is str else None
        if entry is None:
            if name.__class__ is str:
                self.check_declared("tools", ctx)
                raise Refusal(INVALID_PARAMS, "Unknown tool: %s" % name)
            raise Refusal(INVALID_PARAMS, "Invalid params: name must be a string, the name of a tool")
        if "requestState" in params or "inputResponses" in params:
            take_round(ctx)
        arguments = params.get("arguments")
        if arguments.__class__ is not dict:
            arguments = check_arguments(arguments)
        validator = entry.input_validator
        if validator is None:
            validator = self.prepare_tool(entry)
        if not validator.is_valid(arguments):
            repaired = self.repair_arguments(entry, arguments) if self.catalog.repair else None
            if repaired is None:
                return explain_arguments(entry, arguments)
            arguments = repaired
        if entry.timeout is not None or self.catalog.timeout is not None:
            self.limit_time(ctx, entry.timeout)
        value = entry.call(arguments, ctx)
        if ctx._rounds is not None:
            ctx._rounds.check_answered()
        if entry.is_untyped:                                # the two commonest results, as text at once
            if value.__class__ is str:
                return f'{{"content":[{{"type":"text","text":{quote(value)}}}]}}'
            if value.__class__ is int:
                return f'{{"content":[{{"type":"text","text":"{value}"}}]}}'
        return tool_result_for(entry, value, ctx)

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

    # Resources (server/resources)

    def resources_read(self, params: "Dict[str, Any]", ctx: "Context") -> "Dict[str, Any]":
        """``resources/read``: call the function behind a URI."""
        uri = check_string(params, "uri")
        from .content import ContentError, downgrade_contents, to_resource_result

        entry, values = self.find_resource(uri, ctx)
        self.begin(entry, params, ctx)
        value = call_for_arguments(entry, values, ctx)
        if value is None:                                   # the function's way to say that there is no such thing
            raise refuse_resource(uri, ctx)
        try:
            result = to_resource_result(value, uri, entry.wire.get("mimeType"))
        except ContentError as error:
            raise new_invalid_result("Resource %s" % uri, error) from None
        assert ctx._row is not None
        result["contents"] = [downgrade_contents(item, ctx._row.features) for item in result["contents"]]
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
            self.check_declared("resources", ctx)
            raise refuse_resource(uri, ctx)
        return entry, values

    def resources_subscribe(self, params: "Dict[str, Any]", ctx: "Context") -> str:
        """``resources/subscribe``: from now on tell the client when the resource changes."""
        check_handshake(ctx)
        uri = check_string(params, "uri")
        self.find_resource(uri, ctx)
        ctx._peer.session.subscribed[uri] = True
        return "{}"

    def resources_unsubscribe(self, params: "Dict[str, Any]", ctx: "Context") -> str:
        """``resources/unsubscribe``: from now on do not."""
        check_handshake(ctx)
        ctx._peer.session.subscribed.pop(check_string(params, "uri"), None)
        return "{}"

    # Prompts and completion (server/prompts, server/utilities/completion)

    def prompts_get(self, params: "Dict[str, Any]", ctx: "Context") -> "Dict[str, Any]":
        """``prompts/get``: call the function behind a prompt."""
        from .content import ContentError, downgrade_prompt, to_prompt_result

        name = check_string(params, "name")
        entry = self.catalog.prompts.get(name)
        if entry is None:
            self.check_declared("prompts", ctx)
            raise Refusal(INVALID_PARAMS, "Unknown prompt: %s" % name)
        self.begin(entry, params, ctx)
        arguments = check_prompt_arguments(entry.wire.get("arguments", ()), params.get("arguments"), name)
        value = call_for_arguments(entry, arguments, ctx)
        try:
            result = to_prompt_result(value)
        except ContentError as error:
            raise new_invalid_result("Prompt %s" % name, error) from None
        if "description" in entry.wire:
            result.setdefault("description", entry.wire["description"])
        assert ctx._row is not None
        return downgrade_prompt(result, ctx._row.features)

    def completion_complete(self, params: "Dict[str, Any]", ctx: "Context") -> "Dict[str, Any]":
        """``completion/complete``: what an argument of a prompt or a variable of a template may go on as."""
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

    # Ping, discovery, logging (basic/utilities/ping, server/discover, server/utilities/logging)

    def ping(self, params: "Dict[str, Any]", ctx: "Context") -> str:
        """``ping``."""
        check_handshake(ctx)
        return "{}"

    def server_discover(self, params: "Dict[str, Any]", ctx: "Context") -> "Dict[str, Any]":
        """``server/discover``: what ``initialize`` told before 2026-07-28."""
        check_stateless(ctx)
        catalog = self.catalog
        result: "Dict[str, Any]" = {"supportedVersions": list(STATELESS_DATES), "capabilities": catalog.capabilities(ctx._row),
                                    "_meta": {SERVER_INFO_KEY: catalog.info}}
        if catalog.instructions is not None:
            result["instructions"] = catalog.instructions
        return self.add_cache_hints(result, ctx, catalog.cache)

    def logging_set_level(self, params: "Dict[str, Any]", ctx: "Context") -> str:
        """``logging/setLevel``: the lowest level of log messages that this client wants."""
        check_handshake(ctx)
        level = params.get("level")
        if level.__class__ is not str or level not in LOG_RANKS:
            raise Refusal(INVALID_PARAMS, "Invalid params: level must be one of %s" % ", ".join(LOG_LEVELS))
        ctx._peer.session.log_level = level
        return "{}"

    # Subscriptions (2026-07-28, basic/patterns/subscriptions)

    def subscriptions_listen(self, params: "Dict[str, Any]", ctx: "Context") -> "Any":
        """``subscriptions/listen``: open a stream of changes; its request stays open."""
        check_stateless(ctx)
        wanted = check_object(params, "notifications")
        from .subscriptions import agree_filter

        ctx._peer.find_changes().listen(ctx.id, agree_filter(wanted, self.catalog.declared))
        return NO_REPLY

    # What handlers share

    def check_declared(self, kind: str, ctx: "Context") -> None:
        """A server that has never had anything of a kind does not know its methods."""
        if kind not in self.catalog.declared:
            raise Refusal(METHOD_NOT_FOUND, "Method not found: %s: this server has no %s" % (ctx.method, kind))

    def begin(self, entry: "Any", params: "Dict[str, Any]", ctx: "Context") -> None:
        """What comes before the function of a resource or prompt is called."""
        if entry.pending is not None:
            entry.pending()
        if "requestState" in params or "inputResponses" in params:
            take_round(ctx)
        self.limit_time(ctx, None)

    def limit_time(self, ctx: "Context", limit: "Optional[float]") -> None:
        if limit is None:
            limit = self.catalog.timeout
        if limit is not None:
            ctx._deadline = monotonic() + limit

    def add_cache_hints(self, result: "Dict[str, Any]", ctx: "Context",
                        cache: "Tuple[Optional[int], Optional[str]]") -> "Dict[str, Any]":
        """``ttlMs``, ``cacheScope``: add them where the revision has them (2026-07-28, server/utilities/caching)."""
        if ctx._row is not None and ctx._row.stateless:
            default = self.catalog.cache
            result["ttlMs"] = cache[0] if cache[0] is not None else default[0]
            result["cacheScope"] = cache[1] if cache[1] is not None else default[1]
        return result


def check_handshake(ctx: "Context") -> None:
    row = ctx._row
    if row is not None and row.stateless:
        raise Refusal(METHOD_NOT_FOUND, "Method not found: %s does not exist in revision %s" % (ctx.method, row.date))


def check_stateless(ctx: "Context") -> None:
    if ctx._row is None or not ctx._row.stateless:
        raise Refusal(METHOD_NOT_FOUND, "Method not found: %s exists from revision %s on" % (ctx.method, NEWEST_STATELESS.date))


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


def take_round(ctx: "Context") -> None:
    """A further round: check what it brings, whether its handler asks again or not (2026-07-28, basic/patterns/mrtr)."""
    if ctx._row is not None and ctx._row.stateless:
        from .asking import StateError, open_rounds

        try:
            open_rounds(ctx)
        except StateError as error:
            raise Refusal(INVALID_PARAMS, "Invalid params: %s" % error) from None


def check_arguments(arguments: "Any") -> "Dict[str, Any]":
    """Absent, and leniently null, is no arguments at all: the tool's own schema decides. Anything else is malformed."""
    if arguments is None:
        return {}
    raise Refusal(INVALID_PARAMS, "Invalid params: arguments must be an object")


def call_for_arguments(entry: "Any", arguments: "Dict[str, str]", ctx: "Context") -> "Any":
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
    if hasattr(value, "__next__"):                          # a generator: its body runs here, before anything counts as answered
        from .content import is_iterator

        value = list(value) if is_iterator(value) else value
    if ctx._rounds is not None:
        ctx._rounds.check_answered()
    return value


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
