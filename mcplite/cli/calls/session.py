"""One command at work on one server: the options that all such commands share, the connection, what goes wrong with it.

Here: from the command line's options to a connected client, and from any failure to one line and an exit status. Not
here: what the commands do (`command`). Rules:

1. Exit status: 0 done; 1 the tool says that it failed; 2 called wrongly, or the server answered with an error; 3 the
   server could not be started, or ended too early; 4 no answer in time.
2. However it ends: the bar is taken away, the server is ended, and what it wrote on standard error is shown.
"""
from __future__ import annotations

import os
import sys

from ...client import HANDSHAKE_MODE, USER_REJECTED, Client, RequestTimeout, ServerFault, ServerGone
from ...errors import (
    MISSING_CLIENT_CAPABILITY,
    URL_ELICITATION_REQUIRED,
    CapabilityError,
    LocalProtocolError,
    McpError,
)
from ...revisions import LOG_LEVELS, REVISIONS
from ...system.paths import file_uri
from ..terminal import CliError, did_you_mean, is_terminal, parse_environment, printable, terminal_width, wants_colour
from .contents import print_json
from .questions import Questioner
from .screen import CallScreen, ScreenProcess, StderrRelay

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

TOOL_FAILED, CALLED_WRONGLY, SERVER_DEAD, NO_ANSWER = 1, 2, 3, 4
CALL_SECONDS = 60.0
STATUS_WORDS = ("exit status: 0 done; 1 the tool says that it failed; 2 called wrongly, or the server answered with an\n"
                "error; 3 the server could not be started, or ended too early; 4 no answer in time; 130 interrupted")


def add_server_options(parser: Any, with_questions: bool = True) -> None:
    """What every command here takes."""
    parser.add_argument("--json", action="store_true", help="the result as JSON, as the server sent it")
    server = parser.add_argument_group("the server")
    server.add_argument("--revision", metavar="DATE",
                        help="speak this protocol revision only: %s; or handshake: the newest that has one"
                             % ", ".join(REVISIONS))
    server.add_argument("--timeout", metavar="SECONDS", type=float, default=CALL_SECONDS,
                        help="how long an answer may take (default %g)" % CALL_SECONDS)
    server.add_argument("--env", metavar="K=V", action="append", default=[],
                        help="an environment variable for the server; may be repeated")
    server.add_argument("--cwd", metavar="DIR", help="start the server in this folder")
    server.add_argument("--log-level", metavar="LEVEL", choices=LOG_LEVELS,
                        help="show its log messages from this level on: %s" % ", ".join(LOG_LEVELS))
    server.add_argument("-q", "--quiet", action="store_true",
                        help="do not show its log messages and its standard error")
    if with_questions:
        questions = parser.add_argument_group("what the server may ask (at a terminal you are asked)")
        questions.add_argument("--answer", metavar="K=V", action="append", default=[],
                               help="the value of a field that the server asks for; may be repeated")
        questions.add_argument("--decline", action="store_true", help="decline everything it asks")
        questions.add_argument("--sample", metavar="TEXT",
                               help="answer with this where it asks for a message of a model")
        questions.add_argument("--root", metavar="DIR", action="append", default=[],
                               help="a folder that it may know of; may be repeated")
    allow_any_order(parser)


def allow_any_order(parser: Any) -> None:
    """Options may stand between arguments: `call add a=1 --json b=2`."""
    parser.parse_args = parser.parse_intermixed_args


# The conversation

class CallSession:
    """One command at work: its options, its screen, its client."""

    def __init__(self, command: str, arguments: Any) -> None:
        self.command, self.arguments = command, arguments
        self.screen = CallScreen(arguments.quiet)
        self.at_terminal = is_terminal(sys.stdout)
        self.colour = wants_colour()
        self.width = terminal_width()
        self.relay: StderrRelay | None = None
        self.client: Any = None
        self.asking: Questioner | None = None

    def run(self, work: Callable[[CallSession], int]) -> int:
        """Connect, do the work, say what went wrong in one line (3)."""
        options = self.new_client_options()
        self.relay = None if self.arguments.quiet else StderrRelay(self.screen)
        try:
            self.client = Client(self.new_target(options), **options)
            if self.relay is not None:
                self.relay.release()
            self.set_log_level()
            return work(self)
        except (McpError, LocalProtocolError, ValueError) as error:     # ValueError: an answer does not fit its form
            raise self.explain(error) from None
        finally:
            self.screen.clear_bar()
            if self.client is not None:
                self.client.close()
            if self.relay is not None:
                self.relay.finish()
            self.report_noise()

    def new_target(self, options: dict[str, Any]) -> Any:
        """The server's command, or what starts it with its standard error relayed."""
        command, relay = self.arguments.server_command, self.relay
        if relay is None:
            return command
        return lambda: ScreenProcess(command, relay, env=options["env"], cwd=options["cwd"])

    def new_client_options(self) -> dict[str, Any]:
        """The client's options. Raises CliError with status 2 for what the command line has wrong."""
        given = self.arguments
        if given.revision is not None and given.revision != HANDSHAKE_MODE and given.revision not in REVISIONS:
            raise CliError('%s: --revision "%s" is none of %s, %s'
                           % (self.command, given.revision, ", ".join(REVISIONS), HANDSHAKE_MODE), status=CALLED_WRONGLY)
        if not given.timeout > 0:
            raise CliError("%s: --timeout is a number of seconds above 0" % self.command, status=CALLED_WRONGLY)
        options: dict[str, Any] = {
            "revision": given.revision, "timeout": given.timeout, "cwd": given.cwd, "name": "mcplite cli",
            "env": parse_environment(self.command, given.env), "on_log": self.screen.show_log}
        if hasattr(given, "answer"):
            at_terminal = self.screen.is_terminal and is_terminal(sys.stdin)
            asking = Questioner(self.command, self.screen, given.answer, given.decline, given.sample, at_terminal)
            self.asking = asking
            options.update(on_elicit=asking.on_elicit, on_elicit_url=asking.on_elicit_url, on_sample=asking.on_sample)
            if given.root:
                options["roots"] = self.check_roots(given.root)
        return options

    def check_roots(self, roots: list[str]) -> list[Any]:
        for root in roots:
            if "://" not in root and not os.path.isdir(root):
                raise CliError("%s: --root %s is no folder" % (self.command, root), status=CALLED_WRONGLY)
        return [root if "://" in root else {"uri": file_uri(root), "name": os.path.basename(os.path.abspath(root)) or root}
                for root in roots]

    def set_log_level(self) -> None:
        if self.arguments.log_level is not None:
            try:
                self.client.set_log_level(self.arguments.log_level)
            except CapabilityError:
                self.screen.note("note", "the server sends no log messages (it has not declared logging)")

    def explain(self, error: Exception) -> CliError:
        """An error of the client as one line and an exit status."""
        words = printable(getattr(error, "message", None) or str(error))
        if isinstance(error, RequestTimeout):
            return CliError("%s: %s; --timeout gives it longer" % (self.command, words), status=NO_ANSWER)
        if isinstance(error, ServerGone):
            return CliError("%s: %s" % (self.command, words), status=SERVER_DEAD)
        if self.client is None and isinstance(error, McpError):
            program = self.arguments.server_command[0]
            if program.endswith(".py") and words.startswith("cannot start the server"):
                words += "; a script needs its interpreter: -- python %s" % program
            return CliError("%s: no connection to the server: %s" % (self.command, words), status=SERVER_DEAD)
        if isinstance(error, CapabilityError):
            missing = next(iter(error.data["requiredCapabilities"]), "that")
            return CliError("%s: the server offers no %s" % (self.command, missing), status=CALLED_WRONGLY)
        if not isinstance(error, McpError):
            return CliError("%s: %s" % (self.command, words), status=CALLED_WRONGLY)
        if error.code == USER_REJECTED and self.asking is not None and self.asking.model_refused:
            return CliError("%s: the server needs a message of a model to go on; --sample TEXT answers in its place"
                            % self.command, status=CALLED_WRONGLY)
        if isinstance(error, ServerFault):
            return CliError("%s: the server broke the protocol: %s" % (self.command, words), status=CALLED_WRONGLY)
        if self.arguments.json:
            body = {"code": error.code, "message": error.message}
            print_json({"error": body if error.data is None else dict(body, data=error.data)})
        if error.code == MISSING_CLIENT_CAPABILITY and "roots" in words:
            words += "; --root DIR names a folder that the server may know of"
        if error.code == URL_ELICITATION_REQUIRED:
            words += "; visit first: " + ", ".join(required_pages(error.data))
        return CliError("%s: the server answered with error %d: %s" % (self.command, error.code, words),
                        status=CALLED_WRONGLY)

    def report_noise(self) -> None:
        """Lines on the server's standard output that were no messages: hosts differ in what they do then."""
        client = self.client
        if client is not None and client.noise_count:
            what = "1 line was" if client.noise_count == 1 else "%d lines were" % client.noise_count
            self.screen.note("warning", "%s no message on the server's standard output, which strict hosts do not accept; "
                                        "the last: %s" % (what, client.noise[-1]), "33")

    def on_progress(self) -> Any:
        return self.screen.show_progress if self.screen.is_terminal else None

    def find_entry(self, kind: str, entries: Any, name: str) -> dict[str, Any]:
        """The tool or prompt of this name. Raises CliError with status 2."""
        names = []
        for entry in entries:
            if entry.get("name") == name:
                found: dict[str, Any] = entry
                return found
            names.append(str(entry.get("name")))
        raise CliError('%s: the server has no %s "%s"%s mcplite %ss -- CMD lists them'
                       % (self.command, kind, name, did_you_mean(name, names, ":"), kind), status=CALLED_WRONGLY)


def required_pages(data: Any) -> list[str]:
    entries = data.get("elicitations") if isinstance(data, dict) else None
    pages = [printable(str(entry.get("url"))) for entry in entries or [] if isinstance(entry, dict)]
    return pages or ["(it names no page)"]
