"""The public API."""

import doctest
import importlib
import inspect
import io
import pkgutil
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import pytest

import sitemapx
from sitemapx.convert.model.batch import FIELDS
from sitemapx.convert.model.entry import Alternate, Entry, Image
from sitemapx.convert.model.problems import PROBLEMS
from sitemapx.errors import UsageError
from sitemapx.submit.robots.lint import FINDINGS

PACKAGES = [importlib.import_module(f"sitemapx.{name}") for name in ("convert", "check", "submit")]
CONVERT, CHECK, SUBMIT = PACKAGES
MODULES = [
    *(package.__name__ for package in PACKAGES),
    *(
        module.name
        for package in PACKAGES
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    ),
    *("sitemapx.errors", "sitemapx.public", "sitemapx.optionnames"),
    *("sitemapx.cli.options.types", "sitemapx.cli.commands.submit.library"),
]
#: Modules that require PyArrow, also in doctests: see tests/extras.
ARROW_MODULES = [
    name for name in MODULES if re.search(r"\.(arrow|parquet)\.\w|\.convert\.tables$", name)
]

#: The contract: the keys of JSON Lines, in order.
KEYS = (
    *("loc", "lastmod", "changefreq", "priority"),
    *("title", "description", "id", "published", "language", "authors", "categories"),
    *("images", "videos", "news", "alternates", "enclosures", "mobile", "extras", "source"),
)


def test_keys_of_an_entry() -> None:
    assert KEYS == FIELDS == Entry.__struct_fields__


def wrong_offers(modules: Iterable[str]) -> list[str]:
    """Return the modules whose `__all__` has duplicate or missing names."""
    found = {name: importlib.import_module(name) for name in modules}
    offers = {name: getattr(module, "__all__", []) for name, module in found.items()}
    return [
        name
        for name, module in found.items()
        if len(set(offers[name])) < len(offers[name])
        or not all(hasattr(module, each) for each in offers[name])
    ]


def failed_doctests(modules: Iterable[str]) -> list[str]:
    """Return the modules with a failing doctest."""
    return [name for name in modules if doctest.testmod(importlib.import_module(name)).failed]


def test_names_in_all_exist() -> None:
    assert [] == wrong_offers(name for name in MODULES if name not in ARROW_MODULES)


def test_doctests_pass() -> None:
    assert [] == failed_doctests(name for name in MODULES if name not in ARROW_MODULES)


@pytest.mark.parametrize(
    ("package", "name"),
    [(CONVERT, "read"), (CHECK, "check"), (SUBMIT, "RobotsFile")],
    ids=["convert", "check", "submit"],
)
def test_public_names_are_imported_on_demand(package: ModuleType, name: str) -> None:
    names = dir(package)

    assert name in names
    assert "public" not in names
    assert all(hasattr(package, one) for one in names)
    with pytest.raises(ImportError):
        exec(f"from {package.__name__} import nothing", {})


@pytest.mark.parametrize(
    "name", ["sitemapx", "sitemapx.convert.steps", *(one.__name__ for one in PACKAGES)]
)
def test_help_has_no_notes_for_developers(name: str) -> None:
    text = importlib.import_module(name).__doc__ or ""

    assert text
    assert not re.search(r"May import|`public`", text)


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_package_has_signature_and_help_of_its_function(package: ModuleType) -> None:
    function = getattr(importlib.import_module("sitemapx.public"), package.__name__.split(".")[1])

    assert callable(package)
    assert inspect.signature(function) == inspect.signature(package)
    assert str(inspect.getdoc(function)).partition("\n\nExamples")[0] in str(package.__doc__)


def test_all_codes_by_default() -> None:
    """The default is None, not the tuple of all codes, so that `help(check)` stays short."""
    assert inspect.signature(CHECK.check).parameters["codes"].default is None


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_packages_import_little(package: ModuleType) -> None:
    code = f"import sys, {package.__name__}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)

    expected = {"sitemapx", "sitemapx.names", package.__name__}
    assert expected == {m for m in done.stdout.decode().split() if m.startswith("sitemapx")}


@pytest.mark.parametrize("name", ["read", "write", "convert"])
def test_main_functions_have_examples(name: str) -> None:
    function = getattr(CONVERT, name)

    assert ">>> " in function.__doc__


def test_problem_codes_are_lower_case_and_have_a_severity_and_meaning() -> None:
    for code, kind in (PROBLEMS | FINDINGS).items():
        assert code == code.lower().replace("_", "-").strip("-")
        assert kind.severity in ("error", "warning", "note")
        assert kind.meaning


@dataclass
class _Page:
    loc: str
    lastmod: date | None = None


def test_each_id_of_a_feed_is_written_once(tmp_path: Path) -> None:
    source, path = tmp_path / "a.txt", tmp_path / "feed.rss"
    source.write_text("https://example.com/a\n")

    assert 1 == sitemapx.convert([source, source], path).written
    assert 1 == sitemapx.write(["https://example.com/a"] * 2, path).written
    assert 2 == sitemapx.convert([source, source], tmp_path / "b.txt").written


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("a.csv", {"with_source": True}),
        ("a.csv", {"columns": ["loc", "source"]}),
        ("a.jsonl", {"with_source": True}),
    ],
)
def test_target_with_source_has_the_source(
    tmp_path: Path, name: str, options: dict[str, Any]
) -> None:
    (tmp_path / "urls.txt").write_text("https://example.com/a\n")
    CONVERT.convert([tmp_path / "urls.txt"], CONVERT.target_of(tmp_path / name, **options))

    assert "urls.txt" in (tmp_path / name).read_text()


def test_base_url_applies_to_all_urls_of_a_row(tmp_path: Path) -> None:
    row = {
        "loc": "/a",
        "images": ["/i.jpg", "https://cdn.example/j.jpg"],
        "alternates": [{"hreflang": "de", "href": "/de"}],
        "videos": [{"content_loc": "/v.mp4", "uploader": {"info": "/u"}}],
    }
    path = tmp_path / "a.jsonl"
    sitemapx.write([row], path, base_url="https://example.com/")
    (entry,) = sitemapx.read(path)

    assert "https://example.com/a" == entry.loc
    assert ["https://example.com/i.jpg", "https://cdn.example/j.jpg"] == [
        image.loc for image in entry.images
    ]
    assert "https://example.com/de" == entry.alternates[0].href
    assert "https://example.com/v.mp4" == entry.videos[0].content_loc
    assert "https://example.com/u" == cast("Any", entry.videos[0].uploader).info


def test_write_takes_what_programs_have(tmp_path: Path) -> None:
    rows = [
        {"loc": "/", "lastmod": date(2026, 1, 1), "priority": Decimal("0.5")},
        ("/tuple", datetime(2026, 1, 1, 9)),
        _Page("/object", date(2026, 1, 2)),
        _Page("/undated"),
        {"loc": "/missing", "lastmod": float("nan")},
        "https://example.org/url",
        Entry(loc="/entry", lastmod="2026-01"),
    ]

    sitemapx.write(rows, tmp_path / "a.jsonl", base_url="https://example.com/")

    assert [
        ("https://example.com/", "2026-01-01", 0.5),
        ("https://example.com/tuple", "2026-01-01T09:00:00+00:00", None),
        ("https://example.com/object", "2026-01-02", None),
        ("https://example.com/undated", None, None),
        ("https://example.com/missing", None, None),
        ("https://example.org/url", None, None),
        ("https://example.com/entry", "2026-01", None),
    ] == [
        (entry.loc, entry.lastmod, entry.priority) for entry in sitemapx.read(tmp_path / "a.jsonl")
    ]


@dataclass
class _Product:
    """An object of an ORM: with a key, a flag, and a manager of related objects."""

    loc: str
    id: int
    published: bool
    images: object
    title: object = "Poster"
    mobile: bool = False


class _Safe(str):
    """A text that is marked as safe, as in templates of Django."""

    __slots__ = ()

    def __str__(self) -> str:
        return self


class _Translated:
    """A text that is translated when it is used."""

    def __str__(self) -> str:
        return "Affiche"

    def __iter__(self) -> Iterator[str]:
        return iter(str(self))


def test_write_ignores_what_only_the_database_needs(tmp_path: Path) -> None:
    rows = [
        _Product("https://example.com/p", 7, True, object()),
        _Product("https://example.com/t", 7, True, (), _Translated(), mobile=True),
        {"loc": _Safe("https://example.com/i"), "id": 8},
    ]
    sitemapx.write(rows, tmp_path / "a.jsonl")

    assert [
        Entry(loc="https://example.com/p", title="Poster", mobile=False),
        Entry(loc="https://example.com/t", title="Affiche", mobile=True),
        Entry(loc="https://example.com/i", id="8"),
    ] == list(sitemapx.read(tmp_path / "a.jsonl"))


def test_write_strips_whitespace_around_texts(tmp_path: Path) -> None:
    rows: list[object] = [
        *io.StringIO("https://example.com/line\n"),
        ("/row ", " 2026-01-01\n"),
        {"loc": "/images", "images": ["https://example.com/a.jpg\n"]},
        {"loc": "/part", "alternates": [Alternate("de ", "https://example.com/de\n")]},
        Entry(loc="https://example.com/entry\n"),
    ]
    sitemapx.write(rows, tmp_path / "a.jsonl", base_url="https://example.com/")

    assert [
        Entry(loc="https://example.com/line"),
        Entry(loc="https://example.com/row", lastmod="2026-01-01"),
        Entry(loc="https://example.com/images", images=(Image("https://example.com/a.jpg"),)),
        Entry("https://example.com/part", alternates=(Alternate("de", "https://example.com/de"),)),
        Entry(loc="https://example.com/entry"),
    ] == list(sitemapx.read(tmp_path / "a.jsonl"))


def test_write_takes_rows_of_databases_and_data_frames(tmp_path: Path) -> None:
    database = sqlite3.connect(":memory:")
    database.row_factory = sqlite3.Row
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    rows = [
        database.execute("SELECT '/row' AS loc, 0.5 AS priority").fetchone(),
        {"loc": "/frame", "lastmod": "2026-01-01", "lastmod_utc": moment, "images": None},
        {"loc": "/nested", "alternates": [{"href": "/de", "hreflang": "de", "rel": None}]},
        {"loc": "/images", "images": ["https://example.com/a.jpg"]},
        Entry(loc="/entry", lastmod=cast("Any", date(2026, 1, 2))),
    ]
    database.close()
    sitemapx.write(rows, tmp_path / "a.jsonl", base_url="https://example.com/")

    assert [
        Entry(loc="https://example.com/row", priority=0.5),
        Entry(loc="https://example.com/frame", lastmod="2026-01-01"),
        Entry(
            loc="https://example.com/nested",
            alternates=(Alternate("de", "https://example.com/de"),),
        ),
        Entry(loc="https://example.com/images", images=(Image("https://example.com/a.jpg"),)),
        Entry(loc="https://example.com/entry", lastmod="2026-01-02"),
    ] == list(sitemapx.read(tmp_path / "a.jsonl"))


class _Frame(list[str]):
    """A data frame, which can be iterated over like its column names."""

    columns = ("loc",)


class _Result(list[tuple[str, str]]):
    """A result of SQLAlchemy."""

    def columns(self, *names: str) -> "_Result":
        return self


def test_write_takes_timestamps_of_sql(tmp_path: Path) -> None:
    database = sqlite3.connect(":memory:")
    rows = database.execute(
        "SELECT '/utc', '2026-01-01 10:00:00+00:00' UNION SELECT '/', '2026-01-01 09:00:00'"
    )
    sitemapx.write(rows, tmp_path / "a.jsonl", base_url="https://example.com/")
    database.close()

    assert ["2026-01-01T09:00:00", "2026-01-01T10:00:00+00:00"] == [
        entry.lastmod for entry in sitemapx.read(tmp_path / "a.jsonl")
    ]


def test_write_takes_results_of_sqlalchemy(tmp_path: Path) -> None:
    rows = _Result([("https://example.com/", "2026-01-01")])

    assert 1 == sitemapx.write(rows, tmp_path / "sitemap.xml").written


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            _Frame(),
            'df.to_dicts() of polars, df.to_dict("records") of pandas, or table.to_pylist()',
        ),
        ("https://example.com/", "entries are a single str: pass ['https://example.com/']"),
        ({"loc": "/"}, "entries are a single dict: pass [{'loc': '/'}]"),
        (5, "entries are of type int: pass a list of them"),
        ([{"url": "/"}], "unknown field 'url'. Did you mean 'loc'?"),
        (
            [{"loc": "/", "alternates": [{"lang": "de", "href": "/de"}]}],
            "unknown field of alternates 'lang' (choose from hreflang, href,",
        ),
        (
            [{"loc": "/", "alternates": [{"lang": "de"}], "images": [{"captoin": "A"}]}],
            "unknown field of images 'captoin'. Did you mean 'caption'?",
        ),
        (
            [{"loc": "/", "news": {"publication": {"nmae": "A"}}}],
            "unknown field of news 'nmae'. Did you mean 'name'?",
        ),
        ([5], "5 is not an entry: pass entries, dicts, tuples"),
        (
            [{"loc": "/", "lastmod": 1.5}],
            "lastmod: expected a date, or text such as '2026-01-01', got",
        ),
        ([{"loc": "/", "priority": "high"}], "priority: expected a number, got str"),
        ([{"loc": "/", "categories": "a"}], "categories: expected a list, got str"),
        (
            [{"loc": "/", "news": 5}],
            'news: expected a dict, got int; pass news such as {"publication"',
        ),
        ([{"loc": "/", "title": object()}], "is neither text, a number nor a date"),
        (
            [{"loc": "/", "alternates": {"de": "/de"}}],
            'alternates: expected a list, got dict; pass alternates such as [{"hreflang": "de"',
        ),
        (
            [{"loc": "/", "alternates": [("de", "/de")]}],
            "alternates[0]: expected a dict, got list or tuple; pass alternates such as",
        ),
        ([{"loc": "/", "images": [_Translated()]}], "images[0]: expected a dict, got str; pass"),
        ([{"loc": "/", "title": b"a"}], "b'a' is neither text, a number nor a date"),
    ],
)
def test_write_says_what_to_pass(rows: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        sitemapx.write(rows, tmp_path / "sitemap.xml")

    assert [] == list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sitemapx.write([], cast("Any", io.BytesIO())), "output is of type BytesIO: pass"),
        (
            lambda: sitemapx.convert(cast("Any", [Entry()]), "a.xml"),
            "source is of type Entry: pass a path",
        ),
        (lambda: sitemapx.read(cast("Any", 5)), "source is of type int: pass a path"),
        (
            lambda: CONVERT.write([Entry()], CONVERT.target_of("a.xml")),
            "pass Document.from_entries",
        ),
        (lambda: CONVERT.Fetcher(headers={"X-Key": "secret"}), "headers need the site"),
        (lambda: sitemapx.submit("a.xml", limit="x"), "`limit`: 'x' is not a whole number"),
        (lambda: sitemapx.submit("a.xml", dry_run="yes"), "`dry_run` is 'yes': pass True or False"),
        (
            lambda: sitemapx.submit("a.xml", urls="b", engine="websub", dry_run=True),
            "`urls` cannot be combined",
        ),
        (lambda: sitemapx.submit("a.xml", format="txt"), "unknown format 'txt'"),
        (
            lambda: sitemapx.submit(cast("Any", io.BytesIO(b"<urlset/>"))),
            "source is of type bytes: pass a path or URL",
        ),
        (lambda: sitemapx.submit("a.xml", engines="indexnow"), "'engine'? (choose from after, "),
        (lambda: sitemapx.convert(cast("Any", _Frame(["loc"])), "a.xml"), "of type _Frame"),
    ],
)
def test_wrong_argument_is_named(call: Callable[[], object], message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        call()


def test_index_is_followed_by_default(tmp_path: Path) -> None:
    sitemapx.write(
        ["/a", "/b"], tmp_path / "sitemap.xml", base_url="https://e.example/", max_urls=1
    )

    pages = [entry.loc for entry in sitemapx.read(tmp_path / "sitemap.xml")]
    listed = [entry.loc for entry in sitemapx.read(tmp_path / "sitemap.xml", follow=False)]

    assert ["https://e.example/a", "https://e.example/b"] == pages
    assert ["https://e.example/sitemap-1.xml", "https://e.example/sitemap-2.xml"] == listed


@pytest.mark.parametrize("follow", [True, False])
def test_index_means_the_same_in_python_and_commands(
    tmp_path: Path, environment: dict[str, str], samples: Path, follow: bool
) -> None:
    index = samples / "site" / "sitemap_index.xml"
    pages = tmp_path / "pages.txt"
    pages.write_text("https://lighthouse.example/\n")
    option = [] if follow else ["--no-follow"]

    def run(*args: str | Path) -> list[str]:
        command = [sys.executable, "-m", "sitemapx", *args, *option]
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        return done.stdout.splitlines()

    entries = [entry.loc for entry in sitemapx.read(index, follow=follow)]
    compared = CONVERT.Comparison(sitemapx.read(pages), sitemapx.read(index, follow=follow))

    assert run("convert", index, "--to", "text") == entries
    assert run("diff", pages, index, "--to", "text") == [
        one.entry.loc for one in compared if one.new
    ]


def test_submit_shares_the_journal_of_the_command(
    tmp_path: Path, samples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INDEXNOW_KEY", "0123456789abcdef")
    journal = tmp_path / "journal.db"

    (outcome,) = sitemapx.submit(
        samples / "sitemap.xml",
        source_url="https://lighthouse.example/sitemap.xml",
        engine="indexnow",
        journal=journal,
        dry_run=True,
    )

    assert ("indexnow", "accepted", 4) == (outcome.engine, outcome.state, outcome.sent)
    assert not journal.exists()
    with pytest.raises(UsageError, match=r"unknown option 'dri_run'\. Did you mean 'dry_run'"):
        sitemapx.submit(dri_run=True)


def test_submit_names_its_own_arguments(samples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for secret in ("INDEXNOW_KEY", "GOOGLE_APPLICATION_CREDENTIALS", "BING_API_KEY"):
        monkeypatch.delenv(secret, raising=False)

    with pytest.raises(UsageError, match="pass `engine`, or set one of"):
        sitemapx.submit(samples / "sitemap.xml", source_url="https://lighthouse.example/")
