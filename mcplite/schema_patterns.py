from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Optional


def pattern_problem(text: str) -> "Optional[str]":
    import re
    try:
        re.compile(text)
    except re.error as e:
        return str(e)
    return None


def compile_pattern(text: str) -> "Callable[[str], bool]":
    import re
    search = re.compile(text, re.ASCII).search
    return lambda value: search(value) is not None
