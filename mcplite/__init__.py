"""mcplite: the Model Context Protocol over stdio in plain Python, for servers and clients.

Here: the public names. Importing this package loads nothing; each name loads its module when it is first used.

1. Modules are loaded with the cycle collector at rest: loading makes no garbage, and ten passes over what was just made cost
   0.25 ms of the 3.3 ms that loading the server takes; the pass that was due afterwards 0.2 ms more (median of 100 starts,
   CPython 3.11).
"""
from .errors import VERSION as __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .client import Client
    from .content import audio, embedded, icon, image, resource_link, text, tool_result
    from .context import Context
    from .errors import (
        Cancelled,
        CapabilityError,
        LocalProtocolError,
        McpError,
        PathError,
        RegistrationError,
        TimeLimit,
        ToolError,
    )
    from .server import Server
    from .system.paths import safe_path

__all__ = ["Cancelled", "CapabilityError", "Client", "Context", "LocalProtocolError", "McpError", "PathError", "RegistrationError",
           "Server", "TimeLimit", "ToolError", "__version__", "audio", "embedded", "icon", "image", "resource_link", "safe_path",
           "text", "tool_result"]

PUBLIC_NAMES = {
    "Server": "server", "Client": "client", "Context": "context",
    "ToolError": "errors", "McpError": "errors", "RegistrationError": "errors", "PathError": "errors",
    "CapabilityError": "errors", "LocalProtocolError": "errors", "Cancelled": "errors", "TimeLimit": "errors",
    "text": "content", "image": "content", "audio": "content", "resource_link": "content", "embedded": "content",
    "icon": "content", "tool_result": "content", "safe_path": "system.paths",
}


def __getattr__(name: str) -> object:
    if name not in PUBLIC_NAMES:
        raise AttributeError("module %r has no attribute %r" % (__name__, name))
    value = globals()[name] = getattr(load_without_collecting("%s.%s" % (__name__, PUBLIC_NAMES[name])), name)
    return value


def load_without_collecting(module_name: str) -> object:
    """Import a module with the cycle collector at rest (1), which afterwards is as it was."""
    import gc

    collecting = gc.isenabled()
    gc.disable()
    try:
        return __import__(module_name, fromlist=["*"])
    finally:
        if hasattr(gc, "freeze") and not gc.get_freeze_count():
            gc.freeze()         # freeze and unfreeze: what is there counts as old, so the next pass need not look at it
            gc.unfreeze()
        if collecting:
            gc.enable()


def __dir__() -> "list[str]":
    return sorted(__all__)
