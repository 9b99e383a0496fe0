"""The steps that both eras share, and the engine that runs steps: each tries a few checks in a lane that is open.

Here: ids, bad lines, lists and their pages, unknown names, calls, resources, prompts, cancellation. Not here: what
only one era has (`handshake`, `stateless`), the judgement of what comes back in general (`messages`).

1. A step takes the lane and what is known of the server (`ServerFacts`), says first what it tries (`lane.trying`),
   and lets LaneOver pass: the engine opens another lane for the next step.
2. Harmless: lists, reads, prompts, completions and names that do not exist. Tools run only when the user named
   them, or with --call-all when they say that they are read-only; more than once, or with wrong arguments, only in
   the latter case.
3. What is only sent to see that it is refused, or survived, is a row: REFUSALS, BAD_LINES.
"""
from __future__ import annotations

from ...codec import encode
from ...revisions import LOG_LEVEL_KEY
from ...stdio import monotonic
from .findings import shorten_evidence
from .lane import CheckLane, LaneOver
from .schemas import minimal_arguments, wrong_arguments
from .shapes import RESULT_SHAPES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

    from .facts import ServerFacts
    from .messages import PendingAsk

    CheckStep = Callable[[CheckLane, ServerFacts], None]
    LaneOpening = Callable[[CheckLane], bool]

NO_SUCH_NAME = "mcplite_no_such_name"
NO_SUCH_CURSOR = "mcplite: no such cursor"
LIST_PAGES = 1000  # pages of one list that are followed
LIST_SECONDS = 30.0
READ_AT_MOST = 3  # resources that are read
LARGE_INPUT = 1 << 20
SAFE_NUMBER = 2**53 - 1  # the largest integer that JavaScript keeps
TRIED_IDS = (0, "", "100041", "007", -5, SAFE_NUMBER, "mcplite-check")
UNICODE_ID = "\u00e9 \u2605 \u4e2d \U0001f3b5"
LISTS = {  # method: (capability, member of the result, member of an entry that is its name)
    "tools/list": ("tools", "tools", "name"),
    "resources/list": ("resources", "resources", "uri"),
    "resources/templates/list": ("resources", "resourceTemplates", "uriTemplate"),
    "prompts/list": ("prompts", "prompts", "name"),
}
TOOL_CHECKS = ("tool-name", "tool-duplicate", "tool-description", "input-schema", "input-properties", "schema",
               "schema-reference", "schema-dialect", "schema-pattern", "model-schema")

# check: (method, params, what it is called, the code that refuses it: 0 is the revision's own, the case of a result)
REFUSALS: dict[str, tuple[str, dict[str, Any] | None, str, int, str]] = {
    "unknown-method": ("mcplite/no-such-method", None, "an unknown method", -32601, ""),
    "unknown-tool": ("tools/call", {"name": NO_SUCH_NAME, "arguments": {}}, "an unknown tool", -32602, ""),
    "call-params": ("tools/call", {"arguments": {}}, "tools/call without a name", -32602, ""),
    "unknown-resource": ("resources/read", {"uri": "mcplite-check://no/such/resource"}, "an unknown resource", 0, ""),
    "unknown-prompt": ("prompts/get", {"name": NO_SUCH_NAME}, "an unknown prompt", -32602, ""),
    "log-level": ("logging/setLevel", {"level": "mcplite"}, "an unknown log level", -32602, "lenient-level"),
}

# check: (lines that are no messages, what an answer to one of them is, how many errors without an id may come, the case)
BAD_LINES: dict[str, tuple[tuple[bytes, ...], str, int, str]] = {
    "bad-json": ((b'{"jsonrpc":"2.0","id":', b"this is not JSON", b'{"jsonrpc":"2.0","id":7,}', b"42", b'{"id":NaN}'),
                 "a line without a readable id gets an answer with an invented one", 5, "invented-id"),
    "bad-utf8": ((b"\xff\xfe", b'{"jsonrpc":"2.0","method":"notifications/\xc3\x28"}'),
                 "a line without a readable id gets an answer with an invented one", 2, "invented-id"),
    "blank-input": ((b"", b"   "), "a blank line gets an answer", 0, "blank-answered"),
}


# -- the engine


def run_check_steps(lane: CheckLane, opening: LaneOpening, steps: tuple[CheckStep, ...], facts: ServerFacts) -> None:
    """Run the steps in `lane`, which is open; where the server does not survive one, the next goes on with a fresh server.

    `opening` brings a fresh lane to where the first one is; false when that cannot be.
    """
    waiting = list(steps)
    while waiting:
        with lane:
            try:
                while waiting:
                    waiting.pop(0)(lane, facts)
                lane.judged = True
            except LaneOver as over:
                what = "%s when it gets: %s" % (over, shorten_evidence(lane.last_sent, 100))
                weight = "error" if lane.blame in CHECKS_OF_LIVING else "ended"
                lane.report(lane.blame, what, lane.last_words() or lane.last_sent, weight)
        if waiting:
            lane = CheckLane(lane.settings, lane.findings, lane.first_date)
            if not is_opened(lane, opening):
                return


CHECKS_OF_LIVING = frozenset((  # their own reason is that the server must live
    "bad-json", "bad-utf8", "blank-input", "large-input", "cancel-unknown", "batch"))


def is_opened(lane: CheckLane, opening: LaneOpening) -> bool:
    try:
        if opening(lane):
            return True
    except LaneOver:
        pass
    lane.finish(judged=False)
    return False


def try_refusal(lane: CheckLane, check: str) -> None:
    """Ask for what must be refused, a row of REFUSALS."""
    method, params, what, code, lenient = REFUSALS[check]
    lane.trying(check)
    asked = lane.need(check, method, params)
    if check == "unknown-tool" and (asked.result() or {}).get("resultType") == "input_required":
        return
    must = check == "unknown-resource" and lane.row.stateless
    if asked.answer is not None:
        judge_refused(lane, check, asked, what, code or lane.row.resource_not_found, lenient, must)


def judge_refused(lane: CheckLane, check: str, asked: PendingAsk, what: str, code: int, lenient: str = "",
                  must: bool = False) -> None:
    """The answer to what is to be refused with `code`: no client minds which error it is, many that it is none.

    A result weighs as much as `lenient`, a case or nothing (the check's own). `must`: the page says MUST, so that each
    finding is one step more severe.
    """
    result = asked.result()
    if result is None:
        if asked.code() != code:
            said = "%s gets the code %s, not %d" % (what, asked.code(), code)
            lane.report(check, said, asked.answer, "forbidden-code" if must else "other-code")
    elif asked.method == "tools/call" and result.get("isError") is True:
        lane.report(check, "%s gets a tool error, not %d" % (what, code), asked.answer, "tool-error")
    else:
        lane.report(check, "%s gets a result" % what, asked.answer, "error" if must else lenient)


def report_not_served(lane: CheckLane, asked: PendingAsk, declared: str, check: str = "declared-served", weight: str = "") -> None:
    lane.report(check, "%s is declared, but %s gets an error" % (declared, asked.method), asked.answer, weight)


# -- ids and lines


def try_ids(lane: CheckLane, facts: ServerFacts) -> None:
    lane.trying("id-echo", "answer-once", "stray-response")
    asks = [lane.start_ask(lane.marker, None, request_id) for request_id in TRIED_IDS]
    lane.settle()
    for asked in asks:
        if asked.answer is None:
            what = "a request with the id %s is not answered" % encode(asked.request_id)
            lane.report("id-echo", what, lane.last_sent, "unanswered")
    lane.forget(*asks)
    large = lane.start_ask(lane.marker, None, 2**63 + 1)
    strays = len(lane.strays)
    lane.settle(adopting=False, errors=1)
    if large.answer is None:
        del lane.strays[strays:]  # JavaScript rounds it; no client counts so far
    lane.forget(large)


def try_unicode(lane: CheckLane, facts: ServerFacts) -> None:
    lane.trying("unicode-input")
    asked = lane.expect(UNICODE_ID, lane.marker)
    line = lane.request_line("?", lane.marker).decode().replace("?", UNICODE_ID, 1)
    strays = len(lane.strays)
    lane.send_line(line.encode("utf-8"))
    lane.settle(adopting=False)
    if asked.answer is None:
        came = lane.strays.pop()[0].get("id") if len(lane.strays) > strays else "nothing"
        lane.report("unicode-input", "the id %s comes back as %s" % (UNICODE_ID, shorten_evidence(came)), line)
    lane.forget(asked)


def try_unknown_method(lane: CheckLane, facts: ServerFacts) -> None:
    try_refusal(lane, "unknown-method")


def send_bad_lines(lane: CheckLane, check: str) -> None:
    """Send lines which are no messages, a row of BAD_LINES, and see whether the server is still there."""
    lines, what, errors, case = BAD_LINES[check]
    lane.trying(check)
    for line in lines:
        lane.send_line(line)
    lane.settle(errors=errors)
    wrong = lane.take_strays(check)
    if wrong:
        lane.report(check, what, wrong[0], case)


def try_bad_json(lane: CheckLane, facts: ServerFacts) -> None:
    send_bad_lines(lane, "bad-json")


def try_bad_utf8(lane: CheckLane, facts: ServerFacts) -> None:
    send_bad_lines(lane, "bad-utf8")


def try_blank_lines(lane: CheckLane, facts: ServerFacts) -> None:
    send_bad_lines(lane, "blank-input")


def try_crlf(lane: CheckLane, facts: ServerFacts) -> None:
    lane.trying("crlf-input")
    request_id = lane.next_id()
    asked, line = lane.expect(request_id, lane.marker), lane.request_line(request_id, lane.marker)
    lane.send_line(line + b"\r")
    lane.settle(errors=1)
    if asked.answer is None:
        lane.report("crlf-input", "a request whose line ends in CR LF is not answered", line)
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
    method = served_list(lane, lane.marker)
    request_id = lane.next_id()
    asked = lane.expect(request_id, method)
    params = {"requestId": request_id, "reason": "mcplite check"}
    notification = encode({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})
    lane.send_line(lane.request_line(request_id, method) + b"\n" + notification.encode())
    lane.hear_marker()
    lane.hear(lane.settings.grace_seconds)
    if asked.code() is not None:
        lane.report("cancel-running", "a cancelled request gets an error", asked.answer)
    lane.forget(asked)


# -- lists


def served_list(lane: CheckLane, otherwise: str) -> str:
    """The method of a list that the server declares; `otherwise` where it has none."""
    return next((method for method, (capability, _, _) in LISTS.items() if lane.has_declared(capability)), otherwise)


def try_lists(lane: CheckLane, facts: ServerFacts) -> None:
    lane.findings.tries("served-declared")
    for method, (capability, member, _) in LISTS.items():
        check = RESULT_SHAPES[method][0]
        if lane.capabilities is None:  # it says nothing: what it lists is looked at all the same
            lane.trying(check)
            if lane.ask(method).result() is not None:
                walk_list(lane, facts, method)
        elif lane.has_declared(capability):
            lane.trying(check, "declared-served", "null-member")
            walk_list(lane, facts, method)
        else:
            lane.trying("served-declared")
            asked = lane.need("unknown-method", method)
            if asked.result() and asked.result().get(member):
                what = "%s lists something, but %s is not declared" % (method, capability)
                lane.report("served-declared", what, asked.answer)
    if facts.listed("tools"):
        lane.findings.tries(*TOOL_CHECKS)
        if any("outputSchema" in tool for tool in facts.listed("tools")):
            lane.findings.tries("output-schema-root")
        judge_duplicates(lane, facts)
    judge_uris(lane, facts)


def walk_list(lane: CheckLane, facts: ServerFacts, method: str) -> None:
    """Follow the pages of one list, and see what it says to a cursor it never gave."""
    capability, member, key = LISTS[method]
    entries: list[Any] = []
    cursor, until = None, monotonic() + LIST_SECONDS
    seen: set[str] = set()
    scopes: set[Any] = set()
    while True:
        asked = lane.need(RESULT_SHAPES[method][0], method, None if cursor is None else {"cursor": cursor})
        result = asked.result()
        if asked.answer is None:
            return
        if result is None:
            templates_unknown = asked.code() == -32601 and method == "resources/templates/list"
            report_not_served(lane, asked, capability, weight="warning" if templates_unknown else "")
            return
        page = result.get(member)
        if isinstance(page, list):
            known = set(names_of(entries, key))
            again = [entry for entry in page if known.intersection(names_of([entry], key))]
            if cursor is not None and again and result.get("nextCursor") not in seen:
                lane.report("page-repeats", "%s: an entry is on two pages" % method, again[0])
            entries += page
        scopes.add(result.get("cacheScope"))
        cursor = result.get("nextCursor")
        if not isinstance(cursor, str):
            break
        lane.findings.tries("cursor-loop", "page-repeats")
        if cursor in seen or len(seen) >= LIST_PAGES or monotonic() > until:
            what = "a cursor comes again" if cursor in seen else "the pages do not end"
            lane.report("cursor-loop", "%s: %s" % (method, what), result)
            break
        seen.add(cursor)
    if lane.row.stateless and len(scopes) > 1:
        lane.report("cache-hints", "%s: cacheScope differs between the pages" % method, result, "cache-scope-differs")
    facts.entries[member] = entries
    facts.counts[member] = len(entries)
    lane.trying("bad-cursor")
    asked = lane.need("bad-cursor", method, {"cursor": NO_SUCH_CURSOR})
    if asked.answer is not None:
        what = "an invalid cursor" if seen else "a cursor for a list of one page"
        judge_refused(lane, "bad-cursor", asked, what, -32602, "" if seen else "cursor-unused")


def names_of(entries: list[Any], key: str) -> list[str]:
    return [entry[key] for entry in entries if isinstance(entry, dict) and isinstance(entry.get(key), str)]


def judge_duplicates(lane: CheckLane, facts: ServerFacts) -> None:
    names: set[Any] = set()
    for tool in facts.listed("tools"):
        name = tool.get("name")
        if isinstance(name, str):
            if name in names and "cursor-loop" not in {check for check, _ in lane.findings.found}:
                lane.report("tool-duplicate", 'two tools are called "%s"' % name, tool)
            names.add(name)


def judge_uris(lane: CheckLane, facts: ServerFacts) -> None:
    from ...schema import Validator

    is_uri = Validator({"format": "uri"}, formats=True).is_valid
    for resource in facts.listed("resources"):
        lane.findings.tries("resource-uri")
        uri = resource.get("uri")
        if isinstance(uri, str) and not is_uri(uri):
            lane.report("resource-uri", "the uri of a resource is not a URI: %s" % shorten_evidence(uri, 80), resource)


# -- tools


def try_unknown_tool(lane: CheckLane, facts: ServerFacts) -> None:
    if lane.has_declared("tools"):
        try_refusal(lane, "unknown-tool")
        try_refusal(lane, "call-params")


def chosen_calls(facts: ServerFacts) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """(tool, arguments) of every call that may be made (2)."""
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
        name, seconds = tool["name"], lane.settings.call_timeout
        if name in facts.called:
            continue
        if not is_read_only(tool):
            facts.called.add(name)
        lane.trying("call-result", "progress")
        meta: dict[str, Any] = {"progressToken": (0, "", "mcplite")[number % 3]}
        if lane.row.stateless and number % 2:
            meta[LOG_LEVEL_KEY] = "debug"
        asked = lane.ask("tools/call", {"name": name, "arguments": arguments, "_meta": meta}, None, seconds)
        if asked.answer is None:
            what = 'calling "%s" is not answered within %g s' % (name, seconds)
            lane.report("call-result", what, lane.last_sent, "call-slow")
            lane.notify("notifications/cancelled", {"requestId": asked.request_id, "reason": "too long for mcplite check"})
            lane.forget(asked)
        if asked.result() is not None:
            judge_call(lane, tool, asked.result())
        elif asked.code() is not None:
            lane.report("call-result", 'calling "%s" gets a protocol error' % name, asked.answer, "call-protocol-error")
        if is_read_only(tool):
            try_wrong_arguments(lane, tool)
    lane.settle()


def judge_call(lane: CheckLane, tool: dict[str, Any], result: dict[str, Any]) -> None:
    """Compare structured content with the schema, and with the text."""
    structured, content = result.get("structuredContent"), result.get("content")
    if structured is not None and not isinstance(structured, dict) and not lane.row.stateless:
        what = '"%s": structuredContent is not an object' % tool["name"]
        lane.report("structured-content", what, result, "structured-form")
        return
    unfinished = result.get("isError") is True or result.get("resultType") == "input_required"
    if unfinished or "structured_content" not in lane.row.features:
        return
    if isinstance(tool.get("outputSchema"), dict):
        lane.findings.tries("structured-content")
        for what in structured_problems(tool["outputSchema"], result):
            lane.report("structured-content", '"%s"%s' % (tool["name"], what), result)
    if structured is not None:
        lane.findings.tries("structured-text")
        if isinstance(content, list) and not any(isinstance(block, dict) and block.get("type") == "text" for block in content):
            lane.report("structured-text", '"%s" has structuredContent and no text' % tool["name"], result)


def structured_problems(schema: dict[str, Any], result: dict[str, Any]) -> list[str]:
    """What is wrong with a result by its tool's outputSchema, without the tool's name at the front."""
    from ...schema import SchemaError, Validator

    if "structuredContent" not in result:
        return [" has an outputSchema and answers without structuredContent"]
    try:
        problems = Validator(schema).problems(result["structuredContent"])
    except SchemaError:  # reported where the tools were listed
        return []
    return [": structuredContent%s: %s" % (problem["path"], problem["message"]) for problem in problems[:3]]


def try_wrong_arguments(lane: CheckLane, tool: dict[str, Any]) -> None:
    wrong = wrong_arguments(tool.get("inputSchema"))
    if wrong is None:
        return
    lane.trying("bad-arguments")
    arguments, how = wrong
    asked = lane.need("bad-arguments", "tools/call", {"name": tool["name"], "arguments": arguments})
    result = asked.result()
    if result is not None and result.get("isError") is not True:
        if result.get("resultType") != "input_required":
            lane.report("bad-arguments", '"%s" runs %s' % (tool["name"], how), asked.answer)
    elif asked.code() is not None:
        what = '"%s" called %s gets a protocol error, not a tool error' % (tool["name"], how)
        lane.report("bad-arguments", what, asked.answer, "argument-protocol-error")


# -- resources, prompts, completion


def try_resources(lane: CheckLane, facts: ServerFacts) -> None:
    if not lane.has_declared("resources"):
        return
    for uri in [resource.get("uri") for resource in facts.listed("resources")[:READ_AT_MOST]]:
        if not isinstance(uri, str):
            continue
        lane.trying("read-result")
        asked, shown = lane.need("read-result", "resources/read", {"uri": uri}), shorten_evidence(uri, 80)
        contents = (asked.result() or {}).get("contents")
        if asked.code() is not None:
            lane.report("read-result", "a listed resource cannot be read: %s" % shown, asked.answer, "warning")
        elif contents == []:
            lane.report("read-result", "a listed resource has no contents: %s" % shown, asked.answer, "empty-resource")
        elif isinstance(contents, list):
            if any(isinstance(item, dict) and "text" in item and "blob" in item for item in contents):
                lane.report("read-result", "contents have text and blob", asked.answer, "text-and-blob")
    try_refusal(lane, "unknown-resource")


def try_prompts(lane: CheckLane, facts: ServerFacts) -> None:
    if not lane.has_declared("prompts"):
        return
    for prompt in facts.listed("prompts")[:READ_AT_MOST]:
        arguments = [argument for argument in prompt.get("arguments") or [] if isinstance(argument, dict)]
        needed = names_of([argument for argument in arguments if argument.get("required") is True], "name")
        lane.trying("prompt-result")
        lane.need("prompt-result", "prompts/get", {"name": prompt.get("name"), "arguments": dict.fromkeys(needed, "1")})
        if lane.has_declared("completions") and arguments:
            try_completion(lane, prompt, arguments[0])
    try_refusal(lane, "unknown-prompt")


def try_completion(lane: CheckLane, prompt: dict[str, Any], argument: dict[str, Any]) -> None:
    lane.trying("complete-result", "declared-served")
    ref = {"type": "ref/prompt", "name": prompt.get("name")}
    typed = {"name": argument.get("name"), "value": ""}
    asked = lane.need("complete-result", "completion/complete", {"ref": ref, "argument": typed})
    completion = (asked.result() or {}).get("completion")
    values = completion.get("values") if isinstance(completion, dict) else None
    if asked.code() == -32601:
        report_not_served(lane, asked, "completions")
    elif isinstance(values, list) and len(values) > 100:
        lane.report("complete-result", "a completion has %d values" % len(values), asked.answer)


SHARED_STEPS: tuple[CheckStep, ...] = (
    try_ids, try_unicode, try_unknown_method, try_notifications, try_lists, try_unknown_tool, try_resources, try_prompts,
    try_cancel, try_calls, try_bad_json, try_bad_utf8, try_blank_lines, try_crlf, try_large_input)
