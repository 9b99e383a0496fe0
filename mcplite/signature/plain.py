"""What most functions are: plain, with plain hints. They are described in microseconds, without typing and inspect.

Here: the errors; SignatureTarget, a function and its parameters; the hints str, int, float, bool, dict, list, object,
`list[...]` and `dict[str, ...]` of plain ones, `... | None`, unions of str, int and bool, as objects or as text; the
converters that all of the folder shares. Not here: all other callables (callables), all other hints (hints).

Specification: server/tools ("Tool"); JSON Schema 2020-12. A described hint is a pair: a schema, and a converter from a JSON
value that satisfies it (None: the value stays). A converter never changes its value; it returns a new one.
"""
from ..errors import RegistrationError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    Converter = Callable[[Any], Any]
    Described = tuple[dict[str, Any], Converter | None]


class ArgumentError(ValueError):
    """An argument that its schema allows and its type does not. path: JSON Pointer from the arguments, "" for the value
    itself; message: what was expected and what came, for the model that has to mend the call."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(path + ": " + message if path else message)
        self.path = path
        self.message = message

    def under(self, token: str) -> "ArgumentError":
        """The same error as the container sees it in which the value has this name or index (RFC 6901)."""
        if "~" in token or "/" in token:
            token = token.replace("~", "~0").replace("/", "~1")
        return ArgumentError("/" + token + self.path, self.message)


class UnresolvedHint(RegistrationError):
    """A name in a hint does not exist yet, though it may before the first request: call retry() then.

    retry() returns the Signature, or raises again. It still sees the local names of the function in which the
    registered one was defined. frame: the innermost of these functions, None at module level."""

    def __init__(self, text: str, frame: "Any") -> None:
        super().__init__(text)
        self.frame = frame
        self.retry: Callable[[], Any] = lambda: None  # set by parse_signature


try:
    GENERIC_ALIAS: "Any" = type(list[int])
except TypeError:  # Python 3.8
    GENERIC_ALIAS = None
try:
    UNION_ALIAS: "Any" = type(int | None)
except TypeError:  # before 3.10
    UNION_ALIAS = None
NONE_CLASS = type(None)

HINT_ABSENT: "Any" = object()  # no hint, no default, or no value
PLAIN_HINTS = {str: "string", int: "integer", float: "number", bool: "boolean", dict: "object", list: "array",
               object: ""}
PLAIN_NAMES = {hint.__name__: hint for hint in PLAIN_HINTS}
PLAIN_UNION_MEMBERS = frozenset((str, int, bool, NONE_CLASS))
NOTHING_BOUND: "frozenset[str]" = frozenset()
PACKAGE_NAME = __name__.rpartition(".signature.")[0] or __name__  # the single file has but one module

CODE_VARARGS, CODE_VARKEYWORDS, CODE_GENERATOR, CODE_ASYNC = 0x04, 0x08, 0x20, 0x80 | 0x100 | 0x200
CODE_UNUSUAL = CODE_VARARGS | CODE_GENERATOR | CODE_ASYNC
PLAIN_FUNCTION = type(lambda: None)


class SignatureTarget:
    """The plain function behind a callable.

    skip: its leading parameters that are bound already; bound: names that are bound by keyword; owner: the object of a
    bound method; keywords: the name of **kw, or ""; frame: the innermost frame around the function's definition, where
    that is known; definitions: the "$defs" of its parameters."""

    __slots__ = ("bound", "definitions", "doc", "frame", "function", "hints", "keywords", "module", "name", "owner", "scope",
                 "skip")

    def __init__(self, function: "Any") -> None:
        self.function = function
        self.module: dict[str, Any] = function.__globals__
        name = function.__name__
        self.name: str | None = name if name != "<lambda>" else None
        self.doc: Any = function.__doc__
        self.skip = 0
        self.bound = NOTHING_BOUND
        self.owner: Any = None
        self.frame: Any = None
        self.definitions: dict[str, Any] = {}
        self.scope: Any = None  # the names.HintScope of the parameters, once one needs it
        code = function.__code__
        end = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & CODE_VARARGS)
        self.keywords: str = code.co_varnames[end] if code.co_flags & CODE_VARKEYWORDS else ""
        self.hints: dict[str, Any] = {}  # set by parse_signature

    @property
    def label(self) -> str:
        """How errors call the function."""
        return 'function "%s"' % getattr(self.function, "__qualname__", self.name)

    def parameters(self) -> "Iterator[tuple[str, Any, Any]]":
        """Name, hint and default of each parameter that is not bound, HINT_ABSENT for none."""
        code = self.function.__code__
        names, count = code.co_varnames, code.co_argcount
        defaults = self.function.__defaults__ or ()
        first_default = count - len(defaults)
        keyword_defaults = self.function.__kwdefaults__ or {}
        for index in range(self.skip, count + code.co_kwonlyargcount):
            name = names[index]
            if name in self.bound:
                continue
            if index >= count:
                default = keyword_defaults.get(name, HINT_ABSENT)
            else:
                default = defaults[index - first_default] if index >= first_default else HINT_ABSENT
            yield name, self.hints.get(name, HINT_ABSENT), default


def context_is_class(hint: "Any") -> bool:
    return hint.__name__ == "Context" and hint.__module__ in (PACKAGE_NAME, PACKAGE_NAME + ".context")


def clean_docstring(doc: "str | None") -> "str | None":
    """A docstring without the indentation of the code, as inspect.cleandoc has it; None for an empty one."""
    if doc.__class__ is not str or doc is None:
        return None
    if "\n" not in doc:
        return doc.expandtabs().lstrip() or None
    first, *lines = doc.expandtabs().split("\n")
    margins = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
    margin = min(margins) if margins else 0
    text = "\n".join([first.lstrip(), *[line[margin:] for line in lines]]).strip("\n")
    return None if not text or text.isspace() else text


# --- plain hints ------------------------------------------------------------------------------------------------------


def describe_plain(hint: "Any", module: "dict[str, Any]") -> "Described | None":
    """The schema and converter of a plain hint; None for one that the module hints has to look at.

    module: a name that it gives another meaning is not plain."""
    kind = type(hint)  # not __class__: until 3.10 that of list[int] is type
    if kind is str:
        named = PLAIN_NAMES.get(hint)
        if named is None:
            return describe_plain_text(hint, module)
        return None if hint in module else describe_json_class(named)
    if kind is type:
        return describe_json_class(hint) if hint in PLAIN_HINTS else None
    if hint is HINT_ABSENT:
        return {}, None
    if kind is GENERIC_ALIAS:
        origin, arguments = hint.__origin__, hint.__args__
        if origin is list and len(arguments) == 1:
            items = describe_plain(arguments[0], module)
            return items and describe_list(items)
        if origin is dict and len(arguments) == 2 and arguments[0] is str:
            values = describe_plain(arguments[1], module)
            return values and describe_dict(values)
    elif kind is UNION_ALIAS:
        first, *rest = hint.__args__
        if len(rest) == 1 and rest[0] is NONE_CLASS:
            return describe_nullable(describe_plain(first, module))
        if PLAIN_UNION_MEMBERS.issuperset(hint.__args__):  # as `int | str`: no choice is needed to convert a value
            names = ["null" if member is NONE_CLASS else PLAIN_HINTS[member] for member in hint.__args__]
            return {"anyOf": [{"type": name} for name in names]}, json_to_int if "integer" in names else None
    return None


def describe_plain_text(text: str, module: "dict[str, Any]") -> "Described | None":
    """What `from __future__ import annotations` leaves of a plain hint."""
    if text.endswith(" | None"):
        return describe_nullable(describe_plain(text[:-7], module))
    if text.endswith("]"):
        if text.startswith("list[") and "list" not in module:
            items = describe_plain(text[5:-1], module)
            return items and describe_list(items)
        if text.startswith("dict[str, ") and "dict" not in module and "str" not in module:
            values = describe_plain(text[10:-1], module)
            return values and describe_dict(values)
    return None


def describe_json_class(hint: type) -> "Described":
    name = PLAIN_HINTS[hint]
    return ({"type": name} if name else {}), PLAIN_CONVERTERS.get(hint)


def describe_list(items: "Described") -> "Described":
    schema, convert = items
    return ({"type": "array", "items": schema} if schema else {"type": "array"}), new_list_converter(convert)


def describe_dict(values: "Described") -> "Described":
    schema, convert = values
    return ({"type": "object", "additionalProperties": schema} if schema else {"type": "object"}), new_dict_converter(convert)


def describe_nullable(described: "Described | None") -> "Described | None":
    """`X | None`. Converters of plain types let None through."""
    if described is None:
        return None
    schema, convert = described
    if not schema or "anyOf" in schema:
        return None
    if convert is not json_to_int and convert is not json_to_float:
        convert = new_nullable_converter(convert)
    return {"anyOf": [schema, {"type": "null"}]}, convert


def schema_allows_null(schema: "dict[str, Any]") -> bool:
    return not schema or {"type": "null"} in schema.get("anyOf", ()) or None in schema.get("enum", ())


# --- JSON to Python ---------------------------------------------------------------------------------------------------


def json_to_int(value: "Any") -> "Any":
    """3.0 is an integer in JSON; Python's range() wants 3. None passes, for `int | None`."""
    return int(value) if value.__class__ is float else value


def json_to_float(value: "Any") -> "Any":
    """3 is a number in JSON; a float has is_integer(). None passes, for `float | None`."""
    if value.__class__ is int:
        try:
            return float(value)
        except OverflowError:
            raise ArgumentError("", "the number is too large for a float") from None
    return value


PLAIN_CONVERTERS: "dict[type, Converter]" = {int: json_to_int, float: json_to_float}


def new_nullable_converter(convert: "Converter | None") -> "Converter | None":
    if convert is None:
        return None
    return lambda value: None if value is None else convert(value)


def new_list_converter(convert: "Converter | None") -> "Converter | None":
    if convert is None:
        return None

    def convert_list(values: "Any") -> "Any":
        made: list[Any] = []
        try:
            for value in values:
                made.append(convert(value))
        except ArgumentError as error:
            raise error.under(str(len(made))) from None
        return made

    return convert_list


def new_dict_converter(convert: "Converter | None") -> "Converter | None":
    if convert is None:
        return None

    def convert_dict(values: "Any") -> "Any":
        made = {}
        name = ""
        try:
            for name, value in values.items():
                made[name] = convert(value)
        except ArgumentError as error:
            raise error.under(name) from None
        return made

    return convert_dict


def convert_members(made: "dict[str, Any]", converters: "list[tuple[str, Converter]]") -> "dict[str, Any]":
    """Convert, in place, the members that have a converter: of the arguments, or of an object in them."""
    name = ""
    try:
        for name, convert in converters:
            if name in made:
                made[name] = convert(made[name])
    except ArgumentError as error:
        raise error.under(name) from None
    return made


def new_call_converter(make: "Any") -> "Converter":
    """Call a class; what it objects to (`__post_init__`, `__new__`) is an error of the argument."""

    def convert_call(value: "Any") -> "Any":
        try:
            return make(value)
        except (ValueError, TypeError) as error:
            raise ArgumentError("", str(error).split("\n")[0] or type(error).__name__) from None

    return convert_call
