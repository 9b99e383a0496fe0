"""One conversation per revision as a text file: prose, what the client sends (->), what the server must answer (<-).

MCPLITE_UPDATE=1 writes the answers of today into the files; read the difference before you commit it.
"""
import glob
import json
import os

import pytest
from harness import ServerProcess
from official import REVISIONS

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "transcripts")
FILES = sorted(glob.glob(os.path.join(FOLDER, "*.txt")))
UPDATE = bool(os.environ.get("MCPLITE_UPDATE"))


def test_every_revision_has_a_transcript():
    assert {os.path.basename(path)[:10] for path in FILES} == set(REVISIONS)


def read_until_quiet(server):
    """All that the server writes until it answers no more; a marker request tells the end."""
    found = []
    while True:
        message = server.receive()
        if isinstance(message, dict) and message.get("id") == "end of turn":
            return found
        found.append(message)


@pytest.mark.parametrize("path", FILES, ids=[os.path.basename(path) for path in FILES])
def test_transcript(path):
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    revision = os.path.basename(path)[:10]
    marker = {"jsonrpc": "2.0", "id": "end of turn", "method": "ping"}
    if revision == "2026-07-28":
        marker = {"jsonrpc": "2.0", "id": "end of turn", "method": "server/discover", "params": {"_meta": {
            "io.modelcontextprotocol/protocolVersion": revision, "io.modelcontextprotocol/clientCapabilities": {}}}}
    made, expected, answered = [], [], []
    with ServerProcess(os.path.join(FOLDER, "shop.py")) as server:
        for line in lines:
            if line.startswith("<- "):
                expected.append(json.loads(line[3:]))
                continue
            made.append(line)
            if line.startswith(("-> ", "!> ")):
                server.send(line[3:].encode(), wrong=line.startswith("!"))
                server.send(marker)
                for message in read_until_quiet(server):
                    answered.append(message)
                    made.append("<- " + json.dumps(message, ensure_ascii=True))
        assert server.close() == 0
        for message in server.rest:
            answered.append(message)
            made.append("<- " + json.dumps(message))
    if UPDATE:
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(made))
    else:
        assert answered == expected
