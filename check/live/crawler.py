"""
Fetches pages as the crawler of a search engine does, and records the relevant facts.

Pages are fetched with GET, since HTML has facts in its body and servers answer HEAD differently.
A redirect is not followed if the robots.txt of its target disallows that. Cookies and scripts are
not supported.
"""

import re
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from contextvars import copy_context
from itertools import chain, islice
from queue import Empty, SimpleQueue
from threading import Thread
from typing import NamedTuple, TypeVar

from msgspec.structs import replace
from requests.utils import parse_header_links

from sitemapx.check.live.content import BODY_FACTS, PageContent, content_of
from sitemapx.check.live.faults import Hop, PageAnswer, PageState
from sitemapx.convert.html.page import parse_page
from sitemapx.convert.html.robotsmeta import find_bans_in_header
from sitemapx.convert.http.client import Probe
from sitemapx.convert.http.errors import is_trouble, is_unreachable
from sitemapx.convert.http.fetcher import Fetcher
from sitemapx.convert.values import uris, urls
from sitemapx.convert.values.dates import parse_date
from sitemapx.errors import FetchError, InputError, NotRequestedError

#: Maximum number of bytes read of a page.
_MAX_PAGE = 1 << 20
#: Maximum number of values kept for facts that a page or its headers may repeat.
_MOST = 10
_HTML = frozenset({"text/html", "application/xhtml+xml"})
#: Content types that the first bytes of a body can disprove.
_DOUBTFUL = frozenset({"", "text/plain", "application/octet-stream", *_HTML})
#: Matchers for the start of content that is not HTML, each with the name of its kind.
_KINDS = (
    (re.compile(rb"%PDF-").match, "a PDF file"),
    (re.compile(rb"PK\x03\x04").match, "a zip archive"),
    (re.compile(rb"\x1f\x8b").match, "gzip data"),
    (re.compile(rb"\x89PNG|\xff\xd8\xff|GIF8").match, "an image"),
)
_is_html = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype\s+html|html)\b", re.IGNORECASE).match


Fact = TypeVar("Fact")


class _Denial(NamedTuple):
    """Reason not to fetch a page: robots.txt disallows the page, or its rules are unknown."""

    state: PageState
    why: str


class Crawler:
    """Fetches pages; thread-safe."""

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher
        self._lock = threading.Lock()
        self._locks: dict[str, threading.Lock] = {}
        #: Reason not to fetch pages ("" to fetch them), by origin, if its robots.txt failed.
        self._closed: dict[str, str] = {}

    def fetch_page(self, url: str) -> PageAnswer:
        """Fetch a page; failures are returned, not raised."""
        hops: list[Hop] = []
        try:
            return self._follow(url, hops)
        except NotRequestedError as error:
            return PageAnswer("not-fetched", None, error.message, may_change=True, hops=tuple(hops))
        except FetchError as error:
            may_change = is_trouble(error) or error.status is None
            # For a status, the rule gives advice; that in the message is for sitemaps.
            why = error.reason if error.status else error.message
            return PageAnswer("failed", error.status, why, may_change=may_change, hops=tuple(hops))
        except InputError as error:
            return PageAnswer("failed", None, error.message, hops=tuple(hops))

    def _follow(self, url: str, hops: list[Hop]) -> PageAnswer:
        """Fetch a page, following redirects, which are appended to `hops`."""
        seen = {uris.normalize(url)}
        while True:
            if uris.to_uri(url) is None:
                raise InputError("URL cannot be fetched")
            if door := self._denial(url):
                return PageAnswer(door.state, None, door.why, may_change=True, hops=tuple(hops))
            probe = self._fetcher.probe(url, _size_wanted)
            if probe.target is None:
                return _facts(url, probe, tuple(hops))
            url = probe.target
            hops.append(Hop(probe.status, url))
            if uris.normalize(url) in seen:
                return PageAnswer("loop", probe.status, f"leads back to {url}", hops=tuple(hops))
            if len(hops) > self._fetcher.max_redirects:
                why = f"more than {self._fetcher.max_redirects} redirects"
                return PageAnswer("loop", probe.status, why, hops=tuple(hops))
            seen.add(uris.normalize(url))

    def _denial(self, url: str) -> _Denial | None:
        """Return why robots.txt forbids a request; None if allowed (RFC 9309, section 2.3.1)."""
        origin = urls.origin(url)
        with self._lock:
            lock = self._locks.setdefault(origin, threading.Lock())
        with lock:
            if (why := self._closed.get(origin)) is not None:
                return _Denial("not-fetched", why) if why else None
            try:
                robots = self._fetcher.robots(url)
            except InputError as error:
                why = self._closed[origin] = _block_reason(origin, error)
                return _Denial("not-fetched", why) if why else None
        is_allowed = robots.can_fetch(url, self._fetcher.user_agent)
        return None if is_allowed else _Denial("disallowed", f"disallowed by {origin}/robots.txt")


def _block_reason(origin: str, error: InputError) -> str:
    """
    Return why no page of an origin is fetched after its robots.txt failed; empty to fetch them.

    Requests are not sent after status 5xx (RFC 9309, 2.3.1.4) or 429 (as Google). If the host does
    not respond at all, pages are fetched, to report the cause for each.
    """
    if isinstance(error, FetchError) and is_unreachable(error):
        return f"{origin}/robots.txt returns {error.status}"
    return ""


def _size_wanted(content_type: str) -> int:
    return _MAX_PAGE if _type_of(content_type) in _DOUBTFUL else 0


def _type_of(content_type: str) -> str:
    return content_type.partition(";")[0].strip().lower()[:100]


def _facts(url: str, probe: Probe, hops: tuple[Hop, ...]) -> PageAnswer:
    content_type = _type_of(next(iter(probe.headers("Content-Type")), ""))
    content = PageContent()
    if content_type in _HTML or (not content_type and _is_html(probe.start)):
        content = content_of(parse_page(probe.start, url, BODY_FACTS))
    is_coded = bool(probe.headers("Content-Encoding"))
    is_empty = _size_wanted(content_type) > 0 and not (probe.start.strip() or is_coded)
    bans = (("X-Robots-Tag", *ban) for ban in find_bans_in_header(probe.headers("X-Robots-Tag")))
    canonicals = (("Link header", link) for link in _canonical_links(url, probe.headers("Link")))
    return PageAnswer(
        "page",
        probe.status,
        hops=hops,
        content_type=content_type,
        actual_type=_other_content(content_type, probe.start),
        content=replace(
            content,
            is_empty=is_empty,
            bans=_first_of(bans, content.bans),
            canonicals=_first_of(canonicals, content.canonicals),
        ),
        last_modified=parse_date(next(iter(probe.headers("Last-Modified")), "")) or "",
    )


def _first_of(*facts: Iterable[Fact]) -> tuple[Fact, ...]:
    return tuple(dict.fromkeys(islice(chain(*facts), _MOST)))


def _canonical_links(url: str, headers: Sequence[str]) -> Iterator[str]:
    """Yield the canonical URLs in `Link` headers: https://www.rfc-editor.org/rfc/rfc8288"""
    for header in headers:
        for link in parse_header_links(header):
            # A link with an anchor has another page as its context.
            if "canonical" in link.get("rel", "").lower().split() and "anchor" not in link:
                address = (urls.join(link["url"].strip(), url) or "").partition("#")[0]
                if uris.to_uri(address):
                    yield address


def _other_content(content_type: str, start: bytes) -> str:
    """Return the kind of the content if it contradicts the Content-Type, else ""."""
    if content_type not in _HTML and _is_html(start):
        return "a web page"
    return next((name for is_one, name in _KINDS if is_one(start)), "")


# ---- several pages at a time

Result = TypeVar("Result")

#: Number of threads; the fetcher limits the simultaneous requests per host.
_THREADS = 16
#: Maximum number of pages that are queued or being fetched.
_WAITING = 64
#: Interval of progress reports while waiting, in seconds.
_TICK = 0.2


def fetch_all(
    urls: Iterable[str], fetch: Callable[[str], Result], tick: Callable[[], object]
) -> Iterator[tuple[str, Result]]:
    """
    Fetch URLs in several threads, and yield each with its result, in order of completion.

    Threads are daemons, so that an interrupted run does not wait for the network.

    `fetch` is called with each URL, and its exceptions are raised here; `tick` is called repeatedly
    while waiting.
    """
    tasks: SimpleQueue[str | None] = SimpleQueue()
    done: SimpleQueue[tuple[str, Result] | BaseException] = SimpleQueue()

    def work() -> None:
        while (url := tasks.get()) is not None:
            try:
                done.put((url, fetch(url)))
            except BaseException as error:  # noqa: BLE001  # raised again in the main thread
                done.put(error)

    def next_done() -> tuple[str, Result]:
        while True:
            tick()
            try:
                found = done.get(timeout=_TICK)
            except Empty:
                continue
            if isinstance(found, BaseException):
                raise found
            return found

    threads = 0
    under_way = 0
    try:
        for url in urls:
            tasks.put(url)
            under_way += 1
            if threads < _THREADS:
                Thread(target=copy_context().run, args=(work,), daemon=True).start()
                threads += 1
            if under_way == _WAITING:
                yield next_done()
                under_way -= 1
        while under_way:
            yield next_done()
            under_way -= 1
    finally:
        with suppress(Empty):  # URLs that no thread has started
            while True:
                tasks.get_nowait()
        for _ in range(threads):
            tasks.put(None)
