"""Drives a server behind an HTTP gateway with the official Python SDK, 1.x or 2.x; prints one JSON object of what was seen.

    PYTHON_OF_AN_SDK drive_http.py URL
"""

from __future__ import annotations

import json
import sys
import warnings

import anyio

warnings.simplefilter("ignore")  # the SDKs call some of this deprecated

ANSWERS = {"Why": {"reason": "damaged"}, "Return": {"confirm": True}}
seen = {"asked": [], "progress": [], "logs": []}


def note_question(params):
    seen["asked"].append(params.message)
    return {"action": "accept", "content": ANSWERS[params.message.split()[0]]}


async def on_log(params):
    seen["logs"].append([params.level, params.logger])


async def on_progress(progress, total, message):
    seen["progress"].append([progress, total, message])


def text_of(result):
    return result.content[0].text


async def talk(session, ref_class, is_error):
    """The same requests for both SDKs; their few differences are arguments."""
    seen["tools"] = sorted(tool.name for tool in (await session.list_tools()).tools)
    order = await session.call_tool("place_order", {"sku": "KB-201", "quantity": 1, "warehouse": "LIS"}, progress_callback=on_progress)
    await anyio.sleep(0.3)  # what is told beside the result comes on a stream of its own
    seen["order"] = [block.type for block in order.content]
    seen["left"] = (getattr(order, "structuredContent", None) or getattr(order, "structured_content", None))["left"]
    product = await session.read_resource("commerce://products/KB-201")
    seen["product"] = json.loads(product.contents[0].text)["quantity"]
    prompt = await session.get_prompt("product_recommendation", {"category": "mice"})
    seen["prompt"] = prompt.messages[0].content.text
    found = await session.complete(ref_class(type="ref/prompt", name="product_recommendation"), {"name": "category", "value": "m"})
    seen["completion"] = found.completion.values
    bad = await session.call_tool("check_inventory", {"sku": "none"})
    seen["bad"] = [is_error(bad), text_of(bad)]
    seen["returned"] = text_of(await session.call_tool("return_item", {"order_id": "1001", "sku": "KB-201"}))


async def drive_1(url):
    from mcp import ClientSession
    from mcp.client.streamable_http import streamablehttp_client
    from mcp.types import ElicitResult, PromptReference

    async def on_elicit(context, params):
        return ElicitResult(**note_question(params))

    async with streamablehttp_client(url) as (reader, writer, _):
        async with ClientSession(reader, writer, elicitation_callback=on_elicit, logging_callback=on_log) as session:
            opened = await session.initialize()
            seen["server"], seen["revision"] = opened.serverInfo.name, opened.protocolVersion
            await talk(session, PromptReference, lambda result: result.isError)


async def drive_2(url):
    import mcp_types as types
    from mcp.client.client import Client

    async def on_elicit(context, params):
        return types.ElicitResult(**note_question(params))

    async with Client(url, elicitation_callback=on_elicit, logging_callback=on_log) as client:
        seen["server"], seen["revision"] = client.server_info.name, client.protocol_version
        await talk(client, types.PromptReference, lambda result: result.is_error)


if __name__ == "__main__":
    from importlib.metadata import version

    anyio.run(drive_1 if version("mcp").startswith("1.") else drive_2, sys.argv[1])
    print(json.dumps(seen))
