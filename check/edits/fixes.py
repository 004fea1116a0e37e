"""
Fixes of what is found in an item of a sitemap, where there is one right answer.

A fix changes the one element that a finding is about, and nothing it did not name: a value that
can be understood is spelt as the schema has it, one that cannot is left out if it may be missing.
What would say something else afterwards (a country fewer in a list of those that may not see a
video, a date without its time) has no fix.
"""

from collections.abc import Callable, Collection, Mapping
from html import escape
from typing import NamedTuple

from sitemapx.check.edits.tree import Node
from sitemapx.check.edits.urlsyntax import escaped
from sitemapx.check.schema.order import names_of, place_of, rank_of
from sitemapx.convert.formats.sitemap.elements import (
    kind_of,
    meant_namespaces,
    meant_prefix,
    respelled,
    shape_of,
)
from sitemapx.convert.model.batch import EMPTY
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.values import relative, urls
from sitemapx.convert.xml.elements import local_name, split_name
from sitemapx.convert.xml.namespaces import right_namespace
from sitemapx.convert.xml.parsers import XmlElement
from sitemapx.convert.xml.repair.declarations import redeclared

__all__ = ["ItemEdit", "apply_fix", "rightly_named", "says_no_more", "would_fix"]


class ItemEdit(NamedTuple):
    """
    An item that is to be fixed.

    Attributes:
        nodes: Its elements, itself first.
        url: Where the file is published.
        codes: What is to be fixed; nothing else is.
        allows: Returns whether a URL may be spelt in another way.

    """

    nodes: Mapping[XmlElement, Node]
    url: str | None
    codes: Collection[str]
    allows: Callable[[str, str], bool] = lambda old, new: True


def apply_fix(edit: ItemEdit, code: str, element: XmlElement) -> None:
    """Fix an element for what was found there, if that can be done."""
    if code in edit.codes and element in edit.nodes:
        _FIXES[code](edit, element)


def would_fix(code: str, element: XmlElement, url: str | None) -> bool:
    """Return whether the fix for a code changes an element of a file that is published here."""
    if code not in _FIXES:
        return True  # not a fix of an element alone
    if code == "namespace":
        namespace, root = split_name(element)[0], element.getroottree().getroot()
        is_known = bool(namespace and right_namespace(namespace)) or bool(meant_prefix(element))
        return namespace == split_name(root)[0] or is_known
    parent = element.getparent()
    nodes: list[Node] = []
    if _FIXES[code] is _reorder and place_of(element) is None:
        return False  # as with the second one of its name, which is in order
    if _FIXES[code] is _reorder and parent is not None:
        nodes.append(Node(parent))
        for child in parent.iterchildren("*"):
            nodes[0].append(Node(child))
        nodes += nodes[0].children
    else:
        nodes.append(Node(element))
    edit = ItemEdit({node.element: node for node in nodes}, url, _FIXES.keys())
    apply_fix(edit, code, element)
    return any(node.is_changed for node in nodes)


def says_no_more(entry: Entry, first: Entry) -> bool:
    """Return whether an entry can go, because another one has all of its values."""
    return all(
        getattr(entry, name) in (empty, getattr(first, name)) for name, empty in EMPTY.items()
    )


def _silent(code: str, message: str) -> None:
    pass


# ---- fixes


def _drop(edit: ItemEdit, element: XmlElement) -> None:
    """Leave out a value of which nothing can be understood."""
    kind, may_be_missing = kind_of(element)
    text = (element.text or "").strip()
    if kind and may_be_missing and not len(element):
        has_nothing = kind.parse(text, _silent) is None if text else not element.attrib
        edit.nodes[element].is_gone = has_nothing


def _respell(edit: ItemEdit, element: XmlElement) -> None:
    """Write a value as the schema has it, if all of it was understood."""
    if text := respelled(element):
        _write(edit, element, text)


def _reorder(edit: ItemEdit, element: XmlElement) -> None:
    """Put the elements beside this one into the order of the schema, if all are known to it."""
    parent = element.getparent()
    if parent is None or parent not in edit.nodes:
        return
    names, children = names_of(parent), edit.nodes[parent].children
    is_item = shape_of(parent) is None and parent is next(iter(edit.nodes))
    ranks = [rank_of(child.element, names, is_in_item=is_item) for child in children]
    if None not in ranks:
        placed = sorted(enumerate(ranks), key=lambda pair: pair[1] or 0)
        edit.nodes[parent].children = [children[at] for at, _ in placed]


def _clean(edit: ItemEdit, element: XmlElement) -> None:
    """Take the space out of a URL, or put a URL where it belongs."""
    text = urls.clean(element.text or "")
    if local_name(element) == "loc":
        _write(edit, element, text)
    elif urls.is_absolute(text):
        name = f"{element.prefix}:loc" if element.prefix else "loc"
        edit.nodes[element].text = f"<{name}>{escape(text, quote=False)}</{name}>".encode()


def _resolve(edit: ItemEdit, element: XmlElement) -> None:
    """Write the whole of a relative URL."""
    kind, _ = kind_of(element)
    found = relative.resolve(urls.clean(element.text or ""), edit.url)
    if kind and kind.is_url and found and urls.is_absolute(found):
        _write(edit, element, found)


def _escape_url(edit: ItemEdit, element: XmlElement) -> None:
    """Escape what no URL may have, if that is all that is wrong with it; in a link, too."""
    is_link = local_name(element) == "link"
    text = urls.clean((element.get("href") if is_link else element.text) or "")
    if uri := escaped(text, edit.codes):
        if is_link:
            _write_link(edit, element, uri)
        elif edit.allows(text, uri):
            _write(edit, element, uri)


def _resolve_link(edit: ItemEdit, element: XmlElement) -> None:
    """Write the whole of a relative address of another version."""
    found = relative.resolve(urls.clean(element.get("href") or ""), edit.url)
    if found and urls.is_absolute(found):
        _write_link(edit, element, found)


def _write_link(edit: ItemEdit, element: XmlElement, url: str) -> None:
    new = escape(url, quote=False).replace('"', "&quot;").encode()
    edit.nodes[element].set_attribute("href", new)


def _rename(edit: ItemEdit, element: XmlElement) -> None:
    """Write the namespaces in an item as they should be."""
    meant = meant_namespaces(edit.nodes)
    for node in edit.nodes.values():
        node.start_tag = rightly_named(node.start_tag, meant)


def rightly_named(data: bytes, meant: Mapping[str, str]) -> bytes:
    """
    Write the namespaces that are known as they should be, and the others without white space.

    Args:
        meant: Those that are known by the elements that they are used for.

    """

    def right(prefix: bytes | None, namespace: str) -> str:
        known = namespace and (right_namespace(namespace) or meant.get(namespace))
        return known or namespace.strip()

    return redeclared(data, right)


def _write(edit: ItemEdit, element: XmlElement, text: str) -> None:
    if not len(element) and text != element.text:
        edit.nodes[element].text = escape(text, quote=False).encode()


_FIXES: dict[str, Callable[[ItemEdit, XmlElement], None]] = {
    **dict.fromkeys(("bad-date", "bad-priority", "bad-changefreq", "bad-duration"), _drop),
    **dict.fromkeys(("bad-rating", "bad-value", "empty-element"), _drop),
    **dict.fromkeys(("date-form", "value-form"), _respell),
    **dict.fromkeys(("wrong-order", "extension-order"), _reorder),
    **dict.fromkeys(("loc-character", "loc-non-ascii", "loc-escape"), _escape_url),
    **dict.fromkeys(("relative-loc", "relative-child", "asset-url"), _resolve),
    "hreflang-url": _resolve_link,
    "mended-loc": _clean,
    "namespace": _rename,
}
