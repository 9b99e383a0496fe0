"""`mcplite trace -o FILE -- CMD`: stand between a host and a server, pass every byte on, and write down what passed.

Nothing here understands the protocol: a line is bytes up to LF. What it all means is `trace_view`'s business.
Framing: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio. Invariants:

1. Every byte is passed on unchanged, at once and before it is recorded, whatever it is; nothing waits for a newline.
2. A side that reads slowly slows the other side down, as it would without us: at most one chunk of 64 KiB is held per
   direction.
3. The end of the input, a closed pipe, signals and the exit status pass through like bytes.
4. No trouble with the recording (a full disk, say) disturbs the session: one line on stderr, and no more is recorded.
5. A record is one write of one whole line to a file opened for appending: a crash loses at most the last record, and
   several processes (hosts start a server twice) may share a file. `pid` tells them apart.

The file is UTF-8 JSON Lines. A header starts each session:
  {"mcplite_trace": 1, "pid": 4711, "started": "2026-12-01T03:52:30.123456Z", "command": [...], "version", "platform",
   "masks", "default_masks"}
then one record for each line of traffic, `at` in seconds since the start of the session (to the microsecond):
  {"at": 0.083211, "pid": 4711, "from": "host", "bytes": 54, "message": {...}}     a line that is JSON, verbatim
  {"at": 0.091500, "pid": 4711, "from": "server", "bytes": 12, "text": "Loading..."}   one that is not
                              ("base64" has the bytes when they are not UTF-8 either)
  {"at": 0.092000, "pid": 4711, "from": "stderr", "bytes": 9, "text": "warning"}
and what happened: {"at", "pid", "event": "host_closed" | "server_closed" | "signal" | "exit" | "note", ...}.
`bytes` counts the whole line with its end; `end` is there when that end is not LF; `truncated` when the line was longer
than the limit and only its beginning is kept; `masked` counts what was masked.
"""
from __future__ import annotations

import os
import sys
import time

from ..errors import VERSION
from .terminal import CliError
from .trace_mask import Masker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

TRACE_FORMAT = 1
TRACE_CHUNK = 65536
TRACE_LINE_LIMIT = 1024 * 1024
AFTER_EXIT_QUIET = 0.5  # seconds: a grandchild may keep the server's pipes open after the server has gone


# --- records -----------------------------------------------------------------------------------------------------


def refuse_json_constant(name: str) -> Any:
    raise ValueError("%s is not JSON" % name)


def new_line_record(origin: str, line: bytes, length: int, masker: Masker) -> str:
    """The members of the record of one line (from `"from"` on, without braces). `line` is its kept beginning, `length`
    the number of bytes there were."""
    import json

    members = '"from":"%s","bytes":%d,' % (origin, length)
    truncated = len(line) < length
    body = line
    if truncated:
        members += '"truncated":true,'
    elif line.endswith(b"\r\n"):
        body, members = line[:-2], members + '"end":"\\r\\n",'
    elif line.endswith(b"\n"):
        body = line[:-1]
    else:
        members += '"end":"",'
    try:
        text, is_text = body.decode("utf-8"), True
    except UnicodeDecodeError:
        text, is_text = body.decode("utf-8", "backslashreplace"), truncated
    if is_text and origin != "stderr" and not truncated:
        try:
            value = json.loads(text, parse_constant=refuse_json_constant)
        except (ValueError, RecursionError, MemoryError):
            pass
        else:
            text, masked = masker.mask_json(text, value)
            return members + ('"masked":%d,' % masked if masked else "") + '"message":' + text
    text, masked = masker.mask_text(text)
    if masked:
        members += '"masked":%d,' % masked
    elif not is_text:
        from binascii import b2a_base64
        members += '"base64":"%s",' % b2a_base64(body, newline=False).decode("ascii")
    return members + '"text":' + json.dumps(text)


class Recording:
    """The file. Opening raises `CliError`; after that nothing ever raises (invariant 4)."""

    def __init__(self, path: str, command: list[str], masker: Masker,
                 clock: Callable[[], float] = time.perf_counter) -> None:
        from _thread import allocate_lock

        self.path = path
        self.masker = masker
        self.clock = clock
        self.started = clock()
        self.lock = allocate_lock()
        self.descriptor = open_trace_file(path)
        self.working = True
        self.write_line(new_trace_header(command, masker))

    def now(self) -> float:
        """Seconds since the start of the session."""
        return self.clock() - self.started

    def write_record(self, at: float, members: str) -> None:
        self.write_line('{"at":%.6f,"pid":%d,%s}' % (at, os.getpid(), members))

    def write_event(self, at: float, event: str, **details: Any) -> None:
        import json
        self.write_record(at, json.dumps(dict({"event": event}, **details))[1:-1])

    def write_line(self, text: str) -> None:
        """One record, one `write` (invariant 5)."""
        if not self.working:
            return
        data = memoryview(text.encode("utf-8", "backslashreplace") + b"\n")
        with self.lock:
            try:
                while data:
                    data = data[os.write(self.descriptor, data):]
            except OSError as error:
                self.working = False
                problem = "mcplite: trace: cannot write %s: %s; the session goes on, the recording does not\n"
                try:
                    os.write(2, (problem % (self.path, error.strerror)).encode("utf-8", "backslashreplace"))
                except OSError:
                    pass


def new_trace_header(command: list[str], masker: Masker) -> str:
    import json
    wall = time.time()
    started = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(wall)) + ".%06dZ" % int(wall % 1 * 1e6)
    return json.dumps({
        "mcplite_trace": TRACE_FORMAT, "pid": os.getpid(), "started": started, "command": masker.mask_command(command),
        "version": VERSION, "platform": "%s, Python %s" % (sys.platform, ".".join(map(str, sys.version_info[:3]))),
        "masks": masker.names, "default_masks": masker.defaults})


def open_trace_file(path: str) -> int:
    """A descriptor that appends to `path`, which others may not read: traffic is private. A file that exists must be a
    recording; a half record at its end (a crash) is closed with a newline."""
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        descriptor = os.open(path, flags, 0o600)
        try:
            size = os.lseek(descriptor, 0, os.SEEK_END)
        except OSError:  # a pipe or a terminal
            return descriptor
        if size:
            os.lseek(descriptor, 0, os.SEEK_SET)
            if not os.read(descriptor, 32).startswith(b'{"mcplite_trace"'):
                os.close(descriptor)
                raise CliError("trace: %s exists and is not a recording: nothing was done; choose another name for -o"
                               % path)
            os.lseek(descriptor, -1, os.SEEK_END)
            if os.read(descriptor, 1) != b"\n":
                os.write(descriptor, b"\n")
        return descriptor
    except OSError as error:
        raise CliError("trace: cannot write %s: %s; choose another place with -o" % (path, error.strerror)) from None


class LineTap:
    """Cuts what flows in one direction into lines for the recording, in bounded memory."""

    def __init__(self, recording: Recording, origin: str, limit: int) -> None:
        self.recording = recording
        self.origin = origin
        self.limit = limit
        self.kept = bytearray()
        self.length = 0

    def feed(self, chunk: bytes, at: float) -> None:
        """`chunk` passed `at` seconds after the start."""
        start = 0
        while True:
            cut = chunk.find(b"\n", start) + 1
            self.keep(chunk, start, cut or len(chunk))
            if not cut:
                return
            self.finish(at)
            start = cut

    def keep(self, chunk: bytes, start: int, stop: int) -> None:
        room = self.limit - len(self.kept)
        if room > 0:
            self.kept += chunk[start:min(stop, start + room)]
        self.length += stop - start

    def finish(self, at: float) -> None:
        """The line is complete, or nothing more will come."""
        if self.length:
            line, length = bytes(self.kept), self.length
            self.kept.clear()
            self.length = 0
            self.recording.write_record(at, new_line_record(self.origin, line, length, self.recording.masker))


# --- the server process and signals -------------------------------------------------------------------------------


class TracedServer:
    """The server process, and the signals on their way to it."""

    def __init__(self, command: list[str], recording: Recording) -> None:
        self.recording = recording
        self.process: Any = None
        self.early_signals: list[int] = []
        self.notes: list[tuple[float, str]] = []
        self.put_back: list[tuple[int, Any]] = []
        self.catch_signals()
        import subprocess
        try:
            self.process = subprocess.Popen(found_command(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=subprocess.PIPE,
                                            bufsize=0)
        except OSError as error:
            recording.write_event(recording.now(), "note", text="the server could not be started: %s" % error.strerror)
            self.release_signals()
            raise CliError("trace: cannot start %s: %s; check the command after --" % (command[0], error.strerror),
                           status=126 if isinstance(error, PermissionError) else 127) from None
        for number in self.early_signals:
            self.pass_on(number)

    def catch_signals(self) -> None:
        """From here on signals are for the server. What we were told to ignore, stays ignored."""
        import signal
        for name in ("SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGBREAK"):
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) != signal.SIG_IGN:
                self.put_back.append((number, signal.signal(number, self.on_signal)))

    def release_signals(self) -> None:
        import signal
        for number, handler in self.put_back:
            signal.signal(number, handler)

    def on_signal(self, number: int, frame: Any) -> None:
        self.notes.append((self.recording.now(), trace_signal_name(number)))
        if self.process is None:
            self.early_signals.append(number)
        else:
            self.pass_on(number)

    def pass_on(self, number: int) -> None:
        """Send the signal to the server, unless the terminal, which signals the whole foreground group, has done so."""
        if os.name == "nt" or came_from_terminal(number):
            return
        try:
            self.process.send_signal(number)
        except OSError:
            pass

    def record_signals(self) -> None:
        while self.notes:
            at, name = self.notes.pop(0)
            self.recording.write_event(at, "signal", signal=name)

    def record_exit(self) -> int:
        """Record how the server ended; its `returncode` (negative for a signal)."""
        self.record_signals()
        code = int(self.process.returncode)
        how: dict[str, Any] = {"status": code} if code >= 0 else {"signal": trace_signal_name(-code)}
        self.recording.write_event(self.recording.now(), "exit", **how)
        return code


def found_command(command: list[str]) -> list[str]:
    """On Windows programs like npx are .cmd files, which only a look along the PATH finds."""
    if os.name != "nt":
        return command
    from shutil import which
    return [which(command[0]) or command[0]] + command[1:]


def trace_signal_name(number: int) -> str:
    import signal
    try:
        return signal.Signals(number).name
    except ValueError:
        return "signal %d" % number


def came_from_terminal(number: int) -> bool:
    """True when the terminal sent this signal: it is one of those, and we are in the terminal's foreground group."""
    import signal
    if number not in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
        return False
    try:
        terminal = os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY)
    except OSError:
        return False
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:
        return False
    finally:
        os.close(terminal)


def end_like_the_server(code: int) -> int:
    """Our exit status for the server's `returncode`. When a signal killed the server, die of the same signal, so that the
    host sees what it would have seen (without a core dump of ours)."""
    if code >= 0:
        return code
    import signal
    try:
        import resource
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
        if -code != signal.SIGKILL:
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    except (ImportError, OSError, ValueError):
        pass
    return 128 - code


def close_standard_descriptor(descriptor: int) -> None:
    """Let the other side see the end. The number stays taken, so that no later file gets it."""
    try:
        null = os.open(os.devnull, os.O_RDWR)
        os.dup2(null, descriptor)
        os.close(null)
    except OSError:
        pass


# --- POSIX: one loop, no threads ------------------------------------------------------------------------------------


class OneWay:
    """One direction of the relay: a descriptor to read, one to write, and at most one chunk in between.

    `portion` is what may be written at once. The pipe to the server is ours and does not block, so anything goes.
    Descriptors 1 and 2 are shared with the host and must not be switched to non-blocking; a pipe that poll calls writable
    takes PIPE_BUF bytes without blocking.
    """

    def __init__(self, tap: LineTap, source: int, sink: int, portion: int, close_source: Callable[[], None],
                 close_sink: Callable[[], None], keep_reading: bool = False) -> None:
        self.tap = tap
        self.source = source
        self.sink = sink
        self.portion = portion
        self.close_source = close_source
        self.close_sink = close_sink
        self.keep_reading = keep_reading  # record on when nobody takes it any more (stderr)
        self.pending = memoryview(b"")
        self.source_open = True
        self.sink_open = True

    def waits_for(self, poll_in: int, poll_out: int) -> dict[int, int]:
        """{descriptor: events to poll for}. A sink is watched even with nothing to write: it tells when its reader goes."""
        wanted = {}
        if self.pending:
            wanted[self.sink] = poll_out
        else:
            if self.source_open:
                wanted[self.source] = poll_in
            if self.sink_open:
                wanted[self.sink] = 0
        return wanted

    def on_readable(self, recording: Recording) -> None:
        if not self.source_open:  # closed by what was handled before in the same round
            return
        try:
            chunk = os.read(self.source, TRACE_CHUNK)
        except InterruptedError:
            return
        except OSError:  # a terminal that hung up, a reset socket: the end
            chunk = b""
        at = recording.now()
        if chunk:
            if self.sink_open:
                self.pending = memoryview(chunk)
                self.write_pending()
            self.tap.feed(chunk, at)
        else:
            self.end_source(at)

    def write_pending(self) -> None:
        """Write what can be written without blocking."""
        import select
        while self.pending:
            if self.portion < TRACE_CHUNK:
                poller = select.poll()
                poller.register(self.sink, select.POLLOUT)
                if not poller.poll(0):
                    return
            try:
                self.pending = self.pending[os.write(self.sink, self.pending[:self.portion]):]
            except BlockingIOError:
                return
            except OSError:
                self.lose_sink()
        if not self.source_open and self.sink_open:
            self.end_sink()

    def end_source(self, at: float) -> None:
        """The source has ended: what is pending still goes out, then the other side sees the end too."""
        self.source_open = False
        self.tap.finish(at)
        if self.tap.origin != "stderr":
            self.tap.recording.write_event(at, self.tap.origin + "_closed")
        if not self.pending and self.sink_open:
            self.end_sink()

    def end_sink(self) -> None:
        self.sink_open = False
        self.close_sink()

    def lose_sink(self) -> None:
        """Nobody reads the sink any more: the writer of the source has to see that, as it would without us."""
        self.pending = memoryview(b"")
        if self.sink_open:
            self.end_sink()
        if self.source_open and not self.keep_reading:
            self.source_open = False
            self.tap.finish(self.tap.recording.now())
            self.close_source()

    def is_done(self) -> bool:
        return not self.source_open and not self.pending


def relay_with_poll(server: TracedServer, recording: Recording, limit: int) -> int:
    """Pass bytes until the server has ended; returns its `returncode`. POSIX only.

    1. Wait for a readable source, a writable sink that something is pending for, a closed sink, or a signal.
    2. Pass on and record what came.
    3. When the server has exited: what it has written before still goes out; then it is over. Its pipes may stay
       open in a grandchild's hands; after a while of silence that is over as well.
    """
    import select
    import signal

    process = server.process
    os.set_blocking(process.stdin.fileno(), False)
    portion = getattr(select, "PIPE_BUF", 512)
    host_way = OneWay(LineTap(recording, "host", limit), 0, process.stdin.fileno(), TRACE_CHUNK,
                      lambda: close_standard_descriptor(0), process.stdin.close)
    server_way = OneWay(LineTap(recording, "server", limit), process.stdout.fileno(), 1, portion,
                        process.stdout.close, lambda: close_standard_descriptor(1))
    stderr_way = OneWay(LineTap(recording, "stderr", limit), process.stderr.fileno(), 2, portion,
                        process.stderr.close, lambda: None, keep_reading=True)
    wake_read, wake_write = os.pipe()
    os.set_blocking(wake_read, False)
    os.set_blocking(wake_write, False)
    old_wake = signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
    old_child = signal.signal(signal.SIGCHLD, lambda number, frame: None)  # only to wake the poll
    try:
        while True:
            exited = process.poll() is not None
            ways = (server_way, stderr_way) if exited else (host_way, server_way, stderr_way)
            if exited and server_way.is_done() and stderr_way.is_done():
                break
            poller = select.poll()
            poller.register(wake_read, select.POLLIN)
            wanted: dict[int, tuple[OneWay, int]] = {}
            for way in ways:
                for descriptor, events in way.waits_for(select.POLLIN, select.POLLOUT).items():
                    wanted[descriptor] = (way, events)
                    poller.register(descriptor, events)
            nothing_pending = not any(way.pending for way in ways)
            ready = poller.poll(AFTER_EXIT_QUIET * 1000 if exited and nothing_pending else None)
            if not ready and exited and nothing_pending:
                break
            server.record_signals()
            for descriptor, events in ready:
                if descriptor == wake_read:
                    os.read(wake_read, 512)
                    continue
                way, wanted_events = wanted[descriptor]
                if wanted_events == select.POLLIN:
                    way.on_readable(recording)
                elif wanted_events == select.POLLOUT and not events & select.POLLNVAL:
                    way.write_pending()
                elif way.sink_open:
                    way.lose_sink()
    finally:
        signal.set_wakeup_fd(old_wake)
        signal.signal(signal.SIGCHLD, old_child)
        os.close(wake_read)
        os.close(wake_write)
    for way in (host_way, server_way, stderr_way):
        if way.source_open:
            way.tap.finish(recording.now())
    return server.record_exit()


# --- Windows: pipes cannot be waited for, so each direction has a thread ----------------------------------------------


class Pump:
    """One direction with blocking reads and writes, for a thread of its own."""

    def __init__(self, tap: LineTap, source: int, sink: int, close_source: Callable[[], None],
                 close_sink: Callable[[], None], keep_reading: bool = False) -> None:
        self.tap = tap
        self.source = source
        self.sink = sink
        self.close_source = close_source
        self.close_sink = close_sink
        self.keep_reading = keep_reading
        self.chunks = 0
        self.writing = False
        self.done = False

    def run(self) -> None:
        recording = self.tap.recording
        sink_open = True
        while True:
            try:
                chunk = os.read(self.source, TRACE_CHUNK)
            except OSError:
                chunk = b""
            at = recording.now()
            self.chunks += 1
            if not chunk:
                break
            if sink_open:
                sink_open = self.write_all(chunk)
            self.tap.feed(chunk, at)
            if not sink_open and not self.keep_reading:
                self.close_source()
                break
        self.tap.finish(at)
        if not chunk and self.tap.origin != "stderr":
            recording.write_event(at, self.tap.origin + "_closed")
        self.close_sink()
        self.done = True

    def write_all(self, chunk: bytes) -> bool:
        data = memoryview(chunk)
        self.writing = True
        try:
            while data:
                data = data[os.write(self.sink, data):]
            return True
        except OSError:
            return False
        finally:
            self.writing = False


def relay_with_threads(server: TracedServer, recording: Recording, limit: int) -> int:
    """The same as `relay_with_poll` where pipes cannot be polled."""
    from threading import Thread

    process = server.process
    for descriptor in (0, 1, 2):
        set_trace_binary_mode(descriptor)
    host_pump = Pump(LineTap(recording, "host", limit), 0, process.stdin.fileno(),
                     lambda: close_standard_descriptor(0), lambda: close_quietly(process.stdin))
    outward = [Pump(LineTap(recording, "server", limit), process.stdout.fileno(), 1,
                    process.stdout.close, lambda: close_standard_descriptor(1)),
               Pump(LineTap(recording, "stderr", limit), process.stderr.fileno(), 2,
                    process.stderr.close, lambda: None, keep_reading=True)]
    for pump in [host_pump] + outward:
        Thread(target=pump.run, name="trace-" + pump.tap.origin, daemon=True).start()
    while True:  # with a time limit, because on Windows a wait without one cannot be interrupted
        try:
            process.wait(0.1)
            break
        except Exception as error:  # subprocess.TimeoutExpired, without importing its name
            if type(error).__name__ != "TimeoutExpired":
                raise
    seen, quiet_since = -1, recording.now()
    while not all(pump.done for pump in outward):
        chunks = sum(pump.chunks for pump in outward)
        if chunks != seen or any(pump.writing for pump in outward):
            seen, quiet_since = chunks, recording.now()
        elif recording.now() - quiet_since > AFTER_EXIT_QUIET:
            break
        time.sleep(0.002)
    return server.record_exit()


def set_trace_binary_mode(descriptor: int) -> None:
    """On Windows: no CR LF translation, no Ctrl+Z as the end."""
    if sys.platform == "win32":
        import msvcrt
        try:
            msvcrt.setmode(descriptor, os.O_BINARY)
        except OSError:
            pass


def close_quietly(stream: Any) -> None:
    try:
        stream.close()
    except OSError:
        pass


def record_session(command: list[str], path: str, masker: Masker, limit: int = TRACE_LINE_LIMIT,
                   threads: bool = os.name == "nt") -> int:
    """Run `command` as the server of whoever is at our stdin and stdout, recording into the file `path`.

    `limit` is the length, in bytes, up to which a line is kept in the recording. Returns the exit status to end with.
    Raises `CliError` when the file cannot be written or the server not be started.
    """
    recording = Recording(path, command, masker)
    server = TracedServer(command, recording)
    relay = relay_with_threads if threads else relay_with_poll
    code = relay(server, recording, limit)
    return end_like_the_server(code)
