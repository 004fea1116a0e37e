"""Columns of models, made of the texts that the groups of a pattern have in its matches."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import repeat
from typing import Any

from sitemapx.convert.formats.regular.columns import Column, attribute_column, column_of
from sitemapx.convert.model.base import Model
from sitemapx.convert.values.datatypes import Datatype

__all__ = ["Groups", "Maker", "ModelMaker", "attribute_of_group", "text_of_group"]

#: The texts of each group of a pattern; None where it did not take part in a match.
Groups = Sequence[Sequence[str | None]]
#: Makes a column of them; None if no row has a value.
Maker = Callable[[Groups], Column | None]


def text_of_group(kind: Datatype, group: int, groups: Groups) -> Column | None:
    """Make the column of an element whose texts are those of a group."""
    return column_of(kind, groups[group - 1])


def attribute_of_group(kind: Datatype, group: int, groups: Groups) -> Column | None:
    """Make the column of an attribute whose values are those of a group."""
    return attribute_column(kind, groups[group - 1])


class ModelMaker:
    """A model, and what makes the columns of its fields."""

    def __init__(
        self,
        make: type[Model],
        makers: Mapping[str, Maker],
        required: Collection[str] = (),
        present: int = 0,
    ) -> None:
        """
        Take the fields.

        Args:
            required: Those without which a model is odd.
            present: The group that took part where there is an element; 0 if there is one in each
                row.

        """
        self._make = make
        self._makers = [*makers.items()]
        self._required = required
        self._present = present
        self._empty = make()
        self._defaults = [(name, getattr(self._empty, name)) for name in make.__struct_fields__]

    def models(self, groups: Groups) -> tuple[Iterable[Model], Collection[int]] | None:
        """Make models when they are asked for, and number the odd rows; None if all are empty."""
        found = {name: column for name, make in self._makers if (column := make(groups))}
        rows = len(groups[0])
        odd = {row for column in found.values() for row in column.odd}
        for name in self._required:
            values = found[name].values if name in found else [None] * rows
            if None in values:
                is_there = groups[self._present - 1] if self._present else repeat("")
                pairs = enumerate(zip(values, is_there, strict=False))
                odd.update(n for n, (value, there) in pairs if value is None is not there)
        if not found and not odd:
            return None
        columns = (
            _with_default(found[name].values, default) if name in found else repeat(default, rows)
            for name, default in self._defaults
        )
        return map(self._make, *columns), odd

    def column(self, groups: Groups) -> Column | None:
        """Make a column of models, and of None where there is nothing."""
        if (made := self.models(groups)) is None:
            return None
        models, odd = made
        return Column([None if one == self._empty else one for one in models], odd)


def _with_default(values: Sequence[Any], default: object) -> Sequence[Any]:
    if default is None or None not in values:
        return values
    return [default if value is None else value for value in values]
