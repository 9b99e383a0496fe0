"""A recorded session, understood: which line is which message, what answers what, what belongs together.

Pure (records in, entries out); `text` and `page` show the entries, `words` has what each message says in short. Nothing here
may fail because of what a recording holds: it is what somebody's broken server sent.

1. A response belongs to the open request of the other side with the same id; `1` and `"1"` are two ids.
2. A request of the server belongs to the youngest call of the host that is still open (the handshake revisions have no
   better link); progress belongs to the request with its token, a notification of a stream to the request that opened it.
3. Rounds of one stateless call are linked by `requestState`, or, where there is none, by method, name and the keys of the
   answers (https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr).
"""
from __future__ import annotations

from ...revisions import SUBSCRIPTION_KEY, VERSION_KEY
from ..terminal import compact_json
from .words import event_summary, member, request_words, response_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .reading import TraceRecord, TraceSession

    TraceEntry = dict[str, Any]

LONG_LIVED_METHODS = ("subscriptions/listen",)
KIND_NAMES = {  # kind: (one, several)
    "request": ("request", "requests"), "response": ("response", "responses"), "error": ("error", "errors"),
    "notification": ("notification", "notifications"),
    "invalid": ("line that is no message", "lines that are no messages"),
    "junk": ("line that is not JSON", "lines that are not JSON"),
    "stderr": ("line on stderr", "lines on stderr"),
}


class Conversation:
    """Follows a session record by record; `entries` holds one dict for each message, stderr line, junk line and event.

    An entry has `at`, `from`, `kind` (request response error notification invalid junk stderr event), `bytes`, `text`,
    `flags` (what is odd), `depth`, and where it has one: `id`, `method`, `label`, `summary`, `partner` (the index of the answer
    or the question), `took` (seconds), `outcome` (of an answer: ok, error, tool error, asks back), `parent` (the index of the
    request it belongs to), `chain` and `round` (rule 3), `revision`, `message`.
    """

    def __init__(self) -> None:
        self.entries: list[TraceEntry] = []
        self.open: dict[str, dict[tuple[str, Any], int]] = {"host": {}, "server": {}}
        self.tokens: dict[tuple[str, Any], int] = {}
        self.asked_back: list[tuple[Any, str, Any, frozenset[str], int]] = []
        self.chains = 0
        self.revision: str | None = None

    def add(self, record: TraceRecord) -> list[TraceEntry]:
        """The entries of one record: one, or several for a batch."""
        origin = record.get("from", "event")
        if origin == "event":
            return [self.new_entry(record, "event", summary=event_summary(record))]
        if origin == "stderr":
            return [self.new_entry(record, "stderr", summary=record["text"])]
        if "message" not in record:
            return [self.add_text_line(record)]
        message = record["message"]
        if not isinstance(message, list) or not message:
            return [self.add_message(record, message)]
        entries = [self.add_message(record, item) for item in message]
        for number, entry in enumerate(entries, 1):
            entry["flags"].append("%d of %d in a batch" % (number, len(message)))
            entry.update(text=compact_json(message[number - 1]), bytes=entry["bytes"] if number == 1 else 0)
        return entries

    def new_entry(self, record: TraceRecord, kind: str, **members: Any) -> TraceEntry:
        entry: TraceEntry = {"at": record["at"], "from": record.get("from", "event"), "kind": kind,
                             "bytes": record.get("bytes", 0), "text": record.get("text", ""), "flags": [], "depth": 0,
                             "index": len(self.entries)}
        if record.get("masked"):
            entry["flags"].append("%d masked" % record["masked"])
        if record.get("end") == "" and kind != "event":
            entry["flags"].append("no newline at its end")
        elif "end" in record and kind != "stderr":
            entry["flags"].append("ends with CR LF")
        entry.update(members)
        self.entries.append(entry)
        return entry

    def add_text_line(self, record: TraceRecord) -> TraceEntry:
        """A line that is not JSON, or one too long to be kept whole."""
        text = record["text"]
        if record.get("truncated"):
            kind, found = guess_long_message(text)
            entry = self.new_entry(record, kind, summary="(only its beginning was kept) " + text[:200], **found)
            entry["flags"].append("longer than the limit: only %d of %d bytes were kept" % (len(text), record["bytes"]))
            if kind == "request":
                self.open[record["from"]][id_key(found["id"])] = entry["index"]
            elif kind == "response":
                self.join_response(entry)
            return entry
        if "base64" in record:
            return self.new_entry(record, "junk", summary="not UTF-8: " + text)
        return self.new_entry(record, "junk", summary="not JSON: " + text if text.strip() else "a blank line")

    def add_message(self, record: TraceRecord, message: Any) -> TraceEntry:
        kind = message_kind(message)
        entry = self.new_entry(record, kind, message=message)
        if kind == "invalid":
            entry["summary"] = "JSON, but no message: " + compact_json(message)
            return entry
        if "id" in message:
            entry["id"] = message["id"]
        if message.get("jsonrpc") != "2.0":
            entry["flags"].append('"jsonrpc" is not "2.0"')
        if kind in ("response", "error"):
            self.join_response(entry)
            return entry
        params = message.get("params") if isinstance(message.get("params"), dict) else {}
        entry["method"] = message["method"]
        entry["label"], entry["summary"] = request_words(entry["method"], params)
        entry["revision"] = self.revision_of(entry["method"], params)
        if kind == "request":
            self.open_request(entry, params)
        else:
            self.place_notification(entry, params)
        return entry

    def revision_of(self, method: str, params: dict[str, Any]) -> str | None:
        version = member(params, "_meta", VERSION_KEY)
        if version is None and method == "initialize":
            version = params.get("protocolVersion")
        return version if isinstance(version, str) else self.revision

    def open_request(self, entry: TraceEntry, params: dict[str, Any]) -> None:
        requests, key = self.open[entry["from"]], id_key(entry["id"])
        if key in requests:
            entry["flags"].append("its id is already in use")
        if key[0] == "other":
            entry["flags"].append("its id is neither a string nor a number")
        if entry["from"] == "server":
            self.place_below(entry, self.youngest_call())
        requests[key] = entry["index"]
        meta = params.get("_meta")
        if isinstance(meta, dict) and "progressToken" in meta:
            self.tokens[id_key(meta["progressToken"])] = entry["index"]
        if "requestState" in params or "inputResponses" in params:
            self.continue_chain(entry, params)

    def youngest_call(self) -> int | None:
        calls = [index for index in self.open["host"].values()
                 if self.entries[index].get("method") not in LONG_LIVED_METHODS]
        return max(calls) if calls else None

    def place_below(self, entry: TraceEntry, parent: int | None) -> None:
        """Rule 2."""
        if parent is not None:
            entry.update(parent=parent, depth=self.entries[parent]["depth"] + 1)

    def place_notification(self, entry: TraceEntry, params: dict[str, Any]) -> None:
        parent = None
        if entry["method"] == "notifications/progress":
            parent = self.tokens.get(id_key(params.get("progressToken")))
            if parent is None:
                entry["flags"].append("nobody asked for progress with this token")
            elif "partner" in self.entries[parent]:
                entry["flags"].append("comes after the answer")
        elif entry["method"] == "notifications/cancelled":
            parent = self.open[entry["from"]].get(id_key(params.get("requestId")))
            if parent is None:
                entry["flags"].append("no such request is open")
            else:
                self.entries[parent]["cancelled"] = True
        elif entry["from"] == "server":
            stream = member(params, "_meta", SUBSCRIPTION_KEY)
            parent = self.youngest_call() if stream is None else self.open["host"].get(id_key(stream))
        self.place_below(entry, parent)

    def join_response(self, entry: TraceEntry) -> None:
        asker = "host" if entry["from"] == "server" else "server"
        message = entry.get("message", {})
        entry["outcome"] = "error" if entry["kind"] == "error" else "ok"
        index = self.open[asker].pop(id_key(entry.get("id")), None)
        if index is None:
            entry.update(revision=self.revision, summary=response_words("", message))
            if entry["kind"] == "response" or entry.get("id") is not None:  # an error without one answers a bad line
                entry["flags"].append("answers no open request")
            return
        request = self.entries[index]
        entry.update(partner=index, method=request.get("method"), label=request.get("label"), depth=request["depth"],
                     took=max(0.0, entry["at"] - request["at"]), revision=request.get("revision"))
        request.update(partner=entry["index"], took=entry["took"])
        if "parent" in request:
            entry["parent"] = request["parent"]
        if request.get("cancelled"):
            entry["flags"].append("its request was cancelled")
        if "message" in entry:
            entry["summary"] = response_words(entry["method"] or "", message)
        result = message.get("result")
        if isinstance(result, dict):
            self.learn_from_result(entry, request, result)

    def learn_from_result(self, entry: TraceEntry, request: TraceEntry, result: dict[str, Any]) -> None:
        if request.get("method") == "initialize" and isinstance(result.get("protocolVersion"), str):
            self.revision = entry["revision"] = result["protocolVersion"]
        if result.get("resultType") == "input_required":
            if "chain" not in request:
                self.chains += 1
                request.update(chain=self.chains, round=1)
            asked = result.get("inputRequests")
            self.asked_back.append((result.get("requestState"), request["method"], request.get("label"),
                                    frozenset(asked if isinstance(asked, dict) else ()), request["index"]))
            entry["outcome"] = "asks back"
        if result.get("isError") is True:
            entry["outcome"] = "tool error"
        if "chain" in request:
            entry.update(chain=request["chain"], round=request["round"])

    def continue_chain(self, entry: TraceEntry, params: dict[str, Any]) -> None:
        """Rule 3."""
        answered = params.get("inputResponses")
        keys = frozenset(answered if isinstance(answered, dict) else ())
        for place in range(len(self.asked_back) - 1, -1, -1):
            state, method, label, asked, index = self.asked_back[place]
            if method != entry["method"] or label != entry["label"]:
                continue
            if state == params.get("requestState") and (state is not None or keys <= asked):
                entry.update(chain=self.entries[index]["chain"], round=self.entries[index]["round"] + 1)
                del self.asked_back[place]
                return
        entry["flags"].append("continues no round that was seen")

    def unanswered(self) -> list[TraceEntry]:
        """Requests that got no answer, cancelled ones left out."""
        waiting = sorted(index for side in self.open.values() for index in side.values())
        return [self.entries[index] for index in waiting if not self.entries[index].get("cancelled")]

    def count_words(self) -> str:
        """How many there were of each kind: `2 requests, 1 response`."""
        kinds = [entry["kind"] for entry in self.entries]
        return ", ".join("%d %s" % (kinds.count(kind), names[kinds.count(kind) > 1])
                         for kind, names in KIND_NAMES.items() if kind in kinds)


def understand(session: TraceSession) -> Conversation:
    """The conversation of a whole session; requests that nobody answered are flagged."""
    conversation = Conversation()
    for record in session.records:
        conversation.add(record)
    for entry in conversation.unanswered():
        entry["flags"].append("no answer")
    return conversation


def message_kind(message: Any) -> str:
    if not isinstance(message, dict):
        return "invalid"
    if isinstance(message.get("method"), str):
        return "request" if "id" in message else "notification"
    if "error" in message:
        return "error"
    return "response" if "result" in message else "invalid"


def id_key(value: Any) -> tuple[str, Any]:
    """Something to look an id or a token up by (rule 1)."""
    if isinstance(value, str):
        return "string", value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return "number", value
    return "other", repr(value)


def guess_long_message(head: str) -> tuple[str, TraceEntry]:
    """The kind, and what can be told, of a message of which only the beginning was kept."""
    import re
    start = re.split(r'"(?:params|result|error)"\s*:', head, maxsplit=1)[0][:1000]
    method = re.search(r'"method"\s*:\s*"([^"\\]*)"', start)
    number = re.search(r'"id"\s*:\s*(-?\d+|"[^"\\]*")', start)
    found: TraceEntry = {}
    if number:
        text = number.group(1)
        found["id"] = text[1:-1] if text.startswith('"') else int(text[:300])
    if method:
        found.update(method=method.group(1), label="")
        return ("request" if number else "notification"), found
    return ("response" if number else "junk"), found
