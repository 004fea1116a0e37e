"""
Unified diffs of large files, in nearly linear time.

difflib takes quadratic time or more if many lines have moved. Therefore, lines that occur once in
each file divide the files into parts (https://bramcohen.livejournal.com/73318.html, "patience
diff"), of which difflib compares a few lines at a time, since fixes rarely move lines.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import Match, SequenceMatcher
from functools import partial

from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.sources import opening
from sitemapx.convert.streams import gzip as gzip_

_CHUNK = 1 << 17
#: Number of context lines around a change, as in diff(1).
_CONTEXT = 3
#: Number of lines that are compared at a time between anchors.
_STEP = 30
_NO_LINE_END = "\n\\ No newline at end of file\n"


def changes(old: str, new: str) -> Iterator[str]:
    """
    Yield the lines of a unified diff between two files, after decompression.

    Raises:
        InputError: If a file cannot be read or decompressed.

    """
    yield from unified_diff(_text(old), _text(new), old, f"{old} (fixed)")


def _text(path: str) -> str:
    """Read and decompress a file, with escapes for bytes that are not UTF-8."""
    with opening.open_source(path) as opened:
        _, stream = gzip_.unpack(opened, Reporter())
        data = b"".join(iter(partial(stream.read, _CHUNK), b""))
    return data.decode("utf-8", "backslashreplace")


def unified_diff(old: str, new: str, old_name: str, new_name: str) -> Iterator[str]:
    """
    Yield the lines of a unified diff between two texts, in the format of patch(1).

    Lines end only with LF. Equal texts yield nothing.
    """
    old_lines, new_lines = _lines(old), _lines(new)
    matcher = _LineMatcher(old_lines, new_lines)
    for number, group in enumerate(matcher.get_grouped_opcodes(_CONTEXT)):
        if number == 0:
            yield f"--- {old_name}\n"
            yield f"+++ {new_name}\n"
        (_, old_start, _, new_start, _), (_, _, old_stop, _, new_stop) = group[0], group[-1]
        yield f"@@ -{_range(old_start, old_stop)} +{_range(new_start, new_stop)} @@\n"
        for tag, old_from, old_to, new_from, new_to in group:
            if tag == "equal":
                yield from (f" {line}" for line in old_lines[old_from:old_to])
            else:
                yield from (f"-{line}" for line in old_lines[old_from:old_to])
                yield from (f"+{line}" for line in new_lines[new_from:new_to])


def _lines(text: str) -> list[str]:
    lines = [f"{line}\n" for line in text.split("\n")]
    last = lines.pop()
    return lines if last == "\n" else [*lines, last[:-1] + _NO_LINE_END]


def _range(start: int, stop: int) -> str:
    """Format a range of lines for the header of a hunk, by its start and length."""
    count = stop - start
    return f"{start + 1}" if count == 1 else f"{start + (count > 0)},{count}"


class _LineMatcher(SequenceMatcher[str]):
    """A SequenceMatcher that finds the matching blocks of two texts part by part."""

    def __init__(self, old: Sequence[str], new: Sequence[str]) -> None:
        super().__init__()
        self.a, self.b = old, new

    def get_matching_blocks(self) -> list[Match]:
        found: list[Match] = []
        old_start = new_start = 0
        for old_stop, new_stop in [*_anchors(self.a, self.b), (len(self.a), len(self.b))]:
            for block in self._blocks_between(old_start, old_stop, new_start, new_stop):
                if found and _follows(block, found[-1]):
                    found[-1] = found[-1]._replace(size=found[-1].size + block.size)
                else:
                    found.append(block)
            old_start, new_start = old_stop, new_stop
        return [*found, Match(len(self.a), len(self.b), 0)]

    def _blocks_between(
        self, old_start: int, old_stop: int, new_start: int, new_stop: int
    ) -> Iterator[Match]:
        if self.a[old_start:old_stop] == self.b[new_start:new_stop]:
            yield Match(old_start, new_start, old_stop - old_start)
            return
        for step in range(0, min(old_stop - old_start, new_stop - new_start), _STEP):
            old, new = old_start + step, new_start + step
            matcher = SequenceMatcher(
                None,
                self.a[old : min(old + _STEP, old_stop)],
                self.b[new : min(new + _STEP, new_stop)],
                autojunk=False,
            )
            for block in matcher.get_matching_blocks()[:-1]:
                yield Match(old + block.a, new + block.b, block.size)


def _follows(block: Match, other: Match) -> bool:
    return (block.a, block.b) == (other.a + other.size, other.b + other.size)


def _anchors(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Return index pairs of lines that occur once in each text; both indexes ascend."""
    old_counts, new_counts = Counter(old), Counter(new)
    places = {line: place for place, line in enumerate(new)}
    pairs = [
        (place, places[line])
        for place, line in enumerate(old)
        if old_counts[line] == new_counts[line] == 1
    ]
    return _longest_ascent(pairs)


def _longest_ascent(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """
    Return the longest subsequence of pairs in which the second numbers ascend.

    The pairs must be sorted by their first numbers.
    """
    tops: list[int] = []  # tops[k]: smallest last number of an ascending run of length k + 1
    indexes: list[int] = []
    previous: list[int] = []
    for index, (_, number) in enumerate(pairs):
        length = bisect_left(tops, number)
        previous.append(indexes[length - 1] if length else -1)
        tops[length : length + 1] = [number]
        indexes[length : length + 1] = [index]
    found = []
    index = indexes[-1] if indexes else -1
    while index >= 0:
        found.append(pairs[index])
        index = previous[index]
    return found[::-1]
