"""
Writes RSS 2.0: https://www.rssboard.org/rss-specification

Dates that RFC 822 does not support (without time or time zone) are written in elements of Dublin
Core or Atom. Items without title and description get their URL or ID as title, since RSS requires a
title or a description.
"""

from collections.abc import Collection
from functools import partial

from sitemapx.convert.formats.feeds.items import ADDRESS_AND_NAME
from sitemapx.convert.formats.feeds.media.writer import media_elements
from sitemapx.convert.formats.feeds.writing import (
    FeedWriter,
    address,
    choose_feed_loc,
    element,
    is_read_as_field,
    language_code,
    to_rfc822,
)
from sitemapx.convert.formats.rss.reader import ITEM
from sitemapx.convert.model.document import Head
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.xml.elements import foreign_elements
from sitemapx.convert.xml.namespaces import NAMESPACES
from sitemapx.convert.xml.writing import escape, make_entry_reporter


class RssWriter(FeedWriter):
    prefixes: tuple[str, ...] = ("atom", "dc")

    def start(self, head: Head, fields: Collection[str]) -> bytes:
        tally = self._tally
        names = "".join(f' xmlns:{p}="{NAMESPACES[p]}"' for p in self.prefixes)
        updated = to_rfc822(head.updated, tally) if head.updated else None
        parts = [
            f'<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"{names}>\n<channel>\n',
            element("title", head.title, tally),
            element("link", head.link, tally),
            element("description", head.description, tally),
            element("language", head.language, tally),
            *(element("dc:creator", name, tally) for name in head.authors),
            element("lastBuildDate", updated, tally),
            "" if updated else element("dc:date", head.updated, tally),
            _atom_link("self", head.self_link, ' type="application/rss+xml"'),
            *(_atom_link("hub", hub) for hub in head.hubs),
        ]
        return ("".join(parts) + "\n").encode()

    def item(self, entry: Entry) -> bytes:
        tally = self._tally
        tally.loc = entry.loc or entry.id
        loc = choose_feed_loc(entry, self._reporter)
        if not (loc or entry.id or entry.title or entry.description):
            tally("missing-element", "item has no URL, ID, title or description; skipped")
            return b""
        description = element("description", entry.description, tally)
        title, title_element = self._title(entry, loc, is_required=not description)
        parts = [
            "<item>",
            title_element,
            element("link", loc, tally),
            description,
            *(element(_author_element(name), name, tally) for name in entry.authors),
            *(element("category", name, tally) for name in entry.categories),
            self._guid(entry, loc),
            *self._dates(entry),
            element("dc:language", language_code(entry.language, tally), tally),
            *self._enclosures(entry),
            self.media(entry, title),
            self._foreign(entry),
            "</item>\n",
        ]
        return "".join(parts).encode()

    def _title(self, entry: Entry, loc: str | None, *, is_required: bool) -> tuple[str | None, str]:
        """
        Return the title and its XML; a required title that is missing is replaced by the URL or ID.

        A missing title that is not required is None, with the XML "".
        """
        if written := element("title", entry.title, self._tally):
            return entry.title, written
        if not is_required:
            return None, ""
        message = "item has no title or description; wrote its URL as title"
        self._tally("filled-in", message)
        title = loc or entry.id
        return title, element("title", title, self._tally)

    def _foreign(self, entry: Entry) -> str:
        on_problem = make_entry_reporter(self._reporter, entry.loc or entry.id)
        reads = partial(
            is_read_as_field, entry=entry, table=ITEM, has_media="media" in self.prefixes
        )
        return foreign_elements(entry.extras, on_problem, item="item", is_read=reads)

    def _guid(self, entry: Entry, loc: str | None) -> str:
        own = entry.id if entry.id != entry.loc else None
        guid = element("guid", own, self._tally, ' isPermaLink="false"')
        return guid or element("guid", loc, self._tally)

    def _dates(self, entry: Entry) -> list[str]:
        """Return the XML of the date of publication (or change), and of a different last change."""
        tally = self._tally
        published = entry.published or entry.lastmod
        if not published:
            return []
        mail = to_rfc822(published, tally)
        parts = [element("pubDate", mail, tally)] if mail else []
        if not mail and entry.published:
            parts.append(element("dcterms:issued", published, tally, _DCTERMS))
        if entry.lastmod and (entry.lastmod != published or not mail):
            name = "atom:updated" if entry.published else "dc:date"
            parts.append(element(name, entry.lastmod, tally))
        return parts

    def _enclosures(self, entry: Entry) -> list[str]:
        """Return an element for each enclosure with a URL; RSS allows one, readers accept more."""
        tally = self._tally
        parts: list[str] = []
        for enclosure in entry.enclosures:
            if not enclosure.url:
                tally("missing-element", "enclosure has no URL; dropped")
                continue
            if enclosure.length is None:
                tally("filled-in", "enclosure has no length; wrote 0")
            kind = escape(enclosure.type or "", tally, is_attribute=True).strip()
            if not kind:
                tally("filled-in", f"enclosure has no type; wrote {_ANY_TYPE}")
            length = f' length="{enclosure.length or 0}"'
            url, kind = address(enclosure.url, tally), kind or _ANY_TYPE
            parts.append(f'<enclosure url="{url}"{length} type="{kind}"/>')
        return parts

    def media(self, entry: Entry, title: str | None) -> str:
        return ""

    def finish(self) -> bytes:
        return b"</channel>\n</rss>\n"


def _author_element(name: str) -> str:
    """
    Return the name of the element for an author: `author` only for an email address.

    Readers drop the address in `address (name)`, so the whole text becomes `dc:creator`.
    """
    is_address = "@" in name and not ADDRESS_AND_NAME.fullmatch(name)
    return "author" if is_address else "dc:creator"


#: For enclosures whose type is unknown, as RSS requires a type.
_ANY_TYPE = "application/octet-stream"
_DCTERMS = f' xmlns:dcterms="{NAMESPACES["dcterms"]}"'


class MediaRssWriter(RssWriter):
    prefixes = ("atom", "dc", "dcterms", "media")

    def media(self, entry: Entry, title: str | None) -> str:
        return media_elements(entry, title, self._tally)


def _atom_link(rel: str, href: str | None, more: str = "") -> str:
    if not href:
        return ""
    return f'<atom:link rel="{rel}"{more} href="{escape(href, _ignore, is_attribute=True)}"/>'


def _ignore(code: str, message: str) -> None:
    pass
