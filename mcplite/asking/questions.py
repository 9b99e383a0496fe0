"""Questions to the client: what may be asked, and what an answer must be.

Here: building and checking of elicitation, sampling and roots requests and of their answers. Not here: what each revision can
read of them (``adapting``), how an answer finds its handler again (``rounds``).

Pages: client/elicitation, client/sampling, client/roots of every revision.
"""
from __future__ import annotations

from ..codec import encode
from ..jsonrpc import new_notification

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional

    Question = Dict[str, Any]       # {"method": ..., "params": ...}, in the words of the newest revision
    Answer = Dict[str, Any]         # the client's result

# Building

SAMPLE_OPTIONS = {"model_preferences": "modelPreferences", "system_prompt": "systemPrompt", "include_context": "includeContext",
                  "temperature": "temperature", "stop_sequences": "stopSequences", "metadata": "metadata", "tools": "tools",
                  "tool_choice": "toolChoice"}


def new_elicit(message: str, schema: Dict[str, Any]) -> Question:
    return {"method": "elicitation/create", "params": {"mode": "form", "message": message, "requestedSchema": schema}}


def new_elicit_url(message: str, url: str, elicitation_id: Optional[str] = None) -> Question:
    params = {"mode": "url", "message": message, "url": url}
    if elicitation_id is not None:
        params["elicitationId"] = elicitation_id
    return {"method": "elicitation/create", "params": params}


def new_sample(messages: Any, max_tokens: int, **options: Any) -> Question:
    """``options`` as ``Context.sample`` has them; one that is None is left out."""
    params = {"messages": messages, "maxTokens": max_tokens}
    params.update({SAMPLE_OPTIONS[name]: value for name, value in options.items() if value is not None})
    return {"method": "sampling/createMessage", "params": params}


def new_elicitation_complete(elicitation_id: str) -> str:
    """``notifications/elicitation/complete``: return its line (2025-11-25, client/elicitation)."""
    return new_notification("notifications/elicitation/complete", {"elicitationId": elicitation_id})


# Checking, part 1: the shapes, as JSON Schemas

A_TEXT: Dict[str, Any] = {"type": "string"}
A_COUNT = {"type": "integer", "minimum": 0}
A_PRIORITY = {"type": "number", "minimum": 0, "maximum": 1}
SOME_TEXTS = {"type": "array", "items": A_TEXT, "minItems": 1}


def closed_object(properties: Dict[str, Any], *required: str) -> Dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


SOME_CHOICES = {"type": "array", "minItems": 1,
                "items": closed_object({"const": A_TEXT, "title": A_TEXT}, "const", "title")}


def form_field(*required: str, **members: Any) -> Dict[str, Any]:
    """The shape of one property of a form: what all have, and ``members``."""
    return closed_object(dict({"type": {}, "title": A_TEXT, "description": A_TEXT, "default": {}}, **members), *required)


ELICIT_SHAPE = closed_object({"mode": {}, "message": A_TEXT, "requestedSchema": {}}, "message", "requestedSchema")
FORM_SHAPE = closed_object({"$schema": A_TEXT, "type": {"const": "object"}, "properties": {"type": "object"},
                            "required": {"type": "array", "items": A_TEXT}}, "properties")
FIELD_SHAPES = {
    "string": form_field(minLength=A_COUNT, maxLength=A_COUNT, format={"enum": ["email", "uri", "date", "date-time"]}),
    "choice": form_field("enum", enum=SOME_TEXTS, enumNames=SOME_TEXTS),
    "titled choice": form_field(oneOf=SOME_CHOICES),
    "number": form_field(minimum={"type": "number"}, maximum={"type": "number"}),
    "integer": form_field(minimum={"type": "number"}, maximum={"type": "number"}),
    "boolean": form_field(),
    "choices": form_field("items", minItems=A_COUNT, maxItems=A_COUNT, items=closed_object(
        {"type": {"const": "string"}, "enum": SOME_TEXTS}, "type", "enum")),
    "titled choices": form_field(minItems=A_COUNT, maxItems=A_COUNT, items=closed_object(
        {"anyOf": SOME_CHOICES}, "anyOf")),
}
FIELD_LIMITS = (("minLength", "maxLength"), ("minimum", "maximum"), ("minItems", "maxItems"))

URL_SHAPE = closed_object({"mode": {}, "message": A_TEXT, "url": A_TEXT,
                           "elicitationId": {"type": "string", "minLength": 1}}, "message", "url")
SAMPLE_SHAPE = closed_object({
    "messages": {"type": "array", "minItems": 1}, "maxTokens": {"type": "integer", "minimum": 1},
    "modelPreferences": closed_object({
        "hints": {"type": "array", "items": closed_object({"name": A_TEXT})},
        "costPriority": A_PRIORITY, "speedPriority": A_PRIORITY, "intelligencePriority": A_PRIORITY}),
    "systemPrompt": A_TEXT, "includeContext": {"enum": ["none", "thisServer", "allServers"]},
    "temperature": {"type": "number"}, "stopSequences": {"type": "array", "items": A_TEXT},
    "metadata": {"type": "object"},
    "tools": {"type": "array", "items": {"type": "object", "required": ["name", "inputSchema"], "properties": {
        "name": A_TEXT, "description": A_TEXT, "inputSchema": {
            "type": "object", "required": ["type"], "properties": {"type": {"const": "object"}}}}}},
    "toolChoice": closed_object({"mode": {"enum": ["auto", "required", "none"]}}),
}, "messages", "maxTokens")
MESSAGE_SHAPE = closed_object({"role": {"enum": ["user", "assistant"]}, "content": {}, "_meta": {"type": "object"}},
                              "role", "content")
SAMPLE_BLOCKS: Dict[str, Dict[str, Any]] = {     # what a message may hold: type → the members it needs
    "text": {"text": A_TEXT},
    "image": {"data": A_TEXT, "mimeType": A_TEXT},
    "audio": {"data": A_TEXT, "mimeType": A_TEXT},
    "tool_use": {"id": A_TEXT, "name": A_TEXT, "input": {"type": "object"}},
    "tool_result": {"toolUseId": A_TEXT, "content": {"type": "array", "items": {
        "type": "object", "required": ["type"], "properties": {"type": A_TEXT}}}},
}
ELICIT_ANSWER = {"type": "object", "required": ["action"], "properties": {
    "action": {"enum": ["accept", "decline", "cancel"]}, "content": {"type": ["object", "null"]}}}
SAMPLE_ANSWER = {"type": "object", "required": ["role", "content", "model"], "properties": {
    "role": {"enum": ["user", "assistant"]}, "content": {"type": ["object", "array"]}, "model": A_TEXT,
    "stopReason": A_TEXT}}
ROOTS_ANSWER = {"type": "object", "required": ["roots"], "properties": {"roots": {"type": "array", "items": {
    "type": "object", "required": ["uri"], "properties": {"uri": A_TEXT, "name": A_TEXT}}}}}


def check_shape(value: Any, shape: Dict[str, Any], label: str) -> None:
    """Raise ``ValueError`` unless ``value`` has this shape."""
    from ..schema import Validator, problem_text

    problems = Validator(shape).problems(value)
    if problems:
        raise ValueError("%s: %s" % (label, problem_text(problems)))


# Checking, part 2: questions


def check_question(question: Any) -> Question:
    """Return ``question`` complete and in the newest form; raises ``ValueError`` for one that no revision has."""
    method = question.get("method") if isinstance(question, dict) else None
    if not isinstance(method, str) or method not in QUESTION_CHECKS or question.keys() - {"method", "params"}:
        raise ValueError('a question is {"method": ..., "params": {...}} with one of the methods %s, not %r'
                         % (", ".join(QUESTION_CHECKS), question))
    params = question.get("params", {})
    if not isinstance(params, dict):
        raise ValueError("the params of %s must be an object (a dict), not %r" % (method, params))
    checked = QUESTION_CHECKS[method](dict(params))
    try:
        encode(checked)
    except (TypeError, ValueError) as error:
        raise ValueError("%s: %s" % (method, error)) from None
    return checked


def check_elicit(params: Dict[str, Any]) -> Question:
    """``elicitation/create``, a form or a URL (client/elicitation)."""
    mode = params.setdefault("mode", "form")
    if mode == "form":
        check_shape(params, ELICIT_SHAPE, "elicitation")
        params["requestedSchema"] = check_form(params["requestedSchema"])
    elif mode == "url":
        from ..uritemplate import check_uri

        check_shape(params, URL_SHAPE, "elicitation")
        check_uri(params["url"], "elicitation url")
    else:
        raise ValueError('elicitation: the mode is "form" or "url", not %r' % (mode,))
    return {"method": "elicitation/create", "params": params}


def check_form(schema: Any) -> Dict[str, Any]:
    """Return a form's schema: one flat object (client/elicitation, "Requested Schema"). Raises ``ValueError``."""
    check_shape(schema, FORM_SHAPE, "elicitation schema")
    form = dict(schema, type="object")
    for name, field in form["properties"].items():
        check_field(field, "elicitation schema: property %r" % name)
    for name in form.get("required", ()):
        if name not in form["properties"]:
            raise ValueError("elicitation schema: required names %r, which is no property" % name)
    return form


def check_field(field: Any, label: str) -> None:
    kind = find_field_kind(field)
    if kind not in FIELD_SHAPES:
        raise ValueError("%s: must be a string, number, integer, boolean or choice of strings, nothing nested" % label)
    check_shape(field, FIELD_SHAPES[kind], label)
    for lowest, highest in FIELD_LIMITS:
        if lowest in field and highest in field and field[lowest] > field[highest]:
            raise ValueError("%s: %s %s is above %s %s" % (label, lowest, field[lowest], highest, field[highest]))
    values = find_choices(field)
    if len(set(values)) < len(values):
        raise ValueError("%s: the same choice twice" % label)
    if "enumNames" in field and len(field["enumNames"]) != len(values):
        raise ValueError("%s: %d enumNames for %d choices" % (label, len(field["enumNames"]), len(values)))
    if "default" in field:
        check_shape(field["default"], field, label + ": default")


def find_field_kind(field: Any) -> str:
    """Return the name of the shape that ``field`` wants to have; "" for none."""
    if not isinstance(field, dict) or not isinstance(field.get("type"), str):
        return ""
    kind: str = field["type"]
    if kind == "string":
        return "titled choice" if "oneOf" in field else "choice" if "enum" in field or "enumNames" in field else kind
    if kind == "array":
        items = field.get("items")
        return "titled choices" if isinstance(items, dict) and "anyOf" in items else "choices"
    return kind


def find_choices(field: Dict[str, Any]) -> List[str]:
    """Return the values that a choice offers, none for another field."""
    inner = field["items"] if field["type"] == "array" else field
    titled = inner.get("oneOf") or inner.get("anyOf") or ()
    return list(inner.get("enum", ())) + [choice["const"] for choice in titled]


def check_sample(params: Dict[str, Any]) -> Question:
    """``sampling/createMessage`` (client/sampling)."""
    if "messages" in params:
        messages = params["messages"]
        items = list(messages) if isinstance(messages, (list, tuple)) else [messages]
        params["messages"] = [check_sample_message(item, "sampling: message %d" % number)
                              for number, item in enumerate(items, 1)]
    check_shape(params, SAMPLE_SHAPE, "sampling")
    check_tool_turns(params["messages"])
    return {"method": "sampling/createMessage", "params": params}


def check_sample_message(message: Any, label: str) -> Dict[str, Any]:
    """Return a message ``{"role", "content"}``; a text or a block alone is the user's."""
    if isinstance(message, str) or isinstance(message, dict) and "type" in message and "role" not in message:
        message = {"role": "user", "content": message}
    check_shape(message, MESSAGE_SHAPE, label)
    content = message["content"]
    if isinstance(content, (list, tuple)):
        if not content:
            raise ValueError("%s: has no content" % label)
        return dict(message, content=[check_sample_block(block, label) for block in content])
    return dict(message, content=check_sample_block(content, label))


def check_sample_block(block: Any, label: str) -> Dict[str, Any]:
    """Return a block of a message: of the types that sampling has. Raises ``ValueError``."""
    if isinstance(block, str):
        return {"type": "text", "text": block}
    kind = block.get("type") if isinstance(block, dict) else None
    members = SAMPLE_BLOCKS.get(kind) if isinstance(kind, str) else None
    if members is None:
        raise ValueError("%s: the content is a text, or a block of the type %s" % (label, ", ".join(SAMPLE_BLOCKS)))
    shape = {"type": "object", "properties": members, "required": list(members)}
    check_shape(block, shape, "%s: a %s block" % (label, kind))
    checked: Dict[str, Any] = block
    return checked


def list_blocks(content: Any) -> List[Dict[str, Any]]:
    return list(content) if isinstance(content, list) else [content]


def check_tool_turns(messages: List[Dict[str, Any]]) -> None:
    """Every use of a tool has its result in the message behind it, which holds nothing else (client/sampling)."""
    open_uses: List[str] = []
    for number, message in enumerate(messages, 1):
        blocks = list_blocks(message["content"])
        results = [block["toolUseId"] for block in blocks if block["type"] == "tool_result"]
        if results and (len(results) < len(blocks) or message["role"] != "user"):
            raise ValueError("sampling: message %d: tool results stand in a message of the user that holds nothing else"
                             % number)
        if sorted(results) != sorted(open_uses):
            raise ValueError("sampling: message %d: must answer the tool uses %s, and answers %s"
                             % (number, open_uses, results))
        open_uses = [block["id"] for block in blocks if block["type"] == "tool_use"]
        if open_uses and message["role"] != "assistant":
            raise ValueError("sampling: message %d: tool uses stand in a message of the assistant" % number)
    if open_uses:
        raise ValueError("sampling: the tool uses %s of the last message have no results" % open_uses)


def check_roots(params: Dict[str, Any]) -> Question:
    """``roots/list`` (client/roots)."""
    if params:
        raise ValueError("roots/list has no params")
    return {"method": "roots/list"}


QUESTION_CHECKS: Dict[str, Callable[[Dict[str, Any]], Question]] = {
    "elicitation/create": check_elicit, "sampling/createMessage": check_sample, "roots/list": check_roots}


# Answers


def check_answer(question: Question, answer: Any) -> Dict[str, Any]:
    """Return an answer that fits its question; raises ``ValueError`` (2). Values of a form are judged by its schema."""
    method = question["method"]
    if method == "roots/list":
        check_shape(answer, ROOTS_ANSWER, "the answer to roots/list")
    elif method == "sampling/createMessage":
        label = "the answer to sampling/createMessage"
        check_shape(answer, SAMPLE_ANSWER, label)
        for block in list_blocks(answer["content"]):
            if not isinstance(block, dict):
                raise ValueError("%s: /content: expected blocks, got %r" % (label, block))
            check_sample_block(block, label)
    else:
        answer = check_elicit_answer(question["params"], answer)
    checked: Dict[str, Any] = answer
    return checked


def check_elicit_answer(params: Dict[str, Any], answer: Any) -> Dict[str, Any]:
    label = "the answer to elicitation/create"
    check_shape(answer, ELICIT_ANSWER, label)
    checked = {name: value for name, value in answer.items() if name != "content"}
    if params["mode"] == "form" and answer["action"] == "accept":   # only there content has a form, and a meaning
        content = answer.get("content")
        checked["content"] = {} if content is None else content     # clients leave it out for a form without fields
        check_shape(checked["content"], params["requestedSchema"], label)
    return checked
