"""What a prompt, a resource or a completion returned, as a whole result.

Here: the results of ``prompts/get``, ``resources/read`` and ``completion/complete``, in the newest form, from plain values or from
what is on the wire already. Not here: blocks, messages and tools (``content``), what older revisions see of it (``content``),
caching hints and ``_meta`` of ours (``server_answers``, ``session``).

Pages: server/prompts, server/resources, server/utilities/completion, server/utilities/caching.

1. Whoever writes a whole result in wire form gets it sent, and checked member by member; nothing in it is guessed at or lost.
2. A str is one thing, never its letters; a dict never its keys; a list, a tuple or an iterator is its items, in their order.
3. A ``ContentError`` names the member and what is wanted there; its ``wanted`` says that without what came.
"""
from __future__ import annotations

from .codec import encode
from .content import (
    ContentError,
    describe_value,
    is_content_block,
    is_iterator,
    is_resource_contents,
    jsonable,
    list_items,
    to_prompt_messages,
    to_resource_contents,
    wrong_value,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Result = dict[str, Any]

COMPLETION_LIMIT = 100      # server/utilities/completion: "Maximum 100 items per response"
PROMPT_RESULT = frozenset(("messages", "description", "_meta", "resultType"))
READ_RESULT = frozenset(("contents", "ttlMs", "cacheScope", "_meta", "resultType"))
COMPLETE_RESULT = frozenset(("completion", "_meta", "resultType"))
COMPLETION = frozenset(("values", "total", "hasMore"))
COMPLETION_WANTED = 'a completion returns a str, a list of these, None, or {"values": [...], "total"?, "hasMore"?}'
CONTENTS_WANTED = 'an entry of contents is {"uri", "text" or "blob" (base64), "mimeType"?, "_meta"?}, all of them strings but _meta'


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
