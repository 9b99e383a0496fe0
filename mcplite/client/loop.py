"""The loop of the asking end: what it does differently from a server's.

Here: ``ClientPeer``: messages served in the order in which they came, waiting for an answer with a time limit. Not here: what a
line is (``lines``), what is asked (``connection``, ``face``), processes (``system.child``).

Pages: basic/index, basic/lifecycle ("Timeouts"), basic/utilities/cancellation (2024-11-05 to 2025-11-25);
basic/patterns/cancellation, basic/transports/stdio (2026-07-28).

1. Messages are served in order, so progress and log messages reach their callbacks before the call that they belong to returns.
2. A request of the server is answered at once, under its own id: the two directions count on their own.
3. In a stateless conversation nothing is ever answered: a request of the server is noise (2026-07-28).
4. The clock of a request stands still while a callback answers a question of the server: a person may take their time.
5. What was not answered in time is cancelled (but for ``initialize``), and a late answer is ignored.
6. Ids and tokens are compared by value and type: "3" does not answer request 3, or a stray line would be a call's result. A
   server that sends numbers back as strings does so from its first answer on: while connecting it is told at once, by name;
   later such a line is counted as unmatched, and named if the time runs out, since the right answer may still come.
7. An answer that cannot be read ends its request at once. Where the request cannot be told, the only one that waits says so in
   its time-out's text.
"""
from __future__ import annotations

from ..answers import error_text, read_response, response_problem
from ..codec import encode
from ..errors import INTERNAL_ERROR, McpError
from ..jsonrpc import Notification, Request, Response, is_id, new_error, new_notification, new_request
from ..peer import NEST_LIMIT, Peer, is_handshake_ping
from ..stdio import monotonic
from .faults import RequestTimeout, ServerFault, ServerGone
from .lines import BadAnswer, ClientSession, Junk, cut_beginning, response_beginning

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Tuple

NOISE_LINES = 20            # of junk that are kept for error texts
LAST_WRITE_SECONDS = 0.2    # how long a cancellation may take to leave when the server does not read
DEAF_SECONDS = 1.0          # how long a server that reads no more may still answer
ATTEMPT_SECONDS = 1.0       # how long connecting goes on after a line that was meant as the answer and cannot be told to be one
MARK = '"jsonrpc"'          # no print has it by chance
PIECE_LIMIT = 2000          # lines of one message that came over several


class ClientPeer(Peer):
    """The client's loop. ``handlers`` answer the server's questions, ``notified`` take its notifications."""

    session: ClientSession

    def __init__(self, session: ClientSession, channel: "Any", handlers: "Dict[str, Callable[..., Any]]",
                 notified: "Dict[str, Callable[[Dict[str, Any]], Any]]", strict: bool = False) -> None:
        super().__init__(session, channel, handlers, notified, interrupt=False)
        self.map_error, self.on_cancelled = self.map_callback_error, self.end_stream
        self.strict = strict
        self.noise: "List[str]" = []
        self.noise_count = 0
        self.progress: "Dict[Any, Callable[..., Any]]" = {}          # token → callback
        self.streams: "Dict[Any, Any]" = {}         # id of an open subscriptions/listen → its Subscription (news)
        self.waiting: "Dict[int, Optional[float]]" = {}              # our open requests → when their time is up
        self.attempts: "Dict[int, Tuple[str, str, float]]" = {}      # our open requests → what looks like the answer (7), and when
        self.pieces: "List[str]" = []               # lines of junk since an object began
        self.open_brackets = 0                      # in them
        self.connecting = True                      # until the revision is settled
        self.depth = 0                              # callbacks inside callbacks
        self.failure: "Optional[BaseException]" = None               # what a callback raised, until the call that waits raises it
        self.callback_seconds = 0.0                 # spent in answers to the server's questions (4)
        self.explain_end: "Callable[[str], ServerGone]" = lambda method: ServerGone("the connection is closed")
        self.explain_silence: "Callable[[], str]" = lambda: ""

    # Asking

    def ask_as(self, request_id: int, method: str, params: "Optional[Dict[str, Any]]", timeout: "Optional[float]",
               cancellable: bool = True) -> "Dict[str, Any]":
        """Send a request under ``request_id`` and serve what comes until it is answered; return the result.

        Raises ``McpError``: the error answered, ``RequestTimeout`` after ``timeout`` seconds, ``ServerGone``.
        """
        line = new_request(request_id, method, params)      # what JSON cannot hold fails here, before anything is sent
        self.answers[request_id] = None
        try:
            self.send_request(line, method)
            response = self.await_response(request_id, method, timeout)
            if response is None:
                raise self.new_timeout(request_id, method, timeout)
            return self.read_answer(response, method)
        except BaseException as error:
            if cancellable and self.answers[request_id] is None and not self.at_end:
                self.cancel(request_id, "timed out" if isinstance(error, RequestTimeout) else "the caller has given up")
            raise
        finally:
            del self.answers[request_id]
            self.attempts.pop(request_id, None)

    def new_timeout(self, request_id: int, method: str, timeout: "Optional[float]") -> RequestTimeout:
        attempt = self.attempts.get(request_id)
        told = "" if attempt is None else "; a line that looks like its answer could not be read: %s: %s" % attempt[:2]
        return RequestTimeout("%s was not answered within %g seconds%s%s" % (method, timeout or 0, told, self.explain_silence()))

    def read_answer(self, answer: "Any", method: str) -> "Dict[str, Any]":
        """Return the result of an answer. Raises ``ServerFault`` for one that cannot be read (7), ``McpError`` for an error."""
        if isinstance(answer, BadAnswer):
            raise ServerFault("%s (request %s) was answered with a line that cannot be read: %s; the line begins: %s"
                              % (method, encode(answer.id), answer.reason, answer.beginning))
        problem, error = response_problem(answer, method), answer.error
        if problem is not None:
            raise ServerFault(problem + (self.explain_silence() if self.connecting else ""))
        if error is not None and (method == "initialize" or not error_text(error)):
            raise McpError(error["code"], "%s was answered with error %d%s%s" % (
                method, error["code"], ": " + error_text(error) if error_text(error) else ", which has no message",
                self.explain_silence()), error.get("data"))
        return read_response(answer, method)

    def send_request(self, line: str, method: str) -> None:
        try:
            self.write_now(line)
        except BrokenPipeError:
            raise self.explain_end(method) from None

    def await_response(self, request_id: int, method: str, timeout: "Optional[float]") -> "Optional[Response]":
        """Serve what comes until ``request_id`` is answered; None when the time is up. Raises ``ServerGone`` at the end."""
        since = monotonic() - self.callback_seconds
        if not self.waiting:
            self.pieces.clear()
        self.waiting[request_id] = None
        try:
            while self.answers[request_id] is None:
                if self.serve_waiting():
                    continue
                left, limit = None, self.shorten_limit(request_id, timeout, since)
                if limit is not None:
                    now = monotonic()
                    left = limit - (now - self.callback_seconds - since)
                    if left <= 0:
                        if limit != timeout:                # only a line that was meant as the answer is worth no longer wait
                            self.answers[request_id] = BadAnswer(  # type: ignore[assignment]
                                request_id, *self.attempts[request_id][:2])
                        return self.answers[request_id]
                    self.waiting[request_id] = now + left
                if not self.take_input(left):
                    raise self.explain_end(method)
        finally:
            self.waiting.pop(request_id, None)
        return self.answers[request_id]

    def shorten_limit(self, request_id: int, timeout: "Optional[float]", since: float) -> "Optional[float]":
        """While connecting, a line of the protocol that was meant as the answer, but cannot be told to be, ends the wait soon."""
        attempt = self.attempts.get(request_id)
        if not self.connecting or attempt is None or MARK not in attempt[1]:
            return timeout
        until = attempt[2] - since + ATTEMPT_SECONDS
        return until if timeout is None or until < timeout else timeout

    def take_input(self, timeout: "Optional[float]") -> bool:
        """Wait for lines and put them in the inbox; false at the end, and where a server that reads no more says nothing."""
        if self.at_end:                                     # closed by a callback, perhaps
            return False
        deaf = bool(self.channel.write_failed)
        if deaf and (timeout is None or timeout > DEAF_SECONDS):
            timeout = DEAF_SECONDS
        try:
            lines = self.channel.read(timeout)
        except BrokenPipeError:                             # in memory: the other end wrote to us while it closed
            lines = None
        if lines is None:
            self.at_end = True
            return False
        lines.reverse()
        self.inbox[:0] = lines
        return bool(lines) or not deaf

    def serve_waiting(self) -> bool:
        """Serve the oldest message that may be served now; raise what its callback raised. False when there is none."""
        served = self.serve_oldest()
        failure, self.failure = self.failure, None
        if failure is not None:
            raise failure
        return served

    def serve_oldest(self) -> bool:
        """Serve one message, in order (1); callbacks nest to a bounded depth, answers and pings always pass."""
        inbox = self.inbox
        for index in range(len(inbox) - 1, -1, -1):
            item = inbox[index]
            if isinstance(item, bytes):
                item = inbox[index] = self.session.receive(item)
            if self.depth < NEST_LIMIT or not isinstance(item, (Request, Notification)) \
                    or isinstance(item, Request) and is_handshake_ping(item):
                del inbox[index]
                if item is not None:
                    self.serve_item(item)
                    self.flush_replies()
                return True
        return False

    def flush_replies(self) -> None:
        try:
            self.flush()
        except BrokenPipeError:                             # reading will tell that the server has gone
            pass

    def cancel(self, request_id: "Any", reason: str) -> None:
        """``notifications/cancelled``: the answer to our ``request_id`` is not wanted any more (5)."""
        self.notify_now(new_notification("notifications/cancelled", {"requestId": request_id, "reason": reason}),
                        LAST_WRITE_SECONDS)

    def notify_now(self, line: str, timeout: "Optional[float]") -> bool:
        """Write ``line`` and see that it leaves; false when nobody reads any more, or not in time."""
        try:
            self.write_now(line)
        except BrokenPipeError:
            return False
        drain = getattr(self.channel, "drain", None)
        return bool(drain is None or drain(timeout))

    # Serving

    def serve_event(self, event: "Any") -> None:
        if isinstance(event, Junk):
            self.take_junk(event)
        elif isinstance(event, BadAnswer):
            self.take_response(event)
        elif isinstance(event, str) and self.session.stateless:
            self.note_noise("a request")
        else:
            super().serve_event(event)

    def take_junk(self, junk: Junk) -> None:
        """Note a line that is no message; where it is the last of several that are an answer together, that is a bad answer."""
        self.note_noise(junk.text)
        whole = self.join_pieces(junk.text)
        answer: "Any" = self.session.receive(whole.encode("utf-8", "replace")) if whole is not None else None
        if isinstance(answer, (Response, BadAnswer)) and self.find_open(answer.id, self.answers) is not None:
            assert whole is not None
            self.take_response(BadAnswer(answer.id, "it is spread over several lines, and a message is one line", whole))
        elif junk.is_attempt:
            self.note_attempt(junk.reason or "it is part of a message", junk.text)

    def join_pieces(self, text: str) -> "Optional[str]":
        """Return the whole of an object that came over several lines, with its last line; else None."""
        if not self.waiting or not self.pieces and text[:1] not in ("{", "["):
            return None
        self.pieces.append(text)
        opened = sum(map(text.count, "{[")) - sum(map(text.count, "}]"))
        self.open_brackets = opened if len(self.pieces) == 1 else self.open_brackets + opened
        if self.open_brackets > 0 and len(self.pieces) < PIECE_LIMIT:
            return None
        pieces, self.pieces = self.pieces, []
        return " ".join(pieces) if len(pieces) > 1 else None

    def note_attempt(self, reason: str, text: str, request_id: "Any" = None) -> None:
        """Remember what looks like the answer to ``request_id``, else to the only request that waits (7)."""
        if request_id is None and len(self.waiting) == 1:
            request_id = next(iter(self.waiting))
        known = self.attempts.get(request_id)
        if request_id is not None and (known is None or MARK not in known[1] or MARK in text):
            self.attempts[request_id] = (reason, cut_beginning(text), monotonic())

    def note_noise(self, text: str, fault: str = "") -> None:
        """Keep what is no message for error texts, the newest NOISE_LINES of them; an error under ``strict``."""
        self.noise_count += 1
        self.noise.append(text)
        del self.noise[:-NOISE_LINES]
        if self.strict:
            self.failure = ServerFault(fault or "the server wrote a line that is no message: %s" % text)

    def serve_request(self, request: "Any") -> None:
        if self.session.stateless:
            self.note_noise("the request %s" % request.method, "the server broke the protocol: it sent the request %s, but a "
                            "server of this revision sends none; it asks in its results" % request.method)
            return
        running, since = len(self.running), monotonic()
        self.depth += 1
        try:
            super().serve_request(request)
        finally:
            del self.running[running:]
            self.depth -= 1
            if self.depth == 0:
                self.callback_seconds += monotonic() - since

    def serve_notification(self, event: Notification) -> None:
        self.depth += 1
        try:
            if event.method == "notifications/progress":
                self.notifications_progress(event.params)
            else:
                super().serve_notification(event)
        finally:
            self.depth -= 1

    def notifications_progress(self, params: "Dict[str, Any]") -> None:
        """``notifications/progress`` goes to the callback of its call; for any other token it is ignored (utilities/progress)."""
        callback = self.progress.get(self.find_open(params.get("progressToken"), self.progress))
        if callback is not None and isinstance(params.get("progress"), (int, float)):
            try:
                callback(params["progress"], params.get("total"), params.get("message"))
            except Exception as error:                      # it leaves the call, which is cancelled
                self.failure = error

    def take_response(self, response: "Any") -> None:
        """Take an answer, a ``BadAnswer`` too, for the request that it names (6)."""
        request_id = self.find_open(response.id, self.answers)
        if request_id is not None and self.answers[request_id] is None:
            self.answers[request_id] = response
            return
        stream = self.streams.pop(self.find_open(response.id, self.streams), None)
        if stream is not None:
            stream._take_end(response)
            return
        self.unmatched += 1
        if isinstance(response, BadAnswer):
            self.note_noise(response.beginning)
        elif response.id is None and response.error is not None:
            self.note_noise("an error without id: %s" % encode(response.error))
            self.note_attempt("it is an error without id", encode(response.error))
        elif response.id.__class__ is str:
            self.note_twin(response)
        elif not 0 < response.id <= self.session.last_id:
            self.note_attempt("its id is %s, which is no request's" % encode(response.id), response_beginning(response))

    def end_stream(self, request_id: "Any") -> None:
        """The server tears a stream down (2026-07-28, basic/patterns/cancellation)."""
        stream = self.streams.get(self.find_open(request_id, self.streams))
        if stream is not None:
            stream._end("cancelled by the server")

    def note_twin(self, response: Response) -> None:
        """An answer whose id is the text of a number that is open (6)."""
        number = next((number for number in self.answers if str(number) == response.id), None)
        if number is None or self.answers[number] is not None:
            return
        reason = "its id is the string %s, that of the request is the number %d" % (encode(response.id), number)
        beginning = response_beginning(response)
        if self.connecting:
            self.answers[number] = BadAnswer(number, reason, beginning)  # type: ignore[assignment]
        else:
            self.note_attempt(reason, beginning, number)

    def find_open(self, given: "Any", table: "Dict[Any, Any]") -> "Any":
        """Return the key of ``table`` that an id or token of the server is, by value and type (6); None where it is none."""
        return given if is_id(given) and given in table else None

    def map_callback_error(self, request: Request, error: BaseException) -> str:
        """Return the reply where a callback raised: ``McpError`` is its answer; anything else leaves the call that waits, too."""
        if isinstance(error, McpError):
            return new_error(request.id, error.code, error.message, error.data)
        if not isinstance(error, Exception):
            raise error
        self.failure = error
        return new_error(request.id, INTERNAL_ERROR, "the callback for %s failed: %s" % (request.method, type(error).__name__))

    # In memory

    def run_step(self) -> None:
        """What the other end runs while it waits for us in one thread: serve its questions, notice time limits."""
        for request_id, until in list(self.waiting.items()):
            if until is not None and monotonic() >= until and self.answers.get(request_id, self) is None:
                self.waiting[request_id] = None
                self.cancel(request_id, "timed out")
        lines = self.channel.take_lines()
        if lines:
            lines.reverse()
            self.inbox[:0] = lines
        while self.serve_oldest():                          # a failure waits for the call that waits: these are the server's frames
            pass
