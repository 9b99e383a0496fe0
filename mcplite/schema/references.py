"""References inside one schema: a step of a JSON Pointer, and circles that would never end.

Here: what a schema with ``$ref`` needs when it is loaded; most have none, and never load this. Not here: the keyword
itself (``ref`` in ``keywords``), ``$id``, anchors and other documents (``documents``).

Pages: RFC 6901; json-schema.org/draft/2020-12 core 8.2.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterator, Optional

# Keywords whose children judge the same value: a circle of these alone would never end.
IN_PLACE = frozenset(["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "if", "dependentSchemas", "dependencies"])


def step_pointer(target: Any, token: str) -> Any:
    """One step of a JSON Pointer in a URI fragment. Raises LookupError where it leads nowhere."""
    if "%" in token:
        from urllib.parse import unquote
        token = unquote(token)
    token = token.replace("~1", "/").replace("~0", "~")
    if isinstance(target, dict) and token in target:
        return target[token]
    if not isinstance(target, list) or not is_index(token) or int(token) >= len(target):
        raise LookupError(token)
    return target[int(token)]


def is_index(token: str) -> bool:
    """0 or 12, but not 01, and no digits of other scripts, which Python would count as well."""
    return token.isascii() and token.isdigit() and len(token) < 10 and (token[0] != "0" or token == "0")


def find_loop(nodes: Any) -> Optional[str]:
    """A reference in a circle of schemas that all judge the same value; None where there is no circle."""
    done: Dict[Any, bool] = {}          # False while its circle is being looked at
    for start in list(nodes):
        stack = [(start, in_place_children(start))] if start not in done else []
        done.setdefault(start, False)
        while stack:
            node, rest = stack[-1]
            child = next(rest, None)
            if child is None:
                done[node] = True
                stack.pop()
            elif child not in done:
                done[child] = False
                stack.append((child, in_place_children(child)))
            elif not done[child]:
                circle = [entry[0] for entry in stack]
                return next(str(node.schema[word]) for node in circle[circle.index(child):]
                            for word in ("$ref", "$dynamicRef") if word in node.schema)
    return None


def in_place_children(node: Any) -> Iterator[Any]:
    for _, keyword, _, _, children in node.rules:
        if keyword in IN_PLACE:
            yield from children.values()
