"""Feeds: what RSS 2.0 and Atom require, and what readers of feeds rely on."""

from collections import Counter
from typing import ClassVar

from sitemapx.check.api import Check, CheckContext, File
from sitemapx.check.findings import Rule
from sitemapx.check.positions import Position
from sitemapx.convert.disk.spill import Seen
from sitemapx.convert.formats.limits import Requirements
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.values import uris
from sitemapx.convert.xml.tags import root_name

__all__ = ["Feeds"]

_RSS = "https://www.rssboard.org/rss-specification"
_ATOM = "https://www.rfc-editor.org/rfc/rfc4287"

#: The field that an item lacks.
_FIELDS = {"item-without-id": "id", "item-without-date": "published"}


class Feeds(Check):
    """Looks at feeds and their items."""

    rules: ClassVar = {
        "feed-incomplete": Rule(
            "warning",
            "Required feed element missing",
            "RSS requires title, link and description in the channel; Atom requires title, id and "
            "updated.",
            _RSS,
            "Add the required element to the feed.",
        ),
        "item-incomplete": Rule(
            "warning",
            "Required item element missing",
            "RSS requires a title or description in each item; Atom requires title, id and "
            "updated.",
            _ATOM,
            "Add the required element to the item.",
        ),
        "feed-date": Rule(
            "warning",
            "Invalid date format for this type of feed",
            "RSS requires RFC 822 dates, Atom and JSON Feed require RFC 3339 dates; readers reject "
            "other dates, or guess.",
            f"{_ATOM}#section-3.3",
            "Use the form Mon, 01 Jun 2026 10:00:00 GMT in RSS, and 2026-06-01T10:00:00Z in Atom "
            "and JSON Feed.",
        ),
        "item-without-id": Rule(
            "note",
            "Item has no guid",
            "Readers must guess which items are new, and may show some twice.",
            f"{_RSS}#ltguidgtSubelementOfLtitemgt",
            "Give each item a guid that never changes.",
        ),
        "item-without-date": Rule(
            "note",
            "Item has no date",
            "Search engines that read the feed as a sitemap cannot tell what changed.",
            "https://www.sitemaps.org/protocol.html#otherformats",
            "Give each item its date: pubDate in RSS, date_published in JSON Feed.",
        ),
        "duplicate-id": Rule(
            "error",
            "Duplicate item ID",
            "Items with the same ID count as one item, so readers show only one of them.",
            f"{_ATOM}#section-4.1.1",
            "Give each item its own ID.",
        ),
        "feed-without-self": Rule(
            "note",
            "Feed has no self link",
            "Readers and WebSub hubs identify a feed by its self link.",
            "https://www.rssboard.org/rss-profile#namespace-elements-atom-link",
            'Add atom:link rel="self" with the URL of the feed.',
        ),
        "feed-elsewhere": Rule(
            "warning",
            "Feed self link differs from its URL",
            "Subscribers follow the self link, and then read another feed, or none.",
            "https://www.rssboard.org/rss-profile#namespace-elements-atom-link",
            "Write the URL where the feed is served into its self link.",
        ),
    }

    def __init__(self, context: CheckContext) -> None:
        super().__init__(context)
        self._seen: Seen | None = None

    def begin(self, file: File) -> None:
        """Look at the head."""
        if file.format is None or file.format.requires is None:
            return
        requires = file.format.requires
        self._lacking: Counter[str] = Counter()
        self._first: dict[str, Position] = {}
        self.close()
        self._seen = Seen()
        if root_name(file.start) == "entry":  # no feed: RFC 4287, 2
            return
        head = file.head
        for name in requires.head:
            if not getattr(head, name):
                file.report("feed-incomplete", f"feed has no {name}")
        if not head.self_link:
            file.report("feed-without-self", 'feed has no link with rel="self"')
        elif file.url and uris.canonical(head.self_link or "") != uris.canonical(file.url):
            file.report(
                "feed-elsewhere", f"self link is {head.self_link}, the feed is at {file.url}"
            )

    def batch(self, batch: Batch, file: File) -> None:
        """Look at the items."""
        if file.format is None or file.format.requires is None:
            return
        for at, entry in enumerate(batch.entries):
            self._look_at(entry, at, file.format.requires, file)
            if entry.id and self._seen and self._seen.first(entry.id, 0) is not None:
                file.report("duplicate-id", f"duplicate ID {entry.id!r}", at=at, text=entry.id)

    def _look_at(self, entry: Entry, at: int, requires: Requirements, file: File) -> None:
        """Look for the fields that an entry must have, and those that it should have."""
        for names in requires.entry:
            if all(getattr(entry, name) is None for name in names):
                spelled = [requires.spelling(name) for name in names]
                both = f"item has neither {' nor '.join(spelled)}"
                message = both if len(names) > 1 else f"item has no {spelled[0]}"
                file.report("item-incomplete", message, at=at)
        if entry.id is None and ("id",) not in requires.entry:
            self._count("item-without-id", at, file)
        if ("lastmod",) not in requires.entry and not (entry.published or entry.lastmod):
            self._count("item-without-date", at, file)

    def _count(self, code: str, at: int, file: File) -> None:
        if code not in self._first:
            self._first[code] = file.position_of(at)
        self._lacking[code] += 1

    def end(self, file: File) -> None:
        """Report what was counted."""
        if file.format is not None and file.format.requires is not None:
            for code, count in self._lacking.items():
                message = _lacking(count, file.format.requires.spelling(_FIELDS[code]))
                file.report_at(self._first[code], code, message)

    def close(self) -> None:
        """Release the memory."""
        if self._seen:
            self._seen.close()


def _lacking(count: int, name: str) -> str:
    """Say how many items lack a field; the first of them is where the finding is."""
    return (
        f"item has no {name}"
        if count == 1
        else f"{count:,} items have no {name}; this is the first"
    )
