"""What a channel hands over in place of a whole line: one that was cut off, one that was too long.

Here: these two. Not here: where lines begin and end (``stdio``), what is answered (``session_unusual``).

Page: basic/transports (stdio) of every revision.
"""


class UnterminatedLine(bytes):
    """The last bytes before the end of input, without a line feed: a message, or one that was cut off."""


class OverlongLine(bytes):
    """Stands, empty, for a line over the limit whose bytes were skipped; ``limit`` says the limit in bytes, ``beginning`` is
    what was kept of it."""

    limit = 0
    beginning = b""
