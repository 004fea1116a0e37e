"""Find the files on disk that an index lists by their addresses."""

import os
from collections.abc import Collection
from typing import NamedTuple

from sitemapx.convert.sources.options import ReadOptions
from sitemapx.convert.sources.source import is_storage
from sitemapx.convert.sources.urlmap import UrlMap

__all__ = ["ListedFiles"]

#: So many of the last parts of a path are looked for beside an index.
_PARTS = 8


class ListedFile(NamedTuple):
    """
    A listed file on disk.

    Attributes:
        path: Its path.
        is_guess: Whether nothing but its name says that it is the one that is listed.

    """

    path: str
    is_guess: bool = False

    @property
    def is_file(self) -> bool:
        """Whether it is a file, as far as is known, and no folder, pipe or device."""
        path = self.path
        return is_storage(path) or not os.path.exists(path) or os.path.isfile(path)


class ListedFiles:
    """Knows where the files are that a source lists; see `Opener`."""

    def __init__(self, opener: ReadOptions, index: str | None) -> None:
        """Take the path of the source, if it is on disk."""
        self._mappings = list(opener.mappings)
        self._order = opener.beside
        self._home = opener.home if index else None
        self._folder = None
        if index:
            folder = os.path.dirname(index) or os.curdir
            if opener.url:  # where a file is published tells it of the files beside it
                place = 0 if self._order == "first" else len(self._mappings)
                exact = UrlMap.of(opener.url.rpartition("/")[0], folder)
                self._mappings.insert(place, exact)
            elif not opener.fetches:
                self._folder = folder

    def maps(self, loc: str) -> bool:
        """Return whether a mapping is for this address, even if it leads nowhere."""
        return any(loc.startswith(mapping.url) for mapping in self._mappings)

    def find(self, loc: str, taken: Collection[str], *, fetches: bool) -> ListedFile | None:
        """
        Find the file of an address.

        Args:
            taken: The real paths of files that are known to be others.
            fetches: Whether what is not on disk is fetched.

        """
        path = self._mapped(loc, fetches=fetches)
        is_looked_for = self._order == "first" or (self._order and not path)
        guess = self._beside(loc, taken) if is_looked_for else None
        is_same = path and guess and os.path.realpath(path) == os.path.realpath(guess)
        if guess and not is_same:
            return ListedFile(guess, is_guess=True)
        return ListedFile(path) if path else None

    def candidate(self, loc: str) -> str | None:
        """Name a file beside the index that may be the one, if no name is to be trusted."""
        found = None if self._order else self._beside(loc, ())
        return found and os.path.relpath(found, self._folder)

    def _mapped(self, loc: str, *, fetches: bool) -> str | None:
        """Find the file where something says that it is, whether it is there or not."""
        path = next((path for mapping in self._mappings if (path := mapping.path_of(loc))), None)
        if path or not self._home:
            return path
        home = self._home.path_of(loc)  # one that can be fetched is at home only if it is there
        return home if home and (not fetches or os.path.exists(home)) else None

    def _beside(self, loc: str, taken: Collection[str]) -> str | None:
        """Find a file beside the index that has the name, and as much of the path as can be."""
        if self._folder is None:
            return None
        from urllib.parse import unquote

        path = loc.partition("://")[2].partition("/")[2].partition("#")[0].partition("?")[0]
        parts = [unquote(part, errors="surrogateescape") for part in path.split("/")]
        if any(part in ("", ".", "..") or "/" in part or "\0" in part for part in parts):
            return None
        for start in range(max(0, len(parts) - _PARTS), len(parts)):
            found = os.path.normpath(os.path.join(self._folder, *parts[start:]))
            if os.path.isfile(found):
                return None if os.path.realpath(found) in taken else found
        return None
