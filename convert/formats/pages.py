"""The interface of writers whose files depend on all entries, such as pages with links."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.document import Head


class Layout(NamedTuple):
    """
    Layout of the pages of a site map.

    Attributes:
        template: Path of a template for each page; None for the built-in page.
        is_fragment: Whether to write only the lists, to be embedded in another page.

    """

    template: str | None = None
    is_fragment: bool = False


class WrittenPage(NamedTuple):
    """
    A file of a set of pages.

    Attributes:
        number: Number of the page from 1, or 0 for the first file, which links to the others.
        entries: Number of entries on the page, or of links if it has only links to other pages.
        chunks: The contents of the file in pieces, to be consumed before the next file is
            requested.

    """

    number: int
    entries: int
    chunks: Iterable[bytes]


class PageWriter(Protocol):
    """
    Base class of writers that divide all entries into pages, for formats with `is_paged`.

    A page writer is created with a `Reporter`. Unlike a `Writer`, a page writer receives all
    entries before it returns the first byte; entries that do not fit into memory are kept on disk.
    """

    def begin(self, head: Head, layout: Layout) -> None:
        """
        Prepare the pages.

        Raises:
            InputError: If the template cannot be read.
            UsageError: If a package that the layout requires is not installed.

        """
        ...

    def add(self, batch: Batch) -> int:
        """Add the entries of a batch; return the number of entries that will be on the pages."""
        ...

    def plan(self, limit: int | None) -> int:
        """
        Divide the entries into pages; called after the last entry was added.

        Args:
            limit: Maximum number of links on a page; None for a single page.

        Returns:
            The number of pages besides the first file; 0 if the first file has all entries.

        """
        ...

    def files(self, names: Sequence[str]) -> Iterator[WrittenPage]:
        """
        Return the files; the file that links to the other files comes last.

        Args:
            names: The URL of each file, by the number of the file; the files link to each other
                with these URLs.

        """
        ...

    def close(self) -> None:
        """Release the memory and the disk space of the entries."""
        ...
