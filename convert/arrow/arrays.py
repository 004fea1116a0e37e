"""Convert Python values to Arrow arrays: scalars, lists, structs and dates."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import cache
from itertools import accumulate, chain
from operator import attrgetter
from types import NoneType
from typing import Any, get_args, get_origin

import msgspec
import pyarrow as pa
import pyarrow.compute as pc
from msgspec import Struct

from sitemapx.convert.arrow.columns import DERIVED
from sitemapx.convert.values.urllist import UriList
from sitemapx.convert.values.w3cdate import moment

_MOMENT = pa.timestamp("us", "UTC")
_PRIMITIVES = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}


@cache
def schema_of(model: type[Struct], columns: tuple[str, ...]) -> pa.Schema:
    """Return the schema of a table with these columns: fields of `model`, or keys of `DERIVED`."""
    types = {field.name: field.type for field in msgspec.structs.fields(model)}
    return pa.schema(
        [(name, _MOMENT if name in DERIVED else _datatype(types[name])) for name in columns]
    )


def _datatype(annotation: Any) -> pa.DataType:
    """Return the Arrow type for an annotation: a list for a tuple, a struct for a model."""
    if annotation in _PRIMITIVES:
        return _PRIMITIVES[annotation]
    if get_origin(annotation) is tuple:
        return pa.list_(_datatype(get_args(annotation)[0]))
    if isinstance(annotation, type) and issubclass(annotation, Struct):
        fields = msgspec.structs.fields(annotation)
        return pa.struct([(field.name, _datatype(field.type)) for field in fields])
    (present,) = (part for part in get_args(annotation) if part is not NoneType)
    return _datatype(present)


#: Called with a value that does not fit into its column.
OnLost = Callable[[object], object]
_INT_MIN, _INT_MAX = -(2**63), 2**63 - 1


def array_of(values: Sequence[Any], datatype: pa.DataType, on_lost: OnLost) -> pa.Array:
    """
    Convert values to an array; None and empty tuples become null.

    An integer that does not fit into 64 bits also becomes null, and is passed to `on_lost`.
    Unpaired surrogates are replaced.
    """
    if pa.types.is_nested(datatype) and not any(values):
        return pa.nulls(len(values), datatype)
    if pa.types.is_list(datatype):
        return _lists(values, datatype, on_lost)
    if pa.types.is_struct(datatype):
        return _structs(values, datatype, on_lost)
    if isinstance(values, UriList):
        return _lines(values)
    try:
        return pa.array(values, datatype)
    except UnicodeEncodeError:  # unpaired surrogates in JSON
        return pa.array(map(_encodable, values), datatype)
    except OverflowError:
        return pa.array([_fit_integer(value, on_lost) for value in values], datatype)


def _lines(uris: UriList) -> pa.Array:
    """Return an array of the URLs; Arrow splits them without creating Python strings."""
    lines = pc.call_function("split_pattern", [pa.scalar(uris.lines)], pc.SplitPatternOptions("\n"))
    return lines.values.slice(0, len(uris))


def _encodable(text: str | None) -> bytes | None:
    return None if text is None else text.encode("utf-8", "replace")


def _fit_integer(number: int | None, on_lost: OnLost) -> int | None:
    if number is None or _INT_MIN <= number <= _INT_MAX:
        return number
    on_lost(number)
    return None


def _lists(values: Sequence[Any], datatype: pa.DataType, on_lost: OnLost) -> pa.Array:
    items = list(chain.from_iterable(values))
    offsets = pa.array(accumulate(map(len, values), initial=0), pa.int32())
    inner = array_of(items, datatype.value_type, on_lost)
    return pa.ListArray.from_arrays(offsets, inner, type=datatype, mask=_mask(values, ()))


def _structs(values: Sequence[Any], datatype: pa.DataType, on_lost: OnLost) -> pa.Array:
    rows = values
    if None in values:
        empty = type(next(value for value in values if value is not None))()
        rows = [empty if value is None else value for value in values]
    fields = list(datatype)
    arrays = [
        array_of(list(map(attrgetter(field.name), rows)), field.type, on_lost) for field in fields
    ]
    mask = _mask(values, None)
    return pa.StructArray.from_arrays(arrays, fields=fields, mask=mask)


def _mask(values: Sequence[Any], empty: object) -> pa.Array | None:
    return pa.array([value == empty for value in values]) if empty in values else None


# ---- W3C Datetimes as points in time

_ENDS = (datetime.min, datetime.max)
#: The length of a date with a day, and without a time.
_DAY = 10
#: Length of a shorter date -> text that completes it.
_MISSING = {4: "-01-01T00:00:00Z", 7: "-01T00:00:00Z"}
_NAIVE = pa.timestamp("us")

_FIRST, _LAST = (pa.scalar(end.replace(tzinfo=UTC), _MOMENT).value for end in _ENDS)


def moments_of(dates: pa.Array) -> pa.Array:
    """
    Convert W3C Datetimes to the start of their periods in UTC; unreadable dates become null.

    >>> starts = moments_of(pa.array(["2024-05", "2024-05-08T10:53:11+02:00", None]))
    >>> [str(start) for start in starts]
    ['2024-05-01 00:00:00+00:00', '2024-05-08 08:53:11+00:00', 'None']
    """
    try:
        moments = _by_arrow(dates)
    except pa.ArrowInvalid:
        return _by_python(dates)
    return moments if _are_in_calendar(moments) else _by_python(dates)


def _by_arrow(dates: pa.Array) -> pa.Array:
    """Parse dates with Arrow, full dates without time separately, as they have no time zone."""
    are_days = pc.call_function("equal", [pc.call_function("binary_length", [dates]), _DAY])
    days = pc.cast(pc.call_function("if_else", [are_days, dates, None]), _NAIVE)
    others = pc.call_function("if_else", [are_days, None, dates])
    return pc.call_function(
        "coalesce", [pc.cast(days, _MOMENT), pc.cast(_complete(others), _MOMENT)]
    )


def _complete(dates: pa.Array) -> pa.Array:
    lengths = pc.call_function("binary_length", [dates])
    distinct: Sequence[int | None] = lengths.unique().to_pylist()
    for length, missing in _MISSING.items():
        if length in distinct:
            is_short = pc.call_function("equal", [lengths, length])
            completed = pc.call_function("binary_join_element_wise", [dates, missing, ""])
            dates = pc.call_function("if_else", [is_short, completed, dates])
    return dates


def _are_in_calendar(moments: pa.Array) -> bool:
    """Return whether all moments are in the years 1 to 9999 after conversion to UTC."""
    ends = pc.call_function("min_max", [moments]).values()
    return all(not end.is_valid or _FIRST <= end.value <= _LAST for end in ends)


def _by_python(dates: pa.Array) -> pa.Array:
    encoded = dates.dictionary_encode()
    moments = pa.array(list(map(_moment, encoded.dictionary.to_pylist())), _MOMENT)
    return moments.take(encoded.indices)


def _moment(date: str) -> datetime | None:
    try:
        return moment(date).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
