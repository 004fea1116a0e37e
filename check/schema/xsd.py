"""
The official schemas, generated for libxml2 as one schema for each root element.

Most elements come from the tables of the reader and the writer, so that they are listed only once.
A test compares the results with those of the official files, which are not part of this package:
https://www.sitemaps.org/protocol.html#validating
"""

from functools import cache
from typing import TYPE_CHECKING, Any

from lxml import etree

from sitemapx.convert.formats.sitemap.vocabulary import IMAGE, LINK_TYPES, NEWS, VIDEO, XML, Element
from sitemapx.convert.values import datatypes
from sitemapx.convert.xml.namespaces import NAMESPACES, SITEMAP

if TYPE_CHECKING:
    from lxml.etree._docloader import _InputDocument

#: Root element -> name of its items, and elements that may follow `loc`.
_ROOTS = {
    "urlset": ("url", datatypes.CORE),
    "sitemapindex": ("sitemap", {"lastmod": datatypes.DATE}),
}
_LOC = (
    '<xs:restriction base="xs:anyURI"><xs:minLength value="12"/>'
    '<xs:maxLength value="2048"/></xs:restriction>'
)
_FOREIGN = (
    '<xs:any namespace="##other" processContents="strict" minOccurs="0" maxOccurs="unbounded"/>'
)
_DIRECTION = (
    '<xs:restriction base="xs:token"><xs:enumeration value="ltr"/><xs:enumeration value="rtl"/>'
    "</xs:restriction>"
)
_MEDIA = (
    r'<xs:restriction base="xs:string"><xs:pattern value="[^,]+(,\s*[^,]+)*"/></xs:restriction>'
)
_LANG = '<xs:attribute name="lang" type="xs:language"/>'
_XML_IMPORT = f'<xs:import namespace="{XML}" schemaLocation="xml"/>'
_XML_LANG = '<xs:attribute ref="xml:lang"/>'
_STRING = datatypes.TEXT.schema


@cache
def schema_of(root: str) -> etree.XMLSchema:
    """Build the schema of documents with this root, `urlset` or `sitemapindex`."""
    item, core = _ROOTS[root]
    inside = _element("loc", _simple(_LOC))
    inside += "".join(_element(name, _simple(kind.schema), least=0) for name, kind in core.items())
    items = _element(item, _sequence(inside + _FOREIGN), most=None)
    prefixes = _EXTENSIONS if root == "urlset" else ()  # the schema of indexes has no extensions
    imports = "".join(
        f'<xs:import namespace="{NAMESPACES[prefix]}" schemaLocation="{prefix}"/>'
        for prefix in prefixes
    )
    parser = etree.XMLParser(no_network=True)
    parser.resolvers.add(_Resolver())
    schema = _schema(SITEMAP, f"{imports}{_declared(root, _sequence(_FOREIGN + items))}")
    return etree.XMLSchema(etree.fromstring(schema, parser))


class _Resolver(etree.Resolver):
    """Resolves the imports of a schema to generated schemas."""

    def resolve(
        self, system_url: str | None, public_id: str | None, context: Any
    ) -> "_InputDocument | None":
        prefix = (system_url or "").rpartition("/")[2]
        if prefix == "xml":
            return self.resolve_string(_schema(XML, _LANG), context)
        return self.resolve_string(_schema(NAMESPACES[prefix], _EXTENSIONS[prefix]), context)


# ---- pieces of schemas: https://www.w3.org/TR/xmlschema-1/


def _schema(namespace: str, body: str) -> str:
    return (
        '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" elementFormDefault="qualified" '
        f'xmlns:own="{namespace}" targetNamespace="{namespace}">{body}</xs:schema>'
    )


def _declared(name: str, content: str) -> str:
    return f'<xs:element name="{name}">{content}</xs:element>'


def _element(name: str, content: str, *, least: int = 1, most: int | None = 1) -> str:
    occurs = f'minOccurs="{least}" maxOccurs="{"unbounded" if most is None else most}"'
    return f'<xs:element name="{name}" {occurs}>{content}</xs:element>'


def _sequence(inside: str, attributes: str = "") -> str:
    return f"<xs:complexType><xs:sequence>{inside}</xs:sequence>{attributes}</xs:complexType>"


def _simple(inside: str) -> str:
    return f"<xs:simpleType>{inside}</xs:simpleType>"


def _attribute(name: str, inside: str, *, is_required: bool = False) -> str:
    use = ' use="required"' * is_required
    return f'<xs:attribute name="{name}"{use}>{_simple(inside)}</xs:attribute>'


def _text(base: str, attributes: str) -> str:
    """Return the definition of an element with text of a named type, and attributes."""
    extension = f'<xs:extension base="{base}">{attributes}</xs:extension>'
    return f"<xs:complexType><xs:simpleContent>{extension}</xs:simpleContent></xs:complexType>"


# ---- the extensions


def _extension(element: Element) -> str:
    """Return the definition of a vocabulary element, followed by the types that it uses."""
    types: dict[str, str] = {}
    return _declared(element.name, _content(element, types)) + "".join(types.values())


def _content(element: Element, types: dict[str, str]) -> str:
    if element.kind is None:
        return _sequence("".join(_child(child, types) for child in element.children))
    if not element.attributes:
        return _simple(element.kind.schema)
    name = f"text-of-{element.name}"
    types[name] = f'<xs:simpleType name="{name}">{element.kind.schema}</xs:simpleType>'
    attributes = (
        _attribute(attribute.name, attribute.kind.schema, is_required=attribute.is_required)
        for attribute in element.attributes
    )
    return _text(f"own:{name}", "".join(attributes))


def _child(element: Element, types: dict[str, str]) -> str:
    content = _content(element, types)
    return _element(element.name, content, least=int(element.is_required), most=element.most)


def _link() -> str:
    attributes = (
        f'<xs:attribute name="{name}" type="xs:{type_}"/>' for name, type_ in LINK_TYPES.items()
    )
    others = _attribute("media", _MEDIA) + _attribute("dir", _DIRECTION) + _XML_LANG
    return _XML_IMPORT + _declared(
        "link", f"<xs:complexType>{''.join(attributes)}{others}</xs:complexType>"
    )


def _pagemap() -> str:
    """Define Google's PageMap: https://support.google.com/programmable-search/answer/1628213"""
    named = _attribute("name", _STRING, is_required=True) + _attribute("value", _STRING)
    values = _element("Attribute", _text("xs:string", named), least=0, most=None)
    typed = _attribute("type", _STRING, is_required=True) + _attribute("id", _STRING)
    source = _attribute("src", datatypes.URL.schema, is_required=True)
    template = _element("Template", f"<xs:complexType>{source}</xs:complexType>", least=0)
    objects = _element("DataObject", _sequence(values, typed), least=0, most=None)
    return _declared("PageMap", _sequence(template + objects))


_EXTENSIONS = {
    "image": _extension(IMAGE),
    "video": _extension(VIDEO),
    "news": _extension(NEWS),
    "xhtml": _link(),
    "mobile": _declared("mobile", "<xs:complexType/>"),
    "pagemap": _pagemap(),
}
