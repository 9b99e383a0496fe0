"""The examples, run as a host runs them: a process, plain JSON lines, both directions judged by tests/official.py.

What the official SDKs make of them is in tests/interop.
"""
from __future__ import annotations

import ast
import json
import os
import sys
import time

import pytest
from harness import HANDSHAKE_DATES, PING, PONG, REPO, ServerProcess, call, modern, request

EXAMPLES = os.path.join(REPO, "examples")
HELLO = os.path.join(EXAMPLES, "hello.py")
INVENTORY = os.path.join(EXAMPLES, "inventory.py")
KEYBOARD = "commerce://products/KB-201"
STOCK = {"sku": "KB-201", "quantity": 16,
         "warehouses": [{"code": "BER", "quantity": 12}, {"code": "LIS", "quantity": 4}]}
LOW = {"level": "warning", "logger": "stock",
       "data": {"sku": "KB-201", "warehouse": "LIS", "quantity": 3, "message": "Stock is low"}}
ASKING = {"elicitation": {}, "sampling": {}, "roots": {}}
FORM = {
    "type": "object",
    "properties": {
        "reason": {"type": "string", "title": "Reason", "enum": ["damaged", "wrong item", "not needed"]},
        "remark": {"type": "string", "title": "Remark", "maxLength": 200},
    },
    "required": ["reason"],
}
SURE = {
    "type": "object",
    "properties": {"confirm": {"type": "boolean", "title": "Yes, return it", "default": False}},
    "required": ["confirm"],
}


@pytest.fixture
def shop(tmp_path):
    """A function that starts the inventory server on a shop file of this test."""
    return lambda: ServerProcess(INVENTORY, str(tmp_path / "shop.db"))


@pytest.fixture
def started(shop):
    """An inventory server after the handshake of 2025-11-25, with a client that answers every kind of question."""
    with shop() as server:
        server.start(capabilities=ASKING)
        yield server


def tool(server, name, arguments, **meta):
    """Call a tool and return its result; the notifications before it are in server.seen."""
    return server.ask(call(name, arguments, **({"_meta": meta} if meta else {})))["result"]


def words(result):
    """The text of a result's one block."""
    [block] = result["content"]
    return block["text"]


def order(sku="KB-201", quantity=1, warehouse="LIS"):
    return {"sku": sku, "quantity": quantity, "warehouse": warehouse}


def everything_about(server, message):
    """Send a request and a ping; return (reply, {method: [params]}) of all that the request brought."""
    server.send(message, PING)
    notes, reply = {}, None
    while True:
        got = server.receive()
        if got == PONG:
            return reply, notes
        if "method" in got:
            notes.setdefault(got["method"], []).append(got.get("params", {}))
        else:
            reply = got


# hello


@pytest.mark.parametrize("revision", HANDSHAKE_DATES)
def test_hello_greets(revision):
    with ServerProcess(HELLO) as server:
        server.start(revision)
        assert words(tool(server, "greet", {"name": "Ada", "times": 2})) == "Hello, Ada! Hello, Ada!"
        assert server.close() == 0
        assert server.stderr == ""


def test_hello_greets_in_the_stateless_revision():
    with ServerProcess(HELLO) as server:
        reply = server.ask(modern("tools/call", {"name": "greet", "arguments": {"name": "Ada"}}))
        assert words(reply["result"]) == "Hello, Ada!"


# inventory: what it is


def test_inventory_introduces_itself(shop):
    with shop() as server:
        assert server.start()["result"] == {
            "protocolVersion": "2025-11-25",
            "serverInfo": {"name": "inventory", "title": "Shop inventory", "version": "1.0.0"},
            "instructions": "Look a product up with check_inventory before you order it with place_order.",
            "capabilities": {
                "tools": {"listChanged": True}, "prompts": {"listChanged": True},
                "resources": {"listChanged": True, "subscribe": True}, "logging": {}, "completions": {},
            },
        }
        assert server.close() == 0
        assert server.stderr == ""


def test_inventory_lists_its_tools(started):
    assert [entry["name"] for entry in started.ask(request("tools/list"))["result"]["tools"]] == [
        "check_inventory", "place_order", "count_stock", "write_report", "return_item", "translate_name",
        "find_price_lists"]


def test_the_shop_is_kept_in_the_file_that_is_named(shop):
    with shop() as server:
        server.start()
        tool(server, "place_order", order())
    with shop() as server:
        server.start()
        assert tool(server, "check_inventory", {"sku": "KB-201", "warehouse": "LIS"})["structuredContent"] == {
            "sku": "KB-201", "quantity": 3, "warehouses": [{"code": "LIS", "quantity": 3}]}


def test_without_a_file_the_shop_is_temporary(tmp_path):
    with ServerProcess(INVENTORY, TMPDIR=str(tmp_path), TEMP=str(tmp_path)) as server:
        server.start()
        tool(server, "place_order", order())
        assert len(os.listdir(str(tmp_path))) == 1
        assert server.close() == 0
        assert server.stderr == ""
    assert os.listdir(str(tmp_path)) == []


# inventory: tools


@pytest.mark.parametrize("revision", HANDSHAKE_DATES)
def test_check_inventory_in_every_revision(shop, revision):
    structured = revision >= "2025-06-18"
    with shop() as server:
        server.start(revision)
        entry = server.ask(request("tools/list"))["result"]["tools"][0]
        assert ("outputSchema" in entry, "title" in entry) == (structured, structured)
        result = tool(server, "check_inventory", {"sku": "KB-201"})
        assert json.loads(words(result)) == STOCK
        assert result.get("structuredContent") == (STOCK if structured else None)


def test_check_inventory_of_one_warehouse(started):
    assert tool(started, "check_inventory", {"sku": "KB-201", "warehouse": "BER"})["structuredContent"] == {
        "sku": "KB-201", "quantity": 12, "warehouses": [{"code": "BER", "quantity": 12}]}


@pytest.mark.parametrize("name, arguments, text", [
    ("check_inventory", {"sku": "X"}, "Unknown SKU 'X'. Known SKUs: KB-201, KB-305, MN-270, MS-110."),
    ("check_inventory", {"sku": "MN-270", "warehouse": "BER"}, "Warehouse 'BER' does not hold MN-270."),
    ("place_order", order(quantity=0), "quantity must be 1 or more, not 0."),
    ("place_order", order(quantity=5), "Warehouse 'LIS' has only 4 of KB-201."),
    ("place_order", order(warehouse="OSL"), "Warehouse 'OSL' has only 0 of KB-201."),
    ("return_item", {"order_id": "1001", "sku": "MN-270"}, "Order 1001 has no item MN-270."),
])
def test_a_refusal_is_a_tool_error_for_the_model(started, name, arguments, text):
    assert tool(started, name, arguments) == {"content": [{"type": "text", "text": text}], "isError": True}


def test_place_order_gives_text_a_link_and_data(started):
    assert tool(started, "place_order", order(quantity=2)) == {
        "content": [
            {"type": "text", "text": "Order 1003: 2 x KB-201 from LIS, 2 left."},
            {"type": "resource_link", "uri": "commerce://orders/1003/items", "name": "Items of order 1003",
             "mimeType": "application/json"},
        ],
        "structuredContent": {"orderId": "1003", "sku": "KB-201", "quantity": 2, "left": 2},
    }


def test_place_order_reports_progress(started):
    tool(started, "place_order", order("MS-110", 2, "BER"), progressToken="p")
    assert [note["params"] for note in started.seen if note["method"] == "notifications/progress"] == [
        {"progressToken": "p", "progress": 1, "total": 2, "message": "Reserving 2 x MS-110"},
        {"progressToken": "p", "progress": 2, "total": 2, "message": "Order 1003 is placed"},
    ]


def test_low_stock_is_logged(started):
    reply, notes = everything_about(started, call("place_order", order()))
    assert reply["result"]["structuredContent"]["left"] == 3
    assert notes == {"notifications/message": [LOW]}


def test_enough_stock_is_not_logged(started):
    assert everything_about(started, call("place_order", order("MS-110", 1, "BER")))[1] == {}


def test_low_stock_is_not_logged_above_the_level(started):
    assert started.ask(request("logging/setLevel", {"level": "error"}))["result"] == {}
    assert everything_about(started, call("place_order", order()))[1] == {}


def test_an_order_updates_the_subscribed_product_until_it_is_unsubscribed(started):
    started.ask(request("logging/setLevel", {"level": "emergency"}))
    started.ask(request("resources/subscribe", {"uri": KEYBOARD}))
    assert everything_about(started, call("place_order", order()))[1] == {
        "notifications/resources/updated": [{"uri": KEYBOARD}]}
    assert everything_about(started, call("place_order", order("MS-110", 1, "BER")))[1] == {}
    started.ask(request("resources/unsubscribe", {"uri": KEYBOARD}))
    assert everything_about(started, call("place_order", order()))[1] == {}


def test_count_stock_can_be_cancelled(started):
    started.send(call("count_stock", {"pause": 30}, request_id=7))
    time.sleep(0.5)
    began = time.monotonic()
    started.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}, PING)
    assert started.receive() == PONG
    assert time.monotonic() - began < 5
    assert tool(started, "check_inventory", {"sku": "KB-201"})["structuredContent"] == STOCK


def test_count_stock_counts(started):
    assert words(tool(started, "count_stock", {"pause": 0})) == "Counted 90 pieces on 6 shelves."


def test_a_report_is_a_new_resource(started):
    uri = "commerce://reports/low-stock"
    reply, notes = everything_about(started, call("write_report", {}))
    assert reply["result"]["content"] == [
        {"type": "resource_link", "uri": uri, "name": "Low stock", "mimeType": "text/csv"}]
    assert notes == {"notifications/resources/list_changed": [{}]}
    assert [entry["uri"] for entry in started.ask(request("resources/list"))["result"]["resources"]] == [
        "commerce://catalog/categories", uri]
    assert started.ask(request("resources/read", {"uri": uri}))["result"]["contents"] == [
        {"uri": uri, "mimeType": "text/csv", "text": "sku,warehouse,quantity\nKB-201,LIS,4\nKB-305,BER,3"}]


def test_a_second_report_updates_the_first(started):
    uri = "commerce://reports/low-stock"
    tool(started, "write_report", {})
    started.ask(request("resources/subscribe", {"uri": uri}))
    assert everything_about(started, call("write_report", {}))[1] == {"notifications/resources/updated": [{"uri": uri}]}


# inventory: resources, prompt, completion


def test_categories_are_annotated(started):
    assert started.ask(request("resources/list"))["result"]["resources"] == [{
        "uri": "commerce://catalog/categories",
        "name": "categories",
        "title": "Product categories",
        "description": "All categories, with the number of products in each.",
        "mimeType": "application/json",
        "annotations": {"audience": ["user", "assistant"], "priority": 0.8, "lastModified": "2026-11-02T09:00:00Z"},
    }]


@pytest.mark.parametrize("uri, value", [
    ("commerce://catalog/categories", [{"category": "keyboards", "products": 2}, {"category": "mice", "products": 1},
                                       {"category": "monitors", "products": 1}]),
    (KEYBOARD, {"sku": "KB-201", "name": "Quiet keyboard", "category": "keyboards", "price": 79.5, "quantity": 16}),
    ("commerce://orders/1001/items", [{"sku": "KB-201", "quantity": 1}, {"sku": "MS-110", "quantity": 2}]),
])
def test_reading(started, uri, value):
    [contents] = started.ask(request("resources/read", {"uri": uri}))["result"]["contents"]
    assert (contents["uri"], contents["mimeType"], json.loads(contents["text"])) == (uri, "application/json", value)


@pytest.mark.parametrize("uri", ["commerce://products/KB-999", "commerce://orders/1/items", "commerce://products/a/b"])
def test_reading_what_is_not_there(started, uri):
    error = started.ask(request("resources/read", {"uri": uri}))["error"]
    assert (error["code"], error["data"]) == (-32002, {"uri": uri})


@pytest.mark.parametrize("arguments, question", [
    ({"category": "mice"}, "Which of your mice do you recommend?"),
    ({"category": "mice", "budget": "20 euros"}, "Which of your mice do you recommend? My budget is 20 euros."),
])
def test_the_prompt(started, arguments, question):
    result = started.ask(request("prompts/get", {"name": "product_recommendation", "arguments": arguments}))["result"]
    assert [(message["role"], message["content"]["text"]) for message in result["messages"]] == [
        ("user", question), ("assistant", "In stock are: Travel mouse (MS-110) at 24.90. I weigh price against use.")]


@pytest.mark.parametrize("ref, name, value, values", [
    ({"type": "ref/prompt", "name": "product_recommendation"}, "category", "", ["keyboards", "mice", "monitors"]),
    ({"type": "ref/prompt", "name": "product_recommendation"}, "category", "mo", ["monitors"]),
    ({"type": "ref/resource", "uri": "commerce://products/{sku}"}, "sku", "m", ["MN-270", "MS-110"]),
])
def test_completion(started, ref, name, value, values):
    params = {"ref": ref, "argument": {"name": name, "value": value}}
    result = started.ask(request("completion/complete", params))["result"]
    assert result["completion"] == {"values": values, "total": len(values), "hasMore": False}


# inventory: questions to the client


def answer(server, question, result):
    """Answer a question of the server's."""
    server.send({"jsonrpc": "2.0", "id": question["id"], "result": result})


def test_a_return_asks_for_reason_and_confirmation(started):
    started.send(call("return_item", {"order_id": "1001", "sku": "KB-201"}))
    first = started.receive()
    assert (first["method"], first["params"]["message"], first["params"]["requestedSchema"]) == (
        "elicitation/create", "Why does KB-201 go back?", FORM)
    answer(started, first, {"action": "accept", "content": {"reason": "damaged"}})
    second = started.receive()
    assert (second["method"], second["params"]["message"], second["params"]["requestedSchema"]) == (
        "elicitation/create", "Return KB-201 as 'damaged'?", SURE)
    answer(started, second, {"action": "accept", "content": {"confirm": True}})
    assert words(started.receive()["result"]) == "KB-201 of order 1001 is returned: damaged."
    items = started.ask(request("resources/read", {"uri": "commerce://orders/1001/items"}))["result"]["contents"]
    assert json.loads(items[0]["text"]) == [{"sku": "MS-110", "quantity": 2}]


@pytest.mark.parametrize("first, second", [
    ({"action": "decline"}, None),
    ({"action": "cancel"}, None),
    ({"action": "accept", "content": {"reason": "damaged"}}, {"action": "decline"}),
    ({"action": "accept", "content": {"reason": "damaged"}}, {"action": "accept", "content": {"confirm": False}}),
])
def test_a_return_that_is_not_wanted_changes_nothing(started, first, second):
    started.send(call("return_item", {"order_id": "1001", "sku": "KB-201"}))
    for result in filter(None, [first, second]):
        answer(started, started.receive(), result)
    assert words(started.receive()["result"]) == "Nothing was returned."
    items = started.ask(request("resources/read", {"uri": "commerce://orders/1001/items"}))["result"]["contents"]
    assert [row["sku"] for row in json.loads(items[0]["text"])] == ["KB-201", "MS-110"]


def test_a_translation_is_sampled(started):
    started.send(call("translate_name", {"sku": "MS-110", "language": "French"}))
    question = started.receive()
    assert (question["method"], question["params"]) == ("sampling/createMessage", {
        "maxTokens": 50, "messages": [{"role": "user", "content": {
            "type": "text", "text": "Translate into French, answer with the words only: Travel mouse"}}]})
    answer(started, question, {"role": "assistant", "model": "m", "content": {"type": "text", "text": "Souris"}})
    assert words(started.receive()["result"]) == "Travel mouse: Souris"


def test_price_lists_are_looked_for_in_the_roots(started, tmp_path):
    for name in ("b.csv", "a.csv", "c.txt"):
        (tmp_path / name).write_text("x", encoding="utf-8")
    started.send(call("find_price_lists", {}))
    question = started.receive()
    assert question["method"] == "roots/list"
    answer(started, question, {"roots": [{"uri": tmp_path.as_uri(), "name": "prices"},
                                         {"uri": (tmp_path / "gone").as_uri()}]})
    assert words(started.receive()["result"]) == "prices/a.csv\nprices/b.csv"


@pytest.mark.parametrize("name, arguments, capability", [
    ("return_item", {"order_id": "1001", "sku": "KB-201"}, "elicitation"),
    ("translate_name", {"sku": "MS-110", "language": "French"}, "sampling"),
    ("find_price_lists", {}, "roots"),
])
def test_a_client_that_cannot_be_asked_gets_a_tool_error(shop, name, arguments, capability):
    with shop() as server:
        server.start()
        result = tool(server, name, arguments)
        assert result["isError"] is True
        assert words(result) == "the client has not declared the capability %s, which this needs" % capability


def test_a_return_in_the_stateless_revision_takes_three_rounds(shop):
    params = {"name": "return_item", "arguments": {"order_id": "1001", "sku": "KB-201"}}
    with shop() as server:
        answers = [{"action": "accept", "content": content} for content in ({"reason": "damaged"}, {"confirm": True})]
        questions = []
        for given in answers + [None]:
            result = server.ask(modern("tools/call", params, clientCapabilities=ASKING))["result"]
            if result["resultType"] != "input_required":
                break
            [(key, asked)] = result["inputRequests"].items()
            questions.append((asked["method"], asked["params"]["message"]))
            params = dict(params, inputResponses={key: given}, requestState=result["requestState"])
        assert questions == [("elicitation/create", "Why does KB-201 go back?"),
                             ("elicitation/create", "Return KB-201 as 'damaged'?")]
        assert words(result) == "KB-201 of order 1001 is returned: damaged."


def test_reading_what_is_not_there_in_the_stateless_revision(shop):
    with shop() as server:
        error = server.ask(modern("resources/read", {"uri": "commerce://products/KB-999"}))["error"]
        assert (error["code"], error["data"]) == (-32602, {"uri": "commerce://products/KB-999"})


# How they are written


@pytest.mark.parametrize("path", [HELLO, INVENTORY])
def test_an_example_imports_the_public_names_only(path):
    public = {"Server", "Client", "Context", "ToolError", "McpError", "text", "image", "audio", "resource_link",
              "embedded", "tool_result"}
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read(), feature_version=(3, 8))
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {alias.name if node.module == "mcplite" else node.module for alias in node.names}
    strangers = {name for name in found - public if name.split(".")[0] not in STANDARD}
    assert strangers == set()
    assert "Server" in found


STANDARD = getattr(sys, "stdlib_module_names", None) or {"os", "sqlite3", "sys", "time", "typing", "urllib", "tempfile"}
