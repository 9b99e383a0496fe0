"""The server that the official conformance suite calls: a stdio server like any other, of the public names only.

What lives here: the tools, resources, prompts and completions that the suite's scenarios ask for, by the names and with
the words that they want. What must not: anything of HTTP (``bridge``), or of which scenario counts (``run``).
"""

from __future__ import annotations

import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

from mcplite import Server, ToolError, audio, embedded, image, text

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c63fccfc0f01f0005050201"
    "5f0bf1d20000000049454e44ae426082")
WAV = b"RIFF&\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00@\x1f\x00\x00\x80>\x00\x00\x02\x00\x10\x00data\x02\x00\x00\x00\x00\x00"
PAUSE = 0.05        # seconds between notifications, as the scenarios describe

server = Server("conformance", "1.0.0")


def form(required=None, **properties):
    """A form of these fields, all of them required unless said otherwise."""
    return {"type": "object", "properties": properties, "required": list(properties) if required is None else required}


def question(message, **properties):
    return {"method": "elicitation/create", "params": {"message": message, "requestedSchema": form(**properties)}}


def sampling(message, max_tokens):
    return {"method": "sampling/createMessage", "params": {"messages": [message], "maxTokens": max_tokens}}


TEXT = {"type": "string"}
ASK_NAME = question("What is your name?", name=TEXT)


# Tools: content


@server.tool
def test_simple_text() -> str:
    """A text."""
    return "This is a simple text response for testing."


@server.tool
def test_image_content():
    """An image."""
    return image(PNG, "image/png")


@server.tool
def test_audio_content():
    """A sound."""
    return audio(WAV, "audio/wav")


@server.tool
def test_embedded_resource():
    """An embedded resource."""
    return embedded("test://embedded-resource", "This is an embedded resource content.", "text/plain")


@server.tool
def test_multiple_content_types():
    """A text, an image and an embedded resource."""
    return [text("Multiple content types test:"), image(PNG, "image/png"),
            embedded("test://mixed-content-resource", '{"test":"data","value":123}', "application/json")]


@server.tool
def test_error_handling():
    """An error."""
    raise ToolError("This tool intentionally returns an error for testing")


@server.tool
def test_tool_with_logging(ctx) -> str:
    """Three log messages."""
    ctx.log("info", "Tool execution started")
    time.sleep(PAUSE)
    ctx.log("info", "Tool processing data")
    time.sleep(PAUSE)
    ctx.log("info", "Tool execution completed")
    return "Tool with logging executed successfully"


@server.tool
def test_tool_with_progress(ctx) -> str:
    """Progress in three steps."""
    for number in (0, 50, 100):
        ctx.progress(number, 100)
        time.sleep(PAUSE)
    return "Tool with progress executed successfully"


JSON_SCHEMA_2020_12 = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {"address": {"$anchor": "addressDef", "type": "object", "properties": {"street": TEXT, "city": TEXT}}},
    "properties": {
        "name": TEXT, "address": {"$ref": "#/$defs/address"}, "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": TEXT, "email": TEXT},
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


@server.tool(input_schema=JSON_SCHEMA_2020_12)
def json_schema_2020_12_tool(arguments):
    """Tool with JSON Schema 2020-12 features"""
    return arguments


# Tools: questions


@server.tool
def test_sampling(prompt: str, ctx) -> str:
    """What the client's model says."""
    return "LLM response: %s" % ctx.sample(prompt, 100)["content"]["text"]


@server.tool
def test_elicitation(message: str, ctx) -> str:
    """What the client's user says."""
    answer = ctx.elicit(message, form(username={"type": "string", "description": "User's response"},
                                      email={"type": "string", "description": "User's email address"}))
    return "User response: action=%s, content=%s" % (answer["action"], answer.get("content"))


@server.tool
def test_elicitation_sep1034_defaults(ctx) -> str:
    """A form of defaults."""
    answer = ctx.elicit("Please check the defaults", form(
        [], name={"type": "string", "default": "John Doe"}, age={"type": "integer", "default": 30},
        score={"type": "number", "default": 95.5},
        status={"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        verified={"type": "boolean", "default": True}))
    return "Elicitation completed: action=%s, content=%s" % (answer["action"], answer.get("content"))


def choices(*titles):
    return [{"const": "value%d" % number, "title": title} for number, title in enumerate(titles, 1)]


@server.tool
def test_elicitation_sep1330_enums(ctx) -> str:
    """A form of choices."""
    options = ["option1", "option2", "option3"]
    answer = ctx.elicit("Please choose", form(
        [], untitledSingle={"type": "string", "enum": options},
        titledSingle={"type": "string", "oneOf": choices("First Option", "Second Option", "Third Option")},
        legacyEnum={"type": "string", "enum": ["opt1", "opt2", "opt3"], "enumNames": ["Option One", "Option Two", "Option Three"]},
        untitledMulti={"type": "array", "items": {"type": "string", "enum": options}},
        titledMulti={"type": "array", "items": {"anyOf": choices("First Choice", "Second Choice", "Third Choice")}}))
    return "Elicitation completed: action=%s, content=%s" % (answer["action"], answer.get("content"))


# Tools: questions over several rounds (2026-07-28, basic/patterns/mrtr)


@server.tool
def test_input_required_result_elicitation(ctx) -> str:
    """A form under a key."""
    answer = ctx.ask_all({"user_name": ASK_NAME})["user_name"]
    return "Hello, %s!" % answer.get("content", {}).get("name", "whoever you are")


@server.tool
def test_input_required_result_sampling(ctx) -> str:
    """A sampled message under a key."""
    return ctx.sample("What is the capital of France?", 100, key="capital_question")["content"]["text"]


@server.tool
def test_input_required_result_list_roots(ctx) -> str:
    """The client's roots under a key."""
    return ", ".join(root["uri"] for root in ctx.roots(key="client_roots")["roots"])


@server.tool
def test_input_required_result_request_state(ctx) -> str:
    """A question that travels with a state."""
    ctx.elicit("Please confirm", form(ok={"type": "boolean"}), key="confirm")
    return "state-ok"


@server.tool
def test_input_required_result_multiple_inputs(ctx) -> str:
    """One question of each kind, at once."""
    answers = ctx.ask_all({"user_name": ASK_NAME, "greeting": sampling("Generate a greeting", 50),
                           "client_roots": {"method": "roots/list"}})
    return "Answered: %s" % ", ".join(sorted(answers))


@server.tool
def test_input_required_result_multi_round(ctx) -> str:
    """Two questions, one after the other."""
    name = ctx.elicit("Step 1: What is your name?", form(name=TEXT), key="step1")
    color = ctx.elicit("Step 2: What is your favorite color?", form(color=TEXT), key="step2")
    return "%s, %s" % (name["action"], color["action"])


@server.tool
def test_input_required_result_tampered_state(ctx) -> str:
    """A question whose state nobody may change."""
    return ctx.elicit("Please confirm", form(ok={"type": "boolean"}), key="confirm")["action"]


@server.tool
def test_input_required_result_capabilities(ctx) -> str:
    """Only what the client has declared is asked."""
    wanted = {"elicitation": ("elicit_input", question("Elicitation input", value=TEXT)),
              "sampling": ("sample_input", sampling("Sample request", 50))}
    questions = dict(wanted[name] for name in wanted if name in ctx.client_capabilities)
    return "Answered: %s" % ", ".join(sorted(ctx.ask_all(questions)))


@server.tool
def test_missing_capability(ctx) -> str:
    """Needs sampling, whatever the client has declared."""
    return ctx.sample("Hello", 10)["content"]["text"]


@server.tool
def test_streaming_elicitation(ctx) -> str:
    """A question with progress before it."""
    ctx.progress(50, 100)
    return ctx.elicit("Continue?", form(ok={"type": "boolean"}), key="go_on")["action"]


@server.tool
def test_logging_tool(ctx) -> str:
    """A log message for those who asked for one."""
    ctx.log("info", "Diagnostic trace")
    return "Logging evaluated"


@server.tool
def test_trigger_tool_change() -> str:
    """The list of tools changes."""
    server.tool(test_simple_text, name="test_added_tool")
    server.remove_tool("test_added_tool")
    return "Mutation triggered"


@server.tool
def test_trigger_prompt_change() -> str:
    """The list of prompts changes."""
    server.prompt(test_simple_prompt, name="test_added_prompt")
    server.remove_prompt("test_added_prompt")
    return "Mutation triggered"


# Resources


@server.resource("test://static-text", mime_type="text/plain")
def static_text():
    """A text that never changes."""
    return "This is the content of the static text resource."


@server.resource("test://static-binary", mime_type="image/png")
def static_binary():
    """An image that never changes."""
    return PNG


@server.resource("test://watched-resource", mime_type="text/plain")
def watched_resource():
    """A text to subscribe to."""
    return "Watched resource content"


@server.resource("test://template/{id}/data", mime_type="application/json")
def template_data(id: str):
    """A resource for each id."""
    return {"id": id, "templateTest": True, "data": "Data for ID: %s" % id}


# Prompts


@server.prompt
def test_simple_prompt():
    """A prompt without arguments."""
    return "This is a simple prompt for testing."


@server.prompt
def test_prompt_with_arguments(arg1: str, arg2: str):
    """A prompt with two arguments."""
    return "Prompt with arguments: arg1='%s', arg2='%s'" % (arg1, arg2)


@server.prompt
def test_prompt_with_embedded_resource(resourceUri: str):
    """A prompt with a resource in it."""
    return [embedded(resourceUri, "Embedded resource content for testing.", "text/plain"),
            text("Please process the embedded resource above.")]


@server.prompt
def test_prompt_with_image():
    """A prompt with an image in it."""
    return [image(PNG, "image/png"), text("Please analyze the image above.")]


@server.prompt
def test_input_required_result_prompt(ctx):
    """A prompt that asks first."""
    answer = ctx.elicit("What context should the prompt use?", form(context=TEXT), key="user_context")
    return "The context is: %s" % answer.get("content", {}).get("context", "none")


@server.completion("test_prompt_with_arguments", "arg1")
def complete_arg1(value):
    return [word for word in ("paris", "park", "party") if word.startswith(value)]


if __name__ == "__main__":
    server.run()
