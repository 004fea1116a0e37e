"""Writing by Spark: whole sets or nothing, whatever becomes of tasks."""

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
from sitemapx.convert.formats.sitemap.definition import SITEMAP_INDEX
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
    """Give the folder of a set, where a page of somebody else lies."""
    target = tmp_path / "public"
    target.mkdir()
    (target / "index.html").write_text("<h1>Hello</h1>")
    return target


@pytest.fixture
def write(target: Path) -> Write:
    """Give a function that writes a frame to the folder."""

    def write(frame: "DataFrame", mode: str = "overwrite", **options: Any) -> None:
        options = {name: value for name, value in ({"baseUrl": BASE} | options).items() if value}
        frame.write.format("sitemap").mode(mode).options(**options).save(str(target))

    return write


@pytest.fixture
def frame(spark: "SparkSession") -> Callable[[int], "DataFrame"]:
    """Give a function that makes a frame with so many URLs, for three tasks."""

    def frame(count: int) -> "DataFrame":
        rows = spark.range(count).repartition(3)
        return rows.selectExpr(f"concat('{BASE}', id) as loc", "'2024-05-08' as lastmod")

    return frame


Frame = Callable[[int], "DataFrame"]


def _names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - {"index.html"}


def _listed(target: Path, name: str = "sitemap.xml") -> list[str]:
    with read_document(target / name) as document:
        return [os.path.basename(entry.loc or "") for entry in document]


def test_set_can_be_read_and_checked(frame: Frame, write: Write, read: Read, target: Path) -> None:
    """The index lists all files, which hold all rows; nothing else is left there."""
    write(frame(100))

    assert {"sitemap.xml", *_listed(target)} == _names(target)
    found = read(target / "sitemap.xml", sourceUrl=f"{BASE}sitemap.xml")
    assert locs(found) == sorted(f"{BASE}{number}" for number in range(100))
    assert {row.lastmod for row in found.collect()} == {"2024-05-08"}
    findings: list[Finding] = []
    check([target / "sitemap.xml"], opener=Opener(url=f"{BASE}sitemap.xml"), report=findings.append)
    assert {finding.severity for finding in findings} <= {"note"}


def test_same_elements_as_library(
    read: Read, write: Write, samples: Path, target: Path, tmp_path: Path
) -> None:
    """All fields are written as the library writes them."""
    write(read(samples / "sitemap.xml"))
    (name,) = _listed(target)

    convert([samples / "sitemap.xml"], target_of(str(tmp_path / "expected.xml")))
    assert (target / name).read_text() == (tmp_path / "expected.xml").read_text()


def test_limits(frame: Frame, write: Write, target: Path) -> None:
    """No file has more URLs, or bytes, than it may have."""
    write(frame(100), maxUrls="7")

    counts = []
    for name in _listed(target):
        with read_document(target / name) as document:
            counts.append(len(list(document)))
    assert (max(counts), sum(counts)) == (7, 100)

    write(frame(100), maxBytes="600")
    sizes = [(target / name).stat().st_size for name in _listed(target)]
    assert len(sizes) > 10
    assert max(sizes) <= 600


def test_compressed(frame: Frame, write: Write, target: Path) -> None:
    """All files are packed, and named so."""
    write(frame(10), compress="true", name="pages")

    names = _names(target)
    assert "pages.xml.gz" in names
    for name in names:
        assert name.endswith(".xml.gz")
        assert gzip.decompress((target / name).read_bytes()).startswith(b"<?xml")


def test_overwrite_replaces_the_whole_set(frame: Frame, write: Write, target: Path) -> None:
    """The old files go with their index; those of others stay."""
    write(frame(100), maxUrls="7")
    old = _names(target)
    (target / "sitemap-other.xml").write_bytes(sitemap(BASE, 1))
    write(frame(10))

    assert _names(target) & old == {"sitemap.xml"}
    assert _names(target) == {"sitemap.xml", "sitemap-other.xml", *_listed(target)}
    assert (target / "index.html").exists()


def test_append_keeps_what_is_there(frame: Frame, write: Write, read: Read, target: Path) -> None:
    """The files of the set stay, with their dates."""
    write(frame(10))
    first = _listed(target)
    dates = {name: (target / name).read_bytes() for name in first}
    write(frame(5), mode="append")

    assert _listed(target)[: len(first)] == first
    assert {name: (target / name).read_bytes() for name in first} == dates
    assert read(target / "sitemap.xml", sourceUrl=f"{BASE}sitemap.xml").count() == 15


def test_source_may_be_the_set_itself(frame: Frame, write: Write, read: Read, target: Path) -> None:
    """A job may read the set that it replaces: its files go last."""
    write(frame(10))
    found = read(target / "sitemap.xml", sourceUrl=f"{BASE}sitemap.xml")
    write(found.where("loc like '%5'").repartition(2))

    assert locs(read(target / "sitemap.xml", sourceUrl=f"{BASE}sitemap.xml")) == [f"{BASE}5"]


# ---- tasks that fail, or are too many


def test_failed_task_leaves_nothing(frame: Frame, write: Write, target: Path) -> None:
    """A job that fails leaves the set as it was, and no files of its own."""
    write(frame(10))
    before = _names(target)

    failing = frame(100).selectExpr("if(loc like '%77', raise_error('broken row'), loc) as loc")
    with pytest.raises(Exception, match="broken row"):
        write(failing)

    wait_until(lambda: _names(target) == before)  # for tasks that are still running


def _record_batch(*names: object) -> pyarrow.RecordBatch:
    return pyarrow.record_batch({"loc": [f"{BASE}{name}" for name in names]})


def _writer(target: Path, *, overwrite: bool = True, **options: Any) -> SitemapSetWriter:
    return SitemapSetWriter(WriterOptions(str(target), BASE, **options), ["loc"], overwrite)


def test_repeated_task_counts_once(target: Path) -> None:
    """A task that runs twice has its rows in the set once; nothing is left of the other attempt."""
    writer = _writer(target)
    done = writer.write(iter([_record_batch(1, 2)]))
    writer.write(iter([_record_batch(1, 2)]))
    other = writer.write(iter([_record_batch(3)]))
    assert _names(target) == {f".sitemapx-{writer._set._job}"}
    writer.commit([done, None, other])

    assert len(_listed(target)) == 2
    assert _names(target) == {"sitemap.xml", *_listed(target)}


def test_set_that_changes_meanwhile(target: Path) -> None:
    """Of two jobs at once, the later one fails, so that nothing is lost unseen."""
    first, second = _writer(target, overwrite=False), _writer(target, overwrite=False)
    done = [writer.write(iter([_record_batch(1)])) for writer in (first, second)]
    first.commit([done[0]])
    names = _listed(target)

    with pytest.raises(OSError, match="was changed during this job"):
        second.commit([done[1]])

    assert _listed(target) == names
    assert _names(target) == {"sitemap.xml", *names}


def test_abort(target: Path) -> None:
    """What tasks stored is removed, and that can be repeated."""
    writer = _writer(target)
    writer.write(iter([_record_batch(1)]))
    writer.abort([])
    writer.abort([])

    assert _names(target) == set()


def test_late_task(target: Path) -> None:
    """A task that still runs when the job has ended leaves nothing, either."""
    writer = _writer(target)
    writer.abort([])
    with pytest.raises(OSError, match="the job has ended"):
        writer.write(iter([_record_batch(1)]))

    assert _names(target) == set()


# ---- what is refused


def test_nothing_is_lost_under_strict(spark: "SparkSession", write: Write, target: Path) -> None:
    """Rows without a valid URL are dropped and logged, or refused."""
    rows = spark.createDataFrame(
        [(f"{BASE}1", "A"), ("ftp://e.example/2", "B")], "loc string, title string"
    )
    with pytest.raises(
        Exception, match=r"problems \(bad-loc\), and sitemaps do not support all columns \(title\)"
    ):
        write(rows, strict="true")
    assert _names(target) == set()
    write(rows)
    assert len(_listed(target)) == 1


def test_no_entries(frame: Frame, write: Write, target: Path) -> None:
    """A set is not replaced by nothing."""
    write(frame(3))
    before = _names(target)
    with pytest.raises(Exception, match="there are no entries"):
        write(frame(3).where("loc = ''"))
    assert _names(target) == before


def test_foreign_index(frame: Frame, write: Write, target: Path) -> None:
    """An index of somebody else is never added to; if it is replaced, what it lists stays."""
    (target / "sitemap.xml").write_bytes(index(f"{BASE}sitemap-1.xml"))
    (target / "sitemap-1.xml").write_bytes(sitemap(BASE, 1))
    with pytest.raises(Exception, match=r"not the index of a set by .*mode\('overwrite'\)"):
        write(frame(3), mode="append")
    write(frame(3))

    assert (target / "sitemap-1.xml").exists()
    assert "sitemap-1.xml" not in _listed(target)


def test_rows_without_url(spark: "SparkSession", write: Write, target: Path) -> None:
    """They are counted, whatever else they have or lack."""
    rows = spark.createDataFrame([(f"{BASE}1",), (None,)], "loc string")
    with pytest.raises(Exception, match=r"there are problems \(no-loc\)"):
        write(rows, strict="true")
    write(rows)
    assert len(_listed(target)) == 1


def test_index_with_lines_of_others(frame: Frame, write: Write, target: Path) -> None:
    """What somebody has added to the index is not this tool's to remove."""
    write(frame(3))
    page = target / "sitemap.xml"
    line = "<sitemap><loc>https://e.example/products/sitemap-x.xml</loc></sitemap>\n</sitemapindex>"
    page.write_text(page.read_text().replace("</sitemapindex>", line))
    (target / "sitemap-x.xml").write_bytes(sitemap(BASE, 1))

    with pytest.raises(Exception, match="not the index of a set by sitemapx"):
        write(frame(3), mode="append")
    write(frame(3))
    assert (target / "sitemap-x.xml").exists()


def test_set_of_the_other_compression(frame: Frame, write: Write, target: Path) -> None:
    """Two sets of one name are never published side by side."""
    write(frame(3))
    with pytest.raises(Exception, match=r"sitemap\.xml is there, which would stay"):
        write(frame(3), compress="true")


def test_directory_in_the_place_of_the_index(frame: Frame, write: Write, target: Path) -> None:
    """Nothing is moved into it."""
    for name, compress in (("sitemap.xml", ""), ("sitemap.xml.gz", "true")):
        (target / name).mkdir()
        with pytest.raises(Exception, match=rf"{name}: it is a directory"):
            write(frame(3), compress=compress)
        assert list((target / name).iterdir()) == []


def test_failure_between_two_indexes(target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the main index cannot be replaced, the others are put back."""
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
    """Return the format of an index that holds two sitemaps, so that a set has several."""
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
def test_misuse(
    options: dict[str, Any],
    columns: str,
    message: str,
    frame: Frame,
    write: Write,
    target: Path,
) -> None:
    """What cannot work is told on the driver, before a task starts."""
    rows = frame(3).selectExpr(*columns.split(", "))
    with pytest.raises(Exception, match=message):
        write(rows, **options)
    assert _names(target) == set()
