"""Drives a server with the official Python SDK 1.x, in the scenario's mode: "legacy", or the handshake revision that it
is to offer. Usage and report: drive_common.py."""

from __future__ import annotations

import time

import anyio
import drive_common as common
import mcp.types as types
from mcp import ClientSession, McpError, StdioServerParameters, stdio_client


class Verbs:
    """One method a verb of the scenario."""

    protocol_error = McpError

    def __init__(self, session, recorder):
        self.session, self.recorder = session, recorder

    @staticmethod
    def error_of(problem):
        return common.plain(problem.error)

    async def ping(self, step):
        return common.plain(await self.session.send_ping())

    async def list_tools(self, step):
        return common.plain(await self.session.list_tools(params=page(step)))

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
        return common.plain(await self.session.list_resources(params=page(step)))

    async def list_templates(self, step):
        return common.plain(await self.session.list_resource_templates(params=page(step)))

    async def list_prompts(self, step):
        return common.plain(await self.session.list_prompts(params=page(step)))

    async def call(self, step):
        callback = self.recorder.progress if step.get("progress") else None
        result = await self.session.call_tool(step["tool"], step.get("arguments"), progress_callback=callback)
        return common.plain(result)

    async def cancel(self, step):
        """Start a call, cancel it, and say whether the next request was answered at once.

        This SDK sends no cancellation by itself, so the notification is made by hand.
        """
        number = self.session._request_id
        async with anyio.create_task_group() as group:
            group.start_soon(self.session.call_tool, step["tool"], step.get("arguments"))
            await anyio.sleep(step["after"])
            params = types.CancelledNotificationParams(requestId=number, reason="not needed any more")
            await self.session.send_notification(types.ClientNotification(types.CancelledNotification(params=params)))
            group.cancel_scope.cancel()
        started = time.monotonic()
        await self.session.list_tools()
        return {"cancelled": True, "prompt": time.monotonic() - started < 2}

    async def read(self, step):
        return common.plain(await self.session.read_resource(step["uri"]))

    async def subscribe(self, step):
        return common.plain(await self.session.subscribe_resource(step["uri"]))

    async def unsubscribe(self, step):
        return common.plain(await self.session.unsubscribe_resource(step["uri"]))

    async def get_prompt(self, step):
        return common.plain(await self.session.get_prompt(step["prompt"], step.get("arguments")))

    async def complete(self, step):
        kind = types.PromptReference if step["ref"]["type"] == "ref/prompt" else types.ResourceTemplateReference
        return common.plain(await self.session.complete(kind(**step["ref"]), step["argument"], step.get("context")))

    async def set_level(self, step):
        return common.plain(await self.session.set_logging_level(step["level"]))

    async def roots_changed(self, step):
        await self.session.send_roots_list_changed()
        return {}


def page(step):
    """The parameters of a list request; None, as a host would send it, without a cursor."""
    return types.PaginatedRequestParams(cursor=step["cursor"]) if "cursor" in step else None


async def drive(scenario, command, recorder, errlog, report):
    """Connect, do all the steps, and close."""

    async def on_log(params):
        recorder.event("notifications/message", common.plain(params))

    async def on_message(message):
        root = getattr(message, "root", None)
        if isinstance(message, types.ServerNotification) and not isinstance(
            root, (types.LoggingMessageNotification, types.ProgressNotification)
        ):
            recorder.event(root.method, common.plain(root.params) if root.params else {})
        elif isinstance(message, Exception):
            recorder.event("exception", {"text": "%s: %s" % (type(message).__name__, message)})

    async def on_elicit(context, params):
        return types.ElicitResult(**recorder.answer("elicitation/create", common.plain(params)))

    async def on_sample(context, params):
        return types.CreateMessageResult(**recorder.answer("sampling/createMessage", common.plain(params)))

    async def on_roots(context):
        return types.ListRootsResult(**recorder.answer("roots/list", {}))

    if scenario["mode"] != "legacy":
        types.LATEST_PROTOCOL_VERSION = scenario["mode"]  # the SDK has no public way to offer an older revision
    server = StdioServerParameters(command=command[0], args=command[1:], env=scenario["env"])
    async with stdio_client(server, errlog) as (reader, writer):
        async with ClientSession(
            reader, writer, logging_callback=on_log, message_handler=on_message,
            elicitation_callback=on_elicit, sampling_callback=on_sample, list_roots_callback=on_roots,
        ) as session:
            report["connect"] = common.plain(await session.initialize())
            for step in scenario["steps"]:
                report["steps"][step["name"]] = await common.do_step(Verbs(session, recorder), recorder, step)
            started = time.monotonic()
    report["closed_in_time"] = time.monotonic() - started < 1.5  # the SDK waits 2 s before it kills


if __name__ == "__main__":
    common.main(drive)
