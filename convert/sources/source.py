"""Sources and their parts: kinds of sources, and the `SourcePart` that a conversion reads."""

import os
from collections.abc import Collection, Iterator
from io import TextIOBase
from itertools import chain
from typing import BinaryIO, NamedTuple

from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.document import Document, Head
from sitemapx.convert.streams.stream import Opened
from sitemapx.convert.values import urls
from sitemapx.errors import UsageError

NO_SOURCES = "no sources: pass at least one path, URL or host name"
#: Name of standard input in messages.
STDIN = "<stdin>"

#: A path, a URL (http, https, file or storage), a host name, `-`, or a stream in binary mode.
Source = str | os.PathLike[str] | BinaryIO | Opened


def require_source(source: object) -> None:
    """Raise `UsageError` for an empty string, or a value of a type that no source has."""
    if isinstance(source, str) and not source:
        advice = "pass a file, a directory, a URL, a host or - for standard input"
        raise UsageError(f"source is an empty string: {advice}")
    if isinstance(source, str) and _is_markup(source):
        raise UsageError("source is markup: pass a path or URL, or io.BytesIO(text.encode())")
    if isinstance(source, bytes | bytearray | memoryview):
        raise UsageError("source is bytes: pass a path or URL, or io.BytesIO(data) for data")
    if isinstance(source, TextIOBase):
        raise UsageError("source is a stream of text: open it in binary mode, as open(path, 'rb')")
    if not (isinstance(source, str | os.PathLike) or hasattr(source, "read")):
        kind = type(source).__name__
        advice = "pass a path, a URL or a binary stream, or write entries with `sitemapx.write`"
        if isinstance(source, list | tuple):
            advice = "unpack it with *, such as `table(*sources)`"
        raise UsageError(f"source is of type {kind}: {advice}")


def _is_markup(source: str) -> bool:
    """Return whether a source is a document, not the name of a stream such as `<stdin>`."""
    return source.lstrip().startswith("<") and ("</" in source or "/>" in source)


def local_path(source: Source) -> str | None:
    """Return a path, host name or storage URL; None for streams, `-` and http(s) URLs."""
    require_source(source)
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
    """Return the name of a source for messages: `<stdin>` for `-`, a URL without its user."""
    return STDIN if path == "-" else urls.without_user(path)


def is_storage(path: str) -> bool:
    scheme, separator, _ = path.partition("://")
    return bool(separator) and scheme.isalnum() and scheme not in ("http", "https", "file")


class SourcePart(NamedTuple):
    """
    A source, or one of the listed sitemaps or feed pages that belong to it.

    Attributes:
        head: Metadata of the part.
        family: "sitemap" or "feed", or empty; see `Document`.
        holds: Names of the fields that the entries may have.
        batches: Iterator over the entries in batches.
        source: Name of the source, or URL of the listed sitemap or feed page; None if unknown.
        is_index: Whether the entries are sitemaps.
        format: Name of the format; empty for a directory, and for entries that are not from a file.
        depth: Number of indexes, or of lists of a site's sitemaps, above the part.

    """

    head: Head
    family: str
    holds: Collection[str]
    batches: Iterator[Batch]
    source: str | None = None
    is_index: bool = False
    format: str = ""
    depth: int = 0

    @classmethod
    def from_document(
        cls, document: Document, source: str | None = None, depth: int = 0
    ) -> "SourcePart":
        """Create a part from an unread document; the class describes `source` and `depth`."""
        return cls(
            document.head,
            document.family,
            document.holds,
            document.batches,
            source,
            document.is_index,
            document.format,
            depth,
        )

    def named(self) -> "SourcePart":
        """Return a part in which entries without a `source` have the name of the part as source."""
        return self._replace(batches=map(self._name_source, self.batches))

    def _name_source(self, batch: Batch) -> Batch:
        named = batch.column("source")
        return batch.with_column("source", [source or self.source for source in named])

    @classmethod
    def combine(cls, inputs: Iterator["SourcePart"]) -> "SourcePart":
        """Combine parts of a source into one, with the metadata and fields of the first part."""
        first = next(inputs, None) or cls.from_document(Document(()))
        rest = (part.batches for part in inputs)
        return first._replace(batches=chain(first.batches, chain.from_iterable(rest)))
