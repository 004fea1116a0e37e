"""A list of URLs, fixed line by line; what is not fixed stays byte for byte."""

import codecs
import re
from collections.abc import Collection, Iterator
from contextlib import closing

from sitemapx.check.edits.repeats import Repeats
from sitemapx.check.edits.urlsyntax import escaped
from sitemapx.convert.formats.text.line import split_line
from sitemapx.convert.model.entry import Entry
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.streams.encodings import decode_utf8, encoding_of, utf8_chunks
from sitemapx.convert.streams.stream import Readable
from sitemapx.convert.values import urls
from sitemapx.errors import InputError

__all__ = ["fixed_lines", "refuse_other_encoding"]

_LINE = re.compile(r"[^\r\n]*+(?:\r\n|\r|\n)|[^\r\n]++\Z")


def refuse_other_encoding(start: bytes, codes: Collection[str]) -> None:
    """
    Refuse what is not UTF-8 and is not to become that.

    Raises:
        InputError: If it is so.

    """
    encoding = encoding_of(start)
    if encoding != "utf-8" and "not-utf8" not in codes:
        raise InputError(f"its encoding is {encoding}, and the fix of not-utf8 is disabled")


def fixed_lines(
    path: str, stream: Readable, start: bytes, url: str | None, codes: Collection[str]
) -> Iterator[bytes]:
    """
    Fix a list.

    Args:
        path: Path of the file.
        stream: Its bytes, decompressed.
        start: Its first bytes.
        url: Where it is published.
        codes: What is to be fixed.

    Raises:
        InputError: If its encoding, or a byte of another one, keeps it from being fixed.

    """
    refuse_other_encoding(start, codes)
    if start.startswith(codecs.BOM_UTF8) and "bom" not in codes:
        yield codecs.BOM_UTF8
    rest = b""
    with closing(Repeats.of(path, url, codes)) as repeats:
        for chunk in utf8_chunks(stream.read, Reporter()):
            data = rest + chunk
            cut = data.rfind(b"\n") + 1 or data.rfind(b"\r", 0, -1) + 1
            rest = data[cut:]
            yield from _fixed(data[:cut], codes, repeats)
        yield from _fixed(rest, codes, repeats)


def _fixed(data: bytes, codes: Collection[str], repeats: Repeats) -> Iterator[bytes]:
    text, is_utf8 = decode_utf8(data)
    if not is_utf8 and "encoding" not in codes:
        raise InputError("it has bytes that are not UTF-8, and the fix of encoding is disabled")
    if not is_utf8 and "\ufffd" in text:
        raise InputError("it has bytes that are invalid in every known encoding")
    for m in _LINE.finditer(text):
        line = m[0]
        before, more = split_line(line)
        loc = urls.clean(before)
        if urls.is_absolute(loc):
            uri = escaped(loc, codes)
            if repeats.has(Entry(loc=loc), line) and not more:
                continue
            line = line.replace(loc, uri) if uri and repeats.allows(loc, uri) else line
        yield line.encode("utf-8", "surrogatepass")
