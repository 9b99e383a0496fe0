"""The client that the official conformance suite judges: mcplite's, with ``dial`` as the server that it starts.

What lives here: what each scenario wants its client to do, a function a scenario. What must not: anything of HTTP. The
suite gives the URL as the argument, the scenario and the revision in the environment.
"""

from __future__ import annotations

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(os.path.dirname(HERE)))

from mcplite import Client  # noqa: E402


def connect(**callbacks):
    return Client([sys.executable, os.path.join(HERE, "dial.py"), sys.argv[1]], timeout=20, stderr="inherit",
                  revision=os.environ["MCP_CONFORMANCE_PROTOCOL_VERSION"], **callbacks)


def connect_alone():
    """The server declares nothing to ask for: what is judged are the messages that find the revision."""
    with connect(roots=["file:///srv"], on_elicit=lambda params: {}, on_sample=lambda params: "Hello"):
        pass


def list_tools():
    with connect() as client:
        list(client.list_tools())


def tools_call():
    with connect() as client:
        list(client.list_tools())
        client.call_tool("add_numbers", {"a": 5, "b": 3})


def elicitation_defaults():
    """The user accepts the form as it is."""
    with connect(on_elicit=lambda params: {}) as client:
        client.call_tool("test_client_elicitation_defaults")


def request_state():
    """While one tool waits for its answer, another is called."""
    def answer(params):
        client.call_tool("test_mrtr_unrelated")
        return {"confirmed": True}
    with connect(on_elicit=answer) as client:
        for name in ("test_mrtr_echo_state", "test_mrtr_no_state", "test_mrtr_no_result_type"):
            client.call_tool(name)


SCENARIOS = {
    "initialize": connect_alone,
    "tools_call": tools_call,
    "elicitation-sep1034-client-defaults": elicitation_defaults,
    "request-metadata": connect_alone,
    "sep-2322-client-request-state": request_state,
    "json-schema-ref-no-deref": list_tools,
}

if __name__ == "__main__":
    SCENARIOS[os.environ["MCP_CONFORMANCE_SCENARIO"]]()
