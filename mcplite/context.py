"""What a handler holds: who asks, and the way back to the client while the request is open.

Here: ``Context``, the lines that it sends. Not here: how questions are built and checked, and how they travel (``asking``), which
function gets one (``handlers``). Pure: the peer behind it does the talking.

Pages: basic/utilities/progress, cancellation, server/utilities/logging (2024-11-05 to 2025-11-25); basic/patterns/progress,
cancellation and mrtr (2026-07-28); client/elicitation, client/sampling, client/roots.

1. A context dies with its request: ``progress`` and ``log`` after the end are dropped without a word.
2. A progress token is a string or an integer, ``0`` and ``""`` included; anything else is no token, and nothing is sent.
3. Every method that talks to the client is also a point where a cancelled request or a passed time limit is noticed.
"""
from .codec import encode, quote
from .jsonrpc import Request, encode_id, is_id
from .revisions import CLIENT_CAPABILITIES_KEY, CLIENT_INFO_KEY, LOG_LEVEL_KEY, LOG_LEVELS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional

    from .peer import Peer

LOG_RANKS = {level: rank for rank, level in enumerate(LOG_LEVELS)}


class Context(Request):
    """The open request that a handler serves. Handlers get it by naming a parameter ``ctx`` or hinting it ``Context``.

    ``request_id`` (or ``id``; string or integer), ``method`` and ``params`` as they came, ``meta`` (the request's ``_meta``, a
    dict: trace context lives there), ``revision`` (the date in force), ``client_info`` and ``client_capabilities`` (dicts as the
    client sent them).
    """

    __slots__ = ()

    if TYPE_CHECKING:
        _peer: "Peer"

    @property
    def request_id(self) -> "Any":
        """The request's id, a string or an integer."""
        return self.id

    @property
    def revision(self) -> str:
        """The date of the revision in force."""
        return self._row.date if self._row is not None else ""

    @property
    def client_info(self) -> "Dict[str, Any]":
        """Name and version of the client, as it sent them."""
        if self._row is not None and self._row.stateless:
            return dict(self.meta.get(CLIENT_INFO_KEY) or {})
        return self._peer.session.their_info

    @property
    def client_capabilities(self) -> "Dict[str, Any]":
        """What the client can do, as it declared it."""
        if self._row is not None and self._row.stateless:
            return dict(self.meta[CLIENT_CAPABILITIES_KEY])
        return self._peer.session.their_capabilities

    def log(self, level: str, data: "Any", logger: "Optional[str]" = None) -> None:
        """``notifications/message``: send a log message to the client if it wants this level (server/utilities/logging).

        ``level`` is one of the eight syslog names, "debug" to "emergency"; ``data`` any JSON value; ``logger`` a name.
        Data that JSON cannot hold goes out as its ``str``. Raises ``ValueError`` for another level or a logger that is no
        text, ``Cancelled`` and ``TimeLimit`` as ``checkpoint`` does.
        """
        rank = LOG_RANKS.get(level) if isinstance(level, str) else None
        if rank is None:
            raise ValueError("log level %r is none of %s" % (level, ", ".join(LOG_LEVELS)))
        check_text(logger, "logger")
        if self._ended:
            return
        if rank >= find_log_rank(self):
            self._peer.send(new_log_message(level, data, logger))
        self.checkpoint()

    def progress(self, progress: float, total: "Optional[float]" = None, message: "Optional[str]" = None) -> None:
        """``notifications/progress``, ``progressToken``: report how far the request is, if its sender asked for that.

        ``progress`` and ``total`` are numbers of one unit of your choice, ``message`` a line for a person. A value that
        is not above the last one is not sent: progress must increase. Raises ``ValueError`` for what is no finite number or no
        text, whether the progress is wanted or not; ``Cancelled`` and ``TimeLimit`` as ``checkpoint``. Page: utilities/progress.
        """
        check_number(progress, "progress")
        if total is not None:
            check_number(total, "total")
        check_text(message, "message")
        if self._ended:
            return
        token = self.meta.get("progressToken")
        if is_id(token) and (self._last_progress is None or progress > self._last_progress):
            self._last_progress = progress
            knows_message = self._row is None or "progress_message" in self._row.features
            self._peer.send(new_progress(token, progress, total, message if knows_message else None))
        self.checkpoint()

    def checkpoint(self) -> None:
        """Notice what came meanwhile: a point where a long computation may be ended.

        Raises ``Cancelled`` when the client has cancelled the request, ``TimeLimit`` when its time limit has passed. On
        POSIX in the main thread this happens by itself; elsewhere call it now and then.
        """
        if not self._ended:
            self._peer.check_running(self)

    def elicit(self, message: str, schema: "Dict[str, Any]", key: "Optional[str]" = None) -> "Dict[str, Any]":
        """Ask the user of the client for values (client/elicitation, form mode).

        ``message`` says what for; ``schema`` is a flat object schema of strings, numbers, booleans and enums. Returns
        ``{"action": "accept", "content": {...}}``, or action "decline" or "cancel" without content. ``key`` names the
        question where a handler asks in an order that may change, or where a client may answer it before it is asked
        (2026-07-28). Raises ``CapabilityError`` when the client cannot do it,
        ``McpError`` when it answers with an error or with values that do not fit, ``ValueError`` for a wrong schema.
        """
        from .asking import new_elicit

        return self._ask(key, new_elicit(message, schema))

    def elicit_url(self, message: str, url: str, key: "Optional[str]" = None,
                   elicitation_id: "Optional[str]" = None) -> "Dict[str, Any]":
        """Ask the user to visit ``url`` (client/elicitation, URL mode; from 2025-11-25 on).

        Returns ``{"action": "accept" | "decline" | "cancel"}``; "accept" means that the user agreed to open it, not that
        they are done there: a unique ``elicitation_id`` of your choice lets ``elicitation_complete`` say so later.
        Raises as ``elicit`` does.
        """
        from .asking import new_elicit_url

        return self._ask(key, new_elicit_url(message, url, elicitation_id))

    def elicitation_complete(self, elicitation_id: str) -> None:
        """Tell the client that what the user was sent to a URL for is done (2025-11-25, client/elicitation).

        ``elicitation_id`` is the one given to ``elicit_url``. Works after the request has ended too; does nothing in the
        revisions that have no such notification.
        """
        if self._row is not None and "elicitation_complete" in self._row.features and not self._peer.at_end:
            from .asking import new_elicitation_complete

            self._peer.send(new_elicitation_complete(elicitation_id))

    def sample(self, messages: "Any", max_tokens: int, model_preferences: "Optional[Dict[str, Any]]" = None,
               system_prompt: "Optional[str]" = None, include_context: "Optional[str]" = None,
               temperature: "Optional[float]" = None, stop_sequences: "Optional[List[str]]" = None,
               metadata: "Optional[Dict[str, Any]]" = None, tools: "Optional[List[Dict[str, Any]]]" = None,
               tool_choice: "Optional[Dict[str, Any]]" = None, key: "Optional[str]" = None) -> "Dict[str, Any]":
        """Have the client's model complete ``messages`` (client/sampling).

        ``messages`` is a text, a message ``{"role", "content"}`` or a list of these; ``max_tokens`` counts tokens; the
        rest are the protocol's own parameters. Returns ``{"role", "content", "model", "stopReason"?}``. Raises as ``elicit`` does.
        """
        from .asking import new_sample

        return self._ask(key, new_sample(
            messages, max_tokens, model_preferences=model_preferences, system_prompt=system_prompt, include_context=include_context,
            temperature=temperature, stop_sequences=stop_sequences, metadata=metadata, tools=tools, tool_choice=tool_choice))

    def roots(self, key: "Optional[str]" = None) -> "Dict[str, Any]":
        """Ask which directories the client works in (client/roots).

        Returns ``{"roots": [{"uri", "name"?}, ...]}``. Raises as ``elicit`` does.
        """
        return self._ask(key, {"method": "roots/list"})

    def _ask(self, key: "Optional[str]", question: "Dict[str, Any]") -> "Dict[str, Any]":
        from .asking import ask_all

        return ask_all(self, self.client_capabilities, [key], [question])[0]

    def ask_all(self, questions: "Dict[str, Dict[str, Any]]") -> "Dict[str, Dict[str, Any]]":
        """Ask several questions at once: ``{key: {"method": "elicitation/create", "params": {...}}, ...}`` → ``{key: result}``.

        Under 2026-07-28 they travel together (basic/patterns/mrtr), before that one after the other. Raises as ``elicit`` does.
        """
        from .asking import ask_all

        return dict(zip(questions, ask_all(self, self.client_capabilities, list(questions), list(questions.values()))))

    def once(self, key: str, function: "Callable[[], Any]") -> "Any":
        """Run ``function`` once, however often the handler runs again for answers; return its result, a JSON value.

        Where a question waits across requests (2026-07-28) the result is kept in the sealed state that travels with it.
        """
        from .asking import run_once

        return run_once(self, key, function)


def find_log_rank(request: "Request") -> int:
    """The lowest rank that goes out: per request under 2026-07-28 (nothing unless asked), per session before."""
    if request._row is not None and request._row.stateless:
        return LOG_RANKS.get(request.meta.get(LOG_LEVEL_KEY, ""), len(LOG_LEVELS))
    return LOG_RANKS[request._peer.session.log_level]


def check_number(value: "Any", name: str) -> None:
    """Python says that True is a number and NaN a float; in a progress notification neither is one."""
    if not isinstance(value, (int, float)) or isinstance(value, bool) or value - value != 0:
        raise ValueError("%s must be a finite number, int or float, not %r" % (name, value))


def check_text(value: "Any", name: str) -> None:
    if value is not None and not isinstance(value, str):
        raise ValueError("%s must be a text or None, not %r" % (name, value))


def new_log_message(level: str, data: "Any", logger: "Optional[str]") -> str:
    """Return the line of ``notifications/message``; data that JSON cannot hold is sent as its text, and never ends a handler."""
    try:
        text = encode(data)
    except Exception:                               # TypeError, ValueError, RecursionError
        text = encode_foreign(data)
    name = "" if logger is None else ',"logger":%s' % quote(logger)
    return '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"%s"%s,"data":%s}}\n' % (level, name, text)


def encode_foreign(data: "Any") -> str:
    """Return as JSON text what ``encode`` refuses: converted, or its ``str``, or its type where even that raises."""
    from .content import jsonable

    try:
        return encode(jsonable(data))
    except Exception:
        try:
            return quote(str(data))
        except Exception:                           # its own __str__, or one nested too deeply
            return quote("<%s without a text>" % type(data).__name__)


def new_progress(token: "Any", progress: float, total: "Optional[float]", message: "Optional[str]") -> str:
    """Return the line of ``notifications/progress``; the numbers are finite."""
    more = "" if total is None else ',"total":%s' % encode(total)
    if message is not None:
        more += ',"message":%s' % quote(message)
    return ('{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%s%s}}\n'
            % (encode_id(token), encode(progress), more))
