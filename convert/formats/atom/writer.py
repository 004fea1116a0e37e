"""
Writes Atom 1.0: https://www.rfc-editor.org/rfc/rfc4287

Entries keep an ID that is an IRI; others get their URL or a UUID as ID. Dates have seconds, as Atom
requires. Titles are plain text, descriptions HTML.
"""

from collections.abc import Collection, Iterable, Iterator
from functools import partial

from sitemapx.convert.formats.atom.reader import ENTRY
from sitemapx.convert.formats.feeds.writing import (
    FeedWriter,
    address,
    choose_feed_loc,
    element,
    is_read_as_field,
    language_code,
    to_rfc3339,
)
from sitemapx.convert.model.document import Head
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.values import clock, urls
from sitemapx.convert.values.datatypes import OnProblem
from sitemapx.convert.xml.elements import foreign_elements
from sitemapx.convert.xml.namespaces import NAMESPACES
from sitemapx.convert.xml.writing import escape, make_entry_reporter


class AtomWriter(FeedWriter):
    def start(self, head: Head, fields: Collection[str]) -> bytes:
        tally = self._tally
        updated = to_rfc3339(head.updated or clock.now(), tally) or clock.now()
        parts = [
            '<?xml version="1.0" encoding="UTF-8"?>\n',
            f'<feed xmlns="{NAMESPACES["atom"]}"{_lang(head.language, tally)}>\n',
            element("id", head.id, tally),
            element("title", head.title, tally),
            element("subtitle", head.description, tally, _HTML),
            element("updated", updated, tally),
            *self._authors(head.authors),
            self._link("alternate", head.link),
            self._link("self", head.self_link),
            *(self._link("hub", hub) for hub in head.hubs),
        ]
        return ("".join(parts) + "\n").encode()

    def _link(self, rel: str, href: str | None, more: str = "") -> str:
        return f'<link rel="{rel}"{more} href="{address(href, self._tally)}"/>' if href else ""

    def item(self, entry: Entry) -> bytes:
        tally = self._tally
        tally.loc = entry.loc or entry.id
        loc = choose_feed_loc(entry, self._reporter)
        identity = _choose_id(entry, loc, tally)
        if not identity:
            return b""
        title = element("title", entry.title, tally)
        if not title:
            title = element("title", loc or entry.id or "Untitled", tally)
            tally("filled-in", "entry has no title; wrote its URL")
        parts = [
            f"<entry{_lang(entry.language, tally)}>",
            element("id", identity, tally),
            title,
            self._link("alternate", loc),
            *self._dates(entry),
            element("summary", entry.description, tally, _HTML),
            *self._authors(entry.authors),
            *self._categories(entry.categories),
            *(
                self._enclosure(enclosure.url, enclosure.type, enclosure.length)
                for enclosure in entry.enclosures
            ),
            self._foreign(entry),
            "</entry>\n",
        ]
        return "".join(parts).encode()

    def _authors(self, names: Iterable[str]) -> Iterator[str]:
        for name in names:
            if written := element("name", name, self._tally):
                yield f"<author>{written}</author>"

    def _categories(self, names: Iterable[str]) -> Iterator[str]:
        for name in names:
            if term := escape(name, self._tally, is_attribute=True).strip():
                yield f'<category term="{term}"/>'

    def _foreign(self, entry: Entry) -> str:
        on_problem = make_entry_reporter(self._reporter, entry.loc or entry.id)
        reads = partial(is_read_as_field, entry=entry, table=ENTRY, has_media=False)
        return foreign_elements(
            entry.extras, on_problem, item="entry", default=NAMESPACES["atom"], is_read=reads
        )

    def _dates(self, entry: Entry) -> list[str]:
        tally = self._tally
        published = to_rfc3339(entry.published, tally) if entry.published else None
        updated = to_rfc3339(entry.lastmod, tally) if entry.lastmod else published
        if updated is None:
            updated = clock.now()
            tally("filled-in", "entry has no date; wrote the time of this run")
        return [element("updated", updated, tally), element("published", published, tally)]

    def _enclosure(self, url: str | None, kind: str | None, length: int | None) -> str:
        written = escape(kind or "", self._tally, is_attribute=True).strip()
        more = f' type="{written}"' if written else ""
        more += f' length="{length}"' if length is not None else ""
        return self._link("enclosure", url, more)

    def finish(self) -> bytes:
        return b"</feed>\n"


_HTML = ' type="html"'


def _lang(language: str | None, on_problem: OnProblem) -> str:
    code = language_code(language, on_problem)
    return f' xml:lang="{code}"' if code else ""


def _choose_id(entry: Entry, loc: str | None, on_problem: OnProblem) -> str | None:
    """
    Return the ID of an entry: its own IRI, its URL, or a stable IRI derived from its ID or text.

    If none of these exist, report this and return None.
    """
    if entry.id:
        if urls.is_iri(entry.id):
            return entry.id
        on_problem(
            "filled-in", "entry ID is not an IRI, which Atom requires; wrote a UUID derived from it"
        )
        host = (loc or "").partition("://")[2].partition("/")[0]
        return urls.derive_iri(f"{host}/{entry.id}")
    if loc:
        return loc
    if entry.title or entry.description:
        on_problem("filled-in", "entry has neither URL nor ID; wrote a UUID derived from its text")
        return urls.derive_iri(f"{entry.title}\n{entry.published}\n{entry.description}")
    on_problem("missing-element", "entry has neither URL nor ID; skipped")
    return None
