"""Language versions of a page: alternates that are pages."""

from sitemapx.convert.model.entry import Alternate, Entry
from sitemapx.convert.values import uris, urls


def is_version(alternate: Alternate) -> bool:
    """Return whether an alternate is a page in some language, not an AMP page or app link."""
    is_page = alternate.rel in (None, "alternate") and not alternate.media
    return bool(alternate.hreflang and is_page and urls.is_absolute(alternate.href or ""))


def versions_of(entry: Entry) -> tuple[Alternate, ...]:
    """
    Return the versions of a page in different languages.

    An entry that is missing from its own alternates is added in front if its language is known and
    no other version has that language.

    >>> entry = Entry(loc="https://e.example/", language="en")
    >>> [version.hreflang for version in versions_of(entry)]
    ['en']
    """
    versions = tuple(filter(is_version, entry.alternates))
    loc = entry.loc or ""
    if not entry.language or not urls.is_absolute(loc) or includes(versions, loc):
        return versions
    codes = {(version.hreflang or "").lower() for version in versions}
    code = entry.language.replace("_", "-")
    if code.lower() in codes:
        return versions
    return (Alternate(hreflang=code, href=loc), *versions)


def includes(versions: tuple[Alternate, ...], loc: str) -> bool:
    """Return whether `loc` is the URL of one of the versions, after normalization."""
    hrefs = [version.href or "" for version in versions]
    return bool(loc) and (loc in hrefs or uris.normalize(loc) in uris.normalize_all(hrefs))
