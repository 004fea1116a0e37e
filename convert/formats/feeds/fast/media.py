"""
Patterns of Media RSS in items: media objects with all that describes them in one place.

A media object is a `content`, or a `group` of one; beside media objects there may be thumbnails.
Whatever else there is, the slow path looks at; it says what all of it means (`feeds.media`).
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from itertools import compress, repeat
from typing import Any, NamedTuple

from sitemapx.convert.formats.feeds.fast.mediafields import (
    IMAGE_FIELDS,
    VIDEO_FIELDS,
    MediaField,
)
from sitemapx.convert.formats.feeds.media.kinds import FLASH, media_kind, media_type
from sitemapx.convert.formats.regular.columns import (
    NO_LOSSES,
    Column,
    Losses,
    attribute_column,
)
from sitemapx.convert.formats.regular.items import once
from sitemapx.convert.formats.regular.models import (
    Groups,
    Maker,
    ModelMaker,
)
from sitemapx.convert.formats.regular.patterns import IN_TAG, QUOTED, SPACE, Pattern, Taken
from sitemapx.convert.model.base import Model
from sitemapx.convert.model.media import Image, Video
from sitemapx.convert.values import datatypes

__all__ = ["Clip", "MediaPattern", "Thumbnail", "ThumbnailPattern"]

#: The attributes of media objects that an entry has no place for.
_SIZES = ("width", "height")
_LEFT_OUT = (*_SIZES, "fileSize", "bitrate", "framerate", "samplingrate", "channels", "lang")
#: Those that say nothing of a media object that is alone.
_OF_RENDITIONS = ("isDefault", "expression")
#: The kinds of media objects of which this is left out.
_LEFT_OUT_OF = {
    **dict.fromkeys((f"content {name}" for name in _LEFT_OUT), ("image", "video")),
    **dict.fromkeys(("category", "keywords", "credit", "rating", "community"), ("image",)),
    **dict.fromkeys(("thumbnail", "player"), ("image",)),
    **dict.fromkeys((f"thumbnail {name}" for name in _SIZES), ("video",)),
    **dict.fromkeys((f"player {name}" for name in _SIZES), ("video",)),
}


def _inside(attributes: Sequence[str]) -> str:
    """Match the attributes of a tag, up to its end."""
    return rf"(?:[ \t\n]++(?:{'|'.join(attributes)}))*{IN_TAG}" if attributes else IN_TAG


class Clip(NamedTuple):
    """
    A video, without what the item around it says.

    Attributes:
        is_grouped: Whether what describes it stands in a group, and so describes the item, too.

    """

    video: Video
    is_grouped: bool


class Thumbnail(NamedTuple):
    """A thumbnail beside media objects, and the attributes of it that are left out."""

    url: str
    left_out: Sequence[str]


class ThumbnailPattern(Pattern):
    """The pattern of thumbnails beside media objects."""

    def __init__(self) -> None:
        """Compile it."""
        super().__init__()
        attributes = [self._attribute(name)[0] for name in ("url", *_SIZES)]
        tag = rf"<media:thumbnail{_inside(attributes)}"
        self._compile(rf"{tag}(?:/>|>{SPACE}</media:thumbnail{IN_TAG}>)", self._values)

    def _values(self, groups: Groups) -> Column:
        urls, *sizes = groups
        column = attribute_column(datatypes.URL, urls) or Column([None] * len(urls))
        missing = (row for row, url in enumerate(column.values) if url is None)
        are_there = ([size is not None for size in column] for column in sizes)
        left_out = (tuple(compress(_SIZES, found)) for found in zip(*are_there, strict=True))
        thumbnails = list(map(Thumbnail, column.values, left_out))
        return Column(thumbnails, {*column.odd, *missing})


class MediaPattern(Pattern):
    """The pattern of pictures and videos."""

    def __init__(self, *, is_wanted: bool) -> None:
        """
        Compile it.

        Args:
            is_wanted: Whether any of them is wanted; else they are only looked at.

        """
        super().__init__()
        self._is_wanted = is_wanted
        self._numbers: dict[str, int] = {}
        name = self._numbered("")
        known = ("url", "type", "medium", "duration", *_OF_RENDITIONS, *_LEFT_OUT)
        tag = rf"<media:(content|group){_inside(self._named('content', known))}"
        children = "|".join(
            [
                self._text("title", "type"),
                self._text("description", "type"),
                self._text("category"),
                self._text("keywords"),
                self._text("credit", "role"),
                self._text("rating"),
                self._with_url("thumbnail"),
                self._with_url("player"),
                self._community(),
            ]
        )
        content = rf"{SPACE}(?:<media:(?:{children}){SPACE})*"
        self._compile(rf"{tag}(?:/>|>{content}</media:\{name}{IN_TAG}>)", self._values)
        self._images = self._maker(Image, IMAGE_FIELDS, "loc")
        self._videos = self._maker(Video, VIDEO_FIELDS, "content_loc")

    def take(self, text: str, mark: str, *, is_wanted: bool = True) -> Taken:
        """Put a mark in the place of each media object."""
        if "<media:group>" in text:
            text = _GROUP.sub(_ungrouped, text)
        return super().take(text, mark, is_wanted=is_wanted)

    # ---- the parts of the pattern

    def _numbered(self, name: str) -> int:
        """Count a group, which is known by this name."""
        self._numbers[name] = number = self._group()
        return number

    def _named(self, element: str, attributes: Sequence[str]) -> list[str]:
        patterns = []
        for name in attributes:
            pattern, self._numbers[f"{element} {name}"] = self._attribute(name)
            patterns.append(pattern)
        return patterns

    def _text(self, name: str, *attributes: str) -> str:
        inside = _inside(self._named(name, attributes))
        number = self._numbered(name)
        return rf"{name}{inside}>{once(number)}([^<]*+)</media:{name}{IN_TAG}>"

    def _with_url(self, name: str) -> str:
        number = self._numbered(name)
        inside = _inside(self._named(name, ("url", *_SIZES)))
        return rf"{name}{once(number)}(){inside}(?:/>|>{SPACE}</media:{name}{IN_TAG}>)"

    def _community(self) -> str:
        number = self._numbered("community")
        average = self._named("starRating", ["average"])
        scale = ["min=(?:\"0\"|'0')", "max=(?:\"5\"|'5')"]
        count = self._named("statistics", ["views"])
        rating = rf"starRating{_inside([*average, *scale])}(?({number + 1})|(?!))/>"
        statistics = rf"statistics{_inside(count)}(?({number + 2})|(?!))/>"
        content = rf"{SPACE}(?:<media:(?:{rating}|{statistics}){SPACE})+"
        return rf"community>{once(number)}(){content}</media:community{IN_TAG}>"

    def _maker(
        self, make: type[Model], fields: Mapping[str, MediaField], required: str
    ) -> ModelMaker:
        makers: dict[str, Maker] = {
            name: partial(field.make, self._numbers[field.group])
            for name, field in fields.items()
            if self._is_wanted or not field.is_only_text
        }
        return ModelMaker(make, makers, [required])

    # ---- values

    def _values(self, groups: Groups) -> Column:
        kinds = self._kinds(groups)
        values: list[Any] = [None] * len(kinds)
        odd = {row for row, kind in enumerate(kinds) if kind not in ("image", "video")}
        is_grouped = [name == "group" for name in groups[0]]
        for kind, maker in (("image", self._images), ("video", self._videos)):
            rows = [row for row, found in enumerate(kinds) if found == kind]
            models, odd_rows = self._models(maker, groups, rows)
            odd.update(odd_rows)
            for row, model in zip(rows, models, strict=True):
                values[row] = model if kind == "image" else Clip(model, is_grouped[row])
        types = groups[self._numbers["description type"] - 1]
        for row, is_one in enumerate(is_grouped):
            if is_one and (kinds[row] == "image" or types[row] is not None):
                odd.add(row)
        return Column(values, odd, self._losses(groups, kinds) if self._is_wanted else NO_LOSSES)

    @staticmethod
    def _models(
        maker: ModelMaker, groups: Groups, rows: Sequence[int]
    ) -> tuple[Iterable[Any], Collection[int]]:
        """Make the models of some rows, and number those that are odd."""
        if len(rows) < len(groups[0]):
            groups = [[texts[row] for row in rows] for texts in groups]
        made = maker.models(groups) if rows else None
        if made is None:  # without a URL, which all need
            return repeat(None, len(rows)), rows
        models, odd = made
        return models, [rows[n] for n in odd]

    def _kinds(self, groups: Groups) -> list[str | None]:
        """Return the kind of each media object; None if that takes more than to look at it."""
        known: dict[tuple[str | None, ...], str | None] = {}
        kinds: list[str | None] = []
        urls, types, media, durations, players = (
            groups[self._numbers[name] - 1]
            for name in (
                "content url",
                "content type",
                "content medium",
                "content duration",
                "player",
            )
        )
        for row, key in enumerate(zip(types, media, durations, players, strict=True)):
            if key not in known:
                known[key] = _kind(*key)
            has_type = bool(key[0] and key[0].strip())
            kinds.append(known[key] if has_type else _kind(*key, url=urls[row]))
        return kinds

    def _losses(self, groups: Groups, kinds: Sequence[str | None]) -> Losses:
        """List the media objects of which something is left out, by what it is."""
        losses: dict[str, list[int]] = {}
        for name, number in self._numbers.items():
            is_lost = _LEFT_OUT_OF.get(name)
            texts = groups[number - 1]
            if not is_lost or texts.count(None) == len(texts):
                continue
            pairs = enumerate(zip(texts, kinds, strict=True))
            rows = [n for n, (text, kind) in pairs if text is not None and kind in is_lost]
            if rows:
                losses[f"<media:{name}>"] = rows
        return losses


def _kind(
    type_: str | None,
    medium: str | None,
    duration: str | None,
    player: str | None,
    *,
    url: str | None = None,
) -> str | None:
    """Return the kind of a media object; None if that takes more than to look at it."""
    path = (url or "").partition("?")[0]
    if any("&" in (text or "") for text in (type_, medium, path)):
        return None
    found = media_type(type_ or "", path)
    is_played = player is not None or bool(duration)
    return None if found == FLASH else media_kind(found, medium or "", is_played=is_played)


# ---- a group of one media object

_ANY = "(?:[^<]++|<(?!/?media:(?:content|group)))*+"
_TAG = rf"<media:content((?:[^<>\"']++|{QUOTED})*?)"
_GROUP = re.compile(
    rf"<media:group>({_ANY}){_TAG}(?:/>|>({_ANY})</media:content>)({_ANY})</media:group>"
)


def _ungrouped(found: re.Match[str]) -> str:
    """Put all that describes a media object into it; leave it as it is if that is in two places."""
    before, attributes, inside, after = found.groups("")
    around = f"{before}{after}"
    if around.strip() and inside.strip():
        return found[0]
    name = "group" if around.strip() else "content"
    return f"<media:{name}{attributes}>{around}{inside}</media:{name}>"
