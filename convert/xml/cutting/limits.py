"""
Limits of what a parser gets: how many tags an entry has, and how many attributes a tag.

libxml2 compares each attribute of a tag with all before it, and each element of an entry stays in
memory until the entry is read.
"""

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from sitemapx.convert.xml.tags import TAG, outside, visible

__all__ = ["blank", "excess_in", "without_excess"]

#: Limits of an entry, and of what stands between two: tags, and attributes of one tag.
MAX_TAGS, MAX_ATTRIBUTES = 50_000, 1_000

#: In fewer bytes there are not too many tags: each has three.
_MANY = 3 * MAX_TAGS
#: A tag with more attributes than that is longer; no tag begins in it.
_LONG = 5 * MAX_ATTRIBUTES
#: What may be such a tag, with the text that follows it.
_LONG_TAG = re.compile(rb"<[^\s<>/!?=\"'&][^<]{%d,}+" % _LONG)


def excess_in(data: bytes) -> str:
    """Return what there is too much of in a part of a document; an empty string if nothing."""
    if len(data) > _MANY and data.count(b"<") > MAX_TAGS:
        tags = sum(data.count(b"<", start, stop) for start, stop in visible(data))
        if tags > MAX_TAGS:
            return f"more than {MAX_TAGS:,} tags"
    if not _has_gap(data):
        return ""
    for run in outside(_LONG_TAG, data):
        tag = TAG.match(run[0])
        if (tag[3] if tag else run[0]).count(b"=") > MAX_ATTRIBUTES:
            return f"a tag with more than {MAX_ATTRIBUTES:,} attributes"
    return ""


def _has_gap(data: bytes) -> bool:
    """Return whether no tag begins in so many bytes as a long one has."""
    at = 0
    while at + _LONG < len(data):
        later = data.rfind(b"<", at + 1, at + 1 + _LONG)
        if later < 0:
            return True
        at = later
    return False


def blank(data: bytes) -> bytes:
    """Leave nothing of what is left out but its line ends."""
    return b"\n" * data.count(b"\n")


def without_excess(
    data: bytes, cuts: Sequence[int], line: int, report: Callable[[str, bytes, int], None]
) -> bytes:
    """
    Blank out the parts in which there is too much.

    Args:
        data: A part of a document, which begins at this line.
        cuts: Where its parts begin and end, in order.
        report: Takes what there is too much of, the part, and the line it begins at.

    """
    parts: list[bytes] = []
    for start, end in pairwise(cuts):
        part = data[start:end]
        if excess := excess_in(part):
            report(excess, part, line)
            part = blank(part)
        line += part.count(b"\n")
        parts.append(part)
    return b"".join(parts)
