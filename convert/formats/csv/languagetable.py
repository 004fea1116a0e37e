"""Write tables of languages: a row for each set of versions, a column for each language."""

import csv
import io
from collections.abc import Collection, Iterator
from contextlib import ExitStack, closing

import msgspec

from sitemapx.convert.disk.spill import DiskQueue, Seen
from sitemapx.convert.formats.csv.definition import LANGUAGE_TABLE
from sitemapx.convert.formats.csv.languages import column_name
from sitemapx.convert.formats.format import Format
from sitemapx.convert.formats.writer import Writer
from sitemapx.convert.model.batch import Batch, batched
from sitemapx.convert.model.document import Head
from sitemapx.convert.model.encoded import Encoded
from sitemapx.convert.model.entry import Alternate, Entry
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.model.versions import is_version, names, versions_of

__all__ = ["arrange"]

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(tuple[Alternate, ...]).decode


def arrange(batches: Iterator[Batch], reporter: Reporter) -> tuple[Format, Iterator[Batch]]:
    """Gather the sets of versions and their languages, on disk if they are many."""
    codes: dict[str, str] = {}
    with closing(Seen()) as seen, ExitStack() as stack:
        rows = stack.enter_context(closing(DiskQueue()))
        for batch in batches:
            for entry in batch.entries:
                versions = _distinct(entry, reporter)
                key = "\n".join(sorted(f"{one.hreflang} {one.href}" for one in versions))
                if versions and all(seen.add([key])):
                    rows.add(_encode(versions))
                    for one in versions:
                        codes.setdefault((one.hreflang or "").lower(), one.hreflang or "")
        stack.pop_all()
    table = LANGUAGE_TABLE._replace(write=_LanguageWriter.having(tuple(codes.values())))
    return table, batched(_sets(rows))


def _sets(rows: DiskQueue) -> Iterator[Entry]:
    """Return an entry for each set, with the URL of its first version."""
    with closing(rows):
        for versions in map(_decode, rows):
            yield Entry(loc=versions[0].href, alternates=versions)


def _distinct(entry: Entry, reporter: Reporter) -> tuple[Alternate, ...]:
    """List the versions of an entry, each language once; report what no table can say."""
    found: dict[str, Alternate] = {}
    for one in versions_of(entry):
        first = found.setdefault((one.hreflang or "").lower(), one)
        if first.href != one.href:
            message = f"several alternates for {one.hreflang!r}"
            done = "; the first one is written"
            reporter.tally("repeated", message, done=done, loc=entry.loc)
    if not all(map(is_version, entry.alternates)):
        message = "alternate that is not a page in a language"
        reporter.tally("not-held", message, done="; dropped", loc=entry.loc)
    if not names(tuple(found.values()), entry.loc or ""):
        message = "entry has no language: it is not among its alternates"
        reporter.tally("incomplete", message, done="; its URL is skipped", loc=entry.loc)
    return tuple(found.values())


class _LanguageWriter(Writer):
    """Turn sets of versions into rows."""

    codes: tuple[str, ...] = ()

    def __init__(self, reporter: Reporter) -> None:
        self._places = {code.lower(): place for place, code in enumerate(self.codes)}

    @classmethod
    def having(cls, codes: tuple[str, ...]) -> type["_LanguageWriter"]:
        """Return the writer of tables with these languages."""
        return type(cls.__name__, (cls,), {"codes": codes})

    def start(self, head: Head, fields: Collection[str]) -> bytes:
        """Write the header."""
        return _line([column_name(code) for code in self.codes])

    def encode(self, batch: Batch) -> Encoded:
        """Write a row for each set; it counts as the pages in it, as they are when read again."""
        chunks: list[bytes] = []
        pages = 0
        for entry in batch.entries:
            cells = [""] * len(self.codes)
            for one in entry.alternates:
                cells[self._places[(one.hreflang or "").lower()]] = one.href or ""
            chunks.append(_line(cells))
            pages += len({cell for cell in cells if cell})
        return Encoded(b"".join(chunks), pages, lambda: chunks)

    def finish(self) -> bytes:
        """Write nothing: the format has no footer."""
        return b""


def _line(cells: list[str]) -> bytes:
    row = io.StringIO()
    csv.writer(row, lineterminator="\n").writerow(cells)
    return row.getvalue().encode("utf-8", "replace")
