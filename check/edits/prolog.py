"""Fixes of what stands before the first item of a sitemap."""

import re
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from sitemapx.convert.formats.sitemap.elements import is_extension
from sitemapx.convert.xml.cutter import Cutter
from sitemapx.convert.xml.namespaces import (
    NAMESPACES,
    SITEMAP,
    is_of_publishers,
    right_namespace,
)
from sitemapx.convert.xml.repair.declarations import declarations_in, declare, redeclared
from sitemapx.convert.xml.tags import MAX_DEPTH, doctype_end, open_tags

__all__ = ["FixedProlog", "NamesUsed", "names_used"]

_BLANK = re.compile(rb"(?:\xef\xbb\xbf|[ \t\r\n])*")
_ENCODING = re.compile(rb"(<\?xml[^>]*?\sencoding\s*=\s*)([\"'])[^\"'<>]*\2")
#: An element of an extension, and its first child, unless it has none.
_EXTENSION = re.compile(
    rb"<([\w.-]+):(?:(image|video|news)(?:\s[^<>]*)?>\s*<\1:([\w.-]+)|(mobile)\s*/?>)"
)
_NAME = re.compile(rb"<(?:([^\s:/>]+):)?[^\s/>]+")


class NamesUsed(NamedTuple):
    """
    Names that are used after the root.

    Attributes:
        undeclared: Prefixes that nothing declares.
        meant: Unknown namespaces of the root, by those of the extensions that they stand for.

    """

    undeclared: Collection[str] = ()
    meant: Mapping[str, str] = {}


class FixedProlog:
    """
    The start of a document.

    Attributes:
        opening: The start tags that are open before the first item.

    """

    def __init__(self, cutter: Cutter, codes: Collection[str], names: NamesUsed) -> None:
        """
        Fix it.

        Args:
            codes: What is to be fixed.
            names: The names that are used later.

        """
        self._head = cutter.head
        self._prolog = _prolog(cutter.prolog, codes)
        self._root = cutter.root_tag
        if "namespace" in codes:
            self._root = _declared(_rightly_named(self._root, names.meant), names.undeclared)
        self.opening = b"".join([self._root, *open_tags(cutter.head)][:MAX_DEPTH])

    def written(self) -> bytes:
        """Write it."""
        return self._prolog + self._root + self._head


def names_used(cutter: Cutter) -> NamesUsed:
    """Find the prefixes and namespaces that a document uses, and that its root must name."""
    start = b"".join([cutter.root_tag, *open_tags(cutter.head)])
    undeclared = set(declare(start, start + cutter.head)[1])
    unknown = {
        prefix: namespace
        for prefix, namespace in declarations_in(cutter.root_tag)
        if is_of_publishers(namespace)
    }
    meant: dict[str, str] = {}
    for block in cutter.blocks(is_careful=True):
        undeclared.update(declare(start, block.data)[1])
        for m in _EXTENSION.finditer(block.data) if unknown else ():
            prefix, name = m[1].decode(), (m[2] or m[4]).decode()
            child = m[3].decode() if m[3] else None
            if prefix in unknown and is_extension(name, child):
                meant[unknown[prefix]] = NAMESPACES[name]
    return NamesUsed(undeclared, meant)


def _prolog(prolog: bytes, codes: Collection[str]) -> bytes:
    if "space-before-xml" in codes:
        prolog = _BLANK.sub(b"", prolog, count=1)
    if "not-utf8" in codes or "encoding" in codes:
        prolog = _ENCODING.sub(rb"\1\2UTF-8\2", prolog)
    at = prolog.upper().find(b"<!DOCTYPE")
    if "doctype" in codes and at >= 0:
        rest = prolog[max(doctype_end(prolog, at), at) :]
        prolog = prolog[:at] + rest.lstrip()
    return prolog


def _rightly_named(tag: bytes, meant: Mapping[str, str]) -> bytes:
    """Write the namespaces in the start tag of the root as they should be."""
    name = _NAME.match(tag)
    own = name[1] if name else None
    is_declared = False

    def right(prefix: bytes | None, namespace: str) -> str:
        nonlocal is_declared
        is_declared = is_declared or prefix == own
        known = right_namespace(namespace) or meant.get(namespace)
        return known or (SITEMAP if prefix == own else namespace.strip())

    tag = redeclared(tag, right)
    if name and not is_declared:
        attribute = b" xmlns:%s" % own if own else b" xmlns"
        tag = b'%s%s="%s"%s' % (name[0], attribute, SITEMAP.encode(), tag[name.end() :])
    return tag


def _declared(tag: bytes, prefixes: Iterable[str]) -> bytes:
    """Declare the prefixes that everybody knows."""
    known = {prefix: NAMESPACES[prefix] for prefix in sorted(prefixes) if prefix in NAMESPACES}
    added = "".join(f' xmlns:{prefix}="{uri}"' for prefix, uri in known.items())
    return tag[:-1] + added.encode() + b">"
