"""Read the metadata of a page as written, from its head and body."""

import json
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, ClassVar, NamedTuple

from sitemapx.convert.html.foreign import OpenElements
from sitemapx.convert.html.tags import SPACES, Tag, Tags, resolve_in_attribute
from sitemapx.convert.html.text import plain_text

#: Kinds of dates by name; without these names, scripts and `<time>` in the body are not read.
_MENTIONED = {"dateModified": "modified", "datePublished": "published"}
#: Types that have their own dates.
_OTHERS = frozenset(
    {
        *("AudioObject", "Comment", "ImageObject", "MediaObject", "Organization", "Person"),
        *("Rating", "Review", "VideoObject", "WebSite"),
    }
)


def _find_dates(text: str, is_this_page: Callable[[str], bool]) -> Iterator[tuple[str, str]]:
    """
    Yield the dates in a JSON-LD script, as (property name, text); nothing if the JSON is invalid.

    Nodes about other things, or with a `url` for which `is_this_page` returns False, are skipped.

    >>> text = '[{"@type": "WebSite", "dateModified": "2026"}, {"dateModified": "2025"}]'
    >>> list(_find_dates(text, lambda url: True))
    [('dateModified', '2025')]
    """
    if not any(name in text for name in _MENTIONED):
        return
    try:
        # not strict, as strings in practice contain line breaks
        found = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return
    for node in _list_nodes(found):
        if _OTHERS.isdisjoint(_list_texts(node.get("@type"))) and all(
            map(is_this_page, _list_texts(node.get("url")))
        ):
            for name in _MENTIONED:
                yield from ((name, text) for text in _list_texts(node.get(name)))


def _list_nodes(value: Any) -> Iterator[dict[str, Any]]:
    """Yield the top-level nodes of JSON-LD, the nodes in `@graph`, and the main entities."""
    for node in value if isinstance(value, list) else [value]:
        if isinstance(node, dict):
            yield node
            graph, main = node.get("@graph"), node.get("mainEntity")
            for inner in (graph if isinstance(graph, list) else [graph], [main]):
                yield from (node for node in inner if isinstance(node, dict))


def _list_texts(value: Any) -> list[str]:
    return [
        item for item in (value if isinstance(value, list) else [value]) if isinstance(item, str)
    ]


# ---- microdata: https://html.spec.whatwg.org/#the-microdata-model

#: Elements without end tag.
_VOID = frozenset(
    {
        *("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param"),
        *("source", "track", "wbr"),
    }
)


class _MicrodataItem(NamedTuple):
    """An item: offset of its start tag (-1: the page itself), and types such as Article."""

    start: int = -1
    types: frozenset[str] = frozenset()


def _find_items(text: str, name: str) -> dict[int, _MicrodataItem]:
    """
    Map the offset of each start tag with this name to the innermost microdata item around it.

    >>> page = '<div itemscope itemtype="https://schema.org/Article"><p>by<p><time></div><time>'
    >>> [sorted(item.types) for item in _find_items(page, "time").values()]
    [['Article'], []]
    """
    found: dict[int, _MicrodataItem] = {}
    elements, items = OpenElements(), [_MicrodataItem()]
    for tag in Tags(text):
        if tag.is_foreign or not tag.name:
            continue
        if tag.is_end:
            elements.end_element(tag.name)
            del items[len(elements.names) + 1 :]
            continue
        item = items[-1]
        if tag.name == name:
            found[tag.start] = item
        if tag.name in _VOID:
            continue
        if "itemscope" in tag.source.lower() and "itemscope" in (given := tag.attributes()):
            types = given.get("itemtype", "").split()
            names = frozenset(name.rstrip("/").rpartition("/")[2] for name in types)
            item = _MicrodataItem(tag.start, names)
        elements.begin_element(tag.name)
        items.append(item)
    return found


_DATES = frozenset({"modified", "published"})
#: Metadata to read on request, besides that in the head.
ALL = _DATES | {"heading", "images", "links"}
#: Elements allowed in the head; any other begins the body.
_HEAD = frozenset(
    {
        *("html", "head", "base", "basefont", "bgsound", "link", "meta", "title", "noscript"),
        *("noframes", "style", "script", "template", ""),
    }
)
#: End tags that begin the body; others are ignored in the head.
_HEAD_ENDS = frozenset({"body", "html", "br"})
#: Elements to read in the body: always, and on request.
_EVERYWHERE = frozenset({"base", "html", "meta", "title"})
_IN_BODY = {
    "heading": {"h1"},
    "images": {"img", "noscript", "source"},
    "modified": {"script", "time"},
    "published": {"script"},
}
#: Types of alternate links to feeds.
#: https://html.spec.whatwg.org/#rel-alternate, and JSON Feed.
_FEED_TYPES = frozenset({"application/rss+xml", "application/atom+xml", "application/feed+json"})
#: Finds the URLs of links and frames: in double quotes, in single quotes, or without quotes.
_link_values = re.compile(
    rf"<(?:a|area|i?frame)[{SPACES}/](?:[^<>]*?[{SPACES}\"'/])?(?:href|src)[{SPACES}]*="
    rf"[{SPACES}]*(?:\"([^\"]*)\"|'([^']*)'|([^{SPACES}>\"']+))",
    re.IGNORECASE,
).findall
#: Maximum number of characters of an element whose text is read.
_MAX_ELEMENT = 10_000
_PAGE_TYPES = ("", "text/html", "application/xhtml+xml")


class PageFacts:
    """
    Metadata of a page as written: URLs are not resolved, and dates not validated.

    Attributes:
        metas: Lower-case name and content of each `<meta>`; the name is empty if missing.
        refreshes: Content of each `<meta http-equiv="refresh">`.
        versions: Language and URL of each alternate version.
        images: `src` and `srcset` of each image; empty if missing.
        links: Distinct URLs in links and frames; see `_find_links`.

    """

    def __init__(self) -> None:
        self.base = ""
        self.canonical = ""
        self.language = ""
        self.title: str | None = None
        self.metas: list[tuple[str, str]] = []
        self.refreshes: list[str] = []
        self.versions: list[tuple[str, str]] = []
        self.heading: str | None = None
        self.images: list[tuple[str, str]] = []
        self.links: Sequence[str] = ()
        self.sitemaps: list[str] = []
        self.feeds: list[str] = []
        self._scripts: list[str] = []
        self._properties: dict[str, list[str]] = {}
        self._times: list[tuple[_MicrodataItem, str]] = []
        self._items: dict[int, _MicrodataItem] | None = None

    def dates(self, is_this_page: Callable[[str], bool]) -> Iterator[tuple[str, str]]:
        """
        Yield possible dates as ("modified" or "published", text), the most reliable first.

        `is_this_page` returns whether a URL in structured data is that of this page.
        """
        structured = chain.from_iterable(_find_dates(text, is_this_page) for text in self._scripts)
        for name, text in structured:
            yield _MENTIONED[name], text
        for name in _MENTIONED.values():
            for text in self._properties.get(f"article:{name}_time", ()):
                yield name, text
        if len({item for item, _ in self._times}) == 1:  # of several items, any may be the page
            yield from (("modified", text) for _, text in self._times)

    # ---- tags

    def read_tag(self, tag: Tag, text: str, *, is_head: bool) -> None:
        if read_tag := self._READERS.get(tag.name):
            read_tag(self, tag, text, is_head)

    def _read_html(self, tag: Tag, text: str, is_head: bool) -> None:
        attributes = tag.attributes()
        self.language = (
            self.language or attributes.get("lang", "") or attributes.get("xml:lang", "")
        )

    def _read_base(self, tag: Tag, text: str, is_head: bool) -> None:
        self.base = self.base or _get_value(tag.attributes(), "href")

    def _read_title(self, tag: Tag, text: str, is_head: bool) -> None:
        self.title = tag.raw if self.title is None else self.title

    def _read_link(self, tag: Tag, text: str, is_head: bool) -> None:
        if not is_head:
            return
        attributes = tag.attributes()
        kinds, href = _get_value(attributes, "rel").lower().split(), _get_value(attributes, "href")
        # https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls
        if "canonical" in kinds:
            self.canonical = self.canonical or href
        if "sitemap" in kinds and href:
            self.sitemaps.append(href)
        if href and "alternate" in kinds and "stylesheet" not in kinds:
            media_type = _get_value(attributes, "type").lower().partition(";")[0].strip()
            language = _get_value(attributes, "hreflang")
            if media_type in _FEED_TYPES:
                self.feeds.append(href)
            elif language and media_type in _PAGE_TYPES:
                self.versions.append((language, href))

    def _read_meta(self, tag: Tag, text: str, is_head: bool) -> None:
        attributes = tag.attributes()
        content = attributes.get("content", "")
        if _get_value(attributes, "http-equiv").lower() == "refresh":
            self.refreshes.append(content)
        self.metas.append((_get_value(attributes, "name").lower(), content))
        if name := _get_value(attributes, "property").lower():
            self._properties.setdefault(name, []).append(content)

    def _read_script(self, tag: Tag, text: str, is_head: bool) -> None:
        media_type = _get_value(tag.attributes(), "type").lower().partition(";")[0]
        if media_type.strip() == "application/ld+json":
            self._scripts.append(tag.raw)

    def _read_time(self, tag: Tag, text: str, is_head: bool) -> None:
        attributes = tag.attributes()
        if "dateModified" in _get_value(attributes, "itemprop").split():
            item = self._item_at(tag.start, text)
            if _OTHERS.isdisjoint(item.types):
                shown = attributes.get("datetime") or _text_of(tag, text)
                self._times.append((item, shown))

    def _item_at(self, position: int, text: str) -> _MicrodataItem:
        if self._items is None:
            self._items = _find_items(text, "time") if "itemscope" in text.lower() else {}
        return self._items.get(position, _MicrodataItem())

    def _read_heading(self, tag: Tag, text: str, is_head: bool) -> None:
        self.heading = _text_of(tag, text) if self.heading is None else self.heading

    def _read_image(self, tag: Tag, text: str, is_head: bool) -> None:
        attributes = tag.attributes()
        src = _get_value(attributes, "src") if tag.name == "img" else ""
        self.images.append((src, attributes.get("srcset", "")))

    def _read_noscript(self, tag: Tag, text: str, is_head: bool) -> None:
        """Read the images in a `<noscript>` of the body, which browsers show without scripts."""
        for inner in Tags("" if is_head else tag.raw, ("img", "source")):
            if inner.name in ("img", "source") and not (inner.is_end or inner.is_foreign):
                self._read_image(inner, tag.raw, is_head)

    #: Readers of start tags, by name.
    _READERS: ClassVar[dict[str, Callable[["PageFacts", Tag, str, bool], None]]] = {
        "base": _read_base,
        "h1": _read_heading,
        "html": _read_html,
        "img": _read_image,
        "link": _read_link,
        "meta": _read_meta,
        "noscript": _read_noscript,
        "script": _read_script,
        "source": _read_image,
        "time": _read_time,
        "title": _read_title,
    }


def _get_value(attributes: dict[str, str], name: str) -> str:
    return attributes.get(name, "").strip()


def _text_of(tag: Tag, text: str) -> str:
    """Return the text of an element; empty without an end tag in the next 10,000 characters."""
    end = re.compile(f"</{tag.name}", re.IGNORECASE).search(text, tag.end, tag.end + _MAX_ELEMENT)
    return plain_text(text[tag.end : end.start()]) if end else ""


def read_facts(text: str, wanted: Collection[str]) -> PageFacts:
    """Read the metadata of a page, including the parts of `ALL` that are in `wanted`."""
    facts = PageFacts()
    end = _read_head(facts, text)
    if "links" in wanted:
        facts.links = _find_links(text)
    has_dates = any(name in text for name in _MENTIONED)
    kinds = ALL.intersection(wanted) - (frozenset() if has_dates else _DATES)
    names = _EVERYWHERE.union(*(_IN_BODY.get(kind, ()) for kind in kinds))
    if _compile_start_tags(names)(text, end):
        for tag in Tags(text, names, end):
            if tag.name in names and not (tag.is_end or tag.is_foreign):
                facts.read_tag(tag, text, is_head=False)
    return facts


def _find_links(text: str) -> Sequence[str]:
    """
    Return the distinct URLs in links and frames.

    A pattern takes less than half the time of reading all tags, as pages have hundreds of links. It
    also finds links in comments, scripts and templates, but not those in a tag with `<` or `>` in
    an attribute before the URL.
    """
    values = (double or single or bare for double, single, bare in _link_values(text))
    links = (resolve_in_attribute(value) if "&" in value else value for value in values)
    return list(dict.fromkeys(filter(None, map(str.strip, links))))


def _read_head(facts: PageFacts, text: str) -> int:
    """Read the tags of the head, and return the offset at which the head ends."""
    end = 0
    for tag in Tags(text):
        if text[end : tag.start].strip(SPACES):
            break
        if tag.name in _HEAD_ENDS if tag.is_end else tag.name not in _HEAD:
            break
        end = tag.end
        if not tag.is_end:
            facts.read_tag(tag, text, is_head=True)
    return end


@lru_cache(maxsize=8)
def _compile_start_tags(names: frozenset[str]) -> Callable[[str, int], re.Match[str] | None]:
    return re.compile(rf"<(?:{'|'.join(sorted(names))})[{SPACES}/>]", re.IGNORECASE).search
