"""The bytes of a file with fixes applied, piece by piece: what is not fixed stays as it was."""

from collections.abc import Collection, Generator

from sitemapx.check.edits.items import fixed_markup
from sitemapx.check.edits.lines import fixed_lines
from sitemapx.convert.formats.format import Format
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.sources import opening
from sitemapx.convert.streams import gzip as gzip_

__all__ = ["fixed_pieces"]


def fixed_pieces(
    path: str,
    format: Format,
    url: str | None,
    codes: Collection[str],
    *,
    with_values: bool = True,
) -> Generator[bytes]:
    """
    Read a sitemap, an index or a URL list, and yield its decompressed bytes with fixes applied.

    Args:
        path: Path of the file.
        format: Format of the file.
        url: Public URL of the file; None if unknown.
        codes: Codes of the findings that are fixed.
        with_values: Whether to fix all of them, and not only what keeps XML from being parsed.

    Raises:
        InputError: If the encoding, the size or a missing item keeps the file from being fixed.

    """
    with opening.open_source(path) as opened:
        start, stream = gzip_.unpack(opened, Reporter())
        if format.roots:
            yield from fixed_markup(
                path, stream, start, format, url, codes, with_values=with_values
            )
        else:
            yield from fixed_lines(path, stream, start, url, codes)
