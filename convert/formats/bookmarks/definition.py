"""The row of bookmarks in the table of formats."""

from sitemapx.convert.formats.format import Format

BOOKMARKS = Format(
    "bookmarks",
    "Bookmarks of a browser",
    "sitemapx.convert.formats.bookmarks.reader:read_bookmarks",
    media_type="text/html; charset=utf-8",
    doctype="netscape-bookmark-file-1",
    holds=("loc", "title", "description", "categories"),
)
