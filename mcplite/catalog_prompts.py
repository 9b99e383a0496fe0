"""Prompts and completions: the checks at registration.

Here: ``add_prompt``, ``add_completion``. Not here: calling them (``handlers``).

Pages: server/prompts, server/utilities/completion.
"""
from .catalog import (
    Entry,
    check_icons,
    check_members,
    check_no_more,
    describe,
    find_name,
    new_wire,
    read_signature,
)
from .errors import RegistrationError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, TypedDict

    from .catalog import Catalog
    from .signature import Signature

    class PromptOptions(TypedDict, total=False):
        """What ``Server.prompt`` takes."""

        name: "Optional[str]"
        title: "Optional[str]"
        description: "Optional[str]"
        icons: "Optional[List[Dict[str, Any]]]"
        meta: "Optional[Dict[str, Any]]"
        argument_titles: "Optional[Dict[str, str]]"


def add_prompt(catalog: "Catalog", function: "Callable[..., Any]", options: "PromptOptions") -> "Entry":
    """Check a prompt and register it."""
    rest = options.copy()
    name, title, description = rest.pop("name", None), rest.pop("title", None), rest.pop("description", None)
    icons, meta, titles = rest.pop("icons", None), rest.pop("meta", None), rest.pop("argument_titles", None)
    check_no_more("Server.prompt", rest)
    name = find_name(function, name)
    label = "prompt %r" % name
    check_members(label, options)
    icons = check_icons(icons, label)
    entry = Entry({}, function)

    def read(signature: "Signature") -> None:
        arguments = title_arguments(signature.prompt_arguments, titles or {}, label)
        entry.wire = new_wire({
            "name": name, "title": title, "description": describe(description, signature), "arguments": arguments or None,
            "icons": icons, "_meta": meta})

    read_signature(entry, "prompt", read)
    catalog.add(catalog.prompts, name, entry, "prompt")
    catalog.declared["prompts"] = True
    return entry


def add_completion(catalog: "Catalog", function: "Callable[..., Any]", reference: str, argument: str) -> None:
    """Register ``function`` as completion of a prompt's argument or a template's variable."""
    entry = Entry({}, function)
    entry.context_name = find_completion_context(function)
    catalog.add(catalog.completions, (reference, argument), entry, "completion")
    catalog.declared["completions"] = True


def check_completions(catalog: "Catalog") -> None:
    """Every completion must belong to something; checked when serving begins, since order of registration is free."""
    for reference, argument in catalog.completions:
        if reference in catalog.prompts:
            names = [item["name"] for item in catalog.prompts[reference].wire.get("arguments", ())]
        elif reference in catalog.templates:
            names = list(catalog.templates[reference].template.variables)  # type: ignore[union-attr]
        else:
            raise RegistrationError("completion of %r: no prompt and no resource template is called so" % reference)
        if argument not in names:
            raise RegistrationError("completion of %r: it has no argument %r, only %s" % (reference, argument, names))


def title_arguments(arguments: "List[Dict[str, Any]]", titles: "Dict[str, str]", label: str) -> "List[Dict[str, Any]]":
    """Return a prompt's ``arguments`` with the titles given for some of them."""
    titled = {argument["name"]: dict(argument) for argument in arguments}
    for name, title in titles.items():
        if name not in titled:
            raise RegistrationError("%s: argument_titles names %r, which is no argument" % (label, name))
        titled[name]["title"] = title
    return list(titled.values())


def find_completion_context(function: "Callable[..., Any]") -> "Optional[str]":
    """Return the parameter of a completion function that takes the context: named ``ctx``, or hinted ``Context``."""
    inner = getattr(function, "__func__", function)
    code = getattr(inner, "__code__", None)
    if code is None:
        inner = getattr(type(function), "__call__", None)  # noqa: B004  (the method itself is wanted)
        code = getattr(inner, "__code__", None)
        if code is None:
            return None
    hints = getattr(inner, "__annotations__", {})
    for parameter in code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]:
        hint = hints.get(parameter)
        if parameter == "ctx" or (hint if hint.__class__ is str else getattr(hint, "__name__", "")) == "Context":
            return str(parameter)
    return None
