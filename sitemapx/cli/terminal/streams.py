"""The standard streams, where the caller closed one (`2>&-`), or where one cannot be written."""

import io
import os
import sys

TYPE_CHECKING = False  # typing takes longer to import than robots.txt to edit
if TYPE_CHECKING:
    from typing_extensions import Buffer


#: File name in errors of standard output.
STDOUT = "standard output"

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
            stream = open(os.open(os.devnull, flags), mode)
            setattr(sys, name, stream)
            setattr(sys, f"__{name}__", stream)


class _Forgiving(io.FileIO):
    """A file that loses what cannot be written to it, as on a full disk."""

    def write(self, data: "Buffer") -> int:
        try:
            return super().write(data) or 0
        except OSError:
            return memoryview(data).nbytes


class _Named(io.FileIO):
    """A file whose errors of writing have the name of standard output."""

    def write(self, data: "Buffer") -> int:
        try:
            return super().write(data) or 0
        except OSError as error:
            error.filename = STDOUT
            raise


def name_stdout() -> None:
    """Let errors of writing to standard output be known from others."""
    stdout = sys.stdout
    if stdout is sys.__stdout__ and stdout is not None:  # nobody has replaced it, as tests do
        raw = _Named(stdout.fileno(), "w", closefd=False)
        sys.stdout = io.TextIOWrapper(
            io.BufferedWriter(raw),
            encoding=stdout.encoding,
            errors=stdout.errors,
            line_buffering=bool(stdout.line_buffering),
        )


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
