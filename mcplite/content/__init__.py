"""Content: what handlers return, as the protocol has it.

In the order of reading: ``plain_json`` (any Python value as JSON), ``blocks`` (text, image, audio, links, embedded resources,
icons), ``results`` (what a tool, resource, prompt or completion returned, as a whole result), ``older`` (what clients of older
revisions can read of it). What is imported below is for everybody; a server loads it with the first value that is more than a
text or a number.
"""
from .blocks import (
    audio,
    check_annotations,
    check_icon,
    check_icon_list,
    embedded,
    icon,
    image,
    resource_link,
    text,
)
from .older import (
    downgrade_block,
    downgrade_contents,
    downgrade_prompt,
    downgrade_tool_result,
)
from .plain_json import (
    ContentError,
    is_iterator,
    jsonable,
    readable_json,
)
from .results import (
    ToolResult,
    to_completion_result,
    to_prompt_messages,
    to_prompt_result,
    to_resource_contents,
    to_resource_result,
    to_tool_result,
    tool_result,
)

__all__ = ["ContentError", "ToolResult", "audio", "check_annotations", "check_icon", "check_icon_list",
           "downgrade_block", "downgrade_contents", "downgrade_prompt", "downgrade_tool_result", "embedded", "icon",
           "image", "is_iterator", "jsonable", "readable_json", "resource_link", "text", "to_completion_result",
           "to_prompt_messages", "to_prompt_result", "to_resource_contents", "to_resource_result", "to_tool_result",
           "tool_result"]
