"""Lines that cannot be read, cut, joined and bent in every way: receiving never raises, on both ends, and every line is one event.

What is right for each is in the named tests; the property tests hold what is right for all of them.
"""
import io
import json

import pytest
from harness import INITIALIZED, PING, PONG, initialize, modern, request, run_server, to_line
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcplite import Server
from mcplite.client_wire import BadAnswer, ClientSession, Junk
from mcplite.jsonrpc_lines import OverlongLine, UnterminatedLine
from mcplite.revisions import negotiate_handshake
from mcplite.session import Batch, Notification, Request, Response, Session
from mcplite.session_unusual import receive_large

HANDSHAKE = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
EVENTS = (Request, Notification, Response, Batch, str, type(None), Junk, BadAnswer)
INFO = {"name": "probe", "version": "1"}


def new_session(role, revision):
    session = Session("server", INFO) if role == "server" else ClientSession(INFO)
    if revision == "2026-07-28":
        session.stateless = True
    elif revision is not None:
        session.row = session.style = negotiate_handshake(revision)
    return session


def new_server():
    server = Server("probe", line_limit=1 << 20)

    @server.tool
    def echo(s: str = "", n: float = 0) -> str:
        return s

    @server.resource("memo://{topic}")
    def memo(topic):
        return topic

    return server


def serve(lines):
    """Give a server in this process all ``lines``; return the messages that it wrote, arrays opened."""
    writer = io.BytesIO()
    new_server().serve(io.BytesIO(b"".join(line + b"\n" for line in lines)), writer)
    found = [json.loads(line) for line in writer.getvalue().decode("ascii").splitlines()]
    return [reply for line in found for reply in (line if isinstance(line, list) else [line])]


# Lines that are bent

BASES = [to_line(message) for message in (
    PING, request("tools/list", None, 31), request("tools/call", {"name": "echo", "arguments": {"s": "\u00e9", "n": 1.5}}, 32),
    request("tools/call", {"name": "echo", "arguments": {"s": "x", "n": -0.0}}, "id-33"), initialize("2025-06-18", 34),
    request("resources/read", {"uri": "memo://x"}, 35), request("logging/setLevel", {"level": "error"}, 36),
    request("resources/subscribe", {"uri": "memo://x"}, 37), modern("tools/call", {"name": "echo", "arguments": {"s": "x"}}, 38),
    modern("server/discover", {}, 39), INITIALIZED, {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 99}},
    {"jsonrpc": "2.0", "id": 1, "result": {"content": [{"type": "text", "text": "a\\b\"c"}]}}, {"id": 1, "result": {}},
    {"jsonrpc": "2.0", "id": 1, "error": {"code": -1, "message": "no"}}, {"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "x"}},
    [request("ping", None, 40), request("tools/call", {"name": "echo", "arguments": {"n": 2}}, 41)])]
PIECES = [
    b"1e999", b"-1E+999", b"NaN", b"-Infinity", b"Infinity", b"-0", b"0.0", b"01", b"1.", b".5", b"1e400", b"9" * 400 + b".0", b"9" * 6000, b"-" + b"9" * 6000,
    b"1.0", b'"\\ud800"', b'"\\udc00\\ud83d"', b'"\\u12"', b'"\\x41"', b"\x00", b"\x1f", b"\t", b"\r", b"\xef\xbb\xbf", b"\xff", b"\xc3\x28", b"\xed\xa0\x80",
    b"\xe2\x80\xa8", b"[" * 3000, b'{"a":' * 3000, b"[1e999," + b"[" * 3000, b"]", b"}", b"{", b"[", b'"', b"\\", b",", b":", b"null", b"true", b"'a'", b"//",
    b'"id":1e999,', b'"id":"\\ud800",', b'"id":77,', b'"jsonrpc":"1.0",', b'"params":null,', b'"method":5,', b'"result":{},', b" x", b"1e999 x NaN"]
places = st.floats(0, 1, exclude_max=True)
bends = st.lists(st.tuples(st.sampled_from(["cut", "tail", "insert", "value", "double", "join", "drop"]), places, st.sampled_from(PIECES),
                           st.sampled_from(BASES)), max_size=4)


def bend(line, kind, place, piece, other):
    at = int(place * (len(line) + 1))
    if kind == "value":                                     # in the place of a value: behind a colon or a comma
        colons = [index + 1 for index, byte in enumerate(line) if byte in b":,["] or [0]
        at = colons[int(place * len(colons))]
        end = min([found for found in (line.find(mark, at + 1) for mark in (b",", b"}", b"]")) if found >= 0] or [len(line)])
        return line[:at] + piece + line[end:]
    return {"cut": line[:at], "tail": line[at:], "insert": line[:at] + piece + line[at:], "double": line + line[at:], "join": line[:at] + other,
            "drop": line[:at] + line[at + 1:]}[kind]


def bent(pair):
    line, changes = pair
    for change in changes:
        line = bend(line, *change)
    return line.replace(b"\n", b"")[:40000]


bent_lines = st.tuples(st.sampled_from(BASES), bends).map(bent)


def strict_value(line):
    """What the strictest reader makes of a line; None where it refuses."""
    def refuse(text):
        raise ValueError(text)

    def finite(digits):
        return float(digits) if abs(float(digits)) < float("inf") else refuse(digits)
    try:
        return json.loads(line.decode("utf-8"), parse_constant=refuse, parse_float=finite)
    except (ValueError, RecursionError):
        return None


def check_event(session, line, event):
    assert isinstance(event, EVENTS), (line, event)
    if isinstance(event, str):
        reply = json.loads(event)
        assert event.isascii() and event.endswith("\n") and "jsonrpc" in reply and ("error" in reply) != ("result" in reply)
        if isinstance(reply.get("id"), int):
            assert b"%d" % reply["id"] in line or reply["id"] == 0 and b"-0" in line, (line, event)
    for inner in getattr(event, "events", ()):
        check_event(session, line, inner)
    if isinstance(event, (BadAnswer, Junk)):
        assert session.role == "client" and len(getattr(event, "text", "") + getattr(event, "beginning", "")) < 300
    if isinstance(event, BadAnswer):
        assert event.reason and type(event.id) in (int, str)


sessions = st.tuples(st.sampled_from(["server", "client"]), st.sampled_from((None, "2026-07-28") + HANDSHAKE))
ways = st.sampled_from([bytes, UnterminatedLine, OverlongLine, "large"])


def check_sessions(kind, items):
    session = new_session(*kind)
    session.last_id = 5                                     # as if we had asked
    for line, way in items:
        event = receive_large(session, [line]) if way == "large" else session.receive(way(line))
        check_event(session, line, event)


def check_server(start, items):
    lines = [to_line(initialize(start, "start"))] * (start is not None) + [item for item in items if b"cancelled" not in item]
    replies = serve(lines + [to_line(request("ping", None, "the end"))])
    assert {"jsonrpc": "2.0", "id": "the end", "result": {}} in replies
    assert all(reply["jsonrpc"] == "2.0" and ("result" in reply) != ("error" in reply) for reply in replies if "method" not in reply)
    asked = [value for value in map(strict_value, lines) if isinstance(value, dict) and value.get("jsonrpc") == "2.0" and "result" not in value
             and "error" not in value and isinstance(value.get("method"), str) and type(value.get("id")) in (int, str)]
    ids = [(type(value["id"]), value["id"]) for value in asked]
    answered = [(type(reply["id"]), reply["id"]) for reply in replies if reply.get("id") is not None]
    for kind, request_id in ids:
        if kind is int or request_id.encode("utf-8", "replace").decode() == request_id:
            assert answered.count((kind, request_id)) >= ids.count((kind, request_id)), (request_id, lines)


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(sessions, st.lists(st.tuples(bent_lines, ways), min_size=1, max_size=3))
def test_any_bent_line_is_one_event(kind, items):
    check_sessions(kind, items)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from((None,) + HANDSHAKE), st.lists(bent_lines, min_size=1, max_size=4))
def test_every_request_that_can_be_read_is_answered_and_so_is_the_ping_behind_it(start, items):
    check_server(start, items)


@pytest.mark.fuzz
@settings(max_examples=20000, deadline=None, suppress_health_check=list(HealthCheck))
@given(sessions, st.lists(st.tuples(bent_lines, ways), min_size=1, max_size=3))
def test_any_bent_line_is_one_event_for_long(kind, items):
    check_sessions(kind, items)


@pytest.mark.fuzz
@settings(max_examples=10000, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from((None,) + HANDSHAKE), st.lists(bent_lines, min_size=1, max_size=4))
def test_every_request_that_can_be_read_is_answered_for_long(start, items):
    check_server(start, items)
