"""The command `mcplite check`: its arguments, the order of the lanes, the exit status.

Here: from the command line to the lanes and the report. Not here: what a lane tries (`handshake`, `stateless`), what is printed
(`report`). Rules:

1. Exit status: 0 no errors (warnings and notes may be there; --strict counts warnings too), 1 errors, 2 called
   wrongly, 3 the server cannot be started.
2. One server process at a time, about ten in all; every one is ended with its whole process group.
3. Harmless: see `steps`, rule 2.
"""
from __future__ import annotations

import sys

from ...revisions import HANDSHAKE_DATES, REVISIONS, STATELESS_DATES
from ..terminal import CliError, is_terminal, parse_environment, terminal_width, wants_colour

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .facts import CheckSettings, ServerFacts
    from .findings import Findings

NOT_STARTED = 3


def add_check_arguments(parser: Any) -> None:
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.add_argument("--junit", metavar="FILE", help="also write it to FILE as JUnit XML")
    parser.add_argument("--call", metavar="NAME=JSON", action="append", default=[],
                        help="call the tool NAME with these arguments and check its result, as in add='{\"a\": 1}'; "
                             "may be repeated")
    parser.add_argument("--call-all", action="store_true",
                        help="call every tool that says it is read-only, where the smallest arguments are plain from its schema")
    parser.add_argument("--revision", metavar="DATE", action="append", default=[], choices=list(REVISIONS),
                        help="check this revision only (%s); may be repeated" % ", ".join(REVISIONS))
    parser.add_argument("--quick", action="store_true",
                        help="leave out the lanes that start the server for one question each (other revisions, end of input)")
    for option, seconds, what in (
        ("--timeout", 10.0, "an answer"), ("--start-timeout", 30.0, "the first answer of a process"),
        ("--call-timeout", 60.0, "the result of a tool"),
    ):
        parser.add_argument(option, metavar="SECONDS", type=float, default=seconds,
                            help="wait so long for %s (default %g)" % (what, seconds))
    parser.add_argument("--env", metavar="NAME=VALUE", action="append", default=[],
                        help="set a variable for the server; may be repeated")
    parser.add_argument("--host-env", action="store_true",
                        help="give the server only the variables that hosts hand down (PATH, HOME, ...)")
    parser.add_argument("--strict", action="store_true", help="exit with status 1 for warnings, too")
    parser.add_argument("--quiet", action="store_true", help="leave notes out of the list")
    parser.add_argument("--list", action="store_true", help="print every check with its page of the specification, and leave")
    parser.epilog = (
        "Lists, reads, prompts and names that do not exist are tried; a tool runs only when it is named. Severities: an\n"
        "error breaks a MUST and a client, a warning one of the two or costs something in some host, a note is a difference\n"
        "that no client minds. The first lines say whether the server will work in hosts. Exit status: 0 no errors,\n"
        "1 errors, 2 called wrongly, 3 the server cannot be started."
    )


def run_check(arguments: Any) -> int:
    from .report import check_report_junit, check_report_text, check_report_value, list_checks_text

    if arguments.list:
        print(list_checks_text(terminal_width()))
        return 0
    if not arguments.server_command:
        raise CliError('check: no server: put its command line after "--", as in: mcplite check -- python server.py', status=2)
    settings, facts, dates = read_check_arguments(arguments)
    from ...stdio import monotonic
    from .findings import Findings
    from .table import ERROR, WARNING

    findings, since = Findings(), monotonic()
    try_server(settings, findings, facts, dates, arguments.quick)
    if arguments.junit:
        write_junit(arguments.junit, check_report_junit(findings, facts, monotonic() - since))
    if arguments.json:
        from json import dumps

        print(dumps(check_report_value(findings, facts, settings.command), indent=2))
    else:
        print(check_report_text(findings, facts, min(terminal_width(), 120), wants_colour(), arguments.quiet))
    refuse_unknown_calls(facts)
    return 1 if findings.count(ERROR) or arguments.strict and findings.count(WARNING) else 0


def read_check_arguments(arguments: Any) -> tuple[CheckSettings, ServerFacts, list[str]]:
    """(how to start the server, what may be called, the revisions to check). Raises CliError (status 2)."""
    from .facts import CheckSettings, ServerFacts

    if not min(arguments.timeout, arguments.start_timeout, arguments.call_timeout) > 0:
        raise CliError("check: a time limit must be more than 0 seconds", status=2)
    settings = CheckSettings(
        arguments.server_command, {**parse_environment("check", arguments.env)}, not arguments.host_env, arguments.timeout,
        max(arguments.timeout, arguments.start_timeout), max(arguments.timeout, arguments.call_timeout))
    dates = [date for date in REVISIONS if date in arguments.revision or not arguments.revision]
    return settings, ServerFacts([parse_check_call(text) for text in arguments.call], arguments.call_all), dates


def parse_check_call(text: str) -> tuple[str, dict[str, Any]]:
    """`NAME={"a": 1}` -> (name, arguments); a name alone is called without arguments."""
    from ...codec import DecodeError, decode

    name, mark, value = text.partition("=")
    try:
        arguments = decode(value.encode("utf-8", "surrogateescape")) if mark else {}
    except DecodeError as error:
        raise CliError("check: --call %s: the arguments are not JSON: %s" % (name, error), status=2) from None
    if not name or not isinstance(arguments, dict):
        raise CliError('check: --call takes NAME=JSON with a JSON object, as in add={"a": 1}, not %r' % text, status=2)
    return name, arguments


def write_junit(path: str, text: str) -> None:
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise CliError("check: cannot write %s: %s" % (path, error.strerror), status=2) from None


def try_server(settings: CheckSettings, findings: Findings, facts: ServerFacts, dates: list[str], quick: bool = False) -> None:
    """Run the lanes: the newest handshake, 2026-07-28; unless `quick` the other dates, an unknown date, the ends."""
    from ...errors import McpError
    from .handshake import judge_agreed, try_early_end, try_handshake_lane, try_other_date, try_unknown_date
    from .stateless import try_stateless_lane

    handshakes = [date for date in dates if date in HANDSHAKE_DATES]
    stateless = [date for date in dates if date in STATELESS_DATES]
    try:
        newest = handshakes[-1] if handshakes else None
        say_progress("the handshake of %s" % newest if newest else "")
        shaken = newest is not None and try_handshake_lane(settings, findings, facts, newest)
        for date in stateless:
            say_progress(date)
            try_stateless_lane(settings, findings, facts, date, newest if shaken else None)
        check_it_speaks(settings, findings, facts, handshakes, shaken)
        if shaken and newest is not None and not quick:
            say_progress("the other revisions")
            for date in handshakes[:-1]:
                try_other_date(settings, findings, facts, date)
            try_unknown_date(settings, findings, facts, newest)
            judge_agreed(findings, facts)
            say_progress("the end")
            try_early_end(settings, findings, facts, newest)
    except McpError as error:
        raise CliError("check: " + error.message, status=NOT_STARTED) from None
    finally:
        say_progress("")


def check_it_speaks(settings: CheckSettings, findings: Findings, facts: ServerFacts, handshakes: list[str], shaken: bool) -> None:
    """Where nothing was understood: is it the server's fault, or could it not be started?"""
    name, date = ("initialize", handshakes[-1]) if handshakes else ("discover-result", STATELESS_DATES[-1])
    asked = "initialize" if handshakes else "server/discover"
    if facts.revisions:
        if handshakes and not shaken:
            what = "there is no handshake: clients of 2025-11-25 and before cannot connect"
            findings.add(name, what, "", date, None, "no-handshake")
    elif facts.spoke:
        if not shaken:
            findings.add(name, "%s gets an error" % asked, "", date)
        elif not findings.found:
            findings.add(name, "initialize agrees on no version that exists", "", date)
    else:
        check_it_starts(settings, findings, date)
        findings.add(name, "%s is not answered: %s" % (asked, facts.ending or "nothing comes"), facts.last_words, date)


def check_it_starts(settings: CheckSettings, findings: Findings, date: str) -> None:
    """Raise CliError (status 3) when the process ends before anything has been asked."""
    from .lane import CheckLane

    with CheckLane(settings, findings, date) as lane:
        if lane.child.has_exited(1.0):
            text = "check: the server cannot be started: %s%s" % (lane.child.describe(), lane.child.details())
            raise CliError(text, status=NOT_STARTED)


def refuse_unknown_calls(facts: ServerFacts) -> None:
    names = {tool.get("name") for tool in facts.listed("tools")}
    missing = [name for name, _ in facts.calls if name not in names]
    if missing and facts.revisions:
        known = ", ".join(sorted(map(str, names))) or "none"
        raise CliError("check: the server has no tool %s; it has %s" % (", ".join(missing), known), status=2)


def say_progress(what: str) -> None:
    """On a terminal, say what is being tried; the line is overwritten."""
    if is_terminal(sys.stderr) and is_terminal(sys.stdout):
        text = "checking %s ..." % what if what else ""
        sys.stderr.write("\r" + text.ljust(60) + ("" if what else "\r"))
        sys.stderr.flush()
