"""
Reads text sitemaps: https://www.sitemaps.org/protocol.html#otherformats

One absolute URL per line. Tolerates byte order marks, any line breaks and encoding, blank lines and
spaces around URLs. Lines without a URL are skipped with a problem.
"""

from collections.abc import Iterator, Sequence

from sitemapx.convert.formats.format import Context, report_if_empty
from sitemapx.convert.formats.text.line import split_line
from sitemapx.convert.model.batch import Batch, Columns
from sitemapx.convert.model.document import Document
from sitemapx.convert.streams.stream import Lines, Readable, line_blocks
from sitemapx.convert.values import urls
from sitemapx.convert.values.urllist import UriList
from sitemapx.errors import InputError


def read_text(stream: Readable, context: Context) -> Document:
    return Document(report_if_empty(_batches(stream, context), context, "list has no URLs"))


def looks_like_text(start: str) -> bool:
    """Return whether any line is a URL."""
    return any(urls.is_absolute(line) for line in map(urls.clean, start.splitlines()))


def _batches(stream: Readable, context: Context) -> Iterator[Batch]:
    for block in line_blocks(stream, context):
        context.observer.on_part(block)
        if block.first == 1 and block.lines:
            _refuse_markup(block.lines[0])
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


def _refuse_markup(line: str) -> None:
    if line.lstrip()[:9].lower().startswith(("<!doctype", "<html")):
        raise InputError("HTML page instead of a list of URLs", line=1, code="web-page")
