"""Spark writes whole sets or nothing, even if tasks fail."""

import gzip
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow
import pytest

from sitemapx.check import Finding, check
from sitemapx.convert import Opener, convert, target_of
from sitemapx.convert import read as read_document
from sitemapx.convert.formats.format import Format
from sitemapx.convert.formats.table import SITEMAP_INDEX
from sitemapx.errors import OutputError
from sitemapx.spark import storedset
from sitemapx.spark.options import WriterOptions
from sitemapx.spark.storedset import StoredFolder
from sitemapx.spark.writing import SitemapSetWriter
from tests.extras.spark.conftest import Read, index, locs, sitemap
from tests.waiting import wait_until

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

BASE = "https://e.example/"
Write = Callable[..., None]


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """Create the directory of a set, with a foreign page."""
    target = tmp_path / "public"
    target.mkdir()
    (target / "index.html").write_text("<h1>Hello</h1>")
    return target


@pytest.fixture
def write(target: Path) -> Write:
    """Return a function that writes a frame to the directory."""

    def write(frame: "DataFrame", mode: str = "overwrite", **options: Any) -> None:
        options = {name: value for name, value in ({"baseUrl": BASE} | options).items() if value}
        frame.write.format("sitemap").mode(mode).options(**options).save(str(target))

    return write


@pytest.fixture
def frame(spark: "SparkSession") -> Callable[[int], "DataFrame"]:
    """Return a function that makes a frame of `count` URLs for three tasks."""

    def frame(count: int) -> "DataFrame":
        rows = spark.range(count).repartition(3)
        return rows.selectExpr(f"concat('{BASE}', id) as loc", "'2024-05-08' as lastmod")

    return frame


Frame = Callable[[int], "DataFrame"]


def _list_names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - {"index.html"}


def _list_children(target: Path, name: str = "sitemap.xml") -> list[str]:
    with read_document(target / name) as document:
        return [os.path.basename(entry.loc or "") for entry in document]


def test_set_can_be_read_and_checked(frame: Frame, write: Write, read: Read, target: Path) -> None:
    write(frame(100))

    assert {"sitemap.xml", *_list_children(target)} == _list_names(target)
    result = read(target / "sitemap.xml", sourceUrl=f"{BASE}sitemap.xml")
    assert locs(result) == sorted(f"{BASE}{number}" for number in range(100))
    assert {row.lastmod for row in result.collect()} == {"2024-05-08"}
    findings: list[Finding] = []
    check([target / "sitemap.xml"], opener=Opener(url=f"{BASE}sitemap.xml"), report=findings.append)
    assert {finding.severity for finding in findings} <= {"note"}


def test_same_elements_as_library(
    read: Read, write: Write, samples: Path, target: Path, tmp_path: Path
) -> None:
    write(read(samples / "sitemap.xml"))
    (name,) = _list_children(target)

    convert([samples / "sitemap.xml"], target_of(str(tmp_path / "expected.xml")))
    assert (target / name).read_text() == (tmp_path / "expected.xml").read_text()


def test_files_respect_the_limits(frame: Frame, write: Write, target: Path) -> None:
    write(frame(100), maxUrls="7")

    counts = []
    for name in _list_children(target):
        with read_document(target / name) as document:
            counts.append(len(list(document)))
    assert (max(counts), sum(counts)) == (7, 100)

    write(frame(100), maxBytes="600")
    sizes = [(target / name).stat().st_size for name in _list_children(target)]
    assert len(sizes) > 10
    assert max(sizes) <= 600


def test_files_are_compressed(frame: Frame, write: Write, target: Path) -> None:
    write(frame(10), compress="true", name="pages")

    names = _list_names(target)
    assert "pages.xml.gz" in names
    for name in names:
        assert name.endswith(".xml.gz")
        assert gzip.decompress((target / name).read_bytes()).startswith(b"<?xml")


def test_overwrite_replaces_the_whole_set(frame: Frame, write: Write, target: Path) -> None:
    write(frame(100), maxUrls="7")
    old = _list_names(target)
    (target / "sitemap-other.xml").write_bytes(sitemap(BASE, 1))
    write(frame(10))

    assert _list_names(target) & old == {"sitemap.xml"}
    assert _list_names(target) == {"sitemap.xml", "sitemap-other.xml", *_list_children(target)}
    assert (target / "index.html").exists()


def test_append_keeps_the_files_of_the_set(
    frame: Frame, write: Write, read: Read, target: Path
) -> None:
    write(frame(10))
    first = _list_children(target)
    dates = {name: (target / name).read_bytes() for name in first}
    write(frame(5), mode="append")

    assert _list_children(target)[: len(first)] == first
    assert {name: (target / name).read_bytes() for name in first} == dates
    assert read(target / "sitemap.xml", sourceUrl=f"{BASE}sitemap.xml").count() == 15


def test_source_may_be_the_set_itself(frame: Frame, write: Write, read: Read, target: Path) -> None:
    write(frame(10))
    result = read(target / "sitemap.xml", sourceUrl=f"{BASE}sitemap.xml")
    write(result.where("loc like '%5'").repartition(2))

    assert locs(read(target / "sitemap.xml", sourceUrl=f"{BASE}sitemap.xml")) == [f"{BASE}5"]


# ---- tasks that fail, or are too many


def test_failed_task_leaves_nothing(frame: Frame, write: Write, target: Path) -> None:
    write(frame(10))
    before = _list_names(target)

    failing = frame(100).selectExpr("if(loc like '%77', raise_error('broken row'), loc) as loc")
    with pytest.raises(Exception, match="broken row"):
        write(failing)

    wait_until(lambda: _list_names(target) == before)  # for tasks that are still running


def _record_batch(*names: object) -> pyarrow.RecordBatch:
    return pyarrow.record_batch({"loc": [f"{BASE}{name}" for name in names]})


def _writer(target: Path, *, overwrite: bool = True, **options: Any) -> SitemapSetWriter:
    return SitemapSetWriter(WriterOptions(str(target), BASE, **options), ["loc"], overwrite)


def test_repeated_task_counts_once(target: Path) -> None:
    writer = _writer(target)
    done = writer.write(iter([_record_batch(1, 2)]))
    writer.write(iter([_record_batch(1, 2)]))
    other = writer.write(iter([_record_batch(3)]))
    assert _list_names(target) == {f".sitemapx-{writer._set._job}"}
    writer.commit([done, None, other])

    assert len(_list_children(target)) == 2
    assert _list_names(target) == {"sitemap.xml", *_list_children(target)}


def test_concurrent_job_fails(target: Path) -> None:
    first, second = _writer(target, overwrite=False), _writer(target, overwrite=False)
    done = [writer.write(iter([_record_batch(1)])) for writer in (first, second)]
    first.commit([done[0]])
    names = _list_children(target)

    with pytest.raises(OSError, match="was changed during this job"):
        second.commit([done[1]])

    assert _list_children(target) == names
    assert _list_names(target) == {"sitemap.xml", *names}


def test_abort_removes_stored_files(target: Path) -> None:
    writer = _writer(target)
    writer.write(iter([_record_batch(1)]))
    writer.abort([])
    writer.abort([])

    assert _list_names(target) == set()


def test_task_after_the_job_leaves_nothing(target: Path) -> None:
    writer = _writer(target)
    writer.abort([])
    with pytest.raises(OSError, match="the job has ended"):
        writer.write(iter([_record_batch(1)]))

    assert _list_names(target) == set()


# ---- what is refused


def test_nothing_is_lost_under_strict(spark: "SparkSession", write: Write, target: Path) -> None:
    rows = spark.createDataFrame(
        [(f"{BASE}1", "A"), ("ftp://e.example/2", "B")], "loc string, title string"
    )
    with pytest.raises(
        Exception, match=r"problems \(bad-loc\), and sitemaps do not support all columns \(title\)"
    ):
        write(rows, strict="true")
    assert _list_names(target) == set()
    write(rows)
    assert len(_list_children(target)) == 1


def test_set_is_not_replaced_by_nothing(frame: Frame, write: Write, target: Path) -> None:
    write(frame(3))
    before = _list_names(target)
    with pytest.raises(Exception, match="there are no entries"):
        write(frame(3).where("loc = ''"))
    assert _list_names(target) == before


def test_foreign_index_is_not_appended_to(frame: Frame, write: Write, target: Path) -> None:
    (target / "sitemap.xml").write_bytes(index(f"{BASE}sitemap-1.xml"))
    (target / "sitemap-1.xml").write_bytes(sitemap(BASE, 1))
    with pytest.raises(Exception, match=r"not the index of a set by .*mode\('overwrite'\)"):
        write(frame(3), mode="append")
    write(frame(3))

    assert (target / "sitemap-1.xml").exists()
    assert "sitemap-1.xml" not in _list_children(target)


def test_rows_without_url_are_reported(spark: "SparkSession", write: Write, target: Path) -> None:
    rows = spark.createDataFrame([(f"{BASE}1",), (None,)], "loc string")
    with pytest.raises(Exception, match=r"there are problems \(no-loc\)"):
        write(rows, strict="true")
    write(rows)
    assert len(_list_children(target)) == 1


def test_index_with_foreign_lines_is_not_appended_to(
    frame: Frame, write: Write, target: Path
) -> None:
    write(frame(3))
    page = target / "sitemap.xml"
    line = "<sitemap><loc>https://e.example/products/sitemap-x.xml</loc></sitemap>\n</sitemapindex>"
    page.write_text(page.read_text().replace("</sitemapindex>", line))
    (target / "sitemap-x.xml").write_bytes(sitemap(BASE, 1))

    with pytest.raises(Exception, match="not the index of a set by sitemapx"):
        write(frame(3), mode="append")
    write(frame(3))
    assert (target / "sitemap-x.xml").exists()


def test_set_with_other_compression_is_rejected(frame: Frame, write: Write, target: Path) -> None:
    write(frame(3))
    with pytest.raises(Exception, match=r"sitemap\.xml already exists and would not be replaced"):
        write(frame(3), compress="true")


def test_directory_instead_of_index_is_reported(frame: Frame, write: Write, target: Path) -> None:
    for name, compress in (("sitemap.xml", ""), ("sitemap.xml.gz", "true")):
        (target / name).mkdir()
        with pytest.raises(Exception, match=rf"{name}: it is a directory"):
            write(frame(3), compress=compress)
        assert list((target / name).iterdir()) == []


def test_failure_restores_all_indexes(target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storedset, "SITEMAP_INDEX", _with_two_entries())
    writer = _writer(target, max_urls=1)
    writer.commit([writer.write(iter([_record_batch(1, 2, 3)]))])
    before = {path.name: path.read_bytes() for path in target.glob("*.xml")}
    assert {"sitemap.xml", "sitemap-index-2.xml"} < before.keys()

    put = StoredFolder.upload

    def failing(self: StoredFolder, local: str, name: str, media_type: str) -> None:
        if name == "sitemap.xml":
            raise OutputError("disk full")
        put(self, local, name, media_type)

    monkeypatch.setattr(StoredFolder, "upload", failing)
    writer = _writer(target, max_urls=1)
    with pytest.raises(OutputError, match="disk full"):
        writer.commit([writer.write(iter([_record_batch(4, 5, 6)]))])

    assert {path.name: path.read_bytes() for path in target.glob("*.xml")} == before


def _with_two_entries() -> Format:
    """Return the index format, limited to two sitemaps so that a set has several."""
    assert SITEMAP_INDEX.limits
    return SITEMAP_INDEX._replace(limits=SITEMAP_INDEX.limits._replace(entries=2))


MISUSE = {
    "no base": ({"baseUrl": None}, "loc", r"option\(\"baseUrl\", \"https://example.com/\"\)"),
    "no URL": ({"baseUrl": "example.com"}, "loc", "invalid base URL"),
    "no column": ({}, "lastmod", "no column with URLs: expected loc"),
    "two columns": ({}, "loc, loc as url", "column 'loc' is one of two for the same field"),
    "other column": ({}, "loc, 1 as clicks", "entries have no column 'clicks'"),
    "too many": ({"maxUrls": "50001"}, "loc", "at most 50,000 URLs"),
    "name": ({"name": "../x"}, "loc", r"option name: expected letters, digits, '-' and '_'"),
    "unknown": ({"gzip": "true"}, "loc", "unknown option 'gzip'"),
}


@pytest.mark.parametrize(("options", "columns", "message"), MISUSE.values(), ids=MISUSE)
def test_misuse_is_reported_by_the_driver(
    options: dict[str, Any],
    columns: str,
    message: str,
    frame: Frame,
    write: Write,
    target: Path,
) -> None:
    rows = frame(3).selectExpr(*columns.split(", "))
    with pytest.raises(Exception, match=message):
        write(rows, **options)
    assert _list_names(target) == set()
