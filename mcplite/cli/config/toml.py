"""One table in a TOML file, edited as text: appended, or put in the place of the one with its name.

Here: writing a server's table, finding an old one; the rules are those of `edit`. Not here: files (`files`).

1. The file is read by the standard library's own reader (Python 3.11 and newer) before and after: line and column of an
   error are its. An older Python changes no existing TOML file.
"""
from __future__ import annotations

from .edit import ConfigSyntaxError, holds_entry, line_end, not_put_in, syntax_error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def read_toml(text: str) -> dict[str, Any]:
    """The value of a TOML text; an empty one needs no reader."""
    if not text.strip():
        return {}
    try:
        import tomllib
    except ImportError:
        raise ConfigSyntaxError("reading an existing TOML file takes Python 3.11 or newer; add the entry by hand") from None
    import re

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        what = str(error)
        place = re.search(r" \(at line (\d+), column (\d+)\)$", what)
        if place:
            raise syntax_error(int(place.group(1)), int(place.group(2)), what[:place.start()]) from None
        last = text.rstrip("\n").count("\n") + 1
        raise syntax_error(last, 1, what.replace(" (at end of document)", "; the file ends here")) from None


def find_toml_entry(text: str, key: str, name: str) -> Any:
    """The table of that name, None where there is none."""
    servers = read_toml(text).get(key)
    return servers.get(name) if isinstance(servers, dict) else None


def toml_key(name: str) -> str:
    import json
    import re

    return name if re.match(r"^[A-Za-z0-9_-]+$", name) else json.dumps(name)


def toml_table(key: str, name: str, entry: dict[str, Any]) -> list[str]:
    """The lines of [key.name]."""
    lines = ["[%s.%s]" % (key, toml_key(name))]
    tables = []
    for each, value in entry.items():
        if isinstance(value, dict):
            tables += ["", "[%s.%s.%s]" % (key, toml_key(name), each)]
            tables += ["%s = %s" % (toml_key(inner), toml_string(text)) for inner, text in value.items()]
        elif isinstance(value, list):
            lines.append("%s = [%s]" % (each, ", ".join(toml_string(item) for item in value)))
        else:
            lines.append("%s = %s" % (each, toml_string(value)))
    return lines + tables


def toml_string(text: str) -> str:
    import json

    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def set_toml_table(text: str, key: str, name: str, entry: dict[str, Any]) -> str:
    """Return `text` with the table of `name`, in place of the old one when there is one."""
    eol = line_end(text)
    old = read_toml(text)
    servers = old.get(key, {})
    if not isinstance(servers, dict):
        raise syntax_error(key_line(text, key), 1, "%s is not a table" % key)
    lines = text.split(eol)
    new = toml_table(key, name, entry)
    if name in servers:
        start, stop = find_toml_table(text, lines, key, name)
        lines[start:stop] = new + [""] * (stop < len(lines) and lines[stop - 1].strip() == "")
    else:
        while lines and not lines[-1].strip():
            lines.pop()
        lines = lines + [""] * bool(lines) + new
    edited = eol.join(lines).rstrip("\r\n") + eol
    if old and not is_toml_edit(edited, old, key, name, entry):
        raise not_put_in(key_line(text, key), "%s stands so that the entry cannot be put in without changing more; add it by hand"
                         % key)
    return edited


def is_toml_edit(edited: str, old: dict[str, Any], key: str, name: str, entry: dict[str, Any]) -> bool:
    try:
        return holds_entry(read_toml(edited), old, (key,), name, entry)
    except ConfigSyntaxError:  # its place is one in our text, not in the user's
        return False


def key_line(text: str, key: str) -> int:
    """The number of the first line that begins with the key, bare, quoted or in brackets; 1 where there is none."""
    import re

    found = re.search(r"""(?m)^[ \t]*\[*[ \t]*["']?%s\b""" % re.escape(key), text)
    return text.count("\n", 0, found.start()) + 1 if found else 1


def find_toml_table(text: str, lines: list[str], key: str, name: str) -> tuple[int, int]:
    """Where [key.name] and its sub-tables stand; refuses other spellings and tables that lie apart."""
    import re

    own = re.compile(r"""\s*\[\s*%s\s*\.\s*(?:%s|"%s"|'%s')\s*(?:\.[^\]]*)?\]\s*(?:#.*)?$"""
                     % (re.escape(key), re.escape(name), re.escape(name), re.escape(name)))
    starts = [at for at, line in enumerate(lines) if own.match(line)]
    if not starts:
        what = "%s.%s is there, but not as a table of its own; change it by hand" % (key, name)
        raise syntax_error(key_line(text, key), 1, what)
    stop = starts[0]
    for at in range(starts[0], len(lines)):
        if re.match(r"\s*\[", lines[at]) and not own.match(lines[at]) and "=" not in lines[at].split("]")[0]:
            break
        stop = at + 1
    return starts[0], stop
