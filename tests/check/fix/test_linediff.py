"""Unified diffs of large files."""

import random
import re
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapx.check.fix.linediff import unified_diff
from tests.effort import seeds, slow

_header = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@\n").fullmatch
_texts = st.lists(st.sampled_from("abc\u2028\r\n"), max_size=30).map("".join)


def _apply(old: str, diff: list[str]) -> str:
    """Apply a diff as patch(1) does, without any tolerance."""
    rest = re.findall(r"[^\n]*\n|[^\n]+", old)
    done: list[str] = []
    position = 0
    for row in "".join(diff[2:]).replace("\n\\ No newline at end of file\n", "\0\n").split("\n"):
        line = row.replace("\0", "") + ("" if "\0" in row else "\n")
        if m := _header(line):
            start = int(m[1]) - (m[2] != "0")
            done += rest[position:start]
            position = start
        elif line[0] == "+":
            done.append(line[1:])
        elif line[0] in " -" and row:
            assert rest[position] == line[1:]
            done += [line[1:]] if line[0] == " " else []
            position += 1
    return "".join(done + rest[position:])


@given(_texts, _texts)
def test_diff_applies(old: str, new: str) -> None:
    diff = list(unified_diff(old, new, "old", "new"))

    assert _apply(old, diff) == new
    assert bool(diff) == (old != new)


@pytest.mark.parametrize("seed", seeds(5, 50))
def test_diff_of_many_lines_applies(seed: int) -> None:
    """The new text has moved, repeated, changed and deleted lines."""
    chance = random.Random(seed)
    lines = [f"{chance.randrange(10 ** chance.randrange(1, 5))}\n" for _ in range(500)]
    changed = list(lines)
    for _ in range(chance.randrange(200)):
        changed.insert(chance.randrange(500), changed.pop(chance.randrange(500)))
    del changed[chance.randrange(500) :: chance.randrange(1, 50)]
    old, new = "".join(lines), "".join(changed)

    assert _apply(old, list(unified_diff(old, new, "old", "new"))) == new


def test_only_changed_lines_are_shown() -> None:
    head = [*unified_diff("1\n2\n3\n4\n5\n6\n7\n8\n9", "1\n2\n3\n4\n5\nsix\n7\n8\n9", "a", "b")]

    assert "".join(head) == (
        "--- a\n+++ b\n@@ -3,7 +3,7 @@\n 3\n 4\n 5\n-6\n+six\n 7\n 8\n 9\n"
        "\\ No newline at end of file\n"
    )


@slow
@pytest.mark.parametrize("has_unique_lines", [True, False])
def test_time_grows_with_the_size(has_unique_lines: bool) -> None:
    """Four times the lines take about four times as long; quadratic would be sixteen."""

    def seconds(count: int) -> float:
        entries = [
            (f"<lastmod>{n % 300}</lastmod>\n", f"<loc>{n}</loc>\n", "</url>\n")
            for n in range(count)
        ]
        old = "".join(f"{date}{loc}{end}" for date, loc, end in entries)
        changed = "" if has_unique_lines else "/"
        new = "".join(f"{loc}{changed}{date}{end}" for date, loc, end in entries)
        started = process_time()
        assert sum(1 for _ in unified_diff(old, new, "a", "b")) > count
        return process_time() - started

    assert seconds(40_000) < 8 * seconds(10_000)
