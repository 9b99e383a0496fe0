"""Servers in memory: a ``MemoryClient`` whose whole conversation is judged by tests/official.py when it ends."""
from __future__ import annotations

import contextlib
import json

from harness import MODERN, modern_meta
from official import Conversation

from mcplite.testing import MemoryClient

META = "io.modelcontextprotocol/"


def judge(transcript, ours="both", open_ids=()):
    conversation = Conversation(ours=ours)
    for end, line in transcript:
        (conversation.client if end == "client" else conversation.server)(line)
    conversation.finish(open_ids)


@contextlib.contextmanager
def talk(server, revision=MODERN, answers=(), capabilities=None, ours="both", open_ids=()):
    """A ``MemoryClient``; ``ours="server"`` where the client says wrong things on purpose."""
    client = MemoryClient(server, revision, answers, capabilities)
    with client:
        yield client
    judge(client.transcript, ours, open_ids)


def call_params(tool, **arguments):
    return {"name": tool, "arguments": arguments}


def exchange(server, *messages):
    """Send whole messages as they are; return what the server wrote. Judged as the server's."""
    client = MemoryClient(server)
    with client:
        for message in messages:
            client.write((message if isinstance(message, str) else json.dumps(message)) + "\n")
            client.run()
    judge(client.transcript, "server")
    return [json.loads(line) for end, line in client.transcript if end == "server"]


def text_of(result):
    return "".join(block["text"] for block in result["content"])


def new_meta(**more):
    return modern_meta(**more)
