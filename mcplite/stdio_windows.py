"""What Windows does in its own way: waiting for a pipe, and pipes that translate line ends.

Here: these two. Not here: everything else (``stdio``). Not run on Windows yet: tested with stand-ins for its modules.

Page: basic/transports (stdio).
"""
import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional


def wait_readable_windows(descriptor: int, timeout: "Optional[float]") -> bool:
    """Windows cannot wait for a pipe with a time limit: look into it, a little less often the longer it stays empty."""
    import _winapi
    import msvcrt

    try:
        handle = msvcrt.get_osfhandle(descriptor)  # type: ignore[attr-defined,unused-ignore]
    except OSError:                                         # no descriptor but a socket, which select() can wait for
        import select

        return bool(select.select([descriptor], [], [], timeout)[0])
    until = None if timeout is None else time.monotonic() + timeout
    pause = 0.001
    while True:
        try:
            if _winapi.PeekNamedPipe(handle, 0)[0]:  # type: ignore[attr-defined,unused-ignore]
                return True
        except OSError:                                     # the end of the pipe, or no pipe: reading will tell
            return True
        if until is not None and time.monotonic() >= until:
            return False
        time.sleep(pause if until is None else min(pause, max(0.0, until - time.monotonic())))
        pause = min(pause * 1.5, 0.02)


def set_binary_mode(*descriptors: int) -> None:
    """Keep the C library of Windows from turning LF into CR LF."""
    import msvcrt

    for descriptor in descriptors:
        msvcrt.setmode(descriptor, os.O_BINARY)  # type: ignore[attr-defined,unused-ignore]
