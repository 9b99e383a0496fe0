"""The rounds of one request: how a question travels, and how an answer finds its handler again.

Here: ``Rounds``, ``SealedRounds``, ``ask_all``. Not here: what a handler calls (``context``), what may be asked (``questions``),
the seal of a state (``sealing``), waiting for an answer (``waiting``).

Page: basic/patterns/mrtr of 2026-07-28.

A handler asks in the same words in every revision. In a handshake revision the question goes out as a request and the
handler waits (``Rounds``). In a stateless one it is left by ``InputRequired`` and the request ends with the question as
its result; the client sends it again with the answer, and the handler runs again from its top (``SealedRounds``).

1. A question and the client's capabilities are checked before anything is sent: ``ValueError``, ``CapabilityError``.
2. A question is known by its key, given or counted (q1, q2, ...), and has an answer only as long as it is, word for word,
   what the client was asked. With a sealed state an answer counts only if the state lists its key as asked. Without one,
   an answer counts for the question that the author asks under its key; a counted key can have been told to nobody.
   An answer that has not the form it was asked in never reaches a handler: one that was asked for is refused, any other
   does not count, and the question is asked.
3. Once a question waits, no further question, no ``once`` and no return value gets past it, whatever a handler catches.
"""
from __future__ import annotations

from ..codec import decode_text, encode
from ..errors import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    InputRequired,
    LocalProtocolError,
    McpError,
)
from ..jsonrpc import new_error, new_result
from ..revisions import SERVER_INFO_KEY
from .adapting import adapt_questions
from .questions import check_answer, check_question
from .sealing import StateError, digest_json, digest_request
from .waiting import ask_and_serve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Tuple

    from ..jsonrpc import Request
    from .questions import Answer, Question

ASKING_METHODS = ("tools/call", "prompts/get", "resources/read")    # basic/patterns/mrtr, "Supported Requests"


class Rounds:
    """The questions of one request, asked while it is open: what a handshake revision does."""

    def __init__(self) -> None:
        self.keys: Dict[str, bool] = {}         # used in this run of the handler → whether its author gave it
        self.counted = 0
        self.kept: Dict[str, Any] = {}          # results of once(), by key

    def new_key(self, key: Optional[str]) -> str:
        """Return the key of the next question: the one given, or its number in this run. ``ValueError``: used before."""
        given = key is not None
        if key is None:
            self.counted += 1
            key = "q%d" % self.counted
        if key.__class__ is not str or not key:
            raise ValueError("the key of a question is a text that is not empty, not %r" % (key,))
        if key in self.keys:
            raise ValueError("the key %r was used for another question of this request: each needs its own" % key)
        self.keys[key] = given
        return key

    def ask(self, request: Request, keys: List[str], questions: List[Question], adapted: List[Question]) -> List[Answer]:
        """Return the answers. ``questions`` are in the newest form, ``adapted`` as this client reads them."""
        return [self.ask_one(request, *pair) for pair in zip(questions, adapted)]

    def ask_one(self, request: Request, question: Question, adapted: Question) -> Answer:
        params = adapted.get("params")
        if params is not None and params.get("mode") == "url" and "elicitationId" not in params:
            params = dict(params, elicitationId=request._peer.find_sealer().new_token())
        answer = ask_and_serve(request._peer, question["method"], params, request)
        try:
            return check_answer(question, answer)
        except ValueError as error:
            raise McpError(INVALID_PARAMS, str(error)) from None

    def once(self, key: str, function: Callable[[], Any]) -> Any:
        if key not in self.kept:
            self.kept[key] = read_back(function(), key)
        return self.kept[key]

    def is_waiting(self) -> bool:
        return False

    def check_answered(self) -> None:
        """Called when the handler has returned: raises ``InputRequired`` where it must not have."""

    def reply(self, request_id: Any, server_info: Any) -> str:
        """Return the reply to a request that waits."""
        raise LocalProtocolError("only a stateless request ends with its questions")


class SealedRounds(Rounds):
    """The questions of one request, asked over several: what a stateless revision does. ``StateError``: a bad state."""

    def __init__(self, request: Request) -> None:
        super().__init__()
        self.sealer = request._peer.find_sealer()
        try:
            self.request = digest_request(request.method, request.params, str(request._peer.session.our_info.get("name")))
        except ValueError as error:
            raise StateError(str(error)) from None
        self.number = ""                                        # of the state that came with this round
        self.answers: Dict[str, Tuple[str, Any]] = {}           # key → digest of the question, the answer
        self.unasked: Dict[str, Any] = {}                       # key → an answer that came without a state
        self.brought: List[str] = []                            # keys of the answers that were asked for and came now
        self.waiting: Dict[str, Tuple[str, Question]] = {}      # key → digest, the question as it goes out
        self.refusal: Optional[str] = None                      # what was wrong with an answer
        if request.method in ASKING_METHODS:
            self.read_params(request.params)

    def read_params(self, params: Dict[str, Any]) -> None:
        """``requestState``, ``inputResponses``: what this round brings."""
        responses = params.get("inputResponses", {})
        if responses.__class__ is not dict:
            raise StateError("inputResponses must be an object")
        if "requestState" not in params:
            self.unasked = responses                            # judged when their questions are asked (2)
            return
        content = self.sealer.unseal(params["requestState"], self.request)
        self.number, self.kept = content["number"], content["kept"]
        self.answers = {key: (digest, answer) for key, (digest, answer) in content["answers"].items()}
        for key, digest in content["asked"].items():
            if key in responses:
                self.answers[key] = (digest, responses[key])
                self.brought.append(key)

    def ask(self, request: Request, keys: List[str], questions: List[Question], adapted: List[Question]) -> List[Answer]:
        if request.method not in ASKING_METHODS:
            assert request._row is not None
            raise LocalProtocolError("in revision %s a question may be asked while %s is served, not %s"
                                     % (request._row.date, " or ".join(ASKING_METHODS), request.method))
        found = []
        for key, question, wire in zip(keys, questions, adapted):
            digest = digest_json(wire)
            answer = self.take_answer(key, digest, question)
            if answer is None:
                self.waiting[key] = (digest, wire)
            else:
                found.append(answer)
        if self.waiting:
            raise InputRequired("the answer comes with the next round of this request")
        return found

    def take_answer(self, key: str, digest: str, question: Question) -> Optional[Answer]:
        """Return the answer to a question and keep it for further rounds; None where there is none that counts (2)."""
        known = self.answers.pop(key, None)
        if known is None and self.keys[key] and key in self.unasked:
            known = (digest, self.unasked[key])
        if known is None or known[0] != digest:
            return None
        try:
            answer = check_answer(question, known[1])
        except ValueError as error:
            if key not in self.brought:
                return None
            self.refusal = "inputResponses: %s: %s" % (key, error)
            raise InputRequired("the answer to %s is malformed" % key) from None
        self.answers[key] = known
        return answer

    def once(self, key: str, function: Callable[[], Any]) -> Any:
        if key not in self.kept:
            self.use_state()
            self.kept[key] = read_back(function(), key)
        return self.kept[key]

    def use_state(self) -> None:
        """From here on the state that came with this round has had its effect, and is good for no other."""
        if self.number:
            self.sealer.use(self.number)

    def is_waiting(self) -> bool:
        return self.refusal is not None or bool(self.waiting)

    def check_answered(self) -> None:
        if self.is_waiting():
            raise InputRequired("a question was asked and has no answer yet")
        self.use_state()

    def reply(self, request_id: Any, server_info: Any) -> str:
        """``input_required``, ``inputRequests``: return the questions, or the refusal of a malformed answer."""
        if self.refusal is not None:
            return new_error(request_id, INVALID_PARAMS, "Invalid params: %s" % self.refusal)
        content = {"asked": {key: digest for key, (digest, _) in self.waiting.items()},
                   "answers": {key: list(known) for key, known in self.answers.items()}, "kept": self.kept}
        try:
            state = self.sealer.seal(content, self.request)
        except StateError as error:
            return new_error(request_id, INTERNAL_ERROR, "Internal error: %s" % error)
        self.use_state()
        return new_result(request_id, encode({
            "resultType": "input_required", "inputRequests": {key: wire for key, (_, wire) in self.waiting.items()},
            "requestState": state, "_meta": {SERVER_INFO_KEY: server_info}}))


def read_back(value: Any, key: str) -> Any:
    """Return a result of ``once`` as it will be in every further round: as JSON."""
    try:
        return decode_text(encode(value))
    except (TypeError, ValueError) as error:
        raise ValueError("once(%r): its function must return a JSON value: %s" % (key, error)) from None


def open_rounds(request: Request) -> Rounds:
    """Give a request its rounds; raises ``StateError`` where it brings a state or answers that must be refused."""
    stateless = request._row is not None and request._row.stateless
    request._rounds = rounds = SealedRounds(request) if stateless else Rounds()
    return rounds


def check_may_ask(request: Request) -> Rounds:
    if request._ended:
        raise LocalProtocolError("the request %r has ended: its client cannot be asked any more" % (request.id,))
    rounds: Rounds = request._rounds if request._rounds is not None else open_rounds(request)
    if rounds.is_waiting():                                     # (3)
        raise InputRequired("a question was asked and has no answer yet")
    return rounds


def ask_all(request: Request, capabilities: Dict[str, Any], keys: List[Any], questions: List[Question]) -> List[Answer]:
    """Return the answers to ``questions`` of a client with ``capabilities``; a key of None is counted.

    Raises as ``Context.elicit`` says.
    """
    rounds = check_may_ask(request)
    checked = [check_question(question) for question in questions]
    assert request._row is not None
    adapted = adapt_questions(checked, request._row, capabilities)
    return rounds.ask(request, [rounds.new_key(key) for key in keys], checked, adapted)


def run_once(request: Request, key: str, function: Callable[[], Any]) -> Any:
    """``Context.once``."""
    if key.__class__ is not str or not key:
        raise ValueError("the key of once is a text that is not empty, not %r" % (key,))
    return check_may_ask(request).once(key, function)
