"""Judges messages by the official JSON Schemas of the five revisions, and whole conversations by the protocol's rules.

Here: ``check_message``, ``check_result``, ``check_no_newer`` for one message; ``Conversation`` for lines in order.
Not here: anything of mcplite's own (this file must not share its mistakes): only its Validator may be asked, behind one
switch, MCPLITE_JUDGE=jsonschema|mcplite (default: jsonschema where it is installed).

    conv = Conversation()
    conv.client('{"jsonrpc":"2.0","id":0,"method":"initialize","params":{...}}')
    conv.server(line_that_the_server_wrote)              # AssertionError with a text that says what is wrong, and where
    conv.client(b"not json", wrong=True)                 # wrong on purpose: followed, not judged
    conv.finish()                                        # everything was answered

Without ../shared/spec (or MCPLITE_SHARED/spec) the schemas are not asked, everything else still is;
``why_no_schemas()`` gives the reason, and tests/test_official.py reports it as a skip.

1. A definition is picked, never tried: by method and direction for requests and notifications, by the method of the
   request for results, by the code for errors. A union that happens to fit proves nothing.
2. What the schema generator got wrong is corrected in CORRECTIONS, and only there.
"""
from __future__ import annotations

import base64
import binascii
import copy
import functools
import json
import os
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, FrozenSet, Iterator, List, Optional, Set, Tuple, Union

REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")
HANDSHAKE = REVISIONS[:4]
STATELESS = REVISIONS[4]
BATCHES = "2025-03-26"
NULL_ID = REVISIONS[:3]         # an error without a readable id says "id": null; later it has no id member

META_PREFIX = "io.modelcontextprotocol/"
VERSION_KEY = META_PREFIX + "protocolVersion"
CAPABILITIES_KEY = META_PREFIX + "clientCapabilities"
LOG_LEVEL_KEY = META_PREFIX + "logLevel"
SUBSCRIPTION_KEY = META_PREFIX + "subscriptionId"
LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")

SHARED = os.environ.get("MCPLITE_SHARED") or os.path.join(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "..", "shared")
SPEC = os.path.join(SHARED, "spec")


# ---------------------------------------------------------------------------------------------------------------------
# The schemas

skips: Dict[str, int] = {}       # reason → how many values could not be judged by the official schemas


def why_no_schemas() -> Optional[str]:
    """None where messages are judged by the official schemas, else the reason why they are not."""
    return why_none_in(SPEC, judge_name())


@functools.lru_cache(maxsize=None)
def why_none_in(folder: str, judge: Optional[str]) -> Optional[str]:
    for revision in REVISIONS:
        if not os.path.exists(os.path.join(folder, revision + ".json")):
            return "official schemas not checked: %s.json is not in ../shared/spec (or MCPLITE_SHARED/spec)" % revision
    if judge is None:
        return "official schemas not checked: neither jsonschema nor mcplite.schema can be imported"
    return None


def elicited_values(definitions: Dict[str, Any]) -> Dict[str, Any]:
    values = definitions["ElicitResult"]["properties"]["content"]["additionalProperties"]
    found: Dict[str, Any] = values["anyOf"][-1] if "anyOf" in values else values
    return found


def json_values(definitions: Dict[str, Any]) -> Dict[str, Any]:
    found: Dict[str, Any] = definitions["JSONValue"]["anyOf"][-1]
    return found


# Where schema.json contradicts the schema.ts that it is generated from: revision, place, types forgotten.
# test_official.py proves that each is still needed.
CORRECTIONS: List[Tuple[str, Callable[[Dict[str, Any]], Dict[str, Any]], List[str]]] = [
    ("2025-06-18", elicited_values, ["number"]),
    ("2025-11-25", elicited_values, ["number"]),
    ("2026-07-28", elicited_values, ["number"]),
    ("2026-07-28", json_values, ["number", "null"]),
]


@functools.lru_cache(maxsize=None)
def original(revision: str) -> Dict[str, Any]:
    """The official schema document of ``revision`` as it is."""
    with open(os.path.join(SPEC, revision + ".json"), encoding="utf-8") as file:
        loaded: Dict[str, Any] = json.load(file)
    return loaded


@functools.lru_cache(maxsize=None)
def document(revision: str) -> Dict[str, Any]:
    """The official schema document of ``revision``, corrected."""
    loaded = copy.deepcopy(original(revision))
    for corrected, place, forgotten in CORRECTIONS:
        if corrected == revision:
            place(loaded.get("$defs") or loaded["definitions"])["type"] += forgotten
    return loaded


def definitions_of(revision: str) -> Dict[str, Any]:
    loaded = document(revision)
    found: Dict[str, Any] = loaded.get("$defs") or loaded["definitions"]
    return found


def resolve(schema: Any, revision: str) -> Any:
    while isinstance(schema, dict) and "$ref" in schema:
        schema = definitions_of(revision)[schema["$ref"].rsplit("/", 1)[1]]
    return schema


def method_of(schema: Dict[str, Any]) -> Optional[str]:
    constant: Optional[str] = schema.get("properties", {}).get("method", {}).get("const")
    return constant


@functools.lru_cache(maxsize=None)
def method_definitions(revision: str) -> Dict[str, str]:
    """method → name of its definition, whoever sends it."""
    return {method_of(schema): name for name, schema in definitions_of(revision).items()    # type: ignore[misc]
            if method_of(schema) and name not in ("ClientNotification", "ServerNotification")}


@functools.lru_cache(maxsize=None)
def sent_methods(revision: str, direction: str, kind: str) -> FrozenSet[str]:
    """The methods of the members of ServerRequest, ClientRequest, ServerNotification or ClientNotification."""
    union = definitions_of(revision).get(direction.capitalize() + kind.capitalize())
    if union is None:
        return frozenset()
    members = [resolve(member, revision) for member in union.get("anyOf", [union])]
    return frozenset(method for method in map(method_of, members) if method)


def revisions_with(method: str) -> List[str]:
    return [revision for revision in REVISIONS if method in method_definitions(revision)]


def result_definition(method: str, result: Any, revision: str) -> Optional[str]:
    """The definition that the result of ``method`` must fit by itself; None where the method is no revision's."""
    definitions = definitions_of(revision)
    if method not in method_definitions(revision):
        return "Result" if not revisions_with(method) else None
    name = method_definitions(revision)[method][:-len("Request")] + "Result"
    if name not in definitions:
        return "EmptyResult"
    response = definitions.get(name + "Response")
    if response and isinstance(result, dict) and result.get("resultType") == "input_required":
        for option in response["properties"]["result"].get("anyOf", ()):
            if option["$ref"].endswith("/InputRequiredResult"):
                return "InputRequiredResult"
    return name


# ---------------------------------------------------------------------------------------------------------------------
# Judging a value by one definition

def judge_name() -> Optional[str]:
    """Who judges: ``jsonschema`` or ``mcplite``; None where neither can be imported."""
    return find_judge(os.environ.get("MCPLITE_JUDGE"))


@functools.lru_cache(maxsize=None)
def find_judge(wanted: Optional[str]) -> Optional[str]:
    for name, module in (("jsonschema", "jsonschema"), ("mcplite", "mcplite.schema")):
        if wanted in (None, "", name):
            try:
                __import__(module)
                return name
            except ImportError:
                pass
    return None


@functools.lru_cache(maxsize=None)
def new_judge(judge: str, revision: str, name: str) -> Callable[[Any], List[str]]:
    """Return a function: value → texts of what is wrong with it as ``name`` of ``revision``."""
    key = "$defs" if "$defs" in document(revision) else "definitions"
    schema = {"$schema": document(revision)["$schema"], key: definitions_of(revision),
              "allOf": [{"$ref": "#/%s/%s" % (key, name)}]}
    if judge == "mcplite":
        from mcplite.schema import Validator
        ours = Validator(schema)
        return lambda value: ["%s: %s" % (found["path"] or "/", found["message"]) for found in ours.problems(value)]
    from jsonschema.validators import validator_for
    theirs = validator_for(schema)(schema)
    return lambda value: [explain(error) for error in theirs.iter_errors(value)]


def explain(error: Any) -> str:
    """One line for a jsonschema error; for a union, the error in the member that was meant: whose constants fit."""
    if error.validator in ("anyOf", "oneOf") and error.context:
        branches: Dict[Any, List[Any]] = {}
        for inner in error.context:
            branches.setdefault(inner.schema_path[0], []).append(inner)
        meant = [inner for inner in branches.values()
                 if not any((e.validator in ("const", "enum") and len(e.path) == 1)
                            or (e.validator == "type" and not e.path) for e in inner)]
        if meant:
            return explain(min(meant, key=len)[0])
        constants = sorted({repr(e.validator_value) for e in error.context
                            if e.validator == "const" and len(e.path) == 1})
        if constants:
            return "%s: is none of the kinds known here (%s)" % (pointer(error.absolute_path), ", ".join(constants))
    return "%s: %s" % (pointer(error.absolute_path), shorten(error.message, 200))


def pointer(path: Any) -> str:
    return "/" + "/".join(str(step) for step in path)


def shorten(text: str, limit: int = 400) -> str:
    return text if len(text) <= limit else text[:limit - 4] + " ..."


def problems_as(name: str, value: Any, revision: str) -> List[str]:
    """What the official schema of ``revision`` says against ``value`` as definition ``name``."""
    reason, judge = why_no_schemas(), judge_name()
    if reason or judge is None:
        skips[str(reason)] = skips.get(str(reason), 0) + 1
        return []
    return ["as %s, %s" % (name, text) for text in new_judge(judge, revision, name)(value)]


# ---------------------------------------------------------------------------------------------------------------------
# Members: known elsewhere, known nowhere, null, formats

JSON_TYPES = {dict: ("object",), list: ("array",), str: ("string",), bool: ("boolean",), int: ("integer", "number"),
              float: ("number", "integer"), type(None): ("null",)}
JSON_SCHEMAS = ("inputSchema", "outputSchema")          # JSON Schemas are the tool's own, whatever stands in them
OPEN = ("_meta", "capabilities", CAPABILITIES_KEY)      # "not a closed set": may hold what no revision defines


def expand(schema: Any, revision: str, value: Any) -> List[Dict[str, Any]]:
    """The plain schemas that ``value`` may be meant as: references followed, unions narrowed by type and constants."""
    schema = resolve(schema, revision)
    if not isinstance(schema, dict):
        return []
    found = [] if {"anyOf", "oneOf", "allOf"} & set(schema) else [schema]
    for part in schema.get("allOf", ()):
        found += expand(part, revision, value)
    for key in ("anyOf", "oneOf"):
        options = [plain for option in schema.get(key, ()) for plain in expand(option, revision, value)]
        options = [plain for plain in options if may_be(plain, value)]
        complete = [plain for plain in options
                    if not isinstance(value, dict) or set(plain.get("required", ())) <= set(value)]
        found += complete or options
    return found


def may_be(plain: Dict[str, Any], value: Any) -> bool:
    kinds = plain.get("type")
    if kinds is not None and not set([kinds] if isinstance(kinds, str) else kinds) & set(JSON_TYPES[type(value)]):
        return False
    if isinstance(value, dict):
        for name, member in plain.get("properties", {}).items():
            if name in value and isinstance(member, dict):
                if "const" in member and member["const"] != value[name]:
                    return False
                if "enum" in member and value[name] not in member["enum"]:
                    return False
    return True


def is_open(plain: Dict[str, Any]) -> bool:
    return plain.get("additionalProperties", False) is not False or "properties" not in plain


def walk(value: Any, places: Dict[str, List[Any]], revision: str, path: str, free: bool) -> Iterator[Tuple[str, str]]:
    """Compare ``value`` with what stands at its place in every revision: ``places`` is revision → schemas.

    ``free`` is true below a member that is no closed set. Yields pairs (kind, text): kind is "newer", "unknown", "null"
    or "format".
    """
    views = {other: [plain for schema in schemas for plain in expand(schema, other, value)]
             for other, schemas in places.items()}
    mine = views[revision]
    if isinstance(value, list):
        items = {other: [plain["items"] for plain in view if "items" in plain] for other, view in views.items()}
        for index, element in enumerate(value):
            yield from walk(element, items, revision, "%s/%d" % (path, index), free)
    elif isinstance(value, str):
        for plain in mine:
            text = format_problem(plain.get("format"), value)
            if text:
                yield "format", "%s: %s" % (path, text)
    elif isinstance(value, dict):
        for name, member in value.items():
            place = "%s/%s" % (path, name)
            below = {other: [plain["properties"][name] for plain in view if name in plain.get("properties", ())]
                     for other, view in views.items()}
            elsewhere = [other for other in REVISIONS if below.get(other)]
            if below[revision]:
                optional = not any(name in plain.get("required", ()) for plain in mine)
                if member is None and optional and name != "structuredContent":
                    yield "null", "%s: an optional member without a value is left out, never null" % place
                elif name not in JSON_SCHEMAS:
                    yield from walk(member, below, revision, place, free or name in OPEN)
                continue
            if elsewhere and name != "$schema":
                yield "newer", "%s: %s does not define it, but %s" % (place, revision, ", ".join(elsewhere))
                continue
            mapped = {other: [plain["additionalProperties"] for plain in view if plain.get("additionalProperties")]
                      for other, view in views.items()}
            if mapped[revision]:
                yield from walk(member, mapped, revision, place, free)
            elif mine and not free and not any(map(is_open, mine)) and name != "$schema":
                yield "unknown", "%s: no revision defines it" % place


def format_problem(name: Optional[str], value: str) -> Optional[str]:
    if name == "byte":
        try:
            base64.b64decode(value.encode("ascii"), validate=True)
        except (ValueError, binascii.Error):
            return "is not base64: %r" % shorten(value, 60)
    if name == "uri" and not re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", value):
        return "is not a URI: %r" % shorten(value, 60)
    return None


def member_findings(message: Dict[str, Any], revision: str, method: Optional[str] = None) -> List[Tuple[str, str]]:
    """Findings of ``walk`` in a message's params or result. ``method``: the method answered, for a response."""
    if why_no_schemas():
        return []
    if "method" in message:
        if not isinstance(message["method"], str) or message["method"] not in method_definitions(revision):
            return []
        if "params" not in message:
            return []
        name = method_definitions(revision)[message["method"]]
        envelope = "JSONRPCRequest" if "id" in message else "JSONRPCNotification"
        meta = resolve(definitions_of(revision)[envelope], revision)["properties"]["params"].get("properties", {})
        places = {other: [definitions_of(other)[name]["properties"]["params"]]
                  for other in REVISIONS if "params" in definitions_of(other).get(name, {}).get("properties", ())}
        if "_meta" in meta:         # up to 2025-06-18 only the envelope says that params have a _meta
            places[revision] = places[revision] + [{"properties": {"_meta": meta["_meta"]}}]
        return list(walk(message["params"], places, revision, "/params", False))
    if "result" in message and method is not None:
        result = message["result"]
        chosen = result_definition(method, result, revision)
        if chosen is None:
            return []
        places = {other: [{"$ref": "#/" + chosen}] for other in REVISIONS if chosen in definitions_of(other)}
        return list(walk(result, places, revision, "/result", False))
    error = message.get("error")
    if isinstance(error, dict) and "data" in error and error["data"] is None:
        return [("null", "/error/data: an optional member without a value is left out, never null")]
    return []


# ---------------------------------------------------------------------------------------------------------------------
# One message

def kind_of(message: Any) -> str:
    """``request``, ``notification``, ``result``, ``error``, or ``none`` of them."""
    if isinstance(message, dict):
        if "method" in message:
            return "request" if "id" in message else "notification"
        if "result" in message:
            return "result"
        if "error" in message:
            return "error"
    return "none"


MEMBERS = {"request": ({"jsonrpc", "id", "method"}, {"params"}), "notification": ({"jsonrpc", "method"}, {"params"}),
           "result": ({"jsonrpc", "id", "result"}, set()), "error": ({"jsonrpc", "error"}, {"id"})}


def message_problems(message: Any, revision: str, direction: str) -> List[str]:
    """What is wrong with ``message`` written by ``direction``, "server" or "client"; of a result, only the envelope."""
    kind = kind_of(message)
    if kind == "none":
        return ["is neither a request, nor a notification, nor a response"]
    required, optional = MEMBERS[kind]
    found = []
    if not required <= set(message) <= required | optional:
        found.append("a %s has the members %s%s, this one has %s" % (
            kind, ", ".join(sorted(required)), " and may have " + ", ".join(sorted(optional)) if optional else "",
            ", ".join(sorted(message))))
    if message.get("jsonrpc") != "2.0":
        found.append('"jsonrpc" is not "2.0"')
    if kind in ("request", "result") and not is_id(message.get("id")):
        found.append("the id is %r: an id is a string or an integer" % (message.get("id"),))
    if kind in ("request", "notification"):
        return found + method_problems(message, revision, direction, kind)
    if kind == "error":
        return found + error_problems(message, revision)
    return found or problems_as("JSONRPCResponse", message, revision)


def method_problems(message: Dict[str, Any], revision: str, direction: str, kind: str) -> List[str]:
    method = message["method"]
    found = problems_as("JSONRPC" + kind.capitalize(), message, revision)
    if found or why_no_schemas():
        return found
    if method in sent_methods(revision, direction, kind):
        return problems_as(method_definitions(revision)[method], message, revision)
    if revisions_with(method):
        return ["%s is no %s that a %s sends in %s" % (method, kind, direction, revision)]
    return []


def error_codes(revision: str) -> Dict[int, str]:
    """code → definition, for the errors whose ``data`` the schema of ``revision`` prescribes."""
    codes = {}
    for name, schema in definitions_of(revision).items():
        for part in schema.get("properties", {}).get("error", {}).get("allOf", ()):
            if "code" in part.get("properties", {}):
                codes[part["properties"]["code"]["const"]] = name
    return codes


def error_problems(message: Dict[str, Any], revision: str) -> List[str]:
    """An id that could not be read is null up to 2025-06-18 (JSON-RPC 2.0, section 5, though the schemas forget it)."""
    found = []
    if "id" in message and message["id"] is None:
        if revision not in NULL_ID:
            found.append('an error without a readable id has no "id" member in %s' % revision)
        message = dict(message, id=0)
    elif "id" not in message and revision in NULL_ID:
        found.append('an error without a readable id has "id": null in %s' % revision)
        message = dict(message, id=0)
    if why_no_schemas():
        return found + problems_as("JSONRPCError", message, revision)
    name = "JSONRPCError" if "JSONRPCError" in definitions_of(revision) else "JSONRPCErrorResponse"
    found += problems_as(name, message, revision)
    if found:
        return found
    code = message["error"]["code"]
    if code in error_codes(revision):
        found += problems_as(error_codes(revision)[code], message, revision)
    elif any(code in error_codes(other) for other in REVISIONS):
        found.append("error code %s is not one of %s" % (code, revision))
    return found


def result_problems(method: str, result: Any, revision: str) -> List[str]:
    if why_no_schemas():
        return problems_as("Result", result, revision)
    name = result_definition(method, result, revision)
    if name is None:
        return ["%s is no method of %s: it can only fail" % (method, revision)]
    found = problems_as(name, result, revision)
    if revision == STATELESS and isinstance(result, dict) and method in sent_methods(revision, "client", "request"):
        wanted = "input_required" if name == "InputRequiredResult" else "complete"
        if result.get("resultType") != wanted:
            found.append("/resultType: is %r, not %r" % (result.get("resultType"), wanted))
        if name == "InputRequiredResult" and not {"inputRequests", "requestState"} & set(result):
            found.append("an InputRequiredResult has inputRequests, requestState or both")
    return found


def fail_if(found: List[str], what: str, message: Any) -> None:
    if found:
        raise AssertionError("%s: %s\n    %s" % (what, "; ".join(found), shorten(json.dumps(message))))


def check_message(message: Dict[str, Any], revision: str, direction: str) -> None:
    """Raise AssertionError unless ``direction`` ("server" or "client") may write ``message`` in ``revision``.

    Requests and notifications by the definition of their method (methods of no revision at all are extensions: only
    their envelope is judged), errors by their code, results by ``check_result`` (here only their envelope).
    """
    fail_if(message_problems(message, revision, direction), "%s message in %s" % (direction, revision), message)


def check_result(method: str, result: Any, revision: str) -> None:
    """Raise AssertionError unless ``result`` is valid as what ``method`` returns (ListToolsResult for tools/list)."""
    fail_if(result_problems(method, result, revision), "result of %s in %s" % (method, revision), result)


def check_no_newer(message: Dict[str, Any], revision: str, method: Optional[str] = None) -> None:
    """Raise AssertionError where ``message`` has a member that other revisions define there, and ``revision`` does not.

    ``method``: of the request answered, where ``message`` is a response.
    """
    fail_if([text for kind, text in member_findings(message, revision, method) if kind == "newer"],
            "members unknown to %s" % revision, message)


def check_members(message: Dict[str, Any], revision: str, method: Optional[str] = None) -> None:
    """``check_no_newer``, and: no member that no revision defines, no optional null, base64 and URIs as such."""
    fail_if([text for _, text in member_findings(message, revision, method)], "members in %s" % revision, message)


# ---------------------------------------------------------------------------------------------------------------------
# A line

def is_id(value: Any) -> bool:
    return type(value) is int or type(value) is str


def id_key(value: Any) -> Tuple[str, Any]:
    """1 and "1" are two ids."""
    return (type(value).__name__, value if isinstance(value, (str, int, float)) else repr(value))


def refuse_constant(text: str) -> Any:
    raise ValueError("%s is no JSON" % text)


def refuse_duplicates(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
    names = [name for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise ValueError("member %r is there twice" % name)
    return dict(pairs)


def read_line(line: Union[str, bytes]) -> Any:
    """Read one line as the other end's strictest reader does: AssertionError says what is wrong."""
    if isinstance(line, bytes):
        assert all(byte < 128 for byte in line), "the line is not all ASCII"
        line = line.decode("ascii")
    assert all(ord(character) < 128 for character in line), "the line is not all ASCII"
    body = line[:-1] if line.endswith("\n") else line
    assert "\n" not in body and "\r" not in body, "a line break inside the line"
    assert body.strip() == body and body, "blank, or blanks around the message"
    try:
        message = json.loads(body, parse_constant=refuse_constant, object_pairs_hook=refuse_duplicates)
    except ValueError as error:
        raise AssertionError("not one JSON value: %s" % error) from None
    surrogate = re.search("[\ud800-\udfff]", json.dumps(message, ensure_ascii=False))
    assert surrogate is None, "a lone surrogate in a string (Python clients hang on it)"
    return message


def read_anyhow(line: Union[str, bytes]) -> Any:
    """Read a line that nobody vouches for; None where it is no JSON."""
    try:
        text = line.decode("utf-8") if isinstance(line, bytes) else line
        return json.loads(text, parse_constant=refuse_constant)
    except (AssertionError, ValueError, RecursionError):
        return None


# ---------------------------------------------------------------------------------------------------------------------
# A conversation

# method → capability that the other end has to have declared before it is asked
NEEDS = {"sampling/createMessage": "sampling", "roots/list": "roots", "elicitation/create": "elicitation",
         "tools/list": "tools", "tools/call": "tools", "prompts/list": "prompts", "prompts/get": "prompts",
         "resources/list": "resources", "resources/read": "resources", "resources/templates/list": "resources",
         "resources/subscribe": "resources.subscribe", "resources/unsubscribe": "resources.subscribe",
         "logging/setLevel": "logging", "completion/complete": "completions"}
# notification → capability that its sender has to have declared
DECLARES = {"notifications/message": "logging", "notifications/tools/list_changed": "tools.listChanged",
            "notifications/prompts/list_changed": "prompts.listChanged",
            "notifications/resources/list_changed": "resources.listChanged",
            "notifications/resources/updated": "resources.subscribe",
            "notifications/roots/list_changed": "roots.listChanged"}
# notification → the member of a subscription's filter that lets it through
FILTERS = {"notifications/tools/list_changed": "toolsListChanged",
           "notifications/prompts/list_changed": "promptsListChanged",
           "notifications/resources/list_changed": "resourcesListChanged",
           "notifications/resources/updated": "resourceSubscriptions"}


def has_capability(declared: Any, dotted: str) -> bool:
    for step in dotted.split("."):
        if not isinstance(declared, dict) or declared.get(step) in (None, False):
            return False
        declared = declared[step]
    return True


def question_problems(method: Any, params: Any, capabilities: Any) -> List[str]:
    """A server's question needs a client that has declared it (also its form: URL mode, tools)."""
    needs = NEEDS.get(method, "")
    params = params if isinstance(params, dict) else {}
    if method == "elicitation/create" and params.get("mode") == "url":
        needs = "elicitation.url"
    elif method == "sampling/createMessage" and ("tools" in params or "toolChoice" in params):
        needs = "sampling.tools"
    elif method == "elicitation/create" and has_capability(capabilities, "elicitation.url"):
        needs = "elicitation.form"
    if needs and not has_capability(capabilities, needs):
        return ["the client has not declared %s" % needs]
    return []


class PendingRequest:
    """A request on its way: who wrote it, in which line, and what has come for it so far."""

    def __init__(self, message: Dict[str, Any], number: int, batch: Optional[List[PendingRequest]]) -> None:
        params = message.get("params")
        self.params: Dict[str, Any] = params if isinstance(params, dict) else {}
        meta = self.params.get("_meta")
        self.meta: Dict[str, Any] = meta if isinstance(meta, dict) else {}
        method = message.get("method")
        self.id, self.message = message["id"], message
        self.method: Optional[str] = method if isinstance(method, str) else None      # None: no request, strictly
        self.number, self.batch = number, batch
        self.stateless = VERSION_KEY in self.meta and self.method != "initialize"
        self.token = self.meta.get("progressToken")
        self.progress: Optional[float] = None
        self.cancelled = False
        self.acknowledged: Optional[Dict[str, Any]] = None      # subscriptions/listen: the filter that is granted

    def __str__(self) -> str:
        return "line %d (%s, id %r)" % (self.number, self.method, self.id)


class End:
    """What one end has written so far."""

    def __init__(self, name: str, ours: bool) -> None:
        self.name, self.ours = name, ours
        self.pending: List[PendingRequest] = []       # written by this end, not answered yet
        self.answered: List[PendingRequest] = []
        self.ids: Set[Tuple[str, Any]] = set()
        self.unreadable = 0         # lines of this end that call for one error without id
        self.doubtful = 0           # lines that may be complained about without id
        self.capabilities: Optional[Dict[str, Any]] = None    # declared in the handshake, or in server/discover

    def find(self, request_id: Any) -> Optional[PendingRequest]:
        for request in self.pending:
            if id_key(request.id) == id_key(request_id):
                return request
        return None

    def find_token(self, token: Any) -> Optional[PendingRequest]:
        for request in self.pending:
            if request.token is not None and id_key(request.token) == id_key(token):
                return request
        return None


class Conversation:
    """Follows what client and server write, in order, and raises AssertionError at the first line that breaks a rule.

    ``ours`` says whose lines are judged: "both" (default), "server" or "client"; the other end's are only followed,
    which is for foreign peers. A line written wrong on purpose is given with ``wrong=True``: followed, not judged.
    ``revision`` presets what a handshake that is not part of the lines agreed on. Feed lines in the order in which
    they took effect: what the server wrote before it could have read a cancellation comes before it.

    What is judged, numbered for failure texts and tests:
     1. framing: one line, ASCII, strict JSON, no duplicate members, no lone surrogates
     2. the envelope: a response has exactly jsonrpc, id and result or error; ids are strings or integers
     3. the official schema, by the exact definition (module head)
     4. members: none that the revision in force does not define, none invented, no optional ``null``; base64, URIs
     5. every request gets exactly one reply, by its id, typed; notifications and responses get none; an unreadable line
        gets one error without id
     6. progress: only for tokens of requests in flight, values increase
     7. cancellation: names a request that was sent; nothing more comes for it in 2026-07-28
     8. batches: in 2025-03-26 only, answered by one array, without ``initialize``
     9. capabilities: what is not declared is not used, by either end
    10. 2026-07-28: no requests from the server, no responses from the client; logs only where asked for, at that level;
        subscriptions acknowledged first, within the filter, by subscriptionId; requestState and inputResponses fit
    """

    def __init__(self, ours: str = "both", revision: Optional[str] = None) -> None:
        assert ours in ("both", "server", "client"), ours
        self.client_end = End("client", ours != "server")
        self.server_end = End("server", ours != "client")
        self.revision = revision                # agreed in a handshake; None before
        self.offered: Optional[str] = None    # asked for by an initialize that is not answered yet
        self.preset = revision is not None
        self.stateless_seen = False
        self.log_level: Optional[str] = None  # logging/setLevel
        self.states: Dict[str, Tuple[Any, Dict[str, Any]]] = {}      # requestState → method, inputRequests
        self.number = 0
        self.lines: List[str] = []

    # ---- feeding

    def client(self, line: Any, wrong: bool = False) -> Any:
        """Take one line of the client (str or bytes, LF or not) or one message (dict or list); return it parsed."""
        return self.take(line, self.client_end, self.server_end, wrong)

    def server(self, line: Any, wrong: bool = False) -> Any:
        """The same for the server."""
        return self.take(line, self.server_end, self.client_end, wrong)

    def server_output(self, data: bytes) -> List[Any]:
        """Take everything that a server wrote: whole lines, each ended by LF."""
        return self.output(data, self.server)

    def client_output(self, data: bytes) -> List[Any]:
        """Take everything that a client wrote."""
        return self.output(data, self.client)

    def output(self, data: bytes, take: Callable[[bytes], Any]) -> List[Any]:
        assert data.endswith(b"\n") or not data, "the output does not end with a line feed: %r" % data[-80:]
        return [take(line + b"\n") for line in data.split(b"\n")[:-1]]

    def finish(self, open_ids: Tuple[Any, ...] = ()) -> None:
        """Every request has its answer, but for those cancelled, open subscriptions and ``open_ids``."""
        left_open = [id_key(known) for known in open_ids]
        for end, other in ((self.client_end, self.server_end), (self.server_end, self.client_end)):
            left = [request for request in end.pending if id_key(request.id) not in left_open
                    and not request.cancelled and request.method != "subscriptions/listen"]
            if other.ours and left:
                raise AssertionError("the %s has not answered %s%s" % (
                    other.name, ", ".join("%s %s" % (end.name, request) for request in left), self.tail()))
            if other.ours and end.unreadable:
                raise AssertionError("the %s has not answered %d unreadable line(s) of the %s with an error%s" % (
                    other.name, end.unreadable, end.name, self.tail()))

    # ---- one line

    def take(self, line: Any, end: End, other: End, wrong: bool) -> Any:
        self.number += 1
        shown = line.decode("utf-8", "replace") if isinstance(line, bytes) else line
        shown = shown.rstrip("\n") if isinstance(shown, str) else json.dumps(shown)
        self.lines.append("%3d %s %s%s" % (self.number, "->" if end.name == "client" else "<-", shorten(shown, 300),
                                           "    (wrong on purpose)" if wrong else ""))
        judged = end.ours and not wrong
        message = line
        if isinstance(line, (str, bytes)):
            if judged:
                try:
                    message = read_line(line)
                except AssertionError as error:
                    self.fail(end, [str(error)])
            else:
                if not line.strip():
                    return None
                message = read_anyhow(line)
        if isinstance(message, list):
            self.take_batch(message, end, other, judged)
        else:
            self.take_message(message, end, other, judged, None)
        return message

    def take_batch(self, messages: List[Any], end: End, other: End, judged: bool) -> None:
        revision = self.revision or self.offered
        if revision != BATCHES or not messages:
            if judged:
                self.fail(end, ["an array, in %s: batches are in %s only, and never empty" % (revision, BATCHES)])
            end.unreadable += 1
            return
        replies = [message for message in messages if kind_of(message) in ("result", "error")]
        if judged and replies and len(replies) != len(messages):
            self.fail(end, ["responses and requests in one array"])
        if judged and any(isinstance(message, dict) and message.get("method") == "initialize" for message in messages):
            self.fail(end, ["initialize is never part of a batch"])
        asked = self.asked_in_array(replies, other)
        batch: List[PendingRequest] = []
        for message in messages:
            self.take_message(message, end, other, judged, batch, in_array=True)
        left = [request for request in asked if request in other.pending and not request.cancelled]
        if judged and left:
            self.fail(end, ["one array answers all of a batch; missing: " + ", ".join(map(str, left))])

    def asked_in_array(self, replies: List[Any], other: End) -> List[PendingRequest]:
        for message in replies:
            request = other.find(message.get("id"))
            if request is not None and request.batch:
                return list(request.batch)
        return []

    def take_message(self, message: Any, end: End, other: End, judged: bool, batch: Optional[List[PendingRequest]],
                     in_array: bool = False) -> None:
        kind = kind_of(message)
        if kind == "request" and is_id(message["id"]):
            self.take_request(message, end, other, judged, batch)
        elif kind == "notification" and isinstance(message["method"], str):
            self.take_notification(message, end, other, judged)
        elif kind in ("result", "error"):
            self.take_response(message, kind, end, other, judged, in_array)
        else:
            if judged:
                self.fail(end, message_problems(message, self.revision or HANDSHAKE[-1], end.name) or ["is no message"])
            if kind == "none" and isinstance(message, dict) and is_id(message.get("id")):
                end.pending.append(PendingRequest(message, self.number, batch))     # {"id": 3}: by id or without it
            elif kind == "notification":
                end.doubtful += 1
            else:
                end.unreadable += 1

    # ---- requests

    def take_request(self, message: Dict[str, Any], end: End, other: End, judged: bool,
                     batch: Optional[List[PendingRequest]]) -> None:
        request = PendingRequest(message, self.number, batch)
        if judged:
            self.judge_request(request, end, other)
        if request.stateless:
            self.stateless_seen = True
        if request.method == "initialize" and end.name == "client":
            version = request.params.get("protocolVersion")
            self.offered = version if version in HANDSHAKE else HANDSHAKE[-1]
        if batch is not None:
            batch.append(request)
        end.ids.add(id_key(request.id))
        end.pending.append(request)

    def judge_request(self, request: PendingRequest, end: End, other: End) -> None:
        revision = self.revision_of(request)
        found = []
        if revision is None and end.name == "server":
            revision = STATELESS if self.stateless_seen else HANDSHAKE[-1]
            if request.method != "ping":
                found.append("the server asks before the handshake, or without one")
        if revision is None:
            revision = HANDSHAKE[-1]
            if request.method != "ping":
                found.append("a request with neither handshake nor %s in _meta" % VERSION_KEY)
        found += [text for _, text in member_findings(request.message, revision)]
        found += message_problems(request.message, revision, end.name)
        if end.find(request.id) is not None:
            found.append("id %r is in flight already" % (request.id,))
        elif revision != STATELESS and id_key(request.id) in end.ids:
            found.append("id %r was used before" % (request.id,))
        if request.token is not None and end.find_token(request.token) is not None:
            found.append("progressToken %r is in flight already" % (request.token,))
        if end.name == "server":
            if not self.preset:
                found += question_problems(request.method, request.params, self.client_end.capabilities)
        else:
            found += self.client_needs(request, revision)
            found += self.retry_problems(request, revision)
        self.fail(end, found, revision)

    def client_needs(self, request: PendingRequest, revision: str) -> List[str]:
        needs = NEEDS.get(request.method or "", "")
        declared = self.server_end.capabilities
        if revision == REVISIONS[0] and needs == "completions":
            return []           # 2024-11-05 has no such capability
        if not needs or declared is None or has_capability(declared, needs):
            return []
        return ["the server has not declared %s" % needs]

    def retry_problems(self, request: PendingRequest, revision: str) -> List[str]:
        """A retry gives back the requestState it got, with answers to what was asked (2026-07-28, mrtr)."""
        state, answers = request.params.get("requestState"), request.params.get("inputResponses")
        if not request.stateless or state is None:
            return []
        method, questions = self.states.get(state, (None, {}))
        if method != request.method:
            return ["requestState was not handed out for %s" % request.method]
        found = []
        for key, answer in (answers if isinstance(answers, dict) else {}).items():
            if key not in questions:
                found.append("inputResponses has %r, which was not asked" % key)
            else:
                found += ["inputResponses %r: %s" % (key, text)
                          for text in result_problems(questions[key]["method"], answer, revision)]
        return found

    def revision_of(self, request: PendingRequest) -> Optional[str]:
        """The revision that a request and its reply are judged by; None where it has none."""
        if request.stateless:
            return STATELESS
        if request.method == "initialize":
            version = request.params.get("protocolVersion")
            return version if version in HANDSHAKE else HANDSHAKE[-1]
        return self.revision or self.offered

    # ---- responses

    def take_response(self, message: Dict[str, Any], kind: str, end: End, other: End, judged: bool, in_array: bool
                      ) -> None:
        request = other.find(message.get("id")) if is_id(message.get("id")) else None
        if request is None and kind == "error" and message.get("id") is None:
            return self.take_error_without_id(message, end, other, judged)
        if request is None:
            if judged:
                earlier = [old for old in other.answered if id_key(old.id) == id_key(message.get("id"))]
                self.fail(end, ["a second reply to %s" % earlier[-1] if earlier else
                                "a reply to %r, which is no id of a request in flight" % (message.get("id"),)])
            return None
        if judged:
            self.judge_response(message, kind, request, end, in_array)
        other.pending.remove(request)
        other.answered.append(request)
        if kind == "result":
            self.learn(request, message["result"], end)
        elif request.method == "initialize" and self.offered:
            self.offered = None
        return None

    def take_error_without_id(self, message: Dict[str, Any], end: End, other: End, judged: bool) -> None:
        unclear = [request for request in other.pending if request.method is None]
        if other.unreadable:
            other.unreadable -= 1
        elif unclear:
            other.pending.remove(unclear[0])
        elif other.doubtful:
            other.doubtful -= 1
        elif judged:
            self.fail(end, ["an error without id, though every line of the %s could be read" % other.name])
        if judged:
            revision = self.revision or HANDSHAKE[0]        # before negotiation: "id": null
            if self.revision is None and self.stateless_seen and "id" not in message:
                revision = STATELESS
            self.fail(end, message_problems(message, revision, end.name)
                      + [text for _, text in member_findings(message, revision)], revision)

    def judge_response(self, message: Dict[str, Any], kind: str, request: PendingRequest, end: End, in_array: bool
                       ) -> None:
        revision = self.revision_of(request) or HANDSHAKE[-1]
        result = message.get("result")
        found = []
        if request.method == "initialize" and kind == "result" and isinstance(result, dict):
            version = result.get("protocolVersion")
            if version in HANDSHAKE:
                revision = version
            else:
                found.append("protocolVersion %r is none with a handshake" % (version,))
        found += [text for _, text in member_findings(message, revision, request.method)]
        envelope = message_problems(message, revision, end.name)
        found += envelope
        if kind == "result" and request.method is not None and not envelope:
            found += result_problems(request.method, result, revision)
        if request.cancelled and revision == STATELESS:
            found.append("a reply to %s, which was cancelled" % request)
        if in_array and request.batch is None:
            found.append("the reply is in an array, %s came alone" % request)
        elif request.batch is not None and not in_array:
            found.append("the reply came alone, %s was in an array" % request)
        if end.name == "client" and self.stateless_seen and self.revision is None:
            found.append("a client writes no responses in %s" % STATELESS)
        if kind == "result" and revision == STATELESS and isinstance(result, dict):
            found += self.stateless_result_problems(request, result)
        self.fail(end, found, revision, request)

    def stateless_result_problems(self, request: PendingRequest, result: Dict[str, Any]) -> List[str]:
        found = []
        questions = result.get("inputRequests")
        if isinstance(questions, dict):
            for key, question in questions.items():
                if isinstance(question, dict):
                    found += ["inputRequests %r: %s" % (key, text) for text in question_problems(
                        question.get("method"), question.get("params"), request.meta.get(CAPABILITIES_KEY))]
        if request.method == "subscriptions/listen":
            meta = result.get("_meta")
            closed = meta.get(SUBSCRIPTION_KEY) if isinstance(meta, dict) else None
            if id_key(closed) != id_key(request.id):
                found.append("the subscription closed is %r, not %r" % (closed, request.id))
        return found

    def learn(self, request: PendingRequest, result: Any, end: End) -> None:
        """Take from a result what later lines are judged by."""
        if not isinstance(result, dict):
            return
        if request.method == "initialize" and end.name == "server":
            version = result.get("protocolVersion")
            self.revision, self.offered = (version if version in HANDSHAKE else self.revision), None
            self.client_end.capabilities = request.params.get("capabilities")
            self.server_end.capabilities = result.get("capabilities")
            self.client_end.ids = {id_key(pending.id) for pending in self.client_end.pending} | {id_key(request.id)}
            self.log_level, self.preset = None, False
        elif request.method == "server/discover" and end.name == "server":
            self.server_end.capabilities = result.get("capabilities")
        elif request.method == "logging/setLevel":
            self.log_level = request.params.get("level")
        if result.get("resultType") == "input_required" and isinstance(result.get("requestState"), str):
            questions = result.get("inputRequests")
            self.states[result["requestState"]] = (request.method, questions if isinstance(questions, dict) else {})

    # ---- notifications

    def take_notification(self, message: Dict[str, Any], end: End, other: End, judged: bool) -> None:
        params = message.get("params") if isinstance(message.get("params"), dict) else {}
        assert isinstance(params, dict)
        method = message["method"]
        meta = params.get("_meta") if isinstance(params.get("_meta"), dict) else {}
        assert isinstance(meta, dict)
        about = self.request_meant(method, params, meta, end, other)
        revision = self.revision_of(about) if about is not None else self.revision or self.offered
        if revision is None:
            revision = STATELESS if self.stateless_seen or VERSION_KEY in meta else HANDSHAKE[-1]
        found: List[str] = []
        if judged:
            found += [text for _, text in member_findings(message, revision)]
            found += message_problems(message, revision, end.name)
            declared = end.capabilities
            if declared is not None and method in DECLARES and not has_capability(declared, DECLARES[method]):
                found.append("the %s has not declared %s" % (end.name, DECLARES[method]))
        if method == "notifications/progress":
            found += self.take_progress(params, about)
        elif method == "notifications/cancelled":
            found += self.take_cancelled(params, about, revision, end)
        elif method == "notifications/message":
            found += self.log_problems(params, about)
        elif method == "notifications/subscriptions/acknowledged" or (method in FILTERS and revision == STATELESS):
            found += self.take_subscribed(method, params, meta, about)
        if judged:
            self.fail(end, found, revision, about)

    def request_meant(self, method: str, params: Dict[str, Any], meta: Dict[str, Any], end: End, other: End
                      ) -> Optional[PendingRequest]:
        """The request in flight that a notification is about."""
        if method == "notifications/progress":
            return other.find_token(params.get("progressToken"))
        if method == "notifications/cancelled":
            own = end.find(params.get("requestId"))
            foreign = other.find(params.get("requestId"))
            if own is None and foreign is not None and foreign.method == "subscriptions/listen":
                return foreign
            return own
        if SUBSCRIPTION_KEY in meta:
            return other.find(meta[SUBSCRIPTION_KEY])
        if method == "notifications/message":
            asking = [request for request in other.pending if request.stateless and not request.cancelled
                      and LOG_LEVEL_KEY in request.meta]
            asking.sort(key=lambda request: level_rank(request.meta[LOG_LEVEL_KEY]))
            return asking[0] if asking and self.revision is None else None
        return None

    def take_progress(self, params: Dict[str, Any], about: Optional[PendingRequest]) -> List[str]:
        if about is None:
            return ["progress for token %r, which is of no request in flight" % (params.get("progressToken"),)]
        found = []
        value = params.get("progress")
        if about.cancelled and about.stateless:
            found.append("progress for %s, which was cancelled" % about)
        if isinstance(value, (int, float)):
            if about.progress is not None and value <= about.progress:
                found.append("progress %r after %r: it only increases" % (value, about.progress))
            about.progress = value
        return found

    def take_cancelled(self, params: Dict[str, Any], about: Optional[PendingRequest], revision: str, end: End
                       ) -> List[str]:
        found = []
        request_id = params.get("requestId")
        if about is None and (end.name == "server" and revision == STATELESS or id_key(request_id) not in end.ids):
            found.append("cancels %r, which is no request of the %s" % (request_id, end.name))
        elif about is not None:
            if about.method == "initialize":
                found.append("initialize is never cancelled")
            about.cancelled = True
        return found

    def log_problems(self, params: Dict[str, Any], about: Optional[PendingRequest]) -> List[str]:
        if about is not None and about.method == "subscriptions/listen":
            return ["a log message on a subscription"]
        if about is not None:
            wanted = about.meta.get(LOG_LEVEL_KEY)
        elif self.revision is None and self.offered is None and self.stateless_seen:
            return ["a log message, though no request in flight asks for any"]
        else:
            wanted = self.log_level
        if wanted is not None and level_rank(params.get("level")) < level_rank(wanted):
            return ["a log message of level %r, though %r was asked for" % (params.get("level"), wanted)]
        return []

    def take_subscribed(self, method: str, params: Dict[str, Any], meta: Dict[str, Any], about: Optional[PendingRequest]
                        ) -> List[str]:
        if about is None or about.method != "subscriptions/listen" or about.cancelled:
            return ["%s for subscription %r, which is not open" % (method, meta.get(SUBSCRIPTION_KEY))]
        if method == "notifications/subscriptions/acknowledged":
            again = about.acknowledged is not None
            granted, asked = params.get("notifications"), about.params.get("notifications")
            about.acknowledged = granted if isinstance(granted, dict) else {}
            if again:
                return ["%s is acknowledged already" % about]
            return ["acknowledges %s, which was not asked for" % name for name, value in about.acknowledged.items()
                    if value and not within_filter(value, asked.get(name) if isinstance(asked, dict) else None)]
        if about.acknowledged is None:
            return ["%s before subscription %r was acknowledged" % (method, about.id)]
        allowed = about.acknowledged.get(FILTERS[method])
        if method == "notifications/resources/updated":
            # a server may report a sub-resource of the URI subscribed to
            if not any(str(params.get("uri")).startswith(uri) for uri in allowed or ()):
                return ["%s is not a resource of subscription %r" % (params.get("uri"), about.id)]
        elif allowed is not True:
            return ["%s is not part of subscription %r" % (method, about.id)]
        return []

    # ---- failing

    def fail(self, end: End, found: List[str], revision: Optional[str] = None,
             request: Optional[PendingRequest] = None) -> None:
        """Raise AssertionError unless ``found`` is empty."""
        if found:
            place = "%s line %d is wrong" % (end.name, self.number)
            if revision:
                place += " (%s)" % revision
            if request:
                place += ", about %s" % request
            raise AssertionError("%s: %s%s" % (place, "; ".join(found), self.tail()))

    def tail(self) -> str:
        """The last lines, for failure texts."""
        return "".join("\n    " + line for line in self.lines[-8:])


def level_rank(level: Any) -> int:
    return LEVELS.index(level) if level in LEVELS else -1


def within_filter(granted: Any, asked: Any) -> bool:
    if isinstance(granted, list):
        return isinstance(asked, list) and all(uri in asked for uri in granted)
    return granted is asked
