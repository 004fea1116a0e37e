"""What is found in a few lines each: code and line of each finding, and nothing else."""

from pathlib import Path

import pytest

from sitemapx.convert import Opener
from sitemapx.convert.checking import check, codes_of
from sitemapx.convert.findings import Finding
from tests.check.test_mutations import END, START


def found(path: Path, text: str, select: str = "*", url: str | None = None) -> list[Finding]:
    """Check a file, and give what is found."""
    path.write_text(text)
    findings: list[Finding] = []
    check([path], opener=Opener(url=url), codes=codes_of([select]), report=findings.append)
    return findings


def video(inside: str) -> str:
    """Make a sitemap of a page with a video, the third line of which is this."""
    return (
        f"{START}<url><loc>https://e.example/page</loc><video:video>"
        "<video:thumbnail_loc>https://e.example/a.png</video:thumbnail_loc><video:title>T</video:title>"
        "<video:description>D</video:description>"
        "<video:content_loc>https://e.example/a.mp4</video:content_loc>"
        f"\n{inside}</video:video></url>{END}"
    )


def news(inside: str) -> str:
    """Make a sitemap of an article, the third line of which is this."""
    return (
        f"{START}<url><loc>https://e.example/page</loc><news:news>\n{inside}</news:news></url>{END}"
    )


@pytest.fixture(autouse=True)
def _at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")


@pytest.mark.parametrize(
    ("text", "select", "expected"),
    [
        pytest.param(
            video('<video:uploader info="https://[bad/">Me</video:uploader>'),
            *("video-*", ["video-uploader:4"]),
            id="an uploader whose address cannot be one",
        ),
    ],
)
def test_found(text: str, select: str, expected: list[str], tmp_path: Path) -> None:
    """What is wrong is found, and there."""
    findings = found(tmp_path / "a.xml", text, select)
    assert expected == [f"{one.code}:{one.line}" for one in findings]
