"""
The fast path of the sitemap reader: blocks of items without an XML parser.

Each kind of element is taken out of the text of a block by a pattern, extensions first, so that
an item becomes a few fields and marks. What a pattern does not understand, or what the slow path
would report, is odd: such items alone are parsed. What comes out is the same as on the slow path,
and this package may be deleted without a change in it.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import compress
from typing import Any, cast

from lxml import etree

from sitemapx.convert.formats.format import Context
from sitemapx.convert.formats.sitemap.fast.backoff import FastPath
from sitemapx.convert.formats.sitemap.fast.cleaning import GONE, cleaned
from sitemapx.convert.formats.sitemap.fast.columns import Column, column_of
from sitemapx.convert.formats.sitemap.fast.core import ItemPattern, Items, are_exact
from sitemapx.convert.formats.sitemap.fast.extensions import (
    Extension,
    ForeignExtension,
    extensions_of,
)
from sitemapx.convert.formats.sitemap.fast.locs import LocReader
from sitemapx.convert.formats.sitemap.fast.patterns import Taken
from sitemapx.convert.formats.sitemap.items import ItemReader
from sitemapx.convert.model.batch import EMPTY, FIELDS, Batch, Columns
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.values import datatypes
from sitemapx.convert.values.urllist import UriList
from sitemapx.convert.xml.cutting.cutter import Block
from sitemapx.convert.xml.frame import ParsedItems
from sitemapx.convert.xml.namespaces import SITEMAP
from sitemapx.convert.xml.parser import BlockParser
from sitemapx.convert.xml.plain import BLANKS, unescaped

__all__ = ["RegularReader"]

#: A prefix with nothing in it that means something else in a pattern.
_is_usual = re.compile("[A-Za-z0-9_-]*+").fullmatch
#: So many of the odd items are looked at where most are odd.
_SAMPLE = 20


class RegularReader:
    """
    Reader of blocks in which most items are regular.

    Attributes:
        is_in_order: Whether the items of the last block have their elements in the order of the
            schema, in a root of its namespace, and right words and numbers.

    """

    def __init__(self, markup: BlockParser, items: ItemReader, context: Context, item: str) -> None:
        """
        Take the names that the document gives to things.

        Args:
            items: Reads the items that are odd.
            item: The local name of the items.

        """
        self._markup = markup
        self._item_reader = items
        self._context = context
        own = markup.end_tag[2:-1].rpartition(":")[0]
        prefixes = {
            prefix or "": name
            for prefix, name in markup.prefixes.items()
            if _is_usual(prefix or "")
        }
        self._is_known = prefixes.get(own) == SITEMAP
        others = (prefix for prefix in prefixes if prefix != own and prefixes[prefix] == SITEMAP)
        starts = [f"{prefix}:" if prefix else "" for prefix in (own, *others) if prefix in prefixes]
        self._pattern = ItemPattern(item, starts or [""])
        wants_more = context.wanted is None or not {"loc"}.issuperset(context.wanted)
        self._locs = None if wants_more else FastPath(LocReader(item, (starts or [""])[0]).read)
        self._end_tag = markup.end_tag
        self._start = re.compile(
            rf"[{BLANKS}{GONE}]*+<{re.escape(self._end_tag[2:-1])}[\s>/]"
        ).match
        self._foreign = ForeignExtension(self._parsed_item)
        self._extensions = [
            self._foreign,
            *extensions_of(prefixes, in_order=context.observer.needs_elements),
        ]
        self.is_in_order = False

    def read(self, block: Block) -> Batch | None:
        """
        Read a block of whole items.

        Returns:
            None if it is for the slow path.

        """
        if self._locs and self._is_known and (batch := self._locs.read(block)):
            return batch
        text = cleaned(block.data) if self._is_known else None
        if not text:
            return None
        found: list[tuple[Extension, Taken]] = []
        for extension in self._extensions:
            if extension.is_in(text):
                taken = extension.take(text, is_wanted=self._is_wanted(extension.field))
                text = taken.text
                found.append((extension, taken))
        items = self._pattern.split(text)
        self.is_in_order = items.is_in_order and self._markup.is_plain and are_exact(items.texts)
        marks = "".join(extension.mark for extension, _ in found)
        core = _core_columns(items, marks, self._is_wanted)
        if core is None:
            return None
        rows = [row for column in core.values() for row in column.odd]
        if not found and not rows and not any(items.gaps):
            return self._columns({name: column.values for name, column in core.items()})
        return self._with_pieces(block, text, items, core, found)

    def _with_pieces(
        self,
        block: Block,
        text: str,
        items: Items,
        core: Mapping[str, Column],
        found: Sequence[tuple[Extension, Taken]],
    ) -> Batch | None:
        """Say which item each extension belongs to, and parse those that are odd."""
        *pieces, _ = text.split(self._end_tag)
        places = self._places(items.gaps, pieces)
        if places is None:
            return None
        odd = {*range(len(pieces))}.difference(places)
        columns: dict[str, Sequence[Any]] = {}
        for name, column in core.items():
            odd.update(places[row] for row in column.odd)
            columns[name] = _spread(column.values, places, len(pieces))
        for extension, taken in found:
            is_wanted = self._is_wanted(extension.field)
            of_items = extension.column(taken, pieces, is_wanted=is_wanted)
            if of_items is None:
                return None
            odd.update(of_items.odd)
            columns[extension.field] = of_items.values
        if not odd:
            return self._columns(columns)
        if self._context.observer.needs_elements:
            return None
        is_mostly_odd = 2 * len(odd) > len(pieces)
        some = sorted(odd)[: _SAMPLE if is_mostly_odd else None]
        elements, line_offset = self._parsed(block, some, len(pieces))
        learned = [self._foreign.learn(one, pieces[n]) for n, one in elements.items()]
        if is_mostly_odd:
            return self.read(block) if any(learned) else None
        if not elements:
            return None
        entries = {
            number: next(self._item_reader.read(ParsedItems([element], line_offset)), None)
            for number, element in elements.items()
        }
        return self._columns(_merged(columns, entries, len(pieces)))

    def _places(self, gaps: Sequence[str], pieces: Sequence[str]) -> Sequence[int] | None:
        """
        Return the numbers of the items that were understood, among all.

        Returns:
            None if there is anything but whole items between them.

        """
        if not any(gaps):
            return range(len(pieces))
        places: list[int] = []
        number = 0
        for gap in gaps:
            if gap:
                others = gap.count(self._end_tag)
                if "<?" in gap:
                    return None  # there may be anything in an instruction
                if not all(map(self._start, pieces[number : number + others])):
                    return None
                if gap.rpartition(self._end_tag)[2].strip(BLANKS + GONE):
                    return None
                number += others
            places.append(number)
            number += 1
        places.pop()  # what follows the last one
        return places if number == len(pieces) + 1 else None

    def _parsed(
        self, block: Block, numbers: Sequence[int], count: int
    ) -> tuple[dict[int, etree._Element], int]:
        """
        Parse the items of a block with these numbers.

        Args:
            count: How many there are in the block.

        Returns:
            The elements, and what to add to the parser's line numbers. None of them if the items
            cannot be told apart.

        """
        end_tag = self._end_tag.encode()
        *pieces, _ = block.data.split(end_tag)
        if len(pieces) != count:
            return {}, 0
        chosen = set(numbers)
        data = b"".join(
            piece + end_tag if number in chosen else b"\n" * piece.count(b"\n")
            for number, piece in enumerate(pieces)
        )
        elements, line_offset = self._markup.lone_items(data, block.line) or ([], 0)
        if len(elements) != len(numbers):
            return {}, 0
        return dict(zip(numbers, elements, strict=True)), line_offset

    def _parsed_item(self, content: str) -> etree._Element | None:
        """Parse an item with this in it."""
        data = f"<{self._end_tag[2:]}{content}{self._end_tag}".encode()
        elements, _ = self._markup.lone_items(data, 1) or ([], 0)
        return elements[0] if elements else None

    def _columns(self, columns: Mapping[str, Sequence[Any]]) -> Batch | None:
        """Make a batch of columns; those that nobody wants are only counted."""
        unread = {
            name: [None if value == () else value for value in column]
            for name, column in columns.items()
            if not self._is_wanted(name)
        }
        read = {name: columns[name] for name in columns if name not in unread and name != "loc"}
        return Columns(columns["loc"], read, unread)

    def _is_wanted(self, field: str) -> bool:
        wanted = self._context.wanted
        return wanted is None or field == "loc" or field in wanted


def _core_columns(
    items: Items, marks: str, is_wanted: Callable[[str], bool]
) -> dict[str, Column] | None:
    """Make the columns of the protocol's own fields; None if there is an extension in a URL."""
    locs = "\n".join([*cast("Sequence[str]", items.texts["loc"]), ""])
    if any(mark in locs for mark in marks):
        return None
    columns = {"loc": _locs(locs, items.texts["loc"])}
    dates = items.texts["lastmod"]
    columns["lastmod"] = Column([date or None for date in dates] if "" in dates else dates)
    for name in ("changefreq", "priority"):
        kind, texts = datatypes.CORE[name], items.texts[name]
        if column := column_of(kind, texts, is_wanted=is_wanted(name)):
            columns[name] = column
    return columns


def _locs(lines: str, texts: Sequence[str | None]) -> Column:
    """Make the column of the URLs; one that is missing is odd."""
    bare = unescaped(lines.replace(GONE, "") if GONE in lines else lines)
    if bare and (uris := UriList.of(bare, len(texts))):
        return Column(uris)
    column = column_of(datatypes.URL, texts) or Column([None] * len(texts))
    missing = (n for n, value in enumerate(column.values) if value is None)
    return column._replace(odd={*column.odd, *missing})


def _spread(values: Sequence[Any], places: Sequence[int], count: int) -> Sequence[Any]:
    """Put values at their places among so many."""
    if len(places) == count:
        return values
    found = [None] * count
    for place, value in zip(places, values, strict=True):
        found[place] = value
    return found


def _merged(
    columns: Mapping[str, Sequence[Any]], entries: Mapping[int, Entry | None], count: int
) -> dict[str, Sequence[Any]]:
    """Put entries into the columns at their places, and leave out the places without one."""
    merged: dict[str, Sequence[Any]] = {}
    is_kept = [entries.get(number, True) for number in range(count)]
    for name in FIELDS:
        empty = EMPTY[name]
        if name not in columns and all(getattr(e, name, empty) == empty for e in entries.values()):
            continue
        column = [*columns.get(name, [empty] * count)]
        for number, entry in entries.items():
            if entry is not None:
                column[number] = getattr(entry, name)
        merged[name] = list(compress(column, is_kept))
    return merged
