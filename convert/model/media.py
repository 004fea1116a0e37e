"""Images and videos of an entry."""

from sitemapx.convert.model.base import Model

__all__ = [
    "Image",
    "Platform",
    "Price",
    "Restriction",
    "Segment",
    "TvShow",
    "Uploader",
    "Video",
    "VideoId",
]


class Image(Model, frozen=True):
    """
    A picture on the page. XML: `image:image`; Media RSS: `media:content` of medium image.

    Attributes:
        loc: Address of the picture. XML `image:loc`.
        title: XML `image:title` (Google reads it no longer, as with the three below).
        geo_location: XML `image:geo_location`, such as "Limerick, Ireland".
        license: Address of the licence. XML `image:license`.

    """

    loc: str | None = None
    title: str | None = None
    caption: str | None = None
    geo_location: str | None = None
    license: str | None = None


class Restriction(Model, frozen=True):
    """
    Countries that may watch a video. XML `video:restriction`; Media RSS `media:restriction`.

    Attributes:
        relationship: "allow" or "deny".
        countries: ISO 3166 country codes in capitals.

    """

    relationship: str | None = None
    countries: tuple[str, ...] = ()


class Platform(Model, frozen=True):
    """
    On what a video may be watched. XML `video:platform`.

    Attributes:
        relationship: "allow" or "deny".
        platforms: Of "web", "mobile", "tv".

    """

    relationship: str | None = None
    platforms: tuple[str, ...] = ()


class Uploader(Model, frozen=True):
    """
    Publisher of a video. XML `video:uploader`; Media RSS `media:credit role="uploader"`.

    Attributes:
        info: Address of a page about the uploader. XML `@info`.

    """

    name: str | None = None
    info: str | None = None


class Price(Model, frozen=True):
    """
    The price of a video. XML `video:price`; Media RSS `media:price`.

    Attributes:
        currency: ISO 4217, such as "EUR".
        type: "rent" or "purchase".
        resolution: "hd" or "sd".

    """

    price: str | None = None
    currency: str | None = None
    type: str | None = None
    resolution: str | None = None


class Segment(Model, frozen=True):
    """
    A part of a video in several files. XML `video:content_segment_loc`.

    Attributes:
        duration: Seconds.

    """

    loc: str | None = None
    duration: int | None = None


class TvShow(Model, frozen=True):
    """
    The show that a video is an episode of. XML `video:tvshow`.

    Attributes:
        video_type: "full", "preview", "clip", "interview", "news" or "other".
        premier_date: W3C Datetime. (The schema spells it "premier".)

    """

    show_title: str | None = None
    video_type: str | None = None
    episode_title: str | None = None
    season_number: int | None = None
    episode_number: int | None = None
    premier_date: str | None = None


class VideoId(Model, frozen=True):
    """
    The id of a video elsewhere. XML `video:id`.

    Attributes:
        type: "tms:series", "tms:program", "rovi:series", "rovi:program", "freebase" or
            "url".

    """

    id: str | None = None
    type: str | None = None


class Video(Model, frozen=True):
    """
    A video on the page. XML `video:video`; Media RSS `media:content` of medium video.

    Attributes:
        thumbnail_loc: Address of a still. Media RSS: the first `media:thumbnail`.
        content_loc: Address of the media file. Media RSS `media:content@url`.
        player_loc: Address of a player. Media RSS `media:player@url`.
        duration: Seconds, 1 to 28,800.
        expiration_date: W3C Datetime. Media RSS: the end of `dcterms:valid`.
        rating: 0 to 5.
        publication_date: W3C Datetime. Media RSS: the start of `dcterms:valid`.
        player_allow_embed: XML `video:player_loc@allow_embed` and `@autoplay`,
            `video:gallery_loc@title`.

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
