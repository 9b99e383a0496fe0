"""The steps that both eras share: each tries a few checks in a lane that is open.

Here: ids, bad lines, lists and their pages, unknown names, calls, resources, prompts, cancellation. Not here: what
only one era has (`handshake`, `stateless`), the judgement of what comes back in general
(`lane`).

1. A step takes the lane and what is known of the server (`ServerFacts`), says first what it tries (`lane.trying`),
   and lets LaneOver pass: whoever runs it opens another lane for the next step.
2. Harmless: lists, reads, prompts, completions and names that do not exist. Tools run only when the user named
   them, or with --call-all when they say that they are read-only; more than once, or with wrong arguments, only in
   the latter case.
"""

from __future__ import annotations

from ...codec import encode
from ...revisions import LOG_LEVEL_KEY
from ...stdio import monotonic
from .lane import CheckLane, LaneOver, stateless_meta
from .schemas import minimal_arguments, wrong_arguments
from .table import shorten_evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

    from .lane import PendingAsk

    CheckStep = Callable[[CheckLane, "ServerFacts"], None]

NO_SUCH_METHOD = "mcplite/no-such-method"
NO_SUCH_NAME = "mcplite_no_such_name"
NO_SUCH_URI = "mcplite-check://no/such/resource"
NO_SUCH_CURSOR = "mcplite: no such cursor"
LIST_PAGES = 1000  # pages of one list that are followed
LIST_SECONDS = 30.0
READ_AT_MOST = 3  # resources that are read
LARGE_INPUT = 1 << 20
SAFE_NUMBER = 2**53 - 1  # the largest integer that JavaScript keeps
TRIED_IDS = (0, "", "100041", "007", -5, SAFE_NUMBER, "mcplite-check")
UNICODE_ID = "\u00e9 \u2605 \u4e2d \U0001f3b5"
LISTS = {
    "tools/list": ("tools", "tools", "name"),
    "resources/list": ("resources", "resources", "uri"),
    "resources/templates/list": ("resources", "resourceTemplates", "uriTemplate"),
    "prompts/list": ("prompts", "prompts", "name"),
}
LIST_CHECKS = {
    "tools/list": "tools-list",
    "resources/list": "resources-list",
    "resources/templates/list": "resources-list",
    "prompts/list": "prompts-list",
}
TOOL_CHECKS = (
    "tool-name",
    "tool-duplicate",
    "tool-description",
    "input-schema",
    "input-properties",
    "schema",
    "schema-reference",
    "schema-dialect",
    "schema-pattern",
    "model-schema",
)


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


def refusal(
    lane: CheckLane,
    check: str,
    method: str,
    params: dict[str, Any] | None,
    what: str,
    codes: tuple[int, ...],
    success: str = "",
) -> None:
    """Ask for what must be refused: with one of `codes`. Another error is a note; a result is as severe as `success`, a
    case or nothing (the check's own)."""
    asked = lane.need(check, method, params)
    if asked.answer is not None:
        judge_refused(lane, check, asked, what, codes, success)


def judge_refused(
    lane: CheckLane,
    check: str,
    asked: PendingAsk,
    what: str,
    codes: tuple[int, ...],
    success: str = "",
    must: bool = False,
) -> None:
    """The answer to what is to be refused: no client minds which error it is, many that it is none.

    `must`: the page says MUST, so that each finding is one step more severe.
    """
    code, result = asked.code(), asked.result()
    wanted = " or ".join(map(str, codes))
    if result is None:
        if code not in codes:
            said = "%s gets the code %s, not %s" % (what, code, wanted)
            lane.report(check, said, asked.answer, "warning" if must else None, "other-code")
    elif asked.method == "tools/call" and result.get("isError") is True:
        lane.report(check, "%s gets a tool error, not %s" % (what, wanted), asked.answer, None, "tool-error")
    else:
        lane.report(check, "%s gets a result" % what, asked.answer, "error" if must else None, success)


# -- ids and lines


def try_ids(lane: CheckLane, facts: ServerFacts) -> None:
    lane.trying("id-echo", "answer-once", "stray-response")
    asks = [lane.start_ask(lane.marker, None, request_id) for request_id in TRIED_IDS]
    lane.settle()
    for asked in asks:
        if asked.answer is None:
            lane.report_unanswered("id-echo", "a request with the id %s is not answered" % encode(asked.request_id))
    lane.forget(*asks)
    large = lane.start_ask(lane.marker, None, 2**63 + 1)
    lane.no_id_allowed = 1
    strays = len(lane.strays)
    lane.settle(adopting=False)
    lane.no_id_allowed = 0
    if large.answer is None:
        del lane.strays[strays:]  # JavaScript rounds it; no client counts so far
    lane.forget(large)


def try_unicode(lane: CheckLane, facts: ServerFacts) -> None:
    lane.trying("unicode-input")
    asked = lane.expect(UNICODE_ID, lane.marker)
    line = request_line(lane, "?", lane.marker).replace("?", UNICODE_ID, 1)
    strays = len(lane.strays)
    lane.send_line(line.encode("utf-8"))
    lane.settle(adopting=False)
    if asked.answer is None:
        came = lane.strays.pop()[0].get("id") if len(lane.strays) > strays else "nothing"
        lane.report("unicode-input", "the id %s comes back as %s" % (UNICODE_ID, shorten_evidence(came)), line)
    lane.forget(asked)


def request_line(lane: CheckLane, request_id: Any, method: str, **params: Any) -> str:
    """The line of a request, for those that are not sent in the usual way."""
    message: dict[str, Any] = {"jsonrpc": "2.0", "id": request_id, "method": method}
    if lane.row.stateless:
        params["_meta"] = stateless_meta(lane.date)
    if params:
        message["params"] = params
    return encode(message)


def try_unknown_method(lane: CheckLane, facts: ServerFacts) -> None:
    lane.trying("unknown-method")
    refusal(lane, "unknown-method", NO_SUCH_METHOD, None, "an unknown method", (-32601,))


def bad_line_step(check: str, *lines: bytes) -> CheckStep:
    """A step that sends lines which are no messages, and sees whether the server is still there."""

    def try_bad_lines(lane: CheckLane, facts: ServerFacts) -> None:
        lane.trying(check)
        lane.no_id_allowed += len(lines)
        for line in lines:
            lane.send_line(line)
        last = lane.last_sent
        lane.settle()
        lane.last_sent = last
        lane.no_id_allowed = 0
        wrong = [message for message, blame in lane.strays if blame == check]
        if wrong:
            lane.strays = [(message, blame) for message, blame in lane.strays if blame != check]
            lane.report(check, "a line without a readable id gets an answer with an invented one", wrong[0], None, "invented-id")

    return try_bad_lines


try_bad_json = bad_line_step(
    "bad-json", b'{"jsonrpc":"2.0","id":', b"this is not JSON", b'{"jsonrpc":"2.0","id":7,}', b"42", b'{"id":NaN}'
)
try_bad_utf8 = bad_line_step("bad-utf8", b"\xff\xfe", b'{"jsonrpc":"2.0","method":"notifications/\xc3\x28"}')


def try_blank_lines(lane: CheckLane, facts: ServerFacts) -> None:
    lane.trying("blank-input")
    lane.send_line(b"")
    lane.send_line(b"   ")
    lane.settle()
    wrong = [message for message, blame in lane.strays if blame == "blank-input"]
    if wrong:
        lane.strays.clear()
        lane.report("blank-input", "a blank line gets an answer", wrong[0], None, "blank-answered")


def try_crlf(lane: CheckLane, facts: ServerFacts) -> None:
    lane.trying("crlf-input")
    request_id = lane.next_id()
    asked = lane.expect(request_id, lane.marker)
    lane.send_line(request_line(lane, request_id, lane.marker).encode() + b"\r")
    lane.no_id_allowed += 1
    lane.settle()
    lane.no_id_allowed = 0
    if asked.answer is None:
        lane.report(
            "crlf-input",
            "a request whose line ends in CR LF is not answered",
            request_line(lane, request_id, lane.marker),
        )
    lane.forget(asked)


def try_large_input(lane: CheckLane, facts: ServerFacts) -> None:
    lane.trying("large-input")
    asked = lane.ask(lane.marker, {"_meta": {"mcplite/filler": "x" * LARGE_INPUT}})
    if asked.answer is None:
        lane.report("large-input", "a request of %d bytes is not answered" % LARGE_INPUT, lane.last_sent)
        raise LaneOver("the server answers nothing any more")


def try_notifications(lane: CheckLane, facts: ServerFacts) -> None:
    """Nothing may come back for any of these."""
    lane.trying("notification-reply")
    lane.notify("notifications/mcplite/unknown")
    lane.notify("notifications/mcplite/unknown", {"of": {"no": "concern"}})
    if not lane.row.stateless:  # where clients may not write responses
        lane.send_line(b'{"jsonrpc":"2.0","id":987654,"result":{}}')
    lane.settle()


def try_cancel(lane: CheckLane, facts: ServerFacts) -> None:
    lane.trying("cancel-unknown")
    for params in ({"requestId": 123456}, {"requestId": "1"}, {"requestId": 1, "reason": "too late"}, {}, None):
        lane.notify("notifications/cancelled", params)
    lane.settle()
    lane.trying("cancel-running")
    method = next((method for method in LISTS if LISTS[method][0] in (lane.capabilities or {})), lane.marker)
    request_id = lane.next_id()
    asked = lane.expect(request_id, method)
    lane.send_line(
        request_line(lane, request_id, method).encode()
        + b"\n"
        + encode(
            {
                "jsonrpc": "2.0",
                "method": "notifications/cancelled",
                "params": {"requestId": request_id, "reason": "mcplite check"},
            }
        ).encode()
    )
    judge_cancelled(lane, asked)


def judge_cancelled(lane: CheckLane, asked: Any) -> None:
    marker = lane.ask(lane.marker)
    if marker.answer is None:
        raise LaneOver("the server answers nothing any more")
    lane.hear(lane.settings.grace_seconds)
    if asked.code() is not None:
        lane.report("cancel-running", "a cancelled request gets an error", asked.answer)
    lane.forget(asked)


# -- lists


def try_lists(lane: CheckLane, facts: ServerFacts) -> None:
    lane.findings.tries("served-declared")
    for method, (capability, member, _) in LISTS.items():
        check = LIST_CHECKS[method]
        declared = lane.capabilities is not None and capability in lane.capabilities
        if lane.capabilities is None:  # it says nothing: what it lists is looked at all the same
            lane.trying(check)
            if lane.ask(method).result() is not None:
                walk_list(lane, facts, method)
        elif declared:
            lane.trying(check, "declared-served", "null-member")
            walk_list(lane, facts, method)
        else:
            lane.trying("served-declared")
            asked = lane.ask(method)
            if asked.result() and asked.result().get(member):
                lane.report(
                    "served-declared", "%s lists something, but %s is not declared" % (method, capability), asked.answer
                )
            elif asked.answer is None:
                what = "%s is not answered within %g s" % (method, lane.settings.timeout)
                lane.report_unanswered("unknown-method", what)
    if facts.listed("tools"):
        lane.findings.tries(*TOOL_CHECKS)
        lane.findings.tries(
            *(["output-schema-root"] if any("outputSchema" in tool for tool in facts.listed("tools")) else [])
        )
        judge_duplicates(lane, facts)
    for resource in facts.listed("resources"):
        from ...schema_formats import is_uri

        lane.findings.tries("resource-uri")
        if isinstance(resource.get("uri"), str) and not is_uri(resource["uri"]):
            lane.report(
                "resource-uri",
                "the uri of a resource is not a URI: %s" % shorten_evidence(resource["uri"], 80),
                resource,
            )


def walk_list(lane: CheckLane, facts: ServerFacts, method: str) -> None:
    """Follow the pages of one list, and see what it says to a cursor it never gave."""
    _, member, key = LISTS[method]
    entries: list[Any] = []
    cursor, until = None, monotonic() + LIST_SECONDS
    seen: set[str] = set()
    scopes: set[Any] = set()
    while True:
        asked = lane.ask(method, None if cursor is None else {"cursor": cursor})
        result = asked.result()
        if asked.answer is None:
            what = "%s is not answered within %g s" % (method, lane.settings.timeout)
            lane.report_unanswered(LIST_CHECKS[method], what)
            return
        if result is None:
            gone = asked.code() == -32601
            lane.report(
                "declared-served",
                "%s is declared, but %s gets an error" % (LISTS[method][0], method),
                asked.answer,
                "warning" if gone and method == "resources/templates/list" else None,
            )
            return
        page = result.get(member)
        if isinstance(page, list):
            if cursor is not None:
                known = {
                    entry.get(key) for entry in entries if isinstance(entry, dict) and isinstance(entry.get(key), str)
                }
                again = [
                    entry
                    for entry in page
                    if isinstance(entry, dict) and isinstance(entry.get(key), str) and entry[key] in known
                ]
                if again and result.get("nextCursor") not in seen:
                    lane.report("page-repeats", "%s: an entry is on two pages" % method, again[0])
            entries += page
        scopes.add(result.get("cacheScope"))
        cursor = result.get("nextCursor")
        if not isinstance(cursor, str):
            break
        lane.findings.tries("cursor-loop", "page-repeats")
        if cursor in seen or len(seen) >= LIST_PAGES or monotonic() > until:
            lane.report(
                "cursor-loop",
                "%s: %s" % (method, "a cursor comes again" if cursor in seen else "the pages do not end"),
                result,
            )
            break
        seen.add(cursor)
    if lane.row.stateless and len(scopes) > 1:
        lane.report("cache-hints", "%s: cacheScope differs between the pages" % method, result, None, "cache-scope-differs")
    facts.entries[member] = entries
    facts.counts[member] = len(entries)
    try_bad_cursor(lane, method, bool(seen))


def try_bad_cursor(lane: CheckLane, method: str, paged: bool) -> None:
    lane.trying("bad-cursor")
    asked = lane.need("bad-cursor", method, {"cursor": NO_SUCH_CURSOR})
    if asked.answer is not None:
        what = "an invalid cursor" if paged else "a cursor for a list of one page"
        judge_refused(lane, "bad-cursor", asked, what, (-32602,), "" if paged else "cursor-unused")


def judge_duplicates(lane: CheckLane, facts: ServerFacts) -> None:
    names: set[Any] = set()
    for tool in facts.listed("tools"):
        name = tool.get("name")
        if isinstance(name, str):
            if name in names and "cursor-loop" not in {check for check, _ in lane.findings.found}:
                lane.report("tool-duplicate", 'two tools are called "%s"' % name, tool)
            names.add(name)


# -- tools


def try_unknown_tool(lane: CheckLane, facts: ServerFacts) -> None:
    if "tools" not in (lane.capabilities or {}):
        return
    lane.trying("unknown-tool")
    asked = lane.need("unknown-tool", "tools/call", {"name": NO_SUCH_NAME, "arguments": {}})
    if asked.answer is not None and (asked.result() or {}).get("resultType") != "input_required":
        judge_refused(lane, "unknown-tool", asked, "an unknown tool", (-32602,))
    lane.trying("call-params")
    refusal(lane, "call-params", "tools/call", {"arguments": {}}, "tools/call without a name", (-32602,))


def chosen_calls(facts: ServerFacts) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """(tool, arguments) of every call that may be made."""
    named = dict(facts.calls)
    found = []
    for tool in facts.listed("tools"):
        name = tool.get("name")
        if not isinstance(name, str):
            continue
        if name in named:
            found.append((tool, named[name]))
        elif facts.call_all and is_read_only(tool) and isinstance(tool.get("inputSchema"), dict):
            arguments = minimal_arguments(tool["inputSchema"])
            if arguments is not None:
                found.append((tool, arguments))
    return found


def is_read_only(tool: dict[str, Any]) -> bool:
    annotations = tool.get("annotations")
    return isinstance(annotations, dict) and annotations.get("readOnlyHint") is True


def try_calls(lane: CheckLane, facts: ServerFacts) -> None:
    """Call what may be called, each with a progress token that a careless server takes for none."""
    for number, (tool, arguments) in enumerate(chosen_calls(facts)):
        name = tool["name"]
        if name in facts.called:
            continue
        if not is_read_only(tool):
            facts.called.add(name)
        lane.trying("call-result", "progress")
        meta: dict[str, Any] = {"progressToken": (0, "", "mcplite")[number % 3]}
        if lane.row.stateless and number % 2:
            meta[LOG_LEVEL_KEY] = "debug"
        asked = lane.ask(
            "tools/call", {"name": name, "arguments": arguments, "_meta": meta}, None, lane.settings.call_timeout
        )
        if asked.answer is None:
            lane.report(
                "call-result",
                'calling "%s" is not answered within %g s' % (name, lane.settings.call_timeout),
                lane.last_sent,
                None,
                "call-slow",
            )
            lane.notify(
                "notifications/cancelled", {"requestId": asked.request_id, "reason": "too long for mcplite check"}
            )
            lane.forget(asked)
        if asked.result() is not None:
            judge_call(lane, tool, asked.result())
        elif asked.code() is not None:
            lane.report("call-result", 'calling "%s" gets a protocol error' % name, asked.answer, None, "call-protocol-error")
        if is_read_only(tool):
            try_wrong_arguments(lane, tool)
    lane.settle()


def judge_call(lane: CheckLane, tool: dict[str, Any], result: dict[str, Any]) -> None:
    """Compare structured content with the schema, and with the text."""
    from ...schema import SchemaError, Validator

    name, schema = tool["name"], tool.get("outputSchema")
    structured = result.get("structuredContent")
    if structured is not None and not isinstance(structured, dict) and not lane.row.stateless:
        what = '"%s": structuredContent is not an object' % name
        lane.report("structured-content", what, result, None, "structured-form")
        return
    if (
        result.get("isError") is True
        or result.get("resultType") == "input_required"
        or "structured_content" not in lane.row.features
    ):
        return
    if isinstance(schema, dict):
        lane.findings.tries("structured-content")
        if "structuredContent" not in result:
            lane.report(
                "structured-content", '"%s" has an outputSchema and answers without structuredContent' % name, result
            )
        else:
            try:
                problems = Validator(schema).problems(structured)
            except SchemaError:
                return  # reported where the tools were listed
            for problem in problems[:3]:
                lane.report(
                    "structured-content",
                    '"%s": structuredContent%s: %s' % (name, problem["path"], problem["message"]),
                    result,
                )
    if structured is not None:
        lane.findings.tries("structured-text")
        content = result.get("content")
        if isinstance(content, list) and not any(
            isinstance(block, dict) and block.get("type") == "text" for block in content
        ):
            lane.report("structured-text", '"%s" has structuredContent and no text' % name, result)


def try_wrong_arguments(lane: CheckLane, tool: dict[str, Any]) -> None:
    wrong = wrong_arguments(tool.get("inputSchema"))
    if wrong is None:
        return
    lane.trying("bad-arguments")
    arguments, how = wrong
    asked = lane.need("bad-arguments", "tools/call", {"name": tool["name"], "arguments": arguments})
    if asked.result() is not None and asked.result().get("isError") is not True:
        if asked.result().get("resultType") != "input_required":
            lane.report("bad-arguments", '"%s" runs %s' % (tool["name"], how), asked.answer)
    elif asked.code() is not None:
        lane.report(
            "bad-arguments",
            '"%s" called %s gets a protocol error, not a tool error' % (tool["name"], how),
            asked.answer,
            None,
            "argument-protocol-error",
        )


# -- resources, prompts, completion


def try_resources(lane: CheckLane, facts: ServerFacts) -> None:
    if "resources" not in (lane.capabilities or {}):
        return
    for resource in facts.listed("resources")[:READ_AT_MOST]:
        uri = resource.get("uri")
        if not isinstance(uri, str):
            continue
        lane.trying("read-result")
        asked = lane.need("read-result", "resources/read", {"uri": uri})
        contents = (asked.result() or {}).get("contents")
        if asked.code() is not None:
            lane.report(
                "read-result",
                "a listed resource cannot be read: %s" % shorten_evidence(uri, 80),
                asked.answer,
                "warning",
            )
        elif isinstance(contents, list):
            if not contents:
                lane.report(
                    "read-result",
                    "a listed resource has no contents: %s" % shorten_evidence(uri, 80),
                    asked.answer,
                    None,
                    "empty-resource",
                )
            if any(isinstance(item, dict) and "text" in item and "blob" in item for item in contents):
                lane.report("read-result", "contents have text and blob", asked.answer, None, "text-and-blob")
    lane.trying("unknown-resource")
    asked = lane.need("unknown-resource", "resources/read", {"uri": NO_SUCH_URI})
    if asked.answer is not None:
        codes, must = (lane.row.resource_not_found,), lane.row.stateless
        judge_refused(lane, "unknown-resource", asked, "an unknown resource", codes, "", must)


def try_prompts(lane: CheckLane, facts: ServerFacts) -> None:
    if "prompts" not in (lane.capabilities or {}):
        return
    for prompt in facts.listed("prompts")[:READ_AT_MOST]:
        arguments = [argument for argument in prompt.get("arguments") or [] if isinstance(argument, dict)]
        values = {
            argument["name"]: "1"
            for argument in arguments
            if isinstance(argument.get("name"), str) and argument.get("required") is True
        }
        lane.trying("prompt-result")
        lane.need("prompt-result", "prompts/get", {"name": prompt.get("name"), "arguments": values})
        if "completions" in (lane.capabilities or {}) and arguments:
            try_completion(lane, prompt, arguments[0])
    lane.trying("unknown-prompt")
    refusal(lane, "unknown-prompt", "prompts/get", {"name": NO_SUCH_NAME}, "an unknown prompt", (-32602,))


def try_completion(lane: CheckLane, prompt: dict[str, Any], argument: dict[str, Any]) -> None:
    lane.trying("complete-result", "declared-served")
    asked = lane.need(
        "complete-result",
        "completion/complete",
        {
            "ref": {"type": "ref/prompt", "name": prompt.get("name")},
            "argument": {"name": argument.get("name"), "value": ""},
        },
    )
    completion = (asked.result() or {}).get("completion")
    if asked.code() == -32601:
        lane.report("declared-served", "completions is declared, but completion/complete gets an error", asked.answer)
    elif (
        isinstance(completion, dict) and isinstance(completion.get("values"), list) and len(completion["values"]) > 100
    ):
        lane.report("complete-result", "a completion has %d values" % len(completion["values"]), asked.answer)


SHARED_STEPS: tuple[CheckStep, ...] = (
    try_ids,
    try_unicode,
    try_unknown_method,
    try_notifications,
    try_lists,
    try_unknown_tool,
    try_resources,
    try_prompts,
    try_cancel,
    try_calls,
    try_bad_json,
    try_bad_utf8,
    try_blank_lines,
    try_crlf,
    try_large_input,
)


CHECKS_OF_LIVING = frozenset(  # their own reason is that the server must live
    ("bad-json", "bad-utf8", "blank-input", "large-input", "cancel-unknown", "batch")
)


def run_check_steps(
    open_lane: Callable[[], CheckLane | None], steps: tuple[CheckStep, ...], facts: ServerFacts
) -> None:
    """Run the steps in one lane; where the server does not survive one, the next goes on with a fresh server."""
    lane: CheckLane | None = None
    try:
        for step in steps:
            if lane is None:
                lane = open_lane()
                if lane is None:
                    return
            try:
                step(lane, facts)
            except LaneOver as over:
                lane.report(
                    lane.blame,
                    "%s when it gets: %s" % (over, shorten_evidence(lane.last_sent, 100)),
                    lane.child.read_tail()[-200:] or lane.last_sent,
                    "error",
                    "" if lane.blame in CHECKS_OF_LIVING else "ended",
                )
                lane.finish(judged=False)
                lane = None
    except BaseException:
        if lane is not None:
            lane.finish(judged=False)
            lane = None
        raise
    if lane is not None:
        lane.finish()
