"""Figures of what is in the files: where there is more than one number to compare."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from os.path import commonprefix

from lxml import etree
from lxml.builder import E

from sitemapx.check.result import FileSize, Statistics, Tally
from sitemapx.cli.terminal.console import printable
from sitemapx.convert.formats.registry import by_name
from sitemapx.convert.values.words import pluralize

# ---- elements of HTML and SVG, in which nothing that is quoted can become markup

HtmlElement = etree._Element
Text = str | HtmlElement
#: Numbers are set at the end of their column.
Cell = Text | int
Row = tuple[Text, *tuple[Cell, ...]]


def tag(name: str, *content: str | HtmlElement, **attributes: object) -> HtmlElement:
    """
    Make an element.

    Args:
        content: Texts, and elements.
        attributes: Their names may end with `_`, which is left out; all other are hyphens.

    """
    known = {key.rstrip("_").replace("_", "-"): str(value) for key, value in attributes.items()}
    texts = {key: printable(value) for key, value in known.items()}
    return E(name, texts, *(printable(one) if isinstance(one, str) else one for one in content))


def table(caption: str, head: Sequence[str], rows: Sequence[Row]) -> HtmlElement:
    """Make a table; the first cell of each row is its head."""
    heads = [
        tag("th", name, scope="col", **_kind(cell))
        for name, cell in zip(head, rows[0], strict=True)
    ]
    body = [
        tag(
            "tr",
            tag("th", first, scope="row"),
            *(tag("td", _text(one), **_kind(one)) for one in rest),
        )
        for first, *rest in rows
    ]
    return tag(
        "table", tag("caption", caption), tag("thead", tag("tr", *heads)), tag("tbody", *body)
    )


def _text(cell: Cell) -> Text:
    return f"{cell:,}" if isinstance(cell, int) else cell


def _kind(cell: Cell) -> dict[str, str]:
    return {"class_": "number"} if isinstance(cell, int) else {}


def render(element: HtmlElement) -> str:
    """Write an element as HTML."""
    return etree.tostring(element, encoding="unicode", method="html")


# ---- plots in SVG, each with its numbers in a table below

#: A name, and how often it came.
Bar = tuple[str, int]

_BAR = 34
_PLOT_COLUMNS = 160
_AXIS = 22
_TICKS = 4


def _figure(
    title: str, about: str, plots: Mapping[str, HtmlElement], numbers: HtmlElement
) -> HtmlElement:
    """Put plots, each with its headline, under one; their numbers can be unfolded."""
    parts = [tag("div", tag("h4", name), plot) for name, plot in plots.items()]
    return tag(
        "figure",
        tag("figcaption", tag("h3", title), tag("p", about)),
        tag("div", *parts, class_="plots"),
        tag("details", tag("summary", f"{title}, in numbers"), numbers),
    )


def _bars(label: str, rows: Sequence[Bar]) -> HtmlElement:
    """Draw a bar for each row, one below the other, with its name and its number above."""
    most = max((count for _, count in rows), default=0) or 1
    drawn: list[HtmlElement] = []
    for at, (name, count) in enumerate(rows):
        top = at * _BAR
        text = tag("text", name, x=0, y=15)
        # What is too long for its place is cut off there.
        drawn.append(tag("svg", text, x=0, y=top, width="72%", height=20))
        drawn.append(tag("text", f"{count:,}", x="100%", y=top + 15, text_anchor="end"))
        drawn.append(tag("rect", y=top + 21, width="100%", height=7, class_="track"))
        drawn.append(tag("rect", y=top + 21, width=_part(count, most), height=7, class_="bar"))
    return _plot(f"Bars: {label}", len(rows) * _BAR, drawn)


def _columns(label: str, rows: Sequence[Bar]) -> HtmlElement:
    """Draw a column for each row, of which there are two or more, with some of the names below."""
    most = max((count for _, count in rows), default=0) or 1
    floor, step = _PLOT_COLUMNS - _AXIS, 100 / len(rows)
    drawn = [
        tag("text", f"{most:,}", x=0, y=13),
        tag("rect", y=18, width="100%", height=1, class_="track"),
    ]
    for at, (_, count) in enumerate(rows):
        # Little is not nothing.
        height = max(round((floor - 18) * count / most, 1), 1.5) if count else 0
        place = {"x": f"{at * step:.3f}%", "width": f"{step * 0.8:.3f}%"}
        drawn.append(tag("rect", **place, y=floor - height, height=height, class_="bar"))
    drawn.append(tag("rect", y=floor, width="100%", height=1, class_="axis"))
    last = min(_TICKS, len(rows)) - 1
    for tick in range(last + 1):
        at = round(tick * (len(rows) - 1) / last)
        # At the edges, a name ends with its column.
        anchor, part = {0: ("start", 0.0), last: ("end", 0.8)}.get(tick, ("middle", 0.4))
        x = f"{(at + part) * step:.3f}%"
        drawn.append(tag("text", rows[at][0], x=x, y=_PLOT_COLUMNS - 5, text_anchor=anchor))
    return _plot(f"Columns: {label}", _PLOT_COLUMNS, drawn)


def _plot(label: str, height: int, drawn: Sequence[HtmlElement]) -> HtmlElement:
    text = f"{label}; the table below has the numbers"
    return tag("svg", *drawn, role="img", aria_label=text, width="100%", height=height)


def _part(count: int, most: int) -> str:
    return f"{100 * count / most:.2f}%"


#: So many _bars are still looked at one by one.
_BARS = 20
_FILES = 50
#: So many _columns can be told from each other; fewer months than a year look like a wall.
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
    plots = {"URLs": _bars("URLs in each directory", rows)}
    return _figure(
        "URLs by directory", about, plots, table("URLs by directory", ["Directory", "URLs"], rows)
    )


def _dates(survey: Statistics) -> HtmlElement:
    rows, unit, others = _timeline(survey.months.counts)
    about = f"Last changes of pages, by lastmod. Each column is one {unit}."
    if survey.undated:
        about += f" Without lastmod: {pluralize(survey.undated, 'entry', 'entries')}."
    if others:
        which = "Without a month" if unit == "month" else "Older"
        about += f" {which}: {pluralize(others, 'entry', 'entries')}."
    plots = {"Entries": _columns(f"entries that changed last in each {unit}", rows)}
    told = [row for row in rows if row[1]]
    numbers = table("Entries by lastmod", [unit.capitalize(), "Entries"], told)
    return _figure("Last changes", about, plots, numbers)


def _timeline(months: Counter[str]) -> tuple[list[Bar], str, int]:
    """Make _columns of months, or of years if they were too many; and count what is in none."""
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
        others = f"{pluralize(left, 'other')} with {pluralize(rest, 'entry', 'entries')}"
        about += f" Only the {_FILES} largest are shown, not {others}."
    plots = {
        "Entries": _bars("entries of each file", [(name, entries) for name, entries, _ in rows]),
        "Bytes": _bars("bytes of each file", [(name, size) for name, _, size in rows]),
    }
    numbers = table("Sizes of the files", ["File", "Entries", "Bytes"], rows)
    return _figure("Sizes of the files", about, plots, numbers)
