"""
A robots.txt as lines; only its Sitemap lines can be edited.

Edits add, remove or change single lines, with the line breaks around them; comments and other lines
are kept. A `Sitemap` line belongs to no group and may be anywhere
(https://www.sitemaps.org/protocol.html#submit_robots). This module works in memory; `edit` reads
and writes files.
"""

import re
from codecs import BOM_UTF8
from collections.abc import Collection, Sequence

from sitemapx.convert.values import uris, urls
from sitemapx.errors import InputError, UsageError

#: Google: "content which is after the maximum file size is ignored", which is 500 KiB.
MAX_SIZE = 500 * 1024

#: Matches a line break, the key (possibly misspelt), the separator, and the value.
_sitemap = re.compile(rb"(?i)\n[ \t]*site-?maps?[ \t]*:[ \t]*([^\n#]*)")
_HTML = rb"(?i)<(?:!doctype|html|head|body)\b"
_XML = rb"<(?:\?xml|urlset|sitemapindex|rss|feed)\b"


class SitemapLine(tuple[int, str]):  # no NamedTuple: typing is slow to import
    """
    A `Sitemap` line of a robots.txt: line number and URL.

    Bytes that are not UTF-8 are percent-encoded, as crawlers request them.
    """

    __slots__ = ()

    @property
    def number(self) -> int:
        """Line number, starting at 1."""
        return self[0]

    @property
    def url(self) -> str:
        """URL as written, except for bytes that are not UTF-8; it may be relative."""
        return self[1]


class _Value:
    def __init__(self, start: int, text: bytes) -> None:
        self.start = start
        self.end = start + len(text)
        self.text = text.decode("utf-8", urls.PERCENT_ENCODED).strip()


def _sitemap_url(url: str) -> str:
    """
    Escape a URL without its fragment; raise `UsageError` if it is not an absolute http(s) URL.

    >>> _sitemap_url("https://example.com/site map.xml#top")
    'https://example.com/site%20map.xml'

    """
    uri = None if _has_controls(url) else uris.to_uri(url.strip().partition("#")[0])
    if uri is None:
        message = f"not an absolute http(s) URL: {url!r}"
        raise UsageError(f"{message}; pass one such as https://example.com/sitemap.xml")
    return uri


def _has_controls(text: str) -> bool:
    return any(c < " " or c == "\x7f" for c in text)


class RobotsFile:
    """
    A robots.txt whose `Sitemap` lines can be edited; the text of other lines stays the same.

    `bytes(robots)` returns the edited file (https://www.rfc-editor.org/rfc/rfc9309).

    Args:
        data: Contents of the file.

    Attributes:
        has_bom: Whether the file begins with a byte order mark.

    Raises:
        InputError: If the data is not a robots.txt but HTML, XML, UTF-16 or binary data.
        UsageError: If the data is not bytes.

    Examples:
        >>> robots = RobotsFile(b"User-agent: *" + bytes([10]) + b"Disallow:" + bytes([10]))
        >>> robots.add("https://example.com/sitemap.xml"), robots.sitemaps()[0].number
        (True, 4)

    """

    def __init__(self, data: bytes = b"") -> None:
        if not isinstance(data, bytes):
            raise UsageError(f"robots.txt is of type {type(data).__name__}: pass its bytes")
        if b"\0" in data or data.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise InputError("not a robots.txt: expected UTF-8 text, found UTF-16 or binary data")
        start = data.removeprefix(BOM_UTF8).lstrip()
        if start.startswith(b"<") and re.match(_HTML, start):
            raise InputError("not a robots.txt: expected plain text, found a web page (HTML)")
        if re.match(_XML, start):
            raise InputError("not a robots.txt: expected plain text, found XML (a sitemap or feed)")
        self.has_bom = data.startswith(BOM_UTF8)
        self._data = data.removeprefix(BOM_UTF8)

    def __bytes__(self) -> bytes:
        return BOM_UTF8 + self._data if self.has_bom else self._data

    @property
    def lines(self) -> list[bytes]:
        """All lines with their line ends, without the byte order mark."""
        return self._data.splitlines(keepends=True)

    def sitemaps(self) -> list[SitemapLine]:
        """Return the `Sitemap` lines with a URL in order, including relative and duplicate URLs."""
        data = self._data.replace(b"\r\n", b" \n").replace(b"\r", b"\n")
        found: list[SitemapLine] = []
        number, at = 1, 0
        for value in self._values():
            number, at = number + data.count(b"\n", at, value.start), value.start
            if value.text:
                found.append(SitemapLine((number, value.text)))
        return found

    def _values(self) -> list[_Value]:
        """Return the values of the Sitemap lines; one search of the whole file is fastest."""
        # CR becomes LF, so that offsets do not change.
        found = _sitemap.finditer(b"\n" + self._data.replace(b"\r", b"\n"))
        return [_Value(m.start(1) - 1, m[1].rstrip()) for m in found]

    def _line_of(self, value: _Value) -> tuple[int, int]:
        """Return the start and end offset of the line of a value, including its line break."""
        data = self._data
        start = max(data.rfind(b"\n", 0, value.start), data.rfind(b"\r", 0, value.start)) + 1
        ends = (at for end in (b"\n", b"\r") if (at := data.find(end, value.end)) >= 0)
        end = min(ends, default=len(data) - 1) + 1
        return start, end + data.startswith(b"\n", end) * data.endswith(b"\r", 0, end)

    def lists(self, url: str) -> bool:
        """Return whether a `Sitemap` line has this URL, however it is escaped."""
        return bool(_with_url(self._values(), url))

    def add(self, url: str) -> bool:
        """
        Add a `Sitemap` line, after the last `Sitemap` line or at the end.

        A line that would be beyond the first 500 KiB, which is all that Google reads, is added at
        the top instead.

        Args:
            url: Absolute URL of the sitemap.

        Returns:
            Whether the file has changed: False if it already lists the URL.

        Raises:
            UsageError: If the URL is not an absolute http(s) URL.

        """
        url = _sitemap_url(url)
        values = self._values()
        if _with_url(values, url):
            return False
        data, line = self._data, b"Sitemap: " + url.encode()
        at = self._line_of(values[-1])[1] if values else len(data)
        at = 0 if self._is_past_limit(at, line) else at
        end = self._line_end(at)
        if at == 0 and data:
            self._data = line + end + end + data
        elif at < len(data):
            self._data = data[:at] + line + end + data[at:]
        else:
            blank = end if data and not values else b""
            has_end = not data or data.endswith((b"\r", b"\n"))
            # If the file did not end in a line break, it still does not.
            self._data = data + (blank + line + end if has_end else end + blank + line)
        return True

    def remove(self, url: str) -> bool:
        """
        Remove all `Sitemap` lines with a URL, however it is escaped.

        Args:
            url: URL of the sitemap.

        Returns:
            Whether the file has changed.

        """
        found = _with_url(self._values(), url)
        for value in reversed(found):
            self._remove_line(value)
        return bool(found)

    def _remove_line(self, value: _Value) -> None:
        start, end = self._line_of(value)
        removed, before, after = self._data[start:end], self._data[:start], self._data[end:]
        line = removed.rstrip(b"\r\n")
        first = after.splitlines(keepends=True)[0] if after else b""
        if (
            not before
            and not first.rstrip(b"\r\n")
            and self._is_past_limit(len(after) - len(first), line)
        ):
            after = after[len(first) :]  # the blank line that `add` inserts after a line at the top
        elif after and (
            # Two line ends would become one; or a byte order mark would hide another line.
            (before.endswith(b"\r") and after.startswith(b"\n")) or (self.has_bom and not before)
        ):
            after = removed[len(line) :] + after
        self._data = before + after
        if before and not after:
            self._restore_end(removed)

    def _restore_end(self, removed: bytes) -> None:
        """Undo the line break added before an appended line; restore the original ending."""
        lines = self.lines
        if len(lines) > 1 and not lines[-1].rstrip(b"\r\n") and not self._values():
            del lines[-1]
        if not removed.endswith((b"\r", b"\n")):
            lines[-1] = lines[-1].rstrip(b"\r\n")
        self._data = b"".join(lines)

    def _is_past_limit(self, size: int, line: bytes) -> bool:
        return len(BOM_UTF8) * self.has_bom + size + len(line) + len(b"\r\n\r\n") > MAX_SIZE

    def replace(self, old: str, new: str) -> bool:
        """
        Replace the URL of a `Sitemap` line; the rest of the line stays the same.

        Further lines with the old URL are removed; all are if the file already lists the new URL.

        Args:
            old: URL that the file lists.
            new: Absolute URL to list instead.

        Returns:
            Whether the file has changed: False if it does not list `old`, or if both are the same.

        Raises:
            UsageError: If the new URL is not an absolute http(s) URL.

        """
        new = _sitemap_url(new)
        values = self._values()
        found = [value for value in _with_url(values, old) if value.text != new]
        if not found or new == old:
            return False
        first = None if new in [value.text for value in values] else found.pop(0)
        for value in reversed(found):
            self._remove_line(value)
        if first:
            self._data = self._data[: first.start] + new.encode() + self._data[first.end :]
        return True

    def sync(self, wanted: Sequence[str]) -> bool:
        """
        List exactly these URLs in the `Sitemap` lines; equivalent URLs stay as written.

        Args:
            wanted: Absolute URLs of sitemaps; new ones are added in this order.

        Returns:
            Whether the file has changed.

        Raises:
            UsageError: If any of the URLs is not an absolute http(s) URL.

        """
        sitemaps = list(dict.fromkeys(map(_sitemap_url, wanted)))
        before = self._data
        for url in sitemaps:
            for value in reversed(_with_url(self._values(), url)[1:]):
                self._remove_line(value)
            self.add(url)
        values = self._values()
        wanted_lines = {value for url in sitemaps for value in _with_url(values, url)}
        for value in reversed([value for value in values if value not in wanted_lines]):
            self._remove_line(value)
        return self._data != before

    def _line_end(self, at: int) -> bytes:
        """Return the most frequent line break, unless it would merge with adjacent characters."""
        data = self._data
        if b"\r" not in data:
            return b"\n"
        both = data.count(b"\r\n")
        counts = {
            b"\n": data.count(b"\n") - both,
            b"\r\n": both,
            b"\r": data.count(b"\r") - both,
        }
        if data.endswith(b"\r", 0, at):
            del counts[b"\n"]
        if data.startswith(b"\n", at):
            del counts[b"\r"]
        return max(counts, key=counts.__getitem__)


def _with_url(values: Collection[_Value], url: str) -> list[_Value]:
    """Return the values that are equivalent to this URL, however it is escaped."""
    texts = [value.text for value in values]
    wanted, *spelled = uris.normalize_all([url.partition("#")[0], *texts])
    return [value for value, text in zip(values, spelled, strict=True) if text == wanted]
