"""JSON Schema validators on schemas as MCP tools have them.

    python validators.py                       every validator that the running interpreter can import
    python validators.py --only fastjsonschema,mcplite
    python validators.py import                what importing each costs (time, RSS)
    python validators.py micro                 the fastest way to test a type in pure Python
    python validators.py suite DIR             right and wrong answers on a checkout of the official test suite
    (run it with the interpreter of the "schema" environment, see envs.py)

Figures, medians of alternating rounds:
  compile   schema -> validator, a fresh copy of the schema each time
  first     compile and one validation: what a server pays at a tool's first call
  valid     one valid instance
  invalid   one invalid instance, error message included (the fault is late in the instance)
The yardstick is fastjsonschema with its default options: ratio = others / fastjsonschema.
An adapter is a function schema -> f(instance) that raises on an invalid instance, with the
message in str(exception). Add one to ADAPTERS to bring in another validator.
"""
import copy
import gc
import json
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from driver import CACHE, median

clock = time.perf_counter


def a_fastjsonschema(s):
    import fastjsonschema
    return fastjsonschema.compile(s)


def a_fastjsonschema_lean(s):
    import fastjsonschema
    return fastjsonschema.compile(s, detailed_exceptions=False, use_default=False, use_formats=False)


def a_jsonschema(s):
    from jsonschema import Draft202012Validator
    return Draft202012Validator(s).validate


def a_jsonschema_rs(s):
    import jsonschema_rs
    return jsonschema_rs.Draft202012Validator(s).validate


def a_mcplite(s):
    """The project's own, once it is there. LAB_MCPLITE_VALIDATOR names it as module:attribute,
    called with a schema, giving a callable or an object with .validate."""
    where = os.environ.get("LAB_MCPLITE_VALIDATOR", "mcplite.schema:compile")
    module, _, attr = where.partition(":")
    v = getattr(__import__(module, fromlist=["x"]), attr)(s)
    return v if callable(v) else v.validate


ADAPTERS = [("fastjsonschema", a_fastjsonschema), ("fastjson lean", a_fastjsonschema_lean),
            ("jsonschema", a_jsonschema), ("jsonschema-rs", a_jsonschema_rs),
            ("mcplite", a_mcplite)]
YARD = "fastjsonschema"

S, I, N, B, NUL = {"type": "string"}, {"type": "integer"}, {"type": "number"}, {"type": "boolean"}, {"type": "null"}


def obj(props, required=None, extra=None, **kw):
    d = {"type": "object", "properties": props, "required": list(props) if required is None else required}
    if extra is not None:
        d["additionalProperties"] = extra
    d.update(kw)
    return d


def tree(depth, leaf="x"):
    if depth == 0:
        return {"name": leaf, "children": []}
    return {"name": "n", "children": [tree(depth - 1, "l"), tree(depth - 1, leaf)]}


def cases():
    """name -> schema, valid, invalid"""
    c = {}
    c["tiny: 2 ints"] = (obj({"a": I, "b": I}), {"a": 1, "b": 2}, {"a": 1, "b": "2"})
    flat = obj({"path": {"type": "string", "minLength": 1}, "limit": {"type": "integer", "minimum": 1, "maximum": 1000},
                "exact": B, "ratio": N, "encoding": {"type": "string", "default": "utf-8"}}, ["path", "limit"], False)
    c["flat, 5 props"] = (flat, {"path": "a/b", "limit": 10, "exact": True, "ratio": 0.5, "encoding": "ascii"},
                          {"path": "a/b", "limit": 10, "exact": True, "ratio": 0.5, "encoding": 7})
    item = obj({"id": I, "name": S, "tags": {"type": "array", "items": S}, "pos": obj({"x": N, "y": N})})
    nested = obj({"query": S, "filters": {"type": "array", "items": obj({"field": S, "values": {"type": "array", "items": I}})},
                  "items": {"type": "array", "items": item, "maxItems": 100}, "opts": obj({"deep": obj({"er": B})})})
    ok = {"query": "q", "filters": [{"field": "f%d" % i, "values": [1, 2, 3]} for i in range(3)],
          "items": [{"id": i, "name": "n", "tags": ["a", "b"], "pos": {"x": 1.5, "y": 2}} for i in range(5)],
          "opts": {"deep": {"er": True}}}
    bad = copy.deepcopy(ok)
    bad["items"][4]["pos"]["y"] = "2"
    c["nested objects, arrays"] = (nested, ok, bad)
    ec = obj({"mode": {"enum": ["read", "write", "append", "exec"]}, "level": {"type": "string", "enum": ["debug", "info", "error"]},
              "kind": {"const": "file"}, "n": {"enum": [1, 2, 3, None]}, "v": {"const": 2}})
    c["enum, const"] = (ec, {"mode": "append", "level": "error", "kind": "file", "n": 3, "v": 2},
                        {"mode": "append", "level": "error", "kind": "file", "n": 3, "v": 3})
    an = obj({"a": {"anyOf": [S, NUL], "default": None}, "b": {"anyOf": [I, NUL]}, "c": {"anyOf": [{"type": "array", "items": S}, NUL]},
              "d": {"anyOf": [I, S, NUL]}}, [])
    c["anyOf with null"] = (an, {"a": "x", "b": None, "c": ["p", "q"], "d": "s"}, {"a": "x", "b": None, "c": ["p", "q"], "d": [1]})
    rec = {"$ref": "#/$defs/node", "$defs": {"node": obj({"name": S, "children": {"type": "array", "items": {"$ref": "#/$defs/node"}}})}}
    c["recursive $ref, 63 nodes"] = (rec, tree(5), tree(5, 7))
    wide = {}
    for k in range(50):
        wide["prop_%02d" % k] = [S, I, N, B, {"type": "array", "items": S}][k % 5]
    vals = ["s", 3, 1.5, False, ["a"]]
    ok = {"prop_%02d" % k: vals[k % 5] for k in range(50)}
    c["50 properties"] = (obj(wide, ["prop_%02d" % k for k in range(25)]), ok, dict(ok, prop_49=["a", 1]))
    pat = obj({"id": {"type": "string", "pattern": "^[a-z][a-z0-9_-]{2,30}$"}, "date": {"type": "string", "pattern": r"^\d{4}-\d\d-\d\d$"},
               "uri": {"type": "string", "pattern": "^https?://[^/]+/.*$"}})
    c["string patterns"] = (pat, {"id": "tool-name", "date": "2026-01-31", "uri": "http://host/path"},
                            {"id": "tool-name", "date": "2026-01-31", "uri": "ftp://host/path"})
    arr = obj({"rows": {"type": "array", "items": obj({"id": I, "name": S, "tags": {"type": "array", "items": S}})}})
    ok = {"rows": [{"id": i, "name": "row", "tags": ["x", "y"]} for i in range(10000)]}
    bad = {"rows": ok["rows"][:-1] + [{"id": 1, "name": "row", "tags": ["x", 2]}]}
    c["array of 10k objects"] = (arr, ok, bad)
    return c


def per_call(f, budget=0.02):
    """Seconds per call: as many calls as fit the budget, best of three."""
    t = clock()
    f()
    t = clock() - t
    n = max(1, min(20000, int(budget / max(t, 1e-7))))
    best = 1e9
    r = range(n)
    for _ in range(3):
        a = clock()
        for _ in r:
            f()
        best = min(best, (clock() - a) / n)
    return best


def measure(names, rounds=5):
    out, notes = {}, {}
    adapters = []
    for n, f in ADAPTERS:
        if names and n not in names and n != YARD:
            continue
        try:
            f({"type": "integer"})(1)
        except Exception as e:
            print("left out: %s (%s)" % (n, e))
            continue
        adapters.append((n, f))
    for case, (schema, ok, bad) in cases().items():
        made = {}
        for n, f in adapters:
            try:
                v = f(copy.deepcopy(schema))
                v(ok)
            except Exception as e:
                notes[(case, n)] = "rejects the valid instance or the schema: %.120s" % e
                continue
            try:
                v(bad)
                notes[(case, n)] = "accepts the invalid instance"
                continue
            except Exception as e:
                made[n] = v
                out.setdefault((case, n), {"message": str(e)[:100]})
        gc.collect()
        for k in range(rounds):
            for n, f in (adapters if k % 2 == 0 else adapters[::-1]):
                if n not in made:
                    continue
                v, d = made[n], out[(case, n)]

                def compile_():
                    import re
                    re.purge()
                    f(schema)

                def first():
                    import re
                    re.purge()
                    f(schema)(ok)

                def invalid():
                    try:
                        v(bad)
                    except Exception as e:
                        str(e)
                d.setdefault("compile", []).append(per_call(compile_))
                d.setdefault("first", []).append(per_call(first) if case[:5] != "array" else None)
                d.setdefault("valid", []).append(per_call(lambda: v(ok)))
                d.setdefault("invalid", []).append(per_call(invalid))
    return [n for n, _ in adapters], out, notes


def us(v):
    v *= 1e6
    return "%.2f" % v if v < 10 else "%.1f" % v if v < 100 else "%.0f" % v


def show(names, out, notes):
    for what in ("compile", "first", "valid", "invalid"):
        print("\n%-26s" % (what + ", us") + "".join("%21s" % n for n in names))
        logs = {n: [] for n in names}
        for case in cases():
            row = "%-26s" % case
            base = out.get((case, YARD), {}).get(what)
            for n in names:
                d = out.get((case, n), {}).get(what)
                if not d or d[0] is None:
                    row += "%21s" % "-"
                    continue
                r = median([x / y for x, y in zip(d, base)]) if base and base[0] else None
                if r:
                    logs[n].append(r)
                row += "%13s %7s" % (us(median(d)), "x%.2f" % r if r and n != YARD else "")
            print(row)
        row = "%-26s" % "geometric mean"
        for n in names:
            p = 1.0
            for r in logs[n]:
                p *= r
            row += "%21s" % ("x%.2f" % p ** (1 / len(logs[n])) if logs[n] else "-")
        print(row)
    for k, v in notes.items():
        print("note: %s, %s: %s" % (k[1], k[0], v))


def messages(names, out):
    for case in cases():
        print(case)
        for n in names:
            d = out.get((case, n))
            if d:
                print("   %-16s %s" % (n, d["message"].split("\n")[0]))


def imports():
    from driver import child_env
    from imports import run_once
    env = child_env()
    env["PYTHONPATH"] = os.path.dirname(os.path.abspath(__file__))
    base, got = [], {}
    mods = ["fastjsonschema", "jsonschema", "jsonschema_rs"]
    for _ in range(11):
        base.append(run_once([sys.executable, "-c", "pass"], env)[0])
        for m in mods:
            got.setdefault(m, []).append(run_once([sys.executable, "-c", "import " + m], env)[0] - base[-1])
    rss = "import sys\n%s\nprint(open('/proc/self/status').read().split('VmRSS:')[1].split()[0])"
    r0 = int(subprocess.run([sys.executable, "-c", rss % ""], env=env, stdout=subprocess.PIPE).stdout)
    for m in mods:
        r = int(subprocess.run([sys.executable, "-c", rss % ("import " + m)], env=env, stdout=subprocess.PIPE).stdout)
        print("import %-16s %7.1f ms   RSS +%.1f MiB" % (m, median(got[m]), (r - r0) / 1024))


def suite(folder, names):
    """So that nobody is fast by being wrong: the keywords that these schemas use."""
    files = """type properties required additionalProperties items enum const anyOf allOf oneOf not minLength maxLength
    pattern minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems uniqueItems ref defs
    boolean_schema default infinite-loop-detection""".split()
    for n, f in ADAPTERS:
        if names and n not in names:
            continue
        try:
            f(True)
        except ImportError:
            continue
        except Exception:
            pass
        right = wrong = refused = 0
        for name in files:
            with open(os.path.join(folder, "tests", "draft2020-12", name + ".json")) as fh:
                groups = json.load(fh)
            for g in groups:
                try:
                    v = f(g["schema"])
                except Exception:
                    refused += len(g["tests"])
                    continue
                for t in g["tests"]:
                    try:
                        v(t["data"])
                        ok = True
                    except Exception:
                        ok = False
                    right, wrong = right + (ok == t["valid"]), wrong + (ok != t["valid"])
        print("%-16s %4d right, %3d wrong, %3d in schemas it refuses" % (n, right, wrong, refused))


def micro():
    import timeit
    g = {"x": 5, "s": "abc", "d": {"a": 1, "b": 2}, "xs": ["a"] * 1000, "ds": [{"id": 1, "name": "n"}] * 1000}
    exec('''
def isin(x):
    return isinstance(x, int) and not isinstance(x, bool)
def loop_class(xs):
    for v in xs:
        if v.__class__ is not str: return False
    return True
def loop_type(xs):
    for v in xs:
        if type(v) is not str: return False
    return True
def loop_isinstance(xs):
    for v in xs:
        if not isinstance(v, str): return False
    return True
def set_map(xs):
    return {str}.issuperset(map(type, xs))
def all_gen(xs):
    return all(type(v) is str for v in xs)
def get_try(d):
    try:
        a = d["a"]; b = d["b"]
    except KeyError: return False
    return True
def get_in(d):
    if "a" not in d: return False
    if "b" not in d: return False
    a = d["a"]; b = d["b"]
    return True
def get_get(d):
    g = d.get
    a = g("a", None); b = g("b", None)
    return True
def set_keys(d):
    missing = set(["a", "b"]) - d.keys()
    if missing: return False
    a = d["a"]; b = d["b"]
    return True
REQ = frozenset(["a", "b"])
def set_le(d):
    if not REQ <= d.keys(): return False
    a = d["a"]; b = d["b"]
    return True
def nothing(d): return True
''', g)
    for label, stmt in [("x.__class__ is int", "x.__class__ is int"), ("type(x) is int", "type(x) is int"),
                        ("isinstance(x, int)", "isinstance(x, int)"), ("isinstance and not isinstance bool", "isin(x)"),
                        ("1000 strings: loop v.__class__ is not str", "loop_class(xs)"), ("1000 strings: loop type(v) is not str", "loop_type(xs)"),
                        ("1000 strings: loop isinstance", "loop_isinstance(xs)"), ("1000 strings: {str}.issuperset(map(type, xs))", "set_map(xs)"),
                        ("1000 strings: all(type(v) is str for v in xs)", "all_gen(xs)"),
                        ("(a bare function call)", "nothing(d)"),
                        ("2 required keys: try d[k] except KeyError", "get_try(d)"), ("2 required keys: in, then d[k]", "get_in(d)"),
                        ("2 required keys: d.get", "get_get(d)"), ("2 required keys: set([...]) - d.keys()", "set_keys(d)"),
                        ("2 required keys: frozenset <= d.keys()", "set_le(d)")]:
        n = 2000 if "1000" in label else 200000
        print("%-50s %9.1f ns" % (label, min(timeit.repeat(stmt, repeat=7, number=n, globals=g)) / n * 1e9))


if __name__ == "__main__":
    argv = sys.argv[1:]
    if argv[:1] == ["import"]:
        imports()
    elif argv[:1] == ["micro"]:
        micro()
    elif argv[:1] == ["suite"]:
        suite(argv[1], argv[argv.index("--only") + 1].split(",") if "--only" in argv else None)
    else:
        only = argv[argv.index("--only") + 1].split(",") if "--only" in argv else None
        names, out, notes = measure(only, rounds=2 if "--quick" in argv else 5)
        show(names, out, notes)
        if "--messages" in argv:
            messages(names, out)
        os.makedirs(os.path.join(CACHE, "results"), exist_ok=True)
        with open(os.path.join(CACHE, "results", "validators.json"), "w") as f:
            json.dump({"%s | %s" % k: v for k, v in out.items()}, f, indent=0)
