"""A session of Spark, and files to read."""

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
    """Start a server that replaces S3 for this process and its workers."""
    with s3_server() as url, pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ENDPOINT_URL", url)
        patch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        for name, value in KEYS.items():
            patch.setenv(name.upper(), value)
        yield


@pytest.fixture(scope="session")
def spark(s3: None) -> "Iterator[SparkSession]":
    """Start a session with the data sources registered."""
    with session() as spark:
        yield spark


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """Ignore warnings of the engines; those of sitemapx are raised in other processes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.fixture
def read(spark: "SparkSession") -> Read:
    """Return a function that reads sources with options."""

    def read(*paths: str | Path, source: str = "sitemap", **options: Any) -> "DataFrame":
        reader = spark.read.format(source).options(**options)
        names = [str(path) for path in paths]
        if len(names) == 1:
            return reader.load(names[0])
        return reader.load(names if MASTER else json.dumps(names))  # Sail loses lists

    return read


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Write sitemaps of three hosts, one compressed, and a truncated one."""
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
    """Return a sitemap whose pages changed on consecutive days."""
    rows = [
        f"<url><loc>{base}{number}</loc><lastmod>2024-05-{1 + number % 28:02}</lastmod></url>"
        for number in range(count)
    ]
    start = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    return "\n".join([start, *rows, "</urlset>"]).encode()


def index(*locs: str) -> bytes:
    rows = [f"<sitemap><loc>{loc}</loc></sitemap>" for loc in locs]
    start = '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    return "\n".join([start, *rows, "</sitemapindex>"]).encode()


def locs(frame: "DataFrame") -> list[str]:
    """Return the sorted URLs of a frame."""
    return sorted(row.loc for row in frame.select("loc").collect())
