"""
Write text sitemaps: https://www.sitemaps.org/protocol.html#otherformats

One URL a line in UTF-8, as RFC 3986 has it. Holds nothing but URLs.
"""

from collections.abc import Collection

from sitemapx.convert import urls
from sitemapx.convert.document import Batch, Head
from sitemapx.convert.problems import Context

__all__ = ["TextWriter", "written_loc"]


class TextWriter:
    """Turn entries into lines."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def start(self, head: Head, fields: Collection[str]) -> bytes:
        """Write nothing: the format has no header."""
        return b""

    def encode(self, batch: Batch) -> list[bytes]:
        """Write a line for each entry; an empty one for an entry without URL."""
        locs = batch.locs()
        if urls.are_uris(locs):
            return [f"{loc}\n".encode() for loc in locs]
        uris = (written_loc(loc, self._context) for loc in locs)
        return [f"{uri}\n".encode() if uri else b"" for uri in uris]

    def finish(self) -> bytes:
        """Write nothing: the format has no footer."""
        return b""


def written_loc(loc: str | None, context: Context) -> str | None:
    """Give the URL to write, or report why there is none."""
    if not loc:
        context.problem("no-loc", "an entry without a URL; left out")
        return None
    uri = urls.to_uri(loc)
    if uri is None:
        why = "too long" if urls.is_absolute(loc) and len(loc) > 1000 else "no http(s) URL"
        context.problem("bad-loc", f"{why}; the entry is left out", loc=loc)
    return uri
