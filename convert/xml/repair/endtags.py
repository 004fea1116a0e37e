"""Put an end to items that have none, where the next begins or what they are in ends."""

import re
from collections.abc import Iterator

from sitemapx.convert.xml.tags import TAG, outside

__all__ = ["with_ends"]


def with_ends(
    data: bytes, ends: tuple[re.Pattern[bytes], re.Pattern[bytes], bytes], end_tag: bytes
) -> tuple[bytes, list[int]]:
    """
    Close each item that goes on to the next, or to the end of what it is in.

    Args:
        data: A part of a document.
        ends: What find the start and the end tag of an item, and the end tag around all items.
        end_tag: That of an item.

    Returns:
        The part with all end tags, and where the items begin that had none.

    """
    parts: list[bytes] = []
    starts: list[int] = []
    at = 0
    for start, stop in _unclosed(data, *ends):
        starts.append(start)
        parts += data[at:stop], end_tag
        at = stop
    return b"".join([*parts, data[at:]]), starts


def _unclosed(
    data: bytes, item_start: re.Pattern[bytes], item_end: re.Pattern[bytes], outer_end: bytes
) -> Iterator[tuple[int, int]]:
    """Find where items begin that have no end, and where that is to be."""
    patterns = [item_start.pattern, item_end.pattern, *([re.escape(outer_end)] * bool(outer_end))]
    opened = -1
    for tag in outside(re.compile(b"|".join(patterns)), data):
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
