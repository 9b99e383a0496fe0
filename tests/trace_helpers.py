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
    return [sys.executable, "-m", "mcplite", "trace", "-o", str(recording), *options, "--", sys.executable, "-c", server]


def start_trace(recording, *options, server, **popen):
    environment = dict(os.environ, PYTHONPATH=REPOSITORY)
    settings = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0, env=environment)
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
