"""TypedDicts of every message of all five revisions, for type checkers and for those who want completion.

Here: each object of the protocol under the protocol's own name, the unions of them, and tables from method to types.
Not here: anything that runs. mcplite itself works on plain dicts and never loads this module. It is the one module that
imports typing at module level, is no part of the single file, and does without ``from __future__ import annotations``
(with it, ``NotRequired`` would be invisible to whoever inspects the classes at run time).

Pages: schema of every revision, in the order of that page: messages, common types, content, then method by method.

    from mcplite.wiretypes import CallToolResult, Tool

    result: CallToolResult = client.call_tool("add", {"a": 1})
    tools: List[Tool] = list(client.list_tools())

1. One class serves all revisions: it has the members of all of them. A member that some revision lacks has a comment
   ("since", "up to", "only"), a class that some revision lacks says so in its docstring.
2. A member is required if every revision that has the object requires it; else it is ``NotRequired``. So are
   ``resultType`` and the version in ``_meta``, which 2026-07-28 alone requires.
3. Objects that the protocol does not name (a capability, the ``argument`` of a completion) have names of ours.
4. ``_meta``, JSON Schemas and arguments are open: ``Dict[str, Any]``, or a TypedDict or that.
5. tests/test_wiretypes.py compares all of this with the official schemas.
"""
import sys
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union, overload

if sys.version_info >= (3, 11):
    from typing import Literal, NotRequired, Protocol, TypedDict
else:
    from typing_extensions import Literal, NotRequired, Protocol, TypedDict


# ---------------------------------------------------------------------------------------------------------------------
# JSON

JSONValue = Union[str, float, bool, None, Mapping[str, "JSONValue"], Sequence["JSONValue"]]    # any JSON value
JSONObject = Mapping[str, JSONValue]    # any JSON object
JSONArray = Sequence[JSONValue]    # any JSON array
JSONSchema = Dict[str, Any]    # a JSON Schema (a name of ours)


# ---------------------------------------------------------------------------------------------------------------------
# JSON-RPC

RequestId = Union[str, int]    # never null, a bool or a float
ProgressToken = Union[str, int]    # the same; unique among the requests in flight
Cursor = str    # opaque

class Envelope(TypedDict):
    """What every request and every successful response has. (A base of ours.)"""
    jsonrpc: Literal["2.0"]
    id: RequestId

class NotificationEnvelope(TypedDict):
    """What every notification has. (A base of ours.)"""
    jsonrpc: Literal["2.0"]

class Request(TypedDict):
    """Any request, without its envelope."""
    method: str
    params: NotRequired[Dict[str, Any]]

class Notification(TypedDict):
    """Any notification, without its envelope."""
    method: str
    params: NotRequired[Dict[str, Any]]

class JSONRPCRequest(Envelope):
    """Any request."""
    method: str
    params: NotRequired[Dict[str, Any]]

class JSONRPCNotification(NotificationEnvelope):
    """Any notification."""
    method: str
    params: NotRequired[Dict[str, Any]]

class Error(TypedDict):
    """The `error` member of an error response."""
    code: int
    message: str
    data: NotRequired[Any]

MetaObject = Dict[str, Any]    # `_meta`: keys with a prefix are whoever's the prefix is

class Icon(TypedDict):
    """An image for a user interface; `src` is an https: or data: URI. Since 2025-11-25."""
    src: str
    mimeType: NotRequired[str]
    sizes: NotRequired[List[str]]
    theme: NotRequired[Literal["dark", "light"]]

class Implementation(TypedDict):
    """Name and version of a client or a server."""
    name: str
    title: NotRequired[str]    # since 2025-06-18
    version: str
    description: NotRequired[str]    # since 2025-11-25
    icons: NotRequired[List[Icon]]    # since 2025-11-25
    websiteUrl: NotRequired[str]    # since 2025-11-25

# `_meta` of a result. Since 2026-07-28.
ResultMetaObject = TypedDict("ResultMetaObject", {
    "io.modelcontextprotocol/serverInfo": NotRequired[Implementation],
})

class Result(TypedDict):
    """What every result of a server has; any further member is allowed."""
    resultType: NotRequired[str]    # since 2026-07-28
    _meta: NotRequired[Union[ResultMetaObject, MetaObject]]

class JSONRPCResultResponse(Envelope):
    """A response that carries a result."""
    result: Result

class JSONRPCErrorResponse(TypedDict):
    """A response that carries an error; `id` is missing where it could not be read (null, up to 2025-06-18)."""
    jsonrpc: Literal["2.0"]
    id: NotRequired[RequestId]
    error: Error

JSONRPCError = JSONRPCErrorResponse    # its name up to 2025-06-18
JSONRPCResponse = Union[JSONRPCResultResponse, JSONRPCErrorResponse]
JSONRPCBatchRequest = List[Union[JSONRPCRequest, JSONRPCNotification]]    # 2025-03-26 only
JSONRPCBatchResponse = List[JSONRPCResponse]    # 2025-03-26 only
JSONRPCMessage = Union[JSONRPCRequest, JSONRPCNotification, JSONRPCResultResponse, JSONRPCErrorResponse,
                       JSONRPCBatchRequest, JSONRPCBatchResponse]


# ---------------------------------------------------------------------------------------------------------------------
# Common types

EmptyResult = Result    # of `ping` and of whatever returns nothing
ResultType = str    # "complete" or "input_required"; since 2026-07-28
Role = Literal["assistant", "user"]
LoggingLevel = Literal["alert", "critical", "debug", "emergency", "error", "info", "notice", "warning"]

class Annotations(TypedDict):
    """For whom something is, and how important it is (0 to 1)."""
    audience: NotRequired[List[Role]]
    lastModified: NotRequired[str]    # since 2025-06-18
    priority: NotRequired[float]

class Annotated(TypedDict):
    """The base of what carries annotations. 2024-11-05 only."""
    annotations: NotRequired[Annotations]

class BaseMetadata(TypedDict):
    """The base of what has a name and a title. Since 2025-06-18."""
    name: str
    title: NotRequired[str]

class Icons(TypedDict):
    """The base of what has icons. Since 2025-11-25."""
    icons: NotRequired[List[Icon]]

class CacheableResult(TypedDict):
    """How long (milliseconds) and for whom a result may be kept. Since 2026-07-28."""
    cacheScope: Literal["private", "public"]
    resultType: str
    ttlMs: int
    _meta: NotRequired[Union[ResultMetaObject, MetaObject]]


# ---------------------------------------------------------------------------------------------------------------------
# Capabilities

class RootsCapability(TypedDict):
    """The client answers `roots/list`."""
    listChanged: NotRequired[bool]    # up to 2025-11-25

class SamplingCapability(TypedDict):
    """The client answers `sampling/createMessage`."""
    context: NotRequired[JSONObject]    # since 2025-11-25
    tools: NotRequired[JSONObject]    # since 2025-11-25

class ElicitationCapability(TypedDict):
    """The client answers `elicitation/create`; empty means form mode. Since 2025-06-18."""
    form: NotRequired[JSONObject]    # since 2025-11-25
    url: NotRequired[JSONObject]    # since 2025-11-25

class ElicitationTaskRequests(TypedDict):
    """Elicitation as a task. 2025-11-25 only."""
    create: NotRequired[Dict[str, Any]]

class SamplingTaskRequests(TypedDict):
    """Sampling as a task. 2025-11-25 only."""
    createMessage: NotRequired[Dict[str, Any]]

class ClientTaskRequests(TypedDict):
    """What a client runs as tasks. 2025-11-25 only."""
    elicitation: NotRequired[ElicitationTaskRequests]
    sampling: NotRequired[SamplingTaskRequests]

class ClientTasksCapability(TypedDict):
    """The client has tasks. 2025-11-25 only."""
    cancel: NotRequired[Dict[str, Any]]
    list: NotRequired[Dict[str, Any]]
    requests: NotRequired[ClientTaskRequests]

class ClientCapabilities(TypedDict):
    """What a client declares; further members are allowed."""
    elicitation: NotRequired[ElicitationCapability]    # since 2025-06-18
    experimental: NotRequired[Dict[str, JSONObject]]
    extensions: NotRequired[Dict[str, JSONObject]]    # since 2026-07-28
    roots: NotRequired[RootsCapability]
    sampling: NotRequired[SamplingCapability]
    tasks: NotRequired[ClientTasksCapability]    # 2025-11-25 only

class PromptsCapability(TypedDict):
    """The server has prompts."""
    listChanged: NotRequired[bool]

class ResourcesCapability(TypedDict):
    """The server has resources."""
    listChanged: NotRequired[bool]
    subscribe: NotRequired[bool]

class ToolsCapability(TypedDict):
    """The server has tools."""
    listChanged: NotRequired[bool]

class ToolTaskRequests(TypedDict):
    """Tool calls as tasks. 2025-11-25 only."""
    call: NotRequired[Dict[str, Any]]

class ServerTaskRequests(TypedDict):
    """What a server runs as tasks. 2025-11-25 only."""
    tools: NotRequired[ToolTaskRequests]

class ServerTasksCapability(TypedDict):
    """The server has tasks. 2025-11-25 only."""
    cancel: NotRequired[Dict[str, Any]]
    list: NotRequired[Dict[str, Any]]
    requests: NotRequired[ServerTaskRequests]

class ServerCapabilities(TypedDict):
    """What a server declares; further members are allowed."""
    completions: NotRequired[JSONObject]    # since 2025-03-26
    experimental: NotRequired[Dict[str, JSONObject]]
    extensions: NotRequired[Dict[str, JSONObject]]    # since 2026-07-28
    logging: NotRequired[JSONObject]
    prompts: NotRequired[PromptsCapability]
    resources: NotRequired[ResourcesCapability]
    tools: NotRequired[ToolsCapability]
    tasks: NotRequired[ServerTasksCapability]    # 2025-11-25 only


# ---------------------------------------------------------------------------------------------------------------------
# Params that others build on; `_meta`

# `_meta` of a request. In 2026-07-28 version and capabilities are required.
RequestMetaObject = TypedDict("RequestMetaObject", {
    "io.modelcontextprotocol/clientCapabilities": NotRequired[ClientCapabilities],    # since 2026-07-28
    "io.modelcontextprotocol/clientInfo": NotRequired[Implementation],    # since 2026-07-28
    "io.modelcontextprotocol/logLevel": NotRequired[LoggingLevel],    # since 2026-07-28
    "io.modelcontextprotocol/protocolVersion": NotRequired[str],    # since 2026-07-28
    "progressToken": NotRequired[ProgressToken],
})

# `_meta` of a notification: the id of the `subscriptions/listen` request it belongs to. Since 2026-07-28.
NotificationMetaObject = TypedDict("NotificationMetaObject", {
    "io.modelcontextprotocol/subscriptionId": NotRequired[RequestId],
})

class RequestParams(TypedDict):
    """Params of a request that has none of its own."""
    _meta: NotRequired[Union[RequestMetaObject, MetaObject]]

class NotificationParams(TypedDict):
    """Params of a notification that has none of its own."""
    _meta: NotRequired[Union[NotificationMetaObject, MetaObject]]

class PaginatedRequestParams(TypedDict):
    """Params of every list."""
    cursor: NotRequired[str]
    _meta: NotRequired[Union[RequestMetaObject, MetaObject]]

class PaginatedRequest(TypedDict):
    """The base of every list request."""
    jsonrpc: NotRequired[Literal["2.0"]]    # since 2025-11-25
    id: NotRequired[RequestId]    # since 2025-11-25
    method: str
    params: NotRequired[PaginatedRequestParams]

class PaginatedResult(Result):
    """The base of every list; `nextCursor` is missing on the last page."""
    nextCursor: NotRequired[str]

class ResourceRequestParams(TypedDict):
    """Params of every request about one resource. Since 2025-11-25."""
    uri: str
    _meta: NotRequired[Union[RequestMetaObject, MetaObject]]

class TaskMetadata(TypedDict):
    """Asks that a request runs as a task; `ttl` in milliseconds. 2025-11-25 only."""
    ttl: NotRequired[int]

class TaskAugmentedRequestParams(TypedDict):
    """The base of params that can ask for a task. 2025-11-25 only."""
    task: NotRequired[TaskMetadata]
    _meta: NotRequired[Union[RequestMetaObject, MetaObject]]

class RelatedTaskMetadata(TypedDict):
    """In `_meta`: the task that a message belongs to. 2025-11-25 only."""
    taskId: str


# ---------------------------------------------------------------------------------------------------------------------
# Content

class TextContent(TypedDict):
    """Text."""
    type: Literal["text"]
    text: str
    annotations: NotRequired[Annotations]
    _meta: NotRequired[MetaObject]    # since 2025-06-18

class ImageContent(TypedDict):
    """An image, in base64."""
    type: Literal["image"]
    data: str
    mimeType: str
    annotations: NotRequired[Annotations]
    _meta: NotRequired[MetaObject]    # since 2025-06-18

class AudioContent(TypedDict):
    """Sound, in base64. Since 2025-03-26."""
    type: Literal["audio"]
    data: str
    mimeType: str
    annotations: NotRequired[Annotations]
    _meta: NotRequired[MetaObject]    # since 2025-06-18

class ResourceContents(TypedDict):
    """The base of contents."""
    uri: str
    mimeType: NotRequired[str]
    _meta: NotRequired[MetaObject]    # since 2025-06-18

class TextResourceContents(TypedDict):
    """The contents of a text resource."""
    uri: str
    text: str
    mimeType: NotRequired[str]
    _meta: NotRequired[MetaObject]    # since 2025-06-18

class BlobResourceContents(TypedDict):
    """The contents of a binary resource, in base64."""
    uri: str
    blob: str
    mimeType: NotRequired[str]
    _meta: NotRequired[MetaObject]    # since 2025-06-18

class EmbeddedResource(TypedDict):
    """A resource with its contents."""
    type: Literal["resource"]
    annotations: NotRequired[Annotations]
    resource: Union[TextResourceContents, BlobResourceContents]
    _meta: NotRequired[MetaObject]    # since 2025-06-18

class ResourceLink(TypedDict):
    """A resource without its contents. Since 2025-06-18."""
    type: Literal["resource_link"]
    name: str
    title: NotRequired[str]
    uri: str
    mimeType: NotRequired[str]
    annotations: NotRequired[Annotations]
    description: NotRequired[str]
    icons: NotRequired[List[Icon]]    # since 2025-11-25
    size: NotRequired[int]
    _meta: NotRequired[MetaObject]

ContentBlock = Union[TextContent, ImageContent, AudioContent, ResourceLink, EmbeddedResource]    # since 2025-06-18


# ---------------------------------------------------------------------------------------------------------------------
# `initialize` and `ping`: the handshake, up to 2025-11-25

class InitializeRequestParams(TypedDict):
    """Params of `initialize`. Up to 2025-11-25."""
    capabilities: ClientCapabilities
    protocolVersion: str
    clientInfo: Implementation
    _meta: NotRequired[Union[RequestMetaObject, MetaObject]]

class InitializeRequest(Envelope):
    """`initialize`, from the client. Up to 2025-11-25."""
    method: Literal["initialize"]
    params: InitializeRequestParams

class InitializeResult(TypedDict):
    """The result of `initialize`. Up to 2025-11-25."""
    capabilities: ServerCapabilities
    protocolVersion: str
    serverInfo: Implementation
    instructions: NotRequired[str]
    _meta: NotRequired[MetaObject]

class InitializedNotification(NotificationEnvelope):
    """`notifications/initialized`, from the client. Up to 2025-11-25."""
    method: Literal["notifications/initialized"]
    params: NotRequired[NotificationParams]

class PingRequest(Envelope):
    """`ping`, from either end. Up to 2025-11-25."""
    method: Literal["ping"]
    params: NotRequired[RequestParams]


# ---------------------------------------------------------------------------------------------------------------------
# `server/discover`: 2026-07-28

class DiscoverRequest(Envelope):
    """`server/discover`, from the client. Since 2026-07-28."""
    method: Literal["server/discover"]
    params: RequestParams

class DiscoverResult(TypedDict):
    """The result of `server/discover`. Since 2026-07-28."""
    capabilities: ServerCapabilities
    cacheScope: Literal["private", "public"]
    instructions: NotRequired[str]
    resultType: str
    supportedVersions: List[str]
    ttlMs: int
    _meta: NotRequired[Union[ResultMetaObject, MetaObject]]

class DiscoverResultResponse(Envelope):
    """The response to `server/discover`. Since 2026-07-28."""
    result: DiscoverResult


# ---------------------------------------------------------------------------------------------------------------------
# Tools

class ToolAnnotations(TypedDict):
    """Hints about a tool; none of them is a promise. Since 2025-03-26."""
    title: NotRequired[str]
    destructiveHint: NotRequired[bool]
    idempotentHint: NotRequired[bool]
    openWorldHint: NotRequired[bool]
    readOnlyHint: NotRequired[bool]

class ToolExecution(TypedDict):
    """Whether a tool runs as a task. 2025-11-25 only."""
    taskSupport: NotRequired[Literal["forbidden", "optional", "required"]]

class Tool(TypedDict):
    """A tool as `tools/list` shows it."""
    name: str
    title: NotRequired[str]    # since 2025-06-18
    annotations: NotRequired[ToolAnnotations]    # since 2025-03-26
    description: NotRequired[str]
    icons: NotRequired[List[Icon]]    # since 2025-11-25
    inputSchema: JSONSchema
    outputSchema: NotRequired[JSONSchema]    # since 2025-06-18
    execution: NotRequired[ToolExecution]    # 2025-11-25 only
    _meta: NotRequired[MetaObject]    # since 2025-06-18

class ListToolsRequest(Envelope):
    """`tools/list`, from the client."""
    method: Literal["tools/list"]
    params: NotRequired[PaginatedRequestParams]

class ListToolsResult(Result):
    """The result of `tools/list`."""
    cacheScope: NotRequired[Literal["private", "public"]]    # since 2026-07-28
    nextCursor: NotRequired[str]
    tools: List[Tool]
    ttlMs: NotRequired[int]    # since 2026-07-28

class ListToolsResultResponse(Envelope):
    """The response to `tools/list`. Since 2026-07-28."""
    result: ListToolsResult

class CallToolRequestParams(TypedDict):
    """Params of `tools/call`."""
    name: str
    arguments: NotRequired[Dict[str, Any]]
    inputResponses: NotRequired["InputResponses"]    # since 2026-07-28
    requestState: NotRequired[str]    # since 2026-07-28
    task: NotRequired[TaskMetadata]    # 2025-11-25 only
    _meta: NotRequired[Union[RequestMetaObject, MetaObject]]

class CallToolRequest(Envelope):
    """`tools/call`, from the client."""
    method: Literal["tools/call"]
    params: CallToolRequestParams

class CallToolResult(Result):
    """What a tool returned; with `isError`, why it failed."""
    content: List[ContentBlock]
    isError: NotRequired[bool]
    structuredContent: NotRequired[Any]    # since 2025-06-18

class CallToolResultResponse(Envelope):
    """The response to `tools/call`. Since 2026-07-28."""
    result: Union["InputRequiredResult", CallToolResult]

class ToolListChangedNotification(NotificationEnvelope):
    """`notifications/tools/list_changed`, from the server."""
    method: Literal["notifications/tools/list_changed"]
    params: NotRequired[NotificationParams]


# ---------------------------------------------------------------------------------------------------------------------
# Resources

class Resource(TypedDict):
    """A resource as `resources/list` shows it; `size` in bytes."""
    name: str
    title: NotRequired[str]    # since 2025-06-18
    uri: str
    mimeType: NotRequired[str]
    annotations: NotRequired[Annotations]
    description: NotRequired[str]
    icons: NotRequired[List[Icon]]    # since 2025-11-25
    size: NotRequired[int]
    _meta: NotRequired[MetaObject]    # since 2025-06-18

class ResourceTemplate(TypedDict):
    """A URI template (RFC 6570) of resources."""
    name: str
    title: NotRequired[str]    # since 2025-06-18
    uriTemplate: str
    mimeType: NotRequired[str]
    annotations: NotRequired[Annotations]
    description: NotRequired[str]
    icons: NotRequired[List[Icon]]    # since 2025-11-25
    _meta: NotRequired[MetaObject]    # since 2025-06-18

class ListResourcesRequest(Envelope):
    """`resources/list`, from the client."""
    method: Literal["resources/list"]
    params: NotRequired[PaginatedRequestParams]

class ListResourcesResult(Result):
    """The result of `resources/list`."""
    cacheScope: NotRequired[Literal["private", "public"]]    # since 2026-07-28
    nextCursor: NotRequired[str]
    resources: List[Resource]
    ttlMs: NotRequired[int]    # since 2026-07-28

class ListResourcesResultResponse(Envelope):
    """The response to `resources/list`. Since 2026-07-28."""
    result: ListResourcesResult

class ListResourceTemplatesRequest(Envelope):
    """`resources/templates/list`, from the client."""
    method: Literal["resources/templates/list"]
    params: NotRequired[PaginatedRequestParams]

class ListResourceTemplatesResult(Result):
    """The result of `resources/templates/list`."""
    cacheScope: NotRequired[Literal["private", "public"]]    # since 2026-07-28
    nextCursor: NotRequired[str]
    resourceTemplates: List[ResourceTemplate]
    ttlMs: NotRequired[int]    # since 2026-07-28

class ListResourceTemplatesResultResponse(Envelope):
    """The response to `resources/templates/list`. Since 2026-07-28."""
    result: ListResourceTemplatesResult

class ReadResourceRequestParams(TypedDict):
    """Params of `resources/read`."""
    uri: str
    inputResponses: NotRequired["InputResponses"]    # since 2026-07-28
    requestState: NotRequired[str]    # since 2026-07-28
    _meta: NotRequired[Union[RequestMetaObject, MetaObject]]

class ReadResourceRequest(Envelope):
    """`resources/read`, from the client."""
    method: Literal["resources/read"]
    params: ReadResourceRequestParams

class ReadResourceResult(Result):
    """The result of `resources/read`."""
    cacheScope: NotRequired[Literal["private", "public"]]    # since 2026-07-28
    contents: List[Union[TextResourceContents, BlobResourceContents]]
    ttlMs: NotRequired[int]    # since 2026-07-28

class ReadResourceResultResponse(Envelope):
    """The response to `resources/read`. Since 2026-07-28."""
    result: Union["InputRequiredResult", ReadResourceResult]

class SubscribeRequestParams(TypedDict):
    """Params of `resources/subscribe`. Up to 2025-11-25."""
    uri: str
    _meta: NotRequired[Union[RequestMetaObject, MetaObject]]

class SubscribeRequest(Envelope):
    """`resources/subscribe`, from the client. Up to 2025-11-25."""
    method: Literal["resources/subscribe"]
    params: SubscribeRequestParams

class UnsubscribeRequestParams(TypedDict):
    """Params of `resources/unsubscribe`. Up to 2025-11-25."""
    uri: str
    _meta: NotRequired[Union[RequestMetaObject, MetaObject]]

class UnsubscribeRequest(Envelope):
    """`resources/unsubscribe`, from the client. Up to 2025-11-25."""
    method: Literal["resources/unsubscribe"]
    params: UnsubscribeRequestParams

class ResourceListChangedNotification(NotificationEnvelope):
    """`notifications/resources/list_changed`, from the server."""
    method: Literal["notifications/resources/list_changed"]
    params: NotRequired[NotificationParams]

class ResourceUpdatedNotificationParams(TypedDict):
    """Params of `notifications/resources/updated`."""
    uri: str
    _meta: NotRequired[Union[NotificationMetaObject, MetaObject]]

class ResourceUpdatedNotification(NotificationEnvelope):
    """`notifications/resources/updated`, from the server."""
    method: Literal["notifications/resources/updated"]
    params: ResourceUpdatedNotificationParams


# ---------------------------------------------------------------------------------------------------------------------
# Prompts

class PromptArgument(TypedDict):
    """An argument of a prompt; its value is a string."""
    name: str
    title: NotRequired[str]    # since 2025-06-18
    description: NotRequired[str]
    required: NotRequired[bool]

class Prompt(TypedDict):
    """A prompt as `prompts/list` shows it."""
    name: str
    title: NotRequired[str]    # since 2025-06-18
    arguments: NotRequired[List[PromptArgument]]
    description: NotRequired[str]
    icons: NotRequired[List[Icon]]    # since 2025-11-25
    _meta: NotRequired[MetaObject]    # since 2025-06-18

class PromptMessage(TypedDict):
    """One message of a prompt."""
    role: Role
    content: ContentBlock

class ListPromptsRequest(Envelope):
    """`prompts/list`, from the client."""
    method: Literal["prompts/list"]
    params: NotRequired[PaginatedRequestParams]

class ListPromptsResult(Result):
    """The result of `prompts/list`."""
    cacheScope: NotRequired[Literal["private", "public"]]    # since 2026-07-28
    nextCursor: NotRequired[str]
    prompts: List[Prompt]
    ttlMs: NotRequired[int]    # since 2026-07-28

class ListPromptsResultResponse(Envelope):
    """The response to `prompts/list`. Since 2026-07-28."""
    result: ListPromptsResult

class GetPromptRequestParams(TypedDict):
    """Params of `prompts/get`."""
    name: str
    arguments: NotRequired[Dict[str, str]]
    inputResponses: NotRequired["InputResponses"]    # since 2026-07-28
    requestState: NotRequired[str]    # since 2026-07-28
    _meta: NotRequired[Union[RequestMetaObject, MetaObject]]

class GetPromptRequest(Envelope):
    """`prompts/get`, from the client."""
    method: Literal["prompts/get"]
    params: GetPromptRequestParams

class GetPromptResult(Result):
    """The result of `prompts/get`."""
    description: NotRequired[str]
    messages: List[PromptMessage]

class GetPromptResultResponse(Envelope):
    """The response to `prompts/get`. Since 2026-07-28."""
    result: Union["InputRequiredResult", GetPromptResult]

class PromptListChangedNotification(NotificationEnvelope):
    """`notifications/prompts/list_changed`, from the server."""
    method: Literal["notifications/prompts/list_changed"]
    params: NotRequired[NotificationParams]


# ---------------------------------------------------------------------------------------------------------------------
# Completion

class PromptReference(TypedDict):
    """Completes an argument of this prompt."""
    type: Literal["ref/prompt"]
    name: str
    title: NotRequired[str]    # since 2025-06-18

class ResourceTemplateReference(TypedDict):
    """Completes a variable of this URI template. Since 2025-06-18."""
    type: Literal["ref/resource"]
    uri: str

class ResourceReference(TypedDict):
    """The older name of ResourceTemplateReference. Up to 2025-03-26."""
    type: Literal["ref/resource"]
    uri: str

class CompletionArgument(TypedDict):
    """What is being typed."""
    name: str
    value: str

class CompletionContext(TypedDict):
    """What was chosen before. Since 2025-06-18."""
    arguments: NotRequired[Dict[str, str]]

class CompleteRequestParams(TypedDict):
    """Params of `completion/complete`."""
    argument: CompletionArgument
    context: NotRequired[CompletionContext]    # since 2025-06-18
    ref: Union[PromptReference, ResourceTemplateReference]
    _meta: NotRequired[Union[RequestMetaObject, MetaObject]]

class CompleteRequest(Envelope):
    """`completion/complete`, from the client."""
    method: Literal["completion/complete"]
    params: CompleteRequestParams

class Completion(TypedDict):
    """At most 100 values."""
    values: List[str]
    hasMore: NotRequired[bool]
    total: NotRequired[int]

class CompleteResult(Result):
    """The result of `completion/complete`."""
    completion: Completion

class CompleteResultResponse(Envelope):
    """The response to `completion/complete`. Since 2026-07-28."""
    result: CompleteResult


# ---------------------------------------------------------------------------------------------------------------------
# Logging

class SetLevelRequestParams(TypedDict):
    """Params of `logging/setLevel`. Up to 2025-11-25."""
    level: LoggingLevel
    _meta: NotRequired[Union[RequestMetaObject, MetaObject]]

class SetLevelRequest(Envelope):
    """`logging/setLevel`, from the client. Up to 2025-11-25."""
    method: Literal["logging/setLevel"]
    params: SetLevelRequestParams

class LoggingMessageNotificationParams(TypedDict):
    """Params of `notifications/message`."""
    level: LoggingLevel
    logger: NotRequired[str]
    data: Any
    _meta: NotRequired[Union[NotificationMetaObject, MetaObject]]

class LoggingMessageNotification(NotificationEnvelope):
    """`notifications/message`, from the server."""
    method: Literal["notifications/message"]
    params: LoggingMessageNotificationParams


# ---------------------------------------------------------------------------------------------------------------------
# Progress and cancellation

class ProgressNotificationParams(TypedDict):
    """Params of `notifications/progress`."""
    message: NotRequired[str]    # since 2025-03-26
    progress: float
    progressToken: ProgressToken
    total: NotRequired[float]
    _meta: NotRequired[Union[NotificationMetaObject, MetaObject]]

class ProgressNotification(NotificationEnvelope):
    """`notifications/progress`, from either end."""
    method: Literal["notifications/progress"]
    params: ProgressNotificationParams

class CancelledNotificationParams(TypedDict):
    """Params of `notifications/cancelled`."""
    reason: NotRequired[str]
    requestId: NotRequired[RequestId]
    _meta: NotRequired[Union[NotificationMetaObject, MetaObject]]

class CancelledNotification(NotificationEnvelope):
    """`notifications/cancelled`, from either end."""
    method: Literal["notifications/cancelled"]
    params: CancelledNotificationParams


# ---------------------------------------------------------------------------------------------------------------------
# Roots

class Root(TypedDict):
    """A directory that the client lets the server work in: a file: URI."""
    name: NotRequired[str]
    uri: str
    _meta: NotRequired[MetaObject]    # since 2025-06-18

class ListRootsRequest(TypedDict):
    """`roots/list`, from the server."""
    jsonrpc: NotRequired[Literal["2.0"]]    # up to 2025-11-25
    id: NotRequired[RequestId]    # up to 2025-11-25
    method: Literal["roots/list"]
    params: NotRequired[RequestParams]

class ListRootsResult(TypedDict):
    """The result of `roots/list`."""
    roots: List[Root]
    _meta: NotRequired[MetaObject]    # up to 2025-11-25

class RootsListChangedNotification(NotificationEnvelope):
    """`notifications/roots/list_changed`, from the client. Up to 2025-11-25."""
    method: Literal["notifications/roots/list_changed"]
    params: NotRequired[NotificationParams]


# ---------------------------------------------------------------------------------------------------------------------
# Sampling

class ModelHint(TypedDict):
    """Part of a model's name."""
    name: NotRequired[str]

class ModelPreferences(TypedDict):
    """What matters in choosing a model; priorities are 0 to 1."""
    costPriority: NotRequired[float]
    hints: NotRequired[List[ModelHint]]
    intelligencePriority: NotRequired[float]
    speedPriority: NotRequired[float]

class ToolChoice(TypedDict):
    """Whether the model must use a tool. Since 2025-11-25."""
    mode: NotRequired[Literal["auto", "none", "required"]]

class ToolUseContent(TypedDict):
    """The model wants a tool called. Since 2025-11-25."""
    id: str
    type: Literal["tool_use"]
    name: str
    input: Dict[str, Any]
    _meta: NotRequired[MetaObject]

class ToolResultContent(TypedDict):
    """What the tool returned to the model. Since 2025-11-25."""
    type: Literal["tool_result"]
    content: List[ContentBlock]
    isError: NotRequired[bool]
    structuredContent: NotRequired[Any]
    toolUseId: str
    _meta: NotRequired[MetaObject]

# since 2025-11-25
SamplingMessageContentBlock = Union[TextContent, ImageContent, AudioContent, ToolUseContent, ToolResultContent]

class SamplingMessage(TypedDict):
    """One message of a conversation with a model."""
    role: Role
    content: Union[SamplingMessageContentBlock, List[SamplingMessageContentBlock]]
    _meta: NotRequired[MetaObject]    # since 2025-11-25

class CreateMessageRequestParams(TypedDict):
    """Params of `sampling/createMessage`."""
    includeContext: NotRequired[Literal["allServers", "none", "thisServer"]]
    maxTokens: int
    messages: List[SamplingMessage]
    metadata: NotRequired[JSONObject]
    modelPreferences: NotRequired[ModelPreferences]
    stopSequences: NotRequired[List[str]]
    systemPrompt: NotRequired[str]
    temperature: NotRequired[float]
    toolChoice: NotRequired[ToolChoice]    # since 2025-11-25
    tools: NotRequired[List[Tool]]    # since 2025-11-25
    task: NotRequired[TaskMetadata]    # 2025-11-25 only
    _meta: NotRequired[Union[RequestMetaObject, MetaObject]]    # up to 2025-11-25

class CreateMessageRequest(TypedDict):
    """`sampling/createMessage`, from the server."""
    jsonrpc: NotRequired[Literal["2.0"]]    # up to 2025-11-25
    id: NotRequired[RequestId]    # up to 2025-11-25
    method: Literal["sampling/createMessage"]
    params: CreateMessageRequestParams

class CreateMessageResult(TypedDict):
    """The result of `sampling/createMessage`."""
    role: Role
    model: str
    content: Union[SamplingMessageContentBlock, List[SamplingMessageContentBlock]]
    stopReason: NotRequired[str]
    _meta: NotRequired[MetaObject]


# ---------------------------------------------------------------------------------------------------------------------
# Elicitation

class StringSchema(TypedDict):
    """A text field. Since 2025-06-18."""
    type: Literal["string"]
    title: NotRequired[str]
    default: NotRequired[str]    # since 2025-11-25
    description: NotRequired[str]
    format: NotRequired[Literal["date", "date-time", "email", "uri"]]
    maxLength: NotRequired[int]
    minLength: NotRequired[int]

class NumberSchema(TypedDict):
    """A number field. Since 2025-06-18."""
    type: Literal["integer", "number"]
    title: NotRequired[str]
    default: NotRequired[float]    # since 2025-11-25
    description: NotRequired[str]
    maximum: NotRequired[float]
    minimum: NotRequired[float]

class BooleanSchema(TypedDict):
    """A yes-or-no field. Since 2025-06-18."""
    type: Literal["boolean"]
    title: NotRequired[str]
    default: NotRequired[bool]
    description: NotRequired[str]

class EnumOption(TypedDict):
    """One option of a choice, with its title. Since 2025-11-25."""
    title: str
    const: str

class UntitledSingleSelectEnumSchema(TypedDict):
    """One of several values. Since 2025-11-25."""
    type: Literal["string"]
    title: NotRequired[str]
    default: NotRequired[str]
    description: NotRequired[str]
    enum: List[str]

class TitledSingleSelectEnumSchema(TypedDict):
    """One of several titled values. Since 2025-11-25."""
    type: Literal["string"]
    title: NotRequired[str]
    default: NotRequired[str]
    description: NotRequired[str]
    oneOf: List[EnumOption]

class UntitledEnumItems(TypedDict):
    """The values of a multiple choice. Since 2025-11-25."""
    type: Literal["string"]
    enum: List[str]

class UntitledMultiSelectEnumSchema(TypedDict):
    """Some of several values. Since 2025-11-25."""
    type: Literal["array"]
    title: NotRequired[str]
    default: NotRequired[List[str]]
    description: NotRequired[str]
    items: UntitledEnumItems
    maxItems: NotRequired[int]
    minItems: NotRequired[int]

class TitledEnumItems(TypedDict):
    """The titled values of a multiple choice. Since 2025-11-25."""
    anyOf: List[EnumOption]

class TitledMultiSelectEnumSchema(TypedDict):
    """Some of several titled values. Since 2025-11-25."""
    type: Literal["array"]
    title: NotRequired[str]
    default: NotRequired[List[str]]
    description: NotRequired[str]
    items: TitledEnumItems
    maxItems: NotRequired[int]
    minItems: NotRequired[int]

class LegacyTitledEnumSchema(TypedDict):
    """One of several values, the titles in a second list. Called EnumSchema in 2025-06-18. Since 2025-06-18."""
    type: Literal["string"]
    title: NotRequired[str]
    default: NotRequired[str]    # since 2025-11-25
    description: NotRequired[str]
    enum: List[str]
    enumNames: NotRequired[List[str]]

SingleSelectEnumSchema = Union[UntitledSingleSelectEnumSchema, TitledSingleSelectEnumSchema]    # since 2025-11-25
MultiSelectEnumSchema = Union[UntitledMultiSelectEnumSchema, TitledMultiSelectEnumSchema]    # since 2025-11-25
EnumSchema = Union[SingleSelectEnumSchema, MultiSelectEnumSchema, LegacyTitledEnumSchema]    # since 2025-06-18
PrimitiveSchemaDefinition = Union[StringSchema, NumberSchema, BooleanSchema, EnumSchema]    # since 2025-06-18

# The form: one flat object. Since 2025-06-18.
RequestedSchema = TypedDict("RequestedSchema", {
    "type": Literal["object"],
    "$schema": NotRequired[str],    # since 2025-11-25
    "properties": Dict[str, PrimitiveSchemaDefinition],
    "required": NotRequired[List[str]],
})

class ElicitRequestFormParams(TypedDict):
    """Params of `elicitation/create`: fill in a form. Since 2025-06-18."""
    message: str
    mode: NotRequired[Literal["form"]]    # since 2025-11-25
    requestedSchema: RequestedSchema
    task: NotRequired[TaskMetadata]    # 2025-11-25 only
    _meta: NotRequired[Union[RequestMetaObject, MetaObject]]    # up to 2025-11-25

class ElicitRequestURLParams(TypedDict):
    """Params of `elicitation/create`: visit a page. Since 2025-11-25."""
    message: str
    mode: Literal["url"]
    url: str
    elicitationId: NotRequired[str]    # 2025-11-25 only
    task: NotRequired[TaskMetadata]    # 2025-11-25 only
    _meta: NotRequired[Union[RequestMetaObject, MetaObject]]    # 2025-11-25 only

ElicitRequestParams = Union[ElicitRequestFormParams, ElicitRequestURLParams]    # since 2025-11-25

class ElicitRequest(TypedDict):
    """`elicitation/create`, from the server. Since 2025-06-18."""
    jsonrpc: NotRequired[Literal["2.0"]]    # up to 2025-11-25
    id: NotRequired[RequestId]    # up to 2025-11-25
    method: Literal["elicitation/create"]
    params: ElicitRequestParams

class ElicitResult(TypedDict):
    """The result of `elicitation/create`. Since 2025-06-18."""
    content: NotRequired[Dict[str, Union[List[str], str, bool, float]]]
    action: Literal["accept", "cancel", "decline"]
    _meta: NotRequired[MetaObject]    # up to 2025-11-25

class ElicitationCompleteNotificationParams(TypedDict):
    """Params of `notifications/elicitation/complete`. 2025-11-25 only."""
    elicitationId: str

class ElicitationCompleteNotification(NotificationEnvelope):
    """`notifications/elicitation/complete`, from the server. 2025-11-25 only."""
    method: Literal["notifications/elicitation/complete"]
    params: ElicitationCompleteNotificationParams


# ---------------------------------------------------------------------------------------------------------------------
# Questions within results: 2026-07-28

InputRequest = Union[CreateMessageRequest, ListRootsRequest, ElicitRequest]    # since 2026-07-28
InputResponse = Union[CreateMessageResult, ListRootsResult, ElicitResult]    # since 2026-07-28
InputRequests = Dict[str, InputRequest]    # by a key of the server's
InputResponses = Dict[str, InputResponse]    # by the same keys

class InputRequiredResult(TypedDict):
    """Instead of a result: the server asks first. Has `inputRequests`, `requestState` or both. Since 2026-07-28."""
    inputRequests: NotRequired[InputRequests]
    requestState: NotRequired[str]
    resultType: str
    _meta: NotRequired[Union[ResultMetaObject, MetaObject]]

class InputResponseRequestParams(TypedDict):
    """The base of params that carry answers. Since 2026-07-28."""
    inputResponses: NotRequired[InputResponses]
    requestState: NotRequired[str]
    _meta: Union[RequestMetaObject, MetaObject]


# ---------------------------------------------------------------------------------------------------------------------
# Subscriptions: 2026-07-28

class SubscriptionFilter(TypedDict):
    """Which changes are wanted. Since 2026-07-28."""
    promptsListChanged: NotRequired[bool]
    resourceSubscriptions: NotRequired[List[str]]
    resourcesListChanged: NotRequired[bool]
    toolsListChanged: NotRequired[bool]

class SubscriptionsListenRequestParams(TypedDict):
    """Params of `subscriptions/listen`. Since 2026-07-28."""
    notifications: SubscriptionFilter
    _meta: Union[RequestMetaObject, MetaObject]

class SubscriptionsListenRequest(Envelope):
    """`subscriptions/listen`, from the client. Since 2026-07-28."""
    method: Literal["subscriptions/listen"]
    params: SubscriptionsListenRequestParams

# `_meta` of the result that ends a subscription. Since 2026-07-28.
SubscriptionsListenResultMetaObject = TypedDict("SubscriptionsListenResultMetaObject", {
    "io.modelcontextprotocol/serverInfo": NotRequired[Implementation],
    "io.modelcontextprotocol/subscriptionId": RequestId,
})

class SubscriptionsListenResult(TypedDict):
    """The result of `subscriptions/listen`. Since 2026-07-28."""
    resultType: str
    _meta: Union[SubscriptionsListenResultMetaObject, MetaObject]

class SubscriptionsListenResultResponse(Envelope):
    """The response to `subscriptions/listen`. Since 2026-07-28."""
    result: SubscriptionsListenResult

class SubscriptionsAcknowledgedNotificationParams(TypedDict):
    """Params of `notifications/subscriptions/acknowledged`. Since 2026-07-28."""
    notifications: SubscriptionFilter
    _meta: NotRequired[Union[NotificationMetaObject, MetaObject]]

class SubscriptionsAcknowledgedNotification(NotificationEnvelope):
    """`notifications/subscriptions/acknowledged`, from the server. Since 2026-07-28."""
    method: Literal["notifications/subscriptions/acknowledged"]
    params: SubscriptionsAcknowledgedNotificationParams


# ---------------------------------------------------------------------------------------------------------------------
# Tasks: 2025-11-25

TaskStatus = Literal["cancelled", "completed", "failed", "input_required", "working"]    # 2025-11-25 only

class Task(TypedDict):
    """A task; times are ISO 8601, `ttl` and `pollInterval` milliseconds. 2025-11-25 only."""
    createdAt: str
    lastUpdatedAt: str
    pollInterval: NotRequired[int]
    status: TaskStatus
    statusMessage: NotRequired[str]
    taskId: str
    ttl: Optional[int]

class CreateTaskResult(TypedDict):
    """Instead of a result: the task that works it out. 2025-11-25 only."""
    task: Task
    _meta: NotRequired[MetaObject]

class TaskIdParams(TypedDict):
    """Names a task. 2025-11-25 only."""
    taskId: str

class GetTaskRequest(Envelope):
    """`tasks/get`, from either end. 2025-11-25 only."""
    method: Literal["tasks/get"]
    params: TaskIdParams

class GetTaskResult(TypedDict):
    """The result of `tasks/get`. 2025-11-25 only."""
    createdAt: str
    lastUpdatedAt: str
    pollInterval: NotRequired[int]
    status: TaskStatus
    statusMessage: NotRequired[str]
    taskId: str
    ttl: Optional[int]
    _meta: NotRequired[MetaObject]

class GetTaskPayloadRequest(Envelope):
    """`tasks/result`, from either end. 2025-11-25 only."""
    method: Literal["tasks/result"]
    params: TaskIdParams

class GetTaskPayloadResult(TypedDict):
    """The result of the request that became the task; any members. 2025-11-25 only."""
    _meta: NotRequired[MetaObject]

class CancelTaskRequest(Envelope):
    """`tasks/cancel`, from either end. 2025-11-25 only."""
    method: Literal["tasks/cancel"]
    params: TaskIdParams

class CancelTaskResult(TypedDict):
    """The result of `tasks/cancel`. 2025-11-25 only."""
    createdAt: str
    lastUpdatedAt: str
    pollInterval: NotRequired[int]
    status: TaskStatus
    statusMessage: NotRequired[str]
    taskId: str
    ttl: Optional[int]
    _meta: NotRequired[MetaObject]

class ListTasksRequest(Envelope):
    """`tasks/list`, from either end. 2025-11-25 only."""
    method: Literal["tasks/list"]
    params: NotRequired[PaginatedRequestParams]

class ListTasksResult(TypedDict):
    """The result of `tasks/list`. 2025-11-25 only."""
    nextCursor: NotRequired[str]
    tasks: List[Task]
    _meta: NotRequired[MetaObject]

class TaskStatusNotificationParams(TypedDict):
    """Params of `notifications/tasks/status`. 2025-11-25 only."""
    createdAt: str
    lastUpdatedAt: str
    pollInterval: NotRequired[int]
    status: TaskStatus
    statusMessage: NotRequired[str]
    taskId: str
    ttl: Optional[int]
    _meta: NotRequired[MetaObject]

class TaskStatusNotification(NotificationEnvelope):
    """`notifications/tasks/status`, from either end. 2025-11-25 only."""
    method: Literal["notifications/tasks/status"]
    params: TaskStatusNotificationParams


# ---------------------------------------------------------------------------------------------------------------------
# Errors

class ParseError(TypedDict):
    """An `error`: the line is not JSON. Since 2026-07-28."""
    code: Literal[-32700]
    message: str
    data: NotRequired[Any]

class InvalidRequestError(TypedDict):
    """An `error`: the message is not JSON-RPC. Since 2026-07-28."""
    code: Literal[-32600]
    message: str
    data: NotRequired[Any]

class MethodNotFoundError(TypedDict):
    """An `error`: nobody answers this method. Since 2026-07-28."""
    code: Literal[-32601]
    message: str
    data: NotRequired[Any]

class InvalidParamsError(TypedDict):
    """An `error`: params are wrong, or name something unknown. Since 2026-07-28."""
    code: Literal[-32602]
    message: str
    data: NotRequired[Any]

class InternalError(TypedDict):
    """An `error`: a fault of the receiver. Since 2026-07-28."""
    code: Literal[-32603]
    message: str
    data: NotRequired[Any]

class HeaderMismatchDetail(TypedDict):
    """Its `error`. Since 2026-07-28."""
    code: Literal[-32020]
    message: str
    data: NotRequired[Any]

class HeaderMismatchError(TypedDict):
    """HTTP only: headers and body disagree. Since 2026-07-28."""
    jsonrpc: Literal["2.0"]
    id: NotRequired[RequestId]
    error: HeaderMismatchDetail

class MissingRequiredClientCapabilityData(TypedDict):
    """Its `error.data`. Since 2026-07-28."""
    requiredCapabilities: ClientCapabilities

class MissingRequiredClientCapabilityDetail(TypedDict):
    """Its `error`. Since 2026-07-28."""
    code: Literal[-32021]
    message: str
    data: MissingRequiredClientCapabilityData

class MissingRequiredClientCapabilityError(TypedDict):
    """The client has not declared what the request needs. Since 2026-07-28."""
    jsonrpc: Literal["2.0"]
    id: NotRequired[RequestId]
    error: MissingRequiredClientCapabilityDetail

class UnsupportedProtocolVersionData(TypedDict):
    """Its `error.data`. Since 2026-07-28."""
    requested: str
    supported: List[str]

class UnsupportedProtocolVersionDetail(TypedDict):
    """Its `error`. Since 2026-07-28."""
    code: Literal[-32022]
    message: str
    data: UnsupportedProtocolVersionData

class UnsupportedProtocolVersionError(TypedDict):
    """The server does not speak this version. Since 2026-07-28."""
    jsonrpc: Literal["2.0"]
    id: NotRequired[RequestId]
    error: UnsupportedProtocolVersionDetail

class URLElicitationRequiredData(TypedDict):
    """Its `error.data`. 2025-11-25 only."""
    elicitations: List[ElicitRequestURLParams]

class URLElicitationRequiredDetail(TypedDict):
    """Its `error`. 2025-11-25 only."""
    code: Literal[-32042]
    message: str
    data: URLElicitationRequiredData

class URLElicitationRequiredError(TypedDict):
    """The request waits for these pages to be visited. 2025-11-25 only."""
    jsonrpc: Literal["2.0"]
    id: NotRequired[RequestId]
    error: URLElicitationRequiredDetail


# ---------------------------------------------------------------------------------------------------------------------
# Everything that either end may send

ClientRequest = Union[
    CallToolRequest, CancelTaskRequest, CompleteRequest, DiscoverRequest, GetPromptRequest, GetTaskPayloadRequest,
    GetTaskRequest, InitializeRequest, ListPromptsRequest, ListResourceTemplatesRequest, ListResourcesRequest,
    ListTasksRequest, ListToolsRequest, PingRequest, ReadResourceRequest, SetLevelRequest, SubscribeRequest,
    SubscriptionsListenRequest, UnsubscribeRequest]
ClientNotification = Union[
    CancelledNotification, InitializedNotification, ProgressNotification, RootsListChangedNotification,
    TaskStatusNotification]
ClientResult = Union[
    CancelTaskResult, CreateMessageResult, ElicitResult, GetTaskPayloadResult, GetTaskResult, ListRootsResult,
    ListTasksResult, Result]
ServerRequest = Union[
    CancelTaskRequest, CreateMessageRequest, ElicitRequest, GetTaskPayloadRequest, GetTaskRequest, ListRootsRequest,
    ListTasksRequest, PingRequest]
ServerNotification = Union[
    CancelledNotification, ElicitationCompleteNotification, LoggingMessageNotification, ProgressNotification,
    PromptListChangedNotification, ResourceListChangedNotification, ResourceUpdatedNotification,
    SubscriptionsAcknowledgedNotification, TaskStatusNotification, ToolListChangedNotification]
ServerResult = Union[
    CallToolResult, CancelTaskResult, CompleteResult, DiscoverResult, GetPromptResult, GetTaskPayloadResult,
    GetTaskResult, InitializeResult, InputRequiredResult, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListTasksResult, ListToolsResult, ReadResourceResult, Result, SubscriptionsListenResult]


# ---------------------------------------------------------------------------------------------------------------------
# From method to types: (params, result) of requests, params of notifications

CLIENT_REQUESTS: Dict[str, Tuple[Any, Any]] = {
    "completion/complete": (CompleteRequestParams, CompleteResult),
    "initialize": (InitializeRequestParams, InitializeResult),    # up to 2025-11-25
    "logging/setLevel": (SetLevelRequestParams, EmptyResult),    # up to 2025-11-25
    "ping": (RequestParams, EmptyResult),    # up to 2025-11-25
    "prompts/get": (GetPromptRequestParams, GetPromptResult),
    "prompts/list": (PaginatedRequestParams, ListPromptsResult),
    "resources/list": (PaginatedRequestParams, ListResourcesResult),
    "resources/read": (ReadResourceRequestParams, ReadResourceResult),
    "resources/subscribe": (SubscribeRequestParams, EmptyResult),    # up to 2025-11-25
    "resources/templates/list": (PaginatedRequestParams, ListResourceTemplatesResult),
    "resources/unsubscribe": (UnsubscribeRequestParams, EmptyResult),    # up to 2025-11-25
    "tools/call": (CallToolRequestParams, CallToolResult),
    "tools/list": (PaginatedRequestParams, ListToolsResult),
    "tasks/cancel": (TaskIdParams, CancelTaskResult),    # 2025-11-25 only
    "tasks/get": (TaskIdParams, GetTaskResult),    # 2025-11-25 only
    "tasks/list": (PaginatedRequestParams, ListTasksResult),    # 2025-11-25 only
    "tasks/result": (TaskIdParams, GetTaskPayloadResult),    # 2025-11-25 only
    "server/discover": (RequestParams, DiscoverResult),    # since 2026-07-28
    "subscriptions/listen": (SubscriptionsListenRequestParams, SubscriptionsListenResult),    # since 2026-07-28
}

SERVER_REQUESTS: Dict[str, Tuple[Any, Any]] = {
    "ping": (RequestParams, EmptyResult),    # up to 2025-11-25
    "roots/list": (RequestParams, ListRootsResult),    # up to 2025-11-25
    "sampling/createMessage": (CreateMessageRequestParams, CreateMessageResult),    # up to 2025-11-25
    "elicitation/create": (ElicitRequestParams, ElicitResult),    # 2025-06-18 to 2025-11-25
    "tasks/cancel": (TaskIdParams, CancelTaskResult),    # 2025-11-25 only
    "tasks/get": (TaskIdParams, GetTaskResult),    # 2025-11-25 only
    "tasks/list": (PaginatedRequestParams, ListTasksResult),    # 2025-11-25 only
    "tasks/result": (TaskIdParams, GetTaskPayloadResult),    # 2025-11-25 only
}

CLIENT_NOTIFICATIONS: Dict[str, Any] = {
    "notifications/cancelled": CancelledNotificationParams,
    "notifications/initialized": NotificationParams,    # up to 2025-11-25
    "notifications/progress": ProgressNotificationParams,    # up to 2025-11-25
    "notifications/roots/list_changed": NotificationParams,    # up to 2025-11-25
    "notifications/tasks/status": TaskStatusNotificationParams,    # 2025-11-25 only
}

SERVER_NOTIFICATIONS: Dict[str, Any] = {
    "notifications/cancelled": CancelledNotificationParams,
    "notifications/message": LoggingMessageNotificationParams,
    "notifications/progress": ProgressNotificationParams,
    "notifications/prompts/list_changed": NotificationParams,
    "notifications/resources/list_changed": NotificationParams,
    "notifications/resources/updated": ResourceUpdatedNotificationParams,
    "notifications/tools/list_changed": NotificationParams,
    "notifications/elicitation/complete": ElicitationCompleteNotificationParams,    # 2025-11-25 only
    "notifications/tasks/status": TaskStatusNotificationParams,    # 2025-11-25 only
    "notifications/subscriptions/acknowledged": SubscriptionsAcknowledgedNotificationParams,    # since 2026-07-28
}


class TypedRequest(Protocol):
    """The type of ``Client.request``, method by method: ``ask = cast(TypedRequest, client.request)``."""

    @overload
    def __call__(self, method: Literal["completion/complete"], params: CompleteRequestParams) -> CompleteResult: ...

    @overload
    def __call__(self, method: Literal["initialize"], params: InitializeRequestParams) -> InitializeResult: ...

    @overload
    def __call__(self, method: Literal["logging/setLevel"], params: SetLevelRequestParams) -> EmptyResult: ...

    @overload
    def __call__(self, method: Literal["ping"], params: Optional[RequestParams] = None) -> EmptyResult: ...

    @overload
    def __call__(self, method: Literal["prompts/get"], params: GetPromptRequestParams) -> GetPromptResult: ...

    @overload
    def __call__(self, method: Literal["prompts/list"], params: Optional[PaginatedRequestParams] = None
                 ) -> ListPromptsResult: ...

    @overload
    def __call__(self, method: Literal["resources/list"], params: Optional[PaginatedRequestParams] = None
                 ) -> ListResourcesResult: ...

    @overload
    def __call__(self, method: Literal["resources/read"], params: ReadResourceRequestParams
                 ) -> ReadResourceResult: ...

    @overload
    def __call__(self, method: Literal["resources/subscribe"], params: SubscribeRequestParams) -> EmptyResult: ...

    @overload
    def __call__(self, method: Literal["resources/templates/list"], params: Optional[PaginatedRequestParams] = None
                 ) -> ListResourceTemplatesResult: ...

    @overload
    def __call__(self, method: Literal["resources/unsubscribe"], params: UnsubscribeRequestParams) -> EmptyResult: ...

    @overload
    def __call__(self, method: Literal["tools/call"], params: CallToolRequestParams) -> CallToolResult: ...

    @overload
    def __call__(self, method: Literal["tools/list"], params: Optional[PaginatedRequestParams] = None
                 ) -> ListToolsResult: ...

    @overload
    def __call__(self, method: Literal["tasks/cancel"], params: TaskIdParams) -> CancelTaskResult: ...

    @overload
    def __call__(self, method: Literal["tasks/get"], params: TaskIdParams) -> GetTaskResult: ...

    @overload
    def __call__(self, method: Literal["tasks/list"], params: Optional[PaginatedRequestParams] = None
                 ) -> ListTasksResult: ...

    @overload
    def __call__(self, method: Literal["tasks/result"], params: TaskIdParams) -> GetTaskPayloadResult: ...

    @overload
    def __call__(self, method: Literal["server/discover"], params: Optional[RequestParams] = None
                 ) -> DiscoverResult: ...

    @overload
    def __call__(self, method: Literal["subscriptions/listen"], params: SubscriptionsListenRequestParams
                 ) -> SubscriptionsListenResult: ...
