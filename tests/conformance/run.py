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
import subprocess
import sys
import tempfile

import yaml

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

from interop import environments  # noqa: E402

from conformance.bridge import Bridge  # noqa: E402

SCORED = {"2025-11-25": 28, "2026-07-28": 35}       # without what is left out
HTTP_ALONE = "judges an HTTP server; mcplite has none, it would be the bridge that is judged"
LEFT_OUT = {
    "server-sse-multiple-streams": HTTP_ALONE,
    "dns-rebinding-protection": HTTP_ALONE,
}
GOOD = ("SUCCESS", "INFO")                          # any other status is a failure (1)
CLIENT_SIDE = ("client scenarios are not run: each starts an HTTP server that the client must connect to by URL (most of them "
               "for OAuth), and mcplite's client starts its server by command")


def find_faults(checks):
    """Return what was wrong in a scenario, one text a check; a scenario without a single success is wrong as a whole."""
    faults = ["%s %s: %s" % (check["status"], check["id"], check.get("errorMessage") or check["description"])
              for check in checks if check["status"] not in GOOD]
    if not faults and all(check["status"] != "SUCCESS" for check in checks):
        faults.append("no check was a success")
    return faults


def find_scored(revision):
    """Return the names of the scenarios that the suite scores a server of this revision by."""
    path = os.path.join(environments.home("conformance"), "node_modules", "@modelcontextprotocol", "conformance",
                        "requirements", revision + ".yaml")
    with open(path, encoding="utf-8") as file:
        return yaml.safe_load(file)["server"]


def run_suite(url, revision, folder):
    """Run the scenarios of a revision; return {scenario: its checks} of those that were run."""
    program = environments.program("conformance")
    path = os.pathsep.join([os.path.dirname(program), os.environ.get("PATH", "")])      # its own node comes first
    done = subprocess.run([program, "server", "--url", url, "--requirements", revision, "-o", folder],
                          env=dict(environments.quiet_environment(), PATH=path),
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    with open(os.path.join(folder, "suite.log"), "wb") as file:
        file.write(done.stdout)
    checks = {}
    for result in glob.glob(os.path.join(folder, "server-*", "checks.json")):
        name = os.path.basename(os.path.dirname(result))[len("server-"):-len("-2026-01-01T00-00-00-000Z")]
        with open(result, encoding="utf-8") as file:
            checks[name] = json.load(file)
    return checks


def print_revision(revision, scored, checks):
    """Print the table of one revision; return how many scenarios were scored, and how many of them passed."""
    print("\n%s" % revision)
    counted = passed = 0
    for name in scored:
        if name in LEFT_OUT:
            print("  %-46s left out: %s" % (name, LEFT_OUT[name]))
            continue
        faults = find_faults(checks[name]) if name in checks else ["was not run: see suite.log"]
        counted += 1
        passed += not faults
        print("  %-46s %s" % (name, "failed" if faults else "passed"))
        for fault in faults:
            print("      %s" % fault)
    others = {name: not find_faults(found) for name, found in checks.items() if name not in scored}
    print("  %d of %d scored scenarios passed" % (passed, counted))
    print("  not scored (extensions, scenarios on trial): passed %s; failed %s" % tuple(
        ", ".join(sorted(name for name in others if others[name] is verdict)) or "none" for verdict in (True, False)))
    return counted, passed


def main(arguments):
    """The command line; gives back the exit status."""
    unknown = [name for name in arguments if name not in SCORED]
    reason = environments.missing("conformance")
    if unknown or reason:
        print(reason or "unknown revision %s: known are %s" % (", ".join(unknown), ", ".join(SCORED)), file=sys.stderr)
        return 2
    print(", ".join("%s %s" % pair for pair in sorted(environments.versions("conformance").items())))
    folder, is_good = tempfile.mkdtemp(prefix="mcplite-conformance-"), True
    with Bridge([sys.executable, os.path.join(HERE, "server.py")]) as bridge:
        for revision in arguments or SCORED:
            place = os.path.join(folder, revision)
            os.mkdir(place)
            counts = print_revision(revision, find_scored(revision), run_suite(bridge.url, revision, place))
            if counts != (SCORED[revision], SCORED[revision]):
                is_good = False
                print("  FAILED: pinned are %d scenarios, all passed" % SCORED[revision])
    for fault in bridge.faults:
        is_good = False
        print("FAILED: the server sent %s" % fault)
    print("\n%s\nthe suite's own words: %s" % (CLIENT_SIDE, folder))
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
