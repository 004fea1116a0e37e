"""Comments that disable rules in an XML file: `<!-- sitemapx: ignore CODE -->`."""

import re
from collections.abc import Collection, Iterator
from fnmatch import filter as matching
from typing import NamedTuple

from sitemapx.convert.streams.encodings import decode_start
from sitemapx.patterns import lazy_pattern
from sitemapx.suggestions import did_you_mean, find_closest

#: Matches a comment, CDATA section, processing instruction, DOCTYPE or start tag; an unclosed one
#: extends to the end of the text.
_markup = lazy_pattern(
    r"<!--(?P<comment>.*?)(?:-->|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)|<\?.*?(?:\?>|\Z)|<!DOCTYPE[^>]*|(?P<tag><[^!?/][^>]*)",
    re.DOTALL,
)
_directive = lazy_pattern(r"\s*sitemapx\s*:(.*)", re.DOTALL)


class DisabledRules(NamedTuple):
    """Rules that the comments of a file disable; `mistakes` are line numbers and messages."""

    codes: frozenset[str] = frozenset()
    mistakes: tuple[tuple[int, str], ...] = ()


def disabled_rules(start: bytes, known: Collection[str]) -> DisabledRules:
    """
    Parse the comments before the first child of the root element; later ones are mistakes.

    `start` holds the first bytes of the file, and `known` the codes of all rules.
    """
    if b"sitemapx" not in start.replace(b"\0", b""):  # UTF-16 has zeros between the letters
        return DisabledRules()
    codes: set[str] = set()
    mistakes: list[tuple[int, str]] = []
    for line, text, is_late in _directives(decode_start(start)):
        if is_late:
            message = f"comment 'sitemapx:{text}' has no effect: move it before the first element"
            mistakes.append((line, message))
            continue
        name, *patterns = text.replace(",", " ").split() or [""]
        if name != "ignore" or not patterns:
            mistakes.append((line, f"invalid comment 'sitemapx:{text}': expected ignore CODE"))
            continue
        for pattern in patterns:
            found = matching(known, pattern)
            codes.update(found)
            if not found:
                meant = did_you_mean(find_closest(pattern, known))
                mistakes.append((line, f"unknown rule {pattern!r}{meant}"))
    return DisabledRules(frozenset(codes), tuple(mistakes))


def _directives(text: str) -> Iterator[tuple[int, str, bool]]:
    """Yield line and rest of each `sitemapx:` comment, and if it follows the second start tag."""
    tags = 0
    for m in _markup.finditer(text):
        tags += m["tag"] is not None
        if m["comment"] is not None and (directive := _directive.fullmatch(m["comment"])):
            yield text.count("\n", 0, m.start()) + 1, directive[1].rstrip(), tags > 1
