"""Data of charts about the contents of files, for a terminal or an HTML page."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from os.path import commonprefix
from typing import NamedTuple

from sitemapx.convert.formats.registry import by_name
from sitemapx.convert.statistics import ContentStatistics, FileSize, Tally
from sitemapx.convert.values.words import pluralize

#: Label of a row, and the number in each column.
Row = tuple[str, Sequence[int]]

_MAX_BARS = 20
_MAX_FILES = 50
_MAX_COLUMNS = 60
#: Minimum number of months, as a few wide columns are hard to read.
_MIN_MONTHS = 12
#: Width in characters of a range of lengths.
_RANGE = 20
_MAX_RANGES = 15
_OTHERS = "all others"
_SECURE = "https://"


class Chart(NamedTuple):
    """
    The data of a chart: rows, each of which has a name and one or more numbers.

    Attributes:
        about: Description of the numbers.
        head: Headings of the columns: the names, and each of the numbers.
        is_timeline: Whether the rows are periods of time.

    """

    title: str
    about: str
    head: Sequence[str]
    rows: Sequence[Row]
    is_timeline: bool = False


def build_charts(statistics: ContentStatistics) -> Iterator[Chart]:
    """Yield the charts for which the statistics have enough data."""
    if len(statistics.hosts) > 1:
        yield _rank("Hosts", "Hosts of the URLs.", "Host", "URLs", statistics.hosts)
    if len(statistics.directories.counts) > 1:
        yield _chart_directories(statistics.directories)
    if len(statistics.months.counts) > 1:
        yield _chart_dates(statistics)
    if statistics.languages.total:
        about = "Languages of the alternates, or of the entries if they have no alternates."
        languages = statistics.languages
        yield _rank("Languages", about, "Language", "Number", languages.counts, languages.rest)
    if len(statistics.frequencies) > 1:
        about = "Change frequencies, which Google and Bing ignore."
        yield _rank("Change frequencies", about, "Frequency", "Entries", statistics.frequencies)
    if statistics.media:
        about = "Entries that have images, videos, news, alternates or enclosures."
        yield _rank("Media", about, "Kind", "Entries", statistics.media)
    if len(statistics.lengths) > 1:
        yield _chart_lengths(statistics.lengths)
    if len(statistics.files) > 1:
        yield _chart_sizes(statistics.files)


def _rank(
    title: str, about: str, name: str, unit: str, counts: Mapping[str, int], rest: int = 0
) -> Chart:
    """Return a chart of the most frequent names, and of the sum of the other counts plus `rest`."""
    common = Counter(counts).most_common(_MAX_BARS)
    rest += sum(counts.values()) - sum(count for _, count in common)
    rows = [(key, [count]) for key, count in common] + [(_OTHERS, [rest])] * bool(rest)
    return Chart(title, about, (name, unit), rows)


def _chart_directories(tally: Tally) -> Chart:
    sites = {"/".join(name.split("/")[:3]) for name in tally.counts}
    site = sites.pop() if len(sites) == 1 else ""
    about = f"Top-level directories of {site or 'each site'}, with everything below them."
    is_secure = all(name.startswith(_SECURE) for name in tally.counts)
    start = site or (_SECURE if is_secure else "")
    counts = {name.removeprefix(start): count for name, count in tally.counts.items()}
    return _rank("URLs by directory", about, "Directory", "URLs", counts, tally.rest)


def _chart_dates(statistics: ContentStatistics) -> Chart:
    rows, unit, others = _build_timeline(statistics.months.counts)
    about = f"Last changes of pages, by lastmod. Each column is one {unit}."
    if statistics.undated:
        about += f" Without lastmod: {pluralize(statistics.undated, 'entry', 'entries')}."
    if others:
        which = "Without a month" if unit == "month" else "Older"
        about += f" {which}: {pluralize(others, 'entry', 'entries')}."
    periods = [(name, [count]) for name, count in rows]
    return Chart("Last changes", about, (unit.capitalize(), "Entries"), periods, is_timeline=True)


def _build_timeline(months: Counter[str]) -> tuple[list[tuple[str, int]], str, int]:
    """
    Return a row per month, or per year if there are too many months or only years.

    Also return the unit, "month" or "year", and the number of entries outside the rows.
    """
    numbers = sorted(_month_number(month) for month in months if len(month) > 4)
    unit = "month"
    if not numbers or numbers[-1] - numbers[0] >= _MAX_COLUMNS:
        unit = "year"
        years: Counter[str] = Counter()
        for month, count in months.items():
            years[month[:4]] += count
        last = int(max(years))
        names = [
            f"{year:04}" for year in range(max(int(min(years)), last - _MAX_COLUMNS + 1), last + 1)
        ]
        counts = years
    else:
        first = min(numbers[0], numbers[-1] - _MIN_MONTHS + 1)
        names = [f"{n // 12:04}-{n % 12 + 1:02}" for n in range(first, numbers[-1] + 1)]
        counts = months
    rows = [(name, counts[name]) for name in names]
    return rows, unit, counts.total() - sum(count for _, count in rows)


def _month_number(month: str) -> int:
    return int(month[:4]) * 12 + int(month[5:]) - 1


def _chart_lengths(lengths: Counter[int]) -> Chart:
    ranges = Counter[int]()
    for length, count in lengths.items():
        ranges[min((length - 1) // _RANGE, _MAX_RANGES - 1)] += count
    first, last = min(ranges), max(ranges)
    rows = [(_name_of_range(number), [ranges[number]]) for number in range(first, last + 1)]
    shorter = accumulate(lengths[length] for length in sorted(lengths))
    middle = next(n for n, count in enumerate(shorter) if 2 * count >= lengths.total())
    about = (
        f"Characters of the URLs: {min(lengths):,} to {max(lengths):,}, "
        f"median {sorted(lengths)[middle]:,}. A sitemap allows 2,048."
    )
    return Chart("Lengths of URLs", about, ("Characters", "URLs"), rows)


def _name_of_range(number: int) -> str:
    start = number * _RANGE + 1
    return f"{start} or more" if number == _MAX_RANGES - 1 else f"{start} to {start + _RANGE - 1}"


def _chart_sizes(files: Sequence[FileSize]) -> Chart:
    largest = sorted(files, key=lambda file: (-(file.size or 0), -file.entries))[:_MAX_FILES]
    shown: Iterable[FileSize] = files if len(files) <= _MAX_FILES else largest
    prefix = commonprefix([file.source for file in shown])  # noqa: RUF071 - of URLs, too
    folder = prefix[: prefix.rfind("/") + 1]
    limits = by_name("sitemap").limits
    assert limits is not None
    about = (
        "Bars are relative to the largest file. The limits of a sitemap are "
        f"{limits.entries:,} entries and {limits.size:,} bytes, uncompressed."
    )
    about += f" All are in {folder}" if folder else ""
    if left := len(files) - len(largest):
        rest = sum(file.entries for file in files) - sum(file.entries for file in shown)
        others = f"{pluralize(left, 'other')} with {pluralize(rest, 'entry', 'entries')}"
        about += f" Only the {_MAX_FILES} largest are shown, not {others}."
    names = [(file, file.source.removeprefix(folder)) for file in shown]
    if any(file.size is None for file in files):
        entries = [(name, [file.entries]) for file, name in names]
        return Chart("Sizes of the files", about, ("File", "Entries"), entries)
    rows = [(name, [file.entries, file.size or 0]) for file, name in names]
    return Chart("Sizes of the files", about, ("File", "Entries", "Bytes"), rows)
