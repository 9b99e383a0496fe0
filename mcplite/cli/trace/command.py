"""`mcplite trace`: its arguments, and which of recording, text view and page they ask for."""
from __future__ import annotations

import os

from ..terminal import CliError, terminal_width, wants_colour

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

TRACE_LINE_LIMIT = 1024 * 1024  # bytes


def add_trace_arguments(parser: Any) -> None:
    import argparse

    recording = parser.add_argument_group("recording: mcplite trace -o FILE -- CMD ...")
    recording.add_argument("-o", "--output", metavar="FILE",
                           help="record into FILE (JSON Lines); added to when it exists")
    recording.add_argument("--mask", metavar="NAME", action="append", default=[],
                           help="also mask the values of keys called NAME (* stands for anything); may be repeated")
    recording.add_argument("--no-mask", action="store_true",
                           help="do not mask what looks like a secret (passwords, API keys, authorization, ...)")
    recording.add_argument("--max-line", metavar="BYTES", type=int, default=TRACE_LINE_LIMIT,
                           help="keep at most this much of a line (default 1048576); all of it is passed on anyway")
    recording.add_argument("--threads", action="store_true", help=argparse.SUPPRESS)  # as on Windows, for tests elsewhere
    viewing = parser.add_argument_group("viewing: mcplite trace --view FILE")
    viewing.add_argument("--view", metavar="FILE", help="show the recording FILE as text, one line for each message")
    viewing.add_argument("--html", metavar="OUT", help="write it as one self-contained page instead")
    viewing.add_argument("--session", metavar="N", type=int, default=None,
                         help="which session of a file that holds several (default: the last; 0: all, as text)")
    viewing.add_argument("--full", action="store_true", help="show the whole message below each line")
    viewing.add_argument("--follow", action="store_true", help="go on showing what is recorded, until interrupted")
    parser.epilog = ("In a host's configuration, put \"mcplite trace -o /tmp/session.jsonl --\" in front of the server's\n"
                     "command. Every byte passes unchanged, and so do signals and the exit status.")


def run_trace(arguments: Any) -> int:
    if arguments.view is not None:
        return view_recording(arguments)
    if arguments.html is not None or arguments.follow or arguments.full or arguments.session is not None:
        raise CliError("trace: --html, --session, --full and --follow show a recording: add --view FILE", status=2)
    if arguments.output is None:
        raise CliError("trace: say where to record, as in: mcplite trace -o session.jsonl -- python server.py",
                       status=2)
    if not arguments.server_command:
        raise CliError('trace: no server: put its command line after "--", as in: '
                       "mcplite trace -o session.jsonl -- python server.py", status=2)
    if arguments.max_line < 1:
        raise CliError("trace: --max-line must be at least 1", status=2)
    from .mask import Masker
    from .relay import record_session
    masker = Masker(arguments.mask, defaults=not arguments.no_mask)
    return record_session(arguments.server_command, arguments.output, masker, arguments.max_line,
                          can_poll=os.name != "nt" and not arguments.threads)


def view_recording(arguments: Any) -> int:
    """Show a recording: as text, as text that goes on, or as a page."""
    if arguments.server_command or arguments.output is not None:
        raise CliError("trace: --view shows a recording and runs no server: leave out -o and what follows \"--\"",
                       status=2)
    from .reading import parse_trace
    from .text import follow_recording, session_text
    try:
        with open(arguments.view, "rb") as stream:
            if arguments.follow:
                follow_recording(stream, arguments.full)
            sessions = parse_trace(stream.read())
    except OSError as error:
        raise CliError("trace: cannot read %s: %s" % (arguments.view, error.strerror)) from None
    if not sessions:
        raise CliError("trace: %s is not a recording; make one with: mcplite trace -o session.jsonl -- CMD" % arguments.view)
    total, wanted = len(sessions), arguments.session
    number = total if wanted is None else wanted
    if not 0 <= number <= total or (number == 0 and arguments.html is not None):
        raise CliError("trace: no session %d in %s: it holds 1 to %d" % (number, arguments.view, total), status=2)
    if arguments.html is not None:
        from .page import session_page
        return write_page(arguments.html, session_page(sessions[number - 1], number, total))
    width, colour = terminal_width(), wants_colour()
    shown = range(1, total + 1) if number == 0 else [number]
    print("\n".join(session_text(sessions[at - 1], at, total, width, colour, arguments.full) for at in shown), end="")
    if wanted is None and total > 1:
        print("\nThe last of %d sessions; --session 0 shows all, --session N one." % total)
    return 0


def write_page(path: str, page: str) -> int:
    try:
        with open(path, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(page)
    except OSError as error:
        raise CliError("trace: cannot write %s: %s" % (path, error.strerror)) from None
    print("wrote %s; open it in a browser" % path)
    return 0
