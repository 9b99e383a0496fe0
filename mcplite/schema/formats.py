"""The formats of 2020-12 that plain Python can judge well, for ``Validator(schema, formats=True)``.

Here: the grammar of each format as its RFC writes it, and one function for each that says more than its grammar. Not here:
formats that need tables of their own (idn-*, iri, uri-template, relative-json-pointer): a schema that asserts those is
refused.

Pages: json-schema.org/draft/2020-12 validation 7.3; RFC 3339, 5321, 1123, 2673, 4291, 3986, 4122, 6901; ECMA-262.

Each grammar takes linear time: no text can be read in two ways.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict

DATE, TIME = r"(\d{4})-(\d\d)-(\d\d)", r"(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|([+-])(\d\d):(\d\d))"
IPV4_OCTET = r"(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"
HOST_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
EMAIL_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
URI_CHARACTER = r"(?:[A-Za-z0-9._~!$&'()*+,;=%s-]|%%[0-9A-Fa-f]{2})*"
URI_AUTHORITY = "(?:%s@)?(?:\\[([^]]*)]|%s)(?::\\d*)?" % (URI_CHARACTER % ":", URI_CHARACTER % "")
GRAMMARS = {
    "date": DATE, "time": TIME, "date-time": DATE + "[Tt]" + TIME,
    # P4DT12H30M5S and P2W pass, P1Y2W, P1Y2D, PT and 4D do not: no unit is left out between two (RFC 3339 appendix A)
    "duration": r"P(?:\d+W|(?=[T\d])(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)?"
                r"(?:T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))?)",
    "email": r"""(?:%s(?:\.%s)*|"(?:[ !#-\[\]-~]|\\[ -~])*")@(?:(\[.*\])|(.*))""" % (EMAIL_ATOM, EMAIL_ATOM),
    "hostname": r"%s(?:\.%s)*" % (HOST_LABEL, HOST_LABEL),
    # 192.168.0.1 passes, 192.168.00.1, 256.0.0.1 and 127.1 do not (RFC 2673 dotted quad)
    "ipv4": r"%s(?:\.%s){3}" % (IPV4_OCTET, IPV4_OCTET),
    "uri": r"[A-Za-z][A-Za-z0-9+.-]*:.*",
    "uri-reference": r"(?:[A-Za-z][A-Za-z0-9+.-]*:|(?![^/?#]*:))(?://%s(?:/%s)?|(?!//)%s)(?:\?%s)?(?:#%s)?" % (
        URI_AUTHORITY, *[URI_CHARACTER % more for more in (":@/", ":@/", ":@/?", ":@/?")]),
    # 2EB8AA08-AA98-11EA-B4AA-73B441D16380 passes; the hyphens are part of it (RFC 4122)
    "uuid": "[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}",
    # "", "/foo/0" and "/a~1b" pass, "foo" and "/a~2" do not (RFC 6901)
    "json-pointer": "(?:/(?:[^~/]|~[01])*)*",
}


def read_format(name: str, text: str) -> Any:
    """The match of a format's grammar with the whole text."""
    import re
    return re.fullmatch(GRAMMARS[name], text, re.ASCII)


def by_grammar(name: str) -> Callable[[str], bool]:
    return lambda text: read_format(name, text) is not None


def is_date(text: str) -> bool:
    """2024-02-29 passes, 2023-02-29 and 24-2-9 do not (RFC 3339 full-date)."""
    read = read_format("date", text)
    if read is None:
        return False
    year, month, day = map(int, read.groups())
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 1 <= month <= 12 and 1 <= day <= (31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[month - 1]


def is_time(text: str) -> bool:
    """23:59:60Z and 08:30:06.28+01:00 pass, 08:30:06 does not: the offset is required (RFC 3339 full-time)."""
    read = read_format("time", text)
    if read is None:
        return False
    hour, minute, second, offset_hour, offset_minute = (int(read[group] or 0) for group in (1, 2, 3, 5, 6))
    if hour > 23 or minute > 59 or second > 60 or offset_hour > 23 or offset_minute > 59:
        return False
    offset = (offset_hour * 60 + offset_minute) * (-1 if read[4] == "-" else 1)
    return second < 60 or (hour * 60 + minute - offset) % 1440 == 1439      # a leap second ends a day of universal time


def is_date_time(text: str) -> bool:
    """1963-06-19T08:30:06.283185Z passes, 1963-06-19 08:30 does not (RFC 3339 date-time)."""
    return read_format("date-time", text) is not None and is_date(text[:10]) and is_time(text[11:])


def is_hostname(text: str) -> bool:
    """www.example.com passes, -a.com, a_b and an empty text do not (RFC 1123). A label with -- in place 3 must be an
    A-label of IDNA."""
    return len(text) <= 253 and read_format("hostname", text) is not None and all(
        label[2:4] != "--" or label[:4].lower() == "xn--" and is_a_label(label) for label in text.split("."))


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
    read = read_format("email", text)
    if read is None:
        return False
    if read[1] is None:
        return is_hostname(read[2])
    literal = read[1][1:-1]
    return is_ipv6(literal[5:]) if literal[:5].lower() == "ipv6:" else read_format("ipv4", literal) is not None


def is_ipv6(text: str) -> bool:
    """::1, 1::8 and ::ffff:192.168.0.1 pass, 12345::, 1::2::3 and fe80::a%eth1 do not (RFC 4291 2.2)."""
    import re
    if text.count("::") > 1 or ":::" in text:
        return False
    head, double, tail = text.partition("::")
    groups = (head.split(":") if head else []) + (tail.split(":") if tail else [])
    if groups and "." in groups[-1]:
        if read_format("ipv4", groups[-1]) is None or double and not tail:
            return False
        groups[-1:] = ["0", "0"]
    return all(re.fullmatch("[0-9A-Fa-f]{1,4}", group) for group in groups) \
        and (len(groups) <= 7 if double else len(groups) == 8)


def is_regex(text: str) -> bool:
    """A pattern of ECMA-262: ^a(?<n>b)$ passes, a( and \\Z do not. One that cannot be matched here is one as well, but for
    those that are too long to be read at all."""
    from .patterns import is_pattern
    return is_pattern(text)


def is_uri_reference(text: str) -> bool:
    """/abc, #fragment and //host/path pass, \\\\host and "a b" do not (RFC 3986 4.1)."""
    import re
    read = read_format("uri-reference", text)
    return read is not None and (read[1] is None or is_ipv6(read[1]) or re.fullmatch(
        r"[vV][0-9A-Fa-f]+\.[A-Za-z0-9._~!$&'()*+,;=:-]+", read[1]) is not None)


def is_uri(text: str) -> bool:
    """http://foo.bar/?baz=qux#quux and urn:a:b pass, /abc and //host do not: a scheme is required (RFC 3986 3)."""
    return read_format("uri", text) is not None and is_uri_reference(text)


FORMATS: Dict[str, Callable[[str], bool]] = {
    "date-time": is_date_time, "date": is_date, "time": is_time, "duration": by_grammar("duration"), "email": is_email,
    "hostname": is_hostname, "ipv4": by_grammar("ipv4"), "ipv6": is_ipv6, "uri": is_uri, "uri-reference": is_uri_reference,
    "uuid": by_grammar("uuid"), "json-pointer": by_grammar("json-pointer"), "regex": is_regex,
}
