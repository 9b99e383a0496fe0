"""What a client declares, and how it answers the questions of a server: from plain callbacks to the protocol's results.

Here: capabilities, elicitation, sampling and roots answers, built and checked. Not here: how a question arrives (``client_wire``
in a handshake session, ``client`` where it comes inside a result). Pure.

Pages: client/elicitation, client/sampling, client/roots of every revision that has them.

1. Only what a callback was given for is declared, in the words of the revision in force.
2. An accepted form is completed from the schema's defaults and checked against it before it is sent: a client SHOULD.
"""
from __future__ import annotations

from .errors import INVALID_PARAMS, McpError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional

    from .revisions import Revision

ELICIT_ACTIONS = ("accept", "decline", "cancel")
USER_REJECTED = -1              # the code that client/sampling shows for "User rejected sampling request"
UNNAMED_MODEL = "unknown"


def new_client_capabilities(row: "Revision", has_roots: bool, has_form: bool, has_url: bool, has_sampling: bool,
                            more: "Dict[str, Any]") -> "Dict[str, Any]":
    """Return what the client can do in the words of ``row`` (1); ``more`` adds members, and details to those that are there."""
    found: "Dict[str, Any]" = {}
    if has_roots:
        found["roots"] = {} if row.stateless else {"listChanged": True}
    if has_sampling:
        found["sampling"] = {}
    if "elicitation" in row.features and (has_form or has_url and "elicitation_url" in row.features):
        found["elicitation"] = {}
        if "elicitation_url" in row.features:
            found["elicitation"] = {mode: {} for mode, given in (("form", has_form), ("url", has_url)) if given}
    for name, details in more.items():
        if name == "extensions" and "extensions" not in row.features:
            continue
        known = found.get(name)
        found[name] = dict(known, **details) if known is not None and details.__class__ is dict else details
    return found


def answer_elicitation(params: "Dict[str, Any]", on_form: "Optional[Callable[..., Any]]", on_url: "Optional[Callable[..., Any]]"
                       ) -> "Dict[str, Any]":
    """Return the ElicitResult for a question; raises ``McpError`` (-32602) for a mode that was not declared."""
    mode = params.get("mode", "form")
    callback = {"form": on_form, "url": on_url}.get(mode) if mode.__class__ is str else None
    if callback is None:
        raise McpError(INVALID_PARAMS, "Invalid params: this client has not declared elicitation in mode %r" % (mode,))
    return new_elicit_result(callback(params), params, mode)


def new_elicit_result(answer: "Any", params: "Dict[str, Any]", mode: str) -> "Dict[str, Any]":
    """Turn what a callback returned into an ElicitResult (client/elicitation, "Response Actions").

    ``None`` or ``False``: declined. ``True`` or "accept": accepted, with the form's defaults. "decline", "cancel": that. A whole
    result ``{"action": ..., "content"?: {...}}``: that. Any other dict: accepted with these values. Raises ``TypeError`` for
    anything else, ``ValueError`` for values that do not fit the form (2).
    """
    if answer is None or answer is False:
        answer = "decline"
    elif answer is True:
        answer = "accept"
    if answer.__class__ is str and answer in ELICIT_ACTIONS:
        result: "Dict[str, Any]" = {"action": answer}
    elif isinstance(answer, dict):
        result = dict(answer) if is_elicit_result(answer, params) else {"action": "accept", "content": answer}
    else:
        raise TypeError("an elicitation callback returns a dict of values, a result with an action, True, None, or one of %s; "
                        "not %r" % (", ".join(ELICIT_ACTIONS), answer))
    if result["action"] == "accept" and mode == "form":
        result["content"] = complete_form(result.get("content") or {}, params)
    else:
        result.pop("content", None)
    return result


def is_elicit_result(answer: "Dict[str, Any]", params: "Dict[str, Any]") -> bool:
    """True for a whole result; a form with a field called action is told from one by its content."""
    if answer.get("action") not in ELICIT_ACTIONS or not {"action", "content", "_meta"}.issuperset(answer):
        return False
    return "content" in answer or "action" not in form_fields(params)


def form_fields(params: "Dict[str, Any]") -> "Dict[str, Any]":
    schema = params.get("requestedSchema")
    fields = schema.get("properties") if isinstance(schema, dict) else None
    return fields if isinstance(fields, dict) else {}


def complete_form(content: "Dict[str, Any]", params: "Dict[str, Any]") -> "Dict[str, Any]":
    """Return ``content`` with the defaults of the form where it says nothing, checked against the form (2)."""
    from .schema import SchemaError, Validator, problem_text

    whole = dict(content)
    for name, field in form_fields(params).items():
        if name not in whole and isinstance(field, dict) and "default" in field:
            whole[name] = field["default"]
    try:
        problems = Validator(params.get("requestedSchema", True)).problems(whole)
    except SchemaError:                                     # the server's own mistake: it judges the answer, too
        return whole
    if problems:
        raise ValueError("the answer to %r does not fit its form: %s" % (params.get("message"), problem_text(problems)))
    return whole


def answer_sampling(params: "Dict[str, Any]", callback: "Callable[..., Any]", with_tools: bool) -> "Dict[str, Any]":
    """Return the CreateMessageResult for a question. Raises ``McpError``: -32602 for tools that were not declared, -1 where the
    callback returned None, which is the user's refusal; ``TypeError`` for anything that is no message (client/sampling)."""
    if not with_tools and ("tools" in params or "toolChoice" in params):
        raise McpError(INVALID_PARAMS, "Invalid params: this client has not declared sampling with tools")
    answer = callback(params)
    if answer is None:
        raise McpError(USER_REJECTED, "User rejected sampling request")
    if answer.__class__ is str:
        answer = {"type": "text", "text": answer}
    if isinstance(answer, list) or isinstance(answer, dict) and "type" in answer and "content" not in answer:
        answer = {"content": answer}
    if not isinstance(answer, dict) or "content" not in answer:
        raise TypeError("a sampling callback returns a text, a content block, a list of these, a whole result "
                        '{"role", "content", "model"}, or None to refuse; not %r' % (answer,))
    return dict({"role": "assistant", "model": UNNAMED_MODEL}, **answer)


def new_roots(roots: "Any", file_uri: "Callable[[Any], str]") -> "List[Dict[str, Any]]":
    """Return the Root objects for a list of paths, ``file://`` URIs and dicts ``{"uri", "name"?}``, for one of these alone, or for
    a function that returns them (or None: no roots). Raises ``ValueError`` for another URI, ``TypeError`` for what is no list
    (client/roots)."""
    found = []
    for root in list_roots(roots):
        if isinstance(root, dict):
            entry = dict(root)
        elif isinstance(root, str) and "://" in root:
            entry = {"uri": root}
        else:
            entry = {"uri": file_uri(root)}
        uri = entry.get("uri")
        if uri.__class__ is not str or not uri.startswith("file://"):
            raise ValueError("a root is a path, a file:// URI or a dict with one as its uri, not %r" % (root,))
        found.append(entry)
    return found


def list_roots(roots: "Any") -> "List[Any]":
    """One path is one root, not its letters; an iterator must come from a function, since the next question wants it anew."""
    if callable(roots):
        roots = roots()
        roots = [] if roots is None else list(roots) if hasattr(roots, "__next__") else roots
    if isinstance(roots, (str, dict)) or hasattr(roots, "__fspath__"):
        return [roots]
    if not isinstance(roots, (list, tuple)):
        raise TypeError("roots are a list of paths, file:// URIs and dicts, or a function that returns one; not %r" % (roots,))
    return list(roots)
