"""The other way round: a stdio server for our client that is an HTTP server elsewhere, for the suite's client scenarios.

What lives here: one line of standard input is one POST, what comes back is lines of standard output. What must not: a
change to what either end says. The headers that the transport owes are taken from the body. For tests alone, like ``bridge``.

    python tests/conformance/dial.py http://localhost:3000/mcp

Pages: basic/transports of 2025-11-25, basic/transports/streamable-http of 2026-07-28.
"""

from __future__ import annotations

import json
import sys
import threading
import urllib.error
import urllib.request

from bridge import META, SESSION_HEADER, find_meta

NAME_MEMBERS = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}     # the header Mcp-Name repeats these


class Dialler:
    """The way to one URL: the session that its server gave, and the revision in force."""

    def __init__(self, url, output):
        self.url, self.output, self.writing, self.session = url, output, threading.Lock(), {}

    def find_headers(self, message):
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", **self.session}
        version = find_meta(message).get(META + "protocolVersion")
        if version is not None:
            headers.update({"MCP-Protocol-Version": version, "Mcp-Method": message["method"]})
            member = NAME_MEMBERS.get(message["method"])
            if member is not None:
                headers["Mcp-Name"] = message["params"][member]
        return headers

    def post(self, line):
        """Send one line; write what comes back. A refusal with a message in it is an answer like any other."""
        message = json.loads(line)
        request = urllib.request.Request(self.url, line, self.find_headers(message))
        try:
            response = urllib.request.urlopen(request)
        except urllib.error.HTTPError as error:
            response = error
        with response:
            if response.headers.get(SESSION_HEADER):
                self.session[SESSION_HEADER] = response.headers[SESSION_HEADER]
            if response.headers.get_content_type() == "text/event-stream":
                self.read_events(message, response)
            else:
                self.write(message, response.read())

    def listen(self):
        """Read what belongs to no request of ours, where a session has a stream for it: questions among others."""
        request = urllib.request.Request(self.url, headers=dict(self.session, Accept="text/event-stream"))
        try:
            with urllib.request.urlopen(request) as response:
                self.read_events({}, response)
        except urllib.error.HTTPError:
            return                                                  # it has none

    def read_events(self, request, response):
        for event in response:
            if event.startswith(b"data:"):
                self.write(request, event[len(b"data:"):])

    def write(self, request, text):
        text = text.strip()
        if not text:
            return
        if request.get("method") == "initialize":
            version = json.loads(text).get("result", {}).get("protocolVersion")
            if version is not None:
                self.session["MCP-Protocol-Version"] = version
        with self.writing:
            self.output.write(text + b"\n")
            self.output.flush()


def main(url):
    dialler = Dialler(url, sys.stdout.buffer)
    threads = []
    for line in sys.stdin.buffer:
        if b'"method"' in line and "id" in json.loads(line):        # what may bring a question before its answer
            threads.append(threading.Thread(target=dialler.post, args=(line,)))
            threads[-1].start()
        else:
            dialler.post(line)
        if b'"notifications/initialized"' in line:
            threading.Thread(target=dialler.listen, daemon=True).start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main(sys.argv[1])
