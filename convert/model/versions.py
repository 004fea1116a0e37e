"""Versions of a page in other languages: those of its alternates that are pages of their own."""

from sitemapx.convert.model.entry import Alternate, Entry
from sitemapx.convert.values import uris, urls


def is_version(alternate: Alternate) -> bool:
    """Return whether an alternate is a page in a language: no AMP page, no link to an app."""
    is_page = alternate.rel in (None, "alternate") and not alternate.media
    return bool(alternate.hreflang and is_page and urls.is_absolute(alternate.href or ""))


def versions_of(entry: Entry) -> tuple[Alternate, ...]:
    """
    List the versions of a page; itself first, if it is not among them but says its language.

    >>> entry = Entry(loc="https://e.example/", language="en")
    >>> [version.hreflang for version in versions_of(entry)]
    ['en']

    """
    found = tuple(filter(is_version, entry.alternates))
    if not entry.language or not urls.is_absolute(entry.loc or "") or names(found, entry.loc or ""):
        return found
    codes = {(version.hreflang or "").lower() for version in found}
    code = entry.language.replace("_", "-")
    return found if code.lower() in codes else (Alternate(hreflang=code, href=entry.loc), *found)


def names(versions: tuple[Alternate, ...], loc: str) -> bool:
    """Return whether a URL, in whatever spelling, is one of these versions."""
    hrefs = [version.href or "" for version in versions]
    return bool(loc) and (loc in hrefs or uris.normal(loc) in uris.normals(hrefs))
