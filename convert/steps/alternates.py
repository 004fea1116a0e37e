"""The step that makes entries of the versions of pages."""

from collections.abc import Iterable, Iterator
from contextlib import closing

import msgspec
from msgspec.structs import replace

from sitemapx.convert.disk.spill import DiskQueue, Seen
from sitemapx.convert.model.batch import Batch, batched
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.model.versions import is_version, names, versions_of
from sitemapx.convert.steps.step import Step
from sitemapx.convert.values import uris

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Entry).decode


def _run(batches: Iterator[Batch], reporter: Reporter) -> Iterator[Batch]:
    with closing(Seen()) as seen, closing(_Waiting()) as waiting:
        for batch in batches:
            seen.add(uris.normals(batch.locs()))
            if not batch.field_counts().get("alternates"):
                yield batch
                continue
            entries = [_linked(entry, reporter) for entry in batch.entries]
            for entry in entries:
                waiting.add(_versions(entry))
            yield Batch(entries)
        # only now is it known which of them are entries already
        for batch in batched(waiting):
            if selected := batch.select(seen.add(uris.normals(batch.locs()))):
                yield selected


class _Waiting:
    """Versions that may become entries, each once."""

    def __init__(self) -> None:
        self._seen = Seen()
        self._queue = DiskQueue()

    def add(self, entries: Iterable[Entry]) -> None:
        """Take some, with their URLs."""
        for entry in entries:
            if all(self._seen.add([uris.normal(entry.loc or "")])):
                self._queue.add(_encode(entry))

    def __iter__(self) -> Iterator[Entry]:
        """Return them in their order."""
        return map(_decode, self._queue)

    def close(self) -> None:
        """Release the disk space."""
        self._seen.close()
        self._queue.close()


def _linked(entry: Entry, reporter: Reporter) -> Entry:
    """Return an entry that is among its own versions, if its language is known."""
    versions = versions_of(entry)
    if versions and not names(versions, entry.loc or ""):
        message = "entry is not among its alternates, and its language is unknown"
        done = "; its versions have no link to it"
        reporter.tally("incomplete", message, done=done, loc=entry.loc)
    others = tuple(one for one in entry.alternates if not is_version(one))
    if len(versions) == 1 or len(versions) + len(others) == len(entry.alternates):
        return entry
    return replace(entry, alternates=(*versions, *others))


def _versions(entry: Entry) -> Iterator[Entry]:
    """Return an entry for each version of a page, with links to all."""
    versions = tuple(filter(is_version, entry.alternates))
    for href in dict.fromkeys(one.href for one in versions):
        yield Entry(loc=href, alternates=versions)


#: Step that adds an entry, with links to all versions, for each version of a page in another
#: language that is not an entry yet; these come after all others.
alternates_as_entries = Step("alternates", _run, {"loc", "alternates", "language"})
