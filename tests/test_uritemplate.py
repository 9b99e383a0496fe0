"""URI templates: the tables of RFC 6570, matching, decoding, and the time it takes."""
from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcplite.uritemplate import UriError, UriTemplate, check_uri, decode_uri_value

RFC_VALUES = {
    "count": ["one", "two", "three"], "dom": ["example", "com"], "dub": "me/too", "hello": "Hello World!", "half": "50%",
    "var": "value", "who": "fred", "base": "http://example.com/home/", "path": "/foo/bar", "list": ["red", "green", "blue"],
    "keys": {"semi": ";", "dot": ".", "comma": ","}, "v": "6", "x": "1024", "y": "768", "empty": "", "empty_keys": {},
    "undef": None}

# Section 1.2 (by level) and section 3.2 of RFC 6570, in its order.
RFC_EXPANSIONS = """
{var} value | {hello} Hello%20World%21 | {+var} value | {+hello} Hello%20World! | {+path}/here /foo/bar/here
here?ref={+path} here?ref=/foo/bar | X{#var} X#value | X{#hello} X#Hello%20World! | map?{x,y} map?1024,768
{x,hello,y} 1024,Hello%20World%21,768 | {+x,hello,y} 1024,Hello%20World!,768 | {+path,x}/here /foo/bar,1024/here
{#x,hello,y} #1024,Hello%20World!,768 | {#path,x}/here #/foo/bar,1024/here | X{.var} X.value | X{.x,y} X.1024.768
{/var} /value | {/var,x}/here /value/1024/here | {;x,y} ;x=1024;y=768 | {;x,y,empty} ;x=1024;y=768;empty
{?x,y} ?x=1024&y=768 | {?x,y,empty} ?x=1024&y=768&empty= | ?fixed=yes{&x} ?fixed=yes&x=1024
{&x,y,empty} &x=1024&y=768&empty= | {var:3} val | {var:30} value | {list} red,green,blue | {list*} red,green,blue
{keys} semi,%3B,dot,.,comma,%2C | {keys*} semi=%3B,dot=.,comma=%2C | {+path:6}/here /foo/b/here | {+list} red,green,blue
{+list*} red,green,blue | {+keys} semi,;,dot,.,comma,, | {+keys*} semi=;,dot=.,comma=, | {#path:6}/here #/foo/b/here
{#list} #red,green,blue | {#list*} #red,green,blue | {#keys} #semi,;,dot,.,comma,, | {#keys*} #semi=;,dot=.,comma=,
X{.var:3} X.val | X{.list} X.red,green,blue | X{.list*} X.red.green.blue | X{.keys} X.semi,%3B,dot,.,comma,%2C
X{.keys*} X.semi=%3B.dot=..comma=%2C | {/var:1,var} /v/value | {/list} /red,green,blue | {/list*} /red/green/blue
{/list*,path:4} /red/green/blue/%2Ffoo | {/keys} /semi,%3B,dot,.,comma,%2C | {/keys*} /semi=%3B/dot=./comma=%2C
{;hello:5} ;hello=Hello | {;list} ;list=red,green,blue | {;list*} ;list=red;list=green;list=blue
{;keys} ;keys=semi,%3B,dot,.,comma,%2C | {;keys*} ;semi=%3B;dot=.;comma=%2C | {?var:3} ?var=val
{?list} ?list=red,green,blue | {?list*} ?list=red&list=green&list=blue | {?keys} ?keys=semi,%3B,dot,.,comma,%2C
{?keys*} ?semi=%3B&dot=.&comma=%2C | {&var:3} &var=val | {&list} &list=red,green,blue
{&list*} &list=red&list=green&list=blue | {&keys} &keys=semi,%3B,dot,.,comma,%2C | {&keys*} &semi=%3B&dot=.&comma=%2C
{count} one,two,three | {count*} one,two,three | {/count} /one,two,three | {/count*} /one/two/three
{;count} ;count=one,two,three | {;count*} ;count=one;count=two;count=three | {?count} ?count=one,two,three
{?count*} ?count=one&count=two&count=three | {&count*} &count=one&count=two&count=three | {half} 50%25
O{empty}X OX | O{undef}X OX | ?{x,empty} ?1024, | ?{x,undef} ?1024 | ?{undef,y} ?768 | {var:3} val | {base}index
http%3A%2F%2Fexample.com%2Fhome%2Findex | {+base}index http://example.com/home/index | {+half} 50%25 | O{+empty}X OX
O{+undef}X OX | {+path}/here /foo/bar/here | up{+path}{var}/here up/foo/barvalue/here | foo{#empty} foo# | foo{#undef} foo
X{.empty_keys} X | X{.empty_keys*} X | {.who} .fred | {.who,who} .fred.fred | {.half,who} .50%25.fred | www{.dom*} www.example.com
X{.empty} X. | X{.undef} X | {/who} /fred | {/who,who} /fred/fred | {/half,who} /50%25/fred | {/who,dub} /fred/me%2Ftoo
{/var,empty} /value/ | {/var,undef} /value | {;who} ;who=fred | {;half} ;half=50%25
{;empty} ;empty | {;v,empty,who} ;v=6;empty;who=fred
{;v,bar,who} ;v=6;who=fred | {;x,y,undef} ;x=1024;y=768 | {?who} ?who=fred | {?half} ?half=50%25 | {?x,y,undef} ?x=1024&y=768
{&who} &who=fred | {&half} &half=50%25 | {&x,y,undef} &x=1024&y=768
"""
RFC_PAIRS = [tuple(pair.split()) for pair in RFC_EXPANSIONS.strip().replace("\n", " | ").split(" | ")]
RFC_PAIRS = [pair for pair in RFC_PAIRS if len(pair) == 2]


def test_the_tables_are_there():
    assert len(RFC_PAIRS) > 110


@pytest.mark.parametrize("template, expected", RFC_PAIRS)
def test_expand_as_rfc_6570(template, expected):
    assert UriTemplate(template, matchable=False).expand(RFC_VALUES) == expected


@pytest.mark.parametrize("template, values, expected", [
    ("m://{n}", {"n": 7}, "m://7"),
    ("m://{n}", {"n": 1.5}, "m://1.5"),
    ("m://{n}", {"n": True}, "m://true"),
    ("m://{n}", {"n": "é 中"}, "m://%C3%A9%20%E4%B8%AD"),
    ("m://é/{n}", {"n": "a"}, "m://%C3%A9/a"),
    ("m://{+n}", {"n": "a%20b%zz"}, "m://a%20b%25zz"),
    ("m://{n}", {"n": ("a", None, "b")}, "m://a,b"),
    ("m://{n}", {"n": []}, "m://"),
    ("m://x", {}, "m://x"),
])
def test_expand_values(template, values, expected):
    assert UriTemplate(template, matchable=False).expand(values) == expected


@pytest.mark.parametrize("template, values, message", [
    ("{x}", {"x": object()}, 'variable "x": a object cannot be expanded into a URI'),
    ("{x}", {"x": [["a"]]}, 'variable "x": a list cannot be expanded into a URI'),
    ("{x:3}", {"x": ["a"]}, 'variable "x": a prefix (":3") applies to strings only'),
    ("{x:3}", {"x": {"a": "b"}}, 'variable "x": a prefix (":3") applies to strings only'),
    ("{x}", {"x": "\ud800"}, "a lone surrogate cannot stand in a URI"),
])
def test_expand_refuses(template, values, message):
    with pytest.raises(UriError) as caught:
        UriTemplate(template, matchable=False).expand(values)
    assert str(caught.value) == message


@pytest.mark.parametrize("template, message", [
    ("m://{x", 'URI template "m://{x": "{" at 4 is never closed'),
    ("m://x}", 'URI template "m://x}": "}" without "{"'),
    ("m://{}", 'URI template "m://{}": "" is not a variable name'),
    ("m://{x,}", 'URI template "m://{x,}": "" is not a variable name'),
    ("m://{x-y}", 'URI template "m://{x-y}": "x-y" is not a variable name'),
    ("m://{x%2}", 'URI template "m://{x%2}": "x%2" is not a variable name'),
    ("m://{.x.}", 'URI template "m://{.x.}": "x." is not a variable name'),
    ("m://{=x}", 'URI template "m://{=x}": operator "=" is reserved by RFC 6570'),
    ("m://{x:0}", 'URI template "m://{x:0}": prefix of "{x:0}" must be 1 to 9999'),
    ("m://{x:}", 'URI template "m://{x:}": prefix of "{x:}" must be 1 to 9999'),
    ("m://{x:10000}", 'URI template "m://{x:10000}": prefix of "{x:10000}" must be 1 to 9999'),
    ("m://a b/{x}", "URI template \"m://a b/{x}\": ' ' cannot stand in a URI; percent-encode it"),
    ("m://a%2/{x}", 'URI template "m://a%2/{x}": malformed escape "%2/"'),
    ("m://a<b", "URI template \"m://a<b\": '<' cannot stand in a URI; percent-encode it"),
    (7, "a URI template must be a string, got int"),
])
def test_malformed_templates(template, message):
    with pytest.raises(UriError) as caught:
        UriTemplate(template, matchable=False)
    assert str(caught.value) == message


@pytest.mark.parametrize("template, reason", [
    ("m://{x:3}", 'the prefix of "{x:3}" loses the rest'),
    ("m://{x}{y}", 'nothing tells where "x" ends and "y" begins'),
    ("m://{x}/{x}", 'the variable "x" occurs twice'),
    ("m://{+x}/{+y}", "only one variable may hold slashes"),
    ("m://{+x}{/y*}", "only one variable may hold slashes"),
    ("m://a{;x}", "{;x} is not supported; use {?x}"),
    ("m://a{?x}{?y}", "it has two queries; write {?x,y}"),
    ("m://a{?x}b", "nothing but {&x} and {#x} may follow the query, and nothing the fragment"),
    ("m://a{?x}{y}", "nothing but {&x} and {#x} may follow the query"),
    ("m://a{#x}{y}", "nothing may follow the fragment"),
    ("m://a{#x,y}", "a fragment takes one variable"),
    ("m://a{&x}", "{&x} needs a literal query before it, as in ?a=1{&x}"),
    ("m://a{/x*}{/y}", "only the last {/x} may be missing or hold slashes; what comes before it cannot be told apart"),
])
def test_templates_that_cannot_be_matched(template, reason):
    with pytest.raises(UriError) as caught:
        UriTemplate(template)
    assert str(caught.value) == 'URI template "%s" cannot be matched: %s' % (template, reason)


MATCHES = [
    ("memo://{topic}/{n}", "memo://caf%C3%A9%20au%20lait/1", {"topic": "café au lait", "n": "1"}),
    ("memo://{topic}/{n}", "memo://a+b/2", {"topic": "a+b", "n": "2"}),
    ("memo://{topic}/{n}", "memo://x%2520y/3", {"topic": "x%20y", "n": "3"}),
    ("memo://{topic}/{n}", "memo://a/b/c", None),
    ("memo://{topic}/{n}", "memo://a%2Fb/c", None),
    ("memo://{topic}", "memo://", None),
    ("memo://{topic}", "memo://a?b", None),
    ("memo://{topic}", "memo://a#b", None),
    ("memo://{topic}", "MEMO://a", None),
    ("memo://{topic}", "memo://é", {"topic": "é"}),
    ("memo://é/{topic}", "memo://%c3%a9/a", {"topic": "a"}),
    ("memo://é/{topic}", "memo://é/a", {"topic": "a"}),
    ("memo://all", "memo://all", {}),
    ("memo://all", "memo://all/", None),
    ("{x}", "a", {"x": "a"}),
    ("{a}-{b}", "x-y-z", {"a": "x", "b": "y-z"}),
    ("{a}-{b}", "-y", None),
    ("{a}-{b}", "--y", {"a": "-", "b": "y"}),
    ("s://{n}.json", "s://a.json.json", {"n": "a.json"}),
    ("s://{n}.json", "s://.json", None),
    ("s://{n}.json", "s://a.txt", None),
    ("s://{n}/{m}.json", "s://a/b/c.json", None),
    ("s://{+p}/{m}.json", "s://a/b/c.txt", None),
    ("s://{+p}/{m}.json", "s://a/b/.json", None),
    ("s://{a}/{b}.json", "s://x/y.json", {"a": "x", "b": "y"}),
    ("s://{a}{.e}", "s://x.tar.gz", {"a": "x", "e": "tar.gz"}),
    ("s://{x,y}", "s://a,b", {"x": "a", "y": "b"}),
    ("s://{x,y}", "s://a,b,c", None),
    ("s://{x*}", "s://a,b,c", {"x": ["a", "b", "c"]}),
    ("s://{x}", "s://a,b", {"x": "a,b"}),
    ("file:///{+path}", "file:///a/b/c.txt", {"path": "a/b/c.txt"}),
    ("file:///{+path}", "file:///a?q#f", {"path": "a?q#f"}),
    ("file:///{+path}", "file:///", None),
    ("file:///{+path}.{ext}", "file:///a/b.tar.gz", {"path": "a/b.tar", "ext": "gz"}),
    ("s://{h}/{+path}/at/{n}", "s://h/a/at/b/at/1", {"h": "h", "path": "a/at/b", "n": "1"}),
    ("s://{h}/{+path}/at/{n}", "s://h/at/1", None),
    ("s://{+p}/x", "s://a/y", None),
    ("s://h{/a,b}", "s://h/1/2", {"a": "1", "b": "2"}),
    ("s://h{/a,b}", "s://h/1", {"a": "1"}),
    ("s://h{/a,b}", "s://h", {}),
    ("s://h{/a,b}", "s://h/1/2/3", None),
    ("s://h{/a,b}", "s://h//2", None),
    ("s://h{/a}", "s://i/1", None),
    ("s://h{/a*}", "s://h/1/2/3", {"a": ["1", "2", "3"]}),
    ("s://h{/a*}", "s://h/1?x", None),
    ("s://h{/k,a*}", "s://h/1/2/3", {"k": "1", "a": ["2", "3"]}),
    ("s://{x}{/y}", "s://a/b", {"x": "a", "y": "b"}),
    ("s://{x}{/y}", "s://a", {"x": "a"}),
    ("s://h{/x}/end", "s://h/1/end", {"x": "1"}),
    ("s://h{/x}/end", "s://h/end", None),
    ("s://h{/p*}/end", "s://h/a/b/end", {"p": ["a", "b"]}),
    ("s://{k}{?q,p}", "s://k?p=1&q=%20a+b", {"k": "k", "q": " a+b", "p": "1"}),
    ("s://{k}{?q,p}", "s://k?q=", {"k": "k", "q": ""}),
    ("s://{k}{?q,p}", "s://k?q", {"k": "k", "q": ""}),
    ("s://{k}{?q,p}", "s://k?", {"k": "k"}),
    ("s://{k}{?q,p}", "s://k", {"k": "k"}),
    ("s://{k}{?q,p}", "s://k?z=1", None),
    ("s://{k}{?q,p}", "s://k?q=1&q=2", None),
    ("s://{k}{?q*}", "s://k?q=1&q=2", {"k": "k", "q": ["1", "2"]}),
    ("s://{k}{?q}{&p}", "s://k?p=2", {"k": "k", "p": "2"}),
    ("s://{+k}{?q}", "s://a/b?q=c/d", {"k": "a/b", "q": "c/d"}),
    ("s://k?f=1{&x}", "s://k?f=1&x=2", {"x": "2"}),
    ("s://k?f=1{&x}", "s://k?f=1", {}),
    ("s://k?f=1{&x}", "s://k", None),
    ("s://k?f=1{&x}", "s://k?f=2&x=2", None),
    ("s://k?f=1&g={g}{&x}", "s://k?f=1&g=a&x=2", {"g": "a", "x": "2"}),
    ("s://k{#f}", "s://k#a/b?c", {"f": "a/b?c"}),
    ("s://k{#f}", "s://k", {}),
    ("s://k{#f*}", "s://k#a,b", {"f": ["a", "b"]}),
    ("s://k{?q}{#f}", "s://k?q=1#2", {"q": "1", "f": "2"}),
    ("s://{a.b}", "s://x", {"a.b": "x"}),
]


@pytest.mark.parametrize("template, uri, expected", MATCHES)
def test_match(template, uri, expected):
    assert UriTemplate(template).match(uri) == expected


@pytest.mark.parametrize("uri, message", [
    ("memo://bad%GG/4", 'malformed escape "%GG" in "bad%GG"'),
    ("memo://cut%4/4", 'malformed escape "%4" in "cut%4"'),
    ("memo://%FF/5", 'the escapes of "%FF" are not UTF-8'),
    ("memo://%ED%A0%80/5", 'the escapes of "%ED%A0%80" are not UTF-8'),
    ("memo://\ud800/5", "a lone surrogate cannot stand in a URI"),
])
def test_malformed_escapes_are_the_clients_mistake(uri, message):
    with pytest.raises(UriError) as caught:
        UriTemplate("memo://{topic}/{n}").match(uri)
    assert str(caught.value) == message


def test_malformed_escapes_of_another_template_do_not_matter():
    assert UriTemplate("memo://{topic}").match("note://%GG") is None


def test_variables_in_order_of_appearance():
    assert UriTemplate("m://{b}/{a}{?d,c}").variables == ("b", "a", "d", "c")


def test_repr():
    assert repr(UriTemplate("m://{b}")) == "UriTemplate('m://{b}')"


def seconds_of(template, uri):
    best = 1e9
    for _ in range(3):
        started = time.process_time()  # a busy machine does not count
        template.match(uri)
        best = min(best, time.process_time() - started)
    return max(best, 1e-5)


@pytest.mark.parametrize("template, piece", [
    ("m://{a}-b{c}-d{e}", "a-"), ("m://{+a}-b{c}-d{e}", "a-"), ("m://{a}{.b}{.c}{.d}", "."), ("m://{x}{/y*}", "/a"),
    ("m://h{?y*}", "y&"), ("m://{x}", "%41"), ("m://{x,y,z}", "a,"),
])
def test_match_takes_linear_time(template, piece):
    parsed = UriTemplate(template)
    start = "m://h?" if "?" in template else "m://x"
    for _ in range(3):  # sixteen times the length: linear takes 16 times as long, quadratic 256 times
        ratio = seconds_of(parsed, start + piece * 32_000) / seconds_of(parsed, start + piece * 2_000)
        if ratio < 80:
            return
    raise AssertionError(ratio)


TEXT = st.text(min_size=1, max_size=12).filter(lambda text: not any("\ud800" <= c <= "\udfff" for c in text))
SEGMENT = TEXT.filter(lambda text: text not in (".", "..") and not set(text) & set("/\\\0"))


@settings(max_examples=50, deadline=None)
@given(a=SEGMENT, b=SEGMENT, c=SEGMENT)
@pytest.mark.parametrize("template", ["m://{a}/x/{b}{?c}", "m://h{/a,b}{#c}", "m://{a,b,c}", "m://x{?c,a,b}", "m://x?y=1{&a,b,c}"])
def test_what_was_expanded_matches(template, a, b, c):
    values = {"a": a, "b": b, "c": c}
    parsed = UriTemplate(template)
    if "#" in template:  # a fragment keeps escapes that are there already
        values["c"] = c.replace("%", "")or "z"
    assert parsed.match(parsed.expand(values)) == values


@settings(max_examples=50, deadline=None)
@given(items=st.lists(SEGMENT, min_size=1, max_size=4))
@pytest.mark.parametrize("template", ["m://{a*}", "m://h{/a*}", "m://h{?a*}", "m://h{/a*}/end"])
def test_lists_come_back(template, items):
    parsed = UriTemplate(template)
    assert parsed.match(parsed.expand({"a": items})) == {"a": items}


@settings(max_examples=50, deadline=None)
@given(uri=st.text(max_size=30))
def test_any_text_matches_or_not_or_is_malformed(uri):
    for template in ("m://{a}/{+b}.{c}", "{a}{/b,c*}{?d,e*}{#f}", "{+a}"):
        try:
            found = UriTemplate(template).match(uri)
        except UriError:
            continue
        assert found is None or isinstance(found, dict)


@settings(max_examples=50, deadline=None)
@given(text=st.text(alphabet="{}+#./;?&*:,ab%2C é", max_size=14))
def test_any_text_is_a_template_or_refused(text):
    for matchable in (True, False):
        try:
            UriTemplate(text, matchable)
        except UriError:
            continue


@pytest.mark.parametrize("text, expected", [("a%20b", "a b"), ("", ""), ("%E2%82%AC", "€"), ("+", "+")])
def test_decode(text, expected):
    assert decode_uri_value(text) == expected


@pytest.mark.parametrize("uri", ["memo://notes/1", "urn:isbn:1", "a+b.c-1:x", "file:///", "m://é"])
def test_check_uri_takes(uri):
    check_uri(uri)


@pytest.mark.parametrize("uri, message", [
    ("notes/1", 'uri "notes/1" is not absolute: it needs a scheme, as in "memo://notes/1"'),
    ("", 'uri "" is not absolute: it needs a scheme, as in "memo://notes/1"'),
    ("1a:x", 'uri "1a:x" is not absolute: it needs a scheme, as in "memo://notes/1"'),
    ("a:", 'uri "a:" is not absolute: it needs a scheme, as in "memo://notes/1"'),
    ("é:x", 'uri "é:x" is not absolute: it needs a scheme, as in "memo://notes/1"'),
    ("a:b c", "uri 'a:b c' holds ' ': percent-encode it"),
    ("a:b\n", "uri 'a:b\\n' holds '\\n': percent-encode it"),
    (b"a:b", "uri must be a string, got bytes"),
])
def test_check_uri_refuses(uri, message):
    with pytest.raises(UriError) as caught:
        check_uri(uri)
    assert str(caught.value) == message


# A value that is one segment stays one, however it is escaped; what is a path, or a text of the query, may hold anything.
HELD = ["..%2F..%2Fkey", "..%2fkey", "%2E%2E%2Fkey", "%2e%2e", "..", ".", "%2E", "a%2Fb", "%2F", "%2Fetc%2Fpasswd", "..%5C..%5Ckey",
        "..\\key", "a%5Cb", "C:%5Ckey", "key%00.txt", "%00"]


@pytest.mark.parametrize("value", HELD)
@pytest.mark.parametrize("template, prefix", [
    ("docs://v1.2/{name}", "docs://v1.2/"), ("docs://{v}/{name}", "docs://1/"), ("docs://v{/name}", "docs://v/"), ("docs://v{/x,name}", "docs://v/x/"),
    ("docs://v{/name*}", "docs://v/a/"), ("docs://v/{name*}", "docs://v/a,"), ("docs://v/{x,name}", "docs://v/a,"), ("docs://v/{+path}/{name}", "docs://v/a/b/"),
    ("docs://v/{name}{?q}", "docs://v/"), ("docs://v/{name}{#f}", "docs://v/")])
def test_a_segment_never_steps_out(template, prefix, value):
    parsed = UriTemplate(template)
    assert parsed.match(prefix + value) is None and parsed.match(prefix + "key") is not None


@pytest.mark.parametrize("template, uri", [
    ("docs://v/{name}.md", "docs://v/..%2Fkey.md"), ("docs://v/a{.name}", "docs://v/a.b%2Fkey"), ("docs://v/a{.name*}", "docs://v/a.b%5Ckey"),
    ("docs://v{/name}/end", "docs://v/../end"), ("docs://v{/name*}/end", "docs://v/a/../end"), ("docs://v{/name*}/end", "docs://v/a/%2E%2E/end")])
def test_a_segment_never_steps_out_of_its_surroundings(template, uri):
    assert UriTemplate(template).match(uri) is None


@pytest.mark.parametrize("value, text", [
    ("..key", "..key"), ("key..", "key.."), ("1..2", "1..2"), ("...", "..."), (".hidden", ".hidden"), ("%252e%252e%252fkey", "%2e%2e%2fkey"), ("a:b", "a:b"),
    ("caf%C3%A9", "caf\u00e9"), ("a%3Fb%23c", "a?b#c"), ("a%0Ab", "a\nb")])
def test_a_segment_holds_the_rest(value, text):
    assert UriTemplate("docs://v1.2/{name}").match("docs://v1.2/" + value) == {"name": text}


@pytest.mark.parametrize("template, uri, values", [
    ("docs://{+path}", "docs://../../key", {"path": "../../key"}), ("docs://{+path}", "docs://..%2F..%5Ckey", {"path": "../..\\key"}),
    ("docs://v{#f}", "docs://v#../key", {"f": "../key"}), ("docs://v{?q}", "docs://v?q=a/b%2F..", {"q": "a/b/.."}), ("docs://v?a=1{&q}", "docs://v?a=1&q=..", {"q": ".."})])
def test_paths_and_texts_of_a_query_hold_anything(template, uri, values):
    assert UriTemplate(template).match(uri) == values
