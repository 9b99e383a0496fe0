"""The hosts: where each keeps its servers, what an entry looks like, and the page of its own documentation that says so.

Here: one row per host, paths as functions of platform and environment. Not here: editing (`jsonc`, `yaml`,
`toml`), files and arguments (`command`).

1. A host is here only when its own documentation (or, for Claude Desktop, that of the protocol) gives file and format;
   the page stands in the row. Hosts that keep their file where no page says so (LM Studio, Cline) are left out, and so is
   a scope that no page names (Roo Code: the user's file; Zed: the project's).
2. Paths are computed, never looked up, so that all three systems can be tested on one.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Mapping

    EntryBuilder = Callable[[str, list[str], dict[str, str]], dict[str, Any]]
    PathRule = Callable[[str, Mapping[str, str]], list[str]]


def plain_entry(command: str, args: list[str], env: dict[str, str]) -> dict[str, Any]:
    entry: dict[str, Any] = {"command": command, "args": args}
    if env:
        entry["env"] = env
    return entry


def stdio_entry(command: str, args: list[str], env: dict[str, str]) -> dict[str, Any]:
    return {"type": "stdio", **plain_entry(command, args, env)}


def local_entry(command: str, args: list[str], env: dict[str, str]) -> dict[str, Any]:
    return {"type": "local", **plain_entry(command, args, env), "tools": ["*"]}


def one_list_entry(command: str, args: list[str], env: dict[str, str]) -> dict[str, Any]:
    entry: dict[str, Any] = {"type": "local", "command": [command, *args]}
    if env:
        entry["environment"] = env
    return entry


def home_directory(platform: str, environment: Mapping[str, str]) -> str:
    """The user's folder; "~" when the environment does not say."""
    return (environment.get("USERPROFILE") if platform == "win32" else environment.get("HOME")) or "~"


def application_data(platform: str, environment: Mapping[str, str]) -> list[str]:
    """Where desktop programs keep their settings."""
    home = home_directory(platform, environment)
    if platform == "win32":
        return [environment["APPDATA"]] if environment.get("APPDATA") else [home, "AppData", "Roaming"]
    if platform == "darwin":
        return [home, "Library", "Application Support"]
    return [environment["XDG_CONFIG_HOME"]] if environment.get("XDG_CONFIG_HOME") else [home, ".config"]


def in_application_data(*parts: str) -> PathRule:
    return lambda platform, environment: [*application_data(platform, environment), *parts]


def in_home(*parts: str) -> PathRule:
    return lambda platform, environment: [home_directory(platform, environment), *parts]


def zed_settings(platform: str, environment: Mapping[str, str]) -> list[str]:
    if platform == "win32":
        return [*application_data(platform, environment), "Zed", "settings.json"]
    if platform == "darwin":
        return [home_directory(platform, environment), ".config", "zed", "settings.json"]
    return [*application_data(platform, environment), "zed", "settings.json"]


def codex_settings(platform: str, environment: Mapping[str, str]) -> list[str]:
    if environment.get("CODEX_HOME"):
        return [environment["CODEX_HOME"], "config.toml"]
    return [home_directory(platform, environment), ".codex", "config.toml"]


class ConfigHost:
    """One host. `file_format`: json (a file with comments is refused), jsonc, yaml or toml. `keys`: the way to its servers.

    `user_path` and `project_path` may be None. `expands`: what the host replaces inside command, args and env, or "".
    """

    def __init__(self, name: str, title: str, file_format: str, keys: tuple[str, ...], build: EntryBuilder,
                 user_path: PathRule | None, project_path: tuple[str, ...] | None, expands: str, then: str, page: str) -> None:
        self.name, self.title, self.file_format, self.keys, self.build = name, title, file_format, keys, build
        self.user_path, self.project_path, self.expands, self.then, self.page = user_path, project_path, expands, then, page


SERVERS_KEY = ("mcpServers",)

CONFIG_HOSTS: dict[str, ConfigHost] = {host.name: host for host in [
    ConfigHost("claude-desktop", "Claude Desktop", "json", SERVERS_KEY, plain_entry,
               in_application_data("Claude", "claude_desktop_config.json"), None, "", "restart Claude Desktop",
               "https://modelcontextprotocol.io/docs/develop/connect-local-servers and .../build-server (Linux path)"),
    ConfigHost("claude-code", "Claude Code", "json", SERVERS_KEY, stdio_entry,
               in_home(".claude.json"), (".mcp.json",), "${NAME}", "start a new session; /mcp lists the servers",
               "https://code.claude.com/docs/en/mcp"),
    ConfigHost("vscode", "VS Code", "jsonc", ("servers",), stdio_entry,
               in_application_data("Code", "User", "mcp.json"), (".vscode", "mcp.json"), "${...}",
               "start the server from the command MCP: List Servers",
               "https://code.visualstudio.com/docs/copilot/customization/mcp-servers; user folder: .../docs/configure/settings"),
    ConfigHost("cursor", "Cursor", "json", SERVERS_KEY, stdio_entry,
               in_home(".cursor", "mcp.json"), (".cursor", "mcp.json"), "${...}", "switch the server on in Cursor's MCP settings",
               "https://cursor.com/docs/mcp"),
    ConfigHost("zed", "Zed", "jsonc", ("context_servers",), plain_entry,
               zed_settings, None, "", "Zed starts the server by itself",
               "https://zed.dev/docs/ai/mcp; paths: https://zed.dev/docs/configuring-zed, .../docs/uninstall (Windows)"),
    ConfigHost("windsurf", "Windsurf", "json", SERVERS_KEY, plain_entry,
               in_home(".codeium", "windsurf", "mcp_config.json"), None, "${env:NAME}", "press refresh in Cascade's MCP panel",
               "https://docs.windsurf.com/windsurf/cascade/mcp"),
    ConfigHost("continue", "Continue", "yaml", SERVERS_KEY, stdio_entry,
               in_home(".continue", "config.yaml"), (".continue", "mcpServers", "NAME.yaml"), "${{ ... }}",
               "Continue uses MCP servers in agent mode",
               "https://docs.continue.dev/customize/deep-dives/mcp"),
    ConfigHost("gemini-cli", "Gemini CLI", "jsonc", SERVERS_KEY, plain_entry,
               in_home(".gemini", "settings.json"), (".gemini", "settings.json"), "$NAME and ${NAME} in env",
               "start a new session; /mcp lists the servers",
               "https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md"),
    ConfigHost("codex", "Codex", "toml", ("mcp_servers",), plain_entry,
               codex_settings, (".codex", "config.toml"), "", "start a new session; /mcp lists the servers",
               "https://developers.openai.com/codex/mcp and https://github.com/openai/codex/blob/main/docs/config.md"),
    ConfigHost("kiro", "Kiro", "json", SERVERS_KEY, plain_entry,
               in_home(".kiro", "settings", "mcp.json"), (".kiro", "settings", "mcp.json"), "${NAME}", "Kiro reloads the file",
               "https://kiro.dev/docs/mcp/configuration"),
    ConfigHost("copilot-cli", "GitHub Copilot CLI", "json", SERVERS_KEY, local_entry,
               in_home(".copilot", "mcp-config.json"), None, "", "start a new session; /mcp show lists the servers",
               "https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers"),
    ConfigHost("roo-code", "Roo Code", "json", SERVERS_KEY, plain_entry,
               None, (".roo", "mcp.json"), "${env:NAME} in args", "Roo Code reloads the file",
               "https://docs.roocode.com/features/mcp/using-mcp-in-roo"),
    ConfigHost("opencode", "OpenCode", "jsonc", ("mcp",), one_list_entry,
               None, ("opencode.json",), "{env:NAME}", "start a new session",
               "https://opencode.ai/docs/mcp-servers"),
]}


def join_path(platform: str, parts: list[str]) -> str:
    """Join as that platform does, whatever this one is."""
    import ntpath
    import posixpath

    return ntpath.join(*parts) if platform == "win32" else posixpath.join(*parts)


def config_path(host: ConfigHost, scope: str, platform: str, environment: Mapping[str, str], directory: str,
                name: str) -> str | None:
    """The file of a host, or None when it has none for that scope.

    `scope`: "user" or "project". `platform`: as `sys.platform`. `directory`: the project's folder. `name`: the server's.
    """
    if scope == "user":
        return join_path(platform, host.user_path(platform, environment)) if host.user_path else None
    if host.project_path is None:
        return None
    return join_path(platform, [directory, *[part.replace("NAME", name) for part in host.project_path]])
