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
        tmp_path / "docs.txt", root=docs, codes=["page-missing", "page-not-listed"]
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


def write_site(folder: Path, pages: dict[str, str]) -> BuiltSite:
    """Write files by name and content to a directory."""
    for name, text in pages.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return BuiltSite(str(folder))


def check_site(site: BuiltSite, *locs: str, **settings: Any) -> list[tuple[str, str]]:
    """Check a list of the URLs with these paths; return code and message of each finding."""
    path = Path(site.folder).parent / "list.txt"
    path.write_text("".join(f"{SITE}{loc}\n" for loc in locs))
    findings: list[Finding] = []
    check([str(path)], report=findings.append, root=site, **settings)
    return [(one.code, one.message.replace(SITE, "/")) for one in findings]


def test_page_without_link_is_an_orphan(tmp_path: Path) -> None:
    pages = {
        "index.html": '<a href="linked?x#y">A</a> <a href="/b/index.html">B</a> <a href=/>Home</a>',
        "linked.html": '<p><a href="linked.html">itself</a>',
        "b/index.html": '<link rel="alternate" hreflang="de" href="/de">',
        "de.html": "<p><map><area href='../c.html'></map>",
        "c.html": "<p>",
        "lost.html": "<p><a href='lost'>itself</a>",
        "lost too.html": "<p>",
        "hidden.html": '<meta name="robots" content="noindex"><a href="d">D</a>',
        "d.html": '<meta http-equiv="refresh" content="0; url=/e">',
        "e.html": "<p>",
    }
    site = write_site(tmp_path / "public", pages)
    locs = ("", "linked", "b/", "de", "c.html", "lost", "lost%20too", "d", "e")
    message = "2 pages without a link from another page (first: /lost, /lost%20too)"

    assert [("page-orphan", message)] == check_site(site, *locs, codes=["page-orphan"])
    (tmp_path / "public" / "lost.html").write_text("<p><a href='lost too'>")
    (tmp_path / "public" / "c.html").write_text("<p><a href='lost'>")
    assert [] == check_site(site, *locs, codes=["page-orphan"])


def test_site_whose_scripts_add_the_links_has_no_orphans(tmp_path: Path) -> None:
    pages = {
        "index.html": "<script src=a.js></script>",
        "a.html": "<p><a href=/>Home</a>",
        "b.html": "<p><a href=/>Home</a>",
    }

    assert [] == check_site(
        write_site(tmp_path / "public", pages), "", "a", "b", codes=["page-orphan"]
    )


def test_verification_files_need_not_be_listed(tmp_path: Path) -> None:
    names = [
        *("google0123456789abcdef.html", "yandex_0123456789abcdef.html", "pinterest-0a1b2.html"),
        *("naver0123456789abcdef0123456789abcdef.html", "baidu_verify_codeva-AbC123.html"),
    ]
    others = ["google.html", "blog/google0123456789abcdef.html", "yandex_map.html", "naverbar.html"]
    folder = write_pages(tmp_path / "public", "index.html", *names, *others)
    (tmp_path / "public" / "BingSiteAuth.xml").write_text("<users/>")
    (tmp_path / "list.txt").write_text(SITE)
    findings = check_source(
        tmp_path / "list.txt", root=BuiltSite(folder), codes=["page-not-listed"]
    )

    assert {f"{folder}/{name}" for name in others} == {source for _, source, _ in findings}


def test_noindex_that_robots_txt_hides_is_reported(tmp_path: Path) -> None:
    hidden = '<meta name="robots" content="noindex">'
    pages = {"robots.txt": "User-agent: *\nDisallow: */a\n", "a.html": hidden, "b.html": hidden}
    site = write_site(tmp_path / "public", pages)
    noindex = ("page-noindex", "noindex in <meta> for all crawlers")
    reason = "noindex cannot be seen: disallowed for * by line 2, `Disallow: */a`"
    codes = ["page-noindex", "page-noindex-blocked"]

    assert [noindex, ("page-noindex-blocked", reason), noindex] == check_site(
        site, "a", "b", codes=codes
    )
    below = BuiltSite(site.folder, f"{SITE}x/")
    assert [noindex, noindex] == check_site(below, "x/a", "x/b", codes=codes)


def test_listed_files_that_are_no_pages_are_counted_by_type(tmp_path: Path) -> None:
    names = ["a.pdf", "b.PDF", "c.png", "d", "e.unknown", "f.xhtml"]
    pages = dict.fromkeys(names, "<p>")
    site = write_site(tmp_path / "public", pages)

    assert [
        ("page-not-a-page", "2 pages of type application/pdf (first: /a.pdf, /b.PDF)"),
        ("page-not-a-page", "1 page of type image/png (first: /c.png)"),
    ] == check_site(site, *pages, codes=["page-not-a-page"])


def test_error_page_in_built_site_is_reported(tmp_path: Path) -> None:
    article = "<title>404 Not Found - HTTP</title><h1>404 Not Found</h1>"
    pages = {
        "old.html": "<h1>Page introuvable</h1>",
        "docs/http/404.html": article,
        "what-is-error-404.html": article,
        "guide.html": "<title>Error 404 - Guide</title><h1>Error 404: a guide</h1>",
        "de/404.html": "<title>Fehler 404 | Laden</title><h1>Laden</h1>",
        "empty.html": "",
    }
    site = write_site(tmp_path / "public", pages)

    assert [
        "page says in its heading that it was not found: 'Page introuvable'",
        "page says in its title that it was not found: 'Fehler 404 | Laden'",
        "page is empty",
    ] == [message for _, message in check_site(site, *pages, codes=["page-soft-404"])]


def test_invalid_settings_are_rejected(tmp_path: Path) -> None:
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
