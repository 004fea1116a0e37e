"""Steps that sort entries, or keep the newest ones."""

import heapq
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Literal

import msgspec

from sitemapx.convert.disk.spill import Sorter
from sitemapx.convert.model.batch import Batch, batched
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.steps.step import Step
from sitemapx.convert.values import uris, w3cdate
from sitemapx.convert.values.words import require_count
from sitemapx.errors import UnknownNameError

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Entry).decode
#: Sorts after all other keys.
_LAST = b"\xff" * 9
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def _by_loc(entry: Entry) -> bytes:
    if not entry.loc:
        return _LAST
    return (uris.to_uri(entry.loc) or entry.loc).encode("utf-8", "surrogatepass")


def _newest_first(entry: Entry) -> bytes:
    date = entry.lastmod or entry.published
    if date is None:
        return _LAST
    age = _EPOCH - w3cdate.moment(date)
    return (age // timedelta(microseconds=1) + 2**63).to_bytes(8, "big")


_ORDERS: dict[str, Callable[[Entry], bytes]] = {"loc": _by_loc, "lastmod": _newest_first}


def sort(by: Literal["loc", "lastmod"]) -> Step:
    """
    Sort the entries by URL, or by date with the newest first.

    URLs are sorted by their characters in escaped form. Entries without a URL or date come last.
    Entries with the same key keep their order.

    Args:
        by: "loc" or "lastmod". If `lastmod` is missing, the date of publication is used.

    Raises:
        UnknownNameError: If the order is unknown.

    """
    if by not in _ORDERS:
        raise UnknownNameError("order", by, _ORDERS)
    key = _ORDERS[by]

    def run(batches: Iterator[Batch], reporter: Reporter) -> Iterator[Batch]:
        with closing(Sorter()) as sorter:
            for batch in batches:
                entries = batch.entries
                sorter.add_rows(list(map(key, entries)), list(map(_encode, entries)))
            yield from batched(map(_decode, sorter))

    return Step("sort", run)


def newest(limit: int) -> Step:
    """
    Keep only the most recently changed entries, sorted with the newest first.

    Entries without a date come last, in their original order.

    Args:
        limit: Number of entries to keep.

    Raises:
        UsageError: If the number is not at least 1.

    """
    require_count("limit", limit)

    def run(batches: Iterator[Batch], reporter: Reporter) -> Iterator[Batch]:
        entries = (entry for batch in batches for entry in batch.entries)
        yield from batched(heapq.nsmallest(limit, entries, key=_newest_first))

    return Step("limit", run)
