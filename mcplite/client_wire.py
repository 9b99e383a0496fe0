"""The asking end of a conversation: what a client's session and loop do differently from a server's.

Here: ``ClientSession`` (lines that are no messages are junk, never answered), ``ClientPeer`` (messages served in the order in
which they came, waiting for an answer with a time limit). Not here: methods (``client``), processes (``stdio_process``).

Pages: basic/index, basic/lifecycle ("Timeouts"), basic/utilities/cancellation (2024-11-05 to 2025-11-25);
basic/patterns/cancellation, basic/transports/stdio (2026-07-28).

1. Messages are served in order, so progress and log messages reach their callbacks before the call that they belong to returns.
2. A request of the server is answered at once, under its own id: the two directions count on their own.
3. In a stateless conversation nothing is ever answered: a request of the server breaks the protocol (2026-07-28).
4. The clock of a request stands still while a callback answers a question of the server: a person may take their time.
5. What was not answered in time is cancelled (but for ``initialize``), and a late answer is ignored.
"""
from __future__ import annotations

from .codec import DecodeError, decode, encode
from .errors import CONNECTION_CLOSED, INTERNAL_ERROR, INVALID_PARAMS, REQUEST_TIMEOUT, McpError
from .jsonrpc import is_id, new_error, new_notification, new_request
from .jsonrpc_lines import OverlongLine
from .peer import Peer
from .peer_ahead import is_handshake_ping
from .peer_asking import NEST_LIMIT, read_response
from .session import BYTE_ORDER_MARK, LINE_BLANKS, NO_META, Notification, Request, Response, Session
from .stdio import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional

    from .codec import NumberRangeError
    from .session import Event

NOISE_LINES = 20            # of junk that are kept for error texts
NOISE_CHARACTERS = 200      # of each
LAST_WRITE_SECONDS = 0.2    # how long a cancellation may take to leave when the server does not read
DEAF_SECONDS = 1.0          # how long a server that reads no more may still answer


class RequestTimeout(McpError):
    """No answer came in time; code -32001. The request has been cancelled, a late answer is ignored."""

    def __init__(self, message: str) -> None:
        super().__init__(REQUEST_TIMEOUT, message)


class ServerGone(McpError):
    """The server has ended, or closed its output; code -32000. ``data`` holds command, status and the end of its standard error."""

    def __init__(self, message: str, data: "Any" = None) -> None:
        super().__init__(CONNECTION_CLOSED, message, data)


class ServerFault(McpError):
    """The server broke the protocol, so that its answer cannot be used; code -32603."""

    def __init__(self, message: str, data: "Any" = None) -> None:
        super().__init__(INTERNAL_ERROR, message, data)


class Junk:
    """A line that is no message, as it can be shown."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text if len(text) <= NOISE_CHARACTERS else text[:NOISE_CHARACTERS] + "..."


class ClientSession(Session):
    """What the client's end knows. ``stateless`` is true once the server has turned out to speak 2026-07-28."""

    def __init__(self, our_info: "Dict[str, Any]") -> None:
        super().__init__("client", our_info)
        self.stateless = False

    def receive(self, line: bytes) -> "Event":
        """Return the event of one line of bytes; None for a blank one, ``Junk`` for what is no message."""
        try:
            message = decode(line)
        except DecodeError as error:
            return self.receive_undecodable(line, error)
        if message.__class__ is dict:
            return self.receive_message(message)
        if message.__class__ is list:
            from .session_unusual import receive_batch

            return receive_batch(self, message)
        return Junk(encode(message))  # type: ignore[return-value]

    def receive_undecodable(self, line: bytes, error: DecodeError) -> "Event":
        first, self.lines_seen = not self.lines_seen, True
        if line.__class__ is OverlongLine:
            return Junk("a line over the limit of %d bytes" % getattr(line, "limit", 0))  # type: ignore[return-value]
        if first and line.startswith(BYTE_ORDER_MARK):
            return self.receive(line[len(BYTE_ORDER_MARK):])
        if not line.strip(LINE_BLANKS):
            return None
        from .codec import NumberRangeError

        if isinstance(error, NumberRangeError):
            return self.receive_unholdable(line, error)
        return Junk(line[:4 * NOISE_CHARACTERS].decode("utf-8", "backslashreplace").strip())  # type: ignore[return-value]

    def receive_unholdable(self, line: bytes, error: "NumberRangeError") -> "Event":
        """A number that no float can hold: where an answer has one, the request that it answers fails and none other."""
        import json

        event = self.receive(encode(json.loads(line.decode("utf-8"), parse_float=lambda digits: 0)).encode())
        if isinstance(event, Response):
            return Response(event.id, None, {"code": INTERNAL_ERROR, "message": "the answer cannot be read: %s" % error})
        return Junk("%s in: %s" % (error, line[:NOISE_CHARACTERS].decode("utf-8", "replace")))  # type: ignore[return-value]

    def reply_without_id(self, code: int, message: str) -> "Any":
        return Junk(message)

    def receive_message(self, message: "Dict[str, Any]") -> "Event":
        """Classify one object; what is no message is junk (basic/index, "Messages")."""
        self.lines_seen = True
        method, params, has_id = message.get("method"), message.get("params"), "id" in message
        if message.get("jsonrpc") == "2.0":
            if method.__class__ is str:
                if not has_id:
                    return Notification(method, params if params.__class__ is dict else {})
                if is_id(message["id"]):
                    return self.receive_request(message["id"], method, params)
            elif "method" not in message and ("result" in message or "error" in message):
                return Response(message.get("id"), message.get("result"), message.get("error"))
        return Junk(encode(message))  # type: ignore[return-value]

    def receive_request(self, request_id: "Any", method: str, params: "Any") -> "Event":
        if params is None:
            params = {}
        elif params.__class__ is not dict and not self.stateless:
            return new_error(request_id, INVALID_PARAMS, "Invalid params: params must be an object")
        meta = params.get("_meta") if params.__class__ is dict else None
        return Request(request_id, method, params, self.row, meta if meta.__class__ is dict else NO_META)


class ClientPeer(Peer):
    """The client's loop. ``handlers`` answer the server's questions, ``notified`` take its notifications."""

    session: ClientSession

    def __init__(self, session: ClientSession, channel: "Any", handlers: "Dict[str, Callable[..., Any]]",
                 notified: "Dict[str, Callable[[Dict[str, Any]], Any]]", strict: bool = False) -> None:
        super().__init__(session, channel, handlers, notified, interrupt=False)
        self.map_error = self.map_callback_error
        self.strict = strict
        self.noise: "List[str]" = []
        self.noise_count = 0
        self.progress: "Dict[Any, Callable[..., Any]]" = {}          # token → callback
        self.streams: "Dict[Any, Callable[[Response], None]]" = {}   # id of an open subscriptions/listen → what takes its end
        self.waiting: "Dict[int, Optional[float]]" = {}              # our open requests → when their time is up
        self.depth = 0                              # callbacks inside callbacks
        self.failure: "Optional[BaseException]" = None               # what a callback raised, until the call that waits raises it
        self.callback_seconds = 0.0                 # spent in answers to the server's questions (4)
        self.explain_end: "Callable[[str], McpError]" = lambda method: ServerGone("the connection is closed")
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
                raise RequestTimeout("%s was not answered within %g seconds%s" % (method, timeout or 0, self.explain_silence()))
            return read_response(response, method)
        except BaseException as error:
            if cancellable and self.answers[request_id] is None and not self.at_end:
                self.cancel(request_id, "timed out" if isinstance(error, RequestTimeout) else "the caller has given up")
            raise
        finally:
            del self.answers[request_id]

    def send_request(self, line: str, method: str) -> None:
        try:
            self.write_now(line)
        except BrokenPipeError:
            raise self.explain_end(method) from None

    def await_response(self, request_id: int, method: str, timeout: "Optional[float]") -> "Optional[Response]":
        """Serve what comes until ``request_id`` is answered; None when the time is up. Raises ``ServerGone`` at the end."""
        since = monotonic() - self.callback_seconds
        try:
            while self.answers[request_id] is None:
                if self.serve_waiting():
                    continue
                left = None
                if timeout is not None:
                    now = monotonic()
                    left = timeout - (now - self.callback_seconds - since)
                    if left <= 0:
                        return None
                    self.waiting[request_id] = now + left
                if not self.take_input(left):
                    raise self.explain_end(method)
        finally:
            self.waiting.pop(request_id, None)
        return self.answers[request_id]

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
        """Tell the server that the answer to our ``request_id`` is not wanted any more (5)."""
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
            self.note_noise(event.text)
        elif isinstance(event, str) and self.session.stateless:
            self.note_noise("a request")
        else:
            super().serve_event(event)

    def note_noise(self, text: str) -> None:
        """Keep a line that is no message for error texts, the newest NOISE_LINES of them."""
        self.noise_count += 1
        self.noise.append(text)
        del self.noise[:-NOISE_LINES]
        if self.strict:
            self.failure = ServerFault("the server wrote a line that is no message: %s" % text)

    def serve_request(self, request: "Any") -> None:
        if self.session.stateless:
            self.failure = ServerFault("the server broke the protocol: it sent the request %s, but a server of this revision "
                                       "sends none; it asks in its results" % request.method)
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
                self.serve_progress(event.params)
            else:
                super().serve_notification(event)
        finally:
            self.depth -= 1

    def serve_progress(self, params: "Dict[str, Any]") -> None:
        """Hand progress to the callback of the call that it belongs to; for any other token it is ignored (utilities/progress)."""
        callback = self.progress.get(self.find_open(params.get("progressToken"), self.progress))
        if callback is not None and isinstance(params.get("progress"), (int, float)):
            try:
                callback(params["progress"], params.get("total"), params.get("message"))
            except Exception as error:                      # it leaves the call, which is cancelled
                self.failure = error

    def take_response(self, response: Response) -> None:
        request_id = self.find_open(response.id, self.answers)
        if request_id is not None and self.answers[request_id] is None:
            self.answers[request_id] = response
            return
        stream = self.streams.pop(self.find_open(response.id, self.streams), None)
        if stream is not None:
            stream(response)
            return
        self.unmatched += 1
        if response.id is None and response.error is not None:
            self.note_noise("an error without id: %s" % encode(response.error))

    def find_open(self, given: "Any", table: "Dict[Any, Any]") -> "Any":
        """Return the key of ``table`` that an id or token of the server means; some servers send back a number as a string."""
        if is_id(given):
            if given in table:
                return given
            if given.__class__ is str and given.isdigit() and len(given) < 19 and int(given) in table:
                return int(given)
        return None

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
        lines = self.channel.take_waiting()
        if lines:
            lines.reverse()
            self.inbox[:0] = lines
        while self.serve_oldest():                          # a failure waits for the call that waits: these are the server's frames
            pass
