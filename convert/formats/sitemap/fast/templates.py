"""
The fast path for items that are made alike, with whatever extensions: no XML parser for each.

What makes sitemaps writes the same few kinds of items over and over. One of each kind is parsed,
with numbers in place of values; where these end up tells which value of the others goes where. A
block is read here only if that leaves no doubt, and nothing in it is worth a word; any other is
left to the slow path. So this module may be deleted without a change in what comes out.
"""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from lxml import etree

from sitemapx.convert.formats.sitemap.fast.columns import (
    ColumnValues,
    Maker,
    OddError,
    attribute_column,
    constant,
    structs,
    text_column,
    tuples,
)
from sitemapx.convert.formats.sitemap.fast.skeletons import SPACE, Skeletons, numbered, taken_apart
from sitemapx.convert.formats.sitemap.vocabulary import IMAGE, MAX_IMAGES, NEWS, VIDEO, Element
from sitemapx.convert.model.batch import EMPTY, Columns
from sitemapx.convert.model.entry import Alternate
from sitemapx.convert.values import datatypes
from sitemapx.convert.xml.elements import local_name, split_name
from sitemapx.convert.xml.namespaces import NAMESPACES, SITEMAP
from sitemapx.convert.xml.parser import BlockParser

__all__ = ["TemplateReader"]

#: So many kinds of items are known at once; so many new ones in a block are too many.
_MOST, _MOST_NEW = 2000, 50
_EXTENSIONS = {(NAMESPACES[one.name], one.name): one for one in (IMAGE, VIDEO, NEWS)}
_LINK = (NAMESPACES["xhtml"], "link")
_MOBILE = (NAMESPACES["mobile"], "mobile")


class _Template(NamedTuple):
    """A kind of items: how many values one has, and what is made of them."""

    texts: int
    attributes: int
    fields: Mapping[str, Maker]


class TemplateReader:
    """
    Read blocks of items that are made alike.

    Attributes:
        skeletons: Those of the block that was read last.

    """

    def __init__(self, markup: BlockParser) -> None:
        self._markup = markup
        self._end_tag = markup.end_tag
        self._templates: dict[str, _Template] = {}
        self._refused: set[str] = set()
        self.skeletons: frozenset[str] = frozenset()

    def read(self, data: bytes) -> Columns | None:
        """
        Read a block of whole items.

        Returns:
            None if anything in it is for the slow path.

        """
        taken = taken_apart(data, self._end_tag)
        if not taken or not self._know(taken.items):
            return None
        try:
            return self._columns(taken)
        except OddError:
            return None

    def _know(self, items: Sequence[str]) -> bool:
        """Make templates of the kinds that are new; tell whether there is one for each item."""
        known = self._templates
        kinds_of_items = set(items)
        new = kinds_of_items - known.keys()
        if len(new) > _MOST_NEW or new & self._refused:
            return False
        if len(known) + len(self._refused) > _MOST:
            known.clear()
            self._refused.clear()
            new = kinds_of_items
        for skeleton in new:
            if template := self._template(skeleton):
                known[skeleton] = template
            else:
                self._refused.add(skeleton)
        self.skeletons = frozenset(kinds_of_items)
        return kinds_of_items <= known.keys()

    def _template(self, skeleton: str) -> _Template | None:
        """Parse one item of a kind."""
        item = numbered(skeleton, self._end_tag)
        found = self._markup.parsed(item) if item else None
        if found is None:
            return None
        try:
            fields = _fields(found)
        except OddError:
            return None
        return _Template(skeleton.count("<") + 1, skeleton.count('=""'), fields)

    def _columns(self, taken: Skeletons) -> Columns:
        """Make columns: of the items of each kind, then in the order of all."""
        groups: dict[str, list[int]] = {skeleton: [] for skeleton in set(taken.items)}
        for number, skeleton in enumerate(taken.items):
            groups[skeleton].append(number)
        templates = {skeleton: self._templates[skeleton] for skeleton in groups}
        lengths = {skeleton: template.texts for skeleton, template in templates.items()}
        texts = list(accumulate(map(lengths.__getitem__, taken.items), initial=0))
        lengths = {skeleton: template.attributes for skeleton, template in templates.items()}
        attributes = list(accumulate(map(lengths.__getitem__, taken.items), initial=0))
        columns: dict[str, list[Any]] = {}
        for skeleton, numbers in groups.items():
            values = _values(taken, numbers, texts, attributes)
            for name, make in templates[skeleton].fields.items():
                if name not in columns:
                    columns[name] = [EMPTY[name]] * len(taken.items)
                column = columns[name]
                for number, value in zip(numbers, make(values), strict=True):
                    column[number] = value
        locs = columns.pop("loc")
        if None in locs:
            raise OddError
        return Columns(locs, columns)


def _values(
    taken: Skeletons, numbers: Sequence[int], texts: Sequence[int], attributes: Sequence[int]
) -> ColumnValues:
    """Gather the values of some items, whose texts and attributes begin there."""

    def columns(values: Sequence[str], starts: Sequence[int]) -> list[Sequence[str]]:
        rows = [values[starts[number] : starts[number + 1]] for number in numbers]
        return list(zip(*rows, strict=True))

    found = ColumnValues(columns(taken.texts, texts), columns(taken.attributes, attributes))
    if "".join(found.texts[-1]).strip(SPACE):  # between items
        raise OddError
    return found


# ---- from an item with numbers for values to what makes the fields


def _fields(item: etree._Element) -> dict[str, Maker]:
    """
    Tell what makes the fields of an entry.

    Raises:
        OddError: If there is anything that the slow path would report, or knows better.

    """
    if split_name(item)[0] != SITEMAP:
        raise OddError
    found: dict[str, list[Maker]] = {}
    for child in item:
        name = split_name(child)
        if element := _EXTENSIONS.get(name):
            found.setdefault(element.field, []).append(_model(element, child))
        elif name == _LINK:
            found.setdefault("alternates", []).append(_link(child))
        elif name == _MOBILE and "mobile" not in found:
            found["mobile"] = [constant(True)]
        elif name[0] == SITEMAP and name[1] not in found and not len(child):
            found[name[1]] = [_core(name[1], child.text)]
        else:
            raise OddError
    if (
        "loc" not in found
        or len(found.get("news", ())) > 1
        or len(found.get("images", ())) > MAX_IMAGES
    ):
        raise OddError
    return {
        name: tuples(makers) if EMPTY[name] == () else makers[0] for name, makers in found.items()
    }


def _core(name: str, number: str | None) -> Maker:
    if name not in datatypes.CORE and (name != "loc" or not number):
        raise OddError
    return text_column(datatypes.CORE.get(name, datatypes.URL), number)


def _model(element: Element, node: etree._Element) -> Maker:
    """Tell what makes the models of an element."""
    makers: dict[str, Maker] = {}
    several: dict[str, list[Maker]] = {}
    children = {child.name: child for child in element.children}
    if element.kind is not None:
        makers[element.text_field] = text_column(element.kind, node.text)
        makers |= _attributes(element, node)
        children = {}
    elif node.attrib:
        raise OddError
    for node_of_child in node:
        child = children.get(local_name(node_of_child))
        if child is None or split_name(node_of_child)[0] != split_name(node)[0]:
            raise OddError
        if child.most != 1:
            if child.model is None and node_of_child.attrib:
                raise OddError
            several.setdefault(child.field, []).append(_single(child, node_of_child))
        elif child.field in makers:
            raise OddError
        elif child.model is None:
            makers |= _attributes(child, node_of_child)
            makers[child.field] = _single(child, node_of_child)
        else:
            makers[child.field] = _model(child, node_of_child)
    for child in children.values():
        if len(several.get(child.field, ())) > (child.most or 2**31):
            raise OddError
        if child.is_required and child.field not in makers:
            raise OddError
    needed = frozenset(child.field for child in children.values() if child.is_required)
    return structs(
        element.model, makers | {name: tuples(some) for name, some in several.items()}, needed
    )


def _single(element: Element, node: etree._Element) -> Maker:
    if element.model is not None:
        return _model(element, node)
    if len(node) or element.kind is None:
        raise OddError
    return text_column(element.kind, node.text)


def _attributes(element: Element, node: etree._Element) -> dict[str, Maker]:
    known = {attribute.name: attribute for attribute in element.attributes}
    if any(one.is_required and one.name not in node.attrib for one in element.attributes):
        raise OddError
    makers: dict[str, Maker] = {}
    for name, number in node.attrib.items():
        if name not in known:
            raise OddError
        makers[known[name].field] = attribute_column(known[name].kind, int(number))
    return makers


_LINK_KINDS = {
    "hreflang": datatypes.TEXT,
    "href": datatypes.URL,
    "media": datatypes.TEXT,
    "type": datatypes.TEXT,
    "title": datatypes.TEXT,
}


def _link(node: etree._Element) -> Maker:
    """Tell what makes the links to other versions of a page."""
    if len(node) or not {"rel", "href"} <= set(node.attrib) <= {"rel", *_LINK_KINDS}:
        raise OddError
    rel = int(node.attrib["rel"])
    make = structs(
        Alternate,
        {
            str(name): attribute_column(_LINK_KINDS[str(name)], int(number))
            for name, number in node.attrib.items()
            if name != "rel"
        },
        frozenset({"href"}),
    )

    def links(values: ColumnValues) -> Sequence[Any]:
        if set(values.attributes[rel]) != {"alternate"}:
            raise OddError
        return make(values)

    return links
