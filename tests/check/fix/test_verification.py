"""Whether the result of a fix may replace its source."""

from pathlib import Path

import pytest

from sitemapx.check.fix.fixer import Version, why_unsafe
from sitemapx.check.rules.registry import RULES
from sitemapx.convert.formats.registry import by_name
from tests.check.test_mutations import END, START

URL = "https://e.example/sitemap.xml"
A, B, C = (f"https://e.example/{letter}" for letter in "abc")
SPACED, ESCAPED = f"{A} b", f"{A}%20b"


def _version(path: Path, locs: list[str]) -> Version:
    urls = "".join(f"<url><loc>{loc}</loc></url>\n" for loc in locs)
    path.write_text(f"{START}{urls}{END}")
    return Version(str(path), by_name("sitemap"), URL)


@pytest.mark.parametrize(
    ("source", "result", "expected"),
    [
        pytest.param([A, B], [A, B], "", id="the same"),
        pytest.param([A, SPACED], [A, ESCAPED], "", id="fixed"),
        pytest.param([A, B, A], [A, B], "", id="a duplicate less"),
        pytest.param([A, B, A], [A, B, A], "", id="a duplicate kept"),
        pytest.param([A, B, C], [B, C], f"lack {A}", id="the first lost"),
        pytest.param([A, B, C], [A, C], f"lack {B}", id="one lost"),
        pytest.param([A, B], [A], f"lack {B}", id="the last lost"),
        pytest.param([A, B], [], f"lack {A}", id="all lost"),
        pytest.param([A, B, B], [A], f"lack {B}", id="a duplicate lost altogether"),
        pytest.param([A, SPACED], [A, C], "lack", id="changed"),
        pytest.param([A], [A, B], f"list {B}, which", id="one invented"),
        pytest.param([], [A], f"list {A}, which", id="the first invented"),
    ],
)
def test_result_must_list_the_same_urls(
    source: list[str], result: list[str], expected: str, tmp_path: Path
) -> None:
    old, new = _version(tmp_path / "old.xml", source), _version(tmp_path / "new.xml", result)
    new.check()
    reason = why_unsafe(old, new, RULES)

    assert (expected in reason) if expected else not reason


def test_password_of_a_lost_url_is_hidden(tmp_path: Path) -> None:
    old = _version(tmp_path / "old.xml", ["https://me:hush@e.example/a"])
    new = _version(tmp_path / "new.xml", [B])
    new.check()

    assert "hush" not in why_unsafe(old, new, RULES)


def test_result_with_more_findings_is_rejected(tmp_path: Path) -> None:
    old, new = _version(tmp_path / "old.xml", [A, B]), _version(tmp_path / "new.xml", [A, B])
    new_path = tmp_path / "new.xml"
    new_path.write_text(new_path.read_text().replace(f"<loc>{B}</loc>", f"<loc>{B}</loc><x/>"))
    new.check()

    assert why_unsafe(old, new, RULES).startswith("the result would have more findings of ")


def test_malformed_result_is_rejected(tmp_path: Path) -> None:
    old, new = _version(tmp_path / "old.xml", [A]), _version(tmp_path / "new.xml", [A])
    (tmp_path / "new.xml").write_text(f"{START}<url><loc>{A}</loc>")
    new.check()

    assert why_unsafe(old, new, RULES).startswith("the result would not be well-formed XML: ")
