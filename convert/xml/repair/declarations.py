"""Declarations of namespaces that no parser takes, repaired."""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from html import escape, unescape
from urllib.parse import quote

from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.xml.namespaces import (
    NAMESPACES,
    UNDECLARED,
    is_of_publishers,
    right_namespace,
)
from sitemapx.convert.xml.parsers import parse
from sitemapx.convert.xml.tags import outside

_DECLARATION = re.compile(rb"\sxmlns(?::([\w.-]+))?\s*=\s*([\"'])([^\"'<>]*)\2")
_PREFIX = re.compile(rb"[<\s/]([A-Za-z_][\w.-]*):[A-Za-z_][\w.-]*(?=[\s/>=])")
_DECLARED_PREFIX = re.compile(rb"\sxmlns:([\w.-]+)\s*=")
_QUOTED = re.compile(rb"\"[^\"<]*\"|'[^'<]*'")
#: A tag without its end, or as much of it as is well-formed.
_NAMES = re.compile(rb"<(?:[^<>\"']|%s)*+" % _QUOTED.pattern)


def redeclared(data: bytes, rename: Callable[[bytes | None, str], str]) -> bytes:
    """
    Write other URIs into declarations of namespaces.

    Args:
        data: Markup.
        rename: Returns the URI for a prefix (None: none) and what is declared for it now.

    """
    parts: list[bytes] = []
    at = 0
    for m in outside(_DECLARATION, data):
        declared = _declared(m)
        if (uri := rename(m[1], declared)) != declared:
            parts += data[at : m.start(3)], escape(uri).encode()
            at = m.end(3)
    return b"".join([*parts, data[at:]])


def declarations_in(tag: bytes) -> Iterator[tuple[str, str]]:
    """List the prefixes that a start tag declares (empty: none), each with its namespace."""
    for m in outside(_DECLARATION, tag):
        yield (m[1] or b"").decode(), _declared(m)


def _declared(declaration: re.Match[bytes]) -> str:
    """Return the URI of a declaration, with its references resolved."""
    return unescape(declaration[3].decode("utf-8", "replace"))


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
            message = f"wrong namespace {declared!r}: expected {right!r}"
            reporter.problem("namespace", message, line=line_here, namespace=declared)
            parts += data[at : m.start(3)], right.encode()
            at = m.end(3)
    return b"".join([*parts, data[at:]])


@lru_cache(1000)
def _legal_namespace(declared: str, prefix: str) -> str:
    """Return what libxml2 takes for a URI: as it is, as it is meant, escaped, or another."""
    joined = "".join(unescape(declared).split())
    by_prefix = NAMESPACES.get(prefix) if is_of_publishers(joined) else None
    meant = escape(right_namespace(joined) or by_prefix or joined)
    name = "xmlns:x" if prefix else "xmlns"
    for uri in (declared, meant, quote(joined, safe="!#$'()*+,/:;=?@[]%~")):
        if parse(f'<x {name}="{uri}"/>') is not None:
            return uri
    return NAMESPACES.get(prefix, UNDECLARED + (prefix or "default"))


def declare(opening: bytes, data: bytes) -> tuple[bytes, list[str]]:
    """
    Declare the namespace prefixes that `data` uses and `opening`, its start tags, do not.

    Returns:
        The new start tags, and the prefixes that were missing.

    """
    used = set(_PREFIX.findall(data)) - {b"xml", b"xmlns"} - set(_DECLARED_PREFIX.findall(opening))
    used &= _prefixes_in_tags(data) if used else used  # not those in texts and values
    elsewhere = set(_DECLARED_PREFIX.findall(data))  # where some items declare it, others may not
    prefixes = [prefix.decode("utf-8", "replace") for prefix in sorted(used)]
    added = "".join(
        f' xmlns:{prefix}="{NAMESPACES.get(prefix, UNDECLARED + prefix)}"' for prefix in prefixes
    )
    prefixes = [prefix for prefix in prefixes if prefix.encode() not in elsewhere]
    end_of_name = re.match(rb"<[^\s/>]*", opening)
    at = end_of_name.end() if end_of_name else 0
    return opening[:at] + added.encode() + opening[at:], prefixes


def _prefixes_in_tags(data: bytes) -> set[bytes]:
    """List the prefixes of elements and attributes."""
    found: set[bytes] = set()
    for m in outside(_NAMES, data):
        if b":" in (tag := m[0]):
            names = _QUOTED.sub(b'""', tag) if b'"' in tag or b"'" in tag else tag
            found.update(_PREFIX.findall(names + b" "))
    return found
