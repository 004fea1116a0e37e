"""
Reads a directory of HTML pages, as site generators write and servers publish it.

Index files have the URL of their directory. Pages that search engines should not index are skipped
and counted: error pages, site verification files, and pages with `noindex`, another canonical URL,
or a redirect, or blocked by robots.txt.
"""

import os
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from functools import partial
from itertools import filterfalse
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from msgspec.structs import replace

from sitemapx.convert.formats.format import Context
from sitemapx.convert.html.page import Page, PagePlace, read_page_file, report_bad_dates, report_cut
from sitemapx.convert.html.robotsmeta import select_bans
from sitemapx.convert.model.batch import EMPTY, batched
from sitemapx.convert.model.document import Document
from sitemapx.convert.model.entry import Alternate, Entry, Image
from sitemapx.convert.model.reporter import Location
from sitemapx.convert.parallel.items import map_items
from sitemapx.convert.sources.urlmap import SUFFIXES, UrlMap, folder_address
from sitemapx.convert.values import uris, urls
from sitemapx.errors import InputError, UsageError
from sitemapx.optionnames import option

if TYPE_CHECKING:
    from protego import Protego


_HOLDS = ("loc", "title", "description", "published", "language", "images", "alternates")
#: Fields that need the whole page, not only its head.
_OF_BODY = frozenset({"images", "published"})
INDEXES = ("index.html", "index.htm", "index.xhtml")
_OTHER_CANONICAL = "page has another canonical URL"
_ERROR_PAGES = frozenset({"404.html", "404.htm", "50x.html", "500.html"})
#: Names of files by which Google, Yandex, Naver, Baidu and Pinterest verify the owner of a site.
_is_verification = re.compile(
    r"google[0-9a-f]{16}|yandex_[0-9a-f]{16}|naver[0-9a-f]{32}|baidu_verify_[\w-]+"
    r"|pinterest-[0-9a-f]+",
    re.ASCII,
).fullmatch


def read_directory(
    folder: str,
    context: Context,
    *,
    with_images: bool = False,
    processes: int = 1,
    skips: Callable[[PagePlace], bool] | None = None,
    on_page: Callable[[str, Page], object] | None = None,
) -> Document:
    """
    Read the pages of a directory and its subdirectories; report skipped pages to the context.

    A directory without pages to read raises `InputError` while the entries are read.

    Args:
        context: Its `url` is the URL of the directory; a missing or other URL raises `UsageError`.
        skips: Returns whether a page is not read, without a report; None to read all.
        on_page: Called with the URL and the content of each page that was read, even if the page
            does not become an entry.

    """
    if not context.url:
        advice = (
            f"pass {option('source_url')} to read its HTML pages, or name the sitemap files in it"
        )
        raise UsageError(f"{folder} is a directory: {advice}")
    files = _Folder(folder, folder_address(context.url), context)
    holds = tuple(name for name in _HOLDS if with_images or name != "images")
    fields = [name for name in holds if context.wants(name)]
    return Document(batched(files.entries(fields, processes, skips, on_page)), holds=holds)


class _Folder:
    def __init__(self, folder: str, base: str, context: Context) -> None:
        self._folder = folder
        self._base = base
        self._context = context
        self._robots = self._read_robots()

    def _read_robots(self) -> "Protego | None":
        path = Path(self._folder, "robots.txt")
        if not path.is_file() or self._base.count("/") != 3:  # or not the root of a host
            return None
        from protego import Protego

        try:
            return Protego.parse(path.read_text("utf-8-sig", "replace"))
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", str(path)) from error

    def entries(
        self,
        fields: Collection[str],
        processes: int,
        skips: Callable[[PagePlace], bool] | None,
        on_page: Callable[[str, Page], object] | None,
    ) -> Iterator[Entry]:
        is_empty, has_entries, canonicals = True, False, Counter[str]()
        pages = (PagePlace(path, self._loc(path)) for path in self._pages())
        places = filterfalse(skips, pages) if skips else pages
        wanted = _OF_BODY.intersection(fields) | ({"links"} if on_page else set())
        read = partial(read_page_file, wanted=wanted)
        for place, file in map_items(read, places, processes):
            is_empty = False
            if file.page is None:
                self._report_unread(file.error, place.path)
                continue
            if on_page:
                on_page(place.url, file.page)
            loc = self._canonical(file.page, place)
            if reason := self._reason_against(file.page, loc, place.path):
                where = Location(loc=loc, source=place.path)
                self._context.tally("skipped-page", reason, done="; skipped", **where)
                if reason == _OTHER_CANONICAL:
                    canonicals[urls.origin(file.page.canonical or "")] += 1
                continue
            has_entries = True
            if file.is_cut and not _OF_BODY.isdisjoint(fields):
                report_cut(self._context, loc)
            if "published" in fields:
                report_bad_dates(self._context, file.page, loc)
            yield _entry(file.page, loc, fields)
        if is_empty:
            raise InputError(f"directory has no pages ({', '.join(SUFFIXES)})", self._folder)
        if canonicals and not has_entries:
            ((site, _),) = canonicals.most_common(1)
            advice = f"pass the URL of the directory there by {option('source_url')}"
            message = f"no pages are listed: their canonical URLs are on {site}; {advice}"
            self._context.problem("empty", message)

    def _pages(self) -> Iterator[str]:
        """Yield the paths of HTML files, without hidden ones; report links to directories."""
        for directory, folders, files in os.walk(self._folder, onerror=self._report_error):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for path in filter(os.path.islink, (os.path.join(directory, name) for name in folders)):
                self._report_link(path)
            for name in sorted(files, key=lambda name: (name not in INDEXES, name)):
                if name.lower().endswith(SUFFIXES) and not name.startswith("."):
                    yield os.path.join(directory, name)

    def _report_error(self, error: OSError) -> None:
        self._report_unread(f"cannot be read: {error.strerror}", str(error.filename))

    def _report_unread(self, message: str, path: str) -> None:
        loc = self._loc(path)
        self._context.problem("path-unreadable", message, done="; skipped", loc=loc, source=path)

    def _report_link(self, path: str) -> None:
        """Report a symbolic link to a directory; it is not followed, as it may lead anywhere."""
        root = os.path.realpath(self._folder)
        if Path(os.path.realpath(path)).is_relative_to(root):
            message = "symbolic link to a directory that is read anyway"
            place = Location(loc=self._loc(path), source=path)
            self._context.tally("skipped-page", message, done="; skipped", **place)
        else:
            message = "symbolic link leads out of the directory; not followed"
            self._context.problem("path-unreadable", message, loc=self._loc(path), source=path)

    def _loc(self, path: str) -> str:
        name = Path(os.path.relpath(path, self._folder)).as_posix()
        head, slash, last = name.rpartition("/")
        return self._base + quote(os.fsencode(head + slash if last in INDEXES else name))

    def _canonical(self, page: Page, place: PagePlace) -> str:
        """Return the canonical URL of a page if it is another URL of its file; else `place.url`."""
        path, loc = place
        if page.canonical and not _are_same(page.canonical, loc):
            found = file_of(
                uris.normalize(page.canonical), self._folder, uris.normalize(self._base)
            )
            if found and os.path.samefile(found, path):
                return page.canonical
        return loc

    def _reason_against(self, page: Page, loc: str, path: str) -> str:
        if os.path.relpath(path, self._folder) in _ERROR_PAGES:
            return "error page"
        if _is_verification(os.path.relpath(path, self._folder).removesuffix(".html")):
            return "site verification file"
        if bans := select_bans(page.bans):
            return f"page is marked {bans[0].directive}"
        if page.leads_to is not None:
            return "page redirects"
        if page.canonical and not _are_same(page.canonical, loc):
            return _OTHER_CANONICAL
        if self._robots and not self._robots.can_fetch(loc, "*"):
            return "page is blocked by robots.txt"
        return ""


def _entry(page: Page, loc: str, fields: Collection[str]) -> Entry:
    entry = Entry(
        loc=loc,
        title=page.title,
        description=page.description,
        published=page.published,
        language=page.language,
        images=tuple(Image(loc=image) for image in page.images),
        alternates=tuple(
            Alternate(hreflang=link.language, href=link.url) for link in page.alternates
        ),
    )
    unwanted = {name: EMPTY[name] for name in _HOLDS if name not in fields}
    return replace(entry, **unwanted) if unwanted else entry


def _are_same(url: str, other: str) -> bool:
    return uris.normalize(url) == uris.normalize(other)


def file_of(loc: str, folder: str, base: str | None) -> str | None:
    """
    Return the path of the file that a web server may serve for a URL, or None.

    The URL may omit `.html` or the name of an index file. `base` is the URL of the directory, with
    a final slash; None for the root of any host.
    """
    root = base or "/".join([*loc.split("/")[:3], ""])
    path = UrlMap(root, folder).path_of(loc if loc.count("/") > 2 else f"{loc}/")
    if path is None:
        return None
    inside = [os.path.join(path, name) for name in INDEXES]
    candidates = inside if loc.endswith("/") else [path, f"{path}.html", *inside]
    return next((candidate for candidate in candidates if os.path.isfile(candidate)), None)
