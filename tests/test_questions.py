"""Questions to the client: what may be asked, in which form each revision gets it, which answers are taken."""
import json

import pytest
from harness import HANDSHAKE_DATES, MODERN
from memory import call_params, talk, text_of

from mcplite import McpError, Server
from mcplite.asking import check_question, new_elicit, new_elicit_url, new_sample
from mcplite.errors import CapabilityError, LocalProtocolError
from mcplite.testing import check_handler, check_server

ALL_DATES = (*HANDSHAKE_DATES, MODERN)
WITH_FORMS = ("2025-06-18", "2025-11-25", MODERN)
WITH_URLS = ("2025-11-25", MODERN)
NAME_FORM = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
ACCEPT = {"action": "accept", "content": {"name": "Ann"}}
SAMPLED = {"role": "assistant", "content": {"type": "text", "text": "Paris"}, "model": "m", "stopReason": "endTurn"}
ROOTS = {"roots": [{"uri": "file:///home/ann", "name": "home"}, {"uri": "file:///srv"}]}


def serve(function, **options):
    server = Server("asker", "1")
    server.tool(function, name="f", **options)
    return server


def ask(function, revision, answers=(), capabilities=None, ours="both"):
    """Call ``function`` as a tool; return its result and the questions that the client saw."""
    with talk(serve(function), revision, answers, capabilities, ours) as client:
        return client.request("tools/call", call_params("f")), client.questions


def refuse_question(question):
    with pytest.raises(ValueError) as caught:
        check_question(question)
    return str(caught.value)


def refuse_field(**field):
    return refuse_question(new_elicit("?", {"properties": {"x": field}}))


# Every revision


@pytest.mark.parametrize("revision", WITH_FORMS)
def test_a_form_is_asked_and_answered(revision):
    def f(ctx):
        return ctx.elicit("Who?", NAME_FORM)["content"]["name"]
    result, questions = ask(f, revision, [ACCEPT])
    assert text_of(result) == "Ann"
    params = {"mode": "form", "message": "Who?", "requestedSchema": NAME_FORM}
    if revision == "2025-06-18":
        del params["mode"]
    assert questions == [{"method": "elicitation/create", "params": params}]


@pytest.mark.parametrize("revision", ALL_DATES)
def test_roots_are_asked_without_params(revision):
    def f(ctx):
        return ctx.roots()["roots"][1]["uri"]
    result, questions = ask(f, revision, [ROOTS])
    assert text_of(result) == "file:///srv"
    assert questions == [{"method": "roots/list"}]


@pytest.mark.parametrize("revision", ALL_DATES)
def test_sampling_in_every_revision(revision):
    def f(ctx):
        return ctx.sample("Capital of France?", 20)["content"]["text"]
    result, questions = ask(f, revision, [SAMPLED])
    assert text_of(result) == "Paris"
    assert questions == [{"method": "sampling/createMessage", "params": {
        "messages": [{"role": "user", "content": {"type": "text", "text": "Capital of France?"}}], "maxTokens": 20}}]


@pytest.mark.parametrize("revision", ALL_DATES)
def test_all_parameters_of_sampling(revision):
    def f(ctx):
        ctx.sample([{"role": "user", "content": "a"}, {"role": "assistant", "content": {"type": "text", "text": "b"}}, "c"], 7,
                   model_preferences={"hints": [{"name": "sonnet"}, {"name": "claude"}], "costPriority": 0, "speedPriority": 1,
                                      "intelligencePriority": 0.5},
                   system_prompt="Be short.", include_context="none", temperature=0.1, stop_sequences=["."],
                   metadata={"seed": 4})
    _, questions = ask(f, revision, [SAMPLED])
    assert questions[0]["params"] == {
        "messages": [{"role": "user", "content": {"type": "text", "text": "a"}},
                     {"role": "assistant", "content": {"type": "text", "text": "b"}},
                     {"role": "user", "content": {"type": "text", "text": "c"}}],
        "maxTokens": 7, "modelPreferences": {"hints": [{"name": "sonnet"}, {"name": "claude"}], "costPriority": 0,
                                             "speedPriority": 1, "intelligencePriority": 0.5},
        "systemPrompt": "Be short.", "includeContext": "none", "temperature": 0.1, "stopSequences": ["."], "metadata": {"seed": 4}}


@pytest.mark.parametrize("action", ["decline", "cancel"])
@pytest.mark.parametrize("revision", WITH_FORMS)
def test_decline_and_cancel_are_answers(revision, action):
    def f(ctx):
        return ctx.elicit("Who?", NAME_FORM)
    result, _ = ask(f, revision, [{"action": action}])
    assert json.loads(text_of(result)) == {"action": action}


@pytest.mark.parametrize("revision", WITH_FORMS)
def test_accept_of_an_empty_form_may_come_without_content(revision):
    def f(ctx):
        return ctx.elicit("Sure?", {"type": "object", "properties": {}})
    result, _ = ask(f, revision, [{"action": "accept"}])
    assert json.loads(text_of(result)) == {"action": "accept", "content": {}}


@pytest.mark.parametrize("revision", WITH_FORMS)
def test_content_null_is_no_content(revision):
    def f(ctx):
        return ctx.elicit("Who?", NAME_FORM)
    result, _ = ask(f, revision, [{"action": "decline", "content": None}], ours="server")
    assert json.loads(text_of(result)) == {"action": "decline"}


@pytest.mark.parametrize("revision", WITH_FORMS)
@pytest.mark.parametrize("action", ["decline", "cancel"])
def test_content_that_no_form_was_filled_with_does_not_arrive(revision, action):
    """Only an accepted form has content (client/elicitation): what else comes was judged by no schema."""
    result, _ = ask(lambda ctx: ctx.elicit("Who?", NAME_FORM), revision,
                    [{"action": action, "content": {"name": ["Ann"]}}], ours="server")
    assert json.loads(text_of(result)) == {"action": action}


@pytest.mark.parametrize("revision", WITH_URLS)
def test_content_of_a_url_does_not_arrive(revision):
    result, _ = ask(lambda ctx: ctx.elicit_url("Pay.", "https://pay.example/1"), revision,
                    [{"action": "accept", "content": {"paid": True}}], ours="server")
    assert json.loads(text_of(result)) == {"action": "accept"}


@pytest.mark.parametrize("revision", WITH_URLS)
def test_a_url_is_asked(revision):
    def f(ctx):
        return ctx.elicit_url("Please pay", "https://pay.example/17")["action"]
    result, questions = ask(f, revision, [{"action": "accept"}])
    assert text_of(result) == "accept"
    params = questions[0]["params"]
    if revision == MODERN:
        assert params == {"mode": "url", "message": "Please pay", "url": "https://pay.example/17"}
    else:
        assert len(params.pop("elicitationId")) >= 22       # 128 bits, base64
        assert params == {"mode": "url", "message": "Please pay", "url": "https://pay.example/17"}


def test_two_urls_have_two_ids():
    def f(ctx):
        ctx.elicit_url("a", "https://a.example/")
        ctx.elicit_url("b", "https://b.example/")
    _, questions = ask(f, "2025-11-25", [{"action": "accept"}] * 2)
    assert questions[0]["params"]["elicitationId"] != questions[1]["params"]["elicitationId"]


@pytest.mark.parametrize("revision", WITH_URLS)
def test_completion_is_told_where_the_revision_has_it(revision):
    kept = []

    def f(ctx):
        kept.append(ctx)
        return ctx.elicit_url("Please pay", "https://pay.example/17", elicitation_id="pay-17")["action"]
    with talk(serve(f), revision, [{"action": "accept"}]) as client:
        client.request("tools/call", call_params("f"))
        kept[-1].elicitation_complete("pay-17")             # the request has ended: it happens outside of it
        client.run()
        told = [{"jsonrpc": "2.0", "method": "notifications/elicitation/complete", "params": {"elicitationId": "pay-17"}}]
        assert client.notifications == ([] if revision == MODERN else told)
        if revision != MODERN:
            assert client.questions[0]["params"]["elicitationId"] == "pay-17"


def test_nothing_is_told_after_the_end():
    kept = []
    with talk(serve(lambda ctx: kept.append(ctx)), "2025-11-25") as client:
        client.request("tools/call", call_params("f"))
    lines = len(client.transcript)
    kept[0].elicitation_complete("pay-17")
    client._take_lines()
    assert len(client.transcript) == lines


def ask_three(ctx):
    answers = ctx.ask_all({
        "who": {"method": "elicitation/create", "params": {"message": "Who?", "requestedSchema": NAME_FORM}},
        "where": {"method": "roots/list"},
        "what": {"method": "sampling/createMessage", "params": {"messages": "Capital?", "maxTokens": 5}}})
    assert list(answers) == ["who", "where", "what"]
    return "%s %s %s" % (answers["who"]["content"]["name"], len(answers["where"]["roots"]), answers["what"]["content"]["text"])


@pytest.mark.parametrize("revision", WITH_FORMS)
def test_ask_all(revision):
    result, questions = ask(ask_three, revision, [ACCEPT, ROOTS, SAMPLED])
    assert text_of(result) == "Ann 2 Paris"
    assert [question["method"] for question in questions] == ["elicitation/create", "roots/list", "sampling/createMessage"]


@pytest.mark.parametrize("revision", ALL_DATES)
def test_once_runs_once_and_gives_json(revision):
    runs = []

    def f(ctx):
        first = ctx.once("pay", lambda: runs.append(1) or ("a", {"b": (1,)}))
        ctx.roots()
        return [first, ctx.once("pay", lambda: runs.append(2)), ctx.once("note", lambda: None)]
    result, _ = ask(f, revision, [ROOTS])
    assert json.loads(text_of(result)) == [["a", {"b": [1]}], ["a", {"b": [1]}], None]
    assert runs == [1]


@pytest.mark.parametrize("revision", ALL_DATES)
def test_once_needs_a_json_value(revision):
    result, _ = ask(lambda ctx: ctx.once("x", lambda: {1, 2}), revision)
    assert text_of(result) == "once('x'): its function must return a JSON value: set is not JSON"


@pytest.mark.parametrize("revision", ALL_DATES)
def test_an_exception_of_once_is_not_kept(revision):
    def f(ctx):
        try:
            ctx.once("x", lambda: 1 // 0)
        except ZeroDivisionError:
            return ctx.once("x", lambda: "second try")
    assert text_of(ask(f, revision)[0]) == "second try"


@pytest.mark.parametrize("revision", ALL_DATES)
def test_prompts_and_resources_ask_too(revision):
    server = Server("asker")

    @server.prompt
    def greet(ctx):
        return "Root %s" % ctx.roots()["roots"][0]["uri"]

    @server.resource("memo://root/{number}")
    def root(number: int, ctx):
        return ctx.roots()["roots"][number]["uri"]
    with talk(server, revision, [ROOTS, ROOTS]) as client:
        assert client.request("prompts/get", {"name": "greet"})["messages"][0]["content"]["text"] == "Root file:///home/ann"
        contents = client.request("resources/read", {"uri": "memo://root/1"})["contents"]
    assert contents == [{"uri": "memo://root/1", "text": "file:///srv"}]


# Keys


@pytest.mark.parametrize("revision", ALL_DATES)
@pytest.mark.parametrize("key", ["", 3, b"x", ["x"]])
def test_a_key_is_a_text(revision, key):
    result, _ = ask(lambda ctx: ctx.roots(key=key), revision)
    assert text_of(result) == "the key of a question is a text that is not empty, not %r" % (key,)


@pytest.mark.parametrize("revision", ALL_DATES)
def test_a_key_is_used_for_one_question(revision):
    def f(ctx):
        ctx.roots(key="r")
        ctx.roots(key="r")
    result, _ = ask(f, revision, [ROOTS])
    assert text_of(result) == "the key 'r' was used for another question of this request: each needs its own"


@pytest.mark.parametrize("revision", ALL_DATES)
def test_the_key_of_once_is_a_text(revision):
    result, _ = ask(lambda ctx: ctx.once(None, dict), revision)
    assert text_of(result) == "the key of once is a text that is not empty, not None"


# What may be asked

FIELDS = [
    {"type": "string"},
    {"type": "string", "title": "T", "description": "D", "minLength": 3, "maxLength": 50,
     "default": "user@example.com", "format": "email"},
    {"type": "string", "format": "uri"}, {"type": "string", "format": "date"}, {"type": "string", "format": "date-time"},
    {"type": "number", "title": "T", "description": "D", "minimum": 0, "maximum": 99.5, "default": 1.5},
    {"type": "integer", "minimum": 0, "default": 3},
    {"type": "boolean", "title": "T", "description": "D", "default": False},
    {"type": "string", "enum": ["Red", "Green"], "default": "Red", "title": "T", "description": "D"},
    {"type": "string", "enum": ["r", "g"], "enumNames": ["Red", "Green"], "default": "g"},
    {"type": "string", "oneOf": [{"const": "#f00", "title": "Red"}, {"const": "#0f0", "title": "Green"}], "default": "#f00"},
    {"type": "array", "minItems": 1, "maxItems": 2, "items": {"type": "string", "enum": ["Red", "Green"]}, "default": ["Red"]},
    {"type": "array", "items": {"anyOf": [{"const": "#f00", "title": "Red"}, {"const": "#0f0", "title": "Green"}]},
     "default": ["#f00", "#0f0"]},
]
VALUES = ["x", "abcd", "https://e.example/", "2026-07-28", "2026-07-28T00:00:00Z", 1.5, 2, True, "Green", "r", "#0f0",
          ["Red", "Green"], []]


@pytest.mark.parametrize("revision", WITH_URLS)
@pytest.mark.parametrize("number", range(len(FIELDS)))
def test_every_field_is_asked_as_it_is_and_its_value_taken(revision, number):
    schema = {"type": "object", "properties": {"x": FIELDS[number]}}
    result, questions = ask(lambda ctx: json.dumps(ctx.elicit("?", schema)["content"]["x"]), revision,
                            [{"action": "accept", "content": {"x": VALUES[number]}}])
    assert json.loads(text_of(result)) == VALUES[number]
    assert questions[0]["params"]["requestedSchema"] == schema


ADAPTED = [
    FIELDS[0],
    {"type": "string", "title": "T", "description": "D", "minLength": 3, "maxLength": 50, "format": "email"},
    *FIELDS[2:5],
    {"type": "number", "title": "T", "description": "D", "minimum": 0, "maximum": 99.5},
    {"type": "integer", "minimum": 0},
    FIELDS[7],
    {"type": "string", "enum": ["Red", "Green"], "title": "T", "description": "D"},
    {"type": "string", "enum": ["r", "g"], "enumNames": ["Red", "Green"]},
    {"type": "string", "enum": ["#f00", "#0f0"], "enumNames": ["Red", "Green"]},
]


@pytest.mark.parametrize("number", range(len(ADAPTED)))
def test_2025_06_18_gets_the_nearest_it_can_read(number):
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "properties": {"x": FIELDS[number]}}
    result, questions = ask(lambda ctx: json.dumps(ctx.elicit("?", schema)["content"]["x"]), "2025-06-18",
                            [{"action": "accept", "content": {"x": VALUES[number]}}])
    assert json.loads(text_of(result)) == VALUES[number]
    assert questions[0]["params"] == {"message": "?", "requestedSchema": {"type": "object", "properties": {"x": ADAPTED[number]}}}


@pytest.mark.parametrize("field", FIELDS[len(ADAPTED):])
def test_2025_06_18_has_no_choice_of_several(field):
    result, questions = ask(lambda ctx: ctx.elicit("?", {"properties": {"x": field}}), "2025-06-18")
    assert text_of(result) == "the client speaks revision 2025-06-18, which has no choice of several (property 'x')"
    assert questions == []


def test_type_object_may_be_left_out():
    assert check_question(new_elicit("?", {"properties": {}}))["params"]["requestedSchema"] == {"type": "object", "properties": {}}


def test_a_question_is_not_changed_in_place():
    question = {"method": "elicitation/create", "params": {"message": "?", "requestedSchema": {"properties": {}}}}
    check_question(question)
    assert question == {"method": "elicitation/create", "params": {"message": "?", "requestedSchema": {"properties": {}}}}


FLAT = "elicitation schema: property 'x': must be a string, number, integer, boolean or choice of strings, nothing nested"


@pytest.mark.parametrize("field", [
    {"type": "object", "properties": {}}, {"type": "null"}, {}, True, "string", {"type": ["string", "null"]},
    {"anyOf": [{"type": "string"}]}, {"$ref": "#"}, {"enum": ["a"]}, {"const": 1}])
def test_what_is_no_field_is_refused(field):
    assert refuse_question(new_elicit("?", {"properties": {"x": field}})) == FLAT


@pytest.mark.parametrize("field, text", [
    ({"type": "string", "pattern": "^a"}, 'unknown property "pattern"'),
    ({"type": "string", "format": "uuid"}, '/format: expected one of "email", "uri", "date", "date-time", got string "uuid"'),
    ({"type": "string", "minLength": -1}, "/minLength: expected at least 0, got -1"),
    ({"type": "string", "minLength": "3"}, "/minLength: expected integer, got string \"3\""),
    ({"type": "string", "title": 3}, "/title: expected string, got integer 3"),
    ({"type": "string", "minLength": 5, "maxLength": 3}, "minLength 5 is above maxLength 3"),
    ({"type": "string", "default": 3}, "default: expected string, got integer 3"),
    ({"type": "string", "minLength": 3, "default": "ab"}, "default: expected at least 3 characters, got 2"),
    ({"type": "string", "enum": []}, "/enum: expected at least 1 item, got 0"),
    ({"type": "string", "enum": ["a", 1]}, "/enum/1: expected string, got integer 1"),
    ({"type": "string", "enum": ["a", "a"]}, "the same choice twice"),
    ({"type": "string", "enum": ["a"], "default": "b"}, 'default: expected "a", got string "b"'),
    ({"type": "string", "enum": ["a"], "enumNames": ["A", "B"]}, "2 enumNames for 1 choices"),
    ({"type": "string", "enum": ["a"], "minLength": 1}, 'unknown property "minLength"'),
    ({"type": "string", "oneOf": [{"const": "a"}]}, '/oneOf/0: required property "title" is missing'),
    ({"type": "string", "oneOf": [{"const": 1, "title": "A"}]}, "/oneOf/0/const: expected string, got integer 1"),
    ({"type": "string", "oneOf": [{"const": "a", "title": "A"}], "default": "b"}, "default: "),
    ({"type": "number", "minimum": 3, "maximum": 2}, "minimum 3 is above maximum 2"),
    ({"type": "number", "exclusiveMinimum": 0}, 'unknown property "exclusiveMinimum"'),
    ({"type": "integer", "default": 1.5}, "default: expected integer, got number 1.5"),
    ({"type": "integer", "enum": [1, 2]}, 'unknown property "enum"'),
    ({"type": "boolean", "default": "no"}, 'default: expected boolean, got string "no"'),
    ({"type": "string", "enumNames": ["A"]}, 'required property "enum" is missing'),
    ({"type": "array"}, 'required property "items" is missing'),
    ({"type": "array", "items": {"type": "string"}}, '/items: required property "enum" is missing'),
    ({"type": "array", "items": {"type": "number", "enum": [1]}}, "/items/type: "),
    ({"type": "array", "items": {"type": "string", "enum": ["a"]}, "uniqueItems": True}, 'unknown property "uniqueItems"'),
    ({"type": "array", "items": {"type": "string", "enum": ["a"]}, "default": ["b"]}, "default: /0: "),
])
def test_what_the_forms_do_not_have_is_refused(field, text):
    message = refuse_field(**field)
    assert message.startswith("elicitation schema: property 'x': ")
    assert text in message, message
    assert "\n" not in message


@pytest.mark.parametrize("schema, text", [
    ([], "elicitation schema: expected object, got array"),
    (None, "elicitation schema: expected object, got null"),
    ({}, 'elicitation schema: required property "properties" is missing'),
    ({"type": "array", "properties": {}}, "elicitation schema: /type: "),
    ({"properties": {}, "additionalProperties": False},
     'elicitation schema: /additionalProperties: unknown property "additionalProperties"'),
    ({"properties": {}, "required": ["x"]}, "elicitation schema: required names 'x', which is no property"),
    ({"properties": {}, "required": "x"}, "elicitation schema: /required: "),
])
def test_what_is_no_form_is_refused(schema, text):
    assert text in refuse_question(new_elicit("?", schema))


@pytest.mark.parametrize("question, text", [
    (None, "a question is "), ({}, "a question is "), ({"method": "ping"}, "a question is "), ({"method": ["x"]}, "a question is "),
    ({"method": "roots/list", "id": 1}, "a question is "),
    ({"method": "roots/list", "params": []}, "the params of roots/list must be an object (a dict), not []"),
    ({"method": "roots/list", "params": {"x": 1}}, "roots/list has no params"),
    ({"method": "elicitation/create"},
     'elicitation: required property "message" is missing; required property "requestedSchema" is missing'),
    ({"method": "elicitation/create", "params": {"mode": "voice"}}, "elicitation: the mode is \"form\" or \"url\", not 'voice'"),
    (new_elicit(3, NAME_FORM), "elicitation: /message: expected string, got integer 3"),
    (new_elicit_url("m", "no url"), "no url"),
    (new_elicit_url("m", "https://x.example/", ""), "elicitation: /elicitationId: "),
    (new_sample("x", 0), "sampling: /maxTokens: expected at least 1, got 0"),
    (new_sample("x", "5"), "sampling: /maxTokens: expected integer, got string \"5\""),
    (new_sample([], 5), "sampling: /messages: expected at least 1 item, got 0"),
    (new_sample(None, 5), "sampling: message 1: expected object, got null"),
    (new_sample([{"role": "system", "content": "x"}], 5),
     'sampling: message 1: /role: expected one of "user", "assistant", got string "system"'),
    (new_sample([{"role": "user", "content": []}], 5), "sampling: message 1: has no content"),
    (new_sample([{"role": "user", "content": 3}], 5),
     "sampling: message 1: the content is a text, or a block of the type text, image, "),
    (new_sample([{"role": "user", "content": {"type": "resource_link"}}], 5),
     "sampling: message 1: the content is a text, or a block"),
    (new_sample([{"role": "user", "content": {"type": "image", "data": "x"}}], 5),
     'message 1: a image block: required property "mimeType" is missing'),
    (new_sample("x", 5, model_preferences={"hints": ["claude"]}),
     "sampling: /modelPreferences/hints/0: expected object, got string"),
    (new_sample("x", 5, model_preferences={"costPriority": 1.5}),
     "sampling: /modelPreferences/costPriority: expected at most 1, got 1.5"),
    (new_sample("x", 5, model_preferences={"cost": 1}), 'sampling: /modelPreferences/cost: unknown property "cost"'),
    (new_sample("x", 5, include_context="all"), "sampling: /includeContext: "),
    (new_sample("x", 5, tool_choice={"mode": "any"}), "sampling: /toolChoice/mode: "),
    (new_sample("x", 5, tools=[{"name": "t"}]), 'sampling: /tools/0: required property "inputSchema" is missing'),
    (new_sample("x", 5, metadata={"x": float("nan")}), "sampling/createMessage: "),
    (new_sample("x", 5, metadata={"x": {1}}), "sampling/createMessage: set is not JSON"),
])
def test_a_wrong_question_is_refused(question, text):
    message = refuse_question(question)
    assert text in message, message
    assert "\n" not in message


USE = {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "t", "input": {}},
                                        {"type": "tool_use", "id": "2", "name": "t", "input": {}}]}


def new_results(*ids):
    return {"role": "user", "content": [{"type": "tool_result", "toolUseId": name, "content": [{"type": "text", "text": "r"}]}
                                        for name in ids]}


def test_tool_turns_that_balance():
    check_question(new_sample(["weather?", USE, new_results("2", "1"), {"role": "assistant", "content": "fine"}], 5))


@pytest.mark.parametrize("messages, text", [
    (["w", USE], "the tool uses ['1', '2'] of the last message have no results"),
    (["w", USE, new_results("1")], "message 3: must answer the tool uses ['1', '2'], and answers ['1']"),
    (["w", USE, "and?", new_results("1", "2")], "message 3: must answer the tool uses ['1', '2'], and answers []"),
    (["w", new_results("1")], "message 2: must answer the tool uses [], and answers ['1']"),
    (["w", USE, dict(new_results("1", "2"), content=[*new_results("1", "2")["content"], {"type": "text", "text": "x"}])],
     "message 3: tool results stand in a message of the user that holds nothing else"),
    (["w", dict(USE, role="user"), new_results("1", "2")], "message 2: tool uses stand in a message of the assistant"),
])
def test_tool_turns_that_do_not(messages, text):
    assert text in refuse_question(new_sample(messages, 5))


# What the client declared


@pytest.mark.parametrize("capabilities, works", [
    ({"elicitation": {}}, True), ({"elicitation": {"form": {}}}, True), ({"elicitation": {"form": {}, "url": {}}}, True),
    ({"elicitation": {"url": {}}}, False), ({}, False), ({"roots": {}, "sampling": {}}, False)])
@pytest.mark.parametrize("revision", WITH_URLS)
def test_forms_need_elicitation_and_nothing_named_means_forms(revision, capabilities, works):
    def f(ctx):
        try:
            return ctx.elicit("Who?", NAME_FORM)["action"]
        except CapabilityError as error:
            return json.dumps(error.data)
    result, questions = ask(f, revision, [ACCEPT], capabilities)
    if works:
        assert text_of(result) == "accept"
    else:
        named = {"form": {}} if "elicitation" in capabilities else {}
        assert json.loads(text_of(result)) == {"requiredCapabilities": {"elicitation": named}}
        assert questions == []


def test_2025_06_18_declares_elicitation_empty():
    result, _ = ask(lambda ctx: ctx.elicit("Who?", NAME_FORM)["action"], "2025-06-18", [ACCEPT], {"elicitation": {}})
    assert text_of(result) == "accept"


@pytest.mark.parametrize("revision", WITH_URLS)
def test_urls_need_to_be_named(revision):
    def f(ctx):
        try:
            return ctx.elicit_url("Pay", "https://x.example/")["action"]
        except CapabilityError as error:
            return error.message
    text = "the client has not declared the capability elicitation.url, which this needs"
    assert text_of(ask(f, revision, [], {"elicitation": {}})[0]) == text
    assert text_of(ask(f, revision, [{"action": "accept"}], {"elicitation": {"url": {}}})[0]) == "accept"


@pytest.mark.parametrize("revision", ["2024-11-05", "2025-03-26"])
def test_old_revisions_have_no_elicitation_whatever_the_client_says(revision):
    result, questions = ask(lambda ctx: ctx.elicit("Who?", NAME_FORM), revision, [], {"experimental": {"elicitation": {}}})
    assert text_of(result) == "the client speaks revision %s, which has no elicitation" % revision
    assert result["isError"] is True and questions == []


@pytest.mark.parametrize("revision", ALL_DATES)
@pytest.mark.parametrize("asking, needed", [
    (lambda ctx: ctx.roots(), {"roots": {}}), (lambda ctx: ctx.sample("x", 5), {"sampling": {}})])
def test_roots_and_sampling_need_to_be_declared(revision, asking, needed):
    def f(ctx):
        with pytest.raises(CapabilityError) as caught:
            asking(ctx)
        return json.dumps(caught.value.data)
    result, questions = ask(f, revision, [], {})
    assert json.loads(text_of(result)) == {"requiredCapabilities": needed}
    assert questions == []


@pytest.mark.parametrize("options", [
    {"tools": [{"name": "t", "inputSchema": {"type": "object"}}]}, {"tool_choice": {"mode": "none"}}])
@pytest.mark.parametrize("revision", ALL_DATES)
def test_tools_in_sampling_need_to_be_declared(revision, options):
    def f(ctx):
        try:
            return ctx.sample("x", 5, **options)["content"]["text"]
        except CapabilityError as error:
            return json.dumps(error.data)
    needs = {"requiredCapabilities": {"sampling": {"tools": {}}}}
    assert json.loads(text_of(ask(f, revision, [], {"sampling": {}})[0])) == needs
    if revision in WITH_URLS:
        result, questions = ask(f, revision, [SAMPLED], {"sampling": {"tools": {}}})
        assert text_of(result) == "Paris"
        assert questions[0]["params"].get("tools") == options.get("tools")
        assert questions[0]["params"].get("toolChoice") == options.get("tool_choice")


@pytest.mark.parametrize("revision", WITH_URLS)
def test_tool_turns_need_tools_too(revision):
    def f(ctx):
        return ctx.sample(["w", USE, new_results("1", "2")], 5)
    assert "sampling.tools" in json.dumps(ask_error(f, revision, {"sampling": {}}))
    _, questions = ask(f, revision, [SAMPLED], {"sampling": {"tools": {}}})
    assert questions[0]["params"]["messages"][1] == USE


def ask_error(function, revision, capabilities):
    with talk(serve(function), revision, [], capabilities) as client:
        try:
            return client.request("tools/call", call_params("f"))
        except McpError as error:
            return [error.code, error.message, error.data]


@pytest.mark.parametrize("revision", ALL_DATES)
def test_context_of_servers_needs_to_be_declared_where_that_exists(revision):
    def f(ctx):
        return ctx.sample("x", 5, include_context="thisServer")["content"]["text"]
    if revision in WITH_URLS:
        assert "sampling.context" in json.dumps(ask_error(f, revision, {"sampling": {}}))
        capabilities = {"sampling": {"context": {}}}
    else:
        capabilities = {"sampling": {}}
    assert ask(f, revision, [SAMPLED], capabilities)[1][0]["params"]["includeContext"] == "thisServer"


def test_all_missing_capabilities_are_named_at_once():
    def f(ctx):
        ctx.ask_all({"a": {"method": "roots/list"}, "b": new_elicit("?", NAME_FORM), "c": new_elicit_url("?", "https://x.example/"),
                     "d": new_sample("x", 5), "e": new_sample("x", 5, tool_choice={"mode": "none"})})
    code, message, data = ask_error(f, MODERN, {"elicitation": {}, "sampling": {}})
    assert code == -32021
    assert message == ("the client has not declared the capability roots, which this needs; "
                       "the client has not declared the capability elicitation.url, which this needs; "
                       "the client has not declared the capability sampling.tools, which this needs")
    assert data == {"requiredCapabilities": {"roots": {}, "elicitation": {"url": {}}, "sampling": {"tools": {}}}}


@pytest.mark.parametrize("revision", ALL_DATES)
def test_a_missing_capability_that_nobody_catches(revision):
    outcome = ask_error(lambda ctx: ctx.roots(), revision, {})
    text = "the client has not declared the capability roots, which this needs"
    if revision == MODERN:
        assert outcome == [-32021, text, {"requiredCapabilities": {"roots": {}}}]
    else:
        assert outcome == {"content": [{"type": "text", "text": text}], "isError": True}


@pytest.mark.parametrize("revision, code", [("2025-11-25", -32603), (MODERN, -32021)])
def test_a_missing_capability_in_a_prompt(revision, code):
    server = Server("asker")
    server.prompt(lambda ctx: ctx.roots(), name="p")
    with talk(server, revision, [], {}) as client, pytest.raises(McpError) as caught:
        client.request("prompts/get", {"name": "p"})
    assert caught.value.code == code


# Messages of old revisions


@pytest.mark.parametrize("revision", HANDSHAKE_DATES[:3])
def test_a_message_of_several_blocks_becomes_several(revision):
    message = {"role": "user", "content": ["a", {"type": "image", "data": "aGk=", "mimeType": "image/png"}]}
    _, questions = ask(lambda ctx: ctx.sample([message], 5), revision, [SAMPLED])
    assert questions[0]["params"]["messages"] == [
        {"role": "user", "content": {"type": "text", "text": "a"}},
        {"role": "user", "content": {"type": "image", "data": "aGk=", "mimeType": "image/png"}}]


@pytest.mark.parametrize("revision", WITH_URLS)
def test_a_message_of_several_blocks_stays_one(revision):
    _, questions = ask(lambda ctx: ctx.sample({"role": "user", "content": ["a", "b"]}, 5), revision, [SAMPLED])
    assert questions[0]["params"]["messages"] == [
        {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}]


@pytest.mark.parametrize("revision", ALL_DATES)
def test_audio_from_2025_03_26_on(revision):
    def f(ctx):
        return ctx.sample({"type": "audio", "data": "aGk=", "mimeType": "audio/wav"}, 5)["content"]["text"]
    if revision == "2024-11-05":
        assert text_of(ask(f, revision)[0]) == "the client speaks revision 2024-11-05, which has no audio in sampling"
    else:
        assert text_of(ask(f, revision, [SAMPLED])[0]) == "Paris"


# Answers

WRONG_ANSWERS = [
    (lambda ctx: ctx.elicit("?", NAME_FORM), {"action": "ok"}, "the answer to elicitation/create: /action: "),
    (lambda ctx: ctx.elicit("?", NAME_FORM), {}, 'the answer to elicitation/create: required property "action" is missing'),
    (lambda ctx: ctx.elicit("?", NAME_FORM), {"action": "accept"},
     'the answer to elicitation/create: required property "name" is missing'),
    (lambda ctx: ctx.elicit("?", NAME_FORM), {"action": "accept", "content": {"name": 3}},
     "the answer to elicitation/create: /name: expected string, got integer 3"),
    (lambda ctx: ctx.elicit("?", NAME_FORM), {"action": "decline", "content": "no"},
     "the answer to elicitation/create: /content: "),
    (lambda ctx: ctx.roots(), {"roots": None}, "the answer to roots/list: /roots: "),
    (lambda ctx: ctx.roots(), {"roots": [{"name": "x"}]}, 'the answer to roots/list: /roots/0: required property "uri" is missing'),
    (lambda ctx: ctx.sample("x", 5), {"role": "assistant", "model": "m"},
     'the answer to sampling/createMessage: required property "content" is missing'),
    (lambda ctx: ctx.sample("x", 5), dict(SAMPLED, model=3), "the answer to sampling/createMessage: /model: "),
    (lambda ctx: ctx.sample("x", 5), dict(SAMPLED, content=["x"]), "the answer to sampling/createMessage: /content: "),
    (lambda ctx: ctx.sample("x", 5), dict(SAMPLED, content={"type": "text"}),
     "the answer to sampling/createMessage: a text block: required property \"text\" is missing"),
    (lambda ctx: ctx.sample("x", 5), dict(SAMPLED, content={"type": "video"}),
     "the answer to sampling/createMessage: the content is "),
]


@pytest.mark.parametrize("asking, answer, text", WRONG_ANSWERS)
def test_a_malformed_answer_is_an_error_in_the_handler_of_a_handshake_revision(asking, answer, text):
    def f(ctx):
        with pytest.raises(McpError) as caught:
            asking(ctx)
        assert caught.value.code == -32602
        return caught.value.message
    result, _ = ask(f, "2025-11-25", [answer], ours="server")
    assert text_of(result).startswith(text)


@pytest.mark.parametrize("asking, answer, text", WRONG_ANSWERS)
def test_a_malformed_answer_refuses_the_round_of_a_stateless_revision(asking, answer, text):
    def f(ctx):
        try:
            return asking(ctx)
        except BaseException:       # whatever a handler catches: it never sees such an answer
            return "caught"
    with talk(serve(f), MODERN, [answer], ours="server") as client, pytest.raises(McpError) as caught:
        client.request("tools/call", call_params("f"))
    assert caught.value.code == -32602
    assert caught.value.message.startswith("Invalid params: inputResponses: q1: " + text)


@pytest.mark.parametrize("revision", HANDSHAKE_DATES)
def test_an_error_of_the_client_is_an_exception_in_the_handler(revision):
    def refuse(question):
        raise McpError(-1, "User rejected sampling request")

    def f(ctx):
        with pytest.raises(McpError) as caught:
            ctx.sample("x", 5)
        return str(caught.value)
    assert text_of(ask(f, revision, refuse)[0]) == "User rejected sampling request (code -1)"


@pytest.mark.parametrize("content", [
    {"type": "text", "text": "a"}, [{"type": "text", "text": "a"}],
    [{"type": "tool_use", "id": "1", "name": "t", "input": {"city": "Paris"}}, {"type": "text", "text": "b"}],
    {"type": "image", "data": "aGk=", "mimeType": "image/png"}])
@pytest.mark.parametrize("revision", WITH_URLS)
def test_every_content_of_a_sampled_message_arrives(revision, content):
    tools = [{"name": "t", "inputSchema": {"type": "object"}}]
    result, _ = ask(lambda ctx: json.dumps(ctx.sample("x", 5, tools=tools)["content"]), revision, [dict(SAMPLED, content=content)])
    assert json.loads(text_of(result)) == content


# Where nobody can be asked


@pytest.mark.parametrize("revision", ALL_DATES)
def test_a_request_that_has_ended_asks_nobody(revision):
    kept = []
    with talk(serve(lambda ctx: kept.append(ctx)), revision) as client:
        client.request("tools/call", call_params("f"))
        with pytest.raises(LocalProtocolError, match="has ended: its client cannot be asked any more$"):
            kept[0].roots()


def test_other_methods_ask_in_handshake_revisions_only():
    server = Server("asker")
    server.handlers["acme/where"] = lambda params, ctx: ctx.roots()
    with talk(server, "2025-11-25", [ROOTS], ours="server") as client:
        assert client.request("acme/where") == ROOTS
    with talk(server, MODERN, [ROOTS], ours="server") as client, pytest.raises(McpError) as caught:
        client.request("acme/where")
    assert (caught.value.code, client.questions) == (-32603, [])


# The same handler in every revision


def test_check_handler_gives_the_newest_result():
    def greet(polite: bool, ctx) -> str:
        return ("Good day, " if polite else "Hi ") + ctx.elicit("Who?", NAME_FORM)["content"]["name"]
    assert check_handler(greet, {"polite": True}, [ACCEPT]) == {"content": [{"type": "text", "text": "Good day, Ann"}]}


def test_check_handler_fits_results_to_what_a_revision_can_hold():
    from mcplite import audio, resource_link, tool_result

    check_handler(lambda: tool_result(audio(b"hi", "audio/wav"), resource_link("memo://a", "a", title="A"), structured=[1, 2]))


def test_check_handler_notices_a_difference():
    with pytest.raises(AssertionError) as caught:
        check_handler(lambda ctx: "text of %s" % ctx.revision)
    assert str(caught.value).startswith("2025-11-25: another result than in 2026-07-28: ")


def test_check_handler_notices_another_number_of_questions():
    def f(ctx):
        ctx.roots()
        if ctx.revision < "2025-11-25":
            ctx.roots()
    with pytest.raises(AssertionError) as caught:
        check_handler(f, {}, lambda question: ROOTS)
    assert str(caught.value) == "2025-06-18: another number of questions than in 2026-07-28: 2, not 1"


def test_check_handler_notices_a_question_without_an_answer_even_when_the_handler_hides_it():
    def f(ctx):
        try:
            ctx.roots()
        except Exception:
            pass
    with pytest.raises(AssertionError) as caught:
        check_handler(f)
    assert str(caught.value) == 'question 1 has no answer: {"method":"roots/list"}'


def test_check_handler_notices_an_answer_without_a_question():
    with pytest.raises(AssertionError) as caught:
        check_handler(lambda ctx: None, {}, [ROOTS])
    assert str(caught.value) == "2026-07-28: 0 questions were asked, and there are 1 answers"


def test_check_handler_leaves_out_revisions_that_cannot_ask():
    seen = []

    def f(ctx):
        seen.append(ctx.revision)
        ctx.elicit_url("Pay", "https://x.example/")
    check_handler(f, {}, [{"action": "accept"}])
    assert seen == [MODERN, MODERN, "2025-11-25"]


def test_check_server_raises_the_error_that_all_share():
    server = Server("s")
    server.prompt(lambda: "x", name="p")
    with pytest.raises(McpError) as caught:
        check_server(server, "prompts/get", {"name": "other"})
    assert caught.value.message == "Unknown prompt: other"


def test_check_server_takes_resources_whose_codes_differ():
    server = Server("s")
    server.resource("memo://a", name="a", ttl_ms=5)(lambda: b"\x00")
    assert check_server(server, "resources/read", {"uri": "memo://a"}) == {"contents": [{"uri": "memo://a", "blob": "AA=="}]}
    with pytest.raises(McpError, match=r"^Resource not found: memo://b"):
        check_server(server, "resources/read", {"uri": "memo://b"})
