"""Columns of tables: the fields of an entry, and those that are derived from a field."""

from collections.abc import Iterable, Sequence

from sitemapx.errors import UnknownNameError

#: Columns that are derived from a field: the moment at which its period begins, in UTC.
DERIVED = {"lastmod_utc": "lastmod"}


def field_of(column: str) -> str:
    """Return the field that a column is made of: its own, unless it is derived."""
    return DERIVED.get(column, column)


def all_columns(fields: Iterable[str]) -> tuple[str, ...]:
    """
    Return the columns of a table with these fields: each derived one stands after its field.

    >>> all_columns(["loc", "lastmod", "priority"])
    ('loc', 'lastmod', 'lastmod_utc', 'priority')

    """
    derived = {field: column for column, field in DERIVED.items()}
    return tuple(name for field in fields for name in (field, *filter(None, [derived.get(field)])))


def refuse_unknown(columns: Iterable[str], known: Sequence[str]) -> None:
    """
    Refuse names of columns that no table has.

    Raises:
        UnknownNameError: If one is not known.

    """
    for name in columns:
        if name not in known:
            raise UnknownNameError("column", name, known)
