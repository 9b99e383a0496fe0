"""Lines that cannot be read, cut, joined and bent in every way: receiving never raises, on both ends, and every line is one event.

What is right for each is in the named tests; the property tests hold what is right for all of them.
"""
import io
import json

import pytest
from harness import (
    INITIALIZED,
    PING,
    PONG,
    initialize,
    modern,
    request,
    run_server,
    to_line,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcplite import Server
from mcplite.answers import find_end, response_problem
from mcplite.client.lines import BadAnswer, ClientSession, Junk
from mcplite.codec import bounded_int
from mcplite.jsonrpc import Batch, Notification, OverlongLine, Request, Response, UnterminatedLine
from mcplite.revisions import negotiate_handshake
from mcplite.session import Session
from mcplite.stdio import LineSplitter

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
        event = session.receive_large([line]) if way == "large" else session.receive(way(line))
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


# A server: what is right for each

HUGE, DEEP = b"9" * 6000, b"[" * 100000
CALL = b'{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"echo","arguments":{"n":1e999}}}'


@pytest.fixture
def echo(script):
    return script("""
from mcplite import Server
server = Server("probe")

@server.tool
def echo(s: str = "", n: float = 0) -> str:
    return s

server.run()
""")


@pytest.mark.parametrize("line, text", [
    (b'{"a":1e999} x', "more text"), (b'{"jsonrpc":"2.0","id":5,"method":"ping","params":{"a":1e999', "delimiter"), (b'{"a":1e999,"b":NaN}', "NaN"),
    (b'{"b":NaN,"a":1e999}', "NaN"), (b'{"a":' + HUGE + b',"b":1e999} x', "more text"), (b"-" + HUGE + b" 1", "more text"),
    (b'{"a":1e999,"b":' + DEEP, "nested too deeply"), (b'{"a":' + HUGE + b',"b":' + DEEP, "nested too deeply"), (DEEP + HUGE, "nested too deeply"), (b"1e999 " + DEEP, "more text"),
    (b'{"a":1e999,"b":"\x01"}', "control character"), (b'{"a":1e999,"b":"\xff"}', "UTF-8"), (b"[1e999,", "no JSON value")])
def test_a_line_that_goes_wrong_behind_a_number_too_large_is_no_json(echo, line, text):
    outcome = run_server(echo, [initialize(), INITIALIZED, line, PING], wrong=(2,), judge=False)
    assert [(reply.get("id"), reply["error"]["code"]) for reply in outcome.replies[1:-1]] == [(None, -32700)]
    assert text in outcome.replies[1]["error"]["message"] and "sys." not in outcome.replies[1]["error"]["message"]
    assert outcome.replies[-1] == PONG
    assert (outcome.status, outcome.stderr) == (0, "")


@pytest.mark.parametrize("request_id", [b"1e999", b"-1e999", b"1.5", b"2.0", HUGE, b'"\\ud800"', b'"a\\udc00\\ud83d"', b"[1e999]", b'{"a":1e999}'])
@pytest.mark.parametrize("rest", [b'"method":"ping"', b'"method":"ping","params":{}', b'"method":"tools/call","params":{"n":1e999}', b'"method":"initialize","params":{"n":1e999}'])
def test_an_id_that_cannot_be_said_back_makes_an_invalid_request(request_id, rest):
    replies = serve([to_line(initialize()), b'{"jsonrpc":"2.0","id":' + request_id + b"," + rest + b"}", to_line(PING)])
    assert [("id" in reply, reply["error"]["code"]) for reply in replies[1:-1]] == [(False, -32600)]
    assert replies[-1] == PONG


@pytest.mark.parametrize("line", [b"1e999", b"[1e999]", b"-1e999 ", HUGE, b"-" + HUGE, b"[1e999, " + HUGE + b"]", b'{"a":' + HUGE + b',"b":1e999}'])
def test_a_number_too_large_alone_is_an_invalid_request(line):
    assert [reply["error"]["code"] for reply in serve([to_line(initialize()), line])[1:]] == [-32600]


@pytest.mark.parametrize("number", [HUGE, b"-" + HUGE, b"1e999"])
def test_a_request_with_a_number_that_cannot_be_held_is_refused_under_its_id(echo, number):
    call = b'{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"echo","arguments":{"n":%s}}}' % number
    other = b'{"jsonrpc":"2.0","id":9,"method":"tools/list","params":{"n":%s}}' % number
    outcome = run_server(echo, [initialize(), INITIALIZED, call, other, PING], wrong=(2, 3), judge=False)
    assert outcome.result(8)["isError"] is True and outcome.error(9)["code"] == -32602
    assert outcome.by_id(99) == PONG and (outcome.status, outcome.stderr) == (0, "")


def test_integers_are_bounded_where_python_has_no_limit(echo):
    """They are read in a time that grows with the square of their digits: here, ten million would take minutes."""
    call = b'{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"echo","arguments":{"n":%s}}}' % (b"9" * 10000000)
    outcome = run_server(echo, [initialize(), INITIALIZED, call, PING], wrong=(2,), judge=False, PYTHONINTMAXSTRDIGITS="0")
    assert outcome.result(8)["isError"] is True and outcome.by_id(99) == PONG
    assert bounded_int("-" + "9" * 4299) == int("-" + "9" * 4299)
    with pytest.raises(ValueError, match="digits"):
        bounded_int("9" * 4301)


def test_each_member_of_an_array_is_judged_by_itself(echo):
    array = b'[{"jsonrpc":"2.0","id":7,"method":"ping"},%s,{"jsonrpc":"2.0","id":1e999,"method":"ping"},1e999,{"jsonrpc":"2.0","method":"x","params":{"n":1e999}},' \
        b'{"jsonrpc":"2.0","id":9,"method":"tools/list","params":{"n":[1e999]}}]' % CALL
    outcome = run_server(echo, [initialize("2025-03-26"), INITIALIZED, array, PING], wrong=(2,), judge=False)
    assert outcome.replies[-1] == PONG and isinstance(outcome.replies[1], list) and len(outcome.replies) == 3
    ping, called, *others = outcome.replies[1]
    assert ping == {"jsonrpc": "2.0", "id": 7, "result": {}}
    assert called["id"] == 8 and called["result"]["isError"] is True and "1e999" in called["result"]["content"][0]["text"]
    assert [(reply["id"], reply["error"]["code"]) for reply in others] == [(None, -32600), (None, -32600), (9, -32602)]


# What is refused has no effect

BAD_INITIALIZE = [
    to_line(initialize("2025-06-18", 9)).replace(b'"capabilities": {', b'"capabilities": {"x": 1e999, ').replace(b", }", b"}"),
    to_line(initialize("2025-06-18", 9)).replace(b'"2025-06-18"', b"5"), to_line(initialize("2025-06-18", 9)).replace(b'"2025-06-18"', b"1e999"),
    to_line(initialize("2025-06-18", 9)).replace(b": 9", b': "\\ud800"'), to_line(initialize("2025-06-18", 9)).replace(b": 9", b": 1e999"),
    to_line(initialize("2025-06-18", 9)).replace(b'"2.0"', b'"1.0"'), b"[" + to_line(initialize("2025-06-18", 9)) + b"]"]


def marks(session):
    return session.row, session.style, session.their_info, session.their_capabilities, session.log_level, dict(session.subscribed)


@pytest.mark.parametrize("line", BAD_INITIALIZE)
@pytest.mark.parametrize("before", (None,) + HANDSHAKE)
def test_an_initialize_that_is_refused_leaves_no_mark(line, before):
    session = new_session("server", before)
    was = marks(session)
    event = session.receive(line)
    assert event.__class__ in (str, Batch) and marks(session) == was
    if event.__class__ is str:
        assert json.loads(event)["error"]["code"] in (-32600, -32602)


def test_after_a_refused_initialize_the_session_is_not_initialized(echo):
    outcome = run_server(echo, [BAD_INITIALIZE[0], b"nonsense", request("tools/list", None, 3), initialize("2025-11-25", 4)], wrong=(0, 1, 2), judge=False)
    refused, nonsense, unplaced, answered = outcome.replies
    assert (refused["id"], refused["error"]["code"]) == (9, -32602)
    assert nonsense["id"] is None and (unplaced["id"], unplaced["error"]["code"]) == (3, -32602)
    assert answered["result"]["protocolVersion"] == "2025-11-25"


@pytest.mark.parametrize("method", ["tools/call", "tools/list", "logging/setLevel", "resources/subscribe", "server/discover", "nope"])
def test_a_stateless_request_that_is_refused_leaves_no_mark(method):
    session = new_session("server", None)
    event = json.loads(session.receive(to_line(modern(method, {"x": 77}, 5)).replace(b"77", b"1e999")))
    assert event["id"] == 5 and marks(session)[:2] == (None, None)
    if method == "tools/call":
        assert event["result"]["isError"] is True and event["result"]["resultType"] == "complete"
    else:
        assert event["error"]["code"] == -32602


# One guard: whatever goes wrong on the way

@pytest.mark.parametrize("error", [MemoryError, RecursionError, SystemError, ValueError, KeyError, UnicodeError, OverflowError, StopIteration])
@pytest.mark.parametrize("role", ["server", "client"])
@pytest.mark.parametrize("step", ["receive_message", "receive_array", "receive_undecodable", "receive_unholdable", "receive_overlong"])
def test_whatever_a_step_raises_becomes_an_event(monkeypatch, step, role, error):
    session = new_session(role, "2025-03-26")

    def fail(*arguments):
        raise error

    monkeypatch.setattr(session, step, fail)
    lines = [to_line(initialize()), to_line(PING), b"[%s]" % to_line(PING), b"nonsense", CALL, b"[%s]" % CALL, b'{"jsonrpc":"2.0","id":1,"result":{}}', OverlongLine()]
    for line in lines:
        check_event(session, line, session.receive(line))
        check_event(session, line, session.receive_large([line]))


@pytest.mark.parametrize("large", [False, True])
def test_a_line_for_which_memory_does_not_suffice_is_answered_once(monkeypatch, large):
    def fail(*arguments):
        raise MemoryError

    session = new_session("server", "2025-06-18")
    monkeypatch.setitem(Session.receive_large.__globals__, "decode_boxed", fail)
    monkeypatch.setitem(Session.receive.__globals__, "decode", fail)
    reply = json.loads(session.receive_large([to_line(PING)]) if large else session.receive(to_line(PING)))
    assert (reply["id"], reply["error"]["code"]) in ((None, -32603), (None, -32700))


def test_a_large_line_is_read_as_a_small_one():
    padding = b" " * 10
    for line in (CALL, b'{"a":1e999} x', b'{"a":NaN}', b"\xff", HUGE, b"[" * 5000, b'{"jsonrpc":"2.0","id":1e999,"method":"ping"}', b"1e999"):
        one, other = new_session("server", "2025-06-18"), new_session("server", "2025-06-18")
        assert one.receive_large([line + padding]) == other.receive(line + padding)


@pytest.mark.parametrize("answer", [b'{"a":NaN}', b'{"a":1e999}', b'{"a":"\xff"}', b'{"a":' + b"[" * 100000 + b"]" * 100000 + b"}", b'{"a":' + HUGE + b"}", b'{"a":"\x01"}'])
def test_an_answer_to_our_question_that_cannot_be_read_ends_the_question(answer):
    session = new_session("server", "2025-11-25")
    line = b'{"jsonrpc":"2.0","id":%d,"result":' % session.new_id() + answer + b"}"
    event = session.receive(line)
    assert isinstance(event, Response) and event.id == 1
    assert event.error["code"] == -32603 and event.error["message"].startswith("the answer cannot be read: ")


@pytest.mark.parametrize("answer, reason", [
    (b'{"id":1,"result":{}}', 'it has no member "jsonrpc"'), (b'{"jsonrpc":"1.0","id":1,"result":{}}', 'its "jsonrpc" is "1.0", not "2.0"'),
    (b'{"jsonrpc":"2.0","id":1.0,"result":{}}', "its id is 1.0: not the one of the request, which is a string or an integer"),
    (b'{"jsonrpc":"2.0","id":1,"method":null,"result":{}}', 'it has a member "method", null'),
    (b'{"id":1,"result":{"a":1e999}}', "the number 1e999 is too large")])
def test_an_answer_to_our_question_whose_frame_is_wrong_ends_the_question(answer, reason):
    """The handler that asked would wait for ever: its question has no time limit of its own."""
    session = new_session("server", "2025-11-25")
    session.new_id()
    event = session.receive(answer)
    assert isinstance(event, Response) and event.id == 1
    assert event.error == {"code": -32603, "message": "the answer cannot be read: " + reason}


@pytest.mark.parametrize("answer", [b'{"id":2,"result":{}}', b'{"id":0,"result":{}}', b'{"id":"1","result":{}}', b'{"id":true,"result":{}}', b'{"id":1,"method":"x","result":{}}'])
def test_what_answers_no_question_of_ours_is_left(answer):
    session = new_session("server", "2025-11-25")
    session.new_id()
    assert session.receive(answer) is None


@pytest.mark.parametrize("size", [7, 1000, 65536])
def test_an_answer_to_our_question_over_the_line_limit_ends_the_question(size):
    session = new_session("server", "2025-11-25")
    session.new_id()
    line = b'{"jsonrpc":"2.0","id":1,"result":{"a":"' + b"z" * 5000 + b'"}}\n'
    splitter = LineSplitter(3000)
    events = [session.receive(found) for at in range(0, len(line), size) for found in splitter.feed(line[at:at + size])]
    assert [(event.id, event.error["message"]) for event in events] == [
        (1, "the answer cannot be read: the line is longer than the limit of 3000 bytes")]


@pytest.mark.parametrize("response", [Response(1, ["z" * 100000], None), Response(1, None, "z" * 100000)])
def test_an_answer_that_is_no_object_is_shown_by_its_beginning(response):
    assert len(response_problem(response, "tools/call")) < 300


# A client: which request a bad answer answers, and what is wrong with it

def told(line, revision="2025-11-25"):
    event = new_session("client", revision).receive(line)
    assert isinstance(event, BadAnswer), event
    assert event.beginning and len(event.beginning) <= 203
    return event.id, event.reason


@pytest.mark.parametrize("line, reason", [
    (b'{"jsonrpc":"2.0","id":3,"result":{"a":NaN}}', "NaN is not JSON"),
    (b'{"result":{"id":9,"x":"}\\"","a":-Infinity},"jsonrpc":"2.0","id":3}', "-Infinity is not JSON"),
    (b'{"jsonrpc":"2.0","id":3,"result":{"a":"\xff"}}', "not UTF-8: byte FF at offset 39"),
    (b'{"jsonrpc":"2.0","id":3,"result":{"a":' + b"[" * 100000 + b"]" * 100000 + b"}}", "nested too deeply"),
    (b'{"result":{"a":' + b"[" * 100000 + b"]" * 100000 + b'},"id":3,"jsonrpc":"2.0"}', "nested too deeply"),
    (b'{"jsonrpc":"2.0","id":3,"result":{"a":1e999}}', "the number 1e999 is too large"),
    (b'{"jsonrpc":"2.0","id":3,"error":{"code":1e999}}', "the number 1e999 is too large"),
    (b'{"jsonrpc":"2.0","id":3,"result":{"a":' + HUGE + b"}}", "a number has more digits than can be read"),
    (b'{"jsonrpc":"2.0","id":3,"result":{"a":"\x01"}}', "Invalid control character at: line 1 column 40 (char 39)"),
    (b'{"jsonrpc":"2.0","id":3,"result":{}} x', "more text after the JSON value, at character 36"),
    (b'{"jsonrpc":"2.0","id":3,"result":{"a', "it is cut off: Unterminated string starting at: line 1 column 35 (char 34)"),
    (b'\xef\xbb\xbf{"jsonrpc":"2.0","id":3,"result":{}}', "it begins with a byte order mark"),
    (b'{"id":3,"result":{}}', 'it has no member "jsonrpc"'), (b'{"jsonrpc":"1.0","id":3,"result":{}}', 'its "jsonrpc" is "1.0", not "2.0"'),
    (b'\xef\xbb\xbf{"jsonrpc":"2.0","id":3,"result":{"a":NaN}}', "it begins with a byte order mark"),
    (b'{"jsonrpc":2.0,"id":3,"result":{}}', 'its "jsonrpc" is 2.0, not "2.0"'),
    (b'{"jsonrpc":"2.0","id":3.0,"result":{}}', "its id is 3.0: not the one of the request, which is a string or an integer"),
    (b'{"jsonrpc":"2.0","id":3}', 'it has neither "result" nor "error"'),
    (b'{"jsonrpc":"2.0","id":3,"method":null,"result":{}}', 'it has a member "method", null'),
    (b'[{"jsonrpc":"2.0","id":3,"result":{}}]', "it came in an array, and this revision has no arrays of messages")])
def test_an_answer_that_cannot_be_read_is_told_by_its_id(line, reason):
    session = new_session("client", "2025-11-25")
    session.lines_seen = True
    event = session.receive(line)
    assert isinstance(event, BadAnswer) and (event.id, event.reason) == (3, reason)
    assert event.beginning and len(event.beginning) <= 203


@pytest.mark.parametrize("line", [
    b"{", b'"jsonrpc": "2.0",', b"[", b'{"jsonrpc":"2.0","res', b'{"jsonrpc":"2.0","id":3', b"{'jsonrpc': '2.0', 'id': 3, 'result': {}}", b'50% {"jsonrpc":"2.0","id":3,"result":{}}',
    b'{"jsonrpc":"2.0","result":{}}', b'{"jsonrpc":"2.0","id":null,"result":{}}', b'{"jsonrpc":"2.0","id":1e999,"result":{}}', b'{"jsonrpc":"2.0","id":"\\ud800","result":{}}',
    b'{"jsonrpc":"2.0","id":' + HUGE + b',"result":{}}', b'{"jsonrpc":"2.0","result":{"id":3,"a":NaN}}', b'{"jsonrpc":"2.0","id":true,"result":{}}',
    b'[{"jsonrpc":"2.0","id":3,"result":{}},{"jsonrpc":"2.0","id":4,"result":{}}]', b'{"result":{"content":[{"type":"text","te'])
def test_an_attempt_whose_id_cannot_be_told_says_so(line):
    event = new_session("client", "2025-11-25").receive(line)
    assert isinstance(event, Junk) and event.is_attempt and event.reason


@pytest.mark.parametrize("line", [
    b"hello", b"}", b"42", b"null", b"[]", b"[1]", b'{"level":"info","id":3}', b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', b'{"jsonrpc":"2.0","method":"x","params":{"n":NaN}}', b"\xff",
    b'{"jsonrpc":"2.0","id":3,"method":"ping","params":{"n":1e999}}', b'{"a":1e999}', b"1e999", b'{"id":3,"method":"x","result":{}}'])
def test_noise_is_no_attempt(line):
    event = new_session("client", "2025-11-25").receive(line)
    assert isinstance(event, Junk) and not event.is_attempt


@pytest.mark.parametrize("line, answered", [
    (b'{"jsonrpc":"2.0","id":3,"result":{},"extra":1}', 3), (b'{"jsonrpc":"2.0","id":3,"result":{},"error":null}', 3),
    (b'{"jsonrpc":"2.0","id":"3","result":{}}', "3"), (b'{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}', None),
    (b'{"jsonrpc":"2.0","id":3,"result":{},"error":{"code":1,"message":"x"}}', 3)])
def test_what_clients_put_up_with_is_a_response_still(line, answered):
    event = new_session("client", "2025-11-25").receive(line)
    assert isinstance(event, Response) and event.id == answered


def test_in_an_array_of_2025_03_26_only_the_bad_answer_is_bad():
    event = new_session("client", "2025-03-26").receive(b'[{"jsonrpc":"2.0","id":3,"result":{}},{"jsonrpc":"2.0","id":4,"result":{"n":1e999}},{"id":5,"result":{}}]')
    assert [type(inner) for inner in event.events] == [Response, BadAnswer, BadAnswer]
    assert [inner.id for inner in event.events] == [3, 4, 5]


def test_the_reading_of_the_top_level_is_bounded(monkeypatch):
    line = b'{"result":[' + b"[],[NaN]," * 50 + b'0],"id":3,"jsonrpc":"2.0"}'
    assert told(line)[0] == 3
    monkeypatch.setitem(find_end.__globals__, "STEP_LIMIT", 40)
    event = new_session("client", "2025-11-25").receive(line)
    assert isinstance(event, Junk) and event.is_attempt


def test_a_line_that_comes_on_top_of_a_full_stack_breaks_neither_itself_nor_the_handler(script):
    path = script("""
import time
from mcplite import Server
server = Server("probe")

def room(depth=0):
    try:
        return room(depth + 1)
    except RecursionError:
        return depth

def wait(levels):
    if levels:
        return wait(levels - 1)
    until = time.monotonic() + 0.8
    while time.monotonic() < until:
        pass
    return "done"

@server.tool
def deep() -> str:
    return wait(room() - 12)

server.run()
""")
    ping = {"jsonrpc": "2.0", "id": 3, "method": "ping", "params": {"a": [[[[[[[[]]]]]]]]}}
    outcome = run_server(path, [initialize(), INITIALIZED, request("tools/call", {"name": "deep"}, 2), ping], judge=False)
    assert outcome.result(2)["content"] == [{"type": "text", "text": "done"}]
    assert outcome.result(3) == {} and outcome.stderr == ""


def test_what_was_not_parsed_when_reading_ahead_was_left_is_still_there():
    from types import SimpleNamespace

    from mcplite.peer import Peer

    def receive(line):
        if line == b"2":
            raise KeyboardInterrupt
        return Notification(line.decode(), {})

    peer = SimpleNamespace(inbox=[b"3", b"2", b"1"], session=SimpleNamespace(receive=receive), flush=lambda: None)
    with pytest.raises(KeyboardInterrupt):
        Peer.preempt(peer)
    assert peer.inbox[:2] == [b"3", b"2"] and [event.method for event in peer.inbox[2:]] == ["1"]
