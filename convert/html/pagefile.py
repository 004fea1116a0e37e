"""The file of a page, as far as anybody wants to know it."""

import os
import stat
from collections.abc import Collection
from typing import NamedTuple

from sitemapx.convert.html.content import content_digest
from sitemapx.convert.html.decoding import decoded, is_binary
from sitemapx.convert.html.page import Page, page_of
from sitemapx.convert.model.reporter import Reporter

__all__ = ["MAX_PAGE", "PageFile", "PagePlace", "read_page_file", "report_bad_dates", "report_cut"]

#: So many bytes of a page are read: https://developers.google.com/search/docs/crawling-indexing/googlebot
#: reads no more of one than 15 MB.
MAX_PAGE = 15_000_000


class PagePlace(NamedTuple):
    """
    Where a page is.

    Attributes:
        path: The path of its file.
        url: Its address.

    """

    path: str
    url: str


class PageFile(NamedTuple):
    """
    What was found in the file of a page.

    Attributes:
        page: The page; None if there is an error.
        digest: The digest of its content, if it is wanted.
        is_cut: Whether the file is larger than what was read of it.
        error: Why it cannot be read; empty if it was.

    """

    page: Page | None = None
    digest: str = ""
    is_cut: bool = False
    error: str = ""


def read_page_file(
    place: PagePlace, wanted: Collection[str] = (), *, with_digest: bool = False
) -> PageFile:
    """
    Read the file of a page.

    Args:
        place: Where it is; what is no file, such as a pipe, may never end, and is not read.
        wanted: As for `parse_page`.
        with_digest: Whether the digest is wanted.

    """
    try:
        if not stat.S_ISREG(os.stat(place.path).st_mode):
            return PageFile(error="not a regular file")
        with open(place.path, "rb") as file:
            data = file.read(MAX_PAGE + 1)
    except OSError as error:  # an error of reading names no file
        return PageFile(error=f"cannot be read: {error.strerror}")
    if is_binary(data):
        return PageFile(error="not an HTML page but binary data")
    text = decoded(data[:MAX_PAGE])
    digest = content_digest(text) if with_digest else ""
    return PageFile(page_of(text, place.url, wanted), digest, len(data) > MAX_PAGE)


def report_cut(reporter: Reporter, loc: str) -> None:
    """Report that a page was not read to its end."""
    message = f"page is larger than {MAX_PAGE:,} bytes"
    reporter.problem("page-too-large", message, done="; only its beginning was read", loc=loc)


def report_bad_dates(reporter: Reporter, page: Page, loc: str) -> None:
    """Report what a page has in place of the dates that were wanted."""
    for text in page.bad_dates:
        reporter.problem(
            "bad-date", f"invalid date {text!r} in the page", done="; dropped", loc=loc
        )
