"""Rules for pages, live and in the built site."""

from collections.abc import Mapping
from functools import partial

from sitemapx.check.findings import Rule

_SEARCH = "https://developers.google.com/search/docs/crawling-indexing"
_ERRORS = f"{_SEARCH}/http-network-errors"
_REDIRECTS = f"{_SEARCH}/301-redirects"

# ---- pages of both kinds

#: Rules for pages, by the code without its prefix.
_PAGE_RULES: Mapping[str, Rule] = {
    "noindex": Rule(
        "error",
        "Page is marked noindex",
        "The sitemap requests indexing of the page, and the page forbids it, by noindex or by a "
        "past date in unavailable_after.",
        f"{_SEARCH}/robots-meta-tag",
        "Remove the URL from the sitemap, or remove the directive from the page or its headers.",
    ),
    "noindex-blocked": Rule(
        "warning",
        "Invisible noindex: blocked by robots.txt",
        "A crawler that may not fetch the page does not see noindex, so the URL may be indexed "
        "without its content, if other pages link to it.",
        f"{_SEARCH}/block-indexing",
        "Allow the page in robots.txt until it is no longer indexed, and remove its URL from the "
        "sitemap.",
    ),
    "canonical": Rule(
        "warning",
        "Canonical URL differs",
        "Sitemaps should list canonical URLs; search engines usually index the canonical one.",
        f"{_SEARCH}/consolidate-duplicate-urls",
        "List the canonical URL, or make the page its own canonical URL.",
    ),
    "canonical-missing": Rule(
        "note",
        "Page without canonical URL",
        "If the page is also served at other URLs, such as with tracking parameters, search "
        "engines choose one of them; Google recommends that each page names its own URL.",
        f"{_SEARCH}/consolidate-duplicate-urls",
        'Add <link rel="canonical"> with the URL that the sitemap lists.',
    ),
    "soft-404": Rule(
        "warning",
        "Soft 404: error page or empty page",
        "Google does not index a page that is served with status 200 but is empty or says that it "
        "was not found, and crawls it in vain.",
        f"{_SEARCH}/http-network-errors#soft-404-errors",
        "Remove the URL from the sitemap, and return status 404 or 410 for missing pages.",
    ),
    "hreflang": Rule(
        "warning",
        "hreflang differs between page and sitemap",
        "Search engines read the language versions in both places, and which of them they believe "
        "if these differ is not defined.",
        "https://developers.google.com/search/docs/specialty/international/localized-versions",
        "List the same versions in both places, or only in one of them.",
    ),
    "lastmod": Rule(
        "warning",
        "lastmod differs from the page's date",
        "Google uses lastmod only if it is consistently and verifiably accurate, for example "
        "compared to the last modification of the page.",
        f"{_SEARCH}/sitemaps/build-sitemap",
        "Set lastmod to the last significant change of the page, and show the same date in the "
        "page (dateModified); convert --lastmod page copies it.",
        is_summary=True,
    ),
    "not-a-page": Rule(
        "note",
        "Listed file is not a web page",
        "Search engines may index a document such as a PDF file, but show an image or a video as "
        "a part of a page, and cannot read a canonical URL or noindex in any of them.",
        f"{_SEARCH}/indexable-file-types",
        "Nothing, if a document should be found; list images and videos with the page that shows "
        "them.",
    ),
}


def _page_rules(prefix: str, requires: str, place: str = "") -> dict[str, Rule]:
    """Return the rules for pages; `prefix` precedes each code, `place` follows each headline."""
    return {
        f"{prefix}-{name}": rule._replace(wrong=rule.wrong + place, requires=requires)
        for name, rule in _PAGE_RULES.items()
    }


# ---- pages of the built site

_BuiltRule = partial(Rule, requires="root")

BUILT_RULES: Mapping[str, Rule] = {
    "page-missing": _BuiltRule(
        "error",
        "Listed page is not in the built site",
        "Once published, the URL returns 404, and search engines do not index it.",
        f"{_SEARCH}/http-network-errors",
        "Build the page, or remove the URL from the sitemap; --source-url says where the built "
        "site is published.",
    ),
    **_page_rules("page", "root", " (built site)"),
    "page-not-listed": _BuiltRule(
        "warning",
        "Page of the built site is not in any sitemap",
        "Search engines may find the page late or never. Since it is indexable, this is usually "
        "an oversight: pages that should stay out of search are marked noindex.",
        f"{_SEARCH}/sitemaps/overview",
        "Add the page to a sitemap, check all sitemaps together, or mark the page noindex.",
    ),
    "page-orphan": _BuiltRule(
        "note",
        "No page of the built site links to the page",
        "Crawlers and visitors find pages by links, and a page without any seems unimportant; "
        "Google recommends at least one link to each page. Links that scripts add do not count.",
        f"{_SEARCH}/links-crawlable",
        "Link to the page from another one, or remove it from the sitemap.",
    ),
}


# ---- live pages

_LiveRule = partial(Rule, requires="live")

LIVE_RULES: Mapping[str, Rule] = {
    "live-client-error": _LiveRule(
        "error",
        "Page returns 4xx",
        "URLs that return 4xx are not indexed, and are removed from the index.",
        _ERRORS,
        "Remove the URL from the sitemap, or restore the page.",
    ),
    "live-refused": _LiveRule(
        "warning",
        "Request refused (403 or 429)",
        "The server may refuse all crawlers, or only sitemapx.",
        _ERRORS,
        "Allow it on the server, or use another --user-agent or a longer --delay.",
    ),
    "live-server-error": _LiveRule(
        "error",
        "Page returns 5xx",
        "Crawlers slow down for the whole site, and pages that keep failing drop out of the index.",
        _ERRORS,
        "Check the server log.",
    ),
    "live-unreachable": _LiveRule(
        "error",
        "Page could not be fetched",
        "Crawlers treat this like a server error.",
        _ERRORS,
        "Make the page reachable; pass --allow-private if its IP address is private.",
    ),
    "live-redirect": _LiveRule(
        "warning",
        "Page redirects",
        "Search engines index the target, not this URL; sitemaps should list final URLs.",
        _REDIRECTS,
        "List the final URL of the redirect.",
    ),
    "live-redirect-chain": _LiveRule(
        "warning",
        "Several redirects in a row",
        "Each redirect costs crawlers and visitors a request; Google recommends to redirect to the "
        "final URL directly.",
        f"{_SEARCH}/site-move-with-url-changes",
        "Redirect to the final URL directly, and list that URL.",
    ),
    "live-redirect-away": _LiveRule(
        "warning",
        "Page redirects to another host",
        "A sitemap covers its own host; pages on another host do not belong in it.",
        _REDIRECTS,
        "Remove the URL, or list only pages of the host that does not redirect.",
    ),
    "live-redirect-loop": _LiveRule(
        "error",
        "Redirect loop or too many redirects",
        "Crawlers give up after several redirects, and nothing is indexed.",
        _ERRORS,
        "Redirect at most once, to an existing page.",
    ),
    **_page_rules("live", "live"),
    "live-content-type": _LiveRule(
        "warning",
        "Unexpected or non-indexable Content-Type",
        "Search engines index only the types they support, according to the Content-Type.",
        f"{_SEARCH}/indexable-file-types",
        "Send the correct Content-Type, or remove the URL if it is not a page.",
    ),
    "live-disallowed": _LiveRule(
        "note",
        "Page not fetched: blocked by robots.txt",
        "These pages were not checked: --live obeys robots.txt, as all crawlers should.",
        "https://www.rfc-editor.org/rfc/rfc9309#section-2.2",
        "Allow sitemapx in robots.txt, to check these pages.",
    ),
    "live-not-fetched": _LiveRule(
        "error",
        "Page was not fetched",
        "Unchecked pages must not count as passed.",
        "https://www.rfc-editor.org/rfc/rfc9309#section-2.3.1.4",
        "Fix robots.txt if it cannot be fetched, and run the command again; --live-state resumes "
        "the run.",
    ),
}
