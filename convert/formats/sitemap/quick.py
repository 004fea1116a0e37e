"""
Fast reading of items without problems.

All other items are irregular, and left to the full reader, as are the first items with each element
name, so that problems with the name are reported.
"""

from collections.abc import Callable, Sequence
from typing import Any

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

#: Reads the value of an element; may add values to the row of its parent.
_Read = Callable[[XmlElement, list[Any]], Any]


class IrregularError(Exception):
    """Raised if an element may be invalid, so that the full reader has to read its item."""


class _Fields:
    """
    Fields of a model, and the readers that fill them from the children of an element.

    Attributes:
        empty: Row of the model's fields without values.
        texts: Index of the field and converter for each tag of a child with only text.
        others: Index of the field, reader and maximum number (None: unlimited) for each other tag.

    """

    def __init__(self, model: type[Model]) -> None:
        self.names = model.__struct_fields__
        self.empty = [getattr(model(), name) for name in self.names]
        self.texts: dict[str, tuple[int, Callable[[str], Any]]] = {}
        self.others: dict[str, tuple[int, _Read, int | None]] = {}

    def add_child(self, tag: str, element: Element) -> None:
        index = self.names.index(element.field)
        if element.kind and element.most == 1 and not element.attributes:
            self.texts[tag] = index, element.kind.usual
        else:
            self.others[tag] = index, self._make_reader(element, tag), element.most

    def _make_reader(self, element: Element, tag: str) -> _Read:
        if element in _SPECIAL:
            return _SPECIAL[element]
        if element.kind is None:
            return _ModelReader(element, tag[: tag.rfind("}") + 1]).read
        return _TextReader(element, self.names).read

    def fill(self, row: list[Any], node: XmlElement, *, ignores_attributes: bool = False) -> None:
        """
        Read the children of an element into a list of field values.

        Raises `IrregularError` if the full reader has to read the element.
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
            index, read, most = self.others.get(tag) or self._add_tag(tag)
            value = read(child, row)
            if values := row[index]:
                if most == 1 or len(values) + 1 == most:  # the full reader counts from here
                    raise IrregularError
                values.append(value)
            elif most == 1:
                row[index] = value
            else:
                row[index] = [value]
                repeated.append(index)
        for index in repeated:
            row[index] = tuple(row[index])

    def _add_tag(self, tag: str) -> tuple[int, _Read, int | None]:
        raise IrregularError


class QuickReader(_Fields):
    """
    Reads regular items: those without any problem.

    Args:
        meaning: Returns the vocabulary element for a tag; None if the full reader has not read the
            tag yet, or reports each of its elements.

    """

    def __init__(self, meaning: Callable[[str], Element | None]) -> None:
        super().__init__(Entry)
        self._meaning = meaning

    def entry(self, item: XmlElement) -> Entry | None:
        row = self.empty.copy()
        try:
            self.fill(row, item, ignores_attributes=True)
        except IrregularError:
            return None
        return Entry(*row) if row[_LOC] else None

    def _add_tag(self, tag: str) -> tuple[int, _Read, int | None]:
        """
        Add and return the reader for a tag that the full reader has read before.

        Raises `IrregularError` for any other tag, and for an element with only text, which `fill`
        finds in `texts` from the next item on.
        """
        if element := self._meaning(tag):
            if len(self.others) > _MOST_NAMES:  # a document with random names
                self.others.clear()
            self.add_child(tag, element)
            if tag in self.others:
                return self.others[tag]
        raise IrregularError


class _ModelReader:
    """Reads an element with child elements as an object of its model."""

    def __init__(self, element: Element, namespace: str) -> None:
        assert element.model
        self._model = element.model
        self._fields = _Fields(element.model)
        for child in element.children:
            self._fields.add_child(f"{namespace}{child.name}", child)
        names = self._fields.names
        self._required = [
            names.index(child.field) for child in element.children if child.is_required
        ]

    def read(self, node: XmlElement, owner: list[Any]) -> Any:
        row = self._fields.empty.copy()
        self._fields.fill(row, node)
        for index in self._required:
            if row[index] is None:
                raise IrregularError
        return self._model(*row)


class _TextReader:
    """Reads an element with text and attributes, into its own model or the model of its parent."""

    def __init__(self, element: Element, names: Sequence[str]) -> None:
        assert element.kind
        self._convert = element.kind.usual
        self._model = element.model
        self._empty: list[Any] = []
        if element.model:
            names = element.model.__struct_fields__
            self._empty = [getattr(element.model(), name) for name in names]
            self._text = names.index(element.text_field)
        self._attributes = {
            attribute.name: (names.index(attribute.field), attribute.kind.usual)
            for attribute in element.attributes
        }
        self._required = {
            attribute.name for attribute in element.attributes if attribute.is_required
        }

    def read(self, node: XmlElement, owner: list[Any]) -> Any:
        attributes = node.items()
        if len(node) or not self._required.issubset(name for name, _ in attributes):
            raise IrregularError
        row = self._empty.copy() if self._model else owner
        for name, text in attributes:
            if name not in self._attributes:
                raise IrregularError
            index, usual = self._attributes[name]
            if row[index] is not None:  # recovery keeps duplicate attributes
                raise IrregularError
            row[index] = _convert(usual, text)
        value = _convert(self._convert, node.text)
        if self._model is None:
            return value
        row[self._text] = value
        return self._model(*row)


def _convert(usual: Callable[[str], Any], text: str | None) -> Any:
    value = usual(text or "")
    if value is None or value == "":
        raise IrregularError
    return value


def _read_extra(node: XmlElement, owner: list[Any]) -> str:
    return as_document(node)


def _read_mobile(node: XmlElement, owner: list[Any]) -> bool:
    return True


def _read_link(node: XmlElement, owner: list[Any]) -> Alternate:
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


_SPECIAL: dict[Element, _Read] = {EXTRA: _read_extra, MOBILE: _read_mobile, LINK: _read_link}
