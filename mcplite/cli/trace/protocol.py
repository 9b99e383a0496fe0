"""The protocol as the trace tells it: every method, every type, every field, in one sentence each, and the page that has more.

Tables only, for all five revisions; walking a message along them is `explain`'s business. All sentences are ours; the
specification decides, and a test compares with the official schemas. How the texts are to be read:

1. A line that is not indented is a method or a type, with its page after ` | `: a key of SPEC_PAGES, because pages move between
   revisions. The indented line below a method is its sentence, one below a type a field with its sentence after ` | `; a
   sentence may go on in a line that is indented further.
2. `+date` is the first revision that has it, `-date` the last one; those of a type hold for all its fields.
3. A method names the type of its params and, unless it is a notification, that of its result. A field names the type of its
   value, or none: then the value is the user's own data, and is not looked into. `*Type` is an object whose keys are names
   somebody chose, each value a Type. Arrays are looked through.
4. A type may stand on others: they follow its name and `<`.
5. `=` lists fields that mean the same in all types that have them; they are in COMMON_FIELDS.
"""
from __future__ import annotations

from ...revisions import REVISIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

TRACE_REVISIONS = tuple(REVISIONS)

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

METHODS_TEXT = """
initialize -2025-11-25 InitializeRequestParams InitializeResult | lifecycle
  The client opens the session: it says which protocol revision it speaks, what it can do and who it is.
notifications/initialized -2025-11-25 NotificationParams | lifecycle
  The client has read the answer to initialize; normal work may begin.
server/discover +2026-07-28 RequestParams DiscoverResult | discover
  The client asks which revisions the server speaks, what it offers and who it is, without opening a session.
ping -2025-11-25 RequestParams Result | ping
  Either side asks whether the other is still there; the answer is empty and comes at once.
tools/list PaginatedRequestParams ListToolsResult | tools
  The client asks for the tools that the model may call, a page at a time.
tools/call CallToolRequestParams CallToolResult | tools
  The client has a tool run, usually because the model asked for it.
resources/list PaginatedRequestParams ListResourcesResult | resources
  The client asks for the resources that have a fixed address, a page at a time.
resources/templates/list PaginatedRequestParams ListResourceTemplatesResult | templates
  The client asks for the patterns of addresses under which more resources can be read.
resources/read ReadResourceRequestParams ReadResourceResult | resources
  The client fetches the contents of one resource.
resources/subscribe -2025-11-25 SubscribeRequestParams Result | subscriptions
  The client wants to be told whenever this resource changes.
resources/unsubscribe -2025-11-25 UnsubscribeRequestParams Result | subscriptions
  The client no longer wants to be told about this resource.
prompts/list PaginatedRequestParams ListPromptsResult | prompts
  The client asks for the prompts a user can choose from, a page at a time.
prompts/get GetPromptRequestParams GetPromptResult | prompts
  The client fetches one prompt, filled in with arguments.
completion/complete CompleteRequestParams CompleteResult | completion
  The client asks how an argument that the user is typing might go on.
logging/setLevel -2025-11-25 SetLevelRequestParams Result | logging
  The client says how serious log messages must be to be sent.
roots/list RequestParams ListRootsResult | roots
  The server asks which directories or files the user has opened to it.
sampling/createMessage CreateMessageRequestParams CreateMessageResult | sampling
  The server asks the client to let its model write a message.
elicitation/create +2025-06-18 ElicitRequestParams ElicitResult | elicitation
  The server asks the user a question, through the client.
subscriptions/listen +2026-07-28 SubscriptionsListenRequestParams SubscriptionsListenResult | subscriptions
  The client opens a stream of notifications; the request stays open until one side ends it.
tasks/get +2025-11-25 -2025-11-25 TaskRequestParams TaskResult | tasks
  One side asks how a task is getting on.
tasks/result +2025-11-25 -2025-11-25 TaskRequestParams AnyResult | tasks
  One side asks for what a finished task has produced; the answer has the form of the original request's result.
tasks/list +2025-11-25 -2025-11-25 PaginatedRequestParams ListTasksResult | tasks
  One side asks for the tasks there are, a page at a time.
tasks/cancel +2025-11-25 -2025-11-25 TaskRequestParams TaskResult | tasks
  One side asks for a task to be given up.
notifications/cancelled CancelledNotificationParams | cancellation
  The sender no longer wants the answer to a request it has sent; the other side should stop.
notifications/progress ProgressNotificationParams | progress
  How far a request that asked for it has come.
notifications/message LoggingMessageNotificationParams | logging
  A log message of the server.
notifications/tools/list_changed NotificationParams | tools
  The list of tools has changed; the client may fetch it again.
notifications/resources/list_changed NotificationParams | resources
  The list of resources has changed; the client may fetch it again.
notifications/resources/updated ResourceUpdatedNotificationParams | subscriptions
  A resource the client subscribed to has changed; it may be read again.
notifications/prompts/list_changed NotificationParams | prompts
  The list of prompts has changed; the client may fetch it again.
notifications/roots/list_changed -2025-11-25 NotificationParams | roots
  The user's roots have changed; the server may ask for them again.
notifications/elicitation/complete +2025-11-25 -2025-11-25 ElicitationCompleteNotificationParams | elicitation
  What the user was sent to a web page for is done.
notifications/subscriptions/acknowledged +2026-07-28 SubscriptionsAcknowledgedNotificationParams | subscriptions
  The stream is open; this is what will come on it.
notifications/tasks/status +2025-11-25 -2025-11-25 TaskStatusNotificationParams | tasks
  A task has reached another state.
"""

COMMON_FIELDS = """Common | meta
  title | The name to show to people; where there is none, the name is shown.
  icons Icon | Pictures a program may show for it.
  annotations Annotations | Hints on who it is for and how important it is.
  task TaskMetadata | The sender wants a task, to be asked for later, rather than the result itself.
  _meta Meta | Data about the message rather than in it: for the protocol under reserved names, for others under names with a
      prefix.
"""

TYPES_TEXT = """
# the envelope
Request | requests
  jsonrpc | The version of JSON-RPC; always "2.0".
  id | The number or string that the answer will carry, so that it can be told whose answer it is. Each side counts for itself.
  method | What is asked for.
  params | The details of what is asked for.
Notification | notifications
  jsonrpc | The version of JSON-RPC; always "2.0".
  method | What has happened. There is no id, so there is no answer.
  params | The details of what has happened.
Response | responses
  jsonrpc | The version of JSON-RPC; always "2.0".
  id | The id of the request that this answers, in exactly the type it had.
  result | What was asked for.
  error Error | Why it could not be done; there is either a result or an error, never both.
Error | errors
  code | A number for programs: -32700 not JSON, -32600 not a request, -32601 unknown method, -32602 bad parameters, -32603 the
      fault of the server; the rest is the protocol's or the server's own.
  message | One short sentence for people.
  data ErrorData | More about the error.
ErrorData | errors
  supported +2026-07-28 | The protocol revisions the server does speak.
  requested +2026-07-28 | The protocol revision that was asked for.
  requiredCapabilities +2026-07-28 ClientCapabilities | The capabilities the client would have to have.
  uri | The resource that was not found.
  elicitations +2025-11-25 -2025-11-25 ElicitRequestParams | The web pages the user has to visit before the request can succeed.
Meta | meta
  progressToken | Asks for notifications/progress about this request, which will carry this token.
  io.modelcontextprotocol/protocolVersion +2026-07-28 | The protocol revision this request is written in; there is no session that
      would know.
  io.modelcontextprotocol/clientInfo +2026-07-28 Implementation | Who sends the request.
  io.modelcontextprotocol/clientCapabilities +2026-07-28 ClientCapabilities | What the client can do while it waits for this answer.
  io.modelcontextprotocol/logLevel +2026-07-28 | How serious log messages about this request must be to be sent.
  io.modelcontextprotocol/serverInfo +2026-07-28 Implementation | Who answers.
  io.modelcontextprotocol/subscriptionId +2026-07-28 | The id of the subscriptions/listen request this belongs to.
  io.modelcontextprotocol/related-task +2025-11-25 -2025-11-25 RelatedTaskMetadata | The task this message belongs to.
  traceparent +2026-07-28 | Where this request stands in a distributed trace (W3C Trace Context).
  tracestate +2026-07-28 | What the tracing systems on the way have added (W3C Trace Context).
  baggage +2026-07-28 | Names and values that travel along with a distributed trace (W3C Baggage).
RequestParams | requests
  = _meta
NotificationParams | notifications
  = _meta
Result | responses
  resultType +2026-07-28 | "complete" when this is the answer, "input_required" when the server has questions first.
  = _meta
AnyResult < CallToolResult CreateMessageResult ElicitResult | tasks
CacheableResult +2026-07-28 < Result | caching
  ttlMs | For how many milliseconds the client may keep and reuse this result; 0: not at all.
  cacheScope | "public" when the result is the same for everybody, "private" when it is for this user only.
PaginatedRequestParams < RequestParams | pagination
  cursor | The nextCursor of the page before; left out for the first page.
PaginatedResult < Result | pagination
  nextCursor | Where the next page starts; what it says means something to the server only. The last page has none.
# opening
InitializeRequestParams -2025-11-25 < RequestParams | lifecycle
  protocolVersion | The newest protocol revision the client speaks; the server answers with the one that will be used.
  capabilities ClientCapabilities | What the client can do for the server.
  clientInfo Implementation | Who the client is.
InitializeResult -2025-11-25 < Result | lifecycle
  protocolVersion | The protocol revision that will be used; a client that does not speak it should disconnect.
  capabilities ServerCapabilities | What the server offers.
  serverInfo Implementation | Who the server is.
  instructions | How the server is best used, for the model to read.
DiscoverResult +2026-07-28 < CacheableResult | discover
  supportedVersions | The protocol revisions that a request may name.
  capabilities ServerCapabilities | What the server offers.
  instructions | How the server is best used, for the model to read.
Implementation | lifecycle
  name | The program's name.
  version | The program's version.
  description +2025-11-25 | What the program is.
  websiteUrl +2025-11-25 | Where to read about it.
  = +2025-06-18 title
  = +2025-11-25 icons
ClientCapabilities | capabilities
  experimental | Abilities that no specification describes.
  roots RootsCapability | The client can say which directories it has opened.
  sampling SamplingCapability | The client lets servers use its model.
  elicitation +2025-06-18 ElicitationCapability | The client can put questions to the user.
  tasks +2025-11-25 -2025-11-25 TasksCapability | Which requests to the client may become tasks.
  extensions +2026-07-28 | Extensions of the protocol that the client knows, with their settings.
RootsCapability -2025-11-25 | roots
  listChanged | The client tells when the roots change.
SamplingCapability +2025-11-25 | sampling
  context | The client understands includeContext.
  tools | The client understands tools and toolChoice.
ElicitationCapability +2025-11-25 | elicitation
  form | The client can show a form.
  url | The client can send the user to a web page.
TasksCapability +2025-11-25 -2025-11-25 | tasks
  list | tasks/list is understood.
  cancel | tasks/cancel is understood.
  requests TaskRequestsCapability | The requests that may become tasks.
TaskRequestsCapability +2025-11-25 -2025-11-25 | tasks
  sampling TaskMethodsCapability | Requests about sampling that may become tasks.
  elicitation TaskMethodsCapability | Requests about elicitation that may become tasks.
  tools TaskMethodsCapability | Requests about tools that may become tasks.
TaskMethodsCapability +2025-11-25 -2025-11-25 | tasks
  createMessage | sampling/createMessage may become a task.
  create | elicitation/create may become a task.
  call | tools/call may become a task.
ServerCapabilities | capabilities
  experimental | Abilities that no specification describes.
  logging | The server sends log messages.
  completions +2025-03-26 | The server completes arguments.
  prompts ListCapability | The server has prompts.
  resources ListCapability | The server has resources.
  tools ListCapability | The server has tools.
  tasks +2025-11-25 -2025-11-25 TasksCapability | Which requests to the server may become tasks.
  extensions +2026-07-28 | Extensions of the protocol that the server knows, with their settings.
ListCapability | capabilities
  listChanged | The server tells when the list changes.
  subscribe | The server tells when a resource changes, to those who asked.
Icon +2025-11-25 | icons
  src | Where the picture is, or the picture itself as a data: URI.
  mimeType | What kind of picture it is.
  sizes | The sizes it is meant for, as "48x48", or "any".
  theme | Whether it is for a light or a dark background.
# tools
ListToolsResult < PaginatedResult CacheableResult | tools
  tools Tool | The tools of this page.
Tool | tool
  name | The name to call it by.
  description | What it does, for the model to read.
  inputSchema | The JSON Schema that its arguments have to fit.
  outputSchema +2025-06-18 | The JSON Schema that its structuredContent will fit.
  annotations +2025-03-26 ToolAnnotations | Hints on what calling it does; not to be trusted if the server is not.
  execution +2025-11-25 -2025-11-25 ToolExecution | How it may be run.
  = +2025-06-18 _meta title
  = +2025-11-25 icons
ToolAnnotations +2025-03-26 | tool
  title | The name to show to people.
  readOnlyHint | It changes nothing.
  destructiveHint | It may destroy something rather than only add.
  idempotentHint | Calling it again with the same arguments changes nothing more.
  openWorldHint | It deals with the world outside, as a web search does.
ToolExecution +2025-11-25 -2025-11-25 | tasks
  taskSupport | Whether a call of it may, must or must not become a task.
CallToolRequestParams < RequestParams InputResponseRequestParams | tools
  name | The tool to run.
  arguments | Its arguments, which have to fit its inputSchema.
  = +2025-11-25 -2025-11-25 task
CallToolResult < Result InputRequiredResult CreateTaskResult | tool result
  content ContentBlock | What the tool says, for the model to read.
  structuredContent +2025-06-18 | The same as JSON, for programs; it fits the outputSchema.
  isError | The tool failed; content says why, so that the model can try something else.
ContentBlock | tool result
  type | What kind of content it is: text, image, audio, resource_link, resource; in sampling also tool_use, tool_result.
  text | The text.
  data | The picture or sound, in base64.
  mimeType | The kind of data, as "image/png".
  resource ResourceContents | A resource, contained in the message.
  uri +2025-06-18 | The address of the resource that is pointed at.
  name +2025-06-18 | The name of the resource, or of the tool to use.
  description +2025-06-18 | What the resource is.
  size +2025-06-18 | How many bytes the resource has.
  id +2025-11-25 | The name of this use of a tool; the tool_result repeats it.
  input +2025-11-25 | The arguments the model wants to call the tool with.
  toolUseId +2025-11-25 | The id of the tool_use that this is the result of.
  content +2025-11-25 ContentBlock | What the tool said.
  structuredContent +2025-11-25 | The same as JSON.
  isError +2025-11-25 | The tool failed.
  = annotations
  = +2025-06-18 _meta title
  = +2025-11-25 icons
Annotations | annotations
  audience | Who it is for: the user, the assistant, or both.
  priority | How important it is, from 0 (optional) to 1 (needed).
  lastModified +2025-06-18 | When it was last changed, in ISO 8601.
# resources
ListResourcesResult < PaginatedResult CacheableResult | resources
  resources Resource | The resources of this page.
ListResourceTemplatesResult < PaginatedResult CacheableResult | templates
  resourceTemplates ResourceTemplate | The templates of this page.
Resource | resource
  uri | The address to read it by.
  name | Its name.
  description | What it is, for the model to read.
  mimeType | What kind of data it is, when that is known.
  size | How many bytes it has, when that is known.
  = annotations
  = +2025-06-18 _meta title
  = +2025-11-25 icons
ResourceTemplate | templates
  uriTemplate | The pattern of the addresses (RFC 6570): {name} stands for a variable part.
  name | Its name.
  description | What it is for.
  mimeType | What kind of data all of them are, when that is known.
  = annotations
  = +2025-06-18 _meta title
  = +2025-11-25 icons
ReadResourceRequestParams < RequestParams InputResponseRequestParams | resources
  uri | The address of the resource.
ReadResourceResult < CacheableResult InputRequiredResult | resource contents
  contents ResourceContents | What is there; a directory, say, may give several.
ResourceContents | resource contents
  uri | The address of this part.
  mimeType | What kind of data it is.
  text | The data, when it is text.
  blob | The data in base64, when it is not text.
  = +2025-06-18 _meta
SubscribeRequestParams -2025-11-25 < RequestParams | subscriptions
  uri | The resource to watch.
UnsubscribeRequestParams -2025-11-25 < RequestParams | subscriptions
  uri | The resource to watch no longer.
ResourceUpdatedNotificationParams < NotificationParams | subscriptions
  uri | The resource that changed.
SubscriptionsListenRequestParams +2026-07-28 < RequestParams | subscriptions
  notifications SubscriptionFilter | What the client wants to be told.
SubscriptionsAcknowledgedNotificationParams +2026-07-28 < NotificationParams | subscriptions
  notifications SubscriptionFilter | What the server is going to tell.
SubscriptionsListenResult < Result | subscriptions
SubscriptionFilter +2026-07-28 | subscriptions
  toolsListChanged | Tell when the list of tools changes.
  promptsListChanged | Tell when the list of prompts changes.
  resourcesListChanged | Tell when the list of resources changes.
  resourceSubscriptions | Tell when one of these resources changes.
# prompts and completion
ListPromptsResult < PaginatedResult CacheableResult | prompts
  prompts Prompt | The prompts of this page.
Prompt | prompts
  name | The name to fetch it by.
  description | What it is for.
  arguments PromptArgument | What it can be filled in with.
  = +2025-06-18 _meta title
  = +2025-11-25 icons
PromptArgument | prompts
  name | The argument's name.
  description | What to fill in.
  required | It must be given.
  = +2025-06-18 title
GetPromptRequestParams < RequestParams InputResponseRequestParams | prompts
  name | The prompt to fetch.
  arguments | What to fill it in with; all values are strings.
GetPromptResult < Result InputRequiredResult | prompts
  description | What the prompt is for.
  messages PromptMessage | The messages to put into the conversation with the model.
PromptMessage | prompts
  role | Who says it: the user or the assistant.
  content ContentBlock | What is said.
CompleteRequestParams < RequestParams | completion
  ref Reference | The prompt or the resource template that the argument belongs to.
  argument CompleteArgument | The argument that is being typed.
  context +2025-06-18 CompleteContext | What is known about the other arguments.
Reference | completion
  type | ref/prompt or ref/resource.
  name | The prompt's name.
  uri | The template's pattern, or the resource's address.
  = +2025-06-18 title
CompleteArgument | completion
  name | The argument's name.
  value | What has been typed so far.
CompleteContext +2025-06-18 | completion
  arguments | Arguments that have been filled in already.
CompleteResult < Result | completion
  completion Completion | How it might go on.
Completion | completion
  values | Up to 100 proposals, the best first.
  total | How many there are in all.
  hasMore | There are more than these.
# logging, progress, cancelling
SetLevelRequestParams -2025-11-25 < RequestParams | logging
  level | The least serious level that is still to be sent.
LoggingMessageNotificationParams < NotificationParams | logging
  level | How serious it is: debug, info, notice, warning, error, critical, alert, emergency.
  logger | Which part of the server says it.
  data | What is logged: a text, or any JSON.
ProgressNotificationParams < NotificationParams | progress
  progressToken | The token that the request carried.
  progress | How far it has come; it only ever grows.
  total | How far it has to go, when that is known.
  message +2025-03-26 | What is being done, for people.
CancelledNotificationParams < NotificationParams | cancellation
  requestId | The id of the request that is no longer wanted.
  reason | Why, for people or a log.
# questions to the client
ListRootsResult < Result | roots
  roots Root | What the user has opened to the server.
Root | roots
  uri | The directory or file, as a file:// address.
  name | Its name for people.
  = +2025-06-18 _meta
CreateMessageRequestParams < RequestParams | sampling
  messages SamplingMessage | The conversation so far, which the model is to continue.
  modelPreferences ModelPreferences | What matters in choosing a model.
  systemPrompt | The system prompt the server would like.
  includeContext | Whether what other servers gave should be included: none, thisServer, allServers.
  temperature | How freely the model may choose.
  maxTokens | How long the answer may become, in tokens.
  stopSequences | Texts at which the model stops.
  metadata | Settings for the provider of the model.
  tools +2025-11-25 Tool | The tools the model may ask for.
  toolChoice +2025-11-25 ToolChoice | Whether it may, must or must not ask for one.
  = +2025-11-25 -2025-11-25 task
SamplingMessage | sampling
  role | Who says it: the user or the assistant.
  content ContentBlock | What is said.
  = +2025-11-25 _meta
ModelPreferences | sampling
  hints ModelHint | Names of models that would do, the best first.
  costPriority | How much a low price matters, from 0 to 1.
  speedPriority | How much speed matters, from 0 to 1.
  intelligencePriority | How much ability matters, from 0 to 1.
ModelHint | sampling
  name | A part of a model's name.
ToolChoice +2025-11-25 | sampling
  mode | auto: the model decides; required: it must use a tool; none: it must not.
CreateMessageResult < Result | sampling
  role | Who says it; the assistant.
  content ContentBlock | What the model wrote.
  model | Which model wrote it.
  stopReason | Why it stopped: endTurn, stopSequence, maxTokens, toolUse.
ElicitRequestParams < RequestParams | elicitation
  mode +2025-11-25 | form: ask here; url: send the user to a web page.
  message +2025-06-18 | The question, or why the page has to be visited.
  requestedSchema +2025-06-18 ElicitationSchema | The form: a flat JSON Schema, one property for each field.
  url +2025-11-25 | The web page.
  elicitationId +2025-11-25 -2025-11-25 | The name of this question; the notification that it is done carries it.
  = +2025-11-25 -2025-11-25 task
ElicitationSchema | elicitation
  $schema +2025-11-25 | The dialect of JSON Schema.
  type +2025-06-18 | Always object.
  properties +2025-06-18 *PrimitiveSchema | The fields of the form.
  required +2025-06-18 | The fields that must be filled in.
PrimitiveSchema | elicitation
  type +2025-06-18 | What the user fills in: string, number, integer, boolean, or array for a choice of several.
  title +2025-06-18 | The field's name for people.
  description +2025-06-18 | What to fill in.
  default +2025-06-18 | What stands there at first.
  minLength +2025-06-18 | The fewest characters.
  maxLength +2025-06-18 | The most characters.
  format +2025-06-18 | What the text must be: email, uri, date or date-time.
  minimum +2025-06-18 | The smallest number.
  maximum +2025-06-18 | The largest number.
  enum +2025-06-18 | The choices.
  enumNames +2025-06-18 | The choices' names for people.
  oneOf +2025-11-25 EnumChoice | The choices, each with its name for people.
  anyOf +2025-11-25 EnumChoice | The choices, each with its name for people.
  items +2025-11-25 PrimitiveSchema | What may be chosen, where several may.
  minItems +2025-11-25 | The fewest choices.
  maxItems +2025-11-25 | The most choices.
EnumChoice +2025-11-25 | elicitation
  const | The choice.
  title | Its name for people.
ElicitResult +2025-06-18 < Result | elicitation
  action | accept: answered; decline: refused; cancel: closed without an answer.
  content | What the user filled in.
ElicitationCompleteNotificationParams +2025-11-25 -2025-11-25 < NotificationParams | elicitation
  elicitationId | Which question it was.
# several rounds
InputRequiredResult +2026-07-28 < Result | mrtr
  inputRequests *InputRequest | The questions, under names the server chose; the client asks them and sends the call again.
  requestState | What the server needs to go on; the client sends it back unread.
InputRequest | mrtr
  method | What is asked of the client.
  params | The details of the question.
InputResponseRequestParams +2026-07-28 < RequestParams | mrtr
  inputResponses *InputResponse | The answers, under the names of the questions.
  requestState | What the server gave along with its questions, sent back unchanged.
InputResponse < ElicitResult CreateMessageResult ListRootsResult | mrtr
# tasks
TaskMetadata +2025-11-25 -2025-11-25 | tasks
  ttl | For how many milliseconds the task should be kept.
RelatedTaskMetadata +2025-11-25 -2025-11-25 | tasks
  taskId | The task's name.
CreateTaskResult +2025-11-25 -2025-11-25 < Result | tasks
  task Task | The task that was started in place of an answer.
Task +2025-11-25 -2025-11-25 | tasks
  taskId | The task's name.
  status | How it stands: working, input_required, completed, failed, cancelled.
  statusMessage | The same for people.
  createdAt | When it was started.
  lastUpdatedAt | When it last changed.
  ttl | For how many milliseconds from its start it is kept; null: without limit.
  pollInterval | How many milliseconds to wait before asking again.
TaskResult < Result Task | tasks
TaskStatusNotificationParams < NotificationParams Task | tasks
TaskRequestParams +2025-11-25 -2025-11-25 < RequestParams | tasks
  taskId | The task's name.
ListTasksResult +2025-11-25 -2025-11-25 < PaginatedResult | tasks
  tasks Task | The tasks of this page.
"""

METHOD_TABLE: dict[str, tuple[str, str, str, str]] = {}  # method: (sentence, page, type of its params, of its result or "")
TYPE_TABLE: dict[str, tuple[str, dict[str, Any]]] = {}  # type: (page, {field: sentence or (sentence, type); "": types below it})
METHOD_SINCE: dict[str, str] = {}  # method: the first revision that has it, where that is not the first of all
METHOD_UNTIL: dict[str, str] = {}
FIELD_SINCE: dict[str, str] = {}  # "Type.field"
FIELD_UNTIL: dict[str, str] = {}


def parse_left(left: str) -> tuple[str, list[str], str, str]:
    """(the name, the types, first revision, last revision) of what stands before ` | `."""
    words = left.split()
    since, until = ("".join(word[1:] for word in words if word[0] == sign) for sign in "+-")
    return words[0], [word for word in words[1:] if word[0] not in "+-<"], since, until


def read_methods(text: str) -> None:
    lines = text.strip().split("\n")
    for head, sentence in zip(lines[::2], lines[1::2]):
        left, page = head.split(" | ")
        method, types, since, until = parse_left(left)
        METHOD_TABLE[method] = (sentence.strip(), page, types[0], types[1] if len(types) > 1 else "")
        note_revisions(METHOD_SINCE, since, METHOD_UNTIL, until, method)


def read_types(text: str, common: dict[str, Any]) -> None:
    for line in text.strip().replace("\n      ", " ").split("\n"):
        left, _, right = line.partition(" | ")
        name, types, since, until = parse_left(left)
        if not line.startswith((" ", "#")):
            owner, owner_since, owner_until = name, since, until
            fields: dict[str, Any] = {"": " ".join(types)} if types else {}
            TYPE_TABLE[owner] = (right, fields)
        elif name == "=":
            for field in types:
                fields[field] = common[field]
                note_revisions(FIELD_SINCE, since or owner_since, FIELD_UNTIL, until or owner_until, owner + "." + field)
        elif name != "#":
            fields[name] = (right, types[0]) if types else right
            note_revisions(FIELD_SINCE, since or owner_since, FIELD_UNTIL, until or owner_until, owner + "." + name)


def note_revisions(since_table: dict[str, str], since: str, until_table: dict[str, str], until: str, key: str) -> None:
    if since:
        since_table[key] = since
    if until:
        until_table[key] = until


read_methods(METHODS_TEXT)
read_types(COMMON_FIELDS, {})
read_types(TYPES_TEXT, TYPE_TABLE.pop("Common")[1])
