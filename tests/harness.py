"""What the tests of the runtime share: servers as real processes, judged by tests/official.py.

Here: ``run_server`` (all lines at once, then end of input), ``ServerProcess`` (line by line), message shorthands.
Not here: any knowledge of how the runtime works inside.
"""
from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time

from official import Conversation

REPO = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SINGLE = os.environ.get("MCPLITE_SINGLE")           # the single file, where the suite runs against it (make single)
SOURCE = os.path.dirname(os.path.abspath(SINGLE)) if SINGLE else REPO      # where `import mcplite` looks
HANDSHAKE_DATES = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN = "2026-07-28"

INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}
PING = {"jsonrpc": "2.0", "id": 99, "method": "ping"}
PONG = {"jsonrpc": "2.0", "id": 99, "result": {}}


def initialize(revision="2025-11-25", request_id=1, capabilities=None):
    return {"jsonrpc": "2.0", "id": request_id, "method": "initialize", "params": {
        "protocolVersion": revision, "capabilities": capabilities or {}, "clientInfo": {"name": "probe", "version": "0"}}}


def request(method, params=None, request_id=2):
    message = {"jsonrpc": "2.0", "id": request_id, "method": method}
    if params is not None:
        message["params"] = params
    return message


def call(tool, arguments, request_id=2, **more):
    return request("tools/call", dict({"name": tool, "arguments": arguments}, **more), request_id)


def modern_meta(**more):
    meta = {"io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": {"name": "probe", "version": "0"}}
    meta.update({"io.modelcontextprotocol/" + key if "/" not in key and key[0].islower() and key in (
        "clientCapabilities", "logLevel", "protocolVersion") else key: value for key, value in more.items()})
    return meta


def modern(method, params=None, request_id=2, **meta):
    return request(method, dict(params or {}, _meta=modern_meta(**meta)), request_id)


def to_line(message):
    return message if isinstance(message, bytes) else json.dumps(message).encode()


def environment(**more):
    """The bare environment that hosts give a server, and where to find the package."""
    env = {name: os.environ[name] for name in ("HOME", "PATH", "TMPDIR", "LANG", "SYSTEMROOT") if name in os.environ}
    env["PYTHONPATH"] = SOURCE
    env.update(more)
    return env


class Outcome:
    """What a finished server process left: ``replies`` (parsed lines), ``raw`` (its output), ``stderr``, ``status``."""

    def __init__(self, raw, stderr, status):
        self.raw, self.stderr, self.status = raw, stderr, status
        self.replies = [json.loads(line) for line in raw.decode("ascii").splitlines()]

    def by_id(self, request_id):
        found = [reply for reply in self.replies if reply.get("id", self) == request_id
                 and type(reply.get("id")) is type(request_id) and "method" not in reply]
        assert len(found) == 1, "%d replies to request %r in %s" % (len(found), request_id, self.raw.decode())
        return found[0]

    def result(self, request_id):
        reply = self.by_id(request_id)
        assert "result" in reply, reply
        return reply["result"]

    def error(self, request_id):
        reply = self.by_id(request_id)
        assert "error" in reply, reply
        return reply["error"]

    def notifications(self, method):
        return [reply["params"] for reply in self.replies if reply.get("method") == method]

    @property
    def without_id(self):
        return [reply for reply in self.replies if isinstance(reply, dict) and "error" in reply and reply.get("id") is None]


def write_script(folder, source, name="server.py"):
    path = os.path.join(str(folder), name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(source)
    return path


def run_server(script, lines, timeout=20, judge=True, wrong=(), overlong=(), end=b"\n", python=sys.executable, flags=(), open_ids=(), **env):
    """Give a server all ``lines`` and the end of input; return the ``Outcome``. ``wrong``: positions of lines that are wrong on purpose, ``overlong``: over the server's limit."""
    raw_lines = [to_line(line) for line in lines]
    process = subprocess.run([python, *flags, script], input=b"\n".join(raw_lines) + end, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, timeout=timeout, env=environment(**env))
    if judge:
        conversation = Conversation(ours="server")
        for number, line in enumerate(raw_lines):
            if line.strip():
                shown = b"(a line over the limit)" if number in overlong else line
                conversation.client(shown, wrong=number in wrong or number in overlong)
        conversation.server_output(process.stdout)
        conversation.finish(open_ids)
    return Outcome(process.stdout, process.stderr.decode("utf-8", "replace"), process.returncode)


class ServerProcess:
    """A server process to talk to line by line; every line in both directions is judged. Use as a context manager."""

    def __init__(self, script, *arguments, python=sys.executable, judge=True, preexec_fn=None, **env):
        self.process = subprocess.Popen([python, script, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env=environment(**env), preexec_fn=preexec_fn)
        self.conversation = Conversation(ours="server") if judge else None
        self.buffer = b""
        self.open_ids = ()

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        try:
            if failure[0] is None and self.process.poll() is None:
                self.close()
        finally:
            if self.process.poll() is None:
                self.process.kill()
            self.process.wait()
            for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
                stream.close()

    def send(self, *messages, wrong=False):
        lines = [to_line(message) for message in messages]
        if self.conversation is not None:
            for line in lines:
                self.conversation.client(line, wrong=wrong)
        self.process.stdin.write(b"".join(line + b"\n" for line in lines))
        self.process.stdin.flush()

    def receive(self, timeout=10.0):
        """Return the next message; fails when none comes in time."""
        until = time.monotonic() + timeout
        while b"\n" not in self.buffer:
            left = until - time.monotonic()
            ready = select.select([self.process.stdout], [], [], max(0, left))[0]
            assert ready, "no message within %s s; stderr: %s" % (timeout, self.peek_stderr())
            chunk = os.read(self.process.stdout.fileno(), 65536)
            assert chunk, "the server closed its output; stderr: %s" % self.peek_stderr()
            self.buffer += chunk
        line, self.buffer = self.buffer.split(b"\n", 1)
        if self.conversation is not None:
            self.conversation.server(line)
        return json.loads(line)

    def receive_none(self, seconds):
        """Check that nothing comes for so long."""
        assert not self.buffer and not select.select([self.process.stdout], [], [], seconds)[0], \
            "unexpected: %r" % (self.buffer or os.read(self.process.stdout.fileno(), 65536))

    def peek_stderr(self):
        if select.select([self.process.stderr], [], [], 0.2)[0]:
            return os.read(self.process.stderr.fileno(), 65536).decode("utf-8", "replace")
        return ""

    def ask(self, message, timeout=10.0):
        """Send a request; return its reply, passing over notifications (kept in ``seen``)."""
        self.send(message)
        self.seen = []
        while True:
            reply = self.receive(timeout)
            if "method" in reply:
                self.seen.append(reply)
            else:
                return reply

    def start(self, revision="2025-11-25", capabilities=None):
        reply = self.ask(initialize(revision, capabilities=capabilities))
        self.send(INITIALIZED)
        return reply

    def close(self, timeout=10.0):
        """End the input; return the exit status. What is still written is judged too."""
        self.process.stdin.close()
        rest = self.buffer + self.process.stdout.read()
        self.stderr = self.process.stderr.read().decode("utf-8", "replace")
        status = self.process.wait(timeout)
        if self.conversation is not None:
            self.rest = self.conversation.server_output(rest)
            self.conversation.finish(self.open_ids)
        return status

    def signal(self, number=signal.SIGTERM):
        self.process.send_signal(number)
