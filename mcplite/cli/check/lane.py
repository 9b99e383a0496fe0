"""One conversation with the server under test: a process, what was asked of it, and a judge of every line it writes.

Here: starting and ending the process, asking and waiting, the judgement of lines, envelopes, ids and notifications,
which goes on whatever is being tried. Not here: what is tried (`handshake`, `stateless`), the form of
results (`shapes`).

Pages: basic/transports (stdio), basic (messages), basic/utilities of 2025-11-25; basic/transports/stdio,
basic/patterns of 2026-07-28.

1. A fault is noted and then forgiven: a byte order mark is dropped, lines are joined, a wrong id is taken for the
   right one. So one fault is one finding, and what comes after it is still tried.
2. Every wait is bounded. A server that ends or falls silent raises `LaneOver`; whoever tries says what it was tried
   with (`trying`).
3. Nothing is waited for to see that it does not come: a request that is answered in order (`settle`) marks the
   moment.
4. However a lane ends, its process group is ended.
"""

from __future__ import annotations

import os

from ...codec import DecodeError, decode_text, encode
from ...jsonrpc import is_id, new_notification, new_request
from ...jsonrpc_lines import OverlongLine, UnterminatedLine
from ...revisions import (
    CLIENT_CAPABILITIES_KEY,
    CLIENT_INFO_KEY,
    LOG_LEVEL_KEY,
    REVISIONS,
    SUBSCRIPTION_KEY,
    VERSION_KEY,
)
from ...stdio import monotonic
from .schemas import tool_problems
from .shapes import RESULT_SHAPES, cache_hint_problems, shape_problems
from .table import shorten_evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Sequence

    from .table import Findings

UTF8_MARK = b"\xef\xbb\xbf"
LONG_LINE = 10 * 1000 * 1000
DEEP_LEVELS = 500
JOINED_LINES = 200  # after so many, only a bracket at the start of a line is taken for the end of a message
MARKED_SECONDS = 1.0  # how long an answer may come after that of a later request
GRACE_SECONDS = 0.02  # for what a server that works side by side writes just after
EXIT_SECONDS = 2.0  # what clients wait for before they send SIGTERM, and before they kill
FLOOD_BYTES = 64 * 1024
HINTED_METHODS = (
    "server/discover",
    "tools/list",
    "prompts/list",
    "resources/list",
    "resources/templates/list",
    "resources/read",
)
HANDSHAKE_NOTIFICATIONS = frozenset(
    (
        "notifications/message",
        "notifications/progress",
        "notifications/cancelled",
        "notifications/tools/list_changed",
        "notifications/resources/list_changed",
        "notifications/resources/updated",
        "notifications/prompts/list_changed",
    )
)
TRACEBACK_HEAD = "Traceback (most recent call last):"
LATE_NOTIFICATIONS = frozenset(("notifications/elicitation/complete", "notifications/tasks/status"))
LISTEN_NOTIFICATIONS = frozenset(
    (
        "notifications/tools/list_changed",
        "notifications/resources/list_changed",
        "notifications/resources/updated",
        "notifications/prompts/list_changed",
        "notifications/subscriptions/acknowledged",
    )
)
STATELESS_NOTIFICATIONS = LISTEN_NOTIFICATIONS | frozenset(
    ("notifications/message", "notifications/progress", "notifications/cancelled")
)
LINE_AND_MESSAGE_CHECKS = (  # made with whatever comes, from the first line on
    "stdout-noise", "utf8", "bom", "one-line", "blank-lines", "crlf", "nan", "lone-surrogate", "raw-separators",
    "line-length", "nesting", "jsonrpc", "message-form", "response-members", "error-object", "response-array",
    "unasked-request", "server-notification", "null-member")
HANDSHAKE_ALWAYS = ("log-message", "log-declared")
STATELESS_ALWAYS = ("log-message", "log-unasked", "error-codes")
NOTES_KEPT = 10000
REPLY_CASES = {"notification-reply": "", "cancel-unknown": "cancel-answered", "blank-input": "blank-answered"}
STATELESS_ERRORS = (-32020, -32021, -32022)


class LaneOver(Exception):
    """The server has ended, or says nothing any more; the text says which."""


class CheckSettings:
    """What the command line says: the command, limits in seconds, the tools that may be called."""

    def __init__(
        self,
        command: Sequence[str],
        env: dict[str, str | None] | None = None,
        inherit_env: bool = True,
        timeout: float = 10.0,
        start_timeout: float = 30.0,
        call_timeout: float = 60.0,
    ) -> None:
        self.command, self.env, self.inherit_env = list(command), env, inherit_env
        self.timeout, self.start_timeout, self.call_timeout = timeout, start_timeout, call_timeout
        self.grace_seconds, self.exit_seconds = GRACE_SECONDS, EXIT_SECONDS
        self.unfinished = False  # the server was seen to leave out line feeds: nobody waits for them again


class PendingAsk:
    """A request that was sent. `answer` is its response, None as long as there is none."""

    def __init__(self, request_id: Any, method: str, params: dict[str, Any] | None) -> None:
        self.request_id, self.method, self.params = request_id, method, params
        self.answer: dict[str, Any] | None = None
        self.progress: float | None = None

    def result(self) -> Any:
        return self.answer.get("result") if self.answer is not None else None

    def code(self) -> Any:
        """The error code, None where the answer is no error."""
        error = self.answer.get("error") if self.answer is not None else None
        return error.get("code") if isinstance(error, dict) else None

    def token(self) -> Any:
        return ((self.params or {}).get("_meta") or {}).get("progressToken")


class CheckLane:
    """A running server and everything said so far. `date` is the revision that is spoken (it changes with `initialize`)."""

    def __init__(self, settings: CheckSettings, findings: Findings, date: str) -> None:
        from ...stdio_process import ChildProcess

        self.settings, self.findings, self.date = settings, findings, date
        self.row = REVISIONS[date]
        self.capabilities: dict[str, Any] | None = None
        self.blame = "initialize"
        self.last_sent: bytes = b""
        self.pending: dict[tuple[str, Any], PendingAsk] = {}
        self.answered: set[tuple[str, Any]] = set()
        self.forgotten: set[tuple[str, Any]] = set()  # given up; one late answer each is no fault
        self.stray_ids: set[tuple[str, Any]] = set()
        self.notified = 0  # notifications sent, each of which a careless server answers
        self.tokens: dict[tuple[str, Any], str] = {}  # progress tokens of requests that are over
        self.strays: list[tuple[dict[str, Any], str]] = []  # responses to nothing, and the check that was being made
        self.no_id_allowed = 0  # bad lines sent, each of which may get an error without an id
        self.notes: list[dict[str, Any]] = []  # notifications that came
        self.subscriptions: dict[tuple[str, Any], dict[str, Any]] = {}  # acknowledged filters by id
        self.partial: list[bytes] = []  # lines that may be one message together
        self.batch_open = False
        self.batch_reply: Any = None
        self.marker = "server/discover" if self.row.stateless else "ping"  # what `settle` sends
        self.input_ended = self.over = False
        self.number = 0
        self.since = monotonic()
        self.answer_at: float | None = None
        self.child = ChildProcess(settings.command, settings.env, settings.inherit_env)

    # -- saying something

    def trying(self, *names: str) -> None:
        """From here on these checks are made; a server that ends now fails the first of them."""
        self.findings.tries(*names)
        self.blame = names[0]

    def report(self, name: str, what: str, evidence: Any = "", severity: str | None = None, case: str = "") -> None:
        """Note a finding; `severity` and `case` as in Findings.add."""
        self.findings.add(name, what, shorten_evidence(evidence), self.date, severity, case)

    def report_unanswered(self, name: str, what: str, line: Any = None, severity: str | None = None) -> None:
        """Note a finding of the check `name`: nothing came for `line` (default: the last one sent)."""
        self.report(name, what, self.last_sent if line is None else line, severity, "unanswered")

    def send_line(self, line: bytes) -> None:
        """Send one line; `line` has no line feed."""
        self.last_sent = line
        self.child.channel.write(line + b"\n")

    def notify(self, method: str, params: dict[str, Any] | None = None) -> None:
        self.notified += 1
        self.send_line(new_notification(method, params).encode().rstrip(b"\n"))

    def next_id(self) -> int:
        self.number += 1
        return self.number

    def expect(self, request_id: Any, method: str, params: dict[str, Any] | None = None) -> PendingAsk:
        """Note that a request with this id is under way; the caller sends its line."""
        asked = self.pending[id_mark(request_id)] = PendingAsk(request_id, method, params)
        return asked

    def start_ask(self, method: str, params: dict[str, Any] | None = None, request_id: Any = None) -> PendingAsk:
        """Send a request without waiting; at 2026-07-28 with its _meta."""
        request_id = self.next_id() if request_id is None else request_id
        if self.row.stateless:
            params = dict(params or {})
            params["_meta"] = dict(stateless_meta(self.date), **params.get("_meta", {}))
        asked = self.expect(request_id, method, params)
        self.send_line(new_request(request_id, method, params).encode().rstrip(b"\n"))
        return asked

    def ask(
        self, method: str, params: dict[str, Any] | None = None, request_id: Any = None, timeout: float | None = None
    ) -> PendingAsk:
        """Send a request and wait for its answer, at most the time limit; raises LaneOver when the server is gone."""
        asked = self.start_ask(method, params, request_id)
        self.wait_for(asked, self.settings.timeout if timeout is None else timeout)
        return asked

    def need(self, check: str, method: str, params: dict[str, Any] | None = None) -> PendingAsk:
        """Ask; a missing answer is a finding of `check`."""
        asked = self.ask(method, params)
        if asked.answer is None:
            self.report_unanswered(check, "%s is not answered within %g s" % (method, self.settings.timeout))
            self.forget(asked)
        return asked

    # -- hearing something

    def wait_for(self, asked: PendingAsk, timeout: float) -> None:
        until = monotonic() + timeout
        while asked.answer is None:
            left = until - monotonic()
            if left <= 0:
                self.adopt_stray(asked)
                self.adopt_unfinished()
                return
            if self.settings.unfinished and not self.hear(min(left, GRACE_SECONDS)):
                self.adopt_unfinished()
            elif not self.settings.unfinished:
                self.hear(left)

    def hear(self, timeout: float) -> bool:
        """Take in what comes within `timeout` seconds; raises LaneOver at the end of the server's output."""
        lines = self.child.channel.read(timeout)
        if lines is None:
            self.over = True
            raise LaneOver("the server ends" if self.child.has_exited(0.5) else "the server closes its output")
        for line in lines:
            self.take_line(line)
        self.child.rest()
        return bool(lines)

    def settle(self, adopting: bool = True) -> None:
        """Wait until everything sent so far has been dealt with: until a request sent now is answered, and a little longer.

        `adopting`: responses to nothing are taken as the answers that are missing (1).
        """
        last = self.last_sent
        try:
            if self.ask(self.marker).answer is None:
                raise LaneOver("the server answers nothing any more")
        finally:
            self.last_sent = last  # what counts is what the server got before
        until = monotonic() + (
            self.settings.grace_seconds if not self.open_asks() else min(MARKED_SECONDS, self.settings.timeout)
        )
        while True:
            left = until - monotonic()
            if left <= 0:
                break
            self.hear(left)
            if not self.open_asks():
                until = min(until, monotonic() + self.settings.grace_seconds)
        for asked in self.open_asks() if adopting else ():
            self.adopt_stray(asked)

    def open_asks(self) -> list[PendingAsk]:
        return [
            asked for asked in self.pending.values() if asked.answer is None and asked.method != "subscriptions/listen"
        ]

    def forget(self, *asks: PendingAsk) -> None:
        """Stop waiting for these: what still comes for them is late, not wrong."""
        for asked in asks:
            if self.pending.pop(id_mark(asked.request_id), None) is not None:
                self.forgotten.add(id_mark(asked.request_id))

    def adopt_stray(self, asked: PendingAsk) -> None:
        """Take a response that belongs to nothing as the answer to `asked`, which has none: its id came back changed (1)."""
        if asked.answer is None and self.strays:
            message, _ = self.strays.pop(0)
            self.report(
                "id-echo",
                "the answer to id %s comes with id %s"
                % (encode(asked.request_id), shorten_evidence(message.get("id"))),
                message,
            )
            self.finish_ask(asked, message)

    def adopt_unfinished(self) -> None:
        """Answers may be there, without the line feed that ends them."""
        splitter = self.child.channel.splitter
        texts = split_messages(b"".join(splitter.parts))
        if texts:
            self.settings.unfinished = True
            self.report("one-line", "a message is not ended by a line feed", texts[0])
            splitter.parts.clear()
            splitter.held = 0
            for text in texts:
                self.take_line(text)

    # -- judging lines (1)

    def take_line(self, line: bytes) -> None:
        """Judge one line, and what it says."""
        self.findings.tries(*LINE_AND_MESSAGE_CHECKS, *(STATELESS_ALWAYS if self.row.stateless else HANDSHAKE_ALWAYS))
        if isinstance(line, OverlongLine):
            self.report("line-length", "a line has more than %d bytes" % line.limit)
            return
        if isinstance(line, UnterminatedLine) and split_messages(line):
            self.report("one-line", "a message is not ended by a line feed", line)
            for message in split_messages(line):
                self.take_line(message)
            return
        if line.startswith(UTF8_MARK):
            self.report("bom", "a line begins with a byte order mark", line)
            line = line[len(UTF8_MARK) :]
            if not line:
                return
        if line.endswith(b"\r"):
            self.report("crlf", "lines end in CR LF", line)
            line = line[:-1]
        if not line.strip() and not self.partial:
            self.report("blank-lines", "a line is empty", line)
            return
        if len(line) > LONG_LINE:
            self.report("line-length", "a line is longer than 10 MB", line)
        broken = False
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError as error:
            self.report("utf8", "a line is not UTF-8: byte %02X" % line[error.start], line)
            text, broken = line.decode("utf-8", "replace"), True
        if self.partial and b'"jsonrpc"' not in line.partition(b":")[0]:
            self.join_lines(line)  # in the middle of a message, a line may be JSON by itself
            return
        value = self.parse_text(text, line)
        if value is not None:
            self.drop_partial()
            self.take_value(value[0], line)
        elif not broken:
            self.join_lines(line)

    def parse_text(self, text: str, line: bytes) -> tuple[Any] | None:
        """The JSON value in a tuple, None where there is none. What only a lenient reader takes is reported."""
        if any(character in text for character in "\u2028\u2029\x85"):
            self.report("raw-separators", "a line holds U+2028, U+2029 or U+0085 as it is", line)
        try:
            value = decode_text(text)
        except DecodeError:
            found: list[str] = []
            read = parse_leniently(text, found)
            if read is None:
                return None
            if read[0] == ():
                self.report("nesting", "a message is nested too deeply", line)
            elif found:
                self.report("nan", "a message holds %s" % found[0], line)
            else:
                self.report("message-form", "a text holds a control character as it is", line)
            return read
        if "\\ud" in text.lower() and has_lone_surrogate(value):
            self.report("lone-surrogate", "a text holds half a surrogate pair", line)
        if text.count("[") + text.count("{") > DEEP_LEVELS and json_depth(value) > DEEP_LEVELS:
            self.report("nesting", "a message is nested more than %d levels deep" % DEEP_LEVELS, line)
        return (value,)

    def join_lines(self, line: bytes) -> None:
        """A line that is no JSON by itself: part of a message over several lines, or noise."""
        if not self.partial and line.lstrip()[:1] not in (b"{", b"["):
            self.report("stdout-noise", "standard output carries a line that is no message", line)
            return
        self.partial.append(line)
        if line[:1] not in (b"}", b"]") and not (
            line.rstrip()[-1:] in (b"}", b"]") and len(self.partial) < JOINED_LINES
        ):
            return
        whole = b"\n".join(self.partial)
        value = parse_leniently(whole.decode("utf-8", "replace"), [])
        if value is not None and isinstance(value[0], (dict, list)) and len(self.partial) > 1:
            self.report("one-line", "a message is spread over several lines", whole)
            self.partial.clear()
            self.take_value(value[0], whole)

    def drop_partial(self) -> None:
        for line in self.partial:
            if line.strip():
                self.report("stdout-noise", "standard output carries a line that is no message", line)
        self.partial.clear()

    # -- judging messages

    def take_value(self, value: Any, line: bytes) -> None:
        if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
            if self.batch_open and self.batch_reply is None:
                self.batch_reply = value
            elif any("jsonrpc" in item for item in value):
                self.report("response-array", "responses come in an array", line)
            for item in value:
                self.take_message(item, line)
        elif isinstance(value, dict):
            self.take_message(value, line)
        elif value != ():
            self.report("stdout-noise", "standard output carries JSON that is no message", line)

    def take_message(self, message: dict[str, Any], line: bytes) -> None:
        """Judge the envelope and hand it on by its kind."""
        is_response = "result" in message or "error" in message
        if "jsonrpc" not in message and "method" not in message and not (is_response and "id" in message):
            self.report("stdout-noise", "standard output carries JSON that is no message", line)
            return
        if message.get("jsonrpc") != "2.0":
            lost = "notification-lost" if "method" in message and "id" not in message else ""
            self.report("jsonrpc", 'a message has not "jsonrpc": "2.0"', line, None, lost)
        if "method" in message:
            if not isinstance(message["method"], str) or is_response:
                self.report(
                    "message-form", "a message has method next to result or error, or a method that is no string", line
                )
            elif "id" in message:
                self.take_question(message, line)
            else:
                self.take_notification(message, line)
        elif is_response:
            self.take_response(message, line)
        else:
            self.report("message-form", "a message has neither method, result nor error", line)

    def take_response(self, message: dict[str, Any], line: bytes) -> None:
        if self.answer_at is None:
            self.answer_at = monotonic()
        if "result" in message and "error" in message:
            self.report("response-members", "a response has result and error", line)
            if not isinstance(message["error"], dict):
                message = {key: value for key, value in message.items() if key != "error"}
        further = sorted(set(message) - {"jsonrpc", "id", "result", "error"})
        if further:
            self.report("response-members", "a response has the further member %s" % ", ".join(further), line)
        if "result" in message and not isinstance(message["result"], dict):
            self.report("message-form", "a result is not an object", line)
            message = dict(message, result={})
        if "error" in message:
            message = dict(message, error=self.judge_error(message["error"], line))
        request_id = message.get("id")
        asked = self.pending.get(id_mark(request_id)) if is_id(request_id) else None
        if is_id(request_id) and id_mark(request_id) in self.forgotten:
            self.forgotten.discard(id_mark(request_id))
            return
        if asked is None and id_mark(request_id) not in self.answered:
            asked = self.find_loosely(request_id)
            if asked is not None:
                self.report(
                    "id-echo",
                    "an id comes back as another type: %s as %s" % (type_word(asked.request_id), type_word(request_id)),
                    line,
                )
        if asked is not None:
            self.finish_ask(asked, message)
        elif is_id(request_id) and id_mark(request_id) in self.answered:
            self.report("answer-once", "a request is answered twice", line)
        elif request_id is None and "error" in message:
            if self.no_id_allowed > 0:
                self.no_id_allowed -= 1
            elif self.blame in REPLY_CASES:
                self.report(self.blame, "an error without an id comes in reply", line, None, REPLY_CASES[self.blame])
            elif self.notified > 0:
                self.notified -= 1
                self.report("notification-reply", "an error without an id comes in reply", line)
            else:
                self.report("stray-response", "an error without an id comes unasked", line)
        else:
            again = id_mark(request_id) in self.stray_ids
            self.stray_ids.add(id_mark(request_id))
            self.strays.append((message, "stray-response" if again else self.blame))

    def judge_error(self, error: Any, line: bytes) -> dict[str, Any]:
        """Check an error object; return one that can be read."""
        found = dict(error) if isinstance(error, dict) else {}
        code = found.get("code")
        if not isinstance(code, int) or isinstance(code, bool):
            self.report("error-object", "an error has no integer code", line)
            found["code"] = int(code) if isinstance(code, str) and code.lstrip("-").isdigit() else -32603
        elif self.row.stateless and (
            code in (-32002, -32042) or -32099 <= code <= -32020 and code not in STATELESS_ERRORS
        ):
            self.report("error-codes", "the error code %d is forbidden" % code, line)
        if not isinstance(found.get("message"), str):
            self.report("error-object", "an error has no message", line)
        return found

    def find_loosely(self, request_id: Any) -> PendingAsk | None:
        """The request whose id looks the same: "1" for 1, 1.0 for 1."""
        if request_id is None or isinstance(request_id, (bool, dict, list)):
            return None
        for asked in self.pending.values():
            if (
                str(asked.request_id) == str(request_id)
                or isinstance(request_id, float)
                and asked.request_id == request_id
            ):
                return asked
        return None

    def finish_ask(self, asked: PendingAsk, message: dict[str, Any]) -> None:
        mark = id_mark(asked.request_id)
        self.pending.pop(mark, None)
        self.answered.add(mark)
        asked.answer = message
        token = asked.token()
        if is_id(token):
            self.tokens[id_mark(token)] = asked.method
        if isinstance(message.get("result"), dict):
            self.judge_result(asked, message["result"])

    def judge_result(self, asked: PendingAsk, result: dict[str, Any]) -> None:
        """Compare a result with the definition of its method (`shapes`), and at 2026-07-28 with what every result has."""
        if self.row.stateless:
            self.judge_stateless_result(asked, result)
            if result.get("resultType") == "input_required":
                return
        check, definition = RESULT_SHAPES.get(asked.method, ("message-form", "EmptyResult"))
        self.findings.tries(check)
        self.report_shape(check, result, definition, asked.method)
        if asked.method == "tools/list" and isinstance(result.get("tools"), list):
            for tool in result["tools"]:
                if isinstance(tool, dict):
                    for name, what, evidence, case in tool_problems(tool, self.row):
                        self.report(name, what, evidence, None, case)

    def report_shape(self, check: str, value: Any, definition: str, method: str) -> bool:
        """Report what is wrong with the form of `value`; true when it cannot be relied on."""
        wrong = False
        for kind, what in shape_problems(value, definition, self.row):
            wrong = wrong or kind != "newer"
            notified = method.startswith("notifications/")
            if kind == "null":
                case = "notification-null" if notified else ""
                self.report("null-member", "%s: %s" % (method, without_numbers(what)), value, None, case)
            elif kind == "newer":
                self.findings.add(
                    "newer-members", "members are sent to clients of revisions without them", what, self.date
                )
            else:
                case = "notification-form" if notified and check != "log-message" else ""
                self.report(check, "%s: %s" % (method, without_numbers(what)), value, None, case)
        return wrong

    def judge_stateless_result(self, asked: PendingAsk, result: dict[str, Any]) -> None:
        self.findings.tries("result-type")
        kind = result.get("resultType")
        if kind is None:
            self.report("result-type", "a result has no resultType", result)
        elif kind not in ("complete", "input_required") and not (self.capabilities or {}).get("extensions"):
            what = "a result has the resultType %s" % shorten_evidence(kind)
            self.report("result-type", what, result, None, "odd-result-type")
        if asked.method in HINTED_METHODS and kind != "input_required":
            self.findings.tries("cache-hints")
            for what in cache_hint_problems(result):
                self.report("cache-hints", "%s: %s" % (asked.method, what), result)
        self.findings.tries("server-info")
        if "io.modelcontextprotocol/serverInfo" not in (result.get("_meta") or {}):
            self.report("server-info", "a result does not name the server", result)

    def take_question(self, message: dict[str, Any], line: bytes) -> None:
        """A request of the server: refused, or (ping) answered."""
        method = message["method"]
        if self.row.stateless:
            self.report("unasked-request", "the server sends the request %s" % method, line, None, "modern-request")
            return
        if self.input_ended:
            self.report("late-output", "a request is sent after the end of input", line)
            return
        reply: dict[str, Any] = {"jsonrpc": "2.0", "id": message["id"], "result": {}}
        if method != "ping":
            self.report("unasked-request", "the server asks %s, which the client has not declared" % method, line)
            del reply["result"]
            reply["error"] = {"code": -32601, "message": "Method not found"}
        self.child.channel.write(encode(reply).encode() + b"\n")

    def take_notification(self, message: dict[str, Any], line: bytes) -> None:
        method, params = message["method"], message.get("params")
        if len(self.notes) < NOTES_KEPT:
            self.notes.append(message)
        known = STATELESS_NOTIFICATIONS if self.row.stateless else HANDSHAKE_NOTIFICATIONS | LATE_NOTIFICATIONS
        if self.input_ended:
            self.report("late-output", "a notification is sent after the end of input", line)
            return
        if "params" in message and not isinstance(params, dict):
            what = "the params of a notification are not an object"
            self.report("message-form", what, line, None, "notification-form")
            return
        params = params or {}
        if method not in known:
            self.report("server-notification", "the revision has no notification %s" % method, line)
            return
        check = {"notifications/message": "log-message", "notifications/progress": "progress"}.get(
            method, "server-notification"
        )
        if self.report_shape(check, params, method, method):
            return
        if method == "notifications/progress":
            self.judge_progress(params, line)
        elif method == "notifications/message":
            self.judge_log(line)
        elif self.row.stateless and method in LISTEN_NOTIFICATIONS:
            self.judge_subscribed(method, params, line)

    def judge_progress(self, params: dict[str, Any], line: bytes) -> None:
        token = params["progressToken"]
        for asked in self.pending.values():
            given = asked.token()
            if given is not None and id_mark(given) == id_mark(token):
                if asked.progress is not None and params["progress"] <= asked.progress:
                    self.report("progress", "the progress of a request does not increase", line, None, "progress-falls")
                asked.progress = params["progress"]
                return
        if id_mark(token) in self.tokens:
            self.report("progress", "progress comes after the answer", line, None, "progress-late")
        else:
            self.report("progress", "progress comes for a token that was never given", line)

    def judge_log(self, line: bytes) -> None:
        if self.row.stateless:
            if not any(LOG_LEVEL_KEY in ((asked.params or {}).get("_meta") or {}) for asked in self.pending.values()):
                self.report("log-unasked", "a log message comes, though no request in flight asked for any", line)
        elif self.capabilities is not None and "logging" not in self.capabilities:
            self.report("log-declared", "a log message comes, but logging is not declared", line)

    def judge_subscribed(self, method: str, params: dict[str, Any], line: bytes) -> None:
        """Every notification of a stream carries the id of its subscriptions/listen, and none comes before the acknowledgment."""
        given = (params.get("_meta") or {}).get(SUBSCRIPTION_KEY)
        mark = id_mark(given)
        asked = self.pending.get(mark)
        if asked is None or asked.method != "subscriptions/listen":
            what = "%s comes without the id of an open subscription" % method
            self.report("listen", what, line, None, "listen-stray")
        elif method == "notifications/subscriptions/acknowledged":
            self.subscriptions[mark] = params["notifications"]
        elif mark not in self.subscriptions:
            self.report("listen", "%s comes before the acknowledgment" % method, line, None, "listen-early")

    # -- the end

    def end_input(self) -> None:
        """Close the server's standard input, as a client does that has had enough."""
        if not self.input_ended:
            self.input_ended = True
            self.child.channel.drain(1.0)
            self.child.channel.end_input(self.child.process.stdin.close)

    def finish(self, judged: bool = True) -> None:
        """End the input, hear what still comes, judge how the process ends, and end it whatever it does (4)."""
        try:
            if judged and not self.over:
                self.trying("exit-at-end", "exit-status", "orphans", "late-output")
            self.end_input()
            waited = self.wait_exit(self.settings.exit_seconds)
            self.judge_strays()
            if judged:
                self.judge_exit(waited)
                self.judge_stderr()
        finally:
            self.child.close(0.2)

    def wait_exit(self, seconds: float) -> float | None:
        """Hear until the process has ended; the seconds it took, None when it did not."""
        since = monotonic()
        quiet_until: float | None = None  # its output may be held open by what it started: not for ever
        while monotonic() - since < seconds and not (quiet_until is not None and monotonic() > quiet_until):
            lines = [] if self.over else self.child.channel.read(0.02)
            self.over = self.over or lines is None
            for line in lines or []:
                self.take_line(line)
            if self.child.has_exited(0.02 if self.over else 0) and (self.over or quiet_until is None):
                quiet_until = monotonic() + (0 if self.over else 0.1)
        self.drop_partial()
        return monotonic() - since if self.child.has_exited(0) else None

    def judge_strays(self) -> None:
        for message, blame in self.strays:
            name = blame if blame in ("notification-reply", "cancel-unknown") else "stray-response"
            self.report(name, "a response comes that belongs to no request", message, None, REPLY_CASES.get(name, ""))
        self.strays.clear()

    def judge_exit(self, waited: float | None) -> None:
        process = self.child.process
        if waited is None:
            self.child.signal_group(False)
            if self.child.has_exited(self.settings.exit_seconds):
                self.report(
                    "exit-at-end",
                    "the server does not end within %g s of the end of input; SIGTERM ends it"
                    % self.settings.exit_seconds,
                )
            else:
                self.report("exit-at-end", "the server ends neither at the end of input nor at SIGTERM", "", "error")
            return
        if process.returncode != 0:
            self.report("exit-status", self.child.describe(), self.child.read_tail()[-200:])
        left = processes_left(process.pid)
        if left:
            self.report("orphans", "a process that the server started is still there", left[0])

    def judge_stderr(self) -> None:
        capture = self.child.capture
        if capture is None:
            return
        self.findings.tries("stderr-flood", "traceback")
        size = os.fstat(capture.reader.fileno()).st_size
        if size > FLOOD_BYTES:
            self.report("stderr-flood", "more than 64 KiB on standard error", self.child.read_tail()[-200:])
        tail = self.child.read_tail()
        if TRACEBACK_HEAD in tail:
            lines = tail.rpartition(TRACEBACK_HEAD)[2].splitlines()
            self.report(
                "traceback",
                "a traceback on standard error",
                next((line for line in lines if line[:1].isalpha()), tail[-200:]),
            )


def stateless_meta(date: str) -> dict[str, Any]:
    """The `_meta` that every request has at 2026-07-28."""
    return {VERSION_KEY: date, CLIENT_INFO_KEY: {"name": "mcplite check", "version": "1"}, CLIENT_CAPABILITIES_KEY: {}}


def id_mark(value: Any) -> tuple[str, Any]:
    """An id as a key: 1, 1.0 and "1" are three."""
    return (value.__class__.__name__, value if isinstance(value, (str, int, float)) else repr(value))


def type_word(value: Any) -> str:
    if isinstance(value, str):
        return "a string"
    return "a number with a fraction" if isinstance(value, float) else "an integer"


def without_numbers(what: str) -> str:
    """ "tools[3].title is null" without the position, so that a hundred tools make one finding."""
    import re

    return re.sub(r"\[\d+\]", "[]", what)


def parse_leniently(text: str, found: list[str]) -> tuple[Any] | None:
    """Read what Python's json reads: NaN and Infinity, which are put into `found`. None where that is no JSON either."""
    import json

    def take_constant(name: str) -> None:
        found.append(name)

    def take_float(digits: str) -> float:
        number = float(digits)
        if number in (float("inf"), float("-inf")):
            found.append("the number %s" % digits)
        return number

    try:
        return (json.loads(text, parse_constant=take_constant, parse_float=take_float, strict=False),)
    except RecursionError:
        return ((),)  # no value that JSON has
    except ValueError:
        return None


def split_messages(data: bytes) -> list[bytes]:
    """The JSON objects that stand behind each other in `data` without a line feed; none where it is anything else."""
    import json

    try:
        text, found = data.decode("utf-8").strip(), []
        while text:
            value, end = json.JSONDecoder().raw_decode(text)
            if not isinstance(value, dict):
                return []
            found.append(text[:end].encode("utf-8"))
            text = text[end:].strip()
    except (ValueError, RecursionError):
        return []
    return found


def has_lone_surrogate(value: Any) -> bool:
    import json

    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def json_depth(value: Any) -> int:
    """How many arrays and objects lie in each other."""
    depth, level = 0, [value]
    while level:
        below: list[Any] = []
        for item in level:
            if isinstance(item, dict):
                below.extend(item.values())
            elif isinstance(item, list):
                below.extend(item)
        depth, level = depth + 1, below
    return depth


def processes_left(group: int) -> list[str]:
    """Command lines of the processes of a group that are still there after a moment; zombies do not count."""
    import time

    from ...stdio_process import is_group_alive

    until = monotonic() + 0.5
    while is_group_alive(group):
        left = living_members(group)
        if left == []:
            return []
        if monotonic() > until:
            return left if left is not None else ["process group %d" % group]
        time.sleep(0.02)
    return []


def living_members(group: int) -> list[str] | None:
    """The same from /proc; None where there is no such thing."""
    if not os.path.isdir("/proc/self"):
        return None
    found = []
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open("/proc/%s/stat" % name, "rb") as file:
                fields = file.read().rsplit(b")", 1)[1].split()
            if fields[0] != b"Z" and int(fields[2]) == group:
                with open("/proc/%s/cmdline" % name, "rb") as file:
                    found.append(file.read().replace(b"\0", b" ").decode("utf-8", "replace").strip() or name)
        except (OSError, IndexError, ValueError):  # it has just ended
            continue
    return found
