"""
Read JSON Feed 1.1 and 1.0: https://www.jsonfeed.org/version/1.1/

The description is the summary, else the content; plain texts become HTML. Lenient about: numbers
as ids, `author` of version 1.0, dates that can be rewritten, keys in any order. A value of the
wrong type is left out alone; what follows the first syntax error cannot be read.
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from sitemapx.convert.formats.format import Context
from sitemapx.convert.formats.jsonfeed.items import JsonItemReader, feed_head
from sitemapx.convert.json.scanner import JsonError, Scanner
from sitemapx.convert.json.texts import texts
from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.document import Document
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.streams.lines import Lines
from sitemapx.convert.streams.stream import Readable
from sitemapx.errors import InputError

__all__ = ["looks_like_jsonfeed", "read_jsonfeed"]

#: The version, or a key that no entry of JSON Lines has, wherever it stands.
_is_feed = re.compile(
    r'"https?:\\?/\\?/(?:www\.)?jsonfeed\.org\\?/version|"(?:items|home_page_url|feed_url)"\s*:'
).search
#: Characters of items that are read at a time.
_PART = 1 << 17
#: Items that come before the title wait for it, up to so many characters.
_MOST_WAITING = 1 << 24


def looks_like_jsonfeed(start: str) -> bool:
    """Return whether a text begins like a JSON Feed."""
    return start.lstrip().startswith("{") and _is_feed(start) is not None


def read_jsonfeed(stream: Readable, context: Context) -> Document:
    """
    Read a JSON Feed, item by item.

    Raises:
        InputError: If this is not a JSON object.

    """
    feed = _Feed(stream, context)
    return Document(feed.batches(), head=feed_head(feed.members, context), family="feed")


class _Part(NamedTuple):
    """Some items, and the text that they are in."""

    lines: Lines
    entries: list[Entry]


class _Feed:
    """
    A feed as it is read.

    Attributes:
        members: The keys of the feed and their values, but for the items.

    """

    def __init__(self, stream: Readable, context: Context) -> None:
        """
        Read up to the items; and on, if the title comes after them and they are not too many.

        Raises:
            InputError: If this is not a JSON object.

        """
        self._scanner = scanner = Scanner(texts(stream, context), self._report_repeated)
        self._context = context
        self._reader = JsonItemReader(context)
        self._is_in_items = self._has_items = False
        self._waiting: list[_Part] = []
        self.members: dict[str, Any] = {}
        if not scanner.take("{"):
            raise InputError("not a JSON object")
        self._read_members()
        size = 0
        while self._is_in_items and "title" not in self.members and size < _MOST_WAITING:
            self._waiting.append(self._next())
            size += len(scanner.part)

    def batches(self) -> Iterator[Batch]:
        """Return the items."""
        known = len(self.members)
        is_empty = True
        while self._waiting or self._is_in_items:
            lines, entries = self._waiting.pop(0) if self._waiting else self._next()
            self._context.observer.see_part(lines)
            if entries:
                is_empty = False
                yield Batch(entries)
        for key in [*self.members][known:]:
            message = f"key {key!r} after the items"
            self._context.problem("unread-element", message, done="; dropped")
        if is_empty:
            self._context.problem("no-items", "feed has no items")

    def _read_members(self) -> None:
        """Read keys and values, up to the items or to the end of the feed."""
        scanner = self._scanner
        try:
            while not scanner.take("}"):
                key, line = scanner.value(), scanner.line
                if not isinstance(key, str) or not scanner.take(":"):
                    raise JsonError("expected a key and a value")
                if key == "items" and scanner.take("["):
                    if self._has_items:
                        self._report_repeated([key], line, "; both lists of items are read")
                    self._is_in_items = self._has_items = True
                    return
                if key in self.members:
                    self._report_repeated([key], line, "; the first value is used")
                self.members.setdefault(key, scanner.value())
                scanner.take(",")
            if scanner.peek():
                message = "content after the end of the feed"
                self._context.problem("bad-json", message, done="; dropped", line=scanner.line)
        except JsonError as error:
            self._give_up(error)

    def _report_repeated(
        self, keys: list[str], line: int, done: str = "; the last value is used"
    ) -> None:
        message = f"repeated keys: {', '.join(map(repr, keys))}"
        self._context.problem("repeated", message, done=done, line=line)

    def _next(self) -> "_Part":
        """Read some items."""
        scanner = self._scanner
        entries: list[Entry] = []
        scanner.begin_part()
        first = scanner.line
        try:
            while not scanner.is_longer(_PART) and not scanner.take("]"):
                line = scanner.line
                if entry := self._reader.entry(scanner.value(), line):
                    entries.append(entry)
                if not scanner.take(",") and scanner.peek() != "]":
                    raise JsonError("missing comma after item")
            text = scanner.part
        except JsonError as error:
            text = scanner.part
            self._give_up(error)
        else:
            if text.endswith("]"):
                self._is_in_items = False
                scanner.take(",")
                self._read_members()
        return _Part(Lines(text.replace("\\/", "/").split("\n"), first), entries)

    def _give_up(self, error: JsonError) -> None:
        """Report where the text ceases to be JSON; nothing after that can be read."""
        self._is_in_items = False
        message = f"invalid JSON: {error}"
        self._context.problem(
            "truncated",
            message,
            done="; everything from here on is skipped",
            line=self._scanner.line,
        )
