"""
Any encoding in, UTF-8 out.

XML says by itself what it is written in (https://www.w3.org/TR/xml/#sec-guessing): a byte order
mark, else the declaration, else UTF-8. Declarations that the bytes contradict are common.
"""

import codecs
import re
from collections.abc import Callable, Iterator

from sitemapx.convert.model.reporter import Reporter
from sitemapx.patterns import lazy_pattern

#: How much is read at a time. Blocks of this size keep the memory small and the calls few.
_CHUNK = 1 << 17

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
#: Without a mark: how two ASCII characters look, of which XML and URLs have some at the start.
_ASCII_PAIRS = (
    (re.compile(rb"(?:[\t\n\r -~]\0\0\0){2}"), "utf-32-le"),
    (re.compile(rb"(?:\0\0\0[\t\n\r -~]){2}"), "utf-32-be"),
    (re.compile(rb"[\t\n\r -~]\0[\t\n\r -~]\0"), "utf-16-le"),
    (re.compile(rb"\0[\t\n\r -~]\0[\t\n\r -~]"), "utf-16-be"),
)
_DECLARED = lazy_pattern(rb"\s*<\?xml[^>]*?\sencoding\s*=\s*[\"']([A-Za-z0-9._:-]+)[\"']")
#: Codecs of Python that are no encodings of texts, or run what they read.
_NO_CHARACTERS = frozenset(
    {"idna", "punycode", "undefined", "unicode-escape", "raw-unicode-escape", "utf-7", "rot13"}
)
#: What the names in declarations mean in practice (https://encoding.spec.whatwg.org/#names-and-labels).
_MEANT = {"gb2312": "gb18030", "gbk": "gb18030", "iso8859-1": "cp1252", "ascii": "utf-8"}

#: The error handler of decoders that reads bytes which are not UTF-8 as windows-1252.
WINDOWS_1252 = "sitemapx-windows-1252"

#: Declared encodings that parsers read strictly, though a larger one is meant.
_NARROWER = ("ascii", "gb2312")


def utf8_chunks(read: Callable[[int], bytes], reporter: Reporter) -> Iterator[bytes]:
    """
    Read a text of any encoding as pieces of UTF-8, without a byte order mark.

    What is UTF-8 already goes through unseen: it may hold wrong bytes (see `decode_utf8`).

    Args:
        read: Gives up to so many bytes, and none only at the end.
        reporter: Reports declarations that the bytes contradict.

    """
    first = _filled(read, 1024)
    bom, encoding, narrower = _encoding(first, reporter)
    first = first[len(bom) :]
    if narrower:
        read = _Compared(read, first, narrower, encoding, reporter).read
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
            reporter.problem("encoding", f"invalid {encoding}")
        if text:
            yield text.encode("utf-8", "replace")
        if not first:
            return
        first = read(_CHUNK)


class _Compared:
    """A stream that reports the first bytes that the declared encoding does not have."""

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
        self._message = f"bytes that are not {declared}, which is declared; read as {encoding}"
        self._reporter = reporter
        self._is_reported = False
        self._see(first)

    def read(self, size: int) -> bytes:
        """Read."""
        data = self._read(size)
        self._see(data)
        return data

    def _see(self, data: bytes) -> None:
        if self._is_reported:
            return
        try:
            self._decoder.decode(data)
        except UnicodeDecodeError:
            self._is_reported = True
            self._reporter.problem("encoding", self._message)


def _filled(read: Callable[[int], bytes], least: int) -> bytes:
    """Read enough to tell the encoding, also from a stream that gives little at a time."""
    parts = [read(_CHUNK)]
    while parts[-1] and sum(map(len, parts)) < least:
        parts.append(read(_CHUNK))
    return b"".join(parts)


def _encoding(start: bytes, reporter: Reporter) -> tuple[bytes, str, str]:
    """
    Find the encoding, the mark to take away, and the declared encoding if it has fewer characters.

    The bytes win over what is declared.
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
        reporter.problem("encoding", f"unknown encoding {label!r}; read as UTF-8", line=1)
        return b"", "utf-8", ""
    if codec.startswith(("utf-16", "utf-32")):  # then the declaration could not be read as ASCII
        reporter.problem("encoding", f"wrong encoding declaration {label!r}; read as UTF-8", line=1)
        return b"", "utf-8", ""
    name = _MEANT.get(codec, codec)
    if name == "cp1252" and _is_utf8(start):
        message = f"wrong encoding declaration {label!r}: the content is UTF-8"
        reporter.problem("encoding", message, line=1, is_readable=True)
        return b"", "utf-8", ""
    return b"", name, codec if codec in _NARROWER else ""


def _codec(label: str) -> str | None:
    """Find the codec of a declared encoding; None for what is none of characters."""
    try:
        name = codecs.lookup(label).name
        "A".encode(name).decode(name)
    except (LookupError, UnicodeError, ValueError, TypeError, AssertionError):
        return None
    return None if name in _NO_CHARACTERS else name


def _is_utf8(start: bytes) -> bool:
    """Return whether bytes beyond ASCII are UTF-8, which by chance they never are."""
    if start.isascii():
        return False
    try:
        codecs.getincrementaldecoder("utf-8")().decode(start)
    except UnicodeDecodeError:
        return False
    return True


def decode_utf8(data: bytes) -> tuple[str, bool]:
    """
    Decode UTF-8 that may hold wrong bytes; those are read as windows-1252.

    Returns:
        The text, and whether all of it was UTF-8.

    """
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
    """Return the encoding of a text by its first bytes, as Python calls it."""
    return _encoding(start, Reporter())[1]


def decode_start(start: bytes) -> str:
    """Decode the first bytes of a text as well as they can be, to see what it is."""
    bom, encoding, _ = _encoding(start, Reporter())
    return start[len(bom) :].decode(encoding, "replace")
