"""`mcplite new NAME`: a commented server to start from, and what to do with it next.

Here: the text of the starter, the checks of its name, the words that follow. Rules:

1. Nothing is ever overwritten.
2. The starter runs as it is, on every Python that mcplite runs on; tests start it and use all of it.
3. A script's folder is the first place where Python looks for modules: a name that would hide one is refused.
"""
from __future__ import annotations

import os
import sys

from .terminal import CliError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

STARTER_TEXT = '''"""@NAME@: a server for the Model Context Protocol (MCP).

A host (a desktop application, an editor, an agent) starts this script and talks to it over standard input and output.
Change what you like. To try it from a terminal, without any host:

    mcplite tools -- python @FILE@
    mcplite call add_note words="Buy milk" urgent=true -- python @FILE@
"""

import time
from typing import Dict, List, Optional

from mcplite import Context, Server, ToolError

# The name and the version are what hosts show; instructions are read by the model: say what your server is good for.
server = Server("@NAME@", version="0.1.0", instructions="Keeps short notes. Look with find_notes before you add one.")

# The data of this example. It is gone when the server stops: a real server has a file or a database here.
notes = {"1": "Water the plants", "2": "Call Ann about Friday"}  # type: Dict[str, str]


# ---- Tools: what the model can do. ----
#
# The parameters become the schema of the arguments, the docstring becomes the description. Write both for a reader who
# sees nothing else: names that say what they mean, types that say what fits, defaults for what is optional.


@server.tool
def add_note(words: str, urgent: bool = False) -> str:
    """Write a note down."""
    if not words.strip():
        # The model gets to read exactly this text. Say what is wrong, and what to do instead.
        raise ToolError("The note is empty: put what should be remembered into words.")
    number = str(len(notes) + 1)
    notes[number] = ("URGENT: " if urgent else "") + words.strip()
    return "Note %s is written." % number


# readOnlyHint tells hosts that this tool changes nothing; many then run it without asking the user.
@server.tool(annotations={"readOnlyHint": True})
def find_notes(words: str = "", limit: int = 10) -> List[str]:
    """Find the notes that contain these words; all notes when there are none."""
    return [note for note in notes.values() if words.lower() in note.lower()][:limit]


# A parameter annotated with Context is not an argument: through it a tool reaches the client while it works.
@server.tool
def tidy_up(ctx: Context) -> str:
    """Remove notes that say the same as an earlier one."""
    seen = {}  # type: Dict[str, str]
    before = len(notes)
    for done, (number, note) in enumerate(list(notes.items()), start=1):
        if note.lower() in seen:
            del notes[number]
        seen[note.lower()] = number
        ctx.progress(done, total=before, message=note)  # the host can show a progress bar
        time.sleep(0.05)  # slow work; when the user presses cancel, the tool is left right here
    print("tidied up")  # what is printed goes to standard error, never into the conversation
    return "%d of %d notes are left." % (len(notes), before)


# ---- Resources: what can be read, by its address. str is sent as text, bytes as base64, anything else as JSON. ----


@server.resource("notes://all", mime_type="text/plain")
def all_notes() -> str:
    """All notes, one a line."""
    return "\\n".join("%s. %s" % item for item in notes.items())


# A template: {number} is taken from the address and passed on.
@server.resource("notes://note/{number}", mime_type="text/plain")
def one_note(number: str) -> Optional[str]:
    """One note."""
    return notes.get(number)  # None means: there is no such resource


# ---- Prompts: what a user can pick from a menu. The text becomes a message of the user. ----


@server.prompt
def plan_day(hours: str = "8") -> str:
    """Plan a day with the notes."""
    return "I have %s hours. Make a plan of these notes:\\n%s" % (hours, all_notes())


# ---- The start. run() serves until the host closes the connection. ----

if __name__ == "__main__":
    server.run()
'''


def add_new_arguments(parser: Any) -> None:
    parser.add_argument("name", metavar="NAME", help="the server's name; the file becomes NAME.py in this folder")
    parser.add_argument("-o", "--output", metavar="FILE", help="write this file instead")
    parser.epilog = "exit status: 0 written; 1 the file is there already, or cannot be written; 2 called wrongly"


def run_new(arguments: Any) -> int:
    name = arguments.name[:-3] if arguments.name.endswith(".py") else arguments.name
    check_starter_name(name)
    path = arguments.output if arguments.output is not None else name + ".py"
    check_starter_module(os.path.basename(path))
    file_name = os.path.basename(path) if arguments.output is None else "server.py"
    write_starter(path, STARTER_TEXT.replace("@NAME@", name).replace("@FILE@", file_name))
    program = own_program()
    server = "-- %s %s" % (python_word(), shell_words([path]))
    print("Wrote %s: a server with three tools, two resources and a prompt, every part explained.\n" % path)
    print("See what it offers:")
    print("  %s tools %s" % (program, server))
    print("Call a tool, read a resource:")
    print('  %s call add_note words="Buy milk" %s' % (program, server))
    print("  %s read notes://all %s" % (program, server))
    print("Then open %s, change it, and try again. When it does what you want:" % path)
    print("  %s check %s    is it what the strictest host expects?" % (program, server))
    print("  %s config claude-desktop %s    the entry for a host; config --list names all" % (program, server))
    return 0


def check_starter_name(name: str) -> None:
    import re

    if not re.match(r"[A-Za-z][A-Za-z0-9_-]{0,63}\Z", name):
        raise CliError('new: "%s" is no name for a server: use letters, digits, "-" and "_", with a letter first, such '
                       "as weather (-o says where the file goes)" % name, status=2)


def check_starter_module(file_name: str) -> None:
    """Rule 3."""
    from importlib.util import find_spec

    module = file_name[:-3] if file_name.endswith(".py") else file_name
    known = getattr(sys, "stdlib_module_names", None)
    hides = module in known if known is not None else is_standard_module(module, find_spec)
    if module == "mcplite" or hides:
        raise CliError('new: %s would hide the module "%s" that Python needs: choose another name, such as %s_server'
                       % (file_name, module, module), status=2)


def is_standard_module(module: str, find_spec: Any) -> bool:
    """Before Python 3.10, which lists them: what stands beside the module os, or inside the interpreter."""
    if module in sys.builtin_module_names:
        return True
    try:
        spec = find_spec(module) if module.isidentifier() else None
    except (ImportError, ValueError):
        return False
    return spec is not None and os.path.dirname(spec.origin or "") in (
        os.path.dirname(os.__file__), os.path.join(os.path.dirname(os.__file__), module))


def write_starter(path: str, source: str) -> None:
    try:
        with open(path, "x", encoding="utf-8", newline="\n") as file:
            file.write(source)
    except FileExistsError:
        raise CliError("new: %s is there already, and was left as it is: choose another name, or -o FILE"
                       % path) from None
    except OSError as error:
        raise CliError("new: cannot write %s: %s" % (path, error.strerror)) from None


def own_program() -> str:
    """How this command line was called: what to type to call it again."""
    return "mcplite" if os.path.basename(sys.argv[0]).startswith("mcplite") else python_word() + " -m mcplite"


def python_word() -> str:
    """What to type for this very Python: its short name where the shell finds it under that."""
    from shutil import which

    for name in ("python", "python3"):
        found = which(name)
        same = found is not None and os.path.realpath(found) == os.path.realpath(sys.executable)
        if found is not None and same and not is_environment(found):
            return name
    return shell_words([sys.executable])


def is_environment(found: str) -> bool:
    """True where the shell's python is not ours though it is the same program: another virtual environment, or none."""
    return os.path.dirname(os.path.abspath(found)) != os.path.dirname(os.path.abspath(sys.executable))


def shell_words(words: list[str]) -> str:
    if os.name == "nt":
        from subprocess import list2cmdline

        return list2cmdline(words)
    from shlex import quote

    return " ".join(map(quote, words))
