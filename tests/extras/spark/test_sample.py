"""The Spark job in samples/."""

from pathlib import Path
from typing import TYPE_CHECKING

from samples.spark_job import run
from tests.extras.spark.conftest import Read, locs, sitemap

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def test_sample_job_finds_duplicates_and_writes_a_site(
    spark: "SparkSession", read: Read, folder: Path, tmp_path: Path
) -> None:
    (folder / "again.xml").write_bytes(sitemap("https://b.example/", 2))
    run(spark, str(folder), str(tmp_path / "results"), "https://b.example/")

    duplicates = spark.read.parquet(f"{tmp_path}/results/duplicates").collect()
    sources = [str(folder / "again.xml"), str(folder / "b.xml")]
    assert sorted((row.loc, row.sources) for row in duplicates) == [
        ("https://b.example/0", sources),
        ("https://b.example/1", sources),
    ]
    hosts = spark.read.parquet(f"{tmp_path}/results/hosts")
    result = hosts.selectExpr("host", "urls", "date_format(newest, 'yyyy-MM-dd') as day").collect()
    assert sorted(map(tuple, result)) == [
        ("a.example", 20, "2024-05-20"),
        ("b.example", 22, "2024-05-20"),
        ("c.example", 20, "2024-05-20"),
        ("d.example", 10, "2024-05-10"),
    ]
    index = tmp_path / "results" / "sitemaps" / "sitemap.xml"
    expected = sorted(f"https://b.example/{number}" for number in range(20))
    assert locs(read(index, sourceUrl="https://b.example/sitemap.xml")) == expected
