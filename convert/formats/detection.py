"""Return which format a file is in, by its contents and never by its name."""

import re

from sitemapx.convert.formats.format import Format
from sitemapx.convert.formats.registry import FORMATS, all_formats
from sitemapx.convert.streams.encodings import decode_start
from sitemapx.convert.xml.tags import HTML_TAGS, root_name, why_empty, why_rootless
from sitemapx.errors import InputError
from sitemapx.optionnames import option
from sitemapx.patterns import lazy_pattern

__all__ = ["detect"]

_DOCTYPE = lazy_pattern(r"\s*<!DOCTYPE\s+([^\s>]+)", re.IGNORECASE)
#: A DOCTYPE that tells the format is among the first bytes.
_SHORT = 1024
_ROBOTS = lazy_pattern(r"^\s*(?:user-agent|disallow|sitemap)\s*:", re.IGNORECASE | re.MULTILINE)


def detect(start: bytes) -> Format:
    """
    Return the format of a file by its first bytes, unpacked.

    Raises:
        InputError: If it is none that is known, with what it seems to be.

    """
    for one in FORMATS:
        if start.startswith(one.magic):
            return one
    if (doctype := _DOCTYPE.match(decode_start(start[:_SHORT]))) is not None:
        for one in all_formats():
            if one.doctype == doctype[1].lower():
                return one
    root = root_name(start)
    text = decode_start(start) if root is None else ""
    if root is None and not text.strip():
        raise InputError(why_empty())
    for one in all_formats():
        is_alike = one.matches(text) if root is None else root.lower() in one.roots
        if is_alike or start.startswith(one.magic):
            return one
    if root is None:
        if _ROBOTS.search(text):
            raise InputError(
                "robots.txt instead of a sitemap; list its sitemaps with `sitemapx robots list`"
            )
        raise InputError(f"unrecognized format; pass {option('format')}")
    if root.lower() in HTML_TAGS:
        raise InputError("HTML page instead of a sitemap", code="web-page")
    if not root:
        raise InputError(why_rootless(start))
    raise InputError(f"unrecognized XML format (root element <{root}>)")
