"""What becomes of a handler that has ended: its result, checked and as the client's revision reads it, or its error.

Here: ``map_error``, the results of tools. Not here: the handlers (``handlers``), conversion of Python values (``content``), the
line that leaves (``session``).

Pages: server/tools, "Error Handling" and "Output Schema"; server/resources, "Error Handling"; basic/index (error codes).

1. Three outcomes of a tool call never blur: refused request (error), failed tool (``isError``), result.
"""
from .codec import quote
from .errors import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    REQUEST_TIMEOUT,
    CapabilityError,
    InvalidResult,
    McpError,
    PathError,
    TimeLimit,
    ToolError,
)
from .jsonrpc import new_error
from .peer import default_map_error, report_exception
from .session import check_result
from .signature import ArgumentError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict

    from .catalog import ToolEntry
    from .content import ContentError
    from .context import Context
    from .session import Session


class Refusal(McpError):
    """A request that is malformed or asks for something that does not exist: an error, never a tool's outcome (1)."""


def map_error(request: "Context", error: BaseException) -> str:
    """Return the reply for a handler that ended with ``error``: the table of outcomes."""
    row = request._row
    if request._timed_out and isinstance(error, Exception):         # C code between us and the handler, say, made another of it
        error = TimeLimit("the time limit of this request has passed")
    if request._rounds is not None and request._rounds.is_waiting():
        reply: str = request._rounds.reply(request.id, request._peer.session.brief_info)
        return reply
    if isinstance(error, Refusal) or isinstance(error, CapabilityError) and row is not None and row.stateless:
        return new_error(request.id, error.code, error.message, error.data)
    if isinstance(error, TimeLimit) and (row is None or row.time_limit_is_error):
        return new_error(request.id, REQUEST_TIMEOUT, "Request timed out: its time limit has passed")
    if request.method == "tools/call":
        return map_tool_error(request, error)
    if isinstance(error, CapabilityError):          # its code is one of 2026-07-28
        return new_error(request.id, INTERNAL_ERROR, error.message)
    if isinstance(error, TimeLimit):
        return new_error(request.id, INTERNAL_ERROR, "Request timed out: its time limit has passed")
    if isinstance(error, PathError):                # the client named something that it may not have
        if request.method == "resources/read":
            return map_error(request, refuse_resource(request.params["uri"], request))
        return new_error(request.id, INVALID_PARAMS, "Invalid params: %s" % error)
    return default_map_error(request, error)


def map_tool_error(request: "Context", error: BaseException) -> str:
    """``isError``: return the result of a failed tool (1); the trace of what nobody foresaw goes to standard error."""
    if isinstance(error, TimeLimit):
        text = "The tool's time limit has passed"
    elif isinstance(error, ArgumentError):          # the schema allows it, the type does not: February 30th
        text = "Invalid arguments for tool %s: %s" % (request.params["name"], error)
    else:
        text = describe_exception(error)
        if not isinstance(error, (ToolError, InvalidResult, CapabilityError, PathError)):
            report_exception(error)
    session: "Session" = request._peer.session
    return session.result_line(request, '{"content":[{"type":"text","text":%s}],"isError":true}' % quote(text))


def refuse_resource(uri: str, ctx: "Context") -> "Refusal":
    """-32002 up to 2025-11-25, -32602 from 2026-07-28 on; the URI goes along (server/resources, "Error Handling")."""
    assert ctx._row is not None
    return Refusal(ctx._row.resource_not_found, "Resource not found: %s" % uri, {"uri": uri})


def explain_arguments(entry: "ToolEntry", arguments: "Dict[str, Any]") -> "Dict[str, Any]":
    """Return the tool error for arguments that its schema forbids, written for the model that has to call again."""
    from .schema import problem_text

    text = problem_text(entry.find_input_validator().problems(arguments))
    text = "Invalid arguments for tool %s: %s" % (entry.wire["name"], text)
    return {"content": [{"type": "text", "text": text}], "isError": True}


def tool_result_for(entry: "ToolEntry", value: "Any", ctx: "Context") -> "Dict[str, Any]":
    """Return the result for what a tool returned: checked against its output schema, as the client's revision can read it."""
    from .content import ContentError, downgrade_tool_result, to_tool_result

    validator = entry.find_output_validator()
    try:
        result = to_tool_result(value, validator is not None)
    except ContentError as error:
        raise InvalidResult("The result of tool %s cannot be sent: %s" % (entry.wire["name"], error)) from error
    if validator is not None and not result.get("isError"):
        check_structured(entry, validator, result)
    assert ctx._row is not None
    result = downgrade_tool_result(result, ctx._row.features)
    if "structuredContent" in result and validator is not None and "structured_any" not in ctx._row.features \
            and not entry.has_object_output() and isinstance(value, dict):
        result = dict(result, structuredContent={"result": result["structuredContent"]})
    return result


def check_structured(entry: "ToolEntry", validator: "Any", result: "Dict[str, Any]") -> None:
    """``structuredContent``: servers must provide results that fit the output schema (server/tools, "Output Schema")."""
    if "structuredContent" not in result:
        raise InvalidResult("Tool %s has an output schema but returned no structured result" % entry.wire["name"])
    if not validator.is_valid(result["structuredContent"]):
        from .schema import problem_text

        text = problem_text(validator.problems(result["structuredContent"]))
        raise InvalidResult("The result of tool %s does not fit its output schema: %s" % (entry.wire["name"], text))


def describe_exception(error: BaseException) -> str:
    """Return the text that goes on the wire for an exception: its message and nothing else (no trace)."""
    if isinstance(error, SystemExit):
        return "The tool called sys.exit(%s)" % ("" if error.code is None else error.code)
    if isinstance(error, McpError):
        return error.message
    try:
        text = str.__str__(str(error))
    except Exception:                               # it cannot say what it is
        text = ""
    if not text or isinstance(error, KeyError):
        return "%s: %s" % (type(error).__name__, text) if text else type(error).__name__
    return text


def new_invalid_result(handler: str, error: "ContentError") -> "InvalidResult":
    text = "%s returned what cannot be its result: %%s" % handler.replace("%", "%%")
    return InvalidResult(text % error, text % error.wanted)


def new_result_line(session: "Session", handlers: "Dict[str, Any]", own: "Dict[str, Any]") -> "Any":
    """Return the session's ``result_line``, but for the texts of ``handlers`` that are not our ``own``: those are read, and must be
    an object's, since what is no JSON, or is spread over lines, would break the conversation."""
    def result_line(request: "Context", result: "Any") -> str:
        if result.__class__ is str and handlers.get(request.method) is not own.get(request.method):
            from .codec import DecodeError, decode_text

            try:
                result = decode_text(result)
            except DecodeError:
                pass                                # a text is no object: the session says so
            result = check_result(request, result)
        return type(session).result_line(session, request, result)

    return result_line
