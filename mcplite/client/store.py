"""Results that a server of 2026-07-28 allows to keep for a while.

Here: the store, its keys, what a change makes stale. Not here: when it is asked (``connection``). Pure: the clock is an argument.

Page: server/utilities/caching (2026-07-28).

1. The key is the method with the parameters that affect the result; an answer to a retry with inputs is never kept.
2. A result is fresh while ``now < received + ttlMs``; a missing, negative or unreadable ``ttlMs`` is 0.
3. A notification makes what it is about stale at once, also the answer to a request that was on its way meanwhile.
4. A caller gets a copy of its own.
"""
from __future__ import annotations

from ..codec import decode_text, encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Optional, Tuple

CACHEABLE_METHODS = frozenset(("server/discover", "tools/list", "prompts/list", "resources/list", "resources/templates/list",
                            "resources/read"))
LISTED_BY_KIND = {"tools": ("tools/list",), "prompts": ("prompts/list",),
                  "resources": ("resources/list", "resources/templates/list")}
LIFETIME_LIMIT = 10 ** 15       # milliseconds: a whole number may be larger than any float
ENTRY_LIMIT = 500               # oldest first; a bound for memory, not a promise


class ResultCache:
    """The results of one server. Times are seconds of one monotonic clock."""

    def __init__(self) -> None:
        self.entries: "Dict[Tuple[str, str], Tuple[float, str]]" = {}
        self.changes = 0                            # counted, so that a result on its way can be told stale (3)

    def find(self, method: str, params: "Optional[Dict[str, Any]]", now: float) -> "Optional[Dict[str, Any]]":
        """Return a fresh result, a copy (4); None where there is none."""
        entry = self.entries.get(new_cache_key(method, params)) if method in CACHEABLE_METHODS else None
        return decode_text(entry[1]) if entry is not None and now < entry[0] else None

    def keep(self, method: str, params: "Optional[Dict[str, Any]]", result: "Dict[str, Any]", now: float, changes: int) -> None:
        """Keep ``result`` as long as it says; ``changes`` is what ``self.changes`` was when it was asked for."""
        lifetime = result.get("ttlMs")
        if method not in CACHEABLE_METHODS or lifetime.__class__ not in (int, float) or lifetime <= 0 or changes != self.changes:
            return
        try:
            key, kept = new_cache_key(method, params), encode(result)
        except (ValueError, RecursionError):                # nested too deeply to be written: good, but not kept
            return
        self.entries.pop(key, None)
        self.entries[key] = (now + min(lifetime, LIFETIME_LIMIT) / 1000.0, kept)
        while len(self.entries) > ENTRY_LIMIT:
            del self.entries[next(iter(self.entries))]

    def drop_methods(self, *methods: str) -> None:
        self.changes += 1
        for key in [key for key in self.entries if key[0] in methods]:
            del self.entries[key]

    def drop_list(self, kind: str) -> None:
        """A list of ``kind`` ("tools", "prompts", "resources") has changed."""
        self.drop_methods(*LISTED_BY_KIND[kind])

    def drop_resource(self, uri: str) -> None:
        """A resource has changed; ``uri`` may be part of the one that was read."""
        self.changes += 1
        read = [key for key in self.entries if key[0] == "resources/read"]
        for key in [key for key in read if uri.startswith(decode_text(key[1]).get("uri", uri))]:
            del self.entries[key]

    def clear(self) -> None:
        self.changes += 1
        self.entries.clear()


def new_cache_key(method: str, params: "Optional[Dict[str, Any]]") -> "Tuple[str, str]":
    """Return the key (1): without ``_meta``, in one order."""
    return method, encode({name: params[name] for name in sorted(params) if name != "_meta"} if params else {})
