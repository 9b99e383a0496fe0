"""The only loop: joins a session to a channel, either role.

Here: the order in which events are served, what may not wait while a handler runs, when replies are written. Not here: what a
method does (``handlers``, ``client``), questions to the other end (``asking``), how bytes travel (``stdio``).

Pages: basic/utilities/cancellation and ping (2024-11-05 to 2025-11-25), basic/patterns/cancellation (2026-07-28).

The loop in sentences:
  1. Wait for lines. All lines of one read wait in ``inbox``, oldest last, parsed one by one as their turn comes.
  2. Responses, cancellations and pings are taken as soon as they are seen; requests and other notifications in order.
  3. A request runs its handler; one function maps the outcome to one reply. A cancelled request gets none.
  4. Replies to one read leave in one write, but nobody waits for a slow neighbour: past 1 ms or 64 KiB they leave at once.
  5. While a handler waits for an answer, the same reading goes on: pings, responses, other requests too, to NEST_LIMIT.
  6. While a handler computes, the tick looks at what came: pings are answered, the handler is left when it was cancelled
     or has passed its time limit. Never during a write, never twice at once.
  7. At the end of input what was read is still answered; after that nothing is written.

Rejected: a reader thread (hosts embed us in interpreters where threads are trouble, and a tool that computes in C holds the
lock anyway); asyncio (45 ms of imports, and tools would have to be written for it).
"""
import sys

from .errors import (
    INTERNAL_ERROR,
    METHOD_NOT_FOUND,
    Cancelled,
    InvalidResult,
    McpError,
    Shutdown,
    TimeLimit,
)
from .jsonrpc import Batch, Notification, Request, Response, new_error, same_id
from .stdio import STOP_ASKED, monotonic, unwatch_forks, watch_forks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional

    from .session import Session
    from .stdio_timer import IntervalTimer

LARGE_LINE = 1 << 20        # bytes; a longer line is freed before it is parsed
NEST_LIMIT = 8              # handlers inside handlers while questions are open; deeper requests wait their turn
WAITING_LIMIT = 1000        # lines read ahead during a long call; beyond that the pipe holds them
STACK_ROOM = 100            # frames that a tick may need
FLUSH_SECONDS = 0.001
FLUSH_CHARACTERS = 65536

NO_REPLY: "Any" = object()  # a handler's result where its request stays open (subscriptions/listen)


class Peer:
    """One end at work: ``handlers`` maps a method to ``function(params, ctx)``, ``notified`` one to ``function(params)``."""

    def __init__(self, session: "Session", channel: "Any", handlers: "Dict[str, Callable[..., Any]]",
                 notified: "Dict[str, Callable[[Dict[str, Any]], Any]]", interrupt: bool = True) -> None:
        self.session, self.channel = session, channel
        self.handlers, self.notified = handlers, notified
        self.map_error: "Callable[[Any, BaseException], str]" = default_map_error     # → reply line; the server puts its own
        self.on_idle: "Optional[Callable[[], Optional[float]]]" = None   # timers: run what is due, return seconds to the next
        self.on_cancelled: "Callable[[Any], Any]" = lambda request_id: None    # of a request that runs no more but stays open
        self.after_event: "Optional[Callable[[], None]]" = None
        self.find_sealer: "Any" = None              # () → the Sealer of the server; a client has none
        self.find_changes: "Any" = None             # () → the Changes that a server tells its client
        self.inbox: "List[Any]" = []                # lines, and events read ahead; oldest last
        self.held: "List[str]" = []                 # replies not yet written
        self.running: "List[Request]" = []          # innermost last
        self.answers: "Dict[Any, Optional[Response]]" = {}      # our open requests; the answer when it is there
        self.current: "Optional[Request]" = None    # whose handler's own code runs now: the only time a tick may act
        self.seen_by_tick: "Optional[Request]" = None
        self.at_end = False
        self.forked = False                         # this is a copy that a handler has forked: it ends when the handler does
        self.interrupt = interrupt
        self.timer: "Optional[IntervalTimer]" = None    # made by the first request that may run long
        self.ticking = False
        self.unmatched = 0                          # responses that nobody waits for

    # Serving

    def serve(self) -> None:
        """Serve until the end of input (7) or until the reader is gone. Raises ``Shutdown`` when a signal asks for it."""
        watch_forks(self.leave)
        try:
            while not self.at_end:
                if STOP_ASKED:                          # a handler has swallowed it
                    raise Shutdown(STOP_ASKED[0])
                self.serve_once(None)
        except BrokenPipeError:
            self.at_end = True
        finally:
            unwatch_forks(self.leave)
            self.stop_ticking()

    def leave(self) -> None:
        """In a forked copy of this process: the conversation is the parent's. Nothing more is served here, and nothing written."""
        self.at_end = self.forked = self.channel.at_end = self.channel.write_failed = True
        self.inbox.clear()
        self.held.clear()

    def serve_once(self, timeout: "Optional[float]") -> bool:
        """Wait for input at most ``timeout`` seconds (None: for ever), serve what came; true if anything did."""
        if self.on_idle is not None:
            due = self.on_idle()
            self.flush()
            if due is not None and (timeout is None or due < timeout):
                timeout = due
        if self.ticking:
            self.check_ticking()
        lines = self.channel.read(timeout)
        if lines is None:
            self.at_end = True
            return False
        if lines:
            if len(lines) > 1:
                lines.reverse()
            self.inbox[:0] = lines
            del lines                               # a large line is held by the inbox alone
            self.serve_inbox()
        return True

    def serve_inbox(self) -> None:
        inbox, held = self.inbox, self.held
        if len(inbox) == 1:
            self.serve_item(inbox.pop())
            if not inbox:
                if held:
                    self.flush()
                return
        since = monotonic()
        while inbox:
            self.serve_item(inbox.pop())
            if held and (monotonic() - since > FLUSH_SECONDS or len(held[-1]) > FLUSH_CHARACTERS or not inbox):
                self.flush()
                since = monotonic()

    def serve_item(self, item: "Any") -> None:
        event = item
        if item.__class__ is bytes and len(item) > LARGE_LINE:
            box = [item]
            del item, event                             # now the box alone holds the line
            event = self.session.receive_large(box)
        elif isinstance(item, bytes):
            event = self.session.receive(item)
        if isinstance(event, Request):
            self.serve_request(event)
        elif event is not None:
            self.serve_event(event)
        if self.after_event is not None:
            self.after_event()

    def serve_event(self, event: "Any") -> None:
        """Anything but a request."""
        if isinstance(event, str):
            self.held.append(event)
        elif isinstance(event, Response):
            self.take_response(event)
        elif isinstance(event, Notification):
            self.serve_notification(event)
        elif isinstance(event, Batch):
            self.serve_batch(event)

    def serve_request(self, request: "Request") -> None:
        """Run the handler of one request; the reply joins ``held`` (3)."""
        reply = "" if request._cancelled else self.run_handler(request)
        request._ended = True
        if request._cancelled:
            reply = ""
        if request._batch is not None:
            reply = request._batch.add(reply)
        if reply:
            self.held.append(reply)

    def run_handler(self, request: "Request") -> str:
        """Return the reply line; empty where there is none to be sent (now, or ever)."""
        request._peer = self
        self.running.append(request)
        try:
            try:
                if self.interrupt and not self.ticking:
                    self.start_ticking(request)
                handler = self.handlers.get(request.method)
                if handler is None:
                    raise McpError(METHOD_NOT_FOUND, "Method not found: %s" % request.method)
                self.current = request
                result = handler(request.params, request)
                self.current = None
                if result is NO_REPLY:
                    reply = ""
                else:
                    reply = self.session.result_line(request, result)
            except BaseException as error:
                self.current = None
                reply = self.map_outcome(request, error)
        except (Cancelled, TimeLimit) as error:         # a tick between the handler's last step and ours
            self.current = None
            reply = self.map_outcome(request, error)
        self.running.pop()
        return reply

    def map_outcome(self, request: "Request", error: BaseException) -> str:
        """One function for every way a handler may end but with a result. Returns the reply line; raises what ends the process."""
        kind = type(error)                          # not isinstance: the exception is anybody's, its __class__ too
        if self.forked or issubclass(kind, (Shutdown, KeyboardInterrupt)):
            request._ended = True
            self.running.pop()
            raise error
        if issubclass(kind, Cancelled) and request._cancelled:
            return ""
        if issubclass(kind, BrokenPipeError) and self.is_wire_gone():
            raise error
        try:
            return self.map_error(request, error)
        except BaseException as second:             # an exception whose own text cannot be made, say
            if second is error or issubclass(type(second), (Shutdown, KeyboardInterrupt)):
                raise
            report_exception(second)
            return new_error(request.id, INTERNAL_ERROR, "Internal error")

    def is_wire_gone(self) -> bool:
        return bool(getattr(self.channel, "write_failed", False))

    def serve_notification(self, event: "Notification") -> None:
        if event.method == "notifications/cancelled":
            self.take_cancelled(event.params, self.inbox)
            return
        handler = self.notified.get(event.method)
        if handler is not None:
            try:
                handler(event.params)
            except Exception as error:              # a notification is never answered: the trace goes to standard error
                report_exception(error)

    def serve_batch(self, batch: "Batch") -> None:
        events, batch.events = batch.events, []     # its requests know it: no cycle is left behind
        for event in events:
            if isinstance(event, Request):
                self.serve_request(event)
            elif isinstance(event, str):
                text = batch.add(event)
                if text:
                    self.held.append(text)
            else:
                self.serve_event(event)

    def take_response(self, response: "Response") -> None:
        if response.id.__class__ in (int, str) and response.id in self.answers and self.answers[response.id] is None:
            self.answers[response.id] = response
        else:
            self.unmatched += 1

    def take_cancelled(self, params: "Dict[str, Any]", waiting: "List[Any]") -> None:
        """``notifications/cancelled``: mark the request; one that is unknown, finished or malformed is ignored."""
        request_id = params.get("requestId")
        for item in waiting + self.running:
            for request in item.events if isinstance(item, Batch) else (item,):
                if isinstance(request, Request) and same_id(request.id, request_id) and request.method != "initialize":
                    request._cancelled = True
        self.on_cancelled(request_id)

    # Reading ahead (2)

    def read_ahead(self, timeout: "Optional[float]") -> bool:
        """Take in what arrived while a handler runs: do what must not wait, queue the rest. False at the end of input."""
        lines = self.channel.read(timeout)
        if lines is None:
            return False
        lines.reverse()
        self.inbox[:0] = lines
        self.preempt()
        return True

    def preempt(self) -> None:
        """Parse every waiting line; pings, cancellations, responses and error replies leave the inbox at once.

        Where this is left half way (a tick on top of a stack that is all but full), what was not parsed is still there.
        """
        inbox, waiting = self.inbox, []             # type: Any, List[Any]
        try:
            while inbox:
                event = self.session.receive(inbox[-1]) if isinstance(inbox[-1], bytes) else inbox[-1]
                inbox.pop()
                if isinstance(event, Request) and is_handshake_ping(event):
                    self.held.append(self.session.result_line(event, "{}"))
                elif isinstance(event, Notification) and event.method == "notifications/cancelled":
                    self.take_cancelled(event.params, waiting)
                elif isinstance(event, (str, Response)):
                    self.serve_event(event)
                elif event is not None:
                    waiting.append(event)
        finally:
            waiting.reverse()
            inbox += waiting
        self.flush()

    # The tick (6)

    def start_ticking(self, request: "Request") -> None:
        """Begin to tick, where that can be done; ``initialize`` never runs long, and the host waits for it."""
        if request.method == "initialize":
            return
        if self.timer is None:
            from .stdio_timer import IntervalTimer

            self.timer = IntervalTimer(self.tick)
        self.ticking = self.timer.arm()

    def check_ticking(self) -> None:
        """Between messages: a tool may have taken SIGALRM for itself; the next call takes it back."""
        if self.timer is not None and not self.timer.is_ours():
            self.ticking = self.timer.armed = False

    def stop_ticking(self) -> None:
        """Put back what was there before the first tick."""
        if self.timer is not None:
            self.timer.restore()
            self.ticking = self.timer.armed

    def tick(self) -> None:
        """What SIGALRM does: nothing at the first tick of a call, so that short calls never see one."""
        request = self.current
        if request is None or request is not self.seen_by_tick:
            self.seen_by_tick = request
            if not self.running and self.timer is not None:
                self.timer.disarm()
                self.ticking = False
            return
        if not is_stack_full():
            self.look_at_input(request)
        check_over(request)

    def check_running(self, request: "Request") -> None:
        """A checkpoint of ``request``: read ahead where no tick does; raise ``Cancelled`` or ``TimeLimit`` where it is over."""
        if not self.ticking and self.current is request and self.channel.read_fd is not None:
            self.look_at_input(request)
        check_over(request)

    def look_at_input(self, request: "Request") -> None:
        self.current = None
        try:
            if len(self.inbox) < WAITING_LIMIT:
                self.read_ahead(0)
        finally:
            self.current = request

    # Writing (4)

    def send(self, text: str) -> None:
        """Write a notification now, behind the replies that wait; never in one write with the result that follows."""
        current, self.current = self.current, None
        try:
            self.write_now(text)
        finally:
            self.current = current

    def write_now(self, text: str) -> None:
        self.held.append(text)
        self.flush()

    def flush(self) -> None:
        held = self.held
        if held:
            text = held.pop() if len(held) == 1 else "".join(held)
            held.clear()
            self.channel.write(text.encode("ascii"))


def is_handshake_ping(event: "Request") -> bool:
    """A ping that may overtake: not one of an array, whose answers belong together, and not one of a revision without ping."""
    return event.method == "ping" and event._batch is None and (event._row is None or "ping" in event._row.requests)


def is_stack_full() -> bool:
    """True where a handler has so few frames left that reading on top of it would fail, or take a good line for a deep one."""
    try:
        sys._getframe(sys.getrecursionlimit() - STACK_ROOM)
    except ValueError:
        return False
    return True


def check_over(request: "Request") -> None:
    """Raise ``Cancelled`` or ``TimeLimit`` for a request that is over."""
    if request._cancelled:
        raise Cancelled("the client has cancelled this request")
    if request._deadline is not None and monotonic() >= request._deadline:
        request._deadline = None                # told once: what the handler does to clean up is not interrupted again
        request._timed_out = True
        raise TimeLimit("the time limit of this request has passed")


def default_map_error(request: "Request", error: BaseException) -> str:
    """Return the error reply for an exception: what an ``McpError`` says, -32603 for everything else."""
    if isinstance(error, McpError):
        return new_error(request.id, error.code, error.message, error.data)
    if isinstance(error, InvalidResult):            # a line says it all, a trace would show code of ours
        report_exception(error.with_traceback(None))
        return new_error(request.id, INTERNAL_ERROR, error.shown)
    report_exception(error)
    return new_error(request.id, INTERNAL_ERROR, "Internal error")


def report_exception(error: BaseException) -> None:
    """Write the trace to standard error: it never goes on the wire. A hook of the user's that fails, or exits, ends nothing."""
    for name in ("excepthook", "__excepthook__"):
        try:
            getattr(sys, name)(type(error), error, error.__traceback__)
            return
        except (Exception, SystemExit):
            pass
