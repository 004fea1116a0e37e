"""What --fix does: all that it can, nothing else, and only once."""

import gzip
from pathlib import Path

import pytest

from sitemapx.convert import FORMATS, Opener, read
from sitemapx.convert.checking import check
from sitemapx.convert.findings import Finding
from sitemapx.convert.mending import Mendable, mend
from sitemapx.convert.rules.table import RULES
from tests.check.test_mutations import END, MUTATIONS, SITE, START, mutated, page

SITEMAP = next(form for form in FORMATS if form.name == "sitemap")
URL = f"{SITE}/sitemap.xml"


def _codes(path: Path) -> set[str]:
    findings: list[Finding] = []
    check([path], opener=Opener(url=URL, follows=False), report=findings.append)
    return {one.code for one in findings}


@pytest.fixture(autouse=True)
def _at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")


@pytest.mark.parametrize("code", MUTATIONS)
def test_each_mutation(code: str, tmp_path: Path) -> None:
    """Afterwards nothing is left that can be mended; other entries are as they were."""
    path = tmp_path / "sitemap.xml"
    path.write_text(START + page(0) + mutated(code, 1) + page(2) + END)
    before, entries = path.read_bytes(), list(read(path, source_url=URL))
    why_not = mend(Mendable(str(path), SITEMAP, URL))
    after = list(read(path))

    assert bool(why_not) == (before == path.read_bytes())
    if why_not:
        assert not RULES[code].fix
    else:
        assert [] == [one for one in _codes(path) if RULES[one].fix]
        assert [entries[0], entries[2]] == [after[0], after[2]]
        assert len(entries) == len(after)
        again = path.read_bytes()
        assert "" == mend(Mendable(str(path), SITEMAP, URL))
        assert again == path.read_bytes()


def test_all_at_once(tmp_path: Path) -> None:
    """All that can be mended in one entry each is mended together."""
    pages = [
        mutated(code, number) if RULES[code].fix else page(number)
        for number, code in enumerate(MUTATIONS)
    ]
    path = tmp_path / "sitemap.xml"
    path.write_text(START + "".join(pages) + END)

    assert "" == mend(Mendable(str(path), SITEMAP, URL))
    assert set() == _codes(path) - {"hreflang-no-self", "hreflang-not-listed"}


def test_packed_stays_packed(tmp_path: Path) -> None:
    """A file in gzip is mended in gzip, whatever it is called."""
    path = tmp_path / "sitemap.xml"
    path.write_bytes(gzip.compress(f"{START}{page(0).replace('weekly', 'WEEKLY')}{END}".encode()))

    assert "" == mend(Mendable(str(path), SITEMAP, None))
    assert b"<changefreq>weekly<" in gzip.decompress(path.read_bytes())


def test_too_many(tmp_path: Path) -> None:
    """What is more than a file may hold becomes a set with an index in its place."""
    path = tmp_path / "sitemap.xml"
    pages = (f"<url><loc>{SITE}/{number}</loc></url>" for number in range(50_001))
    path.write_text(START + "".join(pages) + END)

    assert "--base-url" in mend(Mendable(str(path), SITEMAP, None))
    assert "" == mend(Mendable(str(path), SITEMAP, URL))
    with read(path) as document:
        assert document.is_index
        assert 2 == len(list(document))
    assert set() == _codes(path)
