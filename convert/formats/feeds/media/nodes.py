"""The elements of Media RSS: what they say, and which of them were taken; all others are lost."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from mimetypes import guess_type

from sitemapx.convert.formats.feeds.handlers import leave_out
from sitemapx.convert.formats.format import Context
from sitemapx.convert.xml.elements import line_of, name_of, text_of
from sitemapx.convert.xml.namespaces import prefix_of
from sitemapx.convert.xml.parsers import XmlElement

#: The attributes that are read; the elements that are not here have none.
_ATTRIBUTES: dict[str, frozenset[str]] = {
    "content": frozenset({"url", "type", "medium", "duration", "isDefault", "expression"}),
    "thumbnail": frozenset({"url"}),
    "player": frozenset({"url"}),
    "embed": frozenset({"url"}),
    "title": frozenset({"type"}),
    "description": frozenset({"type"}),
    "rating": frozenset({"scheme"}),
    "restriction": frozenset({"relationship", "type"}),
    "credit": frozenset({"role"}),
    "price": frozenset({"type", "price", "currency"}),
    "starRating": frozenset({"average", "min", "max"}),
    "statistics": frozenset({"views"}),
}
_NONE: frozenset[str] = frozenset()


class MediaNode:
    """
    An element, with what is in it.

    Attributes:
        element: The element.
        name: Its local name; with a prefix, if that is not the one of Media RSS.
        children: The elements in it.
        is_taken: Whether what it says is kept.

    """

    __slots__ = ("children", "element", "is_taken", "name")

    def __init__(self, element: XmlElement) -> None:
        self.element = element
        self.name = _name(str(element.tag))
        self.children: Level = level_of(map(MediaNode, element)) if len(element) else {}
        self.is_taken = False

    def get(self, name: str) -> str:
        """Return the value of an attribute, trimmed; the empty string if there is none."""
        return self.element.get(name, "").strip()

    def take(self) -> str:
        """Note that what the element says is kept, and return its text."""
        self.is_taken = True
        return text_of(self.element)


#: Elements by their names.
Level = Mapping[str, Sequence[MediaNode]]


def level_of(nodes: Iterable[MediaNode]) -> Level:
    """Sort nodes by their names."""
    level: dict[str, list[MediaNode]] = {}
    for node in nodes:
        if node.name in level:
            level[node.name].append(node)
        else:
            level[node.name] = [node]
    return level


@lru_cache(1000)
def _name(tag: str) -> str:
    namespace, _, local = tag.rpartition("}")
    prefix = prefix_of(namespace[1:])
    return local if prefix == "media" else f"{prefix}:{local}"


class Origin:
    """
    The item that nodes are in.

    Attributes:
        offset: What to add to the lines of elements.
        context: Called with what is wrong and what is lost, if anybody wants media.

    """

    def __init__(self, offset: int, context: Context, loc: str | None) -> None:
        self.offset = offset
        self.context = context
        self._loc = loc
        self._reports = context.wants("images") or context.wants("videos")

    def lost(self, level: Level, *others: str) -> list[MediaNode]:
        """
        Return the nodes of a level that were not taken; report attributes of those that were.

        Args:
            others: The names of nodes that are not asked for.

        """
        lost: list[MediaNode] = []
        for name, nodes in level.items():
            if name not in others:
                for node in nodes:
                    if node.is_taken:
                        self.report_attributes(node)
                    else:
                        lost.append(node)
        return lost

    def report_attributes(self, node: MediaNode) -> None:
        """Report the attributes of a node that are not read."""
        names, known = node.element.keys(), _ATTRIBUTES.get(node.name, _NONE)
        if not known.issuperset(names):
            for attribute in names:
                if attribute not in known:
                    self.leave_out(f"<{name_of(node.element)} {attribute}>", node)

    def leave_out(self, what: str, node: MediaNode) -> None:
        """Count something that the model has no place for."""
        if self._reports:
            leave_out(what, node.element, self.offset, self.context)

    def problem(self, code: str, message: str, node: MediaNode, done: str = "; dropped") -> None:
        """Report what is wrong with an element, and what was done."""
        if self._reports:
            line = line_of(node.element, self.offset)
            self.context.problem(code, message, done=done, line=line, loc=self._loc)


# ---- kinds of media: video, image, audio and so on

#: Not a media file, but a player with the video in it; YouTube's feeds have no other address.
FLASH = "application/x-shockwave-flash"


def media_type(type_: str | None, url: str | None) -> str:
    """Return the media type that is given, or that of the ending of the URL."""
    return (type_ or "").strip().lower() or guess_type((url or "").partition("?")[0])[0] or ""


def media_kind(type_: str, medium: str | None, *, is_played: bool) -> str:
    """
    Return "video", "image", "audio" and so on; the empty string if nothing tells.

    Args:
        type_: The media type.
        medium: That of Media RSS, which counts more.
        is_played: Whether there is a duration or a player.

    """
    if type_ == FLASH:
        return "video"
    if medium := (medium or "").strip():
        return medium.lower()
    kind = type_.partition("/")[0]
    if kind in ("video", "image", "audio"):
        return kind
    return "video" if is_played else kind
