"""Collected content of a feed item, and handlers of elements that feed formats share."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from sitemapx.convert.formats.format import Context
from sitemapx.convert.model.entry import Enclosure
from sitemapx.convert.values import urls
from sitemapx.convert.xml.elements import as_document, line_of, name_of, resolve_url, text_of
from sitemapx.convert.xml.parsers import XmlElement

_RELATION = "http://www.iana.org/assignments/relation/"


class FeedItem:
    """
    Texts and elements of an item, before choosing between alternatives.

    A meaning is a name that does not depend on the feed format, such as "title" or "dc:date".

    Attributes:
        texts: The first text of each meaning.
        lists: All values of a repeatable meaning: texts of "author", "category" and so on;
            "enclosure" as `Enclosure` objects; "media" as the elements that describe videos and
            images; "extra" as foreign elements in standalone documents; "link" as the alternate
            links of Atom: rank (0 is best), URL and element.

    """

    __slots__ = ("element", "line_offset", "lists", "texts")

    def __init__(self, element: XmlElement, line_offset: int) -> None:
        self.element = element
        self.line_offset = line_offset
        self.texts: dict[str, str] = {}
        self.lists: dict[str, list[Any]] = {}

    def add_value(self, meaning: str, value: Any) -> None:
        if meaning in self.lists:
            self.lists[meaning].append(value)
        else:
            self.lists[meaning] = [value]

    def first(self, *meanings: str) -> str | None:
        """Return the text of the first of these meanings that has a text, or None."""
        texts = self.texts
        for meaning in meanings:
            if meaning in texts:
                return texts[meaning]
        return None

    def all(self, meaning: str) -> tuple[Any, ...]:
        return tuple(self.lists.get(meaning, ()))

    def distinct(self, meaning: str) -> tuple[str, ...]:
        texts = self.lists.get(meaning)
        return tuple(dict.fromkeys(texts)) if texts else ()


#: The meaning under which to store an element's text, or a function that reads the element.
ElementHandler = str | Callable[[XmlElement, FeedItem, Context], None]


class Content(NamedTuple):
    """
    The content that a specification allows in an element; `sitemapx.check.feeds` validates it.

    Attributes:
        text: Datatype of the text, such as "uri"; "text" is plain text, "html" may contain HTML,
            "any" is not validated, and "" means that only elements are allowed. The datatypes are
            in `sitemapx.check.feeds.values`; words separated by `|` are the allowed values.
        times: Cardinality among its siblings: "1", "?", "+" or "*".
        attributes: Datatypes of the attributes; those that end in "!" are required.
        children: Allowed child elements in the same namespace.

    """

    text: str = "text"
    times: str = "?"
    attributes: Mapping[str, str] = {}
    children: Mapping[str, "Content"] = {}


class FeedElement(NamedTuple):
    """
    Definition of a feed element: how it is read, and what it may contain.

    Attributes:
        fields: The names of the `Entry` or `Head` fields that the element fills, separated by
            spaces; None if they depend on its attributes.
        read: Handler that reads the element, or the meaning under which its text is stored.
        content: Allowed content; None for elements outside the specification of the format, such
            as those of iTunes, whose content is defined in `sitemapx.check.feeds`.

    """

    fields: str | None
    read: ElementHandler
    content: Content | None = None


def put_text(meaning: str, text: str, child: XmlElement, item: FeedItem, context: Context) -> None:
    """Store the text of `child` as the only text of a meaning; report a different second text."""
    is_other = bool(text) and item.texts.setdefault(meaning, text) != text
    if is_other and not context.wants_only_urls:
        message, line = f"repeated <{name_of(child)}>", line_of(child, item.line_offset)
        context.tally("repeated-element", message, done="; dropped", line=line)


def report_dropped(description: str, child: XmlElement, line_offset: int, context: Context) -> None:
    """Count a child as dropped, as `description`, unless only URLs are wanted."""
    if not context.wants_only_urls:
        context.count_dropped(description, line=line_of(child, line_offset))


def drop_element(child: XmlElement, item: FeedItem, context: Context) -> None:
    report_dropped(f"<{name_of(child)}>", child, item.line_offset, context)


def dropped(content: Content) -> FeedElement:
    return FeedElement("", drop_element, content)


def ignore_element(child: XmlElement, item: FeedItem, context: Context) -> None:
    pass


def read_media(child: XmlElement, item: FeedItem, context: Context) -> None:
    item.add_value("media", child)


def read_extra(child: XmlElement, item: FeedItem, context: Context) -> None:
    item.add_value("extra", as_document(child))


def make_list_handler(meaning: str) -> ElementHandler:
    """Return a handler that appends the text of an element to `FeedItem.lists[meaning]`."""

    def read_list(child: XmlElement, item: FeedItem, context: Context) -> None:
        if text := text_of(child):
            item.add_value(meaning, text)

    return read_list


def read_category(child: XmlElement, item: FeedItem, context: Context) -> None:
    """Read `term` (Atom) or else the text (RSS) of a category; other attributes are dropped."""
    names = child.keys()
    if text := ("term" in names and child.get("term", "").strip()) or text_of(child):
        item.add_value("category", text)
    for name in names:
        if name != "term":
            report_dropped(f"<category {name}>", child, item.line_offset, context)


def read_author(child: XmlElement, item: FeedItem, context: Context) -> None:
    """Read the name of an author; other details are dropped."""
    names = list(child.iterchildren("{*}name"))
    if text := text_of(names[0] if names else child):
        item.add_value("author", text)
    if context.wants("authors"):
        for part in child.iterchildren("*"):
            if part not in names[:1]:
                report_dropped(f"<{name_of(part)}> of an author", part, item.line_offset, context)


def link_relation(link: XmlElement) -> str:
    """Return the name of an Atom link's relation, even if written as a URI (RFC 4287, 4.2.7.2)."""
    return (link.get("rel") or "alternate").strip().lower().removeprefix(_RELATION)


def read_enclosure(
    child: XmlElement, item: FeedItem, context: Context, *, address: str = "url"
) -> None:
    """Read an enclosure whose URL is in the attribute `address`."""

    def report(code: str, message: str) -> None:
        if context.wants_only_urls:
            return
        line = line_of(child, item.line_offset)
        context.problem(code, message, done="; dropped", line=line, loc=item.texts.get("link"))

    url = urls.clean(child.get(address) or "")
    if not url:
        report("missing-element", f"enclosure has no {address}")
        return
    text = (child.get("length") or "").strip()
    is_number = text.isdecimal() and len(text) < 19
    if text and not is_number:
        report("bad-value", f"invalid enclosure length {text!r}: expected a number of bytes")
    file = Enclosure(
        url=resolve_url(url, child, item.line_offset, context) or url,
        type=(child.get("type") or "").strip() or None,
        length=int(text) if is_number else None,
    )
    item.add_value("enclosure", file)
