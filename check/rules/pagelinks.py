"""Links between the pages of a built site, to find listed pages without any."""

from collections.abc import Iterator

import msgspec

from sitemapx.check.live.listed import ListedPage
from sitemapx.convert.disk.spill import DiskQueue, HashNotes
from sitemapx.convert.html.page import Page
from sitemapx.convert.sources.folder import INDEXES
from sitemapx.convert.sources.urlmap import SUFFIXES
from sitemapx.convert.values import uris

_IN_MEMORY = 24 << 20

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(tuple[str, ListedPage]).decode


class PageLinks:
    """Collects all links, and the pages to which another page must link; uses little memory."""

    def __init__(self) -> None:
        self._linked = HashNotes()
        self._expected = DiskQueue(_IN_MEMORY)

    def add_page(self, url: str, page: Page) -> None:
        """Add the links of a page, and the URLs of its versions, canonical page and redirect."""
        others = (version.url for version in page.alternates)
        targets = [*page.links, *others, page.canonical or "", page.leads_to or ""]
        keys = set(map(_key, dict.fromkeys(targets))) - {_key(url)}
        self._linked.add_notes(dict.fromkeys(map(hash, keys), 0))

    def expect_link(self, url: str, page: ListedPage) -> None:
        """Add a listed page that needs a link."""
        self._expected.add_row(_encode((_key(url), page)))

    def orphans(self, home: str) -> Iterator[ListedPage]:
        """
        Yield the pages without a link from another page, except the home page.

        Nothing is yielded if all lack one, as on a site whose links are added by scripts.
        """
        if any(is_linked for is_linked, _ in self._read_expected(home)):
            yield from (page for is_linked, page in self._read_expected(home) if not is_linked)

    def _read_expected(self, home: str) -> Iterator[tuple[bool, ListedPage]]:
        """Yield each expected page but the home page, after whether another page links to it."""
        for key, page in map(_decode, self._expected):
            if key != _key(home):
                yield bool(self._linked.find([hash(key)])), page

    def close(self) -> None:
        self._linked.close()
        self._expected.close()


def _key(url: str) -> str:
    """Return a key of a file: its URL without query, fragment, index file, suffix and last `/`."""
    path = uris.normalize(url.partition("#")[0].partition("?")[0])
    for name in INDEXES:
        path = path.removesuffix(f"/{name}")
    for suffix in SUFFIXES:
        path = path.removesuffix(suffix)
    return path.removesuffix("/")
