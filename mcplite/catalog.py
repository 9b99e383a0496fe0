"""What a server offers: tools, resources, templates, prompts, completions.

Here: the checks at registration, the entries, lookup, what each revision may see of an entry, pages and their cursors.
Not here: calling anything (``server``), judging values (``schema``).

Pages: server/tools, server/resources, server/prompts, server/utilities/completion, server/utilities/pagination.

1. What a host could not use is refused here, with a ``RegistrationError`` that names it, and never at listing time.
2. An entry's ``wire`` is the dict of the newest revision; an older revision gets a copy without what it does not know.
3. Lists are in order of registration; a cursor says after which entry a page begins, so it survives additions and removals.
"""
from .errors import INVALID_PARAMS, McpError, RegistrationError
from .signature import UnresolvedHint, parse_signature, wrap_output_schema

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Tuple

    from .revisions import Revision
    from .schema import Validator
    from .signature import Signature
    from .uritemplate import UriTemplate

# wire member → the feature that a revision must have to see it
TOOL_MEMBERS = {"title": "title", "icons": "icons", "outputSchema": "output_schema", "annotations": "tool_annotations",
                "execution": "execution", "_meta": "meta"}
RESOURCE_MEMBERS = {"title": "title", "icons": "icons", "_meta": "meta"}
PROMPT_MEMBERS = {"title": "title", "icons": "icons", "_meta": "meta"}
INFO_MEMBERS = {"title": "title", "icons": "icons", "description": "info_details", "websiteUrl": "info_details"}

NAME_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./")
TOOL_HINTS = {"title": str, "readOnlyHint": bool, "destructiveHint": bool, "idempotentHint": bool, "openWorldHint": bool}


class Entry:
    """Something offered: ``wire`` as it is listed, the ``function`` behind it, its ``number`` in order of registration."""

    __slots__ = ("context_name", "convert", "function", "number", "pending", "views", "wire")

    def __init__(self, wire: "Dict[str, Any]", function: "Callable[..., Any]") -> None:
        self.wire, self.function = wire, function
        self.number = 0
        self.convert: "Optional[Callable[[Dict[str, Any]], Dict[str, Any]]]" = None
        self.context_name: "Optional[str]" = None
        self.pending: "Optional[Callable[[], None]]" = None # hints that named something not yet defined
        self.views: "Dict[str, Dict[str, Any]]" = {}        # revision date → what it sees

    def call(self, arguments: "Dict[str, Any]", ctx: "Any") -> "Any":
        """Call the function with ``arguments`` (converted where its hints ask for it), and the context if it wants one."""
        if self.convert is not None:
            arguments = self.convert(arguments)
        if self.context_name is not None:
            return self.function(**arguments, **{self.context_name: ctx})
        return self.function(**arguments)


class ToolEntry(Entry):
    __slots__ = ("input_validator", "is_plain", "is_untyped", "output_validator", "takes_arguments", "timeout")

    def __init__(self, wire: "Dict[str, Any]", function: "Callable[..., Any]") -> None:
        super().__init__(wire, function)
        self.is_plain = False                               # gets the arguments dict as it came, if it takes any
        self.takes_arguments = True
        self.is_untyped = True                              # has no output schema
        self.timeout: "Optional[float]" = None
        self.input_validator: "Optional[Validator]" = None  # made at the first call: compiling 50 schemas would delay the start
        self.output_validator: "Optional[Validator]" = None

    def call(self, arguments: "Dict[str, Any]", ctx: "Any") -> "Any":
        if not self.is_plain:
            if self.convert is not None:
                arguments = self.convert(arguments)
            if self.context_name is None:
                return self.function(**arguments)
            return self.function(**arguments, **{self.context_name: ctx})
        positional = (arguments,) if self.takes_arguments else ()
        if self.context_name is not None:
            return self.function(*positional, **{self.context_name: ctx})
        return self.function(*positional)

    def find_input_validator(self) -> "Validator":
        if self.input_validator is None:
            from .schema import Validator

            self.input_validator = Validator(self.wire["inputSchema"])
        return self.input_validator

    def find_output_validator(self) -> "Optional[Validator]":
        if self.output_validator is None and "outputSchema" in self.wire:
            from .schema import Validator

            self.output_validator = Validator(self.wire["outputSchema"])
        return self.output_validator

    def has_object_output(self) -> bool:
        """True where results are objects: what every revision before 2026-07-28 wants of ``outputSchema``."""
        return bool(self.wire["outputSchema"].get("type") == "object")


class ResourceEntry(Entry):
    __slots__ = ("cache", "template")

    def __init__(self, wire: "Dict[str, Any]", function: "Callable[..., Any]") -> None:
        super().__init__(wire, function)
        self.template: "Optional[UriTemplate]" = None
        self.cache: "Tuple[Optional[int], Optional[str]]" = (None, None)


class Catalog:
    """All entries of one server, by name or URI, in order of registration."""

    def __init__(self) -> None:
        self.tools: "Dict[str, ToolEntry]" = {}
        self.resources: "Dict[str, ResourceEntry]" = {}
        self.templates: "Dict[str, ResourceEntry]" = {}
        self.prompts: "Dict[str, Entry]" = {}
        self.completions: "Dict[Tuple[str, str], Entry]" = {}
        self.declared: "Dict[str, bool]" = {}       # kinds ever registered: what was declared to a client stays so
        self.registered = 0

    def add(self, table: "Dict[Any, Any]", key: "Any", entry: "Entry", kind: str) -> None:
        if key in table:
            raise RegistrationError("%s %r is registered already: remove it first, or choose another name" % (kind, key))
        self.registered += 1
        entry.number = self.registered
        table[key] = entry

    def add_tool(self, function: "Callable[..., Any]", name: "Optional[str]" = None, title: "Optional[str]" = None,
                 description: "Optional[str]" = None, input_schema: "Optional[Dict[str, Any]]" = None,
                 output_schema: "Optional[Dict[str, Any]]" = None, annotations: "Optional[Dict[str, Any]]" = None,
                 icons: "Optional[List[Dict[str, Any]]]" = None, meta: "Optional[Dict[str, Any]]" = None,
                 timeout: "Optional[float]" = None, execution: "Optional[Dict[str, Any]]" = None) -> "ToolEntry":
        """Check a tool and register it (1). Parameters as ``Server.tool`` has them."""
        name = check_tool_name(find_name(function, name))
        entry = ToolEntry({}, function)
        entry.timeout = check_seconds(timeout, "tool %r: timeout" % name)
        members = {"annotations": check_tool_annotations(annotations, name), "icons": check_icons(icons, name),
                   "execution": execution, "_meta": meta}
        if input_schema is not None:
            signature = parse_signature(function, "raw")
            entry.is_plain, entry.context_name = True, signature.context_name
            entry.takes_arguments = signature.arguments_name is not None
            text = description if description is not None else signature.description
            fill_tool(entry, name, title, text, input_schema, output_schema, members)
            check_schema(entry.wire["inputSchema"], "tool %r: inputSchema" % name)
        else:
            read_tool_signature(entry, name, title, description, output_schema, members)
        if output_schema is not None:
            check_schema(output_schema, "tool %r: outputSchema" % name)
        self.add(self.tools, name, entry, "tool")
        self.declared["tools"] = True
        return entry

    def resolve_pending(self) -> None:
        """Read the signatures that had to wait; raises ``RegistrationError`` for a name that still means nothing."""
        tables: "Tuple[Dict[str, Any], ...]" = (self.tools, self.resources, self.templates, self.prompts)
        for table in tables:
            for entry in table.values():
                if entry.pending is not None:
                    entry.pending()

    def add_resource(self, function: "Callable[..., Any]", uri: str, name: "Optional[str]" = None, title: "Optional[str]" = None,
                     description: "Optional[str]" = None, mime_type: "Optional[str]" = None,
                     annotations: "Optional[Dict[str, Any]]" = None, size: "Optional[int]" = None,
                     icons: "Optional[List[Dict[str, Any]]]" = None, meta: "Optional[Dict[str, Any]]" = None,
                     ttl_ms: "Optional[int]" = None, cache_scope: "Optional[str]" = None) -> "ResourceEntry":
        """Check a resource or a template and register it (1). Parameters as ``Server.resource`` has them."""
        check_resource_uri(uri)
        is_template = "{" in uri
        label = "resource %r" % uri
        if size is not None and (size.__class__ is not int or size < 0 or is_template):
            raise RegistrationError("%s: size must be a number of bytes, and a template has none" % label)
        members = (("uriTemplate" if is_template else "uri", uri), ("name", find_name(function, name)), ("title", title),
                   ("description", description), ("mimeType", mime_type),
                   ("annotations", check_annotations_of(annotations, label)), ("size", size),
                   ("icons", check_icons(icons, label)), ("_meta", meta))
        entry = ResourceEntry({}, function)
        entry.cache = (check_ttl_ms(ttl_ms, label), check_cache_scope(cache_scope, label))
        if is_template:
            entry.template = parse_template(uri, label)

        def read(signature: "Signature") -> None:
            check_variables(entry.template, signature, label)
            entry.wire = describe_wire(members, signature)

        read_signature(entry, "resource", read)
        self.add(self.templates if is_template else self.resources, uri, entry, "resource")
        self.declared["resources"] = True
        return entry

    def add_prompt(self, function: "Callable[..., Any]", name: "Optional[str]" = None, title: "Optional[str]" = None,
                   description: "Optional[str]" = None, icons: "Optional[List[Dict[str, Any]]]" = None,
                   meta: "Optional[Dict[str, Any]]" = None, argument_titles: "Optional[Dict[str, str]]" = None) -> "Entry":
        """Check a prompt and register it (1). Parameters as ``Server.prompt`` has them."""
        name = find_name(function, name)
        label = "prompt %r" % name
        before = (("name", name), ("title", title), ("description", description))
        after = (("icons", check_icons(icons, label)), ("_meta", meta))
        entry = Entry({}, function)

        def read(signature: "Signature") -> None:
            arguments = title_arguments(signature.prompt_arguments, argument_titles or {}, label)
            entry.wire = describe_wire((*before, ("arguments", arguments or None), *after), signature)

        read_signature(entry, "prompt", read)
        self.add(self.prompts, name, entry, "prompt")
        self.declared["prompts"] = True
        return entry

    def add_completion(self, function: "Callable[..., Any]", reference: str, argument: str) -> None:
        """Register ``function`` as completion of a prompt's argument or a template's variable."""
        entry = Entry({}, function)
        entry.context_name = find_completion_context(function)
        self.add(self.completions, (reference, argument), entry, "completion")
        self.declared["completions"] = True

    def check_completions(self) -> None:
        """Every completion must belong to something (1); checked when serving begins, since order of registration is free."""
        for reference, argument in self.completions:
            if reference in self.prompts:
                names = [item["name"] for item in self.prompts[reference].wire.get("arguments", ())]
            elif reference in self.templates:
                names = list(self.templates[reference].template.variables)  # type: ignore[union-attr]
            else:
                raise RegistrationError("completion of %r: no prompt and no resource template is called so" % reference)
            if argument not in names:
                raise RegistrationError("completion of %r: it has no argument %r, only %s" % (reference, argument, names))

    def find_resource(self, uri: str) -> "Tuple[Optional[ResourceEntry], Dict[str, str]]":
        """Return the entry that reads ``uri`` and its variables: an exact URI before templates, these in order of registration."""
        entry = self.resources.get(uri)
        if entry is not None:
            return entry, {}
        for candidate in self.templates.values():
            values = candidate.template.match(uri)  # type: ignore[union-attr]
            if values is not None:
                return candidate, values
        return None, {}


# Pages


def select_page(entries: "List[Any]", cursor: "Any", size: "Optional[int]", kind: str) -> "Tuple[List[Any], Optional[str]]":
    """Return the entries of one page and the cursor of the next, or None (server/utilities/pagination).

    Raises ``McpError`` -32602 for a cursor that is none of ours.
    """
    after = 0 if cursor is None else parse_cursor(cursor, kind)
    rest = [entry for entry in entries if entry.number > after]
    if size is None or len(rest) <= size:
        return rest, None
    return rest[:size], new_cursor(rest[size - 1].number, kind)


def new_cursor(number: int, kind: str) -> str:
    from binascii import b2a_base64

    return b2a_base64(("%s:%d" % (kind, number)).encode(), newline=False).decode()


def parse_cursor(cursor: "Any", kind: str) -> int:
    from binascii import a2b_base64

    try:
        name, number = a2b_base64(cursor.encode("ascii")).decode("ascii").split(":")
        if name == kind and number.isdigit() and new_cursor(int(number), kind) == cursor:
            return int(number)
    except (AttributeError, ValueError):
        pass
    raise McpError(INVALID_PARAMS, "Invalid params: unknown cursor %.80r: leave it out to begin at the first page" % (cursor,))


# What a revision sees


def view_entry(entry: "Entry", row: "Revision", members: "Dict[str, str]") -> "Dict[str, Any]":
    """Return ``entry.wire`` as a client of ``row`` may see it (2)."""
    view = entry.views.get(row.date)
    if view is None:
        view = entry.views[row.date] = select_members(entry.wire, row, members)
        if "outputSchema" in view and "any_output_schema" not in row.features:
            view["outputSchema"] = wrap_output_schema(view["outputSchema"])
        if "arguments" in view and "title" not in row.features:
            view["arguments"] = [{name: value for name, value in item.items() if name != "title"} for item in view["arguments"]]
        annotations = view.get("annotations")
        if annotations is not None and members is RESOURCE_MEMBERS and "last_modified" not in row.features:
            view["annotations"] = {name: value for name, value in annotations.items() if name != "lastModified"}
            if not view["annotations"]:
                del view["annotations"]
    return view


def select_members(wire: "Dict[str, Any]", row: "Revision", members: "Dict[str, str]") -> "Dict[str, Any]":
    features = row.features
    return {name: value for name, value in wire.items() if name not in members or members[name] in features}


# Signatures, read at registration or, where a hint names a class defined further down, at first use


def read_signature(entry: "Entry", kind: str, read: "Callable[[Signature], None]") -> None:
    """Take the signature of the entry's function, ``read`` what is its kind's own: now, or by ``entry.pending`` at first use."""
    def take(signature: "Signature") -> None:
        read(signature)
        entry.convert, entry.context_name = signature.convert, signature.context_name
        entry.pending = None

    try:
        take(parse_signature(entry.function, kind))
    except UnresolvedHint as unresolved:
        retry = unresolved.retry
        entry.pending = lambda: take(retry())


def read_tool_signature(entry: "ToolEntry", name: str, title: "Optional[str]", description: "Optional[str]",
                        output_schema: "Optional[Dict[str, Any]]", members: "Dict[str, Any]") -> None:
    def read(signature: "Signature") -> None:
        text = description if description is not None else signature.description
        output = output_schema if output_schema is not None else signature.output_schema
        fill_tool(entry, name, title, text, signature.input_schema, output, members)

    read_signature(entry, "tool", read)


def describe_wire(members: "Tuple[Tuple[str, Any], ...]", signature: "Signature") -> "Dict[str, Any]":
    """Return a resource or prompt as it is listed; the docstring is its description where ``members`` has none."""
    wire = dict(members)
    if wire["description"] is None:
        wire["description"] = signature.description
    wire["description"] = wire["description"] or None
    return new_wire(tuple(wire.items()))


def title_arguments(arguments: "List[Dict[str, Any]]", titles: "Dict[str, str]", label: str) -> "List[Dict[str, Any]]":
    """Return a prompt's ``arguments`` with the titles given for some of them."""
    titled = {argument["name"]: dict(argument) for argument in arguments}
    for name, title in titles.items():
        if name not in titled:
            raise RegistrationError("%s: argument_titles names %r, which is no argument" % (label, name))
        titled[name]["title"] = title
    return list(titled.values())


# Checks at registration


def new_wire(members: "Tuple[Tuple[str, Any], ...]") -> "Dict[str, Any]":
    """Return a dict of the members that have a value: hosts reject a whole list for one null."""
    return {name: value for name, value in members if value is not None}


def fill_tool(entry: "ToolEntry", name: str, title: "Optional[str]", description: "Optional[str]", input_schema: "Any",
              output_schema: "Any", members: "Dict[str, Any]") -> None:
    entry.wire = new_wire((("name", name), ("title", title), ("description", description or None),
                           ("icons", members["icons"]), ("inputSchema", check_input_schema(input_schema, name)),
                           ("outputSchema", check_output_schema(output_schema, name)),
                           ("annotations", members["annotations"]), ("execution", members["execution"]),
                           ("_meta", members["_meta"])))
    entry.is_untyped = "outputSchema" not in entry.wire


def find_name(function: "Callable[..., Any]", name: "Optional[str]") -> str:
    """Return the name given, or the function's own; a lambda and a partial have none to speak of."""
    if name is None:
        name = getattr(function, "__name__", None)
        if name is None or name == "<lambda>":
            raise RegistrationError("%r has no name of its own: give one with name=" % (function,))
    if name.__class__ is not str or not name:
        raise RegistrationError("a name must be a text that is not empty, not %r" % (name,))
    return name


def check_tool_name(name: str) -> str:
    """Hosts and models take 1 to 128 of these characters (server/tools, "Tool Names")."""
    if len(name) > 128 or not NAME_CHARACTERS.issuperset(name):
        raise RegistrationError("tool name %r: use 1 to 128 of A-Z a-z 0-9 _ - . /" % name)
    return name


def find_completion_context(function: "Callable[..., Any]") -> "Optional[str]":
    """Return the parameter of a completion function that takes the context: named ``ctx``, or hinted ``Context``."""
    inner = getattr(function, "__func__", function)
    code = getattr(inner, "__code__", None)
    if code is None:
        inner = getattr(type(function), "__call__", None)  # noqa: B004  (the method itself is wanted)
        code = getattr(inner, "__code__", None)
        if code is None:
            return None
    hints = getattr(inner, "__annotations__", {})
    for parameter in code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]:
        hint = hints.get(parameter)
        if parameter == "ctx" or (hint if hint.__class__ is str else getattr(hint, "__name__", "")) == "Context":
            return str(parameter)
    return None


def check_schema(schema: "Any", label: str) -> None:
    from .schema import SchemaError, Validator

    try:
        Validator(schema)
    except SchemaError as error:
        raise RegistrationError("%s: %s" % (label, error)) from None


def check_input_schema(schema: "Any", name: str) -> "Dict[str, Any]":
    """Return ``schema`` with the ``type`` and ``properties`` that hosts insist on; refuse one that is no object's."""
    if schema.__class__ is not dict:
        raise RegistrationError("tool %r: inputSchema must be an object (a dict), not %r" % (name, schema))
    if schema.get("type", "object") != "object":
        raise RegistrationError('tool %r: inputSchema must have "type": "object", not %r' % (name, schema["type"]))
    if schema.get("properties", {}).__class__ is not dict:
        raise RegistrationError("tool %r: inputSchema: properties must be an object (a dict)" % name)
    if "type" in schema and "properties" in schema:
        return schema
    whole: "Dict[str, Any]" = {"type": "object", "properties": {}}
    whole.update(schema)
    return whole


def check_output_schema(schema: "Any", name: str) -> "Optional[Dict[str, Any]]":
    if schema is not None and schema.__class__ is not dict:
        raise RegistrationError("tool %r: outputSchema must be an object (a dict), not %r" % (name, schema))
    return schema


def check_tool_annotations(annotations: "Any", name: str) -> "Optional[Dict[str, Any]]":
    if annotations is None:
        return None
    for member, value in annotations.items():
        if member not in TOOL_HINTS:
            raise RegistrationError("tool %r: annotations has no member %r, only %s" % (name, member, ", ".join(TOOL_HINTS)))
        if value.__class__ is not TOOL_HINTS[member]:
            raise RegistrationError("tool %r: annotation %s must be a %s" % (name, member, TOOL_HINTS[member].__name__))
    return dict(annotations)


def check_annotations_of(annotations: "Any", label: str) -> "Optional[Dict[str, Any]]":
    if annotations is None:
        return None
    from .content import check_annotations

    try:
        return check_annotations(annotations)
    except (TypeError, ValueError) as error:
        raise RegistrationError("%s: %s" % (label, error)) from None


def check_icons(icons: "Any", label: str) -> "Optional[List[Dict[str, Any]]]":
    if not icons:
        return None
    from .content import check_icon

    try:
        return [check_icon(icon) for icon in icons]
    except (TypeError, ValueError) as error:
        raise RegistrationError("%s: %s" % (label, error)) from None


def check_seconds(seconds: "Any", label: str) -> "Optional[float]":
    if seconds is not None and (seconds.__class__ not in (int, float) or not seconds > 0):
        raise RegistrationError("%s must be a number of seconds above 0" % label)
    return seconds


def check_ttl_ms(ttl_ms: "Any", label: str) -> "Optional[int]":
    if ttl_ms is not None and (ttl_ms.__class__ is not int or ttl_ms < 0):
        raise RegistrationError("%s: ttl_ms must be a whole number of milliseconds, 0 or more" % label)
    return ttl_ms


def check_cache_scope(scope: "Any", label: str) -> "Optional[str]":
    if scope not in (None, "private", "public"):
        raise RegistrationError('%s: cache_scope must be "private" or "public"' % label)
    return None if scope is None else str(scope)


def check_resource_uri(uri: "Any") -> None:
    """An absolute URI, or a template of one (RFC 3986, section 3; RFC 6570)."""
    from .uritemplate import UriError, check_uri

    try:
        check_uri(uri.split("{", 1)[0] + "x" if uri.__class__ is str and "{" in uri else uri)
    except UriError as error:
        raise RegistrationError("resource %r: %s" % (uri, error)) from None


def parse_template(uri: str, label: str) -> "UriTemplate":
    from .uritemplate import UriError, UriTemplate

    try:
        return UriTemplate(uri)
    except UriError as error:
        raise RegistrationError("%s: %s" % (label, error)) from None


def check_variables(template: "Optional[UriTemplate]", signature: "Signature", label: str) -> None:
    """Each variable of the template needs a parameter, each parameter without default a variable (1)."""
    required = signature.input_schema.get("required", ())
    if template is None:
        if required:
            raise RegistrationError("%s: its function has the parameter %r, but the URI has no variable to fill it"
                                    % (label, required[0]))
        return
    for variable in template.variables:
        if variable not in signature.input_schema["properties"] and not signature.input_schema.get("additionalProperties"):
            raise RegistrationError("%s: the variable %r is no parameter of its function" % (label, variable))
    for parameter in required:
        if parameter not in template.variables:
            raise RegistrationError("%s: the parameter %r is no variable of the template" % (label, parameter))
