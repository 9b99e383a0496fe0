"""The examples through mcplite.testing: the same answers give the same result in every revision."""
from __future__ import annotations

import importlib.util
import os

import pytest
from harness import REPO
from memory import call_params, text_of

from mcplite import McpError
from mcplite.testing import check_server

REASON = {"action": "accept", "content": {"reason": "damaged", "remark": "Keys stick."}}
SURE = {"action": "accept", "content": {"confirm": True}}
TRANSLATED = {"role": "assistant", "content": {"type": "text", "text": "Leise Tastatur"}, "model": "m"}


def load(name):
    spec = importlib.util.spec_from_file_location("example_" + name, os.path.join(REPO, "examples", name + ".py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def new_shop():
    """A function that makes the inventory server on a fresh shop: each revision gets its own, since tools change it."""
    opened = []

    def make():
        shop = load("inventory")
        shop.open_shop(":memory:")
        opened.append(shop.database)
        return shop.server
    make.opened = opened
    yield make
    for database in opened:
        database.close()


def test_hello():
    result = check_server(load("hello").server, "tools/call", call_params("greet", name="Ann", times=2))
    assert result == {"content": [{"type": "text", "text": "Hello, Ann! Hello, Ann!"}]}


@pytest.mark.parametrize("tool, arguments", [
    ("check_inventory", {"sku": "KB-201"}), ("check_inventory", {"sku": "KB-201", "warehouse": "LIS"}),
    ("check_inventory", {"sku": "none"}), ("check_inventory", {}), ("check_inventory", {"sku": 3}),
    ("place_order", {"sku": "KB-201", "quantity": 1, "warehouse": "LIS"}),
    ("place_order", {"sku": "KB-201", "quantity": 99, "warehouse": "LIS"}),
    ("count_stock", {"pause": 0}), ("write_report", {})])
def test_every_tool_that_asks_nothing(new_shop, tool, arguments):
    assert check_server(new_shop, "tools/call", call_params(tool, **arguments))["content"]
    assert len(new_shop.opened) == 5                    # one shop for each revision: none was left out


@pytest.mark.parametrize("answers, text", [
    ([REASON, SURE], "KB-201 of order 1001 is returned: damaged."),
    ([REASON, {"action": "accept", "content": {"confirm": False}}], "Nothing was returned."),
    ([REASON, {"action": "decline"}], "Nothing was returned."),
    ([{"action": "cancel"}], "Nothing was returned.")])
def test_the_return_flow(new_shop, answers, text):
    result = check_server(new_shop, "tools/call", call_params("return_item", order_id="1001", sku="KB-201"), answers)
    assert text_of(result) == text
    left = [len(database.execute("SELECT * FROM order_items WHERE order_id = '1001'").fetchall()) for database in new_shop.opened]
    assert left == [1 if "is returned" in text else 2] * 3      # the three revisions that know elicitation


def test_the_return_flow_asks_nothing_about_an_item_that_is_not_there(new_shop):
    result = check_server(new_shop, "tools/call", call_params("return_item", order_id="1001", sku="MN-270"))
    assert (result["isError"], text_of(result)) == (True, "Order 1001 has no item MN-270.")


def test_the_translation(new_shop):
    arguments = call_params("translate_name", sku="KB-201", language="German")
    assert text_of(check_server(new_shop, "tools/call", arguments, [TRANSLATED])) == "Quiet keyboard: Leise Tastatur"
    assert len(new_shop.opened) == 5


def test_the_price_lists(new_shop, tmp_path):
    (tmp_path / "2026.csv").write_text("x")
    (tmp_path / "notes.txt").write_text("x")
    answers = [{"roots": [{"uri": tmp_path.as_uri(), "name": "prices"}, {"uri": "file:///nowhere/at/all"}]}]
    assert text_of(check_server(new_shop, "tools/call", call_params("find_price_lists"), answers)) == "prices/2026.csv"


@pytest.mark.parametrize("method, params", [
    ("resources/read", {"uri": "commerce://catalog/categories"}), ("resources/read", {"uri": "commerce://products/KB-201"}),
    ("resources/read", {"uri": "commerce://orders/1001/items"}),
    ("prompts/get", {"name": "product_recommendation", "arguments": {"category": "keyboards", "budget": "80"}}),
    ("completion/complete", {"ref": {"type": "ref/prompt", "name": "product_recommendation"},
                             "argument": {"name": "category", "value": "k"}})])
def test_resources_prompts_and_completion(new_shop, method, params):
    assert check_server(new_shop, method, params)
    assert len(new_shop.opened) == 5


@pytest.mark.parametrize("method, params, text", [
    ("resources/read", {"uri": "commerce://products/none"}, "Resource not found: commerce://products/none"),
    ("prompts/get", {"name": "none"}, "Unknown prompt: none")])
def test_errors(new_shop, method, params, text):
    with pytest.raises(McpError) as caught:
        check_server(new_shop, method, params)
    assert caught.value.message == text
