"""The form of results and notifications, as the strictest clients read them.

Here: one table with the members of every definition that a server writes, and the walk that compares. Not here:
JSON Schemas of tools (`schemas`), what a finding is (`table`).

Pages: schema of 2025-11-25 and 2026-07-28; older revisions have the same members, or fewer.

1. A member marked "!" is required. Further members are allowed everywhere: every revision says so, and so do the
   clients.
2. A null where a value is missing is a finding of its own (`null-member`): only some clients mind, but those lose
   everything.
3. A member that came with a later revision is told apart by the feature it belongs to ("@" in the table), as in
   `revisions`.
"""
from __future__ import annotations

from ...revisions import LOG_LEVELS
from .findings import shorten_evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Iterator

    from ...revisions import Revision

    ShapeProblem = tuple[str, str]  # what kind: "form", "null" or "newer"; the sentence

# method: (the check that its result belongs to, its definition)
RESULT_SHAPES = {
    "initialize": ("initialize-result", "InitializeResult"),
    "server/discover": ("discover-result", "DiscoverResult"),
    "ping": ("ping", "EmptyResult"),
    "tools/list": ("tools-list", "ListToolsResult"),
    "tools/call": ("call-result", "CallToolResult"),
    "resources/list": ("resources-list", "ListResourcesResult"),
    "resources/templates/list": ("resources-list", "ListResourceTemplatesResult"),
    "resources/read": ("read-result", "ReadResourceResult"),
    "prompts/list": ("prompts-list", "ListPromptsResult"),
    "prompts/get": ("prompt-result", "GetPromptResult"),
    "completion/complete": ("complete-result", "CompleteResult"),
    "logging/setLevel": ("log-level", "EmptyResult"),
    "resources/subscribe": ("subscribe", "EmptyResult"),
    "resources/unsubscribe": ("subscribe", "EmptyResult"),
}

# A line for each definition: member, form, and "@" with the feature of a revision's row without which clients do not know it;
# "!" marks what is required. A form is a JSON type, "any", a definition, "[...]" for an array of it, or a key of JSON_FORMS.
SHAPES_TEXT = """
EmptyResult: _meta object
InitializeResult: _meta object, protocolVersion! string, capabilities! ServerCapabilities, serverInfo! Implementation,
  instructions string
DiscoverResult: _meta object, supportedVersions! [string], capabilities! ServerCapabilities, instructions string
ServerCapabilities: experimental object, logging object, completions object @completions, prompts ListCapability,
  resources ResourcesCapability, tools ListCapability, tasks object, extensions object
ListCapability: listChanged boolean
ResourcesCapability: listChanged boolean, subscribe boolean
Implementation: name! string, version! string, title string @title, description string @info_details, icons [Icon] @icons,
  websiteUrl string @info_details
Icon: src! string, mimeType string, sizes [string], theme theme
ListToolsResult: _meta object, nextCursor string, tools! [Tool]
Tool: _meta object, name! string, title string @title, description string, annotations ToolAnnotations @tool_annotations,
  icons [Icon] @icons, execution object @execution, outputSchema any @output_schema
ToolAnnotations: title string, readOnlyHint boolean, destructiveHint boolean, idempotentHint boolean, openWorldHint boolean
CallToolResult: _meta object, content! [content], isError boolean, structuredContent any @structured_content
ListResourcesResult: _meta object, nextCursor string, resources! [Resource]
ListResourceTemplatesResult: _meta object, nextCursor string, resourceTemplates! [ResourceTemplate]
Resource: _meta object, uri! string, name! string, title string @title, description string, mimeType string, size number,
  annotations Annotations, icons [Icon] @icons
ResourceTemplate: _meta object, uriTemplate! string, name! string, title string @title, description string, mimeType string,
  annotations Annotations, icons [Icon] @icons
Annotations: audience [role], priority number, lastModified string
ReadResourceResult: _meta object, contents! [ResourceContents]
ResourceContents: _meta object, uri! string, mimeType string, text string, blob base64
ListPromptsResult: _meta object, nextCursor string, prompts! [Prompt]
Prompt: _meta object, name! string, title string @title, description string, icons [Icon] @icons, arguments [PromptArgument]
PromptArgument: name! string, title string @title, description string, required boolean
GetPromptResult: _meta object, description string, messages! [PromptMessage]
PromptMessage: role! role, content! content
CompleteResult: _meta object, completion! Completion
Completion: values! [string], total integer, hasMore boolean
text: _meta object, text! string, annotations Annotations
image: _meta object, data! base64, mimeType! string, annotations Annotations
audio: _meta object, data! base64, mimeType! string, annotations Annotations
resource_link: _meta object, uri! string, name! string, title string, description string, mimeType string, size number,
  annotations Annotations, icons [Icon]
resource: _meta object, resource! ResourceContents, annotations Annotations
notifications/message: _meta object, level! level, logger string, data! any
notifications/progress: _meta object, progressToken! token, progress! number, total number, message string
notifications/cancelled: _meta object, requestId token, reason string
notifications/resources/updated: _meta object, uri! string
notifications/tools/list_changed: _meta object
notifications/resources/list_changed: _meta object
notifications/prompts/list_changed: _meta object
notifications/elicitation/complete: _meta object
notifications/tasks/status: _meta object
notifications/subscriptions/acknowledged: _meta! object, notifications! SubscriptionFilter
SubscriptionFilter: toolsListChanged boolean, promptsListChanged boolean, resourcesListChanged boolean,
  resourceSubscriptions [string]
"""  # inputSchema of a tool: `schemas`
CONTENT_TYPES = ("text", "image", "audio", "resource_link", "resource")
CHECK_SHAPES: dict[str, dict[str, str]] = {}  # definition: member: form
FEATURE_OF: dict[tuple[str, str], str] = {}  # (definition, member): feature


def read_shapes(text: str) -> None:
    """Fill CHECK_SHAPES and FEATURE_OF."""
    for line in text.strip().replace("\n  ", " ").split("\n"):
        definition, _, members = line.partition(": ")
        shape = CHECK_SHAPES[definition] = {}
        for member in members.split(", "):
            name, form, *features = member.split(" ")
            shape[name] = form
            for feature in features:
                FEATURE_OF[definition, name] = feature[1:]


read_shapes(SHAPES_TEXT)

JSON_FORMS: dict[str, tuple[Callable[[Any], bool], str]] = {  # form: (whether a value has it, how it is called)
    "string": (lambda value: isinstance(value, str), "a string"),
    "boolean": (lambda value: isinstance(value, bool), "true or false"),
    "integer": (lambda value: is_json_number(value) and value == value // 1, "an integer"),
    "number": (lambda value: is_json_number(value), "a number"),
    "object": (lambda value: isinstance(value, dict), "an object"),
    "any": (lambda value: True, "anything"),
    "role": (lambda value: value in ("user", "assistant"), '"user" or "assistant"'),
    "theme": (lambda value: value in ("light", "dark"), '"light" or "dark"'),
    "level": (lambda value: value in LOG_LEVELS, "one of " + ", ".join(LOG_LEVELS)),
    "token": (lambda value: isinstance(value, (str, int)) and not isinstance(value, bool), "a string or an integer"),
}


def is_json_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def shape_problems(value: Any, definition: str, row: Revision, path: str = "") -> Iterator[ShapeProblem]:
    """What is wrong with `value` as a `definition` of CHECK_SHAPES; `path` says where it stands."""
    if not isinstance(value, dict):
        yield "form", "%s must be an object, not %s" % (path or "the result", kind_words(value))
        return
    where = path + "." if path else ""
    for marked, form in CHECK_SHAPES[definition].items():
        name, required = marked.rstrip("!"), marked.endswith("!")
        if name not in value:
            if required:
                yield "form", "%s%s is missing" % (where, name)
        elif value[name] is None and not (form == "any" and (required or row.stateless)):
            yield "null", "%s%s is null" % (where, name)
        else:
            feature = FEATURE_OF.get((definition, name))
            if feature is not None and feature not in row.features:
                yield "newer", "%s.%s" % (definition, name)
            yield from member_problems(value[name], form, row, where + name)
    if definition == "ResourceContents" and not ("text" in value or "blob" in value):
        yield "form", "%s has neither text nor blob" % (path or "the contents")


def member_problems(value: Any, form: str, row: Revision, path: str) -> Iterator[ShapeProblem]:
    if form.startswith("["):
        if not isinstance(value, list):
            yield "form", "%s must be an array, not %s" % (path, kind_words(value))
            return
        for number, item in enumerate(value):
            yield from member_problems(item, form[1:-1], row, "%s[%d]" % (path, number))
    elif form == "content":
        yield from content_problems(value, row, path)
    elif form == "base64":
        if not is_base64(value):
            yield "form", "%s must be base64 in a string" % path
    elif form in JSON_FORMS:
        has_form, words = JSON_FORMS[form]
        if not has_form(value):
            yield "form", "%s must be %s, not %s" % (path, words, kind_words(value))
    else:
        yield from shape_problems(value, form, row, path)


def content_problems(value: Any, row: Revision, path: str) -> Iterator[ShapeProblem]:
    """A content block: its type decides what else it has."""
    if not isinstance(value, dict):
        yield "form", "%s must be one content block, an object, not %s" % (path, kind_words(value))
    elif value.get("type") not in CONTENT_TYPES:
        found = kind_words(value.get("type"))
        yield "form", "%s has the type %s: there are %s" % (path, found, ", ".join(CONTENT_TYPES))
    else:
        yield from shape_problems(value, value["type"], row, path)


def is_base64(value: Any) -> bool:
    import base64
    import binascii

    if not isinstance(value, str):
        return False
    try:
        base64.b64decode(value.encode("ascii"), validate=True)
    except (binascii.Error, ValueError):
        return False
    return True


def kind_words(value: Any) -> str:
    """What a value is, in a word; short values as they are."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "an array"
    return shorten_evidence(value if not isinstance(value, str) else '"%s"' % value, 40)


def cache_hint_problems(result: dict[str, Any]) -> Iterator[str]:
    """Page server/utilities/caching (2026-07-28)."""
    ttl, scope = result.get("ttlMs"), result.get("cacheScope")
    if "ttlMs" not in result:
        yield "ttlMs is missing"
    elif not isinstance(ttl, int) or isinstance(ttl, bool) or ttl < 0:
        yield "ttlMs must be an integer, 0 or more, not %s" % kind_words(ttl)
    if "cacheScope" not in result:
        yield "cacheScope is missing"
    elif scope not in ("public", "private"):
        yield 'cacheScope must be "public" or "private", not %s' % kind_words(scope)
