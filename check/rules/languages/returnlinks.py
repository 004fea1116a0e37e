"""
Whether versions of a page name each other, in whatever files they are.

Nearly always all versions name the same set. So pages wait, much of them on disk, until the whole
set has come, of which only a count is kept. What waits to the end is taken apart into links, of
which each must meet the one in the other direction.
"""

import struct
from collections.abc import Iterator, Sequence
from itertools import compress, groupby
from typing import ClassVar, NamedTuple

import msgspec

from sitemapx.check.api import Check, CheckContext, Entries, File, OnFinding
from sitemapx.check.findings import Details, Rule
from sitemapx.check.rules.languages.hreflang import GUIDE
from sitemapx.convert.disk.spill import DiskQueue, Sorter
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.values import uris
from sitemapx.convert.values.words import counted

__all__ = ["ReturnLinks"]

_IN_MEMORY = 24 << 20
#: So many sets may be open at once; they take 80 MB. With more, all is taken apart in the end.
_OPEN = 500_000
_pair = struct.Struct("<QQ")
_link = struct.Struct("<?Q")
_MASK = (1 << 64) - 1


class _LinkedPage(msgspec.Struct, array_like=True, gc=False):
    """A page with its versions, and where it stands."""

    loc: str
    hrefs: Sequence[str]
    languages: Sequence[str]
    position: tuple[int | None, int | None]


class _WaitingPages(msgspec.Struct, array_like=True, gc=False):
    """Pages of a batch that wait for their versions, and the keys of their sets."""

    source: str
    keys: list[int]
    pages: list[_LinkedPage]


class _Links(NamedTuple):
    """
    The pages of a batch that have versions.

    Attributes:
        numbers: Their indexes.
        keys: For each, the key of the set that it and its versions are.
        sizes: For each, how many are in the set.
        pages: Each as it is put on disk.

    """

    numbers: Sequence[int]
    keys: Sequence[int]
    sizes: Sequence[int]
    pages: Sequence[bytes]


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_WaitingPages).decode


class ReturnLinks(Check):
    """Looks for the way back of each hreflang."""

    asks_listed = True
    rules: ClassVar = {
        "hreflang-no-return": Rule(
            "warning",
            "Missing hreflang return link",
            "Google ignores hreflang links that are not mutual.",
            GUIDE,
            "On each language version, link to all versions, including itself.",
        ),
        "hreflang-not-listed": Rule(
            "note",
            "hreflang alternate not in any checked sitemap",
            "Return links from these pages could not be checked.",
            GUIDE,
            "Check all sitemaps of the site together, or list the alternates in a sitemap, too.",
        ),
    }

    def __init__(self, context: CheckContext) -> None:
        super().__init__(context)
        self._open: dict[int, int] = {}
        self._is_overfull = False
        self._links = 0
        self._waiting = DiskQueue(_IN_MEMORY)
        self._sorter = Sorter(_IN_MEMORY)

    def inspect(self, batch: Batch, entries: Entries) -> _Links | None:
        """See to which set each page belongs."""
        listed = self.context.listed
        languages, all_hrefs, is_normal, has_selves = listed.versions
        if not all_hrefs:
            return None
        if not is_normal:
            all_hrefs = [tuple(map(uris.normal, hrefs)) for hrefs in all_hrefs]
        if has_selves and is_normal and not listed.odd:
            sets = list(map(frozenset, all_hrefs))
        else:
            pairs = zip(listed.locs, all_hrefs, strict=True)
            sets = [frozenset((loc, *hrefs)) for loc, hrefs in pairs]
        numbers = [at for at, hrefs in enumerate(all_hrefs) if hrefs]
        linked = [sets[at] for at in numbers]
        locs, places = list(listed.locs), entries.positions_of(numbers)
        pages = [
            _encode(_LinkedPage(locs[at], all_hrefs[at], languages[at], place))
            for at, place in zip(numbers, places, strict=True)
        ]
        return _Links(numbers, list(map(hash, linked)), list(map(len, linked)), pages)

    def take(self, inspected: _Links, file: File) -> None:
        """Let the pages wait for their versions, but for those that came before."""
        numbers, keys, sizes, pages = inspected
        if before := self.context.listed.before:
            are_new = [at not in before for at in numbers]
            keys, sizes = list(compress(keys, are_new)), list(compress(sizes, are_new))
            pages = list(compress(pages, are_new))
        self._count(keys, sizes)
        are_waiting = list(map(self._is_waiting, keys))
        if any(are_waiting):
            rows = list(map(msgspec.Raw, compress(pages, are_waiting)))
            kept = file.source or "", list(compress(keys, are_waiting)), rows
            self._waiting.add(_encode(kept))

    def _count(self, keys: Sequence[int], sizes: Sequence[int]) -> None:
        """Count the pages that came of each set, up to the last."""
        opened = self._open
        for key, count in zip(keys, sizes, strict=True):
            seen = opened.pop(key, 0) + 1
            if seen < count:
                opened[key] = seen
        if len(opened) > _OPEN:
            self._is_overfull = True
            opened.clear()

    def _is_waiting(self, key: int) -> bool:
        return self._is_overfull or key in self._open

    def _add_links(self, loc: str, hrefs: Sequence[str]) -> None:
        mine = hash(loc) & _MASK
        keys: list[bytes] = []
        rows: list[bytes] = []
        for href in hrefs:
            theirs = hash(href) & _MASK
            if theirs != mine:
                key = _pair.pack(min(mine, theirs), max(mine, theirs))
                keys.append(key)
                rows.append(key + _link.pack(mine < theirs, self._links))
            self._links += 1
        self._sorter.add(keys, rows)

    def finish(self, report: OnFinding) -> None:
        """Find the links that go one way only."""
        if not self._open and not self._is_overfull:
            return
        for _, page in self._incomplete():
            self._add_links(page.loc, page.hrefs)
        one_way = bytearray(self._links)
        for _, rows in groupby(self._sorter, lambda row: row[: _pair.size]):
            links = [_link.unpack_from(row, _pair.size) for row in rows]
            if len({direction for direction, _ in links}) == 1:
                for _, number in links:
                    one_way[number] = 1
        self._report(one_way, report)

    def _incomplete(self) -> Iterator[tuple[str, _LinkedPage]]:
        """Return the pages whose set did not come as a whole, each with its file."""
        for row in self._waiting:
            waiting = _decode(row)
            for key, page in zip(waiting.keys, waiting.pages, strict=True):
                if self._is_waiting(key):
                    yield waiting.source, page

    def _report(self, one_way: bytearray, report: OnFinding) -> None:
        number = not_listed = 0
        first: tuple[str, _LinkedPage, str] | None = None
        for source, page in self._incomplete():
            for language, href in zip(page.languages, page.hrefs, strict=True):
                if one_way[number]:
                    if self.context.listed.has(href):
                        message = f"{language} alternate {href} has no return link to {page.loc}"
                        report("hreflang-no-return", message, **_details(source, page))
                    else:
                        not_listed += 1
                        first = first or (source, page, href)
                number += 1
        if first:
            source, page, href = first
            are = counted(not_listed, "alternate is", "alternates are")
            message = f"{are} not in any checked sitemap (first: {href})"
            report("hreflang-not-listed", message, **_details(source, page))

    def close(self) -> None:
        """Release the disk space."""
        self._waiting.close()
        self._sorter.close()


def _details(source: str, page: _LinkedPage) -> Details:
    line, column = page.position
    return {"source": source, "line": line, "column": column, "loc": page.loc}
