"""
The data model of all formats: the data that a source has for a URL.

A missing value is None or an empty tuple, never a default. The order of the fields is the order of
the keys in JSON Lines.
"""

from collections.abc import Callable, Iterator
from functools import cache
from types import NoneType
from typing import TYPE_CHECKING, Any, TypeVar, get_args

from msgspec import Struct
from msgspec.structs import fields, replace

from sitemapx.convert.values.w3cdate import is_w3c, moment

if TYPE_CHECKING:
    from datetime import datetime


# gc=False: entries cannot form cycles, so the garbage collector need not visit millions of them.
class Model(Struct, frozen=True, omit_defaults=True, gc=False):
    """Base class of entries and their parts: immutable; empty fields are omitted from JSON."""


class Image(Model, frozen=True):
    """
    An image on the page. XML `image:image`; Media RSS `media:content medium="image"`.

    Google reads only `loc`; it has ignored the other fields since 2022
    (https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps).

    Attributes:
        loc: URL of the image. XML `image:loc`; Media RSS `media:content@url`, else
            `media:thumbnail@url`; JSON Feed `image` and `banner_image`.
        title: Title. XML `image:title`; Media RSS `media:title`. Deprecated by Google.
        caption: Caption. XML `image:caption`; Media RSS `media:description`. Deprecated by Google.
        geo_location: Place, such as "Limerick, Ireland". XML `image:geo_location`. Deprecated by
            Google.
        license: URL of the licence. XML `image:license`. Deprecated by Google.

    """

    loc: str | None = None
    title: str | None = None
    caption: str | None = None
    geo_location: str | None = None
    license: str | None = None


class Restriction(Model, frozen=True):
    """
    Countries where a video may be played. XML `video:restriction`; Media RSS `media:restriction`.

    Attributes:
        relationship: "allow" (only in these countries) or "deny" (everywhere else). XML and Media
            RSS `@relationship`.
        countries: Country codes (ISO 3166-1 alpha-2), such as "IE"; written in upper case.

    """

    relationship: str | None = None
    countries: tuple[str, ...] = ()


class Platform(Model, frozen=True):
    """
    Platforms on which a video may be played. XML `video:platform`.

    Attributes:
        relationship: "allow" (only on these platforms) or "deny" (on all others). XML
            `@relationship`.
        platforms: Any of "web", "mobile" and "tv".

    """

    relationship: str | None = None
    platforms: tuple[str, ...] = ()


class Uploader(Model, frozen=True):
    """
    Uploader of a video. XML `video:uploader`; Media RSS `media:credit role="uploader"`.

    Attributes:
        name: Name, in sitemaps at most 255 characters. XML: the text; Media RSS: the text, else the
            text of `media:credit role="author"`.
        info: URL of a page about the uploader, on the same domain as `Entry.loc`. XML `@info`.

    """

    name: str | None = None
    info: str | None = None


class Price(Model, frozen=True):
    """
    Price of a video. XML `video:price` (deprecated by Google); Media RSS `media:price`.

    Attributes:
        price: Amount as a decimal number, such as "1.99". XML: the text; Media RSS `@price`.
        currency: Currency code (ISO 4217), such as "EUR". XML and Media RSS `@currency`.
        type: "rent" or "purchase". XML and Media RSS `@type`.
        resolution: "hd" or "sd". XML `@resolution`.

    """

    price: str | None = None
    currency: str | None = None
    type: str | None = None
    resolution: str | None = None


class Segment(Model, frozen=True):
    """
    Part of a video that consists of several files. XML `video:content_segment_loc`.

    Attributes:
        loc: URL of the file. XML: the text.
        duration: Duration in seconds, 0 to 28,800. XML `@duration`.

    """

    loc: str | None = None
    duration: int | None = None


class TvShow(Model, frozen=True):
    """
    TV show that a video is an episode of. XML `video:tvshow` (deprecated by Google).

    Attributes:
        show_title: Title of the show. XML `video:show_title`.
        video_type: "full", "preview", "clip", "interview", "news" or "other". XML
            `video:video_type`.
        episode_title: Title of the episode. XML `video:episode_title`.
        season_number: Number of the season, starting at 1. XML `video:season_number`.
        episode_number: Number of the episode, starting at 1. XML `video:episode_number`.
        premier_date: Date of the first broadcast (W3C Datetime). XML `video:premier_date`, spelt
            as in the schema.

    """

    show_title: str | None = None
    video_type: str | None = None
    episode_title: str | None = None
    season_number: int | None = None
    episode_number: int | None = None
    premier_date: str | None = None


class VideoId(Model, frozen=True):
    """
    Identifier of a video in another catalogue. XML `video:id`.

    Attributes:
        id: The identifier. XML: the text.
        type: Catalogue: "tms:series", "tms:program", "rovi:series", "rovi:program", "freebase" or
            "url". XML `@type`.

    """

    id: str | None = None
    type: str | None = None


class Video(Model, frozen=True):
    """
    A video on the page. XML `video:video`; Media RSS `media:content medium="video"`.

    https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps says what
    Google requires: `thumbnail_loc`, `title`, `description`, and `content_loc` or `player_loc`.
    When a sitemap is written, texts beyond these limits are truncated, and further tags dropped.

    Attributes:
        thumbnail_loc: URL of the thumbnail image. XML `video:thumbnail_loc`; Media RSS: the first
            `media:thumbnail@url`.
        title: Title, at most 100 characters. XML `video:title`; Media RSS `media:title`, else the
            title of the item.
        description: Description, at most 2,048 characters. XML `video:description`; Media RSS
            `media:description`, else the description of the item.
        content_loc: URL of the media file. XML `video:content_loc`; Media RSS `media:content@url`.
        player_loc: URL of a player. XML `video:player_loc`; Media RSS `media:player@url`, else
            `media:embed@url`.
        duration: Duration in seconds, 1 to 28,800 (8 hours). XML `video:duration`; Media RSS
            `media:content@duration`, else `itunes:duration`.
        expiration_date: Date after which the video is unavailable (W3C Datetime). XML
            `video:expiration_date`; Media RSS: the end of `dcterms:valid`.
        rating: Rating from 0.0 to 5.0. XML `video:rating`; Media RSS `media:starRating@average`,
            converted to this scale.
        view_count: Number of views. XML `video:view_count`; Media RSS `media:statistics@views`.
        publication_date: Date of the first publication (W3C Datetime). XML
            `video:publication_date`; Media RSS: the start of `dcterms:valid`, else the date of the
            item.
        tags: Keywords, at most 32. XML `video:tag`; Media RSS `media:keywords` (else
            `itunes:keywords`) and `media:tags`.
        category: Category, at most 256 characters. XML `video:category` (deprecated by Google);
            Media RSS `media:category`.
        family_friendly: Whether the video is suitable for everyone. XML `video:family_friendly`;
            Media RSS `media:rating`, `media:adult` or `itunes:explicit`.
        restriction: Countries in which the video may be played.
        platform: Platforms on which the video may be played.
        requires_subscription: Whether a subscription is required. XML
            `video:requires_subscription`; Media RSS `media:price type="subscription"`.
        uploader: Uploader of the video.
        live: Whether the video is a live stream. XML `video:live`; Media RSS `dcterms:type`
            "live-video".
        gallery_loc: URL of the gallery that contains the video. XML `video:gallery_loc` (deprecated
            by Google).
        prices: Prices of the video.
        player_allow_embed: Whether other pages may embed the player. XML
            `video:player_loc@allow_embed` (deprecated by Google).
        player_autoplay: Query string that makes the player start by itself, such as "ap=1". XML
            `video:player_loc@autoplay` (deprecated by Google).
        gallery_title: Title of the gallery. XML `video:gallery_loc@title` (deprecated by Google).
        content_segments: Files of a video that consists of several.
        tvshow: TV show that the video is an episode of.
        ids: Identifiers of the video in other catalogues.

    """

    thumbnail_loc: str | None = None
    title: str | None = None
    description: str | None = None
    content_loc: str | None = None
    player_loc: str | None = None
    duration: int | None = None
    expiration_date: str | None = None
    rating: float | None = None
    view_count: int | None = None
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
    player_allow_embed: bool | None = None
    player_autoplay: str | None = None
    gallery_title: str | None = None
    content_segments: tuple[Segment, ...] = ()
    tvshow: TvShow | None = None
    ids: tuple[VideoId, ...] = ()


class Publication(Model, frozen=True):
    """
    Publication in which an article appears. XML `news:publication`.

    Attributes:
        name: Name, exactly as on news.google.com. XML `news:name`.
        language: Language code; written with two or three letters (ISO 639), or as "zh-cn" or
            "zh-tw". XML `news:language`.

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
        stock_tickers: Stock tickers, such as "NASDAQ:AMAT"; at most five are written. XML
            `news:stock_tickers`.

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
        href: URL of the version, absolute if the URL of the source is known. XML `@href`.
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
    The data that a source has for one URL.

    A field without a value is `None` or an empty tuple. The elements of XML sitemaps are defined in
    https://www.sitemaps.org/protocol.html.

    Attributes:
        loc: Absolute URL of the page, as published; in an index, of the listed sitemap. XML `loc`;
            text: the line; RSS `link`, else `atom:link` or a permalink `guid`; Atom `link
            rel="alternate"`; JSON Feed `url`.
        lastmod: Date of the last change (W3C Datetime, with the precision and the UTC offset of the
            source). XML `lastmod`; RSS `atom:updated` or `dcterms:modified`; Atom `updated`; JSON
            Feed `date_modified`; in feeds, else the value of `published`, or `dc:date`.
        changefreq: "always", "hourly", "daily", "weekly", "monthly", "yearly" or "never". XML
            `changefreq`.
        priority: Priority relative to other pages of the site, 0.0 to 1.0. XML `priority`.
        title: Title. RSS, Atom and JSON Feed `title`.
        description: Summary or content, may contain HTML. RSS `description`, else
            `content:encoded`; Atom `summary`, else `content`; JSON Feed `summary`, else
            `content_html` or `content_text`.
        id: Identifier of a feed item. RSS `guid`; Atom and JSON Feed `id`.
        published: Date of the publication (W3C Datetime). RSS `pubDate`, else `atom:published` or
            `dcterms:issued`; Atom `published`; JSON Feed `date_published`.
        language: Language code (BCP 47). RSS `dc:language`; Atom `xml:lang`; JSON Feed `language`.
        authors: Names of the authors. RSS `author`, `dc:creator`, `itunes:author`; Atom
            `author/name`, or else that of the feed; JSON Feed `authors`.
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
        source: File, or URL of the listed sitemap or feed page, that lists the entry. Set only on
            request, for example with `--with-source`.

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
        """
        Start of the period of `lastmod`, such as midnight of a day.

        The time zone is UTC if `lastmod` has no offset. None if `lastmod` is missing or invalid.
        """
        return moment(self.lastmod) if self.lastmod and is_w3c(self.lastmod) else None

    @property
    def published_datetime(self) -> "datetime | None":
        """Start of the period of `published`, as in `lastmod_datetime`."""
        return moment(self.published) if self.published and is_w3c(self.published) else None


def is_anonymous(entry: Entry) -> bool:
    texts = entry.loc or entry.id or entry.title or entry.description
    return not (texts or entry.enclosures or entry.images or entry.videos)


def has(value: Any) -> bool:
    """Return whether a field has a value: neither None nor an empty tuple (False is a value)."""
    return value is not None and value != ()


_M = TypeVar("_M", bound=Model)


def change_urls(part: _M, change: Callable[[str], str]) -> _M:
    """Apply a function to all URLs in an entry or a part of one."""
    changes: dict[str, object] = {}
    for name in part.__struct_fields__:
        value = getattr(part, name)
        if not value:
            continue
        if isinstance(value, str) and is_url_field(name):
            changes[name] = change(value)
        elif isinstance(value, Model):
            changes[name] = change_urls(value, change)
        elif isinstance(value, tuple) and isinstance(value[0], Model):
            changes[name] = tuple(change_urls(item, change) for item in value)
    return replace(part, **changes) if changes else part


def is_url_field(field: str) -> bool:
    return field in ("loc", "href", "url", "license", "info") or field.endswith("_loc")


@cache
def _field_types(kind: Any) -> dict[str, Any]:
    return {field.name: field.type for field in fields(kind)}


#: Types of the fields of an entry.
FIELD_TYPES = _field_types(Entry)


def unknown_keys(value: Any, kind: Any) -> Iterator[tuple[str, tuple[str, ...]]]:
    """
    Yield the keys inside a value, at any depth, for which its type has no field, and its fields.

    Args:
        value: Value of JSON that can be decoded as `kind`.
        kind: Type of a field of an entry.

    """
    for inner in get_args(kind):
        if inner not in (NoneType, ...):
            kind = inner
    if isinstance(value, list):
        for part in value:
            yield from unknown_keys(part, kind)
    elif isinstance(value, dict):
        types = _field_types(kind)
        for key, part in value.items():
            if key in types:
                yield from unknown_keys(part, types[key])
            else:
                yield key, tuple(types)
