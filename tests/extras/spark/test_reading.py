"""Spark reads the same rows as the library, in any distribution of tasks."""

import gzip
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow
import pytest

from sitemapx.convert import Problem, table
from sitemapx.convert import read as library_read
from tests.extras.spark.conftest import Read, index, locs, sitemap
from tests.servers import Answer, Serve

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SAMPLES = ["broken.xml", "entries.jsonl", "export.csv", "feed.atom", "feed.xml", "sitemap.xml"]


@pytest.mark.parametrize("name", [*SAMPLES, "urls.txt"])
def test_same_rows_as_library(name: str, read: Read, samples: Path) -> None:
    path = str(samples / name)
    expected = pyarrow.table(table(path)).to_pylist()

    result = read(path)

    assert result.columns == list(table(path).columns)
    rows = [row.asDict(recursive=True) for row in result.drop("lastmod_utc").collect()]
    for row in expected:
        del row["lastmod_utc"]  # which collect() gives in the zone of the driver
    assert sorted(rows, key=str) == sorted(expected, key=str)


def test_directory_pattern_and_list_read_each_file_once(read: Read, folder: Path) -> None:
    expected = sorted(f"https://{name}.example/{number}" for name in "abc" for number in range(20))
    expected += [f"https://d.example/{number}" for number in range(10)]

    assert locs(read(folder)) == sorted(expected)
    assert locs(read(folder / "*.xml*")) == sorted(expected)
    assert locs(read(folder / "a.xml.gz", folder, folder / "[bc].xml")) == sorted(expected)


def test_options_are_named_as_on_the_command_line(read: Read, folder: Path) -> None:
    path = folder / "b.xml"

    assert read(path, columns="loc,lastmod").columns == ["loc", "lastmod"]
    assert read(path, columns='["loc"]').columns == ["loc"]
    assert read(path, columns="loc", withSource="true").first().asDict() == {  # type: ignore[union-attr]
        "loc": "https://b.example/0",
        "source": str(path),
    }
    assert locs(read(path, include="/1?")) == [f"https://b.example/1{digit}" for digit in range(10)]
    several = '["/1?", "/2"]'
    assert read(path, include=several, exclude="re:[5-9]$").count() == 6
    assert read(path, since="2024-05-20").count() == 1
    assert read(path, **{"from": "text"}, columns="loc").count() == 0


def test_schema_chooses_columns(spark: "SparkSession", folder: Path) -> None:
    result = (
        spark.read.schema("lastmod string, loc string").format("sitemap").load(f"{folder}/b.xml")
    )

    assert result.first() == ("2024-05-01", "https://b.example/0")


def test_schema_with_another_type_is_rejected(spark: "SparkSession", folder: Path) -> None:
    """A column with another type is rejected, as Spark would read nulls instead."""
    reader = spark.read.format("sitemap").schema("loc string, priority string")
    with pytest.raises(Exception, match="column 'priority' is of type double, not string"):
        reader.load(f"{folder}/b.xml").collect()


def test_small_files_share_tasks(read: Read, folder: Path) -> None:
    task = "spark_partition_id() as task"

    assert read(folder).selectExpr(task).distinct().count() == 1
    assert read(folder, partitionBytes="1").selectExpr(task).distinct().count() == 4


def test_relative_urls_are_resolved(read: Read, tmp_path: Path) -> None:
    path = tmp_path / "urls.xml"
    path.write_bytes(sitemap("/pages/", 1))

    assert locs(read(path, sourceUrl="https://e.example/urls.xml")) == ["https://e.example/pages/0"]


def test_links_are_followed(read: Read, folder: Path, tmp_path: Path) -> None:
    links = tmp_path / "links"
    links.mkdir()
    (links / "a.xml.gz").symlink_to(folder / "a.xml.gz")
    (links / "broken.xml").symlink_to(folder / "no.xml")
    (links / "folder").symlink_to(folder)

    assert read(links).count() == 20
    (problem,) = read(links, source="sitemap_problems").collect()
    assert (problem.code, problem.source) == ("failed", str(links / "broken.xml"))


# ---- indexes


def test_children_are_found_beside_an_index(read: Read, folder: Path) -> None:
    base = "https://e.example/"
    path = folder / "index.xml"
    path.write_bytes(index(*(f"{base}{name}" for name in ("b.xml", "c.xml", "no.xml", "b.xml"))))

    result = read(path, sourceUrl=f"{base}index.xml", partitionBytes="1")

    assert result.count() == 40
    sources = {row.source for row in result.select("source").distinct().collect()}
    assert sources == {f"{base}b.xml", f"{base}c.xml"}
    problems = read(path, source="sitemap_problems", sourceUrl=f"{base}index.xml").collect()
    assert sorted((row.code, row.loc or row.source) for row in problems) == [
        ("duplicate-sitemap", f"{base}b.xml"),
        ("failed", f"{base}no.xml"),
    ]


def test_index_among_files_is_skipped(read: Read, folder: Path) -> None:
    (folder / "index.xml").write_bytes(index("https://e.example/b.xml", "https://e.example/c.xml"))

    assert read(folder).count() == 70
    assert read(folder, followIndex="true").count() == 70
    assert read(folder / "in*.xml").count() == 40  # there is no other file
    rows = locs(read(folder, followIndex="false", include="*.xml"))
    assert rows == ["https://e.example/b.xml", "https://e.example/c.xml"]


def _write_indexes(folder: Path, **indexes: list[str]) -> None:
    for name, listed in indexes.items():
        locs = [f"https://e.example/{path}" for path in listed]
        (folder / f"{name}.xml").write_bytes(index(*locs))


def test_nested_sitemaps_are_read_once(read: Read, folder: Path) -> None:
    first, second = ["b.xml", "c.xml"], ["c.xml", "top.xml"]
    _write_indexes(folder, one=first, two=second, top=["one.xml", "two.xml"])

    assert read(folder / "top.xml").count() == 40
    assert read(folder, followIndex="true").count() == 70


def test_problem_of_unexpected_index_names_the_option(read: Read, folder: Path) -> None:
    _write_indexes(folder, one=["c.xml"], top=["b.xml", "one.xml"])

    assert read(folder / "top.xml").count() == 20
    (problem,) = read(folder / "top.xml", source="sitemap_problems").collect()
    assert (problem.code, problem.severity) == ("listed-sitemap-unchecked", "error")
    assert "pass option('followIndex', 'true')" in problem.message
    assert read(folder / "top.xml", followIndex="true").count() == 40


def test_missing_children_are_reported(read: Read, folder: Path) -> None:
    _write_indexes(folder, top=["no.xml"])

    assert read(folder / "top.xml").count() == 0
    (problem,) = read(folder / "top.xml", source="sitemap_problems").collect()
    assert problem.code == "listed-sitemap-unchecked"
    assert "pass option('sourceUrl') or option('fetch', 'true')" in problem.message


def test_each_host_has_its_task(read: Read, serve: Serve) -> None:
    first, second = serve(), serve("localhost")
    listed = [f"{first.url}/1.xml", f"{second.url}/2.xml", f"{first.url}/3.xml"]
    first.answers["/index.xml"] = Answer(index(*listed, f"{first.url}/no.xml"))
    for number, server in ((1, first), (2, second), (3, first)):
        server.answers[f"/{number}.xml"] = Answer(sitemap(f"https://e.example/{number}/", 5))
    url, options = f"{first.url}/index.xml", {"allowPrivate": "true"}

    result = read(url, **options)

    rows = result.selectExpr("source", "spark_partition_id() as task").distinct().collect()
    assert sorted(row.source for row in rows) == sorted(listed)
    assert len({row.task for row in rows}) == 2
    assert result.count() == 15
    (problem,) = read(url, source="sitemap_problems", **options).collect()
    assert (problem.code, problem.source) == ("failed", f"{first.url}/no.xml")


def test_patterns_skip_hidden_directories(read: Read, folder: Path) -> None:
    """Hidden directories hold unfinished files."""
    for name in (".sitemapx-1", "_temporary", "blog"):
        (folder / name).mkdir()
        (folder / name / "x.xml").write_bytes(sitemap("https://x.example/", 5))

    assert read(folder / "**" / "x.xml").count() == 5
    assert read(folder / "_temporary" / "*.xml").count() == 5


# ---- damage


def test_damaged_file_costs_only_its_own_entries(read: Read, folder: Path) -> None:
    (folder / "e.xml").write_bytes(b"<html><body>Not found</body></html>")

    assert read(folder).count() == 70
    problems = read(folder, source="sitemap_problems", partitionBytes="1").collect()
    assert sorted((row.code, Path(row.source).name) for row in problems) == [
        ("failed", "e.xml"),
        ("truncated", "d.xml"),
    ]
    with pytest.raises(Exception, match=r"d\.xml:.*\[truncated\] \(mode FAILFAST\)"):
        read(folder / "[abcd].xml*", mode="failfast").collect()


def test_problem_at_the_start_is_reported_once(read: Read, tmp_path: Path) -> None:
    """The driver reads the start of a file given by path, but only the task reports."""
    path = tmp_path / "a.xml.gz"
    path.write_bytes(gzip.compress(sitemap("https://e.example/", 20))[:200])
    expected: list[Problem] = []
    library_read(path, report=expected.append).close()
    assert expected
    with library_read(path, report=expected.append) as document:
        list(document)

    rows = read(path, source="sitemap_problems").collect()
    assert [row.code for row in rows] == [problem.code for problem in expected[1:]]


def test_damaged_file_given_by_path_is_reported(read: Read, folder: Path) -> None:
    page = folder / "page.html"
    page.write_text("<html><body>Not found</body></html>")

    assert read(page, folder / "b.xml").count() == 20
    (problem,) = read(page, folder / "b.xml", source="sitemap_problems").collect()
    assert (problem.code, problem.source) == ("failed", str(page))
    with pytest.raises(Exception, match=r"page\.html: error:.*\(mode FAILFAST\)"):
        read(page, folder / "b.xml", mode="FAILFAST").collect()


MISUSE = {
    "no file": (["no/*.xml"], {}, r"no/\*\.xml: no such file, and no file matches"),
    "unknown option": (["d.xml"], {"colums": "loc"}, "unknown option 'colums'.*'columns'"),
    "unknown column": (["d.xml"], {"columns": "loc,tilte"}, "unknown column 'tilte'.*'title'"),
    "unknown format": (["d.xml"], {"from": "rsss"}, "unknown format 'rsss'"),
    "unknown mode": (["d.xml"], {"mode": "DROPMALFORMED"}, "option mode: expected PERMISSIVE or"),
    "no flag": (["d.xml"], {"followIndex": "yes"}, "option followIndex: expected true or false"),
    "no size": (["d.xml"], {"partitionBytes": "0"}, "option partitionBytes: expected a whole"),
    "no time": (["d.xml"], {"timeout": "1m"}, "option timeout: expected a number of seconds"),
    "negative time": (["d.xml"], {"delay": "-1"}, "option delay: expected a number of seconds"),
    "no value": (["d.xml"], {"include": ""}, "option include: expected a pattern"),
    "a list in Python": (["d.xml"], {"include": "['/a']"}, "option include: .* patterns in JSON"),
    "no date": (["d.xml"], {"since": "soon"}, "soon"),
    "no pattern": (["d.xml"], {"include": "re:("}, r"'\(' is not a regular expression"),
    "unknown scheme": (["s4://bucket/x"], {}, "unknown scheme 's4:'"),
    "no sitemap": (["page.html"], {}, "page.html: "),
}


@pytest.mark.parametrize(("paths", "options", "message"), MISUSE.values(), ids=MISUSE)
def test_misuse_is_reported_by_the_driver(
    paths: list[str], options: dict[str, str], message: str, read: Read, folder: Path
) -> None:
    (folder / "page.html").write_text("<html><body>Not a sitemap</body></html>")
    given = [path if "://" in path else folder / path for path in paths]

    with pytest.raises(Exception, match=message):
        read(*given, **options).collect()
