"""Numbers that cannot be held, too large for a float or too long to be read: a second reading of text that is JSON but for one.

Here: that reading, and where in a value such a number stands. Not here: strict reading (``codec``), what is answered
(``session``).

Pages: RFC 8259, section 6 ("Numbers").
"""
from .codec import (
    TOO_MANY_DIGITS,
    NumberRangeError,
    ScannerSettings,
    decode_text,
    finite_float,
    new_c_scanner,
    new_package_scanner,
    read_int,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional


class Unholdable:
    """Stands for a number that cannot be held; ``error`` names it. The encoder refuses it, so it cannot leave."""

    __slots__ = ("error",)

    def __init__(self, error: NumberRangeError) -> None:
        self.error = error


def float_or_unholdable(digits: str) -> "Any":
    try:
        return finite_float(digits)
    except NumberRangeError as error:
        return Unholdable(error)


def int_or_unholdable(digits: str) -> "Any":
    try:
        return read_int(digits)
    except ValueError:
        return Unholdable(NumberRangeError(TOO_MANY_DIGITS))


class TolerantSettings(ScannerSettings):
    parse_int = staticmethod(int_or_unholdable)
    parse_float = staticmethod(float_or_unholdable)


def decode_tolerantly(text: str) -> "Any":
    """Return the JSON value of ``text``, with an ``Unholdable`` for every number that cannot be held. Raises as ``decode``."""
    try:
        scanner = new_c_scanner(TolerantSettings())
    except Exception:
        scanner = new_package_scanner(TolerantSettings())
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
