"""The rules for pages of the built site: reasons on disk against listing one, or for it."""

from collections.abc import Mapping
from functools import partial

from sitemapx.check.findings import Rule
from sitemapx.check.live.pagefaults import CANONICAL, NOINDEX, SEARCH

__all__ = ["RULES"]

_Rule = partial(Rule, requires="root")

RULES: Mapping[str, Rule] = {
    "page-missing": _Rule(
        "error",
        "Listed page is not in the built site",
        "Once published, the URL returns 404, and search engines do not index it.",
        f"{SEARCH}/http-network-errors",
        "Build the page, or remove the URL from the sitemap; --source-url says where the built "
        "site is published.",
    ),
    "page-noindex": NOINDEX._replace(
        wrong="Page in the built site is marked noindex", requires="root"
    ),
    "page-canonical": CANONICAL._replace(
        wrong="Canonical URL in the built site differs", requires="root"
    ),
    "page-unlisted": _Rule(
        "warning",
        "Page of the built site is not in any sitemap",
        "Search engines may find the page late or never. It is indexable, so this is mostly an "
        "oversight: a page that should not be found is marked noindex.",
        f"{SEARCH}/sitemaps/overview",
        "Add the page to a sitemap, check all sitemaps together, or mark the page noindex.",
    ),
}
