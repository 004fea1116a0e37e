"""Tables for data frame libraries, and tables written by others."""

import io
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import duckdb
import msgspec
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sitemapx
from sitemapx.convert import (
    Batch,
    Document,
    Enclosure,
    Entry,
    Fetcher,
    Image,
    Opener,
    Problem,
    read,
    table,
    target_of,
    write,
)
from sitemapx.convert.formats.parquet.packer import ParquetPacker
from sitemapx.convert.model.batch import FIELDS
from sitemapx.convert.model.tabular import COLUMNS
from sitemapx.errors import InputError, UnknownNameError, UsageError
from tests.convert.documents import SITEMAP
from tests.effort import examples
from tests.property.strategies import any_entries
from tests.servers import Answer, Server

FILES = ("feed.xml", "sitemap.xml", "export.csv", "entries.jsonl", "urls.txt", "feed.atom")


def drop_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: drop_nulls(item) for key, item in value.items() if item is not None}
    return [drop_nulls(item) for item in value] if isinstance(value, list | tuple) else value


def to_rows(entries: Iterable[Entry]) -> list[dict[str, Any]]:
    return [drop_nulls(msgspec.to_builtins(entry)) for entry in entries]


def rows(result: pa.Table) -> list[dict[str, Any]]:
    """Return the rows of a table without nulls, derived columns and the source."""
    left_out = {"lastmod_utc", "source"}
    return [
        {name: value for name, value in drop_nulls(row).items() if name not in left_out}
        for row in result.to_pylist()
    ]


def query(sql: str, **tables: object) -> list[tuple[Any, ...]]:
    """Query DuckDB, with each table as a variable of its name."""
    with duckdb.connect() as connection:
        for name, item in tables.items():
            connection.register(name, item)
        return connection.sql(sql).fetchall()


@pytest.mark.parametrize("name", FILES)
def test_libraries_read_the_same_rows(name: str, samples: Path) -> None:
    path = samples / name

    def document() -> Document:
        return read(path, report=lambda problem: None)

    expected = pa.table(document())
    of_table = table(path, report=lambda problem: None)  # used by duckdb, by its name
    entries = to_rows(document())

    assert entries == rows(expected)
    assert [str(path)] * len(entries) == expected["source"].to_pylist()
    assert expected.equals(pa.table(of_table))
    assert expected.equals(pa.table(pl.DataFrame(document()).to_arrow().cast(expected.schema)))
    assert expected["loc"].to_pylist() == [
        None if pd.isna(loc) else loc for loc in pd.DataFrame.from_arrow(document())["loc"]
    ]
    assert expected.num_rows == len(query("from of_table", of_table=of_table))


def test_columns_are_the_fields_in_order() -> None:
    schema = pa.table(Document.from_entries([])).schema

    assert list(COLUMNS) == schema.names == ["loc", "lastmod", "lastmod_utc", *FIELDS[2:]]
    assert "source" == schema.names[-1]
    assert pa.timestamp("us", "UTC") == schema.field("lastmod_utc").type
    assert pa.float64() == schema.field("priority").type
    assert ["loc", "title", "caption", "geo_location", "license"] == [
        field.name for field in schema.field("images").type.value_type
    ]
    assert pa.schema(table("nowhere.xml")) == schema


@given(st.lists(any_entries(), max_size=5))
@examples(60)
def test_table_has_all_fields(entries: list[Entry]) -> None:
    assert to_rows(entries) == rows(pa.table(Document.from_entries(entries)))


@pytest.mark.parametrize(
    ("lastmod", "moment"),
    [
        ("2024", datetime(2024, 1, 1, tzinfo=UTC)),
        ("2024-05", datetime(2024, 5, 1, tzinfo=UTC)),
        ("2024-05-08", datetime(2024, 5, 8, tzinfo=UTC)),
        ("2024-05-08T10:53Z", datetime(2024, 5, 8, 10, 53, tzinfo=UTC)),
        ("2024-05-08T10:53:11", datetime(2024, 5, 8, 10, 53, 11, tzinfo=UTC)),
        ("2024-05-08T10:53:11+02:00", datetime(2024, 5, 8, 8, 53, 11, tzinfo=UTC)),
        ("2024-05-08T10:53:11.123456789Z", datetime(2024, 5, 8, 10, 53, 11, 123456, UTC)),
        ("2016-12-31T23:59:60Z", datetime(2016, 12, 31, 23, 59, 59, tzinfo=UTC)),
        ("0001-01-01T00:00:00+14:00", None),
        ("yesterday", None),
        (None, None),
    ],
)
def test_moment_is_the_start_of_the_period(lastmod: str | None, moment: datetime | None) -> None:
    for entries in ([Entry(lastmod=lastmod)], [Entry(lastmod="2001"), Entry(lastmod=lastmod)]):
        result = pa.table(Document.from_entries(entries))

        assert [entry.lastmod for entry in entries] == result["lastmod"].to_pylist()
        assert moment == result["lastmod_utc"].to_pylist()[-1]


class Watched(Batch):
    """A batch that records the columns that are read."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        super().__init__(entries)
        self.asked: set[str] = set()

    def column(self, name: str) -> Sequence[Any]:
        self.asked.add(name)
        return super().column(name)


def test_unselected_columns_are_not_built(tmp_path: Path) -> None:
    batch = Watched([Entry(loc="https://e.example/", title="T", images=(Image(loc="i"),))])
    target = target_of(str(tmp_path / "t.parquet"), columns=["title", "loc", "lastmod_utc"])
    write(Document([batch]), target, report=lambda problem: None)

    assert {"title", "loc"} == batch.asked
    assert ["title", "loc", "lastmod_utc"] == pq.read_schema(target.path).names


def test_streams_are_lazy() -> None:
    made: list[int] = []

    def batches() -> Iterator[Batch]:
        for number in range(7):
            made.append(number)
            yield Batch([Entry(loc=f"https://e.example/{number}/{item}") for item in range(10_000)])

    reader = pa.RecordBatchReader.from_stream(Document(batches()))
    assert [0, 1] == made
    sizes = [len(reader.read_next_batch()) for _ in range(2)]
    assert [20_000, 20_000] == sizes
    assert [0, 1, 2, 3] == made
    rest = reader.read_all()
    assert 30_000 == rest.num_rows
    assert "https://e.example/6/9999" == rest["loc"][-1].as_py()


def test_document_can_be_streamed_once(samples: Path) -> None:
    document = read(samples / "urls.txt")
    pa.table(document)
    with pytest.raises(UsageError, match="document can be read only once"):
        pa.table(document)

    assert 16 == len(query("from again, again b", again=table(samples / "urls.txt")))


def test_rows_name_their_source(samples: Path) -> None:
    url = "https://lighthouse.example/sitemap_index.xml"
    result = pl.DataFrame(
        table(
            samples / "site" / "sitemap_index.xml",
            samples / "urls.txt",
            columns=["source", "loc"],
            opener=Opener(url=url),
        )
    )

    assert ["source", "loc"] == result.columns
    assert {
        "https://lighthouse.example/pages.xml": 2,
        "https://lighthouse.example/shop/urls.txt": 3,
        str(samples / "urls.txt"): 4,
    } == dict(result.group_by("source").len().iter_rows())


def test_misuse_is_reported(samples: Path) -> None:
    with pytest.raises(UsageError, match="no sources"):
        table()
    with pytest.raises(UnknownNameError, match="unknown column 'url'"):
        table("sitemap.xml", columns=["url"])
    with pytest.raises(UsageError, match="source is an empty string"):
        table("")
    with pytest.raises(InputError, match="No such file"):
        pl.DataFrame(table("nowhere.xml"))
    assert ["loc"] == pa.schema(table("nowhere.xml", columns="loc")).names


def test_entries_before_damage_are_kept(tmp_path: Path) -> None:
    urls = "".join(f"<url><loc>https://e.example/{n}</loc></url>" for n in range(20_000))
    path = tmp_path / "cut.xml"
    path.write_text(f'<urlset xmlns="{SITEMAP}">{urls}')
    problems: list[Problem] = []

    assert 20_000 == pa.table(table(path, report=problems.append)).num_rows
    assert ["truncated"] == [problem.code for problem in problems]


def test_too_large_number_is_dropped(caplog: pytest.LogCaptureFixture) -> None:
    entries = [
        Entry(loc="https://e.example/", enclosures=(Enclosure(url="u", length=2**63),)),
        Entry(loc="https://e.example/b", title="\ud800"),
    ]
    result = rows(pa.table(Document.from_entries(entries)))

    assert [[{"url": "u"}], "?"] == [result[0]["enclosures"], result[1]["title"]]
    assert "number 9223372036854775808 is too large for a column of 64-bit integers" in caplog.text


def read_table(result: pa.Table, name: str = "parquet") -> tuple[list[Entry], list[str]]:
    """Read a foreign table; return its entries and messages."""
    sink = io.BytesIO()
    if name == "parquet":
        pq.write_table(result, sink)
    else:
        make = pa.ipc.new_file if name == "file" else pa.ipc.new_stream
        with make(sink, result.schema) as writer:
            writer.write_table(result)
    problems: list[Problem] = []
    entries = list(read(io.BytesIO(sink.getvalue()), report=problems.append))
    return entries, [f"{problem.line}: {problem.message}" for problem in problems]


@pytest.mark.parametrize("name", ["parquet", "file", "stream"])
def test_foreign_tables_are_read(name: str) -> None:
    result = pa.table(
        {
            "URL": ["https://e.example/a", "https://e.example/b", None, "/c"],
            "Last Modified": [datetime(2024, 5, 8, 10, tzinfo=UTC), None, None, None],
            "published": [date(2024, 5, 1), date(2024, 5, 2), None, None],
            "priority": ["0.5", "1.5", None, None],
            "images": [[{"loc": "https://e.example/i.png", "size": 3}], None, None, None],
            "clicks": [1, 2, 3, 4],
        }
    )
    entries, problems = read_table(result, name)

    assert entries == [
        Entry(
            loc="https://e.example/a",
            lastmod="2024-05-08T10:00:00Z",
            published="2024-05-01",
            priority=0.5,
            images=(Image(loc="https://e.example/i.png"),),
        ),
        Entry(loc="https://e.example/b", published="2024-05-02"),
    ]
    assert "None: unknown columns dropped: clicks" == problems[0]
    assert problems[1].startswith("2: priority: invalid value 1.5")
    assert problems[2].startswith("4: relative URL '/c'")


@pytest.mark.parametrize("name", ["parquet", "file", "stream"])
def test_table_without_urls_is_rejected(name: str) -> None:
    with pytest.raises(InputError, match=r"no URL column: .* \(its columns: clicks\)"):
        read_table(pa.table({"clicks": [1]}), name)


def read_cut(data: bytes) -> tuple[list[Entry], list[str], str]:
    """Return the entries before the damage, the codes of problems, and the error."""
    problems: list[Problem] = []
    result: list[Entry] = []
    failure = ""
    try:
        result += read(io.BytesIO(data), report=problems.append)
    except InputError as error:
        failure = str(error)
    return result, [problem.code for problem in problems], failure


@pytest.mark.parametrize("name", ["parquet", "arrow"])
def test_truncated_table_is_reported(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"table.{name}"
    urls = [Entry(loc=f"https://e.example/{number}") for number in range(9000)]
    write(Document.from_entries(urls), target_of(str(path), format=name))
    data = path.read_bytes()
    for size in (4, 5, 8, 12, 100, 1000, len(data) // 2, len(data) - 9):
        result, problems, failure = read_cut(data[:size])

        assert urls[: len(result)] == result
        assert "Arrow data" in failure or "Parquet file" in failure or "truncated" in problems


def test_parquet_has_row_groups(tmp_path: Path) -> None:
    path = tmp_path / "urls.parquet"
    urls = (Entry(loc=f"https://e.example/{n:06}", lastmod="2024-05") for n in range(300_000))
    write(Document.from_entries(urls), target_of(str(path)))
    metadata = pq.read_metadata(path)
    locs = [metadata.row_group(n).column(0) for n in range(metadata.num_row_groups)]

    assert 3 == len(locs)
    assert {"ZSTD"} == {item.compression for item in locs}
    assert ["https://e.example/000000", "https://e.example/299999"] == [
        locs[0].statistics.min,
        locs[-1].statistics.max,
    ]
    where = f"from '{path}' where lastmod_utc >= '2024-05-01' and loc > 'https://e.example/299990'"
    assert 9 == len(query(where))


@pytest.mark.parametrize("size", [500, 5000])
def test_parquet_is_made_from_pieces_of_any_size(size: int, tmp_path: Path) -> None:
    urls = [Entry(loc=f"https://e.example/{n}") for n in range(50)]
    path = tmp_path / "urls.arrow"
    write(Document.from_entries(urls), target_of(str(path), format="arrow"))
    stream, packer = path.read_bytes(), ParquetPacker()
    pieces = [packer.compress(stream[at : at + size]) for at in range(0, len(stream), size)]
    table = pq.read_table(pa.BufferReader(b"".join([*pieces, *packer.finish()])))

    assert [entry.loc for entry in urls] == table["loc"].to_pylist()


def test_other_packages_find_the_same_urls(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    import advertools
    from usp.tree import sitemap_tree_for_homepage

    def urlset(*names: str) -> bytes:
        urls = "".join(
            f"<url><loc>https://e.example/{name}</loc><lastmod>2026-01-05</lastmod></url>"
            for name in names
        )
        return f'<urlset xmlns="{SITEMAP}">{urls}</urlset>'.encode()

    listed = "".join(f"<sitemap><loc>{server.url}/{n}.xml</loc></sitemap>" for n in ("a", "b"))
    server.answers = {
        "/robots.txt": Answer(f"Sitemap: {server.url}/index.xml\n".encode()),
        "/index.xml": Answer(f'<sitemapindex xmlns="{SITEMAP}">{listed}</sitemapindex>'.encode()),
        "/a.xml": Answer(urlset("a", "b")),
        "/b.xml": Answer(urlset("c")),
    }
    opener = Opener(fetcher=Fetcher(allow_private=True))
    ours = pd.DataFrame.from_arrow(table(server.url, opener=opener))
    theirs = advertools.sitemap_to_df(f"{server.url}/robots.txt")
    pages = [page.url for page in sitemap_tree_for_homepage(f"{server.url}/").all_pages()]

    assert sorted(ours["loc"]) == sorted(theirs["loc"]) == sorted(pages)
    assert set(ours["lastmod_utc"]) == set(theirs["lastmod"])
    assert set(ours["source"]) == set(theirs["sitemap"])


def test_rows_of_frames_are_written_back(samples: Path, tmp_path: Path) -> None:
    source = samples / "sitemap.xml"
    frame = pa.table(table(source)).to_pandas()
    for name, rows in {
        "dicts": frame.to_dict("records"),
        "tuples": frame.itertuples(),
        "series": [row for _, row in frame.convert_dtypes().iterrows()],
        "arrow": pa.table(table(source)).to_pylist(),
    }.items():
        sitemapx.write(rows, tmp_path / f"{name}.jsonl")

        assert list(read(source)) == [
            msgspec.structs.replace(entry, source=None)
            for entry in read(tmp_path / f"{name}.jsonl")
        ], name
