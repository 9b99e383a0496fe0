"""A recording, understood: which line is which message, what answers what, what belongs together; and shown as text.

Reading and understanding are pure (bytes and dicts in, dicts out) and know nothing of terminals or pages; `trace_html`
makes a page of the same entries. Nothing here may fail because of what a recording holds: it is what somebody's broken
server sent.

1. Records are separated by LF only (a verbatim message may hold U+2028). A record that cannot be read is counted, not
   fatal.
2. A response belongs to the open request of the other side with the same id; `1` and `"1"` are two ids.
3. A request of the server belongs to the youngest call of the host that is still open (the handshake revisions have no
   better link); progress belongs to the request with its token, a notification of a stream to the request that opened it.
4. Rounds of one stateless call are linked by `requestState`, or, where there is none, by method, name and the keys of the
   answers (https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr).
5. What is printed cannot steer a terminal: whatever is not printable is shown as its escape.
"""
from __future__ import annotations

from .terminal import column_width, compact_json, duration_words, printable, shortened, size_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Iterable

    TraceEntry = dict[str, Any]
    TraceRecord = dict[str, Any]

META_VERSION = "io.modelcontextprotocol/protocolVersion"
META_SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
LONG_LIVED_METHODS = ("subscriptions/listen",)
KIND_NAMES = {  # kind: (one, several)
    "request": ("request", "requests"), "response": ("response", "responses"), "error": ("error", "errors"),
    "notification": ("notification", "notifications"),
              "invalid": ("line that is no message", "lines that are no messages"),
    "junk": ("line that is not JSON", "lines that are not JSON"), "stderr": ("line on stderr", "lines on stderr"),
}


# --- reading ------------------------------------------------------------------------------------------------------


class TraceSession:
    """One run of a server in a recording: its header, its records, and how many records could not be read."""

    def __init__(self, header: TraceRecord) -> None:
        self.header = header
        self.records: list[TraceRecord] = []
        self.unreadable = 0


class TraceReader:
    """Sorts the lines of a recording into sessions. `sessions` grows as lines are fed."""

    def __init__(self) -> None:
        self.sessions: list[TraceSession] = []
        self.running: dict[Any, TraceSession] = {}
        self.unreadable = 0

    def feed_line(self, line: bytes) -> tuple[TraceSession, TraceRecord] | None:
        """The session and the record of one line; None for a header or what is not a record."""
        import json
        try:
            record = json.loads(line.decode("utf-8"))
        except (ValueError, RecursionError):
            record = None
        if isinstance(record, dict) and "mcplite_trace" in record:
            session = TraceSession(record)
            self.sessions.append(session)
            self.running[hashable_pid(record)] = session
            return None
        owner = self.running.get(hashable_pid(record)) if isinstance(record, dict) else None
        if owner is None or not is_trace_record(record):
            self.unreadable += 1
            if self.sessions:
                self.sessions[-1].unreadable += 1
            return None
        if "message" in record:
            record["text"] = message_text(line)
        owner.records.append(record)
        return owner, record


def hashable_pid(record: TraceRecord) -> str:
    return repr(record.get("pid"))


def is_trace_record(record: TraceRecord) -> bool:
    at, event = record.get("at"), record.get("event")
    if not isinstance(at, (int, float)) or isinstance(at, bool):
        return False
    if isinstance(event, str):
        return True
    return (record.get("from") in ("host", "server", "stderr") and isinstance(record.get("bytes"), int)
            and ("message" in record or isinstance(record.get("text"), str)))


def message_text(line: bytes) -> str:
    """The verbatim message in a record: the recorder writes it last."""
    start = line.find(b'"message":')
    return line[start + len(b'"message":'):line.rindex(b"}")].decode("utf-8", "replace").strip()


def parse_trace(data: bytes) -> list[TraceSession]:
    """All sessions in the bytes of a recording; within a session in the order of time."""
    reader = TraceReader()
    for line in data.split(b"\n"):
        if line.strip():
            reader.feed_line(line)
    for session in reader.sessions:
        session.records.sort(key=lambda record: float(record["at"]))
    return reader.sessions


# --- understanding ------------------------------------------------------------------------------------------------


class Conversation:
    """Follows a session record by record; `entries` holds one dict for each message, stderr line, junk line and event.

    An entry has `at`, `from`, `kind` (request response error notification invalid junk stderr event), `bytes`, `text`,
    `flags` (what is odd), `depth`, and where it has one: `id`, `method`, `label`, `summary`, `partner` (the index of the answer
    or the question), `took` (seconds), `parent` (the index of the request it belongs to), `chain` and `round` (rule 4),
    `revision`, `message`.
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
        if isinstance(message, list) and message:
            entries = []
            for number, item in enumerate(message, 1):
                entry = self.add_message(record, item)
                entry["flags"].append("%d of %d in a batch" % (number, len(message)))
                entry["text"] = compact_json(item)
                if number > 1:
                    entry["bytes"] = 0
                entries.append(entry)
            return entries
        return [self.add_message(record, message)]

    def new_entry(self, record: TraceRecord, kind: str, **members: Any) -> TraceEntry:
        entry: TraceEntry = {"at": record["at"], "from": record.get("from", "event"), "kind": kind,
                             "bytes": record.get("bytes", 0),
                             "text": record.get("text", ""), "flags": [], "depth": 0, "index": len(self.entries)}
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
        if kind in ("request", "notification"):
            entry["method"] = message["method"]
            params = message.get("params") if isinstance(message.get("params"), dict) else {}
            entry["label"], entry["summary"] = request_words(entry["method"], params)
            entry["revision"] = self.revision_of(entry["method"], params)
            if kind == "request":
                self.open_request(entry, params)
            else:
                self.place_notification(entry, params)
        else:
            self.join_response(entry)
        return entry

    def revision_of(self, method: str, params: dict[str, Any]) -> str | None:
        meta = params.get("_meta")
        version = meta.get(META_VERSION) if isinstance(meta, dict) else None
        if version is None and method == "initialize":
            version = params.get("protocolVersion")
        return version if isinstance(version, str) else self.revision

    def open_request(self, entry: TraceEntry, params: dict[str, Any]) -> None:
        origin, key = entry["from"], id_key(entry["id"])
        if key in self.open[origin]:
            entry["flags"].append("its id is already in use")
        if key[0] == "other":
            entry["flags"].append("its id is neither a string nor a number")
        parent = self.youngest_call() if origin == "server" else None
        if parent is not None:
            entry["parent"], entry["depth"] = parent, self.entries[parent]["depth"] + 1
        self.open[origin][key] = entry["index"]
        meta = params.get("_meta")
        if isinstance(meta, dict) and "progressToken" in meta:
            self.tokens[id_key(meta["progressToken"])] = entry["index"]
        if "requestState" in params or "inputResponses" in params:
            self.continue_chain(entry, params)

    def youngest_call(self) -> int | None:
        calls = [index for index in self.open["host"].values()
                 if self.entries[index].get("method") not in LONG_LIVED_METHODS]
        return max(calls) if calls else None

    def place_notification(self, entry: TraceEntry, params: dict[str, Any]) -> None:
        parent = None
        if entry["method"] == "notifications/progress":
            parent = self.tokens.get(id_key(params.get("progressToken")))
            if parent is None:
                entry["flags"].append("nobody asked for progress with this token")
            elif "partner" in self.entries[parent]:
                entry["flags"].append("comes after the answer")
        elif entry["method"] == "notifications/cancelled":
            index = self.open[entry["from"]].get(id_key(params.get("requestId")))
            if index is None:
                entry["flags"].append("no such request is open")
            else:
                self.entries[index]["cancelled"] = True
                parent = index
        elif entry["from"] == "server":
            meta = params.get("_meta")
            stream = meta.get(META_SUBSCRIPTION) if isinstance(meta, dict) else None
            parent = self.youngest_call() if stream is None else self.open["host"].get(id_key(stream))
        if parent is not None:
            entry["parent"], entry["depth"] = parent, self.entries[parent]["depth"] + 1

    def join_response(self, entry: TraceEntry) -> None:
        asker = "host" if entry["from"] == "server" else "server"
        message = entry.get("message", {})
        index = self.open[asker].pop(id_key(entry.get("id")), None)
        if index is None:
            entry["revision"] = self.revision
            entry["summary"] = response_words("", message)
            if entry["kind"] == "response" or entry.get("id") is not None:  # an error without one answers a bad line
                entry["flags"].append("answers no open request")
            return
        request = self.entries[index]
        entry.update(partner=index, method=request.get("method"), label=request.get("label"), depth=request["depth"],
                     took=max(0.0, entry["at"] - request["at"]), revision=request.get("revision"))
        request["partner"] = entry["index"]
        request["took"] = entry["took"]
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
        if result.get("isError") is True:
            entry["tool_error"] = True
        if result.get("resultType") == "input_required":
            if "chain" not in request:
                self.chains += 1
                request.update(chain=self.chains, round=1)
            asked = result.get("inputRequests")
            self.asked_back.append((result.get("requestState"), request["method"], request.get("label"),
                                    frozenset(asked if isinstance(asked, dict) else ()), request["index"]))
            entry["asks_back"] = True
        if "chain" in request:
            entry.update(chain=request["chain"], round=request["round"])

    def continue_chain(self, entry: TraceEntry, params: dict[str, Any]) -> None:
        """Rule 4."""
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
    """Something to look an id or a token up by (rule 2)."""
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


# --- words: one line for each kind of message ------------------------------------------------------------------------


def member(value: Any, *path: str) -> Any:
    """value[path[0]][path[1]]..., None where there is no such thing."""
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def words(*parts: Any) -> str:
    return " ".join(str(part) for part in parts if part is not None and part != "")


def quoted(value: Any) -> str:
    return "" if value is None else compact_json(value)


def person(value: Any) -> str:
    return words(member(value, "name"), member(value, "version"))


def arguments_words(params: dict[str, Any]) -> str:
    return words(quoted(params.get("arguments")) if params.get("arguments") else "",
                 "with the answers to " + ", ".join(map(str, params["inputResponses"]))
                 if isinstance(params.get("inputResponses"), dict) else "")


def last_text(params: dict[str, Any]) -> str:
    messages = params.get("messages")
    last = messages[-1] if isinstance(messages, list) and messages else None
    content = member(last, "content")
    return quoted(member(content[0] if isinstance(content, list) and content else content, "text"))


def progress_words(params: dict[str, Any]) -> str:
    total = params.get("total")
    return words(compact_json(params.get("progress")), "" if total is None else "of " + compact_json(total),
                 quoted(params.get("message")))


# method: params -> (label, summary). The label names what is asked for, and is repeated with the answer.
REQUEST_WORDS: dict[str, Callable[[dict[str, Any]], tuple[Any, str]]] = {
    "initialize": lambda params: ("", words(params.get("protocolVersion"), person(params.get("clientInfo")))),
    "tools/call": lambda params: (params.get("name"), arguments_words(params)),
    "prompts/get": lambda params: (params.get("name"), arguments_words(params)),
    "resources/read": lambda params: (params.get("uri"), arguments_words(params)),
    "resources/subscribe": lambda params: (params.get("uri"), ""),
    "resources/unsubscribe": lambda params: (params.get("uri"), ""),
    "notifications/resources/updated": lambda params: (params.get("uri"), ""),
    "completion/complete": lambda params: (
        words(member(params, "ref", "name") or member(params, "ref", "uri"), member(params, "argument", "name")),
        quoted(member(params, "argument", "value"))),
    "logging/setLevel": lambda params: (params.get("level"), ""),
    "elicitation/create": lambda params: ("", words(quoted(params.get("message")), params.get("url"))),
    "sampling/createMessage": lambda params: ("", last_text(params)),
    "notifications/message": lambda params: (params.get("level"),
                                             words(params.get("logger"), quoted(params.get("data")))),
    "notifications/progress": lambda params: ("", progress_words(params)),
    "notifications/cancelled": lambda params: ("#%s" % compact_json(params.get("requestId")),
                                               quoted(params.get("reason"))),
    "notifications/elicitation/complete": lambda params: (params.get("elicitationId"), ""),
    "notifications/tasks/status": lambda params: (params.get("taskId"),
                                                  words(params.get("status"), quoted(params.get("statusMessage")))),
    "subscriptions/listen": lambda params: ("", compact_json(params.get("notifications"))),
    "notifications/subscriptions/acknowledged": lambda params: ("", compact_json(params.get("notifications"))),
    "tasks/get": lambda params: (params.get("taskId"), ""),
    "tasks/result": lambda params: (params.get("taskId"), ""),
    "tasks/cancel": lambda params: (params.get("taskId"), ""),
}


def request_words(method: str, params: dict[str, Any]) -> tuple[str, str]:
    if method in REQUEST_WORDS:
        label, summary = REQUEST_WORDS[method](params)
        return "" if label is None else str(label), summary
    shown = {name: value for name, value in params.items() if name != "_meta"}
    return "", compact_json(shown) if shown else ""


def content_words(content: Any) -> str:
    """The content of a result: the first text, and how much more there is."""
    blocks = content if isinstance(content, list) else [content]
    if not blocks:
        return "no content"
    first = blocks[0]
    text = member(first, "text")
    start = quoted(text) if text is not None else words(member(first, "type"),
                                                        member(first, "uri") or member(first, "resource", "uri"))
    return start + (" and %d more" % (len(blocks) - 1) if len(blocks) > 1 else "")


def counted_items(name: str, result: dict[str, Any]) -> str:
    items = result.get(name)
    number = len(items) if isinstance(items, list) else 0
    names = [str(member(item, "name") or member(item, "uri")) for item in items[:6]] if isinstance(items, list) else []
    more = ", ..." if number > 6 else ""
    return "%d%s%s" % (number, ": " + ", ".join(names) + more if names else "",
                       " (more to come)" if result.get("nextCursor") is not None else "")


def server_words(result: dict[str, Any]) -> str:
    offered = member(result, "capabilities")
    versions = result.get("protocolVersion") or result.get("supportedVersions")
    if isinstance(versions, list):
        versions = ", ".join(map(str, versions))
    who = result.get("serverInfo") or member(result, "_meta", "io.modelcontextprotocol/serverInfo")
    return words(versions, person(who), "offers " + ", ".join(offered) if isinstance(offered, dict) and offered else "")


RESULT_WORDS: dict[str, Callable[[dict[str, Any]], str]] = {
    "initialize": server_words,
    "server/discover": server_words,
    "tools/list": lambda result: counted_items("tools", result),
    "resources/list": lambda result: counted_items("resources", result),
    "resources/templates/list": lambda result: counted_items("resourceTemplates", result),
    "prompts/list": lambda result: counted_items("prompts", result),
    "roots/list": lambda result: counted_items("roots", result),
    "tasks/list": lambda result: counted_items("tasks", result),
    "tools/call": lambda result: content_words(result.get("content")),
    "prompts/get": lambda result: words("%d messages:" % len(result["messages"])
                                        if isinstance(result.get("messages"), list) else "",
                                        last_text(result)),
    "resources/read": lambda result: content_words(result.get("contents")),
    "completion/complete": lambda result: compact_json(member(result, "completion", "values")),
    "elicitation/create": lambda result: words(result.get("action"), quoted(result.get("content"))),
    "sampling/createMessage": lambda result: words(result.get("model"), content_words(result.get("content"))),
}


def response_words(method: str, message: dict[str, Any]) -> str:
    """What an answer says: the error, the questions it asks back, or the result in a few words."""
    if "error" in message:
        error = message["error"]
        if not isinstance(error, dict):
            return compact_json(error)
        return words(compact_json(error.get("code")), error.get("message"))
    result = message.get("result")
    if not isinstance(result, dict):
        return compact_json(result)
    if result.get("resultType") == "input_required":
        asked = result.get("inputRequests")
        asked = asked if isinstance(asked, dict) else {}
        return ", ".join(words("%s:" % key, member(question, "method"), quoted(member(question, "params", "message")))
                         for key, question in asked.items())
    if method in RESULT_WORDS:
        return RESULT_WORDS[method](result)
    shown = {name: value for name, value in result.items() if name not in ("_meta", "resultType")}
    return compact_json(shown) if shown else ""


def event_summary(record: TraceRecord) -> str:
    event = record["event"]
    if event == "exit" and "signal" in record:
        return "the server was ended by %s" % record["signal"]
    if event == "exit":
        return "the server exited with status %s" % record.get("status")
    known = {"host_closed": "the host closed its end", "server_closed": "the server closed its output",
             "signal": "%s passed on to the server" % record.get("signal"), "note": str(record.get("text"))}
    return known.get(event, str(event))


# --- text -----------------------------------------------------------------------------------------------------------


ARROWS = {"host": "-->", "server": "<--", "stderr": "err", "event": " * "}
COLOURS = {"request": "1", "response": "32", "error": "31", "tool error": "31", "notification": "36", "invalid": "33",
           "junk": "33", "stderr": "2", "event": "2"}


def entry_words(entry: TraceEntry) -> str:
    """One entry without time, arrow and size."""
    kind = entry["kind"]
    number = "#%s" % compact_json(entry["id"]) if "id" in entry else ""
    outcome = ""
    if kind in ("response", "error"):
        outcome = ("ERROR" if kind == "error" else "tool error" if entry.get("tool_error")
                   else "asks back" if entry.get("asks_back") else "ok")
        if "took" in entry:
            outcome = words(outcome, duration_words(entry["took"]))
        if "message" in entry and entry.get("summary"):
            outcome += ":"
    rounds = "(round %d)" % entry["round"] if entry.get("round",
                                                        1) > 1 or (entry.get("asks_back") and "round" in entry) else ""
    flags = "[%s]" % "; ".join(entry["flags"]) if entry["flags"] else ""
    return words(number, entry.get("method"), entry.get("label"), rounds, outcome, flags, entry.get("summary"))


def entry_line(entry: TraceEntry, width: int, colour: bool = False) -> str:
    """One entry as one line of at most `width` columns."""
    size = size_words(entry["bytes"]) if entry["bytes"] else ""
    start = "%9.3f  %s  %s" % (entry["at"], ARROWS[entry["from"]], "  " * entry["depth"])
    room = max(12, width - len(start) - len(size) - 2)
    text = shortened(printable(entry_words(entry)), room)
    line = start + text
    if size:
        line += " " * max(1, width - column_width(line) - len(size)) + size
    if colour:
        kind = "tool error" if entry.get("tool_error") else entry["kind"]
        line = "\033[%sm%s\033[0m" % (COLOURS[kind], line)
    return line


def pretty_lines(entry: TraceEntry) -> Iterable[str]:
    """The whole message, indented, one printable line at a time."""
    import json
    text = entry["text"]
    if "message" in entry:
        text = json.dumps(entry["message"], indent=2, ensure_ascii=False)
    return ["%18s%s" % ("", printable(line)) for line in text.split("\n")]


def header_lines(session: TraceSession, number: int, total: int) -> list[str]:
    header = session.header
    command = header.get("command")
    started = str(header.get("started", "?")).replace("T", " ")[:19]
    which = "session %d of %d, " % (number, total) if total > 1 else ""
    return [printable("trace of: " + (" ".join(map(shell_word, command)) if isinstance(command, list) else "?")),
            printable("%s%s UTC, mcplite %s on %s" % (which, started, header.get("version"), header.get("platform"))),
            "",
            "     time  --> from the host, <-- from the server"]


def shell_word(word: Any) -> str:
    from shlex import quote
    return quote(str(word))


def summary_lines(session: TraceSession, conversation: Conversation) -> list[str]:
    counts: dict[str, int] = {}
    for entry in conversation.entries:
        counts[entry["kind"]] = counts.get(entry["kind"], 0) + 1
    said = ["%d %s" % (counts[kind], names[counts[kind] > 1]) for kind, names in KIND_NAMES.items() if counts.get(kind)]
    lines = ["", ", ".join(said) or "nothing was said"]
    for entry in conversation.unanswered():
        lines.append(printable("no answer: %s" % entry_words(dict(entry, flags=[]))))
    if session.unreadable:
        lines.append("records that could not be read: %d (a crash in the middle of a write, or a damaged file)"
                     % session.unreadable)
    return lines


def session_text(session: TraceSession, number: int, total: int, width: int, colour: bool = False,
                 full: bool = False) -> str:
    """A whole session as text."""
    lines = header_lines(session, number, total)
    conversation = understand(session)
    for entry in conversation.entries:
        lines.append(entry_line(entry, width, colour))
        if full:
            lines += pretty_lines(entry) if entry["text"] or "message" in entry else []
    lines += summary_lines(session, conversation)
    return "\n".join(line.rstrip() for line in lines) + "\n"
