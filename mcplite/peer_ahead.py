"""What may not wait while a handler runs: reading ahead, the tick, the points where a handler may be left.

Here: rules 2 and 6 of ``peer``. Not here: the loop itself (``peer``), the timer (``system.timer``).

Pages: basic/utilities/cancellation and ping (2024-11-05 to 2025-11-25), basic/patterns/cancellation (2026-07-28).
"""
import sys

from .errors import Cancelled, TimeLimit
from .jsonrpc import same_id
from .session import Batch, Notification, Request, Response
from .stdio import monotonic
from .system.timer import IntervalTimer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional

    from .peer import Peer

STACK_ROOM = 100            # frames that a tick may need
WAITING_LIMIT = 1000        # lines read ahead during a long call; beyond that the pipe holds them


def take_cancelled(peer: "Peer", params: "Dict[str, Any]", waiting: "List[Any]") -> None:
    """Mark the request; an unknown, finished or malformed one is ignored (basic/utilities/cancellation)."""
    request_id = params.get("requestId")
    for item in waiting + peer.running:
        for request in item.events if isinstance(item, Batch) else (item,):
            if isinstance(request, Request) and same_id(request.id, request_id) and request.method != "initialize":
                request.cancelled = True
    peer.on_cancelled(request_id)


def read_ahead(peer: "Peer", timeout: "Optional[float]") -> bool:
    """Take in what arrived while a handler runs: do what must not wait, queue the rest. False at the end of input."""
    lines = peer.channel.read(timeout)
    if lines is None:
        return False
    lines.reverse()
    peer.inbox[:0] = lines
    preempt(peer)
    return True


def preempt(peer: "Peer") -> None:
    """Parse every waiting line; pings, cancellations, responses and error replies leave the inbox at once.

    Where this is left half way (a tick on top of a stack that is all but full), what was not parsed is still there.
    """
    inbox, waiting = peer.inbox, []             # type: Any, List[Any]
    try:
        while inbox:
            event = peer.session.receive(inbox[-1]) if isinstance(inbox[-1], bytes) else inbox[-1]
            inbox.pop()
            if isinstance(event, Request) and is_handshake_ping(event):
                peer.held.append(peer.session.result_line(event, "{}"))
            elif isinstance(event, Notification) and event.method == "notifications/cancelled":
                take_cancelled(peer, event.params, waiting)
            elif isinstance(event, (str, Response)):
                peer.serve_event(event)
            elif event is not None:
                waiting.append(event)
    finally:
        waiting.reverse()
        inbox += waiting
    peer.flush()


def new_timer(peer: "Peer") -> "IntervalTimer":
    """Return a timer, not yet armed, whose ticks look after ``peer``."""
    return IntervalTimer(lambda: tick(peer))


def tick(peer: "Peer") -> None:
    """What SIGALRM does: nothing at the first tick of a call, so that short calls never see one."""
    request = peer.current
    if request is None or request is not peer.seen_by_tick:
        peer.seen_by_tick = request
        if not peer.running and peer.timer is not None:
            peer.timer.disarm()
            peer.ticking = False
        return
    if not is_stack_full():
        look_at_input(peer, request)
    check_over(peer, request)


def is_stack_full() -> bool:
    """True where a handler has so few frames left that reading on top of it would fail, or take a good line for a deep one."""
    try:
        sys._getframe(sys.getrecursionlimit() - STACK_ROOM)
    except ValueError:
        return False
    return True


def check_running(peer: "Peer", request: "Request") -> None:
    """A checkpoint of ``request``: read ahead where no tick does; raise ``Cancelled`` or ``TimeLimit`` where it is over."""
    if not peer.ticking and peer.current is request and peer.channel.read_fd is not None:
        look_at_input(peer, request)
    check_over(peer, request)


def look_at_input(peer: "Peer", request: "Request") -> None:
    peer.current = None
    try:
        if len(peer.inbox) < WAITING_LIMIT:
            read_ahead(peer, 0)
    finally:
        peer.current = request


def check_over(peer: "Peer", request: "Request") -> None:
    if request.cancelled:
        raise Cancelled("the client has cancelled this request")
    if request.deadline is not None and monotonic() >= request.deadline:
        request.deadline = None                 # told once: what the handler does to clean up is not interrupted again
        request.timed_out = True
        raise TimeLimit("the time limit of this request has passed")


def is_handshake_ping(event: "Request") -> bool:
    """A ping that may overtake: not one of an array, whose answers belong together, and not one of a revision without ping."""
    return event.method == "ping" and event.batch is None and (event.row is None or "ping" in event.row.requests)
