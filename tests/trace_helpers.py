"""What the tests of the trace share: running it between a test and a small hostile server, and reading recordings."""
from __future__ import annotations

import base64
import json
import os
import subprocess
import sys

REPOSITORY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def trace_command(recording, *options, server):
    """The command line of a trace of the Python source `server`."""
    return [sys.executable, "-m", "mcplite", "trace", "-o", str(recording), *options, "--", sys.executable, "-c",
            server]


def start_trace(recording, *options, server, **popen):
    environment = dict(os.environ, PYTHONPATH=REPOSITORY)
    settings = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "bufsize": 0,
                "env": environment}
    settings.update(popen)
    return subprocess.Popen(trace_command(recording, *options, server=server), **settings)


def run_trace_between(recording, *options, server, sent=b"", timeout=60):
    """(exit status, stdout, stderr) of a session in which the host sends `sent` and closes."""
    process = start_trace(recording, *options, server=server)
    out, err = process.communicate(sent, timeout=timeout)
    return process.returncode, out, err


def read_records(path):
    with open(str(path), "rb") as stream:
        return [json.loads(line) for line in stream.read().split(b"\n") if line]


def traffic_of(path, origin):
    return [record for record in read_records(path) if record.get("from") == origin]


def raw_lines(path):
    """origin: the exact bytes of its traffic, put together again from the recording."""
    passed = {"host": b"", "server": b"", "stderr": b""}
    with open(str(path), "rb") as stream:
        lines = stream.read().split(b"\n")
    for line in lines:
        record = json.loads(line) if line else {}
        if "from" not in record:
            continue
        if "message" in record:
            body = line[line.index(b'"message":') + len(b'"message":'):-1]
        elif "base64" in record:
            body = base64.b64decode(record["base64"])
        else:
            body = record["text"].encode("utf-8")
        body += record.get("end", "\n").encode("ascii")
        assert len(body) == record["bytes"]
        passed[record["from"]] += body
    return passed


# --- a recording with a bit of everything -----------------------------------------------------------------------------

META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "host", "version": "2"},
        "io.modelcontextprotocol/clientCapabilities": {}}
QUESTION = {"method": "elicitation/create",
            "params": {"message": "Which colour?", "requestedSchema": {"type": "object", "properties": {}}}}


def request(number, method, params=None):
    return dict({"jsonrpc": "2.0", "id": number, "method": method}, **({} if params is None else {"params": params}))


def notification(method, params=None):
    return dict({"jsonrpc": "2.0", "method": method}, **({} if params is None else {"params": params}))


def result(number, value):
    return {"jsonrpc": "2.0", "id": number, "result": value}


def error(number, code, text):
    return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": text}}


SAMPLE_SESSION = [  # (seconds, from, a message or a text)
    (0.05, "server", "Loading model \x1b[31m..."),
    (0.05, "stderr", "warning: no cache"),
    (0.1, "host", request(0, "initialize", {"protocolVersion": "2025-11-25", "capabilities": {},
                                            "clientInfo": {"name": "host", "version": "2"}})),
    (0.1002, "server", result(0, {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                                  "serverInfo": {"name": "shop", "version": "1"}})),
    (0.101, "host", notification("notifications/initialized")),
    (0.102, "host", request(1, "tools/list")),
    (0.103, "server", result(1, {"tools": [{"name": "order", "inputSchema": {"type": "object"}}], "nextCursor": "2"})),
    (0.2, "host",
     request(2, "tools/call", {"name": "order", "arguments": {"sku": "S-1"}, "_meta": {"progressToken": "p"}})),
    (0.21, "server",
     notification("notifications/progress", {"progressToken": "p", "progress": 1, "total": 2, "message": "asking"})),
    (0.22, "server", request(1, "elicitation/create",
                             {"message": "Which size?", "requestedSchema": {"type": "object", "properties": {}}})),
    (1.72, "host", result(1, {"action": "accept", "content": {"size": "L"}})),
    (1.73, "server",
     notification("notifications/message", {"level": "info", "logger": "shop", "data": "placing </script><b>"})),
    (1.8, "server", result(2, {"content": [{"type": "text", "text": "ordered"},
                                           {"type": "image", "data": "", "mimeType": "image/png"}]})),
    (1.9, "host", request(3, "tools/call", {"name": "count", "arguments": {"n": 12345678901234567890}})),
    (1.95, "server", result(3, {"content": [{"type": "text", "text": "no such SKU"}], "isError": True})),
    (2.0, "host", request("4", "tools/call", {"name": "nosuch"})),
    (2.01, "server", error("4", -32602, "Unknown tool: nosuch")),
    (3.0, "host", request(5, "tools/call", {"name": "paint", "arguments": {}, "_meta": META})),
    (3.1, "server",
     result(5, {"resultType": "input_required", "inputRequests": {"colour": QUESTION}, "requestState": "s1"})),
    (4.0, "host",
     request(6, "tools/call", {"name": "paint", "arguments": {}, "inputResponses": {"colour": {"action": "accept"}},
                                            "requestState": "s1", "_meta": META})),
    (4.2, "server", result(6, {"resultType": "complete", "content": []})),
    (5.0, "host", "garbage"),
    (5.1, "server", error(None, -32700, "Parse error")),
    (5.2, "host", request(7, "tools/call", {"name": "slow", "arguments": {}})),
    (5.3, "host", notification("notifications/cancelled", {"requestId": 7, "reason": "timed out"})),
    (5.4, "host", request(8, "resources/read", {"uri": "file:///a"})),
    (5.5, "server", result(99, {})),
    (5.6, "server", {"hello": "world"}),
]


def trace_record(at, origin, what, pid=1, **members):
    """The line of one record, as the recorder writes it."""
    text = what if isinstance(what, str) else json.dumps(what, separators=(",", ":"))
    record = {"at": at, "pid": pid, "from": origin, "bytes": len(text.encode("utf-8", "surrogatepass")) + 1, **members}
    key = json.dumps(text) if isinstance(what, str) else text
    return (json.dumps(record, separators=(",", ":"))[:-1] + ',"%s":%s}\n'
            % ("text" if isinstance(what, str) else "message", key)).encode()


def trace_header(pid=1, command=("python", "my server.py"), started="2026-12-01T03:52:30.123456Z"):
    header = {"mcplite_trace": 1, "pid": pid, "started": started, "command": list(command), "version": "1.0.0",
              "platform": "linux, Python 3.11.7"}
    return json.dumps(header).encode() + b"\n"


def recording_of(*lines, pid=1):
    """The bytes of a recording; a line is (at, from, message or text)."""
    return trace_header(pid) + b"".join(trace_record(*line, pid=pid) for line in lines)


def sample_recording():
    return recording_of(*SAMPLE_SESSION) + (
        b'{"at":6.0,"pid":1,"event":"host_closed"}\n'
        b'{"at":6.1,"pid":1,"event":"exit","status":0}\n')
