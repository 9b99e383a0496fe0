"""`mcplite check`: tries a server as the strictest host would, and says what is wrong, why, and where it is written.

In the order to read it: `command` (arguments, the order of the lanes, exit status), `table` (every check: name, severity, who
suffers, page), `lane` (one conversation, and the judge of every line), `shapes` (the form of results), `schemas` (tools),
`steps` (what both eras try), `handshake` and `stateless` (what one era tries), `report` (text, JSON, JUnit).

Arrows: command -> report; command -> stateless -> handshake -> steps -> lane -> schemas, shapes -> table. `commands` takes from
here what is listed below; nothing else does.
"""
from .command import add_check_arguments, run_check

__all__ = ["add_check_arguments", "run_check"]
