"""Dates of responses: the `Last-Modified` with which a server sends a page."""

from datetime import timedelta

from sitemapx.convert.http.errors import is_unreachable
from sitemapx.convert.http.fetcher import Fetcher
from sitemapx.convert.steps.lastmod.datesfile import DateSource, LocatedPage
from sitemapx.convert.values import uris, w3cdate
from sitemapx.convert.values.dates import parse_date
from sitemapx.errors import FetchError, InputError

#: A page whose Last-Modified is this close to the response was generated for it.
_GENERATED = timedelta(seconds=2)


class ResponseDates(DateSource):
    """
    Dates in the `Last-Modified` header of pages, which are requested one after the other.

    Pages that robots.txt disallows are not requested. Bodies are read only if the fetcher has a
    cache, since the cache then makes later requests conditional.
    """

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher

    def date_of(self, page: LocatedPage) -> tuple[str | None, str]:
        if uris.to_uri(page.loc) is None:
            return None, "URL cannot be fetched"
        try:
            if not self._may_fetch(page.loc):
                return None, "robots.txt disallows the page"
            with self._fetcher.open(page.loc) as response:
                if uris.normalize(response.url or "") != uris.normalize(page.loc):
                    return None, "page redirects"
                modified, sent = (
                    parse_date(next(iter(response.headers(name)), ""))
                    for name in ("Last-Modified", "Date")
                )
        except FetchError as error:
            return None, f"page returns {error.status}" if error.status else "page is unreachable"
        except InputError:
            return None, "page cannot be fetched"
        if not modified:
            return None, "page has no Last-Modified"
        if sent and w3cdate.moment(sent) - w3cdate.moment(modified) < _GENERATED:
            return None, "Last-Modified is the time of the response"
        return modified, ""

    def _may_fetch(self, url: str) -> bool:
        """Return whether robots.txt allows a request (RFC 9309, section 2.3.1)."""
        try:
            return self._fetcher.robots(url).can_fetch(url, self._fetcher.user_agent)
        except FetchError as error:
            return not is_unreachable(error)
