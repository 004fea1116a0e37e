"""Values in Python as arrays: texts and numbers, lists of them, models with fields."""

from collections.abc import Callable, Sequence
from itertools import accumulate, chain
from operator import attrgetter
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from sitemapx.convert.values.urllist import UriList

__all__ = ["OnLost", "array_of"]

#: Called with a value that has no place in a column, which is left empty there.
OnLost = Callable[[object], object]
_INT_MIN, _INT_MAX = -(2**63), 2**63 - 1


def array_of(values: Sequence[Any], datatype: pa.DataType, on_lost: OnLost) -> pa.Array:
    """
    Return values as an array; None and empty tuples are null.

    Args:
        values: Values of the type from which `datatype` was made.
        on_lost: Called with each value that the type cannot hold, which becomes null.

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
    except UnicodeEncodeError:  # half a surrogate pair, which only JSON can have
        return pa.array(map(_encodable, values), datatype)
    except OverflowError:
        return pa.array([_fitting(value, on_lost) for value in values], datatype)


def _lines(uris: UriList) -> pa.Array:
    """Split the lines of URLs without making texts in Python of them."""
    lines = pc.call_function("split_pattern", [pa.scalar(uris.lines)], pc.SplitPatternOptions("\n"))
    return lines.values.slice(0, len(uris))


def _encodable(text: str | None) -> bytes | None:
    return None if text is None else text.encode("utf-8", "replace")


def _fitting(number: int | None, on_lost: OnLost) -> int | None:
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
