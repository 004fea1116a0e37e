"""SQLite databases are written and read without loss, and only tables of our own are read."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from sitemapx.convert import Document, Entry, convert, read, target_of, write
from sitemapx.convert.disk.atomic import FileDraft
from sitemapx.convert.formats.sqlite.writer import SqlitePacker
from sitemapx.errors import InputError, UnknownNameError, UsageError
from tests.conftest import Run


def _select(path: Path, sql: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as database:
        return database.execute(sql).fetchall()


def _create(path: Path, script: str) -> Path:
    with closing(sqlite3.connect(path)) as database:
        database.executescript(script)
    return path


def test_database_has_the_columns_of_csv_and_an_index(samples: Path, tmp_path: Path) -> None:
    path = tmp_path / "urls.sqlite"
    convert([samples / "sitemap.xml"], target_of(str(path)))
    convert([samples / "sitemap.xml"], target_of(str(tmp_path / "urls.csv")))
    names = [name for _, name, *_ in _select(path, "pragma table_info(urls)")]
    first = _select(path, "select loc, priority, title, typeof(priority), mobile from urls")[0]
    plan = _select(path, "explain query plan select * from urls where loc = 'x'")
    images = "select value ->> 'title' from urls, json_each(urls.images)"

    assert (tmp_path / "urls.csv").read_text().splitlines()[0].split(",") == names
    assert ("https://lighthouse.example/", 1.0, None, "real", None) == first
    assert "USING INDEX urls_loc" in str(plan)
    assert "灯台" in str(_select(path, images))
    assert [("ok",)] == _select(path, "pragma integrity_check")


def test_nothing_is_lost_on_the_way_through_a_database(samples: Path, tmp_path: Path) -> None:
    sources = [samples / "sitemap.xml", samples / "feed.xml", samples / "entries.jsonl"]
    database, again, direct = (str(tmp_path / name) for name in ("a.db", "a.jsonl", "b.jsonl"))
    convert(sources, target_of(database))
    convert([database], target_of(again))
    convert(sources, target_of(direct))

    assert Path(direct).read_bytes() == Path(again).read_bytes()


def test_more_entries_than_one_batch_are_written(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite3"
    entries = (Entry(loc=f"https://e.example/{n}", mobile=True) for n in range(10_000))
    summary = write(Document.from_entries(entries), target_of(str(path)))

    assert 10_000 == summary.written
    assert [(10_000, 10_000)] == _select(path, "select count(distinct loc), sum(mobile) from urls")
    with read(path) as document:
        assert [(f"https://e.example/{n}", True) for n in range(10_000)] == [
            (entry.loc, entry.mobile) for entry in document
        ]


def test_rows_may_be_packed_in_any_pieces(tmp_path: Path) -> None:
    packer = SqlitePacker()
    data = b'["loc","title"]\n["https://e.example/","A"]\n["https://e.example/b",null]\n'
    for at in range(len(data)):
        assert b"" == packer.compress(data[at : at + 1])
    (tmp_path / "a.db").write_bytes(b"".join(packer.finish()))
    rows = _select(tmp_path / "a.db", "select * from urls")

    assert [("https://e.example/", "A"), ("https://e.example/b", None)] == rows


def test_same_entries_make_the_same_file(sitemapx: Run, samples: Path) -> None:
    command = ["convert", samples / "sitemap.xml", "-o", "a.sqlite"]
    sitemapx(*command)

    assert b"(unchanged)" in sitemapx(*command).stderr


def test_columns_may_be_chosen(samples: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    convert([samples / "sitemap.xml"], target_of(str(path), columns=["lastmod", "loc"]))

    assert ("2026-10-30", "https://lighthouse.example/") == _select(path, "select * from urls")[0]
    with pytest.raises(UnknownNameError, match="unknown column 'languages'"):
        target_of("a.sqlite", columns=["languages"])
    with pytest.raises(UsageError, match="must include loc"):
        target_of("a.sqlite", columns=["title"])


def test_database_is_written_to_a_pipe(sitemapx: Run, samples: Path, tmp_path: Path) -> None:
    done = sitemapx("convert", samples / "sitemap.xml", "--to", "sqlite", "--strict")
    (tmp_path / "a.db").write_bytes(done.stdout)

    assert [(4,)] == _select(tmp_path / "a.db", "select count(*) from urls")


def test_discarded_draft_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    draft = FileDraft(str(tmp_path / "a.db"), packer=SqlitePacker)
    draft.write(b'["loc"]\n["https://e.example/"]\n')
    before = list(tmp_path.iterdir())
    draft.discard()

    assert 2 == len(before)  # the draft and the directory of the database
    assert [] == list(tmp_path.iterdir())


def test_smaller_database_does_not_replace_a_larger_one(sitemapx: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("".join(f"https://e.example/{n}\n" for n in range(100)))
    (tmp_path / "b.txt").write_text("https://e.example/\n")
    sitemapx("convert", "a.txt", "-o", "a.db")
    done = sitemapx("convert", "b.txt", "-o", "a.db", "--max-loss", "10")

    assert 1 == done.returncode
    assert [(100,)] == _select(tmp_path / "a.db", "select count(*) from urls")


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("create table pages (loc)", "without a table 'urls'"),
        ("create view urls as select 'https://e.example/' as loc", "without a table 'urls'"),
        ("create table urls (slug)", "no column loc"),
    ],
)
def test_other_databases_are_rejected(tmp_path: Path, script: str, message: str) -> None:
    path = _create(tmp_path / "a.db", script)

    with pytest.raises(InputError, match=message), read(path) as document:
        list(document)


def test_damaged_database_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    entries = (Entry(loc=f"https://e.example/{n}") for n in range(10_000))
    write(Document.from_entries(entries), target_of(str(path)))
    path.write_bytes(path.read_bytes()[:20_000])

    with (
        pytest.raises(InputError, match="invalid or incomplete SQLite database"),
        read(path) as document,
    ):
        list(document)


def test_urls_of_a_database_are_checked(sitemapx: Run, tmp_path: Path) -> None:
    _create(tmp_path / "a.db", "create table urls (loc); insert into urls values ('nowhere')")
    done = sitemapx("check", "a.db")

    assert 1 == done.returncode
    assert b"'nowhere'" in done.stdout
