"""A shop's stock as an MCP server: the commerce example of the protocol's teaching material, whole.

    python examples/inventory.py             # a fresh shop in a temporary directory
    python examples/inventory.py shop.db     # a shop that is kept in this file

Read it from top to bottom: the data, then tools, resources, prompts and completion, then the tools that ask the
client something, then the start. Every part of the protocol appears once, in its plainest form.
"""

import os
import sqlite3
import sys
import time
from typing import Any, Dict, List, Optional

from mcplite import Context, Server, ToolError, resource_link, text, tool_result

LOW_STOCK = 5  # pieces; an order that leaves fewer than this is worth a warning

server = Server(
    "inventory",
    version="1.0.0",
    title="Shop inventory",
    instructions="Look a product up with check_inventory before you order it with place_order.",
)

# ---- The data: a small SQLite file. Nothing here knows of the protocol. ----

SEED = """
CREATE TABLE products (sku TEXT PRIMARY KEY, name TEXT, category TEXT, price REAL);
CREATE TABLE stock (sku TEXT, warehouse TEXT, quantity INTEGER, PRIMARY KEY (sku, warehouse));
CREATE TABLE order_items (order_id TEXT, sku TEXT, quantity INTEGER);
INSERT INTO products VALUES
    ('KB-201', 'Quiet keyboard', 'keyboards', 79.5),
    ('KB-305', 'Split keyboard', 'keyboards', 149.0),
    ('MS-110', 'Travel mouse', 'mice', 24.9),
    ('MN-270', '27 inch monitor', 'monitors', 289.0);
INSERT INTO stock VALUES
    ('KB-201', 'BER', 12), ('KB-201', 'LIS', 4), ('KB-305', 'BER', 3),
    ('MS-110', 'BER', 40), ('MS-110', 'LIS', 25), ('MN-270', 'LIS', 6);
INSERT INTO order_items VALUES ('1001', 'KB-201', 1), ('1001', 'MS-110', 2), ('1002', 'MN-270', 1);
"""

database = None  # an open connection from the first line of main() on


def open_shop(path: str) -> None:
    """Open the shop kept in this file, and fill it when it is new."""
    global database
    database = sqlite3.connect(path)
    database.row_factory = sqlite3.Row
    if not rows("SELECT name FROM sqlite_master WHERE name = 'products'"):
        database.executescript(SEED)


def rows(sql: str, *values: Any) -> List[Dict[str, Any]]:
    """The rows that a query finds, as plain dicts."""
    return [dict(row) for row in database.execute(sql, values)]


def product_of(sku: str) -> Dict[str, Any]:
    """One product; a ToolError, which the model gets to read, when there is none."""
    found = rows("SELECT * FROM products WHERE sku = ?", sku)
    if not found:
        known = ", ".join(row["sku"] for row in rows("SELECT sku FROM products ORDER BY sku"))
        raise ToolError("Unknown SKU %r. Known SKUs: %s." % (sku, known))
    return found[0]


# ---- Tools. The signature becomes the input schema, the docstring the description. ----

INVENTORY = {  # the output schema: every client gets, and may check, structured content of this shape
    "type": "object",
    "properties": {
        "sku": {"type": "string"},
        "quantity": {"type": "integer", "minimum": 0, "description": "Pieces in all the warehouses listed"},
        "warehouses": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"code": {"type": "string"}, "quantity": {"type": "integer", "minimum": 0}},
                "required": ["code", "quantity"],
            },
        },
    },
    "required": ["sku", "quantity", "warehouses"],
}


@server.tool(title="Check inventory", output_schema=INVENTORY, annotations={"readOnlyHint": True})
def check_inventory(sku: str, warehouse: str = "all") -> Dict[str, Any]:
    """How many pieces of a product are in stock, in all warehouses or in one."""
    product_of(sku)
    found = rows("SELECT warehouse AS code, quantity FROM stock WHERE sku = ? ORDER BY code", sku)
    if warehouse != "all":
        found = [row for row in found if row["code"] == warehouse]
        if not found:
            raise ToolError("Warehouse %r does not hold %s." % (warehouse, sku))
    return {"sku": sku, "quantity": sum(row["quantity"] for row in found), "warehouses": found}


@server.tool(annotations={"readOnlyHint": False, "destructiveHint": False})
def place_order(sku: str, quantity: int, warehouse: str, ctx: Context) -> Dict[str, Any]:
    """Order pieces of a product from one warehouse."""
    product_of(sku)
    if quantity < 1:
        raise ToolError("quantity must be 1 or more, not %d." % quantity)

    # Progress reaches the client while the tool works, if the client asked for it.
    ctx.progress(1, total=2, message="Reserving %d x %s" % (quantity, sku))
    held = rows("SELECT quantity FROM stock WHERE sku = ? AND warehouse = ?", sku, warehouse)
    left = (held[0]["quantity"] if held else 0) - quantity
    if left < 0:
        raise ToolError("Warehouse %r has only %d of %s." % (warehouse, left + quantity, sku))
    order = rows("SELECT max(order_id) + 1 AS id FROM order_items")[0]["id"]
    with database:  # one transaction: a cancelled order leaves nothing half done
        database.execute("UPDATE stock SET quantity = ? WHERE sku = ? AND warehouse = ?", (left, sku, warehouse))
        database.execute("INSERT INTO order_items VALUES (?, ?, ?)", (str(order), sku, quantity))
    ctx.progress(2, total=2, message="Order %d is placed" % order)

    # Clients that subscribed to this product hear that it changed; a log message tells the people behind the client.
    server.resource_updated("commerce://products/%s" % sku)
    if left < LOW_STOCK:
        shelf = {"sku": sku, "warehouse": warehouse, "quantity": left}
        ctx.log("warning", dict(shelf, message="Stock is low"), logger="stock")

    # A result made by hand: text for the model, a link to what came into being, and data for programs.
    return tool_result(
        text("Order %d: %d x %s from %s, %d left." % (order, quantity, sku, warehouse, left)),
        resource_link("commerce://orders/%d/items" % order, "Items of order %d" % order, mime_type="application/json"),
        structured={"orderId": str(order), "sku": sku, "quantity": quantity, "left": left},
    )


@server.tool
def count_stock(ctx: Context, pause: float = 0.1) -> str:
    """Count every shelf, slowly, with a pause in seconds at each: something to watch, and to cancel."""
    shelves = rows("SELECT sku, warehouse, quantity FROM stock ORDER BY warehouse, sku")
    for number, shelf in enumerate(shelves, start=1):
        ctx.progress(number, total=len(shelves), message="%s in %s" % (shelf["sku"], shelf["warehouse"]))
        time.sleep(pause)  # no thread and no await: the runtime hears a cancellation all the same
    return "Counted %d pieces on %d shelves." % (sum(shelf["quantity"] for shelf in shelves), len(shelves))


reports = {}  # type: Dict[str, str]


@server.tool
def write_report() -> Dict[str, Any]:
    """Write today's list of low stock. The report is a resource that did not exist before."""
    low = rows("SELECT sku, warehouse, quantity FROM stock WHERE quantity < ? ORDER BY sku, warehouse", LOW_STOCK)
    lines = ["sku,warehouse,quantity"] + ["%(sku)s,%(warehouse)s,%(quantity)d" % row for row in low]
    uri = "commerce://reports/low-stock"
    if uri in reports:
        server.resource_updated(uri)
    else:  # registering while serving sends notifications/resources/list_changed by itself
        server.resource(uri, name="low_stock", mime_type="text/csv")(lambda: reports[uri])
    reports[uri] = "\n".join(lines)
    return resource_link(uri, "Low stock", mime_type="text/csv")


# ---- Resources: what a client can read. str becomes text, bytes a blob, anything else JSON; None is "not found". ----


@server.resource(
    "commerce://catalog/categories",
    name="categories",
    title="Product categories",
    mime_type="application/json",
    annotations={"audience": ["user", "assistant"], "priority": 0.8, "lastModified": "2026-11-02T09:00:00Z"},
)
def categories() -> List[Dict[str, Any]]:
    """All categories, with the number of products in each."""
    return rows("SELECT category, count(*) AS products FROM products GROUP BY category ORDER BY category")


@server.resource("commerce://products/{sku}", name="product", mime_type="application/json")
def product(sku: str) -> Optional[Dict[str, Any]]:
    """One product: name, category, price and the pieces in stock."""
    found = rows("SELECT * FROM products WHERE sku = ?", sku)
    if not found:
        return None  # there is no such resource
    return dict(found[0], quantity=rows("SELECT sum(quantity) AS n FROM stock WHERE sku = ?", sku)[0]["n"])


@server.resource("commerce://orders/{orderId}/items", name="order_items", mime_type="application/json")
def order_items(orderId: str) -> Optional[List[Dict[str, Any]]]:
    """The items of one order."""
    return rows("SELECT sku, quantity FROM order_items WHERE order_id = ? ORDER BY sku", orderId) or None


# ---- A prompt, and completion for its argument and for a template's variable. ----


@server.prompt(title="Recommend a product")
def product_recommendation(category: str, budget: str = "") -> List[Dict[str, Any]]:
    """Recommend a product of one category, within a budget if there is one."""
    found = rows("SELECT sku, name, price FROM products WHERE category = ? ORDER BY price", category)
    offer = "; ".join("%(name)s (%(sku)s) at %(price).2f" % row for row in found) or "nothing"
    limit = " My budget is %s." % budget if budget else ""
    return [
        {"role": "user", "content": text("Which of your %s do you recommend?%s" % (category, limit))},
        {"role": "assistant", "content": text("In stock are: %s. I weigh price against use." % offer)},
    ]


@server.completion("product_recommendation", "category")
def complete_category(value: str, arguments: Dict[str, str]) -> List[str]:
    """The categories that begin with what was typed."""
    found = rows("SELECT DISTINCT category FROM products ORDER BY category")
    return [row["category"] for row in found if row["category"].startswith(value)]


@server.completion("commerce://products/{sku}", "sku")
def complete_sku(value: str, arguments: Dict[str, str]) -> List[str]:
    """The SKUs that begin with what was typed."""
    return [row["sku"] for row in rows("SELECT sku FROM products ORDER BY sku") if row["sku"].startswith(value.upper())]


# ---- Tools that ask the client while they run. In the newest revision a question ends the round, and the tool runs
# ---- again from its top when the answer is there: so ask first, and change something after the last answer.


@server.tool
def return_item(order_id: str, sku: str, ctx: Context) -> str:
    """Take one item of an order back. Asks the user for the reason, and whether they are sure."""
    if not rows("SELECT * FROM order_items WHERE order_id = ? AND sku = ?", order_id, sku):
        raise ToolError("Order %s has no item %s." % (order_id, sku))
    reasons = ["damaged", "wrong item", "not needed"]
    answer = ctx.elicit("Why does %s go back?" % sku, {
        "type": "object",
        "properties": {
            "reason": {"type": "string", "title": "Reason", "enum": reasons},
            "remark": {"type": "string", "title": "Remark", "maxLength": 200},
        },
        "required": ["reason"],
    })
    if answer["action"] != "accept":  # "decline" and "cancel" are answers too
        return "Nothing was returned."
    reason = answer["content"]["reason"]
    sure = ctx.elicit("Return %s as %r?" % (sku, reason), {
        "type": "object",
        "properties": {"confirm": {"type": "boolean", "title": "Yes, return it", "default": False}},
        "required": ["confirm"],
    })
    if sure["action"] != "accept" or not sure["content"]["confirm"]:
        return "Nothing was returned."
    with database:
        database.execute("DELETE FROM order_items WHERE order_id = ? AND sku = ?", (order_id, sku))
    return "%s of order %s is returned: %s." % (sku, order_id, reason)


@server.tool
def translate_name(sku: str, language: str, ctx: Context) -> str:
    """Translate a product's name. The client's own model does the work."""
    name = product_of(sku)["name"]
    question = {"role": "user", "content": text("Translate into %s, answer with the words only: %s" % (language, name))}
    answer = ctx.sample([question], max_tokens=50)
    return "%s: %s" % (name, answer["content"]["text"])


@server.tool
def find_price_lists(ctx: Context) -> str:
    """List the CSV files in the folders that the client opened to this server."""
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    found = []
    for root in ctx.roots()["roots"]:  # "uri" is a file: URI, "name" may be missing
        folder = url2pathname(urlsplit(root["uri"]).path)
        files = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
        found += ["%s/%s" % (root.get("name", folder), file) for file in files if file.endswith(".csv")]
    return "\n".join(found) or "No price lists."


# ---- The start. ----


def main() -> None:
    """Open the shop that the command line names, or a fresh one, and serve until the host closes the connection."""
    if len(sys.argv) > 1:
        open_shop(sys.argv[1])
        server.run()
    else:
        from tempfile import TemporaryDirectory

        with TemporaryDirectory() as folder:
            open_shop(os.path.join(folder, "shop.db"))
            server.run()
            database.close()


if __name__ == "__main__":
    main()
