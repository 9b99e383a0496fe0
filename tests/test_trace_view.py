"""`mcplite trace --view`: what a recording says, as text."""
from __future__ import annotations

import json
import os
import subprocess
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from trace_helpers import (
    META,
    REPOSITORY,
    error,
    notification,
    recording_of,
    request,
    result,
    run_trace_between,
    sample_recording,
    trace_header,
    trace_record,
)

from mcplite.cli.main import cli_main
from mcplite.cli.terminal import column_width, duration_words, printable, shortened, size_words
from mcplite.cli.trace.conversation import Conversation, understand
from mcplite.cli.trace.page import page_data, session_page
from mcplite.cli.trace.reading import parse_trace
from mcplite.cli.trace.text import entry_line, session_text

SAMPLE_TEXT = r"""trace of: python 'my server.py'
2026-12-01 03:52:30 UTC, mcplite 1.0.0 on linux, Python 3.11.7

     time  --> from the host, <-- from the server
    0.050  <--  not JSON: Loading model \x1b[31m...                                             23 B
    0.050  err  warning: no cache                                                               18 B
    0.100  -->  #0 initialize 2025-11-25 host 2                                                150 B
    0.100  <--  #0 initialize ok 0.2 ms: 2025-11-25 shop 1 offers tools                        138 B
    0.101  -->  notifications/initialized                                                       55 B
    0.102  -->  #1 tools/list                                                                   47 B
    0.103  <--  #1 tools/list ok 1.0 ms: 1: order (more to come)                               112 B
    0.200  -->  #2 tools/call order {"sku":"S-1"}                                              129 B
    0.210  <--    notifications/progress 1 of 2 "asking"                                       125 B
    0.220  <--    #1 elicitation/create "Which size?"                                          142 B
    1.720  -->    #1 elicitation/create ok 1.5 s: accept {"size":"L"}                           77 B
    1.730  <--    notifications/message info shop "placing </script><b>"                       123 B
    1.800  <--  #2 tools/call order ok 1.6 s: "ordered" and 1 more                             131 B
    1.900  -->  #3 tools/call count {"n":12345678901234567890}                                 112 B
    1.950  <--  #3 tools/call count tool error 50 ms: "no such SKU"                            100 B
    2.000  -->  #"4" tools/call nosuch                                                          76 B
    2.010  <--  #"4" tools/call nosuch ERROR 10.0 ms: -32602 Unknown tool: nosuch               84 B
    3.000  -->  #5 tools/call paint                                                            268 B
    3.100  <--  #5 tools/call paint (round 1) asks back 100 ms: colour: elicitation/create...  234 B
    4.000  -->  #6 tools/call paint (round 2) with the answers to colour                       336 B
    4.200  <--  #6 tools/call paint (round 2) ok 200 ms: no content                             73 B
    5.000  -->  not JSON: garbage                                                                8 B
    5.100  <--  #null ERROR: -32700 Parse error                                                 76 B
    5.200  -->  #7 tools/call slow                                                              87 B
    5.300  -->    notifications/cancelled #7 "timed out"                                        99 B
    5.400  -->  #8 resources/read file:///a [no answer]                                         80 B
    5.500  <--  #99 ok [answers no open request]                                                38 B
    5.600  <--  JSON, but no message: {"hello":"world"}                                         18 B
    6.000   *   the host closed its end
    6.100   *   the server exited with status 0

10 requests, 8 responses, 2 errors, 4 notifications, 1 line that is no message, 2 lines that are not JSON, 1 line on stderr
no answer: #8 resources/read file:///a
"""


def text_of(data, width=100, **options):
    sessions = parse_trace(data)
    return session_text(sessions[-1], len(sessions), len(sessions), width, **options)


def entries_of(*lines):
    return understand(parse_trace(recording_of(*lines))[0]).entries


def test_the_exact_text():
    assert text_of(sample_recording()) == SAMPLE_TEXT


def test_the_command_prints_it(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    (tmp_path / "t").write_bytes(sample_recording())
    assert cli_main(["trace", "--view", str(tmp_path / "t")]) == 0
    assert capsys.readouterr() == (SAMPLE_TEXT, "")


@pytest.mark.parametrize("width", [40, 60, 80, 133])
def test_lines_keep_within_the_width(width):
    data = recording_of((0.0, "host",
                         request(1, "tools/call", {"name": "x", "arguments": {"a": "\u65e5\u672c\u8a9e" * 60}})))
    lines = text_of(data, width).split("\n")[4:5]
    assert [column_width(line) for line in lines] == [width]


def test_colour_only_when_asked_for():
    assert "\033" not in text_of(sample_recording())
    coloured = text_of(sample_recording(), colour=True)
    assert "\033[31m    1.950  <--  #3 tools/call count tool error" in coloured
    assert "\033[36m" in coloured and "\033[33m" in coloured


def test_full_shows_the_whole_message():
    data = recording_of((0.0, "host", request(1, "ping")), (0.1, "server", "x\x07y"))
    assert text_of(data, full=True).split("\n")[5:12] == [
        "                  {", '                    "jsonrpc": "2.0",', '                    "id": 1,',
        '                    "method": "ping"',
        "                  }",
        "    0.100  <--  not JSON: x\\x07y                                                                 4 B",
        "                  x\\x07y"]


def test_what_is_printed_cannot_steer_the_terminal():
    hostile = "\x1b[2J\x9b1m\u202eabc\u2028\r\x00\ud800"
    shown = printable(hostile)
    assert shown == "\\x1b[2J\\x9b1m\\u202eabc\\u2028\\r\\x00\\ud800"
    data = recording_of((0.0, "host", request(hostile, hostile, {hostile: hostile})), (0.1, "stderr", hostile))
    assert all(line.isprintable() for line in text_of(data, 400).split("\n"))


# --- what belongs together -------------------------------------------------------------------------------------------


def flags_of(*lines):
    return [entry["flags"] for entry in entries_of(*lines)]


def test_ids_are_told_apart_by_type():
    assert flags_of((0, "host", request(1, "ping")), (1, "server", result("1", {}))) == [["no answer"],
                                                                                         ["answers no open request"]]


def test_both_sides_number_for_themselves():
    entries = entries_of((0, "host", request(1, "tools/call", {"name": "a"})), (1, "server", request(1, "ping")),
                         (2, "host", result(1, {})),
                         (3, "server", result(1, {"content": []})))
    assert [entry.get("partner") for entry in entries] == [3, 2, 1, 0]
    assert [entry["depth"] for entry in entries] == [0, 1, 1, 0]


def test_falsy_ids_are_ids():
    assert flags_of((0, "host", request(0, "ping")), (1, "server", result(0, {})), (2, "host", request("", "ping")),
                    (3, "server", result("", {}))) == [[], [], [], []]


def test_an_id_in_use_and_an_odd_id():
    assert flags_of((0, "host", request(1, "ping")), (1, "host", request(1, "ping")), (2, "server", result(1, {})),
                    (3, "host", request(None, "ping")), (4, "server", result(None, {}))) == [
        [], ["its id is already in use"], [], ["its id is neither a string nor a number"], []]


def test_progress():
    asked = request(1, "tools/call", {"name": "a", "_meta": {"progressToken": 0}})
    late = notification("notifications/progress", {"progressToken": 0, "progress": 1})
    assert flags_of((0, "host", asked), (1, "server", late), (2, "server", result(1, {})), (3, "server", late),
                    (4, "server", notification("notifications/progress", {"progressToken": "x", "progress": 1}))) == [
        [], [], [], ["comes after the answer"], ["nobody asked for progress with this token"]]


def test_cancelling():
    cancel = notification("notifications/cancelled", {"requestId": 1})
    entries = entries_of((0, "host", request(1, "tools/call", {"name": "a"})), (1, "host", cancel),
                         (2, "server", result(1, {})), (3, "host", cancel))
    assert [entry["flags"] for entry in entries] == [[], [], ["its request was cancelled"], ["no such request is open"]]
    assert entries[1]["parent"] == 0


def test_notifications_of_a_stream_belong_to_it():
    listen = request("l", "subscriptions/listen", {"notifications": {}, "_meta": META})
    told = notification("notifications/tools/list_changed", {"_meta": {"io.modelcontextprotocol/subscriptionId": "l"}})
    entries = entries_of((0, "host", listen), (1, "host", request(1, "tools/call", {"name": "a"})), (2, "server", told),
                         (3, "server", notification("notifications/message", {"level": "info", "data": 1})))
    assert [entry.get("parent") for entry in entries] == [None, None, 0, 1]


def asks_back(number, state=None, keys=("k",)):
    return result(number, dict({"resultType": "input_required",
                                "inputRequests": {key: {"method": "roots/list"} for key in keys}},
                               **({} if state is None else {"requestState": state})))


def retry(number, name="a", **members):
    return request(number, "tools/call", dict(name=name, **members))


def rounds_of(*lines):
    return [(entry.get("chain"), entry.get("round")) for entry in entries_of(*lines)]


def test_rounds_are_linked_by_the_state():
    assert rounds_of((0, "host", retry(1)), (1, "server", asks_back(1, "s")), (2, "host", retry(2)),
                     (3, "server", asks_back(2, "t")),
                     (4, "host", retry(3, requestState="s", inputResponses={})), (5, "server", asks_back(3, "u")),
                     (6, "host", retry(4, requestState="u")), (7, "server", result(4, {}))) == [
        (1, 1), (1, 1), (2, 1), (2, 1), (1, 2), (1, 2), (1, 3), (1, 3)]


def test_rounds_without_a_state_are_linked_by_name_and_keys():
    assert rounds_of((0, "host", retry(1)), (1, "server", asks_back(1)), (2, "host", retry(2, "b")),
                     (3, "server", asks_back(2)),
                     (4, "host", retry(3, inputResponses={"k": {}}))) == [(1, 1), (1, 1), (2, 1), (2, 1), (1, 2)]


def test_a_round_that_continues_nothing():
    assert flags_of((0, "host", retry(1, requestState="x"))) == [["continues no round that was seen", "no answer"]]


def test_a_batch_is_its_messages():
    entries = entries_of((0, "host", [request(1, "ping"), notification("notifications/initialized")]),
                         (1, "server", [result(1, {})]))
    assert [(entry["kind"], entry["flags"], entry["bytes"] > 0) for entry in entries] == [
        ("request", ["1 of 2 in a batch"], True), ("notification", ["2 of 2 in a batch"], False),
        ("response", ["1 of 1 in a batch"], True)]
    assert entries[2]["partner"] == 0


def test_the_revision_of_each_message():
    opened = request(0, "initialize", {"protocolVersion": "2025-11-25"})
    entries = entries_of((0, "host", opened), (1, "server", result(0, {"protocolVersion": "2024-11-05"})),
                         (2, "host", request(1, "ping")),
                         (3, "server", result(1, {})), (4, "host", request(2, "tools/list", {"_meta": META})),
                         (5, "server", result(2, {})))
    assert [entry["revision"] for entry in entries] == ["2025-11-25", "2024-11-05", "2024-11-05", "2024-11-05",
                                                        "2026-07-28", "2026-07-28"]


def test_a_truncated_message_is_still_joined():
    head = '{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"image","data":"AAAA'
    data = recording_of((0, "host",
                         request(7, "tools/call", {"name": "draw"}))) + trace_record(2, "server", head, bytes=9999999,
                                                                                     truncated=True)
    entry = understand(parse_trace(data)[0]).entries[1]
    assert (entry["kind"], entry["partner"], entry["took"], entry["label"]) == ("response", 0, 2, "draw")
    assert entry["flags"] == ["longer than the limit: only %d of 9999999 bytes were kept" % len(head)]


@pytest.mark.parametrize("head, expected", [
    ('{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"id":5',
     ("request", {"id": "a", "method": "tools/call", "label": ""})),
    ('{"method":"notifications/message","params":{"method":"x"',
     ("notification", {"method": "notifications/message", "label": ""})),
    ('{"result":{"id":4,"method":"x"', ("junk", {})),
    ("xxxxx", ("junk", {})),
])
def test_what_a_beginning_tells(head, expected):
    data = recording_of() + trace_record(0, "host", head, bytes=99999, truncated=True)
    entry = understand(parse_trace(data)[0]).entries[0]
    assert (entry["kind"], {key: entry[key] for key in ("id", "method", "label") if key in entry}) == expected


@pytest.mark.parametrize("members, flag", [({"end": ""}, "no newline at its end"), ({"end": "\r\n"}, "ends with CR LF"),
                                           ({"masked": 3}, "3 masked")])
def test_flags_of_the_line(members, flag):
    data = recording_of() + trace_record(0, "host", notification("x"), **members)
    assert understand(parse_trace(data)[0]).entries[0]["flags"] == [flag]


def test_not_the_right_jsonrpc():
    assert flags_of((0, "host", {"method": "x"})) == [['"jsonrpc" is not "2.0"']]


def test_lines_that_are_nothing():
    data = recording_of((0, "server", ""), (0, "server", "   "), (0, "server", 5),
                        (0, "server", [])) + trace_record(0, "server", "\\xff", base64="/w==")
    assert [entry["summary"] for entry in understand(parse_trace(data)[0]).entries] == [
        "a blank line", "a blank line", "JSON, but no message: 5", "JSON, but no message: []", "not UTF-8: \\xff"]


# --- recordings that are odd ------------------------------------------------------------------------------------------


def test_a_half_last_record():
    data = sample_recording()[:-12]
    assert text_of(data).endswith("\nrecords that could not be read: 1 (a crash in the middle of a write, or a "
                                  "damaged file)\n")


@pytest.mark.parametrize("cut", range(0, 400, 7))
def test_any_beginning_of_a_recording_can_be_shown(cut):
    sessions = parse_trace(sample_recording()[:cut + len(trace_header())])
    session_text(sessions[0], 1, 1, 80)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.one_of(st.binary(max_size=60),
                          st.sampled_from([line + b"\n" for line in sample_recording().split(b"\n")])), max_size=30))
def test_no_bytes_break_the_viewer(pieces):
    for session in parse_trace(trace_header() + b"".join(pieces)):
        session_text(session, 1, 1, 80, full=True)
        session_page(session)


json_values = st.recursive(st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False),
                                     st.text(max_size=5)), lambda inner: st.one_of(
    st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(
        ["params", "result", "error", "id", "_meta", "content", "name", "code", "arguments", "tools", "text",
         "messages", "ref", "data"]), inner, max_size=4)), max_leaves=12)
messages = st.builds(lambda method, rest: dict(rest, **({"method": method} if method else {})), st.sampled_from(
    [None, "initialize", "tools/call", "tools/list", "prompts/get", "completion/complete", "elicitation/create",
     "sampling/createMessage",
     "notifications/progress", "notifications/message", "notifications/cancelled", "x", 5]),
    st.dictionaries(st.sampled_from(["id", "params", "result", "error", "jsonrpc"]), json_values, max_size=5))


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["host", "server"]), st.one_of(messages, json_values)), max_size=8))
def test_no_message_breaks_the_viewer(said):
    data = recording_of(*[(number, origin, message) for number,
                          (origin, message) in enumerate(said) if not isinstance(message, str)])
    session = parse_trace(data)[0]
    session_text(session, 1, 1, 80)
    json.dumps(page_data(session, 1, 1))


def test_two_sessions_at_once_are_told_apart_by_pid():
    data = trace_header(1) + trace_header(2) + trace_record(1, "host", "b",
                                                            pid=2) + trace_record(0.5, "host", "a",
                                                                                  pid=1) + trace_record(2, "host", "c", pid=3)
    first, second = parse_trace(data)
    assert [[record["text"] for record in session.records] for session in (first, second)] == [["a"], ["b"]]
    assert (first.unreadable, second.unreadable) == (0, 1)


def test_records_are_shown_in_the_order_of_time():
    assert [entry["at"] for entry in entries_of((2, "host", "b"), (1, "host", "a"))] == [1, 2]


@pytest.fixture
def two_sessions(tmp_path):
    path = tmp_path / "t"
    path.write_bytes(recording_of((0, "host", "first"), pid=1) + recording_of((0, "host", "second"), pid=2))
    return str(path)


def test_the_last_session_is_shown(two_sessions, capsys):
    assert cli_main(["trace", "--view", two_sessions]) == 0
    out = capsys.readouterr().out
    assert "second" in out and "first" not in out and "session 2 of 2" in out
    assert out.endswith("\nThe last of 2 sessions; --session 0 shows all, --session N one.\n")


def test_one_session_and_all(two_sessions, capsys):
    cli_main(["trace", "--view", two_sessions, "--session", "1"])
    out = capsys.readouterr().out
    assert "first" in out and "second" not in out
    cli_main(["trace", "--view", two_sessions, "--session", "0"])
    out = capsys.readouterr().out
    assert out.index("first") < out.index("second")


@pytest.mark.parametrize("number", ["3", "-1"])
def test_no_such_session(number, two_sessions, capsys):
    assert cli_main(["trace", "--view", two_sessions, "--session", number]) == 2
    assert capsys.readouterr().err == "mcplite: trace: no session %s in %s: it holds 1 to 2\n" % (number, two_sessions)


def test_no_recording(tmp_path, capsys):
    assert cli_main(["trace", "--view", str(tmp_path / "no")]) == 1
    assert capsys.readouterr().err == "mcplite: trace: cannot read %s: No such file or directory\n" % (tmp_path / "no")
    (tmp_path / "x").write_text("hello\n")
    assert cli_main(["trace", "--view", str(tmp_path / "x")]) == 1
    assert capsys.readouterr().err == "mcplite: trace: %s is not a recording; make one with: mcplite trace -o session.jsonl -- CMD\n" % (
        tmp_path / "x")


def test_following_a_recording(tmp_path):
    path = tmp_path / "t"
    path.write_bytes(recording_of((0.5, "host", request(1, "ping"))))
    process = subprocess.Popen([sys.executable, "-m", "mcplite", "trace", "--view", str(path), "--follow"],
                               stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, env=dict(os.environ, PYTHONPATH=REPOSITORY, COLUMNS="60"))
    seen = [process.stdout.readline() for _ in range(5)]
    with open(str(path), "ab") as stream:
        stream.write(trace_record(0.75, "server", result(1, {})))
    seen.append(process.stdout.readline())
    process.send_signal(2)
    out, err = process.communicate(timeout=30)
    assert [line.decode().split() for line in seen[4:]] == [["0.500", "-->", "#1", "ping", "41", "B"],
                                                            ["0.750", "<--", "#1", "ping", "ok", "250", "ms", "37",
                                                             "B"]]
    assert (process.returncode, out, err) == (130, b"", b"")


def test_a_real_recording_from_end_to_end(tmp_path, capsys):
    server = ("import json, sys\nfor line in sys.stdin:\n    message = json.loads(line)\n"
              "    print(json.dumps({'jsonrpc': '2.0', 'id': message['id'], 'result': {}}), flush=True)")
    sent = json.dumps(request(1, "ping")).encode() + b"\n"
    run_trace_between(tmp_path / "t", server=server, sent=sent)
    assert cli_main(["trace", "--view", str(tmp_path / "t")]) == 0
    assert "1 request, 1 response\n" in capsys.readouterr().out


# --- small things ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seconds, words", [(0.0000123, "12 us"), (0.00123, "1.2 ms"), (0.0123, "12 ms"),
                                            (0.5, "500 ms"), (12.34, "12.3 s")])
def test_durations(seconds, words):
    assert duration_words(seconds) == words


@pytest.mark.parametrize("size, words", [(0, "0 B"), (9999, "9999 B"), (10240, "10 KiB"), (20 << 20, "20 MiB")])
def test_sizes(size, words):
    assert size_words(size) == words


@pytest.mark.parametrize("text, width, expected",
                         [("abc", 3, "abc"), ("abcdef", 5, "ab..."), ("\u65e5\u672c\u8a9e", 6, "\u65e5\u672c\u8a9e"),
                                                   ("\u65e5\u672c\u8a9e\u65e5", 7, "\u65e5\u672c..."),
                          ("x" * 100000, 5, "xx...")])
def test_shortening(text, width, expected):
    assert shortened(text, width) == expected


def test_a_conversation_can_be_followed_as_it_comes():
    conversation = Conversation()
    (entry,) = conversation.add({"at": 0, "from": "host", "bytes": 5, "message": request(1, "ping"), "text": ""})
    assert entry_line(entry, 40) == "    0.000  -->  #1 ping              5 B"
    (entry,) = conversation.add({"at": 0.5, "from": "server", "bytes": 5, "message": error(1, 5, "no"), "text": ""})
    assert entry_line(entry, 60) == "    0.500  <--  #1 ping ERROR 500 ms: 5 no               5 B"


def test_the_work_grows_with_the_messages_and_not_faster():
    def seconds(calls):
        lines = []
        for number in range(calls):
            lines += [(number, "host", request(number, "tools/call", {"name": "a", "arguments": {"n": number}})),
                      (number + 0.5, "server", result(number, {"content": [{"type": "text", "text": "x"}]}))]
        data = recording_of(*lines)
        start = time.process_time()
        text_of(data)
        return time.process_time() - start
    assert min(seconds(5000) for _ in range(2)) < 25 * min(seconds(500) for _ in range(3))
