"""Numbers that no float can hold: a second reading of text that is JSON by its grammar, and has one.

Here: that reading, and where in a value such a number stands. Not here: strict reading (``codec``), what is answered
(``session``).

Pages: RFC 8259, section 6 ("Numbers").
"""
from .codec import NumberRangeError, ScannerSettings, decode_text, finite_float, new_c_scanner, new_package_scanner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional


class Unholdable:
    """Stands for a number that no float can hold; ``error`` names it. The encoder refuses it, so it cannot leave."""

    __slots__ = ("error",)

    def __init__(self, error: NumberRangeError) -> None:
        self.error = error


def float_or_unholdable(digits: str) -> "Any":
    try:
        return finite_float(digits)
    except NumberRangeError as error:
        return Unholdable(error)


class TolerantSettings(ScannerSettings):
    parse_float = staticmethod(float_or_unholdable)


def decode_tolerantly(text: str) -> "Any":
    """Return the JSON value of ``text``, with an ``Unholdable`` for every number too large. Raises as ``decode`` for all else."""
    try:
        scanner = new_c_scanner(TolerantSettings())
    except Exception:
        scanner = new_package_scanner(float_or_unholdable)
    return decode_text(text, scanner)


def find_unholdable(value: "Any") -> "Optional[NumberRangeError]":
    """Return what is wrong with a number in ``value``, however deep it stands; None where every number can be held."""
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if value.__class__ is Unholdable:
            error: NumberRangeError = value.error
            return error
        if value.__class__ is dict:
            waiting.extend(value.values())
        elif value.__class__ is list:
            waiting.extend(value)
    return None
