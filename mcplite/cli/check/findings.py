"""What was found wrong, and what was tried: all findings of one run.

Here: a finding, their collection, the evidence as a line. Not here: the checks and their reasons (`table`), how findings are
shown (`report`).
"""
from __future__ import annotations

from .table import CASES, CHECK_PAGE_ADDRESS, CHECKS, SEVERITIES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .table import CheckRow


class Finding:
    """What was found wrong.

    `check` (a CheckRow), `severity`, `why`, `what`, `evidence` (a line, shortened), `revisions`, `count`.
    """

    def __init__(self, check: CheckRow, severity: str, why: str, what: str, evidence: str, revision: str) -> None:
        self.check, self.severity, self.why, self.what, self.evidence = check, severity, why, what, evidence
        self.revisions = [revision]
        self.count = 1

    def address(self) -> str:
        """The address of the page of the specification."""
        return CHECK_PAGE_ADDRESS % self.check.cite(self.revisions[0])


class Findings:
    """All findings of one run, merged: the same thing in another message or revision counts up. Also what was tried."""

    def __init__(self) -> None:
        self.found: dict[tuple[str, str], Finding] = {}
        self.tried: dict[str, None] = {}  # names of checks, in the order in which they were made

    def tries(self, *names: str) -> None:
        """Note that these checks were made."""
        for name in names:
            self.tried.setdefault(CHECKS[name].name)

    def add(
        self, name: str, what: str, evidence: str, revision: str, severity: str | None = None, case: str = ""
    ) -> Finding:
        """Add a finding of the check `name`, or count it up when it was found before.

        `case`: a row of CASES that takes the place of the check's severity and reason; `severity`: takes the place of either's.
        """
        row = CHECKS[name]
        self.tries(name)
        usual, why = CASES[case] if case else (row.severity, row.why)
        severity = severity or usual
        known = self.found.get((name, what))
        if known is None:
            known = self.found[(name, what)] = Finding(row, severity, why, what, evidence, revision)
        else:
            known.count += 1
            if SEVERITIES.index(severity) < SEVERITIES.index(known.severity):  # it weighs more in another revision
                known.severity, known.why = severity, why
            if name == "newer-members" and evidence not in known.evidence.split(", "):
                known.evidence += ", " + evidence
            if revision not in known.revisions:
                known.revisions.append(revision)
        return known

    def sorted(self) -> list[Finding]:
        """The findings: errors first, then in the order of the table."""
        order = list(CHECKS)
        return sorted(
            self.found.values(), key=lambda one: (SEVERITIES.index(one.severity), order.index(one.check.name))
        )

    def count(self, severity: str) -> int:
        return sum(1 for one in self.found.values() if one.severity == severity)


def shorten_evidence(value: Any, limit: int = 200) -> str:
    """`value` (bytes of a line, a text, or a JSON value) as one printable line of at most `limit` characters."""
    from ...codec import encode

    if isinstance(value, (bytes, bytearray)):
        head = bytes(value[: limit * 4])
        try:
            text = head.decode("utf-8")
        except UnicodeDecodeError:
            text = repr(head)[2:-1]
    elif isinstance(value, str):
        text = value
    else:
        try:
            text = encode(value)
        except (TypeError, ValueError):  # NaN, which only a lenient reader let in
            text = repr(value)
    text = "".join(character if character.isprintable() else repr(character)[1:-1] for character in text[: limit * 4])
    return text if len(text) <= limit else text[: limit - 4] + " ..."
