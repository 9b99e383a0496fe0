"""A server for the interop tests: what the examples do not show. Every content type, pages, list changes, noise.

test_gallery_with_sdk_clients.py says what must come of it.
"""

import subprocess
import sys

from mcplite import Context, Server, audio, embedded, image, resource_link, text

server = Server("gallery", version="1.0.0", page_size=3)

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c6360000002000001e221bc330000000049454e44ae426082")
CAFE = "caf\u00e9 \u2605 \u4e2d \U0001f3b5 \u2028 \"quoted\""
SOUND = b"RIFF$\x00\x00\x00WAVEfmt "


@server.tool
def all_content():
    """One block of every type, with annotations."""
    return [
        text(CAFE, annotations={"audience": ["user"], "priority": 0.5}),
        image(PIXEL, "image/png"),
        audio(SOUND, "audio/wav"),
        resource_link("gallery://blob", "blob", mime_type="application/octet-stream"),
        embedded("gallery://note", "a note", mime_type="text/plain"),
        embedded("gallery://pixel", PIXEL, mime_type="image/png"),
    ]


@server.tool
def noisy():
    """Prints, and lets a child print and read: nothing of it may reach the client."""
    print("printed by the tool")
    child = "import sys; print('printed by the child', len(sys.stdin.read()))"
    subprocess.run([sys.executable, "-c", child], check=True)
    return "quiet"


@server.tool
def broken():
    """Raises."""
    raise ValueError("no such city")


@server.tool
def nothing():
    """Gives back nothing."""


@server.tool
def wide(n: int):
    """A long result."""
    return "x" * n


@server.tool
def grow(ctx: Context):
    """Registers a tool and a prompt: clients are told."""
    server.tool(name="grown")(lambda: "grown")
    server.prompt(name="grown")(lambda: "grown")
    return "done"


@server.tool
def every_level(ctx: Context):
    """Logs at all eight levels."""
    for level in ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"):
        ctx.log(level, level)
    return "logged"


@server.tool
def survey(ctx: Context):
    """A form with every kind of field."""
    kinds = {
        "name": {"type": "string", "minLength": 1, "maxLength": 20},
        "mail": {"type": "string", "format": "email"},
        "age": {"type": "integer", "minimum": 0, "maximum": 150},
        "height": {"type": "number"},
        "member": {"type": "boolean", "default": True},
        "size": {"type": "string", "enum": ["S", "M"], "enumNames": ["small", "medium"]},
    }
    answer = ctx.elicit("Tell me about you", {"type": "object", "properties": kinds, "required": ["name"]})
    return answer.get("content", answer["action"])


@server.resource("gallery://blob")
def blob():
    return bytes(range(256))


@server.resource("gallery://several", mime_type="text/plain")
def several():
    return [
        {"uri": "gallery://several/1", "text": "one", "mimeType": "text/plain"},
        {"uri": "gallery://several/2", "blob": "AAEC", "mimeType": "application/octet-stream"},
    ]


@server.resource("gallery://broken")
def broken_resource():
    raise KeyError("gone")


@server.resource("gallery://paths/{name}/{+rest}")
def path(name: str, rest: str):
    return "%s, %s" % (name, rest)


@server.prompt
def picture(subject: str, count: int = 1):
    """Messages with every content type, and an argument that is converted."""
    return [
        {"role": "user", "content": text(" ".join([subject] * count))},
        {"role": "user", "content": image(PIXEL, "image/png")},
        {"role": "assistant", "content": embedded("gallery://note", "a note", mime_type="text/plain")},
    ]


@server.completion("picture", "subject")
def complete_subject(value: str, arguments: dict):
    return ["%s%03d" % (value, number) for number in range(250)]


if __name__ == "__main__":
    server.run()
