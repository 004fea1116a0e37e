"""
The interface of engines: what they take, how they make requests and read answers.

An engine never sends anything. It says what to ask, step by step, as a generator that yields each
`Request` and is sent the `Reply`; whoever runs it (`sitemapx.submit.transport.sender`) owns time,
retries and the network. So the same steps are sent, or printed, or tested without a server.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal, NamedTuple, Protocol

from sitemapx.convert.model.document import Head
from sitemapx.submit.engines.exchange import Answer, Steps
from sitemapx.submit.secrets.secret import Secret

__all__ = ["Engine", "EngineInfo", "ItemKind", "Setup", "SubmissionBatch", "SubmissionItem"]

#: Kind of items that are submitted: pages (`urls`), sitemaps of any format, or feeds.
ItemKind = Literal["urls", "sitemaps", "feeds"]


class SubmissionItem(NamedTuple):
    """
    A page, a sitemap or a feed to submit.

    Attributes:
        url: Absolute URL.
        is_removed: Whether the page no longer exists.
        head: Metadata of a feed; None for pages and sitemaps.
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
        site: Scheme and host, such as `https://example.com`.
        items: The items.

    """

    kind: ItemKind
    host: str
    site: str
    items: Sequence[SubmissionItem]

    @property
    def urls(self) -> list[str]:
        """URLs of the items."""
        return [item.url for item in self.items]


@dataclass(frozen=True, kw_only=True)
class EngineInfo:
    """
    Description of a search engine.

    Attributes:
        name: Name by which settings and commands refer to the search engine, such as "indexnow".
        title: Name for people.
        takes: Kinds of items that it accepts, each with the maximum number of items per request.
        status: "active", "opt-in" (used only if named) or "retired".
        endpoint: Default URL of the API; its path is added to another endpoint that has none.
        secrets: Names of the environment variables that hold its credentials.
        scope: OAuth scope for Google credentials; empty if it needs none.
        options: Additional settings, each with a description.
        interval: Seconds before the same URL may be submitted again.
        sitemap_formats: Names of the formats of sitemaps that it documents; empty for all.
        wants_removed: Whether URLs that no longer exist are submitted as well.
        has_quota: Whether it accepts only so many URLs a day, so that the newest ones are sent
            first.
        per_day: Number of URLs a day that it accepts in all, if it does not say how many are left;
            0 if it does, or has no such limit.
        limits: Description of its limits.
        note: Warning, or what to use instead.

    """

    name: str
    title: str
    takes: Mapping[ItemKind, int] = field(default_factory=dict)
    status: Literal["active", "opt-in", "retired"] = "active"
    endpoint: str = ""
    secrets: tuple[str, ...] = ()
    scope: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    interval: int = 300
    sitemap_formats: Collection[str] = ()
    wants_removed: bool = False
    has_quota: bool = False
    per_day: int = 0
    limits: str = ""
    note: str = ""

    def accepts(self, format: str) -> bool:
        """Return whether it documents a format of sitemaps; True if the format is unknown."""
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
        Return the base URL for requests, without a trailing slash.

        Args:
            about: Description of the search engine, with its default endpoint.

        """
        from urllib.parse import urlsplit

        usual = about.endpoint.rstrip("/")
        if not self.endpoints:
            return usual
        base = self.endpoints[0].rstrip("/")
        return base if urlsplit(base).path else base + urlsplit(usual).path


class Engine(Protocol):
    """
    A search engine; one instance is used per run.

    Args:
        setup: Endpoints, credentials and options.

    Attributes:
        about: Description of the search engine.

    """

    about: ClassVar[EngineInfo]

    def __init__(self, setup: Setup) -> None: ...

    def open(self, kind: ItemKind, host: str, site: str) -> Steps[int | None]:
        """
        Request what must be known before the first batch of a site is sent.

        Args:
            kind: Kind of the items.
            host: Host name of the site, with the port if it has one.
            site: Scheme and host, such as `https://example.com`.

        Returns:
            The requests, as a generator; its result is the number of items that the search engine
            accepts now, or None if unknown.

        Raises:
            RefusedError: If the search engine accepts nothing from the site.

        """
        ...

    def send(self, batch: SubmissionBatch) -> Steps[Answer]:
        """
        Send a batch.

        Returns:
            The requests, as a generator; its result is the answer.

        """
        ...
