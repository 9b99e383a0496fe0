"""What a client of an older revision can read of a result: the nearest thing, or the same without what it does not know.

Here: blocks, contents, the results of tools and prompts. Not here: which revision knows which feature (``revisions``).

Pages: changelog of each revision; server/tools, server/resources, server/prompts of the older ones.
"""
from __future__ import annotations

from .blocks import BLOCK_MEMBERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .blocks import Block

# All that blocks and results may need: a client that has these gets every result as it is.
CONTENT_FEATURES = frozenset(("audio", "resource_link", "content_meta", "resource_meta", "title", "icons",
                              "last_modified", "structured_content", "structured_any"))
BLOCK_FEATURES = CONTENT_FEATURES - {"structured_content", "structured_any"}


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
