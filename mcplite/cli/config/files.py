"""The host's file: read, compared, replaced in one step, with what it was beside it.

Here: bytes and files. Not here: where the file is (`hosts`), the text of an entry (`formats`).

1. Nothing else in the file changes; what it was is kept beside it first.
2. The new file replaces the old one in one step, keeps its mode, and goes where a symbolic link points. A file that
   changed while we looked is left alone: some hosts rewrite theirs at any time.
3. An entry that says the same is left as it is, whatever else stands in it. One that says something else is replaced only
   with --force, and keeps the settings that are not ours (such as "disabled" or "alwaysAllow").
"""
from __future__ import annotations

import os

from ..terminal import CliError
from .edit import syntax_error, syntax_error_at
from .formats import find_config_entry, set_config_entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .hosts import ConfigHost

OWN_ENTRY_KEYS = frozenset(["type", "command", "args", "env", "environment", "url", "name", "cwd"])


def write_config_entry(host: ConfigHost, path: str, name: str, entry: dict[str, Any], force: bool,
                       block_file: bool) -> tuple[str, str | None]:
    """Put the entry into the file; ("added", "replaced" or "unchanged", the backup's path or None)."""
    target = os.path.realpath(path)
    before = read_config_bytes(target)
    mark = b"\xef\xbb\xbf" if before is not None and before.startswith(b"\xef\xbb\xbf") else b""
    text = decode_config((before or b"")[len(mark):])
    old = find_config_entry(host, text, name)
    if old is not None and same_entry(old, entry):
        return "unchanged", None
    if old is not None and not force:
        raise CliError('config: %s has a different entry "%s": --force replaces it, --name chooses another name; '
                       "the file was left alone" % (path, name))
    if isinstance(old, dict):
        entry = {**entry, **{key: value for key, value in old.items() if key not in entry and key not in OWN_ENTRY_KEYS}}
    edited = set_config_entry(host, text, name, entry, block_file)
    check_writable(path, target)
    backup = keep_backup(target, before) if before is not None else None
    try:
        replace_config(target, mark + edited.encode("utf-8"), before)
    except BaseException:               # nothing was written: nothing is left beside it
        if backup is not None:
            os.unlink(backup)
        raise
    return ("added" if old is None else "replaced"), backup


def check_writable(path: str, target: str) -> None:
    """Raise CliError for a file that says it is not to be written, even where we could."""
    if os.path.exists(target) and not (os.access(target, os.W_OK) and os.stat(target).st_mode & 0o222):
        raise CliError("config: %s is write-protected; the file was left alone" % path)


def read_config_bytes(path: str) -> bytes | None:
    if os.path.exists(path) and not os.path.isfile(path):       # a pipe would let us wait for ever
        raise CliError("config: %s is not a file; name one with --file" % path)
    try:
        with open(path, "rb") as stream:
            return stream.read()
    except FileNotFoundError:
        return None


def decode_config(data: bytes) -> str:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in data[:2]:
        raise syntax_error(1, 1, "the file is UTF-16; save it as UTF-8")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        good = data[:error.start].decode("utf-8")
        raise syntax_error_at(good, len(good), "not UTF-8 (byte %02X); save it as UTF-8" % data[error.start]) from None
    if "\0" in text:
        raise syntax_error_at(text, text.index("\0"), "a NUL character, which no text has; the file may be damaged")
    return text


def same_entry(old: Any, new: dict[str, Any]) -> bool:
    """Whether an entry starts the same server (3): an absent "type" is the usual one, absent args and env are empty."""
    if not isinstance(old, dict):
        return False
    for key in OWN_ENTRY_KEYS:
        empty: Any = {"type": new.get("type"), "args": [], "env": {}, "environment": {}}.get(key)
        if (old.get(key, empty) or empty) != (new.get(key, empty) or empty):
            return False
    return True


def keep_backup(path: str, data: bytes) -> str:
    """Keep the old bytes beside the file, under the first free name."""
    number = 0
    while True:
        backup = path + (".bak" if not number else ".bak%d" % number)
        try:
            descriptor = os.open(backup, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0),
                                 os.stat(path).st_mode & 0o777)
            break
        except FileExistsError:
            number += 1
    with open(descriptor, "wb") as stream:
        stream.write(data)
    return backup


def replace_config(path: str, data: bytes, before: bytes | None) -> None:
    """Replace the file in one step (2); a new one may be read by its owner only, since entries hold secrets."""
    if before is None:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        mode = 0o600
    else:
        mode = os.stat(path).st_mode & 0o777
    temporary = "%s.%d.tmp" % (path, os.getpid())
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        with open(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, mode)
        if read_config_bytes(path) != before:
            raise CliError("config: %s changed while it was being read; try again; the file was left alone" % path)
        os.replace(temporary, path)
    finally:
        if os.path.exists(temporary):
            os.unlink(temporary)
