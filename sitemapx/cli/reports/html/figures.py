"""Figures of what is in the files: where there is more than one number to compare."""

from collections import Counter
from collections.abc import Iterator, Sequence
from os.path import commonprefix

from sitemapx.check.statistics import FileSize, Statistics, Tally
from sitemapx.cli.reports.html.elements import HtmlElement, table
from sitemapx.cli.reports.html.plots import Bar, bars, columns, figure
from sitemapx.convert.formats.registry import by_name
from sitemapx.convert.values.words import counted

__all__ = ["figures"]

#: So many bars are still looked at one by one.
_BARS = 20
_FILES = 50
#: So many columns can be told from each other; fewer months than a year look like a wall.
_COLUMNS = 60
_YEAR = 12
_OTHERS = "all others"


def figures(survey: Statistics) -> Iterator[HtmlElement]:
    """Draw all that there is to compare."""
    if len(survey.directories.counts) > 1:
        yield _directories(survey.directories)
    if len(survey.months.counts) > 1:
        yield _dates(survey)
    if len(survey.files) > 1:
        yield _sizes(survey.files)


def _directories(tally: Tally) -> HtmlElement:
    common = tally.counts.most_common(_BARS)
    sites = {"/".join(name.split("/")[:3]) for name in tally.counts}
    site = sites.pop() if len(sites) == 1 else ""
    rows = [(name.removeprefix(site), count) for name, count in common]
    if rest := tally.counts.total() + tally.rest - sum(count for _, count in common):
        rows.append((_OTHERS, rest))
    about = f"Top-level directories of {site or 'each site'}, with everything below them."
    plots = {"URLs": bars("URLs in each directory", rows)}
    return figure(
        "URLs by directory", about, plots, table("URLs by directory", ["Directory", "URLs"], rows)
    )


def _dates(survey: Statistics) -> HtmlElement:
    rows, unit, others = _timeline(survey.months.counts)
    about = f"Last changes of pages, by lastmod. Each column is one {unit}."
    if survey.undated:
        about += f" Without lastmod: {counted(survey.undated, 'entry', 'entries')}."
    if others:
        which = "Without a month" if unit == "month" else "Older"
        about += f" {which}: {counted(others, 'entry', 'entries')}."
    plots = {"Entries": columns(f"entries that changed last in each {unit}", rows)}
    told = [row for row in rows if row[1]]
    numbers = table("Entries by lastmod", [unit.capitalize(), "Entries"], told)
    return figure("Last changes", about, plots, numbers)


def _timeline(months: Counter[str]) -> tuple[list[Bar], str, int]:
    """Make columns of months, or of years if they were too many; and count what is in none."""
    numbers = sorted(_number(month) for month in months if len(month) > 4)
    unit = "month"
    if not numbers or numbers[-1] - numbers[0] >= _COLUMNS:
        unit = "year"
        years: Counter[str] = Counter()
        for month, count in months.items():
            years[month[:4]] += count
        last = int(max(years))
        names = [
            f"{year:04}" for year in range(max(int(min(years)), last - _COLUMNS + 1), last + 1)
        ]
        counts = years
    else:
        first = min(numbers[0], numbers[-1] - _YEAR + 1)
        names = [f"{n // 12:04}-{n % 12 + 1:02}" for n in range(first, numbers[-1] + 1)]
        counts = months
    rows = [(name, counts[name]) for name in names]
    return rows, unit, counts.total() - sum(count for _, count in rows)


def _number(month: str) -> int:
    return int(month[:4]) * 12 + int(month[5:]) - 1


def _sizes(files: Sequence[FileSize]) -> HtmlElement:
    largest = sorted(files, key=lambda file: -file.size)[:_FILES]
    shown = files if len(files) <= _FILES else largest
    prefix = commonprefix([file.source for file in shown])  # noqa: RUF071 - of URLs, too
    folder = prefix[: prefix.rfind("/") + 1]
    rows = [(file.source.removeprefix(folder), file.entries, file.size) for file in shown]
    limits = by_name("sitemap").limits
    assert limits is not None
    about = (
        "Bars are relative to the largest file. The limits of a sitemap are "
        f"{limits.entries:,} entries and {limits.size:,} bytes, uncompressed."
    )
    about += f" All are in {folder}" if folder else ""
    if left := len(files) - len(shown):
        rest = sum(file.entries for file in files) - sum(file.entries for file in shown)
        others = f"{counted(left, 'other')} with {counted(rest, 'entry', 'entries')}"
        about += f" Only the {_FILES} largest are shown, not {others}."
    plots = {
        "Entries": bars("entries of each file", [(name, entries) for name, entries, _ in rows]),
        "Bytes": bars("bytes of each file", [(name, size) for name, _, size in rows]),
    }
    numbers = table("Sizes of the files", ["File", "Entries", "Bytes"], rows)
    return figure("Sizes of the files", about, plots, numbers)
