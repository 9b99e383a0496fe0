"""The operating system, beyond the two descriptors of a server (``stdio``): child processes, channels, paths.

In the order of reading: ``streams`` (channels over binary streams, and in memory), ``duplex`` (channels that read and write at the
same time), ``command_line`` (the command that starts a server), ``child`` (a server as a process), ``paths``
(``safe_path``, ``file://``).

Arrows: child -> command_line, duplex -> stdio; streams -> stdio. Nothing is taken from the folder as a whole: each part is
loaded where it is needed, and most servers need none.

From outside: ``streams``, ``duplex``, ``child``, ``paths``.
"""
