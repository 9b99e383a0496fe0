"""Any bytes in: valid messages out, exactly one reply per request, and the next ping answered. In one process and thread."""
import io
import json

import pytest
from harness import INITIALIZED, PING, PONG, call, initialize, modern, request, to_line
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from official import Conversation

from mcplite import Server

REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")


def new_server():
    server = Server("probe", line_limit=1 << 16)

    @server.tool
    def echo(s: str) -> str:
        return s

    @server.tool
    def fail() -> str:
        raise SystemExit("no")

    @server.tool(output_schema={"type": "array", "items": {"type": "integer"}})
    def numbers(n: int):
        return list(range(min(n, 5)))

    @server.resource("memo://{topic}")
    def memo(topic):
        return topic

    @server.prompt
    def ask(topic: str):
        return topic

    return server


class Chunks:
    """A reader that hands over the given pieces, one a read."""

    def __init__(self, pieces):
        self.pieces = [piece for piece in pieces if piece]

    def read1(self, size):
        return self.pieces.pop(0) if self.pieces else b""


def serve(reader):
    writer = io.BytesIO()
    new_server().serve(reader, writer)
    return writer.getvalue()


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 10) | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda children: st.lists(children, max_size=3) | st.dictionaries(st.text(max_size=5), children, max_size=3), max_leaves=6)
methods = st.sampled_from([
    "initialize", "ping", "tools/list", "tools/call", "resources/list", "resources/templates/list", "resources/read",
    "resources/subscribe", "resources/unsubscribe", "prompts/list", "prompts/get", "completion/complete", "logging/setLevel",
    "server/discover", "notifications/initialized", "notifications/cancelled", "notifications/progress", "nope", ""])
params = st.one_of(
    st.sampled_from([
        {"name": "echo", "arguments": {"s": "x"}}, {"name": "echo"}, {"name": "fail", "arguments": {}}, {"name": "numbers", "arguments": {"n": 2}},
        {"name": "nope"}, {"uri": "memo://x"}, {"uri": "memo://%GG"}, {"uri": "gone:x"}, {"name": "ask", "arguments": {"topic": "t"}},
        {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}, {"protocolVersion": 5},
        {"level": "error"}, {"level": "x"}, {"cursor": "x"}, {"requestId": 3}, {"requestId": 0},
        {"ref": {"type": "ref/prompt", "name": "ask"}, "argument": {"name": "topic", "value": "a"}}]),
    json_values)
modern_params = params.filter(lambda value: isinstance(value, dict)).map(
    lambda value: dict(value, _meta=modern("x")["params"]["_meta"]))
# ids are given when the lines are put together, so that each is used once
objects = st.fixed_dictionaries({}, optional={
    "jsonrpc": st.sampled_from(["2.0", "2.0", "2.0", "1.0", 2]), "method": methods | json_values, "params": params | modern_params,
    "id": st.just("ID") | st.just("ID") | json_values, "result": json_values, "error": json_values, "extra": json_values})
requests = st.fixed_dictionaries({"jsonrpc": st.just("2.0"), "method": methods, "id": st.just("ID")}, optional={"params": params | modern_params})
raw_lines = st.binary(max_size=30) | st.sampled_from([
    b"", b"  ", b"[" * 3000, b'{"a":NaN}', b"\xff", b"\xef\xbb\xbf{}", b'{"jsonrpc":"2.0","id":1e999,"method":"ping"}', b"9" * 5000, b'"\\ud800"', b"x" * 70000])
lines = st.lists(raw_lines | objects | requests | st.lists(objects | requests, max_size=3), max_size=8)


def number_ids(items):
    """Give every placeholder an id of its own, integers and strings in turn."""
    counter = iter(range(1000, 100000))

    def visit(item):
        if isinstance(item, list):
            return [visit(member) for member in item]
        if isinstance(item, dict) and item.get("id") == "ID":
            number = next(counter)
            return dict(item, id=number if number % 2 else str(number))
        return item

    return [visit(item) for item in items]


def requests_in(items):
    """The ids that must be answered, by JSON-RPC's own words."""
    found = []
    for item in items:
        if isinstance(item, dict) and isinstance(item.get("method"), str) and item.get("jsonrpc") == "2.0" and type(item.get("id")) in (int, str) \
                and "result" not in item and "error" not in item:
            found.append(item["id"])
    return found


def check_any_lines(start, items, cuts):
    items = [item for item in number_ids(items) if not (isinstance(item, bytes) and b"\n" in item)]
    encoded = [initialize(start, "start")] * (start is not None) + [item if isinstance(item, bytes) else json.dumps(item).encode() for item in items]
    whole = b"".join(to_line(item) + b"\n" for item in encoded) + to_line(PING)
    pieces, at = [], 0
    for cut in sorted(cuts):
        pieces.append(whole[at:cut])
        at = max(at, cut)
    output = serve(Chunks(pieces + [whole[at:]]))
    replies = [json.loads(line) for line in output.decode("ascii").splitlines()]
    flat = [reply for line in replies for reply in (line if isinstance(line, list) else [line])]
    assert all(reply["jsonrpc"] == "2.0" and (("method" in reply) != (("result" in reply) != ("error" in reply))) for reply in flat)
    answered = [(type(reply["id"]), reply["id"]) for reply in flat if reply.get("id") is not None and "method" not in reply]
    for request_id in requests_in(items):
        assert answered.count((type(request_id), request_id)) == 1, (request_id, output)
    # the ping at the end is answered even when some line before it was cancelled or strange
    assert PONG in replies, output
    return encoded, output


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from((None,) + REVISIONS), lines, st.lists(st.integers(0, 600), max_size=4))
def test_any_lines(start, items, cuts):
    check_any_lines(start, items, cuts)


@pytest.mark.fuzz
@settings(max_examples=20000, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from((None,) + REVISIONS), lines, st.lists(st.integers(0, 600), max_size=4))
def test_any_lines_for_long(start, items, cuts):
    check_any_lines(start, items, cuts)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(REVISIONS), st.lists(requests, max_size=8))
def test_every_reply_to_wellformed_requests_is_valid_by_the_official_schema(start, items):
    items = number_ids(items)
    first = initialize(start, "start")
    output = serve(Chunks([b"".join(to_line(item) + b"\n" for item in [first] + items)]))
    conversation = Conversation(ours="server")
    for item in [first] + items:
        conversation.client(to_line(item), wrong=item is not first)
    conversation.server_output(output)


CASES = {
    "request": to_line(PING) + b"\n",
    "crlf": to_line(PING) + b"\r\n",
    "blank": b"\n   \n" + to_line(PING) + b"\n",
    "bad utf-8": b'{"s":"\xc3\x28"}\n' + to_line(PING) + b"\n",
    "two requests": to_line(request("ping", None, 5)) + b"\n" + to_line(PING) + b"\n",
    "multi-byte": json.dumps(call("echo", {"s": "\u00e9\U0001F3B5\u2028"}), ensure_ascii=False).encode() + b"\n" + to_line(PING) + b"\n",
    "no json": b"{]\n" + to_line(PING) + b"\n",
    "bom": b"\xef\xbb\xbf" + to_line(request("ping", None, 7)) + b"\n" + to_line(PING) + b"\n",
}
START = b"".join(to_line(message) + b"\n" for message in (initialize(), INITIALIZED))


@pytest.mark.parametrize("name", CASES)
def test_each_framing_case_whole_split_at_every_byte_and_glued_to_the_next(name):
    data = CASES[name] if name == "bom" else START + CASES[name]
    expected = serve(Chunks([data]))
    assert expected.endswith(to_line(PONG).replace(b" ", b"") + b"\n")
    for at in range(len(data)):
        assert serve(Chunks([data[:at], data[at:]])) == expected, at
    assert serve(Chunks([data[at:at + 1] for at in range(len(data))])) == expected
    glued = serve(Chunks([data + to_line(request("ping", None, 12345)) + b"\n"]))
    assert glued == expected + b'{"jsonrpc":"2.0","id":12345,"result":{}}\n'
