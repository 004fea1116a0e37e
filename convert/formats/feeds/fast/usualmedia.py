"""Media RSS in usual items, of which it is enough to know what there is."""

from collections.abc import Mapping, Sequence
from itertools import chain, zip_longest

from sitemapx.convert.formats.feeds.fast.media import Clip, MediaPattern, ThumbnailPattern
from sitemapx.convert.formats.regular.columns import Column
from sitemapx.convert.formats.regular.items import MARKS
from sitemapx.convert.formats.regular.models import Groups
from sitemapx.convert.xml.plain import has_odd_text

__all__ = ["UsualMedia"]

_TAKEN, _IMAGE, _VIDEO, _DESCRIBING, _STILL = list(MARKS[:5])
_STILLS = "thumbnails"


class UsualMedia:
    """
    What takes pictures, videos and thumbnails out of a block.

    Attributes:
        marks: The fields of what stands for them then.
        only: The mark of which an item may have one.

    """

    marks: Mapping[str, Sequence[str]] = {
        _IMAGE: ["images"],
        _VIDEO: ["videos"],
        _DESCRIBING: ["videos", "description"],
        _STILL: [_STILLS],
    }
    only = _STILL

    def __init__(self) -> None:
        """Compile the patterns."""
        self._media_objects = _RawMediaPattern(is_wanted=False)
        self._thumbnails = _RawThumbnailPattern()

    def marked(self, text: str) -> str | None:
        """Put a mark in the place of each; None if anything takes a closer look."""
        media_objects = self._media_objects.take(text, _TAKEN)
        if media_objects.odd:
            return None
        pieces = media_objects.text.split(_TAKEN)
        marks = map(_mark_of, media_objects.values)
        text = "".join(chain.from_iterable(zip_longest(pieces, marks, fillvalue="")))
        if "<media:thumbnail" not in text:
            return text
        thumbnails = self._thumbnails.take(text, _STILL)
        return None if thumbnails.odd else thumbnails.text

    @staticmethod
    def settle(columns: dict[str, Sequence[str | None]]) -> bool:
        """
        Make pictures of thumbnails that are alone; return whether nothing takes a closer look.

        Args:
            columns: None where an item does not have what is in such a mark.

        """
        stills = columns.pop(_STILLS)
        rows = list(
            zip(columns["images"], columns["videos"], columns["title"], stills, strict=True)
        )
        columns["images"] = [
            image if video is not None or image is not None else still
            for image, video, _, still in rows
        ]
        return all(
            title is not None or image is video is None for image, video, title, _ in rows
        )  # else that of a media object is taken


class _RawMediaPattern(MediaPattern):
    """The pattern of pictures and videos in a text of which nothing is known."""

    def _values(self, groups: Groups) -> Column:
        return _all_odd(groups) or super()._values(groups)


class _RawThumbnailPattern(ThumbnailPattern):
    """The pattern of thumbnails in such a text."""

    def _values(self, groups: Groups) -> Column:
        return _all_odd(groups) or super()._values(groups)


def _all_odd(groups: Groups) -> Column | None:
    """Say that all rows are odd if there is anything in one that no text may have."""
    together = "\0".join(filter(None, chain.from_iterable(groups)))
    count = len(groups[0])
    return Column([None] * count, range(count)) if has_odd_text(together) else None


def _mark_of(media_object: object) -> str:
    if not isinstance(media_object, Clip):
        return _IMAGE
    return _DESCRIBING if media_object.is_grouped and media_object.video.description else _VIDEO
