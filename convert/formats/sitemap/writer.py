"""
Write XML sitemaps: https://www.sitemaps.org/protocol.html and Google's extensions.

URLs as RFC 3986, dates as the official schemas want them, elements in their order. Cannot hold,
besides what only feeds have: entries without URL, dates without a day, parts of extensions that
lack what their schema requires.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from sitemapx.convert.formats.sitemap.elements import is_extension
from sitemapx.convert.formats.sitemap.vocabulary import IMAGE, NEWS, VIDEO, Attribute, Element
from sitemapx.convert.formats.writer import Writer, written_loc
from sitemapx.convert.model.batch import Batch, Encoded
from sitemapx.convert.model.document import Head
from sitemapx.convert.model.entry import Alternate, Entry, Video, has
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.values import datatypes
from sitemapx.convert.values.datatypes import Datatype, OnProblem
from sitemapx.convert.values.w3cdate import are_schema_dates
from sitemapx.convert.xml.elements import foreign_elements
from sitemapx.convert.xml.namespaces import NAMESPACES, SITEMAP
from sitemapx.convert.xml.writing import escape, make_entry_reporter

# ---- the rendering of the elements of an entry, after the vocabulary


class Rendering:
    """The rendering of one element of the vocabulary, with all that stays the same made ready."""

    def __init__(self, element: Element, prefix: str) -> None:
        """Prepare an element, and the elements in it, for this prefix of a namespace."""
        self._element = element
        self.field = element.field
        self._name = f"{prefix}:{element.name}"
        self._children = [Rendering(child, prefix) for child in element.children]

    def write(self, owner: Any, on_problem: OnProblem) -> str:
        """
        Write the elements of this kind that `owner` has in its field: one value, or a tuple.

        Args:
            owner: A model with that field.
            on_problem: Told of what cannot be written.

        """
        element = self._element
        value = getattr(owner, self.field)
        if value is None or value == ():
            return self._lone_attributes(owner, on_problem) if element.attributes else ""
        if element.most == 1:
            return self._one(value, owner, on_problem)
        if element.most and len(value) > element.most:
            message = f"{len(value):,} {element.name} elements; only {element.most:,} are written"
            on_problem("cut", message)
        return "".join([self._one(one, owner, on_problem) for one in value[: element.most]])

    def _lone_attributes(self, owner: Any, on_problem: OnProblem) -> str:
        """Report attributes whose element has no text; write nothing."""
        if self._element.model is None:
            for attribute in self._element.attributes:
                if has(getattr(owner, attribute.field)):
                    message = f"{self._element.name} is missing for its attribute {attribute.name}"
                    on_problem("incomplete", message)
        return ""

    def _one(self, value: Any, owner: Any, on_problem: OnProblem) -> str:
        """Write one element, or nothing where something required is missing."""
        element = self._element

        def about(code: str, message: str) -> None:
            on_problem(code, f"{element.name}: {message}")

        if element.model is not None:
            owner = value
            value = getattr(value, element.text_field) if element.kind else None
        attributes: str | None = ""
        if element.attributes:
            attributes = _attributes(element.attributes, owner, about)
        content: str | None = None
        if attributes is None:
            return ""
        if element.kind is None:
            content = self._content(owner, about)
        elif value is not None and value != ():
            written = element.kind.format(value, about)
            content = None if written is None else escape(written, about).strip() or None
        return "" if content is None else f"<{self._name}{attributes}>{content}</{self._name}>"

    def _content(self, owner: Any, on_problem: OnProblem) -> str | None:
        """Write all children; None if a required one is missing."""
        parts: list[str] = []
        for child in self._children:
            part = child.write(owner, on_problem)
            if part:
                parts.append(part)
            elif child._element.is_required:
                message = f"{child._element.name} is missing; {self._element.name} dropped"
                on_problem("incomplete", message)
                return None
        return "".join(parts)


def _attributes(attributes: tuple[Attribute, ...], owner: Any, on_problem: OnProblem) -> str | None:
    """Write the attributes; None if a required one is missing."""
    parts: list[str] = []
    for attribute in attributes:
        value = getattr(owner, attribute.field)
        text = attribute.kind.format(value, on_problem) if has(value) else None
        if text is not None:
            parts.append(f' {attribute.name}="{escape(text, on_problem, is_attribute=True)}"')
        elif attribute.is_required:
            on_problem("incomplete", f"attribute {attribute.name} is missing; dropped")
            return None
    return "".join(parts)


#: The fields that need a namespace, in the order of their elements in a `<url>`.
_PREFIXES = {
    "images": "image",
    "videos": "video",
    "news": "news",
    "mobile": "mobile",
    "alternates": "xhtml",
}
#: All fields that are written besides the URL.
_MORE = frozenset({*datatypes.CORE, *_PREFIXES, "extras"})


class SitemapWriter(Writer):
    """Turn entries into `<url>` elements, a line each."""

    root = "urlset"
    item = "url"

    def __init__(self, reporter: Reporter) -> None:
        self._reporter = reporter

    def start(self, head: Head, fields: Collection[str]) -> bytes:
        """Write the declaration and the start tag, with the namespaces of the fields in use."""
        prefixes = [prefix for field, prefix in _PREFIXES.items() if field in fields]
        extra = "".join(f' xmlns:{prefix}="{NAMESPACES[prefix]}"' for prefix in prefixes)
        return (
            f'<?xml version="1.0" encoding="UTF-8"?>\n<{self.root} xmlns="{SITEMAP}"{extra}>\n'
        ).encode()

    def encode(self, batch: Batch) -> Encoded:
        """Write a line for each entry; an empty one for an entry without URL."""
        item, lines = self.item, _escaped(found.lines if (found := batch.uris()) else "")
        if lines and _MORE.isdisjoint(batch.field_counts()):
            data = lines[:-1].replace("\n", f"</loc></{item}>\n<{item}><loc>")
            return Encoded.of_lines(f"<{item}><loc>{data}</loc></{item}>\n".encode(), len(batch))
        uris = lines.split("\n")[:-1] or [
            _escaped(written_loc(entry, self._reporter) or "") for entry in batch.entries
        ]
        more = self._core(batch) or [self._rest(entry) for entry in batch.entries]
        return Encoded.of(
            [
                f"<{item}><loc>{uri}</loc>{rest}</{item}>\n".encode() if uri else b""
                for uri, rest in zip(uris, more, strict=True)
            ]
        )

    def _core(self, batch: Batch) -> Sequence[str] | None:
        """Write all but the locs, if it is only the protocol's own and needs no fixing."""
        names = batch.field_counts().keys() & _MORE
        if not names or not names <= datatypes.CORE.keys():
            return None
        columns: list[Sequence[str]] = []
        if "lastmod" in names:
            dates = batch.column("lastmod")
            if not are_schema_dates(date for date in dates if date):
                return None
            columns.append([f"<lastmod>{date}</lastmod>" if date else "" for date in dates])
        for name, kind in datatypes.CORE.items():
            if name in names - {"lastmod"}:
                column = batch.column(name)
                written = {value: self._element(name, kind, value) for value in set(column)}
                if None in written.values():
                    return None
                columns.append([written[value] or "" for value in column])
        return columns[0] if len(columns) == 1 else list(map("".join, zip(*columns, strict=True)))

    def _element(self, name: str, kind: Datatype, value: Any) -> str | None:
        if value is None:
            return ""
        text = kind.format(value, _ignore)
        return None if text is None else f"<{name}>{text}</{name}>"

    def _rest(self, entry: Entry) -> str:
        """Write all but the loc."""
        on_problem = make_entry_reporter(self._reporter, entry.loc)
        if entry.videos:
            entry = replace(entry, videos=tuple(_watchable(entry, on_problem)))
        parts = [
            f"<{name}>{text}</{name}>"
            for name, kind in datatypes.CORE.items()
            if (value := getattr(entry, name)) is not None
            and (text := kind.format(value, on_problem)) is not None
        ]
        parts += [extension.write(entry, on_problem) for extension in _EXTENSIONS]
        if entry.mobile:
            parts.append("<mobile:mobile/>")
        parts += [_link(link, on_problem) for link in entry.alternates]
        if entry.extras:
            parts.append(
                foreign_elements(
                    entry.extras,
                    on_problem,
                    item=self.item,
                    default=SITEMAP,
                    is_extension=is_extension,
                )
            )
        return "".join(parts)

    def finish(self) -> bytes:
        """Write the end tag."""
        return f"</{self.root}>\n".encode()


_EXTENSIONS = (Rendering(IMAGE, "image"), Rendering(VIDEO, "video"), Rendering(NEWS, "news"))
#: The attributes of `xhtml:link` after `rel`, in the order in which Google shows them.
_LINK_KINDS = {
    "hreflang": datatypes.HREFLANG,
    "media": datatypes.TEXT,
    "type": datatypes.TEXT,
    "title": datatypes.TEXT,
    "href": datatypes.HREF,
}


#: What the schema of XHTML allows in `rel` and in `media`.
_NAMES = re.compile(r"[\w.:-]+(?:\s+[\w.:-]+)*").fullmatch
_MEDIA = re.compile(r"[^,]+(?:,\s*[^,]+)*").fullmatch


def _watchable(entry: Entry, on_problem: OnProblem) -> Iterator[Video]:
    """
    Return the videos that have a file or a player, which is not the page itself.

    https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps
    """
    for video in entry.videos:
        for name in ("content_loc", "player_loc"):
            if entry.loc and getattr(video, name) == entry.loc:
                on_problem("bad-value", f"video: {name} is the URL of the page itself; dropped")
                video = replace(video, **{name: None})  # noqa: PLW2901
        if any(_is_url(url) for url in (video.content_loc, video.player_loc)):
            yield video
        else:
            on_problem("incomplete", "video has neither content_loc nor player_loc; dropped")


def _is_url(url: str | None) -> bool:
    return url is not None and datatypes.URL.format(url, _ignore) is not None


def _link(link: Alternate, on_problem: OnProblem) -> str:
    """Write `xhtml:link`, or nothing where it leads nowhere."""
    attributes = {"rel": link.rel or "alternate"}
    for name, allowed in (("rel", _NAMES), ("media", _MEDIA)):
        if (value := getattr(link, name)) and not allowed(value.strip()):
            on_problem("bad-value", f"invalid {name} {value!r} of alternate link; link dropped")
            return ""
    for name, kind in _LINK_KINDS.items():
        value = getattr(link, name)
        text = None if value is None else kind.format(value, on_problem)
        if text is not None:
            attributes[name] = text
        elif name == "href" or value is not None:
            on_problem("incomplete", f"alternate link has no valid {name}; dropped")
            return ""
    written = (
        f' {name}="{escape(text, on_problem, is_attribute=True)}"'
        for name, text in attributes.items()
    )
    return f"<xhtml:link{''.join(written)}/>"


def _escaped(uris: str) -> str:
    """Escape URIs, which have neither angles nor double quotes."""
    return uris.replace("&", "&amp;").replace("'", "&apos;")


def _ignore(code: str, message: str) -> None:
    pass


class SitemapIndexWriter(SitemapWriter):
    """Turn entries into `<sitemap>` elements, a line each."""

    root = "sitemapindex"
    item = "sitemap"

    def start(self, head: Head, fields: Collection[str]) -> bytes:
        """Write the declaration and the start tag."""
        return super().start(head, ())

    def encode(self, batch: Batch) -> Encoded:
        """Write a line for each sitemap."""
        return super().encode(
            Batch([Entry(loc=entry.loc, lastmod=entry.lastmod) for entry in batch.entries])
        )
