"""Converts URLs, tuples, mappings and objects with a `loc` to entries."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec

from sitemapx.convert.model.batch import FIELDS
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.values import urls
from sitemapx.errors import UnknownNameError, UsageError

#: Fields of a tuple, in order: the elements of the protocol.
_TUPLE_FIELDS = FIELDS[:4]
_LISTS = {field.name for field in msgspec.structs.fields(Entry) if field.default == ()}
_EXPECTED = "pass entries, dicts, tuples (loc, lastmod, changefreq, priority) or objects with loc"


def to_entry(row: object, base_url: str | None = None) -> Entry:
    """
    Convert a row to an entry.

    Dates become W3C Datetimes, a time without an offset is UTC, and None, NaN and NaT are missing
    values.

    Args:
        row: An `Entry`, a URL, a tuple `(loc, lastmod, changefreq, priority)` from which values at
            the end may be missing, a mapping with names of fields, or an object with the attribute
            `loc`.
        base_url: URL against which a relative `loc` is resolved.

    Raises:
        UsageError: If the row is something else, or a value has the wrong type.

    Examples:
        >>> from datetime import date
        >>> entry = to_entry(("/about", date(2026, 1, 1)), "https://example.com/")
        >>> entry.loc, entry.lastmod
        ('https://example.com/about', '2026-01-01')

    """
    values = row if isinstance(row, Entry) else _named_values(row)
    if isinstance(values, Entry):
        entry = values
    else:
        found = {name: _plain(value) for name, value in values.items() if not _is_missing(value)}
        if isinstance(key := found.get("id"), int):
            found["id"] = str(key)
        try:
            builtins = msgspec.to_builtins(found, enc_hook=str)
            entry = msgspec.convert(builtins, Entry, strict=False)
        except msgspec.ValidationError as error:
            raise UsageError(f"invalid entry {found!r}: {error}") from None
    if entry.loc and base_url and (absolute := urls.join(entry.loc, base_url)):
        return msgspec.structs.replace(entry, loc=absolute)
    return entry


def _named_values(row: object) -> Mapping[str, Any]:
    if isinstance(row, str):
        return {"loc": row}
    if isinstance(row, Mapping):
        for name in row:
            if name not in FIELDS:
                raise UnknownNameError("field", str(name), FIELDS)
        return row
    if hasattr(row, "loc"):
        values = ((name, getattr(row, name, None)) for name in FIELDS)
        return {name: value for name, value in values if _is_value(name, value)}
    if isinstance(row, tuple | list) and 0 < len(row) <= len(_TUPLE_FIELDS):
        return dict(zip(_TUPLE_FIELDS, row, strict=False))
    raise UsageError(f"{row!r} is not an entry: {_EXPECTED}")


def _is_value(name: str, value: object) -> bool:
    """
    Return whether an attribute of an object can be the value of a field.

    Objects of an ORM have other attributes of the same names: a key such as a number (`id`), a flag
    such as `published`, and managers of related objects, which cannot be iterated over.
    """
    if name == "id":
        return isinstance(value, str)
    if isinstance(value, bool):
        return name == "mobile"
    return name not in _LISTS or isinstance(value, Iterable)


def _is_missing(value: object) -> bool:
    is_nan = isinstance(value, float | datetime) and value != value  # only NaN and NaT
    return value is None or is_nan


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return (value if value.tzinfo else value.replace(tzinfo=UTC)).isoformat()
    return value
