"""
The tags of an HTML page, as browsers find them: https://html.spec.whatwg.org/#tokenization

No tree is built. What is text to a browser (comments, scripts, titles) has no tags; what is inert
(templates) or foreign (SVG, MathML) is known as such.
"""

import re
from collections.abc import Callable, Collection, Iterator
from functools import lru_cache
from typing import NamedTuple

from sitemapx.convert.html.foreign import ForeignElements
from sitemapx.convert.html.references import attribute_text

#: What HTML calls whitespace, which is less than Unicode does.
SPACES = "\t\n\f\r "
_NAME = rf"[A-Za-z][^{SPACES}/>]*+"
_ATTRIBUTE = rf"""
    ([^{SPACES}/>][^{SPACES}/>=]*+)
    (?:[{SPACES}]*+=[{SPACES}]*+(?:"([^"]*+)"|'([^']*+)'|((?!["'])[^{SPACES}>]*+)))?+
"""
_without_groups = re.compile(r"\((?!\?)").sub
_ATTRIBUTES = rf"(?:[{SPACES}/]*+{_without_groups('(?:', _ATTRIBUTE)})*+[{SPACES}/]*+"
#: What is no tag: comments, and what browsers take for one.
_COMMENT = r"(?:!--(?:-?>|.*?(?:--!?>|\Z))|(?:[!?]|/(?![A-Za-z]))[^>]*+(?:>|\Z))"
#: A page that ends within a tag has nothing after it.
_markup = re.compile(
    rf"<(?:(/?)({_NAME})({_ATTRIBUTES})>|{_COMMENT}|/?[A-Za-z].*+)", re.VERBOSE | re.DOTALL
).search
_attributes = re.compile(_ATTRIBUTE, re.VERBOSE).finditer
#: Elements whose content is text, up to the end tag of the same name. `noscript` is one where
#: scripts run.
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
#: What begins and ends the part of a script in which a script may stand as text.
_script_states = re.compile(rf"<!--|-->|<(/?)script(?=[{SPACES}/>])", re.IGNORECASE).finditer


#: Elements that decide how what follows is read.
_DECIDING = _RAW | {"math", "svg", "template"}


@lru_cache(maxsize=32)
def _skip_to(names: frozenset[str]) -> Callable[[str, int], re.Match[str] | None]:
    """Return what matches all that stands before a tag of one of these names."""
    others = rf"/?+(?!(?:{'|'.join(sorted(names))})[{SPACES}/>]){_NAME}{_ATTRIBUTES}>"
    text = r"[^<]++|<(?![A-Za-z/!?])"
    return re.compile(
        rf"(?:{text}|<(?:{others}|{_COMMENT}))*+", re.VERBOSE | re.DOTALL | re.IGNORECASE
    ).match


def without_tags(text: str, inline: frozenset[str]) -> str:
    """
    Take the tags and comments out of a text, with a space for each tag.

    Args:
        inline: The names of elements that stand within a line, whose tags leave no space.

    >>> without_tags("<p title='>'>a<b>b</b><!-- c --></p>d", frozenset({"b"}))
    ' ab d'

    """
    parts = _cut_at_tags(inline)(text)
    parts[1::2] = [" " if name else "" for name in parts[1::2]]
    return "".join(parts)


@lru_cache(maxsize=8)
def _cut_at_tags(inline: frozenset[str]) -> Callable[[str], list[str]]:
    """Return what cuts a text at its tags, each of which is a part with the name, if not inline."""
    name = rf"(?:(?:{'|'.join(sorted(inline))})(?=[{SPACES}/>])|({_NAME}))"
    return re.compile(
        rf"<(?:/?+{name}{_ATTRIBUTES}>|{_COMMENT}|/?[A-Za-z].*+)",
        re.VERBOSE | re.DOTALL | re.IGNORECASE,
    ).split


class Tag(NamedTuple):
    """
    A tag, or a comment or the like.

    Attributes:
        name: Its name in lower case; empty for what is no tag.
        is_end: Whether it is an end tag.
        is_foreign: Whether it is one of SVG or MathML.
        source: Its attributes, as they are written.
        start: Where it begins.
        end: Where it ends, with the text that it is followed by if its element has nothing else.
        raw: This text.

    """

    name: str
    is_end: bool
    is_foreign: bool
    source: str
    start: int
    end: int
    raw: str = ""

    def attributes(self) -> dict[str, str]:
        """Return the attributes by their names in lower case; of several, the first counts."""
        found: dict[str, str] = {}
        for m in _attributes(self.source):
            value = m[2] or m[3] or m[4] or ""
            found.setdefault(m[1].lower(), attribute_text(value) if "&" in value else value)
        return found


class Tags:
    """
    The tags of a page, in order; but for those within templates.

    Args:
        text: The page.
        only: The names of the tags that are wanted; None for all. Comments are not wanted then.
            Tags that decide how others are read are among the tags in any case.
        start: Where to begin.

    """

    def __init__(self, text: str, only: Collection[str] | None = None, start: int = 0) -> None:
        self._text = text
        self._start = start
        self._skip = _skip_to(_DECIDING.union(only)) if only else None
        self._foreign = ForeignElements()
        self._templates = 0

    def __iter__(self) -> Iterator[Tag]:
        text, position = self._text, self._start
        while True:
            if self._skip and not self._foreign and (m := self._skip(text, position)):
                position = m.end()
            if not (m := _markup(text, position)):
                return
            tag = self._other(m) if m[2] is None else self._tag(m)
            position = tag.end
            if self._is_seen(tag):
                yield tag

    def _other(self, m: re.Match[str]) -> Tag:
        """Make what stands for a comment; or, in SVG and MathML, for a text."""
        start, is_text = m.start(), bool(self._foreign) and m[0].startswith("<![CDATA[")
        if not is_text:
            return Tag("", False, False, "", start, m.end())
        end = self._text.find("]]>", start)
        raw = self._text[start + len("<![CDATA[") : end if end >= 0 else None]
        return Tag("", False, True, "", start, end + 3 if end >= 0 else len(self._text), raw)

    def _tag(self, m: re.Match[str]) -> Tag:
        """Make a tag, with the text that belongs to it."""
        name, is_end = m[2].lower(), bool(m[1])
        if self._foreign or name in ("svg", "math"):
            is_foreign = self._foreign.take(name, m[3], is_end=is_end)
        else:
            is_foreign = False
        if is_foreign or is_end or name not in _RAW:
            return Tag(name, is_end, is_foreign, m[3], m.start(), m.end())
        end = self._end_of_raw(name, m.end())
        return Tag(name, False, False, m[3], m.start(), end, self._text[m.end() : end])

    def _end_of_raw(self, name: str, start: int) -> int:
        """Find where the text ends that an element has."""
        if name == "plaintext":
            return len(self._text)
        m = _ends[name](self._text, start)
        end = m.start() if m else len(self._text)
        if name == "script" and self._text.find("<!--", start, end) >= 0:
            return self._end_of_script(start)
        return end

    def _end_of_script(self, start: int) -> int:
        """
        Find the end of a script in which `<!--` stands.

        https://html.spec.whatwg.org/#restrictions-for-contents-of-script-elements
        """
        is_escaped = is_twice = False
        for m in _script_states(self._text, start):
            if m[0] == "<!--":
                # `<!-->` and `<!--->` begin and end it at once
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

    def _is_seen(self, tag: Tag) -> bool:
        """Tell whether a tag is outside of templates; their own tags are."""
        if tag.name != "template" or tag.is_foreign:
            return not self._templates
        self._templates = max(self._templates + (-1 if tag.is_end else 1), 0)
        return self._templates == (0 if tag.is_end else 1)
