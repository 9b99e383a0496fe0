"""What a user of the client sees by tab completion and ``help()``: these names, and nothing else."""
from __future__ import annotations

import inspect

import pytest

from mcplite import Client, Server
from mcplite.testing import MemoryClient

CLIENT_NAMES = {
    "list_tools", "call_tool", "list_resources", "list_resource_templates", "read_resource", "subscribe", "unsubscribe", "listen",
    "list_prompts", "get_prompt", "complete", "ping", "set_log_level", "set_roots", "request", "notify", "poll", "close",
    "read_stderr", "server_info", "capabilities", "revision", "instructions", "handlers", "notified", "unmatched", "noise",
    "noise_count", "timeout", "check_results"}
SUBSCRIPTION_NAMES = {"id", "agreed", "ended", "reason", "error", "close"}
MEMORY_CLIENT_NAMES = {
    "request", "request_once", "send_request", "notify", "write", "run", "close", "transcript", "questions", "notifications", "responses",
    "capabilities", "initialize_result"}


def public_names(found):
    return {name for name in dir(found) if not name.startswith("_")}


@pytest.fixture
def server():
    server = Server("surface", version="1")

    @server.resource("memo://1")
    def memo() -> str:
        return "text"

    return server


@pytest.mark.parametrize("revision", ["handshake", None])
def test_a_client_shows_what_a_user_needs(server, revision):
    with Client(server, revision=revision) as client:
        assert public_names(client) == CLIENT_NAMES


def test_a_closed_client_shows_the_same(server):
    client = Client(server)
    client.close()
    assert public_names(client) == CLIENT_NAMES


def test_every_public_method_of_the_client_says_what_it_does():
    undocumented = [name for name in public_names(Client) if not inspect.getdoc(getattr(Client, name))]
    assert undocumented == []


def test_a_stream_of_changes_shows_what_a_user_needs(server):
    with Client(server) as client, client.listen(uris=["memo://1"]) as stream:
        assert public_names(stream) == SUBSCRIPTION_NAMES


def test_the_client_in_memory_shows_what_a_test_needs(server):
    with MemoryClient(server) as client:
        assert public_names(client) == MEMORY_CLIENT_NAMES
