"""Dates pages by git: the last commits of their files, or of their source files."""

import os
import posixpath
from collections.abc import Iterator, Sequence
from urllib.parse import unquote

from sitemapx.convert.sources.folder import INDEXES
from sitemapx.convert.sources.urlmap import SUFFIXES
from sitemapx.convert.steps.lastmod.datesfile import DateSource, LocatedPage
from sitemapx.convert.steps.lastmod.history import History
from sitemapx.convert.steps.lastmod.step import NO_FILE
from sitemapx.errors import UsageError
from sitemapx.optionnames import option

#: Placeholder for the path of a page.
_PATH = "{path}"


class FileCommits(DateSource):
    def __init__(self, folder: str) -> None:
        self._history = History(folder)

    def date_of(self, page: LocatedPage) -> tuple[str | None, str]:
        if page.path is None:
            return None, NO_FILE
        name = os.path.relpath(page.path, self._history.folder).replace(os.sep, "/")
        return self._history.date_of(name)


class SourceCommits(DateSource):
    """
    The last commits of the source files of pages.

    A template such as `content/{path}.md` maps pages to source files. The path of a page is the
    path of its URL relative to the site, without `index.html` and `.html`; the path of the home
    page is `index` if an extension follows in the template, else empty.

    Args:
        templates: Possible source files of a page; the first that exists is used.
        base: URL of the site, with a final slash; None for the root of any host.

    """

    def __init__(self, templates: Sequence[str], base: str | None) -> None:
        folders = [os.path.abspath(_folder_of(template)) for template in templates]
        self._history = History(os.path.relpath(os.path.commonpath(folders)))
        self._templates = [
            os.path.relpath(template, self._history.folder).replace(os.sep, "/")
            for template in templates
        ]
        self._base = base

    def date_of(self, page: LocatedPage) -> tuple[str | None, str]:
        path = self._path_of(page.loc)
        if path is None:
            return None, f"URL does not begin with {self._base}"
        names = list(self._names(path))
        tracked = (name for name in names if name in self._history)
        name = next(tracked, None) or next(filter(self._exists, names), None)
        return self._history.date_of(name) if name else self._reason(names)

    def _reason(self, names: Sequence[str]) -> tuple[None, str]:
        """Return None as date, and why a page has no date: its source file is missing."""
        _, reason = self._history.date_of("")
        is_untracked = reason == "file is not tracked by git"
        return None, "page has no source file" if is_untracked else reason

    def _exists(self, name: str) -> bool:
        return os.path.isfile(os.path.join(self._history.folder, name))

    def _path_of(self, loc: str) -> str | None:
        """Return the path of a page, for `{path}` in templates; None if it is on another site."""
        base = self._base or "/".join([*loc.split("/")[:3], ""])
        if not f"{loc}/".startswith(base):
            return None
        path = loc[len(base) :].partition("#")[0].partition("?")[0]
        path = unquote(path, errors="surrogateescape")  # Python decodes file names in the same way
        folder, slash, name = path.rpartition("/")
        if name in INDEXES:
            return folder.strip("/")
        suffix = next((suffix for suffix in SUFFIXES if name.endswith(suffix)), "")
        return f"{folder}{slash}{name.removesuffix(suffix)}".strip("/")

    def _names(self, path: str) -> Iterator[str]:
        """Yield the possible source files of a page, most likely first."""
        for template in self._templates:
            paths = [path]
            if f"{_PATH}." in template:
                # with most generators, index.md becomes the page of its directory
                paths = [*filter(None, paths), f"{path}/index"]
            for candidate in paths:
                name = posixpath.normpath(template.replace(_PATH, candidate))
                yield name.removeprefix("/")


def _folder_of(template: str) -> str:
    """Return the directory that contains all files of a template."""
    start, placeholder, _ = template.partition(_PATH)
    name = option("source_files")
    if not placeholder:
        raise UsageError(f"{name}: {template!r} has no {_PATH}; write e.g. content/{_PATH}.md")
    folder = os.path.dirname(start) or os.curdir
    if not os.path.isdir(folder):
        raise UsageError(f"{name}: {template!r}: no such directory {folder}")
    return folder
