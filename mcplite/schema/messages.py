"""What a problem says: a value as text, the nearest known name, and one message per keyword.

Here: texts only. Not here: which problems there are (``explain``).

1. A message says what was expected and what came; its reader (a model, mostly) must be able to repair the call.
"""
from __future__ import annotations

from .keywords import BOUNDS
from .tree import is_array, is_boolean, is_integer, is_number, is_object, is_string

try:
    from _json import encode_basestring as quote_json
except ImportError:                     # PyPy
    from json.encoder import encode_basestring as quote_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Tuple

    from .tree import SchemaNode

MAX_NEAR_LENGTH = 40        # letters of a name that is compared with the known ones, letter by letter
MAX_NEAR_NAMES = 200        # known names that it is compared with
MAX_SHOWN = 60              # characters of a value in a message


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
    if value.__class__ is float and value - value != 0.0:
        return "number %r; JSON numbers are finite" % value
    return name + " " + shown_json(value) if name in ("boolean", "integer", "number", "string") else name


def count_of(count: Any, noun: str) -> str:
    return "%d %s" % (count, noun if count == 1 else "properties" if noun == "property" else noun + "s")


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

def type_names(wanted: Any) -> List[str]:
    return wanted if isinstance(wanted, list) else [wanted]


def nested_hint(wanted: Any) -> Optional[Callable[[str, bool], str]]:
    """What to do about a thing that models do wrong."""
    nested = [name for name in type_names(wanted) if name in ("object", "array")]
    return None if not nested else lambda text, suggest: (
        "; send the %s itself, not its JSON in a string" % or_list(nested) if text.lstrip()[:1] in ("{", "[") else "")


def expected_values(values: Any) -> str:
    if not values:
        return "nothing (no value is allowed here)"
    return ("one of " if len(values) > 1 else "") + quote_list(values)


def nearest_hint(values: Any) -> Optional[Callable[[str, bool], str]]:
    def hint(text: str, suggest: bool) -> str:
        near = nearest_property(text, [known for known in values if is_string(known)]) if suggest else None
        return "" if near is None else "; did you mean %s?" % quote_text(near)
    return hint


def forbidden_form(forbidden: Any, value: Any, node: Any) -> str:
    if isinstance(forbidden, dict) and len(forbidden) == 1:
        if "type" in forbidden:
            return "must not be %s" % or_list(type_names(forbidden["type"]))
        if "const" in forbidden:
            return "must not be %s" % shown_json(forbidden["const"])
        if "enum" in forbidden:
            return "must not be one of %s" % quote_list(forbidden["enum"])
        if "required" in forbidden:
            return "must not have %s together" % quote_list(forbidden["required"], " and ") \
                if len(forbidden["required"]) > 1 else "must not have %s" % quote_list(forbidden["required"])
    return "has a form that is forbidden here"


def repeated_items(wanted: Any, value: Any, node: Any) -> str:
    from .vocabulary import canonical_text
    seen: Dict[str, int] = {}
    for index, item in enumerate(value):
        earlier = seen.setdefault(canonical_text(item), index)
        if earlier != index:
            return "items %d and %d are equal; every item must differ" % (earlier, index)
    return "two items are equal; every item must differ"


def contained_items(wanted: Any, value: Any, node: SchemaNode) -> str:
    for rule in node.rules:
        if rule[1] == "contains":
            matching = sum(1 for item in value if rule[4][None].test(item))
            low, high = node.schema.get("minContains", 1), node.schema.get("maxContains")
            limit = "at least %d" % low if matching < low else "at most %d" % high
            return 'expected %s of the items to match "contains", got %d of %d' % (limit, matching, len(value))
    return 'items do not match "contains" as often as they should'


def missing_names(names: Any, value: Any) -> List[Tuple[str, str]]:
    return [("", "required property %s is missing" % quote_text(name)) for name in names if name not in value]


def dependent_names(wanted: Any, value: Any) -> List[Tuple[str, str]]:
    return [("/" + escape_token(name), "property %s is required when %s is there" % (quote_text(other), quote_text(name)))
            for name, names in wanted.items() if name in value and isinstance(names, list)
            for other in names if other not in value]


def unknown_property(node: SchemaNode, keyword: str, name: Any, value: Any, suggest: bool) -> str:
    """Of a closed object: name the known properties, and the nearest."""
    known = list(node.schema.get("properties", ()))
    text = "unknown property " + quote_text(str(name))
    if known:
        near = nearest_property(str(name), known) if suggest else None
        return text + "; known: " + quote_list(known) + ("" if near is None else "; did you mean %s?" % quote_text(near))
    if "patternProperties" not in node.schema and keyword == "additionalProperties":
        text += "; no properties are allowed here"
    return text


def escape_token(token: Any) -> str:
    text = str(token)
    return text.replace("~", "~0").replace("/", "~1") if "~" in text or "/" in text else text


def size_of(value: Any) -> str:
    return str(len(value))


LIMITS = {">=": "at least ", "<=": "at most ", ">": "more than ", "<": "less than "}
# "expected <this>, got <that>": this from the keyword's argument, that from the value
EXPECTED: Dict[str, Tuple[Callable[[Any], str], Callable[[Any], str]]] = {
    "type": (lambda wanted: or_list(type_names(wanted)), got), "const": (shown_json, got),
    "enum": (expected_values, got), "multipleOf": (lambda factor: "a multiple of " + shown_json(factor), shown_json),
    "pattern": (lambda text: "text that matches " + quote_text(text), shown_json),
    "format": (lambda name: "the format " + name, shown_json),
}
# what to add to that where a string came: of the argument, (text, whether to suggest another) gives it
HINTS: Dict[str, Callable[[Any], Optional[Callable[[str, bool], str]]]] = {"type": nested_hint, "enum": nearest_hint}
# whole messages: (argument, value, node)
MESSAGES: Dict[str, Callable[[Any, Any, Any], str]] = {
    "false": lambda wanted, value, node: "nothing is allowed here, got " + got(value),
    "uniqueItems": repeated_items, "contains": contained_items, "not": forbidden_form,
}
# several of them: (argument, value) gives (step in the schema, message)
SEVERAL: Dict[str, Callable[[Any, Any], List[Tuple[str, str]]]] = {
    "required": missing_names, "dependentRequired": dependent_names, "dependencies": dependent_names,
}
# of a place where nothing may be: (node, keyword, token, value, whether to suggest a name)
FORBIDDEN: Dict[str, Callable[[Any, str, Any, Any, bool], str]] = {
    "additionalProperties": unknown_property, "unevaluatedProperties": unknown_property,
    "items": lambda node, keyword, token, value, suggest: "expected at most %s, got %d" % (count_of(token, "item"), len(value)),
    "unevaluatedItems": lambda node, keyword, token, value, suggest: "no schema here allows for this item",
}
FORBIDDEN["additionalItems"] = FORBIDDEN["items"]


def expectation_of(keyword: str, argument: Any) -> Tuple[str, Callable[[Any], str]]:
    """"expected <this>, got " of a keyword, and the function that shows what came."""
    if keyword in BOUNDS:
        _, operator, counted = BOUNDS[keyword]
        text = LIMITS[operator] + (count_of(argument, counted) if counted else shown_json(argument))
        return "expected %s, got " % text, size_of if counted else shown_json
    expected, shown = EXPECTED[keyword]
    return "expected %s, got " % expected(argument), shown
