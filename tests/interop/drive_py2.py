"""Drives a server with the official Python SDK 2.x, in the scenario's mode: "legacy", "auto" or "2026-07-28".
Usage and report: drive_common.py."""

from __future__ import annotations

import time
import warnings

import anyio
import drive_common as common
import mcp_types as types
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError

warnings.simplefilter("ignore")  # the SDK calls ping, logging, roots and sampling deprecated


class Verbs:
    """One method a verb of the scenario."""

    protocol_error = MCPError

    def __init__(self, client, recorder):
        self.client, self.recorder = client, recorder
        self.stream = None

    @staticmethod
    def error_of(problem):
        return common.plain(problem.error)

    async def ping(self, step):
        return common.plain(await self.client.send_ping())

    async def list_tools(self, step):
        return common.plain(await self.client.list_tools(cursor=step.get("cursor"), cache_mode="bypass"))

    async def all_tools(self, step):
        """Follow the cursors; the names on all the pages."""
        names, more = [], {}
        while True:
            listed = await self.list_tools(more)
            names += [tool["name"] for tool in listed["tools"]]
            if "nextCursor" not in listed:
                return {"names": names}
            more = {"cursor": listed["nextCursor"]}

    async def list_resources(self, step):
        return common.plain(await self.client.list_resources(cursor=step.get("cursor"), cache_mode="bypass"))

    async def list_templates(self, step):
        return common.plain(await self.client.list_resource_templates(cursor=step.get("cursor"), cache_mode="bypass"))

    async def list_prompts(self, step):
        return common.plain(await self.client.list_prompts(cursor=step.get("cursor"), cache_mode="bypass"))

    async def call(self, step):
        callback = self.recorder.progress if step.get("progress") else None
        return common.plain(await self.client.call_tool(
            step["tool"], step.get("arguments"), progress_callback=callback, meta=step.get("meta")))

    async def cancel(self, step):
        """Start a call, cancel it, and say whether the next request was answered at once."""
        async with anyio.create_task_group() as group:
            group.start_soon(self.client.call_tool, step["tool"], step.get("arguments"))
            await anyio.sleep(step["after"])
            group.cancel_scope.cancel()
        started = time.monotonic()
        await self.client.list_tools(cache_mode="bypass")
        return {"cancelled": True, "prompt": time.monotonic() - started < 2}

    async def read(self, step):
        return common.plain(await self.client.read_resource(step["uri"], cache_mode="bypass"))

    async def subscribe(self, step):
        return common.plain(await self.client.subscribe_resource(step["uri"]))

    async def unsubscribe(self, step):
        return common.plain(await self.client.unsubscribe_resource(step["uri"]))

    async def listen(self, step):
        """Open a stream of changes (2026-07-28); what it brings is recorded by the message handler."""
        self.stream = self.client.listen(**step["filter"])
        opened = await self.stream.__aenter__()
        return common.plain(opened.honored)

    async def unlisten(self, step):
        await self.stream.__aexit__(None, None, None)
        await anyio.sleep(0.2)  # the SDK's cancellation leaves a moment later, behind a request that comes at once
        return {}

    async def get_prompt(self, step):
        return common.plain(await self.client.get_prompt(step["prompt"], step.get("arguments")))

    async def complete(self, step):
        kind = types.PromptReference if step["ref"]["type"] == "ref/prompt" else types.ResourceTemplateReference
        return common.plain(await self.client.complete(kind(**step["ref"]), step["argument"], step.get("context")))

    async def set_level(self, step):
        return common.plain(await self.client.set_logging_level(step["level"]))

    async def roots_changed(self, step):
        await self.client.send_roots_list_changed()
        return {}


async def drive(scenario, command, recorder, errlog, report):
    """Connect, do all the steps, and close."""

    async def on_log(params):
        recorder.event("notifications/message", common.plain(params))

    async def on_message(message):
        if isinstance(message, Exception):
            recorder.event("exception", {"text": "%s: %s" % (type(message).__name__, message)})
        elif message.method not in ("notifications/message", "notifications/progress"):
            recorder.event(message.method, common.plain(message.params) if message.params else {})

    async def on_elicit(context, params):
        return types.ElicitResult(**recorder.answer("elicitation/create", common.plain(params)))

    async def on_sample(context, params):
        return types.CreateMessageResult.model_validate(recorder.answer("sampling/createMessage", common.plain(params)))

    async def on_roots(context):
        return types.ListRootsResult.model_validate(recorder.answer("roots/list", {}))

    parameters = StdioServerParameters(command=command[0], args=command[1:], env=scenario["env"])
    async with Client(
        stdio_client(parameters, errlog), mode=scenario["mode"], logging_callback=on_log, message_handler=on_message,
        elicitation_callback=on_elicit, sampling_callback=on_sample, list_roots_callback=on_roots,
    ) as client:
        connected = {"protocolVersion": client.protocol_version}
        connected["capabilities"] = common.plain(client.server_capabilities)
        if client.server_info is not None:
            connected["serverInfo"] = common.plain(client.server_info)
        if client.instructions is not None:
            connected["instructions"] = client.instructions
        report["connect"] = connected
        verbs = Verbs(client, recorder)
        for step in scenario["steps"]:
            report["steps"][step["name"]] = await common.do_step(verbs, recorder, step)
        started = time.monotonic()
    report["closed_in_time"] = time.monotonic() - started < 1.5  # the SDK waits 2 s before it kills


if __name__ == "__main__":
    common.main(drive)
