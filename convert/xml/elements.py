"""Make values of XML elements, by the tables of `vocabulary`."""

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
    is_of_publishers,
    prefix_of,
    right_namespace,
)
from sitemapx.convert.xml.parsers import XmlElement, parse
from sitemapx.patterns import lazy_pattern

#: What is said of a URL that has elements in it, or around a part of it.
MARKUP_IN_URL = "markup inside URL"


def line_of(element: XmlElement, offset: int) -> int | None:
    """Return the line of an element in its source."""
    line = element.sourceline
    return None if line is None else line + offset


def text_of(element: XmlElement) -> str:
    """Join all text in an element, trimmed."""
    if len(element):
        return "".join(element.itertext()).strip()
    return (element.text or "").strip()


def inner_markup(element: XmlElement, reporter: Reporter) -> str:
    """Write out the elements in an element, without the `div` that wraps them in Atom."""
    from lxml.etree import tostring

    from sitemapx.convert.html.text import as_html

    if len(element) == 1 and local_name(element[0]) == "div":
        element = element[0]
    for child in element.iterdescendants("*"):
        for name in ("href", "src"):
            if (url := child.get(name)) and (base := child.base):  # which is lost with the feed
                base = urls.join(base, reporter.url) or base
                child.set(name, urls.join(url, base) or url)
    parts = [as_html(element.text or "")]
    parts += (tostring(child, encoding="unicode", with_tail=True) for child in element)
    return _declarations.sub("", "".join(parts)).strip()


_declarations = lazy_pattern(r'\sxmlns(?::\w+)?="[^"]*"|(?<=<)(?:\w+:)|(?<=</)(?:\w+:)')


def split_name(element: XmlElement) -> tuple[str, str]:
    """Return the namespace, or the empty string, and the local name; recovery makes odd ones."""
    return _split(str(element.tag))


@lru_cache(1000)
def _split(tag: str) -> tuple[str, str]:
    namespace, _, local = tag.rpartition("}")
    return namespace[1:], local


def local_name(element: XmlElement) -> str:
    """Return the name of an element without its namespace."""
    return split_name(element)[1]


def name_of(element: XmlElement) -> str:
    """Return the name of an element as its source has it, with the prefix."""
    local = local_name(element)
    return f"{element.prefix}:{local}" if element.prefix else local


def resolved(
    url: str, element: XmlElement, offset: int, reporter: Reporter, otherwise: str = "kept"
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
    found = relative.resolve(url, None) or relative.resolve(url, base)
    if found and re.match(urls.SCHEME, found):
        return found
    base = urls.join(base, reporter.url) if base else reporter.url
    line = line_of(element, offset)
    return reporter.absolute(url, base, otherwise=otherwise, line=line)


def as_document(element: XmlElement) -> str:
    """Write an element as a document of its own, with just the namespaces that it uses."""
    if xml := _canonical(element):
        return xml
    from lxml import etree

    alone = deepcopy(element)
    etree.cleanup_namespaces(alone)
    return _with_right_namespaces(etree.tostring(alone, encoding="unicode"))


def _canonical(element: XmlElement) -> str | None:
    """
    Write an element as a document of its own in exclusive canonical XML.

    https://www.w3.org/TR/xml-exc-c14n/

    Returns:
        None if it has namespaces that are no URIs, or names that are none.

    """
    from lxml import etree

    element.tail = None
    try:
        xml = etree.tostring(element, method="c14n", exclusive=True, with_comments=False)
    except (etree.C14NError, ValueError):
        return None
    return _with_right_namespaces(xml.decode())


def _with_right_namespaces(xml: str) -> str:
    """Spell the namespaces that a document declares as they should be."""
    start, _, rest = xml.partition(">")
    if _declares_right(start) and "xmlns" not in rest:
        return xml
    return _START_TAG.sub(lambda tag: _DECLARATION.sub(_respelled, tag[0]), xml)


@lru_cache
def _declares_right(xml: str) -> bool:
    """Return whether all namespaces are spelt as they should be; start tags are often the same."""
    return all(_right(uri) == uri for _, uri in _DECLARATION.findall(xml))


def _respelled(declaration: re.Match[str]) -> str:
    return f'{declaration[1]}{_right(declaration[2])}"'


def _right(namespace: str) -> str:
    return (namespace and right_namespace(namespace)) or namespace


_START_TAG = lazy_pattern(r'<[^\s<>/]+(?:\s[^\s=<>]+="[^"<]*")+')
_DECLARATION = lazy_pattern(r'(\sxmlns(?::[^\s=]+)?=")([^"]*)"')


# ---- foreign elements (`extras`) in what is written, where nobody has parsed them

_NAME = re.compile(r"<[^\s/>]+")
#: Namespaces come before attributes.
_DEFAULT = re.compile(r"<[^\s/>]+(?:\sxmlns:[^\s=]+=\"[^\"]*\")*\sxmlns=\"")
#: Elements of the sitemap family that an entry has a field for.
_FIELDS = frozenset(
    {("xhtml", "link"), *((name, name) for name in ("image", "video", "news", "mobile"))}
)
#: Longer markup is not kept in memory to be recognized when it comes again.
_LONGEST_KEPT = 1000


class _Parsed(NamedTuple):
    """
    An element, ready to be written.

    Attributes:
        markup: As a document of its own; empty if it is not well-formed.
        names: The namespaces and local names in it, beginning with its own.
        needs_reset: Whether elements without a namespace need `xmlns=""` where there is a default.

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
    Write the foreign elements of an entry.

    Args:
        on_problem: Told of those that are skipped.
        item: The name of the entries; no element in a foreign one may be such an entry.
        default: The default namespace of the document; None if there is none.
        is_read: Whether a reader takes an element for something else, by prefix and local name.
        is_extension: Whether it does so in an unknown namespace of Google or sitemaps.org, by the
            names of the element and its first child.

    """
    own = _OwnElements(item, default, is_read, is_extension)
    return "".join([_written(extra, on_problem, own) for extra in extras])


class _OwnElements(NamedTuple):
    """The elements that belong to the format itself."""

    item: str
    default: str | None
    is_read: Callable[[tuple[str | None, str]], bool]
    is_extension: Callable[[str, str | None], bool]

    def has(self, namespace: str, local: str) -> bool:
        """Return whether an element is one of the format, and no foreign one."""
        prefix = prefix_of(namespace)
        is_own = prefix == "" if self.default == SITEMAP else namespace in ("", self.default)
        return is_own or self.is_read((prefix, local))

    def is_in(self, parsed: _Parsed) -> bool:
        """Return whether a foreign element is one of the format, or holds an entry."""
        entries = (name for name in parsed.names if name[1].lower() == self.item)
        is_own = any(self.has(*name) for name in (parsed.names[0], *entries))
        return is_own or self._is_meant(*parsed.names)

    def _is_meant(self, name: tuple[str, str], *inner: tuple[str, str]) -> bool:
        """Return whether an element of an unknown namespace is known by its first child."""
        namespace, local = name
        child = inner[0][1] if inner and inner[0][0] == namespace else None
        return is_of_publishers(namespace) and self.is_extension(local, child)


def _written(extra: str, on_problem: OnProblem, own: _OwnElements) -> str:
    parsed = _recent(extra) if len(extra) < _LONGEST_KEPT else _parsed(extra)
    if not parsed.markup:
        message = "it must be one well-formed element that declares its namespaces; skipped"
        on_problem("malformed", f"invalid foreign element {extra[:60]!r}: {message}")
        return ""
    if own.is_in(parsed):
        message = "the format uses its name for something else; skipped"
        on_problem("bad-value", f"invalid foreign element {extra[:60]!r}: {message}")
        return ""
    if own.default is None or not parsed.needs_reset:
        return parsed.markup
    return _NAME.sub(r'\g<0> xmlns=""', parsed.markup, count=1)


def _parsed(extra: str) -> _Parsed:
    """Parse markup; what holds a DOCTYPE, or more than an element, is not one."""
    try:
        root = parse(extra)
    except ValueError:  # it declares an encoding, and is text
        root = None
    if root is None or root.getroottree().docinfo.doctype:
        return _Parsed("")
    markup = as_document(root)
    names = tuple(dict.fromkeys(split_name(element) for element in root.iter("*")))
    needs_reset = not _DEFAULT.match(markup) and any(not namespace for namespace, _ in names)
    return _Parsed(markup, names, needs_reset)


_recent = lru_cache(1000)(_parsed)
