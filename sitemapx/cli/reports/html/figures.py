"""Plots of the contents of files, and the HTML and SVG elements for them."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from os.path import commonprefix

from lxml import etree
from lxml.builder import E

from sitemapx.check.result import FileSize, Statistics, Tally
from sitemapx.cli.terminal.console import printable
from sitemapx.convert.formats.registry import by_name
from sitemapx.convert.values.words import pluralize

# ---- elements of HTML and SVG; lxml escapes their texts

HtmlElement = etree._Element
Text = str | HtmlElement
#: Numbers are right-aligned.
Cell = Text | int
Row = tuple[Text, *tuple[Cell, ...]]


def tag(name: str, *content: str | HtmlElement, **attributes: object) -> HtmlElement:
    """Create an element; attribute names may end with `_`, and other underscores become hyphens."""
    known = {key.rstrip("_").replace("_", "-"): str(value) for key, value in attributes.items()}
    texts = {key: printable(value) for key, value in known.items()}
    return E(name, texts, *(printable(c) if isinstance(c, str) else c for c in content))


def table(caption: str, head: Sequence[str], rows: Sequence[Row]) -> HtmlElement:
    """Create a table; the first cell of each row is a header."""
    heads = [
        tag("th", name, scope="col", **_cell_class(cell))
        for name, cell in zip(head, rows[0], strict=True)
    ]
    body = [
        tag(
            "tr",
            tag("th", first, scope="row"),
            *(tag("td", _format_cell(cell), **_cell_class(cell)) for cell in rest),
        )
        for first, *rest in rows
    ]
    return tag(
        "table", tag("caption", caption), tag("thead", tag("tr", *heads)), tag("tbody", *body)
    )


def _format_cell(cell: Cell) -> Text:
    return f"{cell:,}" if isinstance(cell, int) else cell


def _cell_class(cell: Cell) -> dict[str, str]:
    return {"class_": "number"} if isinstance(cell, int) else {}


def render(element: HtmlElement) -> str:
    return etree.tostring(element, encoding="unicode", method="html")


# ---- plots in SVG, each with a table of its numbers

#: Name and count.
Bar = tuple[str, int]

_BAR = 34
_PLOT_COLUMNS = 160
_AXIS = 22
_TICKS = 4


def _build_figure(
    title: str, about: str, plots: Mapping[str, HtmlElement], numbers: HtmlElement
) -> HtmlElement:
    """Combine titled plots and a folded table of their numbers under one headline."""
    parts = [tag("div", tag("h4", name), plot) for name, plot in plots.items()]
    return tag(
        "figure",
        tag("figcaption", tag("h3", title), tag("p", about)),
        tag("div", *parts, class_="plots"),
        tag("details", tag("summary", f"{title}, in numbers"), numbers),
    )


def _draw_bars(label: str, rows: Sequence[Bar]) -> HtmlElement:
    """Draw horizontal bars, each below its name and number."""
    most = max((count for _, count in rows), default=0) or 1
    drawn: list[HtmlElement] = []
    for at, (name, count) in enumerate(rows):
        top = at * _BAR
        text = tag("text", name, x=0, y=15)
        # The inner viewport clips long names.
        drawn.append(tag("svg", text, x=0, y=top, width="72%", height=20))
        drawn.append(tag("text", f"{count:,}", x="100%", y=top + 15, text_anchor="end"))
        drawn.append(tag("rect", y=top + 21, width="100%", height=7, class_="track"))
        drawn.append(
            tag("rect", y=top + 21, width=_percentage(count, most), height=7, class_="bar")
        )
    return _draw_plot(f"Bars: {label}", len(rows) * _BAR, drawn)


def _draw_columns(label: str, rows: Sequence[Bar]) -> HtmlElement:
    """Draw vertical bars for two or more rows, and print some of the names below."""
    most = max((count for _, count in rows), default=0) or 1
    floor, step = _PLOT_COLUMNS - _AXIS, 100 / len(rows)
    drawn = [
        tag("text", f"{most:,}", x=0, y=13),
        tag("rect", y=18, width="100%", height=1, class_="track"),
    ]
    for at, (_, count) in enumerate(rows):
        # Small counts stay visible.
        height = max(round((floor - 18) * count / most, 1), 1.5) if count else 0
        place = {"x": f"{at * step:.3f}%", "width": f"{step * 0.8:.3f}%"}
        drawn.append(tag("rect", **place, y=floor - height, height=height, class_="bar"))
    drawn.append(tag("rect", y=floor, width="100%", height=1, class_="axis"))
    last = min(_TICKS, len(rows)) - 1
    for tick in range(last + 1):
        at = round(tick * (len(rows) - 1) / last)
        # The first and last names are aligned with the edges.
        anchor, part = {0: ("start", 0.0), last: ("end", 0.8)}.get(tick, ("middle", 0.4))
        x = f"{(at + part) * step:.3f}%"
        drawn.append(tag("text", rows[at][0], x=x, y=_PLOT_COLUMNS - 5, text_anchor=anchor))
    return _draw_plot(f"Columns: {label}", _PLOT_COLUMNS, drawn)


def _draw_plot(label: str, height: int, drawn: Sequence[HtmlElement]) -> HtmlElement:
    text = f"{label}; the table below has the numbers"
    return tag("svg", *drawn, role="img", aria_label=text, width="100%", height=height)


def _percentage(count: int, most: int) -> str:
    return f"{100 * count / most:.2f}%"


_MAX_BARS = 20
_MAX_FILES = 50
_MAX_COLUMNS = 60
#: At least this number of months is shown, as few wide columns look like a wall.
_MIN_MONTHS = 12
_OTHERS = "all others"


def build_figures(survey: Statistics) -> Iterator[HtmlElement]:
    """Yield the figures that compare more than one number."""
    if len(survey.directories.counts) > 1:
        yield _build_directories(survey.directories)
    if len(survey.months.counts) > 1:
        yield _build_dates(survey)
    if len(survey.files) > 1:
        yield _build_sizes(survey.files)


def _build_directories(tally: Tally) -> HtmlElement:
    common = tally.counts.most_common(_MAX_BARS)
    sites = {"/".join(name.split("/")[:3]) for name in tally.counts}
    site = sites.pop() if len(sites) == 1 else ""
    rows = [(name.removeprefix(site), count) for name, count in common]
    if rest := tally.counts.total() + tally.rest - sum(count for _, count in common):
        rows.append((_OTHERS, rest))
    about = f"Top-level directories of {site or 'each site'}, with everything below them."
    plots = {"URLs": _draw_bars("URLs in each directory", rows)}
    return _build_figure(
        "URLs by directory", about, plots, table("URLs by directory", ["Directory", "URLs"], rows)
    )


def _build_dates(survey: Statistics) -> HtmlElement:
    rows, unit, others = _build_timeline(survey.months.counts)
    about = f"Last changes of pages, by lastmod. Each column is one {unit}."
    if survey.undated:
        about += f" Without lastmod: {pluralize(survey.undated, 'entry', 'entries')}."
    if others:
        which = "Without a month" if unit == "month" else "Older"
        about += f" {which}: {pluralize(others, 'entry', 'entries')}."
    plots = {"Entries": _draw_columns(f"entries that changed last in each {unit}", rows)}
    nonzero = [row for row in rows if row[1]]
    numbers = table("Entries by lastmod", [unit.capitalize(), "Entries"], nonzero)
    return _build_figure("Last changes", about, plots, numbers)


def _build_timeline(months: Counter[str]) -> tuple[list[Bar], str, int]:
    """
    Return a row per month, or per year if there are too many months.

    Also return the unit, and the number of entries outside the rows.
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


def _build_sizes(files: Sequence[FileSize]) -> HtmlElement:
    largest = sorted(files, key=lambda file: -file.size)[:_MAX_FILES]
    shown = files if len(files) <= _MAX_FILES else largest
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
        others = f"{pluralize(left, 'other')} with {pluralize(rest, 'entry', 'entries')}"
        about += f" Only the {_MAX_FILES} largest are shown, not {others}."
    plots = {
        "Entries": _draw_bars(
            "entries of each file", [(name, entries) for name, entries, _ in rows]
        ),
        "Bytes": _draw_bars("bytes of each file", [(name, size) for name, _, size in rows]),
    }
    numbers = table("Sizes of the files", ["File", "Entries", "Bytes"], rows)
    return _build_figure("Sizes of the files", about, plots, numbers)
