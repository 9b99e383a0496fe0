"""Signatures: a function's parameters as a schema, JSON arguments as Python arguments.

In the order of reading: plain (what most functions are), parameters (the way through one function: parse_signature). Then
what is loaded when a program uses it: callables (methods, partials, wrappers), names (hints as text), hints (all that are not
plain) with choices and classes; judge (does a value fit: unions, defaults), texts (the arguments of prompts
and resources, which come as strings).

What may be imported from here: parse_signature and the Signature it finds; ArgumentError and UnresolvedHint, which it raises;
clean_docstring.
"""
from .parameters import Signature, parse_signature
from .plain import ArgumentError, UnresolvedHint, clean_docstring

__all__ = ["ArgumentError", "Signature", "UnresolvedHint", "clean_docstring", "parse_signature"]
