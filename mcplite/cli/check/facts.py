"""What one run of `mcplite check` is told, and what it learns: how to start the server, what may be called, what it has said.

Here: plain data that everybody below `command` shares. Not here: what is wrong with the server (`table`).
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Sequence

GRACE_SECONDS = 0.02  # for what a server that works side by side writes just after
EXIT_SECONDS = 2.0  # what clients wait for before they send SIGTERM, and before they kill


class CheckSettings:
    """What the command line says: the command, limits in seconds, the tools that may be called."""

    def __init__(self, command: Sequence[str], env: dict[str, str | None] | None = None, inherit_env: bool = True,
                 timeout: float = 10.0, start_timeout: float = 30.0, call_timeout: float = 60.0) -> None:
        self.command, self.env, self.inherit_env = list(command), env, inherit_env
        self.timeout, self.start_timeout, self.call_timeout = timeout, start_timeout, call_timeout
        self.grace_seconds, self.exit_seconds = GRACE_SECONDS, EXIT_SECONDS
        self.unfinished = False  # the server was seen to leave out line feeds: nobody waits for them again


class ServerFacts:
    """What is known of the server, and what the user allows."""

    def __init__(self, calls: list[tuple[str, dict[str, Any]]], call_all: bool) -> None:
        self.calls, self.call_all = calls, call_all
        self.called: set[str] = set()  # tools that have run and say nothing about being read-only
        self.name, self.version = "", ""
        self.revisions: list[str] = []  # those that the server speaks
        self.agreed: dict[str, str] = {}  # what initialize answered, by what was asked
        self.seconds: float | None = None  # from the start to the first answer
        self.counts: dict[str, int] = {}  # how many tools, resources, resourceTemplates, prompts
        self.entries: dict[str, list[dict[str, Any]]] = {}
        self.ending = self.last_words = ""  # what became of a server that never answered
        self.spoke = False  # it has answered anything at all

    def listed(self, member: str) -> list[dict[str, Any]]:
        return [entry for entry in self.entries.get(member, []) if isinstance(entry, dict)]

    def take_server_info(self, info: Any) -> None:
        """Keep the first name and version that the server gives itself."""
        if isinstance(info, dict) and not self.name:
            self.name, self.version = str(info.get("name", "")), str(info.get("version", ""))
