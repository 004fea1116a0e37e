"""Step that adds entries for the language versions of pages."""

from collections.abc import Iterable, Iterator
from contextlib import closing

import msgspec
from msgspec.structs import replace

from sitemapx.convert.disk.spill import DigestSet, DiskQueue
from sitemapx.convert.model.batch import Batch, batched
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.model.versions import includes, is_version, versions_of
from sitemapx.convert.steps.step import Step
from sitemapx.convert.values import uris

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Entry).decode


def _run(batches: Iterator[Batch], reporter: Reporter) -> Iterator[Batch]:
    with closing(DigestSet()) as seen, closing(_VersionQueue()) as waiting:
        for batch in batches:
            seen.add_texts(uris.normalize_all(batch.locs()))
            if not batch.field_counts().get("alternates"):
                yield batch
                continue
            entries = [_with_self_link(entry, reporter) for entry in batch.entries]
            for entry in entries:
                waiting.add_entries(_versions(entry))
            yield Batch(entries)
        # all existing entries are known only at the end
        for batch in batched(waiting):
            if selected := batch.select(seen.add_texts(uris.normalize_all(batch.locs()))):
                yield selected


class _VersionQueue:
    def __init__(self) -> None:
        self._seen = DigestSet()
        self._queue = DiskQueue()

    def add_entries(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            if all(self._seen.add_texts([uris.normalize(entry.loc or "")])):
                self._queue.add_row(_encode(entry))

    def __iter__(self) -> Iterator[Entry]:
        return map(_decode, self._queue)

    def close(self) -> None:
        self._seen.close()
        self._queue.close()


def _with_self_link(entry: Entry, reporter: Reporter) -> Entry:
    """Add a missing link of an entry to itself to its versions, or report that it is missing."""
    versions = versions_of(entry)
    if versions and not includes(versions, entry.loc or ""):
        message = "entry is not among its alternates, and its language is unknown"
        done = "; its versions have no link to it"
        reporter.tally("missing-element", message, done=done, loc=entry.loc)
    others = tuple(link for link in entry.alternates if not is_version(link))
    if len(versions) == 1 or len(versions) + len(others) == len(entry.alternates):
        return entry
    return replace(entry, alternates=(*versions, *others))


def _versions(entry: Entry) -> Iterator[Entry]:
    versions = tuple(filter(is_version, entry.alternates))
    for href in dict.fromkeys(version.href for version in versions):
        yield Entry(loc=href, alternates=versions)


#: Step that adds an entry, with links to all versions, for each version of a page in another
#: language that is not an entry yet; the new entries come last.
alternates_as_entries = Step("alternates", _run, {"loc", "alternates", "language"})
