"""Reads extension elements as described by the vocabulary."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from sitemapx.convert.formats.format import Context
from sitemapx.convert.formats.sitemap.vocabulary import EXTENSIONS, MOBILE, Element
from sitemapx.convert.values import datatypes, zones
from sitemapx.convert.values.datatypes import Datatype
from sitemapx.convert.xml.elements import line_of, local_name, split_name, text_of
from sitemapx.convert.xml.namespaces import NAMESPACES, is_unknown_variant, prefix_of
from sitemapx.convert.xml.parsers import XmlElement


class ElementReporter(NamedTuple):
    """Reports problems of the elements of one item, with their line numbers."""

    context: Context
    line_offset: int
    loc: str | None

    def problem(
        self,
        code: str,
        message: str,
        element: XmlElement,
        *,
        done: str = "",
        quoted: str = "",
    ) -> None:
        self.context.problem(
            code,
            message,
            done=done,
            quoted=quoted,
            line=line_of(element, self.line_offset),
            loc=self.loc,
            element=element,
        )

    def resolve_url(self, url: str, code: str, element: XmlElement) -> str:
        """Return the absolute URL, or `url` if unknown; a check may report `code` if relative."""
        if url.startswith(("https://", "http://")):  # the most frequent case
            return url
        line = line_of(element, self.line_offset)
        return self.context.resolved(url, code, line=line, loc=self.loc, element=element)


def find_prefix(element: XmlElement) -> str | None:
    """
    Return the canonical prefix of the namespace of an element, or None; see `prefix_of`.

    For an unknown namespace of Google or sitemaps.org, the prefix is derived from the names of the
    element and its first child, which identify the extension.
    """
    namespace, name = split_name(element)
    if not is_unknown_variant(namespace):
        return prefix_of(namespace)
    child = next(element.iterchildren("*"), None)
    if child is not None and split_name(child)[0] != namespace:
        return None
    return name if is_extension(name, None if child is None else local_name(child)) else None


def is_extension(name: str, child: str | None) -> bool:
    """Return whether an extension element has this name, and allows this child (None: no child)."""
    if child is None:
        return name == MOBILE.name
    extension = EXTENSIONS.get(name)
    return extension is not None and any(element.name == child for element in extension.children)


def identify_namespaces(elements: Iterable[XmlElement]) -> dict[str, str]:
    """Map the unknown namespaces of elements to the namespaces of the extensions they belong to."""
    return {
        split_name(element)[0]: NAMESPACES[prefix]
        for element in elements
        if is_unknown_variant(split_name(element)[0]) and (prefix := find_prefix(element))
    }


def find_element(element: XmlElement) -> Element | None:
    """Return the vocabulary entry of an extension element; None if it is unknown."""
    name = local_name(element)
    prefix, parent = find_prefix(element), element.getparent()
    if prefix == name and prefix in EXTENSIONS:
        return EXTENSIONS[prefix]
    above = find_element(parent) if parent is not None else None
    return next((child for child in above.children if child.name == name), None) if above else None


def find_datatype(element: XmlElement) -> tuple[Datatype | None, bool]:
    """Return the datatype of a sitemap element, or None, and whether the element is optional."""
    namespace, name = split_name(element)
    if prefix_of(namespace) == "":
        kind = datatypes.URL if name == "loc" else datatypes.CORE.get(name.lower())
        return kind, name.lower() in datatypes.CORE
    found = find_element(element)
    return (found.kind, not found.is_required) if found else (None, False)


def to_schema_form(element: XmlElement) -> str | None:
    """Return the text of an element in its valid form; None if already valid or not understood."""
    kind, _ = find_datatype(element)
    if kind is None or len(element):
        return None
    codes: list[str] = []

    def on_problem(code: str, message: str) -> None:
        codes.append(code)

    value = kind.parse((element.text or "").strip(), on_problem)
    text = None if value is None else kind.format(value, on_problem)
    return None if {*codes} - {"value-format"} or text == element.text else text


def freeze_lists(fields: dict[str, Any]) -> dict[str, Any]:
    """Replace the lists that collect the values of repeated elements with tuples, in place."""
    for name, value in fields.items():
        if value.__class__ is list:
            fields[name] = tuple(value)
    return fields


class VocabularyReader:
    """Reads elements of one kind, with children and attributes, as the vocabulary defines them."""

    def __init__(self, element: Element) -> None:
        self.element = element
        self._children: Mapping[str, VocabularyReader] = {
            child.name: VocabularyReader(child) for child in element.children
        }
        self._required = [child for child in element.children if child.is_required]
        self._attributes = {attribute.name: attribute for attribute in element.attributes}

    def read_into(
        self, fields: dict[str, Any], node: XmlElement, reporter: ElementReporter
    ) -> None:
        """Read an element, and store its value in `fields`, which belong to its parent."""
        element = self.element
        if element.model is not None:
            value = self._model(node, reporter)
        else:
            value = self._attributes_and_text(fields, node, reporter)
        if value is None:
            return
        if element.most == 1:
            if element.field in fields:
                reporter.problem(
                    "repeated-element", f"repeated <{element.name}>", node, done="; dropped"
                )
            else:
                fields[element.field] = value
            return
        values = fields.setdefault(element.field, [])
        if len(values) == element.most:
            reporter.problem("too-many", f"more than {element.most:,} <{element.name}>", node)
        values.append(value)

    def _model(self, node: XmlElement, reporter: ElementReporter) -> Any:
        element = self.element
        fields: dict[str, Any] = {}
        if element.kind is not None:
            text = self._attributes_and_text(fields, node, reporter)
            if text is not None:
                fields[element.text_field] = text
        for child in node.iterchildren("*"):
            name = local_name(child)
            found = self._children.get(name)
            if found is None:
                message = f"unknown element <{name}> in <{element.name}>"
                reporter.problem("unknown-element", message, child, done="; dropped")
            else:
                found.read_into(fields, child, reporter)
        for required in self._required:
            if required.field not in fields:
                reporter.problem(
                    "missing-element", f"<{required.name}> missing in <{element.name}>", node
                )
        return element.model(**freeze_lists(fields)) if element.model and fields else None

    def _attributes_and_text(
        self, fields: dict[str, Any], node: XmlElement, reporter: ElementReporter
    ) -> Any:
        """Store the attributes in `fields`, and return the value of the text, or None."""
        element = self.element
        known = self._attributes.copy()
        for name, text in node.items():
            attribute = known.pop(str(name), None)
            subject = f"{element.name}@{name}"
            if attribute is None:
                if not str(name).startswith("{"):
                    reporter.problem(
                        "unknown-element", f"unknown attribute {subject}", node, done="; dropped"
                    )
            elif text.strip():
                value = _parse(attribute.kind, text.strip(), subject, node, reporter)
                if value is not None:
                    fields[attribute.field] = value
        for attribute in known.values():
            if attribute.is_required:
                reporter.problem(
                    "missing-element",
                    f"attribute {attribute.name} missing on <{element.name}>",
                    node,
                )
        text = text_of(node)
        if not text or element.kind is None:
            return None
        return _parse(element.kind, text, f"<{element.name}>", node, reporter)


def _parse(
    kind: Datatype, text: str, subject: str, node: XmlElement, reporter: ElementReporter
) -> Any:
    def on_problem(code: str, message: str) -> None:
        reporter.problem(code, f"{subject}: {message}", node, done=zones.done_about(code))

    value = kind.parse(text, on_problem)
    if kind.is_url and value is not None:
        return reporter.resolve_url(value, "asset-url", node)
    return value
