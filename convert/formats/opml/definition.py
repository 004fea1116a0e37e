"""The row of OPML in the table of formats."""

from sitemapx.convert.formats.format import Format

OPML = Format(
    "opml",
    "OPML list of feeds",
    "sitemapx.convert.formats.opml.reader:read_opml",
    media_type="text/x-opml",
    roots=("opml",),
    item="outline",
    holds=("loc", "title", "description", "language"),
    is_published=False,
)
