"""Formats are told apart by how files begin."""

import io

import pytest

from sitemapx.convert import Problem, read


@pytest.mark.parametrize("end", [",loc", ";url", "/a,b,link", "|loc"])
def test_url_that_ends_like_a_header(end: str) -> None:
    """A list of URLs is no table because the first one ends with the name of a column."""
    problems: list[Problem] = []
    lines = f"https://e.example/{end}\nhttps://e.example/b\n"
    entries = list(read(io.BytesIO(lines.encode()), report=problems.append))
    assert (len(entries), problems) == (2, [])


def test_header_of_one_column() -> None:
    """A header is no URL, though a column may be called so."""
    (entry,) = read(io.BytesIO(b"url\nhttps://e.example/\n"))
    assert "https://e.example/" == entry.loc
