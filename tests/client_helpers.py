"""What the tests of the client share: fake servers as commands, the judge of what the client writes, processes left behind.

Not here: any knowledge of how the client works inside.
"""
from __future__ import annotations

import os
import sys
import time

from official import Conversation

FAKES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fake_servers")
HANDSHAKE_DATES = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN = "2026-07-28"


def fake(script, story, *arguments):
    """The command of a fake server: no site packages, so that it starts in a few milliseconds."""
    return [sys.executable, "-S", "-E", os.path.join(FAKES, script + ".py"), story, *arguments]


def handshake(story, *arguments):
    return fake("handshake", story, *arguments)


def stateless(story, *arguments):
    return fake("stateless", story, *arguments)


def judge_log(path, open_ids=()):
    """Judge everything that the client wrote to a fake server that kept a log; return its messages, parsed."""
    conversation, written = Conversation(ours="client"), []
    with open(str(path), "rb") as file:
        for line in file:
            if line.startswith(b"C "):
                written.append(conversation.client(line[2:]))
            else:
                conversation.server(line[2:])
    conversation.finish(open_ids)
    return written


def is_alive(pid):
    """True for a process that runs; a zombie that nobody reaps is dead."""
    try:
        with open("/proc/%d/stat" % pid) as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        pass
    if os.path.isdir("/proc/self"):
        return False
    try:
        os.kill(pid, 0)
        return True
    except ProcessLookupError:
        return False


def read_pids(path):
    with open(str(path)) as file:
        return [int(line) for line in file]


def wait_dead(pids, seconds=2.0):
    """Return those of ``pids`` that are still alive after so long."""
    until = time.monotonic() + seconds
    while any(map(is_alive, pids)) and time.monotonic() < until:
        time.sleep(0.01)
    return [pid for pid in pids if is_alive(pid)]
