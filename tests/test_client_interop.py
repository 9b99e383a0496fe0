"""The client against servers that nobody here wrote, and against one made with the official SDK 2.x, in both eras.

Slow, and in need of the environments of tests/interop/environments.py: `make interop` makes them. A server that is not
installed skips its tests and says why.
"""
from __future__ import annotations

import os
import sys
import time

import pytest
from client_helpers import FAKES, MODERN

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "interop"))
import environments

from mcplite import Client, McpError

pytestmark = [pytest.mark.slow, pytest.mark.interop]


def installed(peer, *arguments):
    reason = environments.missing(peer)
    if reason:
        pytest.skip(reason)
    return [environments.program(peer), *arguments]


def answer(result):
    return result["content"][0]["text"]


@pytest.fixture(params=[None, "handshake"])
def official(request):
    """A connected client of the server made with the Python SDK 2.x; what callbacks got is in ``client.told``."""
    told = {"logs": [], "changed": [], "updated": [], "asked": []}
    command = installed("py2", os.path.join(FAKES, "official_py2.py"))
    with Client(command, revision=request.param, roots=["/tmp"], on_log=told["logs"].append, probe_timeout=30,
                on_list_changed=told["changed"].append, on_updated=told["updated"].append, on_sample=lambda params: "Jo",
                on_elicit=lambda params: told["asked"].append(params["message"]) or {"size": "L"}) as client:
        client.told = told
        assert client.revision == (MODERN if request.param is None else "2025-11-25")
        yield client
        assert client.noise_count == 0


def test_official_2_introduces_itself_and_lists(official):
    assert official.server_info["name"] == "official"
    assert official.instructions == "be kind"
    assert [tool["name"] for tool in official.list_tools()] == ["add", "order", "steps", "slow", "change"]
    assert [item["uri"] for item in official.list_resources()] == ["list://all"]
    assert [item["uriTemplate"] for item in official.list_resource_templates()] == ["memo://{n}"]
    assert [item["name"] for item in official.list_prompts()] == ["greet"]


def test_official_2_reads_prompts_and_completes(official):
    assert official.read_resource("memo://7")["contents"][0]["text"] == "memo 7"
    with pytest.raises(McpError):
        official.read_resource("gone://7")
    assert official.get_prompt("greet", {"who": "you"})["messages"][0]["content"]["text"] == "hello you"
    assert official.complete("greet", "who", "x")["completion"]["values"] == ["xa", "xb"]
    assert official.ping() is not None


def test_official_2_structured_results_are_checked(official):
    assert official.call_tool("add", {"a": 1, "b": 2})["structuredContent"] == {"n": 3}
    assert official._schemas.schemas["add"]["properties"]["n"]["type"] == "integer"


def test_official_2_unknown_tools_and_bad_arguments(official):
    assert answer(official.call_tool("nope")) == "Unknown tool: nope"
    assert official.call_tool("add", {"a": "x"})["isError"] is True


def test_official_2_questions(official):
    assert answer(official.call_tool("order")) == "L x3 for Jo in file:///tmp"
    assert official.told["asked"] == ["Which size?"]


def test_official_2_progress_and_logs(official):
    steps = []
    assert answer(official.call_tool("steps", on_progress=lambda *values: steps.append(values))) == "done"
    assert steps == [(1, 2, "half"), (2, 2, "all")]
    # its 2026-07-28 side declares no logging capability, so none is asked for
    assert [params["data"] for params in official.told["logs"]] == ([] if official.revision == MODERN else ["careful"])


def test_official_2_a_call_that_takes_too_long_is_cancelled(official):
    since = time.monotonic()
    with pytest.raises(McpError) as caught:
        official.call_tool("slow", timeout=0.5)
    assert caught.value.code == -32001 and time.monotonic() - since < 3
    assert official.call_tool("add", {"a": 1, "b": 1})["structuredContent"] == {"n": 2}


def test_official_2_subscriptions(official):
    if official.revision != MODERN:
        pytest.skip("the SDK's notify_ methods reach subscriptions/listen only, which this revision does not have")
    official.subscribe("memo://1")
    with official.listen(tools=True) as stream:
        assert stream.agreed == {"toolsListChanged": True}
        official.call_tool("change")
        official.poll(0.5)
    assert official.told["updated"] == ["memo://1"]
    assert official.told["changed"].count("tools") >= 1


# Servers that nobody here wrote


def converse(command, **options):
    """Connect, list everything that is declared, and return the client still open."""
    client = Client(command, timeout=30, probe_timeout=20, roots=["/tmp"], **options)
    try:
        tools = [tool["name"] for tool in client.list_tools()]
        for kind, functions in (("resources", (client.list_resources, client.list_resource_templates)),
                                ("prompts", (client.list_prompts,))):
            for function in functions if kind in client.capabilities else ():
                list(function())
        assert client.ping() == {}
        assert client.noise_count == client.unmatched == 0
        return client, tools
    except BaseException:
        client.close()
        raise


def test_everything():
    logs, steps, changed = [], [], []
    client, _ = converse(installed("server-everything"), on_log=logs.append, on_list_changed=changed.append, on_elicit_url=len,
                             on_sample=lambda params: "a haiku", on_elicit=lambda params: {"name": "Jo", "check": True})
    with client:
        client.poll(1)                                      # it adds tools when it has our roots
        assert len(list(client.list_tools())) == 17
        assert answer(client.call_tool("echo", {"message": "hi"})) == "Echo: hi"
        assert "completed" in answer(client.call_tool("trigger-long-running-operation", {"duration": 0.3, "steps": 3},
                                                      on_progress=lambda *values: steps.append(values[:2])))
        assert steps == [(1, 3), (2, 3), (3, 3)]
        assert "file:///tmp" in answer(client.call_tool("get-roots-list"))
        assert "- Name: Jo" in client.call_tool("trigger-elicitation-request")["content"][1]["text"]
        assert "a haiku" in answer(client.call_tool("trigger-sampling-request", {"prompt": "x"}))
        assert set(client.call_tool("get-structured-content", {"location": "Chicago"})["structuredContent"]) == {
            "temperature", "conditions", "humidity"}
        assert changed and set(changed) == {"tools"}


def test_everything_without_callbacks_lists_less():
    client, tools = Client(installed("server-everything"), timeout=30, probe_timeout=20), None
    with client:
        tools = list(client.list_tools())
    assert len(tools) == 13


def test_filesystem_takes_our_roots(tmp_path):
    client, _ = converse(installed("server-filesystem", str(tmp_path)))
    with client:
        client.poll(1)
        assert answer(client.call_tool("list_allowed_directories")).splitlines()[-1] == os.path.realpath("/tmp")


def test_memory(tmp_path):
    client, _ = converse(installed("server-memory"), env={"MEMORY_FILE_PATH": str(tmp_path / "memory.json")})
    with client:
        client.call_tool("create_entities", {"entities": [{"name": "Jo", "entityType": "person", "observations": ["kind"]}]})
        assert client.call_tool("read_graph")["structuredContent"]["entities"][0]["name"] == "Jo"


def test_sequential_thinking():
    client, _ = converse(installed("server-sequential-thinking"))
    with client:
        thought = {"thought": "x", "nextThoughtNeeded": False, "thoughtNumber": 1, "totalThoughts": 1}
        assert client.call_tool("sequentialthinking", thought)["structuredContent"]["thoughtHistoryLength"] == 1


def test_time():
    client, _ = converse(installed("server-time"))
    with client:
        assert '"timezone": "UTC"' in answer(client.call_tool("get_current_time", {"timezone": "UTC"}))


def test_git():
    client, _ = converse(installed("server-git"))
    with client:
        repository = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        assert answer(client.call_tool("git_status", {"repo_path": repository})).startswith("Repository status:")
