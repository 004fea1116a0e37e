"""The interface of all outputs."""

from typing import Literal, NamedTuple, Protocol

from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.document import Head

WrittenState = Literal["new", "unchanged", "removed"]


class Written(NamedTuple):
    """
    A file of an output.

    Attributes:
        path: Path of the file.
        entries: Number of entries; of an index, the number of listed sitemaps.
        is_index: Whether the file is a sitemap index.
        state: "new" if it was written, "unchanged" if it already had the same bytes, "removed" if
            an earlier run wrote it for this set and the index no longer lists it.

    """

    path: str
    entries: int
    is_index: bool = False
    state: WrittenState = "new"


class Output(Protocol):
    """Takes entries; what may have to be taken back is not to be seen until `finish`."""

    @property
    def entries(self) -> int:
        """The number of entries that it holds by now."""
        ...

    @property
    def can_revise(self) -> bool:
        """Whether the head may still be another at the end."""
        ...

    @property
    def replaces(self) -> bool:
        """Whether there is something already in its place."""
        ...

    def add(self, batch: Batch) -> None:
        """Take some entries."""
        ...

    def entries_before(self, tolerated: float) -> int:
        """Count the entries of what it replaces; roughly, if they are not more than tolerated."""
        ...

    def finish(self, head: Head) -> list[Written]:
        """Let the output appear, with this head if it can be, and tell what was written."""
        ...

    def abort(self) -> None:
        """Leave everything as it was before."""
        ...
