"""
Media RSS (https://www.rssboard.org/media-rss) as the videos and images of an entry.

What describes a thing may stand in its `content`, in the `group` around that, in the item, or in
the channel; the nearest counts. A group is one thing in several renditions, of which the default
one is taken. What Google reads:
https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from mimetypes import guess_type
from typing import Any

from lxml import etree
from msgspec.structs import replace

from sitemapx.convert.elements import line_of, local_name, text_of
from sitemapx.convert.entry import Entry, Image, Price, Restriction, Uploader, Video
from sitemapx.convert.feeddates import parse_feed_date
from sitemapx.convert.feeditems import Item, plain_text, resolved
from sitemapx.convert.problems import Context

__all__ = ["Level", "by_name", "media_of", "seconds_of"]

_READ_ATTRIBUTES = frozenset({"url", "type", "medium", "duration", "isDefault", "expression"})

Nodes = Sequence[etree._Element]
#: Elements by their local names.
Level = Mapping[str, Nodes]

#: Not a media file, but a player with the video in it; YouTube's feeds have no other address.
_FLASH = "application/x-shockwave-flash"
#: What describes a thing and has a place in a video.
_READ = frozenset(
    {
        *("content", "group", "title", "description", "keywords", "thumbnail", "category"),
        *(
            "player",
            "embed",
            "rating",
            "adult",
            "restriction",
            "price",
            "credit",
            "community",
            "valid",
        ),
    }
)


def by_name(nodes: Iterable[etree._Element]) -> Level:
    """Sort elements by their local names."""
    level: dict[str, list[etree._Element]] = {}
    for node in nodes:
        level.setdefault(local_name(node), []).append(node)
    return level


def media_of(entry: Entry, item: Item, channel: Level, context: Context) -> Entry:
    """
    Add the videos and images that an item has.

    Args:
        entry: All but those.
        item: Of which the entry was made; its media are taken.
        channel: The media elements of the channel, which its items inherit.
        context: Is told of what has no place in the model.

    """
    videos: list[Video] = []
    images: list[Image] = []
    around = by_name(item.media)
    for things in _things(item.media, around):
        thing = _Thing(things, (around, channel), item, entry, context)
        if thing.kind == "image":
            images.append(thing.image())
        elif thing.kind == "video":
            videos.append(thing.video())
        else:
            thing.left_out(f"media of kind {thing.kind or 'unknown'}", things[0])
    for node in _unread(around):
        _tally(context, f"<media:{local_name(node)}>", node, item.offset)
    described = entry.description or _description(item.media, around)
    return replace(entry, description=described, videos=tuple(videos), images=tuple(images))


def _unread(level: Level) -> list[etree._Element]:
    """List the elements that have no place in a video."""
    if level.keys() <= _READ:
        return []
    return [node for name, nodes in level.items() if name not in _READ for node in nodes]


def _description(media: Nodes, around: Level) -> str | None:
    """Give the description nearest to the item; some items have no other."""
    groups = (child for group in around.get("group", ()) for child in group)
    for node in (*around.get("description", ()), *groups):
        if local_name(node) == "description" and (text := text_of(node)):
            return text
    return None


def _things(media: Nodes, around: Level) -> Iterator[list[etree._Element]]:
    """List each thing, from its content to the outermost element that is its own."""
    for node in media:
        name = local_name(node)
        if name == "content":
            yield [node]
        elif name == "group":
            inside = by_name(node)
            if contents := inside.get("content"):
                yield [_default(contents), node]
            elif "player" in inside:
                yield [node]
    if "content" not in around and "group" not in around:
        yield from ([node] for node in around.get("player", ()))


def _default(contents: Nodes) -> etree._Element:
    """Choose among the renditions of a group: the default, else the first video, else the first."""
    for content in contents:
        if content.get("isDefault", "").lower() == "true":
            return content
    return next((one for one in contents if _kind(one) == "video"), contents[0])


def _kind(content: etree._Element) -> str:
    """Tell "video", "image", "audio" and so on: by the medium, the type, or the URL's ending."""
    type_ = content.get("type", "")
    if type_ == _FLASH:
        return "video"
    kind = content.get("medium") or type_.partition("/")[0]
    if not kind and (url := content.get("url")):
        kind = (guess_type(url.partition("?")[0])[0] or "").partition("/")[0]
    if kind := kind.strip():
        return kind.lower()
    has_player = any(local_name(child) == "player" for child in content)
    is_timed = content.get("duration") or has_player or local_name(content) == "player"
    return "video" if is_timed else ""


def _tally(context: Context, what: str, node: etree._Element, offset: int) -> None:
    context.tally("unknown-element", f"{what} left out", line=line_of(node, offset))


class _Thing:
    """One video or image, with all that describes it, the nearest first."""

    def __init__(
        self, own: Nodes, around: Sequence[Level], item: Item, entry: Entry, context: Context
    ) -> None:
        self._content = own[0]
        self._own = [by_name(node) for node in own]
        self._levels = [*self._own, *around]
        self._item = item
        self._entry = entry
        self._context = context
        self.kind = _kind(own[0])

    def left_out(self, what: str, node: etree._Element | None = None) -> None:
        """Count something that the model has no place for."""
        _tally(self._context, what, self._content if node is None else node, self._item.offset)

    def _all(self, name: str) -> list[etree._Element]:
        return [node for level in self._levels for node in level.get(name, ())]

    def _first(self, name: str, levels: Sequence[Level] | None = None) -> etree._Element | None:
        for level in levels or self._levels:
            if name in level:
                return level[name][0]
        return None

    def _text(self, name: str, levels: Sequence[Level] | None = None) -> str | None:
        node = self._first(name, levels)
        if node is None:
            return None
        text = text_of(node)
        return (plain_text(text) if node.get("type") == "html" else text) or None

    def _url(self, node: etree._Element | None) -> str | None:
        if node is None or not (url := node.get("url", "").strip()):
            return None
        return resolved(url, node, self._context) or url

    def image(self) -> Image:
        """Make an image; only what stands in it describes it."""
        self._tell_others()
        return Image(
            loc=self._url(self._content),
            title=self._text("title", self._own),
            caption=self._text("description", self._own),
        )

    def video(self) -> Video:
        """Make a video."""
        self._tell_others()
        entry, item = self._entry, self._item
        start, end = self._valid()
        found = self._first("player")
        player = self._url(self._first("embed") if found is None else found)
        content = None if local_name(self._content) == "player" else self._url(self._content)
        if self._content.get("type") == _FLASH:
            player, content = player or content, None
        return Video(
            thumbnail_loc=self._url(self._first("thumbnail")),
            title=self._text("title") or entry.title,
            description=self._text("description") or _plain(entry.description),
            content_loc=content,
            player_loc=player,
            duration=self._duration(),
            publication_date=start or entry.published or entry.lastmod,
            expiration_date=end,
            live=True if item.texts.get("dcterms:type") == "live-video" else None,
            tags=self._tags(),
            category=self._text("category"),
            family_friendly=self._family_friendly(),
            restriction=self._restriction(),
            uploader=self._uploader(),
            **self._community(),
            **self._prices(),
        )

    def _tell_others(self) -> None:
        if not _READ_ATTRIBUTES.issuperset(self._content.keys()):
            for name in sorted({*map(str, self._content.keys())} - _READ_ATTRIBUTES):
                self.left_out(f"<media:content {name}>")
        for level in self._own[1:]:
            for node in level.get("content", ()):
                if node is not self._content:
                    self.left_out("another rendition in <media:group>", node)
        thumbnails = [node for level in self._own for node in level.get("thumbnail", ())]
        for node in thumbnails[1:]:
            self.left_out("another <media:thumbnail>", node)
        for level in self._own:
            for node in _unread(level):
                self.left_out(f"<media:{local_name(node)}>", node)

    def _duration(self) -> int | None:
        text = self._content.get("duration") or self._item.texts.get("itunes:duration") or ""
        seconds = seconds_of(text)
        if text and seconds is None:
            said = f"duration: not 1 to 28,800 seconds: {text!r}; left out"
            line = line_of(self._content, self._item.offset)
            self._context.problem("bad-value", said, line=line, loc=self._entry.loc)
            return None
        return seconds

    def _valid(self) -> tuple[str | None, str | None]:
        """Read the time in which the video may be shown: `start=…; end=…; scheme=W3C-DTF`."""
        nodes = self._own[0].get("valid")
        text = text_of(nodes[0]) if nodes else self._item.texts.get("dcterms:valid", "")
        if not text:
            return None, None
        parts = dict(_bounds(text))
        return parse_feed_date(parts.get("start", "")), parse_feed_date(parts.get("end", ""))

    def _tags(self) -> tuple[str, ...]:
        keywords = self._text("keywords") or self._item.texts.get("itunes:keywords") or ""
        words = keywords.split(",")
        for community in self._all("community"):
            tags = (text_of(node) for node in community if local_name(node) == "tags")
            words += [part.partition(":")[0] for text in tags for part in text.split(",")]
        return tuple(dict.fromkeys(word.strip() for word in words if word.strip()))

    def _family_friendly(self) -> bool | None:
        for node in self._all("rating"):
            if node.get("scheme", "urn:simple") == "urn:simple":
                return {"adult": False, "nonadult": True}.get(text_of(node).lower())
            self.left_out("<media:rating> of another scheme", node)
        if (adult := self._text("adult")) is not None:
            return adult.lower() != "true"
        explicit = self._item.texts.get("itunes:explicit", "").lower()
        return {"yes": False, "explicit": False, "true": False}.get(
            explicit, True if explicit in ("clean", "no", "false") else None
        )

    def _restriction(self) -> Restriction | None:
        for node in self._all("restriction"):
            text, relationship = text_of(node), node.get("relationship", "").lower()
            if node.get("type", "country") != "country" or relationship not in ("allow", "deny"):
                self.left_out("<media:restriction> that is not about countries", node)
            elif (text.lower() or "none", relationship) in (("all", "allow"), ("none", "deny")):
                return None  # everybody may see it
            elif text.lower() in ("all", "none", ""):
                self.left_out("<media:restriction> for everybody", node)
            else:
                countries = tuple(text.upper().replace(",", " ").split())
                return Restriction(relationship=relationship, countries=countries)
        return None

    def _uploader(self) -> Uploader | None:
        by_role = {node.get("role", "").lower(): text_of(node) for node in self._all("credit")}
        name = by_role.pop("uploader", None) or by_role.pop("author", None)
        for role in by_role:
            self.left_out(f"<media:credit> of role {role or 'unknown'}")
        return Uploader(name=name) if name else None

    def _community(self) -> dict[str, Any]:
        """Read rating and views; a rating on another scale is put on ours of 0 to 5."""
        found: dict[str, Any] = {}
        for node in (child for community in self._all("community") for child in community):
            if local_name(node) == "starRating" and "rating" not in found:
                average = _number(node.get("average"))
                least, most = _number(node.get("min")) or 0.0, _number(node.get("max")) or 5.0
                if average is not None and least < most and least <= average <= most:
                    found["rating"] = round((average - least) / (most - least) * 5, 2)
                if node.get("count"):
                    self.left_out("<media:starRating> count", node)
            elif local_name(node) == "statistics" and "view_count" not in found:
                if node.get("views", "").isdecimal():
                    found["view_count"] = int(node.get("views", "0"))
                if node.get("favorites"):
                    self.left_out("<media:statistics> favorites", node)
        return found

    def _prices(self) -> dict[str, Any]:
        found: list[Price] = []
        subscription = None
        for node in self._all("price"):
            kind = node.get("type", "").lower()
            if kind == "subscription":
                subscription = True
            elif kind in ("rent", "purchase"):
                currency = node.get("currency")
                found.append(Price(price=node.get("price"), currency=currency, type=kind))
            else:
                self.left_out(f"<media:price> of type {kind or 'unknown'}", node)
        return {"prices": tuple(found), "requires_subscription": subscription}


_bounds = re.compile(r"\b(start|end)\s*=\s*([^;\s]+)").findall


def _plain(text: str | None) -> str | None:
    return plain_text(text) if text else None


def _number(text: str | None) -> float | None:
    try:
        return float(text) if text else None
    except ValueError:
        return None


def seconds_of(text: str) -> int | None:
    """Read 1 to 28,800 seconds: a number, or `HH:MM:SS` and its shorter forms, as in iTunes."""
    text = text.strip()
    seconds = 0
    if re.fullmatch(r"[0-9]{1,9}(?:\.[0-9]+)?", text):
        seconds = int(float(text))
    elif m := re.fullmatch(r"(?:([0-9]{1,2}):)?([0-9]{1,3}):([0-9]{2})", text):
        seconds = int(m[1] or 0) * 3600 + int(m[2]) * 60 + int(m[3])
    return seconds if 1 <= seconds <= 28_800 else None
