"""`mcplite trace`: stand between a host and a server and record; show a recording as text or as a page.

In the order to read it: `command` (arguments), `relay` (passing every byte on), `recording` (the file, its format), `mask`
(secrets stay out of it); `reading` (the file again), `conversation` (what answers what), `words` (what each message says in
short), `text` (as lines), `page` (as one HTML file), `explain` and the tables of `protocol` (what every method and field means).

Arrows: command -> relay -> recording -> mask; command -> text, page -> conversation -> words; text, page -> reading;
page -> explain -> protocol. Other parts of the command line take from here what is listed below: `demo` records and explains
with it.
"""
from .command import add_trace_arguments, run_trace
from .conversation import Conversation
from .mask import Masker
from .protocol import METHOD_TABLE
from .recording import Recording

__all__ = ["METHOD_TABLE", "Conversation", "Masker", "Recording", "add_trace_arguments", "run_trace"]
