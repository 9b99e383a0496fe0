"""Streamable HTTP in front of a stdio server, for the official conformance suite, which speaks nothing else.

What lives here: what HTTP adds in 2025-11-25 (a process for each session) and 2026-07-28 (one process for all), and the
way of each line to the stream it belongs to. What must not: a change to what the server says. Every line goes through
as it came; only what the transport owes by itself (status codes, sessions, the header that must repeat the body's version)
is added. For tests alone: on loopback, without any protection. Of the gateways in docs/gateway.md one carries both
revisions, but not the changes of lists that a subscription of 2026-07-28 waits for, and those are scored.

Pages: basic/transports of 2025-11-25, basic/transports/streamable-http of 2026-07-28.

1. One POST is one line to the server. What comes back goes to the POST it belongs to: a response by its id, progress by
   its token, what a subscription brings by its id, and all else (log messages, questions) to the request being served.
2. The first line back decides: a response alone is JSON, anything before it makes the answer an event stream.
3. Two requests with one id cannot be open in one process: the second waits until the first is answered.
4. A response that belongs to no open request is a fault of the server, kept in ``faults``.
"""

from __future__ import annotations

import http.server
import json
import queue
import secrets
import select
import socket
import subprocess
import sys
import threading

META = "io.modelcontextprotocol/"
SESSION_HEADER = "Mcp-Session-Id"
HEADER_MISMATCH = -32020
STATUS_OF_ERRORS = {-32700: 400, -32600: 400, -32601: 404, -32602: 400, HEADER_MISMATCH: 400, -32021: 400, -32022: 400}
LOOK_SECONDS = 0.05         # how often one who waits looks whether anybody is still there


def find_meta(message):
    """The ``_meta`` of a message's params; {} where there is none."""
    params = message.get("params")
    meta = params.get("_meta") if isinstance(params, dict) else None
    return meta if isinstance(meta, dict) else {}


class Exchange:
    """One POST of a request, open until its response: the request and the lines that belong to it."""

    def __init__(self, request):
        self.request, self.lines = request, queue.Queue()

    def is_listening(self):
        return self.request["method"] == "subscriptions/listen"


class StdioProcess:
    """One server process and the exchanges that are open with it."""

    def __init__(self, command, faults):
        self.faults, self.exchanges, self.changed = faults, {}, threading.Condition()
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.reader = threading.Thread(target=self.read_lines)
        self.reader.start()

    def write(self, line):
        with self.changed:
            self.process.stdin.write(line.replace(b"\n", b" ") + b"\n")     # outside strings a line feed is a blank
            self.process.stdin.flush()

    def open(self, request, line):
        """Send a request; return its exchange (3)."""
        exchange = Exchange(request)
        with self.changed:
            while request["id"] in self.exchanges:
                self.changed.wait()
            self.exchanges[request["id"]] = exchange
        self.write(line)
        return exchange

    def close(self, exchange):
        with self.changed:
            self.exchanges.pop(exchange.request["id"], None)
            self.changed.notify_all()

    def read_lines(self):
        for line in self.process.stdout:
            message = json.loads(line)
            exchange = self.find_exchange(message)
            if exchange is not None:
                exchange.lines.put((message, line.rstrip(b"\n")))
            elif "method" not in message:
                self.faults.append("a response to no open request: %s" % line.decode("ascii", "replace").strip()[:200])

    def find_exchange(self, message):
        """The exchange that a line of the server belongs to; None where there is none (1)."""
        with self.changed:
            if "method" not in message:
                return self.exchanges.get(message.get("id"))
            if META + "subscriptionId" in find_meta(message):
                return self.exchanges.get(find_meta(message)[META + "subscriptionId"])
            served = [exchange for exchange in self.exchanges.values() if not exchange.is_listening()]
            if message["method"] == "notifications/progress":
                token = message["params"]["progressToken"]
                served = [exchange for exchange in served if find_meta(exchange.request).get("progressToken") == token]
            return served[0] if served else None

    def end(self):
        with self.changed:
            self.process.stdin.close()
        self.process.wait()
        self.reader.join()
        self.process.stdout.close()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words):
        pass

    def do_GET(self):
        self.reply(405)     # no stream but those of requests

    def do_DELETE(self):
        process = self.server.sessions.pop(self.headers.get(SESSION_HEADER), None)
        if process is not None:
            process.end()
        self.reply(404 if process is None else 200)

    def do_POST(self):
        line = self.rfile.read(int(self.headers["Content-Length"]))
        message = json.loads(line)
        version = find_meta(message).get(META + "protocolVersion")
        session = self.headers.get(SESSION_HEADER)
        if session is None and version is None and message.get("method") == "initialize":
            session = secrets.token_hex(16)
            self.server.sessions[session] = self.server.new_process()
        process = self.server.shared if session is None else self.server.sessions.get(session)
        if process is None:
            return self.reply(404)
        if "id" not in message or "method" not in message:
            process.write(line)
            return self.reply(202)
        if version is not None and version != self.headers.get("MCP-Protocol-Version"):
            error = {"code": HEADER_MISMATCH, "message": "the header MCP-Protocol-Version does not say what _meta says"}
            return self.reply(400, json.dumps({"jsonrpc": "2.0", "id": message["id"], "error": error}).encode("ascii"))
        exchange = process.open(message, line)
        try:
            self.pass_on(process, exchange, session)
        finally:
            process.close(exchange)

    def pass_on(self, process, exchange, session):
        """Answer the POST with what the server says to its request (2)."""
        streaming = False
        while True:
            try:
                message, line = exchange.lines.get(timeout=LOOK_SECONDS)
            except queue.Empty:
                if self.is_gone():
                    return self.cancel(process, exchange, session)
                continue
            is_response = "method" not in message
            if is_response and not streaming:
                code = message["error"]["code"] if "error" in message else None
                return self.reply(200 if session is not None else STATUS_OF_ERRORS.get(code, 200), line, session)
            if not streaming:
                streaming = True
                self.send_head(200, {"Content-Type": "text/event-stream", SESSION_HEADER: session, "Connection": "close"})
            try:
                self.wfile.write(b"event: message\ndata: " + line + b"\n\n")
            except OSError:
                return self.cancel(process, exchange, session)
            if is_response:
                self.close_connection = True
                return None

    def is_gone(self):
        """Whether the client has closed the connection."""
        readable, _, _ = select.select([self.connection], [], [], 0)
        try:
            return bool(readable) and not self.connection.recv(1, socket.MSG_PEEK)
        except OSError:
            return True

    def cancel(self, process, exchange, session):
        """A client that went away has cancelled its request in 2026-07-28, and has not in a session of 2025-11-25."""
        self.close_connection = True
        if session is None:
            process.write(json.dumps({"jsonrpc": "2.0", "method": "notifications/cancelled",
                                      "params": {"requestId": exchange.request["id"]}}).encode("ascii"))

    def reply(self, status, body=b"", session=None):
        self.send_head(status, {"Content-Type": "application/json" if body else None, "Content-Length": str(len(body)),
                                SESSION_HEADER: session})
        self.wfile.write(body)

    def send_head(self, status, headers):
        self.send_response(status)
        for name, value in headers.items():
            if value is not None:
                self.send_header(name, value)
        self.end_headers()


class Bridge(http.server.ThreadingHTTPServer):
    """Serves ``command`` at ``url`` while it is open (a ``with`` block); ``faults`` are texts (4)."""

    def __init__(self, command):
        super().__init__(("127.0.0.1", 0), Handler)
        self.command, self.faults, self.sessions = command, [], {}
        self.url = "http://127.0.0.1:%d/mcp" % self.server_address[1]

    def new_process(self):
        return StdioProcess(self.command, self.faults)

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], ConnectionError):      # a client may go when it has what it wanted
            super().handle_error(request, client_address)

    def __enter__(self):
        self.shared = self.new_process()
        self.thread = threading.Thread(target=self.serve_forever, args=(LOOK_SECONDS,))
        self.thread.start()
        return self

    def __exit__(self, *error):
        self.shutdown()
        self.thread.join()
        for process in [self.shared, *self.sessions.values()]:
            process.end()
        self.server_close()
