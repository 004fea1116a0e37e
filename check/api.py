"""The interface of checks: each check is a class with the rules of one subject."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from sitemapx.check.findings import Position, RawFinding, Rule
from sitemapx.check.robotsfiles import RobotsTexts
from sitemapx.check.urlindex import IndexedBatch, UrlIndex
from sitemapx.check.view import BatchView, File, FileExtent


class Child(NamedTuple):
    """A sitemap listed in an index: the index, the position of its entry, and its URL."""

    source: str | None
    position: Position
    loc: str


class CheckContext(NamedTuple):
    """
    State that all checks of a run share.

    Attributes:
        listed: Index of the URLs that were read.
        robots: The robots.txt of each site.
        codes: Enabled codes; a check may skip the work for all others.
        children: Where an index lists each sitemap, by the canonical URL of the sitemap.
        allows_private: Whether private hosts are expected, as the caller allows requests to them.

    """

    listed: UrlIndex
    robots: RobotsTexts
    codes: Collection[str]
    children: dict[str, Child]
    allows_private: bool = False


class Look(NamedTuple):
    """
    Result of applying one check to one batch, without regard to other batches; can be pickled.

    Attributes:
        findings: Findings in the entries of the batch.
        partial: Data that `Check.merge` needs, besides the URLs, to find what depends on other
            batches.

    """

    findings: Sequence[RawFinding] = ()
    partial: Any = None


class Check:
    """
    Base class of checks.

    For each file of a run, in order, `begin_file` is called, `merge` for each batch, and
    `end_file`; after all files, `end_run`. `merge` gets the result of `look`, which is pure: it
    inspects one batch, perhaps in another process. All these methods may return findings.

    A check keeps little in memory: data that grows with the number of entries goes to disk (see
    `sitemapx.convert.disk.spill`).

    Attributes:
        rules: Rules that the check applies, by their codes.
        needs_index: Whether the check looks up which URLs were listed before; building this index
            takes as long as all rules together.
        other_codes: Codes of other checks that this one may report as well.
        context: State that all checks of the run share.

    """

    rules: ClassVar[Mapping[str, Rule]] = {}
    needs_index: ClassVar[bool] = False
    other_codes: ClassVar[Sequence[str]] = ()

    def __init__(self, context: CheckContext) -> None:
        self.context = context

    def begin_file(self, file: File) -> Iterable[RawFinding] | None:
        """Prepare for a file; called before the first `merge` of the file."""

    def look(self, view: BatchView) -> Look:
        """Inspect one batch, without using or changing any state of the run."""
        return Look()

    def merge(self, partial: Any, batch: IndexedBatch, file: File) -> Iterable[RawFinding] | None:
        """
        Merge the result of the next batch into the state of the check.

        Args:
            partial: The partial result that `look` returned.
            batch: The URLs of the batch.
            file: The file.

        """

    def end_file(self, file: File, extent: FileExtent) -> Iterable[RawFinding] | None:
        """Finish a file, even if it could not be read completely."""

    def end_run(self) -> Iterable[RawFinding] | None:
        """Return the findings that concern all files together."""

    def close(self) -> None:
        pass
