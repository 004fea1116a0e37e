"""The extensions of a sitemap, and which elements belong to none."""

from collections.abc import Callable, Mapping
from functools import lru_cache, partial

from sitemapx.convert.formats.regular.extensions import Extension
from sitemapx.convert.formats.regular.items import MARKS
from sitemapx.convert.formats.regular.patterns import Pattern, TagPattern
from sitemapx.convert.formats.sitemap.fast.patterns import ElementPattern, LinkPattern
from sitemapx.convert.formats.sitemap.vocabulary import EXTENSIONS
from sitemapx.convert.xml.elements import split_name
from sitemapx.convert.xml.namespaces import NAMESPACES, UNDECLARED, prefix_of, right_namespace
from sitemapx.convert.xml.parsers import XmlElement

__all__ = ["extensions_of", "is_foreign"]


def is_foreign(element: XmlElement) -> bool:
    """Return whether an element is of a namespace that has no fields in an entry."""
    return isinstance(element.tag, str) and _is_foreign(split_name(element)[0])


@lru_cache(1000)
def _is_foreign(namespace: str) -> bool:
    if not namespace or namespace.startswith(UNDECLARED):
        return False
    is_right = right_namespace(namespace) in (None, namespace)
    return is_right and prefix_of(namespace) not in ("", "xhtml", "mobile", *EXTENSIONS)


def extensions_of(prefixes: Mapping[str, str], *, in_order: bool) -> list[Extension]:
    """
    List those for which a document declares a prefix, with the right namespace.

    Args:
        in_order: Whether elements in them have to be in the order of the schema.

    """
    marks = iter(MARKS[1:])
    found: list[Extension] = []
    for name in ("xhtml", *EXTENSIONS, "mobile"):  # what is most is taken out first
        for prefix, namespace in prefixes.items():
            if namespace == NAMESPACES[name] and (mark := next(marks, "")):
                start = f"{prefix}:" if prefix else ""
                found.append(_extension(name, start, mark, in_order=in_order))
    return found


def _extension(name: str, prefix: str, mark: str, *, in_order: bool) -> Extension:
    make: Callable[[], Pattern]
    if element := EXTENSIONS.get(name):
        make = partial(ElementPattern, element, prefix, in_order=in_order)
        return Extension(element.field, [f"<{prefix}{name}"], mark, make, most=element.most)
    if name == "mobile":
        tag = f"{prefix}mobile"
        return Extension("mobile", [f"<{tag}"], mark, partial(TagPattern, tag))
    link = f"{prefix}link"
    return Extension("alternates", [f"<{link}"], mark, partial(LinkPattern, link))
