"""`mcplite trace`: its arguments, and which of recording, text view and page they ask for."""
from __future__ import annotations

import os

from .terminal import CliError, terminal_width, wants_colour

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def add_trace_arguments(parser: Any) -> None:
    recording = parser.add_argument_group("recording: mcplite trace -o FILE -- CMD ...")
    recording.add_argument("-o", "--output", metavar="FILE",
                           help="record into FILE (JSON Lines); added to when it exists")
    recording.add_argument("--mask", metavar="NAME", action="append", default=[],
                           help="also mask the values of keys called NAME (* stands for anything); may be repeated")
    recording.add_argument("--no-mask", action="store_true",
                           help="do not mask what looks like a secret (passwords, API keys, authorization, ...)")
    recording.add_argument("--max-line", metavar="BYTES", type=int, default=None,
                           help="keep at most this much of a line (default 1048576); all of it is passed on anyway")
    recording.add_argument("--threads", action="store_true", help=suppressed_help())
    viewing = parser.add_argument_group("viewing: mcplite trace --view FILE")
    viewing.add_argument("--view", metavar="FILE", help="show the recording FILE as text, one line for each message")
    viewing.add_argument("--html", metavar="OUT", help="write it as one self-contained page instead")
    viewing.add_argument("--session", metavar="N", type=int, default=None,
                         help="which session of a file that holds several (default: the last; 0: all, as text)")
    viewing.add_argument("--full", action="store_true", help="show the whole message below each line")
    viewing.add_argument("--follow", action="store_true", help="go on showing what is recorded, until interrupted")
    parser.epilog = ("In a host's configuration, put \"mcplite trace -o /tmp/session.jsonl --\" in front of the server's\n"
                     "command. Every byte passes unchanged, and so do signals and the exit status.")


def suppressed_help() -> str:
    import argparse
    return argparse.SUPPRESS  # the way it works on Windows, for tests on other systems


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
    from .trace_mask import Masker
    from .trace_recording import TRACE_LINE_LIMIT
    from .trace_relay import record_session
    limit = TRACE_LINE_LIMIT if arguments.max_line is None else arguments.max_line
    if limit < 1:
        raise CliError("trace: --max-line must be at least 1", status=2)
    masker = Masker(arguments.mask, defaults=not arguments.no_mask)
    return record_session(arguments.server_command, arguments.output, masker, limit,
                          can_poll=os.name != "nt" and not arguments.threads)


def view_recording(arguments: Any) -> int:
    """Show a recording: as text, as text that goes on, or as a page."""
    if arguments.server_command or arguments.output is not None:
        raise CliError("trace: --view shows a recording and runs no server: leave out -o and what follows \"--\"",
                       status=2)
    from .trace_view import parse_trace, session_text
    data = read_recording(arguments.view)
    if arguments.follow:
        return follow_recording(arguments.view, arguments.full)
    sessions = parse_trace(data)
    if not sessions:
        raise CliError("trace: %s is not a recording; make one with: mcplite trace -o session.jsonl -- CMD" % arguments.view)
    total, wanted = len(sessions), arguments.session
    number = total if wanted is None else wanted
    if not 0 <= number <= total or (number == 0 and arguments.html is not None):
        raise CliError("trace: no session %d in %s: it holds 1 to %d" % (number, arguments.view, total), status=2)
    if arguments.html is not None:
        from .trace_html import session_page
        return write_page(arguments.html, session_page(sessions[number - 1], number, total))
    width, colour = terminal_width(), wants_colour()
    shown = range(1, total + 1) if number == 0 else [number]
    for at in shown:
        print(session_text(sessions[at - 1], at, total, width, colour, arguments.full),
              end="\n" if at != shown[-1] else "")
    if wanted is None and total > 1:
        print("\nThe last of %d sessions; --session 0 shows all, --session N one." % total)
    return 0


def read_recording(path: str) -> bytes:
    try:
        with open(path, "rb") as stream:
            return stream.read()
    except OSError as error:
        raise CliError("trace: cannot read %s: %s" % (path, error.strerror)) from None


def write_page(path: str, page: str) -> int:
    try:
        with open(path, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(page)
    except OSError as error:
        raise CliError("trace: cannot write %s: %s" % (path, error.strerror)) from None
    print("wrote %s; open it in a browser" % path)
    return 0


def follow_recording(path: str, full: bool, pause: float = 0.1) -> int:
    """Show what is in the recording and what is added to it, until interrupted."""
    import time

    from .trace_view import Conversation, TraceReader, entry_line, header_lines, pretty_lines
    reader = TraceReader()
    conversations: dict[int, Any] = {}
    begun = 0
    rest = b""
    with open(path, "rb") as stream:
        while True:
            rest += stream.read(1 << 20)
            lines = rest.split(b"\n")
            rest = lines.pop()
            for line in lines:
                found = reader.feed_line(line)
                if len(reader.sessions) > begun:
                    print(("\n" if begun else "") + "\n".join(header_lines(reader.sessions[-1], 1, 1)), flush=True)
                    begun = len(reader.sessions)
                if found is None:
                    continue
                session, record = found
                conversation = conversations.setdefault(id(session), Conversation())
                for entry in conversation.add(record):
                    print(entry_line(entry, terminal_width(), wants_colour()), flush=True)
                    if full:
                        print("\n".join(pretty_lines(entry)), flush=True)
            if not lines:
                time.sleep(pause)
