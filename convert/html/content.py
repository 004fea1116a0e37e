"""The visible text of a page, and its digest, which changes with the text."""

from hashlib import blake2b
from html import unescape

from sitemapx.convert.html.foreign import OpenElements
from sitemapx.convert.html.tags import Tag, Tags, remove_tags
from sitemapx.convert.html.text import INLINE

_SIZE = 12
#: Elements with the content of a page; without any of them, the whole page is the content.
_CONTENT = ("main", "article")
#: Elements repeated on all pages of a site.
_FRAMES = ("nav", "header", "footer")
#: Elements with text that contains no markup.
_SHOWN = frozenset({"plaintext", "textarea", "xmp"})
#: Elements whose end tag also closes open elements inside.
_CLOSING = frozenset(
    {
        *("address", "aside", "blockquote", "button", "center", "dd", "details", "dialog"),
        *("dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "form", "hgroup"),
        *("li", "listing", "menu", "ol", "pre", "search", "section", "summary", "table", "ul"),
    }
)


def content_digest(text: str) -> str:
    data = visible_text(text).encode("utf-8", "surrogatepass")
    return blake2b(data, digest_size=_SIZE).hexdigest()


def visible_text(text: str) -> str:
    """
    Return the text of `<main>`, else of each `<article>`, else of the page without its frame.

    The frame consists of `<nav>`, `<header>` and `<footer>`. Scripts, styles, templates and
    attributes are not text.

    >>> visible_text("<nav>Home</nav><h1>Fish &amp;  chips</h1><p>h<b>o</b>t<footer>2026")
    'Fish & chips hot'
    """
    found = _VisibleText(text, frozenset())
    if found.open:  # end tags are missing: elements may end with their parent
        found = _VisibleText(text, _CLOSING)
    return str(found)


class _VisibleText:
    """Text of a page in three parts: `<main>`, each `<article>`, and all but the frame."""

    def __init__(self, source: str, closing: frozenset[str]) -> None:
        self._source = source
        self._names = closing.union(_CONTENT, _FRAMES)
        self._parts: dict[str, list[str]] = {"main": [], "article": [], "": []}
        self.open = OpenElements()
        self._read()

    def __str__(self) -> str:
        text = "".join(next(filter(None, self._parts.values()), []))
        return " ".join(unescape(remove_tags(text, INLINE)).split())

    def _read(self) -> None:
        end = 0
        is_template = False
        for tag in Tags(self._source, self._names):
            if not is_template:
                self._add_text(self._source[end : tag.start])
            end = tag.end
            if tag.name == "template" and not tag.is_foreign:
                is_template = not tag.is_end
            elif tag.is_foreign:
                self._add_text(_escape_raw(tag))
            else:
                self._read_tag(tag)
        if not is_template:
            self._add_text(self._source[end:])

    def _read_tag(self, tag: Tag) -> None:
        name = tag.name
        self._add_text(_escape_raw(tag) if name in _SHOWN else " ")
        if name in self._names and tag.is_end:
            self.open.end_element(name)
        elif name in self._names:
            self.open.begin_element(name)
            self._add_text("")  # record that the element exists

    def _add_text(self, text: str) -> None:
        """Append a text to all parts that contain the current position."""
        for name in _CONTENT:
            if name in self.open:
                self._parts[name].append(text)
        if not any(name in self.open for name in _FRAMES):
            self._parts[""].append(text)


def _escape_raw(tag: Tag) -> str:
    """Return the raw text of an element, escaped."""
    return " " + tag.raw.replace("<", "&lt;") + " "
