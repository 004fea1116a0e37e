"""
Directives for crawlers, in `<meta name="robots">` or the header `X-Robots-Tag`.

https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag

Crawlers are named as in `<meta name>`; "robots" means all crawlers.
"""

import re
from collections.abc import Collection, Iterable, Iterator

_ALL = "robots"
#: Crawlers that are relevant by default.
_USUAL = ("googlebot", "bingbot")
#: Directives with a value, which look like the name of a crawler.
_VALUED = frozenset({"max-image-preview", "max-snippet", "max-video-preview", "unavailable_after"})
_named = re.compile(r"\s*([\w.*-]{1,100})\s*:(.*)", re.ASCII | re.DOTALL).fullmatch


def says_noindex(directives: str) -> bool:
    """
    Return whether directives include `noindex`, or `none`, which implies it.

    >>> says_noindex("NOINDEX, follow"), says_noindex("none"), says_noindex("index")
    (True, True, False)
    """
    return not {"noindex", "none"}.isdisjoint(re.split(r"[\s,]+", directives.lower()))


def noindex_in_header(lines: Iterable[str]) -> Iterator[str]:
    """
    Yield the crawlers for which headers say `noindex`; a name applies to all directives after it.

    >>> list(noindex_in_header(["noindex", "googlebot: nofollow, otherbot: none"]))
    ['robots', 'otherbot']
    """
    for line in lines:
        agent = _ALL
        for part in line.split(","):
            m = _named(part)
            is_name = m is not None and m[1].lower() not in _VALUED
            agent = m[1].lower() if m and is_name else agent
            if says_noindex(m[2] if m and is_name else part):
                yield agent


def hidden_from(names: Iterable[str], agents: Collection[str] = ("*",)) -> list[str]:
    """
    Return which of the relevant crawlers must not index a page.

    Args:
        names: Crawlers that must not index the page, as named in `<meta>` or headers.
        agents: Relevant crawlers, as named in robots.txt; `*` means the default crawlers.

    >>> hidden_from(["robots", "yandex"]), hidden_from(["yandex"], ["YandexBot"])
    (['robots'], ['yandex'])

    """
    given = [agent.lower() for agent in agents if agent != "*"]
    named = {*given, *(agent.removesuffix("bot") for agent in given)}
    wanted = {_ALL, *named, *(_USUAL if "*" in agents else ())}
    return [name for name in dict.fromkeys(names) if name in wanted]
