"""The formats of configuration files: for each how an entry is found, put in, and shown.

Here: one row per format, over the editors `jsonc`, `toml` and `yaml`. A host's row in `hosts` names its format.
"""
from __future__ import annotations

from .jsonc import check_plain_json, find_jsonc_entry, jsonc_entry_text, set_jsonc_entry
from .toml import find_toml_entry, set_toml_table, toml_table
from .yaml import find_yaml_entry, new_yaml_block, set_yaml_item, yaml_item_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

    from .hosts import ConfigHost

    FindEntry = Callable[[str, tuple[str, ...], str], Any]
    SetEntry = Callable[[str, tuple[str, ...], str, dict[str, Any]], str]
    EntryText = Callable[[tuple[str, ...], str, dict[str, Any]], str]

# format: (the entry of a text, the text with an entry, the text of an entry alone); keys lead to the servers
CONFIG_FORMATS: dict[str, tuple[FindEntry, SetEntry, EntryText]] = {
    "json": (
        lambda text, keys, name: find_jsonc_entry(check_plain_json(text), keys, name),
        lambda text, keys, name, entry: set_jsonc_entry(check_plain_json(text), keys, name, entry),
        jsonc_entry_text),
    "jsonc": (find_jsonc_entry, set_jsonc_entry, jsonc_entry_text),
    "toml": (
        lambda text, keys, name: find_toml_entry(text, keys[0], name),
        lambda text, keys, name, entry: set_toml_table(text, keys[0], name, entry),
        lambda keys, name, entry: "\n".join(toml_table(keys[0], name, entry))),
    "yaml": (
        lambda text, keys, name: find_yaml_entry(text, keys[0], name),
        lambda text, keys, name, entry: set_yaml_item(text, keys[0], entry),
        lambda keys, name, entry: "\n".join([keys[0] + ":", *yaml_item_lines(entry, 2)])),
}


def find_config_entry(host: ConfigHost, text: str, name: str) -> Any:
    """The entry of that name, or None; raises ConfigSyntaxError for a text that cannot be read."""
    return CONFIG_FORMATS[host.file_format][0](text, host.keys, name)


def set_config_entry(host: ConfigHost, text: str, name: str, entry: dict[str, Any], block_file: bool) -> str:
    """`text` with the entry in it, in the place of the old one; raises ConfigSyntaxError where that cannot be."""
    set_entry = CONFIG_FORMATS[host.file_format][1]
    if block_file and not text.strip():
        return set_entry(new_yaml_block(name), host.keys, name, entry).replace("schema: v1\n\n", "schema: v1\n")
    return set_entry(text, host.keys, name, entry)


def config_entry_text(host: ConfigHost, name: str, entry: dict[str, Any]) -> str:
    """The entry as it would stand in an empty file."""
    return CONFIG_FORMATS[host.file_format][2](host.keys, name, entry)
