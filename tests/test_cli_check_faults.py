"""`mcplite check` against a right server, and against more than a hundred that have one fault each (bad_servers/bad_server.py).

The runs wait more than they compute, so they go side by side: a dozen at a time, each test judges its own.
"""
from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from harness import HANDSHAKE_DATES, MODERN, REPO

from mcplite.cli.check.command import try_server
from mcplite.cli.check.facts import CheckSettings, ServerFacts
from mcplite.cli.check.findings import Findings
from mcplite.cli.check.table import CHECKS

BAD_SERVER = os.path.join(REPO, "tests", "bad_servers", "bad_server.py")
sys.path.insert(0, os.path.dirname(BAD_SERVER))
from one_fault import FAULTS  # noqa: E402

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the bad servers fork and use POSIX signals")

OLD, NEW, BOTH, ALL = ("2025-11-25",), (MODERN,), ("2025-11-25", MODERN), (*HANDSHAKE_DATES, MODERN)
E, W, N = "error", "warning", "note"

# fault: (revisions checked, the check that must find it, how severe, checks that may follow from it)
EXPECTED = {
    "none": (ALL, None, None, ()),
    # lines
    "noise-first": (OLD, "stdout-noise", E, ()),
    "noise-between": (BOTH, "stdout-noise", E, ()),
    "json-noise": (OLD, "stdout-noise", E, ()),
    "noise-at-end": (OLD, "stdout-noise", E, ()),
    "bad-utf8-noise": (OLD, "utf8", E, ()),
    "bad-utf8": (OLD, "utf8", E, ()),
    "bom": (BOTH, "bom", E, ()),
    "pretty": (BOTH, "one-line", E, ()),
    "no-newline": (OLD, "one-line", E, ("start-time",)),
    "blank-lines": (OLD, "blank-lines", E, ()),
    "crlf": (OLD, "crlf", N, ()),
    "nan": (OLD, "nan", E, ()),
    "lone-surrogate": (OLD, "lone-surrogate", E, ()),
    "raw-2028": (OLD, "raw-separators", N, ()),
    "huge-line": (OLD, "line-length", W, ("tool-description",)),
    "deep": (OLD, "nesting", W, ()),
    # messages
    "no-jsonrpc": (BOTH, "jsonrpc", E, ()),
    "jsonrpc-1": (OLD, "jsonrpc", E, ()),
    "extra-member": (OLD, "response-members", E, ()),
    "error-null": (OLD, "response-members", E, ()),
    "result-list": (OLD, "message-form", E, ()),
    "batch-response": (OLD, "response-array", E, ()),
    "id-string": (OLD, "id-echo", E, ()),
    "id-float": (OLD, "id-echo", E, ()),
    "id-integer": (OLD, "id-echo", E, ()),
    "id-zero-lost": (OLD, "id-echo", E, ()),
    "twice": (OLD, "answer-once", E, ()),
    "stray-response": (OLD, "stray-response", W, ()),
    "error-code-string": (BOTH, "error-object", E, ()),
    "error-no-message": (BOTH, "error-object", E, ()),
    "reply-to-notification": (OLD, "notification-reply", E, ()),
    "reply-to-response": (OLD, "notification-reply", E, ()),
    "asks-roots": (OLD, "unasked-request", E, ()),
    "unknown-notification": (OLD, "server-notification", W, ()),
    "progress-unasked": (OLD, "progress", E, ()),
    "progress-falls": (OLD, "progress", W, ()),
    "progress-late": (OLD, "progress", E, ()),
    "log-level-unknown": (OLD, "log-message", E, ()),
    "log-undeclared": (OLD, "log-declared", N, ()),
    "late-line": (OLD, "late-output", W, ()),
    # process
    "slow-start": (OLD, "start-time", N, ()),
    "ignores-end": (OLD, "exit-at-end", W, ()),
    "ignores-sigterm": (OLD, "exit-at-end", E, ()),
    "exit-status": (OLD, "exit-status", W, ()),
    "orphan": (OLD, "orphans", W, ()),
    "crash-without-reader": (OLD, "reader-gone", N, ()),
    "stderr-flood": (OLD, "stderr-flood", W, ()),
    "traceback": (OLD, "traceback", N, ()),
    # handshake
    "initialize-error": (BOTH, "initialize", E, ()),
    "initialize-silent": (OLD, "initialize", E, ()),
    "no-capabilities": (OLD, "initialize-result", E, ()),
    "no-server-info": (OLD, "initialize-result", E, ()),
    "no-server-version": (OLD, "initialize-result", E, ()),
    "version-none": (OLD, "initialize-result", E, ()),
    "version-future": (OLD, "version", E, ()),
    "version-echo": (OLD, "version-unknown", W, ()),
    "version-refused": (OLD, "version-unknown", E, ()),
    "version-stubborn": (ALL, "version", E, ()),
    "deaf-before-initialized": (OLD, "before-initialized", W, ()),
    "no-ping": (OLD, "ping", E, ("last-answers",)),
    "ping-error": (OLD, "ping", E, ()),
    "discover-exit": (BOTH, "discover-refusal", E, ()),
    "discover-breaks": (BOTH, "discover-refusal", E, ()),
    "discover-silent": (BOTH, "discover-refusal", W, ()),
    "newer-members": (ALL, "newer-members", N, ()),
    "no-batch": (ALL, "batch", N, ()),
    "batch-dies": (OLD, "batch", E, ()),
    "drops-last": (OLD, "last-answers", N, ()),
    # what comes in
    "dies-at-bad-json": (OLD, "bad-json", E, ()),
    "dies-at-bad-utf8": (OLD, "bad-utf8", E, ()),
    "dies-at-blank": (OLD, "blank-input", E, ()),
    "answers-blank": (OLD, "blank-input", N, ()),
    "drops-crlf": (OLD, "crlf-input", E, ()),
    "latin-1": (OLD, "unicode-input", E, ()),
    "small-buffer": (OLD, "large-input", E, ()),
    "unknown-method-silent": (OLD, "unknown-method", E, ()),
    "unknown-method-result": (OLD, "unknown-method", E, ()),
    # lists
    "prompts-not-served": (BOTH, "declared-served", E, ()),
    "tools-undeclared": (OLD, "served-declared", W, ()),
    "null-cursor": (OLD, "null-member", E, ()),
    "null-instructions": (OLD, "null-member", E, ()),
    "null-capability": (OLD, "null-member", E, ()),
    "null-meta": (OLD, "null-member", E, ()),
    "null-description": (OLD, "null-member", E, ()),
    "null-title": (OLD, "null-member", E, ()),
    "null-output-schema": (OLD, "null-member", E, ()),
    "cursor-loop": (OLD, "cursor-loop", E, ()),
    "page-repeats": (OLD, "page-repeats", W, ("tool-duplicate",)),
    "bad-cursor-crash": (OLD, "bad-cursor", N, ()),
    # tools
    "tools-not-array": (OLD, "tools-list", E, ()),
    "tool-without-name": (OLD, "tools-list", E, ()),
    "annotations-list": (OLD, "tools-list", E, ()),
    "odd-name": (OLD, "tool-name", W, ()),
    "long-name": (OLD, "tool-name", W, ()),
    "dup-name": (OLD, "tool-duplicate", W, ()),
    "no-description": (OLD, "tool-description", W, ()),
    "no-inputSchema": (OLD, "input-schema", E, ()),
    "empty-inputSchema": (OLD, "input-schema", E, ()),
    "true-inputSchema": (OLD, "input-schema", E, ()),
    "null-inputSchema": (OLD, "input-schema", E, ()),
    "schema-no-type": (OLD, "input-schema", E, ()),
    "schema-no-properties": (OLD, "input-properties", W, ()),
    "schema-bad-type": (OLD, "schema", E, ()),
    "schema-null-property": (OLD, "schema", E, ()),
    "schema-bad-required": (OLD, "schema", E, ()),
    "schema-dialect": (OLD, "schema-dialect", N, ()),
    "schema-dangling-ref": (OLD, "schema-reference", E, ()),
    "schema-network-ref": (NEW, "schema-reference", E, ()),
    "schema-bad-pattern": (OLD, "schema-pattern", N, ()),
    "schema-js-pattern": (OLD, "schema-pattern", N, ()),
    "schema-top-anyof": (OLD, "model-schema", N, ()),
    "output-array": (OLD, "output-schema-root", E, ("structured-content",)),
    "output-bad-ref": (OLD, "schema-reference", E, ()),
    "output-unknown-dialect": (OLD, "schema-dialect", W, ()),
    "unknown-tool-success": (OLD, "unknown-tool", W, ()),
    "unknown-tool-error": (OLD, "unknown-tool", N, ()),
    "unknown-tool-code": (BOTH, "unknown-tool", N, ("call-params",)),
    "unknown-resource-code": (OLD, "unknown-resource", N, ()),
    "unknown-resource-modern": (NEW, "unknown-resource", W, ()),
    "stale-cursor": (BOTH, "bad-cursor", N, ()),
    "cursor-ignored": (BOTH, "bad-cursor", N, ()),
    "unknown-method-code": (OLD, "unknown-method", N, ("served-declared",)),
    "long-description": (OLD, "tool-description", N, ()),
    "ping-says-more": (OLD, "ping", W, ()),
    "call-without-name": (OLD, "call-params", N, ()),
    "no-content": (OLD, "call-result", E, ()),
    "unknown-content": (OLD, "call-result", E, ()),
    "bad-base64": (OLD, "call-result", E, ()),
    "isError-string": (OLD, "call-result", E, ()),
    "isError-null": (OLD, "null-member", E, ()),
    "out-mismatch": (BOTH, "structured-content", E, ()),
    "out-missing": (OLD, "structured-content", E, ()),
    "out-list": (OLD, "structured-content", E, ()),
    "out-without-text": (OLD, "structured-text", W, ()),
    "runs-bad-arguments": (OLD, "bad-arguments", W, ()),
    "cancel-kills": (OLD, "cancel-unknown", E, ()),
    "cancel-answered": (OLD, "cancel-unknown", E, ()),
    "cancel-error": (OLD, "cancel-running", W, ()),
    "any-log-level": (OLD, "log-level", N, ()),
    # resources, prompts, completion
    "resource-without-name": (OLD, "resources-list", E, ()),
    "uri-relative": (OLD, "resource-uri", E, ("read-result",)),
    "null-mimeType": (OLD, "null-member", E, ()),
    "contents-empty-item": (OLD, "read-result", E, ()),
    "contents-not-array": (OLD, "read-result", E, ()),
    "unknown-resource-empty": (OLD, "unknown-resource", W, ()),
    "subscribe-refused": (OLD, "subscribe", E, ()),
    "prompt-required-null": (OLD, "null-member", E, ()),
    "prompt-arguments-object": (OLD, "prompts-list", E, ()),
    "prompt-list-content": (OLD, "prompt-result", E, ()),
    "prompt-role-system": (OLD, "prompt-result", E, ()),
    "unknown-prompt-success": (OLD, "unknown-prompt", W, ()),
    "completion-numbers": (OLD, "complete-result", E, ()),
    "completion-too-many": (OLD, "complete-result", E, ()),
    "completions-not-served": (OLD, "declared-served", E, ()),
    # 2026-07-28
    "discover-no-versions": (NEW, "discover-result", E, ()),
    "discover-other-versions": (NEW, "discover-result", E, ()),
    "discover-no-capabilities": (NEW, "discover-result", E, ()),
    "needs-discover": (NEW, "first-request", E, ()),
    "meta-not-required": (NEW, "meta-required", W, ("unsupported-version",)),
    "any-version": (NEW, "unsupported-version", E, ()),
    "unsupported-without-data": (NEW, "unsupported-version", E, ()),
    "no-resultType": (NEW, "result-type", E, ()),
    "odd-resultType": (NEW, "result-type", E, ()),
    "no-ttl": (NEW, "cache-hints", E, ()),
    "ttl-negative": (NEW, "cache-hints", E, ()),
    "ttl-float": (NEW, "cache-hints", E, ()),
    "cache-scope": (NEW, "cache-hints", E, ()),
    "modern-ping": (NEW, "removed-methods", N, ()),
    "old-error-code": (NEW, "error-codes", E, ("unknown-resource",)),
    "modern-request": (NEW, "unasked-request", E, ()),
    "log-unasked": (NEW, "log-unasked", W, ()),
    "listen-silent": (NEW, "listen", E, ()),
    "listen-other-id": (NEW, "listen", E, ()),
    "listen-more": (NEW, "listen", W, ()),
    "listen-early": (NEW, "listen", E, ()),
    "listen-after-cancel": (NEW, "listen", E, ()),
    "no-server-info-meta": (NEW, "server-info", N, ()),
}
WAITING = ("ignores-sigterm", "ignores-end", "slow-start", "initialize-silent", "no-newline", "orphan", "no-ping")  # first


WHOLE = ("none", "bom", "slow-start", "ignores-sigterm", "crash-without-reader", "version-future", "version-echo", "version-refused",
         "version-stubborn", "newer-members", "no-batch", "drops-last", "initialize-error")  # for the others, the long lanes do


def first_faults():
    """The first fault of each check; the slow tests take all."""
    taken = {}
    for fault, (_, name, _, _) in EXPECTED.items():
        taken.setdefault(name, []).append(fault)
    return [fault for faults in taken.values() for fault in faults[:1] if fault != "ignores-end"]


FAST = first_faults()
ORDER = sorted(FAST, key=lambda fault: (fault not in WAITING, list(EXPECTED).index(fault)))


def run_one(fault, whole=False, patience=1):
    settings = CheckSettings([sys.executable, "-I", "-S", BAD_SERVER, fault], timeout=1.5 * patience,
                             start_timeout=4 if fault == "slow-start" else 3 * patience)
    settings.grace_seconds, settings.exit_seconds = 0.015 * patience, 0.7 * patience
    findings, facts = Findings(), ServerFacts([], True)
    try_server(settings, findings, facts, list(EXPECTED[fault][0]), quick=not whole and fault not in WHOLE)
    return findings, facts


class Runs(dict):
    """What a fault's run comes to, as a future; begun with the eleven after it, so that a worker runs little that others have."""

    def __init__(self, executor):
        super().__init__()
        self.executor = executor

    def __missing__(self, fault):
        for other in ORDER[ORDER.index(fault):][:12]:
            if other not in self:
                self[other] = self.executor.submit(run_one, other)
        return self[fault]


@pytest.fixture(scope="module")
def runs():
    executor = ThreadPoolExecutor(12)
    yield Runs(executor)
    executor.shutdown()


def judge(fault, findings):
    _, check, severity, follow = EXPECTED[fault]
    found = [(one.check.name, one.severity, one.what, one.evidence) for one in findings.sorted()]
    assert {name for name, _, _, _ in found} - set(follow) == ({check} if check else set()), found
    if check:
        worst = min((level for name, level, _, _ in found if name == check), key=(E, W, N).index)
        assert worst == severity, found


@pytest.mark.parametrize("fault", ORDER)
def test_the_fault_is_found_and_nothing_else(runs, fault):
    """Twelve at once and with little patience, so that the suite is quick; what a busy machine spoils is tried again by itself."""
    try:
        judge(fault, runs[fault].result()[0])
    except AssertionError:
        judge(fault, run_one(fault, patience=8)[0])


@pytest.mark.slow
@pytest.mark.parametrize("fault", EXPECTED)
def test_the_fault_is_found_by_a_whole_check(fault):
    judge(fault, run_one(fault, whole=True)[0])


def test_every_fault_is_expected_to_be_found():
    assert set(EXPECTED) == set(FAULTS)
    assert len(EXPECTED) > 100


def test_no_fault_runs_a_tool_that_does_not_say_it_is_read_only(runs):
    for fault in ("none", "stderr-flood"):
        findings, _ = runs[fault].result()
        assert not [one for one in findings.found.values() if "ERASED" in one.evidence]


def test_every_check_has_a_fault_or_a_reason():
    without = set(CHECKS) - {check for _, check, _, _ in EXPECTED.values()}
    assert without == set()


def test_every_check_is_made_with_a_server_that_has_everything(runs):
    findings, _ = runs["none"].result()
    assert set(CHECKS) - set(findings.tried) == set()


def test_a_right_server_is_known_afterwards(runs):
    _, facts = runs["none"].result()
    assert facts.revisions and sorted(facts.revisions) == sorted(ALL)
    assert (facts.name, facts.version) == ("bad", "1")
    assert facts.counts == {"tools": 3, "resources": 1, "resourceTemplates": 1, "prompts": 1}
    assert 0 < facts.seconds < 5


@pytest.mark.parametrize("fault, check, why", [
    ("unknown-tool-error", "unknown-tool", "The model sees an error either way; the page has a protocol error for it."),
    ("unknown-tool-code", "unknown-tool", "Clients see an error either way; only the code is not the one that the page has."),
    ("unknown-tool-success", "unknown-tool", "Taken for a success, the model builds on an answer that is none."),
    ("unknown-resource-code", "unknown-resource", "Clients see an error either way; only the code is not the one that the page has."),
    ("unknown-resource-empty", "unknown-resource", "Clients cannot tell a missing resource from an empty one."),
    ("stale-cursor", "bad-cursor",
     "A client with a stale cursor gets entries all the same, and cannot tell that they are others."),
    ("cursor-ignored", "bad-cursor", "The server gives no cursors, so no client has one."),
    ("unknown-method-code", "unknown-method", "Clients see an error either way; only the code is not the one that the page has."),
    ("call-without-name", "call-params", "Clients see an error either way; only the code is not the one that the page has."),
    ("any-log-level", "log-level", "Hosts send the eight levels only."),
    ("long-description", "tool-description", "The model reads it in every turn, whether it needs the tool or not."),
    ("ping-says-more", "ping", "TypeScript clients take an empty result only, and count the ping as failed."),
    ("cancel-answered", "cancel-unknown",
     "Strict hosts drop the connection at a reply to a notification, lenient ones go one reply out of step."),
    ("progress-falls", "progress", "No client fails on it; a host's progress bar stands still or runs backwards."),
    ("runs-bad-arguments", "bad-arguments", "The tool runs with values it did not expect."),
    ("schema-js-pattern", "schema-pattern",
     "A host that checks arguments before a call cannot compile it, or leaves them unchecked: Python does not know all that "
     "JavaScript knows, nor the other way round."),
    ("output-bad-ref", "schema-reference",
     "Nothing is fetched: TypeScript 1.x clients lose the whole list, the others the call."),
    ("version-echo", "version-unknown",
     "A host that is newer than the server goes on in a revision that the server does not have."),
    ("modern-ping", "removed-methods",
     "No client of this revision sends them; one that relies on them fails with every other server."),
])
def test_the_reason_is_about_what_was_found(fault, check, why):
    findings, _ = run_one(fault, patience=4)
    assert {one.why for one in findings.found.values() if one.check.name == check} == {why}
