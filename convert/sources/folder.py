"""
A folder of HTML as a list of pages: what a static site generator made, or a web server serves.

`index.html` is the address of its folder. Left out, and counted, is what is not to be found by
search engines: pages with `noindex`, those whose canonical address is another page's, those that
only lead on, and what the robots.txt in the folder forbids.
"""

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from sitemapx.convert.formats.format import Context
from sitemapx.convert.html.robotsmeta import hidden_from
from sitemapx.convert.model.batch import batched
from sitemapx.convert.model.document import Document
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.model.media import Image
from sitemapx.convert.sources.urlmap import UrlMap, folder_address
from sitemapx.convert.values import uris
from sitemapx.errors import InputError, UsageError
from sitemapx.optionnames import option

if TYPE_CHECKING:
    from protego import Protego

    from sitemapx.convert.html.page import Page

__all__ = ["INDEXES", "SUFFIXES", "file_of", "read_directory"]

SUFFIXES = (".html", ".htm", ".xhtml")
INDEXES = ("index.html", "index.htm", "index.xhtml")
#: What servers show in place of a page that is not there.
_ERROR_PAGES = frozenset({"404.html", "404.htm", "50x.html", "500.html"})


def read_directory(
    folder: str,
    context: Context,
    *,
    with_images: bool = False,
    skips: Callable[[str], bool] = lambda loc: False,
) -> Document:
    """
    Read a folder, and the folders in it, in the order of their names.

    Args:
        folder: Where the pages are.
        context: Its `url` is the address of the folder; it is told of what is left out.
        with_images: Whether the images in the pages are listed.
        skips: Returns whether the page of a URL is not even read.

    Raises:
        UsageError: If the address is not said, or is not that of a folder.
        InputError: If there is no page; while iterating.

    """
    if not context.url:
        advice = (
            f"pass {option('source_url')} to read its HTML pages, or name the sitemap files in it"
        )
        raise UsageError(f"{folder} is a directory: {advice}")
    files = _Folder(folder, folder_address(context.url), context)
    return Document(batched(files.entries(with_images, skips)))


class _Folder:
    """A folder that is published at an address."""

    def __init__(self, folder: str, base: str, context: Context) -> None:
        self._folder = folder
        self._base = base
        self._context = context
        self._robots = self._read_robots()

    def _read_robots(self) -> "Protego | None":
        path = Path(self._folder, "robots.txt")
        if not path.is_file() or self._base.count("/") != 3:  # not the root of a host
            return None
        from protego import Protego

        return Protego.parse(path.read_text("utf-8-sig", "replace"))

    def entries(self, with_images: bool, skips: Callable[[str], bool]) -> Iterator[Entry]:
        """Return an entry for each page that is to be found, but for those that are skipped."""
        from sitemapx.convert.html.page import parse_page

        is_empty = True
        for path in self._pages():
            is_empty = False
            loc = self._loc(path)
            if skips(loc) or (data := self._read(path, loc)) is None:
                continue
            page = parse_page(data, loc)
            loc = self._canonical(page, path, loc)
            if reason := self._reason_against(page, loc, path):
                self._context.tally("unlisted", reason, done="; skipped", loc=loc)
            else:
                images = page.images if with_images else ()
                yield Entry(loc=loc, images=tuple(Image(loc=image) for image in images))
        if is_empty:
            raise InputError(f"directory has no pages ({', '.join(SUFFIXES)})", self._folder)

    def _pages(self) -> Iterator[str]:
        """List the HTML files in the order of their names; what is hidden stays so."""
        for directory, folders, files in os.walk(self._folder, onerror=self._report_error):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for path in filter(os.path.islink, (os.path.join(directory, name) for name in folders)):
                self._report_link(path)
            for name in sorted(files, key=lambda name: (name not in INDEXES, name)):
                if name.lower().endswith(SUFFIXES) and not name.startswith("."):
                    yield os.path.join(directory, name)

    def _report_error(self, error: OSError) -> None:
        """Report a folder that cannot be read."""
        self._report_unread(f"cannot be read: {error.strerror}", self._loc(str(error.filename)))

    def _report_unread(self, message: str, loc: str) -> None:
        self._context.problem("unread", message, done="; skipped", loc=loc)

    def _report_link(self, path: str) -> None:
        """Report a link to a folder, which is not followed: it may lead anywhere."""
        root = os.path.realpath(self._folder)
        if Path(os.path.realpath(path)).is_relative_to(root):
            message = "symbolic link to a directory that is read itself"
            self._context.tally("unlisted", message, done="; skipped", loc=self._loc(path))
        else:
            message = "symbolic link leads out of the directory; not followed"
            self._context.problem("unread", message, loc=self._loc(path))

    def _read(self, path: str, loc: str) -> bytes | None:
        """Read a page; what is none, such as a pipe, may never end."""
        try:
            if stat.S_ISREG(os.stat(path).st_mode):
                return Path(path).read_bytes()
        except OSError as error:  # an error of reading names no file
            self._report_unread(f"cannot be read: {error.strerror}", loc)
        else:
            self._report_unread("not a regular file", loc)
        return None

    def _loc(self, path: str) -> str:
        name = Path(os.path.relpath(path, self._folder)).as_posix()
        head, slash, last = name.rpartition("/")
        return self._base + quote(os.fsencode(head + slash if last in INDEXES else name))

    def _canonical(self, page: "Page", path: str, loc: str) -> str:
        """Take the address that a page gives itself, if it leads to this very file."""
        if page.canonical and not _are_same(page.canonical, loc):
            found = file_of(uris.normal(page.canonical), self._folder, uris.normal(self._base))
            if found and os.path.samefile(found, path):
                return page.canonical
        return loc

    def _reason_against(self, page: "Page", loc: str, path: str) -> str:
        """Return why a page is not to be listed; the empty string if it is."""
        if os.path.relpath(path, self._folder) in _ERROR_PAGES:
            return "error page"
        if hidden_from(page.noindex):
            return "page is marked noindex"
        if page.leads_to is not None:
            return "page redirects"
        if page.canonical and not _are_same(page.canonical, loc):
            return "page has another canonical URL"
        if self._robots and not self._robots.can_fetch(loc, "*"):
            return "page is blocked by robots.txt"
        return ""


def _are_same(url: str, other: str) -> bool:
    return uris.normal(url) == uris.normal(other)


def file_of(loc: str, folder: str, base: str | None) -> str | None:
    """
    Find the file that a server would show for an address.

    Args:
        loc: The address.
        folder: Where the files are.
        base: The address of the folder, with a final slash; None for the root of any host.

    Returns:
        The path, also without `index.html` and `.html` in the address; None if there is none.

    """
    root = base or "/".join([*loc.split("/")[:3], ""])
    path = UrlMap(root, folder).path_of(loc if loc.count("/") > 2 else f"{loc}/")
    if path is None:
        return None
    inside = [os.path.join(path, name) for name in INDEXES]
    candidates = inside if loc.endswith("/") else [path, f"{path}.html", *inside]
    return next((candidate for candidate in candidates if os.path.isfile(candidate)), None)
