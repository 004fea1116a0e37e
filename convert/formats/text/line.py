"""Splits a line of a text sitemap into the URL and the values that some programs append."""

import re

from sitemapx.convert.values.w3cdate import W3C
from sitemapx.patterns import lazy_pattern

_FREQUENCIES = "always|hourly|daily|weekly|monthly|yearly|never"
#: Matches text that does not belong to the URL before it: another field of a sitemap, or another
#: URL.
_VALUE = lazy_pattern(
    rf"(?:(?=\d{{4}}-\d\d-\d\d){W3C}|[01]?\.[0-9]+|{_FREQUENCIES}|https?://.*)[,;]?",
    re.IGNORECASE | re.DOTALL,
)
_COMMENT = lazy_pattern(r"\s[#|,;-](?=\s|\Z)")
#: Limit on appended values, to bound the time for a long line.
_MAX_VALUES = 8


def split_line(line: str) -> tuple[str, str]:
    """
    Return the URL of a line, and the text after it.

    >>> split_line("https://example.com/a b 2026-01-01 0.5")
    ('https://example.com/a b', '2026-01-01 0.5')
    """
    line = line.strip()
    if len(line.split(None, 1)) < 2:  # fast path for most lines
        return line, ""
    end = line.find("\t")
    if end < 0:
        comment = _COMMENT.search(line)
        end = comment.start() if comment else len(line)
    for _ in range(_MAX_VALUES):
        words = line[:end].rsplit(None, 1)
        if len(words) < 2 or not _VALUE.fullmatch(words[1]):
            break
        end = len(words[0])
    return line[:end].rstrip(), line[end:].strip()
