"""A list of URLs, fixed line by line; what is not fixed stays byte for byte."""

import codecs
import re
from collections.abc import Collection, Iterator

from sitemapx.check.edits.urlsyntax import escaped
from sitemapx.check.fix.repeats import Repeats
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
    stream: Readable, start: bytes, codes: Collection[str], repeats: Repeats
) -> Iterator[bytes]:
    """
    Fix a list.

    Args:
        start: Its first bytes.
        codes: What is to be fixed.

    Raises:
        InputError: If its encoding keeps it from being fixed.

    """
    refuse_other_encoding(start, codes)
    if start.startswith(codecs.BOM_UTF8) and "bom" not in codes:
        yield codecs.BOM_UTF8
    rest = b""
    for chunk in utf8_chunks(stream.read, Reporter()):
        data = rest + chunk
        cut = data.rfind(b"\n") + 1 or data.rfind(b"\r", 0, -1) + 1
        rest = data[cut:]
        yield from _fixed(data[:cut], codes, repeats)
    yield from _fixed(rest, codes, repeats)


def _fixed(data: bytes, codes: Collection[str], repeats: Repeats) -> Iterator[bytes]:
    text, is_utf8 = decode_utf8(data)
    if not is_utf8 and ("encoding" not in codes or "\ufffd" in text):
        yield data
        return
    for m in _LINE.finditer(text):
        line = m[0]
        before, more = split_line(line)
        loc = urls.clean(before)
        if urls.is_absolute(loc):
            uri = escaped(loc, codes)
            if repeats.has(Entry(loc=loc)) and not more:
                continue
            line = line.replace(loc, uri) if uri and repeats.allows(loc, uri) else line
        yield line.encode("utf-8", "surrogatepass")
