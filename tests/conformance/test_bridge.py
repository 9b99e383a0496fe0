"""The bridge and the table of ``make conformance``: neither may hide a fault. The suite itself is not needed here."""

from __future__ import annotations

import http.client
import json
import os
import sys
import urllib.parse

import pytest

from . import run
from .bridge import META, Bridge

HERE = os.path.dirname(os.path.abspath(__file__))
STATELESS = {META + "protocolVersion": "2026-07-28", META + "clientCapabilities": {}}
STRAY = """
import sys
for line in sys.stdin:
    print('{"jsonrpc":"2.0","id":"nobody asked","result":{}}', flush=True)
    print('{"jsonrpc":"2.0","id":1,"result":{ "as":"it came" }}', flush=True)
"""


def post(bridge, message, **headers):
    """Return the status, the headers and the text that a POST is answered with."""
    address = urllib.parse.urlsplit(bridge.url)
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=30)
    meta = message.get("params", {}).get("_meta", {})
    if META + "protocolVersion" in meta:
        headers.setdefault("MCP-Protocol-Version", meta[META + "protocolVersion"])
    connection.request("POST", address.path, json.dumps(message), headers)
    response = connection.getresponse()
    found = response.status, response.headers, response.read().decode("utf-8")
    connection.close()
    return found


def request(method, **params):
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


@pytest.fixture
def bridge():
    with Bridge([sys.executable, os.path.join(HERE, "server.py")]) as open_bridge:
        yield open_bridge
    assert open_bridge.faults == []


def test_a_line_goes_through_as_it_came():
    with Bridge([sys.executable, "-c", STRAY]) as bridge:
        assert post(bridge, request("any"))[2] == '{"jsonrpc":"2.0","id":1,"result":{ "as":"it came" }}'


def test_a_response_that_nobody_asked_for_is_a_fault():
    with Bridge([sys.executable, "-c", STRAY]) as bridge:
        post(bridge, request("any"))
    assert bridge.faults == ['a response to no open request: {"jsonrpc":"2.0","id":"nobody asked","result":{}}']


def test_a_response_alone_is_json(bridge):
    status, headers, text = post(bridge, request("tools/call", name="test_simple_text", _meta=STATELESS))
    assert (status, headers["Content-Type"]) == (200, "application/json")
    assert json.loads(text)["result"]["content"][0]["text"] == "This is a simple text response for testing."


def test_progress_comes_before_its_response_in_one_stream(bridge):
    status, headers, text = post(bridge, request(
        "tools/call", name="test_tool_with_progress", _meta=dict(STATELESS, progressToken="t")))
    assert (status, headers["Content-Type"]) == (200, "text/event-stream")
    messages = [json.loads(line[len("data: "):]) for line in text.splitlines() if line.startswith("data: ")]
    assert [message.get("params", {}).get("progress") for message in messages] == [0, 50, 100, None]
    assert messages[-1]["id"] == 1


@pytest.mark.parametrize("message, status, code", [
    (request("unknown/method", _meta=STATELESS), 404, -32601), (request("tools/list"), 400, -32602),
    (request("tools/call", name="test_missing_capability", _meta=STATELESS), 400, -32021)])
def test_the_status_follows_the_error_of_the_server(bridge, message, status, code):
    found, _, text = post(bridge, message)
    assert (found, json.loads(text)["error"]["code"]) == (status, code)


def test_a_header_that_does_not_say_what_the_body_says(bridge):
    status, _, text = post(bridge, request("tools/list", _meta=STATELESS), **{"MCP-Protocol-Version": "2025-11-25"})
    assert (status, json.loads(text)["error"]["code"]) == (400, -32020)


def test_a_handshake_has_a_session_of_its_own(bridge):
    initialize = request("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={"name": "c", "version": "1"})
    one, two = (post(bridge, initialize)[1]["Mcp-Session-Id"] for _ in range(2))
    assert one != two
    assert post(bridge, {"jsonrpc": "2.0", "method": "notifications/initialized"}, **{"Mcp-Session-Id": one})[0] == 202
    assert json.loads(post(bridge, request("ping"), **{"Mcp-Session-Id": one})[2]) == {"jsonrpc": "2.0", "id": 1, "result": {}}
    assert post(bridge, request("ping"), **{"Mcp-Session-Id": "another"})[0] == 404


def check(status):
    return {"id": "a-check", "status": status, "description": "It works."}


@pytest.mark.parametrize("statuses, faults", [
    (["SUCCESS", "INFO"], []), (["SUCCESS", "WARNING"], ["WARNING a-check: It works."]),
    (["SUCCESS", "FAILURE"], ["FAILURE a-check: It works."]), (["SUCCESS", "SKIPPED"], ["SKIPPED a-check: It works."]),
    (["INFO"], ["no check was a success"]), ([], ["no check was a success"])])
def test_what_is_no_success_is_a_fault(statuses, faults):
    assert run.find_faults([check(status) for status in statuses]) == faults


@pytest.mark.parametrize("faults, expected", [
    ({"ping": []}, (1, True)), ({"ping": ["WARNING"]}, (1, False)), ({}, (1, False)),
    ({"ping": [], "not-scored": ["FAILURE"]}, (1, True)), ({"ping": [], "bridge": ["a stray line"]}, (1, False))])
def test_a_table_is_good_when_all_that_is_scored_was_run_and_passed(faults, expected):
    assert run.print_leg("2025-11-25", "server", ["ping", "dns-rebinding-protection"], faults) == expected
