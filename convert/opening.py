"""Open sources one after the other, with what indexes among them list."""

import os
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from sitemapx.convert.document import Batch, Head
from sitemapx.convert.following import Mapping, follow
from sitemapx.convert.formats import by_name
from sitemapx.convert.problems import Context, Report, ignore
from sitemapx.convert.reading import Source, read

__all__ = ["Input", "Opener"]


class Input(NamedTuple):
    """A source: what it says of itself, and its entries; see `Document`."""

    head: Head
    family: str
    holds: Collection[str]
    batches: Iterator[Batch]


class Opener(NamedTuple):
    """
    How to open sources.

    Attributes:
        format: The format of the sources, where their contents are not to decide.
        url: Where the source is published: relative URLs resolve against it.
        follows: Whether an index stands for the sitemaps that it lists, or for itself.
        mappings: Where the files of an index are on disk.
        images: Whether the images in the pages of a folder are listed.

    """

    format: str | None = None
    url: str | None = None
    follows: bool = True
    mappings: Sequence[Mapping] = ()
    images: bool = False

    def open(
        self,
        sources: Iterable[Source],
        report: Report = ignore,
        on_read: Callable[[int], None] = lambda count: None,
        wanted: Collection[str] | None = None,
    ) -> Generator[Input]:
        """
        Open one source after the other; each is closed when the next is asked for.

        Args:
            sources: Paths, `-` for standard input, or binary streams.
            report: Is told of problems as they come.
            on_read: Is told how many bytes were read, before they are unpacked.
            wanted: The fields that will be looked at; others may be missing in the entries.

        Raises:
            InputError: If a source cannot be read.

        """
        opened = partial(read, report=report, on_read=on_read, wanted=wanted, images=self.images)
        for source in sources:
            with opened(source, format=self.format, source_url=self.url) as document:
                batches, holds = document.batches, document.holds
                if document.is_index and self.follows:
                    context = Context(report, source=str(source))
                    mappings = [*self.mappings, *self._neighbours(source)]
                    seen = {os.path.realpath(str(source))}
                    batches = follow(document, opened, mappings, context, seen)
                    holds = by_name("sitemap").holds  # which nearly all are that indexes list
                yield Input(document.head, document.family, holds, batches)

    def _neighbours(self, source: Source) -> Iterator[Mapping]:
        """Where a file is and where it is published says the same of the files beside it."""
        if self.url and isinstance(source, str | os.PathLike) and source != "-":
            folder = os.path.dirname(os.fspath(source)) or "."
            yield Mapping.of(self.url.rpartition("/")[0], folder)
