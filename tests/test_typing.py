"""What type checkers tell users: completion for every message, from ``Client`` and ``wiretypes``."""
import os
import subprocess
import sys

import pytest
from harness import REPO

USER = '''
from typing import Dict, List

from mcplite import Client, Context, Server, text
from mcplite.wiretypes import CallToolResult, GetPromptResult, ReadResourceResult, Tool

server = Server("typed")


@server.tool
def add(a: int, b: int, ctx: Context) -> Dict[str, int]:
    ctx.progress(1, total=2)
    return {"sum": a + b}


@server.tool(name="raw", input_schema={"type": "object"})
def raw(arguments: Dict[str, int]) -> List[Dict[str, object]]:
    return [text("x")]


with Client(server) as client:
    tools: List[Tool] = list(client.list_tools())
    name: str = tools[0]["name"]
    result: CallToolResult = client.call_tool("add", {"a": 1, "b": 2})
    failed: bool = result.get("isError", False)
    contents: ReadResourceResult = client.read_resource("memo://x")
    prompt: GetPromptResult = client.get_prompt("p", {})
    total: int = add(1, 2, ctx=None)["sum"]
    result["contents"]
'''


def test_a_users_program_is_typed(tmp_path):
    pytest.importorskip("mypy", reason="mypy is not installed: what type checkers say cannot be tried")
    path = tmp_path / "user.py"
    path.write_text(USER, encoding="utf-8")
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), str(path)], cwd=str(tmp_path),
                          env=dict(os.environ, MYPYPATH=REPO), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
    lines = [line for line in done.stdout.decode().splitlines() if "user.py" in line and "error" in line]
    assert len(lines) == 2, done.stdout.decode()
    assert 'Argument "ctx" to "add" has incompatible type "None"' in lines[0]           # a decorated function keeps its type
    assert 'TypedDict "CallToolResult" has no key "contents"' in lines[1]
