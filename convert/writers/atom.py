"""
Write Atom 1.0: https://www.rfc-editor.org/rfc/rfc4287

Each entry has the id that it had, else its URL; a date to the second, which Atom requires, else
the feed's.
"""

from collections.abc import Collection

from sitemapx.convert import times
from sitemapx.convert.document import Batch, Head
from sitemapx.convert.entry import Entry
from sitemapx.convert.namespaces import NAMESPACES
from sitemapx.convert.problems import Context
from sitemapx.convert.writers.feedtext import address, element, feed_loc, rfc3339, tallier
from sitemapx.convert.writers.xml import escape, foreign

__all__ = ["AtomWriter"]


class AtomWriter:
    """Turn entries into entries of Atom, a line each."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._complain = tallier(context)

    def start(self, head: Head, fields: Collection[str]) -> bytes:
        """Write the start of the feed and what it says of itself."""
        say = self._complain
        lang = (
            f' xml:lang="{escape(head.language, say, is_attribute=True)}"' if head.language else ""
        )
        updated = rfc3339(head.updated, say) if head.updated else None
        if updated is None:
            updated = times.now()
            say("completed", "a feed without a date; written with the time of this run")
        say("completed", "a feed without an author; its title is written")
        parts = [
            '<?xml version="1.0" encoding="UTF-8"?>\n',
            f'<feed xmlns="{NAMESPACES["atom"]}"{lang}>\n',
            element("id", head.self_link or head.link or "urn:sitemapx:feed", say),
            element("title", head.title, say),
            element("subtitle", head.description, say),
            element("updated", updated, say),
            f"<author>{element('name', head.title, say)}</author>",
            self._link("alternate", head.link),
            self._link("self", head.self_link),
            self._link("hub", head.hub),
        ]
        return ("".join(parts) + "\n").encode()

    def _link(self, rel: str, href: str | None, more: str = "") -> str:
        return f'<link rel="{rel}"{more} href="{address(href, self._complain)}"/>' if href else ""

    def encode(self, batch: Batch) -> list[bytes]:
        """Write a line for each entry, also for one that has only an id."""
        return [self._entry(entry).encode() for entry in batch.entries]

    def _entry(self, entry: Entry) -> str:
        say = self._complain
        loc = feed_loc(entry, self._context)
        lang = (
            f' xml:lang="{escape(entry.language, say, is_attribute=True)}"'
            if entry.language
            else ""
        )
        title = entry.title
        if not title:
            title = loc or entry.id or "Untitled"
            say("completed", "an entry without title; its URL is the title")
        identity = entry.id or loc
        if not identity:
            say("incomplete", "an entry with neither URL nor id; left out")
            return ""
        parts = [
            f"<entry{lang}>",
            element("id", identity, say),
            element("title", title, say),
            self._link("alternate", loc),
            *self._dates(entry),
            element("summary", entry.description, say),
            *(f"<author>{element('name', name, say)}</author>" for name in entry.authors),
            *(
                f'<category term="{escape(name, say, is_attribute=True)}"/>'
                for name in entry.categories
            ),
            *(self._enclosure(one.url, one.type, one.length) for one in entry.enclosures),
            *map(foreign, entry.extras),
            "</entry>\n",
        ]
        return "".join(parts)

    def _dates(self, entry: Entry) -> list[str]:
        say = self._complain
        published = rfc3339(entry.published, say) if entry.published else None
        updated = rfc3339(entry.lastmod, say) if entry.lastmod else published
        if updated is None:
            updated = times.now()
            say("completed", "an entry without a date; written with the time of this run")
        return [element("updated", updated, say), element("published", published, say)]

    def _enclosure(self, url: str | None, kind: str | None, length: int | None) -> str:
        more = f' type="{escape(kind, self._complain, is_attribute=True)}"' if kind else ""
        more += f' length="{length}"' if length is not None else ""
        return self._link("enclosure", url, more)

    def finish(self) -> bytes:
        """Write the end tag."""
        return b"</feed>\n"
