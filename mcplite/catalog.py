"""What a server offers: tools, resources, templates, prompts, completions; and what it was told about itself.

Here: the entries, the options of registration, the checks when a tool is registered. Not here: the checks for resources
(``catalog_resources``) and prompts (``catalog_prompts``), lists as a client gets them (``catalog_pages``), calling anything
(``handlers``), judging values (``schema``).

Page: server/tools.

1. What a host could not use is refused here, with a ``RegistrationError`` that names it, and never at listing time.
2. An entry's ``wire`` is the dict of the newest revision.
3. Lists are in order of registration.
"""
from .errors import RegistrationError
from .signature import UnresolvedHint, parse_signature

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple, TypedDict

    from .revisions import Revision
    from .schema import Validator
    from .signature import Signature
    from .uritemplate import UriTemplate

    class ToolOptions(TypedDict, total=False):
        """What ``Server.tool`` takes: its names and types stand here and nowhere else."""

        name: "Optional[str]"
        title: "Optional[str]"
        description: "Optional[str]"
        input_schema: "Optional[Dict[str, Any]]"
        output_schema: "Optional[Dict[str, Any]]"
        annotations: "Optional[Dict[str, Any]]"
        icons: "Optional[List[Dict[str, Any]]]"
        meta: "Optional[Dict[str, Any]]"
        timeout: "Optional[float]"
        execution: "Optional[Dict[str, Any]]"

# wire member → the feature that a revision must have to see it
INFO_MEMBERS = {"title": "title", "icons": "icons", "description": "info_details", "websiteUrl": "info_details"}

NAME_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./")
TOOL_HINTS = {"title": str, "readOnlyHint": bool, "destructiveHint": bool, "idempotentHint": bool, "openWorldHint": bool}

# option → what it must be, where its kind has no more to say
OPTION_TYPES = {"title": str, "description": str, "mime_type": str, "meta": dict, "execution": dict, "argument_titles": dict,
                "instructions": str, "website_url": str, "extensions": dict, "experimental": dict}


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
        """Call the function with ``arguments`` (converted where its hints ask for it), and the context if it wants one."""
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
    """All entries of one server, by name or URI, in order of registration; and what ``Server`` was told, which checked it."""

    if TYPE_CHECKING:
        info: Dict[str, Any]
        instructions: Optional[str]
        page_size: Optional[int]
        timeout: Optional[float]
        repair: bool
        cache: Tuple[Optional[int], Optional[str]]          # ttlMs and cacheScope of all that has none of its own
        extensions: Optional[Dict[str, Any]]
        experimental: Optional[Dict[str, Any]]

    def __init__(self) -> None:
        self.list_texts: "Dict[Tuple[str, str, Any], str]" = {}     # (kind, revision, cursor) → the result, made once
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

    def add_tool(self, function: "Callable[..., Any]", options: "ToolOptions") -> "ToolEntry":
        """Check a tool and register it (1)."""
        rest = options.copy()
        name, title, description = rest.pop("name", None), rest.pop("title", None), rest.pop("description", None)
        own_input, own_output = rest.pop("input_schema", None), rest.pop("output_schema", None)
        annotations, icons, meta = rest.pop("annotations", None), rest.pop("icons", None), rest.pop("meta", None)
        timeout, execution = rest.pop("timeout", None), rest.pop("execution", None)
        check_no_more("Server.tool", rest)
        name = check_tool_name(find_name(function, name))
        label = "tool %r" % name
        check_members(label, options)
        entry = ToolEntry({}, function)
        entry.timeout = check_seconds(timeout, label + ": timeout")
        annotations, icons = check_tool_annotations(annotations, name), check_icons(icons, name)

        def read(signature: "Signature") -> None:
            entry.takes_arguments = signature.arguments_name is not None
            entry.wire = new_wire({
                "name": name, "title": title, "description": describe(description, signature), "icons": icons,
                "inputSchema": check_input_schema(signature.input_schema if own_input is None else own_input, name),
                "outputSchema": check_output_schema(signature.output_schema if own_output is None else own_output, name),
                "annotations": annotations, "execution": execution, "_meta": meta})
            entry.is_untyped = "outputSchema" not in entry.wire

        entry.is_plain = own_input is not None
        read_signature(entry, "raw" if entry.is_plain else "tool", read)
        if own_input is not None:
            check_schema(entry.wire["inputSchema"], label + ": inputSchema")
        if own_output is not None:
            check_schema(own_output, label + ": outputSchema")
        self.add(self.tools, name, entry, "tool")
        self.declared["tools"] = True
        return entry

    def resolve_pending(self, report: "Optional[Callable[[RegistrationError], Any]]" = None) -> bool:
        """Read the signatures that had to wait; true when none is left.

        Raises ``RegistrationError`` for a name that still means nothing, or hands it to ``report`` and goes on.
        """
        tables: "Tuple[Dict[str, Any], ...]" = (self.tools, self.resources, self.templates, self.prompts)
        pending = [entry for table in tables for entry in table.values() if entry.pending is not None]
        for entry in pending:
            try:
                entry.pending()
            except RegistrationError as error:
                if report is None:
                    raise
                report(error)
        return all(entry.pending is None for entry in pending)

    def drop_list_texts(self, kind: str) -> None:
        """Something of this kind has changed: its lists are to be made anew."""
        for key in [key for key in self.list_texts if key[0].startswith(kind)]:
            del self.list_texts[key]

    def capabilities(self, row: "Optional[Revision]") -> "Dict[str, Any]":
        """Declared from what is registered; logging always."""
        declared, features = self.declared, row.features if row is not None else ()
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


def describe(description: "Optional[str]", signature: "Signature") -> "Optional[str]":
    """Return the description given, or the docstring; None where there is none, or it is empty."""
    return (description if description is not None else signature.description) or None


def new_wire(members: "Dict[str, Any]") -> "Dict[str, Any]":
    """Return the members that have a value: hosts reject a whole list for one null."""
    return {name: value for name, value in members.items() if value is not None}


# Checks at registration


def check_no_more(label: str, rest: "Mapping[str, Any]") -> None:
    """Raise ``TypeError`` for an option that is none, as Python does for a parameter."""
    if rest:
        raise TypeError("%s has no option %r: help(%s) lists them" % (label, next(iter(rest)), label))


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


def check_schema(schema: "Any", label: str) -> None:
    from .schema import SchemaError, Validator

    try:
        Validator(schema)
    except SchemaError as error:
        raise RegistrationError("%s: %s" % (label, error)) from None


def check_members(label: str, options: "Mapping[str, Any]") -> None:
    """Raise ``RegistrationError`` for a text that is none, or a dict that is none: one in a list, and hosts refuse all of it."""
    for name, value in options.items():
        if value is not None and name in OPTION_TYPES and not isinstance(value, OPTION_TYPES[name]):
            raise RegistrationError("%s: %s must be a %s, not %r" % (label, name, OPTION_TYPES[name].__name__, value))


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
    if not isinstance(annotations, dict):
        raise RegistrationError("tool %r: annotations must be a dict, not %r" % (name, annotations))
    for member, value in annotations.items():
        if member not in TOOL_HINTS:
            raise RegistrationError("tool %r: annotations has no member %r, only %s" % (name, member, ", ".join(TOOL_HINTS)))
        if value.__class__ is not TOOL_HINTS[member]:
            raise RegistrationError("tool %r: annotation %s must be a %s" % (name, member, TOOL_HINTS[member].__name__))
    return dict(annotations)


def check_icons(icons: "Any", label: str) -> "Optional[List[Dict[str, Any]]]":
    if icons is None:
        return None
    from .content import check_icon_list

    try:
        return check_icon_list(icons) or None
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
