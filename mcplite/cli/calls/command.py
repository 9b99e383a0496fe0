"""`mcplite tools | resources | prompts | call | read | prompt | complete`: one request to any server.

Here: the commands, each with its words and its outcome. Not here: the connection, its options and what goes wrong with it
(`session`), arguments (`arguments`), questions (`questions`), what is shown while waiting (`screen`), results (`tables`,
`contents`). Rules:

1. Words are read before the server is started; arguments are checked against its schema before they are sent.
2. The result goes to standard output, everything else to standard error.
"""
from __future__ import annotations

from ...client import ResourceNotFound, ServerFault
from ...errors import METHOD_NOT_FOUND, CapabilityError, McpError
from ..terminal import CliError, did_you_mean, printable, size_words, styled
from .arguments import check_call_arguments, fill_arguments, parse_argument_words, parse_pair
from .contents import (
    BinaryPart,
    content_parts,
    is_json_of,
    numbered_path,
    print_json,
    print_parts,
    resource_part,
    safe_text,
    save_part,
    says_the_same,
    without_bytes,
    write_result_file,
)
from .session import CALLED_WRONGLY, STATUS_WORDS, TOOL_FAILED, CallSession, add_server_options
from .tables import (
    TABLE_LINES,
    argument_rows,
    argument_summary,
    example_words,
    first_paragraph,
    print_details,
    print_table,
    prompt_rows,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

    CallOption = tuple[tuple[str, ...], dict[str, Any]]

ARGUMENT_HELP = ("arguments:\n"
                 "  key=value     typed by the tool's schema: a text, a number, yes or no; a list takes its key "
                 "repeatedly\n"
                 "  key:=json     exactly this JSON, as in tags:='[\"a\", \"b\"]'\n"
                 "  key=@file     the text of a file; key:=@file its JSON; - is standard input\n"
                 "  '{...}'       a JSON object of arguments\n"
                 "  @file         a file with a JSON object of arguments")


def save_option(what: str) -> CallOption:
    return ("-o", "--output"), {"metavar": "FILE", "help": "save " + what}


def words_option(what: str) -> CallOption:
    return ("words",), {"metavar": "key=value", "nargs": "*", "default": [], "help": what}


NAMES_OPTION: CallOption = (("names",), {"metavar": "NAME", "nargs": "*", "default": [],
                                         "help": "show these in full (default: list all)"})
CALL_OPTIONS: dict[str, list[CallOption]] = {
    "tools": [NAMES_OPTION],
    "resources": [],
    "prompts": [NAMES_OPTION],
    "call": [
        (("name",), {"metavar": "NAME", "help": "the tool; mcplite tools -- CMD lists them"}),
        words_option("its arguments, see below"),
        (("--arguments",), {"metavar": "JSON", "help": "all arguments as one JSON object"}),
        save_option("images, audio and blobs of the result; a folder will do"),
        (("--no-check",), {"action": "store_true", "help": "send the arguments even where they do not fit the schema, "
                                                           "and take the result whatever the output schema says"})],
    "read": [
        (("uri",), {"metavar": "URI", "help": "its address; mcplite resources -- CMD lists what there is"}),
        save_option("the contents, text or bytes; a folder will do")],
    "prompt": [
        (("name",), {"metavar": "NAME", "help": "the prompt; mcplite prompts -- CMD lists them"}),
        words_option("its arguments, which are texts; key=@file for a file's"),
        save_option("images, audio and blobs of the messages")],
    "complete": [
        (("ref",), {"metavar": "REF", "help": "a prompt's name, or a resource template as resources shows it"}),
        (("argument",), {"metavar": "ARGUMENT", "help": "the argument, or the variable of the template"}),
        (("value",), {"metavar": "VALUE", "nargs": "?", "default": "", "help": "what is typed so far (default: nothing)"}),
        words_option("other arguments that are filled in already")],
}
ASKING_COMMANDS = ("call", "read", "prompt")  # those in which the server may ask something


def request_command(name: str) -> tuple[Callable[[Any], None], Callable[[Any], int]]:
    """What `commands` wants of the command `name`: a function that adds its arguments, and one that runs it."""

    def add_arguments(parser: Any) -> None:
        for flags, options in CALL_OPTIONS[name]:
            parser.add_argument(*flags, **options)
        add_server_options(parser, name in ASKING_COMMANDS)
        parser.epilog = (ARGUMENT_HELP + "\n\n" if name == "call" else "") + STATUS_WORDS

    def run(arguments: Any) -> int:
        read_words, work = CALL_WORK[name]
        words = read_words(arguments)  # before the server is started (1)
        return CallSession(name, arguments).run(lambda session: work(session, words))

    return add_arguments, run


# Lists

def show_tools(session: CallSession, words: None) -> int:
    return show_named(session, "tool", session.client.list_tools, lambda tool: argument_rows(tool.get("inputSchema")))


def show_prompts(session: CallSession, words: None) -> int:
    return show_named(session, "prompt", session.client.list_prompts, prompt_rows)


def show_named(session: CallSession, kind: str, list_entries: Callable[[], Any],
               rows_of: Callable[[Any], list[list[str]]]) -> int:
    """Tools or prompts: a table of all, or some in full."""
    try:
        entries = list(list_entries())
    except CapabilityError:
        entries = []
    wanted = [session.find_entry(kind, entries, name) for name in session.arguments.names]
    if session.arguments.json:
        print_json({kind + "s": wanted or entries})
    elif wanted:
        for number, entry in enumerate(wanted):
            if number:
                print()
            print_details(kind, entry, rows_of(entry), session.width, session.colour)
    elif not entries:
        session.screen.note("note", "the server has no %ss" % kind)
    else:
        rows = [[str(entry.get("name")), argument_summary(rows_of(entry)),
                 first_paragraph(entry.get("description") or entry.get("title"))] for entry in entries]
        print_table([kind.upper(), "ARGUMENTS", "WHAT IT DOES"], rows, session.width, session.colour, limit=TABLE_LINES)
        if session.at_terminal:
            print("\nOne in full: mcplite %ss %s -- CMD" % (kind, printable(str(entries[0].get("name")))))
    return 0


def show_resources(session: CallSession, words: None) -> int:
    resources = list_or_nothing(session.client.list_resources)
    templates = list_or_nothing(session.client.list_resource_templates)
    if session.arguments.json:
        print_json({"resources": resources, "resourceTemplates": templates})
        return 0
    if not resources and not templates:
        session.screen.note("note", "the server has no resources")
        return 0
    for entries, head, member in ((resources, "RESOURCE", "uri"), (templates, "TEMPLATE", "uriTemplate")):
        if entries:
            size = "SIZE" if entries is resources else ""
            print_table([head, "TYPE", size, "WHAT IT IS"], [resource_row(entry, member) for entry in entries],
                        session.width, session.colour)
        if resources and templates and entries is resources:
            print()
    if templates and session.at_terminal:
        print("\nA template becomes an address when its {names} are filled in: mcplite read URI -- CMD")
    return 0


def list_or_nothing(list_entries: Callable[[], Any]) -> list[dict[str, Any]]:
    """Everything listed; nothing where the server has no such list."""
    try:
        return list(list_entries())
    except CapabilityError:
        return []
    except McpError as error:
        if error.code != METHOD_NOT_FOUND:
            raise
        return []


def resource_row(entry: dict[str, Any], member: str) -> list[str]:
    size = entry.get("size")
    return [str(entry.get(member)), str(entry.get("mimeType") or ""),
            size_words(int(size)) if isinstance(size, (int, float)) and not isinstance(size, bool) else "",
            first_paragraph(entry.get("description") or entry.get("title") or entry.get("name"))]


# Requests

def call_one_tool(session: CallSession, words: Any) -> int:
    given, client = session.arguments, session.client
    schema: Any = None
    if not given.no_check:
        schema = session.find_entry("tool", client.list_tools(), given.name).get("inputSchema")
    arguments = fill_arguments(words, schema)
    if given.no_check:
        client.check_results = False
    else:
        remark = check_call_arguments("call", given.name, schema, arguments)
        if remark is not None:
            session.screen.note("warning", remark, "33")
    try:
        result = client.call_tool(given.name, arguments, on_progress=session.on_progress())
    except ServerFault as error:        # a result against its own schema is shown all the same: it says what is wrong
        if not isinstance(error.data, dict) or not isinstance(error.data.get("result"), dict):
            raise
        show_tool_result(session, error.data["result"])
        raise
    return show_tool_result(session, result)


def show_tool_result(session: CallSession, result: dict[str, Any]) -> int:
    """Print what a tool gave; returns the exit status."""
    given = session.arguments
    session.screen.clear_bar()
    failed = result.get("isError") is True
    parts = content_parts(result.get("content", []))
    if given.json:
        print_json(result)
        if given.output is not None:
            print_parts([part for part in parts if not isinstance(part, str)], given.output, session.at_terminal, "call",
                        session.screen.note)
        return TOOL_FAILED if failed else 0
    if failed:
        why = "\n".join(safe_text(part, True) for part in parts if isinstance(part, str)) or "it does not say why"
        session.screen.write_line("mcplite: call: %s failed: %s" % (printable(given.name), why), "31")
        return TOOL_FAILED
    structured = result.get("structuredContent")
    texts = [part for part in parts if isinstance(part, str)]
    has_structured = "structuredContent" in result and not says_the_same(texts, structured)
    if has_structured:
        parts = [part for part in parts if not is_json_of(part, structured)]
    if parts or given.output is not None:
        print_parts(parts, given.output, session.at_terminal, "call", session.screen.note, not has_structured)
    if has_structured:
        print_json(without_bytes(structured, parts))
    elif not parts:
        session.screen.note("note", "done; the result is empty")
    return 0


def read_one_resource(session: CallSession, words: None) -> int:
    given = session.arguments
    try:
        result = session.client.read_resource(given.uri, on_progress=session.on_progress())
    except ResourceNotFound as error:
        hint = "fill in what stands in braces" if "{" in given.uri else "mcplite resources -- CMD lists what there is"
        if given.json:
            raise
        raise CliError("read: the server has no resource %s (error %d: %s); %s"
                       % (given.uri, error.code, printable(error.message), hint), status=CALLED_WRONGLY) from None
    session.screen.clear_bar()
    if given.json:
        print_json(result)
        return 0
    contents = result.get("contents")
    items = contents if isinstance(contents, list) else []
    if given.output is not None:
        save_contents(session, items)
        return 0
    for item in items:
        if len(items) > 1 and isinstance(item, dict):
            session.screen.note("contents", ("%s %s" % (item.get("uri"), item.get("mimeType") or "")).rstrip())
        print_parts([resource_part(item)], None, session.at_terminal, "read", session.screen.note, len(items) == 1)
    if not items:
        session.screen.note("note", "the resource is empty")
    return 0


def save_contents(session: CallSession, items: list[Any]) -> None:
    """Texts as well as bytes go to files."""
    for number, item in enumerate(items):
        part = resource_part(item)
        if isinstance(part, BinaryPart):
            save_part(part, numbered_path(session.arguments.output, number, part), "read", session.screen.note)
            continue
        data = part.encode("utf-8", "surrogatepass")
        known = item if isinstance(item, dict) else {}
        path = numbered_path(session.arguments.output, number, BinaryPart("text", known.get("mimeType"), None, known.get("uri")))
        write_result_file(path, data, "read")
        session.screen.note("saved", "%s (text, %s)" % (path, size_words(len(data))))
    if not items:
        session.screen.note("note", "the resource is empty: nothing was saved")


def read_prompt_words(arguments: Any) -> dict[str, str]:
    values = {}
    for word in arguments.words:
        key, is_json, value = parse_pair("prompt", word)
        if is_json and not isinstance(value, str):
            raise CliError("prompt: %s: arguments of a prompt are texts" % word, status=CALLED_WRONGLY)
        values[key] = value
    return values


def get_one_prompt(session: CallSession, values: dict[str, str]) -> int:
    given = session.arguments
    prompt = session.find_entry("prompt", session.client.list_prompts(), given.name)
    check_prompt_words(prompt, given.name, values)
    result = session.client.get_prompt(given.name, values, on_progress=session.on_progress())
    session.screen.clear_bar()
    if given.json:
        print_json(result)
        return 0
    messages = result.get("messages")
    binaries: list[Any] = []
    for number, message in enumerate(messages if isinstance(messages, list) else []):
        message = message if isinstance(message, dict) else {"content": message}
        if number:
            print()
        head = "%s:" % printable(str(message.get("role")))
        print(styled(head, "1", session.colour))
        for part in content_parts(message.get("content")):
            if isinstance(part, BinaryPart):
                binaries.append(part)
                print("[%s]" % part.describe())
            else:
                print(safe_text(part, session.at_terminal))
    if binaries:
        print_parts(binaries, given.output, True, "prompt", session.screen.note)
    return 0


def check_prompt_words(prompt: dict[str, Any], name: str, values: dict[str, str]) -> None:
    rows = prompt_rows(prompt)
    known = [row[0] for row in rows]
    for key in values:
        if key not in known:
            guess = did_you_mean(key, known, "; it has: %s" % (", ".join(known) or "none"))
            raise CliError('prompt: %s has no argument "%s"%s' % (name, key, guess), status=CALLED_WRONGLY)
    missing = [row[0] for row in rows if row[2] == "yes" and row[0] not in values]
    if missing:
        example = example_words([[key, "", "yes", ""] for key in missing])
        raise CliError("prompt: %s needs %s; add%s" % (name, ", ".join(missing), example), status=CALLED_WRONGLY)


def read_complete_words(arguments: Any) -> dict[str, str]:
    return {key: str(value) for key, _, value in (parse_pair("complete", word) for word in arguments.words)}


def complete_one(session: CallSession, filled: dict[str, str]) -> int:
    given = session.arguments
    result = session.client.complete(given.ref, given.argument, given.value, filled or None)
    if given.json:
        print_json(result)
        return 0
    completion = result.get("completion")
    completion = completion if isinstance(completion, dict) else {}
    values = completion.get("values")
    values = values if isinstance(values, list) else []
    for value in values:
        print(safe_text(str(value), session.at_terminal))
    total = completion.get("total")
    if completion.get("hasMore") is True or isinstance(total, int) and total > len(values):
        in_all = " (%s in all)" % total if total is not None else ""
        session.screen.note("note", "there are more%s: type more of the value" % in_all)
    elif not values:
        session.screen.note("note", "nothing fits")
    return 0


CALL_WORK: dict[str, tuple[Callable[[Any], Any], Callable[[CallSession, Any], int]]] = {
    "tools": (lambda arguments: None, show_tools),
    "resources": (lambda arguments: None, show_resources),
    "prompts": (lambda arguments: None, show_prompts),
    "call": (lambda arguments: parse_argument_words("call", arguments.words, arguments.arguments), call_one_tool),
    "read": (lambda arguments: None, read_one_resource),
    "prompt": (read_prompt_words, get_one_prompt),
    "complete": (read_complete_words, complete_one),
}
