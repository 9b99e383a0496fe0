"""Patterns: ECMA-262 translated exactly or refused, and never slow."""

import random
import time

import pytest

from mcplite.schema import SchemaError, Validator
from mcplite.schema.patterns.matching import compile_pattern, pattern_problem, read_pattern
from mcplite.schema.patterns.parser import PatternParser
from mcplite.schema.patterns.states import StateTable


@pytest.mark.parametrize("pattern, matching, others", [
    ("^[a-z]{2}$", ["ab"], ["ab\n", "ab\n\n", "a"]), ("b+", ["abc"], ["ac"]), ("[$]", ["$"], ["a"]), (r"\$", ["5$"], ["5"]),
    (r"^\d$", ["7"], ["\u0667"]), (r"^\w$", ["a", "_"], ["é"]), (r"^\W$", ["é"], ["a"]), (r"^\D$", ["\u0667"], ["7"]),
    (r"^\s$", ["\ufeff", "\u2003", "\u2029", " "], ["\x1c", "\x85"]), (r"^[\S]$", ["\x85"], ["\ufeff"]),
    (r"^.$", ["\x85", "\U0001f600"], ["\u2028", "\n"]), (r"^\cJ$", ["\n"], ["J"]), (r"^\x41\u0042\u{43}$", ["ABC"], ["abc"]),
    (r"^\ud83d\ude00$", ["\U0001f600"], ["\ud83d"]), ("^[]$", [], ["", "a"]), ("^[^]$", ["\n"], [""]),
    (r"^[\w-.]+$", ["a-."], ["!"]), ("^a{,3}$", ["a{,3}"], ["aaa"]), ("^{a}$", ["{a}"], ["a"]), (r"^\-\/\_$", ["-/_"], ["-"]),
    (r"^\p{Lu}\p{Ll}*$", ["Éa"], ["éa"]), (r"^\P{L}$", ["1"], ["a"]), (r"^\p{General_Category=Decimal_Number}$", ["\u0667"], ["a"]),
    (r"^[\p{L}\d]+$", ["é1"], ["-"]), (r"^(?<q>['\"]).*\k<q>$", ["'a'"], ["'a\""]), (r"^(a)?\1$", ["", "aa"], ["a"]),
    (r"(?<=a|bc)d", ["ad", "bcd"], ["cd"]), (r"(?<!a)d", ["d", "bd"], ["ad"]), (r"^(?=.*\d)(?!.* ).{3,}$", ["ab1"], ["abc", "a 1"]),
    (r"\bfoo\b", ["a foo", "fooé"], ["afoo", "foo_"]), (r"^\B$", [""], ["a"]), ("^[[a]$", ["[", "a"], ["]"]),
    ("a||b", ["", "x"], []), ("^(?:)$", [""], ["a"]), (r"^[\b]$", ["\b"], ["b"]), ("^[a&&b]$", ["&"], ["c"]),
])
def test_what_a_pattern_matches(pattern, matching, others):
    found = compile_pattern(pattern)
    assert [text for text in matching if not found(text)] == []
    assert [text for text in others if found(text)] == []


@pytest.mark.parametrize("pattern, problem", [
    (r"a\Z", "the pattern has \\Z, which is not ECMA-262: write $"),
    (r"\Aa", "the pattern has \\A, which is not ECMA-262: write ^"),
    ("(?P<n>a)", 'the pattern has "(?P<", which is not ECMA-262: write (?<name>...)'),
    ("(?i)a", 'the pattern has "(?i)", which is not ECMA-262'),
    ("a++", "the pattern has a possessive repetition, which is not ECMA-262"),
    ("a**", "the pattern repeats a repetition"), ("*a", "the pattern repeats nothing, at character 1"),
    ("^*", "the pattern repeats something that has no width"), ("(a", "the pattern lacks a )"),
    ("a)", "the pattern has a ) too many"), ("[a", "the pattern lacks a ]"), ("\\", "the pattern ends in a backslash"),
    ("[b-a]", "the pattern has a range out of order in brackets"), ("a{2,1}", "the pattern has a count {2,1} out of order"),
    (r"\1", "the pattern refers back to group 1, which is not there"),
    (r"(?<a>b)\k<c>", 'the pattern refers back to group "c", which is not there'),
    (r"(a\1)", "the pattern refers back to a group that has not ended"),
    (r"(?:(a)|b)*\1", "the pattern refers back to a group inside a repetition"),
    ("(?<=a+)b", "the pattern looks behind at something without a fixed length, which Python cannot"),
    (r"\p{Script=Greek}", "the pattern uses the Unicode property \\p{Script=Greek}; only general categories are supported"),
    (r"\xg1", "the pattern has an escape that lacks 2 hexadecimal digits"), ("a{1000001}", "the pattern has a count above 100000"),
    ("(" * 60 + ")" * 60, "the pattern is nested too deeply"), ("a" * 30000, "the pattern is longer than 20000 characters"),
    (r"\07", "the pattern has an octal escape, which is not ECMA-262: write \\xHH"),
])
def test_why_a_pattern_is_refused(pattern, problem):
    assert pattern_problem(pattern) == problem


EVIL = ["^(a+)+$", "(a|a)*b", r"^(\w+\s?)*$", "(a*)*", "(x+x+)+y", "^(a|ab|b)*$", "(?:a?){30}a{30}", "(.*)*x", "(a?b?)*c",
        r"^(([a-z])+.)+[A-Z]([a-z])+$", r"^(\d+|\d+\.)*$", "a?" * 30 + "a" * 30, "(?:a|a)" * 40, "(?:a|aa){40}b",
        "((?:a|aa){5}){9}", r"(a)(?:\1|a)*b", r"(?=(a+)+$)", "(?:(?:a{1,20}){1,20}){1,20}b"]


@pytest.mark.parametrize("pattern", EVIL)
def test_exponential_patterns_are_refused_at_load(pattern):
    with pytest.raises(SchemaError) as error:
        Validator({"properties": {"a": {"pattern": pattern}}})
    assert error.value.path == "/properties/a/pattern"
    assert error.value.reason.startswith("the pattern can take exponential time: a repetition in it can match one text in")


@pytest.mark.parametrize("pattern", [
    r"^[A-Z][A-Z0-9_]+-\d+(?:-\d+)*$", r"^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$",
    r"^I?\d+[:|-]\d+(?:;\d+[:|-]\d+)*$", r"^(Time)?SlicerStyle(Light|Dark|Other)\d$", r"^(\d{4})+$", r"^https?://[^/]+/.*$",
    r"^(?!\.)(?!.*\.\.)([A-Za-z0-9_'+\-\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\-]*\.)+[A-Za-z]{2,}$",
    r"^((25[0-5]|(2[0-4]|1\d|[1-9]|)\d)\.?\b){4}$", r"^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$",
    r"^(([^<>()[\]\\.,;:\s@\"]+(\.[^<>()[\]\\.,;:\s@\"]+)*)|(\".+\"))@(([a-zA-Z\-0-9]+\.)+[a-zA-Z]{2,})$",
    r"^v?(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?$",
    r"^[a-z]+(?:[ -][a-z]+)*$", r"^(?=.*\d)(?=.*[a-z]).{8,}$", r"\S+@\S+", r"^(red|green|blue|grey|rose|ruby)(,(red|green|blue))*$",
])
def test_patterns_that_people_write_are_accepted(pattern):
    assert pattern_problem(pattern) is None


@pytest.mark.parametrize("pattern, text, verdict", [
    (r"\s+$", " " * 200000 + "x", False), (r"\S+@\S+", "a" * 200000 + "@", False), (r"\S+@\S+", "a" * 200000 + "@b", True),
    (r"^.*a.*b.*c$", "ab" * 50000, False), (r"^.*a.*b.*c$", "ab" * 50000 + "c", True), (r"a*a*a*a*b", "a" * 100000, False),
])
def test_polynomial_patterns_take_linear_time_on_long_texts(pattern, text, verdict):
    start = time.time()
    assert compile_pattern(pattern)(text) is verdict
    assert time.time() - start < 3


def random_pattern(chance, depth):
    kind = chance.random()
    if depth == 0 or kind < 0.35:
        return chance.choice(["a", "b", "c"])
    if kind < 0.45:
        return chance.choice(["[ab]", "[^a]", ".", "\\w"])
    if kind < 0.65:
        return random_pattern(chance, depth - 1) + random_pattern(chance, depth - 1)
    if kind < 0.8:
        return "(?:%s|%s)" % (random_pattern(chance, depth - 1), random_pattern(chance, depth - 1))
    return "(?:%s)%s" % (random_pattern(chance, depth - 1), chance.choice(["*", "+", "?", "{2}", "{1,3}", "{0,5}", "{2,}"]))


def new_pattern(chance):
    return chance.choice(["", "^"]) + random_pattern(chance, 4) + chance.choice(["", "$", "x"])


def test_translation_and_state_table_agree_with_re():
    import re

    chance, compared = random.Random(1), 0
    for _ in range(600):
        pattern = new_pattern(chance)
        if pattern_problem(pattern) is None:
            read = read_pattern(pattern)
            table, ours, theirs = StateTable(read.node), compile_pattern(pattern), re.compile(pattern.replace("$", "\\Z"))
            for _ in range(8):
                text = "".join(chance.choice("abcx") for _ in range(chance.randrange(9)))
                wanted = theirs.search(text) is not None
                assert ours(text) is wanted and table.found(text) is wanted, (pattern, text)
                compared += 1
    assert compared > 3000


@pytest.mark.slow
def test_every_accepted_pattern_is_quick():
    chance, tried = random.Random(2), 0
    for _ in range(6000):
        pattern = new_pattern(chance)
        if pattern_problem(pattern) is None:
            found = compile_pattern(pattern)
            for text in ("a" * 60, "ab" * 30, "abc" * 20, "a" * 300 + "!", "a" * 3000 + "!"):
                start = time.process_time()
                found(text)
                assert time.process_time() - start < 2, pattern
                tried += 1
    assert tried > 10000


def test_any_text_is_read_or_refused():
    chance = random.Random(3)
    for _ in range(5000):
        text = "".join(chance.choice("ab1()[]{}|*+?^$\\.-,<>=!:upkxdwsbP_&") for _ in range(chance.randrange(1, 14)))
        problem = pattern_problem(text)
        if problem is None:
            compile_pattern(text)("ab1")
        else:
            assert problem.startswith("the pattern ")


def test_groups_are_counted_before_they_are_read():
    assert PatternParser(r"(a)(?:b)(?<n>c)[(](?=d)\(").total == 2
