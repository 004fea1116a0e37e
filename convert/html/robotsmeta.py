"""
Directives of pages for crawlers, in `<meta name="robots">` or the header `X-Robots-Tag`.

https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag

Who is asked is called as in `<meta name>`: "robots" are all crawlers.
"""

import re
from collections.abc import Collection, Iterable, Iterator

_ALL = "robots"
#: Who counts if nobody says for whom: the crawlers of the two largest engines.
_USUAL = ("googlebot", "bingbot")
#: Directives that have a value, and so look like the name of a crawler.
_VALUED = frozenset({"max-image-preview", "max-snippet", "max-video-preview", "unavailable_after"})
_named = re.compile(r"\s*([\w.*-]{1,100})\s*:(.*)", re.ASCII | re.DOTALL).fullmatch


def says_noindex(directives: str) -> bool:
    """
    Return whether one of some directives is `noindex`, which `none` contains.

    >>> says_noindex("NOINDEX, follow"), says_noindex("none"), says_noindex("index")
    (True, True, False)

    """
    return not {"noindex", "none"}.isdisjoint(re.split(r"[\s,]+", directives.lower()))


def noindex_in_header(lines: Iterable[str]) -> Iterator[str]:
    """
    Name those to whom headers say `noindex`; a name stands before all that it is for.

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
    Pick out of those who are to keep out of the index the ones that count.

    Args:
        names: Who is told so.
        agents: For which crawlers that matters, as in robots.txt; `*` are the usual ones.

    >>> hidden_from(["robots", "yandex"]), hidden_from(["yandex"], ["YandexBot"])
    (['robots'], ['yandex'])

    """
    given = [agent.lower() for agent in agents if agent != "*"]
    asked = {*given, *(agent.removesuffix("bot") for agent in given)}
    wanted = {_ALL, *asked, *(_USUAL if "*" in agents else ())}
    return [name for name in dict.fromkeys(names) if name in wanted]
