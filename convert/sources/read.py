"""Reads a file, a directory, standard input or a URL as a `Document`."""

import os
from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING

from sitemapx.convert.formats.format import Context, ContextFactory, Format
from sitemapx.convert.formats.registry import FORMATS, by_name, detect
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.coercion import normalize_dates
from sitemapx.convert.model.document import Document
from sitemapx.convert.model.problems import ProblemHandler, log
from sitemapx.convert.sources import opening
from sitemapx.convert.sources.source import Source, local_path
from sitemapx.convert.streams import gzip as gzip_
from sitemapx.convert.streams import stream as stream_
from sitemapx.convert.streams.stream import Readable
from sitemapx.convert.values.words import MAX_VALUE, clip
from sitemapx.convert.xml.tags import MAX_START, root_name
from sitemapx.errors import InputError, UsageError
from sitemapx.patterns import lazy_pattern

if TYPE_CHECKING:
    from sitemapx.convert.html.page import PagePlace
    from sitemapx.convert.http.fetcher import Fetcher


#: Matches text before an XML declaration.
_DECLARED = lazy_pattern(rb"(?s)([^\0]*?\S[^\0]*?)(?=<\?xml[ \t\r\n])")
_TAG = lazy_pattern(rb"<[^<>]*>")
#: The argument `format` for a directory of HTML pages.
_FOLDER = "directory"


def read(
    source: Source,
    *,
    format: str | None = None,
    source_url: str | None = None,
    report: ProblemHandler = log,
    on_read: Callable[[int], None] = lambda count: None,
    wanted: Collection[str] | None = None,
    images: bool = False,
    keep_all: bool = False,
    page_fields: Collection[str] | None = None,
    skips_page: "Callable[[PagePlace], bool] | None" = None,
    processes: int = 1,
    fetcher: "Fetcher | None" = None,
    contexts: ContextFactory = Context,
) -> Document:
    """
    Open a source and detect its format; the entries are read on demand.

    Compression (gzip) and format are detected from the contents, never from the name. The sitemaps
    that an index lists are not read: they are the entries of the document.

    Args:
        source: Path of a file, or of a directory of HTML pages; a URL; `-` for standard input; or a
            binary stream, which is not closed.
        format: Name of the format; None to detect it.
        source_url: Public URL of the source; relative URLs are resolved against it. Required for a
            directory; not needed for a source that is a URL.
        report: Called with each problem, mostly while the entries are read; by default, problems
            are logged.
        on_read: Called with the number of (compressed) bytes just read.
        wanted: Names of the fields that will be used; others may be missing. None for all.
        images: Whether to list the images on the HTML pages of a directory.
        keep_all: Whether to keep pages in an export that do not belong in a sitemap.
        page_fields: Names of the fields that are read from the HTML pages of a directory; None for
            all wanted fields.
        skips_page: Returns whether a page of a directory is not read; None to read all.
        processes: Maximum number of processes that read the HTML pages of a directory.
        fetcher: Fetches URLs; None for a fetcher with default settings.
        contexts: Creates the `Context` of the source.

    Returns:
        The document; use it in a `with` statement if it may not be read to its end.

    Raises:
        InputError: If the source cannot be read (`FetchError` for a URL) or its format is not
            recognized; may also be raised while iterating.
        UsageError: If `source` is invalid, `format` is unknown or cannot be read, a directory is
            read without `source_url` or as another format, or standard output is written to it.

    Examples:
        >>> import io
        >>> stream = io.BytesIO(b"https://example.com/" + bytes([10]) + b"https://example.com/b")
        >>> [entry.loc for entry in read(stream)]
        ['https://example.com/', 'https://example.com/b']

    """
    path = local_path(source)
    if format == _FOLDER or (path and os.path.isdir(path)):
        from sitemapx.convert.sources.folder import read_directory

        folder = _require_directory(path or str(source), format)
        fields = wanted if page_fields is None else page_fields
        context = contexts(report, source=folder, url=source_url, wanted=fields)
        document = read_directory(
            folder, context, with_images=images, processes=processes, skips=skips_page
        )
        batches = _add_name_to_errors(document.batches, folder, context)
        return Document(batches, holds=document.holds, source=folder)
    source_format = by_name(format) if format else None
    opened = opening.open_source(source, fetcher)
    name = opened.name
    try:
        context = contexts(report, source=name, url=source_url or opened.url, wanted=wanted)
        context.keeps_unlisted = keep_all
        packed: Readable = stream_.CountingStream(opened, on_read)
        if opened.url:
            first = stream_.read_start(packed, len(gzip_.GZIP))
            packed = stream_.RewoundStream(first, packed)
            context.observer.on_response(opened, is_packed=first == gzip_.GZIP)
        start, unpacked = gzip_.unpack(packed, context)
        if source_format is None:
            if context.is_cut and not start:
                raise InputError("nothing could be decompressed before the damage")
            start, unpacked = _with_root(start, unpacked)
            try:
                source_format = detect(start)
            except InputError:
                if not (text := _DECLARED.match(start)):
                    raise
                words = _TAG.sub(b"", text[1]).split()
                shown = clip(b" ".join(words).decode("utf-8", "replace"), MAX_VALUE)
                message = f"text before the XML declaration: {shown!r}"
                context.problem("text-before-xml", message, done="; skipped", line=1)
                stream_.read_start(unpacked, len(start))
                start = b"\n" * text[1].count(b"\n") + start[text.end() :]
                unpacked = stream_.RewoundStream(start, unpacked)
                source_format = detect(start)
        unpacked = context.observer.on_source(source_format, unpacked)
        document = source_format.reader()(unpacked, context)
        if source_format not in FORMATS:
            document.batches = normalize_dates(document.batches, context)
    except BaseException as error:
        opened.close()
        if isinstance(error, InputError):
            error.source = error.source or name
        raise
    return Document(
        _add_name_to_errors(context.observer.on_document(document), name, context),
        head=document.head,
        is_index=document.is_index,
        family=document.family,
        holds=_holds(source_format),
        format=source_format.name,
        source=name,
        close=opened.close,
    )


def _with_root(start: bytes, stream: Readable) -> tuple[bytes, Readable]:
    """
    Read more of an XML stream until `start`, its first bytes, contains the root element.

    Stops at the end of the stream, and after `MAX_START` bytes.

    Returns the extended start, and a stream that begins with these bytes.
    """
    size = 0
    while root_name(start) == "" and size < len(start) <= MAX_START:
        size = len(start)
        start = stream_.read_start(stream, min(4 * size, MAX_START + 1))
        stream = stream_.RewoundStream(start, stream)
    return start, stream


def _require_directory(path: str, format: str | None) -> str:
    if not os.path.isdir(path):
        raise InputError("not a directory", path)
    if format not in (None, _FOLDER):
        raise UsageError(f"{path} is a directory and cannot be read as {format}")
    return path


def _holds(source_format: Format) -> Collection[str]:
    """Return the names of the fields of a format, and of the built-in formats of its family."""
    family = source_format.family
    kin = [known for known in FORMATS if family and known.family == family]
    return {name for known in (source_format, *kin) for name in known.holds}


def _add_name_to_errors(batches: Iterator[Batch], name: str, context: Context) -> Iterator[Batch]:
    """Add the source's name to an `InputError`; close the context at the end or an early stop."""
    try:
        yield from batches
        context.close()
    except GeneratorExit:
        context.close()
        raise
    except InputError as error:
        error.source = error.source or name
        raise
