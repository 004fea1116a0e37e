"""Commands import no more than they need, since users wait for imports."""

import re
import subprocess
import sys
from importlib.metadata import distribution, requires
from pathlib import Path

import pytest

from tests.conftest import ROOT

#: Each command, the packages of others that it may import, and those of ours.
COMMANDS: dict[str, tuple[str, str]] = {
    "--version": ("", ""),
    "convert sitemap.xml --to text": ("click msgspec", "convert"),
    "convert sitemap.xml --to jsonl": ("click msgspec", "convert"),
    "convert urls.txt --to sitemap": ("click msgspec", "convert"),
    "convert export.jsonl --to sitemap": ("click msgspec", "convert"),
    "convert sitemap.xml --to rss": ("click msgspec", "convert"),
    "convert feed.xml --to sitemap": ("click msgspec lxml", "convert"),
    "diff sitemap.xml sitemap.xml": ("click msgspec", "convert"),
    "check sitemap.xml": ("click msgspec lxml", "convert check"),
    "robots list robots.txt": ("click msgspec", "convert submit"),
    "submit status --journal journal.sqlite3": ("click msgspec", "convert submit"),
}
FILES = {
    "sitemap.xml": """<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>https://example.com/a?b&amp;c</loc><lastmod>2026-11-24</lastmod></url>
</urlset>
""",
    "feed.xml": "<rss version='2.0'><channel><title>t</title><link>https://example.com/</link>"
    "<description>d</description><item><link>https://example.com/a</link></item></channel></rss>",
    "urls.txt": "https://example.com/a\n",
    "export.jsonl": '{"loc":"https://example.com/a","title":"t"}\n',
    "robots.txt": "User-agent: *\nSitemap: https://example.com/sitemap.xml\n",
}
OURS = {"convert", "check", "submit"}
_REQUIRED = {
    re.split(r"[^\w.-]", line)[0].lower()
    for line in requires("sitemapx") or ()
    if "extra ==" not in line
}
THEIRS = {
    file.parts[0].partition(".")[0] for name in _REQUIRED for file in distribution(name).files or ()
}


def _import_modules(command: str, folder: Path) -> set[str]:
    code = "import sys; from sitemapx.cli import main; main(); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", code, *command.split()],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stderr.splitlines()[-1].split())


@pytest.mark.parametrize("command", COMMANDS)
def test_command_imports_only_what_it_needs(command: str, tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    modules = _import_modules(command, tmp_path)
    theirs = THEIRS & {name.partition(".")[0] for name in modules}
    ours = {name for name in OURS if f"sitemapx.{name}" in modules}
    expected, expected_ours = COMMANDS[command]
    assert (sorted(theirs), sorted(ours)) == (
        sorted(expected.split()),
        sorted(expected_ours.split()),
    )


def test_sitemap_needs_no_html_parser(tmp_path: Path) -> None:
    (tmp_path / "sitemap.xml").write_text(FILES["sitemap.xml"])
    modules = _import_modules("convert sitemap.xml --to text", tmp_path)
    assert not modules & {"sitemapx.convert.html.page", "hashlib"}
