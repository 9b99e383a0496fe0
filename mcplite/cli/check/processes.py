"""What a server left running: the members of its process group.

Here: looking at processes, on Linux by /proc. Not here: ending them (the runtime's child process does).
"""
from __future__ import annotations

import os

from ...stdio import monotonic

LEFT_SECONDS = 0.5  # how long a process may take to end after the one that started it


def processes_left(group: int) -> list[str]:
    """Command lines of the processes of a group that are still there after a moment; zombies do not count."""
    import time

    from ...system.child import is_group_alive

    until = monotonic() + LEFT_SECONDS
    while is_group_alive(group):
        left = living_members(group)
        if left == []:
            return []
        if monotonic() > until:
            return left if left is not None else ["process group %d" % group]
        time.sleep(0.02)
    return []


def living_members(group: int) -> list[str] | None:
    """The same from /proc; None where there is no such thing."""
    if not os.path.isdir("/proc/self"):
        return None
    found = []
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open("/proc/%s/stat" % name, "rb") as file:
                fields = file.read().rsplit(b")", 1)[1].split()
            if fields[0] != b"Z" and int(fields[2]) == group:
                with open("/proc/%s/cmdline" % name, "rb") as file:
                    found.append(file.read().replace(b"\0", b" ").decode("utf-8", "replace").strip() or name)
        except (OSError, IndexError, ValueError):  # it has just ended
            continue
    return found
