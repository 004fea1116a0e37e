"""Directories of HTML: many pages in several processes, and pages of any size."""

import os
from pathlib import Path

import pytest

from sitemapx.convert import Opener, Problem
from sitemapx.convert.html.page import MAX_PAGE, parse_page, visible_text
from sitemapx.convert.parallel.items import map_items
from tests.effort import slow

_URL = "https://e.example/"


def _read_entries(folder: Path, jobs: int) -> tuple[list[object], list[Problem]]:
    problems: list[Problem] = []
    parts = Opener(url=_URL, jobs=jobs).open([str(folder)], problems.append)
    return [entry for part in parts for batch in part.batches for entry in batch.entries], problems


def test_processes_give_the_same_entries(tmp_path: Path) -> None:
    for number in range(700):
        robots = "<meta name=robots content=noindex>" if number % 50 == 0 else ""
        (tmp_path / f"{number}.html").write_text(f"<title>Page {number}</title>{robots}")
    (tmp_path / "binary.html").write_bytes(b"\0")

    entries, problems = _read_entries(tmp_path, 1)
    assert 700 - 14 - 1 == len(entries)  # 14 are marked noindex, and 500.html is an error page
    assert (entries, problems) == _read_entries(tmp_path, 3)


def test_work_of_dead_process_is_done_here() -> None:
    parent = os.getpid()

    def double(number: int) -> int:
        if number == 500 and os.getpid() != parent:
            os._exit(1)
        return 2 * number

    result = list(map_items(double, range(1000), 2))

    assert [(number, 2 * number) for number in range(1000)] == result


def test_start_of_large_page_is_read(tmp_path: Path) -> None:
    with (tmp_path / "a.html").open("wb") as file:
        file.write(b"<title>Large</title><link rel=alternate hreflang=de href=/de><p>")
        file.truncate(200_000_000)
    (tmp_path / "b.html").write_bytes(b"<p>" + b"x" * MAX_PAGE)

    entries, problems = _read_entries(tmp_path, 1)
    assert 1 == len(entries)
    assert ["path-unreadable", "page-too-large"] == [problem.code for problem in problems]


@pytest.mark.parametrize(
    "part",
    [
        *("<", "<a ", "<a b='", "<!--", "</", "<svg>", "<div>", "</div><svg></math>", "<![CDATA["),
        *("<h1>", "<a href=b>"),
    ],
)
@pytest.mark.parametrize("size", [500_000, pytest.param(2_000_000, marks=slow)])
def test_repetitive_page_is_read_quickly(part: str, size: int) -> None:
    text = part * (size // len(part))

    assert parse_page(text.encode(), _URL)
    assert visible_text(text) is not None
