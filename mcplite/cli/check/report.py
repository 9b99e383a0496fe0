"""What `mcplite check` prints: a list for people, JSON for programs, JUnit XML for continuous integration.

Here: the three forms of one report. Not here: what is found. The JSON is stable: members are added, never renamed.
"""
from __future__ import annotations

from ...errors import VERSION
from ..terminal import styled
from .findings import shorten_evidence
from .table import CHECK_PAGE_ADDRESS, CHECKS, ERROR, NOTE, SEVERITIES, WARNING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .facts import ServerFacts
    from .findings import Finding, Findings
    from .table import CheckRow

SEVERITY_STYLES = {ERROR: "31", WARNING: "33", NOTE: "36"}
FAINT, BOLD = "2", "1"
SAID_IN_VERDICT = 3  # warnings that the sentence on top names
SHOWN_PER_CHECK = 5  # findings of one check that are shown to people
COUNTED_THINGS = (("tools", "tool"), ("resources", "resource"), ("resourceTemplates", "resource template"), ("prompts", "prompt"))
LINE_CHECKS = frozenset((  # where it matters how often
    "stdout-noise", "utf8", "bom", "one-line", "blank-lines", "nan", "stray-response", "answer-once", "server-notification",
    "log-declared", "log-unasked", "late-output"))
SEEN_IN_NOTES = frozenset(("newer-members", "start-time", "traceback", "last-answers"))  # what was seen says which
CALL_CHECKS = frozenset(("call-result", "structured-content", "structured-text", "bad-arguments", "progress"))


def plural(count: int, word: str) -> str:
    return "%d %s%s" % (count, word, "" if count == 1 else "s")


def outcome_of(findings: Findings, name: str) -> str:
    """ "passed", "not tried", or the worst severity that was found."""
    worst = [one.severity for one in findings.found.values() if one.check.name == name]
    if worst:
        return min(worst, key=SEVERITIES.index)
    return "passed" if name in findings.tried else "not tried"


def check_report_text(findings: Findings, facts: ServerFacts, width: int, colour: bool, quiet: bool) -> str:
    """The report for people; `width` in columns. A note is one line, however long (--json has all of it)."""
    from textwrap import wrap

    lines = [server_line(facts)] if facts.name or facts.revisions else []
    lines += wrap(verdict_of(findings, facts)[1], width)
    groups: dict[tuple[str, str, str], list[Finding]] = {}
    for finding in findings.sorted():
        if not (quiet and finding.severity == NOTE):
            groups.setdefault((finding.severity, finding.check.name, finding.why), []).append(finding)
    notes: list[str] = []
    for group in groups.values():
        if group[0].severity == NOTE:
            notes.append(note_line(group, colour))
        else:
            lines += group_lines(group, width, colour)
    lines += ["", *notes] if notes else []
    outcomes = [outcome_of(findings, name) for name in CHECKS]
    found = ", ".join(plural(findings.count(severity), severity) for severity in SEVERITIES)
    passed = plural(outcomes.count("passed"), "check")
    lines += ["", "%s; %s passed, %d not tried" % (found, passed, outcomes.count("not tried"))]
    if facts.listed("tools") and "call-result" not in findings.tried:
        lines.append("No tool was called. --call NAME=JSON calls one; --call-all calls those that say they are read-only.")
    return "\n".join(lines)


def verdict_of(findings: Findings, facts: ServerFacts) -> tuple[str, str]:
    """("yes", "with cautions" or "no", one sentence): will the server work in hosts?"""
    errors = [one.what for one in findings.sorted() if one.severity == ERROR]
    warnings = [one.what for one in findings.sorted() if one.severity == WARNING]
    if errors:
        where = "not work in every host" if facts.revisions else "work in no host"
        return "no", "It will %s: %s." % (where, first_of(errors, 1, "more error"))
    if warnings:
        return "with cautions", "It works in hosts, with these cautions: %s." % first_of(warnings, SAID_IN_VERDICT, "more warning")
    return "yes", "It works in hosts."


def first_of(sentences: list[str], count: int, others: str) -> str:
    """The first `count` sentences, and how many `others` there are."""
    said = "; ".join(sentence.rstrip(".") for sentence in sentences[:count])
    return said + " (and %s)" % plural(len(sentences) - count, others) if len(sentences) > count else said


def note_line(group: list[Finding], colour: bool) -> str:
    """A note in one line: what was found, and why it matters little."""
    first = group[0]
    more = " (and %d more)" % (len(group) - 1) if len(group) > 1 else ""
    label = styled(NOTE.ljust(8), SEVERITY_STYLES[NOTE], colour)
    seen = " (%s)" % shorten_evidence(first.evidence, 120) if first.check.name in SEEN_IN_NOTES else ""
    return "%s%s: %s%s%s. %s" % (label, first.check.name, first.what, seen, more, first.why)


def server_line(facts: ServerFacts) -> str:
    """One line about the server: name, revisions, what it has, how fast it starts."""
    parts = ["%s %s" % (facts.name or "(no name)", facts.version)]
    parts.append("speaks " + (", ".join(sorted(facts.revisions)) or "no revision"))
    things = [plural(facts.counts[member], word) for member, word in COUNTED_THINGS if facts.counts.get(member)]
    parts += [", ".join(things)] if things else []
    if facts.seconds is not None:
        parts.append("first answer after %.2f s" % facts.seconds)
    return "; ".join(part.strip() for part in parts)


def group_lines(group: list[Finding], width: int, colour: bool) -> list[str]:
    """The findings of one check: what each is and what was seen, then who suffers, and where it is written."""
    from textwrap import wrap

    def labelled(label: str, texts: list[str]) -> list[str]:
        heads = [label] + [""] * len(texts)
        return [" " * 8 + styled(head.ljust(6), FAINT, colour) + text for head, text in zip(heads, texts)]

    check, severity = group[0].check, group[0].severity
    room = max(30, width - 14)
    title = styled("%s: %s" % (check.name, check.title), BOLD, colour)
    lines = ["", styled(severity.ljust(8), SEVERITY_STYLES[severity], colour) + title]
    for finding in group[:SHOWN_PER_CHECK]:
        times = " (%d times)" % finding.count if finding.count > 1 and check.name in LINE_CHECKS else ""
        lines += labelled("found", wrap(finding.what + times, room))
        seen = finding.evidence if len(finding.evidence) <= 2 * room else finding.evidence[: 2 * room - 4] + " ..."
        lines += labelled("seen", [seen[at : at + room] for at in range(0, len(seen), room)])
    if len(group) > SHOWN_PER_CHECK:
        lines += labelled("", ["and %d more; --json lists them all" % (len(group) - SHOWN_PER_CHECK)])
    revisions = sorted({revision for finding in group for revision in finding.revisions})
    lines += labelled("why", wrap(group[0].why, room)) + labelled("in", [", ".join(revisions)])
    return lines + labelled("rule", [group[0].address()])


def check_report_value(findings: Findings, facts: ServerFacts, command: list[str]) -> dict[str, Any]:
    """The report as a JSON value."""
    return {
        "mcplite": VERSION,
        "command": command,
        "server": {"name": facts.name, "version": facts.version},
        "revisions": sorted(facts.revisions),
        "firstAnswerSeconds": None if facts.seconds is None else round(facts.seconds, 3),
        "lists": {member: facts.counts[member] for member, _ in COUNTED_THINGS if member in facts.counts},
        "works": verdict_of(findings, facts)[0],
        "summary": verdict_of(findings, facts)[1],
        "counts": {severity: findings.count(severity) for severity in SEVERITIES},
        "findings": [finding_value(finding) for finding in findings.sorted()],
        "checks": [{"name": name, "title": row.title, "outcome": outcome_of(findings, name)} for name, row in CHECKS.items()],
    }


def finding_value(finding: Finding) -> dict[str, Any]:
    revision, page = finding.check.cite(finding.revisions[0])
    rule = {"revision": revision, "page": page, "address": finding.address()}
    value = {member: getattr(finding, member) for member in ("severity", "what", "evidence", "why", "revisions", "count")}
    return {"check": finding.check.name, **value, "rule": rule}


def check_report_junit(findings: Findings, facts: ServerFacts, seconds: float) -> str:
    """The report as JUnit XML: one test case for each check; an error is a failure, the rest stands in system-out."""
    from xml.etree import ElementTree

    outcomes = {name: outcome_of(findings, name) for name in CHECKS}
    failures, skipped = (list(outcomes.values()).count(outcome) for outcome in (ERROR, "not tried"))
    numbers = {"tests": str(len(CHECKS)), "failures": str(failures), "errors": "0", "skipped": str(skipped),
               "time": "%.3f" % seconds}
    suites = ElementTree.Element("testsuites", numbers)
    suite = ElementTree.SubElement(suites, "testsuite", dict(numbers, name="mcplite check " + without_controls(facts.name)))
    for name, row in CHECKS.items():
        case = ElementTree.SubElement(suite, "testcase", {"classname": "mcplite.check", "name": name, "time": "0"})
        found = [one for one in findings.sorted() if one.check is row]
        errors = [one for one in found if one.severity == ERROR]
        if outcomes[name] == "not tried":
            ElementTree.SubElement(case, "skipped", {"message": reason_not_tried(row)})
        elif errors:
            failure = ElementTree.SubElement(case, "failure", {"message": without_controls(errors[0].what), "type": ERROR})
            failure.text = "\n\n".join(map(finding_text, errors))
        milder = [one for one in found if one.severity != ERROR]
        if milder:
            ElementTree.SubElement(case, "system-out").text = "\n\n".join(map(finding_text, milder))
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(suites, encoding="unicode") + "\n"


def reason_not_tried(row: CheckRow) -> str:
    if row.name in CALL_CHECKS:
        return "no tool was called: --call NAME=JSON, --call-all"
    return "the server has nothing that this is about, or speaks no revision that has it"


def finding_text(finding: Finding) -> str:
    return without_controls(
        "%s: %s\nseen: %s\nwhy: %s\nrule: %s" % (finding.severity, finding.what, finding.evidence, finding.why, finding.address())
    )


def without_controls(text: str) -> str:
    """XML 1.0 has no control characters but line ends and tabs, and no surrogates."""
    import re

    return re.sub("[^\t\n -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "?", text)


def list_checks_text(width: int) -> str:
    """The table of checks, for `mcplite check --list`."""
    from textwrap import wrap

    lines = []
    room = max(map(len, CHECKS)) + 11
    for row in CHECKS.values():
        titles = wrap(row.title, max(30, width - room))
        lines.append("%s  %s  %s" % (row.name.ljust(room - 11), row.severity.ljust(7), titles[0]))
        lines += [" " * room + line for line in titles[1:]]
        lines.append(" " * room + CHECK_PAGE_ADDRESS % row.cite("2025-11-25"))
    return "\n".join(lines)
