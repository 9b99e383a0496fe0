"""Every error code and every exception of mcplite, on one page.

Here: the numbers that go into ``error.code``, and the exception classes.
Not here: where they are raised, and how an outcome becomes a reply (``session``, ``server``).

Pages: basic/index (error codes) of every revision; server/tools, server/resources (which outcome gets which code).

1. An exception's text is one line: what happened, where, what to do. It never holds a traceback.
2. ``Cancelled``, ``TimeLimit``, ``InputRequired`` and ``Shutdown`` leave a handler through its ``except Exception`` blocks:
   they are ``BaseException``. Everything else that a handler raises is an outcome to be reported to the peer.
"""
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict

VERSION = "0.1.0"

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
REQUEST_TIMEOUT = -32001            # up to 2025-11-25; a time limit passed, on either end
RESOURCE_NOT_FOUND = -32002         # up to 2025-11-25; 2026-07-28 says INVALID_PARAMS
MISSING_CLIENT_CAPABILITY = -32021  # 2026-07-28
UNSUPPORTED_VERSION = -32022        # 2026-07-28
URL_ELICITATION_REQUIRED = -32042   # 2025-11-25 only
CONNECTION_CLOSED = -32000          # never written by us: what a caller gets when the other end is gone


class McpError(Exception):
    """An error response: what the peer answered, or what a handler wants answered.

    ``code`` (integer), ``message`` (one line) and ``data`` (any JSON value, or None) are the members of the
    JSON-RPC error object. ``Client`` methods raise it when the server answers with an error, or when no
    answer comes (code -32001 after a time-out, -32000 when the connection is gone). A method handler, a
    resource or a prompt may raise it to answer with exactly that error. Page: basic/index, "Error Responses".
    """

    def __init__(self, code: int, message: str, data: "Any" = None) -> None:
        super().__init__(message)
        self.code, self.message, self.data = code, message, data

    def __str__(self) -> str:
        return "%s (code %d)" % (self.message, self.code)


class ToolError(Exception):
    """Raised by a tool: the call ends with ``isError: true`` and exactly this text. Page: server/tools, "Error Handling"."""


class CapabilityError(McpError):
    """The other side has not declared what was asked of it; ``data`` names it. Uncaught in a tool it is a tool error
    (revisions up to 2025-11-25) or error -32021 (2026-07-28). Page: basic/index of 2026-07-28, "Per-request protocol fields"."""

    def __init__(self, message: str, required: "Dict[str, Any]") -> None:
        super().__init__(MISSING_CLIENT_CAPABILITY, message, {"requiredCapabilities": required})


class RegistrationError(ValueError):
    """A tool, resource, prompt or completion that no client could use, refused when it is registered."""


class PathError(ValueError):
    """A path that leads out of the directory it was to stay in: what ``safe_path`` raises. Uncaught in a resource it is the
    error for an unknown resource, in a prompt -32602, in a tool a tool error. Page: server/resources, "Security Considerations"."""


class InvalidResult(ValueError):
    """A value that cannot be the result of its handler, that does not fit a tool's output schema, or that JSON cannot hold.
    Its text is for the developer; ``shown``, without what came, for the other end."""

    def __init__(self, text: str, shown: str = "Internal error") -> None:
        super().__init__(text)
        self.shown = shown


class LocalProtocolError(RuntimeError):
    """Our own caller asked for something the protocol forbids at this point (a message that may not be sent)."""


class Cancelled(BaseException):
    """Raised inside a handler whose request the client has cancelled. Clean up and let it pass: no reply is sent."""


class TimeLimit(BaseException):
    """Raised inside a handler that has run past its time limit. Clean up and let it pass: the client is told."""


class InputRequired(BaseException):
    """Leaves a handler that asked a question under 2026-07-28; the handler runs again when the answers are there."""


class Shutdown(BaseException):
    """A signal asked the process to end; ``status`` is the exit status (128 + the signal's number)."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status
