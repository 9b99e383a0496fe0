"""`mcplite tools | resources | prompts | call | read | prompt | complete`: one request to any server.

Here: the commands, each with its words and its outcome. Not here: the connection,
its options and what goes wrong with it
(`session`), arguments (`arguments`), questions (`questions`), what is shown while waiting
(`screen`), results (`show`). Rules:

1. Words are read before the server is started; arguments are checked against its schema before they are sent.
2. The result goes to standard output, everything else to standard error.
"""
from __future__ import annotations

from ...client import ResourceNotFound
from ...client_wire import ServerFault
from ...errors import METHOD_NOT_FOUND, CapabilityError, McpError
from ..terminal import CliError, nearest_name, printable, size_words
from .arguments import check_call_arguments, fill_arguments, parse_argument_words, parse_pair
from .session import CALLED_WRONGLY, STATUS_WORDS, TOOL_FAILED, CallSession, add_server_options
from .show import (
    TABLE_LINES,
    BinaryPart,
    argument_rows,
    argument_summary,
    content_parts,
    example_words,
    first_paragraph,
    is_json_of,
    numbered_path,
    print_details,
    print_json,
    print_parts,
    print_table,
    prompt_rows,
    resource_part,
    safe_text,
    save_part,
    says_the_same,
    without_bytes,
    write_result_file,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

ARGUMENT_HELP = ("arguments:\n"
                 "  key=value     typed by the tool's schema: a text, a number, yes or no; a list takes its key "
                 "repeatedly\n"
                 "  key:=json     exactly this JSON, as in tags:='[\"a\", \"b\"]'\n"
                 "  key=@file     the text of a file; key:=@file its JSON; - is standard input\n"
                 "  '{...}'       a JSON object of arguments\n"
                 "  @file         a file with a JSON object of arguments")


# Options

def add_tools_arguments(parser: Any) -> None:
    parser.add_argument("names", metavar="NAME", nargs="*", default=[], help="show these in full (default: list all)")
    add_server_options(parser, with_questions=False)
    parser.epilog = STATUS_WORDS


def add_prompts_arguments(parser: Any) -> None:
    add_tools_arguments(parser)


def add_resources_arguments(parser: Any) -> None:
    add_server_options(parser, with_questions=False)
    parser.epilog = STATUS_WORDS


def add_call_arguments(parser: Any) -> None:
    parser.add_argument("name", metavar="NAME", help="the tool; mcplite tools -- CMD lists them")
    parser.add_argument("words", metavar="key=value", nargs="*", default=[], help="its arguments, see below")
    parser.add_argument("--arguments", metavar="JSON", help="all arguments as one JSON object")
    parser.add_argument("-o", "--output", metavar="FILE",
                        help="save images, audio and blobs of the result; a folder will do")
    parser.add_argument("--no-check", action="store_true",
                        help="send the arguments even where they do not fit the schema, "
                        "and take the result whatever the output schema says")
    add_server_options(parser)
    parser.epilog = ARGUMENT_HELP + "\n\n" + STATUS_WORDS


def add_read_arguments(parser: Any) -> None:
    parser.add_argument("uri", metavar="URI", help="its address; mcplite resources -- CMD lists what there is")
    parser.add_argument("-o", "--output", metavar="FILE", help="save the contents, text or bytes; a folder will do")
    add_server_options(parser)
    parser.epilog = STATUS_WORDS


def add_prompt_arguments(parser: Any) -> None:
    parser.add_argument("name", metavar="NAME", help="the prompt; mcplite prompts -- CMD lists them")
    parser.add_argument("words", metavar="key=value", nargs="*", default=[],
                        help="its arguments, which are texts; key=@file for a file's")
    parser.add_argument("-o", "--output", metavar="FILE", help="save images, audio and blobs of the messages")
    add_server_options(parser)
    parser.epilog = STATUS_WORDS


def add_complete_arguments(parser: Any) -> None:
    parser.add_argument("ref", metavar="REF", help="a prompt's name, or a resource template as resources shows it")
    parser.add_argument("argument", metavar="ARGUMENT", help="the argument, or the variable of the template")
    parser.add_argument("value", metavar="VALUE", nargs="?", default="", help="what is typed so far (default: nothing)")
    parser.add_argument("words", metavar="key=value", nargs="*", default=[],
                        help="other arguments that are filled in already")
    add_server_options(parser, with_questions=False)
    parser.epilog = STATUS_WORDS


# Lists

def run_tools(arguments: Any) -> int:
    return CallSession("tools", arguments).run(lambda session: show_named(
        session, "tool", session.client.list_tools, lambda entry: argument_rows(entry.get("inputSchema"))))


def run_prompts(arguments: Any) -> int:
    return CallSession("prompts", arguments).run(lambda session: show_named(
        session, "prompt", session.client.list_prompts, prompt_rows))


def show_named(session: CallSession, kind: str, list_entries: Callable[[], Any],
               rows_of: Callable[[Any], list[list[str]]]) -> int:
    """Tools or prompts: a table of all, or some in full."""
    session.set_log_level()
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


def run_resources(arguments: Any) -> int:
    return CallSession("resources", arguments).run(show_resources)


def show_resources(session: CallSession) -> int:
    session.set_log_level()
    resources = list_or_nothing(session.client.list_resources)
    templates = list_or_nothing(session.client.list_resource_templates)
    if session.arguments.json:
        print_json({"resources": resources, "resourceTemplates": templates})
        return 0
    if not resources and not templates:
        session.screen.note("note", "the server has no resources")
        return 0
    if resources:
        print_table(["RESOURCE", "TYPE", "SIZE", "WHAT IT IS"], [resource_row(entry, "uri") for entry in resources],
                    session.width, session.colour)
    if templates:
        if resources:
            print()
        print_table(["TEMPLATE", "TYPE", "", "WHAT IT IS"], [resource_row(entry, "uriTemplate") for entry in templates],
                    session.width, session.colour)
        if session.at_terminal:
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

def run_call(arguments: Any) -> int:
    words = parse_argument_words("call", arguments.words, arguments.arguments)
    return CallSession("call", arguments).run(lambda session: call_one_tool(session, words))


def call_one_tool(session: CallSession, words: Any) -> int:
    given, client = session.arguments, session.client
    session.set_log_level()
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
            print_parts([part for part in parts if not isinstance(part, str)], given.output, session.at_terminal,
                        "call",
                        session.screen.note)
        return TOOL_FAILED if failed else 0
    if failed:
        texts = [safe_text(part, True) for part in parts if isinstance(part, str)]
        session.screen.write_line("mcplite: call: %s failed: %s" % (printable(given.name),
                                                                    "\n".join(texts) or "it does not say why"), "31")
        return TOOL_FAILED
    structured = result.get("structuredContent")
    has_structured = "structuredContent" in result and not says_the_same(
        [part for part in parts if isinstance(part, str)], structured)
    if has_structured:
        parts = [part for part in parts if not is_json_of(part, structured)]
    if parts or given.output is not None:
        print_parts(parts, given.output, session.at_terminal, "call", session.screen.note, not has_structured)
    if has_structured:
        print_json(without_bytes(structured, parts))
    elif not parts:
        session.screen.note("note", "done; the result is empty")
    return 0


def run_read(arguments: Any) -> int:
    return CallSession("read", arguments).run(read_one_resource)


def read_one_resource(session: CallSession) -> int:
    given = session.arguments
    session.set_log_level()
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
        named = BinaryPart("text", item.get("mimeType") if isinstance(item, dict) else "", None,
                           item.get("uri") if isinstance(item, dict) else None)
        path = numbered_path(session.arguments.output, number, named)
        write_result_file(path, data, "read")
        session.screen.note("saved", "%s (text, %s)" % (path, size_words(len(data))))
    if not items:
        session.screen.note("note", "the resource is empty: nothing was saved")


def run_prompt(arguments: Any) -> int:
    values = {}
    for word in arguments.words:
        key, is_json, value = parse_pair("prompt", word)
        if is_json and not isinstance(value, str):
            raise CliError("prompt: %s: arguments of a prompt are texts" % word, status=CALLED_WRONGLY)
        values[key] = value
    return CallSession("prompt", arguments).run(lambda session: get_one_prompt(session, values))


def get_one_prompt(session: CallSession, values: dict[str, str]) -> int:
    given = session.arguments
    session.set_log_level()
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
        print("\033[1m%s\033[0m" % head if session.colour else head)
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
            near = nearest_name(key, known)
            raise CliError('prompt: %s has no argument "%s"%s' % (
                name, key, '; did you mean "%s"?' % near if near else "; it has: %s" % (", ".join(known) or "none")),
                status=CALLED_WRONGLY)
    missing = [row[0] for row in rows if row[2] == "yes" and row[0] not in values]
    if missing:
        raise CliError("prompt: %s needs %s; add%s" % (name, ", ".join(missing),
                                                       example_words([[key, "", "yes", ""] for key in missing])),
                       status=CALLED_WRONGLY)


def run_complete(arguments: Any) -> int:
    filled = {}
    for word in arguments.words:
        key, _, value = parse_pair("complete", word)
        filled[key] = value if isinstance(value, str) else str(value)
    return CallSession("complete", arguments).run(lambda session: complete_one(session, filled))


def complete_one(session: CallSession, filled: dict[str, str]) -> int:
    given = session.arguments
    session.set_log_level()
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
