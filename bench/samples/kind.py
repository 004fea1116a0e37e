"""What a kind of sample is: its entries, and how each is written."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

__all__ = ["SEED", "Entry", "Kind"]

#: Part of the path of all samples: another number makes all of them anew.
SEED = 1

#: One line of JSON Lines.
Entry = dict[str, Any]


class Kind(NamedTuple):
    """
    A kind of sample.

    Attributes:
        suffix: How the names of its files end.
        entries: Makes the first entries, in the form of `sitemapx convert --to jsonl`.
        render: Writes one, the same each time.
        start: What stands before all of them.
        end: What stands after them.

    """

    suffix: str
    entries: Callable[[int], Iterator[Entry]]
    render: Callable[[Entry], str]
    start: str = ""
    end: str = ""
