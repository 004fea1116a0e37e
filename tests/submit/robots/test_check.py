"""Checks of robots.txt: every code has a golden case, and memory is bounded."""

import io
import re
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapx.convert import PROBLEMS, Problem
from sitemapx.errors import InputError
from sitemapx.submit.robots.check import RobotsResult, check_robots
from sitemapx.submit.robots.file import RobotsFile
from sitemapx.submit.robots.lint import FINDINGS
from tests.conftest import ROOT
from tests.effort import examples
from tests.submit.robots.strategies import files

CASES = ROOT / "tests" / "cases" / "robots"


def test_finding_codes_differ_from_problem_codes() -> None:
    assert set() == FINDINGS.keys() & PROBLEMS.keys()


@pytest.mark.parametrize("code", FINDINGS)
def test_every_code_has_a_case(code: str) -> None:
    shown = "".join(path.read_text() for path in CASES.glob("check-*/err"))

    assert re.search(rf": {FINDINGS[code].severity}: .*\[{code}\]$", shown, re.MULTILINE)


@examples(200)
@given(data=files | st.binary(max_size=60))
def test_any_file_is_checked_or_rejected(data: bytes) -> None:
    try:
        robots = RobotsFile(data)
    except InputError:
        return
    found: list[Problem] = []
    checked = check_robots(robots, report=found.append)

    assert sum(checked.findings.values()) == len(found)
    assert all(1 <= (one.line or 0) <= len(robots.lines) for one in found)
    assert checked.fails == any(one.severity != "note" for one in found)


def _checked_pages(count: int) -> tuple[RobotsResult, int]:
    """Check `count` pages, a tenth of them disallowed; return the result and the peak memory."""
    robots = RobotsFile(b"User-agent: *\nDisallow: /*0.html$\nDisallow: /private/\n")
    pages = io.BytesIO(b"".join(b"https://e.example/page/%d.html\n" % n for n in range(count)))
    tracemalloc.start()
    try:
        return check_robots(robots, [pages]), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_sitemaps_may_be_an_empty_iterator() -> None:
    assert check_robots(RobotsFile(), iter([])).findings == check_robots(RobotsFile()).findings


def test_memory_stays_flat() -> None:
    _checked_pages(10)  # imports
    some, few_bytes = _checked_pages(10_000)
    many, many_bytes = _checked_pages(60_000)

    assert (1_000, 6_000) == (some.disallowed["*"], many.disallowed["*"])
    assert many_bytes < 1.2 * few_bytes
