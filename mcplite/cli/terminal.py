"""What every command shares: the one-line error, and what the terminal can show.

No command, no argument parsing and no protocol lives here. Rules:

1. An error a user can cause is a `CliError`: one line, what happened and what to do. `cli_main` prints it.
2. Colour is for terminals only: never when piped, never with NO_COLOR set or TERM=dumb (https://no-color.org).
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


def wants_colour(stream: Any = None) -> bool:
    """True when escape sequences for colour may be written to `stream` (default: standard output)."""
    stream = sys.stdout if stream is None else stream
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    try:
        return bool(stream.isatty())
    except (AttributeError, ValueError):  # no stream at all, or a closed one
        return False


def terminal_width(default: int = 100) -> int:
    """Columns of the terminal: COLUMNS when set, else what the terminal says, else `default` (when piped)."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isdigit() and int(columns) > 0:
        return int(columns)
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or default  # type: ignore[union-attr]
    except (AttributeError, ValueError, OSError):
        return default
