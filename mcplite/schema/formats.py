"""The formats of 2020-12 that plain Python can judge well, for ``Validator(schema, formats=True)``.

Here: one function per format, text -> bool. Not here: formats that need tables of their own (idn-*, iri, uri-template,
relative-json-pointer): a schema that asserts those is refused.

Pages: json-schema.org/draft/2020-12 validation 7.3; RFC 3339, 5321, 1123, 2673, 4291, 3986, 4122, 6901; ECMA-262.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable, Dict, Optional

ASCII_DIGITS = frozenset("0123456789")
ASCII_HEX = frozenset("0123456789abcdefABCDEF")
ASCII_ALPHANUMERIC = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
UNRESERVED_IN_URI = ASCII_ALPHANUMERIC | frozenset("-._~")
URI_SUB_DELIMITERS = frozenset("!$&'()*+,;=")
URI_PATH = UNRESERVED_IN_URI | URI_SUB_DELIMITERS | frozenset(":@/")
EMAIL_ATOM = ASCII_ALPHANUMERIC | frozenset("!#$%&'*+-/=?^_`{|}~")


def all_digits(text: str) -> bool:
    return bool(text) and ASCII_DIGITS.issuperset(text)


def is_date(text: str) -> bool:
    """2024-02-29 passes, 2023-02-29 and 24-2-9 do not (RFC 3339 full-date)."""
    if len(text) != 10 or text[4] != "-" or text[7] != "-":
        return False
    if not all_digits(text[:4] + text[5:7] + text[8:]):
        return False
    year, month, day = int(text[:4]), int(text[5:7]), int(text[8:])
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 1 <= month <= 12 and 1 <= day <= (31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[month - 1]


def is_time(text: str) -> bool:
    """23:59:60Z and 08:30:06.28+01:00 pass, 08:30:06 does not: the offset is required (RFC 3339 full-time)."""
    if len(text) < 9 or text[2] != ":" or text[5] != ":" or not all_digits(text[:2] + text[3:5] + text[6:8]):
        return False
    hour, minute, second, rest = int(text[:2]), int(text[3:5]), int(text[6:8]), text[8:]
    if rest.startswith("."):
        fraction = rest[1:].rstrip("zZ") if rest[-1] in "zZ" else rest[1:-6]
        if not all_digits(fraction):
            return False
        rest = rest[1 + len(fraction):]
    offset = 0
    if rest not in ("Z", "z"):
        if len(rest) != 6 or rest[0] not in "+-" or rest[3] != ":" or not all_digits(rest[1:3] + rest[4:]):
            return False
        if int(rest[1:3]) > 23 or int(rest[4:]) > 59:
            return False
        offset = (int(rest[1:3]) * 60 + int(rest[4:])) * (1 if rest[0] == "+" else -1)
    if second == 60:            # a leap second ends a day of universal time
        return hour <= 23 and minute <= 59 and (hour * 60 + minute - offset) % 1440 == 1439
    return hour <= 23 and minute <= 59 and second <= 59


def is_date_time(text: str) -> bool:
    """1963-06-19T08:30:06.283185Z passes, 1963-06-19 08:30 does not (RFC 3339 date-time)."""
    return len(text) > 11 and text[10] in "Tt" and is_date(text[:10]) and is_time(text[11:])


def is_duration(text: str) -> bool:
    """P4DT12H30M5S and P2W pass, P1Y2W, PT and 4D do not (RFC 3339 appendix A)."""
    if not text.startswith("P") or len(text) < 3:
        return False
    date, mark, time = text[1:].partition("T")
    if date.endswith("W"):
        return not mark and all_digits(date[:-1])
    return (bool(date) or bool(mark)) and units_in_order(date, "YMD") and (not mark or bool(time)
                                                                           and units_in_order(time, "HMS"))


def units_in_order(text: str, units: str) -> bool:
    """Numbers with units, no unit left out between the first and the last: 1Y2M, but not 1Y2D."""
    place, last = 0, -1
    while place < len(text):
        start = place
        while place < len(text) and text[place] in ASCII_DIGITS:
            place += 1
        unit = units.find(text[place]) if place < len(text) else -1
        if place == start or unit < 0 or last >= 0 and unit != last + 1:
            return False
        last, place = unit, place + 1
    return True


def is_hostname(text: str) -> bool:
    """www.example.com passes, -a.com, a_b and an empty text do not (RFC 1123). A label with -- in place 3 must be an
    A-label of IDNA."""
    if not 0 < len(text) <= 253:
        return False
    return all(is_label(label) for label in text.split("."))


def is_label(label: str) -> bool:
    if not 0 < len(label) <= 63 or not (ASCII_ALPHANUMERIC | {"-"}).issuperset(label):
        return False
    if label[0] == "-" or label[-1] == "-":
        return False
    return label[2:4] != "--" or label[:4].lower() == "xn--" and is_a_label(label)


def is_a_label(label: str) -> bool:
    """Does the Punycode after xn-- stand for a label that IDNA 2008 allows? Letters, marks, digits, and the signs that
    it allows in context (RFC 5892)."""
    from unicodedata import category, normalize
    try:
        text = label[4:].encode("ascii").decode("punycode")
    except (UnicodeError, ValueError, OverflowError):
        return False
    if not text or text.isascii() or text != normalize("NFC", text) or text[0] == "-" or text[-1] == "-":
        return False
    if text[2:4] == "--" or category(text[0]) in ("Mn", "Mc", "Me"):
        return False
    scripts = [script_of(letter) for letter in text]
    arabic = frozenset(range(0x660, 0x66A)).intersection(map(ord, text))
    if arabic and frozenset(range(0x6F0, 0x6FA)).intersection(map(ord, text)):
        return False
    for place, letter in enumerate(text):
        before, after = text[place - 1:place], text[place + 1:place + 2]
        if letter == "\u00b7":                          # middle dot: between two l
            if before != "l" or after != "l":
                return False
        elif letter == "\u0375":                        # Greek keraia: before a Greek letter
            if not after or script_of(after) != "GREEK":
                return False
        elif letter in "\u05f3\u05f4":                  # Hebrew geresh, gershayim: after a Hebrew letter
            if not before or script_of(before) != "HEBREW":
                return False
        elif letter == "\u30fb":                        # Katakana middle dot: with Japanese letters
            if not {"HIRAGANA", "KATAKANA", "CJK"}.intersection(scripts[:place] + scripts[place + 1:]):
                return False
        elif letter in "\u200c\u200d":                  # joiners: after a virama, or a non-joiner in Arabic
            from unicodedata import combining
            if before and combining(before) == 9:
                continue
            if letter == "\u200d" or "ARABIC" not in (script_of(before or " "), script_of(after or " ")):
                return False
        elif letter in "\u302e\u302f\u0640\u07fa\u3031\u3032\u3033\u3034\u3035\u303b":
            return False
        elif letter in "\u00df\u03c2\u06fd\u06fe\u0f0b\u3007":
            continue
        elif letter != "-" and category(letter) not in ("Ll", "Lo", "Lm", "Mn", "Mc", "Nd"):
            return False
    return True


def script_of(letter: str) -> str:
    """The first word of a character's name, which is its script for letters."""
    from unicodedata import name
    return name(letter, "").partition(" ")[0]


def is_email(text: str) -> bool:
    """joe.bloggs@example.com and "joe bloggs"@[127.0.0.1] pass, 2962 and .a@b.c do not (RFC 5321 Mailbox)."""
    local, mark, domain = text.rpartition("@")
    if not mark or not local:
        return False
    if len(local) >= 2 and local[0] == '"' == local[-1]:
        inner = local[1:-1]
        place = 0
        while place < len(inner):
            if inner[place] == "\\":
                place += 1
                if place == len(inner):
                    return False
            elif inner[place] == '"':
                return False
            if not " " <= inner[place] <= "~":
                return False
            place += 1
    elif not all(atom and EMAIL_ATOM.issuperset(atom) for atom in local.split(".")):
        return False
    if domain.startswith("[") and domain.endswith("]"):
        literal = domain[1:-1]
        return is_ipv6(literal[5:]) if literal[:5].lower() == "ipv6:" else is_ipv4(literal)
    return is_hostname(domain)


def is_ipv4(text: str) -> bool:
    """192.168.0.1 passes, 192.168.00.1, 256.0.0.1 and 127.1 do not (RFC 2673 dotted quad)."""
    parts = text.split(".")
    return len(parts) == 4 and all(all_digits(part) and len(part) <= 3 and (part == "0" or part[0] != "0")
                                   and int(part) <= 255 for part in parts)


def is_ipv6(text: str) -> bool:
    """::1, 1::8 and ::ffff:192.168.0.1 pass, 12345::, 1::2::3 and fe80::a%eth1 do not (RFC 4291 2.2)."""
    if text.count("::") > 1 or ":::" in text:
        return False
    head, double, tail = text.partition("::")
    groups = (head.split(":") if head else []) + (tail.split(":") if tail else [])
    if groups and "." in groups[-1]:
        if not is_ipv4(groups[-1]) or double and not tail:
            return False
        groups[-1:] = ["0", "0"]
    if not all(1 <= len(group) <= 4 and ASCII_HEX.issuperset(group) for group in groups):
        return False
    return len(groups) <= 7 if double else len(groups) == 8


def is_uuid(text: str) -> bool:
    """2EB8AA08-AA98-11EA-B4AA-73B441D16380 passes; the hyphens are part of it (RFC 4122)."""
    return len(text) == 36 and [len(part) for part in text.split("-")] == [8, 4, 4, 4, 12] \
        and ASCII_HEX.issuperset(text.replace("-", ""))


def is_json_pointer(text: str) -> bool:
    """"", "/foo/0" and "/a~1b" pass, "foo" and "/a~2" do not (RFC 6901)."""
    if text and not text.startswith("/"):
        return False
    return text.count("~") == text.count("~0") + text.count("~1")


def is_regex(text: str) -> bool:
    """A pattern of ECMA-262: ^a(?<n>b)$ passes, a( and \\Z do not. One that cannot be matched here is one as well, but for
    those longer than MAX_PATTERN_LENGTH, which are not read at all."""
    from .patterns import is_pattern
    return is_pattern(text)


def escapes_right(text: str) -> bool:
    """Every % is followed by two hexadecimal digits."""
    return all(len(part) >= 2 and ASCII_HEX.issuperset(part[:2]) for part in text.split("%")[1:])


def is_uri_reference(text: str) -> bool:
    """/abc, #fragment and //host/path pass, \\\\host and "a b" do not (RFC 3986 4.1)."""
    if not escapes_right(text):
        return False
    rest, _, fragment = text.replace("%", "").partition("#")
    rest, _, query = rest.partition("?")
    if not (URI_PATH | {"?"}).issuperset(fragment + query):
        return False
    scheme = uri_scheme(rest)
    if scheme is None and ":" in rest.partition("/")[0]:
        return False
    rest = rest[len(scheme) + 1:] if scheme is not None else rest
    if rest.startswith("//"):
        authority, slash, rest = rest[2:].partition("/")
        if not is_authority(authority):
            return False
    return URI_PATH.issuperset(rest)


def uri_scheme(text: str) -> Optional[str]:
    scheme, mark, _ = text.partition(":")
    if mark and scheme and scheme[0].isalpha() and (ASCII_ALPHANUMERIC | frozenset("+-.")).issuperset(scheme):
        return scheme
    return None


def is_authority(text: str) -> bool:
    """user@host:port, with the host a name or an address in brackets."""
    user, _, host = text.rpartition("@")
    if not (UNRESERVED_IN_URI | URI_SUB_DELIMITERS | {":"}).issuperset(user):
        return False
    if host.startswith("["):
        address, mark, port = host[1:].partition("]")
        if not mark or not (is_ipv6(address) or is_future_address(address)) or port and port[0] != ":":
            return False
        port = port[1:]
    else:
        name, _, port = host.partition(":")
        if not (UNRESERVED_IN_URI | URI_SUB_DELIMITERS).issuperset(name):
            return False
    return ASCII_DIGITS.issuperset(port)


def is_future_address(text: str) -> bool:
    version, mark, rest = text[1:].partition(".")
    return text[:1] in ("v", "V") and bool(mark and version and rest) and ASCII_HEX.issuperset(version) \
        and (UNRESERVED_IN_URI | URI_SUB_DELIMITERS | {":"}).issuperset(rest)


def is_uri(text: str) -> bool:
    """http://foo.bar/?baz=qux#quux and urn:a:b pass, /abc and //host do not: a scheme is required (RFC 3986 3)."""
    return uri_scheme(text) is not None and is_uri_reference(text)


FORMATS: Dict[str, Callable[[str], bool]] = {
    "date-time": is_date_time, "date": is_date, "time": is_time, "duration": is_duration, "email": is_email,
    "hostname": is_hostname, "ipv4": is_ipv4, "ipv6": is_ipv6, "uri": is_uri, "uri-reference": is_uri_reference,
    "uuid": is_uuid, "json-pointer": is_json_pointer, "regex": is_regex,
}
