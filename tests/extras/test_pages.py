"""The recipes of the page about tables run."""

from pathlib import Path

from tests.conftest import ROOT
from tests.test_pages import run_recipes


def test_recipes_run(tmp_path: Path, environment: dict[str, str]) -> None:
    run_recipes(ROOT / "docs" / "frames.md", tmp_path, environment)
