"""Fixes of what stands before the first item of a sitemap."""

import re
from collections.abc import Collection, Iterable

from sitemapx.convert.xml.cutter import Cutter
from sitemapx.convert.xml.namespaces import NAMESPACES, SITEMAP, right_namespace
from sitemapx.convert.xml.repair.declarations import declare, redeclared
from sitemapx.convert.xml.tags import MAX_DEPTH, doctype_end, open_tags

__all__ = ["FixedProlog", "undeclared_in"]

_BLANK = re.compile(rb"(?:\xef\xbb\xbf|[ \t\r\n])*")
_ENCODING = re.compile(rb"(<\?xml[^>]*?\sencoding\s*=\s*)([\"'])[^\"'<>]*\2")
_NAME = re.compile(rb"<(?:([^\s:/>]+):)?[^\s/>]+")


class FixedProlog:
    """
    The start of a document.

    Attributes:
        opening: The start tags that are open before the first item.

    """

    def __init__(self, cutter: Cutter, codes: Collection[str], prefixes: Iterable[str]) -> None:
        """
        Fix it.

        Args:
            codes: What is to be fixed.
            prefixes: Those that are used later, and not declared.

        """
        self._head = cutter.head
        self._prolog = _prolog(cutter.prolog, codes)
        self._root = cutter.root_tag
        if "namespace" in codes:
            self._root = _declared(_rightly_named(self._root), prefixes)
        self.opening = b"".join([self._root, *open_tags(cutter.head)][:MAX_DEPTH])

    def written(self) -> bytes:
        """Write it."""
        return self._prolog + self._root + self._head


def undeclared_in(cutter: Cutter) -> set[str]:
    """Find the prefixes that a document uses and nothing declares."""
    start = b"".join([cutter.root_tag, *open_tags(cutter.head)])
    found = set(declare(start, start + cutter.head)[1])
    for block in cutter.blocks(is_careful=True):
        found.update(declare(start, block.data)[1])
    return found


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


def _rightly_named(tag: bytes) -> bytes:
    """Write the namespaces in the start tag of the root as they should be."""
    name = _NAME.match(tag)
    own = name[1] if name else None
    is_declared = False

    def right(prefix: bytes | None, namespace: str) -> str:
        nonlocal is_declared
        is_declared = is_declared or prefix == own
        return right_namespace(namespace) or (SITEMAP if prefix == own else namespace.strip())

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
