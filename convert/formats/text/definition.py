"""The row of text lists in the table of formats."""

from sitemapx.convert.formats.format import Format
from sitemapx.convert.formats.limits import PROTOCOL_LIMITS

TEXT = Format(
    "text",
    "Text list of URLs",
    "sitemapx.convert.formats.text.reader:read_text",
    "sitemapx.convert.formats.text.writer:TextWriter",
    suffixes=(".txt",),
    media_type="text/plain; charset=utf-8",
    sniff="sitemapx.convert.formats.text.reader:looks_like_text",
    holds=("loc",),
    limits=PROTOCOL_LIMITS,
    is_published=False,
)
