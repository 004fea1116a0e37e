"""Faults of live pages."""

import re
from collections.abc import Callable, Collection, Iterator
from typing import Literal

from msgspec import Struct

from sitemapx.check.live.content import PageContent, content_faults
from sitemapx.check.live.listed import ListedPage
from sitemapx.convert.values import uris, urls

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
        status: Status code of the final response; None if there was no final response.
        why: Reason why no page was received; empty if a page was received.
        may_change: Whether another attempt may succeed: no request was sent, or the failure may be
            temporary.
        hops: The redirects that were received, in order.
        content_type: Media type in the header `Content-Type`, without parameters.
        actual_type: Kind of the content, such as "a PDF file", if it contradicts `content_type`.
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
    """Return the message for a missing, wrong or unindexed type of a page with content, or ""."""
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
