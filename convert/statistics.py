"""Statistics of entries: hosts, directories, dates, languages, media and lengths of URLs."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from sitemapx.convert.disk.spill import RepeatCounter
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.problems import ProblemHandler, log
from sitemapx.convert.sources.opener import Opener
from sitemapx.convert.sources.source import Source
from sitemapx.convert.values.urls import without_password

#: Number of names kept by a full tally, as for a site with a directory for each page.
_NAMES = 10_000
_directories = re.compile(r"^https?://[^/\n]+/(?:[^/?#\n]+/)?", re.MULTILINE).findall
#: Fields whose values are read; for other fields, only the entries that have them are counted.
_READ_FIELDS = ("loc", "lastmod", "published", "changefreq", "language", "alternates")
#: Fields that are counted, by their names in the statistics.
_MEDIA = ("images", "videos", "news", "alternates", "enclosures")


class Tally:
    """
    Counts names in limited memory.

    When there are more than twice `most` names, only the `most` most frequent ones are kept.

    Attributes:
        counts: Number of occurrences of each kept name, since it was last dropped.
        rest: Number of all other occurrences.

    """

    def __init__(self, most: int = _NAMES) -> None:
        self.counts: Counter[str] = Counter()
        self.rest = 0
        self._most = most

    def add_counts(self, names: Mapping[str, int]) -> None:
        """
        Add a number of occurrences for each name.

        >>> tally = Tally(1)
        >>> tally.add_counts({"a": 3, "b": 2, "c": 1})
        >>> tally.counts, tally.rest
        (Counter({'a': 3}), 3)
        """
        self.counts.update(names)
        if len(self.counts) > 2 * self._most:
            total = self.counts.total()
            self.counts = Counter(dict(self.counts.most_common(self._most)))
            self.rest += total - self.counts.total()

    @property
    def total(self) -> int:
        return self.counts.total() + self.rest


class FileSize(NamedTuple):
    """
    A file that was read.

    Attributes:
        source: Name of the file; "-" if unknown.
        size: Decompressed size in bytes; None if unknown.

    """

    source: str
    entries: int
    size: int | None = None


class BatchCounts(NamedTuple):
    entries: int
    directories: Counter[str]
    months: Counter[str]
    languages: Counter[str]
    frequencies: Counter[str]
    media: Counter[str]
    lengths: Counter[int]


def count_batch(batch: Batch, urls: Sequence[str] | None = None) -> BatchCounts:
    """Count the values in a batch; `urls` are its normalized URLs if the caller has them."""
    counts = batch.field_counts()
    locs = batch.locs() if urls is None else urls
    dates = batch.column("lastmod")
    if "published" in counts:
        published = batch.column("published")
        dates = [date or other for date, other in zip(dates, published, strict=True)]
    return BatchCounts(
        len(batch),
        Counter(_directories(without_password("\n".join(locs)))),
        Counter([date[:7] for date in dates if date]),
        _count_languages(batch),
        Counter(filter(None, batch.column("changefreq"))) if "changefreq" in counts else Counter(),
        Counter({name: counts[name] for name in _MEDIA if name in counts}),
        Counter(map(len, filter(None, locs))),
    )


def _count_languages(batch: Batch) -> Counter[str]:
    counts = batch.field_counts()
    if "alternates" in counts:
        links = chain.from_iterable(batch.column("alternates"))
        return Counter(link.hreflang for link in links if link.hreflang)
    return Counter(filter(None, batch.column("language"))) if "language" in counts else Counter()


@dataclass
class ContentStatistics:
    """
    Statistics of the entries of any number of files.

    Attributes:
        entries: Number of entries.
        directories: Number of URLs in each top-level directory of each site.
        months: Number of entries by the month of their last change, or else of their publication.
            If a date has no month, the year is used.
        languages: Number of alternates in each language; in a batch without alternates, of entries.
        frequencies: Number of entries by change frequency.
        media: Number of entries that have images, videos, news, alternates or enclosures.
        lengths: Number of URLs by their length in characters.
        files: The files that were read.
        repeated: Number of entries whose URL occurred before; None if not counted.

    """

    entries: int = 0
    directories: Tally = field(default_factory=Tally)
    months: Tally = field(default_factory=Tally)
    languages: Tally = field(default_factory=Tally)
    frequencies: Counter[str] = field(default_factory=Counter)
    media: Counter[str] = field(default_factory=Counter)
    lengths: Counter[int] = field(default_factory=Counter)
    files: list[FileSize] = field(default_factory=list)
    repeated: int | None = None

    def add_counts(self, counts: BatchCounts) -> None:
        self.entries += counts.entries
        self.directories.add_counts(counts.directories)
        self.months.add_counts(counts.months)
        self.languages.add_counts(counts.languages)
        self.frequencies.update(counts.frequencies)
        self.media.update(counts.media)
        self.lengths.update(counts.lengths)

    @property
    def undated(self) -> int:
        """Number of entries that `months` does not count."""
        return self.entries - self.months.total

    @property
    def hosts(self) -> Counter[str]:
        """Number of URLs on each host, in the directories whose counts are kept."""
        hosts: Counter[str] = Counter()
        for directory, count in self.directories.counts.items():
            hosts[directory.split("/")[2]] += count
        return hosts


def collect_statistics(
    sources: Iterable[Source],
    *,
    opener: Opener | None = None,
    report: ProblemHandler = log,
    on_read: Callable[[int, int], object] = lambda entries, size: None,
) -> ContentStatistics:
    """
    Collect the statistics of sources.

    Args:
        sources: Paths, URLs, hosts, `-` for standard input, or binary streams.
        opener: Options for reading the sources; None for the defaults.
        report: Called with each problem; by default, problems are logged.
        on_read: Called repeatedly with the numbers of entries and bytes read so far.

    Raises:
        InputError: If a source cannot be read.
        UsageError: If a source cannot be opened as requested.

    Examples:
        >>> import io
        >>> stream = io.BytesIO(b"https://example.com/a/b" + bytes([10]) + b"https://example.com/")
        >>> statistics = collect_statistics([stream])
        >>> statistics.entries, statistics.hosts, statistics.repeated
        (2, Counter({'example.com': 2}), 0)

    """
    statistics, size = ContentStatistics(), 0

    def count_bytes(count: int) -> None:
        nonlocal size
        size += count
        on_read(statistics.entries, size)

    with closing(RepeatCounter()) as repeats:
        opened = (opener or Opener()).open(sources, report, count_bytes, _READ_FIELDS)
        with closing(opened) as parts:
            for part in parts:
                before = statistics.entries
                for batch in part.batches:
                    statistics.add_counts(count_batch(batch))
                    repeats.add_hashes([hash(loc) for loc in batch.locs() if loc])
                    on_read(statistics.entries, size)
                entries = statistics.entries - before
                statistics.files.append(FileSize(part.source or "-", entries))
        statistics.repeated = repeats.count()
    return statistics
