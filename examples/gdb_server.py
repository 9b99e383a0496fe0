"""A debugging session as an MCP server: it runs inside gdb, in the Python that gdb brings along.

    gdb -nx -batch -x examples/gdb_server.py --args ./program its arguments

In a host's configuration the command is "gdb" and the rest are its arguments. mcplite has to be where that Python looks:
installed, named by PYTHONPATH, or as the single file mcplite.py (``mcplite bundle``) beside this one. Whoever may call
these tools may do what a person at gdb's prompt may do: run the program, change it, call its functions.

Read it from top to bottom: gdb's settings, the program's own terminal, how a command of gdb's is run so that the client is
still heard, what a stop looks like, then tools, resources and the prompt. Rules:

1. The program never sees the protocol: it gets a terminal of its own, and what it prints is a resource. gdb itself
   may print as it likes from here on; what it prints before its scripts run (the threads of a core file named on the
   command line, a .gdbinit that talks) no script can take back: so -nx, and core files through load_program.
2. gdb waits for the program in C, where no Python runs. So a thread wakes gdb's own event loop ten times a second, and what
   it wakes listens to the client: a cancelled call interrupts the program, which stays there to be looked at.
3. What gdb refuses is a ToolError with gdb's own words; what cannot work now says which tool to call first.
"""

import os
import shlex
import signal
import sys
import threading
import time
from typing import Any, Dict, Iterator, List, Optional

if "__file__" in globals():  # gdb does not look beside the script
    sys.path.append(os.path.dirname(os.path.abspath(__file__)))

from mcplite import Context, McpError, Server, ToolError

try:
    import gdb
except ImportError:  # started by a plain Python: main() says what to do
    gdb = None

SETTINGS = [
    "pagination off", "confirm off", "width 0", "height 0", "style enabled off", "debuginfod enabled off", "charset UTF-8",
    "breakpoint pending off", "unwindonsignal on", "print elements 200", "print frame-arguments all",
]
LOOK_SECONDS = 0.1  # how often the client is heard while the program runs
PATIENCE = 10  # looks, until a program that holds SIGINT back is stopped with SIGSTOP
OUTPUT_LIMIT = 1 << 20  # characters of the program's output that are kept
MEMORY_LIMIT = 1 << 20  # bytes of one memory resource
CHANGING = ["gdb://program", "gdb://program/output", "gdb://backtrace", "gdb://source"]

# No interval timer (interrupt=False): what a tick raised in the midst of gdb's C code, gdb would print and forget.
server = Server(
    "gdb",
    version="1.0.0",
    title="gdb",
    instructions="Set breakpoints, call run, and look around with backtrace and evaluate. "
                 "A call that runs the program comes back when it stops, ends, or has run for the given seconds.",
    interrupt=False,
)


# ---- The program's terminal (1). ----


class Terminal:
    """The pseudo-terminal that is the program's standard input and output; ``text`` is what it has printed."""

    def __init__(self) -> None:
        self.text, self.told = "", 0  # told: how much of it the results have shown
        self.lock = threading.Lock()
        self.master = self.slave = -1

    def open(self) -> None:
        if not hasattr(os, "openpty"):  # the program then shares gdb's: standard error
            return
        import termios

        self.master, self.slave = os.openpty()  # the slave stays open here: else the end of a program would end the terminal
        modes = termios.tcgetattr(self.slave)
        modes[1] &= ~termios.OPOST  # bytes arrive as they were written
        modes[3] &= ~termios.ECHO  # input is not output
        termios.tcsetattr(self.slave, termios.TCSANOW, modes)
        os.set_blocking(self.master, False)
        gdb.execute("set inferior-tty " + os.ttyname(self.slave))

    def drain(self) -> None:
        """Take what the program has printed; both threads do."""
        with self.lock:
            try:
                while self.master >= 0:
                    self.text = (self.text + os.read(self.master, 65536).decode("utf-8", "replace"))
                    dropped = max(0, len(self.text) - OUTPUT_LIMIT)
                    self.text, self.told = self.text[dropped:], max(0, self.told - dropped)
            except OSError:  # nothing there
                pass

    def news(self) -> str:
        """What was printed since the last call of this."""
        self.drain()
        fresh, self.told = self.text[self.told:], len(self.text)
        return fresh


terminal = Terminal()


# ---- Commands of gdb's, and the client meanwhile (2). ----


class Watch:
    """The command that gdb runs now: for whom, how long it may take, and what has ended it."""

    def __init__(self) -> None:
        self.ctx = None  # type: Optional[Context]
        self.began = self.until = self.reported = 0.0
        self.seconds = None  # type: Optional[float]
        self.failure = None  # type: Optional[BaseException]
        self.presses = 0
        self.posted = self.stopping = False
        self.looks = self.look_on()
        next(self.looks)
        self.thread = threading.Thread(target=self.wake_on, daemon=True)

    def wake_on(self) -> None:
        """The thread: empty the terminal, and have gdb's event loop call ``looks``. It touches nothing else of gdb's."""
        import select

        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())  # gdb's signals are for gdb's thread
        due = 0.0
        while not self.stopping:
            if terminal.master >= 0 and select.select([terminal.master], [], [], LOOK_SECONDS)[0]:
                terminal.drain()
            elif terminal.master < 0:
                time.sleep(LOOK_SECONDS)
            if self.ctx is not None and not self.posted and time.monotonic() >= due:
                self.posted, due = True, time.monotonic() + LOOK_SECONDS
                gdb.post_event(self.looks.__next__)

    def look_on(self) -> Iterator[None]:
        """What gdb's event loop calls, one step each time. A generator, since a signal's exception (Ctrl+C) appears at the
        first step of a call: here that is inside the ``try``, in a function it would be outside, and gdb would drop it."""
        while True:
            try:
                yield
                self.posted = False
                if self.ctx is not None:
                    self.look(self.ctx)
            except GeneratorExit:
                return
            except BaseException as error:
                self.failure = self.failure or error

    def look(self, ctx: Context) -> None:
        now = time.monotonic()
        if self.failure is not None or now >= self.until:
            self.press()
        elif now - self.reported >= 1:
            self.reported = now
            ctx.progress(round(now - self.began, 1), total=self.seconds, message="The program is running")
        else:
            ctx.checkpoint()

    def press(self) -> None:
        """Interrupt the program, at first as Ctrl+C does."""
        if self.presses == 0:
            gdb.execute("interrupt")
        elif self.presses == PATIENCE and getattr(getattr(gdb.selected_inferior(), "connection", None), "type", "") == "native":
            gdb.execute("handle SIGSTOP nopass", to_string=True)
            os.kill(gdb.selected_inferior().pid, signal.SIGSTOP)
        self.presses += 1

    def run(self, command: str, ctx: Context, seconds: float) -> str:
        """Run one command of gdb's; return what it printed. After so many seconds the program is interrupted."""
        self.began = self.reported = time.monotonic()
        self.until, self.seconds = self.began + seconds, seconds
        self.failure, self.presses, self.ctx = None, 0, ctx
        try:
            return gdb.execute(command, to_string=True)
        except (gdb.error, ValueError) as error:  # ValueError: a null character in the command
            if self.failure is None:
                raise ToolError(str(error)) from None
            return ""
        finally:
            self.ctx = None
            if self.failure is not None:  # the call was cancelled, or the process is asked to end
                raise self.failure


watch = Watch()


class GdbErrors:
    """``with gdb_errors:`` makes what gdb refuses a ToolError (3)."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is not None and issubclass(kind, (gdb.error, RuntimeError, ValueError)):
            raise ToolError(str(error)) from None


gdb_errors = GdbErrors()


def one_line(expression: str) -> str:
    """A newline would begin another command."""
    return " ".join(expression.split("\n"))


# ---- Where the program is. ----

last = {"state": "not started", "reason": "The program has not been started yet"}  # type: Dict[str, Any]


def note_stop(event: Any) -> None:
    """gdb calls this when the program stops."""
    last.clear()
    last.update(state="stopped", reason="The program stopped")
    if isinstance(event, gdb.SignalEvent):
        last.update(reason="Signal %s" % event.stop_signal, signal=event.stop_signal)
        if watch.failure is not None:
            last["reason"] = "Interrupted, the call was cancelled"
        elif watch.presses:
            last["reason"] = "Interrupted, it was still running after %g s" % watch.seconds
    elif isinstance(event, gdb.BreakpointEvent):
        numbers = [str(point.number) for point in event.breakpoints if point.number > 0]
        last["reason"] = "Breakpoint %s" % ", ".join(numbers) if numbers else "The function returned"


def note_exit(event: Any) -> None:
    """gdb calls this when the program ends."""
    last.clear()
    last["state"] = "exited"
    if hasattr(event, "exit_code"):
        last.update(reason="The program ended with exit status %d" % event.exit_code, exitCode=event.exit_code)
    else:
        last["reason"] = "The program was ended by a signal"


def check_program() -> None:
    """A ToolError unless there is a program to run."""
    if gdb.current_progspace().filename is None:
        raise ToolError("No program is loaded: call load_program, or start gdb with --args ./program.")


def check_process() -> None:
    """A ToolError unless the program has been started and has not ended."""
    check_program()
    if gdb.selected_thread() is None:
        raise ToolError("%s: call run first." % last["reason"])


def describe_frame(frame: Any, level: int) -> Dict[str, Any]:
    """One frame: where it is."""
    place = frame.find_sal()
    found = {"level": level, "function": frame.name() or "??", "address": hex(frame.pc())}  # type: Dict[str, Any]
    if place.symtab is not None:
        found.update(file=place.symtab.fullname(), line=place.line)
    return found


def describe_variables(frame: Any) -> Dict[str, str]:
    """The arguments and local variables of a frame, inner blocks first, as gdb prints them."""
    found = {}  # type: Dict[str, str]
    try:
        block = frame.block()
    except RuntimeError:  # no debug information
        return found
    while block is not None and not block.is_global and not block.is_static:
        for symbol in block:
            if (symbol.is_variable or symbol.is_argument) and symbol.name not in found:
                try:
                    found[symbol.name] = frame.read_var(symbol, block).format_string(max_elements=50)
                except (gdb.error, ValueError) as error:
                    found[symbol.name] = "<%s>" % error
        block = block.superblock
    return found


def frames(limit: int, variables: bool) -> List[Dict[str, Any]]:
    """The innermost frames of the selected thread."""
    found = []  # type: List[Dict[str, Any]]
    frame = gdb.newest_frame()
    while frame is not None and len(found) < limit:
        found.append(describe_frame(frame, len(found)))
        if variables:
            found[-1]["variables"] = describe_variables(frame)
        frame = frame.older()
    return found


def source_around(frame: Any, reach: int = 10) -> Optional[str]:
    """The numbered lines around a frame's line, which is marked; None where the source is not there."""
    place = frame.find_sal()
    try:
        with open(place.symtab.fullname(), encoding="utf-8", errors="replace") as file:
            lines = file.read().split("\n")
    except (AttributeError, OSError):
        return None
    first = max(1, place.line - reach)
    numbered = enumerate(lines[first - 1:place.line + reach], start=first)
    return "\n".join("%s%5d  %s" % (">" if number == place.line else " ", number, line) for number, line in numbered)


def describe_program() -> Dict[str, Any]:
    """What a tool that runs the program answers, but for the output."""
    found = dict(last)
    if gdb.selected_thread() is not None:
        found["state"] = "stopped"
        found["frame"] = describe_frame(gdb.newest_frame(), 0)
        source = source_around(gdb.newest_frame(), 0)
        if source is not None:
            found["source"] = source.lstrip(">").strip()
    return found


def resume(command: str, ctx: Context, seconds: float) -> Dict[str, Any]:
    """Let the program run until it stops, and say where it is now."""
    terminal.news()
    for uri in CHANGING:
        server.resource_updated(uri)
    watch.run(command, ctx, seconds)
    return dict(describe_program(), output=terminal.news())


def describe_breakpoint(point: Any) -> Dict[str, Any]:
    found = {"number": point.number, "place": point.location or point.expression, "enabled": point.enabled,
             "hits": point.hit_count, "temporary": point.temporary}
    if point.condition:
        found["condition"] = point.condition
    return found


# ---- Tools that run the program. ----

STOP = {
    "type": "object",
    "properties": {
        "state": {"type": "string", "enum": ["not started", "stopped", "exited"]},
        "reason": {"type": "string"},
        "signal": {"type": "string"},
        "exitCode": {"type": "integer"},
        "frame": {"type": "object", "description": "Where it stopped"},
        "source": {"type": "string", "description": "The line that is about to run"},
        "output": {"type": "string", "description": "What the program printed meanwhile"},
        "returned": {"type": "string", "description": "The value of the function that has finished"},
    },
    "required": ["state", "reason", "output"],
}
RUNS = {"readOnlyHint": False, "destructiveHint": True, "openWorldHint": True}
CHANGES = {"readOnlyHint": False, "destructiveHint": False}
READS = {"readOnlyHint": True}


@server.tool(annotations=CHANGES)
def load_program(path: str, core: str = "") -> str:
    """Load another program to debug, and the core file that it left if there is one; a program that runs is ended."""
    with gdb_errors:
        stop_program()
        gdb.execute("file " + one_line(path), to_string=True)
        last.clear()
        last.update(state="not started", reason="The program has not been started yet")
        if core:
            gdb.execute("core-file " + one_line(core), to_string=True)
            last.update(state="stopped", reason="The program is over, this is its core file")
    return "Loaded %s." % (gdb.current_progspace().filename or "nothing")


@server.tool(output_schema=STOP, annotations=RUNS)
def run(ctx: Context, arguments: Optional[List[str]] = None, stop_at_main: bool = False, seconds: float = 30) -> Dict[str, Any]:
    """Start the program, afresh if it runs already. Without arguments it gets those it had the last time."""
    check_program()
    if arguments is not None:
        with gdb_errors:
            gdb.execute("set args " + " ".join(shlex.quote(one_line(word)) for word in arguments))
    return resume("start" if stop_at_main else "run", ctx, seconds)


@server.tool(name="continue", output_schema=STOP, annotations=RUNS)
def continue_program(ctx: Context, seconds: float = 30) -> Dict[str, Any]:
    """Let the program go on until a breakpoint, a signal or its end."""
    check_process()
    return resume("continue", ctx, seconds)


@server.tool(output_schema=STOP, annotations=RUNS)
def step(ctx: Context, count: int = 1, seconds: float = 30) -> Dict[str, Any]:
    """Go on for so many source lines, into functions that are called."""
    check_process()
    return resume("step %d" % count, ctx, seconds)


@server.tool(name="next", output_schema=STOP, annotations=RUNS)
def next_line(ctx: Context, count: int = 1, seconds: float = 30) -> Dict[str, Any]:
    """Go on for so many source lines, over functions that are called."""
    check_process()
    return resume("next %d" % count, ctx, seconds)


@server.tool(output_schema=STOP, annotations=RUNS)
def finish(ctx: Context, seconds: float = 30) -> Dict[str, Any]:
    """Go on until the selected frame's function returns, and show the value it returned."""
    check_process()
    with gdb_errors:
        point = gdb.FinishBreakpoint(gdb.selected_frame(), internal=True)
    try:
        found = resume("continue", ctx, seconds)
        if point.return_value is not None:  # void, or another stop came first
            found["returned"] = point.return_value.format_string(max_elements=50)
    finally:
        if point.is_valid():
            point.delete()
    return found


@server.tool(annotations=RUNS)
def write_input(line: str, end: bool = False) -> str:
    """Type a line for the program's standard input; end=true ends the input after it. It is read when the program runs."""
    if terminal.master < 0:
        raise ToolError("The program has no terminal of its own on this system.")
    data = (line + "\n" if line else "").encode("utf-8", "replace") + (b"\x04" if end else b"")
    try:
        written = os.write(terminal.master, data)
    except BlockingIOError:
        written = 0
    if written < len(data):
        raise ToolError("The program has not read what was written before: only %d bytes fitted." % written)
    return "Written."


@server.tool(annotations=RUNS)
def kill() -> str:
    """End the program that runs."""
    check_process()
    stop_program()
    last.update(state="exited", reason="The program was killed")
    return "Killed."


def stop_program() -> None:
    if gdb.selected_inferior().pid:
        gdb.execute("kill", to_string=True)


# ---- Tools for breakpoints. ----


@server.tool(annotations=CHANGES)
def set_breakpoint(location: str, condition: str = "", temporary: bool = False) -> Dict[str, Any]:
    """Stop the program at a function ("main"), a line ("file.c:12") or an address ("*0x4010a0"), always or on a condition."""
    check_program()
    command = "%s %s" % ("tbreak" if temporary else "break", one_line(location))
    with gdb_errors:  # gdb.Breakpoint(...) would accept a function that does not exist
        gdb.execute(command + (" if %s" % one_line(condition) if condition else ""), to_string=True)
    return newest_breakpoint()


@server.tool(annotations=CHANGES)
def set_watchpoint(expression: str) -> Dict[str, Any]:
    """Stop the program when the value of an expression changes."""
    check_process()
    with gdb_errors:
        gdb.execute("watch " + one_line(expression), to_string=True)
    return newest_breakpoint()


def newest_breakpoint() -> Dict[str, Any]:
    server.resource_updated("gdb://breakpoints")
    return describe_breakpoint(max(gdb.breakpoints(), key=lambda point: point.number))


@server.tool(annotations=CHANGES)
def delete_breakpoint(number: int) -> str:
    """Remove a breakpoint or watchpoint."""
    for point in gdb.breakpoints():
        if point.number == number:
            point.delete()
            server.resource_updated("gdb://breakpoints")
            return "Removed."
    known = ", ".join(str(point.number) for point in gdb.breakpoints()) or "none"
    raise ToolError("There is no breakpoint %d, only: %s." % (number, known))


@server.tool(annotations=READS)
def list_breakpoints() -> Dict[str, Any]:
    """All breakpoints and watchpoints."""
    return {"breakpoints": [describe_breakpoint(point) for point in gdb.breakpoints()]}


# ---- Tools that look around. ----


@server.tool(annotations=READS)
def backtrace(limit: int = 20, variables: bool = True) -> Dict[str, Any]:
    """The calls that led here, innermost first, with their variables."""
    check_process()
    with gdb_errors:
        return {"frames": frames(limit, variables)}


@server.tool(annotations=CHANGES)
def select_frame(level: int) -> Dict[str, Any]:
    """Look from another frame: its variables are the ones that evaluate knows."""
    check_process()
    with gdb_errors:
        gdb.execute("frame %d" % level, to_string=True)
        frame = gdb.selected_frame()
        return dict(describe_frame(frame, level), variables=describe_variables(frame))


@server.tool(annotations=RUNS)
def evaluate(expression: str, ctx: Context, hexadecimal: bool = False, seconds: float = 10) -> Dict[str, str]:
    """The value of an expression of the program's language, in the selected frame. May call its functions and assign."""
    check_program()
    expression = one_line(expression)
    kind = watch.run("whatis " + expression, ctx, seconds)
    value = watch.run("output%s %s" % ("/x" if hexadecimal else "", expression), ctx, seconds)
    return {"value": value, "type": kind.replace("type = ", "", 1).strip()}


@server.tool(annotations=READS)
def threads() -> Dict[str, Any]:
    """The program's threads, and where each one is."""
    check_process()
    chosen, frame, found = gdb.selected_thread(), gdb.selected_frame(), []
    with gdb_errors:
        for thread in sorted(gdb.selected_inferior().threads(), key=lambda thread: thread.num):
            thread.switch()
            found.append({"number": thread.num, "name": thread.name or "", "selected": thread.num == chosen.num,
                          "frame": describe_frame(gdb.newest_frame(), 0)})
        chosen.switch()
        frame.select()
    return {"threads": found}


@server.tool(annotations=CHANGES)
def select_thread(number: int) -> Dict[str, Any]:
    """Look from another thread."""
    check_process()
    with gdb_errors:
        gdb.execute("thread %d" % number, to_string=True)
        return describe_frame(gdb.newest_frame(), 0)


@server.tool(annotations=READS)
def registers() -> str:
    """The registers of the selected frame."""
    check_process()
    with gdb_errors:
        return gdb.execute("info registers", to_string=True)


@server.tool(annotations=READS)
def disassemble(count: int = 10) -> str:
    """The next machine instructions."""
    check_process()
    with gdb_errors:
        return gdb.execute("x/%di $pc" % count, to_string=True)


# ---- Resources. ----


@server.resource("gdb://program", name="program", mime_type="application/json")
def program() -> Dict[str, Any]:
    """The program: its file, its state, where it stands."""
    return dict(describe_program(), file=gdb.current_progspace().filename or "", pid=gdb.selected_inferior().pid)


@server.resource("gdb://program/output", name="output", mime_type="text/plain")
def output() -> str:
    """What the program has printed, standard output and error together."""
    terminal.drain()
    return terminal.text


@server.resource("gdb://backtrace", name="backtrace", mime_type="application/json")
def read_backtrace() -> List[Dict[str, Any]]:
    """The calls that led here, innermost first; empty while nothing runs."""
    return [] if gdb.selected_thread() is None else frames(50, True)


@server.resource("gdb://source", name="source", mime_type="text/plain")
def read_source() -> Optional[str]:
    """The source around the line of the selected frame, which is marked."""
    return None if gdb.selected_thread() is None else source_around(gdb.selected_frame())


@server.resource("gdb://breakpoints", name="breakpoints", mime_type="application/json")
def read_breakpoints() -> List[Dict[str, Any]]:
    """All breakpoints and watchpoints."""
    return list_breakpoints()["breakpoints"]


@server.resource("gdb://memory/{address}/{count}", name="memory", mime_type="application/octet-stream")
def memory(address: str, count: int) -> bytes:
    """Bytes of the program's memory, from an address (0x7fffe010, or decimal) on."""
    try:
        start = int(address, 0)
    except ValueError:
        raise McpError(-32602, "address must be a number like 0x7fffe010, not %r" % address) from None
    if not 0 < count <= MEMORY_LIMIT or not 0 <= start < 1 << 64:
        raise McpError(-32602, "count must be 1 to %d bytes, and address one of 64 bits" % MEMORY_LIMIT)
    try:
        return bytes(gdb.selected_inferior().read_memory(start, count))
    except gdb.error as error:
        raise McpError(-32603, str(error)) from None


@server.completion("gdb://memory/{address}/{count}", "address")
def complete_address(value: str) -> List[str]:
    """Where the stack and the code of the selected frame are."""
    if gdb.selected_thread() is None:
        return []
    found = [hex(int(gdb.parse_and_eval(name).cast(gdb.lookup_type("unsigned long")))) for name in ("$sp", "$pc")]
    return [address for address in found if address.startswith(value)]


# ---- A prompt. ----


@server.prompt(title="Explain this crash")
def explain_crash(question: str = "") -> str:
    """Ask why the program stopped, with everything that gdb knows about it at this moment."""
    terminal.drain()
    parts = ["Explain why this program stopped, and how to fix it. " + question, last["reason"] + "."]
    if gdb.selected_thread() is None:
        parts.append("It is not running now: call the tool run, and backtrace when it has stopped.")
    else:
        for frame in frames(20, True):
            parts.append("#%(level)d %(function)s " % frame + "%s:%s" % (frame.get("file", "?"), frame.get("line", "?")))
            parts += ["    %s = %s" % item for item in frame["variables"].items()]
        parts.append(source_around(gdb.selected_frame()) or "There is no source.")
    parts.append("It printed:\n%s" % (terminal.text[-2000:] or "nothing"))
    return "\n".join(part.rstrip() for part in parts)


# ---- The start. ----


def main() -> None:
    """Serve inside gdb until the host closes the connection; then the program that is debugged is ended."""
    if gdb is None:
        print("gdb_server.py runs inside gdb: gdb -nx -batch -x %s --args ./program" % sys.argv[0], file=sys.stderr)
        sys.exit(2)
    for setting in SETTINGS:
        try:
            gdb.execute("set " + setting, to_string=True)
        except gdb.error:  # an older gdb does not know it
            pass
    if gdb.selected_thread() is not None:
        last.update(state="stopped", reason="A process or core file that gdb was started with")
    gdb.events.stop.connect(note_stop)
    gdb.events.exited.connect(note_exit)
    terminal.open()
    watch.thread.start()
    status = 0
    try:
        server.run()
    except SystemExit as stop:  # SIGTERM, Ctrl+C
        status = stop.code
    finally:
        watch.stopping = True
        watch.thread.join()
        stop_program()
        gdb.events.stop.disconnect(note_stop)
        gdb.events.exited.disconnect(note_exit)
    if watch.posted:  # gdb would call what is still posted after its Python has ended, and crash
        os._exit(status)
    sys.exit(status)


if __name__ == "__main__":
    main()
