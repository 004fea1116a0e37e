"""Handlers of the elements of a feed's item: the item as it fills, and what any feed may have."""

from collections.abc import Callable
from typing import Any, NamedTuple

from sitemapx.convert.formats.format import Context
from sitemapx.convert.model.entry import Enclosure
from sitemapx.convert.values import urls
from sitemapx.convert.xml.elements import as_document, line_of, name_of, resolve_url, text_of
from sitemapx.convert.xml.parsers import XmlElement


class FeedItem:
    """
    The texts and elements of an item, before it is known which of them count.

    Attributes:
        texts: The first text for each meaning, such as "title" or "dc:date".
        lists: All values for a meaning of which there may be many: texts of "author", "category"
            and so on; "enclosure" as `Enclosure` objects; "media" as the elements that describe
            videos and images; "extra" as foreign elements, each a document of its own; and "link"
            as Atom's alternates: how good each is (0 is best), its address, and its element.

    """

    __slots__ = ("element", "lists", "offset", "texts")

    def __init__(self, element: XmlElement, offset: int) -> None:
        self.element = element
        self.offset = offset
        self.texts: dict[str, str] = {}
        self.lists: dict[str, list[Any]] = {}

    def add(self, meaning: str, value: Any) -> None:
        """Add a value of which there may be many."""
        if meaning in self.lists:
            self.lists[meaning].append(value)
        else:
            self.lists[meaning] = [value]

    def first(self, *meanings: str) -> str | None:
        """Return the text of the first of these meanings that has one."""
        texts = self.texts
        for meaning in meanings:
            if meaning in texts:
                return texts[meaning]
        return None

    def all(self, meaning: str) -> tuple[Any, ...]:
        """Return all values of a meaning."""
        return tuple(self.lists.get(meaning, ()))

    def distinct(self, meaning: str) -> tuple[str, ...]:
        """Return all texts of a meaning, each once."""
        texts = self.lists.get(meaning)
        return tuple(dict.fromkeys(texts)) if texts else ()


#: What an element says: the name of a meaning, or a function that puts it into the item.
ElementHandler = str | Callable[[XmlElement, FeedItem, Context], None]


class FeedElement(NamedTuple):
    """
    An element of a feed's item, or of its head.

    Attributes:
        fields: The names of the fields of an `Entry` or a `Head` that it fills, with spaces between
            them; None if that depends on its attributes.
        read: What it says.

    """

    fields: str | None
    read: ElementHandler


def put_text(meaning: str, text: str, child: XmlElement, item: FeedItem, context: Context) -> None:
    """Take a text of which there may be one; tell of another that says something else."""
    is_other = bool(text) and item.texts.setdefault(meaning, text) != text
    if is_other and not context.wants_only_urls:
        message, line = f"repeated <{name_of(child)}>", line_of(child, item.offset)
        context.tally("repeated", message, done="; dropped", line=line)


def leave_out(what: str, child: XmlElement, offset: int, context: Context) -> None:
    """Count something that an entry has no place for, if more is wanted than URLs."""
    if not context.wants_only_urls:
        context.leave_out(what, line=line_of(child, offset))


def unread(child: XmlElement, item: FeedItem, context: Context) -> None:
    """Leave an element out, and tell so."""
    leave_out(f"<{name_of(child)}>", child, item.offset, context)


def nothing(child: XmlElement, item: FeedItem, context: Context) -> None:
    """Leave out what says nothing of an entry."""


def media(child: XmlElement, item: FeedItem, context: Context) -> None:
    """Keep what describes videos and images until all of it is there."""
    item.add("media", child)


def extra(child: XmlElement, item: FeedItem, context: Context) -> None:
    """Keep a foreign element, as a document of its own."""
    item.add("extra", as_document(child))


def listed(meaning: str) -> ElementHandler:
    """Make the handler of an element that may stand often."""

    def handle(child: XmlElement, item: FeedItem, context: Context) -> None:
        if text := text_of(child):
            item.add(meaning, text)

    return handle


def category(child: XmlElement, item: FeedItem, context: Context) -> None:
    """Take Atom's term or RSS's text; what else is said of it has no place in an entry."""
    names = child.keys()
    if text := ("term" in names and child.get("term", "").strip()) or text_of(child):
        item.add("category", text)
    for name in names:
        if name != "term":
            leave_out(f"<category {name}>", child, item.offset, context)


def author(child: XmlElement, item: FeedItem, context: Context) -> None:
    """Take the name of a person in Atom, who may have more."""
    names = list(child.iterchildren("{*}name"))
    if text := text_of(names[0] if names else child):
        item.add("author", text)
    if context.wants("authors"):
        for part in child.iterchildren("*"):
            if part not in names[:1]:
                leave_out(f"<{name_of(part)}> of an author", part, item.offset, context)


def enclosure(child: XmlElement, item: FeedItem, context: Context, *, address: str = "url") -> None:
    """Take a file; a length that is no number is left out."""

    def report(code: str, message: str) -> None:
        if context.wants_only_urls:
            return
        line = line_of(child, item.offset)
        context.problem(code, message, done="; dropped", line=line, loc=item.texts.get("link"))

    url = urls.clean(child.get(address) or "")
    if not url:
        report("incomplete", f"enclosure has no {address}")
        return
    text = (child.get("length") or "").strip()
    is_number = text.isdecimal() and len(text) < 19
    if text and not is_number:
        report("bad-value", f"invalid enclosure length {text!r}: expected a number of bytes")
    file = Enclosure(
        url=resolve_url(url, child, item.offset, context) or url,
        type=(child.get("type") or "").strip() or None,
        length=int(text) if is_number else None,
    )
    item.add("enclosure", file)
