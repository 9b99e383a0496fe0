"""What is wrong with a value: ``Validator.problems``.

Here: for each compiled schema a function that tells what is wrong, made at the first problem. Not here: any judging
(every verdict comes from the compiled tests: a message cannot contradict them), how a keyword reaches into a value
(``places``), and the texts (``messages``).

1. An explainer is ``explain(value, path, schema_path, found, level)``: it appends to ``found``, and is silent where all
   is right. Paths are put together on the way to a problem only.
2. Work is bounded: at most MAX_PROBLEMS problems and MAX_EXPLAIN_STEPS descents, then the walk ends with what it has.
"""
from __future__ import annotations

from .keywords import BOUNDS
from .messages import (
    EXPECTED,
    FORBIDDEN,
    HINTS,
    MESSAGES,
    SEVERAL,
    escape_token,
    expectation_of,
    got,
    or_list,
    quote_list,
    quote_text,
    type_names,
)
from .places import PLACES, places_of
from .tree import is_string, unexplained_problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Tuple

    from .tree import Rule, SchemaNode, SchemaTree

    Problem = Dict[str, str]
    Explainer = Callable[[Any, str, str, "ProblemList", int], None]

HOT_FAILURES = 100          # explanations after which the parts of a schema get generated code
MAX_PROBLEMS = 50
MAX_EXPLAIN_STEPS = 100000
MAX_FAST_PARTS = 100
MAX_SUGGESTIONS = 10        # problems of one value that get a "did you mean": comparing names letter by letter takes long
PRETESTED_LEVELS = 6        # down to here a part is tested before it is explained, so that right parts cost little
CONCLUSIVE = frozenset(["type", "const", "enum", "false"])      # where one of these fails, the rest is noise
SAME = frozenset(["allOf", "$ref", "$dynamicRef"])              # explained on the same level


class ProblemList(list):       # type: ignore[type-arg]
    """The problems found so far, and what is left to spend on finding more."""
    __slots__ = ("steps",)
    steps: int

    def full(self) -> bool:
        return len(self) >= MAX_PROBLEMS or self.steps <= 0

    def tell(self, path: str, keyword: str, schema_path: str, message: str) -> None:
        self.append({"path": path, "keyword": keyword, "schema_path": schema_path, "message": message})


def new_problem_finder(tree: SchemaTree, validator: Any) -> Callable[[Any], List[Problem]]:
    """``problems`` of a validator; it exchanges itself for a faster one when it has been used much."""
    node = tree.node(tree.root)
    with_refs, failures, explain = bool(tree.memos), 0, explainer_of(node)

    def problems(value: Any) -> List[Problem]:
        if with_refs:
            tree.start_judging()
        found: Any = ProblemList()
        found.steps = MAX_EXPLAIN_STEPS
        try:
            explain(value, "", "", found, 0)
        except Exception:           # a value too deep or too odd to be walked
            found = None
        if not found and not validator.is_valid(value):
            return unexplained_problem("; it is nested too deeply, or not plain JSON, to say where")
        return found or []

    def counted_problems(value: Any) -> List[Problem]:
        nonlocal failures, explain
        failures += 1
        if failures == HOT_FAILURES or tree.big:
            for part in list(tree.nodes.values())[:MAX_FAST_PARTS]:
                make_part_fast(part)
            explain = node.explain
            validator.problems = problems
        return problems(value)
    return counted_problems


def make_part_fast(node: SchemaNode) -> None:
    """Give a part that is tested often generated code, as the whole schema gets."""
    if node.fast or len(node.rules) < 2 and (not node.rules or node.rules[0][4] is None):
        return
    node.fast = True
    try:
        from .generated import generate_explainer, generate_part
        node.test = generate_part(node)
        rules = {rule[1]: rule for rule in node.rules}
        conclusive = CONCLUSIVE.intersection(rules)
        if node.explain is not None and "properties" in rules and conclusive == {"type"} and rules["type"][3] == "object":
            members = {name: (omitted(node, name), sole_teller(child)) for name, child in rules["properties"][4].items()}
            others = {keyword: explainer_of_rule(rule, node) for keyword, rule in rules.items()
                      if keyword not in ("type", "required", "properties")}
            node.explain = generate_explainer(node, explain_part, members, others, PRETESTED_LEVELS, MAX_PROBLEMS)
    except Exception:           # left out of this copy, or too much code: the plain test stays
        pass


def explainer_of(node: SchemaNode) -> Explainer:
    """The explainer of a compiled schema, made once: what one of the conclusive rules says, or else what all others say."""
    if node.explain is not None:
        return node.explain     # type: ignore[no-any-return]
    first = [(rule[2], new_teller(rule, node)) for rule in node.rules if rule[1] in CONCLUSIVE]
    rest = [explainer_of_rule(rule, node) for rule in node.rules if rule[1] not in CONCLUSIVE]

    def explain(value: Any, path: str, schema_path: str, found: ProblemList, level: int) -> None:
        for test, tell in first:
            if not test(value):
                tell(value, path, schema_path, found)
                return
        for explain_rule in rest:
            explain_rule(value, path, schema_path, found, level)
    node.explain = rest[0] if not first and len(rest) == 1 else explain
    return node.explain     # type: ignore[no-any-return]


def explainer_of_rule(rule: Rule, node: SchemaNode) -> Explainer:
    """By its branches, by its places, or by its message; ``dependencies`` by its places and then by its messages."""
    keyword, test = rule[1], rule[2]
    if keyword in ("anyOf", "oneOf"):
        return explain_branches(rule, node)
    walk = explain_places(rule, node) if keyword in PLACES and keyword not in MESSAGES else None
    if walk is not None and keyword not in SEVERAL:
        return walk
    tell = new_teller(rule, node)

    def explain(value: Any, path: str, schema_path: str, found: ProblemList, level: int) -> None:
        if not test(value):
            if walk is not None:
                walk(value, path, schema_path, found, level)
            tell(value, path, schema_path, found)
    return explain


def new_teller(rule: Rule, node: SchemaNode) -> Any:
    """Appends what there is to say of a rule that failed."""
    keyword, argument, step = rule[1], rule[3], "/" + rule[1]
    if keyword in SEVERAL:
        def tell(value: Any, path: str, schema_path: str, found: ProblemList) -> None:
            for inner, message in SEVERAL[keyword](argument, value):
                found.tell(path, keyword, schema_path + step + inner, message)
    elif keyword in MESSAGES:
        def tell(value: Any, path: str, schema_path: str, found: ProblemList) -> None:
            found.tell(path, keyword, schema_path + step, MESSAGES[keyword](argument, value, node))
    else:
        text, shown = expectation_of(keyword, argument)
        hint = HINTS[keyword](argument) if keyword in HINTS else None

        def tell(value: Any, path: str, schema_path: str, found: ProblemList) -> None:
            message = text + shown(value)
            if hint is not None and is_string(value):
                message += hint(value, len(found) < MAX_SUGGESTIONS)
            found.append({"path": path, "keyword": keyword, "schema_path": schema_path + step, "message": message})
    return tell


def explain_places(rule: Rule, node: SchemaNode) -> Explainer:
    """What the schemas under a keyword say of the parts they judge. Near the root, and where a part has no parts, it is
    tested first, so that right parts cost little; deeper down parts would be tested again and again, and explaining them is
    the cheaper way."""
    keyword, children = rule[1], rule[4]
    places, into = places_of(node, keyword, children), "" if keyword == "if" else "/" + keyword
    deeper, may_omit = 0 if keyword in SAME else 1, keyword == "properties"
    forbidden = FORBIDDEN.get(keyword) if rule[3] is False else None

    def explain(value: Any, path: str, schema_path: str, found: ProblemList, level: int) -> None:
        pretest = deeper and level < PRETESTED_LEVELS
        for child, item, token, step in places(value):
            if (pretest or child.leaf) and child.test(item):
                continue
            if len(found) >= MAX_PROBLEMS or found.steps <= 0:
                return
            place = path if token is None else path + "/" + escape_token(token)
            if forbidden is not None:
                whole = keyword == "items" or keyword == "additionalItems"      # said once, of the whole array
                found.tell(path if whole else place, keyword, schema_path + into,
                           forbidden(node, keyword, token, value, len(found) < MAX_SUGGESTIONS))
                if whole:
                    return
                continue
            before = len(found)
            explain_part(child, item, place, schema_path + into if step is None else "%s%s/%s" % (
                schema_path, into, escape_token(step)), found, level + deeper, omitted(node, token) if may_omit else "")
            if keyword == "propertyNames":
                for problem in found[before:]:
                    problem["message"] = "property name %s: %s" % (quote_text(str(item)), problem["message"])
    return explain


def omitted(node: SchemaNode, name: str) -> str:
    """A property's name, if it may be left out."""
    return "" if name in node.schema.get("required", ()) else name


def explain_part(child: SchemaNode, item: Any, path: str, schema_path: str, found: ProblemList, level: int, omit: str) -> None:
    """One part of the value. ``omit``: its name, if it may be left out instead of being null."""
    before = len(found)
    if before >= MAX_PROBLEMS or found.steps <= 0:
        return
    found.steps -= 1
    (child.explain or explainer_of(child))(item, path, schema_path, found, level)
    if omit and item is None and len(found) > before:
        found[before]["message"] += "; omit %s instead of sending null" % quote_text(omit)


def sole_teller(child: SchemaNode) -> Any:
    """(class or None, teller) for a schema of which only one rule can have failed where the value is of this class, or
    whatever it is if None. So the rule need not be tested again. None for other schemas."""
    rules = child.rules
    if len(rules) == 1 and rules[0][1] in CONCLUSIVE:
        return None, new_teller(rules[0], child)
    if len(rules) == 2 and rules[0][1] == "type" and (rules[1][1] in EXPECTED or rules[1][1] in BOUNDS):
        exact = {"string": str, "integer": int, "boolean": bool}.get(str(rules[0][3]))
        return None if exact is None else (exact, new_teller(rules[1], child))
    return None


# -- anyOf and oneOf: the branch that came closest -----------------------------------------------------------------

def explain_branches(rule: Rule, node: SchemaNode) -> Explainer:
    keyword, test, children, step = rule[1], rule[2], rule[4], "/" + rule[1]
    roots = [root_expectation(child) for child in children.values()]
    wanted = or_list(dict.fromkeys(text for _, text in roots))

    def explain(value: Any, path: str, schema_path: str, found: ProblemList, level: int) -> None:
        if test(value):
            return
        matching = [index for index, child in children.items() if child.test(value)] if keyword == "oneOf" else ()
        if matching:
            found.tell(path, keyword, schema_path + step, "matches %d of the allowed forms (%s); exactly one may match" % (
                len(matching), ", ".join("%s/%d" % (keyword, index) for index in matching)))
            return
        attempts = []
        for index, (judge, _) in enumerate(roots):
            if judge is None or judge(value):           # not wrong from the start
                attempt, child = ProblemList(), children[index]
                attempt.steps = found.steps
                (child.explain or explainer_of(child))(value, path, "%s%s/%d" % (schema_path, step, index), attempt,
                                                       level + 1)
                found.steps = attempt.steps - 1
                if attempt:
                    attempts.append(attempt)
        if attempts:
            found.extend(closest_branch(attempts, keyword, path, schema_path))
        else:
            found.tell(path, keyword, schema_path + step, "expected %s, got %s" % (wanted, got(value)))
    return explain


def root_expectation(child: SchemaNode) -> Tuple[Any, str]:
    """The first test of a form, where failing it means another form, and what it expects."""
    while len(child.rules) == 1 and child.rules[0][1] == "$ref":
        child = child.rules[0][4][None]
    for rule in child.rules[:1]:
        if rule[1] == "type":
            return rule[2], or_list(type_names(rule[3]))
        if rule[1] in ("const", "enum"):
            return rule[2], quote_list([rule[3]] if rule[1] == "const" else rule[3])
    return None, ""


def closest_branch(attempts: Any, keyword: str, path: str, schema_path: str) -> List[Problem]:
    """The problems to tell of a value that fits none of several forms; attempts are the problems with each."""
    def one_problem(place: str, message: str) -> List[Problem]:
        return [{"path": place, "keyword": keyword, "schema_path": schema_path + "/" + keyword, "message": message}]

    near = [attempt for attempt in attempts if attempt[0]["path"] != path or attempt[0]["keyword"] not in CONCLUSIVE]
    if not near:        # wrong from the start for each: say what each expects
        return one_problem(path, expected_forms(attempts))
    if len(near) == 1:
        return list(near[0])
    tag = common_tag(near, path)
    if tag is not None:
        return one_problem(tag, expected_forms([[problem for problem in attempt if problem["path"] == tag
                                                 and problem["keyword"] in ("const", "enum")] for attempt in near]))
    best = min(near, key=lambda attempt: branch_distance(attempt, path))
    if not best[0]["message"].endswith(" forms)"):
        best[0]["message"] += " (the closest of %d forms)" % len(near)
    return list(best)


def is_tag(problem: Problem, path: str) -> bool:
    """A member right under the path has one of the wrong values: most likely it tells the branches apart."""
    return problem["keyword"] in ("const", "enum") and problem["path"].count("/") == path.count("/") + 1


def branch_distance(attempt: List[Problem], path: str) -> Tuple[int, int, int]:
    """How far a value is from a branch: wrong tags, then the number of problems, then how near the root they are."""
    return (sum(1 for problem in attempt if is_tag(problem, path)), len(attempt),
            -max(problem["path"].count("/") for problem in attempt))


def common_tag(attempts: List[List[Problem]], path: str) -> Optional[str]:
    """The member that tells the branches apart, when its value fits none of them."""
    shared: Optional[Any] = None
    for attempt in attempts:
        paths = {problem["path"] for problem in attempt if is_tag(problem, path)}
        shared = paths if shared is None else shared & paths
    return min(shared) if shared else None


def expected_forms(attempts: List[List[Problem]]) -> str:
    """Several 'expected X, got Y' as one."""
    wanted: List[str] = []
    came = ""
    for attempt in attempts:
        text, mark, rest = attempt[0]["message"].partition(", got ")
        came = rest.partition("; did you")[0] if mark else came
        text = text.replace("expected one of ", "", 1).replace("expected ", "", 1)
        if text not in wanted and attempt[0]["keyword"] != "false":
            wanted.append(text)
    return "expected %s, got %s" % (or_list(wanted), came) if wanted else "nothing is allowed here, got " + came
