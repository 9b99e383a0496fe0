"""Servers of the handshake revisions: one that serves everything, and many that misbehave in one way each."""
import json
import os
import signal
import subprocess
import sys
import time

from fake import (
    error,
    main,
    notification,
    receive,
    receive_until,
    request,
    result,
    send,
    serve,
    shake_hands,
    text,
    write,
)

SCHEMA = {"type": "object", "properties": {}}
INTEGER = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


def receive_call():
    """Return the next tools/call; refuse other requests (lists that the client fetches by itself)."""
    while True:
        message = receive()
        if message["method"] == "tools/call":
            return message
        if "id" in message:
            send(error(message, -32601, "Method not found"))


def paged(member, pages):
    """A list in pages whose cursors are "0", "2", "3"."""
    cursors = ["0", "2", "3"]

    def answer(message):
        cursor = message.get("params", {}).get("cursor")
        number = 0 if cursor is None else cursors.index(cursor) + 1
        more = {"nextCursor": cursors[number]} if number + 1 < len(pages) else {}
        return result(message, **dict({member: pages[number]}, **more))
    return answer


def call_everything(message):
    params = message["params"]
    name, token = params["name"], params.get("_meta", {}).get("progressToken")
    if name == "steps":
        send(notification("notifications/progress", progressToken=token, progress=1, total=2),
             notification("notifications/message", level="info", data="half"),
             notification("notifications/progress", progressToken="nobody", progress=1),
             notification("notifications/progress", progressToken=token, progress=2, total=2),
             result(message, content=text("done")))
        return None
    if name == "arguments":
        return result(message, content=text(json.dumps(params, sort_keys=True)))
    if name == "fails":
        return result(message, content=text("no such city"), isError=True)
    if name == "changes":
        send(*[notification("notifications/%s/list_changed" % kind) for kind in ("tools", "resources", "prompts")])
        return result(message, content=[])
    return error(message, -32602, "Unknown tool: %s" % name)


EVERYTHING = {
    "ping": lambda message: result(message),
    "tools/list": paged("tools", [[{"name": "steps", "inputSchema": SCHEMA}], [], [{"name": "fails", "inputSchema": SCHEMA}]]),
    "tools/call": call_everything,
    "resources/list": paged("resources", [[{"uri": "memo://1", "name": "one"}]]),
    "resources/templates/list": paged("resourceTemplates", [[{"uriTemplate": "memo://{n}", "name": "any"}]]),
    "resources/read": lambda message: result(message, contents=[{"uri": message["params"]["uri"], "text": "one"}])
    if message["params"]["uri"] == "memo://1" else error(message, -32002, "Resource not found",
                                                         data={"uri": message["params"]["uri"]}),
    "prompts/list": paged("prompts", [[{"name": "greet", "arguments": [{"name": "who"}]}]]),
    "prompts/get": lambda message: result(message, messages=[
        {"role": "user", "content": {"type": "text", "text": "hello " + message["params"]["arguments"]["who"]}}]),
    "completion/complete": lambda message: result(message, completion={"values": [json.dumps(message["params"])]}),
    "logging/setLevel": lambda message: result(message),
    "resources/unsubscribe": lambda message: result(message),
}


def subscribe(message):
    send(result(message))
    send(notification("notifications/resources/updated", uri=message["params"]["uri"]))


EVERYTHING["resources/subscribe"] = subscribe


def everything():
    shake_hands()
    serve(EVERYTHING)


def version():
    """Answers ``initialize`` with the version of the command line."""
    shake_hands(version=sys.argv[2])
    serve(EVERYTHING)


def newest_of_2024():
    """An older SDK: refuses what comes before ``initialize`` with another code."""
    message = receive()
    send(error(message, -32602, "Invalid request parameters", data=""))
    shake_hands(version="2024-11-05")
    serve(EVERYTHING)


# FR-059 and what resembles it

def noise():
    shake_hands()
    message = receive()
    write(b"ready!\n\n\x92\xff\n" + b'{"status":200}\n' + b"Content-Length: 20\n\r\n[1,2]\n7\n"
          + b'{"jsonrpc":"2.0","id":null,"method":"x"}\n')
    send(result(message, content=text("through")))
    serve(EVERYTHING)


def early_noise():
    write(b"\xef\xbb\xbfLoading...\nWarning: offline\n")
    everything()


def null_error():
    """An error without id in answer to ``initialized``, as some servers send."""
    shake_hands()
    send({"jsonrpc": "2.0", "id": None, "error": {"code": -32601, "message": "unknown notification"}})
    serve(EVERYTHING)


def string_ids():
    shake_hands()
    while True:
        message = receive()
        send(dict(result(message, content=text("s")), id=str(message["id"])))


def long_line():
    shake_hands()
    send(result(receive(), content=text("z" * 200000)))
    receive()


def foreign_id():
    shake_hands()
    send(dict(result(receive(), content=text("s")), id=77))
    receive()


def write_answer(line, message):
    """Write a line of the command line as the answer; \\n ends a line there."""
    deep = '{"jsonrpc":"2.0","id":%(id)d,"result":{"x":' + "[" * 100000 + "]" * 100000 + "}}"
    write((deep if line == "deep" else line).replace("\\n", "\n").encode("utf-8", "surrogateescape") % {b"id": message["id"]} + b"\n")


def answers():
    """The first request gets the line of the command line, and the right answer too unless that says "alone"."""
    shake_hands()
    message = receive()
    write_answer(sys.argv[2], message)
    if "alone" not in sys.argv:
        send(result(message, content=text("good")))
    serve(EVERYTHING)


def answers_all():
    """Every request gets the line of the command line."""
    while True:
        write_answer(sys.argv[2], receive())


def bad_probe():
    message = receive()
    write_answer('{"id":%(id)d,"result":{}}', message)
    if "refuse" in sys.argv:
        send(error(receive(), -32601, "Method not found"))
    everything()


def results():
    """Every request gets the result of the command line."""
    shake_hands()
    while True:
        message = receive()
        send({"jsonrpc": "2.0", "id": message["id"], "result": json.loads(sys.argv[2])})


def output_schema():
    """The tool "any" has the output schema of the command line, and acts."""
    shake_hands()
    serve({"tools/list": lambda message: result(message, tools=[{"name": "any", "inputSchema": SCHEMA,
                                                                 "outputSchema": json.loads(sys.argv[2])}]),
           "tools/call": lambda message: result(message, content=text("acted"), structuredContent={})})


def asks_in_list():
    """Asks the client something when it wants the list, and waits for the answer."""
    shake_hands()

    def tools_list(message):
        send(request(1, "sampling/createMessage", messages=[], maxTokens=5))
        receive()
        return result(message, tools=[])
    serve({"tools/list": tools_list, "tools/call": lambda message: result(message, content=text("acted"))})


def twice():
    shake_hands()
    while True:
        message = receive()
        send(result(message, content=text("first")), result(message, content=text("second")))


def huge_number():
    shake_hands()
    message = receive()
    write(b'{"jsonrpc":"2.0","id":%d,"result":{"content":[],"x":1e999}}\n' % message["id"])
    serve(EVERYTHING)


def malformed():
    """Responses that are none: no result object, an error without code."""
    shake_hands()
    answers = [{"result": [1]}, {"error": "bad"}, {"result": None}, {"error": {"message": "no code"}}]
    while True:
        message = receive()
        send(dict({"jsonrpc": "2.0", "id": message["id"]}, **answers.pop(0)))


# FR-060

def boom():
    sys.stderr.write("first\nboom\n")
    sys.exit(3)


def exit_at_probe():
    """An old server that ends at a request it does not know; FAKE_COUNT counts the starts."""
    with open(os.environ["FAKE_COUNT"], "a") as file:
        file.write("x")
    message = receive()
    if message["method"] != "initialize":
        sys.exit(1)
    send(result(message, protocolVersion="2025-06-18", capabilities={"tools": {}}, serverInfo={"name": "old", "version": "0"}))
    serve(EVERYTHING)


def silent():
    while True:
        receive()


def sleeper():
    time.sleep(60)


def closes_stdout():
    os.close(1)
    time.sleep(60)


def silent_at_probe():
    """Answers nothing but ``initialize``, as servers that ignore unknown methods do."""
    receive_until(lambda message: message["method"] == "initialize" and not send(
        result(message, protocolVersion="2025-11-25", capabilities={"tools": {}}, serverInfo={"name": "mute", "version": "0"})))
    serve(EVERYTHING)


# Faults in the middle

def dies_in_call():
    shake_hands()
    receive()
    sys.stderr.write("Traceback: out of memory\n")
    sys.stderr.flush()
    os.kill(os.getpid(), signal.SIGKILL)


def half_a_line():
    shake_hands()
    message = receive()
    write(json.dumps(result(message, content=text("cut"))).encode()[:30])
    sys.exit(0)


def last_line_without_end():
    shake_hands()
    message = receive()
    write(json.dumps(result(message, content=text("whole"))).encode())
    sys.exit(0)


def hangs():
    shake_hands()
    time.sleep(60)


def deaf():
    """Reads no more, but keeps its output open."""
    shake_hands()
    os.close(0)
    send(notification("notifications/message", level="info", data="deaf now"))
    time.sleep(60)


def late():
    """Answers the first call only after it was cancelled, with the cancellation's own words; then goes on."""
    shake_hands()
    message = receive()
    cancelled = receive()
    send(result(message, content=text("too late")))
    message = receive()
    send(result(message, content=text(json.dumps(cancelled))))
    serve(EVERYTHING)


# FR-061

def stderr_flood():
    os.write(2, b"e" * (1 << 20))
    shake_hands()
    message = receive()
    os.write(2, b"f" * (1 << 20))
    send(result(message, content=text("survived")))
    serve(EVERYTHING)


def both_ways():
    """Writes 4 MiB before it reads on, while the client sends 4 MiB."""
    shake_hands()
    send(*[notification("notifications/message", level="info", data="d" * 65536) for _ in range(64)])
    message = receive()
    send(result(message, content=text(str(len(message["params"]["arguments"]["s"])))))
    serve(EVERYTHING)


# FR-062

def cursors():
    kind = sys.argv[2]
    shake_hands()
    count = 0

    def answer(message):
        nonlocal count
        count += 1
        cursor = message.get("params", {}).get("cursor")
        following = {"same": "a", "cycle": "b" if cursor == "a" else "a", "new": str(count), "number": 5, "null": None,
                     "empty": ""}[kind]
        return result(message, tools=[{"name": "t%d" % count, "inputSchema": SCHEMA}], nextCursor=following)

    serve({"tools/list": answer})


# FR-064

def questions():
    """Asks everything in the middle of a call, each time under the call's own id, and returns the replies."""
    shake_hands()
    while True:
        call = receive_call()
        asked = [("roots/list", {}), ("sampling/createMessage", {"messages": [], "maxTokens": 5}),
                 ("elicitation/create", {"message": "Size?", "requestedSchema": {"type": "object", "properties": {
                     "size": {"type": "string"}, "count": {"type": "integer", "default": 1}}, "required": ["size"]}}),
                 ("elicitation/request", {"message": "Size?", "requestedSchema": {"type": "object", "properties": {}}}),
                 ("ping", {}), ("acme/unknown", {})]
        replies = {}
        for method, params in asked:
            send(request(call["id"], method, **params))
            replies[method] = receive()
        send(result(call, content=text(json.dumps(replies))))


def one_question():
    """Asks what the call says, once, under the id "q", and returns the reply."""
    shake_hands()
    while True:
        call = receive_call()
        arguments = call["params"]["arguments"]
        send(request("q", arguments["method"], **arguments["params"]))
        send(result(call, content=text(json.dumps(receive_until(lambda message: message.get("id") == "q")))))


def asks_at_once():
    """Asks for the roots before the client has sent anything but the handshake, and tells a lot unasked."""
    shake_hands()
    send(*[notification("notifications/tools/list_changed")] * 5,
         *[notification("notifications/message", level="debug", data=number) for number in range(16)],
         notification("notifications/acme/news"), request("r-0", "roots/list"))
    call = receive()
    roots = receive()
    if "method" in roots:
        call, roots = roots, call
    send(result(call, content=text(json.dumps(roots))))
    serve(EVERYTHING)


def two_questions_in_one_write():
    shake_hands()
    call = receive()
    send(request(1, "ping"), request(2, "ping"), request(3, "roots/list"))
    send(result(call, content=text(json.dumps([receive()["id"] for _ in range(3)]))))
    serve(EVERYTHING)


def bad_params():
    shake_hands()
    call = receive()
    send({"jsonrpc": "2.0", "id": "p", "method": "roots/list", "params": [1]})
    send(result(call, content=text(json.dumps(receive()))))
    serve(EVERYTHING)


# FR-065

def stubborn():
    """Ignores the end of input and SIGTERM."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    with open(os.environ["FAKE_PIDS"], "a") as file:
        file.write("%d\n" % os.getpid())
    try:
        everything()
    except SystemExit:
        time.sleep(60)


def wrapper():
    """Starts the real server as its child, as npx does, and ends when the child would not."""
    with open(os.environ["FAKE_PIDS"], "a") as file:
        file.write("%d\n" % os.getpid())
    child = subprocess.Popen([sys.executable, "-S", "-E", os.path.abspath(__file__), "stubborn"])
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))
    child.wait()


def leaves_a_child():
    """Ends by itself, and leaves a process behind."""
    child = subprocess.Popen([sys.executable, "-S", "-E", "-c", "import time; time.sleep(60)"], stdin=subprocess.DEVNULL,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(os.environ["FAKE_PIDS"], "a") as file:
        file.write("%d\n" % child.pid)
    everything()


def talks_at_the_end():
    """Writes more than a pipe holds when its input ends, and then notes that it came to its own end."""
    try:
        everything()
    except SystemExit:
        write(b"w" * (1 << 20))
        with open(os.environ["FAKE_PIDS"], "a") as file:
            file.write("%d\n" % os.getpid())


def show_command():
    """Returns its own arguments, folder and environment."""
    shake_hands()
    serve({"tools/call": lambda message: result(message, content=text(json.dumps(
        {"arguments": sys.argv[2:], "cwd": os.getcwd(), "env": dict(os.environ)})))})


# Structured results

def structured():
    """The tool "integer" says that it returns {"n": integer}; what it returns is the argument."""
    shake_hands()
    counts = {"lists": 0}

    def tools_list(message):
        counts["lists"] += 1
        return result(message, tools=[{"name": "integer", "inputSchema": SCHEMA, "outputSchema": INTEGER},
                                      {"name": "plain", "inputSchema": SCHEMA},
                                      {"name": "dialect", "inputSchema": SCHEMA,
                                       "outputSchema": {"$schema": "http://json-schema.org/draft-04/schema#", "type": "object"}}])

    def tools_call(message):
        if message["params"]["name"] == "lists":
            return result(message, content=text(str(counts["lists"])))
        if message["params"]["name"] == "change":
            send(notification("notifications/tools/list_changed"))
            return result(message, content=[], isError=True)
        return result(message, **dict({"content": []}, **message["params"]["arguments"]))

    serve({"tools/list": tools_list, "tools/call": tools_call})


def undeclared():
    shake_hands(capabilities={})
    serve(EVERYTHING)


def batches():
    """2025-03-26 has arrays of messages."""
    shake_hands(version="2025-03-26")
    call = receive()
    answer = [notification("notifications/message", level="info", data="in an array"), result(call, content=text("from an array"))]
    write(json.dumps(answer).encode() + b"\n")
    serve(EVERYTHING)


def nests():
    """Each list that its change notification makes the client fetch changes again before it is answered."""
    shake_hands()
    while True:
        message = receive()
        if message["method"] == "tools/list":
            send(notification("notifications/tools/list_changed"), result(message, tools=[]))
        else:
            send(notification("notifications/tools/list_changed"), result(message, content=text("done")))


if __name__ == "__main__":
    main({name: function for name, function in globals().items() if callable(function)})
