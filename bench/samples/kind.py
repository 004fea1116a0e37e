"""A kind of sample: its entries, and their notation."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

__all__ = ["SEED", "Entry", "Kind"]

#: Part of the paths of all samples; a new number causes all to be rewritten.
SEED = 1

#: An object of JSON Lines.
Entry = dict[str, Any]


class Kind(NamedTuple):
    """
    A kind of sample.

    Attributes:
        suffix: Suffix of file names.
        entries: Yields entries, in the form of `sitemapx convert --to jsonl`.
        render: Writes an entry; deterministic.
        start: Text before the entries.
        end: Text after the entries.

    """

    suffix: str
    entries: Callable[[int], Iterator[Entry]]
    render: Callable[[Entry], str]
    start: str = ""
    end: str = ""
