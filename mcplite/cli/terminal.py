"""What every command shares: the one-line error, and what the terminal can show.

No command, no argument parsing and no protocol lives here. Rules:

1. An error a user can cause is a `CliError`: one line, what happened and what to do. `cli_main` prints it.
2. Colour is for terminals only: never when piped, never with NO_COLOR set or TERM=dumb (https://no-color.org).
3. What a server sent cannot steer a terminal: it passes through `printable` first. Widths are columns, not characters.
"""
from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterable


class CliError(Exception):
    """A command cannot go on. The text is one line that says what happened and what to do.

    `status` becomes the exit status: 1 a thing failed (the default), 2 the command was called wrongly.
    """

    def __init__(self, text: str, status: int = 1) -> None:
        super().__init__(text)
        self.text = text
        self.status = status


def nearest_name(word: str, names: Iterable[str]) -> str | None:
    """The name that `word` was probably meant to be, or None when nothing is near."""
    from difflib import get_close_matches

    close = get_close_matches(word, list(names), n=1, cutoff=0.5)
    return close[0] if close else None


def did_you_mean(word: str, names: Iterable[str], otherwise: str = ".") -> str:
    """What follows the sentence that there is no such name: a guess, or `otherwise`."""
    near = nearest_name(word, names)
    return '; did you mean "%s"?' % printable(near) if near else otherwise


def parse_environment(command: str, words: Iterable[str]) -> dict[str, str]:
    """The variables that `--env NAME=VALUE` sets for a server. Raises CliError (status 2)."""
    values = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name or "\0" in word:
            raise CliError("%s: --env takes NAME=VALUE, not %r" % (command, word), status=2)
        values[name] = value
    return values


def is_terminal(stream: Any) -> bool:
    """Whether a person sits at `stream`; no stream at all, or a closed one, is none."""
    try:
        return bool(stream.isatty())
    except (AttributeError, ValueError):
        return False


def styled(text: str, style: str, colour: bool) -> str:
    """`text` in a style, the numbers of an escape sequence ("1" is bold); as it is where `colour` is not wanted."""
    return "\033[%sm%s\033[0m" % (style, text) if colour and style else text


def wants_colour(stream: Any = None) -> bool:
    """True when escape sequences for colour may be written to `stream` (default: standard output)."""
    stream = sys.stdout if stream is None else stream
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return is_terminal(stream)


def terminal_width(default: int = 100) -> int:
    """Columns of the terminal: COLUMNS when set, else what the terminal says, else `default` (when piped)."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isdigit() and int(columns) > 0:
        return int(columns)
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or default  # type: ignore[union-attr]
    except (AttributeError, ValueError, OSError):
        return default


def printable(text: str) -> str:
    """Rule 3: `text` on one line, what is not printable as its escape."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode("ascii") for letter in text)


def column_width(text: str) -> int:
    """Columns that `text` takes on a terminal."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width
    return sum(0 if combining(letter) else 2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def shortened(text: str, width: int) -> str:
    """`text` in at most `width` columns, "..." at its end when something is missing."""
    if len(text) > 4 * width:
        text = text[:4 * width]
    if column_width(text) <= width:
        return text
    while text and column_width(text) > width - 3:
        text = text[:-max(1, (column_width(text) - width + 3) // 2)]
    return text + "..."[:max(0, width)]


def duration_words(seconds: float) -> str:
    if seconds < 0.0001:
        return "%.0f us" % (seconds * 1e6)
    if seconds < 0.01:
        return "%.1f ms" % (seconds * 1e3)
    if seconds < 1:
        return "%.0f ms" % (seconds * 1e3)
    return "%.1f s" % seconds


def size_words(size: int) -> str:
    if size < 10000:
        return "%d B" % size
    if size < 10 * 1024 * 1024:
        return "%.0f KiB" % (size / 1024)
    return "%.0f MiB" % (size / 1024 / 1024)


def compact_json(value: Any) -> str:
    """`value` as JSON on one line; three dots where that cannot be."""
    import json
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except (ValueError, RecursionError):
        return "..."
