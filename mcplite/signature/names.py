"""What the names in hints mean: hints as text, looked up as Python would.

Here: HintScope, which the description of a hint carries along; text hints; telling special forms and the Context. Not
here: what a hint is in JSON (hints).

Specification: PEP 484, 563, 604, 649, 695. Invariants:

1. Text is looked up in the type parameters, the closure, the functions around, the module, the builtins; then, for
   names imported only for type checkers, in typing. `list[int]` and `int | None` work as text on every Python.
2. Nothing is imported to answer a question about a hint: classes are known by module and name.
"""
from __future__ import annotations

from ..errors import RegistrationError
from .plain import GENERIC_ALIAS, NONE_CLASS, UnresolvedHint, clean_docstring, context_is_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .plain import Converter, Described, SignatureTarget

    HintDescriber = Callable[[Any, "HintScope"], Described]


class HintScope:
    """Where the names of a function's hints are looked up, and what describing them has gathered so far.

    describer: hints.describe_hint; None where only names are asked for. output: whether it is the result that is
    described. frame: the innermost frame around the function's definition, None for one at module level. definitions:
    "$defs". module: where names are looked up that are not the function's own; typevars: what type parameters stand for:
    these two change inside a type (`inner`)."""

    def __init__(self, target: SignatureTarget, describer: HintDescriber | None = None, output: bool = False) -> None:
        function = target.function
        self.describer = describer
        self.label = target.label
        self.parameter = ""
        self.output = output
        self.module = self.home = target.module
        self.frame = target.frame
        self.namespaces: list[Any] = []
        self.definitions: dict[str, Any] = {} if output else target.definitions
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
                self.frame = enclosing_frame(function.__code__)
            self.namespaces.extend(enclosing_namespaces(self.frame))
        if target.owner is not None:  # a class inside the class of a bound method
            self.namespaces.extend(vars(base) for base in (
                target.owner if isinstance(target.owner, type) else type(target.owner)).__mro__[:-1])

    def __getitem__(self, name: str) -> Any:
        """The mapping that eval() takes for its local names; KeyError sends it on to the module."""
        if self.module is self.home:  # local names of the function mean nothing to a class that is written elsewhere
            for namespace in self.namespaces:
                if name in namespace:
                    return namespace[name]
        raise KeyError(name)

    def evaluate(self, code: Any) -> Any:
        names: Any = self
        return eval(code, self.module, names)

    def inner(self, **changed: Any) -> HintScope:
        """The same scope in another module, or with type parameters filled in."""
        made = HintScope.__new__(HintScope)
        made.__dict__.update(self.__dict__, **changed)
        return made

    def describe(self, hint: Any) -> Described:
        """The schema and converter of a hint inside another one."""
        assert self.describer is not None
        return self.describer(hint, self)

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
        return defining_frame(code, error.__traceback__.tb_frame if error.__traceback__ else None)


def defining_frame(code: Any, frame: Any) -> Any:
    while frame is not None and not any(constant is code for constant in frame.f_code.co_consts):
        frame = frame.f_back
    return frame


def enclosing_namespaces(frame: Any) -> list[Any]:
    """The local names of the frame and of the functions around it, innermost first."""
    found = []
    while frame is not None:
        found.append(frame.f_locals)
        frame = defining_frame(frame.f_code, frame.f_back)
    if found and found[-1].get("__name__") and "__builtins__" in found[-1]:
        found.pop()  # the module itself
    return found


def resolve_text(text: str, scope: HintScope) -> Any:
    """The object that a text hint names. Raises UnresolvedHint for an unknown name, RegistrationError for a bad
    text."""
    found: Any = text
    for _ in range(5):  # text may name text; X = "X" must not go on for ever
        found = evaluate_text(found, scope)
        if found.__class__ is not str:
            return found
    raise scope.refuse('the hint "%s" names itself' % text)


def evaluate_text(text: str, scope: HintScope) -> Any:
    try:
        return scope.evaluate(compile(text.strip(), "<hint>", "eval"))
    except SyntaxError:
        raise scope.refuse('the hint "%s" is not a Python expression' % text) from None
    except Exception:
        # An old Python that cannot subscript or join classes, a name for type checkers only, or a real mistake.
        tree: Any = compile(text.strip(), "<hint>", "eval", 0x400)  # PyCF_ONLY_AST: ast itself need not be imported
        return evaluate_hint_node(tree.body, scope, text, True)


def unresolved_hint(name: str, scope: HintScope, text: str) -> UnresolvedHint:
    shown = ' in its hint "%s"' % text if text != name else " of its hint"
    return UnresolvedHint('%s: the name "%s"%s is not defined; define or import it before the first request'
                          % (scope.place(), name, shown), scope.frame)


def evaluate_hint_node(node: Any, scope: HintScope, text: str, forward: bool) -> Any:
    """Evaluate the syntax tree of a hint. forward: a str in it is a hint again (not inside Literal and Annotated)."""
    kind = node.__class__.__name__
    if kind == "Constant":
        return resolve_text(node.value, scope) if forward and isinstance(node.value, str) else node.value
    if kind == "Attribute":
        value = evaluate_hint_node(node.value, scope, text, forward)
        if not hasattr(value, node.attr):
            raise unresolved_hint(node.attr, scope, text)
        return getattr(value, node.attr)
    if kind == "BinOp" and node.op.__class__.__name__ == "BitOr":
        sides = [evaluate_hint_node(side, scope, text, forward) for side in (node.left, node.right)]
        return HintAlias(HintUnion, tuple(sides))
    if kind in ("Tuple", "List"):
        return [evaluate_hint_node(item, scope, text, forward) for item in node.elts]
    if kind == "Subscript":
        return subscript_hint(node, scope, text)
    tree: Any = compile("0", "<hint>", "eval", 0x400)
    tree.body = node
    try:
        return scope.evaluate(compile(tree, "<hint>", "eval"))
    except NameError as error:
        import typing

        name = getattr(error, "name", None) or str(error).split("'")[1]
        if kind == "Name" and name in typing.__all__:
            return getattr(typing, name)
        raise unresolved_hint(name, scope, text) from None
    except Exception as error:
        raise scope.refuse('the hint "%s" cannot be evaluated: %s' % (text, error)) from None


def subscript_hint(node: Any, scope: HintScope, text: str) -> Any:
    base = evaluate_hint_node(node.value, scope, text, True)
    inner = node.slice.value if node.slice.__class__.__name__ == "Index" else node.slice  # 3.8
    items = inner.elts if inner.__class__.__name__ == "Tuple" else [inner]
    special = getattr(base, "_name", None) or getattr(base, "__name__", None)
    raw = special in ("Literal", "Annotated")
    made = [evaluate_hint_node(item, scope, text, not raw or (special == "Annotated" and index == 0))
            for index, item in enumerate(items)]
    if raw:
        return base[tuple(made)]
    if special == "Optional":
        return HintAlias(HintUnion, (made[0], None))
    # An alias of our own: subscribing may fail on this Python, and some items may be aliases of our own already.
    return HintAlias(getattr(base, "__origin__", None) or base, tuple(made) or ((),))


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


def forward_annotations(function: Any) -> dict[str, Any]:
    """The hints of a function or class on 3.14, with ForwardRef objects where a name is not defined yet."""
    import annotationlib  # type: ignore[import-not-found, unused-ignore]

    made: dict[str, Any] = annotationlib.get_annotations(function, format=annotationlib.Format.FORWARDREF)
    return made


# --- what a hint is ---------------------------------------------------------------------------------------------------


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


def show_hint(hint: Any) -> str:
    if hint is None or hint is NONE_CLASS:
        return "None"
    if isinstance(hint, type) and type(hint) is not GENERIC_ALIAS:
        return hint.__qualname__
    return repr(hint).replace("typing.", "")


CONTEXT_HINT: Any = object()


def resolve_parameter(hint: Any, scope: HintScope) -> Any:
    """What the hint of a parameter names; CONTEXT_HINT for the Context, alone or joined with None. Where nothing of that
    name exists, "Context" is imported for type checkers only."""
    if type(hint) is str:
        try:
            hint = resolve_text(hint, scope)
        except UnresolvedHint:
            if not text_looks_like_context(hint):
                raise
            return CONTEXT_HINT
    return CONTEXT_HINT if hint_names_context(hint) else hint


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
