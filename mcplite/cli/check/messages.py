"""The judge of messages: envelopes, ids, errors, results, notifications, questions of the server.

Here: what goes on whatever is being tried. Not here: lines (`lines`), what is tried (`steps` and the eras), the form of results
(`shapes`), tools (`schemas`).

Pages: basic (messages), basic/utilities of 2025-11-25; basic/patterns of 2026-07-28.

1. As with lines, a fault is noted and then forgiven: a wrong id is taken for the right one.
"""
from __future__ import annotations

from ...codec import encode
from ...jsonrpc import is_id
from ...revisions import LOG_LEVEL_KEY, SUBSCRIPTION_KEY
from ...stdio import monotonic
from .findings import shorten_evidence
from .lines import LineJudge
from .schemas import tool_problems
from .shapes import RESULT_SHAPES, cache_hint_problems, shape_problems

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .findings import Findings

HINTED_METHODS = ("server/discover", "tools/list", "prompts/list", "resources/list", "resources/templates/list", "resources/read")
CHANGE_NOTIFICATIONS = frozenset((
    "notifications/tools/list_changed", "notifications/resources/list_changed", "notifications/resources/updated",
    "notifications/prompts/list_changed"))
REQUEST_NOTIFICATIONS = frozenset(("notifications/message", "notifications/progress", "notifications/cancelled"))
HANDSHAKE_NOTIFICATIONS = CHANGE_NOTIFICATIONS | REQUEST_NOTIFICATIONS | frozenset((
    "notifications/elicitation/complete", "notifications/tasks/status"))
LISTEN_NOTIFICATIONS = CHANGE_NOTIFICATIONS | frozenset(("notifications/subscriptions/acknowledged",))
STATELESS_NOTIFICATIONS = LISTEN_NOTIFICATIONS | REQUEST_NOTIFICATIONS
NOTIFICATION_CHECKS = {"notifications/message": "log-message", "notifications/progress": "progress"}
MESSAGE_CHECKS = ("jsonrpc", "message-form", "response-members", "error-object", "response-array", "unasked-request",
                  "server-notification", "null-member", "log-message")  # made with whatever comes, as those of lines
HANDSHAKE_CHECKS, STATELESS_CHECKS = ("log-declared",), ("log-unasked", "error-codes")
NOTES_KEPT = 10000
REPLY_CASES = {"notification-reply": "", "cancel-unknown": "cancel-answered", "blank-input": "blank-answered"}
STATELESS_ERRORS = (-32020, -32021, -32022)


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

    def fate(self) -> str:
        """What became of a request that has no result."""
        return "is not answered" if self.answer is None else "gets an error"

    def meta(self) -> dict[str, Any]:
        return (self.params or {}).get("_meta") or {}


class MessageJudge(LineJudge):
    """Everything said so far in one conversation, and the judge of what comes."""

    def __init__(self, findings: Findings, date: str) -> None:
        super().__init__(findings, date)
        self.capabilities: dict[str, Any] | None = None
        self.blame = "initialize"  # the check that is being made
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
        self.batch_open = False  # a batch was sent, and its array has not come
        self.input_ended = False
        self.answer_at: float | None = None

    def write_line(self, line: bytes) -> None:
        raise NotImplementedError

    def take_line(self, line: bytes) -> None:
        self.findings.tries(*MESSAGE_CHECKS, *(STATELESS_CHECKS if self.row.stateless else HANDSHAKE_CHECKS))
        super().take_line(line)

    def take_value(self, value: Any, line: bytes) -> None:
        if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
            if self.batch_open:
                self.batch_open = False
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
            self.report("jsonrpc", 'a message has not "jsonrpc": "2.0"', line, lost)
        if "method" in message:
            if not isinstance(message["method"], str) or is_response:
                what = "a message has method next to result or error, or a method that is no string"
                self.report("message-form", what, line)
            elif "id" in message:
                self.take_question(message, line)
            else:
                self.take_notification(message, line)
        elif is_response:
            self.take_response(message, line)
        else:
            self.report("message-form", "a message has neither method, result nor error", line)

    # -- responses

    def take_response(self, message: dict[str, Any], line: bytes) -> None:
        if self.answer_at is None:
            self.answer_at = monotonic()
        message = self.judge_response_members(message, line)
        request_id, mark = message.get("id"), id_mark(message.get("id"))
        if is_id(request_id) and mark in self.forgotten:
            self.forgotten.discard(mark)
            return
        asked = self.pending.get(mark) if is_id(request_id) else None
        if asked is None and mark not in self.answered:
            asked = self.find_loosely(request_id)
            if asked is not None:
                types = (type_word(asked.request_id), type_word(request_id))
                self.report("id-echo", "an id comes back as another type: %s as %s" % types, line)
        if asked is not None:
            self.finish_ask(asked, message)
        elif is_id(request_id) and mark in self.answered:
            self.report("answer-once", "a request is answered twice", line)
        elif request_id is None and "error" in message:
            self.judge_error_without_id(line)
        else:
            self.strays.append((message, "stray-response" if mark in self.stray_ids else self.blame))
            self.stray_ids.add(mark)

    def judge_response_members(self, message: dict[str, Any], line: bytes) -> dict[str, Any]:
        """Return the response in a form that can be read."""
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
        return message

    def judge_error(self, error: Any, line: bytes) -> dict[str, Any]:
        """Check an error object; return one that can be read."""
        found = dict(error) if isinstance(error, dict) else {}
        code = found.get("code")
        if not isinstance(code, int) or isinstance(code, bool):
            self.report("error-object", "an error has no integer code", line)
            found["code"] = int(code) if isinstance(code, str) and code.lstrip("-").isdigit() else -32603
        elif self.row.stateless and (code in (-32002, -32042) or -32099 <= code <= -32020 and code not in STATELESS_ERRORS):
            self.report("error-codes", "the error code %d is forbidden" % code, line)
        if not isinstance(found.get("message"), str):
            self.report("error-object", "an error has no message", line)
        return found

    def judge_error_without_id(self, line: bytes) -> None:
        """Allowed for a line that could not be read; else a reply to something that gets none."""
        if self.no_id_allowed > 0:
            self.no_id_allowed -= 1
        elif self.blame in REPLY_CASES:
            self.report(self.blame, "an error without an id comes in reply", line, REPLY_CASES[self.blame])
        elif self.notified > 0:
            self.notified -= 1
            self.report("notification-reply", "an error without an id comes in reply", line)
        else:
            self.report("stray-response", "an error without an id comes unasked", line)

    def find_loosely(self, request_id: Any) -> PendingAsk | None:
        """The request whose id looks the same: "1" for 1, 1.0 for 1."""
        if request_id is None or isinstance(request_id, (bool, dict, list)):
            return None
        for asked in self.pending.values():
            if str(asked.request_id) == str(request_id) or isinstance(request_id, float) and asked.request_id == request_id:
                return asked
        return None

    def finish_ask(self, asked: PendingAsk, message: dict[str, Any]) -> None:
        mark = id_mark(asked.request_id)
        self.pending.pop(mark, None)
        self.answered.add(mark)
        asked.answer = message
        token = asked.meta().get("progressToken")
        if is_id(token):
            self.tokens[id_mark(token)] = asked.method
        if isinstance(message.get("result"), dict):
            self.judge_result(asked, message["result"])

    # -- results

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
                    for problem in tool_problems(tool, self.row):
                        self.report(*problem)

    def report_shape(self, check: str, value: Any, definition: str, method: str) -> bool:
        """Report what is wrong with the form of `value`; true when it cannot be relied on."""
        wrong = False
        notified = method.startswith("notifications/")
        for kind, what in shape_problems(value, definition, self.row):
            wrong = wrong or kind != "newer"
            said = "%s: %s" % (method, without_numbers(what))
            if kind == "null":
                self.report("null-member", said, value, "notification-null" if notified else "")
            elif kind == "newer":
                self.report("newer-members", "members are sent to clients of revisions without them", what)
            else:
                self.report(check, said, value, "notification-form" if notified and check != "log-message" else "")
        return wrong

    def judge_stateless_result(self, asked: PendingAsk, result: dict[str, Any]) -> None:
        self.findings.tries("result-type", "server-info")
        kind = result.get("resultType")
        if kind is None:
            self.report("result-type", "a result has no resultType", result)
        elif kind not in ("complete", "input_required") and not (self.capabilities or {}).get("extensions"):
            self.report("result-type", "a result has the resultType %s" % shorten_evidence(kind), result, "odd-result-type")
        if asked.method in HINTED_METHODS and kind != "input_required":
            self.findings.tries("cache-hints")
            for what in cache_hint_problems(result):
                self.report("cache-hints", "%s: %s" % (asked.method, what), result)
        if "io.modelcontextprotocol/serverInfo" not in (result.get("_meta") or {}):
            self.report("server-info", "a result does not name the server", result)

    # -- questions and notifications

    def take_question(self, message: dict[str, Any], line: bytes) -> None:
        """A request of the server: refused, or (ping) answered."""
        method = message["method"]
        if self.row.stateless:
            self.report("unasked-request", "the server sends the request %s" % method, line, "modern-request")
            return
        if self.input_ended:
            self.report("late-output", "a request is sent after the end of input", line)
            return
        reply: dict[str, Any] = {"jsonrpc": "2.0", "id": message["id"], "result": {}}
        if method != "ping":
            self.report("unasked-request", "the server asks %s, which the client has not declared" % method, line)
            del reply["result"]
            reply["error"] = {"code": -32601, "message": "Method not found"}
        self.write_line(encode(reply).encode())

    def take_notification(self, message: dict[str, Any], line: bytes) -> None:
        method, params = message["method"], message.get("params")
        if len(self.notes) < NOTES_KEPT:
            self.notes.append(message)
        if self.input_ended:
            self.report("late-output", "a notification is sent after the end of input", line)
            return
        if "params" in message and not isinstance(params, dict):
            self.report("message-form", "the params of a notification are not an object", line, "notification-form")
            return
        params = params or {}
        if method not in (STATELESS_NOTIFICATIONS if self.row.stateless else HANDSHAKE_NOTIFICATIONS):
            self.report("server-notification", "the revision has no notification %s" % method, line)
            return
        if self.report_shape(NOTIFICATION_CHECKS.get(method, "server-notification"), params, method, method):
            return
        if method == "notifications/progress":
            self.judge_progress(params, line)
        elif method == "notifications/message":
            self.judge_log(line)
        elif self.row.stateless and method in LISTEN_NOTIFICATIONS:
            self.judge_subscribed(method, params, line)

    def judge_progress(self, params: dict[str, Any], line: bytes) -> None:
        mark = id_mark(params["progressToken"])
        for asked in self.pending.values():
            given = asked.meta().get("progressToken")
            if given is not None and id_mark(given) == mark:
                if asked.progress is not None and params["progress"] <= asked.progress:
                    self.report("progress", "the progress of a request does not increase", line, "progress-falls")
                asked.progress = params["progress"]
                return
        if mark in self.tokens:
            self.report("progress", "progress comes after the answer", line, "progress-late")
        else:
            self.report("progress", "progress comes for a token that was never given", line)

    def judge_log(self, line: bytes) -> None:
        if self.row.stateless:
            if not any(LOG_LEVEL_KEY in asked.meta() for asked in self.pending.values()):
                self.report("log-unasked", "a log message comes, though no request in flight asked for any", line)
        elif self.capabilities is not None and "logging" not in self.capabilities:
            self.report("log-declared", "a log message comes, but logging is not declared", line)

    def judge_subscribed(self, method: str, params: dict[str, Any], line: bytes) -> None:
        """Every notification of a stream carries the id of its subscriptions/listen, and none comes before the acknowledgment."""
        mark = id_mark((params.get("_meta") or {}).get(SUBSCRIPTION_KEY))
        asked = self.pending.get(mark)
        if asked is None or asked.method != "subscriptions/listen":
            self.report("listen", "%s comes without the id of an open subscription" % method, line, "listen-stray")
        elif method == "notifications/subscriptions/acknowledged":
            self.subscriptions[mark] = params["notifications"]
        elif mark not in self.subscriptions:
            self.report("listen", "%s comes before the acknowledgment" % method, line, "listen-early")

    def judge_strays(self) -> None:
        for message, blame in self.strays:
            name = blame if blame in ("notification-reply", "cancel-unknown") else "stray-response"
            self.report(name, "a response comes that belongs to no request", message, REPLY_CASES.get(name, ""))
        self.strays.clear()


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
