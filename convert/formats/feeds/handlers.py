"""Handlers of the elements of a feed's item: the item as it fills, and what any feed may have."""

from collections.abc import Callable

from sitemapx.convert.formats.format import Context
from sitemapx.convert.model.entry import Enclosure
from sitemapx.convert.values import urls
from sitemapx.convert.xml.elements import as_document, line_of, name_of, resolved, text_of
from sitemapx.convert.xml.parsers import XmlElement

__all__ = [
    "ElementHandler",
    "FeedItem",
    "author",
    "category",
    "enclosure",
    "extra",
    "leave_out",
    "listed",
    "media",
    "nothing",
    "put_text",
    "unread",
]


class FeedItem:
    """
    The texts and elements of an item, before it is known which of them count.

    Attributes:
        texts: The first text for each meaning, such as "title" or "dc:date".
        lists: All texts for a meaning of which there may be many.
        links: The alternates of Atom: how good each is (0 is best), its address, and its element.
        media: The elements that describe videos and images.
        extras: Foreign elements, as documents of their own.

    """

    __slots__ = ("element", "enclosures", "extras", "links", "lists", "media", "offset", "texts")

    def __init__(self, element: XmlElement, offset: int) -> None:
        self.element = element
        self.offset = offset
        self.texts: dict[str, str] = {}
        self.lists: dict[str, list[str]] = {}
        self.links: list[tuple[int, str, XmlElement]] = []
        self.enclosures: list[Enclosure] = []
        self.media: list[XmlElement] = []
        self.extras: list[str] = []

    def first(self, *meanings: str) -> str | None:
        """Return the text of the first of these meanings that has one."""
        texts = self.texts
        for meaning in meanings:
            if meaning in texts:
                return texts[meaning]
        return None

    def all(self, meaning: str) -> tuple[str, ...]:
        """Return all texts of a meaning, each once."""
        texts = self.lists.get(meaning)
        return tuple(dict.fromkeys(texts)) if texts else ()


#: What an element says: the name of a meaning, or a function that puts it into the item.
ElementHandler = str | Callable[[XmlElement, FeedItem, Context], None]


def put_text(meaning: str, text: str, child: XmlElement, item: FeedItem, context: Context) -> None:
    """Take a text of which there may be one; tell of another that says something else."""
    if text and item.texts.setdefault(meaning, text) != text:
        message, line = f"repeated <{name_of(child)}>", line_of(child, item.offset)
        context.tally("repeated", message, done="; dropped", line=line)


def leave_out(what: str, child: XmlElement, offset: int, context: Context) -> None:
    """Count something that an entry has no place for."""
    context.leave_out(what, line=line_of(child, offset))


def unread(child: XmlElement, item: FeedItem, context: Context) -> None:
    """Leave an element out, and tell so."""
    leave_out(f"<{name_of(child)}>", child, item.offset, context)


def nothing(child: XmlElement, item: FeedItem, context: Context) -> None:
    """Leave out what says nothing of an entry."""


def media(child: XmlElement, item: FeedItem, context: Context) -> None:
    """Keep what describes videos and images until all of it is there."""
    item.media.append(child)


def extra(child: XmlElement, item: FeedItem, context: Context) -> None:
    """Keep a foreign element, as a document of its own."""
    item.extras.append(as_document(child))


def listed(meaning: str) -> ElementHandler:
    """Make the handler of an element that may stand often."""

    def handle(child: XmlElement, item: FeedItem, context: Context) -> None:
        if text := text_of(child):
            item.lists.setdefault(meaning, []).append(text)

    return handle


def category(child: XmlElement, item: FeedItem, context: Context) -> None:
    """Take Atom's term or RSS's text; what else is said of it has no place in an entry."""
    if text := (child.get("term") or text_of(child)).strip():
        item.lists.setdefault("category", []).append(text)
    for name in child.keys():  # noqa: SIM118 - an element is no mapping
        if name != "term":
            leave_out(f"<category {name}>", child, item.offset, context)


def author(child: XmlElement, item: FeedItem, context: Context) -> None:
    """Take the name of a person in Atom, who may have more."""
    names = list(child.iterchildren("{*}name"))
    if text := text_of(names[0] if names else child):
        item.lists.setdefault("author", []).append(text)
    if context.wants("authors"):
        for part in child.iterchildren("*"):
            if part not in names[:1]:
                leave_out(f"<{name_of(part)}> of an author", part, item.offset, context)


def enclosure(child: XmlElement, item: FeedItem, context: Context, *, address: str = "url") -> None:
    """Take a file; a length that is no number is left out."""

    def report(code: str, message: str) -> None:
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
    item.enclosures.append(
        Enclosure(
            url=resolved(url, child, item.offset, context) or url,
            type=(child.get("type") or "").strip() or None,
            length=int(text) if is_number else None,
        )
    )
