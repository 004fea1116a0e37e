"""The interface of checks: each check is a class with the rules of one subject."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from sitemapx.check.findings import Position, RawFinding, Rule
from sitemapx.check.robotsfiles import RobotsTexts
from sitemapx.check.urlindex import IndexedBatch, UrlIndex
from sitemapx.check.view import BatchView, File, FileExtent


class Child(NamedTuple):
    """A sitemap listed in an index: name of the index, position of the entry, and URL."""

    source: str | None
    position: Position
    loc: str


class CheckContext(NamedTuple):
    """
    State that all checks of a run share.

    A pickled context, for processes that only inspect batches, keeps only `codes`, `now` and
    `allows_private`.

    Attributes:
        listed: Index of the URLs that were read.
        robots: The robots.txt of each site.
        codes: Enabled codes; a check may skip the work for other codes.
        children: Where an index lists each sitemap, by the canonical URL of the sitemap.
        now: Time of the run, as a W3C Datetime.
        allows_private: Whether requests to private hosts are allowed; if so, the URLs on such hosts
            are reported once per file.

    """

    listed: UrlIndex
    robots: RobotsTexts
    codes: Collection[str]
    children: dict[str, Child]
    now: str
    allows_private: bool = False

    def __reduce__(self) -> tuple[object, ...]:
        return _worker_context, (frozenset(self.codes), self.now, self.allows_private)


def _worker_context(codes: Collection[str], now: str, allows_private: bool) -> CheckContext:
    return CheckContext(UrlIndex(is_needed=False), RobotsTexts(), codes, {}, now, allows_private)


class BatchResult(NamedTuple):
    """
    Result of inspecting one batch with one check, without regard to other batches; picklable.

    Attributes:
        findings: Findings in the entries of the batch.
        partial: Data of the batch, besides its URLs, from which `Check.merge` derives findings that
            depend on other batches.

    """

    findings: Sequence[RawFinding] = ()
    partial: Any = None


class Check:
    """
    Base class for checks.

    Methods are called in this order: for each file, `begin_file`, then `merge` once per batch, then
    `end_file`; after the last file, `end_run`. Each may return findings. `check_batch` inspects one
    batch, possibly in another process; `merge` receives the `partial` of its result.

    A check keeps little in memory: data that grows with the number of entries goes to disk (see
    `sitemapx.convert.disk.spill`).

    Attributes:
        rules: The rules that the check applies, by their codes.
        needs_index: Whether the check uses the index of listed URLs, which is built on demand.
        other_codes: Codes that belong to other checks, but that this check may report as well.
        context: State that all checks of the run share.

    """

    rules: ClassVar[Mapping[str, Rule]] = {}
    needs_index: ClassVar[bool] = False
    other_codes: ClassVar[Sequence[str]] = ()

    def __init__(self, context: CheckContext) -> None:
        self.context = context

    def __getstate__(self) -> dict[str, object]:
        return {"context": self.context}  # all that `check_batch` may use

    def begin_file(self, file: File) -> Iterable[RawFinding] | None:
        """Receive a file before its first batch is merged; may return findings."""

    def check_batch(self, view: BatchView) -> BatchResult:
        """Inspect one batch, without changing any state; it may be called in another process."""
        return BatchResult()

    def merge(self, partial: Any, batch: IndexedBatch, file: File) -> Iterable[RawFinding] | None:
        """
        Merge the result of the next batch into the state of the check.

        Args:
            partial: The partial result that `check_batch` returned.
            batch: The URLs of the batch.
            file: The file to which the batch belongs.

        Returns:
            Findings that can be reported now, or None.

        """

    def end_file(self, file: File, extent: FileExtent) -> Iterable[RawFinding] | None:
        """Finish a file, even if it could not be read completely."""

    def end_run(self) -> Iterable[RawFinding] | None:
        """Return the findings that are known only after the last file."""

    def close(self) -> None:
        pass
