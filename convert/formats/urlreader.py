"""
Fast reading of items if only the URLs are wanted.

Element names are interpreted once and cached, as a set of bits: one for each field that the element
fills. Other values than the URL are read only in items that may have problems.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from sitemapx.convert.model.batch import FIELDS, Batch, Columns
from sitemapx.convert.xml.frame import ParsedItems
from sitemapx.convert.xml.parsers import XmlElement

#: Bit of an element from which the URL, or the fields of its item, are read.
HELD = 1 << len(FIELDS)
#: Maximum number of element names, or of combinations of fields, to cache.
_MOST = 10_000
_BITS = {name: 1 << at for at, name in enumerate(FIELDS)}

#: URL of an entry, and the names of its other fields.
Located = tuple[str, frozenset[str]]


class UrlReader:
    """
    Reads the URLs of items, and the names of their other fields.

    Args:
        describe: Takes the tag of a child and returns its bits; None if `read_fully` must read the
            items that have such a child.
        locate: Takes an item and its children with the bit `HELD`; returns the URL, and the bits of
            further fields. Returns None if the item may have a problem to report.
        read_fully: Takes any item and the offset of its line numbers; reads the item and reports
            its problems. Returns None if the item is skipped.
        single: Bits of the fields that only one child may fill.

    """

    def __init__(
        self,
        describe: Callable[[str], int | None],
        locate: Callable[[XmlElement, Sequence[XmlElement]], tuple[str, int] | None],
        read_fully: Callable[[XmlElement, int], Located | None],
        single: int = 0,
    ) -> None:
        self._describe = describe
        self._locate = locate
        self._read_fully = read_fully
        self._single = single
        self._known: dict[object, int] = {}

    def read(self, items: ParsedItems) -> Iterator[Located]:
        for item in items.elements:
            if located := self._read(item) or self._read_fully(item, items.line_offset):
                yield located

    def _read(self, item: XmlElement) -> Located | None:
        known = self._known
        fields = repeated = 0
        held: list[XmlElement] = []
        for child in item:
            bits = known.get(child.tag)
            if bits is None and (bits := self._interpret(str(child.tag))) is None:
                return None
            repeated |= fields & bits
            fields |= bits
            if bits & HELD:
                held.append(child)
        found = None if repeated & self._single else self._locate(item, held)
        return (found[0], _field_names(fields | found[1])) if found else None

    def _interpret(self, tag: str) -> int | None:
        bits = self._describe(tag)
        if bits is not None and len(self._known) < _MOST:
            self._known[tag] = bits
        return bits


def make_batch(found: Iterable[Located]) -> Batch | None:
    """Return a batch of URLs with the names of their unread fields; None if `found` is empty."""
    located = list(found)
    if not located:
        return None
    locs, others = zip(*located, strict=True)
    return Columns(locs, {}, others)


def bits_of(names: Iterable[str]) -> int:
    return sum(_BITS[name] for name in names)


@lru_cache(_MOST)
def _field_names(bits: int) -> frozenset[str]:
    """Return the names of the fields with these bits, except the URL."""
    return frozenset(name for name in FIELDS if bits & _BITS[name] and name != "loc")
