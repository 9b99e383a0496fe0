"""`mcplite config HOST`: the entry that makes a host start a server, printed or written into the host's file.

In the order to read it: `command` (arguments, what is printed), `hosts` (one row per host: file, format, keys, form of an entry),
`files` (the file is replaced in one step), `formats` (one row per format), `edit` (what its editors share), `jsonc`, `yaml`,
`toml` (one entry goes into a text, everything else stays byte for byte).

Arrows: command -> hosts; command -> files -> formats -> jsonc, yaml, toml -> edit. `commands` and `completion` take from here
what is listed below; nothing else does.
"""
from .command import add_config_arguments, run_config
from .hosts import CONFIG_HOSTS

__all__ = ["CONFIG_HOSTS", "add_config_arguments", "run_config"]
