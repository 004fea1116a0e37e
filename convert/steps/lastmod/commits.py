"""Dates from git: of the files of pages, or of the files from which they were built."""

import os
import posixpath
from collections.abc import Iterator, Sequence
from urllib.parse import unquote

from sitemapx.convert.steps.lastmod.datesfile import DateSource, LocatedPage
from sitemapx.convert.steps.lastmod.history import History
from sitemapx.convert.steps.lastmod.step import NO_FILE
from sitemapx.errors import UsageError
from sitemapx.optionnames import option

#: Stands for the path of a page in a template.
_PATH = "{path}"
_INDEXES = ("index.html", "index.htm", "index.xhtml")
_SUFFIXES = (".html", ".htm", ".xhtml")


class FileCommits(DateSource):
    """The last commits of the files of pages."""

    def __init__(self, folder: str) -> None:
        """
        Read the history of a folder.

        Raises:
            InputError: If there is none.

        """
        self._history = History(folder)

    def date_of(self, page: LocatedPage) -> tuple[str | None, str]:
        """Return the date of the last commit of the file of a page."""
        if page.path is None:
            return None, NO_FILE
        name = os.path.relpath(page.path, self._history.folder).replace(os.sep, "/")
        return self._history.date_of(name)


class SourceCommits(DateSource):
    """
    The last commits of the files from which pages were built.

    A template such as `content/{path}.md` says where these are. The path of a page is that of its
    URL below the site, without `index.html` and `.html`; the home page has the path `index` where
    the template goes on with an extension, else an empty one.
    """

    def __init__(self, templates: Sequence[str], base: str | None) -> None:
        """
        Read the history of the folder that has the files of all templates.

        Args:
            templates: Where the source of a page may be; the first that is there counts.
            base: The address of the site, with a final slash; None for the root of any host.

        Raises:
            InputError: If there is no history.
            UsageError: If a template has no place for the path, or its folder does not exist.

        """
        folders = [os.path.abspath(_folder_of(template)) for template in templates]
        self._history = History(os.path.relpath(os.path.commonpath(folders)))
        self._templates = [
            os.path.relpath(template, self._history.folder).replace(os.sep, "/")
            for template in templates
        ]
        self._base = base

    def date_of(self, page: LocatedPage) -> tuple[str | None, str]:
        """Return the date of the last commit of the source of a page."""
        path = self._path_of(page.loc)
        if path is None:
            return None, f"URL does not begin with {self._base}"
        names = list(self._names(path))
        tracked = (name for name in names if name in self._history)
        name = next(tracked, None) or next(filter(self._exists, names), None)
        return self._history.date_of(name) if name else self._reason(names)

    def _reason(self, names: Sequence[str]) -> tuple[None, str]:
        """Return why there is no date of a page whose source is not found."""
        _, reason = self._history.date_of("")
        is_known = reason == "file is not tracked by git"
        return None, "page has no source file" if is_known else reason

    def _exists(self, name: str) -> bool:
        return os.path.isfile(os.path.join(self._history.folder, name))

    def _path_of(self, loc: str) -> str | None:
        """Return the path of a page, as templates want it; None if it is not of the site."""
        base = self._base or "/".join([*loc.split("/")[:3], ""])
        if not f"{loc}/".startswith(base):
            return None
        path = loc[len(base) :].partition("#")[0].partition("?")[0]
        path = unquote(path, errors="surrogateescape")  # as names of files are
        folder, slash, name = path.rpartition("/")
        if name in _INDEXES:
            return folder.strip("/")
        suffix = next((one for one in _SUFFIXES if name.endswith(one)), "")
        return f"{folder}{slash}{name.removesuffix(suffix)}".strip("/")

    def _names(self, path: str) -> Iterator[str]:
        """List where the source of a page may be, the likeliest first."""
        for template in self._templates:
            paths = [path]
            if f"{_PATH}." in template:
                # as with most generators, index.md makes the page of its folder
                paths = [*filter(None, paths), f"{path}/index"]
            for one in paths:
                name = posixpath.normpath(template.replace(_PATH, one))
                yield name.removeprefix("/")


def _folder_of(template: str) -> str:
    """
    Return the folder that has all files of a template.

    Raises:
        UsageError: If it does not exist, or the template has no place for the path.

    """
    start, place, _ = template.partition(_PATH)
    name = option("source_files")
    if not place:
        raise UsageError(f"{name}: {template!r} has no {_PATH}; write e.g. content/{_PATH}.md")
    folder = os.path.dirname(start) or os.curdir
    if not os.path.isdir(folder):
        raise UsageError(f"{name}: {template!r} is in no directory here: {folder} does not exist")
    return folder
