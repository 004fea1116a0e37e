"""The session of Spark, and files to read."""

import gzip
import json
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.extras.s3server import KEYS, s3_server
from tests.extras.spark.session import MASTER, session

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

#: Workers can only be killed where there are some.
collect_ignore = [] if MASTER.startswith("local-cluster") else ["test_killed_workers.py"]

Read = Callable[..., "DataFrame"]


@pytest.fixture(scope="session")
def s3() -> Iterator[None]:
    """Start a server that is Amazon's for this process, and for the workers that it starts."""
    with s3_server() as url, pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ENDPOINT_URL", url)
        patch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        for name, value in KEYS.items():
            patch.setenv(name.upper(), value)
        yield


@pytest.fixture(scope="session")
def spark(s3: None) -> "Iterator[SparkSession]":
    """Give a session in which the data sources are registered."""
    with session() as spark:
        yield spark


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """Ignore the warnings of the engines' own code; those of ours are raised in other processes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.fixture
def read(spark: "SparkSession") -> Read:
    """Give a function that reads sources with options."""

    def read(*paths: str | Path, source: str = "sitemap", **options: Any) -> "DataFrame":
        reader = spark.read.format(source).options(**options)
        names = [str(path) for path in paths]
        if len(names) == 1:
            return reader.load(names[0])
        return reader.load(names if MASTER else json.dumps(names))  # Sail loses lists

    return read


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give a folder with sitemaps of three hosts, one of them packed, and a damaged one."""
    folder = tmp_path / "sitemaps"
    folder.mkdir()
    for name in "abc":
        (folder / f"{name}.xml").write_bytes(sitemap(f"https://{name}.example/", 20))
    (folder / "a.xml").rename(folder / "a.xml.tmp")
    (folder / "a.xml.gz").write_bytes(gzip.compress((folder / "a.xml.tmp").read_bytes()))
    (folder / "a.xml.tmp").unlink()
    damaged = sitemap("https://d.example/", 20)
    (folder / "d.xml").write_bytes(damaged[: damaged.index(b"/10</loc>")])
    (folder / "_SUCCESS").touch()
    return folder


def sitemap(base: str, count: int) -> bytes:
    """Return a sitemap of so many pages, which changed one day after the other."""
    rows = [
        f"<url><loc>{base}{number}</loc><lastmod>2024-05-{1 + number % 28:02}</lastmod></url>"
        for number in range(count)
    ]
    start = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    return "\n".join([start, *rows, "</urlset>"]).encode()


def index(*locs: str) -> bytes:
    """Return an index of sitemaps."""
    rows = [f"<sitemap><loc>{loc}</loc></sitemap>" for loc in locs]
    start = '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    return "\n".join([start, *rows, "</sitemapindex>"]).encode()


def locs(frame: "DataFrame") -> list[str]:
    """Return the URLs of a frame, in order."""
    return sorted(row.loc for row in frame.select("loc").collect())
