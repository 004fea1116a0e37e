"""Columns of tables: fields of an entry, and columns derived from them."""

from collections.abc import Iterable, Sequence

from sitemapx.errors import UnknownNameError

#: Derived column -> its field. The column has the start of the period in UTC.
DERIVED = {"lastmod_utc": "lastmod"}


def field_of(column: str) -> str:
    """Return the field from which a column is derived, or the column itself."""
    return DERIVED.get(column, column)


def all_columns(fields: Iterable[str]) -> tuple[str, ...]:
    """
    Return the fields and the columns derived from them, each after its field.

    >>> all_columns(["loc", "lastmod", "priority"])
    ('loc', 'lastmod', 'lastmod_utc', 'priority')
    """
    derived = {field: column for column, field in DERIVED.items()}
    return tuple(name for field in fields for name in (field, *filter(None, [derived.get(field)])))


def reject_unknown(columns: Iterable[str], known: Sequence[str]) -> None:
    for name in columns:
        if name not in known:
            raise UnknownNameError("column", name, known)
