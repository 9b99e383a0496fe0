"""`mcplite check`: tries a server as the strictest host would, and says what is wrong, why, and where it is written.

In the order to read it: `command` (arguments, the order of the lanes, exit status), `table` (every check: name, severity, who
suffers, page), `findings` (what was found), `facts` (what is told and learned), `lane` (one conversation: asking, waiting, the
end), `lines` and `messages` (the judge of what comes), `shapes` (the form of results), `schemas` (tools), `steps` (what both
eras try, and the engine), `handshake` and `stateless` (what one era tries), `report` (text, JSON, JUnit), `processes` (what is
left running).

Arrows: command -> report; command -> stateless -> handshake -> steps -> lane -> messages -> lines, shapes -> findings -> table;
lane -> processes; messages -> schemas. `commands` takes from here what is listed below; nothing else does.
"""
from .command import add_check_arguments, run_check

__all__ = ["add_check_arguments", "run_check"]
