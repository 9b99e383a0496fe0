"""What each message says, in a few words: one row for each kind of message.

Params and results in, short texts out; who asked and what belongs together is `conversation`'s business. A row may not fail
because of what a message holds.
"""
from __future__ import annotations

from ...revisions import SERVER_INFO_KEY
from ..terminal import compact_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable


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
    who = result.get("serverInfo") or member(result, "_meta", SERVER_INFO_KEY)
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


def event_summary(record: dict[str, Any]) -> str:
    event = record["event"]
    if event == "exit" and "signal" in record:
        return "the server was ended by %s" % record["signal"]
    if event == "exit":
        return "the server exited with status %s" % record.get("status")
    known = {"host_closed": "the host closed its end", "server_closed": "the server closed its output",
             "signal": "%s passed on to the server" % record.get("signal"), "note": str(record.get("text"))}
    return known.get(event, str(event))
