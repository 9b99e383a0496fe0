"""What a result must hold so that its method's caller can use it.

Here: the members that each method needs, and the search for one that is not there; the output schemas of tools, which judge
their structured results. Not here: who asks (``face``). One table for all five revisions: what a caller needs is the same in each.

Pages: server/tools, server/prompts, server/resources, server/utilities/completion, basic/lifecycle of every revision.

1. A member is needed where a caller cannot use the result without it. What the schema wants beyond that (a tool's
   ``inputSchema``, a picture's ``mimeType``, ``ttlMs``) may be missing: a server's fault must not cost the user the result.
2. What is not known, a block of a new type for example, is the caller's to understand.
"""
from __future__ import annotations

from ..errors import McpError
from ..peer import report_exception
from .faults import ServerFault, Teller

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Iterable, List, Optional

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


def check_needed_members(method: str, result: "Dict[str, Any]") -> None:
    """Raises ``ServerFault`` for a result that lacks what its method needs: one clause names the member."""
    problem = shape_problem(result, NEEDED_MEMBERS.get(method, {}), "")
    if problem is not None:
        raise ServerFault("%s was answered with a result that cannot be used: %s" % (method, problem), result=result)


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


class OutputSchemas:
    """The output schemas of the tools that lists have shown (server/tools, "Output Schema").

    ``list_tools`` fetches the list when a tool is not known yet; ``teller`` hears of schemas that cannot be used.
    """

    def __init__(self, list_tools: "Callable[[], Iterable[Any]]", teller: Teller) -> None:
        self.list_tools, self.teller = list_tools, teller
        self.schemas: "Dict[str, Any]" = {}
        self.validators: "Dict[str, Any]" = {}
        self.complete = False                       # a whole list has been seen since the last change

    def forget(self) -> None:
        """The list of tools has changed."""
        self.schemas.clear()
        self.validators.clear()
        self.complete = False

    def note(self, tools: "List[Dict[str, Any]]") -> None:
        """Take the schemas of these entries of a list."""
        for tool in tools:
            name, schema = tool["name"], tool.get("outputSchema")
            if self.schemas.get(name) != schema:
                self.validators.pop(name, None)
            self.schemas[name] = schema

    def find_validator(self, name: str) -> "Any":
        """Return the validator of a tool's results, None where it has no output schema, none that can be used, or is in no list."""
        if name not in self.schemas and not self.complete:
            try:
                for _ in self.list_tools():
                    pass
            except Exception as error:                      # a list that fails does not make a good result bad
                if self.teller.strict and isinstance(error, ServerFault):
                    raise
                if not isinstance(error, McpError):         # of a callback that was asked something meanwhile
                    report_exception(error)
            self.complete = True
        schema = self.schemas.get(name)
        if schema is None:
            return None
        if name not in self.validators:
            from ..schema import SchemaError, Validator

            try:
                self.validators[name] = Validator(schema)
            except SchemaError as error:
                self.validators[name] = None
                self.teller.tell_fault("the results of tool %s are unchecked: its output schema cannot be used: %s" % (name, error))
        return self.validators[name]

    def check(self, name: str, result: "Dict[str, Any]") -> None:
        """Check a structured result: clients SHOULD. Raises ``ServerFault`` where it does not fit."""
        validator = self.find_validator(name)
        if validator is None:
            return
        if "structuredContent" not in result:
            raise ServerFault("tool %s has an output schema, but its result has no structuredContent" % name, {"result": result},
                              result)
        problems = validator.problems(result["structuredContent"])
        if problems:
            from ..schema import problem_text

            raise ServerFault("the result of tool %s does not fit its output schema: %s" % (name, problem_text(problems)),
                              {"result": result, "problems": problems}, result)
