"""A server that is right but for one fault; started by `bad_server.py FAULT`, or `bad_server.py none`. Plain JSON, nothing of mcplite.

It serves the handshake revisions and 2026-07-28 in one process. FAULTS says, for every fault, where it strikes: each row is a
table of hooks (see Hooks) that replace a step of the right server. Which check must find it is written in test_cli_check.py.
"""
import json
import os
import signal
import sys
import time

HANDSHAKE = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN = "2026-07-28"
META = "io.modelcontextprotocol/"
INFO = {"name": "bad", "version": "1"}
CAPABILITIES = {"tools": {"listChanged": True}, "resources": {"subscribe": True, "listChanged": True},
                "prompts": {"listChanged": True}, "logging": {}, "completions": {}}
LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
CACHED = ("server/discover", "tools/list", "prompts/list", "resources/list", "resources/templates/list", "resources/read")
NUMBER = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


def new_tools():
    return [
        {"name": "double", "description": "Doubles a number.", "inputSchema": dict(NUMBER), "outputSchema": dict(NUMBER),
         "annotations": {"readOnlyHint": True}},
        {"name": "steps", "description": "Counts to two.", "inputSchema": {"type": "object", "properties": {}},
         "annotations": {"readOnlyHint": True}},
        {"name": "erase", "description": "Must never be called.", "inputSchema": {"type": "object", "properties": {}}},
    ]


class Refusal(Exception):
    """An error reply: code, message, data."""


class Server:
    def __init__(self, hooks):
        self.hooks = hooks
        self.tools = hooks.get("tools", lambda tools: tools)(new_tools())
        self.modern = False             # of the request that is served
        self.version = None
        self.buffer = b""
        self.params = {}
        self.subscribed = []
        self.requests = 0
        self.cancelled = set()

    # output

    def write(self, data):
        while data:
            try:
                data = data[os.write(1, data):]
            except OSError:
                if self.hooks.get("crash without a reader"):
                    os.kill(os.getpid(), signal.SIGABRT)
                os._exit(0)

    def send(self, message):
        message = self.hooks.get("message", lambda message: message)(message)
        for one in message if isinstance(message, tuple) else (message,):
            self.write(self.hooks.get("line", lambda line: line)(json.dumps(one).encode() + b"\n"))

    def notify(self, method, **params):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    # input

    def run(self):
        self.hook("start")
        while True:
            while b"\n" not in self.buffer:
                chunk = os.read(0, 65536)
                if not chunk:
                    if self.buffer.strip():
                        self.take_line(self.buffer)
                    self.hook("end")
                    return
                self.buffer += chunk
            line, self.buffer = self.buffer.split(b"\n", 1)
            self.take_line(line)

    def ends_soon(self):
        """The end of input follows, or comes within a moment."""
        import select

        while select.select([0], [], [], 0.05)[0]:
            chunk = os.read(0, 65536)
            if not chunk:
                return True
            self.buffer += chunk
        return False

    def hook(self, name, *arguments):
        function = self.hooks.get(name)
        return function(self, *arguments) if function is not None else None

    def take_line(self, line):
        if self.hook("raw", line):
            return
        if not line.strip():
            return
        try:
            message = json.loads(line.decode("utf-8"), parse_constant=lambda name: 1 / 0)
        except (ValueError, ZeroDivisionError):
            self.refuse_line(-32700)
            return
        if isinstance(message, list) and self.version == "2025-03-26" and message:
            replies = [reply for reply in (self.answer(item) for item in message) if reply]
            if replies:
                self.send((replies,) if "message" not in self.hooks else replies)
        elif not isinstance(message, dict):
            self.refuse_line(-32600)
        else:
            reply = self.answer(message)
            if reply:
                self.send(reply)

    def refuse_line(self, code):
        error = {"jsonrpc": "2.0", "error": {"code": code, "message": "unreadable"}}
        if self.version in HANDSHAKE[:3]:
            error["id"] = None
        self.send(error)

    # requests

    def answer(self, message):
        if "method" not in message:
            return self.hook("response", message)
        if "id" not in message:
            return self.hook("notification", message) or self.take_notification(message)
        replaced = self.hook("request", message)
        if replaced is not None:
            return replaced or None
        self.requests += 1
        try:
            result = self.serve(message)
        except Refusal as refusal:
            error = dict(zip(("code", "message", "data"), refusal.args))
            return {"jsonrpc": "2.0", "id": message["id"], "error": self.hooks.get("error", lambda error: error)(error)}
        if result is None:
            return None
        if self.modern:
            self.complete(message["method"], result)
        return {"jsonrpc": "2.0", "id": message["id"],
                "result": self.hooks.get("result", lambda method, result: result)(message["method"], result)}

    def complete(self, method, result):
        """What 2026-07-28 wants in every result."""
        result.setdefault("resultType", "complete")
        result.setdefault("_meta", {})[META + "serverInfo"] = INFO
        if method in CACHED:
            result.update(ttlMs=0, cacheScope="public")

    def take_notification(self, message):
        if message["method"] == "notifications/cancelled":
            self.subscribed = [one for one in self.subscribed if one != (message.get("params") or {}).get("requestId")]

    def serve(self, message):
        method, params = message["method"], message.get("params") or {}
        meta = params.get("_meta") or {}
        self.params, self.meta = params, meta
        self.modern = META + "protocolVersion" in meta or self.version is None and method != "initialize"
        if method == "initialize":
            return self.initialize(params)
        if self.modern:
            self.check_meta(meta)
        if method == "ping" and not self.modern:
            return {}
        special = self.hooks.get(method)
        if special is not None:
            return special(self, message)
        handler = getattr(self, method.replace("/", "_").replace("templates_", "template_"), None)
        if handler is None or self.modern and method in ("logging/setLevel", "resources/subscribe", "resources/unsubscribe"):
            raise Refusal(-32601, "unknown method " + method)
        if not self.modern and method in ("server/discover", "subscriptions/listen"):
            raise Refusal(-32601, "unknown method " + method)
        return handler(message)

    def check_meta(self, meta):
        if "meta" in self.hooks:
            return
        if META + "protocolVersion" not in meta or META + "clientCapabilities" not in meta:
            raise Refusal(-32602, "protocolVersion and clientCapabilities are needed in _meta")
        if meta[META + "protocolVersion"] != MODERN:
            raise Refusal(*self.hooks.get("unsupported", lambda wanted: (
                -32022, "unsupported version", {"supported": [MODERN], "requested": wanted}))(meta[META + "protocolVersion"]))

    def initialize(self, params):
        self.version = self.hooks.get("version", lambda asked: asked if asked in HANDSHAKE else HANDSHAKE[-1])(params["protocolVersion"])
        capabilities = {name: value for name, value in CAPABILITIES.items() if name != "completions" or self.version != HANDSHAKE[0]}
        return {"protocolVersion": self.version, "capabilities": capabilities, "serverInfo": dict(INFO)}

    def server_discover(self, message):
        return {"supportedVersions": [MODERN], "capabilities": dict(CAPABILITIES)}

    def subscriptions_listen(self, message):
        self.subscribed.append(message["id"])
        self.notify("notifications/subscriptions/acknowledged", _meta={META + "subscriptionId": message["id"]},
                    notifications=message["params"].get("notifications", {}))

    def page(self, member, entries, size=2):
        cursor = self.params.get("cursor")
        if cursor is not None and (not isinstance(cursor, str) or not cursor.isdigit()):
            raise Refusal(-32602, "unknown cursor")
        start = int(cursor or 0)
        result = {member: entries[start:start + size]}
        if start + size < len(entries):
            result["nextCursor"] = str(start + size)
        return result

    def tools_list(self, message):
        tools = [dict(tool) for tool in self.tools]
        for tool in tools:
            if self.version == HANDSHAKE[0]:
                tool.pop("annotations", None)
            if self.version in HANDSHAKE[:2]:
                tool.pop("outputSchema", None)
        return self.page("tools", tools)

    def tools_call(self, message):
        name, arguments = self.params.get("name"), self.params.get("arguments") or {}
        token = self.meta.get("progressToken")
        if name == self.tools[0].get("name", "double"):
            if not isinstance(arguments.get("n"), int):
                return {"content": [{"type": "text", "text": "n must be an integer"}], "isError": True}
            result = {"content": [{"type": "text", "text": json.dumps({"n": 2 * arguments["n"]})}]}
            if self.version not in HANDSHAKE[:2]:
                result["structuredContent"] = {"n": 2 * arguments["n"]}
            return result
        if name == "steps":
            for step in (1, 2):
                if token is not None:
                    self.notify("notifications/progress", progressToken=token, progress=step)
            return {"content": [{"type": "text", "text": "two"}]}
        if name == "erase":
            os.write(2, b"ERASED\n")
        raise Refusal(-32602, "unknown tool")

    def resources_list(self, message):
        return self.page("resources", [{"uri": "memo://1", "name": "one"}])

    def resources_template_list(self, message):
        return self.page("resourceTemplates", [{"uriTemplate": "memo://{n}", "name": "any"}])

    def resources_read(self, message):
        if self.params.get("uri") != "memo://1":
            raise Refusal(-32602 if self.modern else -32002, "no such resource", {"uri": self.params.get("uri")})
        return {"contents": [{"uri": "memo://1", "text": "one"}]}

    def resources_subscribe(self, message):
        return {}

    resources_unsubscribe = resources_subscribe

    def prompts_list(self, message):
        return self.page("prompts", [{"name": "greet", "arguments": [{"name": "who", "required": True}]}])

    def prompts_get(self, message):
        if self.params.get("name") != "greet":
            raise Refusal(-32602, "no such prompt")
        return {"messages": [{"role": "user", "content": {"type": "text", "text": "hello " + self.params.get("arguments", {}).get("who", "you")}}]}

    def completion_complete(self, message):
        return {"completion": {"values": ["a", "b"]}}

    def logging_setLevel(self, message):
        if self.params.get("level") not in LEVELS:
            raise Refusal(-32602, "no such level")
        return {}


# Makers of hooks

def with_tool(**members):
    """The first tool gets these members; ... takes one away."""
    def change(tools):
        tools[0].update(members)
        tools[0] = {name: value for name, value in tools[0].items() if value is not ...}
        return tools
    return {"tools": change}


def with_schema(**members):
    return with_tool(inputSchema=dict(NUMBER, **members))


def with_output(schema):
    return with_tool(outputSchema=schema)


def in_result(method, **members):
    """Results of a method get these members; ... takes one away."""
    def change(asked, result):
        if asked == method or method == "*":
            result.update(members)
            result = {name: value for name, value in result.items() if value is not ...}
        return result
    return {"result": change}


def in_response(**members):
    def change(message):
        if "result" in message:
            message = dict(message, **members)
        return {name: value for name, value in message.items() if value is not ...}
    return {"message": change}


def instead(method, function):
    """A method is served by `function(server, message)`."""
    return {method: function}


def refused(code, message="no"):
    def refuse(server, message_of_request):
        raise Refusal(code, message)
    return refuse


def noisy(data, method="tools/list"):
    def request(server, message):
        if message["method"] == method:
            server.write(data)
    return {"request": request}


def silent(method):
    return {"request": lambda server, message: {} if message["method"] == method else None}


def dies_at(test):
    return {"raw": lambda server, line: os._exit(1) if test(line) else None}


def not_utf8(line):
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return True
    return False


def not_json(line):
    if not line.strip() or not_utf8(line):
        return False
    try:
        json.loads(line.decode("utf-8"))
    except ValueError:
        return True
    return False


def reply_to(server, message, **more):
    return dict({"jsonrpc": "2.0", "id": None, "error": {"code": -32601, "message": "unknown"}}, **more)


def call_result(**members):
    """The result of the tool `double`."""
    def change(asked, result):
        if asked == "tools/call" and result.get("isError") is not True and "structuredContent" in result:
            result.update(members)
        return {name: value for name, value in result.items() if value is not ...}
    return {"result": change}


def ignores_end(server):
    time.sleep(60)


def ignores_everything(server):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(60)


def leaves_child(server):
    if os.fork() == 0:
        os.close(0)
        os.close(1)
        os.close(2)
        os.execv(sys.executable, [sys.executable, "-I", "-S", "-c", "import time; time.sleep(30)"])


def writes_late(server):
    time.sleep(0.1)
    server.notify("notifications/tools/list_changed")


def coerced(convert):
    return {"message": lambda message: dict(message, id=convert(message["id"])) if "id" in message and "method" not in message else message}


def cut_input(server, line):
    if len(line) > 65536:
        os._exit(1)


def progress_to(token):
    def call(server, message):
        if server.params.get("name") == "steps":
            server.notify("notifications/progress", progressToken=token, progress=1)
        return Server.tools_call(server, message)
    return instead("tools/call", call)


def falling_progress(server, message):
    token = server.meta.get("progressToken")
    if token is not None and server.params.get("name") == "steps":
        server.notify("notifications/progress", progressToken=token, progress=3)
    return Server.tools_call(server, message)


def late_progress(server, message):
    """Progress after the answer: at the next request."""
    token = getattr(server, "late_token", None)
    server.late_token = server.meta.get("progressToken")
    if token is not None:
        server.notify("notifications/progress", progressToken=token, progress=9)
    return Server.tools_call(server, message)


def endless_pages(server, message):
    result = Server.tools_list(server, message)
    return dict(result, nextCursor="2")


def same_entry_again(server, message):
    result = Server.tools_list(server, message)
    if server.params.get("cursor") is not None:
        result["tools"].append(dict(server.tools[0]))
    return result


def asks(method):
    def request(server, message):
        if message["method"] == "tools/list":
            server.send({"jsonrpc": "2.0", "id": 1, "method": method})
    return {"request": request}


def logs(**params):
    def request(server, message):
        if message["method"] == "tools/list":
            server.notify("notifications/message", **params)
    return {"request": request}


def listen_silently(server, message):
    server.subscribed.append(message["id"])


def listen_with_other_id(server, message):
    server.notify("notifications/subscriptions/acknowledged", _meta={META + "subscriptionId": 5}, notifications={})


def listen_for_more(server, message):
    server.notify("notifications/subscriptions/acknowledged", _meta={META + "subscriptionId": message["id"]},
                  notifications=dict(message["params"]["notifications"], resourcesListChanged=True))


def listen_too_early(server, message):
    server.notify("notifications/tools/list_changed", _meta={META + "subscriptionId": message["id"]})
    return Server.subscriptions_listen(server, message)


def listen_for_ever(server, message):
    if message["method"] == "notifications/cancelled" and server.subscribed:
        server.notify("notifications/tools/list_changed", _meta={META + "subscriptionId": server.subscribed[-1]})


def remember(server, line):
    """The cancellation stands right behind the request: look at what comes before answering."""
    message = json.loads(line.decode("utf-8", "replace")) if line.strip()[:1] == b"{" and not not_json(line) and not not_utf8(line) else {}
    if message.get("method") in ("tools/list", "ping"):
        server.held_line = line
    if message.get("method") == "notifications/cancelled" and (message.get("params") or {}).get("reason") == "mcplite check":
        server.send({"jsonrpc": "2.0", "id": message["params"]["requestId"], "error": {"code": 0, "message": "Request cancelled"}})
        return True
    return None


def no_answer_to_lists_after(count):
    """A list that is asked for again is never answered: only its cancellation is."""
    seen = [0]

    def request(server, message):
        if message["method"] == "tools/list":
            seen[0] += 1
            if seen[0] > count:
                return {}
        return None
    return request


def one_message_many_lines(line):
    return json.dumps(json.loads(line), indent=1).encode() + b"\n"


def unfinished(line):
    return line[:-1]


def flood(server):
    os.write(2, b"x" * (1 << 17))


def start_late(server):
    time.sleep(2.2)


def print_traceback(server):
    os.write(2, b'Traceback (most recent call last):\n  File "x", line 1\nValueError: oops\n')


def twice(message):
    return (message, message) if "result" in message else message


def wrapped(message):
    return [message] if isinstance(message, dict) and "result" in message else message


def with_stray(message):
    return ({"jsonrpc": "2.0", "id": 987, "result": {}}, message) if "result" in message and message["result"] else message


def raw_line(old, new):
    return {"line": lambda line: line.replace(old, new)}


def nested(levels):
    def change(asked, result):
        if asked == "prompts/list":
            value = []
            for _ in range(levels):
                value = [value]
            result["_meta"] = dict(result.get("_meta") or {}, deep=value)
        return result
    return {"result": change}


def refuse_all(code):
    def request(server, message):
        if message["method"] not in ("initialize", "server/discover"):
            return None
        return {"jsonrpc": "2.0", "id": message["id"], "error": {"code": code, "message": "no"}}
    return {"request": request}


def only_after(flag_method):
    """Requests are answered only after a notification has come."""
    state = []

    def request(server, message):
        if message["method"] in ("ping", "logging/setLevel") and not state and server.version:
            return {}
        return None

    def notification(server, message):
        if message["method"] == flag_method:
            state.append(1)
    return {"request": request, "notification": notification}


def discover_kills(server, message):
    if message["method"] == "server/discover":
        os._exit(0)


def handshake_only(server, message):
    if message["method"] == "server/discover":
        return {"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32601, "message": "unknown"}}
    return None


def broken_by_discover(server, message):
    if message["method"] == "server/discover":
        server.broken = True
        return handshake_only(server, message)
    if getattr(server, "broken", False):
        return {"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32600, "message": "too late"}}
    return None


def latin_1(server, line):
    """Reads with the console's code page."""
    if not not_utf8(line) and any(byte > 127 for byte in line):
        server.take_line(line.decode("latin-1").encode("ascii", "backslashreplace").replace(b"\\x", b"\\u00"))
        return True
    return None


def answers_blank(server, line):
    if not line.strip():
        server.refuse_line(-32700)
        return True
    return None


def drops_cr(server, line):
    return line.endswith(b"\r")


def garbled_by_batch(server, line):
    if line.lstrip().startswith(b"["):
        os._exit(1)


def drops_last(server, message):
    """Nothing is answered when the input has ended meanwhile."""
    if message["method"] == "ping" and server.requests == 1 and message["id"] == 2 and server.ends_soon():
        return {}
    return None


FAULTS = {
    "none": {},
    # lines
    "noise-first": {"start": lambda server: server.write(b"Server is ready!\n")},
    "noise-between": noisy(b"debug: listing\n"),
    "json-noise": noisy(b'{"level": "info", "message": "listing"}\n'),
    "noise-at-end": {"end": lambda server: server.write(b"bye\n")},
    "bad-utf8-noise": noisy(b"caf\xe9\n"),
    "bad-utf8": raw_line(b"Doubles", b"D\xf6ubles"),
    "bom": {"start": lambda server: server.write(b"\xef\xbb\xbf")},
    "pretty": {"line": one_message_many_lines},
    "no-newline": {"line": unfinished},
    "blank-lines": {"line": lambda line: line + b"\n"},
    "crlf": {"line": lambda line: line[:-1] + b"\r\n"},
    "nan": raw_line(b'"serverInfo"', b'"x": NaN, "serverInfo"'),
    "lone-surrogate": raw_line(b"Doubles", b"\\ud83dDoubles"),
    "raw-2028": raw_line(b"Doubles", "Doubles\u2028".encode()),
    "huge-line": raw_line(b"Doubles", b"D" * 10000001),
    "deep": nested(900),
    # messages
    "no-jsonrpc": in_response(jsonrpc=...),
    "jsonrpc-1": in_response(jsonrpc="1.0"),
    "extra-member": in_response(took=3),
    "error-null": in_response(error=None),
    "result-list": instead("resources/subscribe", lambda server, message: []),
    "batch-response": {"message": wrapped},
    "id-string": coerced(str),
    "id-float": coerced(lambda value: float(value) if isinstance(value, int) else value),
    "id-integer": coerced(lambda value: int(value) if isinstance(value, str) and value.isdigit() else value),
    "id-zero-lost": {"request": lambda server, message: {} if message["id"] == 0 and message["method"] == "ping" else None},
    "twice": {"message": twice},
    "stray-response": {"message": with_stray},
    "error-code-string": {"error": lambda error: dict(error, code=str(error["code"]))},
    "error-no-message": {"error": lambda error: {name: value for name, value in error.items() if name != "message"}},
    "reply-to-notification": {"notification": lambda server, message: reply_to(server, message)
                              if message["method"] != "notifications/cancelled" else None},
    "reply-to-response": {"response": lambda server, message: reply_to(server, message, id=message["id"])},
    "asks-roots": asks("roots/list"),
    "unknown-notification": {"request": lambda server, message: server.notify("notifications/hello") if message["method"] == "tools/list" else None},
    "progress-unasked": progress_to("nobody"),
    "progress-falls": instead("tools/call", falling_progress),
    "progress-late": instead("tools/call", late_progress),
    "log-level-unknown": logs(level="loud", data="x"),
    "log-undeclared": {"result": lambda method, result: dict(result, capabilities={"tools": {}, "resources": {}, "prompts": {}}) if method == "initialize" else result,
                       **logs(level="info", data="x")},
    "late-line": {"end": writes_late},
    # process
    "slow-start": {"start": start_late},
    "ignores-end": {"end": ignores_end},
    "ignores-sigterm": {"end": ignores_everything},
    "exit-status": {"end": lambda server: os._exit(7)},
    "orphan": {"start": leaves_child},
    "crash-without-reader": {"crash without a reader": True},
    "stderr-flood": {"start": flood},
    "traceback": {"end": print_traceback},
    # handshake
    "initialize-error": refuse_all(-32603),
    "initialize-silent": {"request": lambda server, message: {} if message["method"] in ("initialize", "server/discover") else None},
    "no-capabilities": in_result("initialize", capabilities=...),
    "no-server-info": in_result("initialize", serverInfo=...),
    "no-server-version": in_result("initialize", serverInfo={"name": "bad"}),
    "version-none": in_result("initialize", protocolVersion=...),
    "version-future": {"version": lambda asked: "2099-12-31"},
    "version-echo": {"version": lambda asked: asked},
    "version-refused": {"request": lambda server, message: {"jsonrpc": "2.0", "id": message["id"], "error": {
        "code": -32602, "message": "unsupported"}} if message["method"] == "initialize"
        and message["params"]["protocolVersion"] not in HANDSHAKE else None},
    "version-stubborn": {"version": lambda asked: "2024-11-05" if asked == "2025-03-26" else asked if asked in HANDSHAKE else "2025-03-26"},
    "deaf-before-initialized": only_after("notifications/initialized"),
    "no-ping": silent("ping"),
    "ping-error": {"request": lambda server, message: {"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32601, "message": "no"}}
                   if message["method"] == "ping" else None},
    "discover-exit": {"request": discover_kills},
    "discover-breaks": {"request": broken_by_discover},
    "discover-silent": {"request": lambda server, message: {} if message["method"] == "server/discover" else None},
    "newer-members": {"result": lambda method, result: dict(result, tools=[dict(tool, title="T") for tool in result["tools"]])
                      if method == "tools/list" else result},
    "no-batch": {"raw": lambda server, line: line.startswith(b"[")},
    "drops-last": {"request": drops_last},
    "batch-dies": {"raw": garbled_by_batch},
    # what comes in
    "dies-at-bad-json": dies_at(not_json),
    "dies-at-bad-utf8": dies_at(not_utf8),
    "dies-at-blank": dies_at(lambda line: not line.strip()),
    "answers-blank": {"raw": answers_blank},
    "drops-crlf": {"raw": drops_cr},
    "latin-1": {"raw": latin_1},
    "small-buffer": {"raw": cut_input},
    "unknown-method-silent": {"request": lambda server, message: {} if "no-such" in message["method"] else None},
    "unknown-method-result": {"request": lambda server, message: {"jsonrpc": "2.0", "id": message["id"], "result": {}}
                              if "no-such" in message["method"] else None},
    # lists
    "prompts-not-served": instead("prompts/list", refused(-32601)),
    "tools-undeclared": in_result("initialize", capabilities={}),
    "null-cursor": in_result("prompts/list", nextCursor=None),
    "null-instructions": in_result("initialize", instructions=None),
    "null-capability": in_result("initialize", capabilities=dict(CAPABILITIES, prompts=None)),
    "null-meta": in_result("ping", _meta=None),
    "null-description": with_tool(description=None),
    "null-title": with_tool(title=None),
    "null-output-schema": with_tool(outputSchema=None),
    "cursor-loop": instead("tools/list", endless_pages),
    "page-repeats": instead("tools/list", same_entry_again),
    "bad-cursor-crash": {"request": lambda server, message: {"jsonrpc": "2.0", "id": message["id"], "error": {
        "code": -32603, "message": "x"}} if "mcplite" in str((message.get("params") or {}).get("cursor")) else None},
    # tools
    "tools-not-array": in_result("tools/list", tools={}),
    "tool-without-name": with_tool(name=...),
    "annotations-list": with_tool(annotations=[]),
    "odd-name": with_tool(name="a b/\u00e9"),
    "long-name": with_tool(name="x" * 129),
    "dup-name": {"tools": lambda tools: [tools[0], *tools]},
    "no-description": with_tool(description=...),
    "no-inputSchema": with_tool(inputSchema=...),
    "empty-inputSchema": with_tool(inputSchema={}),
    "true-inputSchema": with_tool(inputSchema=True),
    "null-inputSchema": with_tool(inputSchema=None),
    "schema-no-type": with_tool(inputSchema={"properties": {"n": {}}}),
    "schema-no-properties": with_tool(inputSchema={"type": "object"}),
    "schema-bad-type": with_schema(properties={"n": {"type": "strin"}}),
    "schema-null-property": with_schema(properties={"n": None}),
    "schema-bad-required": with_schema(required="n"),
    "schema-dialect": with_schema(**{"$schema": "http://json-schema.org/draft-04/schema#"}),
    "schema-dangling-ref": with_schema(properties={"n": {"$ref": "#/$defs/Gone"}}),
    "schema-network-ref": with_schema(properties={"n": {"$ref": "https://example.com/n.json"}}),
    "schema-bad-pattern": with_schema(properties={"n": {"type": "string", "pattern": "("}}),
    "schema-js-pattern": with_schema(properties={"n": {"type": "string", "pattern": "\\p{L}"}}),
    "schema-top-anyof": with_schema(anyOf=[{}]),
    "output-array": with_output({"type": "array", "items": {"type": "integer"}}),
    "output-bad-ref": with_output(dict(NUMBER, properties={"n": {"$ref": "#/$defs/Gone"}})),
    "output-unknown-dialect": with_output(dict(NUMBER, **{"$schema": "urn:mine"})),
    "unknown-tool-success": {"request": lambda server, message: {"jsonrpc": "2.0", "id": message["id"], "result": {
        "content": [{"type": "text", "text": "Error: unknown tool"}]}} if message["method"] == "tools/call"
        and "no_such" in message["params"].get("name", "") else None},
    "unknown-tool-error": {"request": lambda server, message: {"jsonrpc": "2.0", "id": message["id"], "result": {
        "content": [{"type": "text", "text": "unknown tool"}], "isError": True}} if message["method"] == "tools/call"
        and "no_such" in message["params"].get("name", "") else None},
    "unknown-tool-code": {"error": lambda error: dict(error, code=-32603) if error["message"] == "unknown tool" else error},
    "unknown-resource-code": {"error": lambda error: dict(error, code=-32602) if error["message"] == "no such resource" else error},
    "unknown-resource-modern": {"error": lambda error: dict(error, code=-32603) if error["message"] == "no such resource" else error},
    "stale-cursor": instead("tools/list", lambda server, message: Server.tools_list(server, message)
                            if str(server.params.get("cursor", "0")).isdigit() else {"tools": server.tools[:2], "nextCursor": "2"}),
    "cursor-ignored": instead("resources/list", lambda server, message: {"resources": [{"uri": "memo://1", "name": "one"}]}),
    "unknown-method-code": {"error": lambda error: dict(error, code=-32602) if error["code"] == -32601 else error},
    "long-description": {"tools": lambda tools: [dict(tools[0], description="x" * 5000), *tools[1:]]},
    "ping-says-more": {"result": lambda method, result: dict(result, pong=True) if method == "ping" else result},
    "call-without-name": {"request": lambda server, message: {"jsonrpc": "2.0", "id": message["id"], "error": {
        "code": -32603, "message": "KeyError"}} if message["method"] == "tools/call" and "name" not in message["params"] else None},
    "no-content": call_result(content=...),
    "unknown-content": call_result(content=[{"type": "text", "text": "2"}, {"type": "video", "text": ""}]),
    "bad-base64": call_result(content=[{"type": "text", "text": "x"}, {"type": "image", "data": "\u00e9", "mimeType": "image/png"}]),
    "isError-string": call_result(isError="false"),
    "isError-null": call_result(isError=None),
    "out-mismatch": call_result(structuredContent={"n": "two"}),
    "out-missing": call_result(structuredContent=...),
    "out-list": call_result(structuredContent=[2]),
    "out-without-text": call_result(content=[]),
    "runs-bad-arguments": instead("tools/call", lambda server, message: {"content": [{"type": "text", "text": "ok"}], "isError": False}
                                  if server.params.get("name") == "steps" or server.params.get("arguments") == {} and
                                  server.params.get("name") == "double" else Server.tools_call(server, message)),
    "cancel-kills": {"notification": lambda server, message: os._exit(1) if message["method"] == "notifications/cancelled" else None},
    "cancel-answered": {"notification": lambda server, message: reply_to(server, message) if message["method"] == "notifications/cancelled"
                        and (message.get("params") or {}).get("requestId") == 123456 else None},
    "cancel-error": {"request": no_answer_to_lists_after(3), "raw": remember},
    "any-log-level": instead("logging/setLevel", lambda server, message: {}),
    # resources, prompts, completion
    "resource-without-name": in_result("resources/list", resources=[{"uri": "memo://1"}]),
    "uri-relative": in_result("resources/list", resources=[{"uri": "notes/one two", "name": "x"}]),
    "null-mimeType": in_result("resources/list", resources=[{"uri": "memo://1", "name": "x", "mimeType": None}]),
    "contents-empty-item": in_result("resources/read", contents=[{"uri": "memo://1"}]),
    "contents-not-array": in_result("resources/read", contents={"uri": "memo://1", "text": "x"}),
    "unknown-resource-empty": instead("resources/read", lambda server, message: {"contents": [] if server.params["uri"] != "memo://1"
                                                                                 else [{"uri": "memo://1", "text": "x"}]}),
    "subscribe-refused": instead("resources/subscribe", refused(-32601)),
    "prompt-required-null": in_result("prompts/list", prompts=[{"name": "greet", "arguments": [{"name": "who", "required": None}]}]),
    "prompt-arguments-object": in_result("prompts/list", prompts=[{"name": "greet", "arguments": {"who": {}}}]),
    "prompt-list-content": in_result("prompts/get", messages=[{"role": "user", "content": [{"type": "text", "text": "x"}]}]),
    "prompt-role-system": in_result("prompts/get", messages=[{"role": "system", "content": {"type": "text", "text": "x"}}]),
    "unknown-prompt-success": instead("prompts/get", lambda server, message: {"messages": []}),
    "completion-numbers": instead("completion/complete", lambda server, message: {"completion": {"values": [1, 2]}}),
    "completion-too-many": instead("completion/complete", lambda server, message: {"completion": {"values": ["x"] * 101}}),
    "completions-not-served": instead("completion/complete", refused(-32601)),
    # 2026-07-28
    "discover-no-versions": in_result("server/discover", supportedVersions="2026-07-28"),
    "discover-other-versions": in_result("server/discover", supportedVersions=["2025-11-25"]),
    "discover-no-capabilities": in_result("server/discover", capabilities=...),
    "needs-discover": {"request": lambda server, message: None if message["method"] == "server/discover" or server.requests
                       or server.version or message["method"] == "initialize" else {
                           "jsonrpc": "2.0", "id": message["id"], "error": {"code": -32600, "message": "discover first"}}},
    "meta-not-required": {"meta": True},
    "any-version": {"unsupported": lambda wanted: (-32602, "no")},
    "unsupported-without-data": {"unsupported": lambda wanted: (-32022, "no")},
    "no-resultType": in_result("*", resultType=...),
    "odd-resultType": in_result("tools/list", resultType="weird"),
    "no-ttl": in_result("tools/list", ttlMs=..., cacheScope=...),
    "ttl-negative": in_result("prompts/list", ttlMs=-1),
    "ttl-float": in_result("resources/read", ttlMs=0.5),
    "cache-scope": in_result("resources/list", cacheScope="shared"),
    "modern-ping": {"request": lambda server, message: {"jsonrpc": "2.0", "id": message["id"], "result": {
        "resultType": "complete", "_meta": {META + "serverInfo": INFO}}} if message["method"] == "ping" else None},
    "old-error-code": {"error": lambda error: dict(error, code=-32002) if error["message"] == "no such resource" else error},
    "modern-request": asks("ping"),
    "log-unasked": logs(level="info", data="x"),
    "listen-silent": instead("subscriptions/listen", listen_silently),
    "listen-other-id": instead("subscriptions/listen", listen_with_other_id),
    "listen-more": instead("subscriptions/listen", listen_for_more),
    "listen-early": instead("subscriptions/listen", listen_too_early),
    "listen-after-cancel": {"notification": listen_for_ever},
    "no-server-info-meta": {"result": lambda method, result: dict(result, _meta={}) if "_meta" in result else result},
}
