"""
No byte string makes a reader raise anything but InputError.

Former failures are in `tests/convert/data/fuzz/`.
"""

import io
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sitemapx.convert import Context, Document, Entry, Problem, read
from sitemapx.convert.formats.registry import by_name
from sitemapx.convert.model.problems import PROBLEMS, ProblemHandler
from sitemapx.errors import InputError, UsageError
from tests.convert.documents import Dribble
from tests.effort import examples
from tests.property.documents import DOCUMENTS, FORMATS
from tests.property.mutations import TOKENS, Seed, mutate

FOUND = sorted((Path(__file__).parent.parent / "convert" / "data" / "fuzz").iterdir())
assert FOUND, "no fixtures found"

_SEEDS = [Seed(name, data) for name, data in DOCUMENTS]


def _read_all_ways(data: bytes, names: tuple[str, ...], most: int) -> None:
    """Read data in a detected format, and in these formats as a whole and in small pieces."""
    for name in (None, *names):
        _check(partial(_read_whole, data, name))
    for name in names:
        _check(partial(_read_dribbled, data, name, most))


def _read_whole(data: bytes, name: str | None, report: ProblemHandler) -> Document:
    url = "https://example.com/s/"
    return read(io.BytesIO(data), format=name, source_url=url, report=report)


def _read_dribbled(data: bytes, name: str, most: int, report: ProblemHandler) -> Document:
    return by_name(name).reader()(Dribble(data, most), Context(report))


def _check(opened: Callable[[ProblemHandler], Document]) -> None:
    """Read a document to the end or an error; check the lines, codes and entries."""
    reported: list[Problem] = []
    lines: list[int | None] = []
    entries: list[Entry] = []
    try:
        entries.extend(opened(reported.append))
    except InputError as error:
        lines.append(error.line)
    except UsageError as error:
        if "pyarrow is not installed" not in str(error):
            raise
    assert {problem.code for problem in reported} <= PROBLEMS.keys()
    assert all(problem.message for problem in reported)
    assert all(
        line is None or line >= 1 for line in (*lines, *(problem.line for problem in reported))
    )
    assert Entry() not in entries


@given(st.binary(max_size=2000), st.integers(1, 500))
@examples(200)
@example(b"", 1)
@example(b"PAR1", 1)
@example(b"ARROW1", 1)
def test_random_bytes_raise_only_input_errors(data: bytes, most: int) -> None:
    _read_all_ways(data, FORMATS, most)


@given(st.lists(st.sampled_from(TOKENS), max_size=40), st.integers(1, 500))
@examples(200)
def test_random_markup_raises_only_input_errors(parts: list[bytes], most: int) -> None:
    _read_all_ways(b"".join(parts), FORMATS, most)


@given(st.integers(0, 1 << 32), st.integers(1, 500))
@examples(500)
def test_damaged_documents_raise_only_input_errors(seed: int, most: int) -> None:
    name, data = mutate(Random(seed), _SEEDS)
    _read_all_ways(data, (name,), most)


@pytest.mark.parametrize("path", FOUND, ids=lambda path: path.name)
def test_former_failures_raise_only_input_errors(path: Path) -> None:
    data = path.read_bytes()
    for most in (7, 100, 100_000):
        _read_all_ways(data, FORMATS, most)
