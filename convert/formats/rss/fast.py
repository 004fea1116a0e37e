"""The fast path of RSS 2.0: items in no namespace, with a link, and Dublin Core's names."""

from functools import partial

from sitemapx.convert.formats.feeds.fast.columns import chosen, date_column
from sitemapx.convert.formats.feeds.fast.grammar import FeedGrammar, text_field
from sitemapx.convert.formats.feeds.fast.locs import UsualItems
from sitemapx.convert.formats.feeds.fast.media import MediaPattern, ThumbnailPattern
from sitemapx.convert.formats.feeds.fast.mediaitems import MEDIA_OBJECTS, THUMBNAILS, join_media
from sitemapx.convert.formats.feeds.fast.patterns import (
    AuthorPattern,
    EnclosurePattern,
    TextPattern,
)
from sitemapx.convert.formats.feeds.fast.usualmedia import UsualMedia
from sitemapx.convert.formats.feeds.items import DESCRIPTIONS, FeedItemReader
from sitemapx.convert.formats.regular.columns import Column, column_of, loc_column
from sitemapx.convert.formats.regular.items import MARKS, ItemPattern, Items
from sitemapx.convert.formats.regular.patterns import QUOTED
from sitemapx.convert.formats.regular.usual import (
    LENGTH,
    QUOTED_TEXT,
    QUOTED_URL,
    SPACE,
    TEXT,
    in_any_order,
)
from sitemapx.convert.values import datatypes
from sitemapx.convert.values.rfc822 import COMMON
from sitemapx.convert.xml.namespaces import NAMESPACES
from sitemapx.convert.xml.parser import BlockParser

__all__ = ["RssGrammar", "usual_items"]

_PERMALINK = f"isPermaLink={QUOTED}"
#: The elements with a text, and the fields that they make.
_TEXTS = {
    "title": "title",
    "guid": "id",
    "description": "description",
    "content:encoded": "description",
}


class RssGrammar(FeedGrammar):
    """The grammar of a feed."""

    def __init__(
        self, markup: BlockParser, reader: FeedItemReader, *, has_media: bool = False
    ) -> None:
        """
        Take what the document declares.

        Args:
            reader: Reads the items that are not regular.
            has_media: Whether the channel describes the media of its items.

        """
        super().__init__(reader)
        declared = {name for name in ("dc", "content") if _declares(markup, name)}
        guid = text_field("guid", rf"(?: {_PERMALINK}|)", rf"(?:[ \t\n]++{_PERMALINK}|)")
        fields = {name: text_field(name) for name in ("title", "link", "description", "pubDate")}
        fields["guid"] = guid
        if "content" in declared:
            fields["content:encoded"] = text_field("content:encoded")
        self.split = ItemPattern("item", fields, "link").split
        creators, subjects = (["dc:creator"], ["dc:subject"]) if "dc" in declared else ([], [])
        categories = ["category", *subjects]
        authors = ["author", *creators]
        is_wanted = self._context.wants("authors")
        self._add("categories", categories, partial(TextPattern, categories, "domain"))
        self._add("authors", authors, partial(AuthorPattern, authors, is_wanted=is_wanted))
        self._add("enclosures", ["enclosure"], EnclosurePattern)
        self._wants_media = self._context.wants("images") or self._context.wants("videos")
        if _declares(markup, "media") and not has_media:
            media_objects = partial(MediaPattern, is_wanted=self._wants_media)
            self._add(
                MEDIA_OBJECTS, ["media:content", "media:group"], media_objects, is_needed=True
            )
            self._add(THUMBNAILS, ["media:thumbnail"], ThumbnailPattern, is_needed=True)

    def columns(self, items: Items, marks: str) -> dict[str, Column] | None:
        """Make the columns of the elements that an item may have once."""
        links = items.texts["link"]
        columns = {"loc": loc_column(links, "\n".join([*map(str, links), ""]))}
        if dates := date_column(items.texts["pubDate"]):
            columns["published"] = dates
        for name, field in _TEXTS.items():
            texts = items.texts.get(name, ())
            is_wanted = field == "description" or self._context.wants(field)
            if column := column_of(datatypes.TEXT, texts, is_wanted=is_wanted):
                columns[name] = column
        return columns

    def joined(self, columns: dict[str, Column]) -> dict[str, Column]:
        """Make the fields of entries."""
        if description := chosen(columns, DESCRIPTIONS):
            columns["description"] = description
        if published := columns.get("published"):
            columns["lastmod"] = Column(published.values)
        if guid := columns.pop("guid", None):
            columns["id"] = guid
        join_media(columns, is_wanted=self._wants_media)
        return columns


def usual_items(markup: BlockParser, *, has_media: bool = False) -> UsualItems:
    """
    Make the reader of the URLs of a feed.

    Args:
        has_media: Whether the channel describes the media of its items.

    """
    media = UsualMedia() if _declares(markup, "media") and not has_media else None
    items = UsualItems("item", media=media)
    items.add("link", "", rf">{SPACE}([^<\s{MARKS}]++){SPACE}</link>", "loc", is_only=True)
    items.add("title", "title", f">{TEXT}</title>", is_only=True)
    items.add("guid", "id", rf"(?:[ \t\n]++{_PERMALINK}|)>{TEXT}</guid>", is_only=True)
    items.add("pubDate", "published", f">{COMMON}</pubDate>", is_only=True)
    items.add("description", "description", f">{TEXT}</description>", is_only=True)
    items.add("category", "categories", f">{TEXT}</category>")
    items.add("author", "authors", f">{TEXT}</author>")
    if _declares(markup, "dc"):
        items.add("dc:creator", "authors", f">{TEXT}</dc:creator>")
    attributes = in_any_order({"url": QUOTED_URL}, {"type": QUOTED_TEXT, "length": LENGTH})
    items.add("enclosure", "enclosures", f"{attributes}(?:/>|>{SPACE}</enclosure>)")
    return items


def _declares(markup: BlockParser, prefix: str) -> bool:
    return markup.prefixes.get(prefix) == NAMESPACES[prefix]
