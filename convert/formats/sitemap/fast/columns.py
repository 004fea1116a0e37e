"""
What makes the columns of a batch, of the texts and attributes of items that are made alike.

All values of a column are looked at together. What is not as it should be raises `OddError`: then
the slow path looks at each, and says what is wrong with it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from typing import Any, NamedTuple, TypeVar

from sitemapx.convert.values import datatypes, w3cdate
from sitemapx.convert.values.datatypes import Datatype
from sitemapx.convert.xml.plain import unescaped, unescaped_urls

__all__ = [
    "ColumnValues",
    "Maker",
    "OddError",
    "attribute_column",
    "constant",
    "structs",
    "text_column",
    "tuples",
]


class OddError(Exception):
    """Something that the slow path has to look at."""


class ColumnValues(NamedTuple):
    """The values of some items of one kind: a column for each text and each attribute."""

    texts: Sequence[Sequence[str]]
    attributes: Sequence[Sequence[str]]


_Found = TypeVar("_Found")
#: Makes the column of a field, or of what a field is made of.
Maker = Callable[[ColumnValues], Sequence[Any]]


def constant(value: object) -> Maker:
    """Make the same of each item."""
    return lambda values: [value] * len(values.texts[0])


def text_column(kind: Datatype, number: str | None) -> Maker:
    """Make values of the texts of this number; none of an element that is but a tag."""
    if number is None:  # <element/>
        return constant(None)
    parse, at = _parser(kind), int(number)
    return lambda values: parse(values.texts[at])


def attribute_column(kind: Datatype, number: int) -> Maker:
    """Make values of the attributes of this number."""
    parse = _parser(kind)

    def make(values: ColumnValues) -> Sequence[Any]:
        texts = values.attributes[number]
        together = "".join(texts)
        if "\n" in together or "\t" in together:  # a parser makes spaces of them
            raise OddError
        return parse(texts)

    return make


def tuples(makers: Sequence[Maker]) -> Maker:
    """Join what may stand several times."""

    def make(values: ColumnValues) -> Sequence[Any]:
        columns = [make(values) for make in makers]
        if any(None in column for column in columns):
            raise OddError
        return list(zip(*columns, strict=True))

    return make


def structs(model: Any, makers: Mapping[str, Maker], needed: frozenset[str]) -> Maker:
    """Make models of columns; each must have a value, and those that are needed in all."""
    names = tuple(makers)
    defaults = {name: getattr(model(), name) for name in model.__struct_fields__}

    def make(values: ColumnValues) -> Sequence[Any]:
        columns = [make(values) for make in makers.values()]
        lacking = {name for name, column in zip(names, columns, strict=True) if None in column}
        if lacking & needed or len(lacking) == len(names):
            raise OddError
        by_name = dict(zip(names, columns, strict=True))
        for name in lacking:
            if (default := defaults[name]) is not None:
                by_name[name] = [default if value is None else value for value in by_name[name]]
        order = [by_name.get(name) or repeat(default) for name, default in defaults.items()]
        return list(map(model, *order))

    return make


def _parser(kind: Datatype) -> Callable[[Iterable[str]], Sequence[Any]]:
    """Choose how to read a column of texts; one that is empty gives None."""
    if kind is datatypes.TEXT:
        return _plain_texts
    if kind is datatypes.DATE:
        return _dates
    if kind.is_url:
        return _addresses

    def parse(texts: Iterable[str]) -> Sequence[Any]:
        texts = _trimmed(texts)
        values = {text: kind.parse(text, _complain) if text else None for text in set(texts)}
        return [values[text] for text in texts]

    return parse


def _complain(code: str, message: str) -> None:
    raise OddError


def _trimmed(texts: Iterable[str]) -> list[str]:
    """Undo entities, and trim."""
    trimmed = list(map(str.strip, texts))
    together = "\0".join(trimmed)
    if "&" not in together:
        return trimmed
    return list(map(str.strip, _or_odd(unescaped(together)).split("\0")))


def _plain_texts(texts: Iterable[str]) -> Sequence[str | None]:
    trimmed = _trimmed(texts)
    return trimmed if all(trimmed) else [text or None for text in trimmed]


def _dates(texts: Iterable[str]) -> Sequence[str | None]:
    trimmed = _trimmed(texts)
    if not w3cdate.are_w3c(trimmed):
        raise OddError
    return trimmed if all(trimmed) else [text or None for text in trimmed]


def _addresses(texts: Iterable[str]) -> Sequence[str | None]:
    """Read absolute http(s) URLs, or nothing at all."""
    trimmed = list(map(str.strip, texts))
    filled = trimmed if all(trimmed) else [text for text in trimmed if text]
    found = _or_odd(unescaped_urls(filled)) if filled else []
    if len(filled) == len(trimmed):
        return found
    left: Iterator[str] = iter(found)
    return [next(left) if text else None for text in trimmed]


def _or_odd(found: _Found | None) -> _Found:
    if found is None:
        raise OddError
    return found
