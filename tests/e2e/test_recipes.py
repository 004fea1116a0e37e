"""The commands in the recipes of docs/submit.md, run unchanged, but on loopback."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT, SCRIPTS
from tests.engines import KEY, IndexNow
from tests.loopback import Engines, Site
from tests.submit.conftest import User, site, user

__all__ = ["site", "user"]  # fixtures

TEXT = (ROOT / "docs" / "submit.md").read_text().partition("## Recipes")[2]
#: Text before a command in cron, in a unit of systemd, and in YAML.
_BEFORE = r"(?:\d+ \* \* \* \* |ExecStart=| *- (?:run: )?)?"
COMMANDS = re.findall(rf"^{_BEFORE}((?:\S.*)?sitemapx submit.*)$", TEXT, re.MULTILINE)
#: Site generators, and the paths of their sitemaps.
GENERATORS = {
    "hugo": "public/sitemap.xml",
    "bundle": "_site/sitemap.xml",
    "npx": "dist/sitemap-index.xml",
}
SPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


@pytest.fixture
def engine(user: User, engines: Engines, site: Site) -> IndexNow:
    found: IndexNow = engines(IndexNow)
    pages = f"<urlset {SPACE}><url><loc>{site.url}/a</loc></url></urlset>"
    child = f"<sitemap><loc>{site.url}/sitemap-0.xml</loc></sitemap>"
    index = f"<sitemapindex {SPACE}>{child}</sitemapindex>"
    (user.folder / "bin").mkdir()
    for name, path in GENERATORS.items():
        script = user.folder / "bin" / name
        folder = Path(path).parent
        text = index if "index" in path else pages
        script.write_text(
            f"#!/bin/sh\nmkdir -p {folder}\necho '{text}' > {path}\n"
            f"echo '{pages}' > {folder}/sitemap-0.xml\n"
        )
        script.chmod(0o755)
    (user.folder / "deploy").write_text("#!/bin/sh\n")
    (user.folder / "deploy").chmod(0o755)
    (user.folder / ".indexnow").write_text(KEY)
    (user.folder / "sitemap.xml").write_text(pages)
    (user.folder / "sitemapx.toml").write_text(
        'sitemaps = "sitemap.xml"\n[submit]\nallow-private = true\n'
        f'[engines.indexnow]\nendpoint = "{found.url}"\n'
    )
    user.environment["PATH"] = f"{user.folder / 'bin'}:{SCRIPTS}:{user.environment['PATH']}"
    return found


def _run(command: str, user: User, site: Site) -> subprocess.CompletedProcess[bytes]:
    """Run command lines of the page, on loopback."""
    command = command.replace("/srv/site", str(user.folder)).replace("/usr/local/bin/", "")
    command = command.replace("https://example.com", site.url)
    shell = ["bash", "-euc", command]
    return subprocess.run(shell, cwd=user.folder, env=user.environment, capture_output=True)


def test_each_recipe_has_a_command() -> None:
    assert TEXT.count("\n### ") - 1 + len(GENERATORS) == len(COMMANDS)


@pytest.mark.parametrize("command", dict.fromkeys(COMMANDS))
def test_recipe_submits_the_site(command: str, user: User, engine: IndexNow, site: Site) -> None:
    done = _run(command, user, site)

    assert 0 == done.returncode, done.stderr.decode()
    assert [f"{site.url}/a"] == engine.taken


def test_documented_journal_commands_work(user: User, engine: IndexNow, site: Site) -> None:
    page = (ROOT / "docs" / "submit.md").read_text()
    (block,) = re.findall(r"```sh\n(sitemapx submit history.*?)```", page, re.DOTALL)
    (user.folder / "old").mkdir()
    shutil.copy(user.folder / "sitemap.xml", user.folder / "old")
    before = _run("sitemapx submit sitemap.xml old/sitemap.xml", user, site)
    done = _run(block, user, site)

    assert (0, 0) == (before.returncode, done.returncode), done.stderr.decode()
    assert b"indexnow  urls  1 " in done.stdout
