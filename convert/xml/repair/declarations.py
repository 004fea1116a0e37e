"""Declarations of namespaces that no parser takes, repaired."""

import re
from contextlib import suppress
from functools import lru_cache
from urllib.parse import quote

from lxml import etree

from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.xml.namespaces import NAMESPACES, UNDECLARED
from sitemapx.convert.xml.tags import outside

__all__ = ["with_legal_namespaces"]

_DECLARATION = re.compile(rb"\sxmlns(?::([\w.-]+))?\s*=\s*([\"'])([^\"'<>]*)\2")


def with_legal_namespaces(data: bytes, reporter: Reporter, line: int) -> bytes:
    """
    Make URIs of the namespaces that are none, which a parser refuses with all that is in them.

    Args:
        data: A part of a document, that begins at this line.
        reporter: Called with each.

    """
    parts: list[bytes] = []
    at = 0
    for m in outside(_DECLARATION, data):
        declared = m[3].decode("utf-8", "replace")
        right = _legal_namespace(declared, (m[1] or b"").decode("utf-8", "replace"))
        if right != declared:
            line_here = line + data.count(b"\n", 0, m.start(3))
            message = f"invalid namespace {declared!r}: read as {right!r}"
            reporter.problem("namespace", message, line=line_here, namespace=declared)
            parts += data[at : m.start(3)], right.encode()
            at = m.end(3)
    return b"".join([*parts, data[at:]])


@lru_cache(1000)
def _legal_namespace(declared: str, prefix: str) -> str:
    """Return what libxml2 takes for a URI: as it is, without white space, escaped, or another."""
    joined = "".join(declared.split())
    name = "xmlns:x" if prefix else "xmlns"
    for uri in (declared, joined, quote(joined, safe="!#$'()*+,/:;=?@[]%~")):
        with suppress(etree.XMLSyntaxError):
            etree.fromstring(f'<x {name}="{uri}"/>')
            return uri
    return NAMESPACES.get(prefix, UNDECLARED + (prefix or "default"))
