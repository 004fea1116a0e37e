"""The charts of `--format html` show the contents of the files."""

from pathlib import Path

from lxml import html

from tests.conftest import Run


def _tables(sitemapx: Run, *args: str | Path) -> dict[str, list[list[str]]]:
    """Run a check with an HTML report, and return the rows of its tables by caption."""
    page = html.fromstring(sitemapx("check", *args, "--format", "html").stdout.decode())
    return {
        one.findtext("caption") or "": [
            [cell.text_content() for cell in row.iter("th", "td")] for row in one.iter("tr")
        ]
        for one in page.iter("table")
    }


def _write(folder: Path, name: str, rows: list[tuple[str, str]]) -> None:
    lines = ["loc,lastmod", *(f"https://e.example{path},{date}" for path, date in rows)]
    (folder / name).write_text("\n".join(lines))


def test_urls_are_counted_by_directory(sitemapx: Run, tmp_path: Path) -> None:
    paths = ["", "/", "/a", "/a?b=/c/", "/a/", "/a/b", "/a/b/c/", "/%7Ejo/a", "/~jo/b"]
    _write(tmp_path, "a.csv", [(path, "") for path in paths])
    tables = _tables(sitemapx, "a.csv")

    assert [["Directory", "URLs"], ["/", "4"], ["/a/", "3"], ["/~jo/", "2"]] == tables[
        "URLs by directory"
    ]


def test_directories_of_several_sites_have_their_host(sitemapx: Run, tmp_path: Path) -> None:
    urls = [f"https://{n}.example/{folder}/{n}" for n in range(30) for folder in "abc"[: n % 3 + 1]]
    (tmp_path / "a.txt").write_text("\n".join(urls))
    rows = _tables(sitemapx, "a.txt")["URLs by directory"]

    assert 22 == len(rows)
    assert ["0.example/a/", "1"] == rows[1]
    assert ["all others", "40"] == rows[-1]


def test_dates_are_counted_by_month(sitemapx: Run, tmp_path: Path) -> None:
    dates = ["2026-02-28T23:59:59Z", "2026-02-01", "2026-02", "2025-12-31", "2025", ""]
    _write(tmp_path, "a.csv", [(f"/{date}", date) for date in dates])
    page = sitemapx("check", "a.csv", "--format", "html").stdout.decode()

    assert [["Month", "Entries"], ["2025-12", "1"], ["2026-02", "3"]] == _tables(sitemapx, "a.csv")[
        "Last changes"
    ]
    assert "Without lastmod: 1 entry. Without a month: 1 entry." in page


def test_many_months_are_counted_by_year(sitemapx: Run, tmp_path: Path) -> None:
    dates = ["2026-02-28", "2026-01-01", "2020", "1970-01-01", "1901-01-01"]
    _write(tmp_path, "a.csv", [(f"/{date}", date) for date in dates])
    rows = _tables(sitemapx, "a.csv")["Last changes"]

    assert [["Year", "Entries"], ["1970", "1"], ["2020", "1"], ["2026", "2"]] == rows


def test_largest_files_are_shown(sitemapx: Run, tmp_path: Path) -> None:
    for number in range(60):
        (tmp_path / f"{number:02}.txt").write_text("https://e.example/\n" * (number + 1))
    names = [f"{number:02}.txt" for number in range(60)]
    rows = _tables(sitemapx, *names)["Sizes of the files"]
    page = sitemapx("check", *names, "--format", "html").stdout.decode()

    assert 51 == len(rows)
    assert [["File", "Entries", "Bytes"], ["59.txt", "60", "1,140"]] == rows[:2]
    assert "Only the 50 largest are shown, not 10 others with 55 entries." in page


def test_report_on_a_single_entry_has_no_charts(sitemapx: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("https://e.example/\n")

    assert {} == _tables(sitemapx, "a.txt")
