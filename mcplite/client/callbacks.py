"""This client's own side: what it declares, and how it answers the questions of a server, from plain callbacks.

Here: ``OwnSide`` (capabilities, the table of handlers), what a callback may return. Not here: how a question arrives (``loop`` in
a handshake session, ``connection`` where it comes inside a result).

Pages: client/elicitation, client/sampling, client/roots of every revision that has them.

1. Only what a callback was given for is declared, in the words of the revision in force.
2. An accepted form is completed from the schema's defaults and checked against it before it is sent: a client SHOULD.
"""
from __future__ import annotations

from ..errors import INVALID_PARAMS, McpError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional

    from ..revisions import Revision

    Callback = Optional[Callable[..., Any]]

ELICIT_ACTIONS = ("accept", "decline", "cancel")
USER_REJECTED = -1              # the code that client/sampling shows for "User rejected sampling request"
UNNAMED_MODEL = "unknown"


class OwnSide:
    """Who we are and what we can do. ``info`` introduces us; ``details`` adds capabilities, and details to those that are there."""

    def __init__(self, info: "Dict[str, Any]", details: "Dict[str, Any]", roots: "Any", on_elicit: "Callback",
                 on_elicit_url: "Callback", on_sample: "Callback") -> None:
        self.info, self.details = info, details
        self.roots: "Any" = None
        self.on_elicit, self.on_elicit_url, self.on_sample = on_elicit, on_elicit_url, on_sample
        if roots is not None:
            self.set_roots(roots)

    def set_roots(self, roots: "Any") -> None:
        """Raises what ``new_roots`` does, and then keeps the old ones."""
        from ..system.paths import file_uri

        new_roots(roots, file_uri)
        self.roots = roots

    def info_for(self, row: "Revision") -> "Dict[str, Any]":
        return {member: value for member, value in self.info.items() if member != "title" or "title" in row.features}

    def capabilities_for(self, row: "Revision") -> "Dict[str, Any]":
        """Return what the client can do in the words of ``row`` (1)."""
        has_modes = "elicitation_url" in row.features
        modes = [mode for mode, callback in (("form", self.on_elicit), ("url", self.on_elicit_url))
                 if callback is not None and (has_modes or mode == "form")]
        found: "Dict[str, Any]" = {}
        if self.roots is not None:
            found["roots"] = {} if row.stateless else {"listChanged": True}
        if self.on_sample is not None:
            found["sampling"] = {}
        if "elicitation" in row.features and modes:
            found["elicitation"] = {mode: {} for mode in modes} if has_modes else {}
        for name, details in self.details.items():
            if name == "extensions" and "extensions" not in row.features:
                continue
            known = found.get(name)
            found[name] = dict(known, **details) if known is not None and details.__class__ is dict else details
        return found

    def new_handlers(self) -> "Dict[str, Callable[[Dict[str, Any], Any], Any]]":
        """Return the dispatch table: what there is a callback for, and ``ping``. All else is -32601."""
        found: "Dict[str, Callable[[Dict[str, Any], Any], Any]]" = {"ping": lambda params, request: {}}
        if self.roots is not None:
            found["roots/list"] = self.roots_list
        if self.on_sample is not None:
            found["sampling/createMessage"] = self.sampling_create_message
        if self.on_elicit is not None or self.on_elicit_url is not None:
            found["elicitation/create"] = found["elicitation/request"] = self.elicitation_create
        return found

    def roots_list(self, params: "Dict[str, Any]", request: "Any") -> "Dict[str, Any]":
        """``roots/list`` (client/roots). Raises what ``new_roots`` does."""
        from ..system.paths import file_uri

        return {"roots": new_roots(self.roots, file_uri)}

    def elicitation_create(self, params: "Dict[str, Any]", request: "Any") -> "Dict[str, Any]":
        """``elicitation/create`` (client/elicitation). Raises ``McpError`` (-32602) for a mode that was not declared."""
        mode = params.get("mode", "form")
        callback = {"form": self.on_elicit, "url": self.on_elicit_url}.get(mode) if mode.__class__ is str else None
        if callback is None:
            raise McpError(INVALID_PARAMS, "Invalid params: this client has not declared elicitation in mode %r" % (mode,))
        return new_elicit_result(callback(params), params, mode)

    def sampling_create_message(self, params: "Dict[str, Any]", request: "Any") -> "Dict[str, Any]":
        """``sampling/createMessage`` (client/sampling).

        Raises ``McpError``: -32602 for tools that were not declared, -1 where the callback returned None, which is the user's
        refusal; ``TypeError`` for anything that is no message.
        """
        declared = self.details.get("sampling")
        if not (isinstance(declared, dict) and "tools" in declared) and ("tools" in params or "toolChoice" in params):
            raise McpError(INVALID_PARAMS, "Invalid params: this client has not declared sampling with tools")
        assert self.on_sample is not None
        answer = self.on_sample(params)
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
    from ..schema import SchemaError, Validator, problem_text

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
