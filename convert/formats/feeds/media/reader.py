"""
Reads Media RSS (https://www.rssboard.org/media-rss): the videos and images of an entry.

A `content` element is a media object; a `group` contains renditions of one object, only one of
which is used. Besides images, a group or an item may have a `player` of a video. In an item without
media objects, a `thumbnail` is read as an image. For Google:
https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from sitemapx.convert.formats.feeds.handlers import FeedItem
from sitemapx.convert.formats.feeds.media.nodes import (
    FLASH,
    Level,
    MediaNode,
    Origin,
    group_nodes,
    media_kind,
    media_type,
)
from sitemapx.convert.formats.format import Context
from sitemapx.convert.html.text import plain_text
from sitemapx.convert.model.entry import Entry, Image, Price, Restriction, Uploader, Video
from sitemapx.convert.values import urls
from sitemapx.convert.values.dates import parse_feed_date
from sitemapx.convert.values.zones import KEPT, loss
from sitemapx.convert.xml.elements import as_document, name_of, resolve_url, text_of
from sitemapx.convert.xml.parsers import XmlElement

# ---- the description of a media object

#: Blocked in all countries.
_BLOCKED = Restriction(relationship="allow")

_FAMILY_FRIENDLY = {"adult": False, "nonadult": True}
_EXPLICIT = {
    **dict.fromkeys(("yes", "explicit", "true"), False),
    **dict.fromkeys(("clean", "no", "false"), True),
}
_bounds = re.compile(r"\b(start|end)\s*=\s*([^;\s]+)").findall


class MediaDescription:
    """
    Description of a media object by elements at several levels; the nearest element is used.

    `levels` has the elements by name at each level, from the media object up to the feed.
    """

    def __init__(self, levels: Sequence[Level], origin: Origin) -> None:
        self._levels = levels
        self._origin = origin
        self._nearest: dict[str, Sequence[MediaNode]] = {}
        for level in reversed(levels):
            self._nearest.update(level)

    def details(self) -> dict[str, Any]:
        """Return the fields of a video, by name, that come from elements rather than attributes."""
        fields: dict[str, Any] = {}
        for names, read in _DETAILS:
            if not names.isdisjoint(self._nearest):
                fields.update(read(self))
        return fields

    def _first(self, *names: str) -> MediaNode | None:
        """Return the nearest element with one of these names, or None; mark it as used."""
        if len(names) == 1:
            nodes = self._nearest.get(names[0])
        else:
            found = (level[name] for level in self._levels for name in names if name in level)
            nodes = next(found, None)
        if nodes:
            nodes[0].is_used = True
        return nodes[0] if nodes else None

    def text(self, name: str) -> str | None:
        node = self._first(name)
        if node is None:
            return None
        text = text_of(node.element)
        return (plain_text(text) if node.element.get("type") == "html" else text) or None

    def url(self, *names: str) -> str | None:
        """Return the URL in the first of these elements that exists, or None; see `address`."""
        for name in names:
            if (node := self._first(name)) is not None:
                return self.address(node)
        return None

    def address(self, node: MediaNode) -> str | None:
        """Return the `url` attribute of an element, made absolute if possible; None if missing."""
        url = node.get("url")
        if not url or urls.is_absolute(url):
            return url or None
        return resolve_url(url, node.element, self._origin.line_offset, self._origin.context) or url

    def duration(self, content: MediaNode) -> int | None:
        node, text = content, content.get("duration")
        if not text and (other := self._first("itunes:duration")):
            node, text = other, text_of(other.element)
        found = _parse_seconds(text)
        if text and found is None:
            message = f"invalid video duration {text!r}: expected 1 to 28,800 seconds"
            self._origin.problem("bad-duration", message, node)
        return found

    def availability(self) -> Mapping[str, str]:
        """
        Return the dates "start" and "end" in `dcterms:valid`; report invalid dates.

        The element has the form `start=…; end=…; scheme=W3C-DTF`.
        """
        node = self._first("dcterms:valid")
        dates: dict[str, str] = {}
        if node:
            for name, text in _bounds(text_of(node.element)):
                unknown: list[str] = []
                if date := parse_feed_date(text, unknown.append):
                    dates[name] = date
                    for zone in unknown:
                        message = f"{name} of <{name_of(node.element)}>: {loss(zone, text)}"
                        self._origin.problem("unknown-zone", message, node, KEPT)
                else:
                    message = f"{name} of <{name_of(node.element)}>: invalid date {text!r}"
                    self._origin.problem("bad-date", message, node)
        return dates

    def live(self) -> bool | None:
        """Return True for a live stream, otherwise None: Media RSS cannot mark other videos."""
        for level in self._levels:
            for node in level.get("dcterms:type", ()):
                if text_of(node.element) == "live-video":
                    node.is_used = True
                    return True
        return None

    def tags(self) -> tuple[str, ...]:
        """Return the keywords, then the tags that users have given the video."""
        node = self._first("keywords", "itunes:keywords")
        words = _split_keywords(text_of(node.element)) if node else ()
        if tags := self._find_in_community("tags"):
            more = ",".join(part.partition(":")[0] for part in text_of(tags.element).split(","))
            words = tuple(dict.fromkeys([*words, *_split_keywords(more)]))
        return words

    def family_friendly(self) -> bool | None:
        for level in self._levels:
            for node in level.get("rating", ()):
                if node.element.get("scheme", "urn:simple") == "urn:simple":
                    word = text_of(node.element).lower()
                    if word in _FAMILY_FRIENDLY:
                        node.is_used = True
                        return _FAMILY_FRIENDLY[word]
            for node in level.get("adult", ()):
                return node.use().lower() != "true"
            for node in level.get("itunes:explicit", ()):
                if (word := text_of(node.element).lower()) in _EXPLICIT:
                    node.is_used = True
                    return _EXPLICIT[word]
        return None

    def restriction(self) -> Restriction | None:
        """Return where the video may or may not be played; None if allowed in all countries."""
        for level in self._levels:
            for node in level.get("restriction", ()):
                relationship = node.get("relationship").lower()
                is_country = node.element.get("type", "country") == "country"
                if not is_country or relationship not in ("allow", "deny"):
                    continue
                countries = node.use().upper().replace(",", " ").split()
                if countries in (["ALL"], ["NONE"], []):
                    is_for_all = (countries == ["ALL"]) == (relationship == "allow")
                    return None if is_for_all else _BLOCKED
                return Restriction(relationship=relationship, countries=tuple(countries))
        return None

    def uploader(self) -> Uploader | None:
        for level in self._levels:
            by_role = {node.get("role").lower(): node for node in level.get("credit", ())}
            node = by_role.get("uploader", by_role.get("author"))
            if node and (name := node.use()):
                return Uploader(name=name)
        return None

    def prices(self) -> dict[str, Any]:
        prices: list[Price] = []
        subscription = None
        for node in self._nearest.get("price", ()):
            kind = node.get("type").lower() or None
            price, currency = node.element.get("price"), node.element.get("currency")
            if kind == "subscription":
                subscription = True
                if price:
                    self._origin.report_dropped("the price of a subscription", node)
            elif kind in (None, "rent", "purchase"):
                prices.append(Price(price=price, currency=currency, type=kind))
            else:
                continue
            node.is_used = True
        return {"prices": tuple(prices), "requires_subscription": subscription}

    def community(self) -> dict[str, Any]:
        """Return `rating` (by users, scaled to 0 to 5) and `view_count`, as far as they exist."""
        found: dict[str, Any] = {}
        if node := self._find_in_community("starRating"):
            average = _parse_number(node.get("average"))
            least, most = (
                _parse_number(node.get("min")) or 0.0,
                _parse_number(node.get("max")) or 5.0,
            )
            rating = _scale_rating(average, least, most)
            if rating is not None:
                found["rating"] = rating
            else:
                scale = f"a number from {least:g} to {most:g}"
                message = f"invalid rating {node.element.get('average')!r}: expected {scale}"
                self._origin.problem("bad-rating", message, node)
        if (node := self._find_in_community("statistics")) and (text := node.element.get("views")):
            found["view_count"] = _parse_views(text)
            if found["view_count"] is None:
                self._origin.problem(
                    "bad-value", f"invalid number of views {text!r}: expected a whole number", node
                )
        return found

    def _find_in_community(self, name: str) -> MediaNode | None:
        for level in self._levels:
            for community in level.get("community", ()):
                if nodes := community.children.get(name):
                    community.is_used = True
                    self._origin.report_attributes(nodes[0])
                    return nodes[0]
        return None


#: Readers of video fields, with the names of the elements they need.
_DETAILS: tuple[tuple[set[str], Callable[[MediaDescription], dict[str, Any]]], ...] = (
    ({"dcterms:type"}, lambda about: {"live": about.live()}),
    ({"keywords", "itunes:keywords", "community"}, lambda about: {"tags": about.tags()}),
    ({"category"}, lambda about: {"category": about.text("category")}),
    (
        {"rating", "adult", "itunes:explicit"},
        lambda about: {"family_friendly": about.family_friendly()},
    ),
    ({"restriction"}, lambda about: {"restriction": about.restriction()}),
    ({"credit"}, lambda about: {"uploader": about.uploader()}),
    ({"community"}, MediaDescription.community),
    ({"price"}, MediaDescription.prices),
)


def _parse_number(text: str) -> float | None:
    try:
        return float(text) if text else None
    except ValueError:
        return None


def _split_keywords(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))


def _scale_rating(average: float | None, least: float, most: float) -> float | None:
    """Map a rating between `least` and `most` to the range 0 to 5; None if out of range."""
    if average is None or not least <= average <= most or least == most:
        return None
    return round((average - least) / (most - least) * 5, 2)


def _parse_views(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) < 19 else None


def _parse_seconds(text: str) -> int | None:
    """Return the seconds in `[[HH:]MM:]SS`; None if invalid or not from 1 to 28,800."""
    found = 0
    if re.fullmatch(r"[0-9]{1,9}(?:\.[0-9]+)?", text):
        found = int(float(text))
    elif m := re.fullmatch(r"(?:([0-9]{1,2}):)?([0-9]{1,3}):([0-9]{2})", text):
        found = int(m[1] or 0) * 3600 + int(m[2]) * 60 + int(m[3])
    return found if 1 <= found <= 28_800 else None


def add_media(entry: Entry, item: FeedItem, inherited: Level, context: Context) -> Entry:
    """
    Return the entry with the videos and images of its item, and a missing title or description.

    `inherited` has the media elements of the feed, which describe all items.
    """
    origin = Origin(item.line_offset, context, entry.loc)
    media = [*map(MediaNode, item.all("media"))]
    around = group_nodes(media)
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
        content.is_used = True
        kind = _kind(content, (*inside, around))
        if kind == "image":
            images.append(_image(content, MediaDescription(inside, origin)))
        elif kind == "video":
            about = MediaDescription([*inside, around, inherited], origin)
            videos.append(_video(content, about, entry, item))
            if videos[-1].restriction == _BLOCKED:
                videos.pop()
                origin.report_dropped("a video that is blocked in all countries", content)
        else:
            origin.report_dropped(f"media of kind {kind or 'unknown'}", content)
    _report_unused(media_objects, origin)
    if not media_objects and "thumbnail" in around:
        images.append(Image(loc=MediaDescription([around], origin).url("thumbnail")))
    rest = origin.find_unused(around, "content", "group")
    extras = entry.extras
    if media_objects:
        for node in rest:
            origin.report_dropped(f"<{name_of(node.element)}>", node)
    else:  # kept like other foreign elements
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
    """Return the names of the fields that the elements fill, out of "images" and "videos"."""
    media = [*map(MediaNode, nodes)]
    around = group_nodes(media)
    media_objects = list(_media_objects(media, around))
    kinds = {_kind(own[0], [*(node.children for node in own), around]) for own in media_objects}
    if not media_objects and "thumbnail" in around:
        kinds.add("image")
    return frozenset(f"{kind}s" for kind in kinds if kind in ("image", "video"))


def _report_unused(media_objects: Iterable[Sequence[MediaNode]], origin: Origin) -> None:
    """Report unsupported content of media objects, which may share a group."""
    reported: set[MediaNode] = set()
    for own in media_objects:
        for node in own:
            if node in reported:
                continue
            reported.add(node)
            if node.name != "group":
                origin.report_attributes(node)
            for other in node.children.get("content", ()):
                if not other.is_used:
                    origin.report_dropped("another rendition in <media:group>", other)
            for inner in origin.find_unused(node.children, "content"):
                origin.report_dropped(f"<{name_of(inner.element)}>", inner)


def _nearest(name: str, levels: Iterable[Level]) -> str | None:
    """Return the first text of elements with this name, or None; HTML titles become plain text."""
    for node in (node for level in levels for node in level.get(name, ())):
        if text := node.use():
            is_html = name == "title" and node.element.get("type") == "html"
            return plain_text(text) if is_html else text
    return None


def _media_objects(media: Iterable[MediaNode], around: Level) -> Iterator[list[MediaNode]]:
    """Yield the elements of each media object: the object itself, then any `group` around."""
    contents: list[MediaNode] = []
    for node in media:
        if node.name == "content":
            contents.append(node)
            yield [node]
        elif node.name == "group":
            renditions = node.children.get("content", ())
            if renditions:
                contents.append(_choose_rendition(renditions))
                yield [contents[-1], node]
            if "player" in node.children and all(
                _kind(rendition, (node.children,)) == "image" for rendition in renditions
            ):
                contents.append(node)
                yield [node]
    players = around.get("player", ())[:1]
    if players and all(_kind(content, (around,)) == "image" for content in contents):
        yield [*players]


def _choose_rendition(contents: Sequence[MediaNode]) -> MediaNode:
    """Choose a rendition: the default, else if possible a video, neither a sample nor Flash."""
    for content in contents:
        if content.get("isDefault").lower() == "true":
            return content

    def rank(content: MediaNode) -> tuple[bool, bool, bool]:
        is_sample = content.element.get("expression") == "sample"
        return _kind(content, ()) != "video", is_sample, _type(content) == FLASH

    return contents[0] if len(contents) == 1 else min(contents, key=rank)


def _kind(content: MediaNode, around: Iterable[Level]) -> str:
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
    return Image(
        loc=about.address(content), title=about.text("title"), caption=about.text("description")
    )


def _video(content: MediaNode, about: MediaDescription, entry: Entry, item: FeedItem) -> Video:
    availability = about.availability()
    player = about.url("player", "embed")
    file = None if content.name == "player" else about.address(content)
    if content.element.get("type") == FLASH and player in (None, file):
        player, file = file, None
    start = availability.get("start") or entry.published
    return Video(
        thumbnail_loc=about.url("thumbnail"),
        title=about.text("title") or entry.title,
        description=about.text("description") or plain_text(entry.description or "") or None,
        content_loc=file,
        player_loc=player,
        duration=about.duration(content),
        publication_date=start or parse_feed_date(item.texts.get("dc:date", "")),
        expiration_date=availability.get("end"),
        **about.details(),
    )
