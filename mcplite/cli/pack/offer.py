"""Asks a server what it offers, for the manifest of a bundle: one short conversation over stdio.

Here: initialize, tools/list, prompts/list, prompts/get, and the end. Not here: what becomes of it (`manifest`).
The client of the package is not used on purpose: the server under test must start alone, its stderr must be at hand for
the error text, and a server that never answers must not hold up the command.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Mapping

LISTING_REVISION = "2025-06-18"
PAGES_AT_MOST = 100


class ListingError(Exception):
    """The server did not say what it offers; the text is one line with the reason."""


class ListingChild:
    """The started server: requests go out one at a time, and their results come back."""

    def __init__(self, command: list[str], folder: str, environment: Mapping[str, str], timeout: float) -> None:
        import os
        import subprocess
        import tempfile
        import threading

        self.errors = tempfile.TemporaryFile()
        self.process: Any = subprocess.Popen(command, cwd=folder, env={**os.environ, **environment},
                                             stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors)
        self.late = False
        self.timeout = timeout
        self.timer = threading.Timer(timeout, self.stop_late)
        self.timer.daemon = True
        self.timer.start()
        self.number = 0

    def stop_late(self) -> None:
        self.late = True
        self.process.kill()

    def send(self, message: dict[str, Any]) -> None:
        import json

        try:
            self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode("ascii") + b"\n")
            self.process.stdin.flush()
        except OSError:
            pass                                # it has ended; reading says so better

    def ask(self, method: str, params: dict[str, Any]) -> Any:
        """The result of one request; None when it is answered by an error."""
        import json

        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        for line in self.process.stdout:
            try:
                message = json.loads(line.decode("utf-8"))
            except ValueError:
                raise ListingError("it writes something that is not JSON: %r" % line[:60]) from None
            if not isinstance(message, dict):
                continue
            if "method" in message and "id" in message:
                self.send({"id": message["id"], "error": {"code": -32601, "message": "nobody is here to answer"}})
            elif message.get("id") == self.number:
                return message.get("result")
        raise ListingError(self.ending(method))

    def ending(self, method: str) -> str:
        if self.late:
            return "no answer to %s within %g seconds" % (method, self.timeout)
        self.process.wait()
        self.errors.seek(0)
        last = [line for line in self.errors.read().decode("utf-8", "replace").split("\n") if line.strip()][-1:]
        return "it ended with status %d at %s%s" % (self.process.returncode, method, ": " + last[0].strip() if last else "")

    def close(self) -> None:
        import subprocess

        self.timer.cancel()
        try:
            self.process.stdin.close()
        except OSError:
            pass
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self.errors.close()


def read_offer(command: list[str], folder: str, environment: Mapping[str, str], timeout: float) -> dict[str, Any]:
    """{"server": serverInfo, "tools": [...], "prompts": [{"name", "description", "arguments", "text"}]}; raises ListingError."""
    child = ListingChild(command, folder, environment, timeout)
    try:
        begun = child.ask("initialize", {"protocolVersion": LISTING_REVISION, "capabilities": {},
                                         "clientInfo": {"name": "mcplite-pack", "version": "1"}})
        if not isinstance(begun, dict):
            raise ListingError("it refuses to be initialized")
        child.send({"method": "notifications/initialized"})
        capabilities = begun.get("capabilities") or {}
        tools = all_pages(child, "tools/list", "tools") if "tools" in capabilities else []
        prompts = all_pages(child, "prompts/list", "prompts") if "prompts" in capabilities else []
        return {"server": begun.get("serverInfo") or {}, "tools": tools,
                "prompts": [prompt_with_text(child, each) for each in prompts]}
    finally:
        child.close()


def all_pages(child: ListingChild, method: str, key: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    params: dict[str, Any] = {}
    for _ in range(PAGES_AT_MOST):
        page = child.ask(method, params)
        if not isinstance(page, dict):
            raise ListingError("it answers %s with an error" % method)
        found += page.get(key) or []
        if page.get("nextCursor") is None:
            return found
        params = {"cursor": page["nextCursor"]}
    raise ListingError("%s has no end" % method)


def prompt_with_text(child: ListingChild, prompt: dict[str, Any]) -> dict[str, Any]:
    """The prompt as a manifest has it; `text` is empty when it is not one text with the arguments in it as they are."""
    places = {each["name"]: "${arguments.%s}" % each["name"] for each in prompt.get("arguments") or []}
    result = child.ask("prompts/get", {"name": prompt["name"], "arguments": places})
    messages = result.get("messages") if isinstance(result, dict) else None
    content = messages[0].get("content") if isinstance(messages, list) and len(messages) == 1 else None
    text = content.get("text") or "" if isinstance(content, dict) and content.get("type") == "text" else ""
    if not all(place in text for place in places.values()):
        text = ""
    entry = {"name": prompt["name"], "description": prompt.get("description"), "arguments": list(places), "text": text}
    return {key: value for key, value in entry.items() if value or key == "text"}
