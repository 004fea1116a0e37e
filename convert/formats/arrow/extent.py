"""Size of columns as Python objects, before these are created."""

from typing import NamedTuple, Self

import pyarrow as pa
import pyarrow.compute as pc

#: Bytes of a Python value without its text.
_VALUE = 50


class Extent(NamedTuple):
    """Size of a column: number of values, also in lists and structs, and maximum bytes of text."""

    values: int
    text: int = 0

    @property
    def memory(self) -> int:
        """Approximate memory that the values take as Python objects, in bytes."""
        return self.text + _VALUE * self.values

    def __add__(self, other: object) -> Self:
        assert isinstance(other, Extent)
        return self._replace(values=self.values + other.values, text=self.text + other.text)

    @classmethod
    def measure(cls, array: pa.Array) -> "Extent":
        """Measure an array, or a slice of an array."""
        kind, own = array.type, cls(len(array))
        if pa.types.is_dictionary(kind):
            return own + _measure_chosen(array.dictionary, array.indices)
        if pa.types.is_run_end_encoded(kind):
            start, count = array.find_physical_offset(), array.find_physical_length()
            return own + _times(cls.measure(array.values.slice(start, count)), len(array))
        if pa.types.is_struct(kind):
            return sum(map(cls.measure, array.flatten()), own)
        if isinstance(kind, pa.BaseExtensionType):
            return cls.measure(array.storage)
        if _is_list(kind):
            return own + cls.measure(array.flatten())
        if isinstance(array, pa.StringViewArray | pa.BinaryViewArray):
            return own._replace(text=sum(_view_lengths(array)))
        if _has_length(kind):
            return own._replace(text=_sum(_lengths(array)))
        return own


def is_measurable(kind: pa.DataType) -> bool:
    """
    Return whether `Extent` supports a type.

    List views are not supported, as they may overlap.
    """
    if isinstance(kind, pa.BaseExtensionType):
        return is_measurable(kind.storage_type)
    if pa.types.is_dictionary(kind) or pa.types.is_run_end_encoded(kind):
        return is_measurable(kind.value_type)
    if pa.types.is_struct(kind) or _is_list(kind):
        return all(is_measurable(kind.field(place).type) for place in range(kind.num_fields))
    return not pa.types.is_nested(kind)


def _times(extent: Extent, count: int) -> Extent:
    return Extent(extent.values * count, extent.text * count)


def _lengths(texts: pa.Array) -> pa.Array:
    return pc.call_function("binary_length", [texts])


def _sum(numbers: pa.Array) -> int:
    return pc.call_function("sum", [numbers]).as_py() or 0


def _measure_chosen(values: pa.Array, indices: pa.Array) -> Extent:
    if _has_length(values.type):
        chosen = pc.take(_lengths(values), indices)
        return Extent(0, _sum(chosen))
    return _times(Extent.measure(values), len(indices))


def _is_list(kind: pa.DataType) -> bool:
    return bool(
        pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind)
    )


def _has_length(kind: pa.DataType) -> bool:
    return bool(
        pa.types.is_string(kind)
        or pa.types.is_large_string(kind)
        or pa.types.is_binary(kind)
        or pa.types.is_large_binary(kind)
        or pa.types.is_fixed_size_binary(kind)
    )


def _view_lengths(array: "pa.StringViewArray | pa.BinaryViewArray") -> memoryview:
    """Return the length of each text, the first of the four 32-bit integers of its view."""
    views = memoryview(array.buffers()[1]).cast("B").cast("i")
    return views[4 * array.offset : 4 * (array.offset + len(array)) : 4]
