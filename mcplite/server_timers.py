"""What ``Server.every`` has a server do between messages.

Here: ``Timer``, ``run_timers``. Not here: how long the loop waits (``peer``).
"""
from .peer import report_exception
from .stdio import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, List


class Timer:
    __slots__ = ("due", "function", "seconds")

    def __init__(self, seconds: float, function: "Callable[[], Any]") -> None:
        self.seconds, self.function = seconds, function
        self.due = monotonic() + seconds


def run_timers(timers: "List[Timer]") -> float:
    """Run what is due; return the seconds until the next is."""
    now = monotonic()
    for timer in list(timers):
        if timer.due <= now:
            timer.due = now + timer.seconds
            try:
                timer.function()
            except Exception as error:
                report_exception(error)
    return max(0.0, min(timer.due for timer in timers) - monotonic())
