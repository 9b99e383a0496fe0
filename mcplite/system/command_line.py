"""The command that starts a server: an argument list and an environment, found and explained; never a shell.

Here: checks, the search on PATH, batch files of Windows, what hosts hand down. Not here: starting it (``child``).

Page: basic/transports (stdio) of every revision.

1. A command is an argument list, found on PATH (with PATHEXT on Windows), and never goes through a shell.
"""
import os

from ..errors import CONNECTION_CLOSED, McpError
from ..stdio import ON_WINDOWS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Sequence, Union

    Command = Sequence[Union[str, "os.PathLike[str]"]]

ENFILE, EMFILE = 23, 24         # too many open files: the one at hand is not the reason

# What hosts hand down when they keep their own environment to themselves, as the official clients do
HOST_VARIABLES = (
    ("APPDATA", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATH", "PATHEXT", "PROCESSOR_ARCHITECTURE", "SYSTEMDRIVE", "SYSTEMROOT",
     "TEMP", "USERNAME", "USERPROFILE") if ON_WINDOWS else ("HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"))


def check_command(command: "Command") -> "List[str]":
    """Return the argument list as strings. Raises ``TypeError`` for a single string: no shell will split it."""
    if isinstance(command, (str, bytes)) or not isinstance(command, (list, tuple)):
        raise TypeError("a server command is a list of arguments, like [sys.executable, 'server.py'], not %r; "
                        "shlex.split() splits a command line" % (command,))
    if not command:
        raise ValueError("the server command is empty: the first argument is the program")
    return [os.fspath(word) for word in command]


def new_environment(env: "Optional[Dict[str, Optional[str]]]", inherit: bool) -> "Dict[str, str]":
    """Return the child's environment: ours (or what hosts hand down), ``env`` on top; a value None takes a variable away."""
    found = {name: value for name, value in os.environ.items() if inherit or name.upper() in HOST_VARIABLES}
    for name, value in (env or {}).items():
        if value is None:
            found.pop(name, None)
        else:
            found[name] = value
    return found


def resolve_command(command: "List[str]", environment: "Dict[str, str]", on_windows: bool = ON_WINDOWS) -> "Union[List[str], str]":
    """Return what to start: the program's full path and the arguments as they are; for a batch file of Windows its command line.

    ``npx`` is ``npx.cmd`` there, which only a search with PATHEXT finds. Raises ``McpError`` when there is no such program.
    """
    import shutil

    program = command[0]
    if not on_windows and os.path.dirname(program):
        return command                                      # a path: relative to the child's folder, as the system has it
    found = shutil.which(program, path=environment.get("PATH"))
    if found is None:
        if os.path.dirname(program):
            found = program
        else:
            raise McpError(CONNECTION_CLOSED, "cannot start the server: there is no command %r on PATH (command: %s)"
                           % (program, " ".join(command)), {"command": command})
    if on_windows and found.lower().endswith((".cmd", ".bat")):
        return new_batch_command_line(found, command[1:])
    return [found] + command[1:]


PLAIN_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./\\:@+,=")


def new_batch_command_line(program: str, arguments: "List[str]") -> str:
    """Return the command line for a batch file: Windows runs it with cmd.exe, so every argument that it could read is quoted.

    Raises ``ValueError`` for characters that no quoting keeps from cmd.exe.
    """
    words = ['"%s"' % program]
    for argument in arguments:
        if not argument or not PLAIN_CHARACTERS.issuperset(argument):
            if any(character in '"%!\r\n\0' for character in argument):
                raise ValueError("cannot pass %r to the batch file %s: cmd.exe would read the characters \" %% ! and line ends "
                                 "in it" % (argument, program))
            argument = '"%s"' % (argument + "\\" if argument.endswith("\\") else argument)
        words.append(argument)
    return " ".join(words)


def explain_start(error: "Union[OSError, ValueError]", cwd: "Any") -> str:
    if cwd is not None and not os.path.isdir(cwd):
        return "there is no folder %r to start it in" % os.fspath(cwd)
    reason = getattr(error, "strerror", None) or str(error)
    name = getattr(error, "filename", None)
    if getattr(error, "errno", None) in (ENFILE, EMFILE):
        name = None
    return reason if name is None else "%s: %s" % (name, reason)
