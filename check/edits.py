"""
Fixes of single elements, for findings with only one correct fix.

A value that can be parsed is written as the schema requires; an optional value that cannot be
parsed is removed. Nothing is fixed if that would change the meaning (a country removed from the
countries where a video is blocked, or a date without its time).
"""

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from html import escape
from typing import NamedTuple
from urllib.parse import quote

from sitemapx.check.feeds.corrections import CORRECTED, correct
from sitemapx.check.findings import Rule
from sitemapx.check.nodes import Node
from sitemapx.check.schema.errors import ChildOrder
from sitemapx.convert.formats.format import Format
from sitemapx.convert.formats.sitemap.elements import (
    find_datatype,
    find_prefix,
    identify_namespaces,
    to_schema_form,
)
from sitemapx.convert.model.batch import EMPTY
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.values import relative, uris, urls
from sitemapx.convert.values.words import join_words
from sitemapx.convert.xml.elements import local_name, split_name
from sitemapx.convert.xml.namespaces import right_namespace
from sitemapx.convert.xml.parsers import XmlElement
from sitemapx.convert.xml.repair.declarations import replace_namespaces

# ---- fixable files and codes

_FORMATS = ("sitemap", "sitemapindex", "text", "rss", "atom")
#: Codes of URLs that are fixed by escaping.
ESCAPE_CODES = frozenset({"loc-character", "loc-non-ascii", "loc-escape"})
TOO_LARGE = frozenset({"too-many-urls", "too-many-bytes", "news-too-many"})
#: Codes of markup rules. Broken markup hides findings in the values inside it.
MARKUP = frozenset(
    {
        *(
            "namespace",
            "wrong-order",
            "extension-order",
            "unescaped",
            "illegal-character",
            "wrong-encoding",
        ),
        *("not-utf8", "space-before-xml", "doctype"),
    }
)
#: Codes of markup rules whose violations are fixed in feeds, too.
_FEED_MARKUP = MARKUP - {"namespace", "wrong-order", "extension-order", "doctype"}
#: Codes of problems of URL lists that can be fixed; a list cannot be replaced by an index.
_LIST_CODES = ESCAPE_CODES | {"bom", "not-utf8", "wrong-encoding", "duplicate-loc"}
#: Codes that can be fixed only if the public URL of the file is known.
_NEEDS_URL = TOO_LARGE | {"relative-loc", "relative-listed-sitemap", "asset-url", "hreflang-url"}


def is_fixable_file(path: str | None, format: Format | None) -> bool:
    """Return whether the path is a file on disk, in a format that can be fixed."""
    return bool(path and format and format.name in _FORMATS and os.path.isfile(path))


def is_fixable_code(code: str, rule: Rule, format: Format | None, url: str | None) -> bool:
    """Return whether findings of a code can be fixed in a file with this format and public URL."""
    if format and format.family == "feed":
        return code in CORRECTED or code in _FEED_MARKUP
    if not (format and format.roots):
        return code in _LIST_CODES
    if code in CORRECTED:
        return False
    return rule.is_fixable and (bool(url) or code not in _NEEDS_URL)


def fixable_files(code: str) -> str:
    """Describe the kinds of files in which findings of a code can be fixed, for display."""
    if code in CORRECTED:
        return "RSS and Atom feeds"
    kinds = ["sitemaps", "indexes", *["feeds"] * (code in _FEED_MARKUP)]
    return join_words([*kinds, *["URL lists"] * (code in _LIST_CODES)], "and")


# ---- the syntax of URLs: https://www.rfc-editor.org/rfc/rfc3986

#: ASCII characters that RFC 3986 allows nowhere, invisible characters, and brackets outside a host.
_illegal = re.compile(r"[\x00-\x20\x7f<>\"{}|\\^`\xa0\u2000-\u200f\u2028-\u202f\ufeff]").search
_brackets = re.compile(r"^[^/]*//[^/?#]*[/?#].*[\[\]]").match
_bad_escape = re.compile(r"%(?![0-9A-Fa-f]{2})").search
_user = re.compile(r"^[^/]*//[^/?#]*@").match
_host_in = re.compile(r"^[^/]*//(?:[^/?#]*@)?([^/?#]*)").match


def syntax(loc: str) -> Iterator[tuple[str, str]]:
    """Yield code and message of the first error of each kind in a URL."""
    if len(loc) > urls.MAX_LENGTH:
        yield "loc-too-long", f"URL has {len(loc):,} characters (limit {urls.MAX_LENGTH:,})"
    if m := _illegal(loc):
        yield "loc-character", f"illegal character {m[0]!r} in URL, at {_around(loc, m.start())!r}"
    elif _brackets(loc):
        yield "loc-character", "square bracket in URL outside the host"
    if m := _bad_escape(loc):
        yield "loc-escape", f"invalid percent-encoding in URL, at {_around(loc, m.start())!r}"
    if not loc.isascii():
        yield "loc-non-ascii", _unencoded_message(loc)
    if len(loc) <= urls.MAX_LENGTH // 4 and uris.to_uri(loc) is None:
        yield "loc-host", f"invalid host {loc.partition('//')[2].partition('/')[0]!r}"


def _unencoded_message(loc: str) -> str:
    """Describe the first non-ASCII character of a URL, and its escaped form if it can be shown."""
    at = next(n for n, character in enumerate(loc) if not character.isascii())
    if (user := _user(loc)) and at < user.end():
        return "unencoded character in the user name or password"
    m = _host_in(loc)
    if m is None or not m.start(1) <= at < m.end(1):
        return f"unencoded {loc[at]!r} in URL (write {quote(loc[at])})"
    host = urls.hostname(uris.to_uri(m[0]) or "")
    return f"unencoded {loc[at]!r} in host" + (f" (write {host})" if host else "")


def _around(loc: str, at: int) -> str:
    """Return an excerpt of a URL around an offset, without its password."""
    start = m.end() if (m := _user(loc)) else 0
    return loc[max(at - 10, start) : at + 10] if at >= start else urls.without_password(loc[:start])


def escaped(url: str, codes: Collection[str] = ESCAPE_CODES) -> str | None:
    """Escape a URL; None if it has no error, or one that `codes` do not fix."""
    found = {code for code, _ in syntax(url)}
    return uris.to_uri(url) if found and found <= set(codes) else None


# ---- fixes


class ItemEdit(NamedTuple):
    """
    An item to be fixed, and the fixes that are enabled.

    Attributes:
        nodes: The editable node of each element, the item first.
        url: Public URL of the file; None if unknown.
        codes: Codes of the enabled fixes.
        allows: Returns whether a URL (first argument) may be replaced by its escaped form.

    """

    nodes: Mapping[XmlElement, Node]
    url: str | None
    codes: Collection[str]
    allows: Callable[[str, str], bool] = lambda old, new: True


def apply_fix(edit: ItemEdit, code: str, element: XmlElement) -> None:
    """Fix a finding at an element, if its code is enabled and the element can be located."""
    if code in edit.codes and element in edit.nodes:
        _FIXES[code](edit, element)


def would_fix(code: str, element: XmlElement, url: str | None) -> bool:
    """Return whether the fix for a code may change an element, in a file with this public URL."""
    if code in CORRECTED:
        node = Node(element)
        correct(node, {code})
        return node.is_changed
    if code not in _FIXES:
        return True  # the fix is not limited to an element
    if code == "namespace":
        namespace, root = split_name(element)[0], element.getroottree().getroot()
        is_known = bool(namespace and right_namespace(namespace)) or bool(find_prefix(element))
        return namespace == split_name(root)[0] or is_known
    if _FIXES[code] is _reorder:
        parent = element.getparent()
        if parent is None or ChildOrder(parent).place_of(element) is None:
            return False  # the second of two repeated elements is in order already
        ranks = _ranks(ChildOrder(parent), parent.iterchildren("*"))
        return ranks is not None and ranks != sorted(ranks)
    node = Node(element)
    apply_fix(ItemEdit({element: node}, url, _FIXES.keys()), code, element)
    return node.is_changed


def is_redundant(entry: Entry, first: Entry) -> bool:
    """Return whether an entry is redundant: `first` has all of its values."""
    return all(
        getattr(entry, name) in (empty, getattr(first, name)) for name, empty in EMPTY.items()
    )


def _silent(code: str, message: str) -> None:
    pass


def _drop(edit: ItemEdit, element: XmlElement) -> None:
    """Remove an optional element without text and attributes, or with a value that is invalid."""
    kind, may_be_missing = find_datatype(element)
    text = (element.text or "").strip()
    if kind and may_be_missing and not len(element):
        has_nothing = kind.parse(text, _silent) is None if text else not element.attrib
        edit.nodes[element].is_gone = has_nothing


def _respell(edit: ItemEdit, element: XmlElement) -> None:
    """Rewrite a value in the form that the schema requires, unless that loses a part."""
    if text := to_schema_form(element):
        _write(edit, element, text)


def _reorder(edit: ItemEdit, element: XmlElement) -> None:
    """Sort an element and its siblings in schema order, unless the schema lacks one of them."""
    parent = element.getparent()
    if parent is None or parent not in edit.nodes:
        return
    order, children = ChildOrder(parent), edit.nodes[parent].children
    if order.is_item and parent is not next(iter(edit.nodes)):
        return  # the parent is an unknown element in an item
    ranks = _ranks(order, (child.element for child in children))
    if ranks is not None:
        placed = sorted(enumerate(ranks), key=lambda pair: pair[1])
        edit.nodes[parent].children = [children[at] for at, _ in placed]


def _ranks(order: ChildOrder, children: Iterable[XmlElement]) -> list[int] | None:
    """Return the rank of each child in an order; None if the schema lacks any of them."""
    ranks: list[int] = []
    for child in children:
        rank = order.rank_of(child)
        if rank is None:
            return None
        ranks.append(rank)
    return ranks


def _clean(edit: ItemEdit, element: XmlElement) -> None:
    """Remove whitespace from a URL, or wrap a bare URL in `<loc>`."""
    text = urls.clean(element.text or "")
    if local_name(element) == "loc":
        _write(edit, element, text)
    elif urls.is_absolute(text):
        name = f"{element.prefix}:loc" if element.prefix else "loc"
        edit.nodes[element].text = f"<{name}>{escape(text, quote=False)}</{name}>".encode()


def _resolve(edit: ItemEdit, element: XmlElement) -> None:
    """Replace a relative URL with the absolute URL."""
    kind, _ = find_datatype(element)
    found = relative.resolve(urls.clean(element.text or ""), edit.url)
    if kind and kind.is_url and found and urls.is_absolute(found):
        _write(edit, element, found)


def _escape_url(edit: ItemEdit, element: XmlElement) -> None:
    """Escape illegal characters in `<loc>` or a link, if the URL has no other error."""
    is_link = local_name(element) == "link"
    text = urls.clean((element.get("href") if is_link else element.text) or "")
    if uri := escaped(text, edit.codes):
        if is_link:
            _write_link(edit, element, uri)
        elif edit.allows(text, uri):
            _write(edit, element, uri)


def _resolve_link(edit: ItemEdit, element: XmlElement) -> None:
    found = relative.resolve(urls.clean(element.get("href") or ""), edit.url)
    if found and urls.is_absolute(found):
        _write_link(edit, element, found)


def _write_link(edit: ItemEdit, element: XmlElement, url: str) -> None:
    new = escape(url, quote=False).replace('"', "&quot;").encode()
    edit.nodes[element].set_attribute("href", new)


def _rename(edit: ItemEdit, element: XmlElement) -> None:
    """Replace misspelt namespaces in an item."""
    meant = identify_namespaces(edit.nodes)
    for node in edit.nodes.values():
        node.start_tag = correct_namespaces(node.start_tag, meant)


def correct_namespaces(data: bytes, meant: Mapping[str, str]) -> bytes:
    """
    Replace misspelt namespaces in tags with canonical ones, and strip whitespace around others.

    `meant` maps misspelt namespaces to the canonical ones that their elements belong to.
    """

    def right(prefix: bytes | None, namespace: str) -> str:
        known = namespace and (right_namespace(namespace) or meant.get(namespace))
        return known or namespace.strip()

    return replace_namespaces(data, right)


def _write(edit: ItemEdit, element: XmlElement, text: str) -> None:
    if not len(element) and text != element.text:
        edit.nodes[element].text = escape(text, quote=False).encode()


_FIXES: dict[str, Callable[[ItemEdit, XmlElement], None]] = {
    **dict.fromkeys(("bad-date", "bad-priority", "bad-changefreq", "bad-duration"), _drop),
    **dict.fromkeys(("bad-rating", "bad-value", "empty-element"), _drop),
    **dict.fromkeys(("date-format", "value-format"), _respell),
    **dict.fromkeys(("wrong-order", "extension-order"), _reorder),
    **dict.fromkeys(("loc-character", "loc-non-ascii", "loc-escape"), _escape_url),
    **dict.fromkeys(("relative-loc", "relative-listed-sitemap", "asset-url"), _resolve),
    "hreflang-url": _resolve_link,
    "repaired-loc": _clean,
    "namespace": _rename,
}
