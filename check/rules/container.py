"""Rules for a file as a whole: its start, size and encoding; and for the use of indexes."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import ClassVar

from sitemapx.check.api import Check, CheckContext
from sitemapx.check.findings import Position, RawFinding, Rule
from sitemapx.check.view import File, FileExtent
from sitemapx.convert.streams.encodings import encoding_of
from sitemapx.convert.values import uris, urls

_PROTOCOL = "https://www.sitemaps.org/protocol.html"
_INDEX = f"{_PROTOCOL}#index"
_GOOGLE_LARGE = (
    "https://developers.google.com/search/docs/crawling-indexing/sitemaps/large-sitemaps"
)
#: Maximum number of indexes per site that Google accepts.
_MOST_INDEXES = 500
_BOM = b"\xef\xbb\xbf"
_late_declaration = re.compile(rb"(?:\xef\xbb\xbf)?\s+(?:\xef\xbb\xbf)?<\?xml\s").match
#: The XSLT stylesheet of a document (https://www.w3.org/TR/xml-stylesheet/); not in a comment.
_XSLT_TYPE = rb"""(?:(?!\?>).)*?\stype\s*=\s*["'](?:text/xslt?|application/xslt\+xml)["']"""
_xslt_stylesheet = re.compile(
    rb"<!--.*?(?:-->|\Z)|(?P<xslt><\?xml-stylesheet(?=" + _XSLT_TYPE + rb"))|<[A-Za-z_]",
    re.DOTALL,
).finditer
_lone_header = re.compile(rb"(?:\xef\xbb\xbf)?\s*[^,;\t|\r\n]+[\r\n]").match


class Container(Check):
    """Checks the start, size and encoding of files, and the number and nesting of indexes."""

    rules: ClassVar = {
        "space-before-xml": Rule(
            "error",
            "Content before the XML declaration",
            "The XML declaration must come first; many parsers stop otherwise.",
            "https://www.w3.org/TR/xml/#sec-prolog-dtd",
            "Remove blank lines and spaces at the start, which often come from a template or a "
            "PHP file.",
            is_fixable=True,
            schema=True,
        ),
        "text-header": Rule(
            "error",
            "Header line in URL list",
            "A URL list contains only absolute URLs, without header or footer.",
            f"{_PROTOCOL}#otherformats",
            "Remove the header line.",
        ),
        "bom": Rule(
            "warning",
            "Byte order mark in URL list",
            "Some parsers treat it as part of the first URL.",
            f"{_PROTOCOL}#otherformats",
            "Save the file as UTF-8 without a byte order mark.",
            is_fixable=True,
        ),
        "not-utf8": Rule(
            "error",
            "File is not UTF-8",
            "Sitemaps must be UTF-8; search engines need not support other encodings.",
            f"{_PROTOCOL}#escaping",
            "Save the file as UTF-8, and declare UTF-8 or no encoding.",
            is_fixable=True,
        ),
        "too-many-urls": Rule(
            "error",
            "More than 50,000 entries in one file",
            "Search engines reject such a file, or skip the excess entries.",
            _INDEX,
            "Split the file: convert with --base-url, or --fix for XML, writes a set and an index.",
            is_fixable=True,
        ),
        "too-many-bytes": Rule(
            "error",
            "File larger than 50 MiB (52,428,800 bytes) uncompressed",
            "Search engines reject such a file, or read only its beginning; compressed size does "
            "not count.",
            _INDEX,
            "Split the file: convert with --base-url, or --fix for XML, writes a set and an index.",
            is_fixable=True,
        ),
        "xslt-stylesheet": Rule(
            "note",
            "XSLT stylesheet",
            "Browsers are removing XSLT, Chrome with version 155 or 158 (sources differ), so "
            "people will see plain XML; search engines do not need a stylesheet.",
            "https://developer.chrome.com/docs/web-platform/deprecating-xslt",
            "Remove the stylesheet; for people, convert with --to html writes a site map.",
        ),
        "too-many-indexes": Rule(
            "warning",
            "More than 500 sitemap indexes of one site",
            "Google accepts up to 500 sitemap indexes for each site in Search Console.",
            _GOOGLE_LARGE,
            "List more sitemaps in each index; an index may list 50,000.",
        ),
        "nested-index": Rule(
            "error",
            "Sitemap index listed in a sitemap index",
            "An index may list sitemaps only; search engines do not follow an index in it.",
            _GOOGLE_LARGE,
            "List the sitemaps of the listed index themselves, or submit both indexes.",
        ),
    }

    def __init__(self, context: CheckContext) -> None:
        super().__init__(context)
        self._nested: dict[str, None] = {}
        self._indexes: Counter[str] = Counter()
        self._extra_index: dict[str, str | None] = {}

    def begin_file(self, file: File) -> None:
        if file.is_index and file.url and not file.lists_feeds:
            self._nested[uris.canonicalize(file.url)] = None
            origin = urls.origin(file.url)
            self._indexes[origin] += 1
            if self._indexes[origin] > _MOST_INDEXES:
                self._extra_index.setdefault(origin, file.source)

    def end_run(self) -> Iterator[RawFinding]:
        for origin, source in self._extra_index.items():
            message = f"{self._indexes[origin]:,} indexes on {origin} (limit {_MOST_INDEXES})"
            yield RawFinding("too-many-indexes", message, source=source)
        for url in self._nested:
            if child := self.context.children.get(url):
                message = "the listed file is a sitemap index"
                yield RawFinding("nested-index", message, child.position, child.loc, child.source)

    def end_file(self, file: File, extent: FileExtent) -> Iterator[RawFinding]:
        start, is_xml = Position(1, 1), bool(file.format.roots)
        if is_xml and _late_declaration(extent.start):
            message = "content before the XML declaration"
            yield RawFinding("space-before-xml", message, start)
        if is_xml:
            yield from _stylesheet(extent.start)
        elif extent.start.startswith(_BOM):
            yield RawFinding("bom", "byte order mark at the start of the file", start)
        if file.format.name == "csv" and _lone_header(extent.start):
            yield RawFinding("text-header", "first line is a header, not a URL", start)
        encoding = encoding_of(extent.start)
        is_read_as_utf8 = encoding == "utf-8" or (
            extent.is_ascii and not encoding.startswith("utf-")
        )
        if not (is_read_as_utf8 or file.is_feed):
            yield RawFinding("not-utf8", f"encoding is {encoding} (expected UTF-8)", start)
        limits = file.format.limits
        if limits and extent.entries > limits.entries:
            message = f"{extent.entries:,} entries (limit {limits.entries:,})"
            yield RawFinding("too-many-urls", message)
        if limits and extent.size > limits.size:
            message = f"{extent.size:,} bytes uncompressed (limit {limits.size:,})"
            yield RawFinding("too-many-bytes", message)


def _stylesheet(start: bytes) -> Iterator[RawFinding]:
    """Report the first XSLT stylesheet before the root element."""
    for found in _xslt_stylesheet(start):
        if found["xslt"]:
            before = start[: found.start()].decode("utf-8", "replace")
            position = Position(before.count("\n") + 1, len(before) - before.rfind("\n"))
            message = "XSLT stylesheet, which browsers will no longer apply"
            yield RawFinding("xslt-stylesheet", message, position)
        if not found[0].startswith(b"<!--"):
            return
