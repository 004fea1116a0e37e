"""Repairs of namespace declarations."""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from html import escape, unescape
from urllib.parse import quote

from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.xml.namespaces import (
    NAMESPACES,
    UNDECLARED,
    is_unknown_variant,
    right_namespace,
)
from sitemapx.convert.xml.parsers import parse
from sitemapx.convert.xml.tags import find_visible, replace_outside

_DECLARATION = re.compile(rb"\sxmlns(?::([\w.-]+))?\s*=\s*([\"'])([^\"'<>]*)\2")
_PREFIX = re.compile(rb"[<\s/]([A-Za-z_][\w.-]*):[A-Za-z_][\w.-]*(?=[\s/>=])")
_DECLARED_PREFIX = re.compile(rb"\sxmlns:([\w.-]+)\s*=")
_QUOTED = re.compile(rb"\"[^\"<]*\"|'[^'<]*'")
#: Matches a tag without its `>`, up to the first malformed part.
_NAMES = re.compile(rb"<(?:[^<>\"']|%s)*+" % _QUOTED.pattern)


def replace_namespaces(data: bytes, rename: Callable[[bytes | None, str], str]) -> bytes:
    """Replace each declared namespace with `rename(prefix, namespace)`; None: no prefix."""

    def replace(m: re.Match[bytes]) -> bytes:
        declared = _declared_uri(m)
        uri = rename(m[1], declared)
        return m[0] if uri == declared else _with_uri(m, escape(uri))

    return replace_outside(_DECLARATION, data, replace)


def _with_uri(declaration: re.Match[bytes], uri: str) -> bytes:
    _, quote_mark, old = declaration.groups()
    return declaration[0][: -len(old + quote_mark)] + uri.encode() + quote_mark


def declarations_in(tag: bytes) -> Iterator[tuple[str, str]]:
    """Yield the prefix ("" for none) and namespace of each declaration in a start tag."""
    for m in find_visible(_DECLARATION, tag):
        yield (m[1] or b"").decode(), _declared_uri(m)


def _declared_uri(declaration: re.Match[bytes]) -> str:
    return unescape(declaration[3].decode("utf-8", "replace"))


def fix_namespaces(data: bytes, reporter: Reporter, line: int) -> bytes:
    """Replace and report namespaces that libxml2 rejects."""

    def replace(m: re.Match[bytes]) -> bytes:
        declared = m[3].decode("utf-8", "replace")
        right = _legal_namespace(declared, (m[1] or b"").decode("utf-8", "replace"))
        if right == declared:
            return m[0]
        message = f"wrong namespace {declared!r}: expected {right!r}"
        line_here = line + data.count(b"\n", 0, m.start(3))
        reporter.problem("namespace", message, line=line_here, namespace=declared)
        return _with_uri(m, right)

    return replace_outside(_DECLARATION, data, replace)


@lru_cache(1000)
def _legal_namespace(declared: str, prefix: str) -> str:
    """Return a URI that libxml2 accepts: as is, corrected, escaped, or that of the prefix."""
    joined = "".join(unescape(declared).split())
    by_prefix = NAMESPACES.get(prefix) if is_unknown_variant(joined) else None
    meant = escape(right_namespace(joined) or by_prefix or joined)
    name = "xmlns:x" if prefix else "xmlns"
    for uri in (declared, meant, quote(joined, safe="!#$'()*+,/:;=?@[]%~")):
        if parse(f'<x {name}="{uri}"/>') is not None:
            return uri
    return NAMESPACES.get(prefix, UNDECLARED + (prefix or "default"))


def declare(opening: bytes, data: bytes) -> tuple[bytes, list[str]]:
    """
    Add declarations to the start tags `opening` for prefixes in `data` that they lack.

    Returns the new start tags, and the added prefixes that are not declared anywhere in `data`.
    """
    used = set(_PREFIX.findall(data)) - {b"xml", b"xmlns"} - set(_DECLARED_PREFIX.findall(opening))
    used &= _prefixes_in_tags(data) if used else used  # ignore text and values
    elsewhere = set(_DECLARED_PREFIX.findall(data))  # items may declare their own prefixes
    prefixes = [prefix.decode("utf-8", "replace") for prefix in sorted(used)]
    added = "".join(
        f' xmlns:{prefix}="{NAMESPACES.get(prefix, UNDECLARED + prefix)}"' for prefix in prefixes
    )
    prefixes = [prefix for prefix in prefixes if prefix.encode() not in elsewhere]
    end_of_name = re.match(rb"<[^\s/>]*", opening)
    at = end_of_name.end() if end_of_name else 0
    return opening[:at] + added.encode() + opening[at:], prefixes


def _prefixes_in_tags(data: bytes) -> set[bytes]:
    found: set[bytes] = set()
    for m in find_visible(_NAMES, data):
        if b":" in (tag := m[0]):
            names = _QUOTED.sub(b'""', tag) if b'"' in tag or b"'" in tag else tag
            found.update(_PREFIX.findall(names + b" "))
    return found
