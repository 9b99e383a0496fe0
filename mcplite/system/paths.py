"""Paths: one that a client named, held inside one directory; one as a ``file://`` URI.

Here: ``safe_path``, ``file_uri``. Not here: which URIs match a template (``uritemplate``), what becomes of a ``PathError``
(``outcomes``).

Page: server/resources, "Security Considerations" ("servers MUST validate all resource URIs").

1. What is handed back is resolved: opening it follows no link that the check did not follow.
2. The rule is the same on every system: a path that would lead out on Windows is refused on POSIX, too.
"""
import os

from ..errors import PathError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Union


def safe_path(root: "Union[str, os.PathLike[str]]", *parts: "Union[str, os.PathLike[str]]") -> str:
    """Return the path of ``parts`` below the directory ``root``, absolute and with symbolic links resolved.

    For what a template's ``{+path}`` or a tool's argument names: ``open(safe_path(ROOT, path))``; for ``{/path*}``, a list,
    ``safe_path(ROOT, *path)``. The file need not exist. Slashes separate; ``..`` is taken as long as it stays inside, and
    ``root`` itself is inside. Raises ``PathError`` (a ``ValueError``) for what leads out: ``..``, an absolute path, a backslash, a
    drive letter, a link that points elsewhere, or a zero byte; uncaught in a resource it is the protocol's "resource not
    found", in a prompt -32602, in a tool a tool error. Raises ``TypeError`` for what is no text and no path. It cannot keep
    another process from changing a link between this check and the opening. Page: server/resources.
    """
    texts = [part if isinstance(part, str) else os.fspath(part).replace(os.sep, "/") for part in parts]
    path = "/".join(texts)
    names_drive = any(piece[1:2] == ":" for piece in path.split("/")) or os.sep == "\\" and ":" in path
    if path.startswith("/") or any(text.startswith("/") for text in texts) or "\\" in path or "\0" in path or names_drive:
        raise PathError("the path %.200r is not relative, with slashes between its names: it may lead out of its directory" % path)
    try:
        top = os.path.realpath(root)
        found = os.path.realpath(os.path.join(top, path))
    except (OSError, UnicodeError):                 # a loop of links, a name that is no file name here
        raise PathError("the path %.200r cannot be resolved" % path) from None
    inside, whole = os.path.normcase(top), os.path.normcase(found)
    if whole != inside and not whole.startswith(inside.rstrip(os.sep) + os.sep):
        raise PathError("the path %.200r leads out of its directory" % path)
    return found


def file_uri(path: "Any") -> str:
    """Return the ``file://`` URI of a path; a relative one counts from the current folder."""
    from pathlib import Path

    return Path(os.path.abspath(os.fspath(path))).as_uri()
