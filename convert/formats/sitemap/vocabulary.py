"""
Elements of Google's sitemap extensions, in the order of their schemas, for reader and writer.

Google itself does not require an order:
https://developers.google.com/search/docs/crawling-indexing/sitemaps/combine-sitemap-extensions
"""

from typing import Any, NamedTuple

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
#: Datatypes of attributes of XHTML's `link`: https://www.w3.org/TR/xhtml1-schema/
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
#: The namespace of `xml:lang`, which needs no declaration: https://www.w3.org/TR/xml-names/#ns-decl
XML = "http://www.w3.org/XML/1998/namespace"
#: All attributes of `link` in the schema of XHTML, supported or not.
LINK_ATTRIBUTES = frozenset({*LINK_TYPES, "media", "dir", f"{{{XML}}}lang"})

#: Google: "You can specify up to 1,000 images for each page."
_MAX_IMAGES = 1000


class Attribute(NamedTuple):
    name: str
    field: str
    kind: Datatype
    is_required: bool = False


class Element(NamedTuple):
    """
    An element, and the field that stores it.

    Attributes:
        field: Field in the model of the parent. If `model` is None, this field stores the text, and
            other fields of the parent store the attributes.
        kind: Datatype of the text; None for an element without text of its own.
        model: Class of the value, if the value is not just the text.
        text_field: Field of `model` that stores the text.
        most: Maximum number of occurrences, None for no limit; if not 1, the field is a tuple.

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


def _attribute(
    name: str, kind: Datatype, field: str = "", *, is_required: bool = False
) -> Attribute:
    return Attribute(name, field or name, kind, is_required)


def _element(
    name: str,
    kind: Datatype | None = TEXT,
    model: type[Model] | None = None,
    field: str = "",
    **options: Any,
) -> Element:
    """Define an element; by default, the name of its field is the name of the element."""
    return Element(name, field or name, kind, model, **options)


_RELATIONSHIP = _attribute("relationship", datatypes.ALLOW_DENY, is_required=True)
_SECONDS = datatypes.integer(0, 28_800, code="bad-duration")
#: The schema allows 0 for videos, too; Google's documentation does not.
_VIDEO_SECONDS = datatypes.integer(1, 28_800, code="bad-duration")._replace(schema=_SECONDS.schema)
_CURRENCY = datatypes.pattern("[A-Z]{3}", "an ISO 4217 currency code", str.upper)
_PRICE_TYPE = datatypes.one_of("rent", "purchase", also=("RENT", "PURCHASE"))
_RESOLUTION = datatypes.one_of("hd", "sd", also=("HD", "SD"))
_SHOW_TYPE = datatypes.one_of("full", "preview", "clip", "interview", "news", "other")
_ID_TYPE = datatypes.one_of(
    *("tms:series", "tms:program", "rovi:series", "rovi:program", "freebase", "url")
)

IMAGE = _element(
    "image",
    None,
    Image,
    field="images",
    most=_MAX_IMAGES,
    children=(
        _element("loc", URL, is_required=True),
        _element("caption"),
        _element("geo_location"),
        _element("title"),
        _element("license", URL),
    ),
)

_TVSHOW = _element(
    "tvshow",
    None,
    TvShow,
    children=(
        _element("show_title", is_required=True),
        _element("video_type", _SHOW_TYPE, is_required=True),
        _element("episode_title"),
        _element("season_number", datatypes.integer(1)),
        _element("episode_number", datatypes.integer(1)),
        _element("premier_date", DATE),
    ),
)

VIDEO = _element(
    "video",
    None,
    Video,
    field="videos",
    most=None,
    children=(
        _element("thumbnail_loc", URL, is_required=True),
        _element("title", datatypes.text(100), is_required=True),
        _element("description", datatypes.text(2048), is_required=True),
        _element("content_loc", URL),
        _element(
            "player_loc",
            URL,
            attributes=(
                _attribute("allow_embed", YES_NO, "player_allow_embed"),
                _attribute("autoplay", TEXT, "player_autoplay"),
            ),
        ),
        _element("duration", _VIDEO_SECONDS),
        _element("expiration_date", DATE),
        _element("rating", datatypes.decimal(0, 5, code="bad-rating")),
        _element(
            "content_segment_loc",
            URL,
            Segment,
            field="content_segments",
            text_field="loc",
            attributes=(_attribute("duration", _SECONDS),),
            most=None,
        ),
        _element("view_count", datatypes.integer(0)),
        _element("publication_date", DATE),
        _element("tag", field="tags", most=32),
        _element("category", datatypes.text(256)),
        _element("family_friendly", YES_NO),
        _element(
            "restriction",
            datatypes.COUNTRIES,
            Restriction,
            text_field="countries",
            attributes=(_RELATIONSHIP,),
        ),
        _element("gallery_loc", URL, attributes=(_attribute("title", TEXT, "gallery_title"),)),
        _element(
            "price",
            TEXT,
            Price,
            field="prices",
            text_field="price",
            attributes=(
                _attribute("currency", _CURRENCY),
                _attribute("type", _PRICE_TYPE),
                _attribute("resolution", _RESOLUTION),
            ),
            most=None,
        ),
        _element("requires_subscription", YES_NO),
        _element(
            "uploader",
            datatypes.text(255, in_schema=False),
            Uploader,
            text_field="name",
            attributes=(_attribute("info", URL),),
        ),
        _TVSHOW,
        _element(
            "platform",
            datatypes.PLATFORMS,
            Platform,
            text_field="platforms",
            attributes=(_RELATIONSHIP,),
        ),
        _element("live", YES_NO),
        _element(
            "id",
            TEXT,
            VideoId,
            field="ids",
            text_field="id",
            attributes=(_attribute("type", _ID_TYPE, is_required=True),),
            most=None,
        ),
    ),
)

_PUBLICATION = _element(
    "publication",
    None,
    Publication,
    children=(
        _element("name", is_required=True),
        _element("language", datatypes.NEWS_LANGUAGE, is_required=True),
    ),
    is_required=True,
)

NEWS = _element(
    "news",
    None,
    News,
    children=(
        _PUBLICATION,
        _element("access", datatypes.one_of("Subscription", "Registration")),
        _element("genres", datatypes.GENRES),
        _element("publication_date", DATE, is_required=True),
        _element("title", is_required=True),
        _element("keywords", datatypes.COMMAS),
        _element("stock_tickers", datatypes.TICKERS),
    ),
)

#: Elements of the protocol itself, by name.
CORE = {
    "loc": _element("loc", URL, is_required=True),
    **{name: _element(name, kind) for name, kind in datatypes.CORE.items()},
}
LINK = _element("link", None, Alternate, field="alternates", most=None)
MOBILE = _element("mobile", None)
#: Any element of another namespace.
EXTRA = Element("", "extras", None, most=None)
#: Extension elements by prefix, which is also their name.
EXTENSIONS = {extension.name: extension for extension in (IMAGE, VIDEO, NEWS)}
