"""
The interface of search engines: accepted items, and steps that make requests and read replies.

An engine does not access the network. Its methods are generators that yield each `Request` and are
sent the `Reply`; the transport (`sitemapx.submit.transport.sender`) is responsible for timing,
retries and the network, so the same steps can be sent, printed, or tested without a server. An
engine that reports sitemaps, withdraws them or inspects pages implements `Reporting`, `Withdrawing`
or `Inspecting`.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import ClassVar, Literal, NamedTuple, Protocol, runtime_checkable
from urllib.parse import urlsplit

from sitemapx.convert.model.document import Head
from sitemapx.convert.values.clock import format_timestamp
from sitemapx.submit.engines.exchange import Answer, Steps
from sitemapx.submit.secrets.secret import Secret

#: Kind of items that are submitted: pages (`urls`), sitemaps of any format, or feeds.
ItemKind = Literal["urls", "sitemaps", "feeds"]
_is_number = re.compile("[0-9]{1,18}").fullmatch
#: Dates up to this year are ignored: some programs write them for a missing date.
_LAST_IGNORED_YEAR = 1990


class SubmissionItem(NamedTuple):
    """
    A page, a sitemap or a feed to submit.

    Attributes:
        url: Absolute URL.
        is_removed: Whether the page no longer exists.
        head: Metadata of a sitemap or feed; None for pages, or if unknown.
        accepted_hubs: URLs of the WebSub hubs that have already accepted this state of a feed.

    """

    url: str
    is_removed: bool = False
    head: Head | None = None
    accepted_hubs: Sequence[str] = ()


class SubmissionBatch(NamedTuple):
    """
    Items to submit together; all are of the same kind and site.

    Attributes:
        kind: Kind of the items.
        host: Host name, with the port if the URLs have one.
        site: Scheme, host and any port, such as `https://example.com`.
        items: The items.

    """

    kind: ItemKind
    host: str
    site: str
    items: Sequence[SubmissionItem]

    @property
    def urls(self) -> list[str]:
        return [item.url for item in self.items]


@dataclass(frozen=True, kw_only=True)
class EngineInfo:
    """
    Description of a search engine.

    Attributes:
        name: Name by which settings and commands refer to the search engine, such as "indexnow".
        title: Name for people.
        takes: Kinds of items that the engine accepts, with the maximum number of items per request.
        status: "active", "opt-in" (used only if named) or "retired".
        endpoint: Default URL of the API; its path is appended to configured URLs without a path.
        secrets: Names of the environment variables that hold the credentials.
        scope: OAuth scope for Google credentials; empty for other engines.
        options: Descriptions of additional settings, by name.
        interval: Seconds before the same URL may be submitted again.
        sitemap_formats: Names of the documented sitemap formats; empty for all formats.
        notified_by: Name of an engine that shares URLs with this engine: if both are selected, URLs
            are submitted only to that engine.
        wants_removed: Whether URLs that no longer exist are submitted, too.
        has_quota: Whether the number of URLs per day is limited, so that the newest URLs are sent
            first.
        per_day: Maximum number of URLs per day; 0 if unknown, unlimited or reported by the API.
        limits: Description of the limits, for people.
        note: Warning, or the alternative to a retired engine.

    """

    name: str
    title: str
    takes: Mapping[ItemKind, int] = field(default_factory=dict)
    status: Literal["active", "opt-in", "retired"] = "active"
    endpoint: str = ""
    secrets: tuple[str, ...] = ()
    scope: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    interval: int = 600
    sitemap_formats: Collection[str] = ()
    notified_by: str = ""
    wants_removed: bool = False
    has_quota: bool = False
    per_day: int = 0
    limits: str = ""
    note: str = ""

    def accepts(self, format: str) -> bool:
        """Return whether the engine documents a sitemap format; True without a format or a list."""
        return not (format and self.sitemap_formats) or format in self.sitemap_formats


@dataclass(frozen=True, kw_only=True)
class Setup:
    """
    Endpoints, credentials and options of a search engine.

    Attributes:
        endpoints: URLs to use in place of the default endpoint, in order of preference.
        secrets: Credentials, by the names in `EngineInfo.secrets`.
        options: Additional settings, by the names in `EngineInfo.options`.

    """

    endpoints: tuple[str, ...] = ()
    secrets: Mapping[str, Secret] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)

    def base(self, about: EngineInfo) -> str:
        """
        Return the URL of the first endpoint, or of the default one, without a trailing slash.

        If that endpoint has no path, the path of the default endpoint is appended.

        Args:
            about: Description of the search engine, with its default endpoint.

        """
        usual = about.endpoint.rstrip("/")
        if not self.endpoints:
            return usual
        base = self.endpoints[0].rstrip("/")
        return base if urlsplit(base).path else base + urlsplit(usual).path


class Engine(Protocol):
    """
    A search engine; each run creates its own instance.

    Args:
        setup: Endpoints, credentials and options.

    Attributes:
        about: Description of the search engine.

    """

    about: ClassVar[EngineInfo]

    def __init__(self, setup: Setup) -> None: ...

    def open(self, kind: ItemKind, host: str, site: str) -> Steps[int | None]:
        """
        Make the requests that precede the first batch of a site; by default, none.

        Args:
            kind: Kind of the items.
            host: Host name of the site, with the port if the URL has one.
            site: Scheme, host and any port, such as `https://example.com`.

        Returns:
            The requests, as a generator; its result is the number of items that the search engine
            accepts now, or None if unknown.

        Raises:
            RefusedError: If nothing can be submitted for the site.

        """
        yield from ()
        return None

    def send(self, batch: SubmissionBatch) -> Steps[Answer]:
        """
        Send a batch.

        Returns:
            The requests, as a generator; its result is the answer.

        """
        ...


class SitemapReport(NamedTuple):
    """
    Report of a search engine on a sitemap; None stands for an unknown value.

    Attributes:
        kind: Kind, such as `index`, or in the words of the search engine; empty if unknown.
        submitted: Time of the last submission, as a W3C Datetime.
        downloaded: Time of the last download, as a W3C Datetime.
        is_pending: Whether the sitemap has not been processed yet.
        errors: Number of errors.
        warnings: Number of warnings.
        urls: Number of URLs in the sitemap.
        status: State or origin, in the words of the search engine; empty if unknown.

    """

    url: str
    kind: str = ""
    submitted: str | None = None
    downloaded: str | None = None
    is_pending: bool = False
    errors: int | None = None
    warnings: int | None = None
    urls: int | None = None
    status: str = ""


class Inspection(NamedTuple):
    """
    Report of a search engine on a page; an empty text stands for an unknown value.

    Attributes:
        verdict: Whether the page is in the index, such as `PASS`, or known, such as `CRAWLED`.
        coverage: Explanation of the verdict, or issues of the last crawl.
        crawled: Time of the last crawl, as a W3C Datetime; None if never or unknown.
        fetch: Result of the last crawl, such as `SUCCESSFUL` or `HTTP 404`.
        robots: Whether robots.txt allows the page, such as `ALLOWED`.
        canonical: URL that represents the page in the index.

    """

    url: str
    verdict: str = ""
    coverage: str = ""
    crawled: str | None = None
    fetch: str = ""
    robots: str = ""
    canonical: str = ""


class InspectionQuota(NamedTuple):
    """Maximum numbers of pages to inspect; None stands for an undocumented maximum."""

    per_minute: int
    per_day: int | None = None


@runtime_checkable
class Reporting(Protocol):
    """An engine that can report on the sitemaps submitted for a site."""

    def report(self, host: str, site: str) -> Steps[Sequence[SitemapReport]]:
        """Return reports on the sitemaps of a site; raise `RefusedError` on failure."""
        ...


@runtime_checkable
class Withdrawing(Protocol):
    """An engine that can remove a sitemap from its list."""

    def withdraw(self, sitemap: str, host: str, site: str) -> Steps[Answer]:
        """Withdraw a sitemap, also if it is not listed any more; may raise `RefusedError`."""
        ...


@runtime_checkable
class Inspecting(Protocol):
    """An engine that can report the state of a page in its index."""

    inspection_quota: ClassVar[InspectionQuota]

    def find_property(self, url: str, host: str, site: str) -> Steps[str]:
        """
        Return the property whose quota is used by an inspection of a page; empty if unknown.

        A property is a site as registered with the search engine. Raises `RefusedError` if the
        properties of the user cannot be listed.
        """
        ...

    def inspect(self, url: str, host: str, site: str) -> Steps[Inspection]:
        """Inspect a page; raise `RefusedError` if the search engine does not inspect it."""
        ...


def to_w3c_date(value: object) -> str | None:
    """
    Convert an ISO 8601 date to UTC; None if invalid, without a time zone, or before 1991.

    >>> to_w3c_date("2016-01-01T00:00:00,000+0300")
    '2015-12-31T21:00:00Z'

    """
    with suppress(ValueError, OverflowError, OSError):
        found = datetime.fromisoformat(str(value).replace(",", "."))
        if found.year > _LAST_IGNORED_YEAR and found.tzinfo:
            return format_timestamp(found.timestamp())
    return None


def whole_number(value: object) -> int | None:
    """
    Convert a whole number of up to 18 digits, or such a string, to an int; None for others.

    >>> whole_number("12"), whole_number(12), whole_number("many")
    (12, 12, None)

    """
    return int(str(value)) if not isinstance(value, bool) and _is_number(str(value)) else None
