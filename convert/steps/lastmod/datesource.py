"""The interface of what knows when pages changed."""

from collections.abc import Collection
from typing import NamedTuple

from sitemapx.convert.html.page import PageFile

__all__ = ["DateSource", "LocatedPage"]


class LocatedPage(NamedTuple):
    """
    A page, and where it is on disk.

    Attributes:
        loc: Its address.
        path: The path of its file; None if there is none.
        file: What was found in it; None if no source wants to know.

    """

    loc: str
    path: str | None
    file: PageFile | None = None


class DateSource:
    """
    Knows when pages changed.

    Attributes:
        reads: What is to be read of the files of pages, as for `read_page_file`; None for nothing.
        needs_digest: Whether it needs the digests of their content.
        needs_all: Whether it is asked for pages that have a date already, too.

    """

    reads: Collection[str] | None = None
    needs_digest: bool = False
    needs_all: bool = False

    def date_of(self, page: LocatedPage) -> tuple[str | None, str]:
        """Return the date of a page; or None, and in words why there is none."""
        raise NotImplementedError

    def save(self, *, is_complete: bool) -> None:
        """
        Keep for the next run what is to be kept; called when the output was written.

        Args:
            is_complete: Whether all sources were read completely, so that other pages are gone.

        """
