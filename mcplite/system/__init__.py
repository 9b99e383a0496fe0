"""The operating system, beyond the two descriptors of a server (``stdio``): child processes, channels, a timer, paths.

In the order of reading: ``streams`` (channels over binary streams, and in memory), ``duplex`` (channels that read and write at the
same time), ``command_line`` (the command that starts a server), ``child`` (a server as a process), ``timer`` (the interval timer
that keeps a computing handler reachable), ``paths`` (``safe_path``, ``file://``).

Arrows: child -> command_line, duplex -> stdio; streams -> stdio. Nothing is taken from the folder as a whole: each part is
loaded where it is needed, and most servers need only the timer.

From outside: ``streams``, ``duplex``, ``child``, ``timer``, ``paths``.
"""
