"""`mcplite trace --html`: the page holds everything, loads nothing, and works in a browser (slow; needs chromium)."""
from __future__ import annotations

import json
import re

import pytest
from browser_driver import Browser, browser_is_missing
from trace_helpers import SAMPLE_SESSION, recording_of, request, result, sample_recording

from mcplite.cli.main import cli_main
from mcplite.cli.trace.page import page_data, session_page
from mcplite.cli.trace.reading import parse_trace

HOSTILE_TEXT = "</script><!--<script>alert(1)</script>&amp;'\"\u2028\u202e\x00@DATA@@STYLE@"


def page_of(data):
    return session_page(parse_trace(data)[0])


def data_in(page):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S).group(1))


# --- without a browser -------------------------------------------------------------------------------------------------


def test_the_page_holds_every_line_as_it_was():
    entries = data_in(page_of(sample_recording()))["entries"]
    said = [json.dumps(what, separators=(",", ":")) if not isinstance(what, str) else what for _, _,
            what in SAMPLE_SESSION]
    assert [entry["j"] for entry in entries if entry["k"] != "event"] == said


def test_the_page_is_ascii_and_loads_nothing():
    page = page_of(sample_recording())
    assert page.isascii()
    assert re.findall(r"(?:src|href|action)\s*=", re.sub(r"<script.*?</script>", "", page, flags=re.S)) == []
    assert "@import" not in page and "url(" not in page
    assert "default-src 'none'" in page
    assert set(re.findall(r"https?://[^/\"\\ ]+", page)) == {"https://modelcontextprotocol.io"}


def test_what_is_in_messages_never_becomes_html():
    page = page_of(recording_of((0, "host", request(HOSTILE_TEXT, HOSTILE_TEXT, {HOSTILE_TEXT: HOSTILE_TEXT})),
                                (1, "stderr", HOSTILE_TEXT),
                                (2, "server", HOSTILE_TEXT)))
    assert page.count("</script>") == 2 and page.count("<script") == 2 and "<!--" not in page.replace("<!DOCTYPE", "")
    assert data_in(page)["entries"][1]["j"] == HOSTILE_TEXT


def test_the_title_is_escaped():
    sessions = parse_trace(recording_of())
    sessions[0].header["command"] = ["<b>&\u65e5@DATA@"]
    page = session_page(sessions[0])
    assert "<title>trace of '&lt;b&gt;&amp;&#26085;@DATA@'</title>" in page


def test_the_speakers():
    data = page_data(parse_trace(sample_recording())[0], 1, 1)
    assert (data["host"], data["server"]) == ("host 2", "shop 1")


def test_what_is_said_again_is_held_once():
    lines = []
    for number in range(1000):
        lines += [(number, "host", request(number, "ping")), (number, "server", result(number, {}))]
    data = page_data(parse_trace(recording_of(*lines))[0], 1, 1)
    assert (len(data["shapes"]), len(data["methods"])) == (2, 2)


def test_the_command_writes_the_page(tmp_path, capsys):
    (tmp_path / "t").write_bytes(sample_recording())
    out = tmp_path / "t.html"
    assert cli_main(["trace", "--view", str(tmp_path / "t"), "--html", str(out)]) == 0
    assert capsys.readouterr().out == "wrote %s; open it in a browser\n" % out
    assert out.read_text() == page_of(sample_recording())


def test_a_place_that_cannot_be_written(tmp_path, capsys):
    (tmp_path / "t").write_bytes(sample_recording())
    out = tmp_path / "no" / "t.html"
    assert cli_main(["trace", "--view", str(tmp_path / "t"), "--html", str(out)]) == 1
    assert capsys.readouterr().err == "mcplite: trace: cannot write %s: No such file or directory\n" % out


# --- in a browser ------------------------------------------------------------------------------------------------------

in_browser = [pytest.mark.slow, pytest.mark.skipif(bool(browser_is_missing()), reason=browser_is_missing() or "never")]


def in_a_browser(function):
    for mark in in_browser:
        function = mark(function)
    return function


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with Browser() as window:
        yield window


@pytest.fixture
def sample_page(browser, tmp_path):
    return open_page(browser, tmp_path, sample_recording())


def open_page(browser, tmp_path, data):
    (tmp_path / "page.html").write_text(page_of(data))
    browser.open("about:blank")
    browser.open(tmp_path / "page.html")
    return browser


SELECTED = "var row = document.querySelector('.row.sel'); return row && Number(row.dataset.index)"
DETAIL = "return document.getElementById('detail').innerText"
COUNT = "return document.getElementById('count').textContent"
FOCUS = "return document.activeElement.id || document.activeElement.tagName"
COLOUR = "return getComputedStyle(document.body).backgroundColor"


@in_a_browser
def test_every_message_has_a_row(sample_page):
    assert sample_page.run(COUNT) == "30 lines"
    seen = sample_page.run("""
        var list = document.getElementById('list'), seen = {}, top = 0;
        return new Promise(function (done) { (function step() {
          document.querySelectorAll('.row').forEach(function (row) { seen[row.dataset.index] = row.innerText; });
          if (top > list.scrollHeight) return done(seen);
          list.scrollTop = top += 300; setTimeout(step, 60); })(); });""")
    assert sorted(map(int, seen)) == list(range(30))
    assert "elicitation/create" in seen["9"] and "Which size?" in seen["9"]
    assert sample_page.log() == []


@in_a_browser
def test_the_keyboard_moves_and_opens(sample_page):
    sample_page.press("ArrowDown", "ArrowDown", "ArrowDown")
    assert (sample_page.run(SELECTED), sample_page.run(FOCUS)) == (2, "list")
    assert sample_page.run("return document.getElementById('list').getAttribute('aria-activedescendant')") == "row2"
    assert sample_page.run(DETAIL).startswith("Request: initialize\n\nThe client opens the session")
    sample_page.press("p")
    assert sample_page.run(SELECTED) == 3
    sample_page.press("End")
    assert sample_page.run(SELECTED) == 29
    sample_page.press("Home", "Enter")
    assert (sample_page.run(SELECTED), sample_page.run(FOCUS)) == (0, "detail")
    sample_page.press("Escape")
    assert sample_page.run(FOCUS) == "list"
    sample_page.press("Escape")
    assert sample_page.run(SELECTED) is None
    assert sample_page.run(DETAIL).startswith("The session\n")


@in_a_browser
def test_focus_can_be_seen(sample_page):
    widths = []
    for _ in range(6):
        sample_page.press("Tab")
        widths.append(sample_page.run("var style = getComputedStyle(document.activeElement); return "
                                      "style.outlineStyle + ' ' + style.outlineWidth"))
    assert widths == ["solid 2px"] * 6


@in_a_browser
def test_fields_are_explained_and_numbers_keep_their_digits(sample_page):
    sample_page.run("location.hash = '#m13'")
    sample_page.wait_for("return document.querySelector('.row.sel') !== null")
    text = sample_page.run(DETAIL)
    assert "12345678901234567890" in text
    assert "Its arguments, which have to fit its inputSchema." in text
    links = sample_page.run("return Array.from(document.querySelectorAll('#detail .why a')).map(function (a) { return "
                            "a.href })")
    assert "https://modelcontextprotocol.io/specification/2025-11-25/server/tools" in links
    sample_page.run("Array.from(document.querySelectorAll('#detail button')).filter(function (b) { return "
                    "b.textContent === 'Hide explanations' })[0].click()")
    assert "Its arguments, which have to fit" not in sample_page.run(DETAIL)
    sample_page.run("Array.from(document.querySelectorAll('#detail button')).filter(function (b) { return "
                    "b.textContent === 'Explain fields' })[0].click()")
    sample_page.run("location.hash = ''")


@in_a_browser
def test_search_keeps_the_answer_with_the_question(sample_page):
    sample_page.press("/")
    assert sample_page.run(FOCUS) == "find"
    sample_page.press(*"s-1")
    sample_page.wait_for("return document.getElementById('count').textContent === '2 of 30 lines'")
    assert sample_page.run("return Array.from(document.querySelectorAll('.row')).map(function (row) { return "
                           "Number(row.dataset.index) })") == [7, 12]
    sample_page.press("Escape")
    assert sample_page.run(COUNT) == "30 lines"


@in_a_browser
def test_filters(sample_page):
    sample_page.run("var m = document.getElementById('method'); m.value = 'tools/call'; m.dispatchEvent(new "
                    "Event('change'))")
    assert sample_page.run(COUNT) == "11 of 30 lines"
    sample_page.run("var m = document.getElementById('method'); m.value = ''; m.dispatchEvent(new Event('change'))")
    press_chip = "document.querySelector('[data-group=%s]').click()"
    sample_page.run(press_chip % "notes")
    assert sample_page.run(COUNT) == "26 of 30 lines"
    assert sample_page.run("return document.querySelector('[data-group=notes]').getAttribute('aria-pressed')") == "false"
    sample_page.run(press_chip % "notes")
    sample_page.run(press_chip % "problems")
    rows = sample_page.run("return Array.from(document.querySelectorAll('.row')).map(function (row) { return "
                           "Number(row.dataset.index) })")
    assert rows == [0, 13, 14, 15, 16, 21, 22, 25, 26, 27]


@in_a_browser
def test_questions_and_rounds_are_grouped(sample_page):
    sample_page.run("document.getElementById('list').scrollTop = 240")
    sample_page.wait_for("return document.querySelector('#row9') !== null")
    assert sample_page.run("return Array.from(document.querySelectorAll('.row.nested')).map(function (r) { return "
                           "Number(r.dataset.index) })"
                           ".filter(function (n) { return n < 13 })") == [8, 9, 10, 11]
    bar = sample_page.run("return Array.from(document.querySelectorAll('.act.host')).map(function (b) { return "
                          "[b.style.top, b.style.height] })")
    assert bar == [["391px", "40px"]]
    sample_page.run("document.getElementById('list').scrollTop = 700")
    sample_page.wait_for("return document.querySelector('.rail') !== null")
    rail = sample_page.run("var r = document.querySelector('.rail'); return [r.style.top, r.style.height]")
    assert rail == ["%dpx" % (17 * 40 + 16), "%dpx" % (3 * 40 + 16)]


@in_a_browser
def test_light_and_dark(sample_page):
    assert sample_page.run(COLOUR) == "rgb(244, 245, 248)"
    sample_page.press("t")
    assert sample_page.run(COLOUR) == "rgb(18, 20, 25)"
    sample_page.run("document.getElementById('theme').click()")
    assert sample_page.run(COLOUR) == "rgb(244, 245, 248)"


@in_a_browser
def test_dark_when_the_system_is_dark(tmp_path):
    with Browser("--force-dark-mode") as window:
        open_page(window, tmp_path, sample_recording())
        assert window.run(COLOUR) == "rgb(18, 20, 25)"


@in_a_browser
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_has_contrast(sample_page, theme):
    """WCAG AA: 4.5 to 1 for every colour of text on every background it stands on."""
    sample_page.run("document.documentElement.setAttribute('data-theme', arguments[0])", theme)
    colours = sample_page.run("""var style = getComputedStyle(document.documentElement), out = {};
        var names = 'bg panel pick pair nest chip ink soft host server bad odd note chain key str num'.split(' ');
        names.forEach(function (name) {
          out[name] = style.getPropertyValue('--' + name).trim(); });
        return out;""")

    def luminance(colour):
        parts = [int(colour[at:at + 2], 16) / 255 for at in (1, 3, 5)]
        parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    def contrast(text, ground):
        light, dark = sorted((luminance(colours[text]), luminance(colours[ground])), reverse=True)
        return (light + 0.05) / (dark + 0.05)

    weak = [(text, ground, round(contrast(text, ground), 2))
            for text in ("ink", "soft", "host", "server", "bad", "odd", "note", "chain", "key", "str", "num")
            for ground in ("bg", "panel", "pick", "pair", "nest", "chip") if contrast(text, ground) < 4.5]
    assert weak == []


@in_a_browser
def test_hostile_messages_do_nothing(browser, tmp_path):
    lines = [(0, "host", request(HOSTILE_TEXT, HOSTILE_TEXT, {HOSTILE_TEXT: [HOSTILE_TEXT, {}]})),
             (1, "stderr", HOSTILE_TEXT), (2, "server", HOSTILE_TEXT)]
    open_page(browser, tmp_path, recording_of(*lines))
    for _ in range(4):
        browser.press("ArrowDown")
        assert "</script>" in browser.run(DETAIL)
    assert browser.run("return document.querySelectorAll('script').length") == 2
    assert "\\u202e" in browser.run(DETAIL)
    assert browser.log() == []


@in_a_browser
def test_huge_messages_stay_usable(browser, tmp_path):
    big = result(1, {"content": [{"type": "text", "text": "x" * 3000000}], "list": list(range(5000)),
                     "deep": json.loads("[" * 500 + "]" * 500)})
    open_page(browser, tmp_path, recording_of((0, "host", request(1, "tools/call", {"name": "a"})), (1, "server", big)))
    browser.press("End")
    assert browser.run("return document.querySelectorAll('#detail .ln').length") == 1500
    browser.run("Array.from(document.querySelectorAll('#detail .more')).pop().click()")
    assert browser.run("return document.querySelectorAll('#detail .ln').length") > 6000


@in_a_browser
def test_ten_thousand_messages(browser, tmp_path):
    lines = []
    for number in range(5000):
        lines += [(number, "host",
                   request(number, "tools/call", {"name": "tool", "arguments": {"text": "lorem ipsum " * 10}})),
                  (number + 0.5, "server",
                   result(number, {"content": [{"type": "text", "text": "answer %d" % number}]}))]
    open_page(browser, tmp_path, recording_of(*lines))
    assert browser.run(COUNT) == "10000 lines"
    assert browser.run("return document.querySelectorAll('*').length") < 1500
    assert browser.run("return performance.getEntriesByType('navigation')[0].domInteractive") < 5000
    browser.press("End")
    assert browser.run(SELECTED) == 9999
    spent = browser.run("""
        var find = document.getElementById('find'), start = performance.now();
        find.value = 'answer 4321';
        document.getElementById('bar').dispatchEvent(new Event('submit', { cancelable: true }));
        return performance.now() - start;""")
    assert browser.run(COUNT) == "2 of 10000 lines"
    print("filtering 10,000 messages: %.0f ms" % spent)
    assert spent < 1000
