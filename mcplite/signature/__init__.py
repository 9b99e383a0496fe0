"""Signatures: a function's parameters as its JSON Schema, and JSON arguments as the Python values that the hints name.

Here: the way through a callable (``parse_signature``), read from `__code__`, `__annotations__` and `__defaults__` without typing
and inspect. It stands in the folder's own file since every server with a tool runs it before its first answer: one file less
to load is 0.1 ms. Not here: judging arguments (``schema``). What may be imported from here: ``__all__``.

In the order of reading: ``plain`` (what most functions are), this, and then what is loaded when a program uses it: ``callables``
(methods, partials, wrappers), ``names`` (hints as text), ``hints`` (all that are not plain) with ``choices`` and ``classes``;
``judge`` (does a value fit: unions, defaults), ``texts`` (the arguments of prompts and resources, which come as strings).

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
from ..errors import RegistrationError
from .plain import (
    CODE_UNUSUAL,
    HINT_ABSENT,
    NONE_CLASS,
    PLAIN_FUNCTION,
    ArgumentError,
    SignatureTarget,
    UnresolvedHint,
    clean_docstring,
    context_is_class,
    convert_members,
    describe_plain,
    json_to_float,
    json_to_int,
    schema_allows_null,
)

__all__ = ["ArgumentError", "Signature", "UnresolvedHint", "clean_docstring", "parse_signature"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .plain import Converter, Described

    ArgumentsConverter = Callable[[dict[str, Any]], dict[str, Any]]
    ExtraConverter = Callable[[dict[str, Any]], None]


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


DEFAULT_CLASSES = {"string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,)}
# Return hints that announce no output schema; as text they are not even looked up.
UNSTRUCTURED = frozenset((None, NONE_CLASS, str, int, float, bool, dict, list, object, bytes))
UNSTRUCTURED_TEXTS = frozenset((
    "None", "str", "int", "float", "bool", "dict", "list", "object", "bytes", "Any", "dict[str, Any]", "list[Any]",
    "list[dict]", "list[dict[str, Any]]", "Dict[str, Any]", "List[Any]"))


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
        from .callables import find_signature_target

        target = find_signature_target(function)
    code = target.function.__code__
    # A method of no object has its class in its name.
    if code.co_flags & CODE_UNUSUAL or code.co_posonlyargcount or "." in target.function.__qualname__.rpartition("<locals>.")[2]:
        from .callables import check_code

        check_code(target)
    try:
        target.hints = target.function.__annotations__
    except NameError:  # 3.14 evaluates hints only now
        from .names import forward_annotations

        target.hints = forward_annotations(target.function)
    target.frame = frame
    signature = Signature(function, target.name, clean_docstring(target.doc))
    try:
        if kind == "raw":
            fill_raw(signature, target)
        else:
            fill_signature(signature, target, kind)
    except UnresolvedHint as error:
        around = error.frame
        error.retry = lambda: parse_signature(function, kind, around)
        raise
    return signature


def fill_signature(signature: "Signature", target: "SignatureTarget", kind: str) -> None:
    texts = kind in ("prompt", "resource")
    if texts:
        from .texts import new_prompt_arguments, new_text_converter, new_texts_converter

    properties: dict[str, Any] = {}
    required: list[str] = []
    converters: list[tuple[str, Converter]] = []
    for name, hint, default in target.parameters():
        takes_context = name == "ctx" or (type(hint) is type and context_is_class(hint))
        described = None if takes_context else describe_parameter(target, name, hint)
        if described is None:
            set_context_name(signature, target, name)
            continue
        schema, convert = described
        if default is HINT_ABSENT:
            required.append(name)
        else:
            publish_default(schema, convert, default, hint, target, name)
        properties[name] = schema
        if texts:
            convert = new_text_converter(schema, convert, target.definitions, default is not HINT_ABSENT)
        if convert is not None:
            converters.append((name, convert))
    signature.parameters, signature.required = tuple(properties), tuple(required)
    schema = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    schema["additionalProperties"] = False
    convert_extra: ExtraConverter | None = None
    if target.keywords:  # **kw
        each, convert = describe_parameter(target, target.keywords, target.hints.get(target.keywords, HINT_ABSENT)) or ({}, None)
        schema["additionalProperties"] = each or True
        if texts:
            convert = new_text_converter(each, convert, target.definitions, False)
        convert_extra = new_extra_converter(signature, target, convert)
    if target.definitions:
        schema["$defs"] = target.definitions
    signature.input_schema = schema
    if texts:
        signature.prompt_arguments = new_prompt_arguments(properties, required)
        signature.convert = new_texts_converter(signature.parameters, signature.required, dict(converters),
                                                bool(target.keywords), convert_extra)
        return
    if converters or convert_extra is not None:
        signature.convert = new_arguments_converter(converters, convert_extra)
    fill_result(signature, target, target.hints.get("return"))


def fill_raw(signature: "Signature", target: "SignatureTarget") -> None:
    """A handler of explicit schemas: one parameter for the dict of arguments, one for the Context, in any order."""
    for name, hint, default in target.parameters():
        if name == "ctx" or names_context(target, hint):
            signature.context_name = name
        elif signature.arguments_name is None:
            signature.arguments_name = name
        elif default is HINT_ABSENT:
            raise RegistrationError('%s, parameter "%s": a handler with an explicit schema takes the arguments as one '
                                    "dict, and ctx" % (target.label, name))


def fill_result(signature: "Signature", target: "SignatureTarget", result: "Any") -> None:
    if type(result) is str:
        if result in UNSTRUCTURED_TEXTS:
            return
    elif result is None or (type(result) is type and result in UNSTRUCTURED):
        return
    described = describe_plain(result, target.module)
    if described is None:
        from .hints import describe_result

        signature.output_schema = describe_result(target, result)
    elif "items" in described[0] or "additionalProperties" in described[0]:
        signature.output_schema = described[0]


def describe_parameter(target: "SignatureTarget", name: str, hint: "Any") -> "Described | None":
    """The schema and converter of a parameter; None when it takes the Context."""
    described = describe_plain(hint, target.module)
    if described is None:
        from .hints import describe_unplain

        described = describe_unplain(target, name, hint)
    return described


def set_context_name(signature: "Signature", target: "SignatureTarget", name: str) -> None:
    if signature.context_name is not None:
        raise RegistrationError('%s, parameters "%s" and "%s" both take the Context: keep one'
                                % (target.label, signature.context_name, name))
    signature.context_name = name


def names_context(target: "SignatureTarget", hint: "Any") -> bool:
    """Whether the hint of a handler with explicit schemas is the Context; no other hint is resolved."""
    if type(hint) is type:
        return context_is_class(hint)
    if "Context" not in (hint if type(hint) is str else repr(hint)):
        return False
    from .names import CONTEXT_HINT, HintScope, resolve_parameter

    try:
        return resolve_parameter(hint, HintScope(target)) is CONTEXT_HINT
    except RegistrationError:
        return False


def publish_default(schema: "dict[str, Any]", convert: "Converter | None", default: "Any", hint: "Any",
                    target: "SignatureTarget", name: str) -> None:
    """Put the default into the schema if it is JSON; refuse one that does not fit its own hint (invariant 2)."""
    if default is None:  # `n: int = None` is common: allowed, but null stays invalid, so it is not published
        if schema_allows_null(schema):
            schema["default"] = None
        return
    kind = default.__class__
    plain = convert is None or convert is json_to_int or convert is json_to_float
    if plain and len(schema) == 1 and kind in DEFAULT_CLASSES.get(schema.get("type", ""), ()):
        if kind is not float or default - default == 0.0:
            schema["default"] = default
        return
    from .judge import check_default

    check_default(schema, convert, default, hint, target, name)


def new_arguments_converter(converters: "list[tuple[str, Converter]]",
                            convert_extra: "ExtraConverter | None") -> "ArgumentsConverter":
    """The convert() of a tool."""

    def convert_arguments(arguments: "dict[str, Any]") -> "dict[str, Any]":
        made = convert_members(arguments.copy(), converters)
        if convert_extra is not None:
            convert_extra(made)
        return made

    def convert_whole_floats(arguments: "dict[str, Any]") -> "dict[str, Any]":
        for value in arguments.values():  # only 3.0 is made 3, and is rare: no copy without one (0.2 of 9 µs a call)
            if value.__class__ is float:
                return convert_arguments(arguments)
        return arguments

    only_ints = convert_extra is None and {convert for _, convert in converters} == {json_to_int}
    return convert_whole_floats if only_ints else convert_arguments


def new_extra_converter(signature: "Signature", target: "SignatureTarget",
                        convert: "Converter | None") -> "ExtraConverter | None":
    """Check and convert, in place, the arguments that go into **kw; None where there is nothing to do."""
    known = signature.parameters
    hidden = target.bound.union(target.function.__code__.co_varnames[: target.skip], filter(None, (signature.context_name,)))
    if not hidden and convert is None:
        return None

    def convert_extra(made: "dict[str, Any]") -> None:
        for name in hidden.intersection(made):
            raise ArgumentError("", "this argument is set by the server; leave it out").under(name)
        if convert is not None:
            convert_members(made, [(name, convert) for name in made if name not in known])

    return convert_extra
