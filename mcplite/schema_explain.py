"""What is wrong with a value: the messages of ``Validator.problems``.

Here: for each compiled schema a function that tells what is wrong, made at the first problem from one message per
keyword (``EXPECTED``, ``MESSAGES``) and one descent per keyword that has schemas under it (``DESCENTS``). Not here: any
judging. Every verdict comes from the tests that ``schema`` and ``schema_more`` made: a message cannot contradict them.

1. A message says what was expected and what came; its reader (a model, mostly) must be able to repair the call.
2. An explainer is ``explain(value, path, schema_path, found, level)``: it appends to ``found``, and is silent where all
   is right. Paths are put together on the way to a problem only.
3. Work is bounded: at most MAX_PROBLEMS problems and MAX_EXPLAIN_STEPS descents, then the walk ends with what it has.
"""
from __future__ import annotations

from .schema import (
    BIG_ARRAY,
    HOT_FAILURES,
    SchemaNode,
    is_array,
    is_boolean,
    is_integer,
    is_number,
    is_object,
    is_string,
    start_judging,
    unexplained_problem,
)

try:
    from _json import encode_basestring as quote_json
except ImportError:                     # PyPy
    from json.encoder import encode_basestring as quote_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Tuple

    from .schema import Rule, SchemaTree, Validator

    Problem = Dict[str, str]
    Explainer = Callable[[Any, str, str, "ProblemList", int], None]

MAX_PROBLEMS = 50
MAX_EXPLAIN_STEPS = 100000
MAX_FAST_PARTS = 100
MAX_SUGGESTIONS = 10        # problems of one value that get a "did you mean": comparing names letter by letter takes long
MAX_NEAR_LENGTH = 40        # letters of a name that is compared so
MAX_NEAR_NAMES = 200        # known names that it is compared with
MAX_SHOWN = 60              # characters of a value in a message
PRETESTED_LEVELS = 6        # down to here a part is tested before it is explained, so that right parts cost little
CONCLUSIVE = frozenset(["type", "const", "enum", "false"])      # where one of these fails, the rest is noise


class ProblemList(list):       # type: ignore[type-arg]
    """The problems found so far, and what is left to spend on finding more."""
    __slots__ = ("steps",)
    steps: int

    def full(self) -> bool:
        return len(self) >= MAX_PROBLEMS or self.steps <= 0


def new_problem_finder(tree: SchemaTree, validator: Validator) -> Callable[[Any], List[Problem]]:
    """``problems`` of a validator; it exchanges itself for a faster one when it has been used much."""
    node = tree.node(tree.root)
    with_refs, failures, explain = bool(tree.memos), 0, explainer_of(node)

    def problems(value: Any) -> List[Problem]:
        if with_refs:
            start_judging(tree)
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
        if failures == HOT_FAILURES or tree.big_failures:
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
        from .schema_fast import generate_explainer, generate_part
        node.test = generate_part(node.tree, node)
        if node.parts is not None:
            node.explain = generate_explainer(node.tree, node, node.explain, explain_member, PRETESTED_LEVELS,
                                              MAX_PROBLEMS)
    except Exception:           # left out of this copy, or too much code: the plain test stays
        pass


def explainer_of(node: SchemaNode) -> Explainer:
    """The explainer of a compiled schema, made once."""
    if node.explain is None:
        node.explain = new_explainer(node)
    return node.explain     # type: ignore[no-any-return]


def new_explainer(node: SchemaNode) -> Explainer:
    by_keyword = {rule[1]: rule for rule in node.rules}
    wanted = by_keyword["type"][3] if "type" in by_keyword else None
    if len(node.rules) == 1 and wanted is not None:
        return explain_type(node.rules[0])
    if wanted == "object" and "properties" in by_keyword:
        return explain_object(node, by_keyword)
    first: List[Any] = []
    rest: List[Explainer] = []
    for rule in node.rules:
        if rule[1] in CONCLUSIVE:
            first.append((rule[2], new_teller(rule, node)))
        else:
            rest.append(explainer_of_rule(rule, node))

    def explain(value: Any, path: str, schema_path: str, found: ProblemList, level: int) -> None:
        for test, tell in first:
            if not test(value):
                tell(value, path, schema_path, found)
                return
        for explain_rule in rest:
            explain_rule(value, path, schema_path, found, level)
    return explain


def explainer_of_rule(rule: Rule, node: SchemaNode) -> Explainer:
    descent = DESCENTS.get(rule[1])
    return leaf_explainer(rule, node) if descent is None else descent(rule, node)


def explain_type(rule: Rule) -> Explainer:
    """The most common case, a schema that is a type and nothing more."""
    test, tell = rule[2], new_type_teller(rule)

    def explain(value: Any, path: str, schema_path: str, found: ProblemList, level: int) -> None:
        if not test(value):
            tell(value, path, schema_path, found)
    return explain


def new_type_teller(rule: Rule) -> Any:
    names = rule[3] if isinstance(rule[3], list) else [rule[3]]
    text = "expected %s, got " % or_list(names)
    nested = [name for name in names if name in ("object", "array")]

    def tell(value: Any, path: str, schema_path: str, found: ProblemList) -> None:
        found.append({"path": path, "keyword": "type", "schema_path": schema_path + "/type",
                      "message": text + got(value) + (type_hint(value, nested) if nested or value.__class__ is float
                                                      else "")})
    return tell


def explain_object(node: SchemaNode, by_keyword: Dict[str, Rule]) -> Explainer:
    """The next most common: an object with properties. The same as rule by rule, in one go."""
    tell_type = new_type_teller(by_keyword["type"])
    judged = tuple(by_keyword["required"][3]) if "required" in by_keyword else ()
    optional = frozenset(by_keyword["properties"][4]).difference(node.schema.get("required", ()))
    entries = {name: (part_class(child), child, "/" + escape_token(name), name if name in optional else "",
                      sole_teller(child))
               for name, child in by_keyword["properties"][4].items()}
    others = [rule for rule in node.rules if rule[1] not in ("type", "required", "properties")]
    rest = [explainer_of_rule(rule, node) for rule in others]

    def explain(value: Any, path: str, schema_path: str, found: ProblemList, level: int) -> None:
        if value.__class__ is not dict and not is_object(value):
            tell_type(value, path, schema_path, found)
            return
        for name in judged:
            if name not in value:
                found.append({"path": path, "keyword": "required", "schema_path": schema_path + "/required",
                              "message": "required property %s is missing" % quote_text(name)})
        for name, entry in entries.items():
            if name in value:
                item = value[name]
                if item.__class__ is not entry[0] and (level >= PRETESTED_LEVELS or not entry[1].test(item)):
                    explain_member(entry[1], item, path + entry[2], schema_path + "/properties" + entry[2], found,
                                   level, entry[3])
        for explain_rule in rest:
            explain_rule(value, path, schema_path, found, level)

    node.parts = (entries, judged, others, rest)
    return explain


def explain_member(child: SchemaNode, item: Any, path: str, schema_path: str, found: ProblemList, level: int,
                   omit: str) -> None:
    """One property of an object. ``omit``: its name, if it may be left out."""
    before = len(found)
    if before >= MAX_PROBLEMS or found.steps <= 0:
        return
    found.steps -= 1
    (child.explain or explainer_of(child))(item, path, schema_path, found, level + 1)
    if item is None and omit and len(found) > before:
        found[before]["message"] += "; omit %s instead of sending null" % quote_text(omit)


def sole_teller(child: SchemaNode) -> Any:
    """(class or None, teller) for a schema of which only one rule can have failed where the value is of this class, or
    whatever it is if None. So the rule need not be tested again. None for other schemas."""
    rules = child.rules
    if len(rules) == 1 and rules[0][1] in CONCLUSIVE:
        return None, new_teller(rules[0], child)
    if len(rules) == 2 and rules[0][1] == "type" and rules[1][1] in EXPECTED:
        exact = {"string": str, "integer": int, "boolean": bool}.get(str(rules[0][3]))
        return None if exact is None else (exact, new_teller(rules[1], child))
    return None


def part_class(child: SchemaNode) -> Any:
    """The class whose values are right without any test, for a schema that is one type and nothing more."""
    if len(child.rules) == 1 and child.rules[0][1] == "type" and isinstance(child.rules[0][3], str):
        return {"string": str, "integer": int, "boolean": bool, "object": dict, "array": list}.get(child.rules[0][3])
    return None


def new_teller(rule: Rule, node: SchemaNode) -> Any:
    """Appends the one problem of a rule that failed."""
    keyword, argument, step = rule[1], rule[3], "/" + rule[1]
    if keyword == "type":
        return new_type_teller(rule)
    if keyword in EXPECTED:
        expected, shown = EXPECTED[keyword]
        text = "expected %s, got " % expected(argument)
        closest = nearest_value if keyword == "enum" else None

        def tell(value: Any, path: str, schema_path: str, found: ProblemList) -> None:
            found.append({"path": path, "keyword": keyword, "schema_path": schema_path + step,
                          "message": text + shown(value) if closest is None or len(found) >= MAX_SUGGESTIONS
                          else text + shown(value) + closest(argument, value)})
    else:
        message = MESSAGES[keyword]

        def tell(value: Any, path: str, schema_path: str, found: ProblemList) -> None:
            found.append({"path": path, "keyword": keyword, "schema_path": schema_path + step,
                          "message": message(argument, value, node)})
    return tell


def leaf_explainer(rule: Rule, node: SchemaNode) -> Explainer:
    test = rule[2]
    if rule[1] in SEVERAL:
        problems = SEVERAL[rule[1]]

        def explain(value: Any, path: str, schema_path: str, found: ProblemList, level: int) -> None:
            if not test(value):
                for step, message in problems(rule[3], value):
                    found.append({"path": path, "keyword": rule[1], "schema_path": schema_path + step,
                                  "message": message})
    else:
        tell = new_teller(rule, node)

        def explain(value: Any, path: str, schema_path: str, found: ProblemList, level: int) -> None:
            if not test(value):
                tell(value, path, schema_path, found)
    return explain


# -- values as text ------------------------------------------------------------------------------------------------

def quote_text(text: str) -> str:
    """A string as a message shows it: quoted as in JSON, cut when it is long."""
    if len(text) > MAX_SHOWN:
        return quote_json(text[:MAX_SHOWN])[:-1] + '..."'
    return quote_json(text)


def quote_list(values: Any, last: str = ", ") -> str:
    """Up to twenty values, as JSON."""
    shown = [shown_json(value) for value in list(values)[:20]]
    if len(values) > 20:
        return ", ".join(shown) + ", and %d more" % (len(values) - 20)
    return ", ".join(shown[:-1]) + last + shown[-1] if len(shown) > 1 else "".join(shown)


def shown_json(value: Any) -> str:
    """A value as short JSON."""
    if value.__class__ is str and len(value) <= MAX_SHOWN:
        return quote_json(value)
    if value.__class__ is int and -10 ** 15 < value < 10 ** 15:
        return "%d" % value
    if value is None:
        return "null"
    if is_boolean(value):
        return "true" if value else "false"
    if is_string(value):
        return quote_text(str(value))
    if is_number(value):
        try:
            text = str(value)
        except ValueError:              # Python writes no integers of more than 4,300 digits
            return "(a huge integer)"
        return text if len(text) <= MAX_SHOWN else text[:MAX_SHOWN] + "..."
    if isinstance(value, float):
        return repr(float(value))
    if is_array(value) and len(value) <= 5 and all(plain_scalar(item) for item in value):
        return "[" + ", ".join(shown_json(item) for item in value) + "]"
    if is_object(value) and len(value) <= 5 and all(plain_scalar(item) for item in value.values()):
        return "{" + ", ".join(quote_text(str(name)) + ": " + shown_json(value[name]) for name in value) + "}"
    return "[...]" if is_array(value) else "{...}" if is_object(value) else str(type(value).__name__)


def plain_scalar(value: Any) -> bool:
    return value is None or isinstance(value, (str, int, float))


def type_name(value: Any) -> str:
    """The JSON type of a value."""
    if value is None:
        return "null"
    if is_boolean(value):
        return "boolean"
    if is_integer(value) and not isinstance(value, float):
        return "integer"
    if isinstance(value, (int, float)):
        return "number"
    return "string" if is_string(value) else "array" if is_array(value) else "object" if is_object(value) \
        else "Python " + type(value).__name__


def got(value: Any) -> str:
    """What came: its type, and the value itself when it is short."""
    if value.__class__ is str and len(value) <= MAX_SHOWN:
        return "string " + quote_json(value)
    if value.__class__ is int and -10 ** 15 < value < 10 ** 15:     # as below, in a fifth of the time
        return "integer %d" % value
    name = type_name(value)
    if name == "array":
        return "array of %s" % count_of(len(value), "item")
    return name + " " + shown_json(value) if name in ("boolean", "integer", "number", "string") else name


def count_of(count: Any, noun: str) -> str:
    return "%d %s%s" % (count, noun, "" if count == 1 else "s" if noun != "property" else "")


def count_names(count: Any) -> str:
    return "%d %s" % (count, "property" if count == 1 else "properties")


def or_list(names: Any) -> str:
    """a / a or b / a, b or c"""
    names = list(names)
    return ", ".join(names[:-1]) + " or " + names[-1] if len(names) > 1 else "".join(names)


# -- the nearest known name ----------------------------------------------------------------------------------------

def edit_distance(a: str, b: str, limit: int) -> int:
    """Letters to insert, delete or change to turn one into the other; more than limit when it is not near."""
    if abs(len(a) - len(b)) > limit:
        return limit + 1
    row = list(range(len(b) + 1))
    for i, letter in enumerate(a, 1):
        before, row[0] = row[0], i
        for j, other in enumerate(b, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (letter != other))
        if min(row) > limit:
            return limit + 1
    return row[-1]


def nearest_property(name: str, known: Any) -> Optional[str]:
    """The known name that was probably meant; None when none is near."""
    if len(name) > MAX_NEAR_LENGTH:
        return None
    plain, best, best_score = plain_name(name), None, 1000
    for candidate in list(known)[:MAX_NEAR_NAMES]:
        other = plain_name(candidate)
        limit = max(1, (min(len(plain), len(other)) + 2) // 3)
        score = edit_distance(plain, other, limit) if len(other) <= MAX_NEAR_LENGTH else 1000
        if score > limit:
            if len(plain) < 3 or len(other) < 3 or (plain not in other and other not in plain):
                continue
            score = 100 + abs(len(plain) - len(other))
        if score < best_score:
            best, best_score = candidate, score
    return best


def plain_name(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "").replace(" ", "")


# -- messages ------------------------------------------------------------------------------------------------------

def type_hint(value: Any, nested: List[str]) -> str:
    """What to do about two things that models and peers do wrong."""
    if nested and is_string(value) and value.lstrip()[:1] in ("{", "["):
        return "; send the %s itself, not its JSON in a string" % or_list(nested)
    if isinstance(value, float) and value - value != 0.0:
        return "; JSON numbers are finite"
    return ""


def expected_values(values: Any) -> str:
    if not values:
        return "nothing (no value is allowed here)"
    return ("one of " if len(values) > 1 else "") + quote_list(values)


def nearest_value(values: Any, value: Any) -> str:
    near = nearest_property(value, [known for known in values if is_string(known)]) if is_string(value) else None
    return "" if near is None else "; did you mean %s?" % quote_text(near)


def missing_names(names: Any, value: Any) -> List[Tuple[str, str]]:
    return [("/required", "required property %s is missing" % quote_text(name)) for name in names if name not in value]


def forbidden_form(forbidden: Any, value: Any, node: Any) -> str:
    if isinstance(forbidden, dict) and len(forbidden) == 1:
        if "type" in forbidden:
            names = forbidden["type"]
            return "must not be %s" % or_list(names if isinstance(names, list) else [names])
        if "const" in forbidden:
            return "must not be %s" % shown_json(forbidden["const"])
        if "enum" in forbidden:
            return "must not be one of %s" % quote_list(forbidden["enum"])
        if "required" in forbidden:
            return "must not have %s together" % quote_list(forbidden["required"], " and ") \
                if len(forbidden["required"]) > 1 else "must not have %s" % quote_list(forbidden["required"])
    return "has a form that is forbidden here"


def repeated_items(wanted: Any, value: Any, node: Any) -> str:
    from .schema_more import canonical_text
    seen: Dict[str, int] = {}
    for index, item in enumerate(value):
        earlier = seen.setdefault(canonical_text(item), index)
        if earlier != index:
            return "items %d and %d are equal; every item must differ" % (earlier, index)
    return "two items are equal; every item must differ"


def contained_items(wanted: Any, value: Any, node: SchemaNode) -> str:
    for rule in node.rules:
        if rule[1] == "contains":
            matching = sum(1 for item in value if rule[4].test(item))
            low, high = node.schema.get("minContains", 1), node.schema.get("maxContains")
            limit = "at least %d" % low if matching < low else "at most %d" % high
            return 'expected %s of the items to match "contains", got %d of %d' % (limit, matching, len(value))
    return 'items do not match "contains" as often as they should'


def dependent_names(wanted: Any, value: Any) -> List[Tuple[str, str]]:
    return [("/dependentRequired/" + escape_token(name),
             "property %s is required when %s is there" % (quote_text(other), quote_text(name)))
            for name, names in wanted.items() if name in value and isinstance(names, list)
            for other in names if other not in value]


SEVERAL: Dict[str, Callable[[Any, Any], List[Tuple[str, str]]]] = {
    "required": missing_names, "dependentRequired": dependent_names,
}
def size_of(value: Any) -> str:
    return str(len(value))


# "expected <this>, got <that>": this from the keyword's argument, that from the value
EXPECTED: Dict[str, Tuple[Callable[[Any], str], Callable[[Any], str]]] = {
    "const": (lambda wanted: shown_json(wanted), got),
    "enum": (expected_values, got),
    "minimum": (lambda limit: "at least " + shown_json(limit), shown_json),
    "maximum": (lambda limit: "at most " + shown_json(limit), shown_json),
    "exclusiveMinimum": (lambda limit: "more than " + shown_json(limit), shown_json),
    "exclusiveMaximum": (lambda limit: "less than " + shown_json(limit), shown_json),
    "multipleOf": (lambda factor: "a multiple of " + shown_json(factor), shown_json),
    "minLength": (lambda limit: "at least " + count_of(limit, "character"), size_of),
    "maxLength": (lambda limit: "at most " + count_of(limit, "character"), size_of),
    "minItems": (lambda limit: "at least " + count_of(limit, "item"), size_of),
    "maxItems": (lambda limit: "at most " + count_of(limit, "item"), size_of),
    "minProperties": (lambda limit: "at least " + count_names(limit), size_of),
    "maxProperties": (lambda limit: "at most " + count_names(limit), size_of),
    "pattern": (lambda text: "text that matches " + quote_text(text), shown_json),
    "format": (lambda name: "the format " + name, shown_json),
}
# whole messages: (argument, value, node)
MESSAGES: Dict[str, Callable[[Any, Any, Any], str]] = {
    "false": lambda wanted, value, node: "nothing is allowed here, got " + got(value),
    "uniqueItems": repeated_items,
    "contains": contained_items,
    "not": forbidden_form,
}


# -- one descent per keyword with schemas under it: (rule, node) -> explainer --------------------------------------

def escape_token(token: Any) -> str:
    text = str(token)
    return text.replace("~", "~0").replace("/", "~1") if "~" in text or "/" in text else text


def explain_part(child: SchemaNode, value: Any, path: str, schema_path: str, found: ProblemList, level: int) -> None:
    """One part of the value. Near the root it is tested first, so that right parts cost little; deeper down parts would
    be tested again and again, and explaining them is the cheaper way."""
    if level < PRETESTED_LEVELS and child.test(value) or found.full():
        return
    found.steps -= 1
    (child.explain or explainer_of(child))(value, path, schema_path, found, level + 1)


def explain_properties(rule: Rule, node: SchemaNode) -> Explainer:
    """properties without ``type: object`` beside it."""
    members = SchemaNode(node.schema)
    explain_members = explain_object(members, {"type": (0, "type", is_object, "object", None),
                                                               "properties": rule})

    def explain(value: Any, path: str, schema_path: str, found: ProblemList, level: int) -> None:
        if is_object(value):
            explain_members(value, path, schema_path, found, level)
    return explain


def explain_additional(rule: Rule, node: SchemaNode) -> Explainer:
    known, step, child = frozenset(node.schema.get("properties", ())), "/" + rule[1], rule[4]
    patterns = [other[4] for other in node.rules if other[1] == "patternProperties"]

    def explain(value: Any, path: str, schema_path: str, found: ProblemList, level: int) -> None:
        if not is_object(value):
            return
        for name in value:
            if name in known or patterns and any(matches(name) for matches, _ in patterns[0].values()):
                continue
            if rule[3] is False:
                unknown_names([name], node, rule[1], path, schema_path, found)
            else:
                explain_part(child, value[name], path + "/" + escape_token(name), schema_path + step, found, level)
            if found.full():
                return
    return explain


def unknown_names(names: List[str], node: SchemaNode, keyword: str, path: str, schema_path: str,
                  found: ProblemList) -> None:
    """Properties that a closed object does not have: name the known ones, and the nearest."""
    known = list(node.schema.get("properties", ()))
    for name in names:
        if found.full():
            return
        text = "unknown property " + quote_text(str(name))
        if known:
            near = nearest_property(str(name), known) if len(found) < MAX_SUGGESTIONS else None
            text += "; known: " + quote_list(known) + ("" if near is None else "; did you mean %s?" % quote_text(near))
        elif "patternProperties" not in node.schema and keyword == "additionalProperties":
            text += "; no properties are allowed here"
        found.append({"path": path + "/" + escape_token(name), "keyword": keyword,
                      "schema_path": schema_path + "/" + keyword, "message": text})


def explain_names(rule: Rule, node: SchemaNode) -> Explainer:
    child = rule[4]

    def explain(value: Any, path: str, schema_path: str, found: ProblemList, level: int) -> None:
        for name in value if is_object(value) else ():
            before = len(found)
            explain_part(child, name, path, schema_path + "/propertyNames", found, level)
            for problem in found[before:]:
                problem["message"] = "property name %s: %s" % (quote_text(str(name)), problem["message"])
    return explain


def explain_items(rule: Rule, node: SchemaNode) -> Explainer:
    """items, and additionalItems of draft-07: those that no array of schemas beside it has taken."""
    if isinstance(rule[4], list):
        return explain_places(rule, node)
    start = 0
    for other in node.rules:
        if isinstance(other[4], list) and other[1] in ("prefixItems", "items"):
            start = len(other[4])

    def explain(value: Any, path: str, schema_path: str, found: ProblemList, level: int) -> None:
        if is_array(value):
            explain_indexes(rule, value, range(start, len(value)), path, schema_path, found, level)
    return explain


def explain_indexes(rule: Rule, value: Any, indexes: Any, path: str, schema_path: str, found: ProblemList,
                    level: int) -> None:
    child, step = rule[4], schema_path + "/" + rule[1]
    if child.schema is False and len(indexes) > 0:
        found.append({"path": path, "keyword": rule[1], "schema_path": step,
                      "message": "expected at most %s, got %d" % (count_of(indexes[0], "item"), len(value))})
        return
    if len(indexes) > BIG_ARRAY:
        make_part_fast(child)
    test, pretest = child.test, level < PRETESTED_LEVELS
    for index in indexes:
        if pretest and test(value[index]):
            continue
        if found.full():
            return
        found.steps -= 1
        (child.explain or explainer_of(child))(value[index], "%s/%d" % (path, index), step, found, level + 1)


def explain_places(rule: Rule, node: SchemaNode) -> Explainer:
    """prefixItems, and items as an array: one schema for each place."""
    def explain(value: Any, path: str, schema_path: str, found: ProblemList, level: int) -> None:
        for index, item in enumerate(value[:len(rule[4])] if is_array(value) else ()):
            explain_part(rule[4][index], item, "%s/%d" % (path, index), "%s/%s/%d" % (schema_path, rule[1], index),
                         found, level)
    return explain


def explain_patterns(rule: Rule, node: SchemaNode) -> Explainer:
    def explain(value: Any, path: str, schema_path: str, found: ProblemList, level: int) -> None:
        for name in value if is_object(value) else ():
            for text, (matches, child) in rule[4].items():
                if matches(name):
                    explain_part(child, value[name], path + "/" + escape_token(name),
                                 schema_path + "/patternProperties/" + escape_token(text), found, level)
    return explain


def explain_same(rule: Rule, node: SchemaNode) -> Explainer:
    """allOf, $ref, $dynamicRef: the schemas under them judge the same value."""
    steps = [("/" + rule[1], rule[4])] if isinstance(rule[4], SchemaNode) \
        else [("/%s/%d" % (rule[1], index), child) for index, child in enumerate(rule[4])]

    def explain(value: Any, path: str, schema_path: str, found: ProblemList, level: int) -> None:
        for step, child in steps:
            if found.full():
                return
            found.steps -= 1
            (child.explain or explainer_of(child))(value, path, schema_path + step, found, level)
    return explain


def explain_dependents(rule: Rule, node: SchemaNode) -> Explainer:
    """dependentSchemas, and both forms of draft-07's dependencies."""
    def explain(value: Any, path: str, schema_path: str, found: ProblemList, level: int) -> None:
        if not is_object(value):
            return
        for name, child in rule[4].items():
            if name in value:
                explain_part(child, value, path, "%s/%s/%s" % (schema_path, rule[1], escape_token(name)), found, level)
        if rule[1] == "dependencies":
            for step, message in dependent_names(rule[3], value):
                found.append({"path": path, "keyword": "dependencies", "message": message,
                              "schema_path": schema_path + step.replace("dependentRequired", "dependencies", 1)})
    return explain


def explain_condition(rule: Rule, node: SchemaNode) -> Explainer:
    def explain(value: Any, path: str, schema_path: str, found: ProblemList, level: int) -> None:
        branch = "then" if rule[4]["if"].test(value) else "else"
        if branch in rule[4]:
            explain_part(rule[4][branch], value, path, schema_path + "/" + branch, found, level)
    return explain


def explain_unevaluated(rule: Rule, node: SchemaNode) -> Explainer:
    from .schema_more import left_items, left_names

    def explain(value: Any, path: str, schema_path: str, found: ProblemList, level: int) -> None:
        if rule[2](value):
            return
        if rule[1] == "unevaluatedItems":
            for index in left_items(node, value):
                if rule[3] is False:
                    found.append({"path": "%s/%d" % (path, index), "keyword": rule[1],
                                  "schema_path": schema_path + "/" + rule[1],
                                  "message": "no schema here allows for this item"})
                else:
                    explain_part(rule[4], value[index], "%s/%d" % (path, index), schema_path + "/" + rule[1], found,
                                 level)
                if found.full():
                    return
        elif rule[3] is False:
            unknown_names(left_names(node, value), node, rule[1], path, schema_path, found)
        else:
            for name in left_names(node, value):
                explain_part(rule[4], value[name], path + "/" + escape_token(name), schema_path + "/" + rule[1], found,
                             level)
    return explain


# -- anyOf and oneOf: the branch that came closest -----------------------------------------------------------------

def explain_branches(rule: Rule, node: SchemaNode) -> Explainer:
    keyword, test, children, step = rule[1], rule[2], rule[4], "/" + rule[1]
    roots = [root_expectation(child) for child in children]

    def explain(value: Any, path: str, schema_path: str, found: ProblemList, level: int) -> None:
        if test(value):
            return
        matching = [index for index, child in enumerate(children) if child.test(value)] if keyword == "oneOf" else ()
        if matching:
            found.append({"path": path, "keyword": keyword, "schema_path": schema_path + step,
                          "message": "matches %d of the allowed forms (%s); exactly one may match" % (
                              len(matching), ", ".join("%s/%d" % (keyword, index) for index in matching))})
            return
        attempts, index = [], 0
        for judge, _ in roots:
            if judge is None or judge(value):           # not wrong from the start
                attempt, child = ProblemList(), children[index]
                attempt.steps = found.steps
                (child.explain or explainer_of(child))(value, path, "%s%s/%d" % (schema_path, step, index), attempt,
                                                       level + 1)
                found.steps = attempt.steps - 1
                if attempt:
                    attempts.append(attempt)
            index += 1
        if attempts:
            found.extend(closest_branch(attempts, keyword, path, schema_path))
        else:
            wanted: List[str] = []
            for _, text in roots:
                if text not in wanted:
                    wanted.append(text)
            found.append({"path": path, "keyword": keyword, "schema_path": schema_path + step,
                          "message": "expected %s, got %s" % (or_list(wanted), got(value))})
    return explain


def root_expectation(child: SchemaNode) -> Tuple[Any, str]:
    """The first test of a form, where failing it means another form, and what it expects."""
    while len(child.rules) == 1 and child.rules[0][1] == "$ref":
        child = child.rules[0][4]
    for rule in child.rules[:1]:
        if rule[1] == "type":
            return rule[2], or_list(rule[3] if isinstance(rule[3], list) else [rule[3]])
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


DESCENTS: Dict[str, Callable[[Any, Any], Explainer]] = {
    "properties": explain_properties, "additionalProperties": explain_additional, "propertyNames": explain_names,
    "items": explain_items, "allOf": explain_same, "$ref": explain_same, "$dynamicRef": explain_same,
    "anyOf": explain_branches, "oneOf": explain_branches, "prefixItems": explain_places,
    "additionalItems": explain_items, "patternProperties": explain_patterns, "if": explain_condition,
    "dependentSchemas": explain_dependents, "dependencies": explain_dependents,
    "unevaluatedProperties": explain_unevaluated, "unevaluatedItems": explain_unevaluated,
}
