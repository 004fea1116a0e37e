"""Links in the documents lead somewhere, and the recipes of the how-to guides run."""

import re
import shlex
import subprocess
from itertools import takewhile
from pathlib import Path

import pytest

from tests.conftest import ROOT, Run

PAGES_WITH_RECIPES = ("bridges.md", "html.md", "lastmod.md")
HOWTO = [
    *sorted((ROOT / "docs" / "howto").glob("*.md")),
    *(ROOT / "docs" / name for name in PAGES_WITH_RECIPES),
]
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
_SHOWN = {
    "sh": re.compile(r"^sitemapx (.+)$", re.MULTILINE),
    "yaml": re.compile(r"^ *(?:- run: |- )sitemapx (.+)$", re.MULTILINE),
    "console": re.compile(r"^\$ sitemapx (.+)$", re.MULTILINE),
}

URLSET = """<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>https://example.com/</loc><lastmod>2026-01-05</lastmod></url>
<url><loc>https://example.com/about/</loc><lastmod>2026-01-05</lastmod></url>
</urlset>
"""
INDEX = """<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<sitemap><loc>https://example.com/sitemap-0.xml</loc></sitemap>
</sitemapindex>
"""
CRAWL = """"Address","Content Type","Status Code","Indexability","Title 1","Last Modified"
"https://example.com/","text/html","200","Indexable","Home","Mon, 05 Jan 2026 10:00:00 GMT"
"https://example.com/old","text/html","301","Non-Indexable","",""
"https://example.com/about/","text/html","200","Indexable","About",""
"""
FEED = """<rss version="2.0"><channel><title>Times</title><link>https://example.com/</link>
<description>News</description><language>en-GB</language>
<item><title>Storm</title><link>https://example.com/storm</link>
<pubDate>Mon, 21 Sep 2026 04:13:20 GMT</pubDate></item></channel></rss>
"""
VERSIONS = """en,de-AT,x-default
https://example.com/,https://example.com/de/,https://example.com/
https://example.com/visit,https://example.com/de/besuch,
"""
LINK = 'xhtml:link rel="alternate" hreflang'
ONE_LANGUAGE = f"""<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
 xmlns:xhtml="http://www.w3.org/1999/xhtml"><url><loc>https://example.com/</loc>
<{LINK}="en" href="https://example.com/"/><{LINK}="de" href="https://example.com/de/"/></url>
</urlset>
"""
BOOKMARKS = """<!DOCTYPE NETSCAPE-Bookmark-file-1>
<DL><p><DT><A HREF="https://example.com/" ADD_DATE="1700000000">Home</A></DL>
"""
PAGE = "<!doctype html><title>A page</title><h1>A page</h1>"
SITE = {
    **{
        f"{top}/{page}": PAGE
        for top in ("public", "out", "dist", "_site")
        for page in ("index.html", "about/index.html")
    },
    "public/sitemap.xml": URLSET,
    "dist/sitemap-0.xml": URLSET,
    "dist/sitemap-index.xml": INDEX,
    "public/robots.txt": "User-agent: *\nDisallow:\n",
    "internal_all.csv": CRAWL,
    "feed.xml": FEED,
    "versions.csv": VERSIONS,
    "one-language.xml": ONE_LANGUAGE,
    "bookmarks.html": BOOKMARKS,
    "Pages.csv": "Top pages,Clicks\nhttps://example.com/,5\n",
    "urls.json": '[{"url": "/", "img": "/tower.jpg"}]',
    "content/_index.md": "# Home",
    "src/pages/index.astro": "<h1>Home</h1>",
    "app/page.tsx": "export default function Home() {}",
}
#: Programs of others, which the recipes call between ours; each records how it was called.
OTHERS = ("hugo", "npx", "lychee", "pa11y-ci", "unlighthouse-ci")

#: A key for IndexNow, and the one that the tutorial shows.
_SHORT_KEY = re.compile(r"\b[0-9a-f]{4}….txt")
_KEY, KEY = re.compile(r"\b[0-9a-f]{32}\b"), "0123456789abcdef0123456789abcdef"

#: Page -> what its recipes leave behind: a file, and text in it.
RESULTS = {
    "bridges": ("all-languages.xml", "<loc>https://example.com/de/</loc>"),
    "ci": ("report.sarif", "sitemapx"),
    "compare": ("pages.txt", "https://example.com/about/"),
    "html": ("public/map.html", '<main><ul>\n<li><a href="https://example.com/">'),
    "lastmod": ("dates.txt", "https://example.com/about/ - "),
    "indexnow": ("request.txt", '"https://example.com/about/"'),
    "new-domain": ("new/sitemap.xml", "<loc>https://new.example/about/</loc>"),
    "other-tools": ("calls", "unlighthouse-ci --site https://example.com --urls /,/about/"),
    "screaming-frog": ("sitemap.xml", "<loc>https://example.com/about/</loc>"),
    "site-generators": ("out/sitemap.xml", "<loc>https://example.com/about/</loc>"),
}


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_relative_links(path: Path) -> None:
    """A link to another document, and to a heading in it, leads somewhere."""
    text = re.sub(r"```.*?```", "", path.read_text(), flags=re.DOTALL)
    links = [link for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link]

    assert [] == [link for link in links if not _leads_somewhere(path, link)]


def _leads_somewhere(path: Path, link: str) -> bool:
    name, _, anchor = link.partition("#")
    target = path.parent / name if name else path
    return target.exists() and (not anchor or anchor in _anchors(target))


def _anchors(path: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", path.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", one).lower().replace(" ", "-") for one in headings}


def _blocks(path: Path, *kinds: str) -> str:
    return "\n".join(
        re.findall(rf"^```(?:{'|'.join(kinds)})\n(.*?)^```", path.read_text(), re.M | re.S)
    )


@pytest.mark.parametrize("path", HOWTO, ids=lambda path: path.stem)
def test_recipes_run(path: Path, tmp_path: Path, environment: dict[str, str]) -> None:
    """The shell commands of a guide succeed, one after the other, and have their result."""
    for name, text in SITE.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    _commit(tmp_path)
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in OTHERS:
        (tools / name).write_text('#!/bin/sh\necho "$(basename "$0") $*" >>calls\n')
        (tools / name).chmod(0o755)
    state = {"XDG_STATE_HOME": str(tmp_path / "state"), "PATH": f"{tools}:{environment['PATH']}"}
    command = ["bash", "-euo", "pipefail", "-c", _blocks(path, "sh")]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment | state, capture_output=True, text=True
    )
    file, text = RESULTS[path.stem]

    assert 0 == done.returncode, done.stderr
    assert text in (tmp_path / file).read_text()


def _commit(folder: Path) -> None:
    """Put the sources of the site into a repository."""
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.com")
    for command in (("init", "-q"), ("add", "."), (*identity, "commit", "-q", "-m", "Start")):
        subprocess.run(["git", *command], cwd=folder, check=True, capture_output=True)


def _shown_commands(path: Path) -> list[list[str]]:
    """List the commands that are shown in a shell or in the configuration of a CI."""
    lines = [
        line
        for kind, pattern in _SHOWN.items()
        for line in pattern.findall(_blocks(path, kind).replace("\\\n", " "))
    ]
    words = [shlex.split(re.sub(r"\$\{\{.*?\}\}", "x", line)) for line in lines]
    return [list(takewhile(lambda word: word not in "|>", one)) for one in words]


EXAMPLES = [path for path in DOCUMENTS if _shown_commands(path)]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: str(path.relative_to(ROOT)))
def test_example_commands_exist(path: Path, sitemapx: Run) -> None:
    """Commands that are shown have valid options."""
    done = [sitemapx(*command, "--help") for command in _shown_commands(path)]

    assert [] == [one.stderr.decode() for one in done if one.returncode]


def test_tutorial(tmp_path: Path, environment: dict[str, str], pytestconfig: pytest.Config) -> None:
    """The commands of the tutorial print what it shows, one after the other."""
    path = ROOT / "docs" / "tutorial.md"
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
        shown = _SHORT_KEY.sub(f"{KEY[:4]}….txt", _KEY.sub(KEY, "\n".join(lines)))
        return f"```console\n{shown}\n```"

    shown = path.read_text()
    true = re.sub(r"```console\n(.*?)\n```", run, shown, flags=re.DOTALL)
    if pytestconfig.getoption("--update-docs"):
        path.write_text(shown := true)

    assert true == shown
