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
from sitemapx.convert.formats.feeds.media.nodes import Level, MediaNode, Origin, level_of
from sitemapx.convert.formats.feeds.media.values import NOBODY, MediaDescription
from sitemapx.convert.formats.format import Context
from sitemapx.convert.html.text import plain_text
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.model.media import Image, Video
from sitemapx.convert.values.dates import parse_feed_date
from sitemapx.convert.xml.elements import as_document, name_of
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
    media = [*map(MediaNode, item.all("media"))]
    around = level_of(media)
    title, description = entry.title, entry.description
    if not (title and description):
        groups = [group.children for group in around.get("group", ())]
        contents = [
            node.children for level in (around, *groups) for node in level.get("content", ())
        ]
        title = title or _nearest("title", (around, *groups, *contents))
        description = description or _nearest("description", (around, *groups))
    videos: list[Video] = []
    images: list[Image] = []
    media_objects = list(_media_objects(media, around))
    for own in media_objects:
        content, inside = own[0], [node.children for node in own]
        content.is_taken = True
        kind = _kind(content, (*inside, around))
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
    rest = origin.lost(around, "content", "group")
    extras = entry.extras
    if media_objects:
        for node in rest:
            origin.leave_out(f"<{name_of(node.element)}>", node)
    else:  # foreign elements like any other
        extras += tuple(as_document(node.element) for node in rest)
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
    media = [*map(MediaNode, nodes)]
    around = level_of(media)
    media_objects = list(_media_objects(media, around))
    kinds = {_kind(own[0], [*(node.children for node in own), around]) for own in media_objects}
    if not media_objects and "thumbnail" in around:
        kinds.add("image")
    return frozenset(f"{kind}s" for kind in kinds if kind in ("image", "video"))


def _report_lost(media_objects: Iterable[Sequence[MediaNode]], origin: Origin) -> None:
    """Report what in some objects could not be kept; two may share what is around them."""
    reported: set[MediaNode] = set()
    for own in media_objects:
        for node in own:
            if node in reported:
                continue
            reported.add(node)
            if node.name != "group":
                origin.report_attributes(node)
            for other in node.children.get("content", ()):
                if not other.is_taken:
                    origin.leave_out("another rendition in <media:group>", other)
            for inner in origin.lost(node.children, "content"):
                origin.leave_out(f"<{name_of(inner.element)}>", inner)


def _nearest(name: str, levels: Iterable[Level]) -> str | None:
    """Return the first title or description, where an item has no other."""
    for node in (node for level in levels for node in level.get(name, ())):
        if text := node.take():
            is_html = name == "title" and node.element.get("type") == "html"
            return plain_text(text) if is_html else text
    return None


def _media_objects(media: Iterable[MediaNode], around: Level) -> Iterator[list[MediaNode]]:
    """List each media object, from its content to the outermost element that is its own."""
    contents: list[MediaNode] = []
    for node in media:
        if node.name == "content":
            contents.append(node)
            yield [node]
        elif node.name == "group":
            renditions = node.children.get("content", ())
            if renditions:
                contents.append(_default(renditions))
                yield [contents[-1], node]
            if "player" in node.children and all(
                _kind(rendition, (node.children,)) == "image" for rendition in renditions
            ):
                contents.append(node)
                yield [node]
    players = around.get("player", ())[:1]
    if players and all(_kind(content, (around,)) == "image" for content in contents):
        yield [*players]


def _default(contents: Sequence[MediaNode]) -> MediaNode:
    """Choose among the renditions of a group: the default, else the first whole video."""
    for content in contents:
        if content.get("isDefault").lower() == "true":
            return content

    def rank(content: MediaNode) -> tuple[bool, bool, bool]:
        is_sample = content.element.get("expression") == "sample"
        return _kind(content, ()) != "video", is_sample, _type(content) == FLASH

    return contents[0] if len(contents) == 1 else min(contents, key=rank)


def _kind(content: MediaNode, around: Iterable[Level]) -> str:
    """
    Return "video", "image", "audio" and so on: by the medium, the type, or the URL's ending.

    Args:
        around: What may say that there is a player for it.

    """
    is_played = (
        "player" in content.children
        or any("player" in level for level in around)
        or bool(content.element.get("duration"))
        or content.name == "player"
    )
    return media_kind(_type(content), content.get("medium"), is_played=is_played)


def _type(content: MediaNode) -> str:
    return media_type(content.get("type"), content.get("url"))


def _image(content: MediaNode, about: MediaDescription) -> Image:
    """Make an image; only what stands in it describes it."""
    return Image(
        loc=about.address(content), title=about.text("title"), caption=about.text("description")
    )


def _video(content: MediaNode, about: MediaDescription, entry: Entry, item: FeedItem) -> Video:
    valid = about.valid()
    player = about.url("player", "embed")
    file = None if content.name == "player" else about.address(content)
    if content.element.get("type") == FLASH and player in (None, file):
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
