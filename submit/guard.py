"""
Objections to submitting: a site that blocks crawlers, or probed pages that cannot be fetched.

Both are typical of a staging site.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from sitemapx.convert.http.fetcher import Fetcher
from sitemapx.convert.values import urls
from sitemapx.errors import FetchError, InputError, NotRequestedError
from sitemapx.optionnames import advice
from sitemapx.submit.engines.exchange import Request
from sitemapx.submit.transport.transport import Transport

if TYPE_CHECKING:
    from protego import Protego


#: Crawlers whose access is checked: some sites block all except well-known ones.
_CRAWLERS = ("*", "Googlebot", "bingbot")
#: Maximum number of sites whose robots.txt is checked; enough to detect a staging deployment, which
#: has few hosts.
_MOST_SITES = 20


class Objection(NamedTuple):
    """A reason not to submit; `option` is the command-line option to override it, or empty."""

    message: str
    option: str

    def __str__(self) -> str:
        way_out = advice(f"pass {self.option} to send anyway") if self.option else ""
        return f"{self.message} ({way_out})" if way_out else self.message


def find_objections(
    sample: Sequence[str],
    sitemaps: Collection[str],
    *,
    fetcher: Fetcher,
    transport: Transport,
    robots: bool = True,
    probe: int = 0,
) -> Iterator[Objection]:
    """
    Yield reasons not to submit URLs, found in robots.txt and by probing pages.

    Args:
        sample: Some of the URLs.
        sitemaps: URLs of the sitemaps, whose robots.txt is checked as well.
        fetcher: Fetches robots.txt; its `say` is called with network errors.
        robots: Whether to check robots.txt.
        probe: Number of pages to request; 0 for none.

    """
    sites = dict.fromkeys(map(urls.site, [*sitemaps, *sample])) if robots else {}
    for site in list(sites)[:_MOST_SITES]:
        for message in _check_robots(site, sample, sitemaps, fetcher):
            yield Objection(message, "--ignore-robots")
    if probe and sample:
        for message in _unreachable_pages(sample, probe, transport):
            yield Objection(message, "--ignore-probe")


def _check_robots(
    site: str, sample: Iterable[str], sitemaps: Iterable[str], fetcher: Fetcher
) -> Iterator[str]:
    try:
        robots = fetcher.robots(f"{site}/")
    except InputError as error:
        from sitemapx.convert.http.errors import is_unreachable

        if isinstance(error, NotRequestedError):
            yield f"{site}/robots.txt was not fetched: {error.message}"
        elif not isinstance(error, FetchError) or error.status is None:
            fetcher.say(f"{site}/robots.txt was not checked: {error.message}")
        elif is_unreachable(error):
            message = "crawlers then fetch nothing from the site"
            yield f"{site}/robots.txt returns {error.status}; {message}"
        return
    pages = [url for url in sample if urls.site(url) == site]
    if pages and not any(_may_fetch(robots, url) for url in [f"{site}/", *pages]):
        yield f"{site}/robots.txt disallows the whole site, as on a staging site"
        return
    for url in sitemaps:
        if urls.site(url) == site and not _may_fetch(robots, url):
            yield f"{site}/robots.txt disallows the sitemap {url}"


def _may_fetch(robots: "Protego", url: str) -> bool:
    return any(robots.can_fetch(url, crawler) for crawler in _CRAWLERS)


def _unreachable_pages(sample: Sequence[str], probe: int, transport: Transport) -> Iterator[str]:
    """
    Yield a message if none of up to `probe` pages of the sample can be fetched.

    The first response with a status below 400 ends the probe.
    """
    tried = sample[:: max(len(sample) // probe, 1)][:probe]
    answers: list[str] = []
    for url in tried:
        reply = transport.send_request(Request("GET", url, retries=0, is_found=True), ())
        if reply.status is not None and reply.status < 400:
            return
        answers.append(str(reply.status or reply.error))
    message = ", ".join(dict.fromkeys(answers))
    pages = "the probed page cannot"
    if len(tried) > 1:
        pages = f"none of the {len(tried)} probed pages can"
    yield f"{pages} be fetched ({tried[0]}: {message})"
