"""
The quick reading of items of which nothing is to be reported.

An item in which anything is out of the ordinary is irregular: the careful reader reads it instead
(see `items`). So does it with the first item that has an element of some name, and reports what is
wrong with that name; from then on, the name is known here.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from sitemapx.convert.formats.outlines import Located, Outline
from sitemapx.convert.formats.sitemap.vocabulary import EXTRA, LINK, MOBILE, Element
from sitemapx.convert.model.entry import Alternate, Entry, Model
from sitemapx.convert.values import datatypes
from sitemapx.convert.xml.elements import as_document
from sitemapx.convert.xml.parsers import XmlElement

_LOC = Entry.__struct_fields__.index("loc")
_LINK_FIELDS = {name: index for index, name in enumerate(Alternate.__struct_fields__)}
_HREF, _REL = _LINK_FIELDS["href"], _LINK_FIELDS["rel"]
_usual_url = datatypes.URL.usual
_MOST_NAMES = 1000

#: Makes the value of an element; may put more values into the row of its parent.
_Read = Callable[[XmlElement, list[Any]], Any]


class IrregularError(Exception):
    """There may be something to report in an element."""


class _Fields:
    """
    Where the values of an element's children go: into the fields of its model.

    Attributes:
        empty: A row of the model's fields without values.
        texts: For children with just a text, by their tags: the index of the field, and what makes
            the value of the text.
        others: For all other children: the index, what makes the value of the element, and how
            often it may stand; None for no limit.

    """

    def __init__(self, model: type[Model]) -> None:
        self.names = model.__struct_fields__
        self.empty = [getattr(model(), name) for name in self.names]
        self.texts: dict[str, tuple[int, Callable[[str], Any]]] = {}
        self.others: dict[str, tuple[int, _Read, int | None]] = {}

    def add(self, tag: str, element: Element) -> None:
        """Add a child that has this tag."""
        index = self.names.index(element.field)
        if element.kind and element.most == 1 and not element.attributes:
            self.texts[tag] = index, element.kind.usual
        else:
            self.others[tag] = index, self._reader_of(element, tag), element.most

    def _reader_of(self, element: Element, tag: str) -> _Read:
        if element in _SPECIAL:
            return _SPECIAL[element]
        if element.kind is None:
            return _ModelReader(element, tag[: tag.rfind("}") + 1]).read
        return _TextReader(element, self.names).read

    def fill(self, row: list[Any], node: XmlElement, *, ignores_attributes: bool = False) -> None:
        """
        Put the values of an element's children into a row.

        Args:
            ignores_attributes: Whether attributes of children with a text mean nothing.

        """
        texts = self.texts
        repeated: list[int] = []
        for child in node:
            tag: Any = child.tag
            if tag in texts:
                index, usual = texts[tag]
                if len(child) or (child.attrib and not ignores_attributes):
                    raise IrregularError
                if text := child.text:
                    value = usual(text)
                    if value is None or row[index] is not None:
                        raise IrregularError
                    if value != "":
                        row[index] = value
                continue
            index, read, most = self.others.get(tag) or self._unknown(tag)
            value = read(child, row)
            if values := row[index]:
                if most == 1 or len(values) + 1 == most:  # as one more is
                    raise IrregularError
                values.append(value)
            elif most == 1:
                row[index] = value
            else:
                row[index] = [value]
                repeated.append(index)
        for index in repeated:
            row[index] = tuple(row[index])

    def _unknown(self, tag: str) -> tuple[int, _Read, int | None]:
        raise IrregularError


class QuickReader(_Fields):
    """
    Makes entries of the items of a document.

    Args:
        meaning: Returns the element of the vocabulary that a tag means; None for a tag that the
            careful reader has not seen yet, or reports each time.

    """

    def __init__(self, meaning: Callable[[str], Element | None]) -> None:
        super().__init__(Entry)
        self._meaning = meaning

    def entry(self, item: XmlElement) -> Entry | None:
        """Make an entry of an item; None if it is irregular."""
        row = self.empty.copy()
        try:
            self.fill(row, item, ignores_attributes=True)
        except IrregularError:
            return None
        return Entry(*row) if row[_LOC] else None

    def outline(self, tags: Sequence[str]) -> Outline | None:
        """Return what it means that an item has children with these tags; None if irregular."""
        elements = [self._meaning(tag) for tag in tags]
        fields = Counter(element.field for element in elements if element)
        single = (element.field for element in elements if element and element.most == 1)
        if None in elements or fields["loc"] != 1 or any(fields[name] > 1 for name in single):
            return None
        at = next(at for at, element in enumerate(elements) if element and element.field == "loc")
        return partial(_located, at, frozenset(fields) - {"loc"})

    def _unknown(self, tag: str) -> tuple[int, _Read, int | None]:
        """Find out what a tag means; an element with just a text is read from the next item on."""
        if element := self._meaning(tag):
            if len(self.others) > _MOST_NAMES:  # somebody makes them up
                self.others.clear()
            self.add(tag, element)
            if tag in self.others:
                return self.others[tag]
        raise IrregularError


def _located(index: int, others: frozenset[str], item: XmlElement) -> Located | None:
    """Return the URL in a child of an item; None if there may be something to report."""
    child = item[index]
    text = child.text
    url = _usual_url(text) if text and not len(child) else None
    return (url, others) if url else None


class _ModelReader:
    """Reads an element with other elements in it."""

    def __init__(self, element: Element, namespace: str) -> None:
        assert element.model
        self._model = element.model
        self._fields = _Fields(element.model)
        for child in element.children:
            self._fields.add(f"{namespace}{child.name}", child)
        names = self._fields.names
        self._required = [names.index(one.field) for one in element.children if one.is_required]

    def read(self, node: XmlElement, owner: list[Any]) -> Any:
        row = self._fields.empty.copy()
        self._fields.fill(row, node)
        for index in self._required:
            if row[index] is None:
                raise IrregularError
        return self._model(*row)


class _TextReader:
    """Reads an element with a text and attributes: into a model of its own, or its parent's."""

    def __init__(self, element: Element, names: Sequence[str]) -> None:
        assert element.kind
        self._usual = element.kind.usual
        self._model = element.model
        self._empty: list[Any] = []
        if element.model:
            names = element.model.__struct_fields__
            self._empty = [getattr(element.model(), name) for name in names]
            self._text = names.index(element.text_field)
        self._attributes = {
            one.name: (names.index(one.field), one.kind.usual) for one in element.attributes
        }
        self._required = {one.name for one in element.attributes if one.is_required}

    def read(self, node: XmlElement, owner: list[Any]) -> Any:
        attributes = node.items()
        if len(node) or not self._required.issubset(name for name, _ in attributes):
            raise IrregularError
        row = self._empty.copy() if self._model else owner
        for name, text in attributes:
            if name not in self._attributes:
                raise IrregularError
            index, usual = self._attributes[name]
            if row[index] is not None:  # recovery leaves attributes that are there twice
                raise IrregularError
            row[index] = _usual(usual, text)
        value = _usual(self._usual, node.text)
        if self._model is None:
            return value
        row[self._text] = value
        return self._model(*row)


def _usual(usual: Callable[[str], Any], text: str | None) -> Any:
    value = usual(text or "")
    if value is None or value == "":
        raise IrregularError
    return value


def _extra(node: XmlElement, owner: list[Any]) -> str:
    return as_document(node)


def _mobile(node: XmlElement, owner: list[Any]) -> bool:
    return True


def _link(node: XmlElement, owner: list[Any]) -> Alternate:
    row: list[Any] = [None] * len(_LINK_FIELDS)
    for name, text in node.items():
        if name not in _LINK_FIELDS or not (text := text.strip()):
            raise IrregularError
        row[_LINK_FIELDS[name]] = text
    href, rel = row[_HREF], row[_REL]
    if not (href and rel and (url := _usual_url(href))):
        raise IrregularError
    row[_HREF] = url
    row[_REL] = None if rel == "alternate" or rel.lower() == "alternate" else rel
    return Alternate(*row)


_SPECIAL: dict[Element, _Read] = {EXTRA: _extra, MOBILE: _mobile, LINK: _link}
