"""Site generators that `sitemapx init` recognizes, and the settings that it writes for them."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from sitemapx.cli.commands.init.generators import DetectedSite, detect_site
from sitemapx.submit import load_settings
from tests.conftest import PATIENCE, Run

URL = "https://a.example.test/"


SITE, BLOG = URL[:-1], f"{URL}blog"
_GENERATORS: list[tuple[str, str, tuple[str, str | None, str, str | None]]] = [
    ("hugo.toml", f'baseURL = "{URL}"', ("Hugo", URL, "public", "sitemap.xml")),
    (
        "hugo.toml",
        f'baseurl = "{URL}"\n[params]\npublishDir = "x"',
        ("Hugo", URL, "public", "sitemap.xml"),
    ),
    ("hugo.yaml", f"baseURL: {URL} # ours\npublishDir: docs", ("Hugo", URL, "docs", "sitemap.xml")),
    ("hugo.json", f'{{"title": "x", "baseURL": "{URL}"}}', ("Hugo", URL, "public", "sitemap.xml")),
    ("config.toml", f'# baseURL = "x"\nbaseURL = "{URL}"', ("Hugo", URL, "public", "sitemap.xml")),
    ("config/_default/hugo.toml", f"baseURL = '{URL}'", ("Hugo", URL, "public", "sitemap.xml")),
    ("config/production/config.yaml", f"baseURL: {URL}", ("Hugo", URL, "public", "sitemap.xml")),
    ("hugo.toml", 'baseURL = "https://example.org/"', ("Hugo", None, "public", "sitemap.xml")),
    ("hugo.toml", "baseURL = ", ("Hugo", None, "public", "sitemap.xml")),
    ("astro.config.mjs", f"export default {{ site: '{URL}' }}", ("Astro", URL, "dist", None)),
    (
        "astro.config.mjs",
        f"""import sitemap from '@astrojs/sitemap';
        export default defineConfig({{
          site: '{SITE}', // https://x.test
          base: '/blog',
        }});""",
        ("Astro", BLOG, "dist", "sitemap-index.xml"),
    ),
    (
        "astro.config.ts",
        f"const SITE = import.meta.env.SITE ?? '{SITE}';\nx({{ site: SITE, base: '/blog/' }})",
        ("Astro", BLOG, "dist", None),
    ),
    ("astro.config.ts", "x({\n  // site: 'y',\n  outDir: './o'\n})", ("Astro", None, "o", None)),
    ("next.config.js", "module.exports = { output: 'export' }", ("Next.js", None, "out", None)),
    (".eleventy.js", 'return { dir: { output: "public" } }', ("Eleventy", None, "public", None)),
    ("eleventy.config.js", 'c.setOutputDirectory("o");', ("Eleventy", None, "o", None)),
    ("_config.yml", f'url: "{SITE}"\nbaseurl: /blog', ("Jekyll", BLOG, "_site", None)),
    (
        "_config.yml",
        f"url: {URL}\nbaseurl: ''\ndestination: ./out\nplugins:\n  - jekyll-sitemap",
        ("Jekyll", URL, "out", "sitemap.xml"),
    ),
    ("mkdocs.yml", f"site_name: x\nsite_url: {URL}", ("MkDocs", URL, "site", "sitemap.xml")),
    ("mkdocs.yml", f"site_url: !ENV [SITE, '{URL}']", ("MkDocs", URL, "site", "sitemap.xml")),
    ("mkdocs.yml", "site_url: !ENV SITE", ("MkDocs", None, "site", "sitemap.xml")),
    ("conf.py", f"extensions = []\nhtml_baseurl = '{URL}'", ("Sphinx", URL, "_build/html", None)),
    ("docs/conf.py", "extensions = []", ("Sphinx", None, "docs/_build/html", None)),
    (
        "docs/source/conf.py",
        f"extensions = ['sphinx_sitemap']\nhtml_baseurl = os.environ.get('X', '{URL}')",
        ("Sphinx", URL, "docs/build/html", "sitemap.xml"),
    ),
]


@pytest.mark.parametrize(("file", "text", "expected"), _GENERATORS)
def test_generator_is_detected_by_its_settings(
    file: str, text: str, expected: tuple[str, str | None, str, str | None], tmp_path: Path
) -> None:
    (tmp_path / file).parent.mkdir(exist_ok=True, parents=True)
    (tmp_path / file).write_text(text)
    name, url, root, sitemap = expected

    detected = detect_site(str(tmp_path))
    assert detected is not None
    assert detected[:-1] == (name, file, url, root, sitemap)
    assert bool(detected.why_no_url) == (url is None)


@pytest.mark.parametrize(
    ("file", "text", "why"),
    [
        (
            "hugo.toml",
            "baseURL = 'https://example.org/'",
            "baseURL is 'https://example.org/', which is a placeholder",
        ),
        ("_config.yml", "url: /blog", "url is '/blog', which is not an absolute URL"),
        ("mkdocs.yml", "site_name: x", "site_url is not set, or is computed"),
        ("mkdocs.yml", "site_url: !ENV SITE", "site_url is not set, or is computed"),
    ],
)
def test_unusable_url_is_explained(
    file: str, text: str, why: str, tmp_path: Path, sitemapx: Run
) -> None:
    (tmp_path / file).write_text(text)
    done = sitemapx("init", cwd=tmp_path)

    assert done.returncode == 2
    assert f"missing URL of the site ({file}: {why}): pass --site" in done.stderr.decode()


@pytest.mark.parametrize(
    ("settings", "more", "text", "url"),
    [
        (
            "next.config.ts",
            "next-sitemap.config.js",
            f"module.exports = {{ siteUrl: '{URL}' }}",
            URL,
        ),
        (
            "next.config.mjs",
            "next-sitemap.config.mjs",
            f"export default {{ siteUrl: process.env.SITE_URL || '{SITE}', /* x */ }}",
            SITE,
        ),
        ("eleventy.config.js", "_data/metadata.js", f"module.exports = {{\n\turl: '{URL}' }}", URL),
        (".eleventy.js", "src/_data/site.json", f'{{"url": "{URL}"}}', URL),
        ("hugo.toml", "config/production/hugo.toml", f'baseURL = "{URL}"', URL),
    ],
)
def test_url_is_read_from_another_file(
    settings: str, more: str, text: str, url: str, tmp_path: Path
) -> None:
    (tmp_path / settings).write_text("")
    (tmp_path / more).parent.mkdir(exist_ok=True, parents=True)
    (tmp_path / more).write_text(text)
    expected = detect_site(str(tmp_path))

    assert expected is not None
    assert expected.url == url


def test_base_path_is_part_of_the_url(tmp_path: Path) -> None:
    path = "const nextConfig = { basePath: process.env.CI ? '/blog' : '' };"
    (tmp_path / "next.config.js").write_text(path)
    (tmp_path / "next-sitemap.config.js").write_text(f"module.exports = {{ siteUrl: '{SITE}' }}")
    expected = detect_site(str(tmp_path))

    assert expected == DetectedSite("Next.js", "next.config.js", BLOG, "out", "sitemap.xml")


@pytest.mark.parametrize("file", ["conf.py", "config.toml", "package.json"])
def test_common_file_name_does_not_imply_a_generator(file: str, tmp_path: Path) -> None:
    (tmp_path / file).write_text("title = 'x'")

    assert detect_site(str(tmp_path)) is None


def test_existing_directory_is_preferred(tmp_path: Path) -> None:
    (tmp_path / "conf.py").write_text("extensions = []")
    (tmp_path / "build" / "html").mkdir(parents=True)
    expected = detect_site(str(tmp_path))

    assert expected is not None
    assert expected.root == "build/html"


def test_enter_accepts_the_proposal(tmp_path: Path, environment: dict[str, str]) -> None:
    (tmp_path / "hugo.toml").write_text(f'baseURL = "{URL}"')
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "sitemapx", "init"]
    process = subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdin=theirs, stderr=subprocess.PIPE
    )
    os.close(theirs)
    os.write(ours, b"no url\n\n\n\n\nno-engine\nindexnow\n")
    _, output = process.communicate(timeout=PATIENCE)
    os.close(ours)
    settings = load_settings(str(tmp_path / "sitemapx.toml"))

    assert process.returncode == 0, output.decode()
    assert b"expected an absolute URL" in output
    assert b"no-engine" in output
    assert (settings.site, settings.engine_names) == (URL, ("indexnow",))
    assert settings.sitemaps == (str(tmp_path / "public" / "sitemap.xml"),)
    assert b"not found yet: " in output


def test_sitemap_of_the_generator_is_not_converted(tmp_path: Path, sitemapx: Run) -> None:
    (tmp_path / "hugo.toml").write_text(f'baseURL = "{URL}"')
    (tmp_path / "public").mkdir()
    (tmp_path / "public" / "robots.txt").write_text("User-agent: *\n")
    done = sitemapx("init")
    text = (tmp_path / "sitemapx.toml").read_text()

    assert done.returncode == 0, done.stderr
    assert "# [convert]" in text
    assert 'sitemaps = ["public/sitemap.xml"]' in text
    assert 'robots = "public/robots.txt"' in text
