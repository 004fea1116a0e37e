"""Rules for the HTTP response that contains a sitemap: redirects and headers."""

import re
from collections.abc import Iterator
from typing import ClassVar

from sitemapx.check.api import Check
from sitemapx.check.findings import RawFinding, Rule
from sitemapx.check.view import File, FileExtent
from sitemapx.convert.streams.encodings import codec_of, encoding_of, has_bom
from sitemapx.convert.values import urls

_RFC = "https://www.rfc-editor.org/rfc"
_GZIP = ("gzip", "x-gzip")
_charset = re.compile(r";\s*charset\s*=\s*[\"']?([^\s;\"']+)", re.IGNORECASE).search
#: Media types of web pages, scripts and media files.
_foreign = re.compile(
    r"text/(?:html|css|javascript)|application/(?:xhtml\+xml|(?:x-)?javascript|pdf)"
    r"|(?:image|audio|video|font)/.*"
).fullmatch


class Responses(Check):
    """Checks redirects of fetched sitemaps, and the headers that describe their content."""

    rules: ClassVar = {
        "sitemap-redirect": Rule(
            "note",
            "Sitemap redirects",
            "Each visit of a crawler takes another request, and the rules for the host and the "
            "directory of a sitemap apply to the final URL.",
            f"{_RFC}/rfc9110#section-15.4",
            "Name the final URL in robots.txt, in indexes, and where the sitemap was submitted.",
        ),
        "sitemap-content-type": Rule(
            "warning",
            "Unexpected Content-Type of a sitemap",
            "Programs that trust the header do not read the file as a sitemap.",
            f"{_RFC}/rfc9110#section-8.3",
            "Configure the server to send application/xml for XML, and text/plain for URL lists.",
        ),
        "sitemap-charset": Rule(
            "warning",
            "Charset of the response contradicts the file",
            "The charset of the header has priority over the XML declaration, so characters are "
            "misread.",
            f"{_RFC}/rfc7303#section-3.2",
            "Send charset=utf-8, or no charset.",
        ),
        "sitemap-content-encoding": Rule(
            "error",
            "Content-Encoding does not match the body",
            "Clients decode the body as often as the header says, and fail if it is not compressed "
            "as often.",
            f"{_RFC}/rfc9110#section-8.4",
            "Compress in one place only: in the program or in the server.",
        ),
    }

    def begin_file(self, file: File) -> Iterator[RawFinding]:
        response = file.response
        if response is None:
            return
        if redirect := file.redirect:
            origin = urls.origin(redirect)
            robots = self.context.robots.text_for(origin, urls.origin(response.url))
            listed = f"; robots.txt lists {redirect}" if robots and robots.lists(redirect) else ""
            yield RawFinding("sitemap-redirect", f"redirects to {response.url}{listed}")
        if _is_unexpected(_media_type(response.content_type), file):
            expected = file.format.media_type.partition(";")[0]
            message = f"Content-Type: {response.content_type} (expected {expected})"
            yield RawFinding("sitemap-content-type", message)
        count = sum(coding in _GZIP for coding in response.encodings)
        header = f"Content-Encoding: {', '.join(response.encodings)}"
        if count and not response.is_packed:
            message = f"{header}, but the body is not compressed"
            yield RawFinding("sitemap-content-encoding", message)
        elif count > 1:
            yield RawFinding("sitemap-content-encoding", f"{header}: compressed more than once")

    def end_file(self, file: File, extent: FileExtent) -> Iterator[RawFinding]:
        header = file.response.content_type if file.response else ""
        charset = _charset(header)
        is_text = _media_type(header).startswith("text/") or _is_xml(_media_type(header))
        if not (charset and is_text) or extent.is_ascii or has_bom(extent.start):
            return
        sent, own = codec_of(charset[1]), encoding_of(extent.start)
        if sent and sent != own:
            message = f"Content-Type: {header}, but the encoding of the file is {own}"
            yield RawFinding("sitemap-charset", message)


def _media_type(content_type: str) -> str:
    return content_type.partition(";")[0].strip().lower()


def _is_xml(media_type: str) -> bool:
    return media_type.endswith(("/xml", "+xml"))


def _is_unexpected(media_type: str, file: File) -> bool:
    """Return whether a media type contradicts the format; text/plain, for example, never does."""
    if _foreign(media_type):
        return media_type != _media_type(file.format.media_type)
    is_json = media_type.endswith(("/json", "+json"))
    if file.format.roots:
        return is_json
    return _is_xml(media_type) or (is_json and file.format.name == "text")
