"""While a handler waits for the client, other requests are served: nested, in order, and none is left waiting."""
import pytest
from harness import ServerProcess, call, request

SOURCE = '''
from mcplite import Server
server = Server("nested")
SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}}

@server.tool
def ask(ctx) -> str:
    return str(ctx.elicit("A number?", SCHEMA)["content"]["n"])

@server.tool
def echo(s: str) -> str:
    return s

server.run()
'''


@pytest.fixture
def server(script):
    with ServerProcess(script(SOURCE)) as server:
        server.start(capabilities={"elicitation": {}})
        yield server


def answer(question, n):
    return {"jsonrpc": "2.0", "id": question["id"], "result": {"action": "accept", "content": {"n": n}}}


def text_of(reply):
    return reply["result"]["content"][0]["text"]


def test_several_requests_in_one_write_are_all_served_while_a_question_is_open(server):
    server.send(call("ask", {}, 2))
    question = server.receive()
    server.send(call("echo", {"s": "a"}, 3), call("echo", {"s": "b"}, 4), request("tools/list", None, 5))
    assert [server.receive()["id"] for _ in range(3)] == [3, 4, 5]
    server.send(answer(question, 7))
    assert text_of(server.receive()) == "7"


def test_questions_inside_questions_are_answered_innermost_first(server):
    server.send(call("ask", {}, 2))
    outer = server.receive()
    server.send(call("ask", {}, 3))
    inner = server.receive()
    server.send(answer(outer, 1), answer(inner, 2))
    assert [(server.receive()["id"]) for _ in range(2)] == [3, 2]


def test_beyond_the_limit_requests_wait_their_turn(server):
    questions = []
    for number in range(8):
        server.send(call("ask", {}, 10 + number))
        questions.append(server.receive())
    server.send(call("echo", {"s": "waits"}, 50))
    server.receive_none(0.3)
    for number, question in reversed(list(enumerate(questions))):
        server.send(answer(question, number))
    replies = [server.receive() for _ in range(9)]
    expected = {10 + number: str(number) for number in range(8)}
    expected[50] = "waits"
    assert {reply["id"]: text_of(reply) for reply in replies} == expected
