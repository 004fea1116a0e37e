"""Make values of XML elements, by the tables of `vocabulary`."""

import re
from collections.abc import Mapping
from copy import deepcopy
from functools import lru_cache
from typing import Any, NamedTuple

from lxml import etree

from sitemapx.convert import kinds, urls
from sitemapx.convert.htmltext import as_html
from sitemapx.convert.kinds import Kind
from sitemapx.convert.namespaces import canonical, prefix_of
from sitemapx.convert.problems import Context
from sitemapx.convert.vocabulary import EXTENSIONS, Element

__all__ = [
    "Place",
    "Shape",
    "as_document",
    "frozen",
    "inner_markup",
    "kind_of",
    "line_of",
    "local_name",
    "name_of",
    "resolved",
    "respelled",
    "shape_of",
    "split_name",
    "text_of",
]


class Place(NamedTuple):
    """Where an item stands, for messages about what is in it."""

    context: Context
    line_offset: int
    loc: str | None

    def problem(self, code: str, message: str, element: etree._Element) -> None:
        """Report what is wrong with this element."""
        line = line_of(element, self.line_offset)
        self.context.problem(code, message, line=line, loc=self.loc, element=element)

    def resolved(self, url: str, code: str, element: etree._Element) -> str:
        """Make a relative address in this element absolute; the code is for who minds it."""
        line = line_of(element, self.line_offset)
        return self.context.resolved(url, code, line=line, loc=self.loc, element=element)


def line_of(element: etree._Element, offset: int) -> int | None:
    """Tell the line of an element in its source."""
    line = element.sourceline
    return None if line is None else line + offset


def text_of(element: etree._Element) -> str:
    """Join all text in an element, trimmed."""
    if len(element):
        return "".join(element.itertext()).strip()
    return (element.text or "").strip()


def inner_markup(element: etree._Element, context: Context) -> str:
    """Write out the elements in an element, without the `div` that wraps them in Atom."""
    if len(element) == 1 and local_name(element[0]) == "div":
        element = element[0]
    for child in element.iterdescendants("*"):
        for name in ("href", "src"):
            if (url := child.get(name)) and (base := child.base):  # which is lost with the feed
                base = urls.resolve(base, context.url) or base
                child.set(name, urls.resolve(url, base) or url)
    parts = [as_html(element.text or "")]
    parts += (etree.tostring(child, encoding="unicode", with_tail=True) for child in element)
    return _declarations.sub("", "".join(parts)).strip()


_declarations = re.compile(r'\sxmlns(?::\w+)?="[^"]*"|(?<=<)(?:\w+:)|(?<=</)(?:\w+:)')


def split_name(element: etree._Element) -> tuple[str, str]:
    """Give the namespace, or the empty string, and the local name; recovery makes odd ones."""
    return _split(str(element.tag))


@lru_cache(1000)
def _split(tag: str) -> tuple[str, str]:
    namespace, _, local = tag.rpartition("}")
    return namespace[1:], local


def local_name(element: etree._Element) -> str:
    """Give the name of an element without its namespace."""
    return split_name(element)[1]


def name_of(element: etree._Element) -> str:
    """Give the name of an element as its source has it, with the prefix."""
    local = local_name(element)
    return f"{element.prefix}:{local}" if element.prefix else local


def resolved(
    url: str, element: etree._Element, offset: int, context: Context, otherwise: str = "kept"
) -> str | None:
    """
    Resolve a URL where it stands: against `xml:base`, and that against the address of the source.

    It is told that a relative URL needed that address.

    Args:
        offset: What to add to the line of the element.
        otherwise: What becomes of a URL for which no address is known.

    Returns:
        None for such a URL.

    """
    base = element.base
    found = urls.resolve(url, None) or urls.resolve(url, base)
    if found and ":" in found.partition("/")[0]:
        return found
    found = urls.resolve(url, urls.resolve(base, context.url) if base else context.url)
    if found:
        said = f"relative URL {url!r} made absolute"
    else:
        said = f"relative URL {url!r} {otherwise}; --source-url makes it absolute"
    context.problem("relative-loc", said, line=line_of(element, offset), loc=found)
    return found


def as_document(element: etree._Element) -> str:
    """Write an element as a document of its own, with just the namespaces that it uses."""
    element.tail = None
    try:
        xml = etree.tostring(element, method="c14n", exclusive=True, with_comments=False)
    except (etree.C14NError, ValueError):  # namespaces that are no URIs, names that are none
        alone = deepcopy(element)
        etree.cleanup_namespaces(alone)
        xml = etree.tostring(alone, encoding="utf-8")
    return _with_right_namespaces(xml.decode())


def _with_right_namespaces(xml: str) -> str:
    """Spell the namespaces that a document declares as they should be."""
    if all(_right(uri) == uri for _, uri in _DECLARATION.findall(xml)):
        return xml
    return _START_TAG.sub(lambda tag: _DECLARATION.sub(_respelled, tag[0]), xml)


def _respelled(declaration: re.Match[str]) -> str:
    return f'{declaration[1]}{_right(declaration[2])}"'


def _right(namespace: str) -> str:
    return (namespace and canonical(namespace)) or namespace


_START_TAG = re.compile(r'<[^\s<>/]+(?:\s[^\s=<>]+="[^"<]*")+')
_DECLARATION = re.compile(r'(\sxmlns(?::[^\s=]+)?=")([^"]*)"')


def shape_of(element: etree._Element) -> Element | None:
    """Find an element of an extension in the vocabulary."""
    namespace, name = split_name(element)
    prefix, parent = prefix_of(namespace), element.getparent()
    if prefix == name and prefix in EXTENSIONS:
        return EXTENSIONS[prefix]
    above = shape_of(parent) if parent is not None else None
    return next((child for child in above.children if child.name == name), None) if above else None


def kind_of(element: etree._Element) -> tuple[Kind | None, bool]:
    """Tell what text an element of a sitemap holds, if known, and whether it may be missing."""
    namespace, name = split_name(element)
    if prefix_of(namespace) == "":
        kind = kinds.URL if name == "loc" else kinds.CORE.get(name.lower())
        return kind, name.lower() in kinds.CORE
    shape = shape_of(element)
    return (shape.kind, not shape.is_required) if shape else (None, False)


def respelled(element: etree._Element) -> str | None:
    """Spell the value of an element as its schema has it; None if not all can be understood."""
    kind, _ = kind_of(element)
    if kind is None or len(element):
        return None
    told: list[str] = []

    def complain(code: str, message: str) -> None:
        told.append(code)

    value = kind.parse((element.text or "").strip(), complain)
    text = None if value is None else kind.format(value, complain)
    return None if told or text == element.text else text


def frozen(fields: dict[str, Any]) -> dict[str, Any]:
    """Make tuples of the lists that were collected."""
    for name, value in fields.items():
        if value.__class__ is list:
            fields[name] = tuple(value)
    return fields


class Shape:
    """How to read one element of the vocabulary, with its children ready to be looked up."""

    def __init__(self, element: Element) -> None:
        self.element = element
        self._children: Mapping[str, Shape] = {
            child.name: Shape(child) for child in element.children
        }

    def read_into(self, fields: dict[str, Any], node: etree._Element, place: Place) -> None:
        """Read this node and put what it says into the fields of its parent."""
        element = self.element
        if element.model is not None:
            value = self._model(node, place)
        else:
            value = self._attributes_and_text(fields, node, place)
        if value is None:
            return
        if element.most == 1:
            if element.field in fields:
                place.problem("repeated", f"another <{element.name}>; left out", node)
            else:
                fields[element.field] = value
            return
        values = fields.setdefault(element.field, [])
        if len(values) == element.most:
            place.problem("too-many", f"more than {element.most:,} <{element.name}>", node)
        values.append(value)

    def _model(self, node: etree._Element, place: Place) -> Any:
        element = self.element
        fields: dict[str, Any] = {}
        if element.kind is not None:
            text = self._attributes_and_text(fields, node, place)
            if text is not None:
                fields[element.text_field] = text
        for child in node.iterchildren("*"):
            name = local_name(child)
            shape = self._children.get(name)
            if shape is None:
                place.problem("unknown-element", f"<{name}> in <{element.name}>; left out", child)
            else:
                shape.read_into(fields, child, place)
        for required in element.children:
            if required.is_required and required.field not in fields:
                place.problem("incomplete", f"<{element.name}> without <{required.name}>", node)
        return element.model(**frozen(fields)) if element.model and fields else None

    def _attributes_and_text(
        self, fields: dict[str, Any], node: etree._Element, place: Place
    ) -> Any:
        """Put the attributes into the fields, and give the value of the text."""
        element = self.element
        known = {attribute.name: attribute for attribute in element.attributes}
        for name, text in node.items():
            attribute = known.pop(str(name), None)
            what = f"{element.name}@{name}"
            if attribute is None:
                if not str(name).startswith("{"):
                    place.problem("unknown-element", f"{what} left out", node)
            elif text.strip():
                value = _parse(attribute.kind, text.strip(), what, node, place)
                if value is not None:
                    fields[attribute.field] = value
        for attribute in known.values():
            if attribute.is_required:
                place.problem("incomplete", f"<{element.name}> without {attribute.name}", node)
        text = text_of(node)
        if not text or element.kind is None:
            return None
        return _parse(element.kind, text, f"<{element.name}>", node, place)


def _parse(kind: Kind, text: str, what: str, node: etree._Element, place: Place) -> Any:
    value = kind.parse(text, lambda code, message: place.problem(code, f"{what}: {message}", node))
    if kind.is_url and value is not None:
        return place.resolved(value, "asset-url", node)
    return value
