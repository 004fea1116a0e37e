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
    The newspaper. XML `news:publication`.

    Attributes:
        language: ISO 639, or "zh-cn" or "zh-tw".

    """

    name: str | None = None
    language: str | None = None


class News(Model, frozen=True):
    """
    The article, as Google News needs it. XML `news:news`.

    Attributes:
        publication_date: W3C Datetime of the article's first publication.
        access: "Subscription" or "Registration".
        stock_tickers: Up to five, such as "NASDAQ:AMAT".

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
    Another version of the page. XML `xhtml:link`.

    Attributes:
        hreflang: Language, as "de", "de-CH" or "x-default".
        rel: Only where it is not "alternate", such as "amphtml".
        media: The three other attributes that links carry in the wild.

    """

    hreflang: str | None = None
    href: str | None = None
    rel: str | None = None
    media: str | None = None
    type: str | None = None
    title: str | None = None


class Enclosure(Model, frozen=True):
    """
    A file that belongs to a feed's item. RSS `enclosure`; Atom `link rel="enclosure"`.

    Attributes:
        type: MIME type.
        length: Bytes.

    """

    url: str | None = None
    type: str | None = None
    length: int | None = None


class Entry(Model, frozen=True):
    """
    An entry: all that is known of one URL.

    Attributes:
        loc: Absolute URL as published. XML `loc`; text: the line; RSS `link`, else a
            permalink `guid`; Atom `link rel="alternate"`.
        lastmod: Last change, W3C Datetime with the precision and the offset that the source
            had. XML `lastmod`; Atom `updated`; RSS `atom:updated`, else `pubDate`,
            `dc:date`.
        changefreq: XML `changefreq`, in lower case.
        priority: XML `priority`, 0 to 1.
        title: Feeds: `title`.
        description: RSS `description`; Atom `summary`, else `content`.
        id: RSS `guid`; Atom `id`.
        published: W3C Datetime. RSS `pubDate`; Atom `published`.
        language: RSS `dc:language`; Atom `xml:lang`.
        authors: Names. RSS `author`, `dc:creator`; Atom `author/name`.
        categories: RSS and Atom `category`.
        mobile: True for a page for feature phones, else None. XML `mobile:mobile`.
        extras: Foreign XML elements, each as a document of its own (exclusive canonical
            XML).

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

    @property
    def lastmod_datetime(self) -> "datetime | None":
        """The begin of `lastmod`, such as midnight of a day; in UTC if it has no zone."""
        return moment(self.lastmod) if self.lastmod else None

    @property
    def published_datetime(self) -> "datetime | None":
        """The begin of `published`; see `lastmod_datetime`."""
        return moment(self.published) if self.published else None


def is_anonymous(entry: Entry) -> bool:
    """Return whether nothing in an entry says what it is about: no URL, no text, no media."""
    texts = entry.loc or entry.id or entry.title or entry.description
    return not (texts or entry.enclosures or entry.images or entry.videos)


def has(value: Any) -> bool:
    """Return whether a field has a value: not None, nor an empty tuple. (False is one: `no`.)"""
    return value is not None and value != ()
