"""A kind of sample: its entries, and the text in which they are written."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

__all__ = ["SEED", "Entry", "Kind"]

#: Part of the paths of all samples; a new number causes all to be rewritten.
SEED = 1

#: An object of JSON Lines.
Entry = dict[str, Any]


class Kind(NamedTuple):
    """
    Definition of a kind of sample file.

    Attributes:
        suffix: Suffix of file names.
        entries: Function that yields a number of entries, as `sitemapx convert --to jsonl` does.
        render: Function that returns the text of an entry; deterministic.
        start: Text before the entries.
        end: Text after the entries.

    """

    suffix: str
    entries: Callable[[int], Iterator[Entry]]
    render: Callable[[Entry], str]
    start: str = ""
    end: str = ""
