"""The row of HTML in the table of formats."""

from sitemapx.convert.formats.format import Format
from sitemapx.convert.formats.limits import Limits

HTML = Format(
    "html",
    "HTML site map",
    write="sitemapx.convert.formats.html.writer:HtmlWriter",
    suffixes=(".html", ".htm"),
    media_type="text/html; charset=utf-8",
    holds=("loc", "lastmod", "title", "language", "alternates"),
    limits=Limits(entries=1_000, size=2**63),
    is_published=False,
    is_paged=True,
    head=("title", "language"),
)
