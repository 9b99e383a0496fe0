"""What the examples do not show, through the official SDK clients: every content type, pages, list changes, noise.

One run of each driver takes all the steps; each test then judges its own.
"""

from __future__ import annotations

import base64
import os

import pytest

from .driving import HERE, check_steps, drive, is_modern, named_steps, server_command
from .gallery import CAFE, PIXEL, SOUND
from .scenarios import LOG_LEVEL, data, refused, said, tool

pytestmark = [pytest.mark.slow, pytest.mark.interop]

TOOLS = ["all_content", "noisy", "broken", "nothing", "wide", "grow", "every_level", "survey"]
IMAGE = {"type": "image", "data": base64.b64encode(PIXEL).decode("ascii"), "mimeType": "image/png"}
NOTE = {"type": "resource", "resource": {"uri": "gallery://note", "mimeType": "text/plain", "text": "a note"}}
CONTENT = [
    {"type": "text", "text": CAFE, "annotations": {"audience": ["user"], "priority": 0.5}},
    IMAGE,
    {"type": "audio", "data": base64.b64encode(SOUND).decode("ascii"), "mimeType": "audio/wav"},
    {"type": "resource_link", "uri": "gallery://blob", "name": "blob", "mimeType": "application/octet-stream"},
    NOTE,
    {"type": "resource", "resource": {"uri": "gallery://pixel", "mimeType": "image/png", "blob": IMAGE["data"]}},
]
ANSWER = {"name": "Ada", "mail": "ada@example.org", "age": 36, "height": 1.7, "member": False, "size": "M"}
FORM = {"method": "elicitation/create", "message": "Tell me about you", "requestedSchema": {
    "type": "object", "required": ["name"], "properties": {
        "name": {"type": "string", "minLength": 1, "maxLength": 20},
        "mail": {"type": "string", "format": "email"},
        "age": {"type": "integer", "minimum": 0, "maximum": 150},
        "height": {"type": "number"},
        "member": {"type": "boolean", "default": True},
        "size": {"type": "string", "enum": ["S", "M"], "enumNames": ["small", "medium"]},
    }}}

PRINTING = [
    ("a tool that prints", tool("noisy"), {"result": said("quiet")}),
    ("and again", tool("noisy"), {"result": said("quiet")}),
]
FAILING = [
    ("a tool that raises", tool("broken"), {"result": refused("no such city")}),
    ("a tool without a result", tool("nothing"), {"result": {"content": []}}),
    ("a resource that raises", {"do": "read", "uri": "gallery://broken"}, {"code": -32603}),
]
ALL_CONTENT = [("content", tool("all_content"), {"result": {"content": CONTENT}})]
LONG = [("a megabyte", tool("wide", {"n": 1000000}), {"result": said("x" * 1000000)})]
PAGES = [("pages", {"do": "all_tools"}, {"result": {"names": TOOLS}})]
SURVEY = [("survey", tool("survey", answers={"elicitation/create": [{"action": "accept", "content": ANSWER}]}), {
    "result": data(ANSWER), "questions": [FORM]})]
READING = [
    ("blob", {"do": "read", "uri": "gallery://blob"}, {"result": {"contents": [
        {"uri": "gallery://blob", "blob": base64.b64encode(bytes(range(256))).decode("ascii")}]}}),
    ("several", {"do": "read", "uri": "gallery://several"}, {"result": {"contents": [
        {"uri": "gallery://several/1", "text": "one", "mimeType": "text/plain"},
        {"uri": "gallery://several/2", "blob": "AAEC", "mimeType": "application/octet-stream"}]}}),
    ("decoded once", {"do": "read", "uri": "gallery://paths/x%2520y/a/b"}, {"result": {"contents": [
        {"uri": "gallery://paths/x%2520y/a/b", "text": "x%20y, a/b"}]}}),
]
PICTURE = {"do": "get_prompt", "prompt": "picture"}
PROMPTS = [
    ("picture", dict(PICTURE, arguments={"subject": "cat", "count": "2"}), {"result": {
        "description": "Messages with every content type, and an argument that is converted.",
        "messages": [
            {"role": "user", "content": {"type": "text", "text": "cat cat"}},
            {"role": "user", "content": IMAGE},
            {"role": "assistant", "content": NOTE},
        ]}}),
    ("bad number", dict(PICTURE, arguments={"subject": "cat", "count": "two"}), {"code": -32602}),
]
COMPLETING = [("complete", {"do": "complete", "ref": {"type": "ref/prompt", "name": "picture"},
                            "argument": {"name": "subject", "value": "c"}}, {
    "result": {"completion": {"values": ["c%03d" % number for number in range(100)], "total": 250, "hasMore": True}}})]


def logging(modern):
    """All eight levels, and what is heard of them from warning on."""
    heard = ["warning", "error", "critical", "alert", "emergency"]
    logged = {"result": said("logged"),
              "events": {"notifications/message": [{"level": level, "data": level} for level in heard]}}
    if modern:
        return [("log", tool("every_level", events=5, meta={LOG_LEVEL: "warning"}), logged),
                ("log unasked", tool("every_level"), {"result": said("logged")})]
    return [("level", {"do": "set_level", "level": "warning"}, {"result": {}}),
            ("log", tool("every_level", events=5), logged)]


def growing(modern):
    """A tool and a prompt that come while the server serves."""
    listen = {"do": "listen", "filter": {"tools_list_changed": True, "prompts_list_changed": True}}
    honoured = {"result": {"toolsListChanged": True, "promptsListChanged": True}}
    changed = {"notifications/tools/list_changed": [{}], "notifications/prompts/list_changed": [{}]}
    return ([("listen", listen, honoured)] if modern else []) + [
        ("grow", tool("grow", events=2), {"result": said("done"), "events": changed}),
        ("list again", {"do": "all_tools"}, {"result": {"names": TOOLS + ["grown"]}}),
        ("call the new one", tool("grown"), {"result": said("grown")}),
        ("get the new one", {"do": "get_prompt", "prompt": "grown"}, {"result": {"messages": [
            {"role": "user", "content": {"type": "text", "text": "grown"}}]}}),
    ]


@pytest.fixture(scope="module", params=["py1", "py2-legacy", "py2-auto", "ts1", "ts2-legacy", "ts2-auto"])
def seen(request, tmp_path_factory):
    """A driver of each SDK and era, and its report of all the steps."""
    driver = request.param
    steps = (PAGES + ALL_CONTENT + PRINTING + FAILING + LONG + SURVEY + READING + PROMPTS + COMPLETING
             + logging(is_modern(driver)) + growing(is_modern(driver)))
    gallery = server_command(os.path.join(HERE, "gallery.py"))
    return driver, drive(driver, named_steps(steps), gallery, tmp_path_factory.mktemp("gallery"))


@pytest.mark.parametrize("steps", [
    pytest.param(PAGES, id="pages"),
    pytest.param(ALL_CONTENT, id="every content type"),
    pytest.param(PRINTING, id="printing"),
    pytest.param(FAILING, id="failing"),
    pytest.param(LONG, id="a megabyte"),
    pytest.param(SURVEY, id="a form with every kind of field"),
    pytest.param(READING, id="blobs, several contents, escapes"),
    pytest.param(PROMPTS, id="a prompt with pictures"),
    pytest.param(COMPLETING, id="completion is cut at a hundred"),
])
def test_what_arrives(seen, steps):
    driver, report = seen
    check_steps(driver, steps, report)


def test_log_messages_from_a_level_on(seen):
    driver, report = seen
    check_steps(driver, logging(is_modern(driver)), report)


def test_new_tools_and_prompts_are_announced(seen):
    driver, report = seen
    check_steps(driver, growing(is_modern(driver)), report)


def test_what_was_printed_and_raised_is_on_standard_error(seen):
    _, report = seen
    lines = report["stderr"].splitlines()
    told = [line for line in lines if line.startswith(("printed", "ValueError", "KeyError"))]
    printed = ["printed by the tool", "printed by the child 0"]
    assert told == printed * 2 + ["ValueError: no such city", "KeyError: 'gone'"]
