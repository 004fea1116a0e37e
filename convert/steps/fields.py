"""Steps that change fields of entries."""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from sitemapx.convert.html.text import plain_text
from sitemapx.convert.model.batch import FIELDS, Batch
from sitemapx.convert.model.entry import Enclosure, Entry, Image, Video
from sitemapx.convert.steps.step import Step, each
from sitemapx.convert.values import datatypes
from sitemapx.convert.values.words import require_list, require_text
from sitemapx.errors import UnknownNameError, UsageError


def drop(fields: Iterable[str]) -> Step:
    """
    Drop fields from all entries.

    Args:
        fields: Names of `Entry` fields.

    Raises:
        UsageError: If a field does not exist or is `loc`.

    """
    known = check_fields(require_list("fields", fields))
    return each("drop", lambda batch: batch.without(known), ())._replace(drops=known)


def check_fields(names: Iterable[str]) -> frozenset[str]:
    fields = frozenset(names)
    for name in sorted(fields.difference(FIELDS[1:])):
        raise UnknownNameError("field", name, FIELDS[1:])
    return fields


def assign(values: Mapping[str, str]) -> Step:
    """
    Set fields of all entries to fixed values, replacing existing values.

    Args:
        values: Values as text, as in an XML sitemap, for any of the fields `lastmod`, `changefreq`
            and `priority`.

    Raises:
        UsageError: If a field cannot be set, or a value is invalid.

    """
    ready = {name: _parse(name, text) for name, text in values.items()}

    def change(batch: Batch) -> Batch:
        for name, value in ready.items():
            batch = batch.with_column(name, [value] * len(batch))
        return batch

    return each("set", change, ())


_EXAMPLES = {"lastmod": "2026-01-01", "changefreq": "daily", "priority": "0.5"}


def _parse(name: str, text: str) -> Any:
    def raise_error(code: str, message: str) -> None:
        raise UsageError(f"{name}: {message}")

    if name not in datatypes.CORE:
        raise UsageError(
            f"cannot set field {name!r}; fields that can be set are {', '.join(datatypes.CORE)}"
        )
    require_text(name, text, _EXAMPLES[name])
    return datatypes.CORE[name].parse(text, raise_error)


def _with_media(entry: Entry) -> Entry:
    images = list(entry.images)
    videos = list(entry.videos)
    kept: list[Enclosure] = []
    known = {image.loc for image in images} | {video.content_loc for video in videos}
    thumbnail = images[0].loc if images else None
    for enclosure in entry.enclosures:
        kind = (enclosure.type or "").partition("/")[0]
        if kind in ("image", "video") and enclosure.url in known:
            continue
        if kind == "image":
            images.append(Image(loc=enclosure.url))
        elif kind == "video":
            videos.append(
                Video(
                    thumbnail_loc=thumbnail,
                    content_loc=enclosure.url,
                    title=entry.title,
                    description=plain_text(entry.description or "") or None,
                    publication_date=entry.published,
                )
            )
        else:
            kept.append(enclosure)
    return replace(entry, images=tuple(images), videos=tuple(videos), enclosures=tuple(kept))


def _enclosures_as_media(batch: Batch) -> Batch:
    if not batch.field_counts().get("enclosures"):
        return batch
    return Batch([_with_media(entry) for entry in batch.entries])


#: Step that turns enclosures with an image or video MIME type into images and videos, each once.
enclosures_as_media = each("enclosures", _enclosures_as_media, None)
