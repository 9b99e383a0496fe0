"""The arguments of prompts and resources: strings, converted to what the parameters are hinted as.

Here: the ``arguments`` of a Prompt, and the function that converts and checks them all. Not here: one value (``signature_values``).

Pages: server/prompts, "Prompt"; server/resources, "Resource Templates".
"""
from .signature import HINT_ABSENT, ArgumentError, convert_extra, escape_pointer, json_kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .signature import ArgumentsConverter, Converter, Signature


def new_text_arguments_converter(signature: "Signature", converters: "dict[str, Converter]", extra: "Converter | None",
                                 hidden: "frozenset[str] | None") -> "ArgumentsConverter":
    """The convert() of a prompt or resource: arguments are strings (lists of them for `{x*}`), and nobody has judged
    them."""
    known, required = signature.parameters, signature.required

    def convert_texts(arguments: "dict[str, Any]") -> "dict[str, Any]":
        made: dict[str, Any] = {}
        for name, value in arguments.items():
            if name not in known and hidden is None:
                raise ArgumentError("/" + escape_pointer(name), "unknown argument; " + (
                    "known are " + ", ".join(known) if known else "there are none"))
            if not isinstance(value, (str, list)):
                raise ArgumentError("/" + escape_pointer(name), "expected a string, got " + json_kind(value))
            convert = converters.get(name)
            if convert is None:
                if value.__class__ is list and name in known:
                    raise ArgumentError("/" + escape_pointer(name), "expected a string, got an array")
                made[name] = value
                continue
            try:
                value = convert(value)
            except ArgumentError as error:
                raise ArgumentError("/" + escape_pointer(name) + error.path, error.message) from None
            if value is not HINT_ABSENT:
                made[name] = value
        for name in required:
            if name not in made:
                raise ArgumentError("/" + name, "required argument is missing")
        if hidden is not None:
            convert_extra(made, known, hidden, extra)
        return made

    return convert_texts


def new_prompt_arguments(properties: "dict[str, Any]", required: "list[str]") -> "list[dict[str, Any]]":
    """The `arguments` of a Prompt: name, description if there is one, required."""
    made = []
    for name, schema in properties.items():
        argument: dict[str, Any] = {"name": name}
        if isinstance(schema.get("description"), str):
            argument["description"] = schema["description"]
        argument["required"] = name in required
        made.append(argument)
    return made
