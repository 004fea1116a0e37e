"""Repairs of malformed XML before it is parsed: characters, hidden markup, tags."""

import re
from collections import Counter
from collections.abc import Container, Iterator
from html.entities import html5

from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.streams.encodings import decode_utf8
from sitemapx.convert.xml.repair.references import is_xml_character
from sitemapx.convert.xml.tags import MAX_DEPTH, TAG, find_visible, tag_name, visible

#: Matches an ampersand that does not begin a reference.
_BARE = "&(?!#|[A-Za-z][A-Za-z0-9]*;)"
_bare = re.compile(_BARE)
#: The first alternative matches a run of bare ampersands, as a line may contain very many.
_DEFECT = re.compile(
    rf"{_BARE}(?:[^&\n\x00-\x1f\ufffe\uffff]*+{_BARE})*+"
    r"|&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});)(?:[A-Za-z][A-Za-z0-9]*;)?"
    r"|&#[xX]?[0-9A-Fa-f]+;"
    r"|[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]"
)
#: Defects in CDATA sections, comments and the like, where ampersands are allowed.
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_ATTRIBUTE = re.compile(rb"\s([A-Za-z_][\w.:-]*)\s*=\s*(\"[^\"<&]*\"|'[^'<&]*')")


#: Maximum number of problems of a kind that are reported per part; further ones are only counted.
_MOST_REPORTS = 1000


def fix_characters(
    data: bytes,
    reporter: Reporter,
    line: int,
    *,
    html: bool = False,
    declared: Container[str] = frozenset(),
) -> bytes:
    """
    Fix and report wrong encodings, illegal characters, bare ampersands and unknown entities.

    Args:
        line: Line at which `data` begins.
        html: Whether to replace HTML's named entities with numeric references.
        declared: HTML entities declared in the DOCTYPE, which are not reported.

    """
    reports = Reports(reporter)
    text, is_utf8 = decode_utf8(data)
    if not is_utf8:
        good = data.decode("utf-8", "replace").partition("\ufffd")[0]
        reporter.problem(
            "wrong-encoding",
            "bytes that are not UTF-8, read as windows-1252",
            line=line + good.count("\n"),
        )
    data = text.encode("utf-8", "replace")
    parts: list[str] = []
    at = 0
    for start, stop in [*visible(data), (len(data), len(data))]:
        for piece, pattern in ((data[at:start], _ILLEGAL), (data[start:stop], _DEFECT)):
            parts += _fix_pieces(piece.decode(), pattern, reports, line, html, declared)
            line += piece.count(b"\n")
        at = stop
    reports.close()
    return "".join(parts).encode()


class Reports:
    """Reports the first problems of each kind individually, and the number of further ones."""

    def __init__(self, reporter: Reporter) -> None:
        self._reporter = reporter
        self._counts: Counter[str] = Counter()
        self._last: dict[str, tuple[str, str, int]] = {}

    def problem(
        self, code: str, message: str, line: int, count: int = 1, *, done: str = ""
    ) -> None:
        before, after = self._counts[code], self._counts[code] + count
        for _ in range(before, min(after, _MOST_REPORTS)):
            self._reporter.problem(code, message, done=done, line=line)
        if after > _MOST_REPORTS:
            self._last[code] = message, done, line
        self._counts[code] = after

    def only_counts(self, code: str) -> bool:
        return self._counts[code] >= _MOST_REPORTS

    def close(self) -> None:
        """Report the number of problems of each kind that were only counted."""
        for code, (message, done, line) in self._last.items():
            count = self._counts[code] - _MOST_REPORTS
            more = f"; {count:,} more like this"
            self._reporter.problem(code, message, done=done, quoted=more, line=line, count=count)


def _fix_pieces(
    text: str,
    defect: re.Pattern[str],
    reports: Reports,
    line: int,
    html: bool,
    declared: Container[str],
) -> Iterator[str]:
    at = 0
    for m in defect.finditer(text):
        yield text[at : m.start()]
        line += text.count("\n", at, m.start())
        at = m.end()
        found = m[0]
        if found.startswith("&#"):
            code = int(found[3:-1], 16) if found[2] in "xX" else _decimal(found[2:-1])
            if is_xml_character(code):
                yield f"&#{code};"
            else:
                reports.problem("illegal-character", f"{found} is not a legal XML character", line)
        elif html and (characters := html5.get(found[1:])):
            if found[1:-1] not in declared:
                message = f"entity {found} is not defined in XML"
                reports.problem("malformed", message, line, done="; read as in HTML")
            yield "".join(f"&#{ord(character)};" for character in characters)
        elif found.endswith(";"):
            message = f"entity {found} is not defined in XML"
            reports.problem("malformed", message, line, done="; kept as text")
            yield "&amp;" + found[1:]
        elif found.startswith("&"):
            is_rest = reports.only_counts("unescaped") and _bare.match(text, m.start())
            rest, count = _bare.subn("&amp;", text[m.start() :] if is_rest else found)
            message = "unescaped '&' (write '&amp;')"
            reports.problem("unescaped", message, line, count, done="; kept as text")
            if is_rest:
                yield from _fix_pieces(rest, defect, reports, line, html, declared)
                return
            yield rest
        else:
            reports.problem(
                "illegal-character", f"U+{ord(found):04X} is not a legal XML character", line
            )
    yield text[at:]


def _decimal(digits: str) -> int:
    return int(digits) if digits.isdigit() and len(digits) < 10 else -1


def rebuild_tag(tag: bytes) -> bytes:
    """Rebuild a malformed start tag from its well-formed attributes."""
    attributes = dict(_ATTRIBUTE.findall(tag))
    pairs = b"".join(b" %s=%s" % pair for pair in attributes.items())
    return b"<" + tag_name(tag) + pairs + b">"


def reveal_hidden(
    data: bytes, boundary: re.Pattern[bytes], reporter: Reporter, line: int, *, trusts_ends: bool
) -> bytes:
    """
    Remove the start of each unclosed CDATA section; escape that of other unclosed constructs.

    This reveals the markup in unclosed comments, CDATA sections and processing instructions.

    Args:
        boundary: Matches the tags of items and the end tag of the root; a construct that is still
            open there is unclosed.
        line: Line at which `data` begins.
        trusts_ends: Whether any end delimiter counts; if False, only delimiters before the end of
            the item count.

    """
    found: list[tuple[int, int]] = []
    tag = boundary.search(data)

    def is_unclosed(start: int, stop: int) -> bool:
        nonlocal tag
        if tag and tag.start() < start:
            tag = boundary.search(data, start)
        if tag and (
            stop < 0
            or (not trusts_ends and tag.start() < stop and data.startswith(b"</", tag.start()))
        ):
            found.append((start, tag.start()))
            return True
        return False

    visible(data, is_unclosed)
    shown = bytearray()
    at = reported = 0
    for start, boundary_start in found:
        is_section = data.startswith(_SECTION, start)
        line += data.count(b"\n", at, start)
        if boundary_start != reported:  # report once per item
            reported = boundary_start
            subject = data[start : start + (len(_SECTION) if is_section else 4)]
            done = "; skipped" if is_section else "; kept as text"
            message = f"{subject.decode('utf-8', 'replace')} is never closed"
            reporter.problem("malformed", message, done=done, line=line)
        shown += data[at:start] + (b"" if is_section else b"&lt;")
        at = start + (len(_SECTION) if is_section else 1)
    return bytes(shown + data[at:])


_SECTION = b"<![CDATA["
#: Frequent HTML elements without end tags.
_VOID = frozenset({b"area", b"br", b"col", b"hr", b"img", b"input", b"meta", b"wbr"})
#: Feed elements that contain only text, and elements that cannot be nested in them.
_TEXTS = frozenset({b"title", b"link", b"guid", b"id", b"pubDate", b"published", b"updated"})
_FIELDS = _TEXTS | {b"description", b"summary", b"content", b"category", b"author", b"enclosure"}


_value = re.compile(rb"=\s*(?:\"[^\"]*\"|'[^']*'|([^\s\"'<>]+))")


def _quote(value: re.Match[bytes]) -> bytes:
    return b'="%s"' % value[1] if value[1] else value[0]


def close_elements(item: bytes) -> bytes:
    """Add missing end tags, quote attribute values, drop unmatched end tags and too deep tags."""
    parts: list[bytes] = []
    add = parts.append
    stack: list[bytes] = []
    at = 0
    for m in find_visible(TAG, item):
        if at < m.start():
            add(item[at : m.start()])
        at = m.end()
        is_end, name, attributes = m.groups()
        if is_end:
            if name not in stack:
                continue
            while stack[-1] != name:
                add(b"</%s>" % stack.pop())
            stack.pop()
        elif not attributes.endswith(b"/"):
            if stack and stack[-1] in _TEXTS and (name in _FIELDS or b":" in name):
                add(b"</%s>" % stack.pop())
            if len(stack) == MAX_DEPTH:
                continue
            if name.lower() in _VOID:
                add(b"<%s%s/>" % (name, _value.sub(_quote, attributes)))
                continue
            stack.append(name)
            if b"=" in attributes:
                add(b"<%s%s>" % (name, _value.sub(_quote, attributes)))
                continue
        add(m[0])
    add(item[at:])
    parts += [b"</%s>" % name for name in reversed(stack)]
    return b"".join(parts)


# ---- adding missing end tags of items


def close_items(
    data: bytes, ends: tuple[re.Pattern[bytes], re.Pattern[bytes], bytes], end_tag: bytes
) -> tuple[bytes, list[int]]:
    """
    Close each unclosed item before the next item, or where its parent ends.

    Returns the fixed XML, and the offsets in `data` at which the unclosed items begin.

    Args:
        ends: Patterns of an item's start tag and end tag, and the end tag of the parent.
        end_tag: End tag to insert.

    """
    parts: list[bytes] = []
    starts: list[int] = []
    at = 0
    for start, stop in _find_unclosed(data, *ends):
        starts.append(start)
        parts += data[at:stop], end_tag
        at = stop
    return b"".join([*parts, data[at:]]), starts


def _find_unclosed(
    data: bytes, item_start: re.Pattern[bytes], item_end: re.Pattern[bytes], outer_end: bytes
) -> Iterator[tuple[int, int]]:
    """Yield the start of each unclosed item, and the offset at which its end tag is missing."""
    patterns = [item_start.pattern, item_end.pattern, *([re.escape(outer_end)] * bool(outer_end))]
    opened = -1
    for tag in find_visible(re.compile(b"|".join(patterns)), data):
        if opened >= 0 and not item_end.match(data, tag.start()):
            yield opened, tag.start()
        opened = tag.start() if tag[1] and not _is_closed(data, tag) else -1
    if opened >= 0:
        yield opened, len(data)


def _is_closed(data: bytes, start: re.Match[bytes]) -> bool:
    if data.startswith(b">", start.end()):
        return False
    tag = TAG.match(data, start.start())
    return tag is not None and tag[3].endswith(b"/")
