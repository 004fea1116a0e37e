"""The usual markup of extensions: patterns that match only what nothing is reported of."""

import re
from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

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

__all__ = ["UsualExtension", "usual_extensions"]

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


class UsualExtension(NamedTuple):
    """
    The elements of an extension, as they are usually written.

    Attributes:
        name: Their name, with its prefix.
        pattern: Matches one of them after its name.
        are_right: Returns whether all in an item are right that match; given the content of the
            item, after the first name. None if all that match are.

    """

    name: str
    pattern: str
    are_right: Callable[[str], bool] | None = None


def usual_extensions(prefixes: Mapping[str, str]) -> dict[str, UsualExtension]:
    """
    Say how links, images, videos and news are usually written, by the field that they fill.

    Args:
        prefixes: Those that the document declares, with their namespaces.

    """
    names = {namespace: f"{prefix}:" if prefix else "" for prefix, namespace in prefixes.items()}
    found: dict[str, UsualExtension] = {}
    if prefix := names.get(NAMESPACES["xhtml"]):
        name = f"{prefix}link"
        found["alternates"] = UsualExtension(name, rf"{_LINK}(?:/>|>{SPACE}</{name}>)")
    if prefix := names.get(NAMESPACES["image"]):
        found["images"] = UsualExtension(f"{prefix}image", _image(prefix))
    if prefix := names.get(NAMESPACES["video"]):
        name = f"{prefix}video"
        video = _with_children(name, _children(prefix, _VIDEO).values())
        required = {"thumbnail_loc", "title", "description"}
        found["videos"] = UsualExtension(name, video, _Occurrences(prefix, name, required))
    if prefix := names.get(NAMESPACES["news"]):
        name = f"{prefix}news"
        required = {"publication", *_PUBLICATION, "publication_date", "title"}
        found["news"] = UsualExtension(name, _news(prefix), _Occurrences(prefix, name, required))
    return found


class _Occurrences:
    """Checks that elements have each child once that is required, and no other one twice."""

    def __init__(self, prefix: str, name: str, required: Collection[str]) -> None:
        """
        Take the names.

        Args:
            prefix: That of the elements and their children, with its colon.
            name: The name of the elements.
            required: Those of the children that must be there, and theirs.

        """
        self._end = f"</{name}>"
        self._names = re.compile(rf"<{prefix}([a-z_]++)[ \t\n>]").findall
        self._required = frozenset(required)

    def __call__(self, content: str) -> bool:
        """Return whether they are right in this content of an item, from the first one on."""
        return all(map(self._is_right, content.split(self._end)[:-1]))

    def _is_right(self, element: str) -> bool:
        names = [name for name in self._names(element) if name not in _SEVERAL]
        there = {*names}
        return len(there) == len(names) and self._required <= there


def _children(prefix: str, patterns: Mapping[str, str]) -> dict[str, str]:
    """Match children after their `<`, by their names with the prefix."""
    return {
        f"{prefix}{name}": f"{prefix}{name}{pattern}</{prefix}{name}>"
        for name, pattern in patterns.items()
    }


def _with_children(name: str, children: Collection[str]) -> str:
    """Match what follows the name of an element that has any of these children, in any order."""
    return f">{SPACE}(?:<(?:{'|'.join(children)}){SPACE}){{0,{_MOST}}}+</{name}>"


def _up_to(name: str, child: str) -> str:
    """Match all before the next child of this name that is in the same element."""
    return rf"(?:[^<]*+<(?!/{name}>|{child}>))*+[^<]*+<{child}>"


def _image(prefix: str) -> str:
    """Match an image after its name; with its address first and two more at most, it is quick."""
    children = _children(prefix, _IMAGE)
    loc, *others = (f"<{pattern}{SPACE}" for pattern in children.values())
    pairs = (
        f"{first}(?:{'|'.join(second for second in others if second != first)}|)"
        for first in others
    )
    name = f"{prefix}image"
    soon = f">{SPACE}{loc}(?:{'|'.join(pairs)}|)</{name}>"
    once = [f"{pattern}(?!{_up_to(name, child)})" for child, pattern in children.items()]
    has_loc = f"(?=>{_up_to(name, f'{prefix}loc')})"
    return f"(?:{soon}|{has_loc}{_with_children(name, once)})"


def _news(prefix: str) -> str:
    publication = _children(prefix, _PUBLICATION).values()
    name = f"{prefix}publication"
    whole = f"{name}{_with_children(name, publication)}"
    return _with_children(f"{prefix}news", [*_children(prefix, _NEWS).values(), whole])
