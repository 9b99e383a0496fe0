"""JSON Schema 2020-12 and draft-07: compile once, judge often.

Read in this order: ``tree`` (values, checking, compiling), ``keywords`` (the everyday
ones), ``validator`` (the public class). That is all an everyday schema loads. The rest comes when it is needed:
``references`` ($ref) and ``patterns/``; ``documents`` with ``vocabulary`` and ``places`` for all other keywords, ``formats`` and
``metaschemas``; ``explain`` and ``messages`` for the first problem; ``generated`` for schemas that are used much.
Import from here only what stands below.
"""
from __future__ import annotations

from .tree import SchemaError, SchemaTree
from .validator import HOT_CALLS, Validator, problem_text

__all__ = ["HOT_CALLS", "SchemaError", "SchemaTree", "Validator", "problem_text"]
