"""JSON Schema 2020-12 and draft-07: compile once, judge often. The public class, and what it loads when.

Here: which tree a schema needs, and how a validator gets faster with use; in the folder's own file, since the first call of a tool
loads it: one file less is 0.1 ms. Not here: keywords, messages, generated code. Nothing is ever fetched.

Read in this order: ``tree`` (values, checking, compiling), ``keywords`` (the everyday ones), and this. That is all an everyday
schema loads. The rest comes when it is needed: ``references`` ($ref) and ``patterns/``; ``documents`` with ``vocabulary`` and
``places`` for all other keywords, ``formats`` and ``metaschemas``; ``explain`` and ``messages`` for the first problem;
``generated`` for schemas that are used much. A copy of mcplite may leave out all that is loaded inside a function here: a
schema that needs it is then refused by keyword name; without ``explain`` and ``generated`` it judges all the same. Import from
here only ``__all__``.
"""
from __future__ import annotations

from .keywords import EVERYDAY_DIALECTS
from .tree import BeyondEveryday, SchemaError, SchemaTree, refuse_without, unexplained_problem

__all__ = ["HOT_CALLS", "SchemaError", "SchemaTree", "Validator", "problem_text"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional

    from .tree import SchemaNode, Test

HOT_CALLS = 300             # calls after which a schema gets generated code


class Validator:
    """A compiled JSON Schema (2020-12, or draft-07 where ``$schema`` says so).

    ``schema``: a dict, True or False; not changed, and not to be changed while the validator is in use.
    ``documents``: ``{uri: schema}`` for a ``$ref`` out of the schema; nothing is ever fetched.
    ``formats``: True makes ``format`` an assertion; else it only annotates.
    Raises ``SchemaError`` for a schema that is wrong or not supported.

    ``is_valid(value)`` returns True or False, whatever the value, and never raises.

    ``problems(value)`` returns what is wrong: a list, empty when the value is valid. Each entry has ``path`` (JSON
    Pointer into the value), ``keyword``, ``schema_path`` (JSON Pointer into the schema, through ``$ref``) and
    ``message`` (one line that says what was expected and what came). Never raises.

    Both are attributes that hold the function itself and may be exchanged for a faster one: read them at each call.
    Pages: json-schema.org/draft/2020-12/json-schema-core, json-schema-validation.
    """
    __slots__ = ("schema", "is_valid", "problems", "_tree")

    def __init__(self, schema: Any, documents: Optional[Dict[str, Any]] = None, formats: bool = False) -> None:
        self.schema = schema
        try:
            self._tree = everyday_or_more(schema, documents, formats)
        except SchemaError:
            raise
        except RecursionError:
            raise SchemaError("", "nested too deeply") from None
        except Exception as error:      # of an odd Python object in it
            raise SchemaError("", "is not plain JSON: reading it ends in %s" % type(error).__name__) from error
        self.is_valid: Test = self._judge_first
        self.problems: Callable[[Any], List[Dict[str, str]]] = self._explain_first

    def _judge_first(self, value: Any) -> bool:
        """``is_valid`` before the first call: compile, then judge."""
        try:
            self.is_valid = counted(self, self._tree, self._tree.node(self._tree.root))
        except Exception:       # no room left on the stack: nothing can be judged here, a later call may
            return False
        return self.is_valid(value)

    def _explain_first(self, value: Any) -> List[Dict[str, str]]:
        """``problems`` before the first call: make the explaining function, then explain."""
        try:
            from .explain import new_problem_finder
            self.problems = new_problem_finder(self._tree, self)
        except Exception:       # left out of this copy, or no room left on the stack
            return [] if self.is_valid(value) else unexplained_problem()
        return self.problems(value)


def everyday_or_more(schema: Any, documents: Optional[Dict[str, Any]], formats: bool) -> SchemaTree:
    """The tree of a schema, by the everyday keywords alone where that is enough."""
    keyword, trail = "documents" if documents else "format", None
    if not documents and not formats:
        tree = SchemaTree(schema, EVERYDAY_DIALECTS)
        try:
            tree.check_all()
            return tree
        except BeyondEveryday as beyond:
            keyword, trail = beyond.args
    try:
        from .documents import new_full_tree
    except ImportError:
        refuse_without("documents", keyword, trail)
    return new_full_tree(schema, documents or {}, formats)


def counted(validator: Validator, tree: SchemaTree, node: SchemaNode) -> Test:
    """``is_valid`` of a schema: after HOT_CALLS, or a large array, exchanged for generated code. It stays where that module
    is left out, or the code would get too long."""
    left = HOT_CALLS

    def is_valid(value: Any) -> bool:
        nonlocal left
        left -= 1
        if left == 0 or tree.big and left > 0:
            left = min(left, 0)
            try:
                from .generated import generate_test
                validator.is_valid = generate_test(tree, node)
            except Exception:
                pass
        tree.start_judging()
        try:
            return node.test(value)
        except Exception:       # RecursionError of a deep value; whatever an odd Python object raises
            return False
    return is_valid


def problem_text(problems: List[Dict[str, str]]) -> str:
    """Problems as one line for a model or a person: the first five, and how many more there are."""
    texts = [problem["path"] + ": " + problem["message"] if problem["path"] else problem["message"] for problem in problems]
    if len(texts) == 1:
        return texts[0]
    lines = list(dict.fromkeys(texts))
    if len(lines) > 5:
        lines[5:] = ["and %d more" % (len(lines) - 5)]
    return "; ".join(lines)
