"""Programs run on a pseudo-terminal, as a person would see them and type into them. POSIX only."""
from __future__ import annotations

import os
import select
import subprocess
import time


def run_on_terminal(command, env, typing=(), timeout=30, columns=100, cwd=None):
    """Run ``command`` with a terminal as its input, output and errors; return (exit status, everything it wrote).

    ``typing``: pairs (what must have been written, what is then typed), in order. Lines end with LF, as the program wrote them.
    """
    import fcntl
    import pty
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))

    def take_terminal():                        # so that Ctrl+C typed there is a signal
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=env, cwd=cwd, preexec_fn=take_terminal)
    os.close(theirs)
    seen, waiting, looked = b"", list(typing), 0
    until = time.monotonic() + timeout
    try:
        while True:
            left = until - time.monotonic()
            assert left > 0, "nothing more within %s s; seen: %s" % (timeout, seen.decode("utf-8", "replace"))
            if not select.select([ours], [], [], left)[0]:
                continue
            try:
                chunk = os.read(ours, 65536)
            except OSError:                     # Linux: nobody has the terminal open any more
                break
            if not chunk:
                break
            seen += chunk
            while waiting and waiting[0][0].encode() in seen[looked:]:
                looked = seen.index(waiting[0][0].encode(), looked) + len(waiting[0][0].encode())
                os.write(ours, waiting.pop(0)[1].encode())
        status = process.wait(timeout)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        os.close(ours)
    assert not waiting, "never asked: %r; seen: %s" % (waiting[0][0], seen.decode("utf-8", "replace"))
    return status, seen.decode("utf-8", "replace").replace("\r\n", "\n")
