"""The schema of tables, made of the types of the fields: https://arrow.apache.org/docs/format/"""

from collections.abc import Sequence
from functools import cache
from types import NoneType
from typing import Any, get_args, get_origin

import msgspec
import pyarrow as pa
from msgspec import Struct

from sitemapx.convert.arrow.columns import DERIVED

#: The type of derived columns.
MOMENT = pa.timestamp("us", "UTC")
_PRIMITIVES = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}


@cache
def schema_of(model: type[Struct], columns: tuple[str, ...]) -> pa.Schema:
    """
    Return the schema of a table.

    Args:
        model: The type of its rows.
        columns: The names of its columns: fields of `model`, or derived ones.

    """
    types = {field.name: field.type for field in msgspec.structs.fields(model)}
    return pa.schema(
        [(name, MOMENT if name in DERIVED else _datatype(types[name])) for name in columns]
    )


def _datatype(annotation: Any) -> pa.DataType:
    """Return the type in Arrow of a type in Python: a tuple is a list, and a model is a struct."""
    if annotation in _PRIMITIVES:
        return _PRIMITIVES[annotation]
    if get_origin(annotation) is tuple:
        return pa.list_(_datatype(get_args(annotation)[0]))
    if isinstance(annotation, type) and issubclass(annotation, Struct):
        return pa.struct(_children(msgspec.structs.fields(annotation)))
    (present,) = (one for one in get_args(annotation) if one is not NoneType)
    return _datatype(present)


def _children(fields: Sequence[msgspec.structs.FieldInfo]) -> list[tuple[str, pa.DataType]]:
    return [(field.name, _datatype(field.type)) for field in fields]
