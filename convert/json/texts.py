"""The text of a JSON document, decoded piece by piece."""

import codecs
from collections.abc import Iterator
from itertools import chain

from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.streams.encodings import WINDOWS_1252, utf8_chunks
from sitemapx.convert.streams.stream import Readable

__all__ = ["texts"]


def texts(stream: Readable, reporter: Reporter) -> Iterator[str]:
    """Decode a text; bytes that are not UTF-8 are read as windows-1252."""
    decoder = codecs.getincrementaldecoder("utf-8")(WINDOWS_1252)
    strict = codecs.getincrementaldecoder("utf-8")()
    is_utf8 = True
    line = 1
    for data in chain(utf8_chunks(stream.read, reporter), [b""]):
        text = decoder.decode(data, final=not data)
        if is_utf8:
            try:
                strict.decode(data, final=not data)
            except UnicodeDecodeError as error:
                is_utf8 = False
                line += data.count(b"\n", 0, error.start)
                message = "invalid UTF-8; read as windows-1252"
                reporter.problem("encoding", message, line=line)
        line += data.count(b"\n")
        yield text
