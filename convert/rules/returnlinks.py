"""
Whether versions of a page name each other, in whatever files they are.

Nearly always all versions name the same set. So pages wait, much of them on disk, until the whole
set has come, of which only a count is kept. What waits to the end is taken apart into links, of
which each must meet the one in the other direction.
"""

import struct
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import groupby
from typing import ClassVar

import msgspec

from sitemapx.convert import urls
from sitemapx.convert.checkedfile import CheckedFile
from sitemapx.convert.document import Batch
from sitemapx.convert.findings import Rule
from sitemapx.convert.rules.check import Check, Found, Known
from sitemapx.convert.rules.languages import GUIDE
from sitemapx.convert.spilling import Queue, Sorter
from sitemapx.convert.wording import counted

__all__ = ["ReturnLinks"]

_IN_MEMORY = 24 << 20
#: So many sets may be open at once; they take 80 MB. With more, all is taken apart in the end.
_OPEN = 500_000
#: Bytes of a hash, and what Python needs for a row besides its bytes.
_KEY, _ROW = 16, 50
_pair = struct.Struct("<QQ")
_link = struct.Struct("<?Q")
_MASK = (1 << 64) - 1


class _Page(msgspec.Struct, array_like=True, gc=False):
    """A page with its versions, and where it stands."""

    loc: str
    hrefs: Sequence[str]
    languages: Sequence[str]
    source: str
    line: int | None
    column: int | None


def _hash(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_KEY).digest()


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_Page).decode


class ReturnLinks(Check):
    """Looks for the way back of each hreflang."""

    asks_listed = True
    rules: ClassVar = {
        "hreflang-no-return": Rule(
            "warning",
            "a version that does not name this page as its version",
            "Without return links Google ignores what both say, since anybody could say so.",
            GUIDE,
            "Name all versions of a page, itself included, with each of them.",
        ),
        "hreflang-not-listed": Rule(
            "note",
            "versions that none of these sitemaps lists",
            "Whether they name the pages here could not be checked.",
            GUIDE,
            "Check all sitemaps of the site together, or list these versions, too.",
        ),
    }

    def __init__(self, known: Known, in_memory: int = _IN_MEMORY, most_open: int = _OPEN) -> None:
        super().__init__(known)
        self._most, self._most_open = in_memory, most_open
        self._open: dict[bytes, int] = {}
        self._is_overfull = False
        self._rows: list[bytes] = []
        self._size = 0
        self._links = 0
        self._pages = Queue(in_memory)
        self._sorter = Sorter(in_memory)

    def batch(self, batch: Batch, file: CheckedFile) -> None:
        """Let the pages wait for their versions."""
        before, locs = self.known.listed.before, self.known.listed.locs
        pages, is_normal = self.known.listed.versions
        waiting: list[tuple[bytes, int, Sequence[str]]] = []
        last: Sequence[str] = ()
        key, members = b"", frozenset[str]()
        for at, (_, hrefs) in enumerate(pages):
            if before[at] is not None or not hrefs:
                continue
            mine: Sequence[str] = hrefs if is_normal else tuple(map(urls.normal, hrefs))
            if mine != last or locs[at] not in members:
                last, members = mine, frozenset((locs[at], *mine))
                key = _hash("\n".join(sorted(members)))
            if self._wait(key, len(members)):
                waiting.append((key, at, mine))
        for key, at, mine in waiting:
            if self._is_waiting(key):  # and its set did not come as a whole in this batch
                place = file.place_of(at)
                page = _Page(locs[at], mine, pages[at][0], file.source or "", *place)
                self._rows.append(key + _encode(page))
                self._size += len(self._rows[-1]) + _ROW
        if self._size > self._most:
            self._put_away()

    def _wait(self, key: bytes, count: int) -> bool:
        """Count a page of a set; tell whether more of it are to come."""
        seen = self._open.pop(key, 0) + 1
        if seen < count:
            self._open[key] = seen
            if len(self._open) > self._most_open:
                self._is_overfull = True
                self._open.clear()
        return seen < count or self._is_overfull

    def _is_waiting(self, row: bytes) -> bool:
        return self._is_overfull or row[:_KEY] in self._open

    def _put_away(self) -> None:
        """Keep only what still waits, where there is more room."""
        for row in filter(self._is_waiting, self._rows):
            self._pages.add(row)
        self._rows.clear()
        self._size = 0

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

    def finish(self, found: Found) -> None:
        """Find the links that go one way only."""
        self._put_away()
        for page in self._incomplete():
            self._add_links(page.loc, page.hrefs)
        one_way = bytearray(self._links)
        for _, rows in groupby(self._sorter, lambda row: row[: _pair.size]):
            links = [_link.unpack_from(row, _pair.size) for row in rows]
            if len({direction for direction, _ in links}) == 1:
                for _, number in links:
                    one_way[number] = 1
        self._tell(one_way, found)

    def _incomplete(self) -> Iterator[_Page]:
        """Give the pages whose set did not come as a whole."""
        return (_decode(row[_KEY:]) for row in self._pages if self._is_waiting(row))

    def _tell(self, one_way: bytearray, found: Found) -> None:
        number = not_listed = 0
        first: tuple[_Page, str] | None = None
        for page in self._incomplete():
            for language, href in zip(page.languages, page.hrefs, strict=True):
                if one_way[number]:
                    if self.known.listed.has(href):
                        said = f"{language}: {href} does not name it"
                        found("hreflang-no-return", said, **_known(page))
                    else:
                        not_listed += 1
                        first = first or (page, href)
                number += 1
        if first:
            said = f"{counted(not_listed, 'link')} to such; the first: {first[1]}"
            found("hreflang-not-listed", said, **_known(first[0]))

    def close(self) -> None:
        """Give the room back."""
        self._pages.close()
        self._sorter.close()


def _known(page: _Page) -> dict[str, object]:
    return {"source": page.source, "line": page.line, "column": page.column, "loc": page.loc}
