"""
Validation by the official schemas: https://www.sitemaps.org/protocol.html#validating

libxml2 judges (see `xsd`), and here its verdicts get the codes of rules. What a reader tells of
an element anyway is not told again.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from copy import deepcopy
from functools import partial
from operator import attrgetter

from lxml import etree

from sitemapx.check.schema.errors import CROWDED, Finder, Refusal, lacking, refusal_of
from sitemapx.check.schema.xsd import schema_of
from sitemapx.convert.formats.sitemap.elements import meant_namespaces
from sitemapx.convert.xml.elements import split_name
from sitemapx.convert.xml.namespaces import is_of_publishers, right_namespace
from sitemapx.convert.xml.parsers import XmlElement

__all__ = ["STOPPED", "Refusals"]

#: Of what is refused for its namespace.
_NAME_KINDS = ("namespace", "SCHEMAV_CVC_ELT_1")
#: So many items are judged at once: libxml2 counts those before each one that it refuses.
_MOST_ITEMS = 1000
#: So many children of an element in an item are judged, for the same reason.
_MOST_CHILDREN = 2000
#: After so many refused elements of a file, the schema judges nothing more of it.
_MOST_REFUSED = 20_000
STOPPED = f"more than {_MOST_REFUSED:,} schema errors: the rest of this file was not validated"


class Refusals:
    """
    The elements that the schema refuses in the blocks of a document, one after the other.

    Attributes:
        count: How many there are, in all blocks so far.

    """

    def __init__(self, root: str) -> None:
        """Take the root of the document, `urlset` or `sitemapindex`."""
        self.count = 0
        self._schema = schema_of(root)
        self._left: dict[XmlElement, tuple[str, str]] = {}
        #: What is refused within an element, and for its namespace.
        self._left_in: dict[XmlElement | str | None, list[XmlElement]] = {}
        self._told: set[str] = set()
        self._namespaces: set[str] = set()

    @property
    def is_full(self) -> bool:
        """Whether so many elements were refused that no more are judged."""
        return self.count > _MOST_REFUSED

    def see(self, root: XmlElement, *, is_start: bool = False) -> None:
        """
        Judge a block, parsed between the start tags around it, as if all names were right.

        Args:
            is_start: Whether it is all before the first item, which is where names are looked at.

        """
        if self.is_full:
            return
        right = _right_names(root)
        if right and not is_start:
            self._see_names(root, right)
        crowded = _crowded(root)
        for element in crowded:
            self._refuse(element, (CROWDED, f"more than {_MOST_CHILDREN:,}"))
        for part, originals in _parts(root, has_crowds=bool(crowded)):
            self._judge(part, originals, right, is_start=is_start)
            if self.is_full:
                break

    def _judge(
        self,
        root: XmlElement,
        originals: Callable[[], Iterable[XmlElement]],
        right: Mapping[str, str],
        *,
        is_start: bool,
    ) -> None:
        """Judge a part; what is refused in it is remembered as the elements that it was made of."""
        judged = _renamed(root, right) if right else root
        if self._schema.validate(judged):
            return
        finder = Finder(judged)
        errors = [(finder.find(one.path or ""), one) for one in self._schema.error_log]
        same = dict(zip(judged.iter("*"), originals(), strict=True))
        for element, error in errors:
            kind = error.type_name, error.message
            if is_start and element is judged and kind[0] == "SCHEMAV_CVC_ELT_1":
                continue
            self._refuse(same[element], kind)

    def _refuse(self, element: XmlElement, kind: tuple[str, str]) -> None:
        """Remember the first reason why an element is refused."""
        if element not in self._left:
            self._left[element] = kind
            self.count += 1
            groups: list[XmlElement | str | None] = [element.getparent()]
            if kind[0] in _NAME_KINDS:
                groups.append(split_name(element)[0])
            for group in groups:
                self._left_in.setdefault(group, []).append(element)

    def _see_names(self, root: XmlElement, wrong: Collection[str]) -> None:
        """Refuse the first element of each namespace that is not written as it should be."""
        for element in root.iter("*"):
            if element.tag not in wrong:
                continue
            namespace = split_name(element)[0]
            if namespace not in self._namespaces:
                self._namespaces.add(namespace)
                self._refuse(element, ("namespace", namespace))

    def take(self, element: XmlElement, code: str) -> bool:
        """
        Return whether this element is refused, or for lack of something what is in it.

        Args:
            code: What the reader found there.

        """
        if not self._left and code != "namespace":
            return False
        elements = [element]
        if code == "namespace":
            namespace = split_name(element)[0]
            elements = self._left_in.pop(namespace, [])
            self._namespaces.add(namespace)
        elif lacking(element):
            elements += self._left_in.pop(element, ())
        found = [self._left.pop(one, None) for one in elements]
        if not self._left:
            self._left_in.clear()
        return any(found)

    def rest(self) -> Iterator[Refusal]:
        """Return what nobody took, and forget the block."""
        for element, (kind, message) in self._left.items():
            refusal = refusal_of(element, kind, message)
            if refusal and self.is_news(refusal.once):
                yield refusal
        self._left.clear()
        self._left_in.clear()

    def is_news(self, once: str | None) -> bool:
        """Return whether this is to be told, now that it was asked for; see `Refusal.once`."""
        is_news = once is None or once not in self._told
        if once is not None:
            self._told.add(once)
        return is_news


def _parts(
    root: XmlElement, *, has_crowds: bool
) -> Iterator[tuple[XmlElement, Callable[[], Iterable[XmlElement]]]]:
    """Return a tree, or copies of its items, each with what lists the elements it was made of."""
    if len(root) <= _MOST_ITEMS and not has_crowds:
        yield root, partial(root.iter, "*")
        return
    own = {root.prefix: split_name(root)[0]} if split_name(root)[0] else {}
    for at in range(0, len(root), _MOST_ITEMS):
        items = root[at : at + _MOST_ITEMS]
        part = etree.Element(root.tag, dict(root.attrib), own)
        part.text = root.text if at == 0 else None
        for item in items:
            _copy(item, part, own)
        yield part, partial(_elements, root, items)


def _copy(element: XmlElement, parent: XmlElement, known: Mapping[str | None, str]) -> None:
    """
    Copy an element into another, without the children that are too many to be judged.

    Args:
        known: The prefixes that are declared there. Others are declared where they are used, since
            libxml2 compares each element with all that are declared around it.

    """
    namespace = split_name(element)[0]
    own = {element.prefix: namespace} if known.get(element.prefix, "") != namespace else None
    copy = etree.SubElement(parent, str(element.tag), dict(element.attrib), own)
    copy.text, copy.tail = element.text, element.tail
    for child in element[:_MOST_CHILDREN]:
        _copy(child, copy, known)


def _crowded(root: XmlElement) -> list[XmlElement]:
    """List the elements in a tree, but its root, of which not all children are judged."""
    return [element for element in root.iterdescendants("*") if len(element) > _MOST_CHILDREN]


def _elements(root: XmlElement, items: list[XmlElement]) -> Iterator[XmlElement]:
    """List a root and all elements of some of its items that are judged."""
    yield root
    for item in items:
        yield from _judged(item)


def _judged(element: XmlElement) -> Iterator[XmlElement]:
    yield element
    for child in element[:_MOST_CHILDREN]:
        yield from _judged(child)


def _right_names(root: XmlElement) -> dict[str, str]:
    """Return the right names for those that are in what is only meant for a namespace."""
    tags = set(map(attrgetter("tag"), root.iter("*")))
    is_known = not any(is_of_publishers(str(tag).rpartition("}")[0][1:]) for tag in tags)
    meant = {} if is_known else meant_namespaces(root.iter("*"))
    return {tag: name for tag in tags if (name := _right_name(str(tag), meant)) != tag}


def _renamed(root: XmlElement, right: Mapping[str, str]) -> XmlElement:
    """Copy a tree with the right names."""
    renamed = deepcopy(root)
    for element in renamed.iter("*"):
        if name := right.get(str(element.tag)):
            element.tag = name
    return renamed


def _right_name(tag: str, meant: Mapping[str, str]) -> str:
    namespace, _, name = tag.rpartition("}")
    right = right_namespace(namespace[1:]) or meant.get(namespace[1:])
    if right is None:
        return tag
    try:
        return etree.QName(right, name).text
    except ValueError:  # recovery leaves names that are none, which nothing can be called
        return tag
