"""The parameters of a handler with explicit schemas: the arguments as one dict, and the Context, in any order.

Here: which parameter is which. Not here: typed parameters (``signature``).

Page: server/tools, "Tool".
"""
from .errors import RegistrationError
from .signature import context_is_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .signature import Signature, SignatureTarget


def fill_raw(signature: "Signature", target: "SignatureTarget", code: "Any", frame: "Any") -> None:
    """A handler of explicit schemas: one parameter for the dict, one for the Context, in any order."""
    names = code.co_varnames[target.skip : code.co_argcount + code.co_kwonlyargcount]
    required = code.co_argcount - len(target.function.__defaults__ or ())
    hints = target.function.__annotations__
    for index, name in enumerate(names, target.skip):
        if name in target.bound:
            continue
        if name == "ctx" or names_context(hints.get(name), target):
            signature.context_name = name
        elif signature.arguments_name is None:
            signature.arguments_name = name
        elif index < required or (index >= code.co_argcount and name not in (target.function.__kwdefaults__ or ())):
            raise RegistrationError('%s, parameter "%s": a handler with an explicit schema takes the arguments as one '
                                    "dict, and ctx" % (target.label, name))


def names_context(hint: "Any", target: "SignatureTarget") -> bool:
    """Whether a hint is the Context, without resolving anything else."""
    if type(hint) is str:
        if "Context" not in hint:
            return False
        from .signature_names import text_names_context

        return text_names_context(hint, target)
    if type(hint) is type:
        return context_is_class(hint)
    if hint is None or "Context" not in repr(hint):
        return False
    from .signature_names import hint_names_context

    return hint_names_context(hint)
