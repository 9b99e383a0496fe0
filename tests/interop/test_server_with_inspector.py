"""examples/inventory.py as the MCP Inspector's command line sees it: one process, one request, an exit status.

Statuses: 0 all is well, 1 an error response, 5 a tool result with isError, 6 a tool schema that hosts would refuse.
"""

from __future__ import annotations

import json
import subprocess

import pytest

from . import environments, scenarios
from .driving import inventory, on_the_wire, server_environment

pytestmark = [pytest.mark.slow, pytest.mark.interop]

READ_ONLY = {name: (step, expected) for name, step, expected in scenarios.lists_and_reads(False, -32002)}


@pytest.fixture(params=["legacy", "auto", "modern"])
def inspect(request, tmp_path):
    """A function that runs the Inspector in one protocol era: (exit status, what it printed, its error text)."""
    reason = environments.missing("inspector")
    if reason:
        pytest.skip(reason)

    def run(*arguments):
        command = [environments.program("inspector"), "--cli", "-q", "--format", "json"]
        command += ["--protocol-era", request.param]
        for name, value in server_environment().items():
            command += ["-e", "%s=%s" % (name, value)]
        done = subprocess.run(
            command + list(arguments) + ["--"] + inventory(tmp_path),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60,
            env=dict(environments.quiet_environment(), HOME=str(tmp_path)),
        )
        printed = done.stdout.decode("utf-8")
        return done.returncode, json.loads(printed) if printed else None, done.stderr.decode("utf-8")

    return run


def expected(name):
    return READ_ONLY[name][1]["result"]


@pytest.mark.parametrize("name, method", [
    ("list tools", "tools/list"),
    ("list resources", "resources/list"),
    ("list templates", "resources/templates/list"),
    ("list prompts", "prompts/list"),
])
def test_lists(inspect, name, method):
    status, printed, _ = inspect("--method", method)
    assert (status, on_the_wire(printed["result"])) == (0, expected(name))


def test_no_tool_schema_is_one_that_hosts_refuse(inspect):
    status, _, words = inspect("--method", "tools/list", "--strict")
    assert (status, words) == (0, "")


def test_calling(inspect):
    status, printed, _ = inspect("--method", "tools/call", "--tool-name", "check_inventory", "--tool-arg", "sku=KB-201")
    assert (status, on_the_wire(printed["result"])) == (0, expected("call"))


def test_a_tool_error(inspect):
    status, printed, _ = inspect("--method", "tools/call", "--tool-name", "check_inventory", "--tool-arg", "sku=KB-999")
    assert (status, on_the_wire(printed["result"])) == (5, expected("call, tool error"))


def test_reading(inspect):
    status, printed, _ = inspect("--method", "resources/read", "--uri", scenarios.KEYBOARD)
    assert (status, on_the_wire(printed["result"])) == (0, expected("read a template"))


def test_reading_what_is_not_there(inspect):
    status, printed, words = inspect("--method", "resources/read", "--uri", "commerce://nowhere")
    assert (status, printed) == (1, None)
    assert json.loads(words) == {"error": {"code": "error", "message": "Resource not found: commerce://nowhere"}}


def test_getting_a_prompt(inspect):
    status, printed, _ = inspect(
        "--method", "prompts/get", "--prompt-name", "product_recommendation", "--prompt-args", "category=keyboards")
    assert (status, on_the_wire(printed["result"])) == (0, expected("get a prompt"))
