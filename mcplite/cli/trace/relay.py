"""`mcplite trace -o FILE -- CMD`: stand between a host and a server, pass every byte on, and have it recorded.

Nothing here understands the protocol, nor what a recording looks like (`recording`). Each direction has a thread, on every
system; the main thread waits for the end of the server and takes the signals.
Framing: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio. Invariants:

1. Every byte is passed on unchanged, at once and before it is recorded, whatever it is; nothing waits for a newline.
2. A side that reads slowly slows the other side down, as it would without us: at most one chunk of 64 KiB is held per
   direction.
3. The end of the input, a closed pipe, signals and the exit status pass through like bytes.
"""
from __future__ import annotations

import os
import sys
import time

from ..terminal import CliError
from .recording import LineTap, Recording

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

    from .mask import Masker

TRACE_CHUNK = 65536
AFTER_EXIT_QUIET = 0.5  # seconds: a grandchild may keep the server's pipes open after the server has gone


def record_session(command: list[str], path: str, masker: Masker, limit: int, can_poll: bool) -> int:
    """Run `command` as the server of whoever is at our stdin and stdout, recording into the file `path`.

    `limit` is the length, in bytes, up to which a line is kept in the recording; `can_poll` says whether the system can wait for
    pipes. Returns the exit status to end with. Raises `CliError` when the file cannot be written or the server not be started.
    """
    recording = Recording(path, command, masker)
    server = TracedServer(command, recording)
    set_trace_binary_mode(0, 1, 2)
    process = server.process
    host_pump = Pump(LineTap(recording, "host", limit), 0, process.stdin.fileno(), can_poll,
                     lambda: close_standard_descriptor(0), lambda: close_quietly(process.stdin))
    server_pump = Pump(LineTap(recording, "server", limit), process.stdout.fileno(), 1, can_poll,
                       lambda: close_quietly(process.stdout), lambda: close_standard_descriptor(1))
    stderr_pump = Pump(LineTap(recording, "stderr", limit), process.stderr.fileno(), 2, can_poll,
                       lambda: close_quietly(process.stderr), lambda: None, keep_reading=True)
    start_pumps(host_pump, server_pump, stderr_pump)
    server.wait()
    wait_for_the_rest(recording, server_pump, stderr_pump)
    for pump in (host_pump, server_pump, stderr_pump):
        pump.tap.finish(recording.now())
    code = int(process.returncode)
    recording.end(**({"status": code} if code >= 0 else {"signal": trace_signal_name(-code)}))
    return end_like_the_server(code)


# --- the directions -------------------------------------------------------------------------------------------------


class Pump:
    """One direction: reads, passes on, has it recorded; `run` is for a thread of its own, and blocks."""

    def __init__(self, tap: LineTap, source: int, sink: int, can_poll: bool, close_source: Callable[[], None],
                 close_sink: Callable[[], None], keep_reading: bool = False) -> None:
        self.tap = tap
        self.source = source
        self.sink = sink
        self.can_poll = can_poll
        self.close_source = close_source
        self.close_sink = close_sink
        self.keep_reading = keep_reading  # record on when nobody takes it any more (stderr)
        self.sink_open = True
        self.chunks = 0
        self.busy = False
        self.done = False

    def run(self) -> None:
        ended = False
        while not ended and (self.sink_open or self.keep_reading):
            if self.sink_open and self.can_poll and self.reader_has_left():
                self.sink_open = False
                continue
            try:
                chunk = os.read(self.source, TRACE_CHUNK)
            except OSError:  # a terminal that hung up, a reset socket: the end
                chunk = b""
            at = self.tap.recording.now()
            self.chunks += 1
            self.busy = True
            ended = not chunk
            if self.sink_open:
                self.write(chunk)
            self.tap.feed(chunk, at)
            self.busy = False
        self.finish(ended)

    def reader_has_left(self) -> bool:
        """Wait until there is something to read; True when nobody reads the sink any more before that."""
        import select
        poller = select.poll()
        poller.register(self.source, select.POLLIN)
        poller.register(self.sink, 0)  # without any event, it still tells of the end
        return self.source not in dict(poller.poll())

    def write(self, chunk: bytes) -> None:
        data = memoryview(chunk)
        try:
            while data:
                data = data[os.write(self.sink, data):]
        except OSError:
            self.sink_open = False

    def finish(self, ended: bool) -> None:
        """The source has ended, or the sink: the other side has to see that, as it would without us."""
        recording, origin = self.tap.recording, self.tap.origin
        at = recording.now()
        self.tap.finish(at)
        if ended and origin != "stderr":
            recording.write_event(at, origin + "_closed")
        if not ended:
            self.close_source()
        self.close_sink()
        self.done = True


def start_pumps(*pumps: Pump) -> None:
    """Each in a thread, which takes no signals: they are to wake the main thread."""
    import signal
    from threading import Thread
    mask = getattr(signal, "pthread_sigmask", None)
    before = mask(signal.SIG_BLOCK, signal.valid_signals()) if mask is not None else None
    for pump in pumps:
        Thread(target=pump.run, name="trace-" + pump.tap.origin, daemon=True).start()
    if mask is not None:
        mask(signal.SIG_SETMASK, before)


def wait_for_the_rest(recording: Recording, *pumps: Pump) -> None:
    """What the server wrote before it ended still goes out. Its pipes may stay open in a grandchild's hands; after a while of
    silence that is over as well."""
    seen, quiet_since = -1, recording.now()
    while not all(pump.done for pump in pumps):
        chunks = sum(pump.chunks for pump in pumps)
        if chunks != seen or any(pump.busy for pump in pumps):
            seen, quiet_since = chunks, recording.now()
        elif recording.now() - quiet_since > AFTER_EXIT_QUIET:
            break
        time.sleep(0.002)


# --- the server process and signals -------------------------------------------------------------------------------


class TracedServer:
    """The server process, and the signals on their way to it."""

    def __init__(self, command: list[str], recording: Recording) -> None:
        import subprocess
        self.recording = recording
        self.process: Any = None
        self.early_signals: list[int] = []
        caught = self.catch_signals()
        try:
            self.process = subprocess.Popen(found_command(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=subprocess.PIPE, bufsize=0)
        except OSError as error:
            recording.write_event(recording.now(), "note", text="the server could not be started: %s" % error.strerror)
            self.release_signals(caught)
            raise CliError("trace: cannot start %s: %s; check the command after --" % (command[0], error.strerror),
                           status=126 if isinstance(error, PermissionError) else 127) from None
        for number in self.early_signals:
            self.pass_on(number)

    def catch_signals(self) -> list[tuple[int, Any]]:
        """From here on signals are for the server. What we were told to ignore, stays ignored. Returns what was there before."""
        import signal
        caught = []
        for name in ("SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGBREAK"):
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) != signal.SIG_IGN:
                caught.append((number, signal.signal(number, self.on_signal)))
        return caught

    def release_signals(self, caught: list[tuple[int, Any]]) -> None:
        import signal
        for number, handler in caught:
            signal.signal(number, handler)

    def on_signal(self, number: int, frame: Any) -> None:
        self.recording.write_event(self.recording.now(), "signal", signal=trace_signal_name(number))
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

    def wait(self) -> None:
        """Until the server has ended. On Windows a wait without a limit cannot be interrupted."""
        import subprocess
        while True:
            try:
                self.process.wait(0.1 if os.name == "nt" else None)
                return
            except subprocess.TimeoutExpired:
                pass


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


def set_trace_binary_mode(*descriptors: int) -> None:
    """On Windows: no CR LF translation, no Ctrl+Z as the end."""
    if sys.platform == "win32":
        import msvcrt
        for descriptor in descriptors:
            try:
                msvcrt.setmode(descriptor, os.O_BINARY)
            except OSError:
                pass


def close_quietly(stream: Any) -> None:
    try:
        stream.close()
    except OSError:
        pass
