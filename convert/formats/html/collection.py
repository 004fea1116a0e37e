"""
The links of a site map, collected and put in order on disk.

Pages that are versions of one another in other languages become one item: those whose alternates
are the same, as Google requires it, and pages without alternates that exactly one such group lists.
So each URL belongs to one item.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from itertools import islice, repeat

import msgspec
from msgspec import Struct

from sitemapx.convert.disk.spill import DiskQueue, Seen, Sorter
from sitemapx.convert.formats.html.links import Item, Link, Place, clean
from sitemapx.convert.formats.html.versions import DEFAULT, Versions
from sitemapx.convert.formats.writing import written_loc
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.entry import Alternate
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.values.datatypes import HREFLANG
from sitemapx.convert.values.w3cdate import is_w3c

__all__ = ["LinkCollection"]

#: Bytes, and texts, that each collection keeps in memory: it takes no more for any number of links.
_BYTES = 4 << 20
_TEXTS = 150_000
_CACHE_KIB = 4096
#: So many sections are known to be noted already, without a look at all.
_LAST = 1000


class _Row(Struct, array_like=True, omit_defaults=True):
    """A link, whether it is an entry or only an alternate, and the group of its versions."""

    link: Link
    is_entry: bool
    group: str = ""
    place: str = ""

    def key(self) -> bytes:
        """Return a key by which all rows of a URL are sorted together, that of its entry first."""
        url = self.link.url
        return f"{Place.of(url).key}{url}\0{'' if self.is_entry else self.group}".encode()

    def group_key(self) -> bytes:
        """Return a key by which all rows of a group are sorted together."""
        url, link = self.place or self.link.url, self.link
        member = "" if link.url == url else f"{link.language}\0{link.url}"
        return f"{Place.of(url).key}{url}\0{self.group}\0{member}".encode()


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_Row).decode
_decode_item = msgspec.msgpack.Decoder(Item).decode


class LinkCollection:
    """The links of all entries."""

    def __init__(self, reporter: Reporter, language: str | None) -> None:
        """
        Begin without any.

        Args:
            language: Language of the site map; the version in it stands first.

        """
        self._reporter = reporter
        self._language = (language or "").lower()
        self._seen, self._groups, self._sections = Seen(_TEXTS), Seen(_TEXTS), Seen(_TEXTS)
        self._rows = Sorter(_BYTES, _CACHE_KIB)
        self._grouped = Sorter(_BYTES, _CACHE_KIB)
        self._in_order = DiskQueue(_BYTES)
        self._has_groups = False
        self._last_sections: set[str] = set()
        self._codes: dict[str, str | None] = {}

    def add(self, batch: Batch) -> int:
        """Take the entries of a batch, and return how many have a URL that is new."""
        urls = self._urls(batch)
        counts = batch.field_counts()
        fields = ("title", "lastmod", "language", "alternates")
        columns = [batch.column(name) if name in counts else repeat(None) for name in fields]
        rows: list[_Row] = []
        added = 0
        for url, is_new, *values in zip(urls, self._seen.add(urls), *columns, strict=False):
            if not is_new:
                self._reporter.tally("duplicate", "entry repeats an earlier URL; skipped", loc=url)
            elif url:
                added += 1
                rows += self._rows_of(url, *values)
        self._rows.add([row.key() for row in rows], list(map(_encode, rows)))
        return added

    def _urls(self, batch: Batch) -> Sequence[str | None]:
        found = batch.uris()
        if found is not None:
            return list(found)
        return [written_loc(entry, self._reporter) for entry in batch.entries]

    def _rows_of(
        self,
        url: str,
        title: str | None,
        lastmod: str | None,
        language: str | None,
        alternates: Sequence[Alternate] | None,
    ) -> Iterator[_Row]:
        """Return the row of an entry and, for the first of a group, those of its versions."""
        self._note_section(url)
        if title is not None:
            title = self._title(title, url)
        if lastmod and not is_w3c(lastmod):
            self._reporter.tally("bad-date", "invalid date dropped", loc=url)
            lastmod = None
        code = self._code(language, url) if language else None
        versions = self._versions(alternates, url) if alternates else None
        if not versions:
            yield _Row(Link(url, title, lastmod, code), True)
            return
        code = versions.setdefault(url, (code, None))[0] or code
        group, place = versions.group, versions.place(self._language)
        self._has_groups = True
        self._note_section(place)
        yield _Row(Link(url, title, lastmod, code), True, group, place)
        if self._groups.first(group, 0) is None:
            for href, (other, text) in versions.items():
                if href != url:
                    yield _Row(Link(href, text, None, other), False, group, place)

    def _versions(self, alternates: Iterable[Alternate], url: str) -> Versions:
        return Versions.of(
            alternates,
            lambda code: self._code(code, url),
            lambda title: self._title(title, url),
            lambda code, message: self._reporter.tally(code, message, loc=url),
        )

    def _title(self, title: str, url: str) -> str | None:
        text = clean(title)
        if text != " ".join(title.split()):
            self._reporter.tally("character", "illegal characters removed from title", loc=url)
        return text or None

    def _code(self, language: str, url: str) -> str | None:
        """Return a language as a valid code, or report that it is not one."""
        if self._codes.get(language) is None:
            self._codes[language] = HREFLANG.format(
                language, lambda code, text: self._reporter.tally(code, f"{text}; dropped", loc=url)
            )
        return self._codes[language]

    def _note_section(self, url: str) -> None:
        """Remember that there are pages in the first directory of a path."""
        host, folders = Place.of(url)
        if len(folders) > 1 and (section := f"{host}/{folders[0]}") not in self._last_sections:
            self._sections.first(section, 0)
            if len(self._last_sections) > _LAST:
                self._last_sections.clear()
            self._last_sections.add(section)

    # ---- in order

    def arrange(self) -> None:
        """Put all links in order; after the last entry, and once."""
        rows: Iterable[bytes] = self._rows
        if self._has_groups:
            self._group()
            rows = self._grouped
        last = ""
        with closing(DiskQueue(_BYTES)) as sections:  # of one host, after its other pages
            for item in self._items(map(_decode, rows)):
                if item.place.host != last:
                    self._take(sections)
                    last = item.place.host
                (sections if item.section else self._in_order).add(_encode(item))
            self._take(sections)

    def _take(self, sections: DiskQueue) -> None:
        for data in sections:
            self._in_order.add(data)
        sections.clear()

    def _group(self) -> None:
        """Sort the links by their groups."""
        merged = self._merged()
        while rows := list(islice(merged, 1000)):
            self._grouped.add([row.group_key() for row in rows], list(map(_encode, rows)))

    def _merged(self) -> Iterator[_Row]:
        """Return one row for each URL."""
        first: _Row | None = None
        claims: list[_Row] = []
        for row in map(_decode, self._rows):
            if first and row.link.url == first.link.url:
                claims = [*claims[:1], row]  # whether there is one, or more
                continue
            if first:
                yield _joined(first, claims)
            first, claims = row, []
        if first:
            yield _joined(first, claims)

    def _items(self, rows: Iterable[_Row]) -> Iterator[Item]:
        found: list[_Row] = []
        for row in rows:
            if found and not (row.group and row.group == found[0].group):
                yield self._item(found)
                found = []
            found.append(row)
        if found:
            yield self._item(found)

    def _item(self, rows: Sequence[_Row]) -> Item:
        place = Place.of(rows[0].place or rows[0].link.url)
        section = place.folders[0] if self._is_section(place) else ""
        return Item(place, section, [row.link for row in rows], sum(row.is_entry for row in rows))

    def _is_section(self, place: Place) -> bool:
        folders = place.folders
        if len(folders) == 1:
            return self._sections.get(f"{place.host}/{folders[0]}") is not None
        return bool(folders)

    def __iter__(self) -> Iterator[Item]:
        """Return the items in order."""
        return map(_decode_item, self._in_order)

    def close(self) -> None:
        """Release the disk space."""
        collections = (self._rows, self._grouped, self._in_order)
        for one in (*collections, self._seen, self._groups, self._sections):
            one.close()


def _joined(first: _Row, claims: Sequence[_Row]) -> _Row:
    """Return the row of a URL; an entry without versions joins the one group that lists it."""
    if not first.is_entry or first.group or len(claims) != 1:
        return first
    link, claim = first.link, claims[0]
    language = claim.link.language
    if language == DEFAULT and link.language:
        language = link.language
    joined = Link(link.url, link.title or claim.link.title, link.lastmod, language)
    return _Row(joined, True, claim.group, claim.place)
