"""Entry points add formats and engines from other packages."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT, Run


@pytest.fixture(scope="module")
def with_plugin(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("plugin")
    source = ROOT / "tests" / "plugin_package"
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-build-isolation"]
    options = ["--no-deps", "--no-index", "--target", str(folder / "site")]
    copy = folder / "source"
    copy.mkdir()
    for path in source.iterdir():
        if path.is_file():
            (copy / path.name).write_bytes(path.read_bytes())
    subprocess.run([*command, *options, str(copy)], check=True, capture_output=True)
    return {**os.environ, "PYTHONPATH": str(folder / "site")}


@pytest.fixture
def with_faulty_plugins(tmp_path: Path) -> dict[str, str]:
    """Install a plug-in that cannot be imported, one of the wrong type, and one that fails."""
    folder = tmp_path / "site"
    metadata = folder / "faulty-2.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: faulty\nVersion: 2\n")
    groups = (
        "[sitemapx.formats]\nlost = nowhere:FORMAT\nodd = faulty:read\nmute = faulty:FORMAT\n"
        "vague = vague:VAGUE\n"
    )
    (metadata / "entry_points.txt").write_text(f"{groups}[sitemapx.engines]\ngone = faulty:Gone\n")
    (folder / "faulty.py").write_text(
        "from sitemapx.convert import Document, Entry, Format\n"
        "def entries():\n    yield Entry(loc='https://e.example/')\n    raise KeyError('k')\n"
        "def read(stream, context):\n    return Document.from_entries(entries())\n"
        "FORMAT = Format('mute', 'Fails', read, sniff=lambda start: start.startswith('?'))\n"
    )
    (folder / "vague.py").write_text(
        "from sitemapx.convert import Document, Entry, Format\n"
        "def read(stream, context):\n"
        "    return Document.from_entries([Entry(loc='https://e.example/', lastmod='yesterday')])\n"
        "VAGUE = Format('vague', 'Has invalid dates', read, holds=('loc', 'lastmod'))\n"
    )
    return {**os.environ, "PYTHONPATH": str(folder)}


def test_plugin_that_cannot_be_loaded_is_named_and_skipped(
    sitemapx: Run, samples: Path, with_faulty_plugins: dict[str, str]
) -> None:
    listed = sitemapx("formats", env=with_faulty_plugins)
    wanted = sitemapx(
        "convert", samples / "lists/blog.txt", "--to", "lost", env=with_faulty_plugins
    )
    engines = sitemapx("engines", env=with_faulty_plugins)
    expected = [
        "cannot load plug-in 'lost' of faulty 2: ModuleNotFoundError: No module named 'nowhere'",
        "cannot load plug-in 'odd' of faulty 2: TypeError: faulty:read is of type function",
    ]

    assert (0, 2, 0) == (listed.returncode, wanted.returncode, engines.returncode)
    assert b"mute" in listed.stdout
    assert expected == listed.stderr.decode().splitlines()
    assert expected == wanted.stderr.decode().splitlines()[:2]
    assert b"indexnow" in engines.stdout
    assert b"cannot load plug-in 'gone' of faulty 2: AttributeError" in engines.stderr


def test_plugin_detects_its_files_before_they_look_like_lists(
    sitemapx: Run, tmp_path: Path, with_plugin: dict[str, str]
) -> None:
    (tmp_path / "a").write_text("!https://e.example/a\nhttps://e.example/b\n")
    done = sitemapx("convert", "a", "--to", "text", env=with_plugin)

    assert b"https://e.example/a\n" == done.stdout


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_error_of_plugin_is_not_an_internal_error(
    sitemapx: Run, tmp_path: Path, with_faulty_plugins: dict[str, str], jobs: str
) -> None:
    # large enough for a second process to read the second file
    (tmp_path / "a.txt").write_text("https://e.example/a\n" * 100_000)
    (tmp_path / "b").write_text("?" * 2_000_000)
    options = ["--to", "jsonl", "-o", "c.jsonl", "--jobs", jobs]
    done = sitemapx("convert", "a.txt", "b", *options, env=with_faulty_plugins)

    assert 1 == done.returncode
    assert b"error: plug-in 'mute' of faulty 2 failed: KeyError: 'k' (please" in done.stderr
    assert b"internal error" not in done.stderr


@pytest.mark.parametrize(
    "command",
    [
        ["convert", "a", "--to", "jsonl", "--sort", "lastmod"],
        ["convert", "a", "--to", "jsonl", "--since", "7d", "--allow-empty"],
        ["check", "a"],
    ],
)
def test_invalid_date_of_plugin_is_dropped(
    sitemapx: Run, tmp_path: Path, with_faulty_plugins: dict[str, str], command: list[str]
) -> None:
    (tmp_path / "a").write_text("~")
    done = sitemapx(*command, "--from", "vague", env=with_faulty_plugins)

    assert b"invalid date 'yesterday'" in done.stdout + done.stderr
    assert b"internal error" not in done.stderr


def test_example_in_the_docs_is_the_tested_package() -> None:
    text = (ROOT / "docs" / "plugins.md").read_text()

    for name, language in (("pyproject.toml", "toml"), ("sitemapx_shout.py", "python")):
        file = (ROOT / "tests" / "plugin_package" / name).read_text()
        assert f"```{language}\n{file}```\n" in text, name


def test_format_of_plugin_is_written(
    sitemapx: Run, samples: Path, with_plugin: dict[str, str]
) -> None:
    done = sitemapx("convert", samples / "lists/blog.txt", "--to", "shout", env=with_plugin)

    assert (0, b"!https://lighthouse.example/blog/fog") == (
        done.returncode,
        done.stdout.splitlines()[0],
    )


def test_format_of_plugin_is_detected(
    sitemapx: Run, tmp_path: Path, with_plugin: dict[str, str]
) -> None:
    (tmp_path / "a").write_text("!https://e.example/\nhush\n")
    done = sitemapx("convert", "a", "-o", "b.jsonl", "--from", "shout", env=with_plugin)
    undetected = sitemapx("convert", "a", "--to", "jsonl", "-q", env=with_plugin)

    assert (0, 0) == (done.returncode, undetected.returncode)
    assert b'{"loc":"https://e.example/"}\n' == undetected.stdout
    assert (tmp_path / "b.jsonl").read_bytes() == undetected.stdout
    assert b"a:2: warning: line without '!'; skipped" in done.stderr


def test_format_of_plugin_is_listed(sitemapx: Run, with_plugin: dict[str, str]) -> None:
    listed = sitemapx("formats", env=with_plugin)
    unknown = sitemapx("convert", "x", "--to", "shout")

    assert b"shout" in listed.stdout
    assert 2 == unknown.returncode


def test_engine_of_plugin_submits(
    sitemapx: Run, tmp_path: Path, with_plugin: dict[str, str]
) -> None:
    (tmp_path / "a.txt").write_text("https://e.example/a\n")
    environment = with_plugin | {"SHOUT_TOKEN": "hush"}
    options = ["--engine", "shout", "--dry-run"]
    listed = sitemapx("engines", env=environment)
    done = sitemapx("submit", "a.txt", *options, env=environment)

    assert b"A service that is shouted at" in listed.stdout
    assert 0 == done.returncode
    assert b"POST https://shout.example/api\n" in done.stdout
    assert b"Authorization: Bearer ***\n" in done.stdout
    assert b'{"urls":["https://e.example/a"]}' in done.stdout
