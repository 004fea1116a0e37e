"""
Patterns of the elements of an entry, made of the vocabulary, and columns of what they match.

An element may have its children and attributes in any order, each once, or as often as it may
stand. What it has beyond that does not match, and is left to the slow path.
"""

from collections.abc import Sequence
from functools import partial

from sitemapx.convert.formats.regular.columns import (
    Column,
    gathered,
    owners,
)
from sitemapx.convert.formats.regular.models import (
    Groups,
    Maker,
    ModelMaker,
    attribute_of_group,
    text_of_group,
)
from sitemapx.convert.formats.regular.patterns import IN_TAG, SPACE, Pattern, value_like
from sitemapx.convert.formats.sitemap.vocabulary import Attribute, Element
from sitemapx.convert.model.entry import Alternate
from sitemapx.convert.values import datatypes

__all__ = ["ElementPattern", "LinkPattern"]


class LinkPattern(Pattern):
    """The pattern of the links to other versions of a page."""

    def __init__(self, name: str) -> None:
        """
        Compile it.

        Args:
            name: Of the element, with its prefix.

        """
        super().__init__()
        rel, number = self._attribute("rel", value_like("alternate", "alternate"))
        attributes, makers = [rel], {}
        for field, kind in _LINK_ATTRIBUTES.items():
            attribute, group = self._attribute(field)
            attributes.append(attribute)
            makers[field] = partial(attribute_of_group, kind, group)
        inside = rf"(?:[ \t\n]++(?:{'|'.join(attributes)}))*+(?({number})|(?!)){IN_TAG}"
        closed = rf"<{name}{inside}(?:/>|>{SPACE}</{name}{IN_TAG}>)"
        self._compile(closed, ModelMaker(Alternate, makers, ["href"]).models)


_LINK_ATTRIBUTES = {
    "hreflang": datatypes.TEXT,
    "href": datatypes.URL,
    "media": datatypes.TEXT,
    "type": datatypes.TEXT,
    "title": datatypes.TEXT,
}


class ElementPattern(Pattern):
    """The pattern of an element of the vocabulary."""

    def __init__(self, element: Element, prefix: str, *, in_order: bool = False) -> None:
        """
        Compile it.

        Args:
            prefix: Of its namespace in this document, with the colon.
            in_order: Whether children match in the order of the schema only.

        """
        super().__init__()
        self._prefix = prefix
        self._in_order = in_order
        if element.kind is not None:
            makers: dict[str, Maker] = {}
            pattern = self._text(element, makers)
            self._compile(f"<{prefix}{pattern}", makers[element.field])
            return
        inner = self._group() if any(child.most != 1 for child in element.children) else 0
        content, makers, required = self._children(element, inner)
        content = f"({content})" if inner else content
        name = f"{prefix}{element.name}"
        assert element.model
        make = ModelMaker(element.model, makers, required).models
        checked = {
            child.field: makers[child.field]
            for child in element.children
            if child.is_required or child.most != 1 or not _is_only_text(child)
        }
        check = ModelMaker(element.model, checked, required).models
        self._compile(f"<{name}{IN_TAG}>{content}</{name}{IN_TAG}>", make, check)

    def _children(
        self, element: Element, inner: int = 0
    ) -> tuple[str, dict[str, Maker], frozenset[str]]:
        """
        Make the pattern of all children of an element.

        Args:
            inner: The group of all that is in the element, if some may stand several times.

        Returns:
            The pattern, what makes the columns of their fields, and which of these are required.

        """
        makers: dict[str, Maker] = {}
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
        begin = f"<{self._prefix}"
        if self._in_order:
            content = SPACE + "".join(f"(?:{begin}{child}{SPACE})*+" for child in children)
        else:
            content = rf"{SPACE}(?:{begin}(?:{'|'.join(children)}){SPACE})*+"
        return content, makers, required

    def _nested(self, element: Element, makers: dict[str, Maker]) -> str:
        """Make the pattern of an element with elements in it, in another one."""
        number, name = self._group(), element.name
        content, own, required = self._children(element)
        assert element.model
        makers[element.field] = ModelMaker(element.model, own, required, number).column
        return rf"{name}{IN_TAG}>(?({number})(?!))(){content}</{self._prefix}{name}{IN_TAG}>"

    def _text(self, element: Element, makers: dict[str, Maker]) -> str:
        """Make the pattern of an element with a text."""
        own: dict[str, Maker] = {}
        attributes = self._attributes(element.attributes, own)
        number, name = self._group(), element.name
        assert element.kind is not None
        own[element.text_field or element.field] = partial(text_of_group, element.kind, number)
        if element.model is not None:
            own = {element.field: ModelMaker(element.model, own).column}
        makers |= own
        end = f"</{self._prefix}{name}{IN_TAG}>"
        return rf"{name}{attributes}{IN_TAG}>(?({number})(?!))([^<]*+){end}"

    def _attributes(self, attributes: Sequence[Attribute], makers: dict[str, Maker]) -> str:
        patterns: list[str] = []
        required = ""
        for attribute in attributes:
            pattern, number = self._attribute(attribute.name)
            patterns.append(pattern)
            makers[attribute.field] = partial(attribute_of_group, attribute.kind, number)
            required += f"(?({number})|(?!))" if attribute.is_required else ""
        return rf"(?:[ \t\n]++(?:{'|'.join(patterns)}))*{required}" if patterns else ""


def _is_only_text(element: Element) -> bool:
    """Return whether nothing can be wrong with an element of this kind."""
    kinds = [element.kind, *(attribute.kind for attribute in element.attributes)]
    return all(kind is datatypes.TEXT for kind in kinds)


def _several(pattern: ElementPattern, end: str, most: int | None, group: int) -> Maker:
    """Make tuples of the elements that match a pattern in the texts of a group."""

    def make(groups: Groups) -> Column | None:
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
        odd = {*owners([*taken.odd, *empty], counts), *too_many}
        return Column(gathered(values, counts), odd)

    return make
