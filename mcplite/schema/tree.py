"""A schema as a tree of compiled parts.

Here: the walk that refuses a wrong schema, and compiling, both by the rows of a table of keywords. Not here: what any
keyword means (``keywords``), and schemas of several documents (``documents``).

1. The constructor's caller walks the schema once (``check_all``) and refuses what is wrong; judging comes later and
   never raises.
2. A row of the table is ``(order, rule, shape)``. ``shape(tree, argument, trail)`` refuses what a schema may not write;
   ``rule(tree, argument, node)`` gives ``(test, children)``, or None where it asserts nothing. ``test(value)`` is True or
   False and passes values it is not about; ``children`` are the parts under the keyword by their step in the schema
   (a name, an index, None for the only one), or None for a leaf. A row without rule is an annotation.
"""
from __future__ import annotations

from .values import is_boolean, refuse_schema

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Tuple

    from .values import Test, Trail

    Children = Any                              # None, or Dict[Any, SchemaNode]
    Rule = Tuple[int, str, Test, Any, Children]     # order, keyword, test, its argument, its children
    Keywords = Dict[str, Tuple[int, Any, Any]]

DIALECT_2020_12 = "https://json-schema.org/draft/2020-12/schema"
DIALECT_07 = "http://json-schema.org/draft-07/schema"
MAX_SCHEMA_DEPTH = 100      # levels of subschemas in subschemas
MAX_SCHEMA_NODES = 100000   # subschemas of one schema
PLAIN_STEPS = 100000        # $refs followed while judging one value before results are remembered (see ``remembered``)
BIG_ARRAY = 1000            # items in one array that make a schema hot at once


class BeyondEveryday(Exception):
    """A keyword that only ``documents`` can judge; args: the keyword, its trail."""


class SchemaNode:
    """One subschema, compiled: ``test(value)``, and the rules it was made of, for messages and generated code."""
    __slots__ = ("tree", "schema", "test", "rules", "leaf", "places", "explain", "fast")

    def __init__(self, schema: Any, tree: Any = None) -> None:
        self.schema, self.tree = schema, tree
        self.test: Test = is_boolean        # replaced as soon as it is made
        self.rules: List[Rule] = []
        self.leaf = True                    # has no schemas under it
        self.places: Any = None             # where its keywords meet a value, as far as anyone has asked ``places``
        self.explain: Any = None            # made by ``explain`` at the first problem
        self.fast = False                   # has generated code, or was refused it


class SchemaTree:
    """One schema: checked by ``check``, compiled by ``node``. ``dialects`` are tables of keywords by their URI."""

    def __init__(self, schema: Any, dialects: Dict[str, Any]) -> None:
        self.root, self.dialects = schema, dialects
        self.nodes: Dict[Any, SchemaNode] = {}
        self.refs: List[Tuple[str, Trail, Any]] = []
        self.memos: List[Dict[int, bool]] = []
        self.count, self.steps, self.draft_07 = 0, PLAIN_STEPS, False
        self.big = False                    # has judged a large array: judging and explaining are worth generated code
        self.keywords: Keywords = dialects[DIALECT_2020_12]
        self.resource: Any = None

    def check_all(self) -> None:
        """Refuse the schema unless it is right and everyday."""
        dialect = self.root.get("$schema", DIALECT_2020_12) if isinstance(self.root, dict) else DIALECT_2020_12
        if dialect != DIALECT_2020_12:
            if not isinstance(dialect, str):
                refuse_schema((None, "$schema", 1), "must be a string")
            dialect = dialect[:-1] if dialect.endswith("#") else dialect
            if dialect not in self.dialects:
                raise BeyondEveryday("$schema", (None, "$schema", 1))
            self.draft_07, self.keywords = dialect == DIALECT_07, self.dialects[dialect]
        self.check(self.root, None)
        if not self.refs:
            return
        from .references import check_loops
        seen = set()
        for uri, trail, _ in self.refs:     # grows while targets are checked: they may lie where no schema is expected
            target = self.resolve(uri, trail)
            if id(target) not in seen:
                seen.add(id(target))
                self.check(target, trail)
        self.node(self.root)
        check_loops(self.nodes.values())

    def check(self, schema: Any, trail: Trail) -> None:
        """Walk one subschema: every keyword has the shape its dialect asks for."""
        if schema.__class__ is not dict and not isinstance(schema, dict):
            if not is_boolean(schema):
                refuse_schema(trail, "must be a schema: an object, true or false")
            return
        depth = 0 if trail is None else trail[2]
        self.count += 1
        if depth > 2 * MAX_SCHEMA_DEPTH or self.count > MAX_SCHEMA_NODES:
            refuse_schema(trail, "nested too deeply" if depth > 2 * MAX_SCHEMA_DEPTH else "too many subschemas")
        find, depth = self.keywords.get, depth + 1
        for keyword, value in schema.items():
            row = find(keyword)
            if row is not None:
                row[2](self, value, (trail, keyword, depth))

    def resolve(self, uri: str, trail: Trail) -> Any:
        """The schema that a ``$ref`` inside this document means."""
        if uri != "#" and not uri.startswith("#/"):
            raise BeyondEveryday("$ref", trail)
        from .references import step_pointer
        target = self.root
        for token in uri[2:].split("/") if uri != "#" else ():
            target = step_pointer(target, token, uri, trail)
        return target

    def node(self, schema: Any) -> SchemaNode:
        """The compiled form of a subschema, made once."""
        key = id(schema)
        found = self.nodes.get(key)
        if found is None:
            found = self.nodes[key] = SchemaNode(schema, self)
            self.compile(found)
        return found

    def compile(self, node: SchemaNode) -> None:
        schema, find = node.schema, self.keywords.get
        if is_boolean(schema):
            if schema is False:
                node.test = lambda value: False
                node.rules.append((0, "false", node.test, schema, None))
            else:
                node.test = lambda value: True
            return
        if self.draft_07 and "$ref" in schema:      # its siblings mean nothing there
            schema = {"$ref": schema["$ref"]}
        rules = node.rules
        for keyword, argument in schema.items():
            row = find(keyword)
            if row is not None and row[1] is not None:
                made = row[1](self, argument, node)
                if made is not None:
                    rules.append((row[0], keyword, made[0], argument, made[1]))
                    if made[1] is not None:
                        node.leaf = False
        if len(rules) > 1:
            rules.sort(key=rule_order)
        node.test = every_test([rule[2] for rule in rules])

    def start_judging(self) -> None:
        """Before every value: no verdict of an earlier one is remembered."""
        if not self.steps:
            for memo in self.memos:
                memo.clear()
        self.steps = PLAIN_STEPS


def rule_order(rule: Rule) -> int:
    return rule[0]


def every_test(tests: List[Test]) -> Test:
    """One test for all of them, in their order."""
    if not tests:
        return lambda value: True
    if len(tests) == 1:
        return tests[0]
    if len(tests) == 2:
        first, second = tests
        return lambda value: first(value) and second(value)

    def test(value: Any) -> bool:
        for judge in tests:
            if not judge(value):
                return False
        return True
    return test


def remembered(tree: SchemaTree, child: SchemaNode) -> Test:
    """The test of a schema that may be reached in many ways, with a bound on the work.

    Without references the work is at most (subschemas) x (parts of the value). With them, a schema of ten lines can
    ask for 2**n tests. So once PLAIN_STEPS are used up, a verdict is remembered for each part of the value: the work
    is bounded again and the answers stay exact. Parts are told apart by ``id``: they all live until the call ends.
    """
    memo: Dict[int, bool] = {}
    tree.memos.append(memo)

    def test(value: Any) -> bool:
        if tree.steps:
            tree.steps -= 1
            return child.test(value)
        verdict = memo.get(id(value))
        if verdict is None:
            verdict = memo[id(value)] = child.test(value)
        return verdict
    return test


def unexplained_problem(why: str = "") -> List[Dict[str, str]]:
    return [{"path": "", "keyword": "", "schema_path": "", "message": "does not match the schema" + why}]
