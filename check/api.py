"""The interface of checks: one class for each theme looks at the files that are checked."""

from collections.abc import Collection, Mapping, Sequence
from typing import ClassVar, NamedTuple, Protocol, Unpack

from sitemapx.check.findings import Details, Rule
from sitemapx.check.positions import Position
from sitemapx.check.robotsfiles import RobotsTexts
from sitemapx.check.urlindex import UrlIndex
from sitemapx.convert.formats.format import Format
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.document import Head

__all__ = ["Check", "CheckContext", "Child", "File", "OnFinding"]


class OnFinding(Protocol):
    """Takes a finding about all files together."""

    def __call__(self, code: str, message: str, **details: Unpack[Details]) -> None:
        """Take a finding."""
        ...


class CheckContext(NamedTuple):
    """
    The context that all checks of a run share.

    Attributes:
        listed: The URLs that were read.
        robots: What crawlers may fetch.
        codes: What is looked for; who finds something else may save the trouble.
        children: Where indexes list the sitemaps in them, by their canonical addresses.

    """

    listed: UrlIndex
    robots: RobotsTexts
    codes: Collection[str]
    children: dict[str, "Child"]


class Child(NamedTuple):
    """The position at which an index lists a sitemap."""

    source: str | None
    position: Position
    loc: str


class File(Protocol):
    """A file that is checked, as the checks see it."""

    @property
    def source(self) -> str | None:
        """Its name."""
        ...

    @property
    def url(self) -> str | None:
        """The address at which it is published, if that is known."""
        ...

    @property
    def format(self) -> Format | None:
        """Its format; None for a folder of pages."""
        ...

    @property
    def head(self) -> Head:
        """The head of a feed."""
        ...

    @property
    def is_index(self) -> bool:
        """Whether its entries are sitemaps."""
        ...

    @property
    def is_feed(self) -> bool:
        """Whether it is a feed."""
        ...

    @property
    def is_ascii(self) -> bool:
        """Whether all its bytes are ASCII, so far."""
        ...

    @property
    def start(self) -> bytes:
        """Its first bytes, unpacked."""
        ...

    @property
    def size(self) -> int:
        """The number of its bytes, unpacked, so far."""
        ...

    @property
    def entries(self) -> int:
        """The number of its entries, so far."""
        ...

    def report(self, code: str, message: str, *, at: int | None = None, text: str = "") -> None:
        """Report a finding on an entry of the batch, or on the file."""
        ...

    def report_at(
        self, position: Position, code: str, message: str, *, loc: str | None = None
    ) -> None:
        """Report a finding at a known position."""
        ...

    def position_of(self, at: int, text: str = "") -> Position:
        """Find where an entry of the batch has this text, or else its URL."""
        ...

    def positions_of(self, numbers: Sequence[int]) -> list[Position]:
        """Find where these entries of the batch begin, in order."""
        ...


class Check:
    """
    Looks at all files of a run, one after the other.

    It keeps little: what grows with the number of entries goes to disk, see
    `sitemapx.convert.disk.spill`.

    Attributes:
        rules: The codes that it may find.
        asks_listed: Whether it asks what was listed before, which takes as long as all the rest.
        more: Those of others that it may find, too.
        context: The context of all checks.

    """

    rules: ClassVar[Mapping[str, Rule]] = {}
    asks_listed: ClassVar[bool] = False
    more: ClassVar[Sequence[str]] = ()

    def __init__(self, context: CheckContext) -> None:
        self.context = context

    def begin(self, file: File) -> None:
        """Begin with a file, of which only its head was read."""

    def batch(self, batch: Batch, file: File) -> None:
        """Look at some entries, as they come."""

    def end(self, file: File) -> None:
        """End a file, whether it could be read to its end or not."""

    def finish(self, report: OnFinding) -> None:
        """Report what is wrong with all files together."""

    def close(self) -> None:
        """Release everything held."""
