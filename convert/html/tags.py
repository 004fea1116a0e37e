"""
Find the tags of an HTML page as a browser does: https://html.spec.whatwg.org/#tokenization

No tree is built. Tags in raw text (comments, scripts, titles) and in templates are skipped; tags of
SVG and MathML are marked as foreign.
"""

import re
from collections.abc import Callable, Collection, Iterator
from functools import lru_cache
from html import unescape
from html.entities import html5
from typing import NamedTuple

from sitemapx.convert.html.foreign import ForeignElements

#: Whitespace in HTML.
SPACES = "\t\n\f\r "
_NAME = rf"[A-Za-z][^{SPACES}/>]*+"
_ATTRIBUTE = rf"""
    ([^{SPACES}/>][^{SPACES}/>=]*+)
    (?:[{SPACES}]*+=[{SPACES}]*+(?:"([^"]*+)"|'([^']*+)'|((?!["'])[^{SPACES}>]*+)))?+
"""
_without_groups = re.compile(r"\((?!\?)").sub
_ATTRIBUTES = rf"(?:[{SPACES}/]*+{_without_groups('(?:', _ATTRIBUTE)})*+[{SPACES}/]*+"
#: Comments, and markup that browsers treat as such.
_COMMENT = r"(?:!--(?:-?>|.*?(?:--!?>|\Z))|(?:[!?]|/(?![A-Za-z]))[^>]*+(?:>|\Z))"
#: An unfinished tag extends to the end of the page.
_markup = re.compile(
    rf"<(?:(/?)({_NAME})({_ATTRIBUTES})>|{_COMMENT}|/?[A-Za-z].*+)", re.VERBOSE | re.DOTALL
).search
_attributes = re.compile(_ATTRIBUTE, re.VERBOSE).finditer
#: Elements whose content is raw text up to the end tag (`noscript` only if scripts are enabled).
_RAW = frozenset(
    {
        *("iframe", "noembed", "noframes", "noscript", "plaintext", "script", "style"),
        *("textarea", "title", "xmp"),
    }
)
_ends = {
    name: re.compile(rf"</{name}(?=[{SPACES}/>])", re.IGNORECASE).search
    for name in _RAW - {"plaintext"}
}
#: Delimiters of the part of a script that may contain a nested script.
_script_states = re.compile(rf"<!--|-->|<(/?)script(?=[{SPACES}/>])", re.IGNORECASE).finditer


#: Elements that affect how subsequent markup is read.
_DECIDING = _RAW | {"math", "svg", "template"}


@lru_cache(maxsize=32)
def _compile_skip(names: frozenset[str]) -> Callable[[str, int], re.Match[str] | None]:
    """Return a function that skips from an offset to the next tag with one of these names."""
    others = rf"/?+(?!(?:{'|'.join(sorted(names))})[{SPACES}/>]){_NAME}{_ATTRIBUTES}>"
    text = r"[^<]++|<(?![A-Za-z/!?])"
    return re.compile(
        rf"(?:{text}|<(?:{others}|{_COMMENT}))*+", re.VERBOSE | re.DOTALL | re.IGNORECASE
    ).match


def remove_tags(text: str, inline: frozenset[str]) -> str:
    """
    Replace tags with spaces; remove comments and the tags of `inline` elements without a space.

    >>> remove_tags("<p title='>'>a<b>b</b><!-- c --></p>d", frozenset({"b"}))
    ' ab d'
    """
    parts = _compile_splitter(inline)(text)
    parts[1::2] = [" " if name else "" for name in parts[1::2]]
    return "".join(parts)


@lru_cache(maxsize=8)
def _compile_splitter(inline: frozenset[str]) -> Callable[[str], list[str]]:
    """
    Return a function that splits a text at tags and comments.

    Between two texts is the name of the tag, or None for a comment or the tag of an inline element.
    """
    name = rf"(?:(?:{'|'.join(sorted(inline))})(?=[{SPACES}/>])|({_NAME}))"
    return re.compile(
        rf"<(?:/?+{name}{_ATTRIBUTES}>|{_COMMENT}|/?[A-Za-z].*+)",
        re.VERBOSE | re.DOTALL | re.IGNORECASE,
    ).split


class Tag(NamedTuple):
    """
    A tag, a comment or other markup; `start` and `end` are offsets in the page.

    Attributes:
        name: Name in lower case; empty if not a tag.
        source: The attributes, as written.
        end: End of the tag, or of the raw text if the element has any.
        raw: Raw text of the element, up to its end tag.

    """

    name: str
    is_end: bool
    is_foreign: bool
    source: str
    start: int
    end: int
    raw: str = ""

    def attributes(self) -> dict[str, str]:
        """Return the attributes by lower-case name; of repeated names, the first counts."""
        found: dict[str, str] = {}
        for m in _attributes(self.source):
            value = m[2] or m[3] or m[4] or ""
            found.setdefault(m[1].lower(), resolve_in_attribute(value) if "&" in value else value)
        return found


class Tags:
    """
    Iterable of the tags and comments of a page, in order, except those inside templates.

    Args:
        only: Names of wanted tags; outside SVG and MathML, other tags and comments are skipped,
            except for tags that affect how the wanted tags are read. None for all.
        start: Offset at which to begin.

    """

    def __init__(self, text: str, only: Collection[str] | None = None, start: int = 0) -> None:
        self._text = text
        self._start = start
        self._skip = _compile_skip(_DECIDING.union(only)) if only else None
        self._foreign = ForeignElements()
        self._templates = 0

    def __iter__(self) -> Iterator[Tag]:
        text, position = self._text, self._start
        while True:
            if self._skip and not self._foreign and (m := self._skip(text, position)):
                position = m.end()
            if not (m := _markup(text, position)):
                return
            tag = self._make_comment(m) if m[2] is None else self._make_tag(m)
            position = tag.end
            if self._is_visible(tag):
                yield tag

    def _make_comment(self, m: re.Match[str]) -> Tag:
        """Return markup without a name; a CDATA section in SVG or MathML has its text in `raw`."""
        start, is_text = m.start(), bool(self._foreign) and m[0].startswith("<![CDATA[")
        if not is_text:
            return Tag("", False, False, "", start, m.end())
        end = self._text.find("]]>", start)
        raw = self._text[start + len("<![CDATA[") : end if end >= 0 else None]
        return Tag("", False, True, "", start, end + 3 if end >= 0 else len(self._text), raw)

    def _make_tag(self, m: re.Match[str]) -> Tag:
        name, is_end = m[2].lower(), bool(m[1])
        if self._foreign or name in ("svg", "math"):
            is_foreign = self._foreign.process_tag(name, m[3], is_end=is_end)
        else:
            is_foreign = False
        if is_foreign or is_end or name not in _RAW:
            return Tag(name, is_end, is_foreign, m[3], m.start(), m.end())
        end = self._find_raw_end(name, m.end())
        return Tag(name, False, False, m[3], m.start(), end, self._text[m.end() : end])

    def _find_raw_end(self, name: str, start: int) -> int:
        if name == "plaintext":
            return len(self._text)
        m = _ends[name](self._text, start)
        end = m.start() if m else len(self._text)
        if name == "script" and self._text.find("<!--", start, end) >= 0:
            return self._find_script_end(start)
        return end

    def _find_script_end(self, start: int) -> int:
        """
        Return the offset at which a script that contains `<!--` ends.

        https://html.spec.whatwg.org/#restrictions-for-contents-of-script-elements
        """
        is_escaped = is_twice = False
        for m in _script_states(self._text, start):
            if m[0] == "<!--":
                # `<!-->` and `<!--->` are complete comments
                is_escaped = is_escaped or not self._text.startswith((">", "->"), m.end())
            elif m[0] == "-->":
                is_escaped = is_twice = False
            elif not m[1]:
                is_twice = is_escaped
            elif is_twice:
                is_twice = False
            else:
                return m.start()
        return len(self._text)

    def _is_visible(self, tag: Tag) -> bool:
        """Return whether a tag is outside templates; update the number of open templates."""
        if tag.name != "template" or tag.is_foreign:
            return not self._templates
        self._templates = max(self._templates + (-1 if tag.is_end else 1), 0)
        return self._templates == (0 if tag.is_end else 1)


# ---- character references in attribute values, where fewer are recognized than in text

_reference = re.compile(r"&(?:#[0-9]+;?|#[xX][0-9a-fA-F]+;?|([A-Za-z][A-Za-z0-9]*)(;|(=)|))").sub


def resolve_in_attribute(value: str) -> str:
    """
    Replace the character references in an attribute value.

    Query parameters that look like references without semicolon are kept:
    https://html.spec.whatwg.org/#named-character-reference-state

    >>> resolve_in_attribute("?a=1&amp;b=2&copy=3&notit;&para &eacute")
    '?a=1&b=2&copy=3&notit;¶ é'
    """
    return _reference(_replace, value)


def _replace(m: re.Match[str]) -> str:
    name, end = m[1], m[2]
    if not name:
        return unescape(m[0])
    if end == ";" and f"{name};" in html5:
        return html5[f"{name};"]
    if not end and name in html5:
        return html5[name]
    return m[0]
