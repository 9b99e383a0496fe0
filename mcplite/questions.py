"""Questions to the client: what may be asked, in which form, and how an answer finds its handler again.

Here: building and checking of elicitation, sampling and roots requests and their answers, what each revision can read
of them, the rounds of one request. Not here: what a handler calls (``context``), the seal of a state (``sealing``), how
a request travels in the handshake era (``peer``).

Pages: client/elicitation, client/sampling, client/roots of every revision; basic/patterns/mrtr of 2026-07-28.

A handler asks in the same words in every revision. In a handshake revision the question goes out as a request and the
handler waits (``Rounds``). In a stateless one it is left by ``InputRequired`` and the request ends with the question as
its result; the client sends it again with the answer, and the handler runs again from its top (``SealedRounds``).

1. A question and the client's capabilities are checked before anything is sent: ``ValueError``, ``CapabilityError``.
2. A question is known by its key, given or counted (q1, q2, ...), and has an answer only as long as it is, word for word,
   what the client was asked. With a sealed state an answer counts only if the state lists its key as asked. Without one,
   an answer counts for the question that the author asks under its key; a counted key can have been told to nobody.
   An answer that has not the form it was asked in never reaches a handler: one that was asked for is refused, any other
   does not count, and the question is asked.
3. Once a question waits, no further question, no ``once`` and no return value gets past it, whatever a handler catches.
"""
from __future__ import annotations

from .codec import decode_text, encode
from .errors import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CapabilityError,
    InputRequired,
    LocalProtocolError,
    McpError,
)
from .jsonrpc import new_error, new_notification, new_result
from .revisions import SERVER_INFO_KEY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Tuple

    from .context import Context
    from .revisions import Revision

    Question = Dict[str, Any]       # {"method": ..., "params": ...}, in the words of the newest revision
    Answer = Dict[str, Any]         # the client's result

ASKING_METHODS = ("tools/call", "prompts/get", "resources/read")    # basic/patterns/mrtr, "Supported Requests"

# Building


def new_elicit(message: str, schema: Dict[str, Any]) -> Question:
    return {"method": "elicitation/create", "params": {"mode": "form", "message": message, "requestedSchema": schema}}


def new_elicit_url(message: str, url: str, elicitation_id: Optional[str] = None) -> Question:
    params = {"mode": "url", "message": message, "url": url}
    if elicitation_id is not None:
        params["elicitationId"] = elicitation_id
    return {"method": "elicitation/create", "params": params}


def new_sample(messages: Any, max_tokens: int, model_preferences: Optional[Dict[str, Any]] = None,
               system_prompt: Optional[str] = None, include_context: Optional[str] = None,
               temperature: Optional[float] = None, stop_sequences: Optional[List[str]] = None,
               metadata: Optional[Dict[str, Any]] = None, tools: Optional[List[Dict[str, Any]]] = None,
               tool_choice: Optional[Dict[str, Any]] = None) -> Question:
    params = {"messages": messages, "maxTokens": max_tokens}
    more = {"modelPreferences": model_preferences, "systemPrompt": system_prompt, "includeContext": include_context,
            "temperature": temperature, "stopSequences": stop_sequences, "metadata": metadata, "tools": tools,
            "toolChoice": tool_choice}
    params.update({name: value for name, value in more.items() if value is not None})
    return {"method": "sampling/createMessage", "params": params}


def new_elicitation_complete(elicitation_id: str) -> str:
    """Return the line of ``notifications/elicitation/complete`` (2025-11-25, client/elicitation)."""
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
    from .schema import Validator, problem_text

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
    mode = params.setdefault("mode", "form")
    if mode == "form":
        check_shape(params, ELICIT_SHAPE, "elicitation")
        params["requestedSchema"] = check_form(params["requestedSchema"])
    elif mode == "url":
        from .uritemplate import check_uri

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
    if params:
        raise ValueError("roots/list has no params")
    return {"method": "roots/list"}


QUESTION_CHECKS: Dict[str, Callable[[Dict[str, Any]], Question]] = {
    "elicitation/create": check_elicit, "sampling/createMessage": check_sample, "roots/list": check_roots}


# What a client can read


def adapt_question(question: Question, row: Revision, capabilities: Dict[str, Any]) -> Question:
    """Return ``question`` as a client with this revision and ``capabilities`` gets it. Raises ``CapabilityError`` (1)."""
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
    from .content import downgrade_block

    return [{"role": message["role"], "content": downgrade_block(block, row.features)}
            for message in messages for block in list_blocks(message["content"])]


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


# Rounds


class Rounds:
    """The questions of one request, asked while it is open: what a handshake revision does."""

    def __init__(self) -> None:
        self.keys: Dict[str, bool] = {}         # used in this run of the handler → whether its author gave it
        self.counted = 0
        self.kept: Dict[str, Any] = {}          # results of once(), by key

    def new_key(self, key: Optional[str]) -> str:
        """Return the key of the next question: the one given, or its number in this run. ``ValueError``: used before."""
        given = key is not None
        if key is None:
            self.counted += 1
            key = "q%d" % self.counted
        if key.__class__ is not str or not key:
            raise ValueError("the key of a question is a text that is not empty, not %r" % (key,))
        if key in self.keys:
            raise ValueError("the key %r was used for another question of this request: each needs its own" % key)
        self.keys[key] = given
        return key

    def ask(self, ctx: Context, keys: List[str], questions: List[Question], adapted: List[Question]) -> List[Answer]:
        """Return the answers. ``questions`` are in the newest form, ``adapted`` as this client reads them."""
        return [self.ask_one(ctx, *pair) for pair in zip(questions, adapted)]

    def ask_one(self, ctx: Context, question: Question, adapted: Question) -> Dict[str, Any]:
        params = adapted.get("params")
        if params is not None and params.get("mode") == "url" and "elicitationId" not in params:
            params = dict(params, elicitationId=ctx.peer.find_sealer().new_token())
        answer = ctx.peer.ask(question["method"], params, None, ctx)
        try:
            return check_answer(question, answer)
        except ValueError as error:
            raise McpError(INVALID_PARAMS, str(error)) from None

    def once(self, key: str, function: Callable[[], Any]) -> Any:
        if key not in self.kept:
            self.kept[key] = read_back(function(), key)
        return self.kept[key]

    def is_waiting(self) -> bool:
        return False

    def check_answered(self, ctx: Context) -> None:
        """Called when the handler has returned: raises ``InputRequired`` where it must not have."""

    def reply(self, request_id: Any, server_info: Any) -> str:
        """Return the reply to a request that waits."""
        raise LocalProtocolError("only a stateless request ends with its questions")


class SealedRounds(Rounds):
    """The questions of one request, asked over several: what a stateless revision does. ``StateError``: a bad state."""

    def __init__(self, ctx: Context) -> None:
        super().__init__()
        from .sealing import StateError, digest_request

        self.sealer = ctx.peer.find_sealer()
        try:
            self.request = digest_request(ctx.method, ctx.params, str(ctx.peer.session.our_info.get("name")))
        except ValueError as error:
            raise StateError(str(error)) from None
        self.number = ""                                        # of the state that came with this round
        self.answers: Dict[str, Tuple[str, Any]] = {}           # key → digest of the question, the answer
        self.unasked: Dict[str, Any] = {}                       # key → an answer that came without a state
        self.brought: List[str] = []                            # keys of the answers that were asked for and came now
        self.waiting: Dict[str, Tuple[str, Question]] = {}      # key → digest, the question as it goes out
        self.refusal: Optional[str] = None                      # what was wrong with an answer
        if ctx.method in ASKING_METHODS:
            self.read_params(ctx.params)

    def read_params(self, params: Dict[str, Any]) -> None:
        from .sealing import StateError

        responses = params.get("inputResponses", {})
        if responses.__class__ is not dict:
            raise StateError("inputResponses must be an object")
        if "requestState" not in params:
            self.unasked = responses                            # judged when their questions are asked (2)
            return
        content = self.sealer.unseal(params["requestState"], self.request)
        self.number, self.kept = content["number"], content["kept"]
        self.answers = {key: (digest, answer) for key, (digest, answer) in content["answers"].items()}
        for key, digest in content["asked"].items():
            if key in responses:
                self.answers[key] = (digest, responses[key])
                self.brought.append(key)

    def ask(self, ctx: Context, keys: List[str], questions: List[Question], adapted: List[Question]) -> List[Answer]:
        if ctx.method not in ASKING_METHODS:
            raise LocalProtocolError("in revision %s a question may be asked while %s is served, not %s"
                                     % (ctx.revision, " or ".join(ASKING_METHODS), ctx.method))
        from .sealing import digest_json

        found = []
        for key, question, wire in zip(keys, questions, adapted):
            digest = digest_json(wire)
            answer = self.take_answer(key, digest, question)
            if answer is None:
                self.waiting[key] = (digest, wire)
            else:
                found.append(answer)
        if self.waiting:
            raise InputRequired("the answer comes with the next round of this request")
        return found

    def take_answer(self, key: str, digest: str, question: Question) -> Optional[Answer]:
        """Return the answer to a question and keep it for further rounds; None where there is none that counts (2)."""
        known = self.answers.pop(key, None)
        if known is None and self.keys[key] and key in self.unasked:
            known = (digest, self.unasked[key])
        if known is None or known[0] != digest:
            return None
        try:
            answer = check_answer(question, known[1])
        except ValueError as error:
            if key not in self.brought:
                return None
            self.refusal = "inputResponses: %s: %s" % (key, error)
            raise InputRequired("the answer to %s is malformed" % key) from None
        self.answers[key] = known
        return answer

    def once(self, key: str, function: Callable[[], Any]) -> Any:
        if key not in self.kept:
            self.use_state()
            self.kept[key] = read_back(function(), key)
        return self.kept[key]

    def use_state(self) -> None:
        """From here on the state that came with this round has had its effect, and is good for no other."""
        if self.number:
            self.sealer.use(self.number)

    def is_waiting(self) -> bool:
        return self.refusal is not None or bool(self.waiting)

    def check_answered(self, ctx: Context) -> None:
        if self.is_waiting():
            raise InputRequired("a question was asked and has no answer yet")
        self.use_state()

    def reply(self, request_id: Any, server_info: Any) -> str:
        """Return the questions, or the refusal of a malformed answer."""
        from .sealing import StateError

        if self.refusal is not None:
            return new_error(request_id, INVALID_PARAMS, "Invalid params: %s" % self.refusal)
        content = {"asked": {key: digest for key, (digest, _) in self.waiting.items()},
                   "answers": {key: list(known) for key, known in self.answers.items()}, "kept": self.kept}
        try:
            state = self.sealer.seal(content, self.request)
        except StateError as error:
            return new_error(request_id, INTERNAL_ERROR, "Internal error: %s" % error)
        self.use_state()
        return new_result(request_id, encode({
            "resultType": "input_required", "inputRequests": {key: wire for key, (_, wire) in self.waiting.items()},
            "requestState": state, "_meta": {SERVER_INFO_KEY: server_info}}))


def read_back(value: Any, key: str) -> Any:
    """Return a result of ``once`` as it will be in every further round: as JSON."""
    try:
        return decode_text(encode(value))
    except (TypeError, ValueError) as error:
        raise ValueError("once(%r): its function must return a JSON value: %s" % (key, error)) from None


def open_rounds(ctx: Context) -> Rounds:
    """Give a request its rounds; raises ``StateError`` where it brings a state or answers that must be refused."""
    ctx.rounds = rounds = SealedRounds(ctx) if ctx.row is not None and ctx.row.stateless else Rounds()
    return rounds


def check_may_ask(ctx: Context) -> Rounds:
    if ctx.ended:
        raise LocalProtocolError("the request %r has ended: its client cannot be asked any more" % (ctx.id,))
    rounds = ctx.rounds if ctx.rounds is not None else open_rounds(ctx)
    if rounds.is_waiting():                                     # (3)
        raise InputRequired("a question was asked and has no answer yet")
    return rounds


def ask_all(ctx: Context, keys: List[Any], questions: List[Question]) -> List[Dict[str, Any]]:
    """Return the answers to ``questions``; a key of None is counted. Raises as ``Context.elicit`` says."""
    rounds = check_may_ask(ctx)
    checked = [check_question(question) for question in questions]
    return rounds.ask(ctx, [rounds.new_key(key) for key in keys], checked, adapt_all(ctx, checked))


def adapt_all(ctx: Context, questions: List[Question]) -> List[Question]:
    """Return the questions as the client reads them; the ``CapabilityError`` names all that it lacks."""
    adapted, missing = [], []
    assert ctx.row is not None
    for question in questions:
        try:
            adapted.append(adapt_question(question, ctx.row, ctx.client_capabilities))
        except CapabilityError as error:
            missing.append(error)
    if missing:
        required: Dict[str, Any] = {}
        for lack in missing:
            for name, members in lack.data["requiredCapabilities"].items():
                required.setdefault(name, {}).update(members)
        raise CapabilityError("; ".join(dict.fromkeys(lack.message for lack in missing)), required)
    return adapted


def run_once(ctx: Context, key: str, function: Callable[[], Any]) -> Any:
    """``Context.once``."""
    if key.__class__ is not str or not key:
        raise ValueError("the key of once is a text that is not empty, not %r" % (key,))
    return check_may_ask(ctx).once(key, function)
