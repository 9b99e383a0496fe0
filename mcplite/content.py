"""Content blocks, and any Python value as the result of a tool, a resource or a prompt.

Here: the helpers that build blocks, the conversion of Python values to plain JSON, the shapes of results, and what an
old revision can read of them. Not here: which revision knows which feature (revisions), judging a result against an
output schema (catalog), writing bytes (codec).

Specification: server/tools ("Tool Result"), server/resources ("Resource Contents", "Annotations"), server/prompts
("PromptMessage"), of all revisions. Invariants:

1. Everything returned is plain JSON: exact dict, list, str, int, float, bool, None; finite; at most 100 levels deep.
2. An optional member without a value is left out, never null: TypeScript clients reject the whole result for one.
3. The Python type decides: bytes become `blob` or `data`, str becomes `text`, never both, never guessed.
4. A dict counts as a content block only by its exact shape: a known "type", the members this type requires, and no
   member that it does not know. So data that merely has a "type" stays data.

How Python values are written as JSON (`jsonable`; the same forms that signature reads):
Enum: its value. datetime, date, time: ISO 8601. timedelta: seconds. UUID, Path: text. Decimal: text, since a number
would lose digits. Dataclass, NamedTuple, mapping: object. list, tuple, range, deque, set: array (a set is sorted).
Keys of an object: text; whole numbers and the above types are written as their text. All else is refused.
"""

from __future__ import annotations

from .codec import encode
from .uritemplate import check_uri

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    Block = dict[str, Any]

JSON_DEPTH_LIMIT = 100

# Members of each block. None: every revision knows it; a name: the feature (revisions) that a client needs for it.
BLOCK_MEMBERS: dict[str, dict[str, str | None]] = {
    "text": {"type": None, "text": None, "annotations": None, "_meta": "content_meta"},
    "image": {"type": None, "data": None, "mimeType": None, "annotations": None, "_meta": "content_meta"},
    "audio": {"type": None, "data": None, "mimeType": None, "annotations": None, "_meta": "content_meta"},
    "resource": {"type": None, "resource": None, "annotations": None, "_meta": "content_meta"},
    "resource_link": {"type": None, "uri": None, "name": None, "description": None, "mimeType": None, "size": None,
                      "annotations": None, "title": "title", "icons": "icons", "_meta": "content_meta"},
}
BLOCK_REQUIRED = {
    "text": ("text",),
    "image": ("data", "mimeType"),
    "audio": ("data", "mimeType"),
    "resource_link": ("uri", "name"),
}
# All that blocks and results may need: a client that has these gets every result as it is.
CONTENT_FEATURES = frozenset(("audio", "resource_link", "content_meta", "resource_meta", "title", "icons",
                              "last_modified", "structured_content", "structured_any"))
BLOCK_FEATURES = CONTENT_FEATURES - {"structured_content", "structured_any"}
RESULT_MEMBERS = frozenset(("content", "structuredContent", "isError", "_meta", "resultType"))
PROMPT_WANTED = ('a prompt returns a str, a content block, a message {"role", "content"}, a list of these, or a whole result '
                 '{"messages": [...]}')
# The types of optional members, wherever they occur.
MEMBER_TYPES: dict[str, type | tuple[type, ...]] = {
    "mimeType": str, "description": str, "title": str, "annotations": dict, "_meta": dict, "icons": list, "size": (int, float)}
CONTENTS_MEMBERS = frozenset(("uri", "mimeType", "text", "blob", "_meta"))


class ContentError(ValueError):
    """A Python value that cannot be sent. path: JSON Pointer to the place, "" for the whole; message: what to do; wanted: what
    may be said to somebody else, without the value that came and its class."""

    def __init__(self, path: str, message: str, wanted: str = "") -> None:
        super().__init__(at_place(path, message))
        self.path = path
        self.message = message
        self.wanted = at_place(path, wanted or "this cannot be written as JSON")


def at_place(path: str, message: str) -> str:
    shown = path if len(path) <= 120 else path[:100] + "..."
    return shown + ": " + message if path else message


class ToolResult(dict):  # type: ignore[type-arg]
    """The dict that tool_result() returns: a class of its own, so that it cannot be mistaken for a tool's data."""

    __slots__ = ()


# --- blocks -------------------------------------------------------------------------------------------------------


def text(string: str, annotations: dict[str, Any] | None = None, meta: dict[str, Any] | None = None) -> Block:
    """A text block. annotations: `{"audience": ["user", "assistant"], "priority": 0.5, "lastModified": ...}`, priority
    from 0 to 1, lastModified in ISO 8601; meta: the block's `_meta`. Raises TypeError for anything but a str.
    Specification: server/tools, "Text Content"."""
    if not isinstance(string, str):
        raise TypeError("text() takes a str, got %s" % type(string).__name__)
    return finish_block({"type": "text", "text": string}, annotations, meta)


def image(data: bytes, mime_type: str, annotations: dict[str, Any] | None = None,
          meta: dict[str, Any] | None = None) -> Block:
    """An image block of raw bytes (encoded here) and their MIME type, e.g. "image/png"; annotations and meta as for
    text(). Raises TypeError when data are no bytes, ValueError for a bad MIME type. Specification: server/tools, "Image
    Content"."""
    block = {"type": "image", "data": encode_base64(data, "image()"), "mimeType": check_mime_type(mime_type, "image()")}
    return finish_block(block, annotations, meta)


def audio(data: bytes, mime_type: str, annotations: dict[str, Any] | None = None,
          meta: dict[str, Any] | None = None) -> Block:
    """An audio block of raw bytes and their MIME type, e.g. "audio/wav"; as image(). Clients of 2024-11-05, which know
    no audio, get it as an embedded resource. Specification: server/tools, "Audio Content"."""
    block = {"type": "audio", "data": encode_base64(data, "audio()"), "mimeType": check_mime_type(mime_type, "audio()")}
    return finish_block(block, annotations, meta)


def resource_link(uri: str, name: str, title: str | None = None, description: str | None = None,
                  mime_type: str | None = None, size: int | None = None,
                  icons: Sequence[dict[str, Any]] | None = None, annotations: dict[str, Any] | None = None,
                  meta: dict[str, Any] | None = None) -> Block:
    """A link to a resource that the client may read. uri: absolute; size: bytes; icons: what icon() returns. Clients
    before 2025-06-18 get it as text. Raises ValueError or TypeError. Specification: server/tools, "Resource Links"."""
    check_uri(uri, "resource_link() uri")
    if not isinstance(name, str) or not name:
        raise ValueError("resource_link() needs a name, a non-empty str")
    block: Block = {"type": "resource_link", "uri": uri, "name": name}
    for member, value in (("title", title), ("description", description)):
        if value is not None:
            if not isinstance(value, str):
                raise TypeError("resource_link() %s must be a str, got %s" % (member, type(value).__name__))
            block[member] = value
    if mime_type is not None:
        block["mimeType"] = check_mime_type(mime_type, "resource_link()")
    if size is not None:
        if not isinstance(size, int) or isinstance(size, bool) or size < 0:
            raise ValueError("resource_link() size must be a number of bytes, got %r" % (size,))
        block["size"] = size
    if icons is not None:
        block["icons"] = check_icon_list(icons)
    return finish_block(block, annotations, meta)


def embedded(uri: str, contents: str | bytes, mime_type: str | None = None,
             annotations: dict[str, Any] | None = None, meta: dict[str, Any] | None = None) -> Block:
    """A resource inside the result: str as `text`, bytes as `blob`. Raises ValueError or TypeError.
    Specification: server/tools, "Embedded Resources"."""
    check_uri(uri, "embedded() uri")
    if mime_type is not None:
        check_mime_type(mime_type, "embedded()")
    if not isinstance(contents, (str, bytes, bytearray, memoryview)):
        raise TypeError("embedded() takes str or bytes, got %s" % type(contents).__name__)
    resource = new_resource_contents(contents, uri, mime_type)
    return finish_block({"type": "resource", "resource": resource}, annotations, meta)


def icon(src: str, mime_type: str | None = None, sizes: Sequence[str] | None = None,
         theme: str | None = None) -> dict[str, Any]:
    """An icon for a server, tool, resource or prompt. src: an https or data URI; sizes: "48x48" or "any"; theme:
    "light" or "dark". Raises ValueError or TypeError. Specification: basic/index of 2025-11-25, "Icons"."""
    made: dict[str, Any] = {"src": src}
    if mime_type is not None:
        made["mimeType"] = mime_type
    if sizes is not None:
        made["sizes"] = list_items(sizes, "", 'icon() sizes must be a list, as in ["48x48"]')
    if theme is not None:
        made["theme"] = theme
    return check_icon(made)


def tool_result(*blocks: Any, structured: Any = None, is_error: bool = False,
                meta: dict[str, Any] | None = None) -> dict[str, Any]:
    """A whole result of a tool, for what a plain return value cannot say.

    blocks: content blocks, or str for text; structured: any value for `structuredContent` (None: there is none),
    written as text too when there are no blocks; is_error: the call failed; meta: the result's `_meta`. Raises
    ContentError. Specification: server/tools, "Tool Result"."""
    content = []
    for index, block in enumerate(blocks):
        if isinstance(block, str):
            block = text(str.__str__(block))
        elif not is_content_block(block):
            listed = "; write tool_result(*blocks)" if isinstance(block, (list, tuple)) or is_iterator(block) else ""
            raise ContentError("/content/%d" % index,
                               "tool_result() takes content blocks or str, got " + describe_value(block) + listed)
        content.append(jsonable(block, "/content/%d" % index))
    result = ToolResult(content=content)
    if structured is not None:
        result["structuredContent"] = data = jsonable(structured, "/structuredContent")
        if not blocks:
            content.append({"type": "text", "text": data if isinstance(data, str) else readable_json(data)})
    if is_error:
        result["isError"] = True
    if meta is not None:
        result["_meta"] = check_meta(meta)
    return result


def finish_block(block: Block, annotations: dict[str, Any] | None, meta: dict[str, Any] | None) -> Block:
    if annotations is not None:
        block["annotations"] = check_annotations(annotations)
    if meta is not None:
        block["_meta"] = check_meta(meta)
    return block


def check_annotations(annotations: dict[str, Any]) -> dict[str, Any]:
    """The annotations of a block or resource, checked: audience, priority, lastModified, nothing else. Raises
    ValueError or TypeError. Specification: server/resources, "Annotations"."""
    if not isinstance(annotations, dict):
        raise TypeError("annotations must be a dict, got %s" % type(annotations).__name__)
    made: dict[str, Any] = {}
    for name, value in annotations.items():
        if name == "audience":
            roles = list(value) if isinstance(value, (list, tuple)) or is_iterator(value) else None
            if roles is None or not all(role in ("user", "assistant") for role in roles):
                raise ValueError('annotations: audience must be a list of "user" and "assistant", got %r' % (value,))
            made[name] = roles
        elif name == "priority":
            if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0 <= value <= 1:
                raise ValueError("annotations: priority must be a number from 0 to 1, got %r" % (value,))
            made[name] = value
        elif name == "lastModified":
            stamp = jsonable(value)
            if not isinstance(stamp, str) or not stamp[:4].isdigit() or stamp[4:5] != "-":
                raise ValueError('annotations: lastModified must be ISO 8601, as in "2025-01-12T15:00:58Z", got %r'
                                 % (value,))
            made[name] = stamp
        else:
            raise ValueError("annotations: unknown name %r; known are audience, priority, lastModified" % (name,))
    return made


def check_meta(meta: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(meta, dict):
        raise TypeError("meta must be a dict, got %s" % type(meta).__name__)
    made: dict[str, Any] = jsonable(meta, "/_meta")
    return made


def check_mime_type(mime_type: str, what: str) -> str:
    if not isinstance(mime_type, str):
        raise TypeError('%s needs a MIME type, as in "image/png", got %s' % (what, type(mime_type).__name__))
    kind, slash, rest = mime_type.partition("/")
    if not kind or not slash or not rest or " " in kind or not mime_type.isprintable():
        raise ValueError('%s: %r is no MIME type; one looks like "image/png"' % (what, mime_type))
    return mime_type


def check_icon_list(icons: Any) -> list[dict[str, Any]]:
    return [check_icon(item) for item in list_items(icons, "", "icons must be a list, as in [icon(...)]")]


def check_icon(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict) or not isinstance(value.get("src"), str):
        raise TypeError('an icon must be what icon() returns, {"src": ...}, got ' + describe_value(value))
    check_uri(value["src"], "icon src")
    if "mimeType" in value:
        check_mime_type(value["mimeType"], "icon")
    sizes = value.get("sizes", [])
    if not isinstance(sizes, list) or not all(isinstance(size, str) for size in sizes):
        raise ValueError('icon sizes must be a list as ["48x48"] or ["any"], got %r' % (sizes,))
    if value.get("theme", "light") not in ("light", "dark"):
        raise ValueError('icon theme must be "light" or "dark", got %r' % (value["theme"],))
    return value


def encode_base64(data: Any, what: str) -> str:
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise TypeError("%s takes bytes, got %s; read the file in binary mode" % (what, type(data).__name__))
    from binascii import b2a_base64

    return b2a_base64(data, newline=False).decode("ascii")


def new_resource_contents(contents: Any, uri: str, mime_type: str | None) -> dict[str, Any]:
    made: dict[str, Any] = {"uri": uri}
    if mime_type is not None:
        made["mimeType"] = mime_type
    if isinstance(contents, str):
        made["text"] = str.__str__(contents)
    else:
        made["blob"] = encode_base64(contents, "a resource")
    return made


# --- shapes -------------------------------------------------------------------------------------------------------


def is_content_block(value: Any) -> bool:
    """Whether a value is a content block by its exact shape (invariant 4)."""
    if not isinstance(value, dict):
        return False
    kind = value.get("type")
    if not isinstance(kind, str):
        return False
    members = BLOCK_MEMBERS.get(kind)
    if members is None or not value.keys() <= members.keys():
        return False
    if len(value) > 2 and not members_fit(value):
        return False
    if kind == "resource":
        return is_resource_contents(value.get("resource"))
    return all(isinstance(value.get(name), str) for name in BLOCK_REQUIRED[kind])


def members_fit(value: dict[str, Any]) -> bool:
    """Whether the optional members of a block or of an entry of `contents` have the types that every client insists on."""
    return all(isinstance(item, MEMBER_TYPES[name]) for name, item in value.items() if name in MEMBER_TYPES)


def is_resource_contents(value: Any) -> bool:
    """Whether a value is an entry of `contents`: a uri and either text or blob, nothing unknown."""
    return (isinstance(value, dict) and value.keys() <= CONTENTS_MEMBERS and isinstance(value.get("uri"), str)
            and ("text" in value) != ("blob" in value) and isinstance(value.get("text", value.get("blob")), str)
            and (len(value) == 2 or members_fit(value)))


def is_tool_result(value: Any) -> bool:
    """Whether a dict is a whole tool result, as another server sends it: `content` made of blocks, no member beyond
    those of a result, and more to tell it from data than an empty `content`."""
    if value.__class__ is ToolResult:
        return True
    if not isinstance(value, dict) or not value.keys() <= RESULT_MEMBERS or not isinstance(value.get("content"), list):
        return False
    return (len(value) > 1 or len(value["content"]) > 0) and all(is_content_block(item) for item in value["content"])


def describe_value(value: Any) -> str:
    """How an error calls a value: its type, and for a dict what is amiss with it as a block."""
    if isinstance(value, dict):
        kind = value.get("type")
        if isinstance(kind, str) and kind in BLOCK_MEMBERS:
            wrong = sorted(name for name, item in value.items()
                           if name in MEMBER_TYPES and not isinstance(item, MEMBER_TYPES[name]))
            if wrong:
                return 'a "%s" block whose member "%s" is %s' % (kind, wrong[0], describe_value(value[wrong[0]]))
            unknown = sorted(str(name) for name in value.keys() - BLOCK_MEMBERS[kind].keys())
            if unknown:
                return 'a "%s" block with the unknown member "%s"' % (kind, unknown[0])
            return 'a "%s" block without %s' % (kind, " and ".join(BLOCK_REQUIRED.get(kind, ("uri and text or blob",))))
        return "a dict that is no content block" if "type" not in value else "a dict of the unknown type %r" % (kind,)
    return "None" if value is None else type(value).__name__


# --- results ------------------------------------------------------------------------------------------------------


def to_tool_result(value: Any, structured: bool = False) -> dict[str, Any]:
    """What a tool returned, as the result of `tools/call` in the newest form (downgrade_tool_result for older ones).

    structured: the tool has an output schema, so the value is data whatever it looks like, and goes into
    `structuredContent` too. Otherwise: str is one text block; a content block, or a list of blocks (and str between
    them), is content as it is; a whole result passes through; None is no content; all else is its JSON as text, and
    `structuredContent` as well if it is an object. Raises ContentError naming the place that JSON cannot hold."""
    if value.__class__ is str and not structured:
        return {"content": [{"type": "text", "text": value}]}
    if value.__class__ is ToolResult:
        return dict(value)
    if not structured:
        if value is None:
            return {"content": []}
        if isinstance(value, dict):
            if is_content_block(value):
                return {"content": [jsonable(value, "/content/0")]}
            if is_tool_result(value):
                return dict(jsonable(value))
        elif isinstance(value, (list, tuple)) and value and not hasattr(value, "_fields"):
            content = to_block_list(value)
            if content is not None:
                return {"content": content}
    elif isinstance(value, dict) and "structuredContent" in value and is_tool_result(value):
        return dict(jsonable(value))
    data = jsonable(value)
    if data is None:  # a null that an output schema asks for
        return {"content": [], "structuredContent": None}
    result = {"content": [{"type": "text", "text": data if data.__class__ is str else readable_json(data)}]}
    if structured or data.__class__ is dict:
        result["structuredContent"] = data
    return result


def to_block_list(values: Sequence[Any]) -> list[Block] | None:
    """Blocks, with the str between them as text blocks; None unless there is at least one block and nothing else."""
    blocks = 0
    for value in values:
        if is_content_block(value):
            blocks += 1
        elif not isinstance(value, str):
            return None
    if not blocks:
        return None
    return [text(str.__str__(value)) if isinstance(value, str) else jsonable(value, "/content/%d" % index)
            for index, value in enumerate(values)]


def to_resource_contents(value: Any, uri: str, mime_type: str | None = None) -> list[dict[str, Any]]:
    """What a resource function returned, as the `contents` of `resources/read`.

    value: str becomes `text`, bytes `blob`; an embedded() block, or a dict with "uri" and "text" or "blob", or a list
    of these, is taken as it is; all else is its JSON as text. uri: the one that was asked for; mime_type: the declared
    one (None: "application/json" for JSON, left out for str and bytes). Raises ContentError, also for None.
    Specification: server/resources, "Resource Contents"."""
    if isinstance(value, (str, bytes, bytearray, memoryview)) and not is_enum_class(type(value)):
        return [new_resource_contents(value, uri, mime_type)]
    if value is None:
        raise ContentError("", "a resource function returned None; return str, bytes, or data for JSON")
    items = value if isinstance(value, (list, tuple)) and value and not hasattr(value, "_fields") else [value]
    found = [item["resource"] if is_content_block(item) and item["type"] == "resource" else item for item in items]
    if all(is_resource_contents(item) for item in found):
        return [jsonable(item, "/contents/%d" % index) for index, item in enumerate(found)]
    return [new_resource_contents(readable_json(jsonable(value)), uri, mime_type or "application/json")]


def to_prompt_messages(value: Any, path: str = "") -> list[dict[str, Any]]:
    """What a prompt function returned, as the `messages` of `prompts/get`.

    value: a str, a content block (both: from the user), a message `{"role": "user" | "assistant", "content": ...}`, or
    a list, tuple or iterator of these. A message whose content is a list becomes one message for each, since no client
    takes a list there. path: where in the whole result, for errors. Raises ContentError naming what is wrong.
    Specification: server/prompts, "PromptMessage"."""
    if not isinstance(value, (list, tuple)) and not is_iterator(value):
        return new_prompt_messages(value, path)
    items: Any = value
    return [message for index, item in enumerate(items)
            for message in new_prompt_messages(item, "%s/%d" % (path, index))]


def new_prompt_messages(value: Any, path: str) -> list[dict[str, Any]]:
    if isinstance(value, dict) and "role" in value:
        role: Any = value["role"]
        content: Any = value.get("content")
        if role not in ("user", "assistant"):
            wanted = 'a role is "user" or "assistant"'
            raise ContentError(path + "/role", "%s, got %r" % (wanted, role), wanted)
        unknown = sorted(str(name) for name in value.keys() - {"role", "content"})
        if unknown:
            wanted = 'a message has "role" and "content" only'
            raise ContentError(path, '%s, got "%s"' % (wanted, unknown[0]), wanted)
        if isinstance(content, (list, tuple)) or is_iterator(content):
            return [{"role": role, "content": new_prompt_content(item, "%s/content/%d" % (path, index))}
                    for index, item in enumerate(content)]
        return [{"role": role, "content": new_prompt_content(content, path + "/content")}]
    return [{"role": "user", "content": new_prompt_content(value, path)}]


def new_prompt_content(value: Any, path: str) -> Block:
    if isinstance(value, str):
        return {"type": "text", "text": str.__str__(value)}
    if is_content_block(value):
        made: Block = jsonable(value, path)
        return made
    raise ContentError(path, "%s; got %s" % (PROMPT_WANTED, describe_value(value)), PROMPT_WANTED)


# --- Python value to JSON -----------------------------------------------------------------------------------------


def jsonable(value: Any, path: str = "") -> Any:
    """The value as plain JSON, by the table at the head of this module; the very same object when it is plain already.

    path: JSON Pointer put before the place in errors. Raises ContentError for bytes, NaN, Infinity, an unsupported type
    or key, more than 100 levels, and a container that contains itself."""
    kind = value.__class__
    if kind is str or kind is int or kind is bool or value is None or json_is_plain(value, JSON_DEPTH_LIMIT):
        return value
    try:
        return convert_to_json(value, [])
    except ContentError as error:
        raise ContentError(path + error.path, error.message) from None


def is_iterator(value: Any) -> bool:
    """Whether a value yields its items once, as a generator does; a file does too, but is none: its text is wanted."""
    return hasattr(type(value), "__next__") and not hasattr(value, "read")


def list_items(value: Any, path: str, wanted: str) -> list[Any]:
    """The items of a list, a tuple or an iterator. Raises ContentError for all else: a str is not a list of its letters, a
    dict not one of its keys, and a set has no order."""
    if isinstance(value, (list, tuple)) or is_iterator(value):
        return list(value)
    raise wrong_value(path, wanted, value)


def wrong_value(path: str, wanted: str, value: Any) -> ContentError:
    return ContentError(path, "%s; got %s" % (wanted, "a dict" if isinstance(value, dict) else describe_value(value)), wanted)


def json_is_plain(value: Any, depth: int) -> bool:
    """Whether a value needs no conversion; one call for each container, none for its strings and numbers."""
    kind = value.__class__
    if kind is dict:
        for key in value:
            if key.__class__ is not str:
                return False
        value = value.values()
    elif kind is float:
        return bool(value - value == 0.0)
    elif kind is not list:
        return kind is str or kind is int or kind is bool or value is None
    if depth <= 0:
        return False
    for item in value:
        kind = item.__class__
        if kind is str or kind is int or kind is bool or item is None:
            continue
        if not json_is_plain(item, depth - 1):
            return False
    return True


def convert_to_json(value: Any, parents: list[Any]) -> Any:
    """jsonable's work. parents: the containers around the value, outermost first. Errors carry the path from here."""
    kind = type(value)
    if kind is str or kind is int or kind is bool or value is None:
        return value
    if is_enum_class(kind):
        return convert_to_json(value.value, parents)
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return int.__add__(value, 0)
    if isinstance(value, float):
        if value - value != 0.0:
            raise ContentError("", "%r is not JSON; use None or a str" % float(value))
        return float.__add__(value, 0.0)
    scalar = scalar_to_json(value, kind)
    if scalar is not None:
        return scalar
    if len(parents) >= JSON_DEPTH_LIMIT:
        cyclic = any(parent is value for parent in parents)
        raise ContentError("", "contains itself" if cyclic else "nested deeper than %d levels" % JSON_DEPTH_LIMIT)
    parents.append(value)
    try:
        return container_to_json(value, kind, parents)
    finally:
        parents.pop()


def scalar_to_json(value: Any, kind: type) -> Any:
    """The JSON scalar of a standard library value, None if it is not one of these. Classes are known by module and
    name: importing theirs would cost a program that does not use them milliseconds."""
    for base in kind.__mro__:
        module = base.__module__
        if module == "datetime":
            if base.__name__ == "timedelta":
                seconds = value.total_seconds()
                return int(seconds) if seconds == int(seconds) else seconds
            if base.__name__ in ("date", "time"):  # date is a base of datetime
                return value.isoformat()
        elif module == "uuid" and base.__name__ == "UUID":
            return str(value)
        elif base.__name__ == "Decimal" and module == "decimal":
            if not value.is_finite():
                raise ContentError("", "%s is not JSON; use None or a str" % value)
            return str(value)
    if hasattr(kind, "__fspath__"):
        path = value.__fspath__()
        if isinstance(path, str):
            return path
    return None


def container_to_json(value: Any, kind: type, parents: list[Any]) -> Any:
    from _collections_abc import Mapping, MappingView, Sequence, Set

    if isinstance(value, dict):
        return pairs_to_json(value.items(), parents)
    if isinstance(value, tuple) and hasattr(kind, "_fields"):
        return pairs_to_json(zip(kind._fields, value), parents)
    if isinstance(value, (list, tuple)):
        return items_to_json(value, parents)
    if isinstance(value, (bytes, bytearray, memoryview)):
        raise ContentError("", "bytes are not JSON; return image(), audio() or embedded(), or base64 as a str")
    if hasattr(kind, "__dataclass_fields__"):
        from dataclasses import fields

        return pairs_to_json(((field.name, getattr(value, field.name)) for field in fields(value)), parents)
    if isinstance(value, Mapping):
        return pairs_to_json(value.items(), parents)
    if isinstance(value, Set) and not isinstance(value, MappingView):
        try:
            return items_to_json(sorted(value), parents)
        except TypeError:  # nothing orders the members: their JSON text does
            return sorted(items_to_json(list(value), parents), key=encode)
    if isinstance(value, (Sequence, MappingView)):
        return items_to_json(value, parents)
    if kind.__name__ in ("generator", "map", "filter", "zip", "coroutine"):
        raise ContentError("", "a %s is not JSON; make it a list" % kind.__name__)
    raise ContentError("", "%s is not JSON; use dict, list, str, int, float, bool, None, a dataclass or a NamedTuple"
                       % kind.__name__)


def pairs_to_json(pairs: Any, parents: list[Any]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, item in pairs:
        name = key if key.__class__ is str else key_to_json(key)
        if name in made:
            raise ContentError("", 'two keys are written "%s"' % name)
        try:
            made[name] = convert_to_json(item, parents)
        except ContentError as error:
            raise ContentError("/" + name.replace("~", "~0").replace("/", "~1") + error.path, error.message) from None
    return made


def key_to_json(key: Any) -> str:
    if not isinstance(key, bool):
        name = None
        if is_enum_class(type(key)) or isinstance(key, (str, int)):
            name = convert_to_json(key, [])
        elif key is not None and not isinstance(key, (float, tuple)):
            name = scalar_to_json(key, type(key))
        if isinstance(name, str):
            return name
        if isinstance(name, int) and not isinstance(name, bool) and isinstance(key, int):
            return str(name)
    raise ContentError("", "the key %r is not JSON; a key must be a str" % (key,))


def items_to_json(items: Any, parents: list[Any]) -> list[Any]:
    made = []
    for index, item in enumerate(items):
        try:
            made.append(convert_to_json(item, parents))
        except ContentError as error:
            raise ContentError("/%d%s" % (index, error.path), error.message) from None
    return made


def is_enum_class(kind: type) -> bool:
    """Whether a class is an Enum, without importing enum."""
    return any(base.__name__ == "Enum" and base.__module__ == "enum" for base in kind.__mro__)


def readable_json(value: Any) -> str:
    """Compact JSON in which characters beyond ASCII stand as they are: this text is what a model reads. (On the wire it
    is a string inside a message, where codec escapes it.)"""
    encoded = encode(value)
    if "\\u" not in encoded:
        return encoded
    pieces = encoded.split("\\u")
    out = [pieces[0]]
    high = 0
    for index, piece in enumerate(pieces[1:]):
        before = pieces[index]
        backslashes = len(before) - len(before.rstrip("\\"))
        if backslashes % 2:  # an escaped backslash, followed by the letter u
            out.append("\\u" + piece)
            continue
        code = int(piece[:4], 16)
        if 0xD800 <= code < 0xDC00:  # codec lets only whole pairs through
            high = code
        elif 0xDC00 <= code < 0xE000:
            out.append(chr(0x10000 + ((high - 0xD800) << 10) + code - 0xDC00) + piece[4:])
        else:
            out.append(chr(code) + piece[4:] if code >= 0x80 else "\\u" + piece)
    return "".join(out)


# --- older revisions ----------------------------------------------------------------------------------------------


def downgrade_block(block: Block, features: frozenset[str]) -> Block:
    """The nearest thing to a block that a client with these features can read; the same object if nothing changes.

    features: names that the revision of the client knows, of CONTENT_FEATURES. A resource link becomes text with its
    URI, audio an embedded resource; members that the revision does not have are dropped."""
    if BLOCK_FEATURES <= features:
        return block
    kind = block.get("type")
    if kind == "audio" and "audio" not in features:
        made: Block = {"uri": "mcplite:audio", "mimeType": block["mimeType"], "blob": block["data"]}
        block = replace_block(block, {"type": "resource", "resource": made})
    elif kind == "resource_link" and "resource_link" not in features:
        block = replace_block(block, {"type": "text", "text": describe_link(block)})
    members = BLOCK_MEMBERS.get(block["type"], {})
    dropped = [name for name in block if members.get(name) is not None and members[name] not in features]
    if dropped:
        block = {name: value for name, value in block.items() if name not in dropped}
    annotations = block.get("annotations")
    if annotations and "lastModified" in annotations and "last_modified" not in features:
        annotations = {name: value for name, value in annotations.items() if name != "lastModified"}
        block = dict(block, annotations=annotations)
        if not annotations:
            del block["annotations"]
    if block["type"] == "resource":
        inner = downgrade_contents(block["resource"], features)
        if inner is not block["resource"]:
            block = dict(block, resource=inner)
    return block


def replace_block(block: Block, made: Block) -> Block:
    for name in ("annotations", "_meta"):
        if name in block:
            made[name] = block[name]
    return made


def describe_link(block: Block) -> str:
    """A resource link as a line of text: what it is called, its type, its URI; then its description."""
    line: str = block["title"] if "title" in block else block["name"]
    if "mimeType" in block:
        line += " (%s)" % block["mimeType"]
    line += ": " + block["uri"]
    return "%s\n%s" % (line, block["description"]) if "description" in block else line


def downgrade_contents(contents: dict[str, Any], features: frozenset[str]) -> dict[str, Any]:
    """One entry of `contents` (resources/read) or an embedded resource, without what the features do not name."""
    if "_meta" in contents and "resource_meta" not in features:
        return {name: value for name, value in contents.items() if name != "_meta"}
    return contents


def downgrade_tool_result(result: dict[str, Any], features: frozenset[str]) -> dict[str, Any]:
    """A result of to_tool_result for a client with these features; the same object if nothing changes.

    `structuredContent` is dropped without the feature structured_content; without structured_any a value that is no
    object becomes `{"result": value}`, as the output schema does (catalog_pages.wrap_output_schema)."""
    if CONTENT_FEATURES <= features:
        return result
    if "structuredContent" in result:
        structured = result["structuredContent"]
        if "structured_content" not in features:
            result = {name: value for name, value in result.items() if name != "structuredContent"}
        elif "structured_any" not in features and not isinstance(structured, dict):
            result = dict(result, structuredContent={"result": structured})
    if BLOCK_FEATURES <= features:
        return result
    content = [downgrade_block(block, features) for block in result["content"]]
    return dict(result, content=content)


def downgrade_prompt(result: dict[str, Any], features: frozenset[str]) -> dict[str, Any]:
    """A result of prompts/get for a client with these features; the same object if it can read everything."""
    if BLOCK_FEATURES <= features:
        return result
    messages = [dict(message, content=downgrade_block(message["content"], features)) for message in result["messages"]]
    return dict(result, messages=messages)
