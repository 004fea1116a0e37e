"""Opens files, standard input, URLs and objects in cloud storage as streams, as stored or sent."""

import os
import sys
from stat import S_ISREG
from typing import TYPE_CHECKING, BinaryIO

from sitemapx.convert.sources.source import STDIN, Source, is_storage, local_path
from sitemapx.convert.streams.stream import Opened
from sitemapx.errors import InputError, UsageError

if TYPE_CHECKING:
    from sitemapx.convert.http.fetcher import Fetcher


def open_source(source: Source, fetcher: "Fetcher | None" = None) -> Opened:
    if isinstance(source, Opened):
        return source
    path = local_path(source)
    if not isinstance(source, str | os.PathLike):
        return Opened(source, str(getattr(source, "name", "<stream>")))
    if source == "-":
        return Opened(_standard_input(), STDIN)
    if path is None:
        from sitemapx.convert.http.fetcher import Fetcher

        return (fetcher or Fetcher()).spool(os.fspath(source))
    if is_storage(path):
        from sitemapx.convert.sources.storage import open_stored

        file = open_stored(path)
    else:
        file = _open_file(path)
    return Opened(file, path, close=file.close)


def _standard_input() -> BinaryIO:
    if sys.stdin is None:
        raise InputError("standard input is closed", STDIN)
    _reject_output(sys.stdin.buffer, STDIN)
    return sys.stdin.buffer


def _open_file(path: str) -> BinaryIO:
    try:
        file = open(path, "rb", buffering=0)
    except (OSError, ValueError) as error:
        message = getattr(error, "strerror", "") or str(error)
        if isinstance(error, FileNotFoundError) and os.path.islink(path):
            message = f"broken symbolic link to {os.readlink(path)}"
        raise InputError(message, path) from error
    try:
        _reject_output(file, path)
    except UsageError:
        file.close()
        raise
    return file


def _reject_output(file: BinaryIO, name: str) -> None:
    """Raise `UsageError` if standard output is appended to this file: reading might not end."""
    try:
        read, written = os.fstat(file.fileno()), os.fstat(1)
    except OSError:  # no file descriptor
        return
    if os.path.samestat(read, written) and S_ISREG(written.st_mode) and written.st_size:
        raise UsageError(f"{name}: input and output are the same file; write to another file")
