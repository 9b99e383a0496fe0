"""What a tool, a prompt, a resource or a completion returned, as a whole result.

Here: the results of ``tools/call``, ``prompts/get``, ``resources/read`` and ``completion/complete``, in the newest form, from plain
values or from what is on the wire already. Not here: blocks (``blocks``), what older revisions see of it (``older``), caching hints
and ``_meta`` of ours (the handlers, ``session``), judging a result against an output schema (the handlers).

Pages: server/tools ("Tool Result"), server/prompts, server/resources, server/utilities/completion, server/utilities/caching.

1. Whoever writes a whole result in wire form gets it sent, and checked member by member; nothing in it is guessed at or lost.
2. A str is one thing, never its letters; a dict never its keys; a list, a tuple or an iterator is its items, in their order.
3. A ``ContentError`` names the member and what is wanted there; its ``wanted`` says that without what came.
"""
from __future__ import annotations

from ..codec import encode
from .blocks import (
    check_meta,
    describe_value,
    is_content_block,
    is_resource_contents,
    list_items,
    new_resource_contents,
    text,
    wrong_value,
)
from .plain_json import (
    ContentError,
    is_enum_class,
    is_iterator,
    jsonable,
    readable_json,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from .blocks import Block

    Result = dict[str, Any]

RESULT_MEMBERS = frozenset(("content", "structuredContent", "isError", "_meta", "resultType"))
PROMPT_WANTED = ('a prompt returns a str, a content block, a message {"role", "content"}, a list of these, or a whole result '
                 '{"messages": [...]}')
COMPLETION_LIMIT = 100      # server/utilities/completion: "Maximum 100 items per response"
PROMPT_RESULT = frozenset(("messages", "description", "_meta", "resultType"))
READ_RESULT = frozenset(("contents", "ttlMs", "cacheScope", "_meta", "resultType"))
COMPLETE_RESULT = frozenset(("completion", "_meta", "resultType"))
COMPLETION = frozenset(("values", "total", "hasMore"))
COMPLETION_WANTED = 'a completion returns a str, a list of these, None, or {"values": [...], "total"?, "hasMore"?}'
CONTENTS_WANTED = 'an entry of contents is {"uri", "text" or "blob" (base64), "mimeType"?, "_meta"?}, all of them strings but _meta'


# --- tools --------------------------------------------------------------------------------------------------------


class ToolResult(dict):  # type: ignore[type-arg]
    """The dict that tool_result() returns: a class of its own, so that it cannot be mistaken for a tool's data."""

    __slots__ = ()


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


def is_tool_result(value: Any) -> bool:
    """Whether a dict is a whole tool result, as another server sends it: `content` made of blocks, no member beyond
    those of a result, and more to tell it from data than an empty `content`."""
    if value.__class__ is ToolResult:
        return True
    if not isinstance(value, dict) or not value.keys() <= RESULT_MEMBERS or not isinstance(value.get("content"), list):
        return False
    return (len(value) > 1 or len(value["content"]) > 0) and all(is_content_block(item) for item in value["content"])


# --- resources and prompts -----------------------------------------------------------------------------------------


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


def to_prompt_result(value: Any) -> Result:
    """The result of ``prompts/get``: a dict with ``messages`` is one in wire form, all else is messages."""
    if not isinstance(value, dict) or "messages" not in value:
        return {"messages": to_prompt_messages(value)}
    result = take_members(value, PROMPT_RESULT, "a prompt's result")
    items = list_items(value["messages"], "/messages", "messages must be a list")
    result["messages"] = to_prompt_messages(items, "/messages")
    return result


def to_resource_result(value: Any, uri: str, mime_type: str | None = None) -> Result:
    """The result of ``resources/read``: a dict with ``contents`` and no member but a result's is one in wire form, all else
    is contents (``to_resource_contents``)."""
    if not isinstance(value, dict) or "contents" not in value or not value.keys() <= READ_RESULT:
        return {"contents": to_resource_contents(value, uri, mime_type)}
    result = take_members(value, READ_RESULT, "a resource's result")
    items = list_items(value["contents"], "/contents", "contents must be a list (for data of your own, return its JSON text)")
    result["contents"] = [to_contents_entry(item, "/contents/%d" % index) for index, item in enumerate(items)]
    return result


def to_contents_entry(value: Any, path: str) -> Result:
    if is_content_block(value) and value["type"] == "resource":
        value = value["resource"]
    if not is_resource_contents(value):
        came = "a dict of " + ", ".join(map(str, value)) if isinstance(value, dict) else describe_value(value)
        raise ContentError(path, "%s; got %s" % (CONTENTS_WANTED, came), CONTENTS_WANTED)
    made: Result = jsonable(value, path)
    return made


def to_completion_result(value: Any) -> Result:
    """The result of ``completion/complete``: at most 100 values, ``hasMore`` where that is not all.

    value: a str (one value), a list, tuple, set (sorted), view or iterator of str or numbers, None (no value), or in wire form
    ``{"values", "total"?, "hasMore"?}``, alone or as the ``completion`` of a result. An iterator is read as far as it is sent."""
    if not isinstance(value, dict):
        return {"completion": new_completion(value, "", COMPLETION_WANTED)}
    result, path = {}, ""
    if "completion" in value:
        result, path, value = take_members(value, COMPLETE_RESULT, "a completion's result"), "/completion", value["completion"]
        if not isinstance(value, dict):
            raise wrong_value(path, "completion must be an object (a dict)", value)
    if "values" not in value:
        raise ContentError(path, "%s; got a dict without values" % COMPLETION_WANTED, COMPLETION_WANTED)
    given = take_members(value, COMPLETION, "a completion", path)
    made = new_completion(value["values"], path + "/values", "values must be a list of strings")
    if made["hasMore"]:                     # what is over the limit is cut
        given = {**made, **given, "hasMore": True}
    result["completion"] = dict(given, values=made["values"])
    return result


def new_completion(values: Any, path: str, wanted: str) -> Result:
    """``values`` with their number, where that is known, and whether there are more."""
    items: Any = [values] if isinstance(values, str) else () if values is None else values
    is_whole = not is_iterator(items)
    if not is_whole:
        from itertools import islice

        items = list(islice(items, COMPLETION_LIMIT + 1))
    found = None if isinstance(items, (bytes, bytearray, memoryview)) else jsonable(items, path)
    if not isinstance(found, list):
        raise wrong_value(path, wanted, values)
    texts = [completion_text(item, "%s/%d" % (path, index)) for index, item in enumerate(found)]
    has_more = len(texts) > COMPLETION_LIMIT
    made: Result = {"values": texts[:COMPLETION_LIMIT], "total": len(texts), "hasMore": has_more}
    if has_more and not is_whole:
        del made["total"]                   # nobody knows
    return made


def completion_text(item: Any, path: str) -> str:
    data = jsonable(item, path)
    if isinstance(data, str):
        return data
    if isinstance(data, (int, float)) and not isinstance(data, bool):
        return encode(data)
    raise wrong_value(path, "a completion's value must be a string", item)


# --- members ------------------------------------------------------------------------------------------------------


def is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


# member → what it must be, whether it is
MEMBER_CHECKS: dict[str, tuple[str, Any]] = {
    "description": ("a string", lambda value: isinstance(value, str)),
    "_meta": ("an object (a dict)", lambda value: isinstance(value, dict)),
    "resultType": ('"complete": a question is asked with ctx.elicit, ctx.sample or ctx.roots', lambda value: value == "complete"),
    "ttlMs": ("a whole number of milliseconds, 0 or more", is_count),
    "cacheScope": ('"private" or "public"', lambda value: value in ("private", "public")),
    "total": ("a whole number, 0 or more", is_count),
    "hasMore": ("true or false", lambda value: isinstance(value, bool)),
}


def take_members(value: Result, known: frozenset[str], what: str, path: str = "") -> Result:
    """The optional members of a whole result, checked; without those that are None, and without ``resultType``, which every
    revision that has it gets in any case. Raises ContentError for one that is wrong or unknown."""
    unknown = sorted(str(name) for name in value.keys() - known)
    if unknown:
        wanted = "%s has the members %s only" % (what, ", ".join(sorted(known - {"resultType"})))
        raise ContentError(path, '%s, got "%s"' % (wanted, unknown[0]), wanted)
    made: Result = {}
    for name, (wanted, fits) in MEMBER_CHECKS.items():
        item = value.get(name)
        if item is None:
            continue
        if not fits(item):
            raise wrong_value("%s/%s" % (path, name), "%s must be %s" % (name, wanted), item)
        if name != "resultType":
            made[name] = jsonable(item, "%s/%s" % (path, name))
    return made
