"""What one client is told without asking: changes of lists and of resources, in the form of its era.

Here: ``Changes``, ``agree_filter``. Not here: when something has changed (``server``), when it is told (``peer``, after each
message and before each wait). Loaded with the first change that there is anybody to tell of, or the first subscriptions/listen.

Pages: "List Changed Notification" of server/tools, server/resources and server/prompts, server/resources, "Subscriptions"
(2024-11-05 to 2025-11-25); basic/patterns/subscriptions (2026-07-28).
"""
from .codec import encode
from .jsonrpc import new_notification, new_result, same_id
from .revisions import SERVER_INFO_KEY, SUBSCRIPTION_KEY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Tuple

    from .peer import Peer

# the list of a list_changed notification → the member of a notification filter that asks for it
LIST_FILTERS = {"tools": "toolsListChanged", "resources": "resourcesListChanged", "prompts": "promptsListChanged"}


class Changes:
    """The streams that one client has open, and the changes it has yet to hear of."""

    def __init__(self, peer: "Peer", info: "Dict[str, Any]") -> None:
        self.peer, self.info = peer, info
        self.listens: "Dict[Any, Dict[str, Any]]" = {}      # id of subscriptions/listen → the agreed filter
        self.waiting: "List[Tuple[str, Optional[str]]]" = []
        peer.on_cancelled = self.close_stream

    def note(self, method: str, uri: "Optional[str]") -> None:
        """Remember a change; it is told after the current message, and once however often it happened."""
        if (method, uri) not in self.waiting:
            self.waiting.append((method, uri))
        self.peer.after_event = self.tell

    def tell(self) -> None:
        if self.peer.running:                               # a nested request: the outer one tells
            return
        waiting, self.waiting = self.waiting, []
        self.peer.after_event = None
        for method, uri in waiting:
            self.tell_one(method, uri)

    def tell_one(self, method: str, uri: "Optional[str]") -> None:
        session, held = self.peer.session, self.peer.held
        if session.row is not None and (uri is None or uri in session.subscribed):
            held.append(new_notification(method, None if uri is None else {"uri": uri}))
        for listen_id, agreed in self.listens.items():
            if uri is None and agreed.get(LIST_FILTERS[method.split("/")[1]]):
                held.append(new_notification(method, {"_meta": {SUBSCRIPTION_KEY: listen_id}}))
            elif uri is not None and uri in agreed.get("resourceSubscriptions", ()):
                held.append(new_notification(method, {"_meta": {SUBSCRIPTION_KEY: listen_id}, "uri": uri}))

    def listen(self, listen_id: "Any", agreed: "Dict[str, Any]") -> None:
        """``notifications/subscriptions/acknowledged``: the first message of a stream that is opened.

        What changed before it was opened is no news to it.
        """
        for method, uri in self.waiting:
            self.tell_one(method, uri)
        self.waiting.clear()
        self.listens[listen_id] = agreed
        self.peer.held.append(new_notification("notifications/subscriptions/acknowledged",
                                               {"_meta": {SUBSCRIPTION_KEY: listen_id}, "notifications": agreed}))

    def close_stream(self, request_id: "Any") -> None:
        """The client has cancelled a request: where it is a stream, it gets nothing more."""
        for listen_id in list(self.listens):
            if same_id(listen_id, request_id):
                del self.listens[listen_id]

    def close_all(self) -> None:
        """The input has ended: every stream that is still open is closed with its result ("Graceful Closure")."""
        peer = self.peer
        try:
            for listen_id in self.listens:
                meta = {SUBSCRIPTION_KEY: listen_id, SERVER_INFO_KEY: self.info}
                peer.held.append(new_result(listen_id, encode({"resultType": "complete", "_meta": meta})))
            peer.flush()
        except BrokenPipeError:
            pass
        self.listens.clear()


def agree_filter(wanted: "Dict[str, Any]", declared: "Dict[str, bool]") -> "Dict[str, Any]":
    """Return the part of a notification filter that a server serves: what it has declared."""
    agreed: "Dict[str, Any]" = {}
    for kind, member in LIST_FILTERS.items():
        if wanted.get(member) is True and kind in declared:
            agreed[member] = True
    uris = wanted.get("resourceSubscriptions")
    if uris.__class__ is list and "resources" in declared:
        agreed["resourceSubscriptions"] = [uri for uri in uris if uri.__class__ is str]
    return agreed
