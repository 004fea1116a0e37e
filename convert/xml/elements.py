"""Values and serialization of XML elements, including foreign elements."""

import re
from collections.abc import Callable
from copy import deepcopy
from functools import lru_cache
from typing import NamedTuple

from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.values import relative, urls
from sitemapx.convert.values.datatypes import OnProblem
from sitemapx.convert.xml.namespaces import (
    SITEMAP,
    is_unknown_variant,
    prefix_of,
    right_namespace,
)
from sitemapx.convert.xml.parsers import XmlElement, parse
from sitemapx.patterns import lazy_pattern

MARKUP_IN_URL = "markup inside URL"


def line_of(element: XmlElement, line_offset: int) -> int | None:
    line = element.sourceline
    return None if line is None else line + line_offset


def text_of(element: XmlElement) -> str:
    if len(element):
        return "".join(element.itertext()).strip()
    return (element.text or "").strip()


def inner_markup(element: XmlElement, reporter: Reporter) -> str:
    """
    Serialize the content of an element as HTML, without XHTML's `div`.

    `href` and `src` are changed to absolute URLs where `xml:base` applies, also in the element.
    """
    from lxml.etree import tostring

    from sitemapx.convert.html.text import as_html

    if len(element) == 1 and local_name(element[0]) == "div":
        element = element[0]
    for child in element.iterdescendants("*"):
        for name in ("href", "src"):
            if (url := child.get(name)) and (
                base := child.base
            ):  # xml:base is lost outside the feed
                base = urls.join(base, reporter.url) or base
                child.set(name, urls.join(url, base) or url)
    parts = [as_html(element.text or "")]
    parts += (tostring(child, encoding="unicode", with_tail=True) for child in element)
    return _declarations.sub("", "".join(parts)).strip()


_declarations = lazy_pattern(r'\sxmlns(?::\w+)?="[^"]*"|(?<=<)(?:\w+:)|(?<=</)(?:\w+:)')


def split_name(element: XmlElement) -> tuple[str, str]:
    """Return the namespace (or "") and local name; the name may be malformed after recovery."""
    return _split(str(element.tag))


@lru_cache(1000)
def _split(tag: str) -> tuple[str, str]:
    namespace, _, local = tag.rpartition("}")
    return namespace[1:], local


def local_name(element: XmlElement) -> str:
    return split_name(element)[1]


def name_of(element: XmlElement) -> str:
    """Return the name as written in the source, with its prefix."""
    local = local_name(element)
    return f"{element.prefix}:{local}" if element.prefix else local


def resolve_url(
    url: str, element: XmlElement, line_offset: int, reporter: Reporter, otherwise: str = "kept"
) -> str | None:
    """
    Return the absolute form of a URL in an element; None if the URL cannot be resolved.

    `xml:base` is used silently if that suffices. Otherwise, the URL is reported as relative; if the
    URL of the source does not help either, the report contains `otherwise`.
    """
    base = element.base
    found = relative.resolve(url, None) or relative.resolve(url, base)
    if found and re.match(urls.SCHEME, found):
        return found
    base = urls.join(base, reporter.url) if base else reporter.url
    line = line_of(element, line_offset)
    return reporter.absolute(url, base, otherwise=otherwise, line=line)


def as_document(element: XmlElement) -> str:
    """
    Serialize an element as a standalone document that declares only the namespaces in use.

    Variants of known namespaces are corrected. Text after the element is removed from the tree.
    """
    if xml := _canonicalize(element):
        return xml
    from lxml import etree

    alone = deepcopy(element)
    etree.cleanup_namespaces(alone)
    return _correct_namespaces(etree.tostring(alone, encoding="unicode"))


def _canonicalize(element: XmlElement) -> str | None:
    """
    Serialize in exclusive canonical XML (https://www.w3.org/TR/xml-exc-c14n/).

    Returns None if a namespace is not an absolute URI or a name is invalid.
    """
    from lxml import etree

    element.tail = None
    try:
        xml = etree.tostring(element, method="c14n", exclusive=True, with_comments=False)
    except (etree.C14NError, ValueError):
        return None
    return _correct_namespaces(xml.decode())


def _correct_namespaces(xml: str) -> str:
    start, _, rest = xml.partition(">")
    if _declares_right(start) and "xmlns" not in rest:
        return xml
    return _START_TAG.sub(lambda tag: _DECLARATION.sub(_correct_declaration, tag[0]), xml)


@lru_cache
def _declares_right(xml: str) -> bool:
    # cached, as most start tags of a document declare the same namespaces
    return all(_right(uri) == uri for _, uri in _DECLARATION.findall(xml))


def _correct_declaration(declaration: re.Match[str]) -> str:
    return f'{declaration[1]}{_right(declaration[2])}"'


def _right(namespace: str) -> str:
    return (namespace and right_namespace(namespace)) or namespace


_START_TAG = lazy_pattern(r'<[^\s<>/]+(?:\s[^\s=<>]+="[^"<]*")+')
_DECLARATION = lazy_pattern(r'(\sxmlns(?::[^\s=]+)?=")([^"]*)"')


# ---- writing of foreign elements (`extras`), which are unparsed markup

_NAME = re.compile(r"<[^\s/>]+")
#: Canonical XML puts namespaces before attributes.
_DEFAULT = re.compile(r"<[^\s/>]+(?:\sxmlns:[^\s=]+=\"[^\"]*\")*\sxmlns=\"")
#: Extension elements of sitemaps that have a field in `Entry`.
_FIELDS = frozenset(
    {("xhtml", "link"), *((name, name) for name in ("image", "video", "news", "mobile"))}
)
#: Number of characters below which markup is cached.
_LONGEST_KEPT = 1000


class _ForeignElement(NamedTuple):
    """
    A foreign element: `markup` is a standalone document, empty for an element that is not written.

    Attributes:
        names: Distinct namespaces and local names of all elements, the root first.
        needs_reset: Whether the element needs `xmlns=""` below a default namespace.

    """

    markup: str
    names: tuple[tuple[str, str], ...] = ()
    needs_reset: bool = False


def foreign_elements(
    extras: tuple[str, ...],
    on_problem: OnProblem,
    *,
    item: str,
    default: str | None = None,
    is_read: Callable[[tuple[str | None, str]], bool] = _FIELDS.__contains__,
    is_extension: Callable[[str, str | None], bool] = lambda name, child: False,
) -> str:
    """
    Serialize the foreign elements of an entry.

    Args:
        extras: Markup of the elements, each as a standalone document.
        on_problem: Called for each skipped element.
        item: Local name of the format's items; foreign elements that contain an item are skipped.
        default: Default namespace of the document; None if there is none.
        is_read: Whether readers map an element (prefix, local name) to another field.
        is_extension: Whether readers map an element in an unknown namespace of Google or
            sitemaps.org to a field, given the names of the element and its first child.

    """
    own = _OwnElements(item, default, is_read, is_extension)
    return "".join([_write_extra(extra, on_problem, own) for extra in extras])


class _OwnElements(NamedTuple):
    """Elements that belong to the format itself; see `foreign_elements` for the arguments."""

    item: str
    default: str | None
    is_read: Callable[[tuple[str | None, str]], bool]
    is_extension: Callable[[str, str | None], bool]

    def belongs(self, namespace: str, local: str) -> bool:
        prefix = prefix_of(namespace)
        is_own = prefix == "" if self.default == SITEMAP else namespace in ("", self.default)
        return is_own or self.is_read((prefix, local))

    def includes(self, parsed: _ForeignElement) -> bool:
        """Return whether a foreign element belongs to the format or contains one of its items."""
        entries = (name for name in parsed.names if name[1].lower() == self.item)
        is_own = any(self.belongs(*name) for name in (parsed.names[0], *entries))
        return is_own or self._is_extension(*parsed.names)

    def _is_extension(self, name: tuple[str, str], *inner: tuple[str, str]) -> bool:
        """Return whether the names of an element and its first child identify an extension."""
        namespace, local = name
        child = inner[0][1] if inner and inner[0][0] == namespace else None
        return is_unknown_variant(namespace) and self.is_extension(local, child)


def _write_extra(extra: str, on_problem: OnProblem, own: _OwnElements) -> str:
    parsed = _parse_recent(extra) if len(extra) < _LONGEST_KEPT else _parse_extra(extra)
    if not parsed.markup:
        message = "it must be one well-formed element that declares its namespaces; skipped"
        on_problem("malformed", f"invalid foreign element {extra[:60]!r}: {message}")
        return ""
    if own.includes(parsed):
        message = "the format uses its name for something else; skipped"
        on_problem("bad-value", f"invalid foreign element {extra[:60]!r}: {message}")
        return ""
    if own.default is None or not parsed.needs_reset:
        return parsed.markup
    return _NAME.sub(r'\g<0> xmlns=""', parsed.markup, count=1)


def _parse_extra(extra: str) -> _ForeignElement:
    try:
        root = parse(extra)
    except ValueError:  # a string with an encoding declaration
        root = None
    if root is None or root.getroottree().docinfo.doctype:
        return _ForeignElement("")
    markup = as_document(root)
    names = tuple(dict.fromkeys(split_name(element) for element in root.iter("*")))
    needs_reset = not _DEFAULT.match(markup) and any(not namespace for namespace, _ in names)
    return _ForeignElement(markup, names, needs_reset)


_parse_recent = lru_cache(1000)(_parse_extra)
