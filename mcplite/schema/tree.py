"""JSON values, and a schema as a tree of compiled parts.

Here: what all of this folder stands on: the types and the equality of JSON, the walk that refuses a wrong schema, and
compiling, both by the rows of a table of keywords. Not here: what any keyword means (``keywords``), and schemas of several
documents (``documents``).

Pages: json-schema.org/draft/2020-12 core 4.2 and 8; RFC 6901.

1. Python's equality is not JSON's: ``true`` is not ``1`` (``same_json``), and infinity is no number. Exact classes are
   tested first; only what fails that test pays for the complete one.
2. The constructor's caller walks the schema once (``check_all``) and refuses what is wrong; judging comes later and
   never raises.
3. A row of the table is ``(order, rule, shape)``. ``shape(tree, argument, trail)`` refuses what a schema may not write;
   ``rule(tree, argument, node)`` gives ``(test, children)``, or None where it asserts nothing. ``test(value)`` is True or
   False and passes values it is not about; ``children`` are the parts under the keyword by their step in the schema
   (a name, an index, None for the only one), or None for a leaf. A row without rule is an annotation.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, NoReturn, Tuple

    Test = Callable[[Any], bool]
    Trail = Any                     # None at the root, else (trail of the parent, token, depth)
    Children = Any                              # None, or Dict[Any, SchemaNode]
    Rule = Tuple[int, str, Test, Any, Children]     # order, keyword, test, its argument, its children
    Keywords = Dict[str, Tuple[int, Any, Any]]

DIALECT_2020_12 = "https://json-schema.org/draft/2020-12/schema"
DIALECT_07 = "http://json-schema.org/draft-07/schema"
MAX_SCHEMA_DEPTH = 100      # levels of subschemas in subschemas
MAX_SCHEMA_NODES = 100000   # subschemas of one schema
PLAIN_STEPS = 100000        # $refs followed while judging one value before results are remembered (see ``remembered``)
BIG_ARRAY = 1000            # items in one array that make a schema hot at once
MAX_REASON = 400            # characters in the reason of a ``SchemaError``: it may quote what a schema holds


class SchemaError(ValueError):
    """A schema that is wrong, or that asks for something this copy cannot judge.

    ``path`` is the JSON Pointer of the place in the schema ("" is its root), ``reason`` says what is wrong there;
    the text of the exception is both.
    """

    def __init__(self, path: str, reason: str) -> None:
        super().__init__("%s: %s" % (path or "schema", reason))
        self.path, self.reason = path, reason


def pointer_of(trail: Trail) -> str:
    """A trail as a JSON Pointer."""
    tokens = []
    while trail is not None:
        tokens.append("/" + str(trail[1]).replace("~", "~0").replace("/", "~1"))
        trail = trail[0]
    return "".join(reversed(tokens))


def step_trail(trail: Trail, token: Any) -> Trail:
    return (trail, token, 1 if trail is None else trail[2] + 1)


def refuse_schema(trail: Trail, reason: str) -> NoReturn:
    raise SchemaError(pointer_of(trail), reason if len(reason) <= MAX_REASON else reason[:MAX_REASON] + "...")


def refuse_without(module: str, word: str, trail: Trail) -> NoReturn:
    """A copy of mcplite may leave parts of this folder out: what needs one is refused by name."""
    refuse_schema(trail, '"%s" needs the module schema.%s, which this copy of mcplite lacks' % (word, module))


class BeyondEveryday(Exception):
    """A keyword that only ``documents`` can judge; args: the keyword, its trail."""


# -- values --------------------------------------------------------------------------------------------------------

def is_array(value: Any) -> bool:
    return value.__class__ is list or isinstance(value, list)


def is_boolean(value: Any) -> bool:
    return value is True or value is False


def is_integer(value: Any) -> bool:
    """Any number with a zero fraction: 3 and 3.0, but not true."""
    if value.__class__ is int:
        return True
    if isinstance(value, float):
        return value.is_integer()
    return isinstance(value, int) and not is_boolean(value)


def is_null(value: Any) -> bool:
    return value is None


def is_number(value: Any) -> bool:
    """A finite number: JSON has no NaN and no infinity (infinity minus infinity is NaN)."""
    if value.__class__ is int:
        return True
    if isinstance(value, float):
        return value - value == 0.0
    return isinstance(value, int) and not is_boolean(value)


def is_object(value: Any) -> bool:
    return value.__class__ is dict or isinstance(value, dict)


def is_string(value: Any) -> bool:
    return value.__class__ is str or isinstance(value, str)


TYPE_TESTS: Dict[str, Test] = {
    "array": is_array, "boolean": is_boolean, "integer": is_integer, "null": is_null, "number": is_number,
    "object": is_object, "string": is_string,
}


def same_json(a: Any, b: Any) -> bool:
    """JSON equality: 1 equals 1.0, but true equals only true."""
    if a is None or b is None or is_boolean(a) or is_boolean(b):
        return a is b
    if isinstance(a, dict) and isinstance(b, dict):
        return len(a) == len(b) and all(name in b and same_json(a[name], b[name]) for name in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same_json, a, b))
    return bool(a == b)


def split_choices(values: Any) -> Tuple[Any, Any, List[Any]]:
    """The members of an enum: strings and everyday numbers, which are looked up, and the others, which are compared.
    Large integers are not looked up: they can be chosen so that looking up takes long."""
    strings = frozenset(value for value in values if is_string(value))
    numbers = frozenset(value for value in values if is_everyday_number(value))
    return strings, numbers, [value for value in values if not is_string(value) and not is_everyday_number(value)]


def is_everyday_number(value: Any) -> bool:
    return is_number(value) and -2 ** 53 < value < 2 ** 53


# -- the tree ------------------------------------------------------------------------------------------------------

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
        seen = set()
        for uri, trail, _ in self.refs:     # grows while targets are checked: they may lie where no schema is expected
            target = self.resolve(uri, trail)
            if id(target) not in seen:
                seen.add(id(target))
                self.check(target, trail)
        self.compile_all()

    def compile_all(self) -> None:
        """Compile the schema, and refuse it if it refers to itself without end."""
        from .references import find_loop
        self.node(self.root)
        uri = find_loop(self.nodes.values())
        if uri is not None:
            raise SchemaError("", 'refers to itself without end (through "%s")' % uri)

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
        try:
            for token in uri[2:].split("/") if uri != "#" else ():
                target = step_pointer(target, token)
        except LookupError:
            refuse_schema(trail, '"%s" leads nowhere in this schema' % uri)
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
