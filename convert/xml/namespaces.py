"""
Namespaces: what each canonical prefix means, and the wild spellings that mean the same.

Written: the canonical one only. Read: http, https or no scheme, with or without `www.` and a final
slash, in any case, with white space, older versions, and for the sitemap's own elements any
namespace or none, as all parsers do.
"""

from functools import lru_cache

from sitemapx.patterns import lazy_pattern

SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"

#: Canonical prefix -> canonical namespace, for all that is read or written.
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

#: Stands in for a namespace that was never declared and that nobody knows.
UNDECLARED = "urn:undeclared:"

#: These match what `_plain` leaves.
_GOOGLE = lazy_pattern(r"(?:google\.com|sitemaps\.org)/schemas/sitemap-([a-z]+)/[0-9.]+")
_PUBLISHERS = lazy_pattern(r"(?:[\w-]+\.)*(?:google\.com|sitemaps\.org)(?:[/:?#].*)?")
_CORE = lazy_pattern(r"(?:google\.com|sitemaps\.org)/schemas/sitemap/[0-9.]+")
_START = lazy_pattern(r"(?:https?:)?//(?:www\.)?")


@lru_cache(maxsize=1000)
def prefix_of(namespace: str) -> str | None:
    """
    Find what a namespace of the wild means: a key of `NAMESPACES`, "" for the sitemap's own.

    >>> prefix_of("https://www.google.com/schemas/sitemap-image/1.1/")
    'image'
    """
    plain = _plain(namespace)
    if not plain or _CORE.fullmatch(plain):
        return ""
    if (m := _GOOGLE.fullmatch(plain)) and m[1] in NAMESPACES:
        return m[1]
    return _BY_PLAIN_URI.get(plain)


@lru_cache(maxsize=1000)
def is_of_publishers(namespace: str) -> bool:
    """
    Return whether a namespace is an unknown one of Google or sitemaps.org.

    It may come from translated documentation, and is known by its elements.

    >>> is_of_publishers("http://www.google.com/scheman/webbplats-video/1.1")
    True
    """
    return prefix_of(namespace) is None and bool(_PUBLISHERS.fullmatch(_plain(namespace)))


def right_namespace(namespace: str) -> str | None:
    """
    Return the right spelling of a namespace; None for one that is not known.

    >>> right_namespace(" http://www.Google.com/schemas/sitemap-image/1.1/")
    'http://www.google.com/schemas/sitemap-image/1.1'
    """
    prefix = prefix_of(namespace)
    return None if prefix is None else NAMESPACES[prefix] if prefix else SITEMAP


def declaration_of(namespace: str | None, head: bytes) -> int:
    """
    Find where a namespace is declared before the first item, or where one should be.

    Args:
        namespace: The namespace; none, or an empty one, should be declared in the root.
        head: The XML from the root to the first item.

    Returns:
        The offset; -1 if it is declared in an item.

    >>> declaration_of("urn:x", b"<urlset xmlns='urn:x'>"), declaration_of("", b"<urlset>")
    (14, 0)

    """
    if not namespace:
        return 0
    name = namespace.encode()
    return max(head.find(quote + name + quote) for quote in (b'"', b"'"))


def _plain(namespace: str) -> str:
    """Take away what spellings differ in: white space, the scheme, the case, a final slash."""
    return _START.sub("", "".join(namespace.split()).lower(), count=1).rstrip("/")


_BY_PLAIN_URI = {_plain(uri): prefix for prefix, uri in NAMESPACES.items()}
