"""
Elements of Google's sitemap extensions, in the order of their schemas, for reader and writer.

Google itself does not require an order:
https://developers.google.com/search/docs/crawling-indexing/sitemaps/combine-sitemap-extensions
"""

from typing import NamedTuple

from sitemapx.convert.model.entry import (
    Alternate,
    Image,
    Model,
    News,
    Platform,
    Price,
    Publication,
    Restriction,
    Segment,
    TvShow,
    Uploader,
    Video,
    VideoId,
)
from sitemapx.convert.values import datatypes
from sitemapx.convert.values.datatypes import DATE, TEXT, URL, YES_NO, Datatype

_EVENTS = (
    *("click", "dblclick", "mousedown", "mouseup", "mouseover", "mousemove", "mouseout"),
    *("keypress", "keydown", "keyup"),
)
#: Attributes of XHTML's `link`: https://www.w3.org/TR/xhtml1-schema/
LINK_TYPES = {
    "href": "anyURI",
    "hreflang": "language",
    "type": "string",
    "rel": "NMTOKENS",
    "rev": "NMTOKENS",
    "charset": "string",
    "id": "ID",
    "class": "NMTOKENS",
    "style": "string",
    "title": "string",
    "lang": "language",
    **{f"on{event}": "string" for event in _EVENTS},
}
#: https://www.w3.org/TR/xml-names/#ns-decl: that of `xml:lang`, which needs no declaration.
XML = "http://www.w3.org/XML/1998/namespace"
#: All attributes in the official schema, supported or not.
LINK_ATTRIBUTES = frozenset({*LINK_TYPES, "media", "dir", f"{{{XML}}}lang"})

#: Google: "You can specify up to 1,000 images for each page."
_MAX_IMAGES = 1000


class Attribute(NamedTuple):
    """An attribute, and the field that stores it."""

    name: str
    field: str
    kind: Datatype
    is_required: bool = False


class Element(NamedTuple):
    """
    An element, and the field that stores it.

    Attributes:
        field: Field in the model of the parent. If `model` is None, it stores the text, and other
            fields of the parent store the attributes.
        kind: Datatype of the text; None if there are child elements instead.
        model: Class of the value, if it is not just the text.
        text_field: Field of `model` that stores the text.
        most: Maximum number; if not 1, the field is a tuple.

    """

    name: str
    field: str
    kind: Datatype | None = TEXT
    model: type[Model] | None = None
    text_field: str = ""
    attributes: tuple[Attribute, ...] = ()
    children: tuple["Element", ...] = ()
    most: int | None = 1
    is_required: bool = False


_RELATIONSHIP = Attribute("relationship", "relationship", datatypes.ALLOW_DENY, is_required=True)
_SECONDS = datatypes.integer(0, 28_800, code="bad-duration")

IMAGE = Element(
    "image",
    "images",
    None,
    Image,
    most=_MAX_IMAGES,
    children=(
        Element("loc", "loc", URL, is_required=True),
        Element("caption", "caption"),
        Element("geo_location", "geo_location"),
        Element("title", "title"),
        Element("license", "license", URL),
    ),
)

_TVSHOW = Element(
    "tvshow",
    "tvshow",
    None,
    TvShow,
    children=(
        Element("show_title", "show_title", is_required=True),
        Element(
            "video_type",
            "video_type",
            datatypes.one_of("full", "preview", "clip", "interview", "news", "other"),
            is_required=True,
        ),
        Element("episode_title", "episode_title"),
        Element("season_number", "season_number", datatypes.integer(1)),
        Element("episode_number", "episode_number", datatypes.integer(1)),
        Element("premier_date", "premier_date", DATE),
    ),
)

VIDEO = Element(
    "video",
    "videos",
    None,
    Video,
    most=None,
    children=(
        Element("thumbnail_loc", "thumbnail_loc", URL, is_required=True),
        Element("title", "title", datatypes.text(100), is_required=True),
        Element("description", "description", datatypes.text(2048), is_required=True),
        Element("content_loc", "content_loc", URL),
        Element(
            "player_loc",
            "player_loc",
            URL,
            attributes=(
                Attribute("allow_embed", "player_allow_embed", YES_NO),
                Attribute("autoplay", "player_autoplay", TEXT),
            ),
        ),
        Element("duration", "duration", _SECONDS),
        Element("expiration_date", "expiration_date", DATE),
        Element("rating", "rating", datatypes.decimal(0, 5, code="bad-rating")),
        Element(
            "content_segment_loc",
            "content_segments",
            URL,
            Segment,
            text_field="loc",
            attributes=(Attribute("duration", "duration", _SECONDS),),
            most=None,
        ),
        Element("view_count", "view_count", datatypes.integer(0)),
        Element("publication_date", "publication_date", DATE),
        Element("tag", "tags", most=32),
        Element("category", "category", datatypes.text(256)),
        Element("family_friendly", "family_friendly", YES_NO),
        Element(
            "restriction",
            "restriction",
            datatypes.COUNTRIES,
            Restriction,
            text_field="countries",
            attributes=(_RELATIONSHIP,),
        ),
        Element(
            "gallery_loc",
            "gallery_loc",
            URL,
            attributes=(Attribute("title", "gallery_title", TEXT),),
        ),
        Element(
            "price",
            "prices",
            TEXT,
            Price,
            text_field="price",
            attributes=(
                Attribute(
                    "currency",
                    "currency",
                    datatypes.pattern("[A-Z]{3}", "an ISO 4217 currency code", str.upper),
                ),
                Attribute(
                    "type", "type", datatypes.one_of("rent", "purchase", also=("RENT", "PURCHASE"))
                ),
                Attribute(
                    "resolution", "resolution", datatypes.one_of("hd", "sd", also=("HD", "SD"))
                ),
            ),
            most=None,
        ),
        Element("requires_subscription", "requires_subscription", YES_NO),
        Element(
            "uploader",
            "uploader",
            datatypes.text(255, in_schema=False),
            Uploader,
            text_field="name",
            attributes=(Attribute("info", "info", URL),),
        ),
        _TVSHOW,
        Element(
            "platform",
            "platform",
            datatypes.PLATFORMS,
            Platform,
            text_field="platforms",
            attributes=(_RELATIONSHIP,),
        ),
        Element("live", "live", YES_NO),
        Element(
            "id",
            "ids",
            TEXT,
            VideoId,
            text_field="id",
            attributes=(
                Attribute(
                    "type",
                    "type",
                    datatypes.one_of(
                        "tms:series",
                        "tms:program",
                        "rovi:series",
                        "rovi:program",
                        "freebase",
                        "url",
                    ),
                    is_required=True,
                ),
            ),
            most=None,
        ),
    ),
)

NEWS = Element(
    "news",
    "news",
    None,
    News,
    children=(
        Element(
            "publication",
            "publication",
            None,
            Publication,
            children=(
                Element("name", "name", is_required=True),
                Element("language", "language", datatypes.NEWS_LANGUAGE, is_required=True),
            ),
            is_required=True,
        ),
        Element("access", "access", datatypes.one_of("Subscription", "Registration")),
        Element("genres", "genres", datatypes.GENRES),
        Element("publication_date", "publication_date", DATE, is_required=True),
        Element("title", "title", is_required=True),
        Element("keywords", "keywords", datatypes.COMMAS),
        Element("stock_tickers", "stock_tickers", datatypes.TICKERS),
    ),
)

#: Elements of the protocol itself, by name.
CORE = {
    "loc": Element("loc", "loc", URL, is_required=True),
    **{name: Element(name, name, kind) for name, kind in datatypes.CORE.items()},
}
LINK = Element("link", "alternates", None, Alternate, most=None)
MOBILE = Element("mobile", "mobile", None)
#: Any element of another namespace.
EXTRA = Element("", "extras", None, most=None)
#: By prefix, which is also the name of the element.
EXTENSIONS = {one.name: one for one in (IMAGE, VIDEO, NEWS)}
