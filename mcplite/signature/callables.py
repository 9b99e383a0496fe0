"""The plain function behind a callable: a method, partial, wrapper or object with __call__.

Here: what is no plain function with plain parameters, and what is refused because it cannot be called with arguments by
name. Not here: the plain case (plain.SignatureTarget); what the hints of the parameters are (hints).

Specification: server/tools ("Tool"). Nothing is imported to answer a question about a callable: classes are known by
module and name.
"""
from ..errors import RegistrationError
from .plain import (
    CODE_ASYNC,
    CODE_GENERATOR,
    CODE_VARARGS,
    CODE_VARKEYWORDS,
    HINT_ABSENT,
    PLAIN_FUNCTION,
    SignatureTarget,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


BOUND_METHOD: "Any" = type(SignatureTarget.parameters.__get__(0))


def find_signature_target(function: "Any") -> "SignatureTarget":
    """The plain function whose parameters a callable has, and which of them are bound already."""
    skip = 0
    bound: frozenset[str] = frozenset()
    owner: Any = None
    name: Any = HINT_ABSENT
    doc: Any = HINT_ABSENT
    current = function
    for _ in range(100):  # a chain of decorators; a loop in it must not hang
        if current.__class__ is PLAIN_FUNCTION:
            wrapped = getattr(current, "__wrapped__", None)
            # functools.wraps: the inner parameters count only if the wrapper passes them on.
            if wrapped is None or not current.__code__.co_flags & (CODE_VARARGS | CODE_VARKEYWORDS):
                target = SignatureTarget(current)
                target.skip, target.bound, target.owner = skip, bound, owner
                target.name = target.name if name is HINT_ABSENT else name
                target.doc = target.doc if doc is HINT_ABSENT else doc
                return target
            name = current.__name__ if name is HINT_ABSENT else name
            doc = current.__doc__ if doc is HINT_ABSENT else doc
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
            bound = bound.union(current.keywords)
            current = current.func
        elif getattr(current, "__wrapped__", None) is not None:
            current = current.__wrapped__
        elif hasattr(current, "__code__") and hasattr(current, "__globals__"):  # compiled by Cython and the like
            return SignatureTarget(current)
        elif callable(current) and hasattr(type(current).__call__, "__code__"):
            name = getattr(current, "__name__", None) if name is HINT_ABSENT else name
            doc = type(current).__call__.__doc__ or type(current).__doc__ if doc is HINT_ABSENT else doc
            owner = current
            skip += 1
            current = type(current).__call__
        elif callable(current):
            raise RegistrationError('"%s" is built in, and its parameters cannot be read: wrap it in a def'
                                    % getattr(current, "__name__", type(current).__name__))
        else:
            raise RegistrationError("%s is not callable: register a function" % type(current).__name__)
    raise RegistrationError("the __wrapped__ chain of %r does not end" % (function,))


def is_partial(function: "Any") -> bool:
    return any(base.__name__ == "partial" and base.__module__ == "functools" for base in type(function).__mro__)


def check_code(target: "SignatureTarget") -> None:
    """Refuse functions that cannot be called with arguments by name, or whose result is no value."""
    function, code, label = target.function, target.function.__code__, target.label
    flags, names, skip = code.co_flags, code.co_varnames, target.skip
    if flags & CODE_ASYNC:
        raise RegistrationError(label + " is async, and mcplite has one thread and no event loop: write a plain def")
    if flags & CODE_GENERATOR:
        raise RegistrationError(label + " is a generator: return a list instead of yielding")
    if flags & CODE_VARARGS and skip <= code.co_argcount:
        raise RegistrationError('%s, parameter "*%s": JSON arguments have names; name each parameter, or take one list'
                                % (label, names[code.co_argcount + code.co_kwonlyargcount]))
    if code.co_posonlyargcount > skip:
        raise RegistrationError('%s, parameter "%s" is positional-only, and JSON arguments have names: remove the "/"'
                                % (label, names[skip]))
    if not skip and code.co_argcount and method_is_unbound(function, names[0]):
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
