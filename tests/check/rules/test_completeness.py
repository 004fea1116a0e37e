"""The comparison with a built site, through the library."""

import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from sitemapx.check import BuiltSite, Finding, Required, check
from sitemapx.errors import InputError, UsageError
from tests.effort import slow

SITE = "https://e.example/"
PAGE = "<!DOCTYPE html><title>A page</title>"


def check_source(source: Path, **settings: Any) -> list[tuple[str, str | None, str | None]]:
    """Check a source; return code, file and URL of each finding."""
    findings: list[Finding] = []
    check([str(source)], report=findings.append, **settings)
    return [(finding.code, finding.source, finding.loc) for finding in findings]


def write_pages(folder: Path, *names: str) -> str:
    """Write HTML pages to a directory, and return its path."""
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(PAGE)
    return str(folder)


def test_host_is_that_of_the_directory_or_first_page(tmp_path: Path) -> None:
    folder = write_pages(tmp_path / "public", "index.html", "a.html")
    (tmp_path / "list.txt").write_text(f"{SITE}\nhttps://other.example/\n")
    (tmp_path / "docs.txt").write_text(f"{SITE}docs/a\n{SITE}b\n")
    path = str(tmp_path / "public" / "a.html")

    assert [("page-not-listed", path, f"{SITE}a.html")] == check_source(
        tmp_path / "list.txt", root=BuiltSite(folder), codes=["page-missing", "page-not-listed"]
    )
    docs = BuiltSite(folder, f"{SITE}docs")
    assert [("page-not-listed", f"{folder}/index.html", f"{SITE}docs/")] == check_source(
        tmp_path / "docs.txt", root=docs
    )


def test_page_is_listed_by_any_url_of_its_file(tmp_path: Path) -> None:
    folder = write_pages(
        tmp_path / "public", "a.html", "a/index.html", "b/index.html", "c,d+e.html"
    )
    for locs, unlisted in (
        (("a", "b", "c,d+e"), ["a/index.html"]),
        (("a.html", "a/", "b/index.html", "c%2Cd%2Be"), []),
        (("a/", "b/", "c,d%2Be.html"), ["a.html", "c,d+e.html"]),
    ):
        (tmp_path / "list.txt").write_text("".join(f"{SITE}{loc}\n" for loc in locs))
        findings = check_source(
            tmp_path / "list.txt", root=BuiltSite(folder), codes=["page-not-listed"]
        )

        assert [f"{folder}/{name}" for name in unlisted] == [source for _, source, _ in findings]


def test_invalid_settings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nowhere is not a directory"):
        BuiltSite(str(tmp_path / "nowhere"))
    with pytest.raises(UsageError, match="is not the URL of a directory"):
        BuiltSite(str(tmp_path), f"{SITE}sitemap.xml")
    (tmp_path / "list.txt").write_bytes(b"\x1f\x8b\x08\x00cut")
    with pytest.raises(InputError, match=r"list\.txt"):
        Required(str(tmp_path / "list.txt"))


@slow
def test_required_url_takes_little_memory(tmp_path: Path) -> None:
    count = 50_000
    required = tmp_path / "required.txt"
    required.write_text("".join(f"{SITE}{'long/' * 40}{n}\n" for n in range(count)))
    (tmp_path / "list.txt").write_text(SITE)
    tracemalloc.start()
    try:
        required_urls = Required(str(required))
        assert tracemalloc.get_traced_memory()[1] < required.stat().st_size + count * 100
    finally:
        tracemalloc.stop()

    assert count == len(check_source(tmp_path / "list.txt", require=required_urls))
