"""Media RSS in items: media objects and thumbnails become the pictures and videos of entries."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from sitemapx.convert.formats.feeds.fast.media import Clip, Thumbnail
from sitemapx.convert.formats.regular.columns import Column
from sitemapx.convert.html.text import plain_text
from sitemapx.convert.model.media import Image

__all__ = ["MEDIA_OBJECTS", "THUMBNAILS", "join_media"]

#: The columns of what is made here.
MEDIA_OBJECTS, THUMBNAILS = "media objects", "media thumbnails"


def join_media(columns: dict[str, Column], *, is_wanted: bool) -> None:
    """
    Make the pictures and videos of items.

    Args:
        columns: Those of the entries, to which they are added.
        is_wanted: Whether any is wanted; else it is enough to know which items have one.

    """
    found = [columns.pop(name, None) for name in (MEDIA_OBJECTS, THUMBNAILS)]
    if found == [None, None]:
        return
    empty = Column([()] * len(columns["loc"].values))
    media_objects, thumbnails = (column or empty for column in found)
    items = _MediaItems(columns, is_wanted=is_wanted)
    for row, (own, around) in enumerate(zip(media_objects.values, thumbnails.values, strict=True)):
        if own or around:
            items.add(row, own, around)
    columns["description"] = Column(items.descriptions, *items.description[1:])
    odd = {*media_objects.odd, *thumbnails.odd, *items.odd}
    columns["images"] = Column(items.images, odd, media_objects.losses)
    columns["videos"] = Column(items.videos, (), items.losses if is_wanted else {})


class _MediaItems:
    """The items of a block, which get what they have one after the other."""

    def __init__(self, columns: dict[str, Column], *, is_wanted: bool) -> None:
        count = len(columns["loc"].values)
        nothing = Column([None] * count)
        self._titles, self._dates = (
            columns.get(name, nothing).values for name in ("title", "published")
        )
        self.description = columns.get("description", nothing)
        self.descriptions: list[str | None] = [*self.description.values]
        self._is_wanted = is_wanted
        self.images: list[tuple[Any, ...]] = [()] * count
        self.videos: list[tuple[Any, ...]] = [()] * count
        self.odd: list[int] = []
        self.losses: dict[str, list[int]] = {}

    def add(self, row: int, media_objects: Sequence[Any], thumbnails: Sequence[Thumbnail]) -> None:
        """Make what an item has."""
        if not media_objects:
            self.images[row] = (Image(loc=thumbnails[0].url),)
            self._lose(row, thumbnails[:1], is_taken=True)
            if len(thumbnails) > 1:
                self.odd.append(row)
            return
        if self._titles[row] is None:  # that of a media object may be taken
            self.odd.append(row)
        clips = [one for one in media_objects if isinstance(one, Clip)]
        if not clips:
            self.images[row] = tuple(media_objects)
            self._lose(row, thumbnails)
            return
        self.images[row] = tuple(one for one in media_objects if not isinstance(one, Clip))
        self._add_videos(row, clips, thumbnails)

    def _add_videos(self, row: int, clips: Sequence[Clip], thumbnails: Sequence[Thumbnail]) -> None:
        """Make the videos of an item, which describes them where they say nothing themselves."""
        description = self.descriptions[row]
        if description is None:
            of_groups = (clip.video.description for clip in clips if clip.is_grouped)
            self.descriptions[row] = next(filter(None, of_groups), None)
        still, lost = None, thumbnails
        if thumbnails and any(clip.video.thumbnail_loc is None for clip in clips):
            still, lost = thumbnails[0].url, thumbnails[1:]
            self._lose(row, thumbnails[:1], is_taken=True)
        self._lose(row, lost)
        if not self._is_wanted:
            self.videos[row] = tuple(clips)
            return
        about = None
        if description and any(clip.video.description is None for clip in clips):
            about = plain_text(description) or None
        title, date = self._titles[row], self._dates[row]
        self.videos[row] = tuple(
            replace(
                video,
                thumbnail_loc=video.thumbnail_loc or still,
                title=video.title or title,
                description=video.description or about,
                publication_date=date,
            )
            for video, _ in clips
        )

    def _lose(self, row: int, thumbnails: Sequence[Thumbnail], *, is_taken: bool = False) -> None:
        """Note what is left out: thumbnails, or attributes of one that is taken."""
        for thumbnail in thumbnails:
            names = thumbnail.left_out if is_taken else [""]
            for name in names:
                what = f"<media:thumbnail {name}>" if name else "<media:thumbnail>"
                self.losses.setdefault(what, []).append(row)
