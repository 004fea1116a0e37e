"""The standard streams, where the caller closed one (`2>&-`), or where stderr cannot be written."""

import io
import os
import sys

TYPE_CHECKING = False  # typing takes longer to import than robots.txt to edit
if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["forgive_stderr", "replace_closed"]

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


class _Forgiving(io.FileIO):
    """A file that loses what cannot be written to it, as on a full disk."""

    def write(self, data: "Buffer") -> int:
        try:
            return super().write(data) or 0
        except OSError:
            return memoryview(data).nbytes


def forgive_stderr() -> None:
    """Let what cannot be written to stderr be lost: the exit status is that of the work."""
    stderr = sys.stderr
    if stderr is sys.__stderr__ and stderr is not None:  # nobody has replaced it, as tests do
        raw = _Forgiving(stderr.fileno(), "w", closefd=False)
        sys.stderr = io.TextIOWrapper(
            io.BufferedWriter(raw),
            encoding=stderr.encoding,
            errors="backslashreplace",
            line_buffering=True,
        )
