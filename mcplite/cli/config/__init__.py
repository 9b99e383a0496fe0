"""`mcplite config HOST`: the entry that makes a host start a server, printed or written into the host's file.

In the order to read it: `command` (arguments, what is printed, files), `hosts` (one row per host: file, keys, form of an entry),
`jsonc`, `yaml`, `toml` (one entry goes into a text of that format, everything else stays byte for byte).

Arrows: command -> hosts; command -> yaml, toml -> jsonc. `commands` and `completion` take from here what is listed below;
nothing else does.
"""
from .command import add_config_arguments, run_config
from .hosts import CONFIG_HOSTS

__all__ = ["CONFIG_HOSTS", "add_config_arguments", "run_config"]
