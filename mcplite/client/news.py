"""What a server tells by itself: that lists and resources have changed; and how one asks to be told.

Here: ``ServerNews`` (the notifications, and how they are asked for), ``Subscription`` (one stream of 2026-07-28 on which they
come). Not here: how a notification is served (``loop``), the store that a change makes stale (``store``).

Pages: server/tools, server/prompts, server/resources, "List Changed Notification" and "Subscriptions" of every revision;
basic/patterns/subscriptions (2026-07-28).

1. All streams share one channel: a notification is told to a stream by the ``subscriptionId`` in its ``_meta``. In a stateless
   conversation, what comes on no stream of ours is not for us.
"""
from __future__ import annotations

from ..errors import LocalProtocolError, McpError
from ..jsonrpc import new_request
from ..peer import report_exception
from ..revisions import SUBSCRIPTION_KEY
from ..stdio import monotonic
from .faults import RequestTimeout, ServerFault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Iterable, Optional

    from .callbacks import Callback
    from .connection import ClientConnection
    from .loop import ClientPeer

FILTER_BY_KIND = {"tools": "toolsListChanged", "prompts": "promptsListChanged", "resources": "resourcesListChanged"}
CHANGE_KINDS = {"notifications/%s/list_changed" % kind: kind for kind in FILTER_BY_KIND}


class Subscription:
    """One open ``subscriptions/listen``: ``id``; ``agreed``, the filter that the server serves (None before it has said so);
    ``ended``; ``reason``, why; ``error``, an ``McpError`` where the server refused. A context manager."""

    def __init__(self, peer: "ClientPeer", stream_id: int, on_change: "Callback") -> None:
        self._peer, self.id, self._on_change = peer, stream_id, on_change
        self.agreed: "Optional[Dict[str, Any]]" = None
        self.ended = False
        self.reason = ""
        self.error: "Optional[McpError]" = None

    def close(self) -> None:
        """Cancel it; a second call does nothing."""
        if not self.ended:
            self._end("closed by this client")
            if not self._peer.at_end:
                self._peer.cancel(self.id, "no longer wanted")

    def _end(self, reason: str) -> None:
        self.ended, self.reason = True, reason
        self._peer.streams.pop(self.id, None)

    def _take_end(self, response: "Any") -> None:
        """The server has answered: it closes the stream ("Graceful Closure"), or it never opened it."""
        try:
            self._peer.read_answer(response, "subscriptions/listen")
            self._end("closed by the server")
        except McpError as error:
            self.error = error
            self._end("refused by the server" if self.agreed is None else "closed by the server with an error")

    def __enter__(self) -> "Subscription":
        return self

    def __exit__(self, *failure: "Any") -> None:
        self.close()


class ServerNews:
    """What a server tells of changes, and to whom. ``forget_tools`` is called where what is known of tools is stale."""

    connection: "ClientConnection"

    def __init__(self, on_list_changed: "Callback", on_updated: "Callback", forget_tools: "Callable[[], None]") -> None:
        self.on_list_changed, self.on_updated, self.forget_tools = on_list_changed, on_updated, forget_tools
        self.subscribed: "Dict[str, Subscription]" = {}             # URI → the stream of resources_subscribe (2026-07-28)

    def new_notified(self) -> "Dict[str, Callable[[Dict[str, Any]], Any]]":
        """Return the dispatch table of what is taken here."""
        found: "Dict[str, Callable[[Dict[str, Any]], Any]]" = {
            "notifications/resources/updated": self.notifications_resources_updated,
            "notifications/subscriptions/acknowledged": self.notifications_subscriptions_acknowledged}
        for method, kind in CHANGE_KINDS.items():
            found[method] = self.new_list_changed(method, kind)
        return found

    # What servers tell

    def new_list_changed(self, method: str, kind: str) -> "Callable[[Dict[str, Any]], Any]":
        """``notifications/tools/list_changed``, ``notifications/prompts/list_changed``, ``notifications/resources/list_changed``"""
        def notifications_list_changed(params: "Dict[str, Any]") -> None:
            if self.connection.cache is not None:
                self.connection.cache.drop_list(kind)
            if kind == "tools":
                self.forget_tools()
            if self.is_wanted(method, params) and self.on_list_changed is not None:
                self.on_list_changed(kind)

        return notifications_list_changed

    def notifications_resources_updated(self, params: "Dict[str, Any]") -> None:
        """``notifications/resources/updated``: a resource that was asked for has changed, or one that it is part of."""
        uri = params.get("uri")
        if not isinstance(uri, str):
            return
        if self.connection.cache is not None:
            self.connection.cache.drop_resource(uri)
        if self.is_wanted("notifications/resources/updated", params) and self.on_updated is not None:
            self.on_updated(uri)

    def notifications_subscriptions_acknowledged(self, params: "Dict[str, Any]") -> None:
        """``notifications/subscriptions/acknowledged``: the server has agreed to a stream, or to a part of it."""
        stream, agreed = self.find_stream(params), params.get("notifications")
        if stream is not None and stream.agreed is None:
            stream.agreed = agreed if isinstance(agreed, dict) else {}

    def is_wanted(self, method: str, params: "Dict[str, Any]") -> bool:
        """Tell the stream that a change came on; see (1)."""
        if not self.connection.row.stateless:
            return True
        stream = self.find_stream(params)
        if stream is None:
            return False
        if stream._on_change is not None:
            try:
                stream._on_change(method, params)
            except Exception as error:
                report_exception(error)
        return True

    def find_stream(self, params: "Dict[str, Any]") -> "Optional[Subscription]":
        """Return the stream that a notification came on (1), or None."""
        meta, peer = params.get("_meta"), self.connection.peer
        given = meta.get(SUBSCRIPTION_KEY) if isinstance(meta, dict) else None
        stream: "Optional[Subscription]" = peer.streams.get(peer.find_open(given, peer.streams))
        return stream

    # Streams

    def subscriptions_listen(self, kinds: "Dict[str, bool]", uris: "Iterable[str]", on_change: "Callback",
                             limit: "Optional[float]") -> Subscription:
        """``subscriptions/listen``: open a stream and return it, agreed to by the server."""
        connection = self.connection
        wanted: "Dict[str, Any]" = {FILTER_BY_KIND[kind]: True for kind, asked in kinds.items() if asked}
        if uris:
            wanted["resourceSubscriptions"] = list(uris)
        stream = self.open_stream(wanted, on_change)
        try:
            until = None if limit is None else monotonic() + limit
            while stream.agreed is None and not stream.ended:
                left = None if until is None else until - monotonic()
                if left is not None and left <= 0:
                    raise RequestTimeout("subscriptions/listen was not acknowledged within %g seconds" % (limit or 0))
                if not connection.peer.serve_waiting() and not connection.peer.take_input(left):
                    raise connection.new_server_gone("subscriptions/listen")
        except BaseException:
            stream.close()
            raise
        if stream.error is not None:
            raise stream.error
        return stream

    def open_stream(self, wanted: "Dict[str, Any]", on_change: "Callback" = None) -> Subscription:
        """Ask for a stream and go on: what comes of it is served like everything else."""
        connection = self.connection
        if not connection.row.stateless:
            raise LocalProtocolError("subscriptions/listen does not exist in revision %s: changes of lists come unasked there, "
                                     "and subscribe() asks for those of a resource" % connection.row.date)
        connection.check_open("subscriptions/listen")
        stream = Subscription(connection.peer, connection.session.new_id(), on_change)
        connection.peer.streams[stream.id] = stream
        params = connection.new_params({"notifications": wanted}, with_log_level=False)
        connection.peer.send_request(new_request(stream.id, "subscriptions/listen", params), "subscriptions/listen")
        return stream

    def listen_for_lists(self) -> None:
        """There is an ``on_list_changed``: open a stream for the lists whose changes the server tells."""
        declared = self.connection.capabilities
        wanted = {FILTER_BY_KIND[kind]: True for kind in FILTER_BY_KIND
                  if isinstance(declared.get(kind), dict) and declared[kind].get("listChanged") is True}
        if wanted and self.on_list_changed is not None and self.connection.row.stateless:
            self.open_stream(wanted)

    # Single resources

    def resources_subscribe(self, uri: str, limit: "Optional[float]") -> None:
        """``resources/subscribe``; a ``subscriptions/listen`` of its own in a stateless conversation."""
        self.connection.check_declared("resources/subscribe")
        if not self.connection.row.stateless:
            self.connection.request("resources/subscribe", {"uri": uri}, limit)
        elif uri not in self.subscribed or self.subscribed[uri].ended:
            stream = self.subscriptions_listen({}, [uri], None, limit)
            agreed = (stream.agreed or {}).get("resourceSubscriptions")
            if not isinstance(agreed, list) or uri not in agreed:
                stream.close()
                raise ServerFault("the server has not agreed to tell about changes of %s" % uri)
            self.subscribed[uri] = stream

    def resources_unsubscribe(self, uri: str, limit: "Optional[float]") -> None:
        """``resources/unsubscribe``; the end of that stream in a stateless conversation."""
        if not self.connection.row.stateless:
            self.connection.check_declared("resources/unsubscribe")
            self.connection.request("resources/unsubscribe", {"uri": uri}, limit)
        elif uri in self.subscribed:
            self.subscribed.pop(uri).close()
