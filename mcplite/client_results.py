"""What a result must hold so that its method's caller can use it.

Here: the members that each method needs, and the search for one that is not there. Not here: what becomes of the result
(``client``). Pure. One table for all five revisions: what a caller needs is the same in each.

Pages: server/tools, server/prompts, server/resources, server/utilities/completion, basic/lifecycle of every revision.

1. A member is needed where a caller cannot use the result without it. What the schema wants beyond that (a tool's
   ``inputSchema``, a picture's ``mimeType``, ``ttlMs``) may be missing: a server's fault must not cost the user the result.
2. What is not known, a block of a new type for example, is the caller's to understand.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional

# A shape: ``str``; [shape], a list of these; {member: shape}, an object with at least these; or a function that finds a problem.
CARRIERS = {"text": ("text", str), "image": ("data", str), "audio": ("data", str), "resource": ("resource", dict),
            "resource_link": ("uri", str)}     # what a block is good for


def block_problem(value: "Any", path: str) -> "Optional[str]":
    problem = shape_problem(value, {"type": str}, path)
    if problem is None and value["type"] in CARRIERS:
        member, wanted = CARRIERS[value["type"]]
        problem = shape_problem(value, {member: {} if wanted is dict else wanted}, path)
    return problem


NEEDED_MEMBERS: "Dict[str, Any]" = {
    "initialize": {"protocolVersion": str},
    "tools/call": {"content": [block_problem]},
    "prompts/get": {"messages": [{"role": str, "content": block_problem}]},
    "resources/read": {"contents": [{"uri": str}]},
    "completion/complete": {"completion": {"values": [str]}},
}
NEEDED_IN_ENTRIES: "Dict[str, Any]" = {"tools/list": {"name": str}, "prompts/list": {"name": str}, "resources/list": {"uri": str},
                                       "resources/templates/list": {"uriTemplate": str}}


def result_problem(method: str, result: "Dict[str, Any]") -> "Optional[str]":
    """Return what the result of ``method`` lacks, one clause that names the member; None where nothing is missing."""
    return shape_problem(result, NEEDED_MEMBERS.get(method, {}), "")


def shape_problem(value: "Any", shape: "Any", path: str) -> "Optional[str]":
    """Return why ``value``, which stands at ``path``, has not the ``shape``; None where it has."""
    if shape is str:
        return None if isinstance(value, str) else "%s is %s, not a string" % (path, kind_of(value))
    if shape.__class__ is list:
        if not isinstance(value, list):
            return "%s is %s, not a list" % (path, kind_of(value))
        return first_problem(value, shape[0], path)
    if shape.__class__ is not dict:
        found: "Optional[str]" = shape(value, path)
        return found
    if not isinstance(value, dict):
        return "%s is %s, not an object" % (path, kind_of(value))
    for member, inner in shape.items():
        if member not in value:
            return "%s has no member %s" % (path or "it", member)
        problem = shape_problem(value[member], inner, path + "." + member if path else member)
        if problem is not None:
            return problem
    return None


def first_problem(values: "List[Any]", shape: "Any", path: str) -> "Optional[str]":
    for index, value in enumerate(values):
        problem = shape_problem(value, shape, "%s[%d]" % (path, index))
        if problem is not None:
            return problem
    return None


def kind_of(value: "Any") -> str:
    """Return what a JSON value is, in the protocol's words."""
    if value is None or value is True or value is False:
        return {None: "null", True: "true", False: "false"}[value]
    for kind, word in ((str, "a string"), (dict, "an object"), (list, "a list")):
        if isinstance(value, kind):
            return word
    return "a number"
