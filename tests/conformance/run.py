"""The official conformance suite against mcplite, in strict reading: ``make conformance``.

What lives here: which revisions are run, how many scenarios must have been scored, which are left out and why, and the
table. What must not: how a scenario is judged (the suite does that), or how it reaches the server (``bridge``).

    python tests/conformance/run.py                 # both revisions
    python tests/conformance/run.py 2026-07-28      # one

1. A scenario is passed when each of its checks is a success or mere information, and one is a success: a warning is a
   failure, and so is a check that was skipped.
2. Which scenarios a revision scores is the suite's own frozen list. One of them that was not run is a failure, and so is
   a number of scored scenarios other than the one pinned here.
3. The exit status is 0 only when all that is scored was passed, and the server answered nothing that was not asked.
"""

from __future__ import annotations

import glob
import json
import os
import shlex
import subprocess
import sys
import tempfile

import yaml

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

from interop import environments  # noqa: E402

from conformance.bridge import Bridge  # noqa: E402

# How many scenarios must be scored: (of a server, of a client), without what is left out.
SCORED = {"2025-11-25": (28, 3), "2026-07-28": (35, 4)}
LEGS = ("server", "client")
HTTP_ALONE = "judges the HTTP of the one that is tested; mcplite has none, it would be the bridge that is judged"
LEFT_OUT = {                                        # the beginning of a scenario's name → why
    "server-sse-": HTTP_ALONE, "dns-rebinding-": HTTP_ALONE, "sse-retry": HTTP_ALONE, "http-": HTTP_ALONE,
    "auth/": "OAuth, which is there over HTTP alone",
}
GOOD = ("SUCCESS", "INFO")                          # any other status is a failure (1)


def find_reason(scenario):
    """Return why a scenario is left out; None where it is not."""
    return next((reason for start, reason in LEFT_OUT.items() if scenario.startswith(start)), None)


def find_faults(checks):
    """Return what was wrong in a scenario, one text a check; a scenario without a single success is wrong as a whole."""
    faults = ["%s %s: %s" % (check["status"], check["id"], check.get("errorMessage") or check["description"])
              for check in checks if check["status"] not in GOOD]
    if not faults and all(check["status"] != "SUCCESS" for check in checks):
        faults.append("no check was a success")
    return faults


def find_scored(revision, leg):
    """Return the names of the scenarios that the suite scores a server or a client of this revision by."""
    path = os.path.join(environments.home("conformance"), "node_modules", "@modelcontextprotocol", "conformance",
                        "requirements", revision + ".yaml")
    with open(path, encoding="utf-8") as file:
        return yaml.safe_load(file)[leg]


def run_suite(arguments, folder):
    """Run the suite's program; what it says goes to a file. Returns its exit status."""
    program = environments.program("conformance")
    path = os.pathsep.join([os.path.dirname(program), os.environ.get("PATH", "")])      # its own node comes first
    with open(os.path.join(folder, "suite.log"), "ab") as log:
        return subprocess.call([program, *arguments, "-o", folder], stdin=subprocess.DEVNULL, stdout=log,
                               stderr=subprocess.STDOUT, env=dict(environments.quiet_environment(), PATH=path))


def read_checks(folder, prefix):
    """Return {scenario: its checks} of all that was run into ``folder``."""
    checks = {}
    for result in glob.glob(os.path.join(folder, prefix + "*", "checks.json")):
        name = os.path.basename(os.path.dirname(result))[len(prefix):-len("-2026-01-01T00-00-00-000Z")]
        with open(result, encoding="utf-8") as file:
            checks[name] = json.load(file)
    return checks


def run_server(revision, scored, folder):
    """Run the scenarios that judge a server; return {scenario: its faults}."""
    with Bridge([sys.executable, os.path.join(HERE, "server.py")]) as bridge:
        run_suite(["server", "--url", bridge.url, "--requirements", revision], folder)
    faults = {name: find_faults(checks) for name, checks in read_checks(folder, "server-").items()}
    if bridge.faults:
        faults["bridge"] = bridge.faults
    return faults


def run_client(revision, scored, folder):
    """Run the scenarios that judge a client, one by one; return {scenario: its faults}."""
    command = "%s %s" % (shlex.quote(sys.executable), shlex.quote(os.path.join(HERE, "client.py")))
    faults = {}
    for name in scored:
        if find_reason(name) is None:
            status = run_suite(["client", "--command", command, "--scenario", name, "--spec-version", revision], folder)
            faults[name] = find_faults(read_checks(folder, "").get(name, []))
            if status and not faults[name]:
                faults[name] = ["the suite ended with status %d" % status]
    return faults


RUNNERS = {"server": run_server, "client": run_client}


def print_leg(revision, leg, scored, faults):
    """Print one table; return how many scenarios were scored and whether all was good."""
    print("\n%s, %s" % (revision, leg))
    counted = failed = 0
    for name in scored:
        if find_reason(name) is not None:
            continue
        found = faults.get(name, ["was not run"])
        counted += 1
        failed += bool(found)
        print("  %-46s %s" % (name, "failed" if found else "passed"))
        for fault in found:
            print("      %s" % fault)
    print("  %d of %d scored scenarios passed" % (counted - failed, counted))
    for reason in dict.fromkeys(LEFT_OUT.values()):
        names = [name for name in scored if find_reason(name) == reason]
        if names:
            print("  left out (%s): %s" % (reason, ", ".join(names)))
    others = [name for name in faults if name not in scored and name != "bridge"]
    if others:
        print("  not scored (extensions, scenarios on trial): %s" % ", ".join(
            "%s %s" % (name, "failed" if faults[name] else "passed") for name in sorted(others)))
    for fault in faults.get("bridge", ()):
        print("  FAILED: the server sent %s" % fault)
    return counted, not failed and "bridge" not in faults


def main(arguments):
    """The command line; gives back the exit status."""
    unknown = [name for name in arguments if name not in SCORED]
    reason = environments.missing("conformance")
    if unknown or reason:
        print(reason or "unknown revision %s: known are %s" % (", ".join(unknown), ", ".join(SCORED)), file=sys.stderr)
        return 2
    print(", ".join("%s %s" % pair for pair in sorted(environments.versions("conformance").items())))
    root, is_good = tempfile.mkdtemp(prefix="mcplite-conformance-"), True
    for revision in arguments or SCORED:
        for leg, pinned in zip(LEGS, SCORED[revision]):
            folder = os.path.join(root, revision, leg)
            os.makedirs(folder)
            scored = find_scored(revision, leg)
            counted, is_passed = print_leg(revision, leg, scored, RUNNERS[leg](revision, scored, folder))
            if counted != pinned:
                print("  FAILED: %d scenarios are scored, %d are pinned" % (counted, pinned))
            is_good = is_good and is_passed and counted == pinned
    print("\n%s; the suite's own words: %s" % ("all passed" if is_good else "FAILED", root))
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
