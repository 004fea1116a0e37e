"""
The interface of engines: what they take, how they make requests and read answers.

An engine never sends anything. It says what to ask, step by step, as a generator that yields each
`Request` and is sent the `Reply`; whoever runs it (`sitemapx.submit.transport.sender`) owns time,
retries and the network. So the same steps are sent, or printed, or tested without a server.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal, NamedTuple, Protocol

from sitemapx.convert.model.document import Head
from sitemapx.submit.engines.exchange import Answer, Steps
from sitemapx.submit.secrets.secret import Secret

__all__ = ["Engine", "EngineInfo", "ItemKind", "Setup", "SubmissionBatch", "SubmissionItem"]

#: What engines are told: pages, sitemaps of any format, or feeds.
ItemKind = Literal["urls", "sitemaps", "feeds"]


class SubmissionItem(NamedTuple):
    """
    A page, a sitemap or a feed that is submitted.

    Attributes:
        url: Its address.
        is_removed: Whether it is gone.
        head: Of a feed: its head.
        accepted_hubs: Of a feed: the hubs that accepted this state of it already.

    """

    url: str
    is_removed: bool = False
    head: Head | None = None
    accepted_hubs: Sequence[str] = ()


class SubmissionBatch(NamedTuple):
    """
    Items that go out together: all of one kind, and of one site.

    Attributes:
        host: With the port, if it has one.
        site: Scheme and host, as `https://example.com`.

    """

    kind: ItemKind
    host: str
    site: str
    items: Sequence[SubmissionItem]

    @property
    def urls(self) -> list[str]:
        """The addresses."""
        return [item.url for item in self.items]


@dataclass(frozen=True, kw_only=True)
class EngineInfo:
    """
    The description of an engine.

    Attributes:
        name: What `--engine` calls it.
        title: What people call it.
        status: living; opt-in: only used when it is named; retired.
        takes: The kinds that it takes, and how many of them in one request.
        endpoint: Where requests go; its path stands in where another one has none.
        secrets: The environment variables that it needs.
        scope: For what the credentials of Google are used, if it needs them: an OAuth scope.
        options: The settings that it has beside those of all, and what they mean.
        interval: Seconds until it may be told of the same URL again.
        wants_removed: Whether it wants to know what is no more there.
        limits: What it limits, in words.
        note: What to know of it: a warning, or what to use instead.

    """

    name: str
    title: str
    takes: Mapping[ItemKind, int] = field(default_factory=dict)
    status: Literal["living", "opt-in", "retired"] = "living"
    endpoint: str = ""
    secrets: tuple[str, ...] = ()
    scope: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    interval: int = 300
    wants_removed: bool = False
    limits: str = ""
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Setup:
    """
    The setup of an engine: endpoints, secrets and options.

    Attributes:
        endpoints: Where requests go in place of the usual endpoint, the first one first.
        secrets: By their names.
        options: Settings, by their names in `EngineInfo.options`.

    """

    endpoints: tuple[str, ...] = ()
    secrets: Mapping[str, Secret] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)

    def base(self, about: EngineInfo) -> str:
        """Return the address that requests go to, without a final slash."""
        from urllib.parse import urlsplit

        usual = about.endpoint.rstrip("/")
        if not self.endpoints:
            return usual
        base = self.endpoints[0].rstrip("/")
        return base if urlsplit(base).path else base + urlsplit(usual).path


class Engine(Protocol):
    """An engine, for one run."""

    about: ClassVar[EngineInfo]

    def __init__(self, setup: Setup) -> None: ...

    def open(self, kind: ItemKind, host: str, site: str) -> Steps[int | None]:
        """
        Ask what has to be known before the first batch of a site.

        Returns:
            How many items it will take now; None if that is not known.

        Raises:
            RefusedError: If it will take none.

        """
        ...

    def send(self, batch: SubmissionBatch) -> Steps[Answer]:
        """Send a batch."""
        ...
