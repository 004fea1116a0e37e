"""
Directives for crawlers, in `<meta name="robots">` or the header `X-Robots-Tag`.

Crawlers are named as in `<meta name>`; "robots" means all crawlers:
https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag
"""

import re
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from sitemapx.convert.values import clock
from sitemapx.convert.values.dates import parse_date

_ALL = "robots"
#: Crawlers that are relevant by default.
_USUAL = ("googlebot", "bingbot")
#: Directives with a value, which look like the name of a crawler.
_VALUED = frozenset({"max-image-preview", "max-snippet", "max-video-preview", "unavailable_after"})
_named = re.compile(r"\s*([\w.*-]{1,100})\s*:(.*)", re.ASCII | re.DOTALL).fullmatch
#: Finds the date of `unavailable_after`, which may have a comma after its weekday.
_expiry = re.compile(r"unavailable_after\s*:\s*((?:[a-z]+,)?[^,]+)", re.IGNORECASE).search
_parts = re.compile(r"(?:unavailable_after\s*:\s*[a-z]+,|[^,])+", re.IGNORECASE).findall
_MAX_TEXT = 100


class Ban(NamedTuple):
    crawler: str
    directive: str


def find_ban(crawler: str, directives: str) -> Ban | None:
    """
    Return the directive by which a crawler must not index a page; None if it may index the page.

    `none` implies `noindex`. `unavailable_after` counts from the day after its date.

    >>> find_ban("robots", "NONE, follow")
    Ban(crawler='robots', directive='noindex')
    >>> find_ban("robots", "follow, unavailable_after: 2020-09-21")
    Ban(crawler='robots', directive='unavailable_after: 2020-09-21 (past)')
    >>> find_ban("robots", "index, unavailable_after: 2999-09-21")
    """
    if not {"noindex", "none"}.isdisjoint(re.split(r"[\s,]+", directives.lower())):
        return Ban(crawler[:_MAX_TEXT], "noindex")
    if m := _expiry(directives):
        date = parse_date(m[1])
        if date and date < clock.now()[: len("2026-01-01")]:
            directive = f"unavailable_after: {m[1].strip()[:_MAX_TEXT]} (past)"
            return Ban(crawler[:_MAX_TEXT], directive)
    return None


def find_bans_in_header(lines: Iterable[str]) -> Iterator[Ban]:
    """
    Yield the bans in the values of `X-Robots-Tag` headers.

    The name of a crawler applies to all directives after it in the same value.

    >>> list(find_bans_in_header(["googlebot: nofollow, otherbot: none"]))
    [Ban(crawler='otherbot', directive='noindex')]
    """
    for line in lines:
        crawler = _ALL
        for part in _parts(line):
            m = _named(part)
            is_name = m is not None and m[1].lower() not in _VALUED
            crawler = m[1].lower() if m and is_name else crawler
            if ban := find_ban(crawler, m[2] if m and is_name else part):
                yield ban


def select_bans(bans: Iterable[Ban], agents: Collection[str] = ("*",)) -> list[Ban]:
    """
    Return the distinct bans of a page that apply to any of the relevant crawlers.

    `agents` are relevant crawlers as named in robots.txt; `*` means Googlebot and Bingbot.

    >>> [ban.crawler for ban in select_bans([Ban("yandex", "noindex")], ["YandexBot"])]
    ['yandex']
    """
    given = [agent.lower() for agent in agents if agent != "*"]
    named = {*given, *(agent.removesuffix("bot") for agent in given)}
    wanted = {_ALL, *named, *(_USUAL if "*" in agents else ())}
    return [ban for ban in dict.fromkeys(bans) if ban.crawler in wanted]
