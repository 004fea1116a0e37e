"""
Finds lines of a robots.txt that are wrong, or that crawlers interpret differently.

Format: https://www.rfc-editor.org/rfc/rfc9309; Sitemap lines:
https://www.sitemaps.org/protocol.html#submit_robots. The behaviour of crawlers is taken from
https://github.com/google/robotstxt, Python's urllib.robotparser and Protego.
"""

import re
from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import NamedTuple

from sitemapx.convert.model.problems import ProblemKind
from sitemapx.convert.values import relative, uris, urls
from sitemapx.submit.robots.file import MAX_SIZE, RobotsFile, SitemapLine

#: error: the file does not have its intended effect; warning: some crawlers may misread the file,
#: or a probable mistake; note: possibly intended.
FINDINGS = {
    # the file
    "hidden-by-bom": ProblemKind(
        "warning",
        "first line is hidden from some crawlers by a byte order mark",
        "Save the file without a byte order mark, or begin it with an empty line.",
    ),
    "past-limit": ProblemKind(
        "error",
        "line is beyond the 500 KiB that Google reads",
        "Move the line to the beginning of the file, or remove rules that are no longer needed.",
    ),
    "long-line": ProblemKind(
        "warning",
        "line is longer than 16,664 bytes; Google ignores the rest",
        "Shorten the line, or split the rule into several.",
    ),
    "line-not-utf8": ProblemKind(
        "warning",
        "line is not UTF-8",
        "Save the file as UTF-8, or percent-encode the URL.",
    ),
    "control-character": ProblemKind(
        "warning",
        "control character; some crawlers treat it as a line end",
        "Remove the character.",
    ),
    # the lines
    "misspelt-key": ProblemKind(
        "warning",
        "misspelt key, or missing colon",
        "Correct the key, or add the colon after it.",
    ),
    "no-group": ProblemKind(
        "warning",
        "rule before the first User-agent line; crawlers ignore it",
        "Write a User-agent line before the first rule.",
    ),
    "blank-in-group": ProblemKind(
        "note",
        "blank line in a group; ends the group for Python's urllib",
        "Remove the blank line.",
    ),
    # the Sitemap lines
    "relative-sitemap": ProblemKind(
        "error",
        "Sitemap URL is not absolute; most crawlers ignore it",
        "Write the absolute URL of the sitemap.",
    ),
    "unusable-url": ProblemKind(
        "error",
        "Sitemap line has no valid http(s) URL",
        "Write the absolute URL of the sitemap, with http or https.",
    ),
    "unescaped-url": ProblemKind(
        "warning",
        "Sitemap URL has unescaped characters",
        "Percent-encode the characters, as the message shows.",
    ),
    "cut-by-comment": ProblemKind(
        "warning",
        "Sitemap URL is cut off by a comment",
        "Percent-encode # as %23, or remove the fragment.",
    ),
    "duplicate-line": ProblemKind(
        "warning",
        "sitemap is already listed on an earlier line",
        "Remove the line; `sitemapx robots remove FILE URL` does so.",
    ),
    "sitemap-other-host": ProblemKind(
        "note",
        "URL is not on the host of robots.txt",
        "This is allowed if robots.txt of that host lists the sitemap; check the URL.",
    ),
    "several-page-hosts": ProblemKind(
        "note",
        "pages are on several hosts; a robots.txt applies to one",
        "Check the robots.txt of each host.",
    ),
    # disallowed crawlers and pages
    "search-disallowed": ProblemKind(
        "warning",
        "listed pages are disallowed for the crawler of a search engine",
        "Allow the pages in the group of the crawler, unless this search engine is unwanted.",
    ),
    "ai-disallowed": ProblemKind(
        "note",
        "listed pages are disallowed for a crawler of an AI service",
        "Nothing, if that is intended; `sitemapx robots agents FILE` shows the rules.",
    ),
    "sitemap-disallowed": ProblemKind("error", "sitemap is disallowed for the crawler"),
    "disallowed": ProblemKind("error", "page in a sitemap is disallowed for the crawler"),
}


#: Maximum length of a line in Google's parser: eight times 2,083 bytes, once the longest URL of
#: browsers.
_LONGEST = 16_664

_KEYS = {"useragent": "User-agent", "allow": "Allow", "disallow": "Disallow", "sitemap": "Sitemap"}
_PROPER = frozenset(key.lower() for key in _KEYS.values())
#: Minimum similarity of a misspelt key to the intended one, from 0 to 1.
_ALIKE = 0.8
#: Matches a key and a value with only a space between them; the colon of a URL does not end a key.
_uncoloned = re.compile(r"\s*+([A-Za-z-]++)\s++(?:https?:|[/*]|[^:]++\Z)", re.IGNORECASE).match
_control = re.compile("[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029]").search


class Lint(NamedTuple):
    """A finding: line number (from 1), key of `FINDINGS`, and message with the fix."""

    line: int
    code: str
    message: str


class _Line(NamedTuple):
    """A line: number (from 1), text without comment, key as written (may be empty), and value."""

    number: int
    text: str
    key: str
    value: str
    is_blank: bool

    @classmethod
    def parse(cls, number: int, line: bytes) -> "_Line":
        text = line.decode("utf-8", "replace").partition("#")[0]
        key, colon, value = text.partition(":")
        is_blank = not line.rstrip(b"\r\n")
        return cls(number, text, key.strip() if colon else "", value.strip(), is_blank)


def oddities(robots: RobotsFile, url: str | None = None) -> list[Lint]:
    """
    Return findings in the order of the lines; `url` is the public URL of the file, if known.

    >>> [(one.line, one.code) for one in oddities(RobotsFile(b"Sitemap: /sitemap.xml"))]
    [(1, 'relative-sitemap')]

    """
    lines = [_Line.parse(number, line) for number, line in enumerate(robots.lines, start=1)]
    sitemaps = robots.sitemaps()
    found = [
        *_in_bytes(robots, {sitemap.number for sitemap in sitemaps}),
        *_in_keys(lines),
        *_find_misgrouped(lines),
        *_in_sitemaps(sitemaps, url),
        *_cut(sitemaps, robots.lines),
        *_duplicates(sitemaps),
    ]
    return sorted(found, key=lambda oddity: oddity.line)


def _in_bytes(robots: RobotsFile, sitemaps: set[int]) -> Iterator[Lint]:
    lines = robots.lines
    if robots.has_bom and lines and lines[0].partition(b"#")[0].strip():
        message = "byte order mark hides this line from some crawlers; remove it"
        yield Lint(1, "hidden-by-bom", message)
    end, is_past = len(BOM_UTF8) * robots.has_bom, False
    for number, line in enumerate(lines, start=1):
        length = len(line.rstrip(b"\r\n"))
        if end + length > MAX_SIZE and length and (not is_past or number in sitemaps):
            is_past = True
            message = "line is beyond the 500 KiB that Google reads; move important lines up"
            yield Lint(number, "past-limit", message)
        end += len(line)
        if length > _LONGEST:
            message = f"line of {length:,} bytes: Google ignores everything after {_LONGEST:,}"
            yield Lint(number, "long-line", message)
        try:
            m = _control(line.decode())
        except UnicodeDecodeError:
            message = "line is not UTF-8; save the file as UTF-8, or percent-encode the line"
            yield Lint(number, "line-not-utf8", message)
        else:
            if m:
                message = f"control character U+{ord(m[0]):04X} may end the line; remove it"
                yield Lint(number, "control-character", message)


def _in_keys(lines: Sequence[_Line]) -> Iterator[Lint]:
    for number, text, key, value, _ in lines:
        m = _uncoloned(text)
        if m and m[1].lower() in _PROPER:
            message = f"missing colon; write `{m[1]}: `"
            yield Lint(number, "misspelt-key", message)
        elif (meant := _intended_key(key)) and key.lower() not in _PROPER:
            message = f"misspelt key `{key}`; write `{meant}: `"
            yield Lint(number, "misspelt-key", message)
        if _intended_key(key) == "Sitemap" and not value:
            yield Lint(number, "unusable-url", "Sitemap line has no URL; complete or remove it")


@lru_cache(maxsize=1024)
def _intended_key(key: str) -> str | None:
    """Return the key that a (perhaps misspelt) key stands for, such as `Disallow`; or None."""
    letters = re.sub("[^a-z]", "", key.lower())
    if letters.startswith("sitemap"):
        return "Sitemap"
    close = get_close_matches(letters, _KEYS, n=1, cutoff=_ALIKE)
    return _KEYS[close[0]] if close else None


def _find_misgrouped(lines: Sequence[_Line]) -> Iterator[Lint]:
    """Yield findings for rules outside a group; some crawlers end a group at a blank line."""
    is_grouped = is_ended = False
    for number, _, key, _, is_blank in lines:
        match key.lower():
            case "user-agent":
                is_grouped, is_ended = True, False
            case "allow" | "disallow" if not is_grouped:
                message = "crawlers ignore rules before the first User-agent line; add one above"
                yield Lint(number, "no-group", message)
            case "allow" | "disallow" if is_ended:
                message = "Python's urllib ignores this rule: the blank line above ends the group"
                yield Lint(number, "blank-in-group", message)
                is_ended = False
            case "" if is_blank:
                is_ended = is_grouped


def _in_sitemaps(sitemaps: Sequence[SitemapLine], url: str | None) -> Iterator[Lint]:
    for number, value in sitemaps:
        uri = uris.to_uri(value)
        if uri is None:
            yield _unusable(number, value, url)
        elif re.search(r"\s", value):
            message = "URL contains a space; write one URL per line, and spaces as %20"
            yield Lint(number, "unescaped-url", message)
        elif uri != value:
            yield Lint(number, "unescaped-url", f"URL has unescaped characters; write {uri}")
        if uri and url and (host := urls.origin(uri)) != urls.origin(url):
            message = f"sitemap is on another host, {host}; ignore this if intended"
            yield Lint(number, "sitemap-other-host", message)


def _unusable(number: int, value: str, url: str | None) -> Lint:
    if urls.is_absolute(value):
        message = f"invalid URL: its host is invalid, or it has over {urls.MAX_LENGTH:,} characters"
        return Lint(number, "unusable-url", message)
    if urls.is_absolute(value.split(maxsplit=1)[0]):
        return Lint(number, "unusable-url", "more than one URL on the line; write one URL per line")
    message = relative.describe(value)
    if message.startswith("invalid"):
        return Lint(number, "unusable-url", message)
    full = relative.resolve(value, url) or "an absolute URL, with https:// and the host"
    return Lint(number, "relative-sitemap", f"{message}; write {full}")


def _cut(sitemaps: Sequence[SitemapLine], lines: Sequence[bytes]) -> Iterator[Lint]:
    for number, _ in sitemaps:
        before, mark, _ = lines[number - 1].partition(b"#")
        if mark and before == before.rstrip():
            message = "# starts a comment, so the URL ends there; write %23, or a space before #"
            yield Lint(number, "cut-by-comment", message)


def _duplicates(sitemaps: Sequence[SitemapLine]) -> Iterator[Lint]:
    first: dict[str, SitemapLine] = {}
    for line in sitemaps:
        other = first.setdefault(uris.normalize(line.url), line)
        if other is not line:
            spelt = "" if other.url == line.url else f" as {other.url}"
            message = f"sitemap is already listed on line {other.number}{spelt}; remove one"
            yield Lint(line.number, "duplicate-line", message)
