"""
Plots in SVG, each with its numbers in a table below.

They have no size of their own: lengths are parts of the width that there is, so that the text of
a plot is as large on a telephone as it is on a desk.
"""

from collections.abc import Mapping, Sequence

from sitemapx.cli.reports.html.elements import HtmlElement, tag

__all__ = ["Bar", "bars", "columns", "figure"]

#: A name, and how often it came.
Bar = tuple[str, int]

_BAR = 34
_COLUMNS = 160
_AXIS = 22
_TICKS = 4


def figure(
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


def bars(label: str, rows: Sequence[Bar]) -> HtmlElement:
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


def columns(label: str, rows: Sequence[Bar]) -> HtmlElement:
    """Draw a column for each row, of which there are two or more, with some of the names below."""
    most = max((count for _, count in rows), default=0) or 1
    floor, step = _COLUMNS - _AXIS, 100 / len(rows)
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
        drawn.append(tag("text", rows[at][0], x=x, y=_COLUMNS - 5, text_anchor=anchor))
    return _plot(f"Columns: {label}", _COLUMNS, drawn)


def _plot(label: str, height: int, drawn: Sequence[HtmlElement]) -> HtmlElement:
    text = f"{label}; the table below has the numbers"
    return tag("svg", *drawn, role="img", aria_label=text, width="100%", height=height)


def _part(count: int, most: int) -> str:
    return f"{100 * count / most:.2f}%"
