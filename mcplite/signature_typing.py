"""The hints and callables that are not plain: typing, enum, dataclasses, text hints, partials, prompts' strings.

Here: everything that signature leaves to be imported only when a program uses it. Not here: the plain cases, and the
order in which parameters are looked at (signature).

Specification: JSON Schema 2020-12; PEP 484, 586, 589, 593, 604, 613, 655, 695. Invariants:

1. A hint becomes a pair: a schema, and a converter from a JSON value that satisfies it (None: the value stays).
2. Text is looked up as Python would: type parameters, the closure, the functions around, the module, the builtins;
   then, for names imported only for type checkers, typing. `list[int]` and `int | None` work as text on every Python.
3. Classes are known by module and name, so a module that the program does not use is never imported for a question.
4. Schemas are closed and inlined; "$defs" only for a type that contains itself.

JSON forms (content writes the same ones): Enum, Literal: the value. datetime, date, time: ISO 8601. timedelta: seconds.
UUID, Path: text. Decimal: text, or a number in arguments. Dataclass, TypedDict, NamedTuple: object. list, set, tuple,
Sequence, Iterable: array. bytes: refused. On output, "format" is left out for datetime and time: TypeScript clients
enforce it and want a time zone, which Python's need not have.
"""
from __future__ import annotations

from .errors import RegistrationError
from .signature import (
    GENERIC_ALIAS,
    HINT_ABSENT,
    NONE_CLASS,
    PLAIN_FUNCTION,
    PLAIN_HINTS,
    ArgumentError,
    SignatureTarget,
    UnresolvedHint,
    clean_docstring,
    context_is_class,
    escape_pointer,
    json_to_float,
    json_to_int,
    new_dict_converter,
    new_list_converter,
    new_nullable_converter,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    Converter = Callable[[Any], Any]
    Described = tuple[dict[str, Any], Converter | None]



class MethodSample:
    def method(self) -> None:
        """Only here for its type."""


BOUND_METHOD: Any = type(MethodSample().method)


# --- callables ----------------------------------------------------------------------------------------------------


def find_signature_target(function: Any) -> SignatureTarget:
    """The plain function whose parameters a callable has, and which of them are bound already."""
    skip = 0
    bound: set[str] = set()
    owner: Any = None
    name: Any = HINT_ABSENT
    doc: Any = HINT_ABSENT
    current = function
    for _ in range(100):  # a chain of decorators; a loop in it must not hang
        if current.__class__ is PLAIN_FUNCTION:
            wrapped = getattr(current, "__wrapped__", None)
            # functools.wraps: the inner parameters count only if the wrapper passes them on.
            if wrapped is None or not current.__code__.co_flags & 0x0C:
                target = SignatureTarget(current)
                target.skip, target.bound, target.owner = skip, frozenset(bound), owner
                if doc is not HINT_ABSENT:
                    target.doc = doc
                if name is not HINT_ABSENT:
                    target.name = name
                return target
            if doc is HINT_ABSENT:
                doc = current.__doc__
            if name is HINT_ABSENT:
                name = current.__name__
            current = wrapped
        elif current.__class__ is BOUND_METHOD:
            owner = current.__self__
            skip += 1
            current = current.__func__
        elif isinstance(current, staticmethod):
            current = current.__func__
        elif isinstance(current, classmethod):
            raise RegistrationError("a classmethod object is bound to no class yet: register it as Class.method")
        elif isinstance(current, type):
            raise RegistrationError('"%s" is a class: register a function or a method' % current.__name__)
        elif is_partial(current):
            skip += len(current.args)
            bound.update(current.keywords)
            current = current.func
        elif getattr(current, "__wrapped__", None) is not None:
            current = current.__wrapped__
        elif hasattr(current, "__code__") and hasattr(current, "__globals__"):  # compiled by Cython and the like
            return SignatureTarget(current)
        elif callable(current) and hasattr(type(current).__call__, "__code__"):
            if name is HINT_ABSENT:
                name = getattr(current, "__name__", None)
            if doc is HINT_ABSENT:
                doc = type(current).__call__.__doc__ or type(current).__doc__
            owner = current
            skip += 1
            current = type(current).__call__
        elif callable(current):
            raise RegistrationError('"%s" is built in, and its parameters cannot be read: wrap it in a def'
                                    % getattr(current, "__name__", type(current).__name__))
        else:
            raise RegistrationError("%s is not callable: register a function" % type(current).__name__)
    raise RegistrationError("the __wrapped__ chain of %r does not end" % (function,))


def is_partial(function: Any) -> bool:
    return any(base.__name__ == "partial" and base.__module__ == "functools" for base in type(function).__mro__)


def forward_annotations(function: Any) -> dict[str, Any]:
    """The hints of a function on 3.14, with ForwardRef objects where a name is not defined yet."""
    import annotationlib  # type: ignore[import-not-found, unused-ignore]

    made: dict[str, Any] = annotationlib.get_annotations(function, format=annotationlib.Format.FORWARDREF)
    return made


# --- text hints ---------------------------------------------------------------------------------------------------


class HintScope:
    """Where the names of a function's hints are looked up, and what describing them has gathered so far.

    frame: the innermost frame around the function's definition, None for one at module level. definitions: "$defs"."""

    __slots__ = ("cache", "definitions", "frame", "label", "module", "names", "namespaces", "opened", "output",
                 "parameter", "typevars")

    def __init__(self, target: SignatureTarget, code: Any, frame: Any, output: bool = False) -> None:
        function = target.function
        self.label = target.label
        self.parameter = ""
        self.output = output
        self.module: dict[str, Any] = function.__globals__
        self.frame = frame
        self.namespaces: list[Any] = []
        self.definitions: dict[str, Any] = {}
        self.names: dict[Any, str] = {}
        self.opened: dict[Any, list[Converter | None]] = {}
        self.cache: dict[Any, Described] = {}
        self.typevars: dict[Any, Any] = {}
        parameters = getattr(function, "__type_params__", ())
        if parameters:
            self.namespaces.append({item.__name__: item for item in parameters})
        if getattr(function, "__closure__", None):
            self.namespaces.append(closure_names(function))
        if "<locals>" in function.__qualname__:
            if self.frame is None:
                self.frame = enclosing_frame(code)
            self.namespaces.extend(enclosing_namespaces(self.frame))
        if target.owner is not None:  # a class inside the class of a bound method
            self.namespaces.extend(vars(base) for base in (
                target.owner if isinstance(target.owner, type) else type(target.owner)).__mro__[:-1])

    def __getitem__(self, name: str) -> Any:
        """The mapping that eval() takes for its local names; KeyError sends it on to the module."""
        for namespace in self.namespaces:
            if name in namespace:
                return namespace[name]
        raise KeyError(name)

    def refuse(self, text: str) -> RegistrationError:
        return RegistrationError(self.place() + ": " + text)

    def place(self) -> str:
        return '%s, parameter "%s"' % (self.label, self.parameter) if self.parameter else self.label + ", result"


class HintAlias:
    """`list[int]` and `int | None` on Pythons that cannot evaluate them."""

    __slots__ = ("__args__", "__origin__")

    def __init__(self, origin: Any, arguments: tuple[Any, ...]) -> None:
        self.__origin__ = origin
        self.__args__ = arguments

    def __repr__(self) -> str:
        shown = [show_hint(item) for item in self.__args__]
        if self.__origin__ is HintUnion:
            return " | ".join(shown)
        return "%s[%s]" % (show_hint(self.__origin__), ", ".join(shown))


class HintUnion:
    """The origin of a HintAlias for `A | B`."""


def closure_names(function: Any) -> dict[str, Any]:
    made = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__):
        try:
            made[name] = cell.cell_contents
        except ValueError:  # not assigned yet
            continue
    return made


def enclosing_frame(code: Any) -> Any:
    """The running frame whose code defines `code`; reached through a traceback, since the core does not import sys."""
    try:
        raise LookupError
    except LookupError as error:
        frame: Any = error.__traceback__.tb_frame if error.__traceback__ else None
    while frame is not None and not any(constant is code for constant in frame.f_code.co_consts):
        frame = frame.f_back
    return frame


def enclosing_namespaces(frame: Any) -> list[Any]:
    """The local names of the frame and of the functions around it, innermost first."""
    found = []
    while frame is not None:
        found.append(frame.f_locals)
        code = frame.f_code
        frame = frame.f_back
        while frame is not None and not any(constant is code for constant in frame.f_code.co_consts):
            frame = frame.f_back
    if found and found[-1].get("__name__") and "__builtins__" in found[-1]:
        found.pop()  # the module itself
    return found


def resolve_text(text: str, scope: HintScope, module: dict[str, Any]) -> Any:
    """The object that a text hint names. Raises UnresolvedHint for an unknown name, RegistrationError for a bad
    text."""
    found: Any = text
    for _ in range(5):  # text may name text; X = "X" must not go on for ever
        found = evaluate_text(found, scope, module)
        if found.__class__ is not str:
            return found
    raise scope.refuse('the hint "%s" names itself' % text)


def evaluate_text(text: str, scope: HintScope, module: dict[str, Any]) -> Any:
    try:
        return eval(compile(text.strip(), "<hint>", "eval"), module, local_names(scope, module))
    except SyntaxError:
        raise scope.refuse('the hint "%s" is not a Python expression' % text) from None
    except Exception:
        # An old Python that cannot subscript or join classes, a name for type checkers only, or a real mistake.
        tree: Any = compile(text.strip(), "<hint>", "eval", 0x400)  # PyCF_ONLY_AST: ast itself need not be imported
        return evaluate_hint_node(tree.body, scope, module, text, True)


def local_names(scope: HintScope, module: dict[str, Any]) -> Any:
    """Local names of the function mean nothing to a class that is written in another module."""
    return scope if module is scope.module else {}


def find_hint_name(name: str, scope: HintScope, module: dict[str, Any], text: str) -> Any:
    import typing

    try:
        return local_names(scope, module)[name]
    except KeyError:
        pass
    if name in module:
        return module[name]
    builtins = module.get("__builtins__", {})
    builtins = builtins if isinstance(builtins, dict) else vars(builtins)
    if name in builtins:
        return builtins[name]
    if hasattr(typing, name) and name in typing.__all__:
        return getattr(typing, name)
    raise unresolved_hint(name, scope, text)


def unresolved_hint(name: str, scope: HintScope, text: str) -> UnresolvedHint:
    shown = ' in its hint "%s"' % text if text != name else " of its hint"
    error = UnresolvedHint('%s: the name "%s"%s is not defined; define or import it before the first request'
                           % (scope.place(), name, shown))
    error.frame = scope.frame
    return error


def evaluate_hint_node(node: Any, scope: HintScope, module: dict[str, Any], text: str, forward: bool) -> Any:
    """Evaluate the syntax tree of a hint. forward: a str in it is a hint again (not inside Literal and Annotated)."""
    kind = node.__class__.__name__
    if kind == "Name":
        return find_hint_name(node.id, scope, module, text)
    if kind == "Constant":
        return resolve_text(node.value, scope, module) if forward and isinstance(node.value, str) else node.value
    if kind == "Attribute":
        value = evaluate_hint_node(node.value, scope, module, text, forward)
        if not hasattr(value, node.attr):
            raise unresolved_hint(node.attr, scope, text)
        return getattr(value, node.attr)
    if kind == "BinOp" and node.op.__class__.__name__ == "BitOr":
        sides = [evaluate_hint_node(side, scope, module, text, forward) for side in (node.left, node.right)]
        return HintAlias(HintUnion, tuple(sides))
    if kind in ("Tuple", "List"):
        return [evaluate_hint_node(item, scope, module, text, forward) for item in node.elts]
    if kind == "Subscript":
        return subscript_hint(node, scope, module, text)
    tree: Any = compile("0", "<hint>", "eval", 0x400)
    tree.body = node
    try:
        return eval(compile(tree, "<hint>", "eval"), module, local_names(scope, module))
    except NameError as error:
        name = getattr(error, "name", None) or str(error).split("'")[1]
        raise unresolved_hint(name, scope, text) from None
    except Exception as error:
        raise scope.refuse('the hint "%s" cannot be evaluated: %s' % (text, error)) from None


def subscript_hint(node: Any, scope: HintScope, module: dict[str, Any], text: str) -> Any:
    base = evaluate_hint_node(node.value, scope, module, text, True)
    inner = node.slice.value if node.slice.__class__.__name__ == "Index" else node.slice  # 3.8
    items = inner.elts if inner.__class__.__name__ == "Tuple" else [inner]
    special = getattr(base, "_name", None) or getattr(base, "__name__", None)
    raw = special in ("Literal", "Annotated")
    made = [evaluate_hint_node(item, scope, module, text, not raw or (special == "Annotated" and index == 0))
            for index, item in enumerate(items)]
    if raw:
        return base[tuple(made)]
    if special == "Optional":
        return HintAlias(HintUnion, (made[0], None))
    # An alias of our own: subscribing may fail on this Python, and some items may be aliases of our own already.
    return HintAlias(getattr(base, "__origin__", None) or base, tuple(made) or ((),))


def text_names_context(text: str, target: SignatureTarget) -> bool:
    """Whether a text hint is the Context, its Optional or union with None; an unknown name Context counts."""
    found = target.function.__globals__.get(text)
    if found is not None:
        return found.__class__ is type and context_is_class(found)
    scope = HintScope(target, target.function.__code__, None)
    scope.parameter = "?"
    try:
        return hint_names_context(resolve_text(text, scope, scope.module))
    except UnresolvedHint:
        return text_looks_like_context(text)
    except RegistrationError:
        return False


def text_looks_like_context(text: str) -> bool:
    """`Context` of a module that is imported only for type checkers."""
    bare = text.replace(" ", "").replace('"', "").replace("'", "")
    for lead, trail in (("Optional[", "]"), ("typing.Optional[", "]"), ("", "|None"), ("None|", "")):
        if bare.startswith(lead) and bare.endswith(trail):
            bare = bare[len(lead) : len(bare) - len(trail)]
    return bare == "Context" or (bare.endswith(".Context") and bare.replace(".", "").isidentifier())


def hint_names_context(hint: Any) -> bool:
    if isinstance(hint, type) and type(hint) is not GENERIC_ALIAS:
        return any(context_is_class(base) for base in hint.__mro__)
    if hasattr(hint, "__metadata__"):
        return hint_names_context(hint.__origin__)
    if hint_is_union(hint):
        return any(hint_names_context(item) for item in hint.__args__ if item is not None)
    if hint.__class__.__name__ == "ForwardRef":
        return text_looks_like_context(hint.__forward_arg__)
    return False


# --- describing ---------------------------------------------------------------------------------------------------


def describe_parameter(scope: HintScope, name: str, hint: Any) -> Described | None:
    """The schema and converter of a parameter; None when it takes the Context."""
    scope.parameter = name
    if type(hint) is str:
        try:
            hint = resolve_text(hint, scope, scope.module)
        except UnresolvedHint:
            if text_looks_like_context(hint):
                return None
            raise
    if hint_names_context(hint):
        return None
    schema, convert = describe_hint(hint, scope, scope.module)
    return dict(schema), convert  # a default will be put in: never into a schema that is shared


def describe_result(scope: HintScope, hint: Any) -> dict[str, Any] | None:
    """The output schema of a return hint; None when it names no structure (see signature.UNSTRUCTURED)."""
    if type(hint) is str:
        if hint.rpartition(".")[2] in BLOCK_TYPE_NAMES:
            return None
        hint = resolve_text(hint, scope, scope.module)
    if hint_is_content(hint):
        return None
    if hint.__class__.__name__ == "TypeVar" or hint_special(hint) in ("Any", "NoReturn", "Never", "LiteralString"):
        return None
    schema, _ = describe_hint(hint, scope, scope.module)
    if not schema_is_structured(schema, scope.definitions):
        return None
    if "$ref" in schema:  # the root itself recurs: the root is inlined, for hosts that look for its "type"
        schema = scope.definitions[schema["$ref"][8:]]
    schema = dict(schema)
    if "anyOf" in schema and all(item.get("type") == "object" for item in schema["anyOf"]):
        schema = dict({"type": "object"}, **schema)
    if scope.definitions:
        schema["$defs"] = scope.definitions
    return schema


def schema_is_structured(schema: dict[str, Any], definitions: dict[str, Any]) -> bool:
    if "$ref" in schema:
        schema = definitions[schema["$ref"][8:]]
    if "anyOf" in schema:  # a union with null has no form that every client takes
        return all(schema_is_structured(item, definitions) for item in schema["anyOf"])
    if schema.get("type") == "array":
        items = schema.get("items")
        return "prefixItems" in schema or bool(items and items != {"type": "object"})
    return schema.get("type") == "object" and ("properties" in schema or "additionalProperties" in schema
                                               or "propertyNames" in schema)


BLOCK_TYPE_NAMES = frozenset(("TextContent", "ImageContent", "AudioContent", "ResourceLink", "EmbeddedResource",
                              "ContentBlock", "CallToolResult", "ToolResult"))


def hint_is_content(hint: Any) -> bool:
    """Whether a return hint is a content block, a whole result, a list or union of these: content, not data."""
    if isinstance(hint, type) and type(hint) is not GENERIC_ALIAS:
        package = __name__.rpartition(".")[0] or __name__
        return hint.__name__ in BLOCK_TYPE_NAMES and (hint.__module__ + ".").startswith(package + ".")
    if hint.__class__.__name__ == "ForwardRef":
        return hint.__forward_arg__.rpartition(".")[2] in BLOCK_TYPE_NAMES
    if type(hint) is str:
        return hint.rpartition(".")[2] in BLOCK_TYPE_NAMES
    arguments = getattr(hint, "__args__", None) or ()
    return any(hint_is_content(item) for item in arguments)


def hint_special(hint: Any) -> str:
    """The name of a special form of typing or typing_extensions (`Any`, `Literal`, ...), "" for all else."""
    if hint is HintUnion:
        return "Union"
    if getattr(hint, "__module__", None) not in ("typing", "typing_extensions"):
        return ""
    return getattr(hint, "_name", None) or getattr(hint, "__name__", None) or ""


def hint_is_union(hint: Any) -> bool:
    if hint.__class__.__name__ in ("UnionType", "Union"):
        return True
    return hint_special(getattr(hint, "__origin__", None)) == "Union"


def describe_hint(hint: Any, scope: HintScope, module: dict[str, Any]) -> Described:
    """The schema and converter of any hint. module: where the names of text inside it are looked up first."""
    if hint is None or hint is NONE_CLASS:
        return {"type": "null"}, None
    if type(hint) is str:
        return describe_hint(resolve_text(hint, scope, module), scope, module)
    if type(hint) is type and hint in PLAIN_HINTS:
        name = PLAIN_HINTS[hint]
        convert = json_to_int if name == "integer" else json_to_float if name == "number" else None
        return ({"type": name} if name else {}), convert
    if hasattr(hint, "__metadata__"):
        return describe_annotated(hint, scope, module)
    if hint_is_union(hint):
        return describe_union(hint.__args__, scope, module)
    if hasattr(hint, "__supertype__"):
        return describe_hint(hint.__supertype__, scope, module)
    origin = getattr(hint, "__origin__", None)
    if origin is not None:
        return describe_generic(hint, origin, scope, module)
    kind = hint.__class__.__name__
    if kind == "ForwardRef":
        return describe_hint(resolve_text(hint.__forward_arg__, scope, forward_module(hint, module)), scope, module)
    if kind == "TypeVar":
        return describe_typevar(hint, scope, module)
    if kind == "TypeAliasType":
        return describe_named(hint, hint.__name__, scope, lambda: describe_hint(hint.__value__, scope, module))
    special = hint_special(hint)
    if special == "Any":
        return {}, None
    if special in ("LiteralString", "Text"):
        return {"type": "string"}, None
    if special in CONTAINERS and not isinstance(hint, type):  # typing.List on some Pythons
        return describe_container(special, (), scope, module)
    if isinstance(hint, type):
        return describe_class(hint, scope, module)
    raise scope.refuse("the hint %s has no JSON form" % show_hint(hint))


def show_hint(hint: Any) -> str:
    if hint is None or hint is NONE_CLASS:
        return "None"
    if isinstance(hint, type) and type(hint) is not GENERIC_ALIAS:
        return hint.__qualname__
    return repr(hint).replace("typing.", "")


def forward_module(hint: Any, module: dict[str, Any]) -> dict[str, Any]:
    name = getattr(hint, "__forward_module__", None)
    if isinstance(name, str):
        return module_names(name, module)
    return vars(name) if name is not None else module


def module_names(name: str, otherwise: dict[str, Any]) -> dict[str, Any]:
    """The names of a module that is loaded already, for text hints in its classes."""
    try:
        return vars(__import__(name, None, None, ("__name__",)))  # a from-list makes it return a.b, not a
    except Exception:
        return otherwise


def describe_annotated(hint: Any, scope: HintScope, module: dict[str, Any]) -> Described:
    schema, convert = describe_hint(hint.__origin__, scope, module)
    return add_keywords(schema, hint.__metadata__), convert


def add_keywords(schema: dict[str, Any], metadata: Any) -> dict[str, Any]:
    """What stands beside X in Annotated[X, ...]: a str is the description, a dict holds keywords; other objects are not
    ours, but for typing_extensions.Doc and those that have a `description`."""
    extra: dict[str, Any] = {}
    for item in metadata:
        if isinstance(item, str):
            extra["description"] = clean_docstring(item) or ""
        elif isinstance(item, dict):
            extra.update(item)
        else:
            words = getattr(item, "documentation", None) or getattr(item, "description", None)
            if isinstance(words, str):
                extra["description"] = words
    return dict(schema, **extra) if extra else schema


def describe_typevar(hint: Any, scope: HintScope, module: dict[str, Any]) -> Described:
    if hint in scope.typevars:
        return describe_hint(scope.typevars[hint], scope, module)
    if hint.__constraints__:
        return describe_union(hint.__constraints__, scope, module)
    if hint.__bound__ is not None:
        return describe_hint(hint.__bound__, scope, module)
    return {}, None


def describe_generic(hint: Any, origin: Any, scope: HintScope, module: dict[str, Any]) -> Described:
    special = hint_special(origin)
    arguments = tuple(getattr(hint, "__args__", None) or ())
    if special == "Literal":
        return describe_literal(hint, scope)
    if special in ("Final", "Required", "NotRequired", "ReadOnly"):
        return describe_hint(arguments[0], scope, module)
    if origin.__class__.__name__ == "TypeAliasType":
        return describe_parametrised(origin, origin.__type_params__, arguments, scope,
                                     lambda: describe_hint(origin.__value__, scope, module))
    name = getattr(origin, "__name__", None) or special
    if name in CONTAINERS and getattr(origin, "__module__", None) in CONTAINER_MODULES:
        if origin is tuple and not arguments and hasattr(hint, "__args__") and not getattr(hint, "_special", False):
            arguments = ((),)  # Tuple[()]; 3.8 writes it like this, and marks the bare Tuple as special
        return describe_container(name, arguments, scope, module)
    if isinstance(origin, type) and (hasattr(origin, "__parameters__") or hasattr(origin, "__fspath__")):
        return describe_parametrised(origin, getattr(origin, "__parameters__", ()), arguments, scope,
                                     lambda: describe_class(origin, scope, module))
    raise scope.refuse("the hint %s has no JSON form" % show_hint(hint))


def describe_parametrised(origin: Any, parameters: Any, arguments: tuple[Any, ...], scope: HintScope,
                          make: Callable[[], Described]) -> Described:
    """A generic class or alias with its type parameters filled in."""
    before = scope.typevars
    resolved = [before.get(item, item) if item.__class__.__name__ == "TypeVar" else item for item in arguments]
    scope.typevars = dict(before)
    scope.typevars.update(zip(parameters, resolved))
    try:
        return make()
    finally:
        scope.typevars = before


# How a container arrives: the class that is made of the list or dict.
CONTAINERS: dict[str, Any] = {
    "list": None, "List": None, "Sequence": None, "MutableSequence": None, "Iterable": None, "Collection": None,
    "Container": None, "Reversible": None,
    "tuple": tuple, "Tuple": tuple,
    "set": set, "Set": set, "MutableSet": set, "AbstractSet": set,
    "frozenset": frozenset, "FrozenSet": frozenset,
    "dict": None, "Dict": None, "Mapping": None, "MutableMapping": None,
}
CONTAINER_MODULES = ("builtins", "typing", "typing_extensions", "collections.abc", "collections", "_collections_abc")
MAPPINGS = ("dict", "Dict", "Mapping", "MutableMapping")


def describe_container(name: str, arguments: tuple[Any, ...], scope: HintScope, module: dict[str, Any]) -> Described:
    if name in MAPPINGS:
        return describe_mapping(arguments, scope, module)
    make = CONTAINERS[name]
    if make is tuple and arguments and not (len(arguments) == 2 and arguments[1] is Ellipsis):
        return describe_fixed_tuple(arguments, scope, module)
    schema: dict[str, Any] = {"type": "array"}
    convert = None
    if arguments and not unfilled_typevar(arguments[0], scope):
        items, convert = describe_hint(arguments[0], scope, module)
        if items:
            schema["items"] = items
    return schema, new_collection_converter(make, convert)


def unfilled_typevar(hint: Any, scope: HintScope) -> bool:
    """On 3.8 typing.List is List[T]."""
    return hint.__class__.__name__ == "TypeVar" and hint not in scope.typevars


def new_collection_converter(make: Any, convert: Converter | None) -> Converter | None:
    if make is None:
        return new_list_converter(convert)
    if convert is None:
        return make if make is tuple else new_set_converter(make)
    items = new_list_converter(convert)
    assert items is not None
    return (lambda value: tuple(items(value))) if make is tuple else new_set_converter(make, items)


def new_set_converter(make: Any, items: Converter | None = None) -> Converter:
    def convert_set(value: Any) -> Any:
        try:
            return make(value if items is None else items(value))
        except TypeError:
            raise ArgumentError("", "the items of a set must be strings, numbers, booleans or null") from None

    return convert_set


def describe_fixed_tuple(arguments: tuple[Any, ...], scope: HintScope, module: dict[str, Any]) -> Described:
    if arguments == ((),):
        arguments = ()
    parts = [describe_hint(item, scope, module) for item in arguments]
    schema: dict[str, Any] = {"type": "array"}
    schemas = [part[0] for part in parts]
    # "items": false would close it, but a draft-07 reader, which does not know prefixItems, takes that for all items.
    if schemas and all(item == schemas[0] for item in schemas):
        schema["items"] = schemas[0]
    elif schemas:
        schema["prefixItems"] = schemas
    schema["minItems"] = schema["maxItems"] = len(parts)
    converters = [part[1] for part in parts]

    def convert_tuple(values: Any) -> Any:
        made = []
        for index, (value, convert) in enumerate(zip(values, converters)):
            try:
                made.append(value if convert is None else convert(value))
            except ArgumentError as error:
                raise ArgumentError("/%d%s" % (index, error.path), error.message) from None
        return tuple(made)

    return schema, convert_tuple


def describe_mapping(arguments: tuple[Any, ...], scope: HintScope, module: dict[str, Any]) -> Described:
    schema: dict[str, Any] = {"type": "object"}
    if len(arguments) != 2 or unfilled_typevar(arguments[0], scope):
        return schema, None
    keys, convert_key = describe_hint(arguments[0], scope, module)
    values, convert = describe_hint(arguments[1], scope, module)
    if not key_is_text(keys, scope):
        raise scope.refuse("the keys of %s are not strings, and those of a JSON object are: hint dict[str, ...]"
                           % show_hint(arguments[0]))
    if "enum" in keys:
        schema["propertyNames"] = {"enum": keys["enum"]}
    if values:
        schema["additionalProperties"] = values
    if convert_key is None:
        return schema, new_dict_converter(convert)
    return schema, new_keyed_converter(convert_key, convert)


def key_is_text(keys: dict[str, Any], scope: HintScope) -> bool:
    if "enum" in keys:
        return all(isinstance(item, str) for item in keys["enum"])
    return not keys or keys.get("type") == "string" or (scope.output and keys.get("type") == "integer")


def new_keyed_converter(convert_key: Converter, convert: Converter | None) -> Converter:
    def convert_mapping(values: Any) -> Any:
        made = {}
        for name, value in values.items():
            try:
                made[convert_key(name)] = value if convert is None else convert(value)
            except ArgumentError as error:
                raise ArgumentError("/" + escape_pointer(name) + error.path, error.message) from None
        return made

    return convert_mapping


# --- unions and literals ------------------------------------------------------------------------------------------


def describe_union(members: Any, scope: HintScope, module: dict[str, Any]) -> Described:
    flat = [describe_hint(item, scope, module) for item in flatten_union(members)]
    branches: list[Described] = []
    for schema, convert in flat:
        if all(schema != other for other, _ in branches):
            branches.append((schema, convert))
    if len(branches) == 1:
        return branches[0]
    if any(not schema for schema, _ in branches):  # Any makes the rest superfluous
        return {}, None
    enums = [schema["enum"] for schema, _ in branches if "enum" in schema and not schema.keys() - {"enum", "type"}]
    schema = {"anyOf": [branch for branch, _ in branches]}
    if len(enums) == len(branches):  # Literal and None, or several Enums: one list is easier to read
        values: list[Any] = []
        for enum in enums:
            values.extend(value for value in enum if not json_among(value, values))
        schema = new_enum_schema(values)
    return schema, new_union_converter(branches, scope)


def flatten_union(members: Any) -> Iterator[Any]:
    for item in members:
        if item is not None and hint_is_union(item):
            yield from flatten_union(item.__args__)
        else:
            yield item


def new_union_converter(branches: list[Described], scope: HintScope) -> Converter | None:
    """Convert by the first branch whose schema takes the value and whose converter does not object."""
    converters = [convert for _, convert in branches]
    if all(convert is None for convert in converters):
        return None
    classes = [schema.get("type") for schema, _ in branches]
    if "integer" in classes and "number" in classes:  # int and float: a number is what it is
        branches = [(schema, None if schema == {"type": "integer"} or schema == {"type": "number"} else convert)
                    for schema, convert in branches]
    if len(branches) == 2 and "null" in classes and {} not in [schema for schema, _ in branches]:
        return new_nullable_converter(converters[1 - classes.index("null")])
    definitions = scope.definitions

    def convert_union(value: Any) -> Any:
        problem = None
        for schema, convert in branches:
            if not json_fits(schema, value, definitions):
                continue
            if convert is None:
                return value
            try:
                return convert(value)
            except ArgumentError as error:
                problem = problem or error
        if problem is not None:
            raise problem
        return value

    return convert_union


def describe_literal(hint: Any, scope: HintScope) -> Described:
    table: list[tuple[Any, Any]] = []
    for value in flatten_literal(hint):
        shown = value.value if is_enum(type(value)) else value
        if not (shown is None or isinstance(shown, (str, int))):
            raise scope.refuse("the literal %r has no JSON form" % (value,))
        if all(not json_same(shown, other) for other, _ in table):
            table.append((shown, value))
    return new_enum_schema([shown for shown, _ in table]), new_choice_converter(table)


def flatten_literal(hint: Any) -> Iterator[Any]:
    for value in hint.__args__:
        if hint_special(getattr(value, "__origin__", None)) == "Literal":  # nested, on 3.8
            yield from flatten_literal(value)
        else:
            yield value


def new_enum_schema(values: list[Any]) -> dict[str, Any]:
    schema: dict[str, Any] = {}
    for name, kind in (("string", str), ("boolean", bool), ("integer", int)):
        if values and all(value.__class__ is kind for value in values):
            schema["type"] = name
    schema["enum"] = values
    return schema


def new_choice_converter(table: list[tuple[Any, Any]]) -> Converter | None:
    """From the JSON value of a choice to its Python value. 1, 1.0 and True are one dict key, hence the class in it."""
    if all(shown is value and shown.__class__ in (str, bool, NONE_CLASS) for shown, value in table):
        return None
    choices = {choice_key(shown): value for shown, value in table}
    return lambda value: choices.get(choice_key(value), value)


def choice_key(value: Any) -> tuple[bool, Any]:
    return value.__class__ is bool, value


# --- classes ------------------------------------------------------------------------------------------------------


def is_enum(kind: type) -> bool:
    return any(base.__name__ == "Enum" and base.__module__ == "enum" for base in kind.__mro__)


def describe_class(hint: Any, scope: HintScope, module: dict[str, Any]) -> Described:
    if hint_names_context(hint):
        raise scope.refuse("the Context can only be a parameter of its own")
    if is_enum(hint):
        return describe_enum(hint, scope)
    if hasattr(hint, "__total__") and issubclass(hint, dict):
        return describe_named(hint, hint.__name__, scope, lambda: describe_typed_dict(hint, scope))
    if hasattr(hint, "__dataclass_fields__"):
        return describe_named(hint, hint.__name__, scope, lambda: describe_dataclass(hint, scope))
    if issubclass(hint, tuple) and hasattr(hint, "_fields"):
        return describe_named(hint, hint.__name__, scope, lambda: describe_named_tuple(hint, scope))
    for base in hint.__mro__:
        described = STANDARD_CLASSES.get((base.__module__, base.__name__))
        if described is not None:
            return described(hint, scope)
    if hasattr(hint, "__fspath__"):
        return {"type": "string"}, path_converter(hint)
    if hint.__name__ in CONTAINERS and hint.__module__ in CONTAINER_MODULES:
        return describe_container(hint.__name__, (), scope, module)
    for base in (str, int, float):
        if issubclass(hint, base):
            return {"type": PLAIN_HINTS[base]}, new_call_converter(hint)
    if issubclass(hint, (bytes, bytearray, memoryview)):
        raise scope.refuse("bytes have no JSON form: take a str that holds base64, or a Path")
    raise scope.refuse('the class "%s" has no JSON form: use a dataclass, TypedDict or NamedTuple, or give the schema '
                       "yourself (input_schema=)" % hint.__qualname__)


def describe_named(key: Any, name: str, scope: HintScope, make: Callable[[], Described]) -> Described:
    """Describe a type that may contain itself; only then it gets a place in "$defs"."""
    identity = (key, tuple(scope.typevars.items())) if scope.typevars else key
    if identity in scope.cache:
        return scope.cache[identity]
    box = scope.opened.get(identity)
    if box is not None:
        if identity not in scope.names:
            taken = scope.names.values()
            free, count = name, 1
            while free in taken:
                count += 1
                free = "%s_%d" % (name, count)
            scope.names[identity] = free
        return {"$ref": "#/$defs/" + scope.names[identity]}, new_late_converter(box)
    box = scope.opened[identity] = [None]
    try:
        schema, convert = make()
    finally:
        del scope.opened[identity]
    box[0] = convert
    if identity in scope.names:
        scope.definitions[scope.names[identity]] = schema
        schema = {"$ref": "#/$defs/" + scope.names[identity]}
    scope.cache[identity] = schema, convert
    return schema, convert


def new_late_converter(box: list[Converter | None]) -> Converter:
    """The converter of a type inside itself: it is known only when the type has been described."""

    def convert_late(value: Any) -> Any:
        convert = box[0]
        return value if convert is None else convert(value)

    return convert_late


def describe_enum(hint: Any, scope: HintScope) -> Described:
    table = []
    for member in hint:
        value = member.value
        if value is not None and value.__class__ not in (str, int, bool, float):
            raise scope.refuse("the value of %s.%s is a %s, and only strings, numbers, booleans and null have a JSON "
                               "form" % (hint.__name__, member.name, type(value).__name__))
        table.append((value, member))
    if not table:
        raise scope.refuse('the Enum "%s" has no members' % hint.__name__)
    return new_enum_schema([value for value, _ in table]), new_choice_converter(table)


class HintField:
    """One member of an object type. default: HINT_ABSENT for none."""

    __slots__ = ("convert", "name", "required", "schema")

    def __init__(self, name: str, described: Described, required: bool, default: Any = HINT_ABSENT) -> None:
        self.name = name
        self.schema, self.convert = described
        self.required = required
        if default is not HINT_ABSENT:
            self.schema = with_default(self.schema, default)


def with_default(schema: dict[str, Any], default: Any) -> dict[str, Any]:
    found = json_default(default)
    if found is HINT_ABSENT or (found is None and not json_fits(schema, None, {})):
        return schema
    return dict(schema, default=found)


def describe_field(value: Any, hint: Any, name: str, scope: HintScope, module: dict[str, Any]) -> tuple[str, Described]:
    """A field's hint: "Required", "NotRequired" or "" as it says itself, and its description."""
    qualifier = ""
    metadata: list[Any] = []
    while True:  # Required, ReadOnly and Annotated come in any order, text in any of them
        if value.__class__ is str:
            value = resolve_field(value, hint, name, scope, module)
        elif value.__class__.__name__ == "ForwardRef":
            value = resolve_field(value.__forward_arg__, hint, name, scope, forward_module(value, module))
        elif value.__class__.__name__ == "InitVar":
            value = value.type
        elif hasattr(value, "__metadata__"):
            metadata = list(value.__metadata__) + metadata
            value = value.__origin__
        else:
            special = hint_special(getattr(value, "__origin__", None))
            if special not in ("Required", "NotRequired", "ReadOnly"):
                break
            qualifier = qualifier if special == "ReadOnly" else special
            value = value.__args__[0]
    schema, convert = ({}, None) if value is HINT_ABSENT else describe_hint(value, scope, module)
    return qualifier, (add_keywords(schema, metadata), convert)


def resolve_field(text: str, hint: Any, name: str, scope: HintScope, module: dict[str, Any]) -> Any:
    try:
        return resolve_text(text, scope, module)
    except UnresolvedHint as error:
        made = UnresolvedHint('%s (field "%s" of %s)' % (error, name, hint.__qualname__))
        made.frame = scope.frame
        raise made from None


def class_hints(kind: Any) -> dict[str, Any]:
    """The hints of a class, its bases included if it is a TypedDict; text and ForwardRef unresolved."""
    try:
        found: dict[str, Any] = kind.__annotations__
    except NameError:  # 3.14
        return forward_annotations(kind)
    except AttributeError:
        return {}
    return found


def field_module(hint: Any, name: str, scope: HintScope) -> dict[str, Any]:
    """The names of the module in whose class the field is written."""
    for base in hint.__mro__:
        own = vars(base)
        # 3.14 keeps a function in the class until somebody asks for the hints.
        if name in (class_hints(base) if "__annotate_func__" in own else own.get("__annotations__", ())):
            return module_names(base.__module__, scope.module)
    return module_names(hint.__module__, scope.module)


def describe_typed_dict(hint: Any, scope: HintScope) -> Described:
    fields = []
    required = getattr(hint, "__required_keys__", None)
    module = module_names(hint.__module__, scope.module)
    for name, value in class_hints(hint).items():
        qualifier, described = describe_field(value, hint, name, scope, module)
        # __required_keys__ knows nothing of qualifiers in text, and typing of 3.8 has none.
        needed = name in required if required is not None else hint.__total__
        fields.append(HintField(name, described, qualifier == "Required" or (needed and qualifier != "NotRequired")))
    return new_object_schema(hint, fields), new_object_converter(fields, None)


def describe_dataclass(hint: Any, scope: HintScope) -> Described:
    from dataclasses import MISSING

    fields = []
    for name, field in hint.__dataclass_fields__.items():
        kind = field._field_type.name
        if kind == "_FIELD_CLASSVAR" or (kind == "_FIELD_INITVAR" if scope.output else not field.init):
            continue
        _, described = describe_field(field.type, hint, name, scope, field_module(hint, name, scope))
        given = field.default is not MISSING
        needed = scope.output or (not given and field.default_factory is MISSING)
        fields.append(HintField(name, described, needed, field.default if given and not scope.output else HINT_ABSENT))
    return new_object_schema(hint, fields), new_object_converter(fields, hint)


def describe_named_tuple(hint: Any, scope: HintScope) -> Described:
    hints: dict[str, Any] = {}
    for base in reversed(hint.__mro__[:-2]):
        hints.update(class_hints(base))
    defaults = {} if scope.output else hint._field_defaults
    fields = []
    for name in hint._fields:
        _, described = describe_field(hints.get(name, HINT_ABSENT), hint, name, scope, field_module(hint, name, scope))
        fields.append(HintField(name, described, name not in defaults, defaults.get(name, HINT_ABSENT)))
    return new_object_schema(hint, fields), new_object_converter(fields, hint)


def new_object_schema(hint: Any, fields: list[HintField]) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object"}
    doc = clean_docstring(hint.__dict__.get("__doc__"))
    if doc and not doc.startswith(hint.__name__ + "("):  # what dataclass and NamedTuple write by themselves
        schema["description"] = doc
    schema["properties"] = {field.name: field.schema for field in fields}
    required = [field.name for field in fields if field.required]
    if required:
        schema["required"] = required
    schema["additionalProperties"] = False
    return schema


def new_object_converter(fields: list[HintField], make: Any) -> Converter | None:
    """From a JSON object to a dict (make None) or to an instance of the class `make`."""
    converters = [(field.name, field.convert) for field in fields if field.convert is not None]
    if make is None and not converters:
        return None
    build = None if make is None else new_call_converter(make, True)

    def convert_object(values: Any) -> Any:
        made = dict(values)
        for name, convert in converters:
            if name in made:
                try:
                    made[name] = convert(made[name])
                except ArgumentError as error:
                    raise ArgumentError("/" + escape_pointer(name) + error.path, error.message) from None
        return made if build is None else build(made)

    return convert_object


def new_call_converter(make: Any, keywords: bool = False) -> Converter:
    """Call a class; what it objects to (`__post_init__`, `__new__`) is an error of the argument."""

    def convert_call(value: Any) -> Any:
        try:
            return make(**value) if keywords else make(value)
        except (ValueError, TypeError) as error:
            raise ArgumentError("", str(error).split("\n")[0] or type(error).__name__) from None

    return convert_call


# --- classes of the standard library ------------------------------------------------------------------------------


def describe_datetime(hint: Any, scope: HintScope) -> Described:
    def convert_datetime(value: Any) -> Any:
        date, time = parse_iso_date(value[:10]), parse_iso_time(value[11:])
        if date is None or time is None or value[10:11] not in ("T", "t", " "):
            raise expected_text('a date and time as "2026-01-31T15:30:00Z"', value)
        return call_or_expect(lambda: hint(*date, *time[:4], tzinfo=new_timezone(time[4])),
                              'a date and time as "2026-01-31T15:30:00Z"', value)

    return ({"type": "string"} if scope.output else {"type": "string", "format": "date-time"}), convert_datetime


def describe_date(hint: Any, scope: HintScope) -> Described:
    def convert_date(value: Any) -> Any:
        date = parse_iso_date(value)
        if date is None:
            raise expected_text('a date as "2026-01-31"', value)
        return call_or_expect(lambda: hint(*date), 'a date as "2026-01-31"', value)

    return {"type": "string", "format": "date"}, convert_date


def describe_time(hint: Any, scope: HintScope) -> Described:
    def convert_time(value: Any) -> Any:
        time = parse_iso_time(value)
        if time is None:
            raise expected_text('a time as "15:30:00"', value)
        return call_or_expect(lambda: hint(*time[:4], tzinfo=new_timezone(time[4])), 'a time as "15:30:00"', value)

    return ({"type": "string"} if scope.output else {"type": "string", "format": "time"}), convert_time


def describe_timedelta(hint: Any, scope: HintScope) -> Described:
    def convert_timedelta(value: Any) -> Any:
        try:
            return hint(seconds=value)
        except OverflowError:
            raise ArgumentError("", "the number of seconds is too large") from None

    return {"type": "number", "description": "seconds"}, convert_timedelta


def describe_uuid(hint: Any, scope: HintScope) -> Described:
    def convert_uuid(value: Any) -> Any:
        return call_or_expect(lambda: hint(value), 'a UUID as "123e4567-e89b-12d3-a456-426614174000"', value)

    return {"type": "string", "format": "uuid"}, convert_uuid


def describe_decimal(hint: Any, scope: HintScope) -> Described:
    def convert_decimal(value: Any) -> Any:
        try:
            made = hint(repr(value) if value.__class__ is float else value)
            finite = made.is_finite()
        except ArithmeticError:
            finite = False
        if not finite:
            raise expected_text('a decimal number as "12.50"', value)
        return made

    if scope.output:
        return {"type": "string"}, convert_decimal
    return {"anyOf": [{"type": "number"}, {"type": "string"}]}, convert_decimal


STANDARD_CLASSES: dict[tuple[str, str], Callable[[Any, HintScope], Described]] = {
    ("datetime", "datetime"): describe_datetime,
    ("datetime", "date"): describe_date,
    ("datetime", "time"): describe_time,
    ("datetime", "timedelta"): describe_timedelta,
    ("uuid", "UUID"): describe_uuid,
    ("decimal", "Decimal"): describe_decimal,
}


def path_converter(hint: Any) -> Converter:
    if hint.__module__ == "os":  # os.PathLike itself
        from pathlib import Path

        hint = Path
    return new_call_converter(hint)


def call_or_expect(make: Callable[[], Any], expected: str, value: Any) -> Any:
    try:
        return make()
    except (ValueError, OverflowError):
        raise expected_text(expected, value) from None


def expected_text(expected: str, value: Any) -> ArgumentError:
    return ArgumentError("", "expected %s, got %s" % (expected, show_json(value)))


def show_json(value: Any) -> str:
    """A value in an error: its JSON, cut at 60 characters."""
    from .content import readable_json

    shown = readable_json(value)
    return shown if len(shown) <= 60 else shown[:57] + "..."


def ascii_digits(text: str) -> bool:
    return text.isdigit() and text.isascii()


def parse_iso_date(text: str) -> tuple[int, int, int] | None:
    """RFC 3339 full-date. datetime.fromisoformat takes more or less, depending on the Python."""
    if len(text) != 10 or text[4] != "-" or text[7] != "-" or not ascii_digits(text[:4] + text[5:7] + text[8:]):
        return None
    return int(text[:4]), int(text[5:7]), int(text[8:])


def parse_iso_time(text: str) -> tuple[int, int, int, int, int | None] | None:
    """RFC 3339 partial-time with or without seconds and offset: hour, minute, second, microsecond, offset in
    minutes."""
    offset: int | None = None
    if text[-1:] in ("Z", "z"):
        text, offset = text[:-1], 0
    elif len(text) > 6 and text[-6] in "+-":
        zone = text[-5:]
        if zone[2] != ":" or not ascii_digits(zone[:2] + zone[3:]) or int(zone[:2]) > 23 or int(zone[3:]) > 59:
            return None
        offset = (int(zone[:2]) * 60 + int(zone[3:])) * (-1 if text[-6] == "-" else 1)
        text = text[:-6]
    text, dot, fraction = text.partition(".")
    parts = text.split(":")
    if len(parts) not in (2, 3) or not all(len(part) == 2 and ascii_digits(part) for part in parts):
        return None
    if dot and not (len(parts) == 3 and ascii_digits(fraction)):
        return None
    second = int(parts[2]) if len(parts) == 3 else 0
    return int(parts[0]), int(parts[1]), second, int((fraction + "000000")[:6]), offset


def new_timezone(minutes: int | None) -> Any:
    if minutes is None:
        return None
    from datetime import timedelta, timezone

    return timezone.utc if minutes == 0 else timezone(timedelta(minutes=minutes))


# --- defaults -----------------------------------------------------------------------------------------------------


def json_default(default: Any) -> Any:
    """A default as JSON, HINT_ABSENT when it has no JSON form (an object that stands for "not given")."""
    from .codec import decode_text, encode
    from .content import ContentError, jsonable

    try:
        found = jsonable(default)
    except ContentError:
        return HINT_ABSENT
    # A copy: the function may change its own default, but not what is published.
    return decode_text(encode(found)) if found.__class__ in (list, dict) else found


def check_default(schema: dict[str, Any], convert: Converter | None, default: Any, hint: Any, scope: HintScope | None,
                  target: SignatureTarget, name: str) -> None:
    """Publish the default of a parameter, or refuse it: it must fit the schema, and be what the converter would
    make."""
    found = json_default(default)
    if found is HINT_ABSENT:
        return
    fits = json_fits(schema, found, scope.definitions if scope is not None else {})
    if fits and convert is not None:
        try:
            made = convert(found)
        except ArgumentError:
            fits = False
        else:
            fits = type(made) in EXACT_CLASSES or isinstance(default, type(made))
    if not fits:
        shown = hint if type(hint) is str else show_hint(hint)
        raise RegistrationError('%s, parameter "%s": its default %r does not fit its hint %s'
                                % (target.label, name, default, shown))
    schema["default"] = found


EXACT_CLASSES = (str, int, float, bool, NONE_CLASS, list, tuple, dict, set, frozenset)


def json_same(one: Any, other: Any) -> bool:
    """JSON equality of scalars: true is not 1."""
    return (one.__class__ is bool) == (other.__class__ is bool) and bool(one == other)


def json_among(value: Any, values: list[Any]) -> bool:
    return any(json_same(value, item) for item in values)


JSON_TYPE_CLASSES: dict[str, tuple[type, ...]] = {
    "string": (str,), "number": (int, float), "boolean": (bool,), "null": (NONE_CLASS,), "object": (dict,),
    "array": (list,)}


def json_has_type(name: str, value: Any) -> bool:
    if name == "integer":
        return value.__class__ is int or (value.__class__ is float and value.is_integer())
    return value.__class__ in JSON_TYPE_CLASSES.get(name, ())


def json_fits(schema: Any, value: Any, definitions: dict[str, Any]) -> bool:
    """Whether a JSON value satisfies a schema that was generated here, as far as types and shapes go: enough to choose
    the branch of a union. (Keywords from Annotated are the validator's.)"""
    if schema is True or schema is False:
        return bool(schema)
    if "$ref" in schema and not json_fits(definitions.get(schema["$ref"][8:], {}), value, definitions):
        return False
    if "anyOf" in schema and not any(json_fits(branch, value, definitions) for branch in schema["anyOf"]):
        return False
    if "enum" in schema and not json_among(value, schema["enum"]):
        return False
    name = schema.get("type")
    if name is not None and not (json_has_type(name, value) if isinstance(name, str)
                                 else any(json_has_type(item, value) for item in name)):
        return False
    if value.__class__ is list:
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            return False
        parts = schema.get("prefixItems") or [schema.get("items", {})] * len(value)
        return all(json_fits(part, item, definitions) for part, item in zip(parts, value))
    if value.__class__ is dict:
        properties, rest = schema.get("properties", {}), schema.get("additionalProperties", True)
        names = schema.get("propertyNames", {}).get("enum")
        return (all(key in value for key in schema.get("required", ()))
                and (names is None or all(key in names for key in value))
                and all(json_fits(properties.get(key, rest), item, definitions) for key, item in value.items()))
    return True


# --- strings as arguments: prompts and resources ------------------------------------------------------------------

WRITTEN_HERE = frozenset((
    "type", "enum", "anyOf", "items", "prefixItems", "minItems", "maxItems", "properties", "required",
    "additionalProperties", "propertyNames", "format", "description", "default", "title"))


def new_text_converter(schema: dict[str, Any], convert: Converter | None, scope: HintScope | None,
                       optional: bool) -> Converter:
    """From the string that a host sends for a prompt's argument (a list of them for `{x*}` of a resource) to the value
    that the hint names. An empty string for an optional argument that is no string is what hosts send for "not filled
    in": it counts as absent (HINT_ABSENT comes back)."""
    definitions = scope.definitions if scope is not None else {}
    judge: list[Any] = []

    def convert_found(found: Any) -> Any:
        if not judge:
            judge.append(None if schema_is_simple(schema) else new_judge(schema, definitions))
        if judge[0] is not None:
            for problem in judge[0].problems(found):
                raise ArgumentError(problem["path"], problem["message"])
        return found if convert is None else convert(found)

    def convert_text(value: Any) -> Any:
        if value.__class__ is not str:
            return convert_found(texts_to_array(schema, value, scope))
        problem = None
        for found in text_candidates(schema, value, definitions):
            if json_fits(schema, found, definitions):
                try:
                    return convert_found(found)
                except ArgumentError as error:
                    problem = problem or error
        if not value and optional:
            return HINT_ABSENT
        raise problem or expected_text(" or ".join(expected_kinds(schema, definitions)), value)

    return convert_text


def texts_to_array(schema: dict[str, Any], texts: list[str], scope: HintScope | None) -> Any:
    """The list of strings of an exploded variable, as the array that its hint wants."""
    definitions = scope.definitions if scope is not None else {}
    if json_fits(schema, texts, definitions):
        return texts
    if schema.get("type") != "array" or "items" not in schema:
        raise expected_text(" or ".join(expected_kinds(schema, definitions)), texts)
    items = new_list_converter(new_text_converter(schema["items"], None, scope, False))
    assert items is not None
    return items(texts)


def schema_is_simple(schema: Any) -> bool:
    """Whether json_fits has judged all of a schema: there is no keyword in it that Annotated brought."""
    if not isinstance(schema, dict):
        return True
    parts = [*schema.get("properties", {}).values(), *schema.get("anyOf", ()), *schema.get("prefixItems", ()),
             schema.get("items"), schema.get("additionalProperties")]
    return WRITTEN_HERE.issuperset(schema) and all(schema_is_simple(part) for part in parts)


def new_judge(schema: dict[str, Any], definitions: dict[str, Any]) -> Any:
    from .schema import Validator

    return Validator(dict(schema, **{"$defs": definitions}) if definitions else schema)


def text_candidates(schema: dict[str, Any], text: str, definitions: dict[str, Any]) -> Iterator[Any]:
    """The JSON values that a text may stand for, by a schema, most likely first."""
    if "$ref" in schema:
        schema = definitions.get(schema["$ref"][8:], {})
    if "anyOf" in schema:
        for branch in schema["anyOf"]:
            yield from text_candidates(branch, text, definitions)
        return
    if "enum" in schema:
        for value in schema["enum"]:
            if text == value or (not isinstance(value, str) and text == show_json(value)):
                yield value
        return
    names = schema.get("type", "string")
    for name in [names] if isinstance(names, str) else names:
        if name == "string":
            yield text
        elif name == "boolean":
            if text.strip().lower() in ("true", "false"):
                yield text.strip().lower() == "true"
        elif name == "null":
            if text.strip() in ("", "null"):
                yield None
        else:
            value = parse_text(text.strip())
            if json_has_type(name, value):
                yield value


def parse_text(text: str) -> Any:
    """The JSON value of a text; HINT_ABSENT when it is none. Leading zeros and a plus sign are forgiven."""
    from .codec import DecodeError, decode_text

    digits = text.lstrip("+-")
    try:
        if ascii_digits(digits) and len(text) - len(digits) <= 1:
            return int(text)
        return decode_text(text)
    except (DecodeError, ValueError):
        return HINT_ABSENT


EXPECTED_KINDS = {"string": "a string", "integer": "an integer", "number": "a number", "boolean": '"true" or "false"',
                  "null": '"null"', "array": "the JSON text of an array", "object": "the JSON text of an object"}


def expected_kinds(schema: dict[str, Any], definitions: dict[str, Any]) -> list[str]:
    if "$ref" in schema:
        schema = definitions.get(schema["$ref"][8:], {})
    if "anyOf" in schema:
        return [words for branch in schema["anyOf"] for words in expected_kinds(branch, definitions)]
    if "enum" in schema:
        return ["one of " + ", ".join(show_json(value) for value in schema["enum"])]
    names = schema.get("type", "string")
    return [EXPECTED_KINDS.get(name, str(name)) for name in ([names] if isinstance(names, str) else names)]
