"""
Targets of the fuzz test, on some damaged documents; see `targets`.

`python -m tests.property.fuzz --minutes 20` tries many more.
"""

from pathlib import Path

import pytest

from tests.effort import seeds, slow
from tests.property.fuzz import FOUND, make_cases
from tests.property.mutations import CORPUS, Seed
from tests.property.mutations import collect_seeds as documents
from tests.property.targets import TARGETS

_FILES = sorted(FOUND.iterdir())
assert _FILES, "no fixtures found"


@pytest.fixture(autouse=True)
def _stop_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("seed", seeds(1, 20))
def test_damaged_documents_pass(seed: int, target: str) -> None:
    for case in make_cases(seed, 15):
        TARGETS[target](case)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("count", [20, pytest.param(400, marks=slow)])
def test_undamaged_documents_pass(count: int, target: str) -> None:
    for document in [document for document in documents() if len(document.data) < 3000][:count]:
        TARGETS[target](document)


def test_corpus_is_used() -> None:
    if not CORPUS.is_dir():
        pytest.skip("the corpus is not there")
    assert len(documents()) > 200


@pytest.mark.parametrize("path", _FILES, ids=lambda path: path.name)
def test_former_failures_pass(path: Path) -> None:
    for target in TARGETS.values():
        target(Seed(path.suffix[1:], path.read_bytes()))
