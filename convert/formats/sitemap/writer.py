"""
Writes XML sitemaps (https://www.sitemaps.org/protocol.html) with Google's extensions.

URLs, dates and the order of elements conform to the official schemas. Not supported: fields of
feeds, entries without URL, dates without day, and extensions that lack required parts.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from sitemapx.convert.formats.sitemap.elements import is_extension
from sitemapx.convert.formats.sitemap.vocabulary import IMAGE, NEWS, VIDEO, Attribute, Element
from sitemapx.convert.formats.writer import Writer, choose_loc
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

# ---- writing of extension elements


class ElementWriter:
    """Writes one kind of element; its constant parts are computed only once."""

    def __init__(self, element: Element, prefix: str) -> None:
        self._element = element
        self.field = element.field
        self._name = f"{prefix}:{element.name}"
        self._children = [ElementWriter(child, prefix) for child in element.children]

    def write(self, owner: Any, on_problem: OnProblem) -> str:
        """Return the XML of this element for its field of `owner`; "" if the field has no value."""
        element = self._element
        value = getattr(owner, self.field)
        if value is None or value == ():
            return self._report_attributes(owner, on_problem) if element.attributes else ""
        if element.most == 1:
            return self._write_one(value, owner, on_problem)
        if element.most and len(value) > element.most:
            message = f"{len(value):,} {element.name} elements; only {element.most:,} are written"
            on_problem("shortened-text", message)
        return "".join([self._write_one(item, owner, on_problem) for item in value[: element.most]])

    def _report_attributes(self, owner: Any, on_problem: OnProblem) -> str:
        """Report values that only attributes of the missing element could store; return ""."""
        if self._element.model is None:
            for attribute in self._element.attributes:
                if has(getattr(owner, attribute.field)):
                    message = f"{self._element.name} is missing for its attribute {attribute.name}"
                    on_problem("missing-element", message)
        return ""

    def _write_one(self, value: Any, owner: Any, on_problem: OnProblem) -> str:
        """Return the XML of a single element; "" if its content or a required part is missing."""
        element = self._element

        def about(code: str, message: str) -> None:
            on_problem(code, f"{element.name}: {message}")

        if element.model is not None:
            owner = value
            value = getattr(value, element.text_field) if element.kind else None
        attributes = _write_attributes(element.attributes, owner, about)
        if attributes is None:
            return ""
        content: str | None = None
        if element.kind is None:
            content = self._write_children(owner, about)
        elif value is not None and value != ():
            written = element.kind.format(value, about)
            content = None if written is None else escape(written, about).strip() or None
        return "" if content is None else f"<{self._name}{attributes}>{content}</{self._name}>"

    def _write_children(self, owner: Any, on_problem: OnProblem) -> str | None:
        """Return the XML of all children; None if a required child is missing."""
        parts: list[str] = []
        for child in self._children:
            part = child.write(owner, on_problem)
            if part:
                parts.append(part)
            elif child._element.is_required:
                message = f"{child._element.name} is missing; {self._element.name} dropped"
                on_problem("missing-element", message)
                return None
        return "".join(parts)


def _write_attributes(
    attributes: tuple[Attribute, ...], owner: Any, on_problem: OnProblem
) -> str | None:
    """Return the XML of all attributes; None if a required attribute is missing."""
    parts: list[str] = []
    for attribute in attributes:
        value = getattr(owner, attribute.field)
        text = attribute.kind.format(value, on_problem) if has(value) else None
        if text is not None:
            parts.append(f' {attribute.name}="{escape(text, on_problem, is_attribute=True)}"')
        elif attribute.is_required:
            on_problem("missing-element", f"attribute {attribute.name} is missing; dropped")
            return None
    return "".join(parts)


#: Prefixes of fields that need a namespace, in the order of their elements in `<url>`.
_PREFIXES = {
    "images": "image",
    "videos": "video",
    "news": "news",
    "mobile": "mobile",
    "alternates": "xhtml",
}
#: All fields that sitemaps support, except the URL.
_MORE = frozenset({*datatypes.CORE, *_PREFIXES, "extras"})


class SitemapWriter(Writer):
    root = "urlset"
    item = "url"

    def __init__(self, reporter: Reporter) -> None:
        self._reporter = reporter

    def start(self, head: Head, fields: Collection[str]) -> bytes:
        prefixes = [prefix for field, prefix in _PREFIXES.items() if field in fields]
        extra = "".join(f' xmlns:{prefix}="{NAMESPACES[prefix]}"' for prefix in prefixes)
        return (
            f'<?xml version="1.0" encoding="UTF-8"?>\n<{self.root} xmlns="{SITEMAP}"{extra}>\n'
        ).encode()

    def encode(self, batch: Batch) -> Encoded:
        item, lines = self.item, _escape_uris(found.lines if (found := batch.uris()) else "")
        if lines and _MORE.isdisjoint(batch.field_counts()):
            data = lines[:-1].replace("\n", f"</loc></{item}>\n<{item}><loc>")
            return Encoded.of_lines(f"<{item}><loc>{data}</loc></{item}>\n".encode(), len(batch))
        uris = lines.split("\n")[:-1] or [
            _escape_uris(choose_loc(entry, self._reporter) or "") for entry in batch.entries
        ]
        more = self._write_core(batch) or [self._write_rest(entry) for entry in batch.entries]
        return Encoded.from_chunks(
            [
                f"<{item}><loc>{uri}</loc>{rest}</{item}>\n".encode() if uri else b""
                for uri, rest in zip(uris, more, strict=True)
            ]
        )

    def _write_core(self, batch: Batch) -> Sequence[str] | None:
        """
        Return the XML after the `<loc>` of each entry, if all have only fields of the protocol.

        Returns None for a batch with other or no such fields, or with values that have to be fixed.
        """
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

    def _write_rest(self, entry: Entry) -> str:
        """Return the XML after the `<loc>` of any entry, with extensions and foreign elements."""
        on_problem = make_entry_reporter(self._reporter, entry.loc)
        if entry.videos:
            entry = replace(entry, videos=tuple(_select_videos(entry, on_problem)))
        parts = [
            f"<{name}>{text}</{name}>"
            for name, kind in datatypes.CORE.items()
            if (value := getattr(entry, name)) is not None
            and (text := kind.format(value, on_problem)) is not None
        ]
        parts += [extension.write(entry, on_problem) for extension in _EXTENSIONS]
        if entry.mobile:
            parts.append("<mobile:mobile/>")
        parts += [_write_link(link, on_problem) for link in entry.alternates]
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
        return f"</{self.root}>\n".encode()


_EXTENSIONS = (
    ElementWriter(IMAGE, "image"),
    ElementWriter(VIDEO, "video"),
    ElementWriter(NEWS, "news"),
)
#: Attributes of `xhtml:link` after `rel`, in the order of Google's documentation.
_LINK_KINDS = {
    "hreflang": datatypes.HREFLANG,
    "media": datatypes.TEXT,
    "type": datatypes.TEXT,
    "title": datatypes.TEXT,
    "href": datatypes.HREF,
}


_XML_SPACE = " \t\r\n"
#: Values that the XHTML schema allows in `rel` and `media`.
_NAMES = re.compile(r"[\w.:-]+(?:[ \t\r\n]+[\w.:-]+)*").fullmatch
_MEDIA = re.compile(r"[^,]+(?:,\s*[^,]+)*").fullmatch


def _select_videos(entry: Entry, on_problem: OnProblem) -> Iterator[Video]:
    """
    Yield the videos with a file or player, without URLs that equal the URL of the page.

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
            on_problem("missing-element", "video has neither content_loc nor player_loc; dropped")


def _is_url(url: str | None) -> bool:
    return url is not None and datatypes.URL.format(url, _ignore) is not None


def _write_link(link: Alternate, on_problem: OnProblem) -> str:
    """Return an `xhtml:link` element as XML; "" if an attribute is missing or invalid."""
    attributes = {"rel": link.rel or "alternate"}
    for name, allowed in (("rel", _NAMES), ("media", _MEDIA)):
        if (value := getattr(link, name)) and not allowed(value.strip(_XML_SPACE)):
            on_problem("bad-value", f"invalid {name} {value!r} of alternate link; link dropped")
            return ""
    for name, kind in _LINK_KINDS.items():
        value = getattr(link, name)
        text = None if value is None else kind.format(value, on_problem)
        if text is not None:
            attributes[name] = text
        elif name == "href" or value is not None:
            on_problem("missing-element", f"alternate link has no valid {name}; dropped")
            return ""
    written = (
        f' {name}="{escape(text, on_problem, is_attribute=True)}"'
        for name, text in attributes.items()
    )
    return f"<xhtml:link{''.join(written)}/>"


def _escape_uris(uris: str) -> str:
    """Escape URIs for XML; they cannot contain angle brackets or double quotes."""
    return uris.replace("&", "&amp;").replace("'", "&apos;")


def _ignore(code: str, message: str) -> None:
    pass


class SitemapIndexWriter(SitemapWriter):
    root = "sitemapindex"
    item = "sitemap"

    def start(self, head: Head, fields: Collection[str]) -> bytes:
        return super().start(head, ())

    def encode(self, batch: Batch) -> Encoded:
        return super().encode(
            Batch([Entry(loc=entry.loc, lastmod=entry.lastmod) for entry in batch.entries])
        )
