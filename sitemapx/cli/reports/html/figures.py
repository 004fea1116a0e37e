"""Builds plots of the contents of files, as HTML and SVG elements."""

from collections.abc import Sequence

from lxml import etree
from lxml.builder import E

from sitemapx.cli.reports.charts import Chart
from sitemapx.cli.terminal.console import printable

# ---- elements of HTML and SVG; lxml escapes their texts

HtmlElement = etree._Element
Text = str | HtmlElement
#: Numbers are right-aligned.
Cell = Text | int
Row = tuple[Text, *tuple[Cell, ...]]


def tag(name: str, *content: str | HtmlElement, **attributes: object) -> HtmlElement:
    """Create an element; in attribute names, a final `_` is removed and others become hyphens."""
    known = {key.rstrip("_").replace("_", "-"): str(value) for key, value in attributes.items()}
    texts = {key: printable(value) for key, value in known.items()}
    return E(name, texts, *(printable(c) if isinstance(c, str) else c for c in content))


def table(caption: str, head: Sequence[str], rows: Sequence[Row]) -> HtmlElement:
    """Create a table of one or more rows; the first cell of each row is a header."""
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


def _draw_bars(label: str, rows: Sequence[Bar]) -> HtmlElement:
    most = max((count for _, count in rows), default=0) or 1
    drawn: list[HtmlElement] = []
    for at, (name, count) in enumerate(rows):
        top = at * _BAR
        text = tag("text", name, x=0, y=15)
        # The nested SVG element clips long names.
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


def build_figure(chart: Chart) -> HtmlElement:
    """Draw a chart: a plot for each kind of number, and a folded table of the numbers."""
    draw = _draw_columns if chart.is_timeline else _draw_bars
    by = chart.head[0].lower()
    plots = [
        tag("div", tag("h4", unit), draw(f"{unit} by {by}", [(n, c[at]) for n, c in chart.rows]))
        for at, unit in enumerate(chart.head[1:])
    ]
    rows: list[Row] = [(name, *counts) for name, counts in chart.rows if any(counts)]
    numbers = table(chart.title, chart.head, rows)
    return tag(
        "figure",
        tag("figcaption", tag("h3", chart.title), tag("p", chart.about)),
        tag("div", *plots, class_="plots"),
        tag("details", tag("summary", f"{chart.title}, in numbers"), numbers),
    )
