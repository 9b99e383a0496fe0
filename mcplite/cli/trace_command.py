"""`mcplite trace`: its arguments, and which of recording, text view and page they ask for."""
from __future__ import annotations

from .terminal import CliError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def add_trace_arguments(parser: Any) -> None:
    parser.add_argument("-o", "--output", metavar="FILE", help="record into FILE (JSON Lines)")
    parser.add_argument("--view", metavar="FILE", help="show the recording FILE")
    parser.add_argument("--html", metavar="OUT", help="write the recording as one self-contained page")


def run_trace(arguments: Any) -> int:
    raise CliError("trace: not yet")
