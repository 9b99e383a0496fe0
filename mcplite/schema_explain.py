"""What is wrong with a value: the messages of ``Validator.problems``.

Here: one walk over the compiled rules and the value, one message per keyword (``MESSAGES``) and one descent per keyword
that has schemas under it (``DESCENTS``). Not here: any judging. Every verdict comes from the tests that ``schema`` and
``schema_more`` made, so that a message can never contradict ``is_valid``.

1. A message says what was expected and what came; whoever reads it (a model, mostly) must be able to repair the call.
2. A problem is made at the leaf and gets its path on the way up: nothing is paid for the parts that are right.
3. Work is bounded: at most MAX_PROBLEMS problems and MAX_EXPLAIN_STEPS rules, then the walk ends with what it has.
"""
from __future__ import annotations

from .schema import SchemaNode, is_array, is_boolean, is_integer, is_number, is_object, is_string, same_json, \
    start_judging

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

    from .schema import Rule, SchemaTree

    Problem = Dict[str, str]

MAX_PROBLEMS = 50
MAX_EXPLAIN_STEPS = 100000
MAX_SHOWN = 60              # characters of a value in a message
PRETESTED_LEVELS = 6        # down to here a part is tested before it is walked, so that right parts cost little


class ExplainState:
    """What is left to spend on one explanation."""
    __slots__ = ("steps", "room")

    def __init__(self) -> None:
        self.steps, self.room = MAX_EXPLAIN_STEPS, MAX_PROBLEMS


def explain_value(tree: SchemaTree, value: Any) -> List[Problem]:
    """All problems of a value, or [] when it is valid."""
    start_judging(tree)
    return explain(tree.node(tree.root), value, ExplainState(), 0) or []


def explain(node: SchemaNode, value: Any, state: ExplainState, level: int) -> Optional[List[Problem]]:
    """The problems of one part of the value under one schema; None when there is none."""
    found: Optional[List[Problem]] = None
    for rule in node.rules:
        keyword = rule[1]
        descend = DESCENTS.get(keyword)
        if descend is None:
            if rule[2](value):
                continue
            more = MESSAGES[keyword](rule[3], value, node)
            if more.__class__ is str:
                more = [{"path": "", "keyword": keyword, "schema_path": "/" + keyword, "message": more}]
            state.room -= len(more)
            if keyword in CONCLUSIVE:
                return more
        else:
            state.steps -= 1
            more = descend(rule, value, node, state, level + 1)
        if more:
            if found is None:
                found = more
            else:
                found.extend(more)
            if state.room <= 0:
                break
        if state.steps <= 0:
            break
    return found


CONCLUSIVE = frozenset(["type", "const", "enum", "false"])      # where one of these fails, the rest is noise


# -- values as text ----------------------------------------------------------------------------------------------

def quote_text(text: str) -> str:
    """A string as a message shows it: quoted as in JSON, cut when it is long."""
    try:
        from _json import encode_basestring
    except ImportError:                 # PyPy
        from json.encoder import encode_basestring
    if len(text) > MAX_SHOWN:
        return str(encode_basestring(text[:MAX_SHOWN]))[:-1] + '..."'
    return str(encode_basestring(text))


def quote_list(values: Any, last: str = ", ") -> str:
    """Up to twenty values, as JSON."""
    shown = [show_json(value) for value in list(values)[:20]]
    if len(values) > 20:
        return ", ".join(shown) + ", and %d more" % (len(values) - 20)
    return ", ".join(shown[:-1]) + last + shown[-1] if len(shown) > 1 else "".join(shown)


def show_json(value: Any) -> str:
    """A value as short JSON."""
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
    if is_array(value) and len(value) <= 5 and all(plain_scalar(item) for item in value):
        return "[" + ", ".join(show_json(item) for item in value) + "]"
    if is_object(value) and len(value) <= 5 and all(plain_scalar(item) for item in value.values()):
        return "{" + ", ".join(quote_text(str(name)) + ": " + show_json(value[name]) for name in value) + "}"
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
    name = type_name(value)
    if name == "null":
        return "null"
    if name in ("boolean", "integer", "number", "string"):
        return name + " " + (show_json(value) if is_boolean(value) or is_string(value) or is_number(value)
                             else str(value))
    if name == "array":
        return "array of %s" % count_of(len(value), "item")
    return name


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


def nearest_name(name: str, known: Any) -> Optional[str]:
    """The known name that was probably meant; None when none is near."""
    if len(name) > 64:
        return None
    plain, best, best_score = plain_name(name), None, 1000
    for candidate in list(known)[:200]:
        other = plain_name(candidate)
        limit = max(1, (min(len(plain), len(other)) + 2) // 3)
        score = edit_distance(plain, other, limit) if len(other) <= 64 else 1000
        if score > limit:
            if len(plain) < 3 or len(other) < 3 or (plain not in other and other not in plain):
                continue
            score = 100 + abs(len(plain) - len(other))
        if score < best_score:
            best, best_score = candidate, score
    return best


def plain_name(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "").replace(" ", "")


# -- one message per keyword: (argument, value, node) -> text, or a list of problems --------------------------------

def expected_type(wanted: Any, value: Any, node: Any) -> str:
    names = wanted if isinstance(wanted, list) else [wanted]
    text = "expected %s, got %s" % (or_list(names), got(value))
    if is_string(value) and value.lstrip()[:1] in ("{", "["):
        for name in ("object", "array"):
            if name in names:
                return text + "; send the %s itself, not its JSON in a string" % name
    if isinstance(value, float) and value - value != 0.0:
        return text + "; JSON numbers are finite"
    return text


def expected_enum(values: Any, value: Any, node: Any) -> str:
    if len(values) == 0:
        return "no value is allowed here"
    text = "expected %s%s, got %s" % ("one of " if len(values) > 1 else "", quote_list(values), got(value))
    near = nearest_name(value, [known for known in values if is_string(known)]) if is_string(value) else None
    return text if near is None else text + "; did you mean %s?" % quote_text(near)


def missing_names(names: Any, value: Any, node: Any) -> List[Problem]:
    return [{"path": "", "keyword": "required", "schema_path": "/required",
             "message": "required property %s is missing" % quote_text(name)} for name in names if name not in value]


def forbidden_form(forbidden: Any, value: Any, node: Any) -> str:
    if isinstance(forbidden, dict) and len(forbidden) == 1:
        if "type" in forbidden:
            names = forbidden["type"]
            return "must not be %s" % or_list(names if isinstance(names, list) else [names])
        if "const" in forbidden:
            return "must not be %s" % show_json(forbidden["const"])
        if "enum" in forbidden:
            return "must not be one of %s" % quote_list(forbidden["enum"])
        if "required" in forbidden:
            return "must not have %s together" % quote_list(forbidden["required"], " and ") \
                if len(forbidden["required"]) > 1 else "must not have %s" % quote_list(forbidden["required"])
    return "has a form that is forbidden here"


def repeated_items(wanted: Any, value: Any, node: Any) -> str:
    for index, item in enumerate(value):
        for earlier in range(min(index, 1000)):
            if same_json(value[earlier], item):
                return "items %d and %d are equal; every item must differ" % (earlier, index)
        if index > 1000:
            break
    return "two items are equal; every item must differ"


def contained_items(wanted: Any, value: Any, node: SchemaNode) -> str:
    for rule in node.rules:
        if rule[1] == "contains":
            matching = sum(1 for item in value if rule[4].test(item))
            low, high = node.schema.get("minContains", 1), node.schema.get("maxContains")
            limit = "at least %d" % low if matching < low else "at most %d" % high
            return 'expected %s of the items to match "contains", got %d of %d' % (limit, matching, len(value))
    return 'items do not match "contains" as often as they should'


def dependent_names(wanted: Any, value: Any, node: Any) -> List[Problem]:
    problems = []
    for name, names in wanted.items():
        for other in names if name in value and isinstance(names, list) else ():
            if other not in value:
                problems.append({"path": "", "keyword": "dependentRequired",
                                 "schema_path": "/dependentRequired/" + escape_token(name),
                                 "message": "property %s is required when %s is there"
                                            % (quote_text(other), quote_text(name))})
    return problems


MESSAGES: Dict[str, Callable[[Any, Any, Any], Any]] = {
    "false": lambda wanted, value, node: "nothing is allowed here, got " + got(value),
    "type": expected_type,
    "enum": expected_enum,
    "const": lambda wanted, value, node: "expected %s, got %s" % (show_json(wanted), got(value)),
    "minimum": lambda limit, value, node: "expected at least %s, got %s" % (show_json(limit), show_json(value)),
    "maximum": lambda limit, value, node: "expected at most %s, got %s" % (show_json(limit), show_json(value)),
    "exclusiveMinimum": lambda limit, value, node: "expected more than %s, got %s" % (show_json(limit), show_json(value)),
    "exclusiveMaximum": lambda limit, value, node: "expected less than %s, got %s" % (show_json(limit), show_json(value)),
    "multipleOf": lambda limit, value, node: "expected a multiple of %s, got %s" % (show_json(limit), show_json(value)),
    "minLength": lambda limit, value, node: "expected at least %s, got %d" % (count_of(limit, "character"), len(value)),
    "maxLength": lambda limit, value, node: "expected at most %s, got %d" % (count_of(limit, "character"), len(value)),
    "minItems": lambda limit, value, node: "expected at least %s, got %d" % (count_of(limit, "item"), len(value)),
    "maxItems": lambda limit, value, node: "expected at most %s, got %d" % (count_of(limit, "item"), len(value)),
    "minProperties": lambda limit, value, node: "expected at least %s, got %d" % (count_names(limit), len(value)),
    "maxProperties": lambda limit, value, node: "expected at most %s, got %d" % (count_names(limit), len(value)),
    "pattern": lambda text, value, node: "expected text that matches %s, got %s" % (quote_text(text), show_json(value)),
    "format": lambda name, value, node: "expected the format %s, got %s" % (name, show_json(value)),
    "required": missing_names,
    "uniqueItems": repeated_items,
    "contains": contained_items,
    "dependentRequired": dependent_names,
    "not": forbidden_form,
}


# -- one descent per keyword with schemas under it: (rule, value, node, state, level) -> problems or None ------------

def escape_token(token: Any) -> str:
    text = str(token)
    return text.replace("~", "~0").replace("/", "~1") if "~" in text or "/" in text else text


def passes(child: SchemaNode, value: Any, level: int) -> bool:
    """True when a part is right and need not be walked. Only near the root: deeper down, parts would be tested again
    and again, and walking them is the cheaper way."""
    return level < PRETESTED_LEVELS and child.test(value)


def explain_part(child: SchemaNode, value: Any, state: ExplainState, level: int, path: str, schema_path: str) \
        -> Optional[List[Problem]]:
    """The problems of a part, with the step that leads to it."""
    found = explain(child, value, state, level)
    if found:
        for problem in found:
            problem["path"] = path + problem["path"]
            problem["schema_path"] = schema_path + problem["schema_path"]
    return found


def gather(parts: Iterator[Tuple[SchemaNode, Any, str, str]], state: ExplainState, level: int) -> List[Problem]:
    """The problems of several parts: (schema, value, path, schema path)."""
    found: List[Problem] = []
    for child, value, path, schema_path in parts:
        if state.room <= 0:
            break
        if not passes(child, value, level):
            found.extend(explain_part(child, value, state, level, path, schema_path) or ())
    return found


def descend_properties(rule: Rule, value: Any, node: SchemaNode, state: ExplainState, level: int) -> Any:
    if not is_object(value):
        return None
    found, schemas = None, rule[4]
    for name, item in value.items():
        child = schemas.get(name)
        if child is None or level < PRETESTED_LEVELS and child.test(item):
            continue
        token = escape_token(name)
        more = explain_part(child, item, state, level, "/" + token, "/properties/" + token)
        if more:
            if item is None and name not in node.schema.get("required", ()):
                more[0]["message"] += "; omit %s instead of sending null" % quote_text(name)
            found = more if found is None else found + more
            if state.room <= 0:
                break
    return found


def descend_additional(rule: Rule, value: Any, node: SchemaNode, state: ExplainState, level: int) -> Any:
    if rule[2](value):
        return None
    left = [name for name in value if name not in node.schema.get("properties", ())]
    if "patternProperties" in node.schema:
        for other in node.rules:
            if other[1] == "patternProperties":
                left = [name for name in left if not any(found(name) for found, _ in other[4].values())]
    if rule[3] is False:
        return unknown_names(left, node, state, rule[1])
    return gather(((rule[4], value[name], "/" + escape_token(name), "/" + rule[1]) for name in left), state, level)


def unknown_names(names: List[str], node: SchemaNode, state: ExplainState, keyword: str) -> List[Problem]:
    """Properties that a closed object does not have: name the known ones, and the nearest."""
    known = list(node.schema.get("properties", ()))
    problems = []
    for name in names[:max(0, state.room)]:
        text = "unknown property " + quote_text(str(name))
        if known:
            near = nearest_name(str(name), known)
            text += "; known: " + quote_list(known) + ("" if near is None else "; did you mean %s?" % quote_text(near))
        elif "patternProperties" not in node.schema and keyword == "additionalProperties":
            text += "; no properties are allowed here"
        problems.append({"path": "/" + escape_token(name), "keyword": keyword, "schema_path": "/" + keyword,
                         "message": text})
    state.room -= len(problems)
    return problems


def descend_names(rule: Rule, value: Any, node: SchemaNode, state: ExplainState, level: int) -> Any:
    if rule[2](value):
        return None
    found = []
    for name in value:
        for problem in explain_part(rule[4], name, state, level, "", "/propertyNames") or ():
            problem["message"] = "property name %s: %s" % (quote_text(str(name)), problem["message"])
            found.append(problem)
        if state.room <= 0:
            break
    return found


def descend_items(rule: Rule, value: Any, node: SchemaNode, state: ExplainState, level: int) -> Any:
    if isinstance(rule[4], list):
        return descend_places(rule, value, node, state, level)
    start = 0
    if len(node.rules) > 1:             # the items before are judged by prefixItems, or by items in draft-07
        for other in node.rules:
            if isinstance(other[4], list) and other[1] in ("prefixItems", "items"):
                start = len(other[4])
    return explain_items(rule, value, range(start, len(value)) if is_array(value) else (), state, level)


def descend_places(rule: Rule, value: Any, node: SchemaNode, state: ExplainState, level: int) -> Any:
    """prefixItems, and items as an array: one schema for each place."""
    if not is_array(value):
        return None
    return gather(((child, value[index], "/%d" % index, "/%s/%d" % (rule[1], index))
                   for index, child in enumerate(rule[4]) if index < len(value)), state, level)


def explain_items(rule: Rule, value: Any, indexes: Any, state: ExplainState, level: int) -> List[Problem]:
    child, found, test = rule[4], [], rule[4].test
    if child.schema is False and len(indexes):
        return one_problem(state, rule[1], "expected at most %s, got %d" % (count_of(indexes[0], "item"), len(value)))
    pretest = level < PRETESTED_LEVELS
    for index in indexes:
        if pretest and test(value[index]):
            continue
        found.extend(explain_part(child, value[index], state, level, "/%d" % index, "/" + rule[1]) or ())
        if state.room <= 0 or state.steps <= 0:
            break
    return found


def descend_patterns(rule: Rule, value: Any, node: SchemaNode, state: ExplainState, level: int) -> Any:
    if not is_object(value):
        return None
    return gather(((child, value[name], "/" + escape_token(name), "/patternProperties/" + escape_token(text))
                   for text, (found, child) in rule[4].items() for name in value if found(name)), state, level)


def descend_dependents(rule: Rule, value: Any, node: SchemaNode, state: ExplainState, level: int) -> Any:
    """dependentSchemas, and both forms of draft-07's dependencies."""
    if not is_object(value):
        return None
    found = gather(((child, value, "", "/%s/%s" % (rule[1], escape_token(name)))
                    for name, child in rule[4].items() if name in value), state, level)
    if rule[1] == "dependencies":
        for problem in dependent_names(rule[3], value, node):
            found.append(dict(problem, keyword="dependencies",
                              schema_path=problem["schema_path"].replace("dependentRequired", "dependencies", 1)))
    return found


def descend_condition(rule: Rule, value: Any, node: SchemaNode, state: ExplainState, level: int) -> Any:
    branch = "then" if rule[4]["if"].test(value) else "else"
    return explain_part(rule[4][branch], value, state, level, "", "/" + branch) if branch in rule[4] else None


def descend_unevaluated(rule: Rule, value: Any, node: SchemaNode, state: ExplainState, level: int) -> Any:
    if rule[2](value):
        return None
    from .schema_more import left_items, left_names
    if is_array(value) and rule[1] == "unevaluatedItems":
        left: Any = left_items(node, value)
        if rule[3] is False:
            return [problem for index in left[:max(0, state.room)]
                    for problem in one_problem(state, rule[1], "no schema here knows this item", "/%d" % index)]
        return explain_items(rule, value, left, state, level)
    left = left_names(node, value)
    if rule[3] is False:
        return unknown_names(left, node, state, rule[1])
    return gather(((rule[4], value[name], "/" + escape_token(name), "/" + rule[1]) for name in left), state, level)


def descend_same(rule: Rule, value: Any, node: SchemaNode, state: ExplainState, level: int) -> Any:
    """allOf, $ref, $dynamicRef: the schemas under them judge the same value."""
    keyword, children = rule[1], rule[4]
    if isinstance(children, SchemaNode):
        return explain_part(children, value, state, level, "", "/" + keyword)
    return gather(((child, value, "", "/%s/%d" % (keyword, index)) for index, child in enumerate(children)),
                  state, level)


def descend_branches(rule: Rule, value: Any, node: SchemaNode, state: ExplainState, level: int) -> Any:
    """anyOf, oneOf: the problems of the branch that came closest."""
    keyword = rule[1]
    if rule[2](value):
        return None
    matching = [index for index, child in enumerate(rule[4]) if keyword == "oneOf" and child.test(value)]
    if matching:
        return one_problem(state, keyword, "matches %d of the allowed forms (%s); exactly one may match" % (
            len(matching), ", ".join("%s/%d" % (keyword, index) for index in matching)))
    room, attempts = state.room, []
    for index, child in enumerate(rule[4]):
        state.room = MAX_PROBLEMS
        attempts.append(explain_part(child, value, state, level, "", "/%s/%d" % (keyword, index)) or [])
    state.room = room
    rooted = [attempt for attempt in attempts
              if attempt and attempt[0]["path"] == "" and attempt[0]["keyword"] in CONCLUSIVE]
    if len(rooted) == len(attempts):
        return one_problem(state, keyword, expected_forms(attempts, value))
    near = [attempt for attempt in attempts if attempt and attempt not in rooted]
    if len(near) > 1:
        tag = common_tag(near)
        if tag is not None:
            return one_problem(state, keyword, expected_forms([[problem for problem in attempt if problem["path"] == tag
                               and problem["keyword"] in ("const", "enum")] for attempt in near], None), tag)
    best = min(near, key=branch_distance) if near else []
    if len(near) > 1:
        best[0]["message"] += " (the closest of %d forms)" % len(near)
    state.room -= len(best)
    return best or one_problem(state, keyword, "matches none of the allowed forms")


def one_problem(state: ExplainState, keyword: str, message: str, path: str = "") -> List[Problem]:
    state.room -= 1
    return [{"path": path, "keyword": keyword, "schema_path": "/" + keyword, "message": message}]


def branch_distance(attempt: List[Problem]) -> Tuple[int, int, int]:
    """How far a value is from a branch: wrong tags, then the number of problems, then how near the root they are."""
    tags = sum(1 for problem in attempt if problem["keyword"] in ("const", "enum") and problem["path"].count("/") == 1)
    return tags, len(attempt), -max(problem["path"].count("/") for problem in attempt)


def common_tag(attempts: List[List[Problem]]) -> Optional[str]:
    """The member that tells the branches apart, when its value fits none of them."""
    shared: Optional[Any] = None
    for attempt in attempts:
        paths = {problem["path"] for problem in attempt
                 if problem["keyword"] in ("const", "enum") and problem["path"].count("/") == 1}
        shared = paths if shared is None else shared & paths
    return min(shared) if shared else None


def expected_forms(attempts: List[List[Problem]], value: Any) -> str:
    """Several 'expected X, got Y' as one."""
    wanted, came = [], ""
    for attempt in attempts:
        text = attempt[0]["message"]
        text, _, came = text.partition(", got ")
        text = text.replace("expected one of ", "", 1).replace("expected ", "", 1)
        if text not in wanted and not text.startswith("nothing"):
            wanted.append(text)
    return "expected %s, got %s" % (or_list(wanted), came.partition("; did you")[0]) if wanted \
        else "nothing is allowed here"


DESCENTS: Dict[str, Callable[..., Any]] = {
    "properties": descend_properties, "additionalProperties": descend_additional, "propertyNames": descend_names,
    "items": descend_items, "allOf": descend_same, "$ref": descend_same, "$dynamicRef": descend_same,
    "anyOf": descend_branches, "oneOf": descend_branches, "prefixItems": descend_places,
    "additionalItems": descend_items, "patternProperties": descend_patterns, "if": descend_condition,
    "dependentSchemas": descend_dependents, "dependencies": descend_dependents,
    "unevaluatedProperties": descend_unevaluated, "unevaluatedItems": descend_unevaluated,
}
