"""The wheel contains the modules of the tree, and commands start without unneeded imports."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.effort import slow

#: Top-level directory -> package that it is installed as.
FOLDERS = {"check": "sitemapx.check", "convert": "sitemapx.convert", "submit": "sitemapx.submit"}
HEAVY = ("lxml", "requests", "feedparser", "rich", "msgspec", "click")


def _modules() -> set[str]:
    """Return the modules of the tree by their paths when installed."""
    own = [
        path.relative_to(ROOT)
        for path in (ROOT / "sitemapx").rglob("*.py")
        if path.relative_to(ROOT).parts[1] not in FOLDERS
    ]
    of_folders = [
        Path("sitemapx") / path.relative_to(ROOT)
        for name in FOLDERS
        for path in (ROOT / name).rglob("*.py")
    ]
    return {path.as_posix() for path in [*own, *of_folders]}


@slow
def test_wheel_contains_each_module_once(tmp_path: Path) -> None:
    project = tmp_path / "project"  # a copy, as building creates files
    ignored = shutil.ignore_patterns(".*", "build", "data", "*.egg-info", "__pycache__")
    shutil.copytree(ROOT, project, symlinks=True, ignore=ignored)
    code = "import sys; from setuptools.build_meta import build_wheel; build_wheel(sys.argv[1])"
    command = [sys.executable, "-c", code, str(tmp_path)]
    subprocess.run(command, cwd=project, capture_output=True, check=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    modules = {n for n in names if n.endswith(".py")}

    assert _modules() == modules
    assert {"sitemapx"} == {n.split("/")[0] for n in names if ".dist-info/" not in n}
    styles = (f"sitemapx/{one}/html/page.css" for one in ("cli/reports", "convert/formats"))
    assert {"sitemapx/py.typed", "sitemapx/__init__.pyi", *styles} <= set(names)


@pytest.mark.parametrize(
    ("words", "unneeded"),
    [
        (
            ["add", "robots.txt", "https://e.example/s.xml"],
            (*HEAVY, "pywhatwgurl", "difflib", "typing"),
        ),
        (["list", "robots.txt"], ("lxml", "requests", "rich", "protego", "difflib")),
        (["check", "robots.txt"], ("lxml", "requests", "rich", "feedparser")),
    ],
)
def test_robots_imports_little(words: list[str], unneeded: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "robots.txt").write_text("User-agent: *\nDisallow: /x\n")
    code = (
        "import sys; from sitemapx.cli import main; status = main(sys.argv[1:]);"
        f"print(status, sorted(set(sys.modules) & set({unneeded!r})))"
    )
    command = [sys.executable, "-c", code, "robots", *words]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)

    assert "0 []" == done.stdout.splitlines()[-1]


def test_convert_imports_what_it_uses(samples: Path) -> None:
    unused = {"rich", "importlib.metadata", "requests", "urllib3", "http.client", "protego"}
    unused |= {"email.utils", "shutil", "sqlite3", "lxml", "sitemapx.convert.xml.parser"}
    code = (
        "import sys; from sitemapx.cli import main; status = main(sys.argv[1:]);"
        f"print(status, sorted(set(sys.modules) & {unused!r}))"
    )
    command = [sys.executable, "-c", code, "convert", str(samples / "urls.txt"), "--to", "text"]
    done = subprocess.run(command, capture_output=True, text=True)

    assert "0 []" == done.stdout.splitlines()[-1]


def test_directories_are_not_importable() -> None:
    code = "import sys, sitemapx.convert; print({'convert', 'submit'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)

    assert "set()" == done.stdout.strip()
