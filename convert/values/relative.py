"""
Relative URLs in published lists, and what only looks like one.

RFC 3986 reads `www.example.com/a` as a path. In a sitemap or a feed, somebody forgot the scheme.
Links of HTML pages are resolved as browsers do, by `urls.join`.
"""

import re
from functools import cache

from sitemapx.convert.values import urls
from sitemapx.optionnames import option
from sitemapx.patterns import lazy_pattern

__all__ = ["describe", "remedy", "resolve"]

#: A name with dots as the first segment, and what follows it.
_name = lazy_pattern(r"((?:[\w-]++\.)+[\w-]++)(?::\d+)?+([/?#]|\Z)")
_ADDRESS = lazy_pattern(r"(?:\d{1,3}\.){3}\d{1,3}")
#: https://www.rfc-editor.org/rfc/rfc2606
_RESERVED = (".example", ".invalid", ".localhost", ".test")
#: File name extensions that are top-level domains, besides those that Python knows.
_FILES = frozenset(("do", "md"))


def resolve(url: str, base: str | None) -> str | None:
    """
    Make a relative URL absolute.

    Args:
        url: What is published as a URL. One with a scheme stays as it is.
        base: URL of the document, if known.

    Returns:
        None without a base, and if this is a URL without its scheme, unless its host is that of
        the base.

    >>> resolve("/a", "https://example.com/b")
    'https://example.com/a'
    >>> resolve("example.com/a", "https://example.com/b")
    'https://example.com/a'
    >>> resolve("example.org/a", "https://example.com/b")

    """
    if base and re.split("[/?#]", url, maxsplit=1)[0].lower() == urls.authority(base):
        return f"{base.partition(':')[0]}://{url}"
    if _lacks_scheme(url):
        return None
    return urls.join(url, base)


def describe(url: str) -> str:
    """Describe what is wrong with a URL that is not an absolute http(s) URL."""
    if _lacks_scheme(url):
        return f"URL {url!r} has no scheme"
    if urls.is_placeholder(url):
        return f"invalid URL {url!r}"
    if re.match(urls.SCHEME, url):
        return f"invalid URL {url!r}: expected http:// or https://"
    return f"relative URL {url!r}"


def remedy(base: str | None) -> str:
    """Name the option that resolves relative URLs, if there is no base; end of a message."""
    return "" if base else f" (pass {option('source_url')} to resolve it)"


def _lacks_scheme(url: str) -> bool:
    """Return whether this begins with a host: not with a file or a folder that has a dot."""
    m = _name.match(url)
    if not m:
        return False
    from sitemapx.convert.values.tlds import has_top_level_domain

    name = m[1].lower()
    if name.startswith("www.") or _ADDRESS.fullmatch(name):
        return True
    is_file = not m[2] and name.rpartition(".")[2] in _extensions()
    return (has_top_level_domain(name) or name.endswith(_RESERVED)) and not is_file


@cache
def _extensions() -> frozenset[str]:
    from mimetypes import MimeTypes

    return _FILES | {extension[1:] for extension in MimeTypes().types_map[True]}
