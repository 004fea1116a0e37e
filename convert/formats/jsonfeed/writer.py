"""
Writes JSON Feed 1.1: https://www.jsonfeed.org/version/1.1/

Items keep their ID, or get their URL as ID, and have content, possibly empty: both are required.
"""

from collections.abc import Collection
from typing import Any

import msgspec

from sitemapx.convert.formats.feeds.writing import (
    FeedWriter,
    choose_feed_loc,
    language_code,
    to_rfc3339,
)
from sitemapx.convert.model.document import Head
from sitemapx.convert.model.entry import Enclosure, Entry
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.values import urls

_VERSION = "https://jsonfeed.org/version/1.1"


class JsonFeedWriter(FeedWriter):
    separator = b",\n"

    def __init__(self, reporter: Reporter) -> None:
        super().__init__(reporter)
        self._encode = msgspec.json.Encoder().encode

    def start(self, head: Head, fields: Collection[str]) -> bytes:
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
        return self._encode(_remove_empty(members))[:-1] + b',"items":[\n'

    def item(self, entry: Entry) -> bytes:
        tally = self._tally
        tally.loc = entry.loc or entry.id
        loc = choose_feed_loc(entry, self._reporter)
        identity = entry.id or loc
        if not identity and (entry.title or entry.description):
            tally("filled-in", "entry has neither URL nor ID; wrote a UUID derived from its text")
            identity = urls.derive_iri(f"{entry.title}\n{entry.published}\n{entry.description}")
        if not identity:
            tally("missing-element", "entry has neither URL nor ID; skipped")
            return b""
        item = {
            "id": identity,
            "url": loc,
            "title": entry.title,
            "content_html": entry.description,
            "image": self._choose_image(entry),
            "date_published": to_rfc3339(entry.published, tally) if entry.published else None,
            "date_modified": to_rfc3339(entry.lastmod, tally) if entry.lastmod else None,
            "authors": [{"name": name} for name in entry.authors],
            "tags": entry.categories,
            "language": language_code(entry.language, tally),
            "attachments": [
                self._make_attachment(enclosure) for enclosure in entry.enclosures if enclosure.url
            ],
        }
        if not entry.description:
            item["content_text"] = ""
        return self.separator + self._encode(_remove_empty(item))

    def _choose_image(self, entry: Entry) -> str | None:
        """Return the URL of the first image, or None; count further images as dropped."""
        if len(entry.images) > 1:
            self._tally(
                "too-many", "JSON Feed supports one image per item; only the first is written"
            )
        return entry.images[0].loc if entry.images else None

    def _make_attachment(self, enclosure: Enclosure) -> dict[str, Any]:
        media_type = (enclosure.type or "").strip()
        if not media_type:
            self._tally("filled-in", "attachment has no type; wrote application/octet-stream")
            media_type = "application/octet-stream"
        return _remove_empty(
            {"url": enclosure.url, "mime_type": media_type, "size_in_bytes": enclosure.length}
        )

    def finish(self) -> bytes:
        return b"\n]}\n"


def _remove_empty(members: dict[str, Any]) -> dict[str, Any]:
    """Remove members without a value; an empty string is a value."""
    return {key: value for key, value in members.items() if value not in (None, [], ())}
