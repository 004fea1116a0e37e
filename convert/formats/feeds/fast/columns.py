"""Columns of the values of feeds."""

from collections.abc import Sequence

from sitemapx.convert.formats.regular.columns import Column, column_of
from sitemapx.convert.values import datatypes
from sitemapx.convert.values.dates import parse_feed_date
from sitemapx.convert.values.rfc822 import is_usual, parse_usual, rewrite_usual, with_usual_zones

__all__ = ["chosen", "date_column"]


def date_column(texts: Sequence[str | None]) -> Column | None:
    """Make a column of dates; those that cannot be read, or whose zone is not known, are odd."""
    column = column_of(datatypes.TEXT, texts)
    if column is None:
        return None
    written = with_usual_zones([text for text in column.values if text])
    dates: Sequence[str | None] | None = parse_usual(written)
    if dates is None:
        others = {text: _date(text) for text in written if not is_usual(text)}
        usual = [text for text in written if text not in others]
        others.update(zip(usual, rewrite_usual(usual), strict=True))
        dates = [others[text] for text in written]
    if len(dates) < len(texts):
        rest = iter(dates)
        dates = [next(rest) if text else None for text in column.values]
    if None not in dates:
        return Column(dates)
    pairs = enumerate(zip(column.values, dates, strict=True))
    return Column(dates, [n for n, (text, date) in pairs if text and not date])


def _date(text: str) -> str | None:
    unknown: list[str] = []
    date = parse_feed_date(text, unknown.append)
    return None if unknown else date


def chosen(columns: dict[str, Column], names: Sequence[str]) -> Column | None:
    """
    Choose of several fields with the same meaning the first that has a value.

    What another one says, if that is something else, is left out.
    """
    present = [name for name in names if name in columns]
    if not present:
        return None
    first, *others = (columns.pop(name) for name in present)
    values, odd = list(first.values), [*first.odd]
    losses: dict[str, list[int]] = {}
    best = [present[0] if value else None for value in values]
    for name, column in zip(present[1:], others, strict=True):
        odd += column.odd
        for row, value in enumerate(column.values):
            if value and not values[row]:
                values[row], best[row] = value, name
            elif value and value != values[row]:
                losses.setdefault(f"<{name}> beside <{best[row]}>", []).append(row)
    return Column(values, odd, {**first.losses, **losses})
