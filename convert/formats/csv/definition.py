"""The rows of CSV in the table of formats."""

from collections.abc import Sequence
from functools import partial

from sitemapx.convert.formats.format import Format
from sitemapx.convert.model.batch import FIELDS, STATED_FIELDS
from sitemapx.errors import UnknownNameError, UsageError
from sitemapx.optionnames import option

#: Name that selects a table with one column per language.
_LANGUAGES = "languages"


def _select_columns(names: Sequence[str]) -> Format:
    """Return the format with these fields as columns, or the language table."""
    from sitemapx.convert.formats.csv.writer import CsvWriter

    for name in names:
        if name not in (*FIELDS, _LANGUAGES):
            raise UnknownNameError("column", name, [*FIELDS, _LANGUAGES])
    if _LANGUAGES in names:
        if len(names) > 1:
            raise UsageError(f"{option('columns', _LANGUAGES)} cannot have other columns")
        return LANGUAGE_TABLE
    if "loc" not in names:
        raise UsageError(f"{option('columns')} must include loc, the URL")
    columns = tuple(dict.fromkeys(names))
    return CSV._replace(write=partial(CsvWriter, columns=columns), holds=columns)


CSV = Format(
    "csv",
    "CSV with a header",
    "sitemapx.convert.formats.csv.reader:read_csv",
    "sitemapx.convert.formats.csv.writer:CsvWriter",
    suffixes=(".csv",),
    media_type="text/csv; charset=utf-8",
    sniff="sitemapx.convert.formats.csv.reader:looks_like_csv",
    holds=STATED_FIELDS,
    with_columns=_select_columns,
)
#: `arrange` creates the writer once the languages are known.
LANGUAGE_TABLE = CSV._replace(
    write=None,
    holds=("loc", "language", "alternates"),
    arrange="sitemapx.convert.formats.csv.languagetable:arrange",
)
