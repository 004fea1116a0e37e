"""
Accepts entries from callers and plug-ins.

Converts URLs, tuples, mappings and objects with a `loc` to entries, and normalizes dates.
"""

import operator
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, TypeGuard, TypeVar, cast

import msgspec
from msgspec.structs import replace

from sitemapx.convert.arrow.columns import DERIVED
from sitemapx.convert.model.batch import FIELDS, Batch
from sitemapx.convert.model.entry import FIELD_TYPES, Entry, Model, change_urls, unknown_keys
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.values import urls
from sitemapx.convert.values.dates import parse_date
from sitemapx.convert.values.words import clip
from sitemapx.errors import UnknownNameError, UsageError

#: Fields of a tuple, in order: the elements of the protocol.
_TUPLE_FIELDS = FIELDS[:4]
_LISTS = {field.name for field in msgspec.structs.fields(Entry) if field.default == ()}
#: Values of the fields whose values have fields themselves, for messages.
_EXAMPLES = {
    "images": '[{"loc": "https://example.com/a.jpg"}]',
    "videos": '[{"title": "Fog", "content_loc": "https://example.com/a.mp4"}]',
    "news": '{"publication": {"name": "The Example", "language": "en"}, "title": "Fog"}',
    "alternates": '[{"hreflang": "de", "href": "https://example.com/de"}]',
    "enclosures": '[{"url": "https://example.com/a.mp3", "type": "audio/mpeg"}]',
}
#: Types as messages call them.
_KINDS = {
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "True or False",
    "object": "a dict",
    "array": "a list",
}
#: Matches a message of msgspec about the type of a value.
_mismatch = re.compile(r"Expected `(\w+)[^`]*`, got `([^`]+)` - at `\$\.((\w+)[^`]*)`").fullmatch
#: Names of the fields with dates, of an entry and of its videos and news.
_DATES = ("lastmod", "published", "publication_date", "expiration_date")
_M = TypeVar("_M", bound=Model)
#: Maximum length of a row in messages.
_LONGEST = 200
_EXPECTED = "pass entries, dicts, tuples (loc, lastmod, changefreq, priority) or objects with loc"


def to_entry(row: object, base_url: str | None = None) -> Entry:
    """
    Convert a row to an entry.

    Dates become W3C Datetimes, a time without an offset is UTC, None, NaN and NaT are missing
    values, and whitespace around texts is removed.

    Args:
        row: An `Entry`, a URL, a tuple `(loc, lastmod, changefreq, priority)` from which values at
            the end may be missing, a mapping or `sqlite3.Row` with names of fields or of columns of
            `table`, or an object with the attribute `loc`. Images may be given by their URLs alone.
        base_url: URL against which relative URLs are resolved.

    Raises:
        UsageError: If the row is something else, a value has the wrong type, or a field is unknown.

    Examples:
        >>> from datetime import date
        >>> entry = to_entry(("/about", date(2026, 1, 1)), "https://example.com/")
        >>> entry.loc, entry.lastmod
        ('https://example.com/about', '2026-01-01')

    """
    try:
        values = _fields_of(row)
        entry = msgspec.convert(msgspec.to_builtins(values), Entry, strict=False)
    except (TypeError, msgspec.ValidationError) as error:
        message = f"invalid entry {clip(repr(row), _LONGEST)}: {_explain(str(error))}"
        raise UsageError(message) from None
    for name in filter(values.__contains__, _EXAMPLES):
        for key, known in unknown_keys(values[name], FIELD_TYPES[name]):
            raise UnknownNameError(f"field of {name}", key, known)
    if not base_url:
        return entry
    return change_urls(entry, lambda url: urls.join(url, base_url) or url)


def _explain(message: str) -> str:
    """Rewrite a message of msgspec about the type of a value; return other messages unchanged."""
    m = _mismatch(message)
    if not m:
        return message
    expected, found, path, name = m.groups()
    is_date = path.rpartition(".")[2] in _DATES
    wanted = "a date, or text such as '2026-01-01'" if is_date else _KINDS[expected]
    found = {"object": "dict", "array": "list or tuple", "null": "None"}.get(found, found)
    example = f"; pass {name} such as {_EXAMPLES[name]}" if name in _EXAMPLES else ""
    return f"{path}: expected {wanted}, got {found}{example}"


def _fields_of(row: object) -> dict[str, Any]:
    found = dict(_named_values(row))
    if isinstance(key := found.get("id"), int):
        found["id"] = str(key)
    if _is_list(images := found.get("images")):
        found["images"] = [{"loc": part} if isinstance(part, str) else part for part in images]
    return {name: _plain(value) for name, value in found.items() if not _is_missing(value)}


def _named_values(row: Any) -> Mapping[str, Any]:
    if isinstance(row, str):
        return {"loc": row}
    if isinstance(row, Entry):
        return cast("dict[str, Any]", msgspec.to_builtins(row))
    if isinstance(row, Mapping) or hasattr(row, "keys"):  # sqlite3.Row is not a Mapping
        names = row.keys()
        for name in names:
            if name not in FIELDS and name not in DERIVED:
                meant = "loc" if name in ("url", "link", "href") else ""
                raise UnknownNameError("field", str(name), FIELDS, meant=meant)
        return {name: row[name] for name in names if name not in DERIVED}
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
    return value is None or is_nan or type(value).__name__ == "NAType"  # of pandas


def _plain(value: object) -> object:
    """
    Convert a value, and all values inside it, to types that msgspec converts to fields.

    Missing values and whitespace around texts are removed, and arrays of NumPy become lists. Any
    other object becomes text if its class defines `__str__`, even if it can be iterated over, as
    texts that Django translates when they are used. A TypeError is raised for other objects, and
    for bytes.
    """
    if isinstance(value, datetime):
        return (value if value.tzinfo else value.replace(tzinfo=UTC)).isoformat()
    if isinstance(value, str):
        # str() may return a subclass, such as a safe string of Django.
        return str.__str__(value).strip()
    if isinstance(value, float):
        return float(value)  # also of a float of NumPy
    if isinstance(value, int | date | Decimal):
        return value
    if isinstance(value, Model):
        return _plain(msgspec.to_builtins(value))
    if isinstance(value, Mapping):
        return {name: _plain(part) for name, part in value.items() if not _is_missing(part)}
    if _is_list(value):
        return [_plain(part) for part in value]
    if isinstance(value, bytes) or type(value).__str__ is object.__str__:
        raise TypeError(f"{value!r} is neither text, a number nor a date")
    return str(value)


def _is_list(value: object) -> TypeGuard[Iterable[object]]:
    """Return whether a value is a collection or an array of NumPy, not a number of NumPy."""
    is_array = hasattr(value, "tolist") and hasattr(value, "__len__")
    return is_array or isinstance(value, list | tuple | set | frozenset)


def normalize_dates(batches: Iterable[Batch], reporter: Reporter) -> Iterator[Batch]:
    """
    Convert dates to W3C Datetimes, as steps and checks require; drop and report invalid ones.

    Timestamps of SQL, such as `2026-01-01 10:00:00`, are valid, as in other sources.
    """
    for batch in batches:
        entries = [_with_w3c_dates(entry, reporter) for entry in batch.entries]
        yield batch if all(map(operator.is_, entries, batch.entries)) else Batch(entries)


def _with_w3c_dates(entry: Entry, reporter: Reporter) -> Entry:
    def normalized(part: _M) -> _M:
        dates = {name: date for name in _DATES if (date := getattr(part, name, None))}
        changed = {
            name: parsed for name, date in dates.items() if (parsed := _to_w3c(date)) != date
        }
        for name in [name for name, parsed in changed.items() if parsed is None]:
            message = f"{name}: invalid date {dates[name]!r}"
            reporter.problem("bad-date", message, done="; dropped", loc=entry.loc)
        return replace(part, **changed) if changed else part

    entry = normalized(entry)
    videos, news = tuple(map(normalized, entry.videos)), entry.news and normalized(entry.news)
    if (videos, news) != (entry.videos, entry.news):
        entry = replace(entry, videos=videos, news=news)
    return entry


def _to_w3c(value: object) -> str | None:
    """Convert a date to a W3C Datetime; None if it is invalid or its time zone is unknown."""
    unknown: list[str] = []
    date = parse_date(value, unknown.append) if isinstance(value, str) else None
    return None if unknown else date
