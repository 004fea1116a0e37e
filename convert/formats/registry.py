"""
Finds formats by name, by suffix, or by the contents of a file.

Other packages provide formats in the entry-point group `sitemapx.formats`: an entry point has the
name of the format, and loads a `Format`.
"""

import re
from collections.abc import Iterator
from itertools import chain

from sitemapx.convert.formats.format import Format
from sitemapx.convert.formats.table import (
    ARROW,
    ATOM,
    BOOKMARKS,
    CSV,
    HTML,
    JSON,
    JSON_FEED,
    JSONL,
    MEDIA_RSS,
    OPML,
    PARQUET,
    RSS,
    SITEMAP,
    SITEMAP_INDEX,
    SQLITE,
    TEXT,
    TSV,
)
from sitemapx.convert.streams.encodings import decode_start
from sitemapx.convert.xml.tags import HTML_TAGS, root_name, why_empty, why_rootless
from sitemapx.errors import InputError, UnknownNameError
from sitemapx.optionnames import option
from sitemapx.patterns import lazy_pattern
from sitemapx.plugins import load_plugins

_GROUP = "sitemapx.formats"


#: The built-in formats, in the order of detection.
FORMATS = (
    SITEMAP,
    SITEMAP_INDEX,
    RSS,
    MEDIA_RSS,
    ATOM,
    OPML,
    JSON_FEED,
    JSONL,
    JSON,
    CSV,
    TSV,
    PARQUET,
    ARROW,
    SQLITE,
    BOOKMARKS,
    TEXT,
    HTML,
)


def all_formats() -> Iterator[Format]:
    """Return the built-in formats, then those of other installed packages."""
    yield from FORMATS
    yield from load_plugins(_GROUP, _is_format).values()


def _is_format(plugin: object) -> bool:
    return isinstance(plugin, Format)


def by_name(name: str, *more: str, is_written: bool = False) -> Format:
    """
    Return the format with this name.

    Args:
        more: Other names to suggest in the error.
        is_written: Whether to suggest only formats that can be written.

    Raises:
        UnknownNameError: If no format has this name.

    """
    for candidate in all_formats():
        if candidate.name == name:
            return candidate
    known = (candidate for candidate in all_formats() if candidate.write or not is_written)
    names = [*(candidate.name for candidate in known), *more]
    named = by_suffix(f".{name}")  # "xml" means "sitemap"
    raise UnknownNameError("format", name, names, meant=named.name if named else "")


def by_suffix(path: str) -> Format | None:
    """Return the format for a file name, ignoring `.gz`; None if the extension is unknown."""
    name = path.lower().removesuffix(".gz")
    return next(
        (
            candidate
            for candidate in all_formats()
            if candidate.suffixes and name.endswith(candidate.suffixes)
        ),
        None,
    )


# ---- detection by content; names are ignored

_DOCTYPE = lazy_pattern(r"\s*<!DOCTYPE\s+([^\s>]+)", re.IGNORECASE)
#: Number of bytes in which to look for a DOCTYPE.
_SHORT = 1024
_ROBOTS = lazy_pattern(r"^\s*(?:user-agent|disallow|sitemap)\s*:", re.IGNORECASE | re.MULTILINE)


def detect(start: bytes) -> Format:
    """Detect a format from the first bytes after decompression; raise `InputError` if unknown."""
    for candidate in FORMATS:
        if start.startswith(candidate.magic):
            return candidate
    if (doctype := _DOCTYPE.match(decode_start(start[:_SHORT]))) is not None:
        for candidate in all_formats():
            if candidate.doctype == doctype[1].lower():
                return candidate
    root = root_name(start)
    text = decode_start(start) if root is None else ""
    if root is None and not text.strip():
        raise InputError(why_empty())
    # Any line with a URL makes a text list, so TEXT is tried after the formats of other packages.
    # These take time to load, and so are tried later if the text begins with a URL.
    others = (candidate for candidate in all_formats() if candidate is not TEXT)
    candidates = all_formats() if text.startswith("http") else chain(others, [TEXT])
    for candidate in candidates:
        is_alike = candidate.matches(text) if root is None else root.lower() in candidate.roots
        if is_alike or start.startswith(candidate.magic):
            return candidate
    if root is None:
        if _ROBOTS.search(text):
            message = "robots.txt instead of a sitemap"
            raise InputError(f"{message}; list its sitemaps with `sitemapx robots list FILE`")
        raise InputError(f"unrecognized format; pass {option('format')}")
    if root.lower() in HTML_TAGS:
        raise InputError("HTML page instead of a sitemap", code="web-page")
    if not root:
        raise InputError(why_rootless(start))
    raise InputError(f"unrecognized XML format (root element <{root}>)")
