"""The row of JSON Lines in the table of formats."""

from sitemapx.convert.formats.format import Format

JSONL = Format(
    "jsonl",
    "JSON Lines",
    "sitemapx.convert.formats.jsonl.reader:read_jsonl",
    "sitemapx.convert.formats.jsonl.writer:JsonlWriter",
    suffixes=(".jsonl", ".ndjson"),
    media_type="application/x-ndjson",
    sniff="sitemapx.convert.formats.jsonl.reader:looks_like_jsonl",
)
