"""Dates of the files of pages: what they say themselves, and when they were last written."""

import os
from datetime import UTC, datetime

from sitemapx.convert.steps.lastmod.datesource import DateSource, LocatedPage

__all__ = ["NO_FILE", "FileTimes", "PageDates"]

NO_FILE = "entry has no local file"


class PageDates(DateSource):
    """The dates that pages give themselves."""

    reads = ("modified",)

    def date_of(self, page: LocatedPage) -> tuple[str | None, str]:
        """Return the date that a page gives itself."""
        found = page.file and page.file.page
        if found is None:
            return None, "page cannot be read" if page.file else NO_FILE
        return found.modified, "" if found.modified else "page does not say when it changed"


class FileTimes(DateSource):
    """The times of files."""

    def date_of(self, page: LocatedPage) -> tuple[str | None, str]:
        """Return the time as `date --iso-8601=seconds -u -r FILE` prints it."""
        if page.path is None:
            return None, NO_FILE
        return datetime.fromtimestamp(int(os.stat(page.path).st_mtime), UTC).isoformat(), ""
