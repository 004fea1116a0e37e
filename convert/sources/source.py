"""The kinds of sources."""

import os
from typing import BinaryIO

from sitemapx.convert.streams.stream import Opened
from sitemapx.convert.values import urls
from sitemapx.errors import UsageError

__all__ = [
    "STDIN",
    "Source",
    "is_storage",
    "local_path",
    "refuse_invalid",
    "source_name",
]

#: What messages call standard input.
STDIN = "<stdin>"

#: A path, an http(s) or file URL, `-` for standard input, or a stream opened in binary mode.
Source = str | os.PathLike[str] | BinaryIO | Opened


def refuse_invalid(source: object) -> None:
    """
    Refuse what cannot be a source, before anything is done with it.

    Raises:
        UsageError: If it is an empty string, as of an unset variable, or of none of the kinds.

    """
    if source == "":
        advice = "pass a file, a directory, a URL, a host or - for standard input"
        raise UsageError(f"source is an empty string: {advice}")
    if isinstance(source, bytes | bytearray | memoryview):
        raise UsageError("source is bytes: pass a path or URL, or io.BytesIO(data) for data")
    if not (isinstance(source, str | os.PathLike) or hasattr(source, "read")):
        kind = type(source).__name__
        raise UsageError(f"source is of type {kind}: pass a path, a URL or a binary stream")


def local_path(source: Source) -> str | None:
    """
    Return the path of a source that is a file, here or in storage; a file URL has one, too.

    Raises:
        UsageError: If it cannot be a source.

    """
    refuse_invalid(source)
    if not isinstance(source, str | os.PathLike) or source == "-":
        return None
    name = os.fspath(source)
    if name.startswith("file:"):
        from urllib.parse import urlsplit
        from urllib.request import url2pathname

        host, path = urlsplit(name)[1:3]
        return url2pathname(path if host in ("", "localhost") else f"//{host}{path}")
    return None if urls.is_absolute(name) else name


def source_name(path: str) -> str:
    """Return what messages call a source: `<stdin>` for `-`, and a URL without its user."""
    return STDIN if path == "-" else urls.without_user(path)


def is_storage(path: str) -> bool:
    """Return whether a path is a URL for fsspec."""
    scheme, separator, _ = path.partition("://")
    return bool(separator) and scheme.isalnum() and scheme not in ("http", "https", "file")
