"""`mcplite pack`: a server as an MCPB bundle, the file that desktop hosts install with a click.

In the order to read it: `command` (arguments, which files go in, the archive), `manifest` (what --config, --arg and --env say, and
the manifest.json made of it), `offer` (the server is started from what goes in, and asked for its tools and prompts).

Arrows: command -> manifest, offer. The one-file runtime comes from the folder `bundle`. `main` takes from here what is listed
below; nothing else does.
"""
from .command import add_pack_arguments, run_pack

__all__ = ["add_pack_arguments", "run_pack"]
