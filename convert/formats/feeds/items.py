"""
Reads the items of RSS and Atom feeds.

Each format has a table of elements. A `FeedItem` collects the values of these elements; if several
have the same meaning, this module chooses one.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from sitemapx.convert.formats.feeds.handlers import (
    ElementHandler,
    FeedElement,
    FeedItem,
    drop_element,
    ignore_element,
    put_text,
    read_extra,
    read_media,
    report_dropped,
)
from sitemapx.convert.formats.format import Context
from sitemapx.convert.formats.urlreader import HELD, bits_of
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.values import datatypes, urls
from sitemapx.convert.values.dates import parse_feed_date
from sitemapx.convert.values.rfc822 import why_not_rfc822
from sitemapx.convert.values.w3cdate import moment, why_not_rfc3339
from sitemapx.convert.values.zones import KEPT, loss
from sitemapx.convert.xml.cutter import Block
from sitemapx.convert.xml.elements import (
    inner_markup,
    line_of,
    local_name,
    resolve_url,
    split_name,
    text_of,
)
from sitemapx.convert.xml.namespaces import (
    UNDECLARED,
    declaration_of,
    prefix_of,
    right_namespace,
)
from sitemapx.convert.xml.parsers import XmlElement

#: An author in RSS: an email address, and a name in parentheses.
ADDRESS_AND_NAME = re.compile(r"\S+@\S+\s+\((.+)\)")
_MOST_NAMES = 1000
#: Schemes besides http(s) that links of items may have:
#: https://www.rssboard.org/rss-specification#comments
_OTHER_SCHEMES = ("ftp:", "mailto:", "news:", "nntp:", "tel:", "urn:", "magnet:", "gopher:")
#: Elements of other namespaces that describe videos and images.
DESCRIBING = frozenset(
    {
        *("dcterms:valid", "dcterms:type"),
        *("itunes:duration", "itunes:explicit", "itunes:keywords"),
    }
)
#: Meanings that may contain HTML, escaped or as elements.
_HTML = frozenset({"description", "content:encoded", "itunes:summary", "dc:description"})
#: Alternatives in order of preference.
TITLES = ("title", "dc:title", "itunes:title")
DESCRIPTIONS = ("description", "content:encoded", "itunes:summary", "dc:description")
_CHOICES = (TITLES, DESCRIPTIONS, ("summary", "content"), ("link", "atom:alternate"))
#: Meanings of dates that may be dropped in favour of others.
_LESS_GOOD_DATES = frozenset({"dc:date", "dcterms:issued", "atom:published", "dcterms:modified"})
_RFC822_DATES = frozenset({"pubDate", "lastBuildDate"})
_RFC3339_DATES = frozenset({"updated", "published"})
#: Dates of Atom 0.3, which are W3C Datetimes.
_ATOM_03 = frozenset({"modified", "issued", "created"})
_LESS_GOOD = _LESS_GOOD_DATES.union(*(choice[1:] for choice in _CHOICES))


class FeedItemReader:
    """
    Reads items, or the head of a feed, with the handlers of a table of elements.

    Args:
        elements: Elements by name, with canonical prefixes; elements of the format itself have no
            prefix.
        head: XML before the first item, for line numbers of namespaces.
        foreign: Handler of elements that the table does not contain.
        beside: Another reader of the same feed, so that each namespace is reported only once.

    """

    def __init__(
        self,
        elements: Mapping[str, FeedElement],
        context: Context,
        head: Block,
        *,
        foreign: ElementHandler = read_extra,
        beside: "FeedItemReader | None" = None,
    ) -> None:
        self._elements = elements
        self._only_urls = context.wants_only_urls
        self._seen: set[str] = beside._seen if beside else set()
        self.context = context
        self._head = head
        self._foreign = foreign
        self._found: dict[object, ElementHandler] = {}
        self._names: dict[str, str] = {}

    def read(self, element: XmlElement, line_offset: int) -> FeedItem:
        item = FeedItem(element, line_offset)
        texts, found = item.texts, self._found
        for child in element:
            handler = found.get(child.tag) or self._find(child, item)
            if isinstance(handler, str):
                text = self._text(child, handler) if len(child) else child.text
                if text and (text := text.strip()):
                    if handler in texts:
                        put_text(handler, text, child, item, self.context)
                    else:
                        texts[handler] = text
            else:
                handler(child, item, self.context)
        return item

    def _text(self, child: XmlElement, meaning: str) -> str:
        return inner_markup(child, self.context) if meaning in _HTML else text_of(child)

    def _find(self, child: XmlElement, item: FeedItem) -> ElementHandler:
        """Choose and cache the handler for the name of an element."""
        if not isinstance(child.tag, str):
            return ignore_element
        namespace, local = split_name(child)
        self._check_namespace(namespace, child, item)
        prefix = "" if namespace == split_name(item.element)[0] else prefix_of(namespace)
        key = f"{prefix}:{local}" if prefix else local
        handler: ElementHandler | None
        if prefix == "media" or key in DESCRIBING:
            handler = read_media
        elif prefix is None:
            handler = drop_element if namespace.startswith(UNDECLARED) else self._foreign
        else:
            element = self._elements.get(key) or self._elements.get(key.lower())
            handler = element.read if element else self._foreign if prefix else drop_element
        if len(self._found) > _MOST_NAMES:  # a document with random names
            self._found.clear()
            self._names.clear()
        self._found[child.tag] = handler
        self._names[child.tag] = key if key in self._elements else key.lower()
        return handler

    def describe(self, tag: str) -> int | None:
        """
        Return the bits of a tag, for `UrlReader`.

        Returns None if no element with this tag has been read, or if its fields depend on its
        attributes.
        """
        handler = self._found.get(tag)
        if handler is read_media:
            return HELD
        if handler is read_extra:
            return bits_of(["extras"])
        if handler in (drop_element, ignore_element):
            return 0
        element = self._elements.get(self._names.get(tag, ""))
        if element is None or element.fields is None:
            return None
        return bits_of(element.fields.split()) | (HELD if element.fields == "loc" else 0)

    def is_media(self, child: XmlElement) -> bool:
        return self._found.get(child.tag) is read_media

    def _check_namespace(self, namespace: str, child: XmlElement, item: FeedItem) -> None:
        """Report each misspelt namespace once."""
        right = right_namespace(namespace) if namespace else None
        if right and right != namespace and namespace not in self._seen:
            self._seen.add(namespace)
            message = f"wrong namespace {namespace!r}: expected {right!r}"
            at = declaration_of(namespace, self._head.data)
            line = self._head.line_at(at) if at >= 0 else line_of(child, item.line_offset)
            context = self.context
            context.problem("namespace", message, line=line, element=child, namespace=namespace)

    def _element_of(self, item: FeedItem, *meanings: str) -> XmlElement:
        """Return the child of an item with one of these meanings, or else the item itself."""
        for child in item.element:
            if self._found.get(child.tag) in meanings:  # most handlers are meanings
                return child
        for child in item.element:
            handler = self._found.get(child.tag) or self._find(child, item)
            alone = FeedItem(item.element, item.line_offset)
            if not isinstance(handler, str):
                handler(child, alone, Context())
            if handler in meanings or not alone.texts.keys().isdisjoint(meanings):
                return child
        return item.element

    def date(self, item: FeedItem, *meanings: str) -> str | None:
        """
        Return the first valid date of these meanings, or None.

        Invalid dates before that are reported. If only URLs are wanted, dates are not validated.
        """
        if self._only_urls:
            return item.first(*meanings)
        for meaning in meanings:
            if text := item.texts.get(meaning):
                unknown: list[str] = []
                date = parse_feed_date(text, unknown.append)
                for zone in unknown:
                    self._report_date("unknown-zone", loss(zone, text), item, meaning, KEPT)
                if date:
                    if self.context.reports_form:
                        self._note_form(text, item, meaning)
                    return date
                message = f"invalid date {text!r}"
                self._report_date("bad-date", message, item, meaning, "; dropped")
        return None

    def _note_form(self, text: str, item: FeedItem, meaning: str) -> None:
        """Report a valid date whose format differs from the format that the feed requires."""
        if meaning in _RFC822_DATES:
            why = why_not_rfc822(text)
        else:
            why = why_not_rfc3339(text) if meaning in _RFC3339_DATES else ""
        if why and (name := local_name(element := self._element_of(item, meaning))) not in _ATOM_03:
            line, loc = line_of(element, item.line_offset), item.texts.get("link")
            message = f"<{name}> {text!r}: {why}"
            self.context.note_form("feed-date", message, line=line, loc=loc, element=element)

    def _report_date(
        self, code: str, message: str, item: FeedItem, meaning: str, done: str
    ) -> None:
        line = line_of(self._element_of(item, meaning), item.line_offset)
        loc = item.texts.get("link")
        self.context.problem(code, f"{meaning}: {message}", done=done, line=line, loc=loc)

    def loc(self, text: str | None, item: FeedItem, at: XmlElement | str | None) -> str | None:
        """
        Return the absolute http(s) URL of a link; report an invalid link and return None.

        Problems are reported for `at`, an element or a meaning of a child of the item.
        """
        if not text or at is None:
            return None
        url: str | None = datatypes.URL.usual(text)
        if url:
            return url
        loc = urls.clean(text)
        is_wrapped = urls.is_wrapped(text)
        if urls.is_absolute(loc) and not is_wrapped:
            return loc
        element = self._element_of(item, at) if isinstance(at, str) else at
        if is_wrapped:
            line = line_of(element, item.line_offset)
            self.context.problem("repaired-loc", f"whitespace in URL {text!r}; removed", line=line)
        found = resolve_url(loc, element, item.line_offset, self.context, "dropped")
        if not found or urls.is_absolute(found):
            return found
        line = line_of(element, item.line_offset)
        code = "loc-scheme" if loc.lower().startswith(_OTHER_SCHEMES) else "bad-loc"
        message = f"invalid URL {loc!r}: expected http or https"
        if code == "loc-scheme":
            message = f"link is not a web page: {loc!r}"
        self.context.problem(code, message, done="; dropped", line=line)
        return None

    def report_unused(self, item: FeedItem, dates: "Dates") -> None:
        """
        Count the values of an item that were dropped in favour of others with the same meaning.

        `dates` are the dates that were kept.
        """
        texts = item.texts
        if self._only_urls or _LESS_GOOD.isdisjoint(texts):
            return
        for choice in _CHOICES:
            present = [meaning for meaning in choice if meaning in texts]
            for meaning in present[1:]:
                if texts[meaning] != texts[present[0]]:
                    self._report_unused(item, meaning, f"beside <{present[0]}>")
        for meaning in sorted(_LESS_GOOD_DATES.intersection(texts)):
            date = parse_feed_date(texts[meaning])
            others = [other for other in dates if other]
            if others and not any(date and _is_covered_by(date, other) for other in others):
                self._report_unused(item, meaning, "beside another date")

    def _report_unused(self, item: FeedItem, meaning: str, why: str) -> None:
        report_dropped(
            f"<{meaning}> {why}", self._element_of(item, meaning), item.line_offset, self.context
        )


def _is_covered_by(date: str, by: str) -> bool:
    """Return whether `date` adds no information to `by`: the same moment, or the day of a time."""
    return by.startswith(date) or moment(date) == moment(by)


class Dates(NamedTuple):
    lastmod: str | None
    published: str | None


def build_entry(
    item: FeedItem,
    *,
    loc: str | None,
    dates: Dates,
    description: str | None,
    language: str | None,
) -> Entry:
    """Build an entry from a feed item and from the values that each format reads differently."""
    texts = item.texts
    return Entry(
        loc=loc,
        lastmod=dates.lastmod,
        title=item.first(*TITLES),
        description=description,
        id=texts.get("id"),
        published=dates.published,
        authors=item.distinct("author"),
        categories=item.distinct("category"),
        enclosures=item.all("enclosure"),
        extras=item.all("extra"),
        language=language,
    )
