"""
Write text sitemaps: https://www.sitemaps.org/protocol.html#otherformats

One URL a line in UTF-8, as RFC 3986 has it. Holds nothing but URLs.
"""

from collections.abc import Collection

from sitemapx.convert import urls
from sitemapx.convert.document import Batch, Head
from sitemapx.convert.encoded import Encoded
from sitemapx.convert.entry import Entry
from sitemapx.convert.problems import Context

__all__ = ["TextWriter", "written_loc"]


class TextWriter:
    """Turn entries into lines."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def start(self, head: Head, fields: Collection[str]) -> bytes:
        """Write nothing: the format has no header."""
        return b""

    def encode(self, batch: Batch) -> Encoded:
        """Write a line for each entry; an empty one for an entry without URL."""
        if uris := batch.uris():
            return Encoded.of_lines(uris.lines.encode(), len(batch))
        found = (written_loc(entry, self._context) for entry in batch.entries)
        return Encoded.of([f"{uri}\n".encode() if uri else b"" for uri in found])

    def finish(self) -> bytes:
        """Write nothing: the format has no footer."""
        return b""


def written_loc(entry: Entry, context: Context) -> str | None:
    """Give the URL to write, or report why there is none."""
    if not entry.loc:
        name = entry.id or entry.title
        about = f", {name!r}" if name else ""
        context.problem("no-loc", f"an entry without a URL{about}; left out")
        return None
    uri = urls.to_uri(entry.loc)
    if uri is None:
        is_long = urls.is_absolute(entry.loc) and len(entry.loc) > urls.MAX_LENGTH // 4
        why = "a URL too long for sitemaps" if is_long else "not an absolute http(s) URL"
        context.problem("bad-loc", f"{why}; the entry is left out", loc=entry.loc)
    return uri
