"""A question to the other end: sent while a handler waits, with everything else served meanwhile.

Here: the server's way of asking, and what an answer comes to. Not here: the loop (``peer``), the client's way (``client``),
what may be asked (``questions``).

Pages: client/elicitation, client/sampling, client/roots, basic/utilities/cancellation (2024-11-05 to 2025-11-25).
"""
from .errors import CONNECTION_CLOSED, INTERNAL_ERROR, REQUEST_TIMEOUT, Cancelled, McpError, TimeLimit
from .jsonrpc import new_notification, new_request
from .peer_ahead import read_ahead
from .stdio import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Optional

    from .peer import Peer
    from .session import Request, Response

NEST_LIMIT = 8              # handlers inside handlers while questions are open; deeper requests wait their turn


def ask_and_serve(peer: "Peer", method: str, params: "Optional[Dict[str, Any]]", timeout: "Optional[float]",
                  request: "Optional[Request]") -> "Dict[str, Any]":
    """Send a request of our own and serve what comes until its answer is there; return the result.

    ``timeout`` in seconds; ``request`` is the one being served meanwhile. Raises ``McpError``: the error that was
    answered, -32001 when the time is up (a cancellation has been sent), -32000 when the other end is gone.
    """
    request_id = peer.session.new_id()
    line = new_request(request_id, method, params)
    peer.answers[request_id] = None
    until = None if timeout is None else monotonic() + timeout
    current, peer.current = peer.current, None
    try:
        peer.write_now(line)
        while peer.answers[request_id] is None:
            wait_for_answer(peer, method, request_id, until, request)
        response = peer.answers[request_id]
    finally:
        del peer.answers[request_id]
        peer.current = current
    assert response is not None
    return read_response(response, method)


def wait_for_answer(peer: "Peer", method: str, request_id: int, until: "Optional[float]", request: "Optional[Request]") -> None:
    """One step of waiting: read, serve what may be served, notice what ends the wait."""
    left = None if until is None else until - monotonic()
    if request is not None and request.deadline is not None:
        due = request.deadline - monotonic()
        left = due if left is None or due < left else left
    if left is not None and left <= 0:
        give_up(peer, method, request_id, until, request)
    may_serve = len(peer.running) < NEST_LIMIT
    if not read_ahead(peer, 0 if peer.inbox and may_serve else left):
        raise McpError(CONNECTION_CLOSED, "the connection was closed before %s was answered" % method)
    if peer.answers[request_id] is None and peer.inbox and may_serve:
        peer.serve_item(peer.inbox.pop())
        peer.flush()
    if request is not None and request.cancelled:
        peer.write_now(new_notification("notifications/cancelled", {"requestId": request_id}))
        raise Cancelled("the client has cancelled this request")


def give_up(peer: "Peer", method: str, request_id: int, until: "Optional[float]", request: "Optional[Request]") -> None:
    peer.write_now(new_notification("notifications/cancelled", {"requestId": request_id, "reason": "timed out"}))
    if until is None or monotonic() < until:
        assert request is not None
        request.deadline, request.timed_out = None, True
        raise TimeLimit("the time limit of this request has passed")
    raise McpError(REQUEST_TIMEOUT, "%s was not answered in time" % method)


def read_response(response: "Response", method: str) -> "Dict[str, Any]":
    """Return the result of ``response``; raises ``McpError`` for an error, and for a response that is none."""
    problem, error = response_problem(response, method), response.error
    if problem is not None:
        raise McpError(INTERNAL_ERROR, problem)
    if error is not None:
        text = error_text(error)
        raise McpError(error["code"], text if text else "%s was answered with error %d, which has no message"
                       % (method, error["code"]), error.get("data"))
    result: "Dict[str, Any]" = response.result
    return result


def response_problem(response: "Response", method: str) -> "Optional[str]":
    """Return what keeps a response from being one, its result no object or its error without code; else None."""
    error = response.error
    if error is not None:
        if error.__class__ is not dict or error.get("code").__class__ is not int:
            return "%s was answered with a malformed error: %.200r" % (method, error)
        return None
    if response.result.__class__ is not dict:
        return "%s was answered with a result that is no object: %.200r" % (method, response.result)
    return None


def error_text(error: "Dict[str, Any]") -> str:
    """Return the message of an error, empty where it has none."""
    message = error.get("message")
    return "" if message is None else str(message).strip() and str(message)
