"""The usual markup of extensions: patterns that match only what nothing is reported of."""

from collections.abc import Iterable, Mapping

from sitemapx.convert.formats.regular.usual import (
    PLAIN_TEXT,
    QUOTED_TEXT,
    QUOTED_URL,
    SPACE,
    URL,
    in_any_order,
    quoted,
    text_up_to,
)
from sitemapx.convert.values import datatypes, w3cdate
from sitemapx.convert.xml.namespaces import NAMESPACES

__all__ = ["usual_extensions"]

_ADDRESS = {"rel": "(?:\"alternate\"|'alternate')", "href": QUOTED_URL}
_LANGUAGE, _MEDIA = {"hreflang": QUOTED_TEXT}, {"media": QUOTED_TEXT}
_LINK = f"(?:{in_any_order(_ADDRESS | _LANGUAGE, {})}|{in_any_order(_ADDRESS, _LANGUAGE | _MEDIA)})"


def _tag(text: str, required: Mapping[str, str] | None = None, **optional: str) -> str:
    """Match what follows the name of an element, up to its end tag: attributes and a text."""
    attributes = in_any_order(required or {}, optional) if required or optional else ""
    return f"{attributes}>{text}"


def _quoted_word(words: str) -> str:
    return f"(?:{quoted(_DOUBLE, f'(?:{words})(?={_DOUBLE})')}|'(?:{words})')"


_DOUBLE = '"'
#: The longest text of which nothing is said where the schema has no limit.
_LONG = 10_000
_DATE = _tag(f"(?a:{w3cdate.W3C})")
_YES_NO = _tag("(?:yes|no)")
_RELATIONSHIP = {"relationship": _quoted_word("allow|deny")}
_IMAGE = {
    "loc": _tag(URL),
    **dict.fromkeys(("title", "caption", "geo_location"), _tag(PLAIN_TEXT)),
    "license": _tag(URL),
}
_VIDEO = {
    "thumbnail_loc": _tag(URL),
    "title": _tag(text_up_to(100)),
    "description": _tag(text_up_to(2048)),
    "content_loc": _tag(URL),
    "player_loc": _tag(URL, allow_embed=_quoted_word("yes|no"), autoplay=QUOTED_TEXT),
    "duration": _tag("(?:[0-9]{1,4}|1[0-9]{4}|2[0-7][0-9]{3})"),
    "expiration_date": _DATE,
    "rating": _tag(r"(?:[0-4](?:\.[0-9]++)?|5(?:\.0++)?)"),
    "view_count": _tag("[0-9]{1,18}"),
    "publication_date": _DATE,
    "tag": _tag(text_up_to(_LONG)),
    "category": _tag(text_up_to(256)),
    "family_friendly": _YES_NO,
    "restriction": _tag(text_up_to(_LONG), _RELATIONSHIP),
    "gallery_loc": _tag(URL, title=QUOTED_TEXT),
    "price": _tag(
        text_up_to(_LONG),
        currency=QUOTED_TEXT,
        type=_quoted_word("rent|purchase"),
        resolution=_quoted_word("hd|sd|HD|SD"),
    ),
    "requires_subscription": _YES_NO,
    "uploader": _tag(text_up_to(255), info=QUOTED_URL),
    "platform": _tag("(?:web|mobile|tv)(?: (?:web|mobile|tv))*+", _RELATIONSHIP),
    "live": _YES_NO,
}
#: Those that a video may have several of.
_SEVERAL = frozenset({"tag", "price"})
_GENRE = f"(?:{'|'.join(datatypes.GENRE_WORDS)})"
_PUBLICATION = {"name": _tag(text_up_to(_LONG)), "language": _tag("[a-z-]{2,5}")}
_NEWS = {
    "publication_date": _DATE,
    "title": _tag(text_up_to(_LONG)),
    "access": _tag("(?:Subscription|Registration)"),
    "genres": _tag(f"{_GENRE}(?:, *+{_GENRE})*+"),
    "keywords": _tag(text_up_to(_LONG)),
    "stock_tickers": _tag(text_up_to(_LONG)),
}
#: A video has fewer than 32 tags if it has no more children than that.
_MOST = 31


def usual_extensions(prefixes: Mapping[str, str]) -> dict[str, str]:
    """
    Make the patterns of links, images, videos and news, after the `<` of each.

    Args:
        prefixes: Those that the document declares, with their namespaces.

    Returns:
        A pattern for each field that such elements fill.

    """
    names = {namespace: f"{prefix}:" if prefix else "" for prefix, namespace in prefixes.items()}
    found: dict[str, str] = {}
    if prefix := names.get(NAMESPACES["xhtml"]):
        found["alternates"] = rf"{prefix}link{_LINK}(?:/>|>{SPACE}</{prefix}link>)"
    if prefix := names.get(NAMESPACES["image"]):
        found["images"] = _image(prefix)
    if prefix := names.get(NAMESPACES["video"]):
        required = ("thumbnail_loc", "title", "description")
        found["videos"] = _element(f"{prefix}video", _children(prefix, _VIDEO), required)
    if prefix := names.get(NAMESPACES["news"]):
        found["news"] = _news(prefix)
    return found


def _children(prefix: str, patterns: Mapping[str, str]) -> dict[str, str]:
    """Match children after their `<`, by their names with the prefix."""
    return {
        f"{prefix}{name}": f"{prefix}{name}{pattern}</{prefix}{name}>"
        for name, pattern in patterns.items()
    }


def _element(name: str, children: Mapping[str, str], required: Iterable[str]) -> str:
    """Match an element with its children in any order, each once but for those of `_SEVERAL`."""
    prefix = name[: name.find(":") + 1]
    needed = "".join(f"(?={_up_to(name, f'{prefix}{child}')})" for child in required)
    found = (
        pattern + ("" if child.removeprefix(prefix) in _SEVERAL else f"(?!{_up_to(name, child)})")
        for child, pattern in children.items()
    )
    inside = f"(?:<(?:{'|'.join(found)}){SPACE}){{0,{_MOST}}}+"
    return f"{name}>{needed}{SPACE}{inside}</{name}>"


def _up_to(name: str, child: str) -> str:
    """Match all before the next child of this name that is in the same element."""
    return rf"(?:[^<]*+<(?!/{name}>|{child}[ >]))*+[^<]*+<{child}[ >]"


def _image(prefix: str) -> str:
    """Match an image; one with its address first and two more children at most is found soon."""
    children = _children(prefix, _IMAGE)
    loc, *others = (f"<{pattern}{SPACE}" for pattern in children.values())
    pairs = (
        f"{first}(?:{'|'.join(second for second in others if second != first)}|)"
        for first in others
    )
    name = f"{prefix}image"
    soon = f"{name}>{SPACE}{loc}(?:{'|'.join(pairs)}|)</{name}>"
    return f"(?:{soon}|{_element(name, children, ['loc'])})"


def _news(prefix: str) -> str:
    publication = _children(prefix, _PUBLICATION)
    whole = _element(f"{prefix}publication", publication, _PUBLICATION)
    children = _children(prefix, _NEWS) | {f"{prefix}publication": whole}
    return _element(f"{prefix}news", children, ["publication", "publication_date", "title"])
