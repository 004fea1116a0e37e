"""
The one model: what any format says about one URL.

Every reader makes an `Entry`, every writer takes one. A field that the source does not have is
None (or an empty tuple): a default is never put in its place. The order of the fields is the
order of the keys in JSON Lines.
"""

from typing import TYPE_CHECKING, Any

from sitemapx.convert.model.base import Model
from sitemapx.convert.model.media import Image, Video
from sitemapx.convert.values.w3cdate import moment

if TYPE_CHECKING:
    from datetime import datetime

__all__ = ["Alternate", "Enclosure", "Entry", "News", "Publication", "has", "is_anonymous"]


class Publication(Model, frozen=True):
    """
    Publication in which an article appears. XML `news:publication`.

    Attributes:
        name: Name, exactly as on news.google.com. XML `news:name`.
        language: Language code (ISO 639, two or three letters), or "zh-cn" or "zh-tw". XML
            `news:language`.

    """

    name: str | None = None
    language: str | None = None


class News(Model, frozen=True):
    """
    News article, as Google News requires it. XML `news:news`.

    Required are `publication`, `publication_date` and `title`; Google no longer documents the other
    fields (https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap).

    Attributes:
        publication: Publication in which the article appears.
        publication_date: Date of the first publication of the article (W3C Datetime). XML
            `news:publication_date`.
        title: Title of the article. XML `news:title`.
        access: "Subscription" or "Registration" if the article is not freely available. XML
            `news:access`.
        genres: Any of "PressRelease", "Satire", "Blog", "OpEd", "Opinion" and "UserGenerated". XML
            `news:genres`.
        keywords: Keywords. XML `news:keywords`.
        stock_tickers: At most five stock tickers, such as "NASDAQ:AMAT". XML `news:stock_tickers`.

    """

    publication: Publication | None = None
    publication_date: str | None = None
    title: str | None = None
    access: str | None = None
    genres: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    stock_tickers: tuple[str, ...] = ()


class Alternate(Model, frozen=True):
    """
    Alternate version of the page, such as one in another language. XML `xhtml:link`.

    Google's guidelines:
    https://developers.google.com/search/docs/specialty/international/localized-versions

    Attributes:
        hreflang: Language and optional country, such as "de" or "de-CH" (ISO 639-1, ISO 3166-1
            alpha-2), or "x-default". XML `@hreflang`.
        href: Absolute URL of the version. XML `@href`.
        rel: Link type, such as "amphtml"; None for "alternate". XML `@rel`.
        media: Media query for which the version is meant. XML `@media`.
        type: MIME type of the version. XML `@type`.
        title: Title of the version. XML `@title`.

    """

    hreflang: str | None = None
    href: str | None = None
    rel: str | None = None
    media: str | None = None
    type: str | None = None
    title: str | None = None


class Enclosure(Model, frozen=True):
    """
    File attached to an item of a feed. RSS `enclosure`; Atom `link rel="enclosure"`.

    Attributes:
        url: URL of the file. RSS `@url`; Atom `@href`; JSON Feed `attachments/url`.
        type: MIME type. RSS and Atom `@type`; JSON Feed `attachments/mime_type`.
        length: Size in bytes. RSS and Atom `@length`; JSON Feed `attachments/size_in_bytes`.

    """

    url: str | None = None
    type: str | None = None
    length: int | None = None


class Entry(Model, frozen=True):
    """
    Everything that a source says about one URL.

    A field without a value is `None` or an empty tuple. The elements of XML sitemaps are defined in
    https://www.sitemaps.org/protocol.html.

    Attributes:
        loc: Absolute URL of the page, as published; in an index, of the listed sitemap. XML `loc`;
            text: the line; RSS `link`, else a permalink `guid`; Atom `link rel="alternate"`; JSON
            Feed `url`.
        lastmod: Date of the last change (W3C Datetime, with the precision and the UTC offset of the
            source). XML `lastmod`; RSS `atom:updated`, else `pubDate` or `dc:date`; Atom `updated`;
            JSON Feed `date_modified`, else `date_published`.
        changefreq: "always", "hourly", "daily", "weekly", "monthly", "yearly" or "never". XML
            `changefreq`.
        priority: Priority relative to other pages of the site, 0.0 to 1.0. XML `priority`.
        title: Title. RSS, Atom and JSON Feed `title`.
        description: Summary or content, may contain HTML. RSS `description`, else
            `content:encoded`; Atom `summary`, else `content`; JSON Feed `summary`, else
            `content_html` or `content_text`.
        id: Identifier of a feed item. RSS `guid`; Atom and JSON Feed `id`.
        published: Date of the publication (W3C Datetime). RSS `pubDate`; Atom `published`; JSON
            Feed `date_published`.
        language: Language code (BCP 47). RSS `dc:language`; Atom `xml:lang`; JSON Feed `language`.
        authors: Names of the authors. RSS `author`, `dc:creator`, `itunes:author`; Atom
            `author/name`; JSON Feed `authors`.
        categories: Categories. RSS and Atom `category`, `dc:subject`; JSON Feed `tags`.
        images: Images on the page. XML `image:image`; Media RSS; JSON Feed `image`, `banner_image`.
        videos: Videos on the page. XML `video:video`; Media RSS.
        news: Data for Google News. XML `news:news`.
        alternates: Alternate versions of the page (hreflang). XML `xhtml:link`.
        enclosures: Attached files. RSS `enclosure`; Atom `link rel="enclosure"`; JSON Feed
            `attachments`.
        mobile: True for a page for feature phones, else None. XML `mobile:mobile` (obsolete).
        extras: Foreign XML elements, each serialized as an XML document (Exclusive XML
            Canonicalization).
        source: File, or URL of the listed sitemap or feed page, that lists the entry. Only set on
            request, as by `--with-source`.

    """

    loc: str | None = None
    lastmod: str | None = None
    changefreq: str | None = None
    priority: float | None = None
    title: str | None = None
    description: str | None = None
    id: str | None = None
    published: str | None = None
    language: str | None = None
    authors: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    images: tuple[Image, ...] = ()
    videos: tuple[Video, ...] = ()
    news: News | None = None
    alternates: tuple[Alternate, ...] = ()
    enclosures: tuple[Enclosure, ...] = ()
    mobile: bool | None = None
    extras: tuple[str, ...] = ()
    source: str | None = None

    @property
    def lastmod_datetime(self) -> "datetime | None":
        """Start of the period of `lastmod`, such as midnight of a day; UTC if it has no offset."""
        return moment(self.lastmod) if self.lastmod else None

    @property
    def published_datetime(self) -> "datetime | None":
        """Start of the period of `published`; see `lastmod_datetime`."""
        return moment(self.published) if self.published else None


def is_anonymous(entry: Entry) -> bool:
    """Return whether nothing in an entry says what it is about: no URL, no text, no media."""
    texts = entry.loc or entry.id or entry.title or entry.description
    return not (texts or entry.enclosures or entry.images or entry.videos)


def has(value: Any) -> bool:
    """Return whether a field has a value: not None, nor an empty tuple. (False is one: `no`.)"""
    return value is not None and value != ()
