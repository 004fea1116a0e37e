"""The examples of docs/spark.md run, and its tables name all options."""

import gzip
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sitemapx.errors import UsageError
from sitemapx.spark.options import ReaderOptions, WriterOptions
from tests.conftest import ROOT
from tests.extras.spark.conftest import index, sitemap

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PAGE = (ROOT / "docs" / "spark.md").read_text()
BLOCKS: list[str] = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
BASE = "https://example.com/"


def test_examples_run(
    spark: "SparkSession",
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("sitemaps", "public"):
        (tmp_path / name).mkdir()
    (tmp_path / "sitemaps" / "a.xml.gz").write_bytes(gzip.compress(sitemap(BASE, 5)))
    (tmp_path / "sitemaps" / "b.xml").write_bytes(sitemap(BASE, 5)[:200])
    (tmp_path / "public" / "sitemap.xml").write_bytes(index(f"{BASE}c.xml"))
    (tmp_path / "public" / "c.xml").write_bytes(sitemap(BASE, 7))
    names = {"spark": spark}
    for code in BLOCKS:
        own = code.replace("spark = SparkSession.builder.getOrCreate()\n", "")
        own = re.sub(r'load\("(\w)', rf'load("{tmp_path}/\1', own)  # workers are elsewhere
        exec(own.replace('"public"', f'"{tmp_path}/public"'), names)

    printed = capfd.readouterr().out
    assert "2024-05-05" in printed
    assert "\n7\n" in printed
    assert "truncated" in printed
    assert len(list((tmp_path / "public").glob("sitemap-*-*.xml"))) == 2


@pytest.mark.parametrize("options", [ReaderOptions, WriterOptions])
def test_all_options_are_documented(options: type[ReaderOptions] | type[WriterOptions]) -> None:
    with pytest.raises(UsageError) as error:
        options.parse({"path": "x", "no such option": "x"})
    known = set(re.findall(r"\w+", str(error.value).partition("choose from ")[2]))
    section = "## Read" if options is ReaderOptions else "## Write"
    rows = re.findall(r"^\| (`.*?`) \|", PAGE.partition(section)[2].partition("\n## ")[0], re.M)

    assert set(re.findall(r"\w+", " ".join(rows))) == known
