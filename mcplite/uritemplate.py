"""RFC 6570 URI templates: expand all four levels, match a linear subset.

Here: parsing, expansion and matching of templates, percent-encoding, the check of an absolute URI. Not here: which
resource a URI means (catalog), conversion of the matched strings to the types of a function (signature).

Specification: RFC 6570; MCP server/resources ("Resource Templates"). Invariants:

1. Matching takes time linear in the URI: no regular expressions, no backtracking. What would need it is refused when
   the template is parsed.
2. `{x}` never holds `/`, `?` or `#`, and never the empty string. Each value of `{x}`, `{.x}` and `{/x}`, exploded or not, is
   one segment of a path once it is decoded, too: a URI that would make it hold a slash, a backslash (a slash to Windows)
   or a zero byte, or be `.` or `..`, is not of the template, however it is escaped. `{+x}` and `{#x}` are for paths and hold
   anything, and so do the texts of a query.
3. A value is percent-decoded once, as UTF-8, after the whole URI has matched.
4. Literals are compared exactly, but for two normalisations on both sides: characters beyond ASCII become their
   percent-encoded UTF-8, and hexadecimal digits of escapes become upper case.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

URI_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
URI_RESERVED = frozenset(":/?#[]@!$&'()*+,;=")
URI_HEX = frozenset("0123456789abcdefABCDEF")
URI_SEGMENT_FORBIDDEN = frozenset("/\\\0")
URI_SEGMENT_OPERATORS = ("", ".", "/")
URI_LITERAL_FORBIDDEN = frozenset(" \"'<>\\^`{|}%")
URI_NAME_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.%")

# RFC 6570 appendix A: operator -> (first, separator, named, if empty, reserved characters pass).
URI_OPERATORS = {
    "": ("", ",", False, "", False),
    "+": ("", ",", False, "", True),
    "#": ("#", ",", False, "", True),
    ".": (".", ".", False, "", False),
    "/": ("/", "/", False, "", False),
    ";": (";", ";", True, "", False),
    "?": ("?", "&", True, "=", False),
    "&": ("&", "&", True, "=", False),
}


class UriError(ValueError):
    """A template or a URI is malformed, or a template cannot be matched in linear time. One line of text."""


class UriVariable:
    """One variable of an expression: its name, whether it explodes (`*`), its prefix length or None."""

    __slots__ = ("explode", "name", "prefix")

    def __init__(self, name: str, explode: bool, prefix: int | None) -> None:
        self.name = name
        self.explode = explode
        self.prefix = prefix


class UriSlot:
    """One place in the path of a matchable template: a variable and the characters it never holds.

    `wide` slots may hold `/`; there is at most one in a template. `lead` is the text that comes before the value and
    belongs to the variable (`/` of `{/x}`); an `optional` slot may be missing together with it."""

    __slots__ = ("lead", "name", "optional", "split", "stops", "wide")

    def __init__(self, name: str, stops: str, wide: bool = False, split: str = "", lead: str = "",
                 optional: bool = False) -> None:
        self.name = name
        self.stops = stops
        self.wide = wide
        self.split = split
        self.lead = lead
        self.optional = optional


class UriTemplate:
    """A parsed RFC 6570 template.

    text: the template, e.g. `"memo://{topic}/{n}"`. matchable: False for a template that is only expanded, then every
    valid template is taken. `variables` is the tuple of the names, in order of appearance.

    Raises UriError for a malformed template, and (when matchable) for one that cannot be matched in linear time:
    prefixes `{x:3}`, `{;x}`, neighbours with nothing between them, a name used twice, two variables that may hold `/`,
    a query that is not at the end.
    """

    __slots__ = ("fragment", "parts", "query", "query_lead", "query_skip", "segments", "slots", "tail", "text", "variables")

    def __init__(self, text: str, matchable: bool = True) -> None:
        if not isinstance(text, str):
            raise UriError("a URI template must be a string, got " + type(text).__name__)
        self.text = text
        self.parts = parse_uri_template(text)
        names: list[str] = []
        for part in self.parts:
            if not isinstance(part, str):
                names.extend(variable.name for variable in part[1] if variable.name not in names)
        self.variables = tuple(names)
        self.segments = frozenset(variable.name for part in self.parts if not isinstance(part, str)
                                  and part[0] in URI_SEGMENT_OPERATORS for variable in part[1])
        # What follows is filled by plan_uri_match: the path as literals and slots, tail = path without optional end.
        self.slots: list[Any] = []
        self.tail: list[UriSlot] = []
        self.query: dict[str, bool] | None = None
        self.query_lead = ""
        self.query_skip = 0
        self.fragment: UriSlot | None = None
        if matchable:
            plan_uri_match(self)

    def __repr__(self) -> str:
        return "UriTemplate(" + repr(self.text) + ")"

    def match(self, uri: str) -> dict[str, Any] | None:
        """The variables of a URI, or None when the URI is not of this template.

        Not of it either is one whose escapes hide a slash or a step upwards in a variable that is one segment (2).
        A value is a string; that of an exploded variable (`{x*}`) is a list of strings. Variables of the query, the
        fragment and trailing `{/x}` are absent when the URI does not give them; the query is taken in any order, but
        unknown or repeated names do not match. Raises UriError when the URI matches and holds a malformed escape."""
        return match_uri(self, normalise_uri_text(uri))

    def expand(self, values: dict[str, Any]) -> str:
        """The URI for these values: strings, numbers, lists and dicts of them; None or absent is undefined.

        Raises UriError for a value of another kind, or a prefix `{x:3}` applied to a list or dict."""
        return "".join(part if isinstance(part, str) else expand_uri_expression(part, values) for part in self.parts)


# --- parsing ------------------------------------------------------------------------------------------------------


def parse_uri_template(text: str) -> list[Any]:
    """Literals (str, already encoded) and expressions (operator, [UriVariable, ...]), in order."""
    parts: list[Any] = []
    position = 0
    while position < len(text):
        start = text.find("{", position)
        literal = text[position:] if start < 0 else text[position:start]
        if literal:
            parts.append(parse_uri_literal(literal, text))
        if start < 0:
            break
        end = text.find("}", start)
        if end < 0:
            raise UriError('URI template "%s": "{" at %d is never closed' % (text, start))
        parts.append(parse_uri_expression(text[start + 1 : end], text))
        position = end + 1
    return parts


def parse_uri_literal(literal: str, text: str) -> str:
    """RFC 6570 section 2.1 and 3.1: characters that are no URI characters are percent-encoded."""
    if "}" in literal:
        raise UriError('URI template "%s": "}" without "{"' % text)
    position = literal.find("%")
    while position >= 0:
        if not uri_escape_at(literal, position):
            raise UriError('URI template "%s": malformed escape "%s"' % (text, literal[position : position + 3]))
        position = literal.find("%", position + 1)
    for character in literal:
        # The apostrophe is a literal of RFC 6570 by erratum 6937; a control character or a space never is.
        if character < "!" or character == "\x7f" or (character in URI_LITERAL_FORBIDDEN and character not in "%'"):
            raise UriError('URI template "%s": %r cannot stand in a URI; percent-encode it' % (text, character))
    return normalise_uri_text(literal)


def parse_uri_expression(body: str, text: str) -> tuple[str, list[UriVariable]]:
    operator = body[:1] if body[:1] in URI_OPERATORS and body else ""
    if body[:1] and body[0] in "=,!@|":
        raise UriError('URI template "%s": operator "%s" is reserved by RFC 6570' % (text, body[0]))
    variables = []
    for spec in body[len(operator) :].split(","):
        name, explode, prefix = spec, False, None
        if spec.endswith("*"):
            name, explode = spec[:-1], True
        elif ":" in spec:
            name, _, digits = spec.partition(":")
            if not (digits.isascii() and digits.isdigit() and digits[0] != "0" and len(digits) < 5):
                raise UriError('URI template "%s": prefix of "{%s}" must be 1 to 9999' % (text, body))
            prefix = int(digits)
        if not uri_name_is_valid(name):
            raise UriError('URI template "%s": "%s" is not a variable name' % (text, name))
        variables.append(UriVariable(name, explode, prefix))
    return operator, variables


def uri_name_is_valid(name: str) -> bool:
    """varname of RFC 6570 section 2.3: letters, digits, `_`, escapes, single dots between them."""
    if not name or name[0] == "." or name[-1] == "." or ".." in name or not URI_NAME_CHARACTERS.issuperset(name):
        return False
    return all(uri_escape_at(name, i) for i, character in enumerate(name) if character == "%")


# --- percent-encoding ---------------------------------------------------------------------------------------------


def uri_escape_at(text: str, position: int) -> bool:
    return len(text) > position + 2 and text[position + 1] in URI_HEX and text[position + 2] in URI_HEX


def encode_uri_value(text: str, reserved: bool) -> str:
    """Percent-encode all but unreserved characters; with `reserved` keep reserved ones and escapes too."""
    if URI_UNRESERVED.issuperset(text):
        return text
    out = []
    for position, character in enumerate(text):
        kept = character in URI_RESERVED or (character == "%" and uri_escape_at(text, position))
        if character in URI_UNRESERVED or (reserved and kept):
            out.append(character)
        else:
            out.append(percent_encode(character))
    return "".join(out)


def percent_encode(text: str) -> str:
    try:
        return "".join("%%%02X" % byte for byte in text.encode("utf-8"))
    except UnicodeEncodeError:
        raise UriError("a lone surrogate cannot stand in a URI") from None


def normalise_uri_text(text: str) -> str:
    """Invariant 4. Malformed escapes stay as they are: decoding a value reports them."""
    if "%" in text:
        pieces = text.split("%")
        pieces[1:] = [piece[:2].upper() + piece[2:] if URI_HEX.issuperset(piece[:2]) else piece for piece in pieces[1:]]
        text = "%".join(pieces)
    if not text.isascii():
        text = "".join(character if character < "\x80" else percent_encode(character) for character in text)
    return text


def decode_uri_value(text: str) -> str:
    """Percent-decode once, as UTF-8. Raises UriError for `%GG`, a cut escape, and bytes that are not UTF-8."""
    if "%" not in text:
        return text
    first, *pieces = text.split("%")
    out = bytearray(first.encode("utf-8"))
    for piece in pieces:
        if len(piece) < 2 or not URI_HEX.issuperset(piece[:2]):
            raise UriError('malformed escape "%%%s" in "%s"' % (piece[:2], text))
        out.append(int(piece[:2], 16))
        out += piece[2:].encode("utf-8")
    try:
        return out.decode("utf-8")
    except UnicodeDecodeError:
        raise UriError('the escapes of "%s" are not UTF-8' % text) from None


def check_uri(uri: Any, what: str = "uri") -> None:
    """Raise UriError unless `uri` is a string that is an absolute URI: a scheme, a colon, something, no blanks.

    what: how the text of the error calls the value."""
    if not isinstance(uri, str):
        raise UriError("%s must be a string, got %s" % (what, type(uri).__name__))
    scheme, colon, rest = uri.partition(":")
    if not colon or not rest or not scheme[:1].isalpha() or not scheme.replace("+", "").replace("-", "").replace(
            ".", "").isalnum() or not scheme.isascii():
        raise UriError('%s "%s" is not absolute: it needs a scheme, as in "memo://notes/1"' % (what, uri))
    for character in uri:
        if character <= " " or character == "\x7f" or "\ud800" <= character <= "\udfff":
            raise UriError("%s %r holds %r: percent-encode it" % (what, uri, character))


# --- expansion: RFC 6570 section 3.2.1, and appendix A ------------------------------------------------------------


def expand_uri_expression(expression: tuple[str, list[UriVariable]], values: dict[str, Any]) -> str:
    operator, variables = expression
    first, separator, named, if_empty, reserved = URI_OPERATORS[operator]
    out = []
    for variable in variables:
        value = values.get(variable.name)
        if isinstance(value, dict):
            pairs = [(str(k), uri_scalar(v, variable.name)) for k, v in value.items() if v is not None]
            if pairs:
                out.append(expand_uri_pairs(variable, pairs, separator, named, if_empty, reserved))
        elif isinstance(value, (list, tuple)):
            items = [uri_scalar(item, variable.name) for item in value if item is not None]
            if items:
                out.append(expand_uri_items(variable, items, separator, named, if_empty, reserved))
        elif value is not None:
            text = uri_scalar(value, variable.name)[: variable.prefix]
            text = encode_uri_value(text, reserved)
            out.append(variable.name + ("=" + text if text else if_empty) if named else text)
    return first + separator.join(out) if out else ""


def uri_scalar(value: Any, name: str) -> str:
    if isinstance(value, str):
        return value
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return str(value)
    raise UriError('variable "%s": a %s cannot be expanded into a URI' % (name, type(value).__name__))


def expand_uri_items(variable: UriVariable, items: list[str], separator: str, named: bool, if_empty: str,
                     reserved: bool) -> str:
    refuse_uri_prefix(variable)
    texts = [encode_uri_value(item, reserved) for item in items]
    if not variable.explode:
        joined = ",".join(texts)
        return variable.name + ("=" + joined if joined else if_empty) if named else joined
    if named:
        texts = [variable.name + ("=" + text if text else if_empty) for text in texts]
    return separator.join(texts)


def expand_uri_pairs(variable: UriVariable, pairs: list[tuple[str, str]], separator: str, named: bool, if_empty: str,
                     reserved: bool) -> str:
    refuse_uri_prefix(variable)
    encoded = [(encode_uri_value(k, reserved), encode_uri_value(v, reserved)) for k, v in pairs]
    if variable.explode:
        return separator.join(k + ("=" + v if v or not named else if_empty) for k, v in encoded)
    joined = ",".join(k + "," + v for k, v in encoded)
    return variable.name + "=" + joined if named else joined


def refuse_uri_prefix(variable: UriVariable) -> None:
    if variable.prefix is not None:
        raise UriError('variable "%s": a prefix (":%d") applies to strings only' % (variable.name, variable.prefix))


# --- matching -----------------------------------------------------------------------------------------------------


def plan_uri_match(template: UriTemplate) -> None:
    """Fill the matching plan of a template, or raise UriError with what stands in the way.

    The plan has three regions: the path (literals and slots), the query (names in any order) and the fragment. Slots
    of the path that may be missing (`{/x}` at its end) are kept apart in `tail`."""
    text = template.text

    def refuse(reason: str) -> UriError:
        return UriError('URI template "%s" cannot be matched: %s' % (text, reason))

    slots: list[Any] = []
    seen = set()
    after_question = False
    for part in template.parts:
        if isinstance(part, str):
            if template.query is not None or template.fragment is not None:
                raise refuse("nothing but {&x} and {#x} may follow the query, and nothing the fragment")
            after_question = after_question or "?" in part
            slots.append(part)
            continue
        operator, variables = part
        for variable in variables:
            if variable.name in seen:
                raise refuse('the variable "%s" occurs twice' % variable.name)
            if variable.prefix is not None:
                raise refuse('the prefix of "{%s:%d}" loses the rest' % (variable.name, variable.prefix))
            seen.add(variable.name)
        if template.fragment is not None:
            raise refuse("nothing may follow the fragment")
        if operator in ("?", "&"):
            plan_uri_query(template, operator, variables, slots, refuse)
        elif operator == "#":
            if len(variables) > 1:
                raise refuse("a fragment takes one variable")
            template.fragment = UriSlot(variables[0].name, "", True, "," if variables[0].explode else "")
        elif template.query is not None:
            raise refuse("nothing but {&x} and {#x} may follow the query")
        elif operator == ";":
            raise refuse("{;x} is not supported; use {?x}")
        else:
            plan_uri_path(operator, variables, slots, after_question, refuse)
    # Trailing {/x} may be missing, but not when they are all there is before them to tell templates apart.
    while slots and isinstance(slots[-1], UriSlot) and slots[-1].optional:
        template.tail.insert(0, slots.pop())
    check_uri_slots(slots, template.tail, refuse)
    for slot in slots:
        # {+path} must not run into a query or fragment that the template names.
        if isinstance(slot, UriSlot) and slot.wide and template.query is None and template.fragment is None:
            slot.stops = ""
    template.slots = slots


def plan_uri_query(template: UriTemplate, operator: str, variables: list[UriVariable], slots: list[Any],
                   refuse: Any) -> None:
    if template.query is None:
        template.query = {}
        template.query_lead = operator
        if operator == "&":
            if not any(isinstance(slot, str) and "?" in slot for slot in slots):
                raise refuse("{&x} needs a literal query before it, as in ?a=1{&x}")
            fixed = "".join(slot for slot in slots if isinstance(slot, str)).partition("?")[2]
            template.query_skip = fixed.count("&")
    elif operator == "?":
        raise refuse("it has two queries; write {?x,y}")
    for variable in variables:
        template.query[variable.name] = variable.explode


def plan_uri_path(operator: str, variables: list[UriVariable], slots: list[Any], after_question: bool,
                  refuse: Any) -> None:
    first, separator, _, _, reserved = URI_OPERATORS[operator]
    stops = "/?#&" if after_question else "/?#"
    for index, variable in enumerate(variables):
        lead = separator if index else first
        if operator == "/":
            if variable.explode:
                slots.append(UriSlot(variable.name, "?#", True, "/", "/", True))
            else:
                slots.append(UriSlot(variable.name, stops, False, "", "/", True))
            continue
        if lead:
            slots.append(lead)
        split = separator if variable.explode else ""
        shared = len(variables) > 1 and separator
        slots.append(UriSlot(variable.name, ("?#" if reserved else stops) + (shared or ""), reserved, split))


def check_uri_slots(slots: list[Any], tail: list[UriSlot], refuse: Any) -> None:
    """Linear time needs a literal between neighbours and at most one slot that may hold a slash."""
    wide = 0
    expanded: list[Any] = []
    for slot in slots:
        if isinstance(slot, UriSlot) and slot.lead:
            expanded.append(slot.lead)  # {/x} in the middle is a slash and a value that must be there
        expanded.append(slot)
    for index, slot in enumerate(expanded[1:]):
        before = expanded[index]
        if isinstance(before, UriSlot) and isinstance(slot, UriSlot):
            raise refuse('nothing tells where "%s" ends and "%s" begins' % (before.name, slot.name))
    wide = sum(1 for slot in expanded + list(tail) if isinstance(slot, UriSlot) and slot.wide)
    if wide > 1:
        raise refuse("only one variable may hold slashes")
    if wide and tail and not tail[-1].wide:
        raise refuse("only the last {/x} may be missing or hold slashes; what comes before it cannot be told apart")
    merged: list[Any] = []
    for slot in expanded:
        if isinstance(slot, str) and merged and isinstance(merged[-1], str):
            merged[-1] += slot
        else:
            merged.append(slot)
    slots[:] = merged


def match_uri(template: UriTemplate, uri: str) -> dict[str, Any] | None:
    raw: dict[str, Any] = {}
    if template.fragment is not None:
        uri, sharp, fragment = uri.partition("#")
        if sharp:
            raw[template.fragment.name] = fragment.split(",") if template.fragment.split else fragment
    if template.query is not None:
        uri, query = split_uri_query(template, uri)
        if query is not None and not match_uri_query(template.query, query, raw):
            return None
    if not match_uri_path(template, uri, raw):
        return None
    # Only now is it clear that the URI is of this template, and a malformed escape is the client's mistake.
    values = {name: [decode_uri_value(item) for item in value] if isinstance(value, list) else decode_uri_value(value)
              for name, value in ((name, raw[name]) for name in template.variables if name in raw)}
    for name in template.segments.intersection(values):
        value = values[name]
        if not all(is_uri_segment(item) for item in (value if isinstance(value, list) else [value])):
            return None
    return values


def is_uri_segment(text: str) -> bool:
    """Whether a decoded value names one thing in one place, and no other place (2)."""
    return text not in (".", "..") and URI_SEGMENT_FORBIDDEN.isdisjoint(text)


def split_uri_query(template: UriTemplate, uri: str) -> tuple[str, str | None]:
    if template.query_lead == "?":
        path, question, query = uri.partition("?")
        return path, query if question else None
    position = uri.find("?")
    for _ in range(template.query_skip + 1):
        if position < 0:
            return uri, None
        position = uri.find("&", position + 1)
    return (uri, None) if position < 0 else (uri[:position], uri[position + 1 :])


def match_uri_query(names: dict[str, bool], query: str, raw: dict[str, Any]) -> bool:
    if not query:
        return True
    for pair in query.split("&"):
        name, _, value = pair.partition("=")
        if name not in names:
            return False
        if names[name]:
            raw.setdefault(name, []).append(value)
        elif name in raw:
            return False
        else:
            raw[name] = value
    return True


def match_uri_path(template: UriTemplate, uri: str, raw: dict[str, Any]) -> bool:
    """Literals and slots from the left up to the wide slot, from the right down to it; then the optional tail.

    Taking the first place where the next literal occurs is enough: all slots but the wide one refuse the same
    characters, so a later place never makes room for something that an earlier one did not."""
    slots = template.slots
    start, end = 0, len(uri)
    if template.tail:
        return match_uri_with_tail(template, uri, raw)
    wide = next((i for i, slot in enumerate(slots) if isinstance(slot, UriSlot) and slot.wide), len(slots))
    index = 0
    if wide == len(slots):
        # No wide slot: the last literal is anchored at the end, the rest goes from the left.
        if slots and isinstance(slots[-1], str) and len(slots) > 1:
            if not uri.endswith(slots[-1]):
                return False
            end -= len(slots[-1])
            slots = slots[:-1]
        return scan_uri_forward(uri, start, end, slots, raw, True) >= 0
    start = scan_uri_forward(uri, start, end, slots[:wide], raw, False)
    if start < 0:
        return False
    for index in range(len(slots) - 1, wide, -1):
        slot = slots[index]
        if isinstance(slot, str):
            if not uri.endswith(slot, start, end):
                return False
            end -= len(slot)
            continue
        found = uri.rfind(slots[index - 1], start, end - 1)  # at least one character for the slot
        if found < 0 or not store_uri_value(slot, uri[found + len(slots[index - 1]) : end], raw):
            return False
        end = found + len(slots[index - 1])
    return start < end and store_uri_value(slots[wide], uri[start:end], raw)


def scan_uri_forward(uri: str, start: int, end: int, slots: list[Any], raw: dict[str, Any], to_the_end: bool) -> int:
    """Match literals and narrow slots from `start`; where they end, or -1. `to_the_end`: they must fill it all."""
    index = 0
    while index < len(slots):
        slot = slots[index]
        index += 1
        if isinstance(slot, str):
            if not uri.startswith(slot, start, end):
                return -1
            start += len(slot)
            continue
        if index < len(slots):
            found = uri.find(slots[index], start + 1, end)
            if found < 0:
                return -1
        else:
            found = end
        if not store_uri_value(slot, uri[start:found], raw):
            return -1
        start = found
    return start if start == end or not to_the_end else -1


def match_uri_with_tail(template: UriTemplate, uri: str, raw: dict[str, Any]) -> bool:
    """The path is a fixed part, then `{/x}` values that may be missing from the right.

    The fixed part ends in a literal or a narrow slot, so the number of slashes it holds is known."""
    slashes = sum(slot.count("/") for slot in template.slots if isinstance(slot, str))
    position = -1
    for _ in range(slashes + 1):
        position = uri.find("/", position + 1)
        if position < 0:
            position = len(uri)
            break
    head, rest = uri[:position], uri[position + 1 :].split("/") if position < len(uri) else []
    if scan_uri_forward(head, 0, len(head), template.slots, raw, True) < 0:
        return False
    for slot in template.tail:
        if not rest:
            return True
        if slot.wide:
            return store_uri_value(slot, "/".join(rest), raw)
        if not store_uri_value(slot, rest.pop(0), raw):
            return False
    return not rest


def store_uri_value(slot: UriSlot, text: str, raw: dict[str, Any]) -> bool:
    if not text or any(stop in text for stop in slot.stops):
        return False
    raw[slot.name] = text.split(slot.split) if slot.split else text
    return True
