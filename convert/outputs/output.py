"""Protocol of outputs, and the files that they report."""

from typing import Literal, NamedTuple, Protocol

from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.document import Head

WrittenState = Literal["new", "unchanged", "removed"]


class Written(NamedTuple):
    """
    A file of an output.

    Attributes:
        path: Path of the file, its URL in cloud storage, or `-` for standard output.
        entries: Number of entries; for an index, the number of listed sitemaps. 0 if removed.
        is_index: Whether the file is the index of a set, or the first of several pages.
        state: "new" if it was written, "unchanged" if it already had the same bytes, "removed" if
            an earlier run wrote it for this set, but the index no longer lists it.

    """

    path: str
    entries: int
    is_index: bool = False
    state: WrittenState = "new"


class Output(Protocol):
    """Destination of entries; except for a stream, nothing is visible before `finish`."""

    @property
    def entries(self) -> int:
        """Number of entries in the new output so far, without those that were skipped."""
        ...

    @property
    def can_revise(self) -> bool:
        """Whether `finish` can still write a different head."""
        ...

    @property
    def replaces(self) -> bool:
        """Whether the output already exists."""
        ...

    def add_batch(self, batch: Batch) -> None: ...

    def entries_before(self, tolerated: float) -> int:
        """
        Return the number of entries in the existing output, or an upper estimate.

        An estimate is returned only if it is below `tolerated`.
        """
        ...

    def finish(self, head: Head) -> list[Written]:
        """Make the output visible, with this head if `can_revise`; return its files."""
        ...

    def abort(self) -> None:
        """Discard new entries that are not visible yet; an existing output is left unchanged."""
        ...
