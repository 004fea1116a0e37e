"""
Media RSS (https://www.rssboard.org/media-rss) as the videos and images of an entry.

A `content` is a media object; a `group` is one in several renditions, of which the default one is
taken; an item without either may have a `player` with a video, or a `thumbnail` that is its image.
What describes a media object is read in `values`. What Google reads:
https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps
"""

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from sitemapx.convert.formats.feeds.handlers import FeedItem
from sitemapx.convert.formats.feeds.media.kinds import FLASH, media_kind, media_type
from sitemapx.convert.formats.feeds.media.levels import Level, Origin, group_by_name, key_of
from sitemapx.convert.formats.feeds.media.values import NOBODY, MediaDescription
from sitemapx.convert.formats.format import Context
from sitemapx.convert.html.text import plain_text
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.model.media import Image, Video
from sitemapx.convert.values.dates import parse_feed_date
from sitemapx.convert.xml.elements import as_document, name_of, text_of
from sitemapx.convert.xml.parsers import XmlElement

__all__ = ["media_fields", "media_of"]


def media_of(entry: Entry, item: FeedItem, inherited: Level, context: Context) -> Entry:
    """
    Add the videos and images that an item has.

    Args:
        entry: All but those.
        item: Of which the entry was made; its media are taken.
        inherited: What the channel says of all its media.
        context: Called with what has no place in the model.

    """
    origin = Origin(item.offset, context, entry.loc)
    media = item.all("media")
    around = group_by_name(media)
    title, description = entry.title, entry.description
    if not (title and description):
        groups = list(map(origin.inside, around.get("group", ())))
        nodes = (node for level in (around, *groups) for node in level.get("content", ()))
        contents = list(map(origin.inside, nodes))
        title = title or _nearest("title", (around, *groups, *contents), origin)
        description = description or _nearest("description", (around, *groups), origin)
    videos: list[Video] = []
    images: list[Image] = []
    media_objects = list(_media_objects(media, around, origin))
    for own in media_objects:
        content, inside = origin.take(own[0]), list(map(origin.inside, own))
        kind = _kind(content, (*inside, around), origin)
        if kind == "image":
            images.append(_image(content, MediaDescription(inside, origin)))
        elif kind == "video":
            about = MediaDescription([*inside, around, inherited], origin)
            videos.append(_video(content, about, entry, item))
            if videos[-1].restriction == NOBODY:
                videos.pop()
                origin.leave_out("a video that is blocked in all countries", content)
        else:
            origin.leave_out(f"media of kind {kind or 'unknown'}", content)
    _report_lost(media_objects, origin)
    if not media_objects and "thumbnail" in around:
        images.append(Image(loc=MediaDescription([around], origin).url("thumbnail")))
    rest = origin.lost_in(around, "content", "group")
    extras = entry.extras
    if media_objects:
        for node in rest:
            origin.leave_out(f"<{name_of(node)}>", node)
    else:  # foreign elements like any other
        extras += tuple(map(as_document, rest))
    return replace(
        entry,
        title=title,
        description=description,
        videos=tuple(videos),
        images=tuple(images),
        extras=extras,
    )


def media_fields(nodes: Sequence[XmlElement]) -> frozenset[str]:
    """Return the names of the fields that elements of an item fill: images, videos or both."""
    origin, around = Origin(0, Context(), None), group_by_name(nodes)
    kinds: set[str] = set()
    media_objects = list(_media_objects(nodes, around, origin))
    for own in media_objects:
        levels = [*map(origin.inside, own), around]
        kinds.add(_kind(own[0], levels, origin))
    if not media_objects and "thumbnail" in around:
        kinds.add("image")
    return frozenset(f"{kind}s" for kind in kinds if kind in ("image", "video"))


def _report_lost(media_objects: Iterable[Sequence[XmlElement]], origin: Origin) -> None:
    """Report what in some objects could not be kept; two may share what is around them."""
    reported: set[XmlElement] = set()
    for own in media_objects:
        for node in own:
            if node in reported:
                continue
            reported.add(node)
            name, level = key_of(str(node.tag)), origin.inside(node)
            if name != "group":
                origin.report_attributes(name, node)
            for other in origin.lost(level.get("content", ())):
                origin.leave_out("another rendition in <media:group>", other)
            for inner in origin.lost_in(level, "content"):
                origin.leave_out(f"<{name_of(inner)}>", inner)


def _nearest(name: str, levels: Iterable[Level], origin: Origin) -> str | None:
    """Return the first title or description, where an item has no other."""
    for node in (node for level in levels for node in level.get(name, ())):
        if text := text_of(origin.take(node)):
            return text if name == "description" or node.get("type") != "html" else plain_text(text)
    return None


def _media_objects(
    media: Sequence[XmlElement], around: Level, origin: Origin
) -> Iterator[list[XmlElement]]:
    """List each media object, from its content to the outermost element that is its own."""
    contents: list[XmlElement] = []
    for node in media:
        name = key_of(str(node.tag))
        if name == "content":
            contents.append(node)
            yield [node]
        elif name == "group":
            inside = origin.inside(node)
            if renditions := inside.get("content"):
                contents.append(_default(renditions, origin))
                yield [contents[-1], node]
            if "player" in inside and all(
                _kind(rendition, (inside,), origin) == "image" for rendition in renditions or ()
            ):
                contents.append(node)
                yield [node]
    players = around.get("player", ())[:1]
    if players and all(_kind(content, (around,), origin) == "image" for content in contents):
        yield [*players]


def _default(contents: Sequence[XmlElement], origin: Origin) -> XmlElement:
    """Choose among the renditions of a group: the default, else the first whole video."""
    for content in contents:
        if content.get("isDefault", "").lower() == "true":
            return content

    def rank(content: XmlElement) -> tuple[bool, bool, bool]:
        is_sample = content.get("expression") == "sample"
        return _kind(content, (), origin) != "video", is_sample, _type(content) == FLASH

    return contents[0] if len(contents) == 1 else min(contents, key=rank)


def _kind(content: XmlElement, around: Iterable[Level], origin: Origin) -> str:
    """
    Return "video", "image", "audio" and so on: by the medium, the type, or the URL's ending.

    Args:
        around: What may say that there is a player for it.

    """
    is_played = (
        "player" in origin.inside(content)
        or any("player" in level for level in around)
        or bool(content.get("duration"))
        or key_of(str(content.tag)) == "player"
    )
    return media_kind(_type(content), content.get("medium"), is_played=is_played)


def _type(content: XmlElement) -> str:
    return media_type(content.get("type"), content.get("url"))


def _image(content: XmlElement, about: MediaDescription) -> Image:
    """Make an image; only what stands in it describes it."""
    return Image(
        loc=about.address(content), title=about.text("title"), caption=about.text("description")
    )


def _video(content: XmlElement, about: MediaDescription, entry: Entry, item: FeedItem) -> Video:
    valid = about.valid()
    player = about.url("player", "embed")
    file = None if key_of(str(content.tag)) == "player" else about.address(content)
    if content.get("type") == FLASH and player in (None, file):
        player, file = file, None
    start = valid.get("start") or entry.published
    return Video(
        thumbnail_loc=about.url("thumbnail"),
        title=about.text("title") or entry.title,
        description=about.text("description") or plain_text(entry.description or "") or None,
        content_loc=file,
        player_loc=player,
        duration=about.duration(content),
        publication_date=start or parse_feed_date(item.texts.get("dc:date", "")),
        expiration_date=valid.get("end"),
        **about.details(),
    )
