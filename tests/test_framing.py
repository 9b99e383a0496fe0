"""Field reports, kind 1: framing and JSON text on the wire. Every probe against a real server process."""
import json
import os

import pytest
from harness import INITIALIZED, PING, PONG, call, initialize, request, run_server

ECHO = '''
from mcplite import Server
server = Server("probe")

@server.tool
def echo(s: str) -> str:
    return s

@server.tool
def number(n: float) -> str:
    return "ran with %r" % n

@server.tool
def lines() -> str:
    return "a\\nb\\r\\u2028c\\u0085d"

@server.tool
def surrogate() -> str:
    return "half \\ud83d of a pair, whole \\U0001F3B5"

server.run()
'''
START = [initialize(), INITIALIZED]


@pytest.fixture
def echo(script):
    return script(ECHO)


def text_of(result):
    assert [block["type"] for block in result["content"]] == ["text"]
    return result["content"][0]["text"]


def test_fr001_blank_lines_and_crlf_are_no_messages(echo):
    outcome = run_server(echo, START + [b"", b"   ", b"\t\r", json.dumps(PING).encode() + b"\r"])
    assert outcome.replies[1:] == [PONG]
    assert (outcome.status, outcome.stderr) == (0, "")


def test_fr004_bytes_that_are_not_utf8_are_refused_and_survived(echo):
    bad = b'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"s":"\xc3\x28"}}}'
    outcome = run_server(echo, START + [b"\xff\xfe", bad, PING], wrong=(2, 3))
    assert [reply.get("error", {}).get("code") for reply in outcome.replies[1:]] == [-32700, -32700, None]
    assert all("id" not in reply for reply in outcome.without_id) and len(outcome.without_id) == 2
    assert outcome.replies[-1] == PONG


@pytest.mark.parametrize("encoding", ["cp1252", "cp950", "ascii", "ascii:strict", "utf-16"])
def test_fr005_text_survives_any_locale(script, encoding):
    source = ECHO.replace("    return s\n", "    import sys\n    print('\\u2713', s)\n    print('\\u2713', s, file=sys.stderr)\n    return s\n")
    text = "\u00e9 \u2605 \u4e2d \U0001F3B5"
    line = json.dumps(call("echo", {"s": text}), ensure_ascii=False).encode("utf-8")
    outcome = run_server(script(source), START + [line], PYTHONIOENCODING=encoding, LC_ALL="C")
    assert text_of(outcome.result(2)) == text
    assert outcome.raw.isascii()


def test_fr007_only_0a_ends_a_line(echo):
    line = json.dumps(call("echo", {"s": "a\u2028b\u0085c"}), ensure_ascii=False).encode("utf-8")
    outcome = run_server(echo, START + [line, b'{"jsonrpc":"2.0",\r"id":7,"method":"ping"}', call("lines", {}, 8)])
    assert text_of(outcome.result(2)) == "a\u2028b\u0085c"
    assert outcome.result(7) == {}
    assert text_of(outcome.result(8)) == "a\nb\r\u2028c\u0085d"
    assert outcome.raw.count(b"\n") == len(outcome.replies) == 4


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "Infinity"])
def test_fr008_nan_and_infinity_are_not_json(echo, number):
    line = json.dumps(call("number", {"n": 1})).replace('"n": 1', '"n": ' + number).encode()
    outcome = run_server(echo, START + [line, PING], wrong=(2,))
    assert outcome.replies[1]["error"]["code"] == -32700 and number.lstrip("-") in outcome.replies[1]["error"]["message"]
    assert outcome.replies[2:] == [PONG]


@pytest.mark.parametrize("number", ["1e999", "-1e999", "9" * 400 + ".0"])
def test_fr008_a_number_no_float_can_hold_is_a_bad_argument(echo, number):
    line = json.dumps(call("number", {"n": 1})).replace('"n": 1', '"n": ' + number).encode()
    outcome = run_server(echo, START + [line, PING], wrong=(2,))
    result = outcome.result(2)
    assert result["isError"] is True and "too large" in text_of(result)
    assert outcome.replies[-1] == PONG


def test_fr008_such_a_number_elsewhere_is_invalid_params(echo):
    outcome = run_server(echo, START + [b'{"jsonrpc":"2.0","id":2,"method":"ping","params":{"x":1e999}}', PING], wrong=(2,))
    assert outcome.error(2)["code"] == -32602


def test_fr010_eight_mebibytes_work(echo):
    text = "x" * (8 << 20)
    outcome = run_server(echo, START + [call("echo", {"s": text}), PING])
    assert text_of(outcome.result(2)) == text
    assert outcome.replies[-1] == PONG


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="no /proc here: peak memory cannot be read")
def test_fr010_a_line_over_the_limit_is_skipped_with_bounded_memory(script):
    source = ECHO.replace('Server("probe")', 'Server("probe", line_limit=1 << 20)').replace(
        "    return s\n", "    return open('/proc/self/status').read().split('VmHWM:')[1].split()[0]\n")
    path = script(source)
    quiet = int(text_of(run_server(path, START + [call("echo", {"s": ""})]).result(2)))
    outcome = run_server(path, START + [b"x" * (40 << 20), call("echo", {"s": ""}), PING], overlong=(2,))
    assert [reply["error"]["code"] for reply in outcome.without_id] == [-32700]
    assert "longer than the limit of 1048576 bytes" in outcome.without_id[0]["error"]["message"]
    assert int(text_of(outcome.result(2))) < quiet + 8192       # KiB: far below the 40 MiB that came
    assert outcome.replies[-1] == PONG


def test_fr010_the_limit_holds_for_short_lines_too(script):
    path = script(ECHO.replace('Server("probe")', 'Server("probe", line_limit=300)'))
    long, short = call("echo", {"s": "x" * 300}, 2), call("echo", {"s": "x" * 100}, 3)
    outcome = run_server(path, START + [long, short], overlong=(2,))
    assert [reply["error"]["code"] for reply in outcome.without_id] == [-32700]
    assert text_of(outcome.result(3)) == "x" * 100


def test_fr010_an_unterminated_last_message_is_served(echo):
    outcome = run_server(echo, START + [PING], end=b"")
    assert outcome.replies[-1] == PONG
    assert (outcome.status, outcome.stderr) == (0, "")


def test_fr010_a_cut_last_message_is_dropped(echo):
    outcome = run_server(echo, START + [PING, b'{"jsonrpc":"2.0","id":5,"meth'], end=b"", judge=False)
    assert outcome.replies[1:] == [PONG]
    assert (outcome.status, outcome.stderr) == (0, "")


def test_a_byte_order_mark_at_the_start_is_skipped(echo):
    first = b"\xef\xbb\xbf" + json.dumps(initialize()).encode()
    outcome = run_server(echo, [first, PING], wrong=(0,), judge=False)
    assert outcome.result(1)["protocolVersion"] == "2025-11-25"
    assert outcome.replies[-1] == PONG


def test_a_byte_order_mark_later_is_not(echo):
    outcome = run_server(echo, START + [b"\xef\xbb\xbf" + json.dumps(PING).encode()], wrong=(2,))
    assert outcome.replies[1]["error"]["code"] == -32700


def test_a_lone_surrogate_leaves_as_replacement_character(echo):
    outcome = run_server(echo, START + [call("surrogate", {})])
    assert text_of(outcome.result(2)) == "half \ufffd of a pair, whole \U0001F3B5"


def test_a_lone_surrogate_that_came_in_does_not_go_out(echo):
    line = json.dumps(call("echo", {"s": "X"})).replace('"X"', '"\\udc00"').encode()
    outcome = run_server(echo, START + [line], wrong=(2,))
    assert text_of(outcome.result(2)) == "\ufffd"


@pytest.mark.parametrize("line", [
    b"42", b"null", b'"text"', b"true", b"{}", b'{"jsonrpc":"2.0"}', b'{"jsonrpc":"1.0","id":2,"method":"ping"}',
    b'{"id":2,"method":"ping"}', b'{"jsonrpc":"2.0","id":2,"method":5}', b'{"jsonrpc":"2.0","id":null,"method":"ping"}',
    b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', b'{"jsonrpc":"2.0","id":true,"method":"ping"}',
    b'{"jsonrpc":"2.0","id":[1],"method":"ping"}', b'{"jsonrpc":"2.0","id":{},"method":"ping"}'])
def test_what_is_no_request_is_answered_once_with_32600(echo, line):
    outcome = run_server(echo, START + [line, PING], wrong=(2,))
    assert [reply["error"]["code"] for reply in outcome.replies[1:-1]] == [-32600]
    assert outcome.replies[-1] == PONG


@pytest.mark.parametrize("line", [b"[" * 100000, b'{"a":' * 50000, b"{", b"nul", b"'a'"])
def test_what_cannot_be_parsed_is_answered_once_with_32700(echo, line):
    outcome = run_server(echo, START + [line, PING], wrong=(2,))
    assert [reply["error"]["code"] for reply in outcome.replies[1:-1]] == [-32700]
    assert outcome.replies[-1] == PONG


@pytest.mark.parametrize("revision, has_null", [("2024-11-05", True), ("2025-03-26", True), ("2025-06-18", True), ("2025-11-25", False)])
def test_an_error_without_id_looks_as_its_revision_says(echo, revision, has_null):
    outcome = run_server(echo, [initialize(revision), b"nonsense"], wrong=(1,))
    assert ("id" in outcome.replies[1]) is has_null


def test_before_negotiation_an_error_without_id_says_null(echo):
    outcome = run_server(echo, [b"nonsense", initialize()], wrong=(0,))
    assert outcome.replies[0]["id"] is None


def test_many_requests_in_one_write_are_all_answered_in_order(echo):
    outcome = run_server(echo, START + [call("echo", {"s": str(n)}, n) for n in range(10, 3010)])
    assert [reply["id"] for reply in outcome.replies[1:]] == list(range(10, 3010))
    assert [text_of(reply["result"]) for reply in outcome.replies[1:]] == [str(n) for n in range(10, 3010)]


def test_params_null_is_no_params_and_an_array_is_refused(echo):
    outcome = run_server(echo, START + [b'{"jsonrpc":"2.0","id":2,"method":"tools/list","params":null}',
                                        b'{"jsonrpc":"2.0","id":3,"method":"tools/list","params":[]}',
                                        request("tools/list", {"_meta": 5}, 4)], wrong=(2, 3, 4))
    assert len(outcome.result(2)["tools"]) == 4
    assert outcome.error(3)["code"] == -32602
    assert outcome.error(4)["code"] == -32602
