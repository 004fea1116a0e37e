"""The row of JSON Lines in the table of formats."""

from sitemapx.convert.formats.format import Format

__all__ = ["JSONL"]

JSONL = Format(
    "jsonl",
    "JSON Lines",
    f"{__package__}.reader:read_jsonl",
    f"{__package__}.writer:JsonlWriter",
    suffixes=(".jsonl", ".ndjson"),
    media_type="application/x-ndjson",
    sniff=f"{__package__}.reader:looks_like_jsonl",
)
