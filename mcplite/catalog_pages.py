"""Lists as a client gets them: pages and their cursors, and what its revision may see of an entry.

Here: ``select_page``, ``view_entry``. Not here: which entries there are (``catalog``), the reply (``handlers``).

Pages: server/utilities/pagination; server/tools, "Output Schema"; changelog of each revision.

1. An older revision gets a copy of an entry's ``wire`` without what it does not know.
2. A cursor says after which entry a page begins, so it survives additions and removals.
"""
from .catalog import select_members
from .errors import INVALID_PARAMS, McpError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Tuple

    from .catalog import Entry
    from .revisions import Revision

# wire member → the feature that a revision must have to see it
TOOL_MEMBERS = {"title": "title", "icons": "icons", "outputSchema": "output_schema", "annotations": "tool_annotations",
                "execution": "execution", "_meta": "meta"}
RESOURCE_MEMBERS = {"title": "title", "icons": "icons", "_meta": "meta"}
PROMPT_MEMBERS = {"title": "title", "icons": "icons", "_meta": "meta"}
VARYING_MEMBERS = {"tools": TOOL_MEMBERS, "resources": RESOURCE_MEMBERS, "resources/templates": RESOURCE_MEMBERS,
                   "prompts": PROMPT_MEMBERS}


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
    """``nextCursor``: says behind which entry the next page begins (2)."""
    from binascii import b2a_base64

    return b2a_base64(("%s:%d" % (kind, number)).encode(), newline=False).decode()


def parse_cursor(cursor: "Any", kind: str) -> int:
    """``cursor``: return the number of the entry that it names; raises ``McpError`` for one that is none of ours."""
    from binascii import a2b_base64

    try:
        name, number = a2b_base64(cursor.encode("ascii")).decode("ascii").split(":")
        if name == kind and number.isdigit() and new_cursor(int(number), kind) == cursor:
            return int(number)
    except (AttributeError, ValueError):
        pass
    raise McpError(INVALID_PARAMS, "Invalid params: unknown cursor %.80r: leave it out to begin at the first page" % (cursor,))


def view_entry(entry: "Entry", row: "Revision", members: "Dict[str, str]") -> "Dict[str, Any]":
    """Return ``entry.wire`` as a client of ``row`` may see it (1)."""
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


def wrap_output_schema(schema: "dict[str, Any]") -> "dict[str, Any]":
    """An output schema as revisions before 2026-07-28 take it: its root is an object.

    A root that is no object becomes the property "result" of one; "$defs", "definitions" and "$schema" stay at the
    root, and other references into the schema are moved along. An object is returned as it is. (The value is wrapped by
    content.downgrade_tool_result.) Specification: server/tools of 2025-06-18, "Output Schema"."""
    if schema.get("type") == "object":
        return schema
    inner = dict(schema)
    made: dict[str, Any] = {}
    if "$schema" in inner:
        made["$schema"] = inner.pop("$schema")
    made.update(type="object", properties={"result": inner}, required=["result"])
    for name in ("$defs", "definitions"):
        if name in inner:
            made[name] = move_references(inner.pop(name))
    made["properties"] = {"result": move_references(inner)}
    return made


def move_references(schema: "Any") -> "Any":
    """A copy of a schema whose references from the root point into the property "result"."""
    if isinstance(schema, list):
        return [move_references(item) for item in schema]
    if not isinstance(schema, dict) or "$id" in schema:
        return schema
    made = {}
    for name, value in schema.items():
        if name in ("$ref", "$dynamicRef") and isinstance(value, str):
            inside = value == "#" or (value.startswith("#/") and not value.startswith(("#/$defs/", "#/definitions/")))
            made[name] = "#/properties/result" + value[1:] if inside else value
        elif name in ("enum", "const", "default", "examples"):
            made[name] = value
        else:
            made[name] = move_references(value)
    return made
