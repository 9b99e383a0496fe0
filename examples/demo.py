"""`make demo`: the command `mcplite demo` out of a checkout, with nothing installed.

    python examples/demo.py [--full] [--trace FILE]
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from mcplite.cli.main import cli_main

sys.exit(cli_main(["demo"] + sys.argv[1:]))
