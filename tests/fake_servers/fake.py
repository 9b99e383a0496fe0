"""What the fake servers share: lines in, lines out, a handshake. Plain JSON, nothing of mcplite.

With FAKE_LOG in the environment every line is written to that file in the order in which this end saw it, ``C`` before a
line of the client, ``S`` before one of the server: the tests hand it to the judge of conversations.
"""
import json
import os
import sys

LOG = os.open(os.environ["FAKE_LOG"], os.O_WRONLY | os.O_APPEND | os.O_CREAT) if "FAKE_LOG" in os.environ else None
BUFFER = b""


def note(mark, line):
    if LOG is not None:
        os.write(LOG, mark + b" " + line.rstrip(b"\n") + b"\n")


def write(data):
    while data:
        data = data[os.write(1, data):]


def send(*messages):
    """Write messages, all in one go."""
    lines = [json.dumps(message).encode() + b"\n" for message in messages]
    for line in lines:
        note(b"S", line)
    write(b"".join(lines))


def receive():
    """Return the next message of the client; end with status 0 at the end of input."""
    global BUFFER
    while b"\n" not in BUFFER:
        chunk = os.read(0, 65536)
        if not chunk:
            sys.exit(0)
        BUFFER += chunk
    line, BUFFER = BUFFER.split(b"\n", 1)
    note(b"C", line)
    return json.loads(line)


def receive_until(test):
    """Return the first message that fits; whatever comes before is dropped."""
    while True:
        message = receive()
        if test(message):
            return message


def notification(method, **params):
    message = {"jsonrpc": "2.0", "method": method}
    if params:
        message["params"] = params
    return message


def request(request_id, method, **params):
    return dict(notification(method, **params), id=request_id)


def result(to, **members):
    return {"jsonrpc": "2.0", "id": to["id"], "result": members}


def error(to, code, text, **more):
    return {"jsonrpc": "2.0", "id": to["id"], "error": dict({"code": code, "message": text}, **more)}


def text(string):
    return [{"type": "text", "text": string}]


CAPABILITIES = {"tools": {"listChanged": True}, "resources": {"subscribe": True, "listChanged": True},
                "prompts": {"listChanged": True}, "logging": {}, "completions": {}}


def shake_hands(version=None, capabilities=None):
    """Refuse the probe, answer ``initialize``, wait for ``initialized``."""
    message = receive()
    while message["method"] != "initialize":
        send(error(message, -32601, "Method not found"))
        message = receive()
    version = version or os.environ.get("FAKE_VERSION") or message["params"]["protocolVersion"]
    declared = dict(CAPABILITIES if capabilities is None else capabilities)
    if version == "2024-11-05":
        declared.pop("completions", None)
    send(result(message, protocolVersion=version, capabilities=declared, serverInfo={"name": "fake", "version": "0"},
                instructions="be kind"))
    return message, receive_until(lambda message: message["method"] == "notifications/initialized")


def serve(handlers, stop=lambda message: False):
    """Answer requests from a table of functions; what a function returns is sent, None is not."""
    while True:
        message = receive()
        if "id" in message and "method" in message:
            handler = handlers.get(message["method"])
            reply = error(message, -32601, "Method not found") if handler is None else handler(message)
            if reply is not None:
                send(reply)
        if stop(message):
            return


def main(table):
    """Run the story that the command line names."""
    try:
        table[sys.argv[1]]()
    except BrokenPipeError:
        pass
