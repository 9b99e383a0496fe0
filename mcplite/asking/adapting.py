"""A question as a client can read it: in the words of its revision, and only where it has declared that it can answer.

Here: ``adapt_question``, ``adapt_questions``. Not here: what may be asked at all (``questions``), sending it (``rounds``).

Pages: client/elicitation, client/sampling, client/roots of every revision; changelog of each.
"""
from __future__ import annotations

from ..errors import CapabilityError
from .questions import find_choices, list_blocks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional

    from ..revisions import Revision
    from .questions import Question


def adapt_questions(questions: List[Question], row: Revision, capabilities: Dict[str, Any]) -> List[Question]:
    """Return the questions as the client reads them; the ``CapabilityError`` names all that it lacks."""
    adapted, missing = [], []
    for question in questions:
        try:
            adapted.append(adapt_question(question, row, capabilities))
        except CapabilityError as error:
            missing.append(error)
    if missing:
        required: Dict[str, Any] = {}
        for lack in missing:
            for name, members in lack.data["requiredCapabilities"].items():
                required.setdefault(name, {}).update(members)
        raise CapabilityError("; ".join(dict.fromkeys(lack.message for lack in missing)), required)
    return adapted


def adapt_question(question: Question, row: Revision, capabilities: Dict[str, Any]) -> Question:
    """Return ``question`` as a client with this revision and ``capabilities`` gets it. Raises ``CapabilityError``."""
    method, params = question["method"], question.get("params", {})
    if method == "roots/list":
        check_declared(capabilities, "roots")
        return question
    if method == "sampling/createMessage":
        return {"method": method, "params": adapt_sample(params, row, capabilities)}
    if "elicitation" not in row.features:
        raise new_incapable(row, "elicitation", {"elicitation": {}})
    check_declared(capabilities, "elicitation")
    if params["mode"] == "url":
        if "elicitation_url" not in row.features:
            raise new_incapable(row, "elicitation by URL", {"elicitation": {"url": {}}})
        check_declared(capabilities, "elicitation", "url")
        if row.stateless:
            params = {name: value for name, value in params.items() if name != "elicitationId"}
    elif "elicitation_url" in row.features:
        if "url" in capabilities["elicitation"]:        # nothing named means forms, "For backwards compatibility"
            check_declared(capabilities, "elicitation", "form")
    else:
        fields = params["requestedSchema"]["properties"]
        fields = {name: adapt_field(field, row, name) for name, field in fields.items()}
        form = {name: value for name, value in params["requestedSchema"].items() if name != "$schema"}
        params = {"message": params["message"], "requestedSchema": dict(form, properties=fields)}
    return {"method": method, "params": params}


def check_declared(capabilities: Dict[str, Any], name: str, member: Optional[str] = None) -> None:
    declared = capabilities.get(name)
    if not isinstance(declared, dict) or member is not None and not isinstance(declared.get(member), dict):
        required: Dict[str, Any] = {name: {} if member is None else {member: {}}}
        dotted = name if member is None else "%s.%s" % (name, member)
        raise CapabilityError("the client has not declared the capability %s, which this needs"
                              % dotted, required)


def new_incapable(row: Revision, what: str, required: Dict[str, Any]) -> CapabilityError:
    return CapabilityError("the client speaks revision %s, which has no %s" % (row.date, what), required)


def adapt_field(field: Dict[str, Any], row: Revision, name: str) -> Dict[str, Any]:
    """Return a form's field as 2025-06-18 has it: titles of choices in ``enumNames``, defaults of booleans only."""
    if field["type"] == "array":
        raise new_incapable(row, "choice of several (property %r)" % name, {"elicitation": {"form": {}}})
    left_out = ("oneOf",) if field["type"] == "boolean" else ("oneOf", "default")
    adapted = {member: value for member, value in field.items() if member not in left_out}
    if "oneOf" in field:
        adapted["enum"] = find_choices(field)
        adapted["enumNames"] = [choice["title"] for choice in field["oneOf"]]
    return adapted


def adapt_sample(params: Dict[str, Any], row: Revision, capabilities: Dict[str, Any]) -> Dict[str, Any]:
    check_declared(capabilities, "sampling")
    blocks = [block for message in params["messages"] for block in list_blocks(message["content"])]
    kinds = {block["type"] for block in blocks}
    if "tools" in params or "toolChoice" in params or "tool_use" in kinds or "tool_result" in kinds:
        if "sampling_tools" not in row.features:
            raise new_incapable(row, "tools in sampling", {"sampling": {"tools": {}}})
        check_declared(capabilities, "sampling", "tools")
    if params.get("includeContext", "none") != "none" and "sampling_context" in row.features:
        check_declared(capabilities, "sampling", "context")
    if "audio" in kinds and "audio" not in row.features:
        raise new_incapable(row, "audio in sampling", {"sampling": {}})
    if "sampling_tools" in row.features:
        return params
    return dict(params, messages=adapt_messages(params["messages"], row))


def adapt_messages(messages: List[Dict[str, Any]], row: Revision) -> List[Dict[str, Any]]:
    """Before 2025-11-25 a message holds one block: one that holds several becomes several."""
    from ..content import downgrade_block

    return [{"role": message["role"], "content": downgrade_block(block, row.features)}
            for message in messages for block in list_blocks(message["content"])]
