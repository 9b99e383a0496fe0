"""Generated code for schemas that are used much.

Here: one Python function for a whole compiled schema, instead of one small function per keyword. Not here: any rule of
its own. Whatever has no short form in Python calls the plain test of that rule, so every schema can be generated; a
property test holds the two equal.

1. The happy path is for the exact classes that JSON decoding makes. Anything else goes to the plain test of its node.
2. The source holds only names made here and ``repr`` of strings and of plain numbers; all else is a named constant.
3. Arrays, objects, optional parts and simple branches are written inline; what a ``$ref`` leads to is a function.
4. Required members are fetched under one ``try``; a closed object is one comparison of a count with ``len``.
"""
from __future__ import annotations

from .keywords import BOUNDS
from .references import IN_PLACE
from .tree import SchemaNode, every_test, is_integer, is_number, remembered, split_choices

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Set

    from .tree import Rule, SchemaTree, Test

MAX_SOURCE_LINES = 20000
MAX_INLINE_LEVELS = 8       # deeper parts become functions: Python allows 20 blocks in one another
OBJECT_GROUP = ("required", "properties", "additionalProperties", "minProperties", "maxProperties")
ARRAY_GROUP = ("items", "minItems", "maxItems")
TYPE_SOURCES = {
    "string": "({x}.__class__ is str or isinstance({x}, str))",
    "integer": "({x}.__class__ is int or is_integer({x}))",
    "number": "({x}.__class__ is float and {x} - {x} == 0.0 or {x}.__class__ is int or is_number({x}))",
    "boolean": "({x} is True or {x} is False)",
    "null": "{x} is None",
    "object": "({x}.__class__ is dict or isinstance({x}, dict))",
    "array": "({x}.__class__ is list or isinstance({x}, list))",
}


def generate_test(tree: SchemaTree, node: SchemaNode) -> Test:
    """``is_valid`` of a schema as one function that never raises."""
    return CodeWriter(tree).finish(node, True)


def generate_part(node: SchemaNode) -> Test:
    """The test of one part of a schema as one function."""
    return CodeWriter(node.tree).finish(node, False)


def generate_explainer(node: SchemaNode, explain_part: Any, members: Any, others: Any, levels: int, most: int) -> Any:
    """The explainer of an object with properties: tests inline, members that fail to ``explain_part``.

    ``members``: (the name, if it may be left out; who tells the only problem it can have) by name; ``others``: explainers of
    the other rules by keyword; ``levels``: down to here what has parts is tested first; ``most``: problems."""
    return CodeWriter(node.tree).explainer(node, explain_part, members, others, levels, most)


class CodeWriter:
    """Writes the source; ``names`` is what it may mention."""

    def __init__(self, tree: SchemaTree) -> None:
        self.tree = tree
        self.lines: List[str] = []
        self.names: Dict[str, Any] = {"is_integer": is_integer, "is_number": is_number, "tree": tree}
        self.functions: Dict[SchemaNode, str] = {}      # name under which each node that is a function is called
        self.waiting: List[SchemaNode] = []
        self.shells: Dict[str, SchemaNode] = {}         # what ``remembered`` calls, filled in at the end
        self.counter = 0
        self.splits = tree_splits(tree)

    def finish(self, node: SchemaNode, whole: bool) -> Test:
        add = self.lines.append
        add("def is_valid(value):")
        if whole:
            add(" try:")
            if self.tree.memos:
                add("  tree.start_judging()")
        self.part(node, "value", "  " if whole else " ", 0)
        add("  return True" if whole else " return True")
        if whole:
            self.lines += [" except Exception:", "  return False"]
        self.write_functions()
        test: Test = self.names["is_valid"]
        return test

    def write_functions(self) -> None:
        """What the source so far calls, and then all of it compiled."""
        while self.waiting:
            node = self.waiting.pop()
            self.lines.append("def code_%s(value):" % self.functions[node])
            self.part(node, "value", " ", 0)
            self.lines.append(" return True")
        exec(compile("\n".join(self.lines), "<schema>", "exec"), self.names)
        for name, shell in self.shells.items():
            shell.test = self.names["code_" + name]

    def explainer(self, node: SchemaNode, explain_part: Any, members: Any, others: Any, levels: int, most: int) -> Any:
        """Anything but a plain object with all it needs goes to the plain explainer."""
        rules = {rule[1]: rule for rule in node.rules}
        closed = "additionalProperties" in rules and "patternProperties" not in rules
        self.names.update(plain=node.explain, explain_part=explain_part)
        arguments = "value, path, schema_path, found, level"
        self.lines += ["def explain(%s):" % arguments, " if value.__class__ is not dict: return plain(%s)" % arguments]

        def explain_member(name: str, child: SchemaNode, item: str, pad: str) -> None:
            omit, sole = members[name]
            step = "/" + name.replace("~", "~0").replace("/", "~1")
            places = "%s, path + %s, schema_path + %s, found" % (item, self.literal(step), self.literal("/properties" + step))
            self.lines.append("%sif %snot (%s):" % (pad, "" if child.leaf else "level >= %d or " % levels,
                                                    self.source(child, item)))
            if sole is not None:            # only one rule can have failed: tell, without testing it again
                python_class, tell = sole
                condition = item + (" is not None" if python_class is None else ".__class__ is " + python_class.__name__)
                self.lines.append("%s if %s and len(found) < %d: %s(%s)" % (pad, condition, most, self.constant(tell), places))
            self.lines.append("%s %sexplain_part(%s, %s, level + 1, %s)" % (
                pad, "" if sole is None else "else: ", self.constant(child), places, self.literal(omit)))

        known = self.members(rules, "value", " ", "plain(%s)" % arguments, closed, explain_member)
        for keyword, explain_rule in others.items():
            self.lines.append(" %s%s(%s)" % (
                "if len(value) != %s: " % known if closed and keyword == "additionalProperties" else "",
                self.constant(explain_rule), arguments))
        self.write_functions()
        return self.names["explain"]

    def members(self, rules: Dict[str, Rule], x: str, pad: str, missing: str, counted: bool, visit: Any) -> str:
        """Walk the properties of an object: the required ones fetched (where one is missing, that is the answer), the others
        where they are there. What comes back is the number of those that are known, as an expression, if it is counted."""
        add = self.lines.append
        children = rules["properties"][4] if "properties" in rules else {}
        required = rules["required"][3] if "required" in rules else ()
        fetched = {name: self.fresh() for name in required if name in children and children[name].rules}
        if fetched:
            add("%stry: %s" % (pad, "; ".join("%s = %s[%s]" % (v, x, self.literal(name)) for name, v in fetched.items())))
            add("%sexcept KeyError: return %s" % (pad, missing))
        for name in required:
            if name not in fetched:
                add("%sif %s not in %s: return %s" % (pad, self.literal(name), x, missing))
        known = sum(1 for name in required if name in children)
        count = self.fresh() if counted and known < len(children) else ""
        if count:
            add("%s%s = %d" % (pad, count, known))
        for name, child in children.items():
            if name in fetched:
                visit(name, child, fetched[name], pad)
            elif name not in required and (count or child.rules):
                add("%sif %s in %s:" % (pad, self.literal(name), x))
                if count:
                    add("%s %s += 1" % (pad, count))
                if child.rules:
                    v = self.fresh()
                    add("%s %s = %s[%s]" % (pad, v, x, self.literal(name)))
                    visit(name, child, v, pad + " ")
        return count or str(known)

    # -- names and literals

    def fresh(self) -> str:
        self.counter += 1
        return "v%d" % self.counter

    def constant(self, value: Any) -> str:
        self.counter += 1
        self.names["k%d" % self.counter] = value
        return "k%d" % self.counter

    def literal(self, value: Any) -> str:
        if value.__class__ is str or value.__class__ is int and -10 ** 15 < value < 10 ** 15 \
                or value.__class__ is float and value - value == 0.0:
            return repr(value)
        return self.constant(value)

    def function(self, node: SchemaNode, reference: bool = False) -> str:
        """The name of the function that judges a node."""
        name = self.functions.get(node)
        if name is None:
            self.counter += 1
            name = self.functions[node] = "f%d" % self.counter
            self.waiting.append(node)
            if len(self.lines) > MAX_SOURCE_LINES:
                raise OverflowError("too much code for one schema")
        if not reference or not self.splits:
            return "code_" + name
        if name not in self.shells:
            self.shells[name] = SchemaNode(node.schema)
            self.names[name] = remembered(self.tree, self.shells[name])
        return name

    # -- expressions

    def rule_source(self, rule: Rule, x: str, kind: Optional[str]) -> Optional[str]:
        """A rule as an expression, or None when it takes statements."""
        keyword, argument = rule[1], rule[3]
        if keyword == "false":
            return "False"
        if keyword == "type":
            names = argument if isinstance(argument, list) else [argument]
            if "number" in names and "integer" in names:
                names = [name for name in names if name != "integer"]
            return "(" + " or ".join(TYPE_SOURCES[name].replace("{x}", x) for name in names) + ")"
        if keyword == "const" or keyword == "enum":
            return self.choice(rule, [argument] if keyword == "const" else argument, x)
        if keyword in BOUNDS:
            about, operator, counted = BOUNDS[keyword]
            if kind == about or kind == "integer" and not counted:
                return "%s %s %s" % ("len(%s)" % x if counted else x, operator, self.literal(argument))
        if keyword == "pattern" and kind == "string":
            from .patterns import pattern_search
            search = pattern_search(argument)
            if search is not None:
                return "%s(%s) is not None" % (self.constant(search), x)
        if keyword in ("anyOf", "oneOf"):
            sources = [self.source(child, x) for child in rule[4].values()]
            return "(%s)" % " or ".join(sources) if keyword == "anyOf" else "(%s) == 1" % " + ".join(
                "(%s)" % source for source in sources)
        if keyword == "not":
            return "not (%s)" % self.source(rule[4][None], x)
        if keyword == "$ref" or keyword == "$dynamicRef":
            return "%s(%s)" % (self.function(rule[4][None], True), x)
        if keyword in OBJECT_GROUP or keyword in ARRAY_GROUP or keyword == "allOf":
            return None
        return "%s(%s)" % (self.constant(rule[2]), x)

    def choice(self, rule: Rule, values: Any, x: str) -> str:
        """const and enum: looked up by class, the odd ones by the plain test."""
        if len(values) == 1 and (values[0] is None or values[0] is True or values[0] is False):
            return "%s is %r" % (x, values[0])
        source = "%s(%s)" % (self.constant(rule[2]), x)
        strings, numbers, others = split_choices(values)
        if any(map(is_number, others)):
            numbers = frozenset()       # huge ones must be compared
        for python_class, chosen in ((int, numbers), (str, strings)):
            if any(value.__class__ is python_class for value in chosen):
                test = "%s == %s" % (x, self.literal(next(iter(chosen)))) if len(chosen) == 1 \
                    else "%s in %s" % (x, self.constant(chosen))
                source = "%s if %s.__class__ is %s else %s" % (test, x, python_class.__name__, source)
        return "(%s)" % source

    def source(self, node: SchemaNode, x: str) -> str:
        """A node as an expression: a function call when it takes statements."""
        kind = single_type(node)
        sources = [self.rule_source(rule, x, kind) for rule in told_rules(node)]
        return "%s(%s)" % (self.function(node), x) if None in sources else " and ".join(map(str, sources)) or "True"

    # -- statements: fall through when the value is right

    def part(self, node: SchemaNode, x: str, pad: str, level: int) -> None:
        """Judge one part of the value."""
        add, kind = self.lines.append, single_type(node)
        if level > MAX_INLINE_LEVELS:
            add("%sif not %s(%s): return False" % (pad, self.function(node), x))
            return
        groups = {"object": [rule for rule in node.rules if rule[1] in OBJECT_GROUP],
                  "array": [rule for rule in node.rules if rule[1] in ARRAY_GROUP
                            and not (rule[1] == "items" and None not in rule[4]) and not has_rule(node, "prefixItems")]}
        simple = []
        for rule in told_rules(node):
            if rule in groups["object"] or rule in groups["array"]:
                continue
            if rule[1] == "type" and kind in groups and groups[str(kind)]:
                continue            # the group asks for the class anyway
            if rule[1] in ("items", "allOf") or rule[1] == "anyOf" and optional_branch(rule) is not None:
                continue
            source = self.rule_source(rule, x, kind)
            simple.append(source if source is not None else "%s(%s)" % (self.constant(rule[2]), x))
        if simple:
            add("%sif not (%s): return False" % (pad, " and ".join(simple)))
        for name, group in groups.items():
            if group:
                add("%sif %s.__class__ is %s:" % (pad, x, "dict" if name == "object" else "list"))
                mark = len(self.lines)
                if name == "object":
                    self.object_group(group, x, pad + " ", level + 1, has_rule(node, "patternProperties"))
                else:
                    self.array_group(group, x, pad + " ", level + 1)
                if len(self.lines) == mark:
                    add(pad + " pass")
                judge = node.test if kind == name else every_test([rule[2] for rule in group])
                add("%selif not %s(%s): return False" % (pad, self.constant(judge), x))
        for rule in node.rules:
            if rule[1] == "items" and rule not in groups["array"]:
                add("%sif not %s(%s): return False" % (pad, self.constant(rule[2]), x))
            elif rule[1] == "allOf":
                for child in rule[4].values():
                    self.part(child, x, pad, level + 1)
            elif rule[1] == "anyOf":
                child = optional_branch(rule)
                if child is not None:
                    add("%sif %s is not None:" % (pad, x))
                    self.inner(child, x, pad + " ", level + 1)

    def inner(self, node: SchemaNode, x: str, pad: str, level: int) -> None:
        """A part as the body of a block, which must not be empty."""
        mark = len(self.lines)
        self.part(node, x, pad, level)
        if len(self.lines) == mark:
            self.lines.append(pad + "pass")

    def object_group(self, group: List[Rule], x: str, pad: str, level: int, with_patterns: bool) -> None:
        rules = {rule[1]: rule for rule in group}
        self.lengths(group, x, pad)
        extra = rules.get("additionalProperties")
        closed = extra is not None and extra[3] is False and not with_patterns
        known = self.members(rules, x, pad, "False", closed,
                             lambda name, child, v, inner_pad: self.part(child, v, inner_pad, level + len(inner_pad) - len(pad)))
        if closed:
            self.lines.append("%sif len(%s) != %s: return False" % (pad, x, known))
        elif extra is not None and extra[4][None].rules:
            if with_patterns:
                self.lines.append("%sif not %s(%s): return False" % (pad, self.constant(extra[2]), x))
                return
            name, v = self.fresh(), self.fresh()
            self.lines.append("%sfor %s, %s in %s.items():" % (pad, name, v, x))
            children = rules["properties"][4] if "properties" in rules else {}
            if children:
                self.lines.append("%s if %s not in %s:" % (pad, name, self.constant(frozenset(children))))
            self.inner(extra[4][None], v, pad + ("  " if children else " "), level + 1)

    def array_group(self, group: List[Rule], x: str, pad: str, level: int) -> None:
        self.lengths(group, x, pad)
        for rule in group:
            if rule[1] == "items" and rule[4][None].rules:
                v = self.fresh()
                self.lines.append("%sfor %s in %s:" % (pad, v, x))
                self.inner(rule[4][None], v, pad + " ", level + 1)

    def lengths(self, group: List[Rule], x: str, pad: str) -> None:
        for rule in group:
            if rule[1] in BOUNDS:
                self.lines.append("%sif not len(%s) %s %s: return False" % (pad, x, BOUNDS[rule[1]][1], self.literal(rule[3])))


def single_type(node: SchemaNode) -> Optional[str]:
    """The one type a node asks for; None when there are several or none."""
    if node.rules and node.rules[0][1] == "type" and isinstance(node.rules[0][3], str):
        return str(node.rules[0][3])
    return None


def told_rules(node: SchemaNode) -> List[Rule]:
    """The rules, without a type that goes without saying: one of these strings is a string."""
    if single_type(node) == "string" and node.rules[1:] and node.rules[1][1] in ("const", "enum"):
        choices = node.rules[1][3] if node.rules[1][1] == "enum" else [node.rules[1][3]]
        if all(value.__class__ is str for value in choices):
            return node.rules[1:]
    return node.rules


def has_rule(node: SchemaNode, keyword: str) -> bool:
    return any(rule[1] == keyword for rule in node.rules)


def optional_branch(rule: Rule) -> Optional[SchemaNode]:
    """The other branch of an anyOf of two, one of which is plain null."""
    children: List[SchemaNode] = list(rule[4].values())
    for null, other in (children, children[::-1]) if len(children) == 2 else ():
        if len(null.rules) == 1 and null.rules[0][1] == "type" and null.rules[0][3] == "null":
            return other
    return None


def tree_splits(tree: SchemaTree) -> bool:
    """Can one part of a value be reached in several ways through references? Only then is there much to remember."""
    return bool(tree.memos) and any(node_splits(node) for node in tree.nodes.values())


def node_splits(node: SchemaNode) -> bool:
    ways = 0
    inside = False
    for _, keyword, _, _, children in node.rules:
        reaching = [child for child in (children or {}).values() if reaches_ref(child, set())]
        if keyword in ("$ref", "$dynamicRef"):
            ways += 1
        elif keyword in IN_PLACE or keyword in ("patternProperties", "contains", "unevaluatedItems", "unevaluatedProperties"):
            ways += len(reaching)
        elif reaching:
            inside = True
    return ways + inside > 1


def reaches_ref(node: SchemaNode, seen: Set[int]) -> bool:
    if id(node) in seen:
        return False
    seen.add(id(node))
    return any(keyword in ("$ref", "$dynamicRef") or any(reaches_ref(child, seen) for child in (children or {}).values())
               for _, keyword, _, _, children in node.rules)
