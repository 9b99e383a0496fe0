"""The page of a trace: its HTML, its style sheet and its script, as text.

`page` puts the title and the data in. The script only draws: no data is ever HTML, it is written into the document as text. However
many messages there are, only the rows in view exist in the document. The names of an entry's members stand in `page_entry`.
"""

TRACE_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="mcplite trace">
<title>@TITLE@</title>
<style>@STYLE@</style>
</head>
<body>
<header class="top">
 <div class="names"><h1>MCP trace</h1><code id="command"></code></div>
 <button id="theme" type="button" title="Switch between light and dark (t)"></button>
</header>
<form class="bar" role="search" id="bar">
 <label class="find"><span class="hidden">Search in all messages</span>
  <input id="find" type="search" placeholder="Search messages  ( / )" autocomplete="off" spellcheck="false"></label>
 <label><span class="hidden">Method</span><select id="method"></select></label>
 <div id="chips" role="group" aria-label="What to show"></div>
 <output id="count" aria-live="polite"></output>
</form>
<main>
 <section class="diagram" aria-label="Sequence of messages">
  <div class="heads" aria-hidden="true">
   <span class="time">seconds</span><span class="head host"></span><span class="head server"></span>
   <span class="head stderr">stderr</span><span class="took">took</span><span class="size">size</span>
  </div>
  <div id="list" role="listbox" tabindex="0" aria-label="Messages: arrow keys move, Enter shows details">
   <div id="rows"></div>
  </div>
 </section>
 <aside id="detail" tabindex="-1" aria-label="Details"></aside>
</main>
<footer><kbd>&uarr;</kbd><kbd>&darr;</kbd> move <kbd>Enter</kbd> details <kbd>Esc</kbd> back <kbd>p</kbd> request &harr; answer
 <kbd>n</kbd> next problem <kbd>/</kbd> search <kbd>t</kbd> light or dark</footer>
<noscript><p>This page needs JavaScript. The same as text: mcplite trace --view FILE</p></noscript>
<script type="application/json" id="data">@DATA@</script>
<script>@SCRIPT@</script>
</body>
</html>
"""

TRACE_PAGE_STYLE = r"""
:root { color-scheme: light; --bg: #f4f5f8; --panel: #ffffff; --ink: #1b1f27; --soft: #5b6472; --line: #d9dde5; --lifeline: #b4bccb;
  --host: #3449b8; --server: #0a6c74; --bad: #b3261e; --odd: #8f5200; --note: #5f6673; --chain: #7a3fc4; --pick: #e3e8fb;
  --pair: #eff2fd; --nest: #eef7f7; --chip: #ffffff; --key: #8a2f6b; --str: #1f6b35; --num: #8f4b00;
  --shadow: 0 1px 2px #1b1f2714; }
:root[data-theme=dark] { color-scheme: dark; --bg: #121419; --panel: #191c23; --ink: #e4e7ed; --soft: #9aa4b4; --line: #2a2f3a;
  --lifeline: #495266; --host: #9db1ff; --server: #5fd0d8; --bad: #ff8a80; --odd: #f0b35c; --note: #a0a9b8; --chain: #c3a2f7;
  --pick: #28305a; --pair: #1f2540; --nest: #16252a; --chip: #20242d; --key: #e7a6d3; --str: #8fd6a2; --num: #f2b880;
  --shadow: none; }
* { box-sizing: border-box; }
html, body { height: 100%; margin: 0; }
body { display: flex; flex-direction: column; background: var(--bg); color: var(--ink);
  font: 14px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
code, pre, .time, .took, .size { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
:focus-visible { outline: 2px solid var(--host); outline-offset: 1px; }
button, select, input { font: inherit; color: inherit; background: var(--chip); border: 1px solid var(--line); border-radius: 6px;
  padding: 4px 10px; }
button { cursor: pointer; }
button:hover { border-color: var(--soft); }
.top { display: flex; align-items: center; gap: 16px; padding: 10px 16px 8px; }
.names { flex: 1; min-width: 0; display: flex; align-items: baseline; gap: 14px; }
h1 { font-size: 16px; margin: 0; white-space: nowrap; letter-spacing: -.01em; }
#command { color: var(--soft); font-size: 12.5px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; padding: 0 16px 10px; margin: 0; }
.find { flex: 0 1 240px; display: flex; } #find { width: 100%; } #method { max-width: 170px; }
#chips { display: flex; flex-wrap: wrap; gap: 6px; }
.chip { border-radius: 99px; padding: 3px 11px; font-size: 12.5px; color: var(--soft); background: transparent; }
.chip[aria-pressed=true] { background: var(--chip); color: var(--ink); border-color: var(--soft); box-shadow: var(--shadow); }
.chip[aria-pressed=true]::before { content: "\2713\00a0"; color: var(--server); }
.chip.problems[aria-pressed=true]::before { color: var(--bad); }
#count { color: var(--soft); font-size: 13px; margin-left: auto; font-variant-numeric: tabular-nums; }
main { flex: 1; min-height: 0; display: flex; gap: 12px; padding: 0 16px; }
.diagram { flex: 1 1 58%; min-width: 0; display: flex; flex-direction: column; background: var(--panel);
  border: 1px solid var(--line); border-radius: 10px; overflow: hidden; box-shadow: var(--shadow); }
.heads { position: relative; flex: none; height: 44px; border-bottom: 1px solid var(--line); color: var(--soft); font-size: 12px; }
.heads .time, .heads .took, .heads .size { position: absolute; bottom: 5px; font-family: inherit; }
.head { position: absolute; top: 7px; padding: 4px 12px; border: 1px solid var(--lifeline); border-radius: 6px;
  background: var(--panel); color: var(--ink); font-size: 13px; font-weight: 600; max-width: 44%; overflow: hidden;
  text-overflow: ellipsis; white-space: nowrap; }
.head.host { left: calc(var(--hx) - 22px); border-color: var(--host); color: var(--host); }
.head.server { right: calc(var(--sx) - 22px); border-color: var(--server); color: var(--server); }
.head.stderr { right: 146px; border: 0; background: none; color: var(--soft); font-weight: 400; font-size: 12px; top: 7px;
  padding: 4px 0; }
#list { flex: 1; overflow-y: scroll; position: relative; outline-offset: -2px; scrollbar-gutter: stable; }
.heads { overflow-y: scroll; scrollbar-gutter: stable; scrollbar-color: transparent transparent; }
#rows { position: relative; }
.lifeline, .act, .rail { pointer-events: none; z-index: 1; }
.lifeline { position: absolute; top: 0; bottom: 0; width: 0; border-left: 1.5px dashed var(--lifeline); }
.lifeline.host { left: var(--hx); } .lifeline.server { right: var(--sx); }
.act { position: absolute; width: 7px; border-radius: 2px; background: var(--server); opacity: .38; }
.act.host { background: var(--host); left: calc(var(--hx) - 3px + var(--lane) * 6px); }
.act.server { right: calc(var(--sx) - 4px - var(--lane) * 6px); }
.act.open { background: repeating-linear-gradient(180deg, var(--odd) 0 5px, transparent 5px 9px); }
.act.on { opacity: 1; }
.rail { position: absolute; left: calc(86px + var(--lane) * 7px); width: 6px; border: 2px solid var(--chain); border-right: 0;
  border-radius: 5px 0 0 5px; }
.row { position: absolute; left: 0; right: 0; height: 40px; cursor: default; }
.row.nested { background: var(--nest); }
.row:hover { background: color-mix(in srgb, var(--pick) 45%, transparent); }
.row.pair { background: var(--pair); }
.row.sel { background: var(--pick); box-shadow: inset 3px 0 0 var(--host); }
.time { position: absolute; left: 10px; width: 66px; text-align: right; top: 10px; font-size: 12px; color: var(--soft); }
.took { position: absolute; right: 70px; width: 66px; text-align: right; top: 10px; font-size: 12px; color: var(--soft); }
.size { position: absolute; right: 10px; width: 58px; text-align: right; top: 10px; font-size: 12px; color: var(--soft); }
.slow { color: var(--odd); font-weight: 600; }
.msg { position: absolute; left: calc(var(--hx) + 14px); right: calc(var(--sx) + 14px); top: 5px; height: 21px; white-space: nowrap;
  overflow: hidden; text-overflow: ellipsis; font-size: 13.5px; }
.msg b { font-weight: 600; } .msg .sum { color: var(--soft); } .msg .lab { font-weight: 500; }
.msg .id { color: var(--soft); font-size: 12px; font-variant-numeric: tabular-nums; }
.from-host .msg b { color: var(--host); } .from-server .msg b { color: var(--server); }
.k-response .msg b, .k-error .msg b { font-weight: 500; }
.tag { display: inline-block; font-size: 11px; line-height: 15px; padding: 0 6px; border-radius: 4px;
  border: 1px solid currentColor; color: var(--note); vertical-align: 1px; }
.tag.ok { color: var(--server); border-color: transparent; padding: 0 2px; font-weight: 600; font-size: 12px; } .tag.bad {
  color: var(--bad); }
.tag.odd { color: var(--odd); } .tag.chain { color: var(--chain); }
.arrow { position: absolute; left: var(--hx); right: var(--sx); top: 31px; height: 0; border-top: 1.5px solid var(--host);
  margin: 0 5px; }
.from-server > .arrow { border-color: var(--server); }
.k-response > .arrow, .k-error > .arrow { border-top-style: dashed; }
.k-notification > .arrow { border-top-style: dotted; }
.bad > .arrow { border-color: var(--bad); }
.arrow::after { content: ""; position: absolute; top: -5.5px; border: 5px solid transparent; }
.from-host > .arrow::after { right: -2px; border-left: 8px solid var(--host); border-right: 0; }
.from-server > .arrow::after { left: -2px; border-right: 8px solid var(--server); border-left: 0; }
.from-host.bad > .arrow::after { border-left-color: var(--bad); } .from-server.bad > .arrow::after {
  border-right-color: var(--bad); }
.k-notification > .arrow::after { opacity: .7; }
.k-junk > .arrow, .k-invalid > .arrow { border-top: 1.5px dashed var(--odd); }
.k-junk > .arrow::after, .k-invalid > .arrow::after { content: "\00d7"; border: 0; color: var(--odd);
  font: 700 17px/10px sans-serif; top: -6px; }
.k-junk .msg .sum, .k-invalid .msg .sum { color: var(--odd); }
.k-stderr .msg { left: auto; right: 10px; width: calc(var(--sx) - 26px); top: 9px; color: var(--soft);
  font: 12px/20px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.k-stderr .dot { position: absolute; right: calc(var(--sx) - 4px); top: 16px; width: 8px; height: 8px; border-radius: 50%;
  background: var(--panel); border: 2px solid var(--soft); }
.k-event .msg { text-align: center; top: 9px; color: var(--soft); font-size: 12.5px; font-style: italic; }
.k-event .msg span { background: var(--panel); padding: 0 10px; }
#detail { flex: 1 1 42%; min-width: 0; max-width: 760px; overflow: auto; background: var(--panel); border: 1px solid var(--line);
  border-radius: 10px; padding: 14px 18px 24px; box-shadow: var(--shadow); outline-offset: -2px; }
#detail h2 { font-size: 16px; margin: 0 0 6px; overflow-wrap: anywhere; }
#detail h3 { font-size: 13px; margin: 18px 0 6px; color: var(--soft); font-weight: 600; }
#detail p { margin: 4px 0; }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: 3px 14px; margin: 10px 0; font-size: 13px; }
.facts dt { color: var(--soft); } .facts dd { margin: 0; overflow-wrap: anywhere; }
.acts { display: flex; flex-wrap: wrap; gap: 8px; margin: 10px 0; } .acts button { font-size: 13px; padding: 3px 10px; }
a { color: var(--host); text-underline-offset: 2px; }
.spec { font-size: 12.5px; white-space: nowrap; }
.json { font-size: 12.5px; line-height: 1.5; border: 1px solid var(--line); border-radius: 8px; overflow: hidden; }
.ln { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 44%); border-top: 1px solid transparent; }
.ln:hover { background: color-mix(in srgb, var(--pick) 35%, transparent); }
.ln > code { padding: 1px 10px; white-space: pre-wrap; overflow-wrap: anywhere; }
.ln > .why { padding: 1px 10px 2px; border-left: 1px solid var(--line); color: var(--soft);
  font: 12px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif; }
.why.foreign { color: var(--odd); }
.json.plain .ln { grid-template-columns: 1fr; } .json.plain .why { display: none; }
.jk { color: var(--key); } .js { color: var(--str); } .jn { color: var(--num); } .jp { color: var(--soft); } .esc {
  color: var(--bad); }
.more { font-size: 12px; padding: 0 8px; margin: 0 4px; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid var(--line); border-radius: 8px; padding: 8px 12px;
  font-size: 12.5px; margin: 0; }
.list { list-style: none; margin: 0; padding: 0; } .list button { width: 100%; text-align: left; border: 0; background: none;
  padding: 4px 6px; display: flex; gap: 10px; overflow: hidden; white-space: nowrap; } .list button:hover {
  background: var(--pair); }
.list .what { overflow: hidden; text-overflow: ellipsis; } .list .num { color: var(--soft); flex: none; min-width: 58px;
  text-align: right; font-variant-numeric: tabular-nums; }
footer { padding: 8px 16px; color: var(--soft); font-size: 12px; }
kbd { font: inherit; font-size: 11px; border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 4px; padding: 0 5px;
  margin: 0 2px 0 8px; background: var(--chip); }
kbd + kbd { margin-left: 2px; }
@media (max-width: 900px) {
  main { flex-direction: column; } .diagram { flex-basis: 55%; min-height: 200px; } #detail { max-width: none; flex-basis: 45%; }
  .ln { grid-template-columns: 1fr; } .ln > .why { border-left: 0; padding-left: 26px; }
  .top .names { flex-direction: column; gap: 0; } footer { display: none; }
}
@media (prefers-reduced-motion: no-preference) { .row { transition: background-color .08s; } }
@media (forced-colors: active) { .row.sel { outline: 2px solid Highlight; outline-offset: -2px; } }
"""

TRACE_PAGE_SCRIPT = r"""
(function () {
"use strict";
var data = JSON.parse(document.getElementById("data").textContent);
var entries = data.entries, ROW = 40, MOST_LINES = 1500, LONG_TEXT = 2000;
var list = byId("list"), rows = byId("rows"), detail = byId("detail"), find = byId("find"), method = byId("method");
var view = [], place = [], bars = [], rails = [], selected = -1, explaining = true, drawn = "";
var haystacks = [];
var OUTCOMES = { ok: "ok", error: "bad", "tool error": "bad", "asks back": "chain" };  // outcome: class

function byId(id) { return document.getElementById(id); }
function make(tag, attributes, children) {
  var node = document.createElement(tag);
  for (var name in attributes || {}) {
    if (name === "text") node.textContent = attributes[name];
    else if (name === "click") node.addEventListener("click", attributes[name]);
    else if (attributes[name] !== null && attributes[name] !== undefined) node.setAttribute(name, attributes[name]);
  }
  (children || []).forEach(function (child) {
    if (child) node.appendChild(typeof child === "string" ? document.createTextNode(child) : child); });
  return node;
}
function isBad(entry) { return OUTCOMES[entry.w] === "bad"; }
function isOdd(flag) { return !/ masked$| in a batch$/.test(flag); }
function isProblem(entry) { return isBad(entry) || entry.group === "junk" || entry.g.some(isOdd); }
function duration(seconds) {
  if (seconds < 0.0001) return (seconds * 1e6).toFixed(0) + " \u00b5s";
  if (seconds < 0.01) return (seconds * 1e3).toFixed(1) + " ms";
  if (seconds < 1) return (seconds * 1e3).toFixed(0) + " ms";
  return seconds.toFixed(1) + " s";
}
function size(bytes) {
  if (bytes < 10000) return bytes + " B";
  return bytes < 10485760 ? (bytes / 1024).toFixed(0) + " KiB" : (bytes / 1048576).toFixed(0) + " MiB";
}
function title(entry) { return [entry.m, entry.l].filter(Boolean).join(" ") || entry.s || entry.k; }

// --- filtering ---
var GROUPS = { calls: "requests and answers", notes: "notifications", stderr: "stderr", junk: "not messages", events: "processes" };
var GROUP_OF = { request: "calls", response: "calls", error: "calls", notification: "notes", stderr: "stderr", junk: "junk",
  invalid: "junk", event: "events" };
var shown = {}, problemsOnly = false;
function showAll() { for (var group in GROUPS) shown[group] = true; problemsOnly = false; }
showAll();
entries.forEach(function (entry) { entry.group = GROUP_OF[entry.k]; entry.g = entry.g || []; });

function haystack(index) {
  if (haystacks[index] === undefined) {
    var entry = entries[index];
    haystacks[index] = [entry.j, [entry.m, entry.l, entry.s].concat(entry.g).join(" ")].join("\n").toLowerCase();
  }
  return haystacks[index];
}
function filter() {
  var needle = find.value.trim().toLowerCase(), wanted = method.value, narrow = needle || wanted || problemsOnly;
  var keep = entries.map(function (entry, index) {
    return shown[entry.group] && (!wanted || entry.m === wanted) && (!problemsOnly || isProblem(entry)) &&
      (!needle || haystack(index).indexOf(needle) >= 0);
  });
  if (narrow && shown.calls) entries.forEach(function (entry, index) {
    if (keep[index] === true && entry.p !== undefined) keep[entry.p] = keep[entry.p] || "pair";
  });
  view = [];
  place = entries.map(function (entry, index) { return keep[index] ? view.push(index) - 1 : -1; });
  findBars(); findRails();
  rows.style.height = view.length * ROW + 8 + "px";
  byId("count").textContent = (view.length === entries.length ? "" : view.length + " of ") + entries.length + " lines";
  if (selected >= 0 && place[selected] < 0) select(-1);
  drawn = ""; draw();
}
function lanes(items) {
  var ends = [];
  items.forEach(function (item) {
    var lane = 0;
    while (lane < 5 && ends[lane] > item.from) lane++;
    item.lane = lane; ends[lane] = item.to;
  });
  return items;
}
function findBars() {
  var sides = { host: [], server: [] };
  view.forEach(function (index, at) {
    var entry = entries[index], open = entry.p === undefined, to = open ? view.length - 1 : place[entry.p];
    if (entry.k !== "request" || to < at || (open && entry.n)) return;
    var side = entry.f === "host" ? "server" : "host";
    sides[side].push({ from: at, to: to, open: open, index: index, side: side });
  });
  bars = lanes(sides.host).concat(lanes(sides.server));
}
function findRails() {
  var chains = {};
  view.forEach(function (index, at) {
    var number = entries[index].c;
    if (number === undefined) return;
    if (!chains[number]) chains[number] = { from: at };
    chains[number].to = at;
  });
  rails = lanes(Object.keys(chains).map(function (number) { return chains[number]; })
    .sort(function (a, b) { return a.from - b.from; }));
}

// --- drawing: only what is in view ---
function draw() {
  var first = Math.max(0, Math.floor(list.scrollTop / ROW) - 8);
  var last = Math.min(view.length, Math.ceil((list.scrollTop + list.clientHeight) / ROW) + 8);
  var state = first + ":" + last + ":" + selected;
  if (state === drawn) return;
  drawn = state;
  var part = document.createDocumentFragment();
  part.appendChild(make("div", { "class": "lifeline host" }));
  part.appendChild(make("div", { "class": "lifeline server" }));
  rails.forEach(function (rail) {
    if (rail.to < first || rail.from > last) return;
    part.appendChild(make("div", { "class": "rail",
      style: "top:" + (rail.from * ROW + 16) + "px;height:" + ((rail.to - rail.from) * ROW + 16) +
      "px;--lane:" + rail.lane }));
  });
  var pair = selected >= 0 ? entries[selected].p : undefined;
  for (var at = first; at < last; at++) part.appendChild(drawRow(view[at], at, pair));
  bars.forEach(function (bar) {
    if (bar.to < first || bar.from > last) return;
    var on = bar.index === selected || bar.index === pair;
    part.appendChild(make("div", { "class": "act " + bar.side + (bar.open ? " open" : "") + (on ? " on" : ""),
      style: "top:" + (bar.from * ROW + 31) + "px;height:" + Math.max(3, (bar.to - bar.from) * ROW) + "px;--lane:" + bar.lane }));
  });
  rows.textContent = "";
  rows.appendChild(part);
  if (place[selected] >= first && place[selected] < last) list.setAttribute("aria-activedescendant", "row" + selected);
  else list.removeAttribute("aria-activedescendant");
}
function drawRow(index, at, pair) {
  var entry = entries[index], words = [], quiet = entry.k === "stderr" || entry.k === "event";
  var kind = "row k-" + entry.k + " from-" + entry.f + (isBad(entry) ? " bad" : "") + (entry.d ? " nested" : "") +
    (index === selected ? " sel" : index === pair ? " pair" : "");
  function add(kind, text) { if (text) words.push(make("span", { "class": kind, text: text }), " "); }
  if (quiet) add("", entry.s);
  else {
    if (entry.m) words.push(make("b", { text: entry.m }), " ");
    add("lab", entry.l);
    if (entry.i !== undefined) add("id", "#" + entry.i);
    add("tag " + OUTCOMES[entry.w], entry.w);
    if (entry.r) add("tag chain", "round " + entry.r);
    if (entry.n) add("tag", "cancelled");
    entry.g.forEach(function (flag) { add(isOdd(flag) ? "tag odd" : "tag", flag); });
    add("sum", entry.s);
  }
  return make("div", { "class": kind, id: "row" + index, role: "option", "aria-selected": String(index === selected),
    "aria-posinset": at + 1, "aria-setsize": view.length, style: "top:" + at * ROW + "px", "data-index": index }, [
    make("span", { "class": "time", text: entry.a.toFixed(3) }),
    make("span", { "class": "msg", style: entry.d ? "padding-left:" + Math.min(6, entry.d) * 18 + "px" : null }, words),
    entry.k === "stderr" ? make("span", { "class": "dot" }) : quiet ? null : make("span", { "class": "arrow" }),
    entry.w && entry.t !== undefined ? make("span", { "class": "took" + (entry.t >= 1 ? " slow" : ""), text: duration(entry.t) })
      : null,
    entry.b && !quiet ? make("span", { "class": "size", text: size(entry.b) }) : null]);
}

// --- choosing ---
function select(index, keepScroll) {
  selected = index;
  if (index >= 0 && !keepScroll) {
    var top = place[index] * ROW;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (top + ROW > list.scrollTop + list.clientHeight) list.scrollTop = top + ROW - list.clientHeight;
  }
  drawn = ""; draw(); showDetail();
}
function go(index) {
  if (index === undefined || index < 0) return;
  if (place[index] < 0) { find.value = ""; method.value = ""; showAll(); showChips(); filter(); }
  select(index);
}
function move(step) {
  if (!view.length) return;
  var at = selected < 0 ? (step > 0 ? -1 : view.length) : place[selected];
  select(view[Math.max(0, Math.min(view.length - 1, at + step))]);
}
function openHash() {
  var wanted = /^#m(\d+)$/.exec(location.hash);
  if (wanted && Number(wanted[1]) < entries.length) go(Number(wanted[1]));
}
function nextProblem() {
  for (var step = 1; step <= view.length; step++) {
    var at = ((selected < 0 ? -1 : place[selected]) + step) % view.length;
    if (isProblem(entries[view[at]])) { select(view[at]); return; }
  }
}
list.addEventListener("scroll", function () { requestAnimationFrame(draw); });
window.addEventListener("resize", function () { drawn = ""; draw(); });
rows.addEventListener("click", function (event) {
  var row = event.target.closest("[data-index]");
  if (row) select(Number(row.getAttribute("data-index")), true);
});
list.addEventListener("keydown", onListKey);
function onListKey(event) {
  var page = Math.max(1, Math.floor(list.clientHeight / ROW) - 1);
  var steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -entries.length, End: entries.length };
  if (event.key in steps) { event.preventDefault(); move(steps[event.key]); }
  else if (event.key === "Enter" && selected >= 0) { event.preventDefault(); detail.focus(); }
  else if (event.key === "Escape") select(-1);
}
detail.addEventListener("keydown", function (event) {
  if (event.key === "Escape") { event.stopPropagation(); list.focus(); }
});
document.addEventListener("keydown", function (event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  var typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
  if (event.key === "Escape" && event.target === find) { find.value = ""; filter(); list.focus(); }
  else if (event.key === "Enter" && event.target === find) {
    event.preventDefault(); list.focus();
    if (view.length && selected < 0) select(view[0]);
  } else if (typing) return;
  else if (event.target === document.body && /^(Arrow(Up|Down)|Page(Up|Down)|Home|End)$/.test(event.key)) {
    list.focus(); onListKey(event);
  }
  else if (event.key === "/") { event.preventDefault(); find.focus(); find.select(); }
  else if (event.key === "p" && selected >= 0) go(entries[selected].p);
  else if (event.key === "n") nextProblem();
  else if (event.key === "t") switchTheme();
});

// --- details ---
function specLink(address, revision) {
  var page = address.replace(/^.*specification\//, "");
  if (revision && page.indexOf(revision + "/") === 0) page = page.slice(revision.length + 1);
  return make("a", { "class": "spec", href: address, target: "_blank", rel: "noopener noreferrer",
    title: "The specification: " + address,
    text: "\u00a7\u00a0" + page.replace(/\//g, " \u203a ") });
}
// A list of names and values; rows without a value are left out.
function facts(rows) {
  var node = make("dl", { "class": "facts" });
  rows.forEach(function (row) {
    if (row[1]) { node.appendChild(make("dt", { text: row[0] })); node.appendChild(make("dd", {}, [row[1]])); }
  });
  return node;
}
function showDetail() {
  detail.textContent = "";
  detail.scrollTop = 0;
  if (selected < 0) { showSession(); return; }
  var entry = entries[selected], about = data.methods[entry.e], asks = entry.k === "request";
  var sides = { host: "host \u2192 server", server: "server \u2192 host" };
  var kinds = { request: "Request", response: "Answer", error: "Error", notification: "Notification", stderr: "Line on stderr",
    junk: "Not a message", invalid: "Not a message", event: "Process" };
  var rounds = entries.filter(function (other) { return entry.c && other.c === entry.c && other.k === "request"; });
  detail.appendChild(make("h2", { text: kinds[entry.k] + (entry.m ? ": " + title(entry) : "") }));
  detail.appendChild(make("p", {}, [about[0] + " ", specLink(about[1])]));
  detail.appendChild(facts([["time", entry.a.toFixed(6) + " s after the start"], ["direction", sides[entry.f]], ["id", entry.i],
    ["outcome", entry.w && make("span", { "class": "tag " + OUTCOMES[entry.w], text: entry.w })],
    [asks ? "answered after" : "took", entry.t !== undefined && duration(entry.t)],
    ["size", entry.b && entry.b.toLocaleString("en") + " bytes"], ["revision", entry.v],
    ["round", entry.r && entry.r + " of " + rounds.length], ["note", entry.n && "it was cancelled"]]
    .concat(entry.g.map(function (flag) { return ["note", flag]; }))));
  var buttons = make("div", { "class": "acts" });
  function button(text, click) { buttons.appendChild(make("button", { type: "button", text: text, click: click })); }
  function jump(text, index) { if (index >= 0) button(text, function () { go(index); list.focus(); }); }
  jump(asks ? "Go to the answer (p)" : "Go to the request (p)", entry.p);
  jump("Go to the call it belongs to", entry.o);
  rounds.forEach(function (other) {
    if (other.r === entry.r - 1) jump("Previous round", entries.indexOf(other));
    if (other.r === entry.r + 1) jump("Next round", entries.indexOf(other));
  });
  if (entry.j) button("Copy", function (event) { copy(entry.j, event.target); });
  if (entry.h) button(explaining ? "Hide explanations" : "Explain fields", function () { explaining = !explaining; showDetail(); });
  if (buttons.firstChild) detail.appendChild(buttons);
  if (entry.h) detail.appendChild(prettyJson(entry));
  else if (entry.j) detail.appendChild(make("pre", { "class": "text" }, visible(entry.j)));
}
function copy(text, button) {
  function done(worked) { button.textContent = worked ? "Copied" : "Copying is not allowed here"; }
  if (!navigator.clipboard) done(false);
  else navigator.clipboard.writeText(text).then(function () { done(true); }, function () { done(false); });
}
// Characters that cannot be seen, or that turn text around, are shown as their escapes.
function visible(text, kind) {
  var pieces = text.split(/([\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff])/);
  return pieces.map(function (piece, number) {
    if (number % 2) return make("span", { "class": "esc", text: "\\u" + ("000" + piece.charCodeAt(0).toString(16)).slice(-4) });
    return kind ? make("span", { "class": kind, text: piece }) : piece;
  });
}
// The message as it was written, token by token: numbers keep their digits, members their order.
function prettyLines(text, shape) {
  var known = {}, prefixes = {};
  shape.forEach(function (row) {
    known[row[0]] = row[1];
    for (var star = row[0].indexOf(".*"); star >= 0; star = row[0].indexOf(".*", star + 1)) prefixes[row[0].slice(0, star)] = true;
  });
  var tokens = text.match(/"[^"\\]*(?:\\[^][^"\\]*)*"|[{}\[\],:]|[^\s{}\[\],:"]+/g) || [];
  var lines = [], line = { indent: 0, parts: [] }, stack = [], path = "", expectKey = false, told = {};
  function put(kind, text) { line.parts.push([kind, text]); }
  function newLine() { lines.push(line); line = { indent: stack.length, parts: [] }; }
  for (var i = 0; i < tokens.length; i++) {
    var token = tokens[i], top = stack[stack.length - 1];
    if (token === "{" || token === "[") {
      var close = token === "{" ? "}" : "]";
      if (tokens[i + 1] === close) { put("jp", token + close); i++; continue; }
      put("jp", token);
      stack.push({ object: token === "{", path: path });
      expectKey = token === "{";
      if (!expectKey) path = path + "[]";
      newLine();
    } else if (token === "}" || token === "]") { stack.pop(); newLine(); put("jp", token); }
    else if (token === ",") {
      put("jp", ","); expectKey = top && top.object;
      if (top) path = top.object ? top.path : top.path + "[]";
      newLine();
    } else if (token === ":") { put("jp", ": "); expectKey = false; }
    else if (expectKey) {
      var key; try { key = JSON.parse(token); } catch (error) { key = token; }
      var full = top.path ? top.path + "." + key : key;
      if (known[full] === undefined && prefixes[top.path]) full = top.path + ".*";
      path = full;
      if (known[full] !== undefined && !told[full]) { line.why = data.sentences[known[full]]; told[full] = true; }
      put("jk", token);
    } else put(token.charAt(0) === '"' ? "js" : "jn", token);
  }
  lines.push(line);
  return lines;
}
function prettyJson(entry) {
  var lines = prettyLines(entry.j, data.shapes[entry.x]), box = make("div", { "class": "json" + (explaining ? "" : " plain") });
  function addLines(from, to) {
    for (var i = from; i < Math.min(to, lines.length); i++) box.appendChild(jsonLine(lines[i], entry.v));
    if (to < lines.length) {
      var more = make("button", { "class": "more", type: "button",
        text: "Show " + (lines.length - to).toLocaleString("en") + " more lines",
        click: function () { more.remove(); addLines(to, lines.length); } });
      box.appendChild(more);
    }
  }
  addLines(0, MOST_LINES);
  return box;
}
function jsonLine(line, revision) {
  var code = make("code", { style: "padding-left:" + (10 + Math.min(24, line.indent) * 14) + "px" }), why = line.why;
  line.parts.forEach(function (part) {
    if (part[1].length <= LONG_TEXT) { visible(part[1], part[0]).forEach(function (node) { code.appendChild(node); }); return; }
    var start = make("span", { "class": part[0], text: part[1].slice(0, 200) + "\u2026" });
    code.appendChild(start);
    code.appendChild(make("button", { "class": "more", type: "button", text: "show all " + size(part[1].length),
      click: function (event) { start.textContent = part[1]; event.target.remove(); } }));
  });
  var foreign = why && /^(The specification of|.*Not part of) /.test(why[0]);
  return make("div", { "class": "ln" }, [code, make("span", { "class": "why" + (foreign ? " foreign" : "") },
    why && [why[0] + " ", specLink(why[1], revision)])]);
}
function showSession() {
  var last = entries.length ? entries[entries.length - 1].a : 0;
  detail.appendChild(make("h2", { text: "The session" }));
  detail.appendChild(facts([["server command", data.command],
    ["started", String(data.started || "").replace("T", " ").replace(/\.\d+Z$/, " UTC")], ["host", data.host],
    ["server", data.server], ["recorded by", "mcplite " + data.version + " on " + data.platform],
    ["session", data.total > 1 && data.number + " of " + data.total + " in the recording"],
    ["note", data.unreadable && data.unreadable + " records could not be read"], ["lasted", duration(last)],
    ["traffic", data.traffic]]));
  function section(name, found, number) {
    if (!found.length) return;
    detail.appendChild(make("h3", { text: name }));
    detail.appendChild(make("ul", { "class": "list" }, found.slice(0, 12).map(function (entry) {
      return make("li", {}, [make("button", { type: "button", click: function () { go(entries.indexOf(entry)); list.focus(); } }, [
        make("span", { "class": "num", text: number(entry) }), make("span", { "class": "what", text: describe(entry) })])]);
    })));
    if (found.length > 12) detail.appendChild(make("p", { "class": "spec",
      text: "and " + (found.length - 12) + " more (press n to go through them)" }));
  }
  function describe(entry) {
    var flags = entry.g.filter(function (flag) { return !/ masked$/.test(flag); });
    return [title(entry), flags.join("; "), entry.m ? entry.s : ""].filter(Boolean).join(" \u2013 ");
  }
  section("What is odd", entries.filter(isProblem), function (entry) { return entry.a.toFixed(3); });
  section("The slowest answers", entries.filter(function (entry) { return entry.w && entry.t !== undefined; })
    .sort(function (a, b) { return b.t - a.t; }).slice(0, 6), function (entry) { return duration(entry.t); });
}

// --- the frame ---
function showChips() {
  var chips = byId("chips");
  chips.textContent = "";
  function chip(group, number, words, kind, pressed, toggle) {
    if (number) chips.appendChild(make("button", { "class": kind, type: "button", "aria-pressed": String(pressed),
      text: words + " " + number, "data-group": group, click: function () { toggle(); refresh("[data-group=" + group + "]"); } }));
  }
  Object.keys(GROUPS).forEach(function (group) {
    var number = entries.filter(function (entry) { return entry.group === group; }).length;
    chip(group, number, GROUPS[group], "chip", shown[group], function () { shown[group] = !shown[group]; });
  });
  chip("problems", entries.filter(isProblem).length, "only what is odd", "chip problems", problemsOnly,
    function () { problemsOnly = !problemsOnly; });
}
function refresh(focus) { showChips(); filter(); var chip = document.querySelector(focus); if (chip) chip.focus(); }
function theme() { return document.documentElement.getAttribute("data-theme") === "dark" ? "dark" : "light"; }
function setTheme(name) {
  document.documentElement.setAttribute("data-theme", name);
  byId("theme").textContent = name === "dark" ? "Light" : "Dark";
}
function switchTheme() { chosen = true; setTheme(theme() === "dark" ? "light" : "dark"); }
var chosen = false, dark = window.matchMedia("(prefers-color-scheme: dark)");
setTheme(dark.matches ? "dark" : "light");
dark.addEventListener("change", function () { if (!chosen) setTheme(dark.matches ? "dark" : "light"); });
byId("theme").addEventListener("click", switchTheme);
var timer;
find.addEventListener("input", function () { clearTimeout(timer); timer = setTimeout(filter, 120); });
method.addEventListener("change", filter);
byId("bar").addEventListener("submit", function (event) { event.preventDefault(); filter(); });

var seen = {};
entries.forEach(function (entry) { if (entry.m && !entry.w) seen[entry.m] = (seen[entry.m] || 0) + 1; });
method.appendChild(make("option", { value: "", text: "all methods" }));
Object.keys(seen).sort().forEach(function (name) {
  method.appendChild(make("option", { value: name, text: name + " (" + seen[name] + ")" }));
});
byId("command").textContent = data.command;
byId("command").title = data.command;
document.querySelector(".head.host").textContent = "host" + (data.host ? ": " + data.host : "");
document.querySelector(".head.server").textContent = "server" + (data.server ? ": " + data.server : "");
var hasStderr = entries.some(function (entry) { return entry.f === "stderr"; });
var hasChains = entries.some(function (entry) { return entry.c; });
document.documentElement.style.setProperty("--hx", (hasChains ? 122 : 106) + "px");
document.documentElement.style.setProperty("--sx", (hasStderr ? 250 : 160) + "px");
document.querySelector(".head.stderr").style.display = hasStderr ? "" : "none";
showChips();
filter();
showDetail();
window.addEventListener("hashchange", openHash);
openHash();
})();
"""
