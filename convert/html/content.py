"""What readers see of a page, and its digest, which is another one if that changed."""

from hashlib import blake2b
from html import unescape

from sitemapx.convert.html.foreign import OpenElements
from sitemapx.convert.html.tags import Tag, Tags, without_tags
from sitemapx.convert.html.text import INLINE

_SIZE = 12
#: Where the content of a page is, if there is such an element; else it is the whole page.
_CONTENT = ("main", "article")
#: What is on all pages of a site.
_FRAMES = ("nav", "header", "footer")
#: Elements whose text is shown as it is.
_SHOWN = frozenset({"plaintext", "textarea", "xmp"})
#: Elements by whose end browsers close what stands in them, if it has no end tag itself.
_CLOSING = frozenset(
    {
        *("address", "aside", "blockquote", "button", "center", "dd", "details", "dialog"),
        *("dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "form", "hgroup"),
        *("li", "listing", "menu", "ol", "pre", "search", "section", "summary", "table", "ul"),
    }
)


def content_digest(text: str) -> str:
    """Return a digest of what readers see of a page."""
    data = visible_text(text).encode("utf-8", "surrogatepass")
    return blake2b(data, digest_size=_SIZE).hexdigest()


def visible_text(text: str) -> str:
    """
    Return the text of `<main>`, else of each `<article>`, else of the page without its frame.

    The frame is what stands in `<nav>`, `<header>` and `<footer>`. Scripts, styles, templates and
    attributes are no text.

    >>> visible_text("<nav>Home</nav><h1>Fish &amp;  chips</h1><p>h<b>o</b>t<footer>2026")
    'Fish & chips hot'

    """
    found = _VisibleText(text, frozenset())
    if found.open:  # some element has no end tag: what it ends with is to be found
        found = _VisibleText(text, _CLOSING)
    return str(found)


class _VisibleText:
    """The text of a page, in parts: that of its content, and all but that of its frame."""

    def __init__(self, source: str, closing: frozenset[str]) -> None:
        self._source = source
        self._names = closing.union(_CONTENT, _FRAMES)
        self._parts: dict[str, list[str]] = {"main": [], "article": [], "": []}
        self.open = OpenElements()
        self._read()

    def __str__(self) -> str:
        text = "".join(next(filter(None, self._parts.values()), []))
        return " ".join(unescape(without_tags(text, INLINE)).split())

    def _read(self) -> None:
        end = 0
        is_template = False
        for tag in Tags(self._source, self._names):
            if not is_template:
                self._add(self._source[end : tag.start])
            end = tag.end
            if tag.name == "template" and not tag.is_foreign:
                is_template = not tag.is_end
            elif tag.is_foreign:
                self._add(_shown(tag))
            else:
                self._take(tag)
        if not is_template:
            self._add(self._source[end:])

    def _take(self, tag: Tag) -> None:
        """Take a tag, which parts what stands around it."""
        name = tag.name
        self._add(_shown(tag) if name in _SHOWN else " ")
        if name in self._names and tag.is_end:
            self.open.end(name)
        elif name in self._names:
            self.open.begin(name)
            self._add("")  # there is such an element, even if it is empty

    def _add(self, text: str) -> None:
        """Add a text to the parts of the page in which it stands."""
        for name in _CONTENT:
            if name in self.open:
                self._parts[name].append(text)
        if not any(name in self.open for name in _FRAMES):
            self._parts[""].append(text)


def _shown(tag: Tag) -> str:
    """Return a text that has no tags, whatever it looks like, as a text that has some."""
    return " " + tag.raw.replace("<", "&lt;") + " "
