"""
Write JSON Feed 1.1: https://www.jsonfeed.org/version/1.1/

Each item has the id that it had, else its URL, and content, which may be empty; both are required.
"""

from collections.abc import Collection
from typing import Any

import msgspec

from sitemapx.convert.formats.feeds.writing import FeedWriter, feed_loc, language_code, rfc3339
from sitemapx.convert.model.document import Head
from sitemapx.convert.model.entry import Enclosure, Entry
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.values import urls

_VERSION = "https://jsonfeed.org/version/1.1"


class JsonFeedWriter(FeedWriter):
    """Writer of items of JSON Feed, a line each."""

    separator = b",\n"

    def __init__(self, reporter: Reporter) -> None:
        super().__init__(reporter)
        self._encode = msgspec.json.Encoder().encode

    def start(self, head: Head, fields: Collection[str]) -> bytes:
        """Write the keys of the feed, and the start of its items."""
        members = {
            "version": _VERSION,
            "title": head.title,
            "home_page_url": head.link,
            "feed_url": head.self_link,
            "description": head.description,
            "language": language_code(head.language, self._tally),
            "authors": [{"name": name} for name in head.authors],
            "hubs": [{"type": "WebSub", "url": hub} for hub in head.hubs],
        }
        return self._encode(_filled(members))[:-1] + b',"items":[\n'

    def item(self, entry: Entry) -> bytes:
        """Return an item as a JSON object."""
        tally = self._tally
        tally.loc = entry.loc or entry.id
        loc = feed_loc(entry, self._reporter)
        identity = entry.id or loc
        if not identity and (entry.title or entry.description):
            tally("completed", "entry has neither URL nor ID; wrote a UUID derived from its text")
            identity = urls.derive_iri(f"{entry.title}\n{entry.published}\n{entry.description}")
        if not identity:
            tally("incomplete", "entry has neither URL nor ID; skipped")
            return b""
        item = {
            "id": identity,
            "url": loc,
            "title": entry.title,
            "content_html": entry.description,
            "image": self._image(entry),
            "date_published": rfc3339(entry.published, tally) if entry.published else None,
            "date_modified": rfc3339(entry.lastmod, tally) if entry.lastmod else None,
            "authors": [{"name": name} for name in entry.authors],
            "tags": entry.categories,
            "language": language_code(entry.language, tally),
            "attachments": [
                self._attachment(enclosure) for enclosure in entry.enclosures if enclosure.url
            ],
        }
        if not entry.description:
            item["content_text"] = ""
        return self.separator + self._encode(_filled(item))

    def _image(self, entry: Entry) -> str | None:
        """Return the first image; a feed has a place for its URL alone."""
        if len(entry.images) > 1:
            self._tally(
                "too-many", "JSON Feed supports one image per item; only the first is written"
            )
        return entry.images[0].loc if entry.images else None

    def _attachment(self, enclosure: Enclosure) -> dict[str, Any]:
        media_type = enclosure.type
        if not media_type:
            self._tally("completed", "attachment has no type; wrote application/octet-stream")
            media_type = "application/octet-stream"
        return _filled(
            {"url": enclosure.url, "mime_type": media_type, "size_in_bytes": enclosure.length}
        )

    def finish(self) -> bytes:
        """Write the end of the items and of the feed."""
        return b"\n]}\n"


def _filled(members: dict[str, Any]) -> dict[str, Any]:
    """Return the members that have a value; an empty text is one."""
    return {key: value for key, value in members.items() if value not in (None, [], ())}
