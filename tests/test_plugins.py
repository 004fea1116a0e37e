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
    (tmp_path / "a").write_text("!https://e.example/\n")
    done = sitemapx("convert", "a", "-o", "b.jsonl", "--from", "shout", env=with_plugin)
    undetected = sitemapx("convert", "a", "--to", "jsonl", "-q", env=with_plugin)

    assert (0, 0) == (done.returncode, undetected.returncode)
    assert b'{"loc":"https://e.example/"}\n' == undetected.stdout
    assert (tmp_path / "b.jsonl").read_bytes() == undetected.stdout


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
