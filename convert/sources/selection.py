"""The listed sitemaps of an index that are read."""

from collections.abc import Callable, Iterable, Iterator

from sitemapx.convert.formats.format import Context
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.values.words import counted

__all__ = ["selected"]


def selected(
    rows: Iterable[Entry], selects: Callable[[Entry], object] | None, context: Context
) -> Iterator[Entry]:
    """
    Return the entries of an index that are selected, and report how many are not.

    Args:
        selects: Returns whether an entry is selected; None for all.

    """
    number = skipped = 0
    for row in rows:
        number += 1
        if selects is None or selects(row):
            yield row
        else:
            skipped += 1
    if skipped:
        message = f"{skipped:,} of {counted(number, 'listed sitemap')} skipped: not selected"
        context.problem("child-skipped", message)
