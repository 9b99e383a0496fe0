"""`mcplite bundle`: the runtime, or a script with the runtime inside, as one file.

In the order of reading: ``module_text`` (one module: its names, its imports, its text without them), ``one_file`` (many
modules, one text), ``late_loader`` (the lines that a made file carries to load its late parts), ``script`` (a script that
takes the runtime along), ``command`` (arguments, reading and writing files). To be used from here: the command itself, and
what ``pack`` needs of it.
"""
from .command import (
    add_bundle_arguments,
    modules_beside,
    read_script,
    run_bundle,
    runtime_text,
    size_text,
    source_date,
)
from .module_text import BundleError
from .script import BEGIN_MARK, runtime_uses, sibling_imports

__all__ = ["BEGIN_MARK", "BundleError", "add_bundle_arguments", "modules_beside", "read_script", "run_bundle", "runtime_text",
           "runtime_uses", "sibling_imports", "size_text", "source_date"]
