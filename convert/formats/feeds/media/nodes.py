"""Media RSS elements that track whether they were used, so that unused elements can be reported."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from mimetypes import guess_type

from sitemapx.convert.formats.feeds.handlers import report_dropped
from sitemapx.convert.formats.format import Context
from sitemapx.convert.xml.elements import line_of, name_of, text_of
from sitemapx.convert.xml.namespaces import prefix_of
from sitemapx.convert.xml.parsers import XmlElement

#: Supported attributes by element.
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
    """A Media RSS element and its children by name; names in other namespaces have a prefix."""

    __slots__ = ("children", "element", "is_used", "name")

    def __init__(self, element: XmlElement) -> None:
        self.element = element
        self.name = _name(str(element.tag))
        self.children: Level = group_nodes(map(MediaNode, element)) if len(element) else {}
        self.is_used = False

    def get(self, name: str) -> str:
        return self.element.get(name, "").strip()

    def use(self) -> str:
        """Mark the element as used, and return its text."""
        self.is_used = True
        return text_of(self.element)


Level = Mapping[str, Sequence[MediaNode]]


def group_nodes(nodes: Iterable[MediaNode]) -> Level:
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
    """Position of an item that contains media; reports problems if images or videos are wanted."""

    def __init__(self, line_offset: int, context: Context, loc: str | None) -> None:
        self.line_offset = line_offset
        self.context = context
        self._loc = loc
        self._reports = context.wants("images") or context.wants("videos")

    def find_unused(self, level: Level, *others: str) -> list[MediaNode]:
        """Return unused nodes not named in `others`; report unsupported attributes of used ones."""
        unused: list[MediaNode] = []
        for name, nodes in level.items():
            if name not in others:
                for node in nodes:
                    if node.is_used:
                        self.report_attributes(node)
                    else:
                        unused.append(node)
        return unused

    def report_attributes(self, node: MediaNode) -> None:
        names, known = node.element.keys(), _ATTRIBUTES.get(node.name, _NONE)
        if not known.issuperset(names):
            for attribute in names:
                if attribute not in known:
                    self.report_dropped(f"<{name_of(node.element)} {attribute}>", node)

    def report_dropped(self, description: str, node: MediaNode) -> None:
        if self._reports:
            report_dropped(description, node.element, self.line_offset, self.context)

    def problem(self, code: str, message: str, node: MediaNode, done: str = "; dropped") -> None:
        if self._reports:
            line = line_of(node.element, self.line_offset)
            self.context.problem(code, message, done=done, line=line, loc=self._loc)


# ---- kinds of media: video, image, audio and so on

#: A player that contains the video, not a media file; the only URL in YouTube's feeds.
FLASH = "application/x-shockwave-flash"


def media_type(type_: str | None, url: str | None) -> str:
    """Return the MIME type `type_`, else guess one from the extension of the URL, else ""."""
    return (type_ or "").strip().lower() or guess_type((url or "").partition("?")[0])[0] or ""


def media_kind(type_: str, medium: str | None, *, is_played: bool) -> str:
    """
    Return "video", "image" and so on, from the medium or else the MIME type; "" if unknown.

    `is_played` is whether the source gives a duration or player; if so, files of unknown kind are
    videos. Flash is always a video.
    """
    if type_ == FLASH:
        return "video"
    if medium := (medium or "").strip():
        return medium.lower()
    kind = type_.partition("/")[0]
    if kind in ("video", "image", "audio"):
        return kind
    return "video" if is_played else kind
