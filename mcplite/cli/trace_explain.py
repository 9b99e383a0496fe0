"""What each method and each field of a message means, in one sentence, and where the specification says so.

Tables, and one function that walks a message along them. All sentences are ours; the specification decides. It covers
every method and every field of the five revisions (a test compares with the official schemas). No rendering here. Rules:

1. A field is a row of its type: its sentence, or (sentence, type of its value). `*Type` is an object whose keys are names
   somebody chose, each value a Type. Arrays are looked through. What has no type is the user's own data, and is not
   looked into.
2. A type may stand on others: the key "" lists them.
3. When a field came or went is in FIELD_SINCE and FIELD_UNTIL; a field that is in no table is told to be unknown.
4. A page is a key of SPEC_PAGES, because pages move between revisions.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

TRACE_REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")
SPEC_ADDRESS = "https://modelcontextprotocol.io/specification/%s/%s"

# key: rows of (from this revision on, page); no page: the subject has left the specification.
SPEC_PAGES = {
    "requests": (("2024-11-05", "basic/messages#requests"), ("2025-03-26", "basic#requests")),
    "responses": (("2024-11-05", "basic/messages#responses"), ("2025-03-26", "basic#responses")),
    "notifications": (("2024-11-05", "basic/messages#notifications"), ("2025-03-26", "basic#notifications")),
    "errors": (("2024-11-05", "basic/messages#responses"), ("2025-03-26", "basic#responses"),
               ("2025-11-25", "basic#error-responses")),
    "meta": (("2024-11-05", "basic/utilities/progress"), ("2025-06-18", "basic#meta")),
    "icons": (("2025-11-25", "basic#icons"),),
    "lifecycle": (("2024-11-05", "basic/lifecycle#initialization"), ("2026-07-28", "basic/versioning")),
    "capabilities": (("2024-11-05", "basic/lifecycle#capability-negotiation"),
                     ("2026-07-28", "basic/versioning#extension-negotiation")),
    "discover": (("2026-07-28", "server/discover"),),
    "mrtr": (("2026-07-28", "basic/patterns/mrtr"),),
    "caching": (("2026-07-28", "server/utilities/caching"),),
    "subscriptions": (("2024-11-05", "server/resources#subscriptions"), ("2026-07-28", "basic/patterns/subscriptions")),
    "cancellation": (("2024-11-05", "basic/utilities/cancellation"), ("2026-07-28", "basic/patterns/cancellation")),
    "progress": (("2024-11-05", "basic/utilities/progress"), ("2026-07-28", "basic/patterns/progress")),
    "ping": (("2024-11-05", "basic/utilities/ping"), ("2026-07-28", "")),
    "tasks": (("2025-11-25", "basic/utilities/tasks"), ("2026-07-28", "")),
    "roots": (("2024-11-05", "client/roots"),),
    "sampling": (("2024-11-05", "client/sampling"),),
    "elicitation": (("2025-06-18", "client/elicitation"),),
    "tools": (("2024-11-05", "server/tools"),),
    "tool": (("2024-11-05", "server/tools#tool"),),
    "tool result": (("2024-11-05", "server/tools#tool-result"),),
    "resources": (("2024-11-05", "server/resources"),),
    "resource": (("2024-11-05", "server/resources#resource"),),
    "resource contents": (("2024-11-05", "server/resources#resource-contents"),),
    "templates": (("2024-11-05", "server/resources#resource-templates"),),
    "annotations": (("2024-11-05", "server/resources#resource"), ("2025-06-18", "server/resources#annotations")),
    "prompts": (("2024-11-05", "server/prompts"),),
    "completion": (("2024-11-05", "server/utilities/completion"),),
    "logging": (("2024-11-05", "server/utilities/logging"),),
    "pagination": (("2024-11-05", "server/utilities/pagination"),),
    "stdio": (("2024-11-05", "basic/transports#stdio"), ("2026-07-28", "basic/transports/stdio")),
}

# method: (sentence, page, type of its params, type of its result; "" for a notification).
METHOD_TABLE = {
    "initialize": ("The client opens the session: it says which protocol revision it speaks, what it can do and who "
                   "it is.",
                   "lifecycle", "InitializeRequestParams", "InitializeResult"),
    "notifications/initialized": ("The client has read the answer to initialize; normal work may begin.",
                                  "lifecycle", "NotificationParams", ""),
    "server/discover": ("The client asks which revisions the server speaks, what it offers and who it is, without "
                        "opening a session.",
                        "discover", "RequestParams", "DiscoverResult"),
    "ping": ("Either side asks whether the other is still there; the answer is empty and comes at once.", "ping",
             "RequestParams", "Result"),
    "tools/list": ("The client asks for the tools that the model may call, a page at a time.", "tools",
                   "PaginatedRequestParams",
                   "ListToolsResult"),
    "tools/call": ("The client has a tool run, usually because the model asked for it.", "tools",
                   "CallToolRequestParams",
                   "CallToolResult"),
    "resources/list": ("The client asks for the resources that have a fixed address, a page at a time.", "resources",
                       "PaginatedRequestParams", "ListResourcesResult"),
    "resources/templates/list": ("The client asks for the patterns of addresses under which more resources can be "
                                 "read.", "templates",
                                 "PaginatedRequestParams", "ListResourceTemplatesResult"),
    "resources/read": ("The client fetches the contents of one resource.", "resources", "ReadResourceRequestParams",
                       "ReadResourceResult"),
    "resources/subscribe": ("The client wants to be told whenever this resource changes.", "subscriptions",
                            "SubscribeRequestParams",
                            "Result"),
    "resources/unsubscribe": ("The client no longer wants to be told about this resource.", "subscriptions",
                              "UnsubscribeRequestParams", "Result"),
    "prompts/list": ("The client asks for the prompts a user can choose from, a page at a time.", "prompts",
                     "PaginatedRequestParams",
                     "ListPromptsResult"),
    "prompts/get": ("The client fetches one prompt, filled in with arguments.", "prompts", "GetPromptRequestParams",
                    "GetPromptResult"),
    "completion/complete": ("The client asks how an argument that the user is typing might go on.", "completion",
                            "CompleteRequestParams", "CompleteResult"),
    "logging/setLevel": ("The client says how serious log messages must be to be sent.", "logging",
                         "SetLevelRequestParams", "Result"),
    "roots/list": ("The server asks which directories or files the user has opened to it.", "roots", "RequestParams",
                   "ListRootsResult"),
    "sampling/createMessage": ("The server asks the client to let its model write a message.", "sampling",
                               "CreateMessageRequestParams", "CreateMessageResult"),
    "elicitation/create": ("The server asks the user a question, through the client.", "elicitation",
                           "ElicitRequestParams",
                           "ElicitResult"),
    "subscriptions/listen": ("The client opens a stream of notifications; the request stays open until one side ends "
                             "it.",
                             "subscriptions", "SubscriptionsListenRequestParams", "SubscriptionsListenResult"),
    "tasks/get": ("One side asks how a task is getting on.", "tasks", "TaskRequestParams", "TaskResult"),
    "tasks/result": ("One side asks for what a finished task has produced; the answer has the form of the original "
                     "request's result.",
                     "tasks", "TaskRequestParams", "AnyResult"),
    "tasks/list": ("One side asks for the tasks there are, a page at a time.", "tasks", "PaginatedRequestParams",
                   "ListTasksResult"),
    "tasks/cancel": ("One side asks for a task to be given up.", "tasks", "TaskRequestParams", "TaskResult"),
    "notifications/cancelled": ("The sender no longer wants the answer to a request it has sent; the other side "
                                "should stop.",
                                "cancellation", "CancelledNotificationParams", ""),
    "notifications/progress": ("How far a request that asked for it has come.", "progress",
                               "ProgressNotificationParams", ""),
    "notifications/message": ("A log message of the server.", "logging", "LoggingMessageNotificationParams", ""),
    "notifications/tools/list_changed": ("The list of tools has changed; the client may fetch it again.", "tools",
                                         "NotificationParams", ""),
    "notifications/resources/list_changed": ("The list of resources has changed; the client may fetch it again.",
                                             "resources",
                                             "NotificationParams", ""),
    "notifications/resources/updated": ("A resource the client subscribed to has changed; it may be read again.",
                                        "subscriptions",
                                        "ResourceUpdatedNotificationParams", ""),
    "notifications/prompts/list_changed": ("The list of prompts has changed; the client may fetch it again.", "prompts",
                                           "NotificationParams", ""),
    "notifications/roots/list_changed": ("The user's roots have changed; the server may ask for them again.", "roots",
                                         "NotificationParams", ""),
    "notifications/elicitation/complete": ("What the user was sent to a web page for is done.", "elicitation",
                                           "ElicitationCompleteNotificationParams", ""),
    "notifications/subscriptions/acknowledged": ("The stream is open; this is what will come on it.", "subscriptions",
                                                 "SubscriptionsAcknowledgedNotificationParams", ""),
    "notifications/tasks/status": ("A task has reached another state.", "tasks", "TaskStatusNotificationParams", ""),
}

METHOD_SINCE = {
    "elicitation/create": "2025-06-18", "notifications/elicitation/complete": "2025-11-25",
    "notifications/tasks/status": "2025-11-25",
    "tasks/get": "2025-11-25", "tasks/result": "2025-11-25", "tasks/list": "2025-11-25", "tasks/cancel": "2025-11-25",
    "server/discover": "2026-07-28", "subscriptions/listen": "2026-07-28",
    "notifications/subscriptions/acknowledged": "2026-07-28",
}
METHOD_UNTIL = dict.fromkeys((
    "initialize", "notifications/initialized", "ping", "resources/subscribe", "resources/unsubscribe",
    "logging/setLevel",
    "notifications/roots/list_changed", "notifications/elicitation/complete", "notifications/tasks/status", "tasks/get",
    "tasks/result", "tasks/list", "tasks/cancel"), "2025-11-25")

CURSOR_SENTENCE = "Where the next page starts; what it says means something to the server only. The last page has none."
META_FIELD = ("Data about the message rather than in it: for the protocol under reserved names, for others under "
              "names with a prefix.",
              "Meta")
ICONS_FIELD = ("Pictures a program may show for it.", "Icon")
TITLE_SENTENCE = "The name to show to people; where there is none, the name is shown."
ANNOTATIONS_FIELD = ("Hints on who it is for and how important it is.", "Annotations")
TASK_FIELD = ("The sender wants a task, to be asked for later, rather than the result itself.", "TaskMetadata")

# type: (page, {field: sentence or (sentence, type of the value)})
TYPE_TABLE: dict[str, tuple[str, dict[str, Any]]] = {
    # --- the envelope ---
    "Request": ("requests", {
        "jsonrpc": "The version of JSON-RPC; always \"2.0\".",
        "id": "The number or string that the answer will carry, so that it can be told whose answer it is. Each side "
              "counts for itself.",
        "method": "What is asked for.",
        "params": "The details of what is asked for.",
    }),
    "Notification": ("notifications", {
        "jsonrpc": "The version of JSON-RPC; always \"2.0\".",
        "method": "What has happened. There is no id, so there is no answer.",
        "params": "The details of what has happened.",
    }),
    "Response": ("responses", {
        "jsonrpc": "The version of JSON-RPC; always \"2.0\".",
        "id": "The id of the request that this answers, in exactly the type it had.",
        "result": "What was asked for.",
        "error": ("Why it could not be done; there is either a result or an error, never both.", "Error"),
    }),
    "Error": ("errors", {
        "code": "A number for programs: -32700 not JSON, -32600 not a request, -32601 unknown method, -32602 bad "
                "parameters, -32603 the "
                "fault of the server; the rest is the protocol's or the server's own.",
        "message": "One short sentence for people.",
        "data": ("More about the error.", "ErrorData"),
    }),
    "ErrorData": ("errors", {
        "supported": "The protocol revisions the server does speak.",
        "requested": "The protocol revision that was asked for.",
        "requiredCapabilities": ("The capabilities the client would have to have.", "ClientCapabilities"),
        "uri": "The resource that was not found.",
        "elicitations": ("The web pages the user has to visit before the request can succeed.", "ElicitRequestParams"),
    }),
    "Meta": ("meta", {
        "progressToken": "Asks for notifications/progress about this request, which will carry this token.",
        "io.modelcontextprotocol/protocolVersion": "The protocol revision this request is written in; there is no "
                                                   "session that would know.",
        "io.modelcontextprotocol/clientInfo": ("Who sends the request.", "Implementation"),
        "io.modelcontextprotocol/clientCapabilities": ("What the client can do while it waits for this answer.",
                                                       "ClientCapabilities"),
        "io.modelcontextprotocol/logLevel": "How serious log messages about this request must be to be sent.",
        "io.modelcontextprotocol/serverInfo": ("Who answers.", "Implementation"),
        "io.modelcontextprotocol/subscriptionId": "The id of the subscriptions/listen request this belongs to.",
        "io.modelcontextprotocol/related-task": ("The task this message belongs to.", "RelatedTaskMetadata"),
        "traceparent": "Where this request stands in a distributed trace (W3C Trace Context).",
        "tracestate": "What the tracing systems on the way have added (W3C Trace Context).",
        "baggage": "Names and values that travel along with a distributed trace (W3C Baggage).",
    }),
    "RequestParams": ("requests", {"_meta": META_FIELD}),
    "NotificationParams": ("notifications", {"_meta": META_FIELD}),
    "Result": ("responses", {
        "_meta": META_FIELD,
        "resultType": "\"complete\" when this is the answer, \"input_required\" when the server has questions first.",
    }),
    "AnyResult": ("tasks", {"": "CallToolResult CreateMessageResult ElicitResult"}),
    "CacheableResult": ("caching", {
        "": "Result",
        "ttlMs": "For how many milliseconds the client may keep and reuse this result; 0: not at all.",
        "cacheScope": "\"public\" when the result is the same for everybody, \"private\" when it is for this user "
                      "only.",
    }),
    "PaginatedRequestParams": ("pagination",
                               {"": "RequestParams",
                                "cursor": "The nextCursor of the page before; left out for the first page."}),
    "PaginatedResult": ("pagination", {"": "Result", "nextCursor": CURSOR_SENTENCE}),
    # --- opening ---
    "InitializeRequestParams": ("lifecycle", {
        "": "RequestParams",
        "protocolVersion": "The newest protocol revision the client speaks; the server answers with the one that will "
                           "be used.",
        "capabilities": ("What the client can do for the server.", "ClientCapabilities"),
        "clientInfo": ("Who the client is.", "Implementation"),
    }),
    "InitializeResult": ("lifecycle", {
        "": "Result",
        "protocolVersion": "The protocol revision that will be used; a client that does not speak it should "
                           "disconnect.",
        "capabilities": ("What the server offers.", "ServerCapabilities"),
        "serverInfo": ("Who the server is.", "Implementation"),
        "instructions": "How the server is best used, for the model to read.",
    }),
    "DiscoverResult": ("discover", {
        "": "CacheableResult",
        "supportedVersions": "The protocol revisions that a request may name.",
        "capabilities": ("What the server offers.", "ServerCapabilities"),
        "instructions": "How the server is best used, for the model to read.",
    }),
    "Implementation": ("lifecycle", {
        "name": "The program's name.",
        "title": TITLE_SENTENCE,
        "version": "The program's version.",
        "description": "What the program is.",
        "icons": ICONS_FIELD,
        "websiteUrl": "Where to read about it.",
    }),
    "ClientCapabilities": ("capabilities", {
        "experimental": "Abilities that no specification describes.",
        "roots": ("The client can say which directories it has opened.", "RootsCapability"),
        "sampling": ("The client lets servers use its model.", "SamplingCapability"),
        "elicitation": ("The client can put questions to the user.", "ElicitationCapability"),
        "tasks": ("Which requests to the client may become tasks.", "TasksCapability"),
        "extensions": "Extensions of the protocol that the client knows, with their settings.",
    }),
    "RootsCapability": ("roots", {"listChanged": "The client tells when the roots change."}),
    "SamplingCapability": ("sampling", {
        "context": "The client understands includeContext.",
        "tools": "The client understands tools and toolChoice.",
    }),
    "ElicitationCapability": ("elicitation", {
        "form": "The client can show a form.",
        "url": "The client can send the user to a web page.",
    }),
    "TasksCapability": ("tasks", {
        "list": "tasks/list is understood.",
        "cancel": "tasks/cancel is understood.",
        "requests": ("The requests that may become tasks.", "TaskRequestsCapability"),
    }),
    "TaskRequestsCapability": ("tasks", {
        "sampling": ("Requests about sampling that may become tasks.", "TaskMethodsCapability"),
        "elicitation": ("Requests about elicitation that may become tasks.", "TaskMethodsCapability"),
        "tools": ("Requests about tools that may become tasks.", "TaskMethodsCapability"),
    }),
    "TaskMethodsCapability": ("tasks", {
        "createMessage": "sampling/createMessage may become a task.",
        "create": "elicitation/create may become a task.",
        "call": "tools/call may become a task.",
    }),
    "ServerCapabilities": ("capabilities", {
        "experimental": "Abilities that no specification describes.",
        "logging": "The server sends log messages.",
        "completions": "The server completes arguments.",
        "prompts": ("The server has prompts.", "ListCapability"),
        "resources": ("The server has resources.", "ListCapability"),
        "tools": ("The server has tools.", "ListCapability"),
        "tasks": ("Which requests to the server may become tasks.", "TasksCapability"),
        "extensions": "Extensions of the protocol that the server knows, with their settings.",
    }),
    "ListCapability": ("capabilities", {
        "listChanged": "The server tells when the list changes.",
        "subscribe": "The server tells when a resource changes, to those who asked.",
    }),
    "Icon": ("icons", {
        "src": "Where the picture is, or the picture itself as a data: URI.",
        "mimeType": "What kind of picture it is.",
        "sizes": "The sizes it is meant for, as \"48x48\", or \"any\".",
        "theme": "Whether it is for a light or a dark background.",
    }),
    # --- tools ---
    "ListToolsResult": ("tools", {"": "PaginatedResult CacheableResult", "tools": ("The tools of this page.", "Tool")}),
    "Tool": ("tool", {
        "name": "The name to call it by.",
        "title": TITLE_SENTENCE,
        "description": "What it does, for the model to read.",
        "inputSchema": "The JSON Schema that its arguments have to fit.",
        "outputSchema": "The JSON Schema that its structuredContent will fit.",
        "annotations": ("Hints on what calling it does; not to be trusted if the server is not.", "ToolAnnotations"),
        "execution": ("How it may be run.", "ToolExecution"),
        "icons": ICONS_FIELD,
        "_meta": META_FIELD,
    }),
    "ToolAnnotations": ("tool", {
        "title": "The name to show to people.",
        "readOnlyHint": "It changes nothing.",
        "destructiveHint": "It may destroy something rather than only add.",
        "idempotentHint": "Calling it again with the same arguments changes nothing more.",
        "openWorldHint": "It deals with the world outside, as a web search does.",
    }),
    "ToolExecution": ("tasks", {"taskSupport": "Whether a call of it may, must or must not become a task."}),
    "CallToolRequestParams": ("tools", {
        "": "RequestParams InputResponseRequestParams",
        "name": "The tool to run.",
        "arguments": "Its arguments, which have to fit its inputSchema.",
        "task": TASK_FIELD,
    }),
    "CallToolResult": ("tool result", {
        "": "Result InputRequiredResult CreateTaskResult",
        "content": ("What the tool says, for the model to read.", "ContentBlock"),
        "structuredContent": "The same as JSON, for programs; it fits the outputSchema.",
        "isError": "The tool failed; content says why, so that the model can try something else.",
    }),
    "ContentBlock": ("tool result", {
        "type": "What kind of content it is: text, image, audio, resource_link, resource; in sampling also tool_use, "
                "tool_result.",
        "text": "The text.",
        "data": "The picture or sound, in base64.",
        "mimeType": "The kind of data, as \"image/png\".",
        "resource": ("A resource, contained in the message.", "ResourceContents"),
        "uri": "The address of the resource that is pointed at.",
        "name": "The name of the resource, or of the tool to use.",
        "title": TITLE_SENTENCE,
        "description": "What the resource is.",
        "size": "How many bytes the resource has.",
        "icons": ICONS_FIELD,
        "annotations": ANNOTATIONS_FIELD,
        "id": "The name of this use of a tool; the tool_result repeats it.",
        "input": "The arguments the model wants to call the tool with.",
        "toolUseId": "The id of the tool_use that this is the result of.",
        "content": ("What the tool said.", "ContentBlock"),
        "structuredContent": "The same as JSON.",
        "isError": "The tool failed.",
        "_meta": META_FIELD,
    }),
    "Annotations": ("annotations", {
        "audience": "Who it is for: the user, the assistant, or both.",
        "priority": "How important it is, from 0 (optional) to 1 (needed).",
        "lastModified": "When it was last changed, in ISO 8601.",
    }),
    # --- resources ---
    "ListResourcesResult": ("resources", {"": "PaginatedResult CacheableResult",
                                          "resources": ("The resources of this page.", "Resource")}),
    "ListResourceTemplatesResult": ("templates", {
        "": "PaginatedResult CacheableResult",
        "resourceTemplates": ("The templates of this page.", "ResourceTemplate"),
    }),
    "Resource": ("resource", {
        "uri": "The address to read it by.",
        "name": "Its name.",
        "title": TITLE_SENTENCE,
        "description": "What it is, for the model to read.",
        "mimeType": "What kind of data it is, when that is known.",
        "size": "How many bytes it has, when that is known.",
        "annotations": ANNOTATIONS_FIELD,
        "icons": ICONS_FIELD,
        "_meta": META_FIELD,
    }),
    "ResourceTemplate": ("templates", {
        "uriTemplate": "The pattern of the addresses (RFC 6570): {name} stands for a variable part.",
        "name": "Its name.",
        "title": TITLE_SENTENCE,
        "description": "What it is for.",
        "mimeType": "What kind of data all of them are, when that is known.",
        "annotations": ANNOTATIONS_FIELD,
        "icons": ICONS_FIELD,
        "_meta": META_FIELD,
    }),
    "ReadResourceRequestParams": ("resources", {
        "": "RequestParams InputResponseRequestParams",
        "uri": "The address of the resource.",
    }),
    "ReadResourceResult": ("resource contents", {
        "": "CacheableResult InputRequiredResult",
        "contents": ("What is there; a directory, say, may give several.", "ResourceContents"),
    }),
    "ResourceContents": ("resource contents", {
        "uri": "The address of this part.",
        "mimeType": "What kind of data it is.",
        "text": "The data, when it is text.",
        "blob": "The data in base64, when it is not text.",
        "_meta": META_FIELD,
    }),
    "SubscribeRequestParams": ("subscriptions", {"": "RequestParams", "uri": "The resource to watch."}),
    "UnsubscribeRequestParams": ("subscriptions", {"": "RequestParams", "uri": "The resource to watch no longer."}),
    "ResourceUpdatedNotificationParams": ("subscriptions",
                                          {"": "NotificationParams", "uri": "The resource that changed."}),
    "SubscriptionsListenRequestParams": ("subscriptions", {
        "": "RequestParams",
        "notifications": ("What the client wants to be told.", "SubscriptionFilter"),
    }),
    "SubscriptionsAcknowledgedNotificationParams": ("subscriptions", {
        "": "NotificationParams",
        "notifications": ("What the server is going to tell.", "SubscriptionFilter"),
    }),
    "SubscriptionsListenResult": ("subscriptions", {"": "Result"}),
    "SubscriptionFilter": ("subscriptions", {
        "toolsListChanged": "Tell when the list of tools changes.",
        "promptsListChanged": "Tell when the list of prompts changes.",
        "resourcesListChanged": "Tell when the list of resources changes.",
        "resourceSubscriptions": "Tell when one of these resources changes.",
    }),
    # --- prompts and completion ---
    "ListPromptsResult": ("prompts",
                          {"": "PaginatedResult CacheableResult", "prompts": ("The prompts of this page.", "Prompt")}),
    "Prompt": ("prompts", {
        "name": "The name to fetch it by.",
        "title": TITLE_SENTENCE,
        "description": "What it is for.",
        "arguments": ("What it can be filled in with.", "PromptArgument"),
        "icons": ICONS_FIELD,
        "_meta": META_FIELD,
    }),
    "PromptArgument": ("prompts", {
        "name": "The argument's name.",
        "title": TITLE_SENTENCE,
        "description": "What to fill in.",
        "required": "It must be given.",
    }),
    "GetPromptRequestParams": ("prompts", {
        "": "RequestParams InputResponseRequestParams",
        "name": "The prompt to fetch.",
        "arguments": "What to fill it in with; all values are strings.",
    }),
    "GetPromptResult": ("prompts", {
        "": "Result InputRequiredResult",
        "description": "What the prompt is for.",
        "messages": ("The messages to put into the conversation with the model.", "PromptMessage"),
    }),
    "PromptMessage": ("prompts", {
        "role": "Who says it: the user or the assistant.",
        "content": ("What is said.", "ContentBlock"),
    }),
    "CompleteRequestParams": ("completion", {
        "": "RequestParams",
        "ref": ("The prompt or the resource template that the argument belongs to.", "Reference"),
        "argument": ("The argument that is being typed.", "CompleteArgument"),
        "context": ("What is known about the other arguments.", "CompleteContext"),
    }),
    "Reference": ("completion", {
        "type": "ref/prompt or ref/resource.",
        "name": "The prompt's name.",
        "title": TITLE_SENTENCE,
        "uri": "The template's pattern, or the resource's address.",
    }),
    "CompleteArgument": ("completion", {"name": "The argument's name.", "value": "What has been typed so far."}),
    "CompleteContext": ("completion", {"arguments": "Arguments that have been filled in already."}),
    "CompleteResult": ("completion", {"": "Result", "completion": ("How it might go on.", "Completion")}),
    "Completion": ("completion", {
        "values": "Up to 100 proposals, the best first.",
        "total": "How many there are in all.",
        "hasMore": "There are more than these.",
    }),
    # --- logging, progress, cancelling ---
    "SetLevelRequestParams": ("logging",
                              {"": "RequestParams", "level": "The least serious level that is still to be sent."}),
    "LoggingMessageNotificationParams": ("logging", {
        "": "NotificationParams",
        "level": "How serious it is: debug, info, notice, warning, error, critical, alert, emergency.",
        "logger": "Which part of the server says it.",
        "data": "What is logged: a text, or any JSON.",
    }),
    "ProgressNotificationParams": ("progress", {
        "": "NotificationParams",
        "progressToken": "The token that the request carried.",
        "progress": "How far it has come; it only ever grows.",
        "total": "How far it has to go, when that is known.",
        "message": "What is being done, for people.",
    }),
    "CancelledNotificationParams": ("cancellation", {
        "": "NotificationParams",
        "requestId": "The id of the request that is no longer wanted.",
        "reason": "Why, for people or a log.",
    }),
    # --- questions to the client ---
    "ListRootsResult": ("roots", {"": "Result", "roots": ("What the user has opened to the server.", "Root")}),
    "Root": ("roots", {
        "uri": "The directory or file, as a file:// address.",
        "name": "Its name for people.",
        "_meta": META_FIELD,
    }),
    "CreateMessageRequestParams": ("sampling", {
        "": "RequestParams",
        "messages": ("The conversation so far, which the model is to continue.", "SamplingMessage"),
        "modelPreferences": ("What matters in choosing a model.", "ModelPreferences"),
        "systemPrompt": "The system prompt the server would like.",
        "includeContext": "Whether what other servers gave should be included: none, thisServer, allServers.",
        "temperature": "How freely the model may choose.",
        "maxTokens": "How long the answer may become, in tokens.",
        "stopSequences": "Texts at which the model stops.",
        "metadata": "Settings for the provider of the model.",
        "tools": ("The tools the model may ask for.", "Tool"),
        "toolChoice": ("Whether it may, must or must not ask for one.", "ToolChoice"),
        "task": TASK_FIELD,
    }),
    "SamplingMessage": ("sampling", {
        "role": "Who says it: the user or the assistant.",
        "content": ("What is said.", "ContentBlock"),
        "_meta": META_FIELD,
    }),
    "ModelPreferences": ("sampling", {
        "hints": ("Names of models that would do, the best first.", "ModelHint"),
        "costPriority": "How much a low price matters, from 0 to 1.",
        "speedPriority": "How much speed matters, from 0 to 1.",
        "intelligencePriority": "How much ability matters, from 0 to 1.",
    }),
    "ModelHint": ("sampling", {"name": "A part of a model's name."}),
    "ToolChoice": ("sampling", {"mode": "auto: the model decides; required: it must use a tool; none: it must not."}),
    "CreateMessageResult": ("sampling", {
        "": "Result",
        "role": "Who says it; the assistant.",
        "content": ("What the model wrote.", "ContentBlock"),
        "model": "Which model wrote it.",
        "stopReason": "Why it stopped: endTurn, stopSequence, maxTokens, toolUse.",
    }),
    "ElicitRequestParams": ("elicitation", {
        "": "RequestParams",
        "mode": "form: ask here; url: send the user to a web page.",
        "message": "The question, or why the page has to be visited.",
        "requestedSchema": ("The form: a flat JSON Schema, one property for each field.", "ElicitationSchema"),
        "url": "The web page.",
        "elicitationId": "The name of this question; the notification that it is done carries it.",
        "task": TASK_FIELD,
    }),
    "ElicitationSchema": ("elicitation", {
        "$schema": "The dialect of JSON Schema.",
        "type": "Always object.",
        "properties": ("The fields of the form.", "*PrimitiveSchema"),
        "required": "The fields that must be filled in.",
    }),
    "PrimitiveSchema": ("elicitation", {
        "type": "What the user fills in: string, number, integer, boolean, or array for a choice of several.",
        "title": "The field's name for people.",
        "description": "What to fill in.",
        "default": "What stands there at first.",
        "minLength": "The fewest characters.",
        "maxLength": "The most characters.",
        "format": "What the text must be: email, uri, date or date-time.",
        "minimum": "The smallest number.",
        "maximum": "The largest number.",
        "enum": "The choices.",
        "enumNames": "The choices' names for people.",
        "oneOf": ("The choices, each with its name for people.", "EnumChoice"),
        "anyOf": ("The choices, each with its name for people.", "EnumChoice"),
        "items": ("What may be chosen, where several may.", "PrimitiveSchema"),
        "minItems": "The fewest choices.",
        "maxItems": "The most choices.",
    }),
    "EnumChoice": ("elicitation", {"const": "The choice.", "title": "Its name for people."}),
    "ElicitResult": ("elicitation", {
        "": "Result",
        "action": "accept: answered; decline: refused; cancel: closed without an answer.",
        "content": "What the user filled in.",
    }),
    "ElicitationCompleteNotificationParams": ("elicitation",
                                              {"": "NotificationParams", "elicitationId": "Which question it was."}),
    # --- several rounds ---
    "InputRequiredResult": ("mrtr", {
        "": "Result",
        "inputRequests": ("The questions, under names the server chose; the client asks them and sends the call again.",
                          "*InputRequest"),
        "requestState": "What the server needs to go on; the client sends it back unread.",
    }),
    "InputRequest": ("mrtr", {"method": "What is asked of the client.", "params": "The details of the question."}),
    "InputResponseRequestParams": ("mrtr", {
        "": "RequestParams",
        "inputResponses": ("The answers, under the names of the questions.", "*InputResponse"),
        "requestState": "What the server gave along with its questions, sent back unchanged.",
    }),
    "InputResponse": ("mrtr", {"": "ElicitResult CreateMessageResult ListRootsResult"}),
    # --- tasks ---
    "TaskMetadata": ("tasks", {"ttl": "For how many milliseconds the task should be kept."}),
    "RelatedTaskMetadata": ("tasks", {"taskId": "The task's name."}),
    "CreateTaskResult": ("tasks", {"": "Result", "task": ("The task that was started in place of an answer.", "Task")}),
    "Task": ("tasks", {
        "taskId": "The task's name.",
        "status": "How it stands: working, input_required, completed, failed, cancelled.",
        "statusMessage": "The same for people.",
        "createdAt": "When it was started.",
        "lastUpdatedAt": "When it last changed.",
        "ttl": "For how many milliseconds from its start it is kept; null: without limit.",
        "pollInterval": "How many milliseconds to wait before asking again.",
    }),
    "TaskResult": ("tasks", {"": "Result Task"}),
    "TaskStatusNotificationParams": ("tasks", {"": "NotificationParams Task"}),
    "TaskRequestParams": ("tasks", {"": "RequestParams", "taskId": "The task's name."}),
    "ListTasksResult": ("tasks", {"": "PaginatedResult", "tasks": ("The tasks of this page.", "Task")}),
}

# Fields that are not in all five revisions: {first revision that has them: {type: fields}}, {last one: {type: fields}}.
FIELDS_BY_FIRST_REVISION = {
    "2025-03-26": {
        "ProgressNotificationParams": "message",
        "ServerCapabilities": "completions",
        "Tool": "annotations",
        "ToolAnnotations": "destructiveHint idempotentHint openWorldHint readOnlyHint title",
    },
    "2025-06-18": {
        "Annotations": "lastModified",
        "CallToolResult": "structuredContent",
        "ClientCapabilities": "elicitation",
        "CompleteContext": "arguments",
        "CompleteRequestParams": "context",
        "ContentBlock": "_meta description name size title uri",
        "ElicitRequestParams": "message requestedSchema",
        "ElicitResult": "action content",
        "ElicitationSchema": "properties required type",
        "Implementation": "title",
        "PrimitiveSchema": "default description enum enumNames format maxLength maximum minLength minimum title type",
        "Prompt": "_meta title",
        "PromptArgument": "title",
        "Reference": "title",
        "Resource": "_meta title",
        "ResourceContents": "_meta",
        "ResourceTemplate": "_meta title",
        "Root": "_meta",
        "Tool": "_meta outputSchema title",
    },
    "2025-11-25": {
        "CallToolRequestParams": "task",
        "ClientCapabilities": "tasks",
        "ContentBlock": "content icons id input isError structuredContent toolUseId",
        "CreateMessageRequestParams": "task toolChoice tools",
        "CreateTaskResult": "task",
        "ElicitRequestParams": "elicitationId mode task url",
        "ElicitationCapability": "form url",
        "ElicitationCompleteNotificationParams": "elicitationId",
        "ElicitationSchema": "$schema",
        "EnumChoice": "const title",
        "ErrorData": "elicitations",
        "Icon": "mimeType sizes src theme",
        "Implementation": "description icons websiteUrl",
        "ListTasksResult": "tasks",
        "Meta": "io.modelcontextprotocol/related-task",
        "PrimitiveSchema": "anyOf items maxItems minItems oneOf",
        "Prompt": "icons",
        "RelatedTaskMetadata": "taskId",
        "Resource": "icons",
        "ResourceTemplate": "icons",
        "SamplingCapability": "context tools",
        "SamplingMessage": "_meta",
        "ServerCapabilities": "tasks",
        "Task": "createdAt lastUpdatedAt pollInterval status statusMessage taskId ttl",
        "TaskMetadata": "ttl",
        "TaskMethodsCapability": "call create createMessage",
        "TaskRequestParams": "taskId",
        "TaskRequestsCapability": "elicitation sampling tools",
        "TasksCapability": "cancel list requests",
        "Tool": "execution icons",
        "ToolChoice": "mode",
        "ToolExecution": "taskSupport",
    },
    "2026-07-28": {
        "CacheableResult": "cacheScope ttlMs",
        "ClientCapabilities": "extensions",
        "DiscoverResult": "capabilities instructions supportedVersions",
        "ErrorData": "requested requiredCapabilities supported",
        "InputRequiredResult": "inputRequests requestState",
        "InputResponseRequestParams": "inputResponses requestState",
        "Meta": (
            "baggage io.modelcontextprotocol/clientCapabilities io.modelcontextprotocol/clientInfo "
            "io.modelcontextprotocol/logLevel io.modelcontextprotocol/protocolVersion "
            "io.modelcontextprotocol/serverInfo io.modelcontextprotocol/subscriptionId traceparent "
            "tracestate"),
        "Result": "resultType",
        "ServerCapabilities": "extensions",
        "SubscriptionFilter": "promptsListChanged resourceSubscriptions resourcesListChanged toolsListChanged",
        "SubscriptionsAcknowledgedNotificationParams": "notifications",
        "SubscriptionsListenRequestParams": "notifications",
    },
}
FIELDS_BY_LAST_REVISION = {
    "2025-11-25": {
        "CallToolRequestParams": "task",
        "ClientCapabilities": "tasks",
        "CreateMessageRequestParams": "task",
        "CreateTaskResult": "task",
        "ElicitRequestParams": "elicitationId task",
        "ElicitationCompleteNotificationParams": "elicitationId",
        "ErrorData": "elicitations",
        "InitializeRequestParams": "capabilities clientInfo protocolVersion",
        "InitializeResult": "capabilities instructions protocolVersion serverInfo",
        "ListTasksResult": "tasks",
        "Meta": "io.modelcontextprotocol/related-task",
        "RelatedTaskMetadata": "taskId",
        "RootsCapability": "listChanged",
        "ServerCapabilities": "tasks",
        "SetLevelRequestParams": "level",
        "SubscribeRequestParams": "uri",
        "Task": "createdAt lastUpdatedAt pollInterval status statusMessage taskId ttl",
        "TaskMetadata": "ttl",
        "TaskMethodsCapability": "call create createMessage",
        "TaskRequestParams": "taskId",
        "TaskRequestsCapability": "elicitation sampling tools",
        "TasksCapability": "cancel list requests",
        "Tool": "execution",
        "ToolExecution": "taskSupport",
        "UnsubscribeRequestParams": "uri",
    },
}


def spread_field_table(table: dict[str, dict[str, str]]) -> dict[str, str]:
    """{"Type.field": revision} of one of the tables above."""
    return {type_name + "." + field: revision for revision, types in table.items()
            for type_name, fields in types.items() for field in fields.split()}


FIELD_SINCE = spread_field_table(FIELDS_BY_FIRST_REVISION)
FIELD_UNTIL = spread_field_table(FIELDS_BY_LAST_REVISION)

ENVELOPES = {"request": "Request", "notification": "Notification", "response": "Response", "error": "Response"}


def spec_link(page: str, revision: str) -> str:
    """The address of the page `page` in `revision`, or in the nearest revision that has it."""
    wanted = TRACE_REVISIONS.index(revision) if revision in TRACE_REVISIONS else len(TRACE_REVISIONS) - 2
    best: tuple[str, str] | None = None
    for since, path in SPEC_PAGES[page]:
        index = TRACE_REVISIONS.index(since)
        if best is not None and index > wanted:
            break
        if path:
            best = (TRACE_REVISIONS[max(index, wanted)], path)
        elif best is not None:  # the subject has left: its last revision
            best = (TRACE_REVISIONS[index - 1], best[1])
            break
    assert best is not None
    return SPEC_ADDRESS % best


def find_field(type_name: str, field: str) -> tuple[str, str, str, str] | None:
    """(the type that has it, sentence, type of the value, page) of a field; None when no table has it."""
    page, fields = TYPE_TABLE[type_name]
    if field in fields and field:
        row = fields[field]
        sentence, value_type = (row, "") if isinstance(row, str) else row
        return type_name, sentence, value_type, page
    for base in fields.get("", "").split():
        found = find_field(base, field)
        if found is not None:
            return found
    return None


def validity_words(since: str | None, until: str | None, revision: str) -> str:
    """When something came or went, to be added to its sentence; stronger when the revision in force does not have it."""
    said = ""
    if since is not None and until is not None:
        said = "in %s only" % since if since == until else "from %s to %s" % (since, until)
    elif since is not None:
        said = "since %s" % since
    elif until is not None:
        said = "until %s" % until
    if not said:
        return ""
    place = TRACE_REVISIONS.index
    foreign = ((since is not None and place(revision) < place(since))
               or (until is not None and place(revision) > place(until)))
    return "Not part of %s: %s." % (revision, said) if foreign else said[0].upper() + said[1:] + "."


class MessageExplainer:
    """Walks one message along the tables; `rows` are (path, sentence, page address), one for each path."""

    def __init__(self, revision: str) -> None:
        self.revision = revision if revision in TRACE_REVISIONS else TRACE_REVISIONS[-2]
        self.rows: dict[str, tuple[str, str]] = {}

    def walk(self, value: Any, type_name: str, path: str, depth: int = 0) -> None:
        if depth > 30:
            return
        if isinstance(value, list):
            for item in value:
                self.walk(item, type_name, path + "[]", depth + 1)
        elif isinstance(value, dict) and type_name.startswith("*"):
            for item in value.values():
                self.walk(item, type_name[1:], path + ".*", depth + 1)
        elif isinstance(value, dict):
            for field, item in value.items():
                self.walk_field(value, field, item, type_name, path + "." + field if path else field, depth)

    def walk_field(self, owner: dict[str, Any], field: str, value: Any, type_name: str, path: str, depth: int) -> None:
        found = find_field(type_name, field)
        if found is None:
            if type_name in ("Meta", "ErrorData"):
                sentence = "Somebody's own: the specification leaves room for it here."
            else:
                sentence = "The specification of %s has no such field here: an extension, or a mistake." % self.revision
            self.rows.setdefault(path, (sentence, spec_link(TYPE_TABLE[type_name][0], self.revision)))
            return
        home, sentence, value_type, page = found
        key = home + "." + field
        validity = validity_words(FIELD_SINCE.get(key), FIELD_UNTIL.get(key), self.revision)
        self.rows.setdefault(path, (sentence + (" " + validity if validity else ""), spec_link(page, self.revision)))
        if type_name == "InputRequest" and field == "params":
            asked = METHOD_TABLE.get(str(owner.get("method")))
            value_type = asked[2] if asked else ""
        if value_type:
            self.walk(value, value_type, path, depth + 1)


def explain_message(kind: str, method: str | None, message: Any, revision: str) -> list[tuple[str, str, str]]:
    """(path, sentence, address of the specification's page) for every field of a message.

    `kind` is request, notification, response or error; `method` that of the message, or of the request it answers. A path
    is dotted; `[]` is each item of an array, `*` each member under a name somebody chose.
    """
    explainer = MessageExplainer(revision)
    if kind not in ENVELOPES or not isinstance(message, dict):
        return []
    explainer.walk(message, ENVELOPES[kind], "")
    row = METHOD_TABLE.get(method or "")
    if row is not None and kind in ("request", "notification"):
        explainer.walk(message.get("params"), row[2], "params")
    if kind == "response":
        explainer.walk(message.get("result"), row[3] if row is not None and row[3] else "Result", "result")
    return [(path, sentence, link) for path, (sentence, link) in explainer.rows.items()]


def explain_method(kind: str, method: str | None, revision: str) -> tuple[str, str]:
    """(sentence, address of the page) for a whole message."""
    revision = revision if revision in TRACE_REVISIONS else TRACE_REVISIONS[-2]
    row = METHOD_TABLE.get(method or "")
    if kind in ("response", "error"):
        said = "The answer to %s" % method if method else "An answer to no request that was seen"
        said += ": it could not be done." if kind == "error" else "."
        return said + (" " + row[0] if row else ""), spec_link(row[1] if row and kind == "response" else "errors"
                                                               if kind == "error"
                                                               else "responses", revision)
    if row is not None:
        validity = validity_words(METHOD_SINCE.get(str(method)), METHOD_UNTIL.get(str(method)), revision)
        return row[0] + (" " + validity if validity else ""), spec_link(row[1], revision)
    if kind in ("request", "notification"):
        return "No method of the specification: an extension, or a mistake.", spec_link("requests" if kind == "request"
                                                                                        else "notifications", revision)
    if kind == "stderr":
        return "The server's standard error is for its log: the protocol gives it no meaning.", spec_link("stdio", revision)
    if kind in ("junk", "invalid"):
        return "Only messages may stand here: each a JSON object on a line of its own.", spec_link("stdio", revision)
    return "What happened to the processes.", spec_link("stdio", revision)
