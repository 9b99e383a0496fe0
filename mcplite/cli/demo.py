"""`mcplite demo`: the example server and the real client go through the whole protocol, and every message is explained.

Here: the story (what is done, in which order, what must come out), and how a message is shown. Not here: the server
(examples/inventory.py), the recording and what every method means (`trace`). Rules:

1. Both ends are the real ones: a spawned server, its channel watched, and `Client`. Nothing is faked but the
   people: the user's answers and the model's are a script.
2. Every step checks what it got. One answer that is not as expected, and the demo ends with exit status 1.
3. A message is at most two lines of the terminal, shortened from the inside, with one line of explanation.
"""
from __future__ import annotations

import os
import sys
import time

from ..client import Client, ResourceNotFound
from ..errors import McpError
from ..system.child import ChildProcess
from .terminal import CliError, column_width, printable, styled, terminal_width, wants_colour
from .trace import METHOD_TABLE, Conversation, Masker, Recording

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

    DemoStep = Callable[["DemoStage", Any], None]

DEMO_PRODUCT = "commerce://products/KB-201"
DEMO_WIDTHS = (60, 130)         # columns: narrower is too little for JSON, wider too much for eyes

# Messages: what is shown, and one sentence on each

# method: (what the message is, what its answer is), where the story says nothing better; METHOD_TABLE has the rest
DEMO_SENTENCES = {
    "initialize": ("Hello: the revision I speak, what I can do, who I am.",
                   "The server settles the revision, says what it offers and who it is."),
    "notifications/initialized": ("A notification has no id and gets no answer. Work may begin.", ""),
    "ping": ("Are you there? Either side may ask.", "I am: an empty result."),
    "server/discover": ("What do you speak, what do you offer, who are you?",
                        "No session begins: from here on each request stands alone."),
    "tools/list": ("Which tools are there?", "Each with a name, a description and the JSON Schema of its arguments."),
    "tools/call": ("The model wants this tool to run.", "The result: content for the model."),
    "resources/list": ("What can be read?", "URI, name, media type, and hints on whom it is for."),
    "resources/templates/list": ("And which patterns of addresses are there?",
                                 "RFC 6570: put a value for {sku}, and read."),
    "resources/read": ("Read this one.", "Its contents: text, or base64 in blob where it is not text."),
    "resources/subscribe": ("Tell me when this changes.", "Agreed."),
    "resources/unsubscribe": ("No more of that, please.", "Agreed."),
    "prompts/list": ("Which prompts are there?", "Each with its arguments; hosts show them as a menu of commands."),
    "prompts/get": ("The user picked this one, with these arguments.",
                    "The messages to put into the conversation."),
    "completion/complete": ("The user is typing the argument category.", "How it may go on; at most 100 values."),
    "logging/setLevel": ("Log messages from this level on, please.", "Agreed: what is less serious stays away."),
    "notifications/message": ("A log message, for the people who run this.", ""),
    "notifications/progress": ("How far the call has come.", ""),
    "notifications/cancelled": ("The answer is no longer wanted: please stop.", ""),
    "notifications/resources/updated": ("Something subscribed to has changed; read it again if you like.", ""),
    "notifications/resources/list_changed": ("There is something new to be read; fetch the list again.", ""),
    "elicitation/create": ("The server asks the user to fill in this form.",
                           "The user's answer. decline and cancel would be answers, too."),
    "sampling/createMessage": ("The server asks the client's model for a message.",
                               "What the model wrote. Which model it is, is the client's choice."),
    "roots/list": ("Which folders may I look into?", "These, as file: URIs."),
    "subscriptions/listen": ("Open a stream, and tell me there of these changes.", "The server has closed the stream."),
    "notifications/subscriptions/acknowledged": ("The stream is open; this much will be told.", ""),
}


def explain_demo_entry(entry: dict[str, Any]) -> str:
    """One sentence for one message, where the story has none."""
    method = entry.get("method") or ""
    answers = entry["kind"] in ("response", "error")
    if method in DEMO_SENTENCES:
        return DEMO_SENTENCES[method][answers]
    if answers:
        return "An answer."
    return METHOD_TABLE[method][0] if method in METHOD_TABLE else "A method that the specification does not know."


class ShownValue:
    """A JSON value that can be shown in part: the first `shown` of its members, all else as three dots."""

    def __init__(self, value: Any, limit: int, name: str = "") -> None:
        self.value, self.limit, self.name = value, limit, name
        self.shown = 0
        self.children: list[ShownValue] = []
        if isinstance(value, dict):
            self.children = [ShownValue(item, 99 if key == "method" else limit, quoted_json(key, 99) + ": ")
                             for key, item in value.items()]
        elif isinstance(value, list):
            self.children = [ShownValue(item, limit) for item in value]

    def text(self) -> str:
        if not isinstance(self.value, (dict, list)):
            return self.name + quoted_json(self.value, self.limit)
        ends = "{}" if isinstance(self.value, dict) else "[]"
        parts = [child.text() for child in self.children[:self.shown]]
        if self.shown < len(self.children):
            parts.append("...")
        return self.name + ends[0] + ", ".join(parts) + ends[1]

    def open_to_fit(self, width: int) -> int:
        """Show as much as fits, level by level; returns how much that is."""
        shown, level = 0, [self]
        while level:
            following = []
            for part in level:
                for count in range(len(part.children), 0, -1):
                    whole, part.shown = part.shown, count
                    if column_width(self.text()) <= width:
                        break
                    part.shown = whole
                shown += part.shown
                following += part.children[:part.shown]
            level = following
        return shown


def quoted_json(value: Any, limit: int) -> str:
    """A scalar as JSON on one line, a long string cut."""
    import json

    if isinstance(value, str) and len(value) > limit:
        value = value[:limit - 3] + "..."
    return printable(json.dumps(value, ensure_ascii=False))


def fitted_json(value: Any, width: int) -> str:
    """`value` as JSON in at most `width` columns: where it is too long, long strings are cut and what lies deepest is
    replaced by three dots. Of the ways to cut strings, the one that shows most."""
    best: tuple[int, str] = (0, ShownValue(value, width).text())
    for limit in (width, 60, 44, 24):
        shown = ShownValue(value, limit)
        count = shown.open_to_fit(width)
        if count > best[0]:
            best = (count, shown.text())
    return best[1]


def two_lines(message: dict[str, Any], width: int) -> list[str]:
    """A message in at most two lines, cut at spaces."""
    import textwrap

    for room in range(2 * width, width, -4):
        lines = textwrap.wrap(fitted_json(message, room), width, break_on_hyphens=False)
        if len(lines) <= 2:
            return lines
    return [fitted_json(message, width)]


class DemoStage:
    """Where everything is shown: headings, messages, checks. Counts what passed and what failed."""

    def __init__(self, full: bool, trace_path: str | None, command: list[str]) -> None:
        self.width = min(max(terminal_width(), DEMO_WIDTHS[0]), DEMO_WIDTHS[1])
        self.colour, self.full = wants_colour(), full
        self.trace_path, self.command = trace_path, command
        self.recording: Any = None
        self.conversation = Conversation()
        self.messages = self.checks = self.failures = self.steps = 0
        self.story: list[tuple[str, str]] = []          # sentences for the next requests of the client
        self.endings: dict[Any, str] = {}               # id of a request -> the sentence for its answer

    def print_line(self, text: str = "", style: str = "") -> None:
        print(styled(text, style, self.colour))

    def print_wrapped(self, text: str, indent: str, style: str = "") -> None:
        import textwrap

        for line in textwrap.wrap(text, self.width, initial_indent=indent, subsequent_indent=indent):
            self.print_line(line, style)

    def begin_session(self) -> None:
        """A new server: ids start again, and so does the recording."""
        self.conversation = Conversation()
        self.story.clear()
        self.endings.clear()
        if self.trace_path is not None:
            try:
                self.recording = Recording(self.trace_path, self.command, Masker([]))
            except CliError as error:
                words = error.text.replace("trace: ", "demo: ", 1)
                words = words.replace("for -o", "for --trace").replace("with -o", "with --trace")
                raise CliError(words, error.status) from None

    def end_session(self, status: int | None) -> None:
        if self.recording is not None:
            self.recording.end(status=status)
            self.recording = None

    def see(self, origin: str, line: bytes) -> None:
        """One line passed; `origin` is "host" or "server"."""
        import json

        if self.recording is not None:
            self.recording.write_traffic(self.recording.now(), origin, line + b"\n", len(line) + 1)
        message = json.loads(line.decode("utf-8"))
        for entry in self.conversation.add({"at": 0.0, "from": origin, "bytes": len(line), "message": message}):
            self.show(entry)

    def say(self, request: str, answer: str) -> None:
        """The sentences for the next request of the client and for its answer."""
        self.story.append((request, answer))

    def sentence(self, entry: dict[str, Any]) -> str:
        if entry["from"] == "host" and entry["kind"] == "request" and self.story:
            said, self.endings[entry["id"]] = self.story.pop(0)
            return said
        if entry["from"] == "server" and entry["kind"] in ("response", "error") and entry["id"] in self.endings:
            return self.endings.pop(entry["id"])
        return explain_demo_entry(entry)

    def show(self, entry: dict[str, Any]) -> None:
        self.messages += 1
        ours = entry["from"] == "host"
        arrow = "--> " if ours else "<-- "
        bad = entry.get("outcome") in ("error", "tool error")
        message = {name: value for name, value in entry["message"].items() if name != "jsonrpc"}
        style = "36" if ours else "31" if bad else "32"
        for number, line in enumerate(two_lines(message, self.width - 6)):
            self.print_line(("      " if number else "  " + arrow) + line, style)
        if self.full:
            import json

            for part in json.dumps(entry["message"], indent=2, ensure_ascii=False).split("\n"):
                print("      " + printable(part))
        self.print_wrapped(self.sentence(entry), "      ", "3")

    def heading(self, text: str) -> None:
        self.print_line()
        self.print_line(text, "1;7" if self.colour else "")
        if not self.colour:
            self.print_line("=" * len(text))

    def step(self, title: str, words: str) -> None:
        self.steps += 1
        self.print_line()
        self.print_line("%d. %s" % (self.steps, title), "1")
        self.print_wrapped(words, "   ")

    def check(self, good: Any, expected: str) -> None:
        """Rule 2. `expected` says what should be so."""
        self.checks += 1
        if not good:
            self.failures += 1
            self.print_line("   NOT AS EXPECTED: %s" % expected, "1;31")


class WatchedChannel:
    """The client's channel, and every line that passes shown."""

    def __init__(self, channel: Any, see: Callable[[str, bytes], None]) -> None:
        self.channel, self.watcher = channel, see

    def __getattr__(self, name: str) -> Any:
        return getattr(self.channel, name)

    def read(self, timeout: float | None = None) -> Any:
        lines = self.channel.read(timeout)
        for line in lines or ():
            self.watcher("server", bytes(line))
        return lines

    def write(self, data: bytes) -> None:
        for line in data.split(b"\n")[:-1]:
            self.watcher("host", line)
        self.channel.write(data)


class WatchedProcess(ChildProcess):
    """A server, with `see(origin, line)` called for every line in the order in which our end handles it."""

    def __init__(self, command: Any, see: Callable[[str, bytes], None], env: Any) -> None:
        self.see = see
        super().__init__(command, env=env)

    def start(self) -> None:
        super().start()
        self.channel: Any = WatchedChannel(self.channel, self.see)


# The people: what the user and the model say

class DemoPeople:
    """The scripted user and model, and what they were told."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.logs: list[dict[str, Any]] = []
        self.progress: list[Any] = []
        self.updated: list[str] = []
        self.changed: list[str] = []

    def on_elicit(self, params: dict[str, Any]) -> dict[str, Any]:
        self.asked.append(params["message"])
        fields = params["requestedSchema"]["properties"]
        return {"reason": "damaged", "remark": "a key is missing"} if "reason" in fields else {"confirm": True}

    def on_sample(self, params: dict[str, Any]) -> dict[str, Any]:
        self.asked.append(params["messages"][-1]["content"]["text"])
        return {"role": "assistant", "content": {"type": "text", "text": "Leise Tastatur"}, "model": "a-scripted-model"}

    def on_progress(self, progress: float, total: float | None, message: str | None) -> None:
        self.progress.append((progress, total, message))


class DemoEnough(Exception):
    """The user has pressed the cancel button."""


# The story: handshake

def demo_hello(stage: DemoStage, client: Any) -> None:
    stage.check(client.revision == "2025-11-25", "both ends speak 2025-11-25")
    stage.check(client.server_info.get("name") == "inventory", "the server says that its name is inventory")
    stage.check({"tools", "resources", "prompts", "logging", "completions"}.issubset(client.capabilities),
                "the server offers tools, resources, prompts, logging and completions")
    stage.check(client.ping() == {}, "ping is answered with an empty result")


def demo_tools(stage: DemoStage, client: Any) -> None:
    stage.step("Tools: what the model can do",
               "The host shows the list to its model, and runs what the model asks for.")
    tools = {tool["name"]: tool for tool in client.list_tools()}
    stage.check("sku" in tools["check_inventory"]["inputSchema"]["properties"], "check_inventory takes a sku")
    stage.say("The model asks: how many of these are in stock?",
              "content is for the model, structuredContent for programs.")
    result = client.call_tool("check_inventory", {"sku": "KB-201"})
    stage.check(result.get("structuredContent", {}).get("quantity") == 16, "16 pieces of KB-201 are in stock")
    stage.say("An SKU that does not exist.", "isError: a result all the same, which the model reads to do better.")
    result = client.call_tool("check_inventory", {"sku": "XX-1"})
    stage.check(result.get("isError") is True and "Known SKUs" in result["content"][0]["text"],
                "an unknown SKU is a tool error that names the known ones")
    stage.say("An argument of the wrong type.",
              "It does not fit the schema: the tool did not run; the model reads why.")
    result = client.call_tool("check_inventory", {"sku": 7})
    stage.check(result.get("isError") is True, "a number for a sku does not fit the schema, and is a tool error")
    stage.say("A tool that does not exist.", "A protocol error: the program is at fault here, not the model.")
    try:
        client.call_tool("make_coffee")
        stage.check(False, "there is no tool make_coffee")
    except McpError as error:
        stage.check(error.code == -32602, "an unknown tool is error -32602")


def demo_news(stage: DemoStage, client: Any, people: DemoPeople) -> None:
    stage.step("What a server tells while it works",
               "Progress of a call, log messages, changes of a resource: each because the client asked for it.")
    client.set_log_level("info")
    client.subscribe(DEMO_PRODUCT)
    stage.say("An order. Its progressToken asks to be told of progress.",
              "Text, a link to what came into being, and data.")
    result = client.call_tool("place_order", {"sku": "KB-201", "quantity": 10, "warehouse": "BER"},
                              on_progress=people.on_progress)
    client.unsubscribe(DEMO_PRODUCT)
    stage.check(result["structuredContent"]["left"] == 2, "2 pieces are left after the order")
    stage.check([step[:2] for step in people.progress] == [(1, 2), (2, 2)], "progress was told twice: 1 of 2, 2 of 2")
    stage.check([log.get("level") for log in people.logs] == ["warning"], "one warning was logged: stock is low")
    stage.check(people.updated == [DEMO_PRODUCT], "the product has changed, and that was told")


def demo_resources(stage: DemoStage, client: Any, people: DemoPeople) -> None:
    stage.step("Resources: what can be read", "A host offers them to its user, or to the model, as context.")
    uris = [resource["uri"] for resource in client.list_resources()]
    stage.check(uris == ["commerce://catalog/categories"], "there is one resource with a fixed address")
    templates = [template["uriTemplate"] for template in client.list_resource_templates()]
    stage.check("commerce://products/{sku}" in templates, "there is a template for products")
    contents = client.read_resource("commerce://products/MS-110")["contents"]
    stage.check("Travel mouse" in contents[0]["text"], "MS-110 is the travel mouse")
    stage.say("One that does not exist.", "An error: not found, and data says what.")
    try:
        client.read_resource("commerce://products/nothing")
        stage.check(False, "there is no product called nothing")
    except ResourceNotFound as error:
        stage.check(error.data == {"uri": "commerce://products/nothing"}, "the error names the address")
    stage.say("A tool that makes a new resource.", "It answers with a link to it.")
    client.call_tool("write_report")
    client.poll(2)
    stage.check(people.changed == ["resources"], "the list of resources has changed, and that was told")


def demo_prompts(stage: DemoStage, client: Any) -> None:
    stage.step("Prompts: what a user picks", "A prompt is a template for a conversation.")
    names = [prompt["name"] for prompt in client.list_prompts()]
    stage.check(names == ["product_recommendation"], "there is one prompt")
    values = client.complete("product_recommendation", "category", "k")["completion"]["values"]
    stage.check(values == ["keyboards"], '"k" becomes "keyboards"')
    messages = client.get_prompt("product_recommendation", {"category": "keyboards", "budget": "100"})["messages"]
    stage.check([message["role"] for message in messages] == ["user", "assistant"], "the prompt has two messages")


def demo_questions(stage: DemoStage, client: Any, people: DemoPeople) -> None:
    stage.step("Questions: the server asks the client",
               "In the middle of a tool call, and only what the client said it can do. Each side counts its own ids.")
    people.asked.clear()
    stage.say("An item goes back. The tool needs to know why.",
              "Both answers are there, and the tool has done its work.")
    result = client.call_tool("return_item", {"order_id": "1001", "sku": "KB-201"})
    stage.check(result["content"][0]["text"] == "KB-201 of order 1001 is returned: damaged.", "the item is returned")
    stage.check(len(people.asked) == 2, "the user was asked twice")
    stage.say("A tool that needs a model.", "The tool made its result of what the model wrote.")
    result = client.call_tool("translate_name", {"sku": "KB-201", "language": "German"})
    stage.check(result["content"][0]["text"] == "Quiet keyboard: Leise Tastatur", "the model has translated the name")
    stage.say("A tool that looks into the user's folders.", "It found a file in the open folder.")
    result = client.call_tool("find_price_lists")
    stage.check(result["content"][0]["text"] == "prices/spring.csv", "the server found the file in the open folder")


def demo_cancel(stage: DemoStage, client: Any) -> None:
    stage.step("Cancelling", "A tool that sleeps at every shelf. After two of them the user presses the cancel button.")

    def on_progress(progress: float, total: float | None, message: str | None) -> None:
        if progress >= 2:
            raise DemoEnough()

    stage.say("Count everything, slowly.", "An answer that should not be here.")
    try:
        client.call_tool("count_stock", {"pause": 0.2}, on_progress=on_progress)
        stage.check(False, "the call was left before its end")
    except DemoEnough:
        pass
    began = time.monotonic()
    stage.say("Is the server still busy?", "No: it left the tool in the middle, and the call gets no answer.")
    stage.check(client.ping() == {}, "the server still answers")
    stage.check(time.monotonic() - began < 1, "it answers within a second")
    stage.check(client.unmatched == 0, "the cancelled call gets no answer")


# The story: stateless

def demo_stateless(stage: DemoStage, client: Any, people: DemoPeople) -> None:
    stage.check(client.revision == "2026-07-28", "both ends speak 2026-07-28")
    stage.check(client.server_info.get("name") == "inventory", "the server says who it is")
    stage.say("The first real request, at once.", "The list as before, and how long it may be kept: ttlMs.")
    stage.check(len(list(client.list_tools())) == 7, "the server has 7 tools")
    stage.step("A question, in rounds", "The server cannot ask in between: it ends the round with its question. The "
               "tool's code is the same as before.")
    people.asked.clear()
    stage.say("The same return as before.",
              "A question for a result; requestState is the server's sealed memory.")
    stage.say("The call again, with the answer and the state.", "One more question.")
    stage.say("And again, with the second answer.", "Done: resultType says complete.")
    result = client.call_tool("return_item", {"order_id": "1001", "sku": "KB-201"})
    stage.check(result["content"][0]["text"] == "KB-201 of order 1001 is returned: damaged.", "the item is returned")
    stage.check(len(people.asked) == 2, "the user was asked twice")
    stage.step("Listening", "One request that stays open is the stream on which changes come.")
    people.updated.clear()
    with client.listen(uris=[DEMO_PRODUCT]) as stream:
        stage.check(stream.agreed == {"resourceSubscriptions": [DEMO_PRODUCT]}, "the server agreed to tell of changes")
        stage.say("An order again.", "Done.")
        client.call_tool("place_order", {"sku": "KB-201", "quantity": 1, "warehouse": "BER"})
        client.poll(2)
        stage.check(people.updated == [DEMO_PRODUCT], "the change came on the stream")
    stage.check(stream.ended, "the stream is closed")


# The frame of the story

def add_demo_arguments(parser: Any) -> None:
    parser.add_argument("--full", action="store_true", help="show every message whole, indented, below its line")
    parser.add_argument("--trace", metavar="FILE",
                        help="record it into FILE as well, for: mcplite trace --view FILE [--html PAGE]")
    parser.epilog = ("The server is examples/inventory.py, the client is mcplite's own; no network is needed.\n\n"
                     "exit status: 0 every answer was as expected; 1 one was not; 2 called wrongly")


def find_example_server() -> str:
    """The path of inventory.py: beside the package in a checkout, inside it where it is installed (setup.cfg)."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    root = os.path.dirname(package)
    folders = [os.path.join(package, "examples")]
    if os.path.isfile(os.path.join(root, "setup.cfg")):
        folders.insert(0, os.path.join(root, "examples"))
    for folder in folders:
        path = os.path.join(folder, "inventory.py")
        if os.path.isfile(path):
            return path
    raise CliError("demo: the example server is not here, since a copied file does not hold it: "
                   "install mcplite with pip, or run make demo in a checkout")


def example_environment() -> dict[str, str | None]:
    """What lets the example import this very mcplite, installed or not."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    inherited = os.environ.get("PYTHONPATH")
    return {"PYTHONPATH": os.path.dirname(package) + (os.pathsep + inherited if inherited else ""),
            "PYTHONDONTWRITEBYTECODE": "1"}


def run_demo(arguments: Any) -> int:
    from tempfile import TemporaryDirectory

    command = [sys.executable, find_example_server()]
    stage = DemoStage(arguments.full, arguments.trace, command)
    began = time.monotonic()
    stage.print_wrapped("The Model Context Protocol, message by message. A client starts the server "
                        "examples/inventory.py; then each writes one line of JSON per message into a pipe.", "")
    stage.print_line()
    stage.print_line("  --> from the client   <-- from the server   ... more than fits (see --full)")
    stage.print_line('  Left out: "jsonrpc": "2.0", which is in every message.')
    with TemporaryDirectory() as folder:
        prices = os.path.join(folder, "prices")
        os.mkdir(prices)
        with open(os.path.join(prices, "spring.csv"), "w") as file:
            file.write("KB-201,79.50\n")
        try:
            demo_session(stage, prices, "2025-11-25")
            demo_session(stage, prices, "2026-07-28")
        except McpError as error:
            stage.check(False, "no error; the story ends here: %s" % error)
    stage.print_line()
    took = time.monotonic() - began
    if stage.failures:
        stage.print_line("%d of %d checks failed; %d messages in %.1f s."
                         % (stage.failures, stage.checks, stage.messages, took), "1;31")
        return 1
    stage.print_line("%d messages, %d checks, all as expected, in %.1f s."
                     % (stage.messages, stage.checks, took), "1;32")
    if arguments.trace is not None:
        stage.print_line("Recorded. See it with: mcplite trace --view %s --html demo.html" % arguments.trace)
    return 0


def demo_session(stage: DemoStage, prices: str, revision: str) -> None:
    """One server from its start to its end, in one revision."""
    people = DemoPeople()
    old = revision == "2025-11-25"
    if old:
        stage.heading("Revision 2025-11-25: a session that begins with a handshake")
        stage.step("Hello", "The client starts the server and speaks first. Here it declares that it can ask the user "
                   "(elicitation), ask a model (sampling) and name open folders (roots).")
    else:
        stage.heading("Revision 2026-07-28: no session, every request carries what it needs")
        stage.step("Discovery", "The same server, started again. Revision and capabilities now stand in _meta of every "
                   "request.")
    stage.begin_session()
    server = WatchedProcess(stage.command, stage.see, example_environment())
    client = Client(lambda: server, revision=revision, timeout=20, roots=[{"uri": new_file_uri(prices), "name": "prices"}],
                    on_elicit=people.on_elicit, on_sample=people.on_sample, on_log=people.logs.append,
                    on_updated=people.updated.append, on_list_changed=people.changed.append if old else None,
                    name="mcplite demo")
    try:
        if old:
            demo_hello(stage, client)
            demo_tools(stage, client)
            demo_news(stage, client, people)
            demo_resources(stage, client, people)
            demo_prompts(stage, client)
            demo_questions(stage, client, people)
            demo_cancel(stage, client)
        else:
            demo_stateless(stage, client, people)
        stage.step("Goodbye", "The client closes the server's input; the server ends by itself, with exit status 0.")
    finally:
        client.close()
        stage.end_session(server.status)
    stage.check(server.status == 0, "the server ended with exit status 0")


def new_file_uri(path: str) -> str:
    from pathlib import Path

    return Path(path).as_uri()
