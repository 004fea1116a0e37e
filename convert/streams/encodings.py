"""
Decodes text, with an encoding detected from its first bytes.

The encoding is determined by the byte order mark, else the zero bytes of UTF-16 and UTF-32, else
the XML declaration, else it is UTF-8 (https://www.w3.org/TR/xml/#sec-guessing).
"""

import codecs
import re
from collections.abc import Callable, Iterable, Iterator

from sitemapx.convert.model.reporter import Reporter
from sitemapx.patterns import lazy_pattern

_CHUNK = 1 << 17

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark is a prefix of this one
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
#: Encodings of two ASCII characters, which begin XML and URLs, without a byte order mark.
_ASCII_PAIRS = (
    (re.compile(rb"(?:[\t\n\r -~]\0\0\0){2}"), "utf-32-le"),
    (re.compile(rb"(?:\0\0\0[\t\n\r -~]){2}"), "utf-32-be"),
    (re.compile(rb"[\t\n\r -~]\0[\t\n\r -~]\0"), "utf-16-le"),
    (re.compile(rb"\0[\t\n\r -~]\0[\t\n\r -~]"), "utf-16-be"),
)
_DECLARED = lazy_pattern(rb"\s*<\?xml[^>]*?\sencoding\s*=\s*[\"']([A-Za-z0-9._:-]+)[\"']")
#: Python codecs that are not character encodings, or that interpret escapes.
_NO_CHARACTERS = frozenset(
    {"idna", "punycode", "undefined", "unicode-escape", "raw-unicode-escape", "utf-7", "rot13"}
)
#: Declared encoding -> encoding used in practice; UTF-8 for ASCII, which UTF-8 includes
#: (https://encoding.spec.whatwg.org/#names-and-labels).
_MEANT = {"gb2312": "gb18030", "gbk": "gb18030", "iso8859-1": "cp1252", "ascii": "utf-8"}

#: Codec error handler that decodes invalid bytes as windows-1252.
WINDOWS_1252 = "sitemapx-windows-1252"

#: Declared encodings that parsers decode strictly, although a superset is used in practice.
_NARROWER = ("ascii", "gb2312")


def utf8_chunks(read: Callable[[int], bytes], reporter: Reporter) -> Iterator[bytes]:
    """
    Convert a text in any encoding to chunks of UTF-8, without a byte order mark.

    UTF-8 is passed through unchanged and may be invalid (see `decode_utf8`).

    Args:
        read: Returns up to the given number of bytes, empty only at the end.
        reporter: Reports bytes that are invalid in another encoding, and wrong declarations.

    """
    first = _read_at_least(read, 1024)
    bom, encoding, narrower = _encoding(first, reporter)
    first = first[len(bom) :]
    if narrower:
        read = _DeclarationCheck(read, first, narrower, encoding, reporter).read
    if encoding == "utf-8":
        while first:
            yield first
            first = read(_CHUNK)
        return
    decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
    is_reported = False
    while True:
        text = decoder.decode(first, final=not first)
        if "\ufffd" in text and not is_reported:
            is_reported = True
            reporter.problem("wrong-encoding", f"invalid {encoding}")
        if text:
            yield text.encode("utf-8", "replace")
        if not first:
            return
        first = read(_CHUNK)


class _DeclarationCheck:
    """Stream that reports once if bytes are invalid in the declared encoding."""

    def __init__(
        self,
        read: Callable[[int], bytes],
        first: bytes,
        declared: str,
        encoding: str,
        reporter: Reporter,
    ) -> None:
        self._read = read
        self._decoder = codecs.getincrementaldecoder(declared)()
        self._message = (
            f"content does not match the declared encoding {declared}; read as {encoding}"
        )
        self._reporter = reporter
        self._is_reported = False
        self._check(first)

    def read(self, size: int) -> bytes:
        data = self._read(size)
        self._check(data)
        return data

    def _check(self, data: bytes) -> None:
        if self._is_reported:
            return
        try:
            self._decoder.decode(data)
        except UnicodeDecodeError:
            self._is_reported = True
            self._reporter.problem("wrong-encoding", self._message)


def _read_at_least(read: Callable[[int], bytes], least: int) -> bytes:
    parts = [read(_CHUNK)]
    while parts[-1] and sum(map(len, parts)) < least:
        parts.append(read(_CHUNK))
    return b"".join(parts)


def _encoding(start: bytes, reporter: Reporter) -> tuple[bytes, str, str]:
    """
    Detect the encoding of a text by its first bytes, else its declaration; report problems.

    Returns the byte order mark (may be empty), the encoding to decode with, and the declared
    encoding if `_NARROWER` contains it (else empty).
    """
    for bom, name in _BOMS:
        if start.startswith(bom):
            return bom, name, ""
    for pair, name in _ASCII_PAIRS:
        if pair.match(start):
            return b"", name, ""
    declared = _DECLARED.match(start[:1024])
    if declared is None:
        return b"", "utf-8", ""
    label = declared[1].decode()
    codec = _codec(label)
    if codec is None:
        reporter.problem("wrong-encoding", f"unknown encoding {label!r}; read as UTF-8", line=1)
        return b"", "utf-8", ""
    if codec.startswith(("utf-16", "utf-32")):  # impossible: the declaration itself is ASCII
        reporter.problem(
            "wrong-encoding", f"wrong encoding declaration {label!r}; read as UTF-8", line=1
        )
        return b"", "utf-8", ""
    name = _MEANT.get(codec, codec)
    if name == "cp1252" and _is_utf8(start):
        message = f"wrong encoding declaration {label!r}: the content is UTF-8"
        reporter.problem("wrong-encoding", message, line=1, is_readable=True)
        return b"", "utf-8", ""
    return b"", name, codec if codec in _NARROWER else ""


def _codec(label: str) -> str | None:
    try:
        name = codecs.lookup(label).name
        "A".encode(name).decode(name)
    except (LookupError, UnicodeError, ValueError, TypeError, AssertionError):
        return None
    return None if name in _NO_CHARACTERS else name


def _is_utf8(start: bytes) -> bool:
    """Return whether the start of a text is valid UTF-8 with non-ASCII characters."""
    if start.isascii():
        return False
    try:
        codecs.getincrementaldecoder("utf-8")().decode(start)
    except UnicodeDecodeError:
        return False
    return True


def decode_utf8(data: bytes) -> tuple[str, bool]:
    """Return the text, with invalid bytes decoded as windows-1252, and whether all were valid."""
    try:
        return data.decode(), True
    except UnicodeDecodeError:
        return data.decode("utf-8", WINDOWS_1252), False


def _as_windows_1252(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    wrong = error.object[error.start : error.end]
    return wrong.decode("cp1252", "replace"), error.end


codecs.register_error(WINDOWS_1252, _as_windows_1252)


def encoding_of(start: bytes) -> str:
    """Return the name of the Python codec of a text, detected from its first bytes."""
    return _encoding(start, Reporter())[1]


def encode_like(start: bytes, pieces: Iterable[bytes]) -> Iterator[bytes]:
    """
    Convert pieces of UTF-8 to the encoding of the text that begins with `start`.

    The BOM of that text, if any, comes first; characters outside the encoding become XML character
    references. For UTF-8, only the unchanged pieces are yielded.
    """
    bom, encoding, _ = _encoding(start, Reporter())
    if encoding == "utf-8":
        yield from pieces
        return
    yield bom
    for piece in pieces:
        yield piece.decode().encode(encoding, "xmlcharrefreplace")


def codec_of(label: str) -> str | None:
    """Return the Python codec to decode a declared encoding; None if the encoding is unknown."""
    codec = _codec(label)
    return codec and _MEANT.get(codec, codec)


def has_bom(start: bytes) -> bool:
    return start.startswith(tuple(bom for bom, _ in _BOMS))


def decode_start(start: bytes) -> str:
    """Decode the first bytes of a text, without BOM; invalid bytes become U+FFFD."""
    bom, encoding, _ = _encoding(start, Reporter())
    return start[len(bom) :].decode(encoding, "replace")
