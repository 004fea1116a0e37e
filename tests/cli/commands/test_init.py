"""The site generators that `sitemapx init` recognizes, and the settings that it makes of them."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from sitemapx.cli.commands.init.generators import DetectedSite, detect_site
from sitemapx.submit import load_settings
from tests.conftest import PATIENCE

URL = "https://a.example.test/"


@pytest.mark.parametrize(
    ("file", "text", "found"),
    [
        ("hugo.toml", f'baseURL = "{URL}"', ("Hugo", URL, "public")),
        ("hugo.yaml", f"baseURL: {URL} # ours\npublishDir: docs", ("Hugo", URL, "docs")),
        ("hugo.json", f'{{"title": "x", "baseURL": "{URL}"}}', ("Hugo", URL, "public")),
        ("config.toml", f'# baseURL = "x"\nbaseURL = "{URL}"', ("Hugo", URL, "public")),
        ("hugo.toml", 'baseURL = "https://example.org/"', ("Hugo", None, "public")),
        ("astro.config.mjs", f"export default {{ site: '{URL}' }}", ("Astro", URL, "dist")),
        ("astro.config.ts", "x({\n  // site: 'y',\n  outDir: './o'\n})", ("Astro", None, "o")),
        ("next.config.js", "module.exports = { output: 'export' }", ("Next.js", None, "out")),
        (".eleventy.js", 'return { dir: { output: "public" } }', ("Eleventy", None, "public")),
        ("_config.yml", f'url: "{URL[:-1]}"\nbaseurl: /blog', ("Jekyll", URL + "blog", "_site")),
        ("mkdocs.yml", f"site_name: x\nsite_url: {URL}", ("MkDocs", URL, "site")),
        ("conf.py", f"extensions = []\nhtml_baseurl = '{URL}'", ("Sphinx", URL, "_build/html")),
        ("docs/conf.py", "extensions = []", ("Sphinx", None, "docs/_build/html")),
    ],
)
def test_generators(
    file: str, text: str, found: tuple[str, str | None, str], tmp_path: Path
) -> None:
    """A generator is known by its settings, which have the URL and the folder."""
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).write_text(text)
    name, url, root = found

    assert detect_site(str(tmp_path)) == DetectedSite(name, file, url, root)


def test_url_beside_the_settings(tmp_path: Path) -> None:
    """Next.js does not know its URL, but what makes its sitemap does."""
    (tmp_path / "next.config.ts").write_text("export default {}")
    (tmp_path / "next-sitemap.config.js").write_text(f"module.exports = {{ siteUrl: '{URL}' }}")
    found = detect_site(str(tmp_path))

    assert found is not None
    assert found.url == URL


@pytest.mark.parametrize("file", ["conf.py", "config.toml", "package.json"])
def test_no_generator(file: str, tmp_path: Path) -> None:
    """A name that many programs use is not enough."""
    (tmp_path / file).write_text("title = 'x'")

    assert detect_site(str(tmp_path)) is None


def test_folder_that_exists(tmp_path: Path) -> None:
    """Of several usual folders it is the one that exists."""
    (tmp_path / "conf.py").write_text("extensions = []")
    (tmp_path / "build" / "html").mkdir(parents=True)
    found = detect_site(str(tmp_path))

    assert found is not None
    assert found.root == "build/html"


def test_answers(tmp_path: Path, environment: dict[str, str]) -> None:
    """On a terminal, Enter takes what is proposed, and a wrong answer is asked for again."""
    (tmp_path / "hugo.toml").write_text(f'baseURL = "{URL}"')
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "sitemapx", "init"]
    process = subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdin=theirs, stderr=subprocess.PIPE
    )
    os.close(theirs)
    os.write(ours, b"no url\n\n\n\nno-engine\nindexnow\n")
    _, said = process.communicate(timeout=PATIENCE)
    os.close(ours)
    settings = load_settings(str(tmp_path / "sitemapx.toml"))

    assert process.returncode == 0, said.decode()
    assert b"expected an absolute URL" in said
    assert b"no-engine" in said
    assert (settings.site, settings.engine_names) == (URL, ("indexnow",))
    assert settings.sitemaps == (str(tmp_path / "public" / "sitemap.xml"),)
    assert b"not found yet: " in said
