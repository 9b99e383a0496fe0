"""The contents of results: texts, bytes, files.

Here: content blocks and resources of the protocol in, texts printed, files for what is no text. Not here: tables (`tables`),
asking (`command`). Rules:

1. What a text says cannot steer a terminal.
2. For machines (--json): the result as the server sent it, one JSON document.
3. Bytes are never printed on a terminal: they go to a file (-o), or, alone and into a pipe, as they are.
"""
from __future__ import annotations

import os
import sys

from ..terminal import CliError, compact_json, printable, size_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ENDINGS = {"image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif", "image/webp": ".webp",
           "image/svg+xml": ".svg", "audio/wav": ".wav", "audio/x-wav": ".wav", "audio/mpeg": ".mp3",
           "audio/ogg": ".ogg", "audio/flac": ".flac",
           "application/pdf": ".pdf", "application/json": ".json", "text/plain": ".txt", "text/csv": ".csv",
           "text/markdown": ".md", "text/html": ".html", "application/zip": ".zip"}

def print_json(value: Any) -> None:
    """Rule 2."""
    import json

    encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower().replace("-", "")
    print(json.dumps(value, indent=2, ensure_ascii=encoding not in ("utf8", "utf16", "utf32")))


def safe_text(text: str, at_terminal: bool) -> str:
    """A text as it is; on a terminal without what could steer it."""
    if not at_terminal:
        return text
    lines = text.replace("\r\n", "\n").split("\n")
    return "\n".join("\t".join(map(printable, line.split("\t"))) for line in lines)


class BinaryPart:
    """Bytes in a result: where they were, their type, the bytes (None where the base64 is wrong)."""

    def __init__(self, what: str, mime_type: Any, data: Any, uri: Any = None) -> None:
        self.what, self.uri = what, uri
        self.mime_type = mime_type if isinstance(mime_type, str) else ""
        self.base64 = data if isinstance(data, str) else ""
        self.data = decode_base64(data)
        self.size = None if self.data is None else len(self.data)

    def describe(self) -> str:
        size = "wrong base64" if self.size is None else size_words(self.size)
        return " ".join(word for word in (self.what, self.mime_type, size) if word)

    def ending(self) -> str:
        return ENDINGS.get(self.mime_type.split(";")[0].strip(), ".bin")


def decode_base64(data: Any) -> bytes | None:
    from base64 import b64decode

    try:
        return b64decode(data, validate=True)
    except (TypeError, ValueError):
        return None


def content_parts(content: Any) -> list[Any]:
    """Each block of a content list as a text or a BinaryPart."""
    blocks = content if isinstance(content, list) else [content]
    return [content_part(block) for block in blocks]


def content_part(block: Any) -> Any:
    if not isinstance(block, dict):
        return compact_json(block)
    kind = block.get("type")
    if kind == "text" and isinstance(block.get("text"), str):
        return block["text"]
    if kind in ("image", "audio"):
        return BinaryPart(kind, block.get("mimeType"), block.get("data"))
    if kind == "resource":
        return resource_part(block.get("resource"))
    if kind == "resource_link":
        words = [str(block.get("uri")), str(block.get("title") or block.get("name") or ""),
                 str(block.get("mimeType") or "")]
        return "[link] " + "  ".join(word for word in words if word)
    return compact_json(block)


def resource_part(item: Any) -> Any:
    """The contents of one resource, as `resources/read` and embedded resources have them."""
    if isinstance(item, dict):
        if isinstance(item.get("text"), str):
            return item["text"]
        if "blob" in item:
            return BinaryPart("blob", item.get("mimeType"), item["blob"], item.get("uri"))
    return compact_json(item)


def print_parts(parts: list[Any], output: str | None, at_terminal: bool, command: str, note: Any,
                alone: bool = True) -> None:
    """Print texts, save bytes (rule 3). `alone`: nothing else will be printed."""
    binaries = [part for part in parts if isinstance(part, BinaryPart)]
    if output is None and not at_terminal and alone and len(parts) == 1 and binaries and binaries[0].data is not None:
        sys.stdout.flush()
        sys.stdout.buffer.write(binaries[0].data)
        return
    for part in parts:
        if not isinstance(part, BinaryPart):
            print(safe_text(part, at_terminal))
        elif output is None:
            note("not shown", "%s; -o FILE saves it" % part.describe())
    if output is not None:
        if not binaries:
            note("nothing to save", "the result holds no image, audio or blob; -o was ignored")
        for number, part in enumerate(binaries):
            save_part(part, numbered_path(output, number, part), command, note)


def numbered_path(output: str, number: int, part: BinaryPart) -> str:
    """Where the part goes: FILE, then FILE-2; inside a folder a name of its own."""
    if os.path.isdir(output) or output.endswith(("/", os.sep)):
        name = os.path.basename(part.uri.rstrip("/")) if isinstance(part.uri, str) else ""
        safe = "".join(letter for letter in name if letter.isalnum() or letter in "._-").lstrip(".")
        if not safe:
            safe = part.what + part.ending()
        output = os.path.join(output, safe)
    if number == 0:
        return output
    base, ending = os.path.splitext(output)
    return "%s-%d%s" % (base, number + 1, ending)


def save_part(part: BinaryPart, path: str, command: str, note: Any) -> None:
    if part.data is None:
        raise CliError("%s: the %s in the result is not valid base64: the server must encode its bytes so"
                       % (command, part.what), status=2)
    write_result_file(path, part.data, command)
    note("saved", "%s (%s)" % (path, part.describe()))


def write_result_file(path: str, data: bytes, command: str) -> None:
    try:
        with open(path, "wb") as file:
            file.write(data)
    except OSError as error:
        raise CliError("%s: cannot write %s: %s" % (command, path, error.strerror)) from None


def is_json_of(text: Any, value: Any) -> bool:
    """True where a text is the JSON of a value: then one of the two is enough for a person."""
    import json

    try:
        return isinstance(text, str) and bool(json.loads(text) == value)
    except (ValueError, RecursionError):
        return False


def says_the_same(texts: list[str], value: Any) -> bool:
    """True for `{"result": text}` and the like, which some servers wrap around each text that they return."""
    if not isinstance(value, dict) or len(value) != 1 or len(texts) != 1:
        return False
    [inner] = value.values()
    return texts[0] == inner or is_json_of(texts[0], inner)


def without_bytes(value: Any, parts: list[Any]) -> Any:
    """Structured content as it is shown: bytes that are in the content already are not shown once more."""
    known = {part.base64 for part in parts if isinstance(part, BinaryPart) and part.base64}
    if not known:
        return value
    if isinstance(value, dict):
        return {name: without_bytes(item, parts) for name, item in value.items()}
    if isinstance(value, list):
        return [without_bytes(item, parts) for item in value]
    return "(the bytes above)" if isinstance(value, str) and value in known else value
