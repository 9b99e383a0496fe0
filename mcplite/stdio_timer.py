"""The interval timer that keeps a computing handler reachable, through SIGALRM.

Here: ``IntervalTimer``. Not here: what is done at a tick (``peer``). Loaded with the first request behind ``initialize``.
"""
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Optional, Tuple

TICK_SECONDS = 0.2          # an effective tick comes after one to two of these: obeyed within 0.5 s, and short calls never see one


class IntervalTimer:
    """Calls ``tick`` every TICK_SECONDS in the main thread while something is served, through SIGALRM (POSIX only).

    It is armed by the first call and stays armed while calls keep coming: arming and disarming for each call would be two
    system calls, 6 % of a round trip. ``tick`` itself tells short calls from long ones, and disarms when nothing runs.
    """

    def __init__(self, tick: "Callable[[], None]") -> None:
        self.tick = tick
        self.armed = False
        self.usable: "Optional[bool]" = None                # not known before the first attempt
        self.getsignal: "Any" = None
        self.saved_handler: "Any" = None
        self.saved_timer: "Tuple[float, float]" = (0.0, 0.0)
        self.handler = self.handle_signal                   # one object: compared by identity

    def handle_signal(self, signum: int, frame: "Any") -> None:
        self.tick()

    def arm(self) -> bool:
        """Start ticking; false where that cannot be done (no SIGALRM, no interval timer, not the main thread)."""
        if self.usable is False:
            return False
        import _signal  # type: ignore[import-not-found,unused-ignore]

        try:
            setitimer, timer_kind = _signal.setitimer, _signal.ITIMER_REAL
            previous = _signal.signal(_signal.SIGALRM, self.handler)
        except (AttributeError, ValueError):
            self.usable = False
            return False
        timer = setitimer(timer_kind, TICK_SECONDS, TICK_SECONDS)
        if not self.usable:
            self.usable, self.saved_handler, self.saved_timer = True, previous, timer
        self.armed = True
        self.getsignal, self.alarm = _signal.getsignal, _signal.SIGALRM
        return True

    def is_ours(self) -> bool:
        """False when a tool has taken SIGALRM for itself."""
        return self.getsignal(self.alarm) is self.handler

    def disarm(self) -> None:
        """Stop ticking, also where another timer of ours set this one going again when it was put back."""
        import _signal  # type: ignore[import-not-found,unused-ignore]

        _signal.setitimer(_signal.ITIMER_REAL, 0.0)
        self.armed = False

    def restore(self) -> None:
        """Put back the handler and the timer that were there before the first ``arm``; the handler last had by another stays.

        The timer stops before the handler changes: an alarm that meets the default handler ends the process.
        """
        if self.usable:
            import _signal  # type: ignore[import-not-found,unused-ignore]

            ours = self.is_ours()
            if ours or self.armed:
                self.disarm()
            if ours:
                _signal.signal(_signal.SIGALRM, self.saved_handler if self.saved_handler is not None else _signal.SIG_DFL)
                if self.saved_timer[0] or self.saved_timer[1]:
                    _signal.setitimer(_signal.ITIMER_REAL, self.saved_timer[0] or 1e-6, self.saved_timer[1])
            self.usable = None
