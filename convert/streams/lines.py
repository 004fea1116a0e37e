"""Text, a block of whole lines at a time: for the formats where a line is an entry."""

from collections.abc import Iterator
from typing import NamedTuple

from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.streams.encodings import decode_utf8, utf8_chunks
from sitemapx.convert.streams.stream import Readable

__all__ = ["MAX_LINE", "Lines", "line_blocks"]

#: A longer line is none; URLs end at 2,048 characters.
MAX_LINE = 10 * 1024 * 1024


class Lines(NamedTuple):
    """Some lines without their ends, and the number of the first, from 1."""

    lines: list[str]
    first: int


def line_blocks(stream: Readable, reporter: Reporter, *, keep_cr: bool = False) -> Iterator[Lines]:
    """
    Read lines that end in LF, CR LF or CR; of a source that breaks off, no line without an end.

    Args:
        keep_cr: Whether a CR stays in its line, if the text has LF at all.

    """
    rest = b""
    number = 1
    is_skipping = False
    for chunk in utf8_chunks(stream.read, reporter):
        data = rest + chunk
        cut = data.rfind(b"\n") + 1 or data.rfind(b"\r", 0, -1) + 1
        if not cut:
            rest = data
            if len(rest) > MAX_LINE:
                if not is_skipping:
                    reporter.problem(
                        "entry-too-large", "line is too large", done="; skipped", line=number
                    )
                is_skipping, rest = True, b""
            continue
        block, rest = data[:cut], data[cut:]
        if is_skipping:
            end = min(at for line_end in b"\n\r" if (at := block.find(line_end)) >= 0)
            block, is_skipping = block[end:], False
        lines = _lines(block, number, reporter, keep_cr)
        yield Lines(lines, number)
        number += len(lines)
    if rest and reporter.is_cut:
        reporter.problem("truncated", "last line is truncated", done="; skipped", line=number)
    elif rest and not is_skipping:
        yield Lines(_lines(rest, number, reporter, keep_cr), number)


def _lines(data: bytes, number: int, reporter: Reporter, keep_cr: bool) -> list[str]:
    text, is_utf8 = decode_utf8(data)
    if not is_utf8:
        line = number + data.decode("utf-8", "replace").partition("\ufffd")[0].count("\n")
        reporter.problem("encoding", "invalid UTF-8; read as windows-1252", line=line)
    if "\r" in text and not (keep_cr and "\n" in text):
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")  # not splitlines(): U+2028 and its like end no line here
    if not lines[-1]:
        lines.pop()
    return lines
