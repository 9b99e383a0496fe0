"""The file that a trace records into: what a record says, and how it is written.

Nothing here understands the protocol: a line is bytes up to LF. What it all means is `conversation`'s business, where
the bytes come from is `relay`'s. Rules:

1. No trouble with the recording (a full disk, say) disturbs the session: one line on stderr, and no more is recorded.
2. A record is one write of one whole line to a file opened for appending: a crash loses at most the last record, and
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

from ...errors import VERSION
from ..terminal import CliError
from .mask import Masker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

TRACE_FORMAT = 1


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
    """The file. Opening raises `CliError`; after that nothing ever raises (1).

    `lock` keeps the threads of a relay apart; a signal handler may write while its own thread is writing.
    """

    def __init__(self, path: str, command: list[str], masker: Masker) -> None:
        from _thread import RLock

        self.path = path
        self.masker = masker
        self.started = time.perf_counter()
        self.lock = RLock()
        self.descriptor = open_trace_file(path)
        self.working = True
        self.write_line(new_trace_header(command, masker))

    def now(self) -> float:
        """Seconds since the start of the session."""
        return time.perf_counter() - self.started

    def write_record(self, at: float, members: str) -> None:
        self.write_line('{"at":%.6f,"pid":%d,%s}' % (at, os.getpid(), members))

    def write_traffic(self, at: float, origin: str, line: bytes, length: int) -> None:
        """A line that passed; see `new_line_record`."""
        self.write_record(at, new_line_record(origin, line, length, self.masker))

    def write_event(self, at: float, event: str, **details: Any) -> None:
        import json
        self.write_record(at, json.dumps(dict({"event": event}, **details))[1:-1])

    def write_line(self, text: str) -> None:
        """One record, one `write` (2)."""
        data = memoryview(text.encode("utf-8", "backslashreplace") + b"\n")
        with self.lock:
            try:
                while data and self.working:
                    data = data[os.write(self.descriptor, data):]
            except OSError as error:
                self.working = False
                problem = "mcplite: trace: cannot write %s: %s; the session goes on, the recording does not\n"
                try:
                    os.write(2, (problem % (self.path, error.strerror)).encode("utf-8", "backslashreplace"))
                except OSError:
                    pass

    def end(self, **how: Any) -> None:
        """The server has ended with `status` or by `signal`; nothing is recorded after that."""
        self.write_event(self.now(), "exit", **how)
        with self.lock:
            self.working = False
            os.close(self.descriptor)


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
        with self.recording.lock:
            first, *following = chunk.split(b"\n")
            self.keep(first)
            for piece in following:
                self.keep(b"\n")
                self.finish(at)
                self.keep(piece)

    def keep(self, piece: bytes) -> None:
        self.kept += piece[:self.limit - len(self.kept)]
        self.length += len(piece)

    def finish(self, at: float) -> None:
        """The line is complete, or nothing more will come."""
        with self.recording.lock:
            if self.length:
                line, length = bytes(self.kept), self.length
                self.kept.clear()
                self.length = 0
                self.recording.write_traffic(at, self.origin, line, length)
