"""The server behind the transcripts: one of everything, with answers that never change."""
from typing import Dict

from mcplite import Server, ToolError, audio, icon, resource_link, text

server = Server("shop", version="1.0", title="Shop", instructions="Look before you order.",
                icons=[icon("https://example.org/shop.png", "image/png")])


@server.tool(title="Stock", annotations={"readOnlyHint": True}, icons=[icon("https://example.org/stock.png")])
def stock(sku: str) -> Dict[str, int]:
    """Pieces in stock."""
    if sku != "KB-201":
        raise ToolError("Unknown SKU %r" % sku)
    return {"quantity": 16}


@server.tool
def show(ctx) -> list:
    """Text, a link and a sound, with progress and a log message on the way."""
    ctx.progress(1, 2, "half")
    ctx.log("warning", "stock is low", logger="shop")
    return [text("one"), resource_link("shop://items/KB-201", "keyboard"), audio(b"\x00", "audio/wav")]


@server.resource("shop://hours", mime_type="text/plain", title="Hours", annotations={"lastModified": "2026-01-01T00:00:00Z"})
def hours() -> str:
    return "9 to 5"


@server.resource("shop://items/{sku}", mime_type="application/json")
def item(sku: str) -> dict:
    return {"sku": sku}


@server.prompt(title="Recommend")
def recommend(category: str) -> str:
    return "Which of your %s?" % category


@server.completion("recommend", "category")
def categories(value: str) -> list:
    return [name for name in ("keyboards", "mice") if name.startswith(value)]


server.run()
