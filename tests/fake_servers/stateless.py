"""Servers of 2026-07-28: one that serves everything, and many that misbehave in one way each."""
import json
import os
import sys
import time

from fake import error, main, notification, receive, result, send, text, write

KEY = "io.modelcontextprotocol/"
VERSION = "2026-07-28"
SCHEMA = {"type": "object", "properties": {}}
CAPABILITIES = {"tools": {"listChanged": True}, "resources": {"subscribe": True, "listChanged": True},
                "prompts": {"listChanged": True}, "logging": {}, "completions": {}}
CACHED = {"ttlMs": 0, "cacheScope": "private"}


def done(message, **members):
    return result(message, resultType="complete", _meta={KEY + "serverInfo": {"name": "fake", "version": "0"}}, **members)


def discovered(message, versions=(VERSION,)):
    return done(message, supportedVersions=list(versions), capabilities=CAPABILITIES, instructions="be kind",
                **dict(CACHED, ttlMs=60000))


def unsupported(message, supported):
    return error(message, -32022, "Unsupported protocol version", data={"supported": supported, "requested": VERSION})


def serve(handlers):
    """Answer requests from a table; what a handler returns is sent, None is not."""
    while True:
        message = receive()
        if "id" not in message:
            handler = handlers.get(message["method"])
            if handler is not None:
                handler(message)
            continue
        if message["method"] == "server/discover" and "server/discover" not in handlers:
            send(discovered(message))
            continue
        meta = message.get("params", {}).get("_meta", {})
        if KEY + "protocolVersion" not in meta or KEY + "clientCapabilities" not in meta:
            send(error(message, -32602, "every request needs _meta"))
            continue
        handler = handlers.get(message["method"])
        reply = error(message, -32601, "Method not found") if handler is None else handler(message)
        if reply is not None:
            send(reply)


def call_everything(message):
    params = message["params"]
    meta = params["_meta"]
    if params["name"] == "steps":
        told = [notification("notifications/progress", progressToken=meta["progressToken"], progress=step, total=2)
                for step in (1, 2)]
        if KEY + "logLevel" in meta:
            told.insert(1, notification("notifications/message", level=meta[KEY + "logLevel"], data="half"))
        send(*told, done(message, content=text("done")))
        return None
    return done(message, content=text(json.dumps(params, sort_keys=True)))


EVERYTHING = {
    "tools/list": lambda message: done(message, tools=[{"name": "steps", "inputSchema": SCHEMA}], **CACHED),
    "tools/call": call_everything,
    "resources/list": lambda message: done(message, resources=[{"uri": "memo://1", "name": "one"}], **CACHED),
    "resources/templates/list": lambda message: done(
        message, resourceTemplates=[{"uriTemplate": "memo://{n}", "name": "any"}], **CACHED),
    "resources/read": lambda message: done(message, contents=[{"uri": "memo://1", "text": "one"}], **CACHED)
    if message["params"]["uri"] == "memo://1" else error(message, -32602, "Resource not found",
                                                         data={"uri": message["params"]["uri"]}),
    "prompts/list": lambda message: done(message, prompts=[{"name": "greet"}], **CACHED),
    "prompts/get": lambda message: done(message, messages=[]),
    "completion/complete": lambda message: done(message, completion={"values": ["a"]}),
}


def everything():
    serve(EVERYTHING)


def versions():
    """Answers the probe with the versions of the command line, and ``initialize`` like an old server. "once" refuses the
    first probe and takes the next."""
    how, listed, probes = sys.argv[2], sys.argv[3:], 0
    while True:
        message = receive()
        if message["method"] == "initialize":
            send(result(message, protocolVersion="2025-11-25", capabilities={}, serverInfo={"name": "both", "version": "0"}))
        elif message["method"] == "server/discover":
            probes += 1
            is_refused = how == "error" or how == "once" and probes == 1
            send(unsupported(message, listed) if is_refused else discovered(message, listed))
        elif "id" in message:
            send(done(message, tools=[], **CACHED))


def refuses():
    """Refuses both ways of connecting; the errors are JSON on the command line, and what comes then is served."""
    probe, shaking = [json.loads(word) for word in sys.argv[2:4]]
    for answer in (probe, shaking):
        message = receive()
        send({"jsonrpc": "2.0", "id": message["id"], **answer})
    serve(dict(EVERYTHING, **({"server/discover": lambda message: error(message, -32601, "Method not found")}
                              if "never" in sys.argv else {})))


def odd_meta():
    """Members of the protocol's own that hold what they may not."""
    def discover(message):
        return result(message, resultType=None, _meta=[1], supportedVersions=[VERSION], capabilities=CAPABILITIES, ttlMs="x")
    serve({"server/discover": discover, "tools/call": lambda message: result(
        message, resultType=None, _meta="x", content=text("good"), ttlMs=10 ** 400),
        "resources/read": lambda message: done(message, contents=[{"uri": "memo://1", "text": "one"}], ttlMs=10 ** 400)})


def late_probe():
    """Starts slowly, knows no handshake: the probe is answered after ``initialize`` has come."""
    probe, handshake = receive(), receive()
    send(discovered(probe), error(handshake, -32602, "this server speaks 2026-07-28 only"))
    serve(EVERYTHING)


def sends_requests():
    def call(message):
        send({"jsonrpc": "2.0", "id": 1, "method": "ping"})
        return done(message, content=text("good"))
    serve({"tools/call": call})


# Multi-round-trip requests

FORM = {"type": "object", "properties": {"size": {"type": "string"}}, "required": ["size"]}
QUESTIONS = {"size": {"method": "elicitation/create", "params": {"message": "Size?", "requestedSchema": FORM}},
             "text": {"method": "sampling/createMessage", "params": {"messages": [], "maxTokens": 9}},
             "roots": {"method": "roots/list"}}


def asking(message, questions, state=None):
    more = {} if state is None else {"requestState": state}
    if questions is not None:
        more["inputRequests"] = questions
    return result(message, resultType="input_required", **more)


def rounds():
    """Tools and prompts that ask: everything at once, step by step, without state, without questions, for ever, and wrongly."""
    def call(message):
        params = message["params"]
        state, answers = params.get("requestState"), params.get("inputResponses")
        kind = params.get("name") or params.get("uri")
        if kind == "all":
            return done(message, content=text(json.dumps(params, sort_keys=True))) if answers else asking(message, QUESTIONS, "s-1")
        if kind == "steps":
            step = 0 if state is None else int(state)
            if step < 3:
                return asking(message, {"size": QUESTIONS["size"]}, str(step + 1))
            return done(message, content=text("after %d" % step))
        if kind == "stateless":
            if answers is None:
                return asking(message, {"roots": QUESTIONS["roots"]})
            return done(message, content=text(json.dumps(sorted(params))), messages=[])
        if kind == "state only":
            return done(message, content=text(json.dumps(sorted(params)))) if state else asking(message, None, "wait")
        if kind == "for ever":
            return asking(message, None, "again")
        if kind == "nothing":
            return asking(message, None)
        if kind == "number":
            return asking(message, None, 5)
        if kind == "list":
            return asking(message, [1])
        if kind == "new type":
            return result(message, resultType="acme/task")
        if kind == "no type":
            return result(message, content=text("plain"))
        if kind == "memo://asks":
            if answers is None:
                return asking(message, {"roots": QUESTIONS["roots"]}, "r")
            return done(message, contents=[{"uri": kind, "text": "x"}], ttlMs=60000, cacheScope="private")
        return error(message, -32602, "Unknown tool: %s" % kind)

    serve({"tools/call": call, "prompts/get": call, "resources/read": call,
           "tools/list": lambda message: asking(message, {"roots": QUESTIONS["roots"]})})


# Subscriptions

def tagged(method, stream, **params):
    return notification(method, _meta={KEY + "subscriptionId": stream}, **params)


def streams():
    """Serves subscriptions; the tool calls make things happen on them. They are known by the order of opening."""
    opened = []

    def listen(message):
        opened.append(message["id"])
        wanted = message["params"]["notifications"]
        if wanted.get("resourceSubscriptions") == ["memo://refused"]:
            return error(message, -32602, "no such resource")
        agreed = {name: value for name, value in wanted.items() if name != "promptsListChanged"}
        if wanted.get("resourceSubscriptions") == ["memo://unknown"]:
            agreed = {}
        return send(tagged("notifications/subscriptions/acknowledged", message["id"], notifications=agreed))

    def call(message):
        arguments = message["params"].get("arguments", {})
        name, stream = message["params"]["name"], opened[arguments["stream"]] if "stream" in arguments else None
        if name == "tools change":
            send(tagged("notifications/tools/list_changed", stream))
        elif name == "updated":
            send(tagged("notifications/resources/updated", stream, uri=arguments["uri"]))
        elif name == "untagged":
            send(notification("notifications/tools/list_changed"))
        elif name == "foreign":
            send(tagged("notifications/tools/list_changed", "somebody else"))
        elif name == "end":
            send({"jsonrpc": "2.0", "id": stream, "result": {"resultType": "complete", "_meta": {KEY + "subscriptionId": stream}}})
        elif name == "tear down":
            send(notification("notifications/cancelled", requestId=stream))
        return done(message, content=text(json.dumps(opened)))

    def cancelled(message):
        opened.append("cancelled %s" % message["params"]["requestId"])

    serve({"subscriptions/listen": listen, "tools/call": call, "notifications/cancelled": cancelled,
           "resources/read": lambda message: done(message, contents=[], ttlMs=60000, cacheScope="private"),
           "tools/list": lambda message: done(message, tools=[], ttlMs=60000, cacheScope="private")})


# Caching

def caching():
    """Counts how often each thing was asked for: the count is in the result."""
    counts = {}

    def counted(message, member, **more):
        key = json.dumps([message["method"], message["params"].get("uri"), message["params"].get("cursor")])
        counts[key] = counts.get(key, 0) + 1
        members = dict({member: [{"name": str(counts[key]), "uri": "memo://%d" % counts[key], "inputSchema": SCHEMA}]}, **more)
        return done(message, **members)

    def read(message):
        ttl = {"memo://long": 60000, "memo://short": 50, "memo://zero": 0, "memo://negative": -5, "memo://text": "60000",
               "memo://none": None}[message["params"]["uri"]]
        return counted(message, "contents", **({} if ttl is None else {"ttlMs": ttl, "cacheScope": "private"}))

    def tools(message):
        more = {} if "cursor" in message["params"] else {"nextCursor": "2"}
        return counted(message, "tools", ttlMs=60000, cacheScope="public", **more)

    def call(message):
        if message["params"]["name"] == "unknown":
            return error(message, -32602, "Unknown tool")
        if message["params"]["name"] == "changes":
            send(notification("notifications/tools/list_changed"))
        return done(message, content=[])

    serve({"tools/list": tools, "resources/read": read, "tools/call": call,
           "resources/list": lambda message: counted(message, "resources", ttlMs=60000, cacheScope="private")})


def changed_meanwhile():
    """The list changes while it is on its way: the change is told before the answer."""
    count = 0

    def tools(message):
        nonlocal count
        count += 1
        send(notification("notifications/tools/list_changed"))
        return done(message, tools=[{"name": str(count), "inputSchema": SCHEMA}], ttlMs=60000, cacheScope="public")

    serve({"tools/list": tools})


def slow():
    """Answers a call after it was cancelled; the next one says what came."""
    seen = []

    def call(message):
        if message["params"]["name"] == "next":
            return done(message, content=text(json.dumps(seen)))
        seen.append(message["id"])
        return None

    serve({"tools/call": call, "notifications/cancelled": lambda message: seen.append(message["params"]["requestId"])})


def never_acknowledges():
    serve({"subscriptions/listen": lambda message: None})


def exits_in_call():
    def call(message):
        write(b"")
        sys.stderr.write("gone\n")
        sys.stderr.flush()
        os._exit(7)
    serve({"tools/call": call})


def closes_late():
    """Answers open subscriptions when the input ends, as some SDKs do."""
    opened = []

    def listen(message):
        opened.append(message)
        return send(tagged("notifications/subscriptions/acknowledged", message["id"], notifications={}))
    try:
        serve({"subscriptions/listen": listen})
    except SystemExit:
        send(*[error(message, -32000, "Connection closed") for message in opened])
        time.sleep(0.05)


if __name__ == "__main__":
    main({name: function for name, function in globals().items() if callable(function)})
