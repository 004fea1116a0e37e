"""Steps between reader and writer: each takes a stream of batches, and gives another."""

import heapq
from collections.abc import Callable, Collection, Iterator

from msgspec.structs import replace

from sitemapx.convert import dates
from sitemapx.convert.document import Batch, batched
from sitemapx.convert.entry import Enclosure, Entry, Image, Video

__all__ = ["Step", "enclosures_as_media", "newest", "without"]

Step = Callable[[Iterator[Batch]], Iterator[Batch]]


def without(fields: Collection[str]) -> Step:
    """Leave these fields out."""
    empty = {name: getattr(Entry(), name) for name in fields}

    def step(batches: Iterator[Batch]) -> Iterator[Batch]:
        for batch in batches:
            if batch.census().keys() & empty.keys():
                batch = Batch([replace(entry, **empty) for entry in batch.entries])  # noqa: PLW2901
            yield batch

    return step


def newest(limit: int) -> Step:
    """Keep so many entries, those that changed last first; undated ones come last, in order."""

    def step(batches: Iterator[Batch]) -> Iterator[Batch]:
        entries = (entry for batch in batches for entry in batch.entries)
        yield from batched(heapq.nlargest(limit, entries, key=_age))

    return step


def _age(entry: Entry) -> tuple[bool, float]:
    date = entry.lastmod or entry.published
    return (True, dates.moment(date).timestamp()) if date else (False, 0.0)


def enclosures_as_media(batches: Iterator[Batch]) -> Iterator[Batch]:
    """Make images and videos of enclosures that are such by their type."""
    for batch in batches:
        if batch.census().get("enclosures"):
            yield Batch([_with_media(entry) for entry in batch.entries])
        else:
            yield batch


def _with_media(entry: Entry) -> Entry:
    images = list(entry.images)
    videos = list(entry.videos)
    kept: list[Enclosure] = []
    for one in entry.enclosures:
        kind = (one.type or "").partition("/")[0]
        if kind == "image":
            images.append(Image(loc=one.url))
        elif kind == "video":
            videos.append(
                Video(
                    content_loc=one.url,
                    title=entry.title,
                    description=entry.description,
                    publication_date=entry.published or entry.lastmod,
                )
            )
        else:
            kept.append(one)
    return replace(entry, images=tuple(images), videos=tuple(videos), enclosures=tuple(kept))
