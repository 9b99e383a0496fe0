"""Content blocks: the helpers that build them, their exact shapes, and what an error calls a value that is none.

Not here: Python values as JSON (``plain_json``), whole results (``results``), what an older client can read (``older``).

Pages: server/tools ("Tool Result"), server/resources ("Resource Contents", "Annotations"), server/prompts ("PromptMessage").

1. An optional member without a value is left out, never null: TypeScript clients reject the whole result for one.
2. The Python type decides: bytes become `blob` or `data`, str becomes `text`, never both, never guessed.
3. A dict counts as a content block only by its exact shape: a known "type", the members this type requires, and no
   member that it does not know. So data that merely has a "type" stays data.
"""
from __future__ import annotations

from ..uritemplate import check_uri
from .plain_json import ContentError, is_iterator, jsonable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    Block = dict[str, Any]

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
# The types of optional members, wherever they occur.
MEMBER_TYPES: dict[str, type | tuple[type, ...]] = {
    "mimeType": str, "description": str, "title": str, "annotations": dict, "_meta": dict, "icons": list, "size": (int, float)}
CONTENTS_MEMBERS = frozenset(("uri", "mimeType", "text", "blob", "_meta"))


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
    """Whether a value is a content block by its exact shape (3)."""
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


def list_items(value: Any, path: str, wanted: str) -> list[Any]:
    """The items of a list, a tuple or an iterator. Raises ContentError for all else: a str is not a list of its letters, a
    dict not one of its keys, and a set has no order."""
    if isinstance(value, (list, tuple)) or is_iterator(value):
        return list(value)
    raise wrong_value(path, wanted, value)


def wrong_value(path: str, wanted: str, value: Any) -> ContentError:
    return ContentError(path, "%s; got %s" % (wanted, "a dict" if isinstance(value, dict) else describe_value(value)), wanted)
