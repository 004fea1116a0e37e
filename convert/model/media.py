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
    An image on the page. XML `image:image`; Media RSS `media:content medium="image"`.

    Google reads only `loc`; it ignores the other fields since 2022
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
        countries: Country codes (ISO 3166-1 alpha-2) in upper case, such as "IE".

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
        name: Name, at most 255 characters. XML: the text; Media RSS: the text, else that of
            `media:credit role="author"`.
        info: URL of a page about the uploader, on the domain of the page. XML `@info`.

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
