"""Formats are detected from the beginning of files."""

import io

import pytest

from sitemapx.convert import Problem, read


@pytest.mark.parametrize("end", [",loc", ";url", "/a,b,link", "|loc"])
def test_url_ending_in_column_name_is_not_a_header(end: str) -> None:
    problems: list[Problem] = []
    lines = f"https://e.example/{end}\nhttps://e.example/b\n"
    entries = list(read(io.BytesIO(lines.encode()), report=problems.append))
    assert (len(entries), problems) == (2, [])


def test_column_name_alone_is_a_header() -> None:
    (entry,) = read(io.BytesIO(b"url\nhttps://e.example/\n"))
    assert "https://e.example/" == entry.loc
