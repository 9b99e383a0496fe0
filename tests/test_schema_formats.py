"""``formats=True``: what the thirteen formats accept and refuse; without it, format only annotates."""

import pytest

from mcplite.schema import SchemaError, Validator
from mcplite.schema.formats import FORMATS

CASES = {
    "date": (["2024-02-29", "2000-02-29"], ["2023-02-29", "1900-02-29", "24-2-9", "2024-13-01", "2024-01-0\u0667"]),
    "time": (["08:30:06Z", "08:30:06.283185z", "23:59:60Z", "01:29:60+01:30", "08:30:06+23:59"],
             ["08:30:06", "22:59:60Z", "24:00:00Z", "08:30:06.Z", "08:30:06+24:00", "8:30:06Z", "08:30:06-0800"]),
    "date-time": (["1963-06-19T08:30:06.283185Z", "1998-12-31t23:59:60z"], ["1963-06-19 08:30:06Z", "1998-12-31T23:58:60Z", ""]),
    "duration": (["P4DT12H30M5S", "P2W", "PT0S", "P1Y2M"], ["P", "PT", "P1Y2W", "P1Y2D", "4D", "P1D2H", "PT1D", "P2S", "P1"]),
    "email": (["joe.bloggs@example.com", '"joe bloggs"@example.com', "a@[127.0.0.1]", "a@[IPv6:::1]", "te~st@example.com"],
              ["2962", ".a@b.c", "a..b@c.d", "a@b@c", "a@-x.com", '"a"b@c.d', "joe bloggs@example.com", "a@[1.2.3]"]),
    "hostname": (["www.example.com", "a-b", "xn--4gbwdl.xn--wgbh1c", "1.2"], ["", "-a.com", "a-", "a_b", "a" * 64, "a..b", "ab--c",
                                                                              "xn--X", "." * 3, ".".join(["a" * 60] * 5), "xn--ab-0ea"]),
    "ipv4": (["192.168.0.1", "0.0.0.0"], ["256.0.0.1", "127.1", "1.2.3.04", "1.2.3.4.5", "1.2.3.\u0664", "0x7f.0.0.1"]),
    "ipv6": (["::1", "::", "1::8", "::ffff:192.168.0.1", "1:2:3:4:5:6:7:8"],
             ["12345::", "1::2::3", ":2:3:4:5:6:7:8", "1:2:3:4:5:6:7", "fe80::a%eth1", "1:2:3:4:1.2.3", "::1/64", ":::"]),
    "uri": (["http://foo.bar/?baz=qux#quux", "urn:a:b", "mailto:a@b.c", "http://[::1]:80/"],
            ["/abc", "//foo", "http:// a", "http://a/%zz", ":// x", "http://[::1", "http://a:b/", "bar,baz:foo",
             "http://[::1]:%80/"]),
    "uri-reference": (["/abc", "#fragment", "//host/path", "", "a/b:c"], ["\\\\host", "a b", "#a\\b", "%", "a[b", "a%41:b"]),
    "uuid": (["2EB8AA08-AA98-11EA-B4AA-73B441D16380"], ["2eb8aa08aa9811eab4aa73b441d16380", "2eb8aa08-aa98-11ea-b4aa-73b441d1638g"]),
    "json-pointer": (["", "/foo/0", "/a~1b", "/"], ["foo", "/a~2", "/~", "#/a"]),
    "regex": (["^a(?<n>b)$", "(?<=a+)b"], ["a(", "\\Z", "[b-a]"]),
}


def test_every_format_has_cases():
    assert set(CASES) == set(FORMATS)


@pytest.mark.parametrize("name", sorted(CASES))
def test_a_format_is_asserted_where_asked_for(name):
    validator = Validator({"format": name}, formats=True)
    good, bad = CASES[name]
    assert [text for text in good if not validator.is_valid(text)] == []
    assert [text for text in bad if validator.is_valid(text)] == []
    assert validator.is_valid(12) is True


def test_a_format_annotates_otherwise():
    assert Validator({"format": "date"}).is_valid("no date") is True


def test_a_format_that_cannot_be_judged_is_refused_where_asked_for():
    Validator({"format": "idn-email"})
    with pytest.raises(SchemaError) as error:
        Validator({"properties": {"a": {"format": "idn-email"}}}, formats=True)
    assert error.value.path == "/properties/a/format"
    assert error.value.reason.startswith("the format idn-email cannot be asserted; known: date, date-time, duration, email")


def test_what_it_says():
    assert Validator({"format": "date"}, formats=True).problems("24-2-9")[0]["message"] == (
        'expected the format date, got "24-2-9"')
