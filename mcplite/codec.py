"""Bytes to a JSON value and back.

Here: strict decoding (UTF-8, RFC 8259: no NaN, no Infinity, no number that a float cannot hold) and encoding into
one line of ASCII. Not here: a second look at what cannot be held (``codec_numbers``), what a message is (``jsonrpc``), where a
line begins and ends (``stdio``).

Pages: basic/transports (stdio) of every revision; RFC 8259; RFC 3629.

1. What comes in is JSON or raises ``DecodeError``; nothing is repaired.
2. What goes out is ASCII without a line feed, so no reader can cut or garble it; a lone surrogate leaves as U+FFFD
   (Python peers hang on one), NaN and Infinity raise ``ValueError`` (JavaScript peers hang on them).
3. The ``json`` package is not imported: it costs 7 ms of a 15 ms start (it loads ``re`` and enum). Its C scanner and
   encoder live in ``_json``; where that is missing or answers differently, ``json`` takes over.
"""
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Optional, Tuple


class DecodeError(ValueError):
    """The bytes are not one JSON value in UTF-8; the text says what is wrong."""


class NumberRangeError(DecodeError):
    """JSON up to a number that cannot be held (1e999, thousands of digits). What follows was not read: ``codec_numbers`` does."""


TOO_MANY_DIGITS = "a number has more digits than can be read"
MAX_DIGITS = 4300           # of an integer, as newer Pythons have it: reading more takes time that grows with their square


def bounded_int(digits: str) -> int:
    """``int`` where Python reads any number of digits: before 3.8.14, 3.9.14 and 3.10.7, or where its own limit is turned off."""
    if len(digits) > MAX_DIGITS:
        raise ValueError(TOO_MANY_DIGITS)
    return int(digits)


read_int: "Callable[[str], int]" = int
try:
    int("9" * (MAX_DIGITS + 1))
    read_int = bounded_int
except ValueError:                                      # Python has a limit of its own
    pass


def finite_float(digits: str) -> float:
    number = float(digits)
    if number - number != 0.0:                          # inf - inf is nan
        raise NumberRangeError("the number %s is too large" % (digits if len(digits) < 40 else digits[:40] + "..."))
    return number


def refuse_constant(name: str) -> float:
    raise DecodeError("%s is not JSON" % name)


def refuse_value(value: object) -> object:
    raise TypeError("%s is not JSON" % type(value).__name__)


class ScannerSettings:
    """What the C scanner reads from the ``json.JSONDecoder`` it is normally given."""

    strict = True
    object_hook = object_pairs_hook = None
    parse_int = staticmethod(read_int)
    memo: "dict[str, str]" = {}
    parse_float = staticmethod(finite_float)
    parse_constant = staticmethod(refuse_constant)


def new_c_scanner(settings: ScannerSettings) -> "Callable[[str, int], Tuple[Any, int]]":
    from _json import make_scanner

    scanner: "Callable[[str, int], Tuple[Any, int]]" = make_scanner(settings)  # type: ignore[arg-type]
    if scanner('{"a":[1,2.5,"\\u00e9",true,null]}', 0)[0] != {"a": [1, 2.5, "é", True, None]}:
        raise ImportError("_json.make_scanner answers differently")
    return scanner


def new_c_encoder() -> "Tuple[Callable[[Any, int], Any], Callable[[str], str]]":
    from _json import encode_basestring_ascii, make_encoder

    encoder = make_encoder(None, refuse_value, encode_basestring_ascii, None, ":", ",", False, False, False)
    if "".join(encoder({"a": [1, 2.5, "é", True, None]}, 0)) != '{"a":[1,2.5,"\\u00e9",true,null]}':
        raise ImportError("_json.make_encoder answers differently")
    return encoder, encode_basestring_ascii


def new_package_scanner(settings: ScannerSettings) -> "Callable[[str, int], Tuple[Any, int]]":
    from json import JSONDecoder

    decoder = JSONDecoder(parse_float=settings.parse_float, parse_int=settings.parse_int, parse_constant=refuse_constant)
    return decoder.scan_once  # type: ignore[attr-defined, no-any-return]


def new_package_encoder() -> "Tuple[Callable[[Any, int], Any], Callable[[str], str]]":
    from json import JSONEncoder
    from json.encoder import encode_basestring_ascii

    encoder = JSONEncoder(check_circular=False, allow_nan=False, separators=(",", ":"), default=refuse_value)
    return lambda value, level: encoder.iterencode(value), encode_basestring_ascii


try:
    scan = new_c_scanner(ScannerSettings())
except Exception:
    scan = new_package_scanner(ScannerSettings())
try:
    encode_chunks, quote_ascii = new_c_encoder()
except Exception:
    encode_chunks, quote_ascii = new_package_encoder()


def bound_nesting(limit: int) -> None:
    """From now on refuse text with more than ``limit`` open brackets before the scanner sees it: for interpreters that die of it.

    In WebAssembly the scanner's recursion ends at the host's stack, some 5,000 deep, and takes the interpreter with it; everywhere
    else Python notices in time and raises RecursionError.
    """
    global scan
    scanner = scan

    def scan_bounded(text: str, start: int) -> "Tuple[Any, int]":
        if text.count("[") + text.count("{") > limit and nesting_of(text) > limit:
            raise RecursionError
        return scanner(text, start)

    scan = scan_bounded


def nesting_of(text: str) -> int:
    """Return how many brackets are open at most at any place of ``text``, those in strings not counted."""
    import re

    depth = deepest = 0
    for found in re.finditer(r'(?s)"[^"\\]*(?:\\.[^"\\]*)*"?|[][{}]', text):
        token = found.group()
        if token in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif token in "]}":
            depth -= 1
    return deepest


JSON_BLANKS = " \t\r\n"


def decode(line: "bytes | bytearray") -> "Any":
    """Return the JSON value of one line of bytes. Raises ``DecodeError`` (1), also for too deep nesting and huge integers."""
    try:
        text = line.decode()
        value, end = scan(text, 0)
        if end == len(text):
            return value
    except Exception:                                   # what is wrong is found out, and worded, below
        pass
    return decode_boxed([line])


def decode_boxed(box: "list[Any]") -> "Any":
    """Return the JSON value of the line in ``box``, which is emptied: a large message is held in one form at a time.

    Raises as ``decode`` does; then the box holds what was read, for a second look: the text, or the line that is no UTF-8.
    """
    line = box.pop()
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        box.append(line)
        raise DecodeError("not UTF-8: byte %02X at offset %d" % (error.object[error.start], error.start)) from None
    del line
    try:
        return decode_text(text)
    except Exception:
        box.append(text)
        raise


def decode_text(text: str, scanner: "Optional[Callable[[str, int], Tuple[Any, int]]]" = None, again: bool = True) -> "Any":
    """Return the JSON value of ``text``; raises as ``decode`` does. ``scanner`` takes the place of the strict one."""
    try:
        start = 0
        if text[:1] in JSON_BLANKS:                     # also the empty text
            start = len(text) - len(text.lstrip(JSON_BLANKS))
        value, end = (scanner or scan)(text, start)
        if end != len(text) and text[end:].strip(JSON_BLANKS):
            raise DecodeError("more text after the JSON value, at character %d" % end)
        return value
    except DecodeError:
        raise
    except StopIteration as stop:
        raise DecodeError("no JSON value at character %d" % stop.value) from None
    except RecursionError:
        raise DecodeError("nested too deeply") from None
    except SystemError:                                 # some scanners can word an error only when json.decoder is loaded
        if not again:
            raise DecodeError("no JSON value") from None
        import json.decoder  # noqa: F401

        return decode_text(text, scanner, False)
    except ValueError as error:                         # json.JSONDecodeError, and int() of thousands of digits
        if error.__class__ is ValueError:
            raise NumberRangeError(TOO_MANY_DIGITS) from None
        raise DecodeError(str(error).split("\n")[0]) from None


def encode(value: "Any") -> str:
    """Return ``value`` as JSON: compact, ASCII, one line. Raises ``ValueError`` or ``TypeError`` for what JSON cannot hold (2)."""
    kind = value.__class__
    if kind is str:
        text = quote_ascii(value)
    elif kind is int:
        return int.__repr__(value)
    else:
        try:
            text = "".join(encode_chunks(value, 0))
        except RecursionError:
            raise ValueError("nested too deeply, or a value that contains itself") from None
    return replace_lone_surrogates(text) if "\\ud" in text else text


def quote(text: str) -> str:
    """Return ``text`` as a JSON string; the same as ``encode`` for a str."""
    quoted = quote_ascii(text)
    return replace_lone_surrogates(quoted) if "\\ud" in quoted else quoted


def replace_lone_surrogates(text: str) -> str:
    """Return JSON ``text`` with every escaped half of a surrogate pair that stands alone made U+FFFD.

    Most texts that come here hold whole pairs (emoji), which one pass in C tells.
    """
    try:
        text.encode("ascii").decode("unicode_escape").encode("utf-16", "surrogatepass").decode("utf-16")
        return text
    except UnicodeDecodeError:
        pass
    parts, done, at = [], 0, text.find("\\")
    while at >= 0:
        step = 2
        if text.startswith("\\ud", at) and text[at + 3] in "89abcdef":
            if text[at + 3] in "89ab" and text.startswith("\\ud", at + 6) and text[at + 9] in "cdef":
                step = 12
            else:
                parts += [text[done:at], "\\ufffd"]
                step, done = 6, at + 6
        at = text.find("\\", at + step)
    parts.append(text[done:])
    return "".join(parts)
