"""Tables of language versions: a row per set of versions, and a column per language."""

import csv
import io
from collections.abc import Collection, Iterator
from contextlib import ExitStack, closing
from functools import partial

import msgspec

from sitemapx.convert.disk.spill import DigestSet, DiskQueue
from sitemapx.convert.formats.csv.header import column_name
from sitemapx.convert.formats.csv.writer import DELIMITERS
from sitemapx.convert.formats.format import Format
from sitemapx.convert.formats.writer import Writer
from sitemapx.convert.model.batch import Batch, Encoded, batched
from sitemapx.convert.model.document import Head
from sitemapx.convert.model.entry import Alternate, Entry
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.model.versions import includes, is_version, versions_of

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(tuple[Alternate, ...]).decode


def arrange(
    table: Format, batches: Iterator[Batch], reporter: Reporter
) -> tuple[Format, Iterator[Batch]]:
    """
    Collect the distinct sets of language versions, on disk if there are many.

    Returns `table` with a column for each language, and batches of one entry per set.
    """
    codes: dict[str, str] = {}
    with closing(DigestSet()) as seen, ExitStack() as stack:
        rows = stack.enter_context(closing(DiskQueue()))
        for batch in batches:
            for entry in batch.entries:
                versions = _select_versions(entry, reporter)
                key = "\n".join(
                    sorted(f"{version.hreflang} {version.href}" for version in versions)
                )
                if versions and all(seen.add_texts([key])):
                    rows.add_row(_encode(versions))
                    for version in versions:
                        codes.setdefault((version.hreflang or "").lower(), version.hreflang or "")
        stack.pop_all()
    delimiter = DELIMITERS[table.name]
    writer = partial(_LanguageWriter, codes=tuple(codes.values()), delimiter=delimiter)
    return table._replace(write=writer), batched(_read_sets(rows))


def _read_sets(rows: DiskQueue) -> Iterator[Entry]:
    with closing(rows):
        for versions in map(_decode, rows):
            yield Entry(loc=versions[0].href, alternates=versions)


def _select_versions(entry: Entry, reporter: Reporter) -> tuple[Alternate, ...]:
    """Return the versions of an entry, one per language; report dropped alternates and URLs."""
    found: dict[str, Alternate] = {}
    for version in versions_of(entry):
        first = found.setdefault((version.hreflang or "").lower(), version)
        if first.href != version.href:
            message = f"several alternates for {version.hreflang!r}"
            done = "; the first one is written"
            reporter.tally("repeated-key", message, done=done, loc=entry.loc)
    if not all(map(is_version, entry.alternates)):
        message = "alternate is not a language version of the page"
        reporter.tally("dropped-field", message, done="; dropped", loc=entry.loc)
    if not includes(tuple(found.values()), entry.loc or ""):
        message = "entry has no language: it is not among its alternates"
        reporter.tally("missing-element", message, done="; its URL is skipped", loc=entry.loc)
    return tuple(found.values())


class _LanguageWriter(Writer):
    def __init__(self, reporter: Reporter, codes: tuple[str, ...], delimiter: str) -> None:
        self._codes = codes
        self._delimiter = delimiter
        self._places = {code.lower(): place for place, code in enumerate(codes)}

    def start(self, head: Head, fields: Collection[str]) -> bytes:
        return self._write_row([column_name(code) for code in self._codes])

    def encode(self, batch: Batch) -> Encoded:
        chunks: list[bytes] = []
        pages = 0
        for entry in batch.entries:
            cells = [""] * len(self._codes)
            for version in entry.alternates:
                cells[self._places[(version.hreflang or "").lower()]] = version.href or ""
            chunks.append(self._write_row(cells))
            pages += len({cell for cell in cells if cell})
        return Encoded(b"".join(chunks), pages, lambda: chunks)

    def _write_row(self, cells: list[str]) -> bytes:
        row = io.StringIO()
        csv.writer(row, delimiter=self._delimiter, lineterminator="\n").writerow(cells)
        return row.getvalue().encode("utf-8", "replace")
