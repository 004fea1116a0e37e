"""Faults of pages, published or in the built site: reasons not to list them in a sitemap."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial
from typing import Literal

from msgspec import Struct

from sitemapx.check.findings import Rule
from sitemapx.convert.html.robotsmeta import hidden_from
from sitemapx.convert.values import uris, urls

_SEARCH = "https://developers.google.com/search/docs/crawling-indexing"

_NOINDEX = Rule(
    "error",
    "Page is marked noindex",
    "The sitemap requests indexing of the page, and the page forbids it.",
    f"{_SEARCH}/block-indexing",
    "Remove the URL from the sitemap, or remove noindex from the page or its headers.",
)
_CANONICAL = Rule(
    "warning",
    "Canonical URL differs",
    "Sitemaps should list canonical URLs; search engines usually index the canonical one.",
    f"{_SEARCH}/consolidate-duplicate-urls",
    "List the canonical URL, or make the page its own canonical URL.",
)
_DRIFT = Rule(
    "warning",
    "lastmod differs from the page's date",
    "Google uses lastmod only if it is consistently and verifiably accurate, for example compared "
    "to the last modification of the page.",
    f"{_SEARCH}/sitemaps/build-sitemap",
    "Set lastmod to the last significant change of the page, and show the same date in the page "
    "(dateModified); convert --lastmod page copies it.",
)


def noindex_message(found: Iterable[tuple[str, str]], agents: Collection[str]) -> str:
    """
    Return the message for a page that is noindex for relevant crawlers; empty if it is not.

    Args:
        found: Location of each noindex, and the crawler it applies to; see `robotsmeta`.
        agents: Relevant crawlers, as in robots.txt.

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
    Return the message for a page with another canonical URL; empty if its canonical URL is `url`.

    Args:
        found: Location and value of each canonical URL.
        url: The URL of the page.

    """
    return "; ".join(
        f"canonical URL in {where} is {other}"
        for where, other in found
        if uris.normalize(other) != uris.normalize(url)
    )


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
    "page-noindex": _NOINDEX._replace(
        wrong="Page in the built site is marked noindex", requires="root"
    ),
    "page-canonical": _CANONICAL._replace(
        wrong="Canonical URL in the built site differs", requires="root"
    ),
    "page-lastmod": _DRIFT._replace(
        wrong="lastmod differs from the date in the built site", requires="root"
    ),
    "page-not-listed": _BuiltRule(
        "warning",
        "Page of the built site is not in any sitemap",
        "Search engines may find the page late or never. Since it is indexable, this is usually "
        "an oversight: pages that should stay out of search are marked noindex.",
        f"{_SEARCH}/sitemaps/overview",
        "Add the page to a sitemap, check all sitemaps together, or mark the page noindex.",
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
        content: Kind of the content according to its first bytes, if it contradicts `content_type`.
        noindex: Location of each noindex, and the crawler it applies to; see `robotsmeta`.
        canonicals: Location and value of each canonical URL.
        leads_to: Target of an immediate `<meta http-equiv="refresh">`; empty without one.
        modified: Date of the last change that the page states; empty without one.
        last_modified: Date in the header `Last-Modified`; empty without one.

    """

    state: PageState
    status: int | None = None
    why: str = ""
    may_change: bool = False
    hops: tuple[Hop, ...] = ()
    content_type: str = ""
    content: str = ""
    noindex: tuple[tuple[str, str], ...] = ()
    canonicals: tuple[tuple[str, str], ...] = ()
    leads_to: str = ""
    modified: str = ""
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
    "live-noindex": _NOINDEX._replace(requires="live"),
    "live-canonical": _CANONICAL._replace(requires="live"),
    "live-lastmod": _DRIFT._replace(requires="live"),
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
_REFUSALS = (403, 429)


def faults(url: str, answer: PageAnswer, agents: Collection[str]) -> Iterator[tuple[str, str]]:
    """
    Yield code and message of each fault of a fetched page.

    Args:
        url: URL of the listed page.
        agents: Relevant crawlers, as in robots.txt.

    Yields:
        Codes and messages.

    """
    end = answer.hops[-1].url if answer.hops else url
    if answer.hops and answer.state != "loop":
        way = ", then ".join(f"{hop.status} redirect to {hop.url}" for hop in answer.hops)
        yield _redirect_code(url, end), way
    if answer.state == "loop":
        yield "live-redirect-loop", answer.why
    elif answer.state == "failed":
        yield _failure_code(answer.status), answer.why
    elif answer.state == "page":
        yield from _page_faults(end, answer, agents)


def _redirect_code(url: str, end: str) -> str:
    is_same = urls.hostname(url) == urls.hostname(end)
    return "live-redirect" if is_same else "live-redirect-away"


def _failure_code(status: int | None) -> str:
    if status is None or status < 400:  # or the response is incomplete
        return "live-unreachable"
    if status in _REFUSALS:
        return "live-refused"
    return "live-client-error" if status < 500 else "live-server-error"


def _page_faults(
    url: str, answer: PageAnswer, agents: Collection[str]
) -> Iterator[tuple[str, str]]:
    """Yield the faults of a page that was received, in its contents and headers."""
    if answer.leads_to and uris.normalize(answer.leads_to) != uris.normalize(url):
        message = f'<meta http-equiv="refresh"> redirect to {answer.leads_to}'
        yield _redirect_code(url, answer.leads_to), message
    if message := noindex_message(answer.noindex, agents):
        yield "live-noindex", message
    if message := canonical_message(answer.canonicals, url):
        yield "live-canonical", message
    if message := _wrong_type(answer):
        yield "live-content-type", message


def _wrong_type(answer: PageAnswer) -> str:
    """Return the message for a missing, wrong or unindexed Content-Type; empty if it is correct."""
    if not answer.content_type:
        return "response has no Content-Type"
    if answer.content:
        return f"Content-Type is {answer.content_type}, the content {answer.content}"
    if not _is_indexable(answer.content_type):
        return f"Content-Type {answer.content_type} is not indexed"
    return ""
