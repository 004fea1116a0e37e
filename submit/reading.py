"""Read the set that is to be submitted: its URLs into a listing, and what its sources are."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from hashlib import blake2b
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

from sitemapx.convert import urls
from sitemapx.convert.discovery import site_of, sitemaps_of
from sitemapx.convert.document import Batch, Head
from sitemapx.convert.fetching import Fetcher
from sitemapx.convert.following import Input
from sitemapx.convert.opening import Opener
from sitemapx.convert.problems import Context, Report, ignore
from sitemapx.convert.sources import local_path
from sitemapx.convert.steps.step import Step
from sitemapx.errors import InputError
from sitemapx.submit.fingerprints import fingerprints, of_files
from sitemapx.submit.listing import LIST, Listing

if TYPE_CHECKING:
    from sitemapx.convert.checking import Checking

__all__ = ["Published", "read_into", "read_list"]

_SIZE = 12


class Published(NamedTuple):
    """
    A source, as engines know it.

    Attributes:
        source: What it was called.
        set_id: The set that its URLs make up, as the journal numbers it.
        address: Where it is published; None if that is not known.
        fingerprint: What tells whether any of its URLs changed.
        head: What it says of itself.
        is_feed: Whether it is a feed.

    """

    source: str
    set_id: int
    address: str | None
    fingerprint: str
    head: Head
    is_feed: bool


def read_into(
    listing: Listing,
    sources: Sequence[str],
    opener: Opener,
    *,
    steps: Sequence[Step] = (),
    chosen: Callable[[str], bool] | None = None,
    checking: "Checking | None" = None,
    report: Report = ignore,
    progress: Callable[[int, int], object] = lambda entries, size: None,
) -> list[Published]:
    """
    Read sources, one after the other.

    Args:
        listing: Takes the URLs.
        steps: What to do with entries before.
        chosen: Tells of a date whether what changed then may be sent; without a date it may not.
        checking: Checks what is read, on its way, and is told of problems in the place of `report`;
            but for folders of pages, which are no sitemaps.
        report: Is told of problems; a URL that is none is one.
        progress: Is told how many entries and how many bytes were read.

    Raises:
        InputError: If a source cannot be read.
        OutputError: If there is no room on disk.

    """
    reading = _Reading(listing, opener, steps, chosen, checking, report, progress)
    fetcher = opener.fetcher or Fetcher()
    found = [reading.read(source) for source in _expanded(sources, fetcher)]
    if checking:
        checking.finish()
    return found


class _Reading:
    """Reads one source after the other; see `read_into`."""

    def __init__(
        self,
        listing: Listing,
        opener: Opener,
        steps: Sequence[Step],
        chosen: Callable[[str], bool] | None,
        checking: "Checking | None",
        report: Report,
        progress: Callable[[int, int], object],
    ) -> None:
        self._listing = listing
        self._opener = opener
        self._steps = steps
        self._chosen = chosen
        self._checking = checking
        self._report = report
        self._progress = progress
        self._size = 0

    def _on_read(self, count: int) -> None:
        self._size += count
        self._progress(self._listing.count, self._size)

    def read(self, source: str) -> Published:
        """Read a source."""
        address = _address(source, self._opener)
        # What search engines are told is never taken from a file by its name alone.
        opener, report = self._opener._replace(beside=None), self._report
        if local_path(source):
            opener = opener._replace(url=address)
        if self._checking and not os.path.isdir(source):
            opener, report = self._checking.opener(opener), self._checking.report
        if address and (path := local_path(source)):
            # Before its address was known, it was called by its path.
            self._listing.journal.rename_set(os.path.abspath(path), address)
        set_id = self._listing.journal.set_id(_name(source, address))
        # Standard input without an address may be another set each time.
        is_named = bool(address) or source != "-"
        digest = blake2b(digest_size=_SIZE)
        first: Input | None = None
        with closing(opener.open([source], report, self._on_read)) as inputs:
            for one in inputs:
                first = first or one
                part = _Part(source, set_id, one.family == "feed" or not is_named)
                self._take(one, part, _marks_of(source, address), digest.update)
        head, family = (first.head, first.family) if first else (Head(), "")
        if os.path.isdir(source):
            address = None  # that of its pages, but not of a sitemap
        address = address or head.self_link
        return Published(source, set_id, address, digest.hexdigest(), head, family == "feed")

    def _take(
        self,
        one: Input,
        part: "_Part",
        marks_of: Callable[[Batch], list[str]],
        note: Callable[[bytes], object],
    ) -> None:
        """Put the entries of an input into the listing."""
        context = Context(self._report, source=urls.without_user(part.source))
        batches = one.batches
        for step in self._steps:
            batches = step.run(batches, context)
        for batch in batches:
            marks = marks_of(batch)
            _add(self._listing, batch, marks, self._chosen, context, part)
            note("\n".join([*batch.locs(), *marks, ""]).encode("utf-8", "replace"))
        context.close()


class _Part(NamedTuple):
    """A part of a set; what a feed lists may roll off, as may the articles of a news sitemap."""

    source: str
    set_id: int
    rolls: bool

    def rolling(self, batch: Batch) -> Sequence[bool]:
        """Tell for each entry whether it may leave the set without being removed."""
        if self.rolls or "news" not in batch.census():
            return [self.rolls] * len(batch)
        return [bool(news) for news in batch.column("news")]


def _name(source: str, address: str | None) -> str:
    """Name the set of a source: by its address, else by its path."""
    return address or (source if source == "-" else os.path.abspath(urls.without_user(source)))


def _marks_of(source: str, address: str | None) -> Callable[[Batch], list[str]]:
    """Tell how to see what changed: a folder has more to show than its pages say."""
    if os.path.isdir(source) and address:
        return partial(of_files, folder=source, url=address)
    return fingerprints


def read_list(listing: Listing, path: str, report: Report = ignore) -> None:
    """
    Read a list of URLs, of which nothing is known but that they shall be sent.

    Raises:
        InputError: If it cannot be read.
        OutputError: If there is no room on disk.

    """
    context = Context(report, source=path)
    with closing(Opener(format="text").open([path], report)) as inputs:
        for one in inputs:
            for batch in one.batches:
                _add(listing, batch, fingerprints(batch), None, context, _Part(path, LIST, True))
    context.close()


def _expanded(sources: Sequence[str], fetcher: Fetcher) -> Iterator[str]:
    """Put in place of a host the sitemaps of its site, for it is they that have an address."""
    for source in sources:
        if source != "-" and not os.path.exists(source) and site_of(source):
            site = fetcher.without_user(source) if urls.is_absolute(source) else source
            yield from sitemaps_of(site, InputError("a site", site), fetcher)
        else:
            yield source


def _add(
    listing: Listing,
    batch: Batch,
    marks: Sequence[str],
    chosen: Callable[[str], bool] | None,
    context: Context,
    part: _Part,
) -> None:
    """Put a batch into the listing."""
    flags: Sequence[bool] = [True] * len(batch)
    if chosen:
        dates = zip(batch.column("lastmod"), batch.column("published"), strict=True)
        flags = [bool((date := one or other) and chosen(date)) for one, other in dates]
    locs, rolls = batch.locs(), part.rolling(batch)
    if not batch.uris():
        uris = [urls.to_uri(urls.without_user(loc)) if loc else None for loc in locs]
        _tell_unusable(locs, uris, context)
        marks, flags = list(compress(marks, uris)), list(compress(flags, uris))
        rolls = list(compress(rolls, uris))
        locs = [uri for uri in uris if uri]
    listing.add(part.set_id, locs, marks, flags, rolls)


def _tell_unusable(locs: Sequence[str], uris: Sequence[str | None], context: Context) -> None:
    for loc, uri in zip(locs, uris, strict=True):
        if loc and not uri:
            context.problem("bad-loc", f"not an absolute http(s) URL: {loc!r}; not sent")
        elif not uri:
            context.tally("no-loc", "an entry without a URL; not sent")


def _address(source: str, opener: Opener) -> str | None:
    """Find where a source is published; a folder, with a final slash."""
    if urls.is_absolute(source):
        return urls.without_user(source)
    name = local_path(source)
    if opener.url or name is None:
        return opener.url
    path = os.path.abspath(name)
    for mapping in opener.mappings:
        folder = os.path.abspath(mapping.folder)
        if os.path.commonpath([path, folder]) == folder:
            end = "/" if os.path.isdir(path) else ""
            name = os.path.relpath(path, folder).replace(os.sep, "/")
            return mapping.url + (urls.escaped(name) + end if name != "." else "")
    return None
