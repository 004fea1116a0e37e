"""Positions of entries: lines and columns as an editor counts them."""

import random

import pytest

from sitemapx.check.findings import Position
from sitemapx.check.positions import MarkupPositions
from sitemapx.convert.xml.cutter import Block

_LOC = "https://e.example/{n}"
#: Items; the tag of some is not that of the first.
_ITEMS = [
    "<url><loc>{loc}</loc></url>",
    "<url >\n\t<loc>{loc}</loc>ü</url>",
    "<url><loc>{loc}</loc><title>ü\nÄ</title><urls/></url>",
    "<URL><loc>{loc}</loc></URL>",
    "<x:url><loc>{loc}</loc></x:url>",
]
_BETWEEN = ["", "\n", "\r\n  ", "  ", "\n<!-- <url> -->\n", "<!-- ü -->", "\n\n\t", "é\n", "é"]


def _make_block(random: random.Random, items: list[str]) -> tuple[str, list[int]]:
    """Return the text of a random block, and the offset of each item in characters."""
    text, starts = random.choice(_BETWEEN), []
    for n in range(random.randint(1, 30)):
        starts.append(len(text))
        text += random.choice(items).replace("{loc}", _LOC.replace("{n}", str(n)))
        text += random.choice(_BETWEEN)
    return text, starts


def _position_of(text: str, start: int, line: int, column: int) -> Position:
    before = text[:start]
    *_, last = before.split("\n")
    lines = before.count("\n")
    return Position(line + lines, len(last) + (1 if lines else column))


@pytest.mark.parametrize("kinds", [1, 3, 5])
@pytest.mark.parametrize("seed", range(40))
def test_entries_are_located_where_they_begin(seed: int, kinds: int) -> None:
    drawn = random.Random(seed)
    text, starts = _make_block(drawn, _ITEMS[:kinds])
    line, column = drawn.choice([(1, 1), (7, 5)])
    block = Block(text.encode(), line, is_last=False, column=column)
    expected = [_position_of(text, start, line, column) for start in starts]
    locs = [_LOC.replace("{n}", str(n)) for n in range(len(starts))]

    assert MarkupPositions(block).positions_of_entries(range(len(locs)), locs) == expected
    some = sorted(drawn.sample(range(len(locs)), drawn.randint(0, len(locs))))
    assert MarkupPositions(block).positions_of_entries(some, locs) == [expected[n] for n in some]
    assert [MarkupPositions(block).position_of_entry(n, locs, "<") for n in some] == [
        expected[n] for n in some
    ]
    if kinds <= 3:  # all have one tag, of which some were not read
        kept = [locs[n] for n in some]
        found = MarkupPositions(block).positions_of_entries(range(len(kept)), kept)
        assert found == [expected[n] for n in some]
