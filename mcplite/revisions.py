"""One row per protocol revision. The only module that compares dates.

Here: what varies by revision, as data: era, methods, features, error codes. Not here: code that acts on it.

Pages: basic/lifecycle (2024-11-05 to 2025-11-25), basic/versioning and changelog (2026-07-28), changelog of each revision.

1. Code elsewhere asks a row (``row.stateless``, ``"title" in row.features``); it never looks at a date.
2. Nothing that a row does not list is written to a peer of that revision.
"""
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, FrozenSet, List, Optional

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CLIENT_INFO_KEY = "io.modelcontextprotocol/clientInfo"
CLIENT_CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
LOG_LEVEL_KEY = "io.modelcontextprotocol/logLevel"
SUBSCRIPTION_KEY = "io.modelcontextprotocol/subscriptionId"
SERVER_INFO_KEY = "io.modelcontextprotocol/serverInfo"

LOG_LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")


class Revision:
    """One row. ``features`` names what its schema has and an older one lacks; ``requests`` the client's methods."""

    __slots__ = ("batches", "date", "features", "null_id", "requests", "resource_not_found", "stateless", "time_limit_is_error")

    def __init__(self, date: str, features: "FrozenSet[str]", requests: "FrozenSet[str]", stateless: bool = False,
                 batches: bool = False, null_id: bool = True) -> None:
        self.date, self.features, self.requests = date, features, requests
        self.stateless = stateless              # version and capabilities come with every request; no handshake, no questions
        self.batches = batches                  # a line may be an array of messages
        self.null_id = null_id                  # an error without a readable id says "id": null; else it has no id member
        self.resource_not_found = -32602 if stateless else -32002
        self.time_limit_is_error = not stateless    # -32001; else a tool error

    def __repr__(self) -> str:
        return "<Revision %s>" % self.date


SHARED_REQUESTS = frozenset((
    "tools/list", "tools/call", "resources/list", "resources/templates/list", "resources/read",
    "prompts/list", "prompts/get", "completion/complete"))
HANDSHAKE_REQUESTS = SHARED_REQUESTS | frozenset((
    "initialize", "ping", "resources/subscribe", "resources/unsubscribe", "logging/setLevel"))
STATELESS_REQUESTS = SHARED_REQUESTS | frozenset(("server/discover", "subscriptions/listen"))
CORE_REQUESTS = HANDSHAKE_REQUESTS | STATELESS_REQUESTS

FEATURES_2025_03 = frozenset(("tool_annotations", "audio", "progress_message", "completions"))
FEATURES_2025_06 = FEATURES_2025_03 | frozenset((
    "title", "output_schema", "structured_content", "resource_link", "content_meta", "resource_meta", "meta",
    "last_modified", "elicitation", "completion_context"))
FEATURES_2025_11 = FEATURES_2025_06 | frozenset((
    "icons", "execution", "info_details", "elicitation_url", "sampling_tools", "sampling_context", "titled_enums",
    "elicitation_complete"))
FEATURES_2026_07 = (FEATURES_2025_11 - frozenset(("execution", "elicitation_complete"))) | frozenset((
    "structured_any", "any_output_schema", "extensions"))

REVISIONS: "Dict[str, Revision]" = {row.date: row for row in (
    Revision("2024-11-05", frozenset(), HANDSHAKE_REQUESTS),
    Revision("2025-03-26", FEATURES_2025_03, HANDSHAKE_REQUESTS, batches=True),
    Revision("2025-06-18", FEATURES_2025_06, HANDSHAKE_REQUESTS),
    Revision("2025-11-25", FEATURES_2025_11, HANDSHAKE_REQUESTS, null_id=False),
    Revision("2026-07-28", FEATURES_2026_07, STATELESS_REQUESTS, stateless=True, null_id=False),
)}
NEWEST_HANDSHAKE = REVISIONS["2025-11-25"]
NEWEST_STATELESS = REVISIONS["2026-07-28"]
HANDSHAKE_DATES = [date for date in REVISIONS if not REVISIONS[date].stateless]
STATELESS_DATES = [date for date in REVISIONS if REVISIONS[date].stateless]


def negotiate_handshake(requested: str) -> "Revision":
    """Return the row that answers ``initialize``: the one asked for if it has a handshake, else our newest that has (lifecycle)."""
    row = REVISIONS.get(requested)
    return NEWEST_HANDSHAKE if row is None or row.stateless else row


def find_stateless(requested: "Any") -> "Optional[Revision]":
    """Return the row for a request's ``_meta`` version, or None where it is none of the stateless ones (versioning)."""
    row = REVISIONS.get(requested) if requested.__class__ is str else None
    return row if row is not None and row.stateless else None


def choose_stateless(supported: "List[Any]") -> "Optional[Revision]":
    """Return the newest stateless row among a server's ``supported`` dates, or None."""
    known = [row for row in map(find_stateless, supported) if row is not None]
    return max(known, key=lambda row: row.date) if known else None
