"""The fields of pictures and videos, made of the texts that the patterns of Media RSS find."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from sitemapx.convert.formats.feeds.media.values import (
    FAMILY_FRIENDLY,
    keywords,
    seconds,
    stars,
    views,
)
from sitemapx.convert.formats.regular.columns import Column
from sitemapx.convert.formats.regular.models import (
    Groups,
    Maker,
    attribute_of_group,
    text_of_group,
)
from sitemapx.convert.html.text import plain_text
from sitemapx.convert.model.media import Uploader
from sitemapx.convert.values import datatypes
from sitemapx.convert.values.datatypes import Datatype, OnProblem

__all__ = ["IMAGE_FIELDS", "VIDEO_FIELDS", "MediaField"]


def _described(number: int, groups: Groups) -> Column | None:
    """Make the column of a text that may be HTML, which the group before says."""
    column = text_of_group(datatypes.TEXT, number, groups)
    types = groups[number - 2]
    if column is None or types.count(None) == len(types):
        return column
    values = [
        (plain_text(value) or None) if value and type_ == "html" else value
        for value, type_ in zip(column.values, types, strict=True)
    ]
    return column._replace(values=values)


def _credited(number: int, groups: Groups) -> Column | None:
    """Make the column of those who are credited in a role that counts; others are odd."""
    column = text_of_group(datatypes.TEXT, number, groups)
    if column is None:
        return None
    texts, roles = groups[number - 1], groups[number - 2]
    pairs = enumerate(zip(texts, roles, strict=True))
    odd = [n for n, (text, role) in pairs if text is not None and role not in _ROLES]
    values = [Uploader(name=name) if name else None for name in column.values]
    return Column(values, {*column.odd, *odd})


def _filled(make: Maker, before: int, groups: Groups) -> Column | None:
    """Make those odd that are there, and say nothing; that they are there, a group before says."""
    column = make(groups)
    texts = groups[before - 1]
    if column is None:
        return Column([None] * len(texts), [n for n, text in enumerate(texts) if text is not None])
    pairs = enumerate(zip(column.values, texts, strict=True))
    empty = (n for n, (value, text) in pairs if value is None is not text)
    return column._replace(odd={*column.odd, *empty})


_ROLES = frozenset({"uploader", "author"})


def _datatype(parse: Callable[[str], Any]) -> Datatype:
    """Make a datatype whose values are odd if this gives None."""

    def parse_or_report(text: str, on_problem: OnProblem) -> Any:
        value = parse(text)
        if value is None:
            on_problem("bad-value", text)
        return value

    return Datatype(parse_or_report, lambda value, _: str(value))


def _average(text: str) -> float | None:
    try:
        return stars(float(text), 0.0, 5.0)
    except ValueError:
        return None


class MediaField(NamedTuple):
    """
    A field of a model.

    Attributes:
        group: The name of the group that has its text.
        make: Makes its column.
        is_only_text: Whether nothing can be wrong with it, nor does anybody else look at it.

    """

    group: str
    make: Callable[[int, Groups], Column | None]
    is_only_text: bool = False


_text = partial(text_of_group, datatypes.TEXT)
_url = partial(attribute_of_group, datatypes.URL)


def _thumbnail(number: int, groups: Groups) -> Column | None:
    return _filled(partial(_url, number), number - 1, groups)


def _audience(number: int, groups: Groups) -> Column | None:
    kind = _datatype(lambda text: FAMILY_FRIENDLY.get(text.lower()))
    return _filled(partial(text_of_group, kind, number), number, groups)


def _rating(number: int, groups: Groups) -> Column | None:
    kind = _datatype(_average)
    return _filled(partial(attribute_of_group, kind, number), number, groups)


#: The fields of a picture.
IMAGE_FIELDS = {
    "loc": MediaField("content url", _url),
    "title": MediaField("title", _described, is_only_text=True),
    "caption": MediaField("description", _described, is_only_text=True),
}
#: The fields of a video.
VIDEO_FIELDS = {
    "content_loc": MediaField("content url", _url),
    "thumbnail_loc": MediaField("thumbnail url", _thumbnail),
    "player_loc": MediaField("player url", _url),
    "title": MediaField("title", _described, is_only_text=True),
    "description": MediaField("description", _described),
    "category": MediaField("category", _text, is_only_text=True),
    "tags": MediaField("keywords", partial(text_of_group, _datatype(keywords)), is_only_text=True),
    "uploader": MediaField("credit", _credited),
    "family_friendly": MediaField("rating", _audience),
    "duration": MediaField("content duration", partial(attribute_of_group, _datatype(seconds))),
    "rating": MediaField("starRating average", _rating),
    "view_count": MediaField("statistics views", partial(attribute_of_group, _datatype(views))),
}
