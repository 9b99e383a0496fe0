"""`python -m mcplite` is the same as the console script `mcplite`."""
from __future__ import annotations

import sys

from .cli.main import cli_main

if __name__ == "__main__":
    sys.exit(cli_main())
