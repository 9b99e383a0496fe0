"""One conversation with the server under test: a process, what is asked of it, and how it ends.

Here: starting and ending the process, asking and waiting. Not here: the judge of what comes (`lines`, `messages`), what is tried
(`steps` and the eras).

Pages: basic/lifecycle, "Shutdown" of 2025-11-25; basic/transports/stdio of 2026-07-28.

1. A fault is noted and then forgiven (`lines`, `messages`): a missing line feed, a lost id. What comes after it is still tried.
2. Every wait is bounded. A server that ends or falls silent raises `LaneOver`; whoever tries says what it was tried
   with (`trying`).
3. Nothing is waited for to see that it does not come: a request that is answered in order (`settle`) marks the
   moment.
4. However a lane ends, its process group is ended: a lane is used in a `with` statement.
"""
from __future__ import annotations

import os

from ...codec import encode
from ...jsonrpc import new_notification, new_request
from ...revisions import CLIENT_CAPABILITIES_KEY, CLIENT_INFO_KEY, VERSION_KEY
from ...stdio import monotonic
from .findings import shorten_evidence
from .lines import split_messages
from .messages import MessageJudge, PendingAsk, id_mark
from .processes import processes_left

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .facts import CheckSettings
    from .findings import Findings

MARKED_SECONDS = 1.0  # how long an answer may come after that of a later request
UNFINISHED_SECONDS = 0.02  # how long more is waited for, where lines do not end
FLOOD_BYTES = 64 * 1024
LAST_WORDS = 200  # characters of standard error
TRACEBACK_HEAD = "Traceback (most recent call last):"


class LaneOver(Exception):
    """The server has ended, or says nothing any more; the text says which."""


class CheckLane(MessageJudge):
    """A running server. It begins with the revision `date`; `judged` says whether its end is judged, too."""

    def __init__(self, settings: CheckSettings, findings: Findings, date: str) -> None:
        from ...system.child import ChildProcess

        super().__init__(findings, date)
        self.settings, self.first_date = settings, date
        self.last_sent: bytes = b""
        self.marker = "server/discover" if self.row.stateless else "ping"  # what `settle` sends
        self.over = self.judged = self.finished = False
        self.number = 0
        self.since = monotonic()
        self.child = ChildProcess(settings.command, settings.env, settings.inherit_env)

    def __enter__(self) -> CheckLane:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self.finish(self.judged and kind is None)

    # -- saying something

    def trying(self, *names: str) -> None:
        """From here on these checks are made; a server that ends now fails the first of them."""
        self.findings.tries(*names)
        self.blame = names[0]

    def has_declared(self, capability: str) -> bool:
        return capability in (self.capabilities or {})

    def write_line(self, line: bytes) -> None:
        self.child.channel.write(line + b"\n")

    def send_line(self, line: bytes) -> None:
        """Send one line; `line` has no line feed."""
        self.last_sent = line
        self.write_line(line)

    def notify(self, method: str, params: dict[str, Any] | None = None) -> None:
        self.notified += 1
        self.send_line(new_notification(method, params).encode().rstrip(b"\n"))

    def next_id(self) -> int:
        self.number += 1
        return self.number

    def expect(self, request_id: Any, method: str, params: dict[str, Any] | None = None) -> PendingAsk:
        """Note that a request with this id is under way; the caller sends its line."""
        asked = self.pending[id_mark(request_id)] = PendingAsk(request_id, method, params)
        return asked

    def request_line(self, request_id: Any, method: str, **params: Any) -> bytes:
        """The line of a request, for those that are not sent in the usual way."""
        message: dict[str, Any] = {"jsonrpc": "2.0", "id": request_id, "method": method}
        if self.row.stateless:
            params["_meta"] = stateless_meta(self.date)
        if params:
            message["params"] = params
        return encode(message).encode()

    def start_ask(self, method: str, params: dict[str, Any] | None = None, request_id: Any = None) -> PendingAsk:
        """Send a request without waiting; at 2026-07-28 with its _meta."""
        request_id = self.next_id() if request_id is None else request_id
        if self.row.stateless:
            params = dict(params or {})
            params["_meta"] = dict(stateless_meta(self.date), **params.get("_meta", {}))
        asked = self.expect(request_id, method, params)
        self.send_line(new_request(request_id, method, params).encode().rstrip(b"\n"))
        return asked

    def ask(self, method: str, params: dict[str, Any] | None = None, request_id: Any = None,
            timeout: float | None = None) -> PendingAsk:
        """Send a request and wait for its answer, at most the time limit; raises LaneOver when the server is gone."""
        asked = self.start_ask(method, params, request_id)
        self.wait_for(asked, self.settings.timeout if timeout is None else timeout)
        return asked

    def need(self, check: str, method: str, params: dict[str, Any] | None = None) -> PendingAsk:
        """Ask; a missing answer is a finding of `check`."""
        asked = self.ask(method, params)
        if asked.answer is None:
            self.report(check, "%s is not answered within %g s" % (method, self.settings.timeout), self.last_sent, "unanswered")
            self.forget(asked)
        return asked

    # -- hearing something

    def wait_for(self, asked: PendingAsk, timeout: float) -> None:
        until = monotonic() + timeout
        while asked.answer is None:
            left = until - monotonic()
            if left <= 0:
                self.adopt_stray(asked)
                self.adopt_unfinished()
                return
            if not self.settings.unfinished:
                self.hear(left)
            elif not self.hear(min(left, UNFINISHED_SECONDS)):
                self.adopt_unfinished()

    def hear(self, timeout: float) -> bool:
        """Take in what comes within `timeout` seconds; raises LaneOver at the end of the server's output."""
        lines = self.child.channel.read(timeout)
        if lines is None:
            self.over = True
            raise LaneOver("the server ends" if self.child.has_exited(0.5) else "the server closes its output")
        for line in lines:
            self.take_line(line)
        self.child.rest()
        return bool(lines)

    def hear_marker(self) -> None:
        """Wait until a request sent now is answered, which shows that the server lives."""
        if self.ask(self.marker).answer is None:
            raise LaneOver("the server answers nothing any more")

    def settle(self, adopting: bool = True, errors: int = 0) -> None:
        """Wait until everything sent so far has been dealt with: until a request sent now is answered, and a little longer.

        `adopting`: responses to nothing are taken as the answers that are missing (1). `errors`: so many without an id may come.
        """
        last = self.last_sent
        self.no_id_allowed += errors
        try:
            self.hear_marker()
        finally:
            self.last_sent = last  # what counts is what the server got before
        grace = self.settings.grace_seconds
        until = monotonic() + (grace if not self.open_asks() else min(MARKED_SECONDS, self.settings.timeout))
        while True:
            left = until - monotonic()
            if left <= 0:
                break
            self.hear(left)
            if not self.open_asks():
                until = min(until, monotonic() + grace)
        for asked in self.open_asks() if adopting else ():
            self.adopt_stray(asked)
        if errors:
            self.no_id_allowed = 0

    def open_asks(self) -> list[PendingAsk]:
        return [asked for asked in self.pending.values() if asked.answer is None and asked.method != "subscriptions/listen"]

    def forget(self, *asks: PendingAsk) -> None:
        """Stop waiting for these: what still comes for them is late, not wrong."""
        for asked in asks:
            if self.pending.pop(id_mark(asked.request_id), None) is not None:
                self.forgotten.add(id_mark(asked.request_id))

    def adopt_stray(self, asked: PendingAsk) -> None:
        """Take a response that belongs to nothing as the answer to `asked`, which has none: its id came back changed (1)."""
        if asked.answer is None and self.strays:
            message, _ = self.strays.pop(0)
            ids = (encode(asked.request_id), shorten_evidence(message.get("id")))
            self.report("id-echo", "the answer to id %s comes with id %s" % ids, message)
            self.finish_ask(asked, message)

    def adopt_unfinished(self) -> None:
        """Answers may be there, without the line feed that ends them."""
        splitter = self.child.channel.splitter
        texts = split_messages(b"".join(splitter.parts))
        if texts:
            self.settings.unfinished = True
            self.report("one-line", "a message is not ended by a line feed", texts[0])
            splitter.parts.clear()
            splitter.held = 0
            for text in texts:
                self.take_line(text)

    def take_strays(self, check: str) -> list[dict[str, Any]]:
        """The responses to nothing that came while `check` was made; they are no longer strays."""
        found = [message for message, blame in self.strays if blame == check]
        self.strays = [pair for pair in self.strays if pair[1] != check]
        return found

    # -- the end

    def last_words(self) -> str:
        return self.child.read_tail()[-LAST_WORDS:]

    def end_input(self) -> None:
        """Close the server's standard input, as a client does that has had enough."""
        if not self.input_ended:
            self.input_ended = True
            self.child.channel.drain(1.0)
            self.child.channel.end_input(self.child.process.stdin.close)

    def finish(self, judged: bool) -> None:
        """End the input, hear what still comes, judge how the process ends, and end it whatever it does (4)."""
        if self.finished:
            return
        self.finished = True
        try:
            if judged and not self.over:
                self.trying("exit-at-end", "exit-status", "orphans", "late-output")
            self.end_input()
            waited = self.wait_exit(self.settings.exit_seconds)
            self.judge_strays()
            if judged:
                self.judge_exit(waited)
                self.judge_stderr()
        finally:
            self.child.close(0.2)

    def wait_exit(self, seconds: float) -> float | None:
        """Hear until the process has ended; the seconds it took, None when it did not."""
        since = monotonic()
        quiet_until: float | None = None  # its output may be held open by what it started: not for ever
        while monotonic() - since < seconds and not (quiet_until is not None and monotonic() > quiet_until):
            lines = [] if self.over else self.child.channel.read(0.02)
            self.over = self.over or lines is None
            for line in lines or []:
                self.take_line(line)
            if self.child.has_exited(0.02 if self.over else 0) and (self.over or quiet_until is None):
                quiet_until = monotonic() + (0 if self.over else 0.1)
        self.drop_partial()
        return monotonic() - since if self.child.has_exited(0) else None

    def judge_exit(self, waited: float | None) -> None:
        process, seconds = self.child.process, self.settings.exit_seconds
        if waited is None:
            self.child.signal_group(False)
            if self.child.has_exited(seconds):
                self.report("exit-at-end", "the server does not end within %g s of the end of input; SIGTERM ends it" % seconds)
            else:
                self.report("exit-at-end", "the server ends neither at the end of input nor at SIGTERM", "", "error")
            return
        if process.returncode != 0:
            self.report("exit-status", self.child.describe(), self.last_words())
        left = processes_left(process.pid)
        if left:
            self.report("orphans", "a process that the server started is still there", left[0])

    def judge_stderr(self) -> None:
        capture = self.child.capture
        if capture is None:
            return
        self.findings.tries("stderr-flood", "traceback")
        if os.fstat(capture.reader.fileno()).st_size > FLOOD_BYTES:
            self.report("stderr-flood", "more than 64 KiB on standard error", self.last_words())
        tail = self.child.read_tail()
        if TRACEBACK_HEAD in tail:
            lines = tail.rpartition(TRACEBACK_HEAD)[2].splitlines()
            seen = next((line for line in lines if line[:1].isalpha()), self.last_words())
            self.report("traceback", "a traceback on standard error", seen)


def stateless_meta(date: str) -> dict[str, Any]:
    """The `_meta` that every request has at 2026-07-28."""
    return {VERSION_KEY: date, CLIENT_INFO_KEY: {"name": "mcplite check", "version": "1"}, CLIENT_CAPABILITIES_KEY: {}}
