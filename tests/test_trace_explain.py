"""The explanations of the trace: complete against the official schemas, true about revisions, and readable."""
from __future__ import annotations

import json
import os

import pytest
from trace_helpers import REPOSITORY

from mcplite.cli.trace.explain import explain_message, explain_method, find_field, spec_link
from mcplite.cli.trace.protocol import (
    FIELD_SINCE,
    FIELD_UNTIL,
    METHOD_SINCE,
    METHOD_TABLE,
    METHOD_UNTIL,
    SPEC_PAGES,
    TRACE_REVISIONS,
    TYPE_TABLE,
)

SHARED = os.environ.get("MCPLITE_SHARED") or os.path.join(REPOSITORY, "..", "shared")
SPEC = os.path.join(SHARED, "spec")
needs_schemas = pytest.mark.skipif(not os.path.isdir(SPEC), reason="the official schemas (shared/spec) are not here")

ALIASES = {  # definitions of the official schemas that are one of our types under another name
    "TextContent": "ContentBlock", "ImageContent": "ContentBlock", "AudioContent": "ContentBlock",
           "EmbeddedResource": "ContentBlock",
    "ResourceLink": "ContentBlock", "ToolUseContent": "ContentBlock", "ToolResultContent": "ContentBlock",
    "TextResourceContents": "ResourceContents", "BlobResourceContents": "ResourceContents",
           "StringSchema": "PrimitiveSchema",
    "NumberSchema": "PrimitiveSchema", "BooleanSchema": "PrimitiveSchema", "EnumSchema": "PrimitiveSchema",
    "LegacyTitledEnumSchema": "PrimitiveSchema", "TitledSingleSelectEnumSchema": "PrimitiveSchema",
    "TitledMultiSelectEnumSchema": "PrimitiveSchema", "UntitledSingleSelectEnumSchema": "PrimitiveSchema",
    "UntitledMultiSelectEnumSchema": "PrimitiveSchema", "ElicitRequestFormParams": "ElicitRequestParams",
    "ElicitRequestURLParams": "ElicitRequestParams", "PromptReference": "Reference", "ResourceReference": "Reference",
    "ResourceTemplateReference": "Reference", "JSONRPCRequest": "Request", "JSONRPCNotification": "Notification",
    "JSONRPCResponse": "Response", "JSONRPCResultResponse": "Response", "JSONRPCErrorResponse": "Response",
           "JSONRPCError": "Response",
    "ClientNotification": "Notification", "RequestMetaObject": "Meta", "NotificationMetaObject": "Meta",
           "ResultMetaObject": "Meta",
    "SubscriptionsListenResultMetaObject": "Meta", "ResourceRequestParams": "ReadResourceRequestParams",
    "GetTaskPayloadResult": "AnyResult", "TaskAugmentedRequestParams": "CallToolRequestParams",
    "PaginatedRequest": "Request",
}
ABSTRACT = {"Annotated", "BaseMetadata", "Icons"}  # only ever parts of other definitions


def schema_of(revision):
    with open(os.path.join(SPEC, revision + ".json"), encoding="utf-8") as stream:
        schema = json.load(stream)
    return schema.get("$defs") or schema["definitions"]


def our_type(name, definition):
    properties = definition.get("properties", {})
    if name in ALIASES:
        return ALIASES[name]
    if "method" in properties:
        return "Request" if name.endswith("Request") else "Notification"
    if name.endswith("ResultResponse") or "error" in properties:
        return "Response"
    if name.endswith("Error"):
        return "Error"
    return name


def official_fields(revision):
    """(definition, our type, field) of everything an official schema names."""
    for name, definition in schema_of(revision).items():
        if name not in ABSTRACT:
            yield from fields_of(name, our_type(name, definition), definition)


def fields_of(where, type_name, definition):
    for field, inner in definition.get("properties", {}).items():
        yield where, type_name, field
        found = find_field(type_name, field) if type_name in TYPE_TABLE else None
        value_type = found[2] if found else ""
        if field == "params" and "const" in definition["properties"].get("method", {}):
            value_type = METHOD_TABLE[definition["properties"]["method"]["const"]][2]
        for whole in [inner] + inner.get("allOf", []) + inner.get("anyOf", []):
            for part in (whole, whole.get("items", {})):
                if isinstance(part, dict) and "properties" in part and value_type and not value_type.startswith("*"):
                    yield from fields_of(where + "." + field, value_type, part)


@needs_schemas
@pytest.mark.parametrize("revision", TRACE_REVISIONS)
def test_every_field_of_the_official_schema_is_explained(revision):
    missing = ["%s: %s.%s" % row for row in official_fields(revision) if row[1] not in TYPE_TABLE
               or find_field(row[1], row[2]) is None]
    assert missing == []


@needs_schemas
@pytest.mark.parametrize("revision", TRACE_REVISIONS)
def test_every_method_of_the_official_schema_is_explained(revision):
    methods = {definition["properties"]["method"]["const"] for definition in schema_of(revision).values()
               if "const" in definition.get("properties", {}).get("method", {})}
    assert len(methods) > 20
    ours = {method for method in METHOD_TABLE
            if METHOD_SINCE.get(method, revision) <= revision <= METHOD_UNTIL.get(method, revision)}
    assert ours == methods


def official_validity():
    seen = {}
    for revision in TRACE_REVISIONS:
        for _, type_name, field in official_fields(revision):
            found = find_field(type_name, field)
            if found:
                seen.setdefault(found[0] + "." + field, set()).add(revision)
    since = {key: min(revisions) for key, revisions in seen.items() if min(revisions) != TRACE_REVISIONS[0]}
    until = {key: max(revisions) for key, revisions in seen.items() if max(revisions) != TRACE_REVISIONS[-1]}
    return since, until


BY_HAND = {  # what the schemas leave to their prose
    "Meta.io.modelcontextprotocol/related-task", "Meta.traceparent", "Meta.tracestate", "Meta.baggage",
}


@needs_schemas
def test_when_fields_came_and_went():
    since, until = official_validity()
    assert {key: value for key, value in FIELD_SINCE.items() if key not in BY_HAND} == since
    assert {key: value for key, value in FIELD_UNTIL.items() if key not in BY_HAND} == until


def test_types_and_pages_that_are_named_exist():
    for page, fields in TYPE_TABLE.values():
        assert page in SPEC_PAGES
        for field, row in fields.items():
            named = row.split() if field == "" else [row[1].lstrip("*")] if isinstance(row, tuple) else []
            assert [name for name in named if name not in TYPE_TABLE] == []
    for _, page, params, result in METHOD_TABLE.values():
        assert page in SPEC_PAGES and params in TYPE_TABLE and (result == "" or result in TYPE_TABLE)


def test_sentences_are_sentences():
    sentences = [row[0] for row in METHOD_TABLE.values()]
    for _, fields in TYPE_TABLE.values():
        sentences += [row if isinstance(row, str) else row[0] for field, row in fields.items() if field]
    assert [text for text in sentences if not text.endswith(".") or "  " in text or len(text) > 230] == []


@pytest.mark.parametrize("page, revision, path", [
    ("tools", "2024-11-05", "2024-11-05/server/tools"),
    ("requests", "2024-11-05", "2024-11-05/basic/messages#requests"),
    ("requests", "2026-07-28", "2026-07-28/basic#requests"),
    ("progress", "2025-11-25", "2025-11-25/basic/utilities/progress"),
    ("progress", "2026-07-28", "2026-07-28/basic/patterns/progress"),
    ("ping", "2026-07-28", "2025-11-25/basic/utilities/ping"),
    ("tasks", "2026-07-28", "2025-11-25/basic/utilities/tasks"),
    ("tasks", "2024-11-05", "2025-11-25/basic/utilities/tasks"),
    ("mrtr", "2024-11-05", "2026-07-28/basic/patterns/mrtr"),
    ("tools", "nonsense", "2025-11-25/server/tools"),
])
def test_links(page, revision, path):
    assert spec_link(page, revision) == "https://modelcontextprotocol.io/specification/" + path


def rows_of(*arguments):
    return {path: (sentence, link.split("specification/")[1]) for path, sentence, link in explain_message(*arguments)}


def test_a_request():
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
               "params": {"name": "add", "arguments": {"name": 1}, "_meta": {"progressToken": 1, "acme/x": {"y": 1}}}}
    assert rows_of("request", "tools/call", message, "2025-06-18") == {
        "jsonrpc": ('The version of JSON-RPC; always "2.0".', "2025-06-18/basic#requests"),
        "id": ("The number or string that the answer will carry, so that it can be told whose answer it is. Each side "
               "counts for "
               "itself.", "2025-06-18/basic#requests"),
        "method": ("What is asked for.", "2025-06-18/basic#requests"),
        "params": ("The details of what is asked for.", "2025-06-18/basic#requests"),
        "params.name": ("The tool to run.", "2025-06-18/server/tools"),
        "params.arguments": ("Its arguments, which have to fit its inputSchema.", "2025-06-18/server/tools"),
        "params._meta": ("Data about the message rather than in it: for the protocol under reserved names, for others "
                         "under names "
                         "with a prefix.", "2025-06-18/basic#requests"),
        "params._meta.progressToken": ("Asks for notifications/progress about this request, which will carry this "
                                       "token.",
                                       "2025-06-18/basic#meta"),
        "params._meta.acme/x": ("Somebody's own: the specification leaves room for it here.", "2025-06-18/basic#meta"),
    }


def test_arrays_and_revisions():
    message = {"jsonrpc": "2.0", "id": 1, "result": {"tools": [{"name": "a", "title": "A"}, {"name": "b", "x-y": 1}]}}
    rows = rows_of("response", "tools/list", message, "2024-11-05")
    assert rows["result.tools[].name"] == ("The name to call it by.", "2024-11-05/server/tools#tool")
    assert rows["result.tools[].title"][0] == (
        "The name to show to people; where there is none, the name is shown. Not part of 2024-11-05: since 2025-06-18.")
    assert rows["result.tools[].x-y"][0] == "The specification of 2024-11-05 has no such field here: an extension, or a mistake."


def test_questions_and_answers_of_several_rounds():
    asked = {"jsonrpc": "2.0", "id": 1,
             "result": {"resultType": "input_required", "requestState": "s", "inputRequests": {
        "size": {"method": "elicitation/create",
                 "params": {"message": "?", "requestedSchema": {"properties": {"n": {"type": "string"}}}}}}}}
    rows = rows_of("response", "tools/call", asked, "2026-07-28")
    assert rows["result.inputRequests.*.params.requestedSchema.properties.*.type"][1] == "2026-07-28/client/elicitation"
    again = {"params": {"name": "x", "inputResponses": {"size": {"action": "accept", "content": {"n": "L"}}},
                        "requestState": "s"}}
    rows = rows_of("request", "tools/call", again, "2026-07-28")
    assert rows["params.inputResponses.*.action"][0] == (
        "accept: answered; decline: refused; cancel: closed without an answer. Since 2025-06-18.")
    assert "params.inputResponses.*.content.n" not in rows


def test_an_error():
    message = {"jsonrpc": "2.0", "id": 1,
               "error": {"code": -32022, "message": "no", "data": {"supported": ["2026-07-28"], "own": 1}}}
    rows = rows_of("error", "server/discover", message, "2026-07-28")
    assert rows["error.data.supported"][0] == "The protocol revisions the server does speak. Since 2026-07-28."
    assert rows["error.data.own"][0] == "Somebody's own: the specification leaves room for it here."


@pytest.mark.parametrize("message", [None, [], 1, {"params": 5}, {"params": {"_meta": 7}}, {"result": [[[]]]}])
@pytest.mark.parametrize("kind", ["request", "response", "error", "notification", "junk", "stderr"])
def test_nothing_breaks_it(kind, message):
    assert isinstance(explain_message(kind, "tools/call", message, "2025-11-25"), list)


def test_deep_nesting_is_cut():
    value = {"type": "tool_result"}
    for _ in range(900):
        value = {"type": "tool_result", "content": [value]}
    explain_message("response", "tools/call", {"result": {"content": [value]}}, "2025-11-25")


@pytest.mark.parametrize("kind, method, revision, sentence", [
    ("request", "tools/call", "2025-11-25", "The client has a tool run, usually because the model asked for it."),
    ("request", "server/discover", "2025-11-25",
     "The client asks which revisions the server speaks, what it offers and who it is, "
                                                 "without opening a session. Not part of 2025-11-25: since "
                                                 "2026-07-28."),
    ("request", "acme/x", "2025-11-25", "No method of the specification: an extension, or a mistake."),
    ("response", "ping", "2025-11-25",
     "The answer to ping. Either side asks whether the other is still there; the answer is empty "
                                       "and comes at once."),
    ("error", None, "2025-11-25", "An answer to no request that was seen: it could not be done."),
    ("junk", None, "2025-11-25", "Only messages may stand here: each a JSON object on a line of its own."),
])
def test_methods(kind, method, revision, sentence):
    assert explain_method(kind, method, revision)[0] == sentence
