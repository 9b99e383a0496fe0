"""A server made with the official Python SDK 2.x, serving both eras; it runs in that SDK's own environment."""
from __future__ import annotations

import asyncio
from typing import Annotated

from mcp.server.mcpserver import Context, Elicit, ListRoots, MCPServer, Resolve, Sample
from mcp_types import Completion, CreateMessageResult, ListRootsResult, SamplingMessage, TextContent
from pydantic import BaseModel

server = MCPServer("official", version="2", instructions="be kind")


class Size(BaseModel):
    size: str
    count: int = 3


class Sum(BaseModel):
    n: int


def ask_size():
    return Elicit("Which size?", Size)


def ask_name():
    return Sample([SamplingMessage(role="user", content=TextContent(type="text", text="a name"))], max_tokens=9)


def ask_roots():
    return ListRoots()


@server.tool()
def add(a: int, b: int) -> Sum:
    return Sum(n=a + b)


@server.tool()
def order(size: Annotated[Size, Resolve(ask_size)], name: Annotated[CreateMessageResult, Resolve(ask_name)],
          roots: Annotated[ListRootsResult, Resolve(ask_roots)]) -> str:
    return "%s x%d for %s in %s" % (size.size, size.count, name.content.text, roots.roots[0].uri)


@server.tool()
async def steps(ctx: Context) -> str:
    await ctx.report_progress(1, 2, "half")
    await ctx.warning("careful")
    await ctx.report_progress(2, 2, "all")
    return "done"


@server.tool()
async def slow() -> str:
    await asyncio.sleep(30)
    return "slow"


@server.tool()
async def change(ctx: Context) -> str:
    await ctx.notify_tools_changed()
    await ctx.notify_resource_updated("memo://1")
    return "changed"


@server.resource("memo://{n}")
def memo(n: str) -> str:
    return "memo %s" % n


@server.resource("list://all")
def everything() -> str:
    return "all"


@server.prompt()
def greet(who: str) -> str:
    return "hello " + who


@server.completion()
async def complete(ref, argument, context):
    return Completion(values=[argument.value + "a", argument.value + "b"], total=2, has_more=False)


server.run()
