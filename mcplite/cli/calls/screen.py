"""What a person sees on standard error while a request is open: progress, log messages, the server's standard error.

Here: the screen and its one bar, the relay that shows what a server writes on standard error as it comes. Not here:
results (they go to standard output, `contents`), questions (`questions`). Rules:

1. Standard output belongs to the result. Everything here goes to standard error, each line marked with what it is.
2. A bar is drawn on terminals only, and taken away before anything else is written.
3. What a server says cannot steer the terminal: it is shown as `printable` makes it.
"""
from __future__ import annotations

import os
import sys
import time

from ...system.child import CAPTURE_LIMIT, ChildProcess, StderrCapture
from ..terminal import column_width, compact_json, is_terminal, printable, shortened, styled, terminal_width, wants_colour

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BAR_CELLS = 24
RELAY_SECONDS = 0.1             # how often the server's standard error is looked at while we wait
PROBE_METHOD = b"server/discover"
FIRST_WORDS_SECONDS = 1.0       # what a server says first is held back so long: it may have to be started twice
SCREEN_STYLES = {"stderr": "2", "debug": "2", "info": "36", "notice": "36", "warning": "33"}


class CallScreen:
    """Standard error: marked lines, and at most one bar below them. `quiet` leaves out log messages."""

    def __init__(self, quiet: bool = False) -> None:
        self.quiet = quiet
        self.stream: Any = sys.stderr
        self.is_terminal = is_terminal(self.stream) and os.environ.get("TERM") != "dumb"
        self.colour = wants_colour(self.stream)
        self.bar = ""

    def write_line(self, text: str, style: str = "") -> None:
        bar = self.bar
        self.clear_bar()
        self.stream.write(styled(text, style, self.colour) + "\n")
        if bar:
            self.draw_bar(bar)
        self.stream.flush()

    def note(self, mark: str, text: str, style: str = "") -> None:
        """One line for each line of `text`, marked."""
        for line in text.rstrip("\n").split("\n") or [""]:
            self.write_line("[%s] %s" % (mark, printable(line.rstrip("\r"))), style)

    def show_log(self, params: dict[str, Any]) -> None:
        """A log message of the server (server/utilities/logging)."""
        if not self.quiet:
            level, logger, data = params.get("level"), params.get("logger"), params.get("data")
            mark = "log %s%s" % (level, " " + str(logger) if logger is not None else "")
            self.note(printable(mark), data if isinstance(data, str) else compact_json(data),
                      SCREEN_STYLES.get(str(level), "31"))

    def show_stderr(self, line: str) -> None:
        self.note("server", line, SCREEN_STYLES["stderr"])

    def show_progress(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        """Draw the bar (basic/utilities/progress)."""
        if not self.is_terminal:
            return
        self.clear_bar()
        self.draw_bar(shortened(bar_text(progress, total, message), max(10, terminal_width() - 1)))
        self.stream.flush()

    def draw_bar(self, text: str) -> None:
        self.bar = text
        self.stream.write(text)

    def clear_bar(self) -> None:
        if self.bar:
            self.stream.write("\r" + " " * column_width(self.bar) + "\r")
            self.bar = ""
            self.stream.flush()


def bar_text(progress: Any, total: Any, message: Any) -> str:
    """`[######......]  50%  message`; without a total how far it is."""
    words = printable(message) if isinstance(message, str) else ""
    if isinstance(total, (int, float)) and total > 0:
        share = min(1.0, max(0.0, progress / total))
        filled = int(share * BAR_CELLS + 0.5)
        text = "[%s%s] %3d%%" % ("#" * filled, "." * (BAR_CELLS - filled), int(share * 100 + 0.5))
    else:
        text = "[%s] %g" % ("~" * BAR_CELLS, progress)
    return text + "  " + words if words else text


class StderrRelay:
    """The server's standard error, in a file, shown line by line as it grows."""

    def __init__(self, screen: CallScreen) -> None:
        self.screen = screen
        self.capture = StderrCapture()
        self.offset = 0
        self.rest = b""
        self.shown = False
        self.connecting = True
        self.hold_until = time.monotonic() + FIRST_WORDS_SECONDS

    def begin(self) -> None:
        """The server is started (again): what the first attempt said comes again, unless it has been shown."""
        if not self.shown:
            self.offset = os.fstat(self.capture.reader.fileno()).st_size

    def release(self) -> None:
        """The server answers, or it has failed: nothing is held back any more."""
        self.connecting = False

    def pump(self, hold: bool = True) -> None:
        """Show what has come."""
        if hold and self.connecting and time.monotonic() < self.hold_until:
            return
        self.capture.reader.seek(self.offset)
        data = self.capture.reader.read()
        if not data:
            return
        self.offset += len(data)
        if self.connecting and PROBE_METHOD in data:
            self.screen.show_stderr("(%d lines about our question server/discover, which older revisions do not have; "
                                    "--revision handshake leaves it out)" % data.count(b"\n"))
            return
        lines = (self.rest + data).split(b"\n")
        self.rest = lines.pop()
        for line in lines:
            self.shown = True
            self.screen.show_stderr(line.decode("utf-8", "replace"))
        if self.offset > CAPTURE_LIMIT and os.name != "nt":
            os.ftruncate(self.capture.write_fd, 0)
            self.offset = 0

    def finish(self) -> None:
        """The server has ended: show the rest."""
        self.release()
        self.pump()
        if self.rest:
            self.screen.show_stderr(self.rest.decode("utf-8", "replace"))
            self.rest = b""
        self.capture.close()


class RelayChannel:
    """A client's channel that looks at the server's standard error while it waits."""

    def __init__(self, channel: Any, relay: StderrRelay) -> None:
        self.channel, self.relay = channel, relay
        self.has_asked = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.channel, name)

    def read(self, timeout: float | None = None) -> Any:
        until = None if timeout is None else time.monotonic() + timeout
        while True:
            left = RELAY_SECONDS if until is None else min(RELAY_SECONDS, max(0.0, until - time.monotonic()))
            lines = self.channel.read(left)
            self.relay.pump()
            if lines or lines is None or until is not None and time.monotonic() >= until:
                return lines

    def write(self, data: bytes) -> None:
        """Before `initialize`: the server did not know our first question, or was not asked; what it said of it is one line."""
        if self.relay.connecting and b'"method":"initialize"' in data:
            self.relay.pump(hold=not self.has_asked)
        self.has_asked = True
        self.channel.write(data)


class ScreenProcess(ChildProcess):
    """A server whose standard error is relayed to the screen while the client waits."""

    def __init__(self, command: Any, relay: StderrRelay, **options: Any) -> None:
        self.relay = relay
        super().__init__(command, stderr=relay.capture.write_fd, **options)

    def start(self) -> None:
        self.relay.begin()
        super().start()
        self.channel: Any = RelayChannel(self.channel, self.relay)
