"""
Write foreign elements (`extras`), which may come from anywhere: markup that nobody has parsed.

Each is parsed as one element that stands alone, and serialized again; so what is written is
well-formed, and no extra ends the entry that it is in. What cannot be parsed is skipped and
reported, and so is what a reader would take for an entry, or for a part of one.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from sitemapx.convert.values.datatypes import OnProblem
from sitemapx.convert.xml.elements import as_document, split_name
from sitemapx.convert.xml.namespaces import SITEMAP, prefix_of
from sitemapx.convert.xml.parsers import parse

__all__ = ["foreign_elements"]

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
) -> str:
    """
    Write the foreign elements of an entry.

    Args:
        on_problem: Told of those that are skipped.
        item: The name of the entries; no element in a foreign one may be such an entry.
        default: The default namespace of the document; None if there is none.
        is_read: Whether a reader takes an element for something else, by prefix and local name.

    """
    own = _OwnElements(item, default, is_read)
    return "".join([_written(extra, on_problem, own) for extra in extras])


class _OwnElements(NamedTuple):
    """The elements that belong to the format itself."""

    item: str
    default: str | None
    is_read: Callable[[tuple[str | None, str]], bool]

    def has(self, namespace: str, local: str) -> bool:
        """Return whether an element is one of the format, and no foreign one."""
        prefix = prefix_of(namespace)
        is_own = prefix == "" if self.default == SITEMAP else namespace in ("", self.default)
        return is_own or self.is_read((prefix, local))

    def is_in(self, parsed: _Parsed) -> bool:
        """Return whether a foreign element is one of the format, or holds an entry."""
        entries = (name for name in parsed.names if name[1].lower() == self.item)
        return any(self.has(*name) for name in (parsed.names[0], *entries))


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
