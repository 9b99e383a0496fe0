"""Lets the suite run against the one-file mcplite: `install(path)` before anything imports mcplite.

The file makes its modules importable by their names itself (`from mcplite.schema import Validator`), so nothing more is
needed than to have it found first, here and in every process a test starts.
"""
from __future__ import annotations

import os
import sys


def install(path):
    """Make `import mcplite` and `import mcplite.anything` mean the file at `path` (.../mcplite.py); returns the module.

    Child processes find it through PYTHONPATH. A child started as `-m mcplite` or `-c` looks into its working directory
    first: start it somewhere else than in the checkout (`os.path.dirname(path)` does).
    """
    path = os.path.abspath(path)
    if os.path.basename(path) != "mcplite.py":
        raise ValueError("MCPLITE_SINGLE must name a file called mcplite.py, not %s" % path)
    folder = os.path.dirname(path)
    for name in [name for name in sys.modules if name.split(".")[0] == "mcplite"]:
        del sys.modules[name]
    sys.path.insert(0, folder)
    os.environ["PYTHONPATH"] = os.pathsep.join([folder] + [part for part in [os.environ.get("PYTHONPATH", "")] if part])
    import mcplite
    found = os.path.abspath(mcplite.__file__)
    if found != path:
        raise RuntimeError("mcplite was imported from %s, not from %s" % (found, path))
    return mcplite
