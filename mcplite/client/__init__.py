"""The client: it starts a server or is given one, finds the revision that both speak, asks and answers.

In the order of reading: ``face`` (``Client``: the methods), ``connection`` (the way of one request), ``negotiation`` (the first
messages), ``loop`` (waiting for answers, serving what comes meanwhile), ``lines`` (one line → one event), ``callbacks`` (what we
declare and answer), ``news`` (what servers tell), ``results`` (what a result must hold), ``store`` (results
that stay fresh), ``links`` (processes, streams, a server in memory), ``faults`` (what is raised).

Arrows: face -> negotiation -> connection -> loop -> lines; face -> news, results, callbacks, store, links -> faults.
Taken from here: what is listed below. The server never sees this folder, nor this folder the server.
"""
from .callbacks import USER_REJECTED
from .face import Client
from .faults import RequestTimeout, ResourceNotFound, ServerFault, ServerGone
from .negotiation import HANDSHAKE_MODE
from .news import Subscription

__all__ = ["HANDSHAKE_MODE", "USER_REJECTED", "Client", "RequestTimeout", "ResourceNotFound", "ServerFault", "ServerGone",
           "Subscription"]
