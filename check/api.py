"""The interface of checks: one class for each theme looks at the files that are checked."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, Protocol, Unpack

from sitemapx.check.findings import Details, Rule
from sitemapx.check.positions import Position
from sitemapx.check.robotsfiles import RobotsTexts
from sitemapx.check.urlindex import UrlIndex
from sitemapx.convert.formats.format import Format
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.document import Head

__all__ = ["Check", "CheckContext", "Child", "Entries", "File", "OnFinding"]


class OnFinding(Protocol):
    """Takes a finding about all files together."""

    def __call__(self, code: str, message: str, **details: Unpack[Details]) -> None:
        """Take a finding."""
        ...


class Entries(Protocol):
    """The entries of a batch that is inspected; see `File`."""

    def report(self, code: str, message: str, *, at: int, text: str = "") -> None:
        """Report a finding in an entry."""
        ...

    def positions_of(self, numbers: Sequence[int]) -> list[Position]:
        """Return the positions of several entries."""
        ...


class CheckContext(NamedTuple):
    """
    State that all checks of a run share.

    Attributes:
        listed: Index of the URLs that were read.
        robots: The robots.txt of each site.
        codes: Enabled codes; a check may save itself the work for any other.
        children: Where an index lists each sitemap, by the canonical URL of the sitemap.

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
    """A file that is being checked."""

    @property
    def source(self) -> str | None:
        """Name of the file."""
        ...

    @property
    def url(self) -> str | None:
        """Public URL of the file; None if unknown."""
        ...

    @property
    def format(self) -> Format | None:
        """Format of the file; None for a directory of HTML pages."""
        ...

    @property
    def head(self) -> Head:
        """Metadata of the file if it is a feed."""
        ...

    @property
    def is_index(self) -> bool:
        """Whether the file is a sitemap index, so that its entries are sitemaps."""
        ...

    @property
    def is_feed(self) -> bool:
        """Whether the file is a feed."""
        ...

    @property
    def is_ascii(self) -> bool:
        """Whether all bytes read so far are ASCII."""
        ...

    @property
    def start(self) -> bytes:
        """The first bytes of the file, decompressed."""
        ...

    @property
    def size(self) -> int:
        """Number of bytes read so far, decompressed."""
        ...

    @property
    def entries(self) -> int:
        """Number of entries read so far."""
        ...

    def report(
        self,
        code: str,
        message: str,
        *,
        at: int | None = None,
        text: str = "",
        is_fixable: bool = True,
    ) -> None:
        """
        Report a finding in an entry of the current batch, or in the file as a whole.

        Args:
            code: Code of the finding.
            message: Description of what is wrong.
            at: Index of the entry in the batch; None for the file as a whole.
            text: Text in the entry whose position is reported, instead of that of its URL.
            is_fixable: Whether the fix for the code, if there is one, applies here.

        """
        ...

    def report_at(
        self, position: Position, code: str, message: str, *, loc: str | None = None
    ) -> None:
        """
        Report a finding at a known position.

        Args:
            position: Line and column.
            code: Code of the finding.
            message: Description of what is wrong.
            loc: URL of the entry.

        """
        ...

    def position_of(self, at: int, text: str = "") -> Position:
        """
        Return the position of a text in an entry of the current batch, else that of its URL.

        Args:
            at: Index of the entry in the batch.
            text: Text to look for.

        """
        ...

    def positions_of(self, numbers: Sequence[int]) -> list[Position]:
        """
        Return the positions of several entries of the current batch.

        Args:
            numbers: Indexes of the entries in the batch, in ascending order.

        """
        ...


class Check:
    """
    Base class of checks; a check looks at all files of a run, one after the other.

    A check keeps little in memory: data that grows with the number of entries goes to disk (see
    `sitemapx.convert.disk.spill`). The methods do nothing unless they are overridden.

    Attributes:
        rules: Rules that the check applies, by their codes.
        asks_listed: Whether the check looks up which URLs were listed before; that takes as long as
            all rules together.
        more: Codes of other checks that this one may report as well.
        context: State that all checks of the run share.

    """

    rules: ClassVar[Mapping[str, Rule]] = {}
    asks_listed: ClassVar[bool] = False
    more: ClassVar[Sequence[str]] = ()

    def __init__(self, context: CheckContext) -> None:
        self.context = context

    def begin(self, file: File) -> None:
        """Begin a file, of which only the head has been read."""

    def inspect(self, batch: Batch, entries: Entries) -> object:
        """
        Check a batch of entries by itself: it may be another process that does so.

        Nothing that this changes may matter to any later call.

        Args:
            entries: Takes the findings in the entries.

        Returns:
            What `take` needs, and can be pickled; None if that is nothing.

        """
        return None

    def take(self, inspected: Any, file: File) -> None:
        """Take what `inspect` returned for a batch, in its turn."""

    def batch(self, batch: Batch, file: File) -> None:
        """
        Check a batch of entries, and remember what matters to the next ones.

        To look at values here that another process has read takes longer than in `inspect`.
        """

    def end(self, file: File) -> None:
        """End a file, whether it could be read completely or not."""

    def finish(self, report: OnFinding) -> None:
        """
        Report findings that concern all files together.

        Args:
            report: Called with code, message and details of each finding.

        """

    def close(self) -> None:
        """Release all resources."""
