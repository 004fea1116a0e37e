"""
Namespaces: the canonical URI of each prefix, and variants found in practice.

Readers ignore `http(s)://`, `www.`, final slashes, case and whitespace, and versions
of Google and sitemaps.org. For the sitemap's own elements, they accept any namespace or none.
"""

from functools import lru_cache

from sitemapx.patterns import lazy_pattern

SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"

#: Canonical namespaces by canonical prefix.
NAMESPACES = {
    "image": "http://www.google.com/schemas/sitemap-image/1.1",
    "video": "http://www.google.com/schemas/sitemap-video/1.1",
    "news": "http://www.google.com/schemas/sitemap-news/0.9",
    "xhtml": "http://www.w3.org/1999/xhtml",
    "mobile": "http://www.google.com/schemas/sitemap-mobile/1.0",
    "pagemap": "http://www.google.com/schemas/sitemap-pagemap/1.0",
    "xsi": "http://www.w3.org/2001/XMLSchema-instance",
    "media": "http://search.yahoo.com/mrss/",
    "atom": "http://www.w3.org/2005/Atom",
    "atom03": "http://purl.org/atom/ns#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "dc": "http://purl.org/dc/elements/1.1/",
    "dcterms": "http://purl.org/dc/terms/",
    "content": "http://purl.org/rss/1.0/modules/content/",
    "itunes": "http://www.itunes.com/dtds/podcast-1.0.dtd",
}

#: Prefix of the placeholder for an undeclared namespace.
UNDECLARED = "urn:undeclared:"

#: Matched against the result of `_normalize`.
_GOOGLE = lazy_pattern(r"(?:google\.com|sitemaps\.org)/schemas/sitemap-([a-z]+)/[0-9.]+")
_PUBLISHERS = lazy_pattern(r"(?:[\w-]+\.)*(?:google\.com|sitemaps\.org)(?:[/:?#].*)?")
_CORE = lazy_pattern(r"(?:google\.com|sitemaps\.org)/schemas/sitemap/[0-9.]+")
_START = lazy_pattern(r"(?:(?:https?:)?//)?(?:www\.)?")


@lru_cache(maxsize=1000)
def prefix_of(namespace: str) -> str | None:
    """
    Return the canonical prefix for any variant of a namespace; None if the namespace is unknown.

    The prefix is "" for the namespace of sitemaps, and for an empty string.

    >>> prefix_of("https://www.google.com/schemas/sitemap-image/1.1/")
    'image'
    """
    plain = _normalize(namespace)
    if not plain or _CORE.fullmatch(plain):
        return ""
    if (m := _GOOGLE.fullmatch(plain)) and m[1] in NAMESPACES:
        return m[1]
    return _BY_PLAIN_URI.get(plain)


@lru_cache(maxsize=1000)
def is_unknown_variant(namespace: str) -> bool:
    """
    Return whether a namespace of Google or sitemaps.org is unknown.

    Such a namespace may come from translated documentation; its elements identify it.

    >>> is_unknown_variant("http://www.google.com/scheman/webbplats-video/1.1")
    True
    """
    return prefix_of(namespace) is None and bool(_PUBLISHERS.fullmatch(_normalize(namespace)))


def right_namespace(namespace: str) -> str | None:
    """
    Return the canonical URI for any variant of a namespace; None if the namespace is unknown.

    An empty string counts as the namespace of sitemaps.

    >>> right_namespace(" http://www.Google.com/schemas/sitemap-image/1.1/")
    'http://www.google.com/schemas/sitemap-image/1.1'
    """
    prefix = prefix_of(namespace)
    return None if prefix is None else NAMESPACES[prefix] if prefix else SITEMAP


def declaration_of(namespace: str | None, head: bytes) -> int:
    """
    Return the offset at which `head`, the XML before the first item, declares a namespace, or -1.

    Without a namespace, the offset is 0, that of the root tag, which should declare one.

    >>> declaration_of("urn:x", b"<urlset xmlns='urn:x'>"), declaration_of("", b"<urlset>")
    (14, 0)
    """
    if not namespace:
        return 0
    name = namespace.encode()
    return max(head.find(quote + name + quote) for quote in (b'"', b"'"))


def _normalize(namespace: str) -> str:
    """Convert to lower case, without whitespace, scheme, `www.` and final slashes."""
    return _START.sub("", "".join(namespace.split()).lower(), count=1).rstrip("/")


_BY_PLAIN_URI = {_normalize(uri): prefix for prefix, uri in NAMESPACES.items()}
