"""The patterns of elements of which an item of a feed may have several."""

import re
from collections.abc import Sequence
from functools import partial

from sitemapx.convert.formats.regular.columns import Column, attribute_column, column_of
from sitemapx.convert.formats.regular.models import Groups, Maker, ModelMaker, attribute_of_group
from sitemapx.convert.formats.regular.patterns import IN_TAG, SPACE, VALUE, Pattern
from sitemapx.convert.model.entry import Enclosure
from sitemapx.convert.values import datatypes

__all__ = [
    "ADDRESS_AND_NAME",
    "AuthorPattern",
    "EnclosurePattern",
    "PersonPattern",
    "TermPattern",
    "TextPattern",
    "length_column",
]

ADDRESS_AND_NAME = re.compile(r"\S+@\S+\s+\((.+)\)")


def _numbers_of(texts: Sequence[str | None]) -> list[int]:
    """Return the numbers of those that there are."""
    return [number for number, text in enumerate(texts) if text is not None]


def _without_empty(column: Column | None, count: int) -> Column:
    """Make those odd that have no value: an item has only the others."""
    if column is None:
        return Column([None] * count, range(count))
    empty = (row for row, value in enumerate(column.values) if value is None)
    return column._replace(odd={*column.odd, *empty})


class TextPattern(Pattern):
    """
    The pattern of elements with a text, of several names that mean the same.

    The first may have one attribute, which is left out.
    """

    def __init__(self, names: Sequence[str], attribute: str = "") -> None:
        """Compile it for these names, which have their prefixes."""
        super().__init__()
        self._names = names
        self._attribute_name = attribute
        self._groups = 3
        names_pattern = "|".join(map(re.escape, names))
        attributes = rf"(?:[ \t\n]++{attribute}={VALUE}|)" if attribute else "()"
        self._compile(
            rf"<({names_pattern}){attributes}{IN_TAG}>([^<]*+)</\1{IN_TAG}>", self._values
        )

    def _values(self, groups: Groups) -> Column:
        names, attributes, texts = groups
        column = _without_empty(column_of(datatypes.TEXT, texts), len(texts))
        if not self._attribute_name or not (present := _numbers_of(attributes)):
            return column
        lossy = [n for n in present if names[n] == self._names[0]]
        return column._replace(losses={f"<{self._names[0]} {self._attribute_name}>": lossy})


class AuthorPattern(TextPattern):
    """The pattern of authors in RSS, whose names may stand after their addresses."""

    def __init__(self, names: Sequence[str], *, is_wanted: bool) -> None:
        """
        Compile it.

        Args:
            is_wanted: Whether it is told that the addresses are left out.

        """
        super().__init__(names)
        self._is_wanted = is_wanted

    def _values(self, groups: Groups) -> Column:
        column = super()._values(groups)
        values = list(column.values)
        lossy: list[int] = []
        for row, (name, text) in enumerate(zip(groups[0], values, strict=True)):
            if name == "author" and text and (found := ADDRESS_AND_NAME.fullmatch(text)):
                values[row] = found[1]
                lossy.append(row)
        losses = {"email address of author": lossy} if lossy and self._is_wanted else {}
        return column._replace(values=values, losses=losses)


class EnclosurePattern(Pattern):
    """The pattern of files in RSS."""

    def __init__(self) -> None:
        """Compile it."""
        super().__init__()
        attributes: list[str] = []
        makers: dict[str, Maker] = {}
        for field in Enclosure.__struct_fields__:
            pattern, group = self._attribute(field)
            attributes.append(pattern)
            kind = datatypes.URL if field == "url" else datatypes.TEXT
            makers[field] = partial(attribute_of_group, kind, group)
        text = makers["length"]
        makers["length"] = lambda groups: length_column(text(groups))
        inside = rf"(?:[ \t\n]++(?:{'|'.join(attributes)}))*{IN_TAG}"
        closed = rf"<enclosure{inside}(?:/>|>{SPACE}</enclosure{IN_TAG}>)"
        self._compile(closed, ModelMaker(Enclosure, makers, ["url"]).models)


def length_column(column: Column | None) -> Column | None:
    """Make a column of the sizes of files; one that is no number is odd."""
    if column is None:
        return None
    texts = column.values
    are_numbers = [bool(text) and text.isdecimal() and len(text) < 19 for text in texts]
    odd = (n for n, text in enumerate(texts) if text and not are_numbers[n])
    pairs = zip(texts, are_numbers, strict=True)
    values = [int(text) if is_number else None for text, is_number in pairs]
    return Column(values, {*column.odd, *odd})


class TermPattern(Pattern):
    """The pattern of categories in Atom, of which only the terms are kept."""

    def __init__(self) -> None:
        """Compile it."""
        super().__init__()
        attributes = [self._attribute(name) for name in ("term", *_LEFT_OUT)]
        inside = "|".join(pattern for pattern, _ in attributes)
        tag = rf"<category(?:[ \t\n]++(?:{inside}))*{IN_TAG}"
        self._compile(rf"{tag}(?:/>|>{SPACE}</category{IN_TAG}>)", self._values)

    @staticmethod
    def _values(groups: Groups) -> Column:
        terms, *others = groups
        column = _without_empty(attribute_column(datatypes.TEXT, terms), len(terms))
        pairs = zip(_LEFT_OUT, others, strict=True)
        losses = {
            f"<category {name}>": rows for name, values in pairs if (rows := _numbers_of(values))
        }
        return column._replace(losses=losses)


_LEFT_OUT = ("scheme", "label")


class PersonPattern(Pattern):
    """The pattern of authors in Atom, of whom only the names are kept."""

    def __init__(self, *, is_wanted: bool) -> None:
        """
        Compile it.

        Args:
            is_wanted: Whether it is told what is left out.

        """
        super().__init__()
        self._groups = 1 + len(_OF_A_PERSON)
        parts = "|".join(
            rf"(?({n})(?!)){name}>([^<]*+)</{name}{IN_TAG}>"
            for n, name in enumerate(("name", *_OF_A_PERSON), 1)
        )
        inside = rf"{SPACE}(?:<(?:{parts}){SPACE})*(?(1)|(?!))"
        self._is_wanted = is_wanted
        self._compile(rf"<author>{inside}</author{IN_TAG}>", self._values)

    def _values(self, groups: Groups) -> Column:
        names, *others = groups
        column = _without_empty(column_of(datatypes.TEXT, names), len(names))
        if not self._is_wanted:
            return column
        pairs = zip(_OF_A_PERSON, others, strict=True)
        losses = {
            f"<{name}> of an author": _numbers_of(texts) for name, texts in pairs if any(texts)
        }
        return column._replace(losses=losses)


_OF_A_PERSON = ("uri", "email")
