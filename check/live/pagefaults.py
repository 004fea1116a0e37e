"""Faults of a page that are the same on disk and on the web, in the same words."""

from collections.abc import Collection, Iterable

from sitemapx.check.findings import Rule
from sitemapx.convert.html.robotsmeta import hidden_from
from sitemapx.convert.values import uris

__all__ = ["CANONICAL", "NOINDEX", "SEARCH", "canonical_message", "noindex_message"]

SEARCH = "https://developers.google.com/search/docs/crawling-indexing"

NOINDEX = Rule(
    "error",
    "Page is marked noindex",
    "The sitemap requests indexing of the page, and the page forbids it.",
    f"{SEARCH}/block-indexing",
    "Remove the URL from the sitemap, or remove noindex from the page or its headers.",
)
CANONICAL = Rule(
    "warning",
    "Canonical URL differs",
    "Sitemaps should list canonical URLs; search engines mostly index the canonical one.",
    f"{SEARCH}/consolidate-duplicate-urls",
    "List the canonical URL, or make the page its own canonical URL.",
)


def noindex_message(found: Iterable[tuple[str, str]], agents: Collection[str]) -> str:
    """
    Return where a page is marked noindex for crawlers that matter; the empty string if nowhere.

    Args:
        found: Where it is marked, and for whom; see `robotsmeta`.
        agents: The crawlers that matter, as in robots.txt.

    """
    found = list(found)
    names = hidden_from((name for _, name in found), agents)
    return "; ".join(
        f"noindex in {where} for {_crawlers(name)}" for where, name in found if name in names
    )


def _crawlers(name: str) -> str:
    return "all crawlers" if name == "robots" else name


def canonical_message(found: Iterable[tuple[str, str]], url: str) -> str:
    """
    Return where a page names another canonical URL, and which; the empty string if nowhere.

    Args:
        found: Where it names one, and which.
        url: The URL of the page.

    """
    return "; ".join(
        f"canonical URL in {where} is {other}"
        for where, other in found
        if uris.normal(other) != uris.normal(url)
    )
