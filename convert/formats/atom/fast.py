"""The fast path of Atom 1.0: entries in the default namespace, with one alternate."""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from sitemapx.convert.formats.feeds.batches import PAGING
from sitemapx.convert.formats.feeds.fast.columns import chosen
from sitemapx.convert.formats.feeds.fast.grammar import FeedGrammar, text_field
from sitemapx.convert.formats.feeds.fast.locs import UsualItems
from sitemapx.convert.formats.feeds.fast.patterns import PersonPattern, TermPattern, length_column
from sitemapx.convert.formats.feeds.items import FeedItemReader
from sitemapx.convert.formats.regular.columns import Column, attribute_column, column_of
from sitemapx.convert.formats.regular.items import ItemPattern, Items, once
from sitemapx.convert.formats.regular.models import Groups
from sitemapx.convert.formats.regular.patterns import IN_TAG, VALUE, Pattern
from sitemapx.convert.formats.regular.usual import (
    LENGTH,
    QUOTED_TEXT,
    QUOTED_URL,
    SPACE,
    TEXT,
    in_any_order,
)
from sitemapx.convert.html.text import as_html, plain_text
from sitemapx.convert.model.entry import Enclosure
from sitemapx.convert.values import datatypes
from sitemapx.convert.values.w3cdate import W3C
from sitemapx.convert.xml.plain import BLANKS

__all__ = ["HTML", "RELATION", "AtomGrammar", "usual_items"]

#: The second are those of Atom 0.3.
HTML = ("html", "xhtml", "text/html", "application/xhtml+xml")
RELATION = "http://www.iana.org/assignments/relation/"
#: The relations of links that say nothing of an entry.
_UNREAD = ("self", "edit", *PAGING)
_CONSTRUCTS = ("title", "summary", "content")
_DATES = ("updated", "published")


class Link(NamedTuple):
    """A link of an entry: its relation, its address, and what it leads to."""

    relation: str
    href: str
    type: str | None
    length: int | None


class AtomLinkPattern(Pattern):
    """The pattern of the links of an entry."""

    def __init__(self) -> None:
        """Compile it."""
        super().__init__()
        names = ("rel", "href", "type", "length", "hreflang", "title")
        inside = "|".join(self._attribute(name)[0] for name in names)
        tag = rf"<link(?:[ \t\n]++(?:{inside}))*{IN_TAG}"
        self._compile(rf"{tag}(?:/>|>{SPACE}</link{IN_TAG}>)", self._links)

    @staticmethod
    def _links(groups: Groups) -> Column:
        relations, hrefs, types, lengths, *_ = groups
        relation_of = {text: _relation(text) for text in {*relations}}
        hrefs_column = attribute_column(datatypes.URL, hrefs) or Column([None] * len(hrefs))
        types_column = attribute_column(datatypes.TEXT, types) or Column([None] * len(hrefs))
        lengths_column = length_column(attribute_column(datatypes.TEXT, lengths))
        lengths_column = lengths_column or Column([None] * len(hrefs))
        links = map(
            Link,
            [relation_of[text] for text in relations],
            *(column.values for column in (hrefs_column, types_column, lengths_column)),
        )
        without = (n for n, href in enumerate(hrefs_column.values) if not href)
        odd = {*hrefs_column.odd, *types_column.odd, *lengths_column.odd, *without}
        return Column(list(links), odd)


def _relation(text: str | None) -> str:
    return "alternate" if text is None else text.strip().lower().removeprefix(RELATION)


class AtomGrammar(FeedGrammar):
    """The grammar of a feed."""

    def __init__(self, reader: FeedItemReader, authors: Sequence[str]) -> None:
        """
        Take what the feed says of itself.

        Args:
            reader: Reads the entries that are not regular.
            authors: Those of the feed, who are the authors of entries that name none.

        """
        super().__init__(reader)
        self._authors = tuple(authors)
        fields = {name: text_field(name) for name in ("id", *_DATES)}
        for name in _CONSTRUCTS:
            kind = f"type={VALUE}"
            fields[name] = text_field(
                name, rf"(?: {kind}|)", rf"(?:[ \t\n]++{kind}|)", f"type of {name}"
            )
        self.split = ItemPattern("entry", fields, "id").split
        is_wanted = self._context.wants("authors")
        self._add("links", ["link"], AtomLinkPattern, is_needed=True)
        self._add("authors", ["author"], partial(PersonPattern, is_wanted=is_wanted))
        self._add("categories", ["category"], TermPattern)

    def columns(self, items: Items, marks: str) -> dict[str, Column] | None:
        """Make the columns of the elements that an entry may have once."""
        texts = items.texts
        found = {name: column_of(datatypes.DATE, texts[name]) for name in _DATES}
        is_wanted = self._context.wants("id")
        found["id"] = column_of(datatypes.TEXT, texts["id"], is_wanted=is_wanted)
        for name in _CONSTRUCTS:
            is_wanted = name != "title" or self._context.wants("title")
            column = column_of(datatypes.TEXT, texts[name], is_wanted=is_wanted)
            found[name] = _constructs(name, texts[f"type of {name}"], column)
        columns = {name: column for name, column in found.items() if column}
        columns["loc"] = Column([None] * len(texts["id"]))
        return columns

    def joined(self, columns: dict[str, Column]) -> dict[str, Column]:
        """Make the fields of entries."""
        if "links" not in columns:  # and so no URLs
            count = len(columns["loc"].values)
            columns["loc"] = columns["loc"]._replace(odd=range(count))
            return columns
        columns |= _linked(columns.pop("links"), columns["loc"])
        if description := chosen(columns, ("summary", "content")):
            columns["description"] = description
        updated, published = columns.pop("updated", None), columns.get("published")
        if updated and published:
            pairs = zip(updated.values, published.values, strict=True)
            dates = [date or other for date, other in pairs]
            columns["lastmod"] = Column(dates, updated.odd)
        elif lastmod := updated or published:
            columns["lastmod"] = lastmod
        if self._authors:
            names = columns.get("authors", Column([()] * len(columns["loc"].values)))
            columns["authors"] = names._replace(
                values=[some or self._authors for some in names.values]
            )
        return columns


def usual_items(authors: Sequence[str]) -> UsualItems:
    """Make the reader of the URLs of a feed with these authors."""
    items = UsualItems("entry", ["authors"] if authors else [])
    _add_links(items)
    text, html = (f"[{BLANKS}]++type=(?:\"{kind}\"|'{kind}')" for kind in ("text", "html"))
    # What is left of HTML may be nothing, but not if it begins with a word.
    title = rf"(?:(?:{text}|)>|{html}>(?=\w)){TEXT}</title>"
    items.add("title", "title", title, is_only=True)
    numbers = [items.next_group, items.next_group + 1]
    for name in ("summary", "content"):
        rest = f"(?:{text}|{html}|)>{TEXT}</{name}>"
        items.add(name, "description", rest, beside=numbers)
    items.add("id", "id", f">{TEXT}</id>", is_only=True)
    for name, field in (("updated", "lastmod"), ("published", "published")):
        items.add(name, field, f">{SPACE}(?a:{W3C}){SPACE}</{name}>", is_only=True)
    name = f"<name>{TEXT}</name>{SPACE}"
    others = "".join(f"(?:<{part}>{TEXT}</{part}>{SPACE}|)" for part in ("uri", "email"))
    items.add("author", "authors", f">{SPACE}{name}{others}</author>")
    term = f"[{BLANKS}]++term={QUOTED_TEXT}{SPACE}"
    items.add("category", "categories", f"{term}(?:/>|>{SPACE}</category>)")
    return items


def _add_links(items: UsualItems) -> None:
    """Add the link to the page, files, and links that are not read."""
    number = items.next_group
    end = rf"{SPACE}(?:/>|>{SPACE}</link>)"
    attributes = "|".join(
        f"{name}={once(number + n)}({value})" for n, (name, value) in enumerate(_OF_LINKS, 1)
    )
    page = rf"(?:[{BLANKS}]++(?:{attributes}))*(?({number + 1})|(?!)){end}"
    items.add("link", "", page, "loc", "", "", "", is_only=True)
    unread = "|".join(f"{quote}(?:edit|self){quote}" for quote in "\"'")
    more = {"type": QUOTED_TEXT}
    items.add("link", "", in_any_order({"rel": f"(?:{unread})", "href": QUOTED_TEXT}, more) + end)
    file = {"rel": "(?:\"enclosure\"|'enclosure')", "href": QUOTED_URL}
    more["length"] = LENGTH
    items.add("link", "enclosures", in_any_order(file, more) + end)


#: The attributes of a link to a page.
_OF_LINKS = (
    ("href", QUOTED_URL),
    ("rel", "\"alternate\"|'alternate'"),
    ("type", QUOTED_TEXT),
    ("hreflang", QUOTED_TEXT),
)


def _constructs(name: str, kinds: Sequence[str | None], column: Column | None) -> Column | None:
    """
    Make text of HTML for titles, and HTML of text for all else.

    Args:
        kinds: The types of the texts, None where none is given.
        column: The texts; None if all are empty.

    """
    ways = {kind: ("text" if kind is None else kind).strip().lower() for kind in {*kinds}}
    to_change = {kind for kind, way in ways.items() if (way in HTML) == (name == "title")}
    unknown = {kind for kind, way in ways.items() if way not in HTML and not way.startswith("text")}
    if not unknown and (column is None or not to_change):
        return column
    column = column or Column([None] * len(kinds))
    change = plain_text if name == "title" else as_html
    pairs = zip(column.values, kinds, strict=True)
    values = [change(text) or None if text and kind in to_change else text for text, kind in pairs]
    odd = [row for row, kind in enumerate(kinds) if kind in unknown]
    return Column(values, [*column.odd, *odd])


def _linked(links: Column, locs: Column) -> dict[str, Column]:
    """Make the columns of URLs and enclosures; an entry without just one alternate is odd."""
    odd = {*links.odd, *locs.odd}
    losses: dict[str, list[int]] = {}
    found: list[str | None] = []
    enclosures: list[tuple[Enclosure, ...]] = []
    for row, some in enumerate(links.values):
        loc = None
        files: tuple[Enclosure, ...] = ()
        for relation, href, kind, length in some or ():
            if relation == "alternate":
                if loc:
                    odd.add(row)
                loc = href
            elif relation == "enclosure":
                files += (Enclosure(href, kind, length),)
            elif relation not in _UNREAD and not relation.startswith("service."):
                losses.setdefault(f'<link rel="{relation}">', []).append(row)
        if not loc:
            odd.add(row)
        found.append(loc)
        enclosures.append(files)
    return {"loc": Column(found, odd, losses), "enclosures": Column(enclosures)}
