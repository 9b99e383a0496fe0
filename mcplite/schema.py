"""JSON Schema: compile once, judge often.

Here: the everyday subset (what nearly every tool writes), compiled to one small function per keyword, and the public
``Validator``. Not here, loaded only when a schema needs it: ``schema_more`` (the rest of 2020-12 and draft-07),
``schema_refs`` (``$ref``: one real tool in twenty), ``schema_patterns`` (regular expressions), ``schema_formats``,
``schema_explain`` (messages), ``schema_fast`` (generated code for schemas that are used much). A copy of mcplite may leave
those out: a schema that needs one of them is then refused by keyword name. Nothing is ever fetched.

In the order of reading: values; the keywords, one function each (read three, and you know them all); compiling; the public
class; and last the walk that refuses wrong schemas, one shape for each keyword.

Pages: json-schema.org/draft/2020-12 core and validation; draft-07 where the schema says so.

1. The constructor walks the schema once and refuses what is wrong (``SHAPES``). Judging comes later and never raises.
2. Every keyword is a function named after it, ``keyword(tree, argument, schema)`` -> ``(test, children)``, or None
   where it asserts nothing: ``test(value)`` is True or False and passes values it is not about; ``children`` are the
   ``SchemaNode``s under it, None for a leaf.
3. Python's equality is not JSON's: ``true`` is not ``1`` (``same_json``), and infinity is no number.
4. Exact classes are tested first; only what fails that test pays for the complete one.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, NoReturn, Optional, Tuple

    Test = Callable[[Any], bool]
    Trail = Any                     # None at the root, else (trail of the parent, token, depth)
    Rule = Tuple[int, str, Test, Any, Any]      # order, keyword, test, its argument, its children

JSON_TYPES = ("array", "boolean", "integer", "null", "number", "object", "string")
DIALECT_2020_12 = "https://json-schema.org/draft/2020-12/schema"
DIALECT_07 = "http://json-schema.org/draft-07/schema"
MAX_SCHEMA_DEPTH = 100      # levels of subschemas in subschemas
MAX_SCHEMA_NODES = 100000   # subschemas of one schema
MAX_COMPARED = 50           # enum members that each value is compared with, one by one, by the everyday ``enum``
MAX_REASON = 400            # characters in the reason of a ``SchemaError``: it may quote what a schema holds
PLAIN_STEPS = 100000        # $refs followed while judging one value before results are remembered (see ``remembered``)
HOT_CALLS = 300             # calls after which a schema gets generated code
HOT_FAILURES = 100          # explanations after which the parts of a schema get it, too
BIG_ARRAY = 1000            # items in one array that make a schema hot at once


class SchemaError(ValueError):
    """A schema that is wrong, or that asks for something this copy cannot judge.

    ``path`` is the JSON Pointer of the place in the schema ("" is its root), ``reason`` says what is wrong there;
    the text of the exception is both.
    """

    def __init__(self, path: str, reason: str) -> None:
        super().__init__("%s: %s" % (path or "schema", reason))
        self.path, self.reason = path, reason


class BeyondEveryday(Exception):
    """A keyword that only ``schema_more`` knows; args: the keyword, its trail."""


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


# -- the keywords --------------------------------------------------------------------------------------------------

def type_(tree: SchemaTree, wanted: Any, schema: Any) -> Any:
    """``{"type": "integer"}``: 3 and 3.0 pass, "3" and true do not. A list of types passes any of them."""
    if isinstance(wanted, str):
        return TYPE_TESTS[wanted], None
    tests = tuple(TYPE_TESTS[name] for name in wanted)

    def test(value: Any) -> bool:
        for is_type in tests:
            if is_type(value):
                return True
        return False
    return test, None


def enum(tree: SchemaTree, values: Any, schema: Any) -> Any:
    """``{"enum": ["a", 1, null]}``: "a", 1.0 and null pass, "b" and true do not."""
    strings, numbers, others = split_choices(values)

    def test(value: Any) -> bool:
        if is_string(value):
            return value in strings
        if is_number(value) and value in numbers:
            return True
        for allowed in others:
            if same_json(value, allowed):
                return True
        return False
    return test, None


def split_choices(values: Any) -> Tuple[Any, Any, List[Any]]:
    """The members of an enum: strings and everyday numbers, which are looked up, and the others, which are compared.
    Large integers are not looked up: they can be chosen so that looking up takes long."""
    strings = frozenset(value for value in values if is_string(value))
    numbers = frozenset(value for value in values if is_number(value) and -2 ** 53 < value < 2 ** 53)
    return strings, numbers, [value for value in values if not is_string(value) and not (
        is_number(value) and -2 ** 53 < value < 2 ** 53)]


def const(tree: SchemaTree, wanted: Any, schema: Any) -> Any:
    """``{"const": 1}``: 1 and 1.0 pass, true does not."""
    return (lambda value: same_json(value, wanted)), None


def minimum(tree: SchemaTree, limit: Any, schema: Any) -> Any:
    """``{"minimum": 2}``: 2 passes, 1.5 does not."""
    return (lambda value: not is_number(value) or value >= limit), None


def maximum(tree: SchemaTree, limit: Any, schema: Any) -> Any:
    """``{"maximum": 2}``: 2 passes, 2.5 does not."""
    return (lambda value: not is_number(value) or value <= limit), None


def exclusive_minimum(tree: SchemaTree, limit: Any, schema: Any) -> Any:
    """``{"exclusiveMinimum": 2}``: 2.1 passes, 2 does not."""
    return (lambda value: not is_number(value) or value > limit), None


def exclusive_maximum(tree: SchemaTree, limit: Any, schema: Any) -> Any:
    """``{"exclusiveMaximum": 2}``: 1.9 passes, 2 does not."""
    return (lambda value: not is_number(value) or value < limit), None


def min_length(tree: SchemaTree, limit: Any, schema: Any) -> Any:
    """``{"minLength": 2}``: "ab" passes, "a" does not. Counted in code points: an emoji is one."""
    return (lambda value: not is_string(value) or len(value) >= limit), None


def max_length(tree: SchemaTree, limit: Any, schema: Any) -> Any:
    """``{"maxLength": 2}``: "ab" passes, "abc" does not."""
    return (lambda value: not is_string(value) or len(value) <= limit), None


def pattern(tree: SchemaTree, text: Any, schema: Any) -> Any:
    """``{"pattern": "^a"}``: "ab" passes, "ba" does not. ECMA-262, found anywhere unless anchored."""
    from .schema_patterns import compile_pattern
    found = compile_pattern(text)
    return (lambda value: not is_string(value) or found(value)), None


def min_items(tree: SchemaTree, limit: Any, schema: Any) -> Any:
    """``{"minItems": 1}``: [0] passes, [] does not."""
    return (lambda value: not is_array(value) or len(value) >= limit), None


def max_items(tree: SchemaTree, limit: Any, schema: Any) -> Any:
    """``{"maxItems": 1}``: [0] passes, [0, 0] does not."""
    return (lambda value: not is_array(value) or len(value) <= limit), None


def min_properties(tree: SchemaTree, limit: Any, schema: Any) -> Any:
    """``{"minProperties": 1}``: {"a": 0} passes, {} does not."""
    return (lambda value: not is_object(value) or len(value) >= limit), None


def max_properties(tree: SchemaTree, limit: Any, schema: Any) -> Any:
    """``{"maxProperties": 0}``: {} passes, {"a": 0} does not."""
    return (lambda value: not is_object(value) or len(value) <= limit), None


def required(tree: SchemaTree, names: Any, schema: Any) -> Any:
    """``{"required": ["a"]}``: {"a": null} passes, {} does not."""
    names = tuple(names)

    def test(value: Any) -> bool:
        if is_object(value):
            for name in names:
                if name not in value:
                    return False
        return True
    return test, None


def properties(tree: SchemaTree, schemas: Any, schema: Any) -> Any:
    """``{"properties": {"a": {"type": "integer"}}}``: {"a": 1} and {"b": ""} pass, {"a": ""} does not."""
    children = {name: tree.node(child) for name, child in schemas.items()}
    tests = {name: child.test for name, child in children.items()}
    find = tests.get

    def test(value: Any) -> bool:
        if is_object(value):
            for name, item in value.items():
                judge = find(name)
                if judge is not None and not judge(item):
                    return False
        return True
    return test, children


def additional_properties(tree: SchemaTree, extra: Any, schema: Any) -> Any:
    """Judges every property that ``properties`` beside it does not name."""
    child = tree.node(extra)
    known, judge = frozenset(schema.get("properties", ())), child.test

    def test(value: Any) -> bool:
        if is_object(value):
            for name, item in value.items():
                if name not in known and not judge(item):
                    return False
        return True
    return test, child


def property_names(tree: SchemaTree, names: Any, schema: Any) -> Any:
    """``{"propertyNames": {"maxLength": 1}}``: {"a": 0} passes, {"ab": 0} does not."""
    child = tree.node(names)
    judge = child.test

    def test(value: Any) -> bool:
        if is_object(value):
            for name in value:
                if not judge(name):
                    return False
        return True
    return test, child


def items(tree: SchemaTree, each: Any, schema: Any) -> Any:
    """``{"items": {"type": "integer"}}``: [1, 2] and [] pass, [1, ""] does not."""
    child = tree.node(each)
    judge = child.test

    def test(value: Any) -> bool:
        if is_array(value):
            if len(value) > BIG_ARRAY:
                tree.big = True
            for item in value:
                if not judge(item):
                    return False
        return True
    return test, child


def all_of(tree: SchemaTree, schemas: Any, schema: Any) -> Any:
    """Passes what every schema in the list passes."""
    children = [tree.node(child) for child in schemas]
    return every_test([child.test for child in children]), children


def any_of(tree: SchemaTree, schemas: Any, schema: Any) -> Any:
    """``{"anyOf": [{"type": "integer"}, {"type": "null"}]}``: 1 and null pass, "" does not."""
    children = [tree.node(child) for child in schemas]
    tests = tuple(child.test for child in children)

    def test(value: Any) -> bool:
        for judge in tests:
            if judge(value):
                return True
        return False
    return test, children


def one_of(tree: SchemaTree, schemas: Any, schema: Any) -> Any:
    """``{"oneOf": [{"type": "number"}, {"minimum": 5}]}``: 1 and "" pass, 6 does not, since both pass it."""
    children = [tree.node(child) for child in schemas]
    tests = tuple(child.test for child in children)

    def test(value: Any) -> bool:
        matched = False
        for judge in tests:
            if judge(value):
                if matched:
                    return False
                matched = True
        return matched
    return test, children


def not_(tree: SchemaTree, forbidden: Any, schema: Any) -> Any:
    """``{"not": {"type": "null"}}``: 1 passes, null does not."""
    child = tree.node(forbidden)
    judge = child.test
    return (lambda value: not judge(value)), child


def ref(tree: SchemaTree, uri: Any, schema: Any) -> Any:
    """``{"$ref": "#/$defs/a"}``: judged as the schema found there. Recursion is allowed while it consumes input."""
    child = tree.node(tree.resolve(uri, None))
    return remembered(tree, child), child


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


# Cheap and telling keywords first; patterns after everything that could make them needless.
KEYWORDS: Dict[str, Tuple[int, Callable[..., Any]]] = {
    "type": (0, type_), "const": (1, const), "enum": (2, enum),
    "minimum": (3, minimum), "maximum": (3, maximum),
    "exclusiveMinimum": (3, exclusive_minimum), "exclusiveMaximum": (3, exclusive_maximum),
    "minLength": (3, min_length), "maxLength": (3, max_length), "minItems": (3, min_items), "maxItems": (3, max_items),
    "minProperties": (3, min_properties), "maxProperties": (3, max_properties), "required": (4, required),
    "properties": (5, properties), "additionalProperties": (6, additional_properties),
    "items": (7, items), "propertyNames": (7, property_names), "pattern": (8, pattern),
    "$ref": (9, ref), "allOf": (10, all_of), "anyOf": (11, any_of), "oneOf": (11, one_of), "not": (11, not_),
}


# -- compiling -----------------------------------------------------------------------------------------------------

class SchemaNode:
    """One subschema, compiled: ``test(value)``, and the rules it was made of, for messages and generated code."""
    __slots__ = ("tree", "schema", "test", "rules", "explain", "parts", "fast")

    def __init__(self, schema: Any, tree: Any = None) -> None:
        self.schema, self.tree = schema, tree
        self.test: Test = is_boolean      # replaced as soon as it is made
        self.rules: List[Rule] = []
        self.explain: Any = None            # made by ``schema_explain`` at the first problem, and what of an object
        self.parts: Any = None
        self.fast = False                   # has generated code, or was refused it


class SchemaTree:
    """One schema: checked by ``check``, compiled by ``node``. ``schema_more`` has the one that knows everything."""

    def __init__(self, schema: Any) -> None:
        self.root = schema
        self.nodes: Dict[Any, SchemaNode] = {}
        self.refs: List[Tuple[str, Trail]] = []
        self.memos: List[Dict[int, bool]] = []
        self.count, self.steps, self.draft_07 = 0, PLAIN_STEPS, False
        self.big = self.big_failures = False        # has judged, and will have to explain, a large array
        self.shapes, self.keywords = SHAPES, KEYWORDS

    def check_all(self) -> None:
        """Refuse the schema unless it is right and everyday."""
        dialect = self.root.get("$schema", DIALECT_2020_12) if isinstance(self.root, dict) else DIALECT_2020_12
        if dialect != DIALECT_2020_12:
            if not isinstance(dialect, str):
                refuse_schema((None, "$schema", 1), "must be a string")
            dialect = dialect[:-1] if dialect.endswith("#") else dialect
            if dialect == DIALECT_07:
                self.draft_07, self.shapes = True, SHAPES_07
            elif dialect != DIALECT_2020_12:
                raise BeyondEveryday("$schema", (None, "$schema", 1))
        self.check(self.root, None)
        if not self.refs:
            return
        from .schema_refs import check_loops
        seen = set()
        for uri, trail in self.refs:        # grows while targets are checked: they may lie where no schema is expected
            target = self.resolve(uri, trail)
            if id(target) not in seen:
                seen.add(id(target))
                self.check(target, trail)
        self.node(self.root)
        check_loops(self)

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
        find, depth = self.shapes.get, depth + 1
        for keyword, value in schema.items():
            shape = find(keyword)
            if shape is not None:
                shape(self, value, (trail, keyword, depth))

    def resolve(self, uri: str, trail: Trail) -> Any:
        """The schema that a ``$ref`` inside this document means."""
        if uri != "#" and not uri.startswith("#/"):
            raise BeyondEveryday("$ref", trail)
        from .schema_refs import step_pointer
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
            entry = find(keyword)
            if entry is not None:
                made = entry[1](self, argument, schema)
                if made is not None:
                    rules.append((entry[0], keyword, made[0], argument, made[1]))
        if len(rules) > 1:
            rules.sort(key=rule_order)
        node.test = every_test([rule[2] for rule in rules])


def rule_order(rule: Rule) -> int:
    return rule[0]


# -- the public class ----------------------------------------------------------------------------------------------

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
    __slots__ = ("schema", "is_valid", "problems", "tree")

    def __init__(self, schema: Any, documents: Optional[Dict[str, Any]] = None, formats: bool = False) -> None:
        self.schema = schema
        try:
            self.tree = everyday_or_more(schema, documents, formats)
        except SchemaError:
            raise
        except RecursionError:
            raise SchemaError("", "nested too deeply") from None
        except Exception as error:      # of an odd Python object in it
            raise SchemaError("", "is not plain JSON: reading it ends in %s" % type(error).__name__) from error
        self.is_valid: Test = self.judge_first
        self.problems: Callable[[Any], List[Dict[str, str]]] = self.explain_first

    def judge_first(self, value: Any) -> bool:
        """``is_valid`` before the first call: compile, then judge."""
        try:
            self.is_valid = counted(self, self.tree, self.tree.node(self.tree.root))
        except Exception:       # no room left on the stack: nothing can be judged here, a later call may
            return False
        return self.is_valid(value)

    def explain_first(self, value: Any) -> List[Dict[str, str]]:
        """``problems`` before the first call: make the explaining function, then explain."""
        try:
            from .schema_explain import new_problem_finder
            self.problems = new_problem_finder(self.tree, self)
        except Exception:       # left out of this copy, or no room left on the stack
            return [] if self.is_valid(value) else unexplained_problem()
        return self.problems(value)


def unexplained_problem(why: str = "") -> List[Dict[str, str]]:
    return [{"path": "", "keyword": "", "schema_path": "", "message": "does not match the schema" + why}]


def everyday_or_more(schema: Any, documents: Optional[Dict[str, Any]], formats: bool) -> SchemaTree:
    """The tree of a schema, by this module alone where that is enough."""
    keyword, trail = "documents" if documents else "format", None
    if not documents and not formats:
        tree = SchemaTree(schema)
        try:
            tree.check_all()
            return tree
        except BeyondEveryday as beyond:
            keyword, trail = beyond.args
    try:
        from .schema_more import new_full_tree
    except ImportError:
        raise SchemaError(pointer_of(trail), '"%s" needs the module schema_more, which this copy of mcplite lacks'
                          % keyword) from None
    return new_full_tree(schema, documents or {}, formats)


def counted(validator: Validator, tree: SchemaTree, node: SchemaNode) -> Test:
    """``is_valid`` of a schema that is not hot yet."""
    calls = 0

    def is_valid(value: Any) -> bool:
        nonlocal calls
        calls += 1
        if calls == HOT_CALLS or tree.big:
            make_fast(validator, tree, node)
        start_judging(tree)
        try:
            return node.test(value)
        except Exception:       # RecursionError of a deep value; whatever an odd Python object raises
            return False
    return is_valid


def start_judging(tree: SchemaTree) -> None:
    """Before every value: no verdict of an earlier one is remembered."""
    if not tree.steps:
        for memo in tree.memos:
            memo.clear()
    tree.steps = PLAIN_STEPS


def make_fast(validator: Validator, tree: SchemaTree, node: SchemaNode) -> None:
    """Exchange ``is_valid`` for generated code, where that module is there and the code does not get too long."""
    if tree.big:
        tree.big, tree.big_failures = False, True       # explaining is then worth generated code at once
    try:
        from .schema_fast import generate_test
        validator.is_valid = generate_test(tree, node)
    except Exception:
        validator.is_valid = guarded(tree, node)


def guarded(tree: SchemaTree, node: SchemaNode) -> Test:
    """``is_valid`` of a hot schema without generated code."""
    def is_valid(value: Any) -> bool:
        start_judging(tree)
        try:
            return node.test(value)
        except Exception:
            return False
    return is_valid


def problem_text(problems: List[Dict[str, str]]) -> str:
    """Problems as one line for a model or a person: the first five, and how many more there are."""
    if len(problems) == 1:
        problem = problems[0]
        return problem["path"] + ": " + problem["message"] if problem["path"] else problem["message"]
    lines = list(dict.fromkeys(problem["path"] + ": " + problem["message"] if problem["path"] else problem["message"]
                               for problem in problems))
    if len(lines) > 5:
        lines[5:] = ["and %d more" % (len(lines) - 5)]
    return "; ".join(lines)


# -- the walk that checks a schema: one shape per keyword ----------------------------------------------------------

def shape_any(tree: SchemaTree, value: Any, trail: Trail) -> None:
    pass


def shape_string(tree: SchemaTree, value: Any, trail: Trail) -> None:
    if not isinstance(value, str):
        refuse_schema(trail, "must be a string")


def shape_boolean(tree: SchemaTree, value: Any, trail: Trail) -> None:
    if not is_boolean(value):
        refuse_schema(trail, "must be true or false")


def shape_array(tree: SchemaTree, value: Any, trail: Trail) -> None:
    if not isinstance(value, list):
        refuse_schema(trail, "must be an array")


def shape_enum(tree: SchemaTree, value: Any, trail: Trail) -> None:
    shape_array(tree, value, trail)
    if len(value) > MAX_COMPARED and len(split_choices(value)[2]) > MAX_COMPARED:
        raise BeyondEveryday("enum", trail)


def shape_count(tree: SchemaTree, value: Any, trail: Trail) -> None:
    if not is_integer(value) or value < 0:
        refuse_schema(trail, "must be an integer, 0 or more")


def shape_number(tree: SchemaTree, value: Any, trail: Trail) -> None:
    if not is_number(value):
        refuse_schema(trail, "must be a number" + ("; a bound of its own since draft-06" if is_boolean(value) else ""))


def shape_names(tree: SchemaTree, value: Any, trail: Trail) -> None:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        refuse_schema(trail, "must be an array of strings")
    if len(frozenset(value)) != len(value):
        refuse_schema(trail, "must not name a property twice")


def shape_type(tree: SchemaTree, value: Any, trail: Trail) -> None:
    if value.__class__ is str and value in TYPE_TESTS:
        return
    if isinstance(value, list) and value:
        for name in value:
            if not isinstance(name, str) or name not in TYPE_TESTS:
                refuse_schema(trail, "must name types out of " + ", ".join(JSON_TYPES))
        if len(frozenset(value)) != len(value):
            refuse_schema(trail, "must not name a type twice")
        return
    refuse_schema(trail, "must be one of %s, or a non-empty array of them" % ", ".join(JSON_TYPES))


def shape_schema(tree: SchemaTree, value: Any, trail: Trail) -> None:
    tree.check(value, trail)


def shape_items(tree: SchemaTree, value: Any, trail: Trail) -> None:
    if isinstance(value, list):
        if tree.draft_07:
            raise BeyondEveryday("items", trail)
        refuse_schema(trail, "must be a schema; an array of schemas is draft-07: write prefixItems")
    tree.check(value, trail)


def shape_schema_map(tree: SchemaTree, value: Any, trail: Trail) -> None:
    if not isinstance(value, dict):
        refuse_schema(trail, "must be an object of schemas")
    for name, schema in value.items():
        if not isinstance(name, str):
            refuse_schema(trail, "must have strings as names")
        tree.check(schema, step_trail(trail, name))


def shape_schema_list(tree: SchemaTree, value: Any, trail: Trail) -> None:
    if not isinstance(value, list) or not value:
        refuse_schema(trail, "must be a non-empty array of schemas")
    for index, schema in enumerate(value):
        tree.check(schema, step_trail(trail, index))


def shape_ref(tree: SchemaTree, value: Any, trail: Trail) -> None:
    shape_string(tree, value, trail)
    try:
        from .schema_refs import step_pointer  # noqa: F401
    except ImportError:
        refuse_schema(trail, '"$ref" needs the module schema_refs, which this copy of mcplite lacks')
    tree.refs.append((value, trail))


def shape_pattern(tree: SchemaTree, value: Any, trail: Trail) -> None:
    shape_string(tree, value, trail)
    try:
        from .schema_patterns import pattern_problem
    except ImportError:
        refuse_schema(trail, '"pattern" needs the module schema_patterns, which this copy of mcplite lacks')
    problem = pattern_problem(value)
    if problem is not None:
        refuse_schema(trail, problem)


def shape_dialect(tree: SchemaTree, value: Any, trail: Trail) -> None:
    if trail[0] is not None:            # a schema may change dialect inside
        raise BeyondEveryday("$schema", trail)


def shape_beyond(tree: SchemaTree, value: Any, trail: Trail) -> None:
    raise BeyondEveryday(trail[1], trail)


SHAPES: Dict[str, Callable[[SchemaTree, Any, Trail], None]] = {
    "type": shape_type, "properties": shape_schema_map, "required": shape_names, "items": shape_items,
    "additionalProperties": shape_schema, "propertyNames": shape_schema, "enum": shape_enum, "const": shape_any,
    "minimum": shape_number, "maximum": shape_number, "exclusiveMinimum": shape_number,
    "exclusiveMaximum": shape_number, "minLength": shape_count, "maxLength": shape_count, "minItems": shape_count,
    "maxItems": shape_count, "minProperties": shape_count, "maxProperties": shape_count, "pattern": shape_pattern,
    "anyOf": shape_schema_list, "oneOf": shape_schema_list, "allOf": shape_schema_list, "not": shape_schema,
    "$ref": shape_ref, "$defs": shape_schema_map, "definitions": shape_schema_map, "$schema": shape_dialect,
    "title": shape_string, "description": shape_string, "$comment": shape_string, "format": shape_string,
    "contentEncoding": shape_string, "contentMediaType": shape_string, "examples": shape_array,
    "deprecated": shape_boolean, "readOnly": shape_boolean, "writeOnly": shape_boolean,
}
for _schema_keyword in ("$id", "if", "then", "else", "contains", "uniqueItems", "multipleOf", "patternProperties",
                        "dependencies"):
    SHAPES[_schema_keyword] = shape_beyond
SHAPES_07 = dict(SHAPES, additionalItems=shape_beyond)
SHAPES_07.pop("deprecated")
SHAPES_07.pop("$defs")
for _schema_keyword in ("$anchor", "$dynamicAnchor", "$dynamicRef", "$vocabulary", "$recursiveRef", "$recursiveAnchor",
                        "prefixItems", "minContains", "maxContains", "dependentRequired", "dependentSchemas",
                        "unevaluatedItems", "unevaluatedProperties", "contentSchema"):
    SHAPES[_schema_keyword] = shape_beyond
