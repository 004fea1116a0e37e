"""Sets in S3, with a local server."""

import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.extras.s3server import KEYS, s3_server

boto3 = pytest.importorskip("boto3")
pytest.importorskip("s3fs")
pytest.importorskip("moto.server")

BASE = "https://e.example/"
Sitemapx = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    with s3_server() as url:
        yield url


@pytest.fixture
def bucket(endpoint: str, request: pytest.FixtureRequest) -> Any:
    name = request.node.name.replace("_", "-")[:60].lower()
    storage = boto3.resource("s3", endpoint_url=endpoint, region_name="us-east-1", **KEYS)
    return storage.create_bucket(Bucket=name)


@pytest.fixture
def run(sitemapx: Sitemapx, environment: dict[str, str], endpoint: str) -> Sitemapx:
    """Return the command with the environment of the server."""
    keys = {name.upper(): value for name, value in KEYS.items()}
    own = environment | keys | {"AWS_ENDPOINT_URL": endpoint, "AWS_DEFAULT_REGION": "us-east-1"}
    return lambda *args: sitemapx(*args, env=own)


def _urls(path: Path, *numbers: int) -> Path:
    path.write_text("".join(f"{BASE}{number}\n" for number in numbers))
    return path


def test_only_changed_files_are_uploaded(run: Sitemapx, bucket: Any, tmp_path: Path) -> None:
    target = f"s3://{bucket.name}/maps/sitemap.xml.gz"
    options = ("-o", target, "--base-url", f"{BASE}maps/", "--max-urls", "2")
    urls = tmp_path / "urls.txt"
    done = run("convert", _urls(urls, 1, 2, 3, 4, 5), *options)

    assert 0 == done.returncode, done.stderr
    first = {item.key: (item.last_modified, item.e_tag) for item in bucket.objects.all()}
    names = ["sitemap-1.xml.gz", "sitemap-2.xml.gz", "sitemap-3.xml.gz", "sitemap.xml.gz"]
    assert [f"maps/{name}" for name in names] == sorted(first)
    head = bucket.Object("maps/sitemap-1.xml.gz")
    assert ("application/xml", "gzip") == (head.content_type, head.content_encoding)

    time.sleep(1.1)  # S3 gives times in seconds
    done = run("convert", _urls(urls, 1, 2, 3, 44), *options)

    assert 0 == done.returncode, done.stderr
    assert b"(1 of them unchanged)" in done.stderr
    assert f"removed, as no longer listed: s3://{bucket.name}/maps" in (done.stderr.decode())
    second = {item.key: (item.last_modified, item.e_tag) for item in bucket.objects.all()}
    assert [f"maps/{names[n]}" for n in (0, 1, 3)] == sorted(second)
    assert first["maps/sitemap-1.xml.gz"] == second["maps/sitemap-1.xml.gz"]
    assert first["maps/sitemap-2.xml.gz"] != second["maps/sitemap-2.xml.gz"]


def test_stored_files_are_sources(run: Sitemapx, bucket: Any, tmp_path: Path) -> None:
    target = f"s3://{bucket.name}/sitemap.xml"
    options = ("--base-url", BASE, "--max-urls", "2")
    run("convert", _urls(tmp_path / "urls.txt", 1, 2, 3), "-o", target, *options)
    done = run("convert", f"s3://{bucket.name}/sitemap-1.xml", "--to", "text")
    all_ = run("convert", target, "--map", f"{BASE}=s3://{bucket.name}", "--to", "text")

    assert f"{BASE}1\n{BASE}2\n".encode() == done.stdout, done.stderr
    assert f"{BASE}1\n{BASE}2\n{BASE}3\n".encode() == all_.stdout, all_.stderr


def test_storage_failure_is_reported_in_one_line(
    run: Sitemapx, bucket: Any, tmp_path: Path
) -> None:
    missing = run("convert", f"s3://{bucket.name}/none.xml", "--to", "text")
    nowhere = f"s3://{bucket.name}-none/sitemap.xml"
    closed = run("convert", _urls(tmp_path / "urls.txt", 1), "-o", nowhere)
    unknown = run("convert", "nowhere://a/b.xml", "--to", "text")

    assert 2 == missing.returncode
    assert f"sitemapx: error: s3://{bucket.name}/none.xml: not found\n" == missing.stderr.decode()
    assert 1 == closed.returncode
    assert f"sitemapx: error: cannot write {nowhere}: " in closed.stderr.decode()
    assert 2 == unknown.returncode
    assert b"unknown scheme 'nowhere:'" in unknown.stderr
