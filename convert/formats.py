"""
The table of formats.

A format is a module in `readers/`, a module in `writers/` and a line in `FORMATS`. Others join
by the entry-point group `sitemapx.formats`: an entry point named like the format that loads a
`Format`.
"""

from collections.abc import Callable, Collection, Iterator
from functools import cache
from importlib import import_module
from typing import Any, Literal, NamedTuple, Protocol, cast

from sitemapx.convert.document import FIELDS, Batch, Document, Head
from sitemapx.convert.encoded import Encoded
from sitemapx.convert.encodings import Readable
from sitemapx.convert.problems import Context
from sitemapx.errors import UsageError

__all__ = [
    "FORMATS",
    "Format",
    "Limits",
    "Reader",
    "Writer",
    "all_formats",
    "by_name",
    "by_suffix",
]

#: The entry-point group of formats from other packages.
GROUP = "sitemapx.formats"


class Reader(Protocol):
    """
    Read one format.

    A reader never opens, closes, fetches, prints or collects: it takes an open stream of
    unpacked bytes, and gives a document whose entries are read as they are asked for.
    """

    def __call__(self, stream: Readable, context: Context, /) -> Document:
        """
        Open a document.

        Raises:
            InputError: If the stream is not in this format at all; while iterating as well.

        """
        ...


class Writer(Protocol):
    """
    Write one format.

    A writer never sees a file: the caller joins, counts, splits and compresses what it returns.
    It keeps no state from one call to the next, so one writer serves many files.
    """

    def start(self, head: Head, fields: Collection[str]) -> bytes:
        """Return what stands before the entries of a file in which these fields are in use."""
        ...

    def encode(self, batch: Batch) -> Encoded:
        """Return the bytes of the entries; there are none of an entry that cannot be held."""
        ...

    def finish(self) -> bytes:
        """Return what stands after the last entry."""
        ...


class Limits(NamedTuple):
    """
    What one file of a format may hold; more makes a set of files with an index.

    Attributes:
        entries: How many entries.
        size: How many bytes, uncompressed.
        news: How many entries with `news`.

    """

    entries: int
    size: int
    news: int = 2**63


class Format(NamedTuple):
    """
    One format.

    Attributes:
        name: What `--from` and `--to` call it.
        title: What people call it.
        read: The `Reader`, or None; as "module:name" it is imported when it is used.
        write: A class whose objects are `Writer`s, made with a `Context`; likewise.
        suffixes: Endings of file names, for output; the first is the usual one.
        roots: Names of XML root elements, in lower case, that tell it.
        sniff: For what is no XML: tells from the first characters of a file; likewise.
        holds: The fields of an entry that it has a place for.
        limits: Of one file; None if there are none.
        is_published: Whether it is only ever made for search engines, so that the limits
            always apply; else they apply where an output is given an address.
        family: "sitemap" or "feed", whose foreign elements fit into no other; empty for a format
            that holds those of any, or none; see `Document`.
        head: The fields of a head that it has a place for.
        head_needs: Those that must be there.
        unique: The fields by which entries are told apart, so that no two may be alike there.

    """

    name: str
    title: str
    read: Reader | str | None = None
    write: Callable[[Context], Writer] | str | None = None
    suffixes: tuple[str, ...] = ()
    roots: tuple[str, ...] = ()
    sniff: Callable[[str], bool] | str | None = None
    holds: tuple[str, ...] = FIELDS
    limits: Limits | None = None
    is_published: bool = True
    family: str = ""
    head: tuple[str, ...] = ()
    head_needs: tuple[str, ...] = ()
    unique: tuple[Literal["loc", "id"], ...] = ()

    def reader(self) -> Reader:
        """
        Import the reader.

        Raises:
            UsageError: If there is none.

        """
        if self.read is None:
            raise UsageError(f"the format {self.name} cannot be read, only written")
        return cast(Reader, _load(self.read))

    def writer(self, context: Context) -> Writer:
        """
        Import the writer and make one.

        Raises:
            UsageError: If there is none.

        """
        if self.write is None:
            raise UsageError(f"the format {self.name} cannot be written, only read")
        return cast(Writer, _load(self.write)(context))

    def matches(self, start: str) -> bool:
        """Tell whether a text that is no XML looks like this format."""
        return self.sniff is not None and bool(_load(self.sniff)(start))


def _load(what: Any) -> Any:
    if not isinstance(what, str):
        return what
    module, _, name = what.partition(":")
    return getattr(import_module(module), name)


_READERS = "sitemapx.convert.readers"
_WRITERS = "sitemapx.convert.writers"
#: https://www.sitemaps.org/protocol.html#index and, for news,
#: https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap
_SITEMAP_LIMITS = Limits(entries=50_000, size=52_428_800, news=1_000)

_FEED_FIELDS = (
    *("loc", "lastmod", "title", "description", "id", "published", "language", "authors"),
    *("categories", "enclosures", "extras"),
)
_HEAD_FIELDS = (
    "title",
    "link",
    "description",
    "language",
    "authors",
    "self_link",
    "hubs",
    "updated",
)
#: RSS: "a string that uniquely identifies the item"; Atom: entries with the same id are the same,
#: https://www.rfc-editor.org/rfc/rfc4287#section-4.1.1
_FEED_UNIQUE: tuple[Literal["loc", "id"], ...] = ("id",)

FORMATS = (
    Format(
        "sitemap",
        "XML sitemap",
        f"{_READERS}.sitemap:read_sitemap",
        f"{_WRITERS}.sitemap:SitemapWriter",
        suffixes=(".xml",),
        roots=("urlset",),
        holds=(
            *("loc", "lastmod", "changefreq", "priority", "images", "videos", "news"),
            *("alternates", "mobile", "extras"),
        ),
        limits=_SITEMAP_LIMITS,
        family="sitemap",
    ),
    Format(
        "sitemapindex",
        "XML sitemap index",
        f"{_READERS}.sitemapindex:read_sitemapindex",
        f"{_WRITERS}.sitemapindex:SitemapIndexWriter",
        roots=("sitemapindex",),
        holds=("loc", "lastmod"),
        limits=_SITEMAP_LIMITS,
    ),
    Format(
        "rss",
        "RSS 2.0",
        f"{_READERS}.rss:read_rss",
        f"{_WRITERS}.rss:RssWriter",
        suffixes=(".rss",),
        roots=("rss", "rdf"),
        holds=_FEED_FIELDS,
        limits=_SITEMAP_LIMITS,
        is_published=False,
        family="feed",
        head=_HEAD_FIELDS,
        head_needs=("title", "link", "description"),
        unique=_FEED_UNIQUE,
    ),
    Format(
        "mrss",
        "RSS 2.0 with Media RSS",
        f"{_READERS}.rss:read_rss",
        f"{_WRITERS}.rss:MediaRssWriter",
        suffixes=(".mrss",),
        holds=(*_FEED_FIELDS, "images", "videos"),
        limits=_SITEMAP_LIMITS,
        is_published=False,
        family="feed",
        head=_HEAD_FIELDS,
        head_needs=("title", "link", "description"),
        unique=_FEED_UNIQUE,
    ),
    Format(
        "atom",
        "Atom 1.0",
        f"{_READERS}.atom:read_atom",
        f"{_WRITERS}.atom:AtomWriter",
        suffixes=(".atom",),
        roots=("feed", "entry"),
        holds=_FEED_FIELDS,
        limits=_SITEMAP_LIMITS,
        is_published=False,
        family="feed",
        head=(*_HEAD_FIELDS, "id"),
        head_needs=("title", "id", "authors", "updated"),
        unique=_FEED_UNIQUE,
    ),
    Format(
        "jsonl",
        "JSON Lines",
        f"{_READERS}.jsonl:read_jsonl",
        f"{_WRITERS}.jsonl:JsonlWriter",
        suffixes=(".jsonl", ".ndjson"),
        sniff=f"{_READERS}.jsonl:looks_like_jsonl",
    ),
    Format(
        "csv",
        "CSV with a header",
        f"{_READERS}.csv:read_csv",
        f"{_WRITERS}.csv:CsvWriter",
        suffixes=(".csv",),
        sniff=f"{_READERS}.csv:looks_like_csv",
    ),
    Format(
        "text",
        "Text list of URLs",
        f"{_READERS}.text:read_text",
        f"{_WRITERS}.text:TextWriter",
        suffixes=(".txt",),
        sniff=f"{_READERS}.text:looks_like_text",
        holds=("loc",),
        limits=_SITEMAP_LIMITS,
        is_published=False,
    ),
)


def all_formats() -> Iterator[Format]:
    """Give the formats of this package, and then those of others that are installed."""
    yield from FORMATS
    yield from _plugged_in()


@cache
def _plugged_in() -> tuple[Format, ...]:
    from importlib.metadata import entry_points

    return tuple(point.load() for point in entry_points(group=GROUP))


def by_name(name: str) -> Format:
    """
    Find a format.

    Raises:
        UsageError: If there is none of this name.

    """
    for one in all_formats():
        if one.name == name:
            return one
    known = ", ".join(one.name for one in all_formats())
    raise UsageError(f"no format is called {name!r}; there are {known}")


def by_suffix(path: str) -> Format | None:
    """Find the format that an output of this name is meant to be in."""
    name = path.lower().removesuffix(".gz")
    return next(
        (one for one in all_formats() if one.suffixes and name.endswith(one.suffixes)), None
    )
