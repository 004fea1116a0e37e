"""The row of CSV in the table of formats."""

from sitemapx.convert.formats.format import Format

__all__ = ["CSV"]

CSV = Format(
    "csv",
    "CSV with a header",
    f"{__package__}.reader:read_csv",
    f"{__package__}.writer:CsvWriter",
    suffixes=(".csv",),
    media_type="text/csv; charset=utf-8",
    sniff=f"{__package__}.reader:looks_like_csv",
)
