"""Handles standard streams that the caller closed (`2>&-`), or that cannot be written."""

import io
import os
import sys

TYPE_CHECKING = False  # importing typing takes longer than editing robots.txt
if TYPE_CHECKING:
    from typing import TextIO, TypeGuard

    from typing_extensions import Buffer


#: File name in errors of standard output.
STDOUT = "standard output"

#: Name and mode of each stream, and flags for opening the null device as its replacement.
_STREAMS = (
    ("stdin", "r", os.O_WRONLY),
    ("stdout", "w", os.O_RDONLY),
    ("stderr", "w", os.O_WRONLY),
)


def replace_closed() -> None:
    """
    Open the null device for closed streams.

    Otherwise, the next opened file would get the descriptor of the stream. The device is opened for
    writing in place of stdin and for reading in place of stdout, so that using these streams raises
    OSError.
    """
    for name, mode, flags in _STREAMS:
        if getattr(sys, name) is None:
            stream = open(os.open(os.devnull, flags), mode)
            setattr(sys, name, stream)
            setattr(sys, f"__{name}__", stream)


class _LossyFile(io.FileIO):
    """A file that discards data that cannot be written, for example on a full disk."""

    def write(self, data: "Buffer") -> int:
        try:
            return super().write(data) or 0
        except OSError:
            return memoryview(data).nbytes


class _StdoutFile(io.FileIO):
    """A file whose write errors contain the name of standard output."""

    def write(self, data: "Buffer") -> int:
        try:
            return super().write(data) or 0
        except OSError as error:
            error.filename = STDOUT
            raise


def _is_own(stream: "TextIO | None", original: "TextIO | None") -> "TypeGuard[TextIO]":
    """Return whether a stream is the original one, and not a Windows console."""
    is_console = sys.platform == "win32" and stream is not None and stream.isatty()
    return stream is original and stream is not None and not is_console


def _encoding(stream: "TextIO") -> str:
    """Return the encoding for output; on Windows, UTF-8 unless configured otherwise."""
    is_set = sys.platform != "win32" or "PYTHONIOENCODING" in os.environ
    return stream.encoding if is_set else "utf-8"


def name_stdout() -> None:
    """Make write errors of standard output recognizable by its name."""
    stdout = sys.stdout
    if _is_own(stdout, sys.__stdout__):
        raw = _StdoutFile(stdout.fileno(), "w", closefd=False)
        sys.stdout = io.TextIOWrapper(
            io.BufferedWriter(raw),
            encoding=_encoding(stdout),
            errors=stdout.errors,
            line_buffering=bool(stdout.line_buffering),
        )


def forgive_stderr() -> None:
    """Ignore write errors of stderr, so that they do not change the exit status."""
    stderr = sys.stderr
    if _is_own(stderr, sys.__stderr__):
        raw = _LossyFile(stderr.fileno(), "w", closefd=False)
        sys.stderr = io.TextIOWrapper(
            io.BufferedWriter(raw),
            encoding=_encoding(stderr),
            errors="backslashreplace",
            line_buffering=True,
        )
