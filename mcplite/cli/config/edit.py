"""What the three editors of texts share: places in a text, errors that name them, and the proof that an edit changed one thing.

Here: nothing of any format. The editors are `jsonc`, `toml` and `yaml`; each reads a text, finds where the entry stands or would
stand, and puts it there, and all else stays byte for byte. What they hold to:

1. Comments, order, indentation and line ends are kept: only the inserted text is ours, and it follows the file's habits.
2. Every edit is read again, and must be the old value with the entry in it; otherwise nothing is written.
3. What cannot be read, or is there twice, is refused with line and column (from 1, in characters).
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Sequence


class ConfigSyntaxError(ValueError):
    """The text is not what its format allows; the message starts with line and column."""


def syntax_error(line: int, column: int, what: str) -> ConfigSyntaxError:
    return ConfigSyntaxError("line %d, column %d: %s" % (line, column, what))


def syntax_error_at(text: str, at: int, what: str) -> ConfigSyntaxError:
    return syntax_error(text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at), what)


def not_put_in(line: int, why: str = "the entry could not be put in without changing more; add it by hand") -> ConfigSyntaxError:
    """Rule 2 does not hold."""
    return syntax_error(line, 1, why)


def line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def nested_object(keys: Sequence[str], name: str, entry: dict[str, Any]) -> dict[str, Any]:
    value: dict[str, Any] = {name: entry}
    for key in reversed(keys):
        value = {key: value}
    return value


def holds_entry(edited: Any, old: Any, keys: Sequence[str], name: str, entry: dict[str, Any]) -> bool:
    """Whether `edited` is `old` with the entry in it, and nothing else (2)."""
    wanted = node = dict(old)
    for key in keys:
        node[key] = dict(node.get(key, {}))
        node = node[key]
    node[name] = entry
    return plain_text(edited) == plain_text(wanted)


def plain_text(value: Any) -> str:
    """A value as a text that is the same for the same value: 1 is not true, and a date is itself."""
    import json

    return json.dumps(value, sort_keys=True, default=repr)
