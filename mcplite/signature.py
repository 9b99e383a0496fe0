"""A function's parameters and hints: its JSON Schema, and JSON arguments as the Python values that the hints name.

Here: the plain cases, read from `__code__`, `__annotations__` and `__defaults__` in microseconds, without typing and
inspect. Not here: judging arguments (schema); every hint and callable that is not plain (signature_names,
signature_typing and signature_values, imported when the first one comes).

Specification: server/tools ("Tool": inputSchema, outputSchema), server/prompts ("Prompt": arguments), of all revisions;
JSON Schema 2020-12. Invariants:

1. A published schema has "type": "object" and "properties"; the order is that of the parameters. Types are inlined;
   "$defs" appears only for a type that contains itself. Input and output objects are closed
   ("additionalProperties": false), but for **kw.
2. A parameter with a default is not required. The default is published when it is JSON and fits its own schema, and is
   never filled in here: Python does that.
3. convert() is called with arguments that satisfy the schema, and never changes them: it returns a new dict, or the
   same one where there is nothing to convert.
4. What JSON arguments cannot fill is refused when it is registered, with a text that names function and parameter.
"""
from .errors import RegistrationError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Converter = Callable[[Any], Any]
    ArgumentsConverter = Callable[[dict[str, Any]], dict[str, Any]]
    Described = tuple[dict[str, Any], Converter | None]


class ArgumentError(ValueError):
    """An argument that its schema allows and its type does not. path: JSON Pointer from the arguments, "" for the value
    itself; message: what was expected and what came, for the model that has to mend the call."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(path + ": " + message if path else message)
        self.path = path
        self.message = message


class UnresolvedHint(RegistrationError):
    """A name in a hint does not exist yet, though it may before the first request: call retry() then.

    retry() returns the Signature, or raises again. It still sees the local names of the function in which the
    registered one was defined."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.function: Any = None
        self.kind = "tool"
        self.frame: Any = None

    def retry(self) -> "Signature":
        return parse_signature(self.function, self.kind, self.frame)


class Signature:
    """What parse_signature() found.

    name: the function's name, None for a lambda or an object without one. description: the docstring without its
    indentation, None without one. input_schema: of the arguments. output_schema: None when the return hint names no
    structure. parameters: the argument names. required: those without a default. context_name: the parameter that takes
    the Context, or None. arguments_name: kind "raw" only, the parameter that takes the dict, or None. prompt_arguments:
    kinds "prompt" and "resource", the `arguments` of a Prompt. convert: None when the arguments may be passed as they
    are; otherwise call it with arguments that satisfy input_schema (kinds "prompt" and "resource": with any dict of
    strings), and pass the dict that it returns by keyword. It raises ArgumentError."""

    __slots__ = ("arguments_name", "context_name", "convert", "description", "function", "input_schema", "name",
                 "output_schema", "parameters", "prompt_arguments", "required")

    def __init__(self, function: "Any", name: "str | None", description: "str | None") -> None:
        self.function = function
        self.name = name
        self.description = description
        self.input_schema: dict[str, Any] = {}
        self.output_schema: dict[str, Any] | None = None
        self.prompt_arguments: list[dict[str, Any]] = []
        self.parameters: tuple[str, ...] = ()
        self.required: tuple[str, ...] = ()
        self.context_name: str | None = None
        self.arguments_name: str | None = None
        self.convert: ArgumentsConverter | None = None


NOTHING_BOUND: "frozenset[str]" = frozenset()


class SignatureTarget:
    """The plain function behind a callable. skip: its leading parameters that are bound already; bound: names that are
    bound by keyword; owner: the object of a bound method."""

    __slots__ = ("bound", "doc", "function", "name", "owner", "skip")

    def __init__(self, function: "Any") -> None:
        self.function = function
        self.skip = 0
        self.bound = NOTHING_BOUND
        self.owner: Any = None
        name = function.__name__
        self.name: str | None = name if name != "<lambda>" else None
        self.doc: Any = function.__doc__

    @property
    def label(self) -> str:
        """How errors call the function."""
        return 'function "%s"' % getattr(self.function, "__qualname__", self.name)


PLAIN_FUNCTION = type(lambda: None)
try:
    GENERIC_ALIAS: "Any" = type(list[int])
except TypeError:  # Python 3.8
    GENERIC_ALIAS = None
try:
    UNION_ALIAS: "Any" = type(int | None)
except TypeError:  # before 3.10
    UNION_ALIAS = None
NONE_CLASS = type(None)

PLAIN_UNION_MEMBERS = frozenset((str, int, bool, NONE_CLASS))

HINT_ABSENT: "Any" = object()  # no hint, or no default
PLAIN_HINTS = {str: "string", int: "integer", float: "number", bool: "boolean", dict: "object", list: "array",
               object: ""}
PLAIN_NAMES = {"str": str, "int": int, "float": float, "bool": bool, "dict": dict, "list": list, "object": object}
DEFAULT_CLASSES = {"string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,)}
# Return hints that announce no output schema; as text they are not even looked up.
UNSTRUCTURED = frozenset((None, NONE_CLASS, str, int, float, bool, dict, list, object, bytes))
UNSTRUCTURED_TEXTS = frozenset((
    "None", "str", "int", "float", "bool", "dict", "list", "object", "bytes", "Any", "dict[str, Any]", "list[Any]",
    "list[dict]", "list[dict[str, Any]]", "Dict[str, Any]", "List[Any]"))
CONTEXT_MODULES = frozenset((__name__, __name__.rpartition(".")[0] + ".context"))  # the single file has but one module

CODE_VARARGS, CODE_VARKEYWORDS, CODE_GENERATOR, CODE_ASYNC = 0x04, 0x08, 0x20, 0x80 | 0x100 | 0x200
CODE_UNUSUAL = CODE_VARARGS | CODE_GENERATOR | CODE_ASYNC


def parse_signature(function: "Any", kind: str = "tool", frame: "Any" = None) -> "Signature":
    """Read the parameters, hints, defaults and docstring of a callable.

    function: a function, bound method, staticmethod, functools.partial or object with __call__. kind: "tool"; "prompt"
    or "resource" (arguments come as strings and are converted from them); "raw" (a handler that takes the arguments as
    one dict, and perhaps the Context: no schemas). frame: for UnresolvedHint.retry() only. Raises UnresolvedHint for a
    name that is not defined yet, RegistrationError for all that JSON arguments cannot fill. Specification:
    server/tools, "Tool"."""
    if function.__class__ is PLAIN_FUNCTION and not hasattr(function, "__wrapped__"):
        target = SignatureTarget(function)
    else:
        from .signature_names import find_signature_target

        target = find_signature_target(function)
    signature = Signature(function, target.name, clean_docstring(target.doc))
    code = target.function.__code__
    check_code(target, code)
    try:
        if kind == "raw":
            from .signature_raw import fill_raw

            fill_raw(signature, target, code, frame)
        else:
            fill_signature(signature, target, code, kind, frame)
    except UnresolvedHint as error:
        error.function, error.kind = function, kind
        raise
    return signature


def check_code(target: "SignatureTarget", code: "Any") -> None:
    """Refuse functions that cannot be called with arguments by name, or whose result is no value."""
    flags = code.co_flags
    if not (flags & CODE_UNUSUAL or code.co_posonlyargcount or "." in target.function.__qualname__):
        return
    label = target.label
    count = code.co_argcount + code.co_kwonlyargcount
    names = code.co_varnames
    if flags & CODE_ASYNC:
        raise RegistrationError(label + " is async, and mcplite has one thread and no event loop: write a plain def")
    if flags & CODE_GENERATOR:
        raise RegistrationError(label + " is a generator: return a list instead of yielding")
    if flags & CODE_VARARGS and not (target.skip > code.co_argcount):
        raise RegistrationError('%s, parameter "*%s": JSON arguments have names; name each parameter, or take one list'
                                % (label, names[count]))
    if code.co_posonlyargcount > target.skip:
        raise RegistrationError('%s, parameter "%s" is positional-only, and JSON arguments have names: remove the "/"'
                                % (label, names[target.skip]))
    if not target.skip and code.co_argcount and method_is_unbound(target.function, names[0]):
        raise RegistrationError('%s, parameter "%s": a method of no object; register it from an instance, as in '
                                "server.tool(obj.method)" % (label, names[0]))


def method_is_unbound(function: "Any", first: str) -> bool:
    """Whether a plain function is the method of a class: by the name of its first parameter, or found in the class."""
    path = function.__qualname__.rpartition("<locals>.")[2]
    if "." not in path:
        return False
    if first in ("self", "cls"):
        return True
    owner: Any = function.__globals__
    for name in path.split("."):
        owner = owner.get(name) if isinstance(owner, dict) else getattr(owner, "__dict__", {}).get(name)
    return owner is function


def context_is_class(hint: "Any") -> bool:
    return hint.__name__ == "Context" and hint.__module__ in CONTEXT_MODULES


def fill_signature(signature: "Signature", target: "SignatureTarget", code: "Any", kind: str, frame: "Any") -> None:
    function = target.function
    try:
        hints = function.__annotations__
    except NameError:  # 3.14 evaluates hints only now
        from .signature_names import forward_annotations

        hints = forward_annotations(function)
    module = function.__globals__
    argcount = code.co_argcount
    end = argcount + code.co_kwonlyargcount
    defaults = function.__defaults__ or ()
    first_default = argcount - len(defaults)
    keyword_defaults = function.__kwdefaults__ or {}
    names = code.co_varnames
    scope: Any = None
    properties: dict[str, Any] = {}
    required: list[str] = []
    ints: list[str] = []
    others: list[tuple[str, Converter]] = []
    texts = kind in ("prompt", "resource")
    for index in range(target.skip, end):
        name = names[index]
        if name in target.bound:
            continue
        hint = hints.get(name, HINT_ABSENT)
        if name == "ctx" or (type(hint) is type and context_is_class(hint)):
            set_context_name(signature, target, name)
            continue
        if index >= argcount:
            default = keyword_defaults.get(name, HINT_ABSENT)
        else:
            default = defaults[index - first_default] if index >= first_default else HINT_ABSENT
        described = describe_plain(hint, module)
        if described is None:
            from .signature_names import HintScope
            from .signature_typing import describe_parameter

            if scope is None:
                scope = HintScope(target, code, frame)
            described = describe_parameter(scope, name, hint)
            if described is None:
                set_context_name(signature, target, name)
                continue
        schema, convert = described
        if default is HINT_ABSENT:
            required.append(name)
        elif default is None:  # `n: int = None` is common: allowed, but null stays invalid, so it is not published
            if not schema or {"type": "null"} in schema.get("anyOf", ()) or None in schema.get("enum", ()):
                schema["default"] = None
        else:
            publish_default(schema, convert, default, hint, scope, target, name)
        properties[name] = schema
        if texts:
            if convert is not None or schema.get("type") != "string" or len(schema) > 1:
                from .signature_values import new_text_converter

                others.append((name, new_text_converter(schema, convert, scope, default is not HINT_ABSENT)))
        elif convert is json_to_int:
            ints.append(name)
        elif convert is not None:
            others.append((name, convert))
    schema = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    schema["additionalProperties"] = False
    signature.parameters = tuple(properties)
    signature.required = tuple(required)
    hidden: frozenset[str] | None = None
    extra: Converter | None = None
    if code.co_flags & CODE_VARKEYWORDS:
        hint = hints.get(names[end + bool(code.co_flags & CODE_VARARGS)], HINT_ABSENT)
        described = describe_plain(hint, module)
        if described is None:
            from .signature_names import HintScope
            from .signature_typing import describe_parameter

            scope = scope or HintScope(target, code, frame)
            described = describe_parameter(scope, names[end + bool(code.co_flags & CODE_VARARGS)], hint) or ({}, None)
        schema["additionalProperties"] = described[0] or True
        extra = described[1]
        hidden = target.bound | frozenset(filter(None, (signature.context_name,))) | frozenset(names[: target.skip])
    if scope is not None and scope.definitions:
        schema["$defs"] = scope.definitions
    signature.input_schema = schema
    if texts:
        from .signature_texts import new_prompt_arguments, new_text_arguments_converter

        signature.prompt_arguments = new_prompt_arguments(properties, required)
        signature.convert = new_text_arguments_converter(signature, dict(others), extra, hidden)
        return
    if ints or others or hidden or extra:
        signature.convert = new_arguments_converter(tuple(ints), tuple(others), extra, hidden, signature.parameters)
    result = hints.get("return")
    if type(result) is str:
        if result in UNSTRUCTURED_TEXTS:
            return
    elif result is None or (type(result) is type and result in UNSTRUCTURED):
        return
    described = describe_plain(result, module)
    if described is None:
        from .signature_names import HintScope
        from .signature_typing import describe_result

        signature.output_schema = describe_result(HintScope(target, code, frame, output=True), result)
    elif "items" in described[0] or "additionalProperties" in described[0]:
        signature.output_schema = described[0]


def set_context_name(signature: "Signature", target: "SignatureTarget", name: str) -> None:
    if signature.context_name is not None:
        raise RegistrationError('%s, parameters "%s" and "%s" both take the Context: keep one'
                                % (target.label, signature.context_name, name))
    signature.context_name = name


# --- plain hints --------------------------------------------------------------------------------------------------


def describe_plain(hint: "Any", module: "dict[str, Any]") -> "Described | None":
    """The schema and converter of a plain hint; None for one that signature_typing has to look at.

    Plain are the JSON classes, `list[...]` and `dict[str, ...]` of plain ones, `... | None`, as objects or as the text
    that `from __future__ import annotations` leaves, unless the module gives the names another meaning."""
    kind = type(hint)  # not __class__: until 3.10 that of list[int] is type
    if kind is str:
        named = PLAIN_NAMES.get(hint)
        if named is None:
            return describe_plain_text(hint, module)
        if hint in module:
            return None
        hint, kind = named, type
    if kind is type:
        name = PLAIN_HINTS.get(hint)
        if name is None:
            return None
        if name == "integer":
            return {"type": name}, json_to_int
        if name == "number":
            return {"type": name}, json_to_float
        return ({"type": name} if name else {}), None
    if hint is HINT_ABSENT:
        return {}, None
    if kind is GENERIC_ALIAS:
        origin, arguments = hint.__origin__, hint.__args__
        if origin is list and len(arguments) == 1:
            return describe_plain_list(describe_plain(arguments[0], module))
        if origin is dict and len(arguments) == 2 and arguments[0] is str:
            return describe_plain_dict(describe_plain(arguments[1], module))
        return None
    if kind is UNION_ALIAS:
        first, *rest = hint.__args__
        if len(rest) == 1 and rest[0] is NONE_CLASS:
            return describe_nullable(describe_plain(first, module))
        return describe_plain_union(hint.__args__)
    return None


def describe_plain_union(members: "tuple[Any, ...]") -> "Described | None":
    """The schema of a union of str, int, bool and None, as `int | str`: one that needs no choice when a value is converted."""
    if not PLAIN_UNION_MEMBERS.issuperset(members):
        return None
    names = ["null" if member is NONE_CLASS else PLAIN_HINTS[member] for member in members]
    return {"anyOf": [{"type": name} for name in names]}, json_to_int if "integer" in names else None


def describe_plain_text(text: str, module: "dict[str, Any]") -> "Described | None":
    if text.endswith(" | None"):
        return describe_nullable(describe_plain(text[:-7], module))
    if text.endswith("]"):
        if text.startswith("list[") and "list" not in module:
            return describe_plain_list(describe_plain(text[5:-1], module))
        if text.startswith("dict[str, ") and "dict" not in module and "str" not in module:
            return describe_plain_dict(describe_plain(text[10:-1], module))
    return None


def describe_plain_list(items: "Described | None") -> "Described | None":
    if items is None:
        return None
    schema, convert = items
    return ({"type": "array", "items": schema} if schema else {"type": "array"}), new_list_converter(convert)


def describe_plain_dict(values: "Described | None") -> "Described | None":
    if values is None:
        return None
    schema, convert = values
    found: dict[str, Any] = {"type": "object"}
    if schema:
        found["additionalProperties"] = schema
    return found, new_dict_converter(convert)


def describe_nullable(described: "Described | None") -> "Described | None":
    """The schema of `X | None`. Converters of plain types let None through."""
    if described is None:
        return None
    schema, convert = described
    if not schema or "anyOf" in schema:
        return None
    if convert is not json_to_int and convert is not json_to_float:
        convert = new_nullable_converter(convert)
    return {"anyOf": [schema, {"type": "null"}]}, convert


def publish_default(schema: "dict[str, Any]", convert: "Converter | None", default: "Any", hint: "Any", scope: "Any",
                    target: "SignatureTarget", name: str) -> None:
    """Put the default into the schema if it is JSON; refuse one that does not fit its own hint (invariant 2)."""
    kind = default.__class__
    plain = convert is None or convert is json_to_int or convert is json_to_float
    if plain and len(schema) == 1 and kind in DEFAULT_CLASSES.get(schema.get("type", ""), ()):
        if kind is not float or default - default == 0.0:
            schema["default"] = default
        return
    from .signature_values import check_default

    check_default(schema, convert, default, hint, scope, target, name)


# --- JSON to Python -----------------------------------------------------------------------------------------------


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


def new_list_converter(convert: "Converter | None") -> "Converter | None":
    if convert is None:
        return None

    def convert_list(values: "Any") -> "Any":
        made = []
        try:
            for value in values:
                made.append(convert(value))
        except ArgumentError as error:
            raise ArgumentError("/%d%s" % (len(made), error.path), error.message) from None
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
            raise ArgumentError("/" + escape_pointer(name) + error.path, error.message) from None
        return made

    return convert_dict


def new_nullable_converter(convert: "Converter | None") -> "Converter | None":
    if convert is None:
        return None
    return lambda value: None if value is None else convert(value)


def new_arguments_converter(ints: "tuple[str, ...]", others: "tuple[tuple[str, Converter], ...]", extra: "Converter | None",
                            hidden: "frozenset[str] | None", known: "tuple[str, ...]") -> "ArgumentsConverter":
    """The convert() of a tool. ints: parameters that only need 3.0 made 3; hidden: names that **kw must not let in."""

    def convert_ints(arguments: "dict[str, Any]") -> "dict[str, Any]":
        made = arguments.copy()
        for name in ints:
            value = made.get(name)
            if value.__class__ is float:
                made[name] = int(value)
        return made

    def convert_whole_floats(arguments: "dict[str, Any]") -> "dict[str, Any]":
        for value in arguments.values():  # a float is rare: no copy without one (0.2 of 9 µs a call)
            if value.__class__ is float:
                return convert_ints(arguments)
        return arguments

    if not others and hidden is None:
        return convert_whole_floats

    def convert_arguments(arguments: "dict[str, Any]") -> "dict[str, Any]":
        made = convert_ints(arguments)
        name = ""
        try:
            for name, convert in others:
                if name in made:
                    made[name] = convert(made[name])
        except ArgumentError as error:
            raise ArgumentError("/" + name + error.path, error.message) from None
        if hidden is not None:
            convert_extra(made, known, hidden, extra)
        return made

    return convert_arguments


def convert_extra(made: "dict[str, Any]", known: "tuple[str, ...]", hidden: "frozenset[str]",
                  extra: "Converter | None") -> None:
    """The arguments that go into **kw."""
    for name in made:
        if name in hidden:
            raise ArgumentError("/" + escape_pointer(name), "this argument is set by the server; leave it out")
        if extra is not None and name not in known:
            try:
                made[name] = extra(made[name])
            except ArgumentError as error:
                raise ArgumentError("/" + escape_pointer(name) + error.path, error.message) from None


JSON_KINDS: "dict[Any, str]" = {str: "a string", int: "an integer", float: "a number", bool: "a boolean",
                              dict: "an object", list: "an array", NONE_CLASS: "null"}


def json_kind(value: "Any") -> str:
    return JSON_KINDS.get(value.__class__) or str(type(value).__name__)


def escape_pointer(name: str) -> str:
    """A key as a token of a JSON Pointer (RFC 6901)."""
    return name.replace("~", "~0").replace("/", "~1") if "~" in name or "/" in name else name


# --- the rest -----------------------------------------------------------------------------------------------------


def clean_docstring(doc: "str | None") -> "str | None":
    """A docstring without the indentation of the code, as inspect.cleandoc has it; None for an empty one."""
    if doc.__class__ is not str or doc is None:
        return None
    if "\t" in doc:
        doc = doc.expandtabs()
    if "\n" not in doc:
        doc = doc.lstrip()
        return doc or None
    first, *lines = doc.split("\n")
    margin = -1
    for line in lines:
        bare = line.lstrip()
        if bare and not 0 <= margin <= len(line) - len(bare):
            margin = len(line) - len(bare)
    lines = [first.lstrip(), *([line[margin:] for line in lines] if margin > 0 else lines)]
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        del lines[0]
    text = "\n".join(lines)
    return None if not text or text.isspace() else text
