"""Reports comply with the specifications of their formats."""

import json
import os
import re
from pathlib import Path

import pytest
from lxml import etree

from tests.conftest import Run


def test_junit_is_well_formed_and_counts_its_cases(sitemapx: Run, tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_bytes(b"https://e.example/<\x07&\nno \x01 URL\n")
    done = sitemapx("check", "list.txt", "--format", "junit")
    root = etree.fromstring(done.stdout)
    cases = root.findall("testsuite/testcase")

    assert str(len(cases)) == root.get("tests")
    assert str(len(root.findall(".//failure"))) == root.get("failures")


def test_junit_names_are_unique(sitemapx: Run, tmp_path: Path) -> None:
    entry = "<url><loc>https://e.example/</loc><priority>7</priority><priority>8</priority></url>"
    text = f"<urlset>{entry * 3}<url/><url>\n</url></urlset>"
    (tmp_path / "a.xml").write_text(text)
    (tmp_path / "b.xml").write_text(text.replace("e.example/", "e.example/\x07"))
    done = sitemapx("check", "a.xml", "b.xml", "--format", "junit")
    cases = etree.fromstring(done.stdout).findall("testsuite/testcase")
    names = [(case.get("classname"), case.get("name")) for case in cases]

    assert len(set(names)) == len(names) > 20
    assert ("a.xml", "bad-priority: https://e.example/") in names
    assert ("a.xml", "bad-priority (2): https://e.example/") in names
    assert ("a.xml", f"no-loc: line 1, column {text.index('<url/>') + 1}") in names


def test_github_annotations_are_escaped(sitemapx: Run, tmp_path: Path) -> None:
    (tmp_path / "a,b:c.xml").write_text(
        "<urlset><url><loc>https://e.example/%\n</loc></url></urlset>"
    )
    done = sitemapx("check", "a,b:c.xml", "--format", "github")
    lines = done.stdout.decode().splitlines()

    assert all(line.startswith(("::error ", "::warning ", "::notice ")) for line in lines)
    assert all("file=a%2Cb%3Ac.xml" in line for line in lines)
    assert any("%25" in line for line in lines)


def _fingerprints(run: Run, path: Path, text: str) -> list[str]:
    path.write_text(text)
    return [one["fingerprint"] for one in json.loads(run("check", path, *GITLAB).stdout)]


GITLAB = ("--format", "gitlab", "--select", "not-a-url,duplicate-loc")


def test_gitlab_paths_are_relative_to_the_repository(
    sitemapx: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "public").mkdir()
    (tmp_path / "public" / "list.txt").write_text("https://e.example/\nno URL\nno URL\n")
    monkeypatch.setenv("CI_PROJECT_DIR", str(tmp_path))
    environment = {**os.environ}
    reports = [
        json.loads(sitemapx("check", path, *GITLAB, cwd=folder, env=environment).stdout)
        for path, folder in [
            ("public/list.txt", tmp_path),
            ("./public/list.txt", tmp_path),
            (tmp_path / "public" / "list.txt", tmp_path),
            ("list.txt", tmp_path / "public"),
        ]
    ]

    assert all(report == reports[0] for report in reports)
    assert [2, 3] == [one["location"]["lines"]["begin"] for one in reports[0]]
    assert {"public/list.txt"} == {one["location"]["path"] for one in reports[0]}
    assert {"not-a-url"} == {one["check_name"] for one in reports[0]}
    assert {"major"} == {one["severity"] for one in reports[0]}
    assert all("no URL" in one["description"] for one in reports[0])


def test_github_and_sarif_paths_are_relative_to_the_workspace(
    sitemapx: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "list.txt").write_text("https://e.example/\nno URL\n")
    (tmp_path / "list.txt").write_text("https://e.example/\nno URL\n")
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    formats = ("--format", "github", "--format", "sarif=report.sarif")
    sources = ("list.txt", tmp_path / "web" / "list.txt", "../list.txt")
    run = sitemapx("check", *sources, *formats, cwd=tmp_path / "web", env={**os.environ})
    (log,) = json.loads((tmp_path / "web" / "report.sarif").read_text())["runs"]
    uris = [
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        for result in log["results"]
    ]

    assert ["web/list.txt", "list.txt"] == list(dict.fromkeys(uris))
    assert b"::error file=web/list.txt,line=2" in run.stdout
    assert b"::error file=list.txt,line=2" in run.stdout


def test_gitlab_fingerprint_is_kept_when_lines_move(sitemapx: Run, tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    url = "https://e.example/"
    before = _fingerprints(sitemapx, path, f"no URL\n{url}\n{url}\n{url}\n")
    after = _fingerprints(sitemapx, path, f"{url}a\nno URL\n{url}b\n{url}\n{url}\n{url}\n")
    less = _fingerprints(sitemapx, path, f"no URL\n{url}\n{url}\n")
    other = _fingerprints(sitemapx, tmp_path / "other.txt", "no URL\n")

    assert 3 == len(set(before))
    assert set(before) == set(after)
    assert set(less) < set(before)
    assert set(before).isdisjoint(other)


def test_gitlab_without_findings_is_an_empty_array(sitemapx: Run, tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("https://e.example/\nhttps://e.example/\n")

    assert [] == json.loads(sitemapx("check", "list.txt", "--fix", *GITLAB).stdout)
    assert [] == json.loads(sitemapx("check", "list.txt", *GITLAB).stdout)


def test_markdown_is_escaped(sitemapx: Run, tmp_path: Path) -> None:
    (tmp_path / "a|b.txt").write_text(
        "https://e.example/\n<b>|www.e.example *x* [y](https://e.example) @me`\n"
    )
    report = sitemapx("check", "a|b.txt", "--format", "markdown", "--select", "not-a-url")
    *_, row = report.stdout.decode().splitlines()
    cells = re.split(r"(?<!\\)\|", row)

    assert 7 == len(cells)
    assert "`a\\|b.txt`" == cells[1].strip()
    assert not re.search(r"(?<!\\)[*`<@\[]|https:|www\.", cells[4])
    assert "\\<b\\>\\|www\\.e.example \\*x\\* \\[y\\](https\\://e.example) \\@me\\`" in cells[4]


def test_markdown_is_truncated(sitemapx: Run, tmp_path: Path) -> None:
    url = f"https://e.example/{'|' * 2000}"
    (tmp_path / "list.txt").write_text("".join(f"{url}{n}#\n" for n in range(600)))
    command = ("check", "list.txt", "--format", "markdown", "--select", "loc-fragment")
    report = sitemapx(*command, "--max-per-code", "0").stdout.decode()
    rows = report.count("\n| `list.txt`")

    assert len(report.encode()) < 1 << 20
    assert 0 < rows < 500
    assert report.endswith(f"\n{600 - rows} more not shown.\n")


def test_html_names_the_engine(sitemapx: Run, samples: Path) -> None:
    sentence = "<p>Checked by the documented rules of <code>bing</code>.</p>"
    command = ("check", samples / "sitemap.xml", "--format", "html")

    assert sentence in sitemapx(*command, "--engine", "bing").stdout.decode()
    assert "Judged as" not in sitemapx(*command).stdout.decode()


def test_html_lists_unreadable_sources_first(sitemapx: Run, samples: Path) -> None:
    broken = samples / "broken.xml"
    page = sitemapx("check", "gone.xml", broken, "--format", "html").stdout.decode()
    missing, _, checked = page.partition("Checked on")
    checked = checked.partition("</header>")[0]

    assert "Not checked, as they cannot be read:" in missing
    assert "<code>gone.xml</code>" in missing
    assert "gone.xml" not in checked
    assert str(broken) in checked
    assert re.findall('<h3[^>]*id="code-([^"]+)"', page)[0] == "unreadable"


def test_html_lists_no_unread_source_as_checked(sitemapx: Run) -> None:
    page = sitemapx("check", "gone.xml", "--format", "html").stdout.decode()

    assert "UTC</time>.</p>" in page


def test_html_counts_fixable_problems(sitemapx: Run, tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("https://e.example/a b\nhttps://e.example/b c\nno URL\n")
    command = ("check", "list.txt", "--format", "html")
    page = sitemapx(*command).stdout.decode()
    fixed = sitemapx(*command, "--fix").stdout.decode()

    assert '<p>2 of 3 problems are fixable with <code class="option">--fix</code>.</p>' in page
    assert 2 == page.count("(fixable)")
    assert "fixable" not in fixed
    assert 2 == fixed.count("Fixed: ")


def test_html_has_the_time_of_the_check(sitemapx: Run, samples: Path) -> None:
    page = sitemapx("check", samples / "sitemap.xml", "--format", "html").stdout.decode()

    assert re.search(
        r'<p>Checked on <time datetime="[0-9TZ:-]+">[0-9-]{10}, [0-9:]{5} UTC</time>:</p>', page
    )
