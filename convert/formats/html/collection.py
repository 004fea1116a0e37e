"""
Collects the links of an HTML site map, and sorts them, on disk if there are many.

Language versions of a page become one item: pages whose alternates are equal, as Google requires,
and pages without alternates that exactly one such group lists. Therefore, each URL belongs to one
item.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from itertools import islice, repeat

import msgspec

from sitemapx.convert.disk.spill import DigestSet, DiskQueue, Sorter
from sitemapx.convert.formats.html.lists import Item, MapLink, TreePlace, clean_text
from sitemapx.convert.formats.html.template import DEFAULT, LanguageVersions
from sitemapx.convert.formats.writer import choose_loc
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.entry import Alternate
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.values.datatypes import HREFLANG
from sitemapx.convert.values.w3cdate import is_w3c

#: Limits of memory per collection: bytes, number of texts, and cache of the database in KiB.
_BYTES = 4 << 20
_TEXTS = 150_000
_CACHE_KIB = 4096
#: Number of recent sections to remember, as a cache.
_LAST = 1000


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Item).decode


class LinkCollection:
    """
    Collects the links to all entries; after `sort_items`, iterating yields them as items.

    A version in `language` (of the site map) is the first link.
    """

    def __init__(self, reporter: Reporter, language: str) -> None:
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

    def add_batch(self, batch: Batch) -> int:
        """Add the entries of a batch whose URLs are valid and new, and return their number."""
        urls = self._select_urls(batch)
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
                place = TreePlace.from_url(url)
                self._note_section(place)
                item = Item(place, [self._make_link(url, *values[:3])], 1)
                keys.append(f"{place.key}{url}\0".encode())
                items.append(item)
                if values[3]:
                    for other in self._add_versions(item, values[3]):
                        keys.append(_url_key(other))
                        items.append(other)
        self._by_url.add_rows(keys, list(map(_encode, items)))
        return added

    def _select_urls(self, batch: Batch) -> Sequence[str | None]:
        found = batch.uris()
        if found is not None:
            return list(found)
        return [choose_loc(entry, self._reporter) for entry in batch.entries]

    def _make_link(
        self, url: str, title: str | None, lastmod: str | None, language: str | None
    ) -> MapLink:
        if title is not None:
            title = self._clean_title(title, url)
        if lastmod and not is_w3c(lastmod):
            self._reporter.tally("bad-date", "invalid date dropped", loc=url)
            lastmod = None
        return MapLink(
            url, title, lastmod, self._normalize_code(language, url) if language else None
        )

    def _add_versions(self, item: Item, alternates: Iterable[Alternate]) -> Iterator[Item]:
        """Set group and place of an item; once per group, yield its other versions as items."""
        link = item.links[0]
        versions = LanguageVersions.from_alternates(
            alternates,
            lambda code: self._normalize_code(code, link.url),
            lambda title: self._clean_title(title, link.url),
            lambda code, message: self._reporter.tally(code, message, loc=link.url),
        )
        if not versions:
            return
        code, _ = versions.setdefault(link.url, (link.language, None))
        self._has_groups = True
        item.links = [MapLink(link.url, link.title, link.lastmod, code or link.language)]
        first = versions.representative(self._language)
        item.group, item.place = versions.group, TreePlace.from_url(first)
        item.is_first = link.url == first
        self._note_section(item.place)
        if self._groups.add_text(item.group, 0) is None:
            for url, (language, title) in versions.items():
                if url != link.url:
                    other = MapLink(url, title, None, language)
                    yield Item(item.place, [other], 0, item.group, url == first)

    def _clean_title(self, title: str, url: str) -> str | None:
        text = clean_text(title)
        if text != " ".join(title.split()):
            self._reporter.tally(
                "illegal-character", "illegal characters removed from title", loc=url
            )
        # an invisible title is useless
        return text if any(c.isprintable() and not c.isspace() for c in text) else None

    def _normalize_code(self, language: str, url: str) -> str | None:
        """Return the valid form of a language code; report an invalid code and return None."""
        if self._codes.get(language) is None:
            self._codes[language] = HREFLANG.format(
                language, lambda code, text: self._reporter.tally(code, f"{text}; dropped", loc=url)
            )
        return self._codes[language]

    def _note_section(self, place: TreePlace) -> None:
        """Record that the first directory of a path contains pages, and so becomes a section."""
        host, folders = place
        if len(folders) > 1 and (section := f"{host}/{folders[0]}") not in self._last_sections:
            self._sections.add_text(section, 0)
            if len(self._last_sections) > _LAST:
                self._last_sections.clear()
            self._last_sections.add(section)

    # ---- sorting

    def sort_items(self) -> None:
        """Sort all links; called once, after the last entry."""
        if self._has_groups:
            merged = self._merge_urls()
            while items := list(islice(merged, 1000)):
                self._by_group.add_rows(list(map(_group_key, items)), list(map(_encode, items)))
        rows = map(_encode, self._merge_groups()) if self._has_groups else iter(self._by_url)
        last = ""
        with closing(DiskQueue(_BYTES)) as sections:  # sections of a host, after its other pages
            for data in rows:
                place = _decode(data).place
                if place.host != last:
                    self._append_sections(sections)
                    last = place.host
                (sections if self._is_section(place) else self._in_order).add_row(data)
            self._append_sections(sections)

    def _append_sections(self, sections: DiskQueue) -> None:
        for data in sections:
            self._in_order.add_row(data)
        sections.clear()

    def _merge_urls(self) -> Iterator[Item]:
        """Yield a single item for each URL; see `_join_group`."""
        first: Item | None = None
        claims: list[Item] = []
        for item in map(_decode, self._by_url):
            if first and item.links[0].url == first.links[0].url:
                claims = [*claims[:1], item]  # two suffice to detect that there are several
                continue
            if first:
                yield _join_group(first, claims)
            first, claims = item, []
        if first:
            yield _join_group(first, claims)

    def _merge_groups(self) -> Iterator[Item]:
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
        for item in map(_decode, self._in_order):
            if self._is_section(item.place):
                item.section = item.place.folders[0]
            yield item

    def close(self) -> None:
        collections = (self._by_url, self._by_group, self._in_order)
        for spool in (*collections, self._seen, self._groups, self._sections):
            spool.close()


def _url_key(item: Item) -> bytes:
    """Return a sort key that puts the items of a URL together, with the entry itself first."""
    url = item.links[0].url
    return f"{TreePlace.from_url(url).key}{url}\0{item.group}".encode()


def _group_key(item: Item) -> bytes:
    """Return a sort key that puts the language versions of a page together."""
    link = item.links[0]
    member = "" if item.is_first or not item.group else link.language or DEFAULT
    url = "" if item.group else link.url
    return f"{item.place.key}{url}\0{item.group}\0{member}\0{link.url}".encode()


def _join_group(first: Item, claims: Sequence[Item]) -> Item:
    """
    Return the item of a URL that other pages may list as a language version (`claims`).

    An entry without versions joins the group of the page if exactly one group lists its URL.
    """
    if not first.entries or first.group or len(claims) != 1:
        return first
    link, claim = first.links[0], claims[0].links[0]
    language = claim.language
    if language == DEFAULT and link.language:
        language = link.language
    joined = MapLink(link.url, link.title or claim.title, link.lastmod, language)
    return Item(claims[0].place, [joined], 1, claims[0].group, claims[0].is_first)
