"""Finds tags in raw XML text without parsing: the root, and parts outside comments."""

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator
from typing import NamedTuple

from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.streams.encodings import utf8_chunks
from sitemapx.errors import InputError
from sitemapx.optionnames import option
from sitemapx.patterns import lazy_pattern

#: Maximum length in bytes up to the end of the root's start tag.
MAX_START = 10 * 1024 * 1024
#: Maximum depth of the tags around the items, and of tags in a repaired item.
MAX_DEPTH = 100

#: Roots of HTML pages and fragments.
HTML_TAGS = frozenset({"html", "head", "body", "script", "meta", "title", "div", "p"})

_ATTRIBUTES = rb"(?:[^<>\"']|\"[^\"<]*\"|'[^'<]*')*+"
_START_TAG = re.compile(rb"<([^\s<>/!?=\"'&]++)((?:\s" + _ATTRIBUTES + rb")?)>")
#: Matches a malformed start tag that still has a name.
_BAD_START_TAG = lazy_pattern(rb"<([A-Za-z_][^\s<>/!?=\"'&]*+)([^<>]*+)>")
_NAME = lazy_pattern(rb"<([A-Za-z_][^\s<>/!?=\"'&]{0,99})")
#: Groups: a slash for an end tag, the name, the attributes.
TAG = re.compile(rb"<(/?)([^\s<>/!?=\"'&]++)((?:\s" + _ATTRIBUTES + rb"|/)?)>")
_DOCTYPE_TOKEN = lazy_pattern(rb"[\"'\[\]>]|<!--|<\?")
_DOCTYPE_ENDINGS = {b'"': b'"', b"'": b"'", b"<!--": b"-->", b"<?": b"?>"}
#: Delimiters of constructs that hide markup.
_HIDDEN_MARKUP = {b"<!--": b"-->", b"<![CDATA[": b"]]>", b"<?": b"?>"}
_HIDES = re.compile(rb"<!--|<!\[CDATA\[|<\?")
#: Number of occurrences of a character up to which searching for it is fast.
_RARE = 300
#: Bytes of whitespace, NUL, no-break spaces and byte order marks, which may precede the XML.
_BLANK = b"\xef\xbb\xbf\xc2\xa0\0 \t\r\n"


def visible(
    data: bytes, is_text: Callable[[int, int], bool] = lambda start, stop: False
) -> list[tuple[int, int]]:
    """
    Return the spans outside comments, CDATA sections and processing instructions.

    Args:
        is_text: Predicate on the span of each such construct (stop -1: unterminated); if True, the
            construct is treated as visible text. An unterminated construct hides everything after
            it.

    """
    if not any(_contains(data, start) for start in _HIDDEN_MARKUP):
        return [(0, len(data))]
    parts: list[tuple[int, int]] = []
    stops: dict[bytes, int] = {}  # next end delimiter of each kind
    begin = at = 0
    while hidden := _HIDES.search(data, at):
        start, at = hidden.span()
        ending = _HIDDEN_MARKUP[hidden[0]]
        stop = stops.get(ending, 0)
        if 0 <= stop < at:
            stop = stops[ending] = data.find(ending, at)
        after = stop + len(ending) if stop >= 0 else -1
        if is_text(start, after):
            continue
        parts.append((begin, start))
        if after < 0:
            return parts
        begin = at = after
    return [*parts, (begin, len(data))]


def find_visible(pattern: re.Pattern[bytes], data: bytes) -> Iterator[re.Match[bytes]]:
    """Yield the matches outside comments, CDATA sections and processing instructions."""
    return matches(pattern, data, visible(data))


def matches(
    pattern: re.Pattern[bytes], data: bytes, parts: Iterable[tuple[int, int]]
) -> Iterator[re.Match[bytes]]:
    return (m for start, stop in parts for m in pattern.finditer(data, start, stop))


def replace_outside(
    pattern: re.Pattern[bytes], data: bytes, replace: Callable[[re.Match[bytes]], bytes]
) -> bytes:
    """Replace the matches outside comments, CDATA sections and processing instructions."""
    parts: list[bytes] = []
    at = 0
    for m in find_visible(pattern, data):
        parts += data[at : m.start()], replace(m)
        at = m.end()
    return b"".join([*parts, data[at:]])


def is_hidden(data: bytes, at: int) -> bool:
    """Return whether an offset may be inside a comment, CDATA section or instruction."""
    for start, end in _HIDDEN_MARKUP.items():
        begin = data.rfind(start, 0, at) if _contains(data, start) else -1
        if begin >= 0 and data.find(end, begin + len(start), at) < 0:
            return True
    return False


def _contains(data: bytes, start: bytes) -> bool:
    """
    Return whether data contains a delimiter.

    The search is for its second byte, which is faster than `in` if that byte is rare, unlike `<`.
    """
    second, at = start[1], 0
    for _ in range(_RARE):
        at = data.find(second, at) + 1
        if not at or (at > 1 and data.startswith(start, at - 2)):
            return at > 0
    return start in data


def find_open_tags(text: bytes) -> list[bytes]:
    """Return the start tags whose elements do not end in this text, outermost first."""
    stack: list[tuple[bytes, bytes]] = []
    open_names: Counter[bytes] = Counter()
    for m in find_visible(TAG, text):
        name = m[2]
        if m[1] and open_names[name]:
            while (ended := stack.pop()[0]) != name:
                open_names[ended] -= 1
            open_names[name] -= 1
        elif not m[1] and not m[3].endswith(b"/"):
            stack.append((name, m[0]))
            open_names[name] += 1
    return [tag for _, tag in stack]


def find_root(text: bytes, reporter: Reporter | None = None) -> re.Match[bytes] | None:
    """
    Find the start tag of the root; groups: name and attributes.

    Returns None if the text ends before the end of that tag. Raises `InputError` if the first
    markup after the prolog is not a start tag.
    """
    at = _prolog_end(text, reporter)
    if at < 0 or _starts_prolog(text, at):
        return None
    root = _START_TAG.match(text, at) or _BAD_START_TAG.match(text, at)
    if root is None and b">" in text[at:]:
        raise InputError("not XML: no element found", line=1)
    return root


def _starts_prolog(text: bytes, at: int) -> bool:
    """Return whether a comment, instruction or DOCTYPE begins at this offset."""
    return text.startswith((b"<!--", b"<?"), at) or text[at : at + 9].upper() == b"<!DOCTYPE"


def _prolog_end(text: bytes, reporter: Reporter | None = None) -> int:
    """
    Return the offset of the first markup that may be the root or is unterminated, or -1.

    Text before the XML is reported, and a DOCTYPE.
    """
    at = text.find(b"<")
    if reporter and at >= 0 and text[:at].strip(_BLANK):
        reporter.problem("stray-content", "text before the XML", done="; skipped", line=1)
    while at >= 0 and _starts_prolog(text, at):
        if text.startswith((b"<!--", b"<?"), at):
            ending = b"-->" if text.startswith(b"<!--", at) else b"?>"
            end = text.find(ending, at + 2)
        else:
            end = doctype_end(text, at)
            if reporter and end >= 0:
                line = text.count(b"\n", 0, at) + 1
                reporter.problem("doctype", "DOCTYPE is not processed", line=line)
        if end < 0:
            return at
        at = text.find(b"<", end)
    return at


def why_empty() -> str:
    return f"file is empty; for an empty list, pass {option('format', 'text')}, csv or jsonl"


def why_rootless(start: bytes) -> str:
    """Explain why no root was found in the start of a file, or in all of a short file."""
    text = _as_utf8(start)
    if not text.strip(_BLANK):
        return why_empty()
    at = _prolog_end(text)
    name = _NAME.match(text, max(at, 0))
    if at < 0 or not (name or _starts_prolog(text, at)):
        return "not XML: no element found"
    subject = "DOCTYPE"
    if text.startswith((b"<!--", b"<?"), at):
        subject = "comment" if text.startswith(b"<!--", at) else "processing instruction"
    elif name:
        subject = f"start tag <{name[1].decode('utf-8', 'replace')}>"
    if len(start) > MAX_START:
        return f"not XML: its {subject} is longer than {MAX_START // 1024 // 1024} MiB"
    is_cut = b">" not in text[at:]
    return (
        f"file ends inside the {subject}" if is_cut else f"not XML: its {subject} is never closed"
    )


def doctype_end(text: bytes, at: int) -> int:
    """Return the end of the DOCTYPE that begins at an offset; -1 if it is unterminated."""
    depth = 0
    while m := _DOCTYPE_TOKEN.search(text, at):
        at = m.end()
        if m[0] == b">" and depth <= 0:
            return at
        if ending := _DOCTYPE_ENDINGS.get(m[0]):
            end = text.find(ending, at)
            if end < 0:
                return -1
            at = end + len(ending)
        depth += {b"[": 1, b"]": -1}.get(m[0], 0)
    return -1


class AnyName(Container[str]):
    """Contains every name; used if not all declarations of entities are in the document."""

    def __contains__(self, name: object) -> bool:
        return True


def declared_entities(prolog: bytes) -> Container[str]:
    """
    Return the entities that the DOCTYPE declares; all names if it may declare entities externally.

    An undeclared entity is an error only if there are no external declarations
    (https://www.w3.org/TR/xml/#wf-entdeclared).

    >>> "nbsp" in declared_entities(b'<!DOCTYPE rss [<!ENTITY nbsp "&#160;">]>')
    True
    >>> "nbsp" in declared_entities(b"<!DOCTYPE rss>")
    False
    """
    start = prolog.upper().find(b"<!DOCTYPE")
    doctype, _, subset = prolog[start:].partition(b"[") if start >= 0 else (b"", b"", b"")
    if _EXTERNAL.search(doctype) or b"%" in subset:
        return AnyName()
    return {name.decode("utf-8", "replace") for name in _ENTITY.findall(subset)}


_EXTERNAL = lazy_pattern(rb"\s(?:SYSTEM|PUBLIC)\s")
_ENTITY = lazy_pattern(rb"<!ENTITY\s+([^\s%]+)\s")


def root_name(start: bytes) -> str | None:
    """
    Return the local name of the root element, given the first bytes of a file in any encoding.

    Returns None if the file is not XML; "" if no root was found in these bytes.
    """
    text = _as_utf8(start)
    if not text.lstrip(_BLANK).startswith(b"<"):
        return None
    try:
        root = find_root(text)
    except InputError:
        return ""
    return root[1].rpartition(b":")[2].decode("utf-8", "replace") if root else ""


def _as_utf8(start: bytes) -> bytes:
    def read(size: int = -1) -> bytes:
        nonlocal start
        piece, start = start, b""
        return piece

    return b"".join(utf8_chunks(read, Reporter()))


# ---- the start tag before the first item and its namespaces

_SPACE = r"[ \t\r\n]"
_URI = r"https?://[A-Za-z0-9][A-Za-z0-9./_-]*"
_DECLARATION = (
    rf'{_SPACE}+(?:xmlns(?::(?!xml)([a-z]+))?="({_URI})"'
    rf'|xsi:schemaLocation="(?:[A-Za-z0-9:./_-]|{_SPACE})*")'
)
_usual = re.compile(rf"<([A-Za-z]+)((?:{_DECLARATION})*){_SPACE}*>").fullmatch
_attributes = lazy_pattern(_DECLARATION)


class StartTag(NamedTuple):
    """Namespace and local name of a start tag, and the namespaces in scope by prefix."""

    name: tuple[str, str]
    namespaces: dict[str | None, str]


def tag_name(tag: bytes) -> bytes:
    return re.split(rb"[\s/>]", tag[1:], maxsplit=1)[0]


def parse_usual_tag(tag: bytes) -> StartTag | None:
    """
    Parse a start tag that has only namespace declarations and schema locations.

    Returns None for any other tag, and for a tag that a parser might reject.
    """
    if not (m := _usual(tag.decode("latin-1"))):
        return None
    attributes = list(_attributes.finditer(m[2]))
    namespaces: dict[str | None, str] = {
        attribute[1]: attribute[2] for attribute in attributes if attribute[2]
    }
    locations = sum(not attribute[2] for attribute in attributes)
    if len(namespaces) + locations < len(attributes) or locations > ("xsi" in namespaces):
        return None
    return StartTag((namespaces.get(None, ""), m[1]), namespaces)
