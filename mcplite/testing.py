"""For tests of servers: a client in memory, and a handler run in every revision.

Here: ``MemoryClient``, ``check_server``, ``check_handler``. Not here: anything a server needs to run; the real ``Client``,
which works in memory too, but never shows a message.

Pages: basic/lifecycle; basic/index and basic/patterns/mrtr of 2026-07-28.

    from mcplite.testing import check_handler, MemoryClient

    def test_greeting():
        result = check_handler(greet, {"polite": True}, answers=[{"action": "accept", "content": {"name": "Ann"}}])
        assert result["content"] == [{"type": "text", "text": "Good day, Ann"}]

1. Everything happens in one thread: a request runs the server until its reply is there.
2. What the client answers is the same in every revision; a revision that cannot be asked a question is left out.
"""
from __future__ import annotations

from .asking import adapt_question, check_question
from .codec import decode, encode
from .content import downgrade_contents, downgrade_prompt, downgrade_tool_result
from .errors import CapabilityError, McpError
from .jsonrpc import new_error, new_notification, new_request, new_result
from .revisions import (
    CLIENT_CAPABILITIES_KEY,
    CLIENT_INFO_KEY,
    NEWEST_STATELESS,
    REVISIONS,
    VERSION_KEY,
)
from .server import Server
from .system.streams import new_memory_pair

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

    from .revisions import Revision

    Answers = Union[Sequence[Dict[str, Any]], Callable[[Dict[str, Any]], Dict[str, Any]]]

MEMORY_CLIENT_INFO = {"name": "mcplite.testing", "version": "0"}
ROUND_LIMIT = 10


class MemoryClient:
    """A client of ``server`` in this process, speaking one revision.

    ``answers``: what the server's questions get, in their order: a list of results, or a function that takes the question
    ``{"method", "params"}`` and returns its result or raises ``McpError``. ``capabilities``: those declared (None: all).

    ``transcript`` holds every line as ``("client" | "server", text)``, ``questions`` what was asked, ``notifications`` what the
    server notified, ``responses`` by id those to ``send_request`` and ``write``. ``request`` returns results; use it as a context
    manager, or ``close`` it.
    """

    def __init__(self, server: Server, revision: str = NEWEST_STATELESS.date, answers: Answers = (),
                 capabilities: Optional[Dict[str, Any]] = None) -> None:
        self._row: Revision = REVISIONS[revision]
        self._answers = answers
        self.capabilities = new_capabilities(self._row) if capabilities is None else capabilities
        self.transcript: List[Tuple[str, str]] = []
        self.questions: List[Dict[str, Any]] = []
        self.notifications: List[Dict[str, Any]] = []
        self.responses: Dict[Any, Dict[str, Any]] = {}
        self._failure: Optional[AssertionError] = None       # a question without an answer
        self._last_id = 0
        self._server = server
        self._channel, theirs = new_memory_pair()
        self._channel.step = self._take_lines
        self._connection = server._core.connect(theirs)
        self.initialize_result: Dict[str, Any] = {}
        if not self._row.stateless:
            self.initialize_result = self.request("initialize", {
                "protocolVersion": revision, "capabilities": self.capabilities, "clientInfo": MEMORY_CLIENT_INFO})
            self.notify("notifications/initialized")

    def __enter__(self) -> MemoryClient:
        return self

    def __exit__(self, *failure: Any) -> None:
        self.close()

    def close(self) -> None:
        """End the input of the server."""
        if not self._channel.closed:
            self.run()
            self._connection.end()
            self._take_lines()
            self._channel.close()
            self._connection.peer.serve()
            self._server._core.connections.remove(self._connection)

    def request(self, method: str, params: Optional[Dict[str, Any]] = None,
                meta: Optional[Dict[str, Any]] = None) -> Dict[str, Any]:
        """Return the result of a request, all its questions answered; raises ``McpError`` for an error.

        ``params`` without ``_meta``: what the revision needs there is added, and ``meta`` (progressToken, trace context, ...).
        Raises ``AssertionError`` for a question without an answer, and where no reply comes.
        """
        for _ in range(ROUND_LIMIT):
            result = self.request_once(method, params, meta)
            if result.get("resultType") != "input_required":
                return result
            params = dict(params or {}, inputResponses=self._answer_round(result.get("inputRequests", {})))
            params.pop("requestState", None)
            if "requestState" in result:
                params["requestState"] = result["requestState"]
        raise AssertionError("%s asked for input %d times" % (method, ROUND_LIMIT))

    def request_once(self, method: str, params: Optional[Dict[str, Any]] = None, meta: Optional[Dict[str, Any]] = None,
                     request_id: Any = None) -> Dict[str, Any]:
        """Return the result of one request as it is, ``input_required`` too; raises ``McpError`` for an error."""
        request_id = self._send(method, params, meta, request_id)
        while request_id not in self.responses:
            before = len(self.transcript)
            self.run()
            if len(self.transcript) == before:
                raise AssertionError("no reply to %s" % method)
        response = self.responses.pop(request_id)
        if "error" in response:
            error = response["error"]
            raise McpError(error["code"], error["message"], error.get("data"))
        result: Dict[str, Any] = response["result"]
        return result

    def send_request(self, method: str, params: Optional[Dict[str, Any]] = None, meta: Optional[Dict[str, Any]] = None,
                     request_id: Any = None) -> Any:
        """Send a request that stays open (``subscriptions/listen``) and serve it; return its id."""
        request_id = self._send(method, params, meta, request_id)
        self.run()
        return request_id

    def _send(self, method: str, params: Optional[Dict[str, Any]], meta: Optional[Dict[str, Any]], request_id: Any) -> Any:
        self._last_id += 1
        request_id = self._last_id if request_id is None else request_id
        self.write(new_request(request_id, method, self._whole_params(params, meta)))
        return request_id

    def notify(self, method: str, params: Optional[Dict[str, Any]] = None) -> None:
        """Send a notification, and serve it."""
        self.write(new_notification(method, params))
        self.run()

    def run(self) -> None:
        """Let the server do what it has to do: take what was sent, tell what has changed."""
        self._connection.peer.serve_once(0)
        self._take_lines()
        self._raise_failure()

    def _whole_params(self, params: Optional[Dict[str, Any]], meta: Optional[Dict[str, Any]]) -> Optional[Dict[str, Any]]:
        whole = dict(meta or {})
        if self._row.stateless:
            whole.setdefault(VERSION_KEY, self._row.date)
            whole.setdefault(CLIENT_CAPABILITIES_KEY, self.capabilities)
            whole.setdefault(CLIENT_INFO_KEY, MEMORY_CLIENT_INFO)
        return dict(params or {}, _meta=whole) if whole else params

    def write(self, line: str) -> None:
        """Send one line as it is, with its line feed; ``run`` serves it."""
        self.transcript.append(("client", line))
        self._channel.write(line.encode("ascii"))

    def _take_lines(self) -> None:
        """Take in what the server has written; its questions are answered at once."""
        for line in self._channel.take_lines():
            self.transcript.append(("server", line.decode("ascii") + "\n"))
            message = decode(line)
            if "method" not in message:
                self.responses[message.get("id")] = message
            elif "id" in message:
                self._answer_request(message)
            else:
                self.notifications.append(message)

    def _answer_request(self, message: Dict[str, Any]) -> None:
        try:
            result = self._find_answer({name: message[name] for name in ("method", "params") if name in message})
            self.write(new_result(message["id"], encode(result)))
        except McpError as error:
            self.write(new_error(message["id"], error.code, error.message, error.data))

    def _answer_round(self, questions: Dict[str, Dict[str, Any]]) -> Dict[str, Any]:
        answers = {}
        for key, question in questions.items():
            answers[key] = self._find_answer(question)
            self._raise_failure()
        return answers

    def _find_answer(self, question: Dict[str, Any]) -> Dict[str, Any]:
        number = len(self.questions)
        self.questions.append(question)
        if callable(self._answers):
            return self._answers(question)
        if number < len(self._answers):
            return self._answers[number]
        text = "question %d has no answer: %s" % (number + 1, encode(question))
        self._failure = AssertionError(text)
        raise McpError(-32603, text)

    def _raise_failure(self) -> None:
        """What went wrong inside the server's handler, who may have caught it, is the test's to know."""
        if self._failure is not None:
            failure, self._failure = self._failure, None
            raise failure


def new_capabilities(row: Revision) -> Dict[str, Any]:
    """Return all that a client of this revision can declare."""
    found: Dict[str, Any] = {"roots": {}, "sampling": {}}
    if "elicitation" in row.features:
        found["elicitation"] = {}
    if "elicitation_url" in row.features:
        found["elicitation"] = {"form": {}, "url": {}}
    if "sampling_tools" in row.features:
        found["sampling"] = {"tools": {}, "context": {}}
    return found


def check_server(server: Union[Server, Callable[[], Server]], method: str, params: Optional[Dict[str, Any]] = None,
                 answers: Answers = ()) -> Dict[str, Any]:
    """Send a request in every revision with the same ``answers`` and demand the same result; return it.

    ``server``: a ``Server``, or a function that makes a fresh one for each revision, for handlers that change something.
    ``method`` and ``params`` as on the wire, without ``_meta``. ``answers`` as for ``MemoryClient``. The result is the newest
    revision's, without what is about the protocol only; older ones must have the same, as far as they can hold it. A
    revision that has no way to ask one of the questions is left out. An error must be the same in all, and is raised.
    Raises ``AssertionError`` that says which revision differs, and how.
    """
    dates = sorted(REVISIONS, reverse=True)
    newest, error, questions = run_in_revision(server, dates[0], method, params, answers)
    asked = [check_question(question) for question in questions]
    for date in dates[1:]:
        row = REVISIONS[date]
        if not all(can_be_asked(question, row) for question in asked):
            continue
        result, other_error, other_questions = run_in_revision(server, date, method, params, answers)
        if error is not None or other_error is not None:
            check_same(error and error.message, other_error and other_error.message, date, "error")
            continue
        check_same(len(asked), len(other_questions), date, "number of questions")
        check_same(view_result(newest, method, row), result, date, "result")
    if error is not None:
        raise error
    return newest


def check_handler(function: Callable[..., Any], arguments: Optional[Dict[str, Any]] = None, answers: Answers = (),
                  **options: Any) -> Dict[str, Any]:
    """Run a function as a tool in every revision and demand the same result; return it. See ``check_server``.

    ``options`` are those of ``Server.tool`` (``input_schema``, ``output_schema``, ...). An exception of the tool is a result too.
    """
    def make_server() -> Server:
        server = Server("handler")
        server.tool(function, **dict(options, name="handler"))
        return server

    return check_server(make_server, "tools/call", {"name": "handler", "arguments": arguments or {}}, answers)


def run_in_revision(server: Union[Server, Callable[[], Server]], revision: str, method: str, params: Optional[Dict[str, Any]],
                    answers: Answers) -> Tuple[Dict[str, Any], Optional[McpError], List[Dict[str, Any]]]:
    """Return the result without protocol members, the error, the questions."""
    with MemoryClient(server if isinstance(server, Server) else server(), revision, answers) as client:
        result: Dict[str, Any] = {}
        error = None
        try:
            result = client.request(method, params)
        except McpError as raised:
            error = raised
        if not callable(answers) and len(client.questions) < len(answers):
            raise AssertionError("%s: %d questions were asked, and there are %d answers"
                                 % (revision, len(client.questions), len(answers)))
    if client._row.stateless:
        result = {name: value for name, value in result.items() if name not in ("resultType", "ttlMs", "cacheScope")}
        meta = {name: value for name, value in result.pop("_meta", {}).items() if not name.endswith("/serverInfo")}
        if meta:
            result["_meta"] = meta
    return result, error, client.questions


def can_be_asked(question: Dict[str, Any], row: Revision) -> bool:
    try:
        adapt_question(question, row, new_capabilities(row))
    except CapabilityError:
        return False
    return True


def view_result(result: Dict[str, Any], method: str, row: Revision) -> Dict[str, Any]:
    """Return the newest result as a client of ``row`` may read it."""
    if method == "tools/call":
        return downgrade_tool_result(result, row.features)
    if method == "prompts/get":
        return downgrade_prompt(result, row.features)
    if method == "resources/read":
        return dict(result, contents=[downgrade_contents(item, row.features) for item in result["contents"]])
    return result


def check_same(expected: Any, found: Any, revision: str, what: str) -> None:
    if expected != found:
        raise AssertionError("%s: another %s than in %s: %r, not %r" % (revision, what, NEWEST_STATELESS.date, found, expected))
