"""Every check of `mcplite check`: its name, how severe a finding is, what is tried, who suffers, and the page that
says so.

Here: the tables CHECKS and CASES. Not here: how a check is made (search its name: `lines`, `messages`, `shapes`, `schemas` for
whatever comes, `steps`, `handshake`, `stateless` for what is tried), what a finding is (`findings`). Rules:

1. A name is for ever: programs and baselines rely on it.
2. error: a MUST is broken, or the result is unreadable, and some client fails on it. warning: something is lost in
   some host though no MUST is broken, or a MUST is broken that no client we know stumbles over. note: a difference
   that no client minds, or what is allowed but worth knowing.
3. `why` names what was seen with real clients, or what follows from the rule; never a guess about a product.
4. A reason is about the very thing that was found. What a check finds beside the matter of its row is a row of CASES,
   with its own severity and reason; a severity without a reason is given only where the row's reason holds as it is.
"""
from __future__ import annotations

ERROR, WARNING, NOTE = "error", "warning", "note"
SEVERITIES = (ERROR, WARNING, NOTE)
CHECK_PAGE_ADDRESS = "https://modelcontextprotocol.io/specification/%s/%s"

# Where a subject stands: (from this revision on, page). Several checks share a page.
STDIO_PAGE = (("2024-11-05", "basic/transports#stdio"), ("2026-07-28", "basic/transports/stdio"))
RECEIVING_PAGE = (("2024-11-05", "basic/transports#stdio"), ("2026-07-28", "basic/transports/stdio#receiving-messages"))
RESPONSE_PAGE = (("2024-11-05", "basic/messages#responses"), ("2025-03-26", "basic#responses"))
NOTIFICATION_PAGE = (("2024-11-05", "basic/messages#notifications"), ("2025-03-26", "basic#notifications"))
MESSAGES_PAGE = (("2024-11-05", "basic/messages"), ("2025-03-26", "basic#messages"))
SHUTDOWN_PAGE = (("2024-11-05", "basic/lifecycle#shutdown"), ("2026-07-28", "basic/transports/stdio#shutdown"))
INITIALIZE_PAGE = (("2024-11-05", "basic/lifecycle#initialization"),)
START_PAGE = INITIALIZE_PAGE + (("2026-07-28", "basic/transports/stdio"),)
NEGOTIATION_PAGE = (("2024-11-05", "basic/lifecycle#version-negotiation"),)
OPERATION_PAGE = (("2024-11-05", "basic/lifecycle#capability-negotiation"), ("2026-07-28", "basic#_meta"))
COMPATIBILITY_PAGE = (("2026-07-28", "basic/transports/stdio#backward-compatibility"),)
TOOL_PAGE = (("2024-11-05", "server/tools#tool"),)
TOOL_NAMES_PAGE = (("2025-11-25", "server/tools#tool-names"),)
TOOL_ERRORS_PAGE = (("2024-11-05", "server/tools#error-handling"),)
SCHEMA_PAGE = (("2025-11-25", "basic#json-schema-usage"),)
SCHEMA_DIALECT_PAGE = (("2025-11-25", "basic#schema-dialect"),)
SCHEMA_REF_PAGE = (("2026-07-28", "basic#ref-resolution"),)
OUTPUT_PAGE = (("2025-06-18", "server/tools#output-schema"),)
CANCELLATION_PAGE = (
    ("2024-11-05", "basic/utilities/cancellation#error-handling"),
    ("2026-07-28", "basic/patterns/cancellation#error-handling"),
)
PROGRESS_PAGE = (
    ("2024-11-05", "basic/utilities/progress#behavior-requirements"),
    ("2026-07-28", "basic/patterns/progress#behavior-requirements"),
)
PAGINATION_PAGE = (("2024-11-05", "server/utilities/pagination#response-format"),)
CURSOR_PAGE = (("2024-11-05", "server/utilities/pagination#error-handling"),)
LOGGING_PAGE = (("2024-11-05", "server/utilities/logging#log-message-notifications"),)
META_PAGE = (("2026-07-28", "basic#_meta"),)
CACHING_PAGE = (("2026-07-28", "server/utilities/caching#cacheable-results"),)
LISTEN_PAGE = (("2026-07-28", "basic/patterns/subscriptions#acknowledgment"),)

TYPESCRIPT_REJECTS = "TypeScript clients reject the whole result: the list, the call or the connection fails."
HANGS = "The request hangs in the client until its time limit, which may be a minute or for ever."


class CheckRow:
    """One check. `pages` are pairs (from this revision on, page of the specification)."""

    __slots__ = ("name", "pages", "severity", "title", "why")

    def __init__(self, name: str, severity: str, title: str, why: str, pages: tuple[tuple[str, str], ...]) -> None:
        self.name, self.severity, self.title, self.why, self.pages = name, severity, title, why, pages

    def cite(self, revision: str) -> tuple[str, str]:
        """(revision, page) where the rule stands: in `revision`, or in the nearest revision that states it."""
        found: tuple[str, str] | None = None
        for since, page in self.pages:
            if found is None or since <= revision:  # ISO dates are in order as text
                found = (max(since, revision), page)
        assert found is not None
        return found


CHECKS: dict[str, CheckRow] = {row.name: row for row in (
    # -- the process
    CheckRow("start-time", WARNING, "The first answer comes soon",
             "Hosts start every server before the user can work; Python clients give the first probe 10 "
             "seconds.", START_PAGE),
    CheckRow("exit-at-end", WARNING, "The server ends when its input ends",
             "Clients wait 2 seconds, then send SIGTERM, then kill. A host that dies cannot: the process "
             "stays for ever.", SHUTDOWN_PAGE),
    CheckRow("exit-status", WARNING, "The server ends with status 0 at the end of input",
             "Hosts log another status as a crash, and some start the server again.", SHUTDOWN_PAGE),
    CheckRow("orphans", WARNING, "No process is left behind",
             "Only a few hosts end the whole process group: what the server started piles up.", SHUTDOWN_PAGE),
    CheckRow("last-answers", NOTE, "What was asked before the end of input is still answered",
             "A script that pipes requests in (printf ... | server) gets nothing.", SHUTDOWN_PAGE),
    CheckRow("reader-gone", WARNING, "The server ends quietly when nobody reads its output any more",
             "When the host goes first, the process stays for ever.", SHUTDOWN_PAGE),
    CheckRow("stderr-flood", WARNING, "Standard error is used sparingly",
             "A host that does not read it stops the server when the pipe is full (about 64 KiB); others "
             "fill their log.", STDIO_PAGE),
    CheckRow("traceback", NOTE, "No traceback on standard error",
             "Hosts show standard error to users, and often take a traceback for a crash.", STDIO_PAGE),
    # -- lines
    CheckRow("stdout-noise", ERROR, "Standard output carries nothing but messages",
             "Clients of the official SDKs skip such a line; stricter hosts close the connection, and text "
             "that lands inside a message destroys it.", STDIO_PAGE),
    CheckRow("utf8", ERROR, "Messages are UTF-8",
             "Python clients lose the connection for good at the first byte that is not.", STDIO_PAGE),
    CheckRow("bom", ERROR, "No byte order mark",
             "No client reads the message behind it: connecting hangs.", STDIO_PAGE),
    CheckRow("one-line", ERROR, "One message is one line, ended by LF",
             "No client joins lines: every request hangs.", STDIO_PAGE),
    CheckRow("blank-lines", ERROR, "No blank lines between messages",
             "Python 1.x clients fail when they close the session.", STDIO_PAGE),
    CheckRow("crlf", NOTE, "Lines end in LF alone",
             "All clients tried take CR LF; a strict reader sees a stray CR.", STDIO_PAGE),
    CheckRow("nan", ERROR, "Numbers are JSON: no NaN, no Infinity",
             "TypeScript clients drop the line. " + HANGS, MESSAGES_PAGE),
    CheckRow("lone-surrogate", ERROR, "No half of a surrogate pair stands alone",
             "Python clients drop the line. " + HANGS, STDIO_PAGE),
    CheckRow("raw-separators", NOTE, "U+2028, U+2029 and U+0085 are escaped",
             "Legal, and all clients tried take it; readers that split lines the Unicode way cut the "
             "message in two.", STDIO_PAGE),
    CheckRow("line-length", WARNING, "Lines stay under 10 MB",
             "TypeScript clients close the connection at 10 MB.", STDIO_PAGE),
    CheckRow("nesting", WARNING, "Messages are not nested hundreds of levels deep",
             "Python clients drop what is nested too deeply. " + HANGS, MESSAGES_PAGE),
    # -- messages
    CheckRow("jsonrpc", ERROR, 'Every message has "jsonrpc": "2.0"',
             "Every client drops the message. " + HANGS, MESSAGES_PAGE),
    CheckRow("message-form", ERROR, "What comes is a request, a response or a notification",
             "Clients drop what they cannot read. " + HANGS, MESSAGES_PAGE),
    CheckRow("response-members", ERROR, "A response has jsonrpc, id and one of result and error, nothing else",
             "TypeScript clients silently drop it. " + HANGS, RESPONSE_PAGE),
    CheckRow("error-object", ERROR, "An error has an integer code and a string message",
             "Clients lose the error. " + HANGS, RESPONSE_PAGE),
    CheckRow("response-array", ERROR, "Responses do not come in an array",
             "No client reads them: connecting hangs.", MESSAGES_PAGE),
    CheckRow("id-echo", ERROR, "A response has the id of its request, with the same type",
             "A client that compares strictly never finds the request. " + HANGS, RESPONSE_PAGE),
    CheckRow("answer-once", ERROR, "A request is answered once",
             "Python 1.x clients fail when they close the session; others take the second answer for "
             "another request's.", RESPONSE_PAGE),
    CheckRow("stray-response", WARNING, "Nothing is answered that was not asked",
             "Official SDK clients skip it; a client that counts replies goes one out of step.", RESPONSE_PAGE),
    CheckRow("notification-reply", ERROR, "Notifications and responses get no reply",
             "Strict hosts drop the connection, lenient ones go one reply out of step.", NOTIFICATION_PAGE),
    CheckRow("unasked-request", ERROR, "The server asks only for what the client has declared, and nothing at 2026-07-28",
             "The client refuses, and the server may wait for ever.",
             (("2024-11-05", "basic/lifecycle#capability-negotiation"),
              ("2026-07-28", "basic/transports/stdio#receiving-messages"))),
    CheckRow("server-notification", WARNING, "Notifications are ones that the revision knows, with their parameters",
             "Clients drop them, or log an error for each.", NOTIFICATION_PAGE),
    CheckRow("progress", ERROR, "Progress names the token of a request in flight, and increases",
             "Several hosts close the connection at a token they never gave.", PROGRESS_PAGE),
    CheckRow("log-message", ERROR, "A log message has one of the eight levels, and data",
             "Clients cannot read it, and drop it or fail.", LOGGING_PAGE),
    CheckRow("log-declared", NOTE, "Log messages are sent only where logging is declared",
             "No client minds; a host may show them to nobody, since nothing told it that they come.",
             (("2024-11-05", "server/utilities/logging#capabilities"),)),
    CheckRow("log-unasked", WARNING, "No log messages for a request that did not ask for them",
             "No client fails on it: they are dropped.", (("2026-07-28", "server/utilities/logging#per-request-log-level"),)),
    CheckRow("late-output", WARNING, "Nothing is sent after the end of input but answers",
             "Python 1.x clients fail when they close the session.", SHUTDOWN_PAGE),
    # -- handshake
    CheckRow("initialize", ERROR, "initialize is answered with a result",
             "No client of 2024 or 2025 can connect.", INITIALIZE_PAGE),
    CheckRow("initialize-result", ERROR, "The result of initialize has version, capabilities, and serverInfo with name and version",
             "Every client that shakes hands fails to connect.", INITIALIZE_PAGE),
    CheckRow("version", ERROR, "The version asked for is answered where the server has it, else another that exists",
             "A client drops the connection when it does not know the version.", NEGOTIATION_PAGE),
    CheckRow("version-unknown", ERROR, "An unknown version is answered with one that the server has",
             "The first host that is newer than the server cannot connect.", NEGOTIATION_PAGE),
    CheckRow("before-initialized", WARNING, "Requests between initialize and notifications/initialized are answered",
             "Hosts send ping or logging/setLevel at once; the connection hangs.", INITIALIZE_PAGE),
    CheckRow("discover-refusal", ERROR, "A server without 2026-07-28 refuses server/discover, and initialize still works",
             "New clients probe with it first: Python ones give up when the process ends.", COMPATIBILITY_PAGE),
    CheckRow("ping", ERROR, "ping is answered with an empty result",
             "A host takes the connection for dead and ends the server.",
             (("2024-11-05", "basic/utilities/ping#behavior-requirements"),)),
    CheckRow("newer-members", NOTE, "Nothing is sent that the revision does not know",
             "Clients ignore what they do not know; a strict validator does not.",
             (("2024-11-05", "basic/lifecycle#operation"),)),
    CheckRow("batch", WARNING, "A batch is answered in 2025-03-26, and survived in the others",
             "No client tried sends batches. A server that falls over at one loses its session.",
             (("2024-11-05", "basic/messages"), ("2025-03-26", "basic#batching"), ("2025-06-18", "basic#messages"))),
    # -- what comes in
    CheckRow("bad-json", ERROR, "A line that is not JSON does not end the session",
             "One stray line from a wrapper, and every later request fails.", MESSAGES_PAGE),
    CheckRow("bad-utf8", ERROR, "A line that is not UTF-8 does not end the session",
             "One bad byte, and every later request fails.", STDIO_PAGE),
    CheckRow("blank-input", ERROR, "Blank lines are passed over without a word",
             "One stray line feed, and every later request fails.", STDIO_PAGE),
    CheckRow("crlf-input", ERROR, "A line that ends in CR LF is read",
             "Clients on Windows, and everything that writes in text mode there, cannot talk to the server.",
             STDIO_PAGE),
    CheckRow("unicode-input", ERROR, "Text outside ASCII comes back unchanged",
             "Every name with an accent is garbled, on the way in or out.", STDIO_PAGE),
    CheckRow("large-input", ERROR, "A line of one megabyte is read",
             "One large document as an argument ends the session.", STDIO_PAGE),
    CheckRow("unknown-method", ERROR, "An unknown method is refused with code -32601",
             "A client that tries whether the server has a method takes this for a yes.", RESPONSE_PAGE),
    # -- capabilities and lists
    CheckRow("declared-served", ERROR, "What is declared is served",
             "Clients call what is declared, and raise at the refusal.", OPERATION_PAGE),
    CheckRow("served-declared", WARNING, "What is served is declared",
             "Hosts do not ask for what is not declared: nobody sees it.", OPERATION_PAGE),
    CheckRow("null-member", ERROR, "A member without a value is left out, not null",
             TYPESCRIPT_REJECTS, (("2024-11-05", "server/tools#data-types"), ("2025-11-25", "schema"))),
    CheckRow("cursor-loop", ERROR, "The pages of a list come to an end",
             "A client that follows cursors never comes back, or gives up.", PAGINATION_PAGE),
    CheckRow("page-repeats", WARNING, "No entry is on two pages of a list",
             "Hosts show it twice, or drop it as a duplicate.", PAGINATION_PAGE),
    CheckRow("bad-cursor", NOTE, "An invalid cursor is refused with code -32602",
             "A client with a stale cursor gets entries all the same, and cannot tell that they are others.", CURSOR_PAGE),
    CheckRow("tools-list", ERROR, "The list of tools has the form of the schema",
             "Clients reject the whole list because of one entry.", (("2024-11-05", "server/tools#listing-tools"),)),
    CheckRow("tool-name", WARNING, "Tool names have 1 to 128 letters of ASCII, digits, _, - and dots",
             "Hosts hand names to models, which take letters, digits, _ and -, most of them at most 64.",
             TOOL_NAMES_PAGE),
    CheckRow("tool-duplicate", WARNING, "Tool names are unique",
             "Of two tools with one name hosts show or call either.", TOOL_NAMES_PAGE),
    CheckRow("tool-description", WARNING, "Every tool says what it does",
             "The model has nothing but the name to choose by.", TOOL_PAGE),
    CheckRow("input-schema", ERROR, 'inputSchema is an object with "type": "object"',
             "All clients but Python 1.x reject the whole list.", TOOL_PAGE),
    CheckRow("input-properties", WARNING, "inputSchema has properties, be it empty ones",
             "Some hosts reject the whole list without a word, though the specification allows it.", TOOL_PAGE),
    CheckRow("output-schema-root", ERROR, 'Up to 2025-11-25, outputSchema has "type": "object"',
             "TypeScript clients drop the whole list.", (("2025-06-18", "server/tools#tool"),)),
    CheckRow("schema", ERROR, "Schemas are valid",
             "Hosts hand the schema to the interface of a model, and some compile it first: what cannot be "
             "read is refused, the tool with it.", SCHEMA_PAGE),
    CheckRow("schema-reference", ERROR, "Every $ref in a schema leads somewhere inside it",
             "Nothing is fetched: who reads the schema does not know what the argument is.", SCHEMA_REF_PAGE),
    CheckRow("schema-dialect", NOTE, "Schemas are written in 2020-12 (or draft-07)",
             "A host that checks arguments before a call leaves these unchecked.",
             SCHEMA_DIALECT_PAGE),
    CheckRow("schema-pattern", NOTE, "Patterns are ones that every client can compile",
             "A host that checks arguments before a call cannot compile it, or leaves them unchecked: Python "
             "does not know all that JavaScript knows, nor the other way round.", SCHEMA_PAGE),
    CheckRow("model-schema", NOTE, "inputSchema is one that models can be given as it is",
             "Model interfaces refuse anyOf, oneOf, allOf at the top; hosts rewrite such a schema or leave the "
             "tool out.", SCHEMA_PAGE),
    # -- tools
    CheckRow("unknown-tool", WARNING, "An unknown tool is an error",
             "Taken for a success, the model builds on an answer that is none.", TOOL_ERRORS_PAGE),
    CheckRow("call-params", WARNING, "tools/call without a name is refused with code -32602",
             "A malformed request is taken for a good one.", TOOL_ERRORS_PAGE),
    CheckRow("bad-arguments", WARNING, "Arguments that do not fit the schema are refused, so that the model can correct them",
             "The tool runs with values it did not expect.", TOOL_ERRORS_PAGE),
    CheckRow("call-result", ERROR, "The result of a call has the form of the schema",
             "Every client fails the call.", (("2024-11-05", "server/tools#tool-result"),)),
    CheckRow("structured-content", ERROR, "A tool with an outputSchema answers with structuredContent that fits it",
             "Every client that knows the schema fails the call.", OUTPUT_PAGE),
    CheckRow("structured-text", WARNING, "Structured content comes as text, too",
             "Clients that read text only see an empty answer.", (("2025-06-18", "server/tools#structured-content"),)),
    CheckRow("cancel-unknown", ERROR, "Cancelling what is not running is ignored",
             "Clients cancel after a time-out, when the answer may be under way: the server must live.",
             CANCELLATION_PAGE),
    CheckRow("cancel-running", WARNING, "A cancelled request gets no error reply",
             "Some hosts end the connection at an answer to a request they have given up.",
             (("2024-11-05", "basic/utilities/cancellation#behavior-requirements"),
              ("2026-07-28", "basic/transports/stdio#cancellation"))),
    CheckRow("log-level", WARNING, "logging/setLevel takes the eight levels and refuses others",
             "A host sets its level right after connecting.",
             (("2024-11-05", "server/utilities/logging#setting-log-level"),)),
    # -- resources, prompts, completion
    CheckRow("resources-list", ERROR, "The lists of resources and templates have the form of the schema",
             "Clients reject the whole list because of one entry.",
             (("2024-11-05", "server/resources#listing-resources"),)),
    CheckRow("resource-uri", ERROR, "The uri of a resource is a URI",
             "Python 1.x clients reject the whole list.", (("2024-11-05", "server/resources#resource"),)),
    CheckRow("read-result", ERROR, "What resources/read answers has the form of the schema",
             "Clients cannot read the resource.", (("2024-11-05", "server/resources#reading-resources"),)),
    CheckRow("unknown-resource", WARNING, "An unknown resource is refused: -32002 up to 2025-11-25, -32602 at 2026-07-28",
             "Clients cannot tell a missing resource from an empty one.",
             (("2024-11-05", "server/resources#error-handling"),)),
    CheckRow("subscribe", ERROR, "A resource can be subscribed to where that is declared",
             "Clients raise at the refusal.", (("2024-11-05", "server/resources#subscriptions"),)),
    CheckRow("prompts-list", ERROR, "The list of prompts has the form of the schema",
             "Clients reject the whole list because of one entry.",
             (("2024-11-05", "server/prompts#listing-prompts"),)),
    CheckRow("prompt-result", ERROR, "What prompts/get answers has the form of the schema",
             "Every client fails the request.", (("2024-11-05", "server/prompts#getting-a-prompt"),)),
    CheckRow("unknown-prompt", WARNING, "An unknown prompt is refused with code -32602",
             "Taken for a success, an empty prompt is shown.", (("2024-11-05", "server/prompts#error-handling"),)),
    CheckRow("complete-result", ERROR, "Completions are at most 100 strings",
             "Clients reject the result.", (("2024-11-05", "server/utilities/completion#completion-results"),)),
    # -- 2026-07-28
    CheckRow("discover-result", ERROR, "server/discover answers with versions and capabilities",
             "New clients fall back to the handshake, or fail.", (("2026-07-28", "server/discover"),)),
    CheckRow("first-request", ERROR, "Any request may be the first",
             "Clients that are told the revision send no server/discover.", (("2026-07-28", "basic#statelessness"),)),
    CheckRow("meta-required", WARNING, "A request without protocolVersion or clientCapabilities in _meta is refused with -32602",
             "A client's mistake goes unnoticed, and the request is served under a revision nobody chose. No client "
             "is known to make it.", META_PAGE),
    CheckRow("unsupported-version", ERROR, "An unsupported version is refused with -32022, naming those supported",
             "Clients take any other error for a server without 2026-07-28.",
             (("2026-07-28", "basic/versioning#protocol-version-negotiation"),)),
    CheckRow("result-type", ERROR, "Every result has a resultType that the revision knows",
             "Python and TypeScript 2.x clients reject the result.", (("2026-07-28", "basic#resulttype"),)),
    CheckRow("cache-hints", ERROR, "Lists, reads and discovery have ttlMs (an integer, 0 or more) and cacheScope",
             "Python and TypeScript 2.x clients reject the result; without them in server/discover others "
             "fall back to the handshake.", CACHING_PAGE),
    CheckRow("removed-methods", NOTE, "ping, logging/setLevel and resources/subscribe are gone",
             "No client of this revision sends them; one that relies on them fails with every other server.",
             (("2026-07-28", "changelog#major-changes"),)),
    CheckRow("error-codes", ERROR, "No error code that the revision forbids",
             "The specification keeps these codes for itself: clients take them for what it says, not for what the "
             "server means.", (("2026-07-28", "basic#error-codes"),)),
    CheckRow("listen", ERROR, "subscriptions/listen is acknowledged first, with its id, and ends silently when cancelled",
             "Clients wait for the acknowledgment, and tell streams apart by its id alone.", LISTEN_PAGE),
    CheckRow("server-info", NOTE, "Results name the server in _meta",
             "Hosts that skip server/discover have no name to show.", META_PAGE),
)}

# What a check finds beside the matter of its row (4): its name, how severe it is, who suffers.
CASES: dict[str, tuple[str, str]] = {
    # -- of any check
    "ended": (ERROR, "The session is over: all that the client asks from here on fails."),
    "unanswered": (ERROR, HANGS),
    "other-code": (NOTE, "Clients see an error either way; only the code is not the one that the page has."),
    "forbidden-code": (WARNING, "Clients see an error either way; only the code is not the one that the page has."),
    "tool-error": (NOTE, "The model sees an error either way; the page has a protocol error for it."),
    # -- lines and messages
    "notification-lost": (ERROR, "Every client drops the notification."),
    "notification-form": (WARNING, "Clients drop the notification, or log an error for it."),
    "notification-null": (WARNING, "TypeScript clients drop the notification."),
    "invented-id": (WARNING, "A client that has a request with this id open takes it for that one's answer."),
    "modern-request": (ERROR, "The revision has no requests of the server's: clients drop it, and the server may wait "
                              "for ever."),
    "progress-falls": (WARNING, "No client fails on it; a host's progress bar stands still or runs backwards."),
    "progress-late": (ERROR, "The token is forgotten by then: several hosts close the connection at it, TypeScript "
                             "clients log an error."),
    "reader-crash": (NOTE, "The host has gone by then; a crash report is left on standard error."),
    "blank-answered": (NOTE, "Clients send no blank lines; one that does gets an error that nobody asked for."),
    "cancel-answered": (ERROR, "Strict hosts drop the connection at a reply to a notification, lenient ones go one reply "
                               "out of step."),
    # -- handshake
    "no-handshake": (WARNING, "Most hosts of today begin with initialize; they cannot connect."),
    "version-agreed": (ERROR, "A client that speaks no newer revision drops the connection."),
    "version-refused": (ERROR, "A client that speaks no newer revision cannot connect."),
    "version-echo": (WARNING, "A host that is newer than the server goes on in a revision that the server does not have."),
    "discover-silent": (WARNING, "New clients probe with it first: Python ones wait 10 seconds for the answer, TypeScript "
                                 "ones up to 60."),
    "discover-result": (ERROR, "New clients probe with it first, and take a result for the news that 2026-07-28 is spoken."),
    "discover-spoils": (ERROR, "Python clients shake hands in the same process after the refusal: they cannot connect."),
    "ping-result": (WARNING, "TypeScript clients take an empty result only, and count the ping as failed."),
    "batch-unanswered": (NOTE, "No client tried sends batches."),
    # -- lists and schemas
    "cursor-unused": (NOTE, "The server gives no cursors, so no client has one."),
    "long-name": (NOTE, "Hosts change such a name before a model is given it: most take letters, digits, _ and -, at most 64."),
    "long-description": (NOTE, "The model reads it in every turn, whether it needs the tool or not."),
    "output-schema-form": (ERROR, "Clients reject the whole list because of one tool."),
    "output-schema": (ERROR, "Clients compile the outputSchema: TypeScript 1.x ones lose the whole list, the others the call."),
    "output-reference": (ERROR, "Nothing is fetched: TypeScript 1.x clients lose the whole list, the others the call."),
    "output-dialect": (WARNING, "TypeScript 2.x clients refuse to call the tool, 1.x ones lose the whole list over draft-04."),
    "output-pattern": (WARNING, "Python clients cannot compile all that JavaScript knows, nor the other way round: the call "
                                "fails."),
    "model-defs": (NOTE, "Several hosts do not resolve $defs: the model does not see what these arguments are."),
    "model-required": (NOTE, "The model must give a value of which it is told nothing."),
    # -- calls, resources, subscriptions
    "call-slow": (WARNING, "Hosts give up a call at their own time limit, often after a minute."),
    "call-protocol-error": (WARNING, "Hosts seldom hand a protocol error to the model: it does not learn what went wrong."),
    "argument-protocol-error": (NOTE, "Hosts seldom hand a protocol error to the model: it cannot correct its arguments."),
    "structured-form": (ERROR, "Clients reject the whole result."),
    "lenient-level": (NOTE, "Hosts send the eight levels only."),
    "empty-resource": (NOTE, "Hosts show what is listed as empty."),
    "text-and-blob": (WARNING, "Some clients take the text, others the blob."),
    "cache-scope-differs": (WARNING, "A cache that several users share keeps one part of the list and not the other."),
    # -- 2026-07-28
    "version-served": (WARNING, "A newer client goes on in a revision that the server does not have."),
    "requested-missing": (WARNING, "The clients tried go by data.supported alone; the error's schema has both."),
    "meta-code": (WARNING, "Clients see an error either way; no client is known to send such a request."),
    "odd-result-type": (ERROR, "TypeScript 2.x clients reject the result, Python ones take it as it is."),
    "listen-refused": (ERROR, "Clients that want to hear of changes fail, though the server declares them."),
    "listen-undeclared": (NOTE, "The server declares no changes to hear of, so hosts do not ask."),
    "listen-more": (WARNING, "No client fails on it; it is told of changes it did not ask for."),
    "listen-early": (ERROR, "The client does not know the stream yet, and drops what comes on it."),
    "listen-stray": (ERROR, "Clients tell streams apart by the id alone, and drop the notification."),
    "listen-answered": (WARNING, "The client has closed the stream: what comes on it belongs to nothing."),
    "listen-after": (ERROR, "The client has closed the stream: what comes on it belongs to nothing."),
}
