"""Links in the documents work, and the recipes of the how-to guides run."""

import re
import shlex
import shutil
import subprocess
from itertools import takewhile
from pathlib import Path

import pytest

from tests.conftest import PATIENCE, ROOT
from tests.exampleweb import make_site, web
from tests.forkserver import ForkServer

#: Pages in docs/ with recipes, besides the how-to guides; for frames, see tests/extras.
_PAGES = ("bridges", "check", "diff", "html", "lastmod", "robots", "settings", "usage")
RECIPES = [
    *sorted((ROOT / "docs" / "howto").glob("*.md")),
    *(ROOT / "docs" / f"{name}.md" for name in _PAGES),
]
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
_SHOWN = {
    "sh": re.compile(r"^sitemapx (.+)$", re.MULTILINE),
    "yaml": re.compile(r"^ *(?:- run: |- )sitemapx (.+)$", re.MULTILINE),
    "console": re.compile(r"^\$ sitemapx (.+)$", re.MULTILINE),
}

#: A key for IndexNow, and that of the tutorial.
_KEY, KEY = re.compile(r"\b[0-9a-f]{32}\b"), "0123456789abcdef0123456789abcdef"

#: Pages that begin with the settings of their commands.
_CONFIGURED = ("settings",)
#: Exit status 1 of these commands is a result: there are findings or differences.
_FINDINGS_PASS = """sitemapx() {
    command sitemapx "$@" || { local status=$?; [[ $status == 1 && $1 == @(check|diff) ]]; }
}"""
#: Page -> file that its recipes write, and text in this file.
RESULTS = {
    "bridges": ("all-languages.xml", "<loc>https://example.com/de/</loc>"),
    "ci": ("report.sarif", "sitemapx"),
    "compare": ("pages.txt", "https://example.com/about/"),
    "html": ("public/map.html", '<main><ul>\n<li><a href="https://example.com/">'),
    "lastmod": ("dates.txt", "https://example.com/about/ - "),
    "indexnow": ("request.txt", '"https://example.com/about/"'),
    "new-domain": ("new/sitemap.xml", "<loc>https://new.example/about/</loc>"),
    "other-tools": ("calls", "unlighthouse-ci --site https://example.com --urls /,/about/"),
    "check": ("report.html", "<title>"),
    "frames": ("again.xml", "<loc>https://example.com/about/</loc>"),
    "settings": ("public/sitemap.xml", "<loc>https://example.com/about/</loc>"),
    "usage": ("all.jsonl", '{"loc":"https://example.com/about/"'),
    "screaming-frog": ("sitemap.xml", "<loc>https://example.com/about/</loc>"),
    "site-generators": ("out/sitemap.xml", "<loc>https://example.com/about/</loc>"),
}


def test_relative_links_work() -> None:
    links = [
        (path, link)
        for path in DOCUMENTS
        for link in re.findall(
            r"\]\(([^)\s]+)\)", re.sub(r"```.*?```", "", path.read_text(), flags=re.DOTALL)
        )
        if "://" not in link
    ]

    assert [] == [f"{path}: {link}" for path, link in links if not _leads_somewhere(path, link)]


def _leads_somewhere(path: Path, link: str) -> bool:
    name, _, anchor = link.partition("#")
    target = path.parent / name if name else path
    return target.exists() and (not anchor or anchor in _anchors(target))


def _anchors(path: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", path.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", one).lower().replace(" ", "-") for one in headings}


def _blocks(path: Path, *kinds: str) -> str:
    """Return the contents of code blocks of some kinds, except those that other tests run."""
    pattern = rf"(?<! command -->\n)^```(?:{'|'.join(kinds)})\n(.*?)^```"
    return "\n".join(re.findall(pattern, path.read_text(), re.M | re.S))


def _script(path: Path) -> str:
    """Return the commands on a page, in order."""
    lines = re.sub(r"^\$ ", "", _blocks(path, "sh", "console"), flags=re.MULTILINE).split("\n")
    return "\n".join([_FINDINGS_PASS, *(line for line in lines if "s3://" not in line)])


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_recipes_run(path: Path, tmp_path: Path, environment: dict[str, str]) -> None:
    run_recipes(path, tmp_path, environment)


def run_recipes(path: Path, directory: Path, environment: dict[str, str]) -> None:
    """Assert that the commands of a page succeed in order, with the documented results."""
    make_site(directory, KEY)
    if path.stem in _CONFIGURED:
        (directory / "sitemapx.toml").write_text(_blocks(path, "toml"))
    done = _run(_script(path), directory, environment)

    assert 0 == done.returncode, done.stderr
    if path.stem in RESULTS:
        file, text = RESULTS[path.stem]
        assert text in (directory / file).read_text()


def test_readme_runs_in_a_clone(tmp_path: Path, environment: dict[str, str]) -> None:
    """The commands need only the samples, and no network."""
    shutil.copytree(ROOT / "samples", tmp_path / "samples")
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", _script(ROOT / "README.md")],
        cwd=tmp_path,
        env=environment | {"XDG_STATE_HOME": str(tmp_path / "state")},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )

    assert 0 == done.returncode, done.stderr
    assert "Fixed 7 problems" in done.stderr
    assert "indexnow: 3 URLs for lighthouse.example would be sent" in done.stderr
    written = {"urls.txt", "report.html", "stats.html", "sitemapx.toml"}
    assert written <= {path.name for path in tmp_path.iterdir()}


def test_jobs_of_the_settings_run(tmp_path: Path, environment: dict[str, str]) -> None:
    page = (ROOT / "docs" / "settings.md").read_text()
    (jobs,) = re.findall(r"<!-- settings of a command -->\n```toml\n(.*?)```", page, re.DOTALL)
    make_site(tmp_path, KEY)
    (tmp_path / "sitemapx.toml").write_text(jobs)
    done = _run("sitemapx convert; sitemapx convert --job news", tmp_path, environment)

    assert 0 == done.returncode, done.stderr
    assert "written to public/sitemap.xml" in done.stderr
    assert 2 == done.stderr.count("written to public/news.xml")


def test_recipes_of_waiting_submit(tmp_path: Path, environment: dict[str, str]) -> None:
    page = (ROOT / "docs" / "submit.md").read_text()
    (script,) = re.findall(r"```sh\n(sitemapx submit public/sitemap\.xml.*?)```", page, re.DOTALL)
    make_site(tmp_path, KEY)
    done = _run(script, tmp_path, environment)

    assert 0 == done.returncode, done.stderr
    assert "indexnow  urls" in done.stdout


def _run(
    script: str, folder: Path, environment: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    """Run commands in a directory, with a web that answers for example.com."""
    own = {
        "XDG_STATE_HOME": str(folder / "state"),
        "PATH": f"{folder / 'tools'}:{environment['PATH']}",
        "INDEXNOW_KEY": KEY,
    }
    with web(folder) as there:
        return subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script],
            cwd=folder,
            env=environment | own | there,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )


def test_python_in_the_fetching_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_site(tmp_path, KEY)
    monkeypatch.chdir(tmp_path)
    with web(tmp_path) as there:
        for name, value in there.items():
            monkeypatch.setenv(name, value)
        exec(_blocks(ROOT / "docs" / "fetching.md", "python"), {})

    assert "https://example.com/about/\n" in (tmp_path / "urls.txt").read_text()


def _shown_commands(path: Path) -> list[list[str]]:
    """Return the commands in shell blocks and CI configurations."""
    lines = [
        line
        for kind, pattern in _SHOWN.items()
        for line in pattern.findall(_blocks(path, kind).replace("\\\n", " "))
    ]
    words = [shlex.split(re.sub(r"\$\{\{.*?\}\}", "x", line)) for line in lines]
    return [list(takewhile(lambda word: word not in "|>", one)) for one in words]


def test_example_commands_exist(fork_server: ForkServer, environment: dict[str, str]) -> None:
    shown = {" ".join(command): command for path in DOCUMENTS for command in _shown_commands(path)}
    done = {
        line: fork_server.run([*command, "--help"], ROOT, environment)
        for line, command in shown.items()
    }

    assert len(done) > 150
    assert {} == {line: one.stderr.decode() for line, one in done.items() if one.returncode}


@pytest.mark.parametrize("page", ["index", "tutorial"])
def test_page_shows_actual_output(
    tmp_path: Path, environment: dict[str, str], pytestconfig: pytest.Config, page: str
) -> None:
    path = ROOT / "docs" / f"{page}.md"
    shutil.copytree(ROOT / "samples", tmp_path / "samples")
    environment = environment | {"XDG_STATE_HOME": str(tmp_path / "state"), "COLUMNS": "100"}

    def run(block: re.Match[str]) -> str:
        lines: list[str] = []
        for command in re.findall(r"^\$ (.+)$", block[1], re.MULTILINE):
            done = subprocess.run(
                ["bash", "-c", f"{{ {command}\n}} 2>&1"],
                cwd=tmp_path,
                env=environment,
                stdout=-1,
                text=True,
            )
            lines += [f"$ {command}", *done.stdout.splitlines()]
        shown = _KEY.sub(KEY, "\n".join(lines))
        return f"```console\n{shown}\n```"

    shown = path.read_text()
    true = re.sub(r"```console\n(.*?)\n```", run, shown, flags=re.DOTALL)
    if pytestconfig.getoption("--update-docs"):
        path.write_text(shown := true)

    assert true == shown
