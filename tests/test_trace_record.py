"""`mcplite trace -o`: nothing changes for host and server, and everything is written down."""
from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from trace_helpers import raw_lines, read_records, run_trace_between, start_trace, traffic_of

from mcplite.cli.main import cli_main
from mcplite.cli.trace.mask import Masker
from mcplite.cli.trace.recording import LineTap, Recording
from mcplite.cli.trace.relay import trace_signal_name

posix_only = pytest.mark.skipif(os.name == "nt", reason="POSIX signals and pipes")
both_ways = pytest.mark.parametrize("options", [(), ("--threads",)] if os.name != "nt" else [("--threads",)],
                                    ids=lambda options: "threads" if options else "poll")

ECHO = """
import os
while True:
    data = os.read(0, 65536)
    if not data:
        break
    while data:
        data = data[os.write(1, data):]
"""
HOSTILE = [b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n', b"\xef\xbb\xbf{}\n", b"junk\n", b"\n", b"\r\n",
           b'{"a": 1}\r\n', b"\xff\xfe\x00\n",
           b"\x80", b"\xe2\x80\xa8\n", b'{"x": NaN}\n', b"[1,2]\n", b"null\n", b"9" * 5000 + b"\n", b"[" * 3000 + b"\n",
           b'"\\ud800"\n',
           b'{"s":"\xe2\x82\xac"}\n', b'{"password":"hush"}\n', b"\x1b[31m\n", b"no newline"]


# --- transparency ---------------------------------------------------------------------------------------------------


@both_ways
def test_every_byte_passes_both_ways_and_is_recorded(options, tmp_path):
    sent = b"".join(HOSTILE)
    status, out, err = run_trace_between(tmp_path / "t", "--no-mask", *options, server=ECHO, sent=sent)
    assert (status, out, err) == (0, sent, b"")
    assert raw_lines(tmp_path / "t") == {"host": sent, "server": sent, "stderr": b""}


@both_ways
def test_masking_changes_the_recording_only(options, tmp_path):
    sent = b'{"password":"hush"}\nexport API_KEY=hush\n'
    status, out, _ = run_trace_between(tmp_path / "t", *options, server=ECHO, sent=sent)
    assert (status, out) == (0, sent)
    assert b"hush" not in (tmp_path / "t").read_bytes()


@both_ways
def test_stderr_passes_and_is_recorded(options, tmp_path):
    server = "import os; os.write(2, b'warn\\xff\\r\\nhalf')"
    status, out, err = run_trace_between(tmp_path / "t", *options, server=server)
    assert (status, out, err) == (0, b"", b"warn\xff\r\nhalf")
    assert raw_lines(tmp_path / "t")["stderr"] == err


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.one_of(st.binary(max_size=40), st.sampled_from(HOSTILE)), max_size=12))
@example(HOSTILE)
def test_any_chunks_pass(tmp_path, chunks):
    recording = tmp_path / "t"
    if recording.exists():
        recording.unlink()
    process = start_trace(recording, "--no-mask", server=ECHO)
    for chunk in chunks:
        process.stdin.write(chunk)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (0, b"".join(chunks), b"")
    assert raw_lines(recording) == {"host": out, "server": out, "stderr": b""}


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.one_of(st.binary(max_size=40), st.sampled_from(HOSTILE)), max_size=12), st.integers(1, 50))
def test_recording_keeps_the_exact_bytes_however_they_are_cut(tmp_path, chunks, cut):
    path = tmp_path / "t"
    if path.exists():
        path.unlink()
    recording = Recording(str(path), ["x"], Masker(defaults=False))
    tap = LineTap(recording, "host", 1 << 20)
    whole = b"".join(chunks)
    for start in range(0, len(whole), cut):
        tap.feed(whole[start:start + cut], 0.5)
    tap.finish(0.5)
    os.close(recording.descriptor)
    assert raw_lines(path)["host"] == whole


@both_ways
def test_bytes_do_not_wait_for_a_newline(options, tmp_path):
    process = start_trace(tmp_path / "t", *options, server=ECHO)
    for part in (b'{"half', b'": 1', b"}"):
        process.stdin.write(part)
        assert os.read(process.stdout.fileno(), 100) == part
    process.communicate(timeout=60)
    assert [record["message"] for record in traffic_of(tmp_path / "t", "server")] == [{"half": 1}]


@both_ways
def test_no_deadlock_with_much_traffic_both_ways(options, tmp_path):
    line = b'{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"' + b"x" * 10000 + b'"}}\n'
    sent = line * 1000
    process = start_trace(tmp_path / "t", *options, server=ECHO)
    writer = threading.Thread(target=lambda: (process.stdin.write(sent), process.stdin.close()))
    writer.start()
    time.sleep(0.3)  # let every buffer fill before anything is read
    with process.stdout:
        out = process.stdout.readall()
    writer.join(60)
    assert process.wait(60) == 0
    assert out == sent
    assert len(traffic_of(tmp_path / "t", "host")) == len(traffic_of(tmp_path / "t", "server")) == 1000
    process.stderr.close()


@both_ways
def test_a_host_that_reads_late_loses_nothing(options, tmp_path):
    server = "import os\ndata = b'y' * 300000 + b'\\n'\nwhile data: data = data[os.write(1, data):]"
    process = start_trace(tmp_path / "t", *options, server=server, stderr=None)
    time.sleep(1.0)
    out, _ = process.communicate(timeout=60)
    assert (process.returncode, out) == (0, b"y" * 300000 + b"\n")


# --- ends -----------------------------------------------------------------------------------------------------------


@both_ways
@pytest.mark.parametrize("status", [0, 1, 42, 255])
def test_exit_status_passes(options, status, tmp_path):
    assert run_trace_between(tmp_path / "t", *options, server="import sys; sys.exit(%d)" % status)[0] == status
    assert read_records(tmp_path / "t")[-1]["status"] == status


@posix_only
@both_ways
@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM", "SIGSEGV"])
def test_a_server_killed_by_a_signal(options, name, tmp_path):
    number = getattr(signal, name)
    server = "import os; os.kill(os.getpid(), %d)" % number
    assert run_trace_between(tmp_path / "t", *options, server=server)[0] == -number
    assert read_records(tmp_path / "t")[-1]["signal"] == name


@posix_only
@both_ways
@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP", "SIGUSR1"])
def test_signals_reach_the_server(options, name, tmp_path):
    server = ("import os, signal, sys, time\n"
              "def leave(number, frame):\n    os.write(1, b'got %d\\n' % number); sys.exit(7)\n"
              "signal.signal(signal.SIGNAL, leave)\nos.write(1, b'ready\\n')\nwhile True: time.sleep(10)").replace("SIGNAL", name)
    process = start_trace(tmp_path / "t", *options, server=server, start_new_session=True)
    assert os.read(process.stdout.fileno(), 100) == b"ready\n"
    process.send_signal(getattr(signal, name))
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (7, b"got %d\n" % getattr(signal, name), b"")
    assert [record["signal"] for record in read_records(tmp_path / "t") if record.get("event") == "signal"] == [name]


@posix_only
@both_ways
def test_sigterm_ends_a_server_that_does_not_catch_it(options, tmp_path):
    process = start_trace(tmp_path / "t", *options, server="import time\nprint(1, flush=True)\ntime.sleep(60)")
    os.read(process.stdout.fileno(), 100)
    process.terminate()
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGTERM


@both_ways
def test_end_of_input_reaches_the_server(options, tmp_path):
    server = "import sys; rest = sys.stdin.read(); print('end after', len(rest))"
    assert run_trace_between(tmp_path / "t", *options, server=server, sent=b"abc")[:2] == (0, b"end after 3\n")
    assert "host_closed" in [record.get("event") for record in read_records(tmp_path / "t")]


@both_ways
def test_server_that_closes_stdout_and_lives_on(options, tmp_path):
    server = "import os, sys\nos.write(1, b'x\\n'); os.close(1); sys.stdin.read(); os._exit(4)"
    process = start_trace(tmp_path / "t", *options, server=server)
    with process.stdout:
        assert process.stdout.readall() == b"x\n"
    assert process.poll() is None
    process.stdin.close()
    assert process.wait(60) == 4
    process.stderr.close()


@posix_only
def test_server_that_closes_stdin_is_noticed_by_the_host(tmp_path):
    server = "import os, time\nos.close(0); os.write(1, b'closed\\n'); time.sleep(1)"
    process = start_trace(tmp_path / "t", server=server)
    os.read(process.stdout.fileno(), 100)
    time.sleep(0.2)
    with pytest.raises(BrokenPipeError):
        process.stdin.write(b"anybody there?\n")
    process.stdin.close()
    process.stdout.close()
    process.stderr.close()
    process.wait(60)


@posix_only
@both_ways
def test_host_that_stops_reading_is_noticed_by_the_server(options, tmp_path):
    server = ("import os, sys, time\n"
              "try:\n    while True: os.write(1, b'x' * 1000 + b'\\n'); time.sleep(0.01)\n"
              "except BrokenPipeError: os._exit(9)")
    process = start_trace(tmp_path / "t", *options, server=server)
    os.read(process.stdout.fileno(), 10)
    process.stdout.close()
    assert process.wait(60) == 9
    process.stdin.close()
    process.stderr.close()


@posix_only
@both_ways
def test_stderr_is_recorded_when_nobody_reads_it(options, tmp_path):
    read, write = os.pipe()
    os.close(read)
    server = "import os, time\nfor i in range(3): os.write(2, b'line\\n'); time.sleep(0.05)"
    process = start_trace(tmp_path / "t", *options, server=server, stderr=write)
    os.close(write)
    process.communicate(timeout=60)
    assert process.returncode == 0
    assert len(traffic_of(tmp_path / "t", "stderr")) == 3


@posix_only
@both_ways
def test_a_grandchild_with_the_pipes_does_not_hold_us(options, tmp_path):
    server = "import subprocess, os\nsubprocess.Popen(['sleep', '4']); os.write(1, b'done\\n')"
    started = time.monotonic()
    process = start_trace(tmp_path / "t", *options, server=server)
    with process.stdout:
        assert process.stdout.read(5) == b"done\n"
        assert process.wait(60) == 0
    assert time.monotonic() - started < 3.5
    process.stdin.close()
    process.stderr.close()


@posix_only
def test_standard_input_from_a_file(tmp_path):
    (tmp_path / "in").write_bytes(b'{"a":1}\n' * 1000)
    with open(str(tmp_path / "in"), "rb") as stream:
        process = start_trace(tmp_path / "t", server=ECHO, stdin=stream)
        out, _ = process.communicate(timeout=60)
    assert out == b'{"a":1}\n' * 1000


@both_ways
def test_server_that_is_not_there(options, tmp_path, capfd):
    status = cli_main(["trace", "-o", str(tmp_path / "t"), *options, "--", "no-such-program-anywhere"])
    assert status == 127
    assert capfd.readouterr().err == ("mcplite: trace: cannot start no-such-program-anywhere: No such file or "
                                      "directory; "
                                      "check the command after --\n")


# --- the recording ---------------------------------------------------------------------------------------------------


def test_header_says_what_was_run(tmp_path):
    run_trace_between(tmp_path / "t", "--mask", "x*", server="pass")
    header = read_records(tmp_path / "t")[0]
    assert header["mcplite_trace"] == 1
    assert header["command"] == [sys.executable, "-c", "pass"]
    assert header["masks"] == ["x*"]
    assert header["platform"].startswith(sys.platform + ", Python 3.")
    assert time.strptime(header["started"], "%Y-%m-%dT%H:%M:%S.%fZ")


def test_times_are_seconds_since_the_start(tmp_path):
    server = "import os, time\nos.write(1, b'a\\n'); time.sleep(0.3); os.write(1, b'b\\n')"
    run_trace_between(tmp_path / "t", server=server)
    first, second = traffic_of(tmp_path / "t", "server")
    assert 0.29 < second["at"] - first["at"] < 2


def test_recording_is_private(tmp_path):
    run_trace_between(tmp_path / "t", server="pass")
    if os.name != "nt":
        assert os.stat(str(tmp_path / "t")).st_mode & 0o077 == 0


def test_a_second_session_is_added(tmp_path):
    for _ in range(2):
        run_trace_between(tmp_path / "t", server="pass")
    assert [("mcplite_trace" in record) for record in read_records(tmp_path / "t")].count(True) == 2


def test_a_half_record_of_a_crash_is_closed_before_the_next_session(tmp_path):
    run_trace_between(tmp_path / "t", server="pass")
    with open(str(tmp_path / "t"), "ab") as stream:
        stream.write(b'{"at":1.5,"pid":1,"from":"ho')
    run_trace_between(tmp_path / "t", server="pass")
    lines = (tmp_path / "t").read_bytes().split(b"\n")
    assert lines.count(b'{"at":1.5,"pid":1,"from":"ho') == 1 and lines[-1] == b""


def test_a_file_that_is_not_a_recording_is_left_alone(tmp_path, capfd):
    (tmp_path / "server.py").write_text("print(1)\n")
    assert cli_main(["trace", "-o", str(tmp_path / "server.py"), "--", "x"]) == 1
    assert capfd.readouterr().err == ("mcplite: trace: %s exists and is not a recording: nothing was done; choose "
                                      "another "
                                      "name for -o\n" % (tmp_path / "server.py"))
    assert (tmp_path / "server.py").read_text() == "print(1)\n"


def test_a_place_that_cannot_be_written(tmp_path, capfd):
    path = tmp_path / "no" / "t"
    assert cli_main(["trace", "-o", str(path), "--", "x"]) == 1
    assert capfd.readouterr().err == ("mcplite: trace: cannot write %s: No such file or directory; choose another "
                                      "place "
                                      "with -o\n" % path)


@both_ways
def test_long_lines_pass_whole_and_are_recorded_in_part(options, tmp_path):
    sent = b'{"a":"' + b"z" * 300000 + b'"}\n{"b":1}\n'
    _, out, _ = run_trace_between(tmp_path / "t", "--max-line", "1000", *options, server=ECHO, sent=sent)
    assert out == sent
    long_one, short_one = traffic_of(tmp_path / "t", "server")
    assert (long_one["bytes"], long_one["truncated"], long_one["text"]) == (300009, True, sent[:1000].decode())
    assert short_one["message"] == {"b": 1}


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="reads peak memory from /proc")
def test_memory_is_bounded_whatever_the_length_of_a_line(tmp_path):
    server = "import os\nfor i in range(64): os.write(1, b'z' * 1048576)\nos.read(0, 1)"
    process = start_trace(tmp_path / "t", server=server)
    left = 64 * 1048576
    while left:
        left -= len(os.read(process.stdout.fileno(), 1048576))
    with open("/proc/%d/status" % process.pid) as status:
        peak = [int(line.split()[1]) for line in status if line.startswith("VmHWM")][0]
    process.communicate(timeout=60)
    assert peak < 48 * 1024


@posix_only
@both_ways
def test_killed_in_mid_flight_the_recording_is_whole_up_to_there(options, tmp_path):
    server = "import os\ni = 0\nwhile True:\n    os.write(1, b'{\"n\":%d}\\n' % i); i += 1"
    process = start_trace(tmp_path / "t", *options, server=server)
    seen = b""
    while len(seen) < 200000:
        seen += os.read(process.stdout.fileno(), 65536)
    process.kill()
    process.wait(60)
    process.stdout.close()
    process.stdin.close()
    process.stderr.close()
    numbers = [record["message"]["n"] for record in traffic_of(tmp_path / "t", "server")]
    assert numbers == list(range(len(numbers))) and len(numbers) > 10000


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@both_ways
def test_a_full_disk_does_not_disturb_the_session(options, tmp_path):
    status, out, err = run_trace_between("/dev/full", *options, server=ECHO, sent=b"a\nb\n")
    assert (status, out) == (0, b"a\nb\n")
    assert err == (b"mcplite: trace: cannot write /dev/full: No space left on device; the session goes on, the "
                   b"recording "
                   b"does not\n")


def test_unknown_signals_have_a_name():
    assert trace_signal_name(200) == "signal 200"


@pytest.mark.parametrize("words, text", [
    (["trace"], "trace: say where to record, as in: mcplite trace -o session.jsonl -- python server.py"),
    (["trace", "-o", "t"], 'trace: no server: put its command line after "--", as in: '
                           "mcplite trace -o session.jsonl -- python server.py"),
    (["trace", "-o", "t", "--max-line", "0", "--", "x"], "trace: --max-line must be at least 1"),
    (["trace", "--html", "x"], "trace: --html, --session, --full and --follow show a recording: add --view FILE"),
    (["trace", "--view", "x", "--", "y"],
     'trace: --view shows a recording and runs no server: leave out -o and what follows "--"'),
])
def test_wrong_calls(words, text, capsys):
    assert cli_main(words) == 2
    assert capsys.readouterr().err == "mcplite: %s\n" % text


@pytest.mark.slow
def test_overhead_of_a_message_is_below_a_millisecond(tmp_path):
    """Median round trip of a small call through the trace, minus the median without it."""
    message = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                          "params": {"name": "add", "arguments": {"a": 1}}})

    def median_round_trip(process, rounds=2000):
        times = []
        for _ in range(rounds):
            start = time.perf_counter()
            process.stdin.write(message.encode() + b"\n")
            os.read(process.stdout.fileno(), 65536)
            times.append(time.perf_counter() - start)
        process.communicate(timeout=60)
        return sorted(times)[rounds // 2]

    direct = median_round_trip(subprocess.Popen([sys.executable, "-c", ECHO], stdin=subprocess.PIPE,
                                                stdout=subprocess.PIPE, bufsize=0))
    traced = median_round_trip(start_trace(tmp_path / "t", server=ECHO))
    print("direct %.0f us, traced %.0f us, two messages" % (direct * 1e6, traced * 1e6))
    assert (traced - direct) / 2 < 0.001
