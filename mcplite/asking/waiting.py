"""A question to the other end: sent while a handler waits, with everything else served meanwhile.

Here: the server's way of waiting. Not here: the loop (``peer``), what may be asked (``questions``), the client's way (``client``).

Pages: client/elicitation, client/sampling, client/roots, basic/utilities/cancellation (2024-11-05 to 2025-11-25).
"""
from __future__ import annotations

from ..answers import read_response
from ..errors import CONNECTION_CLOSED, McpError
from ..jsonrpc import new_notification, new_request
from ..peer import NEST_LIMIT, check_over
from ..stdio import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Optional

    from ..jsonrpc import Request
    from ..peer import Peer


def ask_and_serve(peer: Peer, method: str, params: Optional[Dict[str, Any]], request: Request) -> Dict[str, Any]:
    """Send a request of our own while ``request`` is served, and serve what comes until its answer is there; return the result.

    Raises ``McpError``: the error that was answered, or -32000 when the other end is gone; ``Cancelled`` and ``TimeLimit`` where
    ``request`` is over (the question has been cancelled then).
    """
    request_id = peer.session.new_id()
    line = new_request(request_id, method, params)
    peer.answers[request_id] = None
    current, peer.current = peer.current, None
    try:
        peer.write_now(line)
        while peer.answers[request_id] is None:
            wait_for_answer(peer, method, request_id, request)
        response = peer.answers[request_id]
    finally:
        del peer.answers[request_id]
        peer.current = current
    assert response is not None
    return read_response(response, method)


def wait_for_answer(peer: Peer, method: str, request_id: int, request: Request) -> None:
    """One step of waiting: read, serve what may be served, notice what ends the wait."""
    left = None if request._deadline is None else request._deadline - monotonic()
    if left is not None and left <= 0:
        peer.write_now(new_notification("notifications/cancelled", {"requestId": request_id, "reason": "timed out"}))
        check_over(request)
    may_serve = len(peer.running) < NEST_LIMIT
    if not peer.read_ahead(0 if peer.inbox and may_serve else left):
        raise McpError(CONNECTION_CLOSED, "the connection was closed before %s was answered" % method)
    if peer.answers[request_id] is None and peer.inbox and may_serve:
        peer.serve_item(peer.inbox.pop())
        peer.flush()
    if request._cancelled:
        peer.write_now(new_notification("notifications/cancelled", {"requestId": request_id}))
        check_over(request)
