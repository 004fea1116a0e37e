"""Samples of the benchmark are read as the entries that they were generated from."""

import json
from pathlib import Path

import pytest

from bench.samples import data
from bench.samples.data import SITE, Sample
from bench.samples.pages import SamplePages
from tests.conftest import Run
from tests.effort import slow

KINDS = [
    *("varied", "varied CRLF", "varied one line", "varied gz", "varied messy", "varied rich"),
    *("Yoast", "next-sitemap", "Django", "Hugo", "Shopify", "Magento", "WordPress"),
    *("Screaming Frog", "kinds-1", "kinds-100", "odd-20"),
    *("varied feed", "varied mrss", "varied atom"),
]
#: Content that has no field in an entry, or that is there to be reported.
EXPECTED = {
    "odd-20": {"unknown-element"},
    "varied mrss": {"ignored-element"},
}


@pytest.mark.parametrize(
    "kind", [*KINDS[:5], *(pytest.param(kind, marks=slow) for kind in KINDS[5:])]
)
def test_sample_is_read_as_it_was_made(
    kind: str, tmp_path: Path, sitemapx: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(data, "FOLDER", tmp_path)
    sample = Sample(kind, 500)
    sample.make()

    done = sitemapx("convert", str(sample.path), "--to", "jsonl", "--report", "json")

    lines = [line for line in done.stderr.splitlines() if line.startswith(b"{")]
    assert [json.loads(line) for line in done.stdout.splitlines()] == list(sample.entries())
    codes = {json.loads(line).get("code") for line in lines}
    assert codes - {None} == EXPECTED.get(kind, set())


def test_sample_pages_are_read(
    tmp_path: Path, sitemapx: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(data, "FOLDER", tmp_path)
    sample = SamplePages(200)
    sample.make()
    done = sitemapx("convert", sample.path, "--source-url", SITE, "--to", "text")
    sizes = sorted(path.stat().st_size for path in sample.path.rglob("*.html"))

    assert done.stdout.decode().split() == [entry["loc"] for entry in sample.entries()]
    assert 200 == len(sizes)
    assert sizes[-1] > 10 * sizes[0]


@pytest.mark.parametrize("kind", ["varied", "varied rich", "varied mrss", "kinds-10", "Hugo"])
def test_any_count_begins_with_the_same_entries(kind: str) -> None:
    few, many = (list(Sample(kind, count).entries()) for count in (5, 10))

    assert many[:5] == few
