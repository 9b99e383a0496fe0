"""What the drivers do with examples/inventory.py, and what must come of it, by exact value.

A scenario is a list of (step, expected). The step is what a driver gets (drive_common.py says what it may hold); the
expected outcome holds "result" or "error", and "events" and "questions" where there are any. `modern` is True for a
client that speaks 2026-07-28, which has no ping, no resources/subscribe and no logging/setLevel: there a stream of
changes is opened, and each call says which log messages it wants.
"""

from __future__ import annotations

import json

NO_ELICITATION = "the client speaks revision %s, which has no elicitation"  # the revision

# What older revisions do not know, and what becomes of it.
NEW_IN_2025_06_18 = ("title", "outputSchema", "structuredContent", "lastModified")

LOG_LEVEL = "io.modelcontextprotocol/logLevel"
KEYBOARD = "commerce://products/KB-201"
CATEGORIES = "commerce://catalog/categories"
REPORT = "commerce://reports/low-stock"

STRING = {"type": "string"}
INVENTORY_SCHEMA = {
    "type": "object",
    "properties": {
        "sku": {"type": "string"},
        "quantity": {"type": "integer", "minimum": 0, "description": "Pieces in all the warehouses listed"},
        "warehouses": {"type": "array", "items": {
            "type": "object",
            "properties": {"code": {"type": "string"}, "quantity": {"type": "integer", "minimum": 0}},
            "required": ["code", "quantity"],
        }},
    },
    "required": ["sku", "quantity", "warehouses"],
}


def inputs(required, **properties):
    """The input schema that a signature with these parameters gets."""
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return dict(schema, required=required) if required else schema


TOOLS = [
    {
        "name": "check_inventory",
        "title": "Check inventory",
        "description": "How many pieces of a product are in stock, in all warehouses or in one.",
        "inputSchema": inputs(["sku"], sku=STRING, warehouse={"type": "string", "default": "all"}),
        "outputSchema": INVENTORY_SCHEMA,
        "annotations": {"readOnlyHint": True},
    },
    {
        "name": "place_order",
        "description": "Order pieces of a product from one warehouse.",
        "inputSchema": inputs(
            ["sku", "quantity", "warehouse"], sku=STRING, quantity={"type": "integer"}, warehouse=STRING),
        "annotations": {"readOnlyHint": False, "destructiveHint": False},
    },
    {
        "name": "count_stock",
        "description": "Count every shelf, slowly, with a pause in seconds at each: something to watch, and to cancel.",
        "inputSchema": inputs([], pause={"type": "number", "default": 0.1}),
    },
    {
        "name": "write_report",
        "description": "Write today's list of low stock. The report is a resource that did not exist before.",
        "inputSchema": inputs([]),
    },
    {
        "name": "return_item",
        "description": "Take one item of an order back. Asks the user for the reason, and whether they are sure.",
        "inputSchema": inputs(["order_id", "sku"], order_id=STRING, sku=STRING),
    },
    {
        "name": "translate_name",
        "description": "Translate a product's name. The client's own model does the work.",
        "inputSchema": inputs(["sku", "language"], sku=STRING, language=STRING),
    },
    {
        "name": "find_price_lists",
        "description": "List the CSV files in the folders that the client opened to this server.",
        "inputSchema": inputs([]),
    },
]

CATEGORIES_ENTRY = {
    "uri": CATEGORIES,
    "name": "categories",
    "title": "Product categories",
    "description": "All categories, with the number of products in each.",
    "mimeType": "application/json",
    "annotations": {"audience": ["user", "assistant"], "priority": 0.8, "lastModified": "2026-11-02T09:00:00Z"},
}
REPORT_LINK = {"type": "resource_link", "uri": REPORT, "name": "Low stock", "mimeType": "text/csv"}


def as_in(revision, value):
    """What a client of an older revision gets to see of an expected value: what its revision knows."""
    if isinstance(value, list):
        return [as_in(revision, item) for item in value]
    if not isinstance(value, dict):
        return value
    value = {name: as_in(revision, item) for name, item in value.items()}
    if revision < "2025-06-18":
        for name in NEW_IN_2025_06_18:
            value.pop(name, None)
        if value.get("type") == "resource_link":
            return {"type": "text", "text": "%(name)s (%(mimeType)s): %(uri)s" % value}
    if revision < "2025-03-26":
        if "inputSchema" in value:
            value.pop("annotations", None)
        if "progress" in value:
            value.pop("message", None)
        value.pop("completions", None)
    return value


def tool(name, arguments=None, **more):
    """A step that calls a tool."""
    step = {"do": "call", "tool": name}
    if arguments is not None:
        step["arguments"] = arguments
    return dict(step, **more)


def said(words, **more):
    """The result of a tool that says something."""
    return dict({"content": [{"type": "text", "text": words}]}, **more)


def refused(words):
    """The result of a tool that could not do it."""
    return {"content": [{"type": "text", "text": words}], "isError": True}


def data(value):
    """The result of a tool that gives back data: structured, and the same as text."""
    return said(json.dumps(value, separators=(",", ":")), structuredContent=value)


def ordered(order, quantity, sku, warehouse, left):
    """The result of place_order."""
    return {
        "content": [
            {"type": "text", "text": "Order %d: %d x %s from %s, %d left." % (order, quantity, sku, warehouse, left)},
            {"type": "resource_link", "uri": "commerce://orders/%d/items" % order, "name": "Items of order %d" % order,
             "mimeType": "application/json"},
        ],
        "structuredContent": {"orderId": str(order), "sku": sku, "quantity": quantity, "left": left},
    }


def read(uri, value, mime_type="application/json"):
    """The result of reading a resource."""
    words = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
    return {"contents": [{"uri": uri, "mimeType": mime_type, "text": words}]}


def low(sku, warehouse, quantity):
    """The log message about low stock."""
    return {"level": "warning", "logger": "stock",
            "data": {"sku": sku, "warehouse": warehouse, "quantity": quantity, "message": "Stock is low"}}


def completed(*values):
    """The result of a completion."""
    return {"completion": {"values": list(values), "total": len(values), "hasMore": False}}


def lists_and_reads(modern, not_found):
    """Everything that changes nothing: lists, calls, reads, prompts, completion, and all that goes wrong with them.

    `not_found` is the code that the client hands over for an unknown resource.
    """
    def missing(uri):
        return {"code": not_found, "data": {"uri": uri}}

    prompt = {"prompt": "product_recommendation", "do": "get_prompt"}
    offer = ("In stock are: Quiet keyboard (KB-201) at 79.50; Split keyboard (KB-305) at 149.00. "
             "I weigh price against use.")

    def recommendation(request):
        return {
            "description": "Recommend a product of one category, within a budget if there is one.",
            "messages": [
                {"role": "user", "content": {"type": "text", "text": request}},
                {"role": "assistant", "content": {"type": "text", "text": offer}},
            ],
        }

    category = {"do": "complete", "ref": {"type": "ref/prompt", "name": "product_recommendation"}}
    sku = {"do": "complete", "ref": {"type": "ref/resource", "uri": "commerce://products/{sku}"}}
    stock = {"sku": "KB-201", "quantity": 16,
             "warehouses": [{"code": "BER", "quantity": 12}, {"code": "LIS", "quantity": 4}]}
    product = {"sku": "KB-201", "name": "Quiet keyboard", "category": "keyboards", "price": 79.5, "quantity": 16}
    steps = [
        ("list tools", {"do": "list_tools"}, {"result": {"tools": TOOLS}}),
        ("list tools, bad cursor", {"do": "list_tools", "cursor": "nonsense"}, {"code": -32602}),
        ("call", tool("check_inventory", {"sku": "KB-201"}), {"result": data(stock)}),
        ("call, optional argument", tool("check_inventory", {"sku": "KB-305", "warehouse": "BER"}), {"result": data(
            {"sku": "KB-305", "quantity": 3, "warehouses": [{"code": "BER", "quantity": 3}]})}),
        ("call, tool error", tool("check_inventory", {"sku": "KB-999"}), {"result": refused(
            "Unknown SKU 'KB-999'. Known SKUs: KB-201, KB-305, MN-270, MS-110.")}),
        ("call, wrong type", tool("place_order", {"sku": "KB-201", "quantity": "two", "warehouse": "BER"}),
         {"refused": ["/quantity", "integer"]}),
        ("call, missing argument", tool("check_inventory", {}), {"refused": ["sku"]}),
        ("call, unknown argument", tool("check_inventory", {"sku": "KB-201", "wharehouse": "BER"}),
         {"refused": ["wharehouse", "warehouse"]}),
        ("call, no arguments", tool("check_inventory"), {"refused": ["sku"]}),
        ("call, unknown tool", tool("check_stock", {}), {"code": -32602}),
        ("list resources", {"do": "list_resources"}, {"result": {"resources": [CATEGORIES_ENTRY]}}),
        ("list templates", {"do": "list_templates"}, {"result": {"resourceTemplates": [
            {"uriTemplate": "commerce://products/{sku}", "name": "product", "mimeType": "application/json",
             "description": "One product: name, category, price and the pieces in stock."},
            {"uriTemplate": "commerce://orders/{orderId}/items", "name": "order_items", "mimeType": "application/json",
             "description": "The items of one order."},
        ]}}),
        ("read", {"do": "read", "uri": CATEGORIES}, {"result": read(CATEGORIES, [
            {"category": "keyboards", "products": 2}, {"category": "mice", "products": 1},
            {"category": "monitors", "products": 1}])}),
        ("read a template", {"do": "read", "uri": KEYBOARD}, {"result": read(KEYBOARD, product)}),
        ("read a longer template", {"do": "read", "uri": "commerce://orders/1001/items"}, {"result": read(
            "commerce://orders/1001/items", [{"sku": "KB-201", "quantity": 1}, {"sku": "MS-110", "quantity": 2}])}),
        ("read an unknown product", {"do": "read", "uri": "commerce://products/KB-999"},
         {"error": missing("commerce://products/KB-999")}),
        ("read an unknown URI", {"do": "read", "uri": "commerce://nowhere"}, {"error": missing("commerce://nowhere")}),
        ("list prompts", {"do": "list_prompts"}, {"result": {"prompts": [{
            "name": "product_recommendation",
            "title": "Recommend a product",
            "description": "Recommend a product of one category, within a budget if there is one.",
            "arguments": [{"name": "category", "required": True}, {"name": "budget", "required": False}],
        }]}}),
        ("get a prompt", dict(prompt, arguments={"category": "keyboards"}), {"result": recommendation(
            "Which of your keyboards do you recommend?")}),
        ("get a prompt, optional argument", dict(prompt, arguments={"category": "keyboards", "budget": "100 euros"}),
         {"result": recommendation("Which of your keyboards do you recommend? My budget is 100 euros.")}),
        ("get a prompt, missing argument", dict(prompt, arguments={"budget": "100 euros"}), {"code": -32602}),
        ("get an unknown prompt", {"do": "get_prompt", "prompt": "nonsense"}, {"code": -32602}),
        ("complete", dict(category, argument={"name": "category", "value": "m"}),
         {"result": completed("mice", "monitors")}),
        ("complete, nothing fits", dict(category, argument={"name": "category", "value": "x"}),
         {"result": completed()}),
        ("complete with context", dict(category, argument={"name": "category", "value": "k"}, context={"budget": "5"}),
         {"result": completed("keyboards")}),
        ("complete a template", dict(sku, argument={"name": "sku", "value": "kb"}),
         {"result": completed("KB-201", "KB-305")}),
    ]
    if not modern:
        steps.insert(0, ("ping", {"do": "ping"}, {"result": {}}))
    return steps


def changes(modern, exact_progress):
    """What a server sends by itself: log messages, progress, updates, list changes; and cancellation.

    `exact_progress` is False for clients that lose progress which arrives just before its result.
    """
    def order(sku, quantity, warehouse, level=None, **more):
        more = dict(more, meta={LOG_LEVEL: level}) if modern and level else more
        return tool("place_order", {"sku": sku, "quantity": quantity, "warehouse": warehouse}, **more)

    updated = {"notifications/resources/updated": [{"uri": KEYBOARD}]}
    list_changed = {"notifications/resources/list_changed": [{}]}
    shelves = ["KB-201 in BER", "KB-305 in BER", "MS-110 in BER", "KB-201 in LIS", "MN-270 in LIS", "MS-110 in LIS"]
    counting = [{"progress": n, "total": 6, "message": shelf} for n, shelf in enumerate(shelves, start=1)]
    filtered = {"resources_list_changed": True, "resource_subscriptions": [KEYBOARD]}
    steps = [
        not modern and ("level error", {"do": "set_level", "level": "error"}, {"result": {}}),
        ("order, log too quiet", order("KB-201", 1, "LIS"), {"result": ordered(1003, 1, "KB-201", "LIS", 3)}),
        not modern and ("level warning", {"do": "set_level", "level": "warning"}, {"result": {}}),
        ("subscribe", {"do": "listen", "filter": filtered}, {"result": {
            "resourcesListChanged": True, "resourceSubscriptions": [KEYBOARD]}}) if modern else
        ("subscribe", {"do": "subscribe", "uri": KEYBOARD}, {"result": {}}),
        ("order, update and log", order("KB-201", 1, "LIS", level="warning", events=2), {
            "result": ordered(1004, 1, "KB-201", "LIS", 2),
            "events": dict(updated, **{"notifications/message": [low("KB-201", "LIS", 2)]})}),
        ("order of another product", order("MS-110", 1, "BER", level="debug"), {
            "result": ordered(1005, 1, "MS-110", "BER", 39)}),
        ("report, list changes", tool("write_report", events=1), {
            "result": {"content": [REPORT_LINK]}, "events": list_changed}),
        ("unsubscribe", {"do": "unlisten" if modern else "unsubscribe", "uri": KEYBOARD}, {"result": {}}),
        ("order, no update", order("KB-201", 1, "BER"), {"result": ordered(1006, 1, "KB-201", "BER", 11)}),
        ("list resources", {"do": "list_resources"}, {"result": {"resources": [
            CATEGORIES_ENTRY, {"uri": REPORT, "name": "low_stock", "mimeType": "text/csv"}]}}),
        ("read the report", {"do": "read", "uri": REPORT}, {"result": read(
            REPORT, "sku,warehouse,quantity\nKB-201,LIS,2\nKB-305,BER,3", "text/csv")}),
        exact_progress and ("order with progress", order("MS-110", 2, "LIS", progress=True, events=2), {
            "result": ordered(1007, 2, "MS-110", "LIS", 23),
            "events": {"notifications/progress": [
                {"progress": 1, "total": 2, "message": "Reserving 2 x MS-110"},
                {"progress": 2, "total": 2, "message": "Order 1007 is placed"}]}}),
        ("progress", tool("count_stock", {"pause": 0.05}, progress=True, events=6), {
            "refers": "Counted ", "events": {"notifications/progress": counting}}),
        ("cancel", {"do": "cancel", "tool": "count_stock", "arguments": {"pause": 20}, "after": 0.5}, {
            "result": {"cancelled": True, "prompt": True}}),
        ("call after all that", tool("check_inventory", {"sku": "MN-270"}), {"result": data(
            {"sku": "MN-270", "quantity": 6, "warehouses": [{"code": "LIS", "quantity": 6}]})}),
    ]
    return [step for step in steps if step]


def questions(modern, not_found, folder_uri):
    """What the server asks the client: elicitation, sampling, roots. `folder_uri` holds two price lists."""
    return elicitation(modern, not_found) + sampling_and_roots(modern, folder_uri)


def no_elicitation(revision, folder_uri):
    """The same for a revision without elicitation: the tool says why it cannot ask, the client is not asked."""
    step = tool("return_item", {"order_id": "1001", "sku": "KB-201"})
    return [("elicit", step, {"result": refused(NO_ELICITATION % revision)})] + sampling_and_roots(False, folder_uri)


def elicitation(modern, not_found):
    """The return flow with every kind of answer."""
    def asked(sku, reason=None):
        if reason is None:
            return {"method": "elicitation/create", "message": "Why does %s go back?" % sku}
        return {"method": "elicitation/create", "message": "Return %s as %r?" % (sku, reason)}

    def back(order, sku, *answers):
        return tool("return_item", {"order_id": order, "sku": sku}, answers={"elicitation/create": list(answers)})

    damaged = {"action": "accept", "content": {"reason": "damaged"}}
    sure = {"action": "accept", "content": {"confirm": True}}
    unsure = {"action": "accept", "content": {"confirm": False}}
    monitor = "commerce://orders/1002/items"
    return [
        ("elicit, declined", back("1001", "KB-201", {"action": "decline"}), {
            "result": said("Nothing was returned."), "questions": [asked("KB-201")]}),
        ("elicit, cancelled", back("1001", "KB-201", damaged, {"action": "cancel"}), {
            "result": said("Nothing was returned."), "questions": [asked("KB-201"), asked("KB-201", "damaged")]}),
        ("elicit, not confirmed", back("1001", "KB-201", damaged, unsure), {
            "result": said("Nothing was returned."), "questions": [asked("KB-201"), asked("KB-201", "damaged")]}),
        ("elicit, accepted", back("1002", "MN-270", damaged, sure), {
            "result": said("MN-270 of order 1002 is returned: damaged."),
            "questions": [asked("MN-270"), asked("MN-270", "damaged")]}),
        ("the order is empty", {"do": "read", "uri": monitor}, {"error": {
            "code": not_found, "data": {"uri": monitor}}}),
        ("no question for a wrong order", back("1009", "MN-270"), {
            "result": refused("Order 1009 has no item MN-270.")}),
    ]


def sampling_and_roots(modern, folder_uri):
    """The tools that use the client's model and its folders."""
    roots = {"roots/list": [{"roots": [{"uri": folder_uri, "name": "prices"}]}]}
    words = {"role": "assistant", "content": {"type": "text", "text": "Souris de voyage"}, "model": "a-model"}
    steps = [
        ("sample", tool("translate_name", {"sku": "MS-110", "language": "French"},
                        answers={"sampling/createMessage": [words]}), {
            "result": said("Travel mouse: Souris de voyage"),
            "questions": [{"method": "sampling/createMessage", "maxTokens": 50, "messages": [{
                "role": "user",
                "content": {"type": "text", "text": "Translate into French, answer with the words only: Travel mouse"},
            }]}]}),
        ("roots", tool("find_price_lists", answers=roots), {
            "result": said("prices/autumn.csv\nprices/spring.csv"), "questions": [{"method": "roots/list"}]}),
        not modern and ("roots changed", {"do": "roots_changed"}, {"result": {}}),
        not modern and ("ping", {"do": "ping"}, {"result": {}}),
    ]
    return [step for step in steps if step]
