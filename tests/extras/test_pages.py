"""The recipes of pages that write tables run."""

from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.test_pages import run_recipes


@pytest.mark.parametrize("name", ["README.md", "docs/frames.md"])
def test_recipes_run(name: str, tmp_path: Path, environment: dict[str, str]) -> None:
    run_recipes(ROOT / name, tmp_path, environment)
