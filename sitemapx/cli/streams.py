"""The standard streams, where the caller closed one of them (`<&-`, `>&-`, `2>&-`)."""

import os
import sys

__all__ = ["replace_closed"]

#: A closed input cannot be read, nor a closed output written; what goes to stderr is lost.
_STREAMS = (
    ("stdin", "r", os.O_WRONLY),
    ("stdout", "w", os.O_RDONLY),
    ("stderr", "w", os.O_WRONLY),
)


def replace_closed() -> None:
    """
    Put something in the place of each stream that is closed.

    It keeps the descriptor of the stream from being that of the next file that is opened, and
    whoever uses the stream gets the error of the system.
    """
    for name, mode, flags in _STREAMS:
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.open(os.devnull, flags), mode))
