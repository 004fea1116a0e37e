"""The rules for pages: reasons in the answer of a server against listing one."""

import re
from collections.abc import Collection, Iterator, Mapping
from functools import partial

from sitemapx.check.findings import Rule
from sitemapx.check.live.answer import PageAnswer
from sitemapx.check.live.pagefaults import (
    CANONICAL,
    NOINDEX,
    SEARCH,
    canonical_message,
    noindex_message,
)
from sitemapx.convert.values import uris, urls

__all__ = ["RULES", "faults"]

_ERRORS = f"{SEARCH}/http-network-errors"
_REDIRECTS = f"{SEARCH}/301-redirects"
_Rule = partial(Rule, requires="live")

RULES: Mapping[str, Rule] = {
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
        "Crawlers slow down for the whole site, and pages that keep failing leave the index.",
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
    "live-noindex": NOINDEX._replace(requires="live"),
    "live-canonical": CANONICAL._replace(requires="live"),
    "live-content-type": _Rule(
        "warning",
        "Unexpected or non-indexable Content-Type",
        "Search engines index only the types they support, according to the Content-Type.",
        f"{SEARCH}/indexable-file-types",
        "Send the correct Content-Type, or remove the URL if it is not a page.",
    ),
    "live-disallowed": _Rule(
        "note",
        "Page not fetched: blocked by robots.txt",
        "These pages were not checked: --live obeys robots.txt, as all crawlers should.",
        "https://www.rfc-editor.org/rfc/rfc9309#section-2.2",
        "Allow sitemapx in robots.txt, to check these pages.",
    ),
    "live-unasked": _Rule(
        "error",
        "Page was not fetched",
        "Unchecked pages must not count as passed.",
        "https://www.rfc-editor.org/rfc/rfc9309#section-2.3.1.4",
        "If robots.txt fails, fix that. Then run the command again; --live-state resumes it.",
    ),
}

#: What Google lists as indexable: texts, documents, pictures and films.
_is_indexable = re.compile(
    r"text/.+|image/.+|video/.+|application/(?:.+\+xml|xml|pdf|postscript|rtf|epub\+zip|msword"
    r"|vnd\.ms-(?:excel|powerpoint|word).*|vnd\.openxmlformats-officedocument\..+"
    r"|vnd\.oasis\.opendocument\..+|vnd\.google-earth\.km[lz].*|(?:x-)?(?:hwp|tex|latex)"
    r"|vnd\.hancom\.hwp|haansofthwp)"
).fullmatch
#: Statuses that are about who asks, as much as about the page.
_REFUSALS = (403, 429)


def faults(url: str, answer: PageAnswer, agents: Collection[str]) -> Iterator[tuple[str, str]]:
    """
    Find what is wrong with an answer.

    Args:
        url: The page that is listed.
        agents: The crawlers that matter, as in robots.txt.

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
    if status is None or status < 400:  # or the answer came in part
        return "live-unreachable"
    if status in _REFUSALS:
        return "live-refused"
    return "live-client-error" if status < 500 else "live-server-error"


def _page_faults(
    url: str, answer: PageAnswer, agents: Collection[str]
) -> Iterator[tuple[str, str]]:
    """Find what is wrong with a page that came, from this URL."""
    if answer.leads_to and uris.normal(answer.leads_to) != uris.normal(url):
        message = f'<meta http-equiv="refresh"> redirect to {answer.leads_to}'
        yield _redirect_code(url, answer.leads_to), message
    if message := noindex_message(answer.noindex, agents):
        yield "live-noindex", message
    if message := canonical_message(answer.canonicals, url):
        yield "live-canonical", message
    if message := _wrong_type(answer):
        yield "live-content-type", message


def _wrong_type(answer: PageAnswer) -> str:
    """Return what is wrong with a Content-Type; the empty string if nothing is."""
    if not answer.content_type:
        return "response has no Content-Type"
    if answer.content:
        return f"Content-Type is {answer.content_type}, the content {answer.content}"
    if not _is_indexable(answer.content_type):
        return f"Content-Type {answer.content_type} is not indexed"
    return ""
