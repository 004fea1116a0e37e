"""
Where bytes come from: files, standard input and addresses, compressed or not.

Compression is known by its first bytes, never by a name: a `.gz` may have been unpacked on its
way, and a plain name may hide gzip, even twice (https://www.rfc-editor.org/rfc/rfc1952).
"""

import os
import sys
from collections.abc import Callable
from stat import S_ISREG
from typing import TYPE_CHECKING, BinaryIO, Self

from sitemapx.convert import urls
from sitemapx.convert.encodings import Readable
from sitemapx.convert.gunzip import GZIP, Gunzip
from sitemapx.convert.problems import Context
from sitemapx.errors import InputError, UsageError

if TYPE_CHECKING:
    from sitemapx.convert.fetching import Fetcher

__all__ = [
    "Guarded",
    "Opened",
    "Rewound",
    "Source",
    "is_storage",
    "local_path",
    "open_source",
    "read_start",
    "unpack",
]

_ZIP = b"PK\x03\x04"


class Opened:
    """
    A source that was opened: its bytes as they are stored or sent, still packed.

    Attributes:
        name: What messages call it.
        url: Where it was found on the web, after redirects; None for what is no URL.
        close: Ends it.

    """

    def __init__(
        self,
        stream: Readable,
        name: str,
        url: str | None = None,
        close: Callable[[], object] = lambda: None,
    ) -> None:
        self.read = stream.read
        self.name = name
        self.url = url
        self.close = close

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


#: A path, an http(s) or file URL, `-` for standard input, or a stream opened in binary mode.
Source = str | os.PathLike[str] | BinaryIO | Opened


class Guarded:
    """A stream whose failures are those of an input, and whose bytes are counted."""

    def __init__(self, stream: Readable, on_read: Callable[[int], None]) -> None:
        self._stream = stream
        self._on_read = on_read

    def read(self, size: int = -1, /) -> bytes:
        """
        Read from the stream.

        Raises:
            InputError: If the system cannot.

        """
        try:
            data = self._stream.read(size)
        except OSError as error:
            raise InputError(error.strerror or str(error)) from error
        self._on_read(len(data))
        return data


class Rewound:
    """A stream whose beginning was read already, to see what it is."""

    def __init__(self, start: bytes, rest: Readable) -> None:
        self._start = start
        self._rest = rest

    def read(self, size: int = -1, /) -> bytes:
        """Return what was read already, then the rest."""
        if not self._start:
            return self._rest.read(size)
        if size < 0:
            start, self._start = self._start, b""
            return start + self._rest.read()
        start, self._start = self._start[:size], self._start[size:]
        return start


def read_start(stream: Readable, size: int) -> bytes:
    """Read so much, even from a stream that gives less at a time."""
    parts: list[bytes] = []
    while size > 0 and (part := stream.read(size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def unpack(stream: Readable, context: Context, *, peek: int = 1 << 16) -> tuple[bytes, Readable]:
    """
    Unpack gzip, also gzip in gzip, where there is any.

    Returns:
        The first `peek` bytes, and the whole stream (with those bytes).

    Raises:
        InputError: For a zip archive, which search engines do not read either.

    """
    start = read_start(stream, peek)
    for _ in range(2):
        if not start.startswith(GZIP):
            break
        stream = Gunzip(Rewound(start, stream), context)
        start = read_start(stream, peek)
    if start.startswith(GZIP):
        raise InputError("compressed more than twice with gzip")
    if start.startswith(_ZIP):
        said = "a zip archive; unpack it, sitemaps are compressed with gzip"
        raise InputError(said, code="zip")
    return start, Rewound(start, stream)


def local_path(source: Source) -> str | None:
    """Give the path of a source that is a file, here or in storage; a file URL has one, too."""
    if not isinstance(source, str | os.PathLike) or source == "-":
        return None
    name = os.fspath(source)
    if name.startswith("file:"):
        from urllib.parse import urlsplit
        from urllib.request import url2pathname

        host, path = urlsplit(name)[1:3]
        return url2pathname(path if host in ("", "localhost") else f"//{host}{path}")
    return None if urls.is_absolute(name) else name


def open_source(source: Source, fetcher: "Fetcher | None" = None) -> Opened:
    """
    Open a source, whatever it is.

    Args:
        fetcher: Fetches URLs; one with the usual settings, if none is given.

    Raises:
        InputError: If it cannot be read, with the reason of the system.

    """
    if isinstance(source, Opened):
        return source
    if not isinstance(source, str | os.PathLike):
        return Opened(source, str(getattr(source, "name", "<stream>")))
    if source == "-":
        return Opened(_standard_input(), "<stdin>")
    path = local_path(source)
    if path is None:
        from sitemapx.convert.fetching import Fetcher

        return (fetcher or Fetcher()).spool(os.fspath(source))
    if is_storage(path):
        from sitemapx.convert.storage import open_stored

        file = open_stored(path)
    else:
        file = _open_file(path)
    return Opened(file, path, close=file.close)


def _standard_input() -> BinaryIO:
    if sys.stdin is None:
        raise InputError("standard input is closed", "<stdin>")
    _refuse_output(sys.stdin.buffer, "<stdin>")
    return sys.stdin.buffer


def _open_file(path: str) -> BinaryIO:
    try:
        file = open(path, "rb", buffering=0)
    except (OSError, ValueError) as error:
        raise InputError(getattr(error, "strerror", "") or str(error), path) from error
    try:
        _refuse_output(file, path)
    except UsageError:
        file.close()
        raise
    return file


def _refuse_output(file: BinaryIO, name: str) -> None:
    """Refuse what standard output appends to: reading it would never come to an end."""
    try:
        read, written = os.fstat(file.fileno()), os.fstat(1)
    except OSError:  # not a file of the system
        return
    if os.path.samestat(read, written) and S_ISREG(written.st_mode) and written.st_size:
        raise UsageError(f"{name}: input file is output file: send the output to another file")


def is_storage(path: str) -> bool:
    """Tell whether a path is a URL for fsspec."""
    scheme, separator, _ = path.partition("://")
    return bool(separator) and scheme.isalnum() and scheme not in ("http", "https", "file")
