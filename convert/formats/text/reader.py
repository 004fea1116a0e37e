"""
Reads text sitemaps: https://www.sitemaps.org/protocol.html#otherformats

One absolute URL per line. Tolerates byte order marks, other line breaks and encodings, blank lines,
spaces around URLs, and text after them. Other lines without a URL are skipped with a problem.
"""

import re
from collections.abc import Iterator, Sequence

from sitemapx.convert.formats.format import Context, report_if_empty
from sitemapx.convert.model.batch import Batch, Columns
from sitemapx.convert.model.document import Document
from sitemapx.convert.streams.stream import Lines, Readable, line_blocks
from sitemapx.convert.values import urls
from sitemapx.convert.values.urllist import UriList
from sitemapx.convert.values.w3cdate import W3C
from sitemapx.errors import InputError
from sitemapx.patterns import lazy_pattern


def read_text(stream: Readable, context: Context) -> Document:
    return Document(report_if_empty(_batches(stream, context), context, "list has no URLs"))


def looks_like_text(start: str) -> bool:
    """Return whether any line is a URL."""
    return any(urls.is_absolute(line) for line in map(urls.clean, start.splitlines()))


def _batches(stream: Readable, context: Context) -> Iterator[Batch]:
    for block in line_blocks(stream, context):
        context.observer.on_part(block)
        if block.first == 1 and block.lines:
            _reject_markup(block.lines[0])
        if locs := _read_locs(block, context):
            yield Columns(locs, {})


def _read_locs(block: Lines, context: Context) -> Sequence[str]:
    if uris := UriList.of_list(block.lines):
        return uris
    locs: list[str] = []
    for number, line in enumerate(block.lines, block.first):
        url, more = split_line(line)
        loc = urls.clean(url)
        if more:
            message = f"unexpected text after the URL: {more[:80]!r}"
            context.problem("stray-content", message, done="; skipped", line=number)
        if urls.is_absolute(loc):
            locs.append(loc)
        elif loc:
            message = f"line is not a URL: {loc[:80]!r}"
            context.problem("not-a-url", message, done="; skipped", line=number)
    return locs


def _reject_markup(line: str) -> None:
    if line.lstrip()[:9].lower().startswith(("<!doctype", "<html")):
        raise InputError("HTML page instead of a list of URLs", line=1, code="web-page")


# ---- values that some programs append to the URL of a line

_FREQUENCIES = "always|hourly|daily|weekly|monthly|yearly|never"
#: Matches text that does not belong to the URL before it: another field of a sitemap, or another
#: URL.
_VALUE = lazy_pattern(
    rf"(?:(?=\d{{4}}-\d\d-\d\d){W3C}|[01]?\.[0-9]+|{_FREQUENCIES}|https?://.*)[,;]?",
    re.IGNORECASE | re.DOTALL,
)
_COMMENT = lazy_pattern(r"\s[#|,;-](?=\s|\Z)")
#: Maximum number of appended values to find, to bound the time for a long line.
_MAX_VALUES = 8


def split_line(line: str) -> tuple[str, str]:
    """
    Return the URL of a line, and the text after the URL.

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
