"""
Patterns of the elements of an entry, made of the vocabulary, and columns of what they match.

An element may have its children and attributes in any order, each once, or as often as it may
stand. What it has beyond that does not match, and is left to the slow path.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from itertools import repeat
from typing import Any, NamedTuple

from sitemapx.convert.formats.sitemap.fast.cleaning import GONE
from sitemapx.convert.formats.sitemap.fast.columns import (
    Column,
    attribute_column,
    column_of,
    gathered,
    owners,
)
from sitemapx.convert.formats.sitemap.vocabulary import Attribute, Element
from sitemapx.convert.model.entry import Alternate, Model
from sitemapx.convert.values import datatypes
from sitemapx.convert.values.datatypes import Datatype

__all__ = ["IN_TAG", "SPACE", "ElementPattern", "LinkPattern", "Pattern", "TagPattern", "Taken"]

#: White space between elements, and within tags.
SPACE, IN_TAG = rf"[ \t\n{GONE}]*+", r"[ \t\n]*+"

#: The texts of each group of a pattern; None where it did not take part in a match.
_Groups = Sequence[Sequence[str | None]]
#: Makes a column of them; None if no row has a value.
_Maker = Callable[[_Groups], Column | None]


class Taken(NamedTuple):
    """
    Elements of one kind that were taken out of a text.

    Attributes:
        text: The text, with a mark in the place of each.
        number: How many there are.
        values: What is made of each, when they are asked for.
        odd: The numbers of those that the slow path has to look at.

    """

    text: str
    number: int
    values: Iterable[Any] = ()
    odd: Collection[int] = ()


class Pattern:
    """A pattern that takes all elements of a kind out of a text, and makes values of them."""

    def __init__(self) -> None:
        self._groups = 0

    def _compile(
        self, pattern: str, make: Callable[[_Groups], tuple[Iterable[Any], Collection[int]] | None]
    ) -> None:
        self._split = re.compile(pattern).split
        self._make = make

    def take(self, text: str, mark: str) -> Taken:
        """Put a mark in the place of each of the elements."""
        parts = self._split(text)
        step = self._groups + 1
        number = len(parts) // step
        made = self._make([parts[n::step] for n in range(1, step)]) if number else None
        return Taken(mark.join(parts[::step]), number, *(made or (repeat(None, number), ())))

    def _group(self) -> int:
        self._groups += 1
        return self._groups

    def _attribute(self, name: str, values: str = "\"[^\"]*+\"|'[^']*+'") -> tuple[str, int]:
        number = self._group()
        return f"{name}=(?({number})(?!))({values})", number


class TagPattern(Pattern):
    """The pattern of an element that says something by being there."""

    def __init__(self, name: str) -> None:
        """Compile it for this name, which has its prefix."""
        super().__init__()
        pattern = rf"<{name}{IN_TAG}(?:/()>|>(){SPACE}</{name}{IN_TAG}>)"
        self._groups = 2
        self._compile(pattern, lambda groups: Column([True] * len(groups[0])))


class LinkPattern(Pattern):
    """The pattern of the links to other versions of a page."""

    def __init__(self, name: str) -> None:
        """
        Compile it.

        Args:
            name: Of the element, with its prefix.

        """
        super().__init__()
        rel, number = self._attribute("rel", "\"alternate\"|'alternate'")
        attributes, makers = [rel], {}
        for field, kind in _LINK_ATTRIBUTES.items():
            attribute, group = self._attribute(field)
            attributes.append(attribute)
            makers[field] = partial(_attribute_column, kind, group)
        inside = rf"(?:[ \t\n]++(?:{'|'.join(attributes)}))*(?({number})|(?!)){IN_TAG}"
        closed = rf"<{name}{inside}(?:/>|>{SPACE}</{name}{IN_TAG}>)"
        self._compile(closed, _Model(Alternate, makers, ["href"]).models)


_LINK_ATTRIBUTES = {
    "hreflang": datatypes.TEXT,
    "href": datatypes.URL,
    "media": datatypes.TEXT,
    "type": datatypes.TEXT,
    "title": datatypes.TEXT,
}


class ElementPattern(Pattern):
    """The pattern of an element of the vocabulary."""

    def __init__(self, element: Element, prefix: str) -> None:
        """
        Compile it.

        Args:
            prefix: Of its namespace in this document, with the colon.

        """
        super().__init__()
        self._prefix = prefix
        if element.kind is not None:
            makers: dict[str, _Maker] = {}
            pattern = self._text(element, makers)
            self._compile(f"<{prefix}{pattern}", makers[element.field])
            return
        inner = self._group() if any(child.most != 1 for child in element.children) else 0
        content, makers, required = self._children(element, inner)
        content = f"({content})" if inner else content
        name = f"{prefix}{element.name}"
        assert element.model
        make = _Model(element.model, makers, required).models
        self._compile(f"<{name}{IN_TAG}>{content}</{name}{IN_TAG}>", make)

    def _children(
        self, element: Element, inner: int = 0
    ) -> tuple[str, dict[str, _Maker], frozenset[str]]:
        """
        Make the pattern of all children of an element.

        Args:
            inner: The group of all that is in the element, if some may stand several times.

        Returns:
            The pattern, what makes the columns of their fields, and which of these are required.

        """
        makers: dict[str, _Maker] = {}
        children: list[str] = []
        for child in element.children:
            if child.most != 1:
                end = f"</{self._prefix}{child.name}>"
                children.append(rf"{child.name}(?=[ \t\n>])[^<>]*+>[^<]*+{end}")
                pattern = ElementPattern(child, self._prefix)
                makers[child.field] = _several(pattern, end, child.most, inner)
            elif child.children:
                children.append(self._nested(child, makers))
            else:
                children.append(self._text(child, makers))
        required = frozenset(child.field for child in element.children if child.is_required)
        content = rf"{SPACE}(?:<{self._prefix}(?:{'|'.join(children)}){SPACE})*"
        return content, makers, required

    def _nested(self, element: Element, makers: dict[str, _Maker]) -> str:
        """Make the pattern of an element with elements in it, in another one."""
        number, name = self._group(), element.name
        content, own, required = self._children(element)
        assert element.model
        makers[element.field] = _Model(element.model, own, required, number).column
        return rf"{name}{IN_TAG}>(?({number})(?!))(){content}</{self._prefix}{name}{IN_TAG}>"

    def _text(self, element: Element, makers: dict[str, _Maker]) -> str:
        """Make the pattern of an element with a text."""
        own: dict[str, _Maker] = {}
        attributes = self._attributes(element.attributes, own)
        number, name = self._group(), element.name
        assert element.kind is not None
        own[element.text_field or element.field] = partial(_text_column, element.kind, number)
        if element.model is not None:
            own = {element.field: _Model(element.model, own).column}
        makers |= own
        end = f"</{self._prefix}{name}{IN_TAG}>"
        return rf"{name}{attributes}{IN_TAG}>(?({number})(?!))([^<]*+){end}"

    def _attributes(self, attributes: Sequence[Attribute], makers: dict[str, _Maker]) -> str:
        patterns: list[str] = []
        required = ""
        for attribute in attributes:
            pattern, number = self._attribute(attribute.name)
            patterns.append(pattern)
            makers[attribute.field] = partial(_attribute_column, attribute.kind, number)
            required += f"(?({number})|(?!))" if attribute.is_required else ""
        return rf"(?:[ \t\n]++(?:{'|'.join(patterns)}))*{required}" if patterns else ""


def _text_column(kind: Datatype, group: int, groups: _Groups) -> Column | None:
    return column_of(kind, groups[group - 1])


def _attribute_column(kind: Datatype, group: int, groups: _Groups) -> Column | None:
    return attribute_column(kind, groups[group - 1])


def _several(pattern: ElementPattern, end: str, most: int | None, group: int) -> _Maker:
    """Make tuples of the elements that match a pattern in the texts of a group."""

    def make(groups: _Groups) -> Column | None:
        texts = [text or "" for text in groups[group - 1]]
        counts = [text.count(end) for text in texts]
        if not any(counts):
            return None
        taken = pattern.take("".join(texts), "")
        if taken.number != sum(counts):
            return Column([()] * len(texts), range(len(texts)))
        values = list(taken.values)
        empty = (n for n, value in enumerate(values) if value is None)
        too_many = (n for n, count in enumerate(counts) if most and count > most)
        odd = owners({*taken.odd, *empty}, counts).union(too_many)
        return Column(gathered(values, counts), odd)

    return make


class _Model:
    """A model, and what makes the columns of its fields."""

    def __init__(
        self,
        make: type[Model],
        makers: Mapping[str, _Maker],
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

    def models(self, groups: _Groups) -> tuple[Iterable[Model], Collection[int]] | None:
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

    def column(self, groups: _Groups) -> Column | None:
        """Make a column of models, and of None where there is nothing."""
        if (made := self.models(groups)) is None:
            return None
        models, odd = made
        return Column([None if one == self._empty else one for one in models], odd)


def _with_default(values: Sequence[Any], default: object) -> Sequence[Any]:
    if default is None or None not in values:
        return values
    return [default if value is None else value for value in values]
