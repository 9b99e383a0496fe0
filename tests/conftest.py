"""Shared set-up: where the package is, the ``server`` fixture, and the count of skips with their reasons."""
import os
import signal
import sys

import pytest

TESTS = os.path.dirname(os.path.abspath(__file__))
REPO = os.path.dirname(TESTS)
sys.path.insert(0, TESTS)
for name in ("PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE", "PYTHONIOENCODING", "PYTHONUTF8", "PYTHONWARNINGS"):
    os.environ.pop(name, None)          # what a test starts is started alike on every machine; compiled modules are kept
for name, handler in (("SIGINT", signal.default_int_handler), ("SIGHUP", lambda number, frame: None)):
    # In the background of a shell, and under nohup, they are ignored, which what a test starts would inherit; a handler is not.
    if signal.getsignal(getattr(signal, name, signal.SIGINT)) == signal.SIG_IGN:
        signal.signal(getattr(signal, name, signal.SIGINT), handler)
if os.environ.get("MCPLITE_SINGLE"):
    from single_file import install

    install(os.environ["MCPLITE_SINGLE"])
else:
    sys.path.insert(0, REPO)


@pytest.fixture
def script(tmp_path):
    """A function that writes a server's source to a file and returns its path."""
    from harness import write_script

    return lambda source, name="server.py": write_script(tmp_path, source, name)


def pytest_terminal_summary(terminalreporter):
    """Skips are counted and explained, never silent."""
    skipped = terminalreporter.stats.get("skipped", [])
    if skipped:
        reasons = {}
        for report in skipped:
            reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
            reasons[reason] = reasons.get(reason, 0) + 1
        for reason, count in sorted(reasons.items()):
            terminalreporter.write_line("%d skipped: %s" % (count, reason))


def pytest_collection_modifyitems(config, items):
    """``slow``, ``interop`` and ``fuzz`` run only where they are asked for with -m."""
    if config.getoption("-m"):
        return
    left_out = [item for item in items if any(item.get_closest_marker(name) for name in ("slow", "interop", "fuzz"))]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
