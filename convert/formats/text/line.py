"""A line of a text sitemap: a URL, and what some programs write after it."""

import re

from sitemapx.convert.values.w3cdate import W3C
from sitemapx.patterns import lazy_pattern

__all__ = ["split_line"]

#: A URL may have spaces, but not before these: columns of a sitemap, another URL, a comment.
_FREQUENCIES = "always|hourly|daily|weekly|monthly|yearly|never"
_VALUE = lazy_pattern(
    rf"(?:(?=\d{{4}}-\d\d-\d\d){W3C}|[01]?\.[0-9]+|{_FREQUENCIES}|https?://.*)[,;]?",
    re.IGNORECASE | re.DOTALL,
)
_COMMENT = lazy_pattern(r"\s[#|,;-](?=\s|\Z)")
#: So many values after a URL are looked for.
_MOST_VALUES = 8


def split_line(line: str) -> tuple[str, str]:
    """
    Return the URL of a line, and what follows it.

    >>> split_line("https://example.com/a b 2026-01-01 0.5")
    ('https://example.com/a b', '2026-01-01 0.5')

    """
    line = line.strip()
    end = line.find("\t")
    if end < 0:
        comment = _COMMENT.search(line)
        end = comment.start() if comment else len(line)
    for _ in range(_MOST_VALUES):
        words = line[:end].rsplit(None, 1)
        if len(words) < 2 or not _VALUE.fullmatch(words[1]):
            break
        end = len(words[0])
    return line[:end].rstrip(), line[end:].strip()
