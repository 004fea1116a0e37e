"""Rules for listed pages (published, or in the built site), and faults of published pages."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from typing import Literal

from msgspec import Struct

from sitemapx.check.findings import Rule
from sitemapx.check.live.content import PageContent, content_faults, page_rules
from sitemapx.check.live.listed import ListedPage
from sitemapx.convert.values import uris, urls

_SEARCH = "https://developers.google.com/search/docs/crawling-indexing"

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
    **page_rules("page", "root", " (built site)"),
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

#: page: received; failed: no page was received; loop: redirects do not end; disallowed: robots.txt
#: disallows the request; not-fetched: no request was sent for another reason.
PageState = Literal["page", "failed", "loop", "disallowed", "not-fetched"]


class Hop(Struct, frozen=True, array_like=True):
    """A redirect: its status code and target."""

    status: int
    url: str


class PageAnswer(Struct, frozen=True, omit_defaults=True):
    """
    Result of fetching a page.

    Attributes:
        state: Kind of the result; see `PageState`.
        status: Status code of the last response; None if there was no response.
        why: Reason why no page was received; empty if a page was received.
        may_change: Whether another attempt may succeed: no request was sent, or the failure may be
            temporary.
        hops: The redirects that were followed.
        content_type: Media type in the header `Content-Type`, without parameters.
        actual_type: Kind of the content by its first bytes, if it contradicts `content_type`.
        content: Facts that the page states.
        last_modified: Date in the header `Last-Modified`; empty without one.

    """

    state: PageState
    status: int | None = None
    why: str = ""
    may_change: bool = False
    hops: tuple[Hop, ...] = ()
    content_type: str = ""
    actual_type: str = ""
    content: PageContent = PageContent()
    last_modified: str = ""


_ERRORS = f"{_SEARCH}/http-network-errors"
_REDIRECTS = f"{_SEARCH}/301-redirects"
_Rule = partial(Rule, requires="live")

LIVE_RULES: Mapping[str, Rule] = {
    "live-client-error": _Rule(
        "error",
        "Page returns 4xx",
        "URLs that return 4xx are not indexed, and are removed from the index.",
        _ERRORS,
        "Remove the URL from the sitemap, or restore the page.",
    ),
    "live-refused": _Rule(
        "warning",
        "Request refused (403 or 429)",
        "The server may refuse all crawlers, or only sitemapx.",
        _ERRORS,
        "Allow it on the server, or use another --user-agent or a longer --delay.",
    ),
    "live-server-error": _Rule(
        "error",
        "Page returns 5xx",
        "Crawlers slow down for the whole site, and pages that keep failing drop out of the index.",
        _ERRORS,
        "Check the server log.",
    ),
    "live-unreachable": _Rule(
        "error",
        "Page could not be fetched",
        "Crawlers treat this like a server error.",
        _ERRORS,
        "Make the page reachable; pass --allow-private if its IP address is private.",
    ),
    "live-redirect": _Rule(
        "warning",
        "Page redirects",
        "Search engines index the target, not this URL; sitemaps should list final URLs.",
        _REDIRECTS,
        "List the final URL of the redirect.",
    ),
    "live-redirect-chain": _Rule(
        "warning",
        "Several redirects in a row",
        "Each redirect costs crawlers and visitors a request; Google recommends to redirect to the "
        "final URL directly.",
        f"{_SEARCH}/site-move-with-url-changes",
        "Redirect to the final URL directly, and list that URL.",
    ),
    "live-redirect-away": _Rule(
        "warning",
        "Page redirects to another host",
        "A sitemap covers its own host; pages on another host do not belong in it.",
        _REDIRECTS,
        "Remove the URL, or list only pages of the host that does not redirect.",
    ),
    "live-redirect-loop": _Rule(
        "error",
        "Redirect loop or too many redirects",
        "Crawlers give up after several redirects, and nothing is indexed.",
        _ERRORS,
        "Redirect at most once, to an existing page.",
    ),
    **page_rules("live", "live"),
    "live-content-type": _Rule(
        "warning",
        "Unexpected or non-indexable Content-Type",
        "Search engines index only the types they support, according to the Content-Type.",
        f"{_SEARCH}/indexable-file-types",
        "Send the correct Content-Type, or remove the URL if it is not a page.",
    ),
    "live-disallowed": _Rule(
        "note",
        "Page not fetched: blocked by robots.txt",
        "These pages were not checked: --live obeys robots.txt, as all crawlers should.",
        "https://www.rfc-editor.org/rfc/rfc9309#section-2.2",
        "Allow sitemapx in robots.txt, to check these pages.",
    ),
    "live-not-fetched": _Rule(
        "error",
        "Page was not fetched",
        "Unchecked pages must not count as passed.",
        "https://www.rfc-editor.org/rfc/rfc9309#section-2.3.1.4",
        "Fix robots.txt if it cannot be fetched, and run the command again; --live-state resumes "
        "the run.",
    ),
}

#: Types that Google lists as indexable: texts, documents, images and videos.
_is_indexable = re.compile(
    r"text/.+|image/.+|video/.+|application/(?:.+\+xml|xml|pdf|postscript|rtf|epub\+zip|msword"
    r"|vnd\.ms-(?:excel|powerpoint|word).*|vnd\.openxmlformats-officedocument\..+"
    r"|vnd\.oasis\.opendocument\..+|vnd\.google-earth\.km[lz].*|(?:x-)?(?:hwp|tex|latex)"
    r"|vnd\.hancom\.hwp|haansofthwp)"
).fullmatch
#: Statuses that may be caused by the client rather than the page.
_REFUSED_STATUSES = (403, 429)


def faults(
    page: ListedPage,
    answer: PageAnswer,
    agents: Collection[str],
    find_block: Callable[[str], str],
) -> Iterator[tuple[str, str]]:
    """
    Yield code and message of each fault of a fetched page.

    Args:
        agents: Relevant crawlers, as in robots.txt.
        find_block: Returns why robots.txt disallows a URL; empty if it does not.

    """
    hops = answer.hops
    end = hops[-1].url if hops else page.url
    way = ", then ".join(f"{hop.status} redirect to {hop.url}" for hop in hops)
    if answer.state == "failed":
        code = _failure_code(answer.status)
        if hops and code == "live-refused":  # the redirect is certain
            code = _redirect_code(page.url, end)
        yield code, f"{way}: {answer.why}" if hops else answer.why
    elif hops and answer.state != "loop":
        yield _redirect_code(page.url, end), way
        if len(hops) > 1:
            yield "live-redirect-chain", f"{len(hops)} redirects in a row; final URL: {end}"
    if answer.state == "loop":
        yield "live-redirect-loop", answer.why
    elif answer.state == "page":
        target = answer.content.leads_to
        if target and uris.normalize(target) != uris.normalize(end):
            yield _redirect_code(end, target), f'<meta http-equiv="refresh"> redirect to {target}'
        listed = () if hops else page.versions
        for name, message in content_faults(end, answer.content, listed, agents, find_block):
            yield f"live-{name}", message
        if message := _wrong_type(answer):
            yield "live-content-type", message


def _redirect_code(url: str, end: str) -> str:
    is_same = urls.hostname(url) == urls.hostname(end)
    return "live-redirect" if is_same else "live-redirect-away"


def _failure_code(status: int | None) -> str:
    if status is None or status < 400:  # or the response is incomplete
        return "live-unreachable"
    if status in _REFUSED_STATUSES:
        return "live-refused"
    return "live-client-error" if status < 500 else "live-server-error"


def _wrong_type(answer: PageAnswer) -> str:
    """Return the message for a missing, wrong or unindexed Content-Type; empty if it is correct."""
    if answer.content.is_empty:
        return ""
    if not answer.content_type:
        return "response has no Content-Type"
    if answer.actual_type:
        return f"Content-Type is {answer.content_type}, the content {answer.actual_type}"
    if not _is_indexable(answer.content_type):
        return f"Content-Type {answer.content_type} is not indexed"
    return ""


def other_type(answer: PageAnswer) -> str:
    """Return the media type of an indexable file that is not a web page; else an empty string."""
    return "" if answer.content.is_html or _wrong_type(answer) else answer.content_type
