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

from sitemapx.convert.disk.spill import DigestSet, DiskQueue, Sorter
from sitemapx.convert.formats.html.lists import Item, MapLink, TreePlace, clean
from sitemapx.convert.formats.html.template import DEFAULT, LanguageVersions
from sitemapx.convert.formats.writer import written_loc
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.entry import Alternate
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.values.datatypes import HREFLANG
from sitemapx.convert.values.w3cdate import is_w3c

#: Bytes, and texts, that each collection keeps in memory: it takes no more for any number of links.
_BYTES = 4 << 20
_TEXTS = 150_000
_CACHE_KIB = 4096
#: So many sections are known to be noted already, without a look at all.
_LAST = 1000


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Item).decode


class LinkCollection:
    """The links of all entries."""

    def __init__(self, reporter: Reporter, language: str) -> None:
        """
        Begin without any.

        Args:
            language: Language of the site map; the version in it stands first.

        """
        self._reporter = reporter
        self._language = language.lower()
        self._seen, self._groups, self._sections = (
            DigestSet(_TEXTS),
            DigestSet(_TEXTS),
            DigestSet(_TEXTS),
        )
        self._by_url = Sorter(_BYTES, _CACHE_KIB)
        self._by_group = Sorter(_BYTES, _CACHE_KIB)
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
        keys: list[bytes] = []
        items: list[Item] = []
        added = 0
        for url, is_new, *values in zip(urls, self._seen.add_texts(urls), *columns, strict=False):
            if not is_new:
                self._reporter.tally("duplicate", "entry repeats an earlier URL; skipped", loc=url)
            elif url:
                added += 1
                place = TreePlace.of(url)
                self._note_section(place)
                item = Item(place, [self._link(url, *values[:3])], 1)
                keys.append(f"{place.key}{url}\0".encode())
                items.append(item)
                if values[3]:
                    for other in self._versions(item, values[3]):
                        keys.append(_url_key(other))
                        items.append(other)
        self._by_url.add_rows(keys, list(map(_encode, items)))
        return added

    def _urls(self, batch: Batch) -> Sequence[str | None]:
        found = batch.uris()
        if found is not None:
            return list(found)
        return [written_loc(entry, self._reporter) for entry in batch.entries]

    def _link(
        self, url: str, title: str | None, lastmod: str | None, language: str | None
    ) -> MapLink:
        if title is not None:
            title = self._title(title, url)
        if lastmod and not is_w3c(lastmod):
            self._reporter.tally("bad-date", "invalid date dropped", loc=url)
            lastmod = None
        return MapLink(url, title, lastmod, self._code(language, url) if language else None)

    def _versions(self, item: Item, alternates: Iterable[Alternate]) -> Iterator[Item]:
        """Put an item into the group of its versions; return the others, once for a group."""
        link = item.links[0]
        versions = LanguageVersions.of(
            alternates,
            lambda code: self._code(code, link.url),
            lambda title: self._title(title, link.url),
            lambda code, message: self._reporter.tally(code, message, loc=link.url),
        )
        if not versions:
            return
        code, _ = versions.setdefault(link.url, (link.language, None))
        self._has_groups = True
        item.links = [MapLink(link.url, link.title, link.lastmod, code or link.language)]
        item.group, item.place = versions.group, TreePlace.of(versions.place(self._language))
        self._note_section(item.place)
        if self._groups.add_text(item.group, 0) is None:
            for url, (language, title) in versions.items():
                if url != link.url:
                    yield Item(item.place, [MapLink(url, title, None, language)], 0, item.group)

    def _title(self, title: str, url: str) -> str | None:
        text = clean(title)
        if text != " ".join(title.split()):
            self._reporter.tally("character", "illegal characters removed from title", loc=url)
        # what nobody sees is no name of a link
        return text if any(c.isprintable() and not c.isspace() for c in text) else None

    def _code(self, language: str, url: str) -> str | None:
        """Return a language as a valid code, or report that it is not one."""
        if self._codes.get(language) is None:
            self._codes[language] = HREFLANG.format(
                language, lambda code, text: self._reporter.tally(code, f"{text}; dropped", loc=url)
            )
        return self._codes[language]

    def _note_section(self, place: TreePlace) -> None:
        """Remember that there are pages in the first directory of a path."""
        host, folders = place
        if len(folders) > 1 and (section := f"{host}/{folders[0]}") not in self._last_sections:
            self._sections.add_text(section, 0)
            if len(self._last_sections) > _LAST:
                self._last_sections.clear()
            self._last_sections.add(section)

    # ---- in order

    def arrange(self) -> None:
        """Put all links in order; after the last entry, and once."""
        if self._has_groups:
            merged = self._merged()
            while items := list(islice(merged, 1000)):
                self._by_group.add_rows(list(map(_group_key, items)), list(map(_encode, items)))
        rows = map(_encode, self._grouped()) if self._has_groups else iter(self._by_url)
        last = ""
        with closing(DiskQueue(_BYTES)) as sections:  # of one host, after its other pages
            for data in rows:
                place = _decode(data).place
                if place.host != last:
                    self._take(sections)
                    last = place.host
                (sections if self._is_section(place) else self._in_order).add_row(data)
            self._take(sections)

    def _take(self, sections: DiskQueue) -> None:
        for data in sections:
            self._in_order.add_row(data)
        sections.clear()

    def _merged(self) -> Iterator[Item]:
        """Return one item for each URL."""
        first: Item | None = None
        claims: list[Item] = []
        for item in map(_decode, self._by_url):
            if first and item.links[0].url == first.links[0].url:
                claims = [*claims[:1], item]  # whether there is one, or more
                continue
            if first:
                yield _joined(first, claims)
            first, claims = item, []
        if first:
            yield _joined(first, claims)

    def _grouped(self) -> Iterator[Item]:
        """Return one item for each page, with all of its versions."""
        found: Item | None = None
        for item in map(_decode, self._by_group):
            if found and item.group and item.group == found.group:
                found.links += item.links
                found.entries += item.entries
                continue
            if found:
                yield found
            found = item
        if found:
            yield found

    def _is_section(self, place: TreePlace) -> bool:
        folders = place.folders
        if len(folders) == 1:
            return self._sections.get(f"{place.host}/{folders[0]}") is not None
        return bool(folders)

    def __iter__(self) -> Iterator[Item]:
        """Return the items in order."""
        for item in map(_decode, self._in_order):
            if self._is_section(item.place):
                item.section = item.place.folders[0]
            yield item

    def close(self) -> None:
        """Release the disk space."""
        collections = (self._by_url, self._by_group, self._in_order)
        for one in (*collections, self._seen, self._groups, self._sections):
            one.close()


def _url_key(item: Item) -> bytes:
    """Return a key by which all items of a URL are sorted together, its entry first."""
    url = item.links[0].url
    return f"{TreePlace.of(url).key}{url}\0{item.group}".encode()


def _group_key(item: Item) -> bytes:
    """Return a key by which all items of a group are sorted together, that of its place first."""
    link, place = item.links[0], item.place
    member = ""
    if item.group and TreePlace.of(link.url) != place:
        member = link.language or DEFAULT
    url = "" if item.group else link.url
    return f"{place.key}{url}\0{item.group}\0{member}\0{link.url}".encode()


def _joined(first: Item, claims: Sequence[Item]) -> Item:
    """Return the item of a URL; an entry without versions joins the one group that lists it."""
    if not first.entries or first.group or len(claims) != 1:
        return first
    link, claim = first.links[0], claims[0].links[0]
    language = claim.language
    if language == DEFAULT and link.language:
        language = link.language
    joined = MapLink(link.url, link.title or claim.title, link.lastmod, language)
    return Item(claims[0].place, [joined], 1, claims[0].group)
