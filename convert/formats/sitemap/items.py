"""
Reads the items of XML sitemaps, `<url>` and `<sitemap>`.

Tolerates other namespaces, prefixes, order, whitespace, encodings and malformed markup. A `<url>`
without URL is skipped and an invalid value is dropped; both are reported. Foreign elements are
kept.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from sitemapx.convert.formats.format import Context
from sitemapx.convert.formats.sitemap.elements import (
    ElementReporter,
    VocabularyReader,
    find_prefix,
    freeze_lists,
)
from sitemapx.convert.formats.sitemap.quick import QuickReader
from sitemapx.convert.formats.sitemap.vocabulary import (
    CORE,
    EXTRA,
    IMAGE,
    LINK,
    LINK_ATTRIBUTES,
    MOBILE,
    NEWS,
    VIDEO,
    Element,
)
from sitemapx.convert.formats.urlreader import HELD, Located, UrlReader, bits_of, make_batch
from sitemapx.convert.model.batch import EMPTY, Batch
from sitemapx.convert.model.entry import Alternate, Entry
from sitemapx.convert.values import datatypes, relative, urls
from sitemapx.convert.values.datatypes import Datatype
from sitemapx.convert.values.zones import done_about
from sitemapx.convert.xml.cutter import Block
from sitemapx.convert.xml.elements import (
    MARKUP_IN_URL,
    as_document,
    line_of,
    local_name,
    split_name,
)
from sitemapx.convert.xml.frame import ParsedItems
from sitemapx.convert.xml.namespaces import (
    NAMESPACES,
    SITEMAP,
    UNDECLARED,
    declaration_of,
    right_namespace,
)
from sitemapx.convert.xml.parsers import XmlElement

Fields = dict[str, Any]
#: Reads an element into the fields; the number is the offset of the parser's line numbers.
Handler = Callable[[XmlElement, Fields, int], None]


class ItemReader:
    """
    Reads the items of a sitemap as entries.

    Args:
        item: Local name of the items: "url" or "sitemap".
        head: XML before the first item, for line numbers of namespaces.

    """

    def __init__(self, context: Context, item: str, head: Block | None = None) -> None:
        self._context = context
        self._only_urls = context.wants_only_urls
        self._head = head
        self._item = item
        self._item_namespaces = {SITEMAP}
        self._item_tags: set[object] = set()
        self._quick = QuickReader(self.meaning)
        self._urls = UrlReader(self._describe, self._locate, self._locate_fully, _SINGLE)
        self._handlers: dict[object, Handler] = {}
        self._meanings: dict[str, Element] = {}
        self._core: dict[str, Handler] = {
            "loc": self._read_loc,
            **{name: self._make_value_handler(name, kind) for name, kind in datatypes.CORE.items()},
        }

    def batch(self, found: Iterable[ParsedItems]) -> Batch | None:
        """Return the entries of these items; None if every item was skipped."""
        if self._only_urls:
            return make_batch(read for items in found for read in self._urls.read(items))
        read, known = self._quick.entry, self._item_tags
        entries = [
            entry
            for items in found
            for item in items.elements
            if (entry := (item.tag in known and read(item)) or self.entry(item, items.line_offset))
        ]
        return Batch(entries) if entries else None

    def entry(self, element: XmlElement, line_offset: int) -> Entry | None:
        """Return the entry of an item; report an item without a URL and return None."""
        fields = self._fields(element, line_offset)
        return Entry(**freeze_lists(fields)) if fields["loc"] else None

    def _describe(self, tag: str) -> int | None:
        element = self.meaning(tag)
        return element and bits_of([element.field]) | (HELD if element.field == "loc" else 0)

    def _locate(self, item: XmlElement, locs: Sequence[XmlElement]) -> tuple[str, int] | None:
        if len(locs) != 1 or len(locs[0]) or item.tag not in self._item_tags:
            return None
        url = datatypes.URL.usual(locs[0].text or "")
        return (url, 0) if url else None

    def _locate_fully(self, element: XmlElement, line_offset: int) -> Located | None:
        fields = self._fields(element, line_offset)
        return (fields["loc"], frozenset(fields) - {"loc"}) if fields["loc"] else None

    def _fields(self, element: XmlElement, line_offset: int) -> Fields:
        self._check_namespace(element, line_offset)
        fields: Fields = {}
        self._read_children(element, fields, line_offset)
        if "loc" not in fields:
            self._read_bare_loc(element, fields, line_offset)
        return fields

    def _check_namespace(self, element: XmlElement, line_offset: int) -> None:
        if element.tag in self._item_tags:
            return
        self._item_tags.add(element.tag)
        namespace = split_name(element)[0]
        if namespace not in self._item_namespaces:
            self._item_namespaces.add(namespace)
            message = f"wrong namespace {namespace!r}" if namespace else "missing namespace"
            message = f"{message}: expected {SITEMAP!r}"
            self._report_namespace(message, namespace, element, line_offset)

    def _report(
        self,
        code: str,
        message: str,
        element: XmlElement,
        line_offset: int,
        loc: str | None = None,
        *,
        done: str = "",
        quoted: str = "",
    ) -> None:
        reporter = ElementReporter(self._context, line_offset, loc)
        reporter.problem(code, message, element, done=done, quoted=quoted)

    def _report_namespace(
        self, message: str, namespace: str, element: XmlElement, line_offset: int
    ) -> None:
        """Report a namespace at its declaration before the items, or else at the element."""
        line, head = line_of(element, line_offset), self._head
        if head and (at := declaration_of(namespace, head.data)) >= 0:
            line = head.line_at(at)
        self._context.problem("namespace", message, line=line, element=element, namespace=namespace)

    def _read_children(self, element: XmlElement, fields: Fields, line_offset: int) -> None:
        handlers = self._handlers
        for child in element:
            handler = handlers.get(child.tag) or self._find_handler(child, line_offset)
            handler(child, fields, line_offset)

    def _read_bare_loc(self, element: XmlElement, fields: Fields, line_offset: int) -> None:
        """Read a URL directly inside the item; if missing, report this and store ""."""
        text = urls.clean(element.text or "")
        if urls.is_absolute(text):
            fields["loc"] = text
            self._report("repaired-loc", "URL is not inside <loc>", element, line_offset, text)
        else:
            fields["loc"] = ""
            message = f"<{self._item}> has no URL"
            self._report("no-loc", message, element, line_offset, done="; skipped")

    # ---- selecting handlers

    def _find_handler(self, child: XmlElement, line_offset: int) -> Handler:
        if not isinstance(child.tag, str):  # not an element but an entity, after recovery
            return _ignore_element
        if len(self._handlers) > _MOST_NAMES:  # a document with random names
            self._handlers.clear()
            self._meanings.clear()
        handler = self._handlers[child.tag] = self._handler_for(child, line_offset)
        return handler

    def meaning(self, tag: str) -> Element | None:
        """Return the vocabulary element for a tag; None if the tag is new or unknown."""
        return self._meanings.get(tag) if tag in self._handlers else None

    def _handler_for(self, child: XmlElement, line_offset: int) -> Handler:
        namespace, local = split_name(child)
        is_own = namespace in self._item_namespaces
        prefix = "" if is_own else find_prefix(child)
        right = right_namespace(namespace) or NAMESPACES.get(prefix or "")
        if not is_own and namespace and right and right != namespace:
            message = f"wrong namespace {namespace!r}: expected {right!r}"
            self._report_namespace(message, namespace, child, line_offset)
        found: tuple[Handler, Element | None] = self._report_unknown, None
        if prefix == "":
            name = local if local in self._core else local.lower()
            if name in self._core:
                found = self._core[name], CORE[name]
        elif shape := _EXTENSION_READERS.get((prefix, local)):
            found = self._make_extension_handler(shape), shape.element
        elif (prefix, local) == ("xhtml", "link"):
            found = self._read_link, LINK
        elif (prefix, local) == ("mobile", "mobile"):
            found = _read_mobile, MOBILE
        elif not namespace.startswith(UNDECLARED):
            found = _read_extra, EXTRA
        handler, meaning = found
        if meaning:
            self._meanings[str(child.tag)] = meaning
            if self._only_urls and meaning.field != "loc":
                return partial(_note_presence, meaning.field)
        return handler

    def _report_unknown(self, child: XmlElement, fields: Fields, line_offset: int) -> None:
        message = f"unknown element <{local_name(child)}> in <{self._item}>"
        self._report(
            "unknown-element", message, child, line_offset, fields.get("loc"), done="; dropped"
        )

    # ---- the elements of the protocol itself

    def _read_loc(self, child: XmlElement, fields: Fields, line_offset: int) -> None:
        if len(child):  # for example, the <loc> is unclosed
            if any(split_name(inner)[1].lower() not in self._core for inner in child):
                self._read_marked_up_loc(child, fields, line_offset)
                return
            self._read_children(child, fields, line_offset)
        text = child.text or ""
        loc = urls.clean(text)
        if not loc:
            return
        if fields.get("loc"):
            done, first = "; dropped", fields["loc"]
            message, quoted = "repeated <loc>", f": {loc}"
            self._report(
                "repeated-element", message, child, line_offset, first, done=done, quoted=quoted
            )
            return
        fields["loc"] = loc if urls.is_absolute(loc) else self._resolve_loc(loc, child, line_offset)
        if len(loc) != len(text) and loc != text.strip():
            self._report("repaired-loc", "whitespace in URL", child, line_offset, loc)

    def _read_marked_up_loc(self, child: XmlElement, fields: Fields, line_offset: int) -> None:
        """Read the URL inside markup in `<loc>`, if the markup contains no other text."""
        texts = [text for text in map(str.strip, child.itertext()) if text]
        loc = urls.clean(texts[0]) if len(texts) == 1 else ""
        if urls.is_absolute(loc):
            fields["loc"] = loc
            self._report("malformed", MARKUP_IN_URL, child, line_offset, loc, done="; removed")
        else:
            fields["loc"] = ""
            self._report("malformed", MARKUP_IN_URL, child, line_offset, done="; entry skipped")

    def _resolve_loc(self, text: str, child: XmlElement, line_offset: int) -> str:
        """Resolve and report a relative URL; return "" if the URL cannot be resolved."""
        found = relative.resolve(text, self._context.url)
        message = relative.describe(text)
        if found is None:
            code = "relative-listed-sitemap" if self._item == "sitemap" else "relative-loc"
            done = f"; skipped{relative.remedy(text, self._context.url)}"
            self._report(code, message, child, line_offset, done=done)
            return ""
        if not urls.is_absolute(found):
            self._report("bad-loc", message, child, line_offset)
            return found
        self._report("relative-loc", message, child, line_offset, found, done="; resolved")
        return found

    def _make_value_handler(self, field: str, kind: Datatype) -> Handler:
        parse = kind.parse

        def handler(child: XmlElement, fields: Fields, line_offset: int) -> None:
            if len(child):
                self._read_children(child, fields, line_offset)
            text = (child.text or "").strip()
            if not text:
                return

            found: list[tuple[str, str]] = []
            value = parse(text, lambda code, message: found.append((code, message)))
            if field in fields:
                found.append(("repeated-element", f"repeated with {text!r}"))
                value = None
            for code, message in found:
                explanation, done = f"<{field}>: {message}", done_about(code)
                if value is None:
                    explanation, done = f"{explanation}{done}", "; dropped"
                self._report(code, explanation, child, line_offset, fields.get("loc"), done=done)
            if value is not None:
                fields[field] = value

        return handler

    # ---- the extensions

    def _make_extension_handler(self, shape: VocabularyReader) -> Handler:
        def handler(child: XmlElement, fields: Fields, line_offset: int) -> None:
            shape.read_into(
                fields, child, ElementReporter(self._context, line_offset, fields.get("loc"))
            )

        return handler

    def _read_link(self, child: XmlElement, fields: Fields, line_offset: int) -> None:
        """Read `xhtml:link`; `rel` is kept only if it is not "alternate"."""
        attributes = {str(name): text.strip() for name, text in child.items()}
        if not attributes.get("href") or not attributes.get("rel"):
            message = "<link> has no rel or href"
            self._report("missing-element", message, child, line_offset, fields.get("loc"))
        if attributes.get("rel", "alternate").lower() == "alternate":
            attributes.pop("rel", None)
        if href := attributes.get("href"):
            reporter = ElementReporter(self._context, line_offset, fields.get("loc"))
            attributes["href"] = reporter.resolve_url(urls.clean(href), "hreflang-url", child)
        for name in filter(lambda name: name not in _LINK_ATTRIBUTES, attributes):
            if name in LINK_ATTRIBUTES:
                self._context.count_dropped(f"link@{name}", line=line_of(child, line_offset))
            else:
                message, loc = f"link@{name}", fields.get("loc")
                self._report("unknown-element", message, child, line_offset, loc, done="; dropped")
        known = {
            name: text for name, text in attributes.items() if text and name in _LINK_ATTRIBUTES
        }
        if known:
            fields.setdefault("alternates", []).append(Alternate(**known))


def _ignore_element(child: XmlElement, fields: Fields, line_offset: int) -> None:
    pass


def _note_presence(field: str, child: XmlElement, fields: Fields, line_offset: int) -> None:
    """Record that a field is present, without reading its value, which will not be used."""
    fields[field] = None


def _read_mobile(child: XmlElement, fields: Fields, line_offset: int) -> None:
    fields["mobile"] = True


def _read_extra(child: XmlElement, fields: Fields, line_offset: int) -> None:
    fields.setdefault("extras", []).append(as_document(child))


_MOST_NAMES = 1000
#: Bits of the fields that hold a single value.
_SINGLE = bits_of(name for name, empty in EMPTY.items() if empty != ())
_LINK_ATTRIBUTES = {"hreflang", "href", "rel", "media", "type", "title"}
_EXTENSION_READERS: dict[tuple[str | None, str], VocabularyReader] = {
    ("image", "image"): VocabularyReader(IMAGE),
    ("video", "video"): VocabularyReader(VIDEO),
    ("news", "news"): VocabularyReader(NEWS),
}
