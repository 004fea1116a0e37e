"""What stands in a page, as it is written there: in its head, and as far as wanted in its body."""

import re
from collections.abc import Callable, Collection, Iterator
from functools import lru_cache
from itertools import chain
from typing import ClassVar

from sitemapx.convert.html.structured import MENTIONED, OTHERS, MicrodataItem, dates_in, items_of
from sitemapx.convert.html.tags import SPACES, Tag, Tags
from sitemapx.convert.html.text import plain_text

#: What a page may be asked for, beside what its head says.
ALL = frozenset({"images", "modified", "published"})
#: Elements that may stand in the head; any other begins the body.
_HEAD = frozenset(
    {
        *("html", "head", "base", "basefont", "bgsound", "link", "meta", "title", "noscript"),
        *("noframes", "style", "script", "template", ""),
    }
)
#: End tags that begin the body; others do nothing in the head.
_HEAD_ENDS = frozenset({"body", "html", "br"})
#: What counts in the body as well, and what else there is only if it is wanted.
_EVERYWHERE = frozenset({"base", "html", "meta", "title"})
_IN_BODY = {
    "images": {"img", "noscript", "source"},
    "modified": {"script", "time"},
    "published": {"script"},
}
#: The first type of a link whose page is another version of this one.
#: https://html.spec.whatwg.org/#rel-alternate, and JSON Feed.
_FEED_TYPES = frozenset({"application/rss+xml", "application/atom+xml", "application/feed+json"})
_PAGE_TYPES = ("", "text/html", "application/xhtml+xml")
_end_of_time = re.compile(r"</time", re.IGNORECASE).search


class PageFacts:
    """
    What stands in a page.

    Attributes:
        base: The address that others are relative to; empty if none is named.
        canonical: The address that it gives itself in its head, likewise.
        language: The language of `<html>`, likewise.
        title: The title; None if there is none.
        metas: The names and contents of all `<meta name>`, the names in lower case.
        refreshes: The contents of all `<meta http-equiv="refresh">`.
        versions: The languages and addresses of its other versions.
        images: The `src` and `srcset` of each image.
        sitemaps: The addresses of sitemaps in `<link rel="sitemap">`.
        feeds: The addresses of feeds in `<link rel="alternate">`.

    """

    def __init__(self) -> None:
        self.base = ""
        self.canonical = ""
        self.language = ""
        self.title: str | None = None
        self.metas: list[tuple[str, str]] = []
        self.refreshes: list[str] = []
        self.versions: list[tuple[str, str]] = []
        self.images: list[tuple[str, str]] = []
        self.sitemaps: list[str] = []
        self.feeds: list[str] = []
        self._scripts: list[str] = []
        self._properties: dict[str, list[str]] = {}
        self._times: list[tuple[MicrodataItem, str]] = []
        self._items: dict[int, MicrodataItem] | None = None

    def dates(self, is_this_page: Callable[[str], bool]) -> Iterator[tuple[str, str]]:
        """
        List what may be dates, in the order in which they count, each with what it is called.

        Args:
            is_this_page: Tells of a URL whether it is that of the page.

        """
        structured = chain.from_iterable(dates_in(text, is_this_page) for text in self._scripts)
        for name, text in structured:
            yield MENTIONED[name], text
        for name in MENTIONED.values():
            for text in self._properties.get(f"article:{name}_time", ()):
                yield name, text
        if len({item for item, _ in self._times}) == 1:  # of several items, none is the page
            yield from (("modified", text) for _, text in self._times)

    # ---- tags

    def take(self, tag: Tag, text: str, *, is_head: bool) -> None:
        """Note what a start tag says."""
        if take := self._TAKERS.get(tag.name):
            take(self, tag, text, is_head)

    def _take_html(self, tag: Tag, text: str, is_head: bool) -> None:
        attributes = tag.attributes()
        self.language = (
            self.language or attributes.get("lang", "") or attributes.get("xml:lang", "")
        )

    def _take_base(self, tag: Tag, text: str, is_head: bool) -> None:
        self.base = self.base or _value(tag.attributes(), "href")

    def _take_title(self, tag: Tag, text: str, is_head: bool) -> None:
        self.title = tag.raw if self.title is None else self.title

    def _take_link(self, tag: Tag, text: str, is_head: bool) -> None:
        if not is_head:
            return
        attributes = tag.attributes()
        kinds, href = _value(attributes, "rel").lower().split(), _value(attributes, "href")
        # https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls
        if "canonical" in kinds:
            self.canonical = self.canonical or href
        if "sitemap" in kinds and href:
            self.sitemaps.append(href)
        if href and "alternate" in kinds and "stylesheet" not in kinds:
            media_type = _value(attributes, "type").lower().partition(";")[0].strip()
            language = _value(attributes, "hreflang")
            if media_type in _FEED_TYPES:
                self.feeds.append(href)
            elif language and media_type in _PAGE_TYPES:
                self.versions.append((language, href))

    def _take_meta(self, tag: Tag, text: str, is_head: bool) -> None:
        attributes = tag.attributes()
        content = attributes.get("content", "")
        if _value(attributes, "http-equiv").lower() == "refresh":
            self.refreshes.append(content)
        self.metas.append((_value(attributes, "name").lower(), content))
        if name := _value(attributes, "property").lower():
            self._properties.setdefault(name, []).append(content)

    def _take_script(self, tag: Tag, text: str, is_head: bool) -> None:
        media_type = _value(tag.attributes(), "type").lower().partition(";")[0]
        if media_type.strip() == "application/ld+json":
            self._scripts.append(tag.raw)

    def _take_time(self, tag: Tag, text: str, is_head: bool) -> None:
        attributes = tag.attributes()
        if "dateModified" in _value(attributes, "itemprop").split():
            end = _end_of_time(text, tag.end)
            shown = plain_text(text[tag.end : end.start()]) if end else ""
            item = self._item_at(tag.start, text)
            if OTHERS.isdisjoint(item.types):
                self._times.append((item, attributes.get("datetime") or shown))

    def _item_at(self, position: int, text: str) -> MicrodataItem:
        if self._items is None:
            self._items = items_of(text, "time") if "itemscope" in text.lower() else {}
        return self._items.get(position, MicrodataItem())

    def _take_image(self, tag: Tag, text: str, is_head: bool) -> None:
        attributes = tag.attributes()
        src = _value(attributes, "src") if tag.name == "img" else ""
        self.images.append((src, attributes.get("srcset", "")))

    def _take_noscript(self, tag: Tag, text: str, is_head: bool) -> None:
        """Take the images that are there without scripts."""
        for inner in Tags("" if is_head else tag.raw, ("img", "source")):
            if inner.name in ("img", "source") and not (inner.is_end or inner.is_foreign):
                self._take_image(inner, tag.raw, is_head)

    #: What takes a start tag, by the name of the tag.
    _TAKERS: ClassVar[dict[str, Callable[["PageFacts", Tag, str, bool], None]]] = {
        "base": _take_base,
        "html": _take_html,
        "img": _take_image,
        "link": _take_link,
        "meta": _take_meta,
        "noscript": _take_noscript,
        "script": _take_script,
        "source": _take_image,
        "time": _take_time,
        "title": _take_title,
    }


def _value(attributes: dict[str, str], name: str) -> str:
    return attributes.get(name, "").strip()


def read_facts(text: str, wanted: Collection[str]) -> PageFacts:
    """
    Read a page.

    Args:
        text: The page.
        wanted: Which of `ALL` are wanted. As long as nothing of them stands in the body, it is
            not read.

    """
    facts = PageFacts()
    end = _read_head(facts, text)
    kinds = set(wanted) & (ALL if any(name in text for name in MENTIONED) else {"images"})
    names = _EVERYWHERE.union(*(_IN_BODY[kind] for kind in kinds))
    if _opening(names)(text, end):
        for tag in Tags(text, names, end):
            if tag.name in names and not (tag.is_end or tag.is_foreign):
                facts.take(tag, text, is_head=False)
    return facts


def _read_head(facts: PageFacts, text: str) -> int:
    """Read the head, and return where the body begins; browsers may begin it before its tag."""
    end = 0
    for tag in Tags(text):
        if text[end : tag.start].strip(SPACES):
            break
        if tag.name in _HEAD_ENDS if tag.is_end else tag.name not in _HEAD:
            break
        end = tag.end
        if not tag.is_end:
            facts.take(tag, text, is_head=True)
    return end


@lru_cache(maxsize=8)
def _opening(names: frozenset[str]) -> Callable[[str, int], re.Match[str] | None]:
    """Return what finds something like a start tag of one of these names."""
    return re.compile(rf"<(?:{'|'.join(sorted(names))})[{SPACES}/>]", re.IGNORECASE).search
