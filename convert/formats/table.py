"""
Table of the built-in formats.

Readers and writers are given by name and imported on first use, so that unused formats cost
nothing.
"""

from collections.abc import Sequence
from functools import partial
from typing import Literal

from sitemapx.convert.formats.format import Format
from sitemapx.convert.formats.limits import PROTOCOL_LIMITS, Limits, Requirements
from sitemapx.convert.model.batch import FIELDS, STATED_FIELDS
from sitemapx.errors import UnknownNameError, UsageError
from sitemapx.optionnames import option

# ---- sitemaps

SITEMAP = Format(
    "sitemap",
    "XML sitemap",
    "sitemapx.convert.formats.sitemap.reader:read_sitemap",
    "sitemapx.convert.formats.sitemap.writer:SitemapWriter",
    suffixes=(".xml",),
    media_type="application/xml",
    roots=("urlset",),
    item="url",
    holds=(
        *("loc", "lastmod", "changefreq", "priority", "images", "videos", "news"),
        *("alternates", "mobile", "extras"),
    ),
    limits=PROTOCOL_LIMITS,
    family="sitemap",
    has_schema=True,
)
SITEMAP_INDEX = Format(
    "sitemapindex",
    "XML sitemap index",
    "sitemapx.convert.formats.sitemap.reader:read_sitemapindex",
    "sitemapx.convert.formats.sitemap.writer:SitemapIndexWriter",
    media_type="application/xml",
    roots=("sitemapindex",),
    item="sitemap",
    holds=("loc", "lastmod"),
    limits=PROTOCOL_LIMITS,
    family="sitemap",
    has_schema=True,
)
TEXT = Format(
    "text",
    "Text list of URLs",
    "sitemapx.convert.formats.text.reader:read_text",
    "sitemapx.convert.formats.text.writer:TextWriter",
    suffixes=(".txt",),
    media_type="text/plain; charset=utf-8",
    sniff="sitemapx.convert.formats.text.reader:looks_like_text",
    holds=("loc",),
    limits=PROTOCOL_LIMITS,
    is_published=False,
)


# ---- feeds

_FEED_FIELDS = (
    *("loc", "lastmod", "title", "description", "id", "published", "language", "authors"),
    *("categories", "enclosures", "extras"),
)
#: Fields from which the writers of feeds fill in missing fields.
_USED_FIELDS = ("news", "videos")
_HEAD_FIELDS = (
    *("title", "link", "description", "language", "authors", "self_link", "hubs", "updated"),
)
#: RSS: "a string that uniquely identifies the item"; Atom: equal IDs "represent the same entry",
#: https://www.rfc-editor.org/rfc/rfc4287#section-4.1.1
_UNIQUE: tuple[Literal["loc", "id"], ...] = ("id",)

_RSS_HEAD = ("title", "link", "description")
RSS = Format(
    "rss",
    "RSS 2.0",
    "sitemapx.convert.formats.rss.reader:read_rss",
    "sitemapx.convert.formats.rss.writer:RssWriter",
    suffixes=(".rss",),
    media_type="application/rss+xml",
    roots=("rss", "rdf"),
    item="item",
    holds=_FEED_FIELDS,
    limits=PROTOCOL_LIMITS,
    is_published=False,
    family="feed",
    head=_HEAD_FIELDS,
    head_needs=_RSS_HEAD,
    unique=_UNIQUE,
    uses=_USED_FIELDS,
    requires=Requirements(
        head=_RSS_HEAD,
        entry=(("title", "description"),),
        spellings=(("id", "guid"), ("published", "pubDate")),
    ),
)
#: The reader is the same as for RSS, in which any feed may have media, so this format is never
#: detected.
MEDIA_RSS = RSS._replace(
    name="mrss",
    title="RSS 2.0 with Media RSS",
    write="sitemapx.convert.formats.rss.writer:MediaRssWriter",
    suffixes=(".mrss",),
    roots=(),
    holds=(*_FEED_FIELDS, "images", "videos"),
)
ATOM = Format(
    "atom",
    "Atom 1.0",
    "sitemapx.convert.formats.atom.reader:read_atom",
    "sitemapx.convert.formats.atom.writer:AtomWriter",
    suffixes=(".atom",),
    media_type="application/atom+xml",
    roots=("feed", "entry"),
    item="entry",
    holds=_FEED_FIELDS,
    limits=PROTOCOL_LIMITS,
    is_published=False,
    family="feed",
    head=(*_HEAD_FIELDS, "id"),
    head_needs=("title", "id", "authors", "updated"),
    unique=_UNIQUE,
    uses=_USED_FIELDS,
    requires=Requirements(
        head=("title", "id", "updated"),
        entry=(("id",), ("title",), ("lastmod",)),
        spellings=(("lastmod", "updated"),),
    ),
)
JSON_FEED = Format(
    "jsonfeed",
    "JSON Feed 1.1",
    "sitemapx.convert.formats.jsonfeed.reader:read_jsonfeed",
    "sitemapx.convert.formats.jsonfeed.writer:JsonFeedWriter",
    suffixes=(".json",),
    media_type="application/feed+json",
    sniff="sitemapx.convert.formats.jsonfeed.reader:looks_like_jsonfeed",
    holds=(*(name for name in _FEED_FIELDS if name != "extras"), "images"),
    limits=PROTOCOL_LIMITS,
    is_published=False,
    family="feed",
    head=tuple(name for name in _HEAD_FIELDS if name != "updated"),
    head_needs=("title",),
    unique=_UNIQUE,
    uses=_USED_FIELDS,
    requires=Requirements(
        head=("title",),
        entry=(("id",),),
        spellings=(
            ("lastmod", "date_modified"),
            ("published", "date_published"),
        ),
    ),
)
OPML = Format(
    "opml",
    "OPML list of feeds",
    "sitemapx.convert.formats.opml.reader:read_opml",
    media_type="text/x-opml",
    roots=("opml",),
    item="outline",
    holds=("loc", "title", "description", "language"),
    is_published=False,
)


# ---- rows

JSONL = Format(
    "jsonl",
    "JSON Lines",
    "sitemapx.convert.formats.jsonl.reader:read_jsonl",
    "sitemapx.convert.formats.jsonl.writer:JsonlWriter",
    suffixes=(".jsonl", ".ndjson"),
    media_type="application/x-ndjson",
    sniff="sitemapx.convert.formats.jsonl.reader:looks_like_jsonl",
)
#: The reader is the same as for JSON Lines, which accepts arrays, so this format is never detected.
JSON = JSONL._replace(
    name="json",
    title="JSON array",
    write="sitemapx.convert.formats.jsonl.writer:JsonWriter",
    suffixes=(),  # .json is JSON Feed
    media_type="application/json",
    sniff=None,
)
#: Name that selects a table with one column per language.
_LANGUAGES = "languages"


def _select_csv_columns(table: Format, names: Sequence[str]) -> Format:
    """Return a table format with these columns; for "languages", the table of language versions."""
    from sitemapx.convert.formats.csv.writer import DELIMITERS, CsvWriter

    for name in names:
        if name not in (*FIELDS, _LANGUAGES):
            raise UnknownNameError("column", name, [*FIELDS, _LANGUAGES])
    if _LANGUAGES in names:
        if len(names) > 1:
            raise UsageError(f"{option('columns', _LANGUAGES)} cannot have other columns")
        return table._replace(
            write=None,  # `arrange` creates the writer once the languages are known
            holds=("loc", "language", "alternates"),
            arrange="sitemapx.convert.formats.csv.languagetable:arrange",
        )
    columns = _require_loc(names)
    writer = partial(CsvWriter, columns=columns, delimiter=DELIMITERS[table.name])
    return table._replace(write=writer, holds=columns)


def _require_loc(names: Sequence[str]) -> tuple[str, ...]:
    """Return the distinct names of columns; raise `UsageError` if `loc` is not among them."""
    if "loc" not in names:
        raise UsageError(f"{option('columns')} must include loc, the URL")
    return tuple(dict.fromkeys(names))


CSV = Format(
    "csv",
    "CSV with a header",
    "sitemapx.convert.formats.csv.reader:read_csv",
    "sitemapx.convert.formats.csv.writer:CsvWriter",
    suffixes=(".csv",),
    media_type="text/csv; charset=utf-8",
    sniff="sitemapx.convert.formats.csv.reader:looks_like_csv",
    holds=STATED_FIELDS,
    with_columns=_select_csv_columns,
)
#: The reader is the same as for CSV, which detects the separator, so this format is never detected.
TSV = CSV._replace(
    name="tsv",
    title="Tab-separated values with a header",
    write="sitemapx.convert.formats.csv.writer:TsvWriter",
    suffixes=(".tsv",),
    media_type="text/tab-separated-values; charset=utf-8",
    sniff=None,
)


def _select_sqlite_columns(table: Format, names: Sequence[str]) -> Format:
    """Return the database format with these columns; raise `UsageError` if one is unknown."""
    from sitemapx.convert.formats.sqlite.writer import SqliteWriter

    for name in names:
        if name not in FIELDS:
            raise UnknownNameError("column", name, FIELDS)
    columns = _require_loc(names)
    return table._replace(write=partial(SqliteWriter, columns=columns), holds=columns)


#: The packer converts JSON arrays to a database.
SQLITE = Format(
    "sqlite",
    "SQLite database",
    "sitemapx.convert.formats.sqlite.reader:read_sqlite",
    "sitemapx.convert.formats.sqlite.writer:SqliteWriter",
    suffixes=(".sqlite", ".sqlite3", ".db"),
    media_type="application/vnd.sqlite3",
    holds=STATED_FIELDS,
    is_published=False,
    magic=(b"SQLite format 3\0",),
    packer="sitemapx.convert.formats.sqlite.writer:SqlitePacker",
    with_columns=_select_sqlite_columns,
)


def _select_columns(columnar: Format, names: Sequence[str]) -> Format:
    """Return a columnar format with only these columns; raise `UsageError` for unknown names."""
    from sitemapx.convert.formats.arrow.writer import ArrowWriter
    from sitemapx.convert.model.tabular import check_columns, fields_of_columns

    columns = check_columns(names)
    return columnar._replace(
        write=partial(ArrowWriter, columns=columns), holds=fields_of_columns(columns)
    )


ARROW = Format(
    "arrow",
    "Arrow IPC stream",
    "sitemapx.convert.formats.arrow.reader:read_arrow",
    "sitemapx.convert.formats.arrow.writer:ArrowWriter",
    suffixes=(".arrows",),
    media_type="application/vnd.apache.arrow.stream",
    is_published=False,
    magic=(b"\xff\xff\xff\xff", b"ARROW1\0\0"),
    with_columns=_select_columns,
)
#: The packer converts Arrow streams to Parquet files.
PARQUET = ARROW._replace(
    name="parquet",
    title="Parquet",
    read="sitemapx.convert.formats.parquet.reader:read_parquet",
    suffixes=(".parquet", ".pq"),
    media_type="application/vnd.apache.parquet",
    magic=(b"PAR1",),
    packer="sitemapx.convert.formats.parquet.packer:ParquetPacker",
)


# ---- HTML

BOOKMARKS = Format(
    "bookmarks",
    "Bookmarks of a browser",
    "sitemapx.convert.formats.bookmarks.reader:read_bookmarks",
    media_type="text/html; charset=utf-8",
    doctype="netscape-bookmark-file-1",
    holds=("loc", "title", "description", "categories"),
)
HTML = Format(
    "html",
    "HTML site map",
    write="sitemapx.convert.formats.html.writer:HtmlWriter",
    suffixes=(".html", ".htm"),
    media_type="text/html; charset=utf-8",
    holds=("loc", "lastmod", "title", "language", "alternates"),
    limits=Limits(entries=1_000, size=2**63),
    is_published=False,
    is_paged=True,
    head=("title", "language"),
)
