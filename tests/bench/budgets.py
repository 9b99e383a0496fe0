"""The budgets, measured: every figure is a ratio to the hand-written loop (or to fastjsonschema) taken in the same run.

    make bench                    all of it, about ten minutes
    python tests/bench/budgets.py --quick [start latency ...]

``lab/`` is the laboratory: drivers, scenarios, the yardstick servers; its README says how it measures. The checkout is installed
into an environment of its own under $LAB_CACHE. A busy machine moves absolute figures, ratios far less. Exit status 1 when a
figure is over its budget, 2 when one could not be taken.
"""
import json
import math
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
LAB = os.path.join(HERE, "lab")
REPO = os.path.dirname(os.path.dirname(HERE))

# scenario, figure as the lab calls it, at most so many times the floor, what it is
BUDGETS = [
    ("start", "initialize answer, 1 tool, ms", 0.72, "spawn to initialize reply, 1 tool"),
    ("start", "first call answer, 1 tool, ms", 0.85, "spawn to first call, 1 tool"),     # of our own: the others are DESIGN's
    ("start", "initialize answer, 50 tools, ms", 0.80, "spawn to initialize reply, 50 tools"),
    ("latency", "round trip, us", 0.78, "round trip of a small tools/call"),
    ("pipeline", "pipelined, us per call", 0.35, "pipelined, per call"),
    ("list", "tools/list of 500, ms", 0.15, "tools/list of 500 tools"),
    ("large", "10 MB in, ms", 0.75, "10 MB argument, time"),
    ("large", "50 MB line in, peak RSS MiB", 0.75, "50 MB line, peak memory"),
    ("rss", "RSS, 1 tool, MiB", 1.0, "memory after the first call"),
]
VALIDATOR = {"first": 0.1, "valid": 0.35, "invalid": 0.8}


def median(values):
    values = sorted(values)
    middle = len(values) // 2
    return values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2


def ratio(data, figure):
    """The median over the rounds of ours divided by the floor's, taken within each round."""
    ours, floor = data.get(figure + " | mcplite"), data.get(figure + " | floor")
    if not ours or not floor:
        return None
    return median([one / other for one, other in zip(ours, floor) if other])


def measure_servers(arguments, cache):
    env = dict(os.environ, LAB_CACHE=cache)
    subprocess.run([sys.executable, os.path.join(LAB, "envs.py"), "bare"], check=True, env=env)
    subprocess.run([sys.executable, os.path.join(LAB, "envs.py"), "mcplite", "--from", REPO], check=True, env=env)
    out = os.path.join(cache, "budgets.json")
    subprocess.run([sys.executable, os.path.join(LAB, "run.py"), "--only", "floor,best,mcplite", "--json", out] + arguments,
                   check=True, env=env)
    with open(out, encoding="utf-8") as file:
        return json.load(file)


def measure_validator():
    """Geometric means over the nine schemas, and the worst single ratio, against fastjsonschema."""
    os.environ["LAB_MCPLITE_VALIDATOR"] = "bench_adapter:judge"
    sys.path[:0] = [LAB, HERE, REPO]
    import validators

    names, out, notes = validators.measure(["fastjsonschema", "mcplite"])
    for (case, name), note in notes.items():
        print("note: %s, %s: %s" % (name, case, note))
    found, worst = {}, 0.0
    for what in VALIDATOR:
        ratios = []
        for case in validators.cases():
            ours, theirs = out.get((case, "mcplite"), {}).get(what), out.get((case, "fastjsonschema"), {}).get(what)
            if ours and theirs and ours[0] and theirs[0]:
                ratios.append(median([one / other for one, other in zip(ours, theirs)]))
        found[what] = math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else None
        worst = max([worst] + ratios)
    return found, worst


def show(label, value, budget):
    state = "not taken" if value is None else "ok" if value <= budget else "OVER"
    print("%-44s %8s  at most %.2f  %s" % (label, "-" if value is None else "%.3f" % value, budget, state))
    return {"ok": 0, "OVER": 1, "not taken": 2}[state]


def main(arguments):
    cache = os.environ.get("LAB_CACHE") or os.path.join(os.environ.get("TMPDIR", "/tmp"), "mcplite-lab")
    scenarios = [name for name in arguments if not name.startswith("-")]
    states = []
    if scenarios != ["validator"]:
        data = measure_servers([name for name in arguments if name != "validator"], cache)
        print("\nratios to the hand-written loop")
        for scenario, figure, budget, label in BUDGETS:
            if scenarios and scenario not in scenarios:
                continue
            states.append(show(label, ratio(data, figure), budget))
    if not scenarios or "validator" in scenarios:
        found, worst = measure_validator()
        print("\nratios of the validator to fastjsonschema, geometric means over nine schemas")
        for what, budget in VALIDATOR.items():
            states.append(show(what, found[what], budget))
        states.append(show("the worst of all single ratios", worst, 1.0))
    return max(states or [2])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
