"""What must work on every interpreter, without pytest, threads, processes or a standard stream; Python 3.8 and newer.

Here: one server with a tool, a question, resources, a prompt and completion; a client that talks to it in both eras over
streams in memory; the checks. `tests/matrix.py` runs it where a test runner does not fit: in PyPy, Pyodide, gdb, in a host without
standard streams, and against the single file. Not here: how an interpreter is started.

    python tests/matrix/smoke.py FOLDER             # FOLDER holds the package, or mcplite.py
    MCPLITE_SMOKE=FOLDER MCPLITE_SMOKE_REPORT=FILE python tests/matrix/smoke.py     # where nothing can be passed or printed
    MCPLITE_SMOKE=FOLDER MCPLITE_SMOKE_SERVE=1 python tests/matrix/smoke.py         # the server itself, over stdio

The report has one line per check, `ok NAME` or `FAILED NAME: why`, and the counts at the end; the exit status is 1 when one failed.
"""
import os
import sys

HANDSHAKE = "2025-11-25"
STATELESS = "2026-07-28"
PREFIX = "io.modelcontextprotocol/"
SIZES = {"type": "object", "properties": {"size": {"type": "string", "enum": ["small", "large"]}}, "required": ["size"]}


def new_server():
    """The server that is talked to; importing mcplite is left to this function."""
    from mcplite import Server, ToolError, image, text

    server = Server("smoke", version="1.0", instructions="Used by the matrix.")

    @server.tool
    def add(a: int, b: int = 2) -> dict:
        """Add two numbers."""
        return {"sum": a + b}

    @server.tool(input_schema={"type": "object", "properties": {"name": {"type": "string", "pattern": "^[a-z]+\\d?$"}}})
    def refuse(arguments):
        raise ToolError("No %s today." % arguments["name"])

    @server.tool
    def noisy(ctx) -> str:
        """Print, log, tell progress."""
        print("this text belongs to nobody on the wire")
        ctx.progress(1, total=2, message="half")
        ctx.log("info", {"words": "caf\u00e9 \u2713 \U0001f600"})
        return "caf\u00e9 \u2713 \U0001f600 \ud800"

    @server.tool
    def order(item: str, ctx) -> str:
        """Ask for the size, then order."""
        answer = ctx.elicit("Which size?", SIZES)
        return "%s %s" % (answer["content"]["size"], item) if answer["action"] == "accept" else "nothing"

    @server.tool
    def leave() -> str:
        raise SystemExit(3)

    @server.tool
    def nap(seconds: float) -> str:
        import time

        time.sleep(seconds)
        return "awake"

    @server.resource("smoke://table", mime_type="application/json")
    def table():
        return {"rows": [1, 2, 3]}

    @server.resource("smoke://pixels/{name}", mime_type="image/png")
    def pixels(name):
        return bytes(range(256)) if name == "all" else None

    @server.prompt
    def recommend(category: str, budget: str = "10"):
        return [text("Recommend %s below %s." % (category, budget)), image(b"\x00\xff", "image/png")]

    @server.completion("recommend", "category")
    def categories(value):
        return [word for word in ("mice", "monitors") if word.startswith(value)]

    return server


class Talk:
    """Both streams of one conversation: the server reads requests here and writes here; questions are answered at once."""

    def __init__(self, requests, answer):
        self.inbox, self.answer, self.replies, self.notices, self.half = list(requests), answer, [], [], b""

    def read1(self, size=-1):
        import json

        return (json.dumps(self.inbox.pop(0)) + "\n").encode() if self.inbox else b""

    def write(self, data):
        import json

        lines = (self.half + bytes(data)).split(b"\n")
        self.half = lines.pop()
        for line in lines:
            message = json.loads(line.decode("ascii"))
            if "method" not in message:
                self.replies.append(message)
            elif "id" in message:                       # a question of the handshake era, answered before all else
                self.inbox.insert(0, {"jsonrpc": "2.0", "id": message["id"], "result": self.answer})
            else:
                self.notices.append(message)
        return len(data)


class Conversation:
    """Requests to one server in one revision, each in a stream of its own after its handshake."""

    def __init__(self, revision):
        self.server, self.revision, self.notices = new_server(), revision, []

    def ask(self, method, params=None, answer=None, capabilities=None):
        """Return the reply: questions get ``answer`` as their result, as a client of this revision gives it."""
        state = {}
        while True:
            reply = self.ask_once(method, dict(params or {}, **state), answer, capabilities or {"elicitation": {}})
            result = reply.get("result", {})
            if result.get("resultType") != "input_required":
                return reply
            state = {"inputResponses": dict.fromkeys(result["inputRequests"], answer)}
            if "requestState" in result:
                state["requestState"] = result["requestState"]

    def ask_once(self, method, params, answer, capabilities):
        client = {"name": "smoke", "version": "1"}
        requests = []
        meta = {"progressToken": "p"}
        if self.revision == HANDSHAKE:
            requests += [new_request(0, "initialize", {"protocolVersion": HANDSHAKE, "capabilities": capabilities,
                                                       "clientInfo": client}),
                         {"jsonrpc": "2.0", "method": "notifications/initialized"}]
        else:
            meta.update({PREFIX + "protocolVersion": STATELESS, PREFIX + "clientCapabilities": capabilities,
                         PREFIX + "clientInfo": client, PREFIX + "logLevel": "info"})
        requests.append(new_request(1, method, dict(params, _meta=meta)))
        talk = Talk(requests, answer)
        self.server.serve(talk, talk)
        self.notices = talk.notices
        found = [reply for reply in talk.replies if reply["id"] == 1]
        assert len(found) == 1, talk.replies
        return found[0]

    def result(self, method, params=None, **more):
        reply = self.ask(method, params, **more)
        assert "result" in reply, reply
        added = ("resultType", "ttlMs", "cacheScope", "_meta")
        return {name: value for name, value in reply["result"].items() if name not in added}

    def call(self, tool, arguments, **more):
        return self.result("tools/call", {"name": tool, "arguments": arguments}, **more)


def new_request(number, method, params):
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def same(found, wanted):
    assert found == wanted, "%r is not %r" % (found, wanted)


def words(result):
    return [block.get("text") for block in result["content"]]


# The checks: each gets a Conversation.


def check_opening(talk):
    if talk.revision == HANDSHAKE:
        stream = Talk([new_request(1, "initialize", {"protocolVersion": "2099-01-01", "capabilities": {},
                                                     "clientInfo": {"name": "x", "version": "1"}})], None)
        talk.server.serve(stream, stream)
        same(stream.replies[0]["result"]["protocolVersion"], HANDSHAKE)
        same(stream.replies[0]["result"]["serverInfo"], {"name": "smoke", "version": "1.0"})
    else:
        same(talk.result("server/discover")["supportedVersions"], [STATELESS])


def check_tools_list(talk):
    tools = {tool["name"]: tool for tool in talk.result("tools/list")["tools"]}
    same(sorted(tools), ["add", "leave", "nap", "noisy", "order", "refuse"])
    same(tools["add"]["description"], "Add two numbers.")
    same(tools["add"]["inputSchema"]["required"], ["a"])
    same(tools["add"]["inputSchema"]["properties"]["b"], {"type": "integer", "default": 2})


def check_tool(talk):
    result = talk.call("add", {"a": 3.0})
    same((result["structuredContent"], result.get("isError", False)), ({"sum": 5}, False))


def check_large_numbers(talk):
    same(talk.call("add", {"a": 10 ** 30, "b": -1})["structuredContent"], {"sum": 10 ** 30 - 1})


def check_bad_arguments(talk):
    result = talk.call("add", {"a": "three"})
    assert result["isError"] and "a" in words(result)[0], result


def check_pattern(talk):
    assert talk.call("refuse", {"name": "a\u0663"})["isError"]
    same(words(talk.call("refuse", {"name": "tea7"})), ["No tea7 today."])


def check_exit_in_a_tool(talk):
    assert talk.call("leave", {})["isError"]


def check_text_progress_and_log(talk):
    same(words(talk.call("noisy", {})), ["caf\u00e9 \u2713 \U0001f600 \ufffd"])
    found = {notice["method"]: notice["params"] for notice in talk.notices}
    same((found["notifications/progress"]["progressToken"], found["notifications/progress"]["message"]), ("p", "half"))
    if talk.revision == STATELESS:                      # in the handshake era the host says first from which level on
        same(found["notifications/message"]["data"], {"words": "caf\u00e9 \u2713 \U0001f600"})


def check_question(talk):
    yes = {"action": "accept", "content": {"size": "large"}}
    same(words(talk.call("order", {"item": "tea"}, answer=yes)), ["large tea"])
    same(words(talk.call("order", {"item": "tea"}, answer={"action": "decline"})), ["nothing"])


def check_question_nobody_can_answer(talk):
    reply = talk.ask("tools/call", {"name": "order", "arguments": {"item": "tea"}}, capabilities={"roots": {}})
    assert reply.get("error", {}).get("code") == -32021 or reply["result"]["isError"], reply


def check_resources(talk):
    same([entry["uri"] for entry in talk.result("resources/list")["resources"]], ["smoke://table"])
    same([entry["uriTemplate"] for entry in talk.result("resources/templates/list")["resourceTemplates"]], ["smoke://pixels/{name}"])
    same(talk.result("resources/read", {"uri": "smoke://table"})["contents"],
         [{"uri": "smoke://table", "mimeType": "application/json", "text": '{"rows":[1,2,3]}'}])
    blob = talk.result("resources/read", {"uri": "smoke://pixels/all"})["contents"][0]["blob"]
    assert blob.startswith("AAECAwQF") and len(blob) == 344, blob
    code = talk.ask("resources/read", {"uri": "smoke://pixels/none"})["error"]["code"]
    same(code, -32002 if talk.revision == HANDSHAKE else -32602)


def check_prompts(talk):
    same([prompt["name"] for prompt in talk.result("prompts/list")["prompts"]], ["recommend"])
    messages = talk.result("prompts/get", {"name": "recommend", "arguments": {"category": "mice"}})["messages"]
    same([message["content"]["type"] for message in messages], ["text", "image"])
    same(messages[0]["content"]["text"], "Recommend mice below 10.")


def check_completion(talk):
    found = talk.result("completion/complete", {"ref": {"type": "ref/prompt", "name": "recommend"},
                                                "argument": {"name": "category", "value": "mo"}})
    same(found["completion"]["values"], ["monitors"])


def check_errors(talk):
    same(talk.ask("tools/call", {"name": "none", "arguments": {}})["error"]["code"], -32602)
    same(talk.ask("acme/none")["error"]["code"], -32601)


def check_noise_on_the_wire(talk):
    """Bytes that are no JSON, no UTF-8, too deep, too large a number: one error each, and the next ping is answered."""
    import json
    from io import BytesIO

    lines = [b"hello", b"\xff\xfe{}", b"[" * 100000, b"1" * 5000, b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":1e999}}',
             b'{"jsonrpc":"2.0","id":7,"method":"ping"}']
    writer = BytesIO()
    talk.server.serve(BytesIO(b"\n".join(lines) + b"\n"), writer)
    replies = [json.loads(line) for line in writer.getvalue().splitlines()]
    same(len(replies), len(lines))
    same(replies[-1], {"jsonrpc": "2.0", "id": 7, "result": {}})
    assert all("error" in reply for reply in replies[:-1]), replies


def check_types(talk):
    """Hints of every kind, as this Python's typing has them."""
    from typing import Dict, List, Optional, Union

    def pick(names: List[str], limit: Optional[int] = None, more: Union[bool, Dict[str, float], None] = None) -> List[str]:
        return names[:limit]

    talk.server.tool(pick)
    same(words(talk.call("pick", {"names": ["a", "b"], "limit": 1})), ['["a"]'])
    assert talk.call("pick", {"names": ["a", 1]})["isError"]


def check_validator(talk):
    from mcplite.schema import SchemaError, Validator

    judge = Validator({"type": "object", "properties": {"n": {"multipleOf": 0.1}}, "unevaluatedProperties": False}).is_valid
    same([judge({"n": 0.3}), judge({"n": 0.35}), judge({"x": 1}), judge([])], [True, False, False, False])
    for _ in range(200):                                # hot enough for generated code
        assert judge({"n": 4})
    same(judge({"n": 4.01}), False)
    try:
        Validator({"$ref": "https://example.com/x"})
    except SchemaError:
        return
    raise AssertionError("a reference outside was accepted")


def check_client_in_memory(talk):
    """The client of this package and the server in one thread; left out where the file was made with --server-only."""
    try:
        from mcplite import Client
    except ImportError as error:
        raise Skipped(str(error)) from None
    with Client(talk.server, on_elicit=lambda *request: {"action": "accept", "content": {"size": "small"}}) as client:
        same(words(client.call_tool("order", {"item": "tea"})), ["small tea"])
        same(client.call_tool("add", {"a": 1})["structuredContent"], {"sum": 3})


def check_run_without_streams(talk):
    """Where this interpreter has no standard streams, run() says what to do."""
    try:
        talk.server.run()
    except RuntimeError as error:
        same(str(error), "run() needs a standard input and output, and this interpreter has none: "
                         "use serve(reader, writer) with two binary streams")
        return
    raise AssertionError("run() went on without standard streams")


class Skipped(Exception):
    """A check that does not apply here; the text says why."""


ONCE = (check_noise_on_the_wire, check_types, check_validator, check_client_in_memory) + (
    () if sys.stdin is not None and sys.stdout is not None else (check_run_without_streams,))
IN_BOTH_ERAS = (check_opening, check_tools_list, check_tool, check_large_numbers, check_bad_arguments, check_pattern,
                check_exit_in_a_tool, check_text_progress_and_log, check_question, check_question_nobody_can_answer,
                check_resources, check_prompts, check_completion, check_errors)


def run_checks():
    """Run every check; return the lines of the report."""
    lines, counts = [], {"ok": 0, "FAILED": 0, "skipped": 0}
    for function, revision in [(function, revision) for function in IN_BOTH_ERAS for revision in (HANDSHAKE, STATELESS)] + \
            [(function, STATELESS) for function in ONCE]:
        name = function.__name__[6:].replace("_", " ") + (" " + revision if function in IN_BOTH_ERAS else "")
        verdict, why = "ok", ""
        try:
            function(Conversation(revision))
        except Skipped as reason:
            verdict, why = "skipped", ": %s" % reason
        except (Exception, SystemExit) as error:
            verdict, why = "FAILED", ": %s: %s" % (type(error).__name__, error)
        counts[verdict] += 1
        lines.append(("%s %s%s" % (verdict, name, why)).replace("\n", " "))
    lines.append("%d passed, %d failed, %d skipped" % (counts["ok"], counts["FAILED"], counts["skipped"]))
    return lines


def main(folder, report=None):
    """Check what lies in ``folder``; write the report to a file, or print it. Returns the exit status."""
    sys.path.insert(0, folder)
    if os.environ.get("MCPLITE_SMOKE_SERVE"):
        new_server().run()
        return 0
    lines = run_checks()
    text = "\n".join(lines) + "\n"
    if report:
        with open(report, "w", encoding="utf-8") as file:
            file.write(text)
    else:
        print(text, end="")
    return 0 if " 0 failed" in lines[-1] else 1


if __name__ == "__main__":
    sys.exit(main(os.environ.get("MCPLITE_SMOKE") or sys.argv[1], os.environ.get("MCPLITE_SMOKE_REPORT")))
