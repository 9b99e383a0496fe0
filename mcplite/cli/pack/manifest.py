"""The manifest of an MCPB bundle: what --config, --arg and --env say, and the manifest.json made of it.

Here: dicts and texts only. Not here: files (`command`), running the server (`offer`).

1. A setting without a default must be filled in, one with a default need not: a host leaves the text "${user_config.x}" as
   it is for a setting that has no value, and refuses to start a server whose required setting is only a default.
2. Secrets go into the environment: arguments can be read by every program on the machine.
3. Manifest 0.3 is what the format's own page calls current, 0.4 the newest that the official tool takes. They differ in
   the server type "uv" alone, which a server with its runtime inside does not need; so 0.3 is the default.
4. A prompt is listed only with its true text, which the server was asked for with "${arguments.NAME}" as every argument;
   `prompts_generated` says that the server knows better, so that no host takes the list for all of it.
Pages: MANIFEST.md of https://github.com/modelcontextprotocol/mcpb ("User Configuration", "Variable Substitution",
"Tools and Prompts").
"""
from __future__ import annotations

from ..terminal import CliError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MANIFEST_VERSIONS = ("0.3", "0.4")

# what --config calls it: (type, multiple, sensitive)
SETTING_TYPES = {
    "string": ("string", False, False),
    "secret": ("string", False, True),
    "number": ("number", False, False),
    "boolean": ("boolean", False, False),
    "directory": ("directory", False, False),
    "directories": ("directory", True, False),
    "file": ("file", False, False),
    "files": ("file", True, False),
}


def wrong_call(text: str) -> CliError:
    return CliError("pack: " + text, status=2)


class UserSettings:
    """What the user is asked for, and how it reaches the server."""

    def __init__(self) -> None:
        self.options: dict[str, dict[str, Any]] = {}    # as user_config has them
        self.args: list[str] = []                       # with ${user_config.x}
        self.env: dict[str, str] = {}


def parse_user_settings(specs: list[str], args: list[str], env: list[str]) -> UserSettings:
    settings = UserSettings()
    for spec in specs:
        name, option = parse_setting(spec)
        if name in settings.options:
            raise wrong_call('--config "%s" is there twice' % name)
        settings.options[name] = option
    used: set[str] = set()
    settings.args = [fill_template(text, settings, used, in_args=True) for text in args]
    for text in env:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise wrong_call("--env takes NAME=TEXT, not %r" % text)
        settings.env[key] = fill_template(value, settings, used, in_args=False)
    for name, option in settings.options.items():
        if name in used:
            continue
        if option.get("multiple"):
            raise wrong_call('"%s" can be several: pass it with --arg {%s}' % (name, name))
        if name.upper() in settings.env:
            raise wrong_call('"%s" would be passed as %s, which --env sets; say how with --arg or --env' % (name, name.upper()))
        settings.env[name.upper()] = "${user_config.%s}" % name
    return settings


def parse_setting(spec: str) -> tuple[str, dict[str, Any]]:
    """`name:type[:title[:default]]`; the default may hold colons."""
    import re

    parts = spec.split(":", 3)
    if len(parts) < 2 or not re.match(r"^[A-Za-z_][A-Za-z0-9_]*$", parts[0]):
        raise wrong_call("--config takes name:type[:title[:default]] with a name of letters, digits and _, not %r" % spec)
    name, kind = parts[:2]
    if kind not in SETTING_TYPES:
        raise wrong_call("--config %s: no type %r; there are %s" % (name, kind, ", ".join(SETTING_TYPES)))
    real, multiple, sensitive = SETTING_TYPES[kind]
    title = (parts[2] if len(parts) > 2 else "") or name.replace("_", " ").capitalize()
    option: dict[str, Any] = {"type": real, "title": title, "description": title}
    if len(parts) > 3:
        value = parse_default(name, real, parts[3])
        option["default"] = [value] if multiple else value
    option["required"] = "default" not in option
    if multiple:
        option["multiple"] = True
    if sensitive:
        option["sensitive"] = True
    return name, option


def parse_default(name: str, kind: str, text: str) -> Any:
    if kind == "boolean":
        if text not in ("true", "false"):
            raise wrong_call("--config %s: the default must be true or false, not %r" % (name, text))
        return text == "true"
    if kind == "number":
        try:
            number = float(text)
            if number != number or number in (float("inf"), float("-inf")):
                raise ValueError
        except ValueError:
            raise wrong_call("--config %s: the default must be a number, not %r" % (name, text)) from None
        return int(number) if number == int(number) else number
    return text


def fill_template(text: str, settings: UserSettings, used: set[str], in_args: bool) -> str:
    """`{name}` to `${user_config.name}`; doubled braces stand for themselves."""
    import re

    def fill(found: Any) -> str:
        if found.group() in ("{{", "}}"):
            return str(found.group()[0])
        name = found.group(1)
        if name is None or name not in settings.options:
            raise wrong_call("%r in %r is no --config setting (write {{ and }} for braces)" % (found.group(), text))
        option = settings.options[name]
        if in_args and option.get("sensitive"):
            raise wrong_call('"%s" is a secret, and arguments can be read by every program: pass it with --env' % name)
        if option.get("multiple") and (not in_args or text != "{%s}" % name):
            raise wrong_call('"%s" can be several: pass it with --arg {%s}, alone' % (name, name))
        used.add(name)
        return "${user_config.%s}" % name

    return re.sub(r"\{\{|\}\}|\{([^{}]*)\}|[{}]", fill, text)


def placeholder_command(settings: UserSettings, folder: str, script: str) -> tuple[list[str], dict[str, str]]:
    """Arguments and environment for a trial start: defaults, and something harmless for what has none."""
    values: dict[str, list[str]] = {}
    for name, option in settings.options.items():
        samples = {"string": "placeholder", "number": 1, "boolean": False, "directory": folder, "file": script}
        value = option.get("default", samples[option["type"]])
        each = value if isinstance(value, list) else [value]
        values[name] = [{True: "true", False: "false"}[item] if isinstance(item, bool) else str(item) for item in each]

    def replaced(text: str) -> list[str]:
        for name, items in values.items():
            mark = "${user_config.%s}" % name
            if text == mark:
                return items
            text = text.replace(mark, items[0])
        return [text]

    args = [word for text in settings.args for word in replaced(text)]
    return args, {key: replaced(text)[0] for key, text in settings.env.items()}


def check_bundle_name(name: str) -> None:
    import re

    if not re.match(r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$", name):
        raise wrong_call("the name %r is not good for machines: letters, digits, dot, - and _, at most 64 (--name)" % name)


def check_bundle_version(version: str) -> None:
    import re

    number = r"(?:0|[1-9]\d*)"
    tag = r"(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)"
    build = r"[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*"
    if not re.match(r"^%s\.%s\.%s(?:-%s(?:\.%s)*)?(?:\+%s)?$" % (number, number, number, tag, tag, build), version):
        raise wrong_call("the version %r is not of the form 1.2.3 that bundles need: give one with --version" % version)


def parse_author(text: str) -> dict[str, str]:
    """`Name <mail> (page)` to the manifest's object."""
    import re

    found = re.match(r"^\s*([^<>()]+?)\s*(?:<([^<>\s]+@[^<>\s]+)>)?\s*(?:\((https?://[^()\s]+)\))?\s*$", text)
    if not found:
        raise wrong_call('--author takes "Name", "Name <mail>" or "Name <mail> (https://page)", not %r' % text)
    keys = ("name", "email", "url")
    return {key: value for key, value in zip(keys, found.groups()) if value}


def new_manifest(arguments: Any, name: str, version: str, author: dict[str, str], entry_point: str, settings: UserSettings,
                 offer: dict[str, Any], docstring: str) -> dict[str, Any]:
    """The manifest; its members in the order of the format's page."""
    server = offer["server"]
    title = arguments.display_name or server.get("title")
    place = "${__dirname}/" + entry_point
    config: dict[str, Any] = {"command": "python3", "args": [place, *settings.args]}
    if settings.env:
        config["env"] = settings.env
    config["platform_overrides"] = {"win32": {"command": "python"}}
    manifest: dict[str, Any] = {
        "manifest_version": arguments.manifest_version,
        "name": name,
        "display_name": title,
        "version": version,
        "description": arguments.description or docstring or title or name,
        "author": author,
        "homepage": arguments.homepage,
        "icon": "icon.png" if arguments.icon else None,
        "server": {"type": "python", "entry_point": entry_point, "mcp_config": config},
        "tools": listed_tools(offer),
        "tools_generated": True if offer["tools"] is None else None,
        "prompts": [prompt for prompt in offer["prompts"] or [] if prompt["text"]] or None,
        "prompts_generated": True if offer["prompts"] is None or offer["prompts"] else None,
        "keywords": arguments.keyword or None,
        "license": arguments.license,
        "compatibility": {"platforms": arguments.platform or ["darwin", "win32", "linux"], "runtimes": {"python": ">=3.8"}},
        "user_config": settings.options or None,
    }
    return {key: value for key, value in manifest.items() if value is not None}


def listed_tools(offer: dict[str, Any]) -> list[dict[str, str]] | None:
    if not offer["tools"]:
        return None
    return [{key: tool[key] for key in ("name", "description") if tool.get(key)} for tool in offer["tools"]]
