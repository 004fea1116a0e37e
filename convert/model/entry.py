"""
The one model: what any format says about one URL.

Every reader makes an `Entry`, every writer takes one. A field that the source does not have is
None (or an empty tuple): a default is never put in its place. The order of the fields is the
order of the keys in JSON Lines.
"""

from typing import Any

from msgspec import Struct

__all__ = [
    "Alternate",
    "Enclosure",
    "Entry",
    "Image",
    "Model",
    "News",
    "Platform",
    "Price",
    "Publication",
    "Restriction",
    "Segment",
    "TvShow",
    "Uploader",
    "Video",
    "VideoId",
    "has",
    "is_anonymous",
]


# gc=False: entries hold only strings, numbers and tuples of their like, so they cannot form
# cycles, and the garbage collector need not look at millions of them.
class Model(Struct, frozen=True, omit_defaults=True, gc=False):
    """The base of an entry and its parts: immutable, no key in JSON when empty."""


class Image(Model, frozen=True):
    """A picture on the page. XML: `image:image`; Media RSS: `media:content` of medium image."""

    #: Address of the picture. XML `image:loc`.
    loc: str | None = None
    #: XML `image:title` (Google reads it no longer, as with the three below).
    title: str | None = None
    caption: str | None = None
    #: XML `image:geo_location`, such as "Limerick, Ireland".
    geo_location: str | None = None
    #: Address of the licence. XML `image:license`.
    license: str | None = None


class Restriction(Model, frozen=True):
    """Countries that may watch a video. XML `video:restriction`; Media RSS `media:restriction`."""

    #: "allow" or "deny".
    relationship: str | None = None
    #: ISO 3166 country codes in capitals.
    countries: tuple[str, ...] = ()


class Platform(Model, frozen=True):
    """On what a video may be watched. XML `video:platform`."""

    #: "allow" or "deny".
    relationship: str | None = None
    #: Of "web", "mobile", "tv".
    platforms: tuple[str, ...] = ()


class Uploader(Model, frozen=True):
    """Publisher of a video. XML `video:uploader`; Media RSS `media:credit role="uploader"`."""

    name: str | None = None
    #: Address of a page about the uploader. XML `@info`.
    info: str | None = None


class Price(Model, frozen=True):
    """The price of a video. XML `video:price`; Media RSS `media:price`."""

    price: str | None = None
    #: ISO 4217, such as "EUR".
    currency: str | None = None
    #: "rent" or "purchase".
    type: str | None = None
    #: "hd" or "sd".
    resolution: str | None = None


class Segment(Model, frozen=True):
    """A part of a video in several files. XML `video:content_segment_loc`."""

    loc: str | None = None
    #: Seconds.
    duration: int | None = None


class TvShow(Model, frozen=True):
    """The show that a video is an episode of. XML `video:tvshow`."""

    show_title: str | None = None
    #: "full", "preview", "clip", "interview", "news" or "other".
    video_type: str | None = None
    episode_title: str | None = None
    season_number: int | None = None
    episode_number: int | None = None
    #: W3C Datetime. (The schema spells it "premier".)
    premier_date: str | None = None


class VideoId(Model, frozen=True):
    """The id of a video elsewhere. XML `video:id`."""

    id: str | None = None
    #: "tms:series", "tms:program", "rovi:series", "rovi:program", "freebase" or "url".
    type: str | None = None


class Video(Model, frozen=True):
    """A video on the page. XML `video:video`; Media RSS `media:content` of medium video."""

    #: Address of a still. Media RSS: the first `media:thumbnail`.
    thumbnail_loc: str | None = None
    title: str | None = None
    description: str | None = None
    #: Address of the media file. Media RSS `media:content@url`.
    content_loc: str | None = None
    #: Address of a player. Media RSS `media:player@url`.
    player_loc: str | None = None
    #: Seconds, 1 to 28,800.
    duration: int | None = None
    #: W3C Datetime. Media RSS: the end of `dcterms:valid`.
    expiration_date: str | None = None
    #: 0 to 5.
    rating: float | None = None
    view_count: int | None = None
    #: W3C Datetime. Media RSS: the start of `dcterms:valid`.
    publication_date: str | None = None
    tags: tuple[str, ...] = ()
    category: str | None = None
    family_friendly: bool | None = None
    restriction: Restriction | None = None
    platform: Platform | None = None
    requires_subscription: bool | None = None
    uploader: Uploader | None = None
    live: bool | None = None
    gallery_loc: str | None = None
    prices: tuple[Price, ...] = ()
    #: XML `video:player_loc@allow_embed` and `@autoplay`, `video:gallery_loc@title`.
    player_allow_embed: bool | None = None
    player_autoplay: str | None = None
    gallery_title: str | None = None
    content_segments: tuple[Segment, ...] = ()
    tvshow: TvShow | None = None
    ids: tuple[VideoId, ...] = ()


class Publication(Model, frozen=True):
    """The newspaper. XML `news:publication`."""

    name: str | None = None
    #: ISO 639, or "zh-cn" or "zh-tw".
    language: str | None = None


class News(Model, frozen=True):
    """The article, as Google News needs it. XML `news:news`."""

    publication: Publication | None = None
    #: W3C Datetime of the article's first publication.
    publication_date: str | None = None
    title: str | None = None
    #: "Subscription" or "Registration".
    access: str | None = None
    genres: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    #: Up to five, such as "NASDAQ:AMAT".
    stock_tickers: tuple[str, ...] = ()


class Alternate(Model, frozen=True):
    """Another version of the page. XML `xhtml:link`."""

    #: Language, as "de", "de-CH" or "x-default".
    hreflang: str | None = None
    href: str | None = None
    #: Only where it is not "alternate", such as "amphtml".
    rel: str | None = None
    #: The three other attributes that links carry in the wild.
    media: str | None = None
    type: str | None = None
    title: str | None = None


class Enclosure(Model, frozen=True):
    """A file that belongs to a feed's item. RSS `enclosure`; Atom `link rel="enclosure"`."""

    url: str | None = None
    #: MIME type.
    type: str | None = None
    #: Bytes.
    length: int | None = None


class Entry(Model, frozen=True):
    """An entry: all that is known of one URL."""

    #: Absolute URL as published. XML `loc`; text: the line; RSS `link`, else a permalink
    #: `guid`; Atom `link rel="alternate"`.
    loc: str | None = None
    #: Last change, W3C Datetime with the precision and the offset that the source had.
    #: XML `lastmod`; Atom `updated`; RSS `atom:updated`, else `pubDate`, `dc:date`.
    lastmod: str | None = None
    #: XML `changefreq`, in lower case.
    changefreq: str | None = None
    #: XML `priority`, 0 to 1.
    priority: float | None = None
    #: Feeds: `title`.
    title: str | None = None
    #: RSS `description`; Atom `summary`, else `content`.
    description: str | None = None
    #: RSS `guid`; Atom `id`.
    id: str | None = None
    #: W3C Datetime. RSS `pubDate`; Atom `published`.
    published: str | None = None
    #: RSS `dc:language`; Atom `xml:lang`.
    language: str | None = None
    #: Names. RSS `author`, `dc:creator`; Atom `author/name`.
    authors: tuple[str, ...] = ()
    #: RSS and Atom `category`.
    categories: tuple[str, ...] = ()
    images: tuple[Image, ...] = ()
    videos: tuple[Video, ...] = ()
    news: News | None = None
    alternates: tuple[Alternate, ...] = ()
    enclosures: tuple[Enclosure, ...] = ()
    #: True for a page for feature phones, else None. XML `mobile:mobile`.
    mobile: bool | None = None
    #: Foreign XML elements, each as a document of its own (exclusive canonical XML).
    extras: tuple[str, ...] = ()


def is_anonymous(entry: Entry) -> bool:
    """Return whether nothing in an entry says what it is about: no URL, no text, no media."""
    texts = entry.loc or entry.id or entry.title or entry.description
    return not (texts or entry.enclosures or entry.images or entry.videos)


def has(value: Any) -> bool:
    """Return whether a field has a value: not None, nor an empty tuple. (False is one: `no`.)"""
    return value is not None and value != ()
