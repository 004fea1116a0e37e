"""Rules for feeds: requirements of their formats, and recommendations for feed readers."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, NamedTuple

from sitemapx.check.api import BatchResult, Check, CheckContext
from sitemapx.check.findings import RawFinding, Rule
from sitemapx.check.urlindex import IndexedBatch
from sitemapx.check.view import BatchView, File, FileExtent
from sitemapx.convert.disk.spill import DigestSet
from sitemapx.convert.formats.limits import Requirements
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.values import uris
from sitemapx.convert.xml.tags import root_name

_RSS = "https://www.rssboard.org/rss-specification"
_ATOM = "https://www.rfc-editor.org/rfc/rfc4287"

#: The field that an item lacks, by the code of the finding.
_FIELDS = {"item-without-id": "id", "item-without-date": "published"}


class _FeedItems(NamedTuple):
    """
    Facts about the items of a batch.

    Attributes:
        incomplete: Findings on items that lack a required field.
        ids: The ID of each item, and its date in Atom, where an entry may be listed once in each
            version (RFC 4287, 4.1.1); None without an ID.
        lacking: Indexes of the items without ID or without date, by the code of the finding.

    """

    incomplete: Sequence[RawFinding]
    ids: Sequence[tuple[str, str] | None]
    lacking: Mapping[str, Sequence[int]]


class Feeds(Check):
    """Checks required fields and self links of feeds, and that item IDs are unique."""

    rules: ClassVar = {
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
        "self-link-differs": Rule(
            "warning",
            "Feed self link differs from its URL",
            "Subscribers follow the self link, and then read another feed, or none.",
            "https://www.rssboard.org/rss-profile#namespace-elements-atom-link",
            "Set the self link to the URL at which the feed is served.",
        ),
    }

    other_codes: ClassVar = ("feed-incomplete", "missing-element")

    def __init__(self, context: CheckContext) -> None:
        super().__init__(context)
        self._seen: DigestSet | None = None

    def begin_file(self, file: File) -> Iterator[RawFinding]:
        if file.format.requires is None:
            return
        self._counts: Counter[str] = Counter()
        self._first: dict[str, RawFinding] = {}
        self.close()
        self._seen = DigestSet()
        if root_name(file.start) == "entry":  # an entry document, not a feed: RFC 4287, 2
            return
        head = file.head
        for name in file.format.requires.head if not file.format.roots else ():
            if not getattr(head, name):
                yield RawFinding("feed-incomplete", f"feed has no {name}")
        if not head.self_link:
            yield RawFinding("feed-without-self", 'feed has no link with rel="self"')
        elif file.url and uris.canonicalize(head.self_link or "") != uris.canonicalize(file.url):
            message = f"self link is {head.self_link}, the feed is at {file.url}"
            yield RawFinding("self-link-differs", message)

    def check_batch(self, view: BatchView) -> BatchResult:
        requires = view.file.format.requires
        if requires is None:
            return BatchResult()
        entries = view.batch.entries
        incomplete: list[RawFinding] = []
        if not view.file.format.roots:  # the validator of markup reports them for XML
            incomplete += (
                view.urls.finding("missing-element", message, at)
                for at, entry in enumerate(entries)
                for message in _missing_fields(entry, requires)
            )
        lacking: dict[str, list[int]] = {}
        if ("id",) not in requires.entry:
            found = [at for at, entry in enumerate(entries) if entry.id is None]
            lacking["item-without-id"] = found
        if ("lastmod",) not in requires.entry:
            found = [
                at for at, entry in enumerate(entries) if not (entry.published or entry.lastmod)
            ]
            lacking["item-without-date"] = found
        has_versions = view.file.format.name == "atom"
        ids = [
            (entry.id, (entry.lastmod or "") if has_versions else "") if entry.id else None
            for entry in entries
        ]
        return BatchResult(partial=_FeedItems(incomplete, ids, lacking))

    def merge(
        self, partial: _FeedItems | None, batch: IndexedBatch, file: File
    ) -> Iterator[RawFinding]:
        if partial is None:
            return
        yield from partial.incomplete
        for code, places in partial.lacking.items():
            if places and code not in self._first:
                self._first[code] = RawFinding(code, "", batch.urls.position_of(places[0]))
            self._counts[code] += len(places)
        for at, item_id in enumerate(partial.ids):
            if item_id and self._seen and self._seen.add_text("\n".join(item_id), 0) is not None:
                name, _ = item_id
                yield batch.urls.finding("duplicate-id", f"duplicate ID {name!r}", at, name)

    def end_file(self, file: File, extent: FileExtent) -> Iterator[RawFinding]:
        if file.format.requires is not None:
            for code, first in self._first.items():
                field = file.format.requires.spelling(_FIELDS[code])
                yield first._replace(message=_lacking(self._counts[code], field))

    def close(self) -> None:
        if self._seen:
            self._seen.close()


def _missing_fields(entry: Entry, requires: Requirements) -> Iterator[str]:
    """Yield a message for each required field, or group of alternative fields, that is missing."""
    for names in requires.entry:
        if all(getattr(entry, name) is None for name in names):
            spelled = [requires.spelling(name) for name in names]
            both = f"item has neither {' nor '.join(spelled)}"
            yield both if len(names) > 1 else f"item has no {spelled[0]}"


def _lacking(count: int, name: str) -> str:
    """Return the message about `count` items without a field, to be reported at the first one."""
    return (
        f"item has no {name}"
        if count == 1
        else f"{count:,} items have no {name}; this is the first"
    )
