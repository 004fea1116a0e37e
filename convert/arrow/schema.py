"""Schema of tables, derived from the types of fields: https://arrow.apache.org/docs/format/"""

from functools import cache
from types import NoneType
from typing import Any, get_args, get_origin

import msgspec
import pyarrow as pa
from msgspec import Struct

from sitemapx.convert.arrow.columns import DERIVED

MOMENT = pa.timestamp("us", "UTC")
_PRIMITIVES = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}


@cache
def schema_of(model: type[Struct], columns: tuple[str, ...]) -> pa.Schema:
    """Return the schema of a table whose columns are fields of a model, or derived from fields."""
    types = {field.name: field.type for field in msgspec.structs.fields(model)}
    return pa.schema(
        [(name, MOMENT if name in DERIVED else _datatype(types[name])) for name in columns]
    )


def _datatype(annotation: Any) -> pa.DataType:
    """Convert a Python type: a tuple becomes a list, and a model a struct."""
    if annotation in _PRIMITIVES:
        return _PRIMITIVES[annotation]
    if get_origin(annotation) is tuple:
        return pa.list_(_datatype(get_args(annotation)[0]))
    if isinstance(annotation, type) and issubclass(annotation, Struct):
        fields = msgspec.structs.fields(annotation)
        return pa.struct([(field.name, _datatype(field.type)) for field in fields])
    (present,) = (part for part in get_args(annotation) if part is not NoneType)
    return _datatype(present)
