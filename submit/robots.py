"""
robots.txt, edited line by line: only its Sitemap lines change.

The line is the unit (https://www.rfc-editor.org/rfc/rfc9309#section-2.2): byte order mark, line
ends, comments, order and every other line stay byte for byte. A `Sitemap` line belongs to no
group and may stand anywhere (https://www.sitemaps.org/protocol.html#submit_robots). Nothing here
reads or writes a file.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sitemapx.convert import urls
from sitemapx.errors import InputError, UsageError

__all__ = ["MAX_SIZE", "RobotsFile", "SitemapLine", "sitemap_url"]

#: Google: "content which is after the maximum file size is ignored", which is 500 KiB.
MAX_SIZE = 500 * 1024

_BOM = b"\xef\xbb\xbf"
_line = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
#: The key as it is written and mistyped, what stands before the value, the value, and the rest.
_sitemap = re.compile(
    rb"([ \t]*site-?maps?[ \t]*:[ \t]*)([^#\r\n]*?)([ \t]*(?:#[^\r\n]*)?)(\r\n|\r|\n|)\Z",
    re.IGNORECASE,
)
_html = re.compile(rb"\s*<(?:!doctype|html|head|body)\b", re.IGNORECASE)


class SitemapLine(NamedTuple):
    """A Sitemap line: its number in the file, from 1, and its value as it is written."""

    number: int
    url: str


def sitemap_url(url: str) -> str:
    """
    Make a URL fit for a Sitemap line: absolute, without spaces, `#` and international letters.

    Raises:
        UsageError: If it is no absolute http(s) URL.

    >>> sitemap_url("https://example.com/site map.xml")
    'https://example.com/site%20map.xml'

    """
    uri = (
        None if re.search(r"[\x00-\x1f\x7f]", url) else urls.to_uri(url.strip().replace("#", "%23"))
    )
    if uri is None:
        raise UsageError(f"not an absolute http(s) URL: {url!r}")
    return uri


class RobotsFile:
    """
    A robots.txt as its lines.

    >>> robots = RobotsFile(b"User-agent: *" + bytes([10]) + b"Disallow:" + bytes([10]))
    >>> robots.add("https://example.com/sitemap.xml"), robots.sitemaps()[0].number
    (True, 4)
    """

    def __init__(self, data: bytes = b"") -> None:
        """
        Take a file apart.

        Raises:
            InputError: If this cannot be a robots.txt: a web page, UTF-16, or binary.

        """
        if b"\0" in data or data.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise InputError("not a robots.txt: it is UTF-16 or binary; robots.txt is UTF-8")
        if _html.match(data.removeprefix(_BOM)):
            raise InputError("not a robots.txt but a web page (HTML)")
        self._bom = _BOM if data.startswith(_BOM) else b""
        self._lines = _line.findall(data.removeprefix(_BOM))

    def __bytes__(self) -> bytes:
        """Give the file, with what was edited."""
        return self._bom + b"".join(self._lines)

    def sitemaps(self) -> list[SitemapLine]:
        """List the Sitemap lines in order; also relative ones, and double ones."""
        return [SitemapLine(at + 1, _text(m[2])) for at, m in self._matches() if m[2]]

    def _matches(self) -> Iterator[tuple[int, re.Match[bytes]]]:
        for at, line in enumerate(self._lines):
            if m := _sitemap.match(line):
                yield at, m

    def _positions(self, url: str) -> list[int]:
        """Find the lines with this URL, as it is written or as it should be."""
        wanted = {url, urls.to_uri(url)}
        values = ((at, _text(m[2])) for at, m in self._matches())
        return [
            at for at, value in values if value in wanted or urls.to_uri(value) in wanted - {None}
        ]

    def add(self, url: str) -> bool:
        """
        Add a Sitemap line, after the last one or at the end; tell whether that changed anything.

        What would lie beyond what crawlers read goes to the top instead, before any group.

        Raises:
            UsageError: If it is no absolute http(s) URL.

        """
        url = sitemap_url(url)
        if self._positions(url):
            return False
        line = b"Sitemap: " + url.encode()
        last = max((at for at, _ in self._matches()), default=None)
        at = len(self._lines) if last is None else last + 1
        if len(self._bom) + sum(map(len, self._lines[:at])) + len(line) + 4 > MAX_SIZE:
            end = self._line_end()
            self._lines[:0] = [line + end, end]
        else:
            self._insert(at, line, with_blank=last is None)
        return True

    def _insert(self, at: int, line: bytes, *, with_blank: bool) -> None:
        """Put a line in; a file whose last line has no end stays such a file."""
        end = self._line_end()
        new = [end, line + end] if with_blank and self._lines else [line + end]
        if at == len(self._lines) and self._lines and not self._lines[-1].endswith((b"\r", b"\n")):
            self._lines[-1] += end
            new[-1] = line
        self._lines[at:at] = new

    def remove(self, url: str) -> bool:
        """Remove all lines with a URL; tell whether there was one. Undoes `add`."""
        positions = self._positions(url)
        for at in reversed(positions):
            self._remove_line(at)
        return bool(positions)

    def _remove_line(self, at: int) -> None:
        removed = self._lines.pop(at)
        if at < len(self._lines) or not self._lines:
            if at == 0 and self._is_blank(0) and self._is_beyond_limit(removed):
                self._lines.pop(0)
            return
        if len(self._lines) > 1 and self._is_blank(-1) and not self._has_sitemaps():
            self._lines.pop()  # the blank line that set it off
        if not removed.endswith((b"\r", b"\n")):
            self._lines[-1] = self._lines[-1].rstrip(b"\r\n")

    def _is_blank(self, at: int) -> bool:
        return bool(self._lines) and not self._lines[at].strip()

    def _is_beyond_limit(self, line: bytes) -> bool:
        """Tell whether a line would have been put to the top for the size of the file."""
        return len(bytes(self)) + len(line) > MAX_SIZE

    def _has_sitemaps(self) -> bool:
        return next(self._matches(), None) is not None

    def replace(self, old: str, new: str) -> bool:
        """
        Put another URL in place of one; key, spaces and comment of the line stay.

        Raises:
            UsageError: If the new one is no absolute http(s) URL.

        """
        new = sitemap_url(new)
        positions = self._positions(old)
        if positions and new not in (old, *(line.url for line in self.sitemaps())):
            first = positions.pop(0)
            m = _sitemap.match(self._lines[first])
            assert m is not None
            self._lines[first] = m[1] + new.encode() + m[3] + m[4]
        elif not positions or new == old:
            return False
        for at in reversed(positions):
            self._remove_line(at)
        return True

    def sync(self, wanted: Sequence[str]) -> bool:
        """
        Make the Sitemap lines exactly these URLs, with as few edits as can be.

        Raises:
            UsageError: If one is no absolute http(s) URL.

        """
        uris = list(dict.fromkeys(map(sitemap_url, wanted)))
        before = bytes(self)
        for url in uris:
            for at in reversed(self._positions(url)[1:]):
                self._remove_line(at)
            self.add(url)
        for line in self.sitemaps():
            if (urls.to_uri(line.url) or line.url) not in uris:
                for at in reversed(self._positions(line.url)):
                    self._remove_line(at)
        return bytes(self) != before

    def _line_end(self) -> bytes:
        """Give the line end that most lines have."""
        ends = [line[len(line.rstrip(b"\r\n")) :] for line in self._lines]
        return max((b"\n", b"\r\n", b"\r"), key=ends.count)


def _text(value: bytes) -> str:
    return value.decode("utf-8", "replace").strip()
