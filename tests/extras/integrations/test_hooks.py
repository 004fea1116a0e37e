"""The hooks for pre-commit in a repository that uses them."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from tests.conftest import PATIENCE, ROOT

HOOKS = {item["id"]: item for item in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
GOOD = """<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>https://example.com/</loc></url>
</urlset>
"""
INDEX = """<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<sitemap><loc>https://example.com/sitemap-1.xml</loc></sitemap>
</sitemapindex>
"""


@pytest.mark.parametrize(
    ("hook", "name", "is_checked"),
    [
        ("sitemapx-check", "public/sitemap.xml", True),
        ("sitemapx-check", "news-sitemap-1.xml.gz", True),
        ("sitemapx-fix", "sitemap.txt", True),
        ("sitemapx-check", "Sitemap_index.xml", True),
        ("sitemapx-check", "src/sitemap.ts", False),
        ("sitemapx-check", "sitemap-notes.txt", False),
        ("sitemapx-check", "requirements-sitemap.txt", False),
        ("sitemapx-robots", "public/robots.txt", True),
        ("sitemapx-robots", "norobots.txt", False),
    ],
)
def test_hook_gets_only_its_files(hook: str, name: str, is_checked: bool) -> None:
    assert is_checked == bool(re.search(HOOKS[hook]["files"], name))


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Return a repository with a sitemap and two robots.txt."""
    for name, text in {
        "sitemap.xml": INDEX,
        "sitemap-1.xml": GOOD,
        "robots.txt": "User-agent: *\nDisallow:\n",
        "shop/robots.txt": "User-agent: *\nDisallow:\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(["git", "add", "."], cwd=tmp_path, check=True)
    return tmp_path


@pytest.mark.skipif(not shutil.which("pre-commit"), reason="pre-commit is not installed")
def test_hooks_pass_find_and_fix(repository: Path) -> None:
    def run(hook: str) -> subprocess.CompletedProcess[str]:
        command = ["pre-commit", "try-repo", str(ROOT), hook, "--all-files", "--verbose"]
        return subprocess.run(
            command, cwd=repository, capture_output=True, text=True, timeout=PATIENCE
        )

    good = [run(hook) for hook in HOOKS]
    (repository / "sitemap-1.xml").write_text(GOOD.replace("https://example.com/", "/relative"))
    (repository / "shop" / "robots.txt").write_text("Disalow: /x\n")
    subprocess.run(["git", "add", "."], cwd=repository, check=True)
    bad = [run(hook) for hook in ("sitemapx-check", "sitemapx-robots")]
    (repository / "sitemap-1.xml").write_text(GOOD.replace("<url>", "<url >").replace("xmlns", "x"))
    subprocess.run(["git", "add", "."], cwd=repository, check=True)
    fixed = run("sitemapx-fix")

    assert [0, 0, 0] == [done.returncode for done in good], [done.stdout for done in good]
    assert not any("[duplicate-loc]" in done.stdout for done in good)
    assert [1, 1] == [done.returncode for done in bad]
    assert "[relative-loc]" in bad[0].stdout
    assert "misspelt-key" in bad[1].stdout
    assert "files were modified by this hook" in fixed.stdout
