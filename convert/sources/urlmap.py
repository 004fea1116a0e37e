"""Maps URL prefixes to directories, on disk or in cloud storage."""

import os
from typing import NamedTuple, Self

from sitemapx.convert.formats.registry import by_suffix
from sitemapx.convert.sources.source import is_storage
from sitemapx.convert.values import uris
from sitemapx.convert.values.urls import without_password
from sitemapx.errors import UsageError

#: File extensions of HTML pages.
SUFFIXES = (".html", ".htm", ".xhtml")


class UrlMap(NamedTuple):
    """
    Maps the URLs that begin with a prefix to the files in a directory.

    Attributes:
        url: URL prefix with a trailing slash.
        folder: Path or fsspec URL of the directory.

    """

    url: str
    folder: str

    @classmethod
    def create(cls, url: str, folder: str) -> Self:
        """Create a mapping; the URL prefix may lack its trailing slash."""
        return cls(url.rstrip("/") + "/", folder)

    def path_of(self, url: str) -> str | None:
        """
        Return the path of the file for a URL, whether the file exists or not.

        Return None if the URL does not begin with the prefix, contains a NUL character, or leads
        out of the directory (in storage, if it contains `..`).

        Examples:
            >>> UrlMap.create("https://example.com", "public").path_of("https://example.com/a/b.xml")
            'public/a/b.xml'

        """
        if not url.startswith(self.url):
            return None
        from pathlib import Path
        from urllib.parse import unquote

        relative = url[len(self.url) :].partition("#")[0].partition("?")[0]
        relative = unquote(relative, errors="surrogateescape")  # as Python decodes file names
        if "\0" in relative:
            return None
        if is_storage(self.folder):
            if ".." in relative.split("/"):
                return None
            return f"{self.folder.rstrip('/')}/{relative.lstrip('/')}"
        folder = os.path.abspath(self.folder)
        path = os.path.abspath(os.path.join(folder, relative.lstrip("/")))
        if not Path(path).is_relative_to(folder):
            return None
        return os.path.normpath(os.path.join(self.folder, os.path.relpath(path, folder)))

    def url_of(self, path: str) -> str | None:
        """
        Return the URL of a file or directory on disk; the URL of a directory ends with a slash.

        Return None if the path is not in the directory of this mapping, or either is in storage.
        """
        if is_storage(self.folder) or is_storage(path):
            return None
        from pathlib import Path

        path, folder = os.path.abspath(path), os.path.abspath(self.folder)
        if not Path(path).is_relative_to(folder):
            return None
        name = os.path.relpath(path, folder).replace(os.sep, "/")
        end = "/" if os.path.isdir(path) else ""
        return self.url + (uris.escape_name(name) + end if name != "." else "")


def folder_address(url: str) -> str:
    """
    Return the URL of a directory with a final slash.

    An invalid URL, or one with a query, fragment or known file extension, raises `UsageError`.

    >>> folder_address("https://example.com/maps")
    'https://example.com/maps/'
    """
    if uris.to_uri(url) is None:
        shown = without_password(url)
        raise UsageError(f"invalid base URL {shown!r}: expected an absolute http(s) URL")
    address = url.partition("#")[0].partition("?")[0]
    name = address.rpartition("/")[2]
    if address.count("/") > 2 and (by_suffix(name) or name.lower().endswith(SUFFIXES)):
        address = address.removesuffix(name)
    folder = f"{address.rstrip('/')}/"
    if folder.rstrip("/") != url.rstrip("/"):
        message = f"{url} is not the URL of a directory; write {folder}"
        raise UsageError(without_password(message))
    return folder
