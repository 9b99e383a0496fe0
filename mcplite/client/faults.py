"""What a client's methods raise or tell, beyond ``McpError`` as the server answered it.

Here: no answer in time, a server that has ended, one that broke the protocol, no such resource; and ``Teller``, for faults that
cost no result. Not here: when they are raised (``loop``, ``connection``, ``face``), the errors of both ends (``errors``).

Pages: basic/lifecycle, "Timeouts" and "Error Handling"; server/resources, "Error Handling".
"""
from ..errors import CONNECTION_CLOSED, INTERNAL_ERROR, REQUEST_TIMEOUT, McpError
from ..peer import report_exception

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Optional


class RequestTimeout(McpError):
    """No answer came in time; code -32001. The request has been cancelled, a late answer is ignored."""

    def __init__(self, message: str) -> None:
        super().__init__(REQUEST_TIMEOUT, message)


class ServerGone(McpError):
    """The server has ended, or closed its output; code -32000. ``data`` holds command, status and the end of its standard error."""

    def __init__(self, message: str, data: "Any" = None) -> None:
        super().__init__(CONNECTION_CLOSED, message, data)


class ServerFault(McpError):
    """The server broke the protocol, so that its answer cannot be used as it should; code -32603.

    ``result`` is what came all the same: the whole result, the entries of a list that were received; None where nothing did.
    """

    def __init__(self, message: str, data: "Any" = None, result: "Any" = None) -> None:
        super().__init__(INTERNAL_ERROR, message, data)
        self.result = result


class ResourceNotFound(McpError):
    """The server has no such resource: code -32002 up to 2025-11-25, -32602 with the URI in its data in 2026-07-28."""


class Teller:
    """What is told to ``on_log``: the server's log messages, and its faults that leave the result to be used.

    Each fault is told once, as a warning where there is no ``on_log``; under ``strict`` it is an exception.
    """

    def __init__(self, on_log: "Optional[Callable[..., Any]]", strict: bool) -> None:
        self.on_log, self.strict = on_log, strict
        self.told: "Dict[str, bool]" = {}

    def notifications_message(self, params: "Dict[str, Any]") -> None:
        """``notifications/message`` (server/utilities/logging)."""
        if self.on_log is not None:
            self.on_log(params)

    def tell_fault(self, text: str, result: "Any" = None) -> None:
        """Raises ``ServerFault`` under ``strict``: ``result`` is what came all the same."""
        if self.strict:
            raise ServerFault(text, result=result)
        if text in self.told:
            return
        self.told[text] = True
        if self.on_log is None:
            import warnings

            warnings.warn(text, RuntimeWarning, stacklevel=4)
            return
        try:
            self.on_log({"level": "warning", "logger": "mcplite", "data": text})
        except Exception as error:
            report_exception(error)
