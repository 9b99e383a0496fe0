"""A long conversation: 200,000 calls between our client and our server, with memory flat on both sides."""
import os
import sys

import pytest
from harness import environment

SERVER = '''
from mcplite import Server
server = Server("soak")

@server.tool
def add(a: int, b: int, ctx) -> int:
    if a % 100 == 0:
        ctx.progress(1, total=2)
        ctx.log("info", "hundred")
    return a + b

server.run()
'''


def resident(pid):
    with open("/proc/%s/status" % pid) as file:
        return int(file.read().split("VmRSS:")[1].split()[0]) / 1024


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="no /proc here: memory cannot be read")
@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
def test_memory_stays_flat_over_200_000_calls(script, revision):
    from mcplite import Client

    with Client([sys.executable, script(SERVER)], revision=revision, env=environment(), on_log=lambda *a: None) as client:
        pid = client._connection.link.process.pid
        marks = {}
        for number in range(200_001):
            result = client.call_tool("add", {"a": number, "b": 1}, on_progress=(lambda *a: None) if number % 1000 == 0 else None)
            assert result["content"][0]["text"] == str(number + 1)
            if number in (5_000, 200_000):
                marks[number] = (resident(pid), resident("self"))
    server_growth, client_growth = (marks[200_000][end] - marks[5_000][end] for end in (0, 1))
    assert server_growth < 0.3, marks       # MiB
    assert client_growth < 1.0, marks
